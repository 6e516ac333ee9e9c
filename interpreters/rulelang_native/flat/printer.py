"""A flat program as a listing to read: functions, procedures block by block, then what can fail.

Not a language: nothing reads it again. The same text for equal programs. `rulelang compile NAME --flat` prints it, and
`docs/flat-ir.md` says what every line means. Names of zones, moves and rules come from the program that was lowered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulelang.ir.program import Program
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.flat.program import Failure, FlatProgram, Function, Procedure

LONG = 48
"""Known rows that would take more characters are written once, behind the failures."""


def to_text(program: FlatProgram, of: Program) -> str:
    """The listing of a flat program, with the names of the closed program that it was lowered from."""
    return "\n".join(line.rstrip() for line in Printer(program, of).lines()) + "\n"


def function_text(program: FlatProgram, of: Program, name: str) -> str:
    """The listing of one function."""
    printer = Printer(program, of)
    return "\n".join(printer.function(next(each for each in program.functions if each.name == name))) + "\n"


def procedure_text(program: FlatProgram, of: Program, number: int) -> str:
    """The listing of one procedure."""
    return "\n".join(Printer(program, of).procedure(program.procedures[number])) + "\n"


class Printer:
    """Writes one flat program line by line."""

    def __init__(self, program: FlatProgram, of: Program) -> None:
        self.program = program
        self.of = of
        self.long: dict[Data, int] = {}
        """Long known rows, by their numbers."""
        self.frame: Sequence[str] = ()
        """The names of the running frame's locals."""
        self.calls = {each.name: f"{each.name}:{each.comment}" for each in program.functions if _applied(each)}

    def lines(self) -> list[str]:
        """The whole listing."""
        of = self.of
        closed = of.configuration
        seats = f", {closed.seats} players" if closed is not None else ""
        watched = "at every node" if self.program.metered else "at the end of a step"
        lines = [f"flat program of {of.name}{seats}; cost is compared {watched}"]
        for function in self.program.functions:
            lines += ["", *self.function(function)]
        for procedure in self.program.procedures:
            lines += ["", *self.procedure(procedure)]
        if self.program.divisions:
            lines.append("")
        for number, division in enumerate(self.program.divisions):
            rest = "nothing may be left over" if division.whole else "the rest may be left over"
            lines.append(f"division {number}: worth by {division.worth}, {rest}")
        if self.program.failures:
            lines.append("")
        lines += [f"failure {n}: {self.failure(each)}" for n, each in enumerate(self.program.failures)]
        if self.long:
            lines.append("")
        lines += [f"row{number} = {self.data(row)}" for row, number in self.long.items()]
        return lines

    # -------------------------------------------------------------- parts

    def function(self, function: Function) -> list[str]:
        """One function."""
        self.frame = () if function.frame is None else self.of.procedures[function.frame].locals
        name = self.calls.get(function.name, function.name)
        about = "" if function.name in self.calls else self.about(function)
        kind = {"value": "function", "listing": "listing", "framed": "function over a frame"}[function.kind]
        head = f"{kind} {name}({', '.join(function.parameters)})"
        return [f"{head}  -- {about}" if about else head, *self.body(function.body, 1)]

    def about(self, function: Function) -> str:
        """What of the rules a function stands for."""
        found = NUMBERED.fullmatch(function.name)
        if found is None:
            return function.comment
        part, number, place = found[1], int(found[2]), int(found[3] or 0)
        if part == "end":
            return f"{self.of.procedures[number].name}, {self.node(place)}"
        if part == "preference":
            return f"line {self.of.preferences[number].at.origin.line}"
        move = self.of.moves[number]
        if part == "domain":
            return f"{move.name}: {move.parameters[place].name}"
        return f"{move.name}: {move.requirements[place].name}"

    def procedure(self, procedure: Procedure) -> list[str]:
        """One procedure: its blocks, each at the node where a frame can stand."""
        self.frame = self.of.procedures[procedure.number].locals
        given = ", ".join(self.local(each) for each in range(procedure.parameters))
        others = ", ".join(self.local(each) for each in range(procedure.parameters, procedure.locals))
        kind = "carried out at once" if procedure.plain else "over a frame"
        line = self.of.procedures[procedure.number].at.origin.line
        lines = [f"procedure {self.rule(procedure.number)}({given}), {kind}  -- line {line}"]
        if others:
            lines.append(f"  remembers {others}")
        for block in procedure.blocks:
            lines.append(f"  at {block.node}{', where it begins' if block.node == procedure.entry else ''}:")
            lines += self.body(block.body, 2)
        return lines

    def body(self, statements: Iterable[st.Statement], depth: int) -> list[str]:
        """Statements, indented."""
        lines: list[str] = []
        for statement in statements:
            pad = "  " * depth
            match statement:
                case st.If():
                    lines.append(f"{pad}if {self.bare(statement.truth)}")
                    lines += self.body(statement.then, depth + 1)
                    if statement.otherwise:
                        lines.append(f"{pad}otherwise")
                        lines += self.body(statement.otherwise, depth + 1)
                case st.Each():
                    lines.append(f"{pad}each {statement.name} in {self.bare(statement.row)}")
                    lines += self.body(statement.body, depth + 1)
                case _:
                    lines.append(pad + STATEMENTS[type(statement)](self, statement))
        return lines

    def failure(self, failure: Failure) -> str:
        """What reached its limit."""
        said: list[str] = [failure.reason]
        if failure.reason in ("no_place", "no_fit", "no_room", "not_there", "no_piece_without_face"):
            said.append(self.slot(failure.number))
        said += [word for word in failure.words if word]
        return " ".join(said) + (f", limit {failure.limit}" if failure.limit else "")

    # -------------------------------------------------------------- names

    def slot(self, number: int) -> str:
        """A zone or marker."""
        return self.of.slots[number].name

    def held(self, slot: int, member: Flat) -> str:
        """A cell of the state."""
        single = not self.of.slots[slot].index and member == Known(0)
        return self.slot(slot) if single else f"{self.slot(slot)}[{self.bare(member)}]"

    def rule(self, number: int) -> str:
        """A procedure."""
        return f"{number}:{self.of.procedures[number].name}"

    def local(self, number: int) -> str:
        """What the running frame remembers."""
        return f"{self.frame[number]}%{number}" if number < len(self.frame) else f"%{number}"

    def reason(self, number: int) -> str:
        """A failure by number, and which it is."""
        return f"{number} ({self.failure(self.program.failures[number])})"

    def node(self, number: int) -> str:
        """A node, with its line in the rules."""
        at = self.of.nodes[number].at.origin
        return f"node {number}, line {at.line}" if at.file else f"node {number}"

    # -------------------------------------------------------------- expressions

    def data(self, value: Data) -> str:
        """Something known, in full."""
        return str(value) if isinstance(value, int) else f"[{', '.join(map(self.data, value))}]"

    def known(self, value: Data) -> str:
        """The same; a long row by its number."""
        text = self.data(value)
        return text if len(text) <= LONG else f"row{self.long.setdefault(value, len(self.long))}"

    def bare(self, value: Flat) -> str:
        """An expression that stands alone."""
        return EXPRESSIONS[type(value)](self, value)

    def part(self, value: Flat) -> str:
        """An expression beside a word or sign."""
        text = self.bare(value)
        return f"({text})" if isinstance(value, BESIDE) else text

    def listed(self, values: Iterable[Flat]) -> str:
        """Expressions in a row."""
        return ", ".join(map(self.bare, values))

    def call(self, word: str, *values: Flat) -> str:
        """A word with what it is asked of."""
        return f"{word}({self.listed(values)})"

    def stretch(self, e: flat.Stretch) -> str:
        """A part of a row."""
        end = "" if e.end is None else self.part(e.end)
        return f"{self.part(e.row)} from {self.part(e.first)} to {end or 'its end'}"

    def told(self, values: tuple[Flat, ...]) -> str:
        """Values behind a colon, if there are any."""
        return f": {self.listed(values)}" if values else ""


