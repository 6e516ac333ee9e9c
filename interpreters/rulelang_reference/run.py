"""From one wait to the next: one function a node. Spec 9, 10 and 13.

Each carries out the node that the top frame stands at, puts the frame where it goes on, and says whether the game now
waits (or is over).
"""

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, NO_SUCH_SEAT
from rulelang.failures import Broken, Exhausted
from rulelang.ir import nodes as ir
from rulelang.ir.effects import Shuffle
from rulelang.ir.expressions import Value
from rulelang.ir.program import Marker, Start, Zone
from rulelang.ir.types import SeatType
from rulelang.play import kinds
from rulelang.play.acceptance import accepted, not_waited_for
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed, lapsed
from rulelang.play.formulas import Context, cell_of, codes, evaluate, number
from rulelang.play.missing import no_piece
from rulelang.play.reasons import exhausted, placed, standing
from rulelang.play.watching import Watcher
from rulelang_reference import clock
from rulelang_reference.chance import drawn, first_shared, pile_at, urn
from rulelang_reference.effects import EFFECTS, fitting
from rulelang_reference.endings import outcome_of
from rulelang_reference.machine import OpenFrame, Run
from rulelang_reference.moves import answer_values, legal_answers, legal_moves
from rulelang_reference.sight import shown
from rulelang_reference.state import UNSEEN, State

if TYPE_CHECKING:
    from rulelang_reference.game import Game


def advance(run: Run) -> State:
    """Carry out node after node until one waits. A limit is reached at the node that then runs."""
    try:
        return _advance(run) if run.game.watcher is None else _advance_watched(run, run.game.watcher)
    except Exhausted as failure:
        placed(failure, run.program.nodes[run.frame.node].at)
        raise


def _advance(run: Run) -> State:
    nodes = run.program.nodes
    while True:
        node = nodes[run.frame.node]
        if NODES[type(node)](run, node):
            return run.close()


def _advance_watched(run: Run, watcher: Watcher) -> State:
    """The same, while somebody watches."""
    while True:
        frame, number = run.frame, run.frame.node
        node = run.program.nodes[number]
        watcher.begins(number, run.context)
        if NODES[type(node)](run, node):
            return run.close()
        if not isinstance(node, ir.Return | ir.Leave):
            watcher.led(number, frame.node)


# ------------------------------------------------------------------ nodes that wait for nothing


def do(run: Run, node: ir.Do) -> bool:
    """Carry out one effect; a shuffle first lets chance settle what the pile shares with other piles."""
    if isinstance(node.effect, Shuffle) and urn(node, run.pools, run.context):
        run.spend()
        return True  # also if chance is forced: a pool that is shared has at least two cards
    EFFECTS[type(node.effect)](run, node.effect)
    run.frame.node = node.next
    return False


def branch(run: Run, node: ir.Branch) -> bool:
    """One way or the other."""
    run.spend()
    run.frame.node = node.then if evaluate(node.condition, run.context) else node.otherwise
    return False


def loop(run: Run, node: ir.Loop) -> bool:
    """The next of the items, or on when there are no more."""
    run.spend()
    locals = run.frame.locals
    items = cast(tuple[Value, ...], locals[node.items.number])
    position = cast(int, locals[node.position.number])
    if position >= len(items):
        run.frame.node = node.done
        return False
    most = kinds.bound(node.capacity)
    if position >= most:
        raise exhausted(CAPACITY_EXHAUSTED, zone="a round", limit=most)
    locals[node.item.number] = items[position]
    locals[node.position.number] = position + 1
    run.frame.node = node.body
    return False


def call(run: Run, node: ir.Call) -> bool:
    """Open a frame; this one goes on behind the call."""
    run.spend()
    arguments = tuple([evaluate(argument, run.context) for argument in node.arguments])
    run.frame.node = node.next
    run.open(node.procedure, arguments)
    return False


def return_(run: Run, node: ir.Return) -> bool:
    """Close the frame; behind the overview there is nothing, and the game is broken off."""
    run.spend()
    if len(run.frames) == 1:
        return _break_off(run)
    run.frames.pop()
    run.look_at_top()
    return False


def leave(run: Run, node: ir.Leave) -> bool:
    """Close all frames up to and with the innermost one of the procedure.

    Sealed answers that were still to be carried out above it are dropped with them.
    """
    run.spend()
    left = max((place for place, frame in enumerate(run.frames) if frame.procedure == node.procedure), default=None)
    if left is None:
        raise Broken("a rule was left that is not running")
    if left == 0:
        return _break_off(run)
    del run.frames[left:]
    run.look_at_top()
    return False


