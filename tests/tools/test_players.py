"""Who can be named behind ``--seats``: built-in players, those of a ruleset, plug-ins."""

import importlib.metadata
import json
from pathlib import Path

import pytest
from command_line import Run

from rulelang.failures import Diagnosed
from rulelang.play.monte_carlo import MonteCarloAgent
from rulelang.play.uct import UctAgent
from rulelang.tools.players import agent_named, agents_named

OWN = '''
class Careful:
    """Takes the first answer, or the one with the number given; keeps what it was told."""

    def __init__(self, place="0"):
        self.name = "careful"
        self.place = int(place)

    def choose(self, situation, draw):
        told = [name for name in dir(situation) if not name.startswith("_")]
        assert told[:5] == ["advised_for", "answers", "happened", "information", "memory"], told
        assert told[5:] == ["preferred", "program", "resample", "seat", "unhurried", "waited"], told
        assert situation.information.view.seat == situation.seat
        return situation.answers[self.place % len(situation.answers)]


AGENTS = {"careful": Careful}
'''


def test_monte_carlo_is_named_with_its_numbers() -> None:
    agent = agent_named("mc:50:20")
    assert isinstance(agent, MonteCarloAgent) and (agent.roll_outs, agent.horizon) == (50, 20)


def test_looking_ahead_is_named_with_its_numbers() -> None:
    agent = agent_named("uct:50:20")
    assert isinstance(agent, UctAgent) and (agent.roll_outs, agent.horizon) == (50, 20)
    with pytest.raises(Diagnosed, match="uct:50"):
        agent_named("uct:many")


@pytest.mark.parametrize(
    "word", ["mc", "mc:", "mc:0", "mc:x", "mc:5:", "mc:5:0", "mc:-1", "mc:99999999999", "mc:5:5:5", "mc:²"]
)
def test_monte_carlo_without_a_sensible_number_is_unknown(word: str) -> None:
    if word == "mc:5:":
        assert agent_named(word)
        return
    with pytest.raises(Diagnosed, match="mc:50"):
        agent_named(word)


def test_sim_and_play_with_monte_carlo(run: Run) -> None:
    data = json.loads(run("sim kuhn-poker --games 6 --seats mc:4,random --seed 7 --format json").stdout)
    assert [seat["player"] for seat in data["seats"]] == ["mc:4", "random"]
    again = json.loads(run("sim kuhn-poker --games 6 --seats mc:4,random --seed 7 --format json --jobs 2").stdout)
    assert again == data
    assert run("play kuhn-poker --seats mc:4,random --seed 7").exit_code == 0


def test_a_ruleset_brings_players_of_its_own(run: Run, own_folder: Path) -> None:
    run("new race")
    (own_folder / "race" / "agents.py").write_text(OWN, encoding="utf-8")
    first = run("sim race --games 3 --seats careful,careful:1 --seed 7")
    assert first.exit_code == 0, first.output
    assert run("sim race --games 3 --seats careful,careful:1 --seed 7 --jobs 2").stdout == first.stdout
    unknown = run("sim race --games 3 --seats carefull,random --seed 7")
    assert unknown.exit_code == 1 and "careful" in unknown.output


@pytest.mark.parametrize("text", ["1 / 0", "AGENTS = {1: 2}", "", "def ("])
def test_a_file_of_players_that_does_not_work_is_told(run: Run, own_folder: Path, text: str) -> None:
    run("new race")
    (own_folder / "race" / "agents.py").write_text(text, encoding="utf-8")
    assert run("sim race --games 1 --seats random,random --seed 7").exit_code == 0
    wrong = run("sim race --games 1 --seats careful,random --seed 7")
    assert wrong.exit_code == 1 and "RL1013" in wrong.output


def test_plug_ins_are_found_through_their_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "patient"

        def load(self) -> object:
            return lambda argument="": MonteCarloAgent(int(argument or 1))

    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [Point()] if group == "rulelang.agents" else []
    )
    agents = agents_named(["patient", "patient:7", "human", "random"])
    assert [agent.name if agent else None for agent in agents] == ["mc:1", "mc:7", None, "random"]
    with pytest.raises(Diagnosed, match="patient"):
        agent_named("patent")
