"""Other engines that play the same games, as far as they are installed, and figures of others: for `playouts.py`.

Peers are OpenSpiel (`pyspiel`), Pgx, Ludax and RLCard. None of them is needed, and none may become a dependency of the
project: what is not installed is not imported, and said. To have them, give them an environment of their own, outside
the repository, and rulelang in it as it lies here:

    python3 -m venv ../peers
    ../peers/bin/pip install open_spiel pgx ludax rlcard
    ../peers/bin/pip install -c constraints.txt -e '.[native]'
    ../peers/bin/python benchmarks/playouts.py --only tic-tac-toe pig

How they play at random, each in the way that suits it best:

- OpenSpiel C++: the random rollouts of its evaluator. Python does not reach it but through a search: a search with one
  simulation is so many rollouts of the position and nothing else. The position must be one where somebody decides, so
  that Python deals before, and many games have the same deal.
- OpenSpiel from Python: legal actions, chance outcomes and actions by its Python functions, a game after the other.
- Pgx and Ludax: many games side by side by JAX on CPUs. Who has finished begins anew at once, so that nobody waits.
- RLCard: its environment with its random agents.

`GAMES` says which game with which parameters is a subject's, and `otherwise` what its rules do otherwise: such a
peer is measured and told, but is never the best peer that compiled games are compared with.

`FIGURES` holds what others measured elsewhere, copied from the design's table ("Figures of others on the same kind of
machine": random playouts by second and core). Its column of C written by hand is left out: such C is measured here.
"""

import importlib
import importlib.metadata
import importlib.util
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

SOURCE = "the design's table, same kind of machine"
ELSEWHERE = "figure of others, measured elsewhere"
"""How every figure of the table is marked."""
HOSTED = (5_000, 55_000)
"""Decisions by second of engines that Python hosts, from the same source."""

SEED = 1
OF_A_DEAL = 1000
"""Rollouts in C++ of one deal, at most."""
SIDE_BY_SIDE = 1024
"""Games of Pgx and Ludax."""
STEPS = 16
"""How many decisions each of them comes to before Python hears of it."""
STAGGERED = 8
"""Groups of them, each `STEPS` decisions ahead of the one before: else all of them would end at once, and then none."""


@attrs.frozen
class Figure:
    """Playouts by second and core in the table: from, to."""

    name: str
    low: int
    high: int


def _figures(
    rbg: int | None = None,
    openspiel: tuple[int, int] | None = None,
    pgx: int | None = None,
    ludax: int | None = None,
    ludii: tuple[int, int] | None = None,
) -> tuple[Figure, ...]:
    """A row of the table, without its column of C. OpenSpiel: C++ and from Python; Ludii: from, to."""
    cpp, python = openspiel or (None, None)
    single = {"RBG": rbg, "OpenSpiel C++": cpp, "OpenSpiel from Python": python, "Pgx": pgx, "Ludax": ludax}
    found = [Figure(name, value, value) for name, value in single.items() if value is not None]
    return (*found, Figure("Ludii", *ludii)) if ludii is not None else tuple(found)


FIGURES = {
    "tic-tac-toe, 2 seats": _figures(1_500_000, (650_000, 63_000), 313_000, 466_000, (120_000, 141_000)),
    "connect-four, 2 seats": _figures(490_000, (83_000, 17_000), 39_000, 8_000, (22_000, 22_000)),
    "kuhn-poker, 2 seats": _figures(openspiel=(1_700_000, 66_000), pgx=2_600_000),
    "leduc-poker, 2 seats": _figures(openspiel=(780_000, 45_000), pgx=660_000),
    "pig, 2 seats": _figures(openspiel=(84_000, 2_700)),
    "othello, 2 seats": _figures(14_000, (1_900, 1_500), 3_600, 500, (1_000, 1_000)),
}
"""By subject. The table's row "reversi" is Othello."""


@attrs.frozen
class Entry:
    """A peer's game, with the parameters that make it the subject's."""

    module: str
    game: str
    otherwise: str = ""
    """What its rules do otherwise."""
    note: str = ""
    """What else is to be known."""


PASSES = "passes when nobody can place any more"

