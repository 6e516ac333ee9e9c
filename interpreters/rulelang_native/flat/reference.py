"""The tables of `docs/flat-ir.md`, made from the classes. `python -m rulelang_native.flat.reference` writes them.

What a class means stands in its docstring; here stand only how listings write it and what it costs a machine, `n` being
the length of its row. (Cost units of the language are something else: `Spend` counts those.)
"""

from pathlib import Path
from typing import get_args

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import program
from rulelang_native.flat import statements as st

BEGIN, END = (
    "<!-- made by rulelang_native.flat.reference: begin -->",
    "<!-- made by rulelang_native.flat.reference: end -->",
)

EXPRESSIONS: dict[type, tuple[str, str]] = {
    flat.Known: ("`3`, `[1, 2]`, `row0`", "nothing"),
    flat.Name: ("`t1`", "nothing"),
    flat.Remembered: ("`square%1`", "1"),
    flat.Held: ("`deck`, `hand[p]`", "1"),
    flat.Math: ("`a + b`, `a div b`, `a mod b`, `min(a, b)`", "1"),
    flat.Compare: ("`a is b`, `a is not b`, `a < b`", "1; rows: n"),
    flat.Has: ("`item in row`", "n; a known row: 1"),
    flat.All: ("`a and b`", "its parts, as far as needed"),
    flat.Any: ("`a or b`", "its parts, as far as needed"),
    flat.No: ("`not a`", "1"),
    flat.Either: ("`a if truth otherwise b`", "the truth and one of both"),
    flat.AsNumber: ("`number(truth)`", "1"),
    flat.IsOne: ("`some(value)`", "1"),
    flat.Length: ("`length(row)`", "1"),
    flat.At: ("`row at place`", "1"),
    flat.Times: ("`times(row, item)`", "n"),
    flat.Items: ("`[a, b]`", "n"),
    flat.Span: ("`a..b`", "n; gone through: 1"),
    flat.Joined: ("`a & b`", "n"),
    flat.Stretch: ("`row from a to b`", "n"),
    flat.ButLast: ("`but_last(row)`", "n"),
    flat.LastOne: ("`last_one(row)`", "1"),
    flat.EachOnce: ("`each_once(row)`", "n"),
    flat.Replaced: ("`replaced(row, item, by)`", "n"),
    flat.UnseenTop: ("`unseen_top(pile)`", "1"),
    flat.HasAnswer: ("`has_answer(at node, seat)`", "the listings of the node's moves, up to the first answer"),
    flat.Sorted: ("`sorted(row)`", "n log n"),
    flat.Distinct: ("`distinct(row)`", "n log n"),
    flat.Within: ("`within(row, low..high)`", "n"),
    flat.Minus: ("`minus(a, b)`", "n of one by n of the other"),
    flat.BagMinus: ("`bag_minus(a, b)`", "n of both; one element: n"),
    flat.TakenOut: ("`taken_out(row, item)`", "n"),
    flat.Turned: ("`turned(row, start)`", "n"),
    flat.Linked: ("`linked(start, among, near)`", "the rows of near that are looked at"),
    flat.Best: ("`highest(row)`, `lowest(row)`", "n"),
    flat.Tied: ("`tied(row, numbers, best)`", "n"),
    flat.Finished: ("`finished(g)`", "n; gone through or counted: 1"),
    flat.Noted: ("`noted(k, key)`", "1"),
    flat.Result: ("`f3:total(a)`", "the function's body"),
    flat.Bags: ("`bags(row, count)`", "the bags that there are"),
    flat.Divided: (
        "`divided0(row, low, high)`",
        "what the division needs, at most 4,194,304 steps (16.1); remembered by bag",
    ),
}

STATEMENTS: dict[type, tuple[str, str]] = {
    st.Set: ("`t := value`", "the value"),
    st.If: ("`if truth`, `otherwise`", "the truth and one way"),
    st.Each: ("`each x in row`", "its body, n times"),
    st.Stop: ("`leave the loop`", "nothing"),
    st.Skip: ("`go round`", "nothing"),
    st.Gather: ("`gather g`", "1"),
    st.Put: ("`put item to g`", "1"),
    st.Notes: ("`notes k`", "1"),
    st.Note: ("`note value in k under key`", "1"),
    st.Give: ("`give value`, `done`", "the value"),
    st.Fail: ("`fail 3 (why): values`", "once"),
    st.Spend: ("`spend 4`", "added up up to the next wait: nothing; 1 if cost must be watched"),
    st.Mark: ("`-- node 7, line 15`", "nothing"),
    st.SpendOn: ("`do 2:rule(a)`", "the procedure"),
    st.Store: ("`mark[m] becomes value`", "the value"),
    st.Remember: ("`p%0 becomes value`", "the value"),
    st.Settle: ("`settle the top of pile as card, or fail 0 (why)`", "n of pile and pool"),
    st.Offer: ("`offer 0:place(a)`", "1"),
    st.Goto: ("`go on at 3`", "finding the block, by halves"),
    st.Ask: ("`wait for answers of seats, at 3`", "1"),
    st.Draw: ("`wait for one of urn, at 3`", "1"),
    st.Unsee: ("`unsee pile, at 3`", "n log n"),
    st.Open: ("`open 2:rule(a), then go on at 4`", "the locals of the procedure"),
    st.Force: ("`if all of seats have one answer, carry it out behind 3`", "the listings, up to the second answer"),
    st.Close: ("`close the frame`", "1"),
    st.Leave: ("`close all frames up to 2:rule`", "the frames"),
    st.Over: ("`the game is over, as node 5 says`", "1"),
}

WHOLE = (
    program.FlatProgram,
    program.Function,
    program.Procedure,
    program.Block,
    program.Failure,
    program.Division,
)


def tables() -> str:
    """All tables."""
    lines = ["### Expressions", "", *_table(EXPRESSIONS), "", "### Statements", "", *_table(STATEMENTS)]
    lines += ["", "### A program", "", "| class | fields | meaning |", "|---|---|---|"]
    lines += [f"| `{kind.__name__}` | {_fields(kind)} | {_meaning(kind)} |" for kind in WHOLE]
    return "\n".join(lines) + "\n"


def _table(entries: dict[type, tuple[str, str]]) -> list[str]:
    lines = ["| class | fields | meaning | in listings | costs |", "|---|---|---|---|---|"]
    for kind, (written, cost) in entries.items():
        lines.append(f"| `{kind.__name__}` | {_fields(kind)} | {_meaning(kind)} | {written} | {cost} |")
    return lines


def _fields(kind: type) -> str:
    return ", ".join(field.name for field in attrs.fields(kind)) or "none"


def _meaning(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def page(text: str) -> str:
    """A page with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{rest.partition(END)[2]}"


def complete() -> bool:
    """Whether every class has its line."""
    return set(EXPRESSIONS) == set(get_args(flat.Flat)) and set(STATEMENTS) == set(get_args(st.Statement))


if __name__ == "__main__":  # pragma: no cover
    path = Path(__file__).resolve().parents[3] / "docs" / "flat-ir.md"
    path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")
