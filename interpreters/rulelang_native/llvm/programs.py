"""A closed program as one LLVM module that plays games at random by itself.

What has no form here is refused with `NotLowered`, which names it; such a program is played by printed Python.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import attrs

from rulelang import limits
from rulelang.failures import Broken
from rulelang.ir.program import Zone
from rulelang.play.kinds import least, seat_count
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known
from rulelang_native.flat.program import FlatProgram, Function
from rulelang_native.llvm import bags, bagsets, decks, piles, pools, scores, sets, singles, spared, usual
from rulelang_native.llvm.advice import Advice
from rulelang_native.llvm.advice import written as written_advice
from rulelang_native.llvm.bags import Packed
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.divisions import PARTS, Table, table_of
from rulelang_native.llvm.divisions import written as divided
from rulelang_native.llvm.functions import FunctionWriter, ListingWriter, PlainWriter, SetWriter
from rulelang_native.llvm.games import DECISIONS, LENGTH, NUMBERS, STATUS, GameWriter, collect, promised, streams, tidy
from rulelang_native.llvm.knowing import known_before
from rulelang_native.llvm.listings import Ranged, never, ranged
from rulelang_native.llvm.pairs import PairWriter, of_two, picked
from rulelang_native.llvm.planes import MOST_PLACES, Planes, most_values, offered, planned, signed, word_for
from rulelang_native.llvm.shaping import ROWS, Kind, Shapes
from rulelang_native.llvm.somes import ending, names_each
from rulelang_native.llvm.steady import settled, steady
from rulelang_native.llvm.support import (
    BASE,
    CELLS,
    FAILED,
    LAST,
    MOST_POOLS,
    POOLS,
    STREAM,
    TOP,
    UNSEEN,
    field,
    function,
    support,
)
from rulelang_native.llvm.timing import Clock, draws
from rulelang_native.llvm.values import Home, Places
from rulelang_native.llvm.walking import parts
from rulelang_native.llvm.ways import Ways
from rulelang_native.llvm.words import NotAbreast
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.game import Game
    from rulelang_native.runtime.module import Module


LEAST = UNSEEN + MOST_POOLS
"""Numbers up to here stand for unseen cards."""

UNPLAYED = ("domain", "requirement", "preference", "content", "top", "size", "invariant")
"""Functions that random games never ask."""

MOST_PROMISES = 63
"""So many are told by the bits of a word."""

SMALL = 4000
"""Parts of a program whose numbers lie by themselves."""


class Printer(Home):
    """Prints one program."""

    unplayed: tuple[str, ...] = UNPLAYED
    """Functions that are not printed, by how their names begin."""
    in_place = True
    """Whether piles lie in the state itself, which is never copied then."""
    from_the_start = True
    """Whether every game is played from the start, by the rules alone."""
    wide = True
    """Whether the processor's registers have 512 bits, and can be masked."""
    in_registers = True
    """Whether small programs keep their numbers apart from the state."""

    def __init__(
        self, game: Game, *, quick: bool = False, advised: tuple[bool, ...] = (), promises: bool = False
    ) -> None:
        super().__init__()
        preferences = tuple(each.move for each in game.program.preferences)
        self.advice = Advice(advised if preferences else (), preferences)
        """Which seats follow the advice of the rules; the others play at random."""
        if True in self.advice.seats:
            self.unplayed = tuple(each for each in self.unplayed if each != "preference")
        self.promises = len(game.program.invariants) if promises else 0
        """So many promises of the rules are looked at wherever a game waits."""
        if self.promises > MOST_PROMISES:
            raise NotLowered("there are more promises than are looked at by LLVM")
        if self.promises:
            self.unplayed = tuple(each for each in self.unplayed if each != "invariant")
        self.side_by_side = False
        """Whether games are played in lanes; known when the text is printed."""
        self.replays = self.in_registers
        self.quick = quick
        """Whether the processor has BMI2."""
        self.game = game
        self.module: Module = game.module
        laid, cell = list[Any](), 0
        for cells in self.module.around.slots:
            laid.append(game._laid_out().c[cell : cell + cells.members])
            cell += cells.members
        self.steady = (
            steady(self.module.flat, laid, self._effects_at) if self.from_the_start and not self.module.in_time else {}
        )
        """The zones and markers that never change, and what they hold."""
        self.flat: FlatProgram = settled(self.module.flat, self.steady)
        self.seats = seat_count(game.program)
        self.clock = Clock.of(game.program, self.flat) if self.module.in_time else None
        """Where the program keeps its time, if games are played in table time."""
        self.words = NUMBERS + self.seats + (self.clock is not None) + (self.promises > 0)
        """So many words tell about one game; behind its numbers table time, then the promises that did not hold."""
        self.apart = self.in_registers and sum(1 for _ in parts(self.flat)) <= SMALL
        if self.apart:
            self.flat = known_before(self.flat, self.module)
        held = self.module.lowering.held
        if any(isinstance(each, Zone) and least(each.content) <= LEAST for each in game.program.slots):
            raise NotLowered("cards are such small numbers that unseen ones could not be told from them")
        self.shown_below = self._shown_below()
        self.shapes = Shapes(self.flat, self.module.around)
        self.functions = {each.name: each for each in self.flat.functions}
        self.over_frames = frozenset(each.number for each in self.flat.procedures if not each.plain)
        self._nodes = {
            part.node: procedure.number
            for procedure in self.flat.procedures
            for part in parts(procedure)
            if isinstance(part, st.Ask | st.Force)
        }
        self._opened = self._calls()
        self._failing = self._can_fail()
        self._failing_procedures = self._procedures_that_can_fail()
        movers = [self.module.lowering.local_fact(each, 0) for each in self.module.effects]
        self.decides = self.seats + any(fact.high >= self.seats for fact in movers)
        """How many there are who decide something: the seats, and behind them the table if it is ever asked."""
        most = max((len(each.rows) for each in self.module.around.moves), default=0)
        self.stride = 1 + 2 * most
        self.tables: dict[int, Table] = {}
        self.divided_at: dict[int, tuple[int, int]] = {}
        """Where a state says where the table of a division, and what is remembered of it, lie."""
        self.planes = planned(
            self.flat,
            [
                Planes(slot, cells.members, held[slot].low, held[slot].high - held[slot].low + 1)
                for slot, cells in enumerate(self.module.around.slots)
                if not cells.row
                and 1 < cells.members <= MOST_PLACES
                and 1 < held[slot].high - held[slot].low + 1 <= most_values(cells.members)
            ],
        )
        self.piles: dict[int, int] = {}
        self.scored: dict[int, Packed] = {}
        """The divisions that are asked what bags are worth at their best, and how those lie."""
        self.spared: set[int] = set()
        """Those of them that are asked what bags can spare."""
        played = [each for each in self.flat.functions if not each.name.startswith(self.unplayed)]
        spans = [(each.low, each.high) for each in held]
        self.bags = bags.suiting(
            bags.possible(game.program, cast("Any", laid), spans), (tuple(played), self.flat.procedures)
        )
        if self.in_place:
            self.piles = piles.planned(game.program, cast("Any", laid))
            self.bag_sets = bagsets.planned(game.program, cast("Any", laid), spans, self.flat, played)
            self.bags = {slot: layout for slot, layout in self.bags.items() if slot not in self.bag_sets}
        if self.apart:
            as_played = attrs.evolve(self.flat, functions=tuple(played))
            self.decks = decks.planned(game.program, cast("Any", laid), as_played, self.module)
            other = self.bags.keys() | self.bag_sets.keys() | self.decks.keys()
            self.singles = singles.planned(game.program, held, as_played) - other
            self.piles = {
                slot: most for slot, most in self.piles.items() if slot not in self.decks and slot not in self.singles
            }
        if self.apart:
            members = [cells.members for cells in self.module.around.slots]
            self.heights = piles.heights(self.piles, members)
        self.pools = (
            pools.planned(game.program, cast("Any", laid), self.flat, self.piles, self.decks) if self.in_place else None
        )
        """How pools of unseen cards lie as counts, if they do."""
        listings = {number: offered(self.functions[f"list{number}"]) for number in range(len(game.program.moves))}
        self.sets = {number: word_for(values[-1] + 1) for number, values in listings.items() if values}
        """The moves whose answers are sets of small numbers, with the bits of the word that such a set lies in."""
        for number in range(len(game.program.moves)):
            places = bagsets.offered(self.functions[f"list{number}"], self.bag_sets)
            if places is not None:
                self.sets[number] = word_for(places)
        self.ranged = self._ranged()
        """Those of them whose answers have several values, or values of a bag."""
        self.sets.update({number: each.bits for number, each in self.ranged.items()})
        self.never = frozenset(each for each in range(len(game.program.moves)) if never(self.functions[f"list{each}"]))
        """The moves that are no answers, ever."""
        self.pending: dict[int, int] = {}
        self.returns: dict[int, int] = {}
        self.other = CELLS
        self.places = self._laid_out()
        if self.apart:
            self._as_bits(played)
        self.makes_rows = self._makes_rows()
        self.hasty: dict[int, str | None] = {}
        """The functions that give answers of moves as sets if they are known at once."""
        self.factors: dict[int, str | None] = {}
        """The functions that give the answers of moves as two factors."""
        self.pairs: dict[int, tuple[Ways, str]] = {}
        """The moves whose answers are pairs of places, with the text of what lists them."""
        if self.planes and self.in_registers:
            self._learn_pairs()

    def _learn_pairs(self) -> None:
        for number in range(len(self.module.around.moves)):
            listing = self.functions[f"list{number}"]
            if number not in self.sets and of_two(listing) is not None:
                with contextlib.suppress(NotAbreast):
                    writer = PairWriter(self, listing, self.shapes.variables(f"function {listing.name}"))
                    if writer.ways is not None:
                        self.pairs[number] = (writer.ways, writer.text())

    def _as_bits(self, played: list[Function]) -> None:
        """See which functions give some of a few numbers, and which say how a game ends one number after the other."""
        for each in played:  # those that are called stand before those that call
            if each.kind == "listing" or self.result_kind(each.name) != "row":
                continue
            if each.name.startswith("end"):
                found = ending(each, self.seats)
                if found is not None or names_each(each, self.seats):
                    self.endings[each.name] = found
                continue
            kinds = self.shapes.variables(f"function {each.name}")
            trial = FunctionWriter(self, attrs.evolve(each, parameters=(), body=()), kinds, [], "row")
            trial.whole = each.body
            trial.learn(each.body)
            span = trial.somes.given(each.body)
            if span is not None:
                self.somes[each.name] = span

    def _shown_below(self) -> tuple[int, ...]:
        """For each move, the seats for which telling who is shown the answer does not fail: those below a number. None
        at all if it never fails."""
        if not self.module.risky:
            return ()
        found: list[int] = []
        for number in range(len(self.game.program.moves)):
            below = self.module.lowering.shown_below(number)
            if below is None:
                raise NotLowered("telling who is shown an answer can fail, and not only if it is the table's")
            found.append(below)
        return tuple(found)

    def _ranged(self) -> dict[int, Ranged]:
        """The moves whose answers are told by bits, though they have several values, or values of a bag."""
        found: dict[int, Ranged] = {}
        for number, move in enumerate(self.module.around.moves):
            listing = self.functions[f"list{number}"]
            if number in self.sets or any(move.rows):
                continue
            bagging = FunctionWriter(self, attrs.evolve(listing, parameters=(), body=()), {}, [], "number").bagging
            bagging.learn(listing.body)
            each = ranged(listing, partial(bagging.layout, loose=True))
            if each is not None:
                found[number] = each
        return found

    # -------------------------------------------------------------- what functions ask

    def local_kind(self, procedure: int, local: int) -> Kind:
        return self.shapes.local(procedure, local)

    def result_kind(self, function: str) -> Kind:
        return self.shapes.result(function)

    def can_fail(self, function: str) -> bool:
        return function in self._failing

    def divides(self, e: flat.Divided) -> None:
        low, high = e.low, e.high
        if not isinstance(low, Known) or not isinstance(high, Known):
            raise NotLowered("how large groups are is not known before play")
        assert isinstance(low.value, int) and isinstance(high.value, int)
        table = table_of(e.division, self.flat.divisions[e.division], low.value, high.value)
        if self.tables.setdefault(e.division, table) != table:
            raise NotLowered("one way to divide has groups of different sizes")

    def scores(self, e: flat.Divided, layout: Packed) -> bool:
        self.divides(e)
        if not scores.suits(self.tables[e.division], layout):
            return False
        return self.scored.setdefault(e.division, layout) == layout

    def hasty_set(self, move: int) -> bool:
        """Whether there is a function that gives the answers of a move only if they are known at once."""
        if move not in self.hasty:
            self.hasty[move] = usual.hasty(self, move)
        return self.hasty[move] is not None

    def factored(self, move: int) -> bool:
        """Whether the answers of a move are told as two factors, too."""
        if move not in self.factors:
            self.factors[move] = usual.factors(self, move)
        return self.factors[move] is not None

    def spares(self, division: int) -> None:
        self.spared.add(division)

    def block_kinds(self, procedure: int, node: int) -> dict[str, Kind]:
        return self.shapes.variables(f"procedure {procedure}, block {node}")

    def procedure_of(self, node: int) -> int:
        """The procedure that asks at a node."""
        return self._nodes[node]

    def waiting_above(self, procedure: int) -> set[int]:
        """The nodes of a procedure, and of all that it can have begun, where answers can wait."""
        seen, waiting = {procedure}, [procedure]
        while waiting:
            for inner in self._opened.get(waiting.pop(), ()):
                if inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
        return {node for node in self.pending if self._nodes[node] in seen}

    def rows_wait(self, node: int) -> bool:
        """Whether answers that wait at a node can hold rows."""
        return any(any(self.module.around.moves[move].rows) for move in self.module.decisions[node].moves)

    def held_rows(self) -> list[tuple[int, int, Kind]]:
        """Where rows lie in a state: place, how many one after the other, kind."""
        found: list[tuple[int, int, Kind]] = []
        for slot, cells in enumerate(self.module.around.slots):
            if self.places.rows[slot] and slot not in self.piles:
                found.append((self.places.slots[slot], cells.members, "row"))
        for (procedure, local), place in self.places.locals.items():
            kind = self.local_kind(procedure, local)
            if kind in ROWS:
                found.append((place, 1, kind))
        return found

    # -------------------------------------------------------------- what is found out before

    def _effects_at(self, node: int) -> list[int]:
        """The procedures of the moves that are asked for at a node."""
        return [self.module.effects[move] for move in self.module.decisions[node].moves]

    def _calls(self) -> dict[int, set[int]]:
        """Which procedures over frames each one can begin: never one that is under way, as the IR's verifier saw."""
        found: dict[int, set[int]] = {}
        for procedure in self.flat.procedures:
            begun: set[int] = set()
            for part in parts(procedure):
                if isinstance(part, st.Open):
                    begun.add(part.procedure)
                elif isinstance(part, st.Ask | st.Force):
                    begun.update(self._effects_at(part.node))
            found[procedure.number] = begun & self.over_frames
        done: set[int] = set()

        def visit(number: int, above: tuple[int, ...]) -> None:
            if number in above:
                raise Broken("a rule can be under way twice at once")
            if number not in done:
                for inner in sorted(found[number]):
                    visit(inner, (*above, number))
                done.add(number)

        for number in found:
            visit(number, ())
        return found

    def _can_fail(self) -> set[str]:
        failing: set[str] = set()
        for each in self.flat.functions:  # those that are called stand before those that call
            for part in parts(each):
                if isinstance(part, st.Fail | flat.HasAnswer | flat.Divided | flat.Bags) or (
                    isinstance(part, flat.Result) and part.function in failing
                ):
                    failing.add(each.name)
        return failing

    def _procedures_that_can_fail(self) -> set[int]:
        failing = {each.number for each in self.flat.procedures} if self.flat.metered else set[int]()
        while True:
            before = len(failing)
            for procedure in self.flat.procedures:
                for part in parts(procedure):
                    match part:
                        case st.Fail() | st.Settle() | flat.HasAnswer() | flat.Divided() | flat.Bags():
                            failing.add(procedure.number)
                        case flat.Result() if part.function in self._failing:
                            failing.add(procedure.number)
                        case st.SpendOn() if part.procedure in failing:
                            failing.add(procedure.number)
            if len(failing) == before:
                return failing

    def procedure_can_fail(self, procedure: int) -> bool:
        return procedure in self._failing_procedures

    def _makes_rows(self) -> bool:
        """Whether events make rows; how a game ends does not count, as nothing comes behind it."""
        played = [each for each in self.flat.functions if not each.name.startswith(("end", *self.unplayed))]
        made = st.Gather | flat.Items | flat.Joined
        rows = sum(isinstance(part, made) for part in parts((tuple(played), self.flat.procedures)))
        asked = sum(isinstance(part, st.Ask) and self.asks_one(part) for part in parts(self.flat.procedures))
        return bool(self.held_rows()) or rows > asked

    def asks_one(self, s: st.Ask) -> bool:
        """Whether one seat is asked that is named: the row of it is never made."""
        decision = self.module.decisions[s.node]
        return decision.kind == "seat" and isinstance(s.seats, flat.Items) and len(s.seats.items) == 1

    def _laid_out(self) -> Places:
        """Where everything lies in a state."""
        at = CELLS + 8
        slots: list[int] = []
        rows: list[bool] = []
        for cells in self.module.around.slots:
            slots.append(at)
            as_number = self.bags.keys() | self.bag_sets.keys() | self.decks.keys() | self.singles
            rows.append(cells.row and len(rows) not in as_number)
            planes = self.planes.get(len(slots) - 1)
            if len(slots) - 1 in self.bag_sets:
                at += cells.members * word_for(self.bag_sets[len(slots) - 1]) // 8
            elif len(slots) - 1 in self.piles:
                at += cells.members * piles.size(self.piles[len(slots) - 1])
            else:
                at += planes.bytes if planes else self.numbers(len(rows) - 1) * (16 if rows[-1] else 8)
        locals: dict[tuple[int, int], int] = {}
        for procedure in self.flat.procedures:
            if procedure.plain:
                continue
            for local in range(procedure.locals):
                kind = self.local_kind(procedure.number, local)
                if kind in ("division", "rows of rows"):
                    raise NotLowered(f"a rule remembers a {kind}, which has no form in LLVM yet")
                locals[procedure.number, local] = at
                at += 16 if kind in ROWS else 8
            self.returns[procedure.number] = at
            at += 8
        for node in sorted(self._nodes):
            self.pending[node] = at
            at += 16 + 8 * self.seats * (self.stride + 1)
        for number in range(len(self.flat.divisions)):
            self.divided_at[number] = (at, at + 8)
            at += 16
        if self.pools is not None:
            at = -(-at // pools.HEAD) * pools.HEAD
            self.pools = attrs.evolve(self.pools, at=at)
            at += self.pools.bytes
        members = tuple(cells.members for cells in self.module.around.slots)
        return Places(tuple(slots), tuple(rows), locals, at, members)

    def numbers(self, slot: int) -> int:
        """How many numbers or rows lie in a slot."""
        return 2 if slot in self.decks else self.module.around.slots[slot].members

    # -------------------------------------------------------------- the module

    def text(self) -> str:
        """The whole module."""
        flow = self.flow()
        return self.module_of(flow)

    def module_of(self, flow: list[str]) -> str:
        """The functions that play, and all that they need."""
        shapes, written, listings = self.shapes, list[str](), list[tuple[Function, dict[str, Kind]]]()
        for each in self.flat.functions:
            if each.name.startswith(self.unplayed):
                continue
            kinds = shapes.variables(f"function {each.name}")
            if each.kind == "listing" and int(each.name[4:]) in self.sets:
                number = int(each.name[4:])
                written.append(SetWriter(self, each, kinds, self.sets[number], self.ranged.get(number)).text())
            if each.kind == "listing":
                listings.append((each, kinds))
            else:
                given = [shapes.parameter(each.name, place) for place in range(len(each.parameters))]
                written.append(FunctionWriter(self, each, kinds, given, shapes.result(each.name)).text())
        for procedure in self.flat.procedures:
            if procedure.plain:
                blocks = {b.node: self.block_kinds(procedure.number, b.node) for b in procedure.blocks}
                written.append(PlainWriter(self, procedure, blocks, metered=self.flat.metered).text())
        for node in sorted({part.node for part in parts(self.flat) if isinstance(part, flat.HasAnswer)}):
            written.append(self._any(node))
        written += [text for text in (*self.hasty.values(), *self.factors.values()) if text is not None]
        for number, (ways, text) in sorted(self.pairs.items()):
            written += [text, picked(number, ways, self.constants, inline=self.apart)]
        written += [*flow, self._attempt_costs(), tidy(self), collect(self)]
        for each, kinds in listings:  # many are asked for as sets alone
            if any(f" @{each.name}(" in text for text in written):
                written.append(ListingWriter(self, each, kinds, self.stride).text())
        if self.tables:
            written.append(PARTS)
        written += decks.written(self.decks)
        written += [bags.written(each) for each in {layout.name: layout for layout in self.bags.values()}.values()]
        written += sets.written(self.floods, self.set_words)
        written += [
            scores.written(self.tables[number], layout, self.divided_at[number][1], hinted=number in self.spared)
            for number, layout in sorted(self.scored.items())
        ]
        written += [
            spared.written(self.tables[number], self.scored[number], self.divided_at[number][1])
            for number in sorted(self.spared)
        ]
        written += [
            divided(table, *self.divided_at[number], len(self.shared)) for number, table in sorted(self.tables.items())
        ]
        called = support(quick=self.quick, others=pools.written(self.pools) if self.pools is not None else None)
        return "\n".join([called, *self.constants.lines, *written])

    def flow(self) -> list[str]:
        """The functions that play."""
        if self.quick and not self.promises:
            from rulelang_native.llvm.lanes import lanes

            self.by_comparing = True
            found = lanes(self, self.module_of)
            if found is not None:
                self.side_by_side = True
                return [*found, self._tally()]
            self.by_comparing = False
        timed = [] if self.clock is None else [draws()]
        looked_at = [promised(self)] if self.promises else []
        return [
            streams(self),
            *timed,
            *written_advice(self),
            *looked_at,
            GameWriter(self).text(),
            self._playouts(),
            self._tally(),
        ]

    def _any(self, node: int) -> str:
        """Whether a seat has any answer at a node."""
        moves = self.module.decisions[node].moves

        def write(code: Code) -> None:
            buffer = code.room(f"[{self.stride} x i64]")
            for move in moves:
                count = code.op(f"call i64 @list{move}(ptr %S{self.shares}, i64 %seat, ptr {buffer}, i64 0, i64 1)")
                code.when(code.op(f"icmp ne i64 {count}, 0"), lambda: code.end("ret i1 true"))
                if self.can_fail(f"list{move}"):
                    failed = code.op(f"icmp ne i64 {code.load('%S')}, 0")
                    code.when(failed, lambda: code.end("ret i1 false"))
            code.end("ret i1 false")

        return function(f"define internal i1 @any{node}(ptr %S{self.shares}, i64 %seat)", write)

    def _attempt_costs(self) -> str:
        row = self.constants.row(tuple(self.module.attempt_costs) or (0,))

        def write(code: Code) -> None:
            code.end(f"ret i64 {code.load(code.at(row.one, '%move'))}")

        return function("define internal i64 @attempt_cost(i64 %move) alwaysinline", write)

    def return_place(self, code: Code, procedure: int) -> str:
        """Where it lies where play goes on behind a procedure."""
        return f"%ret{procedure}" if self.apart else code.at("%S", self.returns[procedure], 1)

    def lay_out(self, code: Code) -> None:
        """How everything lies before play."""
        machine = self.game._laid_out()
        code.store("0", field(code, FAILED))
        code.store(str(machine.cost), self.cost_place(code))
        code.store(str(limits.SETUP_COST), self.most_place(code))
        for place in (POOLS, LAST):
            code.store("0", field(code, place))
        base = code.op(f"load ptr, ptr {field(code, BASE)}")
        code.line(f"store ptr {base}, ptr {field(code, TOP)}")
        cell = 0
        for slot, cells in enumerate(self.module.around.slots):
            laid = machine.c[cell : cell + cells.members]
            cell += cells.members
            if slot in self.decks:
                deck = self.decks[slot]
                for place, number in enumerate((deck.word, len(deck.cards))):
                    self._lay(code, number, self.cell_place(code, slot, place))
            elif slot in self.singles:
                for member, row in enumerate(cast("Any", laid)):
                    self._lay(code, row[0] if row else singles.NONE, self.cell_place(code, slot, member))
            elif slot in self.piles:
                self._lay_pile(code, slot, cast("Any", laid))
            elif slot in self.bag_sets:
                bits = word_for(self.bag_sets[slot])
                for member, row in enumerate(cast("Any", laid)):
                    where = code.at(self.cell_place(code, slot, 0), member * bits // 8, 1)
                    there = signed(sum(1 << piece for piece in row), bits)
                    code.line(f"store i{bits} {there}, ptr {where}, align 8")
            elif slot in self.bags:
                layout = self.bags[slot]
                words = [layout.word(cast("tuple[int, ...]", row)) for row in laid]
                assert None not in words
                for member, word in enumerate(words):
                    self._lay(code, bags.signed(word or 0), self.cell_place(code, slot, member))
            elif slot in self.planes:
                self._lay_planes(code, self.planes[slot], laid)
            elif len(set(laid)) == 1 and cells.members > 4:
                with code.loop(str(cells.members)) as (at, _, _):
                    self._lay(code, laid[0], code.at(self.cell_place(code, slot, 0), at, 16 if cells.row else 8))
            else:
                for member, value in enumerate(laid):
                    self._lay(code, value, self.cell_place(code, slot, member))
        for local in range(self.flat.procedures[0].locals):
            nothing = () if self.local_kind(0, local) in ROWS else 0
            self._lay(code, nothing, self.local_place(code, 0, local))
        for place in self.pending.values():
            code.store("0", code.at("%S", place, 1))

    def _lay_pile(self, code: Code, slot: int, laid: Sequence[tuple[int, ...]]) -> None:
        if slot in self.heights:
            sizes = sum(len(row) << piles.SIZE * member for member, row in enumerate(laid))
            code.store(str(signed(sizes, 64)), f"%h{slot}")
        for member, row in enumerate(laid):
            where = self.places.slots[slot] + member * piles.size(self.piles[slot])
            if slot not in self.heights:
                code.store(str(len(row)), code.at("%S", where, 1))
            if row:
                known = self.constants.row(row)
                to = code.at("%S", where + 8, 1)
                code.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {known.one}, i64 {8 * len(row)}, i1 false)")

    def _lay_planes(self, code: Code, planes: Planes, laid: list[int]) -> None:
        base = self.cell_place(code, planes.slot, 0)
        for number in range(planes.values):
            bits = sum(1 << place for place, value in enumerate(laid) if value == planes.low + number)
            where = code.at(base, number * planes.word // 8, 1)
            code.line(f"store i{planes.word} {signed(bits, planes.word)}, ptr {where}, align 8")

    def _lay(self, code: Code, value: int | tuple[int, ...], where: str) -> None:
        if isinstance(value, tuple):
            code.store_row(self.constants.row(value), where)
        else:
            code.store(str(value), where)

    def _tally(self) -> str:
        """Adds up the events and decisions of some games, and how many were given up."""
        words = self.words

        def write(code: Code) -> None:
            with code.loop("%n") as (at, next_game, _):
                result = code.at("%results", code.op(f"mul i64 {at}, {words}"))
                fine, up = code.fresh("fine"), code.fresh("given_up")
                code.split(code.op(f"icmp eq i64 {code.load(code.at(result, STATUS))}, 0"), fine, up, (2000, 1))
                code.label(up)
                more = code.op(f"add i64 {code.load(code.at('%totals', 2))}, 1")
                code.store(more, code.at("%totals", 2))
                code.go(next_game)
                code.label(fine)
                for place, word in enumerate((LENGTH, DECISIONS)):
                    total = code.at("%totals", place)
                    code.store(code.op(f"add i64 {code.load(total)}, {code.load(code.at(result, word))}"), total)
            code.end("ret void")

        return function("define void @tally(ptr %results, i64 %n, ptr %totals)", write)

    def _playouts(self) -> str:
        """Games one after the other; each has its own words of the result. While one is played, what the next one draws
        is begun, so that it need not wait for it."""
        words, size = self.words, (1 + self.decides) * STREAM

        def write(code: Code) -> None:
            both = code.room(f"[{2 * size} x i8]")

            def begin(at: str) -> str:
                key = code.op(f"call i64 @mix(i64 %seed, i64 {code.op(f'add i64 %first, {at}')})")
                place = code.at(both, code.op(f"mul nuw nsw i64 {code.op(f'and i64 {at}, 1')}, {size}"), 1)
                code.line(f"call void @streams(ptr {place}, i64 {key})")
                return place

            mine = code.room("ptr")
            code.line(f"store ptr {begin('0')}, ptr {mine}")
            with code.loop("%n") as (at, _, _):
                now = code.op(f"load ptr, ptr {mine}")
                code.line(f"store ptr {begin(code.op(f'add i64 {at}, 1'))}, ptr {mine}")
                result = code.at("%results", code.op(f"mul i64 {at}, {words}"))
                code.line(f"call void @game(ptr %S, ptr {now}, ptr %offers, ptr {result})")
            code.end("ret void")

        return function(
            "define void @playouts(ptr %S, i64 %seed, i64 %first, i64 %n, ptr %offers, ptr %results)", write
        )
