"""A program as a listing to read: declarations, moves, then every procedure with its nodes.

`rulelang compile --text` prints it.
"""

from typing import assert_never

from rulelang.ir import nodes as n
from rulelang.ir.laps import successors
from rulelang.ir.origin import Source
from rulelang.ir.program import (
    DeclaredSlot,
    Everyone,
    Marker,
    Move,
    Nobody,
    Owner,
    Preference,
    Procedure,
    Program,
    Seats,
    Start,
    These,
    Zone,
)
from rulelang.ir.spoken import Speaker

_COLUMN = 80
"""Where the comments with line numbers begin."""


def to_text(program: Program) -> str:
    """The listing of a program; the same text for equal programs."""
    return "\n".join(line.rstrip() for line in Printer(program).lines()) + "\n"


def node_text(speaker: Speaker, node: n.Node) -> str:
    """What a node does, without where it leads."""
    match node:
        case n.Do():
            return speaker.effect(node.effect)
        case n.Branch():
            return f"if {speaker.formula(node.condition)}"
        case n.Loop():
            laps = speaker.formula(node.capacity)
            return f"next {speaker.local(node.item)} of {speaker.local(node.items)}, at most {laps}"
        case n.Call():
            return f"{speaker.named('procedures', node.procedure)}({speaker.listed(node.arguments)})"
        case n.Return():
            return "return"
        case n.Leave():
            return f"end {speaker.named('procedures', node.procedure)}"
        case n.Decide():
            return _decide(speaker, node)
        case n.Chance():
            return f"chance {speaker.local(node.result)} = {_distribution(speaker, node.distribution)}"
        case n.End():
            return f"end game, {_outcome(speaker, node.outcome)}"
        case _:
            assert_never(node)


def _decide(speaker: Speaker, node: n.Decide) -> str:
    moves = " or ".join(speaker.named("moves", move) for move in node.moves)
    verb = "may" if n.may_pass(node.asked) else "must"
    answered = "" if node.answered is None else f", let {speaker.local(node.answered)} = whether"
    because = "" if node.words is None else f" because {speaker.words(node.words)}"
    match node.asked:
        case n.OneSeat():
            return f"seat {speaker.formula(node.asked.seat)} {verb} {moves}{answered}{because}"
        case n.SealedSeats():
            how = "in order" if node.asked.first_only else "secretly"
            if node.asked.first_only and node.answered is not None:
                answered = f", let {speaker.local(node.answered)} = who"
            return f"seats {speaker.formula(node.asked.seats)} {how} {verb} {moves}{answered}{because}"
        case n.AnyOfSeats():
            who = "" if node.answered is None else f", let {speaker.local(node.answered)} = who"
            return f"any of seats {speaker.formula(node.asked.seats)} may freely {moves}{who}{because}"
        case _:
            assert_never(node.asked)


def _distribution(speaker: Speaker, distribution: n.Distribution) -> str:
    none = speaker.formula(distribution.none)
    match distribution:
        case n.AnyOf():
            return f"any of {speaker.formula(distribution.collection)} else {none}"
        case n.TopOf():
            return f"top of {speaker.place(distribution.pile)} else {none}"
        case _:
            assert_never(distribution)


def _outcome(speaker: Speaker, outcome: n.Outcome) -> str:
    match outcome:
        case n.Winners():
            return f"winners {speaker.formula(outcome.seats)}"
        case n.Amounts():
            who = f"each {speaker.local(outcome.variable)} in {speaker.formula(outcome.seats)}"
            return f"{who} gets {speaker.formula(outcome.amount)}"
        case n.Grade():
            return f"grade {speaker.formula(outcome.grade)}"
        case n.Unresolved():
            return f"unresolved between {speaker.formula(outcome.seats)}"
        case n.Aborted():
            return "aborted"
        case _:
            assert_never(outcome)


