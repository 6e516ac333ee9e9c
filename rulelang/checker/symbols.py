"""What a name can stand for. Spec 4.1."""

from typing import assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.kinds import Kind


@attrs.frozen(eq=False)
class LocalName:
    """A parameter, ``let``, loop or search variable. One object per binding; ``binder`` is the node that binds it."""

    name: str
    binder: ast.Node


@attrs.frozen(eq=False)
class OptionName:
    """An option."""

    node: ast.Option


@attrs.frozen(eq=False)
class KindName:
    """A declared kind of value (values, record, table, board) and what it is."""

    node: ast.Values | ast.Record | ast.Table | ast.Board
    kind: Kind


@attrs.frozen(eq=False)
class ZoneName:
    """A zone."""

    node: ast.Zone


@attrs.frozen(eq=False)
class MarkerName:
    """A marker."""

    node: ast.Marker


@attrs.frozen(eq=False)
class TimerName:
    """A timer."""

    node: ast.Timer


@attrs.frozen(eq=False)
class DefineName:
    """A define."""

    node: ast.Define


@attrs.frozen(eq=False)
class ConditionName:
    """A condition."""

    node: ast.Condition


@attrs.frozen(eq=False)
class MoveName:
    """A move."""

    node: ast.Move


@attrs.frozen(eq=False)
class RuleName:
    """A rule."""

    node: ast.Rule


@attrs.frozen(eq=False)
class BuiltIn:
    """A word of the language that is not reserved (``players``, ``next``, ``sum``)."""

    name: str


@attrs.frozen(eq=False)
class Label:
    """A bare word for a value; which kind it belongs to is decided by what is expected where it stands."""

    name: str
    kinds: tuple[Kind, ...]
    """Every kind that has a value of this name, in the order of declaration."""


Symbol = (
    LocalName
    | OptionName
    | KindName
    | ZoneName
    | MarkerName
    | TimerName
    | DefineName
    | ConditionName
    | MoveName
    | RuleName
    | BuiltIn
    | Label
)


def sort_of(symbol: Symbol) -> str:
    """What sort of name it is, for messages."""
    match symbol:
        case LocalName():
            return "a name of this rule"
        case OptionName():
            return "an option"
        case KindName():
            return "a kind of value"
        case ZoneName():
            return "a zone"
        case MarkerName():
            return "a marker"
        case TimerName():
            return "a timer"
        case DefineName():
            return "a define"
        case ConditionName():
            return "a condition"
        case MoveName():
            return "a move"
        case RuleName():
            return "a rule"
        case BuiltIn():
            return "a word of the language"
        case Label():
            return "a value"
        case _:
            assert_never(symbol)
