"""Loops carried out for all places at once, pairs of places told by words, bags as sets: each is what Python plays."""

import random
import re
from functools import partial

import pytest

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text, load
from rulelang.play.playouts import GameSummary
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.plan import plan
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.words import Known, NotAbreast, Word, Words, known_for

SEED = 20


def game_of(rules: str, seats: int = 2, **options: int | str) -> Game:
    """A game that no ruleset names."""
    return engine.configure(compile_text(rules).program, seats, options)


def same(game: Game, n: int) -> list[GameSummary]:
    """Games that are compiled, which are those that are printed; none is given up."""
    machine = Compiled(game, 1)
    found = list(compiled_playing.playouts(game, machine, n, SEED))
    assert found == list(playing.playouts(game, n, SEED, "random", 0))
    assert not any(machine.playouts(n, SEED, 0)[:: machine.words])
    return found


def printed(game: Game) -> Printer:
    """What is printed for a game, with what was found out on the way."""
    printer = Printer(game)
    printer.text()
    return printer


# ------------------------------------------------------------------ rulesets


@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (5, 3), (8, 8), (6, 7), (8, 5)])
def test_breakthrough_of_every_size(rows: int, columns: int) -> None:
    game = engine.configure(load("breakthrough").program, 2, {"rows": rows, "columns": columns})
    same(game, 60)
    assert bool(printed(game).pairs) == (rows * columns > 11)  # of few places all pairs fit into one word


@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_othello_of_every_size(size: int) -> None:
    game = engine.configure(load("othello").program, 2, {"size": size})
    same(game, 40)
    assert bool(printed(game).abreast) == (size > 2)


@pytest.mark.parametrize("attempts", ["heard", "unheard"])
@pytest.mark.parametrize("size", [2, 3, 8, 11])
def test_dark_hex_has_sets(size: int, attempts: str) -> None:
    game = engine.configure(load("dark-hex").program, 2, {"size": size, "attempts": attempts})
    same(game, 60)
    assert sorted(printed(game).bag_sets) == [0, 1, 2]


def test_the_plan_says_it() -> None:
    assert "advance: its answers are pairs told by 8 words of 64 bits" in plan(
        engine.configure(load("breakthrough").program, 2, {})
    )
    assert "loops over places that are carried out for all of them at once" in plan(
        engine.configure(load("othello").program, 2, {})
    )
    assert "stones: 2 times a bag without doubles as a set of 128 bits" in plan(
        engine.configure(load("dark-hex").program, 2, {"size": 11})
    )


# ------------------------------------------------------------------ games that no ruleset names

STEPS = """game "Three kinds of pieces":
  players: 2

option rows: 3..14 = 6
option columns: 2..14 = 5

board Field: rows by columns SHAPE
values Sort: soldier, runner, guard
marker owner for each Field: player or nobody
marker sort for each Field: Sort
marker lost for each player: 0..99

overview:
  each f in Field where row of f is 1 or row of f is rows:
    owner[f] becomes seat(1) if row of f is 1 otherwise seat(2)
    sort[f] becomes runner if remainder(column of f, 3) is 0 otherwise soldier
  each f in Field where column of f is 2 and (row of f is 1 or row of f is rows): sort[f] becomes guard
  repeat 30 times:
    each p in players:
      p must step or jump or leap or wait
      if done(p): end game, p wins
  end game, all p in players with least p's lost wins

move step(start in Field, goal in Field):
  require yours: owner[start] is me because "it is not yours"
  require near: goal in reach(me, start) because "it is too far"
  require free: owner[goal] is not me and (owner[goal] is nobody or sort[goal] is not guard) because "it is taken"
  moved(start, goal)

move jump(start in Field, goal in around(start)):
  require yours: owner[start] is me and sort[start] is guard because "it is no guard of yours"
  require over: owner[goal] is next(me) and some b in beside(goal) where owner[b] is me and b is not start
    because "nobody helps"
  moved(start, goal)

move leap(start in Field, goal in Field):
  require yours: owner[start] is me because "it is not yours"
  require far: row of goal - row of start is 2 * ahead(me) and column of goal is column of start because "no leap"
  require over: owner[goal] is nobody and some b in beside(start) where b in beside(goal) and owner[b] is not nobody
    because "there is nothing to leap over"
  moved(start, goal)

move wait:
  require stuck: no f in Field where owner[f] is me and some g in reach(me, f) where owner[g] is nobody
    because "you can step"

rule moved(start: Field, goal: Field):
  each q in players where q is owner[goal]: q's lost rises by 1
  owner[goal] becomes owner[start]
  sort[goal] becomes sort[start]
  owner[start] becomes nobody

define ahead(p: player) = 1 if p is seat(1) otherwise -1
define reach(p: player, f: Field) = all g in around(f)
  where sort[f] is runner or (row of g - row of f) * ahead(p) > 0 or sort[f] is guard and g in beside(f)
define done(p: player) = some f in Field where owner[f] is p and row of f is (rows if p is seat(1) otherwise 1)
"""

