"""Does every node get the values it works on, and every effect places that fit it? Spec 9, 10 and 13."""

from typing import assert_never

import attrs

from rulelang.ir.codec import Path
from rulelang.ir.effects import (
    Effect,
    Gather,
    Land,
    MoveAll,
    MoveAt,
    MovePieces,
    MoveTop,
    PickUp,
    SetLocal,
    SetMarker,
    Settle,
    Shuffle,
)
from rulelang.ir.expressions import Place
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import (
    Aborted,
    Amounts,
    AnyOf,
    AnyOfSeats,
    Branch,
    Call,
    Chance,
    Decide,
    Do,
    End,
    Grade,
    Leave,
    Loop,
    OneSeat,
    Outcome,
    Return,
    SealedSeats,
    TopOf,
    Unresolved,
    Winners,
    names_who_moved,
)
from rulelang.ir.program import Zone
from rulelang.ir.types import FieldType, OptionalType, RecordType
from rulelang.ir.verify.formulas import Formulas, Scope
from rulelang.ir.verify.kinds import FLAG, NUMBER, SEAT, Many, of_single, of_slot
from rulelang.ir.verify.searches import bind


def check(formulas: Formulas, known: dict[int, int]) -> None:
    """Look at every node that can be reached; `known` says which locals have values there."""
    for number, procedure in enumerate(formulas.program.procedures):
        scope = Scope(("procedure", number), len(procedure.locals), 0)
        for node in reachable(formulas.program, procedure.entry):
            Nodes(formulas, attrs.evolve(scope, known=known[node]), f"/nodes/{node}").check(node)


