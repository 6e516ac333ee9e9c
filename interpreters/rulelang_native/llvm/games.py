"""Whole games as one LLVM function: procedures over frames become its blocks, and at waits chance or a player acts.

As no rule is under way twice at once (`programs.py` sees to that), the locals of every procedure have one place in the
state, with a number beside them that says where play goes on when it is over. What several seats answer at once waits
in the state until each answer has taken effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang import limits
from rulelang.play.chance import PLAYERS
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Items, Known, Remembered
from rulelang_native.flat.program import Procedure
from rulelang_native.llvm import pairs, usual
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.fixed import COSTS as COSTS
from rulelang_native.llvm.fixed import COUNT as COUNT
from rulelang_native.llvm.fixed import DECISIONS as DECISIONS
from rulelang_native.llvm.fixed import LENGTH as LENGTH
from rulelang_native.llvm.fixed import NUMBERS as NUMBERS
from rulelang_native.llvm.fixed import OVER as OVER
from rulelang_native.llvm.fixed import STATUS as STATUS
from rulelang_native.llvm.planes import word_for
from rulelang_native.llvm.pools import is_pool, settled_next
from rulelang_native.llvm.shaping import ROWS, Kind
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.support import (
    BASE,
    END,
    FIRST,
    GAVE_UP,
    LAST,
    POOLS,
    STREAM,
    TOP,
    field,
    function,
    give_up,
)
from rulelang_native.llvm.timing import Timing

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer
    from rulelang_native.runtime.module import Decision

MANY = limits.LISTED_MOVES + 1
COLLECTED = 64 * 1024
"""Bytes of the arena that are used before what is needed no more is left behind."""


class GameWriter(Statements):
    """The function that plays one game at random."""

    HEADER = "define internal void @game(ptr %S, ptr %streams, ptr %offers, ptr %result)"
    DONE = "ret void"
    """How it ends where the game does."""
    TIDIES = True
    """Whether rows that are needed no more are left behind at each event."""
    timing: Timing | None = None
    """What games in table time need besides."""

    def __init__(self, printer: Printer) -> None:
        super().__init__(self.HEADER, printer, 0, {})
        self.printer = printer
        self.metered = printer.flat.metered
        self.returns: dict[int, list[tuple[int, str]]] = {}
        """For each procedure: numbers of places where play goes on when it is over, with their labels."""
        self.carried: set[int] = set()
        self.total, self.events, self.decisions, self.broken = (self.room() for _ in range(4))
        if printer.clock is not None:
            self.timing = Timing(self, printer.clock)
        self.begin()
        for procedure in printer.flat.procedures:
            if procedure.number in printer.over_frames:
                self.procedure(procedure)
        for node in sorted(self.carried):
            self.carry_out(node)
        self.returning()
        self.label("up")
        why = self.load("%S")
        other = self.op(f"icmp eq i64 {why}, 0")  # no answers, too many of them, or too many events
        self.store(self.op(f"select i1 {other}, i64 {GAVE_UP}, i64 {why}"), self.at("%result", STATUS))
        self.end(self.DONE)

    # -------------------------------------------------------------- beginning and ending

    def begin(self) -> None:
        """Everything lies as before play, and the first procedure begins."""
        self.by_themselves()
        self.first()

    def by_themselves(self) -> None:
        """Room for what does not lie in the state."""
        printer = self.printer
        if printer.apart:
            self.slots += ["  %cost = alloca i64", "  %most = alloca i64"]
            for slot, cells in enumerate(printer.module.around.slots):
                planes = printer.planes.get(slot)
                if planes is not None:
                    self.slots.append(f"  %c{slot} = alloca [{planes.values} x i{planes.word}], align 8")
                elif slot in printer.bag_sets:
                    word = word_for(printer.bag_sets[slot])
                    self.slots.append(f"  %c{slot} = alloca [{cells.members} x i{word}], align 8")
                elif not printer.places.rows[slot]:
                    self.slots.append(f"  %c{slot} = alloca [{printer.numbers(slot)} x i64], align 8")
            self.slots += [f"  %h{slot} = alloca i64" for slot in sorted(printer.heights)]
            for slot in sorted(printer.decks):
                self.slots.append(f"  {printer.last_place(slot)} = alloca i64")
                self.store("0", printer.last_place(slot))
            for procedure in sorted(printer.over_frames):
                self.slots += [f"  {name} = alloca i64" for name in printer.of_frame(procedure)]
                self.slots.append(f"  %ret{procedure} = alloca i64")

    def first(self) -> None:
        """The game begins."""
        self.printer.lay_out(self)
        for place in (self.total, self.events, self.decisions, self.broken):
            self.store("0", place)
        if self.timing is not None:
            self.timing.begin()
        self.go(self.block(0, self.printer.flat.procedures[0].entry))

    def block(self, procedure: int, node: int) -> str:
        return f"b{procedure}_{node}"

    def procedure(self, procedure: Procedure) -> None:
        """The blocks of a procedure."""
        for block in procedure.blocks:
            self.frame = procedure.number
            self.kinds = self.printer.block_kinds(procedure.number, block.node)
            self.prefix = f"{procedure.number}:{block.node}:"
            self.whole = block.body
            self.label(self.block(procedure.number, block.node))
            self.learn(block.body)
            self.statements(block.body)

    def leave(self) -> None:
        self.go("up")

    def over(self, node: int) -> None:
        """The game is over: its numbers are worked out and written down."""
        self.event_ends()
        if self.printer.bags or self.printer.piles:
            self.look()  # something that did not fit was perhaps not looked at yet
        printer, name = self.printer, f"end{self.frame}_{node}"
        assert self.frame is not None
        told = self.told(name)
        if told is not None:
            self.write_down(node, str(len(told)))
            for place, number in enumerate(told):
                self.store(number, self.at("%result", NUMBERS + place))
            self.end(self.DONE)
            return
        frame = "".join(f", ptr {local}" for local in printer.of_frame(self.frame))
        if name in printer.endings:
            out = self.at("%result", NUMBERS)
            count = self.op(f"call i64 @{name}(ptr %S{printer.shares}{frame}, ptr {out})")
            if self.printer.can_fail(name):
                self.look()
            self.write_down(node, count)
            self.end(self.DONE)
            return
        row = self.unpacked(self.op(f"call {ROW} @{name}(ptr %S{printer.shares}{frame})"), "row")
        if self.printer.can_fail(name):
            self.look()
        up, on = self.fresh("many"), self.fresh("few")
        self.split(self.op(f"icmp ugt i64 {row.two}, {self.printer.seats}"), up, on)
        self.label(up)
        self.leave()
        self.label(on)
        self.write_down(node, row.two)
        with self.loop(row.two) as (at, _, _):
            number = self.load(self.at(row.one, at))
            self.store(number, self.at(self.at("%result", NUMBERS), at))
        self.end(self.DONE)

    def told(self, name: str) -> list[str] | None:
        """The numbers that a game comes to, if a function names them one by one; None if it is not so simple."""
        if name not in self.printer.functions:
            return []
        match self.printer.functions[name].body:
            case (st.Give(value=Known(value=tuple() as row)),) if all(isinstance(each, int) for each in row):
                return [str(each) for each in row]
            case (st.Give(value=Items(items=items)),) if len(items) <= self.printer.seats and self.numbers(items):
                return [self.n(each) for each in items]
            case _:
                return None

    def numbers(self, items: tuple[Flat, ...]) -> bool:
        """Whether all of these are numbers that lie ready."""
        assert self.frame is not None
        return all(
            isinstance(each, Remembered) and self.printer.local_kind(self.frame, each.local) == "number"
            for each in items
        )

    def write_down(self, node: int, count: str) -> None:
        """What a game that is over came to, but for its numbers."""
        words = {
            STATUS: "0",
            OVER: str(node),
            LENGTH: self.load(self.events),
            DECISIONS: self.load(self.decisions),
            COSTS: self.load(self.total),
            COUNT: count,
        }
        if self.timing is not None:
            words[NUMBERS + self.printer.seats] = self.timing.now()
        if self.printer.promises:
            words[self.printer.words - 1] = self.load(self.broken)
        for place, word in words.items():
            self.store(word, self.at("%result", place))

    # -------------------------------------------------------------- events

    def event_ends(self) -> None:
        """Play has come to a wait, or to its end: what that cost is added up."""
        cost = self.load(self.printer.cost_place(self))
        if not self.metered:
            self.watch()
        self.store(self.op(f"add i64 {self.load(self.total)}, {cost}"), self.total)
        if self.printer.promises:
            found = self.op(f"call i64 @promised(ptr %S{self.printer.shares})")
            self.store(self.op(f"or i64 {self.load(self.broken)}, {found}"), self.broken)
            if any(self.printer.can_fail(f"invariant{number}") for number in range(self.printer.promises)):
                self.look()

    def event_begins(self) -> None:
        """Something is about to happen."""
        self.event_ends()
        count = self.load(self.events)
        up, on = self.fresh("long"), self.fresh("on")
        self.split(self.op(f"icmp uge i64 {count}, {limits.RECORD_EVENTS}"), up, on, (1, 2000))
        self.label(up)
        self.leave()
        self.label(on)
        self.store(self.op(f"add i64 {count}, 1"), self.events)
        self.store("0", self.printer.cost_place(self))
        self.store(str(limits.EVENT_COST), self.printer.most_place(self))
        if self.printer.makes_rows and self.TIDIES:
            self.line("call void @tidy(ptr %S)")

    # -------------------------------------------------------------- statements of the flow

    def statements(self, statements: Iterable[st.Statement]) -> None:
        for s in statements:
            if self.ended:
                return
            match s:
                case st.Goto():
                    assert self.frame is not None
                    self.go(self.block(self.frame, s.node))
                case st.Ask():
                    self.ask(s)
                case st.Draw():
                    self.draw(s)
                case st.Unsee():
                    self.unsee(s)
                case st.Open():
                    assert self.frame is not None
                    label = self.block(self.frame, s.next)
                    self.open(s.procedure, [self.piling.own(each) for each in s.arguments], label)
                case st.Force():
                    self.force(s)
                case st.Close():
                    if self.frame == 0:
                        self.over(s.node)
                    else:
                        self.go(f"return{self.frame}")
                case st.Leave():
                    self.leave_to(s)
                case st.Over():
                    self.over(s.node)
                case _:
                    super().statements((s,))

    def open(self, procedure: int, arguments: list[Val], behind: str) -> None:
        """A procedure over a frame begins; play goes on at a label when it is over."""
        printer = self.printer
        outer, self.frame = self.frame, procedure
        for place, value in enumerate(arguments):
            self.keep(self.local(place), value)
        for place in range(len(arguments), printer.flat.procedures[procedure].locals):
            where, kind = self.local(place)
            if kind in ROWS:
                self.line(f"store [2 x i64] zeroinitializer, ptr {where}")
            else:
                self.store("0", where)
        self.frame = outer
        known = self.returns.setdefault(procedure, [])
        number = next((number for number, label in known if label == behind), len(known))
        if number == len(known):
            known.append((number, behind))
        self.store(str(number), printer.return_place(self, procedure))
        self.go(self.block(procedure, printer.flat.procedures[procedure].entry))

    def returning(self) -> None:
        """Where play goes on behind each procedure."""
        for procedure in sorted(self.printer.over_frames - {0}):
            self.label(f"return{procedure}")
            known = self.returns.get(procedure, [])
            if not known:
                self.leave()
            elif len(known) == 1:
                self.go(known[0][1])
            else:
                number = self.load(self.printer.return_place(self, procedure))
                ways = " ".join(f"i64 {each}, label %{label}" for each, label in known[1:])
                self.end(f"switch i64 {number}, label %{known[0][1]} [ {ways} ]")

    def leave_to(self, s: st.Leave) -> None:
        """All that runs above a procedure, and it itself, is over; answers that wait there are forgotten."""
        self.forget(s.procedure)
        if s.procedure == 0:
            self.over(s.node)
        elif s.procedure not in self.printer.over_frames:  # it never waits, so that nothing runs above it
            give_up(self, GAVE_UP)
            self.leave()
        else:
            self.go(f"return{s.procedure}")

    def forget(self, procedure: int) -> None:
        """Answers that wait above a procedure are forgotten."""
        for node in sorted(self.printer.waiting_above(procedure)):
            self.store("0", self.at("%S", self.printer.pending[node], 1))

    # -------------------------------------------------------------- chance

    def draw(self, s: st.Draw) -> None:
        slot = self.decking.pool(s.urn)
        if slot is not None:
            count = self.load(self.decking.place(slot, 1))
            self.line(f"call void @llvm.assume(i1 {self.op(f'icmp ne i64 {count}, 0')})")
            place = self.drawn_place(count)
            self.line(f"call void @llvm.assume(i1 {self.op(f'icmp ult i64 {place}, {count}')})")
            value = self.decking.card(slot, place)
        else:
            value = self.drawn_of(s)
        result = self.printer.module.results[s.node]
        assert result is not None and self.frame is not None
        self.keep(self.local(result[0]), Val("number", value))
        self.go(self.block(self.frame, result[1]))

    def drawn_of(self, s: st.Draw) -> str:
        """The same, where it is no deck."""
        printer, urn = self.printer, self.value(s.urn)
        if printer.pools is None or not is_pool(s.urn, self.whole):
            return self.drawn(urn, pool=False)
        result = printer.module.results[s.node]
        assert result is not None and self.frame is not None
        blocks = printer.flat.procedures[self.frame].blocks
        behind = next(block.body for block in blocks if block.node == result[1])
        pile = settled_next(s.urn, self.whole, behind, result[0])
        if pile is None:
            return self.drawn(urn, pool=True)
        place = self.drawn_place(urn.two)
        row = self.piling.row(self.piling.place(pile.slot, pile.member))
        where = self.at(row.one, self.op(f"sub i64 {row.two}, 1"))
        return self.op(f"call i64 @from_pool(ptr {urn.one}, i64 {place}, ptr {where})")

    def drawn(self, urn: Val, *, pool: bool) -> str:
        """An outcome of an urn that is not empty, perhaps a pool that lies as counts; it is an event."""
        place = self.drawn_place(urn.two)
        if self.printer.piles:
            self.store(place, field(self, LAST))
        if pool:
            return self.op(f"call i64 @of_pool(ptr {urn.one}, i64 {place})")
        return self.load(self.at(urn.one, place))

    def drawn_place(self, count: str) -> str:
        """Which of so many outcomes there is."""
        self.event_begins()
        place = self.op(f"call i64 @place(ptr %streams, i64 {count})")
        self.line("call void @advance(ptr %streams)")
        return place

    def unsee(self, s: st.Unsee) -> None:
        """A pile becomes unseen; what it shares with others is drawn first, and then it is tried again."""
        assert self.frame is not None
        if s.slot in self.printer.decks:
            return  # it lies so already
        if s.slot in self.printer.piles:
            self.unsee_here(s)
            return
        cell, _ = self.cell(s.slot, s.member)
        urn = self.unpacked(self.op(f"call {ROW} @unsee(ptr %S, ptr {cell})"), "row")
        self.look()
        frame = self.frame

        def shared() -> None:
            card = self.drawn(urn, pool=False)
            pile = self.load_row(cell)
            place = self.op(f"call i64 @first_shared(ptr %S, ptr {pile.one}, i64 {pile.two})")
            self.op(f"call i1 @settle_at(ptr %S, ptr {cell}, i64 {place}, i64 {card})")
            self.go(self.block(frame, s.node))

        self.when(self.op(f"icmp ne i64 {urn.two}, 0"), shared)

    def unsee_here(self, s: st.Unsee) -> None:
        """The same, of a pile in place."""
        assert self.frame is not None
        frame, where = self.frame, self.piling.place(s.slot, s.member)
        pile = self.piling.row(where)
        urn = self.unpacked(self.op(f"call {ROW} @unsee_here(ptr %S, ptr {pile.one}, i64 {pile.two})"), "row")
        self.look()

        def shared() -> None:
            card = self.drawn(urn, pool=self.printer.pools is not None)
            pile = self.piling.row(where)
            place = self.op(f"call i64 @first_shared(ptr %S, ptr {pile.one}, i64 {pile.two})")
            self.op(f"call i1 @settle_place(ptr %S, ptr {self.at(pile.one, place)}, i64 {card})")
            self.go(self.block(frame, s.node))

        self.when(self.op(f"icmp ne i64 {urn.two}, 0"), shared)

    # -------------------------------------------------------------- decisions

    def listed(self, decision: Decision, seat: str, stop: int) -> str:
        """How many answers a seat has; they lie where answers are offered."""
        count = "0"
        for move in decision.moves:
            count = self.op(
                f"call i64 @list{move}(ptr %S{self.printer.shares}, i64 {seat}, ptr %offers, i64 {count}, i64 {stop})"
            )
            if self.printer.can_fail(f"list{move}"):
                self.look()
        if decision.may_pass:
            room = self.op(f"call i64 @llvm.smin.i64(i64 {count}, i64 {stop - 1})")  # never beyond what is laid out
            where = self.at("%offers", self.op(f"mul nuw nsw i64 {room}, {self.printer.stride}"))
            full = self.op(f"icmp sge i64 {count}, {stop}")
            self.store(self.op(f"select i1 {full}, i64 {self.load(where)}, i64 -1"), where)
            more = self.op(f"add i64 {count}, 1")
            count = self.op(f"select i1 {full}, i64 {count}, i64 {more}")
        return count

    def chosen(self, decision: Decision, seat: str) -> str:
        """Where the answer lies that a seat gives at random."""
        count = self.listed(decision, seat, MANY)
        fine, on = self.op(f"icmp ult i64 {self.op(f'sub i64 {count}, 1')}, {MANY - 1}"), self.fresh("on")
        self.split(fine, on, "up", (2000, 1))
        self.label(on)
        place = self.drawn_by(seat, count)
        if self.printer.advice.lines(decision):
            advised = self.advised(decision, seat, count)
            there = self.op(f"icmp sge i64 {advised}, 0")
            place = self.op(f"select i1 {there}, i64 {advised}, i64 {place}")
        return self.at("%offers", self.op(f"mul nuw nsw i64 {place}, {self.printer.stride}"))

    def advised(self, decision: Decision, seat: str, count: str) -> str:
        """The place of the answer that a seat is advised to give, of so many that are laid down; -1 if there is none,
        or the seat follows no advice."""
        found = self.room()
        self.store("-1", found)

        def ask() -> None:
            given = f"ptr %S{self.printer.shares}, i64 {seat}, ptr %offers, i64 {count}"
            self.store(self.op(f"call i64 @advised{decision.node}({given})"), found)
            self.look()

        self.when(self.bit(str(self.printer.advice.bits), seat, 64), ask)
        return self.load(found)

    def counted(self, seat: str) -> None:
        """A seat has decided once more."""
        self.line(f"call void @advance(ptr {self.stream(seat)})")

    def stream(self, seat: str) -> str:
        """Where the draws of a seat come from: behind where outcomes come from."""
        return self.at(self.at("%streams", STREAM, 1), self.op(f"mul nuw nsw i64 {seat}, {STREAM}"), 1)

    def ask(self, s: st.Ask) -> None:
        printer = self.printer
        decision = printer.module.decisions[s.node]
        assert self.frame is not None
        behind = self.block(self.frame, decision.next)
        if decision.kind == "anyone":
            assert self.timing is not None
            self.timing.ask(s, decision)
            return
        if decision.kind == "seat":
            seat = self.seat_of(s.seats)
            self.event_begins()
            if self.timing is not None:
                self.timing.answered(seat)
            if self.by_sets(decision) and not printer.advice.lines(decision):
                self.ask_by_sets(decision, seat, behind)
                return
            entry = self.chosen(decision, seat)
            self.counted(seat)
            self.store(self.op(f"add i64 {self.load(self.decisions)}, 1"), self.decisions)
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
        seats = self.value(s.seats)
        self.event_begins()
        pending = self.at("%S", printer.pending[s.node], 1)
        self.store("0", pending)
        with self.loop(seats.two) as (at, next_lap, on):
            seat = self.load(self.at(seats.one, at))
            entry = self.chosen(decision, seat)
            taken = self.fresh("taken")
            self.split(self.op(f"icmp slt i64 {self.load(entry)}, 0"), next_lap, taken)
            self.label(taken)
            self.await_effect(s.node, seat, entry)
            if decision.first_only:
                self.go(on)
        with self.loop(seats.two) as (at, _, _):
            seat = self.load(self.at(seats.one, at))
            self.counted(seat)
            if self.timing is not None:
                self.timing.answered(seat)
        self.store(self.op(f"add i64 {self.load(self.decisions)}, {seats.two}"), self.decisions)
        self.carried.add(s.node)
        self.go(f"carry{s.node}")

    def by_sets(self, decision: Decision) -> bool:
        """Whether all moves that are asked for list sets."""
        printer = self.printer
        return set(decision.moves) <= printer.sets.keys() | printer.pairs.keys() | printer.never

    def ask_by_sets(self, decision: Decision, seat: str, behind: str) -> None:
        """One of the answers of a seat, where all its moves list sets: no answer is laid down before it is chosen."""
        usual.ask(self, decision, seat, behind)
        sets, total = self.set_answers(decision, seat)
        if not decision.may_pass:
            some, on = self.op(f"icmp ne i64 {total}, 0"), self.fresh("on")
            self.split(some, on, "up", (2000, 1))
            self.label(on)
        place = self.drawn_by(seat, total)
        self.counted(seat)
        self.store(self.op(f"add i64 {self.load(self.decisions)}, 1"), self.decisions)
        # the answers lie in the order of the moves, and passing comes last; here it is counted first
        moves_total = self.op(f"sub i64 {total}, 1") if decision.may_pass else total
        if decision.may_pass:
            passed, moved = self.fresh("passed"), self.fresh("moved")
            self.split(self.op(f"icmp eq i64 {place}, {moves_total}"), passed, moved)
            self.label(passed)
            self.answered(decision, 0)
            self.go(behind)
            self.label(moved)
        self.answered(decision, 1)
        self.take_of_sets(decision, seat, behind, sets, place)

    def set_answers(self, decision: Decision, seat: str) -> tuple[list[tuple[int, str, str, str]], str]:
        """The answers of a seat as sets: of each move its words, how many answers those before it have, and how many it
        has itself; and how many there are in all."""
        printer = self.printer
        sets: list[tuple[int, str, str, str]] = []
        total = "1" if decision.may_pass else "0"
        for move in decision.moves:
            if move in printer.never:
                continue
            if move in printer.pairs:
                ways, _ = printer.pairs[move]
                found = self.room(f"[{ways.words} x i{ways.bits}]")
                count = self.op(f"call i64 @pairs{move}(ptr %S{printer.shares}, i64 {seat}, ptr {found})")
            else:
                bits = printer.sets[move]
                found = self.op(f"call i{bits} @set{move}(ptr %S{printer.shares}, i64 {seat})")
                count = self.op(f"call i64 @counted{bits}(i{bits} {found})")
            if printer.can_fail(f"list{move}"):
                self.look()
            sets.append((move, found, total, count))
            total = self.op(f"add i64 {total}, {count}")
        return sets, total

    def take_of_sets(
        self, decision: Decision, seat: str, behind: str, sets: list[tuple[int, str, str, str]], place: str
    ) -> None:
        """The answer with a number takes effect."""
        printer = self.printer
        for number, (move, found, before, count) in enumerate(sets):
            first = self.op(f"sub i64 {before}, 1") if decision.may_pass else before
            mine, other = self.fresh("mine"), self.fresh("other")
            if number + 1 < len(sets):
                after = self.op(f"add i64 {first}, {count}")
                self.split(self.op(f"icmp ult i64 {place}, {after}"), mine, other)
                self.label(mine)
            arguments = [Val("number", seat)]
            if printer.module.around.moves[move].rows:
                own = self.op(f"sub i64 {place}, {first}")
                if move in printer.pairs:
                    arguments += pairs.values_of(self, self.op(f"call i64 @picked{move}(ptr {found}, i64 {own})"))
                else:
                    bits = printer.sets[move]
                    arguments += self.values_of(move, self.op(f"call i64 @kth{bits}(i{bits} {found}, i64 {own})"))
            self.effect(move, arguments, behind, paid=False)
            if number + 1 < len(sets):
                self.label(other)

    def decided(self, decision: Decision, seat: str) -> None:
        """A seat has chosen its answer."""
        self.counted(seat)
        self.store(self.op(f"add i64 {self.load(self.decisions)}, 1"), self.decisions)
        self.answered(decision, 1)

    def values_of(self, move: int, place: str, *, inner: bool = False) -> list[Val]:
        """The values of an answer, by its number; or those behind the first one, by the number for that."""
        ranged = self.printer.ranged.get(move)
        if ranged is None:
            return [Val("number", place)]
        found: list[Val] = []
        spans = list(zip(ranged.lows, ranged.counts, strict=True))[inner:]
        for low, count in reversed(spans):
            first = len(found) + 1 == len(spans)  # it is the number itself then
            own = place if first else self.op(f"urem i64 {place}, {count}")
            place = self.op(f"udiv i64 {place}, {count}")
            found.append(Val("number", self.op(f"add nsw i64 {own}, {low}")))
        return found[::-1]

    def drawn_by(self, seat: str, bound: str) -> str:
        """What a seat draws: a number below another."""
        return self.op(f"call i64 @place(ptr {self.stream(seat)}, i64 {bound})")

    def seat_of(self, seats: Flat) -> str:
        """The only seat that is asked."""
        if isinstance(seats, Items) and len(seats.items) == 1:
            return self.n(seats.items[0])
        return self.load(self.value(seats).one)

    def answered(self, decision: Decision, result: int | str) -> None:
        """The procedure remembers whether somebody moved, or who."""
        if decision.answered is not None:
            self.keep(self.local(decision.answered), Val("number", str(result)))

    def await_effect(self, node: int, seat: str, entry: str) -> None:
        """An answer waits until it can take effect."""
        stride = self.printer.stride
        pending = self.at("%S", self.printer.pending[node], 1)
        count = self.load(pending)
        place = self.op(f"mul nuw nsw i64 {count}, {stride + 1}")
        where = self.at(self.at(pending, 2), place)
        self.store(seat, where)
        for word in range(stride):
            self.store(self.load(self.at(entry, word)), self.at(where, 1 + word))
        self.store(self.op(f"add i64 {count}, 1"), pending)

    def carry_out(self, node: int) -> None:
        """The answers that wait at a node take effect, the first one first."""
        printer = self.printer
        decision = printer.module.decisions[node]
        procedure = printer.procedure_of(node)
        self.frame = procedure
        behind = self.block(procedure, decision.next)
        self.label(f"carry{node}")
        pending = self.at("%S", printer.pending[node], 1)
        count = self.load(pending)
        self.store("0", self.at(pending, 1))
        if decision.first_only:  # the others lapse
            count = self.op(f"call i64 @llvm.smin.i64(i64 {count}, i64 1)")
            self.store(count, pending)
        if decision.answered is not None:
            some = self.op(f"icmp ne i64 {count}, 0")
            if decision.names_who:
                said = self.op(f"select i1 {some}, i64 {self.load(self.at(pending, 2))}, i64 -1")
            else:
                said = self.op(f"zext i1 {some} to i64")
            self.keep(self.local(decision.answered), Val("number", said))
        with self.loop(count) as (at, _, _):
            entry = self.at(self.at(pending, 2), self.op(f"mul nuw nsw i64 {at}, {printer.stride + 1}"))
            self.shown(self.load(entry), self.load(self.at(entry, 1)))
            self.spent(self.op(f"call i64 @attempt_cost(i64 {self.load(self.at(entry, 1))})"))
        self.label(f"effects{node}")
        pending = self.at("%S", printer.pending[node], 1)
        at = self.load(self.at(pending, 1))
        effect = self.fresh("effect")
        self.split(self.op(f"icmp slt i64 {at}, {self.load(pending)}"), effect, behind)
        self.label(effect)
        self.store(self.op(f"add i64 {at}, 1"), self.at(pending, 1))
        entry = self.at(self.at(pending, 2), self.op(f"mul nuw nsw i64 {at}, {printer.stride + 1}"))
        seat = Val("number", self.load(entry))
        self.move(decision, self.at(entry, 1), seat, f"effects{node}", paid=True)

    def move(self, decision: Decision, entry: str, seat: Val, behind: str, *, paid: bool) -> None:
        """The effects of an answer, and what it costs unless that is paid; then play goes on at a label."""
        printer = self.printer
        moves = decision.moves
        labels = [self.fresh("move") for _ in moves]
        if len(moves) == 1:
            self.go(labels[0])
        else:
            ways = " ".join(f"i64 {move}, label %{label}" for move, label in zip(moves[1:], labels[1:], strict=True))
            self.end(f"switch i64 {self.load(entry)}, label %{labels[0]} [ {ways} ]")
        for move, label in zip(moves, labels, strict=True):
            self.label(label)
            procedure = printer.module.effects[move]
            arguments = [seat]
            for place in range(len(printer.module.around.moves[move].rows)):
                kind = printer.local_kind(procedure, 1 + place)
                arguments.append(self.get(self.at(entry, 1 + 2 * place), kind))
            self.effect(move, arguments, behind, paid=paid)

    def effect(self, move: int, arguments: list[Val], behind: str, *, paid: bool) -> None:
        """A move takes effect."""
        printer = self.printer
        procedure = printer.module.effects[move]
        if not paid:
            self.shown(arguments[0].one, str(move))
            self.spent(str(printer.module.attempt_costs[move]))
        if printer.flat.procedures[procedure].plain:
            self.carried_out(procedure, arguments)
            self.go(behind)
        else:
            self.open(procedure, arguments, behind)

    def shown(self, seat: str, move: str) -> None:
        """An answer is about to take effect: give the game up if it cannot be told who is shown it."""
        if self.printer.shown_below:
            row = self.printer.constants.row(self.printer.shown_below)
            on = self.fresh("on")
            self.split(self.op(f"icmp slt i64 {seat}, {self.load(self.at(row.one, move))}"), on, "up", (2000, 1))
            self.label(on)

    def force(self, s: st.Force) -> None:
        """If every asked seat has one answer only, they take effect."""
        printer = self.printer
        decision = printer.module.decisions[s.node]
        if decision.speaks:
            return
        seats = self.value(s.seats)
        pending = self.at("%S", printer.pending[s.node], 1)
        self.store("0", pending)
        not_forced = self.fresh("free")
        with self.loop(seats.two) as (at, next_lap, _):
            seat = self.load(self.at(seats.one, at))
            count = self.listed(decision, seat, 2)
            one, taken = self.fresh("one"), self.fresh("taken")
            self.split(self.op(f"icmp eq i64 {count}, 1"), one, not_forced)
            self.label(one)
            self.split(self.op(f"icmp slt i64 {self.load('%offers')}, 0"), next_lap, taken)
            self.label(taken)
            self.await_effect(s.node, seat, "%offers")
        self.carried.add(s.node)
        self.go(f"carry{s.node}")
        self.label(not_forced)
        self.store("0", pending)


def promised(printer: Printer) -> str:
    """Which promises of the rules do not hold, as bits in order of declaration."""

    def write(code: Code) -> None:
        broken = "0"
        for number in range(printer.promises):
            holds = code.op(f"call i64 @invariant{number}(ptr %S{printer.shares})")
            bit = code.op(f"select i1 {code.op(f'icmp eq i64 {holds}, 0')}, i64 {1 << number}, i64 0")
            broken = code.op(f"or i64 {broken}, {bit}")
        code.end(f"ret i64 {broken}")

    return function(f"define internal i64 @promised(ptr %S{printer.shares})", write)


def streams(printer: Printer) -> str:
    """Where the draws of a game come from is laid out: outcomes, and behind them all who decide."""

    def write(code: Code) -> None:
        code.line("call void @stream(ptr %streams, i64 %key)")
        for seat in range(printer.decides):
            key = code.op(f"call i64 @mix(i64 %key, i64 {PLAYERS + seat - (1 << 64)})")
            code.line(f"call void @stream(ptr {code.at('%streams', (1 + seat) * STREAM, 1)}, i64 {key})")
        code.end("ret void")

    return function("define internal void @streams(ptr %streams, i64 %key) noinline", write)


def tidy(printer: Printer) -> str:
    """What is needed no more is left behind, once enough of the arena is used: rows that are held are copied to the
    other half. Answers that wait may hold rows too; nothing is moved as long as there are any."""

    return left_behind(printer, "define internal void @tidy(ptr %S) alwaysinline", COLLECTED)


def left_behind(printer: Printer, header: str, most: int) -> str:
    """A function that does so once more than so many bytes are used."""

    def write(code: Code) -> None:
        first = code.op(f"load ptr, ptr {field(code, BASE)}")
        top = code.op(f"load ptr, ptr {field(code, TOP)}")
        used = code.op(f"sub i64 {code.op(f'ptrtoint ptr {top} to i64')}, {code.op(f'ptrtoint ptr {first} to i64')}")
        much, on = code.fresh("much"), code.fresh("little")
        code.split(code.op(f"icmp ugt i64 {used}, {most}"), much, on, (1, 2000))
        code.label(on)
        code.end("ret void")
        code.label(much)
        for node, place in sorted(printer.pending.items()):
            if printer.rows_wait(node):
                waits = code.op(f"icmp ne i64 {code.load(code.at('%S', place, 1))}, 0")
                code.when(waits, lambda: code.end("ret void"))
        code.line("call void @collect(ptr %S)")
        code.end("ret void")

    return function(header, write)


def collect(printer: Printer) -> str:
    """Copy what is held to the other half of the arena, and go on there."""

    def moved(code: Code, where: str, kind: Kind, first: str, last: str) -> None:
        row = code.load_row(where, kind)
        inside = code.op(f"icmp uge ptr {row.one}, {first}")
        below = code.op(f"icmp ult ptr {row.one}, {last}")

        def copied() -> None:
            bytes_ = code.op(f"mul i64 {row.two}, {row.size}")
            top = code.op(f"load ptr, ptr {field(code, TOP)}")
            code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {top}, ptr {row.one}, i64 {bytes_}, i1 false)")
            code.line(f"store ptr {code.op(f'getelementptr i8, ptr {top}, i64 {bytes_}')}, ptr {field(code, TOP)}")
            code.line(f"store ptr {top}, ptr {where}")

        code.when(code.op(f"and i1 {inside}, {below}"), copied)
        if kind == "rows":
            outer = code.load_row(where, "rows")
            writable = code.op(f"icmp uge ptr {outer.one}, {code.op(f'load ptr, ptr {field(code, BASE)}')}")
            limit = code.op(f"icmp ult ptr {outer.one}, {code.op(f'load ptr, ptr {field(code, END)}')}")

            def inner() -> None:
                with code.loop(outer.two) as (at, _, _):
                    moved(code, code.at(outer.one, at, 16), "row", first, last)

            code.when(code.op(f"and i1 {writable}, {limit}"), inner)

    def write(code: Code) -> None:
        first = code.op(f"load ptr, ptr {field(code, BASE)}")
        last = code.op(f"load ptr, ptr {field(code, END)}")
        half = code.op(f"sub i64 {code.op(f'ptrtoint ptr {last} to i64')}, {code.op(f'ptrtoint ptr {first} to i64')}")
        other = code.op(f"load ptr, ptr {code.at('%S', printer.other, 1)}")
        code.line(f"store ptr {first}, ptr {code.at('%S', printer.other, 1)}")
        for where in (BASE, TOP):
            code.line(f"store ptr {other}, ptr {field(code, where)}")
        code.line(f"store ptr {code.op(f'getelementptr i8, ptr {other}, i64 {half}')}, ptr {field(code, END)}")
        if printer.pools is None:
            with code.loop(code.load(field(code, POOLS))) as (at, _, _):
                moved(code, code.at(field(code, FIRST), at, 16), "row", first, last)
        for place, count, kind in printer.held_rows():
            if count == 1:
                moved(code, code.at("%S", place, 1), kind, first, last)
            else:
                with code.loop(str(count)) as (at, _, _):
                    moved(code, code.at(code.at("%S", place, 1), at, 16), kind, first, last)
        code.end("ret void")

    return function("define internal void @collect(ptr %S) noinline", write)
