"""What is wrong with a play file: names, kinds and lines that can mean nothing, all at once. Spec 15.4.

Each scenario is gone through once, in the order of its text, on the bench of its ruleset. What was found out (kinds,
names) stays there for running it.
"""

from collections.abc import Iterable
from typing import cast

import attrs

from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.checker.kinds import (
    ANY_NUMBER,
    TIMER,
    Collection,
    Flag,
    Kind,
    Names,
    Number,
    Seat,
    Unknown,
    agree,
    option_word,
    spoken,
)
from rulelang.checker.places import SlotRef, place, timer_of, whole_family
from rulelang.checker.symbols import LocalName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Diagnostic, Findings, Related, did_you_mean
from rulelang.failures import Diagnosed
from rulelang.ir import expressions as ir
from rulelang.ir.program import Program, Zone
from rulelang.ir.walk import children
from rulelang.pipeline import Compiled
from rulelang.play.reaching import Wanted as Target
from rulelang.play.reaching import call_rows
from rulelang.scenarios.bench import Bench, PlayerName, RememberedName
from rulelang.scenarios.check_deeds import DeedCheck
from rulelang.scenarios.files import Library, PlayFile
from rulelang.scenarios.known_reasons import known_reasons
from rulelang.scenarios.workshop import TABLE


@attrs.frozen
class CheckedScenario:
    """A scenario without mistakes."""

    scenario: ast.Scenario
    compiled: Compiled
    bench: Bench
    players: tuple[PlayerName, ...]
    aliases: dict[str, tuple[str, ...]]


def check_file(file: PlayFile, library: Library) -> tuple[CheckedScenario, ...]:
    """Every scenario of a file, ready to run. Raises Diagnosed with every mistake."""
    findings = Findings()
    aliases = dict(file.aliases)
    for alias in file.plays.aliases:
        if alias.name in aliases:
            findings.report(codes.SAID_TWICE, alias.at, word=alias.name)
        aliases[alias.name] = tuple(reason.name for reason in alias.reasons)
    benches: dict[str, tuple[Compiled, Bench] | None] = {}
    titles: dict[str, ast.Scenario] = {}
    found: list[CheckedScenario] = []
    for scenario in file.plays.scenarios:
        first = titles.setdefault(scenario.title, scenario)
        if first is not scenario:
            related = (Related(first.game.at, "the first one"),)
            findings.report(codes.SCENARIO_TWICE, scenario.game.at, word=scenario.title, related=related)
        if scenario.game.name not in benches:
            benches[scenario.game.name] = _bench(file, library, scenario.game, findings)
        bench = benches[scenario.game.name]
        if bench is not None:
            check = ScenarioCheck(scenario, bench[0], bench[1], aliases)
            check.run()
            found.append(CheckedScenario(scenario, bench[0], bench[1], check.players, aliases))
    findings.raise_if_any([file.source])
    return tuple(found)


def _bench(file: PlayFile, library: Library, name: ast.Word, findings: Findings) -> tuple[Compiled, Bench] | None:
    try:
        compiled = library.ruleset(file, name)
    except Diagnosed as wrong:
        for source in wrong.sources:
            findings.quote(source)
        for each in wrong.diagnostics:
            findings.add(each if each.place else Diagnostic(each.code, each.message, name.at, hint=each.hint))
        return None
    assert compiled.checked is not None
    return compiled, Bench(compiled.checked, findings)


