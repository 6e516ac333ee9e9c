"""From every clause to the rules that carry it out and the scenarios that check them, and whether they really do.

A clause is *traced* if the rules name it and a scenario names it that passes, and fails as soon as one of the named
parts is taken out of the rules (``mutants``). A clause may also have a reason in ``trace.toml``.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from rulelang.pipeline import Compiled
from rulelang.play.engine import Engine, Game
from rulelang.rulebook.citing import Cited, citations
from rulelang.rulebook.clauses import Clause, Reasons, read_clauses, read_reasons
from rulelang.rulebook.mutants import Mutant, mutants
from rulelang.scenarios.check import CheckedScenario
from rulelang.scenarios.results import Result
from rulelang.scenarios.run import clauses_of, run_scenario

Status = Literal["traced", "same", "not_executable", "untraced", "unchecked", "failing", "unproven"]

GOOD: Final = ("traced", "same", "not_executable")
"""What a clause should be."""


@attrs.frozen
class Traced:
    """What became of one clause."""

    clause: Clause
    status: Status
    rules: tuple[Cited, ...] = ()
    scenarios: tuple[Result, ...] = ()
    tests: tuple[str, ...] = ()
    proof: str = ""
    """What was taken out, and the scenario that noticed it."""
    reason: str = ""


@attrs.frozen
class Trace:
    """What became of all clauses."""

    clauses: tuple[Traced, ...]
    unknown: tuple[str, ...]
    """Clauses that are named and do not exist, each with where."""
    stale: tuple[str, ...]
    """Reasons in ``trace.toml`` that are no longer true."""
    tried: int
    """How many mutants were run."""

    @property
    def good(self) -> bool:
        """Whether nothing is missing."""
        return not self.unknown and not self.stale and all(each.status in GOOD for each in self.clauses)


def trace(
    compiled: Compiled, folder: Path, scenarios: Sequence[CheckedScenario], engine: Engine, *, mutation: bool
) -> Trace:
    """Trace every clause of a ruleset. Raises Diagnosed for lists that cannot be read."""
    return _Tracing(compiled, folder, scenarios, engine, mutation).run()


class _Closing:
    """An interpreter that closes a program once for each configuration."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self._engine = engine
        self._games: dict[tuple[Any, ...], Game] = {}

    def configure(self, program: Any, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        key = (seats, tuple(sorted(options.items(), key=str)))
        if key not in self._games:
            self._games[key] = self._engine.configure(program, seats, options)
        return self._games[key]


class _Tracing:
    def __init__(
        self,
        compiled: Compiled,
        folder: Path,
        scenarios: Sequence[CheckedScenario],
        engine: Engine,
        mutation: bool,
    ) -> None:
        assert compiled.checked is not None
        self.program = compiled.program
        self.folder = folder
        self.engine = engine
        self.mutation = mutation
        self.clauses = read_clauses(folder)
        self.reasons: Reasons = read_reasons(folder)
        self.tried = 0
        self.scenarios = [each for each in scenarios if each.compiled.program == self.program]
        self.results: dict[int, Result] = {}
        self.cited: dict[str, list[Cited]] = {}
        for cited in citations(compiled.checked.rules):
            self.cited.setdefault(cited.clause, []).append(cited)
        self.noticed: dict[tuple[int, str, int], bool] = {}
        """By what carries a citation, what was done to it, and the scenario."""

    def run(self) -> Trace:
        closing = _Closing(self.engine)
        for number, each in enumerate(self.scenarios):
            self.results[number] = run_scenario(each, closing)
        traced = tuple(self.clause(clause) for clause in self.clauses)
        return Trace(traced, tuple(self.unknown()), tuple(self.stale(traced)), self.tried)

    # ------------------------------------------------------------------ one clause

    def clause(self, clause: Clause) -> Traced:
        naming = [n for n, each in enumerate(self.scenarios) if clause.id in clauses_of(each.scenario)]
        rules = tuple(self.cited.get(clause.id, ()))
        results = tuple(self.results[n] for n in naming)
        tests = self.reasons.tests.get(clause.id, ())
        found = Traced(clause, "traced", rules, results, tests)
        if clause.id in self.reasons.same_as:
            return attrs.evolve(found, status="same", reason=f"same as {self.reasons.same_as[clause.id]}")
        if any(result.status in ("failed", "error") for result in results):
            wrong = next(result for result in results if result.status in ("failed", "error"))
            return attrs.evolve(found, status="failing", reason=f"'{wrong.id}' does not pass")
        missing = [test for test in tests if not self.is_there(test)]
        if missing:
            return attrs.evolve(found, status="unchecked", reason=f"there is no test {missing[0]}")
        reason = self.reasons.not_executable.get(clause.id, "")
        if not rules and not reason:
            reason = self.reasons.kinds.get(clause.kind, "")
        if reason:
            return attrs.evolve(found, status="not_executable", reason=reason)
        checking = [n for n in naming if self.results[n].status == "passed"]
        if not rules and not (clause.sort == "derived" and (tests or checking)):
            return attrs.evolve(found, status="untraced", reason="the rules do not name it")
        if not checking and not tests:
            skipped = " that is not skipped" if naming else ""
            return attrs.evolve(found, status="unchecked", reason=f"no scenario{skipped} names it")
        return self.proven(found, checking)

    def proven(self, found: Traced, checking: list[int]) -> Traced:
        """The clause with what proves it; a test is taken at its word."""
        if not self.mutation or not checking or not found.rules:
            return found
        possible = False
        for cited in found.rules:
            for mutant in mutants(self.program, cited):
                possible = True
                number = self.noticing(cited, mutant, checking)
                if number is not None:
                    title = self.scenarios[number].scenario.title
                    return attrs.evolve(found, proof=f"line {cited.line} {mutant.said}: '{title}' fails")
        if not possible:
            return attrs.evolve(found, proof="only names: without them nothing compiles")
        if found.tests:
            return found
        reason = self.reasons.unproven.get(found.clause.id, "")
        if reason:
            return attrs.evolve(found, reason=reason)
        lines = ", ".join(str(cited.line) for cited in found.rules)
        return attrs.evolve(found, status="unproven", reason=f"no scenario notices when line {lines} is taken out")

    def noticing(self, cited: Cited, mutant: Mutant, checking: list[int]) -> int | None:
        """The first of some scenarios that does not pass any more."""
        closing: _Closing | None = None
        for number in checking:
            key = (id(cited.node), mutant.said, number)
            if key not in self.noticed:
                closing = closing or _Closing(self.engine)
                self.noticed[key] = self.fails(number, mutant, closing)
            if self.noticed[key]:
                return number
        return None

    def fails(self, number: int, mutant: Mutant, closing: Engine) -> bool:
        """Whether a scenario fails on changed rules. What makes the interpreter stumble has been noticed, too."""
        self.tried += 1
        checked = self.scenarios[number]
        changed = attrs.evolve(checked, compiled=attrs.evolve(checked.compiled, program=mutant.program))
        try:
            return run_scenario(changed, closing).status != "passed"
        except Exception:  # a program that is no longer sound
            return True

    # ------------------------------------------------------------------ what is said besides

    def is_there(self, test: str) -> bool:
        """Whether a test can be found, in a folder around the rules."""
        file, _, name = test.partition("::")
        for folder in (self.folder, *self.folder.resolve().parents):
            path = folder / file
            if path.is_file():
                return f"def {name.partition('[')[0]}(" in path.read_text(encoding="utf-8")
        return False

    def unknown(self) -> Iterable[str]:
        """Clauses that are named somewhere and are in no list."""
        known = {clause.id for clause in self.clauses}
        for clause, places in self.cited.items():
            if clause not in known:
                yield f"{clause} ({places[0].file}:{places[0].line})"
        for each in self.scenarios:
            at = each.scenario.at
            yield from (f"{c} ({at.file}:{at.line})" for c in clauses_of(each.scenario) if c not in known)
        for section in ("not_executable", "same_as", "tests", "unproven"):
            yield from (f"{c} (trace.toml, {section})" for c in getattr(self.reasons, section) if c not in known)
        yield from (f"{c} (trace.toml, same_as)" for c in self.reasons.same_as.values() if c not in known)

    def stale(self, traced: Sequence[Traced]) -> Iterable[str]:
        """Reasons that are no longer true."""
        for each in traced:
            name = each.clause.id
            if name in self.reasons.not_executable and each.rules:
                yield f"not_executable.{name}: line {each.rules[0].line} carries it out"
            if self.mutation and name in self.reasons.unproven and each.proof:
                yield f"unproven.{name}: {each.proof}"
            if self.reasons.same_as.get(name) in (name, *self.reasons.same_as):
                yield f"same_as.{name}: it says the same as a clause that says the same as another"
        used = {each.clause.kind for each in traced if each.status == "not_executable"}
        yield from (f"kinds.{kind}: no clause of this kind needs it" for kind in self.reasons.kinds if kind not in used)
