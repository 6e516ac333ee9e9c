"""Two interpreters in lock-step: equal ones do not differ, and every planted fault is found, with a short record."""

from typing import Any

import attrs
import pytest

from rulelang.failures import Broken, Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, engine_named, load
from rulelang.play.chance import Stream
from rulelang.play.comparing import Compared, Effort
from rulelang.play.configurations import Variations, all_seats, choices
from rulelang.play.covering import Covering
from rulelang.play.differing import Difference, compare
from rulelang.play.event import Outcome, Pass, Play, Sealed
from rulelang.play.record import Record, header_of
from rulelang.play.refusal import Refusal
from rulelang.play.replay import replay
from rulelang.play.shortening import Search, shortest
from rulelang.play.waiting import Waiting
from rulelang.testing.faulty import Fault, FaultyEngine

REFERENCE = engine_named("reference")
MOST = 20_000
"""Moves within which a fault must be found; all are found much earlier."""

PROMISES = """
game "Promises":
  players: 2

marker total: 0..9 = 0
always small: total <= 3
always never: total <= 9

overview:
  turns of p from seat(1):
    p must add
    if total is 9: end game, nobody wins

move add: total rises by 1
"""

WINDOW = """
game "Window":
  players: 3

marker calls for each player: 0..9 = 0
marker rounds: 0..9 = 0

overview:
  turns of p from seat(1):
    p must go_on
    others(p) may in_order call as taker because window: "does anybody call?"
    if rounds is 9: end game, nobody wins

move go_on: rounds rises by 1
move call(n in 1..2): my calls rises by n
"""

OVERFLOW = """
game "Overflow":
  players: 2

marker total: 0..2 = 0

overview:
  repeat: seat(1) must add or wait

move add: total rises by 1
move wait
"""


def program_of(rules: str) -> Program:
    """A ruleset by name, or rules as text."""
    return compile_text(rules).program if "\n" in rules else load(rules).program


def difference_of(
    fault: Fault, rules: str, seats: int = 2, options: dict[str, Any] | None = None, moves: int = MOST, **effort: int
) -> Difference | None:
    """What a fault shows, at the latest after so many moves."""
    program = program_of(rules)
    first = FaultyEngine(REFERENCE, fault)
    return compare(first, REFERENCE, program, seats, options or {}, 7, moves, effort=Effort(**effort))


def shortened(
    fault: Fault, rules: str, seats: int = 2, options: dict[str, Any] | None = None, **effort: int
) -> Difference:
    """The shortest way to what a fault shows; the record of it can be replayed on the sound interpreter."""
    found = difference_of(fault, rules, seats, options, **effort)
    assert found is not None
    program = program_of(rules)
    short = shortest(FaultyEngine(REFERENCE, fault), REFERENCE, program, found, Search(states=120, events=400))
    assert len(short.events) <= len(found.events) and short.subject == found.subject
    game = REFERENCE.configure(program, seats, options or {})
    assert len(replay(game, Record(header_of(game.program, 7), short.events)).events) == len(short.events)
    return short


# ------------------------------------------------------------------ equal ones


@pytest.mark.parametrize(
    ("rules", "seats", "options", "moves"),
    [
        ("tic-tac-toe", 2, {}, 60),
        ("kuhn-poker", 3, {}, 60),
        ("leduc-poker", 2, {}, 60),
        ("liars-dice", 2, {"dice": 2}, 40),
        ("goofspiel", 2, {"cards": 4}, 40),
        ("goofspiel", 2, {"cards": 4, "bids": "hidden", "order": "descending"}, 40),
        ("pig", 2, {"target": 10}, 60),
        ("13-animals", 3, {"pon": "on"}, 40),
        (PROMISES, 2, {}, 40),
        (WINDOW, 3, {}, 60),
        (OVERFLOW, 2, {}, 40),
    ],
)
def test_an_interpreter_does_not_differ_from_itself(
    rules: str, seats: int, options: dict[str, Any], moves: int
) -> None:
    counts = Compared()
    program = program_of(rules)
    effort = Effort(closely=2, attempts=6, saved=2)
    assert compare(REFERENCE, REFERENCE, program, seats, options, 7, moves, effort=effort, counts=counts) is None
    assert counts.moves == moves and counts.configurations == 1
    assert counts.games and counts.attempts > moves and counts.views > moves and counts.saved


