"""Contexts for gradients, functions with a gradient of their own."""

from contextlib import ContextDecorator

import mindspore
from mindspore import nn, ops
from mindspore.common.api import _pynative_executor


class set_grad_enabled(ContextDecorator):
    """torch.set_grad_enabled, as a context and as a decorator."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.before = _pynative_executor.enable_grad()
        _pynative_executor.set_enable_grad(self.mode)
        return self

    def __exit__(self, *exception):
        _pynative_executor.set_enable_grad(self.before)
        return False


class no_grad(set_grad_enabled):
    """torch.no_grad, as a context and as a decorator, with and without parentheses."""

    def __new__(cls, function=None):
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()
        return made(function)

    def __init__(self):
        super().__init__(False)


class enable_grad(no_grad):
    """torch.enable_grad, as a context and as a decorator, with and without parentheses."""

    def __init__(self):
        set_grad_enabled.__init__(self, True)


class inference_mode(set_grad_enabled):
    """torch.inference_mode, as a context and as a decorator, with and without parentheses."""

    def __new__(cls, mode=True):
        made = super().__new__(cls)
        if not callable(mode):
            return made
        made.__init__()
        return made(mode)

    def __init__(self, mode=True):
        super().__init__(not mode)


def is_grad_enabled():
    """torch.is_grad_enabled."""
    return _pynative_executor.enable_grad()


class autocast(ContextDecorator):
    """torch.autocast: changes nothing, each layer computes in the dtype of its parameters."""

    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        self.device = device_type
        self.dtype = dtype
        self.enabled = enabled

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check=None, debug=False, **kwargs
):
    """torch.utils.checkpoint.checkpoint: the call itself; nothing is computed twice."""
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """torch.utils.checkpoint.checkpoint_sequential: the calls themselves; nothing is computed twice."""
    for function in children_of(functions) if isinstance(functions, nn.Cell) else functions:
        input = function(input)
    return input


class FunctionContext:
    """What `forward` keeps for `backward`: torch.autograd.function.FunctionCtx."""

    saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        """Nothing: PyTorch needs to know, MindSpore does not."""

    def mark_non_differentiable(self, *tensors):
        """Nothing: PyTorch needs to know, MindSpore does not."""

    def set_materialize_grads(self, value):
        """Nothing: gradients are always Tensors."""


class FunctionCell(nn.Cell):
    """One call of a Function: a Cell with a `bprop`."""

    def __init__(self, function, arguments):
        super().__init__()
        self.function = function
        self.arguments = arguments
        self.context = FunctionContext()
        self.context.needs_input_grad = tuple(isinstance(value, mindspore.Tensor) for value in arguments)

    def construct(self, *tensors):
        remaining = iter(tensors)
        given = [next(remaining) if needed else value for value, needed in self._arguments()]
        if self.function.setup_context is Function.setup_context:
            return self.function.forward(self.context, *given)
        output = self.function.forward(*given)
        self.function.setup_context(self.context, tuple(given), output)
        return output

    def _arguments(self):
        return list(zip(self.arguments, self.context.needs_input_grad))

    def bprop(self, *values):
        tensors, gradients = values[:-2], values[-1]
        gradients = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
        found = self.function.backward(self.context, *gradients)
        found = list(found) if isinstance(found, (tuple, list)) else [found]
        found += [None] * (len(self.arguments) - len(found))
        needed = [value for value, (_, is_tensor) in zip(found, self._arguments()) if is_tensor]
        return tuple(
            ops.zeros_like(tensor) if value is None else value for value, tensor in zip(needed, tensors)
        )


class Function:
    """torch.autograd.Function: `forward` and `backward` become `construct` and `bprop` of a Cell."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError

    @classmethod
    def apply(cls, *args):
        tensors = [value for value in args if isinstance(value, mindspore.Tensor)]
        return FunctionCell(cls, args)(*tensors)
