"""Words that are not reserved but mean something everywhere: functions, properties, types. Spec 4.11.

One table for the checker (may it stand here, with what) and for messages. What each means is said in the
specification; how it is lowered stands in ``rulelang.compiler``.
"""

from typing import Final

FUNCTIONS: Final[dict[str, str]] = {
    "seat": "seat(n): the n-th seat, going round the table",
    "next": "next(p): the seat clockwise from p",
    "previous": "previous(p): the seat before p",
    "others": "others(p): all seats but p, clockwise from the next",
    "clockwise": "clockwise(p): all seats, from p on",
    "seat_number": "seat_number(p): 1 for the first seat",
    "smaller": "smaller(a, b): the smaller of two numbers",
    "larger": "larger(a, b): the larger of two numbers",
    "quotient": "quotient(a, b): a divided by b, rounded down",
    "remainder": "remainder(a, b): what is left over",
    "copies": "copies(item, collection): how often the item is in it",
    "item": "item(collection, n): the n-th of it, counted from 1",
    "bags": "bags(n, collection): every way to take n of it, in what a move chooses from",
    "lists": "lists(n, S): one to n of S, one after another, as what a move says",
    "lines": "lines(Board, n): every straight line of n cells",
    "rows": "rows(Board): its rows",
    "columns": "columns(Board): its columns",
    "diagonals": "diagonals(Board): its full diagonals",
    "cell": "cell(Board, row, column): the cell there, none outside",
    "beside": "beside(cell): the cells that share a side with it",
    "around": "around(cell): the up to eight cells around it",
    "rays": "rays(cell): the straight rows of cells that lead away from it, each from the nearest cell outward",
    "linked": "linked(start, cells): those of the cells that are reached from the start by steps to cells beside",
    "edges": "edges(Board) as values: the edges of a board",
}
"""Functions with ordinary arguments."""

ARITY: Final[dict[str, int]] = {
    "seat": 1,
    "next": 1,
    "previous": 1,
    "others": 1,
    "clockwise": 1,
    "seat_number": 1,
    "smaller": 2,
    "larger": 2,
    "quotient": 2,
    "remainder": 2,
    "copies": 2,
    "item": 2,
    "bags": 2,
    "lists": 2,
    "lines": 2,
    "rows": 1,
    "columns": 1,
    "diagonals": 1,
    "cell": 3,
    "beside": 1,
    "around": 1,
    "rays": 1,
    "linked": 2,
    "edges": 1,
}

AGGREGATES: Final[dict[str, str]] = {
    "sum": "sum(E for each x in S where C): all added up",
    "highest": "highest(E for each x in S where C): the highest, 0 if there are none",
    "lowest": "lowest(E for each x in S where C): the lowest, 0 if there are none",
    "collect": "collect(E for each x in S where C): the list of them",
    "count": "count(each x in S where C): how many",
    "best_partition": "best_partition(E for each set in bags(2..5, S) where C): the sets worth most together",
    "whole_partition": "whole_partition(E for each set in bags(2..5, S) where C): the same with nothing left over",
}
"""Functions whose argument is a search."""

FIELDS: Final[dict[str, str]] = {
    "size": "size of a collection or zone: how many",
    "top": "top of a pile: its top card, none if there is none",
    "kinds": "kinds of a collection: every different one once",
    "left": "left of a timer: what is left, in milliseconds",
    "row": "row of a cell: its row number, from 1",
    "column": "column of a cell: its column number, from 1",
    "edges": "edges of a cell: its four edges",
    "cells": "cells of an edge: the cells on its sides",
}
"""Properties that every value of a sort has; parts of records and columns of tables come on top."""

VALUES: Final[dict[str, str]] = {
    "players": "players: all seats, in order",
    "table": "table: what belongs to no seat is done by the table",
}
"""Words that are values."""

TYPES: Final[dict[str, str]] = {"player": "a seat at the table"}
"""Words that are kinds."""

HOLDERS: Final[tuple[str, ...]] = ("pile", "bag", "slot", "list")
"""``pile of Card`` and so on, in the kind of a zone or marker."""

PUT_WORDS: Final[tuple[str, ...]] = ("top", "everything", "random")
"""Words with a meaning of their own between ``put`` and ``from``."""

PUT_FUNCTIONS: Final[tuple[str, ...]] = ("top", "position")
"""Such words with a number: ``top(3)``, ``position(2)``."""

TAKEN: Final[frozenset[str]] = frozenset(("players", *TYPES, *HOLDERS, *PUT_WORDS))
"""Names an author cannot declare, because they would no longer mean what every reader expects.

Any other word of these tables gives way to an author's own declaration, so that a word added later breaks no rules.
"""
