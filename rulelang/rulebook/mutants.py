"""Rules with one part taken out: what a scenario must notice that says it checks this part.

A part is found in the compiled program by the line and column at which it stands in the text. What can be taken out
of it is listed from the plainest to the most subtle: a requirement is dropped, an effect, a call or a choice passed
over, a branch turned round, a loop left out, an end without a result, a move no longer offered, an option without
effect, a define answered wrongly, a zone seen by others, data exchanged, another number of players allowed.

Words without effect of their own (names of kinds, titles) have no mutants: without them nothing compiles.
"""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from rulelang.ast import nodes as ast
from rulelang.ir import expressions as ir
from rulelang.ir import nodes
from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import Expression
from rulelang.ir.nodes import Node
from rulelang.ir.origin import Source
from rulelang.ir.program import (
    Everyone,
    Function,
    Marker,
    Move,
    Nobody,
    Program,
    Requirement,
    Seats,
    Sight,
    Table,
    Zone,
)
from rulelang.ir.walk import rebuild
from rulelang.rulebook.citing import Cited
from rulelang.rulebook.other_answers import other_answers

YES = ir.Constant(1)


def place_of(at: Source) -> tuple[str, int, int]:
    """Where a part stands in the text: rules may lie in several files."""
    return at.origin.file, at.origin.line, at.origin.column


@attrs.frozen
class Mutant:
    """A program with one part taken out."""

    said: str
    program: Program


def mutants(program: Program, cited: Cited) -> Iterator[Mutant]:
    """The program without the part that carries a citation, in every way that is known."""
    node = cited.node
    match node:
        case ast.Header(name="players"):
            yield from _players(program)
        case ast.Column() if isinstance(cited.owner, ast.Table):
            yield from _column(program, cited.owner.name, node.name)
        case ast.Row() if isinstance(cited.owner, ast.Table):
            yield from _table(program, cited.owner.name)
        case ast.Case() if isinstance(cited.owner, ast.Define):
            yield from _case(program, cited.owner, node)
        case ast.Condition(requirements=lines) if lines:
            places = {(line.at.file, line.at.line, line.at.column) for line in lines}
            yield from _at(program, node)
            yield from _dropped(program, lambda _, each: place_of(each.at) in places)
        case ast.RequireNamed() if isinstance(cited.owner, ast.Move):
            yield from list(_at(program, node)) or _gathered(program, cited.owner.name, cited.clause)
        case _:
            yield from _at(program, node)


def _gathered(program: Program, move: str, clause: str) -> Iterator[Mutant]:
    """Without the requirements that stand elsewhere, in a condition, and carry the citation of who asks it."""
    yield from _dropped(program, lambda asked, each: asked.name == move and clause in each.at.clauses)


def _dropped(program: Program, which: Callable[[Move, Requirement], bool]) -> Iterator[Mutant]:
    """Without some requirements, in all moves at once: a line that a condition gathers (8.4) is one in each of them."""
    moves = tuple(
        attrs.evolve(move, requirements=tuple(each for each in move.requirements if not which(move, each)))
        for move in program.moves
    )
    if moves != program.moves:
        yield Mutant("dropped", attrs.evolve(program, moves=moves))


def _at(program: Program, node: ast.Node) -> Iterator[Mutant]:
    """Whatever of the program stands where a node of the text stands."""

    def here(at: Source) -> bool:
        return place_of(at) == (node.at.file, node.at.line, node.at.column)

    yield from _declared(program, here)
    yield from _dropped(program, lambda _, requirement: here(requirement.at))
    for number, move in enumerate(program.moves):
        if here(move.at):
            yield _emptied(program, move.procedure, "without effect")
            yield Mutant("not offered", _not_offered(program, number))
    if not any(here(move.at) for move in program.moves):
        for number, procedure in enumerate(program.procedures):
            if here(procedure.at):
                yield _emptied(program, number, "left out")
    for number, found in enumerate(program.nodes):
        inside = here(found.at) and not any(here(procedure.at) for procedure in program.procedures)
        if inside and not any(_is_twin(found, earlier) for earlier in program.nodes[:number]):
            yield from _node(program, number, found)


