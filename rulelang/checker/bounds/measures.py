"""Loops that need no wait because something is used up. Spec 16.3.

Two patterns, both plain enough to be seen in the text. ``repeat until Z is empty`` ends if every lap surely takes
something from Z and nothing in the loop puts anything there. ``repeat until n >= 10`` ends if every lap surely lets n
rise by a number that is written out, and nothing in the loop changes n otherwise; the same downwards. So the number of
laps is bounded by what Z holds when the loop begins, or by the range of n.

Z and n are the same in every lap: their indices are names and numbers, not looks at other things.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.blind import zone_of
from rulelang.checker.bounds.silence import Counts
from rulelang.checker.kinds import Collection, Optional
from rulelang.checker.places import SlotRef, place
from rulelang.checker.symbols import LocalName, OptionName

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


@attrs.frozen
class Measure:
    """What is used up: which lines surely do so, and which lines undo it."""

    place: ast.Expr
    """The zone or marker."""
    uses_up: Counts
    undoes: Counts


def measures(node: ast.Repeat, checked: "Checked") -> Iterator[Measure]:
    """Every measure that the question of a loop names; one of several ``or`` is enough."""
    asked = [node.until] if node.until is not None else []
    while asked:
        match asked.pop(0):
            case ast.Bracket(value=value):
                asked.append(value)
            case ast.Either(parts=parts):
                asked.extend(parts)
            case ast.Compare() as compare:
                yield from _Measures(checked).of(compare)
            case _:
                pass


class _Measures:
    def __init__(self, checked: "Checked") -> None:
        self.checked = checked
        self.names = checked.names

    def of(self, node: ast.Compare) -> Iterator[Measure]:
        if node.relation == "is" and isinstance(node.right, ast.Constant) and node.right.word == "empty":
            yield from self.zone(node.left)
        elif node.relation == "is" and _is_size(node.left) and _number(node.right) == 0:
            assert isinstance(node.left, ast.Field)
            yield from self.zone(node.left.value)
        else:
            yield from self.score(node)

    def score(self, node: ast.Compare) -> Iterator[Measure]:
        """A marker that is compared with something fixed."""
        ref = place(node.left, self.names)
        if not isinstance(ref, SlotRef) or not isinstance(ref.node, ast.Marker):
            return
        if self.is_fixed(node.right) and self.stays(ref):
            step = 1 if node.relation == "is" else None
            if node.relation in ("is", ">", ">="):
                yield self.marker(node.left, ref, ast.Rises, step)
            if node.relation in ("is", "<", "<="):
                yield self.marker(node.left, ref, ast.Falls, step)

    # ------------------------------------------------------------------ zones

    def zone(self, node: ast.Expr) -> Iterator[Measure]:
        ref = place(node, self.names)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone) and self.stays(ref):
            zone = ref.node
            yield Measure(node, lambda line: self.takes(line, ref), lambda line: self.puts(line, zone))

    def takes(self, line: ast.Statement, ref: SlotRef) -> bool:
        """Whether a line surely takes a piece from this very zone, if there is one."""
        if not isinstance(line, ast.Put):
            return False
        source = place(line.source, self.names)
        return isinstance(source, SlotRef) and self.same(source, ref) and self.takes_one(line.what)

    def takes_one(self, what: ast.Expr) -> bool:
        kind = self.checked.types.kinds.get(what)
        if kind is not None:
            return not isinstance(kind, Collection | Optional)
        if isinstance(what, ast.Apply):
            number = _number(what.arguments[0]) or 0
            at_a_place = isinstance(what.function, ast.Name) and what.function.name == "position"
            return number == 1 if at_a_place else number > 0  # there may be no fifth piece, but there is a first
        return True

    def puts(self, line: ast.Statement, zone: ast.Zone) -> bool:
        """Whether a line can put something into the zone, or into another of its family."""
        target = line.target if isinstance(line, ast.Put) else line.to if isinstance(line, ast.Command) else None
        return target is not None and zone_of(target, self.names, self.checked.types) is zone

    # ------------------------------------------------------------------ markers

    def marker(self, node: ast.Expr, ref: SlotRef, way: type[ast.Rises] | type[ast.Falls], step: int | None) -> Measure:
        def counts(line: ast.Statement) -> bool:
            target = place(line.target, self.names) if isinstance(line, ast.Rises | ast.Falls) else None
            if not isinstance(line, way) or not isinstance(target, SlotRef):
                return False
            by = _number(line.by) or 0
            return self.same(target, ref) and (by == step if step is not None else by > 0)

        def changes(line: ast.Statement) -> bool:
            match line:
                case ast.Becomes(target=changed) | ast.Rises(target=changed) | ast.Falls(target=changed):
                    pass
                case ast.Command(verb="roll", object=changed):
                    pass
                case _:
                    return False
            target = place(changed, self.names)
            return isinstance(target, SlotRef) and target.node is ref.node and not counts(line)

        return Measure(node, counts, changes)

    # ------------------------------------------------------------------ the same in every lap

    def same(self, one: SlotRef, other: SlotRef) -> bool:
        given, wanted = self.indices(one), self.indices(other)
        return one.node is other.node and None not in given and given == wanted

    def stays(self, ref: SlotRef) -> bool:
        return None not in self.indices(ref)

    def indices(self, ref: SlotRef) -> list[object]:
        """What names the member of a family: locals and numbers; None for anything else."""
        return [self.index(node) for node in ((ref.owner,) if ref.owner is not None else ()) + ref.indices]

    def index(self, node: ast.Expr) -> object:
        if isinstance(node, ast.Me):
            return "me"
        symbol = self.names.uses.get(node)
        return symbol if isinstance(symbol, LocalName) else _number(node)

    def is_fixed(self, node: ast.Expr) -> bool:
        return _number(node) is not None or isinstance(self.names.uses.get(node), OptionName | LocalName)


def _is_size(node: ast.Expr) -> bool:
    return isinstance(node, ast.Field) and node.name == "size"


def _number(node: ast.Node) -> int | None:
    return node.value if isinstance(node, ast.Number) else None
