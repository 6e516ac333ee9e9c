"""13 Animals for tests: the table read by the names of its zones, and sets worked out without the engine."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from rulelang import load
from rulelang.ir.expressions import Apply, Constant, Value
from rulelang.play.engine import Game, State
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.play.position import Position, Unseen
from rulelang.rulesets import find

Options = Mapping[str, int | str | bool]
Hand = tuple[str, ...]
"""Names of animals, sorted."""


@cache
def closed(seats: int, options: tuple[tuple[str, int | str | bool], ...] = ()) -> Game:
    """The game for so many players with these options."""
    return load("13-animals").configure(seats, dict(options)).game


@cache
def layout_of(game: Game) -> Layout:
    """Where everything lies."""
    return Layout.of(game.program)


class Table:
    """One state, read as a table where everybody may look everywhere."""

    def __init__(self, state: State) -> None:
        self.program = state.game.program
        self.layout = layout_of(state.game)
        self.position: Position = state.position()
        self.slots = {slot.name: number for number, slot in enumerate(self.program.slots)}

    def members(self, name: str) -> tuple[Any, ...]:
        """What lies in, or is written on, every one of a family."""
        family = self.layout.families[self.slots[name]]
        return self.position.cells[family.base : family.base + family.count]

    def __getitem__(self, name: str) -> Any:
        """What a zone or marker without a family holds or says."""
        return self.members(name)[0]

    @property
    def animals(self) -> tuple[str, ...]:
        """The rows of the table of animals."""
        return next(table.rows for table in self.program.tables if table.name == "Animal")

    def cards(self) -> Counter[str]:
        """Every animal card, wherever it lies, those that lie unseen counted by their pools."""
        lying = Counter[str]()
        unseen = Counter[int]()
        for name in ("box", "deck", "heap", "hand", "meld"):
            for piece in (piece for pile in self.members(name) for piece in pile):
                if isinstance(piece, Unseen):
                    unseen[piece.pool] += 1
                else:
                    lying[self.animals[piece]] += 1
        for number, pool in enumerate(self.position.pools):
            assert len(pool) == unseen[number], "a pool has as many cards as lie unseen"
            lying.update(self.animals[code] for code in pool)
        return lying

    def holdings(self) -> list[int]:
        """How many cards each player has, those on the table with them."""
        hands, melds = self.members("hand"), self.members("meld")
        return [len(hand) + len(melds[2 * seat]) + len(melds[2 * seat + 1]) for seat, hand in enumerate(hands)]

    @property
    def stock(self) -> int:
        """How many cards lie face down."""
        return sum(len(deck) for deck in self.members("deck"))


def ask(game: Game, name: str, *arguments: Value) -> Any:
    """The value of a define."""
    program = game.program
    number = next(number for number, function in enumerate(program.functions) if function.name == name)
    formula = Apply(number, tuple(Constant(argument) for argument in arguments))
    return evaluate(formula, Context(program, Layout.of(program), (), []))


# ------------------------------------------------------------------ sets, from the data file alone


@cache
def data() -> Mapping[str, Any]:
    """The data file."""
    import tomllib

    return tomllib.loads((find("13-animals").parent / "components.toml").read_text(encoding="utf-8"))


def copies() -> dict[str, int]:
    """How many cards there are of each animal, by the name of its row."""
    return {kind["id"].replace("-", "_"): kind["copies"]["value"] for kind in data()["kind"]}


@cache
def sets() -> Mapping[Hand, int]:
    """Every complete set there can be, with its stars, under the options as they are."""
    classes = {kind["id"].replace("-", "_"): kind["class"]["value"] for kind in data()["kind"]}
    found: dict[Hand, int] = {}
    for recipe in data()["recipe"]:
        size, shape = recipe["size"]["value"], recipe["shape"]["value"]
        wild = {name.replace("-", "_") for name in recipe["wild"]}
        kinds = [name for name, kind in classes.items() if kind == recipe["class"]]
        for group in combinations_with_replacement(sorted(kinds), size):
            natural = [name for name in group if name not in wild]
            if shape == "different":
                complete = len(set(group)) == size
            else:
                complete = len(set(natural)) == 1 and len(natural) >= recipe.get("min_natural", {"value": 1})["value"]
            if complete and fits(group):
                found[group] = max(found.get(group, 0), recipe["stars"]["value"])
    return found


def fits(cards: Iterable[str]) -> bool:
    """Whether there are so many cards of each animal."""
    there = copies()
    return all(count <= there[name] for name, count in Counter(cards).items())


@cache
def whole(size: int) -> Mapping[Hand, int]:
    """Every hand of so many cards that can be divided into sets, with the most stars that it can give."""
    if size == 0:
        return {(): 0}
    found: dict[Hand, int] = {}
    for group, stars in sets().items():
        if len(group) <= size:
            for rest, more in whole(size - len(group)).items():
                hand = tuple(sorted((*rest, *group)))
                if found.get(hand, -1) < stars + more and fits(hand):
                    found[hand] = stars + more
    return found
