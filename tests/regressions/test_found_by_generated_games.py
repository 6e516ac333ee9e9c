"""Defects that generated games, damaged texts and random play have found, each in its smallest form."""

import pytest

from rulelang.failures import Diagnosed, Exhausted
from rulelang.pipeline import compile_text, engine_named
from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Outcome, Pass, Play
from rulelang.play.resample import Resampler

GAME = 'game "G":\n  players: 2\n'


def start(rules: str) -> State:
    return engine_named("reference").configure(compile_text(GAME + rules).program, 2, {}).start()


def test_a_round_of_players_in_a_repeat_is_no_endless_loop() -> None:
    """The checker accepted it, then the program did not verify."""
    state = start("move wait\noverview:\n  repeat:\n    each p in players from next(seat(1)): p must wait\n")
    assert state.waiting.seats == (1,)


def test_repeat_with_a_number_of_which_no_bound_is_known() -> None:
    """The number itself was taken for its bound: a reading of the table where there is none yet."""
    state = start(
        "marker clock: 0..9 = 2\nmarker laps: 0..9\nmove wait\n"
        "overview:\n  repeat larger(0, smaller(3, clock)) times: laps rises by 1\n  seat(1) must wait\n"
    )
    assert [seen.value for seen in state.view(None).seen] == [2, 2]


def test_more_cards_are_dealt_than_there_are_in_the_game() -> None:
    """``top(n)`` of a blind pile takes as many as there are; a pile smaller than n stopped the game."""
    state = start(
        "values Card: 1..2\nzone stock: pile of Card, seen by nobody, starts with each Card\n"
        "zone hand for each player: bag of Card, seen by owner\nmove wait\n"
        "overview:\n  shuffle stock\n  put top(3) from stock into seat(1)'s hand\n  seat(1) must wait\n"
    )
    for _ in range(2):
        state = state.step(Outcome(state.chance()[0][0]))
    assert state.waiting.kind == "seat"
    assert ((1, 2), 0) in [(seen.value, seen.member) for seen in state.view(0).seen]


def test_a_later_case_of_a_define_begins_with_a_soft_word() -> None:
    """``row`` was read as the row of a table, because the parser's table has it there though no row can follow."""
    state = start(
        "board Square: 2 by 2\nmarker n: 0..9\ndefine f(c: Square):\n  2 when n is 1\n  row of c otherwise\n"
        "move wait\noverview:\n  n becomes f(cell(Square, 2, 1))\n  seat(1) must wait\n"
    )
    assert state.view(None).seen[0].value == 2


def test_a_tab_in_a_text() -> None:
    """The reader takes it, the verifier did not."""
    assert compile_text(GAME + 'move w:\n  require x: yes because "a\tb"\noverview:\n  seat(1) must w\n')


def test_resampling_passes_over_what_reaches_a_limit() -> None:
    """An answer that another seat could not have given, as it would be given up, stopped the deal."""
    state = start(
        "values Card: 1..3\nzone hand for each player: bag of Card, seen by owner\nmarker n: 0..3\n"
        "zone stock: pile of Card, seen by nobody, starts with each Card\n"
        "move say(k in 0..3):\n  n rises by k\nmove wait\n"
        "overview:\n  shuffle stock\n  each p in players: put top from stock into p's hand\n"
        "  players must secretly say\n  seat(1) must wait\n"
    )
    for _ in range(2):
        state = state.step(Outcome(state.chance()[0][0]))
    answers = tuple(Play(seat, 0, (1,)) for seat in (0, 1))
    from rulelang.play.event import Sealed

    state = state.step(Sealed(answers))
    assert Resampler(state, 0).draw(Stream(1)).view(0) == state.view(0)


def test_how_many_rows_of_a_table_lie_in_a_slot() -> None:
    """``size of`` was looked for among the columns of the table."""
    state = start(
        "table Beast:\n  points: 0..5\n  row cat: 1\nzone place: slot of Beast, starts with each Beast\n"
        "marker n: 0..9\nmove wait\noverview:\n  n becomes size of place\n  seat(1) must wait\n"
    )
    assert state.view(None).seen[-1].value == 1


def test_words_that_cannot_be_said_stop_the_step() -> None:
    """A state could be reached that could not say what it waits for."""
    with pytest.raises(Exhausted):
        start(
            "marker leader: player or nobody\nmarker score for each player: 0..9\nmove wait\n"
            'overview:\n  seat(1) must wait because "{leader\'s score} points"\n'
        )


@pytest.mark.parametrize(
    "rules",
    [
        "marker k: 0..9 = n\n",
        "define w = n\nmarker k: 0..9 = w\n",
        "marker k: player = seat(n)\n",
        "values V: 1..3\nzone z: bag of V, starts with each V times n\n",
        "option o: yes, no = no needs n is 0\n",
        "require d: n is 0\n",
        "values V: 1..n\n",
        "option o: 1..n = 1\n",
        "record R:\n  a: 1..n\n  b: yes or no\n",
        "rule r(p: 1..n): n becomes p\n",
    ],
    ids=["marker", "define", "seat", "times", "needs", "demand", "values", "option", "record", "parameter"],
)
def test_what_must_be_known_before_play_reads_the_table(rules: str) -> None:
    """It was accepted, and then did not verify, or was taken for something else without a word."""
    with pytest.raises(Diagnosed):
        compile_text(f"{GAME}marker n: 0..9\n{rules}move wait\noverview:\n  seat(1) must wait\n")


def test_chance_that_resolves_itself_does_not_betray_a_hidden_bag() -> None:
    """Whether all that lies in a hidden bag is alike shows in nothing: only its last piece is drawn without chance."""
    rules = (
        "  automatic: forced_chance\nvalues Card: 1..2\n"
        "zone hand for each player: bag of Card, seen by owner, starts with each 1..1\n"
        "zone purse: bag of Card, seen by nobody, starts with each Card\nzone heap: bag of Card\nmove wait\n"
        "move swap(c in my hand):\n  put c from my hand into purse\n  put 2 from purse into my hand\n"
        "overview:\n  seat(1) may swap\n  put random from purse into heap\n  seat(1) must wait\n"
    )
    first = start(rules)
    kept, swapped = first.step(Pass(0)), first.step(first.moves(0)[0])
    assert (kept.waiting.kind, swapped.waiting.kind) == ("chance", "chance")
    assert len(kept.chance()) == 2 and len(swapped.chance()) == 1


def test_a_packet_from_a_blind_pile_is_laid_down_one_by_one() -> None:
    """Where somebody sees them, unseen cards and known ones among them are turned up from the top (9.3)."""
    state = start(
        "values Card: 1..3\nzone stock: pile of Card, seen by nobody, starts with each 3..3\n"
        "zone tray: pile of Card, starts with each 1..2\nzone heap: pile of Card\nmove wait\n"
        "overview:\n  shuffle stock\n  put everything from tray onto stock\n  put top(2) from stock onto heap\n"
        "  seat(1) must wait\n"
    )
    assert [seen.value for seen in state.view(None).seen if seen.part == "content"] == [(), (2, 1)]