def _break_off(run: Run) -> bool:
    run.outcome = outcome_of(ir.Aborted(), run.context)
    return True


# ------------------------------------------------------------------ decisions


def decide(run: Run, node: ir.Decide) -> bool:
    """Wait for the asked seats; go on if nobody is to be asked or, where the rules say so, nobody has a choice.

    Open play always waits, be it for time.
    """
    run.spend()
    asked = asked_seats(node, run.context)
    if isinstance(node.asked, ir.AnyOfSeats):
        run.asked = asked
        return True
    if not asked:
        carry_out(run, node, ())
        return False
    if run.program.forced_choices:
        answers = [_only_answer(run.context, node, seat) for seat in asked]
        if None not in answers:
            carry_out(run, node, tuple(cast(list[Answer], answers)))
            return False
    run.asked = asked
    return True


def asked_seats(node: ir.Decide, context: Context) -> tuple[int, ...]:
    """Who is asked, in order and each once; one seat that may pass and has no legal move is not,
    unless that would tell."""
    if not isinstance(node.asked, ir.OneSeat):
        listed = tuple(dict.fromkeys(codes(node.asked.seats, context)))
    else:
        listed = (number(node.asked.seat, context),)
    for seat in listed:
        if not 0 <= seat <= kinds.seat_count(context.program):  # the last one is the table
            raise exhausted(NO_SUCH_SEAT, seat=seat + 1)
    if (
        isinstance(node.asked, ir.OneSeat)
        and node.asked.may_pass
        and not node.asked.always_asked
        and not kinds.speaks(context.program, node)
        and next(legal_moves(context, node, listed[0]), None) is None
    ):
        return ()
    return listed


def is_forced(node: ir.Decide, context: Context, asked: tuple[int, ...]) -> bool:
    """Whether the rules let a decision resolve itself, as every asked seat has one legal answer only."""
    if not context.program.forced_choices or isinstance(node.asked, ir.AnyOfSeats):
        return False
    return all(_only_answer(context, node, seat) is not None for seat in asked)


def _only_answer(context: Context, node: ir.Decide, seat: int) -> Answer | None:
    """A seat's only legal answer, None if it has a choice (or no answer at all, or something to say)."""
    if kinds.speaks(context.program, node):
        return None
    answers = list(islice(legal_answers(context, node, seat), 2))
    return answers[0] if len(answers) == 1 else None


def _answered(run: Run, node: ir.Decide, moved: int) -> None:
    """The frame remembers whether somebody moved, and goes on behind the decision."""
    if node.answered is not None:
        run.frame.locals[node.answered.number] = moved
    run.frame.node = node.next


def carry_out(run: Run, node: ir.Decide, answers: tuple[Answer, ...]) -> None:
    """Answers take effect, the first one first: their frames are laid on the stack in reverse order."""
    moved = [answer for answer in answers if isinstance(answer, Play)]
    if ir.names_who_moved(node.asked):
        moved = moved[:1]
        run.done += [shown(run.game, run.context, node, answer) for answer in moved]
        _answered(run, node, moved[0].seat if moved else kinds.none_code(SeatType()))
    else:
        run.done += [shown(run.game, run.context, node, answer) for answer in answers]
        _answered(run, node, 1 if moved else 0)
    for answer in reversed(moved):
        run.spend_units(run.game.attempt_costs[answer.move])
        move = run.program.moves[answer.move]
        run.open(move.procedure, (answer.seat, *answer_values(run.program, move, answer.arguments)))


# ------------------------------------------------------------------ chance and the end


def chance(run: Run, node: ir.Chance) -> bool:
    """Wait for an outcome; if nothing is left to chance, what is certain is the result."""
    run.spend()
    drawing = urn(node, run.pools, run.context)
    forced = run.program.forced_chance and len(drawing) == 1
    if drawing and not forced:
        return True
    remember(run, node, drawing[0] if drawing else _certain(run, node.distribution))
    return False


def _certain(run: Run, distribution: ir.Distribution) -> int:
    """The result without chance: the top card that is settled already, or none."""
    if isinstance(distribution, ir.TopOf):
        pile = run.pieces(cell_of(distribution.pile, run.context))
        if pile:
            return pile[-1]
    return number(distribution.none, run.context)


def remember(run: Run, node: ir.Chance, value: int) -> None:
    """The frame remembers what came, and goes on."""
    run.frame.locals[node.result.number] = value
    run.frame.node = node.next


