"""Explanations as documents: a game, how it was played, and the answers to those who ask where a value comes from.

    A title

    Prose.

    === rules
    game "..."                            a small complete game
    === plays with 2 players, seed 7      what is done, line by line; chance comes by itself
    seat 1: take(3)
    === explain points of seat 1          as after the end: all of the table, with what wrote the markers
    === explain to seat 2 stock           as a seat sees it now; ``to a spectator``
    === explain the result                how the end was decided

``carried_out`` gives back the text of a file with every answer as it really is; a file holds if that is the same text.
``RULELANG_ACCEPT=1 pytest tests/explaining`` writes the answers into the files: read them before you keep them.
"""

import re
from collections.abc import Iterator

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_source
from rulelang.play.explaining import (
    AskedDefine,
    AskedTimer,
    Explained,
    Explainer,
    History,
    Seen,
    everything,
    read_question,
    spoken_program,
)
from rulelang.play.match import Match
from rulelang.play.words import read_move
from rulelang.source import Source
from rulelang.tools.explain_value import tree_lines
from rulelang_reference import engine


def compiled(rules: str) -> Program:
    """Rules to a program."""
    return compile_source(Source("case.rules", rules), "case").program


class Table:
    """A game that was played, and everybody who may ask about it."""

    def __init__(self, rules: str, heading: str = "plays", acts: tuple[str, ...] = ()) -> None:
        self.program = compiled(rules)
        self.seats, self.options, seed = _configuration(heading, self.program)
        self.match = Match(engine.configure(self.program, self.seats, self.options), seed)
        self.match.advance_chance()
        for act in acts:
            timed = re.fullmatch(r"at (\d+)(?: (.*))?", act)  # milliseconds
            if timed is not None:
                self.match.read(int(timed[1]))
                act = timed[2]
                if act is None:
                    continue
            name, _, text = act.partition(": ")
            self.match.submit(read_move(self.match.game.program, int(name.removeprefix("seat ")) - 1, text))
            self.match.advance_chance()

    def spoken(self) -> Program:
        """The program as explanations speak of it."""
        return spoken_program(self.program, self.match.game.program)

    def knowing_all(self) -> tuple[Explainer, History]:
        """An explainer of the whole table, with what wrote the markers."""
        history = History()
        state = engine.watched_by(history).configure(self.program, self.seats, self.options).start()
        for number, event in enumerate(self.match.events, 1):
            history.event = number
            state = state.step(event)
        return Explainer(self.spoken(), everything(self.match.state), history), history

    def seeing(self, seat: int | None) -> Explainer:
        """An explainer of what one seat sees."""
        return Explainer(self.spoken(), Seen(self.match.game.program, self.match.state, seat))

    def result(self) -> list[Explained]:
        """How the end was decided."""
        explainer, history = self.knowing_all()
        frame = self.match.state.position().frames[-1]
        return list(explainer.outcome(history.opened[frame.node], frame.locals))

    def answer(self, question: str) -> Iterator[str]:
        """The lines that are answered."""
        try:
            for tree in self._trees(question):
                yield from tree_lines(tree, 0)
        except Refused as refused:
            for reason in refused.reasons:
                yield f"refused {reason.code}: {reason.words}"
        except Exhausted as exhausted:
            yield f"exhausted {exhausted.code}"

    def _trees(self, question: str) -> list[Explained]:
        if question == "the result":
            return self.result()
        found = re.fullmatch(r"to (?:seat (\d+)|a spectator) (.*)", question)
        if found is None:
            explainer = self.knowing_all()[0]
        else:
            explainer, question = self.seeing(int(found[1]) - 1 if found[1] else None), found[2]
        return [asked(explainer, question)]


def asked(explainer: Explainer, question: str) -> Explained:
    """The answer to a question in words."""
    what = read_question(explainer.program, explainer.kinds, explainer.context.cells, question)
    if isinstance(what, AskedTimer):
        return explainer.timer(what.timer, left=what.left)
    if isinstance(what, AskedDefine):
        return explainer.define(what.function, what.arguments, what.given)
    return explainer.marker(what.slot, what.member)


def _configuration(heading: str, program: Program) -> tuple[int, dict[str, int | str | bool], int]:
    """Players (the fewest if not said), options and seed of ``plays with 3 players, target 20, seed 7``."""
    seats, seed = program.fewest_seats, 0
    options: dict[str, int | str | bool] = {}
    for word in heading.partition("with ")[2].split(", "):
        first, _, second = word.partition(" ")
        if second == "players":
            seats = int(first)
        elif first == "seed":
            seed = int(second)
        elif first:
            options[first] = int(second) if second.isdigit() else second
    return seats, options, seed


def carried_out(text: str) -> str:
    """The text of a file with every answer as it really is."""
    opening, *parts = re.split(r"^=== ", text, flags=re.MULTILINE)
    told, rules = [opening], ""
    table: Table | None = None
    for part in parts:
        heading, _, body = part.partition("\n")
        if heading == "rules":
            rules, table = body.strip("\n") + "\n", None
        elif heading.startswith("plays"):
            table = Table(rules, heading, tuple(line for line in body.splitlines() if line))
        else:
            table = table or Table(rules)
            body = "\n".join(table.answer(heading.removeprefix("explain "))) + "\n\n"
        told.append(f"=== {heading}\n{body}")
    return "".join(told).rstrip("\n") + "\n"
