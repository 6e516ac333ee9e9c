"""An interpreter with a planted fault: a thin wrapper around a sound one, to see whether a comparison finds it.

    class Peeks(Fault):
        def view(self, state, seat):
            return state.view(0)

    engine = FaultyEngine(sound, Peeks())

A fault overrides the answers that it gets wrong; each is asked for with the sound state (or game), in which it can
look.
"""

from collections.abc import Mapping
from typing import Any, Final

from rulelang.ir.program import Program
from rulelang.play.engine import Engine, Game, State
from rulelang.play.event import Event

PROPERTIES: Final = ("waiting", "outcome", "cost", "event", "hash")
"""What a state is asked for without brackets."""


class Fault:
    """No fault at all. Whatever a subclass defines under the name of a state's or game's answer takes its place."""

    name = "faulty"

    def configure(self, engine: Engine, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        """The game; a fault may give another."""
        return engine.configure(program, seats, options)

    def start(self, game: Game) -> State:
        """The start; a fault may give another."""
        return game.start()

    def step(self, state: State, event: Event) -> State:
        """The state after an event; a fault may give another."""
        return state.step(event)


class FaultyEngine:
    """An engine that has the fault."""

    def __init__(self, sound: Engine, fault: Fault) -> None:
        self.sound = sound
        self.fault = fault
        self.name = fault.name

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> "FaultyGame":
        """Close a program, with the fault."""
        return FaultyGame(self.fault.configure(self.sound, program, seats, options), self.fault)


class _Faulty:
    """Asks the fault if it has something to say, and else the sound one."""

    def __init__(self, sound: Any, fault: Fault) -> None:
        self.sound = sound
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        wrong = getattr(self.fault, name, None)
        if wrong is None:
            return getattr(self.sound, name)
        if name in PROPERTIES:
            return wrong(self.sound)
        return lambda *given: wrong(self.sound, *given)


class FaultyGame(_Faulty):
    """A game of which some answers are wrong."""

    def start(self) -> "FaultyState":
        """The first waiting state."""
        return FaultyState(self, self.fault.start(self.sound))

    def compiled_playouts(self, *given: Any, **more: Any) -> Any:
        """Whole games of the sound one, if it compiles them; a fault of the same name may give others."""
        return self._optional("compiled_playouts", given, more)

    def batch(self, *given: Any) -> Any:
        """A batch of the sound one, if it has its own; a fault of the same name may give another."""
        return self._optional("batch", given, {})

    def _optional(self, name: str, given: tuple[Any, ...], more: dict[str, Any]) -> Any:
        wrong, sound = getattr(self.fault, name, None), getattr(self.sound, name, None)
        return wrong(self.sound, *given, **more) if wrong else None if sound is None else sound(*given, **more)

    def from_bytes(self, data: bytes) -> "FaultyState":
        """The state with these bytes; ``loaded`` of a fault may give another."""
        loaded = getattr(self.fault, "loaded", None)
        return FaultyState(self, loaded(self.sound, data) if loaded else self.sound.from_bytes(data))

    def position(self, position: Any) -> "FaultyState":
        """The state of a position; ``laid_out`` of a fault may give another."""
        laid = getattr(self.fault, "laid_out", None)
        return FaultyState(self, laid(self.sound, position) if laid else self.sound.position(position))

    def invariants(self, state: "FaultyState") -> Any:
        """The promises that do not hold; ``broken`` of a fault may give others."""
        broken = getattr(self.fault, "broken", None)
        return broken(self.sound, state.sound) if broken else self.sound.invariants(state.sound)


class FaultyState(_Faulty):
    """A state of which some answers are wrong."""

    def __init__(self, game: FaultyGame, sound: Any) -> None:
        super().__init__(sound, game.fault)
        self.game = game

    def step(self, event: Event) -> "FaultyState":
        """The state after the event."""
        return FaultyState(self.game, self.fault.step(self.sound, event))

    @property
    def previous(self) -> "FaultyState | None":
        """The state before; ``before`` of a fault may give another."""
        before = getattr(self.fault, "before", None)
        sound = before(self.sound) if before else self.sound.previous
        return None if sound is None else FaultyState(self.game, sound)
