"""Scenarios run on an engine, one after another. Spec 15.4."""

import hashlib
from collections.abc import Sequence
from typing import Any

import attrs

from rulelang.ast.nodes import plays as ast
from rulelang.ast.nodes.base import Node
from rulelang.ast.nodes.expressions import Expr
from rulelang.checker.symbols import Label
from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Value
from rulelang.ir.program import Program
from rulelang.ir.types import CollectionType, TextType, Type
from rulelang.play.engine import Engine, Game, State
from rulelang.play.refusal import Refusal
from rulelang.play.words import read_value
from rulelang.scenarios.check import CheckedScenario
from rulelang.scenarios.claims import Claims
from rulelang.scenarios.deeds import answer_of
from rulelang.scenarios.opening import begin, options_of
from rulelang.scenarios.refusing import compare_reasons, reason_words
from rulelang.scenarios.results import Complaint, Result
from rulelang.scenarios.table import Table
from rulelang.scenarios.workshop import Impossible, Workshop


class Stopped(Exception):
    """A complaint after which the lines that follow mean nothing."""


def run_scenario(checked: CheckedScenario, engine: Engine) -> Result:
    """Run one scenario."""
    return Run(checked, engine).run()


def seed_of(scenario: ast.Scenario) -> int:
    """The seed of a scenario: made from its title, so that it does not depend on where it stands."""
    return int.from_bytes(hashlib.sha256(scenario.title.encode("utf-8")).digest()[:7], "big")


