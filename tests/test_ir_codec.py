"""Programs as JSON: what is written is read back equal, and nothing else is read."""

import inspect
import json
import sys
from typing import Any

import attrs
import pytest
from programs import at, everything, tic_tac_toe, x
from timed_programs import party

from rulelang.ir import codec
from rulelang.ir.codec import content_hash, dumps, encode, loads, origin_hash
from rulelang.ir.expressions import Constant, Not
from rulelang.ir.faults import IRFault
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import Invariant, Program
from rulelang.ir.shapes import all_kinds
from rulelang.ir.walk import children, excess, rebuild, walk, walk_with_paths
from rulelang.limits import INTEGER_MAX, INTEGER_MIN, IR_BYTES, IR_DEPTH

SAMPLES = [tic_tac_toe(), everything(), party()]


def fault(text: str | bytes) -> IRFault:
    """The fault that a document has."""
    with pytest.raises(IRFault) as caught:
        loads(text)
    return caught.value


def changed(path: str, value: Any) -> str:
    """The tic-tac-toe document with another value at a JSON pointer."""
    document: Any = encode(tic_tac_toe())
    inner = document
    *way, last = path.strip("/").split("/")
    for step in way:
        inner = inner[int(step)] if isinstance(inner, list) else inner[step]
    inner[int(last) if isinstance(inner, list) else last] = value
    return json.dumps(document)


# ------------------------------------------------------------------ round trips


@pytest.mark.parametrize("program", SAMPLES, ids=lambda program: program.name)
def test_programs_come_back_equal(program: Program) -> None:
    assert loads(dumps(program)) == program
    assert loads(dumps(program, pretty=True).encode()) == program


def test_the_samples_have_every_kind() -> None:
    found = {type(value).__name__ for program in SAMPLES for value in walk(program)}
    assert found == set(all_kinds())


def test_kind_comes_first_and_fields_in_order() -> None:
    document = encode(tic_tac_toe())
    assert list(document)[:3] == ["kind", "version", "name"]
    assert document["boards"][0]["rows"] == {"kind": "Constant", "value": 3}


def test_equal_programs_have_equal_text() -> None:
    assert dumps(tic_tac_toe()) == dumps(loads(dumps(tic_tac_toe())))
    assert "\n" not in dumps(tic_tac_toe()) and "\n" in dumps(tic_tac_toe(), pretty=True)


def test_numbers_reach_64_bits() -> None:
    for number in (INTEGER_MIN, INTEGER_MAX):
        program = attrs.evolve(tic_tac_toe(), invariants=(Invariant("i", Constant(number), 0, at(1)),))
        assert loads(dumps(program)) == program


# ------------------------------------------------------------------ hashes


def test_places_in_the_text_do_not_count_for_the_content() -> None:
    def elsewhere(value: object) -> object:
        return Origin("other.rules", value.line + 1, 7) if isinstance(value, Origin) else value

    program = everything()
    moved = rebuild(program, elsewhere)
    assert moved != program
    assert content_hash(moved) == content_hash(program)
    assert origin_hash(moved) != origin_hash(program)


