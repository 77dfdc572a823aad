"""Functions that change a Tensor in place, where MindSpore's own have no kernel on CPU."""

import mindspore
import numpy as np
from mindspore import ops


def in_place(function):
    """A function of a Tensor as one that sets its values."""

    def change(input, *args, **kwargs):
        # of a copy, since the gradient looks at the values again
        return assign_(input, function(input.copy(), *args, **kwargs).astype(input.dtype))

    return change


# What PyTorch calls dtypes in its errors
NAMES_OF_DTYPES = {
    mindspore.bool_: "Bool",
    mindspore.uint8: "Byte",
    mindspore.int8: "Char",
    mindspore.int16: "Short",
    mindspore.int32: "Int",
    mindspore.int64: "Long",
    mindspore.float16: "Half",
    mindspore.bfloat16: "BFloat16",
    mindspore.float32: "Float",
    mindspore.float64: "Double",
    mindspore.complex64: "ComplexFloat",
    mindspore.complex128: "ComplexDouble",
}


def kept_kind(function):
    """A function of a Tensor whose result has to be of a kind that the Tensor can hold in place."""

    def compute(input, *args, **kwargs):
        result = function(input, *args, **kwargs)
        lost = result.is_floating_point() and not (input.is_floating_point() or input.is_complex())
        if lost or (result.is_complex() and not input.is_complex()):
            found, wanted = NAMES_OF_DTYPES[result.dtype], NAMES_OF_DTYPES[input.dtype]
            raise RuntimeError(f"result type {found} can't be cast to the desired output type {wanted}")
        return result

    return in_place(compute)


def assign_in_place(tensor, values):
    """What an augmented assignment (`tensor += 1`) does in PyTorch: the Tensor itself changes; what is no
    Tensor becomes the new values."""
    return assign_(tensor, values) if isinstance(tensor, mindspore.Tensor) else values


def become(input, result):
    """Let the Tensor `input` be `result` from now on, as all who hold it see, and views of it. Its memory
    stays as it is: the gradient of what made it may look at that again. So may that of `result`: compute it
    of a copy."""
    if hasattr(input, "set_shared"):
        return input.set_shared(input, result)
    return replace_by(input, result)


def replace_by(input, result):
    """Let the Tensor `input` be `result` from now on, but not views of it."""
    try:
        input.assign_value(result)
    except RuntimeError:  # an input of the network itself, which has no gradient in PyTorch
        input.data.copy_(result)
        return result
    return input


def reshape_in_place(input, function):
    """Let a Tensor have the shape that `function` gives it, over the same memory; a result that has a
    gradient becomes another result."""
    if hasattr(input, "set_shared"):
        return input.reshape_shared(input, function, reshape_in_place)
    if input._requires_grad and not input._is_leaf:
        return become(input, function(input.copy()))
    return input.set_(function(input))


def squeeze_(input, dim=None):
    """torch.Tensor.squeeze_."""
    return reshape_in_place(input, lambda tensor: squeeze(tensor, dim))


def t_(input):
    """torch.Tensor.t_."""
    return reshape_in_place(input, lambda tensor: tensor.t())


def transpose_(input, dim0, dim1):
    """torch.Tensor.transpose_, swapaxes_ and swapdims_."""
    return reshape_in_place(input, lambda tensor: tensor.swapaxes(dim0, dim1))


def unsqueeze_(input, dim):
    """torch.Tensor.unsqueeze_."""
    return reshape_in_place(input, lambda tensor: tensor.unsqueeze(dim))


acos_ = in_place(ops.acos)
acosh_ = in_place(ops.acosh)
asin_ = in_place(ops.asin)
asinh_ = in_place(ops.asinh)
atan_ = in_place(ops.atan)
atanh_ = in_place(ops.atanh)
ceil_ = in_place(lambda input: ceil(input))
cos_ = in_place(ops.cos)
cosh_ = in_place(ops.cosh)
digamma_ = in_place(ops.digamma)
erf_ = in_place(ops.erf)
erfc_ = in_place(ops.erfc)
exp_ = in_place(lambda input: exp(input))
expm1_ = in_place(lambda input: expm1(input))
lgamma_ = in_place(ops.lgamma)
log10_ = in_place(lambda input: log10(input))
log1p_ = in_place(lambda input: log1p(input))
log2_ = in_place(lambda input: log2(input))
logical_not_ = in_place(lambda input: ops.logical_not(input.astype(mindspore.bool_)))
reciprocal_ = in_place(ops.reciprocal)
round_ = in_place(lambda input, *, decimals=0: rounded(input, decimals=decimals))
rsqrt_ = in_place(ops.rsqrt)
sin_ = in_place(ops.sin)
sinc_ = in_place(ops.sinc)
sinh_ = in_place(ops.sinh)
square_ = in_place(ops.square)
tan_ = in_place(ops.tan)
tril_ = in_place(ops.tril)
triu_ = in_place(ops.triu)
trunc_ = in_place(ops.trunc)
frac_ = in_place(lambda input: input - ops.trunc(input))
exp2_ = in_place(lambda input: ops.pow(2.0, input))
clamp_min_ = in_place(lambda input, min: ops.clamp(input, min=min))
clamp_max_ = in_place(lambda input, max: ops.clamp(input, max=max))
fmod_ = in_place(ops.fmod)
remainder_ = in_place(ops.remainder)
floor_divide_ = in_place(ops.floor_divide)
lerp_ = in_place(lambda input, end, weight: lerp(input, end, weight))
cumsum_ = in_place(lambda input, dim, *, dtype=None: cumsum(input, dim, dtype=dtype))
add_ = kept_kind(add)
sub_ = kept_kind(sub)
mul_ = kept_kind(lambda input, other: input * other)
div_ = kept_kind(
    lambda input, other, *, rounding_mode=None: ops.div(input, other, rounding_mode=rounding_mode)
)
pow_ = kept_kind(lambda input, exponent: input**exponent)
addcmul_ = in_place(addcmul)
addcdiv_ = in_place(addcdiv)
addbmm_ = in_place(addbmm)
addmm_ = in_place(addmm)
addmv_ = in_place(addmv)
addr_ = in_place(addr)


