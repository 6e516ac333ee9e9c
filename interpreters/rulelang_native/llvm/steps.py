"""One step of a game as one LLVM function, and roll-outs made of steps: what searches and batches are made of.

The game is the one that `games.py` plays. Here every cell, local and number of a place where play goes on lies in the
state, and so does what the game waits for; `go` is given an outcome or answers, and comes back at the next wait. A
state is its bytes and the used part of its arena; both are copied away and back (`rolling.py`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulelang import limits
from rulelang.ir.expressions import Read
from rulelang.ir.program import Everyone, Marker, Nobody, Owner, Parameter, Program, Seats, These
from rulelang_native.flat import statements as st
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.games import GameWriter, left_behind
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.shaping import Kind
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.support import CROWDED, FAILED, UNSEEN, field, function, give_up
from rulelang_native.llvm.values import Places
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.game import Game
    from rulelang_native.runtime.module import Decision

CHANCE, SEAT, SEALED, OVER, UP = range(5)
"""What a game waits for; `UP`: the step was given up."""

NODE, WAITS, ASKED, URN, LOG, LOGGED, COUNT, NUMBERS = 0, 8, 16, 32, 48, 56, 64, 72
"""Bytes behind the program's own part of a state: the node that waits, what for, the asked seats, the outcomes, where
the answers of the step that led here are written down, how many there are, and of a game that is over how many numbers
there are, and those."""
KEPT = 2048
"""Bytes of rows that are kept as they are; what is needed no more of more is left behind, as little is copied then."""
MOST_LOGGED = 1024
"""Answers that are written down in one step; more are given up."""
NOTHING, CONTENT, TOP_CARD, SIZE = 0, 1, 2, 4
"""What a view says of a zone or marker, as bits: its content, its top card, its size. What follows is that: a value, or
how many cards there are and those; a card; a number."""

FINISHED, UNFINISHED, LEFT = range(3)
"""How a roll-out ended: with the game, after so many decisions, or given up, which says nothing about the rules."""
R_STATUS, R_DRAWN, R_NODE, R_COUNT, R_NUMBERS = range(5)
"""Words of its result; `R_DRAWN`: how much had been drawn when it began."""

NEXT = """define internal i64 @next(ptr %n, i64 %key, i64 %bound) {
entry:
  br label %again
again:
  %i = load i64, ptr %n
  %j = add i64 %i, 1
  store i64 %j, ptr %n
  %word = call i64 @mix(i64 %key, i64 %i)
  %high = lshr i64 %word, 32
  %product = mul i64 %high, %bound
  %low = and i64 %product, 4294967295
  %sure = icmp uge i64 %low, %bound
  br i1 %sure, label %done, label %look, !prof !0
look:
  %range = sub i64 4294967296, %bound
  %unfair = urem i64 %range, %bound
  %fair = icmp uge i64 %low, %unfair
  br i1 %fair, label %done, label %again
done:
  %result = lshr i64 %product, 32
  ret i64 %result
}
"""
"""A number below a bound, by the draws of one stream in order (`rulelang.play.chance.Stream`)."""


class StepPrinter(Printer):
    """Prints one program as steps."""

    from_the_start = in_registers = in_place = False
    unplayed = ("domain", "requirement", "preference", "invariant")
    waits = 0
    """Where in a state the words about its wait lie, in bytes."""

    def __init__(self, game: Game, *, quick: bool = False) -> None:
        if game.module.in_time:
            raise NotLowered("table time has no steps in LLVM yet")
        if game.module.risky:
            raise NotLowered("telling who is shown an answer can fail, which has no steps in LLVM yet")
        self.shown_by = _shown_by(game.program)
        """For each parameter of each move: the zones of who moves on whose sight it depends who is shown the answer."""
        super().__init__(game, quick=quick)
        self.log_stride = 1 + self.stride + (self.stride - 1) // 2
        """Words of an answer that is written down: the seat, the answer, and of each parameter who is shown it."""

    def _laid_out(self) -> Places:
        places = super()._laid_out()
        self.waits = places.size
        return attrs.evolve(places, size=places.size + NUMBERS + 8 * (self.seats + 1))

    def held_rows(self) -> list[tuple[int, int, Kind]]:
        return [*super().held_rows(), (self.waits + ASKED, 1, "row"), (self.waits + URN, 1, "row")]

    def flow(self) -> list[str]:
        writer = StepWriter(self)
        self.goes_on_at = writer.returns
        """For each procedure: numbers of places where play goes on when it is over, with their labels."""
        return [
            writer.text(),
            AnswersWriter(self).text(),
            ViewWriter(self).text(),
            NEXT,
            _start(self),
            _legal(self),
            left_behind(self, "define void @compact(ptr %S)", KEPT),
            _roll_out(self),
            _roll_outs(self),
        ]


def _shown_by(program: Program) -> list[list[tuple[int, ...]]]:
    return [
        [
            tuple(
                read.place.slot
                for read in parameter.named_places
                if isinstance(read, Read)
                and isinstance(program.slots[read.place.slot].sight.content, These)
                and not shown_to_all(program, parameter)
            )
            for parameter in move.parameters
        ]
        for move in program.moves
    ]


def shown_to_all(program: Program, parameter: Parameter) -> bool:
    """Whether everybody is shown what is answered. Spec 8.7."""
    slots = [read.place.slot for read in parameter.named_places if isinstance(read, Read)]
    return not slots or any(isinstance(program.slots[slot].sight.content, Everyone) for slot in slots)


class StepWriter(GameWriter):
    """The function that takes a game from one wait to the next."""

    def __init__(self, printer: StepPrinter) -> None:
        Statements.__init__(self, "define void @go(ptr %S, ptr %given, ptr %offers)", printer, 0, {})
        self.printer: StepPrinter = printer
        self.metered = printer.flat.metered
        self.returns = {}
        self.carried = set()
        self.resumed: dict[int, str] = {}
        """Where play goes on that waited at a node."""
        self.store("0", printer.cost_place(self))
        self.store(str(limits.EVENT_COST), printer.most_place(self))
        self.store("0", self.wait_place(LOGGED))
        self.go("resume")
        for procedure in printer.flat.procedures:
            if procedure.number in printer.over_frames:
                self.procedure(procedure)
        for node in sorted(self.carried):
            self.carry_out(node)
        self.returning()
        self.label("up")
        self.store(str(UP), self.wait_place(WAITS))
        self.end("ret void")
        self.label("resume")
        ways = " ".join(f"i64 {node}, label %{label}" for node, label in sorted(self.resumed.items()))
        first = self.block(0, printer.flat.procedures[0].entry)
        self.end(f"switch i64 {self.load(self.wait_place(NODE))}, label %first [ {ways} ]")
        self.label("first")
        self.store(str(limits.SETUP_COST), printer.most_place(self))
        self.go(first)

    def wait_place(self, offset: int) -> str:
        return self.at("%S", self.printer.waits + offset, 1)

    def wait(self, node: int, what: int, row: Val, where: int) -> None:
        """The game waits here; then it goes on, with what was given."""
        printer = self.printer
        if not self.metered:
            self.watch()
        self.store(str(node), self.wait_place(NODE))
        self.store(str(what), self.wait_place(WAITS))
        other = ASKED + URN - where
        self.store_row(Val("row", "null", "0"), self.wait_place(other))
        self.store_row(row, self.wait_place(where))
        if printer.makes_rows:
            self.line("call void @tidy(ptr %S)")
        self.end("ret void")
        label = f"resume{node}"
        self.resumed[node] = label
        self.label(label)

    def log(self, seat: str, entry: str, decision: Decision) -> None:
        """An answer is about to be carried out: it is written down for those who see that, with who is shown what."""
        count = self.load(self.wait_place(LOGGED))
        up, on = self.fresh("long"), self.fresh("on")
        self.split(self.op(f"icmp uge i64 {count}, {MOST_LOGGED}"), up, on, (1, 2000))
        self.label(up)
        give_up(self, CROWDED)
        self.leave()
        self.label(on)
        stride = self.printer.stride
        first = self.op(f"load ptr, ptr {self.wait_place(LOG)}")
        where = self.at(first, self.op(f"mul nuw nsw i64 {count}, {self.printer.log_stride}"))
        self.store(seat, where)
        copied(self, entry, self.at(where, 1), stride)
        self.store(self.op(f"add i64 {count}, 1"), self.wait_place(LOGGED))
        for move in decision.moves:
            for place, slots in enumerate(self.printer.shown_by[move]):
                if slots:
                    mine = self.op(f"icmp eq i64 {self.load(entry)}, {move}")
                    self.when(mine, partial(self.log_shown, seat, slots, self.at(where, 1 + stride + place)))

    def log_shown(self, seat: str, slots: tuple[int, ...], where: str) -> None:
        """Which seats see the content of zones of who moves, as bits."""
        self.store("0", where)
        for slot in slots:
            name = f"content{slot}"
            row = self.unpacked(self.op(f"call {ROW} @{name}(ptr %S, i64 {seat})"), "row")
            if self.printer.can_fail(name):
                self.look()
            with self.loop(row.two) as (at, next_lap, _):
                other, there = self.load(self.at(row.one, at)), self.fresh("there")
                self.split(self.op(f"icmp ult i64 {other}, {self.printer.seats}"), there, next_lap)
                self.label(there)
                bit = self.op(f"shl i64 1, {other}")
                self.store(self.op(f"or i64 {self.load(where)}, {bit}"), where)

    def over(self, node: int) -> None:
        printer, name = self.printer, f"end{self.frame}_{node}"
        if not self.metered:
            self.watch()
        row = Val("row", "null", "0")
        if name in printer.functions:
            row = self.unpacked(self.op(f"call {ROW} @{name}(ptr %S)"), "row")
            if printer.can_fail(name):
                self.look()
        up, on = self.fresh("many"), self.fresh("few")
        self.split(self.op(f"icmp ugt i64 {row.two}, {printer.seats}"), up, on)
        self.label(up)
        self.leave()
        self.label(on)
        self.store(str(node), self.wait_place(NODE))
        self.store(str(OVER), self.wait_place(WAITS))
        for where in (ASKED, URN):
            self.store_row(Val("row", "null", "0"), self.wait_place(where))
        self.store(row.two, self.wait_place(COUNT))
        with self.loop(row.two) as (at, _, _):
            self.store(self.load(self.at(row.one, at)), self.at(self.wait_place(NUMBERS), at))
        self.end("ret void")

    # -------------------------------------------------------------- waits

    def draw(self, s: st.Draw) -> None:
        result = self.printer.module.results[s.node]
        assert result is not None and self.frame is not None
        self.wait(s.node, CHANCE, self.value(s.urn), URN)
        self.keep(self.local(result[0]), Val("number", self.load("%given")))
        self.go(self.block(self.frame, result[1]))

    def unsee(self, s: st.Unsee) -> None:
        assert self.frame is not None
        cell, _ = self.cell(s.slot, s.member)
        urn = self.unpacked(self.op(f"call {ROW} @unsee(ptr %S, ptr {cell})"), "row")
        self.look()
        shared, behind = self.fresh("shared"), self.fresh("unseen")
        self.split(self.op(f"icmp ne i64 {urn.two}, 0"), shared, behind)
        self.label(shared)
        self.wait(s.node, CHANCE, urn, URN)
        again, _ = self.cell(s.slot, s.member)
        pile = self.load_row(again)
        place = self.op(f"call i64 @first_shared(ptr %S, ptr {pile.one}, i64 {pile.two})")
        self.op(f"call i1 @settle_at(ptr %S, ptr {again}, i64 {place}, i64 {self.load('%given')})")
        self.go(self.block(self.frame, s.node))
        self.label(behind)

    def ask(self, s: st.Ask) -> None:
        printer = self.printer
        decision = printer.module.decisions[s.node]
        assert self.frame is not None
        behind = self.block(self.frame, decision.next)
        if decision.kind == "anyone":
            raise NotLowered("open play has no form in LLVM yet")
        if decision.kind == "seat":
            self.wait(s.node, SEAT, self.value(s.seats), ASKED)
            seat, entry = self.load("%given"), self.at("%given", 1)
            self.log(seat, entry, decision)
            if decision.may_pass:
                passed, moved = self.fresh("passed"), self.fresh("moved")
                self.split(self.op(f"icmp slt i64 {self.load(entry)}, 0"), passed, moved)
                self.label(passed)
                self.answered(decision, 0)
                self.go(behind)
                self.label(moved)
            self.answered(decision, 1)
            self.move(decision, entry, Val("number", seat), behind, paid=False)
            return
        self.wait(s.node, SEALED, self.value(s.seats), ASKED)
        seats = self.load_row(self.wait_place(ASKED))
        self.store("0", self.at("%S", printer.pending[s.node], 1))
        with self.loop(seats.two) as (at, next_lap, on):
            given = self.at("%given", self.op(f"mul nuw nsw i64 {at}, {printer.stride + 1}"))
            taken = self.fresh("taken")
            if not decision.names_who:
                self.log(self.load(given), self.at(given, 1), decision)
            self.split(self.op(f"icmp slt i64 {self.load(self.at(given, 1))}, 0"), next_lap, taken)
            self.label(taken)
            self.await_effect(s.node, self.load(given), self.at(given, 1))
            if decision.names_who:
                self.log(self.load(given), self.at(given, 1), decision)
            if decision.first_only:
                self.go(on)
        self.carried.add(s.node)
        self.go(f"carry{s.node}")

    def force(self, s: st.Force) -> None:
        """As in random games; what takes effect is written down."""
        printer = self.printer
        decision = printer.module.decisions[s.node]
        if decision.speaks:
            return
        seats = self.value(s.seats)
        pending = self.at("%S", printer.pending[s.node], 1)
        self.store("0", pending)
        before = self.load(self.wait_place(LOGGED))
        not_forced = self.fresh("free")
        with self.loop(seats.two) as (at, next_lap, _):
            seat = self.load(self.at(seats.one, at))
            count = self.listed(decision, seat, 2)
            one, taken = self.fresh("one"), self.fresh("taken")
            self.split(self.op(f"icmp eq i64 {count}, 1"), one, not_forced)
            self.label(one)
            if not decision.names_who:
                self.log(seat, "%offers", decision)
            self.split(self.op(f"icmp slt i64 {self.load('%offers')}, 0"), next_lap, taken)
            self.label(taken)
            if decision.names_who:  # of several only the first counts, and is seen
                first = self.op(f"icmp eq i64 {self.load(pending)}, 0")
                self.when(first, partial(self.log, seat, "%offers", decision))
            self.await_effect(s.node, seat, "%offers")
        self.carried.add(s.node)
        self.go(f"carry{s.node}")
        self.label(not_forced)
        self.store("0", pending)
        self.store(before, self.wait_place(LOGGED))


class AnswersWriter(GameWriter):
    """The function that lists what a seat can answer where the game waits: how many answers, -1 if it gives up."""

    def __init__(self, printer: StepPrinter) -> None:
        Statements.__init__(self, "define i64 @answers(ptr %S, i64 %seat, ptr %offers, i64 %stop)", printer, 0, {})
        self.printer: StepPrinter = printer
        asked = [
            (procedure.number, part.node)
            for procedure in printer.flat.procedures
            for part in _asks(printer, procedure.number)
        ]
        ways = " ".join(f"i64 {node}, label %ask{node}" for _, node in asked)
        self.end(f"switch i64 {self.load(self.at('%S', printer.waits + NODE, 1))}, label %up [ {ways} ]")
        for procedure, node in asked:
            self.frame = procedure
            self.label(f"ask{node}")
            self.end(f"ret i64 {self.listed_for(printer.module.decisions[node])}")
        self.label("up")
        self.end("ret i64 -1")

    def listed_for(self, decision: Decision) -> str:
        """How many answers the seat has, as many as are wanted at most."""
        count = "0"
        for move in decision.moves:
            count = self.op(f"call i64 @list{move}(ptr %S, i64 %seat, ptr %offers, i64 {count}, i64 %stop)")
            if self.printer.can_fail(f"list{move}"):
                self.look()
        if decision.may_pass:
            full, room, on = self.op(f"icmp sge i64 {count}, %stop"), self.fresh("room"), self.fresh("on")
            before, place = count, self.room()
            self.store(count, place)
            self.split(full, on, room)
            self.label(room)
            self.store("-1", self.at("%offers", self.op(f"mul nuw nsw i64 {before}, {self.printer.stride}")))
            self.store(self.op(f"add i64 {before}, 1"), place)
            self.label(on)
            count = self.load(place)
        return count


class ViewWriter(GameWriter):
    """The function that writes down what a viewer sees: a seat, or behind the seats a spectator. So many words, -1 if
    there is no room for them. Two states look alike to a viewer if the same is written down.

    What the rules say at a wait is left out: it depends only on what everybody sees.
    """

    def __init__(self, printer: StepPrinter) -> None:
        Statements.__init__(self, "define i64 @view(ptr %S, i64 %viewer, ptr %out, i64 %room)", printer, 0, {})
        self.printer: StepPrinter = printer
        self.count = self.room()
        self.store("0", self.count)
        waits = printer.waits
        for offset in (NODE, WAITS):
            self.say(self.load(self.at("%S", waits + offset, 1)))
        self.say_row(self.load_row(self.at("%S", waits + ASKED, 1)))
        for slot, cells in enumerate(printer.module.around.slots):
            if cells.members == 1:
                self.member(slot, "0")
            else:
                with self.loop(str(cells.members)) as (at, _, _):
                    self.member(slot, at)
        self.end(f"ret i64 {self.load(self.count)}")
        self.label("up")
        self.end("ret i64 -1")

    def say(self, word: str) -> None:
        """One word more."""
        count = self.load(self.count)
        on = self.fresh("on")
        self.split(self.op(f"icmp ult i64 {count}, %room"), on, "up", (2000, 1))
        self.label(on)
        self.store(word, self.at("%out", count))
        self.store(self.op(f"add i64 {count}, 1"), self.count)

    def say_row(self, row: Val) -> None:
        """How long a row is, and its elements; rows in it are numbers of such."""
        self.say(row.two)
        with self.loop(row.two) as (at, _, _):
            self.say(self.load(self.at(row.one, at)))

    def member(self, slot: int, member: str) -> None:
        """What the viewer sees of one zone or marker."""
        printer = self.printer
        declared = printer.game.program.slots[slot]
        sight = declared.sight
        row = printer.module.around.slots[slot].row
        done = self.fresh("seen")
        if not row:
            unseen = self.fresh("unseen")
            if not self.asks(sight.content, "content", slot, member, unseen):
                self.say(str(CONTENT))
                self.say(self.written(slot, member))
                self.go(done)
                self.label(unseen)
            self.say(str(NOTHING))
            self.label(done)
            return
        cell = self.row_of(slot, member)
        hidden = self.fresh("not_all")
        if not self.asks(sight.content, "content", slot, member, hidden):
            if not isinstance(declared, Marker) and declared.blind:
                with self.loop(cell.two) as (at, next_lap, _):
                    unseen = self.op(f"icmp sle i64 {self.load(self.at(cell.one, at))}, {UNSEEN}")
                    self.split(unseen, hidden, next_lap)
            self.say(str(CONTENT))
            self.say_row(cell)
            self.go(done)
            self.label(hidden)
        if isinstance(declared, Marker):
            self.say(str(NOTHING))
            self.label(done)
            return
        untold = self.fresh("untold")
        if declared.shape == "pile" and not self.asks(sight.top, "top", slot, member, untold):
            some, no, tell = self.fresh("some"), self.fresh("no"), self.fresh("tell")
            self.split(self.op(f"icmp ne i64 {cell.two}, 0"), some, no)
            self.label(some)
            last = self.load(self.at(cell.one, self.op(f"sub i64 {cell.two}, 1")))
            self.split(self.op(f"icmp sgt i64 {last}, {UNSEEN}"), tell, untold)
            self.label(tell)
            self.say(str(TOP_CARD))
            self.say(last)
            self.go(untold)
            self.label(no)
            self.say(str(TOP_CARD))
            self.say(str(UNSEEN))
            self.go(untold)
            self.label(untold)
        unsized = self.fresh("unsized")
        if not self.asks(sight.size, "size", slot, member, unsized):
            self.say(str(SIZE))
            self.say(cell.two)
            self.go(unsized)
            self.label(unsized)
        self.say(str(NOTHING))
        self.label(done)

    def written(self, slot: int, member: str) -> str:
        """The number that a member of a slot holds."""
        planes = self.printer.planes.get(slot)
        if planes is None:
            return self.load(self.at(self.printer.cell_place(self, slot, 0), member))
        found = str(planes.low)
        for value in range(1, planes.values):
            plane = self.op(f"load i{planes.word}, ptr {self.plane_place(slot, value)}, align 8")
            there = self.as_number(Val("truth", self.bit(plane, member, planes.word)))
            found = self.op(f"add i64 {found}, {self.op(f'mul i64 {there}, {value}')}")
        return found

    def asks(self, seats: Seats, part: str, slot: int, member: str, otherwise: str) -> bool:
        """Go on only if the viewer sees a part, else go somewhere; True if nobody ever sees it, and nothing is done."""
        printer = self.printer
        if isinstance(seats, Nobody):
            return True
        if isinstance(seats, Everyone):
            return False
        family = printer.module.layout.families[slot]
        owner = "-1"
        if family.lows:
            number = self.op(f"udiv i64 {member}, {family.strides[0]}")
            owner = self.op(f"add i64 {self.op(f'urem i64 {number}, {family.sizes[0]}')}, {family.lows[0]}")
        on = self.fresh("sees")
        inside = self.op(f"icmp ult i64 %viewer, {printer.seats}")
        if isinstance(seats, Owner):
            mine = self.op(f"and i1 {inside}, {self.op(f'icmp eq i64 {owner}, %viewer')}")
            self.split(mine, on, otherwise)
            self.label(on)
            return False
        name = f"{part}{slot}"
        row = self.unpacked(self.op(f"call {ROW} @{name}(ptr %S, i64 {owner})"), "row")
        if printer.can_fail(name):
            self.look()
        there = self.op(f"call i1 @has(ptr {row.one}, i64 {row.two}, i64 %viewer)")
        self.split(self.op(f"and i1 {inside}, {there}"), on, otherwise)
        self.label(on)
        return False


def _asks(printer: Printer, procedure: int) -> list[st.Ask]:
    """Where a procedure asks."""
    from rulelang_native.llvm.walking import parts

    return [part for part in parts(printer.flat.procedures[procedure]) if isinstance(part, st.Ask)]


def _start(printer: StepPrinter) -> str:
    """Everything lies as before play, and the game goes to its first wait."""

    def write(code: Code) -> None:
        printer.lay_out(code)
        code.store("-1", code.at("%S", printer.waits + NODE, 1))
        code.line("call void @go(ptr %S, ptr null, ptr %offers)")
        code.end("ret void")

    return function("define void @start(ptr %S, ptr %offers)", write)


def _legal(printer: StepPrinter) -> str:
    """Whether an answer is among those that a seat has; -1 if that is given up."""
    stride, moves = printer.stride, printer.module.around.moves
    most = (stride - 1) // 2
    kinds = [
        2 if place < len(move.rows) and move.rows[place] else int(place < len(move.rows))
        for move in moves
        for place in range(most)
    ]
    table = printer.constants.row(tuple(kinds) or (0,))

    def write(code: Code) -> None:
        count = code.op(f"call i64 @answers(ptr %S, i64 %seat, ptr %offers, i64 {limits.LISTED_MOVES + 1})")
        move = code.load("%answer")
        code.when(code.op(f"icmp ugt i64 {count}, {limits.LISTED_MOVES}"), lambda: code.end("ret i64 -1"))
        with code.loop(count) as (at, next_lap, _):
            entry = code.at("%offers", code.op(f"mul nuw nsw i64 {at}, {stride}"))
            alike, found = code.fresh("alike"), code.fresh("found")
            code.split(code.op(f"icmp eq i64 {code.load(entry)}, {move}"), alike, next_lap)
            code.label(alike)
            passes, moved = code.op(f"icmp slt i64 {move}, 0"), code.fresh("moved")
            code.split(passes, found, moved)
            code.label(moved)
            for place in range(most):
                kind = code.load(code.at(table.one, code.op(f"add i64 {code.op(f'mul i64 {move}, {most}')}, {place}")))
                rows, numbers, on = code.fresh("rows"), code.fresh("numbers"), code.fresh("on")
                code.end(f"switch i64 {kind}, label %{on} [ i64 1, label %{numbers} i64 2, label %{rows} ]")
                code.label(numbers)
                mine, other = (code.load(code.at(base, 1 + 2 * place)) for base in (entry, "%answer"))
                code.split(code.op(f"icmp eq i64 {mine}, {other}"), on, next_lap)
                code.label(rows)
                one, two = (code.load_row(code.at(base, 1 + 2 * place)) for base in (entry, "%answer"))
                same = code.op(f"call i1 @same(ptr {one.one}, i64 {one.two}, ptr {two.one}, i64 {two.two})")
                code.split(same, on, next_lap)
                code.label(on)
            code.label(found)
            code.end("ret i64 1")
        code.end("ret i64 0")

    return function("define i64 @legal(ptr %S, i64 %seat, ptr %answer, ptr %offers)", write)


def _roll_out(printer: StepPrinter) -> str:
    """From a wait to the end of the game at random; a seat's first answer may be given. Spec 15.1.

    All draws are those of one stream, in order: of each wait, what each asked seat answers unless it has no choice, or
    the outcome.
    """
    stride = printer.stride
    many = limits.LISTED_MOVES + 1

    def write(code: Code) -> None:
        def there(offset: int) -> str:
            return code.at("%S", printer.waits + offset, 1)

        events, decisions, own = code.room(), code.room(), code.room()
        code.store("0", events)
        code.store("0", decisions)
        code.store("%seat", own)
        code.store(code.load("%n"), code.at("%result", R_DRAWN))
        code.label("next")
        kind = code.load(there(WAITS))
        ways = (
            f"i64 {CHANCE}, label %chance i64 {SEAT}, label %asked i64 {SEALED}, label %asked i64 {OVER}, label %over"
        )
        code.end(f"switch i64 {kind}, label %up [ {ways} ]")

        code.label("chance")
        _counted(code, events)
        urn = code.load_row(there(URN))
        drawn = code.op(f"call i64 @next(ptr %n, i64 %key, i64 {urn.two})")
        code.store(code.load(code.at(urn.one, drawn)), "%given")
        code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
        code.go("next")

        code.label("asked")
        mine = code.load(own)
        first, later, decide = (code.fresh(stem) for stem in ("first", "later", "decide"))
        code.split(code.op(f"icmp sge i64 {mine}, 0"), first, later)
        code.label(later)
        count = code.load(decisions)
        code.split(code.op(f"icmp eq i64 {count}, %horizon"), "far", decide)
        code.label(decide)
        code.store(code.op(f"add i64 {count}, 1"), decisions)
        code.label(first)
        _counted(code, events)
        seats = code.load_row(there(ASKED))
        with code.loop(seats.two) as (at, next_lap, _):
            seat = code.load(code.at(seats.one, at))
            given = code.at("%given", code.op(f"mul nuw nsw i64 {at}, {stride + 1}"))
            code.store(seat, given)
            said, listed = code.fresh("said"), code.fresh("listed")
            code.split(code.op(f"icmp eq i64 {seat}, {mine}"), said, listed)
            code.label(said)
            copied(code, "%chosen", code.at(given, 1), stride)
            code.go(next_lap)
            code.label(listed)
            found = code.op(f"call i64 @answers(ptr %S, i64 {seat}, ptr %offers, i64 {many})")
            fine, choose, one = code.fresh("fine"), code.fresh("choose"), code.fresh("one")
            failed = code.op(f"icmp ne i64 {code.load(field(code, FAILED))}, 0")
            code.when(failed, lambda: code.go("up"))
            code.split(code.op(f"icmp ult i64 {code.op(f'sub i64 {found}, 1')}, {many - 1}"), fine, "up")
            code.label(fine)
            place = code.room()
            code.store("0", place)
            code.split(code.op(f"icmp eq i64 {found}, 1"), one, choose)
            code.label(choose)
            code.store(code.op(f"call i64 @next(ptr %n, i64 %key, i64 {found})"), place)
            code.label(one)
            entry = code.at("%offers", code.op(f"mul nuw nsw i64 {code.load(place)}, {stride}"))
            copied(code, entry, code.at(given, 1), stride)
        code.store("-1", own)
        code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
        code.go("next")

        for label, status in (("over", FINISHED), ("far", UNFINISHED), ("up", LEFT)):
            code.label(label)
            code.store(str(status), code.at("%result", R_STATUS))
            if label == "over":
                code.store(code.load(there(NODE)), code.at("%result", R_NODE))
                numbers = code.load(there(COUNT))
                code.store(numbers, code.at("%result", R_COUNT))
                with code.loop(numbers) as (at, _, _):
                    number = code.load(code.at(there(NUMBERS), at))
                    code.store(number, code.at(code.at("%result", R_NUMBERS), at))
            code.end("ret void")

    header = (
        "define internal void @roll_out(ptr %S, i64 %seat, ptr %chosen, i64 %key, ptr %n, i64 %horizon, "
        "ptr %offers, ptr %given, ptr %result)"
    )
    return function(header, write)


def _counted(code: Code, events: str) -> None:
    """Something is about to happen; too much of it is given up."""
    count = code.load(events)
    on = code.fresh("on")
    code.split(code.op(f"icmp uge i64 {count}, {limits.RECORD_EVENTS}"), "up", on, (1, 2000))
    code.label(on)
    code.store(code.op(f"add i64 {count}, 1"), events)


def copied(code: Code, source: str, to: str, words: int) -> None:
    for word in range(words):
        code.store(code.load(code.at(source, word)), code.at(to, word))


def _roll_outs(printer: StepPrinter) -> str:
    """One roll-out after the other from a saved state, one for each of some answers of a seat."""
    words = R_NUMBERS + printer.seats

    def write(code: Code) -> None:
        with code.loop("%count") as (at, _, on):
            code.line("call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %saved, i64 %size, i1 false)")
            code.line("call void @llvm.memcpy.p0.p0.i64(ptr %arena, ptr %rows, i64 %used, i1 false)")
            entry = code.at("%entries", code.op(f"mul nuw nsw i64 {at}, {printer.stride}"))
            result = code.at("%results", code.op(f"mul nuw nsw i64 {at}, {words}"))
            code.line(
                f"call void @roll_out(ptr %S, i64 %seat, ptr {entry}, i64 %key, ptr %n, i64 %horizon, "
                f"ptr %offers, ptr %given, ptr {result})"
            )
            left = code.op(f"icmp eq i64 {code.load(result)}, {LEFT}")
            code.when(left, partial(code.go, on))
        code.end("ret void")

    header = (
        "define void @roll_outs(ptr %S, ptr %saved, i64 %size, ptr %arena, ptr %rows, i64 %used, i64 %seat, "
        "ptr %entries, i64 %count, i64 %key, ptr %n, i64 %horizon, ptr %offers, ptr %given, ptr %results)"
    )
    return function(header, write)
