"""The scenarios of every ruleset notice nine of ten changes of its rules. Long runs are part of the soak."""

import json

import pytest
from command_line import Run

from rulelang.rulesets import all_rulesets

NAMES = [name for name, _ in all_rulesets()]
QUICK = ("tic-tac-toe", "kuhn-poker", "sealed-auction")


def noticed(run: Run, name: str, *flags: str) -> None:
    result = run(["mutate", name, "--states", "200", "--format", "json", *flags])
    data = json.loads(result.stdout)
    missed = [f"{each['line']} {each['said']}" for each in data["verdicts"] if each["verdict"] == "not_noticed"]
    assert result.exit_code == 0, (data["percent"], missed)


@pytest.mark.parametrize("name", QUICK)
def test_scenarios_notice(run: Run, name: str) -> None:
    noticed(run, name)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_scenarios_of_every_ruleset_notice(run: Run, name: str) -> None:
    noticed(run, name, "--count", "200", "--seed", "1")