CUSTODY = """game "Taken between two":
  players: 2

option size: 3..23 = 7

board Square: size by size
marker man for each Square: player or nobody
marker score for each player: 0..999

overview:
  each s in Square where row of s is 1: man[s] becomes seat(1)
  each s in Square where row of s is size: man[s] becomes seat(2)
  repeat 20 times:
    each p in players:
      p must slide or drop or pass
      if no s in Square where man[s] is next(p): end game, p wins
  end game, all p in players with most p's score wins

move slide(start in Square, goal in Square):
  require yours: man[start] is me because "it is not yours"
  require open: some ray in rays(start) where goal in open(ray) because "you cannot get there"
  man[start] becomes nobody
  man[goal] becomes me
  take(me, goal)

move drop(square in Square):
  require free: man[square] is nobody because "it is taken"
  require closes: some ray in rays(square) where closes(me, ray) because "it encloses nothing"
  require lonely: no b in beside(square) where man[b] is me because "it is beside your own"
  man[square] becomes me
  take(me, square)

move pass:
  require no_way_out: my score is 0 and no s in Square where man[s] is me and not stuck(s)

rule take(p: player, square: Square):
  each ray in rays(square) where closes(p, ray):
    man[item(ray, 1)] becomes nobody
    p's score rises by 1

define open(ray: list of Square) = all s in ray where free(s, ray)
define free(s: Square, ray: list of Square) =
  man[s] is nobody and (first t in ray where man[t] is not nobody or t is s) is s
define closes(p: player, ray: list of Square) =
  size of ray > 1 and man[item(ray, 1)] is next(p) and man[item(ray, 2)] is p
define stuck(s: Square) = every b in around(s) satisfies man[b] is not nobody
"""


KINGS = """game "Men and kings":
  players: 2

option size: 4..12 = 8

board Square: size by size
values Man: bare, red_man, red_king, black_man, black_king, wall
marker man for each Square: Man = bare
marker taken for each player: 0..99

overview:
  each s in Square where remainder(row of s + column of s, 2) is 0:
    if row of s < 3: man[s] becomes red_man
    if row of s > size - 2: man[s] becomes black_man
  man[cell(Square, 3, 2)] becomes wall
  repeat 40 times:
    each p in players:
      p must step or capture or pass
      if no s in Square where of_side(s, next(p)): end game, p wins
  end game, all p in players with most p's taken wins

move step(start in Square, goal in Square):
  require yours: of_side(start, me)
  require way: goal in ahead(start)
  require free: man[goal] is bare
  require none_to_take: not can_capture(me)
  moved(start, goal)

move capture(start in Square, goal in Square):
  require yours: of_side(start, me)
  require way: some ray in rays(start) where over(ray, goal) and item(ray, 1) in ahead(start)
    and of_side(item(ray, 1), next(me))
  require free: man[goal] is bare
  each ray in rays(start) where over(ray, goal): man[item(ray, 1)] becomes bare
  my taken rises by 1
  moved(start, goal)

move pass:
  require stuck: not can_capture(me) and no s in Square where of_side(s, me) and some g in ahead(s) where man[g] is bare

rule moved(start: Square, goal: Square):
  man[goal] becomes man[start]
  man[start] becomes bare
  if man[goal] is red_man and row of goal is size: man[goal] becomes red_king
  if man[goal] is black_man and row of goal is 1: man[goal] becomes black_king

define of_side(s: Square, p: player) =
  (man[s] is red_man or man[s] is red_king) if p is seat(1) otherwise (man[s] is black_man or man[s] is black_king)
define over(ray: list of Square, goal: Square) = size of ray > 1 and item(ray, 2) is goal
define ahead(s: Square) = all g in around(s) where row of g is not row of s and column of g is not column of s
  and (man[s] is red_king or man[s] is black_king
    or man[s] is red_man and row of g > row of s or man[s] is black_man and row of g < row of s)
define can_capture(p: player) = some s in Square where of_side(s, p)
  and some ray in rays(s) where size of ray > 1 and item(ray, 1) in ahead(s)
    and of_side(item(ray, 1), next(p)) and man[item(ray, 2)] is bare
"""


