"""Are the declarations sound: options, boards, tables, zones, markers, functions, moves, invariants? Spec 4.7, 5 to 8,
13.6 and 14.
"""

import re
from typing import Final, assert_never

import attrs

from rulelang.ir.codec import Path
from rulelang.ir.expressions import Constant, Expression, Partition, Span
from rulelang.ir.measure import NO_FRAME
from rulelang.ir.nodes import Loop
from rulelang.ir.program import (
    Board,
    Column,
    DeclaredSlot,
    Everyone,
    Marker,
    Move,
    Nobody,
    Option,
    Owner,
    Preference,
    Program,
    Seats,
    Start,
    These,
    Timer,
    Zone,
)
from rulelang.ir.sizes import least, size
from rulelang.ir.timing import ENDS, TIMES
from rulelang.ir.types import (
    CollectionType,
    FlagType,
    NamesType,
    NumberType,
    OptionalType,
    PickType,
    SaidType,
    SeatType,
    SingleType,
    TextType,
    Type,
)
from rulelang.ir.verify.formulas import Formulas, Scope
from rulelang.ir.verify.kinds import SEAT, Many, of_choice, of_parameter, of_single, of_type
from rulelang.ir.verify.searches import bind
from rulelang.ir.walk import walk_with_paths
from rulelang.limits import LOCALS

BEFORE_PLAY = Scope(NO_FRAME, LOCALS, 0, changing=False)
"""Formulas that are worked out when the program is closed or the table is laid."""


DURING_PLAY = Scope(NO_FRAME, LOCALS, 0)


def check(formulas: Formulas) -> None:
    """Look at every declaration."""
    program = formulas.program
    if not formulas.report.muted:
        _bounds(formulas)
        _tables(formulas)
    _options(formulas)
    for number, slot in enumerate(program.slots):
        _slot(formulas, slot, f"/slots/{number}")
    for number, function in enumerate(program.functions):
        scope = Scope(("function", number), function.locals, (1 << function.parameters) - 1)
        formulas.give(number, formulas.kind(function.body, (f"/functions/{number}", "body"), scope))
    for number, move in enumerate(program.moves):
        _move(formulas, number, move)
    for number, invariant in enumerate(program.invariants):
        scope = Scope(("none", number), invariant.locals, 0)
        formulas.flag(invariant.condition, (f"/invariants/{number}", "condition"), scope)
    for number, preference in enumerate(program.preferences):
        _preference(formulas, number, preference)
    _time(formulas)


# ------------------------------------------------------------------ before play

ANSWER: Final = r"/moves/\d+/parameters/\d+/type"
"""Where the kind of an answer stands."""


def _bounds(formulas: Formulas) -> None:
    """Bounds are numbers that can be known before play."""
    for path, value in walk_with_paths(formulas.program):
        match value:
            case NumberType():
                bounds: tuple[tuple[str, Expression], ...] = (("low", value.low), ("high", value.high))
            case CollectionType() | Span() | Loop():
                bounds = (("capacity", value.capacity),)
            case PickType():
                bounds = (("count", value.count),)
                if not re.fullmatch(ANSWER, path):
                    formulas.report.add(path, "only a move may ask for a pick")
            case SaidType():
                bounds = (("most", value.most),)
                if not re.fullmatch(ANSWER, path):
                    formulas.report.add(path, "only a move may ask for what is said")
            case Partition():
                bounds = (("low", value.low), ("high", value.high))
            case Board():
                bounds = (("rows", value.rows), ("columns", value.columns))
            case Timer():
                bounds = (("full", value.full),)
            case _:
                continue
        for name, bound in bounds:
            if not isinstance(bound, Constant):
                formulas.single(bound, (path, name), BEFORE_PLAY)


