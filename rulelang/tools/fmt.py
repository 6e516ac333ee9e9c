"""``rulelang fmt``: rules files in their one canonical form."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.failures import Broken, Diagnosed
from rulelang.tools.ending import FINDINGS, OK
from rulelang.tools.loading import find
from rulelang.tools.options import example, ruleset_argument
from rulelang.tools.saying import show
from rulelang.tools.writing import write_whole

if TYPE_CHECKING:
    from rulelang.source import Source


@click.command(epilog=example("rulelang fmt --check tic-tac-toe"))
@ruleset_argument(many=True)
@click.option("--check", is_flag=True, help="Write nothing; say which files are not in canonical form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(names: Sequence[str], check: bool, diff: bool) -> int:
    """Write rules files in their one canonical form.

    A file that cannot be read as rules is left as it is. '-' reads the standard input and writes the standard output.
    """
    worst = OK
    for name in names:
        try:
            worst = max(worst, _format(name, check, diff))
        except Diagnosed as wrong:
            click.echo(str(wrong), err=True)
            worst = FINDINGS
    return worst


def _format(name: str, check: bool, diff: bool) -> int:
    from rulelang.diagnostics.diagnostic import diagnose
    from rulelang.diagnostics.reading import decode_source, read_source

    if name == "-":
        source = decode_source("standard input", sys.stdin.buffer.read())
        path = None
    else:
        path = find(name)
        if path.suffix == ".json":
            from rulelang.diagnostics.codes import FILE_UNREADABLE

            raise Diagnosed([diagnose(FILE_UNREADABLE, file=name, reason="it holds no rules text")])
        source = read_source(path)
    text = _canonical(source)
    old = _as_it_was(path) if path is not None else source.text
    if diff and text != old:
        _show_difference(source.name, old, text)
    if check or diff:
        if check and not diff and text != old:
            show(f"would be changed  {name}")
        return OK if text == old else FINDINGS
    if path is None:
        click.echo(text, nl=False)
    elif text != old:
        write_whole(path, text)
        show(f"changed  {name}")
    return OK


def _as_it_was(path: Path) -> str:
    """The text of a file with its line ends and its byte order mark: canonical form has plain ones and none."""
    return path.read_bytes().decode("utf-8")


def _canonical(source: object) -> str:
    """The text in canonical form. Raises Diagnosed if it is none, Broken if formatting would change what it says."""
    from rulelang.ast.compare import same_program
    from rulelang.ast.from_tree import parse_rules
    from rulelang.ast.unparse import format_source
    from rulelang.source import Source

    assert isinstance(source, Source)
    if source.name.endswith(".play"):
        return _canonical_plays(source)
    rules = parse_rules(source)
    text = format_source(source)
    if text != source.text and not same_program(rules, parse_rules(Source(source.name, text))):
        raise Broken(f"'{source.name}' would say something else in canonical form; nothing was written")
    return text


def _canonical_plays(source: "Source") -> str:
    """A play file in canonical form."""
    from rulelang.ast.compare import same_program
    from rulelang.ast.from_tree.plays import parse_plays
    from rulelang.ast.unparse_plays import format_plays
    from rulelang.diagnostics.diagnostic import Findings
    from rulelang.grammar.inline import split
    from rulelang.source import Source

    text = format_plays(source)
    old, new = (split(each, Findings())[0] for each in (source, Source(source.name, text)))
    if text != source.text and not same_program(parse_plays(old), parse_plays(new)):
        raise Broken(f"'{source.name}' would say something else in canonical form; nothing was written")
    return text


def _show_difference(name: str, old: str, new: str) -> None:
    import difflib

    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"{name} (now)", f"{name} (canonical)"
    )
    for line in lines:
        show(line.rstrip("\r\n"))
