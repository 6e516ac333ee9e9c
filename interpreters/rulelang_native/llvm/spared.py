"""Which kinds a bag can spare: without a piece of them, what is left of it divides into groups. All kinds at once.

A kind matters to one part of a bag alone (`scores.py`). So where two parts have no division, nothing helps; where one
has none, a kind of that part must help; where all have one, whatever leaves its own part divisible can go. Beside the
entry of each part lies what its own kinds do, as bits; it is worked out from the entries of the part with a piece less
when it is first asked for. Most bags are beyond help, and for whoever is in a hurry (`known`) that is said by a byte
for each entry, as these lie close together: that it is known, and how many parts fail, where a part of which no kind
helps counts as two.
"""

from __future__ import annotations

from functools import partial

from rulelang_native.llvm.bags import Packed, counted, there
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.divisions import Table
from rulelang_native.llvm.scores import (
    EACH,
    ENTRIES,
    HINT,
    KNOWN,
    NONE,
    OWN,
    PARTS,
    PLACES,
    SIZE,
    entries_of,
    hints_of,
    most_members,
    number_at,
    surely,
    usual,
)
from rulelang_native.llvm.support import function

MOST_KINDS = KNOWN
"""So many kinds have a bit of their own below the one that says that a word is known."""
UNSURE = -1
"""What is given where it must be asked kind by kind."""


def suits(layout: Packed) -> bool:
    """Whether it can be told of bags that lie so."""
    return layout.codes <= MOST_KINDS


