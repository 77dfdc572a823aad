"""Activation functions and layers."""

from functools import wraps

import mindspore
import numpy as np
from mindspore import ops


def in_order(function):
    """An activation function, of which programs that draw numbers for what it gives ask in which order that
    lies in memory."""

    @wraps(function)
    def called(input, *args, **kwargs):
        kept = globals().get("computed_in_order")
        return function(input, *args, **kwargs) if kept is None else kept(function, input, *args, **kwargs)

    return called


def in_image_layout(function):
    """A function of images or volumes, of which programs that draw numbers for what it gives ask in which
    order that lies in memory."""

    @wraps(function)
    def called(input, *args, **kwargs):
        kept = globals().get("computed_in_layout")
        return function(input, *args, **kwargs) if kept is None else kept(function, input, *args, **kwargs)

    return called


def relu(input, inplace=False):
    """torch.nn.functional.relu."""
    if inplace:
        return become(input, relu(input.copy()))
    return ops.relu(input)


def relu6(input, inplace=False):
    """torch.nn.functional.relu6."""
    if inplace:
        return become(input, relu6(input.copy()))
    return hardtanh(input, 0.0, 6.0)


def sloped(input, slope):
    """Values, times a slope where they are not above 0; MindSpore's gradient at 0 is that of neither side."""
    return ops.where(input > 0, input, input * slope)


def not_above_zero(input):
    """Values, 0 where they are above it; at 0 with a gradient, which is halved in `ops.minimum`."""
    return ops.where(input > 0, ops.zeros_like(input), input)


@in_order
def leaky_relu(input, negative_slope=0.01, inplace=False):
    """torch.nn.functional.leaky_relu."""
    if inplace:
        return become(input, leaky_relu(input.copy(), negative_slope))
    return sloped(input, negative_slope)


@in_order
def elu(input, alpha=1.0, inplace=False):
    """torch.nn.functional.elu for any `alpha`."""
    if inplace:
        return become(input, elu(input.copy(), alpha))
    return ops.where(input > 0, input, alpha * expm1(not_above_zero(input)))


def selu(input, inplace=False):
    """torch.nn.functional.selu. The gradient of `ops.selu` is wrong below 0."""
    if inplace:
        return become(input, selu(input.copy()))
    return 1.0507009873554805 * elu(input, 1.6732632423543772)


@in_order
def celu(input, alpha=1.0, inplace=False):
    """torch.nn.functional.celu."""
    if inplace:
        return become(input, celu(input.copy(), alpha))
    return ops.where(input > 0, input, alpha * expm1(not_above_zero(input) / alpha))


def gelu(input, approximate="none"):
    """torch.nn.functional.gelu."""
    return ops.gelu(input, approximate)


def silu(input, inplace=False):
    """torch.nn.functional.silu."""
    if inplace:
        return become(input, silu(input.copy()))
    return ops.silu(input)


@in_order
def mish(input, inplace=False):
    """torch.nn.functional.mish, on CPU as exactly as `tanh`."""
    if inplace:
        return become(input, mish(input.copy()))
    if mindspore.get_context("device_target") != "CPU":
        return ops.mish(input)
    if is_for_numpy(input):
        return ByNumPy.apply(input, "mish")
    return input * ops.tanh(ops.softplus(input.astype(mindspore.float64))).astype(input.dtype)


@in_order
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """torch.nn.functional.hardtanh. At a bound the gradient is 0."""
    if inplace:
        return become(input, hardtanh(input.copy(), min_val, max_val))
    if input.dtype not in FLOATING:
        return ops.clamp(input, int(min_val), int(max_val))
    inside = ops.logical_and(input > min_val, input < max_val)
    return ops.where(inside, input, ops.stop_gradient(ops.clamp(input, min_val, max_val)))


def hardsigmoid(input, inplace=False):
    """torch.nn.functional.hardsigmoid."""
    if inplace:
        return become(input, hardsigmoid(input.copy()))
    return ops.hardsigmoid(input)


