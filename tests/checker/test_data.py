"""Data files: what is read from them, what is refused, and where each message points. Spec 6."""

import subprocess
import sys
from pathlib import Path

import pytest
from pace import in_time

from rulelang import limits, pipeline
from rulelang.checker.toml_places import find_places
from rulelang.diagnostics.diagnostic import Diagnostic
from rulelang.failures import Diagnosed
from rulelang.play.event import Play
from rulelang.source import Source

GAMES = Path(__file__).resolve().parent.parent / "data_games"

RULES = """\
game "Three shells":
  players: 2
  data: "shells.toml"

values Colour: white, pink, sky_blue

table Shell from shell:
  name: text
  colour: Colour
  points: 1..9
  rare: yes or no
  twin: Shell or none
  goes_with: list of Colour

overview:
  end game, nobody wins
"""

GOOD = """\
[[shell]]
id = "cockle"
name = "Cockle"
colour = "white"
points = { value = 3, provenance = "printed", clause = "S-1" }
rare = false
twin = "blue-mussel"
goes_with = ["pink", "sky-blue"]

[[shell]]
id = "blue-mussel"
name = "Blue mussel"
colour = "sky-blue"
points = 9
rare = "yes"
"""


def compiled(tmp_path: Path, data: str | bytes, rules: str = RULES, file: str = "shells.toml") -> pipeline.Compiled:
    """Compile rules with a data file beside them."""
    folder = tmp_path / "shells"
    folder.mkdir(exist_ok=True)
    (folder / "shells.rules").write_text(rules, encoding="utf-8")
    (folder / file).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return pipeline.compile_file(folder / "shells.rules")


def refused(tmp_path: Path, data: str | bytes, rules: str = RULES) -> tuple[Diagnostic, ...]:
    """What is wrong with rules and a data file beside them."""
    with pytest.raises(Diagnosed) as wrong:
        compiled(tmp_path, data, rules)
    return wrong.value.diagnostics


def said(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str, int]]:
    """Code, file and line of each."""
    return [
        (d.code.number, Path(d.place.file).name, d.place.line) if d.place else (d.code.number, "", 0)
        for d in diagnostics
    ]


# ------------------------------------------------------------------ what is read


def test_rows_come_in_the_order_of_the_file_with_the_codes_of_their_kinds(tmp_path: Path) -> None:
    table = compiled(tmp_path, GOOD).program.tables[0]
    assert table.rows == ("cockle", "blue_mussel")
    assert {column.name: column.values for column in table.columns} == {
        "name": ("Cockle", "Blue mussel"),
        "colour": (0, 2),
        "points": (3, 9),
        "rare": (0, 1),
        "twin": (1, -1),
        "goes_with": ((1, 2), ()),
    }


def test_a_file_with_windows_line_ends_and_a_byte_order_mark_is_the_same(tmp_path: Path) -> None:
    windows = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert compiled(tmp_path, windows).program.tables == compiled(tmp_path, GOOD).program.tables


def test_lines_are_counted_alike_with_windows_line_ends(tmp_path: Path) -> None:
    damaged = GOOD.replace("points = 9", "points = 10")
    assert said(refused(tmp_path, damaged.replace("\n", "\r\n"))) == said(refused(tmp_path, damaged))


def test_rows_may_be_tables_of_a_table(tmp_path: Path) -> None:
    data = '[shell.cockle]\nname = "C"\ncolour = "pink"\npoints = 1\nrare = true\n'
    data += '[shell.blue-mussel]\nname = "B"\ncolour = "pink"\npoints = 2\nrare = true\ntwin = "cockle"\n'
    table = compiled(tmp_path, data).program.tables[0]
    assert table.rows == ("cockle", "blue_mussel")
    assert table.columns[4].values == (-1, 0)


def test_rows_may_be_written_between_braces(tmp_path: Path) -> None:
    data = 'shell = [\n  { id = "a", name = "A", colour = "pink", points = 1, rare = true },\n]\n'
    assert compiled(tmp_path, data).program.tables[0].rows == ("a",)


