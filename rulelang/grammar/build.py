"""`python -m rulelang.grammar.build`: write the parser tables beside the grammar, to be shipped with it.

The same grammar and Lark give the same bytes. Lark numbers its states and words in the order of sets, which changes
from run to run; here they are numbered anew, words by the alphabet and states in the order in which they are reached.
"""

import io
import pickle
import sys
from typing import Any

import lark

from rulelang.grammar import tables


def contents() -> bytes:
    """Return what the file of tables holds when it is current."""
    return tables.header() + _saved(tables.build())


def plays_contents() -> bytes:
    """Return what the file of the tables of plays holds when it is current."""
    return tables.header(tables.plays_text()) + _saved(tables.build_plays())


def _saved(built: lark.Lark) -> bytes:
    saved = io.BytesIO()
    built.save(saved)
    document = pickle.loads(saved.getvalue())
    parser = document["data"]["parser"]
    parser["parser"] = _renumbered(parser["parser"])
    return pickle.dumps(_canonical(document), protocol=4)


def _renumbered(table: dict[str, Any]) -> dict[str, Any]:
    names = sorted(table["tokens"].values())
    number = {name: position for position, name in enumerate(names)}
    actions = {
        state: sorted((number[table["tokens"][word]], action) for word, action in found.items())
        for state, found in table["states"].items()
    }
    reached = dict.fromkeys(state for _, state in sorted(table["start_states"].items()))
    waiting = list(reached)
    for state in waiting:
        for _, (completes, target) in actions[state]:
            if not completes and target not in reached:
                reached[target] = None
                waiting.append(target)
    new = {state: position for position, state in enumerate(reached)}
    return {
        "tokens": dict(enumerate(names)),
        "states": {
            new[state]: {word: (done, target if done else new[target]) for word, (done, target) in actions[state]}
            for state in reached
        },
        "start_states": {start: new[state] for start, state in sorted(table["start_states"].items())},
        "end_states": {start: new[state] for start, state in sorted(table["end_states"].items())},
    }


def _canonical(value: Any) -> Any:
    """Return a copy in which equal words are one and nothing else is shared, so that its bytes depend on its value."""
    if isinstance(value, dict):
        return {_canonical(key): _canonical(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_canonical(each) for each in value)
    return sys.intern(value) if type(value) is str else value


def main() -> int:
    """Write the tables."""
    tables.TABLES.write_bytes(contents())
    tables.PLAYS_TABLES.write_bytes(plays_contents())
    return 0


if __name__ == "__main__":
    sys.exit(main())
