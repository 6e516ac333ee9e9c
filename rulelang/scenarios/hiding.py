"""What a seat must not see: looked for in all it was shown, and tried by dealing hidden things otherwise. Spec 15.4."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import attrs

from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.ast.nodes.base import Node
from rulelang.checker.places import SlotRef, place
from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Marker, Zone
from rulelang.ir.types import CollectionType, Type
from rulelang.play import kinds
from rulelang.play.position import Lying, Position, Unseen
from rulelang.play.view import View
from rulelang.scenarios.sight import Looked, NotSeen
from rulelang.scenarios.table import Table
from rulelang.scenarios.workshop import Workshop

OTHER_DEALS: Final = 32
"""In how many ways the hidden things are laid otherwise."""


class SightClaims:
    """``X never sees ...``; the other claims are in ``claims``."""

    shop: Workshop
    table: Table
    position: Position
    notes: list[str]

    @property
    def cells(self) -> Sequence[Any]:
        raise NotImplementedError

    def complain(self, at: Node, said: str, expected: str, found: str) -> None:
        raise NotImplementedError

    def seat(self, word: ast.Word) -> int:
        raise NotImplementedError

    def place_of(self, cell: int) -> str:
        """The name of a cell of the layout."""
        for slot, family in enumerate(self.shop.layout.families):
            if family.base <= cell < family.base + family.count:
                return self.shop.say_place(slot, cell - family.base)
        raise AssertionError(cell)

    def never_sees(self, check: ast.NeverSees) -> None:
        seat = self.seat(check.who)
        for thing in check.things:
            ref = place(thing, self.shop.bench.names.table)
            if isinstance(ref, SlotRef):
                self.never_sees_place(check, seat, thing)
            elif isinstance(thing, rules_ast.Field):
                self.never_works_out(check, seat, thing)
            else:
                self.never_shown(check, seat, thing)

    def never_works_out(self, check: ast.NeverSees, seat: int, thing: rules_ast.Expr) -> None:
        """The seat cannot work a property of a place out (``size of Ann's hand``)."""
        try:
            value = self.shop.value(thing, Looked(self.shop.layout, self.table.state.view(seat)))
        except NotSeen:
            return
        said = self.shop.say_kind(self.shop.bench.kinds.table.kinds[thing], value)
        self.complain(check, f"{check.who.name} never sees", "hidden", f"{check.who.name} sees {said}")

    # -------------------------------------------------------------- places

    def never_sees_place(self, check: ast.NeverSees, seat: int, thing: rules_ast.Expr) -> None:
        """What lies there is not in the seat's view, and the view is the same whatever lies there."""
        slot, member = self.shop.spot(thing, self.cells)
        where, state = self.shop.say_place(slot, member), self.table.state
        for seen in state.view(seat).seen:
            if (seen.slot, seen.member) == (slot, member) and seen.part != "size":
                found = self.shop.say(_kind_of(self.shop, slot, seen.part), seen.value)
                self.complain(check, f"{check.who.name} never sees {where}", "hidden", f"{check.who.name} sees {found}")
                return
        before, tried = self._shown(seat, self.position), 0
        for other in self._other_deals(seat, slot, member):
            after = self._shown(seat, other)
            if after is None:
                continue
            tried += 1
            if after != before:
                found = (
                    f"with {self._content(other, slot, member)} there, {check.who.name} would be shown something else"
                )
                self.complain(check, f"{check.who.name} never sees {where}", "no difference", found)
                return
        self.notes.append(f"{check.who.name} is shown the same under {tried} other contents of {where}")

    def _content(self, position: Position, slot: int, member: int) -> str:
        value = position.cells[self.shop.layout.families[slot].base + member]
        if not isinstance(value, tuple):
            return self.shop.say(_kind_of(self.shop, slot, "content"), value)
        return self.shop.say(_kind_of(self.shop, slot, "content"), tuple(p for p in value if isinstance(p, int)))

    def _shown(self, seat: int, position: Position) -> tuple[View, Sequence[Any]] | None:
        """The view and the legal answers of a seat; None if play cannot stand like that."""
        try:
            state = self.shop.game.position(position)
            return state.view(seat), tuple(state.moves(seat))
        except (Exhausted, Refused):
            return None

    def _other_deals(self, seat: int, slot: int, member: int) -> Iterator[Position]:
        """Positions in which something else lies there, and the seat sees nothing of what was exchanged."""
        number = self.shop.layout.families[slot].base + member
        declared = self.shop.program.slots[slot]
        if isinstance(declared, Marker):
            yield from self._other_values(number, declared)
            return
        done = 0
        mine = cast(Lying, self.position.cells[number])
        for at, piece in enumerate(mine):
            for cell, there, other in self._hidden_pieces(seat, declared, number):
                if isinstance(piece, int) and other != piece and done < OTHER_DEALS:
                    done += 1
                    yield self._exchanged((number, at, piece), (cell, there, other))

    def _other_values(self, number: int, marker: Marker) -> Iterator[Position]:
        if isinstance(marker.type, CollectionType):
            return
        for code in kinds.all_codes(self.shop.program, cast(Any, marker.type))[:OTHER_DEALS]:
            if code != self.position.cells[number]:
                yield self._with({number: code}, self.position.pools)

    def _hidden_pieces(self, seat: int, zone: Zone, number: int) -> Iterator[tuple[int, int, int]]:
        """Pieces of this kind that the seat does not see: the cell and the position there, or those of pools."""
        view = self.table.state.view(seat)
        seen = {(each.slot, each.member) for each in view.seen if each.part == "content"}
        tops = {(each.slot, each.member) for each in view.seen if each.part == "top"}
        for pool, cards in enumerate(self.position.pools):
            for card in dict.fromkeys(cards):
                if self._is_of(pool, zone):
                    yield -1 - pool, 0, card
        for slot, family in enumerate(self.shop.layout.families):
            declared = self.shop.program.slots[slot]
            if not isinstance(declared, Zone) or declared.content != zone.content:
                continue
            for member in range(family.count):
                cell = family.base + member
                if (slot, member) in seen or cell == number:
                    continue
                lying = cast(Lying, self.position.cells[cell])
                for at, piece in enumerate(lying[:-1] if (slot, member) in tops else lying):
                    if isinstance(piece, int):
                        yield cell, at, piece

    def _is_of(self, pool: int, zone: Zone) -> bool:
        """Whether a pool holds pieces of a zone's kind."""
        for slot, family in enumerate(self.shop.layout.families):
            declared = self.shop.program.slots[slot]
            if isinstance(declared, Zone) and declared.content == zone.content:
                for cell in self.position.cells[family.base : family.base + family.count]:
                    if Unseen(pool) in cast(Lying, cell):
                        return True
        return False

    def _exchanged(self, mine: tuple[int, int, int], theirs: tuple[int, int, int]) -> Position:
        (number, at, piece), (cell, there, other) = mine, theirs
        changed: dict[int, Any] = {number: self._replaced(number, at, other)}
        pools = list(self.position.pools)
        if cell < 0:
            cards = list(pools[-1 - cell])
            cards[cards.index(other)] = piece
            pools[-1 - cell] = tuple(sorted(cards))
        else:
            changed[cell] = self._replaced(cell, there, piece)
        return self._with(changed, tuple(pools))

    def _replaced(self, cell: int, at: int, piece: int) -> Lying:
        lying = list(cast(Lying, self.position.cells[cell]))
        lying[at] = piece
        return tuple(lying)

    def _with(self, changed: dict[int, Any], pools: tuple[tuple[int, ...], ...]) -> Position:
        cells = tuple(changed.get(number, cell) for number, cell in enumerate(self.position.cells))
        return attrs.evolve(self.position, cells=cells, pools=pools)

    # -------------------------------------------------------------- values

    def never_shown(self, check: ast.NeverSees, seat: int, thing: rules_ast.Expr) -> None:
        """A value that was in no view and in no move that the seat observed since the scenario began."""
        value = self.shop.value(thing, self.cells)
        kind = self.shop.type_of(self.shop.bench.kinds.table.kinds[thing])
        shown = any(self._in_view(state.view(seat), kind, value) for state in self.table.states)
        moves = self.shop.program.moves
        told = any(
            code == value and moves[seen.move].parameters[i].type == kind
            for seen in self.table.state.observed(seat)
            if seen.move is not None
            for i, code in enumerate(seen.arguments)
        )
        if shown or told:
            said = f"{check.who.name} never sees {self.shop.say(kind, value)}"
            found = "in what lies on the table" if shown else "in a move"
            self.complain(check, said, "never shown", f"it was shown {found}")

    def _in_view(self, view: View, kind: Type, value: object) -> bool:
        for seen in view.seen:
            declared = self.shop.program.slots[seen.slot]
            if isinstance(declared, Marker) or declared.content != kind or seen.part == "size":
                continue
            if value == seen.value or (isinstance(seen.value, tuple) and value in seen.value):
                return True
        return False


def _kind_of(shop: Workshop, slot: int, part: str) -> Type:
    """The kind of what is seen of a place."""
    declared = shop.program.slots[slot]
    if isinstance(declared, Marker):
        return declared.type
    if part == "content":
        return CollectionType("bag" if declared.shape == "bag" else "list", declared.content, cast(Any, None))
    return declared.content
