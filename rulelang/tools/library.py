"""``rulelang library``: what games can bring in with ``uses``."""

import click
from click.shell_completion import CompletionItem

from rulelang.tools.ending import OK, Misused
from rulelang.tools.options import example, format_option
from rulelang.tools.saying import show, show_json


def _known(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from rulelang.checker.libraries import names_of_libraries

    return [CompletionItem(name) for name in names_of_libraries() if name.startswith(begun)]


@click.command(epilog=example("rulelang library", "rulelang library dealing"))
@click.argument("name", metavar="[NAME]", required=False, shell_complete=_known)
@format_option("text", "json")
def command(name: str | None, form: str) -> int:
    """List what games can bring in with 'uses', or print the text of one library. Spec 14.5."""
    from rulelang.checker.libraries import names_of_libraries, shipped
    from rulelang.diagnostics.diagnostic import did_you_mean, quoted

    names = names_of_libraries()
    if name is not None and name not in names:
        raise Misused(f"There is no library {quoted(name)}; {did_you_mean(name, names) or ', '.join(names)}")
    libraries = [shipped(each) for each in names if name in (None, each)]
    if form == "json":
        show_json({"libraries": [library.described() for library in libraries]})
    elif name is not None:
        show(libraries[0].text.rstrip("\n"))
    else:
        width = max(len(each) for each in names)
        for library in libraries:
            show(f"{library.name:{width}}  {library.about}")
            show(f"{'':{width}}  {', '.join(library.words)}")
    return OK
