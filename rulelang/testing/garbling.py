"""A conformance engine that garbles: a sound one whose answers, one in so many, come out damaged.

It takes the place of `Foreign` in this process, so that thousands of answers cost little. docs/guide/conformance.md
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from rulelang.play.engine import Engine
from rulelang.scenarios.answering import answers
from rulelang.scenarios.foreign import Foreign, read_answer
from rulelang.testing.damaged_documents import damaged_json
from rulelang.testing.dice import Dice

ONE_IN: Final = 12
"""One answer in so many is damaged."""


class Garbled(Foreign):
    """A sound engine in this process, through a line that damages some of what it says."""

    def __init__(
        self,
        engine: Engine,
        dice: Dice,
        found: Counter[str],
        one_in: int = ONE_IN,
        asked: list[str] | None = None,
    ) -> None:
        """``found`` counts what was garbled; ``asked`` is given every question."""
        super().__init__(["no process"], 1)
        self._engine = engine
        self._dice = dice
        self._found = found
        self._one_in = one_in
        self._asked: list[str] = [] if asked is None else asked
        self._answers = answers(self._questions(), engine)

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        """The answer to one question, as it comes through. Raises ForeignFault."""
        self.asked += 1
        question = {"id": self.asked, "do": do, **what}
        self._asked.append(json.dumps(question))
        line = next(self._answers)
        if self._dice.below(self._one_in) == 1:
            self._found["garbled"] += 1
            line = damaged_json(line, self._dice)
        return read_answer(line.encode("utf-8", "surrogatepass"), question)

    def _questions(self) -> Iterator[str]:
        while True:
            yield self._asked[-1]