def test_what_is_compared_depends_on_the_seed_alone() -> None:
    found = [difference_of(Shifted(), "leduc-poker") for _ in range(2)]
    assert found[0] == found[1]
    told: list[int] = []
    compare(REFERENCE, REFERENCE, program_of("pig"), 2, {}, 7, 5, progress=told.append)
    assert told == [1, 2, 3, 4, 5]


# ------------------------------------------------------------------ planted faults


class DropsTheLast(Fault):
    """From the second mark on, the last move is missing."""

    def moves(self, state: Any, seat: int) -> Any:
        return state.moves(seat)[:-1] if len(state.moves(seat)) <= 7 else state.moves(seat)


class Swaps(Fault):
    """The first two moves, once somebody has bid, stand the other way round."""

    def moves(self, state: Any, seat: int) -> Any:
        moves = state.moves(seat)
        return (moves[1], moves[0], *moves[2:]) if state.event is not None and len(moves) > 1 else moves


class Stale(Fault):
    """The moves are those that the seat had before."""

    def moves(self, state: Any, seat: int) -> Any:
        old = state.previous.previous if state.previous is not None else None
        return old.moves(seat) if old is not None and old.moves(seat) else state.moves(seat)


class WrongPriority(Fault):
    """In a window the last that moves is served, not the first."""

    def step(self, state: Any, event: Any) -> Any:
        if isinstance(event, Sealed) and state.waiting.first_only:
            takers = [answer for answer in event.answers if isinstance(answer, Play)]
            if len(takers) > 1:
                answers = tuple(a if a == takers[-1] else Pass(a.seat) for a in event.answers)
                return state.step(Sealed(answers))
        return state.step(event)


class WindowBackwards(Fault):
    """Those who are asked in a window stand in another order."""

    def waiting(self, state: Any) -> Waiting:
        waiting: Waiting = state.waiting
        return attrs.evolve(waiting, seats=waiting.seats[::-1]) if waiting.first_only else waiting


class Shifted(Fault):
    """Another outcome for the same draw."""

    def sample(self, state: Any, draw: Any) -> Any:
        codes = [code for code, _ in state.chance()]
        return codes[(codes.index(state.sample(draw)) + 1) % len(codes)]


class DrawsTwice(Fault):
    """The right outcome, with one draw too many."""

    def sample(self, state: Any, draw: Any) -> Any:
        found = state.sample(draw)
        draw.below(2)
        return found


class Unlikely(Fault):
    """A wrong probability."""

    def chance(self, state: Any) -> Any:
        return tuple((code, weight / 2) for code, weight in state.chance())


class Peeks(Fault):
    """Seat 2 sees what seat 1 sees."""

    def view(self, state: Any, seat: int | None) -> Any:
        return attrs.evolve(state.view(0), seat=seat) if seat == 1 else state.view(seat)


class Hides(Fault):
    """The spectator does not see the last thing."""

    def view(self, state: Any, seat: int | None) -> Any:
        view = state.view(seat)
        return attrs.evolve(view, seen=view.seen[:-1]) if seat is None else view


class Unmasked(Fault):
    """Everybody observes the card that was bid secretly."""

    def observed(self, state: Any, seat: int | None) -> Any:
        return tuple(
            attrs.evolve(each, arguments=tuple(1 if part is None else part for part in each.arguments))
            for each in state.observed(seat)
        )


class Dear(Fault):
    """Chance costs one unit more."""

    def cost(self, state: Any) -> Any:
        return state.cost + isinstance(state.event, Outcome)


class Backwards(Fault):
    """Reasons in another order."""

    def refusals(self, state: Any, answer: Any) -> Any:
        return state.refusals(answer)[::-1]


