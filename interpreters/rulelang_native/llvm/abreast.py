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

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat
from rulelang_native.llvm.laps import flags, given, only_inside
from rulelang_native.llvm.planes import numbers, word_for
from rulelang_native.llvm.reckoning import MOST_GROUPS, SHORT, Env, Reckoning, same
from rulelang_native.llvm.walking import parts, reaches_the_ends
from rulelang_native.llvm.words import (
    Case,
    Gathered,
    Known,
    NotAbreast,
    Nothing,
    Number,
    Rows,
    Value,
    Word,
    Words,
)

if TYPE_CHECKING:
    from rulelang_native.flat.program import Function
    from rulelang_native.llvm.values import Writer

MOST_DEPTH = 8
"""Functions inside one another."""
MOST_STATEMENTS = 20_000
"""So many statements take too long to be carried out before play."""


@attrs.define
class _Loop:
    """A loop that is gone through: who has left it, and who has gone on to the next lap, each with what they hold."""

    left: list[tuple[Word, Env]] = attrs.field(factory=list)
    next: list[tuple[Word, Env]] = attrs.field(factory=list)


@attrs.define
class _Call:
    """A function that is carried out."""

    given: list[tuple[Word, Value]] = attrs.field(factory=list)


class Abreast(Reckoning):
    """Carries out the body of a loop over known places. Raises NotAbreast if something in it has no form."""

    def __init__(self, writer: Writer, whole: tuple[st.Statement, ...], loop: st.Each) -> None:
        if not isinstance(loop.row, flat.Known):
            raise NotAbreast
        self.functions: dict[str, Function] = writer.home.functions
        self.loop = loop
        places = numbers(loop.row.value)
        if not places or places[0] < 0 or list(places) != sorted(set(places)):
            raise NotAbreast
        wide = max([places[-1] + 1, *[each.places for each in writer.home.planes.values()]])
        if wide > 512:
            raise NotAbreast
        words = Words(writer, word_for(wide))
        super().__init__(writer, places, words, {loop.name: Number((Case(words.full, Known(step=0)),))})
        self.whole = whole
        """The function that is carried out now."""
        self.loops: list[_Loop] = []
        self.calls: list[_Call] = []
        self.failed: Word = 0
        self.offers: list[tuple[Word, tuple[Value, ...]]] = []
        self.flags: dict[str, tuple[int, Word]] = {}
        """What is set for the whole loop: what to, and by which places."""
        self._prepares: dict[int, list[st.If]] = {}
        self._called: dict[tuple[str, tuple[Value, ...]], Value] = {}
        self._steps = 0
        self._known: dict[tuple[int, int], tuple[dict[str, int] | None, set[str]]] = {}

    def about(self, s: st.Each) -> tuple[dict[str, int] | None, set[str]]:
        """Of a loop: the flags it raises if its order does not matter, and what is named nowhere else."""
        key = (id(self.whole), id(s))
        if key not in self._known:
            only = only_inside(self.whole, s)
            self._known[key] = (flags(s, only), only)
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
            case st.If() if reaches_the_ends(s.truth):
                raise NotAbreast  # what leaves 64 bits would not be seen
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
            self.env = self.blended([(truth, env), (self.words.none(truth), self.env)])
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
                        is_it = words.both(lanes, self.equal(number, same(words, value)))
                        raised[name] = words.any(raised[name], is_it)
        self.env, self.active = before, active
        for name, value in flags.items():
            mine, old = raised[name], before.get(name, Nothing())
            if mine != 0:
                self.env[name] = self.blend([(mine, same(words, value)), (words.none(mine), old)])
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
            self.env = self.blended(ways)
        ended.append((active, self.env))
        ended = [(lanes, self._forget(dict(env), s)) for lanes, env in ended if lanes != 0]
        if not ended:
            return 0
        self.env = self.blended(ended)
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
            yield self.element(lanes, partial(_element_of, found.known, number))

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
            yield self.element(tuple(sorted(items)), items.__getitem__)

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
                    own = given(then)
                    others = {each for each, times in given(body).items() if times != own.get(each)} | {name}
                    named = {each.name for each in parts(then) if isinstance(each, flat.Name)}
                    before = self.env.get(flag)
                    if not others & (named | {flag}) and (before is None or before == same(self.words, 0)):
                        self.block(then, active)
                        self.env[flag] = same(self.words, 1)

    # -------------------------------------------------------------- functions

    @property
    def inside_a_call(self) -> bool:
        return bool(self.calls)

    def result(self, e: flat.Result) -> Value:
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
        found = call.given[0][1] if len(call.given) == 1 else self.blend(call.given)
        if same:
            self._called[key] = found
        return found


def _element_of(rows: Known, number: int, place: int) -> Data:
    return rows.row(place)[number]
