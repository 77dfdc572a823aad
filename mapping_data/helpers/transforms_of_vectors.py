"""Transforms of vectors and matrices, and of the parts of a Tensor."""

import math

import mindspore
import numpy as np
from mindspore import ops


def tril_matrix_to_vec(mat, diag=0):
    """torch.distributions.utils.tril_matrix_to_vec: what is on and below a diagonal, row by row."""
    size = mat.shape[-1]
    if not -size <= diag < size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    rows, columns = np.tril_indices(size, diag)
    flat = mat.reshape(*mat.shape[:-2], size * size)
    return ops.index_select(flat, -1, mindspore.Tensor(rows * size + columns))


def vec_to_tril_matrix(vec, diag=0):
    """torch.distributions.utils.vec_to_tril_matrix: square matrices with these values on and below a
    diagonal, row by row."""
    count, more = vec.shape[-1], 1 + 2 * diag
    size = (math.sqrt(more**2 + 8 * count + 4 * abs(diag) * (diag + 1)) - more) / 2
    if abs(round(size) - size) > 1e-6:
        raise ValueError(f"{count} values do not fill the lower triangle of a square matrix")
    size = round(size)
    rows, columns = np.tril_indices(size, diag)
    places = np.full((size, size), count)
    places[rows, columns] = np.arange(count)
    padded = ops.cat([vec, ops.zeros((*vec.shape[:-1], 1), dtype=vec.dtype)], -1)
    return ops.index_select(padded, -1, mindspore.Tensor(places.ravel())).reshape(*vec.shape[:-1], size, size)


class CorrCholeskyTransform(Transform):
    """torch.distributions.CorrCholeskyTransform: from vectors to the factors of correlations."""

    bijective = True
    domain = constraint_real_vector
    codomain = constraint_corr_cholesky

    def _call(self, x):
        eps = float(limits_of(x.dtype)[1])
        factors = vec_to_tril_matrix(ops.clamp(tanh(x), -1 + eps, 1 - eps), -1)
        left = cumprod(ops.sqrt(1 - factors**2), -1)
        size = factors.shape[-1]
        return (factors + ops.eye(size, size, x.dtype)) * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y):
        left = pad(1 - ops.cumsum(y * y, -1)[..., :-1], [1, 0], value=1)
        share = tril_matrix_to_vec(y, -1) / ops.sqrt(tril_matrix_to_vec(left, -1))
        return (log1p(share) - log1p(-share)) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        left = tril_matrix_to_vec(1 - ops.cumsum(y * y, -1), -2)
        of_tanh = -2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)
        return 0.5 * log(left).sum(-1) + of_tanh

    def forward_shape(self, shape):
        if not shape:
            raise ValueError("Too few dimensions on input")
        size = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return (*shape[:-1], size, size)

    def inverse_shape(self, shape):
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


class StickBreakingTransform(KindOfTransform):
    """torch.distributions.StickBreakingTransform: from vectors to shares of 1, of one value more."""

    bijective = True
    domain = constraint_real_vector
    codomain = constraint_simplex

    def _shifted(self, x):
        """The values, less the logarithms of how many are left."""
        return x - mindspore.Tensor(np.log(np.arange(x.shape[-1], 0, -1))).astype(x.dtype)

    def _call(self, x):
        limits = limits_of(x.dtype)
        share = ops.clamp(sigmoid(self._shifted(x)), float(limits[3]), 1 - float(limits[1]))
        return pad(share, [0, 1], value=1) * pad(cumprod(1 - share, -1), [1, 0], value=1)

    def _inverse(self, y):
        kept = y[..., :-1]
        left = ops.clamp(1 - ops.cumsum(kept, -1), min=float(limits_of(y.dtype)[3]))
        offset = np.log(np.arange(kept.shape[-1], 0, -1))
        return log(kept) - log(left) + mindspore.Tensor(offset).astype(y.dtype)

    def log_abs_det_jacobian(self, x, y):
        x = self._shifted(x)
        return (-x + logsigmoid(x) + log(y[..., :-1])).sum(-1)

    def forward_shape(self, shape):
        if not shape:
            raise ValueError("Too few dimensions on input")
        return (*shape[:-1], shape[-1] + 1)

    def inverse_shape(self, shape):
        if not shape:
            raise ValueError("Too few dimensions on input")
        return (*shape[:-1], shape[-1] - 1)


