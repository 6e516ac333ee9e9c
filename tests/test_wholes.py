"""Compiled games held against matches: faults in whole games and in batches are found, and records show them."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, engine_named, load
from rulelang.play import covering, wholes
from rulelang.play.alike import Pair
from rulelang.play.comparing import Compared, Effort
from rulelang.play.covering import Covering
from rulelang.play.differing import Difference
from rulelang.play.match import Match
from rulelang.play.playouts import GameSummary
from rulelang.play.shortening import shortest
from rulelang.play.wholes import ABREAST, IN_VAIN, Configured, compare_compiled
from rulelang.testing.faulty import Fault, FaultyEngine

NATIVE, REFERENCE = engine_named("native"), engine_named("reference")
RARELY = Effort(closely=64, attempts=1)

ADVICE = """
game "Advice":
  players: 2

marker total: 0..99

overview:
  turns of p from seat(1):
    p must add
    if total > 30: end game, p wins

move add(n in 1..9):
  total rises by n

prefer add with most n
"""


def program_of(text: str) -> Program:
    return compile_text(text).program


def covered(
    fault: Fault, program: Program, moves: int = 200, *, varied: bool = False
) -> tuple[Covering, Difference | None]:
    """What the command does, with a fault planted in the judged interpreter."""
    run = Covering(FaultyEngine(NATIVE, fault), REFERENCE, program, 7, RARELY)
    return run, run.compare((2,), None if varied else {}, moves)


@pytest.mark.parametrize("name", ["tic-tac-toe", "leduc-poker", "liars-dice", "13-animals"])
def test_as_much_is_compared_as_was_stepped(name: str) -> None:
    program = load(name).program
    run, difference = covered(Fault(), program, 120)
    assert difference is None
    assert run.counts.moves <= run.counts.compiled
    assert run.counts.moves <= run.counts.stepped < run.counts.moves + ABREAST
    assert run.counts.given_up == run.uncompiled == 0


def test_table_time_has_whole_games_and_no_batches() -> None:
    run, difference = covered(Fault(), load("snap").program, 60)
    assert difference is None
    assert run.counts.compiled >= 60 and run.counts.stepped == 0


def test_the_reference_has_no_compiled_games() -> None:
    run = Covering(REFERENCE, NATIVE, load("tic-tac-toe").program, 7, RARELY)
    assert run.compare((2,), None, 50) is None
    assert (run.counts.compiled, run.counts.stepped, run.uncompiled) == (0, 0, 1)


def test_compiled_games_can_be_left_out() -> None:
    run = Covering(NATIVE, REFERENCE, load("tic-tac-toe").program, 7, Effort(closely=64, compiled=False))
    assert run.compare((2,), None, 50) is None
    assert run.counts.compiled == run.counts.stepped == 0


class None_(Fault):
    """Nothing is compiled."""

    def compiled_playouts(self, *_: Any, **__: Any) -> None:
        return None

    def batch(self, *_: Any) -> None:
        return None


def test_what_cannot_be_compiled_is_told() -> None:
    run, difference = covered(None_(), load("tic-tac-toe").program)
    assert difference is None
    assert run.uncompiled == 1 and run.counts.compiled == run.counts.stepped == 0


def test_options_are_compiled_when_enough_is_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few events do not pay for compiling; many do."""

    class Told(Fault):
        def __init__(self) -> None:
            self.compiled: list[dict[str, Any]] = []

        def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
            self.chosen = dict(options)
            return engine.configure(program, seats, options)

        def compiled_playouts(self, game: Any, n: int, *rest: Any, **more: Any) -> Any:
            if n == 0:
                self.compiled.append(self.chosen)
            return game.compiled_playouts(n, *rest, **more)

    few, many = Told(), Told()
    program = load("liars-dice").program
    monkeypatch.setattr(covering, "WORTH_COMPILING", 60)
    covered(few, program, 60, varied=True)
    covered(many, program, 600, varied=True)
    assert few.compiled == [{}]
    assert len(many.compiled) > 2 and many.compiled[0] == {}


