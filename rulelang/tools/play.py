"""``rulelang play``: a game in the terminal, for people and automatic players."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from rulelang.tools.ending import OK, Misused, diagnosed_record, leave
from rulelang.tools.loading import configure, find, open_program
from rulelang.tools.options import (
    Measure,
    cache_option,
    engine_option,
    example,
    format_option,
    new_seed,
    option_option,
    read_seats,
    ruleset_argument,
    seed_option,
)
from rulelang.tools.players import agents_named
from rulelang.tools.saying import many, outcome_json, outcome_words, show, show_json

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.play.agents import Agent
    from rulelang.play.engine import Game
    from rulelang.play.match import Match
    from rulelang.tools.desk import Desk

SLOWEST: Final = 0.001
"""How slow table time may go, as a part of the wall's; slower, a game would not end in anybody's life."""

FASTEST: Final = 1_000_000

LONGEST_NAME: Final = 60
"""Letters of a game's name that the name of its record keeps; with all of them it might be too long for a file."""


def _read_pace(context: click.Context, parameter: click.Parameter, given: str | None) -> float | None:
    """The number behind ``--pace``. Its bounds leave a gap above 0, so they stand in the help text."""
    pace = None if given is None else float(Measure(0, FASTEST).convert(given, parameter, context))
    if pace is not None and 0 < pace < SLOWEST:
        raise Misused(f"'--pace' is 0 or at least {SLOWEST}.")
    return pace


@click.command(
    epilog=example(
        "rulelang play tic-tac-toe --seats random,random --seed 7",
        "rulelang play leduc-poker --seats random,random --seed 7 --record game.record.jsonl",
    )
)
@ruleset_argument(required=False)
@click.option(
    "--seats",
    metavar="PLAYERS",
    help="A player for every seat: human, random, advised, mc:N, uct:N or a plug-in. Default: human, then random.",
)
@option_option()
@seed_option()
@click.option("--record", metavar="FILE", help="Keep the game in a new file while it is played.")
@click.option("--resume", metavar="FILE", help="Go on with the game of a record.")
@click.option(
    "--pace",
    callback=_read_pace,
    metavar="N",
    help="In games in time: N times as fast as a clock on the wall, from 0.001 to 1000000; 0: simulated time. "
    "Default: 1 with people, else 0.",
)
@click.option("--names", metavar="NAMES", help="What players are called: Ann,Ben. For games in time and '--table'.")
@click.option("--table", is_flag=True, help="People sit around one keyboard and talk: every line says who does it.")
@engine_option()
@format_option("text", "json")
@cache_option()
def command(
    name: str | None,
    seats: str | None,
    resume: str | None,
    form: str,
    pace: float | None,
    names: str | None,
    table: bool,
    **rest: Any,
) -> int:
    """Play a game in the terminal.

    A person sees what their seat may see and types moves; several people at one keyboard hand it over. In the game,
    '?' explains what can be typed. Without people, the game is shown as a spectator sees it. A game that people
    leave, or whose input ends, is kept in a new file in the current folder; the last line on stderr tells its name.

    Where a game has timers, time goes on while you think; what is typed counts at the moment of Enter.
    """
    words = read_seats(seats)
    live = Live(pace, tuple(_names(names)), table)
    if words is None and live.names and resume is None:
        words = ["human"] * len(live.names) if table else ["human"] + ["random"] * (len(live.names) - 1)
    if resume is not None:
        if rest["record"] is not None or rest["seed"] is not None or rest["options"]:
            raise Misused("'--resume' takes the seed, the options and the record's file from the record.")
        return resume_game(Path(resume), name, words, rest["engine"], form, rest["use_cache"], live)
    if name is None:
        raise Misused("Say which game: rulelang play NAME. 'rulelang rules' lists them.")
    return _new_game(name, words, form, live, **rest)


@attrs.frozen
class Live:
    """How a game goes on in time."""

    pace: float | None = None
    """How many times as fast as the clock on the wall; 0 is simulated time, None the default."""
    names: tuple[str, ...] = ()
    """What the players are called; none: they are numbered."""
    table: bool = False
    """Whether people sit around the screen."""


def _names(text: str | None) -> list[str]:
    """Names of players, as they are typed behind ``--names``."""
    from rulelang.play.words import plain
    from rulelang.tools.live import COMMANDS, TABLE

    names = [] if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        if not name or ":" in name or plain(name) in (TABLE, *COMMANDS) or not name.isprintable():
            raise Misused(f"'{name}' cannot be the name of a player.")
    if len({plain(name) for name in names}) < len(names):
        raise Misused("Two players have the same name.")
    return names