def _applied(function: Function) -> bool:
    """Whether a function is a define, called by number."""
    return function.name[:1] == "f" and function.name[1:].isdigit()


NUMBERED = re.compile(r"(domain|requirement|preference|end)(\d+)(?:_(\d+))?")
"""Functions that are named by the numbers of what they stand for."""

BESIDE = (
    *(flat.Math, flat.Compare, flat.Has, flat.All, flat.Any, flat.No, flat.Either),
    *(flat.Span, flat.Joined, flat.Stretch, flat.At),
)
"""Expressions with words or signs between their parts."""

WORDS = {"//": "div", "%": "mod", "==": "is", "!=": "is not"}
"""Operators that are written otherwise."""

STATEMENTS: dict[type, Callable[[Printer, Any], str]] = {
    st.Set: lambda p, s: f"{s.name} := {p.bare(s.value)}",
    st.Stop: lambda p, s: "leave the loop",
    st.Skip: lambda p, s: "go round",
    st.Gather: lambda p, s: f"gather {s.name}",
    st.Put: lambda p, s: f"put {p.bare(s.item)} to {s.name}",
    st.Notes: lambda p, s: f"notes {s.name}",
    st.Note: lambda p, s: f"note {p.bare(s.value)} in {s.name} under {p.bare(s.key)}",
    st.Give: lambda p, s: "done" if s.value is None else f"give {p.bare(s.value)}",
    st.Fail: lambda p, s: f"fail {p.reason(s.failure)}{p.told(s.values)}",
    st.Spend: lambda p, s: f"spend {s.units}",
    st.Mark: lambda p, s: f"-- {p.node(s.node)}",
    st.SpendOn: lambda p, s: f"do {p.rule(s.procedure)}({p.listed(s.arguments)})",
    st.Store: lambda p, s: f"{p.held(s.slot, s.member)} becomes {p.bare(s.value)}",
    st.Remember: lambda p, s: f"{p.local(s.local)} becomes {p.bare(s.value)}",
    st.Settle: lambda p, s: (
        f"settle the top of {p.held(s.slot, s.member)} as {p.bare(s.card)}, or fail {p.reason(s.failure)}"
    ),
    st.Offer: lambda p, s: f"offer {s.move}:{p.of.moves[s.move].name}({p.listed(s.values)})",
    st.Goto: lambda p, s: f"go on at {s.node}",
    st.Ask: lambda p, s: f"wait for answers of {p.bare(s.seats)}, at {s.node}",
    st.Draw: lambda p, s: f"wait for one of {p.bare(s.urn)}, at {s.node}",
    st.Unsee: lambda p, s: f"unsee {p.held(s.slot, s.member)}, at {s.node}",
    st.Open: lambda p, s: f"open {p.rule(s.procedure)}({p.listed(s.arguments)}), then go on at {s.next}",
    st.Force: lambda p, s: f"if all of {p.bare(s.seats)} have one answer, carry it out behind {s.node}",
    st.Close: lambda p, s: "close the frame",
    st.Leave: lambda p, s: f"close all frames up to {p.rule(s.procedure)}",
    st.Over: lambda p, s: f"the game is over, as node {s.node} says",
}
"""One line for each statement without a body."""

