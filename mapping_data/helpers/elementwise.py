"""Functions of each element, with PyTorch's promotion: whole numbers become float32 where needed."""

import math
from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops
from mindspore.common._grad_function import _Function

# the dtypes that functions of floats take as they are, the most frequent one first
FLOATING = (
    mindspore.float32,
    mindspore.float16,
    mindspore.bfloat16,
    mindspore.float64,
    mindspore.complex64,
    mindspore.complex128,
)


def as_floating(value):
    """The Tensor, whole numbers and bools in single precision."""
    return value if value.dtype in FLOATING else value.astype(get_default_dtype())


def of_floats(function):
    """A function of MindSpore's of each element that takes whole numbers, too, for which it has no kernel on
    CPU."""

    def called(input, *, out=None):
        return function(as_floating(input))

    return called


def ceil(input, *, out=None):
    """torch.ceil: by `floor`, which has a gradient, of 0. Whole numbers stay as they are."""
    return -ops.floor(-input) if input.dtype in FLOATING else mindspore.Tensor.copy(input)


def floor(input, *, out=None):
    """torch.floor: whole numbers stay as they are."""
    return ops.floor(input) if input.dtype in FLOATING else mindspore.Tensor.copy(input)


acos = of_floats(ops.acos)
acosh = of_floats(ops.acosh)
asin = of_floats(ops.asin)
asinh = of_floats(ops.asinh)
atan = of_floats(ops.atan)
atanh = of_floats(ops.atanh)
cos = of_floats(ops.cos)
cosh = of_floats(ops.cosh)
digamma = of_floats(ops.digamma)
erf = of_floats(ops.erf)
erfc = of_floats(ops.erfc)
gammaln = of_floats(ops.lgamma)
isinf = of_floats(ops.isinf)
isneginf = of_floats(ops.isneginf)
isposinf = of_floats(ops.isposinf)
root_of = of_floats(ops.sqrt)
rsqrt = of_floats(ops.rsqrt)
sin = of_floats(ops.sin)
sinh = of_floats(ops.sinh)
tan = of_floats(ops.tan)
i0 = of_floats(ops.bessel_i0)
i0e = of_floats(ops.bessel_i0e)
i1 = of_floats(ops.bessel_i1)
i1e = of_floats(ops.bessel_i1e)
bessel_j0 = of_floats(ops.bessel_j0)
bessel_j1 = of_floats(ops.bessel_j1)


def is_whole(value):
    """Whether a value is a whole number, or a Tensor of them."""
    if not isinstance(value, mindspore.Tensor):
        return isinstance(value, int) and not isinstance(value, bool)
    return not (value.is_floating_point() or value.is_complex() or value.dtype == mindspore.bool_)


def divided(input, other, *, rounding_mode=None, out=None):
    """torch.div and torch.Tensor.div, rounded: on CPU MindSpore has no such kernel for some integers, and
    rounds the others towards zero in single precision."""
    if rounding_mode is not None and is_whole(input) and is_whole(other):
        found = input // other
        if rounding_mode == "floor":
            return found
        is_below = ops.logical_and(found < 0, found * other != input)
        return found + is_below.astype(found.dtype)
    found = ops.div(input, other, rounding_mode=rounding_mode)
    return found if rounding_mode is None else without_slope(found, input, other)


def atan2(input, other, *, out=None):
    """torch.atan2."""
    return ops.atan2(*both_floating(input, other))


class ByNumPy(_Function):
    """A function of one Tensor in single precision that NumPy computes, with its gradient: on CPU MindSpore's
    kernels are less exact, and its casts to double precision take longer than all else (0.4 ms each)."""

    @staticmethod
    def forward(ctx, input, name, *options):
        ctx.name, ctx.options, ctx.values = name, options, input.asnumpy()
        ctx.result = in_single(OF_NUMPY[name][0], ctx.values, *options)
        return mindspore.Tensor(ctx.result)

    @staticmethod
    def backward(ctx, gradient):
        values = (gradient.asnumpy(), ctx.values, ctx.result)
        found = in_single(OF_NUMPY[ctx.name][1], *values, *ctx.options)
        return mindspore.Tensor(found), None, *(None for _ in ctx.options)


