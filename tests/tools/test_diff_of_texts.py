"""``diff``: every kind of declaration is compared, and everything that a program consists of.

A sweep over the grammar: whoever adds a kind of declaration, a field of a program or a line of the cover says here how
it shows.
"""

import json
import re
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest
from command_line import Run, conforms

from rulelang.ast import nodes as ast
from rulelang.ast.nodes.declarations import Declaration
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text
from rulelang.rulebook.versions.listed import SORTS, listed
from rulelang.rulebook.versions.texts import text_differences

GRAMMAR = Path(__file__).resolve().parents[2] / "rulelang" / "grammar" / "rules.lark"

RULES = """\
game "Sweep":
  players: 2..3
  automatic: forced_chance
  reasons: room, not_your_turn

option goal: 2..9 = 3
option length: short, long = short

require some_goal: goal <= 9 because "that is too far"

values Colour: red, blue

record Tile:
  colour: Colour
  size: 1..3

table Kind:
  worth: 1..9
  row small: 1
  row large: 2

board Square: 2 by 2

zone pouch for each player: bag of Tile, seen by owner, starts with each Tile

marker steps: 0..9
marker last: player
marker spot: Square or none

timer glass: 5 seconds

define far = steps + worth of large

condition able: steps < 9 because "there is a wall"

move step(amount in 1..2):
  require room: steps + amount <= 9 because "there is a wall"
  require able
  steps rises by amount
  last becomes me

rule settle: end game, last wins

overview:
  start glass
  turns of p from seat(1):
    p must step because "go on"
    if steps >= goal: settle

before settle when length is long: last becomes seat(1)

always within: steps <= 9

whenever steps is 9: end game, nobody wins

prefer step when far < 5
"""


@attrs.frozen
class Kind:
    """How one kind of declaration shows: added at the end of the rules (removed, the other way round), and changed."""

    sort: str
    added: str
    """Lines with one more of them; empty if there can be no second one."""
    name: str
    """What that one is called."""
    changes: tuple[tuple[str, str, str], ...]
    """What stands in the rules, what in the new ones, and what is changed by it: its sort and name."""
    meaning: bool = True


