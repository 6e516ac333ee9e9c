"""Moves, rules and the overview of generated games: what waits for players, and how it ends. Spec 8, 9, 13 and 14."""

from collections.abc import Callable

import attrs

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing.dice import Dice
from rulelang.testing.formulas import Formulas
from rulelang.testing.making import HERE
from rulelang.testing.statements import Made, Statements
from rulelang.testing.world import (
    ALL,
    ANY,
    FLAG,
    OWN,
    SEAT,
    Act,
    Cells,
    Edges,
    Faced,
    Kind,
    Labels,
    Local,
    Many,
    Maybe,
    Numbers,
    Piece,
    Rows,
    Scope,
    Which,
    World,
    word_for,
)

Parameter = tuple[ast.ChoiceOf | ast.Maybe, Local]


class Flow(Statements):
    """Makes what waits."""

    def __init__(
        self, world: World, dice: Dice, formulas: Formulas, cited: Callable[[], tuple[ast.Citation, ...]]
    ) -> None:
        super().__init__(world, dice, formulas, cited)
        self.inside: dict[str, Scope] = {}
        """What can be named in each move."""

    @property
    def own(self) -> int:
        """What legality may read: where choices resolve themselves, only what everybody sees."""
        return ALL if self.world.resolving else OWN

    # ------------------------------------------------------------------ statements that wait or end

    def statement(self, scope: Scope) -> Made:
        """One statement, perhaps one that waits."""
        if scope.open and scope.waits and scope.depth < 3 and self.dice.chance(18):
            return self.ask(scope)
        if scope.open and self.world.timer and self.dice.chance(8):
            verb = self.dice.pick(["start", "start", "pause", "resume", "reset"])
            return [ast.Command(HERE, verb, m.name(self.world.timer), None, self.cited())], scope
        if scope.open and scope.rule and self.dice.chance(8):
            return [self.guarded(ast.Leave(HERE, scope.rule, self.cited()), scope)], scope
        if scope.open and scope.ends and self.dice.chance(4):
            return [self.guarded(self.finish(scope), scope)], scope
        return super().statement(scope)

    def guarded(self, statement: ast.Statement, scope: Scope) -> ast.Statement:
        """The statement if some condition holds, so that what stands behind it can be reached."""
        condition = self.f.flag(scope, ALL, 1)
        return ast.Branch(HERE, ((condition, m.block(statement)),), None, ())

    def ask(self, scope: Scope) -> Made:
        """A choice: who, must or may, how, which moves."""
        if self.dice.chance(6):
            return [self.ask_one(m.name("table"), True, ("stir",))], scope
        because = self.f.text(scope, ALL) if self.dice.chance(20) else None
        safe = [act for act in self.world.acts if act.always and not act.within]
        fitting = [act for act in self.world.acts if act.within in ("", scope.rule) and act not in safe]
        offered = [act.name for act in self.dice.some(fitting, self.dice.between(1, 2))]
        ways: list[tuple[int, str | None]] = [(6, None), (2, "secretly"), (1, "in_turn"), (2, "in_order")]
        if self.world.timer:
            ways += [(3, "freely"), (2, "once_each")]
        manner = self.dice.weighted(ways)
        must = manner == "once_each" or (manner in (None, "secretly") and self.dice.chance(70))
        if must or not offered or self.dice.chance(20):
            offered.append(self.dice.pick(safe).name)
        who: ast.Expr
        if manner is None:
            who = self.f.owner(scope, ALL) if self.dice.chance(85) else self.f.seat(scope, ALL, 1)
        else:
            who = self.f.members(SEAT, scope, ALL, 1)
        moves = tuple(dict.fromkeys(offered))
        places = tuple(ast.Node(HERE) for _ in moves)
        taker = self.f.fresh("taker") if manner == "in_order" and self.dice.chance(60) else None
        after = scope.bind(Local(taker, Maybe(SEAT), ALL)) if taker is not None else scope
        asked = m.fit(who, m.SUM)
        reason = self.f.fresh("early") if because is not None and self.dice.chance(40) else None
        until = self.until(scope) if manner == "freely" else None
        made = ast.Choose(HERE, asked, must, manner, moves, places, until, taker, because, self.cited(), reason)
        return [made], after

    def until(self, scope: Scope) -> ast.Expr:
        """When open play ends: when the timer does not run, or something else holds."""
        runs = m.compare(m.name(self.world.timer), "is not", m.name("running"))
        if not self.dice.chance(40):
            return runs
        return m.joined(ast.Either, [runs, self.f.flag(scope, ALL, 1)])

    def finish(self, scope: Scope) -> ast.Finish:
        """``end game`` with any outcome."""
        name = self.f.fresh("q")
        inner = scope.bind(Local(name, SEAT, ANY))
        score = m.fit(self.f.number(inner, ANY, 1), m.SUM)
        leaders = ast.Select(HERE, True, name, m.name("players"), None, (ast.Rank(HERE, True, score),))
        gets = ast.Gets(HERE, name, m.fit(self.f.members(SEAT, scope, ANY, 1), m.SPAN), self.f.number(inner, ANY, 2))
        values = [m.name(slot.name) for slot in self.world.markers if isinstance(slot.of, Numbers) and not slot.index]
        ways: list[tuple[int, ast.Wins | ast.Gets | ast.Result]] = [
            (4, ast.Wins(HERE, leaders)),
            (2, ast.Wins(HERE, self.f.owner(scope, ALL))),
            (1, ast.Wins(HERE, m.constant("nobody"))),
            (3, gets),
            (1, ast.Result(HERE, "grade", m.number(self.dice.between(0, 5)))),
            (1, ast.Result(HERE, "grade", self.dice.pick(values))),
            (1, ast.Result(HERE, "unresolved", m.name("players"))),
            (1, ast.Result(HERE, "unresolved", self.f.owner(scope, ALL))),
            (1, ast.Result(HERE, "aborted", None)),
        ]
        return ast.Finish(HERE, self.dice.weighted(ways), self.cited())

    # ------------------------------------------------------------------ moves

    def moves(self) -> list[ast.Move]:
        """A few moves; the first has no conditions, so that there is always something to do."""
        made = [self.move("wait_here", bare=True), self.stir()]
        made += [self.move(f"act_{number}") for number in range(self.dice.between(2, 4))]
        return made

    def stir(self) -> ast.Move:
        """What belongs to no seat: the table does it."""
        scope = Scope(waits=False, ends=False, depth=2)
        return ast.Move(HERE, "stir", False, (), (), tuple(self.statements(scope, 1)), self.cited())

    def move(self, name: str, *, bare: bool = False, within: str = "") -> ast.Move:
        """One move."""
        waits = bool(self.world.acts) and self.dice.chance(25)
        scope = Scope(me=True, waits=waits, ends=self.dice.chance(10), depth=1, rule=within)
        parameters = [] if bare else self.parameters(scope)
        inner = scope.bind(*(local for _, local in parameters))
        needs: list[ast.Require | ast.RequireNamed] = []
        for number in range(0 if bare else self.dice.weighted([(3, 0), (4, 1), (2, 2)])):
            needs.append(self.requirement(f"{name}_need_{number}", inner))
        effects = [] if bare and self.dice.chance(40) else self.effects(parameters, inner)
        if within:
            effects.append(ast.Leave(HERE, within, self.cited()))
        self.world.acts.append(Act(name, bare, within))
        self.inside[name] = inner
        named = tuple(each for each, _ in parameters)
        private = not bare and self.dice.chance(10)
        return ast.Move(HERE, name, private, named, tuple(needs), tuple(effects), self.cited())

    def advice(self) -> list[ast.Declaration]:
        """Now and then, what automatic players are advised to do, by what the mover sees."""
        made: list[ast.Declaration] = []
        for name, scope in self.inside.items():
            if self.dice.chance(30):
                ranks = [self.f.rank(scope, OWN, 2) for _ in range(self.dice.between(0, 2))]
                when = self.f.flag(scope, OWN, 2) if self.dice.chance(70) else None
                made.append(ast.Prefer(HERE, name, ast.Node(HERE), tuple(ranks), when, self.cited()))
        if made and self.dice.chance(30):
            made.append(ast.Prefer(HERE, "pass", ast.Node(HERE), (), None, ()))
        return made

    def parameters(self, scope: Scope) -> list[Parameter]:
        """What is chosen with a move."""
        made: list[Parameter] = []
        for _ in range(self.dice.weighted([(2, 0), (5, 1), (3, 2), (1, 3)])):
            local, parameter = self.parameter(scope)
            made.append((parameter, local))
            scope = scope.bind(local)
        return made

    def parameter(self, scope: Scope) -> tuple[Local, ast.ChoiceOf | ast.Maybe]:
        """One parameter and what it is chosen from."""
        name = self.f.fresh("choice")
        if self.dice.chance(10):
            return Local(name, FLAG, ALL), ast.Maybe(HERE, name)
        zones = [zone for zone in self.world.zones if zone.readable(self.own, mine=zone.owned)]
        if zones and self.dice.chance(50):
            zone = self.dice.pick(zones)
            sight = ALL if zone.sight == "everyone" else OWN
            if self.dice.chance(20) and not isinstance(zone.of, Faced):
                bags = m.apply("bags", m.number(self.dice.between(1, 2)), self.f.place(zone, scope, sight))
                return Local(name, Many("bag", zone.of), sight), ast.ChoiceOf(HERE, name, bags)
            return Local(name, zone.of, sight), ast.ChoiceOf(HERE, name, self.f.place(zone, scope, sight))
        kinds: list[Kind] = [SEAT, Numbers(self.dice.between(-1, 1), self.dice.between(2, 4))]
        kinds += [kind for kind in self.world.kinds if not isinstance(kind, Faced)]
        of = self.dice.pick(kinds)
        domain: ast.Expr = word_for(of) if of != SEAT else m.name("players")
        if of == SEAT and self.dice.chance(50):
            domain = m.apply("others", ast.Me(HERE))
        elif isinstance(of, Cells | Edges | Labels | Rows) and self.dice.chance(40):
            domain = m.fit(self.f.members(of, scope, ALL, 1), m.SPAN)
        return Local(name, of, ALL), ast.ChoiceOf(HERE, name, domain)

    def requirement(self, name: str, scope: Scope) -> ast.Require | ast.RequireNamed:
        """What makes a move illegal; nearly always with words."""
        conditions = [word for word in self.world.conditions if word.sight <= self.own]
        if conditions and self.dice.chance(25):
            word = self.dice.pick(conditions)
            given = tuple(self.f.value(kind, scope, self.own, 1) for _, kind in word.params)
            return ast.RequireNamed(HERE, word.name, given, self.cited())
        condition = self.f.flag(scope, self.own, 2)
        unless = self.f.flag(scope, self.own, 1) if self.dice.chance(30) else None
        words = self.f.text(scope, OWN) if self.dice.chance(70) else None
        return ast.Require(HERE, name, condition, unless, words, self.cited())

    def effects(self, parameters: list[Parameter], scope: Scope) -> list[ast.Statement]:
        """What a move does: a chosen card goes somewhere, facts change."""
        made: list[ast.Statement] = []
        for parameter, local in parameters:
            if isinstance(parameter, ast.ChoiceOf):
                made += self.lay(parameter, local, scope)
        hidden = any(local.sight != ALL for _, local in parameters)
        inner = scope if not hidden else attrs.evolve(scope, waits=scope.waits and self.dice.chance(50))
        return made + self.statements(inner, self.dice.between(1, 3))

    def lay(self, parameter: ast.ChoiceOf, local: Local, scope: Scope) -> list[ast.Statement]:
        """The chosen piece goes from where it was chosen to somewhere else."""
        of, domain = local.of, parameter.domain
        if isinstance(of, Many) and isinstance(domain, ast.Apply) and not isinstance(domain.arguments[1], ast.Each):
            assert not isinstance(domain.arguments[1], ast.ValueOfEach)
            of, domain = of.of, domain.arguments[1]
        zones = [zone for zone in self.world.zones_of(of) if zone.shape != "slot"]
        source = self.zone_chosen_from(domain)
        targets = [zone for zone in zones if zone.name != source]
        if not source or not targets or self.dice.chance(15):
            return []
        target = self.dice.pick(targets)
        where = self.dice.pick(("onto", "under", "into")) if target.shape == "pile" else "into"
        goal = self.f.place(target, scope, ALL)
        return [ast.Put(HERE, m.name(parameter.name), domain, where, goal, self.cited())]

    def zone_chosen_from(self, domain: ast.Expr) -> str:
        """The name of the zone that a domain is; empty if it is something else."""
        base = domain.family if isinstance(domain, ast.At) else domain
        word = base.name if isinstance(base, ast.Name | ast.My | ast.Its) else ""
        return word if any(zone.name == word and not isinstance(zone.of, Which) for zone in self.world.zones) else ""

    # ------------------------------------------------------------------ rules

    def rules(self) -> list[ast.Declaration]:
        """A few rules, each carried out by those after it; one may be ended by a move of its own."""
        made: list[ast.Declaration] = []
        for number in range(self.dice.between(1, 2)):
            name = f"stage_{number}"
            kinds: list[Kind] = [SEAT, Numbers(0, 3)]
            named = tuple((self.f.fresh("given"), kind) for kind in self.dice.some(kinds, self.dice.between(0, 2)))
            waits = self.dice.chance(60)
            scope = Scope(rule=name, waits=waits, ends=False).bind(*(Local(w, kind, ALL) for w, kind in named))
            if waits and self.dice.chance(40):
                made.append(self.move(f"stop_{number}", bare=True, within=name))
                body = m.block(*self.rounds(scope, f"stop_{number}"))
            else:
                body = self.body(scope, self.dice.between(1, 3))
            params = tuple(ast.Param(HERE, word, m.kind(word_for(kind))) for word, kind in named)
            made.append(ast.Rule(HERE, name, params, body, self.cited()))
            self.world.pieces.append(Piece(name, named, True))
        return made

    def rounds(self, scope: Scope, stop: str) -> list[ast.Statement]:
        """Laps of a rule that a move can end."""
        name = self.f.fresh("p")
        inner = attrs.evolve(scope.bind(Local(name, SEAT, ALL)), depth=1)
        asked = self.ask_one(m.name(name), True, (stop, self.dice.pick(self.plain_acts())))
        tick = self.tick(m.block(ast.Leave(HERE, scope.rule, ())))
        body = m.block(asked, *self.statements(inner, 1), *tick)
        return [ast.Turns(HERE, name, None, self.f.owner(scope, ALL), body, self.cited())]

    def plain_acts(self) -> list[str]:
        """The moves that can be offered anywhere."""
        return [act.name for act in self.world.acts if not act.within]

    def ask_one(self, who: ast.Expr, must: bool, moves: tuple[str, ...]) -> ast.Choose:
        """A choice of one seat."""
        moves = tuple(dict.fromkeys(moves))
        places = tuple(ast.Node(HERE) for _ in moves)
        return ast.Choose(HERE, who, must, None, moves, places, None, None, None, self.cited())

    def tick(self, over: ast.Body) -> list[ast.Statement]:
        """The clock goes on; at its end something happens."""
        end = m.compare(m.name("clock"), ">=", m.number(self.world.clock))
        return [
            ast.Rises(HERE, m.name("clock"), m.number(1), ()),
            ast.Branch(HERE, ((end, over),), None, ()),
        ]

    # ------------------------------------------------------------------ the overview

    def overview(self) -> ast.Overview:
        """Setting up, the game itself, the end."""
        scope = Scope()
        made: list[ast.Statement] = []
        for zone in self.world.zones:
            if zone.blind and (zone.name.endswith("stock") or self.dice.chance(70)):
                made.append(ast.Command(HERE, "shuffle", self.f.place(zone, scope, ALL), None, self.cited()))
        for _ in range(self.dice.between(1, 3)):
            made += self.deal(scope)
        made += self.main(scope)
        endless = isinstance(made[-1], ast.Turns) or (
            isinstance(made[-1], ast.Repeat) and made[-1].until is None and made[-1].times is None
        )
        if not endless and self.dice.chance(80):
            made.append(self.finish(scope))
        return ast.Overview(HERE, m.block(*made), self.cited())

    def deal(self, scope: Scope) -> list[ast.Statement]:
        """Everybody gets cards, or dice are thrown."""
        hands = [zone for zone in self.world.zones if zone.owned and zone.shape != "slot" and not zone.index[1:]]
        hand = self.dice.pick(hands)
        name = self.f.fresh("p")
        goal = ast.Its(HERE, m.name(name), hand.name)
        if isinstance(hand.of, Faced):
            dealt: ast.Statement = ast.Command(HERE, "roll", goal, None, self.cited())
        else:
            stock = next(zone for zone in self.world.zones_of(hand.of) if zone.name.endswith("stock"))
            what: ast.Expr = m.name("top")
            if self.dice.chance(50):
                what = m.apply("top", m.number(self.dice.between(1, 3)))
            where = "onto" if hand.shape == "pile" else "into"
            dealt = ast.Put(HERE, what, m.name(stock.name), where, goal, self.cited())
        return [ast.EachLoop(HERE, name, m.name("players"), None, None, m.block(dealt), ())]

    def main(self, scope: Scope) -> list[ast.Statement]:
        """Rounds, in one of many forms."""
        name = self.f.fresh("p")
        inner = attrs.evolve(scope.bind(Local(name, SEAT, ALL)), depth=1)
        over = m.block(self.finish(scope))
        acts = tuple(self.dice.some(self.plain_acts(), self.dice.between(1, 4)))
        asked = self.ask_one(m.name(name), True, (*acts, "wait_here"))
        lap = [asked, *self.statements(inner, self.dice.between(1, 2)), *self.tick(over)]
        if self.dice.chance(50):
            lap = [*self.statements(inner, 1), *lap]
        if self.world.timer and self.dice.chance(40):
            lap = [*self.open_play(inner), *lap]
        ways: list[Callable[[], ast.Statement]] = [
            lambda: ast.Turns(HERE, name, None, self.f.owner(scope, ALL), m.block(*lap), self.cited()),
            lambda: ast.Turns(
                HERE, name, self.some_players(scope), self.f.owner(scope, ALL), m.block(*lap), self.cited()
            ),
            lambda: ast.Repeat(HERE, None, None, m.block(self.round(name, lap)), self.cited()),
            lambda: ast.Repeat(HERE, self.f.flag(scope, ALL, 2), None, m.block(self.round(name, lap)), self.cited()),
            lambda: ast.Repeat(HERE, None, m.number(self.dice.between(2, 4)), m.block(self.round(name, lap)), ()),
        ]
        if self.dice.chance(15):
            lap[lap.index(asked)] = attrs.evolve(asked, must=False)
            return [ways[-1]()]  # who may pass need not be asked: the laps are counted
        return [self.dice.pick(ways)()]

    def open_play(self, scope: Scope) -> list[ast.Statement]:
        """The timer runs, and whoever wants to acts."""
        moves = tuple(dict.fromkeys((self.dice.pick(self.plain_acts()), "wait_here")))
        places = tuple(ast.Node(HERE) for _ in moves)
        who, until = m.name("players"), self.until(scope)
        start = ast.Command(HERE, "start", m.name(self.world.timer), None, ())
        asked = ast.Choose(HERE, who, False, "freely", moves, places, until, None, None, self.cited())
        return [start, asked]

    def some_players(self, scope: Scope) -> ast.Expr:
        """A list in which there is always somebody."""
        if self.dice.chance(50):
            return m.name("players")
        return ast.ListOf(HERE, (self.f.owner(scope, ALL), m.apply("seat", m.number(2))))

    def round(self, name: str, lap: list[ast.Statement]) -> ast.EachLoop:
        """A turn of everybody."""
        start = m.fit(self.f.seat(Scope(), ALL, 1), m.SUM) if self.dice.chance(50) else None
        return ast.EachLoop(HERE, name, m.name("players"), start, None, m.block(*lap), self.cited())

    # ------------------------------------------------------------------ the end at any moment

    def whenevers(self) -> list[ast.Whenever]:
        """Now and then, what ends the game as soon as something has become true."""
        return [self.whenever() for _ in range(self.dice.weighted([(9, 0), (2, 1), (1, 2)]))]

    def whenever(self) -> ast.Whenever:
        """A condition on what rules change, and the end."""
        scope = Scope(waits=False, depth=2)
        late = m.compare(m.name("clock"), ">", m.number(self.dice.between(0, 4)))
        condition: ast.Expr = late
        if self.dice.chance(80):
            condition = m.joined(ast.Both, [late, self.f.flag(scope, ANY, 2)])
        if self.dice.chance(60):
            return ast.Whenever(HERE, condition, m.block(self.finish(scope)), self.cited())
        made: list[ast.Statement] = []
        if self.dice.chance(50):
            made, scope = self.let(attrs.evolve(scope, open=False))
        case = (self.f.flag(scope, ANY, 1), m.block(self.finish(scope)))
        if self.dice.chance(50):
            made.append(ast.Branch(HERE, (case,), m.block(self.finish(scope)), ()))
        else:
            made += [ast.Branch(HERE, (case,), None, ()), self.finish(scope)]
        return ast.Whenever(HERE, condition, m.block(*made), self.cited())

    # ------------------------------------------------------------------ exceptions

    def overrides(self, rules: list[ast.Declaration]) -> list[ast.Override]:
        """House rules: before, after and in place of rules and moves."""
        made: list[ast.Override] = []
        replaced: set[str] = set()
        for _ in range(self.dice.between(0, 2)):
            rule = self.dice.pick(rules)
            assert isinstance(rule, ast.Move | ast.Rule)
            kind = self.dice.pick(("before", "after", "instead"))
            if kind == "instead" and rule.name in replaced:
                continue
            replaced |= {rule.name} if kind == "instead" else set()
            when = self.static() if kind == "instead" or self.dice.chance(60) else None
            scope = Scope(me=isinstance(rule, ast.Move), waits=False, ends=False, depth=2)
            made.append(ast.Override(HERE, kind, rule.name, None, when, (), self.harmless(scope), self.cited()))
        return made

    def harmless(self, scope: Scope) -> ast.Body:
        """A body that calls nothing, so that no rule comes to use itself."""
        return m.block(*self.becomes(scope)[0], *(self.changes(scope)[0] if self.dice.chance(50) else []))

    def static(self) -> ast.Expr:
        """A condition over options and the number of players."""
        seats = m.compare(m.field("size", m.name("players")), self.dice.pick(("is", ">")), m.number(2))
        conditions: list[ast.Expr] = [seats]
        for option in self.world.options:
            if isinstance(option.of, Labels):
                conditions.append(m.compare(m.name(option.name), "is", m.name(self.dice.pick(option.of.labels))))
            elif option.of == FLAG:
                conditions.append(m.name(option.name))
        return self.dice.pick(conditions)
