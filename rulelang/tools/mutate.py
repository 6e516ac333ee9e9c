"""``rulelang mutate``: do scenarios notice when the rules are wrong?

What is changed, and what is found, depends on the rules, the scenarios, the seed and the numbers given, and on nothing
else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK, Misused
from rulelang.tools.options import (
    Measure,
    engine_option,
    example,
    format_option,
    new_seed,
    ruleset_argument,
    save_option,
    seed_option,
)
from rulelang.tools.progress import Progress
from rulelang.tools.saying import decimal, many, show, show_json

if TYPE_CHECKING:
    from rulelang.play.record import Record
    from rulelang.rulebook.mutating.survey import Judged, Survey
    from rulelang.tools.writing import Saving

ALL: Final = 400
"""Changes up to which all are tried if nobody says how many; of more, so many are drawn."""

UNCOUNTED: Final = 2**53
"""So many configurations are said to be there, if there are more: not every reader of JSON knows larger numbers."""


@attrs.define
class Findings:
    """What was found so far."""

    survey: "Survey"
    asked: int
    """How many changes there are to judge."""
    seed: int
    judged: list["Judged"] = attrs.field(factory=list)
    stopped: bool = False

    def of(self, verdict: str) -> list["Judged"]:
        """The changes with one verdict."""
        return [each for each in self.judged if each.verdict == verdict]

    @property
    def percent(self) -> float:
        """How many are noticed, of those that are not shown to be equivalent."""
        noticed, missed = len(self.of("noticed")), len(self.of("not_noticed"))
        return 100 * noticed / (noticed + missed) if noticed + missed else 100.0


@click.command(epilog=example("rulelang mutate tic-tac-toe", "rulelang mutate goofspiel --count 10 --seed 1"))
@ruleset_argument()
@click.option(
    "--count", type=click.IntRange(1), metavar="N", help="Changes to draw. Default: all, of more than 400 that many."
)
@click.option("--only", metavar="TEXT", help="Only changes in what holds this text, such as 'move bid'.")
@click.option(
    "--least",
    type=Measure(0, 100),
    default=90,
    show_default=True,
    metavar="PERCENT",
    help="Exit code 1 if fewer are noticed.",
)
@click.option(
    "--states",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Where nobody notices: states to look at for a difference.",
)
@save_option()
@seed_option()
@click.option("-v", "--verbose", is_flag=True, help="List every change, not only those that nothing notices.")
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@engine_option()
@format_option("text", "json")
def command(name: str, count: int | None, only: str | None, least: float, seed: int | None, **rest: Any) -> int:
    """Change the rules, one thing at a time, and say which changes no scenario notices.

    A requirement is left out, a comparison shifted, a direction turned round, an effect passed over. The scenarios
    beside the rules are run on each, and what the rules promise is looked at. Of a change that nothing notices either
    it is shown that it changes nothing, or a game is looked for that goes differently. The exit code is 1 if fewer
    than --least percent are noticed. Ctrl-C shows what was found so far.
    """
    from rulelang.tools.writing import Saving, made_folder

    saving = None if rest["save"] is None else Saving(made_folder(Path(rest["save"])))
    survey = _survey(name, rest["engine"], rest["states"], 1 if seed is None else seed)
    if only is not None:
        survey.changes = tuple(change for change in survey.changes if only in change.inside)
        if not survey.changes:
            raise Misused(f"Nothing whose name holds '{only}' can be changed: see --verbose without --only.")
    chosen = survey.sample(count if count is not None else ALL)
    if len(chosen) < len(survey.changes) and seed is None:
        survey.seed = new_seed(None)
        chosen = survey.sample(count if count is not None else ALL)
    found = Findings(survey, len(chosen), survey.seed)
    with Progress(rest["progress"], "changes", len(chosen)) as line:
        try:
            for number, change in enumerate(chosen, 1):
                found.judged.append(survey.judge(change))
                line.at(number)
        except KeyboardInterrupt:
            found.stopped = True
    kept = {} if saving is None else _keep(found, saving)
    if rest["form"] == "json":
        show_json(as_json(found, kept))
    else:
        for said in _lines(found, kept, rest["verbose"]):
            show(said)
    if saving is not None:
        saving.check()
    if found.stopped:
        return INTERRUPTED
    return OK if found.percent >= least and not survey.noticing.failing else FINDINGS


def _survey(name: str, engine: str, states: int, seed: int) -> "Survey":
    from rulelang.pipeline import compile_file
    from rulelang.rulebook.mutating.survey import Survey
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, play_files, read_play_file
    from rulelang.tools.loading import engine_named, find
    from rulelang.tools.test import short

    path = find(name)
    if path.suffix == ".json":
        raise Misused("Give a ruleset: its scenarios lie beside its rules.")
    program, library = compile_file(path).program, Library()
    files = play_files([str(path.parent)]) if (path.parent / "plays").is_dir() else ()
    scenarios = [each for file in files for each in check_file(read_play_file(short(file)), library)]
    own = [each for each in scenarios if each.compiled.program == program]
    if not own:
        raise Misused(f"There are no scenarios of '{program.name}' in plays/ beside its rules: nothing could notice.")
    return Survey(program, own, engine_named(engine), engine_named("native"), states=states, seed=seed)


# ------------------------------------------------------------------ what is kept


def _keep(found: Findings, saving: "Saving") -> dict[int, dict[str, str]]:
    """Keep a record and a scenario of each change that nothing notices; the files by its number."""
    from functools import partial

    from rulelang.tools.writing import Texts, again

    for each in found.of("not_noticed"):
        texts: Texts = {
            ".record.jsonl": partial(_record_text, found, each),
            ".play": partial(_scenario_text, found, each),
        }
        if each.witness is not None:
            saving.files[each.change.number] = saving.keep(again(f"change-{each.change.number}"), texts)
    return saving.files


def _record_text(found: Findings, judged: "Judged", _: Path) -> str | None:
    from rulelang.tools.writing import record_text

    record, witness = _record(found, judged), judged.witness
    if record is None or witness is None or witness.closed is None:
        return None
    return record_text(witness.closed, record)


def _scenario_text(found: Findings, judged: "Judged", _: Path) -> str:
    return "\n".join(scenario(found.survey, judged)) + "\n"


def scenario(survey: "Survey", judged: "Judged") -> list[str]:
    """The lines of a scenario that notices a change; none if no difference was found."""
    from rulelang.rulebook.mutating.telling import SUBJECTS, scenario_lines

    witness = judged.witness
    if witness is None:
        return []
    change = judged.change
    seats, options = witness.configured
    game = None if witness.closed is None else survey.game(survey.program, witness.configured)
    said = f"# {change.inside}, line {change.at.line}: {change.said}. Then {SUBJECTS[witness.apart.subject]}."
    title = f"Change {change.number}: {change.inside}"
    other = None if witness.apart.tried is None else survey.game(change.of(survey.program), witness.configured)
    return [said, *scenario_lines(game, witness.apart, title, survey.program.name, seats, options, other)]


def _record(found: Findings, judged: "Judged") -> "Record | None":
    from rulelang.play.record import Record, header_of

    witness = judged.witness
    if witness is None or witness.closed is None:
        return None
    return Record(header_of(witness.closed, found.seed, 0, found.survey.quick.name), witness.apart.events)


# ------------------------------------------------------------------ results


def as_json(found: Findings, kept: dict[int, dict[str, str]]) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        "ruleset": found.survey.program.name,
        "seed": found.seed,
        "changes": len(found.survey.changes),
        "asked": found.asked,
        "judged": len(found.judged),
        "noticed": len(found.of("noticed")),
        "not_noticed": len(found.of("not_noticed")),
        "equivalent": len(found.of("equivalent")),
        "no_rules": len(found.of("no_rules")),
        "percent": round(found.percent, 1),
        "failing": list(found.survey.noticing.failing),
        "verdicts": [_judged_json(found, each, kept) for each in found.judged],
    }


def _judged_json(found: Findings, each: "Judged", kept: dict[int, dict[str, str]]) -> dict[str, Any]:
    from rulelang.play.record import event_json, header_json

    change, witness, record = each.change, each.witness, _record(found, each)
    difference = None
    if witness is not None:
        seats, options = witness.configured
        difference = {
            "subject": witness.apart.subject,
            "seats": seats,
            "options": dict(options),
            "record": None
            if record is None or witness.closed is None
            else [header_json(record.header), *(event_json(witness.closed, event) for event in record.events)],
            "scenario": scenario(found.survey, each),
        }
    return {
        "number": change.number,
        "sort": change.sort,
        "inside": change.inside,
        "file": change.at.file,
        "line": change.at.line,
        "said": change.said,
        "verdict": each.verdict,
        "by": each.by,
        "states": each.states,
        "configurations": None
        if each.verdict in ("noticed", "no_rules")
        else {"looked_at": min(each.looked, UNCOUNTED), "all": min(found.survey.everywhere.count(), UNCOUNTED)},
        "difference": difference,
        "saved": kept.get(change.number, {}).get(".play"),
    }


def _lines(found: Findings, kept: dict[int, dict[str, str]], verbose: bool) -> Iterator[str]:
    from rulelang.rulebook.mutating.telling import SUBJECTS

    survey = found.survey
    yield from (f"does not pass as it is, and is left out: '{title}'" for title in survey.noticing.failing)
    for each in found.judged:
        change = each.change
        if not verbose and each.verdict != "not_noticed":
            continue
        yield f"{change.at.file}:{change.at.line}  {change.inside}: {change.said}"
        if each.verdict == "noticed":
            yield f"    noticed by '{each.by}'"
        elif each.verdict == "equivalent":
            yield f"    changes nothing: {each.by}"
        elif each.verdict == "no_rules":
            yield "    no rules could say that"
        elif each.witness is None:
            yield f"    not noticed{_nothing_found(survey, each)}"
        else:
            yield f"    not noticed: {SUBJECTS[each.witness.apart.subject]}"
            if kept.get(change.number):
                yield f"    kept in {' and '.join(kept[change.number].values())}"
            else:
                yield from (f"    {line}" for line in scenario(survey, each)[1:])
    yield from _summary(found)


def _nothing_found(survey: "Survey", judged: "Judged") -> str:
    """What can be said of a change that nobody noticed, and in which no difference was found."""
    count = survey.everywhere.count()
    of = many(count, "configuration") if count < UNCOUNTED else f"more than {UNCOUNTED} configurations"
    said = "" if judged.looked == count else f"the {judged.looked} of {of} that were looked at"
    if judged.states:
        return f"; no difference found in {many(judged.states, 'state')}{said and f', in {said}'}"
    return f": the same in {said or 'every configuration, as far as it was looked at'}"


def _summary(found: Findings) -> Iterator[str]:
    from fractions import Fraction

    noticed, missed = len(found.of("noticed")), len(found.of("not_noticed"))
    counted = noticed + missed
    percent = decimal(Fraction(100 * noticed, counted), 1) if counted else "100.0"
    drawn = "" if found.asked == len(found.survey.changes) else f" of {len(found.survey.changes)}, seed {found.seed}"
    of = "" if len(found.judged) == found.asked else f" ({len(found.judged)} of them judged)"
    yield f"{found.survey.program.name}: {many(found.asked, 'change')}{drawn}{of}"
    yield (
        f"{noticed} noticed, {missed} not noticed, {len(found.of('equivalent'))} shown to change nothing, "
        f"{len(found.of('no_rules'))} that no rules could say: {percent} % noticed"
    )
