"""What the oldest Python that is supported does not have."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[1] / "server" / "mindport").rglob("*.py"))


def named(base: ast.expr) -> str:
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def test_no_named_tuple_is_generic() -> None:
    """Python 3.10 refuses such a class when its module is imported."""
    found = [
        f"{path.name}: {node.name}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef) and {"NamedTuple", "Generic"} <= {named(one) for one in node.bases}
    ]
    assert SOURCES and not found


def test_the_syntax_is_known_to_it() -> None:
    for path in SOURCES:
        ast.parse(path.read_bytes(), feature_version=(3, 10))
