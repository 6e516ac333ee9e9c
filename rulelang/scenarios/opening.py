"""Where a scenario begins: its options, the table as it is given, and the place in the rules. Spec 15.4."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.checker.kinds import TIMER, Flag
from rulelang.checker.places import SlotRef, place, timer_of, whole_family
from rulelang.failures import Exhausted
from rulelang.ir.expressions import Value
from rulelang.ir.program import Zone
from rulelang.play.chance import Stream, mix
from rulelang.play.engine import State
from rulelang.play.formulas import Context
from rulelang.play.match import Match
from rulelang.play.position import Position, StackFrame
from rulelang.play.reaching import Wanted as Target
from rulelang.play.reaching import Way, call_rows, first_choice, ways
from rulelang.scenarios.claims import wishes
from rulelang.scenarios.setting import Table, laid_out
from rulelang.scenarios.timers import set_timer
from rulelang.scenarios.workshop import Impossible, Workshop


def options_of(facts: Sequence[ast.Fact]) -> dict[str, int | str | bool]:
    """The chosen options, as a configuration takes them."""
    return {fact.name: _choice(fact.value) for fact in facts if isinstance(fact, ast.Chosen)}


def _choice(value: rules_ast.Expr) -> int | str | bool:
    match value:
        case rules_ast.Number():
            return value.value
        case rules_ast.Negative(value=rules_ast.Number(value=number)):
            return -number
        case rules_ast.Constant():
            return value.word
        case rules_ast.Name():
            return value.name
        case _:
            return ""


def begin(shop: Workshop, facts: Sequence[ast.Fact], seed: int) -> State:
    """The state in which a scenario begins. Raises Impossible, Exhausted, Refused."""
    reach = next((fact for fact in facts if isinstance(fact, ast.Reach)), None)
    placed = any(isinstance(fact, ast.Lies | ast.Stands | ast.EachFact) for fact in facts)
    if reach is None and not placed:
        return shop.game.start()
    match = Match(shop.game, seed)
    base = match.advance_chance().position()
    draw = Stream(mix(seed, 1 << 40))
    position = laid_out(shop, base, _table(shop, facts, base), draw)
    frames = _way(shop, reach, position).frames if reach is not None else _first(shop, base, position)
    return shop.game.position(attrs.evolve(position, frames=frames))


# ------------------------------------------------------------------ facts


def _table(shop: Workshop, facts: Sequence[ast.Fact], base: Position) -> Table:
    """What the facts say; of two about one place the later one counts."""
    given = Table({}, {})
    reach = next((fact for fact in facts if isinstance(fact, ast.Reach)), None)
    for said in _markers_of(shop, reach.where) if reach is not None and reach.where is not None else ():
        with contextlib.suppress(Impossible):  # it is about what the rules remember
            spot = shop.spot(said.place, base.cells)
            given.markers[spot] = _marker(shop, said, spot[0], base, {})
    for fact, env in _each(shop, facts, base):
        if timer_said(shop, fact.place) is not None:
            continue
        spot = shop.spot(fact.place, base.cells, env)
        if isinstance(fact, ast.Lies):
            given.zones[spot] = wishes(shop, fact, base.cells, env)
        elif isinstance(shop.program.slots[spot[0]], Zone):
            given.zones[spot] = ()
        else:
            given.markers[spot] = _marker(shop, fact, spot[0], base, env)
    _give_timers(shop, facts, base, given)
    return given


# ------------------------------------------------------------------ timers


def timer_said(shop: Workshop, node: rules_ast.Expr) -> rules_ast.Timer | None:
    """The timer that a fact is about: ``glass``, ``left of glass``."""
    return timer_of(node.value if isinstance(node, rules_ast.Field) else node, shop.bench.names.table)


def _give_timers(shop: Workshop, facts: Sequence[ast.Fact], base: Position, given: Table) -> None:
    """Set the two markers of every timer that is spoken of. Raises Impossible."""
    states: dict[rules_ast.Timer, int] = {}
    rests: dict[rules_ast.Timer, int] = {}
    for fact, env in _each(shop, facts, base):
        timer = timer_said(shop, fact.place)
        if timer is None:
            continue
        about, wanted = (rests, None) if isinstance(fact.place, rules_ast.Field) else (states, TIMER)
        about[timer] = cast(int, shop.value(cast(ast.Stands, fact).value, base.cells, wanted, env))
    for timer in dict.fromkeys((*states, *rests)):
        number = shop.bench.numbers.timers[timer]
        for slot, value in set_timer(shop.program, number, base.cells, states.get(timer), rests.get(timer)):
            given.markers[slot, 0] = value


def _markers_of(shop: Workshop, where: rules_ast.Expr) -> Iterator[ast.Stands]:
    """What a condition of where play stands says of markers by itself: ``active is Ann``."""
    match where:
        case rules_ast.Bracket():
            yield from _markers_of(shop, where.value)
        case rules_ast.Both():
            for part in where.parts:
                yield from _markers_of(shop, part)
        case rules_ast.Compare(relation="is"):
            ref = place(where.left, shop.bench.names.table)
            if isinstance(ref, SlotRef) and isinstance(ref.node, rules_ast.Marker) and not whole_family(ref):
                yield ast.Stands(where.at, where.left, where.right)
        case _:
            pass


def _marker(shop: Workshop, fact: ast.Stands, slot: int, base: Position, env: Mapping[str, Value]) -> Value:
    node = next(node for node, number in shop.bench.numbers.slots.items() if number == slot)
    kind = shop.bench.checked.declared.kinds[node]
    value = shop.value(fact.value, base.cells, kind, env)
    return tuple(sorted(value)) if isinstance(value, tuple) and _is_bag(kind) else value


def _is_bag(kind: Any) -> bool:
    return getattr(kind, "shape", "") == "bag"


def _each(
    shop: Workshop, facts: Sequence[ast.Fact], base: Position
) -> Iterator[tuple[ast.Lies | ast.Stands, Mapping[str, Value]]]:
    """Every fact about a place, those of ``each`` one after the other."""
    for fact in facts:
        match fact:
            case ast.Lies() | ast.Stands():
                yield fact, {}
            case ast.EachFact():
                for item in cast(tuple[Value, ...], shop.value(fact.domain, base.cells)):
                    env = {fact.name: item}
                    if fact.where is None or shop.value(fact.where, base.cells, Flag(), env):
                        yield from ((inner, env) for inner in fact.facts)
            case _:
                pass


# ------------------------------------------------------------------ where play stands


def _first(shop: Workshop, base: Position, position: Position) -> tuple[StackFrame, ...]:
    """What runs at the first choice of the game; if what is given bears on that, as the table now leads there."""
    before, now = (
        first_choice(shop.program, Context(shop.program, shop.layout, cast(Any, table.cells), []))
        for table in (base, position)
    )
    if now == before:
        return base.frames
    if now is None:
        raise Impossible(
            "the table as it is given leads to no choice, or play would be over before: say with 'reach' where play "
            "stands"
        )
    return now


def _way(shop: Workshop, reach: ast.Reach, position: Position) -> Way:
    """The one way to a rule or choice on which the condition holds."""
    name = reach.rule.name
    rule = shop.bench.named(rules_ast.Rule).get(name)
    if isinstance(rule, rules_ast.Rule):
        target = Target(procedure=shop.bench.numbers.procedures[rule])
    else:
        move = shop.bench.named(rules_ast.Move)[name]
        target = Target(move=shop.bench.numbers.moves[cast(rules_ast.Move, move)])
    context = Context(shop.program, shop.layout, cast(Any, position.cells), [])
    if not any(True for _ in call_rows(shop.program, target)):
        raise Impossible(f"play never stands at '{name}' by way of rules alone; name a rule further up")

    unknown: list[Impossible] = []

    def holds(known: Mapping[str, Value]) -> bool:
        if reach.where is None:
            return True
        try:
            return bool(shop.value(reach.where, position.cells, Flag(), known))
        except Exhausted:
            return False
        except Impossible as missing:
            unknown.append(missing)
            return False

    found = list(ways(shop.program, context, target, holds))
    if not found and unknown:
        raise unknown[0]
    if not found:
        raise Impossible(f"play can stand at '{name}', but not like this")
    if len(found) > 1:
        lines = [str(shop.program.nodes[way.calls[-1]].at.origin.line) for way in found]
        raise Impossible(
            f"there are {len(found)} ways to '{name}', by lines {' and '.join(lines)} of the rules: say more behind "
            "'where', or name a rule further up"
        )
    return found[0]
