"""Players of Monster-Bande by the model of scenarios.md, section 13: `--seats model:0.5,model:0.5`.

A player keeps nothing between two decisions. What it knows is what its seat was shown (`Situation.memory`: the moves
that were made, when, and what lay open then), the rules of this game (`Situation.program`) and the draws that it is
given. Those stay the same until it acts. So chance at a certain moment is drawn from them and the number of that moment
in its memory: whether a hint was missed, or how long it takes to react to it, does not change while it thinks.

Monsters and statements are numbers of rows; sets of monsters are whole numbers with a bit for each, so that a hint
filters the table by one `&`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.failures import Diagnosed
from rulelang.ir.program import Program
from rulelang.ir.types import NumberType
from rulelang.play.agents import Situation
from rulelang.play.chance import Stream, mix
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Play
from rulelang.play.kinds import Layout
from rulelang.play.remembering import Moment
from rulelang.play.view import Observed, View

# ------------------------------------------------------------------ the figures of the model, times in milliseconds

ROLL, TURN, COMPARE, STAND_UP, TURN_CARD, COVER = 2_000, 1_000, 1_000, 1_000, 1_000, 1_000
DRAW: Final = (800, 1_500)
HINT: Final = (1_500, 3_000)
ANSWER: Final = (1_000, 2_000)
REACTION: Final = (1_200, 3_200)
LOOK: Final = 20
"""Added to a reaction for each card on the table."""
STOP: Final = (300, 1_500)
DISPUTE: Final = (0, 500)
VOTE: Final = (1_000, 5_000)

SLIP, MISSED, NOTICED, UNFOUNDED, DISPUTED, AGAINST, REMEMBERED = 30, 50, 800, 5, 100, 800, 700
"""Chances in thousandths: a hint is a violation; a hint is missed; a violation is noticed; a harmless hint is stopped;
a couple is disputed after a violation; somebody votes against the other side; a card that was shown is remembered.
"""

Proposed = tuple[int, Answer]
"""Table time of an act, and the act."""


class Lore:
    """What everybody knows about one game: its cards, what can be said, who may do what. Worked out once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = {table.name: table for table in program.tables}
        said = tables["Statement"]
        column = {each.name: each.values for each in said.columns}
        forms = _labels(next(each.type for each in said.columns if each.name == "form"))
        self.statements = len(said.rows)
        self.monsters = len(tables["Monster"].rows)
        self.options = _options(program)
        self.moves = {move.name: number for number, move in enumerate(program.moves)}
        self.names = tuple(move.name for move in program.moves)
        self.slots = {slot.name: number for number, slot in enumerate(program.slots)}
        self.bases = tuple(family.base for family in Layout.of(program).families)
        self.everything = (1 << self.monsters) - 1
        self.fits: list[int] = []
        """Of each statement the monsters that it is true of, all of them if nobody can tell."""
        self.mentions: list[frozenset[int]] = []
        """The categories that each statement touches in this game."""
        for row in range(self.statements):
            monsters = column["true_of"][row]
            assert isinstance(monsters, tuple)
            self.fits.append(sum(1 << each for each in monsters) if column["checked"][row] else self.everything)
            form, touches, own = forms[_number(column["form"][row])], column["touches"][row], column["category"][row]
            assert isinstance(touches, tuple)
            self.mentions.append(self._mentions(form, touches, _number(own), bool(column["derived"][row])))
        counted = {each.name for each in tables["Monster"].columns if isinstance(each.type, NumberType)}
        number = {name: row for row, name in enumerate(said.rows)}
        self.sayable = tuple(
            tuple(
                [row for name, row in number.items() if name.startswith(f"{each.name}_is_") and column["checked"][row]]
                + [number[f"{each.name}_{form}"] for form in ("singular", "plural") if each.name in counted]
            )
            for each in tables["Monster"].columns
        )
        """Of each attribute what describers say of it: what it is, else of a count whether it is one or more."""
        self._facts: dict[frozenset[int], tuple[tuple[int, ...], ...]] = {}

    def _mentions(self, form: str, touches: tuple[int, ...], own: int, derived: bool) -> frozenset[int]:
        """As `mentions` in the rules has it."""
        if derived and self.options["derived_words"] == "printed_only":
            return frozenset()
        found = set(touches)
        if form == "absence" and not self.options["absence_counts_as_number"]:
            found = set()
        if self.options["modifier_scope"] == "whole_monster" and form in ("part_size", "part_colour"):
            found = set()
        if own >= 0:  # else it is about no attribute
            found.add(own)
        return frozenset(found)

    def facts(self, forbidden: frozenset[int]) -> tuple[tuple[int, ...], ...]:
        """Of each monster the facts that may be told of it: for each attribute the first true statement that touches
        nothing forbidden, in the order of the attributes.
        """
        if forbidden not in self._facts:
            allowed = [[row for row in rows if not self.mentions[row] & forbidden] for rows in self.sayable]
            self._facts[forbidden] = tuple(
                tuple(
                    row
                    for rows in allowed
                    if (row := next((each for each in rows if self.fits[each] >> monster & 1), None)) is not None
                )
                for monster in range(self.monsters)
            )
        return self._facts[forbidden]

    def slips(self, monster: int, category: int) -> list[int]:
        """True statements that touch a category, the first of each attribute."""
        found = []
        for rows in self.sayable:
            first = next(
                (row for row in rows if self.fits[row] >> monster & 1 and category in self.mentions[row]), None
            )
            if first is not None:
                found.append(first)
        return found

    def said(self, rank: int) -> tuple[int, ...]:
        """The statements of a list that was said, from its number (docs/language 12.4)."""
        length, many = 1, self.statements
        while rank >= many:
            rank -= many
            length, many = length + 1, many * self.statements
        found = []
        for _ in range(length):
            rank, row = divmod(rank, self.statements)
            found.append(row)
        return tuple(reversed(found))


