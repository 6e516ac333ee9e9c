"""Loops that may go round for ever without waiting for anybody. Spec 16.3.

``each`` and ``repeat n times`` end. Of every other loop, each lap has to wait for somebody, to leave the loop, or to use
up what the loop's own question asks for (``measures``). Otherwise the loop is reported, with the way through a lap that
does none of it (``silence``).
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements
from rulelang.checker.bounds.measures import Measure, measures
from rulelang.checker.bounds.silence import Silence
from rulelang.checker.running import Piece, Running
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

WAIT = "let every lap ask somebody ('must'), or leave the loop with 'end RULE' or 'end game'"


def endless(checked: "Checked", running: Running, findings: Findings) -> None:
    """Report every loop of which a lap may pass in silence."""
    silence = Silence(checked, running, lambda line: False)
    for piece in running.pieces:
        for line in running.lines(piece):
            if not isinstance(line, ast.Turns | ast.Repeat) or (isinstance(line, ast.Repeat) and line.times is not None):
                continue
            exits = silence.row(line.body.statements)
            if None not in exits or _used_up(line, checked, running):
                continue
            how = exits[None] or Related(line.body.at, "nothing in this lap waits for anybody")
            findings.report(codes.ENDLESS_LOOP, line.at, related=(how,), hint=WAIT)


def _used_up(line: ast.Turns | ast.Repeat, checked: "Checked", running: Running) -> bool:
    """Whether something that the loop asks for is used up in every silent lap."""
    if isinstance(line, ast.Turns):
        return False
    return any(_holds(measure, line, checked, running) for measure in measures(line, checked))


def _holds(measure: Measure, line: ast.Repeat, checked: "Checked", running: Running) -> bool:
    silence = Silence(checked, running, measure.uses_up)
    return None not in silence.row(line.body.statements) and not _undone(measure, line, running)


def _undone(measure: Measure, loop: ast.Repeat, running: Running) -> bool:
    """Whether anything that the loop may carry out undoes the progress."""
    opened: set[Piece] = set()
    waiting = [line for inner in loop.body.statements for line in statements(inner)]
    while waiting:
        line = waiting.pop()
        if measure.undoes(line):
            return True
        for piece in running.opened_by(line):
            if piece not in opened:
                opened.add(piece)
                waiting.extend(running.lines(piece))
    return False
