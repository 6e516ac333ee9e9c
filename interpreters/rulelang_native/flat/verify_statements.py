"""Statements of a flat program: what can stand where, what it needs, and whether it ends its way. See `verify`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulelang_native.flat import statements as st
from rulelang_native.flat.around import Around
from rulelang_native.flat.expressions import Flat
from rulelang_native.flat.program import Failure, FlatProgram
from rulelang_native.flat.shapes import NUMBER, ROW, TRUTH, Shape
from rulelang_native.flat.verify_values import Values, Wrong

MOST_LEVELS = 98
"""Levels of indentation: Python takes 99, and some statements are printed one level deeper inside."""

MOST_LOOPS = 20
"""Loops inside one another in one function of Python; the search for a block is one of them."""

FLOWING = (
    *(st.Mark, st.Spend, st.SpendOn, st.Goto, st.Ask, st.Draw, st.Unsee),
    *(st.Open, st.Force, st.Close, st.Leave, st.Over),
)
"""Statements of procedures that stand in no loop."""
CHANGING = (st.Store, st.Remember, st.Settle)
"""The others that only procedures have."""
WAITING = (st.Ask, st.Draw, st.Unsee, st.Open, st.Force, st.Leave, st.Over)
"""Statements that a plain procedure does not have."""

VALUES = {"overflow": 0, "too_long": 0, "too_many_laps": 0, "too_much": 0, "told": 0, "not_there": 2, "no_record": None}
"""How many values go into the words of a failure, if not one; None: as many as the record has parts."""


@attrs.frozen
class Where:
    """Where a statement stands: how deep, inside how many loops, and what ends a way there."""

    level: int
    loops: int
    kind: str
    """``value``, ``framed``, ``listing``, ``plain`` or ``waiting``."""
    blocks: frozenset[int] = frozenset()
    looping: bool = False

    @property
    def in_function(self) -> bool:
        """Whether this is no procedure."""
        return self.kind in ("value", "framed", "listing")


class Statements:
    """Looks at the statements of one program. Each check answers whether its way ends there."""

    def __init__(self, program: FlatProgram, around: Around) -> None:
        self.program = program
        self.around = around
        self.values = Values(program, around)

    # -------------------------------------------------------------- statements

    def body(self, statements: tuple[st.Statement, ...], where: Where) -> bool:
        """Statements in order; whether every way through them ends."""
        if where.level > MOST_LEVELS:
            raise Wrong(f"more than {MOST_LEVELS} levels inside one another")
        ended = False
        for place, statement in enumerate(statements, 1):
            try:
                if ended:
                    raise Wrong("nothing can come to stand here")
                check = CHECKS.get(type(statement))
                if check is None:
                    raise Wrong("no such statement")
                _allowed(statement, where)
                ended = check(self, statement, where)
            except Wrong as wrong:
                wrong.path.append(f"{place} {type(statement).__name__}")
                raise
        return ended

    def need(self, value: Flat, shape: Shape) -> None:
        """A value of a shape."""
        self.values.need(value, shape)

    def set(self, s: st.Set, where: Where) -> bool:
        self.need(s.value, self.values.variable(s.name, "variable"))
        self.values.define(s.name)
        return False

    def if_(self, s: st.If, where: Where) -> bool:
        values = self.values
        self.need(s.truth, TRUTH)
        deeper = attrs.evolve(where, level=where.level + 1)
        mark = values.mark()
        one = self.arm(s.then, deeper, "then")
        first = values.back_to(mark)
        two = self.arm(s.otherwise, deeper, "otherwise")
        second = values.back_to(mark)
        if values.is_flag(s):  # if it was not carried out now, it was before
            second = first
        both = second if one else first if two else [name for name in first if name in set(second)]
        for name in both:
            values.define(name)
        return one and two

    def arm(self, statements: tuple[st.Statement, ...], where: Where, which: str) -> bool:
        """One way of a condition."""
        try:
            return self.body(statements, where)
        except Wrong as wrong:
            wrong.path.append(which)
            raise

    def each(self, s: st.Each, where: Where) -> bool:
        values = self.values
        if where.loops >= MOST_LOOPS:
            raise Wrong(f"more than {MOST_LOOPS} loops inside one another")
        element = values.variable(s.name, "variable")
        self.need(s.row, Shape("row", element))
        mark = values.mark()
        values.define(s.name)
        gone_through = values.going_through(s.row)
        self.body(s.body, attrs.evolve(where, level=where.level + 1, loops=where.loops + 1, looping=True))
        values.back_to(mark)
        values.going -= gone_through
        return False

    def leave_lap(self, s: st.Stop | st.Skip, where: Where) -> bool:
        if not where.looping:
            raise Wrong("there is no Each around it")
        return True

    def gather(self, s: st.Gather, where: Where) -> bool:
        self.values.variable(s.name, "gathered row")
        self.values.define(s.name)
        return False

    def put(self, s: st.Put, where: Where) -> bool:
        element = self.values.under_way(s.name, "gathered row")
        if s.name in self.values.going:
            raise Wrong(f"'{s.name}' is gone through while it grows")
        self.need(s.item, element)
        return False

    def notes(self, s: st.Notes, where: Where) -> bool:
        self.values.variable(s.name, "notes")
        self.values.define(s.name)
        return False

    def note(self, s: st.Note, where: Where) -> bool:
        self.values.under_way(s.name, "notes")
        self.values.key(s.key)
        self.need(s.value, NUMBER)
        return False

    def give(self, s: st.Give, where: Where) -> bool:
        if s.value is None:
            if where.kind != "listing":
                raise Wrong("only a listing ends without a value")
        elif where.kind == "listing":
            raise Wrong("a listing gives no value")
        else:
            self.need(s.value, self.values.result)
            self.values.no_truth(self.values.result)
        return True

    def fail(self, s: st.Fail, where: Where) -> bool:
        failure = self.failure(s.failure)
        wanted = VALUES.get(failure.reason, 1)
        if wanted is not None and len(s.values) != wanted:
            raise Wrong(f"'{failure.reason}' tells {wanted} values, not {len(s.values)}")
        for value in s.values:
            self.values.no_truth(self.values.shape(value))
        return True

    def failure(self, number: int) -> Failure:
        """A failure of the program."""
        if not 0 <= number < len(self.program.failures):
            raise Wrong(f"there is no failure {number}")
        return self.program.failures[number]

    # -------------------------------------------------------------- effects

    def spend(self, s: st.Spend, where: Where) -> bool:
        if s.units < 0:
            raise Wrong("what is spent is less than nothing")
        return False

    def marked(self, s: st.Mark, where: Where) -> bool:
        self.node(s.node)
        return False

    def spend_on(self, s: st.SpendOn, where: Where) -> bool:
        self.opened(s.procedure, s.arguments)
        if not self.program.procedures[s.procedure].plain:
            raise Wrong(f"procedure {s.procedure} waits, so it cannot be carried out at once")
        return False

    def store(self, s: st.Store, where: Where) -> bool:
        self.need(s.value, self.values.cell(s.slot, s.member))
        return False

    def remember(self, s: st.Remember, where: Where) -> bool:
        shape = self.values.remembered(s.local)
        self.need(s.value, shape)
        self.values.no_truth(shape)
        return False

    def settle(self, s: st.Settle, where: Where) -> bool:
        if self.values.cell(s.slot, s.member) is not ROW:
            raise Wrong(f"slot {s.slot} is no pile")
        self.need(s.card, NUMBER)
        if self.failure(s.failure).reason != "not_there":
            raise Wrong(f"failure {s.failure} does not say that a card is not there")
        return False

    def offer(self, s: st.Offer, where: Where) -> bool:
        if where.kind != "listing":
            raise Wrong("only a listing offers answers")
        if not 0 <= s.move < len(self.around.moves):
            raise Wrong(f"there is no move {s.move}")
        move = self.around.moves[s.move]
        if len(s.values) != len(move.rows):
            raise Wrong(f"move {s.move} has {len(move.rows)} parameters, not {len(s.values)}")
        for value, row in zip(s.values, move.rows, strict=True):
            self.need(value, ROW if row else NUMBER)
        return False

    # -------------------------------------------------------------- flow

    def node(self, number: int) -> None:
        """A node of the program."""
        if not 0 <= number < self.around.nodes:
            raise Wrong(f"there is no node {number}")

    def block(self, number: int, where: Where) -> None:
        """A block of this procedure."""
        if number not in where.blocks:
            raise Wrong(f"no block of this procedure begins at {number}")

    def waiting(self, number: int, where: Where) -> None:
        """A node where a frame can wait: it comes to stand there, and goes on behind it."""
        self.block(number, where)
        if number not in self.around.following:
            raise Wrong(f"node {number} does not wait")
        self.block(self.around.following[number], where)

    def goto(self, s: st.Goto, where: Where) -> bool:
        self.block(s.node, where)
        return True

    def ask(self, s: st.Ask | st.Force, where: Where) -> bool:
        self.waiting(s.node, where)
        if s.node not in self.around.asking:
            raise Wrong(f"node {s.node} asks nobody")
        self.need(s.seats, ROW)
        return isinstance(s, st.Ask)

    def draw(self, s: st.Draw, where: Where) -> bool:
        self.waiting(s.node, where)
        self.need(s.urn, ROW)
        return True

    def unsee(self, s: st.Unsee, where: Where) -> bool:
        self.waiting(s.node, where)
        if self.values.cell(s.slot, s.member) is not ROW:
            raise Wrong(f"slot {s.slot} is no pile")
        return False

    def open(self, s: st.Open, where: Where) -> bool:
        self.opened(s.procedure, s.arguments)
        self.block(s.next, where)
        return True

    def opened(self, procedure: int, arguments: tuple[Flat, ...]) -> None:
        """A procedure that is begun with these arguments."""
        self.known_procedure(procedure)
        wanted = self.program.procedures[procedure].parameters
        if len(arguments) != wanted:
            raise Wrong(f"procedure {procedure} has {wanted} parameters, not {len(arguments)}")
        for place, argument in enumerate(arguments):
            shape = self.values.local(procedure, place)
            self.need(argument, shape)
            self.values.no_truth(shape)

    def known_procedure(self, number: int) -> None:
        """A procedure of the program."""
        if not 0 <= number < len(self.program.procedures):
            raise Wrong(f"there is no procedure {number}")

    def end(self, s: st.Close | st.Over, where: Where) -> bool:
        self.node(s.node)
        return True

    def leave(self, s: st.Leave, where: Where) -> bool:
        self.node(s.node)
        self.known_procedure(s.procedure)
        return True


def _allowed(statement: st.Statement, where: Where) -> None:
    """Whether a statement can stand here at all."""
    if where.in_function:
        if isinstance(statement, (*FLOWING, *CHANGING)):
            raise Wrong("a function changes nothing and does not go on elsewhere")
        return
    if isinstance(statement, st.Give | st.Notes | st.Note):
        raise Wrong("only functions have it")
    if where.looping and isinstance(statement, FLOWING):
        raise Wrong("it cannot stand inside Each")
    if where.kind == "plain" and isinstance(statement, WAITING):
        raise Wrong("a plain procedure neither waits nor ends anything else")


CHECKS: dict[type, Callable[[Statements, Any, Where], bool]] = {
    st.Set: Statements.set,
    st.If: Statements.if_,
    st.Each: Statements.each,
    st.Stop: Statements.leave_lap,
    st.Skip: Statements.leave_lap,
    st.Gather: Statements.gather,
    st.Put: Statements.put,
    st.Notes: Statements.notes,
    st.Note: Statements.note,
    st.Give: Statements.give,
    st.Fail: Statements.fail,
    st.Spend: Statements.spend,
    st.Mark: Statements.marked,
    st.SpendOn: Statements.spend_on,
    st.Store: Statements.store,
    st.Remember: Statements.remember,
    st.Settle: Statements.settle,
    st.Offer: Statements.offer,
    st.Goto: Statements.goto,
    st.Ask: Statements.ask,
    st.Draw: Statements.draw,
    st.Unsee: Statements.unsee,
    st.Open: Statements.open,
    st.Force: Statements.ask,
    st.Close: Statements.end,
    st.Leave: Statements.leave,
    st.Over: Statements.end,
}
"""How each class of statement is looked at; the answer is whether it ends its way."""
