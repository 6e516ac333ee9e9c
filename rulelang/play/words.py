"""Values, places and texts in the words of the table. Spec 4.10.

``speak`` says a value so that ``read_value`` can read it again; ``say`` fills the holes of a text. Both are total: a
code that is none of its kind is said as its number. ``read_move`` reads an answer as ``move_text`` writes it, without
regard to capitals, and to the difference between blanks, hyphens and underscores.
"""

import re
from collections import Counter
from difflib import get_close_matches
from typing import assert_never, cast

from rulelang import limits
from rulelang.diagnostics.codes import BAD_PARAMETER, NO_SUCH_MOVE
from rulelang.failures import Refused
from rulelang.ir.expressions import Value, Words
from rulelang.ir.program import Move, Parameter, Program
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FlagType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    RowType,
    SaidType,
    SeatType,
    SingleType,
    TextType,
    Type,
)
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.formulas import Context, evaluate
from rulelang.play.formulas.boards import edge_place
from rulelang.play.kinds import column_letters
from rulelang.play.reasons import engine_refusal
from rulelang.play.refusal import Refusal


def speak(program: Program, kind: Type, value: Value | str) -> str:
    """A value as people say it at the table."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "" if isinstance(kind, TextType) else _speak_collection(program, kind, value)
    if isinstance(kind, TextType | CollectionType):
        return str(value)
    return _speak_single(program, kind, value)


def _speak_collection(program: Program, kind: Type, values: tuple[Value, ...]) -> str:
    """Elements with commas between them; in a bag, equal ones together as ``2 x kappa``."""
    if not values:
        return "nothing"
    of: Type = kind.of if isinstance(kind, CollectionType) else kind
    if isinstance(kind, CollectionType) and kind.shape == "bag":
        counts = Counter(values)
        return ", ".join(
            (f"{count} x " if count > 1 else "") + speak(program, of, value) for value, count in counts.items()
        )
    return ", ".join(speak(program, of, value) for value in values)


def _speak_single(program: Program, kind: SingleType, code: int) -> str:
    if isinstance(kind, OptionalType):
        return speak_none(kind) if code == kinds.none_code(kind) else _speak_single(program, kind.of, code)
    if isinstance(kind, NumberType):
        return kind.word if kind.word is not None and code == kinds.least(kind) else str(code)
    if isinstance(kind, SeatType):
        return speak_none(kind) if code == kinds.none_code(kind) else _seat(program, code)
    if not kinds.contains(program, kind, code):
        return speak_none(kind) if code == kinds.none_code(kind) else str(code)
    match kind:
        case FlagType():
            return "yes" if code else "no"
        case NamesType():
            return kind.labels[code]
        case RecordType():
            parts = kinds.split(program, kind, code)
            return " ".join(
                _speak_single(program, field.type, part) for field, part in zip(kind.fields, parts, strict=True)
            )
        case CellType():
            row, column = divmod(code, kinds.board_size(program, kind.board)[1])
            return _grid_name(row, column)
        case EdgeType():
            return _edge_name(program, kind.board, code)
        case RowType():
            return program.tables[kind.table].rows[code]
        case MemberType():
            return place_name(program, kind.slot, code)
        case PickType():
            return _speak_listed(program, kind.of, kinds.pick(program, kind, code))
        case SaidType():
            return _speak_listed(program, kind.of, kinds.said(program, kind, code))
        case _:
            assert_never(kind)


def _speak_listed(program: Program, kind: SingleType, codes: tuple[int, ...]) -> str:
    """Several codes as one answer."""
    return f"[{', '.join(_speak_single(program, kind, code) for code in codes)}]"


def _seat(program: Program, code: int) -> str:
    """A seat, or what belongs to none; any other code as its number."""
    seats = kinds.seat_count(program)
    return seat_name(code, seats) if 0 <= code <= seats else str(code)


def speak_none(kind: SingleType) -> str:
    """What none is called: nobody, if it is a seat that is missing."""
    while isinstance(kind, OptionalType):
        kind = kind.of
    return "nobody" if isinstance(kind, SeatType) else "none"


def seat_name(seat: int, seats: int | None = None) -> str:
    """``seat 1`` for code 0; the code behind the last of ``seats`` is the table."""
    return "the table" if seats is not None and seat >= seats else f"seat {seat + 1}"


def _grid_name(row: int, column: int) -> str:
    return f"{column_letters(column)}{row + 1}"


def _edge_name(program: Program, board: int, edge: int) -> str:
    """The two grid points that the edge joins; a1 is the south-western corner of the first cell."""
    across, row, column = edge_place(*kinds.board_size(program, board), edge)
    end = (row, column + 1) if across else (row + 1, column)
    return f"{_grid_name(row, column)}-{_grid_name(*end)}"


def place_name(program: Program, slot: int, member: int) -> str:
    """``deck``, ``heap 2``, ``hand of seat 1``, ``mark of b3``; several index values one after the other."""
    declared = program.slots[slot]
    if not declared.index:
        return declared.name
    spoken = " ".join(
        _speak_single(program, index, code)
        for index, code in zip(declared.index, kinds.family(program, slot).codes(member), strict=True)
    )
    return f"{declared.name} {spoken}" if isinstance(declared.index[0], NumberType) else f"{declared.name} of {spoken}"


def say(program: Program, words: Words, context: Context) -> str:
    """A text with its holes filled."""
    return "".join(
        part if isinstance(part, str) else speak(program, part.type, cast(Value | str, evaluate(part.value, context)))
        for part in words.parts
    )


def move_text(program: Program, answer: Answer) -> str:
    """An answer as it is written in records and scenarios: ``bid(2, 3)``, ``draw``, ``pass``."""
    if isinstance(answer, Pass):
        return "pass"
    move = program.moves[answer.move]
    if not move.parameters:
        return move.name
    spoken = (
        speak(program, parameter.type, argument)
        for parameter, argument in zip(move.parameters, answer.arguments, strict=False)
    )
    return f"{move.name}({', '.join(spoken)})"


# ------------------------------------------------------------------ reading


def plain(text: str) -> str:
    """A name without capitals, hyphens, underscores and superfluous blanks: names that differ less are the same."""
    return " ".join(re.split(r"[\s_-]+", text.casefold().strip()))


def suggestion(word: str, known: list[str]) -> str:
    """``" Did you mean 'bid'?"``, or nothing if no known name is near."""
    near = get_close_matches(plain(word), [plain(name) for name in known], n=1)
    if not near:
        return ""
    return f" Did you mean '{next(name for name in known if plain(name) == near[0])}'?"


def read_value(program: Program, kind: SingleType, text: str) -> int | None:
    """The code of a spoken value; None if it is no value of the kind."""
    if isinstance(kind, OptionalType):
        if plain(text) in ("none", "nobody"):
            return kinds.none_code(kind)
        return read_value(program, kind.of, text)
    if isinstance(kind, NumberType):
        if kind.word is not None and plain(text) == plain(kind.word):
            return kinds.least(kind)
        code = int(text) if re.fullmatch(r"\s*-?[0-9]{1,19}\s*", text, re.ASCII) else None
        return code if is_written(program, kind, code) else None
    if isinstance(kind, PickType):
        return _read_pick(program, kind, text)
    if isinstance(kind, SaidType):
        return _read_said(program, kind, text)
    wanted = plain(text)
    if isinstance(kind, SeatType) and re.fullmatch(r"[0-9]{1,2}", wanted):
        wanted = f"seat {wanted}"
    if kinds.size(program, kind) > limits.COLLECTION:
        return None
    return next((code for code in kinds.all_codes(program, kind) if plain(speak(program, kind, code)) == wanted), None)


def is_written(program: Program, kind: NumberType, code: object) -> bool:
    """Whether a number is written as a number: it is one of the kind, and has no word of its own."""
    return kinds.contains(program, kind, code) and not (kind.word is not None and code == kinds.least(kind))


def _read_pick(program: Program, kind: PickType, text: str) -> int | None:
    """``[kappa, 2 of fox]``: in any order."""
    inside = text.strip()
    if not (inside.startswith("[") and inside.endswith("]")):
        return None
    bag: list[int] = []
    count = kinds.bound(kind.count)
    for part in inside[1:-1].split(",") if inside[1:-1].strip() else ():
        times, code = 1, read_value(program, kind.of, part)
        counted = re.fullmatch(r"\s*([0-9]{1,4})\s+(?:of|x)\s+(.+)", part) if code is None else None
        if counted:
            times, code = int(counted[1]), read_value(program, kind.of, counted[2])
        if code is None or len(bag) + times > count:
            return None
        bag += [code] * times
    return kinds.rank(program, kind, tuple(bag)) if len(bag) == count else None


def _read_said(program: Program, kind: SaidType, text: str) -> int | None:
    """``[it_is_blue, it_is_big]``: in their order."""
    inside = text.strip()
    if not (inside.startswith("[") and inside.endswith("]")):
        return None
    parts = inside[1:-1].split(",")
    if len(parts) > kinds.bound(kind.most):
        return None
    codes = [code for part in parts if (code := read_value(program, kind.of, part)) is not None]
    return kinds.rank_of_said(program, kind, tuple(codes)) if len(codes) == len(parts) else None


def describe_kind(program: Program, kind: SingleType, *, bare: bool = False) -> str:
    """What is expected, with an example: ``a number from 1 to 6, such as 1``. ``bare``: a list needs no brackets."""
    example = speak(program, kind, kinds.least(kind)) if kinds.size(program, kind) else "nothing"
    match kind:
        case NumberType():
            word, low = kind.word, kinds.bound(kind.low)
            either = "" if word is None else f"'{word}', or "
            what = f"{either}a number from {low + (word is not None)} to {kinds.bound(kind.high)}"
        case FlagType():
            return "yes or no"
        case SeatType():
            what = "a seat"
        case NamesType() | RecordType():
            what = f"one of '{kind.name}'"
        case CellType():
            what = f"a cell of '{program.boards[kind.board].name}'"
        case EdgeType():
            what = f"an edge of '{program.boards[kind.board].name}'"
        case RowType():
            what = f"one of '{program.tables[kind.table].name}'"
        case MemberType():
            what = f"one of '{program.slots[kind.slot].name}'"
        case OptionalType():
            return f"{describe_kind(program, kind.of)}, or {speak_none(kind)}"
        case PickType():
            return f"{kinds.bound(kind.count)} {_brackets(bare)}, such as {example}"
        case SaidType():
            return f"1 to {kinds.bound(kind.most)} {_brackets(bare)}, such as {example}"
        case _:
            assert_never(kind)
    return f"{what}, such as {example}"


def _brackets(bare: bool) -> str:
    return "with or without square brackets" if bare else "in square brackets"


def is_maybe(parameter: Parameter) -> bool:
    """Whether an answer is a declaration that may come with the move: ``maybe NAME``. Spec 8.2."""
    return isinstance(parameter.type, FlagType) and parameter.domain_name == parameter.name


def fewest_answers(move: Move) -> int:
    """How many answers must be written: a ``maybe`` at the end may be left out, and means no."""
    needed = (number for number, parameter in enumerate(move.parameters, 1) if not is_maybe(parameter))
    return max(needed, default=0)


def read_move(program: Program, seat: int, text: str) -> Answer:
    """The answer that a text names; a ``maybe`` at the end may be left out.

    Raises Refused if there is no such move or an argument is none of its kind.
    """
    name, arguments = _taken_apart(text)
    index = next((i for i, move in enumerate(program.moves) if plain(move.name) == plain(name)), None)
    if index is None and plain(name) == "pass" and arguments == []:
        return Pass(seat)
    if index is None:
        known = [move.name for move in program.moves]
        raise Refused([_no_such_move(name, suggestion(name, [*known, "pass"]))])
    move = program.moves[index]
    parameters = move.parameters
    if arguments is None or not fewest_answers(move) <= len(arguments) <= len(parameters):
        raise Refused([engine_refusal("wrong_number_of_arguments", BAD_PARAMETER, how_to_write(program, move))])
    codes: list[int] = []
    arguments += ["no"] * (len(parameters) - len(arguments))
    for parameter, argument in zip(parameters, arguments, strict=True):
        code = read_value(program, parameter.type, argument)
        if code is None:
            raise no_choice(program, parameter, argument)
        codes.append(code)
    return Play(seat, index, tuple(codes))


def no_choice(program: Program, parameter: Parameter, word: str, hint: str = "") -> Refused:
    """The failure to raise for a value that is none of the parameter's: with a hint, or with what would be one."""
    kind = parameter.type
    if isinstance(kind, SaidType) and re.fullmatch(r"\[[\s,]*\]", word):
        hint = f" At least one is wanted, such as {speak(program, kind, kinds.least(kind))}."
    words = BAD_PARAMETER.sentence.format(value=word, parameter=parameter.name)
    expected = hint or f" It is {describe_kind(program, kind)}."
    return Refused([engine_refusal("bad_argument", BAD_PARAMETER, words + expected)])