@in_order
def hardswish(input, inplace=False):
    """torch.nn.functional.hardswish."""
    if inplace:
        return become(input, hardswish(input.copy()))
    return ops.where(ops.abs(input) < 3, input * (input + 3) / 6, ops.relu(input))


@in_order
def softplus(input, beta=1, threshold=20):
    """torch.nn.functional.softplus."""
    scaled = input * beta
    small = ops.where(scaled > threshold, ops.zeros_like(scaled), scaled)
    return ops.where(scaled > threshold, input, log1p(exp(small)) / beta)


def softsign(input):
    """torch.nn.functional.softsign."""
    return input / (1 + ops.abs(input))


def hardshrink(input, lambd=0.5):
    """torch.nn.functional.hardshrink."""
    is_small = ops.logical_and(input >= -lambd, input <= lambd)
    return ops.where(is_small, ops.zeros_like(input), input)


def softshrink(input, lambd=0.5):
    """torch.nn.functional.softshrink."""
    return ops.relu(input - lambd) - ops.relu(-input - lambd)


def threshold(input, threshold, value, inplace=False):
    """torch.nn.functional.threshold."""
    if inplace:
        return become(input, ops.where(input <= threshold, ops.full_like(input, value), input.copy()))
    return ops.where(input <= threshold, ops.full_like(input, value), input)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """torch.nn.functional.rrelu."""
    if inplace:
        return become(input, rrelu(input.copy(), lower, upper, training))
    slope = drawn_slopes(input, lower, upper) if training else (lower + upper) / 2
    return sloped(input, slope)


def drawn_slopes(input, lower, upper):
    """Slopes between two numbers; on CPU those that PyTorch draws, for values that are not positive alone."""
    if mindspore.get_context("device_target") != "CPU":
        return ops.rand(*input.shape).astype(input.dtype) * (upper - lower) + lower
    is_sloped = ops.stop_gradient(input).asnumpy() <= 0
    slopes = np.ones(input.shape)
    slopes[is_sloped] = default_generator.uniform(int(is_sloped.sum())) * (upper - lower) + lower
    return mindspore.Tensor(slopes.astype(np.float32)).astype(input.dtype)


def prelu(input, weight):
    """torch.nn.functional.prelu, torch.prelu and torch.Tensor.prelu."""
    shape = () if weight.size == 1 else (1, -1, *(1,) * (input.ndim - 2))
    return sloped(input, weight.reshape(shape))


def glu(input, dim=-1):
    """torch.nn.functional.glu."""
    value, gate = ops.chunk(input, 2, dim)
    return value * ops.sigmoid(gate)


@in_order
def sigmoid(input):
    """torch.nn.functional.sigmoid; in single precision, MindSpore's is wrong by a millionth on CPU."""
    return in_double("sigmoid", input)


@in_order
def tanh(input):
    """torch.nn.functional.tanh; in single precision, MindSpore's is wrong by 1e-4 near 5 on CPU."""
    return in_double("tanh", input)


def logsigmoid(input):
    """torch.nn.functional.logsigmoid."""
    return ops.minimum(input, ops.zeros_like(input)) - log1p(exp(-ops.abs(input)))


def tanhshrink(input):
    """torch.nn.functional.tanhshrink."""
    return input - tanh(input)


def softmax_axis(ndim):
    """The axis that PyTorch's softmax takes where none is given."""
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """torch.nn.functional.softmax."""
    input = input if dtype is None else input.astype(dtype)
    if input.ndim == 0:
        return ops.ones_like(input)
    dim = softmax_axis(input.ndim) if dim is None else dim
    if mindspore.get_context("device_target") != "CPU":
        return ops.softmax(input, dim)
    if is_for_numpy(input):
        return ByNumPy.apply(input, "softmax", dim)
    _, powers = wide_powers(input, dim)  # on CPU MindSpore's own may have a wrong gradient
    return (powers / powers.sum(dim, keepdims=True)).astype(input.dtype)


