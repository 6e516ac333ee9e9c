"""Sample programs by hand for the tests of the IR: a board game, and a collection of everything there is."""

import attrs

from rulelang.ir import effects as fx
from rulelang.ir import nodes as n
from rulelang.ir.expressions import (
    Add,
    AllOf,
    Apply,
    AtMost,
    Both,
    Cell,
    CellAt,
    CellsBeside,
    Choose,
    Collect,
    ColumnOf,
    Conditional,
    Constant,
    Contains,
    Distinct,
    EdgesOf,
    Either,
    Equal,
    Every,
    Exists,
    Expression,
    Extreme,
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
    Member,
    Multiply,
    Negative,
    Neighbours,
    NoneOf,
    Not,
    Number,
    Occurrences,
    OptionValue,
    Part,
    Partition,
    PartitionPart,
    Picks,
    Quotient,
    RankBy,
    Ranks,
    Rays,
    Read,
    Remainder,
    RowOf,
    SeatCount,
    Select,
    Size,
    Slot,
    Smaller,
    Span,
    Spoken,
    Subtract,
    Total,
    Without,
    Words,
)
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import (
    IR_VERSION,
    Board,
    Column,
    Configuration,
    Demand,
    Everyone,
    Function,
    Invariant,
    Marker,
    Move,
    Nobody,
    Option,
    Owner,
    Parameter,
    Preference,
    Procedure,
    Program,
    Requirement,
    Sight,
    Start,
    Table,
    These,
    Zone,
)
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FieldType,
    FlagType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    RowType,
    SeatType,
    TextType,
)


def at(line: int, *clauses: str) -> Source:
    """Where something stands."""
    return Source(Origin("sample.rules", line, 1), clauses)


C = Constant
YES, ZERO, ONE, TWO = C(1), C(0), C(1), C(2)
ALL = Sight(Everyone(), Everyone(), Everyone())
HIDDEN = Sight(Nobody(), Nobody(), Everyone())
OWN = Sight(Owner(), Owner(), Everyone())
SEAT, FLAG = SeatType(), FlagType()


def x(number: int, name: str = "x") -> Local:
    """A local."""
    return Local(number, name)


def spot(slot: int, *indices: Expression) -> Slot:
    """A place named by its index values."""
    return Slot(slot, indices)


def say(*parts: str | Spoken) -> Words:
    """Words for people."""
    return Words(parts)


# ------------------------------------------------------------------ tic-tac-toe

SQUARE = CellType(0)
MARK = OptionalType(SEAT)


def tic_tac_toe() -> Program:
    """Tic-tac-toe, closed for two."""
    nobody = C(-1)
    mark_of = Read(spot(0, x(1, "square")))
    line_full = Exists(
        x(1, "line"),
        Lines(0, C(3)),
        Every(x(2, "square"), x(1, "line"), Equal(Read(spot(0, x(2, "square"))), x(0, "p"))),
    )
    return Program(
        version=IR_VERSION,
        name="tic-tac-toe",
        title="Tic-tac-toe",
        fewest_seats=2,
        most_seats=2,
        forced_chance=False,
        forced_choices=False,
        options=(),
        demands=(),
        boards=(Board("Square", C(3), C(3), at(1)),),
        tables=(),
        slots=(Marker("mark", (SQUARE,), MARK, nobody, ALL, at(2)),),
        functions=(Function("complete", 1, 3, line_full, at(3)),),
        procedures=(
            Procedure("overview", 0, ("p", "free"), 0, at(4)),
            Procedure("place", 2, ("me", "square"), 7, at(9)),
        ),
        moves=(
            Move(
                "place",
                (Parameter("square", SQUARE, AllOf(SQUARE), "Square", (), ()),),
                (
                    Requirement(
                        "free", Equal(mark_of, nobody), say(Spoken(x(1, "square"), SQUARE), " is taken"), 1, at(10)
                    ),
                ),
                2,
                1,
                at(9),
            ),
        ),
        nodes=(
            n.Do(fx.SetLocal(x(0, "p"), ZERO), 1, at(5)),
            n.Decide(n.OneSeat(x(0, "p"), False), (0,), None, None, 2, at(5)),
            n.Branch(Apply(0, (x(0, "p"),)), 3, 4, at(6)),
            n.End(n.Winners(MakeList((x(0, "p"),))), at(6)),
            n.Branch(Every(x(1, "free"), AllOf(SQUARE), Not(Equal(Read(spot(0, x(1, "free"))), nobody))), 5, 6, at(7)),
            n.End(n.Winners(C(())), at(7)),
            n.Do(fx.SetLocal(x(0, "p"), Subtract(ONE, x(0, "p"))), 1, at(5)),
            n.Do(fx.SetMarker(spot(0, x(1, "square")), x(0, "me")), 8, at(11)),
            n.Return(at(9)),
        ),
        invariants=(),
        configuration=Configuration(2, ()),
    )


