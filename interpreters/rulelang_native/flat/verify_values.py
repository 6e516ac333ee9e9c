"""Expressions of a flat program: whether what they name is there, and has the shape that they need. See `verify`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.flags import flagged
from rulelang_native.flat.program import FlatProgram, Function
from rulelang_native.flat.shapes import DIVISION, NUMBER, PARTS, ROW, ROWS, TRUTH, Shape, seen, shape_of, together

if TYPE_CHECKING:
    from rulelang_native.flat.around import Around

MOST_HEIGHT = 60
"""Expressions inside one another: each may need three brackets in print, and Python takes 200."""


class Wrong(Exception):
    """Something is not sound; the path is filled in on the way out, the innermost step first."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path: list[str] = []


class Values:
    """The values of one program; `begin` starts a function or block, with variables of its own."""

    def __init__(self, program: FlatProgram, around: Around) -> None:
        self.program = program
        self.around = around
        self.functions: dict[str, Function] = {}
        self.shapes: dict[str, Shape] = {}
        """What every variable and gathered element of the function is."""
        self.going: set[str] = set()
        """Gathered rows that loops go through just now."""
        self.result = Shape("open")
        self._signatures: dict[str, tuple[list[Shape], Shape]] = {}
        self._places: dict[str, int] = {}
        self._locals: dict[tuple[int, int], Shape] = {}
        self._constants: dict[int, Shape] = {}
        self._here = ""
        self._place = 0
        self._frame: int | None = None
        self._plain_function = False
        self._sorts: dict[str, str] = {}
        self._set: set[str] = set()
        self._trail: list[str] = []
        self._flags: set[int] = set()
        self._later: list[tuple[str, Shape]] = []
        """Where a shape must not turn out to be a truth."""
        self._parts: list[tuple[str, Shape, int, Shape]] = []
        """Elements at known places of what is still open: a row or a division."""

    # -------------------------------------------------------------- functions and locals

    def enter(self, place: int, function: Function) -> None:
        """A function that there is."""
        self.functions[function.name] = function
        self._places[function.name] = place
        self._signatures[function.name] = ([Shape("open") for _ in function.parameters], Shape("open"))

    def signature(self, name: str) -> tuple[list[Shape], Shape]:
        """What a function is given, and what it gives."""
        return self._signatures[name]

    def local(self, procedure: int, local: int) -> Shape:
        """What a local of a procedure holds."""
        return self._locals.setdefault((procedure, local), Shape("open"))

    def begin(self, here: str, body: tuple[st.Statement, ...], frame: int | None, kind: str) -> None:
        """A function or block begins: nothing is set yet."""
        self._here = here
        self.shapes, self._sorts, self._set, self._trail = {}, {}, set(), []
        self.going = set()
        self._frame = frame
        self._plain_function = kind not in ("plain", "waiting")
        name = here.partition(" ")[2]
        self._place = self._places[name] if self._plain_function else len(self._places)
        self.result = self._signatures[name][1] if self._plain_function else Shape("open")
        self._flags = {id(found) for found in flagged(body)}

    # -------------------------------------------------------------- variables

    def define(self, name: str) -> None:
        """A name has something from here on."""
        if name not in self._set:
            self._set.add(name)
            self._trail.append(name)

    def mark(self) -> int:
        """Where we are, to go back to."""
        return len(self._trail)

    def back_to(self, mark: int) -> list[str]:
        """Forget what was set since then, and say what it was."""
        names = self._trail[mark:]
        del self._trail[mark:]
        self._set.difference_update(names)
        return names

    def is_flag(self, statement: st.If) -> bool:
        """Whether a condition asks if something was prepared before, and prepares it if not."""
        return id(statement) in self._flags

    def variable(self, name: str, sort: str) -> Shape:
        """What a variable or gathered element is; a name is always of one sort."""
        if self._sorts.setdefault(name, sort) != sort:
            raise Wrong(f"'{name}' is a {self._sorts[name]} elsewhere, not a {sort}")
        if name not in self.shapes:
            self.shapes[name] = Shape("open")
        return self.shapes[name]

    def under_way(self, name: str, sort: str) -> Shape:
        """What is gathered or noted under a name, which has been begun on every way to here."""
        if self._sorts.get(name) != sort or name not in self._set:
            raise Wrong(f"'{name}' is no {sort} that has been begun on every way to here")
        return self.variable(name, sort)

    def going_through(self, row: Flat) -> set[str]:
        """What must not grow while a loop goes through this row."""
        names = {row.gathered} - self.going if isinstance(row, flat.Finished) else set()
        self.going |= names
        return names

    # -------------------------------------------------------------- what is there

    def cell(self, slot: int, member: Flat, height: int = 1) -> Shape:
        """What lies in a cell."""
        if not 0 <= slot < len(self.around.slots):
            raise Wrong(f"there is no slot {slot}")
        cells = self.around.slots[slot]
        if isinstance(member, Known) and not (isinstance(member.value, int) and 0 <= member.value < cells.members):
            raise Wrong(f"'{cells.name}' has {cells.members} members; there is no {member.value}")
        self.need(member, NUMBER, height)
        return ROW if cells.row else NUMBER

    def remembered(self, local: int) -> Shape:
        """What a local of the running frame holds."""
        if self._frame is None:
            raise Wrong("there is no frame that could remember anything")
        if not 0 <= self._frame < len(self.program.procedures):
            raise Wrong(f"there is no procedure {self._frame}")
        if not 0 <= local < self.program.procedures[self._frame].locals:
            raise Wrong(f"procedure {self._frame} has no local {local}")
        return self.local(self._frame, local)

    # -------------------------------------------------------------- shapes

    def need(self, value: Flat, wanted: Shape, height: int = 1) -> None:
        """A value that has a certain shape."""
        found = self.shape(value, height)
        if found is not wanted and not together(found, wanted):
            raise Wrong(f"{type(value).__name__} is {found}; {wanted} is needed")

    def no_truth(self, shape: Shape) -> None:
        """Something that must be a number or row: a truth is turned into a number before it is kept."""
        shape = seen(shape)
        if shape.form == "truth":
            raise Wrong("a truth is kept or compared where a number or row is needed")
        if shape.form == "open":
            self._later.append((self._here, shape))

    def key(self, key: Flat) -> None:
        """A key of notes: a number, or a row whose elements need not be alike."""
        for part in key.items if isinstance(key, flat.Items) else (key,):
            self.no_truth(self.shape(part, 2))

    def shape(self, value: Flat, height: int = 1) -> Shape:
        """The shape of a value."""
        if height > MOST_HEIGHT:
            raise Wrong(f"more than {MOST_HEIGHT} expressions inside one another")
        simple = SIMPLE.get(type(value))
        if simple is None:
            special = SPECIAL.get(type(value))
            if special is None:
                raise Wrong(f"{type(value).__name__} is no expression")
            return special(self, value, height)
        fields, result = simple
        shared = _shared() if result == "R" or fields[0][1] == "R" else None
        for field, letter in fields:
            part = getattr(value, field)
            if part is not None:
                self.need(part, _wanted(letter, shared), height + 1)
        return _wanted(result, shared)

    def known(self, e: Known, height: int) -> Shape:
        if isinstance(e.value, int):
            return Shape("open", bit=True) if e.value in (0, 1) else NUMBER
        if not e.value:
            return _shared()
        found = self._constants.get(id(e.value))
        if found is None:
            shape = shape_of(e.value)
            if shape is None:
                raise Wrong("the parts of a known row are not alike")
            found = self._constants[id(e.value)] = shape
        return found

    def name(self, e: flat.Name, height: int) -> Shape:
        if e.name not in self._set:
            raise Wrong(f"'{e.name}' has not been set on every way to here")
        if self._sorts.get(e.name, "variable") != "variable":
            raise Wrong(f"'{e.name}' is a {self._sorts[e.name]}, not a variable")
        return self.shapes[e.name]

    def of_frame(self, e: flat.Remembered, height: int) -> Shape:
        return self.remembered(e.local)

    def held(self, e: flat.Held, height: int) -> Shape:
        return self.cell(e.slot, e.member, height + 1)

    def math(self, e: flat.Math, height: int) -> Shape:
        self.need(e.left, NUMBER, height + 1)
        self.need(e.right, NUMBER, height + 1)
        if e.operator in ("//", "%") and e.right == Known(0):
            raise Wrong("a division by 0")
        return NUMBER

    def compare(self, e: flat.Compare, height: int) -> Shape:
        if e.operator in ("<", "<="):
            self.need(e.left, NUMBER, height + 1)
            self.need(e.right, NUMBER, height + 1)
        else:
            shape = self.shape(e.left, height + 1)
            self.need(e.right, shape, height + 1)
            self.no_truth(shape)
        return TRUTH

    def parts(self, e: flat.All | flat.Any, height: int) -> Shape:
        if not e.parts:
            raise Wrong("it has no parts")
        for part in e.parts:
            self.need(part, TRUTH, height + 1)
        return TRUTH

    def either(self, e: flat.Either, height: int) -> Shape:
        self.need(e.truth, TRUTH, height + 1)
        shape = self.shape(e.then, height + 1)
        other = self.shape(e.otherwise, height + 1)
        if not together(shape, other):
            raise Wrong(f"Either is {shape} or {other}")
        return shape

    def is_one(self, e: flat.IsOne, height: int) -> Shape:
        self.no_truth(self.shape(e.value, height + 1))
        return TRUTH

    def at(self, e: flat.At, height: int) -> Shape:
        self.need(e.place, NUMBER, height + 1)
        row = seen(self.shape(e.row, height + 1))
        place = e.place.value if isinstance(e.place, Known) else None
        if row.form == "division":
            if not isinstance(place, int) or not 0 <= place < len(PARTS):
                raise Wrong("a division has four parts")
            return PARTS[place]
        element = Shape("open")
        if row.form == "open" and not row.bit and isinstance(place, int) and 0 <= place < len(PARTS):
            self._parts.append((self._here, row, place, element))
        elif not together(row, Shape("row", element)):
            raise Wrong(f"At is asked of {row}; a row is needed")
        return element

    def items(self, e: flat.Items, height: int) -> Shape:
        element = Shape("open")
        for item in e.items:
            self.need(item, element, height + 1)
        self.no_truth(element)
        return Shape("row", element)

    def unseen_top(self, e: flat.UnseenTop, height: int) -> Shape:
        if self._plain_function:
            raise Wrong("a function knows no pools")
        self.need(e.pile, ROW, height + 1)
        return ROW

    def has_answer(self, e: flat.HasAnswer, height: int) -> Shape:
        if e.node not in self.around.asking:
            raise Wrong(f"node {e.node} asks nobody")
        self.need(e.seat, NUMBER, height + 1)
        return TRUTH

    def finished(self, e: flat.Finished, height: int) -> Shape:
        return Shape("row", self.under_way(e.gathered, "gathered row"))

    def noted(self, e: flat.Noted, height: int) -> Shape:
        self.under_way(e.notes, "notes")
        self.key(e.key)
        return NUMBER

    def of_function(self, e: flat.Result, height: int) -> Shape:
        function = self.functions.get(e.function)
        if function is None:
            raise Wrong(f"there is no function '{e.function}'")
        if function.kind != "value":
            raise Wrong(f"'{e.function}' is no function that gives a value")
        if self._places[e.function] >= self._place:
            raise Wrong(f"'{e.function}' does not stand before what uses it")
        if len(e.arguments) != len(function.parameters):
            raise Wrong(f"'{e.function}' has {len(function.parameters)} parameters, not {len(e.arguments)}")
        parameters, result = self._signatures[e.function]
        for argument, wanted in zip(e.arguments, parameters, strict=True):
            self.need(argument, wanted, height + 1)
            self.no_truth(wanted)
        return result

    def bags(self, e: flat.Bags, height: int) -> Shape:
        if not 0 <= e.failure < len(self.program.failures):
            raise Wrong(f"there is no failure {e.failure}")
        self.need(e.row, ROW, height + 1)
        self.need(e.count, NUMBER, height + 1)
        return ROWS

    def linked(self, e: flat.Linked, height: int) -> Shape:
        self.need(e.start, ROW, height + 1)
        self.need(e.among, ROW, height + 1)
        self.need(e.near, ROWS, height + 1)
        return ROW

    def divided(self, e: flat.Divided, height: int) -> Shape:
        if not 0 <= e.division < len(self.program.divisions):
            raise Wrong(f"there is no division {e.division}")
        self.need(e.row, ROW, height + 1)
        self.need(e.low, NUMBER, height + 1)
        self.need(e.high, NUMBER, height + 1)
        return DIVISION

    # -------------------------------------------------------------- at the end

    def left_over(self) -> Iterator[tuple[str, str]]:
        """What does not fit now that all uses were met: place and reason."""
        waiting = self._parts
        while waiting:
            later = []
            for here, row, place, element in waiting:
                if seen(row).form == "open" and len(waiting) > 1:
                    later.append((here, row, place, element))
                    continue
                divided = seen(row).form == "division"
                fits = together(PARTS[place], element) if divided else together(row, Shape("row", element))
                if not fits:
                    yield here, f"At is asked of {row}, and its element used as {element}"
            if len(later) == len(waiting):  # nobody says what it is: rows then
                later = [each for each in later[1:] if together(later[0][1], Shape("row", later[0][3]))]
            waiting = later
        for here, shape in self._later:
            if seen(shape).form == "truth":
                yield here, "a truth is kept or compared where a number or row is needed"


