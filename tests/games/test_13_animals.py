"""13 Animals over many games: what clauses.toml derives from the rulebook (13A-INV), and what S-69 and S-70 ask."""

import pytest
from animals import Table, ask, closed, copies, whole

from rulelang import load
from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Play, Sealed
from rulelang.play.match import Match
from rulelang_native.game import Game

SEATS = (2, 3, 4, 5)
VALUES: tuple[tuple[tuple[str, int | str | bool], ...], ...] = (
    (("first_player", "chosen"), ("first_seat", 2)),
    (("discard_access", "any_card"), ("stall_guard", 4)),
    (("discard_visibility", "open"),),
    (("exhaustion_timing", "end_of_turn"), ("pon", "on")),
    (("exhaustion_timing", "immediate"),),
    (("return_drawn", "forbidden"),),
    (("stall_guard", 1),),
    (("stall_guard", 10), ("pon", "on")),
    (("going_out", "ten_automatic"), ("pon", "on")),
    (("going_out", "automatic"), ("pon", "on"), ("exhaustion_timing", "immediate")),
    (("winner_arrangement", "free_best"), ("going_out", "automatic")),
    (("rainbow_others_score", "nobody_scores"), ("going_out", "automatic")),
    (("tiebreak_bonus", "without_bonus"),),
    (("fox_limit", "one"), ("pon", "on")),
    (("fox_limit", "any"), ("pon", "on")),
    (("legendary_three", "four_only"),),
    (("pon", "on"),),
    (("pon", "on"), ("pon_requirement", "exactly_three")),
    (("pon", "on"), ("pon_contest", "next_player_first")),
    (("pon", "on"), ("pon_go_out", "ten_only"), ("going_out", "automatic")),
    (("pon", "on"), ("pon_go_out", "none"), ("going_out", "automatic")),
    (("pon", "on"), ("pon_chain", False)),
)
"""Every value of every option that is not its default at least once; the defaults are in all others."""

STOCK = {2: (23, 22), 3: (18, 17), 4: (13, 12), 5: (8, 7)}


# ------------------------------------------------------------------ what is true at every wait