def test_options_that_are_asked_for_are_compiled() -> None:
    run = Covering(NATIVE, REFERENCE, load("pig").program, 7, RARELY)
    assert run.compare((2,), {"target": "5"}, 30) is None
    assert run.counts.compiled >= 30 and run.counts.stepped >= 30


# ------------------------------------------------------------------ whole games


def whole_games(change: Callable[[GameSummary], object]) -> Fault:
    """Compiled games of which some come to something else."""

    class Changed(Fault):
        def compiled_playouts(self, game: Any, *given: Any, **more: Any) -> Iterator[Any]:
            return (change(each) for each in game.compiled_playouts(*given, **more))

    return Changed()


@pytest.mark.parametrize("part", ["kind", "winners", "returns", "length", "decisions", "cost", "time"])
def test_every_part_of_what_a_game_comes_to_is_compared(part: str) -> None:
    wrong = {"kind": "aborted", "winners": (5,), "returns": ()}
    fault = whole_games(lambda each: attrs.evolve(each, **{part: wrong.get(part, -1)}))
    _, difference = covered(fault, load("tic-tac-toe").program)
    assert difference is not None
    assert difference.what == "compiled game of random players"
    assert difference.first.startswith(f"{part}: ")


def test_the_shortest_of_some_games_shows_it() -> None:
    program = load("tic-tac-toe").program
    fault = whole_games(lambda each: attrs.evolve(each, cost=each.cost + 1))
    run, difference = covered(fault, program)
    assert difference is not None and len(difference.events) == 5
    assert shortest(run.first, run.second, program, difference) is difference
    match = Match(REFERENCE.configure(program, 2, {}), 7, difference.game)
    for event in difference.events:
        assert match.outcome is None
        match.apply(event)
    assert match.outcome is not None


@pytest.mark.parametrize("most", [0, 200])
def test_other_games_are_looked_at_for_a_while_and_those_that_agree_left(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(wholes, "SEARCHED", most)
    fault = whole_games(lambda each: attrs.evolve(each, cost=each.cost + (each.length > 7)))
    _, difference = covered(fault, load("tic-tac-toe").program)
    assert difference is not None and len(difference.events) >= 8


def test_games_of_advised_players_are_compared_where_rules_advise() -> None:
    class Advised(Fault):
        def compiled_playouts(self, game: Any, n: int, seed: int, policy: str, *rest: Any, **more: Any) -> Any:
            games = game.compiled_playouts(n, seed, policy, *rest, **more)
            return (attrs.evolve(each, cost=0) for each in games) if policy == "advised" else games

    _, difference = covered(Advised(), program_of(ADVICE))
    assert difference is not None and difference.what == "compiled game of advised players"


def test_promises_are_compared() -> None:
    class Kept(Fault):
        def compiled_playouts(self, game: Any, *given: Any, **more: Any) -> Any:
            return (attrs.evolve(each, broken=()) for each in game.compiled_playouts(*given, **more))

    program = program_of(ADVICE.replace("overview:", "always small: total < 20\n\noverview:"))
    assert covered(Fault(), program)[1] is None
    _, difference = covered(Kept(), program)
    assert difference is not None and difference.first.startswith("broken: ") and "small" in difference.second


def test_games_that_are_given_up_are_counted_and_not_compared() -> None:
    run, difference = covered(whole_games(lambda _: None), load("tic-tac-toe").program)
    assert difference is None
    assert (run.counts.given_up, run.counts.compiled, run.uncompiled) == (IN_VAIN, 0, 0)


def test_a_game_that_others_give_up_must_be_given_up() -> None:
    """It comes to a limit, and compiled code says that it is over."""
    over = GameSummary(0, "over", (), (), 3, 2, 1)
    fault = whole_games(lambda _: over)
    _, difference = covered(fault, program_of(DOUBLING), 20)
    assert difference is not None
    assert difference.second.startswith("Exhausted: ")
    assert "GameSummary" in difference.first


DOUBLING = """
game "Doubling":
  players: 2

marker total: 0..9223372036854775807 = 1

overview:
  turns of p from seat(1):
    p must double

move double:
  total becomes total + total
"""


def test_a_failure_of_compiled_code_is_a_difference() -> None:
    class Fails(Fault):
        def compiled_playouts(self, game: Any, n: int, *rest: Any, **more: Any) -> Any:
            if n:
                raise ZeroDivisionError("no such number")
            return game.compiled_playouts(n, *rest, **more)

    _, difference = covered(Fails(), load("tic-tac-toe").program)
    assert difference is not None and difference.first == "ZeroDivisionError: no such number"


# ------------------------------------------------------------------ batches


class Around:
    """A batch of which something is wrong."""

    def __init__(self, sound: Any) -> None:
        self.sound = sound
        self.steps = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sound, name)

    def step_many(self, places: Any) -> None:
        self.steps += 1
        self.sound.step_many(places)


