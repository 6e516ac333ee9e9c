"""What the lowering of a program shares: numbers of declarations, frames of locals, places in the text. Spec 1.3."""

from typing import TypeVar

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.symbols import LocalName
from rulelang.diagnostics.diagnostic import Findings
from rulelang.ir.expressions import Expression, Local
from rulelang.ir.nodes import Node
from rulelang.ir.origin import Origin, Source

T = TypeVar("T", bound=ast.Node)


class Frame:
    """The locals of one function, procedure or move: each name gets a number when it is first met."""

    def __init__(self, me: bool = False) -> None:
        self.labels: list[str] = []
        self.numbers: dict[LocalName, int] = {}
        self.capacities: dict[int, Expression] = {}
        """For a local that holds a collection: the most elements it can have."""
        self.given: dict[LocalName, Expression] = {}
        """What stands for a name instead of a local: arguments of conditions whose requirements are lowered here."""
        self.me: Local | None = self.fresh("me") if me else None

    def fresh(self, name: str) -> Local:
        """A new local of this frame."""
        self.labels.append(name)
        return Local(len(self.labels) - 1, name)

    def local(self, name: LocalName) -> Local:
        """The local of a name in the text."""
        if name not in self.numbers:
            self.numbers[name] = self.fresh(name.name).number
        return Local(self.numbers[name], name.name)

    def value(self, name: LocalName) -> Expression:
        """What a name stands for where it is read."""
        return self.given[name] if name in self.given else self.local(name)


@attrs.frozen
class Numbers:
    """The position of every declaration in the program's tables."""

    options: dict[ast.Option, int]
    boards: dict[ast.Board, int]
    tables: dict[ast.Table, int]
    slots: dict[ast.Zone | ast.Marker, int]
    timers: dict[ast.Timer, int]
    """Their markers come behind all that the rules declare: two for each timer, then the clock."""
    functions: dict[ast.Node, int]
    """Defines, conditions, and the holes in the words of conditions."""
    moves: dict[ast.Move, int]
    procedures: dict[ast.Overview | ast.Rule | ast.Move, int]
    """Overview (0), rules, then moves."""

    def left(self, timer: ast.Timer) -> int:
        """The slot of what was left of a timer at its last change."""
        return len(self.slots) + 2 * self.timers[timer]

    def end(self, timer: ast.Timer) -> int:
        """The slot of the moment when a timer will be empty."""
        return self.left(timer) + 1

    @property
    def clock(self) -> int:
        """The slot of the time of the last reading, if there is a timer."""
        return len(self.slots) + 2 * len(self.timers)


def _positions(rules: ast.Rules, sort: type[T]) -> dict[T, int]:
    found = [node for node in rules.declarations if isinstance(node, sort)]
    return {node: number for number, node in enumerate(found)}


def numbers_of(rules: ast.Rules) -> Numbers:
    """Number the declarations of each sort in the order of the text."""
    functions: list[ast.Node] = []
    for node in rules.declarations:
        if isinstance(node, ast.Define | ast.Condition):
            functions.append(node)
        if isinstance(node, ast.Condition) and node.because is not None:
            functions.extend(part for part in node.because.parts if isinstance(part, ast.Hole))
    callables: list[ast.Overview | ast.Rule | ast.Move] = []
    callables += [node for node in rules.declarations if isinstance(node, ast.Overview)][:1]
    callables += [node for node in rules.declarations if isinstance(node, ast.Rule)]
    callables += [node for node in rules.declarations if isinstance(node, ast.Move)]
    return Numbers(
        _positions(rules, ast.Option),
        _positions(rules, ast.Board),
        _positions(rules, ast.Table),
        {node: i for i, node in enumerate(n for n in rules.declarations if isinstance(n, ast.Zone | ast.Marker))},
        _positions(rules, ast.Timer),
        {node: number for number, node in enumerate(functions)},
        _positions(rules, ast.Move),
        {node: number for number, node in enumerate(callables)},
    )


@attrs.frozen
class Compilation:
    """One program being lowered."""

    checked: Checked
    numbers: Numbers
    findings: Findings
    nodes: list[Node | None] = attrs.field(factory=list)
    """The graph; a place is reserved before what stands there is known."""

    def reserve(self) -> int:
        """The number of a node that is written later."""
        self.nodes.append(None)
        return len(self.nodes) - 1

    def emit(self, node: Node) -> int:
        """Write a node; its number."""
        self.nodes.append(node)
        return len(self.nodes) - 1


def source(node: ast.Node, citations: tuple[ast.Citation, ...] = ()) -> Source:
    """Where a node stands and what it cites."""
    return Source(Origin(node.at.file, node.at.line, node.at.column), tuple(c.clause for c in citations))
