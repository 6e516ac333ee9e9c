"""From the words after ``--seats`` to players: people, the built-in automatic players, those of a ruleset, plug-ins.

A ruleset's own players stand in ``agents.py`` beside its rules:

    AGENTS = {"careful": Careful}          what is called, without or with the text behind the colon, gives an Agent

The file is run only if a word after ``--seats`` is no built-in player. Others are found through the entry-point group
``rulelang.agents``. All of them are told a `Situation` and never a state of the game being played.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose, did_you_mean
from rulelang.failures import Diagnosed

if TYPE_CHECKING:
    from rulelang.play.agents import Agent

BUILT_IN: Final = ("human", "random", "advised", "mc:N", "uct:N")

Make = Callable[..., Any]


def agents_named(words: Sequence[str], folder: Path | None = None) -> "list[Agent | None]":
    """The player of every seat, None for a person; ``folder`` is that of the rules. Raises Diagnosed."""
    return [agent_named(word, folder) for word in words]


def agent_named(word: str, folder: Path | None = None) -> "Agent | None":
    """One player, None for a person. Raises Diagnosed."""
    from rulelang.play.agents import AdvisedAgent, RandomAgent

    name, colon, argument = word.partition(":")
    if word == "human":
        return None
    if word == "random":
        return RandomAgent()
    if word == "advised":
        return AdvisedAgent()
    if name in ("mc", "uct"):
        return _searching(word, name, argument)
    found = _plug_ins() | (_own(folder) if folder is not None else {})
    if name not in found:
        known = [*BUILT_IN, *sorted(found)]
        raise _unknown(word, did_you_mean(name, known) or f"known: {', '.join(known)}")
    make = found[name]()
    agent: Agent = make(argument) if colon else make()
    return agent


def _searching(word: str, name: str, argument: str) -> "Agent":
    """``mc:N``, ``uct:N``, or either with ``:DECISIONS``."""
    from rulelang.limits import RECORD_EVENTS
    from rulelang.play.monte_carlo import HORIZON, MOST_ROLL_OUTS, MonteCarloAgent
    from rulelang.play.uct import UctAgent

    roll_outs, _, horizon = argument.partition(":")
    numbers = [each for each in (roll_outs, horizon or str(HORIZON)) if each.isascii() and each.isdigit()]
    if len(numbers) == 2 and all(len(each) < 10 for each in numbers):
        tries, decisions = map(int, numbers)
        if 1 <= tries <= MOST_ROLL_OUTS and 1 <= decisions <= RECORD_EVENTS:
            make = MonteCarloAgent if name == "mc" else UctAgent
            return make(tries, decisions, lambda said: print(said, file=sys.stderr))
    most = f"(1 to {MOST_ROLL_OUTS})"
    what = f"roll-outs of every answer {most}" if name == "mc" else f"rounds of looking ahead {most}"
    raise _unknown(word, f"say '{name}:50' for 50 {what}, '{name}:50:20' for 20 decisions in each")


def _plug_ins() -> dict[str, Callable[[], Make]]:
    """Installed players, each loaded when asked for."""
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group="rulelang.agents")}


def _own(folder: Path) -> dict[str, Callable[[], Make]]:
    """The players of a ruleset. Raises Diagnosed if the file cannot be used."""
    path = folder / "agents.py"
    if not path.is_file():
        return {}
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"agents_of_{folder.name.replace('-', '_')}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the author's Python does wrong is told, not thrown
        raise _unusable(path, f"{type(error).__name__}: {error}") from error
    table = getattr(module, "AGENTS", None)
    if not isinstance(table, dict) or not all(isinstance(k, str) and callable(v) for k, v in table.items()):
        raise _unusable(path, "it has no table AGENTS of names and what makes a player")
    return {name: partial(_made, make) for name, make in table.items()}


def _made(make: Make) -> Make:
    return make


def _unknown(word: str, hint: str) -> Diagnosed:
    return Diagnosed([diagnose(codes.UNKNOWN_AGENT, word=word, hint=hint)])


def _unusable(path: Path, reason: str) -> Diagnosed:
    return Diagnosed([diagnose(codes.BAD_AGENTS_FILE, file=path.name, reason=reason)])
