"""The finer points of what may never end, and of ranges: one loop of a small game, refused or accepted. Spec 16.3."""

import re

import pytest
from tables import mistakes

from rulelang.diagnostics.reading import source_from_text
from rulelang.pipeline import check_source, load

GAME = """game "Laps":
  players: 2..4
AUTOMATIC
values Card: 1..6
values Suit: clubs, hearts
zone stock: pile of Card, starts with each Card
zone heap for each 1..3: pile of Card
zone bag_of: bag of Card, starts with each Card
marker count: 0..99
marker other: 0..99
marker leader: player
marker die: 1..6
marker one: 3..3
marker coin: Suit
marker out for each player: yes or no
zone cup: bag of Card showing 1..6, starts with each Card
option limit: 2..9 = 5

move act: count rises by 1
move pick(n in 1..6): count becomes n
move stop: end round
move refill: put everything from heap[1] onto stock

rule asking: leader must act
rule silent: other rises by 1
rule round:
  act_or_stop
rule act_or_stop: leader must act or stop

overview:
  if count < 99: work
  round
  leader must pick
  end game, nobody wins
rule work:
"""


def game(lines: str, automatic: str = "") -> str:
    header = f"  automatic: {automatic}\n" if automatic else ""
    laid_out = "".join(f"  {line}\n" for line in lines.split(";;"))
    while loop := re.search(r"^( *)(.*?): ((?:each|repeat|turns).*)$", laid_out, re.MULTILINE):
        laid_out = laid_out.replace(loop[0], f"{loop[1]}{loop[2]}:\n{loop[1]}  {loop[3]}")
    return GAME.replace("AUTOMATIC\n", header + "\n") + laid_out


