"""A changed line played on by LLVM: every step, and what a viewer is shown at each, compared with what was shown.

What `rulelang.play.resample_chain` does again and again: one event of a line is another, and everything after it is
played as it was, for as long as it is possible and the viewer could not tell the difference.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rulelang_native.llvm.code import Code
from rulelang_native.llvm.noticing import ROW as LAID_AS_ROW
from rulelang_native.llvm.noticing import is_row_table
from rulelang_native.llvm.steps import ASKED, CHANCE, NODE, SEALED, SEAT, UP, URN, WAITS, copied
from rulelang_native.llvm.support import BASE, FAILED, GAVE_UP, TOP, alloc, copy, field, function

if TYPE_CHECKING:
    from rulelang_native.llvm.growing import SearchPrinter

OUTCOME, ANSWERS = range(2)
E_KIND, E_WHERE, E_COUNT, E_WORDS = 0, 1, 2, 3
"""Words of an event: what it is, where it lies (an outcome: what it is), and how many answers it has."""
X_VIEW, X_VIEWED, X_NOTICED, X_COUNT, X_WORDS = 0, 1, 2, 3, 4
"""Words about what was shown: where the words of the view lie and how many they are, and of what was noticed."""
W_TIMES, W_OF, W_WORDS = 0, 1, 2
"""Words of a weight: how many of all outcomes were the one that came, and how many there were."""

FITS, DIFFERS, UNKNOWN, SMALL, NOTHING_NEW = range(5)
"""How it went: the whole line fits; it does not; that cannot be told here; there is no room for the states;
it fits, and nothing new is shown."""


def replay(printer: SearchPrinter) -> str:
    """The function that plays a line on from a saved state. The states it comes to are put down one behind the other:
    how many bytes of rows each has, the state, its rows.
    """

    def write(code: Code) -> None:
        _begin(code)
        filled = code.room()
        code.store("0", filled)
        with code.loop("%count") as (at, _, _):
            event = code.at("%events", code.op(f"mul nuw nsw i64 {at}, {E_WORDS}"))
            weight = code.at("%weights", code.op(f"mul nuw nsw i64 {at}, {W_WORDS}"))
            node = _play(code, printer, event, weight)
            shown = code.at("%shown", code.op(f"mul nuw nsw i64 {at}, {X_WORDS}"))
            noticed, viewed = _look(code, node)
            for words, count, place in (("%key", noticed, X_NOTICED), ("%seen", viewed, X_VIEW)):
                code.when(_same(code, words, count, code.at(shown, place)), lambda: None, partial(code.go, "differs"))
            where = code.load(filled)
            code.store(_keep(code, printer, where), filled)
        code.end(f"ret i64 {FITS}")
        _ends(code)

    header = (
        "define i64 @replay(ptr %S, ptr %saved, i64 %size, ptr %arena, ptr %rows, i64 %used, i64 %viewer, ptr %events, "
        "ptr %shown, i64 %count, ptr %offers, ptr %given, ptr %seen, i64 %most, ptr %key, ptr %weights, ptr %out, "
        "i64 %room)"
    )
    return function(header, write)


def _put_down(code: Code, printer: SearchPrinter, said: str, count: str) -> None:
    """The answers of an event are given, if all are legal. What they hold of rows lies with the other rows."""
    stride = printer.stride
    most = (stride - 1) // 2
    kinds = is_row_table(printer)
    with code.loop(count) as (at, next_lap, _):
        place = code.op(f"mul nuw nsw i64 {at}, {stride + 1}")
        source, given = code.at(said, place), code.at("%given", place)
        copied(code, source, given, stride + 1)
        move, moved, check = code.load(code.at(given, 1)), code.fresh("moved"), code.fresh("check")
        code.split(code.op(f"icmp slt i64 {move}, 0"), check, moved)
        code.label(moved)
        for number in range(most):
            kind = code.load(code.at(kinds.one, code.op(f"add i64 {code.op(f'mul i64 {move}, {most}')}, {number}")))

            def laid(number: int = number, given: str = given) -> None:
                where = code.at(given, 2 + 2 * number)
                row = code.load_row(where)
                new = alloc(code, row.two)
                copy(code, new, row.one, row.two)
                code.line(f"store ptr {new}, ptr {where}")

            code.when(code.op(f"icmp eq i64 {kind}, {LAID_AS_ROW}"), laid)
        code.label(check)
        top = code.load(field(code, TOP))
        full = code.op(f"icmp ne i64 {code.load(field(code, FAILED))}, 0")
        code.when(full, partial(code.go, "unknown"))
        seat = code.load(given)
        legal = code.op(f"call i64 @legal(ptr %S, i64 {seat}, ptr {code.at(given, 1)}, ptr %offers)")
        gave_up = code.op(f"icmp ne i64 {code.load(field(code, FAILED))}, 0")
        code.when(code.op(f"or i1 {gave_up}, {code.op(f'icmp slt i64 {legal}, 0')}"), partial(code.go, "unknown"))
        code.store(top, field(code, TOP))  # what was listed is needed no more
        code.split(code.op(f"icmp ne i64 {legal}, 0"), next_lap, "differs")


def _look(code: Code, node: str) -> tuple[str, str]:
    """What the viewer is shown now: how many words of what is noticed there are, and of the view."""
    noticed = code.op(f"call i64 @noticed(ptr %S, i64 %viewer, i64 {node}, ptr %key, i64 0)")
    code.when(code.op(f"icmp slt i64 {noticed}, 0"), partial(code.go, "unknown"))
    viewed = code.op("call i64 @view(ptr %S, i64 %viewer, ptr %seen, i64 %most)")
    code.when(code.op(f"icmp slt i64 {viewed}, 0"), partial(code.go, "unknown"))
    code.when(code.op(f"icmp ne i64 {code.load(field(code, FAILED))}, 0"), partial(code.go, "unknown"))
    return noticed, viewed


def _same(code: Code, words: str, count: str, other: str) -> str:
    """Whether so many words are those that lie elsewhere."""
    row = code.load_row(other)
    return code.op(f"call i1 @same(ptr {words}, i64 {count}, ptr {row.one}, i64 {row.two})")


def attempt(printer: SearchPrinter) -> str:
    """The function that plays one event from a saved state: whether the viewer is shown nothing new then, or what comes
    next. The state is put down in both cases.
    """

    def write(code: Code) -> None:
        _begin(code)
        weight = code.room(f"[{W_WORDS} x i64]")
        node = _play(code, printer, "%events", weight)
        noticed, viewed = _look(code, node)
        quiet, on, new = code.fresh("quiet"), code.fresh("on"), code.fresh("new")
        code.split(code.op(f"icmp eq i64 {noticed}, 0"), quiet, new)
        code.label(quiet)
        code.split(_same(code, "%seen", viewed, code.at("%shown", X_VIEW)), on, new)
        code.label(on)
        _keep(code, printer, "0")
        code.end(f"ret i64 {NOTHING_NEW}")
        code.label(new)
        for words, count, place in (("%key", noticed, X_NOTICED), ("%seen", viewed, X_VIEW)):
            same = _same(code, words, count, code.at("%shown", X_WORDS + place))
            code.when(same, lambda: None, partial(code.go, "differs"))
        _keep(code, printer, "0")
        code.end(f"ret i64 {FITS}")
        _ends(code)

    header = (
        "define i64 @attempt(ptr %S, ptr %saved, i64 %size, ptr %arena, ptr %rows, i64 %used, i64 %viewer, "
        "ptr %events, ptr %shown, ptr %offers, ptr %given, ptr %seen, i64 %most, ptr %key, ptr %out, i64 %room)"
    )
    return function(header, write)


# ------------------------------------------------------------------ parts of both


def _begin(code: Code) -> None:
    code.line("call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %saved, i64 %size, i1 false)")
    code.line("call void @llvm.memcpy.p0.p0.i64(ptr %arena, ptr %rows, i64 %used, i1 false)")


def _ends(code: Code) -> None:
    for label, status in (("differs", DIFFERS), ("unknown", UNKNOWN), ("small", SMALL)):
        code.label(label)
        code.end(f"ret i64 {status}")


def _play(code: Code, printer: SearchPrinter, event: str, weight: str) -> str:
    """Play one event: the node where the game waited. An outcome's weight is written down."""

    def there(offset: int) -> str:
        return code.at("%S", printer.waits + offset, 1)

    node = code.load(there(NODE))
    waits = code.load(there(WAITS))
    outcome, answers, on = code.fresh("outcome"), code.fresh("answers"), code.fresh("given")
    code.split(code.op(f"icmp eq i64 {code.load(event)}, {OUTCOME}"), outcome, answers)

    code.label(outcome)
    unknown_if(code, code.op(f"icmp ne i64 {waits}, {CHANCE}"))
    urn, value = code.load_row(there(URN)), code.load(code.at(event, E_WHERE))
    times = code.op(f"call i64 @times(ptr {urn.one}, i64 {urn.two}, i64 {value})")
    differs_if(code, code.op(f"icmp eq i64 {times}, 0"))
    code.store(times, code.at(weight, W_TIMES))
    code.store(urn.two, code.at(weight, W_OF))
    code.store(value, "%given")
    code.go(on)

    code.label(answers)
    asks = [code.op(f"icmp eq i64 {waits}, {kind}") for kind in (SEAT, SEALED)]
    code.when(code.op(f"or i1 {asks[0]}, {asks[1]}"), lambda: None, partial(code.go, "unknown"))
    asked, count = code.load_row(there(ASKED)), code.load(code.at(event, E_COUNT))
    unknown_if(code, code.op(f"icmp ne i64 {asked.two}, {count}"))
    said = code.op(f"inttoptr i64 {code.load(code.at(event, E_WHERE))} to ptr")
    _put_down(code, printer, said, count)
    code.go(on)

    code.label(on)
    code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
    failed, fine = code.fresh("failed"), code.fresh("fine")
    code.split(code.op(f"icmp eq i64 {code.load(there(WAITS))}, {UP}"), failed, fine)
    code.label(failed)
    why = code.load(field(code, FAILED))
    unknown_if(code, code.op(f"icmp ugt i64 {why}, {GAVE_UP}"))
    code.go("differs")
    code.label(fine)
    return node


def unknown_if(code: Code, truth: str) -> None:
    code.when(truth, partial(code.go, "unknown"))


def differs_if(code: Code, truth: str) -> None:
    code.when(truth, partial(code.go, "differs"))


def _keep(code: Code, printer: SearchPrinter, where: str) -> str:
    """The state is put down behind others: where the next one can be."""
    size = printer.places.size
    code.line("call void @compact(ptr %S)")
    base = code.op(f"load ptr, ptr {field(code, BASE)}")
    top = code.op(f"load ptr, ptr {field(code, TOP)}")
    used = code.op(f"sub i64 {code.op(f'ptrtoint ptr {top} to i64')}, {code.op(f'ptrtoint ptr {base} to i64')}")
    after = code.op(f"add i64 {where}, {code.op(f'add i64 {used}, {size + 8}')}")
    code.when(code.op(f"icmp ugt i64 {after}, %room"), partial(code.go, "small"))
    blob = code.at("%out", where, 1)
    code.store(used, blob)
    code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {code.at(blob, 8, 1)}, ptr %S, i64 {size}, i1 false)")
    rows = code.at(blob, size + 8, 1)
    code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {rows}, ptr {base}, i64 {used}, i1 false)")
    return after
