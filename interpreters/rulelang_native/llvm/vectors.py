"""Games side by side as LLVM functions: what `rulelang.play.batches` says of matches, on arrays.

A game that rests is a *blob*: how many bytes of rows, the state, those rows. `step_many` takes one after the other to
where work is done, gives it the answer at a place of its list, draws what chance gives, and puts it back; `views_many`
writes down what is seen. Words about a game lie beside the blobs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rulelang import limits
from rulelang.ir.program import Marker
from rulelang.play import batches, kinds
from rulelang_native.flat import statements as st
from rulelang_native.llvm.code import Code, Val
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.steps import (
    ASKED,
    CHANCE,
    NODE,
    OVER,
    SEALED,
    URN,
    WAITS,
    StepPrinter,
    ViewWriter,
    copied,
)
from rulelang_native.llvm.support import BASE, TOP, UNSEEN, field, function
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang.play.batches import Field

KEY, DRAWN, EVENTS, NEXT, SEAT, COUNT, STATUS = range(7)
"""Words of a game: its key, outcomes and events so far, how many seats of a joint wait have answered, who is asked
(-1: nobody), how many answers there are, and how it stands."""
WORDS = 7
RUNNING, ENDED, GIVEN_UP = range(3)
"""How a game stands."""
GO_ON = -2
"""In place of an answer: a new game goes to its first decision."""


class BatchPrinter(StepPrinter):
    """Prints one program as steps of many games."""

    def flow(self) -> list[str]:
        laid = batches.fields(self.game.program)
        return [
            *super().flow(),
            RowWriter(self, laid).text(),
            _lapses(self),
            _step_many(self),
            _views_many(self, sum(field.words for field in laid)),
        ]


class RowWriter(ViewWriter):
    """The function that writes down what a viewer sees as a row of words (`rulelang.play.batches.fields`)."""

    def __init__(self, printer: StepPrinter, laid: tuple[Field, ...]) -> None:
        Statements.__init__(self, "define internal void @row(ptr %S, i64 %viewer, ptr %out)", printer, 0, {})
        self.printer: StepPrinter = printer
        firsts = {field.slot: field for field in reversed(laid)}
        for slot, cells in enumerate(printer.module.around.slots):
            described = firsts.get(slot)
            if described is None:
                continue
            if cells.members == 1:
                self.described(described, "0")
            else:
                with self.loop(str(cells.members)) as (at, _, _):
                    self.described(described, at)
        self.end("ret void")
        self.label("up")
        self.end("ret void")

    def described(self, described: Field, member: str) -> None:
        """Write down one zone or marker."""
        printer, slot = self.printer, described.slot
        declared = printer.game.program.slots[slot]
        place = self.op(f"add i64 {self.op(f'mul i64 {member}, {described.words}')}, {described.first}")
        out, done, hidden = self.at("%out", place), self.fresh("done"), self.fresh("hidden")
        sight = declared.sight
        if not printer.module.around.slots[slot].row:
            if not self.asks(sight.content, "content", slot, member, done):
                self.store("1", self.at(out, batches.SEEN))
                self.store(self.written(slot, member), self.at(out, batches.VALUE))
            self.label(done)
            return
        cell = self.row_of(slot, member)
        if not self.asks(sight.content, "content", slot, member, hidden):
            if isinstance(declared, Marker):
                self.store("1", self.at(out, batches.SEEN))
                self.store(cell.two, self.at(out, batches.LENGTH))
                self.counted_kinds(cell, self.at(out, batches.ELEMENTS), described.codes)
            else:
                if declared.blind:
                    with self.loop(cell.two) as (at, next_lap, _):
                        unseen = self.op(f"icmp sle i64 {self.load(self.at(cell.one, at))}, {UNSEEN}")
                        self.split(unseen, hidden, next_lap)
                for word in (batches.SEEN, batches.SIZE_SEEN):
                    self.store("1", self.at(out, word))
                self.store(cell.two, self.at(out, batches.SIZE))
                if declared.shape == "pile":
                    self.topped(cell, out, kinds.none_code(declared.content))
                self.counted_kinds(cell, self.at(out, batches.PIECES), described.codes)
            self.go(done)
            self.label(hidden)
        if not isinstance(declared, Marker):
            untold, unsized = self.fresh("untold"), self.fresh("unsized")
            if declared.shape == "pile" and not self.asks(sight.top, "top", slot, member, untold):
                self.topped(cell, out, kinds.none_code(declared.content))
                self.label(untold)
            if not self.asks(sight.size, "size", slot, member, unsized):
                self.store("1", self.at(out, batches.SIZE_SEEN))
                self.store(cell.two, self.at(out, batches.SIZE))
                self.label(unsized)
        self.label(done)

    def topped(self, cell: Val, out: str, nothing: int) -> None:
        """Write down the top piece, unless it is unseen."""
        place = self.room()
        self.store(str(nothing), place)

        def last() -> None:
            self.store(self.load(self.at(cell.one, self.op(f"sub i64 {cell.two}, 1"))), place)

        self.when(self.op(f"icmp ne i64 {cell.two}, 0"), last)

        def tell() -> None:
            self.store("1", self.at(out, batches.TOP_SEEN))
            self.store(self.load(place), self.at(out, batches.TOP))

        self.when(self.op(f"icmp sgt i64 {self.load(place)}, {UNSEEN}"), tell)

    def counted_kinds(self, row: Val, out: str, codes: range) -> None:
        """Count pieces of each kind."""
        if not codes:
            return
        with self.loop(row.two) as (at, next_lap, _):
            number = self.op(f"sub i64 {self.load(self.at(row.one, at))}, {codes.start}")
            inside = self.fresh("inside")
            self.split(self.op(f"icmp ult i64 {number}, {len(codes)}"), inside, next_lap)
            self.label(inside)
            where = self.at(out, number)
            self.store(self.op(f"add i64 {self.load(where)}, 1"), where)


def _lapses(printer: StepPrinter) -> str:
    """Whether only the first who moves counts where the game waits."""

    def write(code: Code) -> None:
        nodes = [part.node for part in parts(printer.flat) if isinstance(part, st.Ask)]
        first_only = [node for node in sorted(set(nodes)) if printer.module.decisions[node].first_only]
        ways = " ".join(f"i64 {node}, label %yes" for node in first_only)
        code.end(f"switch i64 {code.load(code.at('%S', printer.waits + NODE, 1))}, label %no [ {ways} ]")
        for label, truth in (("yes", "true"), ("no", "false")):
            code.label(label)
            code.end(f"ret i1 {truth}")

    return function("define internal i1 @lapses(ptr %S)", write)


def _hold(code: Code, printer: StepPrinter, at: str) -> str:
    """Take a game to where work is done; where its blob lies."""
    size = printer.places.size
    blob = code.at("%blobs", code.op(f"mul i64 {at}, %blob"), 1)
    state = code.at(blob, 8, 1)
    code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr {state}, i64 {size}, i1 false)")
    base = code.op(f"load ptr, ptr {field(code, BASE)}")
    rows = code.at(state, size, 1)
    code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {base}, ptr {rows}, i64 {code.load(blob)}, i1 false)")
    return blob


def _step_many(printer: StepPrinter) -> str:
    """One answer for each game, from one game on. Gives the number of the game whose blob is too small, or how many
    games there are.
    """
    stride, size, seats = printer.stride, printer.places.size, printer.seats + 1
    many = limits.LISTED_MOVES

    def write(code: Code) -> None:
        def there(offset: int) -> str:
            return code.at("%S", printer.waits + offset, 1)

        with code.loop("%n") as (index, next_game, _):
            late, ready = code.op(f"icmp uge i64 {index}, %from"), code.fresh("ready")
            code.split(late, ready, next_game)
            code.label(ready)
            game = code.at("%games", code.op(f"mul i64 {index}, {WORDS}"))
            running, play = code.op(f"icmp eq i64 {code.load(code.at(game, STATUS))}, {RUNNING}"), code.fresh("play")
            code.split(running, play, next_game)
            code.label(play)
            labels = {
                name: code.fresh(name)
                for name in ("up", "answer", "wait", "settle", "chance", "over", "rest", "on", "listed", "all", "go")
            }
            blob = _hold(code, printer, index)
            events, drawn = code.room(), code.room()
            code.store(code.load(code.at(game, EVENTS)), events)
            code.store(code.load(code.at(game, DRAWN)), drawn)
            place = code.load(code.at("%places", index))
            code.split(code.op(f"icmp eq i64 {place}, {GO_ON}"), labels["settle"], labels["answer"])

            code.label(labels["answer"])
            asked = code.load_row(there(ASKED))
            number = code.load(code.at(game, NEXT))
            mine = code.at("%chosen", code.op(f"mul i64 {index}, {seats}"))
            code.store(place, code.at(mine, number))
            # the answers so far, and those that lapse, are put down in order
            lapse = code.room()
            code.store("0", lapse)
            after = code.op(f"add i64 {number}, 1")
            with code.loop(asked.two) as (at, next_seat, _):
                seat = code.load(code.at(asked.one, at))
                given = code.at("%given", code.op(f"mul nuw nsw i64 {at}, {stride + 1}"))
                code.store(seat, given)
                code.store("-1", code.at(given, 1))
                said, listed = code.fresh("said"), code.fresh("laid")
                code.split(code.op(f"icmp ult i64 {at}, {after}"), said, next_seat)
                code.label(said)
                found = code.op(f"call i64 @answers(ptr %S, i64 {seat}, ptr %offers, i64 {many + 1})")
                code.split(code.op(f"icmp ugt i64 {found}, {many}"), labels["up"], listed)
                code.label(listed)
                taken = code.load(code.at(mine, at))
                entry = code.at("%offers", code.op(f"mul nuw nsw i64 {taken}, {stride}"))
                copied(code, entry, code.at(given, 1), stride)
                moved = code.op(f"zext i1 {code.op(f'icmp sge i64 {code.load(entry)}, 0')} to i64")
                code.store(code.op(f"or i64 {code.load(lapse)}, {moved}"), lapse)
            only = code.op("call i1 @lapses(ptr %S)")
            closed = code.op(f"and i1 {only}, {code.op(f'icmp ne i64 {code.load(lapse)}, 0')}")
            complete = code.op(f"or i1 {closed}, {code.op(f'icmp uge i64 {after}, {asked.two}')}")
            code.split(complete, labels["all"], labels["wait"])

            code.label(labels["wait"])
            code.store(after, code.at(game, NEXT))
            _ask(code, game, code.load(code.at(asked.one, after)), labels["up"])
            code.go(next_game)

            code.label(labels["all"])
            code.store(code.op(f"add i64 {code.load(events)}, 1"), events)
            code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
            code.label(labels["settle"])
            long = code.op(f"icmp ugt i64 {code.load(events)}, {limits.RECORD_EVENTS}")
            code.split(long, labels["up"], labels["go"])
            code.label(labels["go"])
            ways = f"i64 {CHANCE}, label %{labels['chance']} i64 {OVER}, label %{labels['rest']} "
            ways += f"i64 1, label %{labels['rest']} i64 {SEALED}, label %{labels['rest']}"
            code.end(f"switch i64 {code.load(there(WAITS))}, label %{labels['up']} [ {ways} ]")

            code.label(labels["chance"])
            urn, outcome = code.load_row(there(URN)), code.load(drawn)
            key = code.load(code.at(game, KEY))
            which = code.op(f"call i64 @below(i64 {key}, i64 {outcome}, i64 {urn.two})")
            code.store(code.op(f"add i64 {outcome}, 1"), drawn)
            code.store(code.op(f"add i64 {code.load(events)}, 1"), events)
            code.store(code.load(code.at(urn.one, which)), "%given")
            code.line("call void @go(ptr %S, ptr %given, ptr %offers)")
            code.go(labels["settle"])

            code.label(labels["rest"])
            code.line("call void @compact(ptr %S)")
            base = code.op(f"load ptr, ptr {field(code, BASE)}")
            top = code.op(f"load ptr, ptr {field(code, TOP)}")
            used = code.op(f"sub i64 {code.op(f'ptrtoint ptr {top} to i64')}, {code.op(f'ptrtoint ptr {base} to i64')}")
            needed = code.op(f"add i64 {used}, {size + 8}")
            small = code.op(f"icmp ugt i64 {needed}, %blob")
            code.when(small, partial(code.end, f"ret i64 {index}"))
            code.store(used, blob)
            state = code.at(blob, 8, 1)
            code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {state}, ptr %S, i64 {size}, i1 false)")
            rows = code.at(state, size, 1)
            code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {rows}, ptr {base}, i64 {used}, i1 false)")
            for word_, value in ((EVENTS, events), (DRAWN, drawn)):
                code.store(code.load(value), code.at(game, word_))
            code.store("0", code.at(game, NEXT))
            over = code.op(f"icmp eq i64 {code.load(there(WAITS))}, {OVER}")
            code.split(over, labels["over"], labels["on"])
            code.label(labels["over"])
            code.store(str(ENDED), code.at(game, STATUS))
            code.store("-1", code.at(game, SEAT))
            code.store("0", code.at(game, COUNT))
            code.go(next_game)
            code.label(labels["on"])
            first = code.load_row(there(ASKED))
            code.split(code.op(f"icmp eq i64 {first.two}, 0"), labels["up"], labels["listed"])
            code.label(labels["listed"])
            _ask(code, game, code.load(first.one), labels["up"])
            code.go(next_game)

            code.label(labels["up"])
            code.store(str(GIVEN_UP), code.at(game, STATUS))
            code.store("-1", code.at(game, SEAT))
            code.store("0", code.at(game, COUNT))
            code.go(next_game)
        code.end("ret i64 %n")

    header = (
        "define i64 @step_many(ptr %S, i64 %n, i64 %from, ptr %blobs, i64 %blob, ptr %places, ptr %games, "
        "ptr %chosen, ptr %offers, ptr %given)"
    )
    return function(header, write)


def _ask(code: Code, game: str, seat: str, up: str) -> None:
    """A seat is asked: how many answers it has."""
    count = code.op(f"call i64 @answers(ptr %S, i64 {seat}, ptr %offers, i64 {limits.LISTED_MOVES + 1})")
    fine = code.fresh("some")
    some = code.op(f"icmp ult i64 {code.op(f'sub i64 {count}, 1')}, {limits.LISTED_MOVES}")
    code.split(some, fine, up)
    code.label(fine)
    failed, well = code.op(f"icmp ne i64 {code.load('%S')}, 0"), code.fresh("well")
    code.split(failed, up, well)
    code.label(well)
    code.store(seat, code.at(game, SEAT))
    code.store(count, code.at(game, COUNT))


def _views_many(printer: StepPrinter, width: int) -> str:
    """What is seen of each game: by who is asked, or by one viewer if that is not less than 0."""

    def write(code: Code) -> None:
        with code.loop("%n") as (index, next_game, _):
            game = code.at("%games", code.op(f"mul i64 {index}, {WORDS}"))
            asked = code.load(code.at(game, SEAT))
            one = code.op("icmp sge i64 %viewer, 0")
            viewer = code.op(f"select i1 {one}, i64 %viewer, i64 {asked}")
            look = code.fresh("look")
            code.split(code.op(f"icmp sge i64 {viewer}, 0"), look, next_game)
            code.label(look)
            _hold(code, printer, index)
            out = code.at("%out", code.op(f"mul i64 {index}, {width}"))
            code.line(f"call void @row(ptr %S, i64 {viewer}, ptr {out})")
        code.end("ret void")

    return function(
        "define void @views_many(ptr %S, i64 %n, ptr %blobs, i64 %blob, ptr %games, i64 %viewer, ptr %out)", write
    )
