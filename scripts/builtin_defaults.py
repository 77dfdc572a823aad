"""Defaults of torch builtins that the stubs write as `...`, from the operator's schema or the docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any

import torch
from signatures import value_text

_SHOWN = r"\b{name}\b\s*(?::[^,=]*(?:\[[^\]]*\])?[^,=]*)?=\s*(?P<value>[^,()]+|\([^)]*\))\s*[,)]"


def fill(records: Iterable[dict[str, Any]]) -> None:
    """Replace `...` by the real default, wherever one is known."""
    for record in records:
        for signature in record.get("signatures", ()):
            for parameter in signature["parameters"]:
                if parameter.get("default") == "...":
                    found = _default(record["name"], parameter["name"])
                    parameter["default"] = found if found is not None else "..."


def _default(name: str, parameter: str) -> str | None:
    found = _by_schema(name.rsplit(".", 1)[-1], parameter) if _may_be_operator(name) else None
    return found or _by_inspection(name, parameter) or _by_docstring(name, parameter)


def _object(name: str) -> Any:
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def _by_inspection(name: str, parameter: str) -> str | None:
    """For what is written in Python although it has a stub, such as `Parameter.__new__`."""
    found = _object(name)
    for function in (found, getattr(found, "__new__", None), getattr(found, "__init__", None)):
        code = getattr(function, "__code__", None)
        if code is not None and parameter in code.co_varnames:
            known = inspect.signature(function).parameters.get(parameter)
            default = known.default if known is not None else inspect.Parameter.empty
            if default is not inspect.Parameter.empty:
                return value_text(default)
    return None


def _may_be_operator(name: str) -> bool:
    return name.rpartition(".")[0] in (
        "torch",
        "torch.Tensor",
        "torch.nn.functional",
        "torch._C._nn",
        "torch.nn",
    )


def _by_schema(operator: str, parameter: str) -> str | None:
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{operator}"):
        for argument in schema.arguments:
            if argument.name == parameter and argument.has_default_value():
                return _text(argument.default_value, parameter)
    return None


def _text(value: object, parameter: str) -> str:
    """A default as Python callers write it: reductions are numbers in schemas and words in Python."""
    if parameter == "reduction" and isinstance(value, int):
        return repr(("none", "mean", "sum")[value])
    return repr(value)


def _by_docstring(name: str, parameter: str) -> str | None:
    found = _object(name)
    texts = [found.__doc__ or "", getattr(getattr(found, "__init__", None), "__doc__", None) or ""]
    for text in texts:
        head = "\n".join(line for line in text.splitlines() if "(" in line)[:4000]
        match = re.search(_SHOWN.format(name=re.escape(parameter)), head)
        if match and not match["value"].startswith("<"):
            return match["value"].strip()
    return None
