"""Findings as files: a record that anybody can replay, and a scenario where the moves can be written as one."""

from pathlib import Path

from rulelang.diagnostics.codes import UNKNOWN_RULESET
from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash
from rulelang.ir.program import Program
from rulelang.play.engine import Engine
from rulelang.play.event import Outcome
from rulelang.play.record import Record, header_of, option_label
from rulelang.rulebook.verify.found import KINDS, Finding
from rulelang.rulebook.verify.looking import said_event
from rulelang.rulebook.verify.report import Report
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, play_file_from_text
from rulelang.scenarios.run import run_scenario
from rulelang.scenarios.skeleton import Skeleton


class NoScenario(Exception):
    """A finding cannot be said in a play file; its words say why."""


def record_of(report: Report, finding: Finding, engine: str = "") -> Record:
    """The record that leads to where a finding shows, with the event that shows it: it may fail there, and shall."""
    tried = () if finding.tried is None else (finding.tried,)
    return Record(header_of(report.game.program, report.task.seed, engine=engine), (*finding.events, *tried))


def file_name(finding: Finding) -> str:
    """What the files of a finding are called, behind a number: ``dead-end``."""
    return KINDS[finding.kind].replace(" ", "-")


def scenario_of(report: Report, finding: Finding, program: Program, path: Path, engine: Engine) -> str:
    """A play file for a finding, if it is to lie at ``path``. Raises NoScenario if it cannot be written, or is of
    another game there.

    What is written was read again and run. It may fail, that is what it is for; and where an event is given up or a
    promise is broken before anybody has moved, it may not even come to its end.
    """
    text, library = scenario_text(report, finding), Library()
    try:
        file = play_file_from_text(str(path), text)
        found = library.ruleset(file, file.plays.scenarios[0].game).program
        if content_hash(found) != content_hash(program):
            raise NoScenario(f"from '{path.parent}', '{program.name}' is another game")
        checked = check_file(file, library)
    except Diagnosed as wrong:
        first = wrong.diagnostics[0]
        if first.code == UNKNOWN_RULESET:
            where = f"no rules called '{program.name}' are found from '{path.parent}'"
            raise NoScenario(f"{where}; it can be kept beside the rules, or in a folder that lies there") from None
        raise NoScenario(f"it would not be sound: {first.message}") from None
    for each in checked:
        result = run_scenario(each, engine)
        if result.status == "error" and finding.kind not in ("given_up", "promise"):
            raise NoScenario(f"it cannot be run: {result.reason}")
    return text


def scenario_text(report: Report, finding: Finding) -> str:
    """The scenario: how play comes there, and who is asked then. Raises NoScenario if a line would say nothing."""
    program = report.game.program
    skeleton = Skeleton(report.game)
    chosen = program.configuration.options if program.configuration is not None else ()
    options = [
        (option.name, option_label(option.type, code))
        for option, code in zip(program.options, chosen, strict=True)
        if code != option.default
    ]
    if finding.kind == "given_up" and finding.tried is None:
        raise NoScenario("no line of one asks for a list of moves")
    said, kind = finding.said.split(";")[0].translate(str.maketrans('"{}', "'()")), KINDS[finding.kind].capitalize()
    title = said if said.startswith(kind) else f"{kind}: {said}"
    lines = list(skeleton.lines(title.rstrip("."), finding.events, options))
    state = report.game.start()
    for event in finding.events:
        state = state.step(event)
    if finding.tried is None:
        after = list(skeleton.now(state)) or ["game goes on"]
    else:
        lines += [] if finding.events else ["  when:"]
        lines += [f"    {deed}" for deed in skeleton.next(state, finding.tried)]
        after = ["game goes on"]
    if any("#" in line for line in lines):
        raise NoScenario("it would have to say what chance gives, and there is no word for that")
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