# ------------------------------------------------------------------ everything

SUIT = NamesType("Suit", ("hearts", "spades"))
RANK = NumberType(ONE, OptionValue(0), "Rank")
CARD = RecordType("Card", (FieldType("suit", SUIT), FieldType("rank", RANK)))
DIE = RecordType("Die", (FieldType("piece", FLAG), FieldType("face", OptionalType(NumberType(ONE, C(6))))))
ANIMAL, GRID, EDGE, HEAP = RowType(0), CellType(0), EdgeType(0), MemberType(3)
POINTS = NumberType(C(-99), C(99))
WHERE, NONE_CARD = x(1, "it"), NoneOf(CARD)

DECK, HAND, SHOWN, HEAPS, CUP, ANIMALS, SCORE, LAST_HEAP, DRAWN, SEEN, SECRET = range(11)


def read(slot: int, *indices: Expression) -> Read:
    """The reading of a place."""
    return Read(Slot(slot, indices))


def _slots() -> tuple[Zone | Marker, ...]:
    every_card = Start(x(0, "it"), AllOf(CARD), TWO)
    every_die = Start(x(0, "it"), C((0, 7)), ONE)
    every_animal = Start(x(0, "it"), AllOf(ANIMAL), Cell(0, 1, x(0, "it")))
    watched = These(From(AllOf(SEAT), x(0, "owner")), x(0, "owner"))
    return (
        Zone("deck", (), "pile", CARD, HIDDEN, (every_card,), True, at(20, "R-1")),
        Zone("hand", (SEAT,), "bag", CARD, OWN, (), False, at(21)),
        Zone("shown", (), "slot", CARD, ALL, (), False, at(22)),
        Zone("heap", (NumberType(ONE, C(3)),), "pile", CARD, ALL, (), False, at(23)),
        Zone("cup", (), "bag", DIE, ALL, (every_die,), False, at(24)),
        Zone("animals", (), "bag", ANIMAL, ALL, (every_animal,), False, at(25)),
        Marker("score", (SEAT,), POINTS, ZERO, ALL, at(26)),
        Marker("last_heap", (), OptionalType(HEAP), NoneOf(HEAP), ALL, at(27)),
        Marker("drawn", (EDGE,), FLAG, ZERO, ALL, at(28)),
        Marker("seen", (), CollectionType("list", GRID, C(9)), C(()), ALL, at(29)),
        Marker("secret", (SEAT,), SUIT, ZERO, Sight(watched, Nobody(), Nobody()), at(30)),
    )


def _functions() -> tuple[Function, ...]:
    p, item = x(0, "p"), x(1, "item")
    hand = read(HAND, p)
    best = Select(item, hand, YES, (RankBy(True, Part(item, CARD, 1)), RankBy(False, Part(item, CARD, 0))))
    points = Total(item, hand, Less(ONE, Part(item, CARD, 1)), Part(item, CARD, 1))
    highest = Extreme(True, item, hand, YES, Part(item, CARD, 1), ZERO)
    first = Choose(item, hand, YES, (RankBy(True, Part(item, CARD, 1)),), NONE_CARD)
    ranks = Collect(item, hand, YES, Part(item, CARD, 1))
    cell, middle = x(0, "cell"), CellAt(0, TWO, TWO)
    near = Join(Neighbours(0, cell, True), MakeList((middle,)), "list")
    sums = Quotient(Add(points, Multiply(highest, TWO)), Larger(ONE, Smaller(C(3), Negative(C(-2)))))
    lines = Number(x(1, "line"), Ranks(0, "rows"), Contains(cell, x(1, "line")))
    reached = Linked(0, MakeList((cell,)), near)
    ways = Add(Size(Rays(0, cell)), Size(reached))
    place = Add(RowOf(0, cell), Add(ColumnOf(0, cell), Add(lines, ways)))
    two = Equal(Size(x(1, "group")), TWO)
    groups = Partition(AllOf(RowType(0)), RowType(0), ONE, TWO, x(1, "group"), two, ONE, False)
    edges = Exists(x(1, "edge"), EdgesOf(0, cell), AtMost(ONE, Size(CellsBeside(0, x(1, "edge")))))
    return (
        Function("best", 1, 2, best, at(40)),
        Function("points", 1, 2, Remainder(sums, C(50)), at(41)),
        Function("first", 1, 2, Equal(first, MakeRecord(CARD, (ZERO, ONE))), at(42)),
        Function("ranks", 1, 2, Size(Distinct(Without(ranks, C((1,)), "list"))), at(43)),
        Function("near", 1, 1, near, at(44)),
        Function("place", 1, 2, Conditional(Either((edges, Not(YES))), place, ZERO), at(45)),
        Function("pairs", 0, 2, PartitionPart(groups, "value"), at(46)),
    )


