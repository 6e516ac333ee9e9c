"""All configurations of a program, and in which of them a change can make a difference.

There may be more configurations than anybody could close. But a change is in a few parts of the program (a node, a
requirement, a define), and what those come to depends on the numbers of players and on the options that they read,
themselves or by what they apply. So the parts alone are folded, once for every number of players and every value of
those options: where they come to the same, the whole closed programs are the same, whatever else is chosen.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, Final, Protocol, cast

import attrs

from rulelang.failures import Exhausted
from rulelang.ir import expressions as ir
from rulelang.ir.nodes import Node, Return
from rulelang.ir.program import Configuration, Demand, Move, Program
from rulelang.ir.types import MemberType, RowType, SingleType
from rulelang.ir.walk import rebuild, walk
from rulelang.play import kinds
from rulelang.play.folding import Folder, fold_functions
from rulelang.play.record import option_label
from rulelang.play.words import plain
from rulelang.rulebook.mutating.changes import Change
from rulelang.rulebook.mutating.plain import plainer
from rulelang.rulebook.mutating.reached import Configured

CLASSES: Final = 5000
"""Numbers of players with values of the options that a change reads: of more, not all are looked at."""
LISTED: Final = 1000
"""Configurations in which a change can make a difference: of more, not all are looked at."""
GLANCED: Final = 16
"""Configurations that are given of those where they are not all: a difference may show in them."""

_FOLDED: Final = frozenset({"nodes", "functions", "moves", "slots", "timers"})
"""Sections of which each item is folded by itself."""
_NOTHING: Final = ir.Constant(0)


@attrs.frozen
class Unlike:
    """Where a change may make a difference."""

    configurations: tuple[Configured, ...]
    whole: bool
    """Whether it is shown that it makes none anywhere else."""


@attrs.frozen
class _Choice:
    """An option for so many players."""

    kind: SingleType
    codes: range


class _Parts(Protocol):
    """The parts of two programs that differ."""

    options: tuple[int, ...]
    """The options that they read."""

    def alike(self, seats: int, codes: tuple[int, ...]) -> bool:
        """Whether they come to the same for so many players and these codes of all options."""


class Everywhere:
    """All configurations of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._defaults = _defaults(program)
        self._choices: dict[int, tuple[_Choice, ...] | None] = {}

    def count(self) -> int:
        """How many there are: every number of players with every choice of every option, allowed together or not."""
        return sum(prod(len(choice.codes) for choice in self.choices(seats) or ()) for seats in _numbers(self.program))

    def within(self, configurations: Iterable[Configured]) -> int:
        """How many of these are among them, each counted once however its options are spelled."""
        options = self.program.options
        defaults = {plain(each.name): _spelled(option_label(each.type, each.default)) for each in options}
        found = set()
        for seats, chosen in configurations:
            if seats in _numbers(self.program):
                labels = defaults | {plain(name): _spelled(label) for name, label in chosen}
                found.add((seats, tuple(sorted(labels.items()))))
        return len(found)

    def choices(self, seats: int) -> tuple[_Choice, ...] | None:
        """Every option for so many players; None if one of them has bounds that are no numbers."""
        if seats not in self._choices:
            folder = Folder(attrs.evolve(self.program, configuration=Configuration(seats, self._defaults)))
            folded = [folder.fold(option.type) for option in self.program.options]
            try:
                found = tuple(_Choice(kind, kinds.all_codes(folder.program, kind)) for kind in folded)
                self._choices[seats] = found
            except ValueError:
                self._choices[seats] = None
        return self._choices[seats]

    def unlike(self, change: Change, changed: Program) -> Unlike:
        """Where a change may make a difference; of too many places not all."""
        sections = {cast(str, put.path[0]) for put in change.puts}
        here = _numbers(self.program)
        if sections <= {"fewest_seats", "most_seats"}:
            apart = sorted(set(here) ^ set(_numbers(changed)))
            return self._where(apart, _Allowed(self.program, _refused(self.program)))
        if sections <= _FOLDED:
            items = sorted({cast(tuple[str, int], put.path[:2]) for put in change.puts})
            return self._where(here, _Folded(self.program, changed, items))
        if sections <= {"demands", "options"}:
            other = [place for place, code in enumerate(_defaults(changed)) if code != self._defaults[place]]
            if not other:
                return self._where(here, _Allowed(self.program, changed))
            free = all(self.program.options[place].needs is None for place in other)
            if free and not _read(self.program, [option.type for option in self.program.options])[1]:
                return self._where(here, None, unchosen=other)
            return Unlike((), False)
        return self._where(here, None)

    def _where(self, numbers: Sequence[int], parts: _Parts | None, unchosen: Sequence[int] = ()) -> Unlike:
        """Where parts of two programs do not come to the same; anywhere, if it is not said what they read.

        Nothing is chosen for some options: of all others it is known that their choice makes no difference.
        """
        found: dict[Configured, None] = {}
        whole, looked = True, 0
        for seats in numbers:
            choices = self.choices(seats)
            read = () if parts is None else parts.options
            ways = prod(len(choices[option].codes) for option in read) if choices is not None else CLASSES
            looked += ways
            if choices is None or looked > CLASSES:
                whole = False
                continue
            rest = [option for option in range(len(choices)) if option not in read and option not in unchosen]
            others = prod(len(choices[option].codes) for option in rest)
            for chosen in product(*(choices[option].codes for option in read)):
                codes = list(self._defaults)
                for option, code in zip(read, chosen, strict=True):
                    codes[option] = code
                if parts is not None and parts.alike(seats, tuple(codes)):
                    continue
                found[self._configured(seats, codes)] = None  # first of all with what else is the default
                if not whole or len(found) + others > LISTED:
                    whole = False
                    if len(found) >= GLANCED:
                        return Unlike(tuple(found)[:GLANCED], False)
                    continue
                for more in product(*(choices[option].codes for option in rest)):
                    for option, code in zip(rest, more, strict=True):
                        codes[option] = code
                    found[self._configured(seats, codes)] = None
        return Unlike(tuple(found), whole)

    def _configured(self, seats: int, codes: Sequence[int]) -> Configured:
        """Seats and chosen options; what is the default is not chosen."""
        choices = self.choices(seats)
        assert choices is not None
        return seats, tuple(
            sorted(
                (option.name, option_label(choice.kind, code))
                for option, choice, code in zip(self.program.options, choices, codes, strict=True)
                if code != option.default
            )
        )


