"""What games bring in with ``uses``: which words come, what gives way, and every way to get it wrong. Spec 14.5."""

from pathlib import Path

import pytest

from rulelang import limits
from rulelang.checker.libraries import names_of_libraries, shipped
from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash
from rulelang.ir.program import Program
from rulelang.pipeline import compile_file, compile_text
from rulelang.rulesets import all_rulesets

GAME = """game "Points":
  players: 2
  uses: {uses}

{more}overview:
  {play}
  end game, (all p in players with most p's points) wins
"""

POINTS = """library "Points":
  about: "Counting points"

marker points for each player: 0..99
marker unused: 0..9
rule score(p: player):
  p's points rises by worth
define worth = 3
move pass_by
"""


def game(uses: str = '"points.rules"', more: str = "", play: str = "score(seat(1))") -> str:
    return GAME.format(uses=uses, more=more, play=play)


def built(folder: Path, rules: str, **libraries: str) -> Program:
    """The program of a game in a folder, with libraries beside it."""
    (folder / "game.rules").write_text(rules)
    for name, text in libraries.items():
        (folder / f"{name}.rules").write_text(text)
    return compile_file(folder / "game.rules").program


def told(folder: Path, rules: str, **libraries: str) -> list[str]:
    """The codes and places of what is wrong."""
    with pytest.raises(Diagnosed) as wrong:
        built(folder, rules, **libraries)
    return [f"{each.code.number} {Path(str(each.place)).name}" for each in wrong.value.diagnostics]


def slots(program: Program) -> list[str]:
    return [slot.name for slot in program.slots]


# ------------------------------------------------------------------ what comes in


def test_only_what_is_used_comes_in(tmp_path: Path) -> None:
    program = built(tmp_path, game(), points=POINTS)
    assert slots(program) == ["points"]
    assert [move.name for move in program.moves] == []
    assert [function.name for function in program.functions] == ["worth"]


def test_it_is_the_program_of_one_text(tmp_path: Path) -> None:
    whole = game(uses="", more="").replace("  uses: \n", "") + POINTS.split("\n\n", 1)[1].replace(
        "marker unused: 0..9\n", ""
    )
    alone = compile_text(whole.replace("move pass_by\n", "")).program
    assert content_hash(built(tmp_path, game(), points=POINTS)) == content_hash(alone)


def test_what_the_game_declares_itself_comes_first(tmp_path: Path) -> None:
    own = "define worth = 5\nmarker points for each player: 0..50\n\n"
    program = built(tmp_path, game(more=own), points=POINTS)
    assert slots(program) == ["points"]
    assert "50" in str(program.slots[0].type)
    assert [function.at.origin.file.endswith("game.rules") for function in program.functions] == [True]


def test_an_exception_to_a_rule_of_a_library(tmp_path: Path) -> None:
    program = built(tmp_path, game(more="after score: p's points rises by 1\n\n"), points=POINTS)
    assert [procedure.name for procedure in program.procedures].count("score") == 1


def test_libraries_use_libraries_each_once_and_in_a_circle(tmp_path: Path) -> None:
    one = POINTS.replace('about: "Counting points"', 'about: "A"\n  uses: "other.rules", "points.rules"').replace(
        "define worth = 3\n", ""
    )
    other = 'library "Other":\n  uses: "points.rules"\n\ndefine worth = 2\n'
    program = built(tmp_path, game(), points=one, other=other)
    assert [function.at.origin.file.endswith("other.rules") for function in program.functions] == [True]


def test_origins_name_the_file_of_the_library(tmp_path: Path) -> None:
    program = built(tmp_path, game(), points=POINTS)
    assert Path(program.slots[0].at.origin.file).name == "points.rules"
    assert program.slots[0].at.origin.line == 4
    dealing = "values Card: 1..6\nzone deck: pile of Card, seen by nobody, starts with each Card\n"
    dealing += "zone hand for each player: bag of Card, seen by owner\nmarker points for each player: 0..9\n\n"
    program = compile_text(game("dealing", dealing, "deal(2)")).program
    assert {procedure.at.origin.file for procedure in program.procedures} == {"game.rules", "library/dealing.rules"}


