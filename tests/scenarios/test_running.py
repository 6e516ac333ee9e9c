"""Every line of a scenario, once as it should be and once not: what is expected, what is found."""

# ruff: noqa: E501  # tables read better in whole lines

import re

import pytest
from playing import CARDS, outcome, results, scenario

HANDS = "Ann's hand holds ace, three; Ben's hand holds two, four"

PASSING = {
    "formula": (HANDS, "", "size of Ann's hand is 2; some c in Ben's hand where c is four"),
    "pile": (
        f"{HANDS}; heap[1] holds two, ace",
        "",
        "heap[1] holds two, ace; heap[1] holds anything, ace; heap[1] holds anything",
    ),
    "counted pile": (
        f"{HANDS}; heap[1] holds 2 of ace, two",
        "",
        "heap[1] holds 2 of anything, two; heap[1] holds ace, anything",
    ),
    "bag": (HANDS, "", "Ann's hand holds three, ace; Ann's hand holds ace, 1 of anything; Ann's hand holds anything"),
    "empty zones": (
        "Ann's hand is empty; Ben's hand holds nothing",
        "",
        "Ann's hand is empty; Ben's hand holds nothing; Ann's hand holds empty",
    ),
    "slot": ("held holds four", "", "held is four; held holds four"),
    "marker": (
        "active is Ben; mark[b2] is Ann; aim is 3".replace("aim", "Ann's aim"),
        "",
        "active is Ben; mark[b2] is Ann; mark[cell(Square, 2, 2)] is Ann; Ann's aim is 3",
    ),
    "option": (
        "option rows = 5; option open = yes; option size_of_hands = large",
        "",
        "rows is 5; open; size_of_hands is large",
    ),
    "to move": ("", "", "to move: Ann; game goes on"),
    "refused": (HANDS, "Ben: draw  refused not_your_turn; Ann: lay(two, heap[1])  refused card_not_there", ""),
    "refused for two reasons": (
        f"{HANDS}; heap[1] holds four",
        "Ann: lay(three, heap[1], yes)  refused higher, quiet; Ann: lay(three, heap[1], yes)  refused first higher; Ann: lay(ace, heap[1])  refused; Ann: lay(ace, heap[1])  not legal",
        "",
    ),
    "words of a refusal": (
        f"{HANDS}; heap[1] holds four",
        'Ann: lay(ace, heap[1])  refused because "ace is not higher than four"; Ann: lay(three, heap[2], yes)  refused quiet because "Ann may be loud in a hurry only"',
        "",
    ),
    "legal": (HANDS, "Ann: lay(three, heap[1])  legal; Ann: draw  legal", "size of Ann's hand is 2"),
    "giving": ("", "Ann: draw  giving four", "four in Ann's hand"),
    "deal": ("", "", "size of stock is 8"),
    "winner": ("Ann's score is 4", "Ann: finish", "game over, Ann wins; to move: nobody; game over"),
    "amounts": (
        "Ann's score is 4; Ben's score is 2",
        "Ann: share",
        "game over, Ann gets 4, Ben gets 2; game over, Ann wins",
    ),
    "draw": ("Ann's score is 4; Ben's score is 4", "Ann: share", "game over, nobody wins"),
    "sees": (
        HANDS,
        "",
        "Ann sees Ann's hand; Ann sees three in Ann's hand; Ben sees size of Ann's hand is 2; Ben sees size of stock; Ann sees Ann's aim",
    ),
    "never sees": (
        HANDS,
        "",
        "Ben never sees Ann's hand; Ben never sees Ann's aim; Ben never sees three; Ann never sees stock",
    ),
    "saw": (
        HANDS,
        "Ann: lay(three, heap[2]); Ben: draw",
        "Ben saw Ann: lay(three, heap[2]); Ann saw Ben: draw; Ann saw Ann: lay(three, heap[2], no)",
    ),
    "window": (f"{HANDS}; hurry is yes", "Ann: draw; Ben: step_in", "Ben's score is 2; to move: Ben"),
    "passing without a word": (f"{HANDS}; hurry is yes", "Ann: draw; Ben: draw", "Ben's score is 0; to move: Ann"),
    "passing with a word": (f"{HANDS}; hurry is yes", "Ann: draw; Ben: pass", "Ann saw Ben: pass; to move: Ben"),
    "all pass": (f"{HANDS}; hurry is yes", "Ann: draw; all pass", "to move: Ben"),
    "where play stands": (
        f"{HANDS}; reach take_turn where p is Ben and number is 2",
        "",
        "to move: Ben; active is Ben",
    ),
    "where a rule above stands": ("reach round where n is 3", "Ann: draw; Ben: draw", "to move: Ann"),
    "where a loop above stands": ("reach last_round", "Ann: draw; Ben: draw", "game over, nobody wins"),
    "marker by way of where play stands": (
        "reach round where n is 2 and Ann's score is 7 and hurry is yes",
        "",
        "Ann's score is 7; hurry",
    ),
    "marker that a line gives": (
        "Ann's score is 5; reach round where n is 2 and Ann's score is 5",
        "",
        "Ann's score is 5",
    ),
    "each": ("each p in players: ".replace(": ", ":"), "", "every p in players satisfies p's score is 7"),
}


