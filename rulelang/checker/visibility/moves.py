"""What a seat is offered must not depend on what it cannot see. Spec 7.9, 8.2 to 8.4.

A requirement, its words and the domain of a parameter are worked out for the seat that moves - at any time, since any
seat may attempt any move - so they may read only what the mover sees: RL5001, RL5002, RL5007. The answers of a move
are the mover's own; for others they are hidden if the domain looks into a zone that they do not see or if the move is
private, unless the move itself lays the answer where all see it (8.7). What the table may be asked for is told to those
who watch.

With forced choices a choice that leaves only one answer resolves itself, and everybody notices. So how many answers
there are must be known to all (RL5010): the domains and requirements of the offered moves read only what everybody
sees, or a domain is a whole zone whose size everybody knows, whose pieces are all different, and nothing more is
asked of the piece chosen. Without that header nobody is passed over because of what is hidden: such a seat is asked
although it can only pass.
"""

from collections.abc import Callable, Sequence

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.blind import zone_of
from rulelang.checker.gathered import named_in, required, texts_of
from rulelang.checker.places import SlotRef, place
from rulelang.checker.symbols import LocalName, MoveName
from rulelang.checker.visibility.different import Different
from rulelang.checker.visibility.formulas import Formulas
from rulelang.checker.visibility.labels import OPEN, Label, Reading, Stance, joined
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Related
from rulelang.source import Place

MOVER = "the player who moves"
SOME = "some player"
TABLE = "the table"
WATCHER = "a spectator"


