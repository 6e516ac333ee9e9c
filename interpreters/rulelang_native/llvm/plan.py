"""How a program is laid out for LLVM, in words: `rulelang compile NAME --plan`.

Every line follows from declarations and uses alone. Names only say what it is about: the same rules with other names
have the same plan, but for these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang_native.llvm.laning import LANES
from rulelang_native.llvm.planes import word_for
from rulelang_native.llvm.programs import Printer
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.game import Game


def plan(game: Game) -> str:
    """The plan of a configured game."""
    heading = f"plan of {game.program.name}, {game.seats} players"
    try:
        printer = Printer(game, quick=True)
        printer.text()
    except NotLowered as reason:
        return f"{heading}\n\nnot compiled: {reason}; printed Python plays it\n"
    return "\n".join([heading, "", *_cells(printer), "", *_moves(printer), "", *_rest(printer)]) + "\n"


def _cells(printer: Printer) -> Iterator[str]:
    """Where zones and markers lie."""
    held = printer.module.lowering.held
    for slot, cells in enumerate(printer.module.around.slots):
        planes, low, high = printer.planes.get(slot), held[slot].low, held[slot].high
        many = "" if cells.members == 1 else f"{cells.members} times "
        if slot in printer.steady:
            yield f"{cells.name}: never changes"
        elif slot in printer.decks:
            deck = printer.decks[slot]
            yield f"{cells.name}: a deck, as what is left of {len(deck.cards)} cards of {deck.bits} bits in order"
        elif slot in printer.singles:
            yield f"{cells.name}: {many}a piece or none, as a number of 64 bits"
        elif slot in printer.piles:
            together = ", their sizes in one word" if cells.members > 1 and slot in printer.heights else ""
            yield f"{cells.name}: {many}a pile in place, with room for {printer.piles[slot]}{together}"
        elif slot in printer.bag_sets:
            yield f"{cells.name}: {many}a bag without doubles as a set of {word_for(printer.bag_sets[slot])} bits"
        elif slot in printer.bags:
            layout = printer.bags[slot]
            yield f"{cells.name}: {many}a bag of {layout.codes} kinds as counts of {layout.bits} bits"
        elif planes is not None:
            words = f"{planes.values} planes of {planes.word} bits ({low}..{high})"
            yield f"{cells.name}: {planes.places} places as {words}"
        elif cells.row:
            yield f"{cells.name}: {many}a row in the arena"
        else:
            yield f"{cells.name}: {many}a number of 64 bits ({low}..{high}){', by itself' if printer.apart else ''}"


def _moves(printer: Printer) -> Iterator[str]:
    """How answers are listed, and effects carried out."""
    for number, move in enumerate(printer.game.program.moves):
        word = printer.sets.get(number)
        listed = f"its answers are a set of {word} bits" if word else "its answers are laid down one after the other"
        if f"list{number}" in printer.listed_at_once:
            listed += ", of all kinds at once"
        if printer.factors.get(number) is not None:
            listed += ", usually two factors"
        if number in printer.pairs:
            ways, _ = printer.pairs[number]
            listed = f"its answers are pairs told by {len(ways.ways)} words of {ways.bits} bits"
        plain = printer.flat.procedures[printer.module.effects[number]].plain
        yield f"{move.name}: {listed}; {'carried out at once' if plain else 'a rule over a frame'}"


def _rest(printer: Printer) -> Iterator[str]:
    """The rest."""
    if printer.pools is not None:
        yield f"pools of unseen cards: {printer.pools.codes} kinds as counts in {printer.pools.width} bytes"
    for number, table in sorted(printer.tables.items()):
        yield (
            f"division {number}: bags of {table.codes} kinds in {table.word} bits, {table.bits} for each; "
            f"{len(table.candidates)} bags are judged before play, and what was divided is remembered"
        )
    for steps in printer.floods:
        ways = f"{len(steps.steps)} shifts of {steps.word} bits"
        yield f"linked among {steps.places} places: found by {ways}, until nothing is added"
    if printer.abreast:
        yield f"loops over places that are carried out for all of them at once: {printer.abreast}"
    for number in sorted(printer.scored):
        yield f"division {number}: what a bag is worth is looked up by parts"
        if number in printer.spared:
            yield f"division {number}: which kinds a bag can spare is looked up, too"
    if printer.clock is not None:
        yield "open play goes on with " + ("the next act" if not printer.clock.timers else "the next act or timer")
    if printer.side_by_side:
        elsewhere = f"with BMI2 alone {LANES // 2}, or one after the other"
        yield f"random games are played {LANES} side by side where the processor has BMI2 and AVX-512; {elsewhere}"
    else:
        yield "random games are played one after the other"
    yield f"a state has {printer.places.size} bytes, besides rows"
    yield "cost is looked at " + ("at every node" if printer.flat.metered else "once an event")
