"""Records of a tree as LLVM functions: how they lie, and how they are found (`growing.py` says what they are for)."""

from __future__ import annotations

from rulelang_native.llvm.code import Code
from rulelang_native.llvm.support import TWO, function

USED, MOST, MASK, DONE, RANGES = 0, 1, 2, 3, 4
"""Words of the head: how many are used, how many there are, the buckets less one, the rounds of the last call, and of
each seat whether it ever got anything, the least and the most that it got."""

NEXT, HASH, OWNER, KIND, LENGTH, VISITS, AVAILABLE, TOTAL, KEY = range(9)
"""Words of a record: the next one in its bucket (0: none), the hash of its key, the place that it belongs to, the seat
(-1: it is a place), the length of the key, what is known of an answer, and from here the key."""


def first_record(seats: int) -> int:
    """Where the first record lies, which is the first place."""
    return RANGES + 3 * seats


def records() -> list[str]:
    """The functions."""
    return [_hashed(), _find(), _lookup(), _replant(), _record()]


def _hashed() -> str:
    """A hash of a key that belongs to somebody."""

    def write(code: Code) -> None:
        hash_ = code.room()
        both = code.op(f"add i64 {code.op('mul i64 %owner, 1048583')}, %kind")
        code.store(code.op(f"call i64 @scramble(i64 {both})"), hash_)
        with code.loop("%n") as (at, _, _):
            mixed = code.op(f"xor i64 {code.load(hash_)}, {code.load(code.at('%key', at))}")
            mixed = code.op(f"mul i64 {mixed}, {TWO}")
            code.store(code.op(f"xor i64 {mixed}, {code.op(f'lshr i64 {mixed}, 29')}"), hash_)
        code.end(f"ret i64 {code.load(hash_)}")

    return function("define internal i64 @hashed(i64 %owner, i64 %kind, ptr %key, i64 %n)", write)


def _find() -> str:
    """The record with a key; 0 if there is none."""

    def write(code: Code) -> None:
        bucket = code.op(f"and i64 %hash, {code.load(code.at('%T', MASK))}")
        place = code.room()
        code.store(code.load(code.at("%B", bucket)), place)
        code.label("look")
        at = code.load(place)
        code.when(code.op(f"icmp eq i64 {at}, 0"), lambda: code.end("ret i64 0"))
        record = code.at("%T", at)
        code.store(code.load(code.at(record, NEXT)), place)
        for word, value in ((HASH, "%hash"), (OWNER, "%owner"), (KIND, "%kind"), (LENGTH, "%n")):
            same = code.op(f"icmp eq i64 {code.load(code.at(record, word))}, {value}")
            on = code.fresh("same")
            code.split(same, on, "look")
            code.label(on)
        own = code.at(record, KEY)
        with code.loop("%n") as (lap, next_lap, _):
            equal = code.op(f"icmp eq i64 {code.load(code.at(own, lap))}, {code.load(code.at('%key', lap))}")
            code.split(equal, next_lap, "look")
        code.end(f"ret i64 {at}")

    header = "define internal i64 @find_record(ptr %T, ptr %B, i64 %hash, i64 %owner, i64 %kind, ptr %key, i64 %n)"
    return function(header, write)


def _lookup() -> str:
    """The same, for who does not know the hash."""

    def write(code: Code) -> None:
        hash_ = code.op("call i64 @hashed(i64 %owner, i64 %kind, ptr %key, i64 %n)")
        found = f"call i64 @find_record(ptr %T, ptr %B, i64 {hash_}, i64 %owner, i64 %kind, ptr %key, i64 %n)"
        code.end(f"ret i64 {code.op(found)}")

    return function("define i64 @lookup(ptr %T, ptr %B, i64 %owner, i64 %kind, ptr %key, i64 %n)", write)


def _linked(code: Code, at: str) -> str:
    """Put a record into its bucket; where the next record lies."""
    record = code.at("%T", at)
    bucket = code.op(f"and i64 {code.load(code.at(record, HASH))}, {code.load(code.at('%T', MASK))}")
    where = code.at("%B", bucket)
    code.store(code.load(where), code.at(record, NEXT))
    code.store(at, where)
    return code.op(f"add i64 {at}, {code.op(f'add i64 {code.load(code.at(record, LENGTH))}, {KEY}')}")


def each_record(code: Code, first: str, end: str, hashed: bool) -> None:
    """Put all records from one on to an end into their buckets."""
    place, head, on, done = code.room(), code.fresh("each"), code.fresh("one"), code.fresh("linked")
    code.store(first, place)
    code.label(head)
    at = code.load(place)
    code.split(code.op(f"icmp ult i64 {at}, {end}"), on, done)
    code.label(on)
    if hashed:
        record = code.at("%T", at)
        owner, kind, count = (code.load(code.at(record, word)) for word in (OWNER, KIND, LENGTH))
        key = code.at(record, KEY)
        hash_ = code.op(f"call i64 @hashed(i64 {owner}, i64 {kind}, ptr {key}, i64 {count})")
        code.store(hash_, code.at(record, HASH))
    code.store(_linked(code, at), place)
    code.go(head)
    code.label(done)


def _replant() -> str:
    """Put all records into new buckets, which are empty."""

    def write(code: Code) -> None:
        each_record(code, "%first", code.load(code.at("%T", USED)), True)
        code.end("ret void")

    return function("define void @replant(ptr %T, ptr %B, i64 %first)", write)


def _record() -> str:
    """Write down a record behind all others, not in its bucket yet: where the next one would lie, 0 if there is no
    room."""

    def write(code: Code) -> None:
        end = code.op(f"add i64 %top, {code.op(f'add i64 %n, {KEY}')}")
        full = code.op(f"icmp ugt i64 {end}, {code.load(code.at('%T', MOST))}")
        code.when(full, lambda: code.end("ret i64 0"))
        record = code.at("%T", "%top")
        values = ((HASH, "%hash"), (OWNER, "%owner"), (KIND, "%kind"), (LENGTH, "%n"))
        for word, value in (*values, (VISITS, "0"), (AVAILABLE, "1"), (TOTAL, "0")):
            code.store(value, code.at(record, word))
        with code.loop("%n") as (lap, _, _):
            code.store(code.load(code.at("%key", lap)), code.at(code.at(record, KEY), lap))
        code.end(f"ret i64 {end}")

    header = "define internal i64 @record(ptr %T, i64 %top, i64 %hash, i64 %owner, i64 %kind, ptr %key, i64 %n)"
    return function(header, write)
