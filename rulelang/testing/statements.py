"""Statements of generated games that wait for nobody: facts, pieces, chance, loops, questions. Spec 9 and 10.

Waiting ones stand in ``flow``. A statement is a list, because some come with another before them.
"""

from collections.abc import Callable

import attrs

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing.dice import Dice
from rulelang.testing.formulas import Formulas
from rulelang.testing.making import HERE
from rulelang.testing.world import (
    ALL,
    ANY,
    FLAG,
    SEAT,
    Faced,
    Kind,
    Labels,
    Local,
    Many,
    Maybe,
    Numbers,
    Piece,
    Scope,
    Slot,
    World,
    bare,
    word_for,
)

Made = tuple[list[ast.Statement], Scope]
"""Statements, and the scope of what comes after them."""


class Statements:
    """Makes bodies for one world."""

    def __init__(
        self, world: World, dice: Dice, formulas: Formulas, cited: Callable[[], tuple[ast.Citation, ...]]
    ) -> None:
        self.world = world
        self.dice = dice
        self.f = formulas
        self.cited = cited

    # ------------------------------------------------------------------ bodies

    def body(self, scope: Scope, count: int) -> ast.Body:
        """Some statements below a colon, or one behind it."""
        statements = self.statements(scope, count)
        simple = not isinstance(statements[0], ast.EachLoop | ast.Turns | ast.Repeat | ast.Branch)
        inline = len(statements) == 1 and simple and self.dice.chance(50)
        if inline:
            statements = [attrs.evolve(statements[0], citations=())]
        return ast.Body(HERE, tuple(statements), inline)

    def statements(self, scope: Scope, count: int) -> list[ast.Statement]:
        """At least one statement."""
        made: list[ast.Statement] = []
        for _ in range(max(1, count)):
            more, scope = self.statement(scope)
            made += more
        return made

    def statement(self, scope: Scope) -> Made:
        """One statement, any that may stand here."""
        ways: list[tuple[int, Callable[[Scope], Made]]] = [
            (5, self.becomes),
            (3, self.changes),
            (3, self.let),
            (4, self.put),
            (1, self.command if scope.open else self.becomes),
        ]
        if scope.depth < 3:
            ways += [(2, self.branch), (2, self.each), (1, self.times)]
            if scope.open and any(isinstance(zone.of, Faced) for zone in self.world.zones):
                ways.append((2, self.roll_dice))
        rules = [piece for piece in self.world.pieces if scope.open and (scope.waits or not piece.waits)]
        if rules:
            ways.append((2, lambda inner: self.call(self.dice.pick(rules), inner)))
        return self.dice.weighted(ways)(scope)

    def deeper(self, scope: Scope, *locals: Local) -> Scope:
        """The scope of a body inside."""
        return attrs.evolve(scope.bind(*locals), depth=scope.depth + 1)

    # ------------------------------------------------------------------ facts

    def becomes(self, scope: Scope) -> Made:
        """``round becomes 3``"""
        slot = self.dice.pick([slot for slot in self.world.markers if slot.name != "clock"])
        if isinstance(slot.of, Many):
            value = self.collection(slot.of, scope)
        else:
            value = self.f.value(slot.of, scope, ANY, 2)
        return [ast.Becomes(HERE, self.f.place(slot, scope, ANY), value, self.cited())], scope

    def collection(self, of: Many, scope: Scope) -> ast.Expr:
        if self.dice.chance(20):
            return m.constant("empty")
        members = self.f.members(of.of, scope, ANY, 1, walk=True)
        slots = {slot.name for slot in self.world.zones if slot.shape == "slot"}
        base = members.family if isinstance(members, ast.At) else members
        if isinstance(base, ast.Name | ast.My | ast.Its) and base.name in slots:
            return m.field("kinds", members)  # a slot is read as its piece
        return members

    def changes(self, scope: Scope) -> Made:
        """``my score rises by 2``, bounded so that it stays within its kind."""
        slots = [slot for slot in self.world.markers if isinstance(slot.of, Numbers) and slot.name != "clock"]
        slot = self.dice.pick(slots)
        assert isinstance(slot.of, Numbers)
        target = self.f.place(slot, scope, ANY)
        by = self.f.number(scope, ANY, 1)
        if self.dice.chance(50):
            room = m.add(m.number(slot.of.high), ("-", target))
            change = m.apply("larger", m.number(0), m.apply("smaller", by, room))
            return [ast.Rises(HERE, target, change, self.cited())], scope
        room = m.add(target, ("-", m.number(slot.of.low)))
        change = m.apply("larger", m.number(0), m.apply("smaller", by, room))
        return [ast.Falls(HERE, target, change, self.cited())], scope

    def let(self, scope: Scope) -> Made:
        """``let taken = E``"""
        kinds: list[Kind] = [Numbers(0, 9), FLAG, SEAT, Many("list", SEAT)]
        kinds += [kind for kind in self.world.kinds if not isinstance(kind, Labels)]
        of = self.dice.pick(kinds)
        sight = ALL if scope.open and self.dice.chance(60) else ANY
        if isinstance(of, Many):
            value = self.f.members(of.of, scope, sight, 2)
        elif of in (FLAG, SEAT) or isinstance(of, Numbers) or self.dice.chance(50):
            value = self.f.value(of, scope, sight, 2)
        else:
            of = Maybe(of)
            value = self.f.found(of.of, scope, sight, 1, all=False)
        name = self.f.fresh("taken")
        return [ast.Let(HERE, name, value, self.cited())], scope.bind(Local(name, of, sight))

    # ------------------------------------------------------------------ pieces

    def put(self, scope: Scope) -> Made:
        """``put WHAT from ZONE into ZONE``"""
        sources = [zone for zone in self.world.zones if scope.open or not (zone.blind or zone.shape == "")]
        source = self.dice.pick(sources)
        targets = [zone for zone in self.world.zones_of(source.of) if zone is not source or zone.index]
        if not targets:
            return self.becomes(scope)
        target = self.dice.pick(targets)
        if not scope.open and target.blind:
            return self.becomes(scope)
        origin, goal = self.f.place(source, scope, ALL), self.f.place(target, scope, ALL)
        what, before, inner = self.what(source, origin, scope, single=target.shape == "slot")
        if before and target.blind:  # whether it is found would tell what is buried there
            return self.becomes(scope)
        where = self.dice.pick(("onto", "under", "into")) if target.shape == "pile" else "into"
        move: ast.Statement = ast.Put(HERE, what, origin, where, goal, self.cited())
        guards: list[ast.Expr] = []
        if before and isinstance(what, ast.Name):
            guards.append(m.compare(what, "is not", m.constant("none")))
        if target.shape == "slot":
            guards.append(m.compare(goal, "is", m.constant("empty")))
        if guards and self.dice.chance(93):
            condition = guards[0] if len(guards) == 1 else m.joined(ast.Both, guards)
            move = ast.Branch(HERE, ((condition, m.block(move)),), None, ())
        return [*before, move], inner

    def what(
        self, source: Slot, origin: ast.Expr, scope: Scope, *, single: bool
    ) -> tuple[ast.Expr, list[ast.Statement], Scope]:
        """What is put, and the statement that finds it, if one does."""
        if source.shape == "pile" and (source.blind or self.dice.chance(50)):
            if not single and self.dice.chance(40):
                count = self.f.small(Numbers(0, 3), scope, ALL if scope.open else ANY, 1)
                return m.apply("top", count), [], scope
            return m.name("top" if single or self.dice.chance(70) else "everything"), [], scope
        if source.shape == "pile" and self.dice.chance(25):
            return m.apply("position", self.f.number(scope, ANY, 1)), [], scope
        if scope.open and source.counted and source.shape == "bag" and self.dice.chance(30):
            return m.name("random"), [], scope
        if source.shape == "slot" or (not single and self.dice.chance(25)):
            return m.name("everything"), [], scope
        seen = m.fit(origin, m.SPAN)
        name, inner = self.f.bound("card", source.of, scope, ANY)
        where = self.f.flag(inner, ANY, 1) if self.dice.chance(50) else None
        if not single and self.dice.chance(40):
            return ast.Bracket(HERE, ast.Select(HERE, True, name, seen, where, ())), [], scope
        found = self.f.fresh("found")
        search = ast.Select(HERE, False, name, seen, where, ())
        return m.name(found), [ast.Let(HERE, found, search, ())], scope.bind(Local(found, Maybe(source.of), ANY))

    def command(self, scope: Scope) -> Made:
        """``shuffle``, ``gather``, ``roll`` a marker, perhaps from a collection."""
        piles = [zone for zone in self.world.zones if zone.blind and not zone.top]
        kinds = [
            (zone.of, zone)
            for zone in self.world.zones
            if not isinstance(zone.of, Faced)
            and zone.shape != "slot"
            and (
                (zone.blind and zone.name.endswith("stock"))
                or not any(other.blind for other in self.world.zones_of(zone.of))
            )
            and not (isinstance(zone.of, Numbers) and not zone.of.name)
        ]
        markers = [slot for slot in self.world.markers if not isinstance(slot.of, Many) and slot.name != "clock"]
        way = self.dice.pick(("roll", *(["shuffle"] if piles else []), *(["gather"] if kinds else [])))
        if way == "roll":
            marker = self.dice.pick(markers)
            place = self.f.place(marker, scope, ALL)
            source = self.f.members(bare(marker.of), scope, ALL, 1, walk=True) if self.dice.chance(40) else None
            return [ast.Command(HERE, "roll", place, None, self.cited(), source)], scope
        if way == "shuffle":
            place = self.f.place(self.dice.pick(piles), scope, ALL)
            return [ast.Command(HERE, "shuffle", place, None, self.cited())], scope
        of, zone = self.dice.pick(kinds)
        goal = self.f.place(zone, scope, ALL)
        return [ast.Command(HERE, "gather", word_for(of), m.fit(goal, m.SUM), self.cited())], scope

    def roll_dice(self, scope: Scope) -> Made:
        """``roll my cup``"""
        zone = self.dice.pick([zone for zone in self.world.zones if isinstance(zone.of, Faced)])
        return [ast.Command(HERE, "roll", self.f.place(zone, scope, ALL), None, self.cited())], scope

    # ------------------------------------------------------------------ questions and loops

    def branch(self, scope: Scope) -> Made:
        """``if``; where not everybody knows the answer nothing inside may wait."""
        known = scope.open and self.dice.chance(70)
        sight = ALL if known else ANY
        inner = attrs.evolve(self.deeper(scope), open=scope.open and known)
        cases = tuple(
            (self.f.flag(scope, sight, 2), self.body(inner, self.dice.between(1, 2)))
            for _ in range(self.dice.weighted([(4, 1), (1, 2)]))
        )
        otherwise = self.body(inner, 1) if self.dice.chance(40) else None
        return [ast.Branch(HERE, cases, otherwise, self.cited())], scope

    def each(self, scope: Scope) -> Made:
        """``each x in S from q where C``"""
        known = scope.open and self.dice.chance(70)
        sight = ALL if known else ANY
        kinds: list[Kind] = [SEAT, SEAT, *self.world.kinds]
        of = self.dice.pick(kinds)
        domain = m.fit(self.f.members(of, scope, sight, 1), m.SPAN)
        start = None
        if self.dice.chance(30):
            start = m.fit(self.f.value(of, scope, sight, 1), m.SUM)
        name = self.f.fresh("p" if of == SEAT else "thing")
        inner = attrs.evolve(self.deeper(scope, Local(name, of, sight)), open=scope.open and known)
        where = self.f.flag(inner, sight, 1) if self.dice.chance(40) else None
        body = self.body(inner, self.dice.between(1, 2))
        return [ast.EachLoop(HERE, name, domain, start, where, body, self.cited())], scope

    def times(self, scope: Scope) -> Made:
        """``repeat 3 times``"""
        sight = ALL if scope.open else ANY
        times = self.f.small(Numbers(0, 3), scope, sight, 1)
        body = self.body(self.deeper(scope), self.dice.between(1, 2))
        return [ast.Repeat(HERE, None, m.fit(times, m.SUM), body, self.cited())], scope

    def call(self, rule: Piece, scope: Scope) -> Made:
        """Carry out a rule."""
        arguments = [self.f.value(kind, scope, ALL, 1) for _, kind in rule.params]
        called: ast.Expr = m.apply(rule.name, *arguments) if arguments else m.name(rule.name)
        return [ast.Call(HERE, called, self.cited())], scope
