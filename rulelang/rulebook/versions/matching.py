"""What in one closed program is what in another: by names, and values by the words that people say for them.

A position of the one is laid out on the other: what lies and is written everywhere, and where play stands. Nodes have
no names; of rules of one name they are matched in the order of their text, equal ones with equal ones.
"""

import difflib
import re
from typing import Any

import attrs

from rulelang.ir.nodes import Node
from rulelang.ir.printer import in_order, node_text
from rulelang.ir.program import Program, Zone
from rulelang.ir.spoken import Speaker
from rulelang.ir.types import CollectionType, Type
from rulelang.play import kinds
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Sealed
from rulelang.play.position import Position, StackFrame, Unseen
from rulelang.play.words import read_value, speak
from rulelang.scenarios.table import kind_of_chance


class NoMatch(Exception):
    """The other version has no such thing."""


class Matching:
    """From one closed program to another."""

    def __init__(self, old: Program, new: Program) -> None:
        self.old = old
        self.new = new
        self.layouts = kinds.Layout.of(old), kinds.Layout.of(new)
        self.moves = {move.name: number for number, move in enumerate(new.moves)}
        self.slots = {slot.name: number for number, slot in enumerate(new.slots)}
        self.procedures = {procedure.name: number for number, procedure in enumerate(new.procedures)}
        self.timers = {timer.name: number for number, timer in enumerate(new.timers)}
        self.nodes = _nodes(old, new)
        self.members: list[tuple[int, int]] = []
        """Of every cell of the new program: the cell of the old one, -1 if there is none, and its slot."""
        self._known: dict[tuple[int, int, int], int] = {}
        self._match_cells()

    # -------------------------------------------------------------- values

    def single(self, old: Type, new: Type, code: int) -> int:
        """A value of one kind as a value of another, by its words. Raises NoMatch."""
        key = (id(old), id(new), code)
        if key not in self._known:
            found = code if old == new else read_value(self.new, new, speak(self.old, old, code))  # type: ignore[arg-type]
            if found is None:
                raise NoMatch
            self._known[key] = found
        return self._known[key]

    def value(self, old: Type, new: Type, value: Any) -> Any:
        """A value or a collection of them. Raises NoMatch."""
        if isinstance(value, tuple):
            kind = [each.of if isinstance(each, CollectionType) else each for each in (old, new)]
            return tuple(self.single(kind[0], kind[1], each) for each in value)
        return self.single(old, new, value)

    # -------------------------------------------------------------- events

    def event(self, event: Event, node: int) -> Event:
        """The same event there; ``node`` is what the old program waits at. Raises NoMatch."""
        match event:
            case Play() | Pass():
                return self.answer(event)
            case Sealed():
                return Sealed(tuple(self.answer(each) for each in event.answers))
            case Outcome():
                kind = kind_of_chance(self.old, node)
                other = kind_of_chance(self.new, self.nodes[node]) if node in self.nodes else None
                if kind is None or other is None:
                    return event
                return Outcome(self.single(kind, other, event.value))
            case Expiry():
                name = self.old.timers[event.timer].name
                if name not in self.timers:
                    raise NoMatch
                return Expiry(self.timers[name])
            case _:
                return event

    def answer(self, answer: Answer) -> Answer:
        """The same answer there. Raises NoMatch."""
        if isinstance(answer, Pass):
            return answer
        if not 0 <= answer.move < len(self.old.moves) or self.old.moves[answer.move].name not in self.moves:
            raise NoMatch
        move = self.old.moves[answer.move]
        number = self.moves[move.name]
        other = self.new.moves[number]
        if len(other.parameters) != len(move.parameters) or len(answer.arguments) != len(move.parameters):
            raise NoMatch
        pairs = zip(move.parameters, other.parameters, answer.arguments, strict=True)
        return Play(answer.seat, number, tuple(self.single(a.type, b.type, code) for a, b, code in pairs))

    # -------------------------------------------------------------- positions

    def position(self, position: Position, there: Position) -> Position:
        """The same position there. What the old one does not know is as it is in ``there``. Raises NoMatch."""
        cells = tuple(
            there.cells[number] if old < 0 else self.cell(old, number, position)
            for number, (old, _) in enumerate(self.members)
        )
        return Position(cells, position.pools, tuple(self.frame(each) for each in position.frames))

    def cell(self, old: int, new: int, position: Position) -> Any:
        """What lies or is written in one cell, there."""
        slot, other = self._slot_of[old], self.new.slots[self.members[new][1]]
        content = position.cells[old]
        if isinstance(slot, Zone) and isinstance(other, Zone):
            lying: tuple[Any, ...] = content  # type: ignore[assignment]
            return tuple(
                each if isinstance(each, Unseen) else self.single(slot.content, other.content, each) for each in lying
            )
        if isinstance(slot, Zone) or isinstance(other, Zone):
            raise NoMatch
        return self.value(slot.type, other.type, content)

    def frame(self, frame: StackFrame) -> StackFrame:
        """Where a running rule stands, there. Raises NoMatch."""
        mine = self.old.procedures[frame.procedure]
        number = self.procedures.get(mine.name)
        if number is None or frame.node not in self.nodes:
            raise NoMatch
        held: dict[tuple[str, int], Any] = {}
        for name, place in _counted(mine.locals):
            held[name, place] = frame.locals[len(held)]
        other = self.new.procedures[number]
        return StackFrame(number, self.nodes[frame.node], tuple(held.get(key, 0) for key in _counted(other.locals)))

    def _match_cells(self) -> None:
        mine: dict[tuple[str, str], int] = {}
        self._slot_of: list[Any] = []
        for number, slot in enumerate(self.old.slots):
            for member in range(self.layouts[0].families[number].count):
                mine[slot.name, _member(self.old, number, member)] = len(self._slot_of)
                self._slot_of.append(slot)
        for number, slot in enumerate(self.new.slots):
            for member in range(self.layouts[1].families[number].count):
                self.members.append((mine.get((slot.name, _member(self.new, number, member)), -1), number))


