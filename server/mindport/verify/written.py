"""Arguments as they are written, the four shapes of a call, and the inputs in a text.

A text of arguments is Python, but a call of a bare name makes an input: `f(2, 3), dim=1` is a Tensor of
random floats and a keyword. What names there are is said in `mindport.verify.inside.making`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mindport.catalog.binding import BoundCall, bind

if TYPE_CHECKING:
    from mindport.catalog.api import Signature

CallShape = Literal["positional", "keyword", "shuffled", "omitted"]
_BUILTINS = frozenset(dir(builtins))
CALL_SHAPES: tuple[CallShape, ...] = ("positional", "keyword", "shuffled", "omitted")


@dataclass(frozen=True, slots=True)
class Written:
    """An argument as text, and the keyword it is given by. `type` is `Tensor` for an input. `unpack` is as in
    `mindport.uses.use.Argument`."""

    text: str
    keyword: str | None = None
    type: str | None = None
    unpack: str = ""

    @property
    def source(self) -> str:
        """The text as binding and the form of the argument ask for it: `...` stands for each input."""
        return _without_inputs(self.text)

    def __str__(self) -> str:
        return self.text if self.keyword is None else f"{self.keyword}={self.text}"


def written(arguments: str) -> list[Written]:
    """The arguments of a text. Raises SyntaxError."""
    call = ast.parse(f"_({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    positional = [Written(ast.unparse(argument), None, _type_of(argument)) for argument in call.args]
    return positional + [Written(ast.unparse(k.value), k.arg, _type_of(k.value)) for k in call.keywords]


def _type_of(node: ast.expr) -> str | None:
    return "Tensor" if is_input(node) else None


@lru_cache(maxsize=4096)
def _without_inputs(text: str) -> str:
    if "(" not in text:
        return text
    return ast.unparse(_Ellipses().visit(ast.parse(text, mode="eval")))


class _Ellipses(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Constant(...) if is_input(node) else node


def is_input(node: ast.expr) -> bool:
    """Whether an expression makes an input: it calls a bare name that is none of Python's own."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in _BUILTINS


def shapes(arguments: Sequence[Written], signatures: Sequence[Signature]) -> dict[str, tuple[CallShape, ...]]:
    """The texts of one call in all shapes that apply to it, each with the shapes it is: what has one argument
    is the same by keyword and shuffled. `omitted` gives required arguments only. A call that binds to no
    signature is taken as it is written."""
    found: dict[str, tuple[CallShape, ...]] = {}
    for signature in signatures:
        bound = bind(arguments, signature)
        if bound is not None and all(item.parameter.kind != "double_star" for item in bound):
            for shape, text in _shapes_of(bound, signature):
                if text is not None:
                    found[text] = (*found.get(text, ()), shape)
            return found
    return {", ".join(map(str, arguments)): ("positional",)}


def _shapes_of(
    bound: Sequence[BoundCall[Written]], signature: Signature
) -> list[tuple[CallShape, str | None]]:
    has_star = any(item.parameter.kind == "star" for item in bound)
    given = {item.parameter.name: item.argument.text for item in bound}
    required = {p.name for p in signature.parameters if p.default is None}
    needed = [item for item in bound if item.parameter.name in required]
    result: list[tuple[CallShape, str | None]] = [("positional", _positional(bound, signature))]
    if not has_star:
        result.append(("keyword", _by_keyword(given, signature, is_shuffled=False)))
        result.append(("shuffled", _by_keyword(given, signature, is_shuffled=True)))
    result.append(("omitted", _positional(needed, signature)))
    return result


def _positional(bound: Sequence[BoundCall[Written]], signature: Signature) -> str | None:
    """All by position; a parameter that is left out before a given one gets its default. None where that is
    no value that can be written."""
    starred = [item.argument.text for item in bound if item.parameter.kind == "star"]
    given = {item.parameter.name: item.argument.text for item in bound if item.parameter.kind != "star"}
    ordinary = [p for p in signature.parameters if p.kind in ("", "positional")]
    last = max((place for place, p in enumerate(ordinary) if p.name in given), default=-1)
    texts: list[str] = []
    for parameter in ordinary[: last + 1]:
        text = given.pop(parameter.name, parameter.default)
        if text is None or (not _is_literal(text) and text == parameter.default):
            return None
        texts.append(text)
    return ", ".join([*texts, *starred, *(f"{name}={text}" for name, text in given.items())])


def _by_keyword(given: dict[str, str], signature: Signature, is_shuffled: bool) -> str:
    places = {p.name: place for place, p in enumerate(signature.parameters)}
    by_position = {p.name for p in signature.parameters if p.kind == "positional"}
    first = [text for name, text in given.items() if name in by_position]
    names = sorted((n for n in given if n not in by_position), key=lambda n: places[n], reverse=is_shuffled)
    return ", ".join([*first, *(f"{name}={given[name]}" for name in names)])


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class WithInputs:
    """Arguments with names in place of their inputs, and what the worker makes for each name."""

    arguments: tuple[str, ...]
    inputs: tuple[dict[str, Any], ...]

    @property
    def text(self) -> str:
        """All arguments."""
        return ", ".join(self.arguments)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand for the inputs."""
        return tuple(spec["name"] for spec in self.inputs)


def with_inputs(text: str) -> WithInputs:
    """Take the inputs out of a text of arguments or an expression. Raises SyntaxError and ValueError."""
    taker = _Taker()
    call = taker.visit(ast.parse(f"_q.q({text})", mode="eval").body)
    assert isinstance(call, ast.Call)
    arguments = [*map(ast.unparse, call.args), *(ast.unparse(k) for k in call.keywords)]
    return WithInputs(tuple(arguments), tuple(taker.inputs))


class _Taker(ast.NodeTransformer):
    def __init__(self) -> None:
        self.inputs: list[dict[str, Any]] = []

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not is_input(node):
            self.generic_visit(node)
            return node
        assert isinstance(node.func, ast.Name)
        values = [ast.literal_eval(argument) for argument in node.args]
        name = f"x{len(self.inputs)}"
        if node.func.id == "t":
            dtype = values[1] if len(values) > 1 else "float32"
            self.inputs.append({"name": name, "make": "t", "value": values[0], "dtype": dtype})
        else:
            self.inputs.append({"name": name, "make": node.func.id, "shape": values})
        return ast.Name(name)