@attrs.frozen
class Nodes:
    """Looks at one node."""

    formulas: Formulas
    scope: Scope
    path: str

    def check(self, number: int) -> None:
        """Look at the node with this number, which stands at the path."""
        formulas, scope, path = self.formulas, self.scope, self.path
        node = formulas.program.nodes[number]
        match node:
            case Do():
                self._effect(node.effect, (path, "effect"))
            case Branch():
                formulas.flag(node.condition, (path, "condition"), scope)
            case Loop():
                self._loop(node)
            case Call():
                for place, argument in enumerate(node.arguments):
                    here: Path = ((path, "arguments"), place)
                    kind = formulas.kind(argument, here, scope)
                    formulas.put(("procedure", node.procedure), place, kind, here)
            case Return() | Leave():
                pass
            case Decide():
                self._decide(node)
            case Chance():
                self._chance(node)
            case End():
                self._outcome(node.outcome, (path, "outcome"))
            case _:
                assert_never(node)

    def _loop(self, node: Loop) -> None:
        items = self.formulas.many(node.items, (self.path, "items"), self.scope)
        self.formulas.single(node.position, (self.path, "position"), self.scope)
        self.formulas.put(self.scope.frame, node.item.number, items.of, (self.path, "item"))

    def _decide(self, node: Decide) -> None:
        formulas, path = self.formulas, self.path
        match node.asked:
            case OneSeat():
                formulas.fits(node.asked.seat, SEAT, ((path, "asked"), "seat"), self.scope)
            case SealedSeats():
                formulas.fits(node.asked.seats, Many(None, SEAT), ((path, "asked"), "seats"), self.scope)
                if node.asked.first_only and not node.asked.may_pass:
                    formulas.report.add((path, "asked"), "whoever is asked in a window may pass")
            case AnyOfSeats():
                formulas.fits(node.asked.seats, Many(None, SEAT), ((path, "asked"), "seats"), self.scope)
            case _:
                assert_never(node.asked)
        if node.answered is not None:
            kind = SEAT if names_who_moved(node.asked) else FLAG
            formulas.put(self.scope.frame, node.answered.number, kind, (path, "answered"))
        formulas.words(node.words, (path, "words"), self.scope)

    def _chance(self, node: Chance) -> None:
        formulas = self.formulas
        here: Path = (self.path, "distribution")
        match node.distribution:
            case AnyOf():
                of = formulas.many(node.distribution.collection, (here, "collection"), self.scope).of
            case TopOf():
                zone = self._zone(node.distribution.pile, (here, "pile"), "pile")
                of = of_single(zone.content) if zone is not None else None
            case _:
                assert_never(node.distribution)
        formulas.fits(node.distribution.none, of, (here, "none"), self.scope)
        if isinstance(of, Many):
            formulas.report.add(here, f"chance gives one value, not {of}")
        formulas.put(self.scope.frame, node.result.number, of, (self.path, "result"))

    def _outcome(self, outcome: Outcome, path: Path) -> None:
        formulas, scope = self.formulas, self.scope
        match outcome:
            case Winners() | Unresolved():
                formulas.fits(outcome.seats, Many(None, SEAT), (path, "seats"), scope)
            case Amounts():
                formulas.fits(outcome.seats, Many(None, SEAT), (path, "seats"), scope)
                inner = bind(formulas, outcome.variable, SEAT, (path, "variable"), scope)
                formulas.fits(outcome.amount, NUMBER, (path, "amount"), inner)
            case Grade():
                formulas.single(outcome.grade, (path, "grade"), scope)
            case Aborted():
                pass
            case _:
                assert_never(outcome)

    # -------------------------------------------------------------- effects

    def _effect(self, effect: Effect, path: Path) -> None:
        formulas, scope = self.formulas, self.scope
        match effect:
            case SetMarker():
                formulas.place(effect.marker, (path, "marker"), scope)
                slot = effect.marker.slot
                if isinstance(formulas.program.slots[slot], Zone):
                    formulas.report.add((path, "marker"), f"'{formulas.program.slots[slot].name}' is no marker")
                elif slot == formulas.program.clock:
                    formulas.report.add((path, "marker"), "only readings and expiries set the clock")
                formulas.fits(effect.value, of_slot(formulas.program, slot), (path, "value"), scope)
            case SetLocal():
                kind = formulas.kind(effect.value, (path, "value"), scope)
                formulas.put(scope.frame, effect.local.number, kind, (path, "value"))
            case MoveTop() | MoveAt() | MoveAll() | MovePieces():
                self._move(effect, path)
            case Gather():
                self._gather(effect, path)
            case Shuffle() | Settle():
                zone = self._zone(effect.pile, (path, "pile"), "pile")
                if zone is not None and not zone.blind:
                    formulas.report.add((path, "pile"), f"no unseen cards can lie in '{zone.name}'")
                if isinstance(effect, Settle):
                    content = of_single(zone.content) if zone is not None else None
                    formulas.fits(effect.card, content, (path, "card"), scope)
            case PickUp() | Land():
                self._dice(effect, path)
            case _:
                assert_never(effect)

    def _move(self, effect: MoveTop | MoveAt | MoveAll | MovePieces, path: Path) -> None:
        """Pieces go only where such pieces lie; unseen ones only by position and only where they may lie."""
        formulas, report = self.formulas, self.formulas.report
        source = self._zone(effect.source, (path, "source"), "pile" if isinstance(effect, MoveTop | MoveAt) else None)
        target = self._zone(effect.target, (path, "target"))
        if source is None or target is None:
            return
        if source.content != target.content:
            report.add(path, f"what lies in '{source.name}' is of another kind than what lies in '{target.name}'")
        content = of_single(source.content)
        match effect:
            case MoveTop():
                formulas.single(effect.count, (path, "count"), self.scope)
            case MoveAt():
                formulas.single(effect.position, (path, "position"), self.scope)
                if source.blind:
                    report.add(path, f"nothing may look for pieces in '{source.name}'")
            case MoveAll():
                if source.blind and not target.blind:
                    report.add(path, f"unseen cards of '{source.name}' cannot lie in '{target.name}'")
            case MovePieces():
                kind = formulas.kind(effect.pieces, (path, "pieces"), self.scope)
                formulas.fits(
                    effect.pieces,
                    Many(None, content) if isinstance(kind, Many) else content,
                    (path, "pieces"),
                    self.scope,
                )
                if source.blind:
                    report.add(path, f"nothing may look for pieces in '{source.name}'")
            case _:
                assert_never(effect)

    def _gather(self, effect: Gather, path: Path) -> None:
        program, report = self.formulas.program, self.formulas.report
        target = self._zone(effect.target, (path, "target"))
        if target is not None and target.shape == "slot":
            report.add((path, "target"), f"'{target.name}' holds only one piece")
        for number in effect.zones:
            slot = program.slots[number]
            if not isinstance(slot, Zone):
                report.add((path, "zones"), f"'{slot.name}' is no zone")
            elif target is not None and slot.content != target.content:
                report.add((path, "zones"), f"what lies in '{slot.name}' is of another kind than in '{target.name}'")
            elif target is not None and slot.blind and not target.blind:
                report.add((path, "zones"), f"unseen cards of '{slot.name}' cannot lie in '{target.name}'")

    def _dice(self, effect: PickUp | Land, path: Path) -> None:
        """Dice are records of a piece and a face or none."""
        zone = self._zone(effect.zone, (path, "zone"))
        if zone is not None and zone.content != effect.type:
            self.formulas.report.add((path, "type"), f"this is not what lies in '{zone.name}'")
        match effect.type:
            case RecordType(fields=(_, FieldType(type=OptionalType() as face))):
                wanted = of_single(face)
            case _:
                self.formulas.report.add((path, "type"), "dice are records of a piece and a face or none")
                return
        if isinstance(effect, Land):
            self.formulas.fits(effect.face, wanted, (path, "face"), self.scope)

    def _zone(self, place: Place, path: Path, shape: str | None = None) -> Zone | None:
        """The zone that a place is, its indices looked at; None (and a report) if it is no such zone."""
        self.formulas.place(place, path, self.scope)
        slot = self.formulas.program.slots[place.slot]
        if not isinstance(slot, Zone):
            self.formulas.report.add(path, f"'{slot.name}' is no zone")
            return None
        if shape is not None and slot.shape != shape:
            self.formulas.report.add(path, f"'{slot.name}' is no {shape}")
            return None
        return slot
