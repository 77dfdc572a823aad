"""What each function and class of a file names, of what the project may have: by this it is seen what a
program reaches."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mindport.report.analysis.entries import MAIN, ReferenceEntry
from mindport.report.analysis.function_code import dotted, evaluates_instead
from mindport.report.analysis.trees import children, nodes

OF_OBJECT: Final = "."
"""How an attribute of something begins that has no name, or one of its function alone."""
OF_SELF: Final = "self."
"""How an attribute of the same object begins, also of its bases."""
VARIABLE: Final = "="
"""What stands before the names that a module gives values, and for what it runs otherwise."""
_SELF: Final = ("self", "cls")
_LISTING: Final = "__all__"
"""How a module lists what others get of it."""
_MAIN_NAME: Final = "__name__"
_PLAIN: Final = frozenset(
    {"staticmethod", "classmethod", "property", "abstractmethod", "no_grad", "enable_grad", "wraps", "setter"}
    | {"getter", "lru_cache", "cached_property", "contextmanager", "jit", "njit", "overload", "override"}
    | {"script", "compile", "total_ordering", "dataclass", "inference_mode", "script_method", "export"}
)
"""The decorators that call nothing of what they decorate, by their last names."""
_CHANGING = (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension, ast.NamedExpr)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def references(tree: ast.Module) -> Iterator[ReferenceEntry]:
    """What is named in each function and class of a file, in the module itself, and in what is run as a
    program alone."""
    programs = [one for one in tree.body if isinstance(one, ast.If) and _MAIN_NAME in ast.unparse(one.test)]
    rest = [one for one in tree.body if one not in programs]
    yield from _scope("", rest, (), ast.Module([], []))
    yield from _variables(rest)
    for one in programs:
        yield from _scope(MAIN, [one], (), ast.Module([], []))


def _variables(body: Sequence[ast.stmt]) -> Iterator[ReferenceEntry]:
    """What is named where the module gives a name of its own a value or calls its methods, and in all else
    that it runs."""
    rest: dict[str, None] = {}
    own: dict[str, dict[str, None]] = {}
    for one in [one for one in body if not isinstance(one, ast.ClassDef | _Function)]:
        names = dict.fromkeys(name for each in nodes(one) for name in _names(each, ()))
        targets = [dotted(each) for each in one.targets] if isinstance(one, ast.Assign) else []
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            targets = [name for name in [dotted(one.value.func).partition(".")[0]] if name in own]
        if targets and all(map(str.isidentifier, targets)):
            for each in targets:
                own.setdefault(each, {}).update(names)
        else:
            rest |= names
    for function in [one for one in body if isinstance(one, _Function)]:
        given = [*function.decorator_list, *_given(function)]
        rest |= dict.fromkeys(name for one in given for each in nodes(one) for name in _names(each, ()))
    for each, names in own.items():
        yield ReferenceEntry(name=f"{VARIABLE}{each}", names=list(names))
    yield ReferenceEntry(name=VARIABLE, names=list(rest))


def _scope(
    name: str, body: Sequence[ast.stmt], local: Sequence[str], node: ast.AST, *, is_class: bool = False
) -> Iterator[ReferenceEntry]:
    """What stands in a function, class or module, and in what is defined in it."""
    inner = "" if name == MAIN else name
    found = ReferenceEntry(name=name, is_class=is_class)
    found.bases = [dotted(one) for one in node.bases] if isinstance(node, ast.ClassDef) else []
    named: dict[str, None] = {}
    texts: dict[str, None] = {}
    defined: list[tuple[ast.ClassDef | _Function, bool]] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, ast.ClassDef | _Function):
            defined.append((one, isinstance(one, ast.ClassDef)))
            bases = [each for each in one.bases if not dotted(each)] if isinstance(one, ast.ClassDef) else []
            waiting += [*one.decorator_list, *(bases if isinstance(one, ast.ClassDef) else _given(one))]
            if not all(_is_plain(each) for each in one.decorator_list):
                named[one.name] = None
            continue
        if isinstance(one, ast.If) and evaluates_instead(one):
            waiting += [one.test, *one.orelse]
            continue
        for each in _names(one, local):
            named[each] = None
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isidentifier():
            texts[one.value] = None
        if not isinstance(one, ast.Attribute) or not dotted(one) or dotted(one).startswith("."):
            keys = list(_only_keys(one))
            waiting += [each for each in children(one) if each not in keys]
    found.names, found.texts = list(named), list(texts)
    yield found
    for one, is_one in defined:
        if isinstance(one, ast.ClassDef):
            yield from _scope(_in(inner, one.name), one.body, local, one, is_class=is_one)
        else:
            yield from _scope(_in(inner, one.name), one.body, [*local, *_own(one)], one)


def _only_keys(node: ast.AST) -> Iterator[ast.AST | None]:
    """What in a node says no names of functions that are chosen: keys of a table, where that is written out
    and where something is taken out of it, and what a module lists of its own for others."""
    if isinstance(node, ast.Dict):
        yield from [one for one in node.keys if isinstance(one, ast.Constant)]
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        yield from [node.slice] if isinstance(node.slice, ast.Constant) else []
    elif isinstance(node, ast.Assign) and _LISTING in map(dotted, node.targets):
        yield node.value


def _in(around: str, name: str) -> str:
    return f"{around}.{name}" if around else name


def _given(function: _Function) -> list[ast.expr]:
    """The defaults of a function's parameters."""
    return [*function.args.defaults, *[one for one in function.args.kw_defaults if one is not None]]


