"""The meaning of every formula, one function a class, by chapter. Spec 4.

``evaluate`` is used twice: by ``closing``, for what is constant in a configured program, and by the reference
interpreter. A formula is pure and total; only the limits (64 bits, length of collections) can refuse it.
"""

from rulelang.play.formulas import boards, collections, names, numbers, partitions, searches
from rulelang.play.formulas.context import MEANINGS, Context, codes, evaluate, items, number
from rulelang.play.formulas.names import cell_of, member_of

__all__ = [
    "MEANINGS",
    "Context",
    "boards",
    "cell_of",
    "codes",
    "collections",
    "evaluate",
    "items",
    "member_of",
    "names",
    "number",
    "numbers",
    "partitions",
    "searches",
]
