"""pytest collects play files: every scenario of a ``*.play`` file is a test, named by its title. Spec 15.4.

Loaded through the entry point ``pytest11``. ``--rulelang-engine NAME`` chooses the interpreter; everything else of
rulelang is imported only when there is a play file.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the choice of an interpreter."""
    group = parser.getgroup("rulelang", "scenarios of rulelang")
    group.addoption("--rulelang-engine", default="reference", metavar="NAME", help="The interpreter that plays.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "PlayFileItems | None":
    """Collect play files."""
    if file_path.suffix == ".play":
        collected: PlayFileItems = PlayFileItems.from_parent(parent, path=file_path)
        return collected
    return None


class PlayFileItems(pytest.File):
    """The scenarios of one file."""

    def collect(self) -> Iterator["ScenarioItem"]:
        """Read and check the file; all its mistakes are one failure to collect."""
        from rulelang.failures import Diagnosed
        from rulelang.scenarios.check import check_file
        from rulelang.scenarios.files import read_play_file

        try:
            checked = check_file(read_play_file(self.path, _short(self.path, self.config.rootpath)), _library())
        except Diagnosed as wrong:
            raise self.CollectError(str(wrong)) from None
        for each in checked:
            yield ScenarioItem.from_parent(self, name=each.scenario.title, checked=each)


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, checked: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.checked = checked

    def runtest(self) -> None:
        """Run it; what is not as it should be fails the test."""
        from rulelang.pipeline import engine_named
        from rulelang.scenarios.report import result_lines
        from rulelang.scenarios.run import run_scenario

        result = run_scenario(self.checked, engine_named(self.config.getoption("--rulelang-engine")))
        if result.status != "passed":
            raise NotAsItShouldBe("\n".join(result_lines(result, self.path.read_text("utf-8").split("\n"))))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What a player reads, without the runner's own lines."""
        if isinstance(excinfo.value, NotAsItShouldBe):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario stands."""
        return self.path, self.checked.scenario.at.line - 1, self.name


class NotAsItShouldBe(AssertionError):
    """A scenario failed."""


def _short(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _library() -> Any:
    """One library for the whole session: a ruleset is compiled once."""
    from rulelang.scenarios.files import Library

    global _LIBRARY
    if _LIBRARY is None:
        _LIBRARY = Library()
    return _LIBRARY


_LIBRARY: Any = None
