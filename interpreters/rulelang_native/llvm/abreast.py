"""All places of a loop abreast: its body is carried out once, for all of them at the same time, a bit for each.

Nothing is recognised here but single statements. Where the loop would go one way for some places and another way for
others, both are gone, with the places that go there as a word of bits; a variable holds cases, each with the places
that have it. What a known table says of a place is known for all of them, so that most cases fall away before play;
what lies on a board at another place is that board's word, shifted. A loop inside, over what lies around a place or
along a ray from it, is written out: by how far the elements lie off where their order does not matter, else one after
the other.

What could fail at some place gives the game up: printed Python plays it then, and finds out whether it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat
from rulelang_native.llvm.planes import numbers, word_for
from rulelang_native.llvm.walking import parts
from rulelang_native.llvm.words import (
    Case,
    Gathered,
    Known,
    NotAbreast,
    Nothing,
    Number,
    Piece,
    Rows,
    Truth,
    Value,
    Word,
    Words,
    known_for,
    merged,
)

if TYPE_CHECKING:
    from rulelang_native.flat.program import Function
    from rulelang_native.llvm.values import Writer

MOST_GROUPS = 16
"""So many different steps are less work than looking at each place."""
MOST_CASES = 16
"""So many cases of a number are few."""
MOST_DEPTH = 8
"""Functions inside one another."""
SHORT = 16
"""Rows of so many numbers are gone through one after the other."""

MOST_STATEMENTS = 20_000
"""So many statements take too long to be carried out before play."""

Operator = Literal["+", "-", "*", "//", "%", "min", "max"]
Env = dict[str, Value]


@attrs.define
class _Loop:
    """A loop that is gone through: who has left it, and who has gone on to the next lap, each with what they hold."""

    left: list[tuple[Word, Env]] = attrs.field(factory=list)
    next: list[tuple[Word, Env]] = attrs.field(factory=list)


@attrs.define
class _Call:
    """A function that is carried out."""

    given: list[tuple[Word, Value]] = attrs.field(factory=list)


class Abreast:
    """Carries out the body of a loop over known places. Raises NotAbreast if something in it has no form."""

    def __init__(self, writer: Writer, whole: tuple[st.Statement, ...], loop: st.Each) -> None:
        if not isinstance(loop.row, flat.Known):
            raise NotAbreast
        self.writer = writer
        self.functions: dict[str, Function] = writer.home.functions
        self.loop = loop
        self.places = numbers(loop.row.value)
        if not self.places or self.places[0] < 0 or list(self.places) != sorted(set(self.places)):
            raise NotAbreast
        wide = max([self.places[-1] + 1, *[each.places for each in writer.home.planes.values()]])
        if wide > 512:
            raise NotAbreast
        self.words = Words(writer, word_for(wide))
        self.every = sum(1 << place for place in self.places)
        self.env: Env = {loop.name: Number((Case(self.words.full, Known(step=0)),))}
        self.whole = whole
        """The function that is carried out now."""
        self.loops: list[_Loop] = []
        self.calls: list[_Call] = []
        self.active: Word = self.every
        """For whom the statement is that is carried out now."""
        self.failed: Word = 0
        self.offers: list[tuple[Word, tuple[Value, ...]]] = []
        self.flags: dict[str, tuple[int, Word]] = {}
        """What is set for the whole loop: what to, and by which places."""
        self._free: dict[Flat, str] = {}
        self._prepares: dict[int, list[st.If]] = {}
        self._called: dict[tuple[str, tuple[Value, ...]], Value] = {}
        self._steps = 0
        self._known: dict[tuple[int, int], tuple[dict[str, int] | None, set[str]]] = {}

    def about(self, s: st.Each) -> tuple[dict[str, int] | None, set[str]]:
        """Of a loop: the flags it raises if its order does not matter, and what is named nowhere else."""
        key = (id(self.whole), id(s))
        if key not in self._known:
            only = _only_inside(self.whole, s)
            self._known[key] = (_flags(s, only), only)
        return self._known[key]

    def run(self) -> None:
        """Carry it out for all places."""
        kinds, _ = self.about(self.loop)
        if kinds is None:
            raise NotAbreast
        self.flags = {name: (value, 0) for name, value in kinds.items()}
        self._prepare(self.loop.body, self.loop.name, self.every)
        self.loops.append(_Loop())
        self.block(self.loop.body, self.every)
        self.loops.pop()

    # -------------------------------------------------------------- statements

    def block(self, body: tuple[st.Statement, ...], active: Word) -> Word:
        """Statements, one after the other: for whom what comes behind is carried out."""
        outer = self.active
        for s in body:
            if active == 0:
                break
            self.active = active
            active = self.statement(s, active)
        self.active = outer
        return active

    def statement(self, s: st.Statement, active: Word) -> Word:
        """One statement: for whom what comes behind is carried out."""
        self._steps += 1
        if self._steps > MOST_STATEMENTS:
            raise NotAbreast
        match s:
            case st.Set():
                self._set(s, active)
            case st.If():
                return self._if(s, active)
            case st.Each():
                return self._each(s, active)
            case st.Stop():
                self.loops[-1].left.append((active, dict(self.env)))
                return 0
            case st.Skip():
                self.loops[-1].next.append((active, dict(self.env)))
                return 0
            case st.Give() if s.value is not None and self.calls:
                self.calls[-1].given.append((active, self.value(s.value)))
                return 0
            case st.Fail():
                self.failed = self.words.any(self.failed, active)
                return 0
            case st.Gather():
                self.env[s.name] = Gathered()
            case st.Put():
                item, gathered = self.number(s.item), self.env.get(s.name)
                if not isinstance(gathered, Gathered):
                    raise NotAbreast
                gathered.items.append((active, item))
            case st.Offer():
                self.offers.append((active, tuple(self.value(each) for each in s.values)))
            case st.Notes() | st.Note() | st.Mark():
                pass  # notes only save work
            case _:
                raise NotAbreast
        return active

    def _set(self, s: st.Set, active: Word) -> None:
        if not self.calls and s.name in self.flags:
            value, before = self.flags[s.name]
            self.flags[s.name] = (value, self.words.any(before, active))
        else:
            self.env[s.name] = self.value(s.value)

    def _if(self, s: st.If, active: Word) -> Word:
        truth = self.truth(s.truth)
        yes, no = self.words.both(active, truth), self.words.less(active, truth)
        before = self.env
        self.env = dict(before)
        then, env = self.block(s.then, yes), self.env
        self.env = dict(before)
        otherwise = self.block(s.otherwise, no)
        if otherwise == 0 or no == 0:
            self.env = env
        elif then != 0 and yes != 0:
            self.env = self._blended([(truth, env), (self.words.none(truth), self.env)])
        if (then, otherwise) == (yes, no):
            return active
        return self.words.any(then, otherwise)

    # -------------------------------------------------------------- loops

    def _each(self, s: st.Each, active: Word) -> Word:
        kinds, _ = self.about(s)
        self._prepare(s.body, s.name, active)
        given = len(self.calls[-1].given) if self.calls else 0
        after = active
        if not self._for_all(s, kinds):
            after = self._gone_through(s, active, kinds)
        self._forget(self.env, s)
        return active if not self.calls or len(self.calls[-1].given) == given else after

    def _gone_through(self, s: st.Each, active: Word, kinds: dict[str, int] | None) -> Word:
        """Go through a loop for these places."""
        outer, self.active = self.active, active
        after = self._one_after_the_other(s, active) if kinds is None else self._in_no_order(s, active, kinds)
        self.active = outer
        return after

    def _tells(self, s: st.Each) -> bool:
        """Whether a loop gives what a function gives, or sets what is set for the whole loop."""
        inside = parts(s.body)
        return any(
            isinstance(part, st.Give) or (isinstance(part, st.Set) and not self.calls and part.name in self.flags)
            for part in inside
        )

    def _for_all(self, s: st.Each, kinds: dict[str, int] | None) -> bool:
        """Go through a loop for more places than it is asked for, so that it is the same wherever it stands; False if
        that cannot be, as it does more than set variables, or could fail then."""
        if self._tells(s) or any(isinstance(part, st.Put | st.Offer) for part in parts(s.body)):
            return False
        env, failed, under_way = dict(self.env), self.failed, (self.loops, self.whole, self.active)
        loops, calls = len(self.loops), len(self.calls)
        try:
            self._gone_through(s, self.every, kinds)
        except NotAbreast:
            self.failed, self.env, (self.loops, self.whole, self.active) = failed, env, under_way
            del self.loops[loops:], self.calls[calls:]
            return False
        if self.failed != failed:
            self.failed, self.env = failed, env
            return False
        return True

    def _forget(self, env: Env, s: st.Each) -> Env:
        """What is named inside of a loop alone is asked for by nobody behind it."""
        for name in self.about(s)[1]:
            env[name] = Nothing()
        return env

    def _in_no_order(self, s: st.Each, active: Word, flags: dict[str, int]) -> Word:
        """All laps begin alike, and change nothing but flags."""
        before, words = self.env, self.words
        raised: dict[str, Word] = dict.fromkeys(flags, 0)
        if not self.calls and any(name in self.flags for name in flags):
            raise NotAbreast  # what the whole loop sets is set outside of loops in it
        for where, element in self._apart(s, active):
            here = words.both(active, where)
            if here == 0:
                continue
            self.env = {**before, s.name: element}
            self.loops.append(_Loop())
            rest = self.block(s.body, here)
            loop = self.loops.pop()
            self.active = here
            for lanes, env in [*loop.left, *loop.next, (rest, self.env)]:
                for name, value in flags.items():
                    if lanes != 0 and name in env and env[name] is not before.get(name):
                        number = env[name]
                        if not isinstance(number, Number):
                            raise NotAbreast
                        is_it = words.both(lanes, self.equal(number, _same(words, value)))
                        raised[name] = words.any(raised[name], is_it)
        self.env, self.active = before, active
        for name, value in flags.items():
            mine, old = raised[name], before.get(name, Nothing())
            if mine != 0:
                self.env[name] = self._blend([(mine, _same(words, value)), (words.none(mine), old)])
        return active

    def _one_after_the_other(self, s: st.Each, active: Word) -> Word:
        """Laps in order, each with what the one before left."""
        words, ended, gives = self.words, list[tuple[Word, Env]](), any(isinstance(p, st.Give) for p in parts(s.body))
        for where, element in self._in_order(s.row):
            here = words.both(active, where)
            out = words.less(active, where)
            if out != 0:
                ended.append((out, dict(self.env)))
            if here == 0:
                active = 0
                break
            self.env[s.name] = element
            self.loops.append(_Loop())
            rest = self.block(s.body, here)
            loop = self.loops.pop()
            ended += loop.left
            ways = [*loop.next, (rest, self.env)]
            ways = [(lanes, env) for lanes, env in ways if lanes != 0]
            active = 0
            for lanes, _ in ways:
                active = words.any(active, lanes)
            if active == 0:
                break
            self.env = self._blended(ways)
        ended.append((active, self.env))
        ended = [(lanes, self._forget(dict(env), s)) for lanes, env in ended if lanes != 0]
        if not ended:
            return 0
        self.env = self._blended(ended)
        if not gives:
            return active
        active = 0
        for lanes, _ in ended:
            active = words.any(active, lanes)
        return active

    def _in_order(self, row: Flat) -> Iterator[tuple[Word, Value]]:
        """The elements of a row, one after the other: where there is one, and which."""
        found = self.value(row)
        if not isinstance(found, Rows):
            raise NotAbreast
        known = self.known_of(found.known)
        longest = max((len(found.known.row(place)) for place in known), default=0)
        if longest > 64:
            raise NotAbreast
        for number in range(longest):
            lanes = tuple(place for place in known if len(found.known.row(place)) > number)
            yield self._element(lanes, partial(_element_of, found.known, number))

    def known_of(self, *known: Known) -> tuple[int, ...]:
        """The places of which all these are known."""
        if not any(each.each for each in known):
            return self.places
        return tuple(place for place in self.places if all(each.there(place) for each in known))

    def _element(self, lanes: tuple[int, ...], what: Callable[[int], Data]) -> tuple[Word, Value]:
        known, where = known_for(lanes, what, a_step=True), sum(1 << place for place in lanes)
        return where, Rows(known) if isinstance(what(lanes[0]), tuple) else Number((Case(self.words.full, known),))

    def _apart(self, s: st.Each, active: Word) -> Iterator[tuple[Word, Value]]:
        """The elements of a row in any order, if it is not that of answers: by how far they lie off."""
        row, found = s.row, self.value(s.row)
        answers = any(isinstance(each, st.Offer) for each in parts(s.body))
        if isinstance(found, Gathered) and not answers:
            yield from list(found.items)
            return
        if not isinstance(found, Rows):
            raise NotAbreast
        if isinstance(found.known.same, tuple):
            known = found.known.same
            flat_ = numbers(known)
            if len(known) <= SHORT or len(flat_) < len(known):
                yield from self._in_order(row)
            else:
                yield from self._by_steps(flat_)
            return
        if answers:
            yield from self._in_order(row)
            return
        groups: dict[tuple[int, int], dict[int, Data]] = {}
        for place in self.known_of(found.known):
            seen: dict[int, int] = {}
            for item in found.known.row(place):
                first = item
                while isinstance(first, tuple) and first:
                    first = first[0]
                step = first - place if isinstance(first, int) else 0
                seen[step] = seen.get(step, 0) + 1
                groups.setdefault((step, seen[step]), {})[place] = item
        if len(groups) > 2 * MOST_GROUPS:
            raise NotAbreast
        for key in sorted(groups):
            items = groups[key]
            yield self._element(tuple(sorted(items)), items.__getitem__)

    def _by_steps(self, row: tuple[int, ...]) -> Iterator[tuple[Word, Value]]:
        """All numbers of one row, which is the same for all places, by how far they lie off."""
        if list(row) != sorted(set(row)) or row[0] < 0:
            raise NotAbreast
        there = sum(1 << each for each in row)
        for step in range(row[0] - self.places[-1], row[-1] - self.places[0] + 1):
            where = (there >> step if step >= 0 else there << -step) & self.every
            if where:
                yield where, Number((Case(self.words.full, Known(step=step)),))

    def _prepare(self, body: tuple[st.Statement, ...], name: str, active: Word) -> None:
        """What does not change inside a loop, and is worked out there when it is first needed, is worked out now."""
        key = id(body)
        if key not in self._prepares:
            self._prepares[key] = [part for part in parts(body) if isinstance(part, st.If) and not part.otherwise]
        for part in self._prepares[key]:
            match part:
                case st.If(truth=flat.No(truth=flat.IsOne(value=flat.Name(name=flag))), then=then, otherwise=()) if (
                    then and then[-1] == st.Set(flag, flat.Known(1))
                ):
                    own = _given(then)
                    others = {each for each, times in _given(body).items() if times != own.get(each)} | {name}
                    named = {each.name for each in parts(then) if isinstance(each, flat.Name)}
                    before = self.env.get(flag)
                    if not others & (named | {flag}) and (before is None or before == _same(self.words, 0)):
                        self.block(then, active)
                        self.env[flag] = _same(self.words, 1)

    # -------------------------------------------------------------- what ways meet with

    def _blended(self, ways: list[tuple[Word, Env]]) -> Env:
        """What variables hold where ways meet, each with its places."""
        if len(ways) == 1:
            return ways[0][1]
        found: Env = {}
        for name in {name: 0 for _, env in ways for name in env}:
            found[name] = self._blend([(lanes, env.get(name, Nothing())) for lanes, env in ways])
        return found

    def _blend(self, ways: list[tuple[Word, Value]]) -> Value:
        first = ways[0][1]
        if all(value is first or value == first for _, value in ways):
            return first
        if all(isinstance(value, Truth) for _, value in ways):
            word: Word = 0
            for lanes, value in ways:
                assert isinstance(value, Truth)
                word = self.words.any(word, self.words.both(lanes, value.word))
            return Truth(word)
        cases: list[Case] = []
        for lanes, value in ways:
            try:
                number = self.as_number(value)
            except NotAbreast:
                return Nothing()
            cases += [attrs.evolve(case, where=self.words.both(lanes, case.where)) for case in number.cases]
        found = merged(self.words, cases)
        return found if len(found.cases) <= MOST_CASES else Nothing()

    # -------------------------------------------------------------- values

    def value(self, e: Flat) -> Value:
        """What an expression is at every place."""
        if isinstance(e, flat.Known):
            if isinstance(e.value, int):
                return _same(self.words, e.value)
            return Rows(Known(same=e.value))
        if isinstance(e, flat.Name) and e.name in self.env:
            return self.env[e.name]
        free = self.free(e)
        if isinstance(free, flat.Known) and isinstance(free.value, int):
            return _same(self.words, free.value)
        if free is not None:
            return Number((Case(self.words.full, Known(same=0), free),))
        write = VALUES.get(type(e))
        if write is None:
            raise NotAbreast
        return write(self, e)

    def truth(self, e: Flat) -> Word:
        """Where a truth holds."""
        found = self.value(e)
        if isinstance(found, Truth):
            return found.word
        if isinstance(found, Rows):
            return sum(1 << place for place in self.known_of(found.known) if found.known.row(place))
        if isinstance(found, Gathered):
            word: Word = 0
            for where, _ in found.items:
                word = self.words.any(word, where)
            return word
        if isinstance(found, Piece):
            return self.words.none(self.equal(found, _same(self.words, 0)))
        return self.words.none(self.equal(self.as_number(found), _same(self.words, 0)))

    def number(self, e: Flat) -> Number:
        return self.as_number(self.value(e))

    def as_number(self, value: Value) -> Number:
        """A number for every place."""
        match value:
            case Number():
                return value
            case Truth():
                cases = [Case(value.word, Known(same=1)), Case(self.words.none(value.word), Known(same=0))]
                return merged(self.words, cases)
            case Piece():
                planes = self.writer.home.planes[value.slot]
                cases = []
                for each in range(planes.low, planes.low + planes.values):
                    where = self.on_board(value, flat.Known(each))
                    cases.append(Case(where, Known(same=each)))
                return merged(self.words, cases)
            case _:
                raise NotAbreast

    # -------------------------------------------------------------- what is the same for all places

    def free(self, e: Flat) -> Flat | None:
        """An expression that is the same for all places, as one that can be worked out outside; None if it is none."""
        match e:
            case flat.Known():
                return e if isinstance(e.value, int) else None
            case flat.Name():
                if e.name not in self.env:
                    return (
                        None if self.calls or self.writer.kinds.get(e.name, "number") not in ("number", "truth") else e
                    )
                return self._as_free(self.env[e.name])
            case flat.Remembered():
                return e if not self.calls and self.writer.local_is_number(e.local) else None
            case flat.Held(member=flat.Known()):
                home = self.writer.home
                rows = home.places.rows[e.slot] or e.slot in home.piles or e.slot in home.bags
                return None if rows or e.slot in home.bag_sets else e
            case flat.Math(operator="//" | "%", right=right) if not isinstance(right, flat.Known):
                return None
            case flat.Math() | flat.Compare():
                one, two = self.free(e.left), self.free(e.right)
                return None if one is None or two is None else _worked_out(attrs.evolve(e, left=one, right=two))
            case flat.No() | flat.AsNumber():
                inner = self.free(e.truth)
                if isinstance(inner, flat.Known):
                    return flat.Known(int(not inner.value if isinstance(e, flat.No) else bool(inner.value)))
                return None if inner is None else attrs.evolve(e, truth=inner)
            case flat.IsOne():
                value = self.free(e.value)
                if isinstance(value, flat.Known):
                    return flat.Known(int(bool(value.value)))
                return None if value is None else attrs.evolve(e, value=value)
            case flat.All() | flat.Any():
                found = [self.free(each) for each in e.parts]
                some = tuple(each for each in found if each is not None)
                return None if len(some) < len(found) else attrs.evolve(e, parts=some)
            case flat.Either():
                truth, then, other = self.free(e.truth), self.free(e.then), self.free(e.otherwise)
                if truth is None or then is None or other is None:
                    return None
                if isinstance(truth, flat.Known):
                    return then if truth.value else other
                return flat.Either(truth, then, other)
            case _:
                return None

    def _as_free(self, value: Value) -> Flat | None:
        match value:
            case Number(cases=(Case(known=Known(same=int(same)), free=free),)):
                if free is None:
                    return flat.Known(same)
                return free if same == 0 else flat.Math("+", free, flat.Known(same))
            case Truth(word=int(word)) if self.every & word in (0, self.every):
                return flat.Known(int(word != 0))
            case _:
                return None

    def scalar(self, e: Flat) -> str:
        """What is the same for all places, worked out."""
        if e not in self._free:
            first = len(self.writer.lines)
            self._free[e] = self.writer.n(e)
            for place in range(first, len(self.writer.lines)):  # where nobody asks for it, it may be too much
                self.writer.lines[place] = self.writer.lines[place].replace(" nsw ", " ")
        return self._free[e]

    # -------------------------------------------------------------- comparing

    def equal(self, one: Value, other: Value) -> Word:
        """Where two numbers are the same."""
        for mine, theirs in ((one, other), (other, one)):
            if isinstance(mine, Piece):
                free = self._as_free(theirs)
                if free is not None:
                    return self.on_board(mine, free)
        return self.compared("==", self.as_number(one), self.as_number(other))

    def on_board(self, piece: Piece, value: Flat) -> Word:
        """Where a piece is of a value that is the same for all places."""
        key = flat.Compare("==", flat.Held(piece.slot, flat.Known(-1)), value)
        if key not in self._free:
            planes = self.writer.home.planes[piece.slot]
            plane = self.writer.plane(piece.slot, value)
            self._free[key] = plane if plane == "0" else self.writer.as_wide(plane, planes.word, self.words.kind)
        plane = self._free[key]
        board: Word = 0 if plane == "0" else plane
        found: Word = 0
        for case in piece.place.cases:
            if case.free is not None:
                raise NotAbreast
            found = self.words.any(found, self.words.both(case.where, self._seen(board, case)))
        return found

    def _seen(self, board: Word, case: Case) -> Word:
        """For every place the bit of another one."""
        if case.known.step is not None:
            return self.words.moved(board, case.known.step)
        if isinstance(case.known.same, int):
            here = self.words.moved(board, case.known.same) if 0 <= case.known.same < self.words.bits else 0
            kind = self.words.kind
            return 0 if here == 0 else self.words.spread(self.words.op(f"trunc {kind} {self.words.text(here)} to i1"))
        groups: dict[int, int] = {}
        for place in self.known_of(case.known):
            if isinstance(case.where, int) and not case.where >> place & 1:
                continue
            there = case.known.number(place)
            if 0 <= there < self.words.bits:
                groups[there - place] = groups.get(there - place, 0) | 1 << place
        if len(groups) > MOST_GROUPS:
            raise NotAbreast
        found: Word = 0
        for step in sorted(groups):
            found = self.words.any(found, self.words.both(groups[step], self.words.moved(board, step)))
        return found

    def compared(self, operator: str, one: Number, other: Number) -> Word:
        """Where two numbers compare so; cases that fulfil it, or those that do not, whatever are fewer."""
        words, pairs = self.words, list[tuple[Word, Word]]()
        for mine in one.cases:
            for theirs in other.cases:
                where = words.both(mine.where, theirs.where)
                if where != 0:
                    # of other places than those that matter now it may be wrong what is known
                    most = words.seen(where).most & words.seen(self.active).most
                    pairs.append((where, self._case(operator, mine, theirs, most)))
        false = [where for where, holds in pairs if holds == 0]
        plain = all(holds in (0, words.full) for _, holds in pairs)
        if plain and 2 * len(false) < len(pairs):
            rest: Word = 0
            for where in false:
                rest = words.any(rest, where)
            return words.none(rest)
        some: Word = 0
        for where, holds in pairs:
            some = words.any(some, words.both(where, holds))
        return some

    def _case(self, operator: str, one: Case, other: Case, most: int) -> Word:
        """Where two cases compare so, of the places that can matter."""
        mine, theirs = one.known, other.known
        if one.free == other.free:
            if mine.step is not None and theirs.step is not None:
                return self.words.full if HOLDS[operator](mine.step, theirs.step) else 0
            if isinstance(mine.same, int) and isinstance(theirs.same, int):
                return self.words.full if HOLDS[operator](mine.same, theirs.same) else 0
            lanes = [place for place in self.known_of(mine, theirs) if most >> place & 1]
            there = [place for place in lanes if HOLDS[operator](mine.number(place), theirs.number(place))]
            return self.words.full if len(there) == len(lanes) else sum(1 << place for place in there)
        if one.free is not None and other.free is not None:
            if (mine.same, theirs.same) != (0, 0):
                raise NotAbreast
            return self.words.spread(self._holds(operator, one.free, other.free))
        wanted: dict[int, int] = {}
        free: Flat | None = one.free if one.free is not None else other.free
        assert free is not None
        for place in self.known_of(mine, theirs):
            if not most >> place & 1:
                continue
            off = theirs.number(place) - mine.number(place)
            off = off if one.free is not None else -off
            wanted[off] = wanted.get(off, 0) | 1 << place
        if len(wanted) > SHORT:
            raise NotAbreast
        found: Word = 0
        for off in sorted(wanted):
            pair = (free, flat.Known(off)) if one.free is not None else (flat.Known(off), free)
            holds = self._holds(operator, *pair)
            all_ = len(wanted) == 1
            word = self.words.spread(holds) if all_ else self.words.if_(holds, wanted[off])
            found = self.words.any(found, word)
        return found

    def _holds(self, operator: str, left: Flat, right: Flat) -> str:
        word = {"==": "eq", "<": "slt", "<=": "sle"}[operator]
        first = str(left.value) if isinstance(left, flat.Known) else self.scalar(left)
        second = str(right.value) if isinstance(right, flat.Known) else self.scalar(right)
        return self.words.op(f"icmp {word} i64 {first}, {second}")

    # -------------------------------------------------------------- single expressions

    def _held(self, e: flat.Held) -> Value:
        if e.slot not in self.writer.home.planes:
            raise NotAbreast
        return Piece(e.slot, self.number(e.member))

    def _compare(self, e: flat.Compare) -> Value:
        one, other = self.value(e.left), self.value(e.right)
        if e.operator in ("==", "!="):
            word = self.equal(one, other)
            return Truth(word if e.operator == "==" else self.words.none(word))
        return Truth(self.compared(e.operator, self.as_number(one), self.as_number(other)))

    def _parts(self, e: flat.All | flat.Any) -> Value:
        every = isinstance(e, flat.All)
        word: Word = self.words.full if every else 0
        for part in e.parts:
            word = self.words.both(word, self.truth(part)) if every else self.words.any(word, self.truth(part))
        return Truth(word)

    def _either(self, e: flat.Either) -> Value:
        truth = self.truth(e.truth)
        if isinstance(truth, int) and truth & self.every in (0, self.every):
            return self.value(e.then if truth & self.every else e.otherwise)
        return self._blend([(truth, self.value(e.then)), (self.words.none(truth), self.value(e.otherwise))])

    def _math(self, e: flat.Math) -> Value:
        one, other = self.number(e.left), self.number(e.right)
        cases = list[Case]()
        for mine in one.cases:
            for theirs in other.cases:
                where = self.words.both(mine.where, theirs.where)
                if where != 0:
                    cases += self._counted(e.operator, where, mine, theirs)
        if len(cases) > MOST_CASES:
            raise NotAbreast
        return merged(self.words, cases)

    def _counted(self, operator: Operator, where: Word, one: Case, other: Case) -> list[Case]:
        """Two cases taken together: several if what is the same for all is not just added."""
        free: Flat | None = one.free
        if other.free is not None:
            free = other.free
        just_added = (operator == "+" or other.free is None) and operator in ("+", "-")
        if free is not None and (not just_added or (one.free is not None and other.free is not None)):
            return self._by_what_is_known(operator, where, one, other)

        def known(place: int) -> int:
            left, right = one.known.number(place), other.known.number(place)
            if operator in ("//", "%") and right == 0:
                raise NotAbreast
            return COUNTED[operator](left, right)

        lanes = self.known_of(one.known, other.known)
        return [Case(where, known_for(lanes, known) if lanes else one.known, free)]

    def _by_what_is_known(self, operator: Operator, where: Word, one: Case, other: Case) -> list[Case]:
        """Two cases taken together, for each pair of what is known of them."""
        if operator in ("//", "%"):
            raise NotAbreast
        pairs: dict[tuple[int, int], int] = {}
        most = self.words.seen(where).most & self.words.seen(self.active).most
        for place in self.known_of(one.known, other.known):
            if not most >> place & 1:
                continue
            pair = one.known.number(place), other.known.number(place)
            pairs[pair] = pairs.get(pair, 0) | 1 << place
        if len(pairs) > MOST_CASES:
            raise NotAbreast
        found = []
        for pair in sorted(pairs):
            mine, theirs = (_with(case.free, number) for case, number in zip((one, other), pair, strict=True))
            here = self.words.both(where, pairs[pair] if len(pairs) > 1 else self.words.full)
            found.append(Case(here, Known(same=0), flat.Math(operator, mine, theirs)))
        return found

    def _at(self, e: flat.At) -> Value:
        row, place = self.value(e.row), self.number(e.place)
        if not isinstance(row, Rows):
            raise NotAbreast
        if any(case.free is not None for case in place.cases):
            raise NotAbreast
        found: list[tuple[Word, Value]] = []
        for case in place.cases:
            lanes = self.known_of(row.known, case.known)
            inside = tuple(each for each in lanes if 0 <= case.known.number(each) < len(row.known.row(each)))
            if not inside:
                continue
            _, value = self._element(inside, partial(_chosen, row.known, case.known))
            found.append((case.where, value))
        if not found:
            raise NotAbreast
        return found[0][1] if len(place.cases) == len(found) == 1 else self._blend(found)

    def _distinct(self, e: flat.Distinct | flat.Sorted) -> Value:
        row = self.value(e.row)
        if isinstance(row, Gathered):
            return row  # in no order, but for what is gathered twice
        if not isinstance(row, Rows):
            raise NotAbreast
        once = isinstance(e, flat.Distinct)
        return Rows(known_for(self.known_of(row.known), lambda place: _in_order(row.known.row(place), once=once)))

    def _length(self, e: flat.Length) -> Value:
        row = self.value(e.row)
        if not isinstance(row, Rows):
            raise NotAbreast
        lanes = self.known_of(row.known)
        return Number((Case(self.words.full, known_for(lanes, lambda place: len(row.known.row(place)))),))

    def _has(self, e: flat.Has) -> Value:
        row, item = self.value(e.row), self.number(e.item)
        if isinstance(row, Gathered):
            found: Word = 0
            for where, each in row.items:
                found = self.words.any(found, self.words.both(where, self.compared("==", each, item)))
            return Truth(found)
        if not isinstance(row, Rows) or any(case.free is not None for case in item.cases):
            raise NotAbreast
        found = 0
        for case in item.cases:
            lanes = self.known_of(row.known, case.known)
            there = sum(1 << each for each in lanes if case.known.number(each) in row.known.row(each))
            found = self.words.any(found, self.words.both(case.where, there))
        return Truth(found)

    def _result(self, e: flat.Result) -> Value:
        """What a function gives: it is carried out here."""
        function = self.functions.get(e.function)
        if function is None or function.frame is not None or len(self.calls) >= MOST_DEPTH:
            raise NotAbreast
        given = [self.value(each) for each in e.arguments]
        key = (e.function, tuple(given))
        if key in self._called:
            return self._called[key]
        before, loops, whole = self.env, self.loops, self.whole
        self.env = dict(zip(function.parameters, given, strict=True))
        failed, active = self.failed, self.active
        self.loops, self.whole = [], function.body
        self.calls.append(_Call())
        self.block(function.body, self.every)  # for all: it is the same wherever it is called
        call = self.calls.pop()
        same = self.failed == failed
        if not same:
            self.failed, self.env = failed, dict(zip(function.parameters, given, strict=True))
            self.calls.append(_Call())
            self.block(function.body, active)
            call = self.calls.pop()
        self.env, self.loops, self.whole, self.active = before, loops, whole, active
        if not call.given:
            raise NotAbreast
        found = call.given[0][1] if len(call.given) == 1 else self._blend(call.given)
        if same:
            self._called[key] = found
        return found


STATEMENTS = (
    st.Set, st.If, st.Each, st.Stop, st.Skip, st.Fail, st.Gather, st.Put, st.Offer, st.Notes, st.Note, st.Mark,
)  # fmt: skip
"""What can be carried out for all places at once."""
LEAST_PLACES = 8
"""So few places are gone through one after the other."""


def suits(loop: st.Each) -> bool:
    """Whether it is worth while to try it: a loop over many places, with loops inside, that changes nothing."""
    if not isinstance(loop.row, flat.Known) or len(numbers(loop.row.value)) < LEAST_PLACES:
        return False
    inside = list(parts(loop.body))
    if not any(isinstance(part, st.Each | flat.Result) for part in inside):
        return False
    return all(isinstance(part, STATEMENTS) for part in inside if isinstance(part, st.Statement))


def _worked_out(e: flat.Math | flat.Compare) -> Flat:
    """The same, as a number if all of it is known."""
    if not isinstance(e.left, flat.Known) or not isinstance(e.right, flat.Known):
        return e
    left, right = e.left.value, e.right.value
    if not isinstance(left, int) or not isinstance(right, int):
        return e
    if isinstance(e, flat.Math):
        return e if e.operator in ("//", "%") and not right else flat.Known(COUNTED[e.operator](left, right))
    return flat.Known(int(left != right if e.operator == "!=" else HOLDS[e.operator](left, right)))


def _with(free: Flat | None, number: int) -> Flat:
    """What is the same for all, and a number more."""
    if free is None:
        return flat.Known(number)
    return flat.Math("+", free, flat.Known(number)) if number else free


def _in_order(row: tuple[Data, ...], *, once: bool) -> tuple[Data, ...]:
    found = numbers(row)
    if len(found) < len(row):
        raise NotAbreast
    return tuple(sorted(set(found) if once else found))


def _element_of(rows: Known, number: int, place: int) -> Data:
    return rows.row(place)[number]


def _chosen(rows: Known, numbers_: Known, place: int) -> Data:
    return rows.row(place)[numbers_.number(place)]


def _same(words: Words, value: int) -> Number:
    return Number((Case(words.full, Known(same=value)),))


def _flags(loop: st.Each, only: set[str]) -> dict[str, int] | None:
    """The flags that a loop raises if the order of its laps does not matter, with what they are set to; None if it
    does. Whatever else a lap sets is named nowhere else, so that each lap sets it anew."""
    inside = list(parts(loop.body))
    stops = _stops(loop.body)
    if any(isinstance(part, st.Give) for part in inside):
        return None
    if stops and any(isinstance(part, st.Put | st.Offer) for part in inside):
        return None
    flags: dict[str, int] = {}
    for part in inside:
        if not isinstance(part, st.Set) or part.name in only:
            continue
        if _prepared(loop.body, part.name):
            continue
        if not isinstance(part.value, flat.Known) or not isinstance(part.value.value, int):
            return None
        if flags.setdefault(part.name, part.value.value) != part.value.value:
            return None
    if any(isinstance(part, flat.Name) and part.name in flags for part in inside):
        return None
    if any(isinstance(part, st.Gather | st.Each) and part.name not in only for part in inside):
        return None
    return flags


def _stops(body: tuple[st.Statement, ...]) -> bool:
    """Whether a lap can leave its loop."""
    for each in body:
        match each:
            case st.Stop():
                return True
            case st.If() if _stops(each.then) or _stops(each.otherwise):
                return True
    return False


def _prepared(body: tuple[st.Statement, ...], name: str) -> bool:
    """Whether a variable says that something is prepared."""
    return any(
        isinstance(part, st.If)
        and part.truth == flat.No(flat.IsOne(flat.Name(name)))
        and part.then[-1:] == (st.Set(name, flat.Known(1)),)
        for part in parts(body)
    )


def _only_inside(whole: tuple[st.Statement, ...], loop: st.Each) -> set[str]:
    """The variables that are named nowhere but in a loop."""
    inside, everywhere = _named(loop.body), _named(whole)
    return {name for name, times in inside.items() if times == everywhere.get(name)} | {loop.name}


def _given(body: tuple[st.Statement, ...]) -> dict[str, int]:
    """The variables that are given something, and how often."""
    found: dict[str, int] = {}
    for part in parts(body):
        if isinstance(part, st.Set | st.Each | st.Gather):
            found[part.name] = found.get(part.name, 0) + 1
    return found


def _named(body: tuple[st.Statement, ...]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts(body):
        match part:
            case flat.Name() | st.Set() | st.Each() | st.Gather() | st.Put():
                found[part.name] = found.get(part.name, 0) + 1
            case flat.Finished():
                found[part.gathered] = found.get(part.gathered, 0) + 1
    return found


HOLDS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
COUNTED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
}

VALUES: dict[type, Callable[[Abreast, Any], Value]] = {
    flat.Held: Abreast._held,
    flat.Compare: Abreast._compare,
    flat.All: Abreast._parts,
    flat.Any: Abreast._parts,
    flat.No: lambda a, e: Truth(a.words.none(a.truth(e.truth))),
    flat.IsOne: lambda a, e: Truth(a.truth(e.value)),
    flat.AsNumber: lambda a, e: Truth(a.truth(e.truth)),
    flat.Either: Abreast._either,
    flat.Math: Abreast._math,
    flat.At: Abreast._at,
    flat.Length: Abreast._length,
    flat.Distinct: Abreast._distinct,
    flat.Sorted: Abreast._distinct,
    flat.Has: Abreast._has,
    flat.Finished: lambda a, e: a.env.get(e.gathered, Nothing()),
    flat.Noted: lambda a, e: _same(a.words, -1),
    flat.Result: Abreast._result,
}
