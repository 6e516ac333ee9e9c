"""Whether an event is what the game waits for: the checks that do not depend on who carries it out. Spec 7.3, 11.3."""

from typing import Protocol

from rulelang import limits
from rulelang.diagnostics.codes import GAME_OVER, NO_SUCH_TIME, TIME_GOES_BACK, TIMER_RUNS_OUT, WRONG_EVENT
from rulelang.failures import Refused
from rulelang.ir.program import Program
from rulelang.play.event import Answer, Expiry, Pass, Play, Reading, Sealed
from rulelang.play.outcome import GameOutcome
from rulelang.play.reasons import engine_refusal
from rulelang.play.refusal import Refusal
from rulelang.play.waiting import Waiting


class Game(Protocol):
    """What of a configured game is looked at here."""

    @property
    def program(self) -> Program: ...


class State(Protocol):
    """What of a position is looked at here; ``rulelang.play.engine`` says what each is."""

    @property
    def game(self) -> Game: ...

    @property
    def waiting(self) -> Waiting: ...
    @property
    def now(self) -> int: ...
    @property
    def deadline(self) -> tuple[int, int] | None: ...
    @property
    def outcome(self) -> GameOutcome | None: ...
    def refusals(self, answer: Answer) -> tuple[Refusal, ...]: ...


def not_waited_for(state: State, found: str) -> Refused:
    """The failure to raise: the game waits for something else than ``found``."""
    wanted = {
        "over": "nothing: the game is over",
        "chance": "one of the possible outcomes of chance",
        "seat": "an answer",
        "anyone": "an answer or the next timer",
        "sealed": "the answers of all asked seats together, in their order",
    }[state.waiting.kind]
    return Refused([engine_refusal("wrong_event", WRONG_EVENT, wanted=wanted, found=found)])


def accepted(state: State, event: Play | Pass | Sealed) -> tuple[Answer, ...]:
    """The answers of an event, each legal and each of a seat that is asked. Raises Refused with every reason."""
    together = isinstance(event, Sealed)
    answers = event.answers if isinstance(event, Sealed) else (event,)
    waiting = state.waiting
    sealed = waiting.kind == "sealed"
    if together != sealed or (sealed and tuple(each.seat for each in answers) != waiting.seats):
        reasons = () if isinstance(event, Sealed) else state.refusals(event)
        raise Refused(reasons) if reasons else not_waited_for(state, "this answer")
    reasons = tuple(reason for answer in answers for reason in state.refusals(answer))
    if reasons:
        raise Refused(reasons)
    return answers


def accept_reading(state: State, event: Reading) -> None:
    """Raises Refused if the clock cannot say this time."""
    _accept_time(state)
    if event.time < state.now:
        raise Refused([engine_refusal("time_goes_back", TIME_GOES_BACK, now=state.now, time=event.time)])
    if event.time > limits.LAST_TIME:
        raise Refused([engine_refusal("no_such_time", NO_SUCH_TIME, time=event.time, limit=limits.LAST_TIME)])
    _accept_before_timers(state, event.time)


def accept_expiry(state: State, event: Expiry, ends: tuple[int | None, ...]) -> int:
    """The moment at which a timer runs out.

    ``ends`` is what each timer says, None for one that does not run. Raises Refused if this one cannot run out now.
    """
    _accept_time(state)
    if not 0 <= event.timer < len(ends):
        raise not_waited_for(state, "a timer")
    end = ends[event.timer]
    if end is None:
        raise not_waited_for(state, f"'{state.game.program.timers[event.timer].name}', which does not run")
    if end > limits.LAST_TIME:
        raise Refused([engine_refusal("no_such_time", NO_SUCH_TIME, time=end, limit=limits.LAST_TIME)])
    if state.deadline != (event.timer, end):
        _accept_before_timers(state, end)
    return end


def next_timer(ends: tuple[int | None, ...]) -> tuple[int, int] | None:
    """The timer that runs out first and when, None if none does. Of equal times the first declared counts.

    One whose end lies behind the last moment that there is runs, and never runs out.
    """
    running = [(end, number) for number, end in enumerate(ends) if end is not None and end <= limits.LAST_TIME]
    if not running:
        return None
    end, number = min(running)
    return number, end


def _accept_time(state: State) -> None:
    if state.game.program.clock is None:
        raise not_waited_for(state, "a time, as there is no clock")
    if state.outcome is not None:
        raise Refused([engine_refusal("game_over", GAME_OVER)])


def _accept_before_timers(state: State, time: int) -> None:
    """Raises Refused if a timer runs out at this time or before."""
    due = state.deadline
    if due is not None and due[1] <= time:
        name = state.game.program.timers[due[0]].name
        raise Refused([engine_refusal("timer_runs_out", TIMER_RUNS_OUT, timer=name, time=due[1])])
