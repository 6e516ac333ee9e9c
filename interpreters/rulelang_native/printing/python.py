"""The Python printer: a flat program as Python source, compiled once for each configured program.

Rows are tuples, numbers are ints, a function a function; what a block remembers between waits lies in its frame, a list
of procedure, node and locals. The state's cells are a list, `c`. Nothing here decides anything: it spells out what the
flat program says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.flat.program import Function, Procedure
from rulelang_native.layout import Places

SMALL = 4
"""Membership in a known row longer than this is asked of a set."""


class Source:
    """Lines of source, and the constants that they name."""

    def __init__(self, places: Places, *, metered: bool, noting: bool = False) -> None:
        self.places = places
        self.metered = metered
        self.noting = noting
        """Whether every node that is come to is noted."""
        self.lines: list[str] = []
        self.marks: list[tuple[int, int]] = []
        """From which line on (counted from 1) the source carries out which node."""
        self.constants: dict[str, object] = {}
        self._rows: dict[Data, str] = {}
        self._sets: dict[Data, str] = {}

    def row(self, value: Data) -> str:
        """The name of a known row."""
        if value == ():
            return "()"
        if value not in self._rows:
            self._rows[value] = f"K{len(self._rows)}"
            self.constants[self._rows[value]] = value
        return self._rows[value]

    def set(self, value: tuple[Data, ...]) -> str:
        """The name of a known set."""
        if value not in self._sets:
            self._sets[value] = f"S{len(self._sets)}"
            self.constants[self._sets[value]] = frozenset(value)
        return self._sets[value]

    @property
    def text(self) -> str:
        """The whole source."""
        return "\n".join(self.lines) + "\n"

    # -------------------------------------------------------------- whole functions

    def function(self, function: Function) -> None:
        """One pure function or listing."""
        writer = _Writer(self, plain=False)
        parameters = ["c", *(["L"] if function.kind == "framed" else []), *function.parameters]
        if function.kind == "listing":
            parameters += ["out", "stop"]
        self._open(f"def {function.name}({', '.join(parameters)}):", function.comment)
        writer.statements(function.body, 1)

    def procedure(self, procedure: Procedure) -> None:
        """One procedure: at once if it is plain, else over a frame."""
        writer = _Writer(self, plain=procedure.plain)
        if procedure.plain:
            given = [f"v{place}" for place in range(procedure.parameters)]
            self._open(f"def q{procedure.number}({', '.join(['m', 'c', *given])}):", procedure.comment)
            others = [f"v{place}" for place in range(procedure.parameters, procedure.locals)]
            if others:
                self.lines.append(f"    {' = '.join(others)} = 0")
            if len(procedure.blocks) > 1:
                self.lines.append(f"    at = {procedure.entry}")
        else:
            self._open(f"def p{procedure.number}(m, f):", procedure.comment)
            self.lines += ["    c = m.c", "    L = f[2]", "    at = f[1]"]
        self.lines.append("    cost = 0")
        if procedure.plain and len(procedure.blocks) == 1 and not writer.jumps(procedure.blocks[0].body):
            writer.flow(procedure.blocks[0].body, 1)
            return
        self.lines.append("    while True:")
        self._blocks(writer, list(procedure.blocks), 2)

    def _blocks(self, writer: _Writer, blocks: list[Any], depth: int) -> None:
        """Find the block by halves."""
        pad = "    " * depth
        if len(blocks) == 1:
            self.lines.append(f"{pad}if at != {blocks[0].node}:")
            self.lines.append(f"{pad}    nowhere(at)")
            writer.flow(blocks[0].body, depth)
            return
        if len(blocks) == 2:
            self.lines.append(f"{pad}if at == {blocks[0].node}:")
            writer.flow(blocks[0].body, depth + 1)
            self._blocks(writer, blocks[1:], depth)
            return
        half = len(blocks) // 2
        self.lines.append(f"{pad}if at < {blocks[half].node}:")
        self._blocks(writer, blocks[:half], depth + 1)
        self._blocks(writer, blocks[half:], depth)

    def _open(self, line: str, comment: str) -> None:
        self.lines += ["", f"{line}  # {comment}" if comment else line]


class _Writer:
    """Writes statements and expressions of one function."""

    def __init__(self, source: Source, *, plain: bool) -> None:
        self.source = source
        self.plain = plain

    def line(self, depth: int, text: str) -> None:
        self.source.lines.append("    " * depth + text)

    # -------------------------------------------------------------- statements of functions

    def statements(self, statements: Iterable[st.Statement], depth: int) -> None:
        """Statements without any flow; an empty list does nothing."""
        empty = True
        for statement in statements:
            empty = False
            STATEMENTS[type(statement)](self, statement, depth)
        if empty:
            self.line(depth, "pass")

    def set(self, s: st.Set, depth: int) -> None:
        self.line(depth, f"{s.name} = {self.value(s.value)}")

    def if_(self, s: st.If, depth: int) -> None:
        self.line(depth, f"if {self.bare(s.truth)}:")
        self.statements(s.then, depth + 1)
        if s.otherwise:
            self.line(depth, "else:")
            self.statements(s.otherwise, depth + 1)

    def each(self, s: st.Each, depth: int) -> None:
        self.line(depth, f"for {s.name} in {self.iterated(s.row)}:")
        self.statements(s.body, depth + 1)

    def stop(self, s: st.Stop, depth: int) -> None:
        self.line(depth, "break")

    def skip(self, s: st.Skip, depth: int) -> None:
        self.line(depth, "continue")

    def gather(self, s: st.Gather, depth: int) -> None:
        self.line(depth, f"{s.name} = []")

    def notes(self, s: st.Notes, depth: int) -> None:
        self.line(depth, f"{s.name} = {{}}")

    def note(self, s: st.Note, depth: int) -> None:
        self.line(depth, f"{s.name}[{self.bare(s.key)}] = {self.bare(s.value)}")

    def put(self, s: st.Put, depth: int) -> None:
        self.line(depth, f"{s.name}.append({self.bare(s.item)})")

    def give(self, s: st.Give, depth: int) -> None:
        self.line(depth, "return" if s.value is None else f"return {self.bare(s.value)}")

    def fail(self, s: st.Fail, depth: int) -> None:
        values = "".join(f", {self.bare(each)}" for each in s.values)
        self.line(depth, f"fail({s.failure}{values})")

    def store(self, s: st.Store, depth: int) -> None:
        self.line(depth, f"c[{self.cell(s.slot, s.member)}] = {self.bare(s.value)}")

    def remember(self, s: st.Remember, depth: int) -> None:
        self.line(depth, f"{self.local(s.local)} = {self.bare(s.value)}")

    def settle(self, s: st.Settle, depth: int) -> None:
        self.line(
            depth, f"m.settle({self.cell(s.slot, s.member)}, {self.bare(s.card)}, {s.failure}, {self.bare(s.member)})"
        )

    def offer(self, s: st.Offer, depth: int) -> None:
        values = "".join(f" {self.value(each)}," for each in s.values)
        self.line(depth, f"out.append(({s.move},{values}))")
        self.line(depth, "if len(out) >= stop:")
        self.line(depth + 1, "return")

    # -------------------------------------------------------------- statements of the flow

    def jumps(self, statements: Iterable[st.Statement]) -> bool:
        """Whether a block goes on with another."""
        for each in statements:
            if isinstance(each, st.Goto) or (isinstance(each, st.If) and self.jumps((*each.then, *each.otherwise))):
                return True
        return False

    def flow(self, statements: Iterable[st.Statement], depth: int, owed: int = 0) -> int | None:
        """Statements with flow; ``owed`` are cost units not yet spent. What is owed behind them, None if never."""
        for statement in statements:
            match statement:
                case st.Mark():
                    self.source.marks.append((len(self.source.lines) + 1, statement.node))
                    if self.source.noting:
                        self.line(depth, f"noted({statement.node})")
                case st.Spend():
                    if self.source.metered:
                        self.line(depth, f"m.cost += {statement.units}")
                        self.line(depth, "if m.cost > m.most:")
                        self.line(depth + 1, "m.stop()")
                    else:
                        owed += statement.units
                case st.SpendOn():
                    arguments = "".join(f", {self.bare(each)}" for each in statement.arguments)
                    call = f"q{statement.procedure}(m, c{arguments})"
                    self.line(depth, call if self.source.metered else f"cost += {call}")
                case st.If() if _flows(statement):
                    self.line(depth, f"if {self.bare(statement.truth)}:")
                    if self._arm(statement.then, depth + 1, owed):
                        self.line(depth, "else:")
                        if statement.otherwise:
                            self._arm(statement.otherwise, depth + 1, owed)
                        else:
                            self._spend(depth + 1, owed, always=True)
                        owed = 0
                    else:
                        rest = self.flow(statement.otherwise, depth, owed)
                        if rest is None:
                            return None
                        owed = rest
                case st.Goto():
                    self._spend(depth, owed)
                    self.line(depth, f"at = {statement.node}")
                    self.line(depth, "continue")
                    return None
                case st.Ask():
                    self._rest(depth, statement.node, owed)
                    self.line(depth, f"m.asked = {self.bare(statement.seats)}")
                    self.line(depth, "return True")
                    return None
                case st.Draw():
                    self._rest(depth, statement.node, owed)
                    self.line(depth, f"m.urn = {self.bare(statement.urn)}")
                    self.line(depth, "return True")
                    return None
                case st.Unsee():
                    cell = self.cell(statement.slot, statement.member)
                    self.line(depth, f"urn = m.unsee({cell})")
                    self.line(depth, "if urn:")
                    self._rest(depth + 1, statement.node, owed)
                    self.line(depth + 1, "m.urn = urn")
                    self.line(depth + 1, "return True")
                case st.Open():
                    self._rest(depth, statement.next, owed)
                    arguments = ", ".join(self.bare(each) for each in statement.arguments)
                    self.line(depth, f"m.open({statement.procedure}, [{arguments}])")
                    self.line(depth, "return False")
                    return None
                case st.Force():
                    self.line(depth, f"if m.force(f, {statement.node}, {self.bare(statement.seats)}):")
                    self._leave(depth + 1, owed)
                    self.line(depth + 1, "return False")
                case st.Close():
                    if self.plain:
                        self.line(depth, f"return {self._cost(owed)}")
                    else:
                        self._rest(depth, statement.node, owed)
                        self.line(depth, "return m.close()")
                    return None
                case st.Leave():
                    self._rest(depth, statement.node, owed)
                    self.line(depth, f"return m.leave({statement.procedure})")
                    return None
                case st.Over():
                    self._rest(depth, statement.node, owed)
                    self.line(depth, f"m.over = {statement.node}")
                    self.line(depth, "return True")
                    return None
                case _:
                    STATEMENTS[type(statement)](self, statement, depth)
        return owed

    def _arm(self, statements: tuple[st.Statement, ...], depth: int, owed: int) -> bool:
        """One way of a condition; what it owes at its end is spent there. Whether play goes on behind it."""
        left = self.flow(statements, depth, owed)
        if left is not None:
            self._spend(depth, left, always=True)
        return left is not None

    def _spend(self, depth: int, owed: int, *, always: bool = False) -> None:
        if owed and not self.source.metered:
            self.line(depth, f"cost += {owed}")
        elif always:
            self.line(depth, "pass")

    def _cost(self, owed: int) -> str:
        return f"cost + {owed}" if owed else "cost"

    def _leave(self, depth: int, owed: int) -> None:
        if not self.source.metered:
            self.line(depth, f"m.cost += {self._cost(owed)}")

    def _rest(self, depth: int, node: int, owed: int) -> None:
        """The frame stands at a node, and what was spent is written down."""
        self.line(depth, f"f[1] = {node}")
        self._leave(depth, owed)

    # -------------------------------------------------------------- expressions

    def local(self, number: int) -> str:
        """A local of the running frame."""
        return f"v{number}" if self.plain else f"L[{number}]"

    def cell(self, slot: int, member: Flat) -> str:
        """The place of a member's cell."""
        base = self.source.places.base(slot)
        if isinstance(member, Known):
            return str(base + member.value)  # type: ignore[operator]
        return f"{base} + {self.value(member)}" if base else self.bare(member)

    def value(self, value: Flat) -> str:
        """An expression that can stand beside any operator."""
        text = self.bare(value)
        atoms = flat.Known | flat.Name | flat.Remembered | flat.Held | flat.At | flat.Result | flat.Length | flat.Items
        return text if isinstance(value, atoms) else f"({text})"

    def bare(self, value: Flat) -> str:
        """An expression that stands alone."""
        return EXPRESSIONS[type(value)](self, value)

    def iterated(self, row: Flat) -> str:
        """A row that is only gone through."""
        match row:
            case flat.Span():
                return f"range({self.bare(row.low)}, {self.after(row.high)})"
            case flat.Distinct():
                return f"sorted(set({self.loose(row.row)}))"
            case flat.Sorted():
                return f"sorted({self.loose(row.row)})"
            case flat.Finished():
                return row.gathered
            case _:
                return self.bare(row)

    def loose(self, row: Flat) -> str:
        """A row whose order does not matter."""
        match row:
            case flat.Sorted() | flat.Distinct():
                return self.loose(row.row)
            case flat.Finished():
                return row.gathered
            case _:
                return self.bare(row)

    def after(self, value: Flat) -> str:
        """One more than a number."""
        return str(value.value + 1) if isinstance(value, Known) else f"{self.value(value)} + 1"  # type: ignore[operator]

    def known(self, value: Data) -> str:
        """A number as it is, a row by its name."""
        return str(value) if isinstance(value, int) else self.source.row(value)

    def has(self, e: flat.Has) -> str:
        """Membership; in a long known row by its set."""
        if isinstance(e.row, Known) and isinstance(e.row.value, tuple) and len(e.row.value) > SMALL:
            return f"{self.value(e.item)} in {self.source.set(e.row.value)}"
        return f"{self.value(e.item)} in {self.value_row(e.row)}"

    def value_row(self, row: Flat) -> str:
        """A row that is only looked into."""
        match row:
            case flat.Distinct() | flat.Sorted():
                return self.value_row(row.row)
            case flat.Finished():
                return row.gathered
            case flat.Span():
                return f"range({self.bare(row.low)}, {self.after(row.high)})"
            case _:
                return self.value(row)

    def length(self, e: flat.Length) -> str:
        """The number of elements, without making a row for it."""
        match e.row:
            case flat.Distinct():
                return f"len(set({self.loose(e.row.row)}))"
            case flat.Sorted():
                return self.length(flat.Length(e.row.row))
            case flat.Finished():
                return f"len({e.row.gathered})"
            case flat.Span():
                return f"len(range({self.bare(e.row.low)}, {self.after(e.row.high)}))"
            case flat.Joined():
                return f"({self.length(flat.Length(e.row.left))} + {self.length(flat.Length(e.row.right))})"
            case _:
                return f"len({self.bare(e.row)})"

    def items(self, e: flat.Items) -> str:
        """A row of written items."""
        return f"({', '.join(self.bare(each) for each in e.items)}{',' if len(e.items) == 1 else ''})"

    def math(self, e: flat.Math) -> str:
        """Arithmetic."""
        if e.operator in ("min", "max"):
            return f"{e.operator}({self.bare(e.left)}, {self.bare(e.right)})"
        if e.operator == "-" and e.left == Known(0):
            return f"-{self.value(e.right)}"
        return f"{self.value(e.left)} {e.operator} {self.value(e.right)}"


