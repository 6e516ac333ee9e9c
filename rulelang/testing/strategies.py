"""Hypothesis strategies over the generators of this package, and the profiles of the tests.

    @given(programs())
    def test_...(text: str) -> None: ...

The strategies draw every decision from Hypothesis, so that what fails is made smaller. Tests that only need very many
examples take `Dice.seeded` instead, which is faster.
"""

from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rulelang.play.engine import State
from rulelang.play.event import Event
from rulelang.testing.damage import damaged as damage
from rulelang.testing.dice import Dice
from rulelang.testing.playing import attempts
from rulelang.testing.programs import game_text

_PATIENT: Final = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, max_examples=40, suppress_health_check=_PATIENT
)
settings.register_profile(
    "soak", derandomize=False, database=None, deadline=None, max_examples=5_000, suppress_health_check=_PATIENT
)


class _Drawn:
    """Draws of Hypothesis, as anything that draws."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        return self._draw(st.integers(0, bound - 1))


@st.composite
def dice(draw: st.DrawFn) -> Dice:
    """Dice whose every throw Hypothesis decides."""
    return Dice(_Drawn(draw))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a whole game."""
    return game_text(draw(dice()))


@st.composite
def damaged(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Texts to which something was done."""
    return damage(draw(texts), draw(dice()))


@st.composite
def answers(draw: st.DrawFn, state: State) -> Event:
    """A well-typed event, most likely illegal."""
    return next(attempts(state, draw(dice()), 1))
