"""The words of the language, as plain data for the checker, the messages and the tests. Spec 2.3 and 3.2.

Three layers. *Reserved* words occur inside sentences and formulas and are never names. *Soft* words of the grammar have
their meaning in one position and are free as names elsewhere. *Position words* are names to the grammar; the checker
gives them their meaning where they stand.
"""

from typing import Final

# fmt: off
RESERVED: Final = (
    "all", "and", "as", "because", "becomes", "but", "by", "each", "empty", "end", "every", "falls", "first", "for",
    "from", "if", "in", "into", "is", "let", "may", "me", "must", "my", "no", "nobody", "none", "not", "of", "onto",
    "or", "otherwise", "put", "repeat", "require", "rises", "satisfies", "some", "then", "times", "to", "turns",
    "under", "unless", "until", "when", "where", "with", "yes",
)
"""Words that cannot be names."""

COVERS: Final = ("game", "library")
"""What a file begins with."""

DECLARATIONS: Final = (
    "option", "require", "values", "record", "table", "board", "zone", "marker", "timer", "define", "condition", "move",
    "rule", "overview", "instead", "before", "after", "always", "whenever", "prefer",
)
"""Words that open a declaration, in the order of the grammar; `require` among them is reserved as well."""

SOFT: Final = (
    *COVERS, *(word for word in DECLARATIONS if word != "require"),
    "row", "needs", "seen", "starts", "showing", "maybe", "gets", "wins", "most", "least",
)
"""Words of the grammar that mean something in one position and are free as names elsewhere."""

INSTRUCTIONS: Final = ("let", "put", "end", "each", "turns", "repeat", "if", "otherwise")
"""Reserved words that open an instruction in a block."""

VERBS: Final = ("shuffle", "roll", "gather", "reveal", "start", "pause", "resume", "reset")
"""What a command begins with: `shuffle deck`. Spec 9.3 and 10."""

MANNERS: Final = ("secretly", "freely", "in_turn", "once_each", "in_order")
"""How several seats choose: between `must` or `may` and the first move. Spec 9.5."""

UNITS: Final = {"milliseconds": 1, "seconds": 1_000, "minutes": 60_000}
"""What a timer is counted in, with how many milliseconds that is. Spec 11.1."""

RESULTS: Final = ("grade", "aborted", "unresolved")
"""What `end game,` may be followed by, besides who wins and what each gets. Spec 13."""

PARTS: Final = ("content", "top", "size")
"""What part of a zone is `seen by` somebody. Spec 7.1."""

SHAPES: Final = ("squares", "hexagons")
"""What the cells of a board are, behind its size. Spec 5.5."""

SELECTORS: Final = ("top", "bottom", "everything", "random")
"""What `put` may take without naming it. Spec 9.2."""
PLAY_WORDS: Final = (
    "aborted", "anything", "at", "chance", "given", "gives", "giving", "goes", "grade", "holds", "legal", "never",
    "nothing", "on", "over", "pass", "players", "reach", "reasons", "refused", "saw", "scenario", "sees", "unresolved",
    "win",
)
"""Soft words of play files, besides those of rules. Spec 15.4."""

PLAY_PARAGRAPHS: Final = ("scenario", "reasons", "rules")
"""What a paragraph of a play file begins with."""
# fmt: on
