"""Small rules to write scenarios about, and running them."""

from pathlib import Path

from rulelang.failures import Diagnosed
from rulelang.pipeline import engine_named
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, play_file_from_text
from rulelang.scenarios.results import Result
from rulelang.scenarios.run import run_scenario

CARDS = """rules cards:
  game "Cards":
    players: 2..3

  option open: yes, no = no
  option rows: 1..5 = 3
  option size_of_hands: small, large = small
  values Card: ace, two, three, four
  board Square: 2 by 3
  zone stock: pile of Card, seen by nobody, starts with each Card times 3
  zone hand for each player: bag of Card, seen by owner
  zone heap for each 1..2: pile of Card
  zone held: slot of Card
  marker score for each player: 0..20
  marker active: player
  marker mark for each Square: player or nobody
  marker aim for each player: 1..4 = 1, seen by owner
  marker hurry: yes or no
  define best = first p in players with most p's score
  always not_all_twenty: some p in players where p's score < 20

  move lay(card in my hand, where_to in heap, maybe loudly):
    require higher: heap_is_lower(card, where_to) because "{card} is not higher than {top of where_to}"
    require quiet: not loudly or hurry because "{me} may be loud in a hurry only"
    put card from my hand onto where_to
    my score rises by 1
  move draw: put top from stock into my hand
  move mark_it(square in Square): mark[square] becomes me
  move step_in: my score rises by 2
  move finish: end game, best wins
  move share: end game, each p in players gets p's score

  define heap_is_lower(card: Card, where_to: heap) = where_to is empty or card > top of where_to

  rule window(p: player): others(p) may secretly step_in
  rule take_turn(p: player, number: 1..9):
    active becomes p
    p must lay or draw or mark_it or finish or share
    if hurry: window(p)
  rule round(number: 1..9):
    each p in players: take_turn(p, number)

  overview:
    shuffle stock
    each p in players: put top(2) from stock into p's hand
    each n in 1..3: round(n)
    last_round

  rule last_round:
    each q in players: take_turn(q, 9)
    end game, nobody wins

"""


def results(text: str, rules: str = CARDS) -> tuple[Result, ...]:
    """Run all scenarios of a text."""
    checked = check_file(play_file_from_text("t.play", rules + text), Library())
    return tuple(run_scenario(each, engine_named("reference")) for each in checked)


def outcome(given: str = "", when: str = "", then: str = "left is left", rules: str = CARDS) -> Result:
    """Run one scenario of Ann and Ben."""
    [result] = results(scenario(given, when, then), rules)
    return result


def scenario(given: str = "", when: str = "", then: str = "") -> str:
    """The text of a scenario of Ann and Ben; lines are given by '; '."""
    text = 'scenario "S" of cards:\n  given:\n' + lines(f"players: Ann, Ben; {given}" if given else "players: Ann, Ben")
    if when:
        text += "  when:\n" + lines(when)
    if then:
        text += "  then:\n" + lines(then)
    return text


def lines(text: str) -> str:
    """Lines of a block."""
    return "".join(f"    {line}\n" for line in text.split("; "))


def mistakes(text: str, rules: str = CARDS) -> list[str]:
    """What is wrong with a text: the line below the rules, the code, what is said, and the way out."""
    above = rules.count("\n")
    try:
        check_file(play_file_from_text("t.play", rules + text), Library())
    except Diagnosed as wrong:
        said = []
        for each in wrong.diagnostics:
            line = each.place.line - above if each.place else 0
            said.append(f"{line} {each.code.number} {each.message}" + (f" -> {each.hint}" if each.hint else ""))
        return said
    return []


ROOT = Path(__file__).resolve().parents[2]
