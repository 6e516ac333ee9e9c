"""Write what can be said in Monster-Bande: `rulesets/monster-bande/statements.toml`, from `components.toml` beside it.

    python scripts/monster_bande_statements.py [--check]

A statement is one thing that a describing player can say of a monster: "blue", "horns", "two ears", "no hat". The forms
of statement, the attributes of monsters and the lexicon stand in `components.toml`; here each form is joined with every
attribute that it goes with. The same meaning gets the same form however it is worded (MB-R-31): `hair_is_none` is an
absence and `legs_is_2` a figure. With `--check` nothing is written; exit 1 if the file is not what would be written.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

FOLDER = Path(__file__).resolve().parent.parent / "rulesets" / "monster-bande"
"""Where the ruleset lies."""

ABSENT = ("none", "no", 0)
"""Values of items and counts that say that something is not there."""

FEWEST, MOST = 1, 6
"""Figures that can be said of what is no counted part (two stripes, ruling MB-R-37)."""

VAGUE = ("many", "few", "some")
"""Quantity words that are printed, without "one" and "none": those are a figure and an absence."""

HEAD = """# Monster-Bande: what can be said. Written by scripts/monster_bande_statements.py from components.toml.
# touches: the categories that the statement mentions, with the default of every option
# category, attribute: what it is about; none for words, free speech and gestures
# form: one of the forms of components.toml; value: its words
# derived: a word that only counts as long as option derived_words is broad (ruling MB-R-34)
# checked: it can be told whether it is true; true_of: of which monsters it is (ruling MB-R-38)
"""


@attrs.frozen
class Attribute:
    """Something that monsters differ in. `kind` is quality, item, count or shape."""

    name: str
    category: str
    kind: str
    values: tuple[Any, ...]


@attrs.frozen
class Statement:
    """One thing that can be said. `true_of` names monsters in the order of the data."""

    name: str
    touches: tuple[str, ...]
    form: str
    value: str
    category: str | None = None
    attribute: str | None = None
    derived: bool = False
    checked: bool = False
    true_of: tuple[str, ...] = ()

    def row(self) -> str:
        """The statement as a table of TOML."""
        lines = ["[[statement]]", f'id = "{self.name}"', f"touches = {quoted(self.touches)}"]
        if self.category is not None:
            lines += [f'category = "{self.category}"', f'attribute = "{self.attribute}"']
        lines += [f'form = "{self.form}"', f'value = "{self.value}"']
        lines += [f"derived = {str(self.derived).lower()}", f"checked = {str(self.checked).lower()}"]
        if self.checked:
            lines.append(f"true_of = {quoted(self.true_of)}")
        return "\n".join(lines) + "\n"


def quoted(names: tuple[str, ...]) -> str:
    """A TOML array of strings."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


