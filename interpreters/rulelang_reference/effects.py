"""Effects: what changes on the table, one function an effect. Spec 9.2, 9.3, 10.3 and 10.4.

Each says what it costs, what it reads, what it changes, and whom that is shown to. Nothing is shown by an effect
itself: views are built from the table, by the sight of the zone or marker that changed.
"""

from collections.abc import Callable
from typing import Any, cast

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, COUNTER_OVERFLOW, PIECE_NOT_THERE
from rulelang.ir import effects as ir
from rulelang.ir.expressions import Place, Value
from rulelang.ir.program import Marker, Zone
from rulelang.ir.types import CollectionType, OptionalType, RecordType, SingleType, Type
from rulelang.play import kinds
from rulelang.play.formulas import cell_of, evaluate, member_of, number
from rulelang.play.reasons import declared, exhausted
from rulelang.play.words import place_name, speak
from rulelang_reference.chance import drawn, free_pool
from rulelang_reference.machine import Run
from rulelang_reference.state import UNSEEN, pool_of

# ------------------------------------------------------------------ markers and locals


def set_marker(run: Run, effect: ir.SetMarker) -> None:
    """The marker now says this value."""
    # COST
    run.spend()
    # READS
    value = evaluate(effect.value, run.context)
    cell = cell_of(effect.marker, run.context)
    # CHANGES
    run.cells[cell] = fitting(run, effect.marker.slot, value)
    # SHOWN TO: whoever sees the marker


def fitting(run: Run, slot: int, value: Value) -> Value:
    """The value as the marker keeps it (bags sorted); outside its kind the limit refuses."""
    marker = cast(Marker, run.program.slots[slot])
    if _fits(run, marker.type, value):
        sort = isinstance(marker.type, CollectionType) and marker.type.shape == "bag"
        return tuple(sorted(cast(tuple[int, ...], value))) if sort else value
    kind: Type = marker.type.of if isinstance(marker.type, CollectionType) else marker.type
    codes = kinds.all_codes(run.program, cast(SingleType, kind))
    low, high = (speak(run.program, kind, code) for code in (codes[0], codes[-1])) if codes else ("nothing", "nothing")
    said = speak(run.program, kind, value)
    raise declared(exhausted(COUNTER_OVERFLOW, word=marker.name, value=said, low=low, high=high), marker.at)


def _fits(run: Run, kind: Type, value: Value) -> bool:
    if isinstance(kind, CollectionType):
        most = kinds.bound(kind.capacity)
        return isinstance(value, tuple) and len(value) <= most and all(_fits(run, kind.of, each) for each in value)
    return kinds.contains(run.program, cast(SingleType, kind), value)


def set_local(run: Run, effect: ir.SetLocal) -> None:
    """The frame remembers this value."""
    # COST
    run.spend()
    # READS
    value = evaluate(effect.value, run.context)
    # CHANGES
    run.frame.locals[effect.local.number] = value
    # SHOWN TO: nobody; a local is no thing on the table


# ------------------------------------------------------------------ moving pieces


def move_top(run: Run, effect: ir.MoveTop) -> None:
    """The top so many cards of a pile, as one packet; all there are, if fewer."""
    # COST
    run.spend()
    # READS
    count = max(0, number(effect.count, run.context))
    source, target = cell_of(effect.source, run.context), cell_of(effect.target, run.context)
    pile = run.pieces(source)
    rest = max(0, len(pile) - count)
    # CHANGES
    run.cells[source] = pile[:rest]
    lay(run, pile[rest:], effect.target, target, effect.end)
    # SHOWN TO: whoever sees the zone that it left, or the zone where it lies now