def _options(formulas: Formulas) -> None:
    program = formulas.program
    for number, option in enumerate(program.options):
        path = f"/options/{number}"
        if not isinstance(option.type, NumberType | NamesType | FlagType):
            formulas.report.add(f"{path}/type", "an option is a number, one of some names, or yes or no")
        elif not _has_code(program, option.type, option.default):
            formulas.report.add(f"{path}/default", "this is no value of the option")
        if option.needs is not None:
            formulas.flag(option.needs, (path, "needs"), BEFORE_PLAY)
        formulas.words(option.words, (path, "words"), BEFORE_PLAY)
    for number, demand in enumerate(program.demands):
        formulas.flag(demand.condition, (f"/demands/{number}", "condition"), BEFORE_PLAY)
        formulas.words(demand.words, (f"/demands/{number}", "words"), BEFORE_PLAY)
    _chosen(formulas, program.options)


def _chosen(formulas: Formulas, options: tuple[Option, ...]) -> None:
    """The configuration of a closed program chooses values that the options have."""
    program = formulas.program
    if program.configuration is not None:
        for number, (option, code) in enumerate(zip(options, program.configuration.options, strict=True)):
            if not _has_code(program, option.type, code):
                formulas.report.add(f"/configuration/options/{number}", f"this is no value of '{option.name}'")


def _has_code(program: Program, kind: SingleType, code: object) -> bool:
    """Whether this is a code of the kind, as far as that is known before the program is closed."""
    if not isinstance(code, int) or isinstance(code, bool):
        return False
    try:
        return 0 <= code - least(kind) < size(program, kind)
    except ValueError:
        return True


def _tables(formulas: Formulas) -> None:
    for number, table in enumerate(formulas.program.tables):
        for place, column in enumerate(table.columns):
            _column(formulas, column, f"/tables/{number}/columns/{place}")


def _column(formulas: Formulas, column: Column, path: str) -> None:
    for number, value in enumerate(column.values):
        if not _fits_column(formulas.program, column.type, value):
            formulas.report.add(f"{path}/values/{number}", f"{value!r} is no value of column '{column.name}'")


def _fits_column(program: Program, kind: Type, value: object) -> bool:
    match kind:
        case TextType():
            return isinstance(value, str)
        case CollectionType():
            if not isinstance(value, tuple):
                return False
            return all(_fits_column(program, kind.of, code) for code in value)
        case _:
            return _has_code(program, kind, value)


# ------------------------------------------------------------------ zones and markers


def _slot(formulas: Formulas, slot: DeclaredSlot, path: str) -> None:
    match slot:
        case Marker():
            if isinstance(slot.type, TextType):
                formulas.report.add(f"{path}/type", "a marker cannot say a text")
            formulas.fits(slot.initial, of_type(slot.type), (path, "initial"), BEFORE_PLAY)
        case Zone():
            for number, start in enumerate(slot.starts):
                _start(formulas, slot, start, ((path, "starts"), number))
            if slot.blind and slot.shape != "pile":
                formulas.report.add(path, f"unseen cards can lie only in a pile, and '{slot.name}' is a {slot.shape}")
            if slot.blind and (slot.sight.content != Nobody() or slot.sight.top != Nobody()):
                formulas.report.add(f"{path}/sight", f"unseen cards can lie in '{slot.name}', so nobody sees it")
        case _:
            assert_never(slot)
    for name in ("content", "top", "size"):
        _seats(formulas, slot, getattr(slot.sight, name), ((path, "sight"), name))


def _start(formulas: Formulas, zone: Zone, start: Start, path: Path) -> None:
    formulas.fits(start.values, Many(None, of_single(zone.content)), (path, "values"), BEFORE_PLAY)
    inner = bind(formulas, start.variable, of_single(zone.content), (path, "variable"), BEFORE_PLAY)
    formulas.single(start.times, (path, "times"), inner)


