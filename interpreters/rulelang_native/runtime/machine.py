"""A step under way: the state's cells, pools and frames while they change. Printed programs work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from rulelang import limits
from rulelang.failures import Broken, Exhausted
from rulelang_native.runtime import failing

if TYPE_CHECKING:
    from rulelang_native.runtime.module import Module

UNSEEN = -(1 << 70)
"""An unseen card of pool k is written UNSEEN - k where a card's code would stand: no number is so small. Spec 10.4."""

Entry = tuple[Any, ...]
"""A legal answer as listings offer it: the move, then a value for each parameter (a pick as a bag)."""

Done = tuple[int, Entry | None, tuple[int, ...], bool]
"""An answer that was carried out: the seat, the answer (None: a pass), who is shown each part of it, and whether only
who gave it observes that it was given."""


class Machine:
    """The table, the pools, the frames (each a list of procedure, node and locals), and what the step has cost."""

    __slots__ = ("asked", "c", "cost", "done", "frames", "module", "most", "over", "pools", "urn")

    def __init__(self, module: Module, cells: list[Any], pools: list[tuple[int, ...]], frames: list[Any]) -> None:
        self.module = module
        self.c = cells
        self.pools = pools
        self.frames = frames
        self.cost = 0
        self.most = limits.EVENT_COST
        self.asked: tuple[int, ...] = ()
        self.urn: tuple[int, ...] = ()
        self.over = -1
        """The node that ended the game."""
        self.done: list[Done] | None = None
        """The answers carried out, if anybody wants to know."""

    # -------------------------------------------------------------- going on

    def advance(self) -> None:
        """Carry out frame after frame until the game waits or is over."""
        procedures = self.module.procedures
        frames = self.frames
        while True:
            frame = frames[-1]
            try:
                while not procedures[frame[0]](self, frame):
                    frame = frames[-1]
                break
            except Exhausted as failure:
                self.module.blame.place(failure, self.module.program.nodes[frame[1]].at)
                raise
            except Nowhere as nowhere:  # a frame of a given position stands where play never comes to stand
                self.module.extend(frames[-1][0], nowhere.node)
        if self.cost > self.most:
            with self.module.blame.watching(self.module.program.nodes[frames[-1][1]].at):
                self.stop()

    def stop(self) -> NoReturn:
        """The step has cost too much."""
        raise failing.too_costly(self.most)

    def open(self, procedure: int, arguments: list[Any]) -> None:
        """Open a frame; its first locals are the arguments, the others 0."""
        if len(self.frames) >= limits.WINDOW_DEPTH:
            raise failing.too_deep()
        entry, more = self.module.entries[procedure]
        self.frames.append([procedure, entry, arguments + [0] * (more - len(arguments))])

    def close(self) -> bool:
        """Close the frame; behind the overview there is nothing, and the game is broken off."""
        if len(self.frames) == 1:
            self.over = self.frames[-1][1]
            return True
        self.frames.pop()
        return False

    def leave(self, procedure: int) -> bool:
        """Close all frames up to and with the innermost one of a procedure."""
        frames = self.frames
        for place in range(len(frames) - 1, -1, -1):
            if frames[place][0] == procedure:
                break
        else:
            raise Broken("a rule was left that is not running")
        if place == 0:
            self.over = frames[-1][1]
            return True
        del frames[place:]
        return False

    # -------------------------------------------------------------- decisions

    def force(self, frame: list[Any], node: int, seats: tuple[int, ...]) -> bool:
        """If every asked seat has one legal answer only, carry them out."""
        info = self.module.decisions[node]
        if info.speaks:
            return False
        answers: list[tuple[int, Entry | None]] = []
        for seat in seats:
            found = self.module.listed(self.c, node, seat, 2)
            if len(found) != 1:
                return False
            answers.append((seat, found[0]))
        self.carry_out(info, answers)
        return True

    def carry_out(self, info: Any, answers: list[tuple[int, Entry | None]]) -> None:
        """Answers take effect, the first one first; the frame goes on behind the decision."""
        frame = self.frames[-1]
        moved = [answer for answer in answers if answer[1] is not None]
        if info.names_who:
            moved = moved[:1]
            answers = moved
            result = moved[0][0] if moved else -1
        else:
            result = 1 if moved else 0
        module = self.module
        if self.done is not None:
            for seat, entry in answers:
                self.done.append(module.shown(self.c, info, seat, entry))
        elif module.risky:
            with module.blame.watching(module.program.nodes[info.node].at):
                for seat, entry in answers:
                    module.shown(self.c, info, seat, entry)
        if info.answered is not None:
            frame[2][info.answered] = result
        frame[1] = info.next
        costs, plain = module.attempt_costs, module.plain_effects
        for _, entry in reversed(moved):
            assert entry is not None
            self.cost += costs[entry[0]]
            if self.cost > self.most:
                self.stop()
        effects = [plain[entry[0]] for _, entry in moved if entry is not None]
        if None not in effects:
            for effect, (seat, entry) in zip(effects, moved, strict=True):
                assert effect is not None and entry is not None
                spent = effect(self, self.c, seat, *entry[1:])
                self.cost += spent  # not in one: a metered effect has spent on this machine itself
            return
        for seat, entry in reversed(moved):
            assert entry is not None
            self.open(module.effects[entry[0]], [seat, *entry[1:]])

    def answer_one(self, info: Any, seat: int, entry: Entry) -> None:
        """The same for one seat that moves, when nobody watches: what random play does most."""
        module = self.module
        frame = self.frames[-1]
        if info.answered is not None:
            frame[2][info.answered] = 1
        frame[1] = info.next
        move = entry[0]
        self.cost += module.attempt_costs[move]
        effect = module.plain_effects[move]
        if effect is not None:
            spent = effect(self, self.c, seat, *entry[1:])
            self.cost += spent
        else:
            self.open(module.effects[move], [seat, *entry[1:]])

    # -------------------------------------------------------------- unseen cards

    def unseen_top(self, pile: tuple[int, ...]) -> tuple[int, ...]:
        """The pool of the last card if that is unseen, else nothing."""
        if pile and pile[-1] <= UNSEEN:
            return self.pools[UNSEEN - pile[-1]]
        return ()

    def settle(self, cell: int, card: int, failure: int, member: int) -> None:
        """The top card, if it is unseen, becomes this one, which leaves its pool."""
        pile = self.c[cell]
        if not pile or pile[-1] > UNSEEN:
            return
        pool = UNSEEN - pile[-1]
        if card not in self.pools[pool]:
            self.module.fail(failure, member, card)
        self.pools[pool] = drawn(self.pools[pool], card)
        self.c[cell] = (*pile[:-1], card)

    def unsee(self, cell: int) -> tuple[int, ...]:
        """The pile becomes unseen, unless something that it shares with other piles must be drawn first: that urn."""
        pile: tuple[int, ...] = self.c[cell]
        place = first_shared(pile, self.pools)
        if place >= 0:
            return self.pools[UNSEEN - pile[place]]
        first = pile[0] if pile else 0
        if not pile or (first <= UNSEEN and pile.count(first) == len(pile)):
            return ()
        cards: list[int] = []
        for card in pile:
            if card > UNSEEN:
                cards.append(card)
        for pool in {UNSEEN - card for card in pile if card <= UNSEEN}:
            cards += self.pools[pool]
            self.pools[pool] = ()
        if () in self.pools:
            pool = self.pools.index(())
        else:
            pool = len(self.pools)
            self.pools.append(())
        self.pools[pool] = tuple(sorted(cards))
        self.c[cell] = (UNSEEN - pool,) * len(pile)
        return ()

    def settle_shared(self, cell: int, card: int) -> None:
        """The lowest card that the pile shares with other piles is settled."""
        pile: tuple[int, ...] = self.c[cell]
        place = first_shared(pile, self.pools)
        pool = UNSEEN - pile[place]
        self.pools[pool] = drawn(self.pools[pool], card)
        self.c[cell] = (*pile[:place], card, *pile[place + 1 :])


class Nowhere(Exception):
    """A frame stands where no block begins."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


def nowhere(node: int) -> NoReturn:
    """No block begins here."""
    raise Nowhere(node)


def drawn(pool: tuple[int, ...], card: int) -> tuple[int, ...]:
    """A pool without one card."""
    place = pool.index(card)
    return pool[:place] + pool[place + 1 :]


def first_shared(pile: tuple[int, ...], pools: list[tuple[int, ...]]) -> int:
    """The lowest place whose card must be settled before the pile can be shuffled, -1 if there is none."""
    if not pile or min(pile) > UNSEEN or pile.count(pile[0]) == len(pile):
        return -1
    for place, card in enumerate(pile):
        if card <= UNSEEN and pile.count(card) < len(pools[UNSEEN - card]):
            return place
    return -1
