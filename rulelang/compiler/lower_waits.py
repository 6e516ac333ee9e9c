"""Choices. Spec 9.4 to 9.6."""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import FormulaLowering
from rulelang.compiler.reads import Reads
from rulelang.ir import expressions as ir
from rulelang.ir import nodes
from rulelang.ir.effects import Effect, SetLocal
from rulelang.ir.filled import is_filled
from rulelang.ir.origin import Source

ZERO, ONE = ir.Constant(0), ir.Constant(1)


class WaitLowering:
    """Who is asked for what; lowered in the frame of a body."""

    c: Compilation
    f: FormulaLowering
    frame: Frame
    reads: Reads

    if TYPE_CHECKING:

        def do(self, effect: Effect, after: int, at: Source) -> int: ...

        def seats(self, node: ast.Expr) -> ir.Expression: ...

    def choose(self, node: ast.Choose, after: int) -> int:
        at = source(node, node.citations)
        if node.manner == "in_turn":
            return self.in_turn(node, after, at)
        if node.manner == "freely":
            return self.freely(node, after, at)
        if node.manner == "once_each":
            return self.once_each(node, after, at)
        asked: nodes.Asked
        if node.manner == "secretly":
            asked = nodes.SealedSeats(self.seats(node.who), not node.must)
        elif node.manner == "in_order":
            asked = nodes.SealedSeats(self.seats(node.who), True, first_only=True)
            taker = self.frame.local(self.c.checked.names.bindings[node]) if node.result is not None else None
            return self.decide(node, asked, taker, after, at)
        else:
            asked = nodes.OneSeat(self.f.lower(node.who, self.frame), not node.must, not node.must and self.tells(node))
        return self.decide(node, asked, None, after, at)

    def decide(self, node: ast.Choose, asked: nodes.Asked, answered: ir.Local | None, after: int, at: Source) -> int:
        moves = tuple(self.c.numbers.moves[symbol.node] for symbol in self.c.checked.names.moves[node])
        words = self.f.words(node.because, self.frame, "") if node.because is not None else None
        return self.c.emit(nodes.Decide(asked, moves, answered, words, after, at, node.reason))

    def tells(self, node: ast.Choose) -> bool:
        """Whether being passed over would tell the others what not everybody sees."""
        return any(self.reads.tells(symbol.node) for symbol in self.c.checked.names.moves[node])

    def freely(self, node: ast.Choose, after: int, at: Source) -> int:
        """Whoever wants to acts, until something holds: that is asked before every act, and after every expiry."""
        assert node.until is not None
        test = self.c.reserve()
        ask = self.decide(node, nodes.AnyOfSeats(self.seats(node.who)), None, test, at)
        self.c.nodes[test] = nodes.Branch(self.f.lower(node.until, self.frame), after, ask, at)
        return test

    def once_each(self, node: ast.Choose, after: int, at: Source) -> int:
        """Whoever wants to answers next, until nobody is left who has not answered."""
        silent, answered = self.frame.fresh("not answered yet"), self.frame.fresh("answered")
        seats = self.seats(node.who)
        test = self.c.reserve()
        rest = ir.Without(silent, ir.MakeList((answered,)), "list")
        shorten = self.do(SetLocal(silent, rest), test, at)
        ask = self.decide(node, nodes.AnyOfSeats(silent), answered, shorten, at)
        self.c.nodes[test] = nodes.Branch(ir.Equal(ir.Size(silent), ZERO), after, ask, at)
        # Where somebody is surely asked, no way leads past the wait: a loop around it needs no count of its laps.
        first = ask if is_filled(seats) else test
        return self.do(SetLocal(silent, ir.Distinct(seats)), first, at)

    def in_turn(self, node: ast.Choose, after: int, at: Source) -> int:
        """Seat after seat may act; it is over when all have passed in a row."""
        order, quiet, turn = self.frame.fresh("order"), self.frame.fresh("passes in a row"), self.frame.fresh("turn")
        answered = self.frame.fresh("answered")
        test = self.c.reserve()
        step = self.do(SetLocal(turn, ir.Remainder(ir.Add(turn, ONE), ir.Size(order))), test, at)
        quieter = ir.Conditional(answered, ZERO, ir.Add(quiet, ONE))
        count = self.do(SetLocal(quiet, quieter), step, at)
        seat = ir.Item(order, ir.Add(turn, ONE), ZERO)
        ask = self.decide(node, nodes.OneSeat(seat, True, self.tells(node)), answered, count, at)
        self.c.nodes[test] = nodes.Branch(ir.AtMost(ir.Size(order), quiet), after, ask, at)
        entry = self.do(SetLocal(turn, ZERO), test, at)
        entry = self.do(SetLocal(quiet, ZERO), entry, at)
        return self.do(SetLocal(order, self.seats(node.who)), entry, at)
