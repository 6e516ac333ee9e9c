"""The profile of Hypothesis for tests at CI size; long runs ask for the other one."""

import pytest
from hypothesis import settings

from rulelang.testing import strategies  # noqa: F401 - registers the profiles


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("-m") == "soak" else "ci")