def test_rows_of_the_rules_follow_those_of_the_file(tmp_path: Path) -> None:
    rules = RULES.replace(
        "list of Colour\n", 'list of Colour\n  row limpet: "Limpet", pink, 2, no, cockle, [pink, white]\n'
    )
    table = compiled(tmp_path, GOOD, rules).program.tables[0]
    assert table.rows == ("cockle", "blue_mussel", "limpet")
    assert [column.values[2] for column in table.columns] == ["Limpet", 1, 2, 0, 0, (1, 0)]


def test_several_files_are_read_in_their_order(tmp_path: Path) -> None:
    rules = RULES.replace('"shells.toml"', '"shells.toml", "more.toml"')
    compiled(tmp_path, GOOD)
    more = '[[shell]]\nid = "whelk"\nname = "Whelk"\ncolour = "pink"\npoints = 1\nrare = false\n'
    assert compiled(tmp_path, more, rules, "more.toml").program.tables[0].rows == ("cockle", "blue_mussel", "whelk")


def test_the_least_code_of_an_optional_number_is_none(tmp_path: Path) -> None:
    rules = RULES.replace("points: 1..9", "points: 3..9 or none")
    values = (
        compiled(tmp_path, GOOD.replace("points = 9", 'points = "none"'), rules).program.tables[0].columns[2].values
    )
    assert values == (3, 2)


def test_what_no_table_reads_may_be_there(tmp_path: Path) -> None:
    extra = GOOD + 'note = { by = "us" }\n\n[[trial]]\nseed = 7\n[about]\nwhen = 2020-01-01\n'
    assert compiled(tmp_path, extra).program.tables == compiled(tmp_path, GOOD).program.tables


# ------------------------------------------------------------------ what is refused

DAMAGED = [
    # what is replaced, by what, code, line
    ('name = "Cockle"\n', "", "RL7010", 1),
    ('name = "Cockle"\n', 'nam = "Cockle"\n', "RL7010", 3),
    ('twin = "blue-mussel"', 'twni = "blue-mussel"', "RL7010", 7),
    ('name = "Cockle"', "name = 3", "RL7012", 3),
    ('colour = "white"', 'colour = "whit"', "RL7012", 4),
    ('colour = "white"', "colour = 1", "RL7012", 4),
    ('colour = "white"', 'colour = "none"', "RL7012", 4),
    ("value = 3", "value = 0", "RL7012", 5),
    ("value = 3", "value = 3.0", "RL7012", 5),
    ("value = 3", "value = true", "RL7012", 5),
    ("value = 3", 'value = "3"', "RL7012", 5),
    ("value = 3", "value = 99999999999999999999999", "RL7012", 5),
    ("value = 3", "value = 2020-01-01", "RL7012", 5),
    ("rare = false", "rare = 0", "RL7012", 6),
    ("rare = false", 'rare = "maybe"', "RL7012", 6),
    ('twin = "blue-mussel"', 'twin = "blue-mussl"', "RL7013", 7),
    ('twin = "blue-mussel"', "twin = 1", "RL7012", 7),
    ('["pink", "sky-blue"]', '"pink"', "RL7012", 8),
    ('["pink", "sky-blue"]', '["pink", "sky"]', "RL7012", 8),
    ('["pink", "sky-blue"]', '["pink", ["pink"]]', "RL7012", 8),
    ('["pink", "sky-blue"]', "{ pink = 1 }", "RL7012", 8),
    ('provenance = "printed"', 'provenance = "printd"', "RL7023", 5),
    ('provenance = "printed"', "provenance = 1", "RL7023", 5),
    (', provenance = "printed"', "", "RL7023", 5),
    (', clause = "S-1"', "", "RL7023", 5),
    ('clause = "S-1"', 'clause = " "', "RL7023", 5),
    ('clause = "S-1"', "clause = 7", "RL7023", 5),
    ('provenance = "printed"', 'provenance = "assumed"', "RL7023", 5),
    ('provenance = "printed"', 'provenance = "published"', "RL7023", 5),
    ("points = 9", 'points = 9\npoints_provenance = "guessed: so"', "RL7023", 15),
    ("points = 9", 'points = 9\npoints_provenance = "printed"', "RL7023", 15),
    ("points = 9", "points = 9\npoints_provenance = 4", "RL7023", 15),
    ('id = "cockle"\n', "", "RL7010", 1),
    ('id = "cockle"', 'id = ["cockle"]', "RL7012", 2),
    ('id = "cockle"', 'id = "2 cockles"', "RL7022", 2),
    ('id = "cockle"', 'id = ""', "RL7022", 2),
    ('id = "cockle"', 'id = "none"', "RL7022", 2),
    ('id = "cockle"', f'id = "{"c" * 129}"', "RL7022", 2),
    ('id = "cockle"', 'id = "c\u043eckle"', "RL7022", 2),
    ('id = "cockle"', 'id = "blue_mussel"', "RL7019", 11),
    ("[[shell]]", "[[shel]]", "RL7016", 0),
    (GOOD, "shell = 3\n", "RL7021", 1),
    (GOOD, "shell = [1, 2]\n", "RL7021", 1),
    (GOOD, "[shell.2]\n", "RL7022", 1),
    (GOOD, '[shell]\nname = "Cockle"\n', "RL7021", 1),
    ("points = 9", "points : 9", "RL7014", 14),
    ("points = 9", "points = nine", "RL7014", 14),
    ("points = 9", "points = 9 9", "RL7014", 14),
    ("points = 9", "points = [9", "RL7014", 15),
    ("points = 9", "points = 9\npoints = 9", "RL7014", 15),
    ('name = "Blue mussel"', 'name = "Blue mussel', "RL7014", 12),
    ('name = "Blue mussel"', 'name = "Blue\\qmussel"', "RL7014", 12),
    ("[[shell]]", "[[shell]", "RL7014", 1),
]


