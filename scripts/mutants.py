"""Do the tests notice if the code is wrong? Changes one spot of the Python code at a time and runs the tests for it.

    python scripts/mutants.py [--count 500] [--seed 1] [--package rulelang.ir ...] [--seconds 120]

Each mutant is a copy of the repository in which one comparison, number, condition, operator, return value or statement
of `rulelang.ir`, `checker`, `compiler`, `play` or the reference interpreter is changed. The tests that belong to the
package are run until the first failure. A mutant that no test notices is listed with its place. Part of `make soak`;
the goal (R17) is at least 90 of 100 killed. Exit 1 below that.
"""

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOAL = 90

# fmt: off
TESTS = {
    "rulelang/ir": ["tests/test_ir_codec.py", "tests/test_ir_verify.py", "tests/test_ir_cost.py",
                    "tests/test_ir_schema.py", "tests/test_ir_printer.py", "tests/test_closing.py", "tests/classics"],
    "rulelang/checker": ["tests/checker", "tests/compiler", "tests/classics"],
    "rulelang/compiler": ["tests/compiler", "tests/classics"],
    "rulelang/play": ["tests/test_formulas.py", "tests/test_closing.py", "tests/test_match.py", "tests/test_record.py",
                      "tests/test_resample.py", "tests/test_tree.py", "tests/test_playouts.py", "tests/test_quiet.py",
                      "tests/test_chance_streams.py", "tests/test_reference.py", "tests/classics"],
    "interpreters/rulelang_reference": ["tests/test_reference.py", "tests/test_reference_limits.py", "tests/compiler",
                                        "tests/classics"],
}
# fmt: on
"""Which tests are asked about which folder, the quick ones first."""

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}


class Changed(ast.NodeTransformer):
    """Changes the spot with one number; counts the spots on the way."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.count = 0
        self.place = 0
        self.what = ""

    def here(self, node: ast.AST, what: str) -> bool:
        """Whether this spot is the one."""
        self.count += 1
        if self.count - 1 == self.target:
            self.place, self.what = getattr(node, "lineno", 0), what
            return True
        return False

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        other = COMPARISONS.get(type(node.ops[0]))
        if other is not None and self.here(node, f"{type(node.ops[0]).__name__} became {other.__name__}"):
            node.ops[0] = other()
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self.here(node, "and and or swapped"):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = OPERATORS.get(type(node.op))
        if other is not None and self.here(node, f"{type(node.op).__name__} became {other.__name__}"):
            node.op = other()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self.here(node, "not dropped"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self.here(node, f"{node.value} became {node.value + 1}"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        if type(node.value) is bool and self.here(node, f"{node.value} became {not node.value}"):
            return ast.copy_location(ast.Constant(not node.value), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and self.here(node, "call dropped"):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self.here(node, "condition always false"):
            node.test = ast.copy_location(ast.Constant(False), node.test)
        return node


def modules(packages: list[str]) -> Iterator[Path]:
    for folder in TESTS:
        if not packages or folder.replace("/", ".") in packages or folder.split("/")[-1] in packages:
            yield from sorted((ROOT / folder).rglob("*.py"))


def spots(path: Path) -> int:
    counting = Changed(-1)
    counting.visit(ast.parse(path.read_text(encoding="utf-8")))
    return counting.count


def killed(copy_root: Path, relative: Path, seconds: int) -> bool:
    """Whether some test fails."""
    tests = next(tests for folder, tests in TESTS.items() if relative.is_relative_to(folder))
    environment = {
        "PYTHONPATH": f"{copy_root}:{copy_root / 'interpreters'}",
        "PATH": "/usr/bin:/bin",
        "HOME": str(copy_root),
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        run = subprocess.run(command, cwd=copy_root, env=environment, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True  # a mutant that never ends is noticed
    return run.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Sample mutants of the Python code and see whether tests notice.")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=300, help="after which a mutant counts as noticed")
    chosen = parser.parse_args()
    population = [(path, number) for path in modules(chosen.package) for number in range(spots(path))]
    sample = random.Random(chosen.seed).sample(population, min(chosen.count, len(population)))
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy_root = Path(folder) / "copy"
        shutil.copytree(ROOT, copy_root, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache"))
        for done, (path, number) in enumerate(sample, 1):
            relative = path.relative_to(ROOT)
            original = path.read_text(encoding="utf-8")
            changed = Changed(number)
            tree = ast.fix_missing_locations(changed.visit(copy.deepcopy(ast.parse(original))))
            (copy_root / relative).write_text(ast.unparse(tree), encoding="utf-8")
            if not killed(copy_root, relative, chosen.seconds):
                survivors += 1
                print(f"not noticed: {relative}:{changed.place}: {changed.what}", flush=True)
            (copy_root / relative).write_text(original, encoding="utf-8")
            print(f"\r{done} of {len(sample)}, {survivors} not noticed", end="", file=sys.stderr, flush=True)
    rate = 100 * (len(sample) - survivors) / len(sample) if sample else 100.0
    print(
        f"\n{len(sample)} mutants of {len(population)} spots, seed {chosen.seed}: {rate:.1f} % noticed (goal {GOAL} %)"
    )
    return 0 if rate >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
