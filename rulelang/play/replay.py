"""Playing a record again. Spec 15.5."""

from rulelang.failures import Exhausted, Refused
from rulelang.play.engine import Game
from rulelang.play.match import Match
from rulelang.play.record import Record, RecordFault, header_of

FIRST_LINE = 2
"""The line of event 0."""


def replay(game: Game, record: Record) -> Match:
    """The match at the end of a record. Outcomes are the record's, not the seed's. Raises RecordFault.

    Where the record is resumed, new outcomes are drawn as the first match would have drawn them.
    """
    header = record.header
    wanted = header_of(game.program, header.seed, header.game, header.engine)
    if (wanted.program, wanted.seats) != (header.program, header.seats):
        raise RecordFault("RL9021", 1, f"This record is of another game than {wanted.ruleset}, or of other rules.")
    match = Match(game, header.seed, header.game, engine=header.engine)
    for number, event in enumerate(record.events):
        try:
            match.apply(event)
        except Refused as refused:
            raise _diverges(number, refused.reasons[0].words) from None
        except Exhausted as exhausted:
            raise _diverges(number, str(exhausted)) from None
    if record.ending is not None and record.ending != match.record.ending:
        line = FIRST_LINE + len(record.events)
        raise RecordFault("RL9023", line, "The game does not end as the record says.")
    return match


def _diverges(number: int, reason: str) -> RecordFault:
    return RecordFault("RL9023", FIRST_LINE + number, f"Event {number + 1} of the record is not possible: {reason}")
