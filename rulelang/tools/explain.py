"""What the game says when it is asked: how to move, and why a move is not possible."""

from collections.abc import Iterator, Sequence

from rulelang.failures import Refused
from rulelang.ir.expressions import Words
from rulelang.ir.program import Move, Program
from rulelang.play.event import Answer
from rulelang.play.match import Match
from rulelang.play.refusal import Refusal
from rulelang.play.waiting import Waiting
from rulelang.play.words import is_maybe, read_move
from rulelang.tools.saying import reason_lines


def help_lines(program: Program, waiting: Waiting) -> Iterator[str]:
    """The moves that are offered, with what they require, and the commands."""
    yield from offered_lines(program, waiting)
    yield "Type the number of a move, or the move itself. Also:"
    yield "  why MOVE   why a move is not possible      moves   all moves"
    yield "  view       the table again                 log     what has happened"
    yield "  view all   also what is empty"
    yield "  undo       take the last act back          quit    leave; the game is kept"
    yield "Where a move has the name of a command, ':' before the word means the command."


def offered_lines(program: Program, waiting: Waiting) -> Iterator[str]:
    """The moves that are offered, with what they require."""
    yield "You may answer with:"
    for number in waiting.moves:
        yield from _move_lines(program.moves[number])
    if waiting.may_pass:
        yield "  pass"


def _move_lines(move: Move) -> Iterator[str]:
    names = ", ".join(
        f"maybe {each.name}" if is_maybe(each) else f"{each.name} from {each.domain_name}" for each in move.parameters
    )
    cited = f" [{', '.join(move.at.clauses)}]" if move.at.clauses else ""
    yield f"  {move.name}({names}){cited}" if names else f"  {move.name}{cited}"
    for requirement in move.requirements:
        clauses = f" [{', '.join(requirement.at.clauses)}]" if requirement.at.clauses else ""
        yield f"    not if {template(requirement.words)} ({requirement.name}){clauses}"


def template(words: Words) -> str:
    """A text with its holes left open."""
    return "".join(part if isinstance(part, str) else "..." for part in words.parts)


def why_lines(match: Match, seat: int, answers: Sequence[Answer], text: str) -> Iterator[str]:
    """Every reason against a move, with its clauses and what shows it; or that it is possible."""
    if not text:
        yield "Write the move too: why MOVE."
        return
    try:
        listed = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
        answer = answers[listed - 1] if 1 <= listed <= len(answers) else read_move(match.game.program, seat, text)
    except Refused as refused:
        for reason in refused.reasons:
            yield from reason_lines(reason)
        return
    yield from all_reasons(match.explain(answer))


def all_reasons(reasons: Sequence[Refusal]) -> Iterator[str]:
    """Every reason against a move, or that it is possible."""
    if not reasons:
        yield "It is possible."
    for each in reasons:
        yield from refusal_lines(each)


def refusal_lines(reason: Refusal) -> Iterator[str]:
    """One reason with its clauses, what shows it, and where it stands in the rules."""
    yield from reason_lines(reason)
    for witness in reason.witnesses:
        yield f"  {witness.name}: {witness.value}"
    if reason.file and reason.line:
        yield f"  see {reason.file}, line {reason.line}"