LOOPS = [
    ("repeat: leader must act", True),
    ("repeat: asking", True),
    ("repeat: silent", False),
    ("repeat: leader may act", False),
    ("repeat: players may in_turn act", False),
    ("repeat: players must secretly act", True),
    ("repeat: players may secretly act", True),
    ("repeat: players may in_order act as taker", True),
    ("repeat: others(leader) may in_order act", False),
    ("repeat: others(leader) must secretly act", False),
    ("repeat: clockwise(leader) must secretly act", True),
    ("repeat: [leader] + others(leader) must secretly act", True),
    ("repeat: roll die", True),
    ("repeat: roll cup", False),
    ("repeat: roll die from [1, 1, 2]", True),
    ("repeat: roll die from 1..6", True),
    ("repeat: roll leader from players", True),
    ("repeat: roll coin from Suit", True),
    ("repeat: roll leader from others(leader)", False),
    ("repeat: roll die from []", False),
    ("repeat: end work", True),
    ("repeat: end game, nobody wins", True),
    ("repeat: round", True),
    ("repeat 3 times: silent", True),
    ("each p in players: silent", True),
    ("repeat: repeat 3 times: leader must act", True),
    ("repeat: repeat count times: leader must act", False),
    ("repeat: repeat 0 times: leader must act", False),
    ("repeat: each p in players: p must act", True),
    ("repeat: each p in clockwise(leader): p must act", True),
    ("repeat: each s in Suit: leader must act", True),
    ("repeat: each p in [seat(1), seat(2)]: p must act", True),
    ("repeat: each n in 1..2: leader must act", True),
    ("repeat: each n in 2..1: leader must act", False),
    ("repeat: each n in 1..count: leader must act", False),
    ("repeat: each p in players from leader: p must act", True),
    ("repeat: each p in players where not p's out: p must act", False),
    ("repeat: each c in stock: leader must act", False),
    ("repeat: each n in 1..3: each p in players: p must act", True),
    ("repeat: repeat until count > 3: leader must act", True),
    ("repeat: turns of p from leader: p must act", True),
    ("repeat: turns of p in others(leader) from next(leader): p must act", False),
    ("turns of p in others(leader) from next(leader): p must act", True),
    ("turns of p from leader: silent", False),
    ("repeat:;;  if count > 3: leader must act", False),
    ("repeat:;;  if count > 3: leader must act;;  otherwise: end work", True),
    ("repeat:;;  if count > 3: leader must act;;  otherwise if count > 2: silent;;  otherwise: end work", False),
    ("repeat until stock is empty: put top from stock onto heap[1]", True),
    ("repeat until size of stock is 0: put top from stock onto heap[1]", True),
    ("repeat until (count > 90 or stock is empty): put top(2) from stock onto heap[1]", True),
    ("repeat until stock is empty: put top(count) from stock onto heap[1]", False),
    ("repeat until stock is empty: put everything from stock onto heap[1]", True),
    ("repeat until bag_of is empty: put random from bag_of into heap[1]", True),
    ("repeat until bag_of is empty: put highest(c for each c in bag_of) from bag_of into heap[1]", True),
    ("repeat until bag_of is empty: put (first c in bag_of where c > 3) from bag_of into heap[1]", False),
    ("repeat until bag_of is empty: put (all c in bag_of where c > 3) from bag_of into heap[1]", False),
    ("repeat until stock is empty: each p in players: put top from stock onto heap[1]", True),
    ("repeat until stock is empty: each c in heap[1]: put top from stock onto heap[1]", False),
    ("repeat until heap[1] is empty: put top from heap[1] onto heap[2]", False),
    ("repeat until heap[1] is empty: put top from heap[1] onto stock", True),
    ("repeat until heap[1] is empty: put top from heap[2] onto stock", False),
    ("repeat until heap[count] is empty: put top from heap[count] onto stock", False),
    ("let n = 2;;repeat until heap[n] is empty: put top from heap[n] onto stock", True),
    ("repeat until stock is empty:;;  put top from stock onto heap[1];;  leader may refill", False),
    ("repeat until stock is empty:;;  leader may act;;  put top from stock onto heap[1]", True),
    ("repeat until stock is empty:;;  leader may act;;  if count is 3: put top from stock onto heap[1]", False),
    ("repeat until stock is empty:;;  gather Card to heap[1]", False),
    ("repeat until stock is not empty: put top from stock onto heap[1]", False),
    ("repeat until other >= 10: other rises by 1", True),
    ("repeat until other > 10: other rises by 3", True),
    ("repeat until other is 10: other rises by 1", True),
    ("repeat until other is 10: other rises by 3", False),
    ("repeat until other >= limit: other rises by 1", True),
    ("repeat until other >= count: other rises by 1", False),
    ("repeat until other <= 0: other falls by 1", True),
    ("repeat until other < 1: other rises by 1", False),
    ("repeat until other >= 10: other rises by 0", False),
    ("repeat until other >= 10: other rises by count", False),
    ("repeat until other >= 10:;;  other rises by 1;;  other falls by 1", False),
    ("repeat until other >= 10:;;  other rises by 1;;  if count > 3: other becomes 0", False),
    ("repeat until other >= 10:;;  silent", True),
    ("repeat until die >= 6:;;  die rises by 1;;  if count > 3: die becomes 1", False),
    ("repeat until other >= 10:;;  if count > 3: other rises by 1;;  otherwise: other rises by 2", True),
    ("repeat:;;  silent;;  silent", False),
    ("repeat until other >= 10:;;  silent;;  silent", True),
    ("repeat until die >= 6:;;  die rises by 1;;  if count > 3: roll die", False),
    ("repeat until die >= 6:;;  die rises by 1;;  if count > 3: roll coin", True),
    ("repeat until die >= 6:;;  die rises by 1;;  if count > 3: roll die from [1]", False),
    ("repeat until other >= 10:;;  if count > 3: other rises by 1", False),
]


@pytest.mark.parametrize(("lines", "ends"), LOOPS)
def test_every_lap_waits_leaves_or_uses_something_up(lines: str, ends: bool) -> None:
    assert [code for code, _ in mistakes(game(lines))] == ([] if ends else ["RL6001"])


def test_a_move_may_use_up_what_is_the_mover_s_own() -> None:
    grow = "\nmarker grown for each player: 0..9\nmove grow:\n  repeat until my grown >= 9: my grown rises by 1\n"
    assert mistakes(game("leader must grow") + grow) == []
    assert [
        code for code, _ in mistakes(game("leader must grow") + grow.replace("my grown rises", "leader's grown rises"))
    ] == ["RL6001"]


