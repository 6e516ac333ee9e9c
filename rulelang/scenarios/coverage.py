"""Which parts of the rules were used while scenarios ran, and which were not.

Looked at are: every move, whether it was made; every requirement, whether an attempt failed by it and whether one held;
every branch, whether it went either way; every `whenever`, whether it became true and whether it was asked in vain;
every effect, chance step, choice and end, whether it was reached; and every value of an option, whether it was played
with. A branch that an option decides before play has gone the way that it was decided, if play came by.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir import nodes
from rulelang.ir.effects import SetLocal, SetMarker
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import Branch, Chance, Decide, Do, End, Loop
from rulelang.ir.origin import Source
from rulelang.ir.program import Move, Option, Program
from rulelang.ir.types import FlagType, NamesType, NumberType
from rulelang.ir.whenever import asks_whenever, is_whenever, opens_whenever
from rulelang.play.closing import close_whole
from rulelang.play.event import Answer, Play
from rulelang.play.formulas import Context
from rulelang.play.pruning import decided, kept_nodes
from rulelang.play.refusal import Refusal
from rulelang.scenarios.allowed import table_of_reasons

GAPS_FILE: Final = "coverage.toml"
"""Gaps that are allowed, each with its reason, beside the rules: a table ``[gaps]``."""


@attrs.frozen
class Part:
    """One thing that scenarios can use."""

    id: str
    """As ``coverage.toml`` names it: ``requirement discard.must_fill fails``."""
    file: str
    line: int


@attrs.frozen
class Gap:
    """A part that no scenario used, and why that is allowed, if it is."""

    part: Part
    reason: str


@attrs.frozen
class Coverage:
    """How much of one ruleset was used."""

    ruleset: str
    parts: int
    gaps: tuple[Gap, ...]
    stale: tuple[str, ...]
    """Named in ``coverage.toml``, but used, or not there at all."""

    @property
    def good(self) -> bool:
        """Whether every gap has a reason, and every reason a gap."""
        return not self.stale and all(gap.reason for gap in self.gaps)


class CoverageWatcher:
    """Watches an interpreter while scenarios of several rulesets run."""

    def __init__(self) -> None:
        self._programs: dict[int, tuple[Program, _Used]] = {}
        self._by_closed: dict[int, tuple[Program, _Used, _Passing]] = {}

    def configured(
        self, program: Program, seats: int, options: Mapping[str, int | str | bool], closed: Program
    ) -> None:
        """A game of this program begins, with these values of its options."""
        _, used = self._programs.setdefault(id(program), (program, _Used(program)))
        whole = close_whole(program, seats, options)
        self._by_closed[id(closed)] = (closed, used, _Passing(whole, kept_nodes(whole)))
        assert closed.configuration is not None
        for option, code in zip(program.options, closed.configuration.options, strict=True):
            used.ids.add(f"option {option.name} = {_value(option, code)}")
        used.passed(decided(whole, whole.procedures[0].entry))

    def begins(self, node: int, context: Context) -> None:
        """A node is reached."""
        used, passing = self._game(context.program)
        number = passing.kept[node]
        used.nodes.add(number)
        found = passing.whole.nodes[number]
        if isinstance(found, Do | Chance | Decide | nodes.Call):
            used.passed(passing.decided(found.next))
        if isinstance(found, nodes.Call):
            used.passed(passing.decided(passing.whole.procedures[found.procedure].entry))
        if isinstance(found, Decide):
            for move in found.moves:
                procedure = passing.whole.moves[move].procedure
                used.entries[procedure] = passing.decided(passing.whole.procedures[procedure].entry)
        self._last = (used, passing)

    def led(self, node: int, following: int) -> None:
        """Which way a branch went, and a loop."""
        used, passing = self._last
        number = passing.kept[node]
        found = passing.whole.nodes[number]
        if isinstance(found, Branch):
            then, otherwise = passing.end(found.then), passing.end(found.otherwise)
            after = passing.kept[following]
            if after == then:
                used.ways.add((number, True))
                used.passed(passing.decided(found.then))
            if after == otherwise:
                used.ways.add((number, False))
                used.passed(passing.decided(found.otherwise))
        elif isinstance(found, Loop):
            done = passing.kept[following] == passing.end(found.done)
            used.passed(passing.decided(found.done if done else found.body))

    def attempted(self, closed: Program, answer: Answer, reasons: tuple[Refusal, ...]) -> None:
        """Which requirements an attempt held, and by which it failed."""
        used, _ = self._game(closed)
        if not isinstance(answer, Play) or not 0 <= answer.move < len(closed.moves):
            return
        move = closed.moves[answer.move]
        failing = {(reason.code, reason.line) for reason in reasons if reason.number is None}
        misplaced = any(r.number is not None and (r.code.endswith("_not_there") or "value" in r.code) for r in reasons)
        for place, requirement in enumerate(move.requirements):
            name = requirement_name(move, place)
            if (requirement.name, requirement.at.origin.line) in failing:
                used.ids.add(f"requirement {name} fails")
            elif not misplaced:
                used.ids.add(f"requirement {name} holds")
        if not reasons:
            used.ids.add(f"move {move.name}")
            used.passed(used.entries.get(move.procedure, []))

    def results(self) -> Iterator[Coverage]:
        """How much of each ruleset was used; rules inside play files are not looked at. Raises Diagnosed."""
        for program, used in self._programs.values():
            path = Path(program.procedures[0].at.origin.file)
            if path.suffix == ".rules":
                yield coverage(program, used, allowed_gaps(path.parent))

    def _game(self, closed: Program) -> "tuple[_Used, _Passing]":
        _, used, passing = self._by_closed[id(closed)]
        return used, passing


class _Passing:
    """How the nodes of one closed program are called in the open one, and the decided branches between them."""

    def __init__(self, whole: Program, kept: list[int]) -> None:
        self.whole = whole
        self.kept = kept
        self._decided: dict[int, list[tuple[int, bool]]] = {}

    def decided(self, number: int) -> list[tuple[int, bool]]:
        """The decided branches that are passed over from a node on."""
        if number not in self._decided:
            self._decided[number] = decided(self.whole, number)
        return self._decided[number]

    def end(self, number: int) -> int:
        """Where one gets to from a node by way of decided branches."""
        for branch, then in self.decided(number):
            found = self.whole.nodes[branch]
            assert isinstance(found, Branch)
            number = found.then if then else found.otherwise
        return number


class _Used:
    """What of one open program was used."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ids: set[str] = set()
        self.nodes: set[int] = set()
        self.ways: set[tuple[int, bool]] = set()
        self.entries: dict[int, list[tuple[int, bool]]] = {}
        """The decided branches at the entry of a move's effects."""

    def passed(self, branches: list[tuple[int, bool]]) -> None:
        """Decided branches were passed over."""
        self.ways.update(branches)

    def has(self, part: "Looked") -> bool:
        """Whether a part was used."""
        if not part.nodes:
            return part.part.id in self.ids
        if part.way is None:
            return not self.nodes.isdisjoint(part.nodes)
        return any((node, part.way) in self.ways for node in part.nodes)


