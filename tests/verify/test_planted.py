"""Ten mistakes planted in copies of games, each found; and the games as they are, in which nothing is found.

Where nobody can know from the rules alone that something is wrong, a promise (``always``) or a scenario of the game
knows it.
"""

from pathlib import Path

import attrs
import pytest
from copies import Change, Options, changed, copy_of, kinds_of, look, never_used, place_in

from rulelang import rulesets
from rulelang.failures import Diagnosed
from rulelang.pipeline import engine_named
from rulelang.play.replay import replay
from rulelang.rulebook.verify.saving import record_of
from rulelang.rulebook.verify.unused import allowed
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, read_play_file
from rulelang.scenarios.run import run_scenario

DRAW = "    if every square in Square satisfies mark[square] is not nobody: end game, nobody wins\n"
LINE = "    if some line in lines(Square, 3) where every square in line satisfies mark[square] is p: end game, p wins\n"
MOST_POINTS = (
    "      if every edge in Edge satisfies drawn[edge]: end game, all q in players with most q's points wins\n"
)
MORE_POINTS = """\
      if every edge in Edge satisfies drawn[edge]:
        if seat(1)'s points > seat(2)'s points: end game, seat(1) wins
        if seat(2)'s points > seat(1)'s points: end game, seat(2) wins
"""


@attrs.frozen
class Planted:
    """A mistake in a copy of a game, and what is found."""

    title: str
    game: str
    changes: tuple[Change, ...]
    kinds: list[tuple[str, int]]
    """What is wrong, and the length of the shortest record."""
    said: str = ""
    """Part of what is said of the first."""
    unused: tuple[str, ...] = ()
    seats: int | None = None
    options: Options = attrs.field(factory=dict)
    games: int | None = None
    states: int = 100_000


PLANTED = [
    Planted(
        "dead end: a full board without a line",
        "tic-tac-toe",
        ((DRAW, ""),),
        [("dead_end", 9)],
        "'place' is refused, because of 'free'",
    ),
    Planted(
        "unreachable rule: a prize for the best of nobody",
        "goofspiel",
        (("    if size of best is 1: points_for", "    if size of best is 0: points_for"),),
        [],
        unused=("rule points_for", "branch overview 1 holds"),
        options={"cards": 3},
    ),
    Planted(
        "off-by-one capacity: three passes where two fit",
        "kuhn-poker",
        (("marker passes: 0..3 = 0", "marker passes: 0..2 = 0"),),
        [("given_up", 5)],
        "'passes' cannot become 3",
        seats=3,
    ),
    Planted(
        "missing tie rule: nobody has more boxes",
        "dots-and-boxes",
        ((MOST_POINTS, MORE_POINTS),),
        [("dead_end", 7)],
        "'draw' is refused, because of 'free'",
        options={"rows": 1},
    ),
    Planted(
        "wrong turn after elimination: who is out is asked",
        "thirty-one",
        ((" from next(dealer) where p's lives > 0:", " from next(dealer):"),),
        [("promise", 28)],
        "'who_knocks_holds_cards'",
        seats=3,
        options={"starting_lives": 1},
        games=30,
    ),
    Planted(
        "endless window: offered again until all have come",
        "farmyard-workers",
        (
            (
                "    clockwise(first_player) may in_turn work\n",
                "    repeat until every p in players satisfies p's home is empty:\n"
                "      clockwise(first_player) may in_order work as worker\n",
            ),
        ),
        [("passing", 3)],
        "If everybody passes, play stands where it stood before.",
        unused=("effect work 6",),  # as in the game as it is: in one round nobody has more than two rooms
        options={"rounds": 1},
    ),
    Planted(
        "lost card: the heap falls under the table",
        "snap",
        (
            ("  put everything from heap onto p's won\n", "  put everything from heap into floor\n"),
            ("zone heap: pile of Rank\n", "zone heap: pile of Rank\nzone floor: bag of Rank\n"),
        ),
        [("promise", 4)],
        "'no_card_is_lost'",
        options={"ranks": 4},
        states=300,
    ),
    Planted(
        "double count: a box is worth two",
        "dots-and-boxes",
        (("    my points rises by 1\n", "    my points rises by 2\n"),),
        [("promise", 4)],
        "'points_for_boxes'",
        options={"rows": 1},
    ),
]


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.title.partition(":")[0].replace(" ", "-"))
def test_a_planted_mistake_is_found(planted: Planted) -> None:
    program = copy_of(planted.game, *planted.changes)
    report = look(program, planted.seats, planted.options, games=planted.games, states=planted.states)
    assert kinds_of(report) == planted.kinds
    assert planted.said in "".join(finding.said for finding in report.findings[:1])
    assert tuple(never_used(report)) == planted.unused
    assert report.mistakes == len(planted.kinds) + len(planted.unused)


