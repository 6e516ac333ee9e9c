"""People at one terminal: who sits at the keyboard sees what their seat may see, and types moves.

Several people share a keyboard only by handing it over: in a game that hides anything, or where answers are sealed,
the screen is cleared first and nothing is shown until the next one has pressed Enter. Input is read without line
editing on purpose: a history of typed lines would tell one seat what another has typed.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import click

from rulelang.failures import Exhausted, Refused
from rulelang.ir.nodes import Decide, SealedSeats
from rulelang.ir.program import Program
from rulelang.play.agents import Agent, agent_of
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.match import Match
from rulelang.play.quiet import hides
from rulelang.play.words import move_text, plain, read_move, seat_name
from rulelang.tools.explain import help_lines, why_lines
from rulelang.tools.narrate import Narrator, observed_words, step_lines
from rulelang.tools.saying import in_columns, outcome_words, reason_lines, show
from rulelang.tools.table import short_lines, table_lines

LISTED: Final = 60
"""Moves listed at once; `moves` lists all."""

LONGEST_INPUT: Final = 2000

COMMANDS: Final = ("?", "why", "moves", "view", "log", "undo", "quit")


class Quit(Exception):
    """Somebody has left the table."""


class Session:
    """One match with at least one human seat."""

    def __init__(self, match: Match, agents: Sequence[Agent | None]) -> None:
        self._match = match
        self._program = match.game.program
        self._agents = agents
        self._humans = [seat for seat, agent in enumerate(agents) if agent is None]
        self._secret = len(self._humans) > 1 and has_secrets(self._program)
        self._at_keyboard: int | None = None if self._secret else self._humans[0]
        start = match.state
        self._narrators: dict[int | None, Narrator] = {
            seat: Narrator(self._program, seat, start) for seat in (*self._humans, None)
        }

    def run(self) -> None:
        """Play to the end. Raises Quit, EOFError and KeyboardInterrupt when the players stop."""
        match = self._match
        while match.advance_chance().waiting.kind != "over":
            missing = match.missing
            seat = next((each for each in missing if agent_of(self._agents, each) is not None), missing[0])
            agent = agent_of(self._agents, seat)
            if agent is not None:
                match.submit(match.chosen(seat, agent))
            else:
                self._turn(seat)
        self._end()

    def _end(self) -> None:
        assert self._match.outcome is not None
        viewer = self._humans[0] if len(self._humans) == 1 else None
        if self._secret:
            clear_screen()
        self._news(viewer)
        self._show_table(viewer, "")
        show(f"Result: {outcome_words(self._match.outcome)}")

    # ------------------------------------------------------------------ one turn

    def _turn(self, seat: int) -> None:
        """Let a human answer, or take something back."""
        if self._secret and seat != self._at_keyboard and not self._hand_over(seat):
            return
        self._at_keyboard = seat
        self._narrators[None].jump(self._match.state)  # at the end, spectators are told the last turn only
        self._news(seat)
        self._show_table(seat)
        answers = self._listed(seat)
        while not self._act(seat, answers, self._ask(f"{self._asked(seat)} > ")):
            pass

    def _hand_over(self, seat: int) -> bool:
        """Nothing is shown until the next player is there. Whoever leaves may still take a sealed answer back."""
        leaving = self._at_keyboard
        clear_screen()
        while True:
            line = self._ask(f"Pass the keyboard to {seat_name(seat)}, then press Enter: ").strip()
            if line in ("quit", ":quit"):
                raise Quit
            if line in ("undo", ":undo") and leaving is not None:
                if self._undo(leaving):
                    return False
                continue
            clear_screen()
            return True

    def _asked(self, seat: int) -> str:
        words = self._match.state.waiting.words
        return f"{seat_name(seat).capitalize()}{', ' + words if words else ''}"

    def _news(self, seat: int | None) -> None:
        """What this seat (None: a spectator) has seen happen since it was last told."""
        for step in self._narrators[seat].until(self._match.state):
            for line in step_lines(self._program, step, numbered=False):
                show(line)

    def _show_table(self, seat: int | None, how: str = "'view all'") -> None:
        """The table in short; ``how``: what to type to see the rest."""
        show()
        for line in short_lines(self._program, self._match.state.view(seat), how=how):
            show(line)
        show()

    def _listed(self, seat: int) -> Sequence[Answer]:
        """The seat's moves, numbered on the screen."""
        try:
            answers = self._match.state.moves(seat)
        except Exhausted as failure:
            show(f"  {failure.message} Write your move; ? shows how.")
            return ()
        if not answers:
            show(f"  {self._match.dead_end(seat)}")
            show("  'why MOVE' says what is in the way; 'undo' takes the last act back, 'quit' leaves.")
        self._list(answers, LISTED)
        return answers

    def _list(self, answers: Sequence[Answer], most: int) -> None:
        wide = len(str(min(len(answers), most)))
        words = [f"{n:>{wide}} {move_text(self._program, a)}" for n, a in enumerate(answers[:most], 1)]
        for line in in_columns(words, shutil.get_terminal_size().columns - 2) if len(words) > 6 else words:
            show(f"  {line}")
        if len(answers) > most:
            show(f"  ... and {len(answers) - most} more: 'moves' lists all.")

    # ------------------------------------------------------------------ what was typed

    def _act(self, seat: int, answers: Sequence[Answer], line: str) -> bool:
        """Do what was typed; whether the turn is over."""
        word, _, rest = line.partition(" ")
        name = word.removeprefix(":").casefold()
        if not line:
            return False
        if name in COMMANDS and (word.startswith(":") or not self._is_move(word)):
            return self._command(seat, answers, name, rest.strip())
        if line.isascii() and line.isdigit():
            return self._numbered(answers, line)
        return self._written(seat, line)

    def _written(self, seat: int, text: str) -> bool:
        try:
            answer = read_move(self._program, seat, text)
        except Refused as refused:
            for line in reason_lines(refused.reasons[0]):
                show(f"  {line}")
            return False
        return self._submit(answer)

    def _is_move(self, word: str) -> bool:
        return any(plain(move.name) == plain(word) for move in self._program.moves)

    def _numbered(self, answers: Sequence[Answer], line: str) -> bool:
        number = int(line) if len(line) < 10 else 0
        if not 1 <= number <= len(answers):
            show(f"  There is no move {line[:20]}; they are numbered from 1 to {len(answers)}.")
            return False
        return self._submit(answers[number - 1])

    def _submit(self, answer: Answer) -> bool:
        try:
            self._match.submit(answer)
        except Refused as refused:
            for line in reason_lines(refused.reasons[0]):
                show(f"  {line}")
            if len(refused.reasons) > 1:
                show("  'why' and the move tells all reasons.")
            return False
        except Exhausted as failure:
            show(f"  {failure}")
            return False
        return True

    def _command(self, seat: int, answers: Sequence[Answer], name: str, rest: str) -> bool:
        if name == "quit":
            raise Quit
        if name == "undo":
            return self._undo(seat if self._secret or self._machine_acted() else None)
        for line in self._answer_lines(seat, answers, name, rest):
            show(f"  {line}")
        return False

    def _answer_lines(self, seat: int, answers: Sequence[Answer], name: str, rest: str) -> Iterator[str]:
        if name == "?":
            yield from help_lines(self._program, self._match.state.waiting)
        elif name == "why":
            yield from why_lines(self._match, seat, answers, rest)
        elif name == "moves":
            self._list(answers, len(answers))
        elif name == "view":
            view = self._match.state.view(seat)
            if plain(rest) == "all":
                yield from table_lines(self._program, view)
            else:
                yield from short_lines(self._program, view, how="'view all'")
        elif name == "log":
            yield from (observed_words(self._program, each) for each in self._match.log(seat))

    def _machine_acted(self) -> bool:
        """Whether the last act was an automatic player's: people take back their own."""
        event = self._match.events[-1] if self._match.events else None
        return isinstance(event, Play | Pass) and agent_of(self._agents, event.seat) is not None

    def _undo(self, seat: int | None) -> bool:
        try:
            self._match.undo(seat)
        except Refused as refused:
            for line in reason_lines(refused.reasons[0]):
                show(f"  {line}")
            return False
        for narrator in self._narrators.values():
            narrator.rewind(self._match.state)
        show("  Taken back.")
        return True

    def _ask(self, prompt: str) -> str:
        """One typed line. Raises EOFError at the end of the input."""
        click.echo(prompt, nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_INPUT)
        if not line:
            raise EOFError
        while not line.endswith("\n"):
            more = sys.stdin.readline(LONGEST_INPUT)
            if not more:
                break
            line = line[:LONGEST_INPUT] + more[-1:]
        if not sys.stdin.isatty():
            show(line.rstrip("\n") if len(line) < 200 else line[:200])
        return line.strip()


def has_secrets(program: Program) -> bool:
    """Whether one seat may ever know what another does not: hidden things, or sealed answers."""
    return hides(program) or any(
        isinstance(node, Decide) and isinstance(node.asked, SealedSeats) for node in program.nodes
    )


def clear_screen() -> None:
    """Clear what was shown, scrolled lines too; where that is impossible, push it out of sight."""
    if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)
    else:
        click.echo("-" * 40)