def test_windows_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "points.rules").write_bytes(b"\xef\xbb\xbf" + POINTS.replace("\n", "\r\n").encode())
    assert slots(built(tmp_path, game())) == ["points"]


# ------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ("point", "RL1017 game.rules:3:9"),
        ('"point.rules"', "RL1017 game.rules:3:9"),
        ('"../points.rules"', "RL1008 game.rules:3:9"),
        ('"/points.rules"', "RL1008 game.rules:3:9"),
        ('"C:\\points.rules"', "RL1008 game.rules:3:9"),
        ('"game.rules"', "RL1018 game.rules:3:9"),
        ('"points.rules", 3', "RL4001 game.rules:3:25"),
        ('"sub"', "RL1002 game.rules:3:9"),
        ('"p{1}"', "RL4001 game.rules:3:9"),
        ("dealing(3)", "RL4001 game.rules:3:9"),
    ],
)
def test_what_cannot_be_brought_in(tmp_path: Path, uses: str, expected: str) -> None:
    (tmp_path / "sub").mkdir()
    assert told(tmp_path, game(uses), points=POINTS) == [expected]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "points.rules").write_text(POINTS)
    (inside / "points.rules").symlink_to(tmp_path / "points.rules")
    assert told(inside, game()) == ["RL1008 game.rules:3:9"]


def test_rules_given_as_a_text_have_no_folder() -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(game())
    assert [each.code.number for each in wrong.value.diagnostics] == ["RL1017"]
    assert "no folder" in str(wrong.value)


def test_what_a_library_needs(tmp_path: Path) -> None:
    needy = POINTS.replace('about: "Counting points"', "needs: worth").replace("define worth = 3\n", "")
    assert told(tmp_path, game(), points=needy) == ["RL3016 game.rules:3:9"]
    assert slots(built(tmp_path, game(more="define worth = 1\n\n"), points=needy)) == ["points"]
    assert slots(
        built(tmp_path, game(more="marker points for each player: 0..9\n\n", play="seat(1)'s points rises by 1"))
    )


def test_a_library_of_ones_own_that_speaks_of_unknown_things_is_shown(tmp_path: Path) -> None:
    assert told(tmp_path, game(), points=POINTS.replace("worth = 3", "worth = price")) == ["RL3001 points.rules:8:16"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("overview:\n  end game, nobody wins\n", "RL3017 points.rules:10:1"),
        ("always fine: worth > 2\n", "RL3017 points.rules:10:1"),
        ("require fine: worth > 2\n", "RL3017 points.rules:10:1"),
        ("prefer pass_by\n", "RL3017 points.rules:10:1"),
        ("after score: p's points rises by 1\n", "RL3017 points.rules:10:1"),
        ("whenever worth > 2: score(seat(1))\n", "RL3017 points.rules:10:1"),
        ("marker\n", "RL2024 points.rules:10:7"),
        ("define worth = 4\n", "RL3002 points.rules:10:1"),
    ],
)
def test_what_a_library_cannot_hold(tmp_path: Path, line: str, expected: str) -> None:
    assert told(tmp_path, game(), points=POINTS + line) == [expected]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("players: 2", "RL3003 points.rules:2:3"),
        ("needs: 3", "RL4001 points.rules:2:10"),
        ("uses: nothing", "RL1017 points.rules:2:9"),
    ],
)
def test_what_the_cover_of_a_library_cannot_say(tmp_path: Path, header: str, expected: str) -> None:
    assert told(tmp_path, game(), points=POINTS.replace('about: "Counting points"', header)) == [expected]


def test_a_library_alone_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "points.rules").write_text(POINTS)
    with pytest.raises(Diagnosed) as wrong:
        compile_file(tmp_path / "points.rules")
    assert [each.code.number for each in wrong.value.diagnostics] == ["RL1018"]


def test_two_libraries_with_one_name_are_told_apart_by_the_game(tmp_path: Path) -> None:
    uses = '"points.rules", "more.rules"'
    more = 'library "More":\n  about: "More"\n\ndefine worth = 7\n'
    assert told(tmp_path, game(uses), points=POINTS, more=more) == ["RL3002 more.rules:4:1"]
    assert slots(built(tmp_path, game(uses, "define worth = 1\n\n"), points=POINTS, more=more)) == ["points"]


