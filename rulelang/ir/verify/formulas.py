"""Does every formula get the kinds of values that it works on, and read only locals that have values? Spec 4.

The kind of a local is everything that is ever put there, joined; the kind of a parameter everything that is passed.
A formula's result is found from its parts; what does not fit is reported where it stands.
"""

from typing import assert_never

import attrs

from rulelang.ir.calls import reading_functions
from rulelang.ir.codec import Path
from rulelang.ir.expressions import (
    Add,
    AllOf,
    Apply,
    AtMost,
    Both,
    Cell,
    CellAt,
    CellsBeside,
    ColumnOf,
    Conditional,
    Constant,
    Contains,
    Distinct,
    EdgesOf,
    Either,
    Equal,
    Expression,
    From,
    Item,
    Join,
    Larger,
    Last,
    Less,
    Lines,
    Linked,
    Local,
    MakeList,
    MakeRecord,
    Multiply,
    Negative,
    Neighbours,
    NoneOf,
    Not,
    Occurrences,
    OptionValue,
    Part,
    Partition,
    PartitionPart,
    Picks,
    Place,
    Quotient,
    Ranks,
    Rays,
    Read,
    Remainder,
    RowOf,
    SeatCount,
    Size,
    Slot,
    Smaller,
    Span,
    Subtract,
    Without,
    Words,
)
from rulelang.ir.measure import Frame
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import CellType, EdgeType, RecordType
from rulelang.ir.verify.finding import Report
from rulelang.ir.verify.kinds import (
    FLAG,
    MIXED,
    NUMBER,
    TEXT,
    Division,
    Kind,
    Many,
    Single,
    agree,
    is_flag,
    join,
    of_single,
    of_slot,
    of_type,
    of_value,
)
from rulelang.ir.verify.searches import check_partition, check_partition_part, check_search


@attrs.frozen
class Scope:
    """Where a formula stands."""

    frame: Frame
    count: int
    """How many locals the frame has."""
    known: int
    """Those that have values, as bits."""
    variables: dict[int, Kind] = attrs.field(factory=dict)
    """The search variables around it."""
    witnesses: bool = False
    """Whether it may also speak of search variables that are over: words of a requirement."""
    changing: bool = True
    """Whether it may read what lies on the table."""

    def has(self, number: int) -> bool:
        """Whether a local has a value here."""
        return number in self.variables or bool(self.known >> number & 1) or self.witnesses


