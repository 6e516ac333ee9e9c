"""Playing games at random: legal events, and attempts that are mostly illegal. Spec 1.4 and 8.5.

for state, event in playthrough(game, Dice.seeded(3), steps=50): ...
for answer in attempts(state, dice, 20): ...
"""

from collections.abc import Iterator

from rulelang.failures import Exhausted
from rulelang.ir.program import Parameter
from rulelang.play import kinds
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.testing.dice import Dice


def legal_event(state: State, dice: Dice) -> Event | None:
    """Any event that can come now; None if the game is over or stuck."""
    waiting = state.waiting
    if waiting.kind == "chance":
        return Outcome(state.sample(dice))
    if waiting.kind == "over":
        return None
    if waiting.kind == "anyone":
        return _in_open_play(state, dice)
    answers: list[Answer] = []
    for seat in waiting.seats:
        moves = state.moves(seat)
        if not moves:
            return None
        answers.append(dice.pick(moves))
    return Sealed(tuple(answers)) if waiting.kind == "sealed" else answers[0]


def _in_open_play(state: State, dice: Dice) -> Event | None:
    """Somebody acts, or time goes on: to the next timer, or some of the way there."""
    able = [seat for seat in state.waiting.seats if state.moves(seat)]
    due = state.deadline
    if able and (due is None or dice.chance(60)):
        return dice.pick(state.moves(dice.pick(able)))
    if due is None:
        return None
    return Expiry(due[0]) if dice.chance(50) else Reading(dice.between(state.now, due[1] - 1))


def playthrough(game: Game, dice: Dice, steps: int) -> Iterator[tuple[State, Event | None]]:
    """Up to so many states of a random game, each with the event that is about to come; None with the last.

    An event that exhausts a limit is tried otherwise a few times; then the game is given up.
    """
    try:
        state = game.start()
    except Exhausted:
        return
    for _ in range(steps):
        event, after = _step(state, dice)
        yield state, event
        if after is None:
            return
        state = after
    yield state, None


def _step(state: State, dice: Dice) -> tuple[Event | None, State | None]:
    for _ in range(4):
        try:
            event = legal_event(state, dice)
            return event, None if event is None else state.step(event)
        except Exhausted:
            continue
    return None, None


def attempts(state: State, dice: Dice, count: int) -> Iterator[Event]:
    """Well-typed events, most of them illegal: wrong seats and moves, cards that are not there, chance uncalled for."""
    program = state.game.program
    seats = kinds.seat_count(program)
    for _ in range(count):
        way = dice.below(12)
        if way == 0:
            yield Outcome(dice.between(-2, 12))
        elif way == 1:
            yield Sealed(tuple(_answer(state, dice, dice.below(seats)) for _ in range(dice.below(seats + 1))))
        elif way == 2 and state.waiting.kind == "sealed":
            yield Sealed(tuple(_answer(state, dice, seat) for seat in state.waiting.seats))
        elif way == 3:
            yield _answer(state, dice, dice.between(-1, seats))
        else:
            asked = state.waiting.seats
            yield _answer(state, dice, dice.pick(asked) if asked and dice.chance(70) else dice.below(seats))


def _answer(state: State, dice: Dice, seat: int) -> Answer:
    program = state.game.program
    if not program.moves or dice.chance(8):
        return Pass(seat)
    if dice.chance(3):
        return Play(seat, dice.between(-1, len(program.moves)), ())
    offered = state.waiting.moves
    move = dice.pick(offered) if offered and dice.chance(70) else dice.below(len(program.moves))
    arguments = tuple(_code(state, parameter, dice) for parameter in program.moves[move].parameters)
    if dice.chance(3):
        arguments = arguments[:-1] if arguments else (0,)
    return Play(seat, move, arguments)


def _code(state: State, parameter: Parameter, dice: Dice) -> int:
    """A value of the parameter's kind; now and then one just outside."""
    low = kinds.least(parameter.type)
    size = kinds.size(state.game.program, parameter.type)
    if dice.chance(4):
        return dice.pick((low - 1, low + size, -1, 2**40))
    return low + dice.below(min(size, 2**32))
