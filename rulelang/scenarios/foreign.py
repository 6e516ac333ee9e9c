"""An engine in another process, asked in lines of JSON and answering in lines of JSON. docs/guide/conformance.md

Whatever is wrong with it - it does not start, ends, says nothing in time, or something that is no answer - becomes a
`ForeignFault` in plain words; then the process is ended, and the next scenario begins with a new one.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import IO, Any, Final

LINE_BYTES: Final = 8 * 1024 * 1024
"""No answer is longer."""

SHOWN: Final = 200
"""Characters of a wrong answer that are shown."""


class ForeignFault(Exception):
    """The engine did not answer as the protocol says."""


class Foreign:
    """One engine; its process is started when it is first asked."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command = [sys.executable, "-m", "rulelang", *command[1:]] if command[0] == "rulelang" else list(command)
        self.seconds = seconds
        self.asked = 0
        """Questions so far, of all its processes."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: IO[bytes] | None = None

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        """Ask one thing and wait for the answer. Raises ForeignFault."""
        if self._process is None:
            self._start()
        self.asked += 1
        question = {"id": self.asked, "do": do, **what}
        try:
            return self._answer(question)
        except ForeignFault:
            self.end()
            raise

    def stop(self) -> None:
        """Say that nothing more will be asked. Raises ForeignFault if the process does not end by itself."""
        process = self._process
        if process is None:
            return
        self.ask("stop")
        try:
            process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            raise ForeignFault(f"it did not end within {self.seconds:g} seconds after 'stop'") from None
        finally:
            self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)  # its own group, started below
        process.wait()
        for pipe in (process.stdin, process.stdout, self._errors):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    # -------------------------------------------------------------- the process

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process is ended
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as failure:
            self._errors.close()
            raise ForeignFault(f"it cannot be started: {failure.strerror or failure}") from None
        self._process, self._lines = process, queue.SimpleQueue()
        assert process.stdout is not None
        threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()

    def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question).encode("ascii") + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise ForeignFault(f"it ended before it was asked to '{question['do']}'{self._last_words()}") from None
        try:
            line = self._lines.get(timeout=self.seconds)
        except queue.Empty:
            raise ForeignFault(f"no answer to '{question['do']}' within {self.seconds:g} seconds") from None
        if not line:
            raise ForeignFault(f"it ended instead of answering '{question['do']}'{self._last_words()}")
        return read_answer(line, question)

    def _last_words(self) -> str:
        """The last line that it wrote to stderr, if any."""
        assert self._errors is not None and self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        lines = self._errors.read()[-LINE_BYTES:].decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1][:SHOWN]}" if lines else ""


def _read(stream: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    """Hand on every line; an empty one at the end."""
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LINE_BYTES + 1):
            lines.put(line)
            if len(line) > LINE_BYTES:
                return
    lines.put(b"")


def read_answer(line: bytes, question: dict[str, Any]) -> dict[str, Any]:
    """The answer that a line is. Raises ForeignFault if it is none to this question."""
    if len(line) > LINE_BYTES:
        raise ForeignFault(f"an answer of more than {LINE_BYTES} bytes")
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        shown = line[:SHOWN].decode("utf-8", "replace").rstrip("\n")
        raise ForeignFault(f"this is no JSON: {shown}") from None
    if not isinstance(answer, dict) or answer.get("id") != question["id"]:
        shown = line[:SHOWN].decode("utf-8", "replace").rstrip("\n")
        raise ForeignFault(f"this is no answer to question {question['id']}: {shown}")
    if isinstance(answer.get("fault"), str):
        raise ForeignFault(f"it says that it cannot go on: {answer['fault'][:SHOWN]}")
    return answer
