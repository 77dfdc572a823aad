"""Functions of lists of Tensors, which optimizers and averages of weights are written with."""

import functools

import mindspore
from mindspore import ops


def on_each(function, *given, **named):
    """What a function gives of each Tensor of a list, with what other lists have at its place, and with what
    is no list."""
    lists = [value for value in (*given, *named.values()) if isinstance(value, (list, tuple))]

    def at(value, place):
        return value[place] if isinstance(value, (list, tuple)) else value

    return tuple(
        function(
            *(at(value, place) for value in given),
            **{name: at(value, place) for name, value in named.items()},
        )
        for place in range(len(lists[0]))
    )


def change_each(function, tensors, *given, **named):
    """Give each Tensor of a list, in place, what a function gives of it."""
    for tensor, values in zip(tensors, on_each(function, tensors, *given, **named)):
        assign_(tensor, values)
    return tensors


foreach_abs = functools.partial(on_each, ops.abs)
foreach_abs_ = functools.partial(change_each, ops.abs)
foreach_acos = functools.partial(on_each, ops.acos)
foreach_acos_ = functools.partial(change_each, ops.acos)
foreach_asin = functools.partial(on_each, ops.asin)
foreach_asin_ = functools.partial(change_each, ops.asin)
foreach_atan = functools.partial(on_each, ops.atan)
foreach_atan_ = functools.partial(change_each, ops.atan)
foreach_ceil = functools.partial(on_each, ops.ceil)
foreach_ceil_ = functools.partial(change_each, ops.ceil)
foreach_cos = functools.partial(on_each, ops.cos)
foreach_cos_ = functools.partial(change_each, ops.cos)
foreach_cosh = functools.partial(on_each, ops.cosh)
foreach_cosh_ = functools.partial(change_each, ops.cosh)
foreach_erf = functools.partial(on_each, ops.erf)
foreach_erf_ = functools.partial(change_each, ops.erf)
foreach_erfc = functools.partial(on_each, ops.erfc)
foreach_erfc_ = functools.partial(change_each, ops.erfc)
foreach_exp = functools.partial(on_each, exp)
foreach_exp_ = functools.partial(change_each, exp)
foreach_expm1 = functools.partial(on_each, expm1)
foreach_expm1_ = functools.partial(change_each, expm1)
foreach_floor = functools.partial(on_each, ops.floor)
foreach_floor_ = functools.partial(change_each, ops.floor)
foreach_frac = functools.partial(on_each, ops.frac)
foreach_frac_ = functools.partial(change_each, ops.frac)
foreach_lgamma = functools.partial(on_each, ops.lgamma)
foreach_lgamma_ = functools.partial(change_each, ops.lgamma)
foreach_log = functools.partial(on_each, log)
foreach_log_ = functools.partial(change_each, log)
foreach_log10 = functools.partial(on_each, log10)
foreach_log10_ = functools.partial(change_each, log10)
foreach_log1p = functools.partial(on_each, log1p)
foreach_log1p_ = functools.partial(change_each, log1p)
foreach_log2 = functools.partial(on_each, log2)
foreach_log2_ = functools.partial(change_each, log2)
foreach_neg = functools.partial(on_each, ops.neg)
foreach_neg_ = functools.partial(change_each, ops.neg)
foreach_reciprocal = functools.partial(on_each, ops.reciprocal)
foreach_reciprocal_ = functools.partial(change_each, ops.reciprocal)
foreach_round = functools.partial(on_each, ops.round)
foreach_round_ = functools.partial(change_each, ops.round)
foreach_rsqrt = functools.partial(on_each, ops.rsqrt)
foreach_rsqrt_ = functools.partial(change_each, ops.rsqrt)
foreach_sigmoid = functools.partial(on_each, sigmoid)
foreach_sigmoid_ = functools.partial(change_each, sigmoid)
foreach_sign = functools.partial(on_each, ops.sign)
foreach_sign_ = functools.partial(change_each, ops.sign)
foreach_sin = functools.partial(on_each, ops.sin)
foreach_sin_ = functools.partial(change_each, ops.sin)
foreach_sinh = functools.partial(on_each, ops.sinh)
foreach_sinh_ = functools.partial(change_each, ops.sinh)
foreach_sqrt = functools.partial(on_each, ops.sqrt)
foreach_sqrt_ = functools.partial(change_each, ops.sqrt)
foreach_tan = functools.partial(on_each, ops.tan)
foreach_tan_ = functools.partial(change_each, ops.tan)
foreach_tanh = functools.partial(on_each, tanh)
foreach_tanh_ = functools.partial(change_each, tanh)
foreach_trunc = functools.partial(on_each, ops.trunc)
foreach_trunc_ = functools.partial(change_each, ops.trunc)
foreach_add = functools.partial(
    on_each, lambda one, other, *, alpha=1: one + (other if alpha == 1 else other * alpha)
)
foreach_add_ = functools.partial(
    change_each, lambda one, other, *, alpha=1: one + (other if alpha == 1 else other * alpha)
)
foreach_sub = functools.partial(
    on_each, lambda one, other, *, alpha=1: one - (other if alpha == 1 else other * alpha)
)
foreach_sub_ = functools.partial(
    change_each, lambda one, other, *, alpha=1: one - (other if alpha == 1 else other * alpha)
)
foreach_mul = functools.partial(on_each, lambda one, other: one * other)
foreach_mul_ = functools.partial(change_each, lambda one, other: one * other)
foreach_div = functools.partial(on_each, lambda one, other: one / other)
foreach_div_ = functools.partial(change_each, lambda one, other: one / other)
foreach_lerp = functools.partial(on_each, lerp)
foreach_lerp_ = functools.partial(change_each, lerp)
foreach_pow = functools.partial(on_each, lambda base, exponent: base**exponent)
foreach_pow_ = functools.partial(change_each, lambda base, exponent: base**exponent)
foreach_addcmul = functools.partial(on_each, lambda one, left, right, value=1: one + value * left * right)
foreach_addcmul_ = functools.partial(
    change_each, lambda one, left, right, value=1: one + value * left * right
)
foreach_addcdiv = functools.partial(on_each, lambda one, left, right, value=1: one + value * left / right)
foreach_addcdiv_ = functools.partial(
    change_each, lambda one, left, right, value=1: one + value * left / right
)
foreach_clamp_max = functools.partial(on_each, lambda one, most: ops.clamp(one, max=most))
foreach_clamp_max_ = functools.partial(change_each, lambda one, most: ops.clamp(one, max=most))
foreach_clamp_min = functools.partial(on_each, lambda one, least: ops.clamp(one, min=least))
foreach_clamp_min_ = functools.partial(change_each, lambda one, least: ops.clamp(one, min=least))
foreach_maximum = functools.partial(on_each, lambda one, other: ops.clamp(one, min=other))
foreach_maximum_ = functools.partial(change_each, lambda one, other: ops.clamp(one, min=other))
foreach_minimum = functools.partial(on_each, lambda one, other: ops.clamp(one, max=other))
foreach_minimum_ = functools.partial(change_each, lambda one, other: ops.clamp(one, max=other))
foreach_clone = functools.partial(on_each, mindspore.Tensor.copy)
foreach_max = functools.partial(on_each, lambda one: one.max())
foreach_mm = functools.partial(on_each, ops.matmul)
foreach_norm = functools.partial(on_each, lambda one, ord=2, dtype=None: vector_norm(one, ord, dtype=dtype))
foreach_zero_ = functools.partial(change_each, ops.zeros_like)


def foreach_copy_(self, src, non_blocking=False):
    """torch._foreach_copy_: values of other dtypes, too."""
    return change_each(lambda tensor, values: values.astype(tensor.dtype), self, src)