def _member(program: Program, slot: int, member: int) -> str:
    index = program.slots[slot].index
    if not index:
        return ""
    codes = kinds.family(program, slot).codes(member)
    return ", ".join(speak(program, kind, code) for kind, code in zip(index, codes, strict=True))


def _counted(names: tuple[str, ...]) -> list[tuple[str, int]]:
    """Every name with how often it stood before."""
    counts: dict[str, int] = {}
    found = []
    for name in names:
        found.append((name, counts.get(name, 0)))
        counts[name] = counts.get(name, 0) + 1
    return found


def _nodes(old: Program, new: Program) -> dict[int, int]:
    """The nodes of the new program that are those of the old one."""
    found: dict[int, int] = {}
    names = {procedure.name: procedure for procedure in new.procedures}
    for procedure in old.procedures:
        other = names.get(procedure.name)
        if other is None:
            continue
        first, second = in_order(old, procedure.entry), in_order(new, other.entry)
        texts = [_texts(program, order) for program, order in ((old, first), (new, second))]
        matcher = difflib.SequenceMatcher(None, texts[0], texts[1], False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "equal" or (tag == "replace" and b - a == d - c):
                pairs = zip(first[a:b], second[c:d], strict=True)
                found |= {x: y for x, y in pairs if type(old.nodes[x]) is type(new.nodes[y])}
    return found


def _texts(program: Program, order: list[int]) -> list[str]:
    say = Speaker(program)
    return [_text(say, program.nodes[node]) for node in order]


def _text(say: Speaker, node: Node) -> str:
    return re.sub(r"%[0-9]+", "", node_text(say, node))


@attrs.frozen
class Both:
    """One way and the other."""

    there: Matching
    back: Matching

    @classmethod
    def of(cls, old: Program, new: Program) -> "Both":
        """Between two closed programs."""
        return cls(Matching(old, new), Matching(new, old))
