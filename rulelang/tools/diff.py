"""``rulelang diff``: two versions of a game, or one with other options: what differs, and what of it shows in play.

What is found depends on both rules, the options, the seed and the number of positions, and on nothing else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK, Misused
from rulelang.tools.options import example, format_option, option_option, ruleset_argument, seed_option
from rulelang.tools.progress import Progress
from rulelang.tools.saying import show, show_json

if TYPE_CHECKING:
    from rulelang.pipeline import Compiled
    from rulelang.play.record import Record
    from rulelang.rulebook.versions.played import Playing, Shown
    from rulelang.rulebook.versions.texts import TextDifference

SIGNS = {"added": "+", "removed": "-", "changed": "~"}
"""How a declaration is marked."""


@attrs.frozen
class Asked:
    """What is compared."""

    old: str
    new: str
    options: dict[str, str]
    """With one ruleset, those of the new side; with two, those of both."""
    seed: int
    moves: int


@click.command(
    epilog=example("rulelang diff nim --option last_object=wins", "rulelang diff leduc-poker leduc-poker --moves 100")
)
@ruleset_argument()
@click.argument("new", metavar="[NAME|PATH]", required=False)
@option_option()
@click.option("--seats", type=click.IntRange(1, 16), metavar="N", help="Number of seats. Default: every one in turn.")
@click.option(
    "--moves",
    type=click.IntRange(0, 1_000_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Positions to compare by play; 0: only the texts.",
)
@click.option(
    "--save", type=click.Path(file_okay=False), metavar="FOLDER", help="Keep a record and a scenario of each."
)
@seed_option()
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@click.option("--engine", default="native", show_default=True, metavar="NAME", help="The interpreter that plays.")
@format_option("text", "json")
def command(name: str, new: str | None, options: dict[str, str], seed: int | None, **rest: Any) -> int:
    """Say in what two versions of a game differ, by their texts and by play.

    With two rulesets the first is the old version and the second the new one. With one, the game as it is agreed by
    default is compared with the same game and the options given. Random games are played by the old rules; every
    position is laid out on the new ones, and legal moves, refusals, what comes of a move, defines and results are
    compared. The shortest record of every kind of difference is told. The exit code is 1 if anything differs. Ctrl-C
    shows what was found so far.
    """
    from rulelang.tools.writing import made_folder

    if new is None and not options:
        raise Misused("Give a second ruleset, or options to compare with the default ones.")
    asked = Asked(name, new or name, options, 1 if seed is None else seed, rest["moves"])
    folder = None if rest["save"] is None else made_folder(Path(rest["save"]))
    before, after = _compiled(name), None if new is None else _compiled(new)
    texts = _texts(before, after, asked, rest["seats"])
    playing = _playing(before, after or before, asked, rest["engine"])
    stopped = _play(playing, before, after, asked, rest["seats"], rest["progress"])
    kept = _keep(playing, asked, folder) if folder is not None else {}
    if rest["form"] == "json":
        show_json(as_json(asked, texts, playing, kept))
    else:
        for line in _lines(asked, texts, playing, kept):
            show(line)
    if stopped:
        return INTERRUPTED
    return FINDINGS if texts or playing.shown else OK


def _compiled(name: str) -> "Compiled":
    from rulelang.pipeline import compile_file
    from rulelang.tools.loading import find

    return compile_file(find(name))


def _texts(
    before: "Compiled", after: "Compiled | None", asked: Asked, seats: int | None
) -> "tuple[TextDifference, ...]":
    """The declarations that differ; of one ruleset, those that mean something else with these options."""
    from rulelang.failures import Exhausted, Refused
    from rulelang.play.closing import close
    from rulelang.rulebook.versions.texts import text_differences

    if after is not None:
        return text_differences(before.program, after.program)
    program = before.program
    numbers = range(program.fewest_seats, program.most_seats) if seats is None else ()
    for number in numbers:  # the first number of seats that both can be played with
        try:
            return text_differences(close(program, number, {}), close(program, number, asked.options))
        except (Refused, Exhausted):
            continue
    number = program.most_seats if seats is None else seats
    return text_differences(close(program, number, {}), close(program, number, asked.options))


def _playing(before: "Compiled", after: "Compiled", asked: Asked, engine: str) -> "Playing":
    from rulelang.rulebook.versions.played import Playing
    from rulelang.tools.loading import engine_named

    defines = {**_defines(before)}
    both = {name: of_seats for name, of_seats in defines.items() if _defines(after).get(name) == of_seats}
    return Playing(engine_named(engine), before.program, after.program, both, asked.seed)


def _defines(compiled: "Compiled") -> dict[str, bool]:
    """The defines that can be asked of a table, and whether each is asked for every seat."""
    from rulelang.ast import nodes as ast

    if compiled.checked is None:
        return {each.name: False for each in compiled.program.functions if each.parameters == 0}
    found: dict[str, bool] = {}
    for each in compiled.checked.rules.declarations:
        if isinstance(each, ast.Define) and not each.params:
            found[each.name] = False
        elif isinstance(each, ast.Define) and len(each.params) == 1 and _is_player(each.params[0].type):
            found[each.name] = True
    return found


def _is_player(kind: object) -> bool:
    return getattr(kind, "name", "") == "player"


def _play(
    playing: "Playing",
    before: "Compiled",
    after: "Compiled | None",
    asked: Asked,
    seats: int | None,
    progress: bool | None,
) -> bool:
    """Play; whether somebody stopped it."""
    old, new = before.program, (after or before).program
    fewest, most = max(old.fewest_seats, new.fewest_seats), min(old.most_seats, new.most_seats)
    numbers = range(fewest, most + 1) if seats is None else (seats,)
    options = (asked.options if after is not None else {}, asked.options)
    with Progress(progress, "positions", asked.moves) as line:
        playing.progress = line.at
        try:
            playing.play(numbers, options, asked.moves)
        except KeyboardInterrupt:
            return True
    return False


# ------------------------------------------------------------------ what is kept


def _keep(playing: "Playing", asked: Asked, folder: Path) -> dict[int, str]:
    """Write a record and a scenario for each kind of difference; the names of the scenarios by number."""
    from rulelang.play.record import write_record
    from rulelang.tools.writing import write_whole

    kept: dict[int, str] = {}
    for number, each in enumerate(playing.shown.values(), 1):
        record = record_of(playing, each)
        if record is None or each.old is None:
            continue
        name = "-".join(filter(None, (str(number), each.seen.subject, *each.seen.name.split())))
        write_record(folder / f"{name}.record.jsonl", each.old, record)
        write_whole(folder / f"{name}.play", "\n".join(scenario(playing, each)) + "\n")
        kept[number] = str(folder / f"{name}.play")
    return kept


def record_of(playing: "Playing", shown: "Shown") -> "Record | None":
    """The record, by the old rules, that shows a difference."""
    from rulelang.play.record import Record, header_of

    if shown.old is None:
        return None
    return Record(header_of(shown.old, playing.seed, shown.game, playing.engine.name), shown.events)


def scenario(playing: "Playing", shown: "Shown") -> Iterator[str]:
    """A scenario that shows it, true by the old rules."""
    from rulelang.play.record import header_of
    from rulelang.scenarios.skeleton import Skeleton

    assert shown.old is not None
    options = tuple(header_of(shown.old, 0).options.items())
    defaults = header_of(_default(playing, shown), 0).options
    game = playing.engine.configure(playing.programs[0], shown.seats, dict(options))
    chosen = [(name, label) for name, label in options if label != defaults[name]]
    skeleton = Skeleton(game)
    yield f"# {shown.seen.subject} {shown.seen.name}: {shown.seen.first}; by the new rules: {shown.seen.second}"
    yield from skeleton.lines(f"To be named: {shown.seen.subject} {shown.seen.name}".rstrip(), shown.events, chosen)
    state = game.start()
    for event in shown.events:
        state = state.step(event)
    if shown.seen.tried is not None:
        if not shown.events:
            yield "  when:"
        yield f"    {skeleton.attempt(state, shown.seen.tried)}"
        return
    yield "  then:"
    yield from (f"    {line}" for line in skeleton.now(state))


def _default(playing: "Playing", shown: "Shown") -> Any:
    from rulelang.failures import Exhausted, Refused
    from rulelang.play.closing import close

    try:
        return close(playing.programs[0], shown.seats, {})
    except (Refused, Exhausted):
        return shown.old


# ------------------------------------------------------------------ results


def as_json(
    asked: Asked, texts: "tuple[TextDifference, ...]", playing: "Playing", kept: dict[int, str]
) -> dict[str, Any]:
    """All of it, for programs."""
    from rulelang.play.record import event_json, header_json

    differences = []
    for number, each in enumerate(playing.shown.values(), 1):
        record = record_of(playing, each)
        lines = (
            None
            if record is None or each.old is None
            else [header_json(record.header), *(event_json(each.old, event) for event in record.events)]
        )
        differences.append(
            {
                "subject": each.seen.subject,
                "name": each.seen.name,
                "old": each.seen.first,
                "new": each.seen.second,
                "seats": each.seats,
                "record": lines,
                "saved": kept.get(number),
            }
        )
    return {
        "old": asked.old,
        "new": asked.new,
        "options": asked.options,
        "seed": asked.seed,
        "texts": [
            {
                "how": each.how,
                "sort": each.sort,
                "name": each.name,
                "old": None if each.old is None else f"{each.old.file}:{each.old.line}",
                "new": None if each.new is None else f"{each.new.file}:{each.new.line}",
                "lines": [{"sign": line.sign, "line": line.number, "text": line.text} for line in each.lines],
            }
            for each in texts
        ],
        "games": playing.counts.games,
        "positions": playing.counts.positions,
        "laid_out": playing.counts.laid_out,
        "differences": differences,
    }


def _lines(
    asked: Asked, texts: "tuple[TextDifference, ...]", playing: "Playing", kept: dict[int, str]
) -> Iterator[str]:
    from rulelang.rulebook.versions.beside import SUBJECTS

    for each in texts:
        place = each.new or each.old
        where = "" if place is None else f"  ({place.file}:{place.line})"
        yield f"{SIGNS[each.how]} {each.sort} {each.name} {each.how}{where}"
        yield from (f"    {line.sign} {line.number}: {line.text.strip()}" for line in each.lines)
    for number, shown in enumerate(playing.shown.values(), 1):
        seen = shown.seen
        yield ""
        yield f"{seen.name or seen.subject}: {SUBJECTS[seen.subject]}, after {_count(len(shown.events), 'event')}"
        yield f"    old  {seen.first}"
        yield f"    new  {seen.second}"
        if number in kept:
            yield f"    kept in {kept[number]}"
        elif shown.old is not None and len(shown.events) <= 12:
            yield from (f"    {line}" for line in list(scenario(playing, shown))[1:])
    counts = playing.counts
    yield ""
    looked = f"{_count(counts.positions, 'position')} of {_count(counts.games, 'game')}, {counts.laid_out} laid out"
    yield f"{_count(len(texts), 'declaration')} of another meaning"
    yield f"{_count(len(playing.shown), 'kind')} of difference in play, in {looked}, seed {asked.seed}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
