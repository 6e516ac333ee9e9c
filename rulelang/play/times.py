"""Table time in the words of the table. Spec 11.3."""

from rulelang.ir.program import Program
from rulelang.play.event import Expiry


def clock_text(time: int) -> str:
    """A time (ms) as minutes, seconds and tenths, what is less cut off: ``0:41.2``; from an hour on ``1:05:41.2``."""
    tenths = time // 100
    hours, minutes, seconds = tenths // 36_000, tenths // 600 % 60, tenths // 10 % 60
    before = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{before}:{seconds:02}.{tenths % 10}"


def left_text(time: int) -> str:
    """What is left of a timer (ms), to be read at a glance: ``0:17``, in the last ten seconds ``0:09.4``."""
    return clock_text(time) if time < 10_000 else clock_text(time)[:-2]


def timer_slots(program: Program) -> frozenset[int]:
    """The markers in which the clock and the timers are kept: nobody reads them as such."""
    kept = {slot for timer in program.timers for slot in (timer.left, timer.end)}
    return frozenset(kept if program.clock is None else kept | {program.clock})


def timer_text(full: int, left: int, end: int, now: int) -> str:
    """How a timer stands, from its two markers (``end`` is below 0 while it does not run) and the clock."""
    if end >= 0:
        return f"running, {clock_text(end - now)} left"
    if left in (0, full):
        return "full" if left else "empty"
    return f"paused, {clock_text(left)} left"


def expiry_text(program: Program, event: Expiry) -> str:
    """What has happened when a timer has run out: ``the glass is empty``."""
    return f"the {program.timers[event.timer].name.replace('_', ' ')} is empty"