@pytest.mark.parametrize(("old", "new", "code", "line"), DAMAGED)
def test_each_mistake_has_its_code_and_line(tmp_path: Path, old: str, new: str, code: str, line: int) -> None:
    data = GOOD.replace(old, new) if code == "RL7016" else GOOD.replace(old, new, 1)
    found = refused(tmp_path, data)
    file = "shells.rules" if line == 0 else "shells.toml"
    assert said(found)[0] == (code, file, line or 7)
    assert len(found) == 1, [d.message for d in found]


def test_all_independent_mistakes_are_told_at_once(tmp_path: Path) -> None:
    data = GOOD.replace('"white"', '"whit"').replace("value = 3", "value = 0").replace("points = 9", "points = true")
    assert said(refused(tmp_path, data)) == [
        ("RL7012", "shells.toml", 4),
        ("RL7012", "shells.toml", 5),
        ("RL7012", "shells.toml", 14),
    ]


def test_a_column_that_no_row_has_is_told_once(tmp_path: Path) -> None:
    data = GOOD.replace("points", "pionts")
    (found,) = refused(tmp_path, data)
    assert (found.code.number, found.hint) == ("RL7010", "no row has it; did you mean 'pionts'?")


def test_messages_name_row_column_value_and_a_way_out(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, GOOD.replace('"white"', '"whit"'))
    assert found.message == "'colour' of row 'cockle' is 'whit'; one of 'Colour' is needed."
    assert found.hint == "did you mean 'white'?"


def test_reports_quote_the_line_of_the_data_file(tmp_path: Path) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compiled(tmp_path, GOOD.replace("points = 9", "points = 10"))
    assert "    14 | points = 10\n       | ^^^^^^" in str(wrong.value)


def test_rows_given_twice_name_both_places(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, GOOD.replace('id = "cockle"', 'id = "blue_mussel"'))
    assert [related.place.line for related in found.related] == [2]


def test_a_row_of_the_rules_may_not_repeat_one_of_the_file(tmp_path: Path) -> None:
    rules = RULES.replace("list of Colour\n", 'list of Colour\n  row cockle: "Limpet", pink, 2, no, none, []\n')
    assert said(refused(tmp_path, GOOD, rules)) == [("RL7019", "shells.rules", 14)]


def test_places_are_found_in_every_form_of_rows(tmp_path: Path) -> None:
    data = (
        'title = """\n[[shell]]\nid = 1\n"""  # [[shell]]\n[shell.cockle]\nname = "C"\ncolour = "pink"\nrare = true\n'
    )
    assert said(refused(tmp_path, data + "points = 99\n")) == [("RL7012", "shells.toml", 9)]
    assert said(refused(tmp_path, data + "points.value = 99\n")) == [
        ("RL7012", "shells.toml", 9),
        ("RL7023", "shells.toml", 9),
    ]
    braces = 'shell = [\n  { id = "a", name = "A", colour = "pink", points = 1, rare = true },\n'
    braces += (
        '  { id = "b", name = "B", goes_with = ["pink", "pink"],\n colour = "pink", points = 99, rare = true },\n]\n'
    )
    assert said(refused(tmp_path, braces.replace(",\n colour", ", colour"))) == [("RL7012", "shells.toml", 3)]


