"""How every command ends: with an exit code, and with a message on stderr if something went wrong. Spec 1.6.

0 ok, 1 Diagnosed, Refused, Exhausted or findings, 2 usage, 3 Broken, 130 interrupted. Anything that is none of the
four failures is our own bug and is told as one; with RULELANG_DEBUG set, its traceback is shown.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable
from typing import IO, Any, Final, NoReturn

import click

OK: Final = 0
FINDINGS: Final = 1
USAGE: Final = 2
BROKEN: Final = 3
INTERRUPTED: Final = 130


class Interrupted(Exception):
    """The player stopped the command; what had to be said has been said."""


class Misused(click.ClickException):
    """A command whose words do not go together. The sentence says it all, so no usage is shown before it."""

    exit_code = USAGE

    def show(self, file: IO[Any] | None = None) -> None:
        """Say it on stderr."""
        click.echo(self.format_message(), file=file, err=True)


class _Outliving(io.FileIO):
    """A stream that goes on when nobody reads it any more: what is written then goes nowhere.

    What cannot be written for another reason, such as a full disk, is a failure once: Python would tell it again, in
    words of its own, as it leaves.
    """

    lost = False
    heedless = False
    """Whether nothing that cannot be written matters: what goes to stderr is not what was asked for."""

    def write(self, data: Any, /) -> int:
        """Write what can be written; a pipe that was closed takes everything."""
        if not self.lost:
            try:
                return super().write(data) or 0
            except BrokenPipeError:
                pass
            except OSError:
                self.lost = True
                if not self.heedless:
                    raise
        return memoryview(data).nbytes


def check_environment() -> None:
    """Refuse a wish that nobody would know of. Raises Misused."""
    wanted = os.environ.get("RULELANG_NATIVE", "")
    if wanted not in ("", "python"):
        raise Misused(f"RULELANG_NATIVE is {wanted!r}: it can be 'python', to do without machine code, or not be set.")


def prepare_streams(*, outlive: bool = False) -> None:
    """Let no character that a terminal cannot show, or that no text can hold, stop a command.

    With ``outlive``, a closed pipe does not stop it either: so ``| head -1`` does not change what the exit code says.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(OSError, ValueError):
                reconfigure(errors=errors)
    if outlive:
        for name in ("stdout", "stderr"):
            _outlive(name)


def _outlive(name: str) -> None:
    """Put a stream that outlives its reader in the place of a real one."""
    stream = getattr(sys, name)
    if stream is not getattr(sys, f"__{name}__") or not isinstance(stream, io.TextIOWrapper):
        return  # somebody listens in another way
    with contextlib.suppress(OSError, ValueError):
        stream.flush()
        outliving = _Outliving(stream.fileno(), "w", closefd=False)
        outliving.heedless = name == "stderr"
        raw = io.BufferedWriter(outliving)
        lines = stream.line_buffering
        setattr(sys, name, io.TextIOWrapper(raw, stream.encoding, stream.errors, line_buffering=lines))


def code_of(run: Callable[[], Any]) -> int:
    """Run a command and tell how it ended."""
    stdout = sys.stdout
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Interrupted:
        return INTERRUPTED
    except BrokenPipeError:
        return _quietly(OK)
    except SystemExit as left:
        if sys.stdout is not stdout:  # click has met a pipe that nobody reads any more, and wrapped it
            return _quietly(OK)
        return left.code if isinstance(left.code, int) else OK
    except Exception as failure:
        return _failed(failure)


def _failed(failure: Exception) -> int:
    if os.environ.get("RULELANG_DEBUG"):
        import traceback

        traceback.print_exception(failure)
    try:
        message, code = explained(failure)
    except Exception as second:  # the message itself is broken: say at least that
        message, code = _our_bug(second), BROKEN
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(message + "\n")
        sys.stderr.flush()
    return code


def explained(failure: Exception) -> tuple[str, int]:
    """What to say about a failure, and the exit code."""
    from rulelang.failures import Broken, Diagnosed, Exhausted, Refused
    from rulelang.ir.faults import IRFault
    from rulelang.play.record import RecordFault

    if isinstance(failure, RecordFault):
        return str(diagnosed_record(failure, None)), FINDINGS
    if isinstance(failure, Diagnosed):
        return str(failure), FINDINGS
    if isinstance(failure, Refused):
        from rulelang.tools.saying import reason_lines

        return "\n".join(line for reason in failure.reasons for line in reason_lines(reason)), FINDINGS
    if isinstance(failure, Exhausted):
        return str(failure), FINDINGS
    if isinstance(failure, IRFault):
        return f"{failure.code}: {failure.message}", FINDINGS
    if isinstance(failure, RecursionError | MemoryError):
        return f"RL8009: This is too large to work on ({type(failure).__name__}).", FINDINGS
    if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
        return f"RL1014: The output cannot be written: {(failure.strerror or 'unknown reason').lower()}.", FINDINGS
    if isinstance(failure, Broken):
        return f"{failure}\n{_REPORT}", BROKEN
    return _our_bug(failure), BROKEN


def diagnosed_record(fault: Exception, file: str | None) -> Exception:
    """A fault of a record as a `Diagnosed` with its place."""
    from rulelang.diagnostics import codes
    from rulelang.diagnostics.diagnostic import Diagnostic
    from rulelang.failures import Diagnosed
    from rulelang.play.record import RecordFault
    from rulelang.source import Place

    assert isinstance(fault, RecordFault)
    unwritten = fault.code == "RL9026"
    code = codes.CODES.get(fault.code, codes.FILE_NOT_WRITTEN if unwritten else codes.DAMAGED_LINE)
    place = Place(file, fault.line, 1, fault.line, 1) if file is not None and fault.line is not None else None
    message = fault.message if place is not None or fault.line is None else f"Line {fault.line}: {fault.message}"
    return Diagnosed([Diagnostic(code, message, place)])


def _our_bug(failure: Exception) -> str:
    from rulelang.diagnostics.diagnostic import clipped

    said = clipped(" ".join(str(failure).split()), 200)
    return f"Something is broken in rulelang itself: {type(failure).__name__}: {said}\n{_REPORT}"


_REPORT: Final = "Please report it, with the command and its files; RULELANG_DEBUG=1 shows where it happened."


def _quietly(code: int) -> int:
    """Nobody reads any more: let nothing be flushed into the closed pipe at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def leave(message: str) -> NoReturn:
    """End the command as interrupted, after a message."""
    click.echo(message, err=True)
    raise Interrupted