class Printer:
    """Writes one program line by line."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.speaker = Speaker(program)

    def lines(self) -> list[str]:
        """The whole listing."""
        program = self.program
        automatic = [word for word in ("forced_chance", "forced_choices") if getattr(program, word)]
        lines = [
            f'game "{program.title}" ({program.name}), IR version {program.version}',
            f"players {program.fewest_seats}..{program.most_seats}",
            *([f"automatic {', '.join(automatic)}"] if automatic else []),
            *([f"reasons {', '.join(program.reasons)}"] if program.reasons else []),
        ]
        if program.configuration is not None:
            chosen = ", ".join(map(str, program.configuration.options)) or "none"
            lines.append(f"closed for {program.configuration.seats} players, options {chosen}")
        lines.append("")
        lines += self._declarations()
        for number, function in enumerate(program.functions):
            head = f"define {function.name}#{number} of {function.parameters} values"
            lines.append(_with_source(f"{head} = {self.speaker.formula(function.body)}", function.at))
        for number, move in enumerate(program.moves):
            lines += self._move(number, move)
        for invariant in program.invariants:
            text = f"always {invariant.name}: {self.speaker.formula(invariant.condition)}"
            lines.append(_with_source(text, invariant.at))
        for preference in program.preferences:
            lines.append(_with_source(self.preference(preference), preference.at))
        for number, procedure in enumerate(program.procedures):
            lines += self._procedure(number, procedure)
        return lines

    # -------------------------------------------------------------- declarations

    def _declarations(self) -> list[str]:
        say, lines = self.speaker, []
        for option in self.program.options:
            needs = "" if option.needs is None else f", needs {say.formula(option.needs)}"
            text = f"option {option.name}: {say.kind(option.type)} = {option.default}{needs}"
            lines.append(_with_source(text, option.at))
        for demand in self.program.demands:
            text = f"demand {demand.name}: {say.formula(demand.condition)} because {say.words(demand.words)}"
            lines.append(_with_source(text, demand.at))
        for board in self.program.boards:
            text = f"board {board.name}: {say.formula(board.rows)} by {say.formula(board.columns)}"
            text += " hexagons" if board.shape == "hexagons" else ""
            lines.append(_with_source(text, board.at))
        for table in self.program.tables:
            columns = ", ".join(f"{column.name}: {say.kind(column.type)}" for column in table.columns)
            lines.append(_with_source(f"table {table.name} ({columns}), {len(table.rows)} rows", table.at))
            for number, row in enumerate(table.rows):
                values = ", ".join(repr(column.values[number : number + 1])[1:-2] for column in table.columns)
                lines.append(f"  {row}: {values}")
        for slot in self.program.slots:
            lines.append(_with_source(self.slot(slot), slot.at))
        for timer in self.program.timers:
            kept = f"kept in {say.named('slots', timer.left)} and {say.named('slots', timer.end)}"
            lines.append(_with_source(f"timer {timer.name}: {say.formula(timer.full)} ms, {kept}", timer.at))
        if self.program.clock is not None:
            lines.append(f"clock kept in {say.named('slots', self.program.clock)}")
        return lines

    def slot(self, slot: DeclaredSlot) -> str:
        """A zone or marker."""
        say = self.speaker
        index = f" for each {' and '.join(say.kind(kind) for kind in slot.index)}" if slot.index else ""
        sight = ", ".join(f"{part} {self._seats(getattr(slot.sight, part))}" for part in ("content", "top", "size"))
        match slot:
            case Marker():
                return f"marker {slot.name}{index}: {say.kind(slot.type)} = {say.formula(slot.initial)}; sees {sight}"
            case Zone():
                starts = "".join(self._start(start) for start in slot.starts)
                blind = "blind " if slot.blind else ""
                return f"zone {slot.name}{index}: {blind}{slot.shape} of {say.kind(slot.content)}{starts}; sees {sight}"
            case _:
                assert_never(slot)

    def _start(self, start: Start) -> str:
        say = self.speaker
        each = f"{say.local(start.variable)} in {say.formula(start.values)}"
        return f"; starts with each {each} times {say.formula(start.times)}"

    def _seats(self, seats: Seats) -> str:
        match seats:
            case Everyone() | Nobody() | Owner():
                return type(seats).__name__.lower()
            case These():
                return f"{self.speaker.formula(seats.seats)} with {self.speaker.local(seats.owner)} owning"
            case _:
                assert_never(seats)

    def _move(self, number: int, move: Move) -> list[str]:
        say = self.speaker
        lines = [
            "",
            _with_source(
                f"move {move.name}#{number}{', seen by the mover' if move.private else ''}, "
                f"effects {say.named('procedures', move.procedure)}",
                move.at,
            ),
        ]
        for place, parameter in enumerate(move.parameters, 1):
            domain = say.formula(parameter.domain)
            lines.append(f"  {parameter.name}%{place}: {say.kind(parameter.type)} in {domain}")
        for requirement in move.requirements:
            text = f"  require {requirement.name} after {requirement.prefix}: {say.formula(requirement.condition)}"
            lines.append(_with_source(f"{text} because {say.words(requirement.words)}", requirement.at))
        return lines

    def preference(self, preference: Preference) -> str:
        """What automatic players are advised to do."""
        say = self.speaker
        move = "pass" if preference.move is None else say.named("moves", preference.move)
        return f"prefer {move}{say.ranks(preference.ranks)} when {say.formula(preference.condition)}"

    # -------------------------------------------------------------- procedures

    def _procedure(self, number: int, procedure: Procedure) -> list[str]:
        parameters = ", ".join(f"{name}%{i}" for i, name in enumerate(procedure.locals[: procedure.parameters]))
        lines = [
            "",
            _with_source(f"rule {procedure.name}#{number}({parameters}) begins at {procedure.entry}", procedure.at),
        ]
        for node in in_order(self.program, procedure.entry):
            lines.append(_with_source(f"  {node:4}  {self._node(node)}", self.program.nodes[node].at))
        return lines

    def _node(self, number: int) -> str:
        node = self.program.nodes[number]
        text = node_text(self.speaker, node)
        match node:
            case n.Branch():
                return f"{text}: {node.then}, otherwise {node.otherwise}"
            case n.Loop():
                return f"{text}: {node.body}, when done {node.done}"
            case n.Return() | n.Leave() | n.End():
                return text
            case _:
                return text if node.next == number + 1 else f"{text}; then {node.next}"


def in_order(program: Program, entry: int) -> list[int]:
    """The nodes of a procedure in the order in which one reads them: from the entry on, each way to its end."""
    order: dict[int, None] = {}
    waiting = [entry]
    while waiting:
        number = waiting.pop()
        if number not in order and 0 <= number < len(program.nodes):
            order[number] = None
            waiting.extend(reversed(successors(program.nodes[number])))
    return list(order)


def _with_source(text: str, at: Source) -> str:
    clauses = "".join(f" @{clause}" for clause in at.clauses)
    return f"{text:{_COLUMN}}  # line {at.origin.line}{clauses}"
