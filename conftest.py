"""The examples in README and docs are tests: Python sessions, complete rules, and commands with what they print."""

import doctest
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

HERE = Path(__file__).parent

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a shell: tests of Ctrl-C would wait
    signal.signal(signal.SIGINT, signal.default_int_handler)


def rules_example(example: Example) -> None:
    """A complete program compiles and is written in the canonical form."""
    from rulelang.pipeline import compile_text

    compile_text(example.parsed)


def fragment_example(example: Example) -> None:
    """Some lines of rules can at least be read."""
    from rulelang.ast.from_tree import parse_rules
    from rulelang.diagnostics.reading import source_from_text

    parse_rules(source_from_text("fragment.rules", 'game "Fragment":\n  players: 2\n\n' + example.parsed))


def play_example(example: Example) -> str | None:
    """A play file with its own rules is sound, and its scenarios pass."""
    from rulelang.pipeline import engine_named
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, play_file_from_text
    from rulelang.scenarios.report import result_lines
    from rulelang.scenarios.run import run_scenario

    checked = check_file(play_file_from_text("example.play", example.parsed), Library())
    results = [run_scenario(each, engine_named("reference")) for each in checked]
    wrong = [line for result in results if result.status != "passed" for line in result_lines(result)]
    return "\n".join(wrong) or None


def console_example(example: Example) -> str | None:
    """Commands after ``$`` print what stands below them; ``...`` stands for anything.

    ``$ printf 'snap\\nquit\\n' | rulelang ...`` types lines; what such a game keeps is thrown away.
    """
    folder = example.namespace.setdefault("folder", None) or HERE
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", example.parsed, re.M):
        words, typed = shlex.split(command), ""
        if words[0] == "printf" and words[2] == "|":
            typed, words = words[1].replace("\\n", "\n"), words[3:]
        if words[0] != "rulelang":
            continue
        with tempfile.TemporaryDirectory() as empty:
            run = subprocess.run(
                [sys.executable, "-m", "rulelang", *words[1:]],
                capture_output=True,
                text=True,
                input=typed,
                cwd=empty if typed else folder,
                timeout=120,
            )
        found = run.stdout + run.stderr
        checker = doctest.OutputChecker()
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        if not checker.check_output(wanted, found, flags):
            return f"$ {command}\nexpected:\n{wanted}\nfound:\n{found}"
    return None


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL),
        CodeBlockParser("rules", rules_example),
        CodeBlockParser("play", play_example),
        CodeBlockParser("console", console_example),
    ],
    patterns=["README.md", "docs/guide/*.md", "docs/language/*.md", "rulesets/**/*.md"],
).pytest()
