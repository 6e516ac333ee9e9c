"""``rulelang verify``: go through every position of a game and say what is wrong with its rules.

What is printed depends on the rules, the options and what is asked for, and on nothing else.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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
    seed_option,
)
from rulelang.tools.progress import Progress
from rulelang.tools.saying import show, show_json, table

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.rulebook.verify.found import Finding, Place
    from rulelang.rulebook.verify.report import Report, Task
    from rulelang.rulebook.verify.unused import Unused

MOST_STATES: Final = 100_000_000
SHOWN_EVENTS: Final = 24
"""Events of a record that are shown; of a longer one the last."""
SHOWN_UNSEEN: Final = 10
"""Parts that were not seen and that are listed without ``-v``."""


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
    default=100_000,
    show_default=True,
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
@click.option("--save", type=click.Path(file_okay=False), metavar="FOLDER", help="Write records and scenarios there.")
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
    from rulelang.rulebook.verify.unused import allowed_unused
    from rulelang.tools.writing import made_folder

    if games is None and seed is not None:
        raise Misused("'--seed' is for random games; it needs '--games'.")
    path = find(name)
    program = open_program(path, use_cache=rest["use_cache"], profile=rest["profile"])
    seats = program.fewest_seats if rest["seats"] is None else rest["seats"]
    configure(program, rest["engine"], seats, options)  # says what would be allowed
    folder = made_folder(Path(rest["save"])) if rest["save"] else None
    drawn = 0 if games is None else new_seed(seed)
    task = Task(seats, options, rest["attempts"], rest["depth"], rest["states"], games, drawn)
    allowed = allowed_unused(path.parent) if path.suffix == ".rules" else {}
    unit, total = ("positions", task.states) if games is None else ("games", games)
    with Progress(rest["progress"], unit, total) as line:
        report = verify(program, engine_named(rest["engine"]), task, allowed, line.at)
    files = _saved(folder, report, program, rest) if folder else {}
    if rest["form"] == "json":
        show_json(as_json(report, rest["engine"], rest["profile"], files))
    else:
        for text in _lines(report, rest["profile"], rest["verbose"], files):
            show(text)
        for text in _replaying(report, name, files, rest):
            show(text)
    return INTERRUPTED if report.stopped else FINDINGS if report.mistakes else OK


# ------------------------------------------------------------------ files


def _saved(folder: Path, report: "Report", program: "Program", asked: dict[str, Any]) -> dict[int, str]:
    """The record of each finding by its number, written; and a scenario where one can be made. Raises Diagnosed."""
    from rulelang.ir.codec import dumps
    from rulelang.play.record import write_record
    from rulelang.rulebook.verify.saving import file_name, record_of, scenario_of
    from rulelang.tools.writing import write_whole

    files: dict[int, str] = {}
    if not report.findings:
        return files
    if asked["profile"]:
        write_whole(_compiled(folder, report, asked["profile"]), dumps(program))
    for number, finding in enumerate(report.findings, 1):
        path = folder / f"{file_name(number, finding)}.record.jsonl"
        write_record(path, report.game.program, record_of(report, finding, asked["engine"]))
        files[number] = str(path)
        play = folder / f"{file_name(number, finding)}.play"
        text = None
        if not asked["profile"]:
            text = scenario_of(report, finding, program, play, engine_named("reference"))
        if text is not None:
            write_whole(play, text)
    return files


def _compiled(folder: Path, report: "Report", profile: str) -> Path:
    """Where the compiled rules of a profile lie: records of it are of no other program."""
    return folder / f"{report.game.program.name}.{profile}.ir.json"


def _replaying(report: "Report", name: str, files: dict[int, str], asked: dict[str, Any]) -> Iterator[str]:
    """How to look at the first record."""
    import shlex

    from rulelang.rulesets import all_rulesets

    if not files:
        return
    rules: list[str] = []
    if asked["profile"]:
        rules = ["--rules", str(_compiled(Path(asked["save"]), report, asked["profile"]))]
    elif name not in dict(all_rulesets()):
        rules = ["--rules", name]
    yield ""
    yield f"To see it: {shlex.join(['rulelang', 'replay', files[1], *rules])}"


# ------------------------------------------------------------------ for programs


def as_json(report: "Report", engine: str, profile: str | None, files: dict[int, str]) -> dict[str, Any]:
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
                    *(event_json(program, event) for event in finding.events),
                ],
                "saved": files.get(number),
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


def _lines(report: "Report", profile: str | None, verbose: bool, files: dict[int, str]) -> Iterator[str]:
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
        yield ""
        yield from _finding(report, number, finding, files.get(number))
    yield from _unused(report, verbose)
    if not report.mistakes and counts.positions:
        yield ""
        yield from _nothing_wrong(report)


def _extent(report: "Report") -> str:
    counts, task = report.counts, report.task
    if task.games is not None:
        of = "" if counts.games == task.games else f" of {task.games}"
        return f"{counts.games}{of} random games, seed {task.seed}"
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


def _finding(report: "Report", number: int, finding: "Finding", file: str | None) -> Iterator[str]:
    from rulelang.rulebook.verify.found import KINDS
    from rulelang.rulebook.verify.looking import said_event
    from rulelang.rulebook.verify.saving import event_lines

    events = event_lines(report, finding)
    place = "" if finding.place is None else f" ({finding.place.file}:{finding.place.line})"
    after = f"after {_many(len(events), 'event')}" if events else "at the start"
    yield f"{number}. {KINDS[finding.kind]}, {after}, in {_many(finding.positions, 'position')}{place}"
    yield f"   {finding.said}"
    if len(events) > SHOWN_EVENTS:
        yield f"      ... {len(events) - SHOWN_EVENTS} events before"
    for place_, event in enumerate(events[-SHOWN_EVENTS:], max(1, len(events) - SHOWN_EVENTS + 1)):
        yield f"   {place_:>3}  {event}"
    if finding.tried is not None:
        yield f"   and then: {said_event(report.game.program, finding.tried)}"
    if file is not None:
        yield f"   kept in {file}"


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
        yield "Everything in the rules is used" + (
            "." if not any(p.reason for p in report.unused) else ", or has a reason."
        )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


__all__ = ["Task", "as_json", "command"]
