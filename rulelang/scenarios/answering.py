"""This side of the conformance protocol: any interpreter of ours answers as a foreign engine would.

It is there to try the protocol out, and to be read by those who write an engine of their own.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rulelang import rulesets
from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.ir.codec import content_hash
from rulelang.ir.program import Program
from rulelang.limits import INTEGER_MAX, INTEGER_MIN, SEATS
from rulelang.pipeline import compile_file
from rulelang.play.engine import Engine
from rulelang.play.match import Match
from rulelang.scenarios.wire import STATES, TIME, Json, answer_of_json, moves_json, view_json, waits_json


def answers(lines: Iterable[str], engine: Engine) -> Iterator[str]:
    """The answer to each line, until `stop`."""
    game = _Answering(engine)
    for line in lines:
        question: Json = {"id": None, "do": ""}
        try:
            question |= _question(line)
            answer = game.answer(question)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            answer = {"fault": "this is no question that can be answered now"}
        except Refused as refused:
            answer = {"refused": [reason.code for reason in refused.reasons]}
        except (Exhausted, Diagnosed) as trouble:
            answer = {"fault": str(trouble).splitlines()[0]}
        yield json.dumps({"id": question["id"], **answer})
        if question["do"] == "stop":
            return


def _question(line: str) -> Json:
    """What a line asks. Raises ValueError, also for numbers with a fraction: nothing in the protocol has one."""
    question = json.loads(line, parse_float=_no_fraction, parse_constant=_no_fraction)
    if not isinstance(question, dict) or type(question.get("id", "")) not in (int, str):
        raise ValueError("a question is an object with a number")
    return question


def _no_fraction(written: str) -> int:
    raise ValueError(f"{written} is not a whole number")


def _whole(value: object, low: int, high: int) -> int:
    """A whole number that is asked with. Raises ValueError, before anything is reckoned with it."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"a whole number from {low} to {high} is needed")
    return value


def _seat(value: object) -> int:
    """The index of a seat; the one behind the last is the table."""
    return _whole(value, 1, SEATS + 1) - 1


class _Answering:
    """One game at a time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.programs: dict[Path, Program] = {}
        self.game: Any = None
        self.match: Any = None

    def answer(self, question: Json) -> Json:
        """What comes of one question. Raises Refused, Exhausted, Diagnosed."""
        match question["do"]:
            case "load":
                return self.load(question)
            case "start":
                bytes_ = question.get("state")
                start = self.game.from_bytes(bytes.fromhex(bytes_)) if bytes_ is not None else None
                self.match = Match(self.game, 0, start=start)
                return {"ok": True, **waits_json(self.match.state)}
            case "attempt":
                return self.attempt(question["event"], question["only_try"])
            case "read":
                self.read(_whole(question["time"], INTEGER_MIN, INTEGER_MAX))
                return {"ok": True, **waits_json(self.match.state)}
            case "moves":
                return {"moves": moves_json(self.match.state, _seat(question["seat"]))}
            case "view":
                seat = question["seat"]
                return {"seen": view_json(self.match.state, None if seat is None else _seat(seat))}
            case "stop":
                return {"ok": True}
            case _:
                return {"fault": "this question is not known"}

    def load(self, question: Json) -> Json:
        path = dict(rulesets.all_rulesets()).get(question["ruleset"])
        if path is None:
            return {"unknown": True}
        if path not in self.programs:
            self.programs[path] = compile_file(path).program
        program = self.programs[path]
        if content_hash(program) != question["program"]:
            return {"unknown": True}
        self.game = self.engine.configure(program, question["seats"], question["options"])
        return {"ok": True, "accepts": [STATES, TIME]}

    def read(self, time: int) -> None:
        """Timers that are due run out, up to where chance must decide or the game is over; else the clock is read."""
        while (due := self.match.state.deadline) is not None and due[1] <= time:
            self.match.expire()
            if self.match.state.waiting.kind in ("chance", "over"):
                return
        self.match.read(time)

    def attempt(self, event: Json, only_try: bool) -> Json:
        if "outcome" in event:
            self.match.force(_whole(event["outcome"], INTEGER_MIN, INTEGER_MAX))
            return {"ok": True, **waits_json(self.match.state)}
        answer = answer_of_json(self.match.state, event)
        if answer is None:
            return {"refused": ["no_such_move"]}
        reasons = self.match.explain(answer)
        if reasons:
            return {"refused": [reason.code for reason in reasons]}
        if not only_try:
            self.match.submit(answer)
        return {"ok": True, **waits_json(self.match.state)}
