"""``rulelang verify``: go through every position of a game and say what is wrong with its rules.

What is printed depends on the rules, the options and what is asked for, and on nothing else.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK, Misused
from rulelang.tools.loading import configure, engine_named, find, open_program
from rulelang.tools.options import (
    MOST_GAMES,
    cache_option,
    example,
    format_option,
    new_seed,
    option_option,
    ruleset_argument,
    save_option,
    seed_option,
)
from rulelang.tools.progress import Progress
from rulelang.tools.saying import show, show_json, table
from rulelang.tools.stopping import Stopping

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.rulebook.verify.found import Finding, Place
    from rulelang.rulebook.verify.report import Report, Task
    from rulelang.rulebook.verify.unused import Unused
    from rulelang.tools.writing import Saving

MOST_STATES: Final = 100_000_000
STATES: Final = 100_000
"""Positions at most, if nothing else is said."""
SHOWN_EVENTS: Final = 24
"""Events of a record that are shown; of a longer one the last."""
SHOWN_UNSEEN: Final = 10
"""Parts that were not seen and that are listed without ``-v``."""


@attrs.define
class Kept:
    """What was written."""

    files: dict[int, dict[str, str]]
    """Of each finding by its number, by the endings of files."""
    rules: str | None = None
    """The compiled rules that the records of a profile are of."""
    without: dict[int, str] = attrs.field(factory=dict)
    """Why there is no scenario of a finding."""


@click.command(
    epilog=example(
        "rulelang verify tic-tac-toe",
        "rulelang verify leduc-poker --depth 4",
        "rulelang verify spades --games 20 --seed 7",
        "rulelang verify 13-animals --profile small --states 2000",
    )
)
@ruleset_argument()
@click.option("--depth", type=click.IntRange(0, 100_000), metavar="N", help="Go no further than so many events.")
@click.option(
    "--states",
    type=click.IntRange(1, MOST_STATES),
    show_default=f"{STATES}",
    metavar="N",
    help="Look at so many positions at most, the nearest ones first.",
)
@click.option("--games", type=click.IntRange(1, MOST_GAMES), metavar="N", help="Play so many random games instead.")
@seed_option()
@click.option("--seats", type=click.IntRange(1, 16), metavar="N", help="Number of seats. Default: the fewest.")
@option_option()
@click.option(
    "--profile", metavar="WORD", help="Read components.WORD.toml for components.toml, a smaller box for the same rules."
)
@click.option(
    "--attempts",
    type=click.IntRange(0, 1_000_000),
    default=24,
    show_default=True,
    metavar="N",
    help="Try all numbered answers of a seat if there are no more than N, else some of them.",
)
@save_option()
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@click.option("-v", "--verbose", is_flag=True, help="List everything that was not seen, and what is allowed.")
@click.option("--engine", default="native", show_default=True, metavar="NAME", help="The interpreter that plays.")
@format_option("text", "json")
@cache_option()
def command(name: str, games: int | None, seed: int | None, options: dict[str, str], **rest: Any) -> int:
    """Go through the positions of a game and say what is wrong with its rules.

    All positions are gone through, the nearest first: every answer, every outcome of chance. Told are dead ends,
    promises ('always') that do not hold, events that are given up, positions from which no end can be reached, lists
    of moves that do not agree with what is accepted, and what in the rules is never used, each with a shortest record.
    'Never' is only said if everything was seen. With --games random games are played where that is too much. What may
    stay unused stands with its reason in verify.toml beside the rules. The exit code is 1 if anything is wrong. Ctrl-C
    shows what was found so far.
    """
    from rulelang.rulebook.verify.report import Task, verify
    from rulelang.rulebook.verify.unused import allowed as allowed_beside
    from rulelang.tools.writing import Saving, made_folder

    if games is None and seed is not None:
        raise Misused("'--seed' is for random games; it needs '--games'.")
    if games is not None and rest["states"] is not None:
        raise Misused("'--states' is for going through all positions; random games ('--games') know only '--depth'.")
    path = find(name)
    program = open_program(path, use_cache=rest["use_cache"], profile=rest["profile"])
    seats = program.fewest_seats if rest["seats"] is None else rest["seats"]
    configure(program, rest["engine"], seats, options)  # says what would be allowed
    saving = None if rest["save"] is None else Saving(made_folder(Path(rest["save"])))
    drawn = 0 if games is None else new_seed(seed)
    task = Task(seats, options, rest["attempts"], rest["depth"], rest["states"] or STATES, games, drawn)
    allowed = allowed_beside(path.parent) if path.suffix == ".rules" else {}
    unit, total = ("positions", task.states) if games is None else ("games", games)
    with Stopping() as stopping:
        with Progress(rest["progress"], unit, total) as line:

            def progress(count: int, events: int) -> None:
                line.at(count, f"{events} events")
                stopping.look()

            report = verify(program, engine_named(rest["engine"]), task, allowed, progress)
        kept = Kept({}) if saving is None else _save(saving, report, program, rest)
        if rest["form"] == "json":
            show_json(as_json(report, rest["engine"], rest["profile"], kept))
        else:
            for text in _lines(report, rest["profile"], rest["verbose"], kept):
                show(text)
            for text in _replaying(name, kept):
                show(text)
    if saving is not None:
        saving.check()
    return INTERRUPTED if report.stopped else FINDINGS if report.mistakes else OK


# ------------------------------------------------------------------ files


def _save(saving: "Saving", report: "Report", program: "Program", asked: dict[str, Any]) -> Kept:
    """Keep a record of each finding, and a scenario where one can be made; the compiled rules that records of a profile
    are of.
    """
    from functools import partial

    from rulelang.ir.codec import dumps
    from rulelang.rulebook.verify.saving import NoScenario, file_name, record_of, scenario_of
    from rulelang.tools.writing import Texts, again, numbered, record_text

    kept = Kept(saving.files)

    def record(finding: "Finding", _: Path) -> str:
        return record_text(report.game.program, record_of(report, finding, asked["engine"]))

    def scenario(number: int, finding: "Finding", file: Path) -> str | None:
        try:
            if asked["profile"]:
                raise NoScenario("it would be of the game with all its data, and not of the profile")
            return scenario_of(report, finding, program, file, engine_named("reference"))
        except NoScenario as why:
            kept.without[number] = str(why)
            return None

    if asked["profile"] and report.findings:
        name = f"{program.name}.{asked['profile']}"
        kept.rules = saving.keep(again(name), {".ir.json": lambda _: dumps(program)}).get(".ir.json")
    for number, finding in enumerate(report.findings, 1):
        texts: Texts = {".record.jsonl": partial(record, finding), ".play": partial(scenario, number, finding)}
        saving.files[number] = saving.keep(numbered(number, file_name(finding), 2), texts)
    return kept


def _replaying(name: str, kept: Kept) -> Iterator[str]:
    """How to look at the first record."""
    import shlex

    from rulelang.rulesets import all_rulesets

    if ".record.jsonl" not in kept.files.get(1, {}):
        return
    rules: list[str] = []
    if kept.rules is not None:
        rules = ["--rules", kept.rules]
    elif name not in dict(all_rulesets()):
        rules = ["--rules", name]
    yield ""
    yield f"To see it: {shlex.join(['rulelang', 'replay', kept.files[1]['.record.jsonl'], *rules])}"


# ------------------------------------------------------------------ for programs


def as_json(report: "Report", engine: str, profile: str | None, kept: Kept) -> dict[str, Any]:
    """All of it, for programs; seats as at the table."""
    from rulelang.play.record import event_json, header_json
    from rulelang.rulebook.verify.saving import record_of

    task, counts, program = report.task, report.counts, report.game.program
    header = record_of(report, report.findings[0], engine).header if report.findings else None
    return {
        "ruleset": program.name,
        "profile": profile,
        "engine": engine,
        "seats": task.seats,
        "options": dict(task.options),
        "mode": "positions" if task.games is None else "games",
        "seed": None if task.games is None else task.seed,
        "asked": {"depth": task.depth, "states": task.states, "games": task.games, "attempts": task.attempts},
        "whole": report.whole,
        "interrupted": report.stopped,
        "seen": {
            "positions": counts.positions,
            "ended": counts.ended,
            "events": counts.events,
            "longest": counts.deepest,
            "games": counts.games,
            "cut": counts.cut,
            "attempts": report.attempts,
            "all_attempts": report.all_tried,
        },
        "left_out": list(report.left_out),
        "findings": [
            {
                "kind": finding.kind,
                "said": finding.said,
                **_place_json(finding.place),
                "positions": finding.positions,
                "events": len(finding.events),
                "tried": None if finding.tried is None else event_json(program, finding.tried),
                "record": [
                    *([] if header is None else [header_json(header)]),
                    *(event_json(program, event) for event in record_of(report, finding, engine).events),
                ],
                "saved": kept.files.get(number, {}).get(".record.jsonl"),
                "scenario": kept.files.get(number, {}).get(".play"),
                "no_scenario": kept.without.get(number),
                "code": finding.code,
                "other": None if finding.other is None else _place_json(finding.other),
                "id": finding.id,
                "reason": finding.reason,
            }
            for number, finding in enumerate(report.findings, 1)
        ],
        "unused": [
            {
                "id": part.id,
                "said": _said(report, part),
                **_place_json(part.place),
                "proved": report.never(part),
                "reason": part.reason,
            }
            for part in report.unused
        ],
    }


def _place_json(place: "Place | None") -> dict[str, Any]:
    return {"file": None if place is None else place.file, "line": None if place is None else place.line}


# ------------------------------------------------------------------ for people


def _lines(report: "Report", profile: str | None, verbose: bool, kept: Kept) -> Iterator[str]:
    program, counts = report.game.program, report.counts
    with_profile = f", profile '{profile}'" if profile else ""
    yield f"{program.title}: {_extent(report)} ({_many(report.task.seats, 'seat')}{with_profile})"
    yield ""
    yield from table(list(_rows(report)), numbers_from=1)
    if report.left_out:
        from rulelang.rulebook.verify.report import NOT_EXPLORED

        yield ""
        yield from (f"Left out: {NOT_EXPLORED[each]}." for each in report.left_out)
    for number, finding in enumerate(report.findings, 1):
        if not finding.reason or verbose or kept.files:
            yield ""
            yield from _finding(report, number, finding, kept)
    if any(finding.kind == "order" and not finding.reason for finding in report.findings):
        yield ""
        yield from HOW_TO_SAY_IT
    yield from _unused(report, verbose)
    if not report.mistakes and counts.positions:
        yield ""
        yield from _nothing_wrong(report)


def _extent(report: "Report") -> str:
    counts, task = report.counts, report.task
    if task.games is not None:
        of = "" if counts.games == task.games else f" of {task.games}"
        return f"{counts.games}{of} random game{'' if task.games == 1 else 's'}, seed {task.seed}"
    if report.whole:
        return f"all positions seen, {counts.positions}"
    return f"{_many(counts.positions, 'position')} seen, not all"


def _rows(report: "Report") -> Iterator[list[str]]:
    counts = report.counts
    yield ["positions", str(counts.positions)]
    yield ["positions in which the game is over", str(counts.ended)]
    if counts.cut:
        yield ["games broken off" if report.task.games else "positions not gone on with", str(counts.cut)]
    yield ["events", str(counts.events)]
    yield ["events on the longest way", str(counts.deepest)]
    yield ["answers listed or attempted", str(report.attempts)]


HOW_TO_SAY_IT: Final = (
    "Where an order is meant, say so: with 'otherwise if' for the second line, or with a reason in verify.toml beside",
    "the rules, in a table [order], under the name in square brackets.",
)


def _finding(report: "Report", number: int, finding: "Finding", kept: Kept) -> Iterator[str]:
    from rulelang.rulebook.verify.found import KINDS
    from rulelang.rulebook.verify.looking import said_event
    from rulelang.rulebook.verify.saving import event_lines

    events = event_lines(report, finding)
    place = "" if finding.place is None else f" ({finding.place.file}:{finding.place.line}{_and_other(finding)})"
    after = f"after {_many(len(events), 'event')}" if events else "at the start"
    yield f"{number}. {KINDS[finding.kind]}, {after}, in {_many(finding.positions, 'position')}{place}"
    name = "" if finding.id is None else f"  [{finding.id}]"
    yield f"   {finding.said}{name}"
    if finding.reason:
        yield f"   It is meant to be so: {finding.reason}"
    if len(events) > SHOWN_EVENTS:
        yield f"      ... {_many(len(events) - SHOWN_EVENTS, 'event')} before"
    for place_, event in enumerate(events[-SHOWN_EVENTS:], max(1, len(events) - SHOWN_EVENTS + 1)):
        yield f"   {place_:>3}  {event}"
    if finding.tried is not None:
        yield f"   and then: {said_event(report.game.program, finding.tried)}"
    files = kept.files.get(number, {})
    if files:
        yield f"   kept in {' and '.join(files.values())}{_only_shows(finding) if '.play' in files else ''}"
    if number in kept.without:
        yield f"   no scenario: {kept.without[number]}"


def _and_other(finding: "Finding") -> str:
    """The second line, if it takes two."""
    other = finding.other
    if other is None or other == finding.place:
        return ""
    return f", before {other.file}:{other.line}"


def _only_shows(finding: "Finding") -> str:
    """What a scenario of some findings cannot say."""
    endless = finding.kind in ("endless", "passing")
    return "; the scenario says how play comes there, not that it never ends" if endless else ""


def _unused(report: "Report", verbose: bool) -> Iterator[str]:
    """First what is proved to be of no use, then what was only not seen."""
    proved = [part for part in report.unused if report.never(part)]
    mistakes = [part for part in proved if not part.reason]
    allowed = [part for part in report.unused if part.reason]
    unseen = [part for part in report.unused if not part.reason and not report.never(part)]
    if mistakes:
        yield ""
        yield "Never used, in any position:"
        yield from _parts(report, mistakes)
    if unseen:
        shown = unseen if verbose else unseen[:SHOWN_UNSEEN]
        yield ""
        yield f"Not seen{_in_how_many(report, unseen)}, which proves nothing:"
        yield from _parts(report, shown)
        if len(shown) < len(unseen):
            yield f"  and {len(unseen) - len(shown)} more (-v lists them)"
    if allowed and verbose:
        yield ""
        yield "Unused with a reason:"
        yield from (f"  {part.place.file}:{part.place.line}  {part.id}: {part.reason}" for part in allowed)


def _in_how_many(report: "Report", parts: "Sequence[Unused]") -> str:
    if all(part.attempted for part in parts):
        return f" in {_many(report.attempts, 'attempt')}"
    if report.task.games is not None:
        return f" in {_many(report.counts.games, 'game')}"
    return f" in {_many(report.counts.positions, 'position')}"


def _parts(report: "Report", parts: "Sequence[Unused]") -> Iterator[str]:
    for part in parts:
        yield f"  {part.place.file}:{part.place.line}  {_said(report, part)}  [{part.id}]"


def _said(report: "Report", part: "Unused") -> str:
    return part.never if report.never(part) else part.unseen


def _nothing_wrong(report: "Report") -> Iterator[str]:
    """What is proved, or what was found to be so as far as it went."""
    if not report.whole:
        yield "Nothing wrong was found as far as it went."
        return
    yield "Nothing is wrong. In every position:"
    yield "  whoever must act can"
    yield "  the moves that are listed are those that are accepted" + ("" if report.all_tried else ", as far as tried")
    yield "  an end of the game can be reached"
    if report.game.program.invariants:
        yield "  what the rules promise holds"
    if "lines" not in report.left_out:
        meant = ", but where that is meant" if report.findings else ""
        yield f"No end of the game is decided by the order of two lines alone{meant}."
        yield "Everything in the rules is used" + (
            "." if not any(p.reason for p in report.unused) else ", or has a reason."
        )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


__all__ = ["Task", "as_json", "command"]