class Run:
    """One scenario being run."""

    def __init__(self, checked: CheckedScenario, engine: Engine) -> None:
        self.checked = checked
        self.scenario = checked.scenario
        self.engine = engine
        self.seed = seed_of(self.scenario)
        self.first: ast.Given | None = None
        self.complaints: list[Complaint] = []
        self.events: tuple[str, ...] = ()
        self.notes: list[str] = []
        self.shop: Workshop | None = None
        self.table: Table | None = None
        self.time_refused = False
        """Whether the last time that was said was refused."""
        self.begun = True
        """Whether the last ``given`` was not refused, as it said that it would be."""

    def run(self) -> Result:
        """Run it."""
        line = self.scenario.at.line
        try:
            for block in self.cases():
                line = block.at.line
                if not self.begun and not isinstance(block, ast.Given):
                    raise Impossible("no game was begun, so nothing can happen and nothing is there to be asked")
                for part in _parts(block):
                    line = part.at.line
                    self.part(part)
        except Stopped:
            pass
        except (Impossible, Exhausted, Refused) as trouble:
            return self.result("error", f"line {line}: {_words(trouble)}")
        return self.result("failed" if self.complaints else "passed", "")

    def result(self, status: Any, reason: str) -> Result:
        place, program = self.scenario.at, self.checked.compiled.program
        return Result(
            self.scenario.title,
            place.file,
            place.line,
            program.name,
            status,
            clauses_of(self.scenario),
            tuple(self.complaints),
            self.events or tuple(self.table.told if self.table is not None else ()),
            reason,
            tuple(self.notes),
        )

    # -------------------------------------------------------------- blocks

    def cases(self) -> Sequence[ast.Given | ast.When | ast.Then]:
        """The blocks, with an empty ``given`` before them if there is none."""
        blocks = self.scenario.blocks
        return blocks if isinstance(blocks[0], ast.Given) else (ast.Given(self.scenario.game.at, ()), *blocks)

    def part(self, part: Any) -> None:
        match part:
            case ast.Given():
                self.given(part)
            case ast.Act() | ast.ByChance() | ast.AllPass() | ast.Timed():
                self.event(part)
            case _:
                self.then(part)

    def given(self, block: ast.Given) -> None:
        """A further ``given`` begins again: what the first one said holds, except what is said anew."""
        self.begun = True
        base = self.first
        self.first = self.first or block
        facts = block.facts if base is None else merged(base.facts, block.facts)
        refused = next((fact for fact in facts if isinstance(fact, ast.NotBegun)), None)
        program: Program = self.checked.compiled.program
        try:
            game = self.game(program, options_of(facts))
        except Refused as trouble:
            reasons = tuple(reason for reason in trouble.reasons if isinstance(reason, Refusal))
            if refused is None:
                raise
            self.refusal(refused, ast.RefusedBy(refused.at, refused.reasons, False, None), reasons, "set up")
            self.begun = False
            return
        if refused is not None:
            self.complain(refused, "set up", ", ".join(word.name for word in refused.reasons), "the game can be played")
            raise Stopped
        self.shop = Workshop(self.checked.bench, game, self.checked.players)
        state: State = begin(self.shop, facts, self.seed)
        self.table = Table(self.shop, game, self.seed, state)
        broken = game.invariants(state)
        if broken:
            raise Impossible(f"the rules promise '{broken[0]}', which does not hold in this position")

    def game(self, program: Program, options: dict[str, int | str | bool]) -> Game:
        """The program closed like this: once for all scenarios of a file."""
        closed = self.checked.bench.closed
        key = (id(self.engine), len(self.checked.players), tuple(sorted(options.items())))
        if key not in closed:
            closed[key] = (self.engine, self.engine.configure(program, len(self.checked.players), options))
        return closed[key][1]

    # -------------------------------------------------------------- events

    def event(self, event: ast.Act | ast.ByChance | ast.AllPass | ast.Timed) -> None:
        assert self.table is not None
        before, self.time_refused = len(self.table.states), False
        match event:
            case ast.Act():
                self.act(event)
            case ast.ByChance():
                self.outcomes(event, event.outcomes)
            case ast.AllPass():
                self.table.all_pass()
            case ast.Timed():
                self.timed(event)
        for state in self.table.states[before:]:
            for name in self.table.shop.game.invariants(state):
                self.complain(event, "", f"always {name}", "it does not hold")

    def timed(self, event: ast.Timed) -> None:
        """Time goes on, then somebody acts. If the time is refused, so is the act."""
        assert self.table is not None
        reasons = self.table.read(event.time)
        if not reasons:
            if event.act is not None:
                self.act(event.act)
            return
        self.time_refused = True
        said = f"at {event.time / 1000:.3f}"
        if event.act is not None and isinstance(event.act.effect, ast.RefusedBy):
            self.refusal(event, event.act.effect, reasons, said)
            return
        self.complain(event, said, "it is so late", f"refused: {self.reason_words(reasons)}")
        raise Stopped

    def act(self, event: ast.Act) -> None:
        table, shop = self.table, self.shop
        assert table is not None and shop is not None
        seat = shop.seat(event.who.name)
        table.advance_chance()
        answer = answer_of(shop, seat, event.deed, table.state.position().cells)
        if not isinstance(event.effect, ast.RefusedBy) and table.make_way(answer):
            answer = answer_of(shop, seat, event.deed, table.state.position().cells)
        said = f"{event.who.name}: {table.text(answer)}"
        reasons = table.reasons(answer)
        if isinstance(event.effect, ast.RefusedBy):
            self.refusal(event, event.effect, reasons, said)
            return
        if reasons:
            expected = "legal" if isinstance(event.effect, ast.IsLegal) else "it is done"
            self.complain(event, said, expected, f"refused: {self.reason_words(reasons)}")
            if isinstance(event.effect, ast.IsLegal):
                return
            raise Stopped
        if isinstance(event.effect, ast.IsLegal):
            return
        table.submit(answer)
        if isinstance(event.effect, ast.Giving):
            self.outcomes(event, event.effect.outcomes)

    def reason_words(self, reasons: Sequence[Refusal]) -> str:
        assert self.shop is not None
        return self.shop.named(reason_words(reasons))

    def refusal(self, at: Node, effect: ast.RefusedBy, reasons: tuple[Refusal, ...], said: str) -> None:
        """Hold the reasons against what is said about them."""
        if self.shop is not None:
            reasons = tuple(attrs.evolve(reason, words=self.shop.named(reason.words)) for reason in reasons)
        wrong = compare_reasons(effect, reasons, self.checked.aliases)
        if wrong is not None:
            self.complain(at, said, *wrong)

    def outcomes(self, at: ast.Act | ast.ByChance, outcomes: Sequence[Any]) -> None:
        table, shop = self.table, self.shop
        assert table is not None and shop is not None
        for number, node in enumerate(outcomes):
            kind, code = self.outcome(shop, table, node)
            possible = [each for each, _ in table.state.chance()]
            said = f"chance gives {shop.say(kind, code)}"
            if table.state.waiting.kind != "chance":
                asked = f"chance is asked {number} times" if number else "chance is not asked"
                self.complain(at, said, "a wait for chance", asked)
                raise Stopped
            if code not in possible:
                words = ", ".join(shop.say(table.gives() or kind, each) for each in possible[:12])
                self.complain(at, said, "a possible outcome", f"it can give {words}")
                raise Stopped
            table.give(possible[possible.index(code)])
            table.told[-1] = said

    def outcome(self, shop: Workshop, table: Table, node: Expr) -> tuple[Type, Value]:
        """What chance is to give. A word that several kinds have is of the kind that chance decides now."""
        symbol = shop.bench.names.table.uses.get(node)
        decided = table.gives() if isinstance(symbol, Label) and len(symbol.kinds) > 1 else None
        if isinstance(symbol, Label) and not isinstance(decided, CollectionType | TextType | None):
            code = read_value(shop.program, decided, symbol.name)
            if code is not None:
                return decided, code
        return shop.type_of(shop.bench.kinds.table.kinds[node]), shop.value(node, table.state.position().cells)

    # -------------------------------------------------------------- checks

    def then(self, check: ast.Check) -> None:
        table, shop = self.table, self.shop
        assert table is not None and shop is not None
        table.advance_chance()
        claims = Claims(shop, table)
        claims.check(check)
        for complaint in claims.complaints:
            self.add(complaint)
        self.notes += claims.notes

    def complain(self, at: Node, said: str, expected: str, found: str) -> None:
        self.add(Complaint(at.at.line, said, expected, found))

    def add(self, complaint: Complaint) -> None:
        if not self.complaints and self.table is not None:
            self.events = tuple(self.table.told)
        self.complaints.append(complaint)