class OneReasonLess(Fault):
    """The last of several reasons is missing."""

    def refusals(self, state: Any, answer: Any) -> Any:
        reasons = state.refusals(answer)
        return reasons[:-1] if len(reasons) > 1 else reasons


class OtherWords(Fault):
    """The requirement is named, but not in its words, when an event is refused."""

    def step(self, state: Any, event: Any) -> Any:
        try:
            return state.step(event)
        except Refused as refused:
            raise Refused([attrs.evolve(reason, words="no") for reason in refused.reasons]) from None


class OtherBytes(Fault):
    """One byte of the state is another after chance."""

    def to_bytes(self, state: Any) -> Any:
        data = state.to_bytes()
        return data[:-1] + bytes([data[-1] ^ 1]) if isinstance(state.event, Outcome) else data


class OtherHash(Fault):
    """The hash is not that of the bytes."""

    def hash(self, state: Any) -> Any:
        return state.hash.upper()


class WrongOutcome(Fault):
    """A draw is counted as won by seat 1."""

    def outcome(self, state: Any) -> Any:
        outcome = state.outcome
        return outcome and (attrs.evolve(outcome, winners=(0,)) if not outcome.winners else outcome)


class Silent(Fault):
    """No promise is ever broken."""

    def broken(self, game: Any, state: Any) -> Any:
        return ()


class Crashes(Fault):
    """An error of Python leaves a call."""

    def view(self, state: Any, seat: int | None) -> Any:
        return {0: state}[seat or 0].view(seat)


class Breaks(Fault):
    """Broken leaves a call."""

    def preferred(self, state: Any, seat: int) -> Any:
        raise Broken("no idea")


class Allows(Fault):
    """What is not offered is done all the same."""

    def step(self, state: Any, event: Any) -> Any:
        return state if isinstance(event, Pass) else state.step(event)


class Limits(Fault):
    """A limit is reached too early."""

    def step(self, state: Any, event: Any) -> Any:
        if len(state.moves(state.waiting.seats[0])) < 8:
            raise Exhausted("RL8009", "Too much.")
        return state.step(event)


class OtherLimit(Fault):
    """A limit is reached where it should be, in other words."""

    def step(self, state: Any, event: Any) -> Any:
        try:
            return state.step(event)
        except Exhausted as failure:
            raise Exhausted(failure.code, "full") from None


class OtherNumbers(Fault):
    """Numbers count from 1."""

    def number(self, game: Any, answer: Any) -> Any:
        return game.number(answer) + 1


class OtherAnswers(Fault):
    """The answer with a number is another seat's."""

    def answer(self, game: Any, seat: int, number: int) -> Any:
        return attrs.evolve(game.answer(seat, number), seat=0)


class OtherAdvice(Fault):
    """No advice."""

    def preferred(self, state: Any, seat: int) -> Any:
        return None


class Forgetful(Fault):
    """The information of a seat lacks what it has observed."""

    def information(self, state: Any, seat: int | None) -> Any:
        return attrs.evolve(state.information(seat), observed=())


class OtherPosition(Fault):
    """Pools are missing in the position."""

    def position(self, state: Any) -> Any:
        return attrs.evolve(state.position(), pools=())


class LoadsTheStart(Fault):
    """What is loaded is always the start."""

    def loaded(self, game: Any, data: bytes) -> Any:
        return game.start()


class CannotLoad(Fault):
    """Nothing can be loaded."""

    def loaded(self, game: Any, data: bytes) -> Any:
        raise Refused([Refusal("not_a_state", "RL9024", "no")])


class LaysOutTheStart(Fault):
    """What is laid out is always the start."""

    def laid_out(self, game: Any, position: Any) -> Any:
        return game.start()


class YesForOne(Fault):
    """Numbers that are equal to Python, but are no whole numbers."""

    def chance(self, state: Any) -> Any:
        return tuple((code, float(weight)) for code, weight in state.chance())


class Orphan(Fault):
    """No state knows where it comes from."""

    def before(self, state: Any) -> Any:
        return None