SHOWN = [
    ("repeat: silent", ["repeat: nothing in this lap waits for anybody"]),
    ("repeat:;;  if count > 3: silent;;  silent", ["repeat: nothing in this lap waits for anybody"]),
    (
        "repeat:;;  if count > 3: end work;;  if other > 3: leader must act;;  if count > 2: silent",
        ["repeat: where this does not hold, nobody is waited for (if other > 3)"],
    ),
    (
        "repeat:;;  if count > 3: silent;;  if other > 3: asking;;  if other > 4: asking",
        ["repeat: where this does not hold, nobody is waited for (if other > 3)"],
    ),
    (
        "repeat:;;  if count > 3: silent;;  if other > 3: roll die",
        ["repeat: where this does not hold, nobody is waited for (if other > 3)"],
    ),
    (
        "turns of p from leader:;;  repeat:;;    p may act",
        ["repeat: who may pass need not be asked (p may act)"],
    ),
    (
        "turns of p from leader:;;  repeat:;;    p may act;;  silent",
        ["repeat: who may pass need not be asked (p may act)"],
    ),
    (
        "repeat:;;  if other > 3: leader must act;;  repeat until count is 3:;;    leader may act",
        [
            "repeat: where this does not hold, nobody is waited for (if other > 3)",
            "repeat until count is 3: who may pass need not be asked (leader may act)",
        ],
    ),
]


@pytest.mark.parametrize(("lines", "shown"), SHOWN)
def test_the_way_round_is_shown_by_what_guards_a_question_and_only_once(lines: str, shown: list[str]) -> None:
    text = game(lines)
    _, findings = check_source(source_from_text("laps.rules", text))
    rows = text.splitlines()
    found = []
    for each in findings.diagnostics():
        (related,) = each.related
        assert each.place is not None
        line = rows[related.place.line - 1].strip().split(":")[0]
        where = "" if related.place.line == each.place.line else f" ({line})"
        found.append(f"{rows[each.place.line - 1].strip().split(':')[0]}: {related.message}{where}")
    assert found == shown


FORCED = [
    ("forced_choices", "repeat: leader must act", False),
    ("forced_choices", "repeat: leader must pick", True),
    ("forced_choices", "repeat: leader must act or refill", True),
    ("forced_chance", "repeat: roll die", True),
    ("forced_chance", "repeat: roll coin", True),
    ("forced_chance", "repeat: roll one", False),
    ("forced_chance", "repeat: roll leader", False),
    ("forced_chance", "repeat: roll die from [1, 1, (2)]", False),
    ("forced_chance", "repeat: roll die from ([1, 1, 2])", True),
    ("forced_chance", "repeat: roll die from [1, 1]", False),
    ("forced_chance", "repeat: roll die from 1..2", True),
    ("forced_chance", "repeat: roll die from 2..2", False),
    ("forced_chance", "repeat: roll coin from Suit", True),
    ("forced_chance", "repeat: roll leader from players", False),
    ("forced_chance", "repeat: roll die from quotient(count, 2)..6", False),
]


@pytest.mark.parametrize(("automatic", "lines", "ends"), FORCED)
def test_what_resolves_itself_is_no_wait(automatic: str, lines: str, ends: bool) -> None:
    assert [code for code, _ in mistakes(game(lines, automatic))] == ([] if ends else ["RL6001"])


def test_leaving_a_rule_inside_the_lap_goes_on_with_the_lap() -> None:
    inner = "\nrule inner:\n  if count > 3: end inner\n  leader must act\n"
    assert [code for code, _ in mistakes(game("repeat: inner") + inner)] == ["RL6001"]
    assert mistakes(game("repeat: inner") + inner.replace("end inner", "end work")) == []


def test_progress_is_not_made_by_a_rule_that_a_move_leaves() -> None:
    inner = "\nrule inner:\n  leader may leave_inner\n  put top from stock onto heap[1]\nmove leave_inner: end inner\n"
    assert [code for code, _ in mistakes(game("repeat until stock is empty: inner") + inner)] == ["RL6001"]
    assert mistakes(game("repeat until stock is empty: inner") + inner.replace(": end inner", "")) == []


EXCEPTIONS = [
    ("before asking when limit is 3: silent", []),
    ("before asking: end asking", ["RL6001"]),
    ("after asking: silent", []),
    ("instead of asking: silent", ["RL6001"]),
    ("instead of asking when limit is 3: silent", ["RL6001"]),
    ("instead of asking when limit is 3: leader must pick", []),
    ("instead of silent: leader must pick", []),
]