class Watch:
    """Looks at a game from wait to wait."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.before: Table | None = None
        self.calls = 0

    def look(self) -> None:
        """Hold what must be true against the state."""
        state, table = self.match.state, Table(self.match.state)
        assert table.cards() == copies()  # 13A-INV-01
        assert state.game.invariants(state) == ()  # 13A-INV-02 to 05, 07 and 09, as the rules promise them
        self.holdings(state, table)
        self.stock(table)
        self.score(state, table)
        self.secrets(state, table)
        self.before = table

    def holdings(self, state: State, table: Table) -> None:
        """13A-INV-02, 03 and 04: ten cards each, eleven for who is to discard; no gap but that one."""
        waiting = state.waiting
        move = state.game.program.moves[waiting.moves[0]].name if waiting.moves else ""
        gaps = sum(not heap for heap in table.members("heap"))
        if move in ("draw", "call", "reserve"):
            assert table.holdings() == [10] * len(table.holdings())
            assert gaps == 0
        elif move == "go_out":
            assert sorted(table.holdings()) == [*[10] * (len(table.holdings()) - 1), 11]
            assert table.holdings()[waiting.seats[0]] == 11
            assert gaps <= 1
        self.calls += move == "call"

    def stock(self, table: Table) -> None:
        """13A-INV-05 and 06: how much lies face down, and that only a face-down draw takes from it."""
        if self.before is None or self.before["round"] != table["round"] or table["hands_open"]:
            return
        event = self.match.events[-1]
        moves = table.program.moves
        drawn = isinstance(event, Play) and moves[event.move].name == "draw"
        if table.stock != self.before.stock:
            assert table.stock == self.before.stock - 1
        elif drawn and self.match.state.waiting.kind != "chance":
            raise AssertionError("a face-down draw takes a card")

    def score(self, state: State, table: Table) -> None:
        """13A-INV-07, 10, 11 and 12: the bonus, the starter, the sheet."""
        seats, bonus, sheet = len(table.members("hand")), table.members("bonus"), table.members("sheet")
        number = table["round"] - 1
        assert all(-1 <= entry <= 40 for entry in sheet)  # -1 is none
        if table["hands_open"]:
            paid = [bonus[3 * seat + number] for seat in range(seats)]
            out = table["out"]
            assert paid == [number + 1 if seat == out else 0 for seat in range(seats)]
            assert all(sheet[3 * seat + number] >= 0 for seat in range(seats))
            if out >= 0 and self.before is not None and not self.before["hands_open"]:
                last = self.match.events[-1]
                answers = last.answers if isinstance(last, Sealed) else (last,)
                assert out in [getattr(answer, "seat", out) for answer in answers]
        else:
            assert all(sheet[3 * seat + later] == -1 for seat in range(seats) for later in range(number, 3))
        if self.before is not None and self.before["round"] != table["round"]:
            assert table["starter"] == (self.before["starter"] + 1) % seats

    def secrets(self, state: State, table: Table) -> None:
        """13A-INV-08: before the end of a round nobody is shown a card in another hand or in a deck."""
        if table["hands_open"]:
            return
        hidden = {table.slots[name] for name in ("box", "deck")}
        for seat in range(len(table.members("hand"))):
            for seen in state.view(seat).seen:
                assert seen.part == "size" or seen.slot not in hidden
                assert seen.slot != table.slots["hand"] or seen.part == "size" or seen.member == seat


def play(seats: int, options: tuple[tuple[str, int | str | bool], ...], seed: int) -> Watch:
    """A random game, looked at whenever somebody must act; then played again from its events."""
    game = closed(seats, options)
    match, draw = Match(game, seed), Stream(seed)
    watch = Watch(match)
    while match.advance_chance().waiting.kind != "over":
        watch.look()
        for seat in match.missing[:1]:
            answers = match.state.moves(seat)
            assert answers, "there is always something to do"
            match.submit(answers[draw.below(len(answers))])
    watch.look()
    table = Table(match.state)
    assert match.outcome is not None and match.outcome.kind == "winners"
    assert all(entry >= 0 for entry in table.members("sheet"))  # three entries each
    assert table["round"] == 3
    again = Match(game, seed)
    for event in match.events:
        again.apply(event)
    assert again.state.hash == match.state.hash
    return watch


@pytest.mark.parametrize("seats", SEATS)
def test_sizes_after_set_up(seats: int) -> None:
    orders = set()
    for seed in range(2):
        match = Match(closed(seats), seed)
        table = Table(match.advance_chance())
        assert [len(hand) for hand in table.members("hand")] == [10] * seats
        assert [len(heap) for heap in table.members("heap")] == [1, 1, 1]
        assert tuple(len(deck) for deck in table.members("deck")) == STOCK[seats]
        assert table.stock == 65 - 10 * seats
        assert table["box"] == ()
        assert table.cards() == copies()
        orders.add(repr(table.members("hand")))
    assert len(orders) == 2


@pytest.mark.parametrize("seats", SEATS)
def test_random_games(seats: int) -> None:
    for seed in range(2):
        play(seats, (), seed)


@pytest.mark.parametrize("options", VALUES, ids=lambda options: ",".join(f"{name}={value}" for name, value in options))
def test_every_value_of_every_option(options: tuple[tuple[str, int | str | bool], ...]) -> None:
    seats = 3 + len(repr(options)) % 3
    play(seats, options, 1)


def test_every_value_is_tried() -> None:
    tried = {(name, str(value)) for options in VALUES for name, value in options}
    for option in closed(3).program.options:
        values = getattr(option.type, "labels", ()) or ("True", "False")
        for value in values if option.name not in ("stall_guard", "first_seat") else ():
            default = values.index(value) == option.default or (value == "True" and option.default == 1)
            assert default or (option.name, value) in tried, f"{option.name} = {value}"


def check_promises(seats: int, options: tuple[tuple[str, int | str | bool], ...], games: int) -> None:
    """Random games on the native interpreter: none breaks off, and the rules' own invariants hold at every wait."""
    game = load("13-animals", engine="native").configure(seats, dict(options)).game
    assert isinstance(game, Game)
    assert [each.broken for each in game.playouts(games, 7, promises=True)] == [()] * games


@pytest.mark.parametrize("seats", SEATS)
def test_promises_hold_in_random_games(seats: int) -> None:
    check_promises(seats, (), 10)


