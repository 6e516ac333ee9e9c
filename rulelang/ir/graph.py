"""The node graph of a program as a drawing: Graphviz dot or Mermaid, a frame for each procedure."""

from collections.abc import Iterator
from typing import assert_never

from rulelang.ir import nodes as n
from rulelang.ir.calls import opens
from rulelang.ir.printer import in_order, node_text
from rulelang.ir.program import Program
from rulelang.ir.spoken import Speaker

_LONGEST = 60
"""Letters of a label; the listing has the rest."""


def to_dot(program: Program) -> str:
    """The graph in the language of Graphviz."""
    lines = [f"digraph {_dot(program.name)} {{", "  node [shape=box, fontname=monospace];", "  rankdir=TB;"]
    speaker = Speaker(program)
    for number, procedure in enumerate(program.procedures):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_dot(procedure.name)};"]
        for node in in_order(program, procedure.entry):
            shape = _dot_shape(program.nodes[node])
            lines.append(f"    n{node} [label={_dot(_label(speaker, program, node))}{shape}];")
        lines.append("  }")
    for start, end, label in _edges(program):
        lines.append(f"  n{start} -> n{end}" + (f" [label={_dot(label)}];" if label else ";"))
    for start, end in _openings(program):
        lines.append(f"  n{start} -> n{end} [style=dashed];")
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(program: Program) -> str:
    """The graph in the language of Mermaid."""
    lines = ["flowchart TB"]
    speaker = Speaker(program)
    for number, procedure in enumerate(program.procedures):
        lines.append(f"  subgraph p{number}[{_mermaid(procedure.name)}]")
        for node in in_order(program, procedure.entry):
            before, after = _mermaid_shape(program.nodes[node])
            lines.append(f"    n{node}{before}{_mermaid(_label(speaker, program, node))}{after}")
        lines.append("  end")
    for start, end, label in _edges(program):
        lines.append(f"  n{start} --> " + (f"|{_mermaid(label)}| " if label else "") + f"n{end}")
    for start, end in _openings(program):
        lines.append(f"  n{start} -.-> n{end}")
    return "\n".join(lines) + "\n"


def _label(speaker: Speaker, program: Program, number: int) -> str:
    text = f"{number}: {node_text(speaker, program.nodes[number])}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _edges(program: Program) -> Iterator[tuple[int, int, str]]:
    """The ways inside procedures, each with what decides for it."""
    for procedure in program.procedures:
        for number in in_order(program, procedure.entry):
            node = program.nodes[number]
            match node:
                case n.Branch():
                    yield number, node.then, "yes"
                    yield number, node.otherwise, "no"
                case n.Loop():
                    yield number, node.body, "next"
                    yield number, node.done, "done"
                case n.Return() | n.Leave() | n.End():
                    pass
                case n.Do() | n.Call() | n.Decide() | n.Chance():
                    yield number, node.next, ""
                case _:
                    assert_never(node)


def _openings(program: Program) -> Iterator[tuple[int, int]]:
    """The ways into the procedures that nodes open."""
    for procedure in program.procedures:
        for number in in_order(program, procedure.entry):
            for opened in opens(program, program.nodes[number]):
                yield number, program.procedures[opened].entry


def _dot_shape(node: n.Node) -> str:
    match node:
        case n.Decide() | n.Chance():
            return ", style=rounded, penwidth=2"
        case n.End():
            return ", shape=doubleoctagon"
        case _:
            return ""


def _mermaid_shape(node: n.Node) -> tuple[str, str]:
    match node:
        case n.Decide() | n.Chance():
            return "([", "])"
        case n.Branch():
            return "{{", "}}"
        case _:
            return "[", "]"


def _dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _mermaid(text: str) -> str:
    plain = " .,:+*%()[]=/'_-"
    return '"' + "".join(sign if sign.isalnum() or sign in plain else f"#{ord(sign)};" for sign in text) + '"'
