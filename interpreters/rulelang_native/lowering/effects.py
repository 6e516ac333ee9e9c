"""Effects: what changes on the table. Spec 9.2, 9.3 and 10.3.

Each reads in the order of the reference, then changes; a value that is read before a change is kept under a name.
"""

from __future__ import annotations

from typing import cast

from rulelang import limits
from rulelang.ir import effects as ir
from rulelang.ir.expressions import Place
from rulelang.ir.program import Marker, Zone
from rulelang.ir.types import CollectionType, OptionalType, RecordType, SingleType
from rulelang.play import kinds
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Failure
from rulelang_native.lowering.body import NEVER, Body, between
from rulelang_native.lowering.formulas import in_order, member, plus, simple, value


def effect(body: Body, effect: ir.Effect) -> None:
    """One effect on the table."""
    match effect:
        case ir.SetMarker():
            _set_marker(body, effect)
        case ir.MoveTop():
            _move_top(body, effect)
        case ir.MoveAt():
            _move_at(body, effect)
        case ir.MoveAll():
            _move_all(body, effect)
        case ir.MovePieces():
            _move_pieces(body, effect)
        case ir.Gather():
            _gather(body, effect)
        case ir.Settle():
            _settle(body, effect)
        case ir.PickUp():
            _pick_up(body, effect)
        case _:
            assert isinstance(effect, ir.Land)  # the others are part of the flow
            _land(body, effect)


def _set_marker(body: Body, effect: ir.SetMarker) -> None:
    slot = effect.marker.slot
    found, fact = value(body, effect.value)
    declared = cast(Marker, body.lowering.program.slots[slot])
    kind = declared.type
    single = cast(SingleType, kind.of if isinstance(kind, CollectionType) else kind)
    low, size = kinds.least(single), kinds.size(body.lowering.program, single)
    fits = fact.inside(low, low + size - 1)
    if isinstance(kind, CollectionType):
        fits = fits and fact.length <= kinds.bound(kind.capacity) and fact.depth == 1
    if not fits:
        found = body.simple(found)
    which = member(body, effect.marker)
    failure = Failure("no_fit", slot)
    if isinstance(kind, CollectionType):
        if not fits:
            most = kinds.bound(kind.capacity)
            inside = flat.Compare("==", flat.Within(found, low, low + size - 1), found)
            short = flat.Compare("<=", flat.Length(found), Known(most))
            body.check(flat.All((short, inside)), failure, found)
        if kind.shape == "bag":
            found = in_order(found, fact)
    elif not fits:
        body.check(between(found, fact, low, low + size - 1) if size else NEVER, failure, found)
    body.add(st.Store(slot, which, found))


# ------------------------------------------------------------------ moving pieces


def _places(body: Body, source: Place, target: Place) -> tuple[Flat, Flat]:
    return body.simple(member(body, source)), body.simple(member(body, target))


def _move_top(body: Body, effect: ir.MoveTop) -> None:
    count, fact = value(body, effect.count)
    source, target = _places(body, effect.source, effect.target)
    pile = body.keep(flat.Held(effect.source.slot, source))
    if count == Known(1):
        rest: Flat = flat.ButLast(pile)
        packet: Flat = flat.LastOne(pile)
    else:
        wanted = count if fact.low >= 0 else flat.Math("max", Known(0), count)
        left = body.keep(flat.Math("max", Known(0), flat.Math("-", flat.Length(pile), wanted)))
        rest, packet = flat.Stretch(pile, Known(0), left), flat.Stretch(pile, left, None)
    body.add(st.Store(effect.source.slot, source, rest))
    _lay(body, packet, effect.target.slot, target, effect.end)


def _move_at(body: Body, effect: ir.MoveAt) -> None:
    position, _ = simple(body, effect.position)
    source, target = _places(body, effect.source, effect.target)
    pile = body.keep(flat.Held(effect.source.slot, source))
    packet = body.name()
    body.add(st.Set(packet, Known(())))
    there = (flat.Compare("<=", Known(1), position), flat.Compare("<=", position, flat.Length(pile)))
    before = flat.Math("-", position, Known(1))
    taken = st.Set(packet, flat.Items((flat.At(pile, before),)))
    rest = flat.Joined(flat.Stretch(pile, Known(0), before), flat.Stretch(pile, position, None))
    body.add(st.If(flat.All(there), (taken, st.Store(effect.source.slot, source, rest))))
    _lay(body, flat.Name(packet), effect.target.slot, target, effect.end)


def _move_all(body: Body, effect: ir.MoveAll) -> None:
    source, target = _places(body, effect.source, effect.target)
    pieces = body.keep(flat.Held(effect.source.slot, source))
    body.add(st.Store(effect.source.slot, source, Known(())))
    _lay(body, pieces, effect.target.slot, target, effect.end)