def _changed(said: str, program: Program, section: str, number: int, new: object) -> Mutant:
    old = getattr(program, section)
    changes: dict[str, Any] = {section: (*old[:number], new, *old[number + 1 :])}
    return Mutant(said, attrs.evolve(program, **changes))


# ------------------------------------------------------------------ declarations


def _declared(program: Program, here: Callable[[Source], bool]) -> Iterator[Mutant]:
    for number, demand in enumerate(program.demands):
        if here(demand.at):
            demands = program.demands[:number] + program.demands[number + 1 :]
            yield Mutant("dropped", attrs.evolve(program, demands=demands))
    for number, option in enumerate(program.options):
        if here(option.at):
            yield Mutant("without effect", _without_option(program, number, option.default))
            if option.needs is not None:
                yield _changed("needs nothing", program, "options", number, attrs.evolve(option, needs=None))
    for number, slot in enumerate(program.slots):
        if here(slot.at):
            yield from _slot(program, number, slot)
    for table in program.tables:
        if here(table.at):
            yield from _table(program, table.name)
    for number, function in enumerate(program.functions):
        if here(function.at):
            yield from _function(program, number, function)


def _without_option(program: Program, option: int, default: int) -> Program:
    """Everything goes as if the option had its default."""

    def change(part: object) -> object:
        return ir.Constant(default) if isinstance(part, ir.OptionValue) and part.option == option else part

    return rebuild(program, change)


def _slot(program: Program, number: int, slot: Zone | Marker) -> Iterator[Mutant]:
    sight = slot.sight
    for said, seats in (("seen by everyone", Everyone()), ("seen by nobody", Nobody())):
        for part in ("content", "top", "size"):
            if getattr(sight, part) != seats:
                yield _changed(f"{part} {said}", program, "slots", number, _seen(slot, part, seats))
    if isinstance(slot, Zone) and slot.starts:
        yield _changed("begins empty", program, "slots", number, attrs.evolve(slot, starts=()))


def _seen(slot: Zone | Marker, part: str, seats: Seats) -> Zone | Marker:
    sight: Sight = attrs.evolve(slot.sight, **{part: seats})
    return attrs.evolve(slot, sight=sight)


def _function(program: Program, number: int, function: Function) -> Iterator[Mutant]:
    for said, body in other_answers(function.body):
        yield _changed(said, program, "functions", number, attrs.evolve(function, body=body))


def _case(program: Program, define: ast.Define, case: ast.Case) -> Iterator[Mutant]:
    """One line of a define by cases: its condition turned round, or its value another one."""
    at = define.at
    for number, function in enumerate(program.functions):
        if place_of(function.at) == (at.file, at.line, at.column):
            place = define.cases.index(case)
            for said, body in _other_case(function.body, place, case.condition is not None):
                yield _changed(said, program, "functions", number, attrs.evolve(function, body=body))


def _other_case(body: Expression, place: int, conditional: bool) -> Iterator[tuple[str, Expression]]:
    if place > 0 and isinstance(body, ir.Conditional):
        for said, otherwise in _other_case(body.otherwise, place - 1, conditional):
            yield said, attrs.evolve(body, otherwise=otherwise)
    elif conditional and isinstance(body, ir.Conditional):
        yield "the case never holds", body.otherwise
        for said, then in other_answers(body.then):
            yield said, attrs.evolve(body, then=then)
    else:
        yield from other_answers(body)


def _table(program: Program, name: str) -> Iterator[Mutant]:
    for table in program.tables:
        if table.name == name:
            for column in table.columns:
                yield from _column(program, name, column.name)


def _column(program: Program, name: str, column: str) -> Iterator[Mutant]:
    """The values of a column, each in the row below."""
    for number, table in enumerate(program.tables):
        if table.name == name:
            columns = tuple(
                attrs.evolve(each, values=each.values[-1:] + each.values[:-1]) if each.name == column else each
                for each in table.columns
            )
            if columns != table.columns:
                changed: Table = attrs.evolve(table, columns=columns)
                yield _changed(f"{column} exchanged", program, "tables", number, changed)


