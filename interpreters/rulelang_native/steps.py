"""From one state to the next: an event is checked, takes effect, and the machine goes on to the next wait."""

from __future__ import annotations

from rulelang.ir import nodes as ir
from rulelang.play.acceptance import accepted, not_waited_for
from rulelang.play.event import Event, Expiry, Outcome, Pass, Play, Reading, Sealed, lapsed
from rulelang_native import clock
from rulelang_native.runtime.machine import Machine
from rulelang_native.state import State


def step(state: State, event: Event) -> State:
    """The state after an event. Raises Refused with every reason, or Exhausted; then nothing has happened."""
    if isinstance(event, Outcome):
        machine = _after_chance(state, event)
    elif isinstance(event, Reading | Expiry):
        machine = _after_time(state, event)
    else:
        machine = _after_answers(state, event)
        if isinstance(event, Sealed) and state.waiting.first_only:
            event = Sealed(lapsed(event.answers))  # nothing remembers what lapsed
    machine.advance()
    after = State(state.game, machine)
    after.previous, after.event = state, event
    return after


def take_outcome(machine: Machine, value: int) -> None:
    """Chance gave this: it is remembered, or a card that a shuffle waits for is settled."""
    module, frame = machine.module, machine.frames[-1]
    node = module.program.nodes[frame[1]]
    if isinstance(node, ir.Chance):
        frame[2][node.result.number] = value
        frame[1] = node.next
    else:
        machine.settle_shared(module.pile_to_shuffle(machine), value)


def _after_time(state: State, event: Reading | Expiry) -> Machine:
    """The clock says another time; whatever waits is come to anew, and so asks who still has something to do."""
    return clock.read_clock(state, event) if isinstance(event, Reading) else clock.run_out(state, event)


def _after_chance(state: State, event: Outcome) -> Machine:
    if event.value not in state.urn:
        raise not_waited_for(state, f"the outcome {event.value}" if state.urn else "chance")
    machine = state.machine()
    take_outcome(machine, event.value)
    return machine


def _after_answers(state: State, event: Play | Pass | Sealed) -> Machine:
    answers = accepted(state, event)
    machine = state.machine()
    if state.waiting.first_only:
        answers = lapsed(answers)
    entries = [(answer.seat, state.game.entry_of(answer)) for answer in answers]
    with state.game.module.blame.watching(state.node.at):
        machine.carry_out(state.game.module.decisions[state.node_number], entries)
    return machine
