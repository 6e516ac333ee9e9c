"""Does it end, and how large may it become? Spec 16.3.

Six questions, one module each:

- does a rule carry out itself, through whatever rules and moves (``circles``): RL6002;
- does every lap of a loop that could go round for ever wait for something or leave the loop (``laps``, with ``silence``
  and ``measures``): RL6001;
- are ranges and boards empty, boards and families too large, as far as that is written in plain numbers (``ranges``):
  RL6003, RL6004 and RL6012;
- can play come to every line (``unreached``): RL6013;
- does a rule run wherever it is left by name (``leaves``): RL6015;
- does every ``whenever`` end the game, as soon as something changes (``endings``): RL6016 to RL6019.

Formulas need no proof: searches go through finite collections, and defines do not use themselves (names pass). What
depends on options is measured again when a program is closed.

What is not proved. A choice that resolves itself (``automatic: forced_choices``) counts as a wait if it could leave a
choice. A game that goes round for ever through such choices is stopped by the limit of one event.
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.bounds.circles import in_circles
from rulelang.checker.bounds.endings import endings
from rulelang.checker.bounds.laps import endless
from rulelang.checker.bounds.leaves import leaves
from rulelang.checker.bounds.ranges import ranges
from rulelang.checker.bounds.silence import Silence
from rulelang.checker.bounds.unreached import unreached
from rulelang.checker.running import Running
from rulelang.diagnostics.diagnostic import Findings

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


def prove(checked: "Checked", findings: Findings) -> dict[ast.Repeat, ast.Expr]:
    """Report what may never end and what is empty or too large.

    The result: the loops that end because they use up a zone or marker, with its place; the compiler counts their laps.
    """
    running = Running(checked.rules, checked.names)
    ranges(checked, findings)
    endings(checked, findings)
    if in_circles(running, findings):
        return {}
    leaves(running, findings)
    used_up = endless(checked, running, findings)
    if not findings:  # behind a loop that never ends, nothing is reached
        unreached(checked.rules, Silence(checked, running), running, findings)
    return used_up
