"""The options that several verbs share, and how they are read."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from rulelang.limits import INTEGER_MAX, INTEGER_MIN
from rulelang.tools.ending import Misused

Verb = Callable[..., Any]
Decorator = Callable[[Verb], Verb]

MOST_GAMES: Final = 1_000_000_000


class Measure(click.FloatRange):
    """A number with a fraction, between bounds; ``nan`` is none, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Raises BadParameter."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Folder(click.Path):
    """A folder to write into, there or not; no words at all are none."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises BadParameter."""
        if not str(value).strip():
            self.fail(f"{value!r} is no folder.", param, ctx)
        return super().convert(value, param, ctx)


def example(*lines: str) -> str:
    """The end of a help text: a few commands that really run."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    return "\b\n" + "\n".join([head, *(f"  {line}" for line in lines)])


def _known_rulesets(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from rulelang.rulesets import all_rulesets

    names = [name for name, _ in all_rulesets() if name.startswith(begun)]
    return [CompletionItem(name) for name in names] + [CompletionItem(begun, type="file")]


def ruleset_argument(*, many: bool = False, required: bool = True) -> Decorator:
    """NAME: a ruleset by name, or a path."""
    if many:
        return click.argument(
            "names", metavar="NAME|PATH...", nargs=-1, required=required, shell_complete=_known_rulesets
        )
    return click.argument("name", metavar="NAME|PATH", required=required, shell_complete=_known_rulesets)


def format_option(*formats: str, default: str = "text") -> Decorator:
    """``--format``: in what form data is printed."""
    return click.option(
        "--format", "form", type=click.Choice(formats), default=default, show_default=True, help="Form of the output."
    )


def option_option() -> Decorator:
    """``--option k=v``, as often as needed."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_read_options,
        help="Choose an option of the game; may be given several times.",
    )


def _read_options(context: click.Context, parameter: click.Parameter, given: Iterable[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise click.BadParameter(f"{word!r} is not of the form KEY=VALUE, such as rows=3.", context, parameter)
        if key.strip() in options:
            raise click.BadParameter(f"{key.strip()!r} is given twice.", context, parameter)
        options[key.strip()] = value.strip()
    return options


def save_option() -> Decorator:
    """``--save``: where findings are kept."""
    return click.option(
        "--save",
        type=Folder(),
        metavar="FOLDER",
        help="Keep a record and a scenario of each there. Nothing is written over.",
    )


def seed_option(default: int | None = None) -> Decorator:
    """``--seed``: what chance and automatic players draw from."""
    without = "without one, a new one is made and told" if default is None else f"without one, it is {default}"
    return click.option(
        "--seed",
        type=click.IntRange(INTEGER_MIN, INTEGER_MAX),
        metavar="NUMBER",
        help=f"Seed of all chance; {without}.",
    )


def engine_option() -> Decorator:
    """``--engine``: which interpreter."""
    return click.option(
        "--engine", default="reference", show_default=True, metavar="NAME", help="The interpreter that plays."
    )


def cache_option() -> Decorator:
    """``--no-cache``: compile again."""
    return click.option(
        "--cache/--no-cache",
        "use_cache",
        default=True,
        help="Whether to use, and keep, what was compiled before.",
    )


def read_seats(given: str | None) -> list[str] | None:
    """``human,random`` as a list; None if nothing was said."""
    if given is None:
        return None
    words = [word.strip() for word in given.split(",")]
    if not all(words):
        raise Misused("'--seats' is a list of players with commas between them, such as human,random.")
    return words


def new_seed(given: int | None) -> int:
    """The seed given, or a new one, which is told on stderr."""
    if given is not None:
        return given
    import secrets

    seed = secrets.randbits(32)
    click.echo(f"seed: {seed}", err=True)
    return seed
