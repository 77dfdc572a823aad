"""Distributions of matrices, and of vectors whose covariance is given by a matrix of low rank."""

import math
import warnings

import mindspore
import numpy as np
from mindspore import ops


def product_with_vector(matrix, vector):
    """A matrix times a vector, for each of them."""
    return ops.matmul(matrix, vector.expand_dims(-1)).squeeze(-1)


def log_of_diagonal(factor):
    """The sum of the logarithms of a diagonal."""
    return log(ops.diagonal(factor, 0, -2, -1)).sum(-1)


class LowRankMultivariateNormal(Distribution):
    """torch.distributions.LowRankMultivariateNormal."""

    arg_constraints = {
        "loc": constraint_real_vector,
        "cov_factor": IndependentConstraint(constraint_real, 2),
        "cov_diag": IndependentConstraint(constraint_positive, 1),
    }
    support = constraint_real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        size = loc.shape[-1]
        if cov_factor.shape[-2:-1] != (size,):
            raise ValueError(f"cov_factor must be a batch of matrices with shape {size} x m")
        if cov_diag.shape[-1:] != (size,):
            raise ValueError(f"cov_diag must be a batch of vectors with shape {(size,)}")
        batch = broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        self.loc = ops.broadcast_to(loc, (*batch, size))
        self.cov_diag = ops.broadcast_to(cov_diag, (*batch, size))
        self.cov_factor = ops.broadcast_to(cov_factor, (*batch, *cov_factor.shape[-2:]))
        super().__init__(batch, (size,), validate_args)

    mean = mode = property(lambda self: self.loc)
    variance = lazy_property(lambda self: (self.cov_factor**2).sum(-1) + self.cov_diag)

    @lazy_property
    def _scaled(self):
        """The factor by the diagonal, turned."""
        return self.cov_factor.swapaxes(-1, -2) / self.cov_diag.expand_dims(-2)

    @lazy_property
    def _capacitance_tril(self):
        rank = self.cov_factor.shape[-1]
        inner = ops.matmul(self._scaled, self.cov_factor)
        return cholesky(inner + ops.eye(rank, rank, inner.dtype))

    @lazy_property
    def scale_tril(self):
        size, root = self._event_shape[0], ops.sqrt(self.cov_diag).expand_dims(-1)
        scaled = self.cov_factor / root
        inner = ops.matmul(scaled, scaled.swapaxes(-1, -2)) + ops.eye(size, size, root.dtype)
        return root * cholesky(inner)

    covariance_matrix = lazy_property(
        lambda self: (
            ops.matmul(self.cov_factor, self.cov_factor.swapaxes(-1, -2)) + ops.diag_embed(self.cov_diag)
        )
    )

    @lazy_property
    def precision_matrix(self):
        part = solve_triangular(self._capacitance_tril, self._scaled, upper=False)
        return ops.diag_embed(1 / self.cov_diag) - ops.matmul(part.swapaxes(-1, -2), part)

    def _log_determinant(self):
        return 2 * log_of_diagonal(self._capacitance_tril) + log(self.cov_diag).sum(-1)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        of_factor = randn((*shape[:-1], self.cov_factor.shape[-1]), dtype=self.loc.dtype)
        of_diagonal = randn(shape, dtype=self.loc.dtype)
        found = self.loc + product_with_vector(self.cov_factor, of_factor)
        return found + ops.sqrt(self.cov_diag) * of_diagonal

    def log_prob(self, value):
        self._validate_sample(value)
        apart = value - self.loc
        inner = product_with_vector(self._scaled, apart)
        inner = product_with_vector(inv(self._capacitance_tril), inner)
        distance = (apart**2 / self.cov_diag).sum(-1) - (inner**2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_determinant() + distance)

    def entropy(self):
        return 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_determinant())

    def _divergence(self, other):
        determinants = other._log_determinant() - self._log_determinant()
        spread = (other.precision_matrix * self.covariance_matrix).sum((-1, -2))
        apart = product_with_vector(other.precision_matrix, other.loc - self.loc) * (other.loc - self.loc)
        return 0.5 * (determinants + spread + apart.sum(-1) - self._event_shape[0])


class LKJCholesky(Distribution):
    """torch.distributions.LKJCholesky: the factors of correlations."""

    arg_constraints = {"concentration": constraint_positive}
    support = constraint_corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_numbers(concentration)
        steps = np.arange(dim - 1)
        offset = mindspore.Tensor(np.concatenate([[0], steps])).astype(self.concentration.dtype)
        marginal = (self.concentration + 0.5 * (dim - 2)).expand_dims(-1)
        self._beta = Beta(offset + 0.5, marginal - 0.5 * offset)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def sample(self, sample_shape=()):
        """Drawn factors, row by row: how much of a row is not on the diagonal, and in which direction."""
        share = self._beta.sample(sample_shape).expand_dims(-1).asnumpy()
        drawn = randn(self._extended_shape(sample_shape), dtype=self.concentration.dtype).asnumpy()
        below = np.tril(drawn, -1)
        with np.errstate(all="ignore"):
            ways = below / np.linalg.norm(below, axis=-1, keepdims=True)
        ways[..., 0, :] = 0
        found = np.sqrt(share) * ways
        left = np.maximum(1 - (found**2).sum(-1), np.finfo(found.dtype).tiny)
        places = np.arange(self.dim)
        found[..., places, places] += np.sqrt(left)
        return mindspore.Tensor(found.astype(drawn.dtype))

    def log_prob(self, value):
        self._validate_sample(value)
        diagonal = ops.diagonal(value, 0, -2, -1)[..., 1:]
        counted = mindspore.Tensor(np.arange(2, self.dim + 1)).astype(self.concentration.dtype)
        order = 2 * (self.concentration - 1).expand_dims(-1) + self.dim - counted
        rest = self.dim - 1
        alpha = self.concentration + 0.5 * rest
        norm = 0.5 * rest * math.log(math.pi) + multigammaln(alpha - 0.5, rest) - ops.lgamma(alpha) * rest
        return (order * log(diagonal)).sum(-1) - norm


