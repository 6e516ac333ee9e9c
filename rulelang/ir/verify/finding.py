"""What is unsound in a program, and where. Spec 1.3."""

import attrs

from rulelang.ir.codec import Path, pointer
from rulelang.limits import DIAGNOSTICS


@attrs.frozen
class Finding:
    """One thing that makes a program unsound."""

    path: str
    """JSON pointer."""
    message: str


class Report:
    """Collects findings, each once and as many as anybody reads."""

    def __init__(self) -> None:
        self._findings: dict[Finding, None] = {}
        self.muted = False
        """Whether findings are dropped: while kinds are still being found out."""

    def add(self, path: Path, message: str) -> None:
        """Note that something is unsound."""
        if not self.muted and len(self._findings) < DIAGNOSTICS:
            self._findings[Finding(pointer(path), message)] = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the order of finding."""
        return tuple(self._findings)
