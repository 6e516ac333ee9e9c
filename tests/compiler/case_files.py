"""Case files: a game, what it lowers to, and what happens when it is played. Documents for people; no Python in them.

    9.2 Changing markers

    Prose.

    === rules
    game "..."                                 a small complete game
    === data components.toml                   the data file that these rules read (6.4)
    === lowers to                              parts of the listing of ``rulelang compile --text``
    rule overview#0() begins at 0
         0  score becomes 3
    === lowers to, with 3 players, target 20   the same of the closed program
    === plays with 3 players, seed 7           what is done, and after two blanks what comes of it
    waits                         seat 1: take
    seat 1: take(9)               refused enough
    say score + 1                 4
    === refused RL6001                         rules that the checker refuses, with these codes

``carried_out`` gives back the text of a file with every answer as it really is; a case holds if that is the same text.
``RULELANG_ACCEPT=1 pytest tests/compiler`` writes the answers into the files: read them before you keep them.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir.printer import to_text
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import CollectionType, OptionalType, RecordType, SingleType, TextType, Type
from rulelang.pipeline import compile_source
from rulelang.play.chance import Stream
from rulelang.play.event import Play
from rulelang.play.match import Match
from rulelang.play.resample import Resampler
from rulelang.play.words import move_text, place_name, read_move, seat_name, speak
from rulelang.source import Source
from rulelang_reference import engine

COLUMN = 34
"""Where answers begin, if there is room."""


@attrs.frozen
class Part:
    """A section of a case: its heading without the signs, and its lines."""

    heading: str
    lines: tuple[str, ...]


@attrs.frozen
class Case:
    """One case file, taken apart."""

    title: str
    prose: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def section(self) -> str:
        """The section of the specification that it is about: ``9.2``."""
        return self.title.split(" ")[0]


def read_case(text: str) -> Case:
    """Take a case file apart."""
    opening, *parts = re.split(r"^=== ", text, flags=re.MULTILINE)
    title, *prose = opening.rstrip("\n").split("\n")
    return Case(title, tuple(prose), tuple(_part(part) for part in parts))


def _part(text: str) -> Part:
    heading, *lines = text.rstrip("\n").split("\n")
    return Part(heading, tuple(lines))


def carried_out(text: str) -> str:
    """The text of a case file with every answer as it really is."""
    case = read_case(text)
    rules, data = "", ""
    out = [case.title, *case.prose]
    for place, part in enumerate(case.parts):
        blank = [""] if text_has_blank_before(text, place) else []
        answered = part.lines
        if part.heading == "rules":
            rules, data = "\n".join(part.lines) + "\n", ""
        elif part.heading.startswith("data "):
            data = "\n".join(part.lines) + "\n"
        elif part.heading.startswith("lowers to"):
            answered = tuple(lowered(compiled(rules, data), part))
        elif part.heading.startswith("plays"):
            answered = tuple(Playing(rules, data, part).transcript())
        elif part.heading.startswith("refused"):
            codes = ", ".join(refused_codes("\n".join(part.lines) + "\n"))
            part = Part(f"refused {codes}", part.lines)
        else:
            raise AssertionError(f"no such section of a case: {part.heading}")
        out += [*blank, f"=== {part.heading}", *answered]
    return "\n".join(out) + "\n"


def text_has_blank_before(text: str, place: int) -> bool:
    """Whether an empty line stands before the section with this number."""
    pieces = re.split(r"^=== ", text, flags=re.MULTILINE)
    return pieces[place].endswith("\n\n")


# ------------------------------------------------------------------ lowering


def compiled(rules: str, data: str = "") -> Program:
    """Rules to a program; the data file lies beside them."""
    source = Source("case.rules", rules)
    with tempfile.TemporaryDirectory() as folder:
        if data:
            Path(folder, "components.toml").write_text(data, encoding="utf-8")
        return compile_source(source, "case", Path(folder)).program


def refused_codes(rules: str) -> list[str]:
    """The codes of the mistakes in rules."""
    try:
        compiled(rules)
    except Diagnosed as diagnosed:
        return sorted({diagnostic.code.number for diagnostic in diagnosed.diagnostics})
    return ["by nobody"]


def lowered(program: Program, part: Part) -> Iterator[str]:
    """The blocks of the listing whose first words stand in the section."""
    wanted = dict.fromkeys(_head(line) for line in part.lines if line and not line.startswith(" "))
    if part.heading != "lowers to":
        program = engine.configure(program, *configuration(part.heading, program)[:2]).program
    blocks: dict[str, list[str]] = {}
    current: list[str] = []
    for line in to_text(program).splitlines():
        line = re.sub(r"\s+# line \d+", "  ", line).rstrip()
        if line and not line.startswith(" "):
            current = blocks.setdefault(_head(line), [])
        if line:
            current.append(line)
    for head in wanted:
        yield from blocks.get(head, [f"{head}: not in the listing"])


def _head(line: str) -> str:
    """``rule overview`` of ``rule overview#0() begins at 0``; of the cover, the first word."""
    words = re.findall(r"\w+", line)
    return words[0] if words[0] in ("game", "players", "automatic", "closed") else " ".join(words[:2])