@pytest.mark.parametrize(("exception", "wanted"), EXCEPTIONS)
def test_exceptions_count(exception: str, wanted: list[str]) -> None:
    assert [code for code, _ in mistakes(game("repeat: asking") + exception + "\n")] == wanted


CIRCLES = [
    ("rule a: a", "a -> a"),
    ("rule a: b\nrule b: a", "a -> b -> a"),
    ("rule a: leader must again\nmove again: a", "a -> again -> a"),
    ("rule a: silent\nbefore silent: a", "silent -> a -> silent"),
]


@pytest.mark.parametrize(("rules", "path"), CIRCLES)
def test_a_rule_that_carries_out_itself(rules: str, path: str) -> None:
    ((code, message),) = mistakes(game("silent") + rules + "\n")
    assert (code, message) == ("RL6002", f"'{path.split()[0]}' uses itself by way of {path}.")


RANGES = [
    ("marker low: 6..1", "RL6003", "No number lies in 6..1."),
    ("marker low: -1..-2", "RL6003", "No number lies in -1..-2."),
    ("values Rank: (9)..2", "RL6003", "No number lies in 9..2."),
    ("option few: 3..2 = 3", "RL6003", "No number lies in 3..2."),
    ("record Pair:\n  one: 4..1", "RL6003", "No number lies in 4..1."),
    ("zone box for each 3..1: pile of Card", "RL6003", "No number lies in 3..1."),
    ("zone box: bag of 3..1", "RL6003", "No number lies in 3..1."),
    ("zone box: bag of Card showing 2..1", "RL6003", "No number lies in 2..1."),
    ("marker many: list of 2..1", "RL6003", "No number lies in 2..1."),
    ("define low(n: 2..1) = n", "RL6003", "No number lies in 2..1."),
    ("board Square: 0 by 3", "RL6012", "'Square' has 0 rows; a board has at least one row and one column."),
    ("board Square: 3 by -1", "RL6012", "'Square' has -1 columns; a board has at least one row and one column."),
    ("board Square: 300 by 300", "RL6004", "'Square' may have 90000 members; at most 65536 are allowed."),
    (
        "board Square: 10 by 10\nmarker pair for each Square and Square and 1..7: yes or no",
        "RL6004",
        "'pair' may have 70000 members; at most 65536 are allowed.",
    ),
    ("marker huge for each 0..65536: yes or no", "RL6004", "'huge' may have 65537 members; at most 65536 are allowed."),
]


@pytest.mark.parametrize(("line", "code", "message"), RANGES)
def test_ranges_and_sizes_in_plain_numbers(line: str, code: str, message: str) -> None:
    assert mistakes(game("silent") + line + "\n") == [(code, message)]


def test_a_span_that_is_empty_is_a_list_of_nothing() -> None:
    assert mistakes(game("each n in 3..1: silent")) == []


def test_a_finding_shows_the_way_round_the_question() -> None:
    text = game("repeat:;;  if count > 3: leader must act")
    _, findings = check_source(source_from_text("x.rules", text))
    (found,) = findings.diagnostics()
    assert found.message == "This loop may go round for ever without waiting for anybody."
    assert [related.message for related in found.related] == ["where this does not hold, nobody is waited for"]
    assert found.hint == "let every lap ask somebody ('must'), or leave the loop with 'end RULE' or 'end game'"


def test_a_loop_that_uses_something_up_plays_to_its_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The compiler counts its laps; the count is never what ends it."""
    folder = tmp_path_factory.mktemp("laps")
    for number, lines in enumerate(
        (
            "repeat until stock is empty: put top from stock onto heap[1];;count becomes size of heap[1]",
            "repeat until other >= 9: other rises by 1;;count becomes other - 3",
            "repeat until heap[1] is empty: put top from heap[1] onto stock;;count becomes size of stock",
        )
    ):
        path = folder / f"{number}.rules"
        path.write_text(game(lines))
        state = load(path).configure().start()
        shown = [seen.value for seen in state.view(0).seen if seen.slot == 3 and seen.part == "content"]
        assert shown == [6]