class Moves(Formulas):
    """The moves of one file."""

    different: Different

    # ------------------------------------------------------------------ what the mover is told

    def move(self, node: ast.Move) -> None:
        """Domains, requirements and words of a move."""
        for parameter in node.parameters:
            self.bind_answer(parameter, self.domain)
        for requirement in node.requirements:
            if isinstance(requirement, ast.RequireNamed):
                self.named_requirement(requirement)
                continue
            unless = [self.label(requirement.unless)] if requirement.unless is not None else []
            condition = joined([self.label(requirement.condition), *unless])
            self.for_mover(codes.REQUIREMENT_READS_HIDDEN, condition, TEST_IN_EFFECT)
            self.for_mover(codes.WORDS_READ_HIDDEN, self.told(requirement), SAY_LESS)

    def bind_answer(self, parameter: ast.ChoiceOf | ast.Maybe, of_domain: Callable[[ast.Expr], Label]) -> None:
        """Give a parameter the label of what it is chosen from."""
        name = self.names.bindings[parameter]
        self.labels[name] = OPEN
        if isinstance(parameter, ast.ChoiceOf):
            self.stances[name] = self.members(parameter.domain)
            self.labels[name] = of_domain(parameter.domain)

    def domain(self, node: ast.Expr) -> Label:
        """What a domain reads and the mover may see; the rest is reported."""
        label = self.contents(node)
        self.for_mover(codes.CHOICE_LISTS_HIDDEN, label, CHOOSE_FROM_SEEN)
        return attrs.evolve(label, readings=tuple(reading for reading in label.readings if reading.mover))

    def prefer(self, node: ast.Prefer) -> None:
        """Advice is worked out for the seat that is asked; of the answers it knows those that it may give."""
        move = self.names.uses.get(node)
        for parameter in move.node.parameters if isinstance(move, MoveName) else ():
            self.bind_answer(parameter, self.seen_contents)
        formulas = [rank.value for rank in node.ranks] + ([node.when] if node.when is not None else [])
        for formula in formulas:
            self.for_mover(codes.PREFERENCE_READS_HIDDEN, self.label(formula), ADVISE_BY_SIGHT)

    def seen_contents(self, node: ast.Expr) -> Label:
        """What a domain reads and the mover may see; the rest was reported at the move."""
        label = self.contents(node)
        return attrs.evolve(label, readings=tuple(reading for reading in label.readings if reading.mover))

    def named_requirement(self, node: ast.RequireNamed) -> None:
        condition = required(node, self.names)
        self.for_mover(codes.REQUIREMENT_READS_HIDDEN, self.applied(condition, node.arguments, node.at), TEST_IN_EFFECT)
        self.for_mover(codes.WORDS_READ_HIDDEN, self.told(node), SAY_LESS)

    def words_of(self, condition: ast.Condition, given: Sequence[Label], stances: Sequence[Stance], at: Place) -> Label:
        """What the words of a condition tell with these arguments, and those of the conditions that it gathers."""
        self.bind_params(condition.params, stances)
        found = [self.filled(self.label(text), condition.params, given, at) for text in texts_of(condition)]
        inner = [
            (
                required(line, self.names),
                [self.filled(self.label(argument), condition.params, given, at) for argument in line.arguments],
                [self.stance(argument) for argument in line.arguments],
            )
            for line in named_in(condition)
        ]
        return joined([*found, *(self.words_of(*line, at) for line in inner)])

    # ------------------------------------------------------------------ what the others learn

    def answers(self, node: ast.Move, ways: Sequence[Sequence[ast.Statement]]) -> None:
        """Give the parameters, as the effects know them, the labels that they have for everybody else.

        ``ways`` are the lines of the move, and those that exceptions put in their place.
        """
        for parameter in node.parameters:
            self.bind_answer(parameter, self.contents)
            name = self.names.bindings[parameter]
            if node.private:
                self.labels[name] = joined([self.labels[name], self.private(node, parameter.at)])
            if self.labels[name].readings and all(any(self.lays_open(line, name) for line in way) for way in ways):
                self.labels[name] = OPEN
            hidden = tuple(attrs.evolve(r, everyone=False) for r in self.labels[name].readings)
            self.labels[name] = Label(hidden)

    def private(self, move: ast.Move, at: Place) -> Label:
        """What only the mover observes."""
        return Label((Reading(move, "content", False, True, at, at),))

    def lays_open(self, line: ast.Statement, answer: LocalName) -> bool:
        """Whether a line of the move puts or writes the answer where everybody sees it."""
        match line:
            case ast.Put(what=value, target=target) | ast.Becomes(value=value, target=target):
                return self.names.uses.get(value) is answer and self.is_open(target)
            case _:
                return False

    def is_open(self, target: ast.Expr) -> bool:
        """Whether everybody sees what lies or stands at a place."""
        ref = place(target, self.names)
        slot = ref.node if isinstance(ref, SlotRef) else zone_of(target, self.names, self.checked.types)
        return slot is not None and self.seen(slot, "content", "anybody")[0]

    # ------------------------------------------------------------------ what those who watch are told

    def asked_of_table(self, move: ast.Move) -> None:
        """The table sees what a spectator sees: what it is told of a move reads what everybody sees."""
        asked = self.number_of_answers(move, False)
        words = [self.told(requirement) for requirement in move.requirements]
        for code, label in ((codes.REQUIREMENT_READS_HIDDEN, asked), (codes.WORDS_READ_HIDDEN, joined(words))):
            seen = [reading for reading in label.hidden() if reading.mover]  # the rest was reported at the move
            self.report(code, seen, TABLE, SHOW_FIRST)

    def told(self, node: ast.Require | ast.RequireNamed) -> Label:
        """What the words of a requirement tell."""
        if isinstance(node, ast.RequireNamed):
            labels = [self.label(argument) for argument in node.arguments]
            stances = [self.stance(argument) for argument in node.arguments]
            return self.words_of(required(node, self.names), labels, stances, node.at)
        return self.label(node.because) if node.because is not None else OPEN

    # ------------------------------------------------------------------ choices that resolve themselves

    def forced(self, node: ast.Choose) -> None:
        """Whether everybody knows if a choice leaves a choice."""
        for symbol, at in zip(self.names.moves[node], node.move_places, strict=True):
            for reading in self.number_of_answers(symbol.node, not node.must).hidden():
                if not reading.mover:
                    continue  # reported at the move itself
                related = (Related(reading.origin, "it is read here"), *self.declared(reading))
                self.findings.report(
                    codes.FORCED_CHOICE_TELLS,
                    at.at,
                    word=reading.slot.name,
                    move=symbol.node.name,
                    seat=SOME,
                    related=related,
                    hint="leave 'forced_choices' off the cover: then everybody is asked",
                )

    def number_of_answers(self, move: ast.Move, passes: bool) -> Label:
        """What it depends on how many answers a move has; with a pass beside them, whether there is any."""
        found: list[Label] = []
        for parameter in move.parameters:
            self.bind_answer(parameter, self.contents)
            if isinstance(parameter, ast.ChoiceOf):
                whole = self.is_whole_zone(parameter.domain, passes)
                found.append(self.contents(parameter.domain, "size" if whole else "content"))
        for requirement in move.requirements:
            if isinstance(requirement, ast.RequireNamed):
                found.append(self.inner(requirement))
            else:
                unless = [self.label(requirement.unless)] if requirement.unless is not None else []
                found += [self.label(requirement.condition), *unless]
        return joined(found)

    def is_whole_zone(self, domain: ast.Expr, passes: bool) -> bool:
        """Whether its size says how many different answers there are (or, beside a pass, whether there is one)."""
        ref = place(domain, self.names)
        if not isinstance(ref, SlotRef) or not isinstance(ref.node, ast.Zone):
            return False
        return passes or self.different.pieces(ref.node)

    # ------------------------------------------------------------------ reporting

    def for_mover(self, code: codes.Code, label: Label, hint: str) -> None:
        self.report(code, label.hidden_from_mover(), MOVER, hint)

    def report(self, code: codes.Code, readings: Sequence[Reading], seat: str, hint: str) -> None:
        """One finding for each reading: the word, the zone's declaration, one way out."""
        for reading in readings:
            way = (Related(reading.origin, f"'{reading.slot.name}' is read here"),)
            related = (*(way if reading.origin != reading.at else ()), *self.declared(reading))
            word = reading.slot.name
            who = WATCHER if seat is SOME and self.seen_by_players(reading) else seat
            self.findings.report(code, reading.at, word=word, seat=who, related=related, hint=hint.format(word=word))

    def seen_by_players(self, reading: Reading) -> bool:
        """Whether it is hidden from nobody but those who watch."""
        traits = reading.slot.traits if not isinstance(reading.slot, ast.Move) else ()
        asked = ("content", reading.part)
        sights = [trait.seats for trait in traits if isinstance(trait, ast.SeenBy) and trait.part in asked]
        return any(isinstance(seats, ast.Name) and seats.name == "players" for seats in sights)

    def declared(self, reading: Reading) -> tuple[Related, ...]:
        """Where the author said who sees it."""
        if isinstance(reading.slot, ast.Move):
            return (Related(reading.slot.at, "only the player who moves observes it"),)
        traits = {trait.part: trait for trait in reading.slot.traits if isinstance(trait, ast.SeenBy)}
        trait = traits.get(reading.part) or traits["content"]
        match trait.seats:
            case ast.Name(name="owner"):
                words = "only its owner sees it"
            case ast.Constant():
                words = "nobody sees it"
            case _:
                words = "who sees it is said here"
        return (Related(trait.at, words),)


ADVISE_BY_SIGHT = "advise by what the player sees: their own hand, open zones and markers"
TEST_IN_EFFECT = "compare hidden things in the effects of the move, and show what comes of it"
SAY_LESS = "leave '{word}' out of these words"
SHOW_FIRST = "the table sees what a spectator sees: let a player make this move, or show '{word}' first"
CHOOSE_FROM_SEEN = "let the player choose from what they see, or by number"
