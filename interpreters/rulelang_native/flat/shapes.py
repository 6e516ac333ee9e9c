"""Shapes of flat values, found by putting together what every use asks for: the verifier's half of inference.

A shape is a number, a truth, a row of some shape, a division (the row of four that `Divided` gives), or still open.
Open shapes become one another's, or something definite, as uses are met; two that do not go together are a clash.
"""

from __future__ import annotations

from typing import Literal

from rulelang_native.flat.expressions import Data

Form = Literal["number", "truth", "row", "division", "open"]


class Shape:
    """One shape. Definite ones never change; an open one can be told what it is, once."""

    __slots__ = ("bit", "form", "link", "of")

    def __init__(self, form: Form, of: Shape | None = None, *, bit: bool = False) -> None:
        self.form = form
        self.of = of
        """What the elements of a row are."""
        self.bit = bit
        """Whether an open one is 0 or 1: a number or a truth."""
        self.link: Shape | None = None
        """What an open one has turned out to be."""

    def __str__(self) -> str:
        shape = seen(self)
        match shape.form:
            case "number" | "truth" | "division":
                return f"a {shape.form}"
            case "row":
                of = "" if shape.of is None else str(seen(shape.of))
                return "a row of rows" if of.startswith("a row") else "a row"
            case _:
                return "0 or 1" if shape.bit else "anything"


NUMBER, TRUTH, DIVISION = Shape("number"), Shape("truth"), Shape("division")
ROW, ROWS = Shape("row", NUMBER), Shape("row", Shape("row", NUMBER))
PARTS = (NUMBER, NUMBER, ROW, ROWS)
"""Of a division: whether there is one, its worth, the rest, the groups."""


def seen(shape: Shape) -> Shape:
    """What a shape has turned out to be so far."""
    while shape.link is not None:
        shape = shape.link
    return shape


def together(one: Shape, two: Shape) -> bool:
    """Make two shapes the same; False if they cannot be."""
    while True:
        one, two = seen(one), seen(two)
        if one is two:
            return True
        if one.form != "open" and two.form == "open":
            one, two = two, one
        if one.form == "open":
            return _told(one, two)
        if one.form != two.form:
            return False
        if one.of is None or two.of is None:
            return True
        one, two = one.of, two.of


def _told(shape: Shape, what: Shape) -> bool:
    """An open shape turns out to be another."""
    if what.form == "open":
        what.bit |= shape.bit
    elif shape.bit and what.form not in ("number", "truth"):
        return False
    inner = what.of
    while inner is not None:  # a row whose elements are that row itself
        inner = seen(inner)
        if inner is shape:
            return False
        inner = inner.of
    shape.link = what
    return True


def shape_of(data: Data) -> Shape | None:
    """The shape of something known, None if its parts do not go together."""
    if isinstance(data, int):
        return Shape("open", bit=True) if data in (0, 1) else NUMBER
    element = Shape("open")
    numbers = sum(isinstance(each, int) for each in data)
    if numbers == len(data):
        return ROW if data else Shape("row", element)
    if numbers:
        return None
    for each in data:
        inner = shape_of(each)
        if inner is None or not together(element, inner):
            return None
    return Shape("row", element)
