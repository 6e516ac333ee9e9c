"""Table time in the words of the table. Spec 11.3."""

from rulelang.ir.program import Program
from rulelang.play.event import Expiry


def clock_text(time: int) -> str:
    """A time (ms) as minutes, seconds and tenths, what is less cut off: ``0:41.2``; from an hour on ``1:05:41.2``."""
    tenths = time // 100
    hours, minutes, seconds = tenths // 36_000, tenths // 600 % 60, tenths // 10 % 60
    before = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{before}:{seconds:02}.{tenths % 10}"


def expiry_text(program: Program, event: Expiry) -> str:
    """What has happened when a timer has run out: ``the glass is empty``."""
    return f"the {program.timers[event.timer].name.replace('_', ' ')} is empty"