# ------------------------------------------------------------------ parts


@attrs.frozen
class Looked:
    """A part, and the nodes and the way that it is of; one of several nodes is enough."""

    part: Part
    nodes: tuple[int, ...] = ()
    way: bool | None = None


def coverage_lines(found: Coverage) -> Iterator[str]:
    """What was not used, for people."""
    used = found.parts - len(found.gaps)
    for gap in found.gaps:
        yield f"{gap.part.file}:{gap.part.line}  {gap.part.id}{': ' + gap.reason if gap.reason else ''}"
    yield from (f"no gap any more: {name}" for name in found.stale)
    named = sum(bool(gap.reason) for gap in found.gaps)
    allowed = f", {named} gap{'s' if named != 1 else ''} with a reason" if named else ""
    yield f"{found.ruleset}: {used} of {found.parts} parts used{allowed}"


def coverage_json(found: Coverage) -> dict[str, Any]:
    """The same for programs."""
    return {
        "ruleset": found.ruleset,
        "parts": found.parts,
        "used": found.parts - len(found.gaps),
        "gaps": [
            {"id": gap.part.id, "file": gap.part.file, "line": gap.part.line, "reason": gap.reason}
            for gap in found.gaps
        ],
        "stale": list(found.stale),
    }


def coverage(program: Program, used: _Used, allowed: Mapping[str, str]) -> Coverage:
    """What of a program was used and what was not."""
    parts = list(watched_parts(program))
    gaps = tuple(Gap(each.part, allowed.get(each.part.id, "")) for each in parts if not used.has(each))
    missing = {gap.part.id for gap in gaps}
    return Coverage(program.name, len(parts), gaps, tuple(name for name in allowed if name not in missing))


def watched_parts(program: Program) -> Iterator[Looked]:
    """Every part of a program in the order of its declarations."""
    for option in program.options:
        for value in _values(option):
            yield Looked(_part(f"option {option.name} = {value}", option.at))
    for move in program.moves:
        yield Looked(_part(f"move {move.name}", move.at))
        for place, requirement in enumerate(move.requirements):
            for how in ("holds", "fails"):
                yield Looked(_part(f"requirement {requirement_name(move, place)} {how}", requirement.at))
    for number, procedure in enumerate(program.procedures):
        if is_whenever(program, number):
            yield from _of_whenever(program, number)
        counts: dict[str, int] = {}
        for places in _alike(program, procedure.entry):
            yield from _of_node(program, places, procedure.name, counts)


