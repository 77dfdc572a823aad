"""Probability distributions: what is drawn on CPU is what PyTorch draws from the same seed."""

import functools
import math
import numbers
import warnings

import mindspore
import numpy as np
from mindspore import ops


def broadcast_numbers(*values):
    """Numbers and Tensors as Tensors of one shape."""
    given = [value for value in values if isinstance(value, mindspore.Tensor)]
    dtype = given[0].dtype if given else get_default_dtype()
    shape = np.broadcast_shapes(*(value.shape for value in given))
    made = [
        value if isinstance(value, mindspore.Tensor) else ops.full((), value, dtype=dtype) for value in values
    ]
    return [value if value.shape == shape else ops.broadcast_to(value, shape) for value in made]


def sum_of_last(value, count):
    """The sum over the last `count` axes."""
    return value.sum(tuple(range(-count, 0))) if count else value


def within(probabilities):
    """Probabilities that are neither 0 nor 1, so that their logarithms are finite."""
    eps = float(limits_of(probabilities.dtype)[1])
    return ops.clamp(probabilities, eps, 1 - eps)


def size_text(shape):
    """How PyTorch writes a shape."""
    return f"torch.Size({list(shape)})"


class Distribution:
    """torch.distributions.Distribution."""

    has_rsample = False
    has_enumerate_support = False
    arg_constraints = property(lambda self: {})
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value):
        """Whether arguments are checked where nothing else is said."""
        if value not in (True, False):
            raise ValueError(f"{value!r} is neither True nor False")
        Distribution._validate_args = value

    def _get_checked_instance(self, cls, _instance=None):
        return type(self).__new__(type(self)) if _instance is None else _instance

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    def _validate_parameters(self):
        """Raise ValueError where a parameter has a value that it may not have. What is computed only when it
        is asked for is not checked."""
        for name, constraint in self.arg_constraints.items():
            is_lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if is_dependent(constraint) or (is_lazy and name not in vars(self)):
                continue
            value = getattr(self, name)
            if not allows_all(constraint, value):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                    f"distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid "
                    f"values:\n{value}"
                )

    def _validate_sample(self, value):
        """Raise ValueError where a value cannot be one of this distribution, if arguments are checked."""
        if not self._validate_args:
            return
        if not isinstance(value, mindspore.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, whole = value.shape, (*self._batch_shape, *self._event_shape)
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{size_text(shape)} vs {size_text(self._event_shape)}."
            )
        if any(1 != one != other != 1 for one, other in zip(reversed(shape), reversed(whole))):
            raise ValueError(
                "Value is not broadcastable with batch_shape+event_shape: "
                f"{size_text(shape)} vs {size_text(whole)}."
            )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{type(self)} has no `support`: its samples are not checked.", stacklevel=3)
            return
        if not allows_all(support, value):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    def _extended_shape(self, sample_shape=()):
        return (*shape_of((sample_shape,)), *self._batch_shape, *self._event_shape)

    def sample(self, sample_shape=()):
        """Drawn values, without gradients."""
        return ops.stop_gradient(self.rsample(sample_shape))

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def expand(self, batch_shape, _instance=None):
        """The same for a larger batch: Tensors that begin with the axes of the batch are expanded."""
        made = self._get_checked_instance(type(self), _instance)
        batch_shape, count = tuple(batch_shape), len(self._batch_shape)
        for name, value in vars(self).items():
            if isinstance(value, mindspore.Tensor) and value.shape[:count] == self._batch_shape:
                value = ops.broadcast_to(value, (*batch_shape, *value.shape[count:]))
            elif isinstance(value, Distribution) and value._batch_shape[:count] == self._batch_shape:
                value = value.expand((*batch_shape, *value._batch_shape[count:]))
            setattr(made, name, value)
        made._batch_shape = batch_shape
        return made

    @property
    def support(self):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        """All values that there can be."""
        if not self.has_enumerate_support:
            raise NotImplementedError
        values = self._all_values()
        events = len(self._event_shape)
        shape = values.shape[:1], (1,) * len(self._batch_shape), values.shape[values.ndim - events :]
        values = values.reshape(sum(shape, ()))
        if not expand:
            return values
        return ops.broadcast_to(values, (values.shape[0], *self._batch_shape, *self._event_shape))

    def sample_n(self, n):
        return self.sample((n,))

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return ops.sqrt(self.variance)

    def perplexity(self):
        return exp(self.entropy())

    def __repr__(self):
        given = [name for name in self.arg_constraints if name in vars(self)]
        values = [getattr(self, name) for name in given]
        shown = [value if value.size == 1 else size_text(value.shape) for value in values]
        return f"{type(self).__name__}({', '.join(f'{name}: {one}' for name, one in zip(given, shown))})"

    def _divergence(self, other):
        raise NotImplementedError(f"no divergence of {type(self).__name__}")


