"""Damage done to documents: JSON values, lines of JSON, and bytes, as hands, programs and disks do it.

Most of what `damaged_value` makes is still a document of the right form, with something in it that cannot be; what
`damaged_json` and `damaged_lines` make need not even be JSON.
"""

import json
from copy import deepcopy
from typing import Any, Final

from rulelang.testing.damage import STRANGE
from rulelang.testing.dice import Dice

NUMBERS: Final = (0, -1, 1, 2, 3, 7, 63, 64, 65, 255, 4_096, 65_536, 10**12, 2**31, 2**62, 2**63 - 1, -(2**63), 2**63)
"""Numbers at borders of limits."""

WRONG: Final[tuple[Any, ...]] = (
    *(None, True, False, "", "x", "kind", "me", "1", "\u202e", "x" * 300, "{", "null", "../x", "a\nb"),
    *([], {}, [[]], [None], {"": None}, {"kind": None}, {"kind": "Constant", "value": 0}, 0.5, 1e308),
)
"""What nobody expects in the place of something else."""

RAW: Final = (
    *("NaN", "-Infinity", "1e999", "-0", "1.0", "9" * 30, "9" * 5_000, '"\\ud800"', '"\\u0000"', "[" * 300),
    *('{"a":1,"a":2}', "[" * 300 + "]" * 300, "tru", "'x'", "\x00", "// no", "\ufeff", '"' + "x" * 5_000 + '"', ""),
)
"""What stands in a text of JSON and is not sound there."""

Step = str | int
Place = tuple[Step, ...]


def damaged_value(value: Any, dice: Dice) -> Any:
    """A copy of a JSON value with one to three things done to it."""
    found = deepcopy(value)
    for _ in range(dice.weighted([(6, 1), (3, 2), (1, 3)])):
        found = _once(found, dice)
    return found


def damaged_json(text: str, dice: Dice) -> str:
    """A text of JSON, damaged as a value, as a text, or both."""
    try:
        value = json.loads(text) if dice.chance(85) else None
    except (ValueError, RecursionError):  # it was damaged before
        value = None
    if value is None:
        return damaged_characters(text, dice)
    found = json.dumps(damaged_value(value, dice))
    return damaged_characters(found, dice) if dice.chance(10) else found


def damaged_lines(lines: list[str], dice: Dice) -> list[str]:
    """Lines of JSON: one of them damaged, or lost, doubled, moved, cut off."""
    found = list(lines)
    at = dice.below(len(found)) if found else 0
    match dice.weighted([(12, "line"), (1, "lose"), (1, "double"), (1, "move"), (1, "cut"), (1, "blank"), (1, "join")]):
        case "line" if found:
            found[at] = damaged_json(found[at], dice)
        case "lose" if found:
            del found[at]
        case "double" if found:
            found[at:at] = [found[at]] * dice.pick((1, 2, 40))
        case "move" if found:
            found.insert(dice.below(len(found)), found.pop(at))
        case "cut":
            del found[at:]
        case "join" if found:
            found[at : at + 2] = ["".join(found[at : at + 2])]
        case _:
            found.insert(at, dice.pick(("", " ", "\t", "{}", "[]", "null", "\x00", "#")))
    return found


def damaged_characters(text: str, dice: Dice) -> str:
    """A text in which some characters are others."""
    place = dice.below(len(text) + 1)
    match dice.below(5):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + dice.pick(STRANGE) + text[place:]
        case 2:
            return text[:place] + dice.pick(RAW) + text[place + dice.below(3) :]
        case 3:
            return text[:place] + text[place + 1 + dice.below(4) :]
        case _:
            return text[:place] + dice.pick('{}[]",:0- ') + text[place + 1 :]


def damaged_bytes(data: bytes, dice: Dice) -> bytes:
    """Bytes of which some are others, missing or doubled."""
    place = dice.below(len(data) + 1)
    match dice.below(4):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + bytes((dice.below(256),)) + data[place + 1 :]
        case 2:
            return data[:place] + bytes(dice.below(256) for _ in range(dice.between(1, 9))) + data[place:]
        case _:
            end = place + dice.between(1, 40)
            return data[:end] + data[place:]


# ------------------------------------------------------------------ one thing


def _once(value: Any, dice: Dice) -> Any:
    places = list(_places(value))
    if not places:
        return dice.pick(WRONG)
    place = dice.pick(places)
    for _ in range(4):  # a document with another kind, or without a field, is refused at once: less to be seen
        if place[-1] == "kind":
            place = dice.pick(places)
    holder = _at(value, place[:-1])
    old = holder[place[-1]]
    match dice.weighted([(9, "near"), (9, "other"), (5, "lose"), (1, "wrong"), (3, "more"), (1, "name"), (1, "deep")]):
        case "near":
            holder[place[-1]] = _near(old, dice)
        case "other":
            holder[place[-1]] = deepcopy(_other(value, places, old, dice))
        case "lose" if isinstance(holder, list) or dice.chance(15):
            del holder[place[-1]]
        case "more" if isinstance(holder, list):
            holder.insert(dice.below(len(holder) + 1), deepcopy(old))
        case "name" if isinstance(holder, dict):
            holder[dice.pick([*holder, "surplus", ""])] = holder.pop(place[-1])
        case "deep":
            holder[place[-1]] = _deep(old, dice)
        case "wrong":
            holder[place[-1]] = deepcopy(dice.pick(WRONG))
        case _:
            holder[place[-1]] = deepcopy(_other(value, places, old, dice))
    return value


def _near(old: Any, dice: Dice) -> Any:
    """Nearly the same: a number beside it or at a border, the other flag, a text with a strange character."""
    match old:
        case bool():
            return not old
        case int():
            return old + dice.pick((1, -1, 2)) if dice.chance(60) else dice.pick(NUMBERS)
        case str():
            return damaged_characters(old, dice) if dice.chance(30) else dice.pick(("", old + "_", old.upper()))
        case list():
            return dice.shuffled(old) if dice.chance(50) else old[: dice.below(len(old) + 1)]
        case _:
            return dice.pick(NUMBERS) if old is None else old


def _other(value: Any, places: list[Place], old: Any, dice: Dice) -> Any:
    """Another part of the same document, mostly one of the same sort."""
    found = [_at(value, place) for place in dice.some(places, 40)]
    alike = [part for part in found if type(part) is type(old)]
    twins = [part for part in alike if isinstance(old, dict) and part.get("kind") == old.get("kind")]
    if twins and dice.chance(60):
        return dice.pick(twins)
    return dice.pick(alike if alike and dice.chance(85) else found)


def _deep(old: Any, dice: Dice) -> Any:
    """The same part, inside itself or inside lists."""
    found = deepcopy(old)
    for _ in range(dice.pick((1, 2, 30, 250))):
        if isinstance(old, dict) and old:
            found = {**old, dice.pick(list(old)): found}
        else:
            found = [found]
    return found


def _places(value: Any) -> "list[Place]":
    """The place of every part of a value, in the order of the text."""
    found: list[Place] = []
    waiting: list[tuple[Place, Any]] = [((), value)]
    while waiting:
        place, part = waiting.pop()
        if place:
            found.append(place)
        steps: list[Step] = list(part) if isinstance(part, dict) else []
        steps = list(range(len(part))) if isinstance(part, list) else steps
        waiting += [((*place, step), part[step]) for step in reversed(steps)]
    return found


def _at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value