OPTIONS: Final = ("drawing", "modifier_scope", "absence_counts_as_number", "derived_words")


def _number(value: Any) -> int:
    assert isinstance(value, int)
    return value


def _labels(kind: Any) -> tuple[str, ...]:
    labels: tuple[str, ...] = getattr(kind, "labels", ())
    return labels


def _options(program: Program) -> dict[str, Any]:
    """The value of each option that players go by: a word, or whether it is chosen."""
    assert program.configuration is not None
    found: dict[str, Any] = {}
    for option, code in zip(program.options, program.configuration.options, strict=True):
        if option.name in OPTIONS:
            found[option.name] = _labels(option.type)[code] if _labels(option.type) else code
    return found


# ------------------------------------------------------------------ what a seat sees and remembers


class Table:
    """What one seat knows when it is asked."""

    def __init__(self, situation: Situation, lore: Lore) -> None:
        self.me = situation.seat
        self.lore = lore
        self.memory: Sequence[Moment] = situation.memory
        self.now = self.memory[-1].time
        self.seen = _contents(self.memory[-1].view)
        self.possible = _possible(situation.answers, lore)
        moves = self.memory[-1].view.waiting.moves
        self.offered = frozenset(lore.names[each] for each in moves)

    def one(self, name: str, member: int = 0) -> Any:
        """What a marker says, or what lies in a zone; None if the seat does not see it."""
        return self.seen.get((self.lore.slots[name], member))

    @property
    def describer(self) -> int:
        """Who describes now or next."""
        return _number(self.one("describer"))

    @property
    def seats(self) -> range:
        """Everybody who plays."""
        return range(self.lore.program.configuration.seats if self.lore.program.configuration else 0)

    @property
    def opponents(self) -> list[int]:
        """Who listens for violations: all of other sides, everybody else if there is only one side."""
        side = self.one("side", self.describer)
        found = [seat for seat in self.seats if self.one("side", seat) != side]
        return found or [seat for seat in self.seats if seat != self.describer]

    def back(self) -> Iterator[tuple[int, Moment, Observed, str]]:
        """The moves that were made, the last first: moment, what was done, its name."""
        for place in range(len(self.memory) - 1, -1, -1):
            moment = self.memory[place]
            for done in reversed(moment.observed):
                yield place, moment, done, "" if done.move is None else self.lore.names[done.move]

    def quiet_since(self) -> int:
        """When anything but talk happened last."""
        for moment in reversed(self.memory):
            if moment.expired is not None or any(
                done.move is not None and self.lore.names[done.move] not in TALK for done in moment.observed
            ):
                return moment.time
        return 0


