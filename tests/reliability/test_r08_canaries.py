"""R8 by canaries: what a seat may not know has an unmistakable name, which is looked for in all that it is given.

Every piece, and everything that a hidden marker can say, is spoken as a name that occurs nowhere else. Who has seen
what is worked out here once more, from the declarations alone: so a view that peeks is found too. What a seat does not
see now, and does not name itself, must not be in any byte that is about now: table, prompt, list of moves, advice,
refusals and failures. What it has never seen, and nobody has named before it, must not be in what tells the past: news,
log, and explanations, but for what the rules themselves name.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import attrs
import pytest
from given_to import HIDING, Questions, listed, rules_of, shown, some_game, told, tried_by, viewers
from leaky import Leaky

from rulelang.ir.expressions import Value
from rulelang.ir.program import Everyone, Nobody, Owner, Program, Seats, Zone
from rulelang.ir.types import CollectionType, FlagType, OptionalType, SeatType, SingleType
from rulelang.play import kinds, words
from rulelang.play.engine import State
from rulelang.play.event import Answer, Play, Sealed
from rulelang.play.formulas import Context, codes
from rulelang.play.kinds import Layout
from rulelang.play.position import Unseen
from rulelang.testing import Dice, playthrough

CANARY: Final = re.compile(r"canary(?:\d+)x\d+\b")


# ------------------------------------------------------------------ names


@attrs.frozen
class Canaries:
    """The names of everything that may lie hidden in one game."""

    program: Program
    kinds: tuple[SingleType, ...]

    @staticmethod
    def of(program: Program) -> "Canaries":
        """A name for every value of every kind that is hidden somewhere; flags and seats are named too often."""
        found: dict[SingleType, None] = {}
        for slot in program.slots:
            if isinstance(slot, Zone) or not isinstance(slot.sight.content, Everyone):
                kind = _bare(slot.content if isinstance(slot, Zone) else slot.type)
                if not isinstance(slot.sight.content, Everyone) and not isinstance(kind, FlagType | SeatType):
                    found[kind] = None
        return Canaries(program, tuple(found))

    def name(self, kind: SingleType, code: int) -> str | None:
        """What a value is called; None if it keeps its own name."""
        bare = _bare(kind)
        return f"canary{self.kinds.index(bare)}x{code}" if bare in self.kinds and code >= 0 else None

    @contextmanager
    def spoken(self) -> Iterator[None]:
        """Whatever is spoken meanwhile is called by these names."""
        plain = words._speak_single

        def named(program: Program, kind: SingleType, code: int) -> str:
            return (kinds.contains(program, kind, code) and self.name(kind, code)) or plain(program, kind, code)

        words._speak_single = named
        try:
            yield
        finally:
            words._speak_single = plain


def _bare(kind: Any) -> SingleType:
    while isinstance(kind, CollectionType | OptionalType):
        kind = kind.of
    return cast(SingleType, kind)


# ------------------------------------------------------------------ who knows what


@attrs.frozen
class Secrets:
    """Names of what lies hidden from a seat."""

    now: set[str]
    """What it does not see now."""
    ever: set[str]
    """What it has never seen either."""


def _named(names: set[str | None]) -> set[str]:
    return {name for name in names if name is not None}


class Knowledge:
    """What one seat, or who watches, may know by name: everything that it has ever seen, worked out step by step."""

    def __init__(self, canaries: Canaries, seat: int | None) -> None:
        self.canaries = canaries
        self.seat = seat
        self.known: set[str | None] = set()

    def looks(self, state: State) -> "Secrets":
        """See one more state; what lies hidden there."""
        now: set[str | None] = set()
        program, position = state.game.program, state.position()
        layout = Layout.of(program)
        hidden: set[str | None] = set()
        for number, (slot, family) in enumerate(zip(program.slots, layout.families, strict=True)):
            kind = slot.content if isinstance(slot, Zone) else slot.type
            for member in range(family.count):
                lying = position.cells[family.base + member]
                pieces = lying if isinstance(lying, tuple) else (lying,)
                names = [self._name(kind, piece) for piece in pieces if not isinstance(piece, Unseen)]
                if self._sees(slot.sight.content, state, number, member):
                    now.update(names)
                elif isinstance(slot, Zone) and self._sees(slot.sight.top, state, number, member):
                    now.update(names[-1:])
                hidden.update(names)
                pools = {piece.pool for piece in pieces if isinstance(piece, Unseen)}
                hidden.update(self._name(kind, card) for pool in pools for card in position.pools[pool])
        self.known |= now
        return Secrets(_named(hidden - now), _named(hidden - self.known))

    def hears(self, state: State) -> None:
        """What was said in the act that led here: one's own answers, and those that are chosen before all eyes."""
        event, program = state.event, state.game.program
        for answer in event.answers if isinstance(event, Sealed) else (event,):
            for parameter, code in self._arguments(program, answer):
                slots = [program.slots[place.place.slot] for place in parameter.named_places]
                if answer.seat == self.seat or not slots or any(_open(slot) for slot in slots):
                    self.known.update(self.names_in(parameter.type, code))

    def may_list(self, state: State) -> set[str | None]:
        """What stands in its list of moves because it may name anything there."""
        program = state.game.program
        found: set[str | None] = set()
        for answer in listed(state, self.seat) or ():
            for parameter, code in self._arguments(program, answer):
                slots = [program.slots[place.place.slot] for place in parameter.named_places]
                if not any(isinstance(slot, Zone) for slot in slots):  # a number up to what a marker says, too
                    found.update(self.names_in(parameter.type, code))
        return found

    def named_in(self, state: State, tried: list[Answer]) -> set[str | None]:
        """What it has itself named in these attempts."""
        found: set[str | None] = set()
        for answer in tried:
            for parameter, code in self._arguments(state.game.program, answer):
                found.update(self.names_in(parameter.type, code))
        return found

    def names_in(self, kind: SingleType, code: int) -> set[str]:
        """Every name in an answer."""
        if not kinds.contains(self.canaries.program, kind, code):
            return set()
        with self.canaries.spoken():
            return set(CANARY.findall(words.speak(self.canaries.program, kind, code)))

    def _name(self, kind: Any, piece: Any) -> str | None:
        return self.canaries.name(_bare(kind), piece)

    @staticmethod
    def _arguments(program: Program, answer: Any) -> list[tuple[Any, int]]:
        if not isinstance(answer, Play) or not 0 <= answer.move < len(program.moves):
            return []
        return list(zip(program.moves[answer.move].parameters, answer.arguments, strict=False))

    def _sees(self, sight: Seats, state: State, slot: int, member: int) -> bool:
        """Whether the declaration lets it see this."""
        if isinstance(sight, Everyone | Nobody) or self.seat is None:
            return isinstance(sight, Everyone)
        program, layout = state.game.program, Layout.of(state.game.program)
        declared = program.slots[slot]
        owner = layout.families[slot].codes(member)[0] if declared.index else -1
        if isinstance(sight, Owner):
            return owner == self.seat
        locals_: list[Value] = [owner] * (sight.owner.number + 64)
        cells = cast("tuple[Value, ...]", state.position().cells)
        return self.seat in codes(sight.seats, Context(program, layout, cells, locals_))


