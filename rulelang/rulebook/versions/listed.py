"""The declarations of a program, each with what it means and with what it only says.

Two texts are the same exactly if the declarations mean the same. Apart from them stands what changes no game: titles,
words that people are told, advice for automatic players. Layout, comments and cited clauses count for nothing.

What a declaration means is read from the compiled form, by names and not by numbers. Where it stands in the rules, and
what leaves no part of its own there (kinds of value, exceptions, the cover), is read from the syntax tree, if there is
one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args

import attrs

from rulelang.ast import nodes as ast
from rulelang.ir.laps import successors
from rulelang.ir.nodes import Decide, Node, OneSeat
from rulelang.ir.origin import Origin
from rulelang.ir.printer import Printer, in_order, node_text
from rulelang.ir.program import Procedure, Program, Zone
from rulelang.ir.spoken import Speaker
from rulelang.ir.types import FieldType, NamesType, NumberType, RecordType, TextType, Type
from rulelang.ir.whenever import is_whenever
from rulelang.source import Place

Sort = Literal[
    "title",
    "players",
    "automatic",
    "reasons",
    "cover",
    "option",
    "demand",
    "values",
    "record",
    "board",
    "table",
    "zone",
    "marker",
    "timer",
    "define",
    "condition",
    "move",
    "requirement",
    "rule",
    "exception",
    "whenever",
    "always",
    "prefer",
]
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)


@attrs.frozen
class Listed:
    """One declaration."""

    sort: Sort
    name: str
    """``take.enough`` of a requirement. Several declarations may have one name."""
    text: str
    """What it means, in the words of the compiled form; empty if it changes no game whatever it says."""
    words: str
    """What else it says."""
    at: Origin | None


def listed(program: Program, rules: ast.Rules | None = None) -> Iterator[Listed]:
    """Every declaration in order: what is agreed before play, what there is, moves with their requirements, rules."""
    return _Listing(program, rules).all()


class _Listing:
    def __init__(self, program: Program, rules: ast.Rules | None) -> None:
        self.program = program
        self.rules = rules
        self.say = Speaker(program)

    def declared(self, sort: type[Any]) -> list[Any]:
        """The declarations of a sort in the rules."""
        return [] if self.rules is None else [each for each in self.rules.declarations if isinstance(each, sort)]

    def all(self) -> Iterator[Listed]:
        yield from self.cover()
        yield from self.agreed()
        yield from self.kinds()
        yield from self.things()
        yield from self.functions()
        yield from self.moves()
        yield from self.procedures()
        yield from self.exceptions()
        for promise in self.program.invariants:
            yield Listed("always", promise.name, self.plain(promise.condition), "", promise.at.origin)
        printer = Printer(self.program)
        for advice in self.program.preferences:
            name = "pass" if advice.move is None else self.say.named("moves", advice.move)
            yield Listed("prefer", name, "", _plain(printer.preference(advice)), advice.at.origin)

    def plain(self, formula: Any) -> str:
        """A formula without the numbers of locals and functions."""
        return _plain(self.say.formula(formula))

    # -------------------------------------------------------------- the cover

    def cover(self) -> Iterator[Listed]:
        program, game = self.program, None if self.rules is None else self.rules.game
        yield Listed("title", "title", "", program.title, None if game is None else _origin(game.at))
        at = {header.name: _origin(header.at) for header in (() if game is None else game.headers)}
        seats = f"{program.fewest_seats} to {program.most_seats}"
        yield Listed("players", "players", seats, "", at.get("players"))
        for word in ("forced_chance", "forced_choices"):
            if getattr(program, word):
                yield Listed("automatic", word, "resolves itself", "", at.get("automatic"))
        if program.reasons:
            yield Listed("reasons", "reasons", ", ".join(program.reasons), "", at.get("reasons"))
        for header in () if game is None else game.headers:
            if header.name not in ("players", "automatic", "reasons"):
                yield Listed("cover", header.name, "", _form(header.values), _origin(header.at))

    def agreed(self) -> Iterator[Listed]:
        for option in self.program.options:
            needs = "" if option.needs is None else f" needs {self.plain(option.needs)}"
            words = "" if option.words is None else _plain(self.say.words(option.words))
            text = f"{self.kind(option.type)} = {option.default}{needs}"
            yield Listed("option", option.name, text, words, option.at.origin)
        for demand in self.program.demands:
            words = _plain(self.say.words(demand.words))
            yield Listed("demand", demand.name, self.plain(demand.condition), words, demand.at.origin)

    # -------------------------------------------------------------- kinds of value

    def kinds(self) -> Iterator[Listed]:
        """Kinds that the author has named. Those that nothing uses change no game."""
        used = named_kinds(self.program)
        at = {each.name: each.at for each in (*self.declared(ast.Values), *self.declared(ast.Record))}
        options = {option.name for option in self.program.options}
        for name, kind in used.items():
            if name in at or name not in options:
                sort: Sort = "record" if isinstance(kind, RecordType) else "values"
                yield Listed(sort, name, self.kind(kind), "", _origin(at[name]) if name in at else None)
        for each in (*self.declared(ast.Values), *self.declared(ast.Record)):
            if each.name not in used:
                sort = "record" if isinstance(each, ast.Record) else "values"
                yield Listed(sort, each.name, "", _form(each), _origin(each.at))

    def kind(self, kind: Type) -> str:
        """A kind with everything that it consists of."""
        match kind:
            case NamesType():
                return ", ".join(kind.labels)
            case NumberType():
                word = "" if kind.word is None else f"{kind.word}, "
                return f"{word}{self.plain(kind.low)}..{self.plain(kind.high)}"
            case RecordType():
                return "; ".join(f"{field.name}: {self.say.kind(field.type)}" for field in kind.fields)
            case _:
                return _plain(self.say.kind(kind))

    # -------------------------------------------------------------- what lies on the table

    def things(self) -> Iterator[Listed]:
        program = self.program
        for board in program.boards:
            size = f"{self.plain(board.rows)} by {self.plain(board.columns)} {board.shape}"
            yield Listed("board", board.name, size, "", board.at.origin)
        for table in program.tables:
            told = [f"{each.name}: {each.values}" for each in table.columns if isinstance(each.type, TextType)]
            columns = "; ".join(
                f"{each.name}: {self.say.kind(each.type)} {'' if isinstance(each.type, TextType) else each.values}"
                for each in table.columns
            )
            yield Listed("table", table.name, f"{table.rows} {columns}", "; ".join(told), table.at.origin)
        printer = Printer(program)
        hidden = {program.clock, *(slot for timer in program.timers for slot in (timer.left, timer.end))}
        for number, slot in enumerate(program.slots):
            if number not in hidden:
                sort: Sort = "zone" if isinstance(slot, Zone) else "marker"
                yield Listed(sort, slot.name, _plain(printer.slot(slot)), "", slot.at.origin)
        for timer in program.timers:
            yield Listed("timer", timer.name, self.plain(timer.full), "", timer.at.origin)

    # -------------------------------------------------------------- words of the rulebook

    def functions(self) -> Iterator[Listed]:
        """Defines and conditions. The holes of a condition's words are functions, too, named after it."""
        conditions = {each.name: each for each in self.declared(ast.Condition)}
        procedures = {each.name for each in self.program.procedures}
        said: dict[str, str] = {}
        for function in self.program.functions:
            if function.name.endswith(" words"):
                name = function.name.removesuffix(" words")
                said[name] = said.get(name, "") + self.plain(function.body)
        for function in self.program.functions:
            name, condition = function.name, conditions.get(function.name)
            if name.endswith(" words") or (name in procedures and " " in name):
                continue
            words = said.get(name, "") + ("" if condition is None else _form(_texts_in(condition)))
            sort: Sort = "define" if condition is None else "condition"
            text = f"of {function.parameters}: {self.plain(function.body)}"
            yield Listed(sort, name, text, words, function.at.origin)

    # -------------------------------------------------------------- moves and rules

    def moves(self) -> Iterator[Listed]:
        for move in self.program.moves:
            parameters = [
                f"{each.name}: {self.kind(each.type)} in {self.plain(each.domain)}" for each in move.parameters
            ]
            private = " private" if move.private else ""
            text, words = self.flow(self.program.procedures[move.procedure])
            told = "; ".join(each.domain_name for each in move.parameters)
            yield Listed("move", move.name, f"({', '.join(parameters)}){private}: {text}", told + words, move.at.origin)
            for asked in move.requirements:
                name = f"{move.name}.{asked.name}"
                words = _plain(self.say.words(asked.words))
                yield Listed("requirement", name, self.plain(asked.condition), words, asked.at.origin)

    def procedures(self) -> Iterator[Listed]:
        moves = {move.procedure for move in self.program.moves}
        conditions = {each.name: each for each in self.program.functions}
        for number, procedure in enumerate(self.program.procedures):
            if number in moves:
                continue
            text, words = self.flow(procedure)
            if is_whenever(self.program, number):
                asked = conditions.get(procedure.name)
                text = f"{'' if asked is None else self.plain(asked.body)}: {text}"
                yield Listed("whenever", "whenever", text, words, procedure.at.origin)
            else:
                yield Listed("rule", procedure.name, text, words, procedure.at.origin)

    def flow(self, procedure: Procedure) -> tuple[str, str]:
        """A procedure: its nodes in order, each with where it leads, by places in this list; and the words in it."""
        order = in_order(self.program, procedure.entry)
        places = {node: place for place, node in enumerate(order)}
        nodes = [self.program.nodes[number] for number in order]
        texts = [f"{self.node(node)} -> {[places[each] for each in successors(node)]}" for node in nodes]
        words = [self.say.words(node.words) for node in nodes if isinstance(node, Decide) and node.words is not None]
        return f"of {procedure.parameters}: {'; '.join(texts)}", _plain("; ".join(words))

    def node(self, node: Node) -> str:
        """What a node does, apart from what it says."""
        if not isinstance(node, Decide):
            return _plain(node_text(self.say, node))
        always = " always" if isinstance(node.asked, OneSeat) and node.asked.always_asked else ""
        reason = "" if node.reason is None else f" because {node.reason}"
        return f"{_plain(node_text(self.say, attrs.evolve(node, words=None)))}{always}{reason}"

    def exceptions(self) -> Iterator[Listed]:
        """What they replace shows in the rules that they are of; by themselves they are only in the rules."""
        for each in self.declared(ast.Override):
            part = "" if each.part is None else f".{each.part}"
            name = f"{'instead of' if each.kind == 'instead' else each.kind} {each.rule}{part}"
            yield Listed("exception", name, _form(each, words=False), _form(_texts_in(each)), _origin(each.at))


