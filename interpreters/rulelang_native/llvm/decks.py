"""Decks: a pile that is shuffled once, and whose top card is drawn whenever it is taken, is what is left in its pool.

All its cards are unseen and over one pool, so neither their order nor which pool it is has to lie anywhere. The pool
lies in order, packed: so many bits for each card, in one word, and beside it how many there are. A card that is
settled is taken off in the same breath; in between it is known where it stands in the text. Which piles are decks is
seen from declarations and uses alone (`planned`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.ir.program import Program, Zone
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import FlatProgram
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.knowing import Surely
from rulelang_native.llvm.singles import NONE
from rulelang_native.llvm.support import GAVE_UP, UNSEEN, function, give_up
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer
    from rulelang_native.runtime.module import Module

WORD = 64
PLAIN = (st.Spend, st.Mark, st.Set, st.Remember)
"""What may stand between a card being settled and taken off."""


@attrs.frozen
class Deck:
    """How the pool of a deck lies."""

    cards: tuple[int, ...]
    """All cards before play, in order."""

    @property
    def low(self) -> int:
        """The least code, which is 0 in the word."""
        return self.cards[0]

    @property
    def bits(self) -> int:
        """Bits of each card."""
        return max(1, (self.cards[-1] - self.low).bit_length())

    @property
    def word(self) -> int:
        """All cards, the least one in the lowest bits."""
        found = 0
        for place, card in enumerate(self.cards):
            found |= card - self.low << place * self.bits
        return found

    @property
    def name(self) -> str:
        """What functions of it are called."""
        return f"{self.low}_{self.bits}"


def planned(
    program: Program, laid: Sequence[Sequence[Any]], flat_program: FlatProgram, module: Module
) -> dict[int, Deck]:
    """The piles that lie so, given what lies in each cell of each slot before play."""
    found: dict[int, Deck] = {}
    for slot, zone in enumerate(program.slots):
        if not isinstance(zone, Zone) or zone.shape != "pile" or len(laid[slot]) != 1 or not laid[slot][0]:
            continue
        deck = Deck(tuple(sorted(laid[slot][0])))
        # the place behind the last one has room, too, so that it may be asked for
        if deck.low >= 0 and (len(deck.cards) + 1) * deck.bits < WORD and _is_deck(slot, flat_program, module):
            found[slot] = deck
    return found


def _is_deck(slot: int, program: FlatProgram, module: Module) -> bool:
    """Whether nothing is done with a pile but what can be done with a deck."""
    if not any(isinstance(part, st.Unsee) and part.slot == slot for part in parts(program.procedures)):
        return False
    bodies = [each.body for each in program.functions]
    for procedure in program.procedures:
        for block in procedure.blocks:
            changed = any(isinstance(part, st.Settle | st.Store) and part.slot == slot for part in parts(block))
            if procedure.plain and changed:
                return False
            bodies.append(block.body)
    for body in bodies:
        if not _Uses(slot, body).fine:
            return False

    def asks(part: Any) -> int | None:
        match part:
            case st.Settle() | st.Store():
                asked = part.slot == slot
            case st.Set():  # it may be asked for its top
                asked = part.value == flat.Held(slot, Known(0))
            case flat.UnseenTop():
                asked = part.pile == flat.Held(slot, Known(0))
            case _:
                return None
        return slot if asked else None

    ends = {int(each.name.split("_")[1]): each.body for each in program.functions if each.name.startswith("end")}
    if any(asks(part) is not None for each in program.functions for part in parts(each.body)):
        return False  # functions may ask how many there are, and no more

    def happens(s: st.Statement) -> int | None:
        return slot if isinstance(s, st.Unsee) and s.slot == slot else None

    return not Surely(program.procedures, module, happens, asks, ends).unsure(program.procedures[0], (slot,))


class _Uses:
    """Whether everything that a body does with a pile can be done with a deck."""

    def __init__(self, slot: int, body: tuple[st.Statement, ...]) -> None:
        self.slot, self.fine = slot, True
        self.wholes = {each.name for each in _sets(body) if each.value == flat.Held(slot, Known(0))}
        pools = {
            each.name for each in _sets(body) if isinstance(each.value, flat.UnseenTop) and self.whole(each.value.pile)
        }
        for part in parts(body):
            if isinstance(part, st.Set) and part.name in self.wholes | pools:
                own = part.value == flat.Held(slot, Known(0)) if part.name in self.wholes else self.pool(part.value)
                self.fine &= own
            if isinstance(part, st.Each | st.Gather | st.Notes) and part.name in self.wholes | pools:
                self.fine = False
        self.pools = pools
        settles = sum(isinstance(part, st.Settle) and part.slot == slot for part in parts(body))
        stores = sum(isinstance(part, st.Store) and part.slot == slot for part in parts(body))
        draws = any(isinstance(part, st.Draw) and self.mentions(part) for part in parts(body))
        paired = sum(1 for _ in self.pairs(body))
        self.fine &= settles == stores == paired and not (draws and settles)
        self.look(body)

    def whole(self, e: Any) -> bool:
        return e == flat.Held(self.slot, Known(0)) or (isinstance(e, flat.Name) and e.name in self.wholes)

    def pool(self, e: Any) -> bool:
        return isinstance(e, flat.UnseenTop) and self.whole(e.pile)

    def mentions(self, thing: Any) -> bool:
        return any(
            (isinstance(part, flat.Held) and part.slot == self.slot)
            or (isinstance(part, flat.Name) and part.name in self.wholes | self.pools)
            for part in parts(thing)
        )

    def pairs(self, body: tuple[st.Statement, ...]) -> Iterator[None]:
        """Each card that is settled and taken off at once."""
        waiting = False
        for s in body:
            match s:
                case st.Settle() if s.slot == self.slot:
                    self.fine &= not waiting and s.member == Known(0)
                    waiting = True
                case st.Store() if s.slot == self.slot:
                    self.fine &= waiting and isinstance(s.value, flat.ButLast) and self.whole(s.value.row)
                    waiting = False
                    yield None
                case st.If():
                    self.fine &= not waiting
                    yield from self.pairs(s.then)
                    yield from self.pairs(s.otherwise)
                case st.Each():
                    self.fine &= not waiting
                    yield from self.pairs(s.body)
                case _:
                    self.fine &= not waiting or isinstance(s, PLAIN)
        self.fine &= not waiting

    def look(self, thing: Any) -> None:
        """See what expressions ask of the pile."""
        match thing:
            case flat.Length(row=row) | flat.IsOne(value=row) | flat.LastOne(row=row) if self.whole(row):
                return
            case flat.UnseenTop(pile=row) if self.whole(row):
                return
            case flat.At(row=row, place=flat.Math(operator="-", left=flat.Length(row=same), right=Known(value=1))) if (
                self.whole(row) and row == same
            ):
                return
            case flat.IsOne(value=flat.Name(name=name)) | flat.Length(row=flat.Name(name=name)) if name in self.pools:
                return
            case st.Draw(urn=flat.Name(name=name)) if name in self.pools:
                return
            case st.Set(value=value) if self.whole(value) or self.pool(value):
                return
            case st.Store(value=flat.ButLast()) if thing.slot == self.slot:
                return
            case st.Settle() if thing.slot == self.slot:
                self.look(thing.card)
                return
            case flat.Held() if thing.slot == self.slot:
                self.fine = False
            case flat.Name() if thing.name in self.wholes | self.pools:
                self.fine = False
        if isinstance(thing, tuple):
            for each in thing:
                self.look(each)
        elif attrs.has(type(thing)):
            for field in attrs.fields(type(thing)):
                self.look(getattr(thing, field.name))


def _sets(body: tuple[st.Statement, ...]) -> list[st.Set]:
    return [part for part in parts(body) if isinstance(part, st.Set)]


# ------------------------------------------------------------------ operations


class Decking:
    """Writes what is done with decks."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, int] = {}
        """Variables that hold the whole of a deck, by their full names."""
        self.pools: dict[str, int] = {}
        """Variables that hold what its top card can be: how many there are of these."""
        self.tops: dict[str, str] = {}
        """Where the top card of the whole that a variable holds lies."""
        self.settled: dict[int, str] = {}
        """The card that is settled, and not yet taken off, where the text stands just now."""

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables of a body hold decks."""
        if not self.writer.home.decks:
            return
        for whole in (True, False):
            for each in _sets(body):
                name = self.writer.prefix + each.name
                if whole and (slot := self.whole(each.value)) is not None:
                    self.names[name], self.tops[name] = slot, self.writer.room()
                if not whole and (slot := self.pool(each.value)) is not None:
                    self.pools[name] = slot

    def whole(self, e: Flat) -> int | None:
        """The deck that a row is the whole of, if it is one."""
        match e:
            case flat.Held():
                return e.slot if e.slot in self.writer.home.decks else None
            case flat.Name():
                return self.names.get(self.writer.prefix + e.name)
            case _:
                return None

    def pool(self, e: Flat) -> int | None:
        """The deck whose pool is asked for, if it is one."""
        match e:
            case flat.UnseenTop():
                return self.whole(e.pile)
            case flat.Name():
                return self.pools.get(self.writer.prefix + e.name)
            case _:
                return None

    # -------------------------------------------------------------- what it holds

    def place(self, slot: int, member: int) -> str:
        """Where the cards (0) lie, or how many there are (1)."""
        return self.writer.home.cell_place(self.writer, slot, member)

    def counted(self, e: Flat) -> str:
        """How many cards a deck has, or how many its top can be."""
        slot = self.whole(e)
        if isinstance(e, flat.Name):
            return self.writer.load(self.writer.variable(e.name)[0])
        if slot is not None:
            return self.writer.load(self.place(slot, 1))
        assert isinstance(e, flat.UnseenTop)
        slot = self.whole(e.pile)
        assert slot is not None
        return "0" if slot in self.settled else self.counted(e.pile)

    def top(self, e: Flat, slot: int) -> str:
        """The top card: an unseen one unless it is settled."""
        if isinstance(e, flat.Name):
            return self.writer.load(self.tops[self.writer.prefix + e.name])
        if slot in self.settled:
            return self.settled[slot]
        nobody = self.writer.op(f"icmp eq i64 {self.counted(e)}, 0")
        return self.writer.op(f"select i1 {nobody}, i64 {NONE}, i64 {UNSEEN}")

    def set(self, s: st.Set) -> bool:
        """A variable holds a deck now; False if it is something else."""
        writer, name = self.writer, self.writer.prefix + s.name
        if name in self.names:
            slot = self.names[name]
            writer.store(self.counted(s.value), writer.variable(s.name)[0])
            writer.store(self.top(s.value, slot), self.tops[name])
            return True
        if name in self.pools:
            writer.store(self.counted(s.value), writer.variable(s.name)[0])
            return True
        return False

    def card(self, slot: int, place: str) -> str:
        """The card at a place of what its top can be."""
        writer, deck = self.writer, self.writer.home.decks[slot]
        writer.store(place, writer.home.last_place(slot))
        return card_at(writer, deck, writer.load(self.place(slot, 0)), place)

    # -------------------------------------------------------------- changes

    def settle(self, s: st.Settle) -> None:
        """The top card becomes this one, which leaves the pool."""
        writer, deck = self.writer, self.writer.home.decks[s.slot]
        card, cards = writer.n(s.card), self.place(s.slot, 0)
        top, count = writer.room(), writer.load(self.place(s.slot, 1))
        writer.store(str(NONE), top)

        def there() -> None:
            word, last = writer.load(cards), writer.load(writer.home.last_place(s.slot))
            near = writer.op(f"icmp ult i64 {last}, {count}")
            same = writer.op(f"icmp eq i64 {card_at(writer, deck, word, last)}, {card}")
            drawn, other, on = writer.fresh("drawn"), writer.fresh("other"), writer.fresh("on")
            where = writer.room()
            writer.store(last, where)
            writer.split(writer.op(f"and i1 {near}, {same}"), drawn, other, (2000, 1))
            writer.label(other)  # it was not drawn just now
            found = writer.op(f"call i64 @sought{deck.name}(i64 {word}, i64 {count}, i64 {card})")
            writer.store(found, where)

            def fails() -> None:
                give_up(writer, GAVE_UP)
                writer.leave()

            writer.when(writer.op(f"icmp eq i64 {found}, {count}"), fails)
            writer.go(drawn)
            writer.label(drawn)
            shift = writer.op(f"mul i64 {writer.load(where)}, {deck.bits}")
            below = writer.op(f"sub i64 {writer.op(f'shl i64 1, {shift}')}, 1")
            kept = writer.op(f"and i64 {word}, {below}")
            above = writer.op(f"xor i64 {below}, -1")
            moved = writer.op(f"and i64 {writer.op(f'lshr i64 {word}, {deck.bits}')}, {above}")
            writer.store(writer.op(f"or i64 {kept}, {moved}"), cards)
            writer.store(card, top)
            writer.go(on)
            writer.label(on)

        writer.when(writer.op(f"icmp ne i64 {count}, 0"), there)
        self.settled[s.slot] = writer.load(top)

    def taken(self, s: st.Store) -> None:
        """The top card is taken off, which is settled."""
        where = self.place(s.slot, 1)
        fewer = self.writer.op(f"sub i64 {self.writer.load(where)}, 1")
        self.writer.store(self.writer.op(f"call i64 @llvm.smax.i64(i64 {fewer}, i64 0)"), where)
        del self.settled[s.slot]


def card_at(code: Code, deck: Deck, word: str, place: str) -> str:
    """The card at a place of a packed pool."""
    shift = code.op(f"mul i64 {place}, {deck.bits}")
    field = code.op(f"and i64 {code.op(f'lshr i64 {word}, {shift}')}, {(1 << deck.bits) - 1}")
    return code.op(f"add i64 {field}, {deck.low}") if deck.low else field


def written(decks: dict[int, Deck]) -> list[str]:
    """The functions that are called for decks."""

    def sought(deck: Deck) -> Callable[[Code], None]:
        def write(code: Code) -> None:
            with code.loop("%n") as (at, _, _):
                same = code.op(f"icmp eq i64 {card_at(code, deck, '%word', at)}, %card")
                code.when(same, lambda: code.end(f"ret i64 {at}"))
            code.end("ret i64 %n")

        return write

    found: dict[str, str] = {}
    for deck in decks.values():
        header = f"define internal i64 @sought{deck.name}(i64 %word, i64 %n, i64 %card) noinline"
        found[deck.name] = function(header, sought(deck))
    return list(found.values())
