"""Instance attributes of Python classes, read from their source with `ast`."""

from __future__ import annotations

import ast
import functools
import inspect
from pathlib import Path


def instance_attributes(cls: type) -> dict[str, str | None]:
    """Public attributes that the class's own `__init__` sets, with the annotation text that is known.

    Read from the source with `ast`: `self.x = x` takes the annotation of the parameter `x`,
    `self.register_buffer("x", ...)` is a Tensor, `self.x = Parameter(...)` a Parameter.
    """
    body = class_node(cls)
    if body is None:
        return {}
    found: dict[str, str | None] = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = ast.unparse(node.annotation)
    for node in body.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            for name, text in _assigned(node).items():
                found.setdefault(name, text)
    return {name: text for name, text in found.items() if not name.startswith("_")}


def class_node(cls: type) -> ast.ClassDef | None:
    """The class as its source defines it."""
    return _class_nodes(_source_file(cls)).get(cls.__qualname__)


def _source_file(cls: type) -> str:
    try:
        return inspect.getsourcefile(cls) or ""
    except TypeError:
        return ""


@functools.cache
def _class_nodes(file: str) -> dict[str, ast.ClassDef]:
    """The classes of a source file by qualified name (`Outer.Inner`)."""
    if not file.endswith(".py") or not Path(file).is_file():
        return {}
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return {}
    found: dict[str, ast.ClassDef] = {}
    _collect(tree.body, "", found)
    return found


def _collect(body: list[ast.stmt], prefix: str, found: dict[str, ast.ClassDef]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[f"{prefix}{node.name}"] = node
            _collect(node.body, f"{prefix}{node.name}.", found)
        elif isinstance(node, (ast.If, ast.Try)):
            _collect([*node.body, *node.orelse], prefix, found)


def _assigned(function: object) -> dict[str, str | None]:
    assert isinstance(function, ast.FunctionDef)
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    types_of = {a.arg: ast.unparse(a.annotation) for a in arguments if a.annotation}
    found: dict[str, str | None] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _called(node) in ("register_buffer", "register_parameter"):
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                kind = "Tensor" if _called(node) == "register_buffer" else "torch.nn.Parameter"
                found.setdefault(node.args[0].value, kind)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if _is_self(target):
                    text = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else None
                    found.setdefault(target.attr, text or _value_type(node.value, types_of))
    return found


def _called(node: object) -> str:
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _is_self(node: object) -> bool:
    return getattr(getattr(node, "value", None), "id", None) == "self" and hasattr(node, "attr")


def _value_type(value: object, types_of: dict[str, str]) -> str | None:
    name = getattr(value, "id", None)
    if name is not None:
        return types_of.get(name)
    called = _called(value)
    if called and called[0].isupper():
        return called
    return {"int": "int", "float": "float", "bool": "bool", "str": "str"}.get(called)
