"""Templates: expressions over MindSpore APIs that stand for a torch API. See `docs/mapping.md`.

Uses the standard library only: the index is built with it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

PACKAGE = "mindspore"
BUILTINS = frozenset(n for n in dir(builtins) if not n.startswith("_")) - {
    *("breakpoint", "compile", "eval", "exec", "exit", "globals", "help", "locals", "open", "print", "quit"),
    *("copyright", "credits", "license", "input", "vars"),
}
"""The builtins a template may use."""
_REFUSED = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_SCOPES = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


class TemplateError(ValueError):
    """A text that is no template; the message says why."""


@dataclass(frozen=True)
class TemplateCall:
    """A MindSpore API in a template. `positional` is the number of arguments given by position, None where it
    cannot be told (the API is not called, or `*` is used); `keywords` are those given by name."""

    name: str
    positional: int | None
    keywords: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """A parsed template.

    `uses` are its MindSpore APIs, the outermost first. `free` are the names that stand for arguments (or are
    builtins), `called` those of them that are called. `members` are the attributes it takes of other values,
    the outermost first.
    """

    text: str
    uses: tuple[TemplateCall, ...]
    free: frozenset[str]
    called: frozenset[str]
    members: tuple[str, ...]

    @property
    def apis(self) -> tuple[str, ...]:
        """The MindSpore APIs, each once."""
        return tuple(dict.fromkeys(use.name for use in self.uses))

    @property
    def target(self) -> str:
        """The name to show in lists: the outermost function, else the outermost MindSpore API, else the
        member of Tensor, else the text."""
        called = [use.name for use in self.uses if use.positional is not None or use.keywords]
        members = [f"{PACKAGE}.Tensor.{name}" for name in self.members if not name.startswith("_")]
        return next(iter([*called, *members, *self.apis]), self.text)


def parse_template(text: str) -> Template:
    """The template in `text`. Raises TemplateError when it is not one Python expression, or uses a construct
    or a bare name that templates do not have."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError) as error:
        raise TemplateError(f"{getattr(error, 'msg', error)}") from error
    reader = _Reader()
    reader.visit(tree.body, frozenset())
    return Template(
        text, tuple(reader.uses), frozenset(reader.free), frozenset(reader.called), tuple(reader.members)
    )


class _Reader:
    """Collects what a template uses, from the outside in."""

    def __init__(self) -> None:
        self.uses: list[TemplateCall] = []
        self.free: set[str] = set()
        self.called: set[str] = set()
        self.members: list[str] = []

    def visit(self, node: ast.AST, bound: frozenset[str]) -> None:
        """Read a node; `bound` are the names of lambdas and comprehensions around it."""
        if isinstance(node, _REFUSED):
            raise TemplateError(f"{type(node).__name__} is not allowed")
        if isinstance(node, ast.Call):
            self._call(node, bound)
        elif isinstance(node, ast.Attribute):
            self._attribute(node, bound)
        elif isinstance(node, ast.Name):
            self._name(node.id, bound)
        elif isinstance(node, ast.Lambda):
            self._lambda(node, bound)
        elif isinstance(node, _SCOPES):
            self._comprehension(node, bound)
        else:
            for child in ast.iter_child_nodes(node):
                self.visit(child, bound)

    def _call(self, node: ast.Call, bound: frozenset[str]) -> None:
        name = dotted(node.func)
        if name is not None and _is_api(name, bound):
            starred = any(isinstance(a, ast.Starred) for a in node.args)
            keywords = tuple(k.arg for k in node.keywords if k.arg is not None)
            self.uses.append(TemplateCall(name, None if starred else len(node.args), keywords))
        else:
            if isinstance(node.func, ast.Name) and node.func.id not in bound:
                self.called.add(node.func.id)
            self.visit(node.func, bound)
        for child in [*node.args, *(k.value for k in node.keywords)]:
            self.visit(child, bound)

    def _attribute(self, node: ast.Attribute, bound: frozenset[str]) -> None:
        name = dotted(node)
        if name is not None and _is_api(name, bound):
            self.uses.append(TemplateCall(name, None, ()))
            return
        self.members.append(node.attr)
        self.visit(node.value, bound)

    def _name(self, name: str, bound: frozenset[str]) -> None:
        if name == PACKAGE:
            raise TemplateError(f"`{PACKAGE}` alone says nothing")
        if name not in bound:
            self.free.add(name)

    def _lambda(self, node: ast.Lambda, bound: frozenset[str]) -> None:
        arguments = node.args
        for default in [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]:
            self.visit(default, bound)
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        named += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
        self.visit(node.body, bound | {a.arg for a in named})

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, bound: frozenset[str]
    ) -> None:
        for generator in node.generators:
            self.visit(generator.iter, bound)
            bound |= {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            for condition in generator.ifs:
                self.visit(condition, bound)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            self.visit(part, bound)


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` as text; None for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _is_api(name: str, bound: frozenset[str]) -> bool:
    return name.startswith(f"{PACKAGE}.") and PACKAGE not in bound


def mindspore_names(code: str) -> Iterator[str]:
    """The MindSpore APIs that a piece of Python code names, by its imports. Raises SyntaxError."""
    tree = ast.parse(code)
    imported = {PACKAGE: PACKAGE}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update({a.asname: a.name for a in node.names if a.asname})
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names})
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        name = dotted(node) if isinstance(node, (ast.Attribute, ast.Name)) and id(node) not in inner else None
        first, _, rest = (name or "").partition(".")
        full = imported.get(first, "")
        if full.startswith(PACKAGE) and (rest or full != PACKAGE):
            yield f"{full}.{rest}" if rest else full
