"""A `whenever` ends the game, and nothing else. Spec 9.8.

It is carried out in the middle of a rule or move. If play went on behind it, nobody could say in what: so its body
holds only the end of the game, with `let` and `if` to find the winners, and it comes to an end on every way. Its
condition depends on something that rules change: timers run by themselves, and where nothing changes nothing becomes
true.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.inside import within
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import ConditionName, DefineName, MarkerName, TimerName, ZoneName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

FIRST = (
    "a 'whenever' holds 'end game, ...', with 'let' and 'if' before it; what has to happen first belongs into a rule"
)
WHERE_WAITED = "ask it where the game waits: 'players may freely ... until glass is empty'"
A_DEMAND = "what depends on options and the number of players only is asked once: with 'if', at the beginning"


def endings(checked: "Checked", findings: Findings) -> None:
    """Report every `whenever` that does something else, or depends on what no rule changes."""
    for node in checked.rules.declarations:
        if isinstance(node, ast.Whenever):
            _body(node, findings)
            _condition(node, checked.names, findings)


def _body(node: ast.Whenever, findings: Findings) -> None:
    others = list(_others(node.body))
    for line in others:
        findings.report(codes.ONLY_THE_END, line.at, hint=FIRST)
    open_end = _open_end(node.body) if not others else None
    if open_end is not None:
        hint = "end the game here too, with 'otherwise: end game, ...', or ask for it in the condition"
        findings.report(codes.GAME_GOES_ON, node.at, related=(open_end,), hint=hint)


def _others(body: ast.Body) -> Iterator[ast.Statement]:
    """The lines that do something else; of a loop, its head alone."""
    for line in body.statements:
        match line:
            case ast.Let() | ast.Finish():
                pass
            case ast.Branch(cases=cases, otherwise=otherwise):
                for way in (*(way for _, way in cases), *([otherwise] if otherwise is not None else [])):
                    yield from _others(way)
            case _:
                yield line


def _open_end(body: ast.Body) -> Related | None:
    """Where play would go on behind a body; None if the game ends on every way."""
    for line in body.statements:
        match line:
            case ast.Finish():
                return None
            case ast.Branch(cases=cases, otherwise=ast.Body() as otherwise):
                ways = [_open_end(way) for way in (*(body for _, body in cases), otherwise)]
                if None in ways and not any(ways):
                    return None
            case _:
                pass
    return _shown(body)


def _shown(body: ast.Body) -> Related:
    """The line behind which it goes on."""
    line = body.statements[-1]
    if isinstance(line, ast.Branch):
        if line.otherwise is None:
            return Related(line.at, "where this does not hold, the game goes on")
        ways = (*(way for _, way in line.cases), line.otherwise)
        return next(found for way in ways if (found := _open_end(way)) is not None)
    return Related(line.at, "behind this, the game goes on")


def _condition(node: ast.Whenever, names: NameTable, findings: Findings) -> None:
    read = list(_read(node.condition, names))
    timers = [each for each in read if isinstance(each, ast.Timer)]
    for timer in timers[:1]:
        related = (Related(timer.at, "the timer"),)
        findings.report(codes.RUNS_BY_ITSELF, node.condition.at, word=timer.name, related=related, hint=WHERE_WAITED)
    if not read:
        findings.report(codes.NEVER_BECOMES_TRUE, node.condition.at, hint=A_DEMAND)


def _read(formula: ast.Expr, names: NameTable) -> "list[ast.Zone | ast.Marker | ast.Timer]":
    """The zones, markers and timers that a formula names, also by way of words of the rulebook."""
    found: dict[ast.Zone | ast.Marker | ast.Timer, None] = {}
    waiting: list[ast.Node] = [formula]
    seen: set[ast.Node] = set()
    while waiting:
        for part in within(waiting.pop(0)):
            match names.uses.get(part):
                case ZoneName(node=slot) | MarkerName(node=slot):
                    found[slot] = None
                case TimerName(node=timer):
                    found[timer] = None
                case DefineName(node=word) | ConditionName(node=word) if word not in seen:
                    seen.add(word)
                    waiting.append(word)
                case _:
                    pass
    return list(found)
