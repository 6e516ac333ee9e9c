"""The four failures, and the thin front door `import rulelang`."""

import pickle
import subprocess
import sys

import attrs
import pytest

import rulelang
from rulelang.diagnostics.codes import UNKNOWN_NAME
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.failures import Broken, Diagnosed, Exhausted, Refused, RulelangFailure
from rulelang.ir import origin
from rulelang.play.reasons import standing
from rulelang.source import Place, Source


@attrs.frozen
class Reason:
    """Any object with a code, words and clauses will do."""

    code: str
    words: str
    clauses: tuple[str, ...] = ()


DIAGNOSED = Diagnosed([diagnose(UNKNOWN_NAME, Place("a.rules", 1, 1, 1, 3), word="ab")], [Source("a.rules", "ab cd")])
REFUSED = Refused(
    [Reason("fill_first", "heap 2 is empty", ("DISC-04", "R-15")), Reason("RL8002", "it is not your turn")]
)
OUTER, INNER = (origin.Source(origin.Origin("game.rules", line, 1)) for line in (3, 7))
EXHAUSTED = Exhausted("RL8009", "one event cost more than 1000000 units")
BROKEN = Broken("the deck has -1 cards")
ALL = [DIAGNOSED, REFUSED, EXHAUSTED, BROKEN]


def test_diagnosed_tells_the_whole_report() -> None:
    assert str(DIAGNOSED) == (
        "a.rules:1:1: RL3001 Unknown name\n  Nothing here is called 'ab'.\n    1 | ab cd\n      | ^^"
    )


def test_refused_tells_every_reason_the_first_one_first() -> None:
    assert str(REFUSED) == "fill_first: heap 2 is empty [DISC-04, R-15]\nRL8002: it is not your turn"
    assert REFUSED.reasons[0].code == "fill_first"


def test_exhausted_tells_the_limit() -> None:
    assert (EXHAUSTED.code, str(EXHAUSTED)) == ("RL8009", "RL8009: one event cost more than 1000000 units")


def test_exhausted_tells_the_place_in_the_rules_if_it_is_known() -> None:
    with pytest.raises(Exhausted) as failure, standing(None), standing(OUTER), standing(INNER):
        raise Exhausted("RL8012", "A number left the range of 64 bits.")
    assert failure.value.said == "A number left the range of 64 bits. (game.rules, line 7)"
    assert str(pickle.loads(pickle.dumps(failure.value))) == f"RL8012: {failure.value.said}"


def test_broken_takes_the_blame() -> None:
    assert str(BROKEN) == "the deck has -1 cards (this is a bug in rulelang, not in the rules)"


@pytest.mark.parametrize("failure", ALL, ids=lambda failure: type(failure).__name__)
def test_failures_have_one_base_and_cross_process_borders(failure: RulelangFailure) -> None:
    assert isinstance(failure, RulelangFailure)
    copy = pickle.loads(pickle.dumps(failure))
    assert type(copy) is type(failure)
    assert str(copy) == str(failure)
    assert vars(copy) == vars(failure)


def test_there_is_no_fifth_failure() -> None:
    assert set(RulelangFailure.__subclasses__()) == {type(failure) for failure in ALL}


def test_the_front_door_opens_onto_the_failures() -> None:
    assert (rulelang.Diagnosed, rulelang.Refused, rulelang.Exhausted, rulelang.Broken) == tuple(map(type, ALL))
    assert dir(rulelang) == sorted(rulelang.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = rulelang.nonsense


def test_import_rulelang_loads_no_library() -> None:
    script = (
        "import sys, rulelang; print(*sorted({'lark', 'jsonschema', 'cattrs', 'click', 'attrs'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
