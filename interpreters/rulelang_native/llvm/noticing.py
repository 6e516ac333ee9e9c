"""What tells answers, and what is seen of them, apart: words that are keys of a search tree, and compared in lines.

An answer is written as its move (-1: a pass) and its values; a row is its length and its elements. So no two answers
are the same words, and none begins another. What a viewer notices of a step is a row of such: who answers, the move,
and of each value whether it is shown, and then itself.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rulelang.ir.nodes import Decide
from rulelang_native.llvm.code import Code, Val
from rulelang_native.llvm.steps import LOG, LOGGED
from rulelang_native.llvm.support import function

if TYPE_CHECKING:
    from rulelang_native.llvm.steps import StepPrinter

WORDS = 1 << 18
"""Words that a key has room for."""
NUMBER, ROW = 1, 2
"""How a value of a move is laid: 0 means that there is none."""
HIDDEN, SHOWN, BY_BITS = range(3)
"""Whether those are shown a value who did not answer: nobody, everybody, or whom bits behind the answer say."""


def noticing(printer: StepPrinter, shown: tuple[tuple[bool, ...], ...] | None) -> list[str]:
    """The functions that write keys; without what is noticed where it is not known what is shown."""
    return [_put(printer), *([] if shown is None else [_noticed(printer, shown)])]


def _most(printer: StepPrinter) -> int:
    """The most values that a move has."""
    return (printer.stride - 1) // 2


def is_row_table(printer: StepPrinter) -> Val:
    """How the values of moves are laid, so many for each move."""
    kinds = [
        (ROW if move.rows[place] else NUMBER) if place < len(move.rows) else 0
        for move in printer.module.around.moves
        for place in range(_most(printer))
    ]
    return printer.constants.row(tuple(kinds) or (0,))


def _say(code: Code, at: str, word: str) -> None:
    """One word more of a key; `at` holds how many there are."""
    count = code.load(at)
    code.store(word, code.at("%key", count))
    code.store(code.op(f"add i64 {count}, 1"), at)


def _say_value(code: Code, at: str, entry: str, place: int, kind: str) -> None:
    """A value of an answer; goes to `long` where there is no room."""
    where = code.at(entry, 1 + 2 * place)
    first, second = code.load(where), code.load(code.at(where, 1))

    def row() -> None:
        fits = code.op(f"icmp ult i64 {code.op(f'add i64 {code.load(at)}, {second}')}, {WORDS - 8}")
        code.when(fits, lambda: None, partial(code.go, "long"))
        _say(code, at, second)
        source = code.op(f"inttoptr i64 {first} to ptr")
        with code.loop(second) as (lap, _, _):
            _say(code, at, code.load(code.at(source, lap)))

    code.when(code.op(f"icmp eq i64 {kind}, {ROW}"), row, lambda: _say(code, at, first))


def _begin(code: Code, words: int) -> str:
    """Where it is kept how long the key is; there must be room for so many words."""
    at = code.room()
    code.store("%from", at)
    code.when(code.op(f"icmp ugt i64 %from, {WORDS - words - 8}"), partial(code.go, "long"))
    return at


def _close(code: Code, at: str) -> None:
    code.end(f"ret i64 {code.load(at)}")
    code.label("long")
    code.end("ret i64 -1")


def _put(printer: StepPrinter) -> str:
    """An answer as words, behind others: how many there are then, -1 if there is no room."""
    most = _most(printer)

    def write(code: Code) -> None:
        at = _begin(code, printer.stride)
        move = code.load("%answer")
        _say(code, at, move)
        passes, moved = code.op(f"icmp slt i64 {move}, 0"), code.fresh("moved")
        code.split(passes, "done", moved)
        code.label(moved)
        table = is_row_table(printer)
        for place in range(most):
            kind = code.load(code.at(table.one, code.op(f"add i64 {code.op(f'mul i64 {move}, {most}')}, {place}")))
            more = code.fresh("more")
            code.split(code.op(f"icmp eq i64 {kind}, 0"), "done", more)
            code.label(more)
            _say_value(code, at, "%answer", place, kind)
        code.label("done")
        _close(code, at)

    return function("define internal i64 @put(ptr %key, i64 %from, ptr %answer)", write)


def _noticed(printer: StepPrinter, shown: tuple[tuple[bool, ...], ...]) -> str:
    """What a viewer (any number that is no seat: a spectator) notices of the last step, behind other words: how many
    there are then, -1 if there is no room. `node` is where the answers were given.
    """
    program, most, stride = printer.game.program, _most(printer), printer.stride
    shows = [
        (SHOWN if shown[number][place] else BY_BITS if printer.shown_by[number][place] else HIDDEN)
        if place < len(move.parameters)
        else HIDDEN
        for number, move in enumerate(program.moves)
        for place in range(most)
    ]
    private = tuple(int(move.private) for move in program.moves)
    closed = [
        number
        for number, node in enumerate(program.nodes)
        if isinstance(node, Decide) and any(program.moves[move].private for move in node.moves)
    ]

    def write(code: Code) -> None:
        at = _begin(code, 0)
        kinds, tells = is_row_table(printer), printer.constants.row(tuple(shows) or (0,))
        secret = printer.constants.row(private or (0,))
        ways = " ".join(f"i64 {node}, label %closed" for node in closed)
        whether = code.room()
        code.store("0", whether)
        code.end(f"switch i64 %node, label %open [ {ways} ]")
        code.label("closed")
        code.store("1", whether)
        code.label("open")
        log = code.op(f"load ptr, ptr {code.at('%S', printer.waits + LOG, 1)}")
        seats = code.op(f"icmp ult i64 %viewer, {printer.seats}")
        with code.loop(code.load(code.at("%S", printer.waits + LOGGED, 1))) as (lap, next_lap, _):
            fits = code.op(f"icmp ult i64 {code.load(at)}, {WORDS - 2 * stride - 8}")
            code.when(fits, lambda: None, partial(code.go, "long"))
            entry = code.at(log, code.op(f"mul nuw nsw i64 {lap}, {printer.log_stride}"))
            mover, move = code.load(entry), code.load(code.at(entry, 1))
            own = code.op(f"and i1 {seats}, {code.op(f'icmp eq i64 {mover}, %viewer')}")
            passed, moved, says, tell = (code.fresh(stem) for stem in ("passed", "moved", "says", "tell"))
            code.split(code.op(f"icmp slt i64 {move}, 0"), passed, moved)
            code.label(passed)
            told = code.op(f"or i1 {own}, {code.op(f'icmp eq i64 {code.load(whether)}, 0')}")
            code.split(told, says, next_lap)
            code.label(says)
            _say(code, at, mover)
            _say(code, at, "-1")
            code.go(next_lap)
            code.label(moved)
            kept = code.op(f"icmp eq i64 {code.load(code.at(secret.one, move))}, 0")
            code.split(code.op(f"or i1 {own}, {kept}"), tell, next_lap)
            code.label(tell)
            _say(code, at, mover)
            _say(code, at, move)
            for place in range(most):
                number = code.op(f"add i64 {code.op(f'mul i64 {move}, {most}')}, {place}")
                kind, tells_it = code.load(code.at(kinds.one, number)), code.load(code.at(tells.one, number))
                more, see, hide, behind = (code.fresh(stem) for stem in ("more", "see", "hide", "behind"))
                code.split(code.op(f"icmp eq i64 {kind}, 0"), next_lap, more)
                code.label(more)
                bits = code.load(code.at(entry, 1 + stride + place))
                mask = code.op(f"select i1 {seats}, i64 %viewer, i64 0")
                bit = code.op(f"trunc i64 {code.op(f'lshr i64 {bits}, {mask}')} to i1")
                by_bits = code.op(f"and i1 {bit}, {seats}")
                by_bits = code.op(f"and i1 {by_bits}, {code.op(f'icmp eq i64 {tells_it}, {BY_BITS}')}")
                every = code.op(f"icmp eq i64 {tells_it}, {SHOWN}")
                code.split(code.op(f"or i1 {own}, {code.op(f'or i1 {every}, {by_bits}')}"), see, hide)
                code.label(hide)
                _say(code, at, "0")
                code.go(behind)
                code.label(see)
                _say(code, at, "1")
                _say_value(code, at, code.at(entry, 1), place, kind)
                code.label(behind)
        _close(code, at)

    return function("define internal i64 @noticed(ptr %S, i64 %viewer, i64 %node, ptr %key, i64 %from)", write)