def _flows(statement: st.Statement) -> bool:
    """Whether a condition has flow inside."""
    inside = (
        st.Mark
        | st.Spend
        | st.SpendOn
        | st.Goto
        | st.Ask
        | st.Draw
        | st.Unsee
        | st.Open
        | st.Force
        | st.Close
        | st.Leave
        | st.Over
    )
    if isinstance(statement, st.If):
        return any(_flows(each) for each in (*statement.then, *statement.otherwise))
    return isinstance(statement, inside)


STATEMENTS: dict[type, Callable[[_Writer, Any, int], None]] = {
    st.Set: _Writer.set,
    st.If: _Writer.if_,
    st.Each: _Writer.each,
    st.Stop: _Writer.stop,
    st.Skip: _Writer.skip,
    st.Gather: _Writer.gather,
    st.Put: _Writer.put,
    st.Notes: _Writer.notes,
    st.Note: _Writer.note,
    st.Give: _Writer.give,
    st.Fail: _Writer.fail,
    st.Store: _Writer.store,
    st.Remember: _Writer.remember,
    st.Settle: _Writer.settle,
    st.Offer: _Writer.offer,
}

EXPRESSIONS: dict[type, Callable[[_Writer, Any], str]] = {
    flat.Known: lambda w, e: w.known(e.value),
    flat.Name: lambda w, e: e.name,
    flat.Remembered: lambda w, e: w.local(e.local),
    flat.Held: lambda w, e: f"c[{w.cell(e.slot, e.member)}]",
    flat.Math: _Writer.math,
    flat.Compare: lambda w, e: f"{w.value(e.left)} {e.operator} {w.value(e.right)}",
    flat.Has: _Writer.has,
    flat.All: lambda w, e: " and ".join(w.value(each) for each in e.parts),
    flat.Any: lambda w, e: " or ".join(w.value(each) for each in e.parts),
    flat.No: lambda w, e: f"not {w.value(e.truth)}",
    flat.Either: lambda w, e: f"{w.value(e.then)} if {w.value(e.truth)} else {w.value(e.otherwise)}",
    flat.AsNumber: lambda w, e: f"1 if {w.value(e.truth)} else 0",
    flat.IsOne: lambda w, e: w.bare(e.value),
    flat.Length: _Writer.length,
    flat.At: lambda w, e: f"{w.value(e.row)}[{w.bare(e.place)}]",
    flat.Times: lambda w, e: f"{w.value(e.row)}.count({w.bare(e.item)})",
    flat.Items: _Writer.items,
    flat.Span: lambda w, e: f"tuple(range({w.bare(e.low)}, {w.after(e.high)}))",
    flat.Joined: lambda w, e: f"{w.value(e.left)} + {w.value(e.right)}",
    flat.Stretch: lambda w, e: (
        f"{w.value(e.row)}[{w.bare(e.first) if e.first != Known(0) else ''}:{w.bare(e.end) if e.end else ''}]"
    ),
    flat.ButLast: lambda w, e: f"{w.value(e.row)}[:-1]",
    flat.LastOne: lambda w, e: f"{w.value(e.row)}[-1:]",
    flat.EachOnce: lambda w, e: f"tuple(dict.fromkeys({w.iterated(e.row)}))",
    flat.Replaced: lambda w, e: f"replaced({w.bare(e.row)}, {w.bare(e.item)}, {w.bare(e.by)})",
    flat.UnseenTop: lambda w, e: f"m.unseen_top({w.bare(e.pile)})",
    flat.HasAnswer: lambda w, e: f"has_answer(c, {e.node}, {w.bare(e.seat)})",
    flat.Sorted: lambda w, e: f"tuple({w.iterated(e)})",
    flat.Distinct: lambda w, e: f"tuple({w.iterated(e)})",
    flat.Within: lambda w, e: f"within({w.bare(e.row)}, {e.low}, {e.high})",
    flat.Minus: lambda w, e: f"minus({w.bare(e.left)}, {w.bare(e.right)})",
    flat.BagMinus: lambda w, e: f"bag_minus({w.bare(e.left)}, {w.bare(e.right)})",
    flat.TakenOut: lambda w, e: f"taken_out({w.bare(e.row)}, {w.bare(e.item)})",
    flat.Turned: lambda w, e: f"turned({w.bare(e.row)}, {w.bare(e.start)})",
    flat.Linked: lambda w, e: f"linked({w.bare(e.start)}, {w.bare(e.among)}, {w.bare(e.near)})",
    flat.Best: lambda w, e: f"{'max' if e.most else 'min'}({w.value_row(e.row)})",
    flat.Tied: lambda w, e: f"tied({w.bare(e.row)}, {w.bare(e.numbers)}, {w.bare(e.best)})",
    flat.Finished: lambda w, e: f"tuple({e.gathered})",
    flat.Noted: lambda w, e: f"{e.notes}.get({w.bare(e.key)}, -1)",
    flat.Result: lambda w, e: f"{e.function}({', '.join(['c', *[w.bare(each) for each in e.arguments]])})",
    flat.Bags: lambda w, e: f"bags({w.bare(e.row)}, {w.bare(e.count)}, {e.failure})",
    flat.Divided: lambda w, e: f"divide{e.division}({w.bare(e.row)}, {w.bare(e.low)}, {w.bare(e.high)})",
}