FAULTS: list[tuple[Fault, str, int, dict[str, Any], str, int]] = [
    (DropsTheLast(), "tic-tac-toe", 2, {}, "moves of seat 1", 2),
    (Swaps(), "liars-dice", 2, {"dice": 2}, "moves of seat", 5),
    (Stale(), "tic-tac-toe", 2, {}, "moves of seat 1", 2),
    (WrongPriority(), WINDOW, 3, {}, "event", 1),
    (WindowBackwards(), WINDOW, 3, {}, "waiting", 1),
    (Shifted(), "leduc-poker", 2, {}, "sample", 0),
    (DrawsTwice(), "leduc-poker", 2, {}, "sample", 0),
    (Unlikely(), "leduc-poker", 2, {}, "chance", 0),
    (YesForOne(), "pig", 2, {"faces": 2}, "chance", 1),
    (Peeks(), "leduc-poker", 2, {}, "view of seat 2", 1),
    (Hides(), "kuhn-poker", 2, {}, "view of a spectator", 0),
    (Unmasked(), "goofspiel", 2, {"bids": "hidden", "cards": 4, "order": "descending"}, "observed of", 1),
    (Dear(), "kuhn-poker", 2, {}, "cost", 1),
    (Backwards(), "leduc-poker", 2, {}, "refusals of", 2),
    (OneReasonLess(), "leduc-poker", 2, {}, "refusals of", 2),
    (OtherWords(), "tic-tac-toe", 2, {}, "step of", 0),
    (OtherBytes(), "kuhn-poker", 2, {}, "bytes", 1),
    (OtherHash(), "tic-tac-toe", 2, {}, "hash", 0),
    (WrongOutcome(), "connect-four", 2, {"rows": 2, "columns": 2, "in_a_row": 3}, "outcome", 4),
    (Silent(), PROMISES, 2, {}, "invariants", 4),
    (Crashes(), "tic-tac-toe", 2, {}, "view of seat 2", 0),
    (Breaks(), "liars-dice", 2, {"dice": 2}, "preferred of seat 1", 5),
    (Allows(), "tic-tac-toe", 2, {}, "step of pass", 0),
    (Limits(), "tic-tac-toe", 2, {}, "step", 2),
    (OtherLimit(), OVERFLOW, 2, {}, "step", 2),
    (OtherNumbers(), "tic-tac-toe", 2, {}, "number of", 0),
    (OtherAnswers(), "tic-tac-toe", 2, {}, "answer with number", 1),
    (OtherAdvice(), "liars-dice", 2, {"dice": 2}, "preferred of seat 1", 5),
    (Forgetful(), "tic-tac-toe", 2, {}, "information of", 1),
    (OtherPosition(), "leduc-poker", 2, {}, "position", 1),
    (LoadsTheStart(), "tic-tac-toe", 2, {}, "loaded state: ", 1),
    (CannotLoad(), "tic-tac-toe", 2, {}, "loading", 0),
    (LaysOutTheStart(), "tic-tac-toe", 2, {}, "laid out state: ", 1),
    (Orphan(), "tic-tac-toe", 2, {}, "previous", 1),
]


@pytest.mark.parametrize(
    ("fault", "rules", "seats", "options", "what", "most"), FAULTS, ids=[type(each[0]).__name__ for each in FAULTS]
)
def test_a_planted_fault_is_found_and_its_record_is_short(
    fault: Fault, rules: str, seats: int, options: dict[str, Any], what: str, most: int
) -> None:
    found = shortened(fault, rules, seats, options)
    assert found.what.startswith(what), found
    assert len(found.events) <= most, found
    assert found.first != found.second or found.first == "no failure"


class AlikeStart(Fault):
    """Setting up is too much."""

    def start(self, game: Any) -> Any:
        raise Exhausted("RL8009", "Too much.")


class AlikeWaiting(Fault):
    """What is waited for cannot be said."""

    def waiting(self, state: Any) -> Any:
        raise Exhausted("RL8012", "Too large.")


class LaterAlikeWaiting(Fault):
    """What is waited for cannot be said, but at the start."""

    def waiting(self, state: Any) -> Any:
        if state.event is not None:
            raise Exhausted("RL8012", "Too large.")
        return state.waiting