def _shared() -> Shape:
    return Shape("row", Shape("open"))


def _wanted(letter: str, shared: Shape | None) -> Shape:
    """A shape by its letter: R is a row, e its element, r a row of numbers."""
    match letter:
        case "n":
            return NUMBER
        case "t":
            return TRUTH
        case "r":
            return ROW
        case _:
            assert shared is not None and shared.of is not None
            return shared if letter == "R" else shared.of


SIMPLE: dict[type, tuple[tuple[tuple[str, str], ...], str]] = {
    flat.Has: ((("row", "R"), ("item", "e")), "t"),
    flat.No: ((("truth", "t"),), "t"),
    flat.AsNumber: ((("truth", "t"),), "n"),
    flat.Length: ((("row", "R"),), "n"),
    flat.Times: ((("row", "R"), ("item", "e")), "n"),
    flat.Span: ((("low", "n"), ("high", "n")), "r"),
    flat.Joined: ((("left", "R"), ("right", "R")), "R"),
    flat.Stretch: ((("row", "R"), ("first", "n"), ("end", "n")), "R"),
    flat.ButLast: ((("row", "R"),), "R"),
    flat.LastOne: ((("row", "R"),), "R"),
    flat.EachOnce: ((("row", "R"),), "R"),
    flat.Replaced: ((("row", "R"), ("item", "e"), ("by", "e")), "R"),
    flat.Sorted: ((("row", "R"),), "R"),
    flat.Distinct: ((("row", "R"),), "R"),
    flat.Within: ((("row", "r"),), "r"),
    flat.Minus: ((("left", "R"), ("right", "R")), "R"),
    flat.BagMinus: ((("left", "R"), ("right", "R")), "R"),
    flat.TakenOut: ((("row", "R"), ("item", "e")), "R"),
    flat.Turned: ((("row", "R"), ("start", "e")), "R"),
    flat.Best: ((("row", "r"),), "n"),
    flat.Tied: ((("row", "R"), ("numbers", "r"), ("best", "n")), "R"),
}
"""Expressions that only have parts of certain shapes: those, by their letters, and the shape of the whole."""

SPECIAL: dict[type, Callable[[Values, Any, int], Shape]] = {
    Known: Values.known,
    flat.Name: Values.name,
    flat.Remembered: Values.of_frame,
    flat.Held: Values.held,
    flat.Math: Values.math,
    flat.Compare: Values.compare,
    flat.All: Values.parts,
    flat.Any: Values.parts,
    flat.Either: Values.either,
    flat.IsOne: Values.is_one,
    flat.At: Values.at,
    flat.Items: Values.items,
    flat.UnseenTop: Values.unseen_top,
    flat.HasAnswer: Values.has_answer,
    flat.Finished: Values.finished,
    flat.Noted: Values.noted,
    flat.Result: Values.of_function,
    flat.Bags: Values.bags,
    flat.Divided: Values.divided,
    flat.Linked: Values.linked,
}
"""The others."""