def text_of(name: str) -> str:
    given, when, then = PASSING[name]
    if name == "each":
        return (
            scenario("", "", then)
            .replace(
                "players: Ann, Ben\n",
                "players: Ann, Ben\n    each p in players where p is not Cleo:\n      p's score is 7\n",
            )
            .replace(" where p is not Cleo", "")
        )
    return scenario(given, when, then)


@pytest.mark.parametrize("name", PASSING)
def test_what_is_so_passes(name: str) -> None:
    [result] = results(text_of(name))
    assert (result.status, result.reason, result.complaints) == ("passed", "", ())


FAILING = {
    "formula": (HANDS, "", "size of Ann's hand is 3", "is 3", "2"),
    "member": (HANDS, "", "two in Ann's hand", "in ace, three", "two"),
    "yes or no": ("", "", "hurry", "yes", "no"),
    "both": ("", "", "not hurry and active is Ben", "is Ben", "Ann"),
    "nobody": ("", "", "mark[a1] is Ann", "is Ann", "nobody"),
    "none": ("mark[a1] is Ben", "", "mark[a1] is nobody", "is nobody", "Ben"),
    "pile": (f"{HANDS}; heap[1] holds two, ace", "", "heap[1] holds ace, two", "ace, two", "two, ace"),
    "pile too long": (f"{HANDS}; heap[1] holds two, ace", "", "heap[1] holds ace", "ace", "two, ace"),
    "pile too short": (
        f"{HANDS}; heap[1] holds two",
        "",
        "heap[1] holds 2 of anything, anything",
        "2 of anything, anything",
        "two",
    ),
    "unseen pile": (HANDS, "", "stock holds ace, 7 of anything", "ace, 7 of anything", "8 of unseen"),
    "bag": (HANDS, "", "Ann's hand holds ace, ace", "ace, ace", "ace, three"),
    "bag with others": (HANDS, "", "Ann's hand holds ace", "ace", "ace, three"),
    "empty": (HANDS, "", "Ann's hand holds nothing", "nothing", "ace, three"),
    "to move": ("", "", "to move: Ben", "Ben", "Ann"),
    "nobody moves": ("", "", "to move: nobody", "nobody", "Ann"),
    "not over": ("", "", "game over, Ann wins", "Ann wins", "Ann to move"),
    "over": ("Ann's score is 1", "Ann: finish", "game goes on", "the game goes on", "Ann wins"),
    "winner": ("Ann's score is 1", "Ann: finish", "game over, Ann and Ben win", "Ann and Ben win", "Ann wins"),
    "amounts": ("Ann's score is 1", "Ann: share", "game over, Ann gets 2", "Ann gets 2", "Ann gets 1, Ben gets 0"),
    "grade": ("Ann's score is 1", "Ann: share", "game over, grade 2", "grade 2", "Ann gets 1, Ben gets 0"),
    "aborted": ("Ann's score is 1", "Ann: share", "game over, aborted", "aborted", "Ann gets 1, Ben gets 0"),
    "legal although refused": (HANDS, "Ann: draw  refused higher", "", "refused higher", "it is legal"),
    "another reason": (
        HANDS,
        "Ben: draw  refused higher",
        "",
        "refused higher",
        "refused not_your_turn (It is not Ben's turn.)",
    ),
    "too few reasons": (
        f"{HANDS}; heap[1] holds four",
        "Ann: lay(three, heap[1], yes)  refused higher",
        "",
        "refused higher",
        "refused higher (three is not higher than four); quiet (Ann may be loud in a hurry only)",
    ),
    "reasons in another order": (
        f"{HANDS}; heap[1] holds four",
        "Ann: lay(three, heap[1], yes)  refused quiet, higher",
        "",
        "refused quiet, higher",
        "refused higher (three is not higher than four); quiet (Ann may be loud in a hurry only)",
    ),
    "another first reason": (
        f"{HANDS}; heap[1] holds four",
        "Ann: lay(three, heap[1], yes)  refused first quiet",
        "",
        "refused first quiet",
        "refused higher (three is not higher than four); quiet (Ann may be loud in a hurry only)",
    ),
    "other words": (
        f"{HANDS}; heap[1] holds four",
        'Ann: lay(ace, heap[1])  refused higher because "no"',
        "",
        'because "no"',
        'because "ace is not higher than four"',
    ),
    "refused although done": (
        HANDS,
        "Ann: lay(two, heap[1])",
        "to move: Ben",
        "it is done",
        "refused: card_not_there (two is not in your hand.)",
    ),
    "refused although legal": (
        HANDS,
        "Ann: lay(two, heap[1])  legal",
        "",
        "legal",
        "refused: card_not_there (two is not in your hand.)",
    ),
    "outcome that is not left": (
        "Ann's hand holds 3 of ace; heap[1] holds anything",
        "Ann: draw  giving ace",
        "hurry",
        "a possible outcome",
        "it can give two, three, four",
    ),
    "too many outcomes": ("", "Ann: draw  giving ace, ace", "hurry", "a wait for chance", "chance is asked 1 times"),
    "no chance": (HANDS, "chance gives ace", "hurry", "a wait for chance", "chance is not asked"),
    "hidden": (HANDS, "", "Ben sees Ann's hand", "visible", "Ann's hand is hidden"),
    "hidden member": (HANDS, "", "Ben sees three in Ann's hand", "visible", "Ann's hand is hidden"),
    "seen but false": (HANDS, "", "Ann sees size of Ann's hand is 3", "is 3", "2"),
    "seen place": (HANDS, "", "Ann never sees Ann's hand", "hidden", "Ann sees ace, three"),
    "seen value": (
        HANDS,
        "Ann: lay(three, heap[1])",
        "Ben never sees three",
        "never shown",
        "it was shown in what lies on the table",
    ),
    "seen property": (HANDS, "", "Ben never sees size of Ann's hand", "hidden", "Ben sees 2"),
    "no move seen": (HANDS, "", "Ben saw Ann: draw", "draw", "no move"),
    "another move seen": (HANDS, "Ann: draw", "Ben saw Ann: lay(ace, heap[1])", "lay(ace, heap 1, no)", "draw"),
    "not hidden in a move": (
        HANDS,
        "Ann: lay(three, heap[1])",
        "Ben saw Ann: lay(anything, heap[1])",
        "lay(anything, heap 1, no)",
        "lay(three, heap 1, no)",
    ),
    "promise": (
        "Ann's score is 19; Ben's score is 20",
        "Ann: lay(ace, heap[1])",
        "game goes on",
        "always not_all_twenty",
        "it does not hold",
    ),
}
FAILING["promise"] = (f"{HANDS}; {FAILING['promise'][0]}", *FAILING["promise"][1:])