def _move_pieces(body: Body, effect: ir.MovePieces) -> None:
    named, fact = simple(body, effect.pieces)
    source, target = _places(body, effect.source, effect.target)
    slot = effect.source.slot
    failure = Failure("not_there", slot)
    rest = body.name()
    body.add(st.Set(rest, flat.Held(slot, source)))
    if fact.depth < 1:
        body.check(flat.Has(flat.Name(rest), named), failure, source, named)
        body.add(st.Store(slot, source, flat.TakenOut(flat.Name(rest), named)))
        _lay(body, flat.Items((named,)), effect.target.slot, target, effect.end)
        return
    piece = body.name("x")
    with body.inside(loop=True) as each:
        body.check(flat.Has(flat.Name(rest), flat.Name(piece)), failure, source, flat.Name(piece))
        body.add(st.Set(rest, flat.TakenOut(flat.Name(rest), flat.Name(piece))))
    body.add(st.Each(piece, named, tuple(each)))
    body.add(st.Store(slot, source, flat.Name(rest)))
    _lay(body, named, effect.target.slot, target, effect.end)


def _gather(body: Body, effect: ir.Gather) -> None:
    lowering = body.lowering
    slot = effect.target.slot
    target = body.simple(member(body, effect.target))
    together = body.name()
    body.add(st.Set(together, Known(())))
    for zone in sorted(set(effect.zones)):
        count = lowering.layout.families[zone].count
        which = body.name("x")
        held = flat.Held(zone, flat.Name(which))
        inner: tuple[st.Statement, ...] = (
            st.Set(together, flat.Joined(flat.Name(together), held)),
            st.Store(zone, flat.Name(which), Known(())),
        )
        if zone == slot:
            inner = (st.If(flat.Compare("!=", flat.Name(which), target), inner),)
        body.add(st.Each(which, flat.Span(Known(0), Known(count - 1)), inner))
    _lay(body, flat.Name(together), slot, target, "top")


def _lay(body: Body, packet: Flat, slot: int, member: Flat, end: ir.End) -> None:
    """Pieces come to lie in a zone: on a pile or under it, into a bag, or into an empty slot."""
    zone = cast(Zone, body.lowering.program.slots[slot])
    lying: Flat = flat.Held(slot, member)
    if zone.shape == "slot" or body.lowering.crowded:
        most = 1 if zone.shape == "slot" else limits.COLLECTION
        packet, lying = body.simple(packet), body.simple(lying)
        size = flat.Math("+", flat.Length(lying), flat.Length(packet))
        body.check(flat.Compare("<=", size, Known(most)), Failure("no_room", slot, most), member)
    together = flat.Joined(packet, lying) if end == "bottom" else flat.Joined(lying, packet)
    body.add(st.Store(slot, member, flat.Sorted(together) if zone.shape == "bag" else together))


def _settle(body: Body, effect: ir.Settle) -> None:
    card, _ = value(body, effect.card)
    which = body.simple(member(body, effect.pile))
    body.fails = True
    failure = body.lowering.failure(Failure("not_there", effect.pile.slot))
    body.add(st.Settle(effect.pile.slot, which, body.simple(card), failure))


# ------------------------------------------------------------------ dice


def _without_face(body: Body, kind: RecordType, piece: Flat) -> Flat:
    """A piece with no face: the last part is none, which is the least code of a kind that may be none."""
    faces = kinds.size(body.lowering.program, kind.fields[-1].type)
    return flat.Math("-", piece, flat.Math("%", piece, Known(faces)))


def _pick_up(body: Body, effect: ir.PickUp) -> None:
    kind = cast(RecordType, effect.type)
    slot = effect.zone.slot
    which = body.simple(member(body, effect.zone))
    gathered, piece = body.name("g"), body.name("x")
    body.add(st.Gather(gathered))
    put = st.Put(gathered, _without_face(body, kind, flat.Name(piece)))
    body.add(st.Each(piece, flat.Held(slot, which), (put,)))
    body.add(st.Store(slot, which, _arranged(body, slot, flat.Finished(gathered))))


def _land(body: Body, effect: ir.Land) -> None:
    kind = cast(RecordType, effect.type)
    slot = effect.zone.slot
    face, fact = simple(body, effect.face)
    which = body.simple(member(body, effect.zone))
    pieces = body.keep(flat.Held(slot, which))
    gathered, piece = body.name("g"), body.name("x")
    body.add(st.Gather(gathered))
    faceless = flat.Compare("==", flat.Name(piece), _without_face(body, kind, flat.Name(piece)))
    body.add(st.Each(piece, pieces, (st.If(faceless, (st.Put(gathered, flat.Name(piece)),)),)))
    row = body.keep(flat.Finished(gathered))
    body.check(flat.IsOne(row), Failure("no_piece_without_face", slot), which)
    least = body.keep(flat.Best(False, row))
    last = cast(OptionalType, kind.fields[-1].type)
    low, size = kinds.least(last), kinds.size(body.lowering.program, last)
    failure = Failure("no_face", low, words=(kind.name, ""))
    body.check(between(face, fact, low, low + size - 1), failure, face)
    shown = flat.Math("+", least, plus(face, Known(-low)))
    body.add(st.Store(slot, which, _arranged(body, slot, flat.Replaced(pieces, least, shown))))


def _arranged(body: Body, slot: int, pieces: Flat) -> Flat:
    bag = cast(Zone, body.lowering.program.slots[slot]).shape == "bag"
    return flat.Sorted(pieces) if bag else pieces
