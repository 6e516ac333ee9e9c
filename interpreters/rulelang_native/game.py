"""A configured game: its printed program and the numbers of answers. Spec 1.6 and 8.6."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import prod
from typing import TYPE_CHECKING, Any, cast

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, NO_SUCH_MOVE
from rulelang.failures import Exhausted, Refused
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import PickType, SaidType
from rulelang.play import kinds
from rulelang.play.engine import Draw, NoRoom
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.folding import most_locals
from rulelang.play.formulas import Context, codes, evaluate, number
from rulelang.play.missing import no_piece
from rulelang.play.monte_carlo import roll_out, stepwise
from rulelang.play.playouts import GameSummary
from rulelang.play.position import Position
from rulelang.play.reasons import engine_refusal, exhausted, standing
from rulelang_native.runtime import failing
from rulelang_native.runtime.machine import Entry, Machine
from rulelang_native.runtime.module import Module
from rulelang_native.state import State

if TYPE_CHECKING:
    from rulelang.play.trace import Glimpse
    from rulelang.play.uct import Known
    from rulelang_native.llvm.batches import BatchProgram, CompiledBatch
    from rulelang_native.llvm.compiled import Compiled
    from rulelang_native.llvm.rehearsing import Attempts, Rehearsal
    from rulelang_native.llvm.rolling import Roller
    from rulelang_native.llvm.trees import Growth
    from rulelang_native.playing import Policy


class Game:
    """A closed program, printed and compiled, ready to play."""

    def __init__(self, program: Program, path: list[int] | None = None) -> None:
        self.program = program
        self.module = Module(program, path)
        self.layout = self.module.layout
        self.seats = self.module.seats
        self.uneasy_words = self._uneasy_words()
        self._first: Machine | None = None
        self._roller: Roller | None = None
        self._others: dict[tuple[tuple[bool, ...], bool], Compiled | None] = {}
        """Compiled programs where these seats follow the advice of the rules."""

    def _uneasy_words(self) -> frozenset[int]:
        """The nodes whose words may be impossible to say."""
        lowering = self.module.lowering
        found: set[int] = set()
        for procedure in self.module.flat.procedures:
            locals = lowering.frame_locals(procedure.number)
            for at in lowering.nodes_of(procedure.number):
                node = self.program.nodes[at]
                if isinstance(node, Decide) and lowering.words_can_fail(node.words, locals):
                    found.add(at)
        return frozenset(found)

    def start(self) -> State:
        """The first waiting state."""
        machine = self._laid_out()
        machine.done = []
        machine.advance()
        return State(self, machine)

    def from_bytes(self, data: bytes) -> State:
        """The state with these bytes. Raises Refused for bytes that are no state of this game."""
        from rulelang_native.loading import Reader

        return Reader(self, data).state()

    def position(self, position: Position) -> State:
        """The state that play comes to from a position. Raises Refused if it cannot lie like that."""
        from rulelang_native.positions import lay_out

        return lay_out(self, position)

    def playouts(
        self,
        n: int,
        seed: int,
        policy: str | Policy = "random",
        threads: int = 1,
        first: int = 0,
        *,
        promises: bool = False,
    ) -> Iterator[GameSummary]:
        """Games ``first`` to ``first + n - 1`` of a seed: the same as `rulelang.play.playouts` with such players.

        ``policy`` is "random" or "advised", or one of them for each seat. ``threads`` changes nothing about the games;
        it makes those faster that are compiled (random players, llvmlite installed), as printed Python holds the
        interpreter's lock. With ``promises``, the author's invariants (``always``) are looked at wherever a game waits.
        """
        from rulelang_native.playing import advised_seats, playouts

        advised = advised_seats(self, policy)  # which refuses what is none
        if self.compiles and self._can_compile:
            from rulelang_native.llvm.playing import compiled_in_time

            names: Policy = tuple("advised" if each else "random" for each in advised[: self.seats])
            looked = promises and bool(self.program.invariants)
            return compiled_in_time(self, n, seed, first, threads, names, promises=looked)
        return playouts(self, n, seed, policy, first, promises=promises)

    def compiled_playouts(
        self, n: int, seed: int, policy: str | Policy = "random", first: int = 0, *, promises: bool = False
    ) -> Iterator[GameSummary | None] | None:
        """The same games by compiled code alone; None for one that it gives up, and None if there is no such code."""
        from rulelang_native.playing import advised_seats

        advised = advised_seats(self, policy)
        machine = self.compiled_for(advised, promises=promises) if self.compiles else None
        if machine is None:
            return None
        from rulelang_native.llvm.playing import compiled_alone

        return compiled_alone(self, machine, n, seed, first)

    @cached_property
    def compiles(self) -> bool:
        """Whether llvmlite is there, and is wanted: RULELANG_NATIVE=python does without it."""
        return os.environ.get("RULELANG_NATIVE") != "python" and find_spec("llvmlite") is not None

    @cached_property
    def _can_compile(self) -> bool:
        """Whether llvmlite is not only there, but whole."""
        try:
            import_module("rulelang_native.llvm.machine")
        except (ImportError, OSError):
            return False
        return True

    @cached_property
    def compiled(self) -> Compiled | None:
        """The compiled program; None if something in it has no form in LLVM yet, or llvmlite is there but not whole.

        It is what is there soonest: the second tier if it was compiled before, else the first, which many games
        (`rulelang_native.llvm.playing`) or a call of `improve` make the second.
        """
        return self._compiled(())

    def compiled_for(self, advised: tuple[bool, ...], *, promises: bool = False) -> Compiled | None:
        """The same where some seats follow the advice of the rules, or promises are looked at; all are kept."""
        advised, looked = self._differently(advised, promises)
        if not advised and not looked:
            return self.compiled
        if (advised, looked) not in self._others:
            self._others[advised, looked] = self._compiled(advised, promises=looked)
        return self._others[advised, looked]

    def compiled_before(self, advised: tuple[bool, ...], *, promises: bool = False) -> Compiled | None:
        """The same, if it was compiled already."""
        advised, looked = self._differently(advised, promises)
        found: Compiled | None = vars(self).get("compiled")
        return self._others.get((advised, looked)) if advised or looked else found

    def _differently(self, advised: tuple[bool, ...], promises: bool) -> tuple[tuple[bool, ...], bool]:
        """In what games differ from those of random players without a look at promises: nothing if it changes none."""
        follows = True in advised and bool(self.program.preferences)
        return advised if follows else (), promises and bool(self.program.invariants)

    def _compiled(self, advised: tuple[bool, ...], *, promises: bool = False) -> Compiled | None:
        from rulelang_native.lowering.failing import NotLowered

        try:
            from rulelang_native.llvm.compiled import Compiled
            from rulelang_native.llvm.machine import AT_ONCE
        except (ImportError, OSError):
            return None
        try:
            return Compiled(self, AT_ONCE, advised=advised, promises=promises)
        except NotLowered:
            return None

    def roll_outs(self, state: State, answers: Sequence[Answer], draw: Draw, horizon: int) -> Sequence[Fraction]:
        """What each answer of a seat is worth when all go on at random: `rulelang.play.monte_carlo.roll_out` of each.

        It is compiled as soon as that saves time, if it can be.
        """
        roller = self._rolls()
        if roller is None:
            return [roll_out(cast(Any, state), answer, draw, horizon) for answer in answers]
        return roller.roll_outs(state, answers, draw, horizon)

    def played_out(self, state: State, draw: Draw, horizon: int) -> tuple[Fraction, ...] | None:
        """What each seat gets if all go on at random: `rulelang.play.monte_carlo.played_out`."""
        roller = self._rolls()
        if roller is None:
            return stepwise(cast(Any, state), draw, horizon)
        return roller.played_out(state, draw, horizon)

    def hastened(self, states: Sequence[State]) -> Sequence[Any] | None:
        """The same line in compiled states, which are stepped and compared faster; None if there are none."""
        roller = self._rolls()
        return None if roller is None else roller.hastened(states)

    def growth(self, seat: int, horizon: int, known: Known) -> Growth | None:
        """A tree of `uct:N` that grows by compiled rounds; None if it cannot, or if that is not worth while yet."""
        roller = self._rolls()
        return None if roller is None else roller.growth(seat, horizon, known)

    def rehearsal(self, states: Sequence[Any], trace: Sequence[Glimpse], seat: int | None) -> Rehearsal | None:
        """A line of compiled states that is changed and played on in one call each; None if there is no such thing."""
        roller = self._rolls()
        return None if roller is None else roller.rehearsal(states, trace, seat)

    def attempts(self, state: Any, trace: Sequence[Glimpse], seat: int | None) -> Attempts | None:
        """What tries events from states like this one in one call each; None if there is no such thing."""
        roller = self._rolls()
        return None if roller is None else roller.attempts(state, trace, seat)

    def batch(self, n: int, seed: int, first: int = 0) -> CompiledBatch | None:
        """Games side by side, stepped on arrays; None if they cannot be compiled. See `rulelang.play.batches`."""
        program = self._batches
        if program is None:
            return None
        from rulelang_native.llvm.batches import CompiledBatch

        try:
            return CompiledBatch(program, n, seed, first)
        except (Exhausted, NoRoom):  # as games begin already: matches say which limit it is
            return None

    @cached_property
    def _batches(self) -> BatchProgram | None:
        if not self.compiles:
            return None
        from rulelang_native.lowering.failing import NotLowered

        try:
            from rulelang_native.llvm.batches import BatchProgram
        except (ImportError, OSError):
            return None
        try:
            return BatchProgram(self)
        except NotLowered:
            return None

    def _rolls(self) -> Roller | None:
        """What rolls out compiled states; None without llvmlite."""
        if self._roller is None and self.compiles:
            try:
                from rulelang_native.llvm.rolling import Roller
            except (ImportError, OSError):
                return None
            self._roller = Roller(self)
        return self._roller

    # ------------------------------------------------------------------ the beginning

    def beginning(self) -> Machine:
        """The machine at the first wait; it costs what it costs, and is worked out once."""
        if self._first is None:
            machine = self._laid_out()
            machine.advance()
            machine.most = limits.EVENT_COST
            self._first = machine
        first = self._first
        frames = [[procedure, node, list(locals)] for procedure, node, locals in first.frames]
        machine = Machine(self.module, list(first.c), list(first.pools), frames)
        machine.cost, machine.asked, machine.urn, machine.over = first.cost, first.asked, first.urn, first.over
        return machine

    def _laid_out(self) -> Machine:
        """Everything as it lies before play, one unit for each place and piece. Spec 7.2."""
        program = self.program
        entry, count = self.module.entries[0]
        machine = Machine(self.module, [], [], [[0, entry, [0] * count]])
        machine.most = limits.SETUP_COST
        most = most_locals(program)
        for slot, declared in enumerate(program.slots):
            members = self.layout.families[slot].count
            with standing(declared.at):
                if isinstance(declared, Marker):
                    context = Context(program, self.layout, machine.c, [0] * most)
                    laid = failing.fitting(program, slot, evaluate(declared.initial, context))
                    units = 1
                else:
                    laid = self._start(declared, most)
                    units = 1 + len(laid)
                machine.cost += units * members
                if machine.cost > machine.most:
                    machine.stop()
            machine.c.extend([laid] * members)
        return machine

    def _start(self, zone: Zone, locals: int) -> tuple[int, ...]:
        """What lies in each member of a zone before play."""
        pieces: list[int] = []
        possible = kinds.all_codes(self.program, zone.content)
        for start in zone.starts:
            context = Context(self.program, self.layout, (), [0] * locals)
            portions: list[tuple[int, int]] = []
            for code in codes(start.values, context):
                context.locals[start.variable.number] = code
                portions.append((code, max(0, number(start.times, context))))
            for code, times in portions:
                if code not in possible and times > 0:
                    raise no_piece(zone, code)
                if len(pieces) + times > limits.COLLECTION:
                    raise exhausted(CAPACITY_EXHAUSTED, zone=zone.name, limit=limits.COLLECTION)
                pieces += [code] * times
        if zone.shape == "slot" and len(pieces) > 1:
            raise exhausted(CAPACITY_EXHAUSTED, zone=zone.name, limit=1)
        return tuple(sorted(pieces)) if zone.shape == "bag" else tuple(pieces)

    # ------------------------------------------------------------------ answers as listings offer them

    def answer_of(self, seat: int, entry: Entry | None) -> Answer:
        """The answer that an offer stands for: a pick is named by its rank."""
        if entry is None:
            return Pass(seat)
        parameters = self.program.moves[entry[0]].parameters
        arguments = entry[1:]
        if entry[0] in self._picking:
            arguments = tuple(
                kinds.answer_code(self.program, parameter.type, value)
                for parameter, value in zip(parameters, arguments, strict=True)
            )
        return Play(seat, entry[0], arguments)

    def entry_of(self, answer: Answer) -> Entry | None:
        """The offer that an answer of its kinds is."""
        if isinstance(answer, Pass):
            return None
        move = self.program.moves[answer.move]
        return (
            answer.move,
            *[
                kinds.answer_value(self.program, parameter.type, code)
                if kinds.contains(self.program, parameter.type, code)
                else code
                for parameter, code in zip(move.parameters, answer.arguments, strict=True)
            ],
        )

    @cached_property
    def _picking(self) -> frozenset[int]:
        """The moves with a pick or something said among their parameters."""
        return frozenset(
            at
            for at, move in enumerate(self.program.moves)
            if any(isinstance(parameter.type, PickType | SaidType) for parameter in move.parameters)
        )

    # ------------------------------------------------------------------ numbers of answers

    @cached_property
    def _first_numbers(self) -> tuple[int, ...]:
        """The first number of every move, and after them that of passing."""
        firsts = [0]
        for move in self.program.moves:
            firsts.append(firsts[-1] + prod(kinds.size(self.program, parameter.type) for parameter in move.parameters))
        return tuple(firsts)

    @property
    def max_numbers(self) -> int:
        """How many numbers there are, that of passing included."""
        return self._first_numbers[-1] + 1

    def number(self, answer: Answer) -> int:
        """Order of declaration, then mixed radix over the parameters' kinds, the first slowest; pass comes last."""
        if isinstance(answer, Pass):
            return self._first_numbers[-1]
        digits = 0
        for parameter, code in zip(self.program.moves[answer.move].parameters, answer.arguments, strict=True):
            digits = digits * kinds.size(self.program, parameter.type) + code - kinds.least(parameter.type)
        return self._first_numbers[answer.move] + digits

    def answer(self, seat: int, number: int) -> Answer:
        """The answer with this number. Raises Refused if there is none."""
        firsts = self._first_numbers
        if not 0 <= number <= firsts[-1]:
            raise Refused([engine_refusal("no_such_move", NO_SUCH_MOVE, move=number)])
        if number == firsts[-1]:
            return Pass(seat)
        move = next(place for place, first in enumerate(firsts[1:]) if number < first)
        rest = number - firsts[move]
        found: list[int] = []
        for parameter in reversed(self.program.moves[move].parameters):
            rest, digit = divmod(rest, kinds.size(self.program, parameter.type))
            found.append(digit + kinds.least(parameter.type))
        return Play(seat, move, tuple(reversed(found)))

    # ------------------------------------------------------------------ the author's promises

    def invariants(self, state: State) -> tuple[str, ...]:
        """The names of the author's invariants that do not hold in this state."""
        functions = self.module.functions
        broken: list[str] = []
        for place, invariant in enumerate(self.program.invariants):
            with standing(invariant.at):
                if not functions[f"invariant{place}"](state.cells):
                    broken.append(invariant.name)
        return tuple(broken)
