"""Lines that play can never come to, because it never goes on behind the line before them. Spec 16.3.

Play does not go on behind `end game` and `end RULE`, behind `turns` and `repeat` without an end, behind open play
until `no`, behind an `if` that leads out in every way, and behind a rule or a choice of moves that always leads out.
In doubt it goes on: behind whatever an exception changes, and behind a rule that anything leaves by its name.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulelang.ast import nodes as ast
from rulelang.checker.bounds.silence import Silence
from rulelang.checker.running import Piece, Running
from rulelang.checker.symbols import RuleName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related


def unreached(rules: ast.Rules, silence: Silence, running: Running, findings: Findings) -> None:
    """Report the first such line of every row. No piece opens itself."""
    ways = _Ways(silence, running)
    bodies = [body for piece in running.pieces for body in running.bodies(piece)]
    bodies += [node.body.statements for node in rules.declarations if isinstance(node, ast.Whenever)]
    for body in bodies:
        for row in _rows(body):
            for line, following in pairwise(row):
                if not ways.behind(line):
                    shown = Related(line.at, _why(line))
                    findings.report(codes.NEVER_REACHED, following.at, related=(shown,), hint=_way_out(line))
                    break


def _why(line: ast.Statement) -> str:
    if isinstance(line, ast.Branch):
        return "every way through this 'if' leads out"
    if isinstance(line, ast.Choose) and is_no(line.until):
        return "this open play goes on until 'no', which never holds"
    return "behind this, play does not go on here"


def _way_out(line: ast.Statement) -> str:
    if isinstance(line, ast.Turns | ast.Repeat):
        return "put it into the loop, or leave the loop with 'end RULE' and write it behind that rule"
    if isinstance(line, ast.Choose) and is_no(line.until):
        return "write behind 'until' what ends the open play"
    return "leave it out, or move it up"


def _rows(body: Sequence[ast.Statement]) -> Iterator[Sequence[ast.Statement]]:
    """A body and every body inside it."""
    yield body
    for line in body:
        match line:
            case ast.EachLoop() | ast.Turns() | ast.Repeat():
                yield from _rows(line.body.statements)
            case ast.Branch():
                for _, inner in line.cases:
                    yield from _rows(inner.statements)
                if line.otherwise is not None:
                    yield from _rows(line.otherwise.statements)
            case _:
                pass


def is_no(until: ast.Expr | None) -> bool:
    """Whether open play goes on until `no`: for ever."""
    return isinstance(until, ast.Constant) and until.word == "no"


class _Ways:
    """Whether play can go on behind a line, a row, a piece."""

    def __init__(self, silence: Silence, running: Running) -> None:
        self.silence = silence
        self.running = running
        self.pieces: dict[Piece, bool] = {}
        uses = silence.names.uses
        leaves = (line for piece in running.pieces for line in running.lines(piece) if isinstance(line, ast.Leave))
        targets = (uses.get(line) for line in leaves)
        self.left = {symbol.node for symbol in targets if isinstance(symbol, RuleName)}
        """The rules that something leaves by their name."""
        for piece in reversed(running.openers_first()):  # what it opens is known by then, however deep
            doubtful = bool(running.exceptions[piece]) or piece in self.left
            self.pieces[piece] = doubtful or self.behind_all(running.own(piece))

    def behind_all(self, row: Sequence[ast.Statement]) -> bool:
        return all(self.behind(line) for line in row)

    def behind(self, line: ast.Statement) -> bool:
        match line:
            case ast.Leave() | ast.Finish():
                return False
            case ast.Call():
                return all(self.pieces[piece] for piece in self.running.opened_by(line))
            case ast.Choose() if is_no(line.until):
                return False
            case ast.Choose():
                # with a manner, nobody may be asked; who may pass does not lead out
                never = line.must and line.manner is None
                return not never or any(self.pieces[piece] for piece in self.running.opened_by(line))
            case ast.Turns():
                return line.domain is not None and not self.silence.has_members(line.domain)
            case ast.Repeat():
                if line.times is None:
                    return line.until is not None and self.behind_all(line.body.statements)
                once = isinstance(line.times, ast.Number) and line.times.value > 0
                return not once or self.behind_all(line.body.statements)
            case ast.Branch():
                ways = [body for _, body in line.cases]
                return line.otherwise is None or any(self.behind_all(way.statements) for way in [*ways, line.otherwise])
            case _:
                return True
