"""Open play and table time in the function that plays one game (Spec 11.4): what `rulelang_native.in_time` does.

At a wait in open play every asked seat that can do something proposes an act and how long it takes to come to it. The
earliest of all is carried out, after a look at the clock if time has gone on; a timer that is empty before that runs
out instead. What a seat proposes depends on its own draws and on what it could do, so that of all seats only how many
answers they have is found out, and the answer itself only of the seat that acts.

A look at the clock changes nothing but the clock. Where neither who is asked nor what can be done depends on the clock,
nobody is asked again behind it: whoever has looked acts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import attrs

from rulelang.ir.program import Marker, Program
from rulelang.ir.types import OptionalType, SeatType
from rulelang.limits import INTEGER_MAX, LAST_TIME, LISTED_MOVES
from rulelang.play import kinds
from rulelang.play.agents import LONGEST, SHORTEST
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.program import FlatProgram
from rulelang_native.llvm.code import Code, Val
from rulelang_native.llvm.support import KEY, NEXT, NUMBER, function
from rulelang_native.llvm.walking import parts
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.games import GameWriter
    from rulelang_native.runtime.module import Decision

MANY = LISTED_MOVES + 1
NEVER = -1
"""When a decision began that has not begun."""
DELAYS = LONGEST - SHORTEST + 1


@attrs.frozen
class Timer:
    """The slots of a timer, and what its end says while it does not run."""

    left: int
    end: int
    never: int


@attrs.frozen
class Clock:
    """Where a program keeps its time."""

    slot: int | None
    """None: only the order counts."""
    timers: tuple[Timer, ...]
    readers: frozenset[str]
    """The functions that ask for the clock, or may do so."""

    @staticmethod
    def of(program: Program, flat_program: FlatProgram) -> Clock:
        """That of a program."""
        timers = tuple(
            Timer(each.left, each.end, kinds.none_code(cast(OptionalType, cast(Marker, program.slots[each.end]).type)))
            for each in program.timers
        )
        clock = Clock(program.clock, timers, frozenset())
        for each in flat_program.functions:  # those that are called stand before those that call
            if clock.asked_by(each.body):
                clock = attrs.evolve(clock, readers=clock.readers | {each.name})
        return clock

    def asked_by(self, statements: Iterable[st.Statement]) -> bool:
        """Whether what these come to can depend on the clock itself. Whether a timer runs does not."""
        for part in parts(tuple(statements)):
            match part:
                case flat.Held():
                    found = part.slot == self.slot
                case flat.Result():
                    found = part.function in self.readers
                case _:
                    found = isinstance(part, flat.HasAnswer)
            if found:
                return True
        return False


class Timing:
    """What a game in table time needs besides: when decisions of seats began, and who has looked at the clock."""

    def __init__(self, writer: GameWriter, clock: Clock) -> None:
        self.writer = writer
        self.printer = writer.printer
        self.clock = clock
        self.decides = self.printer.decides
        self.depends = False
        """Whether what can be done at the wait that is written may depend on the clock."""
        self.begun, self.asked = writer.room(f"[{self.decides} x i64]"), writer.room()
        """Of each seat, when its decision began; and who is asked, as bits."""
        self.looked, self.who = writer.room(), writer.room()
        """Whether somebody is about to act who has looked at the clock for it, and who."""
        self.act = writer.room(f"[{self.printer.stride} x i64]")
        """What: noted only where it may have become impossible."""
        self.first, self.mover, self.due, self.timer = (writer.room() for _ in range(4))
        """The earliest proposal, whose it is, when the next timer runs out, and which."""

    def begin(self) -> None:
        """A game begins."""
        w = self.writer
        w.store("0", self.looked)
        for seat in range(self.decides):
            w.store(str(NEVER), w.at(self.begun, seat))

    def now(self) -> str:
        """Table time."""
        return "0" if self.clock.slot is None else self.writer.load(self.cell(self.clock.slot))

    def cell(self, slot: int) -> str:
        return self.printer.cell_place(self.writer, slot, 0)

    def answered(self, seat: str) -> None:
        """The decision of a seat is over."""
        if self.clock.slot is not None:
            self.writer.store(str(NEVER), self.writer.at(self.begun, seat))

    # -------------------------------------------------------------- a wait in open play

    def ask(self, s: st.Ask, decision: Decision) -> None:
        """The next thing that happens."""
        w = self.writer
        assert w.frame is not None
        behind = w.block(w.frame, decision.next)
        seats = w.value(s.seats)
        w.event_begins()
        acts = w.fresh("acts")
        self.depends = depends = self.can_depend(decision)
        if self.clock.slot is not None and not depends:
            propose = w.fresh("propose")
            w.split(w.op(f"icmp ne i64 {w.load(self.looked)}, 0"), acts, propose)
            w.label(propose)
        self.propose(decision, seats)
        if self.clock.slot is not None:
            if depends:
                looked = w.op(f"icmp ne i64 {w.load(self.looked)}, 0")
                w.when(looked, lambda: self.act_if_possible(decision, acts))
            self.run_out(decision, behind)
        nobody, on = w.op(f"icmp eq i64 {w.load(self.first)}, {INTEGER_MAX}"), w.fresh("on")
        w.split(nobody, "up", on, (1, 2000))
        w.label(on)
        w.store(w.load(self.mover), self.who)
        if depends:
            self.note(decision)
        if self.clock.slot is not None:
            self.look(w.block(w.frame, s.node), acts)
        w.label(acts)
        w.store("0", self.looked)
        self.go_on(decision, behind)

    def can_depend(self, decision: Decision) -> bool:
        """Whether a look at the clock can change who is asked, or what can be done."""
        if self.clock.slot is None:
            return False
        asked = [f"list{move}" for move in decision.moves]
        asked += [f"preference{line}" for line in self.printer.advice.lines(decision)]
        return not self.clock.readers.isdisjoint(asked) or self.clock.asked_by(self.writer.whole)

    def by_sets(self, decision: Decision) -> bool:
        """Whether answers need not be laid down to be chosen from."""
        if self.depends or self.printer.advice.lines(decision):
            return False
        return self.writer.by_sets(decision)

    def propose(self, decision: Decision, seats: Val) -> None:
        """The earliest of what the seats propose, of equal times the first; and whose decisions have begun or ended."""
        w, timed = self.writer, self.clock.slot is not None
        now = self.now()
        w.store("0", self.asked)
        w.store(str(INTEGER_MAX), self.first)
        with w.loop(seats.two) as (at, next_lap, _):
            seat = w.load(w.at(seats.one, at))
            count = self.count(decision, seat)
            some = w.op(f"icmp ne i64 {count}, 0")
            can_act = "true" if decision.speaks else some
            if decision.unhurried and self.printer.advice.lines(decision):
                advised = w.op(f"icmp sge i64 {w.advised(decision, seat, count)}, 0")
                follows = w.bit(str(self.printer.advice.bits), seat, 64)
                can_act = w.op(f"select i1 {follows}, i1 {advised}, i1 {can_act}")
                some = w.op(f"and i1 {some}, {w.op(f'select i1 {follows}, i1 {advised}, i1 true')}")
            began = w.at(self.begun, seat)
            if timed:
                w.store(w.op(f"or i64 {w.load(self.asked)}, {w.one_bit(seat, 64)}"), self.asked)
                before = w.load(began)
                fresh = w.op(f"icmp eq i64 {before}, {NEVER}")
                since = w.op(f"select i1 {fresh}, i64 {now}, i64 {before}")
                w.store(w.op(f"select i1 {can_act}, i64 {since}, i64 {NEVER}"), began)
            able = w.fresh("able")
            w.split(some, able, next_lap)
            w.label(able)
            delay = w.op(f"add i64 {self.hesitates(seat)}, {SHORTEST}")
            if timed:
                waited = w.op(f"sub i64 {now}, {w.load(began)}")
                delay = w.op(f"call i64 @llvm.smax.i64(i64 {w.op(f'sub i64 {delay}, {waited}')}, i64 0)")
            time, first = w.op(f"add i64 {now}, {delay}"), w.load(self.first)
            earlier = w.op(f"icmp slt i64 {time}, {first}")
            w.store(w.op(f"select i1 {earlier}, i64 {time}, i64 {first}"), self.first)
            w.store(w.op(f"select i1 {earlier}, i64 {seat}, i64 {w.load(self.mover)}"), self.mover)
        if timed:
            with w.loop(str(self.decides)) as (at, next_lap, _):
                over = w.fresh("over")
                w.split(w.bit(w.load(self.asked), at, 64), next_lap, over)
                w.label(over)
                w.store(str(NEVER), w.at(self.begun, at))

    def count(self, decision: Decision, seat: str) -> str:
        """How many answers a seat has."""
        w = self.writer
        if self.by_sets(decision):
            return w.set_answers(decision, seat)[1]
        return self.list(decision, seat)

    def list(self, decision: Decision, seat: str) -> str:
        """The same; they are laid down."""
        w = self.writer
        count, on = w.listed(decision, seat, MANY), w.fresh("on")
        w.split(w.op(f"icmp ult i64 {count}, {MANY}"), on, "up", (2000, 1))
        w.label(on)
        return count

    # -------------------------------------------------------------- draws

    def key(self, seat: str) -> str:
        """What the draws of a decision of a seat come from."""
        w = self.writer
        key = w.op(f"call i64 @decision_key(ptr {w.stream(seat)})")
        if self.clock.slot is not None:
            return key
        return w.op(f"call i64 @mix(i64 {key}, i64 {w.op(f'sub i64 {w.load(w.events)}, 1')})")

    def hesitates(self, seat: str) -> str:
        """What a seat draws first: how long it takes."""
        w = self.writer
        if self.clock.slot is not None:
            return w.drawn_by(seat, str(DELAYS))
        return w.op(f"call i64 @picked(i64 {self.key(seat)}, i64 {DELAYS}, i64 0)")

    def picks(self, seat: str, count: str) -> str:
        """What it draws then: one of its answers."""
        w = self.writer
        return w.op(f"call i64 @picked(i64 {self.key(seat)}, i64 {DELAYS}, i64 {count})")

    def chosen(self, decision: Decision, seat: str) -> str:
        """Where the answer lies that it gives: the advised one, or any."""
        w = self.writer
        count = self.list(decision, seat)
        place = self.picks(seat, count)
        if self.printer.advice.lines(decision):
            advised = w.advised(decision, seat, count)
            there = w.op(f"icmp sge i64 {advised}, 0")
            place = w.op(f"select i1 {there}, i64 {advised}, i64 {place}")
        return w.at("%offers", w.op(f"mul nuw nsw i64 {place}, {self.printer.stride}"))

    # -------------------------------------------------------------- what happens

    def run_out(self, decision: Decision, behind: str) -> None:
        """A timer runs out, if it does so before anybody acts, or at that very moment."""
        w = self.writer
        if not self.clock.timers:
            return
        w.store(str(LAST_TIME + 1), self.due)
        w.store("-1", self.timer)
        for number, timer in enumerate(self.clock.timers):
            end, due = w.load(self.cell(timer.end)), w.load(self.due)
            runs = w.op(f"icmp ne i64 {end}, {timer.never}")
            next_one = w.op(f"and i1 {runs}, {w.op(f'icmp slt i64 {end}, {due}')}")
            w.store(w.op(f"select i1 {next_one}, i64 {end}, i64 {due}"), self.due)
            w.store(w.op(f"select i1 {next_one}, i64 {number}, i64 {w.load(self.timer)}"), self.timer)
        there = w.op(f"icmp sge i64 {w.load(self.timer)}, 0")
        before = w.op(f"icmp sle i64 {w.load(self.due)}, {w.load(self.first)}")

        def expires() -> None:
            assert self.clock.slot is not None
            w.store(w.load(self.due), self.cell(self.clock.slot))
            which = w.load(self.timer)
            for number, timer in enumerate(self.clock.timers):
                this = w.op(f"icmp eq i64 {which}, {number}")
                for slot, value in ((timer.left, 0), (timer.end, timer.never)):
                    place = self.cell(slot)
                    w.store(w.op(f"select i1 {this}, i64 {value}, i64 {w.load(place)}"), place)
            w.answered(decision, kinds.none_code(SeatType()))
            w.go(behind)

        w.when(w.op(f"and i1 {there}, {before}"), expires)

    def look(self, again: str, acts: str) -> None:
        """Whoever acts later than now looks at the clock before, and comes to the same wait again."""
        w = self.writer
        assert self.clock.slot is not None
        time, later = w.load(self.first), w.fresh("later")
        w.split(w.op(f"icmp sgt i64 {time}, {self.now()}"), later, acts)
        w.label(later)
        fits = w.fresh("fits")
        w.split(w.op(f"icmp sle i64 {time}, {LAST_TIME}"), fits, "up", (2000, 1))
        w.label(fits)
        w.store(time, self.cell(self.clock.slot))
        w.store("1", self.looked)
        w.go(again)

    def go_on(self, decision: Decision, behind: str) -> None:
        """Who is about to act does it."""
        w = self.writer
        seat = w.load(self.who)
        if self.by_sets(decision):
            sets, total = w.set_answers(decision, seat)
            place = self.picks(seat, total)
            self.acts(decision, seat)
            w.take_of_sets(decision, seat, behind, sets, place)
            return
        if self.depends:
            entry = self.act
        else:
            entry = self.chosen(decision, seat)
        self.acts(decision, seat)
        w.move(decision, entry, Val("number", seat), behind, paid=False)

    def acts(self, decision: Decision, seat: str) -> None:
        """A seat has made up its mind."""
        w = self.writer
        w.counted(seat)
        w.store(w.op(f"add i64 {w.load(w.decisions)}, 1"), w.decisions)
        self.answered(seat)
        w.answered(decision, seat)

    # -------------------------------------------------------------- where the clock has a say in what can be done

    def note(self, decision: Decision) -> None:
        """What the earliest proposal is."""
        w = self.writer
        if any(any(self.printer.module.around.moves[move].rows) for move in decision.moves if self.lists(move)):
            raise NotLowered("what can be done depends on the clock, and answers hold several things")
        seat = w.load(self.who)
        entry = self.chosen(decision, seat)
        for word in range(self.printer.stride):
            w.store(w.load(w.at(entry, word)), w.at(self.act, word))

    def lists(self, move: int) -> bool:
        return move not in self.printer.never

    def act_if_possible(self, decision: Decision, acts: str) -> None:
        """Whoever has looked acts, unless it came too late for that."""
        w, moves = self.writer, self.printer.module.around.moves
        w.store("0", self.looked)
        count = self.list(decision, w.load(self.who))
        values = self.printer.constants.row(tuple(len(move.rows) for move in moves))
        wanted = w.load(self.act)
        many = w.load(w.at(values.one, wanted))
        with w.loop(count) as (at, next_lap, _):
            entry = w.at("%offers", w.op(f"mul nuw nsw i64 {at}, {self.printer.stride}"))
            same = w.op(f"icmp eq i64 {w.load(entry)}, {wanted}")
            for place in range(max((len(moves[move].rows) for move in decision.moves), default=0)):
                word = 1 + 2 * place
                there = w.op(f"icmp eq i64 {w.load(w.at(entry, word))}, {w.load(w.at(self.act, word))}")
                either = w.op(f"or i1 {there}, {w.op(f'icmp sle i64 {many}, {place}')}")
                same = w.op(f"and i1 {same}, {either}")
            w.split(same, acts, next_lap)
            w.label(w.fresh("x"))


def _decision_key(code: Code) -> None:
    key, first = (code.load(code.at("%stream", place, 1)) for place in (KEY, NUMBER))
    more = code.op(f"lshr i64 {code.load(code.at('%stream', NEXT, 1))}, 3")
    number = code.op(f"add i64 {first}, {more}")
    code.end(f"ret i64 {code.op(f'call i64 @mix(i64 {key}, i64 {number})')}")


def _bounded(code: Code) -> None:
    """As `rulelang.play.chance.Stream.below`."""
    code.label("again")
    drawn = code.load("%drawn")
    high = code.op(f"lshr i64 {code.op(f'call i64 @mix(i64 %key, i64 {drawn})')}, 32")
    code.store(code.op(f"add i64 {drawn}, 1"), "%drawn")
    product = code.op(f"mul i64 {high}, %bound")
    low = code.op(f"and i64 {product}, 4294967295")
    code.split(code.op(f"icmp uge i64 {low}, %bound"), "done", "near", (2000, 1))
    code.label("near")
    unfair = code.op(f"urem i64 {code.op('sub i64 4294967296, %bound')}, %bound")
    code.split(code.op(f"icmp uge i64 {low}, {unfair}"), "done", "again")
    code.label("done")
    code.end(f"ret i64 {code.op(f'lshr i64 {product}, 32')}")


def _picked(code: Code) -> None:
    """The first of two draws of a key if nothing is asked of the second, else the second."""
    drawn = code.room()
    code.store("0", drawn)
    first = code.op(f"call i64 @bounded(i64 %key, ptr {drawn}, i64 %before)")
    code.when(code.op("icmp eq i64 %bound, 0"), lambda: code.end(f"ret i64 {first}"))
    code.when(code.op("icmp eq i64 %bound, 1"), lambda: code.end("ret i64 0"))
    code.end(f"ret i64 {code.op(f'call i64 @bounded(i64 %key, ptr {drawn}, i64 %bound)')}")


def draws() -> str:
    """What is drawn of a key in order, not only its first number."""
    return "\n".join(
        [
            function("define internal i64 @decision_key(ptr %stream)", _decision_key),
            function("define internal i64 @bounded(i64 %key, ptr %drawn, i64 %bound)", _bounded),
            function("define internal i64 @picked(i64 %key, i64 %before, i64 %bound)", _picked),
        ]
    )