TALK: Final = frozenset({"discuss", "ask"})
UTTERANCES: Final = frozenset({"hint", "answer"})


def _contents(view: View) -> dict[tuple[int, int], Any]:
    """What a seat sees of each zone and marker."""
    return {(each.slot, each.member): each.value for each in view.seen if each.part == "content"}


def _possible(answers: Sequence[Answer], lore: Lore) -> dict[str, int]:
    """Where the answers with each move begin. They come in the order of moves, so that few have to be looked at."""
    found: dict[str, int] = {}
    place = 0
    while place < len(answers):
        answer = answers[place]
        if not isinstance(answer, Play):
            break
        found[lore.names[answer.move]] = place
        place += 1
        if place < len(answers) and _move_of(answers[place]) == answer.move:
            place = bisect_right(answers, answer.move, place, key=_move_of)
    return found


def _move_of(answer: Answer) -> int:
    """A pass comes last."""
    return answer.move if isinstance(answer, Play) else 1 << 30


class Card:
    """What was said about the card in hand, as far as everybody heard it, and when."""

    def __init__(self, table: Table) -> None:
        lore = table.lore
        self.start = 0
        """The moment in which it was drawn."""
        self.spoken: list[tuple[int, int, tuple[int, ...]]] = []
        """Moment, time and statements of what the describer said."""
        self.wrong: tuple[int, int] | None = None
        """Moment and time of the first miss, with three players."""
        self.question: tuple[int, int, tuple[int, ...]] | None = None
        """The last question, as long as the describer has not said anything since."""
        self.touched: tuple[int, int] | None = None
        """Moment and time of the last touch that the other searchers have not agreed to."""
        self.own = -1
        """The moment of the last act of the seat itself since the card was drawn."""
        automatic = lore.options["drawing"] == "automatic"
        for place, moment, done, name in table.back():
            if name == "draw" or (automatic and self._drawn(table, place, moment, done, name)):
                self.start = place
                break
            if done.seat == table.me and self.own < 0:
                self.own = place
            if name in UTTERANCES:
                said = done.arguments[0]
                assert said is not None
                self.spoken.append((place, moment.time, lore.said(said)))
            elif name == "ask" and self.question is None and not self.spoken:
                said = done.arguments[0]
                assert said is not None
                self.question = place, moment.time, lore.said(said)
            elif name == "decline" and self.question is None:
                self.question = (place, -1, ())
            elif name == "touch" and _stays(table, moment, done):
                self.touched = self.touched or (place, moment.time)
            elif name == "touch":
                self.wrong = place, moment.time
        if self.question is not None and self.question[1] < 0:
            self.question = None
        self.spoken.reverse()
        self.fitting = lore.everything
        """The monsters of which everything is true that was said."""
        for _, _, said_rows in self.spoken:
            for row in said_rows:
                self.fitting &= lore.fits[row]
        self.told = frozenset(row for _, _, rows in self.spoken for row in rows)

    @staticmethod
    def _drawn(table: Table, place: int, moment: Moment, done: Observed, name: str) -> bool:
        """Whether this move brought a card into the hand, where cards are drawn by themselves."""
        if name in ("roll_dice", "turn_hourglass", "pass", "waive"):
            return True
        if name == "touch":  # not if it was the first miss with three players, or others have still to agree
            return (
                not _stays(table, moment, done)
                and _number(_contents(moment.view)[table.lore.slots["shown_wrong"], 0]) < 0
            )
        if name == "stop":
            return bool(_contents(moment.view).get((table.lore.slots["stop_right"], 0)))
        return False


def _stays(table: Table, moment: Moment, done: Observed) -> bool:
    """Whether a finger stays on the card: where all searchers must agree, until they do."""
    return _number(_contents(moment.view)[table.lore.slots["touching"], done.seat]) >= 0


def between(stream: Draw, span: tuple[int, int]) -> int:
    """A whole number of milliseconds, each equally likely."""
    return span[0] + stream.below(span[1] - span[0] + 1)


# ------------------------------------------------------------------ the player