KINDS: dict[type, Kind] = {
    ast.Option: Kind(
        "option",
        "option more: 1..3 = 2",
        "more",
        (
            ("goal: 2..9 = 3", "goal: 2..9 = 4", "option goal"),
            ("goal: 2..9 = 3", "goal: 1..9 = 3", "option goal"),
            ("length: short, long", "length: short, long, longer", "option length"),
            ("length: short, long", "length: long, short", "option length"),
        ),
    ),
    ast.Demand: Kind(
        "demand",
        'require three: size of players is 3 because "only three can"',
        "three",
        (("some_goal: goal <= 9", "some_goal: goal <= 8", "demand some_goal"),),
    ),
    ast.Values: Kind(
        "values",
        "values Shade: dark, light\nmarker shade: Shade",
        "Shade",
        (
            ("Colour: red, blue", "Colour: red, blue, green", "values Colour"),
            ("Colour: red, blue", "Colour: blue, red", "values Colour"),
        ),
    ),
    ast.Record: Kind(
        "record",
        "record Card:\n  number: 1..2\n  side: Colour\nmarker seen_card: Card or none",
        "Card",
        (("size: 1..3", "size: 1..2", "record Tile"), ("size: 1..3", "weight: 1..3", "record Tile")),
    ),
    ast.Table: Kind(
        "table",
        "table Price:\n  costs: 1..9\n  row cheap: 1",
        "Price",
        (("row large: 2", "row large: 3", "table Kind"), ("row large: 2", "row large: 2\n  row huge: 3", "table Kind")),
    ),
    ast.Board: Kind("board", "board Field: 1 by 1", "Field", (("2 by 2", "2 by 2 hexagons", "board Square"),)),
    ast.Zone: Kind(
        "zone",
        "zone heap: pile of Colour",
        "heap",
        (
            (", seen by owner", "", "zone pouch"),
            ("starts with each Tile", "starts with each Tile times 2", "zone pouch"),
        ),
    ),
    ast.Marker: Kind(
        "marker",
        "marker more: 0..3",
        "more",
        (("marker last: player", "marker last: player or nobody", "marker last"),),
    ),
    ast.Timer: Kind(
        "timer",
        "timer clock_of_all: 9 seconds",
        "clock_of_all",
        (("glass: 5 seconds", "glass: 6 seconds", "timer glass"),),
    ),
    ast.Define: Kind("define", "define near = steps", "near", (("steps + worth", "steps - worth", "define far"),)),
    ast.Condition: Kind(
        "condition", "condition fresh: steps is 0", "fresh", (("able: steps < 9", "able: steps < 8", "condition able"),)
    ),
    ast.Move: Kind(
        "move",
        "move stay: steps rises by 0",
        "stay",
        (
            ("amount in 1..2", "amount in 1..3", "move step"),
            ("steps rises by amount", "steps rises by 1", "move step"),
            ("+ amount <= 9", "+ amount <= 8", "requirement step.room"),
            ("  require able\n", "", "requirement step.able"),
        ),
    ),
    ast.Rule: Kind("rule", "rule idle: steps rises by 0", "idle", (("last wins", "nobody wins", "rule settle"),)),
    ast.Overview: Kind("rule", "", "overview", (("steps >= goal", "steps > goal", "rule overview"),)),
    ast.Override: Kind(
        "exception",
        "after settle when length is long: steps becomes 0",
        "after settle",
        (("seat(1)\n\nalways", "seat(2)\n\nalways", "exception before settle"),),
    ),
    ast.Always: Kind(
        "always", "always more: steps >= 0", "more", (("within: steps <= 9", "within: steps < 9", "always within"),)
    ),
    ast.Whenever: Kind(
        "whenever",
        "whenever steps is 8: end game, last wins",
        "whenever",
        (
            ("whenever steps is 9", "whenever steps is 8", "whenever"),
            ("end game, nobody wins", "end game, last wins", "whenever"),
        ),
    ),
    ast.Prefer: Kind(
        "prefer", "prefer step when far > 5", "step", (("when far < 5", "when far < 6", "prefer step"),), meaning=False
    ),
}

COVER = (
    ("players: 2..3", "players: 2..4", "players", True),
    ("players: 2..3", "players: 3", "players", True),
    ("forced_chance", "forced_choices", "automatic forced_choices", True),
    ("room, not_your_turn", "not_your_turn, room", "reasons", True),
    ('game "Sweep"', 'game "Swept"', "title", False),
)
WORDS = (
    ('because "that is too far"', 'because "too far"', "demand some_goal"),
    ('steps < 9 because "there is a wall"', 'steps < 9 because "no"', "condition able"),
    ('amount <= 9 because "there is a wall"', 'amount <= 9 because "no"', "requirement step.room"),
    ('because "go on"', 'because "do go on"', "rule overview"),
)

FIELDS = {
    "version": "of the compiled form, and so the same for both",
    "name": "of the file, not of the game",
    "title": "title",
    "fewest_seats": "players",
    "most_seats": "players",
    "forced_chance": "automatic",
    "forced_choices": "automatic",
    "options": "option",
    "demands": "demand",
    "boards": "board",
    "tables": "table",
    "slots": "zone marker",
    "functions": "define condition whenever",
    "procedures": "rule move whenever",
    "moves": "move requirement",
    "nodes": "rule move whenever",
    "invariants": "always",
    "reasons": "reasons",
    "configuration": "of a closed program: what the options say shows in everything else",
    "preferences": "prefer",
    "timers": "timer",
    "clock": "there is one if there is a timer",
}
"""Where each part of a program shows."""

CHANGES = [(sort, *change) for sort, kind in KINDS.items() for change in kind.changes]


