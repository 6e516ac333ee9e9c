"""Whether two conditions on options can hold at once. Spec 14.4.

Used for exceptions: two that replace the same rule must never apply together. The answer is cautious: two conditions
exclude each other only if both say, as one part of an ``and``, what one and the same option (or the number of players)
is, and the values they allow have none in common. Everything else "can hold at once".
"""

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.kinds import Flag, Names
from rulelang.checker.symbols import BuiltIn, OptionName

Allowed = dict[object, frozenset[object]]
"""For an option, or ``"players"``: the values that a condition allows; numbers are only known singly."""


def exclusive(left: ast.Expr | None, right: ast.Expr | None, checked: Checked) -> bool:
    """Whether the two surely never hold together."""
    if left is None or right is None:
        return False
    first, second = allowed(left, checked), allowed(right, checked)
    return any(not (first[subject] & second[subject]) for subject in first if subject in second)


def allowed(condition: ast.Expr, checked: Checked) -> Allowed:
    """What the parts of a condition that must all hold allow."""
    match condition:
        case ast.Bracket():
            return allowed(condition.value, checked)
        case ast.Both():
            found: Allowed = {}
            for part in condition.parts:
                for subject, values in allowed(part, checked).items():
                    found[subject] = found.get(subject, values) & values
            return found
        case ast.Name() | ast.Negate(value=ast.Name()):
            return _flag(condition, checked)
        case ast.Compare(relation="is" | "is not"):
            return _comparison(condition, checked)
        case _:
            return {}


def _flag(condition: ast.Name | ast.Negate, checked: Checked) -> Allowed:
    name = condition.value if isinstance(condition, ast.Negate) else condition
    symbol = checked.names.uses.get(name)
    if not isinstance(symbol, OptionName) or not isinstance(checked.declared.kinds[symbol.node], Flag):
        return {}
    return {symbol.node: frozenset(["no" if isinstance(condition, ast.Negate) else "yes"])}


def _comparison(condition: ast.Compare, checked: Checked) -> Allowed:
    subject = _subject(condition.left, checked)
    value = _value(condition.right)
    if subject is None or value is None:
        return {}
    if condition.relation == "is":
        return {subject: frozenset([value])}
    every = _every_value(subject, checked)
    return {subject: every - {value}} if every is not None else {}


def _subject(node: ast.Expr, checked: Checked) -> object | None:
    """The option that is asked about, or ``"players"`` for their number."""
    symbol = checked.names.uses.get(node)
    if isinstance(symbol, OptionName):
        return symbol.node
    if isinstance(node, ast.Field) and node.name == "size" and isinstance(node.value, ast.Name):
        counted = checked.names.uses.get(node.value)
        return "players" if isinstance(counted, BuiltIn) and counted.name == "players" else None
    return None


def _value(node: ast.Expr) -> object | None:
    match node:
        case ast.Name(name=word) | ast.Constant(word=word):
            return word
        case ast.Number(value=number):
            return number
        case _:
            return None


def _every_value(subject: object, checked: Checked) -> frozenset[object] | None:
    if not isinstance(subject, ast.Option):
        return None
    kind = checked.declared.kinds[subject]
    if isinstance(kind, Names):
        return frozenset(kind.labels)
    return frozenset(["yes", "no"]) if isinstance(kind, Flag) else None
