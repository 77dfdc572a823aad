"""Complex numbers: what makes them, computing with them, and Fourier transforms."""

import operator
from functools import wraps

import mindspore
import numpy as np
from mindspore import mint, ops


def is_complex(value):
    """Whether a Tensor or a number is complex."""
    if isinstance(value, mindspore.Tensor):
        return value.dtype in (mindspore.complex64, mindspore.complex128)
    return isinstance(value, complex)


def parts_of(value):
    """The real and the imaginary part of a Tensor or a number; None for the second where it is real."""
    if not is_complex(value):
        return value, None
    if isinstance(value, mindspore.Tensor):
        return ops.real(value), ops.imag(value)
    return value.real, value.imag


def complex_of(real, imag):
    """The complex Tensor with these parts; one of them may be a number."""
    shape, dtype = (real + imag).shape, (real + imag).dtype
    dtype = mindspore.float64 if dtype == mindspore.float64 else mindspore.float32
    whole = ops.zeros(shape, dtype)
    return ops.Complex()((whole + real).astype(dtype), (whole + imag).astype(dtype))


def complex_parts_are_members():
    """Let `x.real` and `x.imag` be what they are in PyTorch, which can be set, too."""

    def real(tensor):
        return parts_of(tensor)[0]

    def imag(tensor):
        if not is_complex(tensor):
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes")
        return parts_of(tensor)[1]

    def set_real(tensor, value):
        assign_(tensor, complex_of(value, imag(tensor)) if is_complex(tensor) else value)

    def set_imag(tensor, value):
        assign_(tensor, complex_of(real(tensor), value))

    mindspore.Tensor.real = property(real, set_real)
    mindspore.Tensor.imag = property(imag, set_imag)
    return True


# whether complex Tensors have parts
COMPLEX_PARTS_ARE_MEMBERS = complex_parts_are_members()


def view_as_real(input):
    """torch.view_as_real, with memory of its own."""
    return ops.stack(parts_of(input), -1)


def complex_sum(one, other):
    """The sum of two values, one of which is complex."""
    (one, one_imag), (other, other_imag) = parts_of(one), parts_of(other)
    imag = [part for part in (one_imag, other_imag) if part is not None]
    return complex_of(one + other, sum(imag))


def product_by_parts(multiply):
    """A product of two values, one of which is complex, from products of their parts."""

    def product(one, other):
        (one, one_imag), (other, other_imag) = parts_of(one), parts_of(other)
        if other_imag is None:
            return complex_of(multiply(one, other), multiply(one_imag, other))
        if one_imag is None:
            return complex_of(multiply(one, other), multiply(one, other_imag))
        return complex_of(
            multiply(one, other) - multiply(one_imag, other_imag),
            multiply(one, other_imag) + multiply(one_imag, other),
        )

    return product


complex_product = product_by_parts(operator.mul)
complex_matrix_product = product_by_parts(operator.matmul)


def complex_outer_product(one, other):
    """The product of each value of one Tensor with each of another, one of them complex."""
    return complex_product(one.reshape(-1, 1), other.reshape(1, -1))


def complex_inverse(value):
    """One divided by a complex value."""
    real, imag = parts_of(value)
    square = real * real + imag * imag
    return complex_of(real / square, -imag / square) if isinstance(value, mindspore.Tensor) else 1 / value


def complex_quotient(one, other):
    """The quotient of two values, one of which is complex."""
    if not is_complex(other):
        real, imag = parts_of(one)
        return complex_of(real / other, imag / other)
    return complex_product(complex_inverse(other), one)


def complex_power(base, exponent):
    """A value to the power of another, one of which is complex."""
    if isinstance(exponent, int) and 0 < exponent < 5:
        result = base
        for _ in range(exponent - 1):
            result = complex_product(result, base)
        return result
    if not isinstance(base, mindspore.Tensor):
        base = mindspore.Tensor(base, exponent.dtype)
    if is_complex(exponent) and not is_complex(base):
        base = base.astype(exponent.dtype)
    logarithm = ops.log(base)
    if is_complex(logarithm) or is_complex(exponent):
        return ops.exp(complex_product(logarithm, exponent))
    return ops.exp(logarithm * exponent)


def complex_magnitude(value):
    """The absolute value, real; its gradient at zero is zero."""
    real, imag = parts_of(value)
    square = real * real + imag * imag
    is_zero = square == 0
    root = ops.sqrt(ops.where(is_zero, ops.ones_like(square), square))
    return ops.where(is_zero, ops.zeros_like(square), root)


def complex_mean(value, *args, **kwargs):
    """The mean of a complex Tensor."""
    real, imag = parts_of(value)
    return complex_of(real.mean(*args, **kwargs), imag.mean(*args, **kwargs))


def complex_products(value, dim):
    """The products of the values of a complex Tensor up to each place of an axis."""
    products = []
    for part in ops.unbind(value, dim):
        products.append(complex_product(products[-1], part) if products else part)
    return ops.stack(products, dim)


