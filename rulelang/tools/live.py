"""People at a table where time goes on: whoever wants to types, and it counts at the moment of Enter. Spec 11.

One keyboard serves everybody: ``NAME: MOVE``, without the name where it is clear who speaks. Timers run out by
themselves while the keyboard is waited for, and automatic players act when they have come to it. Several people whose
cards are hidden look at them one after the other, and what was shown is cleared from the screen again. What is told to
all depends on nothing that only one of them may see.

All time comes from the desk (``rulelang.tools.desk``), in milliseconds of table time.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click

from rulelang.diagnostics.diagnostic import printable
from rulelang.failures import Exhausted, Refused
from rulelang.play import kinds
from rulelang.play.agents import Agent, agent_of
from rulelang.play.engine import State
from rulelang.play.event import Answer, Play, Reading
from rulelang.play.hearing import Hearing
from rulelang.play.match import Match
from rulelang.play.simulating import Proposal
from rulelang.play.times import clock_text, left_text
from rulelang.play.words import move_text, plain, seat_name
from rulelang.tools.desk import Desk
from rulelang.tools.explain import all_reasons, offered_lines, refusal_lines
from rulelang.tools.narrate import Narrator, Step, observed_words, step_lines
from rulelang.tools.saying import cut, in_columns, outcome_words, reason_lines, show
from rulelang.tools.session import LISTED, Quit, clear_screen, has_secrets
from rulelang.tools.short import named, read_short
from rulelang.tools.table import open_lines, own_lines, short_lines, table_lines

COMMANDS: Final = ("?", "why", "moves", "view", "look", "log", "undo", "quit")

TABLE: Final = "table"
"""Who presses the button for what belongs to no seat. Spec 12.1."""

NOTHING: Final = "[no visible change]"
"""Stands behind an act after which everything looks as before: else whoever typed it waits for something to come."""


class LiveSession:
    """One match at which people act when they want to."""

    def __init__(
        self, match: Match, agents: Sequence[Agent | None], names: Sequence[str], desk: Desk, *, table: bool = False
    ) -> None:
        """``names`` are what the seats are called; none: they are numbered. ``table``: people sit around the screen,
        so that it shows what everybody may see, even to one person alone.
        """
        self._match = match
        self._program = match.game.program
        self._agents = [*agents, None] if table else list(agents)
        self._names = list(names)
        self._desk = desk
        humans = [seat for seat, agent in enumerate(agents) if agent is None]
        self._alone = humans[0] if len(humans) == 1 and not table else None
        self._secret = self._alone is None and has_secrets(self._program)
        self._narrator = Narrator(self._program, self._alone, match.state)
        self._hearing = Hearing(self._program)
        self._able: tuple[State | None, str] = None, ""
        """Who may do what, and when that was worked out."""
        self._acted: State | None = None
        """What somebody's act has been made upon, until it is told."""
        self._typed: tuple[int, str] | None = None
        """A line that was typed, and when, as long as something else came before it."""
        self._looking: tuple[int, bool] | None = None
        """Who wants to look at what only they may see, and whether they do."""
        self._prompted = False
        """Whether the prompt is the last thing on the screen."""

    def run(self) -> None:
        """Play to the end. Raises Quit, EOFError and KeyboardInterrupt when the players stop, and Exhausted."""
        self._match.advance_chance()
        self._news()
        self._show_table("'view all'")
        self._say("? explains what can be typed.")
        while self._match.advance_chance().waiting.kind != "over":
            self._news()
            self._next()
        self._looking = None
        self._news()
        self._show_table()
        assert self._match.outcome is not None
        self._say(f"Result: {outcome_words(self._match.outcome)}")

    # ------------------------------------------------------------------ what happens next

    def _next(self) -> None:
        """One thing happens: a timer runs out, an automatic player acts, or somebody types a line."""
        match = self._match
        proposal, due = match.proposal(self._agents), match.state.deadline
        times = [] if proposal is None else [proposal.time]
        until = min([*times, due[1]] if due is not None else times, default=None)
        if self._typed is None and (until is None or until > self._desk.now()):
            self._wait(until)
        now = self._desk.now() if self._typed is None else self._typed[0]
        if due is not None and due[1] <= now and (proposal is None or due[1] <= proposal.time):
            match.expire()
        elif proposal is not None and proposal.time <= now:
            self._carry_out(proposal)
        elif self._typed is not None:
            _, line = self._typed
            self._typed = None
            self._line(line, now)

    def _wait(self, until: int | None) -> None:
        """Wait for a line, until something else happens."""
        if until is None and all(agent_of(self._agents, seat) is not None for seat in self._match.missing):
            raise self._match.stuck()
        self._prompt()
        asked = None if self._looking is not None and not self._desk.runs else until  # that Enter belongs to the look
        line = self._desk.line(asked, self._refresh)
        if line is not None:
            self._prompted = False
            if not sys.stdin.isatty():
                show(f"> {line}")
            self._typed = max(self._desk.now(), self._match.now), line

    def _carry_out(self, proposal: Proposal) -> None:
        """What an automatic player has come to."""
        match = self._match
        if proposal.time > match.now:
            match.read(proposal.time)
        if not match.explain(proposal.answer):
            match.submit(proposal.answer)

    # ------------------------------------------------------------------ the screen

    def _say(self, text: str = "") -> None:
        """Print lines; a prompt that waits for something is taken away first."""
        if self._prompted and sys.stdout.isatty():
            click.echo("\r\x1b[K\x1b[1A\x1b[K", nl=False)
        self._prompted = False
        show(self._called(text))

    def _news(self) -> None:
        """What has happened since it was last told; not while somebody looks at what others must not see."""
        if self._looking is not None and self._looking[1]:
            return
        steps = list(self._narrator.until(self._match.state))
        idle, self._acted = self._is_idle(steps), None
        for step in steps:
            for line in step_lines(self._program, step, numbered=False):
                self._say(f"{line}   {NOTHING}" if idle and step is steps[-1] else line)

    def _is_idle(self, steps: Sequence[Step]) -> bool:
        """Whether after somebody's act everything looks as before. What is said needs to change nothing."""
        before, state = self._acted, self._match.state
        if before is None or not steps or any(step.changes for step in steps) or state.waiting != before.waiting:
            return False
        event = state.event
        return isinstance(event, Play) and not kinds.is_spoken(self._program.moves[event.move])

    def _show_table(self, how: str = "") -> None:
        """The table in short; ``how``: what to type to see the rest."""
        self._say()
        for line in short_lines(self._program, self._match.state.view(self._alone), self._desk.now(), how=how):
            self._say(line)
        self._say()

    def _prompt(self) -> None:
        """The time, the timers that run, and who may do what."""
        if self._prompted:
            return
        show(self._row())
        if sys.stdout.isatty():
            click.echo("> ", nl=False)
            sys.stdout.flush()
        self._prompted = True

    def _refresh(self) -> None:
        """The line above the typed one, with the time that it is now."""
        click.echo(f"\x1b7\x1b[1A\r{self._row()}\x1b[K\x1b8", nl=False)
        sys.stdout.flush()

    def _row(self) -> str:
        """What stands above the typed line. On a terminal it takes one row, so that it can be written over."""
        text = printable(self._status())
        return cut(text, shutil.get_terminal_size().columns - 1) if sys.stdout.isatty() else text

    def _status(self) -> str:
        if self._looking is not None:
            who, shown = self._name(self._looking[0]), self._looking[1]
            if shown:
                return "Enter hides it again. 'why MOVE' says what is in the way, 'moves' what is possible."
            return f"Only {who} looks at the screen now: Enter."
        parts: list[str] = []
        now = self._desk.now()
        if self._program.clock is not None:
            parts.append(clock_text(now))
            parts += [f"{name} {left_text(max(0, left))}" for name, left in self._running(now)]
        words = self._match.state.waiting.words
        parts.append(self._who_may() + (f" ({words})" if words else ""))
        return self._called("  ".join(parts))

    def _who_may(self) -> str:
        """Who may do what, as far as everybody knows."""
        state = self._match.state
        if self._able[0] is not state or state.waiting.kind == "sealed":
            self._able = state, "; ".join(self._groups())
        return self._able[1]

    def _groups(self) -> Iterator[str]:
        """``Ann: hint or draw``: the moves that the same people may make."""
        state, asked = self._match.state, self._match.missing
        waiting = state.waiting
        able = self._hearing.who_may(state, asked) if waiting.kind == "anyone" else {}
        groups: dict[tuple[int, ...], list[str]] = {}
        for move in waiting.moves:
            if move in able or not able:
                groups.setdefault(able.get(move, asked), []).append(self._program.moves[move].name)
        if waiting.may_pass:
            groups.setdefault(asked, []).append("pass")
        for seats, names in groups.items():
            everybody = len(groups) > 1 and len(seats) == self._seats() > 2
            who = "everybody" if everybody else ", ".join(self._name(seat) for seat in seats)
            yield f"{who}: {' or '.join(names)}"

    def _running(self, now: int) -> Iterator[tuple[str, int]]:
        """Every timer that runs, with what is left of it (ms)."""
        seen = {each.slot: each.value for each in self._match.state.view(None).seen}
        for timer in self._program.timers:
            end = seen[timer.end]
            if isinstance(end, int) and end >= 0:
                yield timer.name, end - now

    def _name(self, seat: int) -> str:
        """What a seat is called."""
        if seat < len(self._names):
            return self._names[seat]
        return TABLE if seat >= self._seats() else seat_name(seat)

    def _seats(self) -> int:
        return self._match.record.header.seats

    def _called(self, text: str) -> str:
        """A text about seats, with the names of people."""
        return re.sub(r"\b[Ss]eat ([0-9]+)\b", self._called_seat, text) if self._names else text

    def _called_seat(self, found: re.Match[str]) -> str:
        seat = int(found[1]) - 1
        return self._names[seat] if 0 <= seat < len(self._names) else found[0]

    # ------------------------------------------------------------------ what was typed

    def _line(self, line: str, now: int) -> None:
        """Do what was typed at this time."""
        if self._looking is not None and not self._look_on(line):
            return
        if not line:
            return
        seat, text = None, line
        try:
            seat, text = self._who(line)
            self._do(seat, text, now, named=text != line)
        except Refused as refused:
            self._refused(refused)
            if len(refused.reasons) > 1:
                who = "" if seat is None or self._alone is not None else f"{self._name(seat)}: "
                self._say(f"  There are more reasons: '{who}why {text}'.")
        except Exhausted as failure:
            self._say(f"  {failure}")

    def _refused(self, refused: Refused) -> None:
        for said in reason_lines(refused.reasons[0]):
            self._say(f"  {said}")

    def _who(self, line: str) -> tuple[int | None, str]:
        """The seat that a line names, or the only one that it can mean; and the rest of it. Raises Refused."""
        lead = ":" if line.startswith(":") else ""
        head, colon, rest = line.removeprefix(":").partition(":")
        if colon and head.strip():
            word, _, name = head.strip().partition(" ")
            if name and word.casefold() in COMMANDS and not self._begins_a_name(head):
                return self._seat(name), f"{lead}{word} {rest.strip()}"  # 'why ann: touch b2'
            if not lead:
                return self._seat(head), rest.strip()
        if self._alone is not None:
            return self._alone, line
        asked = [seat for seat in self._match.missing if agent_of(self._agents, seat) is None]
        return asked[0] if len(asked) == 1 else None, line

    def _begins_a_name(self, text: str) -> bool:
        return any(plain(name).startswith(plain(text)) for name in self._names)

    def _seat(self, text: str) -> int:
        """Which seat a name means. Raises Refused if none does, or several do."""
        from rulelang.diagnostics.codes import NO_SUCH_SEAT
        from rulelang.play.reasons import engine_refusal

        seats = self._seats()
        known = [*(self._name(seat) for seat in range(seats)), TABLE]
        found = re.fullmatch(r"(?:seat\s*)?([0-9]{1,2})", plain(text))
        if found and plain(text) not in [plain(name) for name in known] and 1 <= int(found[1]) <= seats:
            seat: int | None = int(found[1]) - 1
        else:
            seat = named(text, known)
        if seat is None:
            words = f"Nobody here is called '{text.strip()}'; there are {', '.join(known[:-1])}."
            raise Refused([engine_refusal("no_such_seat", NO_SUCH_SEAT, words)])
        if agent_of(self._agents, seat) is not None:
            words = f"An automatic player sits at {self._name(seat)}."
            raise Refused([engine_refusal("no_such_seat", NO_SUCH_SEAT, words)])
        return seat

    def _do(self, seat: int | None, text: str, now: int, *, named: bool) -> None:
        """A command, or a move. Raises Refused, Exhausted."""
        name, rest = self._command_in(text)
        if name:
            self._command(seat, name, rest, named=named)
        elif seat is None:
            self._say(f"  Say who it is: {self._name(self._match.missing[0])}: {text}")
        else:
            self._act(seat, text, now)

    def _command_in(self, text: str) -> tuple[str, str]:
        """The command that is typed, and what stands behind it; nothing if it is none."""
        word, _, rest = text.partition(" ")
        name = word.removeprefix(":").casefold()
        if name in COMMANDS and (word.startswith(":") or not self._is_move(word)):
            return name, rest.strip()
        return "", text

    def _is_move(self, word: str) -> bool:
        return any(plain(move.name) == plain(word) for move in self._program.moves)

    def _act(self, seat: int, text: str, now: int) -> None:
        """A move, at the time when it was typed. Raises Refused, Exhausted."""
        match = self._match
        answer = read_short(match.state, seat, text)
        if self._program.clock is not None:
            if not match.sealed:
                self._try(answer, now)
            match.read(now)
        before, state = len(match.events), match.state
        match.submit(answer)
        self._acted = state
        if len(match.events) == before:  # sealed, and others are missing
            if self._secret:
                clear_screen()
            self._say(f"  {self._name(seat)} has answered.")

    def _try(self, answer: Answer, now: int) -> None:
        """Raises Refused where an act would be: the clock is not read for it, so that undo finds the last act."""
        reasons = self._match.state.step(Reading(now)).refusals(answer)
        if reasons:
            raise Refused(reasons)

    def _command(self, seat: int | None, name: str, rest: str, *, named: bool) -> None:
        """``named``: the line says who it is."""
        match = self._match
        if name == "quit":
            raise Quit
        if name == "undo":
            match.undo(seat if named or match.sealed else None)
            self._narrator.rewind(match.state)
            self._say("  Taken back.")
        elif name == "look" and self._secret and seat is not None and seat < self._seats():
            self._looking = seat, False
        else:
            for line in self._told(seat, name, rest):
                self._say(f"  {line}")

    def _told(self, seat: int | None, name: str, rest: str) -> Iterator[str]:
        match = self._match
        if name == "?":
            yield self._status()
            yield from offered_lines(self._program, match.state.waiting)
            yield from self._help()
        elif name in ("view", "look"):
            view, now = match.state.view(self._alone), self._desk.now()
            whole = plain(rest) == "all"
            yield from (
                table_lines(self._program, view, now)
                if whole
                else short_lines(self._program, view, now, how=f"'{name} all'")
            )
        elif name == "log":
            yield from (observed_words(self._program, each) for each in match.log(self._alone))
        elif seat is None:
            yield f"Say for whom: {self._name(match.missing[0])}: {name} {rest}".rstrip()
        elif name == "why":
            yield from self._why(seat, rest, overheard=self._secret)
        elif self._secret:
            yield f"That could tell others what they must not know. '{self._name(seat)}: look' shows it."
        else:
            yield from self._moves(seat)

    def _why(self, seat: int, text: str, *, overheard: bool) -> Iterator[str]:
        """Every reason against a move; ``overheard``: those that everybody may hear. Raises Refused, Exhausted."""
        if not text:
            yield "Write the move too: why MOVE."
            return
        answer = read_short(self._match.state, seat, text, overheard=overheard)
        if not overheard:
            yield from all_reasons(self._match.explain(answer))
            return
        heard = self._hearing.why(self._match, answer)
        if heard.whole:
            yield from all_reasons(heard.reasons)
            return
        for reason in heard.reasons:
            yield from refusal_lines(reason)
        who, move = self._name(seat), move_text(self._program, answer)
        told = "Anything else" if heard.reasons else "Nothing that everybody sees is in the way. The rest"
        yield f"{told} may only be told to {who}: '{who}: look', Enter, 'why {move}'."

    def _help(self) -> Iterator[str]:
        who = "" if self._alone is not None else f"{self._name(self._match.missing[0])}: "
        yield f"Type {who}MOVE. Beginnings of words are enough, and blanks instead of brackets: t b2 for touch(b2)."
        if not self._desk.runs:
            yield "Enter alone lets time go on to the next thing that happens."
        if self._secret:
            yield "  NAME: look   what only NAME may see; nobody else looks"
            yield f"  {who}why MOVE   why it is not possible, as far as everybody may hear it"
        else:
            yield f"  {who}why MOVE   why it is not possible      {who}moves   all moves"
        yield "  view   the table      view all   also what is empty      log    what has happened"
        yield "  undo   the last act back      quit   leave; the game is kept"

    def _moves(self, seat: int) -> Iterator[str]:
        """What a seat may do now."""
        answers: Sequence[Answer] = self._match.state.moves(seat)
        words = [move_text(self._program, answer) for answer in answers[:LISTED]]
        yield from in_columns(words, shutil.get_terminal_size().columns - 4) if len(words) > 6 else words
        if len(answers) > LISTED:
            yield f"... and {len(answers) - LISTED} more"

    # ------------------------------------------------------------------ what only one may see

    def _look_on(self, line: str) -> bool:
        """Enter shows what only one may see, and the next Enter takes it away. Whether the line is still to be done:
        whatever else is typed ends the look, as somebody else may be in a hurry.
        """
        assert self._looking is not None
        seat, shown = self._looking
        if shown and self._asked_in_private(seat, line):
            return False
        if line and not shown:
            self._looking = None
            self._say(f"  {self._name(seat)} has not looked.")
            return True
        clear_screen()
        self._prompted = False
        self._looking = None if shown else (seat, True)
        if not shown:
            self._show_own(seat)
        else:
            self._show_table("'view all'")
        if line:
            self._say(f"  {self._name(seat)} looks no longer.")
        return bool(line)

    def _show_own(self, seat: int) -> None:
        """The table as a seat sees it. What only this seat sees comes last: the rest may scroll away."""
        view, others = self._match.state.view(seat), self._match.state.view(None)
        self._say()
        for line in open_lines(self._program, view, others, self._desk.now()):
            self._say(line)
        self._say()
        self._say_indented(self._moves(seat))
        own = list(own_lines(self._program, view, others))
        self._say(f"Only {self._name(seat)} sees:" if own else f"{self._name(seat)} sees no more than the others.")
        self._say_indented(own)

    def _asked_in_private(self, seat: int, line: str) -> bool:
        """Answer who looks, if that is what was typed: a question that not everybody may hear the answer of."""
        try:
            who, text = self._who(line) if ":" in line[1:] else (seat, line)
        except Refused:  # it is told when the look has ended
            return False
        name, rest = self._command_in(text)
        if who != seat or name not in ("why", "moves"):
            return False
        try:
            self._say_indented(self._moves(seat) if name == "moves" else self._why(seat, rest, overheard=False))
        except Refused as refused:
            self._refused(refused)
        return True

    def _say_indented(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._say(f"  {line}")
        except Exhausted as failure:
            self._say(f"  {failure}")
