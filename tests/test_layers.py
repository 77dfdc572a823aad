"""Imports point down: what each part of the package may import. Imports inside functions and those for type
checkers count too."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "server" / "mindport"
ENGINE = ["source", "catalog", "resolve", "assess", "rewrite"]
ALLOWED: dict[str, list[str]] = {
    "language": [],
    "source": [],
    "catalog": [],
    "resolve": ["source", "catalog"],
    "assess": ["source", "catalog", "resolve"],
    "rewrite": ["source", "catalog", "resolve", "assess"],
    "project": ENGINE,
    "report": ENGINE,
    "pycharm": ["source"],
    "verify": [*ENGINE, "project", "report"],
    "lsp": [*ENGINE, "project", "report"],
    "cli": [*ENGINE, "project", "report", "pycharm", "lsp", "verify"],
    "__main__": ["cli"],
}
"""Beside itself and `language`, which all may import. A part that is not here has no place yet."""


def parts(package: Path) -> list[str]:
    """The modules and packages directly below the package."""
    found = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    return sorted(found + [path.parent.name for path in package.glob("*/__init__.py")])


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
        allowed = {part, "language", "__version__", *ALLOWED.get(part, [])}
        for line, name in imported(path, package):
            if name.split(".")[0] not in allowed:
                found.append(f"{relative.as_posix()}:{line} imports {name}")
    return found


def test_every_part_has_its_place() -> None:
    assert set(parts(PACKAGE)) <= set(ALLOWED)


def test_imports_point_down() -> None:
    assert violations(PACKAGE) == []


@pytest.mark.parametrize(
    ("file", "source", "wrong"),
    [
        ("resolve/a.py", "from mindport.assess.finding import Finding", "assess.finding.Finding"),
        ("resolve/a.py", "import mindport.lsp.server", "lsp.server"),
        ("resolve/a.py", "from mindport import rewrite", "rewrite"),
        ("resolve/a.py", "from ..project import scan", "project.scan"),
        ("catalog/a.py", "def f():\n    from mindport.resolve.use import Use", "resolve.use.Use"),
        (
            "assess/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import mindport.rewrite",
            "rewrite",
        ),
        ("lsp/a.py", "from mindport.cli.app import main", "cli.app.main"),
        ("report/a.py", "from mindport.project.scan import scan", "project.scan.scan"),
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
        "import mindport\nfrom mindport.language import Text\nfrom mindport.resolve.use import Use\n"
        "from .finding import Finding\nimport mindportal.lsp\n",
        encoding="utf-8",
    )
    assert violations(tmp_path) == []