@pytest.mark.parametrize("shape", ["", "hexagons"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (3, 5), (6, 5), (8, 8), (9, 8), (14, 14)])
def test_steps_of_pieces(rows: int, columns: int, shape: str) -> None:
    game = game_of(STEPS.replace("SHAPE", shape).rstrip() + "\n", rows=rows, columns=columns)
    same(game, 30 if rows < 9 else 10)
    assert len(printed(game).pairs) == (3 if rows * columns > 11 else 1)  # of few places all pairs fit into one word


@pytest.mark.parametrize("size", [3, 4, 7, 8, 9, 12])
def test_what_stands_between_two_is_taken(size: int) -> None:
    game = game_of(CUSTODY, size=size)
    same(game, 25 if size < 9 else 8)
    printer = printed(game)
    assert printer.abreast
    assert bool(printer.pairs) == (3 < size < 12)  # on larger boards there are too many ways to slide


@pytest.mark.parametrize("size", [4, 5, 8, 12])
def test_men_and_kings(size: int) -> None:
    """Six kinds of pieces in one marker."""
    game = game_of(KINGS, size=size)
    same(game, 40 if size < 9 else 10)
    assert sorted(printed(game).planes) == [0]


@pytest.mark.parametrize(("rows", "columns"), [(6, 5), (9, 8), (14, 14)])
def test_listings_that_lay_down_say_the_same(rows: int, columns: int) -> None:
    """Where answers of several seats wait for one another, each is laid down."""
    rules = STEPS.replace("SHAPE", "").replace(
        "    each p in players:\n      p must step", "    players must secretly step"
    )
    rules = rules.replace("      if done(p): end", "    each p in players where done(p): end")
    game = game_of(rules, rows=rows, columns=columns)
    same(game, 20 if rows < 9 else 5)
    assert printed(game).abreast


