"""Closing: an open program, a number of seats and options become a closed program. Spec 14.

First the choices are checked, each with its reason; then everything that is constant from now on is folded: bounds
and capacities become literals, branches that are decided are gone, and with them the nodes nobody can reach. The
folding of one formula is ``rulelang.play.folding``; sizes are checked before anything of that size is built.
"""

from collections.abc import Mapping
from typing import cast

import attrs

from rulelang import limits
from rulelang.diagnostics.codes import (
    BAD_OPTION_VALUE,
    CONFIGURATION_REFUSED,
    OPTION_NEEDS,
    SEATS_NOT_ALLOWED,
    UNKNOWN_OPTION,
)
from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Constant, Words
from rulelang.ir.program import Configuration, Marker, Option, Program, Start, Zone
from rulelang.ir.types import FlagType, NumberType, SingleType
from rulelang.play.fitting import check_boards, check_bounds, check_depth, check_members, check_moves
from rulelang.play.folding import Folder, before_play, fold_functions, most_locals
from rulelang.play.pruning import prune
from rulelang.play.reasons import engine_refusal
from rulelang.play.refusal import Refusal
from rulelang.play.words import describe_kind, is_written, plain, read_value, say, speak, suggestion

YES, NO = ("yes", "true", "on"), ("no", "false", "off")


def close(program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Program:
    """The program for this many seats and these options; what is not chosen has its default.

    Raises Refused with every reason against the configuration, Exhausted if it is larger than a game may be.
    """
    return prune(close_whole(program, seats, options))


def close_whole(program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Program:
    """The same with every node, also those that are decided or that nobody can reach, under their old numbers."""
    _check_seats(program, seats)
    check_depth(program)
    defaults = tuple(option.default for option in program.options)
    folder = Folder(attrs.evolve(program, configuration=Configuration(seats, defaults)))
    chosen = _chosen(folder, options)
    folder = Folder(attrs.evolve(program, configuration=Configuration(seats, chosen)))
    _close_sizes(folder)
    _check_needs(folder)
    _check_demands(folder)
    folder.program = folder.fold(folder.program)
    folder.program = attrs.evolve(folder.program, slots=tuple(_counted(folder, slot) for slot in folder.program.slots))
    check_bounds(folder)
    check_moves(folder.program)
    return folder.program


def _close_sizes(folder: Folder) -> None:
    """Fold boards first, then the indices of zones and markers: other kinds are counted with them."""
    fold_functions(folder)
    boards = tuple(folder.fold(board) for board in folder.program.boards)
    folder.program = attrs.evolve(folder.program, boards=boards)
    check_boards(folder.program)
    for place in range(len(folder.program.slots)):
        slots = list(folder.program.slots)
        slots[place] = attrs.evolve(slots[place], index=tuple(folder.fold(kind) for kind in slots[place].index))
        folder.program = attrs.evolve(folder.program, slots=tuple(slots))
    check_members(folder.program)
    fold_functions(folder)


def _counted(folder: Folder, slot: Zone | Marker) -> Zone | Marker:
    """A zone that says piece by piece what lies there before play, so that everybody can tell how much there is."""
    if isinstance(slot, Zone):
        return attrs.evolve(slot, starts=tuple(_listed(folder, start) for start in slot.starts))
    return slot


def _listed(folder: Folder, start: Start) -> Start:
    """Each value as often as it is there; unchanged if that takes too much, or is too much: it is refused later."""
    if isinstance(start.times, Constant) or not isinstance(start.values, Constant):
        return start
    pieces: list[int] = []
    try:
        for code in cast(tuple[int, ...], start.values.value):
            times = cast(int, folder.value_for(start.times, start.variable, code))
            if len(pieces) + times > limits.COLLECTION:
                return start
            pieces += [code] * times
    except Exhausted:
        return start
    return attrs.evolve(start, values=Constant(tuple(pieces)), times=Constant(1))


def _check_seats(program: Program, seats: int) -> None:
    fewest, most = program.fewest_seats, min(program.most_seats, limits.SEATS)
    if type(seats) is int and fewest <= seats <= most:
        return
    allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    raise Refused([engine_refusal("seats", SEATS_NOT_ALLOWED, allowed=allowed, seats=seats)])


def _chosen(folder: Folder, options: Mapping[str, int | str | bool]) -> tuple[int, ...]:
    """A code for every option. Raises Refused for options and values that do not exist."""
    declared = folder.program.options
    places = {plain(option.name): place for place, option in enumerate(declared)}
    chosen = [option.default for option in declared]
    reasons: list[Refusal] = []
    for given, value in options.items():
        place = places.get(plain(given))
        if place is None:
            words = UNKNOWN_OPTION.sentence.format(word=given) + suggestion(given, [each.name for each in declared])
            reasons.append(engine_refusal("unknown_option", UNKNOWN_OPTION, words))
            continue
        kind = folder.fold(declared[place].type)
        code = _option_code(folder.program, kind, value)
        if code is None:
            reasons.append(_bad_option(folder.program, declared[place], kind, value))
        else:
            chosen[place] = code
    if reasons:
        raise Refused(reasons)
    return tuple(chosen)


def _option_code(program: Program, kind: SingleType, value: int | str | bool) -> int | None:
    """The code of a chosen value, given as a label, a number, or yes or no."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if isinstance(kind, NumberType) and is_written(program, kind, value) else None
    spellings: tuple[str, ...] = (YES if value else NO) if isinstance(value, bool) else (value,)
    if isinstance(kind, FlagType):
        spellings = ("yes",) if plain(spellings[0]) in YES else ("no",) if plain(spellings[0]) in NO else ()
    codes = (read_value(program, kind, spelling) for spelling in spellings)
    return next((code for code in codes if code is not None), None)


def _bad_option(program: Program, option: Option, kind: SingleType, value: object) -> Refusal:
    words = BAD_OPTION_VALUE.sentence.format(word=option.name, value=value)
    expected = f" It is {describe_kind(program, kind)}."
    return engine_refusal("bad_option", BAD_OPTION_VALUE, words + expected, option.at)


def _check_needs(folder: Folder) -> None:
    """An option that differs from its default must have what it needs."""
    assert folder.program.configuration is not None
    reasons = []
    for option, code in zip(folder.program.options, folder.program.configuration.options, strict=True):
        if option.needs is None or code == option.default or folder.value(folder.fold(option.needs)):
            continue
        said = speak(folder.program, folder.fold(option.type), code)
        words = f"'{option.name}' cannot be '{said}' here."
        if option.words is not None:
            words = _said(folder, option.words)
        reasons.append(engine_refusal("option_needs", OPTION_NEEDS, words, option.at))
    if reasons:
        raise Refused(reasons)


def _check_demands(folder: Folder) -> None:
    """What the rules demand of the whole configuration; the code of a refusal is the demand's name."""
    reasons = [
        engine_refusal(demand.name, CONFIGURATION_REFUSED, _said(folder, demand.words), demand.at, named=True)
        for demand in folder.program.demands
        if not folder.value(folder.fold(demand.condition))
    ]
    if reasons:
        raise Refused(reasons)


def _said(folder: Folder, words: Words) -> str:
    folded = folder.fold(words)
    return say(folder.program, folded, before_play(folder.program, most_locals(folder.program)))
