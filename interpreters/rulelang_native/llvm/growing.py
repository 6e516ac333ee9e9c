"""The tree of `uct:N` (`rulelang.play.uct`) as LLVM functions: whole rounds without coming back to Python.

The tree lies in words that Python owns: a head, then records, one behind the other; a record is told by how many words
lie before it. A record is a place, or what is known of an answer of a seat at a place. It is found by a key, by way of
buckets. Going down only reads; what a round adds lies behind the records until the round is over. So a round that has
no room, or is given up, has not happened: whoever called makes room, or does it otherwise, with the same draws.
"""

from __future__ import annotations

import struct
from functools import partial

from rulelang import limits
from rulelang.play.uct import CURIOSITY
from rulelang_native import endings
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.noticing import noticing
from rulelang_native.llvm.records import (
    AVAILABLE,
    DONE,
    KIND,
    RANGES,
    TOTAL,
    USED,
    VISITS,
    each_record,
    first_record,
    records,
)
from rulelang_native.llvm.replaying import attempt, replay
from rulelang_native.llvm.steps import (
    ASKED,
    CHANCE,
    FINISHED,
    LEFT,
    NODE,
    OVER,
    R_COUNT,
    R_NODE,
    R_NUMBERS,
    R_STATUS,
    SEALED,
    SEAT,
    UNFINISHED,
    URN,
    WAITS,
    StepPrinter,
    copied,
)
from rulelang_native.llvm.support import FAILED, field, function

ALL, NO_ROOM, NO_JOURNAL, GIVEN_UP = range(4)
"""How a call ended: with all rounds; there is no room for another record, or to write down what a round goes through;
a round must be done otherwise."""