@pytest.mark.parametrize("name", FAILING)
def test_what_is_not_so_fails_with_expected_and_found(name: str) -> None:
    given, when, then, expected, found = FAILING[name]
    when = when or "Ann: draw  legal"
    result = outcome(given, when, then)
    assert (result.status, result.reason) == ("failed", "")
    assert (result.complaints[0].expected, result.complaints[0].found) == (expected, found)


ERRORS = {
    "piece that is not there": ("Ann's hand holds 4 of ace", "Ann's hand would hold 4 x ace, but only 3 are left"),
    "pieces used twice": (
        "Ann's hand holds 3 of ace; heap[1] holds ace",
        "heap 1 would hold 1 x ace, but only 0 are left",
    ),
    "too many of anything": ("heap[1] holds 13 of anything", "heap[1] would hold 13 more, but only 8 are left"),
    "slot too full": ("held holds ace, two", "held holds at most one piece, not 2"),
    "marker out of its range": (
        "Ann's score is 20 + 1",
        "Nothing can lie like this in this game: 'score' cannot be 21.",
    ),
    "no such cell": ("mark[d9] is Ann", "the board has no d9"),
    "no such index": ("heap[2 + 1] is empty", "There is no heap[3]; 'heap' goes from 1 to 2."),
    "two ways": (
        "reach take_turn",
        "there are 2 ways to 'take_turn', by lines 41 and 50 of the rules: say more behind 'where', or name a rule further up",
    ),
    "no way": ("reach round where n is 4", "play can stand at 'round', but not like this"),
    "name that is not known there": ("reach round where q is Ann", "nothing is called 'q' where play would stand"),
    "promise": (
        "Ann's score is 20; Ben's score is 20",
        "the rules promise 'not_all_twenty', which does not hold in this position",
    ),
}
ERRORS["pieces used twice"] = (ERRORS["pieces used twice"][0], "heap[1] would hold 1 x ace, but only 0 are left")


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_laid_out_is_an_error(name: str) -> None:
    given, reason = ERRORS[name]
    result = outcome(given, "", "game goes on")
    assert result.status == "error"
    assert result.reason.partition(": ")[2] == reason


