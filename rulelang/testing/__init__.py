"""Games made up for tests, and what can be done to them. Needs the extra ``testing``.

- ``programs``: whole games of all constructs, as texts (with ``world``, ``declaring``, ``values``, ``formulas``,
  ``statements``, ``flow`` for the parts, ``making`` and ``writing`` for the tree and the text)
- ``damage``: texts with something wrong
- ``playing``: random games, and attempts that are mostly illegal
- ``strategies``: all of this for Hypothesis
- ``reached``: which constructs a game has carried out
- ``golden``: records that must replay for all times

Everything random comes from `Dice`, so an example is named by a seed and a number.
"""

from rulelang.testing.dice import Dice
from rulelang.testing.playing import attempts, legal_event, playthrough
from rulelang.testing.programs import game_text, game_tree

__all__ = ["Dice", "attempts", "game_text", "game_tree", "legal_event", "playthrough"]
