"""``rulelang diff``: two versions of a game, or one with other options: what differs, and what of it shows in play.

What is found depends on both rules, the options, the seed and the number of positions, and on nothing else.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK, Misused
from rulelang.tools.options import example, format_option, option_option, ruleset_argument, save_option, seed_option
from rulelang.tools.progress import Progress
from rulelang.tools.saying import show, show_json
from rulelang.tools.stopping import Stopping

if TYPE_CHECKING:
    from rulelang.pipeline import Compiled
    from rulelang.play.record import Record
    from rulelang.rulebook.versions.played import Playing, Shown
    from rulelang.rulebook.versions.texts import TextDifference
    from rulelang.tools.writing import Saving

SEED = 1
"""What random games are made of, if nothing else is said: the same comparison finds the same."""

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
@save_option()
@seed_option(default=SEED)
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@click.option("--engine", default="native", show_default=True, metavar="NAME", help="The interpreter that plays.")
@format_option("text", "json")
def command(name: str, new: str | None, options: dict[str, str], seed: int | None, **rest: Any) -> int:
    """Say in what two versions of a game differ, by their texts and by play.

    With two rulesets the first is the old version and the second the new one. With one, the game as it is agreed by
    default is compared with the same game and the options given. Random games are played by the old rules; every
    position is laid out on the new ones, and legal moves, refusals, what comes of a move, defines and results are
    compared. The shortest record of every kind of difference is told. The exit code is 1 if anything differs; title,
    words and advice are told, but change no game, and not the exit code. Ctrl-C shows what was found so far.
    """
    from rulelang.tools.writing import Saving, made_folder

    if new is None and not options:
        raise Misused("Give a second ruleset, or options to compare with the default ones.")
    asked = Asked(name, new or name, options, SEED if seed is None else seed, rest["moves"])
    saving = None if rest["save"] is None else Saving(made_folder(Path(rest["save"])))
    before, after = _compiled(name), None if new is None else _compiled(new)
    texts = _texts(before, after, asked, rest["seats"])
    playing = _playing(before, after or before, asked, rest["engine"])
    with Stopping() as stopping:
        stopped = _play(playing, before, after, asked, rest["seats"], rest["progress"], stopping)
        differs = bool(playing.shown) or any(each.meaning for each in texts)
        nothing = bool(asked.moves) and not playing.counts.positions
        if nothing and not stopped and not differs:
            _refuse(playing, before, after, asked, rest["seats"])
        kept = {} if saving is None else _keep(playing, saving)
        if rest["form"] == "json":
            show_json(as_json(asked, texts, playing, kept))
        else:
            for line in _lines(asked, texts, playing, kept):
                show(line)
    if saving is not None:
        saving.check()
    if stopped:
        return INTERRUPTED
    return FINDINGS if differs or nothing else OK


def _refuse(playing: "Playing", before: "Compiled", after: "Compiled | None", asked: Asked, seats: int | None) -> None:
    """Say why no position of either could be compared. Raises Refused or Exhausted."""
    from rulelang.tools.loading import configure

    number = before.program.fewest_seats if seats is None else seats
    options = asked.options if after is not None else {}
    configure(before.program, playing.engine.name, number, options).start()


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

    rules = None if before.checked is None else before.checked.rules
    if after is not None:
        new = None if after.checked is None else after.checked.rules
        return text_differences(before.program, after.program, rules, new)
    program = before.program
    numbers = range(program.fewest_seats, program.most_seats) if seats is None else ()
    for number in numbers:  # the first number of seats that both can be played with
        try:
            return text_differences(close(program, number, {}), close(program, number, asked.options), rules, rules)
        except (Refused, Exhausted):
            continue
    number = program.most_seats if seats is None else seats
    return text_differences(close(program, number, {}), close(program, number, asked.options), rules, rules)


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
    stopping: Stopping,
) -> bool:
    """Play; whether somebody stopped it."""
    old, new = before.program, (after or before).program
    fewest, most = max(old.fewest_seats, new.fewest_seats), min(old.most_seats, new.most_seats)
    numbers = range(fewest, most + 1) if seats is None else (seats,)
    options = (asked.options if after is not None else {}, asked.options)
    with Progress(progress, "positions", asked.moves) as line:

        def at(count: int) -> None:
            line.at(count)
            stopping.look()

        playing.progress = at
        try:
            playing.play(numbers, options, asked.moves)
        except KeyboardInterrupt:
            return True
    return False


# ------------------------------------------------------------------ what is kept


def _keep(playing: "Playing", saving: "Saving") -> dict[int, dict[str, str]]:
    """Keep a record and a scenario of each kind of difference; the files by number."""
    from rulelang.tools.writing import numbered, record_text

    for number, each in enumerate(playing.shown.values(), 1):
        record, old = record_of(playing, each), each.old
        if record is None or old is None:
            continue
        text, lines = record_text(old, record), "\n".join(scenario(playing, each)) + "\n"
        texts = {".record.jsonl": lambda _, one=text: one, ".play": lambda _, one=lines: one}
        name = "-".join(filter(None, (each.seen.subject, *each.seen.name.split())))
        saving.files[number] = saving.keep(numbered(number, name), texts)
    return saving.files


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
    asked: Asked, texts: "tuple[TextDifference, ...]", playing: "Playing", kept: dict[int, dict[str, str]]
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
                "saved": kept.get(number, {}).get(".play"),
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
                "meaning": each.meaning,
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
    asked: Asked, texts: "tuple[TextDifference, ...]", playing: "Playing", kept: dict[int, dict[str, str]]
) -> Iterator[str]:
    from rulelang.rulebook.versions.beside import SUBJECTS

    for each in texts:
        if each.meaning:
            yield from _text_lines(each)
    if not all(each.meaning for each in texts):
        yield "Of the same meaning (title, words, advice, what nothing uses):"
        for each in texts:
            if not each.meaning:
                yield from _text_lines(each)
    for number, shown in enumerate(playing.shown.values(), 1):
        seen = shown.seen
        yield ""
        yield f"{seen.name or seen.subject}: {SUBJECTS[seen.subject]}, after {_count(len(shown.events), 'event')}"
        yield f"    old  {seen.first}"
        yield f"    new  {seen.second}"
        if kept.get(number):
            yield f"    kept in {' and '.join(kept[number].values())}"
        elif shown.old is not None and len(shown.events) <= 12:
            yield from (f"    {line}" for line in list(scenario(playing, shown))[1:])
    counts = playing.counts
    yield ""
    looked = f"{_count(counts.positions, 'position')} of {_count(counts.games, 'game')}, {counts.laid_out} laid out"
    other = sum(each.meaning for each in texts)
    same = f", {len(texts) - other} of the same" if other < len(texts) else ""
    yield f"{_count(other, 'declaration')} of another meaning{same}"
    if not asked.moves:
        yield "Nothing was compared by play (--moves 0)."
    elif not counts.positions:
        yield "Nothing could be compared by play: there is no game that both can begin."
    else:
        yield f"{_count(len(playing.shown), 'kind')} of difference in play, in {looked}, seed {asked.seed}"


def _text_lines(each: "TextDifference") -> Iterator[str]:
    place = each.new or each.old
    where = "" if place is None else f"  ({place.file}:{place.line})"
    name = f"{each.sort} {each.name}" if each.name != each.sort else each.sort
    yield f"{SIGNS[each.how]} {name} {each.how}{where}"
    yield from (f"    {line.sign} {line.number}: {line.text.strip()}" for line in each.lines)
    if not each.lines and each.was != each.now:
        yield f"    - {each.was}"
        yield f"    + {each.now}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
