"""What belongs to no seat owns nothing. Spec 12.1.

The table stands wherever a seat chooses, but there is no hand of the table and no marker on which it can be written. So
``table's hand``, ``vote[table]`` and ``leader becomes table`` are refused where they stand; and so is a choice of the
table that offers a move which says ``my hand``, ``vote[me]`` or ``leader becomes me``, also by way of a condition or of
an exception to the move.

What is not proved. A player that is handed to a rule may be the table; that is found at play. A move that asks whether
``me`` is the table is taken to know what it does.
"""

from collections.abc import Iterator

from rulelang.ast import nodes as ast
from rulelang.checker.inside import within
from rulelang.checker.names import NameTable
from rulelang.checker.places import SlotRef, place
from rulelang.checker.running import Running
from rulelang.checker.symbols import BuiltIn, ConditionName, LocalName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

NOTHING_OF_ITS_OWN = "the table owns nothing; name a player"
LET_A_PLAYER = "let a player make this move: the table has nothing that is 'my'"


def prove(rules: ast.Rules, names: NameTable, findings: Findings) -> None:
    """Report everything that would have to be the table's."""
    walk = _Table(rules, names, findings)
    for declaration in rules.declarations:
        for node in within(declaration):
            walk.said(node)
            if isinstance(node, ast.Choose) and walk.asks_table(node.who):
                walk.choice(node)


class _Table:
    def __init__(self, rules: ast.Rules, names: NameTable, findings: Findings) -> None:
        self.names = names
        self.running = Running(rules, names)
        self.findings = findings

    def is_table(self, node: ast.Node | None) -> bool:
        """Whether a formula surely is the table."""
        match node:
            case ast.Bracket():
                return self.is_table(node.value)
            case ast.Name(name=name):
                symbol = self.names.uses.get(node)
                if isinstance(symbol, LocalName) and isinstance(symbol.binder, ast.Let):
                    return self.is_table(symbol.binder.value)
                return isinstance(symbol, BuiltIn) and name == "table"
            case _:
                return False

    def asks_table(self, who: ast.Expr) -> bool:
        """Whether the table surely is among those who choose."""
        match who:
            case ast.Bracket():
                return self.asks_table(who.value)
            case ast.ListOf():
                return any(self.is_table(item) for item in who.items)
            case _:
                return self.is_table(who)

    # ------------------------------------------------------------------ what is said of the table itself

    def said(self, node: ast.Node) -> None:
        word = self.owned(node, by_mover=False)
        if word is not None:
            self.findings.report(
                codes.WRONG_INDEX, node.at, word=word, wanted="a player", found="the table", hint=NOTHING_OF_ITS_OWN
            )
        for value in self.written(node):
            if self.is_table(value):
                hint = "a marker can show a player"
                self.findings.report(codes.TYPE_MISMATCH, value.at, found="the table", wanted="a player", hint=hint)

    def owned(self, node: ast.Node, by_mover: bool) -> str | None:
        """The zone or marker that a formula looks for at the table, or at the seat that moves."""
        match node:
            case ast.My():
                return node.name if by_mover else None
            case ast.Its():
                return node.name if self.is_nobody(node.owner, by_mover) else None
            case ast.At():
                ref = place(node, self.names)
                wrong = isinstance(ref, SlotRef) and any(self.is_nobody(index, by_mover) for index in ref.indices)
                return ref.node.name if wrong and isinstance(ref, SlotRef) else None
            case _:
                return None

    def is_nobody(self, node: ast.Expr, by_mover: bool) -> bool:
        return isinstance(node, ast.Me) if by_mover else self.is_table(node)

    def written(self, node: ast.Node) -> tuple[ast.Expr, ...]:
        """What is written on a marker, or can be."""
        match node:
            case ast.Becomes():
                return (node.value,)
            case ast.Command(source=ast.ListOf(items=items)):
                return items
            case ast.Marker(initial=initial) if initial is not None:
                return (initial,)
            case _:
                return ()

    # ------------------------------------------------------------------ what the table is asked to do

    def choice(self, node: ast.Choose) -> None:
        for symbol, at in zip(self.names.moves[node], node.move_places, strict=True):
            lines = list(self.lines_of(symbol.node))
            if any(isinstance(line, ast.Compare) and self.compares_table(line) for line in lines):
                continue
            found = next((line for line in lines if self.is_the_mover_s(line)), None)
            if found is None:
                continue
            word = self.owned(found, by_mover=True)
            related = (Related(found.at, f"'{symbol.node.name}' needs a player here"),)
            if word is not None:
                self.findings.report(
                    codes.WRONG_INDEX,
                    at.at,
                    word=word,
                    wanted="a player",
                    found="the table",
                    related=related,
                    hint=LET_A_PLAYER,
                )
            else:
                self.findings.report(
                    codes.TYPE_MISMATCH, at.at, found="the table", wanted="a player", related=related, hint=LET_A_PLAYER
                )

    def compares_table(self, node: ast.Compare) -> bool:
        return self.is_table(node.left) or self.is_table(node.right)

    def is_the_mover_s(self, node: ast.Node) -> bool:
        return self.owned(node, by_mover=True) is not None or any(
            isinstance(value, ast.Me) for value in self.written(node)
        )

    def lines_of(self, move: ast.Move) -> Iterator[ast.Node]:
        """Everything in a move and in what is added to it, then in the conditions that these use."""
        waiting: list[ast.Node] = [move, *self.running.exceptions[move]]
        begun = set(waiting)
        while waiting:
            for node in within(waiting.pop(0)):
                yield node
                symbol = self.names.uses.get(node)
                if isinstance(symbol, ConditionName) and symbol.node not in begun:
                    begun.add(symbol.node)
                    waiting.append(symbol.node)
