"""Small programs written by hand, as IR, for the tests of closing and of interpreters."""

from typing import Any

from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.origin import Origin, Source
from rulelang.ir.types import FlagType, NamesType, NumberType, SeatType

AT = Source(Origin("hand.rules", 1, 1))
EVERYONE, NOBODY, OWNER = pg.Everyone(), pg.Nobody(), pg.Owner()
OPEN = pg.Sight(EVERYONE, EVERYONE, EVERYONE)
OWN = pg.Sight(OWNER, NOBODY, EVERYONE)
BLIND = pg.Sight(NOBODY, NOBODY, EVERYONE)
SECRET = pg.Sight(NOBODY, NOBODY, NOBODY)
SEAT = SeatType()
FLAG = FlagType()


def c(value: Any) -> ir.Constant:
    """A constant."""
    return ir.Constant(value)


def v(number: int, name: str = "x") -> ir.Local:
    """A local."""
    return ir.Local(number, name)


def numbers(low: int, high: int) -> NumberType:
    """Numbers from low to high."""
    return NumberType(c(low), c(high))


def slot(number: int, *indices: Any) -> ir.Slot:
    """A place."""
    return ir.Slot(number, tuple(indices))


def read(number: int, *indices: Any) -> ir.Read:
    """What lies or stands at a place."""
    return ir.Read(slot(number, *indices))


def words(*parts: Any) -> ir.Words:
    """A text."""
    return ir.Words(tuple(parts))


def zone(
    name: str, content: Any, shape: Any, sight: pg.Sight, index: Any = (), starts: Any = (), blind: bool = False
) -> pg.Zone:
    """A zone."""
    return pg.Zone(name, tuple(index), shape, content, sight, tuple(starts), blind, AT)


def marker(name: str, kind: Any, initial: Any, sight: pg.Sight = OPEN, index: Any = ()) -> pg.Marker:
    """A marker."""
    return pg.Marker(name, tuple(index), kind, c(initial), sight, AT)


def copies(kind: Any, times: int) -> pg.Start:
    """Each value of a kind so many times."""
    return pg.Start(v(0), ir.AllOf(kind), c(times))


