"""The label of every formula: what it reads of what not everybody sees. Spec 7.9.

Labels flow from the leaves upwards: a formula reads what its parts read. A word of the rulebook (define, condition) is
looked at once for each way of using it: parameters keep a place of their own in its label, where the labels of the
arguments are put in, and what its arguments say of the mover (``p's hand`` is seen by the mover where p is ``me``) is
carried along. ``size of`` and ``top of`` a zone, and asking whether it is empty, read that part of it only.

A local has the label of what it was made from. A pile in which unseen cards can lie is read by nobody (RL5005); the
walk says so where it meets the reading, because no use of such a value is right.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.gathered import named_in, own_formulas, required
from rulelang.checker.kinds import Collection, Member, Record, Row, bare
from rulelang.checker.parts import parts
from rulelang.checker.places import MemberRef, Ref, SlotRef, place, whole_family
from rulelang.checker.symbols import BuiltIn, ConditionName, DefineName, LocalName, MarkerName, ZoneName
from rulelang.checker.visibility.labels import OPEN, Label, Part, Reading, Stance, joined
from rulelang.checker.visibility.seats import Seats, Word
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related
from rulelang.source import Place

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


LOOKED_THROUGH = {"item": 0, "copies": 1, "bags": 1, "lists": 1}
"""Which argument of a word of the language is a collection that it looks through."""


class Formulas(Seats):
    """The labels of one file's formulas."""

    def __init__(self, checked: "Checked", findings: Findings) -> None:
        super().__init__(checked)
        self.findings = findings
        self.labels: dict[LocalName, Label] = {}
        self.words: dict[tuple[Word, tuple[Stance, ...]], Label] = {}

    # ------------------------------------------------------------------ formulas

    def label(self, node: ast.Expr) -> Label:
        """What a formula reads."""
        match node:
            case ast.Number() | ast.Constant() | ast.Me():
                return OPEN
            case ast.Text():
                return joined(self.label(part.value) for part in node.parts if isinstance(part, ast.Hole))
            case ast.Name():
                return self.name(node)
            case ast.My() | ast.Its() | ast.At():
                return self.slot(node)
            case ast.Apply():
                return self.apply(node)
            case ast.Field():
                return self.field(node)
            case ast.Compare():
                return self.compare(node)
            case ast.Exists() | ast.Every() | ast.Select():
                return self.search(node)
            case ast.Sum():
                first = self.contents(node.first) if self.is_many(node) else self.label(node.first)
                return joined([first, *(self.label(term.value) for term in node.rest)])
            case (
                ast.Negative()
                | ast.Product()
                | ast.Between()
                | ast.Negate()
                | ast.Both()
                | ast.Either()
                | ast.Conditional()
                | ast.ListOf()
                | ast.Bracket()
            ):
                return joined(self.label(part) for part in parts(node))
            case _:
                assert_never(node)

    def is_many(self, node: ast.Expr) -> bool:
        return isinstance(self.checked.types.kinds.get(node), Collection)

    def contents(self, node: ast.Expr, part: Part = "content") -> Label:
        """What looking through a collection reads: also what lies in a zone that a local or marker names."""
        kind = bare(self.checked.types.kinds[node])
        ref = place(node, self.names)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone):
            return self.look(ref, part, node.at)
        if isinstance(kind, Member):
            return joined([self.label(node), self.reading(kind.zone, part, "anybody", node.at)])
        return self.label(node)

    def name(self, node: ast.Name) -> Label:
        symbol = self.names.uses.get(node)
        match symbol:
            case LocalName():
                return self.labels.get(symbol, OPEN).seen_from(node.at)
            case ZoneName() | MarkerName():
                return self.slot(node)
            case DefineName() | ConditionName():
                return self.applied(symbol.node, (), node.at)
            case _:
                return OPEN

    # ------------------------------------------------------------------ zones and markers

    def slot(self, node: ast.Expr) -> Label:
        """The value of a marker, or all that lies in a zone; nothing, if the zone itself is meant."""
        ref = place(node, self.names)
        assert isinstance(ref, SlotRef)
        kind = bare(self.checked.types.kinds[node])
        if isinstance(kind, Member) and kind.zone is ref.node and not whole_family(ref):
            return self.which(ref)
        return self.look(ref, "content", node.at)

    def look(self, ref: SlotRef, part: Part, at: Place) -> Label:
        """A look at a zone or marker, and at what says which one it is."""
        if whole_family(ref) and isinstance(ref.node, ast.Zone):
            return OPEN
        owner = self.stance(ref.owner) if ref.owner is not None else "anybody"
        return joined([self.which(ref), self.reading(ref.node, part, owner, at)])

    def which(self, ref: Ref) -> Label:
        """What says which one of a family is meant: its owner and indices, or the value that remembers it."""
        if isinstance(ref, MemberRef):
            return self.label(ref.value)
        owner = [ref.owner] if ref.owner is not None else []
        return joined(self.label(part) for part in (*owner, *ref.indices))

    def reading(self, slot: ast.Zone | ast.Marker, part: Part, owner: Stance, at: Place) -> Label:
        """One look; in a zone that is open to all there is nothing to say."""
        if part != "size" and slot in self.checked.blind:
            asked = f"only 'size of {slot.name}' and '{slot.name} is empty' can be asked"
            hint = f"{asked}; put the pieces first where they are seen, and look at them there"
            related = (Related(slot.at, "cards can lie here unseen"),)
            self.findings.report(codes.BLIND_PILE_READ, at, word=slot.name, related=related, hint=hint)
            return OPEN
        if self.seen(slot, "content", owner)[0]:
            return OPEN
        everyone, mover = self.seen(slot, part, owner)
        return Label((Reading(slot, part, everyone, mover, at, at),))

    def seen(self, slot: ast.Zone | ast.Marker, part: Part, owner: Stance) -> tuple[bool, bool]:
        """Whether everybody sees a part, and whether the mover does. Who sees the content sees every part."""
        traits = {trait.part: trait for trait in slot.traits if isinstance(trait, ast.SeenBy)}
        everyone, mover = self.audience(traits.get("content"), owner)
        if part == "content" or (part == "top" and "top" not in traits):
            return everyone, mover
        more, also = self.audience(traits.get(part), owner)
        return everyone or more, mover or also

    def audience(self, trait: ast.SeenBy | None, owner: Stance) -> tuple[bool, bool]:
        match trait.seats if trait is not None else None:
            case None:
                return True, True
            case ast.Constant():
                return False, False
            case ast.Name(name="everyone"):
                return True, True
            case ast.Name(name="owner"):
                return False, owner == "me"
            case seats:
                assert trait is not None and seats is not None
                self.stances[self.names.bindings[trait]] = owner
                return False, self.holds(seats)

    # ------------------------------------------------------------------ words with arguments

    def apply(self, node: ast.Apply) -> Label:
        symbol = self.names.uses.get(node.function)
        if isinstance(symbol, DefineName | ConditionName):
            return self.applied(symbol.node, node.arguments, node.at)
        looked_through = LOOKED_THROUGH.get(symbol.name) if isinstance(symbol, BuiltIn) else None
        found: list[Label] = []
        for number, argument in enumerate(node.arguments):
            match argument:
                case ast.Each():
                    found.append(self.each(argument))
                case ast.ValueOfEach():
                    found += [self.each(argument.each), self.label(argument.value)]
                case _:
                    found.append(self.contents(argument) if number == looked_through else self.label(argument))
        return joined(found)

    def each(self, node: ast.Each) -> Label:
        self.stances[self.names.bindings[node]] = self.members(node.domain)
        domain = self.contents(node.domain)
        return joined([domain, self.label(node.where)]) if node.where is not None else domain

    def search(self, node: ast.Exists | ast.Every | ast.Select) -> Label:
        self.stances[self.names.bindings[node]] = self.members(node.domain)
        found = [self.contents(node.domain)]
        match node:
            case ast.Exists():
                found.append(self.label(node.where))
            case ast.Every():
                found.append(self.label(node.condition))
            case ast.Select():
                found += [self.label(node.where)] if node.where is not None else []
                found += [self.label(rank.value) for rank in node.ranks]
            case _:
                assert_never(node)
        return joined(found)

    def applied(self, word: Word, given: Sequence[ast.Node], at: Place) -> Label:
        """What a define or condition reads with these arguments; their labels take the places of its parameters."""
        labels = [self.label(argument) for argument in given]  # type: ignore[arg-type]
        stances = self.told_apart(word, [self.stance(argument) for argument in given])
        if (word, stances) not in self.words:
            self.bind_params(word.params, stances)
            own = [self.label(formula) for formula in formulas_of(word)]
            self.words[word, stances] = joined([*own, *(self.inner(line) for line in named_in(word))])
        return self.filled(self.words[word, stances], word.params, labels, at)

    def inner(self, node: ast.RequireNamed) -> Label:
        """What another condition reads that a condition gathers."""
        return self.applied(required(node, self.names), node.arguments, node.at)

    def bind_params(self, params: Sequence[ast.Node], stances: Sequence[Stance]) -> None:
        self.bind_stances(params, stances)
        for param in params:
            name = self.names.bindings[param]
            self.labels[name] = Label(given=frozenset((name,)))

    def filled(self, label: Label, params: Sequence[ast.Node], given: Sequence[Label], at: Place) -> Label:
        """A label with the labels of the arguments put in."""
        bound = dict(zip((self.names.bindings[param] for param in params), given, strict=True))
        own = attrs.evolve(label, given=frozenset(name for name in label.given if name not in bound))
        return joined([own.seen_from(at), *(value for name, value in bound.items() if name in label.given)])

    # ------------------------------------------------------------------ properties and comparisons

    def field(self, node: ast.Field) -> Label:
        """``size of`` and ``top of`` read a part of a zone; other properties read the value."""
        kind = bare(self.checked.types.kinds[node.value])
        columns = [name for name, _ in kind.fields] if isinstance(kind, Record) else []
        columns += [column.name for column in kind.table.columns] if isinstance(kind, Row) else []
        if node.name not in columns and node.name in ("size", "top", "kinds"):
            part: Part = "size" if node.name == "size" else "top" if node.name == "top" else "content"
            return self.contents(node.value, part)
        return self.label(node.value)

    def compare(self, node: ast.Compare) -> Label:
        if node.relation in ("in", "not in"):
            return joined([self.label(node.left), self.contents(node.right)])
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.Constant) and self.asks_whether_empty(one.word, other):
                return self.contents(other, "size")
        return joined([self.label(node.left), self.label(node.right)])

    def asks_whether_empty(self, word: str, node: ast.Expr) -> bool:
        """``hand is empty``, and ``bid is none`` where bid is a slot."""
        ref = place(node, self.names)
        is_zone = isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone)
        return word == "empty" or (word in ("none", "nobody") and is_zone)


def formulas_of(word: Word) -> Iterable[ast.Expr]:
    """The formulas that a define or condition is made of."""
    if isinstance(word, ast.Condition):
        return own_formulas(word)
    conditions = [case.condition for case in word.cases if case.condition is not None]
    return (*conditions, *(case.value for case in word.cases))
