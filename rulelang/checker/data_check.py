"""Do the cells of every table fit their columns? Spec 6.3 and 6.4.

Kinds are known by now. Of a row in a data file it is asked whether it has every column, whether each value is one of
its column's kind, and whether it is said clearly where the value comes from. What the rules do not declare is none of
their business: data files hold more than one program needs. Of a row written in the rules it is asked whether its
values are plain ones and within their bounds; that they are of the right kind, the types pass has seen.

Columns whose bounds depend on options or seats are refused, so that data is right or wrong once and for all.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from rulelang.ast import nodes as ast
from rulelang.checker.cells import misfit, plain, said, unfit, written
from rulelang.checker.declared import DataRow, Declared
from rulelang.checker.formulas import KindTable
from rulelang.checker.kinds import Collection, Kind, Optional, Text, Unknown, agree, spoken
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, did_you_mean, nearest, quoted
from rulelang.source import Place

PROVENANCE: Final = {"printed": "clause", "published": "source", "assumed": "reason"}
"""Where a value can come from, and the key that says more about it."""

OTHER_WORDS: Final = {"found": "published", "public": "published"}
"""Other spellings of the same."""


def check_tables(rules: ast.Rules, declared: Declared, types: KindTable, findings: Findings) -> None:
    """Check every table; mistakes go to ``findings``."""
    walk = _Tables(declared, types, findings)
    for node in rules.declarations:
        if isinstance(node, ast.Table):
            walk.table(node)


def provenance_word(word: object) -> str | None:
    """``printed``, ``published`` or ``assumed``; None if it is none of these."""
    if not isinstance(word, str):
        return None
    word = OTHER_WORDS.get(word, word)
    return word if word in PROVENANCE else None


class _Tables:
    """One walk over the tables."""

    def __init__(self, declared: Declared, types: KindTable, findings: Findings) -> None:
        self.declared = declared
        self.types = types
        self.findings = findings

    def table(self, node: ast.Table) -> None:
        columns = [column for column in node.columns if self.column(column)]
        rows = self.declared.rows[node]
        lacking = self.lacking(columns, [row for row in rows if isinstance(row, DataRow)])
        for row in rows:
            if isinstance(row, DataRow):
                for column in columns:
                    if column.name in row.cells:
                        self.data_cell(row, column)
                    elif column not in lacking:
                        self.left_out(row, column, node)
            else:
                for column, value in zip(node.columns, row.values, strict=False):
                    if column in columns:
                        self.written_cell(row, column, value)

    def kind(self, column: ast.Column) -> Kind:
        return self.declared.kinds[column.type]

    # ------------------------------------------------------------------ columns

    def column(self, node: ast.Column) -> bool:
        """Whether a column can be checked at all."""
        kind = self.kind(node)
        wrong = unfit(kind)
        if wrong == "bounds":
            hint = "the bounds of a column are plain numbers, such as 0..20"
            self.findings.report(
                codes.NO_BOUND, node.type.at, what=f"How large '{node.name}' may become", why="", hint=hint
            )
        elif wrong is not None:
            self.findings.report(
                codes.TYPE_MISMATCH,
                node.type.at,
                found=spoken(kind),
                wanted="a number, yes or no, a named value, a row, a list of these, or a text",
            )
        return wrong is None

    def lacking(self, columns: list[ast.Column], rows: list[DataRow]) -> set[ast.Column]:
        """The columns that no row has though each must; said once each."""
        found: set[ast.Column] = set()
        for column in columns:
            if len(rows) > 1 and self.needed(column) and not any(column.name in row.cells for row in rows):
                found.add(column)
                first = rows[0]
                near = nearest(column.name, first.cells)
                hint = f"no row has it; did you mean {quoted(near)}?" if near is not None else "no row has it"
                self.findings.report(
                    codes.MISSING_COLUMN, first.place or column.at, row=first.name, column=column.name, hint=hint
                )
        return found

    def needed(self, column: ast.Column) -> bool:
        """Whether a row without this column is a mistake, and not just without a value."""
        return not isinstance(self.kind(column), Optional | Collection)

    # ------------------------------------------------------------------ cells of data files

    def left_out(self, row: DataRow, column: ast.Column, table: ast.Table) -> None:
        """A column that a row does not have; keys that are nearly the same are taken for slips of the pen."""
        declared = {each.name for each in table.columns}
        near = nearest(column.name, [key for key in row.cells if key not in declared])
        if near is None and not self.needed(column):
            return
        place = row.place if near is None else row.cell_places.get(near, row.place)
        hint = f"it has {quoted(near)}, which the table does not declare" if near is not None else None
        self.findings.report(
            codes.MISSING_COLUMN,
            place or column.at,
            row=row.name,
            column=column.name,
            hint=hint or _write(self.kind(column)),
        )

    def data_cell(self, row: DataRow, column: ast.Column) -> None:
        cell = row.cells[column.name]
        place = row.cell_places.get(column.name) or row.place
        if isinstance(cell, dict) and "value" in cell:
            self.provenance(cell, row, column, place)
        beside = row.cells.get(f"{column.name}_provenance")
        if beside is not None:
            self.beside(beside, row, column, row.cell_places.get(f"{column.name}_provenance"))
        wrong = misfit(plain(cell), self.kind(column))
        if wrong is None:
            return
        if wrong.unknown is not None and isinstance(plain(cell), str):
            self.findings.report(
                codes.UNKNOWN_ROW, place, table=wrong.unknown.table.name, word=plain(cell), hint=wrong.hint
            )
            return
        self.findings.report(
            codes.WRONG_DATA_VALUE,
            place,
            column=column.name,
            row=row.name,
            found=wrong.found,
            wanted=wrong.wanted,
            hint=wrong.hint,
        )

    def provenance(self, cell: Mapping[str, object], row: DataRow, column: ast.Column, place: Place | None) -> None:
        """``{ value = 9, provenance = "printed", clause = "13A-R-02" }``."""
        given = cell.get("provenance")
        word = provenance_word(given)
        if "provenance" not in cell:
            self.unclear(row, column, place, "'provenance' is missing", _ways())
        elif word is None:
            hint = did_you_mean(given, PROVENANCE) if isinstance(given, str) else None
            self.unclear(row, column, place, f"'provenance' is {said(given)}", hint or _ways())
        else:
            more = PROVENANCE[word]
            if not isinstance(cell.get(more), str) or not str(cell[more]).strip():
                hint = f'write {more} = "..."'
                self.unclear(row, column, place, f"what is {given} has a {quoted(more)}", hint)

    def beside(self, given: object, row: DataRow, column: ast.Column, place: Place | None) -> None:
        """``copies_provenance = "printed:13A-R-02"``, beside ``copies``."""
        word, colon, more = given.partition(":") if isinstance(given, str) else ("", "", "")
        if provenance_word(word.strip()) is None:
            self.unclear(
                row, column, place, f"its provenance is {said(given)}", did_you_mean(word, PROVENANCE) or _ways()
            )
        elif not colon or not more.strip():
            self.unclear(row, column, place, "its provenance says no more", f"write it as {quoted(f'{word}: ...')}")

    def unclear(self, row: DataRow, column: ast.Column, place: Place | None, reason: str, hint: str) -> None:
        self.findings.report(
            codes.UNCLEAR_PROVENANCE, place, column=column.name, row=row.name, reason=reason, hint=hint
        )

    # ------------------------------------------------------------------ cells in the rules

    def written_cell(self, row: ast.Row, column: ast.Column, node: ast.Expr) -> None:
        kind = self.kind(column)
        found = [self.types.kinds.get(each, Unknown()) for each in (node, *_inside(node))]
        if any(isinstance(each, Unknown) for each in found) or not agree(found[0], kind):
            return  # told already
        words = [each for each in (node, *_inside(node)) if isinstance(each, ast.Name)]
        value = written(node) if all(word in self.types.labels for word in words) else None
        wrong = misfit(value, kind) if value is not None else None
        if value is None:
            self.findings.report(codes.TYPE_MISMATCH, node.at, found="a formula", wanted="a plain value")
        elif wrong is not None:
            self.findings.report(codes.TYPE_MISMATCH, node.at, found=wrong.found, wanted=wrong.wanted, hint=wrong.hint)


def _inside(node: ast.Expr) -> Iterator[ast.Expr]:
    """The parts of a cell that is written as a list or in brackets."""
    match node:
        case ast.Bracket(value=value):
            yield value
            yield from _inside(value)
        case ast.ListOf(items=items):
            for item in items:
                yield item
                yield from _inside(item)
        case _:
            pass


def _ways() -> str:
    ways = [f"{quoted(word)} with a {quoted(more)}" for word, more in PROVENANCE.items()]
    return f"it is {', '.join(ways[:-1])} or {ways[-1]}"


def _write(kind: Kind) -> str:
    return f"each row has {spoken(kind)} here" if not isinstance(kind, Text) else "each row has a text here"
