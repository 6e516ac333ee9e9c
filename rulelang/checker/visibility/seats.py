"""Is this seat the mover? Is the mover in this list of seats? Spec 7.5 and 7.9.

Two questions about formulas for seats, answered without playing: yes only if it is so in every position. Seats that
are found by comparing things (``first p in players with most p's score``) are anybody.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.kinds import Collection
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
        self.audiences: dict[tuple[ast.Define, tuple[Stance, ...]], bool] = {}
        """For defines used in ``seen by``: whether the mover is surely among their seats."""
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

    def may_be_table(self, node: ast.Node) -> bool:
        """Whether a formula for a seat, or for a list of seats, says ``table``."""
        match node:
            case ast.Bracket():
                return self.may_be_table(node.value)
            case ast.ListOf():
                return any(self.may_be_table(item) for item in node.items)
            case ast.Conditional():
                return self.may_be_table(node.value) or self.may_be_table(node.otherwise)
            case ast.Name(name=name):
                symbol = self.names.uses.get(node)
                if isinstance(symbol, LocalName) and isinstance(symbol.binder, ast.Let):
                    return self.may_be_table(symbol.binder.value)
                return isinstance(symbol, BuiltIn) and name == "table"
            case _:
                return False

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
            elif self.stance(term.value) == "me" and not self.is_bag(node):  # a bag may hold the mover twice
                found = ["not me"]
        return agreed(found)

    def is_bag(self, node: ast.Expr) -> bool:
        """Whether a formula is a collection that loses one of several equal members at a time."""
        kind = self.checked.types.kinds.get(node)
        return isinstance(kind, Collection) and kind.shape == "bag"

    def either(self, node: ast.Expr) -> Stance:
        """A formula for a seat or for a list of seats."""
        one = self.stance(node)
        return one if one != "anybody" else self.members(node)

    # ------------------------------------------------------------------ who is in a list

    def holds(self, node: ast.Node) -> bool:
        """Whether the mover is surely among these seats. Everybody never is: no list of seats names the spectators."""
        match node:
            case ast.Bracket():
                return self.holds(node.value)
            case ast.Conditional():
                return self.holds(node.value) and self.holds(node.otherwise)
            case ast.ListOf():
                return any(self.stance(item) == "me" for item in node.items)
            case ast.Sum():
                return self.held_by_sum(node)
            case ast.Name():
                symbol = self.names.uses.get(node)
                if isinstance(symbol, DefineName):
                    return self.held_by_define(symbol.node, ())
                return node.name == "players" if isinstance(symbol, BuiltIn) else self.stance(node) == "me"
            case ast.Apply():
                symbol = self.names.uses.get(node.function)
                if isinstance(symbol, DefineName):
                    return self.held_by_define(symbol.node, node.arguments)
                if self.built_in(node) == "others":
                    return self.stance(node.arguments[0]) == "not me"
                return self.built_in(node) == "clockwise" or self.stance(node) == "me"
            case _:
                return self.stance(node) == "me"

    def held_by_sum(self, node: ast.Sum) -> bool:
        held = self.holds(node.first)
        for term in node.rest:
            if term.operator == "+":
                held = held or self.holds(term.value)
            else:
                held = held and self.either(term.value) == "not me"
        return held

    def held_by_define(self, node: ast.Define, given: Sequence[ast.Node]) -> bool:
        key = (node, self.told_apart(node, [self.stance(argument) for argument in given]))
        if key not in self.audiences:
            self.bind_stances(node.params, key[1])
            self.audiences[key] = all(self.holds(case.value) for case in node.cases)
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
