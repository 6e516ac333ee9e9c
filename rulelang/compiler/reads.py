"""What the answers of a move, and whether there are any, tell of what not everybody sees. Spec 8.7 and 9.5.

The checker knows what every formula reads (``rulelang.checker.visibility``); here its labels are asked two questions.
"""

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.visibility.moves import Moves
from rulelang.diagnostics.diagnostic import Findings


class Reads:
    """What the moves of one program read. Everything forbidden has been reported before."""

    def __init__(self, checked: Checked) -> None:
        self.moves = Moves(checked, Findings())
        self.bindings = checked.names.bindings

    def chosen_from(self, move: ast.Move) -> list[tuple[ast.Zone | ast.Marker, ...]]:
        """For each parameter, the zones and markers that its answers name and not everybody sees."""
        found = []
        for parameter in move.parameters:
            self.moves.bind_answer(parameter, self.moves.contents)
            label = self.moves.labels[self.bindings[parameter]]
            found.append(tuple(dict.fromkeys(reading.slot for reading in label.hidden())))
        return found

    def tells(self, move: ast.Move) -> bool:
        """Whether it depends on what not everybody sees if the move has a legal answer."""
        return bool(self.moves.number_of_answers(move, True).hidden())