def _new_game(
    name: str,
    words: list[str] | None,
    form: str,
    live: Live,
    options: dict[str, str],
    seed: int | None,
    record: str | None,
    engine: str,
    use_cache: bool,
) -> int:
    from rulelang.play.match import Match
    from rulelang.play.record import RecordFault

    path = find(name)
    program = open_program(path, use_cache=use_cache)
    words = words or ["human"] + ["human" if live.table else "random"] * (program.fewest_seats - 1)
    agents = agents_named(words, path.parent)
    _check_form(form, agents)
    _check_live(live, agents, program)
    game = configure(program, engine, len(words), options)
    seed = new_seed(seed)
    keeper: AbstractContextManager[Any] = nullcontext()
    if record is None:
        match = Match(game, seed, engine=engine)
    else:
        from rulelang.play.live import start_live

        try:
            match, keeper = start_live(Path(record), game, seed, engine=engine)
        except RecordFault as fault:
            raise diagnosed_record(fault, record) from None
    with keeper:
        return _Table(name, match, words, agents, record, form, live).run()


def resume_game(
    path: Path,
    name: str | None,
    words: list[str] | None,
    engine: str,
    form: str,
    use_cache: bool,
    live: Live | None = None,
) -> int:
    """Go on with the game of a record, in the same file."""
    from rulelang.play.live import resume_live
    from rulelang.play.record import RecordFault

    try:
        game, header = game_of_record(path, name, engine, use_cache)
        words = words or ["human"] * header.seats
        if len(words) != header.seats:
            raise Misused(f"The record is of a game for {many(header.seats, 'seat')}, not {len(words)}.")
        agents = agents_named(words, find(name or header.ruleset).parent)
        _check_form(form, agents)
        live = live or Live()
        _check_live(live, agents, game.program)
        match, keeper = resume_live(path, game)
    except RecordFault as fault:
        raise diagnosed_record(fault, str(path)) from None
    with keeper:
        return _Table(name or header.ruleset, match, words, agents, str(path), form, live).run()


def game_of_record(path: Path, name: str | None, engine: str, use_cache: bool) -> "tuple[Game, Any]":
    """The configured game that a record is of, and the record's header. Raises RecordFault, Diagnosed."""
    from rulelang.failures import Refused
    from rulelang.play.record import RecordFault
    from rulelang.play.record_reading import read_header

    header = read_header(path)
    program = open_program(name or _ruleset_of(header.ruleset), use_cache=use_cache)
    try:
        return configure(program, engine, header.seats, game_options(header)), header
    except Refused as refused:
        said = " ".join(reason.words for reason in refused.reasons)
        raise RecordFault("RL9021", 1, f"This record is of another game, or of other rules. {said}") from None


def game_options(header: Any) -> dict[str, str]:
    """The options of a record as they are chosen."""
    return {
        key: ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for key, value in header.options.items()
    }


def _ruleset_of(name: str) -> str:
    """The name of the rules as a record gives it: it may be a name, but no way to some file. Raises Diagnosed."""
    from rulelang.diagnostics.codes import UNKNOWN_RULESET
    from rulelang.diagnostics.diagnostic import diagnose
    from rulelang.diagnostics.reading import is_file
    from rulelang.failures import Diagnosed
    from rulelang.rulesets import all_rulesets

    if name in dict(all_rulesets()) or (Path(name).name == name and is_file(Path(name) / f"{name}.rules")):
        return name
    hint = "say where the rules of this record are: '--rules PATH' for replay, 'play PATH --resume FILE' to go on"
    raise Diagnosed([diagnose(UNKNOWN_RULESET, word=name, hint=hint)])


def _check_form(form: str, agents: "Sequence[Agent | None]") -> None:
    if form == "json" and None in agents:
        raise Misused("'--format json' is for games without human seats.")


def _check_live(live: Live, agents: "Sequence[Agent | None]", program: "Program") -> None:
    """Refuse what does not go together."""
    timed = program.clock is not None
    if live.names and len(live.names) != len(agents):
        raise Misused(
            f"There {'is' if len(live.names) == 1 else 'are'} {many(len(live.names), 'name')} "
            f"for {many(len(agents), 'seat')}."
        )
    if live.pace is not None and not timed:
        raise Misused("'--pace' is for games with timers; this one has none.")
    if live.table and None not in agents:
        raise Misused("'--table' is for people; nobody here is one.")
    if live.names and not live.table and (not timed or None not in agents):
        raise Misused("'--names' is for people in games with timers, and for '--table'.")