def test_a_prompt_that_tells_what_a_player_holds_is_refused_at_once() -> None:
    told = ("    p must pass_by or bet\n", '    p must pass_by or bet because "{p} holds {p\'s hand}"\n')
    with pytest.raises(Diagnosed, match="RL5002"):
        copy_of("kuhn-poker", told)


def test_a_wrong_order_of_two_ends_is_found() -> None:
    """A line on the last square counts as a draw: the full board stands before the line, and both hold there."""
    reasons = allowed(rulesets.find("tic-tac-toe").parent)
    assert look("tic-tac-toe").mistakes == 0, "the game as it is says why its order is meant"
    report = look(copy_of("tic-tac-toe", (LINE + DRAW, DRAW + LINE)), allowed=reasons)
    assert (kinds_of(report), report.mistakes) == ([("order", 9)], 1)
    (finding,) = report.findings
    assert finding.place is not None and finding.other is not None
    assert (finding.place.line, finding.other.line, finding.positions) == (10, 11, 62)
    assert "By line 10: nobody wins; by line 11: seat 1 wins." in finding.said
    end = replay(report.game, record_of(report, finding)).outcome
    assert end is not None and end.winners == ()


def test_a_wrong_order_of_two_ends_is_noticed_by_a_scenario(tmp_path: Path) -> None:
    wrong = changed("tic-tac-toe", (LINE + DRAW, DRAW + LINE))
    plays = (rulesets.find("tic-tac-toe").parent / "plays" / "tic-tac-toe.play").read_text(encoding="utf-8")
    home = place_in(tmp_path, "tic-tac-toe", wrong, plays)
    checked = check_file(read_play_file(home / "plays" / "tic-tac-toe.play"), Library())
    results = [run_scenario(each, engine_named("reference")) for each in checked]
    assert [each.id for each in results if each.status != "passed"] == ["A line on the last square wins"]


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("goofspiel", 2, {"cards": 3}),
        ("kuhn-poker", 2, {}),
        ("kuhn-poker", 3, {}),
        ("dots-and-boxes", 2, {"columns": 1}),
        ("kalah", 2, {"houses": 2, "seeds_a_house": 2}),
        ("nim", 2, {"heaps": 3}),
        ("sheriff", 2, {"rounds": 2}),
        ("prisoners-dilemma", 2, {"most_rounds": 4}),
    ],
)
def test_the_games_as_they_are_are_proved_to_be_sound(game: str, seats: int, options: Options) -> None:
    report = look(game, seats, options)
    assert report.whole
    assert (report.findings, never_used(report)) == ((), [])


def test_games_that_are_too_large_are_sound_as_far_as_they_were_played() -> None:
    games: tuple[tuple[str, int, Options], ...] = (
        ("thirty-one", 3, {"starting_lives": 1}),
        ("farmyard-workers", 2, {"rounds": 2}),
        ("snap", 2, {"ranks": 4}),
    )
    for game, seats, options in games:
        report = look(game, seats, options, games=20)
        assert (report.mistakes, report.whole) == (0, False)


@pytest.mark.soak
@pytest.mark.parametrize("game", [name for name, path in rulesets.all_rulesets() if "classics" in path.parts])
def test_no_classic_has_a_mistake_that_can_be_found(game: str) -> None:
    assert look(game, states=100_000).mistakes == 0
    assert look(game, games=200).mistakes == 0
