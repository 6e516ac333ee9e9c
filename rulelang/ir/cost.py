"""What playing costs, told before play: for closed, verified programs. Spec 16.2.

Interpreters spend what stands here for a node whenever they carry it out, and never more than the bound of an event.

**Formulas.** Every formula costs 1 and what its parts cost; a place costs its indices. A search (Exists, Every,
Select, Choose, Number, Total, Extreme, Collect) costs

    1 + domain + capacity(domain) x (condition + values and ranks), and once what stands for "none".

Apply costs 1, its arguments and the body of the function. Both ways of a Conditional and all parts of Both and
Either are counted. The cost of a formula is fixed: it is spent whole whenever the node is carried out, whatever the
values.

**Nodes.** Every node costs 1 and its formulas: Do the formulas of its effect, and for MoveAll, Gather, Shuffle and
PickUp one more for every piece that can be concerned; Loop nothing more, whichever way it leads; Decide and Chance,
on arrival, the formula of the seats or of the distribution; End the formulas of its outcome. Words for people cost
nothing.

**Answers.** A move costs the domains of its parameters and the conditions of its requirements, once for each answer.

**Events.** What an event costs begins behind the node that waited: the moves answered and their effects (each
answer's, if sealed), then every node up to and with the next that waits, through Call, Return and Leave into
whatever frames can be open. A Shuffle of a pile that shares its pool can wait for chance too, once for each card; it
is then gone on from. In a game with a clock an event can also come to the waiting node once more. A ring of nodes costs
its first way in and as many laps as the head loop can make (`rulelang.ir.laps`).

A Decide whose seat may pass, or whose seats are worked out, and a Chance whose elements are worked out, can turn out
not to wait: nobody is asked, or nothing is left to chance. With `skipping` (the default) such nodes are gone through
like the others, and a ring of them is unbounded: the bound is None and only the limit of one event's cost stands.
Without it they count as waits, and the bound is that of one stretch between two nodes of that sort.
"""

from collections.abc import Mapping
from typing import assert_never

import attrs

from rulelang.ir.calls import inner_first, opened_by, opens
from rulelang.ir.effects import Gather, MoveAll, PickUp, Shuffle
from rulelang.ir.expressions import Constant, Expression
from rulelang.ir.laps import Head, Ring, is_endless, parts_of, reachable, successors
from rulelang.ir.measure import NO_FRAME, Frame, Measures, Scope, formulas_in
from rulelang.ir.nodes import (
    Amounts,
    AnyOf,
    AnyOfSeats,
    Call,
    Chance,
    Decide,
    Do,
    End,
    Leave,
    Loop,
    OneSeat,
    Return,
    SealedSeats,
)
from rulelang.ir.program import Program, Zone
from rulelang.ir.sizes import members, number_in, started
from rulelang.limits import COLLECTION


def formula_cost(program: Program, formula: Expression, locals: Mapping[int, int] | None = None) -> int:
    """The most that a formula can cost. `locals` gives capacities of locals; others count as the largest."""
    return Measures(program).formula(formula, _scope(locals)).cost


def capacity(program: Program, formula: Expression, locals: Mapping[int, int] | None = None) -> int:
    """The most elements that a collection formula can have; 1 for a single value."""
    return (Measures(program).formula(formula, _scope(locals)).extent or (1,))[0]


def node_cost(program: Program, node: int) -> int:
    """The most that carrying out one node once can cost."""
    return Costs(program).node(node)


def event_bound(program: Program, node: int, *, skipping: bool = True) -> int | None:
    """The most that one event can cost at a node that waits; None if no bound can be told."""
    return Costs(program, skipping=skipping).event(node)


def setup_bound(program: Program, *, skipping: bool = True) -> int | None:
    """The most that the way from nothing to the first wait can cost; None if no bound can be told."""
    return Costs(program, skipping=skipping).setup()


def _scope(locals: Mapping[int, int] | None) -> Scope:
    return Scope(NO_FRAME, {number: (count, COLLECTION) for number, count in (locals or {}).items()})


def _different(formula: Expression) -> int:
    """How many different elements a collection always has, as far as the formula alone tells."""
    return len(set(formula.value)) if isinstance(formula, Constant) and isinstance(formula.value, tuple) else 0


