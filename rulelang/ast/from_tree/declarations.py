"""What lies on the table and what words mean. Spec 4 to 7 and 14."""

from rulelang.ast.from_tree.parts import Maker, Parts, after, before, citations, name, nodes, words
from rulelang.ast.nodes.declarations import (
    Board,
    Case,
    Column,
    Condition,
    Define,
    Demand,
    Game,
    Header,
    Index,
    Marker,
    Option,
    Param,
    Record,
    Row,
    SeenBy,
    StartsWith,
    Table,
    Timer,
    TypeExpr,
    Values,
    Zone,
)
from rulelang.ast.nodes.expressions import Between, Expr, Field
from rulelang.ast.nodes.moves import Require, RequireNamed
from rulelang.diagnostics.codes import OTHERWISE_NOT_LAST
from rulelang.diagnostics.diagnostic import Findings
from rulelang.source import Place

HOLDERS = ("pile", "bag", "slot", "list")


def _held(part: Expr) -> Expr:
    """In a kind, ``pile of 1..9`` is a pile of a span; the grammar, which knows no kinds, read a span from a pile."""
    match part:
        case Between(low=Field(name=holder, value=low), high=high) if holder in HOLDERS:
            return Field(part.at, holder, Between(low.at.until(high.at), low, high))
        case _:
            return part


def _cover(at: Place, parts: Parts) -> Game:
    return Game(at, parts[0].type == "LIBRARY", parts[1].value[1:-1], nodes(parts), citations(parts))


def _option(at: Place, parts: Parts) -> Option:
    return Option(
        at,
        name(parts),
        nodes(before(parts, "EQ")),
        default=after(parts, "EQ"),
        needs=after(parts, "NEEDS"),
        because=after(parts, "BECAUSE"),
        citations=citations(parts),
    )


def _demand(at: Place, parts: Parts) -> Demand:
    return Demand(at, name(parts), after(parts, "COLON"), after(parts, "BECAUSE"), citations(parts))


def _table(at: Place, parts: Parts) -> Table:
    source = after(parts, "FROM")
    columns = tuple(part for part in parts if isinstance(part, Column))
    rows = tuple(part for part in parts if isinstance(part, Row))
    return Table(at, name(parts), source and source.value, columns, rows, citations(parts))


def _traits(parts: Parts) -> tuple[SeenBy | StartsWith, ...]:
    return tuple(part for part in parts if isinstance(part, SeenBy | StartsWith))


def _index(parts: Parts) -> Index | None:
    return next((part for part in parts if isinstance(part, Index)), None)


def _zone(at: Place, parts: Parts) -> Zone:
    kind, showing = after(parts, "COLON"), after(parts, "SHOWING")
    return Zone(at, name(parts), _index(parts), kind, showing, _traits(parts), citations(parts))


def _marker(at: Place, parts: Parts) -> Marker:
    kind, initial = after(parts, "COLON"), after(parts, "EQ")
    return Marker(at, name(parts), _index(parts), kind, initial, _traits(parts), citations(parts))


def _seen(at: Place, parts: Parts) -> SeenBy:
    return SeenBy(at, parts[0].value if parts[0] else "content", parts[-1])


def _starts(at: Place, parts: Parts) -> StartsWith:
    return StartsWith(at, after(parts, "EACH"), after(parts, "TIMES"))


def _case(at: Place, parts: Parts) -> Case:
    return Case(at, parts[0], after(parts, "WHEN"), citations(parts))


def _params(parts: Parts) -> tuple[Param, ...]:
    return next((part for part in parts if isinstance(part, tuple)), ())


def _word(parts: Parts) -> str | None:
    return next((str(word) for word in words(parts, "NAME")), None)


def _condition(at: Place, parts: Parts) -> Condition:
    value, because = after(parts, "COLON"), after(parts, "BECAUSE")
    return Condition(at, name(parts), _params(parts), value, because, citations(parts))


def _gathered(at: Place, parts: Parts) -> Condition:
    requirements = tuple(part for part in parts if isinstance(part, Require | RequireNamed))
    return Condition(at, name(parts), _params(parts), None, None, citations(parts), requirements)


def _define(at: Place, parts: Parts) -> Define:
    cited = citations(parts)
    value = after(parts, "EQ")
    if value is not None:
        return Define(
            at, name(parts), _params(parts), (Case(value.at, value, None, ()),), by_cases=False, citations=cited
        )
    cases = tuple(part for part in parts if isinstance(part, Case))
    return Define(at, name(parts), _params(parts), cases, by_cases=True, citations=cited)


def declaration_makers(findings: Findings) -> dict[str, Maker]:
    """How each rule of these chapters becomes a node. A case `otherwise` before the last is diagnosed."""

    def define(at: Place, parts: Parts) -> Define:
        made = _define(at, parts)
        for case in made.cases[:-1]:
            if case.condition is None:
                findings.report(OTHERWISE_NOT_LAST, case.at, hint="move this line to the end of the block")
        return made

    return {
        "game": _cover,
        "header": lambda at, parts: Header(at, name(parts), nodes(parts), citations(parts)),
        "option": _option,
        "demand": _demand,
        "values": lambda at, parts: Values(at, name(parts), nodes(parts), citations(parts)),
        "record": lambda at, parts: Record(at, name(parts), nodes(parts), citations(parts)),
        "table": _table,
        "column": lambda at, parts: Column(at, name(parts), parts[2], citations(parts)),
        "row": lambda at, parts: Row(at, name(parts), nodes(parts), citations(parts)),
        "board": lambda at, parts: Board(at, name(parts), parts[3], parts[5], _word(parts[6:]), citations(parts)),
        "zone": _zone,
        "marker": _marker,
        "timer": lambda at, parts: Timer(at, name(parts), parts[3], str(parts[4]), citations(parts)),
        "index": lambda at, parts: Index(at, nodes(parts)),
        "type": lambda at, parts: TypeExpr(at, tuple(_held(part) for part in nodes(parts))),
        "seen": _seen,
        "starts": _starts,
        "define": define,
        "case": _case,
        "condition": _condition,
        "gathered": _gathered,
        "params": lambda at, parts: nodes(parts),
        "param": lambda at, parts: Param(at, parts[0].value, parts[2]),
    }
