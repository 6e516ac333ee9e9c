"""First pass: does every number name something, and has every bound its form? Spec 1.3.

Every value of the program is looked at by itself, wherever it stands.
"""

from collections import Counter
from collections.abc import Sequence

from rulelang.ir import effects, expressions, nodes, types
from rulelang.ir.effects import Gather, Land, PickUp
from rulelang.ir.expressions import (
    Apply,
    Cell,
    CellAt,
    CellsBeside,
    ColumnOf,
    Constant,
    EdgesOf,
    Expression,
    Lines,
    Linked,
    Local,
    MakeRecord,
    Member,
    Neighbours,
    NoneOf,
    OptionValue,
    Part,
    Partition,
    Ranks,
    Rays,
    RowOf,
    SeatCount,
    Slot,
    Span,
)
from rulelang.ir.laps import successors
from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, End, Leave, Loop, Return
from rulelang.ir.origin import Origin
from rulelang.ir.program import (
    Board,
    Configuration,
    Function,
    Move,
    Preference,
    Procedure,
    Program,
    Requirement,
    Table,
    Timer,
)
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    RowType,
    SaidType,
)
from rulelang.ir.verify import texts
from rulelang.ir.verify.finding import Report
from rulelang.ir.walk import excess, walk_with_paths
from rulelang.limits import (
    COLLECTION,
    INTEGER_MAX,
    INTEGER_MIN,
    IR_BYTES,
    IR_DEPTH,
    LOCALS,
    PICKED,
    SEATS,
    TIMER_LENGTH,
)


def check(program: Program, report: Report) -> None:
    """Report every reference to something that is not there, and every malformed bound."""
    match excess(program, IR_DEPTH, IR_BYTES):
        case "depth":
            report.add("", f"something is nested more than {IR_DEPTH} deep")
            return
        case "count":
            report.add("", "the program is too large")
            return
    references = References(program, report)
    for path, value in walk_with_paths(program):
        texts.check(value, path, report)
        references.check(value, path)