@pytest.mark.soak
@pytest.mark.parametrize("seats", SEATS)
def test_two_thousand_random_games(seats: int) -> None:
    check_promises(seats, (), 2_000)
    for seed in range(100):
        play(seats, (), seed)


@pytest.mark.soak
@pytest.mark.parametrize("options", VALUES, ids=lambda options: ",".join(f"{name}={value}" for name, value in options))
def test_two_thousand_random_games_with_options(options: tuple[tuple[str, int | str | bool], ...]) -> None:
    for seats in SEATS:
        check_promises(seats, options, 500)
    for seed in range(40):
        play(SEATS[seed % 4], options, seed)


# ------------------------------------------------------------------ players that follow the advice


def ends(seats: int, games: int) -> tuple[int, int, int]:
    """How many rounds `advised` players end by nothing, by complete sets, by a Rainbow Win."""
    found = [0, 0, 0]
    for seed in range(games):
        match = Match(closed(seats), seed)
        open_before = False
        while match.advance_chance().waiting.kind != "over" or not open_before:
            table = Table(match.state)
            if table["hands_open"] and not open_before:
                found[1 + table["ended_by"] if table["out"] >= 0 else 0] += 1
            open_before = bool(table["hands_open"])
            if match.state.waiting.kind != "over":
                seat = match.missing[0]
                match.submit(match.state.preferred(seat) or match.state.moves(seat)[0])
    return found[0], found[1], found[2]


def test_advised_players_end_their_rounds() -> None:
    check_ends(games=5)


@pytest.mark.soak
def test_advised_players_end_their_rounds_in_many_games() -> None:
    check_ends(games=200)


def check_ends(games: int) -> None:
    for seats in SEATS:
        nothing, complete, rainbow = ends(seats, games)
        rounds = nothing + complete + rainbow
        print(f"{seats} players: {rounds} rounds, {complete} ended by complete sets, {rainbow} by a Rainbow Win")
        assert rounds == 3 * games
        assert complete + rainbow > 0.9 * rounds or (seats == 5 and games < 50)


# ------------------------------------------------------------------ hands that go out


def test_hands_that_go_out_are_those_of_the_data() -> None:
    """S-70, 13A-SETS-06: how many hands can go out, and what their sets give, worked out without the engine."""
    ten, eleven = whole(10), whole(11)
    assert len(ten) == 2_709
    assert len(eleven) == 4_737
    assert (min(ten.values()), max(ten.values())) == (4, 7)
    assert (min(eleven.values()), max(eleven.values())) == (4, 8)
    assert max(len(set(hand)) for hand in eleven) < 11, "no hand permits both a Rainbow Win and going out"


@pytest.mark.parametrize("size", [10, 11])
def test_the_rules_find_the_same_sets(size: int) -> None:
    check_hands(size, step=37)


@pytest.mark.soak
@pytest.mark.parametrize("size", [10, 11])
def test_the_rules_find_the_same_sets_in_all_hands(size: int) -> None:
    check_hands(size, step=1)


def check_hands(size: int, step: int) -> None:
    game = closed(3)
    rows = next(table.rows for table in game.program.tables if table.name == "Animal")
    for hand, stars in list(whole(size).items())[::step]:
        codes = tuple(sorted(rows.index(name) for name in hand))
        possible, worth, rest, groups = ask(game, "full_sets", codes)
        assert (possible, worth, rest) == (1, stars, ())
        assert sorted(code for group in groups for code in group) == list(codes)
        assert ask(game, "best_sets", codes)[1] >= stars


def test_hands_that_do_not_go_out() -> None:
    """Random hands: the rules say that they go out exactly when they are among the hands worked out here."""
    game, draw = closed(3), Stream(5)
    rows = next(table.rows for table in game.program.tables if table.name == "Animal")
    deck = [name for name, count in copies().items() for _ in range(count)]
    for _ in range(150):
        rest = list(deck)
        hand = tuple(sorted(rest.pop(draw.below(len(rest))) for _ in range(10)))
        codes = tuple(sorted(rows.index(name) for name in hand))
        assert ask(game, "full_sets", codes)[0] == (hand in whole(10))