EXPRESSIONS: dict[type, Callable[[Printer, Any], str]] = {
    Known: lambda p, e: p.known(e.value),
    flat.Name: lambda p, e: e.name,
    flat.Remembered: lambda p, e: p.local(e.local),
    flat.Held: lambda p, e: p.held(e.slot, e.member),
    flat.Math: lambda p, e: (
        p.call(e.operator, e.left, e.right)
        if e.operator in ("min", "max")
        else f"{p.part(e.left)} {WORDS.get(e.operator, e.operator)} {p.part(e.right)}"
    ),
    flat.Compare: lambda p, e: f"{p.part(e.left)} {WORDS.get(e.operator, e.operator)} {p.part(e.right)}",
    flat.Has: lambda p, e: f"{p.part(e.item)} in {p.part(e.row)}",
    flat.All: lambda p, e: " and ".join(map(p.part, e.parts)),
    flat.Any: lambda p, e: " or ".join(map(p.part, e.parts)),
    flat.No: lambda p, e: f"not {p.part(e.truth)}",
    flat.Either: lambda p, e: f"{p.part(e.then)} if {p.part(e.truth)} otherwise {p.part(e.otherwise)}",
    flat.AsNumber: lambda p, e: p.call("number", e.truth),
    flat.IsOne: lambda p, e: p.call("some", e.value),
    flat.Length: lambda p, e: p.call("length", e.row),
    flat.At: lambda p, e: f"{p.part(e.row)} at {p.part(e.place)}",
    flat.Times: lambda p, e: p.call("times", e.row, e.item),
    flat.Items: lambda p, e: f"[{p.listed(e.items)}]",
    flat.Span: lambda p, e: f"{p.part(e.low)}..{p.part(e.high)}",
    flat.Joined: lambda p, e: f"{p.part(e.left)} & {p.part(e.right)}",
    flat.Stretch: Printer.stretch,
    flat.ButLast: lambda p, e: p.call("but_last", e.row),
    flat.LastOne: lambda p, e: p.call("last_one", e.row),
    flat.EachOnce: lambda p, e: p.call("each_once", e.row),
    flat.Replaced: lambda p, e: p.call("replaced", e.row, e.item, e.by),
    flat.UnseenTop: lambda p, e: p.call("unseen_top", e.pile),
    flat.HasAnswer: lambda p, e: f"has_answer(at {e.node}, {p.bare(e.seat)})",
    flat.Sorted: lambda p, e: p.call("sorted", e.row),
    flat.Distinct: lambda p, e: p.call("distinct", e.row),
    flat.Within: lambda p, e: f"within({p.bare(e.row)}, {e.low}..{e.high})",
    flat.Minus: lambda p, e: p.call("minus", e.left, e.right),
    flat.BagMinus: lambda p, e: p.call("bag_minus", e.left, e.right),
    flat.TakenOut: lambda p, e: p.call("taken_out", e.row, e.item),
    flat.Turned: lambda p, e: p.call("turned", e.row, e.start),
    flat.Linked: lambda p, e: p.call("linked", e.start, e.among, e.near),
    flat.Best: lambda p, e: p.call("highest" if e.most else "lowest", e.row),
    flat.Tied: lambda p, e: p.call("tied", e.row, e.numbers, e.best),
    flat.Finished: lambda p, e: f"finished({e.gathered})",
    flat.Noted: lambda p, e: f"noted({e.notes}, {p.bare(e.key)})",
    flat.Result: lambda p, e: p.call(p.calls.get(e.function, e.function), *e.arguments),
    flat.Bags: lambda p, e: p.call("bags", e.row, e.count),
    flat.Divided: lambda p, e: p.call(f"divided{e.division}", e.row, e.low, e.high),
}
"""Words for each expression."""
