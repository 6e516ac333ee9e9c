"""What an author may have meant: ways out that need the declarations. Spec 4.1 and 4.4."""

from collections.abc import Iterator
from typing import Final

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.cells import literal
from rulelang.checker.declared import Declared
from rulelang.checker.kinds import (
    Cell,
    Collection,
    Division,
    Flag,
    Kind,
    Number,
    Optional,
    Record,
    Row,
    Seat,
    agree,
    bare,
)
from rulelang.checker.symbols import KindName, MarkerName, MoveName, Symbol, ZoneName
from rulelang.diagnostics.diagnostic import did_you_mean, quoted
from rulelang.grammar.wording import listed, quoted_word

SHOWN: Final = 3
"""Formulas that one hint offers."""

LISTED: Final = 6
"""Names that one hint lists."""

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
    found = list(dict.fromkeys(_numbers(declared, written(node), bare(kind))))
    shown = [quoted_word(each) for each in found[:SHOWN]]
    return f"did you mean {listed(shown)}?" if shown else None


def sort_hint(declared: Declared, name: str, *sorts: type[Symbol]) -> str | None:
    """The way out where a name is of another sort: the nearest one of the right sort, or the few that there are."""
    known = declared.of_sort(*sorts)
    near = did_you_mean(name, known)
    if near is None and 0 < len(known) <= LISTED and sorts == (MoveName,):
        return f"the moves here are: {', '.join(known)}"
    return near


def none_hint(declared: Declared, node: ast.Expr, kind: Kind, word: str) -> str:
    """The way out where a value that is never none is asked whether it is: perhaps a marker of it was meant."""
    text = written(node)
    for name, symbol in declared.names.items():
        index = symbol.node.index if isinstance(symbol, MarkerName) else None
        if not isinstance(symbol, MarkerName) or index is None or len(index.kinds) != 1 or isinstance(kind, Seat):
            continue
        if isinstance(declared.kinds[symbol.node], Optional) and declared.kinds[index.kinds[0]] == kind:
            return f"did you mean {quoted_word(f'{name}[{text}] is {word}')}?"
    return f"only what is declared with 'or {word}' can be {word}"


def next_seat(node: ast.Sum, kind: Kind) -> str | None:
    """The way out where a player is reckoned with: ``active + 1`` is the next one."""
    match node.rest:
        case (ast.Binary(operator="+" | "-" as operator, value=ast.Number(value=1)),) if isinstance(bare(kind), Seat):
            text = written(node.first)
            return None if text == UNNAMED else f"did you mean '{'next' if operator == '+' else 'previous'}({text})'?"
        case _:
            return None


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


def written(node: ast.Expr) -> str:
    """A short formula as the author wrote it; others are `UNNAMED`."""
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
            return f"{node.name} of {written(node.value)}"
        case ast.Bracket():
            return written(node.value)
        case _:
            return UNNAMED


def range_left(node: ast.Expr, wanted: Kind) -> str | None:
    """The range that is wanted, if a number that is written out lies outside, as far as that is written out too."""
    number = literal(node)
    if number is None or not isinstance(wanted, Number):
        return None
    if wanted.low is None or wanted.high is None:
        return None
    low, high = literal(wanted.low), literal(wanted.high)
    if low is None or high is None or low > high or low <= number <= high:
        return None
    return f"{low}..{high}"