def requires_grad_(input, requires_grad=True):
    """torch.Tensor.requires_grad_."""
    return leaf(input, requires_grad)


bitwise_not_ = in_place(lambda input: bitwise_not(input))
bitwise_left_shift_ = in_place(ops.bitwise_left_shift)
bitwise_right_shift_ = in_place(ops.bitwise_right_shift)
copysign_ = in_place(lambda input, other: copysign(input, other))
deg2rad_ = in_place(lambda input: deg2rad(input))
rad2deg_ = in_place(lambda input: rad2deg(input))
float_power_ = in_place(lambda input, exponent: input**exponent)
heaviside_ = in_place(ops.heaviside)
hypot_ = in_place(ops.hypot)
i0_ = in_place(ops.bessel_i0)
ldexp_ = in_place(lambda input, other: ldexp(input, other))
logit_ = in_place(lambda input, eps=None: logit(input, eps))
mvlgamma_ = in_place(lambda input, p: multigammaln(input, p))
polygamma_ = in_place(lambda input, n: polygamma(n, input))
sgn_ = in_place(ops.sign)
nextafter_ = in_place(lambda input, other: nextafter(input, other))


def shares_into(input, generator):
    """Numbers from 0 to below 1 for a Tensor that what is made of them is written to."""
    generator = generator or default_generator
    return drawn_into(input, lambda shape, _: generator.uniform(input.size).reshape(shape))


def cauchy_(input, median=0, sigma=1, *, generator=None):
    """torch.Tensor.cauchy_: PyTorch's numbers on CPU from the same seed."""
    shares = shares_into(input, generator)
    drawn = median + sigma * np.tan(np.pi * (shares - 0.5))
    return assign_(input, mindspore.Tensor(drawn).astype(input.dtype))


def geometric_(input, p, *, generator=None):
    """torch.Tensor.geometric_: PyTorch's numbers on CPU from the same seed."""
    shares = shares_into(input, generator)
    drawn = np.ceil(np.log(shares) / np.log1p(-p))
    return assign_(input, mindspore.Tensor(drawn).astype(input.dtype))


def log_normal_(input, mean=1, std=2, *, generator=None):
    """torch.Tensor.log_normal_: PyTorch's numbers on CPU from the same seed."""
    generator = generator or default_generator
    drawn = drawn_into(input, lambda shape, _: generator.in_pairs(input.size).reshape(shape))
    return assign_(input, mindspore.Tensor(np.exp(drawn * std + mean)).astype(input.dtype))


def apply_(input, callable):
    """torch.Tensor.apply_: a function of each number, in place."""
    made = np.vectorize(callable, otypes=[input.asnumpy().dtype])(input.asnumpy())
    return assign_(input, mindspore.Tensor(made))


def map_(input, tensor, callable):
    """torch.Tensor.map_: a function of each two numbers, in place."""
    made = np.vectorize(callable, otypes=[input.asnumpy().dtype])(input.asnumpy(), tensor.asnumpy())
    return assign_(input, mindspore.Tensor(made))


def put(input, index, source, accumulate=False):
    """torch.put and torch.Tensor.put."""
    mode = scatter_add if accumulate else scatter
    return mode(input.reshape(-1), 0, index.reshape(-1), source.reshape(-1)).reshape(input.shape)


def put_(input, index, source, accumulate=False):
    """torch.Tensor.put_."""
    return assign_(input, put(input.copy(), index, source, accumulate))


def with_out(function):
    """A function as one that takes `out`: Tensors that its results are written into."""

    def call(*args, out=None, **kwargs):
        result = function(*args, **kwargs)
        if out is None:
            return result
        for place, value in zip(as_sequence(out), as_sequence(result)):
            value = value.astype(place.dtype)
            if place.shape == value.shape:
                copy_(place, value)
            else:
                place.assign_value(value)
        return out

    return call