def move_at(run: Run, effect: ir.MoveAt) -> None:
    """The piece at a position of a pile; the others keep their order. Nothing, if there is no such position."""
    # COST
    run.spend()
    # READS
    position = number(effect.position, run.context)
    source, target = cell_of(effect.source, run.context), cell_of(effect.target, run.context)
    pile = run.pieces(source)
    there = range(position - 1, position) if 1 <= position <= len(pile) else range(0)
    # CHANGES
    run.cells[source] = tuple(piece for place, piece in enumerate(pile) if place not in there)
    lay(run, tuple(pile[place] for place in there), effect.target, target, effect.end)
    # SHOWN TO: whoever sees the zone that it left, or the zone where it lies now


def move_all(run: Run, effect: ir.MoveAll) -> None:
    """Everything that lies there, in its order."""
    # COST
    run.spend()
    # READS
    source, target = cell_of(effect.source, run.context), cell_of(effect.target, run.context)
    pieces = run.pieces(source)
    # CHANGES
    run.cells[source] = ()
    lay(run, pieces, effect.target, target, effect.end)
    # SHOWN TO: whoever sees the zone that it left, or the zone where it lies now


def move_pieces(run: Run, effect: ir.MovePieces) -> None:
    """These pieces, from a pile the topmost equal ones; as one packet in the order in which they are named."""
    # COST
    run.spend()
    # READS
    named = evaluate(effect.pieces, run.context)
    pieces = cast(tuple[int, ...], named if isinstance(named, tuple) else (named,))
    source, target = cell_of(effect.source, run.context), cell_of(effect.target, run.context)
    rest = list(run.pieces(source))
    for piece in pieces:
        if piece not in rest:
            raise _not_there(run, effect.source, piece)
        del rest[len(rest) - 1 - rest[::-1].index(piece)]
    # CHANGES
    run.cells[source] = tuple(rest)
    lay(run, pieces, effect.target, target, effect.end)
    # SHOWN TO: whoever sees the zone that it left, or the zone where it lies now


def gather(run: Run, effect: ir.Gather) -> None:
    """Everything from all the zones, in slot order, on top of what lies in the target already."""
    # COST
    run.spend()
    # READS
    target = cell_of(effect.target, run.context)
    families = [run.game.layout.families[slot] for slot in sorted(set(effect.zones))]
    cells = [family.base + member for family in families for member in range(family.count)]
    sources = [cell for cell in cells if cell != target]
    pieces = tuple([piece for cell in sources for piece in run.pieces(cell)])
    # CHANGES
    for cell in sources:
        run.cells[cell] = ()
    lay(run, pieces, effect.target, target, "top")
    # SHOWN TO: whoever sees the zones that they left, or the zone where they lie now


def lay(run: Run, pieces: tuple[int, ...], place: Place, cell: int, end: ir.End) -> None:
    """Pieces come to lie in a zone: on a pile or under it, into a bag, or into an empty slot."""
    zone = cast(Zone, run.program.slots[place.slot])
    lying = run.pieces(cell)
    most = 1 if zone.shape == "slot" else limits.COLLECTION
    if len(lying) + len(pieces) > most:
        raise declared(exhausted(CAPACITY_EXHAUSTED, zone=_name(run, place), limit=most), zone.at)
    together = pieces + lying if end == "bottom" else lying + pieces
    run.cells[cell] = tuple(sorted(together)) if zone.shape == "bag" else together


def _not_there(run: Run, place: Place, piece: int) -> Exception:
    zone = cast(Zone, run.program.slots[place.slot])
    return exhausted(PIECE_NOT_THERE, zone=_name(run, place), value=speak(run.program, zone.content, piece))


def _name(run: Run, place: Place) -> str:
    return place_name(run.program, place.slot, member_of(place, run.context))


# ------------------------------------------------------------------ unseen cards