def test_clauses_count_for_the_content() -> None:
    def recited(value: object) -> object:
        return attrs.evolve(value, clauses=("X-1",)) if isinstance(value, Source) else value

    assert content_hash(rebuild(everything(), recited)) != content_hash(everything())


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{", "RL9001", "line 1, column 2"),
        ('"\\x"', "RL9001", "not JSON"),
        ("[1, 2", "RL9001", "not JSON"),
        (b"\xff", "RL9001", "UTF-8"),
        ("\ufeff{}", "RL9001", "not JSON"),
        ("[]", "RL9011", "the document is an array; an object of kind Program is needed"),
        ("1", "RL9011", "the number 1"),
        ("null", "RL9011", "null"),
        ("{}", "RL9005", "has no 'kind'"),
        ('{"kind": 1}', "RL9004", "the number 1"),
        ('{"kind": 1.5}', "RL9003", "1.5 is not a whole number"),
        (f'{{"kind": 1.{"5" * 99}}}', "RL9003", f"1.{'5' * 38}... is not a whole number"),
        (f'{{"kind": {"9" * 21}}}', "RL9011", f"the number {'9' * 21};"),
        (f'{{"kind": {"9" * 99}}}', "RL9011", f"the number {'9' * 40}...;"),
        (f'{{"kind": "{"B" * 99}"}}', "RL9004", f"of kind '{'B' * 40}...'"),
        ('{"kind": "Board"}', "RL9004", "of kind 'Board'; an object of kind Program is needed"),
        ('{"kind": "Program"}', "RL9005", "has no 'version'"),
        ('{"kind": "Program", "version": 99}', "RL9007", "version 99; versions up to 1"),
        ('{"kind": "Program", "version": 0}', "RL9007", "version 0"),
        ('{"kind": "Program", "kind": "Program"}', "RL9002", "'kind' is given twice"),
    ],
)
def test_what_is_no_program_is_refused(text: str | bytes, code: str, said: str) -> None:
    found = fault(text)
    assert (found.code, said in found.message) == (code, True), str(found)


@pytest.mark.parametrize(
    ("path", "value", "code", "said"),
    [
        ("/fewest_seats", True, "RL9011", "/fewest_seats is true; a whole number is needed"),
        ("/fewest_seats", "2", "RL9011", "the text '2'"),
        ("/fewest_seats", None, "RL9011", "null"),
        ("/fewest_seats", 2.5, "RL9003", "2.5"),
        ("/fewest_seats", float("nan"), "RL9003", "NaN"),
        ("/fewest_seats", 2**63, "RL9011", "64 bits"),
        ("/fewest_seats", 10**4000, "RL9011", "64 bits"),
        ("/forced_chance", 0, "RL9011", "true or false is needed"),
        ("/forced_chance", False, None, ""),
        ("/title", 3, "RL9011", "a text is needed"),
        ("/title", "half \ud800", "RL9011", "half a character"),
        ("/boards/0/rows", {"kind": "FlagType"}, "RL9004", "kind 'FlagType'"),
        ("/boards/0/rows/surplus", 1, "RL9006", "has 'surplus'"),
        ("/boards/0", None, "RL9011", "an object of kind Board is needed"),
        ("/boards", {}, "RL9011", "an array is needed"),
        ("/functions/0/body/domain/length/value", [1, [2.0]], "RL9003", "2.0"),
        ("/functions/0/body/domain/length/value", [1, "x"], "RL9011", "the text 'x'"),
        ("/slots/0/sight/content/kind", "Someone", "RL9004", "Everyone or Nobody or Owner or These"),
    ],
)
def test_values_out_of_place_are_refused(path: str, value: Any, code: str | None, said: str) -> None:
    if code is None:
        assert loads(changed(path, value))
    else:
        found = fault(changed(path, value))
        assert (found.code, said in found.message) == (code, True), str(found)
        assert path.startswith(found.path) or found.path.startswith(path)


def test_a_missing_field_is_named() -> None:
    document = encode(tic_tac_toe())
    del document["slots"][0]["sight"]["size"]
    found = fault(json.dumps(document))
    assert (found.code, found.path, found.message) == ("RL9005", "/slots/0/sight", "/slots/0/sight has no 'size'")
    assert found.blanks == {"path": "/slots/0/sight", "field": "size"}
    assert str(found) == "RL9005 at /slots/0/sight: /slots/0/sight has no 'size'"


def test_pointers_escape_their_signs() -> None:
    assert codec.pointer((("", "a/b"), "c~d")) == "/a~1b/c~0d"


# ------------------------------------------------------------------ limits