# ------------------------------------------------------------------ the file


def header(name: str) -> str:
    return RULES.replace('"shells.toml"', name)


@pytest.mark.parametrize(
    "name",
    [
        '"../shells.toml"',
        '"/etc/passwd"',
        '"inner/../../shells.toml"',
        '"C:shells.toml"',
        '"..\\\\shells.toml"',
        '"C:/x.toml"',
    ],
)
def test_nothing_outside_the_folder_is_opened(tmp_path: Path, name: str) -> None:
    (tmp_path / "shells.toml").write_text(GOOD)
    assert said(refused(tmp_path, GOOD, header(name))) == [("RL1008", "shells.rules", 3)]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text(GOOD)
    (tmp_path / "shells").mkdir()
    (tmp_path / "shells" / "link.toml").symlink_to(tmp_path / "secret.toml")
    assert said(refused(tmp_path, GOOD, header('"link.toml"'))) == [("RL1008", "shells.rules", 3)]
    (tmp_path / "shells" / "inner").symlink_to(tmp_path)
    assert said(refused(tmp_path, GOOD, header('"inner/secret.toml"'))) == [("RL1008", "shells.rules", 3)]


def test_links_within_the_folder_are(tmp_path: Path) -> None:
    compiled(tmp_path, GOOD)
    (tmp_path / "shells" / "link.toml").symlink_to(tmp_path / "shells" / "shells.toml")
    assert compiled(tmp_path, GOOD, header('"link.toml"')).program.tables[0].rows == ("cockle", "blue_mussel")


def test_a_circle_of_links_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "shells").mkdir()
    (tmp_path / "shells" / "a.toml").symlink_to(tmp_path / "shells" / "b.toml")
    (tmp_path / "shells" / "b.toml").symlink_to(tmp_path / "shells" / "a.toml")
    assert said(refused(tmp_path, GOOD, header('"a.toml"'))) == [("RL7015", "shells.rules", 3)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ('"shels.toml"', "RL7015"),
        (f'"{"x" * 5000}"', "RL7015"),
        ('""', "RL1002"),
        ('"inner"', "RL1002"),
        ("shells", "RL4001"),
        ("3", "RL4001"),
        ('"shells{1}.toml"', "RL4001"),
        ('"shells.toml", "shells.toml"', "RL3002"),
    ],
)
def test_what_the_header_names_is_a_file_of_the_ruleset(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "shells" / "inner").mkdir(parents=True)
    assert said(refused(tmp_path, GOOD, header(name))) == [(code, "shells.rules", 3)]


def test_a_misspelled_file_is_offered(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, GOOD, header('"shels.toml"'))
    assert found.hint == "did you mean 'shells.toml'?"


def test_there_may_be_only_so_many_files(tmp_path: Path) -> None:
    names = [f"d{number}.toml" for number in range(limits.IMPORTS + 1)]
    for name in names:
        compiled(tmp_path, GOOD)
        (tmp_path / "shells" / name).write_text("")
    found = refused(tmp_path, GOOD, header(", ".join(f'"{name}"' for name in names)))
    assert said(found) == [("RL1007", "shells.rules", 3)]


def test_of_rows_that_the_rules_repeat_the_rules_are_told(tmp_path: Path) -> None:
    row = '  row limpet: "Limpet", pink, 2, no, none, []\n'
    rules = RULES.replace("list of Colour\n", f"list of Colour\n{row}{row}")
    assert said(refused(tmp_path, GOOD, rules)) == [("RL7019", "shells.rules", 15)]


def test_a_table_that_reads_data_needs_the_header(tmp_path: Path) -> None:
    assert said(refused(tmp_path, GOOD, RULES.replace('  data: "shells.toml"\n', ""))) == [
        ("RL7020", "shells.rules", 6)
    ]