def written(table: Table, layout: Packed, memory_at: int) -> str:
    """The function that gives a bit for each kind of a bag without one of which it divides, or UNSURE."""
    number = table.number

    def remembered(code: Code) -> tuple[str, str]:
        memory = code.op(f"load ptr, ptr {code.at('%S', memory_at, 1)}")
        return memory, code.load(code.at(memory, ENTRIES, 1))

    def spared(code: Code, *, hasty: bool = False) -> None:
        none, look, on, fill = (code.fresh(stem) for stem in ("none", "look", "on", "fill"))
        if hasty:
            more = code.fresh("more")
            code.split(code.op(f"call i1 @beyond{number}(ptr %S, i64 %bag)"), none, more, (2000, 1))
            code.label(more)
        memory, size = remembered(code)
        entries = entries_of(code, memory, "%bag")
        total, sure = surely(code, table, layout, "%bag", entries)
        failed = _failing(code, total)
        hopeless = code.op(f"icmp ugt i64 {failed}, 1")
        code.split(code.op(f"and i1 {sure}, {hopeless}"), none, look)
        code.label(none)
        code.end("ret i64 0")
        code.label(look)
        found, known = "0", sure
        for entry in entries:
            own = number_at(code, code.at(entry, size, 1))
            known = code.op(f"and i1 {known}, {code.op(f'icmp uge i64 {own}, {1 << KNOWN}')}")
            here = _failing(code, number_at(code, entry))
            alone = code.op(f"icmp eq i64 {failed}, {here}")
            found = code.op(f"or i64 {found}, {code.op(f'select i1 {alone}, i64 {own}, i64 0')}")
        code.split(known, on, fill, (2000, 1))
        code.label(fill)
        code.end(f"ret i64 {UNSURE if hasty else code.op(f'call i64 @spare{number}(ptr %S, i64 %bag)')}")
        code.label(on)
        code.end(f"ret i64 {code.op(f'and i64 {found}, {(1 << layout.codes) - 1}')}")

    def beyond(code: Code) -> None:
        """Whether a bag surely has no division, nor has one without any one of its pieces."""
        memory, total, bag = code.op(f"load ptr, ptr {code.at('%S', memory_at, 1)}"), "0", "%bag"
        for hint in hints_of(code, memory, "%bag"):
            byte = code.op(f"load i8, ptr {hint}")
            total = code.op(f"add nuw nsw i64 {total}, {code.op(f'zext i8 {byte} to i64')}")
        fails = code.op(f"icmp uge i64 {total}, {PARTS * HINT + 2}")
        few = code.op(f"icmp ule i64 {counted(code, '%bag', layout)}, {most_members(table)}")
        both = code.op(f"and i1 {fails}, {few}")
        code.end(f"ret i1 {code.op(f'and i1 {both}, {usual(code, layout, bag)}')}")

    def spare(code: Code) -> None:
        """Work out what is not known yet, to be found from then on."""
        code.op(f"call i64 @score{number}(ptr %S, i64 %bag)")
        memory, size = remembered(code)

        def unsure() -> None:
            code.end(f"ret i64 {UNSURE}")

        def look() -> None:
            code.when(code.op(f"icmp ne i64 {code.load('%S')}, 0"), unsure)

        look()
        _, sure = surely(code, table, layout, "%bag", entries_of(code, memory, "%bag"))
        code.when(sure, lambda: None, unsure)
        left, bits, hints = code.room(), code.room(), hints_of(code, memory, "%bag")
        for part, entry in enumerate(entries_of(code, memory, "%bag")):
            mask = code.load(code.at(memory, PLACES + EACH * part, 1))
            own = code.op(f"and i64 %bag, {code.load(code.at(memory, OWN + EACH * part, 1))}")
            code.store(there(code, own, layout), left)
            code.store(str(1 << KNOWN), bits)
            head, lap, on = (code.fresh(stem) for stem in ("head", "lap", "on"))
            code.label(head)
            now = code.load(left)
            code.split(code.op(f"icmp ne i64 {now}, 0"), lap, on)
            code.label(lap)
            rest = code.op(f"and i64 {now}, {code.op(f'sub i64 {now}, 1')}")
            code.store(rest, left)
            fewer = code.op(f"sub i64 {own}, {code.op(f'xor i64 {now}, {rest}')}")
            code.op(f"call i64 @score{number}(ptr %S, i64 {fewer})")
            look()
            begin = code.op(f"sub i64 {code.op(f'ptrtoint ptr {entry} to i64')}, {_bytes(code, own, mask)}")
            other = code.op(f"inttoptr i64 {code.op(f'add i64 {begin}, {_bytes(code, fewer, mask)}')} to ptr")
            word = number_at(code, other)
            code.when(code.op(f"icmp ult i64 {word}, {1 << KNOWN}"), unsure)
            lowest = code.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
            kind = code.op(f"udiv i64 {lowest}, {layout.bits}")
            divides = code.op(f"zext i1 {code.op(f'icmp eq i64 {_failing(code, word)}, 0')} to i64")
            more = code.op(f"shl i64 {divides}, {kind}")
            code.store(code.op(f"or i64 {code.load(bits)}, {more}"), bits)
            code.go(head)
            code.label(on)
            code.line(f"store i32 {code.op(f'trunc i64 {code.load(bits)} to i32')}, ptr {code.at(entry, size, 1)}")
            helped = code.op(f"icmp ne i64 {code.load(bits)}, {1 << KNOWN}")
            fails = code.op(f"icmp ne i64 {_failing(code, number_at(code, entry))}, 0")
            failing = code.op(f"select i1 {helped}, i8 {HINT + 1}, i8 {HINT + 2}")
            code.line(f"store i8 {code.op(f'select i1 {fails}, i8 {failing}, i8 {HINT}')}, ptr {hints[part]}")
        unsure()  # whoever asks next finds it

    hastily = partial(spared, hasty=True)
    return "\n".join(
        [
            function(f"define internal i1 @beyond{number}(ptr %S, i64 %bag) alwaysinline", beyond),
            function(f"define internal i64 @spared{number}(ptr %S, i64 %bag) alwaysinline", spared),
            function(f"define internal i64 @spared_known{number}(ptr %S, i64 %bag) alwaysinline", hastily),
            function(f"define internal i64 @spare{number}(ptr %S, i64 %bag) noinline", spare),
        ]
    )


def _failing(code: Code, word: str) -> str:
    """What an entry, or some added up, says of parts that have no division: one that no kind helps counts twice."""
    return code.op(f"and i64 {code.op(f'lshr i64 {word}, {NONE}')}, {(1 << SIZE - NONE) - 1}")


def _bytes(code: Code, bag: str, mask: str) -> str:
    """How far behind the first entry that of a bag lies."""
    return code.op(f"shl i64 {code.op(f'call i64 @extracted(i64 {bag}, i64 {mask})')}, 2")


assert PARTS < 1 << SIZE - NONE, "the parts that fail are counted where the next bit is free"
assert 2 * PARTS < HINT, "bytes of which one is not known add up to less"