def _seats(formulas: Formulas, slot: DeclaredSlot, seats: Seats, path: Path) -> None:
    """Whether an audience of a zone or marker can be found out."""
    owned = bool(slot.index) and isinstance(slot.index[0], SeatType)
    match seats:
        case Everyone() | Nobody():
            pass
        case Owner():
            if not owned:
                formulas.report.add(path, f"'{slot.name}' has no owner")
        case These():
            scope = bind(formulas, seats.owner, SEAT, (path, "owner"), DURING_PLAY) if owned else DURING_PLAY
            formulas.fits(seats.seats, Many(None, SEAT), (path, "seats"), scope)
        case _:
            assert_never(seats)


# ------------------------------------------------------------------ moves


def _move(formulas: Formulas, number: int, move: Move) -> None:
    """The formulas of a move read the mover and the answers that are given when they are needed."""
    path = f"/moves/{number}"
    scope = Scope(("move", number), move.locals, 1)
    kinds = [SEAT, *(of_parameter(parameter.type) for parameter in move.parameters)]
    for local, kind in enumerate(kinds):
        formulas.put(scope.frame, local, kind, path)
        formulas.put(("procedure", move.procedure), local, kind, path)
    for place, parameter in enumerate(move.parameters):
        here: Path = ((path, "parameters"), place)
        given = attrs.evolve(scope, known=(1 << (place + 1)) - 1)
        formulas.fits(parameter.domain, Many(None, of_choice(parameter.type)), (here, "domain"), given)
        everything = attrs.evolve(scope, known=(1 << len(kinds)) - 1)
        for index, named in enumerate(parameter.named_places):
            formulas.named_place(named, ((here, "named_places"), index), everything)
    for place, requirement in enumerate(move.requirements):
        here = ((path, "requirements"), place)
        given = attrs.evolve(scope, known=(1 << (requirement.prefix + 1)) - 1)
        formulas.flag(requirement.condition, (here, "condition"), given)
        formulas.words(requirement.words, (here, "words"), attrs.evolve(given, witnesses=True))


def _preference(formulas: Formulas, number: int, preference: Preference) -> None:
    """Advice reads the asked seat and all answers; what it ranks by are single values."""
    path = f"/preferences/{number}"
    parameters = () if preference.move is None else formulas.program.moves[preference.move].parameters
    kinds = [SEAT, *(of_parameter(parameter.type) for parameter in parameters)]
    scope = Scope(("none", -1 - number), preference.locals, (1 << len(kinds)) - 1)
    for local, kind in enumerate(kinds):
        formulas.put(scope.frame, local, kind, path)
    formulas.flag(preference.condition, (path, "condition"), scope)
    for place, rank in enumerate(preference.ranks):
        formulas.single(rank.value, (((path, "ranks"), place), "value"), scope)


# ------------------------------------------------------------------ time


def _time(formulas: Formulas) -> None:
    """Clock and timers are kept in markers of their kinds, which everybody sees. Spec 11.1."""
    program = formulas.program
    if program.clock is not None:
        _kept(formulas, program.clock, TIMES, "/clock")
    elif program.timers:
        formulas.report.add("/timers", "there are timers and no clock")
    for number, timer in enumerate(program.timers):
        path = f"/timers/{number}"
        _kept(formulas, timer.left, NumberType(Constant(0), timer.full), f"{path}/left")
        _kept(formulas, timer.end, OptionalType(ENDS), f"{path}/end")
    used = [number for timer in program.timers for number in (timer.left, timer.end)]
    if len({*used, program.clock}) <= len(used):
        formulas.report.add("/timers", "two times are kept in one marker")


def _kept(formulas: Formulas, number: int, kind: SingleType, path: str) -> None:
    """A marker without family, of this kind, seen by everybody."""
    slot = formulas.program.slots[number]
    if not isinstance(slot, Marker) or slot.index or slot.type != kind:
        formulas.report.add(path, f"'{slot.name}' is no single marker for such a time")
    elif slot.sight.content != Everyone():
        formulas.report.add(path, f"not everybody sees '{slot.name}'")
