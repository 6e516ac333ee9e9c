"""Every limit of the language and of its machines, once. Spec chapter 16.

A limit is checked before the work that it guards: text is measured before it is decoded, tokens are counted before they
are parsed, a collection before it is built. This module imports nothing, so that every other may import it.
"""

from typing import Final

# Text ----------------------------------------------------------------------------------------------------------------

SOURCE_BYTES: Final = 128 * 1024
"""Bytes of one rules file, counted before decoding. Spec 16.1."""

TOKENS: Final = 20_000
"""Words, numbers, texts and marks of one rules file, counted between layout and parser. Spec 16.1."""

NESTING: Final = 64
"""Depth of brackets and indented blocks together, counted between layout and parser. Spec 16.1."""

IDENTIFIER: Final = 128
"""Characters of one name. Spec 16.1."""

DIAGNOSTICS: Final = 100
"""Mistakes shown for one compilation; a last line says how many more there are. Spec 16.1."""

IMPORTS: Final = 32
"""Files that one ruleset may bring in, all from inside its own folder. Spec 16.1."""

DATA_BYTES: Final = 1024 * 1024
"""Bytes of one data file (components, clauses, rulings, options), counted before decoding. Spec 16.1."""

FORMULA_DEPTH: Final = 160
"""Depth of one formula, counted through the defines that it applies. Spec 16.1."""

# Values and states ---------------------------------------------------------------------------------------------------

INTEGER_MIN: Final = -(2**63)
"""Smallest whole number; going below is refused, never wrapped. Spec 16.1."""

INTEGER_MAX: Final = 2**63 - 1
"""Largest whole number; going above is refused, never wrapped. Spec 16.1."""

COLLECTION: Final = 65_536
"""Members of one collection: cards of a zone, cells of a board, rows of a table. Spec 16.1."""

PICKED: Final = 64
"""Pieces that one answer names together, as in ``bags(3, my hand)``. Spec 16.1."""

DIVIDED: Final = 64
"""Members of a bag that is divided into groups. Spec 16.1."""

STATE_BYTES: Final = 1024 * 1024
"""Bytes of one saved state. Spec 16.1."""

SEATS: Final = 16
"""Seats of one game. Spec 16.1."""

DIVIDING: Final = 4_194_304
"""Bags that can be left over, times the bags that could be groups, when a bag is divided. Spec 16.1."""

LAST_TIME: Final = 10**12
"""The last moment of a game, in milliseconds since it began. Spec 11.3."""

TIMER_LENGTH: Final = 86_400_000
"""Milliseconds that a timer can run: a day. Spec 11.1."""

SAID: Final = 2**62
"""Numbers of what can be said in one answer. Spec 12.4."""

# Running -------------------------------------------------------------------------------------------------------------

SETUP_COST: Final = 10_000_000
"""Cost units that setting up a game may use, from its start to its first wait. Spec 16.1."""

EVENT_COST: Final = 1_000_000
"""Cost units that one event may use, from one wait to the next. Spec 16.1."""

WINDOW_DEPTH: Final = 256
"""Windows open at once, each answering the one below; also the frames of the flow's stack. Spec 16.1."""

TRIED_ANSWERS: Final = 1_000_000
"""Answers tried while the moves of one seat are listed, legal or not. Spec 16.1."""

LISTED_MOVES: Final = 65_536
"""Complete moves that one waiting point may list; a larger choice is answered part by part. Spec 16.1."""

LOCALS: Final = 4_096
"""Locals of one frame: parameters, lets, loops and searches of one rule, define or move. Spec 16.1."""

# Documents -----------------------------------------------------------------------------------------------------------

IR_BYTES: Final = 8 * 1024 * 1024
"""Bytes of one IR document in JSON, counted before decoding. Spec 16.1."""

IR_DEPTH: Final = 200
"""Depth of objects and lists in one IR document, counted before it is built. Spec 16.1."""

RECORD_EVENTS: Final = 100_000
"""Events of one record. Spec 16.1."""
