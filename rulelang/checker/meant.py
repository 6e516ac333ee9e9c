"""What an author may have meant: ways out that need the declarations. Spec 4.1 and 4.4."""

from collections.abc import Iterator
from typing import Final

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.declared import Declared
from rulelang.checker.kinds import Cell, Collection, Division, Flag, Kind, Number, Record, Row, Seat, agree, bare
from rulelang.checker.symbols import KindName, MarkerName, ZoneName
from rulelang.diagnostics.diagnostic import quoted
from rulelang.grammar.wording import listed, quoted_word

SHOWN: Final = 3
"""Formulas that one hint offers."""

UNNAMED: Final = "..."
"""What stands for a formula that is too long to be said again."""


def part_hint(declared: Declared, name: str) -> str | None:
    """The way out where a property is written without what it belongs to: ``cost`` for ``cost of card``."""
    owners = list(dict.fromkeys(_owners(declared, name)))
    if owners:
        return f"{quoted(name)} is a part of {' and '.join(owners[:SHOWN])}: write '{name} of ...'"
    if name in builtins.FIELDS:
        return f"write '{name} of ...'; {builtins.FIELDS[name]}"
    return None


def _owners(declared: Declared, name: str) -> Iterator[str]:
    """The kinds that have a property, and the zones whose pieces show something."""
    for word, symbol in declared.names.items():
        kind = declared.kinds.get(symbol.node) if isinstance(symbol, ZoneName | KindName) else None
        if isinstance(symbol, ZoneName) and symbol.node.showing is None:
            continue
        if name in (part for part, _ in parts_of(declared, kind)):
            yield f"what lies in '{word}'" if isinstance(symbol, ZoneName) else word


def parts_of(declared: Declared, kind: Kind | None) -> list[tuple[str, Kind]]:
    """The properties that the author has given a kind: parts of a record, columns of a table."""
    match kind:
        case Record():
            return list(kind.fields)
        case Row():
            return [(column.name, declared.kinds[column.type]) for column in kind.table.columns]
        case _:
            return []


def number_hint(declared: Declared, node: ast.Expr, kind: Kind) -> str | None:
    """The way out where a number is wanted and something else is written that has one."""
    if isinstance(node, ast.Constant):  # 'yes' has nothing that could be meant
        return None
    found = list(dict.fromkeys(_numbers(declared, _written(node), bare(kind))))
    shown = [quoted_word(each) for each in found[:SHOWN]]
    return f"did you mean {listed(shown)}?" if shown else None


def _numbers(declared: Declared, text: str, kind: Kind) -> Iterator[str]:
    """The numbers that belong to a value, as formulas, the likeliest first."""
    if isinstance(kind, Record | Row):
        yield from (f"{name} of {text}" for name, part in parts_of(declared, kind) if isinstance(bare(part), Number))
    if isinstance(kind, Record | Row | Cell | Seat):
        yield from _markers(declared, text, kind)
    match kind:
        case Cell():
            yield from (f"row of {text}", f"column of {text}")
        case Seat():
            yield f"seat_number({text})"
        case Division():
            yield f"value of {text}"
        case Flag():
            yield f"1 if {text} otherwise 0"
        case Collection() if text != UNNAMED:
            yield f"size of {text}"
            if isinstance(kind.of, Number):
                yield f"sum(n for each n in {text})"


def _markers(declared: Declared, text: str, kind: Kind) -> Iterator[str]:
    """The markers of numbers that a value tells apart."""
    for name, symbol in declared.names.items():
        index = symbol.node.index if isinstance(symbol, MarkerName) else None
        if not isinstance(symbol, MarkerName) or index is None or len(index.kinds) != 1:
            continue
        if isinstance(declared.kinds[symbol.node], Number) and agree(declared.kinds[index.kinds[0]], kind):
            if not isinstance(kind, Seat):
                yield f"{name}[{text}]"
            else:
                yield f"my {name}" if text == "me" else f"{text}'s {name}"


def _written(node: ast.Expr) -> str:
    """A short formula as the author wrote it."""
    match node:
        case ast.Name():
            return node.name
        case ast.Me():
            return "me"
        case ast.My():
            return f"my {node.name}"
        case ast.Its(owner=ast.Name(name=owner)):
            return f"{owner}'s {node.name}"
        case ast.Field(value=ast.Name() | ast.My() | ast.Its()):
            return f"{node.name} of {_written(node.value)}"
        case ast.Bracket():
            return _written(node.value)
        case _:
            return UNNAMED
