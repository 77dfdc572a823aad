"""What other ways to look at a package cost, beside parsing it: `python tests/bench/scan_floor.py FOLDER...`.

Processor time of one process, as a multiple of reading and `ast.parse`-ing the same files: a visit of every node
without doing anything there, what a compiler does, and mypy (compiled), which infers types, too. Says what a
ratio of `scan_cost.py` can be at best. See README.md in this folder.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import tree_sitter
import tree_sitter_python

_TIMES = 3
_MYPY = ("--follow-imports=silent", "--ignore-missing-imports", "--check-untyped-defs", "--no-site-packages")


def _parsed(text: bytes) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _walk(text: bytes) -> None:
    for _ in ast.walk(_parsed(text)):
        pass


def _visit(text: bytes) -> None:
    ast.NodeVisitor().visit(_parsed(text))


def _compile(text: bytes) -> None:
    try:
        compile(text, "file.py", "exec")
    except (SyntaxError, ValueError):
        return


_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


def _visit_tree(text: bytes) -> None:
    """Ask every named node of tree-sitter's tree for its kind and place."""
    left = [_PARSER.parse(text).root_node]
    while left:
        node = left.pop()
        _ = node.type, node.start_byte, node.end_byte
        left.extend(node.named_children)


_WAYS: dict[str, Callable[[bytes], object]] = {
    "`ast.parse`, `ast.walk`": _walk,
    "`ast.parse`, `NodeVisitor`": _visit,
    "`compile`": _compile,
    "tree-sitter, a visit": _visit_tree,
}


def _seconds(paths: list[Path], way: Callable[[bytes], object]) -> float:
    """The least processor time that it takes to read the files and to look at each."""
    found = []
    for _ in range(_TIMES):
        begin = time.process_time()
        for path in paths:
            way(path.read_bytes())
        found.append(time.process_time() - begin)
    return min(found)


def _of_children(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=tempfile.gettempdir(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _seconds_of_mypy(folder: Path) -> float:
    """Processor time of mypy for a package, less that for an empty file: its start and the standard library."""
    command = [sys.executable, "-m", "mypy", *_MYPY, f"--cache-dir={os.devnull}"]
    with tempfile.NamedTemporaryFile(suffix=".py") as empty:
        nothing = _of_children([*command, empty.name])
    return _of_children([*command, str(folder.absolute())]) - nothing


def main() -> None:
    """Measure and print a line for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of packages, such as timm's")
    options = parser.parse_args()
    gc.disable()
    print(f"| package | {' | '.join(_WAYS)} | mypy |\n|---|{'---|' * (len(_WAYS) + 1)}")
    for folder in options.folders:
        paths = sorted(folder.rglob("*.py"))
        parsing = _seconds(paths, _parsed)
        ratios = [_seconds(paths, way) / parsing for way in _WAYS.values()]
        ratios.append(_seconds_of_mypy(folder) / parsing)
        print(f"| {folder.absolute().name} | {' | '.join(f'{ratio:.1f}' for ratio in ratios)} |", flush=True)


if __name__ == "__main__":
    main()