class References:
    """Looks at single values of one program."""

    def __init__(self, program: Program, report: Report) -> None:
        self.program = program
        self.report = report
        self.closed = program.configuration is not None

    def check(self, value: object, path: str) -> None:
        """Look at one value of any class."""
        match type(value).__module__:
            case expressions.__name__:
                self._formula(value, path)
            case types.__name__:
                self._kind(value, path)
            case nodes.__name__ | effects.__name__:
                self._node(value, path)
            case _:
                self._declaration(value, path)

    def _in(self, number: int, declared: Sequence[object], what: str, path: str) -> bool:
        """Whether a number names one of the declared things; if not, it is reported."""
        if 0 <= number < len(declared):
            return True
        self.report.add(path, f"there is no {what} {number}")
        return False

    # -------------------------------------------------------------- formulas and places

    def _formula(self, value: object, path: str) -> None:
        program = self.program
        match value:
            case NoneOf() | OptionValue() | SeatCount() if self.closed:
                self.report.add(path, f"{type(value).__name__} has no place in a closed program")
            case OptionValue():
                self._in(value.option, program.options, "option", path)
            case Constant():
                self._constant(value, path)
            case Local() if not 0 <= value.number < LOCALS:
                self.report.add(path, f"there is no local {value.number}")
            case Cell():
                if self._in(value.table, program.tables, "table", path):
                    self._in(value.column, program.tables[value.table].columns, "column", path)
            case Apply():
                if self._in(value.function, program.functions, "function", path):
                    function = program.functions[value.function]
                    self._count(value.arguments, function.parameters, f"function '{function.name}'", path)
            case Slot():
                if self._in(value.slot, program.slots, "slot", path):
                    slot = program.slots[value.slot]
                    self._count(value.indices, len(slot.index), f"'{slot.name}'", path)
            case Member():
                self._in(value.slot, program.slots, "slot", path)
            case Part() | MakeRecord():
                self._record(value, path)
            case Span():
                self._bound(value.capacity, 0, COLLECTION, f"{path}/capacity")
            case Lines():
                self._bound(value.length, 1, COLLECTION, f"{path}/length")
                self._in(value.board, program.boards, "board", path)
            case Partition():
                self._bound(value.low, INTEGER_MIN, INTEGER_MAX, f"{path}/low")
                self._bound(value.high, INTEGER_MIN, INTEGER_MAX, f"{path}/high")
            case Ranks() | Neighbours() | Rays() | Linked() | CellAt() | RowOf() | ColumnOf():
                self._in(value.board, program.boards, "board", path)
            case EdgesOf() | CellsBeside():
                self._edges(value.board, path)

    def _constant(self, value: Constant, path: str) -> None:
        """A constant is a code, a collection of codes, or a list of collections of codes."""
        if isinstance(value.value, int):
            codes: Sequence[object] = (value.value,)
        else:
            lists = [item for item in value.value if isinstance(item, tuple)]
            if lists and len(lists) != len(value.value):
                self.report.add(path, "codes and collections of codes are mixed")
            if max([len(value.value), *map(len, lists)]) > COLLECTION:
                self.report.add(path, f"a collection has more than {COLLECTION} elements")
            codes = [code for item in lists for code in item] if lists else value.value
        for code in codes:
            if not isinstance(code, int):
                self.report.add(path, "collections are nested more than two deep")
            elif not INTEGER_MIN <= code <= INTEGER_MAX:
                self.report.add(path, "a number has more than 64 bits")

    def _record(self, value: Part | MakeRecord, path: str) -> None:
        if not isinstance(value.type, RecordType):
            self.report.add(f"{path}/type", "this is no kind of record")
        elif isinstance(value, Part):
            self._in(value.field, value.type.fields, f"part of '{value.type.name}'", path)
        else:
            self._count(value.parts, len(value.type.fields), f"record '{value.type.name}'", path)

    def _count(self, given: Sequence[object], wanted: int, what: str, path: str) -> None:
        if len(given) != wanted:
            self.report.add(path, f"{what} needs {wanted} values, not {len(given)}")

    def _bound(self, formula: Expression, low: int, high: int, path: str) -> None:
        """A bound is a literal in a closed program; wherever it is a literal, it is within its range."""
        if not isinstance(formula, Constant):
            if self.closed:
                self.report.add(path, "this is not decided, but the program is closed")
        elif not isinstance(formula.value, int) or not low <= formula.value <= high:
            self.report.add(path, f"this is no number from {low} to {high}")

    # -------------------------------------------------------------- kinds

    def _kind(self, value: object, path: str) -> None:
        program = self.program
        match value:
            case NumberType():
                self._bound(value.low, INTEGER_MIN, INTEGER_MAX, f"{path}/low")
                self._bound(value.high, INTEGER_MIN, INTEGER_MAX, f"{path}/high")
                match value:
                    case NumberType(Constant(value=int() as low), Constant(value=int() as high)) if low > high:
                        self.report.add(path, f"there are no numbers from {low} to {high}")
            case NamesType():
                self._distinct(value.labels, "name", path)
            case RecordType():
                self._distinct([field.name for field in value.fields], "part", path)
            case CellType():
                self._in(value.board, program.boards, "board", path)
            case EdgeType():
                self._edges(value.board, path)
            case RowType():
                self._in(value.table, program.tables, "table", path)
            case MemberType():
                self._in(value.slot, program.slots, "slot", path)
            case OptionalType(of=OptionalType()):
                self.report.add(path, "none is added twice")
            case PickType():
                self._bound(value.count, 0, PICKED, f"{path}/count")
            case SaidType():
                self._bound(value.most, 1, PICKED, f"{path}/most")
            case CollectionType():
                self._bound(value.capacity, 0, COLLECTION, f"{path}/capacity")

    def _edges(self, board: int, path: str) -> None:
        """Edges are those of square cells."""
        if self._in(board, self.program.boards, "board", path) and self.program.boards[board].shape != "squares":
            self.report.add(path, f"edges of board {board}, which has no square cells")

    def _distinct(self, names: Sequence[str], what: str, path: str) -> None:
        """There is at least one name, and none is there twice."""
        if not names:
            self.report.add(path, f"there is no {what}")
        for name, count in Counter(names).items():
            if count > 1:
                self.report.add(path, f"the {what} '{name}' is there {count} times")

    # -------------------------------------------------------------- nodes and effects

    def _node(self, value: object, path: str) -> None:
        program = self.program
        match value:
            case Do() | Branch() | Loop() | Call() | Return() | Leave() | Decide() | Chance() | End():
                for number in successors(value):
                    self._in(number, program.nodes, "node", path)
        match value:
            case Loop():
                self._bound(value.capacity, 0, COLLECTION, f"{path}/capacity")
                if len({value.items.number, value.position.number, value.item.number}) < 3:
                    self.report.add(path, "a loop needs three different locals")
            case Call():
                if self._in(value.procedure, program.procedures, "procedure", path):
                    procedure = program.procedures[value.procedure]
                    self._count(value.arguments, procedure.parameters, f"rule '{procedure.name}'", path)
            case Leave():
                self._in(value.procedure, program.procedures, "procedure", path)
            case Decide():
                for move in value.moves:
                    self._in(move, program.moves, "move", f"{path}/moves")
                if not value.moves or len(set(value.moves)) < len(value.moves):
                    self.report.add(f"{path}/moves", "the moves are none, or one is there twice")
            case Gather():
                for slot in value.zones:
                    self._in(slot, program.slots, "slot", f"{path}/zones")
            case PickUp() | Land():
                if not isinstance(value.type, RecordType):
                    self.report.add(f"{path}/type", "this is no kind of record")

    # -------------------------------------------------------------- declarations

    def _declaration(self, value: object, path: str) -> None:
        program = self.program
        match value:
            case Program():
                self._program(value)
            case Board():
                self._bound(value.rows, 1, COLLECTION, f"{path}/rows")
                self._bound(value.columns, 1, COLLECTION, f"{path}/columns")
            case Table():
                self._table(value, path)
            case Function():
                if not 0 <= value.parameters <= value.locals <= LOCALS:
                    self.report.add(path, f"of {value.locals} locals {value.parameters} cannot be parameters")
            case Procedure():
                if not 0 <= value.parameters <= len(value.locals) <= LOCALS:
                    self.report.add(path, f"of {len(value.locals)} locals {value.parameters} cannot be parameters")
                self._in(value.entry, program.nodes, "node", path)
            case Move():
                self._move(value, path)
            case Preference():
                if value.move is not None and self._in(value.move, program.moves, "move", f"{path}/move"):
                    needed = 1 + len(program.moves[value.move].parameters)
                    if not needed <= value.locals <= LOCALS:
                        self.report.add(path, f"of {value.locals} locals {needed} cannot be the seat and the answers")
            case Timer():
                self._bound(value.full, 1, TIMER_LENGTH, f"{path}/full")
                self._in(value.left, program.slots, "slot", f"{path}/left")
                self._in(value.end, program.slots, "slot", f"{path}/end")
            case Origin():
                if value.line < 1 or value.column < 1:
                    self.report.add(path, "lines and columns count from 1")
            case Configuration():
                if not program.fewest_seats <= value.seats <= program.most_seats:
                    self.report.add(path, f"the game is not for {value.seats} players")
                self._count(value.options, len(program.options), "the configuration", path)

    def _program(self, program: Program) -> None:
        if not 1 <= program.fewest_seats <= program.most_seats <= SEATS:
            message = f"the game is for {program.fewest_seats} to {program.most_seats} players, not for 1 to {SEATS}"
            self.report.add("", message)
        if program.clock is not None:
            self._in(program.clock, program.slots, "slot", "/clock")
        if not program.procedures:
            self.report.add("/procedures", "there is no overview")
        elif program.procedures[0].parameters:
            self.report.add("/procedures/0", "the overview has no parameters")
        for section in ("options", "boards", "tables", "slots", "moves", "timers"):
            names = [declared.name for declared in getattr(program, section)]
            if names:
                self._distinct(names, "name", f"/{section}")

    def _table(self, table: Table, path: str) -> None:
        for names, what in ((table.rows, "row"), ([column.name for column in table.columns], "column")):
            if names:
                self._distinct(names, what, path)
        for number, column in enumerate(table.columns):
            self._count(column.values, len(table.rows), f"column '{column.name}'", f"{path}/columns/{number}")

    def _move(self, move: Move, path: str) -> None:
        first = 1 + len(move.parameters)
        if not first <= move.locals <= LOCALS:
            self.report.add(path, f"{move.locals} locals are not enough or too many")
        for number, requirement in enumerate(move.requirements):
            self._prefix(requirement, len(move.parameters), f"{path}/requirements/{number}")
        for number, parameter in enumerate(move.parameters):
            for slot in parameter.named:
                self._in(slot, self.program.slots, "slot", f"{path}/parameters/{number}/named")
        if self._in(move.procedure, self.program.procedures, "procedure", path):
            procedure = self.program.procedures[move.procedure]
            if procedure.parameters != first:
                message = f"the effects take {procedure.parameters} values, but mover and answers are {first}"
                self.report.add(path, message)

    def _prefix(self, requirement: Requirement, parameters: int, path: str) -> None:
        if not 0 <= requirement.prefix <= parameters:
            self.report.add(path, f"the move has no {requirement.prefix} parameters")
