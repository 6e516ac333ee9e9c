"""The data file of a ruleset: TOML tables for the tables declared in the rules. Spec 6.4."""

from pathlib import Path

from rulelang.ast import nodes as ast
from rulelang.checker.declared import Data
from rulelang.diagnostics.diagnostic import Findings


def load_data(rules: ast.Rules, folder: Path | None, findings: Findings) -> Data:
    """The rows of the file that the header ``data`` names, by key; empty without such a header."""
    return {}
