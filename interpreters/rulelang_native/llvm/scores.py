"""What the best division of a bag is worth, where nothing else is asked of it and the bag lies as counts.

Kinds of which no group holds two together do not matter to one another: the best division of a bag is made of those of
its parts, each of kinds that hang together, and is worth what those are worth together (a part that has no division
leaves none for the whole). Which kinds hang together is seen from the table of groups before play. There are few such
parts, so that what each is worth lies in a table by its counts, and is found with one look. What is not there yet is
worked out by `divisions.py`, part by part, and written there.

An entry has 32 bits: that it is known, that there is none, how many members the part has, what it is worth.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial

from rulelang import limits
from rulelang_native.llvm.bags import Packed, counted, signed
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.divisions import CODES, MEMORY, NOTHING, UNKNOWN, Table, Writing
from rulelang_native.llvm.fixed import HEAD as HEAD
from rulelang_native.llvm.fixed import PARTS as PARTS
from rulelang_native.llvm.support import function

ENTRIES, PLACES, OWN, BEGIN, HINTS = (MEMORY + 8 * word for word in (1, 2, 3, 4, 5))
"""Where the size is told, and of the first part the bits of its place, those of its kinds, its entries, and the bytes
that `spared.py` has for each. Those of the others come behind, so many bytes further for each."""
EACH = 8 * 4
MOST_BITS = 20
"""Bits that tell the place of an entry."""
KNOWN, SIZE, NONE = 31, 23, 18
"""Where in an entry these lie; below them lies the worth, of which the sum of all parts has room there. No more members
than are divided at all (`limits.DIVIDED`) have an entry, so that those of all parts but one have room, too."""
WORTH = 1 << NONE - 2
"""Worths below this are written down."""
HINT = 16
"""A byte of an entry that is known, of a part that has a division; those of parts that fail are one or two more."""
MOST = 255
"""Pieces that there can be, so that their number has room."""


def suits(table: Table, layout: Packed) -> bool:
    """Whether bags that lie so can be asked for by such a table."""
    inside = table.division.low <= layout.low and layout.low + layout.codes - 1 <= table.division.high
    return inside and sum(layout.most) <= MOST and layout.bits < table.bits and layout.codes * layout.bits < 64


def parts_of(table: Table, layout: Packed, groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """The kinds that hang together, as places in a bag, at most as many lots as there is room for."""
    lots = [[code] for code in range(layout.codes)]
    of = list(range(layout.codes))
    for group in groups:
        inside = [member - layout.low for member in group]
        if any(not 0 <= code < layout.codes for code in inside):
            continue  # no bag has such a group inside
        for code in inside[1:]:
            one, other = of[inside[0]], of[code]
            if one != other:
                lots[one] += lots[other]
                for each in lots[other]:
                    of[each] = one
                lots[other] = []
    found = [sorted(lot) for lot in lots if lot]
    while len(found) > PARTS:
        found.sort(key=lambda lot: (-_bits(layout, lot), lot))
        last = found.pop()
        found[-1] = sorted(found[-1] + last)
    return sorted(found)


def _bits(layout: Packed, lot: list[int]) -> int:
    return sum(layout.most[code].bit_length() for code in lot)


def groups_of(table: Table, laid: bytes) -> list[tuple[int, ...]]:
    """The groups that a table of a division has, given its bytes."""
    words = array("q")
    words.frombytes(laid[: len(laid) // 8 * 8])
    found = []
    for number in range(words[table.codes]):
        at = CODES + 2 + number * table.width
        found.append(tuple(words[at + 4 : at + 4 + words[at + 3]]))
    return found


def tail(table: Table, layout: Packed | None, laid: bytes) -> bytes:
    """What lies behind a table of a division: the head of the entries, and how many bytes these take."""
    words, size = head(table, layout, laid) if layout is not None else (array("q", bytes(HEAD)), 0)
    return words.tobytes() + array("q", (size,)).tobytes()


def head(table: Table, layout: Packed, laid: bytes) -> tuple[array[int], int]:
    """What stands before the entries, and how many bytes these take."""
    lots = parts_of(table, layout, groups_of(table, laid))
    words = array("q", bytes(HEAD))
    if any(_bits(layout, lot) > MOST_BITS for lot in lots):
        for part in range(PARTS):
            words[4 + 4 * part], words[5 + 4 * part] = MEMORY + HEAD, MEMORY + HEAD + 8
        words[1] = 4
        return words, 2 * words[1] + 1
    words[0], at = 1, MEMORY + HEAD
    for part in range(PARTS):
        lot = lots[part] if part < len(lots) else []
        field = (1 << layout.bits) - 1
        for code in lot:
            words[2 + 4 * part] |= ((1 << layout.most[code].bit_length()) - 1) << code * layout.bits
            words[3 + 4 * part] |= field << code * layout.bits
        words[4 + 4 * part] = at
        at += 4 << _bits(layout, lot)
    words[1] = at - MEMORY - HEAD
    for part in range(PARTS):
        words[5 + 4 * part] = MEMORY + HEAD + 2 * words[1] + (words[4 + 4 * part] - MEMORY - HEAD) // 4
    return words, 2 * words[1] + words[1] // 4


def entries_of(code: Code, memory: str, bag: str) -> list[str]:
    """Where the entry of each part of a bag lies."""
    found = []
    for part in range(PARTS):
        mask = code.load(code.at(memory, PLACES + EACH * part, 1))
        base = code.at(memory, code.load(code.at(memory, BEGIN + EACH * part, 1)), 1)
        place = code.op(f"call i64 @extracted(i64 {bag}, i64 {mask})")
        found.append(code.op(f"getelementptr i32, ptr {base}, i64 {place}"))
    return found


def hints_of(code: Code, memory: str, bag: str) -> list[str]:
    """Where the byte of each of them lies."""
    found = []
    for part in range(PARTS):
        place = code.op(f"call i64 @extracted(i64 {bag}, i64 {code.load(code.at(memory, PLACES + EACH * part, 1))})")
        base = code.at(memory, code.load(code.at(memory, HINTS + EACH * part, 1)), 1)
        found.append(code.at(base, place, 1))
    return found


def most_members(table: Table) -> int:
    """A bag of no more is not too much for dividing it."""
    return min(table.safe, limits.DIVIDED, MOST)


def usual(code: Code, layout: Packed, bag: str) -> str:
    """Whether a bag has no more of each kind than what tells its places has room for."""
    return code.op(f"icmp eq i64 {code.op(f'and i64 {bag}, {signed(~layout.used % (1 << 64))}')}, 0")


def number_at(code: Code, entry: str) -> str:
    """An entry as a number."""
    return code.op(f"zext i32 {code.op(f'load i32, ptr {entry}')} to i64")


def surely(code: Code, table: Table, layout: Packed, bag: str, entries: Sequence[str]) -> tuple[str, str]:
    """All entries of a bag added up, and whether they surely say what it is worth."""
    total = number_at(code, entries[0])
    for entry in entries[1:]:
        total = code.op(f"add nuw nsw i64 {total}, {number_at(code, entry)}")
    over = code.op(f"sub i64 {total}, {PARTS << KNOWN}")  # all are known if it is not less, and those above are members
    small = code.op(f"icmp ult i64 {over}, {most_members(table) + 1 << SIZE}")
    return total, code.op(f"and i1 {small}, {usual(code, layout, bag)}")


def written(table: Table, layout: Packed, memory_at: int, *, hinted: bool = False) -> str:
    """The functions that say what the best division of a bag is worth, NOTHING if there is none. What is `known` of it
    changes nothing, so that LLVM sees when the same is looked up twice.
    ``hinted``: `spared.py` has a byte for each entry."""
    number = table.number

    def remembered(code: Code) -> str:
        return code.op(f"load ptr, ptr {code.at('%S', memory_at, 1)}")

    def score(code: Code, *, hasty: bool = False) -> None:
        if hasty and hinted:
            beyond, look = code.fresh("beyond"), code.fresh("look")
            code.split(code.op(f"call i1 @beyond{number}(ptr %S, i64 %bag)"), beyond, look, (2000, 1))
            code.label(beyond)
            code.end(f"ret i64 {NOTHING}")
            code.label(look)
        total, sure = surely(code, table, layout, "%bag", entries_of(code, remembered(code), "%bag"))
        here, other = code.fresh("here"), code.fresh("other")
        code.split(sure, here, other, (2000, 1))
        code.label(other)
        code.end(f"ret i64 {UNKNOWN if hasty else code.op(f'call i64 @scored{number}(ptr %S, i64 %bag)')}")
        code.label(here)
        none = code.op(f"icmp ne i64 {code.op(f'and i64 {total}, {((1 << SIZE - NONE) - 1) << NONE}')}, 0")
        worth = code.op(f"and i64 {total}, {(1 << NONE) - 1}")
        code.end(f"ret i64 {code.op(f'select i1 {none}, i64 {NOTHING}, i64 {worth}')}")

    writing = Writing(table, memory_at)

    def packed(code: Code, bag: str) -> str:
        """The bag as `divisions.py` packs it."""
        found = code.room(writing.word)
        writing.pack(code, "0", found)
        with code.loop(str(layout.codes)) as (at, _, _):
            shift = code.op(f"mul nuw nsw i64 {at}, {layout.bits}")
            field = code.op(f"and i64 {code.op(f'lshr i64 {bag}, {shift}')}, {(1 << layout.bits) - 1}")
            off = code.op(f"add i64 {at}, {layout.low - table.division.low}")
            to = writing.large(code, code.op(f"mul i64 {off}, {writing.bits}"))
            more = code.op(f"shl {writing.word} {writing.large(code, field)}, {to}")
            writing.pack(code, code.op(f"or {writing.word} {writing.packed(code, found)}, {more}"), found)
        return writing.packed(code, found)

    def scored(code: Code) -> None:
        """What is not known yet is worked out, and written down if it has room."""

        def too_much() -> None:
            writing.too_much(code)
            code.end(f"ret i64 {NOTHING}")

        count = counted(code, "%bag", layout)
        code.when(code.op(f"icmp sgt i64 {count}, {limits.DIVIDED}"), too_much)
        whole = packed(code, "%bag")
        code.when(code.op(f"icmp sgt i64 {count}, {table.safe}"), lambda: writing.check(code, whole, too_much))
        writing.make_room(code)
        memory = remembered(code)
        unused = code.op(f"and i64 %bag, {signed(~layout.used % (1 << 64))}")
        tables = code.op(f"icmp ne i64 {code.load(code.at(memory, MEMORY, 1))}, 0")
        usual = code.op(f"and i1 {code.op(f'icmp eq i64 {unused}, 0')}, {tables}")

        def at_once() -> None:
            code.end(f"ret i64 {code.load(writing.best(code, whole))}")

        code.when(usual, lambda: None, at_once)
        total = code.room()
        code.store("0", total)
        for part, entry in enumerate(entries_of(code, memory, "%bag")):
            own = code.op(f"and i64 %bag, {code.load(code.at(memory, OWN + EACH * part, 1))}")
            worth = code.load(writing.best(code, packed(code, own)))
            failed = code.op(f"icmp ne i64 {code.load('%S')}, 0")
            code.when(failed, lambda: code.end(f"ret i64 {NOTHING}"))
            none = code.op(f"icmp eq i64 {worth}, {NOTHING}")
            size = code.op(f"shl i64 {counted(code, own, layout)}, {SIZE}")
            value = code.op(f"select i1 {none}, i64 {1 << NONE}, i64 {worth}")
            word = code.op(f"or i64 {code.op(f'or i64 {size}, {value}')}, {1 << KNOWN}")

            def keep(entry: str = entry, word: str = word, none: str = none, part: int = part) -> None:
                code.line(f"store i32 {code.op(f'trunc i64 {word} to i32')}, ptr {entry}")
                if hinted:  # that no kind helps is perhaps known already
                    hint = hints_of(code, memory, "%bag")[part]
                    least = code.op(f"select i1 {none}, i8 {HINT + 1}, i8 {HINT}")
                    before = code.op(f"load i8, ptr {hint}")
                    more = code.op(f"icmp ugt i8 {before}, {least}")
                    code.line(f"store i8 {code.op(f'select i1 {more}, i8 {before}, i8 {least}')}, ptr {hint}")

            fits = code.op(f"or i1 {none}, {code.op(f'icmp ult i64 {worth}, {WORTH}')}")
            code.when(fits, keep)
            before = code.load(total)
            lost = code.op(f"or i1 {none}, {code.op(f'icmp eq i64 {before}, {NOTHING}')}")
            both = code.op(f"add i64 {before}, {worth}")
            code.store(code.op(f"select i1 {lost}, i64 {NOTHING}, i64 {both}"), total)
        code.end(f"ret i64 {code.load(total)}")

    return "\n".join(
        [
            function(f"define internal i64 @score{number}(ptr %S, i64 %bag) alwaysinline", score),
            function(f"define internal i64 @known{number}(ptr %S, i64 %bag) alwaysinline", partial(score, hasty=True)),
            function(f"define internal i64 @scored{number}(ptr %S, i64 %bag) noinline", scored),
        ]
    )