class ScenarioCheck(DeedCheck):
    """One walk over one scenario."""

    def __init__(
        self, scenario: ast.Scenario, compiled: Compiled, bench: Bench, aliases: dict[str, tuple[str, ...]]
    ) -> None:
        self.scenario = scenario
        self.program: Program = compiled.program
        self.bench = bench
        self.findings = bench.findings
        self.reasons = {**known_reasons(self.program), **dict.fromkeys(aliases)}
        self.timed = self.program.clock is not None
        self.players: tuple[PlayerName, ...] = ()
        self.checks = 0

    def run(self) -> None:
        """Check everything."""
        with self.bench.names.scope():
            self.bind_players()
            for block in self.scenario.blocks:
                match block:
                    case ast.Given():
                        self.given(block)
                    case ast.When():
                        for event in block.events:
                            self.event(event)
                    case ast.Then():
                        for check in block.checks:
                            self.checks += 1
                            self.then(check)
        if not self.checks:
            hint = "say below 'then:' what must be true, or behind a move why it is refused"
            self.findings.report(codes.NOTHING_CHECKED, self.scenario.game.at, hint=hint)

    # ------------------------------------------------------------------ players

    def bind_players(self) -> None:
        """What the seats are called; seat 1 is P1 if nothing is said."""
        lines = [
            f for b in self.scenario.blocks if isinstance(b, ast.Given) for f in b.facts if isinstance(f, ast.Players)
        ]
        for second in lines[1:]:
            self.findings.report(codes.SAID_TWICE, second.at, word="players", related=(Related(lines[0].at, "here"),))
        if lines:
            words = lines[0].names
        else:
            at = self.scenario.game.at
            words = tuple(ast.Word(at, f"P{seat + 1}") for seat in range(self.program.fewest_seats))
        fewest, most = self.program.fewest_seats, self.program.most_seats
        if not fewest <= len(words) <= most and not self.refuses_set_up():
            allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
            self.findings.report(codes.SEATS_NOT_ALLOWED, lines[0].at, allowed=allowed, seats=len(words))
        bound = self.bench.names.bound
        found: list[PlayerName] = []
        for seat, word in enumerate(words):
            self.bench.names.bind(word.name, word)
            if word.name in self.bench.checked.declared.labels:
                self.findings.report(codes.DECLARED_TWICE, word.at, word=word.name, hint="choose another name")
            symbol = PlayerName(word.name, word, seat=seat)
            bound[word.name] = symbol
            self.bench.kinds.locals[symbol] = Seat()
            found.append(symbol)
        self.players = tuple(found)

    def refuses_set_up(self) -> bool:
        """Whether the scenario says that the game cannot be set up like this."""
        blocks = self.scenario.blocks
        return any(isinstance(f, ast.NotBegun) for b in blocks if isinstance(b, ast.Given) for f in b.facts)

    # ------------------------------------------------------------------ given

    def given(self, block: ast.Given) -> None:
        said: set[str] = set()
        for fact in block.facts:
            match fact:
                case ast.Players():
                    pass
                case ast.Chosen():
                    self.once(fact, f"option {fact.name}", said)
                    self.option(fact)
                case ast.Lies():
                    self.lies(fact)
                case ast.Stands():
                    self.stands(fact)
                case ast.EachFact():
                    self.each_fact(fact)
                case ast.Reach():
                    self.once(fact, "reach", said)
                    self.reach(fact)
                case ast.NotBegun():
                    self.checks += 1
                    self.once(fact, "refused", said)
                    self.known(fact.reasons)

    def once(self, fact: ast.Fact, word: str, said: set[str]) -> None:
        if word in said:
            self.findings.report(codes.SAID_TWICE, fact.at, word=word)
        said.add(word)

    def option(self, fact: ast.Chosen) -> None:
        options = self.bench.named(rules_ast.Option)
        node = options.get(fact.name)
        if self.refuses_set_up():
            return
        if node is None:
            hint = did_you_mean(fact.name, options)
            self.findings.report(codes.UNKNOWN_OPTION, fact.at, word=fact.name, hint=hint)
            return
        kind = self.bench.checked.declared.kinds[node]
        if isinstance(kind, Names):
            word = option_word(fact.value) or "this"
            if word not in kind.labels:
                hint = did_you_mean(word, kind.labels) or f"it is {' or '.join(kind.labels)}"
                self.findings.report(codes.BAD_OPTION_VALUE, fact.value.at, word=fact.name, value=word, hint=hint)
        elif isinstance(kind, Number):
            worded = isinstance(fact.value, rules_ast.Name) and fact.value.name == kind.word
            if not worded and not isinstance(fact.value, rules_ast.Number | rules_ast.Negative):
                self.findings.report(codes.TYPE_MISMATCH, fact.value.at, found="no number", wanted=spoken(kind))
        else:
            self.formula(fact.value, Flag())

    def slot(self, node: rules_ast.Expr) -> rules_ast.Zone | rules_ast.Marker | None:
        """The zone or marker that a line speaks of."""
        self.bench.names.expr(node)
        ref = place(node, self.bench.names.table)
        kind = self.bench.kinds.infer(node)
        if isinstance(ref, SlotRef) and not whole_family(ref):
            return ref.node
        if isinstance(ref, SlotRef):
            if not isinstance(kind, Unknown):
                found = f"the whole family '{ref.node.name}'"
                hint = f"name one: {ref.node.name}[...], or write 'each ...:'"
                self.findings.report(codes.NOT_A_FACT, node.at, found=found, hint=hint)
        elif not isinstance(kind, Unknown) and timer_of(node, self.bench.names.table) is None:
            self.findings.report(codes.NOT_A_FACT, node.at, found=spoken(kind))
        return None

    def lies(self, fact: ast.Lies) -> None:
        slot = self.slot(fact.place)
        if timer_of(fact.place, self.bench.names.table) is not None:
            hint = "write 'is' for how a timer stands"
            self.findings.report(codes.NOT_A_FACT, fact.at, found="a timer, which holds nothing", hint=hint)
            return
        if isinstance(slot, rules_ast.Marker):
            hint = "write 'is' for what a marker says"
            self.findings.report(codes.NOT_A_FACT, fact.at, found="a marker, which holds nothing", hint=hint)
            return
        wanted: Kind = self.bench.checked.declared.kinds[slot] if slot is not None else Unknown()
        open_ones = [portion for portion in fact.portions if portion.value is None and portion.count is None]
        if len(open_ones) > 1:
            self.findings.report(codes.TOO_MANY_ANYTHINGS, open_ones[1].at)
        for portion in fact.portions:
            if portion.value is not None:
                self.portion(portion.value, wanted)

    def portion(self, node: rules_ast.Expr, wanted: Kind) -> None:
        """One piece, or a list of them."""
        self.bench.names.expr(node)
        kind = self.bench.kinds.infer(node, wanted)
        member = kind.of if isinstance(kind, Collection) else kind
        if not agree(member, wanted):
            self.findings.report(codes.TYPE_MISMATCH, node.at, found=spoken(kind), wanted=spoken(wanted))

    def stands(self, fact: ast.Stands) -> None:
        if isinstance(fact.place, rules_ast.Field):
            self.left(fact, fact.place)
            return
        slot = self.slot(fact.place)
        if timer_of(fact.place, self.bench.names.table) is not None:
            self.formula(fact.value, TIMER)
            return
        if isinstance(slot, rules_ast.Marker):
            self.formula(fact.value, self.bench.checked.declared.kinds[slot])
            return
        self.bench.names.expr(fact.value)
        kind = self.bench.kinds.infer(fact.value)
        if slot is not None and not (isinstance(fact.value, rules_ast.Constant) and fact.value.word == "empty"):
            hint = f"write '{slot.name} holds ...'"
            self.findings.report(codes.TYPE_MISMATCH, fact.value.at, found=spoken(kind), wanted="'empty'", hint=hint)

    def left(self, fact: ast.Stands, field: rules_ast.Field) -> None:
        """``left of glass is 20000``; of other things nothing can be given but themselves."""
        self.bench.names.expr(field)
        kind = self.bench.kinds.infer(field)
        if field.name == "left" and not isinstance(kind, Unknown):
            self.formula(fact.value, ANY_NUMBER)
        elif not isinstance(kind, Unknown):
            self.findings.report(codes.NOT_A_FACT, field.at, found=f"'{field.name} of' something")

    def each_fact(self, fact: ast.EachFact) -> None:
        names = self.bench.names
        names.expr(fact.domain)
        member = self.bench.kinds.elements(fact.domain)
        with names.scope():
            names.bind(fact.name, fact)
            self.bench.kinds.locals[names.bound[fact.name]] = member
            if fact.where is not None:
                self.formula(fact.where, Flag())
            for inner in fact.facts:
                if isinstance(inner, ast.Lies):
                    self.lies(inner)
                else:
                    self.stands(inner)

    def reach(self, fact: ast.Reach) -> None:
        rules, moves = self.bench.named(rules_ast.Rule), self.bench.named(rules_ast.Move)
        target = rules.get(fact.rule.name) or moves.get(fact.rule.name)
        if target is None:
            hint = did_you_mean(fact.rule.name, [*rules, *moves])
            self.findings.report(codes.UNKNOWN_RULE, fact.rule.at, word=fact.rule.name, hint=hint)
            return
        self.reachable(fact, target)
        if fact.where is None:
            return
        names = self.bench.names
        with names.scope():
            for name, kind in self.bench.remembered(target):
                if names.local(name) is None:
                    symbol = RememberedName(name, fact)
                    names.bound[name] = symbol
                    self.bench.kinds.locals[symbol] = kind
            self.formula(fact.where, Flag())

    def reachable(self, fact: ast.Reach, target: rules_ast.Node) -> None:
        """Rules must lead there by themselves: nothing can say what a move would have done on the way."""
        numbers = self.bench.numbers
        if isinstance(target, rules_ast.Rule):
            wanted = Target(procedure=numbers.procedures[target])
        else:
            wanted = Target(move=numbers.moves[cast(rules_ast.Move, target)])
        if next(call_rows(self.program, wanted), None) is None:
            self.findings.report(
                codes.NOT_REACHABLE,
                fact.rule.at,
                word=fact.rule.name,
                reason="only moves lead there, or nothing does",
                hint="name a rule further up, or a move that is offered before",
            )

    # ------------------------------------------------------------------ then

    def then(self, check: ast.Check) -> None:
        match check:
            case ast.Claim():
                self.formula(check.formula, Flag())
                self.not_blind(check.formula)
            case ast.Lies():
                self.lies(check)
            case ast.Sees():
                self.player(check.who)
                self.bench.names.expr(check.formula)
                self.bench.kinds.infer(check.formula)
            case ast.NeverSees():
                self.player(check.who)
                for thing in check.things:
                    self.bench.names.expr(thing)
                    self.bench.kinds.infer(thing)
            case ast.Saw():
                self.player(check.who)
                self.player(check.mover, acts=True)
                self.deed(check.deed, hidden=True)
            case ast.ToMove():
                for seat in check.seats:
                    self.player(seat, acts=True)
            case ast.Over():
                self.ending(check.ending)
            case ast.GoesOn():
                pass

    def ending(self, ending: ast.EndingAs | None) -> None:
        match ending:
            case ast.Won():
                for word in ending.winners:
                    self.player(word)
            case ast.Gained():
                for gain in ending.gains:
                    self.player(gain.who)
                    self.formula(gain.amount, ANY_NUMBER)
            case ast.Graded():
                self.formula(ending.grade, ANY_NUMBER)
            case ast.Undecided() | None:
                pass

    def not_blind(self, node: rules_ast.Expr) -> None:
        """A formula cannot read what lies unseen, as nobody can; ``holds`` can be asked."""
        if self.findings:
            return
        from rulelang.compiler.context import Frame

        for zone in _read_blind(self.program, self.bench.lowering.lower(node, Frame())):
            hint = f"write '{zone.name} holds ...'"
            self.findings.report(codes.BLIND_PILE_READ, node.at, word=zone.name, hint=hint)

    # ------------------------------------------------------------------ shared

    def formula(self, node: rules_ast.Expr, wanted: Kind) -> None:
        """Names and kind of a formula."""
        self.bench.names.expr(node)
        if isinstance(wanted, Flag):
            self.bench.kinds.flag(node)
        else:
            self.bench.kinds.expected(node, wanted)

    def player(self, word: ast.Word, *, acts: bool = False) -> None:
        symbol: LocalName | None = self.bench.names.local(word.name)
        if isinstance(symbol, PlayerName) or (word.name == TABLE and acts):
            return
        names = [player.name for player in self.players]
        hint = did_you_mean(word.name, names) or f"the players are {', '.join(names)}"
        self.findings.report(codes.UNKNOWN_PLAYER, word.at, word=word.name, hint=hint)

    def known(self, reasons: Iterable[ast.Word]) -> None:
        for reason in reasons:
            if reason.name not in self.reasons:
                hint = did_you_mean(reason.name, self.reasons)
                self.findings.report(codes.UNKNOWN_REASON, reason.at, word=reason.name, hint=hint)


def _read_blind(program: Program, formula: object) -> list[Zone]:
    """The blind piles that a formula reads otherwise than for their size."""
    if isinstance(formula, ir.Size) and isinstance(formula.collection, ir.Read):
        formula = formula.collection.place
    if isinstance(formula, ir.Read):
        slot = program.slots[formula.place.slot]
        if isinstance(slot, Zone) and slot.blind:
            return [slot]
    return [zone for part in children(formula) for zone in _read_blind(program, part)]
