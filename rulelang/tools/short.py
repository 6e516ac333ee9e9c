"""What is typed in a hurry: names and values by their unique beginnings, blanks instead of brackets.

``a: t m07`` is ``Ann: touch(m07)``, and ``a: say old big`` is ``Ann: say([old, big])``: a list needs no brackets where
nothing but a ``maybe`` can follow it, and a ``maybe`` at the end may be left out (Spec 8.2). What is written out in
full is always understood as it is written.
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
from rulelang.play.words import (
    fewest_answers,
    how_to_write,
    no_choice,
    plain,
    read_move,
    read_value,
    speak,
    suggestion,
)


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


def read_short(state: State, seat: int, text: str, *, overheard: bool = False) -> Answer:
    """The answer that a text names, in full or in short. Raises Refused if it names none, or several.

    ``overheard``: others read what comes of it, so that it does not depend on what only this seat may see.
    """
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
    words = _completed(declared, _gathered(program, declared, words))
    if len(words) != len(declared.parameters):
        raise _written_like(program, declared)
    legal = [] if overheard else _legal(state, seat, move)
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
    kind = parameter.type
    code = read_value(program, kind, word)
    if code is None:
        code = _beginning(program, kind, word, possible)
    if code is None and isinstance(kind, SaidType | PickType):
        return _listed(program, parameter, kind, word)
    if code is None and kinds.size(program, kind) <= limits.COLLECTION:
        code = _beginning(program, kind, word, kinds.all_codes(program, kind))
    if code is None:
        raise no_choice(program, parameter, word)
    return code


def _beginning(program: Program, kind: SingleType, word: str, codes: Sequence[int]) -> int | None:
    bare = kind.of if isinstance(kind, OptionalType) else kind
    if isinstance(bare, NumberType):
        return None  # 1 is not the beginning of 12
    place = named(word, [speak(program, kind, code) for code in codes])
    return None if place is None else codes[place]


def _listed(program: Program, parameter: Parameter, kind: SaidType | PickType, word: str) -> int:
    """``[it_is_b, big]``: each part by its beginning. Raises Refused, with the part that is none."""
    said: list[str] = []
    for part in _parts(word):
        code = _element(program, kind, part)
        if code is None:
            known = [speak(program, kind.of, each) for each in _elements(program, kind)]
            raise no_choice(program, parameter, part, suggestion(part, known))
        said.append(speak(program, kind.of, code))
    code = read_value(program, kind, f"[{', '.join(said)}]")
    if code is None:
        raise no_choice(program, parameter, f"[{', '.join(said)}]")
    return code


def _parts(word: str) -> list[str]:
    """What stands in a list, with brackets or without them."""
    return re.findall(r"[^\s,\[\]]+", word)


def _element(program: Program, kind: SaidType | PickType, word: str) -> int | None:
    """What a part of a list means. Raises Refused if it could be several things."""
    code = read_value(program, kind.of, word)
    return code if code is not None else _beginning(program, kind.of, word, _elements(program, kind))


def _elements(program: Program, kind: SaidType | PickType) -> Sequence[int]:
    """Everything that may stand in a list; nothing if that is too much to go through."""
    return kinds.all_codes(program, kind.of) if kinds.size(program, kind.of) <= limits.COLLECTION else ()


def _taken_apart(text: str) -> tuple[str, list[str]]:
    """The name of a move, and what follows it: in brackets, or parted by blanks or commas; lists stay together."""
    name, _, rest = re.sub(r"^(\s*\w+)\s*\((.*)\)\s*$", r"\1 \2", text).strip().partition(" ")
    return name, [part.strip() for part in re.findall(r"\[[^\]]*\]|[^\s,]+", rest)]


def _gathered(program: Program, move: Move, words: list[str]) -> list[str]:
    """A list needs no brackets where nothing but a ``maybe`` can follow it."""
    last = fewest_answers(move) - 1
    kind = move.parameters[last].type if last >= 0 else None
    if not isinstance(kind, SaidType | PickType) or len(words) <= last:
        return words
    before, listed, behind = words[:last], words[last:], list[str]()
    if listed[0].startswith("["):
        listed, behind = listed[:1], listed[1:]
    while len(listed) > 1 and len(behind) < len(move.parameters) - last - 1 and _is_flag(program, kind, listed[-1]):
        behind.insert(0, listed.pop())
    if not listed[0].startswith("["):
        listed = [f"[{', '.join(word.strip('[]') for word in listed)}]"]
    return [*before, *listed, *behind]


def _is_flag(program: Program, kind: SaidType | PickType, word: str) -> bool:
    """Whether a word behind a list says yes or no, and is nothing that could stand in the list itself."""
    if plain(word) in ("yes", "no"):
        return read_value(program, kind.of, word) is None
    if not any(each.startswith(plain(word)) for each in ("yes", "no")):
        return False
    try:
        return _element(program, kind, word) is None
    except Refused:  # it could be several things in the list
        return False


def _completed(move: Move, words: list[str]) -> list[str]:
    """A ``maybe`` at the end may be left out, and means no."""
    missing = len(move.parameters) - len(words)
    return words + ["no"] * missing if len(words) >= fewest_answers(move) else words


def _written_like(program: Program, move: Move) -> Refused:
    words = how_to_write(program, move, short=True)
    return Refused([engine_refusal("wrong_number_of_arguments", BAD_PARAMETER, words)])


def _several(text: str, found: Sequence[str]) -> str:
    shown = ", ".join(found[:6]) + (", ..." if len(found) > 6 else "")
    return f"'{text.strip()}' could be {shown}: type more of it."
