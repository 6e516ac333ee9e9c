"""Trees of `uct:N` that grow by compiled rounds (`growing.py`): the tree of `rulelang.play.uct`, to the bit.

The words of a tree are Python's, and become more as they are needed. What is known can be taken from a tree of Python's
objects and given back as such: so a search begins before a game is compiled, and goes on where a round is given up.
"""

from __future__ import annotations

import ctypes
import math
import struct
import time
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from rulelang.play.chance import MASK as BITS
from rulelang.play.chance import Stream
from rulelang.play.event import Answer
from rulelang.play.quiet import hides
from rulelang.play.uct import Known, Place, Tried
from rulelang_native.llvm.growing import ALL, GIVEN_UP, NO_ROOM
from rulelang_native.llvm.keys import Keys
from rulelang_native.llvm.machine import POINTER, WORD
from rulelang_native.llvm.records import (
    AVAILABLE,
    DONE,
    KEY,
    KIND,
    LENGTH,
    MASK,
    MOST,
    OWNER,
    RANGES,
    TOTAL,
    USED,
    VISITS,
    first_record,
)
from rulelang_native.llvm.steps import R_NUMBERS
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.rolling import Saved, Steps

ROOM: Final = 1 << 12
"""Words that a tree has room for at first, and what a round goes through."""
MOST_WORDS: Final = 1 << 27
"""Words that a tree may have: a gigabyte. Whatever does not fit into that goes on as a tree of Python's objects."""
WORDS_A_BUCKET: Final = 16
AT_ONCE: Final = 0.05
"""About how many seconds a call may take, as nothing can be interrupted meanwhile."""