class LowerCholeskyTransform(KindOfTransform):
    """torch.distributions.LowerCholeskyTransform: lower triangles with positive numbers on the diagonal."""

    domain = IndependentConstraint(constraint_real, 2)
    codomain = constraint_lower_cholesky

    def _call(self, x):
        return ops.tril(x, -1) + ops.diag_embed(exp(ops.diagonal(x, 0, -2, -1)))

    def _inverse(self, y):
        return ops.tril(y, -1) + ops.diag_embed(log(ops.diagonal(y, 0, -2, -1)))


class PositiveDefiniteTransform(KindOfTransform):
    """torch.distributions.PositiveDefiniteTransform."""

    domain = IndependentConstraint(constraint_real, 2)
    codomain = constraint_positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return ops.matmul(factor, factor.swapaxes(-1, -2))

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(cholesky(y))


class JoinedTransform(Transform):
    """A transform for each part of an axis."""

    bijective = property(lambda self: all(one.bijective for one in self.transforms))

    def _parts(self, value):
        raise NotImplementedError

    def _joined(self, parts):
        raise NotImplementedError

    def _call(self, x):
        return self._joined([one(part) for one, part in zip(self.transforms, self._parts(x))])

    def _inverse(self, y):
        return self._joined([one.inv(part) for one, part in zip(self.transforms, self._parts(y))])

    def _logarithms(self, x, y):
        """The logarithm of the determinant of each part."""
        parts = zip(self.transforms, self._parts(x), self._parts(y))
        return [one.log_abs_det_jacobian(before, after) for one, before, after in parts]


class CatTransform(JoinedTransform):
    """torch.distributions.CatTransform: a transform for each part of an axis, of some length."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(cache_size)
        self.transforms = [one.with_cache(cache_size) for one in tseq] if cache_size else list(tseq)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )
        self.dim = dim

    event_dim = property(lambda self: max(one.event_dim for one in self.transforms))
    length = property(lambda self: sum(self.lengths))
    domain = dependent_property(
        lambda self: Cat([one.domain for one in self.transforms], self.dim, self.lengths)
    )
    codomain = dependent_property(
        lambda self: Cat([one.codomain for one in self.transforms], self.dim, self.lengths)
    )

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _parts(self, value):
        if value.shape[self.dim] != self.length:
            raise AssertionError(
                f"x.size({self.dim}) = {value.shape[self.dim]} must equal length {self.length}"
            )
        starts = np.cumsum([0, *self.lengths[:-1]]).tolist()
        return [narrow(value, self.dim, *place) for place in zip(starts, self.lengths)]

    def _joined(self, parts):
        return ops.cat(parts, self.dim)

    def log_abs_det_jacobian(self, x, y):
        found = [
            sum_of_last(each, self.event_dim - one.event_dim)
            for one, each in zip(self.transforms, self._logarithms(x, y))
        ]
        dim = (self.dim - x.ndim if self.dim >= 0 else self.dim) + self.event_dim
        return ops.cat(found, dim) if dim < 0 else sum(found)


class StackTransform(JoinedTransform):
    """torch.distributions.StackTransform: a transform for each place of an axis."""

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(cache_size)
        self.transforms = [one.with_cache(cache_size) for one in tseq] if cache_size else list(tseq)
        self.dim = dim

    domain = dependent_property(lambda self: Stack([one.domain for one in self.transforms], self.dim))
    codomain = dependent_property(lambda self: Stack([one.codomain for one in self.transforms], self.dim))

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return StackTransform(self.transforms, self.dim, cache_size)

    def _parts(self, value):
        if value.shape[self.dim] != len(self.transforms):
            raise AssertionError(
                f"x.size({self.dim}) = {value.shape[self.dim]} must equal len(transforms) "
                f"{len(self.transforms)}"
            )
        return ops.unbind(value, self.dim)

    def _joined(self, parts):
        return ops.stack(parts, self.dim)

    def log_abs_det_jacobian(self, x, y):
        return ops.stack(self._logarithms(x, y), self.dim)


class CumulativeDistributionTransform(Transform):
    """torch.distributions.CumulativeDistributionTransform: to the shares of a distribution below values."""

    bijective = True
    codomain = constraint_unit_interval
    sign = 1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return CumulativeDistributionTransform(self.distribution, cache_size)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)