class lazy_property:
    """torch.distributions.utils.lazy_property: computed when it is first asked for."""

    def __init__(self, wrapped):
        self.wrapped, self.name = wrapped, wrapped.__name__
        functools.update_wrapper(self, wrapped)

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.name, value)
        return value


class Normal(Distribution):
    """torch.distributions.Normal."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def rsample(self, sample_shape=()):
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + drawn * self.scale

    def log_prob(self, value):
        self._validate_sample(value)
        distance = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -distance - log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + log(self.scale)

    def cdf(self, value):
        self._validate_sample(value)
        return 0.5 * (1 + ops.erf((value - self.loc) / self.scale / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def _divergence(self, other):
        ratio = (self.scale / other.scale) ** 2
        return 0.5 * (ratio + ((self.loc - other.loc) / other.scale) ** 2 - 1 - log(ratio))


class Uniform(Distribution):
    """torch.distributions.Uniform."""

    arg_constraints = property(lambda self: {"low": LessThan(self.high), "high": GreaterThan(self.low)})
    support = dependent_property(lambda self: Interval(self.low, self.high), is_discrete=False, event_dim=0)
    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_numbers(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    mean = property(lambda self: (self.high + self.low) / 2)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def rsample(self, sample_shape=()):
        drawn = rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        self._validate_sample(value)
        inside = ops.logical_and(self.low <= value, self.high > value).astype(self.low.dtype)
        return log(inside) - log(self.high - self.low)

    def entropy(self):
        return log(self.high - self.low)

    def cdf(self, value):
        self._validate_sample(value)
        return ops.clamp((value - self.low) / (self.high - self.low), 0, 1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def _divergence(self, other):
        inside = ops.logical_and(other.low <= self.low, other.high >= self.high)
        ratio = log((other.high - other.low) / (self.high - self.low))
        return ops.where(inside, ratio, ops.full_like(ratio, math.inf))


class Exponential(Distribution):
    """torch.distributions.Exponential."""

    arg_constraints = {"rate": constraint_positive}
    support = constraint_nonnegative
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_numbers(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = stddev = property(lambda self: 1 / self.rate)
    variance = property(lambda self: self.rate**-2)

    def rsample(self, sample_shape=()):
        drawn = default_generator.exponential(self._extended_shape(sample_shape))
        return mindspore.Tensor(drawn).astype(self.rate.dtype) / self.rate

    def log_prob(self, value):
        self._validate_sample(value)
        return log(self.rate) - self.rate * value

    def entropy(self):
        return 1 - log(self.rate)

    def _divergence(self, other):
        ratio = other.rate / self.rate
        return ratio - log(ratio) - 1


class Laplace(Distribution):
    """torch.distributions.Laplace."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale**2)

    def rsample(self, sample_shape=()):
        eps = float(np.finfo(np.float32).eps)
        drawn = default_generator.single(self._extended_shape(sample_shape), eps - 1, 1.0)
        way = -np.sign(drawn) * np.log1p(-np.maximum(np.abs(drawn), np.finfo(np.float32).tiny))
        return self.loc + self.scale * mindspore.Tensor(way).astype(self.loc.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        return -log(2 * self.scale) - ops.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + log(2 * self.scale)

    def _divergence(self, other):
        ratio, distance = self.scale / other.scale, ops.abs(self.loc - other.loc)
        return -log(ratio) + distance / other.scale + ratio * exp(-distance / self.scale) - 1


class ProbabilityDistribution(Distribution):
    """What is given by probabilities or by logits; the other ones are computed when they are asked for."""

    def __init__(self, probs, logits, batch_shape, event_shape=(), validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("either `probs` or `logits` must be given, and not both")
        if logits is None:
            self.probs = probs
        else:
            self.logits = logits
        super().__init__(batch_shape, event_shape, validate_args)

    probs = lazy_property(lambda self: self._probs_of(self.logits))
    logits = lazy_property(lambda self: self._logits_of(self.probs))
    _param = property(lambda self: self.probs if "logits" not in vars(self) else self.logits)
    param_shape = property(lambda self: self._param.shape)


class Bernoulli(ProbabilityDistribution):
    """torch.distributions.Bernoulli."""

    arg_constraints = {"probs": constraint_unit_interval, "logits": constraint_real}
    support = constraint_boolean
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = probs if logits is None else logits
        (given,) = broadcast_numbers(given) if isinstance(given, numbers.Number) else (given,)
        pair = (given, None) if logits is None else (probs, given)
        super().__init__(*pair, given.shape, validate_args=validate_args)

    _probs_of = staticmethod(lambda logits: sigmoid(logits))
    _logits_of = staticmethod(lambda probs: log(within(probs)) - log1p(-within(probs)))
    mean = property(lambda self: self.probs)
    mode = property(lambda self: (self.probs >= 0.5).astype(self.probs.dtype))
    variance = property(lambda self: self.probs * (1 - self.probs))

    def _all_values(self):
        return ops.arange(2).astype(self._param.dtype)

    def sample(self, sample_shape=()):
        chances = np.broadcast_to(self.probs.asnumpy(), self._extended_shape(sample_shape))
        return mindspore.Tensor(as_probable(chances)).astype(self.probs.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = broadcast_numbers(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def _divergence(self, other):
        happens = self.probs * (softplus(-other.logits) - softplus(-self.logits))
        return happens + (1 - self.probs) * (softplus(other.logits) - softplus(self.logits))


class Categorical(ProbabilityDistribution):
    """torch.distributions.Categorical."""

    arg_constraints = {"probs": constraint_simplex, "logits": constraint_real_vector}
    support = dependent_property(
        lambda self: IntegerInterval(0, self._num_events - 1), is_discrete=True, event_dim=0
    )
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = probs if logits is None else logits
        if probs is not None:
            probs = probs / probs.sum(-1, keepdims=True)
        if logits is not None:
            logits = logits - logsumexp(logits, -1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(probs, logits, given.shape[:-1], validate_args=validate_args)

    _probs_of = staticmethod(lambda logits: softmax(logits, -1))
    _logits_of = staticmethod(lambda probs: log(within(probs)))
    mode = property(lambda self: ops.argmax(self.probs, -1).astype(mindspore.int64))

    def _all_values(self):
        return ops.arange(self._num_events)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        count = math.prod(shape_of((sample_shape,)))
        drawn = multinomial(ops.stop_gradient(self.probs).reshape((-1, self._num_events)), count, True)
        return drawn.swapaxes(0, 1).reshape(shape)

    def log_prob(self, value):
        self._validate_sample(value)
        shape = np.broadcast_shapes(value.shape, self._batch_shape)
        places = ops.broadcast_to(value.astype(mindspore.int64), shape).expand_dims(-1)
        logits = ops.broadcast_to(self.logits, (*shape, self._num_events))
        return ops.gather_elements(logits, -1, places).squeeze(-1)

    def entropy(self):
        least = -float(limits_of(self.logits.dtype)[2])
        return -(ops.clamp(self.logits, min=least) * self.probs).sum(-1)

    def _divergence(self, other):
        return (self.probs * (self.logits - other.logits)).sum(-1)


class OneHotCategorical(Distribution):
    """torch.distributions.OneHotCategorical."""

    arg_constraints = {"probs": constraint_simplex, "logits": constraint_real_vector}
    support = constraint_one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,), validate_args)

    probs = mean = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def _all_values(self):
        size = self._event_shape[0]
        return ops.eye(size, size, self._categorical._param.dtype)

    def sample(self, sample_shape=()):
        chosen = self._categorical.sample(sample_shape)
        return one_hot(chosen, self._event_shape[0]).astype(self.probs.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        return self._categorical.log_prob(ops.argmax(value, -1))

    def entropy(self):
        return self._categorical.entropy()

    def _divergence(self, other):
        return kl_divergence(self._categorical, other._categorical)


def factor_of_inverse(precision):
    """The lower triangular factor of the inverse of positive definite matrices."""
    turned = cholesky(precision.flip((-2, -1)))
    size = precision.shape[-1]
    upper = turned.flip((-2, -1)).swapaxes(-1, -2)
    return solve_triangular(upper, ops.eye(size, size, precision.dtype), upper=False)


def only_matrix(covariance_matrix, precision_matrix, scale_tril):
    """The one of three matrices that was given, with its name."""
    matrices = {
        "covariance_matrix": covariance_matrix,
        "precision_matrix": precision_matrix,
        "scale_tril": scale_tril,
    }
    given = [(name, one) for name, one in matrices.items() if one is not None]
    if len(given) != 1:
        raise ValueError(f"Exactly one of {', '.join(matrices)} may be specified.")
    return given[0]


def factor_given_as(name, matrix):
    """The lower triangular factor of a covariance that is given by the matrix of this name."""
    if name == "scale_tril":
        return matrix
    return cholesky(matrix) if name == "covariance_matrix" else factor_of_inverse(matrix)


class MultivariateNormal(Distribution):
    """torch.distributions.MultivariateNormal."""

    arg_constraints = {
        "loc": constraint_real_vector,
        "covariance_matrix": constraint_positive_definite,
        "precision_matrix": constraint_positive_definite,
        "scale_tril": constraint_lower_cholesky,
    }
    support = constraint_real_vector
    has_rsample = True

    def __init__(
        self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        name, matrix = only_matrix(covariance_matrix, precision_matrix, scale_tril)
        size = loc.shape[-1]
        batch = np.broadcast_shapes(loc.shape[:-1], matrix.shape[:-2])
        self.loc = ops.broadcast_to(loc, (*batch, size))
        setattr(self, name, ops.broadcast_to(matrix, (*batch, size, size)))
        super().__init__(batch, (size,), validate_args)
        self._unbroadcasted_scale_tril = factor_given_as(name, matrix)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: (self.scale_tril**2).sum(-1))
    scale_tril = lazy_property(
        lambda self: ops.broadcast_to(
            self._unbroadcasted_scale_tril, (*self._batch_shape, *self._event_shape, *self._event_shape)
        )
    )
    covariance_matrix = lazy_property(
        lambda self: ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2))
    )
    precision_matrix = lazy_property(lambda self: cholesky_inverse(self.scale_tril))

    def rsample(self, sample_shape=()):
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + ops.matmul(self.scale_tril, drawn.expand_dims(-1)).squeeze(-1)

    def _half_log_determinant(self):
        return log(ops.diagonal(self.scale_tril, 0, -2, -1)).sum(-1)

    def log_prob(self, value):
        self._validate_sample(value)
        distance = ops.matmul(inv(self.scale_tril), (value - self.loc).expand_dims(-1)).squeeze(-1)
        constant = self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + (distance**2).sum(-1)) - self._half_log_determinant()

    def entropy(self):
        return 0.5 * self._event_shape[0] * (1 + math.log(2 * math.pi)) + self._half_log_determinant()

    def _divergence(self, other):
        inverse = inv(other.scale_tril)
        spread = (ops.matmul(inverse, self.scale_tril) ** 2).sum((-1, -2))
        distance = (ops.matmul(inverse, (other.loc - self.loc).expand_dims(-1)) ** 2).sum((-1, -2))
        determinants = other._half_log_determinant() - self._half_log_determinant()
        return determinants + 0.5 * (spread + distance - self._event_shape[0])


class Independent(Distribution):
    """torch.distributions.Independent: the last axes of a batch are one event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        batch = base_distribution.batch_shape
        kept = len(batch) - reinterpreted_batch_ndims
        super().__init__(batch[:kept], (*batch[kept:], *base_distribution.event_shape), validate_args)

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    has_enumerate_support = property(
        lambda self: not self.reinterpreted_batch_ndims and self.base_dist.has_enumerate_support
    )
    support = dependent_property(
        lambda self: widened(
            self.base_dist.support, self.base_dist.support.event_dim + self.reinterpreted_batch_ndims
        )
    )
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def log_prob(self, value):
        return sum_of_last(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_of_last(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def _divergence(self, other):
        return sum_of_last(kl_divergence(self.base_dist, other.base_dist), self.reinterpreted_batch_ndims)


# divergences that programs add, by the classes
DIVERGENCES = {}


def register_kl(type_p, type_q):
    """torch.distributions.register_kl: the decorated function computes the divergence of these classes."""

    def registered(function):
        DIVERGENCES[type_p, type_q] = function
        return function

    return registered


def kl_divergence(p, q):
    """torch.distributions.kl_divergence: what a program has registered, else of two of the same kind."""
    for first in type(p).__mro__:
        for second in type(q).__mro__:
            if (first, second) in DIVERGENCES:
                return DIVERGENCES[first, second](p, q)
    if not isinstance(q, type(p)) and not isinstance(p, type(q)):
        raise NotImplementedError(f"no divergence of {type(p).__name__} and {type(q).__name__}")
    return p._divergence(q)
