"""``rulelang conformance``: engines in any language, judged by the scenarios of rulesets. docs/guide/conformance.md"""

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rulelang.failures import Diagnosed
from rulelang.tools.ending import FINDINGS, OK, Misused
from rulelang.tools.options import Measure, engine_option, example, format_option, ruleset_argument

if TYPE_CHECKING:
    from rulelang.scenarios.results import Result

EXAMPLE = example('rulelang conformance run --impl "rulelang conformance answer" tic-tac-toe')


@click.group(epilog=EXAMPLE)
def command() -> None:
    """Judge an engine of your own, in any language, by the scenarios of rulesets.

    The engine is a command. It is asked in lines of JSON on its standard input and answers in lines of JSON on its
    standard output; docs/guide/conformance.md says which.
    """


@command.command(epilog=EXAMPLE)
@ruleset_argument(many=True, required=False)
@click.option("--impl", required=True, metavar="COMMAND", help="The engine: a command that speaks the protocol.")
@click.option(
    "--timeout", type=Measure(0.01, 3600), default=10.0, show_default=True, help="Seconds an answer may take."
)
@click.option("--only", metavar="TEXT", help="Judge only by scenarios whose title holds this text.")
@format_option("text", "json")
@click.option("-v", "--verbose", is_flag=True, help="List every scenario, not only those that did not pass.")
def run(names: Sequence[str], impl: str, timeout: float, only: str | None, form: str, verbose: bool) -> int:
    """Judge an engine by the scenarios of rulesets, folders or play files; by all of them without a name.

    Scenarios about games that the engine does not know are skipped, and so are those that begin from a position, if it
    cannot start from one. If nothing is left, it has failed.
    """
    from rulelang.scenarios.report import summary_line
    from rulelang.tools.saying import show
    from rulelang.tools.test import print_results

    try:
        words = shlex.split(impl)
    except ValueError as error:
        raise Misused(f"'--impl' is not a command: {error}.") from None
    if not words:
        raise Misused("'--impl' is a command, such as \"python3 engine.py\".")
    results, wrong, fault = _judged(words, timeout, names, only)
    print_results(results, wrong, form, verbose)
    judged = [result for result in results if result.status != "skipped"]
    if not judged and form == "text":
        show(f"nothing was judged ({summary_line(results)})", err=True)
    if fault:
        show(f"at the end: {fault}", err=True)
    sound = judged and not wrong and not fault and all(result.status == "passed" for result in judged)
    return OK if sound else FINDINGS


def _judged(
    words: list[str], timeout: float, names: Sequence[str], only: str | None
) -> "tuple[list[Result], list[tuple[str, Diagnosed]], str]":
    """Results, files with mistakes, and what was wrong when the engine was stopped."""
    from rulelang.rulesets import all_rulesets
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, play_files, read_play_file
    from rulelang.scenarios.foreign import Foreign, ForeignFault
    from rulelang.scenarios.judging import judge
    from rulelang.tools.loading import engine_named
    from rulelang.tools.test import short

    foreign, reference, library = Foreign(words, timeout), engine_named("reference"), Library()
    results: list[Result] = []
    wrong: list[tuple[str, Diagnosed]] = []
    fault = ""
    try:
        for path in play_files(names or [name for name, _ in all_rulesets()]):
            try:
                checked = check_file(read_play_file(short(path)), library)
            except Diagnosed as found:
                wrong.append((str(short(path)), found))
                continue
            chosen = [each for each in checked if only is None or only.casefold() in each.scenario.title.casefold()]
            results += [judge(each, reference, foreign) for each in chosen]
        foreign.stop()
    except ForeignFault as trouble:
        fault = str(trouble)
    finally:
        foreign.end()
    return results, wrong, fault


@command.command(epilog=example('echo \'{"id": 1, "do": "stop"}\' | rulelang conformance answer'))
@engine_option()
def answer(engine: str) -> int:
    """Answer the questions of 'run' with one of rulelang's own interpreters, until 'stop'."""
    from rulelang.scenarios.answering import answers
    from rulelang.tools.loading import engine_named

    for line in answers(sys.stdin, engine_named(engine)):
        print(line, flush=True)
    return OK