class Model:
    """Describes, guesses, calls Stop, disputes, votes and turns cards by the model of scenarios.md, section 13."""

    takes_time = True
    speaks = True

    def __init__(self, skill: str = "0.5") -> None:
        """``skill`` from 0 (says whatever comes to its mind) to 1 (says what leaves fewest cards). Raises Diagnosed."""
        try:
            number = float(skill)
        except ValueError:
            number = -1
        if not 0 <= number <= 1:
            hint = "say 'model:0.5' for a player of middling skill (0 to 1)"
            raise Diagnosed([diagnose(codes.UNKNOWN_AGENT, word=f"model:{skill}", hint=hint)])
        self.name = f"model:{skill}"
        self.thousandths = round(number * 1000)
        self._lore: Lore | None = None

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """What it would do first, where acts take no time."""
        found = self.propose(situation, draw)
        return situation.answers[0] if found is None else found[1]

    def propose(self, situation: Situation, draw: Draw) -> tuple[int, Answer] | None:
        """What it does first of all that it has in mind, and in how many milliseconds."""
        assert situation.program is not None
        if self._lore is None or self._lore.program is not situation.program:
            self._lore = Lore(situation.program)
        table = Table(situation, self._lore)
        chance = Chance(draw)
        acts = list(self._acts(table, chance, situation))
        if not acts:
            return None
        time, answer = min(acts, key=lambda act: act[0])
        return max(0, time - table.now), answer

    def _acts(self, table: Table, chance: "Chance", situation: Situation) -> Iterator[Proposed]:
        """Everything that it has in mind."""
        if "turn_card" in table.possible:
            yield turn_card(table, chance, situation)
        elif "cover" in table.possible:
            yield table.quiet_since() + COVER, _plain(table, "cover")
        elif "vote" in table.possible:
            yield vote(table, chance)
        else:
            yield from self._in_the_round(table, chance)

    def _in_the_round(self, table: Table, chance: "Chance") -> Iterator[Proposed]:
        if table.me == table.describer:
            yield from between_rounds(table)
            if "draw" in table.possible:
                yield table.quiet_since() + between(chance.at(0), DRAW), _plain(table, "draw")
        if "dispute" in table.possible:
            yield from dispute(table, chance)
        if table.one("suspended") or ("touch" not in table.offered) or not _card_in_hand(table):
            return
        card = Card(table)
        if table.me == table.describer:
            if "decline" in table.possible:
                yield from describe(table, card, chance, self.thousandths)
        elif "touch" in table.possible:
            decided = guess(table, card, chance)
            if decided is not None:
                yield decided.time, Play(table.me, table.lore.moves["touch"], (decided.monster,))
        if "stop" in table.possible:
            yield from stop(table, card, chance)


class Chance:
    """The draws of one decision, in parts: the same for the same moment as long as the seat has not acted."""

    def __init__(self, draw: Draw) -> None:
        self._key = draw.below(2**64)

    def at(self, moment: int) -> Stream:
        """Draws that belong to a moment."""
        return Stream(mix(self._key, moment))


def _plain(table: Table, move: str, *arguments: int) -> Play:
    return Play(table.me, table.lore.moves[move], arguments)


def _card_in_hand(table: Table) -> bool:
    """Everybody sees how many cards a hand holds; only its owner sees which."""
    return bool(table.possible.keys() & {"decline", "touch", "stop", "pass", "waive"})


# ------------------------------------------------------------------ describing


def between_rounds(table: Table) -> Iterator[Proposed]:
    """The throw, the hourglass and the end of the game; the describer does all of it."""
    since = table.quiet_since()
    for move, delay in (
        ("roll_dice", ROLL),
        ("turn_hourglass", TURN),
        ("compare_piles", COMPARE),
        ("stand_up", STAND_UP),
    ):
        if move in table.possible:
            yield (
                since + (ROLL if move == "turn_hourglass" and "roll_dice" in table.possible else delay),
                _plain(table, move),
            )


