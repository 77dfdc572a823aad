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

    def second_gradients(
        self,
        call: Callable[..., Any],
        inputs: Sequence[Any],
        named: Sequence[tuple[str, Any]],
        in_graph: bool = False,
    ) -> tuple[list[Any], dict[str, Any]]:
        """The gradients, for inputs and parameters, of the weighed sum of the first gradients, which are
        those of the weighed squares of the results' floats for the inputs (where none is a float, for the
        parameters); with `in_graph`, all of it in graph mode. Inputs are bent around their values, so that
        gradients that come back as views count, too."""
        positions = tuple(n for n, x in enumerate(inputs) if x.is_floating_point())
        trained = [(n, p) for n, p in named if getattr(p, "requires_grad", False)]
        parameters = mindspore.ParameterTuple([p for _, p in trained]) if trained else None
        result = call(*inputs)
        places = list(_places(result))
        scales = [_weights(_at(result, place)) for place in places]

        starts = [mindspore.Tensor(x.asnumpy()) for x in inputs]

        def total(*given: Any) -> Any:
            bent = list(given)
            for n in positions:
                bent[n] = given[n] + (given[n] - starts[n]) * (given[n] - starts[n])
            result = call(*bent)
            whole = 0.0
            for place, scale in zip(places, scales):  # noqa: B905 - the compiler of graphs takes no `strict`
                value = _at(result, place)
                whole = whole + (value * value * scale).sum()
            return whole

        of_first = mindspore.grad(total, positions or None, None if positions else parameters)
        differentiated = [inputs[n] for n in positions] or [p for _, p in trained]
        of_gradients = [_weights(each) for each in differentiated]
        is_single = len(positions) == 1

        def outer(*given: Any) -> Any:
            first = of_first(*given)
            gradients = [first] if is_single else first
            whole = 0.0
            for gradient, scale in zip(gradients, of_gradients):  # noqa: B905
                whole = whole + (gradient * scale).sum()
            return whole

        of_second = mindspore.grad(outer, positions or None, parameters)
        found = (mindspore.jit(of_second) if in_graph else of_second)(*inputs)
        of_inputs, of_weights = (
            (found if positions else ((), found)) if parameters is not None else (found, ())
        )
        if isinstance(of_inputs, mindspore.Tensor):
            of_inputs = (of_inputs,)
        if isinstance(of_weights, mindspore.Tensor):
            of_weights = (of_weights,)
        return list(of_inputs), {n: g for (n, _), g in zip(trained, of_weights, strict=True)}

    def steps(self, make: Callable[..., Any], starts: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """What becomes of parameters that an optimizer steps with these gradients, one set a step."""
        parameters = [mindspore.Parameter(x, name=f"parameter_{n}") for n, x in enumerate(starts)]
        optimizer = make(parameters)
        for of_step in gradients:
            optimizer(tuple(of_step))
        return parameters


def _places(result: Any) -> Iterator[tuple[int, ...]]:
    """Where the floats of a result are: the indices that lead there."""
    if isinstance(result, mindspore.Tensor):
        yield from [()] if result.is_floating_point() else []
    elif isinstance(result, (list, tuple)):
        for number, part in enumerate(result):
            yield from [(number, *inner) for inner in _places(part)]


def _at(result: Any, place: tuple[int, ...]) -> Any:
    for number in place:
        result = result[number]
    return result


def _weights(value: Any) -> Any:
    return mindspore.Tensor(pattern(value.size).reshape(value.shape), value.dtype)


def _weighed(result: Any) -> Any:
    total: Any = None
    for leaf in _leaves(result):
        if leaf.is_floating_point():
            part = (leaf * _weights(leaf)).sum()
            total = part if total is None else total + part
    return total


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, mindspore.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
