"""Listings that go through the kinds of a bag, for all kinds at once: which of them there are is a word of bits.

What stands between the loop and the offer is followed with formulas in place of variables, until it is known what must
hold of a kind (and of a value of one more parameter) so that the answer is there. Such a formula is worked out for all
kinds together (`KindMasks`, which does for kinds what `planes.py` does for places). The answers are then laid out from
those words; no kind is gone through. Where the work of dividing a bag is not done yet, the loop is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.llvm.bags import WORD, Packed, signed, there
from rulelang_native.llvm.divisions import NOTHING
from rulelang_native.llvm.listings import Level, Ranged
from rulelang_native.llvm.planes import Masks, numbers
from rulelang_native.llvm.spared import UNSURE
from rulelang_native.llvm.spared import suits as can_spare
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.functions import SetWriter
    from rulelang_native.llvm.values import Writer

LARGEST: Final = 400
"""A formula of more parts is not followed."""
MOST_VALUES = 4
"""Values of the other parameter that are told apart."""

Variables = dict[str, Flat]


# ------------------------------------------------------------------ what must hold


def reached(statements: Sequence[st.Statement], known: Variables) -> Flat | None:
    """What must hold so that the end of some statements is reached and the loop does not go round before; None if they
    do something that cannot be followed. ``known``: what variables hold; it is brought up to date.
    """
    condition: Flat = Known(1)
    for each in statements:
        match each:
            case st.Set():
                known[each.name] = replaced(each.value, known)
            case st.Note() | st.Notes():
                pass
            case st.Skip():
                return Known(0)
            case st.If():
                truth = replaced(each.truth, known)
                value = truth_of(truth)
                if value is not None:
                    inner = reached(each.then if value else each.otherwise, known)
                else:
                    inner = _either(truth, each, known)
                if inner is None:
                    return None
                condition = _both(condition, inner)
            case _:
                return None
        if _size(condition) + sum(map(_size, known.values())) > LARGEST:
            return None
    return condition


def _either(truth: Flat, branch: st.If, known: Variables) -> Flat | None:
    """What must hold to come through a branch."""
    then, otherwise = dict(known), dict(known)
    one, other = reached(branch.then, then), reached(branch.otherwise, otherwise)
    if one is None or other is None:
        return None
    for name in [*then, *(name for name in otherwise if name not in then)]:
        values = (then.get(name, flat.Name(name)), otherwise.get(name, flat.Name(name)))
        known[name] = values[0] if values[0] == values[1] else flat.Either(truth, *values)
    if one == other:
        return one
    return flat.Any((flat.All((truth, one)), flat.All((flat.No(truth), other))))


def _both(one: Flat, other: Flat) -> Flat:
    if one == Known(1):
        return other
    return one if other == Known(1) else flat.All((one, other))


def _size(formula: Flat) -> int:
    return sum(1 for _ in parts(formula))


def replaced(formula: Any, known: Variables) -> Any:
    """A formula with what variables hold in their place."""
    match formula:
        case flat.Name():
            return known.get(formula.name, formula)
        case flat.Noted():
            return Known(-1)  # notes only save work
        case tuple():
            return tuple(replaced(each, known) for each in formula)
        case Known():
            return formula
        case _ if attrs.has(type(formula)):
            names = [each.name for each in attrs.fields(type(formula))]
            return type(formula)(*(replaced(getattr(formula, name), known) for name in names))
        case _:
            return formula


def truth_of(formula: Flat) -> bool | None:
    """Whether a truth holds, if that is known."""
    match formula:
        case Known(value=int() as value):
            return bool(value)
        case flat.IsOne(value=inner) | flat.AsNumber(truth=inner):
            return truth_of(inner)
        case flat.No():
            inner_value = truth_of(formula.truth)
            return None if inner_value is None else not inner_value
        case flat.All() | flat.Any():
            values = [truth_of(part) for part in formula.parts]
            decides = isinstance(formula, flat.Any)
            if decides in values:
                return decides
            return None if None in values else not decides
        case flat.Compare(left=Known(value=int() as left), right=Known(value=int() as right)):
            results = {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right}
            return results[formula.operator]
        case _:
            return None


# ------------------------------------------------------------------ words of kinds


class KindMasks(Masks):
    """Which kinds of a bag fulfil a formula, as a word in which a kind's bit is that of its code."""

    def __init__(self, writer: Writer, kind: str, layout: Packed) -> None:
        super().__init__(writer, kind, {}, tuple(range(layout.low, layout.low + layout.codes)))
        self.layout = layout
        self.spared: dict[tuple[int, Flat], str] = {}
        """What bags can spare, by their division, as words that were worked out before."""
        self.inside: list[Flat] = []
        """Bags that have every kind that matters."""
        self.asked: list[flat.Divided] = []
        """Divisions of bags without a kind, of which it is asked whether there is one."""

    def mask(self, formula: Flat) -> Callable[[], str] | None:
        """How the kinds are worked out for which a truth holds; None if it has to be asked kind by kind."""
        value = truth_of(formula)
        if value is not None:
            return lambda: "-1" if value else "0"
        match formula:
            case flat.Has(item=flat.Name(name=self.place)) if self._is_bag(formula.row):
                row = formula.row
                return lambda: self.kinds_in(self.writer.bagging.word(row, self.layout))
            case flat.Compare(operator="<", left=Known(value=int() as least), right=flat.Times() as times) if (
                times.item == flat.Name(self.place) and self._is_bag(times.row)
            ):
                return lambda: self._more(times.row, least)
            case flat.Compare(left=flat.Name(name=self.place)) if self._free(formula.right):
                return self._beside(formula.operator, formula.right)
            case flat.Compare(right=flat.Name(name=self.place)) if self._free(formula.left):
                turned = {"==": "==", "!=": "!=", "<": "not <=", "<=": "not <"}[formula.operator]
                return self._beside(turned, formula.left)
            case flat.IsOne(value=flat.At(row=flat.Divided() as division, place=Known(value=0))) if (
                self._from(division) is not None
            ):
                self.asked.append(division)
                return lambda: self._divides(division)
            case flat.IsOne(value=flat.AsNumber(truth=truth)):
                return self.mask(truth)
            case flat.IsOne(value=flat.Either() as choice):
                return self.mask(flat.Either(choice.truth, flat.IsOne(choice.then), flat.IsOne(choice.otherwise)))
            case flat.Either():
                truth, then, otherwise = formula.truth, formula.then, formula.otherwise
                return self.mask(flat.Any((flat.All((truth, then)), flat.All((flat.No(truth), otherwise)))))
            case flat.AsNumber():
                return self.mask(formula.truth)
            case _:
                return super().mask(formula)

    def _free(self, value: Flat) -> bool:
        """Whether a value does not depend on the kind, and can be worked out although nobody asks: what is told of the
        seat that moves is always there.
        """
        from rulelang_native.llvm.values import is_safe

        return not self._names_kind(value) and is_safe(_of_some_seat(value))

    def _is_bag(self, row: Flat) -> bool:
        """Whether it is a bag of this layout that does not depend on the kind."""
        return self.writer.bagging.layout(row, loose=True) == self.layout and not self._names_kind(row)

    def _names_kind(self, row: Flat) -> bool:
        return any(isinstance(part, flat.Name) and part.name == self.place for part in parts(row))

    def kinds_in(self, bag: str) -> str:
        """One bit for each kind of a bag."""
        return self.closed(there(self.writer, bag, self.layout))

    def closed(self, word: str) -> str:
        """The lowest bits of the kinds' counts, by their codes."""
        found = word
        if self.layout.bits > 1:
            found = self.writer.op(f"call i64 @extracted(i64 {word}, i64 {signed(self.layout.every())})")
        return self._shifted(found)

    def _shifted(self, word: str) -> str:
        """From places in a bag to codes."""
        return self.writer.op(f"shl i64 {word}, {self.layout.low}") if self.layout.low else word

    def _beside(self, operator: str, value: Flat) -> Callable[[], str]:
        """The kinds that are equal to a number, or less."""

        def write() -> str:
            writer, number = self.writer, self.writer.n(value)
            one = writer.op(f"shl i64 1, {writer.op(f'and i64 {number}, {WORD - 1}')}")
            inside = writer.op(f"icmp ult i64 {number}, {WORD}")
            equal = writer.op(f"select i1 {inside}, i64 {one}, i64 0")
            if operator == "==":
                return equal
            if operator == "!=":
                return writer.op(f"xor i64 {equal}, -1")
            above = writer.op(f"icmp sge i64 {number}, {WORD}")
            least = writer.op(f"select i1 {above}, i64 -1, i64 0")
            below = writer.op(f"select i1 {inside}, i64 {writer.op(f'sub i64 {one}, 1')}, i64 {least}")
            found = writer.op(f"or i64 {below}, {equal}") if operator.endswith("<=") else below
            return writer.op(f"xor i64 {found}, -1") if operator.startswith("not") else found

        return write

    def _more(self, row: Flat, least: int) -> str:
        """The kinds of which a bag has more than so many."""
        writer, layout = self.writer, self.layout
        if least < 0 or least >> layout.bits:
            return "-1" if least < 0 else "0"
        bag = writer.bagging.word(row, layout)
        greater, equal = "0", "-1"
        for bit in reversed(range(layout.bits)):
            counts = writer.op(f"lshr i64 {bag}, {bit}") if bit else bag
            if least >> bit & 1:
                equal = writer.op(f"and i64 {equal}, {counts}")
            else:
                greater = writer.op(f"or i64 {greater}, {writer.op(f'and i64 {equal}, {counts}')}")
                equal = writer.op(f"and i64 {equal}, {writer.op(f'xor i64 {counts}, -1')}")
        return self.closed(greater if layout.bits > 1 else writer.op(f"and i64 {greater}, {signed(layout.every())}"))

    # -------------------------------------------------------------- divisions

    def _from(self, division: flat.Divided) -> Flat | None:
        """The bag that is divided without the kind; None if it is something else."""
        match division.row:
            case flat.BagMinus(left=bag, right=flat.Items(items=(flat.Name(name=self.place),))):
                pass
            case flat.TakenOut(row=bag, item=flat.Name(name=self.place)):
                pass
            case _:
                return None
        sure = self._is_bag(bag) and can_spare(self.layout) and self.writer.home.scores(division, self.layout)
        return bag if sure and not self._names_kind(flat.Items((division.low, division.high))) else None

    def prepare(self) -> list[str]:
        """Work out what bags can spare; what is given are truths, all of which must hold if it is to be relied on."""
        truths = []
        for division in self.asked:
            bag = self._from(division)
            assert bag is not None
            if (division.division, bag) not in self.spared:
                word = self.writer.bagging.word(bag, self.layout)
                name = f"spared{'_known' * self.writer.hasty}{division.division}"
                found = self.writer.op(f"call i64 @{name}(ptr %S, i64 {word})")
                self.writer.home.spares(division.division)
                self.spared[division.division, bag] = found
                truths.append(self.writer.op(f"icmp ne i64 {found}, {UNSURE}"))
        return truths

    def _divides(self, division: flat.Divided) -> str:
        """The kinds without one of which a bag divides. Without one that is not in it, it is the whole bag."""
        bag = self._from(division)
        assert bag is not None
        found = self._shifted(self.spared[division.division, bag])
        if bag in self.inside:
            return found
        word = self.writer.bagging.word(bag, self.layout)
        worth = self.writer.score(division.division, word)
        divides = self.writer.op(f"sext i1 {self.writer.op(f'icmp ne i64 {worth}, {NOTHING}')} to i64")
        outside = self.writer.op(f"xor i64 {self.kinds_in(word)}, -1")
        return self.writer.op(f"or i64 {found}, {self.writer.op(f'and i64 {divides}, {outside}')}")


