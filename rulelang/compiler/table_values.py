"""Cells of data files to codes. Spec 6.4.

A cell is a plain value or ``{ value = ..., provenance = "printed" | "published" | "assumed", ... }``. What does not
fit is reported when the data is checked (``rulelang.checker.data``); here everything fits.
"""

from rulelang.checker import kinds


def plain(cell: object) -> object:
    """The value of a cell without its provenance."""
    return cell["value"] if isinstance(cell, dict) and "value" in cell else cell


def table_value(cell: object, kind: kinds.Kind) -> int | str | tuple[int, ...]:
    """The code, codes or words of a cell."""
    value = plain(cell)
    match kind:
        case kinds.Text():
            return str(value)
        case kinds.Collection():
            items = [table_value(item, kind.of) for item in value] if isinstance(value, list) else []
            codes = tuple(item for item in items if isinstance(item, int))
            return tuple(sorted(codes)) if kind.shape == "bag" else codes
        case kinds.Optional():
            return -1 if value in ("none", "nobody", None) else table_value(value, kind.of)
        case kinds.Names() | kinds.Row():
            word = str(value).replace("-", "_")
            return kind.labels.index(word) if word in kind.labels else 0
        case kinds.Flag():
            return int(value is True or value == "yes")
        case _:
            return value if isinstance(value, int) else 0