def complex_product_of(value, dim=None, keepdim=False):
    """The product of the values of a complex Tensor, of an axis or of all."""
    if dim is None:
        value, dim = value.reshape(-1), 0
    product = ops.unbind(complex_products(value, dim), dim)[-1]
    return product.expand_dims(dim) if keepdim else product


class ComplexDeterminant(Function):
    """The determinants of complex matrices."""

    @staticmethod
    def forward(ctx, matrix):
        values = matrix.asnumpy()
        found = mindspore.Tensor(np.linalg.det(values))
        ctx.save_for_backward(found, mindspore.Tensor(np.linalg.inv(values)))
        return found

    @staticmethod
    def backward(ctx, gradient):
        found, inverse = ctx.saved_tensors
        factor = complex_product(gradient, ops.conj(found))
        return complex_product(factor.reshape(*factor.shape, 1, 1), ops.conj(inverse.swapaxes(-2, -1)))


def where_complex(original, function):
    """`original`; `function` where a value is complex."""

    def chosen(*args, **kwargs):
        values = (*args[:2], *kwargs.values())
        return (function if any(map(is_complex, values)) else original)(*args, **kwargs)

    return chosen


def by_parts(original):
    """`original`, which moves values, for complex Tensors, too: of each part by itself."""

    def moved(input, *args, **kwargs):
        if not is_complex(input):
            return original(input, *args, **kwargs)
        return complex_of(*(original(part, *args, **kwargs) for part in parts_of(input)))

    return moved


def of_any_part(test):
    """What is asked of numbers (`isnan`), of complex ones: whether it holds for a part of them."""

    def asked(value):
        return ops.logical_or(*map(test, parts_of(value)))

    return asked


def setting_complex_parts(assign):
    """How parts of complex Tensors are set: there is no gradient of it, on CPU no kernel for slices, and a
    complex number of Python's cannot be assigned."""

    @wraps(assign)
    def setitem(self, index, value):
        if not is_complex(self):
            return assign(self, index, value)
        if isinstance(value, complex):
            value = mindspore.Tensor(value, self.dtype)
        is_recorded = self._requires_grad or getattr(value, "_requires_grad", False)
        if not is_recorded and is_basic_index(index):
            values = self.asnumpy().copy()
            values[index] = value.asnumpy() if isinstance(value, mindspore.Tensor) else value
            become(self, mindspore.Tensor(values))
            return None
        parts = [part.copy() for part in parts_of(self)]
        for part, new in zip(parts, parts_of(value)):
            assign(part, index, 0.0 if new is None else with_gradient_of_its_shape(new, index))
        become(self, complex_of(*parts))
        return None

    return setitem


def equals_complex(one, other):
    """Which values of a Tensor a complex number is equal to."""
    real, imag = parts_of(one)
    is_equal = real == other.real
    return ops.logical_and(is_equal, (ops.zeros_like(real) if imag is None else imag) == other.imag)


def where_number(original, function):
    """`original`; `function` where the second value is a complex number of Python's."""

    def chosen(one, other, *args, **kwargs):
        return function(one, other) if isinstance(other, complex) else original(one, other, *args, **kwargs)

    return chosen


def tensors_with_complex_numbers():
    """Let MindSpore's Tensor compute with complex numbers: it has no gradients of their products, no real
    absolute value, no Python numbers, and on CPU no products of complex and real Tensors."""
    named = {
        "mul": complex_product,
        "div": complex_quotient,
        "pow": complex_power,
        "square": lambda value: complex_product(value, value),
        "abs": complex_magnitude,
        "mean": complex_mean,
        "cumprod": complex_products,
        "prod": complex_product_of,
        "matmul": complex_matrix_product,
        "mm": complex_matrix_product,
        "bmm": complex_matrix_product,
        "outer": complex_outer_product,
        "det": ComplexDeterminant.apply,
        "norm": lambda value, *args, **kwargs: ops.norm(complex_magnitude(value), *args, **kwargs),
        "isnan": of_any_part(ops.isnan),
        "isinf": of_any_part(ops.isinf),
        "isfinite": lambda value: ops.isfinite(complex_magnitude(value)),
    }
    operators = {
        "__mul__": complex_product,
        "__rmul__": complex_product,
        "__imul__": complex_product,
        "__matmul__": complex_matrix_product,
        "__truediv__": complex_quotient,
        "__rtruediv__": lambda one, other: complex_quotient(other, one),
        "__pow__": complex_power,
        "__rpow__": lambda one, other: complex_power(other, one),
        "__abs__": complex_magnitude,
    }
    of_tensors = {**named, **operators}
    for owner, members in ((mindspore.Tensor, of_tensors), (mint, named), (ops, named)):
        for name, function in members.items():
            if hasattr(owner, name):
                setattr(owner, name, where_complex(getattr(owner, name), function))
        for name in ("diag", "diag_embed", "diagonal", "narrow", "tril", "triu"):
            if hasattr(owner, name):
                setattr(owner, name, by_parts(getattr(owner, name)))
    with_numbers = {
        "__add__": complex_sum,
        "__radd__": complex_sum,
        "__sub__": lambda one, other: complex_sum(one, -other),
        "__rsub__": lambda one, other: complex_sum(-one, other),
        "__eq__": equals_complex,
        "__ne__": lambda one, other: ops.logical_not(equals_complex(one, other)),
    }
    for name, function in with_numbers.items():
        setattr(mindspore.Tensor, name, where_number(getattr(mindspore.Tensor, name), function))
    mindspore.Tensor.__setitem__ = setting_complex_parts(mindspore.Tensor.__setitem__)
    return True


