"""Is this seat the mover? Is the mover, is everybody, in this list of seats? Spec 7.5 and 7.9.

Three questions about formulas for seats, answered without playing: yes only if it is so in every position. Seats that
are found by comparing things (``first p in players with most p's score``) are anybody.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.symbols import BuiltIn, DefineName, LocalName
from rulelang.checker.visibility.labels import Stance, agreed

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

Word = ast.Define | ast.Condition

USES = 64
"""Ways of using one define that are told apart; beyond, its parameters are anybody."""


class Seats:
    """What is known of formulas for seats in one file."""

    def __init__(self, checked: "Checked") -> None:
        self.names = checked.names
        self.checked = checked
        self.alone = fewest_seats(checked.rules) < 2
        """Whether ``next(me)`` may be me."""
        self.stances: dict[LocalName, Stance] = {}
        self.audiences: dict[tuple[ast.Define, tuple[Stance, ...], bool], bool] = {}
        """For defines used in ``seen by``: whether the mover (or everybody) is surely among their seats."""
        self.uses: dict[Word, set[tuple[Stance, ...]]] = {}

    # ------------------------------------------------------------------ one seat

    def stance(self, node: ast.Node) -> Stance:
        """Whether a formula for a seat is the mover."""
        match node:
            case ast.Me():
                return "me"
            case ast.Bracket():
                return self.stance(node.value)
            case ast.Name():
                symbol = self.names.uses.get(node)
                return self.stances.get(symbol, "anybody") if isinstance(symbol, LocalName) else "anybody"
            case ast.Conditional():
                return agreed((self.stance(node.value), self.stance(node.otherwise)))
            case ast.Select(all=False):
                return self.members(node.domain)
            case ast.Apply():
                return self.neighbour(node)
            case _:
                return "anybody"

    def neighbour(self, node: ast.Apply) -> Stance:
        """``next(me)`` and ``previous(me)`` are somebody else, and so is every one of ``others(me)``."""
        if self.built_in(node) in ("next", "previous") and not self.alone and self.stance(node.arguments[0]) == "me":
            return "not me"
        return self.members(node.arguments[0]) if self.built_in(node) == "item" else "anybody"

    def built_in(self, node: ast.Apply) -> str | None:
        """The word of the language that is applied."""
        symbol = self.names.uses.get(node.function)
        return symbol.name if isinstance(symbol, BuiltIn) and node.arguments else None

    # ------------------------------------------------------------------ every seat of a list

    def members(self, node: ast.Node) -> Stance:
        """Whether every seat of a list is the mover, or none is."""
        match node:
            case ast.Bracket():
                return self.members(node.value)
            case ast.ListOf():
                return agreed(self.stance(item) for item in node.items)
            case ast.Select(all=True):
                return self.members(node.domain)
            case ast.Conditional():
                return agreed((self.members(node.value), self.members(node.otherwise)))
            case ast.Sum():
                return self.members_of_sum(node)
            case ast.Apply() if self.built_in(node) == "others":
                return "not me" if self.stance(node.arguments[0]) == "me" else "anybody"
            case _:
                return "anybody"

    def members_of_sum(self, node: ast.Sum) -> Stance:
        """``players but me``, ``[me] + [next(me)]``: from left to right."""
        found = [self.either(node.first)]
        for term in node.rest:
            if term.operator == "+":
                found.append(self.either(term.value))
            elif self.stance(term.value) == "me":
                found = ["not me"]
        return agreed(found)

    def either(self, node: ast.Expr) -> Stance:
        """A formula for a seat or for a list of seats."""
        one = self.stance(node)
        return one if one != "anybody" else self.members(node)

    # ------------------------------------------------------------------ who is in a list

    def holds(self, node: ast.Node, everybody: bool) -> bool:
        """Whether the mover is surely among these seats; with ``everybody``, whether everybody is."""
        match node:
            case ast.Bracket():
                return self.holds(node.value, everybody)
            case ast.Conditional():
                return self.holds(node.value, everybody) and self.holds(node.otherwise, everybody)
            case ast.ListOf():
                return not everybody and any(self.stance(item) == "me" for item in node.items)
            case ast.Sum():
                return self.held_by_sum(node, everybody)
            case ast.Name():
                symbol = self.names.uses.get(node)
                if isinstance(symbol, DefineName):
                    return self.held_by_define(symbol.node, (), everybody)
                return node.name == "players" if isinstance(symbol, BuiltIn) else self.is_me(node, everybody)
            case ast.Apply():
                symbol = self.names.uses.get(node.function)
                if isinstance(symbol, DefineName):
                    return self.held_by_define(symbol.node, node.arguments, everybody)
                if self.built_in(node) == "others":
                    return not everybody and self.stance(node.arguments[0]) == "not me"
                return self.built_in(node) == "clockwise" or self.is_me(node, everybody)
            case _:
                return self.is_me(node, everybody)

    def is_me(self, node: ast.Node, everybody: bool) -> bool:
        """A single seat in the place of a list."""
        return not everybody and self.stance(node) == "me"

    def held_by_sum(self, node: ast.Sum, everybody: bool) -> bool:
        held = self.holds(node.first, everybody)
        for term in node.rest:
            if term.operator == "+":
                held = held or self.holds(term.value, everybody)
            else:
                held = held and not everybody and self.either(term.value) == "not me"
        return held

    def held_by_define(self, node: ast.Define, given: Sequence[ast.Node], everybody: bool) -> bool:
        key = (node, self.told_apart(node, [self.stance(argument) for argument in given]), everybody)
        if key not in self.audiences:
            self.bind_stances(node.params, key[1])
            self.audiences[key] = all(self.holds(case.value, everybody) for case in node.cases)
        return self.audiences[key]

    # ------------------------------------------------------------------ parameters

    def bind_stances(self, params: Sequence[ast.Node], stances: Sequence[Stance]) -> None:
        """Give the parameters of a define or condition their stances."""
        for param, stance in zip(params, stances, strict=True):
            self.stances[self.names.bindings[param]] = stance

    def told_apart(self, node: Word, stances: Sequence[Stance]) -> tuple[Stance, ...]:
        """The stances with which a define is looked at; after too many different ones, anybody."""
        known = self.uses.setdefault(node, set())
        if len(known) < USES:
            known.add(tuple(stances))
        return tuple(stances) if tuple(stances) in known else tuple("anybody" for _ in stances)


def fewest_seats(rules: ast.Rules) -> int:
    """The smallest number of players that the cover allows."""
    for header in rules.game.headers:
        match header:
            case ast.Header(name="players", values=(ast.Number(value=count),)):
                return count
            case ast.Header(name="players", values=(ast.Between(low=ast.Number(value=count)),)):
                return count
    return 1
