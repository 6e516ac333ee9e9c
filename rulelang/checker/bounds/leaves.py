"""Rules that are left by name must be running. Spec 9.7.

`end RULE` may stand in a move or in another rule. Then whoever carries that out must have begun in RULE, on whatever
way play came there; else nobody could say what is left.
"""

from rulelang.ast import nodes as ast
from rulelang.checker.running import Opening, Piece, Running
from rulelang.checker.symbols import RuleName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related


def leaves(running: Running, findings: Findings) -> None:
    """Report every `end RULE` that can be reached while RULE does not run. No piece opens itself."""
    around = _around(running)
    for piece in running.pieces:
        for line in running.lines(piece):
            symbol = running.names.uses.get(line) if isinstance(line, ast.Leave) else None
            if isinstance(symbol, RuleName) and symbol.node not in around.get(piece, {symbol.node}):
                shown = Related(
                    _outside(running, around, piece, symbol.node).line.at, "this way does not run through it"
                )
                hint = f"let it be done in '{symbol.node.name}' only, or leave a rule that always runs here"
                findings.report(codes.NOT_RUNNING, line.at, word=symbol.node.name, related=(shown,), hint=hint)


def _around(running: Running) -> dict[Piece, frozenset[Piece]]:
    """For every piece that can run, all that run whenever it does, itself included."""
    found: dict[Piece, frozenset[Piece]] = {}
    for piece in running.openers_first():
        if isinstance(piece, ast.Overview):
            found[piece] = frozenset({piece})
        inside = found.get(piece)
        if inside is None:
            continue
        for opening in running.openings(piece):
            before = found.get(opening.piece)
            common = inside if before is None else inside & before
            found[opening.piece] = common | {opening.piece}
    return found


def _outside(running: Running, around: dict[Piece, frozenset[Piece]], piece: Piece, rule: Piece) -> Opening:
    """A line that opens a piece where a rule need not run."""
    return next(
        opening
        for opener in running.pieces
        if opener in around and rule not in around[opener]
        for opening in running.openings(opener)
        if opening.piece is piece
    )
