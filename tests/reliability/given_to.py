"""What one seat, or a spectator (seat None), is given: everything, as text, so that order and length count too.

The tests of R8 compare these texts for two states that are the same for the seat, and look in them for names that the
seat may not know. Numbers of steps and of events are left out: they belong to the record, which shows everything.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Everyone, Program, Zone
from rulelang.ir.types import SeatType
from rulelang.pipeline import compile_file, engine_named
from rulelang.play.configurations import Label, all_seats, choices
from rulelang.play.engine import Draw, Game, State
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.explaining import Explained, Explainer, Seen, spoken_program
from rulelang.play.explaining.explainer import NODES
from rulelang.play.quiet import hides as hides_anything
from rulelang.play.refusal import Refusal
from rulelang.play.resample import TRIES, Resampler
from rulelang.play.trace import history
from rulelang.play.words import move_text
from rulelang.rulesets import all_rulesets
from rulelang.testing import Dice, attempts
from rulelang.tools.explain import all_reasons, offered_lines
from rulelang.tools.explain_value import tree_lines
from rulelang.tools.narrate import Narrator, observed_words, step_lines
from rulelang.tools.table import short_lines, table_lines

RULESETS = dict(all_rulesets())

ASKED_OF_A_FAMILY = 12
"""Members of one family that an explanation is asked for, at most."""


# ------------------------------------------------------------------ games


@cache
def rules_of(name: str) -> Program:
    """A ruleset, compiled once; not yet closed."""
    return compile_file(RULESETS[name]).program


HIDING = tuple(name for name in RULESETS if hides_anything(rules_of(name)))
"""The rulesets in which somebody does not see something."""

OPEN = tuple(name for name in RULESETS if name not in HIDING)
"""Those in which everybody sees everything."""


@cache
def choices_of(name: str, seats: int) -> tuple[tuple[str, Label], ...]:
    """Everything that can be chosen for a ruleset, besides the defaults."""
    return tuple(choices(rules_of(name), seats))


@cache
def closed(name: str, seats: int, options: tuple[tuple[str, Label], ...], engine: str) -> Game:
    """A ruleset ready to play. Raises Refused and Exhausted."""
    return engine_named(engine).configure(rules_of(name), seats, dict(options))


def some_game(name: str, dice: Dice, engine: str = "reference") -> Game:
    """A ruleset with some number of seats and, half of the time, with something chosen."""
    seats = dice.pick(all_seats(rules_of(name)))
    options = tuple(dice.pick(choices_of(name, seats)) for _ in range(dice.below(4) - 1) if choices_of(name, seats))
    try:
        return closed(name, seats, tuple(sorted(dict(options).items())), engine)
    except (Refused, Exhausted):
        return closed(name, seats, (), engine)


def hides(game: Game) -> bool:
    """Whether something that is declared in a game is not seen by everybody."""
    return any(not isinstance(slot.sight.content, Everyone) for slot in game.program.slots)


def keeps_secrets(program: Program) -> bool:
    """Whether something hidden ever lies anywhere. In unseen piles nothing does before somebody sees it (10.4)."""
    unseen = (isinstance(slot, Zone) and slot.blind for slot in program.slots)
    return any(
        not isinstance(slot.sight.content, Everyone) and not blind
        for slot, blind in zip(program.slots, unseen, strict=True)
    )


def seats_of(state: State) -> int:
    """How many play."""
    assert state.game.program.configuration is not None
    return state.game.program.configuration.seats


def viewers(state: State) -> tuple[int | None, ...]:
    """Every seat, and those who watch."""
    return (*range(seats_of(state)), None)


def tried_by(state: State, seat: int | None, dice: Dice, count: int = 12) -> list[Answer]:
    """Some attempts of a seat, legal or not; who watches attempts nothing."""
    events = attempts(state, dice, count) if seat is not None else ()
    return [event for event in events if isinstance(event, Play | Pass) and event.seat == seat]


# ------------------------------------------------------------------ by the engine


def listed(state: State, seat: int | None) -> list[Answer] | None:
    """The legal answers of a seat; None if they cannot be listed, as a requirement stumbles over what is none."""
    try:
        return list(state.moves(seat)) if seat is not None else []
    except Exhausted:
        return None


def given(state: State, seat: int | None, tried: Sequence[Answer]) -> dict[str, str]:
    """What the engine gives a seat."""
    answers = listed(state, seat) or ()
    return {
        "view": repr(state.view(seat)),
        "wait": repr(state.waiting),
        "log": repr(state.observed(seat)),
        "moves": repr(listed(state, seat)),
        "numbers": repr([state.game.number(answer) for answer in answers]),
        "reasons": repr([reasons(state, answer) for answer in tried]),
        "outcome": repr(state.outcome),
    }


def reasons(state: State, answer: Answer) -> tuple[Refusal, ...] | str:
    """Every reason against an attempt, or why that cannot be said."""
    try:
        return state.refusals(answer)
    except Exhausted as exhausted:
        return str(exhausted)


# ------------------------------------------------------------------ by the tools


def shown(state: State, seat: int | None, tried: Sequence[Answer], asked: "Questions") -> dict[str, str]:
    """What a seat reads on the screen, what it is advised, and what it is told when it asks why."""
    program, view = state.game.program, state.view(seat)
    return {
        "table": _text([*table_lines(program, view), *short_lines(program, view)]),
        "prompt": _text([state.waiting.words, *offered_lines(program, state.waiting)]),
        "list": _text([move_text(program, answer) for answer in listed(state, seat) or ()]),
        "advice": _advice(state, seat),
        "why": _text(line for answer in tried for line in _why(state, answer)),
        "errors": _text(_error(state, answer) for answer in [*tried, *(listed(state, seat) or ())[:3]]),
        "explain": _text(asked.answers(state, seat)),
    }


def told(state: State, seat: int | None) -> dict[str, str]:
    """What a seat was told from the start of the game on: the moves that it observed, and what changed before it."""
    past = history(state)
    assert past is not None
    program = state.game.program
    steps = Narrator(program, seat, past[0]).until(state)
    return {
        "told": _text(line for step in steps for line in step_lines(program, step, numbered=False)),
        "heard": _text(observed_words(program, each) for each in state.observed(seat)),
    }


def _text(lines: "Iterator[str] | Sequence[str]") -> str:
    return "\n".join(lines)


def _why(state: State, answer: Answer) -> Iterator[str]:
    found = reasons(state, answer)
    yield from (found,) if isinstance(found, str) else all_reasons(found)


def _advice(state: State, seat: int | None) -> str:
    try:
        return repr(state.preferred(seat) if seat is not None and seat in state.waiting.seats else None)
    except Exhausted as exhausted:
        return str(exhausted)


def _error(state: State, answer: Answer) -> str:
    """What is said if the answer cannot be carried out, though nothing is against it."""
    if state.waiting.kind == "sealed" or reasons(state, answer):
        return ""
    try:
        state.step(answer)
    except (Exhausted, Refused) as failure:
        return str(failure)
    return ""


@attrs.define
class Questions:
    """What can be asked to be explained in one ruleset: defines for nobody or for one seat, and places."""

    open: Program
    _spoken: dict[int, tuple[Game, Program]] = attrs.field(factory=dict)

    def spoken(self, game: Game) -> Program:
        """The rules as they are explained in a game; the game is kept, so that its identity stays its own."""
        if id(game) not in self._spoken:
            self._spoken[id(game)] = game, spoken_program(self.open, game.program)
        return self._spoken[id(game)][1]

    def answers(self, state: State, seat: int | None) -> Iterator[str]:
        """Every answer, or why there is none."""
        program = self.spoken(state.game)
        explainer = Explainer(program, Seen(state.game.program, state, seat))
        for number, function in enumerate(program.functions):
            kinds = explainer.kinds.parameters[number]
            if not function.name.isidentifier():
                continue
            if not function.parameters:
                yield self._answer(explainer, explainer.define, number, (), ())
            elif function.parameters == 1 and isinstance(kinds.get(0), SeatType):
                for about in range(seats_of(state)):
                    yield self._answer(explainer, explainer.define, number, (about,), (SeatType(),))
        for slot, family in enumerate(explainer.layout.families):
            for member in range(min(family.count, ASKED_OF_A_FAMILY)):
                yield self._answer(explainer, explainer.marker, slot, member)

    @staticmethod
    def _answer(explainer: Explainer, ask: Callable[..., Explained], *about: object) -> str:
        explainer.left = NODES  # each question may be answered at full length
        try:
            return _text(tree_lines(ask(*about)))
        except (Refused, Exhausted) as failure:
            return str(failure)


# ------------------------------------------------------------------ two states


class AnyDeal(Resampler):
    """Any deal that fits what the seat saw. How likely it is does not matter here, so no lines are thrown away."""

    def _forward(self, draw: Draw) -> State | None:
        line = self._next_line(draw, TRIES)
        return None if line is None else line.state


def differences(one: State, other: State, seat: int | None, dice: Dice) -> list[str]:
    """What the engine gives the seat that tells it that these are two states."""
    tried = tried_by(one, seat, dice)
    return unequal(given(one, seat, tried), given(other, seat, tried))


def unequal(mine: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """The texts that differ."""
    return [name for name in mine if mine[name] != theirs[name]]


def differing(one: State, other: State) -> int:
    """How many places hold something else: what the seat must not notice."""
    here, there = one.position(), other.position()
    return sum(a != b for a, b in zip(here.cells, there.cells, strict=True)) + (here.pools != there.pools)