class _Folded:
    """Items of two programs, folded without the rest of them."""

    def __init__(self, program: Program, changed: Program, items: Sequence[tuple[str, int]]) -> None:
        self.items = items
        self.sides = [_reduced(each, items) for each in (program, changed)]
        self.options = tuple(sorted(set().union(*(options for _, options in self.sides))))

    def alike(self, seats: int, codes: tuple[int, ...]) -> bool:
        one, two = (self._folded(each, Configuration(seats, codes)) for each, _ in self.sides)
        return one == two

    def _folded(self, reduced: Program, configuration: Configuration) -> list[object]:
        folder = _with_sizes(reduced, configuration)
        found = (getattr(folder.program, section)[number] for section, number in self.items)
        return [rebuild(folder.fold(each), plainer) for each in found]


class _Allowed:
    """What decides in two programs whether a configuration is allowed: demands, and what options need."""

    def __init__(self, program: Program, changed: Program) -> None:
        self.sides = (program, changed)
        mentioned = set[int]()
        for each in self.sides:
            needing = [number for number, option in enumerate(each.options) if option.needs is not None]
            needs = [each.options[number].needs for number in needing]
            mentioned |= {*needing, *_read(each, [*(demand.condition for demand in each.demands), *needs])[1]}
        self.options = tuple(sorted(mentioned))

    def alike(self, seats: int, codes: tuple[int, ...]) -> bool:
        one, two = (self._allowed(each, Configuration(seats, codes)) for each in self.sides)
        return one == two

    def _allowed(self, program: Program, configuration: Configuration) -> bool | None:
        """Whether this is allowed; None if it takes too much to tell."""
        folder = _with_sizes(program, configuration)
        asked = [demand.condition for demand in program.demands]
        for option, code in zip(program.options, configuration.options, strict=True):
            if option.needs is not None and code != option.default:
                asked.append(option.needs)
        try:
            return all([folder.value(folder.fold(each)) for each in asked])
        except Exhausted:
            return None


