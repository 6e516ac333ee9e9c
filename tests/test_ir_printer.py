"""The listing of a program and the drawings of its graph."""

import re

import attrs
from programs import SEAT, at, everything, tic_tac_toe, with_node, x

from rulelang.ir import expressions as e
from rulelang.ir import nodes as n
from rulelang.ir import program as p
from rulelang.ir.graph import to_dot, to_mermaid
from rulelang.ir.printer import to_text
from rulelang.ir.spoken import Speaker

TIC_TAC_TOE = """\
game "Tic-tac-toe" (tic-tac-toe), IR version 1
players 2..2
closed for 2 players, options none

board Square: 3 by 3  # line 1
marker mark for each Square: player or none = -1; sees content everyone, top everyone, size everyone  # line 2
define complete#0 of 1 values = some line%1 in lines(Square, 3) where every square%2 in line%1 where \
(mark[square%2] is p%0)  # line 3

move place#0, effects place  # line 9
  square%1: Square in every Square
  require free after 1: (mark[square%1] is -1) because "{square%1} is taken"  # line 10

rule overview#0() begins at 0  # line 4
     0  let p%0 = 0  # line 5
     1  seat p%0 must place  # line 5
     2  if complete(p%0): 3, otherwise 4  # line 6
     3  end game, winners [p%0]  # line 6
     4  if every free%1 in every Square where not (mark[free%1] is -1): 5, otherwise 6  # line 7
     5  end game, winners []  # line 7
     6  let p%0 = (1 - p%0); then 1  # line 5

rule place#1(me%0, square%1) begins at 7  # line 9
     7  mark[square%1] becomes me%0  # line 11
     8  return  # line 9
"""


def test_a_listing() -> None:
    assert re.sub(r" +# line", "  # line", to_text(tic_tac_toe())) == TIC_TAC_TOE


def test_everything_can_be_said_without_class_names() -> None:
    text = to_text(everything())
    for said in (
        "board Comb: 2 by 4 hexagons",
        "blind pile of Card; starts with each it%0 in every Card times 2",
        "the {card%1} is already on the heap",
        "@R-2 @R-3",
        "next p%1 of seats%0, at most size of players: 4, when done 7",
        "seats every player secretly may discard or stop, let answered%4 = whether because",
        "put (top of heap[1] else none of Card) from heap[1] onto shown",
        "all item%1 in hand[p%0] with most rank of item%1 with least suit of item%1",
        "sees content (every player from owner%0) with owner%0 owning",
    ):
        assert said in text
    names = set(vars(e)) | {"SetMarker", "MoveTop"}
    assert not [name for name in names - {"Words", "Value", "Part"} if re.search(rf"\b{name}\(", text)]


def test_windows_say_that_only_the_first_counts() -> None:
    window = n.Decide(n.SealedSeats(e.AllOf(SEAT), True, True), (1,), x(4, "mover"), None, 9, at(64))
    assert "seats every player in order may stop, let mover%4 = who" in to_text(with_node(everything(), 8, window))


def test_what_is_not_there_is_said_by_number() -> None:
    say = Speaker(everything())
    assert say.formula(e.Apply(99, ())) == "functions#99()"
    assert say.formula(e.Cell(99, 7, x(0))) == "column#7 of x%0"
    assert say.formula(e.Part(x(0), p.SingleType.__args__[0](x(1), x(2)), 3)) == "part#3 of x%0"
    assert say.formula(e.OptionValue(0)) == "option ranks"
    lost = with_node(tic_tac_toe(), 6, n.Branch(x(0), 99, -1, at(1)))
    assert "6  if x%0: 99, otherwise -1" in to_text(lost)


def test_equal_programs_give_equal_text() -> None:
    for write in (to_text, to_dot, to_mermaid):
        assert write(everything()) == write(everything())


def test_drawings_have_every_node_once_and_every_way() -> None:
    program = everything()
    dot, mermaid = to_dot(program), to_mermaid(program)
    for number in range(len(program.nodes)):
        assert len(re.findall(rf"^    n{number} \[", dot, re.M)) == 1
        assert len(re.findall(rf"^    n{number}[(\[{{]", mermaid, re.M)) == 1
    assert dot.count("subgraph") == mermaid.count("subgraph") == len(program.procedures)
    assert '  n9 -> n10 [label="yes"];' in dot and '  n9 --> |"yes"| n10' in mermaid
    assert '  n3 -> n7 [label="done"];' in dot and '  n3 --> |"done"| n7' in mermaid
    assert "  n7 -> n14 [style=dashed];" in dot and "  n7 -.-> n14" in mermaid


def test_labels_are_escaped_and_short() -> None:
    named = attrs.evolve(tic_tac_toe().procedures[0], name='a"b\\c\nd[<&]')
    program = attrs.evolve(tic_tac_toe(), procedures=(named, *tic_tac_toe().procedures[1:]))
    assert '    label="a\\"b\\\\c d[<&]";' in to_dot(program)
    assert '  subgraph p0["a#34;b#92;c#10;d[#60;#38;]"]' in to_mermaid(program)
    labels = re.findall(r'n\d+ \[label="(.*?)"[\],]', to_dot(program))
    assert max(map(len, labels)) == 60 and labels[4].startswith("4: if every free%1") and labels[4].endswith("...")
