"""Whether a flat program is sound: asked of every one before it is printed. What is not is our own bug (`Broken`).

In a program that passes

- every number names something: functions, procedures, blocks, failures, divisions, slots, members, moves, nodes and
  locals;
- every variable, and every row or note under way, has been set on every way that leads to its use;
- values have the shapes that their uses ask for: numbers, truths, rows;
- functions give a value on every way, blocks end on every way, nothing stands behind an end;
- what changes the table or waits stands only where it can: never in functions, never waiting in a plain procedure;
- nothing is nested deeper than printers and Python take.

One way through the program, without going back: the work grows with its length. Expressions are in `verify_values`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulelang.failures import Broken
from rulelang.ir import nodes as ir
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import CollectionType, PickType
from rulelang.play.kinds import Layout
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Failure, FlatProgram, Function, Procedure
from rulelang_native.flat.shapes import NUMBER, ROW, TRUTH, Shape, together
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
OF_SLOT = ("no_place", "no_fit", "no_room", "not_there", "no_piece_without_face")
"""Failures whose number is that of a slot."""


@attrs.frozen
class Cells:
    """What is to be known of a zone or marker."""

    name: str
    members: int
    row: bool
    """Whether a row lies there, and not a number."""


@attrs.frozen
class Effects:
    """What is to be known of a move: its procedure, and which answers are rows."""

    procedure: int
    rows: tuple[bool, ...]


@attrs.frozen
class Around:
    """What flat programs refer to and do not hold themselves."""

    slots: tuple[Cells, ...]
    moves: tuple[Effects, ...]
    nodes: int
    following: dict[int, int]
    """For every node that waits: where play goes on."""

    @staticmethod
    def of(program: Program, layout: Layout) -> Around:
        """What the flat form of a closed program can refer to."""
        slots = tuple(
            Cells(each.name, family.count, isinstance(each, Zone) or isinstance(each.type, CollectionType))
            for each, family in zip(program.slots, layout.families, strict=True)
        )
        moves = tuple(
            Effects(move.procedure, tuple(isinstance(each.type, PickType) for each in move.parameters))
            for move in program.moves
        )
        following = {
            at: node.next
            for at, node in enumerate(program.nodes)
            if isinstance(node, ir.Decide | ir.Chance | ir.Do)  # a Do of Shuffle can wait
        }
        return Around(slots, moves, len(program.nodes), following)


def verify(program: FlatProgram, around: Around) -> None:
    """Raise Broken, with the place, if a flat program is not sound."""
    _Verifier(program, around).all()


def verify_procedure(program: FlatProgram, around: Around, procedure: Procedure) -> None:
    """The same for a procedure that was written anew, and stands in a sound program."""
    procedures = list(program.procedures)
    procedures[procedure.number] = procedure
    verifier = _Verifier(attrs.evolve(program, procedures=tuple(procedures)), around)
    verifier.headers()
    verifier.procedure(procedure)


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


class _Verifier:
    """Goes through one flat program."""

    def __init__(self, program: FlatProgram, around: Around) -> None:
        self.program = program
        self.around = around
        self.values = Values(program, around)

    # -------------------------------------------------------------- the whole

    def all(self) -> None:
        """Everything."""
        self.headers()
        for function in self.program.functions:
            self.function(function)
        for procedure in self.program.procedures:
            self.procedure(procedure)
        self.at_the_end()

    def at_the_end(self) -> None:
        """What could only be asked when all uses were met."""
        for place, reason in self.values.left_over():
            raise Broken(f"flat program, {place}: {reason}")

    def headers(self) -> None:
        """What parts are called, and what they refer to outside of statements."""
        program, around, values = self.program, self.around, self.values
        for place, function in enumerate(program.functions):
            if function.name in values.functions:
                raise Broken(f"flat program: two functions are called '{function.name}'")
            values.enter(place, function)
        for place, procedure in enumerate(program.procedures):
            if procedure.number != place:
                raise Broken(f"flat program: procedure {procedure.number} stands at place {place}")
            if procedure.parameters > procedure.locals:
                raise Broken(f"flat program, procedure {place}: it has fewer locals than parameters")
        for place, failure in enumerate(program.failures):
            if failure.reason in OF_SLOT and not 0 <= failure.number < len(around.slots):
                raise Broken(f"flat program, failure {place}: there is no slot {failure.number}")
        for place, division in enumerate(program.divisions):
            worth = values.functions.get(division.worth)
            if worth is None or worth.kind != "value" or len(worth.parameters) != 1:
                raise Broken(f"flat program, division {place}: '{division.worth}' is no function of one value")
            parameter, result = values.signature(division.worth)
            if not (together(parameter[0], ROW) and together(result, ROW)):
                raise Broken(f"flat program, division {place}: '{division.worth}' does not give a row for a row")
        for place, move in enumerate(around.moves):
            for local, row in enumerate((False, *move.rows)):
                if not together(values.local(move.procedure, local), ROW if row else NUMBER):
                    raise Broken(f"flat program: what move {place} gives does not fit its procedure")

    def function(self, function: Function) -> None:
        """One function."""
        where = Where(1, 0, function.kind)
        parameters, _ = self.values.signature(function.name)
        self.values.begin(f"function {function.name}", function.body, function.frame, function.kind)
        for name, shape in zip(function.parameters, parameters, strict=True):
            self.values.shapes[name] = shape
            self.values.define(name)
        try:
            ended = self.body(function.body, where)
            if not ended and function.kind != "listing":
                raise Wrong("a way through it gives no value")
        except Wrong as wrong:
            self._broken(wrong, f"function {function.name}", function.comment)

    def procedure(self, procedure: Procedure) -> None:
        """One procedure: block by block, each with variables of its own."""
        name = f"procedure {procedure.number}"
        blocks = frozenset(each.node for each in procedure.blocks)
        if len(blocks) < len(procedure.blocks):
            raise Broken(f"flat program, {name}: two blocks begin at one node")
        if procedure.entry not in blocks:
            raise Broken(f"flat program, {name}: no block begins at its entry {procedure.entry}")
        halves = max(0, len(procedure.blocks) - 1).bit_length()
        kind = "plain" if procedure.plain else "waiting"
        for block in procedure.blocks:
            here = f"{name}, block {block.node}"
            self.values.begin(here, block.body, procedure.number, kind)
            try:
                self.node(block.node)
                if not self.body(block.body, Where(2 + halves, 1, kind, blocks)):
                    raise Wrong("a way through it does not end")
            except Wrong as wrong:
                self._broken(wrong, here, procedure.comment)

    @staticmethod
    def _broken(wrong: Wrong, here: str, comment: str) -> None:
        path = "".join(f", {step}" for step in reversed(wrong.path))
        named = f" ({comment})" if comment else ""
        raise Broken(f"flat program, {here}{named}{path}: {wrong.reason}") from None

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


CHECKS: dict[type, Callable[[_Verifier, Any, Where], bool]] = {
    st.Set: _Verifier.set,
    st.If: _Verifier.if_,
    st.Each: _Verifier.each,
    st.Stop: _Verifier.leave_lap,
    st.Skip: _Verifier.leave_lap,
    st.Gather: _Verifier.gather,
    st.Put: _Verifier.put,
    st.Notes: _Verifier.notes,
    st.Note: _Verifier.note,
    st.Give: _Verifier.give,
    st.Fail: _Verifier.fail,
    st.Spend: _Verifier.spend,
    st.Mark: _Verifier.marked,
    st.SpendOn: _Verifier.spend_on,
    st.Store: _Verifier.store,
    st.Remember: _Verifier.remember,
    st.Settle: _Verifier.settle,
    st.Offer: _Verifier.offer,
    st.Goto: _Verifier.goto,
    st.Ask: _Verifier.ask,
    st.Draw: _Verifier.draw,
    st.Unsee: _Verifier.unsee,
    st.Open: _Verifier.open,
    st.Force: _Verifier.ask,
    st.Close: _Verifier.end,
    st.Leave: _Verifier.leave,
    st.Over: _Verifier.end,
}
"""How each class of statement is looked at; the answer is whether it ends its way."""

_ = (flat, Known)
