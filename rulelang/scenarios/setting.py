"""What is given, laid out: a position from what a scenario says, filled up by one stated rule. Spec 15.4.

The rule. The table is first as it is when somebody must act for the first time (set up by chance from the scenario's
seed). A place that is spoken of holds what is said, and nothing else. Its pieces are taken from wherever they would
have been: from places that are not spoken of, which are filled up again from the pieces that are left over. Piles that
lie unseen take what remains, so that nothing is added or lost. Pieces are told apart by their kind only.
"""

from collections import Counter
from collections.abc import Sequence
from typing import cast

import attrs

from rulelang.ir.expressions import Value
from rulelang.ir.program import Program, Start, Zone
from rulelang.ir.types import RecordType, SingleType
from rulelang.play import kinds
from rulelang.play.chance import Stream
from rulelang.play.folding import most_locals
from rulelang.play.formulas import Context, codes, number
from rulelang.play.kinds import Layout
from rulelang.play.position import Lying, Position, Unseen
from rulelang.scenarios.workshop import Impossible, Workshop


@attrs.frozen
class Wanted:
    """One thing that a place holds: so many pieces of one value, or of any (None); a count of None is any number."""

    code: int | None
    count: int | None


@attrs.frozen
class Table:
    """What a scenario gives."""

    zones: dict[tuple[int, int], tuple[Wanted, ...]]
    """By slot and member."""
    markers: dict[tuple[int, int], Value]


def laid_out(shop: Workshop, base: Position, given: Table, draw: Stream) -> Position:
    """The position with what is given. Raises Impossible if the pieces do not suffice or are left over."""
    cells, pools = list(base.cells), list(base.pools)
    for (slot, member), value in given.markers.items():
        cells[shop.layout.families[slot].base + member] = value
    groups: dict[SingleType, list[int]] = {}
    for slot, declared in enumerate(shop.program.slots):
        if isinstance(declared, Zone):
            groups.setdefault(declared.content, []).append(slot)
    for slots in groups.values():
        if any(slot in slots for slot, _ in given.zones):
            _Filling(shop, slots, given, cells, pools, draw).run()
    return Position(tuple(cells), tuple(pools), base.frames)


Wish = int | Unseen | Wanted
"""A piece, a card that will lie unseen, or something still to be filled."""


