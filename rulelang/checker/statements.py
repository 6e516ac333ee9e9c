"""Whether every statement fits the kinds. Spec 9, 10 and 13.

The part of the types pass between formulas and declarations.
"""

from typing import assert_never

from rulelang.ast import nodes as ast
from rulelang.checker.declared import shape_of
from rulelang.checker.formulas import Formulas
from rulelang.checker.kinds import (
    ANY_NUMBER,
    Collection,
    Kind,
    Member,
    Optional,
    Seat,
    Unknown,
    agree,
    bare,
    opening,
    several,
    spoken,
)
from rulelang.checker.meant import sort_hint
from rulelang.checker.never_none import never_none, none_word
from rulelang.checker.places import SlotRef, timer_of, whole_family
from rulelang.checker.symbols import MarkerName, MoveName, RuleName, Symbol, ZoneName, sort_of
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import did_you_mean

TIMER_VERBS = ("start", "pause", "resume", "reset")
VERBS = ("shuffle", "roll", "gather", *TIMER_VERBS)
MUST = ("once_each",)
"""Manners in which nobody may pass."""
MAY = ("in_turn", "in_order", "freely")
"""Manners in which nobody has to do anything."""
MANNERS = ("secretly", *MAY, *MUST)
LATER_VERBS = {
    "reveal": "7.5",
    "turn": "10.3",
}
ONLY_PUT = "something can only be put into a zone or a cell"
"""What is wrong with something else than a zone, where pieces are put."""
RESULTS = ("grade", "unresolved", "aborted")


