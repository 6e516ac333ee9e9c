"""Answers as they usually are, so that the next one can be chosen before it is sure which answers there are.

A processor goes on where it thinks that a branch will go, and looks later whether that was right. A number, on the
other hand, it must have: how many answers there are, and which is the k-th of them, come from what lies on the table,
and so from all that was done before. Where answers are mostly the same ones, it is asked *whether* they are. What is
drawn depends on nothing but chance then, and one turn overlaps with the next. There are two kinds.

- *All there are.* Every move that is asked for has several values of a known row, and all of them are answers.
- *A product.* One move is answered with a kind of a bag and something else, each kind with the same (`kinds.py`), and
  no other move is an answer. Of a number drawn below a product, the part of the first factor is what the same draw
  gives below that factor alone, and the other part comes from what is left over: the set of all answers is never laid
  out.

Whatever is not so is asked as before. Results are the same either way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rulelang_native.flat import expressions as flat
from rulelang_native.flat.program import Function
from rulelang_native.llvm.code import Val
from rulelang_native.llvm.functions import FactorWriter, HastySetWriter
from rulelang_native.llvm.listings import Ranged
from rulelang_native.llvm.planes import offered
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.games import GameWriter
    from rulelang_native.llvm.programs import Printer
    from rulelang_native.runtime.module import Decision

MOST: Final = 16
"""Values of a move that are all there rather often."""


def whole(function: Function) -> int:
    """All answers of a move as a set, if they are some of a few known ones; else 0."""
    values = offered(function)
    if values is None or not 1 < len(values) <= MOST or values[-1] >= 64:
        return 0
    return sum(1 << value for value in values)


def factors(printer: Printer, move: int) -> str | None:
    """The function that gives the answers of a move as two factors; None if they are no product."""
    each = printer.functions[f"list{move}"]
    known: Ranged | None = printer.ranged.get(move)
    if known is None or len(known.loops) < 2:
        return None
    writer = FactorWriter(printer, each, printer.shapes.variables(f"function {each.name}"), printer.sets[move], known)
    return writer.text() if writer.suits else None


def hasty(printer: Printer, move: int) -> str | None:
    """The function that gives the answers of a move as a set if that is known at once; None if it always is."""
    each = printer.functions[f"list{move}"]
    if move in printer.ranged or not any(isinstance(part, flat.Divided) for part in parts(each)):
        return None
    kinds = printer.shapes.variables(f"function {each.name}")
    return HastySetWriter(printer, each, kinds, printer.sets[move]).text()


def ask(writer: GameWriter, decision: Decision, seat: str, behind: str) -> None:
    """If answers are as they usually are, one is chosen and takes effect; what is written next is for all others."""
    printer = writer.printer
    moves = [move for move in decision.moves if move not in printer.never]
    if not moves or decision.may_pass or printer.by_comparing or printer.flat.metered:
        return
    if not set(moves) <= printer.sets.keys():
        return
    sets = [whole(printer.functions[f"list{move}"]) for move in moves]
    if all(sets):
        _all(writer, decision, seat, behind, moves, sets)
        return
    products = [move for move in moves if printer.factored(move)]
    if len(products) == 1 and all(printer.sets[move] == 64 for move in moves if move not in products):
        _product(writer, decision, seat, behind, moves, products[0])


def _all(writer: GameWriter, decision: Decision, seat: str, behind: str, moves: list[int], sets: list[int]) -> None:
    printer, usual, total = writer.printer, "true", 0
    known: list[tuple[int, str, str, str]] = []
    for move, there in zip(moves, sets, strict=True):
        bits, count = printer.sets[move], there.bit_count()
        found = writer.op(f"call i{bits} @set{move}(ptr %S{printer.shares}, i64 {seat})")
        if printer.can_fail(f"list{move}"):
            writer.look()
        usual = writer.op(f"and i1 {usual}, {writer.op(f'icmp eq i{bits} {found}, {there}')}")
        known.append((move, str(there), str(total), str(count)))
        total += count

    def choose() -> None:
        place = writer.drawn_by(seat, str(total))
        writer.decided(decision, seat)
        writer.take_of_sets(decision, seat, behind, known, place)

    _if_usual(writer, usual, choose)


def _product(writer: GameWriter, decision: Decision, seat: str, behind: str, moves: list[int], move: int) -> None:
    printer, others = writer.printer, "0"
    # first, as it looks at divisions in any case: so LLVM sees what others look up again
    both = writer.op(f"call {{ i64, i64, i1 }} @factors{move}(ptr %S{printer.shares}, i64 {seat})")
    if printer.can_fail(f"list{move}"):
        writer.look()
    for other in moves:
        if other != move:
            name = "hasty" if printer.hasty_set(other) else "set"
            found = writer.op(f"call i64 @{name}{other}(ptr %S{printer.shares}, i64 {seat})")
            if printer.can_fail(f"list{other}"):
                writer.look()
            others = writer.op(f"or i64 {others}, {found}")
    one, two, alone = (writer.op(f"extractvalue {{ i64, i64, i1 }} {both}, {place}") for place in range(3))
    counts = [writer.op(f"call i64 @llvm.ctpop.i64(i64 {each})") for each in (one, two)]
    usual = writer.op(f"and i1 {alone}, {writer.op(f'icmp eq i64 {others}, 0')}")
    for count in counts:
        usual = writer.op(f"and i1 {usual}, {writer.op(f'icmp ne i64 {count}, 0')}")

    def choose() -> None:
        drawn = writer.op(f"call {{ i64, i64 }} @pair(ptr {writer.stream(seat)}, i64 {counts[0]}, i64 {counts[1]})")
        first, second = (writer.op(f"extractvalue {{ i64, i64 }} {drawn}, {place}") for place in range(2))
        writer.decided(decision, seat)
        kind = writer.op(f"call i64 @kth64(i64 {one}, i64 {first})")
        rest = writer.op(f"call i64 @kth64(i64 {two}, i64 {second})")
        values = writer.values_of(move, rest, inner=True)
        writer.effect(move, [Val("number", seat), Val("number", kind), *values], behind, paid=False)

    _if_usual(writer, usual, choose)


def _if_usual(writer: GameWriter, usual: str, choose: Callable[[], None]) -> None:
    yes, other = writer.fresh("usual"), writer.fresh("other")
    writer.split(usual, yes, other, (2000, 1))
    writer.label(yes)
    choose()
    writer.label(other)