def _with_sizes(program: Program, configuration: Configuration) -> Folder:
    """Folds parts of a program as closing does, and refuses nothing."""
    folder = Folder(attrs.evolve(program, configuration=configuration))
    fold_functions(folder)
    boards = tuple(folder.fold(board) for board in folder.program.boards)
    folder.program = attrs.evolve(folder.program, boards=boards)
    slots = list(folder.program.slots)
    for place, slot in enumerate(slots):
        slots[place] = attrs.evolve(slot, index=tuple(folder.fold(kind) for kind in slot.index))
        folder.program = attrs.evolve(folder.program, slots=tuple(slots))
    fold_functions(folder)
    return folder


def _reduced(program: Program, items: Sequence[tuple[str, int]]) -> tuple[Program, set[int]]:
    """A program without everything that items of it do not read, and the options that they do. Numbers stay."""
    parts = [getattr(program, section)[number] for section, number in items]
    functions, options = _read(program, parts)
    kept = {number for section, number in items if section == "functions"}
    functions |= kept
    reduced = attrs.evolve(
        program,
        demands=(),
        invariants=(),
        preferences=(),
        functions=tuple(
            each if number in functions else attrs.evolve(each, body=_NOTHING)
            for number, each in enumerate(program.functions)
        ),
        nodes=_but(program.nodes, [number for section, number in items if section == "nodes"]),
        moves=_but(program.moves, [number for section, number in items if section == "moves"]),
    )
    return reduced, options


def _but(items: tuple[Any, ...], kept: Sequence[int]) -> tuple[Any, ...]:
    """Items of which only some say anything."""
    return tuple(each if number in kept else _emptied(each) for number, each in enumerate(items))


def _emptied(item: Node | Move) -> Node | Move:
    if isinstance(item, Move):
        return attrs.evolve(item, parameters=(), requirements=())
    return Return(item.at)


def _read(program: Program, parts: Iterable[object]) -> tuple[set[int], set[int]]:
    """The functions and the options that parts of a program read, themselves or by what they name."""
    functions, options = set[int](), set[int]()
    waiting: list[object] = [each for each in parts if each is not None]
    named = set[tuple[str, int]]()
    while waiting:
        for part in walk(waiting.pop()):
            inside: list[tuple[str, int]] = []
            match part:
                case ir.OptionValue(option=option):
                    options.add(option)
                case ir.Apply(function=function):
                    functions.add(function)
                    inside.append(("functions", function))
                case MemberType(slot=slot):
                    inside.append(("slots", slot))
                case ir.Cell(table=table) | RowType(table=table):
                    inside.append(("tables", table))
                case _ if isinstance(getattr(part, "board", None), int):
                    inside.append(("boards", cast(Any, part).board))
                case _:
                    continue
            for each in inside:
                if each not in named:
                    named.add(each)
                    found = getattr(program, each[0])[each[1]]
                    waiting.extend(found.index if each[0] == "slots" else [found])
    return functions, options


def _numbers(program: Program) -> range:
    return range(program.fewest_seats, program.most_seats + 1)


def _defaults(program: Program) -> tuple[int, ...]:
    return tuple(option.default for option in program.options)


def _refused(program: Program) -> Program:
    """A program that no configuration is allowed of."""
    at = program.procedures[0].at
    return attrs.evolve(program, demands=(Demand("never", _NOTHING, ir.Words(()), at),))


def _spelled(label: int | str | bool) -> str:
    return ("yes" if label else "no") if isinstance(label, bool) else plain(str(label))


__all__ = ["Everywhere", "Unlike"]
