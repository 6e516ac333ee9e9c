"""Monster-Bande over many games, and its data: what MB-S01, MB-S03, MB-S70 and MB-S71 ask of more than one game."""

import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rulelang import load
from rulelang.failures import Refused
from rulelang.play.agents import RandomAgent, Situation
from rulelang.play.engine import Draw, Game, State
from rulelang.play.event import Answer, Expiry, Outcome, Play
from rulelang.play.kinds import Layout
from rulelang.play.match import Match
from rulelang.play.position import Unseen

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "rulesets" / "monster-bande"
Options = Mapping[str, int | str | bool]
Records = Sequence[Mapping[str, Any]]

GAMES: tuple[tuple[int, Options], ...] = (
    (2, {}),
    (2, {"stop_mode": "claimed", "preset": "younger"}),
    (3, {}),
    (3, {"error_ends_turn": "wrong_guess", "three_error_ends": "first_miss", "second_guess": "may_decline"}),
    (4, {}),
    (4, {"put_back": "deferred", "drawing": "automatic", "standing_up": "explicit", "vote_tie": "revote"}),
    (4, {"stop_verdict": "external", "expiry_card": "finish_guess", "hourglass_turner": "automatic"}),
    (5, {"stop_verdict": "by_vote", "vote_tie": "not_counted", "team_assignment": "random"}),
    (6, {"team_count": 3, "preset": "younger", "dice_in_use": "none", "describer_rotation": "free"}),
    (6, {"team_touch": "consensus"}),
    (7, {"team_count": 3, "allow_pass": True, "starting_player": "random", "dispute_window": "none"}),
    (8, {"team_count": 4, "put_back": "deferred", "stop_callers": "anyone", "describer_rotation": "fixed"}),
    (2, {"mode": "memo"}),
    (5, {"mode": "memo", "memo_first_back": "blue", "memo_cover": "explicit"}),
)
"""Every way of playing; every value of an option that changes the course of a round at least once."""

ROUND = 60_000
"""Milliseconds that one run of the hourglass takes (MB-MAT-05)."""


def closed(seats: int, options: Options) -> Game:
    """The game for so many players."""
    return load("monster-bande").configure(seats, dict(options)).game


class Board:
    """One state, read as a table where everybody may look everywhere."""

    def __init__(self, state: State) -> None:
        self.program = state.game.program
        self.position = state.position()
        self.layout = Layout.of(self.program)
        self.slots = {slot.name: number for number, slot in enumerate(self.program.slots)}

    def members(self, name: str) -> tuple[Any, ...]:
        """What lies in, or is written on, every one of a family."""
        family = self.layout.families[self.slots[name]]
        return self.position.cells[family.base : family.base + family.count]

    def __getitem__(self, name: str) -> Any:
        """What a zone or marker without a family holds or says."""
        return self.members(name)[0]

    def cards(self) -> Counter[int]:
        """Every card, wherever it lies, those that lie unseen by their pools."""
        found = Counter[int]()
        for name in ("red_box", "blue_box", "red_pile", "blue_pile", "twins", "aside", "hand", "won", "lying", "shown"):
            for place in self.members(name):
                found.update(piece for piece in place if not isinstance(piece, Unseen))
        for pool in self.position.pools:
            found.update(pool)
        return found


# ------------------------------------------------------------------ the data


def records(name: str, file: str = "components.toml") -> Records:
    """The rows of one table of a data file."""
    found: Records = tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))[name]
    return found


def test_what_can_be_said_follows_from_the_components() -> None:
    """The file of statements is what the script writes."""
    script = ROOT / "scripts" / "monster_bande_statements.py"
    assert subprocess.run([sys.executable, str(script), "--check"], check=False).returncode == 0


def test_no_two_monsters_look_alike() -> None:
    """MB-R-01: 54 monsters, and each differs from every other."""
    looks = [{key: value for key, value in each.items() if key != "id"} for each in records("monster")]
    assert len(looks) == 54
    assert all(one != other for one, other in combinations(looks, 2))


def test_near_twins_differ_in_what_is_said_of_them() -> None:
    """The pairs of the data differ in the attributes that it names, and in no other."""
    monsters = {each["id"]: each for each in records("monster")}
    for pair in records("near_pair"):
        one, other = (monsters[name] for name in pair["monsters"])
        differing = {key for key in one if one[key] != other[key]} - {"id"}
        assert differing == set(pair["differ_in_attributes"])


SAYABLE = ("value", "present", "absence", "figure", "singular", "plural")


def test_how_many_monsters_each_throw_leaves_to_be_told_apart() -> None:
    """The figures of the data: which monsters true statements without forbidden categories tell from all others."""
    statements = [each for each in records("statement", "statements.toml") if each["form"] in SAYABLE]
    said = [each for each in statements if each["checked"] and "_not_" not in each["id"]]
    document = tomllib.loads((FOLDER / "components.toml").read_text(encoding="utf-8"))
    names = [each["id"] for each in document["monster"]]
    uniques = []
    for result in document["identifiability"]["result"]:
        allowed = [set(each["true_of"]) for each in said if not set(each["touches"]) & set(result["dice"])]
        facts = {name: frozenset(n for n, fits in enumerate(allowed) if name in fits) for name in names}
        fitting = {name: [other for other in names if facts[name] <= facts[other]] for name in names}
        assert [name for name in names if len(fitting[name]) > 1] == result["ambiguous"]
        assert sum(len(found) <= 2 for found in fitting.values()) == result["nearly"]
        uniques.append(sum(len(found) == 1 for found in fitting.values()))
    assert len(uniques) == 36
    assert round(sum(uniques) / 36, 2) == 51.86