def shuffle(run: Run, effect: ir.Shuffle) -> None:
    """The pile's cards become unseen, over one new pool; a pile that is unseen over one pool already stays as it is.

    Before this, ``run`` has let chance settle what the pile shares with other piles (``chance.first_shared``).
    """
    # COST
    run.spend()
    # READS
    cell = cell_of(effect.pile, run.context)
    pile = run.pieces(cell)
    absorbed = {pool for card in pile if (pool := pool_of(card)) is not None}
    if not pile or (len(set(pile)) == 1 and absorbed):
        return
    cards = [card for card in pile if pool_of(card) is None]
    # CHANGES
    for pool in absorbed:
        cards += run.pools[pool]
        run.pools[pool] = ()
    pool = free_pool(run.pools)
    run.pools[pool] = tuple(sorted(cards))
    run.cells[cell] = (UNSEEN - pool,) * len(pile)
    # SHOWN TO: nobody


def settle(run: Run, effect: ir.Settle) -> None:
    """The top position of the pile, if unseen, becomes this card, which leaves its pool."""
    # COST
    run.spend()
    # READS
    card = number(effect.card, run.context)
    cell = cell_of(effect.pile, run.context)
    pile = run.pieces(cell)
    pool = pool_of(pile[-1]) if pile else None
    if pool is None:
        return
    if card not in run.pools[pool]:
        raise _not_there(run, effect.pile, card)
    # CHANGES
    run.pools[pool] = drawn(run.pools[pool], card)
    run.cells[cell] = (*pile[:-1], card)
    # SHOWN TO: whoever sees the pile's top


# ------------------------------------------------------------------ dice


def pick_up(run: Run, effect: ir.PickUp) -> None:
    """All pieces lose their face, the last part of their kind."""
    # COST
    run.spend()
    # READS
    kind = cast(RecordType, effect.type)
    cell = cell_of(effect.zone, run.context)
    # CHANGES
    run.cells[cell] = _arranged(run, effect.zone, [_with_face(run, kind, each, None) for each in run.pieces(cell)])
    # SHOWN TO: whoever sees the zone


def land(run: Run, effect: ir.Land) -> None:
    """The least piece without a face now shows this face."""
    # COST
    run.spend()
    # READS
    kind = cast(RecordType, effect.type)
    face = number(effect.face, run.context)
    cell = cell_of(effect.zone, run.context)
    pieces = list(run.pieces(cell))
    faceless = [piece for piece in pieces if piece == _with_face(run, kind, piece, None)]
    if not faceless:
        raise exhausted(PIECE_NOT_THERE, zone=_name(run, effect.zone), value="a piece without a face")
    # CHANGES
    pieces[pieces.index(min(faceless))] = _with_face(run, kind, min(faceless), face)
    run.cells[cell] = _arranged(run, effect.zone, pieces)
    # SHOWN TO: whoever sees the zone


def _with_face(run: Run, kind: RecordType, piece: int, face: int | None) -> int:
    """The piece showing a face, or none; the face is the last part of its kind."""
    last = cast(OptionalType, kind.fields[-1].type)
    shown = kinds.none_code(last) if face is None else face
    code = kinds.join(run.program, kind, (*kinds.split(run.program, kind, piece)[:-1], shown))
    if code is None:
        raise exhausted(COUNTER_OVERFLOW, word=kind.name, value=face, low=kinds.least(last), high="its last face")
    return code


def _arranged(run: Run, place: Place, pieces: list[int]) -> tuple[int, ...]:
    """The pieces as their zone keeps them: sorted in a bag, else in their order."""
    return tuple(sorted(pieces)) if cast(Zone, run.program.slots[place.slot]).shape == "bag" else tuple(pieces)


EFFECTS: dict[type, Callable[[Run, Any], None]] = {
    ir.SetMarker: set_marker,
    ir.SetLocal: set_local,
    ir.MoveTop: move_top,
    ir.MoveAt: move_at,
    ir.MoveAll: move_all,
    ir.MovePieces: move_pieces,
    ir.Gather: gather,
    ir.Shuffle: shuffle,
    ir.Settle: settle,
    ir.PickUp: pick_up,
    ir.Land: land,
}
