"""Change the engine at random places, one at a time, and see whether the tests notice.

    python scripts/mutants.py infer assess --sample 100 --tests tests/resolve tests/assess

A mutant is one change of one file below `server/mindport/FOLDER`: a comparison, `and`, `not` or a truth
value turned round, a number one more, a statement left out. It survives if all tests pass. Survivors are
printed with their line; the score is the share of those that were noticed. The tree itself stays as it is.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "server" / "mindport"
COMPARISONS = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
}  # fmt: skip
LEFT_OUT = (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue, ast.Break, ast.Delete)


class Mutant(NamedTuple):
    """A change: `new` stands in the place of the characters `start`..`end` of a file."""

    path: Path
    line: int
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The text with the change."""
        return text[: self.start] + self.new + text[self.end :]


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file, inside functions; annotations and docstrings stay as they are."""
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    if not text.isascii():
        return  # columns are in bytes: texts in two languages, which no test of behaviour would notice

    def mutant(node: ast.expr | ast.stmt, new: str) -> Mutant:
        end = starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
        return Mutant(path, node.lineno, starts[node.lineno - 1] + node.col_offset, end, new)

    for node in _looked_into(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            yield mutant(node, f"({left} {COMPARISONS[type(node.ops[0])]} {right})")
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield mutant(node, "(" + word.join(f"({ast.unparse(value)})" for value in node.values) + ")")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield mutant(node, f"bool({ast.unparse(node.operand)})")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield mutant(node, str(not node.value))
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield mutant(node, str(node.value + 1))
        elif isinstance(node, LEFT_OUT):
            yield mutant(node, "pass")


def _looked_into(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes inside functions, without annotations and docstrings."""
    waiting: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ast.FunctionDef):
            is_documented = ast.get_docstring(node) is not None
            waiting += node.body[1:] if is_documented else node.body
            continue
        yield node
        annotation = getattr(node, "annotation", None)
        waiting += [child for child in ast.iter_child_nodes(node) if child is not annotation]


def is_noticed(mutant: Mutant, copy: Path, tests: Sequence[str], seconds: float) -> bool:
    """Whether a test fails, or the tests do not end, with the mutant."""
    path = copy / mutant.path.relative_to(ROOT / "server")
    before = path.read_text("utf-8")
    path.write_text(mutant.applied(before), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")
    return done.returncode != 0


def main() -> int:
    """Try mutants and print those that survive, then the score."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600, help="after so long a run counts as noticed")
    parser.add_argument("--tests", nargs="+", default=["tests/resolve", "tests/assess", "tests/rewrite"])
    options = parser.parse_args()
    files = [path for folder in options.folders for path in sorted((PACKAGE / folder).rglob("*.py"))]
    every = [mutant for path in files for mutant in mutants(path)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "server"
        shutil.copytree(ROOT / "server", copy)
        (Path(folder) / "mapping_data").symlink_to(ROOT / "mapping_data")
        for mutant in chosen:
            if is_noticed(mutant, copy, options.tests, options.seconds):
                noticed += 1
                continue
            line = mutant.path.read_text("utf-8").splitlines()[mutant.line - 1].strip()
            where = f"{mutant.path.relative_to(PACKAGE)}:{mutant.line}"
            print(f"survived: {where}: {line}\n    {mutant.new}", flush=True)
    share = 100 * noticed / max(1, len(chosen))
    print(f"{noticed} of {len(chosen)} noticed ({share:.0f} %), of {len(every)} in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
