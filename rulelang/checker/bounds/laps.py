"""Loops that may go round for ever without waiting for anybody. Spec 16.3.

``each`` and ``repeat n times`` end. Of every other loop, each lap has to wait for somebody, to leave the loop, or to
use up what the loop's own question asks for (``measures``). Otherwise the loop is reported, with the way through a
lap that does none of it (``silence``).
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


def endless(checked: "Checked", running: Running, findings: Findings) -> dict[ast.Repeat, ast.Expr]:
    """Report every loop of which a lap may pass in silence; those that use up a zone or marker, with its place."""
    silence = Silence(checked, running)
    used_up: dict[ast.Repeat, ast.Expr] = {}
    found: list[tuple[ast.Turns | ast.Repeat, Related]] = []
    for piece in running.pieces:
        for line in running.lines(piece):
            if not isinstance(line, ast.Turns | ast.Repeat) or (
                isinstance(line, ast.Repeat) and line.times is not None
            ):
                continue
            exits = silence.row(line.body.statements)
            if None not in exits:
                continue
            place = _used_up(line, checked, running)
            if place is not None and isinstance(line, ast.Repeat):
                used_up[line] = place
                continue
            how = exits[None] if any(silence.asks(inner) for inner in line.body.statements) else None
            found.append((line, how or Related(line.body.at, "nothing in this lap waits for anybody")))
    for line, how in found:
        # a loop around another one goes round for ever for the same reason
        if not any((inner, how) in found for inner in statements(line) if inner is not line):
            findings.report(codes.ENDLESS_LOOP, line.at, related=(how,), hint=WAIT)
    return used_up


def _used_up(line: ast.Turns | ast.Repeat, checked: "Checked", running: Running) -> ast.Expr | None:
    """What the loop asks for, if every lap uses some of it up."""
    found = measures(line, checked) if isinstance(line, ast.Repeat) else ()
    return next((measure.place for measure in found if _holds(measure, line, checked, running)), None)


def _holds(measure: Measure, line: ast.Turns | ast.Repeat, checked: "Checked", running: Running) -> bool:
    silence = Silence(checked, running, measure.uses_up)
    return None not in silence.row(line.body.statements) and not _undone(measure, line, running)


def _undone(measure: Measure, loop: ast.Turns | ast.Repeat, running: Running) -> bool:
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