# whether Tensors compute with complex numbers
HAS_COMPLEX_NUMBERS = tensors_with_complex_numbers()


def giving_complex(function):
    """A function that gives complex Tensors, with which can be computed then."""
    return function if HAS_COMPLEX_NUMBERS else None


def make_complex(real, imag, *, out=None):
    """torch.complex."""
    return giving_complex(ops.Complex())(*broadcast_tensors(real, imag))


def polar(abs, angle, *, out=None):
    """torch.polar."""
    return make_complex(abs * ops.cos(angle), abs * ops.sin(angle))


def view_as_complex(input):
    """torch.view_as_complex: a new Tensor, not a view."""
    return make_complex(input[..., 0], input[..., 1])


def transformable(input):
    """What is transformed: complex numbers, or numbers of floating point."""
    return input if is_complex(input) else as_floating(input)


def fft(input, n=None, dim=-1, norm=None, *, out=None):
    """torch.fft.fft."""
    return giving_complex(ops.fft)(transformable(input), n, dim, norm)


def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    """torch.fft.ifft."""
    return giving_complex(ops.ifft)(transformable(input), n, dim, norm)


def axes_given(dim):
    """Axes, one of which PyTorch takes as a number, too."""
    return dim if dim is None else tuple_of(dim, 1)


def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.fft2."""
    return giving_complex(ops.fft2)(transformable(input), s, axes_given(dim), norm)


def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.ifft2."""
    return giving_complex(ops.ifft2)(transformable(input), s, axes_given(dim), norm)


def fftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.fftn."""
    return giving_complex(ops.fftn)(transformable(input), s, axes_given(dim), norm)


def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.ifftn."""
    return giving_complex(ops.ifftn)(transformable(input), s, axes_given(dim), norm)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """torch.fft.rfft."""
    return giving_complex(ops.rfft)(transformable(input), n, dim, norm)


def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.rfft2."""
    return giving_complex(ops.rfft2)(transformable(input), s, axes_given(dim), norm)


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.rfftn."""
    return giving_complex(ops.rfftn)(transformable(input), s, axes_given(dim), norm)


def axes_of_spectrum(input, s, dim):
    """The axes that are transformed, and the size of each, None where it is its own."""
    if dim is None:
        dim = range(0 if s is None else input.ndim - len(tuple_of(s, 1)), input.ndim)
    axes = tuple_of(dim, 1)
    return axes, (None,) * len(axes) if s is None else tuple_of(s, 1)


def over_all(function, input, axes, sizes, norm):
    """A transform of one axis, done of several."""
    for axis, size in zip(axes, sizes):
        input = function(input, size, axis, norm)
    return input


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.irfftn, one axis after the other: MindSpore's ends the process where not all are meant."""
    axes, sizes = axes_of_spectrum(input, s, dim)
    return ops.irfft(
        over_all(ifft, transformable(input), axes[:-1], sizes[:-1], norm), sizes[-1], axes[-1], norm
    )


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.irfft2."""
    return irfftn(input, s, dim, norm)


def conjugate(input):
    """The complex conjugate; a real Tensor is its own."""
    return ops.conj(input) if is_complex(input) else input


def other_norm(norm):
    """The norm of the transform in the other direction."""
    return {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """torch.fft.hfft; MindSpore's is wrong on CPU after calls for other axes or shapes."""
    return ops.irfft(conjugate(transformable(input)), n, dim, other_norm(norm))


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """torch.fft.ihfft; MindSpore's is wrong on CPU after calls for other axes or shapes."""
    return conjugate(rfft(input, n, dim, other_norm(norm)))


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.hfftn, one axis after the other: MindSpore's ends the process where not all are meant."""
    axes, sizes = axes_of_spectrum(input, s, dim)
    return hfft(over_all(fft, input, axes[:-1], sizes[:-1], norm), sizes[-1], axes[-1], norm)


def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.hfft2."""
    return hfftn(input, s, dim, norm)


def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    """torch.fft.ihfftn."""
    axes, sizes = axes_of_spectrum(input, s, dim)
    last = ihfft(input, sizes[-1], axes[-1], norm)
    return over_all(ifft, last, axes[:-1], sizes[:-1], norm)


def ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    """torch.fft.ihfft2."""
    return ihfftn(input, s, dim, norm)
