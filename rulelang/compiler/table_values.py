"""Cells of tables to codes. Spec 6.3.

What does not fit is reported when tables are checked (``rulelang.checker.data_check``); here everything fits.
"""

from rulelang.checker import kinds
from rulelang.checker.cells import FLAGS, NONE, span, word_of


def table_value(value: object, kind: kinds.Kind) -> int | str | tuple[int, ...]:
    """The code, the codes or the words of a plain value; None stands for a cell that is left out."""
    match kind:
        case kinds.Text():
            return str(value)
        case kinds.Collection():
            items = value if isinstance(value, list) else []
            codes = [code(item, kind.of) for item in items]
            return tuple(sorted(codes) if kind.shape == "bag" else codes)
        case _:
            return code(value, kind)


def code(value: object, kind: kinds.Kind) -> int:
    """The code of a single value."""
    match kind:
        case kinds.Optional(of=of):
            return least(of) - 1 if value is None or value in NONE else code(value, of)
        case kinds.Names() | kinds.Row():
            return kind.numbers[word_of(str(value))]
        case kinds.Flag():
            return int(FLAGS[value] if isinstance(value, str) else bool(value))
        case _:
            assert isinstance(value, int)
            return value


def least(kind: kinds.Kind) -> int:
    """The least code of a kind that a column can have."""
    bounds = span(kind) if isinstance(kind, kinds.Number) else None
    return bounds[0] if bounds is not None else 0
