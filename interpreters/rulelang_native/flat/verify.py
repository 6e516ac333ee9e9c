"""Whether a flat program is sound: asked of every one before it is printed. What is not is our own bug (`Broken`).

In a program that passes

- every number names something: functions, procedures, blocks, failures, divisions, slots, members, moves, nodes and
  locals;
- every variable, and every row or note under way, has been set on every way that leads to its use;
- values have the shapes that their uses ask for: numbers, truths, rows;
- functions give a value on every way, blocks end on every way, nothing stands behind an end;
- what changes the table or waits stands only where it can: never in functions, never waiting in a plain procedure;
- nothing is nested deeper than printers and Python take.

One way through the program, without going back: the work grows with its length. Statements are in
`verify_statements`, expressions in `verify_values`.
"""

from __future__ import annotations

import attrs

from rulelang.failures import Broken
from rulelang_native.flat.around import Around
from rulelang_native.flat.program import FlatProgram, Function, Procedure
from rulelang_native.flat.shapes import NUMBER, ROW, together
from rulelang_native.flat.verify_statements import Statements, Where
from rulelang_native.flat.verify_values import Wrong

OF_SLOT = ("no_place", "no_fit", "no_room", "not_there", "no_piece_without_face")
"""Failures whose number is that of a slot."""


def verify(program: FlatProgram, around: Around) -> None:
    """Raise Broken, with the place, if a flat program is not sound."""
    Verifier(program, around).all()


def verify_procedure(program: FlatProgram, around: Around, procedure: Procedure) -> None:
    """The same for a procedure that was written anew, and stands in a sound program."""
    procedures = list(program.procedures)
    procedures[procedure.number] = procedure
    verifier = Verifier(attrs.evolve(program, procedures=tuple(procedures)), around)
    verifier.headers()
    verifier.procedure(procedure)


class Verifier(Statements):
    """Goes through one flat program."""

    # -------------------------------------------------------------- the whole

    def all(self) -> None:
        """Everything."""
        self.headers()
        for function in self.program.functions:
            self.function(function)
        for procedure in self.program.procedures:
            self.procedure(procedure)
        self.at_the_end()

    def at_the_end(self) -> None:
        """What could only be asked when all uses were met."""
        for place, reason in self.values.left_over():
            raise Broken(f"flat program, {place}: {reason}")

    def headers(self) -> None:
        """What parts are called, and what they refer to outside of statements."""
        program, around, values = self.program, self.around, self.values
        for place, function in enumerate(program.functions):
            if function.name in values.functions:
                raise Broken(f"flat program: two functions are called '{function.name}'")
            values.enter(place, function)
        for place, procedure in enumerate(program.procedures):
            if procedure.number != place:
                raise Broken(f"flat program: procedure {procedure.number} stands at place {place}")
            if procedure.parameters > procedure.locals:
                raise Broken(f"flat program, procedure {place}: it has fewer locals than parameters")
        for place, failure in enumerate(program.failures):
            if failure.reason in OF_SLOT and not 0 <= failure.number < len(around.slots):
                raise Broken(f"flat program, failure {place}: there is no slot {failure.number}")
        for place, division in enumerate(program.divisions):
            worth = values.functions.get(division.worth)
            if worth is None or worth.kind != "value" or len(worth.parameters) != 1:
                raise Broken(f"flat program, division {place}: '{division.worth}' is no function of one value")
            parameter, result = values.signature(division.worth)
            if not (together(parameter[0], ROW) and together(result, ROW)):
                raise Broken(f"flat program, division {place}: '{division.worth}' does not give a row for a row")
        for place, move in enumerate(around.moves):
            for local, row in enumerate((False, *move.rows)):
                if not together(values.local(move.procedure, local), ROW if row else NUMBER):
                    raise Broken(f"flat program: what move {place} gives does not fit its procedure")

    def function(self, function: Function) -> None:
        """One function."""
        where = Where(1, 0, function.kind)
        parameters, _ = self.values.signature(function.name)
        self.values.begin(f"function {function.name}", function.body, function.frame, function.kind)
        for name, shape in zip(function.parameters, parameters, strict=True):
            self.values.shapes[name] = shape
            self.values.define(name)
        try:
            ended = self.body(function.body, where)
            if not ended and function.kind != "listing":
                raise Wrong("a way through it gives no value")
        except Wrong as wrong:
            self._broken(wrong, f"function {function.name}", function.comment)

    def procedure(self, procedure: Procedure) -> None:
        """One procedure: block by block, each with variables of its own."""
        name = f"procedure {procedure.number}"
        blocks = frozenset(each.node for each in procedure.blocks)
        if len(blocks) < len(procedure.blocks):
            raise Broken(f"flat program, {name}: two blocks begin at one node")
        if procedure.entry not in blocks:
            raise Broken(f"flat program, {name}: no block begins at its entry {procedure.entry}")
        halves = max(0, len(procedure.blocks) - 1).bit_length()
        kind = "plain" if procedure.plain else "waiting"
        for block in procedure.blocks:
            here = f"{name}, block {block.node}"
            self.values.begin(here, block.body, procedure.number, kind)
            try:
                self.node(block.node)
                if not self.body(block.body, Where(2 + halves, 1, kind, blocks)):
                    raise Wrong("a way through it does not end")
            except Wrong as wrong:
                self._broken(wrong, here, procedure.comment)

    @staticmethod
    def _broken(wrong: Wrong, here: str, comment: str) -> None:
        path = "".join(f", {step}" for step in reversed(wrong.path))
        named = f" ({comment})" if comment else ""
        raise Broken(f"flat program, {here}{named}{path}: {wrong.reason}") from None
