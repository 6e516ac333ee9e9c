"""What all tests have in common."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def nothing_compiled_before() -> Iterator[None]:
    """Tests neither use nor fill the user's cache of machine code: what they compile is compiled. Processes that they
    start do the same; tests of the cache have one of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULELANG_CACHE", "off")
        yield
