"""Formulas: numbers, answers, collections and searches, by kind and by who may know them. Spec 4."""

from functools import partial

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing.making import HERE
from rulelang.testing.values import Options, Values
from rulelang.testing.world import (
    FLAG,
    SEAT,
    Cards,
    Cells,
    Edges,
    Faced,
    Flags,
    Kind,
    Labels,
    Local,
    Many,
    Maybe,
    Numbers,
    Rows,
    Scope,
    Seats,
    Slot,
    Which,
    bare,
)

SMALL = Numbers(1, 3)


class Formulas(Values):
    """Makes formulas for one world."""

    # ------------------------------------------------------------------ numbers

    def number(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """Any number."""
        options: Options = [(3, lambda: m.number(self.dice.between(0, 6)))]
        options += [(3, partial(m.name, local.name)) for local in self.locals_of(SMALL, scope, sight)]
        options += [(2, partial(self.place, slot, scope, sight)) for slot in self.read_as(SMALL, scope, sight)]
        options += [(2, partial(m.name, o.name)) for o in self.world.options if isinstance(o.of, Numbers)]
        options.append((1, lambda: m.field("size", m.name("players"))))
        options += [(2, partial(self.size_of, zone, scope, sight)) for zone in self.counted(scope, sight)]
        if depth > 0:
            options += [(2, partial(self.call, word, scope, sight, depth)) for word in self.words(SMALL, sight)]
            options += [(1, partial(self.part, *at, scope, sight, depth)) for at in self.parts_of(SMALL, scope, sight)]
            options += self.reckoning(scope, sight, depth)
        return self.choose(options)

    def counted(self, scope: Scope, sight: int) -> list[Slot]:
        """The zones whose size may be asked for."""
        return [zone for zone in self.world.zones if zone.counted or zone.readable(sight, scope.me and zone.owned)]

    def size_of(self, zone: Slot, scope: Scope, sight: int) -> ast.Expr:
        """``size of hand``"""
        return m.field("size", self.place(zone, scope, sight))

    def reckoning(self, scope: Scope, sight: int, depth: int) -> Options:
        """Ways to a number by way of others."""

        def inner() -> ast.Expr:
            return self.number(scope, sight, depth - 1)

        function = self.dice.pick(("smaller", "larger", "quotient", "quotient", "remainder"))
        sign = self.dice.pick(("+", "-"))
        options: Options = [
            (2, lambda: m.add(inner(), (sign, inner()))),
            (1, lambda: ast.Product(HERE, (m.fit(inner(), m.FACTOR), m.fit(inner(), m.FACTOR)))),
            (1, lambda: ast.Negative(HERE, m.fit(inner(), m.FACTOR))),
            (1, lambda: m.apply(function, inner(), inner())),
            (1, lambda: m.choice(inner(), self.flag(scope, sight, depth - 1), inner())),
            (3, lambda: self.aggregate(scope, sight, depth)),
            (1, lambda: m.apply("seat_number", self.seat(scope, sight, depth - 1))),
            (1, lambda: self.copies(scope, sight, depth)),
            (1, lambda: m.field("size", self.any_members(scope, sight, depth - 1))),
        ]
        if self.bags(scope, sight):
            options.append((1, lambda: self.division("value", scope, sight)))
        cells = [kind for kind in self.world.kinds if isinstance(kind, Cells)]
        if cells:
            word = self.dice.pick(("row", "column"))
            options.append((1, lambda: m.field(word, self.value(self.dice.pick(cells), scope, sight, depth - 1))))
        return options

    def bags(self, scope: Scope, sight: int) -> list[Slot]:
        """The zones that may be divided into groups."""
        return [
            zone
            for zone in self.world.zones
            if isinstance(zone.of, Labels | Rows)
            and zone.shape == "bag"
            and zone.readable(sight, scope.me and zone.owned)
        ]

    def division(self, part: str, scope: Scope, sight: int) -> ast.Expr:
        """``value of best_partition(1 for each group in bags(1..2, my hand) where C)``"""
        zone = self.dice.pick(self.bags(scope, sight))
        group = self.fresh("group")
        low = self.dice.between(1, 2)
        size: ast.Expr = ast.Between(HERE, m.number(low), m.number(2)) if self.dice.chance(60) else m.number(low)
        alike = m.compare(m.field("size", m.field("kinds", m.name(group))), "is", m.number(1))
        worth = m.number(2) if self.dice.chance(50) else m.field("size", m.name(group))
        domain = m.apply("bags", size, self.place(zone, scope, sight))
        each = ast.Each(HERE, group, domain, alike if self.dice.chance(60) else None)
        word = self.dice.pick(("best_partition", "whole_partition"))
        return m.field(part, m.apply(word, ast.ValueOfEach(HERE, worth, each)))

    def aggregate(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``sum(E for each x in S where C)`` and its relatives."""
        of = self.some_kind()
        domain = m.fit(self.members(of, scope, sight, depth - 1), m.SPAN)
        name, inner = self.bound("x", of, scope, sight)
        where = self.flag(inner, sight, depth - 1) if self.dice.chance(60) else None
        each = ast.Each(HERE, name, domain, where)
        word = self.dice.pick(("count", "sum", "highest", "lowest"))
        if word == "count":
            return m.apply(word, each)
        return m.apply(word, ast.ValueOfEach(HERE, self.number(inner, sight, depth - 1), each))

    def copies(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``copies(x, S)``"""
        of = self.some_kind()
        members = self.members(of, scope, sight, depth - 1, walk=False)
        return m.apply("copies", self.value(of, scope, sight, depth - 1), members)

    # ------------------------------------------------------------------ yes or no

    def flag(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """Any answer."""
        options: Options = [(1, lambda: m.constant(self.dice.pick(("yes", "no"))))]
        options += [(4, partial(m.name, local.name)) for local in self.locals_of(FLAG, scope, sight)]
        options += [(3, partial(self.place, slot, scope, sight)) for slot in self.read_as(FLAG, scope, sight)]
        options += [(1, partial(m.name, o.name)) for o in self.world.options if isinstance(o.of, Flags)]
        options += [(1, partial(self.chosen, o.name, k)) for o in self.world.options if isinstance(k := o.of, Labels)]
        options += [(1, partial(self.emptiness, zone, scope, sight)) for zone in self.counted(scope, sight)]
        options.append((3, lambda: self.comparison(scope, sight, max(0, depth - 1))))
        if depth > 0:
            options += [(2, partial(self.call, word, scope, sight, depth)) for word in self.words(FLAG, sight)]
            options += [
                (2, partial(self.call, word, scope, sight, depth))
                for word in self.world.conditions
                if word.sight <= sight and (scope.me or not word.me)
            ]
            options += [(1, partial(self.part, *at, scope, sight, depth)) for at in self.parts_of(FLAG, scope, sight)]
            options += self.reasoning(scope, sight, depth)
        return self.choose(options)

    def chosen(self, option: str, of: Labels) -> ast.Expr:
        """``mode is harsh``"""
        return m.compare(m.name(option), "is", m.name(self.dice.pick(of.labels)))

    def emptiness(self, zone: Slot, scope: Scope, sight: int) -> ast.Expr:
        """``stock is empty``"""
        return m.compare(self.place(zone, scope, sight), self.dice.pick(("is", "is not")), m.constant("empty"))

    def reasoning(self, scope: Scope, sight: int, depth: int) -> Options:
        """Ways to an answer by way of others."""

        def inner() -> ast.Expr:
            return self.flag(scope, sight, depth - 1)

        joint = ast.Both if self.dice.chance(50) else ast.Either
        options: Options = [(1, lambda: self.division("possible", scope, sight))] if self.bags(scope, sight) else []
        return [
            *options,
            (2, lambda: m.joined(joint, [inner() for _ in range(self.dice.between(2, 3))])),
            (1, lambda: m.negate(inner())),
            (3, lambda: self.quantified(scope, sight, depth)),
            (2, lambda: self.membership(scope, sight, depth)),
            (3, lambda: self.equality(scope, sight, depth)),
        ]

    def comparison(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """Two numbers, or two named values by their order."""
        relation = self.dice.pick((">=", "<", "<=", ">", "is", "is not"))
        named = [kind for kind in self.world.kinds if isinstance(kind, Labels) and self.holders(kind, scope, sight)]
        if named and self.dice.chance(15):
            of = self.dice.pick(named)
            return m.compare(self.holder(of, scope, sight), relation, self.value(of, scope, sight, depth))
        return m.compare(self.number(scope, sight, depth), relation, self.number(scope, sight, depth))

    def holders(self, of: Kind, scope: Scope, sight: int) -> list[ast.Expr]:
        """Whatever has a kind of its own, so that a bare word beside it is understood."""
        found: list[ast.Expr] = [m.name(local.name) for local in self.locals_of(of, scope, sight)]
        return found + [self.place(slot, scope, sight) for slot in self.read_as(of, scope, sight)]

    def holder(self, of: Kind, scope: Scope, sight: int) -> ast.Expr:
        """One of them."""
        return self.dice.pick(self.holders(of, scope, sight))

    def equality(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``a is b`` of any kind."""
        relation = self.dice.pick(("is", "is not"))
        if self.dice.chance(15):
            of = self.some_kind()
            left, right = (self.members(of, scope, sight, depth - 1, walk=False) for _ in range(2))
            return m.compare(left, relation, m.constant("empty") if self.dice.chance(40) else right)
        of = self.some_kind()
        holders = self.holders(of, scope, sight)
        if not holders:
            return self.comparison(scope, sight, depth - 1)
        if self.dice.chance(30):
            right = self.value(Maybe(of), scope, sight, depth - 1)
            if isinstance(right, ast.Constant) and right.word in ("none", "nobody"):
                holders = self.perhaps_none(of, scope, sight)
            return m.compare(self.dice.pick(holders), relation, right) if holders else self.comparison(scope, sight, 0)
        return m.compare(self.dice.pick(holders), relation, self.value(of, scope, sight, depth - 1))

    def perhaps_none(self, of: Kind, scope: Scope, sight: int) -> list[ast.Expr]:
        """Whatever has a kind of its own and may be none; of anything else nobody asks that."""
        found: list[ast.Expr] = [
            m.name(local.name) for local in self.locals_of(of, scope, sight) if isinstance(local.of, Maybe)
        ]
        slots = [slot for slot in self.read_as(of, scope, sight) if slot.shape or isinstance(slot.of, Maybe)]
        return found + [self.place(slot, scope, sight) for slot in slots]

    def membership(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``x in S``"""
        of = self.some_kind()
        members = self.members(of, scope, sight, depth - 1, walk=False)
        relation = self.dice.pick(("in", "not in"))
        return m.compare(self.value(of, scope, sight, depth - 1), relation, members)

    def quantified(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``some``, ``no``, ``every``; also of the lines of a board."""
        boards = [kind for kind in self.world.kinds if isinstance(kind, Cells)]
        if boards and self.dice.chance(30):
            return self.on_a_line(self.dice.pick(boards), scope, sight, depth)
        of = self.some_kind()
        domain = m.fit(self.members(of, scope, sight, depth - 1), m.SPAN)
        name, inner = self.bound("x", of, scope, sight)
        condition = self.flag(inner, sight, depth - 1)
        if self.dice.chance(40):
            return ast.Every(HERE, name, domain, condition)
        return ast.Exists(HERE, self.dice.chance(40), name, domain, condition)

    def on_a_line(self, board: Cells, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``some line in lines(Board, 2) where every cell in line satisfies C``"""
        word = self.dice.pick(("lines", "rows", "columns", "diagonals", "rays"))
        arguments = [m.name(board.name)] + ([m.number(2)] if word == "lines" else [])
        if word == "rays":
            arguments = [self.value(board, scope, sight, depth - 1)]
        line = self.fresh("line")
        name, inner = self.bound("c", board, scope, sight)
        cells = ast.Every(HERE, name, m.name(line), self.flag(inner, sight, 0))
        return ast.Exists(HERE, False, line, m.apply(word, *arguments), cells)

    # ------------------------------------------------------------------ collections

    def some_kind(self) -> Kind:
        """Any kind of which there are collections."""
        return self.dice.pick([SEAT, SMALL, *self.world.kinds])

    def any_members(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A collection of anything."""
        return self.members(self.some_kind(), scope, sight, depth, walk=False)

    def members(self, of: Kind, scope: Scope, sight: int, depth: int, *, walk: bool = True) -> ast.Expr:
        """A collection of values of a kind; of one that is walked through the size is small."""
        options: Options = [(2, lambda: self.everything(of, scope, sight, depth))]
        options += [(3, partial(self.place, zone, scope, sight)) for zone in self.holding(of, scope, sight)]
        if isinstance(of, Seats):
            options.append((2, lambda: m.apply("others", self.seat(scope, sight, depth - 1))))
        options += [(3, partial(m.name, local.name)) for local in self.lists_of(of, scope, sight)]
        if not walk:
            options += [
                (2, partial(self.place, slot, scope, sight))
                for slot in self.world.markers
                if isinstance(slot.of, Many) and slot.of.of == of and slot.readable(sight, scope.me and slot.owned)
            ]
        if depth > 0:
            options += self.combined(of, scope, sight, depth, walk)
        return self.choose(options)

    def lists_of(self, of: Kind, scope: Scope, sight: int) -> list[Local]:
        """The bound names that are collections of a kind."""
        return [
            local for local in scope.locals if isinstance(local.of, Many) and local.of.of == of and local.sight <= sight
        ]

    def everything(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """All values of a kind, or a few."""
        match of:
            case Seats():
                return m.name("players")
            case Numbers(name=""):
                low = self.dice.between(0, 2)
                return ast.Between(HERE, m.number(low), m.number(low + self.dice.between(0, 4)))
            case Which():
                return m.name(of.zone)
            case Faced() | Flags():
                return ast.ListOf(HERE, (self.value(of, scope, sight, depth - 1),))
            case Numbers() | Labels() | Cards() | Rows() | Cells() | Edges():
                return m.name(of.name)
            case _:
                raise AssertionError(of)

    def holding(self, of: Kind, scope: Scope, sight: int) -> list[Slot]:
        """The zones in which values of a kind lie."""
        return [
            zone
            for zone in self.world.zones
            if self.same(zone.of, of) and zone.readable(sight, scope.me and zone.owned)
        ]

    def combined(self, of: Kind, scope: Scope, sight: int, depth: int, walk: bool) -> Options:
        """Ways to a collection by way of others."""

        def inner() -> ast.Expr:
            return self.members(of, scope, sight, depth - 1, walk=walk)

        options: Options = [
            (1, lambda: self.but(of, inner(), scope, sight, depth)),
            (1, lambda: self.listed(of, scope, sight, depth)),
            (1, lambda: m.field("kinds", inner())),
            (2, lambda: self.found(of, scope, sight, depth - 1, all=True)),
            (1, lambda: self.collected(of, scope, sight, depth)),
        ]
        if any(zone.of == of for zone in self.bags(scope, sight)):
            options.append((1, lambda: self.rest(of, scope, sight)))
        if not walk:
            options.append((1, lambda: m.add(inner(), ("+", inner()))))
        if isinstance(of, Cells):
            options.append((2, lambda: m.apply("linked", inner(), inner())))
            around = self.dice.pick(("beside", "around"))
            options.append((2, lambda: m.apply(around, self.value(of, scope, sight, depth - 1))))
            edges = [kind for kind in self.world.kinds if isinstance(kind, Edges) and kind.cells == of]
            options += [(2, partial(self.part, "cells", e, scope, sight, depth)) for e in edges]
        if isinstance(of, Edges):
            options.append((2, lambda: m.field("edges", self.value(of.cells, scope, sight, depth - 1))))
        for rows in self.world.kinds:
            if isinstance(rows, Rows):
                columns = [word for word, kind in rows.columns if isinstance(kind, Many) and kind.of == of]
                options += [(2, partial(self.part, w, rows, scope, sight, depth)) for w in columns if not walk]
        return options

    def rest(self, of: Kind, scope: Scope, sight: int) -> ast.Expr:
        """What a division into groups leaves over."""
        zones, self.world.zones = self.world.zones, [z for z in self.bags(scope, sight) if z.of == of]
        made = self.division("rest", scope, sight)
        self.world.zones = zones
        return made

    def but(self, of: Kind, first: ast.Expr, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``a but b``"""
        if isinstance(first, ast.Between):
            first = m.fit(first, m.TERM)
        if isinstance(of, Which):  # beside 'but' a place is what lies there
            return m.add(first, ("but", m.apply("item", m.name(of.zone), m.number(1))))
        taken = self.members(of, scope, sight, 0, walk=False) if self.dice.chance(30) else None
        return m.add(first, ("but", taken if taken is not None else self.value(of, scope, sight, depth - 1)))

    def listed(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``[a, b]``"""
        count = self.dice.between(1, 3)
        return ast.ListOf(HERE, tuple(self.value(of, scope, sight, depth - 1) for _ in range(count)))

    def collected(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``collect(E for each x in S)``"""
        other = self.some_kind()
        domain = m.fit(self.members(other, scope, sight, depth - 1), m.SPAN)
        name, inner = self.bound("x", other, scope, sight)
        return m.apply(
            "collect", ast.ValueOfEach(HERE, self.value(of, inner, sight, 0), ast.Each(HERE, name, domain, None))
        )

    def found(self, of: Kind, scope: Scope, sight: int, depth: int, *, all: bool) -> ast.Expr:
        """``first`` and ``all``, with ranks now and then."""
        domain = m.fit(self.members(of, scope, sight, depth), m.SPAN)
        name, inner = self.bound("x", of, scope, sight)
        where = self.flag(inner, sight, max(0, depth - 1)) if self.dice.chance(60) else None
        ranks: tuple[ast.Rank, ...] = ()
        if self.dice.chance(40):
            ranks = tuple(self.rank(inner, sight, depth) for _ in range(self.dice.between(1, 2)))
            where = m.fit(where, m.EITHER) if where is not None else None
        return ast.Select(HERE, all, name, domain, where, ranks)

    def rank(self, scope: Scope, sight: int, depth: int) -> ast.Rank:
        """``most E``"""
        return ast.Rank(HERE, self.dice.chance(60), m.fit(self.number(scope, sight, max(0, depth - 1)), m.SUM))

    # ------------------------------------------------------------------ words for people

    def text(self, scope: Scope, sight: int) -> ast.Text:
        """A sentence with a hole or two."""
        parts: list[str | ast.Expr] = [self.dice.pick(("not now", "it is too early: ", "the table says "))]
        for _ in range(self.dice.between(0, 2)):
            of = self.some_kind()
            kinds: list[Kind] = [of, Maybe(of), Many("list", of), FLAG]
            kind = self.dice.pick(kinds if not isinstance(bare(of), Faced) else kinds[:1])
            hole = (
                self.holder(of, scope, sight) if self.holders(of, scope, sight) else self.value(SEAT, scope, sight, 1)
            )
            if kind != of and not isinstance(of, Labels | Rows):
                hole = self.value(kind, scope, sight, 1)
            if isinstance(hole, ast.Constant):
                hole = m.field("size", m.name("players"))
            parts += [hole, self.dice.pick((" ", " and ", ", "))]
        return m.text(*parts)