class _Filling:
    """The zones of one kind of piece, and the pieces that are left to be laid."""

    def __init__(
        self,
        shop: Workshop,
        slots: list[int],
        given: Table,
        cells: list[Value | Lying],
        pools: list[tuple[int, ...]],
        draw: Stream,
    ) -> None:
        self.shop, self.program = shop, shop.program
        self.cells, self.pools, self.draw = cells, pools, draw
        places = [(slot, member) for slot in slots for member in range(shop.layout.families[slot].count)]
        self.spoken = [place for place in places if place in given.zones]
        self.others = [place for place in places if place not in given.zones]
        self.content = cast(Zone, self.program.slots[slots[0]]).content
        self.given = given
        lying = [piece for place in places for piece in self._cell(place) if isinstance(piece, Unseen)]
        self.old_pools = {piece.pool for piece in lying}
        self.left: Counter[int] = Counter()
        for slot, _ in places:
            for code, times in starting(self.program, shop.layout, cast(Zone, self.program.slots[slot]).starts):
                self.left[self._piece(code)] += times

    def run(self) -> None:
        """Lay out every place."""
        laid = {place: self._named(place) for place in self.spoken}
        holes = self._keep_the_others()
        for place, pieces in laid.items():
            self._fill_counted(place, pieces)
        for place in holes:
            if self.left.total():
                self._put(place, [*self._cell(place), self._drawn()])
        self._fill_open(laid)
        for place, pieces in laid.items():
            self._put(place, [piece for piece in pieces if not isinstance(piece, Wanted)])
        self._fit_unseen()
        self._one_pool()

    # -------------------------------------------------------------- pieces

    @property
    def _die(self) -> RecordType | None:
        """The kind, if its pieces show faces."""
        kind = self.content
        shows = isinstance(kind, RecordType) and [field.name for field in kind.fields] == ["piece", "face"]
        return kind if shows and isinstance(kind, RecordType) else None

    def _piece(self, code: int) -> int:
        """A piece without the face that it shows."""
        return code if self._die is None else kinds.split(self.program, self._die, code)[0]

    def _take(self, code: int, count: int) -> bool:
        piece = self._piece(code)
        if self.left[piece] < count:
            return False
        self.left[piece] -= count
        return True

    def _drawn(self) -> int:
        """One of the pieces that are left, each with the same chance; dice show no face."""
        pieces = sorted(self.left.elements())
        piece = pieces[self.draw.below(len(pieces))]
        self.left[piece] -= 1
        if self._die is None:
            return piece
        return cast(int, kinds.join(self.program, self._die, (piece, kinds.none_code(self._die.fields[1].type))))

    def _say(self, piece: int) -> str:
        return self.shop.say(self._die.fields[0].type if self._die else self.content, piece)

    # -------------------------------------------------------------- what is said

    def _named(self, place: tuple[int, int]) -> list[Wish]:
        """The named pieces of a place, taken; what is not named stays a wish."""
        found: list[Wish] = []
        for wanted in self.given.zones[place]:
            if wanted.code is None:
                found.append(wanted)
                continue
            count = wanted.count or 0
            if not self._take(wanted.code, count):
                piece = self._piece(wanted.code)
                where, what = self.shop.say_place(*place), self._say(piece)
                raise Impossible(f"{where} would hold {count} x {what}, but only {self.left[piece]} are left")
            found += [wanted.code] * count
        return found

    def _keep_the_others(self) -> list[tuple[int, int]]:
        """Places that are not spoken of keep what is still there. Return the places of what is not, one each."""
        holes: list[tuple[int, int]] = []
        for place in self.others:
            kept: list[Wish] = []
            for piece in self._cell(place):
                if isinstance(piece, Unseen) or self._take(piece, 1):
                    kept.append(piece)
                else:
                    holes.append(place)
            self._put(place, kept)
        return holes

    def _fill_counted(self, place: tuple[int, int], pieces: list[Wish]) -> None:
        filled: list[Wish] = []
        for piece in pieces:
            if not isinstance(piece, Wanted) or piece.count is None:
                filled.append(piece)
                continue
            if not self._blind(place) and self.left.total() < piece.count:
                where = self.shop.say_place(*place)
                raise Impossible(f"{where} would hold {piece.count} more, but only {self.left.total()} are left")
            filled += self._anything(place, piece.count)
        pieces[:] = filled

    def _anything(self, place: tuple[int, int], count: int) -> list[Wish]:
        """So many pieces that are not named: unseen where cards can lie unseen, else drawn."""
        return [Unseen(_NEW) if self._blind(place) else self._drawn() for _ in range(count)]

    def _blind(self, place: tuple[int, int]) -> bool:
        return cast(Zone, self.program.slots[place[0]]).blind

    def _fill_open(self, laid: dict[tuple[int, int], list[Wish]]) -> None:
        """'anything' without a number takes what would not lie unseen elsewhere; several share it."""
        wishes = [place for place, pieces in laid.items() if _open_wish(pieces) is not None]
        unseen = sum(isinstance(piece, Unseen) for pieces in laid.values() for piece in pieces)
        spare = max(0, self.left.total() - unseen - sum(self._unseen_in(place) for place in self.others))
        for done, place in enumerate(wishes):
            position = cast(int, _open_wish(laid[place]))
            share = -(-spare // (len(wishes) - done))
            spare -= share
            laid[place][position : position + 1] = self._anything(place, share)

    # -------------------------------------------------------------- unseen cards

    def _fit_unseen(self) -> None:
        """What is left lies unseen, in piles that are not spoken of: the longest gives first and takes first."""
        fixed = sum(self._unseen_in(place) for place in self.spoken)
        piles = [place for place in self.others if self._blind(place)]
        change = self.left.total() - fixed - sum(self._unseen_in(place) for place in piles)
        for _ in range(abs(change)):
            pile = max(piles, key=self._unseen_in, default=None)
            if pile is None or (change < 0 and not self._unseen_in(pile)):
                raise self._does_not_fit(change)
            self._put(pile, [Unseen(_NEW), *self._cell(pile)] if change > 0 else self._shorter(pile))

    def _does_not_fit(self, change: int) -> Impossible:
        if change < 0:
            return Impossible("fewer pieces are left than would lie unseen")
        named = ", ".join(f"{count} x {self._say(piece)}" for piece, count in sorted(self.left.items()) if count)
        return Impossible(
            f"{self.left.total()} pieces are left over ({named}): say where they lie, or let a zone hold 'anything'"
        )

    def _unseen_in(self, place: tuple[int, int]) -> int:
        return sum(isinstance(piece, Unseen) for piece in self._cell(place))

    def _shorter(self, place: tuple[int, int]) -> list[Wish]:
        pieces: list[Wish] = list(self._cell(place))
        del pieces[next(i for i, piece in enumerate(pieces) if isinstance(piece, Unseen))]
        return pieces

    def _one_pool(self) -> None:
        """All unseen cards of this kind refer to one pool."""
        cells = [self._number(place) for place in (*self.spoken, *self.others)]
        for pool in self.old_pools:
            self.pools[pool] = ()
        for cell in cells:
            pieces = cast(Lying, self.cells[cell])
            self.cells[cell] = tuple(Unseen(len(self.pools)) if isinstance(p, Unseen) else p for p in pieces)
        self.pools.append(tuple(sorted(self.left.elements())))

    # -------------------------------------------------------------- cells

    def _number(self, place: tuple[int, int]) -> int:
        return self.shop.layout.families[place[0]].base + place[1]

    def _cell(self, place: tuple[int, int]) -> Lying:
        return cast(Lying, self.cells[self._number(place)])

    def _put(self, place: tuple[int, int], pieces: Sequence[Wish]) -> None:
        zone = cast(Zone, self.program.slots[place[0]])
        lying = [piece for piece in pieces if not isinstance(piece, Wanted)]
        if zone.shape == "slot" and len(lying) > 1:
            raise Impossible(f"{self.shop.say_place(*place)} holds at most one piece, not {len(lying)}")
        if zone.shape == "bag":
            lying.sort(key=lambda piece: piece if isinstance(piece, int) else 0)
        self.cells[self._number(place)] = tuple(lying)


_NEW = 1 << 30
"""The pool of cards that are given as unseen, until it has a number."""


def _open_wish(pieces: Sequence[Wish]) -> int | None:
    """Where a place holds 'anything' without a number."""
    return next((i for i, piece in enumerate(pieces) if isinstance(piece, Wanted) and piece.count is None), None)


def starting(program: Program, layout: Layout, starts: Sequence[Start]) -> list[tuple[int, int]]:
    """What lies in a zone before play: each value, with how often it is there."""
    if not starts:
        return []
    context = Context(program, layout, (), [0] * most_locals(program))
    found: list[tuple[int, int]] = []
    for start in starts:
        for code in codes(start.values, context):
            context.locals[start.variable.number] = code
            found.append((code, max(0, number(start.times, context))))
    return found
