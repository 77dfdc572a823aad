"""The dtypes of results as PyTorch finds them: a Tensor without axes counts only for its kind of number, so
that a mean in double precision leaves a batch in single precision. MindSpore does so in products and
quotients alone."""

from functools import wraps

import mindspore
from mindspore import mint, ops

KINDS_OF_NUMBERS = {
    mindspore.bool_: 0,
    mindspore.float16: 2,
    mindspore.bfloat16: 2,
    mindspore.float32: 2,
    mindspore.float64: 2,
    mindspore.complex64: 3,
    mindspore.complex128: 3,
}


def kind_of_number(dtype):
    """Truth values, whole numbers, fractions and complex numbers, in this order."""
    return KINDS_OF_NUMBERS.get(dtype, 1)


def fitted(one, other):
    """Two operands: that without axes in the dtype of the other, unless its kind of number is higher; truth
    values in the dtype of numbers."""
    is_pair = isinstance(one, mindspore.Tensor) and isinstance(other, mindspore.Tensor)
    if not is_pair or one.dtype == other.dtype:
        return one, other
    if mindspore.bool_ in (one.dtype, other.dtype):
        dtype = other.dtype if one.dtype == mindspore.bool_ else one.dtype
        return one.astype(dtype), other.astype(dtype)
    if (one.ndim == 0) == (other.ndim == 0):
        return one, other
    if one.ndim == 0:
        return fitted(other, one)[::-1]
    if kind_of_number(other.dtype) > kind_of_number(one.dtype):
        return one, other
    return one, other.astype(one.dtype)


def of_fitted(operator, first=0):
    """An operator whose two operands, the first of them at a place, are fitted to each other."""

    @wraps(operator)
    def computed(*values, **options):
        if len(values) < first + 2:
            return operator(*values, **options)
        pair = fitted(values[first], values[first + 1])
        return operator(*values[:first], *pair, *values[first + 2 :], **options)

    return computed


def with_fitted_bounds(clamp):
    """A function whose bounds, where they have no axes, are fitted to what they bound."""

    @wraps(clamp)
    def computed(input, *bounds, **named):
        bounds = [fitted(input, bound)[1] if input.ndim else bound for bound in bounds]
        named = {name: fitted(input, bound)[1] if input.ndim else bound for name, bound in named.items()}
        return clamp(input, *bounds, **named)

    return computed


def of_its_dtype(operator):
    """An augmented assignment, which leaves the dtype of what is assigned to."""

    @wraps(operator)
    def computed(self, other):
        is_other = isinstance(other, mindspore.Tensor) and other.dtype != self.dtype
        if is_other and kind_of_number(other.dtype) <= kind_of_number(self.dtype):
            other = other.astype(self.dtype)
        return operator(self, other)

    return computed


KEEPING_THEIR_DTYPE = ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow")
PROMOTING_OPERATORS = ("add", "radd", "sub", "rsub", "pow", "rpow", "floordiv", "rfloordiv", "mod", "rmod")
COMPARING_DTYPES = ("eq", "ne", "lt", "le", "gt", "ge")
PROMOTING_FUNCTIONS = (
    *COMPARING_DTYPES,
    "add",
    "sub",
    "subtract",
    "pow",
    "maximum",
    "minimum",
    "floor_divide",
    "remainder",
)


def dtypes_are_found_as_in_pytorch():
    """Let operators of two Tensors, one of them without axes, give the dtype that they give in PyTorch."""
    for name in (*PROMOTING_OPERATORS, *COMPARING_DTYPES):
        member = getattr(mindspore.Tensor, f"__{name}__", None)
        if member is not None:
            setattr(mindspore.Tensor, f"__{name}__", of_fitted(member))
    for name in KEEPING_THEIR_DTYPE:
        member = getattr(mindspore.Tensor, f"__{name}__", None)
        if member is not None:
            setattr(mindspore.Tensor, f"__{name}__", of_its_dtype(member))
    for owner in (mindspore.Tensor, ops, mint):
        for name in PROMOTING_FUNCTIONS:
            if hasattr(owner, name):
                setattr(owner, name, of_fitted(getattr(owner, name)))
    for owner in (mindspore.Tensor, ops, mint):
        for name in ("clamp", "clip"):
            if hasattr(owner, name):
                setattr(owner, name, with_fitted_bounds(getattr(owner, name)))
    for owner in (ops, mint):
        owner.where = of_fitted(owner.where, 1)
    return True


# whether the dtypes of results are those of PyTorch
PROMOTES_AS_PYTORCH = dtypes_are_found_as_in_pytorch()
