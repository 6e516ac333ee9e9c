"""What variables and locals are known to hold: those that are only ever given one value that is known before play, or a
span that depends on parameters alone, are replaced by it. So rows that a loop of the flow goes through need no place.

A value that is read must have been given on every way; that is seen from the flow (`Surely`). Only what is laid out
for random games is written anew: it draws, spends and fails as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import FlatProgram, Procedure
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.runtime.module import Module

Thing = TypeVar("Thing")


def replaced(thing: Thing, change: Callable[[Any], Any]) -> Thing:
    """A thing with every part changed, the innermost first. ``change`` gives the part itself if it stays as it is."""
    found: Any = thing
    if isinstance(found, tuple):
        new = tuple(replaced(each, change) for each in found)
        return found if all(one is other for one, other in zip(new, found, strict=True)) else new  # type: ignore[return-value]
    if not attrs.has(type(found)):
        return thing
    changes = {}
    for field in attrs.fields(type(found)):
        old = getattr(found, field.name)
        if isinstance(old, tuple) or attrs.has(type(old)):
            new = replaced(old, change)
            if new is not old:
                changes[field.name] = new
    result: Thing = change(attrs.evolve(found, **changes) if changes else found)
    return result


def known_before(program: FlatProgram, module: Module) -> FlatProgram:
    """The same program with what is known written out."""
    functions = tuple(attrs.evolve(each, body=_names(each.body)) for each in program.functions)
    framed: dict[int, set[int]] = {}
    for each in functions:
        if each.frame is not None:
            locals = {part.local for part in parts(each.body) if isinstance(part, flat.Remembered)}
            framed.setdefault(each.frame, set()).update(locals)
    procedures = []
    for procedure in program.procedures:
        blocks = tuple(attrs.evolve(block, body=_names(block.body)) for block in procedure.blocks)
        new = attrs.evolve(procedure, blocks=blocks)
        if not procedure.plain:
            new = _locals(new, framed.get(procedure.number, set()), module)
        procedures.append(new)
    return attrs.evolve(program, functions=functions, procedures=tuple(procedures))


def _names(body: tuple[st.Statement, ...]) -> tuple[st.Statement, ...]:
    """A body in which variables that are given one known row, and nothing else, are replaced by it."""
    given: dict[str, list[Flat]] = {}
    for part in parts(body):
        match part:
            case st.Set():
                given.setdefault(part.name, []).append(part.value)
            case st.Each() | st.Gather() | st.Notes():
                given.setdefault(part.name, []).append(flat.Name(part.name))
    known: dict[str, Known] = {}
    for name, values in given.items():
        first = values[0]
        if len(values) == 1 and isinstance(first, Known) and isinstance(first.value, tuple):
            known[name] = first
    if not known:
        return body

    def change(part: Any) -> Any:
        return known.get(part.name, part) if isinstance(part, flat.Name) else part

    return _without(replaced(body, change), lambda each: isinstance(each, st.Set) and each.name in known)


def _locals(procedure: Procedure, elsewhere: set[int], module: Module) -> Procedure:
    """A procedure whose locals that are given one known row, and nothing else, are replaced by it."""
    given: dict[int, list[Flat]] = {}
    taken: set[int] = set(range(procedure.parameters)) | elsewhere
    for part in parts(procedure.blocks):
        match part:
            case st.Remember():
                given.setdefault(part.local, []).append(part.value)
            case st.Draw():
                result = module.results[part.node]
                taken |= {result[0]} if result is not None else set()
            case st.Ask() | st.Force():
                answered = module.decisions[part.node].answered
                taken |= {answered} if answered is not None else set()
    known: dict[int, Flat] = {}
    for local, values in given.items():
        if local not in taken and all(each == values[0] for each in values) and _lasts(values[0], procedure, given):
            known[local] = values[0]

    def given_by(s: st.Statement) -> int | None:
        return s.local if isinstance(s, st.Remember) and s.local in known else None

    def read_by(part: Any) -> int | None:
        return part.local if isinstance(part, flat.Remembered) and part.local in known else None

    if known:
        unsure = Surely((procedure,), module, given_by, read_by, {}).unsure(procedure, known)
        known = {local: value for local, value in known.items() if local not in unsure}
    if not known:
        return procedure

    def change(part: Any) -> Any:
        return known.get(part.local, part) if isinstance(part, flat.Remembered) else part

    blocks = tuple(
        attrs.evolve(
            block,
            body=_without(
                replaced(block.body, change), lambda each: isinstance(each, st.Remember) and each.local in known
            ),
        )
        for block in procedure.blocks
    )
    return attrs.evolve(procedure, blocks=blocks)


def _lasts(value: Flat, procedure: Procedure, given: Mapping[int, Any]) -> bool:
    """Whether a row is the same whenever it is worked out in a procedure that is under way."""

    def end(e: Flat) -> bool:
        match e:
            case Known():
                return isinstance(e.value, int)
            case flat.Remembered():
                return e.local < procedure.parameters and e.local not in given
            case _:
                return False

    match value:
        case Known():
            return isinstance(value.value, tuple)
        case flat.Span():
            return end(value.low) and end(value.high)
        case _:
            return False


def _without(body: tuple[st.Statement, ...], gone: Callable[[st.Statement], bool]) -> tuple[st.Statement, ...]:
    """A body without some of its statements."""
    found: list[st.Statement] = []
    for each in body:
        if gone(each):
            continue
        match each:
            case st.If():
                found.append(
                    attrs.evolve(each, then=_without(each.then, gone), otherwise=_without(each.otherwise, gone))
                )
            case st.Each():
                found.append(attrs.evolve(each, body=_without(each.body, gone)))
            case _:
                found.append(each)
    return tuple(found)


# ------------------------------------------------------------------ what surely has happened


Things = frozenset[int]
"""Things that have happened, by numbers."""


class Surely:
    """What surely has happened whenever play comes to some place of procedures: statements that do things, each of
    which has happened for good once it has. ``happens`` says what a statement does, ``asks`` what must have happened
    before something is carried out or worked out.

    Procedures that are opened, and effects of moves, are followed if they are among those that are given; what is not
    among them neither does nor asks anything of that kind. Ways that come together are taken for one.
    """

    def __init__(
        self,
        procedures: Iterable[Procedure],
        module: Module,
        happens: Callable[[st.Statement], int | None],
        asks: Callable[[Any], int | None],
        ends: Mapping[int, tuple[st.Statement, ...]],
    ) -> None:
        self.procedures = {each.number: each for each in procedures}
        self.blocks = {(each.number, block.node): block for each in procedures for block in each.blocks}
        self.module, self.happens, self.asks = module, happens, asks
        self.ends = ends
        """What is worked out where the game is over, by its node."""
        self.asked: dict[int, Things] = {}
        """What something asks for, by its identity."""

    def unsure(self, first: Procedure, things: Iterable[int]) -> Things:
        """Those of the things that are asked for where they have perhaps not happened, if play begins with a
        procedure."""
        self.all = frozenset(things)
        self.before: dict[tuple[int, int], Things] = {(first.number, first.entry): frozenset()}
        self.closing: dict[int, Things] = {}
        """What has happened when a procedure is over."""
        while True:
            old = dict(self.before), dict(self.closing)
            self.missing: Things = frozenset()
            for number, node in sorted(self.before):
                self.number = number
                self._go(self.blocks[number, node].body, self.before[number, node])
            if old == (self.before, self.closing):
                return self.missing

    def _to(self, number: int, node: int, state: Things) -> None:
        self.before[number, node] = self.before.get((number, node), self.all) & state

    def _begin(self, number: int, state: Things) -> Things:
        """A procedure begins: what has happened when it is over, as far as is known by now."""
        if number not in self.procedures:
            return state
        self._to(number, self.procedures[number].entry, state)
        return state | self.closing.get(number, self.all)

    def _over(self, number: int, state: Things) -> None:
        self.closing[number] = self.closing.get(number, self.all) & state

    def _look(self, thing: Any, state: Things) -> None:
        if id(thing) not in self.asked:
            asked = {self.asks(part) for part in parts(thing)}
            self.asked[id(thing)] = frozenset(each for each in asked if each is not None)
        self.missing |= self.asked[id(thing)] - state

    def _go(self, body: tuple[st.Statement, ...], state: Things) -> Things | None:
        """Statements: what has happened behind them, None if nothing comes there."""
        for s in body:
            match s:
                case st.If():
                    self._look(s.truth, state)
                    ways = [way for way in (self._go(s.then, state), self._go(s.otherwise, state)) if way is not None]
                    if not ways:
                        return None
                    state = frozenset.intersection(*ways)
                case st.Each():
                    self._look(s.row, state)
                    self._go(s.body, state)
                case _:
                    self._look(s, state)
                    done = self.happens(s)
                    if done is not None:
                        state |= {done}
                    if self._step(s, state):
                        return None
                    if isinstance(s, st.SpendOn):
                        state = self._begin(s.procedure, state)
        return state

    def _step(self, s: st.Statement, state: Things) -> bool:
        """A step of the flow; whether nothing comes behind it."""
        match s:
            case st.Goto():
                self._to(self.number, s.node, state)
            case st.Open():
                self._to(self.number, s.next, self._begin(s.procedure, state))
            case st.Ask() | st.Force():
                decision = self.module.decisions[s.node]
                for move in decision.moves:
                    self._begin(self.module.effects[move], state)
                self._to(self.number, decision.next, state)
                return isinstance(s, st.Ask)
            case st.Draw():
                result = self.module.results[s.node]
                assert result is not None
                self._to(self.number, result[1], state)
            case st.Close():
                self._over(self.number, state)
            case st.Leave():
                self._over(s.procedure, state)
            case st.Over():
                self._look(self.ends.get(s.node, ()), state)
            case st.Fail() | st.Give() | st.Stop() | st.Skip():
                pass
            case _:
                return False
        return True