class Statements(Formulas):
    """Statements; see the module's text."""

    def body(self, body: ast.Body) -> None:
        for statement in body.statements:
            self.statement(statement)

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Let():
                self.locals[self.names.bindings[node]] = self.infer(node.value)
            case ast.Becomes() | ast.Rises() | ast.Falls():
                self.change(node)
            case ast.Put():
                self.put(node)
            case ast.Choose():
                self.choose(node)
            case ast.Leave():
                pass
            case ast.Finish():
                self.finish(node)
            case ast.Call():
                symbol = self.names.uses.get(node)
                if isinstance(symbol, RuleName):
                    given = node.rule.arguments if isinstance(node.rule, ast.Apply) else ()
                    self.arguments(symbol.node.name, node, symbol.node.params, given)
            case ast.Command():
                self.command(node)
            case ast.EachLoop() | ast.Turns() | ast.Repeat():
                self.loop(node)
            case ast.Branch():
                for condition, body in node.cases:
                    self.flag(condition)
                    self.body(body)
                if node.otherwise is not None:
                    self.body(node.otherwise)
            case _:
                assert_never(node)

    def change(self, node: ast.Becomes | ast.Rises | ast.Falls) -> None:
        kind = self.marker(node.target)
        if isinstance(node, ast.Becomes):
            self.expected(node.value, kind)
            word = none_word(node.value)
            if word is not None and never_none(node.target, kind, self.names):
                slot = self.ref(node.target)
                what = f"'{slot.node.name}'" if isinstance(slot, SlotRef) else "this"
                self.findings.report(codes.NEVER_NONE, node.value.at, what=what, word=word)
            return
        self.number(node.by)
        if not agree(kind, ANY_NUMBER):
            self.findings.report(codes.NOT_A_NUMBER, node.target.at, found=spoken(kind))

    def marker(self, target: ast.Expr) -> Kind:
        """The kind of a marker that is changed."""
        if self.misnamed(target, "a marker", MarkerName):
            return Unknown()
        kind = self.infer(target)
        ref = self.ref(target)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Marker):
            return kind
        if not isinstance(kind, Unknown):
            word = ref.node.name if isinstance(ref, SlotRef) else getattr(target, "name", "this")
            hint = "pieces in a zone are moved with 'put'" if isinstance(ref, SlotRef) else "only markers change"
            if timer_of(target, self.names) is not None:
                hint = f"a timer is changed with {' or '.join(TIMER_VERBS)}: start {word}"
            self.findings.report(codes.NOT_CHANGEABLE, target.at, word=word, hint=hint)
        return Unknown()

    def zone(self, node: ast.Expr, only: str = ONLY_PUT) -> tuple[ast.Zone | None, Kind]:
        """The zone that a formula names, and the kind of its pieces; what can be ``only`` done with one?"""
        if self.misnamed(node, "a zone", ZoneName):
            return None, Unknown()
        kind = self.infer(node)
        ref = self.ref(node)
        is_zone = isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone)
        if ref is not None and not is_zone and isinstance(bare(kind), Member):
            zone = bare(kind).zone  # type: ignore[union-attr]
            return zone, self.declared.kinds[zone]
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone):
            if whole_family(ref):
                self.findings.report(
                    codes.WRONG_INDEX,
                    node.at,
                    word=ref.node.name,
                    wanted=self.index_words(ref.node),
                    found="nothing",
                    hint="say which one",
                )
                return None, Unknown()
            return ref.node, self.declared.kinds[ref.node]
        if not isinstance(kind, Unknown):
            self.findings.report(codes.NOT_A_PLACE, node.at, found=spoken(kind), only=only)
        return None, Unknown()

    def misnamed(self, node: ast.Expr, wanted: str, *sorts: type[Symbol]) -> bool:
        """Whether a move or a rule is named where a zone or marker is needed; that is reported."""
        symbol = self.names.uses.get(node)
        if not isinstance(node, ast.Name) or not isinstance(symbol, MoveName | RuleName):
            return False
        self.findings.report(
            codes.WRONG_SORT_OF_NAME,
            node.at,
            word=node.name,
            found=sort_of(symbol),
            wanted=wanted,
            hint=sort_hint(self.declared, node.name, *sorts),
        )
        return True

    def put(self, node: ast.Put) -> None:
        source, held = self.zone(node.source)
        target, wanted = self.zone(node.target)
        if target is not None and source is not None and not agree(held, wanted):
            self.findings.report(
                codes.PUT_BETWEEN_KINDS, node.at, found=opening(held), word=target.name, wanted=spoken(wanted)
            )
        what = node.what
        if self.is_put_word(what, "top"):
            if source is not None and shape_of(source) != "pile":
                self.findings.report(
                    codes.TYPE_MISMATCH,
                    what.at,
                    found=f"a {shape_of(source)}",
                    wanted="a pile",
                    hint="from a bag: 'put random from ...' or name the piece",
                )
            if isinstance(what, ast.Apply):
                self.put_number("top", what)
        elif isinstance(what, ast.Apply) and self.is_put_word(what, "position"):
            if source is not None and shape_of(source) != "pile":
                self.findings.report(
                    codes.TYPE_MISMATCH, what.at, found=f"a {shape_of(source)}", wanted="a pile", hint="name the piece"
                )
            self.put_number("position", what)
        elif self.is_put_word(what, "random"):
            if source is not None and shape_of(source) == "pile":
                self.findings.report(
                    codes.TYPE_MISMATCH,
                    what.at,
                    found="a pile",
                    wanted="a bag",
                    hint="shuffle the pile and put its top card",
                )
        elif not self.is_put_word(what, "everything"):
            kind = self.infer(what, held)
            if not agree(kind.of if isinstance(kind, Collection) else kind, held):
                assert source is not None
                self.findings.report(
                    codes.PUT_BETWEEN_KINDS, what.at, found=opening(kind), word=source.name, wanted=spoken(held)
                )
        if node.where in ("onto", "under") and target is not None and shape_of(target) != "pile":
            self.findings.report(
                codes.TYPE_MISMATCH, node.target.at, found=f"a {shape_of(target)}", wanted="a pile", hint="write 'into'"
            )

    def put_number(self, word: str, what: ast.Apply) -> None:
        """The one number of ``top(3)`` and ``position(2)``."""
        if len(what.arguments) != 1:
            self.count(word, what, 1, len(what.arguments))
        for argument in what.arguments:
            if isinstance(argument, ast.Each | ast.ValueOfEach):
                self.search_misplaced(argument)
            else:
                self.number(argument)

    def is_put_word(self, what: ast.Expr, word: str) -> bool:
        if isinstance(what, ast.Apply):
            what = what.function
        return isinstance(what, ast.Name) and what.name == word and what not in self.names.uses

    def choose(self, node: ast.Choose) -> None:
        kind = self.infer(node.who)
        if node.manner is not None and node.manner not in MANNERS:
            self.findings.report(
                codes.UNKNOWN_SOFT_WORD, node.at, word=node.manner, hint=did_you_mean(node.manner, MANNERS)
            )
        elif node.result is not None and node.manner != "in_order":
            self.findings.report(codes.NOT_BUILT_YET, node.at, word="'as' at a choice", section="9.9")
        self.until(node)
        many = node.manner is not None
        seats = kind.of if isinstance(kind, Collection) else kind
        if not agree(seats, Seat()) or (isinstance(kind, Collection) != many and not isinstance(kind, Unknown)):
            hint = None
            if isinstance(kind, Collection) and not many:
                hint = "several seats choose 'secretly' or 'in_turn'; or write 'each p in ...: p must ...'"
            self.findings.report(
                codes.TYPE_MISMATCH,
                node.who.at,
                found=spoken(kind),
                wanted="players" if many else "one player",
                hint=hint,
            )
        if node.result is not None:
            self.locals[self.names.bindings[node]] = Optional(Seat())
        self.modal(node)
        self.text(node.because)

    def modal(self, node: ast.Choose) -> None:
        """Whether ``must`` or ``may`` goes with the manner."""
        hint = None
        if node.manner in MAY and node.must:
            nobody = "nobody has to act" if node.manner == "freely" else "whoever is asked so may pass"
            hint = f"{nobody}: write 'may {node.manner}'"
        elif node.manner in MUST and not node.must:
            hint = f"everybody answers: write 'must {node.manner}'"
        if hint is not None:
            self.findings.report(codes.UNKNOWN_SOFT_WORD, node.at, word=node.manner, hint=hint)

    def until(self, node: ast.Choose) -> None:
        """Open play says when it is over, and nothing else does. Spec 11.2."""
        if node.until is not None:
            self.flag(node.until)
            if (node.manner in MANNERS and node.manner != "freely") or node.manner is None:
                self.findings.report(
                    codes.UNEXPECTED_WORD,
                    node.until.at,
                    word="until",
                    expected="only open play goes on until something holds",
                    hint="write 'players may freely draw or stop until ...', or put the choice into a 'repeat until'",
                )
        elif node.manner == "freely":
            self.findings.report(
                codes.UNKNOWN_SOFT_WORD,
                node.at,
                word=node.manner,
                hint="say when it is over: 'players may freely draw or stop until glass is empty'",
            )

    def finish(self, node: ast.Finish) -> None:
        match node.outcome:
            case ast.Wins():
                self.winners(node.outcome.seats)
            case ast.Gets():
                kind = self.elements(node.outcome.domain)
                self.locals[self.names.bindings[node.outcome]] = kind
                if not agree(kind, Seat()):
                    self.findings.report(
                        codes.TYPE_MISMATCH, node.outcome.domain.at, found=spoken(kind), wanted="players"
                    )
                self.number(node.outcome.amount)
            case ast.Result():
                self.result(node.outcome)
            case None:
                self.findings.report(
                    codes.UNFINISHED_LINE,
                    node.at,
                    expected="it does not say how the game ends",
                    hint="write 'end game, X wins', 'end game, nobody wins' or 'end game, aborted'",
                )
            case _:
                assert_never(node.outcome)

    def winners(self, seats: ast.Expr) -> None:
        if isinstance(seats, ast.Constant) and seats.word == "nobody":
            return
        kind = self.infer(seats)
        if not agree(kind.of if isinstance(kind, Collection) else kind, Seat()):
            self.findings.report(codes.TYPE_MISMATCH, seats.at, found=spoken(kind), wanted="a player or players")

    def result(self, node: ast.Result) -> None:
        if node.name not in RESULTS:
            self.findings.report(
                codes.UNKNOWN_SOFT_WORD,
                node.at,
                word=node.name,
                hint=did_you_mean(node.name, (*RESULTS, "wins", "gets")),
            )
        elif (node.value is None) != (node.name == "aborted"):
            wanted = "no value" if node.name == "aborted" else "one value"
            found = "one" if node.value is not None else "none"
            self.findings.report(codes.WRONG_ARGUMENT_COUNT, node.at, word=node.name, wanted=wanted, found=found)
        elif node.name == "grade" and node.value is not None:
            self.number(node.value)
        elif node.value is not None:
            self.winners(node.value)

    def command(self, node: ast.Command) -> None:
        if node.verb in LATER_VERBS:
            self.findings.report(codes.NOT_BUILT_YET, node.at, word=f"'{node.verb}'", section=LATER_VERBS[node.verb])
        elif node.verb == "shuffle":
            zone, _ = self.zone(node.object, "only a pile can be shuffled")
            if zone is not None and shape_of(zone) != "pile":
                self.findings.report(
                    codes.TYPE_MISMATCH,
                    node.object.at,
                    found=f"a {shape_of(zone)}",
                    wanted="a pile",
                    hint="a bag has no order to shuffle",
                )
        elif node.verb == "roll":
            self.roll(node)
        elif node.verb == "gather":
            self.gather(node)
        elif node.verb in TIMER_VERBS:
            self.timed(node)
        else:
            known = (*VERBS, *LATER_VERBS)
            self.findings.report(codes.UNKNOWN_SOFT_WORD, node.at, word=node.verb, hint=did_you_mean(node.verb, known))
        if node.to is not None and node.verb in ("shuffle", "roll", *TIMER_VERBS):
            self.findings.report(codes.UNEXPECTED_WORD, node.to.at, word="to", expected=f"'{node.verb}' has no 'to'")
        if node.source is not None and node.verb in ("shuffle", "gather", *TIMER_VERBS):
            expected = f"'{node.verb}' has no 'from'"
            self.findings.report(codes.UNEXPECTED_WORD, node.source.at, word="from", expected=expected)

    def timed(self, node: ast.Command) -> None:
        """``start glass``: what stands there must be a timer."""
        kind = self.infer(node.object)
        if timer_of(node.object, self.names) is None and not isinstance(kind, Unknown):
            symbol = self.names.uses.get(node.object)
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.object.at,
                word=getattr(node.object, "name", "this"),
                found=sort_of(symbol) if symbol is not None else "a value",
                wanted="a timer",
            )

    def roll(self, node: ast.Command) -> None:
        kind = self.infer(node.object)
        ref = self.ref(node.object)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Marker):
            if isinstance(bare(kind), Collection):
                self.findings.report(
                    codes.TYPE_MISMATCH, node.object.at, found=spoken(kind), wanted="a single value to roll"
                )
            elif node.source is not None:
                self.rolled_from(node.source, kind)
            return
        if node.source is not None:
            self.elements(node.source)
        if isinstance(kind, Unknown):
            return
        zone, _ = self.zone(node.object, "only a marker or a zone of dice can be rolled")
        if zone is not None and node.source is not None:
            self.findings.report(
                codes.UNEXPECTED_WORD,
                node.source.at,
                word="from",
                expected="dice in a zone land on what the zone is 'showing'",
                hint="roll a marker from what it may become: roll MARKER from ...; or 'put random from ZONE into ZONE'",
            )
            return
        if zone is not None and zone.showing is None:
            self.findings.report(
                codes.TYPE_MISMATCH,
                node.object.at,
                found="a zone whose pieces show nothing",
                wanted="a marker or dice",
                hint="declare the zone with 'showing FACES'",
            )

    def rolled_from(self, source: ast.Expr, kind: Kind) -> None:
        """The members must be such as the marker can show."""
        member = self.elements(source, kind)
        if agree(member, kind):
            return
        found, wanted = (f"a collection of {several(bare(each))}" for each in (member, kind))
        self.findings.report(codes.TYPE_MISMATCH, source.at, found=found, wanted=wanted)

    def gather(self, node: ast.Command) -> None:
        kind = self.type_as_values(node.object)
        if node.to is None:
            self.findings.report(codes.UNFINISHED_LINE, node.at, expected="write 'gather KIND to ZONE'")
            return
        zone, held = self.zone(node.to)
        if zone is not None and not agree(kind, held):
            self.findings.report(
                codes.PUT_BETWEEN_KINDS, node.at, found=opening(kind), word=zone.name, wanted=spoken(held)
            )

    def loop(self, node: ast.EachLoop | ast.Turns | ast.Repeat) -> None:
        if isinstance(node, ast.Repeat):
            if node.times is not None:
                self.number(node.times)
            self.body(node.body)
            if node.until is not None:
                self.flag(node.until)
            return
        kind: Kind = Seat() if node.domain is None else self.elements(node.domain)
        if node.start is not None:
            self.expected(node.start, kind)
        self.locals[self.names.bindings[node]] = kind
        if isinstance(node, ast.EachLoop) and node.where is not None:
            self.flag(node.where)
        self.body(node.body)

    def type_as_values(self, node: ast.Expr) -> Kind:
        """The kind in ``starts with each KIND``."""
        match node:
            case ast.Between():
                self.number(node.low)
                self.number(node.high)
                return ANY_NUMBER
            case ast.Name():
                return self.kind_named(node)
        self.findings.report(codes.TYPE_MISMATCH, node.at, found="a formula", wanted="a kind of component")
        return Unknown()
