"""Findings as files: a record that anybody can replay, and a scenario where the moves can be written as one."""

from pathlib import Path

from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash
from rulelang.ir.program import Program
from rulelang.play.engine import Engine
from rulelang.play.event import Outcome, Pass, Play, Sealed
from rulelang.play.record import Record, header_of, option_label
from rulelang.rulebook.verify.found import KINDS, Finding
from rulelang.rulebook.verify.looking import said_event
from rulelang.rulebook.verify.report import Report
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, play_file_from_text
from rulelang.scenarios.run import run_scenario
from rulelang.scenarios.skeleton import Skeleton


def record_of(report: Report, finding: Finding, engine: str = "") -> Record:
    """The record that leads to where a finding shows."""
    return Record(header_of(report.game.program, report.task.seed, engine=engine), finding.events)


def file_name(number: int, finding: Finding) -> str:
    """What the files of a finding are called, without an ending: ``01-dead-end``."""
    return f"{number:02}-{KINDS[finding.kind].replace(' ', '-')}"


def scenario_of(report: Report, finding: Finding, program: Program, path: Path, engine: Engine) -> str | None:
    """A play file for a finding, if it is to lie at ``path``; None if it cannot be written, or is another game there.

    What is written was read again and run: it may fail (that is what it is for), but it is no mistake.
    """
    text = scenario_text(report, finding)
    if text is None:
        return None
    try:
        checked = check_file(play_file_from_text(str(path), text), Library())
    except Diagnosed:
        return None
    wanted = content_hash(program)
    if any(content_hash(each.compiled.program) != wanted for each in checked):
        return None
    return None if any(run_scenario(each, engine).status == "error" for each in checked) else text


def scenario_text(report: Report, finding: Finding) -> str | None:
    """The scenario: how play comes there, and who is asked then; None if a line of it would say nothing."""
    program = report.game.program
    skeleton = Skeleton(report.game)
    chosen = program.configuration.options if program.configuration is not None else ()
    options = [
        (option.name, option_label(option.type, code))
        for option, code in zip(program.options, chosen, strict=True)
        if code != option.default
    ]
    title = f"{KINDS[finding.kind].capitalize()}: {finding.said}".split(";")[0].replace('"', "'").rstrip(".")
    lines = list(skeleton.lines(title, finding.events, options))
    if any("#" in line for line in lines):
        return None
    state = report.game.start()
    for event in finding.events:
        state = state.step(event)
    tried = finding.tried
    if isinstance(tried, Sealed | Play | Pass):
        lines += [] if finding.events else ["  when:"]
        lines += [f"    {deed}" for deed in skeleton.deeds(tried)]
        after = ["game goes on"]
    else:
        after = list(skeleton.now(state)) or ["game goes on"]
    return "\n".join([*lines, "  then:", *(f"    {line}" for line in after)]) + "\n"


def event_lines(report: Report, finding: Finding) -> list[str]:
    """The events that lead there, in words: moves, what chance gives, timers that run out."""
    skeleton = Skeleton(report.game)
    state = report.game.start()
    lines: list[str] = []
    for event in finding.events:
        given = skeleton.outcome(state, event) if isinstance(event, Outcome) else None
        lines.append(said_event(report.game.program, event) if given is None else f"chance: {given}")
        state = state.step(event)
    return lines