def _most(left: int | None, right: int | None) -> int | None:
    return right if left is None else left if right is None else max(left, right)


@attrs.frozen
class Way:
    """The most that can be spent from somewhere on, by how the way ends; None where it cannot end so."""

    returns: int | None = None
    """Up to the end of the procedure."""
    waits: int | None = None
    """Up to a wait or the end of the game."""
    leaves: Mapping[int, int] = {}
    """Up to a Leave, by the procedure that it names."""
    endless: bool = False
    """Whether it can go round for ever."""

    def after(self, cost: int) -> "Way":
        """The way with something spent before it."""
        leaves = {to: cost + spent for to, spent in self.leaves.items()}
        returns = None if self.returns is None else self.returns + cost
        return Way(returns, None if self.waits is None else self.waits + cost, leaves, self.endless)

    @property
    def stopping(self) -> "Way":
        """The way without those that come to the end of the procedure."""
        return attrs.evolve(self, returns=None)

    def beside(self, other: "Way") -> "Way":
        """Either way, whichever costs more."""
        leaves = dict(self.leaves)
        for to, spent in other.leaves.items():
            leaves[to] = max(spent, leaves.get(to, 0))
        endless = self.endless or other.endless
        return Way(_most(self.returns, other.returns), _most(self.waits, other.waits), leaves, endless)