def wide_powers(input, dim):
    """How far the values are from the largest along an axis, and their exponentials, in double precision: on
    CPU MindSpore's `exp` and `log` of single precision are wrong by some millionths."""
    distance = (input - ops.stop_gradient(ops.amax(input, dim, True))).astype(mindspore.float64)
    return distance, ops.exp(distance)


def softmax_backward_data(grad_output, output, dim, input_dtype):
    """torch._softmax_backward_data: the gradient of the input, from that of the result."""
    slopes = grad_output * output
    return (slopes - output * slopes.sum(dim, keepdims=True)).astype(input_dtype)


def log_softmax_backward_data(grad_output, output, dim, input_dtype):
    """torch._log_softmax_backward_data: the same, of the logarithm."""
    return (grad_output - exp(output) * grad_output.sum(dim, keepdims=True)).astype(input_dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """torch.nn.functional.log_softmax."""
    input = input if dtype is None else input.astype(dtype)
    if input.ndim == 0:
        return ops.zeros_like(input)
    dim = softmax_axis(input.ndim) if dim is None else dim
    if mindspore.get_context("device_target") != "CPU":
        return ops.log_softmax(input, dim)
    if is_for_numpy(input):
        return ByNumPy.apply(input, "log_softmax", dim)
    distance, powers = wide_powers(input, dim)
    return (distance - ops.log(powers.sum(dim, keepdims=True))).astype(input.dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """torch.nn.functional.softmin."""
    return softmax(-input, dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """torch.nn.functional.gumbel_softmax."""
    drawn = default_generator.exponential(logits.shape)
    noise = mindspore.Tensor(-np.log(drawn)).astype(logits.dtype)
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    last = soft.swapaxes(dim, -1)
    chosen = one_hot(ops.argmax(last, -1), last.shape[-1]).astype(soft.dtype).swapaxes(dim, -1)
    return ops.stop_gradient(chosen - soft) + soft


class ReLU(Module):
    """torch.nn.ReLU."""

    _shown = ("inplace?",)

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return relu(input, inplace=self.inplace)


class ReLU6(Module):
    """torch.nn.ReLU6."""

    _shown = ("inplace?",)

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return relu6(input, inplace=self.inplace)


class LeakyReLU(Module):
    """torch.nn.LeakyReLU."""

    _shown = ("negative_slope=", "inplace?")

    def __init__(self, negative_slope=1e-2, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def construct(self, input):
        return leaky_relu(input, self.negative_slope, inplace=self.inplace)


class RReLU(Module):
    """torch.nn.RReLU."""

    _shown = ("lower=", "upper=", "inplace?")

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def construct(self, input):
        return rrelu(input, self.lower, self.upper, self.training, inplace=self.inplace)


class PReLU(Module):
    """torch.nn.PReLU."""

    _shown = ("num_parameters=",)

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = empty_parameter((num_parameters,), dtype)
        self.reset_parameters()

    def reset_parameters(self):
        constant_(self.weight, self.init)

    def construct(self, input):
        return prelu(input, self.weight)


class ELU(Module):
    """torch.nn.ELU."""

    _shown = ("alpha=", "inplace?")

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def construct(self, input):
        return elu(input, self.alpha, inplace=self.inplace)


class CELU(Module):
    """torch.nn.CELU."""

    _shown = ("alpha=", "inplace?")

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def construct(self, input):
        return celu(input, self.alpha, inplace=self.inplace)


class SELU(Module):
    """torch.nn.SELU."""

    _shown = ("inplace?",)

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return selu(input, inplace=self.inplace)


class GELU(Module):
    """torch.nn.GELU."""

    _shown = ("approximate=",)

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def construct(self, input):
        return gelu(input, self.approximate)


class SiLU(Module):
    """torch.nn.SiLU."""

    _shown = ("inplace?",)

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return silu(input, inplace=self.inplace)


class Mish(Module):
    """torch.nn.Mish."""

    _shown = ("inplace?",)

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return mish(input, inplace=self.inplace)


class Hardtanh(Module):
    """torch.nn.Hardtanh."""

    _shown = ("min_val=", "max_val=", "inplace?")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace

    def construct(self, input):
        return hardtanh(input, self.min_val, self.max_val, inplace=self.inplace)


class Hardsigmoid(Module):
    """torch.nn.Hardsigmoid."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return hardsigmoid(input, inplace=self.inplace)


class Hardswish(Module):
    """torch.nn.Hardswish."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        return hardswish(input, inplace=self.inplace)


class Hardshrink(Module):
    """torch.nn.Hardshrink."""

    _shown = ("lambd",)

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        return hardshrink(input, self.lambd)


class Softshrink(Module):
    """torch.nn.Softshrink."""

    _shown = ("lambd",)

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        return softshrink(input, self.lambd)


class Softplus(Module):
    """torch.nn.Softplus."""

    _shown = ("beta=", "threshold=")

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def construct(self, input):
        return softplus(input, self.beta, self.threshold)


class Threshold(Module):
    """torch.nn.Threshold."""

    _shown = ("threshold=", "value=", "inplace?")

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def construct(self, input):
        return threshold(input, self.threshold, self.value, inplace=self.inplace)


class GLU(Module):
    """torch.nn.GLU."""

    _shown = ("dim=",)

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return glu(input, self.dim)


class Softmax(Module):
    """torch.nn.Softmax."""

    _shown = ("dim=",)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return softmax(input, self.dim)


class LogSoftmax(Module):
    """torch.nn.LogSoftmax."""

    _shown = ("dim=",)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return log_softmax(input, self.dim)


class Softmin(Module):
    """torch.nn.Softmin."""

    _shown = ("dim=",)

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return softmin(input, self.dim)


class Softmax2d(Module):
    """torch.nn.Softmax2d: over the channels."""

    def construct(self, input):
        return softmax(input, -3)


class Sigmoid(Module):
    """torch.nn.Sigmoid."""

    def construct(self, input):
        return sigmoid(input)


class Tanh(Module):
    """torch.nn.Tanh."""

    def construct(self, input):
        return tanh(input)


class LogSigmoid(Module):
    """torch.nn.LogSigmoid."""

    def construct(self, input):
        return logsigmoid(input)


class Tanhshrink(Module):
    """torch.nn.Tanhshrink."""

    def construct(self, input):
        return tanhshrink(input)


class Softsign(Module):
    """torch.nn.Softsign."""

    def construct(self, input):
        return softsign(input)


def elu_(input, alpha=1.0):
    """torch.nn.functional.elu_."""
    return elu(input, alpha, True)


def celu_(input, alpha=1.0):
    """torch.celu_ and torch.nn.functional.celu_."""
    return celu(input, alpha, True)


def selu_(input):
    """torch.selu_ and torch.nn.functional.selu_."""
    return selu(input, True)


def leaky_relu_(input, negative_slope=0.01):
    """torch.nn.functional.leaky_relu_."""
    return leaky_relu(input, negative_slope, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """torch.nn.functional.hardtanh_."""
    return hardtanh(input, min_val, max_val, True)


def threshold_(input, threshold, value):
    """torch.threshold_ and torch.nn.functional.threshold_."""
    return change_threshold(input, threshold, value)


def torch_dropout(input, p, train):
    """torch.dropout."""
    return dropout(input, p, train)


def torch_alpha_dropout(input, p, train):
    """torch.alpha_dropout."""
    return alpha_dropout(input, p, train)


def change_threshold(input, least, value):
    """The values at or below the least one replaced, in place."""
    return threshold(input, least, value, True)
