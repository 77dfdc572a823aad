"""Shared by the tests of values: what a name is, in few characters.

`Tensor` is an instance of that class of torch, `=nn.ReLU` torch's class or function itself, `int` an instance of a
class of Python, `?` what is not known, `never` what cannot be reached.
"""

from __future__ import annotations

from pathlib import Path

from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.infer.values import (
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    Giver,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Method,
    NoneValue,
    Object,
    Partial,
    PartialFunction,
    TorchModule,
    TupleClass,
    TypeAlias,
    Value,
)
from mindport.source.document import Document

HEAD = """\
import collections
import jaxtyping
import numpy
import other
import torch
import typing
from torch import nn, Tensor
from typing import Any, Annotated, Awaitable, Callable, ClassVar, Coroutine, Dict, Final, Generator, Generic, Hashable
from typing import Iterator, List, Literal, Mapping, Optional, Self, Tuple, Type, Union, cast
unseen = other.anything()
class Own: pass
"""
"""Stands before each piece of code: `unseen` is not known there, `missing` is bound nowhere."""


def value_of(source: str, name: str = "r", root: Path | None = None) -> str:
    """What `name` is at the end of a module of the project at `root`."""
    graph = ProjectGraph(Catalog.load(), [root] if root is not None else [])
    path = str((root or Path("/nowhere")) / "main.py")
    module = graph.set_document(path, "main", Document.open(path, HEAD + source))
    evaluator = Evaluator(graph, Catalog.load())
    Propagation(evaluator).settle([module])
    return as_text(evaluator.ask(("export", path, name)))


def as_text(result: AbstractValue) -> str:
    """The alternatives, and how sure they are where they are not certain."""
    alternatives = " | ".join(_text(value) for value in result.alternatives) or "never"
    sure = "" if result.certainty is Certainty.CERTAIN else f" ({result.certainty.value})"
    return alternatives + sure


def _text(value: Value) -> str:
    match value:
        case ApiValue() | TorchModule() | External():
            return "=" + _short(value.name)
        case Partial():
            return f"partial {_short(value.name)}"
        case Instance() | ExternalInstance():
            return _short(value.of)
        case TupleClass():
            return "=" + _text(value.declared)
        case Function() | Class():
            return "=" + value.definition.name
        case Object():
            return ("super of " if value.parent else "") + value.definition.name
        case FixedTuple() if value.names:
            pairs = zip(value.names, value.items, strict=True)
            return f"named({', '.join(f'{name}: {as_text(item)}' for name, item in pairs)})"
        case FixedTuple():
            return f"{value.kind}({', '.join(as_text(item) for item in value.items)})"
        case HomogeneousContainer():
            return f"{value.kind}[{as_text(value.element)}]"
        case KeyedDictionary():
            items = [f"{key}: {as_text(item)}" for key, item in value.items]
            rest = [f"*: {as_text(value.rest)}"] if value.rest.alternatives else []
            return "{" + ", ".join([*items, *rest]) + "}"
        case TypeAlias():
            return f"type {as_text(value.declared)}"
        case Giver():
            return f"giving {as_text(value.result)}"
        case PartialFunction():
            return f"partial {_text(value.function)}" + (f" after {value.given}" if value.given else "")
        case Container():
            return f"{_short(value.of)}[{as_text(value.element)}; last {as_text(value.last)}]"
        case Method():
            return f"{_text(value.container)}.{value.name}"
        case NoneValue():
            return "None"
    return "?" if type(value).__name__ == "Unknown" else repr(value)


def _short(name: str) -> str:
    return name.removeprefix("torch.").removeprefix("builtins.")
