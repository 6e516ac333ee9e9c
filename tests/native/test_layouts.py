"""Bags as counts, piles in place, worths of bags by parts, answers told by bits: each says what rows say."""

import ctypes
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import llvmlite.binding as llvm
import pytest

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text, load
from rulelang_native import engine, playing
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.bags import Bagging, Packed, written
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.functions import PlainWriter
from rulelang_native.llvm.games import STATUS
from rulelang_native.llvm.listings import levels
from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.machine import compiled as machine_of_text
from rulelang_native.llvm.plan import plan
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.scores import PARTS, parts_of
from rulelang_native.llvm.support import BASE, END, FAILED, FULL, TOP, support

SEED = 7

LAYOUTS = (
    Packed(0, (9, 9, 6, 4, 2, 2, 9, 6, 2, 6, 5, 5, 3)),
    Packed(-3, (1,) * 52),
    Packed(5, (15,) * 16),
    Packed(1, (200,)),
    Packed(0, (3, 1, 2)),
)

ALL_SORTS = """
game "Bags of all sorts":
  players: 3

values Thing: 1..5
zone sack: pile of Thing, seen by nobody, starts with each Thing times 7
zone hand for each player: bag of Thing, seen by owner
zone kept for each player: bag of Thing
zone heap for each 1..2: pile of Thing
marker score for each player: -9999..9999
marker told: 0..99

define both(p: player) = p's hand + p's kept
define worth(p: player) = 3 * size of both(p) + size of kinds of both(p) + copies(3, p's hand)
  + (5 if p's hand is p's kept otherwise 0) + (7 if p's kept is empty otherwise 0)
  + sum(copies(x, p's hand) * x for each x in kinds of p's hand) + sum(x for each x in p's kept)

move keep(card in both(me), place in 1..2, maybe again):
  require there: card in my hand because "it is kept already"
  require room: place is 1 or size of heap[place] < 6 because "the heap is high"
  require twice: not again or copies(card, my hand) > 1 because "there is one only"
  put card from my hand into my kept
  if again: put card from my hand onto heap[place]
  my score becomes worth(me) + 100 * place

move drop(card in my hand, place in 1..2, maybe again):
  require odd: again or card + place > 2 because "that is too little"
  require less: size of (my hand but card) > 0 or not again because "nothing is left"
  put card from my hand onto heap[place]
  if again and heap[3 - place] is not empty: put top from heap[3 - place] into my hand
  my score becomes worth(me)

move give(card in my hand):
  put card from my hand under heap[1]
  my score becomes worth(me) - size of (my hand but card) * 10

move pick(place in 1..2, n in 1..6):
  require there: n <= size of heap[place] because "there are fewer"
  put position(n) from heap[place] into my kept

overview:
  repeat 2 times:
    shuffle sack
    each p in players: put top(3) from sack into p's hand
    repeat 4 times:
      each p in players:
        if sack is not empty: put top from sack into p's hand
        p may keep or drop or give or pick
        told becomes smaller(99, size of heap[1])
    each p in players: put everything from p's hand onto heap[2]
    gather Thing to sack
  end game, each p in players gets p's score
"""

DIVIDED = """
game "Sets of some sorts":
  players: 2

values Thing: 1..{kinds}
zone sack: pile of Thing, seen by nobody, starts with each Thing times {copies}
zone hand for each player: bag of Thing, seen by owner
marker score for each player: 0..999

define is_set(set: bag of Thing) = {condition}
define worth(set: bag of Thing) = {worth}
define divides(cards: bag of Thing) =
  possible of whole_partition(worth(set) for each set in bags(2..3, cards) where is_set(set))
define best(p: player) = best_partition(worth(set) for each set in bags(2..3, p's hand) where is_set(set))
define whole(p: player) = whole_partition(worth(set) for each set in bags(2..3, p's hand) where is_set(set))

move drop(card in my hand, maybe out):
  require fits: not out or divides(my hand but card)
    because "it does not divide"
  put card from my hand onto sack
  my score rises by value of best(me) + value of whole(me) + (50 if out otherwise 0)

overview:
  repeat 4 times:
    shuffle sack
    each p in players:
      put top({drawn}) from sack into p's hand
    each p in players: p must drop
    each p in players: p must drop
  end game, each p in players gets p's score
"""