class AlikeMoves(Fault):
    """Moves cannot be listed."""

    def moves(self, state: Any, seat: int) -> Any:
        raise Exhausted("RL8015", "Too many.")


class AlikeBytes(Fault):
    """The state is too large."""

    def to_bytes(self, state: Any) -> Any:
        raise Exhausted("RL8020", "Too large.")

    def hash(self, state: Any) -> Any:
        raise Exhausted("RL8020", "Too large.")


class AlikeSample(Fault):
    """Nothing can be drawn."""

    def sample(self, state: Any, draw: Any) -> Any:
        raise Exhausted("RL8012", "Too large.")


class AlikeStep(Fault):
    """No event is possible, but to those who ask twice."""

    def step(self, state: Any, event: Any) -> Any:
        raise Exhausted("RL8009", "Too much.")

    def loaded(self, game: Any, data: bytes) -> Any:
        raise Refused([Refusal("not_a_state", "RL9024", "no")])


class AlikeNumbers(Fault):
    """Nothing has a number."""

    def number(self, game: Any, answer: Any) -> Any:
        raise Refused([Refusal("no_such_move", "RL8004", "no")])


class Unwritten(Fault):
    """Nobody knows what has happened."""

    def event(self, state: Any) -> Any:
        return None


@pytest.mark.parametrize(
    ("fault", "rules", "moves", "exhausted"),
    [
        (AlikeStart(), "tic-tac-toe", 0, 1),
        (AlikeWaiting(), "tic-tac-toe", 0, 0),
        (LaterAlikeWaiting(), "tic-tac-toe", 30, 0),
        (AlikeMoves(), "tic-tac-toe", 0, 0),
        (AlikeBytes(), "tic-tac-toe", 30, 0),
        (AlikeSample(), "leduc-poker", 0, 0),
        (AlikeStep(), "tic-tac-toe", 30, 30),
        (AlikeNumbers(), "tic-tac-toe", 30, 0),
        (Unwritten(), "tic-tac-toe", 30, 0),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Fault) else None,
)
def test_failures_that_are_alike_are_no_difference(fault: Fault, rules: str, moves: int, exhausted: int) -> None:
    counts = Compared()
    engine = FaultyEngine(REFERENCE, fault)
    effort = Effort(saved=1)
    found = compare(engine, engine, program_of(rules), 2, {}, 7, 30, effort=effort, counts=counts)
    assert found is None
    assert (counts.moves, counts.exhausted) == (moves, exhausted)


class Refuses(Fault):
    """A configuration is refused for no reason."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        raise Refused([Refusal("seats", "RL7004", "never")])


class OtherProgram(Fault):
    """The program is closed in another way."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        return engine.configure(attrs.evolve(program, title="Other"), seats, options)


class ForgetsToStart(Fault):
    """The start fails."""

    def start(self, game: Any) -> Any:
        raise KeyError("start")


def test_differences_before_the_first_event() -> None:
    refused = difference_of(Refuses(), "pig")
    assert refused is not None and (refused.what, refused.second, refused.events) == ("configure", "no failure", ())
    assert refused.first.startswith("Refused: Refusal(code='seats'")
    program = difference_of(OtherProgram(), "pig")
    assert program is not None and program.what == "program"
    assert (program.first, program.second) == ("title: 'Other'", "title: 'Pig'")
    start = difference_of(ForgetsToStart(), "pig")
    assert start is not None and (start.what, start.first) == ("start", "KeyError: 'start'")
    assert shortest(FaultyEngine(REFERENCE, Refuses()), REFERENCE, program_of("pig"), refused) == refused


def test_what_both_refuse_is_counted() -> None:
    counts = Compared()
    assert compare(REFERENCE, REFERENCE, program_of("pig"), 3, {}, 7, 10, counts=counts) is None
    assert counts == Compared(refused=1)


def test_both_crashing_alike_is_a_difference() -> None:
    engine = FaultyEngine(REFERENCE, Crashes())
    found = compare(engine, engine, program_of("pig"), 2, {}, 7, 10)
    assert found is not None and (found.first, found.second) == ("KeyError: 1", "KeyError: 1")


