"""What the worker needs of torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
import torch

from mindport.verify.inside.making import pattern


class TorchSide:
    """torch on CPU."""

    def __init__(self) -> None:
        torch.set_num_threads(1)

    def is_tensor(self, value: Any) -> bool:
        """Whether a value is a Tensor."""
        return isinstance(value, torch.Tensor)

    def array(self, tensor: Any) -> Any:
        """A tensor as numpy array."""
        plain = tensor.detach().resolve_conj().resolve_neg()
        if plain.layout != torch.strided:
            plain = plain.to_dense()
        return (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()

    def tensor(self, array: Any) -> Any:
        """A tensor with a copy of an array."""
        return torch.from_numpy(numpy.array(array))

    def parameter(self, array: Any, name: str = "parameter") -> Any:
        """A parameter with a copy of an array."""
        return torch.nn.Parameter(self.tensor(array))

    def piped(self, array: Any) -> Any:
        """What a step of a data pipeline takes: a tensor."""
        return self.tensor(array)

    def unpiped(self, value: Any) -> Any:
        """What such a step has given."""
        return value

    def seed(self, number: int) -> None:
        """Start all random numbers anew."""
        torch.manual_seed(number)

    def train(self, module: Any, training: bool) -> None:
        """Put a module into training or evaluation."""
        if isinstance(module, torch.nn.Module):
            module.train(training)

    def parameters(self, module: Any) -> Iterator[tuple[str, Any]]:
        """Parameters and buffers with their names."""
        if isinstance(module, torch.nn.Module):
            yield from module.named_parameters()
            yield from module.named_buffers()

    def assign(self, parameter: Any, values: Any) -> None:
        """Give a parameter new numbers; they are put into its shape."""
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(values).reshape(parameter.shape))

    def gradients(
        self, call: Callable[..., Any], inputs: Sequence[Any], named: Sequence[tuple[str, Any]]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The gradients of the weighed sum of the results' floats for the float inputs, and for the trained
        ones of the `named` parameters. Raises RuntimeError where there is none."""
        leaves = [x.detach().clone().requires_grad_(_has_gradient(x)) for x in inputs]
        trained = [(name, p) for name, p in named if getattr(p, "requires_grad", False)]
        total = _weighed(call(*(x * 1 if x.requires_grad else x for x in leaves)))
        wanted = [x for x in leaves if x.requires_grad] + [p for _, p in trained]
        found = list(torch.autograd.grad(total, wanted, allow_unused=True))
        filled = [torch.zeros_like(w) if g is None else g for w, g in zip(wanted, found, strict=True)]
        count = len(wanted) - len(trained)
        return filled[:count], {n: g for (n, _), g in zip(trained, filled[count:], strict=True)}

    def second_gradients(
        self, call: Callable[..., Any], inputs: Sequence[Any], named: Sequence[tuple[str, Any]]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The gradients, for inputs and parameters, of the weighed sum of the first gradients, which are
        those of the weighed squares of the results' floats for the inputs (where none is a float, for the
        parameters). Inputs are bent around their values, so that gradients that come back as views count,
        too. Raises RuntimeError where there is none, or inputs are complex."""
        if any(x.dtype.is_complex for x in inputs):
            raise RuntimeError("gradients of gradients of complex numbers are not compared")
        leaves = [x.detach().clone().requires_grad_(_has_gradient(x)) for x in inputs]
        trained = [(name, p) for name, p in named if getattr(p, "requires_grad", False)]
        of_inputs = [x for x in leaves if x.requires_grad]
        parameters = [p for _, p in trained]
        bent = [x + (x - x.detach()) * (x - x.detach()) if x.requires_grad else x for x in leaves]
        total = _weighed(call(*bent), squared=True)
        first = torch.autograd.grad(total, of_inputs or parameters, create_graph=True, allow_unused=True)
        wanted = of_inputs + parameters
        found = torch.autograd.grad(_weighed([g for g in first if g is not None]), wanted, allow_unused=True)
        filled = [torch.zeros_like(w) if g is None else g for w, g in zip(wanted, found, strict=True)]
        count = len(of_inputs)
        return filled[:count], {n: g for (n, _), g in zip(trained, filled[count:], strict=True)}

    def steps(self, make: Callable[..., Any], starts: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """What becomes of parameters that an optimizer steps with these gradients, one set a step."""
        parameters = [torch.nn.Parameter(x) for x in starts]
        optimizer = make(parameters)
        for of_step in gradients:
            for parameter, gradient in zip(parameters, of_step, strict=True):
                parameter.grad = gradient.clone()
            optimizer.step()
        return parameters


def _has_gradient(value: Any) -> bool:
    return bool(value.dtype.is_floating_point or value.dtype.is_complex)


def _weighed(result: Any, squared: bool = False) -> Any:
    """The sum of all differentiable floats of a result, or of their squares, weighed. Raises RuntimeError if
    there is none."""
    total: Any = None
    for leaf in _leaves(result):
        if leaf.requires_grad and leaf.dtype.is_floating_point:
            weights = torch.from_numpy(pattern(leaf.numel())).reshape(leaf.shape)
            part = ((leaf * leaf if squared else leaf) * weights.to(leaf.dtype)).sum()
            total = part if total is None else total + part
    if total is None:
        raise RuntimeError("nothing to differentiate")
    return total


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
