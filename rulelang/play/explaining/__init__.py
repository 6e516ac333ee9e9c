"""Explanations: where a value comes from, as a tree in the words of the table. Promise "Explained".

``asking`` reads what is asked for, ``explainer`` (with ``searches``) makes the tree, ``kinds_of`` and ``wording`` find
words, ``history`` knows what wrote each marker, and ``seen`` lets an explanation read no more than a seat sees.
"""

from rulelang.play.explaining.asking import AskedDefine, AskedPlace, AskedTimer, read_question
from rulelang.play.explaining.explainer import Explainer, spoken_program
from rulelang.play.explaining.history import History
from rulelang.play.explaining.seen import Seen, everything
from rulelang.play.explaining.tree import Explained

__all__ = [
    "AskedDefine",
    "AskedPlace",
    "AskedTimer",
    "Explained",
    "Explainer",
    "History",
    "Seen",
    "everything",
    "read_question",
    "spoken_program",
]