def _words(trouble: Impossible | Exhausted | Refused) -> str:
    """What is in the way."""
    match trouble:
        case Refused():
            return "; ".join(reason.words for reason in trouble.reasons)
        case Exhausted():
            return trouble.said
        case _:
            return str(trouble)


def _parts(block: ast.Given | ast.When | ast.Then) -> Sequence[Any]:
    match block:
        case ast.Given():
            return (block,)
        case ast.When():
            return block.events
        case ast.Then():
            return block.checks


def merged(first: Sequence[ast.Fact], then: Sequence[ast.Fact]) -> tuple[ast.Fact, ...]:
    """The facts of the first ``given``, those that a later one says anew left out, then the later one's."""
    chosen = {fact.name for fact in then if isinstance(fact, ast.Chosen)}
    reaches = any(isinstance(fact, ast.Reach) for fact in then)
    kept = [
        fact
        for fact in first
        if not (isinstance(fact, ast.Chosen) and fact.name in chosen)
        and not (isinstance(fact, ast.Reach) and reaches)
        and not isinstance(fact, ast.NotBegun)
    ]
    return (*kept, *then)


def clauses_of(scenario: ast.Scenario) -> tuple[str, ...]:
    """Every clause that a scenario names, on any of its lines, in order."""
    found = [cite.clause for cite in scenario.citations]
    for block in scenario.blocks:
        for part in block.facts if isinstance(block, ast.Given) else _parts(block):
            found += [cite.clause for cite in getattr(part, "citations", ())]
    return tuple(dict.fromkeys(found))
