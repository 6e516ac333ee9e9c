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
            question |= json.loads(line)
            answer = game.answer(question)
        except (ValueError, KeyError, TypeError, AttributeError):
            answer = {"fault": "this is no question that can be answered now"}
        except Refused as refused:
            answer = {"refused": [reason.code for reason in refused.reasons]}
        except (Exhausted, Diagnosed) as trouble:
            answer = {"fault": str(trouble).splitlines()[0]}
        yield json.dumps({"id": question["id"], **answer})
        if question["do"] == "stop":
            return


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
                self.read(question["time"])
                return {"ok": True, **waits_json(self.match.state)}
            case "moves":
                return {"moves": moves_json(self.match.state, question["seat"] - 1)}
            case "view":
                seat = question["seat"]
                return {"seen": view_json(self.match.state, None if seat is None else seat - 1)}
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
            self.match.force(event["outcome"])
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