class Formulas:
    """Looks at the formulas of one program."""

    def __init__(self, program: Program, report: Report) -> None:
        self.program = program
        self.report = report
        self.changed = False
        """Whether the kind of a local or of a result has been found to be wider."""
        self._kinds: dict[tuple[Frame, int], Kind] = {}
        self._results: dict[int, Kind] = {}
        self._reading = reading_functions(program)

    # -------------------------------------------------------------- locals

    def put(self, frame: Frame, number: int, kind: Kind, path: Path) -> None:
        """A local gets a value of this kind."""
        old = self._kinds.get((frame, number))
        joined = join(old, kind)
        if joined == MIXED:
            self.report.add(path, f"local {number} is {MIXED}")
        if TEXT in (kind, joined):
            self.report.add(path, "a text can only be spoken")
        if joined != old:
            self._kinds[frame, number] = joined
            self.changed = True

    def give(self, function: int, kind: Kind) -> None:
        """A function has a result of this kind."""
        joined = join(self._results.get(function), kind)
        if joined != self._results.get(function):
            self._results[function] = joined
            self.changed = True

    def forget(self) -> None:
        """Take nothing for known about locals: their kinds never came to rest."""
        self._kinds.clear()
        self._results.clear()

    # -------------------------------------------------------------- what a place wants

    def flag(self, formula: Expression, path: Path, scope: Scope) -> None:
        """A condition."""
        kind = self.kind(formula, path, scope)
        if not is_flag(kind, formula):
            self.report.add(path, f"yes or no is needed, not {kind}")

    def single(self, formula: Expression, path: Path, scope: Scope) -> Kind:
        """One value, whatever its kind."""
        kind = self.kind(formula, path, scope)
        if isinstance(kind, Many | Division) or kind == TEXT:
            self.report.add(path, f"one value is needed, not {kind}")
        return kind

    def many(self, formula: Expression, path: Path, scope: Scope) -> Many:
        """A collection."""
        kind = self.kind(formula, path, scope)
        if isinstance(kind, Single | Division) and kind != MIXED:
            self.report.add(path, f"a collection is needed, not {kind}")
        return kind if isinstance(kind, Many) else Many(None, None)

    def fits(self, formula: Expression, wanted: Kind, path: Path, scope: Scope) -> None:
        """A value of a given kind."""
        kind = self.kind(formula, path, scope)
        if not agree(kind, wanted):
            self.report.add(path, f"{wanted} is needed, not {kind}")

    def place(self, place: Place, path: Path, scope: Scope) -> None:
        """The indices of a place."""
        if isinstance(place, Slot):
            for number, index in enumerate(place.indices):
                wanted = of_single(self.program.slots[place.slot].index[number])
                self.fits(index, wanted, ((path, "indices"), number), scope)
        else:
            self.fits(place.member, Single(f"a member of slot {place.slot}"), (path, "member"), scope)

    def named_place(self, formula: Expression, path: Path, scope: Scope) -> None:
        """The reading of a place that is only named: what lies there does not matter."""
        if isinstance(formula, Read):
            self._read(formula, path, scope, contents=False)
        else:
            self.report.add(path, "a place is needed")

    def words(self, words: Words | None, path: Path, scope: Scope) -> None:
        """The holes of a text."""
        for number, part in enumerate(words.parts if words else ()):
            if not isinstance(part, str):
                self.fits(part.value, of_type(part.type), (((path, "parts"), number), "value"), scope)

    # -------------------------------------------------------------- formulas

    def kind(self, formula: Expression, path: Path, scope: Scope) -> Kind:
        """The kind of a formula's value, its parts looked at."""
        match formula:
            case Constant():
                return of_value(formula.value)
            case NoneOf():
                return of_single(formula.type)
            case AllOf():
                return Many("list", of_single(formula.type))
            case OptionValue():
                return of_single(self.program.options[formula.option].type)
            case SeatCount():
                return NUMBER
            case Local():
                return self._local(formula, path, scope)
            case Read():
                return self._read(formula, path, scope)
            case Cell():
                self.fits(formula.row, Single(f"a row of table {formula.table}"), (path, "row"), scope)
                return of_type(self.program.tables[formula.table].columns[formula.column].type)
            case Apply():
                return self._apply(formula, path, scope)
            case Add() | Subtract() | Multiply() | Quotient() | Remainder() | Smaller() | Larger():
                self.single(formula.left, (path, "left"), scope)
                self.single(formula.right, (path, "right"), scope)
                return NUMBER
            case Equal() | Less() | AtMost() | Not() | Both() | Either() | Contains() | Occurrences():
                return self._question(formula, path, scope)
            case Negative() | Conditional() | Part() | MakeRecord() | Span():
                return self._composed(formula, path, scope)
            case MakeList() | Join() | Without() | Size():
                return self._collection(formula, path, scope)
            case Distinct() | Item() | Last() | From() | Picks():
                return self._elements(formula, path, scope)
            case (
                Lines()
                | Ranks()
                | Neighbours()
                | Rays()
                | Linked()
                | CellAt()
                | RowOf()
                | ColumnOf()
                | EdgesOf()
                | CellsBeside()
            ):
                return self._board(formula, path, scope)
            case Partition():
                return check_partition(self, formula, path, scope)
            case PartitionPart():
                return check_partition_part(self, formula, path, scope)
            case _:
                return check_search(self, formula, path, scope)

    def _local(self, local: Local, path: Path, scope: Scope) -> Kind:
        if local.number >= scope.count:
            self.report.add(path, f"there is no local {local.number} here")
        elif not scope.has(local.number):
            self.report.add(path, f"'{local.name}' has no value here")
        if local.number in scope.variables:
            return scope.variables[local.number]
        return self._kinds.get((scope.frame, local.number))

    def _read(self, read: Read, path: Path, scope: Scope, *, contents: bool = True) -> Kind:
        """The reading of a place. Nobody reads the contents of a pile that can hold unseen cards."""
        self.place(read.place, (path, "place"), scope)
        slot = self.program.slots[read.place.slot]
        if not scope.changing:
            self.report.add(path, f"'{slot.name}' is not there yet")
        if contents and isinstance(slot, Zone) and slot.blind:
            self.report.add(path, f"nothing may look into '{slot.name}'")
        return of_slot(self.program, read.place.slot)

    def _apply(self, formula: Apply, path: Path, scope: Scope) -> Kind:
        if not scope.changing and formula.function in self._reading:
            self.report.add(path, f"'{self.program.functions[formula.function].name}' reads what is not there yet")
        for number, argument in enumerate(formula.arguments):
            place = ((path, "arguments"), number)
            kind = self.kind(argument, place, scope)
            self.put(("function", formula.function), number, kind, place)
        return self._results.get(formula.function)

    def _question(
        self,
        formula: Equal | Less | AtMost | Not | Both | Either | Contains | Occurrences,
        path: Path,
        scope: Scope,
    ) -> Kind:
        match formula:
            case Equal():
                left = self.kind(formula.left, (path, "left"), scope)
                right = self.kind(formula.right, (path, "right"), scope)
                if not agree(left, right) or TEXT in (left, right):
                    self.report.add(path, f"{left} cannot be compared with {right}")
            case Less() | AtMost():
                self.single(formula.left, (path, "left"), scope)
                self.single(formula.right, (path, "right"), scope)
            case Not():
                self.flag(formula.value, (path, "value"), scope)
            case Both() | Either():
                for number, part in enumerate(formula.parts):
                    self.flag(part, ((path, "parts"), number), scope)
            case Contains() | Occurrences():
                of = self.many(formula.collection, (path, "collection"), scope).of
                self.fits(formula.item, of, (path, "item"), scope)
                return FLAG if isinstance(formula, Contains) else NUMBER
            case _:
                assert_never(formula)
        return FLAG

    def _composed(self, formula: Negative | Conditional | Part | MakeRecord | Span, path: Path, scope: Scope) -> Kind:
        match formula:
            case Negative():
                self.single(formula.value, (path, "value"), scope)
                return NUMBER
            case Conditional():
                self.flag(formula.condition, (path, "condition"), scope)
                then = self.kind(formula.then, (path, "then"), scope)
                otherwise = self.kind(formula.otherwise, (path, "otherwise"), scope)
                if not agree(then, otherwise):
                    self.report.add(path, f"this is {then} one way and {otherwise} the other")
                return join(then, otherwise)
            case Part():
                assert isinstance(formula.type, RecordType)
                self.fits(formula.value, of_single(formula.type), (path, "value"), scope)
                return of_single(formula.type.fields[formula.field].type)
            case MakeRecord():
                assert isinstance(formula.type, RecordType)
                for number, (part, field) in enumerate(zip(formula.parts, formula.type.fields, strict=True)):
                    self.fits(part, of_single(field.type), ((path, "parts"), number), scope)
                return of_single(formula.type)
            case Span():
                self.single(formula.low, (path, "low"), scope)
                self.single(formula.high, (path, "high"), scope)
                return Many("list", NUMBER)
            case _:
                assert_never(formula)

    def _collection(
        self,
        formula: MakeList | Join | Without | Size,
        path: Path,
        scope: Scope,
    ) -> Kind:
        match formula:
            case MakeList():
                of: Kind = None
                for number, item in enumerate(formula.items):
                    of = join(of, self.single(item, ((path, "items"), number), scope))
                return Many("list", of)
            case Join() | Without():
                left = self.many(formula.left, (path, "left"), scope)
                right = self.many(formula.right, (path, "right"), scope)
                if not agree(left.of, right.of):
                    self.report.add(path, f"{left} does not go with {right}")
                return Many(formula.shape, join(left.of, right.of))
            case Size():
                if isinstance(formula.collection, Read):
                    kind = self._read(formula.collection, (path, "collection"), scope, contents=False)
                    if not isinstance(kind, Many):
                        self.report.add((path, "collection"), f"a collection is needed, not {kind}")
                else:
                    self.many(formula.collection, (path, "collection"), scope)
                return NUMBER
            case _:
                assert_never(formula)

    def _elements(self, formula: Distinct | Item | Last | From | Picks, path: Path, scope: Scope) -> Kind:
        collection = self.many(formula.collection, (path, "collection"), scope)
        match formula:
            case Distinct():
                return Many("list", collection.of)
            case Picks():
                self.single(formula.count, (path, "count"), scope)
                return Many("list", Many("bag", collection.of))
            case From():
                self.fits(formula.start, collection.of, (path, "start"), scope)
                return collection
            case Item():
                self.single(formula.position, (path, "position"), scope)
            case Last():
                pass
            case _:
                assert_never(formula)
        self.fits(formula.none, collection.of, (path, "none"), scope)
        return collection.of

    def _board(
        self,
        formula: Lines | Ranks | Neighbours | Rays | Linked | CellAt | RowOf | ColumnOf | EdgesOf | CellsBeside,
        path: Path,
        scope: Scope,
    ) -> Kind:
        cell, edge = of_single(CellType(formula.board)), of_single(EdgeType(formula.board))
        match formula:
            case Lines():
                self.single(formula.length, (path, "length"), scope)
                return Many("list", Many("list", cell))
            case Ranks():
                return Many("list", Many("list", cell))
            case CellAt():
                self.single(formula.row, (path, "row"), scope)
                self.single(formula.column, (path, "column"), scope)
                return cell
            case CellsBeside():
                self.fits(formula.edge, edge, (path, "edge"), scope)
                return Many("list", cell)
            case Rays():
                self.fits(formula.cell, cell, (path, "cell"), scope)
                return Many("list", Many("list", cell))
            case Linked():
                self.fits(formula.start, Many(None, cell), (path, "start"), scope)
                self.fits(formula.within, Many(None, cell), (path, "within"), scope)
                return Many("list", cell)
            case Neighbours() | EdgesOf():
                self.fits(formula.cell, cell, (path, "cell"), scope)
                return Many("list", cell if isinstance(formula, Neighbours) else edge)
            case RowOf() | ColumnOf():
                self.fits(formula.cell, cell, (path, "cell"), scope)
                return NUMBER
            case _:
                assert_never(formula)
