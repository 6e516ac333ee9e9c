"""What every variable, parameter and local of a flat program is: the verifier finds it out, and here it is kept."""

from __future__ import annotations

from typing import Literal

from rulelang_native.flat import statements as st
from rulelang_native.flat.around import Around
from rulelang_native.flat.program import FlatProgram
from rulelang_native.flat.shapes import Shape, seen
from rulelang_native.flat.verify import Verifier
from rulelang_native.flat.verify_values import Values
from rulelang_native.lowering.failing import NotLowered

Kind = Literal["number", "truth", "row", "rows", "rows of rows", "division"]

ROWS: tuple[Kind, ...] = ("row", "rows", "rows of rows")
"""Rows by their depth."""


def kind_of(shape: Shape) -> Kind:
    """The kind of a shape; what nothing says more of is a number."""
    shape = seen(shape)
    if shape.form in ("open", "number"):
        return "number"
    if shape.form == "row":
        depth = 0
        while shape.of is not None and seen(shape.of).form == "row":
            shape, depth = seen(shape.of), depth + 1
        if depth >= len(ROWS):
            raise NotLowered("rows lie deeper inside one another than they have a form in LLVM")
        return ROWS[depth]
    return shape.form  # type: ignore[return-value]


class _Kept(Values):
    """Remembers the shapes of every function and block."""

    def __init__(self, program: FlatProgram, around: Around) -> None:
        super().__init__(program, around)
        self.kept: dict[str, dict[str, Shape]] = {}

    def begin(self, here: str, body: tuple[st.Statement, ...], frame: int | None, kind: str) -> None:
        super().begin(here, body, frame, kind)
        self.kept[here] = self.shapes


class Shapes:
    """The kinds of everything in a sound flat program. Raises Broken for one that is not sound."""

    def __init__(self, program: FlatProgram, around: Around) -> None:
        self._values = _Kept(program, around)
        verifier = Verifier(program, around)
        verifier.values = self._values
        verifier.all()

    def variables(self, here: str) -> dict[str, Kind]:
        """The variables of a function (`function NAME`) or block (`procedure N, block AT`)."""
        return {name: kind_of(shape) for name, shape in self._values.kept[here].items()}

    def result(self, function: str) -> Kind:
        """What a function gives."""
        return kind_of(self._values.signature(function)[1])

    def parameter(self, function: str, place: int) -> Kind:
        """What a function is given."""
        return kind_of(self._values.signature(function)[0][place])

    def local(self, procedure: int, local: int) -> Kind:
        """What a local of a procedure holds."""
        return kind_of(self._values.local(procedure, local))
