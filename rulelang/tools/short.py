"""What is typed in a hurry: names and values by their unique beginnings, blanks instead of brackets.

``a: t m07`` is ``Ann: touch(m07)``. What is written out in full is always understood as it is written.
"""

import re
from collections.abc import Sequence

from rulelang import limits
from rulelang.diagnostics.codes import BAD_PARAMETER, NO_SUCH_MOVE
from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Move, Parameter, Program
from rulelang.ir.types import NumberType, OptionalType, PickType, SaidType, SingleType
from rulelang.play import kinds
from rulelang.play.engine import State
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.reasons import engine_refusal
from rulelang.play.words import plain, read_move, read_value, speak


def named(text: str, known: Sequence[str]) -> int | None:
    """Which of the names a text means: the one that it is, or the only one that begins like it; None if none does.

    Raises Refused if several do.
    """
    wanted = plain(text)
    names = [plain(name) for name in known]
    if wanted in names:
        return names.index(wanted)
    found = [place for place, name in enumerate(names) if wanted and name.startswith(wanted)]
    if len(found) > 1:
        raise Refused([engine_refusal("not_unique", NO_SUCH_MOVE, _several(text, [known[place] for place in found]))])
    return found[0] if found else None


def read_short(state: State, seat: int, text: str) -> Answer:
    """The answer that a text names, in full or in short. Raises Refused if it names none, or several."""
    program = state.game.program
    try:
        return read_move(program, seat, text)
    except Refused as refused:
        in_full = refused
    name, words = _taken_apart(text)
    offered = [program.moves[move].name for move in state.waiting.moves]
    place = named(name, [*offered, *(["pass"] if state.waiting.may_pass else [])])
    if place == len(offered):
        return Pass(seat)
    move = state.waiting.moves[place] if place is not None else named(name, [each.name for each in program.moves])
    if move is None:
        raise in_full
    declared = program.moves[move]
    words = _gathered(declared, words)
    if len(words) != len(declared.parameters):
        raise _written_like(declared)
    legal = _legal(state, seat, move)
    codes: list[int] = []
    for number, (parameter, word) in enumerate(zip(declared.parameters, words, strict=True)):
        possible = dict.fromkeys(each.arguments[number] for each in legal if list(each.arguments[:number]) == codes)
        codes.append(_value(program, parameter, word, list(possible)))
    return Play(seat, move, tuple(codes))


def _legal(state: State, seat: int, move: int) -> list[Play]:
    """The legal answers with this move; none if there are too many to list."""
    try:
        return [answer for answer in state.moves(seat) if isinstance(answer, Play) and answer.move == move]
    except Exhausted:
        return []


def _value(program: Program, parameter: Parameter, word: str, possible: Sequence[int]) -> int:
    """The code of a value: as it is written, else by its beginning, of what can be answered now before all else."""
    code = read_value(program, parameter.type, word)
    if code is None:
        code = _beginning(program, parameter.type, word, possible)
    if code is None and isinstance(parameter.type, SaidType | PickType):
        code = _listed(program, parameter.type, word)
    elif code is None and kinds.size(program, parameter.type) <= limits.COLLECTION:
        code = _beginning(program, parameter.type, word, kinds.all_codes(program, parameter.type))
    if code is None:
        words = BAD_PARAMETER.sentence.format(value=word, parameter=parameter.name)
        raise Refused([engine_refusal("bad_argument", BAD_PARAMETER, words)])
    return code


def _beginning(program: Program, kind: SingleType, word: str, codes: Sequence[int]) -> int | None:
    bare = kind.of if isinstance(kind, OptionalType) else kind
    if isinstance(bare, NumberType):
        return None  # 1 is not the beginning of 12
    place = named(word, [speak(program, kind, code) for code in codes])
    return None if place is None else codes[place]


def _listed(program: Program, kind: SaidType | PickType, word: str) -> int | None:
    """``[it_is_b, big]``: each part by its beginning."""
    parts = [part for part in re.split(r"[\s,]+", word.strip("[] ")) if part]
    said: list[str] = []
    for part in parts:
        code = read_value(program, kind.of, part)
        if code is None:
            code = _beginning(program, kind.of, part, kinds.all_codes(program, kind.of))
        if code is None:
            return None
        said.append(speak(program, kind.of, code))
    return read_value(program, kind, f"[{', '.join(said)}]")


def _taken_apart(text: str) -> tuple[str, list[str]]:
    """The name of a move, and what follows it: in brackets, or parted by blanks or commas; lists stay together."""
    name, _, rest = re.sub(r"^(\s*\w+)\s*\((.*)\)\s*$", r"\1 \2", text).strip().partition(" ")
    return name, [part.strip() for part in re.findall(r"\[[^\]]*\]|[^\s,]+", rest)]


def _gathered(move: Move, words: list[str]) -> list[str]:
    """A list at the end needs no brackets."""
    last = len(move.parameters) - 1
    if last < 0 or len(words) <= last or not isinstance(move.parameters[last].type, SaidType | PickType):
        return words
    return [*words[:last], f"[{', '.join(word.strip('[]') for word in words[last:])}]"]


def _written_like(move: Move) -> Refused:
    names = " ".join(parameter.name.upper() for parameter in move.parameters)
    words = f"Write '{move.name}{' ' + names if names else ''}'."
    return Refused([engine_refusal("wrong_number_of_arguments", BAD_PARAMETER, words)])


def _several(text: str, found: Sequence[str]) -> str:
    shown = ", ".join(found[:6]) + (", ..." if len(found) > 6 else "")
    return f"'{text.strip()}' could be {shown}: type more of it."
