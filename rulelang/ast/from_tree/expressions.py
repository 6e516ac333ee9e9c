"""Formulas and texts. Spec 4."""

from typing import Any

from lark import Token

from rulelang.ast.from_tree.parts import Maker, Parts, after, name, nodes, place_of, words
from rulelang.ast.nodes.expressions import (
    Apply,
    At,
    Between,
    Binary,
    Both,
    Bracket,
    Compare,
    Conditional,
    Constant,
    Each,
    Either,
    Every,
    Exists,
    Field,
    Hole,
    Its,
    ListOf,
    Me,
    My,
    Name,
    Negate,
    Negative,
    Number,
    Product,
    Rank,
    Select,
    Sum,
    Text,
    ValueOfEach,
)
from rulelang.source import Place


def _only(at: Place, parts: Parts) -> Any:
    return parts[0]


def _sum(at: Place, parts: Parts) -> Sum:
    rest = zip(parts[1::2], parts[2::2], strict=True)
    made = (Binary(place_of(sign, at.file).until(value.at), sign.value, value) for sign, value in rest)
    return Sum(at, parts[0], tuple(made))


def _compare(at: Place, parts: Parts) -> Compare:
    return Compare(at, parts[0], " ".join(parts[1:-1]), parts[-1])


def _text(at: Place, parts: Parts) -> Text:
    made: list[str | Hole] = []
    for part in parts:
        if not isinstance(part, Token):
            made.append(Hole(part.at, part))
        elif len(part) > 2:
            made.append(part.value[1:-1])
    return Text(at, tuple(made))


def _each(at: Place, parts: Parts) -> Each:
    return Each(at, name(parts), after(parts, "IN"), after(parts, "WHERE"))


def _value_of_each(at: Place, parts: Parts) -> ValueOfEach:
    begin = place_of(words(parts, "EACH")[0], at.file)
    return ValueOfEach(at, parts[0], _each(begin.until(at), parts[1:]))


def _exists(at: Place, parts: Parts) -> Exists:
    return Exists(at, parts[0].type == "NO", name(parts), after(parts, "IN"), after(parts, "WHERE"))


def _every(at: Place, parts: Parts) -> Every:
    return Every(at, name(parts), after(parts, "IN"), after(parts, "SATISFIES"))


def _select(at: Place, parts: Parts) -> Select:
    ranks = tuple(part for part in parts if isinstance(part, Rank))
    return Select(at, parts[0].type == "ALL", name(parts), after(parts, "IN"), after(parts, "WHERE"), ranks)


EXPRESSIONS: dict[str, Maker] = {
    "expr": _only,
    "conditional": lambda at, parts: Conditional(at, *nodes(parts)),
    "either": lambda at, parts: Either(at, nodes(parts)),
    "both": lambda at, parts: Both(at, nodes(parts)),
    "negate": lambda at, parts: Negate(at, parts[1]),
    "exists": _exists,
    "every": _every,
    "select": _select,
    "select_ranked": _select,
    "rank": lambda at, parts: Rank(at, parts[0].type == "MOST", parts[1]),
    "compare": _compare,
    "span": lambda at, parts: Between(at, parts[0], parts[2]),
    "sum": _sum,
    "product": lambda at, parts: Product(at, nodes(parts)),
    "negative": lambda at, parts: Negative(at, parts[1]),
    "field": lambda at, parts: Field(at, parts[0].value, parts[2]),
    "bracket": lambda at, parts: Bracket(at, parts[1]),
    "list": lambda at, parts: ListOf(at, nodes(parts)),
    "constant": lambda at, parts: Constant(at, parts[0].value),
    "number": lambda at, parts: Number(at, int(parts[0])),
    "text": _text,
    "name": lambda at, parts: Name(at, parts[0].value),
    "me": lambda at, parts: Me(at),
    "my": lambda at, parts: My(at, parts[1].value),
    "owned": lambda at, parts: Its(at, parts[0], parts[2].value),
    "indexed": lambda at, parts: At(at, parts[0], nodes(parts[1:])),
    "applied": lambda at, parts: Apply(at, parts[0], parts[1]),
    "arguments": lambda at, parts: nodes(parts),
    "argument": _only,
    "each_of": _each,
    "value_of_each": _value_of_each,
}
"""How each rule of this chapter becomes a node."""
