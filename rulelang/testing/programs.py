"""Whole games, made up: well-formed, of all constructs, small enough to be played at once.

    text = game_text(Dice.seeded(7))           # the same text everywhere and always

A game is made as a syntax tree and then written, so that what is tested begins with a text. Names, kinds, visibility
and bounds are respected as far as a generator of this size can; some games are still refused, and a test says how many.
"""

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing import writing
from rulelang.testing.declaring import Declaring
from rulelang.testing.dice import Dice
from rulelang.testing.flow import Flow
from rulelang.testing.formulas import Formulas
from rulelang.testing.making import HERE
from rulelang.testing.world import SEAT, Numbers, Slot, World


def game_tree(dice: Dice) -> ast.Rules:
    """A whole game as a tree."""
    fewest = dice.weighted([(6, 2), (2, 3), (1, 1)])
    world = World(most_seats=fewest + dice.between(0, 2), fewest_seats=fewest, clock=dice.between(5, 30))
    world.resolving = dice.chance(20)
    formulas = Formulas(world, dice)
    declaring = Declaring(world, dice, formulas)
    declaring.kinds()
    declaring.options()
    declaring.zones()
    declaring.markers()
    declaring.words()
    declaring.timers()
    flow = Flow(world, dice, formulas, declaring.cited)
    moves: list[ast.Declaration] = [*flow.moves()]
    rules = flow.rules()
    overview = flow.overview()
    overrides = flow.overrides([*moves, *rules])
    whenevers = flow.whenevers()
    promises = [_clock_promise(), *_conserved(world, declaring.made)] if dice.chance(60) else []
    declarations = [*declaring.made, *moves, *rules, overview, *overrides, *whenevers, *promises]
    # The order of the moves, kinds and exceptions counts; that of words and flow does not.
    if dice.chance(50):
        declarations = dice.shuffled(declarations)
    cover = _cover(dice, world, declaring)
    return ast.Rules(HERE, cover, (*declarations, *flow.advice()))


def game_text(dice: Dice) -> str:
    """A whole game as a text."""
    return writing.rules(game_tree(dice))


def _cover(dice: Dice, world: World, declaring: Declaring) -> ast.Game:
    fewest, most = m.number(world.fewest_seats), m.number(world.most_seats)
    players = fewest if world.fewest_seats == world.most_seats else ast.Between(HERE, fewest, most)
    headers = [ast.Header(HERE, "players", (players,), declaring.cited())]
    words = [m.name("forced_chance")] if dice.chance(25) else []
    words += [m.name("forced_choices")] if world.resolving else []
    if words:
        headers.append(ast.Header(HERE, "automatic", tuple(words), declaring.cited()))
    return ast.Game(HERE, False, "A made-up game", tuple(headers), declaring.cited())


def _clock_promise() -> ast.Always:
    return ast.Always(HERE, "clock_runs", m.compare(m.name("clock"), "<=", m.number(99)), ())


def _conserved(world: World, made: list[ast.Declaration]) -> list[ast.Declaration]:
    """That no component is ever lost, where its number is the same for every number of players and every option."""
    promises: list[ast.Declaration] = []
    for content in dict.fromkeys(zone.of for zone in world.zones):
        total = _pieces(world, made, content)
        if total is not None:
            sizes = [_sizes(zone) for zone in world.zones_of(content)]
            sum_ = m.add(sizes[0], *(("+", size) for size in sizes[1:])) if sizes[1:] else sizes[0]
            promises.append(ast.Always(HERE, f"all_there_{len(promises)}", m.compare(sum_, "is", total), ()))
    return promises


def _sizes(zone: Slot) -> ast.Expr:
    """How many pieces lie in all zones of a family."""
    place: ast.Expr = m.name(zone.name)
    names = [f"each_{zone.name}_{number}" for number in range(len(zone.index))]
    rest = names
    if zone.owned:
        place, rest = ast.Its(HERE, m.name(names[0]), zone.name), names[1:]
    if rest:
        place = ast.At(HERE, place, tuple(map(m.name, rest)))
    size: ast.Expr = m.field("size", place)
    for name, kind in reversed(list(zip(names, zone.index, strict=True))):
        if kind == SEAT:
            domain: ast.Expr = m.name("players")
        elif isinstance(kind, Numbers):
            domain = ast.Between(HERE, m.number(kind.low), m.number(kind.high))
        else:
            domain = m.name(getattr(kind, "name"))  # noqa: B009 - kinds with a name of their own
        size = m.apply("sum", ast.ValueOfEach(HERE, size, ast.Each(HERE, name, domain, None)))
    return size


def _pieces(world: World, made: list[ast.Declaration], content: object) -> ast.Expr | None:
    """How many pieces of a content there are; None if that hangs on options or rows."""
    terms: list[ast.Expr] = []
    for node in made:
        if not isinstance(node, ast.Zone):
            continue
        zone = next(zone for zone in world.zones if zone.name == node.name)
        for trait in node.traits:
            if zone.of != content or not isinstance(trait, ast.StartsWith):
                continue
            if not isinstance(trait.times, ast.Number | None):
                return None
            values = m.field("size", trait.kind)
            times = trait.times.value if trait.times is not None else 1
            factors = [values, m.number(times)] + ([m.field("size", m.name("players"))] if zone.owned else [])
            terms.append(ast.Product(HERE, tuple(m.fit(factor, m.FACTOR) for factor in factors)))
    if not terms:
        return None
    return m.add(terms[0], *(("+", term) for term in terms[1:])) if terms[1:] else terms[0]
