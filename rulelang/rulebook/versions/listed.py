"""The declarations of a program, each with a text that is the same exactly if it means the same."""

import re
from collections.abc import Iterator
from typing import Literal

import attrs

from rulelang.ir.laps import successors
from rulelang.ir.origin import Origin
from rulelang.ir.printer import Printer, in_order, node_text
from rulelang.ir.program import Program
from rulelang.ir.spoken import Speaker

Sort = Literal[
    "players", "option", "demand", "board", "table", "slot", "timer", "define", "move", "requirement", "rule"
]


@attrs.frozen
class Listed:
    """One declaration."""

    sort: Sort
    name: str
    """``take.enough`` of a requirement."""
    text: str
    """What it means, in the words of the compiled form."""
    at: Origin | None


def listed(program: Program) -> Iterator[Listed]:
    """Every declaration in order: what is agreed before play, what there is, moves with their requirements, rules."""
    say = Speaker(program)
    yield Listed("players", "players", f"{program.fewest_seats} to {program.most_seats}", None)
    for option in program.options:
        needs = "" if option.needs is None else f" needs {_plain(say.formula(option.needs))}"
        yield Listed("option", option.name, f"{say.kind(option.type)} = {option.default}{needs}", option.at.origin)
    for demand in program.demands:
        yield Listed("demand", demand.name, _plain(say.formula(demand.condition)), demand.at.origin)
    for board in program.boards:
        size = f"{say.formula(board.rows)} by {say.formula(board.columns)} {board.shape}"
        yield Listed("board", board.name, size, board.at.origin)
    for table in program.tables:
        columns = "; ".join(f"{column.name}: {say.kind(column.type)} {column.values}" for column in table.columns)
        yield Listed("table", table.name, f"{table.rows} {columns}", table.at.origin)
    printer = Printer(program)
    for slot in program.slots:
        yield Listed("slot", slot.name, _plain(printer.slot(slot)), slot.at.origin)
    for timer in program.timers:
        yield Listed("timer", timer.name, _plain(say.formula(timer.full)), timer.at.origin)
    for function in program.functions:
        yield Listed("define", function.name, _plain(say.formula(function.body)), function.at.origin)
    yield from _moves(program, say)
    yield from _rules(program, say)


def _moves(program: Program, say: Speaker) -> Iterator[Listed]:
    for move in program.moves:
        parameters = [f"{each.name} in {_plain(say.formula(each.domain))}" for each in move.parameters]
        private = " private" if move.private else ""
        effects = _flow(program, say, program.procedures[move.procedure].entry)
        yield Listed("move", move.name, f"({', '.join(parameters)}){private}: {effects}", move.at.origin)
        counts: dict[str, int] = {}
        for asked in move.requirements:
            counts[asked.name] = counts.get(asked.name, 0) + 1
            number = f"#{counts[asked.name]}" if counts[asked.name] > 1 else ""
            text = f"{_plain(say.formula(asked.condition))} because {_plain(say.words(asked.words))}"
            yield Listed("requirement", f"{move.name}.{asked.name}{number}", text, asked.at.origin)


def _rules(program: Program, say: Speaker) -> Iterator[Listed]:
    moves = {move.procedure for move in program.moves}
    for number, procedure in enumerate(program.procedures):
        if number not in moves:
            yield Listed("rule", procedure.name, _flow(program, say, procedure.entry), procedure.at.origin)


def _flow(program: Program, say: Speaker, entry: int) -> str:
    """A procedure: its nodes in order, each with where it leads, by places in this list."""
    order = in_order(program, entry)
    places = {node: place for place, node in enumerate(order)}
    return "; ".join(
        f"{_plain(node_text(say, program.nodes[node]))} -> {[places[each] for each in successors(program.nodes[node])]}"
        for node in order
    )


def _plain(text: str) -> str:
    """A text without the numbers of locals and functions."""
    return re.sub(r"%[0-9]+", "", text)