# ------------------------------------------------------------------ limits


def test_no_more_files_than_allowed(tmp_path: Path) -> None:
    for number in range(limits.IMPORTS):
        after = f'uses: "l{number + 1}.rules"' if number < limits.IMPORTS - 1 else 'about: "the last"'
        (tmp_path / f"l{number}.rules").write_text(f'library "L":\n  {after}\n\ndefine worth{number} = 1\n')
    (tmp_path / "points.rules").write_text(POINTS)
    last = f"score(seat(worth{limits.IMPORTS - 1}))"
    own = "marker points for each player: 0..9\nrule score(p: player): p's points rises by 1\n\n"
    assert slots(built(tmp_path, game('"l0.rules"', own, last))) == ["points"]
    assert told(tmp_path, game('"points.rules", "l0.rules"', play=last)) == ["RL1007 l30.rules:2:9"]


def test_libraries_together_are_no_longer_than_a_file_may_be(tmp_path: Path) -> None:
    long = POINTS + "# " + "x" * (limits.SOURCE_BYTES - len(POINTS) - 10) + "\n"
    more = 'library "More":\n  about: "More"\n'
    assert slots(built(tmp_path, game(), points=long)) == ["points"]
    assert told(tmp_path, game('"points.rules", "more.rules"'), points=long, more=more) == ["RL1005 game.rules:3:25"]


# ------------------------------------------------------------------ those that come with rulelang


@pytest.mark.parametrize("name", names_of_libraries())
def test_a_library_says_what_it_is_about_and_is_in_canonical_form(name: str) -> None:
    from rulelang.ast.unparse import format_source
    from rulelang.source import Source

    library = shipped(name)
    assert library.about and library.words
    assert format_source(Source("library.rules", library.text)) == library.text
    assert library.described()["words"] == list(library.words)


def used_by(text: str) -> list[str]:
    """The libraries on a cover."""
    covers = [line for line in text.splitlines() if line.startswith("  uses:")]
    names = [name.strip() for line in covers for name in line.partition(":")[2].split(",")]
    return [name for name in names if not name.startswith('"')]


@pytest.mark.parametrize("name", names_of_libraries())
def test_at_least_two_games_use_it(name: str) -> None:
    """Directly, or by way of another library."""
    users = []
    for ruleset, path in all_rulesets():
        waiting = used_by(path.read_text())
        found: set[str] = set()
        while waiting:
            library = waiting.pop()
            found.add(library)
            waiting += used_by(shipped(library).text)
        users += [ruleset] if name in found else []
    assert len(users) >= 2


def test_an_unknown_word_that_a_library_has_names_the_library() -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text('game "Deal":\n  players: 2\n\noverview:\n  deal(3)\n  end game, nobody wins\n')
    assert "the library 'dealing' has this word; name it on the cover: uses: dealing" in str(wrong.value)


def test_a_library_may_ask_for_none_where_this_game_has_none_of_it(tmp_path: Path) -> None:
    asks = POINTS.replace("define worth = 3", "define worth = 3 if p_points is none otherwise 2\ndefine p_points = 1")
    asks = asks.replace("p_points is none", "some p in players where p is nobody")
    assert slots(built(tmp_path, game(), points=asks)) == ["points"]
    wrong = game(more="define worth = 3 if some p in players where p is nobody otherwise 2\n\n")
    assert told(tmp_path, wrong, points=POINTS) == ["RL4015 game.rules:5:45"]


def test_a_value_with_the_word_of_a_library_is_told_apart_from_it(tmp_path: Path) -> None:
    values = "values Status: worth, lost\nmarker got: Status = lost\n\nrule late: got becomes worth\n\n"
    with pytest.raises(Diagnosed) as wrong:
        built(tmp_path, game(more=values), points=POINTS)
    (found,) = [each for each in wrong.value.diagnostics if each.code.number == "RL4001"]
    assert found.hint == "one of 'Status' is called 'worth', too: give that another name"
    assert [Path(each.place.file).name for each in found.related] == ["points.rules"]