def describe(table: Table, card: Card, chance: Chance, skill: int) -> Iterator[Proposed]:
    """A fact that was not yet told, the best one with the probability of the skill (in thousandths); rarely a slip."""
    lore, stream = table.lore, chance.at(0)
    monster = table.one("hand", table.me)[0]
    forbidden = frozenset(table.one("forbidden"))
    since = card.spoken[-1][1] if card.spoken else table.memory[card.start].time
    facts = [row for row in lore.facts(forbidden)[monster] if row not in card.told]
    if card.question is not None:
        yield card.question[1] + between(stream, ANSWER), reply(table, card, monster, forbidden)
        return
    if not facts:
        return
    time = since + between(stream, HINT)
    if forbidden and stream.below(1000) < SLIP:
        wrong = lore.slips(monster, sorted(forbidden)[stream.below(len(forbidden))])
        if wrong:
            yield time, _plain(table, "hint", wrong[stream.below(len(wrong))], 0)
            return
    if stream.below(1000) < skill:
        left = card.fitting & _bits(table.one("twins"))
        row = min(facts, key=lambda fact: (left & lore.fits[fact]).bit_count())
    else:
        row = facts[stream.below(len(facts))]
    yield time, _plain(table, "hint", row, 0)


def reply(table: Table, card: Card, monster: int, forbidden: frozenset[int]) -> Play:
    """The fact about the attribute that was asked for, or that nothing is said about it."""
    assert card.question is not None
    lore = table.lore
    asked = card.question[2]
    about = next((rows for rows in lore.sayable if set(rows) & set(asked)), ())
    fact = next((row for row in lore.facts(forbidden)[monster] if row in about), None)
    return _plain(table, "decline") if fact is None else _plain(table, "answer", fact, 0)


def _bits(monsters: Sequence[int]) -> int:
    return sum(1 << each for each in monsters)


# ------------------------------------------------------------------ guessing


class Guess:
    """A card that a searcher has decided on."""

    def __init__(self, time: int, monster: int, heard: int) -> None:
        self.time = time
        """When it will be touched."""
        self.monster = monster
        self.heard = heard
        """How many hints were heard until that was decided."""


def guess(table: Table, card: Card, chance: Chance) -> Guess | None:
    """The card that is left when everything that was heard is taken into account, or any of those that are left when
    the describer has nothing more to say; None as long as there is more to come.
    """
    lore, twins = table.lore, table.one("twins")
    on_table = _bits(twins)
    shown_wrong = table.one("shown_wrong")
    if shown_wrong >= 0:
        on_table &= ~(1 << shown_wrong)
    left = on_table
    told: set[int] = set()
    heard = 0
    decided = None if left & left - 1 else (card.start, table.memory[card.start].time)
    facts = lore.facts(frozenset(table.one("forbidden")))
    for place, time, said in card.spoken if decided is None else ():
        heard += 1
        if chance.at(place).below(1000) >= MISSED:
            for row in said:
                left &= lore.fits[row]
            told.update(said)
        if card.wrong is None and (not left & left - 1 or all(told.issuperset(facts[each]) for each in _members(left))):
            decided = place, time
            break
    decided = card.wrong or decided or silence(table, card)
    if decided is None:
        return None
    place, time = max(decided, card.touched or decided)
    stream = chance.at(-1 - place)
    time += between(stream, REACTION) + LOOK * len(twins)
    choice = agreeing(table, _members(left or on_table))
    if not choice:
        return None
    return Guess(time, choice[stream.below(len(choice))], heard)


def agreeing(table: Table, choice: list[int]) -> list[int]:
    """Those cards of a choice that can be touched now. Where all searchers must agree, a searcher joins another whose
    card may be the one, else tries another card than before, and waits once it has joined somebody or is sure.
    """
    mine = _number(table.one("touching", table.me))
    side, describer = table.one("side", table.me), table.describer
    mates = [seat for seat in table.seats if table.one("side", seat) == side and seat not in (table.me, describer)]
    theirs = {_number(table.one("touching", seat)) for seat in mates}
    if mine >= 0 and mine in theirs:
        return []
    return [each for each in choice if each in theirs] or [each for each in choice if each != mine]


def silence(table: Table, card: Card) -> tuple[int, int] | None:
    """Since when it is clear that no hint will come any more: moment and time."""
    if table.one("last_guess"):
        places = range(len(table.memory) - 1, -1, -1)
        place = next(each for each in places if table.memory[each].expired is not None)
        return place, table.memory[place].time
    if not card.spoken:
        return None
    place, time, _ = card.spoken[-1]
    return place, time + HINT[1]


def _members(monsters: int) -> list[int]:
    found = []
    while monsters:
        lowest = monsters & -monsters
        found.append(lowest.bit_length() - 1)
        monsters ^= lowest
    return found