def told(run: Run, old: str, new: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and what is told of the texts: ``~ marker last`` and so on."""
    for name, text in (("old", old), ("new", new)):
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    result = run("diff old.rules new.rules --moves 0 --format json")
    data = json.loads(result.stdout)
    conforms(data, "diff")
    signs = {"added": "+", "removed": "-", "changed": "~"}
    names = {
        f"{signs[each['how']]} {each['sort']} {each['name']}".replace("whenever whenever", "whenever"): each
        for each in data["texts"]
    }
    return result.exit_code, names


def changed(old: str, new: str) -> str:
    assert RULES.count(old) == 1, old
    return RULES.replace(old, new)


def test_no_kind_of_declaration_is_forgotten() -> None:
    assert set(KINDS) == set(get_args(Declaration))
    rule = re.search(r"\?declaration: ([a-z |\n]+)", GRAMMAR.read_text(encoding="utf-8"))
    assert rule is not None and len(rule[1].replace("\n", " ").split("|")) == len(KINDS)
    assert set(FIELDS) == {field.name for field in attrs.fields(Program)}
    shown = {word for words in FIELDS.values() for word in words.split()}
    known = {kind.sort for kind in KINDS.values()} | {
        "title",
        "players",
        "automatic",
        "reasons",
        "cover",
        "requirement",
    }
    assert set(SORTS) == known
    assert known - shown == {"values", "record", "exception", "cover"}, "which only the rules name"
    assert {each.sort for each in listed(compile_text(RULES).program)} >= known - {"exception", "cover", "condition"}


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: f"{kind.sort}-{kind.name}")
def test_what_is_added_and_removed_is_told(run: Run, own_folder: Path, kind: Kind) -> None:
    if not kind.added:
        return
    more = f"{RULES}\n{kind.added}\n"
    name = kind.sort if kind.sort == kind.name else f"{kind.sort} {kind.name}"
    code, found = told(run, RULES, more)
    assert (code, f"+ {name}" in found) == (int(kind.meaning), True), found
    added = found[f"+ {name}"]
    line = len(RULES.split("\n")) + 1
    assert (added["meaning"], added["old"], added["new"]) == (kind.meaning, None, f"new.rules:{line}")
    assert added["lines"][0] == {"sign": "+", "line": line, "text": kind.added.split("\n")[0]}
    code, found = told(run, more, RULES)
    assert (code, f"- {name}" in found) == (int(kind.meaning), True)


@pytest.mark.parametrize(
    ("sort", "old", "new", "name"), CHANGES, ids=lambda each: str(each) if len(str(each)) < 30 else ""
)
def test_what_is_changed_is_told(run: Run, own_folder: Path, sort: type, old: str, new: str, name: str) -> None:
    code, found = told(run, RULES, changed(old, new))
    sign = "-" if name == "requirement step.able" else "~"
    assert (code, f"{sign} {name}" in found) == (int(KINDS[sort].meaning), True), found
    difference = found[f"{sign} {name}"]
    assert difference["meaning"] is KINDS[sort].meaning
    assert difference["lines"], "in the words of the rules"


@pytest.mark.parametrize(("old", "new", "name", "meaning"), COVER)
def test_the_cover_is_compared(run: Run, own_folder: Path, old: str, new: str, name: str, meaning: bool) -> None:
    code, found = told(run, RULES, changed(old, new))
    difference = found[f"~ {name} {name}" if " " not in name else f"+ {name}"]
    assert (code, difference["meaning"]) == (int(meaning), meaning)
    assert [line["sign"] for line in difference["lines"]] == (["-", "+"] if " " not in name else ["+"])


@pytest.mark.parametrize(("old", "new", "name"), WORDS)
def test_words_are_told_and_change_no_game(run: Run, own_folder: Path, old: str, new: str, name: str) -> None:
    code, found = told(run, RULES, changed(old, new))
    assert code == 0
    assert found[f"~ {name}"]["meaning"] is False
    assert all(each["meaning"] is False for each in found.values())


def test_what_stands_for_people_looks_like_this(run: Run, own_folder: Path) -> None:
    Path("old.rules").write_text(RULES)
    Path("new.rules").write_text(RULES.replace("players: 2..3", "players: 2..4").replace("Sweep", "Swept"))
    result = run("diff old.rules new.rules --moves 0")
    assert result.exit_code == 1
    assert result.stdout == (
        "~ players changed  (new.rules:2)\n"
        "    - 2: players: 2..3\n"
        "    + 2: players: 2..4\n"
        "Of the same meaning (title, words, advice, what nothing uses):\n"
        "~ title changed  (new.rules:1)\n"
        '    - 1: game "Sweep":\n'
        '    + 1: game "Swept":\n'
        "\n"
        "1 declaration of another meaning, 1 of the same\n"
        "Nothing was compared by play (--moves 0).\n"
    )


def test_layout_comments_and_clauses_are_no_difference(run: Run, own_folder: Path) -> None:
    other = RULES.replace("marker last: player", "# who was last\nmarker last: player  @S-1")
    assert told(run, RULES, other) == (0, {})


def test_what_nothing_uses_changes_no_game(run: Run, own_folder: Path) -> None:
    code, found = told(run, RULES, f"{RULES}\nvalues Shade: dark, light\n")
    assert (code, [each["meaning"] for each in found.values()]) == (0, [False])
    code, found = told(run, f"{RULES}\nvalues Shade: dark, light\n", f"{RULES}\nvalues Shade: light, dark\n")
    assert (code, list(found)) == (0, ["~ values Shade"])


def test_of_several_with_one_name_the_changed_one_is_told(run: Run, own_folder: Path) -> None:
    more = f"{RULES}\nprefer step when far > 7\nprefer step when far > 6\n"
    code, found = told(run, more, more.replace("far > 7", "far > 8"))
    assert (code, list(found)) == (0, ["~ prefer step"])
    assert [line["text"] for line in found["~ prefer step"]["lines"]] == [
        "prefer step when far > 7",
        "prefer step when far > 8",
    ]


def test_compiled_rules_are_compared_as_far_as_they_say_it(run: Run, own_folder: Path) -> None:
    Path("old.rules").write_text(RULES)
    Path("new.rules").write_text(changed("Colour: red, blue", "Colour: blue, red"))
    assert run("compile old.rules --output old.json").exit_code == 0
    result = run("diff old.json new.rules --moves 0")
    assert result.exit_code == 1
    assert "~ values Colour changed\n" in result.stdout
    same = run("diff old.json old.rules --moves 0")
    assert (same.exit_code, same.stdout.split("\n")[1]) == (0, "0 declarations of another meaning")


def test_the_same_program_differs_in_nothing() -> None:
    program = compile_text(RULES).program
    assert text_differences(program, program) == ()


# ------------------------------------------------------------------ nothing that can be compared


@pytest.mark.parametrize("form", ["", " --format json"])
def test_seats_that_no_version_has_are_refused(run: Run, form: str) -> None:
    result = run(f"diff tic-tac-toe tic-tac-toe --seats 5{form}")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "RL7004" in result.stderr


def test_options_that_no_version_has_are_refused(run: Run) -> None:
    result = run("diff nim nim --option heap=3 --moves 20")
    assert result.exit_code == 1 and "heap" in result.stderr


def test_versions_that_nobody_can_play_both_are_no_all_clear(run: Run, own_folder: Path) -> None:
    Path("old.rules").write_text(RULES)
    Path("new.rules").write_text(changed("players: 2..3", "players: 4"))
    result = run("diff old.rules new.rules --moves 20")
    assert result.exit_code == 1
    assert "Nothing could be compared by play" in result.stdout


def test_a_game_that_is_over_at_once_is_compared_too(run: Run, own_folder: Path) -> None:
    over = 'game "Over":\n  players: 2\n\noverview: end game, seat(1) wins\n\nrule other: end game, nobody wins\n'
    Path("old.rules").write_text(over)
    Path("new.rules").write_text(over.replace("seat(1)", "seat(2)"))
    result = run("diff old.rules new.rules --moves 20 --format json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert [each["subject"] for each in data["differences"]] == ["result"]
    assert run("diff old.rules old.rules --moves 20").exit_code == 0


def test_the_seed_that_is_used_is_the_one_that_help_names(run: Run) -> None:
    words = " ".join(run("diff --help").stdout.split())
    assert "without one, it is 1." in words
    assert "seed 1\n" in run("diff kuhn-poker kuhn-poker --moves 20").stdout
