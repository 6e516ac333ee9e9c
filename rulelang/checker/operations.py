"""Formulas that reckon, compare, list and search. Spec 4.4 to 4.9.

A part of the types pass, between formulas that name zones and markers and all formulas.
"""

from typing import TYPE_CHECKING, assert_never

from rulelang.ast import nodes as ast
from rulelang.checker.kinds import (
    ANY_NUMBER,
    TIMER,
    Collection,
    Empty,
    Flag,
    Kind,
    Member,
    Number,
    Unknown,
    agree,
    bare,
    joined,
    opening,
    or_none,
    spoken,
)
from rulelang.checker.meant import next_seat, none_hint, number_hint
from rulelang.checker.never_none import never_none, none_word
from rulelang.checker.one_or_all import NO_WAY, one_or_all, word_of_a_value
from rulelang.checker.places import SlotRef
from rulelang.checker.slots import Slots
from rulelang.checker.symbols import Label
from rulelang.diagnostics import codes

Operation = (
    ast.Negative
    | ast.Product
    | ast.Sum
    | ast.Between
    | ast.Compare
    | ast.Negate
    | ast.Both
    | ast.Either
    | ast.Conditional
)


class Operations(Slots):
    """Operations; see the module's text."""

    if TYPE_CHECKING:

        def ordered(self, node: ast.Expr, wanted: Kind = ANY_NUMBER) -> Kind: ...

        def members(self, kind: Kind, node: ast.Expr) -> Kind: ...

        def not_a_number(self, node: ast.Expr, kind: Kind, hint: str | None = None) -> None: ...

    def operation(self, node: Operation, wanted: Kind | None) -> Kind:
        match node:
            case ast.Negative():
                self.number(node.value)
                return ANY_NUMBER
            case ast.Product():
                for factor in node.factors:
                    self.number(factor)
                return ANY_NUMBER
            case ast.Sum():
                return self.sum(node, wanted)
            case ast.Between():
                self.number(node.low)
                self.number(node.high)
                return Collection("list", Number(node.low, node.high))
            case ast.Compare():
                self.compare(node)
                return Flag()
            case ast.Negate():
                self.flag(node.value)
                return Flag()
            case ast.Both() | ast.Either():
                for part in node.parts:
                    self.flag(part)
                return Flag()
            case ast.Conditional():
                self.flag(node.condition)
                return self.either_kind(node.value, node.otherwise, wanted)
            case _:
                assert_never(node)

    def either_kind(self, left: ast.Expr, right: ast.Expr, wanted: Kind | None) -> Kind:
        """The kind of a value that is one of two formulas."""
        first = self.infer(left, wanted)
        second = self.infer(right, wanted or first)
        if not agree(first, second):
            self.findings.report(codes.TYPE_MISMATCH, right.at, found=spoken(second), wanted=spoken(first))
            return Unknown()
        return joined(first, second)

    def sum(self, node: ast.Sum, wanted: Kind | None) -> Kind:
        collections = any(term.operator == "but" for term in node.rest)
        first = self.infer(node.first, wanted)
        if not collections and not isinstance(first, Collection | Empty):
            if not agree(first, ANY_NUMBER):
                self.not_a_number(node.first, first, next_seat(node, first))
            for term in node.rest:
                self.number(term.value)
            return ANY_NUMBER
        member = self.members(first, node.first)
        for term in node.rest:
            kind = self.infer(term.value, first)
            if term.operator == "-":
                self.findings.report(
                    codes.NOT_A_NUMBER, term.at, found=spoken(kind), hint="to leave members out, write 'but'"
                )
                continue
            added = self.members(kind, term.value) if isinstance(kind, Collection | Empty) else kind
            if not agree(added, member):
                self.findings.report(codes.TYPE_MISMATCH, term.value.at, found=spoken(kind), wanted=spoken(member))
            elif term.operator == "+":
                member = joined(member, added)
        return Collection(first.shape if isinstance(first, Collection) else "bag", member)

    def compare(self, node: ast.Compare) -> None:
        if node.relation in ("in", "not in"):
            left = self.infer(node.left) if not self.is_label(node.left) else None
            member = self.elements(node.right, left)
            if left is None or self.means_itself(node.left, left, member):
                left = self.infer(node.left, member)
            if not agree(left, member):
                self.findings.report(codes.CANNOT_COMPARE, node.at, left=opening(left), right=spoken(member))
            return
        if node.relation in ("is", "is not"):
            self.equality(node)
            return
        left = self.ordered(node.left)
        right = self.ordered(node.right, left)
        if not agree(left, right):
            self.cannot_compare(node, left, right)

    def cannot_compare(self, node: ast.Compare, left: Kind, right: Kind, hint: str | None = None) -> None:
        """Two values of different kinds; beside a number, the other may have a number that was meant."""
        way = NO_WAY
        for one, value, kind in ((right, node.left, left), (left, node.right, right)):
            if hint is None and isinstance(kind, Collection) and not isinstance(one, Collection):
                way = one_or_all(self.names, value, first=False)
                hint = way.hint
            meant = word_of_a_value(self.names, value, bare(one)) if hint is None else None
            if meant is not None:
                way, hint = meant, meant.hint
        for other, value, kind in ((right, node.left, left), (left, node.right, right)):
            if hint is None and isinstance(bare(other), Number):
                hint = number_hint(self.declared, value, kind)
        self.findings.report(
            codes.CANNOT_COMPARE, node.at, left=opening(left), right=spoken(right), related=way.related, hint=hint
        )

    def equality(self, node: ast.Compare) -> None:
        if self.is_label(node.left):
            right = self.infer(node.right)
            left = self.infer(node.left, right)
        else:
            left = self.infer(node.left)
            right = self.infer(node.right, left)
            if self.means_itself(node.left, left, right):
                left = self.infer(node.left, right)
        if isinstance(left, Empty) and right == TIMER:
            left = self.infer(node.left, right)
        for value, kind, other in ((node.left, left, node.right), (node.right, right, node.left)):
            word = none_word(other)
            # a library may ask it for the games in which it can be
            if word is not None and node.at.file == self.home and never_none(value, kind, self.names):
                hint: str | None = none_hint(self.declared, value, kind, word)
                self.findings.report(codes.NEVER_NONE, node.at, what=opening(kind), word=word, hint=hint)
                return
        if isinstance(right, Empty):
            self.members(left, node.left)
            return
        if isinstance(left, Empty):
            self.members(right, node.right)
            return
        if not agree(left, right):
            held = isinstance(right, Collection) and not isinstance(left, Collection) and agree(left, right.of)
            relation = "'in'" if node.relation == "is" else "'not in'"
            hint = f"to ask whether it is one of them, write {relation}" if held else None
            self.cannot_compare(node, left, right, hint)

    def means_itself(self, node: ast.Expr, kind: Kind, wanted: Kind) -> bool:
        """Whether a place was taken for what lies there, and one of its family is wanted: ``heap[2] is last_heap``."""
        member = bare(wanted)
        ref = self.ref(node) if isinstance(member, Member) and not isinstance(bare(kind), Member | Unknown) else None
        return isinstance(ref, SlotRef) and isinstance(member, Member) and ref.node is member.zone

    def is_label(self, node: ast.Expr) -> bool:
        return isinstance(node, ast.Name) and isinstance(self.names.uses.get(node), Label)

    def list_of(self, node: ast.ListOf, wanted: Kind | None) -> Kind:
        member = wanted.of if isinstance(wanted, Collection) else wanted
        found: Kind | None = None
        for item in node.items:
            kind = self.infer(item, member or found)
            if found is not None and not agree(found, kind):
                self.findings.report(codes.TYPE_MISMATCH, item.at, found=spoken(kind), wanted=spoken(found))
            found = kind if found is None else joined(found, kind)
        return Collection("list", found) if found is not None else Empty()

    def search(self, node: ast.Exists | ast.Every | ast.Select, wanted: Kind | None) -> Kind:
        member = self.elements(node.domain, wanted if isinstance(node, ast.Select) else None)
        self.locals[self.names.bindings[node]] = member
        match node:
            case ast.Exists():
                self.flag(node.where)
                return Flag()
            case ast.Every():
                self.flag(node.condition)
                return Flag()
            case ast.Select():
                if node.where is not None:
                    self.flag(node.where)
                for rank in node.ranks:
                    self.ordered(rank.value)
                if node.all:
                    return Collection("list", member)
                if isinstance(member, Collection):
                    self.findings.report(
                        codes.TYPE_MISMATCH,
                        node.domain.at,
                        found="many lists",
                        wanted="single things",
                        hint="the 'first' of lists is not a value; ask 'some x in ...'",
                    )
                    return Unknown()
                return or_none(member)
            case _:
                assert_never(node)
