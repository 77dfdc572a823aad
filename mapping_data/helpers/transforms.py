"""Transforms of random variables, and distributions made with them."""

import math
import numbers

import mindspore
import numpy as np
from mindspore import ops


class Transform:
    """torch.distributions.Transform: an invertible map with the logarithm of its determinant."""

    bijective = False
    domain = constraint_real
    codomain = constraint_real

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._cached_x_y = None, None

    @property
    def event_dim(self):
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("use .domain.event_dim or .codomain.event_dim instead")
        return self.domain.event_dim

    @property
    def inv(self):
        return InverseTransform(self)

    @property
    def sign(self):
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__

    def __call__(self, x):
        if self._cache_size and x is self._cached_x_y[0]:
            return self._cached_x_y[1]
        y = self._call(x)
        if self._cache_size:
            self._cached_x_y = x, y
        return y

    def _inv_call(self, y):
        if self._cache_size and y is self._cached_x_y[1]:
            return self._cached_x_y[0]
        x = self._inverse(y)
        if self._cache_size:
            self._cached_x_y = x, y
        return x

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return f"{type(self).__name__}()"


class InverseTransform(Transform):
    """What `inv` of a transform is."""

    def __init__(self, transform):
        super().__init__()
        self._inv = transform

    domain = property(lambda self: self._inv.codomain)
    codomain = property(lambda self: self._inv.domain)
    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__

    def __call__(self, x):
        return self._inv._inv_call(x)

    def _inv_call(self, y):
        return self._inv(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def __repr__(self):
        return f"{type(self).__name__}({self._inv!r})"


class ComposeTransform(Transform):
    """torch.distributions.ComposeTransform: one transform after the other."""

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else list(parts)

    @property
    def domain(self):
        if not self.parts:
            return constraint_real
        needed = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            needed = max(needed + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return widened(self.parts[0].domain, needed)

    @property
    def codomain(self):
        if not self.parts:
            return constraint_real
        needed = self.parts[0].domain.event_dim
        for part in self.parts:
            needed = max(needed + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return widened(self.parts[-1].codomain, needed)

    bijective = property(lambda self: all(part.bijective for part in self.parts))
    sign = property(lambda self: math.prod(part.sign for part in self.parts))

    @property
    def inv(self):
        return ComposeTransform([part.inv for part in reversed(self.parts)])

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size)

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return ops.zeros_like(x)
        total, axes = 0, self.domain.event_dim
        for number, part in enumerate(self.parts):
            after = y if number == len(self.parts) - 1 else part(x)
            total = total + sum_of_last(part.log_abs_det_jacobian(x, after), axes - part.domain.event_dim)
            axes += part.codomain.event_dim - part.domain.event_dim
            x = after
        return total

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape


def widened(constraint, event_dim):
    """A constraint as one of events with so many axes."""
    more = event_dim - constraint.event_dim
    return IndependentConstraint(constraint, more) if more > 0 else constraint


class IndependentTransform(Transform):
    """torch.distributions.IndependentTransform: the last axes of a batch are one event."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size) if cache_size else base_transform
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size)

    @property
    def domain(self):
        return IndependentConstraint(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @property
    def codomain(self):
        return IndependentConstraint(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return sum_of_last(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)


def are_equal(one, other):
    """Whether numbers or Tensors have the same values."""
    return bool(np.all(array_of(one) == array_of(other)))


class AffineTransform(Transform):
    """torch.distributions.AffineTransform: `loc + scale * x`."""

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return AffineTransform(self.loc, self.scale, self._event_dim, cache_size)

    event_dim = property(lambda self: self._event_dim)
    domain = property(lambda self: widened(constraint_real, self._event_dim))
    codomain = property(lambda self: widened(constraint_real, self._event_dim))

    def __eq__(self, other):
        is_alike = isinstance(other, AffineTransform)
        return is_alike and are_equal(self.loc, other.loc) and are_equal(self.scale, other.scale)

    __hash__ = object.__hash__

    @property
    def sign(self):
        if isinstance(self.scale, numbers.Real):
            return (self.scale > 0) - (self.scale < 0)
        return ops.sign(self.scale)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, numbers.Real):
            logarithm = ops.full_like(x, math.log(abs(self.scale)))
        else:
            logarithm = ops.broadcast_to(log(ops.abs(self.scale)), x.shape)
        return sum_of_last(logarithm, self._event_dim)


class KindOfTransform(Transform):
    """A transform that has no settings: two of one kind are equal."""

    def __eq__(self, other):
        return isinstance(other, type(self))

    __hash__ = object.__hash__


class ExpTransform(KindOfTransform):
    """torch.distributions.ExpTransform."""

    bijective = True
    sign = 1
    codomain = constraint_positive

    def _call(self, x):
        return exp(x)

    def _inverse(self, y):
        return log(y)

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    """torch.distributions.transforms.PowerTransform."""

    bijective = True
    domain = codomain = constraint_positive

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = (
            exponent if isinstance(exponent, mindspore.Tensor) else mindspore.Tensor(float(exponent))
        )

    sign = property(lambda self: ops.sign(self.exponent))

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and are_equal(self.exponent, other.exponent)

    __hash__ = object.__hash__

    def with_cache(self, cache_size=1):
        return self if self._cache_size == cache_size else PowerTransform(self.exponent, cache_size)

    def _call(self, x):
        return x**self.exponent

    def _inverse(self, y):
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return log(ops.abs(self.exponent * y / x))


class SigmoidTransform(KindOfTransform):
    """torch.distributions.SigmoidTransform."""

    bijective = True
    sign = 1
    codomain = constraint_unit_interval

    def _call(self, x):
        return within(ops.sigmoid(x))

    def _inverse(self, y):
        y = within(y)
        return log(y) - log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x) - softplus(x)


class SoftplusTransform(KindOfTransform):
    """torch.distributions.transforms.SoftplusTransform."""

    bijective = True
    sign = 1
    codomain = constraint_positive

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return log(-expm1(-y)) + y

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x)


class TanhTransform(KindOfTransform):
    """torch.distributions.TanhTransform."""

    bijective = True
    sign = 1
    codomain = Interval(-1.0, 1.0)

    def _call(self, x):
        return tanh(x)

    def _inverse(self, y):
        return ops.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(KindOfTransform):
    """torch.distributions.AbsTransform."""

    codomain = constraint_nonnegative

    def _call(self, x):
        return ops.abs(x)

    def _inverse(self, y):
        return y


class SoftmaxTransform(KindOfTransform):
    """torch.distributions.SoftmaxTransform."""

    domain = constraint_real_vector
    codomain = constraint_simplex

    def _call(self, x):
        return ops.softmax(x, -1)

    def _inverse(self, y):
        return log(y)


class ReshapeTransform(Transform):
    """torch.distributions.ReshapeTransform."""

    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        super().__init__(cache_size)
        self.in_shape, self.out_shape = tuple(in_shape), tuple(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError("in_shape, out_shape have different numbers of elements")

    domain = property(lambda self: widened(constraint_real, len(self.in_shape)))
    codomain = property(lambda self: widened(constraint_real, len(self.out_shape)))

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size)

    def _call(self, x):
        return x.reshape((*x.shape[: x.ndim - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y):
        return y.reshape((*y.shape[: y.ndim - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x, y):
        return ops.zeros(x.shape[: x.ndim - len(self.in_shape)], dtype=x.dtype)

    def forward_shape(self, shape):
        return (*shape[: len(shape) - len(self.in_shape)], *self.out_shape)

    def inverse_shape(self, shape):
        return (*shape[: len(shape) - len(self.out_shape)], *self.in_shape)


identity_transform = ComposeTransform([])


class TransformedDistribution(Distribution):
    """torch.distributions.TransformedDistribution: what transforms make of a distribution."""

    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        shape = (*base_distribution.batch_shape, *base_distribution.event_shape)
        whole = ComposeTransform(self.transforms)
        made = whole.forward_shape(shape)
        more = whole.domain.event_dim - len(base_distribution.event_shape)
        self.base_dist = Independent(base_distribution, more) if more > 0 else base_distribution
        events = max(
            len(self.base_dist.event_shape) + whole.codomain.event_dim - whole.domain.event_dim,
            whole.codomain.event_dim,
        )
        super().__init__(made[: len(made) - events], made[len(made) - events :], validate_args)

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @dependent_property
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        return widened(self.transforms[-1].codomain, len(self.event_shape))

    def sample(self, sample_shape=()):
        return ops.stop_gradient(self._transformed(self.base_dist.sample(sample_shape)))

    def rsample(self, sample_shape=()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        self._validate_sample(value)
        events, total, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            events += transform.domain.event_dim - transform.codomain.event_dim
            total = total - sum_of_last(
                transform.log_abs_det_jacobian(x, y), events - transform.domain.event_dim
            )
            y = x
        return total + sum_of_last(self.base_dist.log_prob(y), events - len(self.base_dist.event_shape))

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        return self._flipped(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._flipped(value)))

    def _flipped(self, value):
        """A probability, the other way round where the transforms turn the order of values around."""
        sign = math.prod(transform.sign for transform in self.transforms)
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def _divergence(self, other):
        if self.transforms != other.transforms:
            raise NotImplementedError("no divergence of distributions with other transforms")
        return kl_divergence(self.base_dist, other.base_dist)
