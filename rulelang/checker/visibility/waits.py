"""Which lines can make the game wait, or decide what it waits for next. Spec 7.9.

A choice waits, and so does chance: a roll, a draw, a card dealt from an unseen pile. Where a known card comes to lie
among unseen ones decides what comes later: when it is drawn, chance is not waited for. Only if it goes from one unseen
pile to another whose sizes all see does everybody know of it. ``end RULE`` decides what comes next if there is any wait
in that rule; where there is none, leaving it early changes nothing that anybody sees. ``end game`` does not count: it
shows what it was decided by.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements, zone_of
from rulelang.checker.places import SlotRef, place
from rulelang.checker.running import Piece, Running
from rulelang.checker.symbols import Label, RuleName

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


class Waits:
    """The waits of one file."""

    def __init__(self, checked: "Checked", running: Running) -> None:
        self.checked = checked
        self.running = running
        self.waiting: dict[Piece, bool] = {}
        """Whether a piece can wait, by itself or in what it opens."""
        self.telling: dict[Piece, bool] = {}
        """The same, ``end RULE`` counted."""
        for piece in reversed(running.openers_first()):
            lines = list(running.lines(piece))
            self.waiting[piece] = any(self.waits(line) or self.opens(line, self.waiting) for line in lines)
        for piece in reversed(running.openers_first()):
            lines = list(running.lines(piece))
            self.telling[piece] = any(self.tells(line) for line in lines)

    def in_body(self, bodies: Iterable[ast.Body]) -> bool:
        """Whether anything in these bodies waits or decides what is waited for."""
        return any(self.tells(line) for body in bodies for line in within(body))

    def tells(self, line: ast.Statement) -> bool:
        if isinstance(line, ast.Leave):
            symbol = self.checked.names.uses.get(line)
            return isinstance(symbol, RuleName) and self.waiting.get(symbol.node, True)
        return self.waits(line) or self.moves_unseen(line) or self.opens(line, self.telling)

    def moves_unseen(self, line: ast.Statement) -> bool:
        """Whether a line decides where known cards lie among unseen ones, and not all see that it does."""
        if not isinstance(line, ast.Put):
            return False
        names, types = self.checked.names, self.checked.types
        source, target = zone_of(line.source, names, types), zone_of(line.target, names, types)
        if target is None or target not in self.checked.blind:
            return False
        if source is None or source not in self.checked.blind or _size_hidden(source) or _size_hidden(target):
            return True
        return source is target and not self.other_member(line.source, line.target)

    def other_member(self, one: ast.Expr, other: ast.Expr) -> bool:
        """Whether two places are surely not the same of a family: they have different words or numbers for an index."""
        refs = [place(each, self.checked.names) for each in (one, other)]
        indices = [ref.indices if isinstance(ref, SlotRef) else () for ref in refs]
        return any(
            None not in (here := self.constant(a), there := self.constant(b)) and here != there
            for a, b in zip(*indices, strict=False)
        )

    def constant(self, node: ast.Expr) -> str | int | None:
        """A number or a value that is written out."""
        if isinstance(node, ast.Number):
            return node.value
        return (
            node.name if isinstance(node, ast.Name) and isinstance(self.checked.names.uses.get(node), Label) else None
        )

    def opens(self, line: ast.Statement, pieces: dict[Piece, bool]) -> bool:
        return any(pieces.get(piece, True) for piece in self.running.opened_by(line))

    def waits(self, line: ast.Statement) -> bool:
        """Whether a line itself can wait."""
        match line:
            case ast.Choose() | ast.Command(verb="roll" | "shuffle"):
                return True
            case ast.Put(what=ast.Name(name="random") as what):
                return what not in self.checked.names.uses
            case ast.Put(source=source, target=target):
                names, types = self.checked.names, self.checked.types
                blind = self.checked.blind
                return zone_of(source, names, types) in blind and zone_of(target, names, types) not in blind
            case _:
                return False


def _size_hidden(zone: ast.Zone) -> bool:
    """Whether not everybody sees how many pieces lie in a pile that nobody looks into."""
    sizes = [trait.seats for trait in zone.traits if isinstance(trait, ast.SeenBy) and trait.part == "size"]
    return any(not isinstance(seats, ast.Name) or seats.name != "everyone" for seats in sizes)


def within(body: ast.Body) -> Iterable[ast.Statement]:
    """Every statement of a body, those inside others too."""
    for line in body.statements:
        yield from statements(line)