class Growth:
    """The tree of one decision. Raises NotLowered if what the seat is shown of answers has no form in LLVM."""

    def __init__(self, steps: Steps, seat: int, horizon: int, known: Known, most: int = MOST_WORDS) -> None:
        self._steps = steps
        self._seat = seat
        self._horizon = horizon
        self._most = most
        game = steps.game
        self._open = not hides(game.program)
        if not self._open and steps.printed.shown is None:
            raise NotLowered("who is shown an answer depends on more than who moves")
        self._first = first_record(game.seats)
        self._words = array("q", bytes(8 * ROOM))
        self._words[USED] = self._first
        self._buckets = array("q")
        self._journal = array("q", bytes(8 * ROOM))
        self._keys = Keys(game)
        self._logs = array("d", (0.0,))
        self._result = array("q", bytes(8 * (R_NUMBERS + game.seats)))
        self._rounds = 0
        """No answer could be given more often."""
        self._at_once = 16
        self._take(known)

    # -------------------------------------------------------------- rounds

    def rounds(self, state: Any, draw: Stream, most: int) -> int:
        """Some rounds from a state, at most so many, with the draws of a stream; 0 if one must be done otherwise."""
        try:
            saved = self._steps.saved(state)
        except NotLowered:
            return 0
        done = 0
        while done < most:
            count = min(most - done, self._at_once)
            begun = time.perf_counter()
            status = self._grow(saved, draw, count)
            done += self._words[DONE]
            self._rounds += self._words[DONE]
            if status == GIVEN_UP or (status != ALL and not self._enlarge(status)):
                return done
            if status == ALL and time.perf_counter() - begun < AT_ONCE / 2:
                self._at_once = min(2 * self._at_once, 1 << 16)
        return done

    def _grow(self, saved: Saved, draw: Stream, count: int) -> int:
        steps = self._steps
        logs = self._rounds + count + 2 - len(self._logs)
        if logs > 0:
            self._logs.extend(map(math.log, range(len(self._logs), len(self._logs) + logs)))
        function = steps.function(
            "grow",
            *[POINTER, POINTER, WORD, POINTER, POINTER, WORD, WORD, POINTER, WORD, POINTER, POINTER, POINTER],
            *[ctypes.c_int64, POINTER, POINTER, POINTER, WORD, POINTER, POINTER, WORD],
            gives=ctypes.c_int64,
        )
        drawn = array("q", (draw.drawn,))
        state, rows = bytes(saved.state), bytes(saved.rows)
        with steps.alone:
            steps.forget()
            status: int = function(
                steps.work.state,
                *(state, len(state), saved.base, rows, len(rows), draw.key & BITS, drawn.buffer_info()[0]),
                *(self._horizon, steps.work.offers, steps.given.buffer_info()[0], self._result.buffer_info()[0]),
                *(-1 if self._open else self._seat, self._words.buffer_info()[0], self._buckets.buffer_info()[0]),
                *(self._journal.buffer_info()[0], len(self._journal), steps.key.buffer_info()[0]),
                *(self._logs.buffer_info()[0], count),
            )
        draw.drawn = drawn[0]
        return status

    def _enlarge(self, status: int) -> bool:
        """Twice the room for what there was none for; whether there is any more."""
        larger = self._words if status == NO_ROOM else self._journal
        if 2 * len(larger) > self._most:
            return False
        try:
            larger.frombytes(bytes(8 * len(larger)))
            if status == NO_ROOM:
                self._replant()
        except MemoryError:
            return False
        return True

    def _replant(self) -> None:
        """Buckets for all the records that there may be."""
        count = max(1, len(self._words) // WORDS_A_BUCKET)
        count = 1 << (count.bit_length() - 1)
        self._buckets = array("q", bytes(8 * count))
        self._words[MOST], self._words[MASK] = len(self._words), count - 1
        self._steps.function("replant", POINTER, POINTER, WORD)(
            self._words.buffer_info()[0], self._buckets.buffer_info()[0], self._first
        )

    # -------------------------------------------------------------- what is known

    def visits(self, answers: Sequence[Answer]) -> list[int]:
        """How often the seat gave each of these answers at the first place."""
        function = self._steps.function("lookup", *[POINTER] * 2, WORD, WORD, POINTER, WORD, gives=ctypes.c_int64)
        found: list[int] = []
        for answer in answers:
            key = array("q", self._keys.answer_words(answer))
            record = function(
                *(self._words.buffer_info()[0], self._buckets.buffer_info()[0], self._first, self._seat),
                *(key.buffer_info()[0], len(key)),
            )
            found.append(self._words[record + VISITS] if record else 0)
        return found

    def known(self) -> Known:
        """The whole tree as Python's objects."""
        known = Known(Place())
        places = {self._first: known.root}
        for at in self._records():
            words = self._words
            kind, key = words[at + KIND], words[at + KEY : at + KEY + words[at + LENGTH]]
            if at == self._first:
                continue
            place = places.setdefault(words[at + OWNER], Place())
            if kind < 0:
                place.behind[self._keys.behind(key, self._open)] = places.setdefault(at, Place())
            else:
                tried = Tried(words[at + VISITS], words[at + AVAILABLE], _double(words[at + TOTAL]))
                place.tried.setdefault(kind, {})[self._keys.read_answer(kind, iter(key))] = tried
        for seat in range(self._steps.game.seats):
            is_known, least, most = self._words[RANGES + 3 * seat : RANGES + 3 * seat + 3]
            if is_known:
                known.least[seat], known.most[seat] = _double(least), _double(most)
        return known

    def _records(self) -> Iterator[int]:
        at = self._first
        while at < self._words[USED]:
            yield at
            at += KEY + self._words[at + LENGTH]

    def _take(self, known: Known) -> None:
        """Lay down what is known."""
        self._lay(0, -1, ())  # it is behind no place: a place behind it may have a key without words
        waiting = [(known.root, self._first)]
        while waiting:
            place, at = waiting.pop()
            for seat, answers in place.tried.items():
                for answer, tried in answers.items():
                    values = (tried.visits, tried.available, _word(tried.total))
                    self._lay(at, seat, self._keys.answer_words(answer), values)
                    self._rounds = max(self._rounds, tried.available)
            for key, behind in place.behind.items():
                waiting.append((behind, self._lay(at, -1, self._keys.behind_words(key))))
        for seat, least in known.least.items():
            self._words[RANGES + 3 * seat : RANGES + 3 * seat + 3] = array(
                "q", (1, _word(least), _word(known.most[seat]))
            )
        self._replant()

    def _lay(self, owner: int, kind: int, key: Sequence[int], values: tuple[int, int, int] = (0, 0, 0)) -> int:
        at = self._words[USED]
        end = at + KEY + len(key)
        while end + ROOM // 4 > len(self._words):
            self._words.frombytes(bytes(8 * len(self._words)))
        self._words[at:end] = array("q", (0, 0, owner, kind, len(key), *values, *key))
        self._words[USED] = end
        return at


def _double(word: int) -> float:
    return cast(float, struct.unpack("d", struct.pack("q", word))[0])


def _word(value: float) -> int:
    return cast(int, struct.unpack("q", struct.pack("d", value))[0])
