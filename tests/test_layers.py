"""Imports point down one line of folders, and run in circles only where a thing is recursive by itself. Imports
inside functions and those for type checkers count too."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "server" / "mindport"
LINE = (
    "language",
    "source",
    "catalog",
    "index",
    "lowering",
    "callgraph",
    "infer",
    "tensors",
    "uses",
    "assess",
    "rewrite",
    "project",
    "scan",
    "report",
    "weights",
    "app",
    "pycharm",
    "verify",
    "lsp",
    "cli",
    "__main__",
)
"""Every part of the package; each imports from those before it."""
APART: Mapping[str, frozenset[str]] = {
    "catalog": frozenset({"source"}),
    "lowering": frozenset({"catalog"}),
    "pycharm": frozenset(LINE) - {"language", "source", "pycharm"},
    "weights": frozenset(LINE) - {"language", "source", "catalog", "weights"},
    "lsp": frozenset({"pycharm", "verify", "weights"}),
}
"""What a part has nothing to do with, although it stands before it."""
RECURSIVE = {
    frozenset(f"index.{name}" for name in ("block", "definitions", "memo", "module", "nodes", "scopes")),
}
"""The circles that there are: the index holds expressions, which refer to what they define, in blocks of
modules."""
Graph = dict[str, set[str]]


def module_of(path: Path, package: Path) -> str:
    """The dotted name of a file, relative to the package."""
    return ".".join(path.relative_to(package).with_suffix("").parts)


def parts(package: Path) -> set[str]:
    """The modules and packages directly below the package."""
    modules = {path.stem for path in package.glob("*.py") if path.stem != "__init__"}
    return modules | {path.parent.name for path in package.glob("*/__init__.py")}


def imported(path: Path, package: Path) -> list[tuple[int, str]]:
    """The modules of the package that a file imports, by line, as names relative to the package."""
    inside = ["mindport", *path.relative_to(package).with_suffix("").parts]
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = inside[: -node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found += [(node.lineno, f"{module}.{alias.name}") for alias in node.names]
    prefix = "mindport."
    return [(line, name.removeprefix(prefix)) for line, name in found if name.startswith(prefix)]


def violations(package: Path) -> list[str]:
    """Every import that does not point down."""
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        part = relative.with_suffix("").parts[0]
        if part == "__init__":
            continue
        before = LINE[: LINE.index(part) + 1] if part in LINE else ()
        allowed = {"language", "__version__", part, *before} - APART.get(part, frozenset())
        for line, name in imported(path, package):
            if name.split(".")[0] not in allowed:
                found.append(f"{relative.as_posix()}:{line} imports {name}")
    return found


def graph(package: Path) -> Graph:
    """Which module imports which."""
    files = {module_of(path, package): path for path in package.rglob("*.py")}
    found: Graph = {module: set() for module in files}
    for module, path in files.items():
        for _, name in imported(path, package):
            target = name if name in files else name.rpartition(".")[0]
            if target in files and target != module:
                found[module].add(target)
    return found


def circles(imports: Graph) -> list[frozenset[str]]:
    """The sets of modules that reach each other (Kosaraju's algorithm)."""
    order: list[str] = []
    seen: set[str] = set()
    for start in imports:
        order += _after(start, imports, seen)
    importers: Graph = {module: set() for module in imports}
    for module, others in imports.items():
        for other in others:
            importers[other].add(module)
    seen = set()
    found = [frozenset(_after(module, importers, seen)) for module in reversed(order)]
    return [circle for circle in found if len(circle) > 1]


def _after(start: str, edges: Graph, seen: set[str]) -> list[str]:
    """What is reached from `start` and not `seen` yet, each behind what it reaches."""
    found: list[str] = []
    waiting: list[tuple[str, Iterator[str]]] = []
    if start not in seen:
        seen.add(start)
        waiting.append((start, iter(sorted(edges[start]))))
    while waiting:
        _, others = waiting[-1]
        following = next((other for other in others if other not in seen), None)
        if following is None:
            found.append(waiting.pop()[0])
        else:
            seen.add(following)
            waiting.append((following, iter(sorted(edges[following]))))
    return found


def public_classes(package: Path) -> Counter[str]:
    """How often a class of each public name is defined at the top level of a module."""
    return Counter(
        node.name
        for path in package.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def test_every_part_has_its_place() -> None:
    assert parts(PACKAGE) == set(LINE)


def test_imports_point_down() -> None:
    assert violations(PACKAGE) == []


def test_imports_run_in_no_other_circles() -> None:
    assert set(circles(graph(PACKAGE))) == RECURSIVE


def test_no_two_public_classes_have_one_name() -> None:
    assert [name for name, count in public_classes(PACKAGE).items() if count > 1] == []


@pytest.mark.parametrize(
    ("file", "source", "wrong"),
    [
        ("infer/a.py", "from mindport.assess.finding import Finding", "assess.finding.Finding"),
        ("uses/a.py", "import mindport.lsp.server", "lsp.server"),
        ("index/a.py", "from mindport import rewrite", "rewrite"),
        ("index/a.py", "from mindport.lowering.lower import Lowering", "lowering.lower.Lowering"),
        ("uses/a.py", "from ..project import settings", "project.settings"),
        ("catalog/a.py", "def f():\n    from mindport.uses.use import Use", "uses.use.Use"),
        ("catalog/a.py", "from mindport.source.document import Document", "source.document.Document"),
        (
            "assess/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import mindport.rewrite",
            "rewrite",
        ),
        ("lsp/a.py", "from mindport.cli.main import main", "cli.main.main"),
        ("report/a.py", "from mindport.app.convert_file import Converter", "app.convert_file.Converter"),
    ],
)
def test_an_import_that_points_up_is_noticed(tmp_path: Path, file: str, source: str, wrong: str) -> None:
    path = tmp_path / file
    path.parent.mkdir()
    path.write_text(source, encoding="utf-8")
    line = source.count("\n") + 1
    assert violations(tmp_path) == [f"{file}:{line} imports {wrong}"]


def test_imports_that_point_down_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "assess" / "a.py"
    path.parent.mkdir()
    path.write_text(
        "import mindport\nfrom mindport.language import Text\nfrom mindport.uses.use import Use\n"
        "from .finding import Finding\nimport mindportal.lsp\n",
        encoding="utf-8",
    )
    assert violations(tmp_path) == []


def test_a_circle_is_noticed() -> None:
    imports: Graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a", "e"}}
    assert circles(imports) == [frozenset({"b", "c"})]
