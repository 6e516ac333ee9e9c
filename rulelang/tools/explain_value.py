"""``rulelang explain``: where a result, a score or any other value of the rules comes from, as a tree."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from rulelang.tools.ending import OK, Misused
from rulelang.tools.options import cache_option, engine_option, example, format_option
from rulelang.tools.saying import outcome_words, show, show_json

if TYPE_CHECKING:
    from rulelang.play.explaining import Explained, Explainer, History
    from rulelang.tools.standing import Standing


@click.command(
    "explain",
    epilog=example("rulelang explain game.record.jsonl", 'rulelang explain game.record.jsonl:3 "mark of a1"'),
)
@click.argument("target", metavar="RECORD[:STEP]")
@click.argument("what", metavar="[WHAT]", required=False)
@click.option("--seat", type=click.IntRange(1, 16), metavar="N", help="As this seat sees it. Default: a spectator.")
@click.option("--omniscient", is_flag=True, help="With all that is hidden, also before the end: for testers.")
@click.option("--rules", metavar="NAME|PATH", help="The rules, if the name in the record does not find them.")
@engine_option()
@format_option("text", "json")
@cache_option()
def command(target: str, what: str | None, seat: int | None, omniscient: bool, form: str, **rest: Any) -> int:
    """Say where a value comes from, part by part.

    Without WHAT, it is the result at the end of the game. WHAT is a word that the rules define, with its values, or a
    marker: total(seat 1), best_sets(seat 1's hand), seat 1's points. Before the end only what the seat sees is told.
    """
    from rulelang.tools.standing import is_record, seat_named, standing

    if not is_record(target):
        raise Misused("Say which record: rulelang explain FILE.record.jsonl[:STEP] [WHAT].")
    where = standing(target, seats=None, options={}, seed=None, **rest)
    viewer = seat_named(where, seat)
    everything = omniscient or where.match.outcome is not None
    if what is None and where.match.outcome is None:
        raise Misused("The game is not over here; say what to explain, such as a word that the rules define.")
    explainer, history = _explainer(where, viewer, everything, rest)
    trees = list(_outcome(where, explainer)) if what is None else [_asked(explainer, history, what)]
    if form == "json":
        _show_json(where, what, everything, viewer, trees)
    else:
        _show(where, what, trees)
    return OK


def _explainer(
    where: "Standing", seat: int | None, everything: bool, rest: dict[str, Any]
) -> "tuple[Explainer, History | None]":
    """An explainer of the table as it is then; if everything may be told, with what wrote the markers."""
    from rulelang.play import explaining
    from rulelang.tools.loading import open_program

    match = where.match
    program = explaining.spoken_program(open_program(where.rules, use_cache=rest["use_cache"]), match.game.program)
    if not everything:
        return explaining.Explainer(program, explaining.Seen(match.game.program, match.state, seat)), None
    history = _history(where, rest)
    return explaining.Explainer(program, explaining.everything(match.state), history), history


def _history(where: "Standing", rest: dict[str, Any]) -> "History | None":
    """The match played again while somebody watches; None on an interpreter that cannot be watched."""
    from rulelang.play.explaining import History
    from rulelang.play.watching import Watchable
    from rulelang.tools.loading import engine_named, open_program
    from rulelang.tools.play import game_options

    engine = engine_named(rest["engine"])
    if not isinstance(engine, Watchable):
        return None
    history = History()
    header = where.match.record.header
    program = open_program(where.rules, use_cache=rest["use_cache"])
    state = engine.watched_by(history).configure(program, header.seats, game_options(header)).start()
    for number, event in enumerate(where.match.events, 1):
        history.event = number
        state = state.step(event)
    return history


def _outcome(where: "Standing", explainer: "Explainer") -> "Iterator[Explained]":
    state = where.match.state
    frame = state.position().frames[-1]
    history = explainer.history
    closed = where.match.game.program.nodes[frame.node]
    number = (
        history.opened[frame.node]
        if history is not None
        else next(
            n for n, node in enumerate(explainer.program.nodes) if type(node) is type(closed) and node.at == closed.at
        )
    )
    return explainer.outcome(number, frame.locals)


def _asked(explainer: "Explainer", history: "History | None", what: str) -> "Explained":
    from rulelang.play.explaining import AskedDefine, AskedTimer, read_question

    asked = read_question(explainer.program, explainer.kinds, explainer.context.cells, what)
    if isinstance(asked, AskedDefine):
        return explainer.define(asked.function, asked.arguments, asked.given)
    if isinstance(asked, AskedTimer):
        return explainer.timer(asked.timer, left=asked.left)
    return explainer.marker(asked.slot, asked.member)


# ------------------------------------------------------------------ telling

HEADS = {"when": "when ", "whenever": "whenever ", "kept": "chosen: ", "group": "group ", "rest": "left over: "}
"""What stands before a line, by what it is to the line above."""


LONGEST: Final = 90
"""Signs of a formula that are told; all of them in JSON."""


def _show(where: "Standing", what: str | None, trees: "list[Explained]") -> None:
    from rulelang.tools.standing import where_said

    show(f"{where_said(where)}:" if what else f"{where_said(where)}: {outcome_words(where.match.outcome)}")  # type: ignore[arg-type]
    for tree in trees:
        for line in tree_lines(tree):
            show(line)


def tree_lines(tree: "Explained", depth: int = 1) -> Iterator[str]:
    """A tree as indented lines: formula, value, clauses, and where it stands in the rules."""
    value = f": {tree.value}" if tree.value else ""
    cited = f" [{', '.join(tree.clauses)}]" if tree.clauses else ""
    place = f"  ({tree.file}, line {tree.line})" if tree.file and tree.line else ""
    said = tree.said if len(tree.said) <= LONGEST else tree.said[: LONGEST - 3] + "..."
    yield f"{'  ' * depth}{HEADS.get(tree.role, '')}{said}{value}{cited}{place}"
    for part in tree.parts:
        yield from tree_lines(part, depth + 1)


def tree_json(tree: "Explained") -> dict[str, Any]:
    """A tree for programs."""
    return {
        "role": tree.role or "part",
        "said": tree.said,
        "value": tree.value,
        "name": tree.name,
        "clauses": list(tree.clauses),
        "file": tree.file,
        "line": tree.line,
        "parts": [tree_json(part) for part in tree.parts],
    }


def _show_json(
    where: "Standing", what: str | None, everything: bool, seat: int | None, trees: "list[Explained]"
) -> None:
    from rulelang.tools.standing import where_json

    outcome = where.match.outcome
    show_json(
        where_json(where)
        | {
            "what": what,
            "shown_to": None if seat is None else seat + 1,
            "everything": everything,
            "outcome": None if outcome is None else outcome_words(outcome),
            "trees": [tree_json(tree) for tree in trees],
        }
    )
