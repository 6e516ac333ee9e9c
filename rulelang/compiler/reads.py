"""What formulas read: of what not everybody sees, and of the table at all. Spec 7.2, 8.7 and 9.5.

The checker knows what every formula reads that not everybody sees (``rulelang.checker.visibility``); here its labels
are asked two questions about moves.
"""

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.gathered import named_in, own_formulas
from rulelang.checker.inside import inside
from rulelang.checker.kinds import Collection, Kind, Member, Optional
from rulelang.checker.symbols import ConditionName, DefineName, LocalName, MarkerName, TimerName, ZoneName
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
            slots = (reading.slot for reading in label.hidden())
            found.append(tuple(dict.fromkeys(slot for slot in slots if not isinstance(slot, ast.Move))))
        return found

    def tells(self, move: ast.Move) -> bool:
        """Whether it depends on what not everybody sees if the move has a legal answer."""
        return bool(self.moves.number_of_answers(move, True).hidden())


def reads_table(formula: ast.Expr, checked: Checked) -> bool:
    """Whether a formula looks at a zone or marker, also by way of words of the rulebook. Nothing is there before play.

    To name one of a family is not to look at it.
    """
    stack: list[ast.Node] = [formula]
    seen: set[ast.Node] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        which = isinstance(_single(checked.types.kinds.get(node)), Member)
        match checked.names.uses.get(node):
            case TimerName():
                return True
            case ZoneName() | MarkerName() if not which:
                return True
            case LocalName() if which:
                return True
            case DefineName(node=word):
                stack += [part for case in word.cases for part in (case.value, case.condition) if part is not None]
            case ConditionName(node=word):
                stack += [*own_formulas(word), *named_in(word)]
            case _:
                pass
        stack += node.indices if isinstance(node, ast.At) and which else inside(node)
    return False


def _single(kind: Kind | None) -> Kind | None:
    return kind.of if isinstance(kind, Collection | Optional) else kind
