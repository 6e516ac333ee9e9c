"""``rulelang test``: the scenarios of rulesets and play files, run as tests. Spec 15.4."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.failures import Diagnosed
from rulelang.tools.ending import FINDINGS, OK, Misused
from rulelang.tools.options import engine_option, example, format_option, ruleset_argument

if TYPE_CHECKING:
    from rulelang.play.engine import Engine
    from rulelang.scenarios.coverage import Coverage, CoverageWatcher
    from rulelang.scenarios.files import Library
    from rulelang.scenarios.results import Result


@click.command(epilog=example("rulelang test tic-tac-toe", "rulelang test kuhn-poker pig --format json"))
@ruleset_argument(many=True, required=False)
@format_option("text", "json")
@engine_option()
@click.option("--only", metavar="TEXT", help="Run only scenarios whose title holds this text.")
@click.option("--cov", is_flag=True, help="Also list the parts of the rules that no scenario used.")
@click.option("-v", "--verbose", is_flag=True, help="List every scenario, not only those that did not pass.")
def command(names: Sequence[str], form: str, engine: str, only: str | None, cov: bool, verbose: bool) -> int:
    """Run scenarios: examples of play with what must come of them.

    A ruleset's are the files plays/*.play beside its rules; a folder's are all play files in it. Without a name those
    of all known rulesets are run. With --cov, every gap needs its reason in coverage.toml beside the rules.
    """
    from rulelang.rulesets import all_rulesets
    from rulelang.scenarios.files import Library, play_files
    from rulelang.tools.loading import engine_named

    interpreter, library = engine_named(engine), Library()
    watcher = None
    if cov:
        interpreter, watcher = _watched(interpreter)
    results: list[Result] = []
    wrong: list[tuple[str, Diagnosed]] = []
    for path in play_files(names or [name for name, _ in all_rulesets()]):
        try:
            results += _run(short(path), library, interpreter, only)
        except Diagnosed as found:
            wrong.append((str(short(path)), found))
    covered = None if watcher is None else list(watcher.results())
    print_results(results, wrong, form, verbose, covered)
    good = not wrong and all(result.status in ("passed", "skipped") for result in results)
    return OK if good and all(each.good for each in covered or ()) else FINDINGS


def _watched(engine: "Engine") -> "tuple[Engine, CoverageWatcher]":
    """The interpreter while somebody watches what it uses."""
    from rulelang.play.watching import Watchable
    from rulelang.scenarios.coverage import CoverageWatcher

    if not isinstance(engine, Watchable):
        raise Misused(f"'--cov' needs an interpreter that can be watched, such as reference; {engine.name} cannot.")
    watcher = CoverageWatcher()
    return engine.watched_by(watcher), watcher


def _run(path: Path, library: "Library", engine: "Engine", only: str | None) -> "list[Result]":
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import read_play_file
    from rulelang.scenarios.run import run_scenario

    checked = check_file(read_play_file(path), library)
    return [
        run_scenario(each, engine)
        for each in checked
        if only is None or only.casefold() in each.scenario.title.casefold()
    ]


def print_results(
    results: "list[Result]",
    wrong: list[tuple[str, Diagnosed]],
    form: str,
    verbose: bool,
    covered: "list[Coverage] | None" = None,
) -> None:
    """Print what became of scenarios, the files that could not be read, and what was not used."""
    if form == "json":
        _print_json(results, wrong, covered)
        return
    _print_text(results, wrong, verbose)
    if covered is not None:
        from rulelang.scenarios.coverage import coverage_lines
        from rulelang.tools.saying import show

        for each in covered:
            show("\n".join(coverage_lines(each)))


def short(path: Path) -> Path:
    """A path as short as it can be said from here."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def _print_text(results: "list[Result]", wrong: list[tuple[str, Diagnosed]], verbose: bool) -> None:
    from rulelang.diagnostics.reading import read_source
    from rulelang.scenarios.report import result_lines, summary_line
    from rulelang.tools.saying import show

    for _, found in wrong:
        show(f"{found}\n")
    for result in results:
        if verbose or result.status != "passed":
            quoted = read_source(result.file).text.split("\n") if result.complaints else []
            show("\n".join(result_lines(result, quoted)))
    summary = summary_line(results)
    show(f"{summary}, {len(wrong)} file{'s' if len(wrong) != 1 else ''} with mistakes" if wrong else summary)


def _print_json(results: "list[Result]", wrong: list[tuple[str, Diagnosed]], covered: "list[Coverage] | None") -> None:
    from rulelang.diagnostics.render import as_json
    from rulelang.scenarios.coverage import coverage_json
    from rulelang.scenarios.report import result_json
    from rulelang.tools.saying import show_json

    diagnostics = as_json([each for _, found in wrong for each in found.diagnostics])["diagnostics"]
    files = [name for name, _ in wrong]
    data = {"scenarios": [result_json(each) for each in results], "unread": files, "diagnostics": diagnostics}
    show_json(data if covered is None else data | {"coverage": [coverage_json(each) for each in covered]})
