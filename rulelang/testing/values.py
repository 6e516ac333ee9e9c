"""Formulas for single values, by kind. The lowest third of the generator of formulas.

``value`` makes a formula of a kind; ``number`` and ``flag`` are its largest cases and stand in ``formulas``.
"""

from collections.abc import Callable
from functools import partial

import attrs

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing.dice import Dice
from rulelang.testing.making import HERE
from rulelang.testing.world import (
    OWN,
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
    Word,
    World,
    bare,
)

Options = list[tuple[int, Callable[[], ast.Expr]]]
"""Ways to go on, each with its weight."""


class Values:
    """Makes formulas for one world."""

    def __init__(self, world: World, dice: Dice) -> None:
        self.world = world
        self.dice = dice
        self._bound = 0

    # what the other thirds provide
    def number(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        raise NotImplementedError

    def flag(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        raise NotImplementedError

    def members(self, of: Kind, scope: Scope, sight: int, depth: int, *, walk: bool = True) -> ast.Expr:
        raise NotImplementedError

    def found(self, of: Kind, scope: Scope, sight: int, depth: int, *, all: bool) -> ast.Expr:
        raise NotImplementedError

    def fresh(self, word: str) -> str:
        """A name that nothing else has."""
        self._bound += 1
        return f"{word}_{self._bound}"

    def choose(self, options: Options) -> ast.Expr:
        """One of the ways, carried out."""
        return self.dice.weighted(options)()

    # ------------------------------------------------------------------ any kind

    def value(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A formula of this kind that may be worked out by those who have the sight."""
        match of:
            case Numbers():
                return self.small(of, scope, sight, depth)
            case Flags():
                return self.flag(scope, sight, depth)
            case Seats():
                return self.seat(scope, sight, depth)
            case Maybe():
                return self.maybe(of, scope, sight, depth)
            case Many():
                return self.members(of.of, scope, sight, depth, walk=False)
            case _:
                return self.choose(self.ways(of, scope, sight, depth))

    def ways(self, of: Kind, scope: Scope, sight: int, depth: int) -> Options:
        """Ways to a named value, card, row, cell, edge or zone of a family."""
        options: Options = [(1, lambda: self.plain(of, scope, sight, depth))]
        options += [(3, partial(m.name, local.name)) for local in self.locals_of(of, scope, sight)]
        options += [(2, partial(self.place, slot, scope, sight)) for slot in self.read_as(of, scope, sight)]
        if depth > 0:
            options += [(2, partial(self.call, word, scope, sight, depth)) for word in self.words(of, sight)]
            options += [(2, partial(self.part, *at, scope, sight, depth)) for at in self.parts_of(of, scope, sight)]
            if not isinstance(of, Labels | Which):
                options.append((1, lambda: self.either(of, scope, sight, depth)))
        return options

    def plain(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """The simplest formula of a kind."""
        match of:
            case Labels() | Rows():
                return m.name(self.dice.pick(of.labels))
            case Cards():
                parts = [self.value(kind, scope, sight, depth - 1) for _, kind in of.fields]
                return m.apply(of.name, *parts)
            case Cells():
                row, column = self.dice.between(1, of.rows), self.dice.between(1, of.columns)
                return m.apply("cell", m.name(of.name), m.number(row), m.number(column))
            case Edges():
                return m.apply("item", m.name(of.name), m.number(self.dice.between(1, 4)))
            case Which():
                if self.dice.chance(50):
                    return self.place(self.world.family(of), scope, sight)  # where one is wanted it means itself
                return m.apply("item", m.name(of.zone), m.number(1))
            case Faced():
                readable = [z for z in self.world.zones_of(of) if z.readable(sight, scope.me and z.owned)]
                return m.apply("item", self.place(self.dice.pick(readable), scope, sight), m.number(1))
            case _:
                raise AssertionError(of)

    def either(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """One value or another."""
        first, second = (self.value(of, scope, sight, depth - 1) for _ in range(2))
        return m.choice(first, self.flag(scope, sight, depth - 1), second)

    # ------------------------------------------------------------------ what there is of a kind

    def locals_of(self, of: Kind, scope: Scope, sight: int) -> list[Local]:
        """The bound names of a kind that may be read."""
        if isinstance(of, Numbers):
            return [local for local in scope.locals if isinstance(bare(local.of), Numbers) and local.sight <= sight]
        return [local for local in scope.locals if bare(local.of) == of and local.sight <= sight]

    def read_as(self, of: Kind, scope: Scope, sight: int) -> list[Slot]:
        """The markers and slots that say a value of a kind (or none)."""
        wanted = [slot for slot in self.world.markers if self.same(slot.of, of)]
        wanted += [slot for slot in self.world.zones if slot.shape == "slot" and self.same(slot.of, of)]
        return [slot for slot in wanted if slot.readable(sight, mine=scope.me and slot.owned)]

    def same(self, left: Kind, right: Kind) -> bool:
        """Whether both are one kind, bounds and none aside."""
        left, right = bare(left), bare(right)
        return left == right or (isinstance(left, Numbers) and isinstance(right, Numbers))

    def words(self, of: Kind, sight: int) -> list[Word]:
        """The defines of a kind."""
        return [word for word in self.world.words if self.same(word.of, of) and word.sight <= sight]

    def parts_of(self, of: Kind, scope: Scope, sight: int) -> list[tuple[str, Kind]]:
        """The parts and columns of a kind, with what has them."""
        found: list[tuple[str, Kind]] = []
        for kind in self.world.kinds:
            if isinstance(kind, Cards | Rows):
                fields = kind.fields if isinstance(kind, Cards) else kind.columns
                found += [(word, kind) for word, inner in fields if self.same(inner, of)]
        for zone in self.world.zones:
            if isinstance(zone.of, Faced) and zone.readable(sight, scope.me and zone.owned):
                found += [
                    (w, zone.of) for w, k in (("piece", zone.of.piece), ("face", zone.of.face)) if self.same(k, of)
                ]
        return found

    def part(self, word: str, whole: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``rank of card``"""
        return m.field(word, self.value(whole, scope, sight, depth - 1))

    def call(self, word: Word, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A define or condition with its arguments."""
        if not word.params:
            return m.name(word.name)
        return m.apply(word.name, *(self.value(kind, scope, sight, depth - 1) for _, kind in word.params))

    # ------------------------------------------------------------------ places

    def place(self, slot: Slot, scope: Scope, sight: int) -> ast.Expr:
        """One zone or marker; the mover's own where only its owner sees it."""
        rest = slot.index[1:] if slot.owned else slot.index
        base: ast.Expr = m.name(slot.name)
        if slot.owned:
            mine = scope.me and ((sight == OWN and slot.sight == "owner") or self.dice.chance(60))
            base = ast.My(HERE, slot.name) if mine else ast.Its(HERE, self.owner(scope, sight), slot.name)
        if not rest:
            return base
        return ast.At(HERE, base, tuple(self.index(kind, scope, sight) for kind in rest))

    def owner(self, scope: Scope, sight: int) -> ast.Expr:
        """A seat, so that ``'s`` can stand behind it."""
        locals = [local for local in self.locals_of(SEAT, scope, sight) if not isinstance(local.of, Maybe)]
        options: Options = [(1, lambda: m.apply("seat", m.number(self.dice.between(1, 2))))]
        options += [(4, partial(m.name, local.name)) for local in locals]
        if scope.me:
            options.append((2, lambda: m.apply("next", ast.Me(HERE))))
        return self.choose(options)

    def index(self, of: Kind, scope: Scope, sight: int) -> ast.Expr:
        """An index value that is nearly always inside its kind."""
        if isinstance(of, Numbers):
            fitting = [
                local.name
                for local in self.locals_of(of, scope, sight)
                if isinstance(local.of, Numbers) and of.low <= local.of.low and local.of.high <= of.high
            ]
            if fitting and self.dice.chance(70):
                return m.name(self.dice.pick(fitting))
            return m.number(self.dice.between(of.low, of.high))
        if isinstance(of, Seats):
            return self.owner(scope, sight)
        locals = [local for local in self.locals_of(of, scope, sight) if not isinstance(local.of, Maybe)]
        return m.name(self.dice.pick(locals).name) if locals else self.plain(of, scope, sight, 0)

    # ------------------------------------------------------------------ seats, small numbers, what may be none

    def seat(self, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A player."""
        options: Options = [(1, lambda: m.apply("seat", m.number(self.dice.between(1, self.world.most_seats))))]
        options += [(4, partial(m.name, local.name)) for local in self.locals_of(SEAT, scope, sight)]
        options += [(1, partial(self.place, slot, scope, sight)) for slot in self.read_as(SEAT, scope, sight)]
        if scope.me:
            options.append((3, lambda: ast.Me(HERE)))
        if depth > 0:
            options += [(2, partial(self.call, word, scope, sight, depth)) for word in self.words(SEAT, sight)]
            options += [
                (1, lambda: m.apply("next", self.seat(scope, sight, depth - 1))),
                (1, lambda: m.apply("previous", self.seat(scope, sight, depth - 1))),
                (1, lambda: m.apply("seat", self.number(scope, sight, depth - 1))),
                (1, lambda: self.either(SEAT, scope, sight, depth)),
            ]
        return self.choose(options)

    def small(self, of: Numbers, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A number that surely lies within bounds."""
        fitting = [
            local
            for local in self.locals_of(of, scope, sight)
            if isinstance(local.of, Numbers) and of.low <= local.of.low and local.of.high <= of.high
        ]
        if fitting and self.dice.chance(50):
            return m.name(self.dice.pick(fitting).name)
        if depth <= 0 or self.dice.chance(40):
            return m.number(self.dice.between(of.low, min(of.high, of.low + 6)))
        inner = self.number(scope, sight, depth - 1)
        return m.apply("larger", m.number(of.low), m.apply("smaller", m.number(of.high), inner))

    def maybe(self, of: Maybe, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A value or none."""
        inner = of.of
        options: Options = [
            (2, lambda: m.constant("nobody" if isinstance(inner, Seats) else "none")),
            (3, lambda: self.value(inner, scope, sight, depth)),
        ]
        if depth > 0:
            options.append((3, lambda: self.found(inner, scope, sight, depth - 1, all=False)))
            options.append((1, lambda: self.item(inner, scope, sight, depth)))
            options += [
                (2, partial(self.top_of, pile, scope, sight))
                for pile in self.world.zones
                if pile.shape == "pile" and pile.of == inner and pile.readable(sight, mine=scope.me and pile.owned)
            ]
            if isinstance(inner, Cells):
                options.append((2, lambda: self.cell(inner, scope, sight, depth)))
        return self.choose(options)

    def top_of(self, pile: Slot, scope: Scope, sight: int) -> ast.Expr:
        """``top of heap``"""
        return m.field("top", self.place(pile, scope, sight))

    def item(self, of: Kind, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """``item(S, n)``"""
        members = self.members(of, scope, sight, depth - 1, walk=False)
        return m.apply("item", members, self.number(scope, sight, 0))

    def cell(self, of: Cells, scope: Scope, sight: int, depth: int) -> ast.Expr:
        """A cell by row and column, perhaps outside the board."""
        row, column = (self.number(scope, sight, depth - 1) for _ in range(2))
        return m.apply("cell", m.name(of.name), row, column)

    def bound(self, word: str, of: Kind, scope: Scope, sight: int) -> tuple[str, Scope]:
        """A new name, and the scope in which it is bound."""
        name = self.fresh(word)
        return name, attrs.evolve(scope.bind(Local(name, of, sight)), depth=scope.depth + 1)
