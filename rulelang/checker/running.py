"""What runs: the overview, rules and moves with the lines that exceptions add to them, and who opens whom. Spec 9.1.

A *piece* is something with lines of its own. A call opens a rule; a choice opens the moves that it offers. Exceptions
(``before``, ``instead of``, ``after``) add bodies to the rule or move that they name. The passes on visibility and on
bounds both need to walk from piece to piece; what a walk looks for is theirs.
"""

from collections.abc import Iterator

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import MoveName, RuleName

Piece = ast.Overview | ast.Rule | ast.Move


@attrs.frozen
class Opening:
    """A line that opens a piece."""

    line: ast.Call | ast.Choose
    piece: Piece


class Running:
    """The pieces of one file."""

    def __init__(self, rules: ast.Rules, names: NameTable) -> None:
        self.names = names
        self.pieces: tuple[Piece, ...] = tuple(n for n in rules.declarations if isinstance(n, Piece))
        self.exceptions: dict[Piece, list[ast.Override]] = {piece: [] for piece in self.pieces}
        for node in rules.declarations:
            target = names.uses.get(node)
            if isinstance(node, ast.Override) and isinstance(target, RuleName | MoveName):
                self.exceptions[target.node].append(node)

    def own(self, piece: Piece) -> tuple[ast.Statement, ...]:
        """The lines written in the piece itself."""
        return piece.effects if isinstance(piece, ast.Move) else piece.body.statements

    def bodies(self, piece: Piece) -> tuple[tuple[ast.Statement, ...], ...]:
        """Everything that may run as this piece: its own lines, and those of every exception."""
        return (self.own(piece), *(exception.body.statements for exception in self.exceptions[piece]))

    def lines(self, piece: Piece) -> Iterator[ast.Statement]:
        """Every statement in those bodies, those inside others too."""
        yield from statements(piece)
        for exception in self.exceptions[piece]:
            yield from statements(exception)

    def opened_by(self, line: ast.Statement) -> tuple[Piece, ...]:
        """What one line opens."""
        if isinstance(line, ast.Choose):
            return tuple(symbol.node for symbol in self.names.moves[line])
        symbol = self.names.uses.get(line) if isinstance(line, ast.Call) else None
        return (symbol.node,) if isinstance(symbol, RuleName) else ()

    def openings(self, piece: Piece) -> Iterator[Opening]:
        """Every line of a piece that opens another, with what it opens."""
        for line in self.lines(piece):
            if isinstance(line, ast.Call | ast.Choose):
                for opened in self.opened_by(line):
                    yield Opening(line, opened)

    def openers_first(self) -> tuple[Piece, ...]:
        """All pieces, each after those that open it (as far as none opens itself)."""
        done: dict[Piece, None] = {}
        for start in self.pieces:
            way: list[tuple[Piece, Iterator[Opening]]] = [(start, self.openings(start))]
            begun = {start}
            while way:
                piece, ahead = way[-1]
                following = next((o.piece for o in ahead if o.piece not in done and o.piece not in begun), None)
                if following is None:
                    done.setdefault(piece)
                    way.pop()
                else:
                    begun.add(following)
                    way.append((following, self.openings(following)))
        return tuple(reversed(done))