class ChangesItself(Fault):
    """An attempt leaves its mark on the state, on every interpreter that has this."""

    def __init__(self) -> None:
        self.tried = 0

    def step(self, state: Any, event: Any) -> Any:
        self.tried += 1
        return state.step(event)

    def to_bytes(self, state: Any) -> Any:
        return state.to_bytes() + bytes(self.tried // 8)


def test_an_attempt_that_changes_the_state_on_both_is_found() -> None:
    engine = FaultyEngine(REFERENCE, ChangesItself())
    found = compare(engine, engine, program_of("tic-tac-toe"), 2, {}, 7, 100)
    assert found is not None and found.what.startswith("bytes before and behind the attempt of ")


class Fickle(Fault):
    """A fault that is never seen again."""

    def __init__(self) -> None:
        self.asked = 0

    def cost(self, state: Any) -> Any:
        self.asked += 1
        return state.cost + (self.asked == 12)


def test_what_does_not_come_again_is_left_as_it_was_found() -> None:
    fault = Fickle()
    found = difference_of(fault, "tic-tac-toe")
    assert found is not None and found.events
    engine = FaultyEngine(REFERENCE, fault)
    assert shortest(engine, REFERENCE, program_of("tic-tac-toe"), found, Search(states=20, events=30)) == found


class NoLonger(Fickle):
    """The same configuration is refused, closed otherwise, or taken."""

    then: Any = None

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        return self.then(engine, program, seats, options) if self.then else engine.configure(program, seats, options)


def test_a_configuration_that_does_not_come_again() -> None:
    fault, program = NoLonger(), program_of("tic-tac-toe")
    engine = FaultyEngine(REFERENCE, fault)
    found = compare(engine, REFERENCE, program, 2, {}, 7, 100)
    assert found is not None and found.events
    for then in (Refuses().configure, OtherProgram().configure):
        fault.then = then
        assert shortest(engine, REFERENCE, program, found) == found
    assert shortest(engine, engine, program, attrs.evolve(found, seats=3)).events == found.events


class TwoFaults(Fault):
    """The cost is wrong late, and a view in some games early."""

    def cost(self, state: Any) -> Any:
        return state.cost + (sum(cell >= 0 for cell in state.position().cells) >= 5)

    def view(self, state: Any, seat: int | None) -> Any:
        view = state.view(seat)
        return attrs.evolve(view, seen=()) if state.event == Play(0, 0, (0,)) else view


def test_other_differences_on_the_way_are_passed_by() -> None:
    found = difference_of(TwoFaults(), "tic-tac-toe")
    assert found is not None and found.what == "cost"
    engine = FaultyEngine(REFERENCE, TwoFaults())
    short = shortest(engine, REFERENCE, program_of("tic-tac-toe"), found, Search(states=120, events=400))
    assert short.what == "cost" and len(short.events) == 5


class LateAndDear(Fault):
    """Whatever happens after the third event is too dear."""

    def cost(self, state: Any) -> Any:
        late = state.previous and state.previous.previous and state.previous.previous.previous
        return state.cost + bool(late and late.event)


def test_the_search_goes_round_events_that_are_impossible() -> None:
    found = difference_of(LateAndDear(), OVERFLOW)
    assert found is not None
    engine = FaultyEngine(REFERENCE, LateAndDear())
    short = shortest(engine, REFERENCE, program_of(OVERFLOW), found, Search(states=40, events=40))
    assert short.what == "cost" and len(short.events) == 4


class Centre(Fault):
    """Marking the centre costs more."""

    def cost(self, state: Any) -> Any:
        return state.cost + (isinstance(state.event, Play) and state.event.arguments == (4,))


def test_other_games_are_searched_where_the_tree_is_too_wide() -> None:
    program, engine = program_of("tic-tac-toe"), FaultyEngine(REFERENCE, Centre())
    found = difference_of(Centre(), "tic-tac-toe")
    assert found is not None and len(found.events) > 2
    assert len(shortest(engine, REFERENCE, program, found, Search(states=0, events=400)).events) == 1
    assert len(shortest(engine, REFERENCE, program, found, Search(states=0, events=0)).events) < len(found.events)
    assert len(shortest(engine, REFERENCE, program, found, Search(states=400, events=0)).events) == 1


# ------------------------------------------------------------------ configurations

OPTIONS = """
game "Options":
  players: 2..3

option colour: red, green, blue = red
option depth: 1..40 = 20
option extra: yes, no = no needs colour is green because "extra goes with green"
option more: yes, no = no needs colour is green because "more goes with green"
option other: yes, no = no needs extra is yes because "other goes with extra"

require odd: depth is not 39 because "39 is odd"

overview:
  seat(1) must go_on
  end game, nobody wins

move go_on
"""


def test_every_value_of_every_option_is_tried_and_what_needs_another_gets_it() -> None:
    variations = Variations(program_of(OPTIONS), 2)
    tried = list(variations.each())
    assert [value for name, value in variations.choices if name == "depth"] == [1, 2, 3, 19, 21, 39, 40]
    assert {"extra": True} in tried and {"extra": True, "colour": "green"} in tried
    assert {"depth": 39} in tried and {"depth": 39} not in variations.accepted
    assert all(variations.allowed(options) for options in variations.accepted)
    mixed = [variations.mixed(Stream(number)) for number in range(20)]
    assert any(len(options) > 2 for options in mixed)


def test_of_a_range_too_long_to_be_gone_through_some_values_are_chosen() -> None:
    rules = """
game "Long":
  players: 2

option digits: none_given, 1..999999999999999999 = none_given

overview: end game, nobody wins
"""
    found = choices(program_of(rules), 2)
    assert [value for _, value in found] == [1, 2, 499999999999999999, 999999999999999998, 999999999999999999]


def test_a_program_that_cannot_be_closed_has_no_choices() -> None:
    rules = OPTIONS.replace("require odd: depth is not 39", "require odd: depth is not 20")
    assert choices(program_of(rules), 2) == []


@pytest.mark.parametrize("moves", [1, 40, 1500])
def test_one_run_covers_seats_and_options(moves: int) -> None:
    program = program_of(OPTIONS)
    told: list[int] = []
    covering = Covering(REFERENCE, REFERENCE, program, 7, Effort(closely=8, attempts=1), progress=told.append)
    assert covering.compare(all_seats(program), None, moves) is None
    assert covering.counts.moves == moves == told[-1]
    if moves == 1500:
        assert covering.counts.configurations > 2 * len(choices(program, 2)) - 4 and covering.counts.refused


def test_with_options_nothing_else_is_tried() -> None:
    covering = Covering(REFERENCE, REFERENCE, program_of(OPTIONS), 7)
    assert covering.compare([2, 3], {"colour": "blue"}, 60) is None
    assert covering.counts.configurations == 2


def test_mixtures_that_cannot_be_played_come_to_an_end() -> None:
    engine = FaultyEngine(REFERENCE, AlikeStart())
    covering = Covering(engine, engine, program_of(OPTIONS), 7)
    assert covering.compare([2], None, 100) is None
    assert covering.counts.moves == 0


class OnlyRed(Fault):
    """There is no other colour than red."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        return engine.configure(program, seats, {**options, "colour": "red"} if "colour" in options else options)


class OnlyTwo(Fault):
    """Three cannot play."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        return engine.configure(program, min(seats, 2), options)


@pytest.mark.parametrize(("fault", "seats", "options"), [(OnlyRed(), 2, {"colour": "green"}), (OnlyTwo(), 3, {})])
def test_a_fault_of_one_configuration_is_found(fault: Fault, seats: int, options: dict[str, Any]) -> None:
    covering = Covering(FaultyEngine(REFERENCE, fault), REFERENCE, program_of(OPTIONS), 7)
    found = covering.compare([2, 3], None, 100)
    assert found is not None
    assert (found.what, found.seats, found.options) == ("program", seats, options)
