"""What of the rules was never reached, as far out as it can be told: a branch, and not the lines behind it.

Parts have the names that ``rulelang test --cov`` gives them (``rulelang.scenarios.coverage``), so that one list of
names serves both. What the options decide before play is no part of the closed program, and is left out.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs

from rulelang.ir.effects import SetLocal
from rulelang.ir.laps import successors
from rulelang.ir.nodes import Branch, Call, Decide, Do, Loop
from rulelang.ir.program import Program
from rulelang.play.closing import close_whole
from rulelang.play.pruning import kept_nodes
from rulelang.rulebook.verify.found import Place
from rulelang.rulebook.verify.reached import Reached
from rulelang.scenarios.allowed import tables_of_reasons
from rulelang.scenarios.coverage import Looked, requirement_name, watched_parts

ALLOWED_FILE: Final = "verify.toml"
"""What may stay as it is, each with its reason, beside the rules: a table ``[unused]`` and a table ``[order]``."""

Options = Mapping[str, int | str | bool]


@attrs.frozen
class Unused:
    """A part of the rules that was never reached, or never had one of its two answers."""

    id: str
    """As ``verify.toml`` names it."""
    never: str
    """What never happens, where that is proved."""
    unseen: str
    """The same where it is only not seen."""
    place: Place
    reason: str
    """Why that is allowed; empty if it is not."""
    attempted: bool
    """Whether it is about attempts, not about play."""


def unused(
    program: Program, seats: int, options: Options, reached: Reached, allowed: Mapping[str, str]
) -> list[Unused]:
    """What of an open program, closed like this, was not reached, in the order of the rules."""
    kept = kept_nodes(close_whole(program, seats, options))
    parts = _Parts(program, reached, {old: new for new, old in enumerate(kept)})
    return [attrs.evolve(each, reason=allowed.get(each.id, "")) for each in parts.all()]


class _Parts:
    """One look at everything that was reached."""

    def __init__(self, program: Program, reached: Reached, numbers: Mapping[int, int]) -> None:
        self.program = program
        self.closed = reached.closed
        self.reached = reached
        self.numbers = numbers
        """What nodes of the open program are called in the closed one, if they are there."""
        self.came_from: dict[int, list[int]] = {}
        for number, node in enumerate(self.closed.nodes):
            for to in successors(node):
                self.came_from.setdefault(to, []).append(number)

    def all(self) -> Iterator[Unused]:
        """Moves, requirements, rules, then what stands in the rules."""
        yield from self.moves()
        yield from self.rules()
        for part in watched_parts(self.program):
            found = self.within(part) if part.nodes else None
            if found is not None:
                yield found

    # -------------------------------------------------------------- moves

    def moves(self) -> Iterator[Unused]:
        offered = {move for node in self.closed.nodes if isinstance(node, Decide) for move in node.moves}
        for number, move in enumerate(self.closed.moves):
            if number not in offered:
                continue  # the options have decided that
            if self.closed.procedures[move.procedure].entry not in self.reached.nodes:
                yield _unused(f"move {move.name}", f"'{move.name}' is {{}} made", Place.of(move.at))
            for place, requirement in enumerate(move.requirements):
                if self.reached.decided(number, place) or not self.tried(number):
                    continue
                name, at = requirement_name(move, place), Place.of(requirement.at)
                if (number, place) not in self.reached.failed:
                    said = f"'{move.name}' is {{}} refused because of '{requirement.name}'"
                    yield _unused(f"requirement {name} fails", said, at, attempted=True)
                if (number, place) not in self.reached.held:
                    said = f"'{move.name}' is {{}} allowed by '{requirement.name}'"
                    yield _unused(f"requirement {name} holds", said, at, attempted=True)

    def tried(self, move: int) -> bool:
        """Whether a move was attempted at all."""
        count = len(self.closed.moves[move].requirements)
        return any((move, place) in self.reached.held | self.reached.failed for place in range(count))

    # -------------------------------------------------------------- rules

    def rules(self) -> Iterator[Unused]:
        effects = {move.procedure for move in self.program.moves}
        for number, procedure in enumerate(self.closed.procedures):
            entry = procedure.entry
            if number in effects or entry in self.reached.nodes or not self.called(number):
                continue
            said = f"rule '{procedure.name}' is {{}} come to"
            yield _unused(f"rule {procedure.name}", said, Place.of(procedure.at))

    def called(self, procedure: int) -> bool:
        """Whether anything that is left of the program carries out a rule."""
        return any(getattr(node, "procedure", None) == procedure for node in self.closed.nodes)

    # -------------------------------------------------------------- inside rules

    def within(self, part: Looked) -> Unused | None:
        """A branch that never goes one way, or a line that nothing leads to although those before it are reached."""
        nodes = [self.numbers[node] for node in part.nodes if node in self.numbers]
        if not nodes:
            return None
        place = Place(part.part.file, part.part.line)
        if part.way is not None:
            if self.reached.nodes.isdisjoint(nodes) or any(self.goes(node, part.way) for node in nodes):
                return None
            said = "what is asked here is {} true" if part.way else "what is asked here is {} false"
            return _unused(part.part.id, said, place)
        if not self.reached.nodes.isdisjoint(nodes) or not any(self.is_edge(node) for node in nodes):
            return None
        return _unused(part.part.id, "this line is {} come to", place)

    def goes(self, number: int, way: bool) -> bool:
        """Whether a branch went one way; where both lead to the same, both."""
        node = self.closed.nodes[number]
        if not isinstance(node, Branch):
            return True
        return (number, node.then if way else node.otherwise) in self.reached.ways

    def is_edge(self, number: int) -> bool:
        """Whether a node that was not reached comes behind one that was, with no branch or other part between.

        What leads on without being a part itself (a loop, a call, something remembered) does not stand between.
        """
        seen = {number}
        waiting = list(self.came_from.get(number, []))
        while waiting:
            each = waiting.pop()
            node = self.closed.nodes[each]
            if each in seen or isinstance(node, Branch):
                continue
            seen.add(each)
            if each in self.reached.nodes:
                return True
            if isinstance(node, Loop | Call) or (isinstance(node, Do) and isinstance(node.effect, SetLocal)):
                waiting.extend(self.came_from.get(each, []))
        return False


def _unused(name: str, said: str, place: Place, *, attempted: bool = False) -> Unused:
    """``said`` has a gap for the word that says how sure it is."""
    return Unused(name, said.format("never"), said.format("not seen to be"), place, "", attempted)


# ------------------------------------------------------------------ what is allowed


def allowed(folder: Path) -> dict[str, str]:
    """What ``verify.toml`` allows, with the reasons: parts that are not used, ends that are decided by order. Raises
    Diagnosed.
    """
    return tables_of_reasons(folder / ALLOWED_FILE, {"unused": "part", "order": "pair of ends"})