def in_single(function, values, *others):
    """What a function of NumPy gives in single precision, also of a single number."""
    with np.errstate(all="ignore"):
        return np.asarray(function(values, *others), values.dtype)


def softmax_of(values, axis):
    """torch.softmax of an array."""
    powers = np.exp(values - values.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def log_softmax_of(values, axis):
    """torch.log_softmax of an array."""
    distance = values - values.max(axis, keepdims=True)
    return distance - np.log(np.exp(distance).sum(axis, keepdims=True))


def mish_slope(gradient, values, result):
    """The gradient of torch.nn.functional.mish at an array."""
    bend = np.tanh(np.logaddexp(0, values))
    return gradient * (bend + values / (1 + np.exp(-values)) * (1 - bend * bend))


# functions of NumPy, and their gradients by the gradient, the values and the result
OF_NUMPY = {
    "exp": (np.exp, lambda gradient, x, y: gradient * y),
    "expm1": (np.expm1, lambda gradient, x, y: gradient * (y + 1)),
    "log": (np.log, lambda gradient, x, y: gradient / x),
    "log10": (np.log10, lambda gradient, x, y: gradient / (x * math.log(10))),
    "log1p": (np.log1p, lambda gradient, x, y: gradient / (x + 1)),
    "log2": (np.log2, lambda gradient, x, y: gradient / (x * math.log(2))),
    "log_softmax": (
        log_softmax_of,
        lambda gradient, x, y, axis: gradient - np.exp(y) * gradient.sum(axis, keepdims=True),
    ),
    "mish": (lambda x: x * np.tanh(np.logaddexp(0, x)), mish_slope),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda gradient, x, y: gradient * (1 - y) * y),
    "softmax": (
        softmax_of,
        lambda gradient, x, y, axis: y * (gradient - (gradient * y).sum(axis, keepdims=True)),
    ),
    "tanh": (np.tanh, lambda gradient, x, y: gradient * (1 - y * y)),
}


def is_for_numpy(input):
    """Whether NumPy computes functions of a Tensor: gradients of gradients do not go through it."""
    return input.dtype == mindspore.float32 and input.size > 0 and not GraphsKept.always


def in_double(name, input):
    """A function of MindSpore's of each element, on CPU as exactly as in double precision: its kernels for
    single precision are less exact there than PyTorch's."""
    input, function = as_floating(input), getattr(ops, name)
    if mindspore.get_context("device_target") != "CPU" or not input.is_floating_point():
        return function(input)
    if is_for_numpy(input):
        return ByNumPy.apply(input, name)
    return function(input.astype(mindspore.float64)).astype(input.dtype)


def exp(input, *, out=None):
    """torch.exp; in single precision, MindSpore's is off by up to 1e-5 of the result on CPU."""
    return in_double("exp", input)


def expm1(input, *, out=None):
    """torch.expm1 and torch.special.expm1; MindSpore's on CPU is exp(input) - 1."""
    return in_double("expm1", input)


def log(input, *, out=None):
    """torch.log; in single precision, MindSpore's is off by 1e-6 near 1 on CPU."""
    return in_double("log", input)


def log10(input, *, out=None):
    """torch.log10."""
    return in_double("log10", input)


def log1p(input, *, out=None):
    """torch.log1p and torch.special.log1p; MindSpore's on CPU is log(1 + input)."""
    return in_double("log1p", input)


class InverseError(_Function):
    """torch.erfinv: Winitzki's approximation, made exact by Newton's steps."""

    @staticmethod
    def forward(ctx, input):
        share = input.astype(mindspore.float64)
        is_end = ops.abs(share) >= 1
        within = ops.where(is_end, ops.zeros_like(share), share)
        logarithm = ops.log1p(-within * within)
        middle = 2 / (math.pi * 0.147) + logarithm / 2
        found = ops.sign(within) * ops.sqrt(ops.sqrt(middle * middle - logarithm / 0.147) - middle)
        for _ in range(3):
            slope = 2 / math.sqrt(math.pi) * ops.exp(-found * found)
            found = found - (ops.erf(found) - within) / slope
        outside = ops.where(ops.abs(share) > 1, ops.full_like(share, math.nan), share * math.inf)
        ctx.input = input
        return ops.where(is_end, outside, found).astype(input.dtype)

    @staticmethod
    def backward(ctx, gradient):
        result = InverseError.apply(ctx.input)
        return gradient * (math.sqrt(math.pi) / 2) * exp(result * result)


