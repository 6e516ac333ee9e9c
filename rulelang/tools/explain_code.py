"""``rulelang explain-code``: what an RL number means."""

import click

from rulelang.tools.ending import OK, Misused
from rulelang.tools.options import example
from rulelang.tools.saying import show


@click.command("explain-code", epilog=example("rulelang explain-code RL3001"))
@click.argument("number", metavar="RLnnnn")
def command(number: str) -> int:
    """Say what an RL number means."""
    from rulelang.diagnostics.codes import CODES
    from rulelang.diagnostics.diagnostic import did_you_mean, quoted

    code = CODES.get(number.strip().upper())
    if code is None:
        hint = did_you_mean(number.upper(), CODES) or "numbers are RL and four digits."
        raise Misused(f"There is no code {quoted(number)}; {hint}")
    show(f"{code.number} {code.title} ({code.slug})\n  {code.summary}\n  Found in: {code.stage}.")
    show(f"  Page: docs/diagnostics/{code.number}.md")
    return OK
