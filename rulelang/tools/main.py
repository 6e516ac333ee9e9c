"""The command ``rulelang``: it knows the verbs and loads the module of the one that is asked for.

Every verb returns its exit code: 0 ok, 1 findings and failures, 2 usage, 3 our own bug, 130 interrupted. Whatever
goes wrong ends here, as a message and a code, never as a traceback.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import click

from rulelang import __version__
from rulelang.tools import ending

VERBS: Final = {
    "check": "Say what is wrong with rules, or that nothing is.",
    "compile": "Write a game's compiled form.",
    "completion": "Print the script that completes commands in a shell.",
    "diff": "Say in what two versions of a game differ, by their texts and by play.",
    "differ": "Play two interpreters against each other and say where they differ.",
    "explain": "Say where a value comes from, part by part.",
    "conformance": "Judge an engine of your own, in any language, by the scenarios of rulesets.",
    "explain-code": "Say what an RL number means.",
    "fmt": "Write rules files in their one canonical form.",
    "graph": "Draw the flow of a game, as text for Graphviz or Mermaid.",
    "library": "List what games can bring in with 'uses', or print the text of one library.",
    "mutate": "Change the rules, one thing at a time, and say which changes no scenario notices.",
    "new": "Make a folder with a small game to start from.",
    "perft": "Count the tree of a game exactly.",
    "play": "Play a game in the terminal.",
    "replay": "Play a record again and show what happened.",
    "rules": "List the games that can be found by name.",
    "schema": "Print the JSON Schema of a game's data file, or of its options.",
    "sim": "Play many games by automatic players and add them up.",
    "test": "Run scenarios: examples of play with what must come of them.",
    "trace": "Trace every clause of a rulebook to rules and scenarios.",
    "verify": "Go through the positions of a game and say what is wrong with its rules.",
    "why-not": "Say why a move is not possible, or that it is.",
}
"""Every verb and what it is for, as ``--help`` lists it."""

PLAYING: Final = frozenset({"play", "replay"})
"""The verbs that stop when nobody reads any more. All others go on to the exit code that says what they found."""

ALIASES: Final = {"list": "rules", "format": "fmt"}


class Verbs(click.Group):
    """The group of all verbs, each loaded when used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, without loading any."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb with this name; its module is loaded now."""
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in VERBS:
            return None
        module = import_module(f"rulelang.tools.{MODULES.get(name, name)}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, or say which was meant."""
        name = args[0]
        if not name.startswith("-") and ALIASES.get(name, name) not in VERBS and not ctx.resilient_parsing:
            from rulelang.diagnostics.diagnostic import did_you_mean, quoted

            hint = did_you_mean(name, VERBS) or f"the commands are {', '.join(VERBS)}."
            raise ending.Misused(f"There is no command {quoted(name)}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **named: Any) -> Any:
        """Run, and leave with an exit code whatever happens."""
        words = sys.argv[1:] if args is None else args
        ending.prepare_streams(outlive=not PLAYING.intersection(words[:1]))
        named["standalone_mode"] = False
        named["prog_name"] = "rulelang"
        sys.exit(ending.code_of(lambda: super(Verbs, self).main(args, *rest, **named)))


MODULES: Final = {
    "compile": "compile_game",
    "explain": "explain_value",
    "explain-code": "explain_code",
    "why-not": "why_not",
}
"""The modules of verbs whose names cannot be those of modules."""


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="rulelang %(version)s")
def main() -> None:
    """Tabletop games written as text: check them, play them, take them apart.

    \b
    Example:
      rulelang play tic-tac-toe --seats random,random --seed 7
    """
