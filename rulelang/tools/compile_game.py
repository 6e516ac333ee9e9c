"""``rulelang compile``: a game's intermediate form, as JSON that every verb reads again or as a listing."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.tools.ending import OK
from rulelang.tools.loading import open_program
from rulelang.tools.options import cache_option, example, format_option, ruleset_argument
from rulelang.tools.saying import show

if TYPE_CHECKING:
    from rulelang.ir.program import Program


@click.command("compile", epilog=example("rulelang compile tic-tac-toe --format text"))
@ruleset_argument()
@format_option("json", "text", default="json")
@click.option("-o", "--output", metavar="FILE", help="Write to a file (ending in .json, every verb reads it again).")
@click.option("--origins/--no-origins", default=True, help="Whether to keep where in the rules everything stands.")
@cache_option()
def command(name: str, form: str, output: str | None, origins: bool, use_cache: bool) -> int:
    """Write a game's compiled form. Its two hashes, with and without places in the rules, go to stderr."""
    from rulelang.ir.codec import content_hash, dumps, origin_hash

    program = open_program(name, use_cache=use_cache)
    if not origins:
        program = without_origins(program)
    if form == "text":
        from rulelang.ir.printer import to_text

        text = to_text(program)
    else:
        text = dumps(program) + "\n"
    if output is None:
        show(text.rstrip("\n"))
    else:
        from rulelang.tools.writing import write_whole

        write_whole(Path(output), text)
    show(f"content hash: {content_hash(program)}\norigin hash:  {origin_hash(program)}", err=True)
    return OK


def without_origins(program: "Program") -> "Program":
    """The same program with every place in the rules made the same."""
    from rulelang.ir.origin import Origin
    from rulelang.ir.walk import rebuild

    nowhere = Origin("", 1, 1)
    return rebuild(program, lambda part: nowhere if isinstance(part, Origin) else part)
