"""What can be changed of a declaration, besides the formulas in it."""

from collections.abc import Iterator

import attrs

from rulelang.ir.expressions import Constant
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import Everyone, Option, Program, Sight, Table, Zone
from rulelang.ir.types import FlagType, NamesType, NumberType
from rulelang.rulebook.mutating.formulas import Sort
from rulelang.rulebook.mutating.spots import GONE, Put

_PARTS = {"content": "what lies there", "top": "what lies on top", "size": "how much lies there"}


@attrs.frozen
class OtherDeclaration:
    """A declaration changed, and what was done."""

    sort: Sort
    said: str
    inside: str
    at: Source
    put: Put


def other_declarations(program: Program) -> Iterator[OtherDeclaration]:
    """Every change of a declaration, in the order of the program."""
    yield from _players(program)
    for number, option in enumerate(program.options):
        yield from _option(number, option)
    for number, demand in enumerate(program.demands):
        put = Put(("demands", number), GONE)
        yield OtherDeclaration("requirement", "demand left out", f"demand {demand.name}", demand.at, put)
    for number, table in enumerate(program.tables):
        yield from _table(number, table)
    for number, slot in enumerate(program.slots):
        pile = isinstance(slot, Zone) and slot.shape == "pile"
        for part in (
            ("content", "top", "size") if pile else ("content", "size") if isinstance(slot, Zone) else ("content",)
        ):
            if getattr(slot.sight, part) != Everyone():
                sight: Sight = attrs.evolve(slot.sight, **{part: Everyone()})
                put = Put(("slots", number, "sight"), sight)
                yield OtherDeclaration("visibility", f"everybody sees {_PARTS[part]}", slot.name, slot.at, put)
        for start in range(len(slot.starts) if isinstance(slot, Zone) else 0):
            put = Put(("slots", number, "starts", start), GONE)
            yield OtherDeclaration("setting", "begins without what lies there", slot.name, slot.at, put)
    for number, move in enumerate(program.moves):
        if move.private:
            put = Put(("moves", number, "private"), False)
            yield OtherDeclaration("visibility", "everybody observes the move", f"move {move.name}", move.at, put)
    for name in ("forced_chance", "forced_choices"):
        if getattr(program, name):
            at = program.procedures[0].at
            yield OtherDeclaration("setting", f"not automatic: {name}", "game", at, Put((name,), False))


def _players(program: Program) -> Iterator[OtherDeclaration]:
    fewest, most = program.fewest_seats, program.most_seats
    at = Source(
        Origin(program.procedures[0].at.origin.file, 1, 1)
    )  # the header; a program does not say where it stands
    yield OtherDeclaration("bound", "one player more is allowed", "players", at, Put(("most_seats",), most + 1))
    if fewest > 1:
        put = Put(("fewest_seats",), fewest - 1)
        yield OtherDeclaration("bound", "one player fewer is allowed", "players", at, put)
    if most > fewest:
        put = Put(("most_seats",), most - 1)
        yield OtherDeclaration("bound", _not_allowed(most), "players", at, put)
        put = Put(("fewest_seats",), fewest + 1)
        yield OtherDeclaration("bound", _not_allowed(fewest), "players", at, put)


def _not_allowed(players: int) -> str:
    return f"{players} player{' is' if players == 1 else 's are'} not allowed"


def _option(number: int, option: Option) -> Iterator[OtherDeclaration]:
    default = _other_default(option)
    inside = f"option {option.name}"
    if default is not None:
        put = Put(("options", number, "default"), default)
        yield OtherDeclaration("constant", "another default", inside, option.at, put)
    if option.needs is not None:
        put = Put(("options", number, "needs"), None)
        yield OtherDeclaration("requirement", "needs nothing", inside, option.at, put)


def _other_default(option: Option) -> int | None:
    """A neighbour of the default; None if it has none that is known before closing."""
    match option.type:
        case FlagType():
            return 1 - option.default
        case NamesType(labels=labels):
            return (option.default + 1) % len(labels) if len(labels) > 1 else None
        case NumberType(low=Constant(value=int(low)), high=Constant(value=int(high))):
            if option.default < high:
                return option.default + 1
            return option.default - 1 if option.default > low else None
        case _:
            return None


def _table(number: int, table: Table) -> Iterator[OtherDeclaration]:
    """Of every column, the first two values that differ exchanged."""
    for place, column in enumerate(table.columns):
        values = column.values
        other = next((row for row in range(1, len(values)) if values[row] != values[0]), None)
        if other is None or any(isinstance(value, str) for value in values):
            continue  # words of the table are shown to people, and change nothing in play
        swapped = list(values)
        swapped[0], swapped[other] = values[other], values[0]
        put = Put(("tables", number, "columns", place, "values"), tuple(swapped))
        said = f"{column.name} of {table.rows[0]} and {table.rows[other]} exchanged"
        yield OtherDeclaration("constant", said, f"table {table.name}", table.at, put)