def _open(slot: Any) -> bool:
    return isinstance(slot.sight.content, Everyone)


# ------------------------------------------------------------------ looking for them


def bytes_for(state: State, seat: int | None, tried: list[Answer], asked: Questions) -> dict[str, str]:
    """Every byte for a seat, without the names of places: `heap of red` is called so whatever lies there."""
    texts = shown(state, seat, tried, asked) | told(state, seat)
    program = state.game.program
    indexed = [number for number, slot in enumerate(program.slots) if slot.index]
    counted = ((number, member) for number in indexed for member in range(Layout.of(program).families[number].count))
    places = {words.place_name(program, number, member) for number, member in counted}
    named = sorted((place for place in places if CANARY.search(place)), key=len, reverse=True)
    for place in named:
        texts = {name: text.replace(place, "") for name, text in texts.items()}
    return texts


def check_game(name: str, number: int, found: Counter[str], fault: str = "", looks: int = 6) -> None:
    """Look at some states of one game with the eyes of some seat; every state is seen by all who remember."""
    dice = Dice.seeded(72, number)
    game, asked = some_game(name, dice), Questions(rules_of(name))
    canaries = Canaries.of(game.program)
    played = [state for state, _ in playthrough(game, dice, 140)]
    chosen = {dice.below(len(played)) for _ in range(looks)}
    knowing = {seat: Knowledge(canaries, seat) for seat in viewers(played[0])}
    with canaries.spoken():
        of_rules = set(CANARY.findall("\n".join(asked.answers(played[0], None))))
    for place, state in enumerate(played):
        secret = {}
        for seat, knowledge in knowing.items():
            knowledge.hears(state)
            secret[seat] = knowledge.looks(state)
        if place not in chosen:
            continue
        for seat, knowledge in knowing.items():
            tried = tried_by(state, seat, dice)
            given = cast(State, Leaky(state, fault)) if fault else state
            with canaries.spoken():
                texts = bytes_for(given, seat, tried, asked)
            allowed = {"list": knowledge.may_list(state), "why": knowledge.named_in(state, tried)}
            allowed |= {"errors": allowed["why"] | allowed["list"], "explain": of_rules}
            for text, said in texts.items():
                kept = secret[seat].ever if text in ("told", "heard", "explain") else secret[seat].now
                betrayed = set(CANARY.findall(said)) & kept - allowed.get(text, set())
                found[f"in {text}"] += bool(betrayed)
                found["betrayed"] += len(betrayed)
                found["names met"] += len(set(CANARY.findall(said)))
                found["characters"] += len(said)
            found["looked for"] += len(secret[seat].now)
            found["never seen"] += len(secret[seat].ever)
            found["looks"] += 1


