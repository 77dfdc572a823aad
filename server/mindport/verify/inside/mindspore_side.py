"""What the worker needs of MindSpore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mindspore
import numpy

from mindport.verify.inside.making import pattern


class MindSporeSide:
    """MindSpore on CPU. Each operator is waited for, so that an error is that of the snippet."""

    def __init__(self) -> None:
        mindspore.set_device("CPU")
        mindspore.runtime.launch_blocking()

    def is_tensor(self, value: Any) -> bool:
        """Whether a value is a Tensor."""
        return isinstance(value, mindspore.Tensor)

    def array(self, tensor: Any) -> Any:
        """A tensor as numpy array."""
        if tensor.dtype == mindspore.bfloat16:
            return tensor.float().asnumpy()
        return tensor.asnumpy()

    def tensor(self, array: Any) -> Any:
        """A tensor with a copy of an array."""
        return mindspore.Tensor(array)

    def parameter(self, array: Any, name: str = "parameter") -> Any:
        """A parameter with a copy of an array."""
        return mindspore.Parameter(self.tensor(array), name=name)

    def piped(self, array: Any) -> Any:
        """What a step of a data pipeline takes: an array."""
        return array

    def unpiped(self, value: Any) -> Any:
        """What such a step has given, its arrays as tensors."""
        if isinstance(value, tuple):
            return tuple(self.unpiped(part) for part in value)
        return self.tensor(value) if isinstance(value, numpy.ndarray) else value

    def seed(self, number: int) -> None:
        """Start all random numbers anew."""
        mindspore.set_seed(number)
        mindspore.manual_seed(number)

    def train(self, module: Any, training: bool) -> None:
        """Put a cell into training or evaluation."""
        if isinstance(module, mindspore.nn.Cell):
            module.set_train(training)

    def parameters(self, module: Any) -> Iterator[tuple[str, Any]]:
        """Parameters and buffers with their names."""
        if isinstance(module, mindspore.nn.Cell):
            yield from module.parameters_and_names()
            buffers = getattr(module, "named_buffers", None)
            yield from buffers() if buffers is not None else ()

    def assign(self, parameter: Any, values: Any) -> None:
        """Give a parameter new numbers; they are put into its shape."""
        array = values.reshape(parameter.shape)
        parameter.set_data(mindspore.Tensor(array, parameter.dtype))

    def gradients(
        self, call: Callable[..., Any], inputs: Sequence[Any], named: Sequence[tuple[str, Any]]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The gradients of the weighed sum of the results' floats for the float inputs, and for the trained
        ones of the `named` parameters."""
        positions = tuple(n for n, x in enumerate(inputs) if x.is_floating_point() or x.is_complex())
        trained = [(n, p) for n, p in named if getattr(p, "requires_grad", False)]
        weights = mindspore.ParameterTuple([p for _, p in trained]) if trained else None

        def total(*given: Any) -> Any:
            return _weighed(call(*given))

        found = mindspore.grad(total, positions or None, weights)(*inputs)
        of_inputs, of_weights = (found if positions else ((), found)) if weights is not None else (found, ())
        if isinstance(of_inputs, mindspore.Tensor):
            of_inputs = (of_inputs,)
        return list(of_inputs), {n: g for (n, _), g in zip(trained, of_weights, strict=True)}

    def steps(self, make: Callable[..., Any], starts: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """What becomes of parameters that an optimizer steps with these gradients, one set a step."""
        parameters = [mindspore.Parameter(x, name=f"parameter_{n}") for n, x in enumerate(starts)]
        optimizer = make(parameters)
        for of_step in gradients:
            optimizer(tuple(of_step))
        return parameters


def _weighed(result: Any) -> Any:
    total: Any = None
    for leaf in _leaves(result):
        if leaf.is_floating_point():
            weights = mindspore.Tensor(pattern(leaf.size).reshape(leaf.shape), leaf.dtype)
            part = (leaf * weights).sum()
            total = part if total is None else total + part
    return total


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, mindspore.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
