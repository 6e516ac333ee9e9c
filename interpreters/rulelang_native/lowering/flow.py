"""The graph of a procedure becomes blocks of structured statements.

A frame can stand where it waits, where it goes on after a wait or a call, and where ways meet that no condition
encloses: there a block begins. Everything else is nested inside conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulelang.ir import nodes as ir
from rulelang.ir.effects import SetLocal, Settle, Shuffle
from rulelang.ir.laps import reachable, successors
from rulelang.ir.nodes import Node
from rulelang.ir.program import Program
from rulelang.ir.types import SeatType
from rulelang.play import kinds
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Block, Failure, Procedure
from rulelang_native.lowering.body import ALWAYS, Body, between, refuted
from rulelang_native.lowering.effects import effect
from rulelang_native.lowering.facts import Fact, number
from rulelang_native.lowering.formulas import in_order, member, simple, truth, value

if TYPE_CHECKING:
    from rulelang_native.lowering.program import Lowering


def plain_procedures(program: Program) -> frozenset[int]:
    """The procedures that never wait, end nothing but themselves, and call only such."""
    waiting: set[int] = {0}
    calls: dict[int, set[int]] = {}
    for number_, procedure in enumerate(program.procedures):
        calls[number_] = set()
        for at in reachable(program, procedure.entry):
            node = program.nodes[at]
            match node:
                case ir.Decide() | ir.Chance() | ir.End():
                    waiting.add(number_)
                case ir.Leave() if node.procedure != number_:
                    waiting.add(number_)
                case ir.Do(effect=Shuffle() | Settle()):
                    waiting.add(number_)
                case ir.Call():
                    calls[number_].add(node.procedure)
                case _:
                    pass
    while True:
        more = {n for n, called in calls.items() if n not in waiting and called & waiting}
        if not more:
            return frozenset(calls) - waiting
        waiting |= more


# ------------------------------------------------------------------ where blocks begin


class Shape:
    """The graph of one procedure: where blocks begin, and where the ways of a branch meet again."""

    def __init__(self, program: Program, entry: int, plain: frozenset[int]) -> None:
        self.program = program
        self.entry = entry
        self.nodes = sorted(reachable(program, entry))
        self.after = {at: tuple(dict.fromkeys(successors(program.nodes[at]))) for at in self.nodes}
        self.before: dict[int, list[int]] = {at: [] for at in self.nodes}
        for at, following in self.after.items():
            for to in following:
                self.before[to].append(at)
        self.labels = {entry}
        for at in self.nodes:
            node = program.nodes[at]
            if isinstance(node, ir.Decide | ir.Chance) or (
                isinstance(node, ir.Do) and isinstance(node.effect, Shuffle)
            ):
                self.labels |= {at, *self.after[at]}
            elif isinstance(node, ir.Call) and node.procedure not in plain:
                self.labels.add(node.next)
        self.labels |= self._loop_heads()
        self.joins = self._joins()

    def _order(self) -> list[int]:
        """The nodes in reverse postorder."""
        seen, order = {self.entry}, []
        stack = [(self.entry, iter(self.after[self.entry]))]
        while stack:
            at, following = stack[-1]
            for to in following:
                if to not in seen:
                    seen.add(to)
                    stack.append((to, iter(self.after[to])))
                    break
            else:
                order.append(at)
                stack.pop()
        return order[::-1]

    def _loop_heads(self) -> set[int]:
        """Where a way comes back to."""
        place = {at: number for number, at in enumerate(self._order())}
        return {to for at in self.nodes for to in self.after[at] if place[to] <= place[at]}

    def _joins(self) -> dict[int, int]:
        """For a branch, where its ways meet again, if nothing but them leads there and no block begins in between."""
        order = self._order()
        place = {at: number for number, at in enumerate(order)}
        dominator: dict[int, int] = {self.entry: self.entry}
        changed = True
        while changed:
            changed = False
            for at in order[1:]:
                found: int | None = None
                for before in self.before[at]:
                    if before in dominator:
                        found = before if found is None else _common(dominator, place, found, before)
                if found is not None and dominator.get(at) != found:
                    dominator[at] = found
                    changed = True
        joins: dict[int, int] = {}
        for at in order:
            if len(self.before[at]) < 2 or at in self.labels:
                continue
            branch = dominator[at]
            between_them = self._between(branch, at)
            if branch in joins or between_them & self.labels or len(self.after[branch]) < 2:
                self.labels.add(at)
            else:
                joins[branch] = at
        # a join that became a block later in the order makes those around it blocks too
        while True:
            spoilt = [b for b, j in joins.items() if (self._between(b, j) | {j}) & self.labels]
            if not spoilt:
                return joins
            for branch in spoilt:
                self.labels.add(joins.pop(branch))

    def _between(self, branch: int, join: int) -> set[int]:
        """The nodes on the ways from a branch to where they meet, both left out."""
        seen: set[int] = set()
        waiting = [to for to in self.after[branch] if to != join]
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                waiting += [to for to in self.after[at] if to not in (join, branch)]
        return seen


def _common(dominator: dict[int, int], place: dict[int, int], one: int, two: int) -> int:
    while one != two:
        while place[one] > place[two]:
            one = dominator[one]
        while place[two] > place[one]:
            two = dominator[two]
    return one


# ------------------------------------------------------------------ writing blocks


class Writer:
    """Writes the blocks of one procedure.

    A plain one can be written over a frame too. ``extra`` are nodes at which a frame of a given position stands
    although play never comes to stand there.
    """

    def __init__(
        self, lowering: Lowering, number_: int, *, framed: bool = False, extra: frozenset[int] = frozenset()
    ) -> None:
        self.lowering = lowering
        self.program = lowering.program
        self.number = number_
        self.procedure = lowering.program.procedures[number_]
        self.plain = number_ in lowering.plain and not framed
        self.shape = Shape(self.program, self.procedure.entry, lowering.plain)
        self.extra = extra
        self.locals = lowering.frame_locals(number_)
        """As they are known when writing begins; what is learnt on the way is for the next round."""

    def write(self) -> Procedure:
        """The whole procedure."""
        blocks = []
        for label in sorted(self.shape.labels | self.extra):
            body = self._body()
            self._emit(body, label, None)
            blocks.append(Block(label, tuple(body.statements)))
        declared = self.procedure
        comment = f"{declared.name}, {declared.at.origin.file}:{declared.at.origin.line}"
        return Procedure(
            self.number, declared.parameters, len(declared.locals), self.plain, declared.entry, tuple(blocks), comment
        )

    def _body(self) -> Body:
        return Body(self.lowering, dict(self.locals))

    def _emit(self, body: Body, at: int, stop: int | None) -> None:
        """Statements from a node on, up to a wait, another block, or where an enclosing branch goes on."""
        first = True
        while at != stop:
            if at in self.shape.labels and not first:
                body.add(st.Goto(at))
                return
            first = False
            node = self.program.nodes[at]
            following = self._node(body, at, node, stop)
            if following is None:
                return
            at = following

    def _node(self, body: Body, at: int, node: Node, stop: int | None) -> int | None:
        """One node; where it goes on, None if it has been seen to."""
        cost = self.lowering.node_costs[at]
        body.add(st.Mark(at))
        match node:
            case ir.Do(effect=Shuffle() as shuffle):
                which = member(body, shuffle.pile)
                body.add(st.Spend(cost))
                body.add(st.Unsee(shuffle.pile.slot, body.simple(which), at))
                return node.next
            case ir.Do():
                body.add(st.Spend(cost))
                if isinstance(node.effect, SetLocal):
                    found, fact = value(body, node.effect.value)
                    self._remember(body, node.effect.local.number, found, fact)
                else:
                    effect(body, node.effect)
                return node.next
            case ir.Branch():
                body.add(st.Spend(cost))
                return self._branch(body, at, truth(body, node.condition), node.then, node.otherwise, stop)
            case ir.Loop():
                body.add(st.Spend(cost))
                return self._loop(body, at, node, stop)
            case ir.Call():
                body.add(st.Spend(cost))
                arguments = [value(body, argument) for argument in node.arguments]
                for place, (_, fact) in enumerate(arguments):
                    self.lowering.learn(node.procedure, place, fact)
                flats = tuple(found for found, _ in arguments)
                if node.procedure in self.lowering.plain:
                    body.add(st.SpendOn(node.procedure, flats))
                    return node.next
                body.add(st.Open(node.procedure, flats, node.next))
                return None
            case ir.Return():
                body.add(st.Spend(cost))
                body.add(st.Close(at))
                return None
            case ir.Leave():
                body.add(st.Spend(cost))
                body.add(st.Close(at) if self.plain else st.Leave(at, node.procedure))
                return None
            case ir.Decide():
                body.add(st.Spend(cost))
                return self._decide(body, at, node)
            case ir.Chance():
                body.add(st.Spend(cost))
                return self._chance(body, at, node)
            case ir.End():
                body.add(st.Spend(cost))
                body.add(st.Over(at))
                return None
            case _:
                assert_never(node)

    def _remember(self, body: Body, local: int, found: Flat, fact: Fact) -> None:
        self.lowering.learn(self.number, local, fact)
        body.add(st.Remember(local, found))

    def _branch(self, body: Body, at: int, condition: Flat, then: int, otherwise: int, stop: int | None) -> int | None:
        join = self.shape.joins.get(at)
        with body.inside() as one:
            self._emit_arm(body, then, stop if join is None else join)
        with body.inside() as two:
            self._emit_arm(body, otherwise, stop if join is None else join)
        if one:
            body.add(st.If(condition, tuple(one), tuple(two)))
        elif two:
            body.add(st.If(refuted(condition), tuple(two)))
        return join

    def _emit_arm(self, body: Body, at: int, stop: int | None) -> None:
        if at != stop and at in self.shape.labels:
            body.add(st.Goto(at))
        else:
            self._emit(body, at, stop)

    def _loop(self, body: Body, at: int, node: ir.Loop, stop: int | None) -> int | None:
        items, fact = body.locals[node.items.number]
        position, _ = body.locals[node.position.number]
        most = kinds.bound(node.capacity)
        with body.inside() as more:
            if fact.length > most:
                body.check(flat.Compare("<", position, Known(most)), Failure("too_many_laps", limit=most))
            self._remember(body, node.item.number, flat.At(items, position), fact.element)
            counted = flat.Math("+", position, Known(1))
            self._remember(body, node.position.number, counted, number(1, min(most, fact.length)))
        there = flat.Compare("<", position, flat.Length(items))
        with body.inside() as lap:
            lap.extend(more)
            self._emit_arm(body, node.body, stop)
        with body.inside() as done:
            self._emit_arm(body, node.done, stop)
        body.add(st.If(there, tuple(lap), tuple(done)))
        return None

    # -------------------------------------------------------------- waits

    def _decide(self, body: Body, at: int, node: ir.Decide) -> int | None:
        asked = node.asked
        seats = kinds.seat_count(self.program)
        nobody = Known(0)
        there: Flat = ALWAYS
        if isinstance(asked, ir.OneSeat):
            seat, fact = simple(body, asked.seat)
            movers = fact
            outside = Failure("no_seat")
            body.check(between(seat, fact, 0, seats), outside, seat)
            row: Flat = flat.Items((seat,))
            if asked.may_pass and not asked.always_asked and not kinds.speaks(self.program, node):
                body.fails = True
                there = flat.HasAnswer(at, seat)
        else:
            found, fact = value(body, asked.seats)
            movers = fact.element
            row = body.keep(flat.EachOnce(found))
            if not fact.inside(0, seats):
                name = body.name("x")
                with body.inside(loop=True) as each:
                    body.check(between(flat.Name(name), fact.element, 0, seats), Failure("no_seat"), flat.Name(name))
                body.add(st.Each(name, row, tuple(each)))
            if isinstance(asked, ir.SealedSeats):  # open play waits in any case, be it for time
                there = flat.IsOne(row)
            if ir.names_who_moved(asked):
                nobody = Known(kinds.none_code(SeatType()))
        for move in node.moves:
            self.lowering.moved_by(move, Fact(0, max(0, movers.low), min(seats, movers.high)))
        with body.inside() as nobody_asked:
            if node.answered is not None:
                body.add(st.Remember(node.answered.number, nobody))
            body.add(st.Goto(node.next))
        if there != ALWAYS:
            body.add(st.If(refuted(there), tuple(nobody_asked)))
        if node.answered is not None:
            low, high = (-1, seats) if ir.names_who_moved(asked) else (0, 1)
            self.lowering.learn(self.number, node.answered.number, number(low, high))
        if self.program.forced_choices and not isinstance(asked, ir.AnyOfSeats):
            row = body.simple(row)
            body.add(st.Force(at, row))
        body.add(st.Ask(at, row))
        return None

    def _chance(self, body: Body, at: int, node: ir.Chance) -> int | None:
        if isinstance(node.distribution, ir.AnyOf):
            found, fact = value(body, node.distribution.collection)
            urn = body.simple(in_order(found, fact))
            result = fact.element
            with body.inside() as certain:
                none, nothing = value(body, node.distribution.none)
                self._remember(body, node.result.number, none, nothing)
        else:
            slot = node.distribution.pile.slot
            which = body.simple(member(body, node.distribution.pile))
            pile = body.keep(flat.Held(slot, which))
            urn = body.keep(flat.UnseenTop(pile))
            declared = self.program.slots[slot]
            result = self.lowering.kind_fact(declared.content)  # type: ignore[union-attr]
            with body.inside() as certain:
                none, nothing = value(body, node.distribution.none)
                last = flat.At(pile, flat.Math("-", flat.Length(pile), Known(1)))
                name = body.name()
                with body.inside() as empty:
                    body.add(st.Set(name, none))
                body.add(st.If(flat.IsOne(pile), (st.Set(name, last),), tuple(empty)))
                self._remember(body, node.result.number, flat.Name(name), nothing)
        self.lowering.learn(self.number, node.result.number, result)
        with body.inside() as drawing:
            if self.program.forced_chance:
                one = flat.Compare("==", flat.Length(urn), Known(1))
                forced = (st.Remember(node.result.number, flat.At(urn, Known(0))),)
                body.add(st.If(one, (*forced, st.Goto(node.next))))
            body.add(st.Draw(at, urn))
        body.add(st.If(flat.IsOne(urn), tuple(drawing)))
        body.statements += certain
        body.add(st.Goto(node.next))
        return None