def look_for_canaries(name: str, first: int, count: int, fault: str = "", looks: int = 6) -> Counter[str]:
    """What is found in these games of a ruleset: nothing that is betrayed, if all is well."""
    found: Counter[str] = Counter()
    for number in range(first, first + count):
        check_game(name, number, found, fault, looks)
    return +found


NAMED_IN_THE_OPEN = ("goofspiel", "monster-bande")
"""Whatever lies hidden there, its like lies open beside it: prizes and bids, a box of the other side."""

GAMES = {"monster-bande": 1, "taiwan-monsters-brawl": 2}
"""Games in CI; three of the others."""


@pytest.mark.parametrize("name", HIDING)
def test_no_canary_is_ever_heard(name: str) -> None:
    found = look_for_canaries(name, 0, GAMES.get(name, 3))
    print("canaries:", name, dict(found))
    assert not found["betrayed"], found
    assert found["looks"] >= 6 and found["characters"] > 1_000
    assert (found["looked for"] >= found["looks"] // 4) == (name not in NAMED_IN_THE_OPEN)


# ------------------------------------------------------------------ planted faults


FAULTS = {
    "a view that peeks": ("leduc-poker", "in table"),
    "a prompt that names it": ("13-animals", "in prompt"),
    "a refusal that names it": ("three-card-poker", "in why"),
    "a log that names it": ("sealed-auction", "in heard"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_heard(fault: str) -> None:
    name, place = FAULTS[fault]
    assert not look_for_canaries(name, 0, 6)["betrayed"]
    found = look_for_canaries(name, 0, 6, fault)
    print(fault, dict(found))
    assert found[place] >= 2
