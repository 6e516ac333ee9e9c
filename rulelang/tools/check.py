"""``rulelang check``: all mistakes of rules, or none. What was found sound is remembered (see `cache`)."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang import __version__
from rulelang.failures import Diagnosed
from rulelang.tools import cache
from rulelang.tools.ending import FINDINGS, OK
from rulelang.tools.loading import find
from rulelang.tools.options import cache_option, example, format_option, ruleset_argument

if TYPE_CHECKING:
    from rulelang.diagnostics.diagnostic import Diagnostic


@click.command(epilog=example("rulelang check tic-tac-toe"))
@ruleset_argument(many=True)
@format_option("text", "json", "sarif")
@cache_option()
def command(names: Sequence[str], form: str, use_cache: bool) -> int:
    """Say what is wrong with rules, or that nothing is.

    All mistakes of a file are told at once. IR JSON and play files are checked too.
    """
    results = [(name, _mistakes(name, use_cache)) for name in names]
    if form == "json":
        _print_json(results)
    elif form == "sarif":
        _print_sarif(results)
    else:
        for name, wrong in results:
            _print_text(name, wrong)
    return FINDINGS if any(wrong for _, wrong in results) else OK


def _mistakes(name: str, use_cache: bool) -> Diagnosed | None:
    try:
        path = find(name)
        if path.suffix == ".json":
            from rulelang.pipeline import read_ir

            read_ir(path)
        elif path.suffix == ".play":
            _check_plays(path)
        else:
            _check_rules(path, use_cache)
    except Diagnosed as wrong:
        return wrong
    return None


def _check_rules(path: Path, use_cache: bool) -> None:
    from rulelang.diagnostics.reading import read_source

    source = read_source(path)
    key = cache.key_of(source, path) if use_cache else None
    if key and cache.read(key) is not None:
        return
    from rulelang.pipeline import compile_source

    compiled = compile_source(source, path.stem, path.resolve().parent)
    if key:
        cache.keep(key, compiled.program)


def _check_plays(path: Path) -> None:
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, read_play_file

    check_file(read_play_file(path), Library())


def _print_text(name: str, wrong: Diagnosed | None) -> None:
    from rulelang.diagnostics.render import as_text
    from rulelang.tools.saying import show

    if wrong is None:
        show(f"ok  {name}")
    else:
        click.echo(as_text(wrong.diagnostics, wrong.sources, colour=_coloured()) + "\n")


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def _all(results: list[tuple[str, Diagnosed | None]]) -> "list[Diagnostic]":
    return [each for _, wrong in results if wrong is not None for each in wrong.diagnostics]


def _print_json(results: list[tuple[str, Diagnosed | None]]) -> None:
    from rulelang.diagnostics.render import as_json
    from rulelang.tools.saying import show_json

    data: dict[str, Any] = {"files": [{"name": name, "ok": wrong is None} for name, wrong in results]}
    show_json(data | as_json(_all(results)))


def _print_sarif(results: list[tuple[str, Diagnosed | None]]) -> None:
    from rulelang.diagnostics.render import as_sarif
    from rulelang.tools.saying import show_json

    show_json(as_sarif(_all(results), version=__version__))