def test_documents_are_measured_before_they_are_decoded() -> None:
    assert fault(b"\xff" * (IR_BYTES + 1)).code == "RL9012"
    assert fault(" " * (IR_BYTES + 1)).code == "RL9012"
    assert fault('"' + "\u20ac" * (IR_BYTES // 3 + 1) + '"').code == "RL9012"


@pytest.mark.parametrize("opening", ["[", '{"kind":'])
def test_nesting_is_counted_before_it_is_parsed(opening: str) -> None:
    assert fault(opening * 100_000).code == "RL9009"
    assert fault(opening * IR_DEPTH).code == "RL9001"
    assert fault("[" * IR_DEPTH + "]" * IR_DEPTH).code == "RL9011"


def test_brackets_inside_texts_do_not_count() -> None:
    program = attrs.evolve(tic_tac_toe(), title='"[[[' * 300)
    assert loads(dumps(program)) == program
    assert fault('"' + "[" * 1000).code == "RL9001"


def test_a_flood_of_empty_objects_is_refused_early() -> None:
    assert fault("[" + "{}," * 2_000_000 + "{}]").code == "RL9012"


def test_a_stack_that_is_nearly_full_is_a_fault() -> None:
    text = dumps(deep(150))

    def below(levels: int) -> IRFault | None:
        if levels:
            return below(levels - 1)
        try:
            loads(text)
        except IRFault as found:
            return found
        return None

    for left in (120, 220):
        found = below(sys.getrecursionlimit() - left - len(inspect.stack()))
        assert found is not None and found.code == "RL9009"


def deep(levels: int) -> Program:
    """A program with a formula nested so deep."""
    formula: Any = x(0)
    for _ in range(levels):
        formula = Not(formula)
    return attrs.evolve(tic_tac_toe(), invariants=(Invariant("deep", formula, 1, at(1)),))


def test_programs_too_deep_for_a_document_are_not_written() -> None:
    assert loads(dumps(deep(IR_DEPTH - 4))) == deep(IR_DEPTH - 4)
    with pytest.raises(IRFault):
        dumps(deep(IR_DEPTH - 3))
    for write in (dumps, content_hash):
        with pytest.raises(IRFault) as caught:
            write(deep(5_000))
        assert caught.value.code == "RL9009"


def test_programs_too_large_for_a_document_are_not_written() -> None:
    large = attrs.evolve(tic_tac_toe(), title="x" * IR_BYTES)
    with pytest.raises(IRFault) as caught:
        dumps(large)
    assert caught.value.code == "RL9012"
    many = attrs.evolve(tic_tac_toe(), nodes=tic_tac_toe().nodes * 300_000)
    with pytest.raises(IRFault) as caught:
        content_hash(many)
    assert caught.value.code == "RL9012"


# ------------------------------------------------------------------ walking


def test_walks_go_in_order() -> None:
    kinds = [type(value).__name__ for value in walk(tic_tac_toe().boards[0])]
    assert kinds == ["Board", "Constant", "Constant", "Source", "Origin"]
    paths = dict(walk_with_paths(tic_tac_toe()))
    assert paths["/boards/0/columns"] == Constant(3)
    assert list(children(Constant(3))) == []


def test_rebuilding_copies_only_what_changes() -> None:
    program = everything()
    assert rebuild(program, lambda value: value) is program
    three = rebuild(program, lambda value: Constant(4) if value == Constant(3) else value)
    assert three.slots != program.slots and three.tables[0].columns[0] is program.tables[0].columns[0]
    assert rebuild(three, lambda value: value) == three


def test_depth_is_told_without_recursion() -> None:
    assert excess(x(0), 1, 1) is None
    assert excess(Not(x(0)), 1, 2) == "depth"
    assert excess(Not(x(0)), 2, 1) == "count"
    assert excess(Constant(((1,),)), 2, 9) == "depth"
    assert excess(Constant(((1,),)), 3, 9) is None
    assert excess(deep(100_000), IR_DEPTH, 10**6) == "depth"


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"a": "b', "column 7: unterminated string"), ('["\n"]', "column 3: invalid control character")],
)
def test_the_place_in_the_text_is_told_once(text: str, said: str) -> None:
    assert fault(text).message == f"this is not JSON: line 1, {said}"
