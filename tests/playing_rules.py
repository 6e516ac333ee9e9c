"""Rules as text, ready to be played."""

from collections.abc import Mapping

from rulelang.pipeline import compile_source
from rulelang.play.engine import Game
from rulelang.source import Source
from rulelang_reference import engine


def closed(rules: str, seats: int, options: Mapping[str, int | str | bool] | None = None) -> Game:
    """The game of these rules."""
    return engine.configure(compile_source(Source("game.rules", rules.lstrip()), "game").program, seats, options or {})