# ------------------------------------------------------------------ the others


def stop(table: Table, card: Card, chance: Chance) -> Iterator[Proposed]:
    """For each hint one opponent listens closely: he may notice a violation; seldom he hears one that was none."""
    forbidden, opponents = frozenset(table.one("forbidden")), table.opponents
    for place, time, said in card.spoken:
        if place <= card.own or opponents[time % len(opponents)] != table.me:
            continue
        wrong = any(table.lore.mentions[row] & forbidden for row in said)
        stream = chance.at(~(place << 1))
        if stream.below(1000) < (NOTICED if wrong else UNFOUNDED):
            yield time + between(stream, STOP), _plain(table, "stop")


def dispute(table: Table, chance: Chance) -> Iterator[Proposed]:
    """After a hit on a card about which something forbidden was said one opponent may dispute it."""
    forbidden, opponents = frozenset(table.one("forbidden")), table.opponents
    hit: tuple[int, int] | None = None
    wrong = False
    for place, moment, done, name in table.back():
        if name == "draw" or (name == "touch" and hit is not None and table.lore.options["drawing"] == "automatic"):
            break
        if name == "touch" and hit is None:
            hit = place, moment.time
        elif name in UTTERANCES and hit is not None and done.arguments[0] is not None:
            wrong = wrong or any(table.lore.mentions[row] & forbidden for row in table.lore.said(done.arguments[0]))
    if hit is None or not wrong or opponents[hit[1] % len(opponents)] != table.me:
        return
    stream = chance.at(~(hit[0] << 1))
    if stream.below(1000) < DISPUTED:
        yield hit[1] + between(stream, DISPUTE), _plain(table, "dispute")


def vote(table: Table, chance: Chance) -> Proposed:
    """The side that would lose by it votes for itself, the others mostly against it; so again after a tie."""
    stream, mine = chance.at(0), table.one("side", table.me)
    opened, stopped = next((moment.time, name == "stop") for _, moment, _, name in table.back() if name in OPENING)
    own = next((moment.time for _, moment, done, _ in table.back() if done.seat == table.me), 0)
    if stopped:
        theirs = mine == table.one("side", table.describer)
    else:
        theirs = mine in (table.one("red_side"), table.one("blue_side"))
    counts = theirs or stream.below(1000) >= AGAINST
    return max(own, opened) + between(stream, VOTE), _plain(table, "vote", int(counts != stopped))


OPENING: Final = ("stop", "dispute")
"""What votes are about."""


# ------------------------------------------------------------------ the memory game


def turn_card(table: Table, chance: Chance, situation: Situation) -> Proposed:
    """First a card that is not known; then the other one of the couple if its place is remembered, or any.

    What comes to the mind is drawn anew for each decision: seven of ten cards that were shown and still lie there.
    """
    stream = chance.at(0)
    first = table.possible["turn_card"]
    answers = [each for each in situation.answers[first:] if isinstance(each, Play)]
    answers = [each for each in answers if table.lore.names[each.move] == "turn_card"]
    known = {place: monster for place, monster in _shown(table).items() if stream.below(1000) < REMEMBERED}
    turned = next((content[0] for back in (0, 1) if (content := table.one("shown", back))), None)
    choice = [each for each in answers if each.arguments not in known]
    if turned is not None:
        choice = [each for each in answers if known.get(each.arguments) == turned] or choice
    choice = choice or answers
    return table.quiet_since() + TURN_CARD, choice[stream.below(len(choice))]


def _shown(table: Table) -> dict[tuple[int, ...], int]:
    """Which card lay at each place when it was turned up, in the order in which they were."""
    found: dict[tuple[int, ...], int] = {}
    turned: list[tuple[int, ...]] = []
    slot = table.lore.slots["seen_last"]
    for moment in table.memory:
        for done in moment.observed:
            if done.move is not None and table.lore.names[done.move] == "turn_card":
                turned.append(tuple(_number(code) for code in done.arguments))
        if turned and moment.view.waiting.kind != "chance":
            seen = _contents(moment.view)
            for place in turned:
                found[place] = _number(seen[slot, place[0]])
            turned.clear()
    return found


AGENTS = {"model": Model}
