"""Two states of two versions side by side: everything that people at the table would find different, by name."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeVar

import attrs

from rulelang.ir.program import Program, Zone
from rulelang.ir.types import CollectionType
from rulelang.play import kinds
from rulelang.play.alike import Crashed, Failed, Pair, outcome_of
from rulelang.play.engine import State
from rulelang.play.event import Answer
from rulelang.play.formulas import Context, evaluate
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Unseen
from rulelang.play.words import move_text, place_name, speak
from rulelang.rulebook.versions.matching import Both, NoMatch

T = TypeVar("T")

Subject = Literal["setup", "start", "to_move", "moves", "reasons", "chance", "table", "score", "result", "fails"]

SUBJECTS: Final[Mapping[Subject, str]] = {
    "setup": "cannot be set up by both",
    "start": "lies or says something else at the start",
    "to_move": "other players must act, or otherwise",
    "moves": "is legal in one of both only",
    "reasons": "is a reason in one of both only",
    "chance": "chance can give other things",
    "table": "lies or says something else after the same event",
    "score": "comes to another value for the same table",
    "result": "ends with another result",
    "fails": "cannot be gone on with in one of both",
}
"""What can be different, in words that follow a name."""


@attrs.frozen
class Seen:
    """One thing that is different."""

    subject: Subject
    name: str
    """Of what: a move, a reason, a zone or marker, a define."""
    first: str
    second: str
    tried: Answer | None = None
    """The attempt that shows it, in the first program, if it takes one."""


def waits(pair: Pair[State], both: Both) -> Iterator[Seen]:
    """Who must do what, what is legal, what chance can give."""
    first, second = _to_move(pair.first), _to_move(pair.second)
    if first != second:
        yield Seen("to_move", "", first, second)
    elif pair.first.waiting.kind == "chance":
        mine, other = _chance(pair.first), _chance(pair.second)
        if mine != other:
            yield Seen("chance", "", f"{len(mine)} outcomes", f"{len(other)} outcomes")
    else:
        yield from _moves(pair, both)


def _to_move(state: State) -> str:
    waiting = state.waiting
    if waiting.kind in ("over", "chance"):
        return {"over": "the game is over", "chance": "chance decides"}[waiting.kind]
    names = " or ".join(state.game.program.moves[move].name for move in waiting.moves)
    seats = ", ".join(str(seat + 1) for seat in waiting.seats)
    return f"seat {seats} {'may' if waiting.may_pass else 'must'} {names}"


def _chance(state: State) -> list[tuple[int, str]]:
    return [(value, str(weight)) for value, weight in state.chance()]


def _moves(pair: Pair[State], both: Both) -> Iterator[Seen]:
    for seat in pair.first.waiting.seats:
        mine, other = listed(pair.first, seat), listed(pair.second, seat)
        if mine is None or other is None:
            continue
        texts = [
            {move_text(state.game.program, answer): answer for answer in answers}
            for state, answers in ((pair.first, mine), (pair.second, other))
        ]
        for place in (0, 1):
            for said, answer in texts[place].items():
                if said not in texts[1 - place]:
                    name, no = said.partition("(")[0], "not legal"
                    if place == 0:
                        yield Seen("moves", name, said, no, answer)
                    else:
                        yield Seen("moves", name, no, said, _back(both, answer))


def listed(state: State, seat: int) -> tuple[Answer, ...] | None:
    """The legal answers of a seat; None if they cannot be listed."""
    return made(outcome_of(lambda one: tuple(one.moves(seat)), state))


def made(found: T | Failed | Crashed) -> T | None:
    """What a call came to; None if it failed."""
    return None if isinstance(found, Failed | Crashed) else found


def _back(both: Both, answer: Answer) -> Answer | None:
    try:
        return both.back.answer(answer)
    except NoMatch:
        return None


def attempts(pair: Pair[State], both: Both, tried: Answer) -> Iterator[Seen]:
    """What is said of one attempt."""
    try:
        other = both.there.answer(tried)
    except NoMatch:
        return
    mine = outcome_of(lambda state: tuple(r.code for r in state.refusals(tried)), pair.first)
    theirs = outcome_of(lambda state: tuple(r.code for r in state.refusals(other)), pair.second)
    if not isinstance(mine, tuple) or not isinstance(theirs, tuple):
        return
    said = move_text(pair.first.game.program, tried) if not _nonsense(pair.first.game.program, tried) else "an attempt"
    for code in dict.fromkeys((*mine, *theirs)):
        if (code in mine) != (code in theirs):
            words = [f"{said}: {', '.join(codes) or 'legal'}" for codes in (mine, theirs)]
            yield Seen("reasons", code, words[0], words[1], tried)


def _nonsense(program: Program, answer: Answer) -> bool:
    move = getattr(answer, "move", None)
    if move is None:
        return False
    known = 0 <= move < len(program.moves)
    return not known or len(program.moves[move].parameters) != len(answer.arguments)  # type: ignore[union-attr]


# ------------------------------------------------------------------ the table


def tables(pair: Pair[State], subject: Subject = "table") -> Iterator[Seen]:
    """What lies and is written, of everything that both have."""
    mine, other = _table(pair.first), _table(pair.second)
    for place, said in mine.items():
        if place in other and other[place] != said:
            yield Seen(subject, place, said, other[place])


def _table(state: State) -> dict[str, str]:
    program, cells, found = state.game.program, state.position().cells, dict[str, str]()
    number = 0
    layout = kinds.Layout.of(program)
    for slot, declared in enumerate(program.slots):
        for member in range(layout.families[slot].count):
            found[place_name(program, slot, member)] = _content(program, declared, cells[number])
            number += 1
    return found


def _content(program: Program, declared: Any, content: Any) -> str:
    if not isinstance(declared, Zone):
        kind = declared.type
        return speak(program, kind, content) or ("nothing" if isinstance(kind, CollectionType) else "")
    words = ("unseen" if isinstance(each, Unseen) else speak(program, declared.content, each) for each in content)
    return ", ".join(words) or "nothing"


def scores(pair: Pair[State], asked: Mapping[str, bool]) -> Iterator[Seen]:
    """The defines of both, on the same table: ``asked`` says of each by name whether it is asked for every seat."""
    for name, of_seats in asked.items():
        for seat in range(kinds.seat_count(pair.first.game.program)) if of_seats else (None,):
            values = [_value(state, name, seat) for state in (pair.first, pair.second)]
            if None not in values and values[0] != values[1]:
                said = name if seat is None else f"{name}(seat {seat + 1})"
                yield Seen("score", name, f"{said} is {values[0]}", f"{said} is {values[1]}")


def _value(state: State, name: str, seat: int | None) -> Any:
    program = state.game.program
    function = next((each for each in program.functions if each.name == name), None)
    if function is None:
        return None
    held = [0] * max(1, function.locals)
    if seat is not None:
        held[0] = seat
    context = Context(program, kinds.Layout.of(program), state.position().cells, held)  # type: ignore[arg-type]
    return made(outcome_of(lambda formula: evaluate(formula, context), function.body))


def results(pair: Pair[State]) -> Iterator[Seen]:
    """How the game ended, if it is over for both."""
    mine, other = pair.first.outcome, pair.second.outcome
    if mine is not None and other is not None and mine != other:
        yield Seen("result", "", _result(mine), _result(other))


def _result(outcome: GameOutcome) -> str:
    returns = ", ".join(str(amount) for amount in outcome.returns)
    winners = ", ".join(str(seat + 1) for seat in outcome.winners) or "nobody"
    grade = "" if outcome.grade is None else f", grade {outcome.grade}"
    return f"{outcome.kind}: {winners} wins, returns {returns}{grade}"


def failure(found: object) -> str:
    """How a call failed."""
    return ", ".join(str(getattr(each, "code", each)) for each in found.reasons) if isinstance(found, Failed) else ""