def _moves() -> tuple[Move, ...]:
    me, card, heap = x(0, "me"), x(1, "card"), x(2, "heap")
    named = (Read(Slot(HAND, (me,))), Read(Member(HEAPS, heap)))
    fits = Both((Contains(card, read(HAND, me)), AtMost(Occurrences(card, Read(Member(HEAPS, heap))), ONE)))
    words = say("the ", Spoken(card, CARD), " is already on the heap")
    return (
        Move(
            "discard",
            (
                Parameter("card", CARD, read(HAND, me), "your hand", (HAND,), named),
                Parameter("heap", HEAP, AllOf(HEAP), "heap", (), ()),
            ),
            (Requirement("fits", fits, words, 2, at(51, "R-2", "R-3")),),
            3,
            2,
            at(50),
        ),
        Move("stop", (), (), 1, 3, at(55)),
        Move(
            "give",
            (Parameter("two", PickType(CARD, TWO), Picks(read(HAND, me), TWO), "your hand", (HAND,), named[:1]),),
            (Requirement("pair", Less(ZERO, Apply(6, ())), say("no pair"), 0, at(57)),),
            2,
            4,
            at(56),
        ),
    )


def _nodes() -> tuple[n.Node, ...]:
    deck, hand, heap = spot(DECK), spot(HAND, x(1, "p")), spot(HEAPS, ONE)
    top = n.TopOf(deck, NONE_CARD)
    order = Span(ONE, Size(Read(spot(CUP))), C(2))
    last = Last(read(HEAPS, ONE), NONE_CARD)
    gets = n.Amounts(x(5, "q"), AllOf(SEAT), Apply(1, (x(5, "q"),)))
    return (
        n.Do(fx.Shuffle(deck), 1, at(60)),
        n.Do(fx.SetLocal(x(0, "seats"), AllOf(SEAT)), 2, at(61)),
        n.Do(fx.SetLocal(x(2, "lap"), ZERO), 3, at(61)),
        n.Loop(x(0, "seats"), x(2, "lap"), x(1, "p"), 4, 7, SeatCount(), at(61)),
        n.Chance(top, x(3, "card"), 5, at(62)),
        n.Do(fx.Settle(deck, x(3, "card")), 6, at(62)),
        n.Do(fx.MoveTop(deck, ONE, hand, "top"), 3, at(62)),
        n.Call(1, (Item(AllOf(SEAT), ONE, NoneOf(SEAT)),), 8, at(63)),
        n.Decide(n.SealedSeats(AllOf(SEAT), True), (0, 1), x(4, "answered"), say("choose"), 9, at(64)),
        n.Branch(x(4, "answered"), 10, 11, at(65)),
        n.Do(fx.MoveAll(heap, spot(HEAPS, TWO), "bottom"), 33, at(66)),
        n.Do(fx.MovePieces(last, heap, spot(SHOWN), "top"), 12, at(67)),
        n.Do(fx.Gather((DECK, HAND, SHOWN, HEAPS), deck), 13, at(68)),
        n.End(gets, at(69)),
        # roll
        n.Do(fx.PickUp(spot(CUP), DIE), 15, at(70)),
        n.Do(fx.SetLocal(x(1, "numbers"), order), 16, at(70)),
        n.Do(fx.SetLocal(x(2, "lap"), ZERO), 17, at(70)),
        n.Loop(x(1, "numbers"), x(2, "lap"), x(3, "number"), 18, 20, C(2), at(70)),
        n.Chance(n.AnyOf(AllOf(NumberType(ONE, C(6))), ZERO), x(4, "face"), 19, at(70)),
        n.Do(fx.Land(spot(CUP), x(4, "face"), DIE), 17, at(70)),
        n.Branch(Apply(2, (x(0, "p"),)), 21, 22, at(71)),
        n.End(n.Winners(MakeList((x(0, "p"),))), at(72)),
        n.Branch(Less(Apply(3, (x(0, "p"),)), ZERO), 23, 24, at(73)),
        n.End(n.Grade(Size(Apply(0, (x(0, "p"),)))), at(74)),
        n.Branch(Equal(Apply(4, (ZERO,)), Read(spot(SEEN))), 25, 26, at(75)),
        n.End(n.Unresolved(AllOf(SEAT)), at(76)),
        n.Branch(Less(Apply(5, (ZERO,)), ZERO), 27, 28, at(77)),
        n.End(n.Aborted(), at(78)),
        n.Return(at(79)),
        # discard
        n.Do(fx.MovePieces(x(1, "card"), spot(HAND, x(0, "me")), Member(HEAPS, x(2, "heap")), "top"), 30, at(80)),
        n.Do(fx.SetMarker(spot(LAST_HEAP), x(2, "heap")), 31, at(81)),
        n.Return(at(82)),
        # stop
        n.Leave(3, at(83)),
        n.Do(fx.MoveAt(spot(HEAPS, TWO), ONE, heap, "top"), 12, at(66)),
        # give
        n.Do(fx.MovePieces(x(1, "two"), spot(HAND, x(0, "me")), spot(HEAPS, ONE), "top"), 35, at(84)),
        n.Return(at(85)),
    )


