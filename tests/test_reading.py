"""Files and texts become sources, or say why not; places count as people count."""

import os
from pathlib import Path

import pytest

from rulelang import limits
from rulelang.diagnostics.codes import (
    FILE_IS_FOLDER,
    FILE_MISSING,
    FILE_TOO_LARGE,
    FILE_UNREADABLE,
    NUL_CHARACTER,
    WRONG_ENCODING,
)
from rulelang.diagnostics.diagnostic import Diagnostic
from rulelang.diagnostics.reading import decode_source, read_source, source_from_text
from rulelang.failures import Diagnosed
from rulelang.source import Place, Source


def mistake(path: str | Path) -> Diagnostic:
    """The one mistake that reading a file ends in."""
    with pytest.raises(Diagnosed) as caught:
        read_source(path)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def written(folder: Path, data: bytes) -> Path:
    path = folder / "game.rules"
    path.write_bytes(data)
    return path


def test_a_file_is_read_under_the_name_given(tmp_path: Path) -> None:
    path = written(tmp_path, "game “虎”\n".encode())
    assert read_source(path) == Source(str(path), "game “虎”\n")
    assert read_source(path, name="game.rules") == Source("game.rules", "game “虎”\n")


def test_byte_order_mark_and_foreign_line_ends_disappear(tmp_path: Path) -> None:
    assert read_source(written(tmp_path, b"\xef\xbb\xbfa\r\nb\rc\n\r\n")).text == "a\nb\nc\n\n"


def test_missing_file(tmp_path: Path) -> None:
    found = mistake(tmp_path / "no.rules")
    assert (found.code, found.message) == (FILE_MISSING, f"There is no file '{tmp_path / 'no.rules'}'.")
    assert mistake(written(tmp_path, b"") / "below-a-file").code is FILE_MISSING


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_path_that_no_file_can_have_is_missing(tmp_path: Path, name: str) -> None:
    assert mistake(tmp_path / name).code is FILE_MISSING


def test_folder(tmp_path: Path) -> None:
    assert mistake(tmp_path).code is FILE_IS_FOLDER


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = mistake(tmp_path / "pipe")
    assert (found.code, found.message.endswith("cannot be read: it is not an ordinary file.")) == (
        FILE_UNREADABLE,
        True,
    )


def test_an_unreadable_file_says_the_reason(tmp_path: Path) -> None:
    (tmp_path / "ring").symlink_to("ring")
    found = mistake(tmp_path / "ring")
    assert found.code is FILE_UNREADABLE
    assert "symbolic links" in found.message


def test_wrong_encoding_points_at_the_first_bad_byte(tmp_path: Path) -> None:
    found = mistake(written(tmp_path, "虎\r\n虎x".encode() + b"\xff more"))
    assert found.code is WRONG_ENCODING
    assert "byte 0xFF" in found.message
    assert found.place is not None
    assert (found.place.line, found.place.column) == (2, 3)


def test_nul_is_pointed_at(tmp_path: Path) -> None:
    found = mistake(written(tmp_path, b"\xef\xbb\xbfab\0c"))
    assert found.code is NUL_CHARACTER
    assert found.place is not None
    assert (found.place.line, found.place.column, found.place.end_column) == (1, 3, 4)


def test_the_limit_is_the_last_size_that_is_read(tmp_path: Path) -> None:
    assert len(read_source(written(tmp_path, b"x" * limits.SOURCE_BYTES)).text) == limits.SOURCE_BYTES
    found = mistake(written(tmp_path, b"x" * (limits.SOURCE_BYTES + 1)))
    assert (found.code, "131073 bytes" in found.message) == (FILE_TOO_LARGE, True)


def test_an_enormous_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"")
    os.truncate(path, 2**40)
    assert mistake(path).code is FILE_TOO_LARGE


def test_a_file_longer_than_it_says_is_refused_too() -> None:
    endless = Path("/proc/kallsyms")
    if not endless.exists():
        pytest.skip("no file here that hides its size")
    assert mistake(endless).code is FILE_TOO_LARGE


def test_texts_in_hand_obey_the_same_conditions() -> None:
    assert source_from_text("<text>", "a\r\nb") == decode_source("<text>", b"a\nb") == Source("<text>", "a\nb")
    too_large = "虎" * (limits.SOURCE_BYTES // 3 + 1)
    for text, code in [("a\0", NUL_CHARACTER), ("a\ud800", WRONG_ENCODING), (too_large, FILE_TOO_LARGE)]:
        with pytest.raises(Diagnosed) as caught:
            source_from_text("<text>", text)
        assert caught.value.diagnostics[0].code is code


def test_lines_count_from_one_and_end_only_at_newlines() -> None:
    source = Source("a", "one\ntw\u2028o\x0c\n")
    assert [source.line(number) for number in (0, 1, 2, 3, 4)] == ["", "one", "tw\u2028o\x0c", "", ""]


def test_places_count_characters_and_their_end_is_exclusive() -> None:
    source = Source("a", "虎虎\nxy")
    assert source.place(1, 2) == Place("a", 1, 2, 1, 3)
    assert source.place(3, 5) == Place("a", 2, 1, 2, 3)
    assert source.place(1, 2).until(source.place(3, 5)) == Place("a", 1, 2, 2, 3)
    assert str(source.place(3, 5)) == "a:2:1"
    assert source.place(1, 2) < source.place(3, 5)