def settle_shared(run: Run, effect: Shuffle, card: int) -> None:
    """The lowest card that the pile shares with other piles is settled, so that they can be shuffled apart."""
    cell = cell_of(effect.pile, run.context)
    pile = pile_at(cell, run.context)
    place = first_shared(pile, run.pools)
    assert place is not None
    pool = UNSEEN - pile[place]
    run.pools[pool] = drawn(run.pools[pool], card)
    run.cells[cell] = (*pile[:place], card, *pile[place + 1 :])


def end(run: Run, node: ir.End) -> bool:
    """The game is over."""
    run.spend()
    run.outcome = outcome_of(node.outcome, run.context)
    return True


NODES: dict[type, Callable[[Run, Any], bool]] = {
    ir.Do: do,
    ir.Branch: branch,
    ir.Loop: loop,
    ir.Call: call,
    ir.Return: return_,
    ir.Leave: leave,
    ir.Decide: decide,
    ir.Chance: chance,
    ir.End: end,
}


# ------------------------------------------------------------------ events


def step(state: State, event: Event) -> State:
    """The state after an event. Raises Refused with every reason, or Exhausted; then nothing has happened."""
    if isinstance(event, Outcome):
        run = _after_chance(state, event)
    elif isinstance(event, Reading | Expiry):
        run = _after_time(state, event)
    else:
        run = _after_answers(state, event)
        if isinstance(event, Sealed) and state.waiting.first_only:
            event = Sealed(lapsed(event.answers))  # nothing remembers what lapsed
    after = advance(run)
    after.previous, after.event = state, event
    return after


def _after_chance(state: State, event: Outcome) -> Run:
    if event.value not in state.urn:
        raise not_waited_for(state, f"the outcome {event.value}" if state.urn else "chance")
    run, node = Run.of(state), state.node
    if isinstance(node, ir.Chance):
        remember(run, node, event.value)
    else:
        settle_shared(run, cast(Shuffle, cast(ir.Do, node).effect), event.value)
    return run


def _after_time(state: State, event: Reading | Expiry) -> Run:
    """The clock says another time; whatever waits is come to anew, and so asks who still has something to do."""
    return clock.read_clock(state, event) if isinstance(event, Reading) else clock.run_out(state, event)


def _after_answers(state: State, event: Play | Pass | Sealed) -> Run:
    answers, node = accepted(state, event), state.node
    run = Run.of(state)
    if state.waiting.first_only:
        answers = lapsed(answers)
    with standing(node.at):
        carry_out(run, cast(ir.Decide, node), answers)
    return run


# ------------------------------------------------------------------ the beginning


def begin(game: "Game") -> State:
    """Lay out everything, one unit for each place and piece, then go on to the first wait. Spec 7.2."""
    overview = game.program.procedures[0]
    frame = OpenFrame(0, overview.entry, [0] * len(overview.locals))
    run = Run(game, [], [], [frame], limits.SETUP_COST)
    for slot, declared in enumerate(game.program.slots):
        with standing(declared.at):
            if isinstance(declared, Marker):
                run.context.locals = [0] * game.locals
                laid: Value = fitting(run, slot, evaluate(declared.initial, run.context))
                units = 1
            else:
                laid = _start(game, declared)
                units = 1 + len(laid)
            count = game.layout.families[slot].count
            run.spend_units(units * count)
        run.cells.extend([laid] * count)
    run.look_at_top()
    return advance(run)


def _start(game: "Game", zone: Zone) -> tuple[int, ...]:
    """What lies in each member of a zone before play."""
    pieces: list[int] = []
    possible = kinds.all_codes(game.program, zone.content)
    for start in zone.starts:
        for code, times in _portions(game, start):
            if code not in possible and times > 0:
                raise no_piece(zone, code)
            if len(pieces) + times > limits.COLLECTION:
                raise exhausted(CAPACITY_EXHAUSTED, zone=zone.name, limit=limits.COLLECTION)
            pieces += [code] * times
    if zone.shape == "slot" and len(pieces) > 1:
        raise exhausted(CAPACITY_EXHAUSTED, zone=zone.name, limit=1)
    return tuple(sorted(pieces)) if zone.shape == "bag" else tuple(pieces)


def _portions(game: "Game", start: Start) -> list[tuple[int, int]]:
    """Each value with how often it is there."""
    context = Context(game.program, game.layout, (), [0] * game.locals)
    portions: list[tuple[int, int]] = []
    for code in codes(start.values, context):
        context.locals[start.variable.number] = code
        portions.append((code, max(0, number(start.times, context))))
    return portions
