"""Who may know what: does anything that a seat is told depend on what it may not see? Spec 7.9.

Where a thing lives, its sight is declared; everything else follows. The pass works out for every formula what it
reads of what not everybody sees - its *label*, see ``labels`` - and looks at the places from which somebody learns
something:

- a move's requirements, their words and the domains of its parameters: read only what the mover sees (``moves``);
- what automatic players are advised to do: reads only what the seat that is asked sees (``moves``);
- who is asked, with what words, in which order, and whatever decides between different waits: read only what everybody
  sees (``flow``, with ``waits``);
- who sees a zone: a list that everybody can work out (here);
- a choice that resolves itself: everybody knows how many answers there are (``moves``, with ``different``);
- piles in which unseen cards can lie: nothing reads them, effects included (``formulas``, ``unseen``).

Effects and results may read all other hidden things; moving a card or setting an open marker is how a game reveals.

What is not proved. A reveal is taken at the author's word: an open marker that is set from a hidden card and set back
before the next wait was open to nobody, yet counts as open. ``if HIDDEN: end game`` is accepted although going on
tells that the condition does not hold: the rulebook says so aloud. That a choice offers *something* legal is not
proved here.
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.gathered import named_in, texts_of
from rulelang.checker.visibility.flow import Flow
from rulelang.checker.visibility.formulas import formulas_of
from rulelang.checker.visibility.labels import OPEN
from rulelang.checker.visibility.unseen import shuffled_and_gathered
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked

OPEN_ONLY = "who sees a thing may depend on options, on its owner and on open markers"


def prove(checked: "Checked", findings: Findings) -> None:
    """Report every way in which a seat would be told what it may not see."""
    flow = Flow(checked, findings)
    shuffled_and_gathered(checked, findings)
    for node in checked.rules.declarations:
        if isinstance(node, ast.Zone | ast.Marker):
            _sight(node, flow)
        elif isinstance(node, ast.Define | ast.Condition):
            _word(node, flow)
        elif isinstance(node, ast.Always):
            flow.label(node.condition)
        elif isinstance(node, ast.Whenever):
            flow.label(node.condition)
            flow.lines(node.body.statements)
    for piece in flow.running.openers_first():
        flow.piece(piece)
    for node in checked.rules.declarations:
        if isinstance(node, ast.Prefer):
            flow.prefer(node)


def _sight(node: ast.Zone | ast.Marker, flow: Flow) -> None:
    """The lists behind ``seen by``. One that is read through its own sight is not open, so there are no circles."""
    for trait in node.traits:
        if not isinstance(trait, ast.SeenBy) or trait not in flow.names.bindings:
            continue
        flow.labels[flow.names.bindings[trait]] = OPEN
        for reading in flow.label(trait.seats).hidden():
            related = flow.declared(reading)
            flow.findings.report(
                codes.SEEN_BY_READS_HIDDEN, reading.at, word=node.name, related=related, hint=OPEN_ONLY
            )


def _word(node: ast.Define | ast.Condition, flow: Flow) -> None:
    """A define that nothing uses is looked at all the same: it must not look into an unseen pile."""
    flow.bind_params(node.params, ["anybody"] * len(node.params))
    for formula in formulas_of(node):
        flow.label(formula)
    for line in named_in(node):
        flow.inner(line)
    for text in texts_of(node) if isinstance(node, ast.Condition) else ():
        flow.label(text)
