"""Where in the rules a limit was reached: the native interpreter says the same file and line as the reference."""

from collections.abc import Callable
from typing import Any

import pytest
from both_engines import native, program_of, reference

from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.play.event import Play
from rulelang_native.runtime.blame import Blame

FAR = 4_000_000_000

RULES = f"""
game "Far":
  players: 2

values Card: 1..3
zone stock: bag of Card, starts with each Card
zone nest: slot of Card
marker total: 0..9
marker watched: 0..9, seen by watchers
marker mark for each 1..3: 0..9
marker large: 0..{FAR} = {FAR}

overview:
  turns of p from seat(1):
    p must add or look or guess or finish or lay or request because note: "is it {{large * large * total}}?"

move add(n in 1..9): total becomes n
move look(n in 1..3):
  watched becomes mark[total]
move guess(n in (all x in 1..9 where x * large * total >= 0)): total becomes n
move finish:
  require little: total * large * large < 9 because "{{total}} is too much"
  finish_it
move lay(card in stock):
  put card from stock into nest
  if total > 5:
    put card from stock into nest
move request(n in 1..3): let_them(n)

rule let_them(n: 1..3):
  seat(n + total) must add

rule finish_it:
  end game, each p in players gets large * large * large

define watchers = all p in players where large * large * total >= 0
prefer add with most large * n * total
"""
SILENT = RULES.replace(' because note: "is it {large * large * total}?"', "").replace(", seen by watchers", "")
ADD, LOOK, GUESS, FINISH, LAY, REQUEST = range(6)


def after(*answers: Play) -> Callable[[Any], Any]:
    """The state after these answers."""

    def taken(state: Any) -> Any:
        for answer in answers:
            state = state.step(answer)
        return state

    return taken


def place_of(program: Program, engine: Any, ask: Callable[[Any], object]) -> tuple[Any, ...]:
    """How a question fails, and where."""
    with pytest.raises(Exhausted) as failure:
        ask(engine.configure(program, 2, {}).start())
    said = failure.value
    return said.code, said.message, said.file, said.line


def line_of(rules: str, words: str) -> int:
    """The last line of the rules that begins with these words."""
    lines = list(enumerate(rules.lstrip().splitlines(), 1))
    return max(number for number, line in lines if line.strip().startswith(words))


ADDED = after(Play(0, ADD, (7,)))
ASKED: dict[str, tuple[Callable[[Any], object], str]] = {
    "no such place": (after(Play(0, ADD, (7,)), Play(1, LOOK, (1,))), "watched becomes"),
    "a piece that has gone": (after(Play(0, ADD, (7,)), Play(1, LAY, (1,))), "put card from stock into nest"),
    "the end": (after(Play(0, FINISH, ())), "end game, each p"),
    "a list": (lambda state: ADDED(state).moves(1), "move guess"),
    "an attempt": (lambda state: ADDED(state).refusals(Play(1, GUESS, (3,))), "move guess"),
    "a requirement": (lambda state: ADDED(state).refusals(Play(1, FINISH, ())), "require little"),
    "advice behind a list": (lambda state: ADDED(state).preferred(1), "move guess"),
}
"""Questions that fail, and the words of the line that is named."""


@pytest.mark.parametrize("name", ASKED)
def test_the_place_of_a_failure(name: str) -> None:
    ask, words = ASKED[name]
    large = SILENT.replace("x * large * total", "x * large * large * total")
    found = place_of(program_of(large), native, ask)
    assert found == place_of(program_of(large), reference, ask)
    assert found[2:] == ("game.rules", line_of(large, words))


def test_the_place_of_advice() -> None:
    rules = SILENT.replace(" or guess or finish", "").replace("large * n * total", "large * large * n * total")
    found = place_of(program_of(rules), native, lambda state: ADDED(state).preferred(1))
    assert found == place_of(program_of(rules), reference, lambda state: ADDED(state).preferred(1))
    assert found[2:] == ("game.rules", line_of(rules, "prefer add"))


@pytest.mark.parametrize("rules", [RULES.replace(", seen by watchers", ""), RULES.replace(' because note: "', "# ")])
def test_words_and_sight_that_fail(rules: str) -> None:
    """Words that cannot be said stop the step; who sees something is asked when somebody looks."""

    def ask(state: Any) -> object:
        return [ADDED(state).view(seat) for seat in (0, 1, None)]

    assert place_of(program_of(rules), native, ask) == place_of(program_of(rules), reference, ask)


def test_only_printed_rules_have_places() -> None:
    blame = Blame(program_of(SILENT), [(10, 3)])
    assert blame._place_of("<printed rules>", "p0", 4) is None, "a line before all nodes"
    assert blame._place_of("<printed rules>", "p0", 11) == blame.program.nodes[3].at
    assert blame._place_of("<printed rules>", "f2", 11) is None, "a define is blamed on whoever uses it"