@attrs.frozen
class Sayings:
    """Everything that can be said with the components of the game."""

    data: dict[str, Any]

    def attributes(self) -> list[Attribute]:
        """The attributes, without the value that says that a shape's part is not there."""
        return [
            Attribute(a["id"], a["category"], a["kind"], tuple(v for v in a["values"] if v != "na"))
            for a in self.data["attribute"]
        ]

    def all(self) -> Iterator[Statement]:
        """All statements: attribute by attribute, then single words, then free speech."""
        for attribute in self.attributes():
            yield from self.wordings(attribute)
            yield from self.numbers(attribute)
            yield from self.parts(attribute)
        yield from self.words()
        yield from self.free()

    def about(self, attribute: Attribute, ending: str, form: str, value: str, true_of: Any = None) -> Statement:
        """A statement about an attribute; `true_of` says of a value of it whether it is true, if that can be told."""
        second = {"absence": "number", "figure": "number", "vague_figure": "number", "part_size": "size"}
        second["part_colour"] = "colour"
        touches = [attribute.category]
        if form in second and second[form] not in touches:
            touches.append(second[form])
        monsters: tuple[str, ...] = ()
        if true_of is not None:
            monsters = tuple(m["id"] for m in self.data["monster"] if true_of(self.plain(attribute, m)))
        return Statement(
            name=f"{attribute.name}_{ending}",
            touches=tuple(touches),
            form=form,
            value=value,
            category=attribute.category,
            attribute=attribute.name,
            checked=true_of is not None,
            true_of=monsters,
        )

    @staticmethod
    def plain(attribute: Attribute, monster: dict[str, Any]) -> Any:
        """The monster's value, in the words of the attribute's values."""
        value = monster[attribute.name]
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value

    def wordings(self, attribute: Attribute) -> Iterator[Statement]:
        """It is this, it is not this; it is there, it is not there."""
        for value in attribute.values:
            there = attribute.kind not in ("item", "count") or value not in ABSENT
            only = attribute.kind == "item" and there and len(attribute.values) == 2
            is_form = "figure" if attribute.kind == "count" else "value"
            not_form = {"count": "figure", "item": "absence" if only else "not_value"}.get(attribute.kind, "not_value")
            yield self.about(
                attribute, f"is_{value}", is_form if there else "absence", f"is {value}", lambda had, v=value: had == v
            )
            yield self.about(
                attribute,
                f"not_{value}",
                not_form if there else "present",
                f"is not {value}",
                lambda had, v=value: had != v,
            )
        if attribute.kind in ("item", "count"):
            yield self.about(attribute, "present", "present", "is there", lambda had: had not in ABSENT)
            yield self.about(attribute, "absent", "absence", "is not there", lambda had: had in ABSENT)

    def numbers(self, attribute: Attribute) -> Iterator[Statement]:
        """One, more than one, a figure, many."""
        counted = attribute.kind == "count"
        yield self.about(attribute, "singular", "singular", "one of it", (lambda had: had == 1) if counted else None)
        yield self.about(attribute, "plural", "plural", "several of it", (lambda had: had >= 2) if counted else None)
        for figure in range(FEWEST, MOST + 1):
            true_of = (lambda had, n=figure: had == n) if counted else None
            yield self.about(attribute, f"count_{figure}", "figure", f"{figure} of it", true_of)
        for word in VAGUE:
            yield self.about(attribute, word, "vague_figure", f"{word} of it")

    def parts(self, attribute: Attribute) -> Iterator[Statement]:
        """A size word or a colour word on this part."""
        for category, form in (("size", "part_size"), ("colour", "part_colour")):
            for word, _derived, roles in self.lexicon():
                if (category, "list") in roles:
                    yield self.about(attribute, f"{category}_{word}", form, f"a {word} one")

    def lexicon(self) -> list[tuple[str, bool, list[tuple[str, str]]]]:
        """Every word once, whether it is an assumed derived one, and its categories with its role in each."""
        found: dict[str, tuple[bool, list[tuple[str, str]]]] = {}
        for entry in self.data["lexicon"]:
            derived = entry["role"] == "derived" and entry["provenance"] == "assumed"
            for word in entry["words"]:
                before = found.get(word, (True, []))
                found[word] = (derived and before[0], [*before[1], (entry["category"], entry["role"])])
        return [(word, derived, categories) for word, (derived, categories) in found.items()]

    def words(self) -> Iterator[Statement]:
        """The words of the lexicon, said by themselves."""
        for word, derived, categories in self.lexicon():
            name = "say_" + word.replace(" ", "_")
            yield Statement(name, tuple(category for category, _ in categories), "word", word, derived=derived)

    def free(self) -> Iterator[Statement]:
        """Free speech and gestures, with the category that they touch; several statements name several categories."""
        for category in self.data["category"]:
            yield Statement(f"free_{category['id']}", (category["id"],), "free", f"something about {category['id']}")
        yield Statement("free_talk", (), "free", "something else")
        yield Statement("free_unclear", (), "unclear", "something unclear")
        yield Statement("free_location", (), "location", "where the twin lies")


def main() -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file is out of date")
    checking = parser.parse_args().check
    data = tomllib.loads((FOLDER / "components.toml").read_text(encoding="utf-8"))
    text = HEAD + "".join("\n" + statement.row() for statement in Sayings(data).all())
    file = FOLDER / "statements.toml"
    if checking:
        return 0 if file.is_file() and file.read_text(encoding="utf-8") == text else 1
    file.write_text(text, encoding="utf-8")
    print(f"{text.count('[[statement]]')} statements")
    return 0


if __name__ == "__main__":
    sys.exit(main())
