"""How large a move becomes when all that its conditions gather is written out in it. Spec 8.4 and 16.1.

Requirements that a condition gathers stand in every move that requires it, with what is given to the condition in the
place of its parameters. So conditions that gather conditions can grow to any size in a few lines: each is measured
once, before anything goes through them as often as they stand there.
"""

from collections.abc import Iterator

import attrs

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.gathered import named_in, required
from rulelang.checker.inside import within
from rulelang.checker.names import NameTable
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings

Holder = ast.Condition | ast.Move


@attrs.frozen
class _Size:
    """Of a condition, written out."""

    parts: int
    """Names, numbers and operations, whatever is given to it."""
    given: tuple[int, ...]
    """How often each parameter stands in it."""
    depth: int
    """So many conditions are gathered inside each other."""
    told: bool = False
    """Whether something was said already about what it gathers."""

    @property
    def sound(self) -> bool:
        return self.parts <= limits.TOKENS and self.depth <= limits.FORMULA_DEPTH


def too_large(rules: ast.Rules, names: NameTable, findings: Findings) -> None:
    """Report conditions and moves that are too large when written out; of those that use each other the innermost."""
    sizes: dict[Holder, _Size] = {}
    for start in rules.declarations:
        waiting: list[Holder] = [start] if isinstance(start, Holder) and start not in sizes else []
        while waiting:
            holder = waiting[-1]
            inner = [each for each in _gathered(holder, names) if each not in sizes]
            if inner:
                waiting += inner
            elif waiting.pop() not in sizes:
                size = _measured(holder, names, sizes)
                if not size.told and not size.sound:
                    _report(holder, size, findings)
                    size = attrs.evolve(size, told=True)
                sizes[holder] = size


def _report(holder: Holder, size: _Size, findings: Findings) -> None:
    if size.depth > limits.FORMULA_DEPTH:
        hint = "let fewer conditions require other conditions"
        findings.report(codes.FORMULA_TOO_DEEP, holder.at, limit=limits.FORMULA_DEPTH, hint=hint)
        return
    hint = "counted with all that the conditions gather; let fewer require other conditions"
    findings.report(codes.TOO_LARGE, holder.at, word=holder.name, size=size.parts, limit=limits.TOKENS, hint=hint)


def _lines(holder: Holder) -> tuple[ast.RequireNamed, ...]:
    if isinstance(holder, ast.Condition):
        return named_in(holder)
    return tuple(line for line in holder.requirements if isinstance(line, ast.RequireNamed))


def _gathered(holder: Holder, names: NameTable) -> Iterator[ast.Condition]:
    """The conditions whose requirements stand in this one."""
    for line in _lines(holder):
        condition = required(line, names)
        if condition.requirements:
            yield condition


def _measured(holder: Holder, names: NameTable, sizes: dict[Holder, _Size]) -> _Size:
    params = tuple(names.bindings[param] for param in holder.params) if isinstance(holder, ast.Condition) else ()
    parts, given, depth, told = 1, [0] * len(params), 0, False

    def counted(nodes: Iterator[ast.Node], times: int) -> None:
        nonlocal parts
        for node in nodes:
            symbol = names.uses.get(node)
            if symbol in params:
                given[params.index(symbol)] += times
            else:
                parts += times

    for own in holder.requirements:
        if isinstance(own, ast.Require):
            counted(within(own), 1)
    for line in _lines(holder):
        size = sizes.get(required(line, names), _Size(1, (1,) * len(line.arguments), 0))
        parts, depth, told = parts + size.parts, max(depth, size.depth + 1), told or size.told
        for argument, times in zip(line.arguments, size.given, strict=False):
            counted(within(argument), times)
    return _Size(parts + sum(given), tuple(given), depth, told)
