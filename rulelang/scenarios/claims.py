"""What must be true: each line of ``then`` held against the table, and against what seats see. Spec 15.4."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.ast.nodes.base import Node
from rulelang.checker import kinds as k
from rulelang.ir.expressions import Value
from rulelang.ir.program import Zone
from rulelang.play.event import Play
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Lying, Piece, Unseen
from rulelang.play.view import Observed
from rulelang.scenarios.deeds import answer_of, shown_arguments
from rulelang.scenarios.hiding import SightClaims
from rulelang.scenarios.results import Complaint
from rulelang.scenarios.setting import Wanted
from rulelang.scenarios.sight import Looked, NotSeen, Partly
from rulelang.scenarios.table import Table
from rulelang.scenarios.workshop import Workshop


class Claims(SightClaims):
    """Looks at one table; complaints are collected."""

    def __init__(self, shop: Workshop, table: Table) -> None:
        self.shop = shop
        self.table = table
        self.position = table.state.position()
        self.complaints: list[Complaint] = []
        self.notes: list[str] = []

    @property
    def cells(self) -> Sequence[Any]:
        """The table as it is, seen or not."""
        return self.position.cells

    def complain(self, at: Node, said: str, expected: str, found: str) -> None:
        """One more thing that is not as it should be."""
        self.complaints.append(Complaint(at.at.line, said, expected, found))

    def check(self, check: ast.Check) -> None:
        """Hold one line against the table."""
        match check:
            case ast.Claim():
                self.claim(check)
            case ast.Lies():
                self.lies(check)
            case ast.Sees():
                self.sees(check)
            case ast.NeverSees():
                self.never_sees(check)
            case ast.Saw():
                self.saw(check)
            case ast.ToMove():
                self.to_move(check)
            case ast.Over():
                self.over(check)
            case ast.GoesOn():
                if self.table.state.outcome is not None:
                    self.complain(check, "game goes on", "the game goes on", self.how_it_ended())

    # -------------------------------------------------------------- formulas and zones

    def claim(self, check: ast.Claim) -> None:
        if not self.shop.value(check.formula, self.cells):
            expected, found = self.why_not(check.formula)
            self.complain(check, "", expected, found)

    def why_not(self, node: rules_ast.Expr) -> tuple[str, str]:
        """What a formula that does not hold asked for, and what is there."""
        match node:
            case rules_ast.Bracket():
                return self.why_not(node.value)
            case rules_ast.Both():
                failing = next(part for part in node.parts if not self.shop.value(part, self.cells))
                return self.why_not(failing)
            case rules_ast.Compare():
                return f"{node.relation} {self.said(node.right, node.left)}", self.said(node.left, node.right)
            case _:
                return "yes", "no"

    def said(self, node: rules_ast.Expr, other: rules_ast.Expr) -> str:
        """The value of one side of a comparison in words."""
        kind, beside = self.shop.bench.kinds.table.kinds[node], self.shop.bench.kinds.table.kinds[other]
        if isinstance(kind, k.Empty):
            return "empty"
        if isinstance(kind, k.Nothing):
            return "nobody" if isinstance(k.bare(beside), k.Seat) else "none"
        wanted = beside if isinstance(k.bare(kind), k.Number) and not isinstance(beside, k.Collection) else None
        return self.shop.say_kind(kind, self.shop.value(node, self.cells, wanted))

    def lies(self, check: ast.Lies) -> None:
        slot, member = self.shop.spot(check.place, self.cells)
        wanted = wishes(self.shop, check, self.cells)
        lying = cast(Lying, self.cells[self.shop.layout.families[slot].base + member])
        zone = cast(Zone, self.shop.program.slots[slot])
        fits = _fits_bag(wanted, lying) if zone.shape == "bag" else _fits_pile(wanted, lying)
        if not fits:
            self.complain(
                check, self.shop.say_place(slot, member), self.say_wishes(zone, wanted), self.say_lying(zone, lying)
            )

    def say_wishes(self, zone: Zone, wanted: Sequence[Wanted]) -> str:
        """What a place shall hold, in words."""
        words = []
        for each in wanted:
            what = "anything" if each.code is None else self.shop.say(zone.content, each.code)
            words.append(what if each.count in (1, None) else f"{each.count} of {what}")
        return ", ".join(words) or "nothing"

    def say_lying(self, zone: Zone, lying: Sequence[Piece]) -> str:
        """What lies there, in words; equal ones in a row together."""
        words: list[tuple[str, int]] = []
        for piece in lying:
            what = "unseen" if isinstance(piece, Unseen) else self.shop.say(zone.content, piece)
            if words and words[-1][0] == what:
                words[-1] = (what, words[-1][1] + 1)
            else:
                words.append((what, 1))
        return ", ".join(what if count == 1 else f"{count} of {what}" for what, count in words) or "nothing"

    # -------------------------------------------------------------- what seats see

    def sees(self, check: ast.Sees) -> None:
        seat = self.seat(check.who)
        try:
            value = self.shop.value(check.formula, Looked(self.shop.layout, self.table.state.view(seat)))
            if isinstance(value, Partly):
                raise NotSeen(value.cell)
        except NotSeen as hidden:
            self.complain(check, f"{check.who.name} sees", "visible", f"{self.place_of(hidden.cell)} is hidden")
            return
        if isinstance(self.shop.bench.kinds.table.kinds[check.formula], k.Flag) and not value:
            expected, found = self.why_not(check.formula)
            self.complain(check, f"{check.who.name} sees", expected, found)

    def saw(self, check: ast.Saw) -> None:
        seat, mover = self.seat(check.who), self.seat(check.mover)
        seen = [each for each in self.table.state.observed(seat) if each.seat == mover]
        wanted = answer_of(self.shop, mover, check.deed, self.cells)
        shown = Observed(mover, None, ())
        if isinstance(wanted, Play):
            shown = Observed(mover, wanted.move, shown_arguments(check.deed, wanted.arguments))
        if not seen or seen[-1] != shown:
            found = self.observed_words(seen[-1]) if seen else "no move"
            self.complain(check, f"{check.who.name} saw {check.mover.name}", self.observed_words(shown), found)

    def observed_words(self, seen: Observed) -> str:
        """A move as it was observed."""
        if seen.move is None:
            return "pass"
        move = self.shop.program.moves[seen.move]
        pairs = zip(move.parameters, seen.arguments, strict=True)
        words = ["anything" if code is None else self.shop.say(each.type, code) for each, code in pairs]
        return f"{move.name}({', '.join(words)})" if words else move.name

    # -------------------------------------------------------------- who moves, how it ends

    def seat(self, word: ast.Word) -> int:
        """The seat of a player."""
        return self.shop.seat(word.name)

    def to_move(self, check: ast.ToMove) -> None:
        wanted = sorted(self.seat(word) for word in check.seats)
        found = sorted(self.table.match.missing)
        if wanted != found:
            self.complain(check, "to move", self.names(wanted), self.names(found))

    def names(self, seats: Sequence[int]) -> str:
        """Some players."""
        return ", ".join(self.shop.seat_name(seat) for seat in seats) or "nobody"

    def over(self, check: ast.Over) -> None:
        outcome = self.table.state.outcome
        if outcome is None:
            waiting = self.table.state.waiting
            self.complain(check, "game over", self.wanted_end(check.ending), f"{self.names(waiting.seats)} to move")
        elif not self.ended_so(check.ending, outcome):
            self.complain(check, "game over", self.wanted_end(check.ending), self.how_it_ended())

    def ended_so(self, ending: ast.EndingAs | None, outcome: GameOutcome) -> bool:
        match ending:
            case None:
                return True
            case ast.Won():
                return outcome.kind in ("winners", "amounts") and sorted(outcome.winners) == sorted(
                    self.seat(word) for word in ending.winners
                )
            case ast.Gained():
                return all(
                    outcome.returns[self.seat(gain.who)] == self.shop.value(gain.amount, self.cells)
                    for gain in ending.gains
                )
            case ast.Graded():
                return outcome.kind == "grade" and outcome.grade == self.shop.value(ending.grade, self.cells)
            case ast.Undecided():
                return outcome.kind == ending.word

    def wanted_end(self, ending: ast.EndingAs | None) -> str:
        match ending:
            case None:
                return "the game is over"
            case ast.Won():
                return self.win_words([self.seat(word) for word in ending.winners])
            case ast.Gained():
                return ", ".join(
                    f"{gain.who.name} gets {self.shop.value(gain.amount, self.cells)}" for gain in ending.gains
                )
            case ast.Graded():
                return f"grade {self.shop.value(ending.grade, self.cells)}"
            case ast.Undecided():
                return ending.word

    def win_words(self, seats: Sequence[int]) -> str:
        """``Ann and Ben win``"""
        names = [self.shop.seat_name(seat) for seat in seats] or ["nobody"]
        return f"{' and '.join(names)} win{'s' if len(names) == 1 else ''}"

    def how_it_ended(self) -> str:
        """The result in words."""
        outcome = self.table.state.outcome
        assert outcome is not None
        match outcome.kind:
            case "winners":
                return self.win_words(outcome.winners)
            case "amounts":
                pairs = zip(self.shop.players, outcome.returns, strict=True)
                return ", ".join(f"{player.name} gets {amount}" for player, amount in pairs)
            case "grade":
                return f"grade {outcome.grade}"
            case other:
                return other


def wishes(shop: Workshop, fact: ast.Lies, cells: Sequence[Any], env: Any = None) -> tuple[Wanted, ...]:
    """What a line says that a place holds, with the values of its formulas."""
    slot, _ = shop.spot(fact.place, cells, env)
    kind = next(
        shop.bench.checked.declared.kinds[node] for node, number in shop.bench.numbers.slots.items() if number == slot
    )
    found: list[Wanted] = []
    for portion in fact.portions:
        if portion.value is None:
            found.append(Wanted(None, portion.count))
            continue
        value: Value = shop.value(portion.value, cells, kind, env)
        for code in value if isinstance(value, tuple) else (value,):
            found.append(Wanted(cast(int, code), portion.count))
    return tuple(found)


def _fits_pile(wanted: Sequence[Wanted], lying: Sequence[Piece]) -> bool:
    """Whether a pile is exactly this, bottom to top."""
    return _fits_row(_spread(wanted), list(lying))


def _fits_row(row: Sequence[Wanted], lying: Sequence[Piece]) -> bool:
    open_at = next((i for i, each in enumerate(row) if each.count is None), None)
    if open_at is None:
        return len(row) == len(lying) and all(
            each.code is None or each.code == piece for each, piece in zip(row, lying, strict=True)
        )
    behind = len(row) - open_at - 1
    if len(lying) < open_at + behind:
        return False
    rest = lying[len(lying) - behind :] if behind else []
    return _fits_row(row[:open_at], lying[:open_at]) and _fits_row(row[open_at + 1 :], rest)


def _fits_bag(wanted: Sequence[Wanted], lying: Sequence[Piece]) -> bool:
    """Whether a bag is exactly this, in any order."""
    row = _spread(wanted)
    named = Counter(each.code for each in row if each.code is not None)
    if named - Counter(piece for piece in lying if isinstance(piece, int)):
        return False
    others = len(lying) - named.total()
    counted = sum(each.count or 0 for each in row if each.code is None)
    return others >= counted if any(each.count is None for each in row) else others == counted


def _spread(wanted: Sequence[Wanted]) -> list[Wanted]:
    """One wish for each piece."""
    row: list[Wanted] = []
    for each in wanted:
        row += [each] if each.count is None else [Wanted(each.code, 1)] * each.count
    return row