def test_a_move_that_cannot_be_done_ends_the_scenario_and_a_claim_does_not() -> None:
    result = outcome(HANDS, "Ann: lay(two, heap[1]); Ann: lay(three, heap[1])", "hurry")
    assert len(result.complaints) == 1
    result = outcome(HANDS, "Ann: draw", "hurry; open; to move: Ann")
    assert [complaint.line - result.line for complaint in result.complaints] == [8, 9, 10]


def test_a_failure_tells_what_had_happened() -> None:
    result = outcome(HANDS, "Ann: draw  giving four; Ben: lay(four, heap[2])", "hurry")
    assert result.events == ("Ann: draw", "chance gives four", "Ben: lay(four, heap 2, no)")


def test_a_further_given_begins_again_with_what_the_first_one_said() -> None:
    text = scenario(f"{HANDS}; Ann's score is 3", "Ann: lay(three, heap[1])", "Ann's score is 4")
    text += "  given:\n    Ann's score is 5\n  then:\n    Ann's score is 5\n    Ann's hand holds ace, three\n    heap[1] is empty\n"
    text += "  given:\n    reach take_turn where p is Ben and n is 1\n  then:\n    Ann's score is 3\n    to move: Ben\n"
    [result] = results(text)
    assert (result.status, result.complaints) == ("passed", ())


def test_clauses_are_those_of_all_lines() -> None:
    text = scenario("", "Ann: draw  @B-2", "game goes on  @C-3 @A-1").replace("of cards:", "of cards:  @A-1")
    [result] = results(text)
    assert result.clauses == ("A-1", "B-2", "C-3")


def test_what_hides_is_tried_with_other_contents() -> None:
    result = outcome(HANDS, "", "Ben never sees Ann's hand; Ann never sees Ben's aim")
    assert result.notes == (
        "Ben is shown the same under 6 other contents of Ann's hand",
        "Ann is shown the same under 3 other contents of Ben's aim",
    )