NASTY = """game "Asked in every way":
  players: 3

option size: 3..19 = 5
option edge: 1..4 = 2

board Place: size by size
board Other: 3 by 3
marker stone for each Place: player or nobody
marker mood for each Place: 0..3 = 2
marker far for each Place: 0..9
marker flag for each Other: 0..1
marker told for each player: -999999..999999 = 0
marker level: 0..3

define crowd(p: Place) = count(each q in around(p) where stone[q] is not nobody)
define quiet(p: Place) = every q in beside(p) satisfies mood[q] <= level
define seen(p: Place, ray: list of Place) = first q in ray where stone[q] is not nobody or mood[q] is 3
define sees(p: Place, who: player) = some ray in rays(p) where seen(p, ray) is not none and stone[seen(p, ray)] is who
define long(p: Place) = some ray in rays(p) where size of ray > edge and stone[item(ray, edge)] is nobody
define twice(p: Place) =
  some q in beside(p) where mood[q] is mood[p] and some r in beside(q) where r is not p and mood[r] is 1
define near(p: Place) = all q in around(p) where stone[q] is not stone[p] and mood[q] + 1 > mood[p]
define rank(p: Place) = row of p * 2 - column of p if row of p < column of p otherwise column of p
define last(ray: list of Place) = top of ray

move lay(place in Place):
  require free: stone[place] is nobody
  require quiet: quiet(place) or sees(place, next(me)) or crowd(place) > 1
  require kind: rank(place) > level - seat_number(me) or twice(place)
  stone[place] becomes me
  far[place] becomes crowd(place)
  flag[cell(Other, 1 + remainder(row of place, 3), 1)] becomes 1

move push(start in Place, goal in Place):
  require own: stone[start] is me
  require way: some ray in rays(start) where goal in ray and last(ray) is not start and long(goal)
  require close: (row of goal - row of start) * (level - 1) < edge and column of goal - column of start < edge + 1
  require free: stone[goal] is nobody and (goal in near(start) or mood[goal] is level)
  stone[goal] becomes me
  stone[start] becomes nobody
  mood[start] becomes remainder(mood[start] + 1, 4)

move swap(start in Place, goal in around(start)):
  require both: stone[start] is me and stone[goal] is not me and stone[goal] is not nobody
  require odd: not (mood[start] is mood[goal]) or long(start)
  stone[goal] becomes me
  far[goal] becomes 3

move wait(n in 0..3):
  require some_way: n is level or no p in Place where sees(p, me) and stone[p] is nobody
  level becomes remainder(n + 1, 4)

overview:
  each p in Place where remainder(row of p + column of p, 3) is 0: mood[p] becomes remainder(row of p, 4)
  repeat 12 times:
    each p in players:
      p must lay or push or swap or wait
      p's told rises by count(each x in Place where stone[x] is p and sees(x, next(p)))
      p's told rises by 100 * count(each x in Place where far[x] > 2 and twice(x))
      if some x in Place where stone[x] is p and every y in around(x) satisfies stone[y] is p: p's told rises by 1000
      each x in Place where long(x) and mood[x] is 1 and stone[x] is p: p's told rises by row of x
      if (first x in Place where stone[x] is p and quiet(x)) is not none: p's told falls by 1
  end game, each p in players gets p's told
"""


@pytest.mark.parametrize(("size", "edge"), [(3, 1), (5, 1), (5, 4), (8, 2), (9, 1), (12, 2)])
def test_everything_that_can_be_asked(size: int, edge: int) -> None:
    game = game_of(NASTY, 3, size=size, edge=edge)
    same(game, 25 if size < 9 else 5)
    assert printed(game).abreast


FAILING = """game "It can fail":
  players: 2

board Place: 4 by 4
marker stone for each Place: player or nobody
marker number: 0..9

define bad(p: Place) = some ray in rays(p) where number > 0 and stone[item(ray, 2)] is nobody

move lay(place in Place):
  require free: stone[place] is nobody
  require good: number is 0 or not bad(place) or row of place > 1
  stone[place] becomes me
  number becomes 1 if row of place is 4 and column of place < 3 otherwise 0

overview:
  repeat 2 times:
    each p in players: p must lay
  end game, seat(1) wins
"""


def test_what_can_fail_is_found_out_by_printed_python() -> None:
    game = game_of(FAILING)
    assert printed(game).abreast
    machine = Compiled(game, 1)
    failed = []
    for number in range(20):
        told = []
        for play in (
            partial(compiled_playing.playouts, game, machine, 1, SEED, number),
            partial(playing.playouts, game, 1, SEED, "random", number),
        ):
            try:
                told.append(repr(list(play())))
            except Exhausted as failure:
                told.append(repr(failure))
                failed.append(number)
        assert told[0] == told[1]
    assert 0 < len(failed) < 40


# ------------------------------------------------------------------ bags without doubles

