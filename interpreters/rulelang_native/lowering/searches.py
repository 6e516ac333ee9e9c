"""Searches become loops: one variable runs through a row. Spec 4.9."""

from __future__ import annotations

from typing import Protocol

from rulelang import limits
from rulelang.ir import expressions as ir
from rulelang_native.flat import expressions as flat
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.statements import Each, Gather, If, Put, Set, Statement, Stop
from rulelang_native.lowering.body import ALWAYS, Body, Found, between, refuted
from rulelang_native.lowering.facts import DIVISION, HIGH, LOW, TRUTH, Fact, number
from rulelang_native.lowering.formulas import (
    OVERFLOW,
    in_order,
    lowers,
    otherwise_none,
    simple,
    truth,
    value,
)

Search = ir.Exists | ir.Every | ir.Select | ir.Choose | ir.Number | ir.Total | ir.Extreme | ir.Collect


class _Loop:
    """A loop through a search's domain, whose body sees only the elements that satisfy its condition."""

    def __init__(self, body: Body, search: Search) -> None:
        self.body = body
        self.search = search
        self.row, self.fact = value(body, search.domain)
        self.name = body.name("x")

    @property
    def every(self) -> bool:
        """Whether every element satisfies the condition."""
        return isinstance(self.search.condition, ir.Constant) and bool(self.search.condition.value)

    def go(self, *inside: Statement, wanted: bool = True) -> None:
        """Carry out statements for each element that satisfies the condition (or does not)."""
        body = self.body
        with body.loop(self.name, self.fact.element, self.search.variable.number) as each:
            holds = truth(body, self.search.condition)
            if not wanted:
                holds = refuted(holds)
            if holds == ALWAYS:
                each.extend(inside)
            else:
                body.add(If(holds, inside))
        body.add(Each(self.name, self.row, tuple(each)))

    def work_out(self, formula: ir.Expression, use: Use) -> None:
        """Work out a number for each element that satisfies the condition, and use it there."""
        body = self.body
        with body.loop(self.name, self.fact.element, self.search.variable.number) as each:
            holds = truth(body, self.search.condition)
            with body.inside() as then:
                found, fact = value(body, formula)
                use.take(found, fact)
            if holds == ALWAYS:
                each.extend(then)
            else:
                body.add(If(holds, tuple(then)))
        body.add(Each(self.name, self.row, tuple(each)))


class Use(Protocol):
    """What is done with a value inside a loop."""

    def take(self, found: Flat, fact: Fact) -> None:
        """Write it down."""


def some(body: Body, formula: ir.Exists | ir.Every) -> Flat:
    """Whether some element satisfies the condition, or every one."""
    loop = _Loop(body, formula)
    exists = isinstance(formula, ir.Exists)
    if loop.every:
        return flat.IsOne(loop.row) if exists else ALWAYS
    name = body.name()
    body.add(Set(name, Known(int(not exists))))
    loop.go(Set(name, Known(int(exists))), Stop(), wanted=exists)
    return flat.IsOne(flat.Name(name))


@lowers(ir.Number)
def _number(body: Body, formula: ir.Number) -> Found:
    loop = _Loop(body, formula)
    fact = number(0, loop.fact.length)
    if loop.every:
        return flat.Length(loop.row), fact
    name = body.name()
    body.add(Set(name, Known(0)))
    loop.go(Set(name, flat.Math("+", flat.Name(name), Known(1))))
    return flat.Name(name), fact


class _Adding:
    def __init__(self, body: Body, name: str, length: int) -> None:
        self.body, self.name, self.length = body, name, length
        self.fact = Fact(0, 0, 0)

    def take(self, found: Flat, fact: Fact) -> None:
        low, high = min(0, fact.low) * self.length, max(0, fact.high) * self.length
        self.body.add(Set(self.name, flat.Math("+", flat.Name(self.name), found)))
        self.body.check(between(flat.Name(self.name), Fact(0, low, high), LOW, HIGH), OVERFLOW)
        self.fact = number(low, high)


@lowers(ir.Total)
def _total(body: Body, formula: ir.Total) -> Found:
    loop = _Loop(body, formula)
    name = body.name()
    body.add(Set(name, Known(0)))
    adding = _Adding(body, name, loop.fact.length)
    loop.work_out(formula.value, adding)
    return flat.Name(name), adding.fact


