"""Declarations of a generated game: kinds, zones, markers, options, words of the rulebook. Spec 4 to 7 and 14."""

from collections.abc import Callable

from rulelang.ast import nodes as ast
from rulelang.testing import making as m
from rulelang.testing.dice import Dice
from rulelang.testing.formulas import Formulas
from rulelang.testing.making import HERE
from rulelang.testing.world import (
    ALL,
    ANY,
    FLAG,
    OWN,
    SEAT,
    Cards,
    Cells,
    Choice,
    Edges,
    Faced,
    Flags,
    Kind,
    Labels,
    Local,
    Many,
    Maybe,
    Numbers,
    Rows,
    Scope,
    Slot,
    Which,
    Word,
    Words,
    World,
    type_for,
    word_for,
)

LABELS = (
    ("red", "green", "blue"),
    ("north", "east", "south", "west"),
    ("sun", "moon"),
    ("mouse", "cat", "dog", "élan"),
    ("low", "high"),
)


class Declaring:
    """Fills a world, and writes down what it declares."""

    def __init__(self, world: World, dice: Dice, formulas: Formulas) -> None:
        self.world = world
        self.dice = dice
        self.formulas = formulas
        self.made: list[ast.Declaration] = []
        self._clauses = 0

    def cited(self) -> tuple[ast.Citation, ...]:
        """Clauses of the rulebook, now and then."""
        if not self.dice.chance(8):
            return ()
        self._clauses += 1
        return (ast.Citation(HERE, f"G-{self._clauses}"),)

    # ------------------------------------------------------------------ kinds

    def kinds(self) -> None:
        """A few kinds of value; the first one has names."""
        words = self.dice.shuffled(LABELS)
        self.labels("Colour", words.pop())
        makers: list[Callable[[], None]] = [
            lambda: self.numbers("Value", 1, self.dice.between(2, 5)),
            lambda: self.labels("Suit", words.pop()),
            lambda: self.record("Card"),
            lambda: self.table("Beast", words.pop()),
            self.board,
        ]
        for make in self.dice.some(makers, self.dice.between(1, 4)):
            make()

    def labels(self, name: str, labels: tuple[str, ...]) -> None:
        self.world.kinds.append(Labels(name, labels))
        self.made.append(ast.Values(HERE, name, tuple(map(m.name, labels)), self.cited()))

    def numbers(self, name: str, low: int, high: int) -> None:
        self.world.kinds.append(Numbers(low, high, name))
        self.made.append(ast.Values(HERE, name, (ast.Between(HERE, m.number(low), m.number(high)),), self.cited()))

    def record(self, name: str) -> None:
        parts: list[tuple[str, Kind]] = [("rank", Numbers(1, self.dice.between(2, 3)))]
        parts.append(("suit", self.dice.pick([k for k in self.world.kinds if isinstance(k, Labels)])))
        if self.dice.chance(25):
            parts.append(("marked", FLAG))
        self.world.kinds.append(Cards(name, tuple(parts)))
        self.made.append(ast.Record(HERE, name, self.columns(parts), self.cited()))

    def columns(self, parts: list[tuple[str, Kind]]) -> tuple[ast.Column, ...]:
        return tuple(ast.Column(HERE, word, type_for(kind), self.cited()) for word, kind in parts)

    def table(self, name: str, labels: tuple[str, ...]) -> None:
        colour = self.world.kinds[0]
        assert isinstance(colour, Labels)
        columns: list[tuple[str, Kind]] = [("points", Numbers(0, 5))]
        more: list[tuple[str, Kind]] = [
            ("called", Words()),
            ("tint", colour),
            ("tame", FLAG),
            ("likes", Many(self.dice.pick(("list", "bag")), colour)),
            ("twin", Maybe(Rows(name, labels, ()))),
            ("odds", Many("list", Numbers(0, 3))),
        ]
        columns += self.dice.some(more, self.dice.between(1, 4))
        rows = tuple(
            ast.Row(HERE, label, tuple(self.cell(kind) for _, kind in columns), self.cited()) for label in labels
        )
        kept = tuple((word, kind) for word, kind in columns if not isinstance(kind, Words) and word != "twin")
        self.world.kinds.append(Rows(name, labels, kept))
        self.made.append(ast.Table(HERE, name, None, self.columns(columns), rows, self.cited()))

    def cell(self, kind: Kind) -> ast.Expr:
        """A constant for a table."""
        match kind:
            case Numbers():
                return m.number(self.dice.between(kind.low, kind.high))
            case Flags():
                return m.constant(self.dice.pick(("yes", "no")))
            case Words():
                return m.text(self.dice.pick(("a beast", "Zwölf Äpfel", "it")))
            case Maybe(of=Rows(labels=labels)):
                return m.constant("none") if self.dice.chance(50) else m.name(self.dice.pick(labels))
            case Many():
                return ast.ListOf(HERE, tuple(self.cell(kind.of) for _ in range(self.dice.between(1, 2))))
            case Labels(labels=labels):
                return m.name(self.dice.pick(labels))
            case _:
                raise AssertionError(kind)

    def board(self) -> None:
        rows, columns = self.dice.between(2, 3), self.dice.between(2, 3)
        shape = self.dice.pick((None, None, "squares", "hexagons"))
        edges = "Edge" if shape != "hexagons" and self.dice.chance(50) else ""
        board = Cells("Square", rows, columns, edges)
        self.world.kinds.append(board)
        self.made.append(ast.Board(HERE, board.name, m.number(rows), m.number(columns), shape, self.cited()))
        if edges:
            self.world.kinds.append(Edges(edges, board))
            self.made.append(ast.Values(HERE, edges, (m.apply("edges", m.name(board.name)),), ()))

    # ------------------------------------------------------------------ options

    def options(self) -> None:
        """Choices before play, and a demand that holds."""
        words = self.dice.some(["size_of_it", "house_rule", "mode", "guard"], self.dice.between(0, 3))
        for word in words:
            kind: Kind
            if word == "size_of_it":
                high = self.dice.between(2, 4)
                kind = Numbers(1, high)
                self.option(word, kind, (ast.Between(HERE, m.number(1), m.number(high)),), m.number(2), 1, high)
            elif word == "guard":
                kind = Labels("guard", ("off",))  # all that is asked of it
                span = ast.Between(HERE, m.number(1), m.number(3))
                self.option(word, kind, (m.name("off"), span), m.name("off"))
            elif word == "house_rule":
                self.option(word, FLAG, (m.constant("yes"), m.constant("no")), m.constant("no"))
            else:
                kind = Labels("mode", ("mild", "harsh"))
                self.option(word, kind, (m.name("mild"), m.name("harsh")), m.name("mild"))
        if self.dice.chance(25):
            enough = m.compare(m.field("size", m.name("players")), "<=", m.number(self.world.most_seats))
            words_ = m.text("at most ", m.number(self.world.most_seats), " play") if self.dice.chance(50) else None
            self.made.append(ast.Demand(HERE, "seats_enough", enough, words_, self.cited()))

    def option(
        self, name: str, kind: Kind, values: tuple[ast.Expr, ...], default: ast.Expr, low: int = 0, high: int = 0
    ) -> None:
        needs = None
        if self.dice.chance(25):
            needs = m.compare(m.field("size", m.name("players")), ">=", m.number(1))
        because = m.text("somebody must play") if needs is not None and self.dice.chance(50) else None
        self.world.options.append(Choice(name, kind, low, high))
        self.made.append(ast.Option(HERE, name, values, default, needs, because, self.cited()))

    # ------------------------------------------------------------------ zones

    def zones(self) -> None:
        """Two or three sets of zones, each for one kind of component, and perhaps dice."""
        contents = [kind for kind in self.world.kinds if not isinstance(kind, Cells | Edges)]
        for place, content in enumerate(self.dice.some(contents, self.dice.between(1, 2))):
            self.components(content, ("", "old_")[place])
        if self.dice.chance(40):
            self.dice_zones()

    def components(self, content: Kind, prefix: str) -> None:
        """A stock, hands, and whatever else a game may have for one kind of component."""
        mixed = self.dice.chance(70)
        stock = Slot(f"{prefix}stock", (), content, "nobody" if mixed else "everyone", "pile", blind=mixed)
        self.zone(stock, (("content", m.constant("nobody")),) if mixed else (), self.starts(content))
        private = Slot(f"{prefix}hand", (SEAT,), content, "owner", "bag", counted=self.dice.chance(80))
        self.zone(private, (("content", m.name("owner")),), self.starts(content) if self.dice.chance(30) else ())
        heap = Slot(f"{prefix}heap", (), content, "everyone", "pile")
        more: list[Callable[[], None]] = [
            lambda: self.zone(heap, ()),
            lambda: self.zone(Slot(f"{prefix}box", (), content, "everyone", "bag"), (), self.starts(content)),
            lambda: self.family(content, prefix),
            lambda: self.topped(content, prefix),
            lambda: self.laid(content, prefix),
            lambda: self.zone(
                Slot(f"{prefix}burnt", (), content, "nobody", "pile", blind=True), (("content", m.constant("nobody")),)
            ),
            lambda: self.zone(Slot(f"{prefix}pool", (SEAT,), content, "everyone", self.dice.pick(("bag", "pile"))), ()),
        ]
        for make in self.dice.some(more, self.dice.between(2, 4)):
            make()

    def starts(self, content: Kind) -> tuple[ast.StartsWith, ...]:
        """``starts with each Card times 2``"""
        times: ast.Expr | None = m.number(self.dice.between(1, 2)) if self.dice.chance(50) else None
        numbers = [o for o in self.world.options if isinstance(o.of, Numbers)]
        if numbers and self.dice.chance(20):
            times = m.name(numbers[0].name)
        if isinstance(content, Rows) and self.dice.chance(40):
            times = m.add(m.field("points", m.name("it")), ("+", m.number(1)))
        return (ast.StartsWith(HERE, word_for(content), times),)

    def zone(self, slot: Slot, seen: tuple[tuple[str, ast.Expr], ...], starts: tuple[ast.StartsWith, ...] = ()) -> None:
        traits: list[ast.SeenBy | ast.StartsWith] = [ast.SeenBy(HERE, part, m.fit(by, m.SPAN)) for part, by in seen]
        if not slot.counted:
            traits.append(ast.SeenBy(HERE, "size", m.name("owner") if slot.owned else m.constant("nobody")))
        traits += starts
        index = ast.Index(HERE, tuple(word_for(kind) for kind in slot.index)) if slot.index else None
        faced = slot.of if isinstance(slot.of, Faced) else None
        showing = type_for(faced.face) if faced else None
        kind = m.kind(m.field(slot.shape, word_for(faced.piece if faced else slot.of)))
        self.world.zones.append(slot)
        self.made.append(ast.Zone(HERE, slot.name, index, kind, showing, tuple(traits), self.cited()))

    def family(self, content: Kind, prefix: str) -> None:
        """Zones told apart by a number or a name; which one is a kind of value."""
        index: list[Kind] = [Numbers(1, self.dice.between(2, 3)), self.world.kinds[0]]
        kinds = tuple(self.dice.some(index, self.dice.between(1, 2)))
        slot = Slot(f"{prefix}rack", kinds, content, "everyone", self.dice.pick(("pile", "slot", "bag")))
        self.zone(slot, (("content", m.name("everyone")),) if self.dice.chance(20) else ())
        self.world.kinds.append(Which(slot.name))

    def topped(self, content: Kind, prefix: str) -> None:
        """A pile of which only the top card is seen."""
        slot = Slot(f"{prefix}discards", (), content, "nobody", "pile", top=True)
        self.zone(slot, (("content", m.constant("nobody")), ("top", m.name("everyone"))))

    def laid(self, content: Kind, prefix: str) -> None:
        """A place of one card, seen by some."""
        owner = m.name("owner")
        ways: list[ast.Expr] = [m.apply("others", owner), owner, m.apply("next", owner)]
        by = self.dice.pick(ways)
        sight = "owner" if by is owner else "some"
        self.zone(Slot(f"{prefix}laid", (SEAT,), content, sight, "slot"), (("content", by),))

    def dice_zones(self) -> None:
        """Things with faces: a cup for each player, and a tray."""
        content = Faced(self.world.kinds[0], Numbers(1, self.dice.between(2, 4)))
        starts = (ast.StartsWith(HERE, word_for(content.piece), None),)
        hidden = self.dice.chance(50)
        cup = Slot("cup", (SEAT,), content, "owner" if hidden else "everyone", "bag")
        self.zone(cup, (("content", m.name("owner")),) if hidden else (), starts)
        if self.dice.chance(60):
            self.zone(Slot("tray", (), content, "everyone", self.dice.pick(("bag", "pile"))), ())

    # ------------------------------------------------------------------ markers

    def markers(self) -> None:
        """The clock, and a few facts of all kinds."""
        self.marker(Slot("clock", (), Numbers(0, 99), "everyone"), None)
        self.marker(Slot("score", (SEAT,), Numbers(0, 30), "everyone"), m.number(self.dice.between(0, 3)))
        named = self.world.kinds[0]
        of: list[tuple[str, Kind]] = [
            ("starter", SEAT),
            ("leader", Maybe(SEAT)),
            ("open_now", FLAG),
            ("trump", Maybe(named)),
            ("level", Numbers(-2, self.dice.between(3, 9))),
            ("queue", Many("list", SEAT)),
            ("tally", Many("bag", named)),
            *(
                (f"kept_{kind.name.lower()}", self.dice.pick((kind, Maybe(kind))))
                for kind in self.world.kinds
                if isinstance(kind, Cards | Rows | Cells | Edges)
            ),
            *((f"last_{kind.zone}", Maybe(kind)) for kind in self.world.kinds if isinstance(kind, Which)),
        ]
        for word, kind in self.dice.some(of, self.dice.between(2, 5)):
            self.fact(word, kind)

    def fact(self, word: str, kind: Kind) -> None:
        """One marker or family of markers, seen by all or not."""
        families: list[tuple[Kind, ...]] = [(), (SEAT,), (self.world.kinds[0],), (Numbers(1, 2), self.world.kinds[0])]
        families += [(kind,) for kind in self.world.kinds if isinstance(kind, Cells | Edges)]
        families.append((SEAT, Numbers(0, 1)))
        index = self.dice.weighted([(6, ()), *((1, each) for each in families)])
        owned = bool(index) and index[0] == SEAT
        sight = self.dice.weighted([(7, "everyone"), (2, "owner" if owned else "everyone"), (1, "nobody")])
        initial = None
        if self.dice.chance(40):
            initial = self.constant(kind) if isinstance(kind, Labels | Rows | Cards) else None
            initial = m.number(kind.high) if isinstance(kind, Numbers) else initial
            initial = m.constant("yes") if isinstance(kind, Flags) else initial
        self.marker(Slot(word, index, kind, sight), initial)

    def constant(self, kind: Kind) -> ast.Expr:
        """A value that is known before play."""
        if isinstance(kind, Cards):
            return m.apply(kind.name, *(self.constant(inner) for _, inner in kind.fields))
        return self.cell(kind) if not isinstance(kind, Rows) else m.name(self.dice.pick(kind.labels))

    def marker(self, slot: Slot, initial: ast.Expr | None) -> None:
        traits: tuple[ast.SeenBy, ...] = ()
        if slot.sight != "everyone":
            by = m.name("owner") if slot.sight == "owner" else m.constant("nobody")
            traits = (ast.SeenBy(HERE, "content", by),)
        index = ast.Index(HERE, tuple(word_for(kind) for kind in slot.index)) if slot.index else None
        self.world.markers.append(slot)
        self.made.append(ast.Marker(HERE, slot.name, index, type_for(slot.of), initial, traits, self.cited()))

    # ------------------------------------------------------------------ words of the rulebook

    def timers(self) -> None:
        """Now and then, a timer."""
        if self.dice.chance(25):
            self.world.timer = "sand"
            length, unit = m.number(self.dice.between(1, 60)), self.dice.pick(["seconds", "minutes", "milliseconds"])
            self.made.append(ast.Timer(HERE, self.world.timer, length, unit, self.cited()))

    def words(self) -> None:
        """Defines and conditions; each may use the ones before it."""
        for number in range(self.dice.between(1, 3)):
            self.define(f"word_{number}")
        for number in range(self.dice.between(1, 2)):
            self.condition(f"right_{number}")

    def params(self) -> tuple[tuple[tuple[str, Kind], ...], tuple[ast.Param, ...]]:
        kinds: list[Kind] = [
            SEAT,
            Numbers(0, 3),
            *(k for k in self.world.kinds if isinstance(k, Labels | Rows | Cards)),
        ]
        chosen = self.dice.some(kinds, self.dice.between(0, 2))
        named = tuple((self.formulas.fresh("it"), kind) for kind in chosen)
        return named, tuple(ast.Param(HERE, word, type_for(kind)) for word, kind in named)

    def define(self, name: str) -> None:
        kinds: list[Kind] = [Numbers(0, 9), FLAG, SEAT, *(k for k in self.world.kinds if isinstance(k, Labels))]
        of = self.dice.pick(kinds)
        sight = ANY if self.dice.chance(30) else ALL
        named, params = self.params()
        scope = Scope().bind(*(Local(word, kind, ALL) for word, kind in named))
        by_cases = self.dice.chance(35)
        cases: list[ast.Case] = []
        for _ in range(self.dice.between(1, 2) if by_cases else 0):
            condition = self.formulas.flag(scope, sight, 1)
            cases.append(ast.Case(HERE, self.formulas.value(of, scope, sight, 1), condition, self.cited()))
        cases.append(ast.Case(HERE, self.formulas.value(of, scope, sight, 2), None, self.cited() if by_cases else ()))
        self.world.words.append(Word(name, named, of, sight))
        self.made.append(ast.Define(HERE, name, params, tuple(cases), by_cases, self.cited()))

    def condition(self, name: str) -> None:
        named, params = self.params()
        me = self.dice.chance(50)
        scope = Scope(me=me).bind(*(Local(word, kind, ALL) for word, kind in named))
        sight = OWN if me else ALL
        if self.dice.chance(40):
            lines = tuple(self.gathered(f"{name}_line_{n}", scope, sight) for n in range(self.dice.between(1, 3)))
            self.world.conditions.append(Word(name, named, FLAG, sight, me))
            self.made.append(ast.Condition(HERE, name, params, None, None, self.cited(), lines))
            return
        value = self.formulas.flag(scope, sight, 2)
        words = self.formulas.text(scope, sight) if self.dice.chance(50) else None
        self.world.conditions.append(Word(name, named, FLAG, sight, me))
        self.made.append(ast.Condition(HERE, name, params, value, words, self.cited()))

    def gathered(self, name: str, scope: Scope, sight: int) -> ast.Require | ast.RequireNamed:
        """One requirement of several in a condition."""
        others = [word for word in self.world.conditions if word.sight <= sight and (scope.me or not word.me)]
        if others and self.dice.chance(40):
            word = self.dice.pick(others)
            given = tuple(self.formulas.value(kind, scope, sight, 1) for _, kind in word.params)
            return ast.RequireNamed(HERE, word.name, given, self.cited())
        condition = self.formulas.flag(scope, sight, 2)
        unless = self.formulas.flag(scope, sight, 1) if self.dice.chance(30) else None
        words = self.formulas.text(scope, sight) if self.dice.chance(60) else None
        return ast.Require(HERE, name, condition, unless, words, self.cited())
