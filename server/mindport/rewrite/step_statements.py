"""What single statements of a training step do, as far as that is seen from how they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mindport.catalog.helper_table import METHOD

_OF_SCOPES: Final = frozenset({"locals", "vars", "eval", "exec", "super", "__class__"})
_PREPARING: Final = frozenset(
    {
        *("to", "cuda", "cpu", "float", "double", "half", "long", "int", "view", "reshape", "unsqueeze"),
        *("squeeze", "permute", "transpose", "contiguous", "type", "size", "numpy", "flatten", "pop", "get"),
        *("items", "values", "keys", "tuple", "list", "dict", METHOD),
        *("astype", "from_numpy", "tensor", "Tensor", "next", "len", "range"),
    }
)
"""What is called to make a batch ready, before the forward pass."""
_BATCHES: Final = re.compile(
    r"batch|sample|data|load|noise|rand|zeros|ones|full|arange|label|hidden|detach|stop_grad|stack"
)
"""What functions are called that make a batch."""
_OF_BACKWARD: Final = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})
_FILLING: Final = frozenset({"append", "extend", "insert", "update"})
CLIPPING: Final = re.compile(r"clip_grad_(norm|value)_?$")


def blocks_in(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(statement, name, None)
        if inner:
            yield inner
    for handler in getattr(statement, "handlers", []):
        yield handler.body
    for case in getattr(statement, "cases", []):
        yield case.body


def differentiated(statement: ast.stmt) -> ast.expr | None:
    """What a statement calls `backward` of, without arguments."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return None
    is_backward = isinstance(call.func, ast.Attribute) and call.func.attr == "backward"
    return call.func.value if is_backward and isinstance(call.func, ast.Attribute) else None


def keeps_backward(statement: ast.Expr) -> bool:
    """Whether a statement calls the `backward` of a Tensor: with PyTorch's arguments, if any, by keyword."""
    call = statement.value
    if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr == "backward" and {each.arg for each in call.keywords} <= _OF_BACKWARD


def is_computed(loss: ast.expr) -> bool:
    """Whether a loss is a name, or an expression of names without functions within it."""
    return not any(
        isinstance(each, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda))
        for each in ast.walk(loss)
    )


def last_name(function: ast.expr) -> str:
    """The last name of what is called; of a method that a helper chooses, that of the method."""
    if isinstance(function, ast.Attribute):
        return function.attr
    if isinstance(function, ast.Call) and last_name(function.func) == METHOD:
        name = function.args[1] if len(function.args) > 1 else None
        return str(name.value) if isinstance(name, ast.Constant) else ""
    return function.id if isinstance(function, ast.Name) else ""


def zeroed(statement: ast.stmt) -> str | None:
    """What a statement calls `zero_grad` of."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "zero_grad":
        return ast.unparse(call.func.value)
    return None


def zeroes(statement: ast.stmt) -> bool:
    return zeroed(statement) is not None


def takes_gradients(node: ast.AST, optimizer: str) -> bool:
    """Whether a call reads the gradients of an optimizer's parameters, or may."""
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    if name in ("step", "unscale_"):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        return optimizer in map(ast.unparse, [owner, *node.args])
    return bool(CLIPPING.search(name))


def owner_of_parameters(node: ast.expr) -> str | None:
    """Of `x.parameters()`, x."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return None
    is_of_owner = isinstance(node.func, ast.Attribute) and node.func.attr == "parameters"
    return ast.unparse(node.func).removesuffix(".parameters") if is_of_owner else None


def made_of(scope: ast.AST, optimizer: str) -> str | None:
    """What an optimizer is made of, if it is bound once in a scope, by a call."""
    made = [
        each.value
        for each in ast.walk(scope)
        if isinstance(each, ast.Assign) and optimizer in map(ast.unparse, each.targets)
    ]
    if len(made) != 1 or not isinstance(made[0], ast.Call) or not made[0].args:
        return None
    return ast.unparse(made[0].args[0])


def fills(statement: ast.stmt) -> set[str]:
    """The names of what a statement changes by a call of its own method."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return {name for inner in blocks_in(statement) for each in inner for name in fills(each)}
    changed = [call.func.value, *call.args[:1]] if _is_in_place(call) else [call.func.value]
    is_change = call.func.attr in _FILLING or _is_in_place(call)
    return {each.id for each in changed if isinstance(each, ast.Name)} if is_change else set()


def _is_in_place(call: ast.Call) -> bool:
    """Whether a call changes a Tensor, as its name says: as a method, or as a helper."""
    name = last_name(call.func)
    return name.endswith("_") and not name.endswith("__")


def _is_guard(node: ast.AST) -> bool:
    """Whether a statement only stops the program, on a condition."""
    if not isinstance(node, ast.If) or node.orelse:
        return False
    *first, last = node.body
    is_end = isinstance(last, ast.Raise) or (isinstance(last, ast.Expr) and _called(last) == "exit")
    return is_end and all(isinstance(each, ast.Expr) and _called(each) == "print" for each in first)


def _called(statement: ast.Expr) -> str:
    return last_name(statement.value.func) if isinstance(statement.value, ast.Call) else ""


def _is_change(statement: ast.Expr, own: set[str]) -> bool:
    """Whether a statement changes a Tensor in place, or fills what the function itself has made."""
    is_of_tensor = isinstance(statement.value, ast.Call) and _is_in_place(statement.value)
    return is_of_tensor or bool(fills(statement) & own)


def only_prepares(statement: ast.stmt) -> bool:
    """Whether a statement only makes a batch ready."""
    calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)]
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.If, ast.Expr)):
        return False
    if isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.List)):
        return False
    names = [last_name(call.func) for call in calls]
    return all(name in _PREPARING or _BATCHES.search(name) for name in names)


def calls_value(node: ast.AST, values: set[str]) -> bool:
    """Whether a node calls what is bound as a value, or a member of the object that the function is of."""
    if not isinstance(node, ast.Call) or last_name(node.func) in _PREPARING:
        return False
    root = node.func
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    return not isinstance(root, ast.Name) or root.id in values


def only_computes(statement: ast.stmt, own: set[str]) -> bool:
    """Whether a statement may move into a function: it binds names, and does nothing else that is seen."""
    if _is_guard(statement):
        return True
    for each in ast.walk(statement):
        if isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)):
            return False
        if isinstance(each, (ast.NamedExpr, ast.Delete, ast.Raise, ast.Try, ast.Import, ast.ImportFrom)):
            return False
        if isinstance(
            each, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)
        ):
            return False
        if isinstance(each, (ast.Attribute, ast.Subscript)) and not isinstance(each.ctx, ast.Load):
            return False
        if isinstance(each, ast.Name) and each.id in _OF_SCOPES:
            return False
        if (
            isinstance(each, ast.Expr)
            and not _is_change(each, own)
            and not isinstance(each.value, ast.Constant)
        ):
            return False
        if type(each).__name__ in ("Match", "TryStar"):
            return False
    return not _leaves_loops(statement, False)


def _leaves_loops(statement: ast.stmt, in_loop: bool) -> bool:
    """Whether a statement leaves, or goes on with, a loop around it."""
    if isinstance(statement, (ast.Break, ast.Continue)):
        return not in_loop
    is_loop = isinstance(statement, (ast.For, ast.While))
    return any(_leaves_loops(each, in_loop or is_loop) for inner in blocks_in(statement) for each in inner)
