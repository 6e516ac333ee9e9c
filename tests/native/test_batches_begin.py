"""Games that come to a limit as they begin: batches say which, whatever interpreter plays them."""

import pytest

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text
from rulelang.play import batches
from rulelang_native import engine as native
from rulelang_reference import engine as reference

EARLY = """
game "Too much at once":
  players: 2
marker n: 0..5
overview:
  n rises by 9
  each p in players: p must go
  end game, nobody wins
move go: n becomes 1
"""


def test_a_limit_before_anybody_moves_is_told() -> None:
    program = compile_text(EARLY).program
    assert program is not None
    told = []
    for engine in (native, reference):
        with pytest.raises(Exhausted) as failure:
            batch = batches.begin(engine.configure(program, 2, {}), 3, 1)
            raise batch.failure(0) or AssertionError
        told.append(str(failure.value))
    assert told[0] == told[1] and told[0].startswith("RL8007")