def erfinv(input, *, out=None):
    """torch.erfinv and torch.special.erfinv; MindSpore's on CPU is off by 2e-2 near 1 and -1."""
    input = as_floating(input)
    if mindspore.get_context("device_target") != "CPU":
        return ops.erfinv(input)
    return InverseError.apply(input)


def both_floating(one, other):
    """Two operands as Tensors of floating point; numbers take the dtype of the other one."""
    if not isinstance(one, mindspore.Tensor):
        other = as_floating(other)
        return mindspore.Tensor(one, other.dtype), other
    one = as_floating(one)
    if not isinstance(other, mindspore.Tensor):
        return one, mindspore.Tensor(other, one.dtype)
    return one, as_floating(other)


def add(input, other, *behind, alpha=1, out=None):
    """torch.add and torch.Tensor.add, in the old order, too: `add(input, alpha, other)`."""
    if behind:
        alpha, other = other, *behind
    return input + (other if alpha == 1 else other * alpha)


def sub(input, other, *behind, alpha=1, out=None):
    """torch.sub and torch.subtract, in the old order, too: `sub(input, alpha, other)`."""
    if behind:
        alpha, other = other, *behind
    return input - (other if alpha == 1 else other * alpha)


def rsub(input, other, *, alpha=1):
    """torch.rsub: `other - input`."""
    return sub(other, input, alpha=alpha)


def true_divide(input, other, *, out=None):
    """torch.true_divide."""
    return input / other


def power(input, exponent, *, out=None):
    """torch.pow."""
    return input**exponent


def remainder(input, other, *, out=None):
    """torch.remainder: with the sign of the divisor."""
    return input - ops.floor_divide(input, other) * other


def maximum(input, other, *, out=None):
    """torch.maximum."""
    if input.dtype == mindspore.bool_ and other.dtype == mindspore.bool_:
        return ops.logical_or(input, other)
    return ops.maximum(input, other)


def minimum(input, other, *, out=None):
    """torch.minimum."""
    if input.dtype == mindspore.bool_ and other.dtype == mindspore.bool_:
        return ops.logical_and(input, other)
    return ops.minimum(input, other)


def clamp(input, min=None, max=None, *, out=None):
    """torch.clamp and torch.clip: a number beside a bound that is a Tensor becomes one."""
    tensors = [bound for bound in (min, max) if isinstance(bound, mindspore.Tensor)]
    if len(tensors) == 1:
        min, max = (
            None if bound is None else as_tensor(bound, dtype=tensors[0].dtype) for bound in (min, max)
        )
    return ops.clamp(input, min, max)


def copysign(input, other, *, out=None):
    """torch.copysign."""
    input, other = both_floating(input, other)
    return without_slope(ops.where(signbit(other) == signbit(input), input, -input), other)


def signbit(input, *, out=None):
    """torch.signbit: whether a number is less than 0, or is the negative 0."""
    return mindspore.Tensor(np.signbit(input.asnumpy()))


def ldexp(input, other, *, out=None):
    """torch.ldexp."""
    input, other = both_floating(input, other)
    return input * ops.pow(2.0, other)


def lerp(input, end, weight, *, out=None):
    """torch.lerp and torch.Tensor.lerp: the weight may be a whole number, too, and all in double precision,
    for which MindSpore has no kernel. Where the weight is a number, both ends may be changed before the
    gradients are taken, as a running mean is; MindSpore's lerp keeps them."""
    # from the end that is nearer, as in PyTorch
    if not isinstance(weight, mindspore.Tensor):
        return input + weight * (end - input) if abs(weight) < 0.5 else end - (end - input) * (1 - weight)
    if input.dtype != mindspore.float64:
        return ops.lerp(input, end, weight)
    near, far = input + weight * (end - input), end - (end - input) * (1 - weight)
    return ops.where(weight.abs() < 0.5, near, far)


