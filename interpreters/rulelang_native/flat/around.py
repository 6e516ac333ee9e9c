"""What flat programs refer to and do not hold themselves: what the verifier has to know of slots, moves and nodes."""

from __future__ import annotations

import attrs

from rulelang.ir import nodes as ir
from rulelang.ir.effects import Shuffle
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import CollectionType, PickType, SaidType
from rulelang.play.kinds import Layout


@attrs.frozen
class Cells:
    """What is to be known of a zone or marker."""

    name: str
    members: int
    row: bool
    """Whether a row lies there, and not a number."""


@attrs.frozen
class Effects:
    """What is to be known of a move: its procedure, and which answers are rows."""

    procedure: int
    rows: tuple[bool, ...]


@attrs.frozen
class Around:
    """What flat programs refer to and do not hold themselves."""

    slots: tuple[Cells, ...]
    moves: tuple[Effects, ...]
    nodes: int
    following: dict[int, int]
    """For every node that can wait: where play goes on."""
    asking: frozenset[int]
    """The nodes that ask seats."""

    @staticmethod
    def of(program: Program, layout: Layout) -> Around:
        """What the flat form of a closed program can refer to."""
        slots = tuple(
            Cells(each.name, family.count, isinstance(each, Zone) or isinstance(each.type, CollectionType))
            for each, family in zip(program.slots, layout.families, strict=True)
        )
        moves = tuple(
            Effects(move.procedure, tuple(isinstance(each.type, PickType | SaidType) for each in move.parameters))
            for move in program.moves
        )
        following = {
            at: node.next
            for at, node in enumerate(program.nodes)
            if isinstance(node, ir.Decide | ir.Chance) or (isinstance(node, ir.Do) and isinstance(node.effect, Shuffle))
        }
        asking = frozenset(at for at, node in enumerate(program.nodes) if isinstance(node, ir.Decide))
        return Around(slots, moves, len(program.nodes), following, asking)