def test_rules_given_as_a_text_have_no_data_file() -> None:
    with pytest.raises(Diagnosed) as wrong:
        pipeline.compile_text(RULES)
    assert said(wrong.value.diagnostics) == [("RL7015", "game.rules", 3)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x = 1\n" * 200_000, "RL1005"),
        (b'x = "\xff"\n', "RL1004"),
        ("x = 1\n".encode("utf-16"), "RL1004"),
        (b"x = 1\0\n", "RL1006"),
        (b"x = " + b"[" * 500_000, "RL2009"),
        (b"x = " + b"{x = " * 100_000, "RL2009"),
        (b"x." * 500_000 + b"x = 1", "RL2009"),
        (b"[" + b"x." * 500_000 + b"x]", "RL2009"),
        (b"x = " + b"9" * 5_000, "RL2012"),
        (b'x = """' + b'\\"""' * 250_000, "RL7014"),
        (b'x = "' + b'\\"' * 500_000, "RL7014"),
        (b"[[shell]]\n" * 104_000, "RL6004"),
        (b"[[shell]]\n" * 65_000, "RL7010"),
    ],
)
def test_hostile_files_are_refused_soon(tmp_path: Path, data: bytes, code: str) -> None:
    seconds = 20  # 2 s, and what measuring coverage adds
    assert in_time(lambda: said(refused(tmp_path, data))[0][0], seconds) == code


def test_too_many_rows_are_refused(tmp_path: Path) -> None:
    rules = RULES.replace("from shell", "from s")
    data = "".join(f"[s.a{number}]\n" for number in range(limits.COLLECTION + 1))
    assert [d.code.number for d in refused(tmp_path, data, rules)] == ["RL6004"]


def test_too_many_rows_are_refused_also_over_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COLLECTION", 3)
    compiled(tmp_path, GOOD)
    (tmp_path / "shells" / "more.toml").write_text(GOOD.replace('id = "', 'id = "other-'))
    assert said(refused(tmp_path, GOOD, header('"shells.toml", "more.toml"'))) == [("RL6004", "shells.rules", 7)]


def test_long_lists_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COLLECTION", 2)
    data = GOOD.replace('["pink", "sky-blue"]', '["pink", "pink", "pink"]')
    assert said(refused(tmp_path, data)) == [("RL7012", "shells.toml", 8)]


def test_a_reader_that_gives_up_is_no_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(text: str) -> None:
        raise RecursionError

    monkeypatch.setattr("tomllib.loads", deep)
    assert said(refused(tmp_path, GOOD)) == [("RL2009", "shells.toml", 1)]


def test_rows_without_names_are_told_only_as_often_as_is_shown(tmp_path: Path) -> None:
    found = refused(tmp_path, "[[shell]]\n" * 200)
    assert [d.code.number for d in found] == ["RL7010"] * limits.DIAGNOSTICS + ["RL1099"]


# ------------------------------------------------------------------ columns, and rows written in the rules


@pytest.mark.parametrize(
    ("column", "code"),
    [
        ("player", "RL4001"),
        ("list of text", "RL4001"),
        ("text or none", "RL4001"),
        ("1..size of players", "RL6008"),
        ("1..(1 + 1)", "RL6008"),
        ("list of 0..size of players", "RL6008"),
    ],
)
def test_columns_hold_what_a_file_can_say(tmp_path: Path, column: str, code: str) -> None:
    rules = RULES.replace("goes_with: list of Colour", f"goes_with: {column}")
    assert said(refused(tmp_path, GOOD, rules)) == [(code, "shells.rules", 13)]


TABLE = """\
game "Written":
  players: 2

values Colour: white, pink
table Shell:
  points: {points}
  colour: Colour
  row cockle: {row}

define white_one = 3
overview:
  end game, nobody wins
"""


@pytest.mark.parametrize(
    ("points", "row", "values"),
    [
        ("2..9", "3, pink", (3, 1)),
        ("(2)..9", "3, pink", (3, 1)),
        ("-2..9", "-2, white", (-2, 0)),
        ("2..9 or none", "none, white", (1, 0)),
        ("list of 1..3", "[1, (2)], white", ((1, 2), 0)),
        ("bag of 1..3", "[3, 1, 3], white", ((1, 3, 3), 0)),
        ("list of 1..3", "empty, white", ((), 0)),
        ("yes or no", "yes, white", (1, 0)),
        ("Shell or none", "cockle, white", (0, 0)),
        ("Shell or none", "none, white", (-1, 0)),
        ("text", '"none", white', ("none", 0)),
        ("number", "-7, white", (-7, 0)),
    ],
)
def test_rows_of_the_rules_have_the_same_codes(points: str, row: str, values: tuple[object, ...]) -> None:
    table = pipeline.compile_text(TABLE.format(points=points, row=row)).program.tables[0]
    assert tuple(column.values[0] for column in table.columns) == values