def logaddexp(input, other, *, out=None):
    """torch.logaddexp."""
    largest = ops.stop_gradient(ops.maximum(input, other))
    largest = ops.where(ops.isinf(largest), ops.zeros_like(largest), largest)
    return log(exp(input - largest) + exp(other - largest)) + largest


def logaddexp2(input, other, *, out=None):
    """torch.logaddexp2."""
    return logaddexp(input * math.log(2), other * math.log(2)) / math.log(2)


def xlogy(input, other, *, out=None):
    """torch.xlogy and torch.special.xlogy: 0 where `input` is."""
    input, other = both_floating(input, other)
    nothing = ops.logical_and(input == 0, ops.logical_or(other <= 0, ops.isinf(other)))
    found = input * log(ops.where(nothing, ops.ones_like(other), other))
    return ops.where(ops.isnan(other), other, found)


def xlog1py(input, other, *, out=None):
    """torch.special.xlog1py."""
    input, other = both_floating(input, other)
    nothing = input == 0
    found = input * log1p(ops.where(nothing, ops.zeros_like(other), other))
    return ops.where(ops.isnan(other), other, found)


def bitwise_and(input, other, *, out=None):
    """torch.bitwise_and."""
    return input & other


def bitwise_or(input, other, *, out=None):
    """torch.bitwise_or."""
    return input | other


def bitwise_xor(input, other, *, out=None):
    """torch.bitwise_xor."""
    return input ^ other


def bitwise_not(input, *, out=None):
    """torch.bitwise_not and torch.Tensor.bitwise_not."""
    return ops.logical_not(input) if input.dtype == mindspore.bool_ else -1 - input


def bitwise_left_shift(input, other, *, out=None):
    """torch.bitwise_left_shift."""
    return ops.bitwise_left_shift(input, other)


def bitwise_right_shift(input, other, *, out=None):
    """torch.bitwise_right_shift."""
    return ops.bitwise_right_shift(input, other)


def log2(input, *, out=None):
    """torch.log2."""
    return in_double("log2", input)


def deg2rad(input, *, out=None):
    """torch.deg2rad and torch.Tensor.deg2rad."""
    return as_floating(input) * (math.pi / 180)


def rad2deg(input, *, out=None):
    """torch.rad2deg and torch.Tensor.rad2deg."""
    return as_floating(input) * (180 / math.pi)


def frac(input, *, out=None):
    """torch.frac."""
    return input - ops.trunc(input)


def fix(input, *, out=None):
    """torch.fix: towards 0."""
    return ops.trunc(input)


def isnan(input):
    """torch.isnan."""
    return ops.isnan(as_floating(input))


def sinc(input, *, out=None):
    """torch.sinc and torch.special.sinc."""
    return ops.sinc(as_floating(input))


def real_part(input):
    """torch.real: a Tensor that has no imaginary part is its own."""
    return parts_of(input)[0] if input.is_complex() else input


def multigammaln(input, p):
    """torch.special.multigammaln."""
    terms = sum(ops.lgamma(as_floating(input) - 0.5 * number) for number in range(p))
    return terms + 0.25 * p * (p - 1) * math.log(math.pi)


def entr(input, *, out=None):
    """torch.special.entr: -x ln x, 0 at 0, and minus infinity below."""
    input = as_floating(input)
    return ops.where(input < 0, ops.full_like(input, -math.inf), -xlogy(input, input))


def logit(input, eps=None, *, out=None):
    """torch.special.logit."""
    input = as_floating(input)
    input = input if eps is None else ops.clamp(input, eps, 1 - eps)
    return log(input / (1 - input))


def ndtr(input, *, out=None):
    """torch.special.ndtr: the share of a normal distribution below a value."""
    return 0.5 * ops.erfc(as_floating(input) * -math.sqrt(0.5))


