"""The formatter of play files: scenarios by their own grammar, inline rules as rules are written. Spec 2.6 and 15.4."""

from rulelang.ast.unparse import format_source, write_words
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.inline import split
from rulelang.grammar.parse_plays import plays_lexer, plays_paragraphs
from rulelang.source import Source

_INDENT = "  "


def format_plays(source: Source) -> str:
    """Return a play file as it should be written, saying the same; raise `Diagnosed` if it cannot be read."""
    findings = Findings()
    _, inline = split(source, findings)
    findings.raise_if_any([source])
    lines, parts, start = source.text.split("\n"), list[str](), 0
    for rules in inline:
        parts.append(_formatted(source.name, lines[start : rules.at.line - 1], start))
        head = lines[rules.at.line - 1]
        comment = head[head.index("#") :].rstrip() if "#" in head else ""
        body = format_source(rules.source).rstrip("\n").split("\n")
        text = [
            f"rules {rules.name}:{f'  {comment}' if comment else ''}",
            *(_INDENT + row if row else "" for row in body),
        ]
        parts.append("\n".join(text) + "\n")
        start = rules.last
    parts.append(_formatted(source.name, lines[start:], start))
    return "\n".join(part for part in parts if part)


def _formatted(name: str, lines: list[str], skipped: int) -> str:
    """Scenarios and comments; mistakes are told on the lines of the file."""
    text = "\n".join([""] * skipped + lines)
    if not text.strip():
        return ""
    part = Source(name, text)
    lexed = plays_lexer().lex(part)
    words = [token for paragraph in plays_paragraphs(part, lexed) for token in paragraph.tokens]
    return write_words(words, lexed.comments)
