"""The stages in order, and nothing else: text -> tree -> checked tree -> program -> game.

game = rulelang.load("leduc-poker").configure(seats=2)
state = game.start()
match = game.match(seed=7)
"""

from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang import limits, rulesets
from rulelang.ast.from_tree import parse_rules
from rulelang.checker.checked import Checked, check
from rulelang.checker.data import load_data
from rulelang.checker.libraries import bring_in
from rulelang.checker.profiles import with_profile
from rulelang.compiler.lower_program import lower
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Diagnostic, Findings, diagnose, did_you_mean
from rulelang.diagnostics.reading import read_source, source_from_text
from rulelang.failures import Broken, Diagnosed
from rulelang.ir.faults import IRFault
from rulelang.ir.program import Program
from rulelang.ir.verify import verify
from rulelang.source import Source

if TYPE_CHECKING:
    from rulelang.play.engine import Engine, Game, State
    from rulelang.play.event import Answer
    from rulelang.play.match import Match

OptionValues = Mapping[str, int | str | bool]


@attrs.frozen
class Compiled:
    """A program, and the text it came from (None for IR JSON)."""

    program: Program
    source: Source | None
    checked: Checked | None


@attrs.frozen
class ConfiguredGame:
    """A closed program on an engine: what embedders start from. Spec 1.6."""

    game: "Game"
    """The engine's own game."""

    @property
    def program(self) -> Program:
        """The closed program."""
        return self.game.program

    def start(self) -> "State":
        """The bare state machine at its first wait."""
        return self.game.start()

    def text(self, answer: "Answer") -> str:
        """A move as people write it: ``bid(2, 3)``."""
        from rulelang.play.words import move_text

        return move_text(self.program, answer)

    def read(self, seat: int, text: str) -> "Answer":
        """The move that a text means, legal or not. Raises Refused if it means none."""
        from rulelang.play.words import read_move

        return read_move(self.program, seat, text)

    def match(self, seed: int = 0) -> "Match":
        """A driver that feeds chance and keeps the record."""
        from rulelang.play.match import Match

        return Match(self.game, seed)


@attrs.frozen
class Ruleset:
    """An open program on an engine. Spec 1.3."""

    compiled: Compiled
    engine: "Engine"

    @property
    def program(self) -> Program:
        """The open program."""
        return self.compiled.program

    def configure(self, seats: int | None = None, options: OptionValues | None = None) -> ConfiguredGame:
        """Decide the number of seats (the fewest if not said) and the options. Raises Refused with the reason."""
        count = self.program.fewest_seats if seats is None else seats
        return ConfiguredGame(self.engine.configure(self.program, count, options or {}))


# ------------------------------------------------------------------ compiling


def check_source(source: Source, folder: Path | None = None, profile: str | None = None) -> tuple[Checked, Findings]:
    """Text to checked tree and what is wrong with it. Raises Diagnosed for text that cannot be read.

    A profile names the data files that stand in for those of the cover.
    """
    findings = Findings()
    rules = bring_in(parse_rules(source), folder, findings)
    if profile is not None:
        rules = with_profile(rules, profile, folder, findings)
    findings.raise_if_any([source])
    data = load_data(rules, folder, findings)
    findings.raise_if_any([source])  # where rows are not known, every use of them would look like a mistake too
    return check(rules, data, findings), findings


def compile_source(source: Source, name: str, folder: Path | None = None, profile: str | None = None) -> Compiled:
    """Text to a verified program. Raises Diagnosed with every independent mistake."""
    _check_name(name)
    checked, findings = check_source(source, folder, profile)
    findings.raise_if_any([source])
    program = lower(checked, name, findings)
    findings.raise_if_any([source])
    unsound = verify(program)
    if unsound:
        raise Broken(f"lowering made an unsound program: {unsound[0]}")
    return Compiled(program, source, checked)


def _check_name(name: str) -> None:
    """Refuse what cannot be the name of a game: it is that of a file, which can be anything."""
    if not name.strip() or not name.isprintable() or len(name) > limits.IDENTIFIER:
        hint = f"give its file a name of at most {limits.IDENTIFIER} characters that can all be seen"
        raise Diagnosed([diagnose(codes.NOT_A_NAME, word=name, hint=hint)])


def compile_text(text: str, name: str = "game") -> Compiled:
    """Rules given as a text to a verified program. Raises Diagnosed."""
    return compile_source(source_from_text(f"{name}.rules", text), name)


def compile_file(path: Path) -> Compiled:
    """A ``.rules`` file, or IR JSON, to a verified program. Raises Diagnosed."""
    if path.suffix == ".json":
        return Compiled(read_ir(path), None, None)
    source = read_source(path)
    return compile_source(source, path.stem, path.resolve().parent)


def read_ir(path: Path) -> Program:
    """A program from IR JSON. Raises Diagnosed."""
    from rulelang.ir.codec import loads

    source = read_source(path, limit=limits.IR_BYTES)
    try:
        program = loads(source.text)
    except IRFault as fault:
        code = codes.CODES.get(fault.code, codes.BAD_JSON)
        message = f"{fault.path or '/'}: {fault.message}"
        raise Diagnosed([Diagnostic(code, f"{source.name}: {message}")]) from None
    unsound = verify(program)
    if unsound:
        raise Diagnosed(
            [diagnose(codes.DOES_NOT_VERIFY, path=f"{source.name}: {f.path}", reason=f.message) for f in unsound]
        )
    return program


# ------------------------------------------------------------------ loading


def engine_named(name: str) -> "Engine":
    """An interpreter by name. Raises Diagnosed if there is none."""
    found = {point.name: point for point in entry_points(group="rulelang.interpreters")}
    if name not in found:
        hint = did_you_mean(name, found) or f"installed: {', '.join(sorted(found))}"
        raise Diagnosed([diagnose(codes.UNKNOWN_INTERPRETER, word=name, hint=hint)])
    engine: Engine = found[name].load()
    return engine


def load(name: str | Path, engine: str = "reference") -> Ruleset:
    """A ruleset by name, path of a folder or ``.rules`` file, or IR JSON, on an interpreter. Raises Diagnosed."""
    return Ruleset(compile_file(rulesets.find(str(name))), engine_named(engine))
