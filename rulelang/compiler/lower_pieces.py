"""Moving pieces, shuffling, gathering, rolling. Spec 9.3, 10.3 and 10.4."""

from typing import TYPE_CHECKING, Literal

from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.blind import zone_of
from rulelang.checker.declared import shape_of
from rulelang.checker.places import SlotRef, place, timer_of
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import FormulaLowering
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Related
from rulelang.ir import effects, nodes, types
from rulelang.ir import expressions as ir
from rulelang.ir.effects import Effect, End, MoveAll, MoveAt, MovePieces, MoveTop, SetLocal, SetMarker
from rulelang.ir.filled import is_filled
from rulelang.ir.origin import Source

ZERO, ONE = ir.Constant(0), ir.Constant(1)


class PieceLowering:
    """What touches zones; lowered in the frame of a body."""

    c: Compilation
    f: FormulaLowering
    frame: Frame

    if TYPE_CHECKING:

        def loop(
            self,
            loop: int,
            item: ir.Local,
            items: ir.Expression,
            capacity: ir.Expression,
            body: int,
            after: int,
            at: Source,
        ) -> int: ...

    def do(self, effect: Effect, after: int, at: Source) -> int:
        """One effect, then on."""
        return self.c.emit(nodes.Do(effect, after, at))

    def zone(self, node: ast.Expr) -> ast.Zone:
        found = zone_of(node, self.c.checked.names, self.c.checked.types)
        assert found is not None
        return found

    # ------------------------------------------------------------------ put

    def put(self, node: ast.Put, after: int) -> int:
        source_zone, target_zone = self.zone(node.source), self.zone(node.target)
        self.same_numbers(node, source_zone, target_zone)
        settles = source_zone in self.c.checked.blind and target_zone not in self.c.checked.blind
        origin, target = self.f.zone_place(node.source, self.frame), self.f.zone_place(node.target, self.frame)
        end: End = "bottom" if node.where == "under" else "top"
        at = source(node, node.citations)
        what = node.what
        if self.is_word(what, "top"):
            count = self.f.lower(what.arguments[0], self.frame) if isinstance(what, ast.Apply) else ONE  # type: ignore[arg-type]
            if not settles:
                return self.do(MoveTop(origin, count, target, end), after, at)
            if count == ONE:
                return self.deal(origin, target, end, source_zone, after, at)
            there = ir.Smaller(count, ir.Size(ir.Read(origin)))
            return self.deal_many(ir.Span(ONE, there, self.f.pieces_in(node.source)), node, origin, target, end, after)
        if self.is_word(what, "position") and isinstance(what, ast.Apply):
            position = self.f.lower(what.arguments[0], self.frame)  # type: ignore[arg-type]
            return self.do(MoveAt(origin, position, target, end), after, at)
        if self.is_word(what, "everything"):
            if not settles:
                return self.do(MoveAll(origin, target, end), after, at)
            size = ir.Size(ir.Read(origin))
            return self.deal_many(ir.Span(ONE, size, self.f.pieces_in(node.source)), node, origin, target, end, after)
        if self.is_word(what, "random"):
            return self.draw(origin, target, source_zone, end, after, at)
        pieces = self.pieces(what, source_zone)
        return self.do(MovePieces(pieces, origin, target, end), after, at)

    def content(self, zone: ast.Zone) -> types.SingleType:
        """What lies in a zone."""
        return self.f.types.single(self.c.checked.declared.kinds[zone])

    def same_numbers(self, node: ast.Put, origin: ast.Zone, target: ast.Zone) -> None:
        """Report pieces that would come among others: numbers are of one kind for formulas, but not for zones."""
        if self.content(origin) != self.content(target):
            self.c.findings.report(
                codes.PUT_BETWEEN_KINDS,
                node.at,
                found=f"What lies in '{origin.name}'",
                word=target.name,
                wanted="other numbers",
                related=tuple(Related(zone.type.at, f"'{zone.name}' is declared here") for zone in (origin, target)),
                hint="declare both with the same kind of piece, such as a name of 'values'",
            )

    def is_word(self, what: ast.Expr, word: str) -> bool:
        if isinstance(what, ast.Apply):
            what = what.function
        return isinstance(what, ast.Name) and what.name == word and what not in self.c.checked.names.uses

    def pieces(self, what: ast.Expr, zone: ast.Zone) -> ir.Expression:
        """The pieces named: one code or a collection of codes."""
        content = self.c.checked.declared.kinds[zone]
        if isinstance(self.f.kind(what), kinds.Collection):
            return self.f.lower(what, self.frame)
        return self.f.lower(what, self.frame, kinds.Optional(content))

    def deal(self, origin: ir.Place, target: ir.Place, end: End, zone: ast.Zone, after: int, at: Source) -> int:
        """The top card of an unseen pile is found out by chance, then laid down."""
        card = self.frame.fresh("card")
        move = self.do(MoveTop(origin, ONE, target, end), after, at)
        settle = self.do(effects.Settle(origin, card), move, at)
        none = self.f.types.none(self.c.checked.declared.kinds[zone])
        return self.c.emit(nodes.Chance(nodes.TopOf(origin, none), card, settle, at))

    def deal_many(self, items: ir.Span, node: ast.Put, origin: ir.Place, target: ir.Place, end: End, after: int) -> int:
        """Several cards of an unseen pile, one after another from the top."""
        at = source(node, node.citations)
        loop = self.c.reserve()
        body = self.deal(origin, target, end, self.zone(node.source), loop, at)
        return self.loop(loop, self.frame.fresh("card number"), items, items.capacity, body, after, at)

    def draw(self, origin: ir.Place, target: ir.Place, zone: ast.Zone, end: End, after: int, at: Source) -> int:
        """Any piece of a bag with equal chance; from an empty bag nothing."""
        piece = self.frame.fresh("piece")
        none = self.f.types.none(self.c.checked.declared.kinds[zone])
        move = self.do(MovePieces(piece, origin, target, end), after, at)
        test = self.c.emit(nodes.Branch(ir.Equal(piece, none), after, move, at))
        return self.c.emit(nodes.Chance(nodes.AnyOf(ir.Read(origin), none), piece, test, at))

    # ------------------------------------------------------------------ commands

    def command(self, node: ast.Command, after: int) -> int:
        at = source(node, node.citations)
        timer = timer_of(node.object, self.c.checked.names)
        if timer is not None:
            return self.timed(timer, node.verb, after, at)
        verb: Literal["shuffle", "gather", "roll"] = node.verb  # type: ignore[assignment]
        if verb == "shuffle":
            return self.do(effects.Shuffle(self.f.zone_place(node.object, self.frame)), after, at)
        if verb == "gather":
            assert node.to is not None
            target = self.zone(node.to)
            if shape_of(target) == "slot":
                self.f.misplaced(node.to, "a slot", "a pile or a bag", "a slot holds one piece")
            content = self.content(target)
            zones = tuple(
                number
                for slot, number in self.c.numbers.slots.items()
                if isinstance(slot, ast.Zone) and self.content(slot) == content
            )
            return self.do(effects.Gather(zones, self.f.zone_place(node.to, self.frame)), after, at)
        ref = place(node.object, self.c.checked.names)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Marker):
            return self.roll_marker(node, after, at)
        return self.roll_dice(node, after, at)

    def timed(self, timer: ast.Timer, verb: str, after: int, at: Source) -> int:
        """``start``, ``pause``, ``resume``, ``reset``."""
        condition, changes = self.f.timers.changes(timer, verb)
        entry = after
        for change in reversed(changes):
            entry = self.do(change, entry, at)
        return entry if condition is None else self.c.emit(nodes.Branch(condition, entry, after, at))

    def roll_marker(self, node: ast.Command, after: int, at: Source) -> int:
        if node.source is not None:
            return self.roll_from(node, node.source, after, at)
        kind = kinds.bare(self.f.kind(node.object))
        result = self.frame.fresh("roll")
        change = self.do(SetMarker(self.f.place(node.object, self.frame), result), after, at)
        values = ir.AllOf(self.f.types.single(kind))
        return self.c.emit(nodes.Chance(nodes.AnyOf(values, self.f.types.none(kind)), result, change, at))

    def roll_from(self, node: ast.Command, source: ast.Expr, after: int, at: Source) -> int:
        """Any member of a collection with equal chance; where there is none, the marker stays as it is."""
        wanted, member = self.f.kind(node.object), self.f.member_kind(source)
        # The code for "nothing was drawn" is none that a member can have: of numbers the bounds are not known.
        number = isinstance(kinds.bare(member), kinds.Number | kinds.Nothing)
        none = self.f.types.none(kinds.ANY_NUMBER if number else member)
        many, result = self.f.collection(source, self.frame), self.frame.fresh("roll")
        value = self.f.fitted(result, member, wanted)
        change = self.do(SetMarker(self.f.place(node.object, self.frame), value), after, at)
        if is_filled(many):
            return self.c.emit(nodes.Chance(nodes.AnyOf(many, none), result, change, at))
        if not isinstance(member, kinds.Optional):
            test = self.c.emit(nodes.Branch(ir.Equal(result, none), after, change, at))
            return self.c.emit(nodes.Chance(nodes.AnyOf(many, none), result, test, at))
        # Where a member may be none itself, only the size tells whether there is one.
        listed = self.frame.fresh("rolled from")
        chance = self.c.emit(nodes.Chance(nodes.AnyOf(listed, none), result, change, at))
        test = self.c.emit(nodes.Branch(ir.Equal(ir.Size(listed), ZERO), after, chance, at))
        return self.do(SetLocal(listed, many), test, at)

    def roll_dice(self, node: ast.Command, after: int, at: Source) -> int:
        """All dice are picked up, then each lands by itself."""
        dice = self.f.zone_place(node.object, self.frame)
        content = self.c.checked.declared.kinds[self.zone(node.object)]
        assert isinstance(content, kinds.Record)
        record, face_kind = self.f.types.single(content), kinds.bare(content.fields[1][1])
        face = self.frame.fresh("face")
        loop = self.c.reserve()
        land = self.do(effects.Land(dice, face, record), loop, at)
        values = ir.AllOf(self.f.types.single(face_kind))
        body = self.c.emit(nodes.Chance(nodes.AnyOf(values, self.f.types.none(face_kind)), face, land, at))
        most = self.f.pieces_in(node.object)
        items = ir.Span(ONE, ir.Size(ir.Read(dice)), most)
        entry = self.loop(loop, self.frame.fresh("die number"), items, most, body, after, at)
        return self.do(effects.PickUp(dice, record), entry, at)
