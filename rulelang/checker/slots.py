"""Formulas that name zones and markers. Spec 7.3 and 7.4.

A part of the types pass, between calls and the other formulas.
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.calls import Calls
from rulelang.checker.kinds import (
    Collection,
    Kind,
    Member,
    Optional,
    Seat,
    Unknown,
    bare,
    spoken,
)
from rulelang.checker.meant import sort_hint
from rulelang.checker.places import SlotRef, wants, whole_family
from rulelang.checker.symbols import (
    DefineName,
    MarkerName,
    ZoneName,
    sort_of,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import quoted


class Slots(Calls):
    """Zones and markers in formulas."""

    if TYPE_CHECKING:

        def kind_of(self, node: ast.Expr, wanted: Kind | None) -> Kind: ...

    def owned(self, node: ast.My | ast.Its, wanted: Kind | None) -> Kind:
        if isinstance(node, ast.My):
            self.kind_of(ast.Me(node.at), None)
        else:
            self.expected(node.owner, Seat())
        symbol = self.names.uses.get(node)
        if symbol is None:
            return Unknown()
        if not isinstance(symbol, ZoneName | MarkerName):
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.at,
                word=node.name,
                found=sort_of(symbol),
                wanted="a zone or marker of a player",
                hint=f"write {node.name}(p)"
                if isinstance(symbol, DefineName)
                else sort_hint(self.declared, node.name, ZoneName, MarkerName),
            )
            return Unknown()
        owner = ast.Me(node.at) if isinstance(node, ast.My) else node.owner
        return self.remembered(
            SlotRef(symbol.node, owner, ()), wanted, self.slot_kind(node, SlotRef(symbol.node, owner, ()))
        )

    def remembered(self, ref: SlotRef, wanted: Kind | None, held: Kind) -> Kind:
        """Where one of a family is wanted, a place means itself and not what lies there: ``last_heap is heap[2]``."""
        member = bare(wanted) if wanted is not None else None
        if isinstance(member, Member) and member.zone is ref.node and not isinstance(held, Unknown):
            return member
        return held

    def indexed(self, node: ast.At, wanted: Kind | None) -> Kind:
        ref = self.ref(node)
        if isinstance(ref, SlotRef):
            if ref.owner is not None:
                self.expected(ref.owner, Seat())
            return self.remembered(ref, wanted, self.slot_kind(node, ref))
        family = self.infer(node.family)
        for index in node.indices:
            self.infer(index)
        if not isinstance(family, Unknown):
            self.findings.report(
                codes.BRACKETS,
                node.at,
                what=quoted(node.family.name) if isinstance(node.family, ast.Name) else "this",
                found=spoken(family),
                hint="the n-th of a list is item(list, n)",
            )
        return Unknown()

    def slot_kind(self, node: ast.Expr, ref: SlotRef) -> Kind:
        """The kind of what stands or lies at a place; its indices are checked against the family."""
        slot = ref.node
        owned, count = wants(slot)
        bare_family = whole_family(ref)
        if bare_family and isinstance(slot, ast.Zone) and not owned:
            return Collection("list", Member(slot))
        if (ref.owner is not None) != owned or len(ref.indices) != count:
            found = self.found_index(ref)
            hint = f"write {_way_to_name(slot.name, owned, count)}"
            self.findings.report(
                codes.WRONG_INDEX, node.at, word=slot.name, wanted=self.index_words(slot), found=found, hint=hint
            )
            for index in ref.indices:
                self.infer(index)
            return Unknown()
        kinds = slot.index.kinds[owned:] if slot.index else ()
        for kind, index in zip(kinds, ref.indices, strict=True):
            self.expected(index, self.declared.kinds[kind])
        return self.held(slot)

    def held(self, slot: ast.Zone | ast.Marker) -> Kind:
        kind = self.declared.kinds[slot]
        if isinstance(slot, ast.Marker):
            return kind
        part = slot.type.alternatives[0]
        shape = part.name if isinstance(part, ast.Field) else "bag"
        if shape == "slot":
            return Optional(kind)
        return Collection("bag" if shape == "bag" else "list", kind)

    def index_words(self, slot: ast.Zone | ast.Marker) -> str:
        kinds = slot.index.kinds if slot.index else ()
        return " and ".join(spoken(self.declared.kinds[kind]) for kind in kinds) or "nothing (there is only one)"

    def found_index(self, ref: SlotRef) -> str:
        found = (["an owner"] if ref.owner is not None else []) + (["an index"] if len(ref.indices) == 1 else [])
        if len(ref.indices) > 1:
            found.append(f"{len(ref.indices)} indices")
        return " and ".join(found) or "nothing"


def _way_to_name(word: str, owned: bool, count: int) -> str:
    """How one of a family is named: with its owner, and with so many further indices."""
    one = word + (f"[{', '.join(['...'] * count)}]" if count else "")
    return f"p's {one}, or my {one} in a move" if owned else one
