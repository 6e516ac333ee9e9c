"""Taiwan Monsters Brawl for tests: the table read by names, games step by step, and lines worked out from the data."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from rulelang import load
from rulelang.play import kinds
from rulelang.play.chance import Stream
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Event, Outcome, Pass, Play
from rulelang.play.kinds import Layout
from rulelang.play.position import Position, Unseen
from rulelang.rulesets import find

RULESET = "taiwan-monsters-brawl"
Options = tuple[tuple[str, int | str | bool], ...]

DICE = {"grey": 4, "black": 3, "red": 3}
"""TMB-COMP-08 to 10."""


@cache
def closed(seats: int, options: Options = (), engine: str = "reference") -> Game:
    """The game for so many players with these options."""
    return load(RULESET, engine=engine).configure(seats, dict(options)).game


@cache
def layout_of(game: Game) -> Layout:
    """Where everything lies."""
    return Layout.of(game.program)


@cache
def slots_of(game: Game) -> Mapping[str, int]:
    """The numbers of the zones and markers by their names."""
    return {slot.name: number for number, slot in enumerate(game.program.slots)}


@cache
def rows(game: Game, table: str) -> tuple[str, ...]:
    """The names of the rows of a table, in the order of their codes."""
    return next(each.rows for each in game.program.tables if each.name == table)


@cache
def labels(game: Game, kind: str) -> tuple[str, ...]:
    """The names of the values of a kind, in the order of their codes, read from a marker that has it."""
    for slot in game.program.slots:
        found = getattr(slot, "type", None)
        found = getattr(found, "of", found)
        if getattr(found, "name", None) == kind:
            names: tuple[str, ...] = found.labels
            return names
    raise LookupError(kind)


class Table:
    """One state, read as a table where everybody may look everywhere."""

    def __init__(self, state: State) -> None:
        self.game = state.game
        self.program = state.game.program
        self.layout = layout_of(state.game)
        self.position: Position = state.position()
        self.slots = slots_of(state.game)

    def members(self, name: str) -> tuple[Any, ...]:
        """What lies in, or is written on, every one of a family."""
        family = self.layout.families[self.slots[name]]
        return self.position.cells[family.base : family.base + family.count]

    def __getitem__(self, name: str) -> Any:
        """What a zone or marker without a family holds or says."""
        return self.members(name)[0]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.members("hand"))

    @property
    def phase(self) -> str:
        """The phase of the round."""
        return labels(self.game, "Phase")[self["phase"]]

    @property
    def window(self) -> str:
        """The spell window that is open; empty if none is."""
        return "" if self["moment"] < 0 else labels(self.game, "Window")[self["moment"]]

    def monster(self, seat: int) -> str:
        """Whom a seat plays; empty before it has chosen."""
        return "".join(rows(self.game, "Monster")[code] for code in self.members("monster")[seat])

    def board(self, seat: int) -> tuple[str, ...]:
        """The rune on each of the sixteen cells of a seat, row by row from the top; empty where there is none."""
        names = rows(self.game, "Rune")
        return tuple("".join(names[code] for code in cell) for cell in self.members("rune")[16 * seat : 16 * seat + 16])

    def spent(self, seat: int) -> tuple[bool, ...]:
        """Whether a rune shows its back, for each of the sixteen cells of a seat."""
        return tuple(map(bool, self.members("spent")[16 * seat : 16 * seat + 16]))

    def coloured(self, seat: int) -> int:
        """How many coloured runes a seat has."""
        return sum(bool(rune) and not back for rune, back in zip(self.board(seat), self.spent(seat), strict=True))

    def count(self, table: str, zones: Sequence[str]) -> Counter[str]:
        """Every piece of these zones by its name, those that lie unseen counted by their pools."""
        names, lying, unseen = rows(self.game, table), Counter[str](), Counter[int]()
        for zone in zones:
            for piece in (piece for place in self.members(zone) for piece in place):
                if isinstance(piece, Unseen):
                    unseen[piece.pool] += 1
                else:
                    lying[names[piece]] += 1
        for pool, size in unseen.items():
            assert len(self.position.pools[pool]) == size, "a pool has as many cards as lie unseen"
            lying.update(names[code] for code in self.position.pools[pool])
        return lying

    def pool_of_spells(self) -> set[int]:
        """The pools of the Spell Cards that nobody sees."""
        return {piece.pool for piece in self["spell_deck"] if isinstance(piece, Unseen)}


def changed(game: Game, position: Position, values: Mapping[str, Sequence[Any]]) -> Position:
    """The position with other things in, or written on, these families."""
    cells = list(position.cells)
    for name, members in values.items():
        family = layout_of(game).families[slots_of(game)[name]]
        assert len(members) == family.count
        cells[family.base : family.base + family.count] = list(members)
    return attrs.evolve(position, cells=tuple(cells))


# ------------------------------------------------------------------ games, step by step

Choose = Callable[[State, Stream], Answer]


def at_random(state: State, draw: Stream) -> Answer:
    """Any legal answer of the seat that is asked first."""
    answers = state.moves(state.waiting.seats[0])
    assert answers, "who is asked can always answer"
    return answers[draw.below(len(answers))]


def advised(state: State, draw: Stream) -> Answer:
    """The answer that the rules advise; any if they advise none."""
    return state.preferred(state.waiting.seats[0]) or at_random(state, draw)


def steps(game: Game, seed: int, choose: Choose = at_random) -> Iterator[tuple[State, Event, State]]:
    """A game from its start to its end: every event, between the states before and after it."""
    state, draw = game.start(), Stream(seed)
    while state.waiting.kind != "over":
        event = Outcome(state.sample(draw)) if state.waiting.kind == "chance" else choose(state, draw)
        after = state.step(event)
        yield state, event, after
        state = after


def move_of(game: Game, event: Event) -> str:
    """The name of a move; ``pass`` for a pass; empty for what chance gives."""
    match event:
        case Play():
            return game.program.moves[event.move].name
        case Pass():
            return "pass"
        case _:
            return ""


def offered(state: State) -> tuple[str, ...]:
    """The names of the moves that are waited for."""
    return tuple(state.game.program.moves[move].name for move in state.waiting.moves)


def play(state: State, seat: int, move: str, *arguments: int) -> Play:
    """An attempt at a move by its name."""
    names = [each.name for each in state.game.program.moves]
    return Play(seat, names.index(move), arguments)


def attempts(state: State, seat: int, draw: Stream, each: int = 4) -> list[Answer]:
    """Some of everything that a seat can try, possible or not."""
    program = state.game.program
    found: list[Answer] = [Pass(seat)]
    for number, move in enumerate(program.moves):
        for _ in range(each if move.parameters else 1):
            codes = tuple(
                kinds.least(parameter.type) + draw.below(kinds.size(program, parameter.type))
                for parameter in move.parameters
            )
            found.append(Play(seat, number, codes))
    return found


# ------------------------------------------------------------------ the data, and what follows from them


@cache
def data() -> Mapping[str, Any]:
    """The data file."""
    return tomllib.loads((folder() / "components.toml").read_text(encoding="utf-8"))


def folder() -> Path:
    """Where the ruleset lies."""
    return find(RULESET).parent


@cache
def record(table: str, id: str) -> Mapping[str, Any]:
    """One row of a table of the data file."""
    return next(row for row in data()[table] if row["id"] == id)


def grid(monster: str) -> list[str]:
    """The sixteen cells of a monster, row by row from the top."""
    found: list[str] = record("monsters", monster)["grid"]
    return found


def takes(cell: str) -> list[str]:
    """The runes that may be put on such a cell."""
    found: list[str] = record("cell", cell).get("takes", [])
    return found


TRACKS = {
    **{f"row{row + 1}": tuple(range(4 * row, 4 * row + 4)) for row in range(4)},
    **{f"col{column + 1}": tuple(range(column, 16, 4)) for column in range(4)},
}
"""The rows and columns of a board, by their cells from the top left."""


def segments(cells: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """TMB-R-10: Empty Spaces and the edge cut each row and column into segments; those of two or more cells."""
    found: dict[str, tuple[int, ...]] = {}
    for name, track in TRACKS.items():
        runs: list[list[int]] = [[]]
        for place in track:
            if cells[place] == "hole":
                runs.append([])
            else:
                runs[-1].append(place)
        long = [tuple(run) for run in runs if len(run) >= 2]
        if long:
            (found[name],) = long  # four cells have room for one
    return found


def lines(
    cells: Sequence[str], board: Sequence[str], spent: Sequence[bool], extent: str, power_used: bool
) -> dict[str, tuple[int, ...]]:
    """TMB-R-10: the lines of a board, each with its cells.

    All Blank and Designated cells of the segment hold runes (or of the whole track, with whole_track_filled), and one
    coloured rune at least would be turned over: an Ultimate Power Rune would not if the power was used (TMB-R-22).
    """
    found: dict[str, tuple[int, ...]] = {}
    for name, segment in segments(cells).items():
        to_fill = segment if extent == "segment" else TRACKS[name]
        filled = all(board[place] for place in to_fill if takes(cells[place]))
        turned = any(
            board[place] and not spent[place] and not (board[place] == "ultimate" and power_used) for place in segment
        )
        if filled and turned:
            found[name] = segment
    return found
