"""Peers of the benchmark of playouts (`benchmarks/peers.py`): fakes stand where OpenSpiel may be installed or not."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rulelang_native.lowering.failing import NotLowered

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "playouts.py"
MARK = "figure of others, measured elsewhere: the design's table, same kind of machine"


def module() -> ModuleType:
    """The benchmark, as a module."""
    spec = importlib.util.spec_from_file_location("benchmark_with_peers", SCRIPT)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


benchmark = module()
peers = benchmark.peers

COIN = 0.5


class Fake:
    """A game of a fake OpenSpiel: a coin is tossed, then somebody decides three times."""

    def __init__(self) -> None:
        self.history: list[int] = []

    def is_terminal(self) -> bool:
        return len(self.history) == 4

    def is_chance_node(self) -> bool:
        return not self.history

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.is_chance_node()
        return [(0, COIN), (1, 1 - COIN)]

    def legal_actions(self) -> list[int]:
        assert not self.is_chance_node() and not self.is_terminal()
        return [5, 6, 7]

    def apply_action(self, action: int) -> None:
        assert action in ((0, 1) if self.is_chance_node() else (5, 6, 7))
        self.history.append(action)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in peers.PEERS:
        monkeypatch.setitem(sys.modules, name, None)


def installed(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> list[str]:
    """A fake OpenSpiel: its games, or what it is said to have. Returns what is loaded, in time."""
    loaded: list[str] = []

    def load_game(game: str) -> Any:
        loaded.append(game)
        return SimpleNamespace(new_initial_state=Fake)

    fake = ModuleType("pyspiel")
    vars(fake).update({"load_game": load_game, **parts})
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    return loaded


def measured(name: str, seats: int = 2, **options: int) -> tuple[dict[str, Any], str]:
    """What is told of one subject after a short run: for programs, and for people."""
    subject = benchmark.Subject(name, seats, options)
    contest = benchmark.contest(subject, (1,), None)
    del contest.players["reference"]
    benchmark.run([contest], 0.005, 2, None)
    found = benchmark.results([contest], 0.005, 2, [])
    assert json.loads(json.dumps(found)) == found
    return found, "\n".join(benchmark.lines(found))


@pytest.mark.usefixtures("nothing_installed")
def test_a_peer_is_measured_beside_compiled_games(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = installed(monkeypatch)
    found, said = measured("pig")
    assert loaded == ["pig(players=2,winscore=100,diceoutcomes=6,horizon=1000)"]
    assert found["peers"] == {"OpenSpiel": found["peers"]["OpenSpiel"], "Pgx": None, "Ludax": None, "RLCard": None}
    (row,) = found["subjects"]
    (peer,) = row["peers"]
    assert peer["name"] == "OpenSpiel from Python" and peer["decisions_a_game"] == 3 and peer["games"] > 0
    best = row["of_the_best_peer_here"]
    assert best["name"] == "OpenSpiel from Python"
    assert best["times"] == row["rates"]["compiled"]["cpu"]["median"] / peer["cpu"]["median"]
    assert "times the best peer measured here (OpenSpiel from Python)" in said
    assert "(pig(players=2,winscore=100,diceoutcomes=6,horizon=1000); 3.0 decisions a game; ready in" in said
    assert "Pgx is not installed, Ludax is not installed, RLCard is not installed" in said


@pytest.mark.usefixtures("nothing_installed")
def test_the_rollouts_of_openspiel_begin_where_somebody_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Search:
        def __init__(self, game: Any, rollouts: int, *settings: Any) -> None:
            self.rollouts = rollouts

        def mcts_search(self, state: Fake) -> None:
            assert len(state.history) == 1, "it is dealt"
            asked.append(self.rollouts)

    installed(monkeypatch, MCTSBot=Search, RandomRolloutEvaluator=lambda rollouts, seed: rollouts)
    (cpp, _), failures = peers.players("kuhn-poker, 2 seats")
    assert not failures
    assert cpp.name == "OpenSpiel C++" and cpp.note == "1,000 games of each deal, so dealing hardly counts"
    assert cpp.play(2300) == peers.Played(2300)
    assert asked == [1000, 1000, 300]


@pytest.mark.usefixtures("nothing_installed")
def test_figures_of_others_are_marked() -> None:
    found, said = measured("tic-tac-toe")
    (row,) = found["subjects"]
    told = {figure["name"]: (figure["from"], figure["to"]) for figure in row["table"]}
    assert told == {
        "RBG": (1_500_000, 1_500_000),
        "OpenSpiel C++": (650_000, 650_000),
        "OpenSpiel from Python": (63_000, 63_000),
        "Pgx": (313_000, 313_000),
        "Ludax": (466_000, 466_000),
        "Ludii": (120_000, 141_000),
    }
    assert all(figure["mark"] == MARK for figure in row["table"])
    lines = said.splitlines()
    for name in told:
        (line,) = (line for line in lines if line.startswith(f"  {name} "))
        assert line.endswith(f"({MARK})")
    times = row["rates"]["compiled"]["cpu"]["median"] / 1_500_000
    assert row["of_the_best_peer_in_the_table"] == {"name": "RBG", "times": times}
    assert "of_the_best_peer_here" not in row
    assert lines[-1].endswith("times the best peer in the table, measured elsewhere (RBG)")


@pytest.mark.usefixtures("nothing_installed")
def test_a_measured_peer_takes_the_place_of_its_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    found, _ = measured("tic-tac-toe")
    (row,) = found["subjects"]
    names = [figure["name"] for figure in row["table"]]
    assert "OpenSpiel from Python" not in names and {"OpenSpiel C++", "RBG", "Ludii"} <= set(names)


@pytest.mark.usefixtures("nothing_installed")
def test_a_peer_with_other_rules_is_never_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    entry = peers.Entry("pyspiel", "pig", otherwise="it plays on")
    monkeypatch.setitem(peers.GAMES, "pig, 2 seats", (entry,))
    found, said = measured("pig")
    (row,) = found["subjects"]
    assert [peer["otherwise"] for peer in row["peers"]] == ["it plays on"]
    assert "of_the_best_peer_here" not in row and "best peer measured here" not in said
    assert "(pig; otherwise: it plays on; 3.0 decisions a game" in said


@pytest.mark.usefixtures("nothing_installed")
def test_a_peer_that_cannot_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_game(game: str) -> Any:
        raise ValueError(f"there is no\n{game[:3]}")

    installed(monkeypatch, load_game=load_game)
    found, said = measured("pig")
    game = "pig(players=2,winscore=100,diceoutcomes=6,horizon=1000)"
    why = f"OpenSpiel ({game}) is left out of pig, 2 seats: ValueError: there is no pig"
    assert found["subjects"][0]["peers_left_out"] == [why]
    assert f"  {why}" in said.splitlines()
    assert found["subjects"][0]["rates"]["compiled"]["games"] > 0


@pytest.mark.usefixtures("nothing_installed")
def test_a_peer_that_fails_while_it_plays_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(state: Fake, action: int) -> None:
        raise RuntimeError("no more")

    installed(monkeypatch)
    monkeypatch.setattr(Fake, "apply_action", fail)
    found, said = measured("tic-tac-toe")
    (row,) = found["subjects"]
    assert row["peers"] == []
    assert row["peers_left_out"] == [
        "OpenSpiel from Python (tic_tac_toe) is left out of tic-tac-toe, 2 seats: RuntimeError: no more"
    ]
    assert said.count("RuntimeError: no more") == 1
    assert "OpenSpiel from Python" in [figure["name"] for figure in row["table"]], "the figure stands in for it"


@pytest.mark.usefixtures("nothing_installed")
def test_a_subject_without_a_compiled_form_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(game: object) -> None:
        raise NotLowered("talk has no form in LLVM yet")

    monkeypatch.setattr(benchmark, "Compiled", none)
    found, said = measured("monster-bande", couples=2, max_rounds=1)
    (row,) = found["subjects"]
    assert set(row["rates"]) == {"printed Python"} and row["rates"]["printed Python"]["games"] > 0
    assert row["compile_cpu_seconds"] is None
    assert row["not_compiled"] == "talk has no form in LLVM yet"
    assert "not compiled: talk has no form in LLVM yet" in said
    assert "compiled is" not in said


def test_every_entry_and_row_of_figures_is_of_a_subject() -> None:
    titles = {subject.title for subject in benchmark.SUBJECTS}
    assert set(peers.GAMES) <= titles and set(peers.FIGURES) <= titles
    assert {entry.module for entries in peers.GAMES.values() for entry in entries} == set(peers.PEERS)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(("given", "wanted"), [(None, "off"), ("/somewhere", "/somewhere")])
def test_compiled_code_is_not_kept_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch, given: str | None, wanted: str
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "before")  # so that what the run sets is taken back
    if given is None:
        del os.environ["RULELANG_CACHE"]
    else:
        monkeypatch.setenv("RULELANG_CACHE", given)
    seen: list[str] = []

    def contest(*of: Any) -> Any:
        seen.append(os.environ["RULELANG_CACHE"])
        sys.exit("enough")

    monkeypatch.setattr(benchmark, "contest", contest)
    monkeypatch.setattr(benchmark, "written_by_hand", lambda subjects: (None, {}, []))
    monkeypatch.setattr(sys, "argv", ["playouts.py", "--only", "pig"])
    with pytest.raises(SystemExit, match="enough"):
        benchmark.main()
    assert seen == [wanted]