def _is_plain(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return dotted(called).rpartition(".")[2] in _PLAIN


def _own(function: _Function) -> list[str]:
    """The names that are a function's own: parameters, and what it assigns."""
    arguments = function.args
    names = {one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    names |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
    outer: set[str] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.ClassDef | _Function | ast.Lambda):
            continue
        if isinstance(one, ast.Global | ast.Nonlocal):
            outer.update(one.names)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            names.add(one.id)
        waiting += children(one)
    return sorted(names - outer)


def _names(node: ast.AST, local: Sequence[str]) -> Iterator[str]:
    """The name that a node is: with its attributes, as far as it may be of the project."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
        yield node.id
    if not isinstance(node, ast.Attribute):
        return
    name = dotted(node)
    root, _, rest = name.partition(".")
    if root in _SELF:
        first, _, others = rest.partition(".")
        yield f"{OF_SELF}{first}"
        yield from [f"{OF_OBJECT}{each}" for each in others.split(".") if each]
    elif not root and _is_super(node):
        yield f"{OF_SELF}{node.attr}"
    elif not root:
        yield f"{OF_OBJECT}{node.attr}"
    elif root in local:
        yield from [f"{OF_OBJECT}{each}" for each in rest.split(".")]
    else:
        yield name


def _is_super(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Call) and dotted(node.value.func) == "super"


def changed_names(tree: ast.Module) -> list[str]:
    """The last names that a file gives values otherwise than by a plain assignment: by `+=`, in the heads of
    loops, as what another function has (`global`), or beside others."""
    found: set[str] = set()
    for one in nodes(tree):
        if isinstance(one, ast.Global | ast.Nonlocal):
            found.update(one.names)
        target = getattr(one, "target", None) if isinstance(one, _CHANGING) else None
        if target is not None:
            found.update(_stored_in(target))
        if isinstance(one, ast.Assign | ast.Delete):
            for each in [each for each in one.targets if isinstance(one, ast.Delete) or _is_several(each)]:
                found.update(_stored_in(each))
        if isinstance(one, ast.withitem) and one.optional_vars is not None:
            found.update(_stored_in(one.optional_vars))
    return sorted(found)


def replaced_values(tree: ast.Module) -> list[tuple[str, str]]:
    """The attributes that the program, or a function, always gives another value where they have a certain
    one (`if args.kind == "default":`), each with that value."""
    bodies = [one.body for one in nodes(tree) if isinstance(one, ast.Module | _Function)]
    return [found for body in bodies for one in body for found in _replaced_by(one)]


def _replaced_by(one: ast.stmt) -> Iterator[tuple[str, str]]:
    if not isinstance(one, ast.If) or not isinstance(one.test, ast.Compare):
        return
    name, value = dotted(one.test.left), one.test.comparators[0]
    is_value = isinstance(one.test.ops[0], ast.Eq) and isinstance(value, ast.Constant)
    if len(one.test.ops) == 1 and is_value and "." in name and _assigns(one.body, name):
        yield name, ast.unparse(value)


def _assigns(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether statements give a name a value in any case."""
    return any(
        _assigns(one.body, name) and _assigns(one.orelse, name)
        if isinstance(one, ast.If)
        else isinstance(one, ast.Assign) and name in map(dotted, one.targets)
        for one in body
    )


def default_names(tree: ast.Module) -> list[str]:
    """The names of a module that are read as defaults of parameters alone."""
    every = nodes(tree)
    own = [name for one in every if isinstance(one, _Function) for name in map(dotted, _given(one))]
    read = [one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    return sorted({one for one in own if one.isidentifier() and own.count(one) == read.count(one)})


def rebound_names(tree: ast.Module) -> list[str]:
    """The names that functions, with what is defined in them, give something in more than one place, be it as
    a parameter, each with the function: where code of a function reads them, that is no single value."""
    return sorted(_rebound_in(tree, ""))


def _rebound_in(node: ast.AST, scope: str) -> Iterator[str]:
    for one in children(node):
        inner = _in(scope, one.name) if isinstance(one, ast.ClassDef | _Function) else scope
        if isinstance(one, _Function):
            bound = Counter(name for each in nodes(one) for name in _bound(each))
            yield from [f"{inner}.{name}" for name, number in bound.items() if number > 1]
        yield from _rebound_in(one, inner)


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id


def _is_several(target: ast.expr) -> bool:
    return not isinstance(target, ast.Name | ast.Attribute)


def _stored_in(target: ast.AST) -> Iterator[str]:
    for one in nodes(target):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr
