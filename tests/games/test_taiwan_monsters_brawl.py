"""Taiwan Monsters Brawl over many games: what the rulebook and scenarios.md say of all of them, or of many.

The lines of S-044 to S-047 and S-143 are worked out here from the data alone, by the words of ruling TMB-R-10.
docs/guide/new-monster.md is tested here: its rows make a ninth monster.
"""

import math
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from monsters import (
    DICE,
    RULESET,
    Choose,
    Options,
    Table,
    advised,
    at_random,
    attempts,
    changed,
    closed,
    data,
    folder,
    grid,
    lines,
    move_of,
    offered,
    play,
    record,
    rows,
    segments,
    steps,
    takes,
)

from rulelang import load
from rulelang.failures import Diagnosed, Refused
from rulelang.play.chance import Stream
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Event, Outcome, Pass, Play
from rulelang.play.position import Position
from rulelang.play.words import move_text
from rulelang_native.game import Game as NativeGame

SEATS = (2, 3, 4)
MONSTERS = [row["id"] for row in data()["monsters"]]
SPELLS = [row["id"] for row in data()["spells"]]

VARIANTS: dict[str, Options] = {
    "none": (),
    "double_rounds": (("double_rounds", "on"),),
    "draw_two": (("draw_two", "every_draw"),),
    "draw_two_later": (("draw_two", "not_at_setup"),),
    "ten_point_lead": (("ten_point_lead", "on"),),
    "all": (("double_rounds", "on"), ("draw_two", "every_draw"), ("ten_point_lead", "on")),
}
"""The printed variants (S-130)."""

VALUES: tuple[tuple[int, Options], ...] = (
    (3, (("double_rounds", "on"), ("draw_two", "every_draw"))),
    (4, (("double_rounds", "on"), ("ten_point_lead", "on"))),
    (4, (("draw_two", "not_at_setup"),)),
    (3, (("mountain_troll", "left_out"), ("monster_choice", "random"))),
    (4, (("starting_option", "random"),)),
    (2, (("starting_player", 1),)),
    (3, (("starting_player", 2), ("rune_supply", "unlimited"))),
    (3, (("starting_player", 3), ("line_extent", "whole_track_filled"))),
    (4, (("starting_player", 4), ("lines_per_roll", "any_number"))),
    (3, (("unplaceable_rune", "chi_if_unplaceable"),)),
    (4, (("unplaceable_rune", "chi_always"),)),
    (4, (("dice_release", "grey_hold"),)),
    (3, (("dice_floor", "floor_zero"), ("leader_bonus", "vp_difference"), ("leader_check", "at_declaration"))),
    (4, (("second_ultimate", "second_wasted"), ("repeat_defence", "once_per_round"))),
    (3, (("vp_floor", "negative"),)),
    (2, (("both_reach_15", "simultaneous"),)),
    (4, (("chi_supply", "bank_48"),)),
    (3, (("random_runes", "one_by_one"),)),
    (4, (("spell_timing", "active_only"), ("modifier_window", "current_roller"))),
    (3, (("tempest_target", "own_non_ultimate"),)),
    (4, (("unresolved_tie", "rematch"),)),
)
"""Every value of every option that is not its default at least once; the defaults are in all others."""


def named(seats_and_options: tuple[int, Options]) -> str:
    """A name for a test."""
    seats, options = seats_and_options
    return f"{seats}," + ",".join(f"{name}={value}" for name, value in options)


def native(seats: int, options: Options = ()) -> NativeGame:
    """The game on the native interpreter."""
    game = closed(seats, options, "native")
    assert isinstance(game, NativeGame)
    return game


# ------------------------------------------------------------------ no game breaks off


CONFIGURATIONS = [
    pytest.param(seats, variant, id=f"{seats},{variant}")
    for seats in SEATS
    for variant in VARIANTS
    if (seats, variant) != (2, "double_rounds")
]


def printed(seats: int, variant: str) -> Options:
    """The options of a printed variant; with two players there are no double rounds (TMB-R-52)."""
    return tuple(each for each in VARIANTS[variant] if seats > 2 or each[0] != "double_rounds")


def check_games(game: NativeGame, games: int) -> None:
    """Random games to their end: none breaks off, none is stuck, and what is always true is true at every wait."""
    for summary in game.playouts(games, 7, promises=True):
        assert summary.broken == ()
        assert summary.kind in ("winners", "unresolved")


@pytest.mark.parametrize(("seats", "variant"), CONFIGURATIONS)
def test_random_games_come_to_an_end(seats: int, variant: str) -> None:
    check_games(native(seats, printed(seats, variant)), 300)


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "variant"), CONFIGURATIONS)
def test_ten_thousand_random_games_come_to_an_end(seats: int, variant: str) -> None:
    check_games(native(seats, printed(seats, variant)), 10_000)


# ------------------------------------------------------------------ what is true at every wait


class Watch:
    """Looks at a game from state to state."""

    def __init__(self, options: Options) -> None:
        self.options = dict(options)
        self.last: Table | None = None

    def look(self, event: Event, state: State) -> None:
        """Hold what must be true against a state, and against the one before it."""
        table = Table(state)
        assert state.game.invariants(state) == ()
        self.box(table)
        self.boards(table)
        self.numbers(table)
        self.challenge(table)
        if self.last is not None and self.last.phase != "setting_up" != table.phase:
            self.runes_lie_still(self.last, event, table)
            self.first_player(self.last, table)
        self.last = table

    def box(self, table: Table) -> None:
        """TMB-COMP-01 to 10: nothing comes into the game, and nothing is lost."""
        runes = 999 if self.options.get("rune_supply") == "unlimited" else 14
        left_out = {"troll"} if self.options.get("mountain_troll") == "left_out" else set()
        assert table.count("Rune", ["rune_piles", "tray", "rune"]) == dict.fromkeys(rows(table.game, "Rune"), runes)
        assert table.count("Die", ["dice", "pool"]) == DICE
        spells = table.count("Spell", ["spell_deck", "hand", "looked_at", "spell_in_play", "spell_discards"])
        assert spells == {spell: 3 for spell in SPELLS if spell not in left_out}
        assert spells.total() == 39 - 3 * len(left_out)
        places = ["territory_deck", "open_territories", "territory", "territory_discards"]
        assert table.count("Territory", places) == {f"T{number:02}": 1 for number in range(1, 29)}
        assert table.count("Monster", ["monsters", "monster"]) == dict.fromkeys(MONSTERS, 1)

    def boards(self, table: Table) -> None:
        """TMB-CELL-03 to 08, TMB-RUNE-02: a rune lies where its cell takes it, and only a rune has a back."""
        for seat in range(table.seats):
            board, spent = table.board(seat), table.spent(seat)
            for place, rune in enumerate(board):
                assert not rune or rune in takes(grid(table.monster(seat))[place])
                assert rune or not spent[place]

    def numbers(self, table: Table) -> None:
        """TMB-R-29, TMB-R-33 and TMB-R-57: Chi and points have their bounds; nobody looks at cards without reason."""
        chi = table.members("chi_tokens")
        assert min(chi) >= 0
        assert sum(chi) <= 48 or self.options.get("chi_supply") != "bank_48"
        assert min(table.members("vp")) >= 0 or self.options.get("vp_floor") == "negative"
        assert 0 <= table["first_player"] < table.seats
        assert max(map(len, table.members("looked_at"))) <= (2 if "draw_two" in self.options else 0)

    def challenge(self, table: Table) -> None:
        """S-052, TMB-LINE-18: dice and points are of one challenge; without a line there are none."""
        if table["challenger"] < 0:
            assert table.count("Die", ["dice"]) == DICE
            return
        for seat in (table["challenger"], table["defender"]):
            assert table.members("cell_points")[seat] == 0 or table.members("line_chosen")[seat]
        for seat in set(range(table.seats)) - {table["challenger"], table["defender"]}:
            assert table.members("pool")[seat] == ()

    def runes_lie_still(self, before: Table, event: Event, after: Table) -> None:
        """S-023, TMB-R-13: a rune stays where it is until it is discarded exhausted, or Wildfire hits it."""
        hit = (-1, -1)
        if move_of(after.game, event) == "wildfire":
            assert isinstance(event, Play)
            hit = (event.arguments[0], event.arguments[1])
        for seat in range(after.seats):
            spent = before.spent(seat)
            for place, (old, new) in enumerate(zip(before.board(seat), after.board(seat), strict=True)):
                if old and new != old:
                    assert new == ""
                    assert (seat, place) == hit or (spent[place] and after.phase in ("clean_up", "resources"))

    def first_player(self, before: Table, after: Table) -> None:
        """S-011 and S-012: the First Player Card goes on by one when a round has ended, and at no other time."""
        if before["first_player"] != after["first_player"]:
            assert after["first_player"] == (before["first_player"] + 1) % after.seats
            assert (before.phase, after.phase) != ("resources", "challenges")
        if after.seats > 2 and after["round"] > 1:
            moved = after["round"] - before["round"]
            assert (after["first_player"] - before["first_player"]) % after.seats == moved


def watched(seats: int, options: Options, seed: int) -> None:
    """A random game on the reference interpreter, looked at in every state, then played again from its events."""
    game, watch = closed(seats, options), Watch(options)
    events: list[Event] = []
    state = game.start()
    for _, event, state in steps(game, seed):
        events.append(event)
        watch.look(event, state)
    over(state)
    if seats > 2 and "ten_point_lead" not in dict(options):
        assert Table(state)["round"] == (2 * seats if "double_rounds" in dict(options) else seats)  # S-011, S-131
    for engine in ("reference", "native"):
        again = closed(seats, options, engine).start()
        for event in events:
            again = again.step(event)
        assert again.hash == state.hash


def over(state: State) -> None:
    """S-121 to S-124: who has won follows from the table, and nothing can be done any more."""
    assert state.outcome is not None
    table = Table(state)
    if table.seats == 2 and max(table.members("vp")) >= 15:  # sudden death; who was first, is in the scenarios
        assert all(table.members("vp")[seat] >= 15 for seat in state.outcome.winners)
        return
    ranks = [
        (table.members("vp")[seat], table.coloured(seat), table.members("chi_tokens")[seat] // 3)
        for seat in range(table.seats)
    ]
    best = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    assert state.outcome.winners == best
    assert state.outcome.kind == ("winners" if len(best) == 1 else "unresolved")
    for attempt in attempts(state, 0, Stream(1), each=1):
        assert state.refusals(attempt)[0].code == "game_over"


@pytest.mark.parametrize("seats", SEATS)
def test_nothing_is_lost_in_random_games(seats: int) -> None:
    for seed in range(3):
        watched(seats, (), seed)


@pytest.mark.parametrize("configuration", VALUES, ids=named)
def test_every_value_of_every_option(configuration: tuple[int, Options]) -> None:
    seats, options = configuration
    watched(seats, options, 1)
    check_games(native(seats, options), 50)


def test_every_value_is_tried() -> None:
    tried = {(name, str(value)) for _, options in VALUES for name, value in options}
    for option in closed(4).program.options:
        values = getattr(option.type, "labels", None) or ("random", *map(str, range(1, 5)))
        assert values[option.default] == values[0], "the default stands first"
        for value in values[1:]:
            assert (option.name, value) in tried, f"{option.name} = {value}"


def test_who_has_won_follows_from_the_table() -> None:
    """Many games, so that ties are among them; one that stays a tie is rare."""
    ends = Counter[str]()
    for seed in range(150):
        *_, (_, _, state) = steps(native(3), seed)
        over(state)
        assert state.outcome is not None
        ends[state.outcome.kind] += 1
        points = sorted(Table(state).members("vp"))
        ends["tied for the most points"] += points[-1] == points[-2]
    print(dict(ends))
    assert ends["winners"] > 0 and ends["tied for the most points"] > 5


# ------------------------------------------------------------------ chance


def about(found: int, games: int, chance: float) -> bool:
    """Whether so many are within five standard deviations of what is expected."""
    return abs(found - games * chance) < 5 * math.sqrt(games * chance * (1 - chance))


def after_set_up(game: Game, seed: int) -> Table:
    """The table when the first round begins."""
    tables = (Table(after) for _, _, after in steps(game, seed))
    return next(table for table in tables if table.phase != "setting_up")


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_is_starting_player_equally_often(seats: int) -> None:
    """S-007: by chance as often as everybody else; or the one who is named."""
    games, dealt = 200, native(seats, (("monster_choice", "random"), ("starting_option", "random")))
    found = Counter(after_set_up(dealt, seed)["first_player"] for seed in range(games))
    print(dict(found))
    assert all(about(found[seat], games, 1 / seats) for seat in range(seats))
    for seat in range(seats):
        assert after_set_up(native(seats, (("starting_player", seat + 1),)), 1)["first_player"] == seat


def test_faces_of_the_rune_die() -> None:
    """S-142, TMB-R-36: four runes about once in six rolls, Chi about once in three."""
    game = native(4)
    roll = next(
        after for seed in range(50) for _, event, after in steps(game, seed) if move_of(game, event) == "roll_runes"
    )
    runes = rows(game, "Rune")
    chances = {runes[code]: chance for code, chance in roll.chance()}
    assert chances == {rune: Fraction(2 if rune == "chi" else 1, 6) for rune in runes}
    rolls = 6_000
    draw = Stream(3)
    found = Counter(runes[roll.sample(draw)] for _ in range(rolls))
    print(dict(found))
    assert all(about(found[rune], rolls, float(chance)) for rune, chance in chances.items())


def test_random_monsters_and_options() -> None:
    """S-153: no monster twice, one option each as a whole, and every player places its starting runes itself."""
    games, seats = 120, 4
    game = native(seats, (("monster_choice", "random"), ("starting_option", "random")))
    dealt, sides = Counter[str](), Counter[str]()
    for seed in range(games):
        placed: list[Counter[str]] = [Counter() for _ in range(seats)]
        table = Table(game.start())
        for _, event, after in steps(game, seed):
            assert move_of(game, event) in ("", "place")
            if isinstance(event, Play):
                placed[event.seat][rows(game, "Rune")[event.arguments[0]]] += 1
            table = Table(after)
            if table.phase != "setting_up":
                break
        who = [table.monster(seat) for seat in range(seats)]
        assert len(set(who)) == seats
        dealt.update(who)
        for seat in range(seats):
            row = record("monsters", who[seat])
            got = (placed[seat], table.members("chi_tokens")[seat])
            given = {side: (Counter(row[f"option_{side}_runes"]), row[f"option_{side}_chi"]) for side in "ab"}
            assert got in given.values()
            assert placed[seat] == Counter(filter(None, table.board(seat)))
            sides[next(side for side in "ab" if given[side] == got)] += 1
    print(dict(dealt), dict(sides))
    assert all(about(dealt[monster], games * seats, 1 / 8) for monster in MONSTERS)
    assert about(sides["a"], games * seats, 1 / 2)


def test_territories_are_shuffled_again_in_double_rounds() -> None:
    """S-131, TMB-R-06: four players need 40 cards of 28, so the deck runs out in round 6 and never before."""
    game = native(4, (("double_rounds", "on"),))
    for seed in range(20):
        sizes = [28]
        shuffled = []
        for _, _, after in steps(game, seed):
            table = Table(after)
            sizes.append(len(table["territory_deck"]))
            if sizes[-1] > sizes[-2]:
                shuffled.append(table["round"])
        assert shuffled == [6]


@pytest.mark.parametrize("seats", [3, 4])
def test_territories_last_for_single_rounds(seats: int) -> None:
    for seed in range(20):
        sizes = [len(Table(after)["territory_deck"]) for _, _, after in steps(native(seats), seed)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] == 28 - seats * (seats + 1)


# ------------------------------------------------------------------ nothing is dead


def used(seeds: range, choose: Choose) -> tuple[Counter[str], Counter[str]]:
    """How often each monster's power and each Spell Card was used in games of four."""
    game = native(4, (("monster_choice", "random"),))
    powers, spells = Counter[str](), Counter[str]()
    for seed in seeds:
        for before, event, _ in steps(game, seed, choose):
            move = move_of(game, event)
            if move in SPELLS:
                spells[move] += 1
            elif move == "unleash":
                assert isinstance(event, Play)
                powers[Table(before).monster(event.seat)] += 1
    return powers, spells


def test_every_power_and_every_spell_is_used() -> None:
    """By players at random and by those that follow the advice: there is a use for each, and the advice knows it."""
    for name, choose in (("at random", at_random), ("advised", advised)):
        powers, spells = used(range(60), choose)
        print(f"{name}: {dict(sorted(powers.items()))}; {dict(sorted(spells.items()))}")
        assert [monster for monster in MONSTERS if not powers[monster]] == []
        assert [spell for spell in SPELLS if not spells[spell]] == []


# ------------------------------------------------------------------ lines


def before_a_line(game: Game) -> tuple[int, Position]:
    """A seat that is asked for its line in a challenge, and the position; nobody holds a card, no board has a rune."""
    for seed in range(100):
        for _, _, state in steps(game, seed):
            table = Table(state)
            if "activate" in offered(state) and table.count("Die", ["pool"]) == {"grey": 3}:
                seat, seats = state.waiting.seats[0], table.seats
                dropped = [card for hand in table.members("hand") for card in hand]
                cleared: dict[str, Sequence[Any]] = {
                    "hand": [()] * seats,
                    "spell_discards": [(*table["spell_discards"], *dropped)],
                    "rune": [()] * (16 * seats),
                    "spent": [0] * (16 * seats),
                    "rune_piles": [tuple(code for code in range(5) for _ in range(14))],
                    "power_used": [0] * seats,
                }
                return seat, changed(game, table.position, cleared)
    raise AssertionError("nobody was asked for a line")


def with_board(
    game: Game, seat: int, position: Position, monster: str, board: list[str], spent: list[bool], power_used: bool
) -> State:
    """The state in which this seat plays this monster with this board."""
    seats, runes, monsters = game.program.configuration, rows(game, "Rune"), rows(game, "Monster")
    assert seats is not None
    others = [code for code in range(len(monsters)) if monsters[code] != monster]
    here, empty = 16 * seat, 16 * (seats.seats - 1 - seat)
    left = Counter({code: 14 for code in range(5)}) - Counter(runes.index(rune) for rune in board if rune)
    values: dict[str, Sequence[Any]] = {
        "monster": [(monsters.index(monster) if each == seat else others[each],) for each in range(seats.seats)],
        "monsters": [tuple(code for place, code in enumerate(others) if place == seat or place >= seats.seats)],
        "rune": [()] * here + [(runes.index(rune),) if rune else () for rune in board] + [()] * empty,
        "spent": [0] * here + [int(back) for back in spent] + [0] * empty,
        "rune_piles": [tuple(sorted(left.elements()))],
        "power_used": [int(power_used and each == seat) for each in range(seats.seats)],
    }
    return game.position(changed(game, position, values))


def boards(monster: str, number: int) -> list[tuple[list[str], list[bool], bool]]:
    """Boards of a monster: a full one, and many with gaps and backs; and whether the power was used before."""
    draw = Stream(len(monster) + 100 * number)
    found: list[tuple[list[str], list[bool], bool]] = []
    for count in range(number):
        board, spent = [""] * 16, [False] * 16
        for place, cell in enumerate(grid(monster)):
            if takes(cell) and draw.below(10) >= count % 5:
                board[place] = takes(cell)[draw.below(len(takes(cell)))]
                spent[place] = count > 0 and draw.below(10) < 4
        found.append((board, spent, draw.below(4) == 0))
    return found


def accepted(state: State, seat: int) -> dict[str, Answer]:
    """The lines that a seat may activate; none if it is not asked."""
    if "activate" not in offered(state) or state.waiting.seats != (seat,):
        return {}
    return {track_of(state.game, answer): answer for answer in state.moves(seat) if isinstance(answer, Play)}


def track_of(game: Game, answer: Answer) -> str:
    """The row or column that an answer names: ``row1`` of ``activate(row1)``."""
    return move_text(game.program, answer).partition("(")[2].removesuffix(")")


@pytest.mark.parametrize("extent", ["segment", "whole_track_filled"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_lines_are_those_of_the_data(extent: str, engine: str) -> None:
    """S-044 to S-049, S-143, TMB-R-10: on many boards of all monsters the rules accept exactly the lines worked out."""
    game = closed(3, (("line_extent", extent),), engine)
    seat, position = before_a_line(game)
    found: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    for monster in MONSTERS:
        candidates = segments(grid(monster))
        for board, spent, power_used in boards(monster, 120 if engine == "native" else 20):
            state = with_board(game, seat, position, monster, board, spent, power_used)
            right = lines(grid(monster), board, spent, extent, power_used)
            assert set(accepted(state, seat)) == set(right), (monster, board, spent, power_used)
            found.update((monster, name) for name in right)
            refused.update((monster, name) for name in candidates if name not in right)
            if right:
                for code in range(8):
                    attempt = play(state, seat, "activate", code)
                    reasons = [reason.code for reason in state.refusals(attempt)]
                    assert reasons == ([] if track_of(game, attempt) in right else ["line_not_valid"])
    every = {(monster, name) for monster in MONSTERS for name in segments(grid(monster))}
    print(f"{len(every)} candidates, {len(found)} of them accepted, {len(refused)} refused on some board")
    assert found == every, "on the full board all are lines"
    assert refused == every


def activated(state: State, answer: Answer, draw: Stream) -> State:
    """The state when the line has been resolved: runes in any order, everything else declined."""
    state = state.step(answer)
    while any(Table(state).members("in_line")):
        if state.waiting.kind == "chance":
            state = state.step(Outcome(state.sample(draw)))
        elif state.waiting.may_pass:
            state = state.step(Pass(state.waiting.seats[0]))
        else:
            state = state.step(at_random(state, draw))
    return state


def test_a_line_does_what_its_cells_and_runes_say() -> None:
    """S-042 to S-049, TMB-LINE-14 to 24: points, dice, Chi and rerolls of a line, and which runes are turned over."""
    game = closed(3, (), "native")
    seat, position = before_a_line(game)
    compared = 0
    for monster in MONSTERS:
        for board, spent, power_used in boards(monster, 25):
            state = with_board(game, seat, position, monster, board, spent, power_used)
            chi = Table(state).members("chi_tokens")[seat]
            for name, answer in accepted(state, seat).items():
                line = segments(grid(monster))[name]
                cells = [record("cell", grid(monster)[place]) for place in line]
                ready = [place for place in line if board[place] and not spent[place]]
                ultimates = [place for place in ready if board[place] == "ultimate"]
                after = Table(activated(state, answer, Stream(compared)))
                turned = {place for place in range(16) if after.spent(seat)[place] and not spent[place]}
                assert turned - set(ultimates) == set(ready) - set(ultimates)
                assert len(turned & set(ultimates)) == (1 if ultimates and not power_used else 0)  # S-068
                assert after.board(seat) == tuple(board)
                assert after.members("cell_points")[seat] == sum(cell.get("points", 0) for cell in cells)
                dice = Counter({"grey": 3}) + Counter(cell["gives"] for cell in cells if "gives" in cell)
                assert after.count("Die", ["pool"]) == dice
                turned_runes = Counter(board[place] for place in turned)
                assert after.members("chi_tokens")[seat] == chi + 2 * turned_runes["chi"]
                assert after.members("rerolls")[seat] == turned_runes["reroll"]
                assert len(after.members("hand")[seat]) == turned_runes["spell"]
                compared += 1
    print(f"{compared} lines activated")
    assert compared > 400


# ------------------------------------------------------------------ a ninth monster, as docs/guide/new-monster.md says

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "new-monster.md"


def fenced(language: str, number: int = 0) -> str:
    """A block of the guide."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    return found[number]


def with_rows(folder_to_be: Path, added: str) -> Path:
    """A copy of the ruleset with these rows at the end of its data."""
    copy = folder_to_be / RULESET
    shutil.copytree(folder(), copy)
    with (copy / "components.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + added)
    return copy / f"{RULESET}.rules"


def test_the_guide_tells_of_every_cell_and_effect() -> None:
    """What can be combined is told as a whole; and nothing that there is not."""
    told = set(re.findall(r"^\| `(\w+)` \|", GUIDE.read_text(encoding="utf-8"), re.M))
    assert told == {row["id"] for row in data()["cell"]} | {row["effect"] for row in data()["power"]}


def test_a_ninth_monster_is_played(tmp_path: Path) -> None:
    """The rows of the guide make a monster that can be chosen, and its power is used and does what they say."""
    added = tomllib.loads(fenced("toml"))
    (monster,) = (row["id"] for row in added["monsters"])
    assert len(added["power"]) == 2 and {row["monster"] for row in added["power"]} == {monster}
    game = load(with_rows(tmp_path, fenced("toml")), engine="native").configure(3).game
    ninth = rows(game, "Monster").index(monster)
    assert ninth == 8

    def choose(state: State, draw: Stream) -> Answer:
        """The first player takes the ninth monster; half of the games are played by the advice, half at random."""
        if "choose_monster" in offered(state) and state.waiting.seats == (0,):
            return play(state, 0, "choose_monster", ninth)
        return (advised if draw.key % 2 else at_random)(state, draw)

    unleashed = taken = 0
    for seed in range(40):
        for before, event, after in steps(game, seed, choose):
            assert game.invariants(after) == ()
            if isinstance(event, Play) and move_of(game, event) == "unleash" and event.seat == 0:
                old, new = Table(before), Table(after)
                rival = old["defender"] if old["challenger"] == 0 else old["challenger"]
                stolen = min(1, old.members("chi_tokens")[rival])
                assert len(new.members("pool")[0]) == len(old.members("pool")[0]) + 1
                assert new.members("chi_tokens")[rival] == old.members("chi_tokens")[rival] - stolen
                unleashed, taken = unleashed + 1, taken + stolen
    print(f"the power of {monster} was used {unleashed} times and took {taken} Chi")
    assert unleashed > taken > 0, "with Chi to be taken and without"


MISTAKES = {
    "effect": ('effect = "gain_die"', 'effect = "add_die"', "RL7012"),
    "die": ('die = "black"', 'die = "blue"', "RL7013"),
    "cell": ('"grey_die"', '"gray_die"', "RL7012"),
    "rune": ('option_b_runes = ["ultimate"]', 'option_b_runes = ["ultimatum"]', "RL7012"),
    "monster": ('monster = "black_bear"', 'monster = "bear"', "RL7013"),
    "amount": ("amount = 1", "amount = 0", "RL7012"),
    "column": ('letter = "I"', "", "RL7010"),
    "twice": ('id = "black_bear"', 'id = "shark"', "RL7019"),
}
"""What is written instead of what, and the number of the message."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_row_that_names_what_there_is_not(tmp_path: Path, mistake: str) -> None:
    """The message names the file and the line in which the row is wrong."""
    right, wrong, code = MISTAKES[mistake]
    assert right in fenced("toml")
    rules = with_rows(tmp_path, fenced("toml").replace(right, wrong, 1))
    with pytest.raises(Diagnosed) as raised:
        load(rules)
    told = re.match(r"(?:.*/)?components\.toml:(\d+):1: (RL\d+) ", str(raised.value))
    assert told is not None and told[2] == code
    line = (rules.parent / "components.toml").read_text(encoding="utf-8").splitlines()[int(told[1]) - 1]
    key = wrong.partition(" = ")[0]
    assert line.startswith({"column": "[[monsters]]", "cell": "grid = ["}.get(mistake, key))


DEMANDS = {
    "short grid": ('"for_reroll", "any", "grey_die"', '"for_reroll", "grey_die"', "grids_fill_the_board"),
    "long grid": ('"for_reroll", "any", "grey_die"', '"for_reroll", "any", "any", "grey_die"', "grids_fill_the_board"),
    "no die": ('die = "black"\n', "", "dice_are_named"),
}
"""What is written instead of what, and the demand that refuses it before play."""


@pytest.mark.parametrize("mistake", DEMANDS)
def test_rows_that_do_not_go_together(tmp_path: Path, mistake: str) -> None:
    """Every value is one that there is, but a game with such rows cannot begin."""
    right, wrong, demand = DEMANDS[mistake]
    assert right in fenced("toml")
    ruleset = load(with_rows(tmp_path, fenced("toml").replace(right, wrong, 1)))
    with pytest.raises(Refused) as raised:
        ruleset.configure(3)
    assert [reason.code for reason in raised.value.reasons] == [demand]


def test_the_message_in_the_guide(tmp_path: Path) -> None:
    """What an unknown effect is told is what the guide shows, but for the number of the line."""
    right, wrong, _ = MISTAKES["effect"]
    with pytest.raises(Diagnosed) as raised:
        load(with_rows(tmp_path, fenced("toml").replace(right, wrong)))
    said = str(raised.value)[str(raised.value).index("components.toml:") :]
    assert re.sub(r"\d{3,4}\b", "N", said).split() == re.sub(r"\d{3,4}\b", "N", fenced("text")).split()
    assert wrong in fenced("text")


def test_the_grid_in_the_guide() -> None:
    """Sixteen cells, seven lines as it says, and starting runes that fit."""
    (row,) = tomllib.loads(fenced("toml"))["monsters"]
    assert len(row["grid"]) == 16
    assert set(segments(row["grid"])) == {"row1", "row2", "row3", "row4", "col1", "col2", "col4"}
    for side in "ab":
        assert all(any(rune in takes(cell) for cell in row["grid"]) for rune in row[f"option_{side}_runes"])