# ------------------------------------------------------------------ chance


def play(state: State, name: str, *arguments: int) -> State:
    """The state after a move of the first seat."""
    move = next(number for number, each in enumerate(state.game.program.moves) if each.name == name)
    return state.step(Play(0, move, arguments))


def test_every_throw_is_equally_likely() -> None:
    """MB-S71: 36 results, each with 1/36."""
    thrown = play(closed(4, {}).start(), "roll_dice")
    first = thrown.chance()
    assert [chance for _, chance in first] == [Fraction(1, 6)] * 6
    for outcome, _ in first:
        assert [chance for _, chance in thrown.step(Outcome(outcome)).chance()] == [Fraction(1, 6)] * 6


def test_every_card_is_equally_likely_to_lie_on_top() -> None:
    """MB-PREP-02: the red cards are shuffled."""
    state = play(closed(4, {"dice_in_use": "none"}).start(), "turn_hourglass")
    assert [chance for _, chance in play(state, "draw").chance()] == [Fraction(1, 54)] * 54


# ------------------------------------------------------------------ whole games


class Chatterbox(RandomAgent):
    """Plays like `random`, and says things in between."""

    speaks = True

    def __init__(self, game: Game) -> None:
        moves = [move.name for move in game.program.moves]
        self.hint, self.decline = moves.index("hint"), moves.index("decline")
        self.statements = next(len(table.rows) for table in game.program.tables if table.name == "Statement")

    def propose(self, situation: Situation, draw: Draw) -> tuple[int, Answer] | None:
        """A hint in every second act of who may say something, or any act; nothing where nothing is possible."""
        if not situation.answers:
            return None
        delay = max(0, 500 + draw.below(4000) - situation.waited)
        describes = any(isinstance(each, Play) and each.move == self.decline for each in situation.answers)
        if describes and draw.below(2):
            return delay, Play(situation.seat, self.hint, (draw.below(self.statements), 0))
        return delay, self.choose(situation, draw)


class Watch:
    """Looks at a game from state to state."""

    def __init__(self) -> None:
        self.ran = Counter[int]()
        """Milliseconds that the hourglass ran in each round."""
        self.before: State | None = None

    def look(self, state: State) -> None:
        """Hold what must be true against the state."""
        board = Board(state)
        assert state.game.invariants(state) == ()
        assert set(board.cards().values()) == {2}, "each monster twice, wherever it lies"
        self.time(state, board)
        self.secrets(state)
        self.before = state

    def time(self, state: State, board: Board) -> None:
        """The running time of each round is at most 60 seconds, and just that if the hourglass was empty."""
        if self.before is not None and self.before.deadline is not None:
            self.ran[Board(self.before)["rounds"]] += state.now - self.before.now
        assert all(ran <= ROUND for ran in self.ran.values())
        if isinstance(state.event, Expiry):
            assert self.ran[board["rounds"]] == ROUND

    def secrets(self, state: State) -> None:
        """Nobody is shown a card in another hand, in a pile that lies face down, or what is recorded of violations."""
        names = [slot.name for slot in state.game.program.slots]
        hidden = ("red_pile", "blue_pile", "aside", "lying", "violation")
        for seat in range(len(Board(state).members("hand"))):
            for seen in state.view(seat).seen:
                assert seen.part == "size" or names[seen.slot] not in hidden
                assert names[seen.slot] != "hand" or seen.part == "size" or seen.member == seat


def whole_game(seats: int, options: Options, seed: int, talking: bool) -> Match:
    """A game by automatic players, looked at in every state of it."""
    game = closed(seats, options)
    match = Match(game, seed)
    agent = Chatterbox(game) if talking else RandomAgent()
    assert match.play([agent] * seats) is not None
    watch, state = Watch(), game.start()
    watch.look(state)
    for event in match.events:
        state = state.step(event)
        watch.look(state)
    assert state.hash == match.state.hash
    return match


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_games_keep_their_promises(seats: int, options: Options) -> None:
    """MB-S70: conservation, running time, secrets, and the result, with few couples."""
    match = whole_game(seats, {**options, "couples": 6}, 3, talking=options.get("mode") != "memo")
    judged(match, 6)


def judged(match: Match, couples: int) -> None:
    """All cards are won, and the sides with the most have won."""
    board = Board(match.state)
    piles = [len(pile) for pile in board.members("won")]
    assert sum(piles) == 2 * couples
    assert match.outcome is not None
    if match.outcome.kind == "grade":
        return
    best = [seat for seat, side in enumerate(board.members("side")) if piles[side - 1] == max(piles)]
    everybody = len(best) == len(board.members("side"))
    assert list(match.outcome.winners) == ([] if everybody else best)


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_many_games_keep_their_promises(seats: int, options: Options) -> None:
    """MB-S70 with the whole box and many seeds."""
    for seed in range(20):
        judged(whole_game(seats, options, seed, talking=bool(seed % 2) and options.get("mode") != "memo"), 54)


def test_a_game_is_its_seed() -> None:
    """MB-S71: the same seed gives the same events, another one others."""
    logs = [whole_game(4, {"couples": 4}, seed, talking=False).events for seed in (5, 5, 6)]
    assert logs[0] == logs[1] != logs[2]


def test_refused_acts_change_nothing() -> None:
    """MB-S70: an attempt that is refused leaves the state as it was."""
    match = Match(closed(4, {}), 1)
    before = match.state.hash
    for number, move in enumerate(match.game.program.moves):
        attempt = Play(0, number, tuple(0 for _ in move.parameters))
        if match.explain(attempt):
            with pytest.raises(Refused):
                match.submit(attempt)
    assert match.state.hash == before