def how_to_write(program: Program, move: Move, *, short: bool = False) -> str:
    """``Write 'lay(card, loudly)'; 'loudly' is yes or no, no if it is left out.`` ``short``: with blanks instead of
    brackets, as people type at the table: ``Write 'say SAID ... LOUDLY'``.
    """
    if not move.parameters:
        return f"Write '{move.name}'." if short else f"'{move.name}' needs no brackets."
    needed = fewest_answers(move)
    names: list[str] = []
    explained = ""
    for number, parameter in enumerate(move.parameters):
        names.append(parameter.name.upper() if short else parameter.name)
        if is_maybe(parameter):
            left_out = ", no if it is left out" if number >= needed else ""
            explained += f"; '{parameter.name}' is yes or no{left_out}"
        elif isinstance(parameter.type, SaidType | PickType):
            bare = short and number == needed - 1  # there it needs no brackets
            names[-1] = f"{names[-1]} ..." if bare else f"[{names[-1]}, ...]" if short else names[-1]
            explained += f"; '{parameter.name}' is {describe_kind(program, parameter.type, bare=bare)}"
    written = f"{move.name} {' '.join(names)}" if short else f"{move.name}({', '.join(names)})"
    return f"Write '{written}'{explained}."


def _taken_apart(text: str) -> tuple[str, list[str] | None]:
    """Name and arguments of a written move; None for arguments whose bracket is not closed."""
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name.strip(), []
    if not rest.endswith(")"):
        return name.strip(), None
    inside = rest[:-1].strip()
    return name.strip(), [part.strip() for part in re.split(r",(?![^\[]*\])", inside)] if inside else []


def _no_such_move(name: str, hint: str) -> Refusal:
    words = NO_SUCH_MOVE.sentence.format(move=name) + hint
    return engine_refusal("no_such_move", NO_SUCH_MOVE, words)