class _Gathering:
    def __init__(self, body: Body, name: str) -> None:
        self.body, self.name = body, name
        self.fact = Fact(0, 1, 0)

    def take(self, found: Flat, fact: Fact) -> None:
        self.body.add(Put(self.name, found))
        self.fact = fact


@lowers(ir.Extreme)
def _extreme(body: Body, formula: ir.Extreme) -> Found:
    loop = _Loop(body, formula)
    name = body.name("g")
    body.add(Gather(name))
    gathering = _Gathering(body, name)
    loop.work_out(formula.value, gathering)
    row = body.keep(flat.Finished(name))
    return otherwise_none(body, flat.IsOne(row), (flat.Best(formula.most, row), gathering.fact), formula.none)


@lowers(ir.Collect)
def _collect(body: Body, formula: ir.Collect) -> Found:
    loop = _Loop(body, formula)
    name = body.name("g")
    body.add(Gather(name))
    gathering = _Gathering(body, name)
    loop.work_out(formula.value, gathering)
    fact = gathering.fact
    return flat.Finished(name), Fact(fact.depth + 1, fact.low, fact.high, loop.fact.length)


def _narrowed(body: Body, search: ir.Select | ir.Choose) -> Found:
    """The satisfying elements; each rank keeps those of the still tied that have the most (or least)."""
    loop = _Loop(body, search)
    if loop.every:
        tied, fact = body.simple(loop.row), loop.fact
    else:
        name = body.name("g")
        body.add(Gather(name))
        loop.go(Put(name, flat.Name(loop.name)))
        tied, fact = body.keep(flat.Finished(name)), loop.fact
    for rank in search.ranks:
        name, element = body.name("g"), body.name("x")
        body.add(Gather(name))
        with body.loop(element, fact.element, search.variable.number) as each:
            found, _ = value(body, rank.value)
            body.add(Put(name, found))
        body.add(Each(element, tied, tuple(each)))
        numbers = body.keep(flat.Finished(name))
        kept = body.name()
        body.add(Set(kept, tied))
        best = flat.Tied(tied, numbers, flat.Best(rank.most, numbers))
        body.add(If(flat.IsOne(numbers), (Set(kept, best),)))
        tied = flat.Name(kept)
    return tied, fact


@lowers(ir.Select)
def _select(body: Body, formula: ir.Select) -> Found:
    return _narrowed(body, formula)


@lowers(ir.Choose)
def _choose(body: Body, formula: ir.Choose) -> Found:
    if formula.ranks:
        tied, fact = _narrowed(body, formula)
        return otherwise_none(body, flat.IsOne(tied), (flat.At(tied, Known(0)), fact.element), formula.none)
    loop = _Loop(body, formula)
    if loop.every:
        row = body.simple(loop.row)
        return otherwise_none(body, flat.IsOne(row), (flat.At(row, Known(0)), loop.fact.element), formula.none)
    found, there = body.name(), body.name()
    body.add(Set(there, Known(0)))
    body.add(Set(found, Known(0 if loop.fact.depth < 2 else ())))
    loop.go(Set(found, flat.Name(loop.name)), Set(there, Known(1)), Stop())
    return otherwise_none(body, flat.IsOne(flat.Name(there)), (flat.Name(found), loop.fact.element), formula.none)


# ------------------------------------------------------------------ dividing into groups


@lowers(ir.Partition)
def _partition(body: Body, formula: ir.Partition) -> Found:
    row, fact = value(body, formula.collection)
    number_of = body.lowering.division(formula, fact)
    (low, _), (high, _) = simple(body, formula.low), simple(body, formula.high)
    body.fails = True
    found = body.keep(flat.Divided(number_of, in_order(row, fact), low, high))
    return found, Fact(DIVISION, fact.low, fact.high, fact.length)


@lowers(ir.PartitionPart)
def _partition_part(body: Body, formula: ir.PartitionPart) -> Found:
    found, fact = value(body, formula.partition)
    match formula.part:
        case "possible":
            return flat.At(found, Known(0)), TRUTH
        case "value":
            return flat.At(found, Known(1)), number(LOW, HIGH)
        case "rest":
            return flat.At(found, Known(2)), Fact(1, fact.low, fact.high, limits.COLLECTION, ordered=True)
        case _:
            return flat.At(found, Known(3)), Fact(2, fact.low, fact.high, limits.COLLECTION)