GAMES = {
    "tic-tac-toe, 2 seats": (
        Entry("pyspiel", "tic_tac_toe"),
        Entry("pgx", "tic_tac_toe"),
        Entry("ludax", "tic_tac_toe"),
    ),
    "connect-four, 2 seats": (
        Entry("pyspiel", "connect_four(rows=6,columns=7,x_in_row=4)"),
        Entry("pgx", "connect_four"),
        Entry("ludax", "connect_four"),
    ),
    "othello, 2 seats": (
        Entry("pyspiel", "othello"),
        Entry("pgx", "othello", note=PASSES),
        Entry("ludax", "reversi", note=PASSES),
    ),
    "dark-hex, 2 seats": (Entry("pyspiel", "dark_hex(board_size=5,gameversion=cdh)"),),
    "dark-hex, 2 seats, size=11": (Entry("pyspiel", "dark_hex(board_size=11,gameversion=cdh)"),),
    "hex, 2 seats": (
        Entry("pyspiel", "hex(board_size=11,swap=False)"),
        Entry("pgx", "hex", "seat 2 may swap"),
        Entry("ludax", "hex"),
    ),
    "breakthrough, 2 seats": (Entry("pyspiel", "breakthrough(rows=8,columns=8)"),),
    "kuhn-poker, 2 seats": (Entry("pyspiel", "kuhn_poker(players=2)"), Entry("pgx", "kuhn_poker")),
    "leduc-poker, 2 seats": (
        Entry("pyspiel", "leduc_poker(players=2)"),
        Entry("pgx", "leduc_holdem"),
        Entry("rlcard", "leduc-holdem", "one may always fold, blinds of 1 and 2 instead of antes"),
    ),
    "pig, 2 seats": (Entry("pyspiel", "pig(players=2,winscore=100,diceoutcomes=6,horizon=1000)"),),
    "liars-dice, 2 seats": (Entry("pyspiel", "liars_dice(players=2,numdice=5,dice_sides=6,bidding_rule=reset-face)"),),
    "five-in-a-row, 2 seats": (
        Entry("pyspiel", "mnk(m=15,n=15,k=5)"),
        Entry("ludax", "gomoku", "six in a row do not win"),
    ),
}
"""By subject. Where nothing is said their mean decisions a game are those of the subject."""


@attrs.frozen
class Played:
    """Some games that were played: how many events, decisions and games given up, where that is known."""

    games: int
    events: int | None = None
    decisions: int | None = None
    given_up: int = 0


Play = Callable[[int], Played]
"""At least so many games."""


@attrs.frozen
class Player:
    """One way to play a subject's games with a peer."""

    name: str
    entry: Entry
    play: Play
    note: str
    ready: float
    """CPU seconds until it could play."""


@attrs.frozen
class Peer:
    """An engine that may be installed."""

    title: str
    distribution: str
    ways: Callable[[str], Iterator[tuple[str, Play, str]]]
    """How it plays a game: name, what plays, and what is to be known. Imports it."""


# ------------------------------------------------------------------ how each plays


def _by_openspiel(game: str) -> Iterator[tuple[str, Play, str]]:
    spiel: Any = importlib.import_module("pyspiel")
    loaded = spiel.load_game(game)
    rng = random.Random(SEED)
    draw = rng.random

    def outcome(state: Any) -> int:
        left = draw()
        outcomes = state.chance_outcomes()
        for action, chance in outcomes:
            left -= chance
            if left < 0:
                return int(action)
        return int(outcomes[-1][0])

    def start() -> Any:
        """Where somebody decides for the first time."""
        state = loaded.new_initial_state()
        while state.is_chance_node():
            state.apply_action(outcome(state))
        return state

    def rollouts(n: int) -> Played:
        for done in range(0, n, OF_A_DEAL):
            evaluator = spiel.RandomRolloutEvaluator(min(OF_A_DEAL, n - done), rng.getrandbits(30))
            bot = spiel.MCTSBot(loaded, evaluator, 2.0, 1, 10, False, rng.getrandbits(30), False)
            bot.mcts_search(start())
        return Played(n)

    def one_by_one(n: int) -> Played:
        decisions = 0
        for _ in range(n):
            state = loaded.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(outcome(state))
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(draw() * len(actions))])
                    decisions += 1
        return Played(n, decisions=decisions)

    if hasattr(spiel, "MCTSBot") and hasattr(spiel, "RandomRolloutEvaluator"):
        dealt = loaded.new_initial_state().is_chance_node()
        yield "OpenSpiel C++", rollouts, f"{OF_A_DEAL:,} games of each deal, so dealing hardly counts" if dealt else ""
    yield "OpenSpiel from Python", one_by_one, ""


def _by_pgx(game: str) -> Iterator[tuple[str, Play, str]]:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    pgx: Any = importlib.import_module("pgx")
    yield "Pgx", _side_by_side(pgx.make(game)), f"{SIDE_BY_SIDE:,} games side by side"


