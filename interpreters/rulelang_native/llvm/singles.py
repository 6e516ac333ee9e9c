"""Rows of at most one number as that number: a zone that has room for one piece only lies so, and what is read from it.

Nothing (`NONE`) is a number that no piece has. Which zones lie so is decided from their kind and from what lowering
proved of their size alone; whoever needs a row gets one, so that every use has a form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang.ir.program import Program, Zone
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import FlatProgram
from rulelang_native.llvm.code import Val
from rulelang_native.llvm.support import alloc
from rulelang_native.llvm.walking import given_alone, parts
from rulelang_native.lowering.facts import Fact

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

NONE = -1
"""That there is nothing; all that lies so is not negative, or an unseen card."""


def planned(program: Program, held: Iterable[Fact], flat_program: FlatProgram) -> frozenset[int]:
    """The zones that lie as numbers."""
    small = {
        slot
        for slot, (zone, fact) in enumerate(zip(program.slots, held, strict=True))
        if isinstance(zone, Zone) and fact.depth == 1 and fact.length <= 1 and fact.low >= 0
    }
    for part in parts((flat_program.functions, flat_program.procedures)):
        if isinstance(part, st.Settle | st.Unsee):
            small.discard(part.slot)
    return frozenset(small)


class Singles:
    """Writes what is done with rows that lie as one number."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: set[str] = set()
        """Variables that hold such rows, by their full names."""

    # -------------------------------------------------------------- which expressions

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables of a body hold such rows: those that are given nothing else."""
        writer = self.writer
        if not writer.home.singles and not writer.home.decks:
            return
        given = given_alone(body)
        left = {name for name in given if writer.prefix + name not in writer.variables}
        while True:
            found = False
            for name in sorted(left):
                laid = [self.single(each) for each in given[name]]
                if any(laid) and all(one or each == Known(()) for one, each in zip(laid, given[name], strict=True)):
                    self.names.add(writer.prefix + name)
                    left.discard(name)
                    found = True
            if not found:
                return

    def single(self, e: Flat) -> bool:
        """Whether an expression gives a row that lies as a number."""
        match e:
            case flat.Held():
                return e.slot in self.writer.home.singles
            case flat.Name():
                return self.writer.prefix + e.name in self.names
            case flat.Either():
                ways = (e.then, e.otherwise)
                return any(map(self.single, ways)) and all(self.single(each) or each == Known(()) for each in ways)
            case flat.LastOne():
                return self.writer.decking.whole(e.row) is not None or self.single(e.row)
            case flat.Sorted() | flat.Distinct() | flat.EachOnce() | flat.ButLast():
                return self.single(e.row)
            case _:
                return False

    # -------------------------------------------------------------- numbers

    def number(self, e: Flat) -> str:
        """A row of at most one number, as a number."""
        writer = self.writer
        match e:
            case Known(value=tuple() as row):
                first = row[0] if row else NONE
                assert isinstance(first, int)
                return str(first)
            case flat.Held() if e.slot in writer.home.singles:
                return writer.chosen_number(e.slot, e.member)
            case flat.Name() if self.single(e):
                return writer.load(writer.variable(e.name)[0])
            case flat.Either() if self.single(e):
                place = writer.room()

                def keep(part: Flat) -> None:
                    writer.store(self.number(part), place)

                writer.when(writer.t(e.truth), lambda: keep(e.then), lambda: keep(e.otherwise))
                return writer.load(place)
            case flat.LastOne() if (slot := writer.decking.whole(e.row)) is not None:
                return writer.decking.top(e.row, slot)
            case flat.LastOne() | flat.Sorted() | flat.Distinct() | flat.EachOnce() if self.single(e.row):
                return self.number(e.row)
            case flat.ButLast() if self.single(e.row):
                return str(NONE)
            case flat.Items(items=(item,)):
                return writer.n(item)
            case flat.Joined() if all(self.single(each) for each in (e.left, e.right)):
                left, right = self.number(e.left), self.number(e.right)
                return writer.op(f"select i1 {self.none(left)}, i64 {right}, i64 {left}")
            case _:
                made, place = writer.value(e), writer.room()
                writer.store(str(NONE), place)
                some = writer.op(f"icmp ne i64 {made.two}, 0")
                writer.when(some, lambda: writer.store(writer.load(made.one), place))
                return writer.load(place)

    def none(self, number: str) -> str:
        """Whether it is no number."""
        return self.writer.op(f"icmp eq i64 {number}, {NONE}")

    def some(self, number: str) -> str:
        """Whether it is one."""
        return self.writer.op(f"icmp ne i64 {number}, {NONE}")

    def counted(self, number: str) -> str:
        """How many there are."""
        return self.writer.op(f"zext i1 {self.some(number)} to i64")

    def has(self, number: str, item: str) -> str:
        """Whether it is this one."""
        same = self.writer.op(f"icmp eq i64 {number}, {item}")
        return self.writer.op(f"and i1 {same}, {self.some(number)}")

    def as_row(self, number: str) -> Val:
        """A row of it."""
        out = alloc(self.writer, "1")
        self.writer.store(number, out)
        return Val("row", out, self.counted(number))

    def each(self, s: st.Each) -> bool:
        """A loop through such a row, which has one lap or none; False if it goes through something else."""
        if not self.single(s.row):
            return False
        writer = self.writer
        number = self.number(s.row)
        lap, on = writer.fresh("lap"), writer.fresh("on")
        writer.split(self.some(number), lap, on)
        writer.label(lap)
        writer.keep(writer.variable(s.name), Val("number", number))
        writer.in_loop(on, on, s.body)
        if not writer.ended:
            writer.go(on)
        writer.label(on)
        return True
