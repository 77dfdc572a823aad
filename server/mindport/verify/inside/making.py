"""Making the inputs of snippets: the same numbers in both frameworks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy

Array = Any
"""A numpy array; numpy is not there where types are checked."""
Maker = Callable[[Any, tuple[int, ...]], Array]


def _normal(random: Any, shape: tuple[int, ...]) -> Array:
    return random.standard_normal(shape)


def _positive(random: Any, shape: tuple[int, ...]) -> Array:
    return random.uniform(0.1, 0.9, shape)


def _integers(random: Any, shape: tuple[int, ...]) -> Array:
    return random.randint(0, 3, shape)


def _booleans(random: Any, shape: tuple[int, ...]) -> Array:
    return random.uniform(0, 1, shape) > 0.5


def _complex(random: Any, shape: tuple[int, ...]) -> Array:
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def _positive_definite(random: Any, shape: tuple[int, ...]) -> Array:
    half = random.standard_normal((*shape, shape[-1]))
    return half @ half.swapaxes(-1, -2) + shape[-1] * numpy.eye(shape[-1])


def _symmetric(random: Any, shape: tuple[int, ...]) -> Array:
    half = random.standard_normal((*shape, shape[-1]))
    return half + half.swapaxes(-1, -2)


def _invertible(random: Any, shape: tuple[int, ...]) -> Array:
    return random.standard_normal((*shape, shape[-1])) + 2 * shape[-1] * numpy.eye(shape[-1])


def _triangular(random: Any, shape: tuple[int, ...]) -> Array:
    return numpy.tril(_invertible(random, shape))


def _distribution(random: Any, shape: tuple[int, ...]) -> Array:
    raw = random.uniform(0.1, 0.9, shape)
    return raw / raw.sum(-1, keepdims=True)


def _distinct(random: Any, shape: tuple[int, ...]) -> Array:
    count = int(numpy.prod(shape))
    return random.permutation(count).reshape(shape) * 0.5 - count / 4


_EDGES = (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-30, 1e30, -1.0, 1.0, 0.5, -2.5, 100.0)


def _edges(random: Any, shape: tuple[int, ...]) -> Array:
    return numpy.resize(numpy.array(_EDGES), shape)


def _unit(random: Any, shape: tuple[int, ...]) -> Array:
    """Numbers of the unit interval, every other one of them exactly 0 or 1."""
    values = random.uniform(0.0, 1.0, int(numpy.prod(shape)))
    values[::2] = numpy.round(values[::2])
    return values.reshape(shape)


def _permutation(random: Any, shape: tuple[int, ...]) -> Array:
    return random.permutation(int(numpy.prod(shape))).reshape(shape)


MAKERS: Mapping[str, tuple[Maker, str]] = {
    "f": (_normal, "float32"),
    "d": (_normal, "float64"),
    "h": (_normal, "float16"),
    "p": (_positive, "float32"),
    "i": (_integers, "int64"),
    "i32": (_integers, "int32"),
    "u8": (_integers, "uint8"),
    "b": (_booleans, "bool"),
    "c": (_complex, "complex64"),
    "spd": (_positive_definite, "float32"),
    "sym": (_symmetric, "float32"),
    "inv": (_invertible, "float32"),
    "tri": (_triangular, "float32"),
    "dist": (_distribution, "float32"),
    "u": (_distinct, "float32"),
    "edge": (_edges, "float32"),
    "unit": (_unit, "float32"),
    "perm": (_permutation, "int64"),
}
"""By the names that the input table uses (see `docs/verification.md`): how, and of which dtype. Of square
matrices (`spd`, `sym`, `inv`, `tri`) the shape is given without the last dimension."""


def made(spec: Mapping[str, Any], seed: int) -> Array:
    """The numpy array for an input: `make` and `shape`, or `value` and `dtype`. Raises KeyError for a maker
    that does not exist."""
    if spec["make"] == "t":
        return numpy.array(spec["value"], dtype=spec["dtype"])
    maker, dtype = MAKERS[spec["make"]]
    values = maker(numpy.random.RandomState(seed), tuple(spec["shape"]))
    return numpy.asarray(values).astype(dtype)


def filled(name: str, size: int, is_scale: bool) -> Array:
    """The numbers that a module's parameter `name` with `size` elements gets, in both frameworks: small
    ones, or for what must be positive (variances, scales) numbers near one."""
    seed = sum(ord(letter) * (place + 1) for place, letter in enumerate(name)) % 10_000
    values = numpy.random.RandomState(seed).uniform(-0.5, 0.5, size)
    return (values * 0.4 + 1.0 if is_scale else values).astype("float32")


def pattern(size: int) -> Array:
    """Fixed numbers to weigh the elements of a result with before they are added up for a gradient."""
    return numpy.cos(numpy.arange(size) + 1.0).astype("float32")