def _by_ludax(game: str) -> Iterator[tuple[str, Play, str]]:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    ludax: Any = importlib.import_module("ludax")
    path = Path(ludax.__file__).parent / "games" / f"{game}.ldx"
    yield "Ludax", _side_by_side(ludax.LudaxEnvironment(game_path=str(path))), f"{SIDE_BY_SIDE:,} games side by side"


def _side_by_side(environment: Any) -> Play:
    """Many games by JAX, compiled now, each at another place so that their ends are spread."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    split = jax.random.split
    start = jax.vmap(environment.init)

    def either(which: Any, one: Any, other: Any) -> Any:
        """Game by game."""
        return jax.tree.map(lambda x, y: jnp.where(which.reshape((-1,) + (1,) * (x.ndim - 1)), x, y), one, other)

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        choosing, stepping, starting = split(key, 3)
        legal = state.legal_action_mask
        number = jnp.floor(jax.random.uniform(choosing, (SIDE_BY_SIDE,)) * legal.sum(-1))
        action = jnp.argmax(jnp.cumsum(legal, -1) > number[:, None], -1)
        state = jax.vmap(environment.step)(state, action, split(stepping, SIDE_BY_SIDE))
        over = state.terminated | state.truncated
        return either(over, start(split(starting, SIDE_BY_SIDE)), state), over.sum()

    @jax.jit  # type: ignore[untyped-decorator]
    def steps(state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, mine = split(key)
        state, over = jax.lax.scan(step, state, split(mine, STEPS))
        return state, key, over.sum()

    key = jax.random.key(SEED)
    state = spread = jax.jit(start)(split(key, SIDE_BY_SIDE))
    group = jnp.arange(SIDE_BY_SIDE) % STAGGERED
    for number in range(STAGGERED):
        state, key, _ = steps(state, key)
        spread = either(group == number, state, spread)
    held = [jax.block_until_ready(spread), key]

    def play(n: int) -> Played:
        games = decisions = 0
        while games < n:
            *held[:], over = steps(*held)
            games += int(over)
            decisions += SIDE_BY_SIDE * STEPS
        return Played(games, decisions=decisions)

    return play


def _by_rlcard(game: str) -> Iterator[tuple[str, Play, str]]:
    rlcard: Any = importlib.import_module("rlcard")
    agents: Any = importlib.import_module("rlcard.agents")
    environment = rlcard.make(game, config={"seed": SEED})
    environment.set_agents([agents.RandomAgent(num_actions=environment.num_actions)] * environment.num_players)

    def play(n: int) -> Played:
        before = environment.timestep
        for _ in range(n):
            environment.run(is_training=False)
        return Played(n, decisions=environment.timestep - before)

    yield "RLCard", play, ""


PEERS = {
    "pyspiel": Peer("OpenSpiel", "open_spiel", _by_openspiel),
    "pgx": Peer("Pgx", "pgx", _by_pgx),
    "ludax": Peer("Ludax", "ludax", _by_ludax),
    "rlcard": Peer("RLCard", "rlcard", _by_rlcard),
}
"""By the module that is imported."""


# ------------------------------------------------------------------ what there is


def is_installed(module: str) -> bool:
    """Whether it could be imported. Does not import it."""
    return sys.modules.get(module) is not None or importlib.util.find_spec(module) is not None


def versions() -> dict[str, str | None]:
    """Of all peers by title, nothing for those that are not installed."""
    found: dict[str, str | None] = {}
    for module, peer in PEERS.items():
        if not is_installed(module):
            found[peer.title] = None
            continue
        try:
            found[peer.title] = importlib.metadata.version(peer.distribution)
        except importlib.metadata.PackageNotFoundError:
            found[peer.title] = "of unknown version"
    return found


def left_out(name: str, subject: str, failure: BaseException) -> str:
    """A peer's failure in a line."""
    said = " ".join(str(failure).split())
    return f"{name} is left out of {subject}: {type(failure).__name__}: {said[:200]}"


def players(subject: str) -> tuple[list[Player], list[str]]:
    """What the installed peers play the games of a subject with, made ready; and what failed."""
    found: list[Player] = []
    failures: list[str] = []
    for entry in GAMES.get(subject, ()):
        if not is_installed(entry.module):
            continue
        peer = PEERS[entry.module]
        try:
            begun = time.process_time()
            for name, play, note in peer.ways(entry.game):
                now = time.process_time()
                notes = "; ".join(each for each in (entry.note, note) if each)
                found.append(Player(name, entry, play, notes, now - begun))
                begun = now
        except Exception as failure:  # whatever a peer does wrong, the others are measured
            failures.append(left_out(f"{peer.title} ({entry.game})", subject, failure))
    return found, failures
