"""The JSON Schema of a game's options, and options given as JSON held against it. Spec 14.1.

For programs that let people choose before play. What goes together, and what depends on the number of seats, only
closing a program can say; here each option is looked at by itself.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.cells import FLAGS, literal, said
from rulelang.checker.checked import Checked
from rulelang.checker.data_schema import DIALECT, END, Json, validator, words_schema
from rulelang.checker.kinds import Flag, Kind, Number, labels, option_word
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Diagnostic, diagnose, did_you_mean, quoted

if TYPE_CHECKING:
    from rulelang.ir.program import Option, Program


def options_schema(game: "Checked | Program") -> Json:
    """The schema of the object that chooses the options of a game; what it leaves out has its default."""
    if isinstance(game, Checked):
        title = game.rules.game.title
        options = {
            n.name: _from_rules(n, game.declared.kinds[n]) for n in game.rules.declarations if isinstance(n, ast.Option)
        }
    else:
        title = game.title
        options = {option.name: _from_program(option) for option in game.options}
    return {
        "$schema": DIALECT,
        "title": f"Options of {title}",
        "type": "object",
        "properties": options,
        "patternProperties": {f"^{name.replace('_', '[_-]')}{END}": s for name, s in options.items() if "_" in name},
        "additionalProperties": False,
    }


def _from_rules(node: ast.Option, kind: Kind) -> Json:
    default = node.default
    match kind:
        case Flag():
            return {**_flag(), "default": isinstance(default, ast.Constant) and default.word == "yes"}
        case Number(low=low, high=high):
            span = (literal(low) if low else None, literal(high) if high else None)
            worded = default.name if isinstance(default, ast.Name) else literal(default)
            return {**_number(*span, kind.word), "default": worded}
        case _:
            return {**words_schema(labels(kind)), "default": option_word(default)}


def _from_program(option: "Option") -> Json:
    from rulelang.ir.expressions import Constant
    from rulelang.ir.types import FlagType, NamesType, NumberType

    kind = option.type
    match kind:
        case FlagType():
            return {**_flag(), "default": option.default == 1}
        case NamesType(labels=words):
            return {**words_schema(words), "default": words[option.default]}
        case _:
            assert isinstance(kind, NumberType)
            ends = [end.value if isinstance(end, Constant) else None for end in (kind.low, kind.high)]
            low, high = (end if isinstance(end, int) else None for end in ends)
            default = kind.word if kind.word is not None and option.default == low else option.default
            return {**_number(low, high, kind.word), "default": default}


def _flag() -> Json:
    return {"enum": [True, False, *FLAGS]}


def _number(low: int | None, high: int | None, word: str | None) -> Json:
    """A whole number; an end that depends on other options is not known here. The least may have a word instead."""
    number: Json = {
        "type": "integer",
        "minimum": limits.INTEGER_MIN if low is None else low + (word is not None),
        "maximum": limits.INTEGER_MAX if high is None else high,
    }
    return number if word is None else {"anyOf": [words_schema((word,)), number]}


# ------------------------------------------------------------------ options given as JSON


def check_options(game: "Checked | Program", options: object) -> tuple[Diagnostic, ...]:
    """What is wrong with options given as JSON, each option by itself; empty if nothing is."""
    schema = options_schema(game)
    if not isinstance(options, Mapping):
        return (
            diagnose(codes.WRONG_FIELD_VALUE, path="What chooses the options", found=said(options), wanted="an object"),
        )
    known: Mapping[str, Json] = schema["properties"]
    found: list[Diagnostic] = []
    for error in validator(schema).iter_errors(dict(options)):
        if error.absolute_path:
            name = str(error.absolute_path[0])
            hint = _hint(known[name.replace("-", "_")])
            found.append(diagnose(codes.BAD_OPTION_VALUE, word=name, value=_plainly(options[name]), hint=hint))
        else:
            unknown = (str(name) for name in options if str(name).replace("-", "_") not in known)
            for name in unknown:
                hint = did_you_mean(name, known) or _all_of(known)
                found.append(diagnose(codes.UNKNOWN_OPTION, word=name, hint=hint))
    return tuple(dict.fromkeys(found))


def _plainly(value: Any) -> str:
    return said(value).strip("'") if value is not None else "nothing"


def _hint(schema: Json) -> str:
    """What an option can be."""
    if schema.get("type") == "integer":
        return f"it is a whole number from {schema['minimum']} to {schema['maximum']}"
    if "anyOf" in schema and schema["anyOf"][-1].get("type") == "integer":
        worded, number = schema["anyOf"]
        return f"{_hint(worded)}, or {_hint(number).removeprefix('it is ')}"
    words = schema["enum"] if "enum" in schema else schema["anyOf"][0]["enum"]
    return f"it is {' or '.join(quoted(word) if isinstance(word, str) else str(word).lower() for word in words)}"


def _all_of(known: Mapping[str, Json]) -> str:
    return f"the options are {', '.join(quoted(name) for name in known)}" if known else "this game has no options"
