"""Boards of squares and of hexagons. Spec 5.5.

Rows count from 1 upwards and northwards, columns from 1 eastwards; code 0 is row 1, column 1. Points are (row, column)
counted from 0. Horizontal edges lie below row 1, between rows and above the last; vertical ones likewise from the west.
"""

from collections.abc import Iterator

from rulelang.ir import expressions as ir
from rulelang.ir.directions import ACROSS, AROUND, BESIDE, LINES, BoardShape, Step
from rulelang.ir.expressions import Expression, Value
from rulelang.play import kinds
from rulelang.play.formulas.context import Context, check_length, codes, means, number
from rulelang.play.missing import no_such


def _lines(rows: int, columns: int, length: int, directions: tuple[Step, ...]) -> Iterator[Value]:
    """Every line of ``length`` cells in these directions, by first cell, then direction."""
    if length == 1:
        directions = directions[:1]
    for row in range(rows):
        for column in range(columns):
            for up, east in directions:
                last_row, last_column = row + up * (length - 1), column + east * (length - 1)
                if length >= 1 and last_row < rows and 0 <= last_column < columns:
                    yield tuple([(row + up * step) * columns + column + east * step for step in range(length)])


@means(ir.Lines)
def lines(formula: ir.Lines, context: Context) -> Value:
    """Every straight line of that length; a single cell is one line."""
    rows, columns = kinds.board_size(context.program, formula.board)
    length = number(formula.length, context)
    check_length(4 * rows * columns)
    return tuple(_lines(rows, columns, length, LINES[_shape(formula.board, context)]))


@means(ir.Ranks)
def ranks(formula: ir.Ranks, context: Context) -> Value:
    """Rows from the first, columns from the first, or the diagonals that cross the whole shorter side."""
    rows, columns = kinds.board_size(context.program, formula.board)
    if formula.direction == "rows":
        return tuple([tuple(range(row * columns, (row + 1) * columns)) for row in range(rows)])
    if formula.direction == "columns":
        return tuple([tuple(range(column, rows * columns, columns)) for column in range(columns)])
    return tuple(_lines(rows, columns, min(rows, columns), ACROSS[_shape(formula.board, context)]))


def _shape(board: int, context: Context) -> BoardShape:
    return context.program.boards[board].shape


def _point(formula: Expression, board: int, context: Context) -> tuple[int, int]:
    """Row and column, from 0, of the cell that a formula names."""
    rows, columns = kinds.board_size(context.program, board)
    code = number(formula, context)
    if not 0 <= code < rows * columns:
        raise no_such(f"A cell of {context.program.boards[board].name}")
    return divmod(code, columns)


@means(ir.Neighbours)
def neighbours(formula: ir.Neighbours, context: Context) -> Value:
    """The cells beside it, or around it, as far as the board goes."""
    rows, columns = kinds.board_size(context.program, formula.board)
    row, column = _point(formula.cell, formula.board, context)
    return tuple(
        [
            (row + up) * columns + column + east
            for up, east in (AROUND if formula.around else BESIDE)[_shape(formula.board, context)]
            if 0 <= row + up < rows and 0 <= column + east < columns
        ]
    )


@means(ir.Rays)
def rays(formula: ir.Rays, context: Context) -> Value:
    """From the cell outward in each direction, as far as the board goes."""
    rows, columns = kinds.board_size(context.program, formula.board)
    row, column = _point(formula.cell, formula.board, context)
    found = []
    for up, east in AROUND[_shape(formula.board, context)]:
        up_to = min(_room(row, up, rows), _room(column, east, columns))
        if up_to:
            found.append(tuple([(row + up * n) * columns + column + east * n for n in range(1, up_to + 1)]))
    return tuple(found)


def _room(place: int, step: int, size: int) -> int:
    """How many steps lead from a place to the end of the board."""
    return size if step == 0 else size - 1 - place if step > 0 else place


@means(ir.Linked)
def linked(formula: ir.Linked, context: Context) -> Value:
    """From the cells to start from, beside and beside again, as long as it stays among the others."""
    rows, columns = kinds.board_size(context.program, formula.board)
    start, within = codes(formula.start, context), codes(formula.within, context)
    among = {cell for cell in within if 0 <= cell < rows * columns}
    found = among.intersection(start)
    ahead = list(found)
    while ahead:
        row, column = divmod(ahead.pop(), columns)
        for up, east in BESIDE[_shape(formula.board, context)]:
            near = (row + up) * columns + column + east
            if 0 <= column + east < columns and near in among and near not in found:
                found.add(near)
                ahead.append(near)
    return tuple(sorted(found))


@means(ir.CellAt)
def cell_at(formula: ir.CellAt, context: Context) -> Value:
    """The cell in that row and column; none outside the board."""
    rows, columns = kinds.board_size(context.program, formula.board)
    row, column = number(formula.row, context), number(formula.column, context)
    return (row - 1) * columns + column - 1 if 1 <= row <= rows and 1 <= column <= columns else -1


@means(ir.RowOf)
def row_of(formula: ir.RowOf, context: Context) -> Value:
    """The cell's row, from 1."""
    return _point(formula.cell, formula.board, context)[0] + 1


@means(ir.ColumnOf)
def column_of(formula: ir.ColumnOf, context: Context) -> Value:
    """The cell's column, from 1."""
    return _point(formula.cell, formula.board, context)[1] + 1


@means(ir.EdgesOf)
def edges_of(formula: ir.EdgesOf, context: Context) -> Value:
    """Low, high, left, right."""
    rows, columns = kinds.board_size(context.program, formula.board)
    row, column = _point(formula.cell, formula.board, context)
    low = row * columns + column
    left = (rows + 1) * columns + row * (columns + 1) + column
    return (low, low + columns, left, left + 1)


def edge_place(rows: int, columns: int, edge: int) -> tuple[bool, int, int]:
    """Whether the edge is horizontal, and the row and column, from 0, where it lies."""
    across = (rows + 1) * columns
    if edge < across:
        return True, *divmod(edge, columns)
    return False, *divmod(edge - across, columns + 1)


@means(ir.CellsBeside)
def cells_beside(formula: ir.CellsBeside, context: Context) -> Value:
    """The cells below and above, or west and east, as far as the board goes."""
    rows, columns = kinds.board_size(context.program, formula.board)
    edge = number(formula.edge, context)
    if not 0 <= edge < (rows + 1) * columns + rows * (columns + 1):
        raise no_such(f"An edge of {context.program.boards[formula.board].name}")
    across, row, column = edge_place(rows, columns, edge)
    beside = ((row - 1, column), (row, column)) if across else ((row, column - 1), (row, column))
    return tuple([up * columns + east for up, east in beside if 0 <= up < rows and 0 <= east < columns])