class Wishart(ExponentialFamily):
    """torch.distributions.Wishart."""

    support = constraint_positive_definite
    has_rsample = True
    arg_constraints = property(
        lambda self: {
            "covariance_matrix": constraint_positive_definite,
            "precision_matrix": constraint_positive_definite,
            "scale_tril": constraint_lower_cholesky,
            "df": GreaterThan(self._event_shape[-1] - 1),
        }
    )

    def __init__(
        self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        name, matrix = only_matrix(covariance_matrix, precision_matrix, scale_tril)
        shape = matrix.shape[-2:]
        given = df if isinstance(df, mindspore.Tensor) else mindspore.Tensor(df, matrix.dtype)
        batch = broadcast_shapes(matrix.shape[:-2], given.shape)
        self.df = ops.broadcast_to(given, batch)
        if (self.df.asnumpy() <= shape[-1] - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {shape[-1] - 1}.")
        if (self.df.asnumpy() < shape[-1]).any():
            warnings.warn("Low df values detected. Singular samples are highly likely.", stacklevel=2)
        setattr(self, name, ops.broadcast_to(matrix, (*batch, *shape)))
        super().__init__(batch, shape, validate_args)
        self._unbroadcasted_scale_tril = factor_given_as(name, matrix)
        below = mindspore.Tensor(np.arange(shape[-1])).astype(matrix.dtype)
        self._squares = Chi2(self.df.expand_dims(-1) - below)

    scale_tril = lazy_property(
        lambda self: ops.broadcast_to(
            self._unbroadcasted_scale_tril, (*self._batch_shape, *self._event_shape)
        )
    )
    covariance_matrix = lazy_property(
        lambda self: ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2))
    )
    precision_matrix = lazy_property(lambda self: cholesky_inverse(self.scale_tril))
    _freedom = property(lambda self: self.df.reshape(*self._batch_shape, 1, 1))
    mean = property(lambda self: self._freedom * self.covariance_matrix)

    @property
    def mode(self):
        left = self._freedom - self._event_shape[-1] - 1
        return without(left, left <= 0) * self.covariance_matrix

    @property
    def variance(self):
        diagonal = ops.diagonal(self.covariance_matrix, 0, -2, -1)
        products = diagonal.expand_dims(-1) * diagonal.expand_dims(-2)
        return self._freedom * (self.covariance_matrix**2 + products)

    def rsample(self, sample_shape=(), max_try_correction=10):
        """Drawn matrices. PyTorch draws those again that are positive definite, not those that are singular,
        and warns of them; then those that are singular, some times. So it is here, for the same numbers."""
        sample_shape = shape_of((sample_shape,))
        found = self._drawn(math.prod(sample_shape))
        places = np.flatnonzero(self._of_batch(self.support.check(found).asnumpy()))
        if places.size:
            warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(max_try_correction):
            if not places.size:
                break
            again = self._drawn(len(places))
            order = np.arange(len(found))
            order[places] = len(found) + np.arange(len(places))
            found = ops.cat([found, again])[mindspore.Tensor(order)]
            places = places[self._of_batch(~self.support.check(again).asnumpy())]
        return found.reshape(*sample_shape, *self._batch_shape, *self._event_shape)

    def _of_batch(self, marks):
        """Which samples have a mark for any matrix of their batch."""
        return marks.reshape(len(marks), -1).any(-1)

    def _drawn(self, count):
        """Drawn matrices, after Bartlett: roots of chi-squared numbers on the diagonal, normal ones below."""
        size = self._event_shape[-1]
        roots = ops.sqrt(self._squares.rsample((count,)))
        noise = ops.diag_embed(ops.clamp(roots, min=float(limits_of(roots.dtype)[1])))
        if size > 1:
            shape = count, *self._batch_shape, size * (size - 1) // 2
            noise = noise + vec_to_tril_matrix(randn(shape, dtype=roots.dtype), -1)
        factor = ops.matmul(self._unbroadcasted_scale_tril, noise)
        return ops.matmul(factor, factor.swapaxes(-1, -2))

    def log_prob(self, value):
        self._validate_sample(value)
        size = self._event_shape[-1]
        inverse = cholesky_solve(value, self._unbroadcasted_scale_tril)
        found = -self.df * (size * math.log(2) / 2 + log_of_diagonal(self._unbroadcasted_scale_tril))
        found = found - multigammaln(self.df / 2, size)
        found = found + (self.df - size - 1) / 2 * slogdet(value).logabsdet
        return found - ops.diagonal(inverse, 0, -2, -1).sum(-1) / 2

    def entropy(self):
        size = self._event_shape[-1]
        terms = sum(ops.digamma(self.df / 2 - number / 2) for number in range(size))
        found = (size + 1) * (size * math.log(2) / 2 + log_of_diagonal(self._unbroadcasted_scale_tril))
        found = found + multigammaln(self.df / 2, size) - (self.df - size - 1) / 2 * terms
        return found + self.df * size / 2