def test_the_set_up_can_be_refused() -> None:
    refused = 'scenario "S" of cards:\n  given:\n    players: A, B, C, D\n    refused seats\n'
    [result] = results(refused)
    assert result.status == "passed"
    [result] = results(refused.replace(", C, D", ""))
    assert [(c.expected, c.found) for c in result.complaints] == [("seats", "the game can be played")]
    [result] = results(refused.replace("refused seats", "refused bad_option"))
    assert result.complaints[0].found.startswith("refused seats (This game is for 2 to 3 seats")


def test_behind_a_refused_set_up_another_one_begins() -> None:
    refused = 'scenario "S" of cards:\n  given:\n    players: A, B, C, D\n    refused seats\n'
    [result] = results(f"{refused}  then:\n    size of players is 4\n")
    assert result.status == "error" and result.reason.startswith("line ") and "no game was begun" in result.reason
    [result] = results(f"{refused}  when:\n    A: pass\n")
    assert result.status == "error"
    several = f"{refused}  given:\n    refused seats\n"
    [result] = results(several)
    assert result.status == "passed"
    wrong = several.replace("    refused seats\n", "    refused bad_option\n", 2)
    assert len(results(wrong)[0].complaints) == 2, "the second case is looked at too"


def test_names_of_reasons_stand_for_several() -> None:
    reasons = "reasons:\n  wrong_card: higher, card_not_there\n  both: higher, quiet\n\n"
    given = f"{HANDS}; heap[1] holds four"
    text = reasons + scenario(
        given, "Ann: lay(ace, heap[1])  refused wrong_card; Ann: lay(three, heap[1], yes)  refused both"
    )
    [result] = results(text)
    assert (result.status, result.complaints) == ("passed", ())
    [result] = results(reasons + scenario(given, "Ann: lay(ace, heap[1])  refused both, both"))
    assert result.status == "failed"


def test_a_scenario_gives_the_same_whenever_it_is_run() -> None:
    text = scenario("Ann's hand holds 3 of anything, ace", "Ann: draw", "hurry") * 1
    first, second = results(text), results("\n\n" + text)
    assert first[0].events == second[0].events
    assert first[0].complaints[0].found == second[0].complaints[0].found


def test_players_have_names_if_none_are_given() -> None:
    [result] = results('scenario "S" of cards:\n  then:\n    to move: P1\n')
    assert result.status == "passed"


def test_rules_can_stand_behind_the_scenarios() -> None:
    [result] = results(scenario("", "", "to move: Ann") + "\n" + CARDS, rules="")
    assert result.status == "passed"


def test_what_the_seed_decides_is_told_in_words() -> None:
    result = outcome("", "Ann: draw", "hurry")
    assert len(result.events) == 6
    assert all(re.fullmatch("chance gives (ace|two|three|four) \\(by the seed\\)", each) for each in result.events[:4])
    rules = 'rules cards:\n  game "Dice":\n    players: 2\n\n  marker die: 1..6\n  values Die: red\n'
    rules += (
        "  zone cup: bag of Die showing 1..6, starts with each Die\n  zone sack: bag of Die, starts with each Die\n\n"
    )
    rules += "  move go: end game, nobody wins\n  overview:\n    roll die\n    roll cup\n    put random from sack into sack\n"
    rules += "    seat(1) must go\n\n"
    result = outcome("", "", "die is 7", rules)
    assert [re.sub("[1-6]", "n", each) for each in result.events] == [
        "chance gives n (by the seed)",
        "chance gives n (by the seed)",
        "chance gives red (by the seed)",
    ]


def test_what_belongs_to_no_seat_is_done_by_the_table() -> None:
    rules = 'rules cards:\n  game "Rounds":\n    players: 2\n\n  marker n: 0..9\n  move next_round: n rises by 1\n'
    rules += "  overview:\n    repeat: table must next_round\n\n"
    result = outcome("", "table: next_round; Ann: next_round  refused not_your_turn", "n is 1; to move: table", rules)
    assert (result.status, result.reason, result.complaints) == ("passed", "", ())
