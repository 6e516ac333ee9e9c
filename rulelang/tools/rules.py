"""``rulelang rules``: what games there are, for how many, with which options."""

from typing import TYPE_CHECKING, Any

import click

from rulelang.failures import Diagnosed
from rulelang.rulesets import all_rulesets
from rulelang.tools.ending import FINDINGS, OK
from rulelang.tools.loading import compile_rules, find, option_value
from rulelang.tools.options import cache_option, example, format_option
from rulelang.tools.saying import show, show_json, table

if TYPE_CHECKING:
    from rulelang.ir.program import Option, Program


@click.command(epilog=example("rulelang rules"))
@format_option("text", "json")
@cache_option()
def command(form: str, use_cache: bool) -> int:
    """List the games that can be found by name."""
    listed: list[dict[str, Any]] = []
    broken = 0
    for name, _ in all_rulesets():
        try:
            listed.append(described(name, compile_rules(find(name), use_cache=use_cache)))
        except Diagnosed as wrong:
            click.echo(str(wrong), err=True)
            broken += 1
    if form == "json":
        show_json({"rulesets": listed})
    else:
        _print(listed)
    return FINDINGS if broken else OK


def described(name: str, program: "Program") -> dict[str, Any]:
    """What is to be known of one game before it is played."""
    return {
        "name": name,
        "title": program.title,
        "fewest_seats": program.fewest_seats,
        "most_seats": program.most_seats,
        "options": [
            {"name": option.name, "default": option_value(program, option), "values": values_said(option)}
            for option in program.options
        ],
    }


def values_said(option: "Option") -> str:
    """What an option can be, as far as it is known before the number of seats is."""
    from rulelang.ir.expressions import Constant
    from rulelang.ir.types import FlagType, NamesType, NumberType

    kind = option.type
    if isinstance(kind, NamesType):
        return ", ".join(kind.labels)
    if isinstance(kind, FlagType):
        return "yes, no"
    if isinstance(kind, NumberType) and isinstance(kind.low, Constant) and isinstance(kind.high, Constant):
        if kind.word is not None and isinstance(kind.low.value, int):
            return f"{kind.word}, {kind.low.value + 1}..{kind.high.value}"
        return f"{kind.low.value}..{kind.high.value}"
    return "see the rules"


def _print(listed: list[dict[str, Any]]) -> None:
    rows = [["name", "seats", "title", "options"]]
    for game in listed:
        fewest, most = game["fewest_seats"], game["most_seats"]
        options = ", ".join(f"{each['name']}={each['default']} ({each['values']})" for each in game["options"])
        rows.append([game["name"], str(fewest) if fewest == most else f"{fewest}-{most}", game["title"], options])
    for line in table(rows):
        show(line)
