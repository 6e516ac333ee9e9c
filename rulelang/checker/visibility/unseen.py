"""Unseen piles: nobody may look into a pile that is shuffled. Spec 10.4.

A shuffled pile holds cards that are not decided yet, so nobody can see them: it has to be declared seen by nobody
(RL5008). Unseen pieces can be gathered only into such a pile (RL5009). That no formula reads them is seen to where
formulas are labelled (RL5005).
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements, unseen, zone_of
from rulelang.checker.kinds import agree
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


def shuffled_and_gathered(checked: "Checked", findings: Findings) -> None:
    """Check every ``shuffle`` and ``gather``."""
    for declaration in checked.rules.declarations:
        for line in statements(declaration):
            if isinstance(line, ast.Command) and line.verb == "shuffle":
                _shuffle(line, checked, findings)
            elif isinstance(line, ast.Command) and line.verb == "gather":
                _gather(line, checked, findings)


def _shuffle(line: ast.Command, checked: "Checked", findings: Findings) -> None:
    zone = zone_of(line.object, checked.names, checked.types)
    if zone is None or unseen(zone):
        return
    sights = [t for t in zone.traits if isinstance(t, ast.SeenBy) and t.part != "size"]
    looking = [t for t in sights if not isinstance(t.seats, ast.Constant)]
    place = looking[0].at if looking else zone.at
    findings.report(
        codes.SHUFFLED_PILE_SEEN,
        line.object.at,
        word=zone.name,
        related=(Related(place, "who sees it is said here"),),
        hint=f"declare '{zone.name}' as 'seen by nobody', or shuffle the cards in a pile of their own",
    )


def _gather(line: ast.Command, checked: "Checked", findings: Findings) -> None:
    zone = zone_of(line.to, checked.names, checked.types) if line.to is not None else None
    if zone is None or zone in checked.blind:
        return
    kinds = checked.declared.kinds
    piles = [pile for pile in kinds if pile in checked.blind and agree(kinds[pile], kinds[zone])]
    for pile in piles[:1]:
        assert isinstance(pile, ast.Zone)
        findings.report(
            codes.GATHERED_WHERE_SEEN,
            line.at,
            word=zone.name,
            pile=pile.name,
            related=(Related(pile.at, "the unseen pile"),),
            hint=f"gather to '{pile.name}'",
        )