def configuration(heading: str, program: Program) -> tuple[int, dict[str, int | str | bool], int]:
    """Players (the fewest if not said), options and seed of ``plays with 3 players, target 20, seed 7``."""
    seats, seed = program.fewest_seats, 0
    options: dict[str, int | str | bool] = {}
    for word in heading.partition("with ")[2].split(", "):
        first, _, second = word.partition(" ")
        if second == "players":
            seats = int(first)
        elif first == "seed":
            seed = int(second)
        elif first:
            options[first] = int(second) if second.isdigit() else second
    return seats, options, seed


# ------------------------------------------------------------------ playing


class Playing:
    """One match, line by line."""

    def __init__(self, rules: str, data: str, part: Part) -> None:
        self.part = part
        self.asked_formulas = [line[4:] for line in (_act(line) for line in part.lines) if line.startswith("say ")]
        questions = "".join(
            f'\n\nmove say_{number}_aloud:\n  require said: 1 is 2 because "{{{formula}}}"'
            for number, formula in enumerate(self.asked_formulas)
        )
        self.program = compiled(rules + questions + "\n", data)
        self.seats, self.options, self.seed = configuration(part.heading, self.program)
        self.match: Any = None
        self.trouble = ""
        try:
            self.match = Match(engine.configure(self.program, self.seats, self.options), self.seed)
            self.program = self.match.game.program
        except Refused as refused:
            self.trouble = "refused " + ", ".join(reason.code for reason in refused.reasons)
        except Exhausted as exhausted:
            self.trouble = f"exhausted {exhausted.code}"
        self.formulas_said = 0
        self.words = ""

    def transcript(self) -> Iterator[str]:
        """Every line with its answer."""
        for line in self.part.lines:
            if not line or line.startswith("#"):
                yield line
                continue
            act = _act(line)
            answer = self.answer(act)
            gap = max(2, COLUMN - len(act))
            yield (act + " " * gap + answer).rstrip()

    def answer(self, act: str) -> str:
        """What comes of a line."""
        word, _, rest = act.partition(" ")
        if word == "set-up":
            return self.trouble or "done"
        if self.match is None:
            return self.trouble
        if re.match(r"(seat \d+|table): ", act):
            return self.attempt(act)
        if re.match(r"seat \d+ may$", act):
            return ", ".join(move_text(self.program, move) for move in self.state.moves(_seat(rest)))
        if re.match(r"seat \d+ sees ", act):
            return self.seen(_seat(rest), act.split(" sees ", 1)[1])
        if re.match(r"seat \d+ observed$", act):
            return self.observed(_seat(rest))
        match word:
            case "waits":
                return self.waits()
            case "words":
                return self.words
            case "choice":
                return str(self.state.waiting.words)
            case "chance":
                return self.chance(rest)
            case "everyone":
                return self.seen(None, act.split(" sees ", 1)[1])
            case "say":
                return self.formula()
            case "outcome":
                return self.outcome()
            case "cost":
                return str(self.state.cost)
            case "number":
                return str(self.match.game.number(read_move(self.program, 0, rest.removeprefix("of "))))
            case "drawn":
                before = len(self.match.events)
                self.match.advance_chance()
                return ", ".join(str(event.value) for event in self.match.events[before:])
            case "promises":
                return ", ".join(self.match.game.invariants(self.state)) or "kept"
            case "advised":
                advised = self.state.preferred(int(rest) - 1)
                return "nothing" if advised is None else move_text(self.program, advised)
            case "anew":
                return self.dealt_anew(rest)
        raise AssertionError(f"no such line: {act}")

    @property
    def state(self) -> Any:
        return self.match.state

    # ------------------------------------------------------------------ events

    def attempt(self, act: str) -> str:
        name, _, text = act.partition(": ")
        seat = self.seats if name == "table" else _seat(name.removeprefix("seat "))
        try:
            self.match.submit(read_move(self.program, seat, text))
        except Refused as refused:
            self.words = refused.reasons[0].words
            return "refused " + ", ".join(reason.code for reason in refused.reasons)
        except Exhausted as exhausted:
            self.words = exhausted.message
            return f"exhausted {exhausted.code}"
        return ""

    def chance(self, value: str) -> str:
        """``chance``: what could come; ``chance ruby``: it comes."""
        if not value:
            return ", ".join(f"{self.drawn(code)} {weight}" for code, weight in self.state.chance()) or "none"
        codes = [code for code, _ in self.state.chance() if self.drawn(code) == value]
        try:
            self.match.force(codes[0] if codes else -(10**6))
        except Refused as refused:
            return "refused " + ", ".join(reason.code for reason in refused.reasons)
        except Exhausted as exhausted:
            return f"exhausted {exhausted.code}"
        return ""

    def drawn(self, code: int) -> str:
        return speak(self.program, self.chance_kind(), code)

    def chance_kind(self) -> SingleType:
        """The kind of what is drawn: of a zone's pieces, of a marker's values, or of a die's faces."""
        match self.program.nodes[self.state.waiting.node]:
            case n.Do(effect=fx.Shuffle(pile=place)):
                return self.content(place)
            case n.Chance(distribution=n.TopOf(pile=place) | n.AnyOf(collection=ir.Read(place=place))):
                return self.content(place)
            case n.Chance(next=following):
                next_node = self.program.nodes[following]
                if isinstance(next_node, n.Branch):  # whether there was anything to roll from
                    next_node = self.program.nodes[next_node.otherwise]
                return self.rolled(next_node)
        raise AssertionError("nothing is drawn here")

    def content(self, place: ir.Place) -> SingleType:
        slot = self.program.slots[place.slot]
        assert isinstance(slot, Zone)
        return slot.content

    def rolled(self, node: n.Node) -> SingleType:
        match node:
            case n.Do(effect=fx.SetMarker(marker=place)):
                slot = self.program.slots[place.slot]
                assert isinstance(slot, Marker)
                kind: Type = slot.type
            case n.Do(effect=fx.Land(type=RecordType(fields=(_, face)))):
                kind = face.type
            case _:
                raise AssertionError("nothing is rolled here")
        while isinstance(kind, OptionalType):
            kind = kind.of
        assert not isinstance(kind, CollectionType | TextType)
        return kind

    # ------------------------------------------------------------------ looking

    def waits(self) -> str:
        waiting = self.state.waiting
        names = " or ".join([*(self.program.moves[move].name for move in waiting.moves), *["pass"] * waiting.may_pass])
        if waiting.kind == "sealed":
            return f"sealed, {', '.join(map(seat_name, waiting.seats))}: {names}"
        return f"{seat_name(waiting.seats[0])}: {names}" if waiting.kind == "seat" else str(waiting.kind)

    def seen(self, seat: int | None, place: str) -> str:
        view = self.state.view(seat)
        found = [seen for seen in view.seen if place_name(self.program, seen.slot, seen.member) == place]
        return "; ".join(self.seen_part(seen) for seen in found) or "nothing"

    def seen_part(self, seen: Any) -> str:
        slot = self.program.slots[seen.slot]
        if seen.part == "size":
            return f"size {seen.value}"
        if isinstance(slot, Marker):
            return speak(self.program, slot.type, seen.value)
        if seen.part == "top":
            return f"top {speak(self.program, OptionalType(slot.content), seen.value)}"
        kind: Type = CollectionType("bag" if slot.shape == "bag" else "list", slot.content, ir.Constant(0))
        return speak(self.program, kind, seen.value)

    def observed(self, seat: int) -> str:
        told = []
        for seen in self.state.observed(seat):
            if seen.move is None:
                told.append(f"{seat_name(seen.seat)} pass")
                continue
            move = self.program.moves[seen.move]
            spoken = [
                "?" if code is None else speak(self.program, parameter.type, code)
                for parameter, code in zip(move.parameters, seen.arguments, strict=True)
            ]
            told.append(f"{seat_name(seen.seat)} {move.name}" + (f"({', '.join(spoken)})" if spoken else ""))
        return "; ".join(told) or "nothing"

    def formula(self) -> str:
        """What the next asked formula is now, for the asked seat or seat 1."""
        number, self.formulas_said = self.formulas_said, self.formulas_said + 1
        index = next(i for i, move in enumerate(self.program.moves) if move.name == f"say_{number}_aloud")
        waiting = self.state.waiting
        seat = waiting.seats[0] if waiting.seats else 0
        try:
            reasons = self.state.refusals(Play(seat, index, ()))
        except Exhausted as exhausted:
            return f"exhausted {exhausted.code}"
        return next((reason.words for reason in reasons if reason.code == "said"), "exhausted")

    def outcome(self) -> str:
        outcome = self.state.outcome
        if outcome is None:
            return "not yet"
        winners = ", ".join(map(seat_name, outcome.winners)) or "nobody"
        places = " ".join(map(str, outcome.places))
        returns = " ".join(map(str, outcome.returns))
        grade = "" if outcome.grade is None else f" {outcome.grade}"
        return f"{outcome.kind}{grade}: {winners} wins; places {places}; returns {returns}"

    def dealt_anew(self, rest: str) -> str:
        """``anew for seat 1 hand of seat 2``: what lies there in 300 deals that seat 1 cannot tell from this one."""
        found = re.fullmatch(r"for seat (\d+) (.*)", rest)
        assert found is not None
        resampler, stream = Resampler(self.state, int(found[1]) - 1), Stream(7)
        real, counts = self.match.state, {}
        for _ in range(300):
            self.match._states[-1] = resampler.draw(stream)
            said = max((self.seen(seat, found[2]) for seat in range(self.seats)), key=lambda text: "size" not in text)
            counts[said] = counts.get(said, 0) + 1
        self.match._states[-1] = real
        return " | ".join(sorted(counts))


def _act(line: str) -> str:
    return re.split(r" {2,}", line)[0]


def _seat(rest: str) -> int:
    return int(rest.split(" ")[0]) - 1
