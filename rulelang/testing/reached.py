"""What a played game has reached: classes of the syntax tree and of the IR that were carried out, not only written.

    counts = Reached()
    with counts.watching():
        ...                                     # games are played
    counts.tree(checked)                        # which lines of the text were carried out

Only the reference interpreter can be watched: it goes by tables.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs

from rulelang.ast import nodes as ast
from rulelang.ir import nodes as ir
from rulelang.play.formulas import MEANINGS

Action = Callable[..., Any]


class Reached:
    """Counts by the name of a class."""

    def __init__(self) -> None:
        self.ir: Counter[str] = Counter()
        self.ast: Counter[str] = Counter()
        self._lines: set[int] = set()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count every node, effect and formula that the reference interpreter carries out."""
        from rulelang_reference.effects import EFFECTS
        from rulelang_reference.run import NODES

        tables: list[dict[type, Action]] = [NODES, EFFECTS, MEANINGS]
        kept = [dict(table) for table in tables]
        for table in tables:
            for kind, action in table.items():
                table[kind] = self._counted(kind, action)
        try:
            yield
        finally:
            for table, before in zip(tables, kept, strict=True):
                table.update(before)

    def _counted(self, kind: type, action: Action) -> Action:
        name, counts = kind.__name__, self.ir

        def counted(first: Any, second: Any) -> Any:
            counts[name] += 1
            node = second if isinstance(second, ir.Node) else None
            if node is not None:
                self._lines.add(node.at.origin.line)
                self._inside(node)
            return action(first, second)

        return counted

    def _inside(self, node: ir.Node) -> None:
        """The parts of nodes that have no action of their own."""
        match node:
            case ir.Decide():
                self.ir[type(node.asked).__name__] += 1
            case ir.Chance():
                self.ir[type(node.distribution).__name__] += 1
            case ir.End():
                self.ir[type(node.outcome).__name__] += 1

    def tree(self, rules: ast.Rules) -> None:
        """Count the classes of a played game's tree: its declarations, and of its flow the statements carried out."""
        lines, self._lines = self._lines, set()
        waiting: list[object] = [rules]
        while waiting:
            node = waiting.pop()
            if isinstance(node, tuple):
                waiting.extend(node)
            elif isinstance(node, ast.Node) and self._counts(node, lines):
                self.ast[type(node).__name__] += 1
                waiting.extend(getattr(node, field.name) for field in attrs.fields(type(node)))

    def _counts(self, node: ast.Node, lines: set[int]) -> bool:
        """Whether a node is no statement, or one that was carried out; inside loops and questions is looked."""
        if not isinstance(node, ast.Statement) or isinstance(node, ast.EachLoop | ast.Turns | ast.Repeat | ast.Branch):
            return True
        return node.at.line in lines
