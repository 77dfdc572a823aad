"""Signatures as plain data, from stub files (`ast`) and from Python objects (`inspect`)."""

from __future__ import annotations

import ast
import dis
import inspect
import re
from collections.abc import Mapping
from pathlib import Path

from type_names import TypeNames

Signature = dict[str, object]

_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.VAR_POSITIONAL: "star",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "double_star",
}
_DIRECTIVE = re.compile(r"\.\. (?:function|method)::\s*")
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def parameter(name: str, kind: str, default: str | None, annotation: str | None) -> Signature:
    """One parameter; what is empty is left out (`kind` is left out for an ordinary parameter)."""
    result: Signature = {"name": name}
    if kind:
        result["kind"] = kind
    if default is not None:
        result["default"] = default
    if annotation:
        result["type"] = annotation
    return result


def from_function_node(
    node: ast.FunctionDef | ast.AsyncFunctionDef, names: TypeNames, scope: Mapping[str, object], method: bool
) -> Signature:
    """The signature of a `def` in a stub or source file; `method` drops the first parameter."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    parameters = [
        _node_parameter(a, "positional" if i < len(arguments.posonlyargs) else "", d)
        for i, (a, d) in enumerate(zip(plain, defaults, strict=True))
    ]
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    if method and not static and parameters:
        parameters = parameters[1:]
    if arguments.vararg:
        parameters.append(_node_parameter(arguments.vararg, "star", None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append(_node_parameter(argument, "keyword", default))
    if arguments.kwarg:
        parameters.append(_node_parameter(arguments.kwarg, "double_star", None))
    returns = names.of_text(ast.unparse(node.returns), scope) if node.returns else None
    return {"parameters": parameters, **({"returns": returns} if returns else {})}


def _node_parameter(node: ast.arg, kind: str, default: ast.expr | None) -> Signature:
    return parameter(
        node.arg,
        kind,
        ast.unparse(default) if default is not None else None,
        ast.unparse(node.annotation) if node.annotation else None,
    )


def from_callable(value: object, names: TypeNames, method: bool) -> Signature | None:
    """The signature of a Python callable, or None when it has none that can be read."""
    function = inspect.unwrap(value) if callable(value) else value
    try:
        signature = inspect.signature(function)  # type: ignore[arg-type]
    except (ValueError, TypeError, RuntimeError, NameError):
        return None
    scope = getattr(function, "__globals__", {})
    parameters = [_object_parameter(p) for p in signature.parameters.values()]
    if method and parameters and parameters[0].get("kind") not in ("star", "double_star", "keyword"):
        parameters = parameters[1:]
    returns = _returned(function, signature, names, scope) if not isinstance(function, type) else None
    return {"parameters": parameters, **({"returns": returns} if returns else {})}


def _returned(
    function: object, signature: inspect.Signature, names: TypeNames, scope: Mapping[str, object]
) -> str | None:
    annotation = signature.return_annotation
    if annotation is inspect.Signature.empty:
        return "None" if returns_nothing(function) else None
    first = next(iter(signature.parameters.values()), None)
    if first is not None and first.name == "self" and first.annotation == annotation:
        return "Self"
    return names.of_object(annotation, scope)


def returns_nothing(function: object) -> bool:
    """Whether a Python function never returns a value (and is neither a generator nor only a `raise`)."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & _SUSPENDS:
        return False
    instructions = [i for i in dis.get_instructions(code) if i.opname not in ("NOP", "RESUME")]
    returned = [
        instructions[n - 1] if i.opname == "RETURN_VALUE" else i
        for n, i in enumerate(instructions)
        if i.opname in ("RETURN_VALUE", "RETURN_CONST")
    ]
    none = all(i.opname in ("LOAD_CONST", "RETURN_CONST") and i.argval is None for i in returned)
    return bool(returned) and none and len(instructions) > 2


def _object_parameter(item: inspect.Parameter) -> Signature:
    default = None if item.default is inspect.Parameter.empty else value_text(item.default)
    annotation = None
    if item.annotation is not inspect.Parameter.empty:
        annotation = (
            item.annotation if isinstance(item.annotation, str) else inspect.formatannotation(item.annotation)
        )
        annotation = None if " at 0x" in annotation else re.sub(r"\btyping\.", "", annotation)
        annotation = without_module_files(annotation) if annotation else annotation
    return parameter(item.name, _KINDS.get(item.kind, ""), default, annotation)


