"""``rulelang schema``: the JSON Schema of a ruleset's data file, or of its options."""

from typing import TYPE_CHECKING

import click

from rulelang.tools.ending import OK, Misused
from rulelang.tools.loading import find, open_program
from rulelang.tools.options import example, ruleset_argument
from rulelang.tools.saying import show_json

if TYPE_CHECKING:
    from rulelang.checker.data_schema import Json


@click.command(epilog=example("rulelang schema tic-tac-toe", "rulelang schema pig --options"))
@ruleset_argument()
@click.option("--options", "of_options", is_flag=True, help="The schema of the options, not that of the data file.")
def command(name: str, of_options: bool) -> int:
    """Print the JSON Schema of a game's data file, or of its options."""
    show_json(options_schema_of(name) if of_options else data_schema_of(name))
    return OK


def data_schema_text(name: str) -> str:
    """The schema of a ruleset's data file as JSON. Raises Diagnosed."""
    import json

    return json.dumps(data_schema_of(name), ensure_ascii=False, indent=2)


def data_schema_of(name: str) -> "Json":
    """The schema of a ruleset's data file, from its checked rules. Raises Diagnosed."""
    from rulelang.checker.data_schema import schema_for
    from rulelang.diagnostics.reading import read_source
    from rulelang.pipeline import check_source

    path = find(name)
    if path.suffix == ".json":
        raise Misused("A compiled game has its data inside; give the rules to see the schema of a data file.")
    source = read_source(path)
    checked, findings = check_source(source, path.resolve().parent)
    findings.raise_if_any([source])
    return schema_for(checked.rules, checked.declared)


def options_schema_of(name: str) -> "Json":
    """The schema of a game's options. Raises Diagnosed."""
    from rulelang.checker.option_schema import options_schema

    return options_schema(open_program(name))
