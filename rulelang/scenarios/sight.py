"""What a seat can work out from its view: formulas evaluated on a table of which it sees only a part. Spec 15.4."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, SupportsIndex, overload

from rulelang.play.kinds import Layout
from rulelang.play.view import View


class NotSeen(Exception):
    """A formula asked for what the seat does not see: the cell of the layout."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        super().__init__(cell)


class Partly(tuple[int, ...]):
    """A zone of which the seat sees at most how many pieces there are, and the top one."""

    cell: int
    top: int | None

    @staticmethod
    def of(cell: int, size: int, top: int | None) -> "Partly":
        """So many pieces of which only the top one may be looked at."""
        found = Partly((0,) * size)
        found.cell, found.top = cell, top
        return found

    def _hidden(self) -> NoReturn:
        raise NotSeen(self.cell)

    def __iter__(self) -> Iterator[int]:
        self._hidden()

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[int, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> int | tuple[int, ...]:
        if self.top is not None and index == -1:
            return self.top
        self._hidden()

    def __contains__(self, item: object, /) -> bool:
        self._hidden()

    def __eq__(self, other: object, /) -> bool:
        self._hidden()

    def __ne__(self, other: object, /) -> bool:
        self._hidden()

    def __hash__(self) -> int:
        self._hidden()

    def __add__(self, other: Any, /) -> Any:
        self._hidden()

    def __radd__(self, other: Any, /) -> Any:
        self._hidden()

    def __mul__(self, other: SupportsIndex, /) -> Any:
        self._hidden()

    def count(self, value: Any, /) -> int:
        """Hidden."""
        self._hidden()

    def index(self, value: Any, /, *rest: SupportsIndex) -> int:
        """Hidden."""
        self._hidden()


class Looked(Sequence[Any]):
    """The cells of a table as one seat sees them; what it does not see raises NotSeen."""

    def __init__(self, layout: Layout, view: View) -> None:
        self._layout = layout
        self._seen: Mapping[int, Any] = _seen(layout, view)

    def __len__(self) -> int:
        return self._layout.cells

    def __getitem__(self, cell: Any) -> Any:
        if cell not in self._seen:
            raise NotSeen(cell)
        return self._seen[cell]


def _seen(layout: Layout, view: View) -> dict[int, Any]:
    found: dict[int, Any] = {}
    sizes: dict[int, int] = {}
    tops: dict[int, int] = {}
    for each in view.seen:
        cell = layout.families[each.slot].base + each.member
        if each.part == "content":
            found[cell] = each.value
        elif each.part == "size" and isinstance(each.value, int):
            sizes[cell] = each.value
        elif isinstance(each.value, int):
            tops[cell] = each.value
    for cell, size in sizes.items():
        found[cell] = Partly.of(cell, size, tops.get(cell))
    for cell, top in tops.items():  # the top alone: how many there are stays hidden
        found.setdefault(cell, Partly.of(cell, 1, top))
    return found
