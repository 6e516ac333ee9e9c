"""What the game waits for must follow from what everybody sees. Spec 7.9.

Everybody notices who is asked, in which order, and whether anybody is. So who chooses (RL5003) and the words of a
choice (RL5002) read only open things, and so does whatever decides between different waits: the condition of an
``if`` or a ``repeat``, the list that a loop goes through - if a choice, a chance or an ``end RULE`` may follow inside
(RL5004). Chance is waited for as well: how much is drawn, and whether there is anything to draw from, must follow from
what everybody sees. Effects may otherwise read what they like: what others then see follows from where things lie, and
writing what came of it on an open marker is the reveal.

Pieces are walked from the overview inwards, so that every place that carries out a rule is known before the rule
itself: its parameters have the labels of all arguments that are given for them anywhere.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from rulelang.ast import nodes as ast
from rulelang.checker.blind import zone_of
from rulelang.checker.builtins import PUT_FUNCTIONS, PUT_WORDS
from rulelang.checker.names import NameTable
from rulelang.checker.places import place, timer_of
from rulelang.checker.running import Piece, Running
from rulelang.checker.visibility.different import Different
from rulelang.checker.visibility.labels import OPEN, Label, joined
from rulelang.checker.visibility.moves import SAY_LESS, SOME, Moves
from rulelang.checker.visibility.waits import Waits
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

REVEAL = "first write what decides on an open marker: that is the reveal; then ask the marker"
ASK_ALL = "ask everybody who may be meant, 'secretly', or first write who it is on an open marker"
TOP_ONLY = "from an unseen pile: 'put top', 'put top(n)' or 'put everything'"


class Flow(Moves):
    """The statements of one file."""

    def __init__(self, checked: "Checked", findings: Findings) -> None:
        super().__init__(checked, findings)
        self.running = Running(checked.rules, checked.names)
        self.waits = Waits(checked, self.running)
        self.different = Different(checked)
        automatic = [
            getattr(value, "name", "")
            for header in checked.rules.game.headers
            if header.name == "automatic"
            for value in header.values
        ]
        self.resolves = "forced_choices" in automatic
        """Whether choices without a choice resolve themselves."""
        self.chance_resolves = "forced_chance" in automatic
        """Whether a draw of the only thing that there is does."""

    def piece(self, piece: Piece) -> None:
        """All lines of the overview, a rule or a move."""
        if isinstance(piece, ast.Move):
            self.move(piece)
            instead = [each.body.statements for each in self.running.exceptions[piece] if each.kind == "instead"]
            self.answers(piece, [piece.effects, *instead])
        for statements in self.running.bodies(piece):
            self.lines(statements)

    def lines(self, statements: Sequence[ast.Statement]) -> None:
        for statement in statements:
            self.statement(statement)

    def public(self, code: codes.Code, label: Label, hint: str) -> None:
        """Report what somebody may not see."""
        self.report(code, label.hidden(), SOME, hint)

    # ------------------------------------------------------------------ statements

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Let():
                self.labels[self.names.bindings[node]] = self.label(node.value)
            case ast.Becomes():
                self.label(node.target)
                self.label(node.value)
            case ast.Rises() | ast.Falls():
                self.label(node.target)
                self.label(node.by)
            case ast.Put():
                self.put(node)
                self.public(codes.WAITING_SHOWS_HIDDEN, self.drawn(node), REVEAL)
            case ast.Choose():
                self.choose(node)
            case ast.Leave():
                pass
            case ast.Finish():
                self.finish(node)
            case ast.Call():
                self.call(node)
            case ast.Command() if timer_of(node.object, self.names) is not None:
                pass  # everybody sees a timer
            case ast.Command():
                self.at_place(node.object if node.verb != "gather" else node.to)
                if node.source is not None:  # as for effects: anything but unseen piles
                    self.contents(node.source)
                self.public(codes.WAITING_SHOWS_HIDDEN, self.drawn(node), REVEAL)
            case ast.EachLoop() | ast.Turns():
                self.loop(node)
            case ast.Repeat():
                self.repeat(node)
            case ast.Branch():
                self.branch(node)
            case _:
                assert_never(node)

    def at_place(self, node: ast.Expr | None) -> None:
        """A zone that is moved from or to: which one it is may be worked out, what lies there is not looked at."""
        assert node is not None
        ref = place(node, self.names)
        assert ref is not None
        self.which(ref)

    def put(self, node: ast.Put) -> None:
        self.at_place(node.source)
        self.at_place(node.target)
        by_place = is_put_word(node.what, self.names)
        if by_place:
            for argument in node.what.arguments if isinstance(node.what, ast.Apply) else ():
                self.label(argument)  # type: ignore[arg-type]
        else:
            self.label(node.what)
        if by_place and not is_put_word(node.what, self.names, ("position",)):
            return
        zone = zone_of(node.source, self.names, self.checked.types)
        if zone in self.checked.blind and zone is not None:
            related = (Related(zone.at, "cards can lie here unseen"),)
            self.findings.report(codes.BLIND_PILE_READ, node.what.at, word=zone.name, related=related, hint=TOP_ONLY)

    def drawn(self, node: ast.Put | ast.Command) -> Label:
        """What decides how often a line waits for chance, now or when cards are drawn that it has laid unseen."""
        match node:
            case ast.Command(verb="roll", source=source) if source is not None:
                return self.anything_in(source)
            case ast.Command(verb="roll" | "shuffle", object=zone) if self.is_zone(zone):
                return self.contents(zone, "size")
            case ast.Put(source=source, target=target, what=what) if self.waits.tells(node):
                amount = what.arguments if isinstance(what, ast.Apply) and is_put_word(what, self.names) else ()
                found = [self.label(each) for each in amount]  # type: ignore[arg-type]
                if self.is_blind(source) or self.waits.waits(node):
                    found.append(self.contents(source, "size"))
                lying = place(target, self.names) if self.is_blind(target) else None
                return joined([*found, self.which(lying)] if lying is not None else found)
            case _:
                return OPEN

    def anything_in(self, node: ast.Expr) -> Label:
        """What decides whether there is anything in a collection or, where chance resolves itself, several things."""
        match node:
            case ast.Bracket(value=value):
                return self.anything_in(value)
            case ast.ListOf():
                return OPEN
            case ast.Select(all=True, where=None, domain=domain, ranks=ranks) if not (ranks and self.chance_resolves):
                return self.anything_in(domain)
            case _ if self.is_zone(node):
                return self.contents(node, "size")
            case _:
                return self.contents(node)

    def is_zone(self, node: ast.Expr) -> bool:
        """Whether a place is a zone, or one that a value names."""
        return zone_of(node, self.names, self.checked.types) is not None

    def is_blind(self, node: ast.Expr) -> bool:
        """Whether cards can lie unseen at a place."""
        return zone_of(node, self.names, self.checked.types) in self.checked.blind

    def choose(self, node: ast.Choose) -> None:
        self.public(codes.SUBJECT_HIDDEN, self.label(node.who), ASK_ALL)
        if node.because is not None:
            self.public(codes.WORDS_READ_HIDDEN, self.label(node.because), SAY_LESS)
        if node.until is not None:
            self.public(codes.WAITING_SHOWS_HIDDEN, self.label(node.until), REVEAL)
        moves = [symbol.node for symbol in self.names.moves[node]]
        if node.result is not None:  # who takes is observed, unless the move is private
            taking = [self.private(move, node.at) for move in moves if move.private]
            self.labels[self.names.bindings[node]] = joined(taking)
        for move in moves if self.may_be_table(node.who) else ():
            self.asked_of_table(move)
        if self.resolves and node.manner not in ("freely", "once_each"):  # what anybody may do at any time never does
            self.forced(node)

    def finish(self, node: ast.Finish) -> None:
        """The end may read anything but unseen piles."""
        match node.outcome:
            case ast.Wins(seats=seats):
                self.label(seats)
            case ast.Gets(domain=domain, amount=amount):
                self.label(domain)
                self.label(amount)
            case ast.Result(value=value) if value is not None:
                self.label(value)
            case _:
                pass

    def call(self, node: ast.Call) -> None:
        given = node.rule.arguments if isinstance(node.rule, ast.Apply) else ()
        for piece in self.running.opened_by(node):
            assert isinstance(piece, ast.Rule)
            for param, argument in zip(piece.params, given, strict=True):
                name = self.names.bindings[param]
                self.labels[name] = joined([self.labels.get(name, OPEN), self.label(argument)])  # type: ignore[arg-type]

    # ------------------------------------------------------------------ loops and branches

    def loop(self, node: ast.EachLoop | ast.Turns) -> None:
        name = self.names.bindings[node]
        self.labels[name] = self.contents(node.domain) if node.domain is not None else OPEN
        deciding = [self.labels[name], self.label(node.start) if node.start is not None else OPEN]
        if isinstance(node, ast.EachLoop) and node.where is not None:
            deciding.append(self.label(node.where))
        if self.waits.in_body([node.body]):
            self.public(codes.WAITING_SHOWS_HIDDEN, joined(deciding), REVEAL)
            self.labels[name] = OPEN
        self.lines(node.body.statements)

    def repeat(self, node: ast.Repeat) -> None:
        times = self.label(node.times) if node.times is not None else OPEN
        self.lines(node.body.statements)
        until = self.label(node.until) if node.until is not None else OPEN
        if self.waits.in_body([node.body]):
            self.public(codes.WAITING_SHOWS_HIDDEN, joined([times, until]), REVEAL)

    def branch(self, node: ast.Branch) -> None:
        """Each condition decides between its body and all that come after it."""
        bodies = [body for _, body in node.cases] + ([node.otherwise] if node.otherwise is not None else [])
        for place_, (condition, body) in enumerate(node.cases):
            label = self.label(condition)
            if self.waits.in_body(bodies[place_:]):
                self.public(codes.WAITING_SHOWS_HIDDEN, label, REVEAL)
            self.lines(body.statements)
        if node.otherwise is not None:
            self.lines(node.otherwise.statements)


def is_put_word(what: ast.Expr, names: NameTable, words: Sequence[str] = (*PUT_WORDS, *PUT_FUNCTIONS)) -> bool:
    """Whether a put takes what lies at some place, not a piece that is named."""
    word = what.function if isinstance(what, ast.Apply) else what
    return isinstance(word, ast.Name) and word.name in words and word not in names.uses