def log_ndtr(input, *, out=None):
    """torch.special.log_ndtr, by a series where the share is too small for its logarithm."""
    input = as_floating(input)
    is_low = input < -5
    low = ops.where(is_low, input, ops.full_like(input, -5))
    inverse = 1 / (low * low)
    series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse * (1 - 7 * inverse * (1 - 9 * inverse))))
    far = -0.5 * low * low - ops.log(-low) - 0.5 * math.log(2 * math.pi) + ops.log(series)
    return ops.where(is_low, far, ops.log(ndtr(ops.where(is_low, ops.zeros_like(input), input))))


def ndtri(input, *, out=None):
    """torch.special.ndtri: the value below which a share of a normal distribution is."""
    return math.sqrt(2) * erfinv(2 * as_floating(input) - 1)


def addcmul(input, tensor1, tensor2, *behind, value=1, out=None):
    """torch.addcmul and torch.Tensor.addcmul, in the old order, too: the value first."""
    if behind:
        value, tensor1, tensor2 = tensor1, tensor2, *behind
    return input + tensor1 * tensor2 * value


def factors_first(arguments, beta, alpha):
    """The operands and the factors of torch.addmm and the like in PyTorch's old order: `beta, input, alpha,
    mat1, mat2`, or `input, beta, alpha, mat1, mat2` for a method; without alpha, too."""
    operands = [one for one in arguments if isinstance(one, mindspore.Tensor)]
    factors = [one for one in arguments if not isinstance(one, mindspore.Tensor)]
    return (*operands, *factors, *(beta, alpha)[len(factors) :])


def addr(input, vec1, vec2, *behind, beta=1, alpha=1, out=None):
    """torch.addr and torch.Tensor.addr, in the old order, too: the factors first."""
    if behind:
        input, vec1, vec2, beta, alpha = factors_first((input, vec1, vec2, *behind), beta, alpha)
    return input * beta + vec1.reshape(-1, 1) * vec2 * alpha


def factors_for(input, *factors):
    """Factors of a sum, of which whole numbers take the whole part."""
    is_whole = not (input.is_floating_point() or input.is_complex())
    return tuple(int(factor) for factor in factors) if is_whole else factors


def summed_product(left, right):
    """A product of matrices, batches of these, or a matrix and a vector. Where there is nothing to sum,
    MindSpore's gives what was in memory."""
    if left.shape[-1]:
        return ops.matmul(left, right)
    return ops.zeros((*left.shape[:-1], *right.shape[left.ndim - 1 :]), left.dtype)


def addmv(input, mat, vec, *behind, beta=1, alpha=1, out=None):
    """torch.addmv and torch.Tensor.addmv, in the old order, too: the factors first."""
    if behind:
        input, mat, vec, beta, alpha = factors_first((input, mat, vec, *behind), beta, alpha)
    beta, alpha = factors_for(input, beta, alpha)
    return input * beta + summed_product(mat, vec) * alpha


def addbmm(input, batch1, batch2, *behind, beta=1, alpha=1, out=None):
    """torch.addbmm and torch.Tensor.addbmm, in the old order, too: the factors first."""
    if behind:
        input, batch1, batch2, beta, alpha = factors_first((input, batch1, batch2, *behind), beta, alpha)
    beta, alpha = factors_for(input, beta, alpha)
    return input * beta + summed_product(batch1, batch2).sum(0) * alpha


def addmm(input, mat1, mat2, *behind, beta=1, alpha=1, out=None):
    """torch.addmm and torch.Tensor.addmm, in the old order, too: the factors first."""
    if behind:
        input, mat1, mat2, beta, alpha = factors_first((input, mat1, mat2, *behind), beta, alpha)
    beta, alpha = factors_for(input, beta, alpha)
    product = summed_product(mat1, mat2)
    return (input if beta == 1 else input * beta) + (product if alpha == 1 else product * alpha)


def of_positive(function, at_zero):
    """A Bessel function of MindSpore's that is infinite at 0, and not a number below."""

    def called(input, *, out=None):
        input = as_floating(input)
        found = function(input)
        outside = ops.where(input < 0, ops.full_like(input, math.nan), ops.full_like(input, at_zero))
        return ops.where(input > 0, found, ops.where(ops.isnan(input), input, outside))

    return called


