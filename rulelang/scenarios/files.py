"""Play files: found, read, and brought together with the rulesets and the names of reasons that they speak of."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs

from rulelang import limits, rulesets
from rulelang.ast.from_tree.plays import parse_plays
from rulelang.ast.nodes import plays as ast
from rulelang.checker.data import document_of
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Diagnostic, Findings, diagnose, did_you_mean
from rulelang.diagnostics.reading import is_file, read_source, source_from_text
from rulelang.failures import Diagnosed
from rulelang.grammar.inline import InlineRules, split
from rulelang.pipeline import Compiled, compile_file, compile_source
from rulelang.source import Place, Source

REASONS_FILE: Final = "reasons.toml"
"""Names of reasons for all play files of its folder."""


@attrs.frozen
class PlayFile:
    """A play file that could be read."""

    path: Path
    source: Source
    plays: ast.Plays
    inline: dict[str, InlineRules]
    aliases: dict[str, tuple[str, ...]]
    """What a reason is called in this folder, and the requirements that it stands for."""


def read_play_file(path: Path, name: str | None = None) -> PlayFile:
    """Read a play file. Raises Diagnosed with all mistakes of its words and lines."""
    return _read(path, read_source(path, name=name))


def play_file_from_text(name: str, text: str) -> PlayFile:
    """Make a play file of a text that is in hand already; it lies in the current folder. Raises Diagnosed."""
    return _read(Path(name), source_from_text(name, text))


def _read(path: Path, source: Source) -> PlayFile:
    findings = Findings()
    text, inline = split(source, findings)
    try:
        plays = parse_plays(text)
    except Diagnosed as wrong:
        for each in wrong.diagnostics:
            findings.add(each)
        findings.raise_if_any([source])
        raise
    findings.raise_if_any([source])
    return PlayFile(path, source, plays, {each.name: each for each in inline}, _reasons_of(path.parent))


def _reasons_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """The table of reasons of a folder. Hyphens are written as underscores in plays."""
    path = folder / REASONS_FILE
    if not path.is_file():
        return {}
    source = read_source(path, limit=limits.DATA_BYTES)
    found = document_of(source)
    wrong: list[Diagnostic] = []
    for word, listed in found.items():
        if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
            wrong.append(diagnose(codes.CITED_BADLY, Place(source.name, 1, 1, 1, 1), word=word, file=source.name))
    if wrong:
        raise Diagnosed(wrong, [source])
    return {word.replace("-", "_"): tuple(listed) for word, listed in found.items()}


# ------------------------------------------------------------------ rulesets


class Library:
    """The rulesets that play files speak of, each compiled once."""

    def __init__(self) -> None:
        self._compiled: dict[Path, Compiled | Diagnosed] = {}

    def ruleset(self, file: PlayFile, name: ast.Word) -> Compiled:
        """A scenario's ruleset: inline, beside the file, in the folder above, or known by name. Raises Diagnosed."""
        inline = file.inline.get(name.name)
        if inline is not None:
            return _inline(file, inline)
        path = self._path(file, name)
        key = path.resolve()
        if key not in self._compiled:
            try:
                self._compiled[key] = compile_file(path)
            except Diagnosed as wrong:
                self._compiled[key] = wrong
        found = self._compiled[key]
        if isinstance(found, Diagnosed):
            raise found
        return found

    def _path(self, file: PlayFile, name: ast.Word) -> Path:
        folder = file.path.parent
        here = name.name == Path(name.name).name  # a name, and no way to somewhere else
        for candidate in (folder / f"{name.name}.rules", folder.parent / f"{name.name}.rules") if here else ():
            if is_file(candidate):
                return candidate
        known = dict(rulesets.all_rulesets())
        if name.name in known:
            return known[name.name]
        hint = did_you_mean(name.name, [*known, *file.inline])
        raise Diagnosed([diagnose(codes.UNKNOWN_RULESET, name.at, word=name.name, hint=hint)], [file.source])


def _inline(file: PlayFile, inline: InlineRules) -> Compiled:
    try:
        return compile_source(inline.source, inline.name.replace("_", "-"), file.path.resolve().parent)
    except Diagnosed as wrong:
        raise Diagnosed([inline.shifted(each) for each in wrong.diagnostics], [file.source]) from None


# ------------------------------------------------------------------ finding


def play_files(names: Iterable[str]) -> Iterator[Path]:
    """The play files that names of rulesets, folders and files mean, each once; all rulesets' if there is no name."""
    found: dict[Path, None] = {}
    for name in names:
        found |= dict.fromkeys(_files_of(name))
    yield from found


def _files_of(name: str) -> list[Path]:
    path = Path(name)
    if path.suffix == ".play":
        return [path]
    if path.is_dir():
        return sorted(path.glob("**/*.play"))
    rules = rulesets.find(name)
    if not rules.is_file():
        raise Diagnosed([diagnose(codes.FILE_MISSING, file=str(rules))])
    return sorted((rules.parent / "plays").glob("**/*.play")) if rules.suffix == ".rules" else []
