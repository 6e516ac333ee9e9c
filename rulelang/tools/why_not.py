"""``rulelang why-not``: every reason against a move at some moment of a game, or that it is possible. Spec 8.5."""

from typing import TYPE_CHECKING, Any

import click

from rulelang.tools.ending import OK
from rulelang.tools.options import (
    cache_option,
    engine_option,
    example,
    format_option,
    option_option,
    seed_option,
)
from rulelang.tools.saying import show, show_json

if TYPE_CHECKING:
    from rulelang.play.event import Answer
    from rulelang.play.refusal import Refusal
    from rulelang.tools.standing import Standing


@click.command(
    "why-not",
    epilog=example(
        'rulelang why-not game.record.jsonl:2 "place(b2)"', "rulelang why-not liars-dice call_liar --seed 7"
    ),
)
@click.argument("target", metavar="RECORD[:STEP]|NAME")
@click.argument("move", metavar="MOVE")
@click.option("--seat", type=click.IntRange(1, 16), metavar="N", help="Who wants to move. Default: who is asked.")
@click.option("--rules", metavar="NAME|PATH", help="The rules, if the name in the record does not find them.")
@click.option("--seats", type=click.IntRange(1, 16), metavar="N", help="Without a record: number of seats.")
@option_option()
@seed_option()
@engine_option()
@format_option("text", "json")
@cache_option()
def command(target: str, move: str, seat: int | None, form: str, **rest: Any) -> int:
    """Say why a move is not possible, or that it is.

    RECORD:STEP is the moment after so many events of a record, RECORD alone its end, NAME the start of a game. Every
    reason is listed in order, with its clauses, the values that show it, and the line of the rules.
    """
    from rulelang.play.words import read_move
    from rulelang.tools.standing import seat_named, standing

    where = standing(target, **rest)
    asked = where.match.state.waiting.seats
    who = seat_named(where, seat)
    who = who if who is not None else asked[0] if asked else 0
    answer = read_move(where.match.game.program, who, move)
    reasons = where.match.explain(answer)
    if form == "json":
        show_json(_json(where, answer, reasons))
    else:
        _show(where, answer, reasons)
    return OK


def _show(where: "Standing", answer: "Answer", reasons: "tuple[Refusal, ...]") -> None:
    from rulelang.play import kinds
    from rulelang.play.words import move_text, seat_name
    from rulelang.tools.explain import refusal_lines
    from rulelang.tools.standing import where_said

    program = where.match.game.program
    seat = seat_name(answer.seat, kinds.seat_count(program))
    show(f"{where_said(where)}, {seat}: {move_text(program, answer)}")
    if not reasons:
        show("It is possible.")
    for reason in reasons:
        for line in refusal_lines(reason):
            show(line)


def _json(where: "Standing", answer: "Answer", reasons: "tuple[Refusal, ...]") -> dict[str, Any]:
    from rulelang.play.words import move_text
    from rulelang.tools.standing import where_json

    return where_json(where) | {
        "seat": answer.seat + 1,
        "move": move_text(where.match.game.program, answer),
        "possible": not reasons,
        "reasons": [
            {
                "code": reason.code,
                "number": reason.number,
                "words": reason.words,
                "clauses": list(reason.clauses),
                "witnesses": [{"name": each.name, "value": each.value} for each in reason.witnesses],
                "file": reason.file,
                "line": reason.line,
            }
            for reason in reasons
        ],
    }