bessel_y0 = of_positive(ops.bessel_y0, -math.inf)
bessel_y1 = of_positive(ops.bessel_y1, -math.inf)
modified_bessel_k0 = of_positive(ops.bessel_k0, math.inf)
modified_bessel_k1 = of_positive(ops.bessel_k1, math.inf)
scaled_modified_bessel_k0 = of_positive(ops.bessel_k0e, math.inf)
scaled_modified_bessel_k1 = of_positive(ops.bessel_k1e, math.inf)


def spherical_bessel_j0(input, *, out=None):
    """torch.special.spherical_bessel_j0: the sine of a value by the value."""
    return ops.sinc(as_floating(input) / math.pi)


def zeta(input, other, *, out=None):
    """torch.special.zeta."""
    input, other = broadcast_tensors(*both_floating(input, other))
    return ops.where(input == 1, ops.full_like(input, math.inf), ops.zeta(input, other))


def polygamma(n, input, *, out=None):
    """torch.polygamma and torch.special.polygamma."""
    return ops.polygamma(mindspore.Tensor(n), as_floating(input))


def polygamma_of(input, n):
    """torch.Tensor.polygamma."""
    return polygamma(n, input)


def frexp(input, *, out=None):
    """torch.frexp and torch.Tensor.frexp: a fraction and a power of 2."""
    fraction, power = np.frexp(input.asnumpy())
    scaled = input / mindspore.Tensor(np.ldexp(np.ones_like(fraction), power))
    return FractionAndPower(ops.where(input == 0, input, scaled), mindspore.Tensor(power, mindspore.int32))


class FractionAndPower(namedtuple("FractionAndPower", ["mantissa", "exponent"])):
    """What torch.frexp gives."""


class SharesOneByOne:
    """Numbers from 0 to below 1 of a generator, taken one by one."""

    def __init__(self, generator):
        self.generator, self.before = generator, generator.get_state()
        self.taken, self.ready = 0, iter(())

    def __call__(self):
        self.taken += 1
        for share in self.ready:
            return share
        self.ready = iter(self.generator.uniform(1024).tolist())
        return next(self.ready)

    def end(self):
        """Leave the generator behind what was taken."""
        self.generator.set_state(self.before)
        self.generator.uniform(self.taken)


def small_poisson_count(rate, share):
    """How many factors it takes to come below `exp(-rate)`, but one."""
    limit, count, product = math.exp(-rate), 0, share()
    while product > limit:
        product *= share()
        count += 1
    return count


def large_poisson_count(rate, share):
    """A count by Hörmann's transformed rejection (PTRS, 1993), as PyTorch draws it for rates from 10 on."""
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse, limit = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = share() - 0.5, share()
        distance = 0.5 - abs(u)
        count = math.floor((2 * a / distance + b) * u + rate + 0.43) if distance else -1
        if distance >= 0.07 and v <= limit:
            return count
        if count < 0 or (distance < 0.013 and v > distance):
            continue
        likely = count * log_rate - rate - math.lgamma(count + 1)
        if math.log(v or 5e-324) + math.log(inverse) - math.log(a / distance**2 + b) <= likely:
            return count


def poisson_counts(rates, generator):
    """Counts for an array of rates, as PyTorch draws them on CPU, one after the other."""
    share = SharesOneByOne(generator)
    found = [
        0 if not rate else (small_poisson_count if rate < 10 else large_poisson_count)(rate, share)
        for rate in rates.astype(np.float64).reshape(-1).tolist()
    ]
    share.end()
    return np.array(found, np.float64).reshape(rates.shape)


def to_single(value):
    """A number as single precision has it."""
    return float(np.float32(value))


def few_successes(count, chance, share):
    """Successes of some trials by the trials between them."""
    logarithm, passed, found = to_single(math.log1p(-chance)), 0.0, 0
    while True:
        drawn = to_single(share())
        passed += math.ceil(to_single(to_single(math.log(drawn)) / logarithm)) if drawn else math.inf
        if passed > count:
            return found
        found += 1


def tail_of_stirling(k):
    """What Stirling's formula leaves of the logarithm of a factorial."""
    return math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi))


