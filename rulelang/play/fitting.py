"""Whether a configured game fits into the limits, checked before anything of that size is built. Spec 16."""

from collections.abc import Iterator
from math import prod

from rulelang import limits
from rulelang.diagnostics.codes import (
    EMPTY_BOARD,
    EMPTY_RANGE,
    TIMER_LENGTH,
    TOO_DEEP,
    TOO_LARGE,
    TOO_MANY_CHOICES,
)
from rulelang.failures import Broken
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression
from rulelang.ir.nodes import Loop
from rulelang.ir.program import Parameter, Program, Timer
from rulelang.ir.types import CollectionType, NumberType, PickType, SaidType
from rulelang.ir.walk import children, walk
from rulelang.play import kinds
from rulelang.play.folding import Folder, callees_first
from rulelang.play.reasons import exhausted, standing


def check_depth(program: Program) -> None:
    """Refuse formulas that are nested too deeply, counted through the defines that they apply."""
    functions: dict[int, int] = {}
    for number in callees_first(program):
        function = program.functions[number]
        with standing(function.at):
            functions[number] = _depth(function.body, functions)
    for part in (
        program.options,
        program.demands,
        program.boards,
        program.slots,
        program.moves,
        program.nodes,
        program.timers,
    ):
        for inner in part:
            with standing(inner.at):
                _depth(inner, functions)


def _depth(part: object, functions: dict[int, int]) -> int:
    deepest = max((_depth(child, functions) for child in children(part)), default=0)
    if isinstance(part, ir.Apply):
        deepest = max(deepest, functions[part.function])
    if deepest >= limits.FORMULA_DEPTH:
        raise exhausted(TOO_DEEP, limit=limits.FORMULA_DEPTH)
    return deepest + 1


def check_boards(program: Program) -> None:
    """Refuse boards that are empty or too large."""
    for place, board in enumerate(program.boards):
        with standing(board.at):
            rows, columns = kinds.board_size(program, place)
            if min(rows, columns) < 1:
                sides = "rows" if rows < 1 else "columns"
                raise exhausted(EMPTY_BOARD, word=board.name, count=min(rows, columns), sides=sides)
            if rows * columns > limits.COLLECTION:
                raise exhausted(TOO_LARGE, word=board.name, size=rows * columns, limit=limits.COLLECTION)


def check_members(program: Program) -> None:
    """Refuse families with too many members, each alone and all together."""
    total = 0
    for slot in program.slots:
        with standing(slot.at):
            total += prod(kinds.size(program, index) for index in slot.index)
            if total > limits.COLLECTION:
                raise exhausted(TOO_LARGE, word=slot.name, size=total, limit=limits.COLLECTION)


def check_moves(program: Program) -> None:
    """Refuse moves that cannot all be numbered."""
    total = 1
    for move in program.moves:
        with standing(move.at):
            for parameter in move.parameters:
                if isinstance(parameter.type, SaidType):
                    _check_said(program, parameter)
            total += prod(kinds.size(program, parameter.type) for parameter in move.parameters)
            if total > limits.INTEGER_MAX:
                raise exhausted(TOO_MANY_CHOICES, word=move.name, size=total, limit=limits.INTEGER_MAX)


def _check_said(program: Program, parameter: Parameter) -> None:
    """Refuse an answer of which there are too many."""
    said = kinds.size(program, parameter.type)
    if said > limits.SAID:
        raise exhausted(TOO_MANY_CHOICES, word=parameter.name, size=said, limit=limits.SAID)


def check_bounds(folder: Folder) -> None:
    """Every bound is a literal now; one that could not be computed refuses with its own reason."""
    for declared in children(folder.program):
        with standing(getattr(declared, "at", None)):
            for part in walk(declared):
                _check_bound(folder, part)


def _check_bound(folder: Folder, part: object) -> None:
    for bound in _bounds(part):
        if not isinstance(bound, ir.Constant):
            if folder.is_constant(bound):
                folder.value(bound)
            raise Broken("a bound depends on the state of the game")
    if isinstance(part, PickType) and not 0 <= (count := kinds.bound(part.count)) <= limits.PICKED:
        if count < 0:
            raise exhausted(EMPTY_RANGE, low=0, high=count)
        raise exhausted(TOO_LARGE, word="one answer", size=count, limit=limits.PICKED)
    if isinstance(part, SaidType) and not 1 <= (most := kinds.bound(part.most)) <= limits.PICKED:
        if most < 1:
            raise exhausted(EMPTY_RANGE, low=1, high=most)
        raise exhausted(TOO_LARGE, word="one answer", size=most, limit=limits.PICKED)
    if isinstance(part, Timer) and not 1 <= (full := kinds.bound(part.full)) <= limits.TIMER_LENGTH:
        raise exhausted(TIMER_LENGTH, word=part.name, time=full, limit=limits.TIMER_LENGTH)
    if isinstance(part, CollectionType) and kinds.bound(part.capacity) > limits.COLLECTION:
        raise exhausted(TOO_LARGE, word="a collection", size=kinds.bound(part.capacity), limit=limits.COLLECTION)


def _bounds(part: object) -> Iterator[Expression]:
    if isinstance(part, NumberType):
        yield from (part.low, part.high)
    elif isinstance(part, CollectionType | ir.Span | Loop):
        yield part.capacity
    elif isinstance(part, PickType):
        yield part.count
    elif isinstance(part, SaidType):
        yield part.most
    elif isinstance(part, Timer):
        yield part.full
    elif isinstance(part, ir.Partition):
        yield from (part.low, part.high)