class Graph:
    """Nodes under construction; each method gives the number of the node it adds, which leads to the next added."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.procedures: list[pg.Procedure] = []

    def add(self, node: Any) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    @property
    def here(self) -> int:
        """The number that the next node will have."""
        return len(self.nodes)

    def do(self, *effects: Any) -> None:
        for effect in effects:
            self.add(n.Do(effect, self.here + 1, AT))

    def chance(self, distribution: Any, result: ir.Local) -> None:
        self.add(n.Chance(distribution, result, self.here + 1, AT))

    def decide(self, asked: Any, moves: Any, answered: ir.Local | None = None, said: ir.Words | None = None) -> None:
        self.add(n.Decide(asked, tuple(moves), answered, said, self.here + 1, AT))

    def call(self, procedure: int, *arguments: Any) -> None:
        self.add(n.Call(procedure, tuple(arguments), self.here + 1, AT))

    def branch(self, condition: Any, then: int | None = None, otherwise: int | None = None) -> int:
        """A branch; what is left out leads to the next node."""
        following = self.here + 1
        return self.add(
            n.Branch(condition, following if then is None else then, following if otherwise is None else otherwise, AT)
        )

    def jump(self, to: int) -> None:
        self.branch(c(1), to, to)

    def ret(self) -> None:
        self.add(n.Return(AT))

    def end(self, outcome: Any) -> None:
        self.add(n.End(outcome, AT))

    def procedure(self, name: str, parameters: int, locals: int, entry: int) -> None:
        names = tuple(f"x{i}" for i in range(locals))
        self.procedures.append(pg.Procedure(name, parameters, names, entry, AT))


def move(name: str, procedure: int, parameters: Any = (), requirements: Any = (), locals: int | None = None) -> pg.Move:
    """A move."""
    count = 1 + len(parameters) if locals is None else locals
    return pg.Move(name, tuple(parameters), tuple(requirements), count, procedure, AT)


def require(name: str, condition: Any, said: ir.Words, prefix: int = 0) -> pg.Requirement:
    """A requirement."""
    return pg.Requirement(name, condition, said, prefix, AT)


def program(graph: Graph, slots: Any, moves: Any = (), seats: tuple[int, int] = (2, 2), **rest: Any) -> pg.Program:
    """A program."""
    given: dict[str, Any] = {
        "options": (),
        "demands": (),
        "boards": (),
        "tables": (),
        "functions": (),
        "invariants": (),
        "forced_chance": False,
        "forced_choices": False,
    }
    given.update(rest)
    return pg.Program(
        version=pg.IR_VERSION,
        name="hand",
        title="Hand",
        fewest_seats=seats[0],
        most_seats=seats[1],
        slots=tuple(slots),
        procedures=tuple(graph.procedures),
        moves=tuple(moves),
        nodes=tuple(graph.nodes),
        **given,
    )


def deal(g: Graph, deck: int, card: ir.Local, target: Any) -> None:
    """One card from a blind pile to where somebody sees it."""
    g.chance(n.TopOf(slot(deck), c(-1)), card)
    g.do(fx.Settle(slot(deck), card), fx.MoveTop(slot(deck), c(1), target, "top"))


def poker(forced_chance: bool = False, suits: int = 1) -> pg.Program:
    """Leduc poker: six cards, two rounds, at most two raises in each; with two suits all cards differ."""
    labels = [f"{name}{suit}" for name in ("jack", "queen", "king") for suit in range(suits)]
    rank = NamesType("Card", tuple(labels))
    deck, hand, board, paid, raises, settled, stake = range(7)
    slots = [
        zone("deck", rank, "pile", BLIND, starts=[copies(rank, 2 // suits)], blind=True),
        zone("hand", rank, "slot", OWN, index=[SEAT]),
        zone("board", rank, "slot", OPEN),
        marker("paid", numbers(0, 13), 1, index=[SEAT]),
        marker("raises", numbers(0, 2), 0),
        marker("settled", numbers(0, 2), 0),
        marker("stake", numbers(0, 4), 0),
    ]
    me = v(0, "me")
    other = ir.Subtract(c(1), me)
    most = ir.Larger(read(paid, c(0)), read(paid, c(1)))
    g = Graph()
    g.procedure("overview", 0, 2, g.here)
    g.do(fx.Shuffle(slot(deck)))
    deal(g, deck, v(0, "card"), slot(hand, c(0)))
    deal(g, deck, v(0, "card"), slot(hand, c(1)))
    g.call(1, c(2))
    deal(g, deck, v(0, "card"), slot(board))
    g.call(1, c(4))
    p, q = v(1, "p"), v(1, "q")

    def strength(seat: Any) -> Any:
        mine = ir.Quotient(ir.Last(read(hand, seat), c(-1)), c(suits))
        return ir.Conditional(ir.Equal(mine, ir.Quotient(ir.Last(read(board), c(-1)), c(suits))), c(10), mine)

    rival = ir.Subtract(c(1), p)
    amount = ir.Conditional(
        ir.Less(strength(rival), strength(p)),
        read(paid, rival),
        ir.Conditional(ir.Less(strength(p), strength(rival)), ir.Negative(read(paid, p)), c(0)),
    )
    g.end(n.Amounts(p, c((0, 1)), amount))
    g.procedure("betting", 1, 2, g.here)
    g.do(fx.SetMarker(slot(raises), c(0)), fx.SetMarker(slot(settled), c(0)), fx.SetMarker(slot(stake), v(0)))
    g.do(fx.SetLocal(q, c(0)))
    top = g.here
    g.decide(n.OneSeat(q, False), (0, 1, 2))
    g.branch(ir.Equal(read(settled), c(2)), None, g.here + 2)
    g.ret()
    g.do(fx.SetLocal(q, ir.Subtract(c(1), q)))
    g.jump(top)
    g.procedure("fold", 1, 2, g.here)
    lost = ir.Conditional(ir.Equal(v(1), me), ir.Negative(read(paid, me)), read(paid, me))
    g.end(n.Amounts(v(1), c((0, 1)), lost))
    g.procedure("call", 1, 1, g.here)
    g.do(fx.SetMarker(slot(paid, me), most), fx.SetMarker(slot(settled), ir.Add(read(settled), c(1))))
    g.ret()
    g.procedure("raise", 1, 1, g.here)
    g.do(
        fx.SetMarker(slot(paid, me), ir.Add(most, read(stake))),
        fx.SetMarker(slot(settled), c(1)),
        fx.SetMarker(slot(raises), ir.Add(read(raises), c(1))),
    )
    g.ret()
    moves = [
        move(
            "fold",
            2,
            requirements=[require("behind", ir.Less(read(paid, me), read(paid, other)), words("Nothing to fold for."))],
        ),
        move("call", 3),
        move(
            "raise",
            4,
            requirements=[require("two_raises", ir.Less(read(raises), c(2)), words("There were two raises already."))],
        ),
    ]
    return program(g, slots, moves, forced_chance=forced_chance)