class Costs:
    """The bounds of one program, worked out once for all nodes when first asked for."""

    def __init__(self, program: Program, *, skipping: bool = True) -> None:
        self.program = program
        self.skipping = skipping
        self.measures = Measures(program)
        self._owner: dict[int, int] = {}
        for number, procedure in enumerate(program.procedures):
            for node in reachable(program, procedure.entry):
                self._owner.setdefault(node, number)
        self._ways: dict[int, Way] = {}
        self._entries: dict[int, Way] = {}
        self._rests: dict[int, int | None] = {}

    # -------------------------------------------------------------- nodes

    def formula(self, formula: Expression, frame: Frame = NO_FRAME) -> int:
        """The most that a formula of a frame can cost."""
        return self.measures.formula(formula, Scope(frame)).cost

    def node(self, number: int) -> int:
        """The most that carrying out one node once can cost."""
        node = self.program.nodes[number]
        scope = self._scope(number)
        if isinstance(node, End) and isinstance(node.outcome, Amounts):
            seats = self.measures.formula(node.outcome.seats, scope)
            inner = scope.inside(node.outcome.variable, seats.extent[1:])
            each = self.measures.formula(node.outcome.amount, inner).cost
            return 1 + seats.cost + (seats.extent or (1,))[0] * each
        formulas = sum(self.measures.formula(formula, scope).cost for formula in formulas_in(node))
        return 1 + formulas + (self._bulk(node) if isinstance(node, Do) else 0)

    def attempt(self, move: int) -> int:
        """What one answer with a move costs, beside its effects."""
        declared = self.program.moves[move]
        formulas = [parameter.domain for parameter in declared.parameters]
        formulas += [requirement.condition for requirement in declared.requirements]
        return sum(self.formula(formula, ("move", move)) for formula in formulas)

    def _scope(self, number: int) -> Scope:
        return Scope(("procedure", self._owner[number]) if number in self._owner else NO_FRAME)

    def _bulk(self, node: Do) -> int:
        """The pieces that an effect on a whole zone can concern."""
        match node.effect:
            case MoveAll():
                return self._held(node.effect.source.slot)
            case Gather():
                return self._held(node.effect.target.slot)
            case Shuffle():
                return self._held(node.effect.pile.slot)
            case PickUp():
                return self._held(node.effect.zone.slot)
            case _:
                return 0

    def _held(self, slot: int) -> int:
        return (self.measures.place(slot) or (0,))[0]

    # -------------------------------------------------------------- events

    def event(self, number: int) -> int | None:
        """The most that one event can cost at a node that waits; None if no bound can be told."""
        self._settle()
        node = self.program.nodes[number]
        match node:
            case Decide():
                way = self._answered(node, number, self._ways[node.next])
            case Chance():
                way = self._ways[node.next]
            case _:
                way = self._ways[number]
        if self.program.clock is not None:  # a reading or an expiry comes to the node anew
            way = way.beside(self._ways[number])
        return self._whole(self._owner[number], way)

    def setup(self) -> int | None:
        """The most that the way from nothing to the first wait can cost; None if no bound can be told."""
        self._settle()
        played = self._whole(0, self._entries[0])
        return None if played is None else self._laid_out() + played

    def _laid_out(self) -> int:
        """What it costs to lay out everything: 1 for every place and piece."""
        total = 0
        for number, slot in enumerate(self.program.slots):
            each = started(self.program, slot) if isinstance(slot, Zone) else 0
            total += members(self.program, number) * (1 + each)
        return total

    def _answered(self, node: Decide, number: int, after: Way) -> Way:
        """The way behind a decision: all answers are paid for, then come the effects of each, then what is behind."""
        paid = max(self.attempt(move) for move in node.moves) * self._answers(node, number)
        return self._carried_out(node, number, after).after(paid)

    def _carried_out(self, node: Decide, number: int, after: Way) -> Way:
        """The way through the effects of every answer, then on."""
        opened = [self._entries[procedure] for procedure in opens(self.program, node)]
        each = max((way.returns for way in opened if way.returns is not None), default=0)
        through = each * self._answers(node, number)
        way = after.after(through)
        for effects in opened:
            way = way.beside(effects.stopping.after(through))
        return way

    def _answers(self, node: Decide, number: int) -> int:
        """How many answers are carried out."""
        match node.asked:
            case OneSeat() | AnyOfSeats() | SealedSeats(first_only=True):
                return 1
            case SealedSeats():
                return (self.measures.formula(node.asked.seats, self._scope(number)).extent or (1,))[0]
            case _:
                assert_never(node.asked)

    def _whole(self, procedure: int, way: Way) -> int | None:
        """The cost of a way in a procedure with everything that can follow when that is over.

        Nothing follows a procedure that is never open: an exception stands in its place, and a move that nobody is
        offered leaves it by name.
        """
        total = way.waits or 0
        for over, spent in ((procedure, way.returns), *way.leaves.items()):
            if spent is not None:
                rest = self._rests.get(over, 0)
                if rest is None:
                    return None
                total = max(total, spent + rest)
        return None if way.endless else total

    # -------------------------------------------------------------- all procedures

    def _settle(self) -> None:
        """Work out the ways through every procedure, inner ones first; then what follows each, outer ones first."""
        if self._entries:
            return
        opened = opened_by(self.program)
        order, _ = inner_first(len(opened), lambda number: opened[number])
        for number in order:
            self._go_through(number)
        sites: dict[int, list[int]] = {number: [] for number in order}
        for site, _ in sorted(self._owner.items()):
            for number in opens(self.program, self.program.nodes[site]):
                sites[number].append(site)
        for number in reversed(order):
            rests = [self._rest(site) for site in sites[number]]
            self._rests[number] = None if None in rests else max((rest or 0 for rest in rests), default=0)

    def _rest(self, site: int) -> int | None:
        """The most that can follow when what a node opened is over."""
        node = self.program.nodes[site]
        assert isinstance(node, Call | Decide)
        way = self._ways[node.next]
        if isinstance(node, Decide) and isinstance(node.asked, SealedSeats):
            way = self._carried_out(node, site, way)
        return self._whole(self._owner[site], way)

    def _go_through(self, procedure: int) -> None:
        """Find the way from every node of one procedure, the last parts first."""
        entry = self.program.procedures[procedure].entry
        edges = {number: self._ahead(number) for number in reachable(self.program, entry)}
        for part in reversed(parts_of(self.program, edges)):
            if isinstance(part, Ring):
                self._go_round(part)
            else:
                ahead = Way()
                for following in self._ahead(part):
                    ahead = ahead.beside(self._ways[following])
                self._ways[part] = self._stops(part).beside(ahead.after(self._passes(part)))
        way = self._ways[entry]
        leaves = {to: spent for to, spent in way.leaves.items() if to != procedure}
        self._entries[procedure] = Way(_most(way.returns, way.leaves.get(procedure)), way.waits, leaves, way.endless)

    def _go_round(self, ring: Ring) -> None:
        """The ways from the nodes of a ring: all its laps, then out of it wherever that is dearest."""
        out = Way(endless=is_endless(ring))
        for number in ring.nodes:
            out = out.beside(self._stops(number))
            for following in self._ahead(number):
                if following not in ring.nodes:
                    out = out.beside(self._ways[following])
        spent = self._laps(ring)
        for number in ring.nodes:
            self._ways[number] = out.after(spent[number])

    def _laps(self, ring: Ring) -> dict[int, int]:
        """The most that can be spent inside a ring from each of its nodes."""
        if is_endless(ring):
            return dict.fromkeys(ring.nodes, 0)
        counted = {(head.loop, head.lap) for head in ring.heads}
        spent: dict[int, int] = {}
        for part in reversed(ring.inside):
            within = self._laps(part) if isinstance(part, Ring) else {part: self._passes(part)}
            ahead = [(number, following) for number in within for following in self._ahead(number)]
            rest = [spent[end] for start, end in ahead if end in spent and (start, end) not in counted]
            spent |= {number: cost + max(rest, default=0) for number, cost in within.items()}
        laps = sum(self._most_laps(head) * spent[head.lap] for head in ring.heads)
        return {number: cost + laps for number, cost in spent.items()}

    def _most_laps(self, head: Head) -> int:
        """How often the counted way of a head can be gone before it is set again or something waits."""
        loop = self.program.nodes[head.loop]
        assert isinstance(loop, Loop)
        return number_in(loop.capacity) if head.lap == loop.body else 1

    # -------------------------------------------------------------- one node on the way

    def _ahead(self, number: int) -> tuple[int, ...]:
        """The nodes that can follow without a wait."""
        node = self.program.nodes[number]
        match node:
            case Chance() | Decide():
                return () if not self.skipping or self._surely_waits(node) else (node.next,)
            case Call():
                return () if self._entries[node.procedure].returns is None else (node.next,)
            case _:
                return successors(node)

    def _surely_waits(self, node: Chance | Decide) -> bool:
        """Whether a node waits whatever the state: there is always somebody to ask, or something to draw."""
        match node:
            case Decide():
                if self._resolves_itself(node):
                    return False
                match node.asked:
                    case AnyOfSeats():
                        return True
                    case OneSeat():
                        return not node.asked.may_pass
                    case SealedSeats():
                        return _different(node.asked.seats) > 0
                    case _:
                        assert_never(node.asked)
            case Chance(distribution=AnyOf(collection=collection)):
                return _different(collection) > int(self.program.forced_chance)
            case _:
                return False

    def _resolves_itself(self, node: Decide) -> bool:
        """Whether answers can be carried out without a wait."""
        return self.program.forced_choices and not isinstance(node.asked, AnyOfSeats)

    def _passes(self, number: int) -> int:
        """The most that is spent on a node if the way goes on behind it."""
        node = self.program.nodes[number]
        spent = self.node(number)
        if isinstance(node, Call):
            spent += self._entries[node.procedure].returns or 0
        elif isinstance(node, Do) and isinstance(node.effect, Shuffle) and self.program.forced_chance:
            spent *= 1 + self._held(node.effect.pile.slot)
        elif isinstance(node, Decide) and self._resolves_itself(node):
            spent += self._answered(node, number, Way(returns=0)).returns or 0
        return spent

    def _stops(self, number: int) -> Way:
        """The ways that end at a node or in what it opens."""
        node = self.program.nodes[number]
        spent = self.node(number)
        match node:
            case Return():
                return Way(returns=spent)
            case Leave():
                return Way(leaves={node.procedure: spent})
            case End() | Chance() | Do(effect=Shuffle()):
                return Way(waits=spent)
            case Decide():
                forced = self.skipping and self._resolves_itself(node)
                inside = self._answered(node, number, Way()) if forced else Way()
                return Way(waits=spent).beside(inside.stopping.after(spent))
            case Call():
                return self._entries[node.procedure].stopping.after(spent)
            case _:
                return Way()
