"""What the rules advise automatic players to do (Spec 15.1), in compiled games: one function for each wait.

It is given the answers of a seat as a listing lays them down, and gives the place of the advised one, or -1. Lines of
advice are gone through in their order; of the answers that one fits, the first of those that rank highest is advised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from rulelang import limits
from rulelang_native.llvm.code import ROW, Val
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.support import GAVE_UP, TOP, field, give_up

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer
    from rulelang_native.runtime.module import Decision

NONE: Final = -1
"""The place of an answer that is not there; and what stands for a pass where a move does."""


@attrs.frozen
class Advice:
    """Who follows the advice of a program, and which of its lines can speak of the answers at a wait."""

    seats: tuple[bool, ...]
    """For all who decide something."""
    moves: tuple[int | None, ...]
    """Of each line, the move that it is about; None: to pass."""

    def lines(self, decision: Decision) -> list[int]:
        """The lines that can fit an answer."""
        if True not in self.seats:
            return []
        return [
            number
            for number, move in enumerate(self.moves)
            if (decision.may_pass if move is None else move in decision.moves)
        ]

    @property
    def bits(self) -> int:
        """Who follows it, as bits."""
        return sum(1 << seat for seat, follows in enumerate(self.seats) if follows)


def written(printer: Printer) -> list[str]:
    """The functions of all waits."""
    decisions = sorted(printer.module.decisions.items())
    return [_Advised(printer, each).text() for _, each in decisions if printer.advice.lines(each)]


class _Advised(Statements):
    """Writes the function of one wait."""

    def __init__(self, printer: Printer, decision: Decision) -> None:
        header = f"define internal i64 @advised{decision.node}(ptr %S{printer.shares}, i64 %seat, ptr %out, i64 %n)"
        super().__init__(header, printer, None, {})
        self.printer = printer
        self.work, self.chosen = self.room(), self.room()
        self.store("0", self.work)
        for number in printer.advice.lines(decision):
            self.advise(number)
        self.end(f"ret i64 {NONE}")

    def leave(self) -> None:
        self.end(f"ret i64 {NONE}")

    def advise(self, number: int) -> None:
        """What one line advises, if it fits any answer."""
        printer = self.printer
        preference, name = printer.game.program.preferences[number], f"preference{number}"
        move = NONE if preference.move is None else preference.move
        size = 1 + len(preference.ranks)
        most = self.room(f"[{size} x i64]")
        self.look_at_cost(move, printer.module.advice_costs[number])
        self.store(str(NONE), self.chosen)
        top = self.op(f"load ptr, ptr {field(self, TOP)}")
        with self.loop("%n") as (at, next_lap, _):
            self.line(f"store ptr {top}, ptr {field(self, TOP)}")  # the ranks of the lap before are needed no more
            entry = self.at("%out", self.op(f"mul nuw nsw i64 {at}, {printer.stride}"))
            about = self.fresh("about")
            self.split(self.op(f"icmp eq i64 {self.load(entry)}, {move}"), about, next_lap)
            self.label(about)
            arguments = [Val("number", "%seat")]
            if preference.move is not None:
                for place in range(len(printer.module.around.moves[preference.move].rows)):
                    kind = printer.shapes.parameter(name, 1 + place)
                    arguments.append(self.get(self.at(entry, 1 + 2 * place), kind))
            given = f"ptr %S{printer.shares}{self.given(tuple(arguments))}"
            ranks = self.unpacked(self.op(f"call {ROW} @{name}({given})"), "row")
            self.look()  # also where there was no room for them
            fits, better = self.fresh("fits"), self.fresh("better")
            self.split(self.op(f"icmp eq i64 {ranks.two}, {size}"), fits, next_lap)
            self.label(fits)
            self.split(self.ranks_higher(ranks, most, size), better, next_lap)
            self.label(better)
            self.store(at, self.chosen)
            for place in range(size):
                self.store(self.load(self.at(ranks.one, place)), self.at(most, place))
        found, on = self.fresh("found"), self.fresh("on")
        best = self.load(self.chosen)
        self.split(self.op(f"icmp sge i64 {best}, 0"), found, on)
        self.label(found)
        self.end(f"ret i64 {best}")
        self.label(on)

    def look_at_cost(self, move: int, cost: int) -> None:
        """Give up what would be too much work, as it is counted before the line is looked at."""
        fitting = self.room()
        self.store("0", fitting)
        with self.loop("%n") as (at, _, _):
            entry = self.at("%out", self.op(f"mul nuw nsw i64 {at}, {self.printer.stride}"))
            same = self.op(f"zext i1 {self.op(f'icmp eq i64 {self.load(entry)}, {move}')} to i64")
            self.store(self.op(f"add i64 {self.load(fitting)}, {same}"), fitting)
        more = self.op(f"mul i64 {self.load(fitting)}, {cost}")
        spent = self.op(f"add i64 {self.load(self.work)}, {more}")
        self.store(spent, self.work)

        def too_much() -> None:
            give_up(self, GAVE_UP)
            self.leave()

        self.when(self.op(f"icmp sgt i64 {spent}, {limits.EVENT_COST}"), too_much)

    def ranks_higher(self, ranks: Val, most: str, size: int) -> str:
        """Whether these ranks are the first ones, or higher than those of the best answer up to now."""
        higher = "false"
        for place in reversed(range(size)):
            mine, theirs = self.load(self.at(ranks.one, place)), self.load(self.at(most, place))
            above, same = self.op(f"icmp sgt i64 {mine}, {theirs}"), self.op(f"icmp eq i64 {mine}, {theirs}")
            higher = self.op(f"or i1 {above}, {self.op(f'and i1 {same}, {higher}')}")
        return self.op(f"or i1 {higher}, {self.op(f'icmp slt i64 {self.load(self.chosen)}, 0')}")