def _of_some_seat(value: Any) -> Any:
    """A formula with some seat in place of the one that moves, and of rows something that is as harmless."""
    match value:
        case flat.Held(member=flat.Name(name="me")):
            return flat.Held(value.slot, Known(0))
        case flat.Length():
            return _of_some_seat(value.row)
        case tuple():
            return tuple(map(_of_some_seat, value))
        case _ if attrs.has(type(value)):
            return type(value)(*(_of_some_seat(getattr(value, each.name)) for each in attrs.fields(type(value))))
        case _:
            return value


# ------------------------------------------------------------------ answers


def at_once(writer: SetWriter, levels: Sequence[Level], ranged: Ranged, kind_by_kind: Callable[[], None]) -> bool:
    """Write a listing that goes through the kinds of a bag, for all kinds at once; False if it cannot be.

    The values of parameters that do not depend on the kind are worked out already. ``kind_by_kind`` writes the loop,
    for where it is not sure what can be divided.
    """
    first, *others = levels
    row = first.loop.row
    layout = writer.bagging.layout(row.row, loose=True) if isinstance(row, flat.Distinct) else None
    changing = [level for level in others if not level.free]
    if layout is None or layout.low < 0 or layout.low + layout.codes > WORD or len(changing) > 1:
        return False
    assert isinstance(row, flat.Distinct)
    masks = KindMasks(writer, first.loop.name, layout)
    condition = reached(first.before, {})
    if condition is None:
        return False
    masks.inside = [row.row, *_bags_with(condition, first.loop.name)]
    fits = masks.mask(condition)
    values = _values(changing[0], masks) if changing else {}
    if fits is None or values is None:
        return False
    writer.home.listed_at_once.add(writer.name)
    truths = masks.prepare()

    def write() -> None:
        kinds = writer.op(f"and i64 {masks.kinds_in(writer.bagging.word(row.row, layout))}, {fits()}")
        others = _product(writer, [level for level in levels[1:] if level.free])
        if writer.told(kinds, others, {each: holds() for each, holds in values.items()}):
            return
        if not changing:
            _offer(writer, ranged, kinds, others)
            return
        _, low, width = writer.found[changing[0].loop.name]
        for value, holds in values.items():
            there = writer.op(f"and i64 {kinds}, {holds()}")
            own = writer.op(f"shl i64 {others}, {(value - low) * width}")
            yes, on = writer.fresh("yes"), writer.fresh("on")
            writer.split(writer.op(f"icmp ne i64 {there}, 0"), yes, on)
            writer.label(yes)
            _offer(writer, ranged, there, own)
            writer.label(on)

    if not truths:
        write()
        return True
    sure = truths[0]
    for truth in truths[1:]:
        sure = writer.op(f"and i1 {sure}, {truth}")
    writer.when(sure, write, kind_by_kind)
    return True