PIECES = """game "Pieces go around":
  players: 2

values Piece: 1..KINDS
zone mine for each player: bag of Piece, starts with each Piece
zone used for each player: bag of Piece
zone lost for each player: bag of Piece
marker told for each player: -99999..99999 = 0

move play(piece in my mine):
  require odd: size of (my used) < 4 or piece > 2
  PUT
  my told rises by size of my used * 3 + (5 if piece in my mine otherwise 0) + copies(piece, my used)
  if 3 in my used: my told rises by sum(x for each x in my used)
  if size of (my used + [piece]) > 3: my told falls by 1

move lose(piece in my used):
  put piece from my used into my lost
  my told rises by size of kinds of my lost - size of (my mine but piece)

overview:
  repeat 8 times:
    each p in players:
      p may play or lose
      if p's mine is empty: end game, p wins
  end game, each p in players gets p's told
"""


@pytest.mark.parametrize("kinds", [3, 63, 64, 65, 200, 511])
def test_bags_without_doubles(kinds: int) -> None:
    game = game_of(PIECES.replace("KINDS", str(kinds)).replace("PUT", "put piece from my mine into my used"))
    same(game, 40)
    assert printed(game).bag_sets


@pytest.mark.parametrize(
    "put",
    ["put piece from my mine into next(me)'s used"],  # two may come together there
)
def test_bags_in_which_a_piece_can_lie_twice_are_none(put: str) -> None:
    game = game_of(PIECES.replace("KINDS", "70").replace("PUT", put))
    same(game, 20)
    assert 1 not in printed(game).bag_sets


# ------------------------------------------------------------------ words


def _carried_out(code: Code, given: dict[str, int], bits: int) -> dict[str, int]:
    """What the instructions of a text give."""
    held, full = dict(given), (1 << bits) - 1
    for line in code.lines:
        name, operation, _, *of = re.split(r"[ =,]+", line.strip())
        left, right = (held[each] if each.startswith("%") else int(each) & full for each in of)
        match operation:
            case "and":
                held[name] = left & right
            case "or":
                held[name] = left | right
            case "xor":
                held[name] = left ^ right
            case "shl":
                held[name] = left << right & full
            case "lshr":
                held[name] = left >> right
            case _:
                raise AssertionError(line)
    return held


def test_words_say_what_they_say() -> None:
    """Whatever is left out because of what is known of words, they are the same."""
    for seed in range(300):
        chance = random.Random(seed)
        bits = chance.choice((8, 64, 128))
        full, code = (1 << bits) - 1, Code("")
        words = Words(code, bits)  # type: ignore[arg-type]
        given = {f"%g{number}": chance.getrandbits(bits) for number in range(4)}
        found: list[tuple[Word, int]] = [*given.items(), (0, 0), (full, full)]
        for _ in range(60):
            (one, mine), (other, theirs) = chance.choice(found), chance.choice(found)
            step, known = chance.randrange(1 - bits, bits), chance.getrandbits(bits)
            match chance.randrange(8):
                case 0:
                    found.append((words.both(one, other), mine & theirs))
                case 1:
                    found.append((words.any(one, other), mine | theirs))
                case 2:
                    found.append((words.less(one, other), mine & ~theirs))
                case 3:
                    found.append((words.odd(one, other), mine ^ theirs))
                case 4:
                    found.append((words.none(one), full & ~mine))
                case 5:
                    found.append((words.moved(one, step), (mine >> step if step > 0 else mine << -step) & full))
                case 6:
                    found.append((words.both(one, known), mine & known))
                case _:
                    found.append((words.less(one, known), mine & ~known))
        held = _carried_out(code, given, bits)
        for word_, value in found:
            assert (word_ if isinstance(word_, int) else held[word_]) == value


def test_what_is_known_of_places() -> None:
    assert known_for((1, 2, 5), lambda place: place + 3) == Known(step=3)
    assert known_for((1, 2, 5), lambda place: 7) == Known(same=7)
    odd = known_for((1, 2, 5), lambda place: place * place)
    assert [odd.at(place) for place in (1, 2, 5)] == [1, 4, 25]
    assert [odd.there(place) for place in (0, 1, 3, 5, 6)] == [False, True, False, True, False]
    with pytest.raises(NotAbreast):
        known_for((), lambda place: place)
    assert known_for((4,), lambda place: 6) == Known(same=6)
    assert known_for((4,), lambda place: 6, a_step=True) == Known(step=2)
