"""The table as an explanation may read it: all of it, or what one seat sees now."""

from collections.abc import Callable, Sequence
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
    """A zone of which only the top, or how many there are, is seen. Asking it for anything else raises Refused."""

    _parts: set[str]
    _hide: Callable[[], NoReturn]

    def __new__(cls, pieces: tuple[Value, ...], parts: set[str], hide: Callable[[], NoReturn]) -> "PartlySeen":
        made = super().__new__(cls, pieces)
        made._parts, made._hide = parts, hide
        return made

    def words(self) -> str:
        """What a seat can say of it."""
        return f"{len(self)} unseen" if "size" in self._parts else "unseen"

    def __len__(self) -> int:
        return super().__len__() if "size" in self._parts else self._hide()

    def __bool__(self) -> bool:
        return super().__len__() > 0  # whoever sees the top, or how many there are, sees this too

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        return super().__getitem__(place) if place == -1 and "top" in self._parts else self._hide()

    def _refuse(self, *asked: object) -> Any:
        self._hide()

    __iter__ = __contains__ = __hash__ = count = index = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = _refuse
