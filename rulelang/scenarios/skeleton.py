"""A record as a scenario to go on from: who plays, what was done, and what then is true. Spec 15.4.

It is a beginning, not an end: its title and its last lines are for the author. What a play file cannot say (an outcome
of chance whose kind nobody can tell) stands there as a comment.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import (
    CollectionType,
    FlagType,
    MemberType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    SaidType,
    SeatType,
    Type,
)
from rulelang.play import kinds
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Unseen
from rulelang.play.words import speak
from rulelang.scenarios.spelling import place_in_plays
from rulelang.scenarios.table import kind_of_chance

NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hans")
"""What the seats are called; further ones have numbers."""
MOST_PIECES: Final = 12
"""Pieces of a zone that are listed."""


class Skeleton:
    """Writes the lines of one scenario, in one configured game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program: Program = game.program
        self.layout = kinds.Layout.of(game.program)
        seats = kinds.seat_count(game.program)
        self.names = (*NAMES, *(f"P{number}" for number in range(len(NAMES) + 1, seats + 1)))[:seats]

    def lines(
        self, title: str, events: Sequence[Event], options: Sequence[tuple[str, int | str | bool]]
    ) -> Iterator[str]:
        """The scenario up to where the events lead, without ``then``."""
        yield f'scenario "{title}" of "{self.program.name}":'
        yield "  given:"
        yield f"    players: {', '.join(self.names)}"
        for name, label in options:
            said = ("yes" if label else "no") if isinstance(label, bool) else label
            yield f"    option {name} = {said}"
        if events:
            yield "  when:"
            yield from (f"    {line}" for line in self.happenings(events))

    def happenings(self, events: Sequence[Event]) -> Iterator[str]:
        """One line for each event; what chance gives after a move stands behind it."""
        state, line = self.game.start(), ""
        for event in events:
            if isinstance(event, Outcome):
                given = self.outcome(state, event)
                if given is None:
                    line += f"{'' if line else '# '}  # chance gives {event.value}, which no line can say"
                elif line and "#" not in line:
                    line += f", {given}" if " giving " in line or line.startswith("chance") else f"  giving {given}"
                else:
                    if line:
                        yield line
                    line = f"chance gives {given}"
            else:
                if line:
                    yield line
                *earlier, line = self.next(state, event)
                yield from earlier
            state = state.step(event)
        if line:
            yield line

    def next(self, state: State, event: Event) -> list[str]:
        """The lines of an event that comes in a state, by itself."""
        if isinstance(event, Expiry) and state.deadline is not None:
            return [f"at {state.deadline[1] / 1000:.3f}: nothing"]  # then it has run out
        if isinstance(event, Outcome):
            given = self.outcome(state, event)
            said = f"# chance gives {event.value}, which no line can say"
            return [said if given is None else f"chance gives {given}"]
        return self.deeds(event)

    def outcome(self, state: State, event: Outcome) -> str | None:
        """What chance gives, in words; None if its kind cannot be told."""
        kind = kind_of_chance(self.program, state.waiting.node)
        return None if kind is None else self.value(kind, event.value)

    def deeds(self, event: Event) -> list[str]:
        """The lines of an event that is no outcome."""
        if isinstance(event, Play | Pass):
            return [self.act(event)]
        if isinstance(event, Reading):
            return [f"at {event.time / 1000:.3f}: nothing"]
        if isinstance(event, Expiry):
            return [f"# {self.program.timers[event.timer].name} runs out"]
        return [self.act(answer) for answer in getattr(event, "answers", ())]

    def act(self, answer: Answer) -> str:
        """``Ann: place(b2)``"""
        who = self.names[answer.seat] if answer.seat < len(self.names) else "table"
        return f"{who}: {self.deed(answer)}"

    def deed(self, answer: Answer) -> str:
        """A move as scenarios write it."""
        if isinstance(answer, Pass):
            return "pass"
        move = self.program.moves[answer.move]
        said = [
            self.value(parameter.type, argument)
            for parameter, argument in zip(move.parameters, answer.arguments, strict=False)
        ]
        return f"{move.name}({', '.join(said)})" if said else move.name

    # -------------------------------------------------------------- values

    def value(self, kind: Type, value: Any) -> str:
        """A value as a formula of a scenario."""
        match kind:
            case CollectionType(of=of):
                return f"[{', '.join(self.value(of, each) for each in value)}]"
            case OptionalType(of=of):
                if value == kinds.none_code(kind):
                    return "nobody" if isinstance(of, SeatType) else "none"
                return self.value(of, value)
            case SeatType():
                return self.names[value] if 0 <= value < len(self.names) else "nobody"
            case RecordType(fields=fields) if kinds.contains(self.program, kind, value):
                parts = kinds.split(self.program, kind, value)
                said = [self.value(field.type, part) for field, part in zip(fields, parts, strict=True)]
                return f"{kind.name}({', '.join(said)})"
            case PickType(of=of):
                codes = kinds.pick(self.program, kind, value)
                return f"[{', '.join(self.value(of, code) for code in codes)}]"
            case SaidType(of=of):
                codes = kinds.said(self.program, kind, value)
                return f"[{', '.join(self.value(of, code) for code in codes)}]"
            case MemberType(slot=slot):
                return self.place(slot, value)
            case NumberType() | FlagType():
                return speak(self.program, kind, value)
            case _:
                return speak(self.program, kind, value)

    def place(self, slot: int, member: int) -> str:
        """``Ann's hand``, ``heap[2]``"""
        return place_in_plays(self.program, slot, member, self.value)

    # -------------------------------------------------------------- what is true

    def now(self, state: State) -> Iterator[str]:
        """What anybody at the table would say of a state."""
        if state.outcome is not None:
            yield self.result(state.outcome)
            return
        seats = [self.names[seat] if seat < len(self.names) else "table" for seat in state.waiting.seats]
        yield f"to move: {', '.join(seats)}" if seats else "game goes on"

    def result(self, outcome: GameOutcome) -> str:
        """``game over, Ann wins``"""
        if outcome.kind == "amounts":
            return f"game over, {', '.join(f'{n} gets {a}' for n, a in zip(self.names, outcome.returns, strict=True))}"
        if outcome.kind == "grade":
            return f"game over, grade {outcome.grade}"
        if outcome.kind != "winners":
            return f"game over, {outcome.kind}"
        if not outcome.winners or len(outcome.winners) == len(self.names):
            return "game over, nobody wins"
        winners = [self.names[seat] for seat in outcome.winners]
        return f"game over, {' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}"

    def lies(self, state: State, slot: int, member: int) -> str:
        """What a marker says or a zone holds."""
        declared, place = self.program.slots[slot], self.place(slot, member)
        content = state.position().cells[self.layout.families[slot].base + member]
        if not isinstance(declared, Zone):
            return f"{place} is {self.value(declared.type, content)}"
        pieces = cast(tuple[Any, ...], content)
        if not pieces:
            return f"{place} is empty"
        if len(pieces) > MOST_PIECES:
            return f"size of {place} is {len(pieces)}"
        said = ("anything" if isinstance(each, Unseen) else self.value(declared.content, each) for each in pieces)
        return f"{place} holds {', '.join(said)}"

    def knows(self, answer: Answer) -> bool:
        """Whether this game has words for an answer."""
        if isinstance(answer, Pass):
            return True
        if not 0 <= answer.move < len(self.program.moves):
            return False
        pairs = zip(self.program.moves[answer.move].parameters, answer.arguments, strict=False)
        return all(kinds.contains(self.program, parameter.type, code) for parameter, code in pairs)

    def attempt(self, state: State, answer: Answer, said: str | None = None) -> str:
        """An attempt, with what comes of it; ``said`` if this game has no words for it."""
        try:
            reasons = state.refusals(answer)
        except (Refused, Exhausted):
            return f"# {said or self.act(answer)} reaches a limit"
        codes = dict.fromkeys(reason.code for reason in reasons)
        words = said or (self.act(answer) if self.knows(answer) else "# an answer that has no words here")
        return f"{words}  {'refused ' + ', '.join(codes) if codes else 'legal'}"


__all__ = ["Skeleton"]