def _values(level: Level, masks: KindMasks) -> dict[int, Callable[[], str]] | None:
    """For each value of a parameter, how the kinds are worked out with which there is an answer."""
    numbers_ = numbers(level.loop.row.value) if isinstance(level.loop.row, Known) else ()
    found: dict[int, Callable[[], str]] = {}
    for value in numbers_:
        condition = reached(level.before, {level.loop.name: Known(value)})
        holds = None if condition is None else masks.mask(condition)
        if holds is None:
            return None
        found[value] = holds
    return found if 0 < len(found) <= MOST_VALUES else None


def _bags_with(condition: Flat, kind: str) -> list[Flat]:
    """The bags that surely have the kind if a condition holds."""
    match condition:
        case flat.All():
            return [bag for part in condition.parts for bag in _bags_with(part, kind)]
        case flat.No(truth=flat.No() as no):
            return _bags_with(no.truth, kind)
        case flat.Has(row=row, item=flat.Name(name=name)) if name == kind:
            return [row]
        case flat.Any(parts=(flat.All(parts=(truth, Known(value=0))), other)) if truth != other:
            return _bags_with(other, kind)
        case _:
            return []


def _product(writer: SetWriter, levels: Sequence[Level]) -> str:
    """The values of these parameters, as the bits of all that can be put together of them."""
    found = "1"
    for level in levels:
        found = writer.op(f"mul i64 {found}, {writer.load(writer.found[level.loop.name][0])}")
    return found


def _offer(writer: SetWriter, ranged: Ranged, kinds: str, others: str) -> None:
    """Answers of these kinds, each with all of these values of the other parameters."""
    width, low, count = ranged.places(True), ranged.lows[0], ranged.counts[0]
    first = writer.op(f"lshr i64 {kinds}, {low}") if low else kinds
    spots = [code * width for code in range(count)]
    found, word = "", f"i{writer.bits}"
    for begin in range(0, writer.bits, WORD):
        mask = sum(1 << spot - begin for spot in spots if begin <= spot < begin + WORD)
        before = sum(spot < begin for spot in spots)
        if not mask:
            continue
        rest = writer.op(f"lshr i64 {first}, {before}") if before else first
        part = rest if width == 1 else writer.op(f"call i64 @deposited(i64 {rest}, i64 {signed(mask)})")
        if writer.bits > WORD:
            part = writer.op(f"shl {word} {writer.op(f'zext i64 {part} to {word}')}, {begin}")
        found = writer.op(f"or {word} {found}, {part}") if found else part
    if width > 1:
        found = writer.op(f"mul {word} {found}, {writer.as_wide(others, WORD, word)}")
    writer.offer_all(found)
