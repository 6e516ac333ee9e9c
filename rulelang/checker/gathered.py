"""Conditions that gather requirements: what they are made of, and whether one comes back to itself. Spec 8.4.

A condition is a formula with words, or a block of requirements: formulas with words of their own, and other conditions.
"""

from collections.abc import Iterator

from rulelang.ast import nodes as ast
from rulelang.checker.inside import speaks_of_me, within
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import ConditionName, DefineName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings

Word = ast.Define | ast.Condition


def own_formulas(condition: ast.Condition) -> tuple[ast.Expr, ...]:
    """The formulas that are written in a condition itself, words apart."""
    if condition.value is not None:
        return (condition.value,)
    lines = [line for line in condition.requirements if isinstance(line, ast.Require)]
    return tuple(part for line in lines for part in (line.condition, line.unless) if part is not None)


def named_in(word: Word) -> tuple[ast.RequireNamed, ...]:
    """The lines of a condition that require other conditions."""
    lines = word.requirements if isinstance(word, ast.Condition) else ()
    return tuple(line for line in lines if isinstance(line, ast.RequireNamed))


def texts_of(condition: ast.Condition) -> tuple[ast.Text, ...]:
    """The words that are written in a condition itself."""
    lines = [line.because for line in condition.requirements if isinstance(line, ast.Require)]
    return tuple(text for text in (condition.because, *lines) if text is not None)


def required(node: ast.RequireNamed, names: NameTable) -> ast.Condition:
    """The condition that a line requires."""
    symbol = names.uses[node]
    assert isinstance(symbol, ConditionName)
    return symbol.node


def speaks_of_mover(condition: ast.Condition, names: NameTable) -> bool:
    """Whether a condition, or one that it uses, speaks of ``me``."""
    waiting, seen = [condition], {condition}
    while waiting:
        current = waiting.pop()
        lines = named_in(current)
        parts = [*own_formulas(current), *(argument for line in lines for argument in line.arguments)]
        if any(speaks_of_me(part) for part in parts):
            return True
        symbols = [names.uses.get(part) for part in (*lines, *(node for part in parts for node in within(part)))]
        inner = [symbol.node for symbol in symbols if isinstance(symbol, ConditionName)]
        waiting += [each for each in inner if each not in seen]
        seen.update(inner)
    return False


def in_circles(rules: ast.Rules, names: NameTable, findings: Findings) -> None:
    """Report every condition that is a part of itself, by way of others or of defines.

    Defines without a condition on the way are seen to where their kinds are found.
    """
    done: set[Word] = set()
    for start in rules.declarations:
        if not isinstance(start, ast.Condition) or start in done:
            continue
        way: dict[Word, Iterator[Word]] = {start: _uses(start, names)}
        while way:
            word = next(reversed(way))
            following = next(way[word], None)
            if following is None:
                done.add(word)
                del way[word]
            elif following in way:
                ring = list(way)[list(way).index(following) :]
                if any(isinstance(each, ast.Condition) for each in ring):
                    path = " -> ".join(each.name for each in (*ring, following))
                    hint = f"the way round: {path}"
                    findings.report(codes.RECURSIVE_NAME, following.at, word=following.name, hint=hint)
            elif following not in done:
                way[following] = _uses(following, names)


def _uses(word: Word, names: NameTable) -> Iterator[Word]:
    """The words of the rulebook that a word uses."""
    for part in within(word):
        symbol = names.uses.get(part)
        if isinstance(symbol, DefineName | ConditionName):
            yield symbol.node
