"""LLVM's text of a function, read again: its blocks, and which words of a frame anything else depends on.

Only what `laning.py` knows is recognised; LLVM is pinned, and what it writes otherwise means one game after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from rulelang_native.lowering.failing import NotLowered

NAME = r"%[\w.$-]+|%\"[^\"]+\""
RESULT = re.compile(rf"({NAME}) = (.*)")
LABEL = r"[\w.$-]+|\"[^\"]+\""
BLOCK = re.compile(rf"^({LABEL}):")
STORE = re.compile(r"store i64 (\S+), ptr (\S+), align \d+")
CLEARED = re.compile(rf"(?:tail )?call void @llvm\.memset\.p0\.i64\(ptr [^%]*({NAME}), i8 0, i64 (\d+), i1 false\)")
ASSUMED = re.compile(r"(tail )?call void @llvm\.assume\(")
"""What LLVM was told, or remembers."""
CALL = re.compile(r"(?:tail |notail )?call (?:[\w]+(?:\([^)]*\))? )*?(i\d+) @llvm\.([\w.]+?)\((.*)\)(?: #\d+)?")
NOTHING = ("poison", "undef")
"""What may be anything."""
LOAD = re.compile(r"load i64, ptr (\S+), align \d+")


@attrs.define
class Block:
    """Instructions that are done one after the other."""

    name: str
    lines: list[str] = attrs.field(factory=list)
    next: list[str] = attrs.field(factory=list)
    """Where it can go on."""


def blocks_of(compiled: str, name: str) -> list[Block]:
    """The blocks of a function."""
    body = compiled[compiled.index(f"i64 @{name}(") :]
    body = body[body.index("\n") + 1 : body.index("\n}")]
    found = [Block("entry")]
    for line in re.sub(
        r"\[\n\s*(i64.*?)\n\s*\]", lambda m: "[ " + " ".join(m[1].split()) + " ]", body, flags=re.S
    ).split("\n"):
        line = line.split(" ;")[0] if not line.strip().startswith(";") else ""
        begins = BLOCK.match(line)
        if begins:
            if found[0].lines or begins[1] != "entry":
                found.append(Block(begins[1]))
        elif line.strip():
            found[-1].lines.append(re.sub(r"(, ![\w.]+ ![\w]+)+$", "", line.strip()))
    return found


def needed_by(blocks: Iterable[Block]) -> set[int]:
    """The numbers of a frame on which anything else depends."""
    kept = list(blocks)
    fields, loads = {"%F": 0}, dict[str, int]()
    uses, stores, waiting = dict[str, list[str]](), dict[int, list[str]](), list[str]()
    for block in kept:
        for line in block.lines:
            if match := re.match(rf"({NAME}) = getelementptr .*i8, ptr %F, i64 (\d+)$", line):
                fields[match[1]] = int(match[2]) // 8
    for block in kept:
        for line in block.lines:
            named = RESULT.fullmatch(line)
            if named is None:
                match, cleared = STORE.fullmatch(line), CLEARED.match(line)
                if match and match[2] in fields:
                    stores.setdefault(fields[match[2]], []).append(match[1])
                elif "@llvm.memcpy" in line or "@llvm.memmove" in line:
                    raise NotLowered("LLVM moves several words at once")
                elif not ASSUMED.match(line) and not (cleared and cleared[1] in fields):
                    waiting += re.findall(NAME, line)
                continue
            match = LOAD.fullmatch(named[2])
            if match and match[1] in fields:
                loads[named[1]] = fields[match[1]]
            elif named[1] not in fields:
                uses[named[1]] = re.findall(NAME, named[2])
                if "call" in named[2].split() and "@llvm." not in named[2]:
                    waiting += uses[named[1]]
    needed, seen = set[int](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += uses.get(name, [])
        place = loads.get(name, fields.get(name))  # what a word is used for in some other way is not known
        if place is not None and place not in needed:
            needed.add(place)
            waiting += stores.get(place, [])
    return needed
