"""Formulas of a scenario, closed for one configured game and evaluated on a table. Spec 15.4."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from rulelang.ast import nodes as ast
from rulelang.checker.kinds import Kind
from rulelang.checker.symbols import LocalName
from rulelang.compiler.context import Frame
from rulelang.ir.expressions import Expression, Place, Value
from rulelang.ir.types import CollectionType, Type
from rulelang.play.engine import Game
from rulelang.play.folding import Folder
from rulelang.play.formulas import Context, evaluate, member_of
from rulelang.play.kinds import Layout
from rulelang.play.words import read_value, speak
from rulelang.scenarios.bench import Bench, PlayerName, RememberedName, SpotName
from rulelang.scenarios.spelling import place_in_plays

TABLE: Final = "table"
"""Who does what belongs to no seat. Spec 12.1."""

Environment = Mapping[str, Value]
"""What names stand for that are no players and no spots: by name."""


class Impossible(Exception):
    """What is given cannot be laid out, or what is said has no value: the scenario is in error."""


class Workshop:
    """Works out formulas, and says values in the words of the table, with the players' names."""

    def __init__(self, bench: Bench, game: Game, players: Sequence[PlayerName]) -> None:
        self.bench = bench
        self.game = game
        self.program = game.program
        self.layout = Layout.of(game.program)
        self.players = players
        self._folder = Folder(game.program)
        self._ready: dict[tuple[ast.Expr, Kind | None, bool], tuple[Expression | Place, Frame]] = {}

    # ------------------------------------------------------------------ values

    def value(
        self, node: ast.Expr, cells: Sequence[Any], wanted: Kind | None = None, env: Environment | None = None
    ) -> Value:
        """The value of a formula on a table. Raises Exhausted."""
        formula, frame = self.ready(node, wanted)
        return evaluate(cast(Expression, formula), self.context(frame, cells, env or {}))

    def spot(self, node: ast.Expr, cells: Sequence[Any], env: Environment | None = None) -> tuple[int, int]:
        """The zone or marker that a formula names: its slot and its member. Raises Exhausted."""
        place, frame = self.ready(node, None, place=True)
        found = cast(Place, place)
        return found.slot, member_of(found, self.context(frame, cells, env or {}))

    def ready(self, node: ast.Expr, wanted: Kind | None, *, place: bool = False) -> tuple[Expression | Place, Frame]:
        """A formula, or the place that it names, lowered and closed."""
        key = (node, wanted, place)
        if key not in self._ready:
            frame, lowering = Frame(), self.bench.lowering
            found = lowering.place(node, frame) if place else lowering.lower(node, frame, wanted)
            self._ready[key] = self._folder.fold(found), frame
        return self._ready[key]

    def context(self, frame: Frame, cells: Sequence[Any], env: Environment) -> Context:
        """What a lowered formula is evaluated in."""
        locals: list[Value] = [0] * len(frame.labels)
        for symbol, number in frame.numbers.items():
            locals[number] = self._local(symbol, env)
        return Context(self.program, self.layout, cells, locals)

    def _local(self, symbol: LocalName, env: Environment) -> Value:
        if isinstance(symbol, PlayerName):
            return symbol.seat
        if isinstance(symbol, SpotName):
            return self._spot_code(symbol)
        if isinstance(symbol, RememberedName) and symbol.name not in env:
            raise Impossible(f"nothing is called '{symbol.name}' where play would stand")
        return env.get(symbol.name, 0)

    def _spot_code(self, symbol: SpotName) -> int:
        kind = self.type_of(self.bench.kinds.locals[symbol])
        if not isinstance(kind, CollectionType):
            code = read_value(self.program, kind, symbol.text)  # type: ignore[arg-type]
            if code is not None:
                return code
        raise Impossible(f"the board has no {symbol.text}")

    # ------------------------------------------------------------------ words

    def type_of(self, kind: Kind) -> Type:
        """A kind as the closed program knows it."""
        return self._folder.fold(self.bench.lowering.types.type(kind))

    def say(self, kind: Type, value: Value) -> str:
        """A value, with the players' names."""
        if isinstance(kind, CollectionType) and not value:
            return "nothing"
        return self.named(speak(self.program, kind, value))

    def say_kind(self, kind: Kind, value: Value) -> str:
        """A value of a kind of the rules."""
        return self.say(self.type_of(kind), value)

    def say_place(self, slot: int, member: int) -> str:
        """A zone or marker, as plays write it: ``Ann's hand``, ``heap[2]``."""
        return place_in_plays(self.program, slot, member, self.say)

    def seat(self, name: str) -> int:
        """The seat of a player; behind the last one is the table, which does what belongs to nobody."""
        found = (player.seat for player in self.players if player.name == name)
        return next(found, len(self.players))

    def seat_name(self, seat: int) -> str:
        """What a seat is called."""
        return self.players[seat].name if seat < len(self.players) else TABLE

    def named(self, text: str) -> str:
        """A text about seats with their names here."""
        return re.sub(r"\b[Ss]eat ([0-9]+)\b", self._name_of, text)

    def _name_of(self, found: re.Match[str]) -> str:
        seat = int(found[1]) - 1
        return self.players[seat].name if 0 <= seat < len(self.players) else found[0]