def everything() -> Program:
    """An open program in which every class of the IR occurs (closed ones add Configuration)."""
    options = (
        Option("ranks", NumberType(TWO, C(4)), 3, Less(ONE, OptionValue(0)), say("at least two ranks"), at(10)),
        Option("long", FLAG, 0, None, None, at(11)),
    )
    kinds = ("lion", "owl", "frog")
    table = Table(
        "Animal",
        kinds,
        (
            Column("name", TextType(), ("Lion", "Owl", "Frog")),
            Column("copies", NumberType(ONE, C(3)), (1, 2, 3)),
            Column("eats", CollectionType("list", RowType(0), C(2)), ((1, 2), (2,), ())),
        ),
        at(13),
    )
    scored = Every(x(0, "p"), AllOf(SEAT), AtMost(ZERO, read(SCORE, x(0, "p"))))
    return Program(
        version=IR_VERSION,
        name="everything",
        title="Everything",
        fewest_seats=2,
        most_seats=4,
        forced_chance=True,
        forced_choices=False,
        options=options,
        demands=(Demand("enough", AtMost(SeatCount(), C(4)), say("too many players"), at(12)),),
        boards=(Board("Grid", C(3), C(3), at(14)), Board("Comb", C(2), C(4), at(14), "hexagons")),
        tables=(table,),
        slots=_slots(),
        functions=_functions(),
        procedures=(
            Procedure("overview", 0, ("seats", "p", "lap", "card", "answered", "q"), 0, at(59)),
            Procedure("roll", 1, ("p", "numbers", "lap", "number", "face"), 14, at(70)),
            Procedure("discard", 3, ("me", "card", "heap"), 29, at(50)),
            Procedure("stop", 1, ("me",), 32, at(55)),
            Procedure("give", 2, ("me", "two"), 34, at(56)),
        ),
        moves=_moves(),
        nodes=_nodes(),
        invariants=(Invariant("no_debts", scored, 1, at(90)),),
        preferences=(Preference(0, AtMost(ZERO, ONE), (RankBy(True, TWO),), 4, at(91)),),
    )


def with_node(program: Program, number: int, node: n.Node) -> Program:
    """The program with another node at a number."""
    nodes = (*program.nodes[:number], node, *program.nodes[number + 1 :])
    return attrs.evolve(program, nodes=nodes)


def with_effect(program: Program, effect: fx.Effect) -> Program:
    """The sample with another effect in the place of "last_heap becomes heap" (node 30, of the move "discard")."""
    return with_node(program, 30, n.Do(effect, 31, at(81)))


def with_formula(program: Program, formula: Expression) -> Program:
    """The sample with a formula whose value is kept in a local, at the same place."""
    procedures = (
        *program.procedures[:2],
        Procedure("discard", 3, ("me", "card", "heap", "kept", "search", "inner"), 29, at(50)),
        *program.procedures[3:],
    )
    return with_effect(attrs.evolve(program, procedures=procedures), fx.SetLocal(x(3, "kept"), formula))