def many_successes(count, chance, share):
    """Successes by Hörmann's transformed rejection (BTRS, 1993), as PyTorch draws them where ten or more are
    likely."""
    spread = math.sqrt(count * chance * (1 - chance))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    odds, likeliest = chance / (1 - chance), math.floor((count + 1) * chance)
    while True:
        u, v = to_single(share() - 0.5), to_single(share())
        distance = 0.5 - abs(u)
        k = math.floor((2 * a / distance + b) * u + count * chance + 0.5) if distance else -1
        if distance >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        if k < 0 or k > count:
            continue
        bound = (
            (likeliest + 0.5) * math.log((likeliest + 1) / (odds * (count - likeliest + 1)))
            + (count + 1) * math.log((count - likeliest + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + tail_of_stirling(likeliest)
            + tail_of_stirling(count - likeliest)
            - tail_of_stirling(k)
            - tail_of_stirling(count - k)
        )
        if math.log(v * (2.83 + 5.1 / b) * spread / (a / distance**2 + b) or 5e-324) <= bound:
            return k


def successes(count, chance, share):
    """Successes of some trials, each with a chance."""
    if count <= 0 or chance <= 0:
        return 0
    if chance >= 1:
        return count
    if chance > 0.5:
        return count - successes(count, to_single(1 - chance), share)
    return (many_successes if count * chance >= 10 else few_successes)(count, chance, share)


def binomial_counts(counts, chances, generator):
    """Successes for arrays of trials and chances, as PyTorch draws them on CPU, one after the other."""
    share = SharesOneByOne(generator)
    pairs = zip(*(each.astype(np.float64).reshape(-1).tolist() for each in (counts, chances)))
    found = [successes(count, chance, share) for count, chance in pairs]
    share.end()
    return np.array(found, np.float64).reshape(chances.shape)


def poisson(input, generator=None):
    """torch.poisson: PyTorch's counts on CPU from the same seed."""
    counts = poisson_counts(input.asnumpy(), generator or default_generator)
    return mindspore.Tensor(counts).astype(input.dtype)


def randint_like(input, low, high=None, *, dtype=None, requires_grad=False, **options):
    """torch.randint_like."""
    low, high = (0, low) if high is None else (low, high)
    drawn = drawn_like(input, lambda shape, _: randint(low, high, shape, dtype=dtype or input.dtype))
    return leaf(drawn, requires_grad)


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False, **options):
    """torch.scalar_tensor."""
    return leaf(mindspore.Tensor(s, dtype or get_default_dtype()), requires_grad)


def is_signed(input):
    """torch.is_signed."""
    return input.dtype not in (mindspore.bool_, mindspore.uint8)


def typename(obj, /):
    """torch.typename."""
    if isinstance(obj, mindspore.Tensor):
        return tensor_type(obj)
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None)
    return kind.__qualname__ if module in (None, "builtins") else f"{module}.{kind.__qualname__}"


def erfcx(input, *, out=None):
    """torch.special.erfcx: of large values by a continued fraction, since `exp` and `erfc` leave what can be
    told apart."""
    value = as_floating(input)
    wide = value.astype(mindspore.float64)
    small, large = ops.clamp(wide, max=5.0), ops.clamp(wide, min=5.0)
    fraction = large
    for number in range(40, 0, -1):
        fraction = large + number / 2 / fraction
    found = ops.where(wide < 5, ops.exp(small * small) * ops.erfc(small), 1 / (math.sqrt(math.pi) * fraction))
    return found.astype(value.dtype)


def nextafter(input, other, *, out=None):
    """torch.nextafter and torch.Tensor.nextafter; MindSpore's gives the input itself on CPU."""
    found = mindspore.Tensor(np.nextafter(input.asnumpy(), other.asnumpy()))
    return without_slope(with_gradient_of(found, input), other)


def angle(input, *, out=None):
    """torch.angle and torch.Tensor.angle: of real numbers 0 or pi, of which MindSpore has none on CPU."""
    if input.is_complex():
        return ops.angle(input)
    input = as_floating(input)
    return ops.where(input < 0, ops.full_like(input, math.pi), 0 * input)