def _alike(program: Program, entry: int) -> Iterator[tuple[int, ...]]:
    """The nodes of a procedure; an effect around which conditions are asked (9.8) stands there twice, and is one."""
    watched = any(is_whenever(program, number) for number in range(len(program.procedures)))
    alike: dict[object, tuple[int, ...]] = {}
    for number in reachable(program, entry):
        node = program.nodes[number]
        effect = watched and isinstance(node, Do) and not isinstance(node.effect, SetLocal)
        key: object = (node.effect, node.at) if effect and isinstance(node, Do) else number
        alike[key] = (*alike.get(key, ()), number)
    yield from alike.values()


def _of_node(program: Program, numbers: tuple[int, ...], name: str, counts: dict[str, int]) -> Iterator[Looked]:
    node = program.nodes[numbers[0]]
    if isinstance(node, Branch) and _is_written(program, node):
        here = _counted(counts, "branch", name)
        yield Looked(_part(f"{here} holds", node.at), numbers, True)
        yield Looked(_part(f"{here} fails", node.at), numbers, False)
    elif isinstance(node, Do) and not isinstance(node.effect, SetLocal):
        yield Looked(_part(_counted(counts, "effect", name), node.at), numbers)
    elif isinstance(node, Chance | Decide | End):
        word = {Chance: "chance", Decide: "choice", End: "end"}[type(node)]
        yield Looked(_part(_counted(counts, word, name), node.at), numbers)


def _of_whenever(program: Program, procedure: int) -> Iterator[Looked]:
    """Whether a condition became true, and whether it was asked in vain: all places where it is asked are one."""
    asking = tuple(
        number
        for number, node in enumerate(program.nodes)
        if isinstance(node, Branch) and opens_whenever(program, node) == procedure
    )
    declared = program.procedures[procedure]
    for how, way in (("holds", True), ("fails", False)):
        yield Looked(_part(f"{declared.name} {how}", declared.at), asking, way)


def _is_written(program: Program, node: Branch) -> bool:
    """Whether a branch is one of the author's: no lap of 'repeat', no look whether there is anything to draw or whether
    a timer runs that is paused, and none of those around effects that a 'whenever' looks at.
    """
    if asks_whenever(program, node):
        return False
    beside = [each for each in program.nodes if each is not node and each.at == node.at]
    if any(
        isinstance(each, Chance) or (isinstance(each, Do) and isinstance(each.effect, SetMarker)) for each in beside
    ):
        return False
    if node.then == node.otherwise or isinstance(node.condition, ir.Constant):
        return False
    match node.condition:
        case ir.Equal(left=ir.Size(collection=ir.From()), right=ir.Constant(value=0)):
            return not any(isinstance(each, Loop) and each.at == node.at for each in program.nodes)
        case _:
            return True


def _counted(counts: dict[str, int], word: str, name: str) -> str:
    counts[word] = counts.get(word, 0) + 1
    return f"{word} {name} {counts[word]}"


def _part(name: str, at: Source) -> Part:
    return Part(name, at.origin.file, at.origin.line)


def requirement_name(move: Move, place: int) -> str:
    """``discard.must_fill``; the second of one name in a move has its number."""
    name = move.requirements[place].name
    before = sum(each.name == name for each in move.requirements[:place])
    return f"{move.name}.{name}" + (f"#{before + 1}" if before else "")


def _values(option: Option) -> tuple[str, ...]:
    """The values of an option that are told apart: of numbers, the word, the default and any other."""
    match option.type:
        case NamesType(labels=labels):
            return labels
        case FlagType():
            return ("no", "yes")
        case NumberType(word=str(word)):
            return (word, "a number")
        case _:
            return (str(option.default), "another number")


def _value(option: Option, code: int) -> str:
    match option.type:
        case NamesType(labels=labels):
            return labels[code]
        case FlagType():
            return "yes" if code else "no"
        case NumberType(word=str(word)):
            return word if code < _lowest(option) else "a number"
        case _:
            return str(code) if code == option.default else "another number"


def _lowest(option: Option) -> int:
    """The least value of an option that is written as a number: the one below it has a word."""
    low = option.type.low if isinstance(option.type, NumberType) else ir.Constant(0)
    return (low.value if isinstance(low, ir.Constant) and isinstance(low.value, int) else 0) + 1


# ------------------------------------------------------------------ allowed gaps


def allowed_gaps(folder: Path) -> dict[str, str]:
    """The gaps that ``coverage.toml`` allows, with their reasons. Raises Diagnosed."""
    return table_of_reasons(folder / GAPS_FILE, "gaps", "gap")