# ------------------------------------------------------------------ parts


def named_kinds(program: Program) -> Mapping[str, Type]:
    """The named kinds of value that a program uses anywhere, in the order in which they are met."""
    found: dict[str, Type] = {}
    seen: set[int] = set()
    waiting: list[Any] = [program]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str | int | None) or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, tuple):
            waiting.extend(reversed(each))
            continue
        if isinstance(each, NamesType | RecordType | NumberType) and each.name is not None:
            found.setdefault(each.name, each)
        waiting.extend(getattr(each, field.name) for field in reversed(attrs.fields(type(each))))
    return found


def _texts_in(node: Any) -> Sequence[ast.Text]:
    """The texts of a piece of rules."""
    found: list[ast.Text] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Text):
            found.append(each)
        elif isinstance(each, tuple):
            waiting.extend(reversed(each))
        elif attrs.has(type(each)):
            waiting.extend(getattr(each, field.name) for field in reversed(attrs.fields(type(each))))
    return found


def _form(piece: Any, *, words: bool = True) -> str:
    """A piece of rules in a form that is the same wherever it stands and whatever it cites; texts only if wanted."""
    if isinstance(piece, tuple | list):
        return f"({' '.join(_form(each, words=words) for each in piece if not isinstance(each, ast.Citation))})"
    if isinstance(piece, Place) or (isinstance(piece, ast.Text) and not words):
        return ""
    if attrs.has(type(piece)):
        parts = (_form(getattr(piece, field.name), words=words) for field in attrs.fields(type(piece)))
        return f"{type(piece).__name__}({' '.join(filter(None, parts))})"
    return repr(piece)


def _origin(place: Place) -> Origin:
    return Origin(place.file, place.line, place.column)


def _plain(text: str) -> str:
    """A text without the numbers of locals and functions."""
    return re.sub(r"%[0-9]+", "", text)


__all__ = ["SORTS", "FieldType", "Listed", "Sort", "listed", "named_kinds"]
