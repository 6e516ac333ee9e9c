"""From what stands on the command line to a game that can be played: names, options, engines, players."""

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rulelang import rulesets
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose, did_you_mean
from rulelang.failures import Diagnosed, Refused
from rulelang.tools import cache
from rulelang.tools.ending import Misused, check_environment

if TYPE_CHECKING:
    from rulelang.failures import Reason
    from rulelang.ir.program import Option, Program
    from rulelang.play.engine import Engine, Game


def find(name: str) -> Path:
    """The file that a name or path means, as short as it can be said from here."""
    path = rulesets.find(name)
    if path.is_absolute() and not os.path.isabs(name):
        try:
            return path.relative_to(Path.cwd())
        except (ValueError, OSError):
            return path
    return path


def say_without_llvmlite() -> None:
    """Say on stderr that the native interpreter does without machine code, if llvmlite is not installed."""
    from importlib.util import find_spec

    if find_spec("llvmlite") is None:
        from rulelang.tools.saying import show

        words = "llvmlite is not installed: printed Python plays, more slowly (pip install 'rulelang[native]')"
        show(words, err=True)


def compiles() -> bool:
    """Whether the native interpreter can compile anything here: llvmlite is there, can be loaded, and is wanted."""
    if os.environ.get("RULELANG_NATIVE") == "python":
        return False
    try:
        import_module("rulelang_native.llvm.machine")
    except (ImportError, OSError):
        return False
    return True


def open_program(name: str | Path, *, use_cache: bool = True, profile: str | None = None) -> "Program":
    """The open program of a ruleset, with the data of a profile if one is named. Raises Diagnosed."""
    path = name if isinstance(name, Path) else find(name)
    if path.suffix == ".json":
        if profile is not None:
            raise Misused("A compiled game has its data inside; '--profile' is for rules.")
        from rulelang.pipeline import read_ir

        return read_ir(path)
    return compile_rules(path, use_cache=use_cache, profile=profile)


def compile_rules(path: Path, *, use_cache: bool = True, profile: str | None = None) -> "Program":
    """The program of a rules file, from the cache if it was compiled before. Raises Diagnosed."""
    from rulelang.diagnostics.reading import read_source
    from rulelang.ir.codec import loads
    from rulelang.ir.faults import IRFault

    source = read_source(path)
    key = cache.key_of(source, path, profile) if use_cache else None
    body = cache.read(key) if key else None
    if body is not None:
        try:
            return loads(body)
        except IRFault:  # a hash that is right over a program that is not: as good as not there
            body = None
    from rulelang.pipeline import compile_source

    program = compile_source(source, path.stem, path.resolve().parent, profile).program
    if key:
        cache.keep(key, program)
    return program


# ------------------------------------------------------------------ configuring


def configure(program: "Program", engine: str, seats: int | None, options: Mapping[str, str]) -> "Game":
    """Close a program on an interpreter. Raises Refused with the reason, and what would be allowed."""
    interpreter = engine_named(engine)
    try:
        return interpreter.configure(program, program.fewest_seats if seats is None else seats, options)
    except Refused as refused:
        raise Refused([_with_choices(program, reason, options) for reason in refused.reasons]) from None


def _with_choices(program: "Program", reason: "Reason", options: Mapping[str, str]) -> "Reason":
    """A reason against an option, with all its values (or all options) where that is a short list."""
    import attrs

    from rulelang.ir.types import NamesType
    from rulelang.play.refusal import Refusal
    from rulelang.play.words import plain

    if not isinstance(reason, Refusal):
        return reason
    if reason.number == codes.UNKNOWN_OPTION.number and "Did you mean" not in reason.words:
        known = ", ".join(option.name for option in program.options)
        hint = f" Its options are {known}." if known else " It has none."
        return attrs.evolve(reason, words=reason.words + hint)
    if reason.number == codes.BAD_OPTION_VALUE.number:
        chosen = {plain(given) for given in options}
        for option in program.options:
            named = plain(option.name) in chosen and f"'{option.name}'" in reason.words
            if named and isinstance(option.type, NamesType):
                words = reason.words.partition(" It is ")[0]
                return attrs.evolve(reason, words=f"{words} It is {' or '.join(option.type.labels)}.")
    return reason


def engine_named(name: str) -> "Engine":
    """An interpreter by name. Raises Diagnosed, and Misused for a wish about one that means nothing."""
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group="rulelang.interpreters")}
    if name not in found:
        hint = did_you_mean(name, found) or f"installed: {', '.join(sorted(found))}"
        raise Diagnosed([diagnose(codes.UNKNOWN_INTERPRETER, word=name, hint=hint)])
    if name == "native":
        check_environment()
    engine: Engine = found[name].load()
    return engine


def option_value(program: "Program", option: "Option") -> str:
    """The default of an option in words."""
    from rulelang.play.record import option_label

    label = option_label(option.type, option.default)
    return ("yes" if label else "no") if isinstance(label, bool) else str(label)