class Views(Around):
    """The last game shows something else after two steps."""

    def views_many(self, seat: int | None = None) -> Any:
        rows = self.sound.views_many(seat)
        if self.steps >= 2:
            rows[-1] += 1
        return rows


class Spectators(Around):
    """A spectator sees more."""

    def views_many(self, seat: int | None = None) -> Any:
        rows = self.sound.views_many(seat)
        if seat is not None:
            rows[0] += 1
        return rows


class Answers(Around):
    """The second game has its answers in another order."""

    def moves(self, game: int) -> Any:
        found = list(self.sound.moves(game))
        return found[::-1] if game == 1 else found


class Results(Around):
    """No game has a result."""

    def outcome(self, game: int) -> None:
        return None


class Limits(Around):
    """A limit is told where there is none."""

    def failure(self, game: int) -> str:
        return "too much"


class Fails(Around):
    """The third step fails."""

    def step_many(self, places: Any) -> None:
        super().step_many(places)
        if self.steps == 3:
            raise IndexError("nowhere")


class Fewer(Around):
    """There is a game less."""

    @property
    def seats(self) -> Any:
        return self.sound.seats[1:]

    @property
    def counts(self) -> Any:
        return self.sound.counts[1:]


@pytest.mark.parametrize(
    ("wrong", "said", "events"),
    [
        (Views, "view: ", 2),
        (Spectators, "elsewhere: ", 0),
        (Answers, "answers: ", 0),
        (Results, "result: ", None),
        (Limits, "limit: ", 0),
        (Fails, "IndexError: nowhere", 3),
        (Fewer, "4", 0),
    ],
)
def test_everything_that_a_batch_says_is_compared(wrong: type[Around], said: str, events: int | None) -> None:
    class Wrong(Fault):
        def batch(self, game: Any, *given: Any) -> Any:
            return wrong(game.batch(*given))

    program = load("tic-tac-toe").program
    run, difference = covered(Wrong(), program)
    assert difference is not None
    assert difference.what.startswith("compiled batch, game ")
    assert said in difference.first
    assert events is None or len(difference.events) == events
    assert shortest(run.first, run.second, program, difference) is difference


def test_games_that_end_at_once_come_to_an_end() -> None:
    program = program_of('game "Over":\n  players: 2\n\noverview: end game, nobody wins\n')
    games = Pair(NATIVE.configure(program, 2, {}), REFERENCE.configure(program, 2, {}))
    counts = Compared(moves=100)
    assert compare_compiled(Configured(games, 2, {}, 7), counts) is None
    assert counts.compiled == counts.stepped == 0


def test_a_batch_that_cannot_begin_is_a_difference() -> None:
    class Stuck(Fault):
        def batch(self, *_: Any) -> None:
            raise ZeroDivisionError("no such number")

    _, difference = covered(Stuck(), load("tic-tac-toe").program)
    assert difference is not None
    assert (difference.what, difference.first) == ("compiled batch", "ZeroDivisionError: no such number")


def test_players_that_are_not_compiled_stop_nobody_else() -> None:
    """More promises than compiled code looks at: games without that look are compared as before."""
    many = "".join(f"always p{number}: total is not {number + 100}\n" for number in range(64))
    program = program_of(ADVICE.replace("0..99", "0..999").replace("overview:", f"{many}\noverview:"))
    run, difference = covered(Fault(), program, 150)
    assert difference is None and run.counts.compiled >= 150
