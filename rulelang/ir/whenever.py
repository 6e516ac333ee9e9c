"""Procedures that are carried out as soon as a condition becomes true. Spec 9.8.

`whenever` needs no node of its own: each is a function (its condition) and a procedure (its body) of one name,
`whenever 1` and so on in the order of the text, and branches around effects ask the one and open the other. No rule and
no define can have such a name, for it has a blank in it.
"""

import re
from typing import Final

from rulelang.ir.expressions import Apply
from rulelang.ir.nodes import Branch, Call
from rulelang.ir.program import Program
from rulelang.ir.walk import walk

_NAME: Final = re.compile(r"whenever [0-9]+")


def whenever_name(number: int) -> str:
    """What the function and the procedure of a `whenever` are called, counted from 1."""
    return f"whenever {number}"


def is_whenever(program: Program, procedure: int) -> bool:
    """Whether a procedure is that of a `whenever`."""
    return _NAME.fullmatch(program.procedures[procedure].name) is not None


def condition_of(program: Program, procedure: int) -> int | None:
    """The function that is the condition of a `whenever`; None if the program does not say."""
    name = program.procedures[procedure].name
    return next((number for number, function in enumerate(program.functions) if function.name == name), None)


def opens_whenever(program: Program, node: Branch) -> int | None:
    """The procedure that a branch opens as soon as its condition has become true; None if it is another branch."""
    following = program.nodes[node.then]
    if isinstance(following, Call) and following.at == node.at and is_whenever(program, following.procedure):
        return following.procedure
    return None


def asks_whenever(program: Program, node: Branch) -> bool:
    """Whether a branch is one of those that a `whenever` puts around an effect."""
    conditions = {number for number, function in enumerate(program.functions) if _NAME.fullmatch(function.name)}
    return bool(conditions) and any(
        isinstance(part, Apply) and part.function in conditions for part in walk(node.condition)
    )
