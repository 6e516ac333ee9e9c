"""A printed program, compiled: what the runtime calls, by number. Once for each configured program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

import attrs

from rulelang.failures import Broken
from rulelang.ir import nodes as ir
from rulelang.ir.effects import Shuffle
from rulelang.ir.expressions import Read
from rulelang.ir.laps import reachable
from rulelang.ir.program import Everyone, Nobody, Owner, Program, Seats
from rulelang.play import kinds
from rulelang.play.formulas import Context, cell_of, member_of
from rulelang_native.flat.around import Around
from rulelang_native.flat.verify import verify, verify_procedure
from rulelang_native.layout import Places
from rulelang_native.lowering.program import Lowering
from rulelang_native.printing.python import Source
from rulelang_native.runtime import failing, rows
from rulelang_native.runtime.bags import bags
from rulelang_native.runtime.blame import NAME, Blame
from rulelang_native.runtime.machine import Done, Entry, Machine, Nowhere, nowhere
from rulelang_native.runtime.partitions import Divider

if TYPE_CHECKING:
    from rulelang_native.flat.program import FlatProgram

Call = Callable[..., Any]


KINDS: Final[dict[type, Literal["seat", "sealed", "anyone"]]] = {
    ir.OneSeat: "seat",
    ir.SealedSeats: "sealed",
    ir.AnyOfSeats: "anyone",
}
"""How a decision waits."""


@attrs.frozen
class Decision:
    """What is to be known of a node that asks seats."""

    node: int
    moves: tuple[int, ...]
    """In order of number, each once."""
    may_pass: bool
    kind: Literal["seat", "sealed", "anyone"]
    first_only: bool
    names_who: bool
    """Whether ``answered`` becomes the seat that moved."""
    speaks: bool
    """Whether it offers moves that are not listed."""
    unhurried: bool
    """Whether it is open play of whose moves some line of advice speaks: to do nothing can be advised. Spec 11.4."""
    answered: int | None
    next: int


class Module:
    """The functions of one printed program."""

    def __init__(self, program: Program, path: list[int] | None = None) -> None:
        self.program = program
        self._path = path
        """Where the nodes that play comes to are noted, if they are."""
        self.lowering = Lowering(program)
        self.flat: FlatProgram = self.lowering.lower()
        self.layout = self.lowering.layout
        self.around = Around.of(program, self.layout)
        verify(self.flat, self.around)
        self.places = Places.of(self.layout)
        self.seats = kinds.seat_count(program)
        self.node_costs = self.lowering.node_costs
        self.attempt_costs = self.lowering.attempt_costs
        self.advice_costs = self.lowering.advice_costs
        self.entries = tuple((each.entry, len(each.locals)) for each in program.procedures)
        self.effects = tuple(move.procedure for move in program.moves)
        self.decisions = {
            at: _decision(program, at, node) for at, node in enumerate(program.nodes) if isinstance(node, ir.Decide)
        }
        self.results = {
            at: (node.result.number, node.next) if isinstance(node, ir.Chance) else None
            for at, node in enumerate(program.nodes)
        }
        """Where the outcome of a chance node goes, and where play goes on."""
        self.in_time = program.clock is not None or any(each.kind == "anyone" for each in self.decisions.values())
        """Whether games are played in table time (Spec 11.4)."""
        self.risky = any(self.lowering.shown_can_fail(move) for move in range(len(program.moves)))
        """Whether telling who is shown an answer can fail, so that it must be done even if nobody watches."""
        self._extra: dict[int, frozenset[int]] = {}
        source = self._source()
        for function in self.flat.functions:
            source.function(function)
        for procedure in self.flat.procedures:
            source.procedure(procedure)
        self.source = source.text
        self.blame = Blame(program, source.marks)
        self.functions = self._compiled(source, NAME)
        self.procedures: list[Call] = [
            self._runner(number, each.plain) for number, each in enumerate(self.flat.procedures)
        ]
        self.plain_effects = tuple(
            self.functions[f"q{number}"] if self.flat.procedures[number].plain else None for number in self.effects
        )
        self.listings = tuple(self.functions[f"list{number}"] for number in range(len(program.moves)))

    # -------------------------------------------------------------- compiling

    def _source(self) -> Source:
        return Source(self.places, metered=self.flat.metered, noting=self._path is not None)

    def _compiled(self, source: Source, name: str) -> dict[str, Any]:
        """The source's functions, in a namespace that holds what they call."""
        names: dict[str, Any] = {
            **source.constants,
            "fail": self.fail,
            "nowhere": nowhere,
            "has_answer": self.has_answer,
            "bags": self.bags,
            "within": rows.within,
            "minus": rows.minus,
            "bag_minus": rows.bag_minus,
            "taken_out": rows.taken_out,
            "turned": rows.turned,
            "linked": rows.linked,
            "tied": rows.tied,
            "replaced": rows.replaced,
        }
        if self._path is not None:
            names["noted"] = self._path.append
        exec(compile(source.text, name, "exec"), names)
        for number, division in enumerate(self.flat.divisions):
            codes = range(division.low, division.high + 1)
            divider = Divider(_of_group(names[division.worth]), whole=division.whole, codes=codes or None)
            names[f"divide{number}"] = divider.divide
        return names

    def _runner(self, number: int, plain: bool) -> Call:
        if not plain:
            return self.functions[f"p{number}"]  # type: ignore[no-any-return]
        effect, entry, given = (
            self.functions[f"q{number}"],
            self.entries[number][0],
            self.flat.procedures[number].parameters,
        )

        def run(machine: Machine, frame: list[Any]) -> bool:
            if frame[1] != entry or any(frame[2][given:]):
                raise Nowhere(frame[1])
            spent = effect(machine, machine.c, *frame[2][:given])
            machine.cost += spent  # not in one: what is metered has spent on this machine itself
            machine.frames.pop()
            return False

        return run

    def extend(self, number: int, node: int) -> None:
        """Write a procedure anew, over a frame, with a block at one more node."""
        if node not in reachable(self.program, self.program.procedures[number].entry):
            raise Broken("a frame stands outside its rule")
        self._extra[number] = self._extra.get(number, frozenset()) | {node}
        source = self._source()
        procedure = self.lowering.framed(number, self._extra[number])
        self.flat = attrs.evolve(self.flat, failures=tuple(self.lowering._failures))
        verify_procedure(self.flat, self.around, procedure)
        source.procedure(procedure)
        names = dict(self.functions)
        names.update(source.constants)
        name = f"<{self.program.name}, again {len(self.blame.marks)}>"
        exec(compile(source.text, name, "exec"), names)
        self.blame.marks[name] = source.marks
        self.procedures[number] = names[f"p{number}"]

    # -------------------------------------------------------------- what printed programs call

    def fail(self, failure: int, *values: object) -> NoReturn:
        """Give the step up."""
        failing.fail(self.program, self.flat.failures[failure], values)

    def bags(self, row: tuple[int, ...], count: int, failure: int) -> tuple[tuple[int, ...], ...]:
        """Every bag of so many elements of a sorted row, in lexicographic order."""
        return bags(row, count)

    def has_answer(self, cells: Any, node: int, seat: int) -> bool:
        """Whether a seat has any legal move at a node. Not asked where something can be said."""
        found: list[Entry] = []
        for move in self.decisions[node].moves:
            self.listings[move](cells, seat, found, 1)
            if found:
                return True
        return False

    # -------------------------------------------------------------- what the runtime asks

    def listed(self, cells: Any, node: int, seat: int, stop: int) -> list[Entry | None]:
        """The legal answers of a seat at a node, in number order, a pass (None) last; no more than wanted."""
        decision = self.decisions[node]
        found: list[Entry | None] = []
        for move in decision.moves:
            self.listings[move](cells, seat, found, stop)
            if len(found) >= stop:
                return found
        if decision.may_pass:
            found.append(None)
        return found

    def pile_to_shuffle(self, machine: Machine) -> int:
        """The cell of the pile whose shuffle waits for an outcome."""
        _, at, locals = machine.frames[-1]
        node = self.program.nodes[at]
        assert isinstance(node, ir.Do) and isinstance(node.effect, Shuffle)
        return cell_of(node.effect.pile, Context(self.program, self.layout, machine.c, locals))

    def sees(self, cells: Any, seats: Seats, part: str, slot: int, member: int) -> int:
        """The seats, as bits, that a declaration lets see a part of a member of a family."""
        if isinstance(seats, Everyone):
            return self.everybody
        if isinstance(seats, Nobody):
            return 0
        declared = self.program.slots[slot]
        owner = self.layout.families[slot].codes(member)[0] if declared.index else -1
        if isinstance(seats, Owner):
            return 1 << owner if 0 <= owner < self.seats else 0
        bits = 0
        for seat in self.functions[f"{part}{slot}"](cells, owner):
            if 0 <= seat < self.seats:
                bits |= 1 << seat
        return bits

    @property
    def everybody(self) -> int:
        """All seats, and behind them a bit for spectators."""
        return (2 << self.seats) - 1

    def shown(self, cells: Any, decision: Decision, seat: int, entry: Entry | None) -> Done:
        """An answer that is about to be carried out, and who is shown which part of it.

        Where a private move is offered a pass is private too: else whoever observes neither would know of the move.
        """
        if entry is None:
            return (seat, entry, (), any(self.program.moves[number].private for number in decision.moves))
        move = self.program.moves[entry[0]]
        if len(entry) == 1:
            return (seat, entry, (), move.private)
        context = Context(self.program, self.layout, cells, [seat, *entry[1:], *[0] * (move.locals - len(entry))])
        own = 1 << seat if seat < self.seats else 0
        bits: list[int] = []
        for parameter in move.parameters:
            places = [read.place for read in parameter.named_places if isinstance(read, Read)]
            seen = 0 if places else self.everybody
            for place in places:
                sight = self.program.slots[place.slot].sight.content
                if isinstance(sight, Everyone):
                    seen = self.everybody
                    break
                seen |= self.sees(cells, sight, "content", place.slot, member_of(place, context))
            bits.append(seen | own)
        return (seat, entry, tuple(bits), move.private)


def _decision(program: Program, at: int, node: ir.Decide) -> Decision:
    return Decision(
        at,
        tuple(sorted(set(node.moves))),
        ir.may_pass(node.asked),
        KINDS[type(node.asked)],
        isinstance(node.asked, ir.SealedSeats) and node.asked.first_only,
        ir.names_who_moved(node.asked),
        kinds.speaks(program, node),
        isinstance(node.asked, ir.AnyOfSeats)
        and node.answered is None
        and any(preference.move in node.moves for preference in program.preferences),
        None if node.answered is None else node.answered.number,
        node.next,
    )


def _of_group(worth: Call) -> Call:
    return lambda group: worth((), group)