def game_of(text: str, seats: int) -> Game:
    found = compile_text(text)
    assert found.program is not None
    return engine.configure(found.program, seats, {})


def alike(game: Game, n: int) -> Compiled:
    machine = Compiled(game, FIRST)
    summaries = list(compiled_playing.playouts(game, machine, n, SEED))
    assert summaries == list(playing.playouts(game, n, SEED, "random", 0))
    return machine


def given_up(machine: Compiled, n: int) -> int:
    words = machine.playouts(n, SEED, 0)
    return sum(words[number * machine.words + STATUS] != 0 for number in range(n))


# ------------------------------------------------------------------ bags as counts


class Functions:
    """What is done with bags of one layout, compiled by itself."""

    def __init__(self, layout: Packed) -> None:
        operations: dict[str, Callable[[Bagging], str]] = {
            "counted": lambda b: b.counted("%x", layout),
            "there": lambda b: b.there("%x", layout),
            "times": lambda b: b.times("%x", "%y", layout),
            "has": lambda b: b.writer.op(f"zext i1 {b.has('%x', '%y', layout)} to i64"),
            "together": lambda b: b.together("%x", "%y", layout, sure=False),
            "one": lambda b: b.one("%x", layout),
            "back": lambda b: b.of_row(b.as_row("%x", layout), layout),
        }
        text = [support(quick=bool(llvm.get_host_cpu_features().get("bmi2"))), written(layout)]
        for name, write in operations.items():
            code: Any = Code(f"define i64 @asked_{name}(ptr %S, i64 %x, i64 %y)")
            code.end(f"ret i64 {write(Bagging(code))}")
            text.append(code.text())
        self._engine = machine_of_text("\n".join(text), FIRST)
        self.state = (ctypes.c_int64 * 256)()
        self._arena = (ctypes.c_int64 * 4096)()
        self._begin()

    def _begin(self) -> None:
        first = ctypes.addressof(self._arena)
        self.state[FAILED // 8] = 0
        self.state[BASE // 8] = self.state[TOP // 8] = first
        self.state[END // 8] = first + 8 * 4096

    def __call__(self, name: str, x: int, y: int = 0) -> int | None:
        """What comes of it, None if it is given up."""
        self._begin()
        kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64)
        found = kind(self._engine.get_function_address(f"asked_{name}"))(
            self.state, x, y if y < 1 << 63 else y - (1 << 64)
        )
        return None if self.state[FAILED // 8] else int(found)


def made_bag(layout: Packed, draw: random.Random) -> tuple[int, ...]:
    field = (1 << layout.bits) - 1
    some = draw.random()
    counts = [
        draw.choice((most, field, draw.randint(0, most), 0)) if draw.random() < some else 0 for most in layout.most
    ]
    return tuple(layout.low + code for code, count in enumerate(counts) for _ in range(count))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_what_is_asked_of_counts_is_what_rows_say(layout: Packed) -> None:
    functions, draw = Functions(layout), random.Random(SEED)
    field = (1 << layout.bits) - 1
    for _ in range(1000):
        row, other = made_bag(layout, draw), made_bag(layout, draw)
        word, more = layout.word(row), layout.word(other)
        assert word is not None and more is not None and layout.row(word) == row
        assert functions("counted", word) == len(row)
        assert functions("there", word) == layout.word(set(row))
        assert functions("back", word) == word
        for item in (layout.low - 1, layout.low + draw.randrange(layout.codes), layout.low + layout.codes, 1 << 62):
            assert functions("times", word, item) == row.count(item)
            assert functions("has", word, item) == (item in row)
            inside = 0 <= item - layout.low < layout.codes
            assert functions("one", item) == (layout.word((item,)) if inside else None)
        both = Counter(row) + Counter(other)
        fits = all(count <= field for count in both.values())
        assert functions("together", word, more) == (layout.word(both.elements()) if fits else None)


def test_rows_that_do_not_fit_are_given_up() -> None:
    assert LAYOUTS[4].word((0, 0, 0, 0)) is None and LAYOUTS[4].word((3,)) is None and LAYOUTS[4].word((-1,)) is None


def test_a_row_of_a_bag_needs_room() -> None:
    functions = Functions(LAYOUTS[0])
    functions._begin()
    functions.state[END // 8] = functions.state[TOP // 8]
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64)
    kind(functions._engine.get_function_address("asked_back"))(functions.state, 1, 0)
    assert functions.state[FAILED // 8] == FULL


def test_bags_of_all_sorts_are_played_alike() -> None:
    game = game_of(ALL_SORTS, 3)
    printer = Printer(game)
    names = {printer.module.around.slots[slot].name for slot in printer.bags}
    assert names == {"hand", "kept"} and all(each.bits == 3 for each in printer.bags.values())
    assert given_up(alike(game, 150), 150) == 0


def test_more_than_there_are_is_left_to_printed_python() -> None:
    twice = ALL_SORTS.replace("+ copies(3, p's hand)", "+ copies(3, p's hand + p's hand)")
    n = 200
    assert 0 < given_up(alike(game_of(twice, 3), n), n) < n


# ------------------------------------------------------------------ answers told by bits


def test_answers_of_several_values_are_told_by_bits() -> None:
    game = game_of(ALL_SORTS, 3)
    printer = Printer(game)
    moves = {move.name: number for number, move in enumerate(game.program.moves)}
    keep, drop = printer.ranged[moves["keep"]], printer.ranged[moves["drop"]]
    assert keep.counts == drop.counts == (5, 2, 2) and printer.ranged[moves["give"]].counts == (5,)
    assert levels(printer.functions[f"list{moves['keep']}"], keep) is not None  # each condition is about one value
    assert levels(printer.functions[f"list{moves['drop']}"], drop) is None  # one is about two
    assert printer.ranged[moves["pick"]].counts == (2, 6)


# ------------------------------------------------------------------ piles in place


def test_piles_lie_in_place_and_the_same_cards_in_them() -> None:
    game = game_of(ALL_SORTS, 3)
    printer = Printer(game)
    names = {printer.module.around.slots[slot].name: most for slot, most in printer.piles.items()}
    assert names == {"sack": 35, "heap": 35}


def test_a_pile_that_changes_while_it_is_needed_is_copied_first() -> None:
    printer = Printer(game_of(ALL_SORTS, 3))
    (heap,) = [slot for slot in printer.piles if printer.module.around.slots[slot].name == "heap"]
    pile = flat.Held(heap, Known(0))
    read = st.Set("n", flat.Length(flat.Name("t")))
    grows = st.Store(heap, Known(0), flat.Joined(pile, flat.Items((Known(1),))))
    shrinks = st.Store(heap, Known(0), flat.ButLast(flat.Name("t")))
    part = st.Set("u", flat.LastOne(flat.Name("t")))
    known = Known((1, 2))
    for body, copied in (
        ((st.Set("t", pile), read, grows), set[str]()),
        ((st.Set("t", pile), grows, read), {"t"}),
        ((st.Set("t", pile), shrinks, read), set()),
        ((st.Set("t", pile), part, grows, st.Set("n", flat.Length(flat.Name("u")))), {"t", "u"}),
        ((st.Set("t", pile), st.SpendOn(0, ()), read), {"t"}),
        ((st.Set("t", pile), st.Each("x", known, (read, grows))), {"t"}),
        ((st.Set("t", flat.Sorted(pile)), grows, read), set()),
    ):
        writer = PlainWriter(printer, attrs.evolve(printer.flat.procedures[0], blocks=()), {}, metered=False)
        writer.piling.learn(body)
        assert writer.piling.copied == copied, body


# ------------------------------------------------------------------ worths by parts

CONDITIONS = (
    ("size of kinds of set is 1", "size of set"),
    ("size of kinds of set is 1 or (1 in set and 2 in set)", "3 if 1 in set otherwise 1"),
    ("size of set is 2 and size of kinds of set is 1 or size of kinds of set is 3", "size of kinds of set"),
    ("6 not in set", "1"),
)


@pytest.mark.parametrize(("condition", "worth"), CONDITIONS)
@pytest.mark.parametrize(("kinds", "copies", "drawn"), [(6, 3, 3), (6, 15, 4), (9, 1, 2)])
def test_worths_of_bags_are_those_of_divisions(condition: str, worth: str, kinds: int, copies: int, drawn: int) -> None:
    text = DIVIDED.format(condition=condition, worth=worth, kinds=kinds, copies=copies, drawn=drawn)
    game = game_of(text, 2)
    printer = Printer(game)
    printer.text()
    assert printer.scored
    alike(game, 40)


def test_kinds_that_hang_together_are_one_part() -> None:
    layout = Packed(1, (3, 3, 3, 3, 3, 3, 3))
    table: Any = None
    assert parts_of(table, layout, [(1, 2), (2, 3), (5, 5), (6, 7)]) == [[0, 1, 2], [3], [4], [5, 6]]
    apart = parts_of(table, layout, [])
    assert len(apart) == PARTS and sorted(code for lot in apart for code in lot) == list(range(7))


def test_the_plan_says_so() -> None:
    game = engine.configure(load("13-animals").program, 4, {})
    said = plan(game)
    assert "hand: 4 times a bag of 13 kinds as counts of 4 bits" in said
    assert "heap: 3 times a pile in place, with room for 68, their sizes in one word" in said
    assert "pools of unseen cards: 13 kinds as counts in 16 bytes" in said
    assert "division 1: what a bag is worth is looked up by parts" in said
    assert "division 1: which kinds a bag can spare is looked up, too" in said
    assert (
        "discard: its answers are a set of 128 bits, of all kinds at once, usually two factors; a rule over a frame"
        in said
    )


TWO_SORTS = """
game "Two sorts of the same shape":
  players: 2

values Red: 1..4
values Blue: 1..4
zone reds for each player: bag of Red, starts with each Red times 2
zone blues for each player: bag of Blue, starts with each Blue times 3
zone red_heap: pile of Red
zone blue_heap: pile of Blue
marker score for each player: 0..99

move red(card in my reds):
  put card from my reds onto red_heap
  my score rises by copies(card, my reds) + size of kinds of my reds
move blue(card in my blues):
  put card from my blues onto blue_heap
  my score rises by copies(card, my blues) + size of kinds of my blues

overview:
  repeat 4 times:
    each p in players: p may red or blue
  end game, each p in players gets p's score
"""


def test_bags_that_lie_alike_but_hold_different_numbers() -> None:
    game = game_of(TWO_SORTS, 2)
    layouts = set(Printer(game).bags.values())
    assert len(layouts) == 2 and len({layout.name for layout in layouts}) == 1
    alike(game, 60)


LEFT_BEHIND = """
game "Left behind":
  players: 2

marker score for each player: 0..99

rule quick: seat(1)'s score rises by 1

rule stage:
  quick
  seat(1) must step

move step(n in 1..3):
  my score rises by n
  if n is 3: end stage

move stop:
  end quick

overview:
  repeat 5 times: stage
  end game, each p in players gets p's score
"""


def test_a_move_that_would_end_what_never_waits() -> None:
    """Nobody is asked for it there; it has a form, all the same."""
    alike(game_of(LEFT_BEHIND, 2), 20)


NEVER = """
game "Never, but for a limit":
  players: 2

marker rank for each 1..3: 0..9
marker place: 0..9
marker score for each player: 0..99

define of_place(n: number) = rank[n]

move jump:
  require high: of_place(place) is 0 because "it is high"
  require never: 1 is 2 because "never"
  my score rises by 5

move step(n in 1..3):
  place becomes n + 1
  my score rises by n

overview:
  place becomes 1
  repeat 5 times:
    each p in players: p may jump or step
  end game, each p in players gets p's score
"""


def test_a_move_that_is_never_an_answer_can_still_come_to_a_limit() -> None:
    game = game_of(NEVER, 2)
    machine, limits = Compiled(game, FIRST), 0
    for first in range(12):
        told = []
        for play in (
            compiled_playing.playouts(game, machine, 1, SEED, first),
            playing.playouts(game, 1, SEED, "random", first),
        ):
            try:
                told.append(str(list(play)))
            except Exhausted as failure:
                told.append(str(failure))
        assert told[0] == told[1]
        limits += "RL8005" in told[0]
    assert limits