def double(value: float) -> str:
    """A number as LLVM writes it, to the bit."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


class SearchPrinter(StepPrinter):
    """Prints one program as steps, and as searches made of them."""

    shown: tuple[tuple[bool, ...], ...] | None = None
    """For each parameter of each move whether all are shown it; None if that is not known (`states.shown`)."""

    def flow(self) -> list[str]:
        from rulelang_native.llvm.states import shown_or_none

        self.shown = shown_or_none(self.game.program)
        return [
            *super().flow(),
            "declare double @llvm.sqrt.f64(double)\n",
            *noticing(self, self.shown),
            *records(),
            _worth(self),
            _select(),
            _commit(self),
            _grow(self),
            *([] if self.shown is None else [replay(self), attempt(self)]),
        ]


# ------------------------------------------------------------------ what counts


def _worth(printer: StepPrinter) -> str:
    """What a seat gets by a result, as a floating-point number (`endings.outcome`)."""
    program, seats = printer.game.program, printer.seats
    kinds: dict[str, list[int]] = {}
    for number, node in enumerate(program.nodes):
        kinds.setdefault(endings.kind_of(node), []).append(number)

    def write(code: Code) -> None:
        numbers, count = code.at("%result", R_NUMBERS), code.load(code.at("%result", R_COUNT))
        ways = [
            f"i64 {node}, label %{kind}" for kind in ("winners", "amounts", "grade") for node in kinds.get(kind, ())
        ]
        finished, nothing = code.op(f"icmp eq i64 {code.load('%result')}, {FINISHED}"), "nothing"
        code.split(finished, "finished", nothing)
        code.label("finished")
        code.end(f"switch i64 {code.load(code.at('%result', R_NODE))}, label %{nothing} [ {' '.join(ways)} ]")
        code.label("winners")
        best = "0"
        for seat in range(seats):
            there = code.op(f"call i1 @has(ptr {numbers}, i64 {count}, i64 {seat})")
            best = code.op(f"add i64 {best}, {code.op(f'zext i1 {there} to i64')}")
        all_ = code.op(f"or i1 {code.op(f'icmp eq i64 {best}, 0')}, {code.op(f'icmp eq i64 {best}, {seats}')}")
        some, won = code.fresh("some"), code.fresh("won")
        code.split(all_, nothing, some)
        code.label(some)
        wins = code.op(f"call i1 @has(ptr {numbers}, i64 {count}, i64 %seat)")
        code.when(wins, partial(code.go, won), lambda: code.end(f"ret double {double(-1.0)}"))
        code.label(won)
        others = code.op(f"sitofp i64 {code.op(f'sub i64 {seats}, {best}')} to double")
        share = code.op(f"fdiv double {others}, {code.op(f'sitofp i64 {best} to double')}")
        code.end(f"ret double {share}")
        for label, place in (("amounts", "%seat"), ("grade", "0")):
            code.label(label)
            code.when(code.op(f"icmp ult i64 {place}, {count}"), lambda: None, partial(code.go, nothing))
            code.end(f"ret double {code.op(f'sitofp i64 {code.load(code.at(numbers, place))} to double')}")
        code.label(nothing)
        code.end(f"ret double {double(0.0)}")

    return function("define internal double @worth(ptr %result, i64 %seat)", write)


def _select() -> str:
    """Which of so many answers, all of them known, has the greatest bound (`Tree._chosen`): the first of several."""

    def write(code: Code) -> None:
        range_ = code.at("%T", code.op(f"add i64 {code.op('mul i64 %seat, 3')}, {RANGES}"))
        least, most = (code.op(f"load double, ptr {code.at(range_, word)}") for word in (1, 2))
        wide = code.op(f"fsub double {most}, {least}")
        none = code.op(f"fcmp oeq double {wide}, {double(0.0)}")
        reach = code.op(f"select i1 {none}, double {double(1.0)}, double {wide}")
        best, bound = code.room(), code.room("double")
        code.store("0", best)
        code.line(f"store double {double(-1.0)}, ptr {bound}")
        with code.loop("%count") as (at, next_lap, _):
            record = code.at("%T", code.op(f"lshr i64 {code.load(code.at('%J', at))}, 1"))
            visits = code.op(f"sitofp i64 {code.load(code.at(record, VISITS))} to double")
            available = code.op(f"add i64 {code.load(code.at(record, AVAILABLE))}, 1")
            total = code.op(f"load double, ptr {code.at(record, TOTAL)}")
            mean = code.op(f"fsub double {code.op(f'fdiv double {total}, {visits}')}, {least}")
            score = code.op(f"fdiv double {mean}, {reach}")
            log = code.op(f"load double, ptr {code.at('%logs', available)}")
            root = code.op(f"call double @llvm.sqrt.f64(double {code.op(f'fdiv double {log}, {visits}')})")
            score = code.op(f"fadd double {score}, {code.op(f'fmul double {double(CURIOSITY)}, {root}')}")
            now = code.op(f"load double, ptr {bound}")
            better = code.fresh("better")
            code.split(code.op(f"fcmp ogt double {score}, {now}"), better, next_lap)
            code.label(better)
            code.store(at, best)
            code.line(f"store double {score}, ptr {bound}")
        code.end(f"ret i64 {code.load(best)}")

    return function("define internal i64 @select(ptr %T, ptr %J, i64 %count, i64 %seat, ptr %logs)", write)


def _commit(printer: StepPrinter) -> str:
    """A round is over: what it added is put into buckets, and what it went through counts.

    The journal has the records of all answers that could be given, twice their place, and one more for those that were.
    """

    def write(code: Code) -> None:
        each_record(code, code.load(code.at("%T", USED)), "%top", False)
        code.store("%top", code.at("%T", USED))
        worths = [code.op(f"call double @worth(ptr %result, i64 {seat})") for seat in range(printer.seats)]
        laid = code.room(f"[{printer.seats} x double]")
        for place, each in enumerate(worths):
            code.line(f"store double {each}, ptr {code.at(laid, place)}")
        with code.loop("%count") as (at, next_lap, _):
            entry = code.load(code.at("%J", at))
            record = code.at("%T", code.op(f"lshr i64 {entry}, 1"))
            given, could = code.fresh("given"), code.fresh("could")
            code.split(code.op(f"trunc i64 {entry} to i1"), given, could)
            code.label(could)
            where = code.at(record, AVAILABLE)
            code.store(code.op(f"add i64 {code.load(where)}, 1"), where)
            code.go(next_lap)
            code.label(given)
            where = code.at(record, VISITS)
            code.store(code.op(f"add i64 {code.load(where)}, 1"), where)
            seat = code.load(code.at(record, KIND))
            worth = code.op(f"load double, ptr {code.at(laid, seat)}")
            where = code.at(record, TOTAL)
            total = code.op(f"load double, ptr {where}")
            code.line(f"store double {code.op(f'fadd double {total}, {worth}')}, ptr {where}")
            range_ = code.at("%T", code.op(f"add i64 {code.op(f'mul i64 {seat}, 3')}, {RANGES}"))
            known = code.op(f"icmp ne i64 {code.load(range_)}, 0")
            code.store("1", range_)
            for word, better in ((1, "olt"), (2, "ogt")):
                where = code.at(range_, word)
                before = code.op(f"load double, ptr {where}")
                beats = code.op(f"fcmp {better} double {worth}, {before}")
                keep = code.op(f"and i1 {known}, {code.op(f'xor i1 {beats}, true')}")
                code.line(f"store double {code.op(f'select i1 {keep}, double {before}, double {worth}')}, ptr {where}")
        code.end("ret void")

    return function("define internal void @commit(ptr %T, ptr %B, i64 %top, ptr %J, i64 %count, ptr %result)", write)


# ------------------------------------------------------------------ rounds


def _grow(printer: SearchPrinter) -> str:
    """So many rounds from one saved state; how that ended. How many rounds were done lies in the head."""

    def write(code: Code) -> None:
        Growing(code, printer).write()

    header = (
        "define i64 @grow(ptr %S, ptr %saved, i64 %size, ptr %arena, ptr %rows, i64 %used, i64 %key, ptr %n, "
        "i64 %horizon, ptr %offers, ptr %given, ptr %result, i64 %viewer, ptr %T, ptr %B, ptr %J, i64 %journal, "
        "ptr %words, ptr %logs, i64 %rounds)"
    )
    return function(header, write)


class Growing:
    """Writes the function of whole rounds."""

    def __init__(self, code: Code, printer: SearchPrinter) -> None:
        self.code = code
        self.printer = printer
        names = ("top", "place", "count", "decisions", "events", "new", "key", "begun", "untried", "rest")
        self.rooms = {name: code.room() for name in names}

    def get(self, name: str) -> str:
        return self.code.load(self.rooms[name])

    def set(self, name: str, value: str) -> None:
        self.code.store(value, self.rooms[name])

    def there(self, offset: int) -> str:
        return self.code.at("%S", self.printer.waits + offset, 1)

    def write(self) -> None:
        code, printer = self.code, self.printer
        done = code.at("%T", DONE)
        code.store("0", done)
        code.label("round")
        rounds, begin = code.load(done), code.fresh("begin")
        code.split(code.op(f"icmp ult i64 {rounds}, %rounds"), begin, "all")
        code.label(begin)
        code.line("call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %saved, i64 %size, i1 false)")
        code.line("call void @llvm.memcpy.p0.p0.i64(ptr %arena, ptr %rows, i64 %used, i1 false)")
        self.set("begun", code.load("%n"))
        self.set("top", code.load(code.at("%T", USED)))
        self.set("place", str(first_record(printer.seats)))
        for name in ("count", "decisions", "events"):
            self.set(name, "0")
        code.store(str(UNFINISHED), code.at("%result", R_STATUS))
        code.label("next")
        ways = (
            f"i64 {CHANCE}, label %chance i64 {SEAT}, label %asked i64 {SEALED}, label %asked i64 {OVER}, label %rest"
        )
        code.end(f"switch i64 {code.load(self.there(WAITS))}, label %up [ {ways} ]")

        code.label("chance")
        events = self.get("events")
        code.when(code.op(f"icmp ugt i64 {events}, {limits.RECORD_EVENTS}"), partial(code.go, "up"))
        self.set("events", code.op(f"add i64 {events}, 1"))
        urn = code.load_row(self.there(URN))
        drawn = code.op(f"call i64 @next(ptr %n, i64 %key, i64 {urn.two})")
        code.store(code.load(code.at(urn.one, drawn)), "%given")
        code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
        code.go("next")

        code.label("asked")
        self.asked()

        code.label("rest")
        left = code.op(f"sub i64 %horizon, {self.get('decisions')}")
        code.line(
            f"call void @roll_out(ptr %S, i64 -1, ptr %given, i64 %key, ptr %n, i64 {left}, "
            f"ptr %offers, ptr %given, ptr %result)"
        )
        gave_up = code.op(f"icmp eq i64 {code.load(code.at('%result', R_STATUS))}, {LEFT}")
        code.when(gave_up, partial(code.go, "up"))
        code.label("counts")
        code.line(
            f"call void @commit(ptr %T, ptr %B, i64 {self.get('top')}, ptr %J, i64 {self.get('count')}, ptr %result)"
        )
        code.store(code.op(f"add i64 {code.load(done)}, 1"), done)
        code.go("round")

        for label, status in (("all", ALL), ("full", NO_ROOM), ("long", NO_JOURNAL), ("up", GIVEN_UP)):
            code.label(label)
            if label != "all":
                code.store(self.get("begun"), "%n")
            code.end(f"ret i64 {status}")

    def asked(self) -> None:
        """One wait of the tree: every asked seat chooses, and the game goes on, in the tree or at random."""
        code, printer = self.code, self.printer
        decisions, on = self.get("decisions"), code.fresh("decide")
        code.split(code.op(f"icmp uge i64 {decisions}, %horizon"), "counts", on)
        code.label(on)
        self.set("decisions", code.op(f"add i64 {decisions}, 1"))
        self.set("new", "0")
        self.set("key", "0")
        before = code.load(self.there(NODE))
        seats = code.load_row(self.there(ASKED))
        with code.loop(seats.two) as (at, _, _):
            seat = code.load(code.at(seats.one, at))
            given = code.at("%given", code.op(f"mul nuw nsw i64 {at}, {printer.stride + 1}"))
            code.store(seat, given)
            self.answered(seat, code.at(given, 1))
        code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
        failed = code.op(f"icmp ugt i64 {code.load(self.there(WAITS))}, {OVER}")
        code.when(failed, partial(code.go, "up"))
        code.when(code.op(f"icmp ne i64 {self.get('new')}, 0"), partial(code.go, "rest"))
        if printer.shown is not None:
            hidden = code.op("icmp sge i64 %viewer, 0")

            def notice() -> None:
                count = code.op(f"call i64 @noticed(ptr %S, i64 %viewer, i64 {before}, ptr %words, i64 0)")
                code.when(code.op(f"icmp slt i64 {count}, 0"), partial(code.go, "up"))
                self.set("key", count)

            code.when(hidden, notice)
        place, count = self.get("place"), self.get("key")
        hash_, found = self.found(place, "-1", "%words", count)
        there = code.op(f"icmp ne i64 {found}, 0")
        code.when(
            there, partial(self.set, "place", found), partial(self.added, hash_, place, "-1", "%words", count, "place")
        )
        code.go("next")

    def found(self, owner: str, kind: str, key: str, count: str) -> tuple[str, str]:
        """The hash of a key, and its record, 0 if there is none."""
        code = self.code
        hash_ = code.op(f"call i64 @hashed(i64 {owner}, i64 {kind}, ptr {key}, i64 {count})")
        given = f"ptr %T, ptr %B, i64 {hash_}, i64 {owner}, i64 {kind}, ptr {key}, i64 {count}"
        return hash_, code.op(f"call i64 @find_record({given})")

    def added(self, hash_: str, owner: str, kind: str, key: str, count: str, name: str) -> None:
        """One record more, whose place is kept under a name."""
        code, top = self.code, self.get("top")
        given = f"ptr %T, i64 {top}, i64 {hash_}, i64 {owner}, i64 {kind}, ptr {key}, i64 {count}"
        end = code.op(f"call i64 @record({given})")
        code.when(code.op(f"icmp eq i64 {end}, 0"), partial(code.go, "full"))
        self.set(name, top)
        self.set("top", end)

    def written(self, entry: str) -> None:
        """An answer becomes part of the key of the place behind."""
        code = self.code
        count = code.op(f"call i64 @put(ptr %words, i64 {self.get('key')}, ptr {entry})")
        code.when(code.op(f"icmp slt i64 {count}, 0"), partial(code.go, "up"))
        self.set("key", count)

    def own_key(self, entry: str) -> tuple[str, str]:
        """The key of an answer by itself, behind that of the place: where it lies, and its length."""
        code, key = self.code, self.get("key")
        end = code.op(f"call i64 @put(ptr %words, i64 {key}, ptr {entry})")
        code.when(code.op(f"icmp slt i64 {end}, 0"), partial(code.go, "up"))
        return code.at("%words", key), code.op(f"sub i64 {end}, {key}")

    def journaled(self, entry: str) -> None:
        """One entry more in the journal."""
        code, count = self.code, self.get("count")
        code.store(entry, code.at("%J", count))
        self.set("count", code.op(f"add i64 {count}, 1"))

    def answered(self, seat: str, given: str) -> None:
        """What a seat answers: it is laid where answers are given."""
        code, printer = self.code, self.printer
        stride, many = printer.stride, limits.LISTED_MOVES + 1
        found = code.op(f"call i64 @answers(ptr %S, i64 {seat}, ptr %offers, i64 {many})")
        failed = code.op(f"icmp ne i64 {code.load(field(code, FAILED))}, 0")
        code.when(failed, partial(code.go, "up"))
        fine = code.op(f"icmp ult i64 {code.op(f'sub i64 {found}, 1')}, {many - 1}")
        code.when(fine, lambda: None, partial(code.go, "up"))
        # of each answer at most one entry, one for the chosen one, and behind all of that those never tried
        used = self.get("count")
        needed = code.op(f"add i64 {code.op(f'shl i64 {found}, 1')}, {code.op(f'add i64 {used}, 2')}")
        code.when(code.op(f"icmp ugt i64 {needed}, %journal"), partial(code.go, "long"))
        room = code.op(f"load i64, ptr {self.rooms['key']}")
        code.when(code.op(f"icmp ugt i64 {room}, 65536"), partial(code.go, "up"))
        chosen, table, own, done = (code.fresh(stem) for stem in ("chosen", "table", "own", "done"))
        place = code.room()
        code.store("0", place)
        code.split(code.op(f"icmp ult i64 {seat}, {printer.seats}"), own, table)

        code.label(table)  # the table gets nothing, and so prefers nothing
        several = code.op(f"icmp ugt i64 {found}, 1")
        code.when(several, lambda: code.store(code.op(f"call i64 @next(ptr %n, i64 %key, i64 {found})"), place))
        code.go(chosen)

        code.label(own)
        first, owner = self.get("count"), self.get("place")
        self.set("untried", "0")
        with code.loop(found) as (at, _, _):
            entry = code.at("%offers", code.op(f"mul nuw nsw i64 {at}, {stride}"))
            key, count = self.own_key(entry)
            _, record = self.found(owner, seat, key, count)

            def untried(at: str = at) -> None:
                number = code.op(f"add i64 {self.get('untried')}, 1")
                code.store(at, code.at("%J", code.op(f"sub i64 %journal, {number}")))
                self.set("untried", number)

            code.when(
                code.op(f"icmp eq i64 {record}, 0"),
                untried,
                lambda record=record: self.journaled(code.op(f"shl i64 {record}, 1")),  # type: ignore[misc]
            )
        new, known = code.fresh("never"), code.fresh("known")
        number = self.get("untried")
        code.split(code.op(f"icmp ne i64 {number}, 0"), new, known)

        code.label(new)
        self.set("rest", "0")
        several = code.op(f"icmp ugt i64 {number}, 1")
        code.when(several, lambda: self.set("rest", code.op(f"call i64 @next(ptr %n, i64 %key, i64 {number})")))
        last = code.op("sub i64 %journal, 1")
        which = code.load(code.at("%J", code.op(f"sub i64 {last}, {self.get('rest')}")))
        code.store(which, place)
        key, count = self.own_key(code.at("%offers", code.op(f"mul nuw nsw i64 {which}, {stride}")))
        hash_ = code.op(f"call i64 @hashed(i64 {owner}, i64 {seat}, ptr {key}, i64 {count})")
        self.added(hash_, owner, seat, key, count, "rest")
        record = self.get("rest")
        self.journaled(code.op(f"or i64 {code.op(f'shl i64 {record}, 1')}, 1"))
        self.set("new", "1")
        code.go(chosen)

        code.label(known)
        start = code.at("%J", first)
        best = code.op(f"call i64 @select(ptr %T, ptr {start}, i64 {found}, i64 {seat}, ptr %logs)")
        code.store(best, place)
        self.journaled(code.op(f"or i64 {code.load(code.at(start, best))}, 1"))
        code.go(chosen)

        code.label(chosen)
        entry = code.at("%offers", code.op(f"mul nuw nsw i64 {code.load(place)}, {stride}"))
        copied(code, entry, given, stride)
        count = self.get("key")
        code.store(seat, code.at("%words", count))
        self.set("key", code.op(f"add i64 {count}, 1"))
        self.written(entry)
        code.label(done)
