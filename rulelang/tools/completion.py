"""``rulelang completion``: what a shell needs to complete commands and the names of games."""

import click
from click.shell_completion import get_completion_class

from rulelang.tools.ending import OK
from rulelang.tools.options import example


@click.command(epilog=example("rulelang completion bash"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that completes commands in a shell.

    For bash: put  eval "$(rulelang completion bash)"  into ~/.bashrc.
    """
    made = get_completion_class(shell)
    assert made is not None
    root = click.get_current_context().find_root().command
    completion = made(root, {}, "rulelang", "_RULELANG_COMPLETE")
    click.echo(completion.source_template % completion.source_vars())
    return OK
