"""What `noticing.py` writes, written and read by Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.view import Observed

if TYPE_CHECKING:
    from rulelang_native.game import Game


class Keys:
    """The words of answers of one game, and of what seats observe of them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def answer_words(self, answer: Answer) -> list[int]:
        """An answer as `noticing.py` writes it."""
        entry = self._game.entry_of(answer)
        if entry is None:
            return [-1]
        words = [entry[0]]
        for value in entry[1:]:
            words += [len(value), *value] if isinstance(value, tuple) else [value]
        return words

    def behind_words(self, key: Hashable) -> list[int]:
        """What tells a place from others."""
        words: list[int] = []
        for each in cast("tuple[Answer | Observed, ...]", key):
            words.append(each.seat)
            if not isinstance(each, Observed):
                words += self.answer_words(each)
            elif each.move is None:
                words.append(-1)
            else:
                words.append(each.move)
                parameters = self._game.program.moves[each.move].parameters
                for parameter, code in zip(parameters, each.arguments, strict=True):
                    if code is None:
                        words.append(0)
                        continue
                    value = kinds.answer_value(self._game.program, parameter.type, code)
                    words += [1, len(value), *value] if isinstance(value, tuple) else [1, value]  # type: ignore[list-item]
        return words

    def _read_value(self, move: int, place: int, words: Iterator[int]) -> int:
        """The code of a value."""
        value: Any = next(words)
        if self._game.module.around.moves[move].rows[place]:
            value = tuple(next(words) for _ in range(value))
        program = self._game.program
        return kinds.answer_code(program, program.moves[move].parameters[place].type, value)

    def read_answer(self, seat: int, words: Iterator[int]) -> Answer:
        move = next(words)
        if move < 0:
            return Pass(seat)
        count = len(self._game.program.moves[move].parameters)
        return Play(seat, move, tuple(self._read_value(move, place, words) for place in range(count)))

    def behind(self, key: Sequence[int], is_open: bool) -> Hashable:
        words = iter(key)
        if is_open:
            return tuple(self.read_answer(seat, words) for seat in words)
        return tuple(self._read_observed(seat, words) for seat in words)

    def _read_observed(self, seat: int, words: Iterator[int]) -> Observed:
        move = next(words)
        if move < 0:
            return Observed(seat, None, ())
        count = len(self._game.program.moves[move].parameters)
        shown = (self._read_value(move, place, words) if next(words) else None for place in range(count))
        return Observed(seat, move, tuple(shown))
