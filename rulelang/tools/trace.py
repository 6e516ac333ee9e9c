"""``rulelang trace``: from every clause of the rulebook to the rules, and on to what checks them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from rulelang.tools.ending import FINDINGS, OK, Misused
from rulelang.tools.options import engine_option, example, format_option, ruleset_argument
from rulelang.tools.saying import many, show, show_json, table

if TYPE_CHECKING:
    from rulelang.rulebook.trace import Trace, Traced


@click.command(epilog=example("rulelang trace 13-animals --no-mutation"))
@ruleset_argument()
@click.option("--mutation/--no-mutation", default=True, help="Whether to take rules out and see if a scenario fails.")
@click.option("-v", "--verbose", is_flag=True, help="List every clause, not only those that lack something.")
@engine_option()
@format_option("text", "json")
def command(name: str, mutation: bool, verbose: bool, engine: str, form: str) -> int:
    """Trace every clause of a rulebook to rules and scenarios.

    clauses.toml and rulings.toml beside the rules list the clauses. The rules name them with @, and scenarios name
    those that they check. A scenario must fail when the rule is taken out. trace.toml says why a clause needs none.
    """
    found = _trace(name, engine, mutation)
    if form == "json":
        show_json(_json(found))
    else:
        for line in _lines(found, verbose):
            show(line)
    return OK if found.good else FINDINGS


def _trace(name: str, engine: str, mutation: bool) -> "Trace":
    from rulelang.pipeline import compile_file
    from rulelang.rulebook.trace import trace
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, play_files, read_play_file
    from rulelang.tools.loading import engine_named, find
    from rulelang.tools.test import short

    path = find(name)
    if path.suffix != ".rules":
        raise Misused("Give a ruleset: its rules name the clauses.")
    compiled, library = compile_file(path), Library()
    scenarios = [
        each
        for file in (play_files([str(path.parent)]) if (path.parent / "plays").is_dir() else ())
        for each in check_file(read_play_file(short(file)), library)
    ]
    return trace(compiled, path.parent, scenarios, engine_named(engine), mutation=mutation)


def _lines(found: "Trace", verbose: bool) -> Iterator[str]:
    from rulelang.rulebook.trace import GOOD

    for each in found.clauses:
        if verbose or each.status not in GOOD:
            yield f"{each.clause.id}: {each.status.replace('_', ' ')}{': ' + each.reason if each.reason else ''}"
            if verbose:
                yield from (f"    {cited.file}:{cited.line}  {cited.what}" for cited in each.rules)
                yield from (f"    {result.file}:{result.line}  {result.id}" for result in each.scenarios)
                yield from (f"    {test}" for test in each.tests)
                if each.proof:
                    yield f"    proof: {each.proof}"
    yield from (f"unknown clause: {said}" for said in found.unknown)
    yield from (f"no longer true: {said}" for said in found.stale)
    yield from table([[str(n), status.replace("_", " ")] for status, n in _counts(found).items()])
    yield f"{many(len(found.clauses), 'clause')}, {many(found.tried, 'run')} on changed rules"


def _counts(found: "Trace") -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in found.clauses:
        counts[each.status] = counts.get(each.status, 0) + 1
    return counts


def _json(found: "Trace") -> dict[str, Any]:
    return {
        "clauses": [_clause_json(each) for each in found.clauses],
        "unknown": list(found.unknown),
        "stale": list(found.stale),
        "counts": _counts(found),
        "mutants": found.tried,
    }


def _clause_json(each: "Traced") -> dict[str, Any]:
    return {
        "id": each.clause.id,
        "kind": each.clause.kind,
        "status": each.status,
        "rules": [f"{cited.file}:{cited.line}" for cited in each.rules],
        "scenarios": [result.id for result in each.scenarios],
        "tests": list(each.tests),
        "proof": each.proof,
        "reason": each.reason,
    }
