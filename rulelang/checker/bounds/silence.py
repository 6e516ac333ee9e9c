"""Can a row of lines be gone through without waiting for anybody? Spec 16.3.

The answer is a set of *exits* that can be reached in silence: the end of the row, or a rule that is left by ``end
RULE``. With each goes the place that shows how: the ``if`` that need not hold, the ``may`` that need not be asked,
the loop that may have nothing to go through. A choice with ``must`` and the roll of a marker always wait; whatever
comes after them is not silent. ``end game`` has no exit.

The same walk answers another question: does every lap make some progress (``measures``)? Then the lines that make it
stand in the place of the waits, and whoever is asked, the way goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements as lines_in
from rulelang.checker.kinds import Names, Number, Seat, bare
from rulelang.checker.places import SlotRef, place
from rulelang.checker.running import Piece, Running
from rulelang.checker.symbols import BuiltIn, KindName, RuleName
from rulelang.diagnostics.diagnostic import Related

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

Exit = ast.Rule | None
"""Where a silent way comes out: at the end of the row (None), or behind a rule that it leaves."""

Exits = Mapping[Exit, Related | None]
"""Every exit that can be reached in silence, and what shows it."""

Counts = Callable[[ast.Statement], bool]
"""Whether a line makes the progress that is asked for."""


class Silence:
    """The silent ways through the pieces of one file. No piece opens itself."""

    def __init__(self, checked: "Checked", running: Running, counts: Counts | None = None) -> None:
        self.checked = checked
        self.names = checked.names
        self.running = running
        self.counts = counts
        self.pieces: dict[Piece, Exits] = {}
        self.asking: dict[Piece, bool] = {}
        self.automatic = {
            getattr(value, "name", "")
            for header in checked.rules.game.headers
            if header.name == "automatic"
            for value in header.values
        }

    # ------------------------------------------------------------------ rows and pieces

    def row(self, statements: Sequence[ast.Statement]) -> Exits:
        """The exits of a row of lines."""
        exits: dict[Exit, Related | None] = {}
        shown: Related | None = None
        guarding = False
        for statement in statements:
            found = self.line(statement)
            for way, how in found.items():
                if way is not None:
                    exits.setdefault(way, how or shown)
            if None not in found:
                return exits
            if shown is None or (not guarding and found[None] is not None and self.asks(statement)):
                shown, guarding = found[None], self.asks(statement)  # what guards a question says most
        return {**exits, None: shown}

    def asks(self, node: ast.Statement) -> bool:
        """Whether something in a line could be waited for, in a rule that it carries out too."""
        return any(
            isinstance(line, ast.Choose)
            or (isinstance(line, ast.Command) and self.rolls(line))
            or (isinstance(line, ast.Call) and any(self.asked_in(piece) for piece in self.running.opened_by(line)))
            for line in lines_in(node)
        )

    def asked_in(self, piece: Piece) -> bool:
        """Whether something in a rule could be waited for."""
        if piece not in self.asking:
            self.asking[piece] = any(self.asks(line) for line in self.running.lines(piece))
        return self.asking[piece]

    def piece(self, piece: Piece) -> Exits:
        """The exits of a rule, with what exceptions add to it; leaving it is its end."""
        if piece not in self.pieces:
            exceptions = self.running.exceptions[piece]
            rows = [self.exception(each) for each in exceptions if each.kind == "before"]
            rows.append(self.middle(piece, [each for each in exceptions if each.kind == "instead"]))
            rows += [self.exception(each) for each in exceptions if each.kind == "after"]
            found = dict(_in_order(rows))
            if piece in found and isinstance(piece, ast.Rule):
                how = found.pop(piece)
                found.setdefault(None, how)
            self.pieces[piece] = found
        return self.pieces[piece]

    def exception(self, node: ast.Override) -> Exits:
        """A body that is carried out only where its condition holds."""
        found = self.row(node.body.statements)
        return found if node.when is None else {None: None, **found}

    def middle(self, piece: Piece, instead: Sequence[ast.Override]) -> Exits:
        """The piece's own lines, or what stands in their place."""
        own = [] if any(each.when is None for each in instead) else [self.row(self.running.own(piece))]
        return _one_of([*own, *(self.row(each.body.statements) for each in instead)])

    # ------------------------------------------------------------------ one line

    def line(self, node: ast.Statement) -> Exits:
        if self.counts is not None and self.counts(node):
            return {}
        match node:
            case ast.Let() | ast.Becomes() | ast.Rises() | ast.Falls() | ast.Put():
                return {None: None}
            case ast.Choose():
                return self.choose(node)
            case ast.Leave():
                symbol = self.names.uses.get(node)
                return {symbol.node: Related(node.at, "this way leads out")} if isinstance(symbol, RuleName) else {}
            case ast.Finish():
                return {}
            case ast.Call():
                return _one_of([self.piece(piece) for piece in self.running.opened_by(node)])
            case ast.Command():
                return {} if self.counts is None and self.rolls(node) else {None: None}
            case ast.EachLoop():
                empty = None if self.has_members(node.domain) and node.where is None else "there may be nothing here"
                return self.loop(node, empty)
            case ast.Turns():
                found = dict(self.row(node.body.statements))
                found.pop(None, None)
                nobody = node.domain is not None and not self.has_members(node.domain)
                return {None: Related(node.at, "there may be nobody here"), **found} if nobody else found
            case ast.Repeat():
                return self.repeat(node)
            case ast.Branch():
                return self.branch(node)
            case _:
                assert_never(node)

    def loop(self, node: ast.EachLoop | ast.Repeat, empty: str | None) -> Exits:
        """The exits of a lap; without a lap, the end."""
        found = self.row(node.body.statements)
        return found if empty is None else {None: Related(node.at, empty), **_without_end(found)}

    def repeat(self, node: ast.Repeat) -> Exits:
        if node.times is not None:
            certain = isinstance(node.times, ast.Number) and node.times.value > 0
            return self.loop(node, None if certain else "this may be no time at all")
        found = self.row(node.body.statements)
        return found if node.until is not None else _without_end(found)

    def branch(self, node: ast.Branch) -> Exits:
        ways = [self.shown(body, condition) for condition, body in node.cases]
        if node.otherwise is not None:
            ways.append(self.row(node.otherwise.statements))
        else:
            ways.append({None: Related(node.at, "where this does not hold, nobody is waited for")})
        return _one_of(ways)

    def shown(self, body: ast.Body, condition: ast.Expr) -> Exits:
        """The exits of one way, each shown by the condition that leads to it."""
        here = Related(condition.at, "where this holds, nobody is waited for")
        return {way: how or here for way, how in self.row(body.statements).items()}

    # ------------------------------------------------------------------ what surely waits

    def choose(self, node: ast.Choose) -> Exits:
        """``must`` waits, if anybody is asked, and so do sealed answers. A move may lead out by ``end RULE``."""
        if self.counts is not None:
            return _one_of([{None: None}, *(self.piece(piece) for piece in self.running.opened_by(node))])
        if node.until is not None:
            return {None: Related(node.until.at, "where this holds already, nobody is waited for")}
        sealed = node.manner in ("secretly", "in_order") and "forced_choices" not in self.automatic
        if not node.must and not sealed:
            return {None: Related(node.at, "who may pass need not be asked")}
        if node.manner is not None and not self.has_members(node.who):
            return {None: Related(node.at, "there may be nobody to ask")}
        moves = [symbol.node for symbol in self.names.moves[node]]
        resolving = "forced_choices" in self.automatic and node.manner != "once_each"
        if resolving and len(moves) == 1 and not moves[0].parameters:
            how = Related(node.at, "a choice of one move resolves itself")
            return {way: shown or how for way, shown in self.piece(moves[0]).items()}
        return {}

    def rolls(self, node: ast.Command) -> bool:
        """A marker always has something to roll for, unless it is rolled from a list; a cup may be empty."""
        ref = place(node.object, self.names)
        if node.verb != "roll" or not isinstance(ref, SlotRef) or not isinstance(ref.node, ast.Marker):
            return False
        if node.source is not None:
            return self.different(node.source) if "forced_chance" in self.automatic else self.has_members(node.source)
        return "forced_chance" not in self.automatic or self.several(ref.node)

    def different(self, node: ast.Expr) -> bool:
        """Whether a list surely has more than one member, not all of them equal: plain numbers, a range, a kind."""
        match node:
            case ast.Bracket():
                return self.different(node.value)
            case ast.ListOf():
                return len({item.value for item in node.items if isinstance(item, ast.Number)}) > 1
            case ast.Between(low=ast.Number(value=low), high=ast.Number(value=high)):
                return low < high
            case ast.Name():
                symbol = self.names.uses.get(node)
                return isinstance(symbol, KindName) and isinstance(symbol.kind, Names) and len(symbol.kind.labels) > 1
            case _:
                return False

    def several(self, marker: ast.Marker) -> bool:
        """Whether its kind surely has more than one value: else chance resolves itself."""
        match bare(self.checked.declared.kinds[marker]):
            case Number(low=ast.Number(value=low), high=ast.Number(value=high)):
                return low < high
            case Names(labels=labels):
                return len(labels) > 1
            case _:
                return False

    def has_members(self, node: ast.Expr) -> bool:
        """Whether a list surely has something in it."""
        match node:
            case ast.Bracket():
                return self.has_members(node.value)
            case ast.ListOf():
                return bool(node.items)
            case ast.Between(low=ast.Number(value=low), high=ast.Number(value=high)):
                return low <= high
            case ast.Sum():
                return self.has_members(node.first) and all(term.operator == "+" for term in node.rest)
            case ast.Name():
                symbol = self.names.uses.get(node)
                if isinstance(symbol, KindName):
                    return isinstance(symbol.kind, Names | Seat)
                return isinstance(symbol, BuiltIn) and node.name == "players"
            case ast.Apply():
                symbol = self.names.uses.get(node.function)
                return isinstance(symbol, BuiltIn) and symbol.name == "clockwise"
            case _:
                return False


def _one_of(ways: Sequence[Exits]) -> Exits:
    """Either way."""
    found: dict[Exit, Related | None] = {}
    for way in ways:
        for end, how in way.items():
            found[end] = found.get(end) or how
    return found


def _in_order(rows: Sequence[Exits]) -> Exits:
    """One after the other."""
    exits: dict[Exit, Related | None] = {}
    shown: Related | None = None
    for row in rows:
        exits.update(_without_end(row))
        if None not in row:
            return exits
        shown = shown or row[None]
    return {**exits, None: shown}


def _without_end(exits: Exits) -> Exits:
    return {way: how for way, how in exits.items() if way is not None}
