"""``rulelang graph``: the flow of a game as a picture in text."""

import click

from rulelang.tools.ending import OK
from rulelang.tools.loading import open_program
from rulelang.tools.options import cache_option, example, format_option, ruleset_argument
from rulelang.tools.saying import show


@click.command(epilog=example("rulelang graph tic-tac-toe --format mermaid"))
@ruleset_argument()
@format_option("dot", "mermaid", default="dot")
@cache_option()
def command(name: str, form: str, use_cache: bool) -> int:
    """Draw the flow of a game, as text for Graphviz or Mermaid."""
    from rulelang.ir.graph import to_dot, to_mermaid

    program = open_program(name, use_cache=use_cache)
    show((to_dot(program) if form == "dot" else to_mermaid(program)).rstrip("\n"))
    return OK
