"""What is told of a result: plain data, the same for both frameworks, that goes through JSON."""

from __future__ import annotations

import re
from typing import Any, Protocol

import numpy

_DTYPE = re.compile(
    r"(?:torch\.)?(bfloat16|float16|float32|float64|uint8|uint16|uint32|uint64|int8|int16|int32|int64|bool"
    r"|complex64|complex128)"
)
_MOST_PARTS = 200
"""A sequence longer than this is not taken apart further."""


class Side(Protocol):
    """What observing needs of a framework."""

    def is_tensor(self, value: Any) -> bool:
        """Whether a value is the framework's tensor."""
        ...

    def array(self, tensor: Any) -> Any:
        """A tensor as numpy array; bfloat16 as float32."""
        ...


def observed(side: Side, value: Any) -> dict[str, Any]:
    """A result as plain data. `kind` is `tensor`, `sequence`, `mapping`, `dtype`, `none`, `bool`, `int`,
    `float`, `complex`, `text` or `object`; of a layer's parameters by name, `state`."""
    if side.is_tensor(value):
        return _tensor(side, value)
    if value is None:
        return {"kind": "none"}
    for kind, of_type in (("bool", bool), ("int", int), ("float", float), ("text", str)):
        if isinstance(value, of_type):
            return {"kind": kind, "value": of_type(value)}
    if isinstance(value, complex):
        return {"kind": "complex", "value": [value.real, value.imag]}
    if isinstance(value, (list, tuple, set, frozenset)) or _is_iterator(value):
        parts = [observed(side, part) for part, _ in zip(value, range(_MOST_PARTS), strict=False)]
        return {"kind": "sequence", "parts": parts}
    if isinstance(value, dict) or hasattr(value, "items"):
        return {"kind": "mapping", "parts": {str(k): observed(side, v) for k, v in value.items()}}
    dtype = _DTYPE.fullmatch(str(value).lower())
    if dtype:
        return {"kind": "dtype", "value": dtype[1]}
    if isinstance(value, numpy.ndarray):
        return {"kind": "array", "dtype": str(value.dtype), "shape": list(value.shape), **numbers(value)}
    return {"kind": "object", "value": type(value).__name__}


def _is_iterator(value: Any) -> bool:
    return hasattr(value, "__next__") or type(value).__name__ in ("dict_values", "dict_keys", "odict_values")


def _tensor(side: Side, value: Any) -> dict[str, Any]:
    found = _DTYPE.fullmatch(str(value.dtype).lower())
    dtype = found[1] if found else str(value.dtype)
    array = side.array(value)
    return {"kind": "tensor", "dtype": dtype, "shape": [int(n) for n in value.shape], **numbers(array)}


def numbers(array: Any) -> dict[str, Any]:
    """The numbers of an array as plain data; `imaginary` of complex ones apart."""
    flat = numpy.ascontiguousarray(array).reshape(-1)
    if numpy.iscomplexobj(flat):
        return {"numbers": flat.real.tolist(), "imaginary": flat.imag.tolist()}
    return {"numbers": flat.tolist()}