@pytest.mark.parametrize(
    ("points", "row"),
    [
        ("2..9", "10, pink"),
        ("2..9", "1 + 2, pink"),
        ("2..9", "white_one, pink"),
        ("2..9", "size of players, pink"),
        ("list of 1..3", "[1, 4], pink"),
        ("list of 1..3", "[1, white_one], pink"),
        ("text", '"a{white_one}", white'),
        ("number", "9223372036854775807, pink"),
    ],
)
def test_rows_of_the_rules_hold_plain_values_within_bounds(points: str, row: str) -> None:
    with pytest.raises(Diagnosed) as wrong:
        pipeline.compile_text(TABLE.format(points=points, row=row))
    assert said(wrong.value.diagnostics) == [("RL4001", "game.rules", 8)]


def test_mistakes_that_other_passes_tell_are_not_told_again() -> None:
    for row, code in (
        ("pink, 3", "RL4001"),
        ("3", "RL4003"),
        ("nowhere, pink", "RL3001"),
        ("(nowhere), pink", "RL3001"),
    ):
        with pytest.raises(Diagnosed) as wrong:
            pipeline.compile_text(TABLE.format(points="1..3", row=row))
        assert {d.code.number for d in wrong.value.diagnostics} == {code}
    with pytest.raises(Diagnosed) as wrong:
        pipeline.compile_text(TABLE.format(points="Nothing", row="3, pink"))
    assert [d.code.number for d in wrong.value.diagnostics] == ["RL3010"]


def test_cells_of_a_column_of_no_fitting_kind_are_left_alone() -> None:
    with pytest.raises(Diagnosed) as wrong:
        pipeline.compile_text(TABLE.format(points="player", row="seat(1), pink"))
    assert said(wrong.value.diagnostics) == [("RL4001", "game.rules", 6)]


def test_two_rows_of_the_rules_with_one_name_are_refused() -> None:
    with pytest.raises(Diagnosed) as wrong:
        pipeline.compile_text(TABLE.format(points="1..3", row="3, pink\n  row cockle: 2, pink"))
    assert said(wrong.value.diagnostics) == [("RL7019", "game.rules", 9)]


# ------------------------------------------------------------------ places


def test_a_walk_over_any_text_ends() -> None:
    for text in (
        "[",
        "[[",
        "]",
        "=",
        "a = '''",
        "[a",
        "[[a]\nb",
        ",",
        "}{",
        "a = {b",
        '"',
        "a = [}]",
        "[a.[b]]",
        "\n[]=",
        "[a\nb]",
        "[a'",
        "x = [[[",
    ):
        assert find_places(Source("x.toml", text)).find("nowhere", 1) is None


# ------------------------------------------------------------------ a game


def test_a_game_with_data_is_played_and_its_texts_are_spoken() -> None:
    game = pipeline.load(GAMES / "shell-race").configure()
    lay = next(number for number, move in enumerate(game.program.moves) if move.name == "lay")
    heard: set[str] = set()
    for seed in range(6):
        match = game.match(seed=seed)
        while match.advance_chance().outcome is None:
            (seat,) = match.state.waiting.seats
            for row in range(3):
                heard.update(reason.words for reason in match.state.refusals(Play(seat, lay, (row,))))
            moves = match.state.moves(seat)
            match.submit(moves[-2] if len(moves) > 1 else moves[0])  # the last shell in hand, else rest
        assert match.outcome is not None and match.outcome.kind == "winners"
    assert "Cockle does not go with what lies on your beach" in heard


def test_rules_without_data_load_neither_toml_nor_schemas() -> None:
    code = (
        "import sys, rulelang.pipeline as p; p.load('tic-tac-toe'); print({'tomllib', 'jsonschema'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
