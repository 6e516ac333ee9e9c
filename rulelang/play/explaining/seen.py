"""The table as an explanation may read it: all of it, or what one seat sees now."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, SupportsIndex, overload

from rulelang.failures import Refused
from rulelang.ir.expressions import Value
from rulelang.ir.program import Program
from rulelang.play.engine import State
from rulelang.play.kinds import Layout
from rulelang.play.position import Unseen
from rulelang.play.refusal import Refusal
from rulelang.play.words import place_name, seat_name

UNSEEN_CARD = -(1 << 62)
"""What stands for a card that lies unseen; no formula ever looks at one."""


def everything(state: State) -> tuple[Value, ...]:
    """The whole table."""
    return tuple(_plain(cell) for cell in state.position().cells)


def _plain(cell: Any) -> Value:
    if isinstance(cell, tuple):
        return tuple(UNSEEN_CARD if isinstance(piece, Unseen) else piece for piece in cell)
    value: Value = cell
    return value


def _hidden(program: Program, slot: int, member: int, seat: int | None) -> NoReturn:
    who = "a spectator" if seat is None else seat_name(seat)
    words = f"{who.capitalize()} may not see {place_name(program, slot, member)}."
    raise Refused([Refusal("not_visible", None, words)])


class Seen(Sequence[Value]):
    """The table with what a seat (None: a spectator) sees of it. Reading anything else raises Refused."""

    def __init__(self, program: Program, state: State, seat: int | None) -> None:
        self._program = program
        self._seat = seat
        self._layout = Layout.of(program)
        self._cells = everything(state)
        self._parts: dict[tuple[int, int], set[str]] = {}
        for seen in state.view(seat).seen:
            self._parts.setdefault((seen.slot, seen.member), set()).add(seen.part)

    def __len__(self) -> int:
        return len(self._cells)

    @overload
    def __getitem__(self, cell: int) -> Value: ...

    @overload
    def __getitem__(self, cell: slice) -> Sequence[Value]: ...

    def __getitem__(self, cell: int | slice) -> Value | Sequence[Value]:
        assert isinstance(cell, int)
        slot = next(n for n, f in enumerate(self._layout.families) if f.base <= cell < f.base + f.count)
        member = cell - self._layout.families[slot].base
        parts, value = self._parts.get((slot, member), set()), self._cells[cell]
        if "content" in parts:
            return value
        if not parts or not isinstance(value, tuple):
            _hidden(self._program, slot, member, self._seat)
        return PartlySeen(value, parts, lambda: _hidden(self._program, slot, member, self._seat))


class PartlySeen(tuple[Value, ...]):
    """A zone of which only the top, or how many there are, is seen."""

    _seen: set[str]
    _hide: Any

    def __new__(cls, pieces: tuple[Value, ...], seen: set[str], hide: Any) -> "PartlySeen":
        made = super().__new__(cls, pieces)
        made._seen, made._hide = seen, hide
        return made

    def __len__(self) -> int:
        return super().__len__() if "size" in self._seen or "top" in self._seen else self._hide()

    def words(self) -> str:
        """What a seat can say of it."""
        return f"{len(self)} unseen"

    def __bool__(self) -> bool:
        return super().__len__() > 0

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        return super().__getitem__(place) if place == -1 and "top" in self._seen else self._hide()

    def __iter__(self) -> Iterator[Value]:
        self._hide()
        return iter(())

    def __contains__(self, item: object) -> bool:
        return bool(self._hide())

    def __eq__(self, other: object) -> bool:
        return bool(self._hide())

    def __hash__(self) -> int:
        return int(self._hide())

    def __add__(self, other: Any) -> Any:
        return self._hide()

    def count(self, item: Any) -> int:
        return int(self._hide())

    def index(self, *item: Any) -> int:
        return int(self._hide())
