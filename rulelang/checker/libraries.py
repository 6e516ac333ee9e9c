"""What a game brings in: the declarations of libraries whose names it uses. Spec 14.5.

A library stands in for text that the author would have written at the end of the file. So the rules that leave here
look like those of a game that declares everything itself, and every later pass checks them as such.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import attrs

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.ast.from_tree import parse_rules
from rulelang.checker.beside import file_beside, file_named
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.source import Place

HOME: Final = Path(__file__).resolve().parent.parent / "library"
"""Where the libraries lie that come with rulelang."""

HEADERS: Final = ("about", "needs", "uses")
"""What the cover of a library may say."""

NAMELESS: Final = {
    ast.Overview: "the overview",
    ast.Override: "an exception",
    ast.Always: "a promise",
    ast.Demand: "a demand on the configuration",
    ast.Prefer: "advice for automatic players",
    ast.Whenever: "'whenever'",
}
"""Declarations that nobody can use by name."""


def names_of_libraries() -> tuple[str, ...]:
    """The libraries that come with rulelang."""
    return tuple(sorted(path.stem for path in HOME.glob("*.rules")))


@attrs.frozen
class Library:
    """A library that has been read."""

    at: Place
    """Where it is first named."""
    cover: ast.Game
    declarations: tuple[ast.Declaration, ...]

    def said(self, header: str) -> tuple[ast.Expr, ...]:
        """What stands on its cover behind a word."""
        return tuple(value for each in self.cover.headers if each.name == header for value in each.values)

    @property
    def needs(self) -> dict[str, Place]:
        """The words that it leaves to the game, and where it says so."""
        return {value.name: value.at for value in self.said("needs") if isinstance(value, ast.Name)}


def bring_in(rules: ast.Rules, folder: Path | None, findings: Findings) -> ast.Rules:
    """The rules with what they use of their libraries; mistakes go to ``findings``."""
    if rules.game.library:
        _confused(rules.at.file, rules.game, rules.game.at, findings)
        return rules
    if not any(header.name == "uses" for header in rules.game.headers):
        return rules
    libraries = _Reading(rules, folder, findings).read()
    return rules if findings else attrs.evolve(rules, declarations=_used(rules, libraries, findings))


def _confused(name: str, cover: ast.Game, at: Place, findings: Findings) -> None:
    kinds = ("library", "game") if cover.library else ("game", "library")
    hint = "name it on the cover of a game: uses: ..." if cover.library else "a library begins with the word 'library'"
    findings.report(codes.GAME_OR_LIBRARY, at, file=name, found=kinds[0], wanted=kinds[1], hint=hint)


# ------------------------------------------------------------------ what there is


@attrs.frozen
class Shipped:
    """A library that comes with rulelang, for people who look for one."""

    name: str
    text: str
    about: str
    needs: tuple[str, ...]
    words: tuple[str, ...]
    """What it declares."""

    def described(self) -> dict[str, str | list[str]]:
        """The same as data."""
        lists = {"needs": list(self.needs), "words": list(self.words)}
        return {"name": self.name, "about": self.about, **lists, "text": self.text}


def shipped(name: str) -> Shipped:
    """One of `names_of_libraries`."""
    source = read_source(HOME / f"{name}.rules", name=f"library/{name}.rules")
    rules = parse_rules(source)
    library = Library(rules.game.at, rules.game, rules.declarations)
    about = [str(value.parts[0]) for value in library.said("about") if isinstance(value, ast.Text)]
    words = tuple(getattr(node, "name") for node in rules.declarations)  # noqa: B009 - every one has a name
    return Shipped(name, source.text, " ".join(about), tuple(library.needs), words)


def library_hint(word: str) -> str | None:
    """The way out where an unknown word is one that a library brings in."""
    having = _libraries_by_word().get(word)
    return having and f"the library '{having}' has this word; name it on the cover: uses: {having}"


@cache
def _libraries_by_word() -> dict[str, str]:
    return {word: name for name in reversed(names_of_libraries()) for word in shipped(name).words}


# ------------------------------------------------------------------ reading


class _Reading:
    """Finds and reads libraries, each once, and those that they use."""

    def __init__(self, rules: ast.Rules, folder: Path | None, findings: Findings) -> None:
        self.cover = rules.game
        self.beside = Path(rules.at.file).parent
        self.folder = folder
        self.findings = findings
        self.found: dict[Path, Library] = {}
        self.size = 0

    def read(self) -> tuple[Library, ...]:
        waiting: list[tuple[ast.Expr, Path | None, Path]] = self.named(self.cover, self.folder, self.beside)
        while waiting:
            value, folder, beside = waiting.pop(0)
            path = self.path(value, folder)
            if path is None or path in self.found:
                continue
            if len(self.found) == limits.IMPORTS:
                self.findings.report(codes.TOO_MANY_IMPORTS, value.at, limit=limits.IMPORTS)
                break
            library = self.library(path, str(beside / path.name), value.at)
            if library is not None:
                self.found[path] = library
                waiting += self.named(library.cover, path.parent, beside)
        return tuple(self.found.values())

    def named(self, cover: ast.Game, folder: Path | None, beside: Path) -> list[tuple[ast.Expr, Path | None, Path]]:
        """What a cover says that it uses, where files of that name lie, and how users call that folder."""
        values = (value for header in cover.headers if header.name == "uses" for value in header.values)
        return [(value, folder, beside) for value in values]

    def path(self, value: ast.Expr, folder: Path | None) -> Path | None:
        """Where a library lies; None, and a finding, if there is none."""
        if not isinstance(value, ast.Name):
            name = file_named(value, self.findings)
            if name is None:
                return None
            return file_beside(folder, name, value.at, self.findings, unknown=codes.UNKNOWN_LIBRARY, pattern="*.rules")
        known = names_of_libraries()
        if value.name in known:
            return HOME / f"{value.name}.rules"
        hint = did_you_mean(value.name, known) or f"there are {', '.join(known)}; a file is named in quotation marks"
        self.findings.report(codes.UNKNOWN_LIBRARY, value.at, file=value.name, hint=hint)
        return None

    def library(self, path: Path, name: str, at: Place) -> Library | None:
        """A library that lies there."""
        try:
            source = read_source(path, name=f"library/{path.name}" if path.parent == HOME else name)
            self.size += len(source.text.encode())
            if self.size > limits.SOURCE_BYTES:
                hint = "counted with the libraries before it"
                limit = limits.SOURCE_BYTES
                self.findings.report(codes.FILE_TOO_LARGE, at, hint=hint, file=source.name, size=self.size, limit=limit)
                return None
            self.findings.quote(source)
            rules = parse_rules(source)
        except Diagnosed as wrong:
            for diagnostic in wrong.diagnostics:
                self.findings.add(attrs.evolve(diagnostic, place=diagnostic.place or at))
            return None
        if not rules.game.library:
            _confused(source.name, rules.game, at, self.findings)
            return None
        self.judge(rules)
        return Library(at, rules.game, rules.declarations)

    def judge(self, rules: ast.Rules) -> None:
        """Whether its cover and its declarations are such as a library may have."""
        for header in rules.game.headers:
            if header.name not in HEADERS:
                hint = did_you_mean(header.name, HEADERS)
                self.findings.report(codes.UNKNOWN_SOFT_WORD, header.at, word=header.name, hint=hint)
            for value in header.values if header.name == "needs" else ():
                if not isinstance(value, ast.Name):
                    self.findings.report(codes.TYPE_MISMATCH, value.at, found="no name", wanted="a name")
        for node in rules.declarations:
            if type(node) in NAMELESS:
                self.findings.report(codes.GAMES_ONLY, node.at, what=NAMELESS[type(node)])


# ------------------------------------------------------------------ what comes in


def _used(rules: ast.Rules, libraries: tuple[Library, ...], findings: Findings) -> tuple[ast.Declaration, ...]:
    """The game's own declarations, then those that it uses of libraries, in the order in which they are read."""
    own = {name: node.at for node in rules.declarations if (name := getattr(node, "name", None)) is not None}
    offered: dict[str, list[tuple[Library, ast.Declaration]]] = {}
    for library in libraries:
        for node in library.declarations:
            name = getattr(node, "name")  # noqa: B009 - every one of these has a name
            if name not in own:
                offered.setdefault(name, []).append((library, node))
    taken: dict[ast.Declaration, Library] = {}
    missing: dict[str, Library] = {}
    waiting: list[tuple[Library | None, ast.Declaration]] = [(None, node) for node in rules.declarations]
    while waiting:
        user, node = waiting.pop()
        for word in words_in(node):
            for other, wanted in offered.get(word, ()):
                if wanted not in taken:
                    taken[wanted] = other
                    waiting.append((other, wanted))
            if user is not None and word in user.needs and word not in own and word not in offered:
                missing.setdefault(word, user)
    for word, library in sorted(missing.items(), key=lambda item: item[0]):
        near = did_you_mean(word, own)
        findings.report(
            codes.LIBRARY_NEEDS,
            library.at,
            library=library.cover.title,
            word=word,
            related=(Related(library.needs[word], "named here among what it needs"),),
            hint=near or f"declare '{word}' in the game",
        )
    return (*rules.declarations, *(node for library in libraries for node in library.declarations if node in taken))


def words_in(node: ast.Node) -> Iterator[str]:
    """Every name and word that stands in a part of the tree, and the texts; the title of a text is no harm."""
    waiting: list[object] = [node]
    while waiting:
        match waiting.pop():
            case str() as word:
                yield word
            case tuple() as parts:
                waiting.extend(parts)
            case ast.Node() as part:
                waiting.extend(getattr(part, field.name) for field in attrs.fields(type(part)))
            case _:
                pass
