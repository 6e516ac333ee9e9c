"""Where the rules name a clause: every line of a checked tree with a citation."""

from collections.abc import Iterator

import attrs

from rulelang.ast import nodes as ast

WORDS = {
    "Game": "the cover",
    "Values": "values",
    "Let": "let",
    "Becomes": "a marker is written",
    "Rises": "a marker rises",
    "Falls": "a marker falls",
    "Put": "pieces are put",
    "Choose": "a choice",
    "Leave": "a rule is left",
    "Finish": "the end",
    "EachLoop": "for each",
    "Branch": "a case",
    "Case": "a case",
    "Require": "require",
    "RequireNamed": "require",
}


@attrs.frozen(eq=False)
class Cited:
    """One line of the rules that names a clause."""

    clause: str
    file: str
    line: int
    """Of the citation, or of what carries it."""
    what: str
    node: ast.Node
    """What carries the citation."""
    owner: ast.Node
    """The declaration that it stands in."""


def citations(rules: ast.Rules) -> Iterator[Cited]:
    """Every citation in the order of the text."""
    yield from _within(rules.game, rules.game)
    for declaration in rules.declarations:
        yield from _within(declaration, declaration)


def _within(node: ast.Node, owner: ast.Node) -> Iterator[Cited]:
    for citation in getattr(node, "citations", ()):
        yield Cited(citation.clause, node.at.file, node.at.line, _what(node), node, owner)
    for child in _children(node):
        yield from _within(child, owner)


def _children(node: ast.Node) -> Iterator[ast.Node]:
    for field in attrs.fields(type(node)):
        yield from _nodes_in(getattr(node, field.name))


def _nodes_in(value: object) -> Iterator[ast.Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)
    elif isinstance(value, ast.Node) and not isinstance(value, ast.Citation):
        yield value


def _what(node: ast.Node) -> str:
    word = WORDS.get(type(node).__name__, type(node).__name__.lower())
    name = getattr(node, "name", None)
    return f"{word} {name}" if isinstance(name, str) else word