def without_module_files(text: str) -> str:
    """Modules by their names: their usual text holds the path of the installation."""
    return re.sub(r"<module '([\w.]+)'[^>]*>", r"\1", text)


def value_text(value: object) -> str:
    """A default as source text, as short and stable as its type allows."""
    if isinstance(value, type) or inspect.isroutine(value):
        module = getattr(value, "__module__", None)
        prefix = f"{module}." if module and module != "builtins" else ""
        return f"{prefix}{getattr(value, '__qualname__', repr(value))}"
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    text = without_module_files(text)
    return text if len(text) <= 120 else f"{text[:117]}..."


def behind(value: object) -> list[object]:
    """The functions that a wrapper made by hand calls: one per value of the flag for torch's
    `boolean_dispatch`, the wrapped one where a decorator keeps it in its closure; else the value itself."""
    code = getattr(value, "__code__", None)
    closure = getattr(value, "__closure__", None)
    if code is None or not closure or hasattr(value, "__wrapped__"):
        return [value]
    cells = {name: c.cell_contents for name, c in zip(code.co_freevars, closure, strict=True)}
    if code.co_name == "fn" and "if_true" in cells:
        return [cells["if_false"], cells["if_true"]]
    inner = [v for v in cells.values() if inspect.isroutine(v)]
    return inner if len(inner) == 1 and code.co_varnames[:2] == ("args", "kwargs") else [value]


def says_nothing(signatures: list[Signature]) -> bool:
    """Whether the signatures are all `*args, **kwargs` (or there are none)."""
    kinds = [{p.get("kind") for p in s["parameters"]} for s in signatures]  # type: ignore[attr-defined]
    return all(k and k <= {"star", "double_star"} for k in kinds)


class Stub:
    """A parsed `.pyi` or `.py` file: its functions and classes by name, overloads together."""

    def __init__(self, path: Path) -> None:
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.functions = functions_of(self.tree.body)
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    def overloads(
        self, name: str, names: TypeNames, scope: Mapping[str, object], owner: str | None = None
    ) -> list[Signature]:
        """The signatures of a function, or of a method of the class `owner`."""
        table = functions_of(self.classes[owner].body) if owner in self.classes else {}
        nodes = (table if owner else self.functions).get(name, [])
        return [from_function_node(node, names, scope, owner is not None) for node in nodes]


def functions_of(body: list[ast.stmt]) -> dict[str, list[ast.FunctionDef]]:
    """The functions of a body by name, the overloads of one name in order."""
    table: dict[str, list[ast.FunctionDef]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            table.setdefault(node.name, []).append(node)
    return {name: _without_implementation(nodes) for name, nodes in table.items()}


def _without_implementation(nodes: list[ast.FunctionDef]) -> list[ast.FunctionDef]:
    overloads = [n for n in nodes if any("overload" in ast.unparse(d) for d in n.decorator_list)]
    return overloads or nodes[-1:]


def from_docstring(text: str | None, name: str) -> list[tuple[Signature | None, str | None]]:
    """Signatures and return texts that a docstring states: in its first line, `name(input, dim=0) -> Tensor`,
    and for further overloads in `.. function::` and `.. method::` lines."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    stated = [*lines[:1], *(_DIRECTIVE.sub("", line) for line in lines[1:] if _DIRECTIVE.match(line))]
    return [found for line in stated if (found := _from_line(line, name)) is not None]


def _from_line(line: str, name: str) -> tuple[Signature | None, str | None] | None:
    head = rf"(?:[\w.]+\.)?{re.escape(name)}(?:_ext)?"
    match = re.match(head + r"\((?P<inside>.*?)\)\s*(?:->\s*(?P<returns>.+))?$", line)
    if match is None:
        return None
    returns = (match["returns"] or "").strip(" .:`") or None
    try:
        node = ast.parse(f"def f({match['inside']}): ...").body[0]
    except SyntaxError:
        return None, returns
    assert isinstance(node, ast.FunctionDef)
    return from_function_node(node, TypeNames(lambda _: None), {}, method=False), returns
