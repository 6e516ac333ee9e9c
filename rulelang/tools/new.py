"""``rulelang new``: a folder with a small game to start from."""

import re
import unicodedata
from pathlib import Path
from typing import Final

import click

from rulelang.diagnostics.codes import FILE_EXISTS, NOT_A_NAME
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.failures import Diagnosed
from rulelang.tools.ending import OK
from rulelang.tools.options import example
from rulelang.tools.saying import show
from rulelang.tools.writing import not_written

RULES: Final = """\
# Sticks lie on the table. In turn, each player takes one or a few; whoever takes the last one wins.
game "{title}":
  players: 2..4

# What can be chosen before play, and what it is if nobody chooses.
option sticks: 5..50 = 15
option most: 2..5 = 3

# What is on the table: a number from 0 to 50, to be seen by all.
marker heap: 0..50 = sticks

# How the game runs.
overview:
  turns of p from seat(1):
    p must take
    if heap is 0: end game, p wins

# What a player may do. A requirement has a name, and says why a move that breaks it is refused.
move take(number in 1..most):
  require enough: number <= heap because "there are only {{heap}} sticks"
  heap falls by number
"""

README: Final = """\
# {title}

Sticks lie on the table. In turn, each player takes one or a few; whoever takes the last one wins.

    rulelang check {path}
    rulelang fmt {path}
    rulelang play {path} --seats human,random
    rulelang sim {path} --games 1000

The rules are in `{name}.rules`. Change them, and check again.
"""


@click.command(epilog=example("rulelang new my-game"))
@click.argument("name", metavar="NAME")
def command(name: str) -> int:
    """Make a folder with a small game to start from.

    NAME may be a path; nothing that exists is overwritten.
    """
    folder = Path(name)
    _check_name(name, folder.name)
    title = re.sub(r"[-_ ]+", " ", folder.name).strip().capitalize()
    path = str(folder) if len(folder.parts) > 1 else f"./{folder}"
    shown = f"'{path}'" if " " in path else path
    files = {
        f"{folder.name}.rules": RULES.format(title=title),
        "README.md": README.format(title=title, name=folder.name, path=shown),
    }
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError:
        raise Diagnosed([diagnose(FILE_EXISTS, file=name)]) from None
    except (OSError, ValueError) as failure:
        raise not_written(folder, failure) from None
    show(f"made {folder}: {', '.join(files)}\ntry: rulelang play {shown} --seats human,random", err=True)
    return OK


def _check_name(given: str, name: str) -> None:
    """A name begins with a letter; letters, digits, hyphens, underscores and blanks follow."""
    sound = name and name[0].isalpha() and len(name) <= 60 and name == unicodedata.normalize("NFC", name).strip()
    if not sound or not all(sign.isalnum() or sign in "-_ " for sign in name):
        hint = "it begins with a letter; letters, digits and hyphens follow, 60 in all at most"
        raise Diagnosed([diagnose(NOT_A_NAME, word=given, hint=hint)])
