"""Rules that carry out themselves, by way of others or of the moves that they offer. Spec 9.1."""

from collections.abc import Iterator

from rulelang.ast import nodes as ast
from rulelang.checker.running import Opening, Piece, Running
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related


def in_circles(running: Running, findings: Findings) -> bool:
    """Report every way round that the walk meets; whether there is one."""
    done: set[Piece] = set()
    found = False
    for start in running.pieces:
        way: list[tuple[Piece, Iterator[Opening]]] = [(start, running.openings(start))] if start not in done else []
        while way:
            piece, ahead = way[-1]
            opening = next(ahead, None)
            if opening is None:
                done.add(piece)
                way.pop()
            elif opening.piece in (on_way := [each for each, _ in way]):
                found = True
                _report(on_way[on_way.index(opening.piece) :], opening, findings)
            elif opening.piece not in done:
                way.append((opening.piece, running.openings(opening.piece)))
    return found


def _report(ring: list[Piece], last: Opening, findings: Findings) -> None:
    names = [_name(piece) for piece in ring]
    findings.report(
        codes.RECURSIVE_RULES,
        last.line.at,
        word=names[0],
        path=" -> ".join([*names, names[0]]),
        related=(Related(ring[0].at, f"'{names[0]}' begins here"),),
        hint="write what comes again as a loop: 'repeat', 'turns' or 'each'",
    )


def _name(piece: Piece) -> str:
    return "overview" if isinstance(piece, ast.Overview) else piece.name