def _players(program: Program) -> Iterator[Mutant]:
    fewest, most = program.fewest_seats, program.most_seats
    yield Mutant("one player more", attrs.evolve(program, most_seats=most + 1))
    if fewest > 1:
        yield Mutant("one player fewer", attrs.evolve(program, fewest_seats=fewest - 1))
    if most > fewest:
        yield Mutant("not so many players", attrs.evolve(program, most_seats=most - 1))
        yield Mutant("not so few players", attrs.evolve(program, fewest_seats=fewest + 1))


# ------------------------------------------------------------------ moves and rules


def _emptied(program: Program, procedure: int, said: str) -> Mutant:
    """A rule or move that does nothing."""
    found = program.procedures[procedure]
    entry = len(program.nodes)
    procedures = list(program.procedures)
    procedures[procedure] = attrs.evolve(found, entry=entry)
    done = (*program.nodes, nodes.Return(found.at))
    return Mutant(said, attrs.evolve(program, procedures=tuple(procedures), nodes=done))


def _not_offered(program: Program, move: int) -> Program:
    def change(part: object) -> object:
        if isinstance(part, nodes.Decide) and move in part.moves:
            return attrs.evolve(part, moves=tuple(each for each in part.moves if each != move))
        return part

    return attrs.evolve(program, nodes=tuple(rebuild(node, change) for node in program.nodes))


# ------------------------------------------------------------------ the flow


def _node(program: Program, number: int, node: Node) -> Iterator[Mutant]:
    def instead(said: str, new: Node) -> Mutant:
        return _changed(said, program, "nodes", number, new)

    match node:
        case nodes.Do(effect=SetLocal(value=value) as effect):
            for said, other in other_answers(value):
                yield instead(said, attrs.evolve(node, effect=attrs.evolve(effect, value=other)))
        case nodes.Do():
            yield Mutant("passed over", attrs.evolve(program, nodes=tuple(_passed(node, n) for n in program.nodes)))
        case nodes.Call() | nodes.Chance():
            yield instead("passed over", nodes.Branch(YES, node.next, node.next, node.at))
        case nodes.Decide():
            yield instead("nobody is asked", nodes.Branch(YES, node.next, node.next, node.at))
            if not isinstance(node.asked, nodes.AnyOfSeats):
                may_pass = not node.asked.may_pass
                asked = attrs.evolve(node.asked, may_pass=may_pass)
                yield instead("may pass" if may_pass else "may not pass", attrs.evolve(node, asked=asked))
            if node.words is not None:
                yield instead("without words", attrs.evolve(node, words=None, reason=None))
        case nodes.Branch() if node.then != node.otherwise:
            yield instead("turned round", attrs.evolve(node, then=node.otherwise, otherwise=node.then))
            yield instead("never", attrs.evolve(node, condition=ir.Constant(0)))
            yield instead("always", attrs.evolve(node, condition=YES))
        case nodes.Loop():
            yield instead("never gone round", nodes.Branch(YES, node.done, node.done, node.at))
        case nodes.End():
            yield from _never_reached(program, number)
            yield instead("without a result", attrs.evolve(node, outcome=nodes.Aborted()))
        case nodes.Leave():
            yield from _never_reached(program, number)
            yield instead("only this rule is left", nodes.Return(node.at))
        case _:
            return


def _passed(effect: nodes.Do, node: Node) -> Node:
    """A node, or a way past it if it is this effect."""
    if isinstance(node, nodes.Do) and _is_twin(effect, node):
        return nodes.Branch(YES, node.next, node.next, node.at)
    return node


def _is_twin(node: Node, other: Node) -> bool:
    """Whether both are the same effect on the table: with and without a look what has become true by it. Spec 9.8."""
    if not isinstance(node, nodes.Do) or not isinstance(other, nodes.Do) or isinstance(node.effect, SetLocal):
        return False
    return (node.effect, node.at) == (other.effect, other.at)


def _never_reached(program: Program, number: int) -> Iterator[Mutant]:
    """Branches that lead straight to a node go the other way."""
    for place, node in enumerate(program.nodes):
        if isinstance(node, nodes.Branch) and node.then != node.otherwise and number in (node.then, node.otherwise):
            condition = ir.Constant(0) if node.then == number else YES
            yield _changed("never reached", program, "nodes", place, attrs.evolve(node, condition=condition))