class _Table:
    """A match, who plays it, and where it is kept."""

    def __init__(
        self,
        name: str,
        match: "Match",
        words: list[str],
        agents: "list[Agent | None]",
        record: str | None,
        form: str,
        live: Live,
    ) -> None:
        self._name = name
        self._match = match
        self._words = words
        self._agents = agents
        self._record = record
        self._form = form
        self._live = live

    def run(self) -> int:
        """Play to the end, or until somebody stops; what was played is never lost."""
        from rulelang.tools.live import LiveSession
        from rulelang.tools.session import Quit, Session

        try:
            if None not in self._agents:
                self._watch()
            elif self._live.table or self._match.game.program.clock is not None:
                self._head()
                LiveSession(self._match, self._agents, self._live.names, self._desk(1), table=self._live.table).run()
            else:
                self._head()
                Session(self._match, self._agents).run()
        except Quit:
            show(self._kept(), err=True)
            return OK
        except (KeyboardInterrupt, EOFError):
            click.echo()
            leave(self._kept())
        if self._record is not None:
            show(f"record: {self._record}", err=True)
        return OK

    def _desk(self, usual: float) -> "Desk":
        """The clock and the keyboard; ``usual`` is the pace if none is said."""
        from rulelang.tools.desk import desk_for

        return desk_for(usual if self._live.pace is None else self._live.pace, self._match.now)

    def _head(self) -> None:
        program, seed = self._match.game.program, self._match.seed
        show(f"{program.title}: {', '.join(self._words)}; seed {seed}")

    def _kept(self) -> str:
        """Keep the game, if that was not done all along, and say how to go on; the last line tells the file's name."""
        from rulelang.play.event import Outcome
        from rulelang.play.record import RecordFault, write_record

        path = self._record
        if path is None:
            if all(isinstance(event, Outcome) for event in self._match.events):
                return "Nobody has moved: nothing is kept."
            path = _free_name(self._match.game.program.name, self._match.seed)
            try:
                write_record(Path(path), self._match.game.program, self._match.record)
            except RecordFault as fault:
                raise diagnosed_record(fault, path) from None
        import shlex

        seats = ",".join(self._words)
        go_on = f"rulelang play {shlex.quote(self._name)} --resume {shlex.quote(path)} --seats {shlex.quote(seats)}"
        go_on += " --table" if self._live.table else ""
        go_on += f" --names {shlex.quote(','.join(self._live.names))}" if self._live.names else ""
        go_on += f" --pace {self._live.pace:g}" if self._live.pace is not None else ""
        look = f"rulelang replay {shlex.quote(path)} --rules {shlex.quote(self._name)}"
        return f"  go on:   {go_on}\n  look at: {look}\nThe game is kept in {path}"

    # ------------------------------------------------------------------ without people

    def _watch(self) -> None:
        """Play by automatic players alone, told as to a spectator."""
        from rulelang.tools.narrate import Narrator, step_json, step_lines
        from rulelang.tools.table import table_lines

        match, program = self._match, self._match.game.program
        narrator = Narrator(program, None, match.state)
        if self._form == "json":
            show_json(start_json(match, self._words), lines=True)
        else:
            self._head()
        desk = self._desk(0)
        self._pause(desk)
        while match.go_on(self._agents):
            self._tell(narrator, step_json, step_lines)
            self._pause(desk)
        self._tell(narrator, step_json, step_lines)
        outcome = match.outcome
        assert outcome is not None
        if self._form == "json":
            show_json(outcome_json(outcome), lines=True)
            return
        for line in ("", *table_lines(program, match.state.view(None)), ""):
            show(line)
        show(f"Result: {outcome_words(outcome)}")

    def _pause(self, desk: "Desk") -> None:
        """Wait until the next thing happens, where time runs."""
        match = self._match
        if desk.runs and match.advance_chance().waiting.kind != "over":
            proposal, due = match.proposal(self._agents), match.state.deadline
            times = [proposal.time] if proposal is not None else []
            desk.pause(min([*times, due[1]] if due is not None else times, default=match.now))

    def _tell(self, narrator: Any, as_json: Any, as_lines: Any) -> None:
        program = self._match.game.program
        for step in narrator.until(self._match.state):
            if self._form == "json":
                show_json(as_json(program, step), lines=True)
            else:
                for line in as_lines(program, step):
                    show(line)


def start_json(match: "Match", players: list[str] | None) -> dict[str, Any]:
    """The first line of a game told in JSON."""
    header = match.record.header
    data: dict[str, Any] = {
        "type": "start",
        "ruleset": header.ruleset,
        "title": match.game.program.title,
        "seats": header.seats,
        "options": dict(header.options),
        "seed": header.seed,
    }
    return data | ({"players": players} if players is not None else {})


def _free_name(ruleset: str, seed: int) -> str:
    """A file name that is not taken."""
    for number in range(1, 1000):
        ruleset = re.sub(r"[^\w-]+", "-", ruleset).strip("-")[:LONGEST_NAME] or "game"
        name = f"{ruleset}-{seed}{'' if number == 1 else f'-{number}'}.record.jsonl"
        if not Path(name).exists():
            return name
    return f"{ruleset}-{seed}-more.record.jsonl"
