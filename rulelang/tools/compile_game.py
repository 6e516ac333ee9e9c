"""``rulelang compile``: a game's intermediate form, as JSON that every verb reads again or as a listing.

With ``--flat``, ``--python``, ``--plan`` and ``--llvm`` what the native interpreter makes of a configuration of it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rulelang.tools.ending import OK, Misused
from rulelang.tools.loading import configure, open_program, say_without_llvmlite
from rulelang.tools.options import cache_option, example, format_option, option_option, ruleset_argument
from rulelang.tools.saying import show

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang_native.game import Game


NATIVE: Final = ("flat", "python", "plan", "llvm")
"""The forms that the native interpreter makes."""


@click.command(
    "compile",
    epilog=example("rulelang compile tic-tac-toe --format text", "rulelang compile goofspiel --flat --option cards=5"),
)
@ruleset_argument()
@format_option("json", "text", default="json")
@click.option("-o", "--output", metavar="FILE", help="Write to a file (ending in .json, every verb reads it again).")
@click.option("--origins/--no-origins", default=True, help="Whether to keep where in the rules everything stands.")
@click.option("--flat", is_flag=True, help="The flat program of a configuration, as a listing.")
@click.option("--python", is_flag=True, help="The Python that is printed from the flat program.")
@click.option("--plan", is_flag=True, help="How it is laid out where games are compiled, in words.")
@click.option("--llvm", is_flag=True, help="The LLVM text that compiled games are made of.")
@click.option(
    "--seats", type=click.IntRange(1, 16), metavar="N", help="Of '--flat' and those below. Default: the fewest."
)
@option_option()
@cache_option()
def command(
    name: str,
    form: str,
    output: str | None,
    origins: bool,
    seats: int | None,
    options: dict[str, str],
    use_cache: bool,
    **natives: bool,
) -> int:
    """Write a game's compiled form. Its two hashes, with and without places in the rules, go to stderr."""
    from rulelang.ir.codec import content_hash, dumps, origin_hash

    wanted = [form for form in NATIVE if natives[form]]
    if len(wanted) > 1:
        raise Misused(f"'--{wanted[0]}' and '--{wanted[1]}' are two different forms: only one can be written.")
    native = wanted[0] if wanted else None
    if native is None and (seats is not None or options):
        raise Misused(
            "'--seats' and '--option' go with '--flat', '--python', '--plan' and '--llvm': other forms leave them open."
        )
    program = open_program(name, use_cache=use_cache)
    if not origins:
        program = without_origins(program)
    if native is not None:
        text = native_text(program, native, seats, options)
    elif form == "text":
        from rulelang.ir.printer import to_text

        text = to_text(program)
    else:
        text = dumps(program) + "\n"
    if output is None:
        show(text.rstrip("\n"))
    else:
        from rulelang.tools.writing import write_whole

        write_whole(Path(output), text)
    if native == "plan":
        say_without_llvmlite()
    show(f"content hash: {content_hash(program)}\norigin hash:  {origin_hash(program)}", err=True)
    return OK


def native_text(program: "Program", form: str, seats: int | None, options: dict[str, str]) -> str:
    """What the native interpreter makes of a configuration. Raises Refused, and Exhausted if it has no form for it."""
    from rulelang_native.flat.printer import to_text
    from rulelang_native.game import Game

    game = configure(program, "native", seats, options)
    assert isinstance(game, Game)
    if form == "flat":
        return to_text(game.module.flat, game.program)
    if form == "plan":
        from rulelang_native.llvm.plan import plan

        return plan(game)
    if form == "llvm":
        return llvm_text(game)
    named = {name: value for name, value in game.module.functions.items() if isinstance(value, tuple | frozenset)}
    lines = [
        f"{name} = {value}" if isinstance(value, tuple) else f"{name} = frozenset({sorted(value)})"
        for name, value in named.items()
    ]
    return "\n".join([*lines, game.module.source])


def llvm_text(game: "Game") -> str:
    """What is compiled. Raises Exhausted if something has no form in LLVM."""
    from rulelang_native.llvm.programs import Printer
    from rulelang_native.lowering.failing import NotLowered

    try:
        return Printer(game).text()
    except NotLowered as failure:
        raise failure.said() from None


def without_origins(program: "Program") -> "Program":
    """The same program with every place in the rules made the same."""
    from rulelang.ir.origin import Origin
    from rulelang.ir.walk import rebuild

    nowhere = Origin("", 1, 1)
    return rebuild(program, lambda part: nowhere if isinstance(part, Origin) else part)
