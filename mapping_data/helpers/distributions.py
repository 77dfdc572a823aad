"""Probability distributions: what is drawn on CPU is what PyTorch draws from the same seed."""

import math
import numbers

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


class Distribution:
    """torch.distributions.Distribution. Arguments are not checked."""

    has_rsample = False
    has_enumerate_support = False
    arg_constraints = property(lambda self: {})
    _validate_args = False

    @staticmethod
    def set_default_validate_args(value):
        """Nothing is checked, whatever is said here."""

    def _get_checked_instance(self, cls, _instance=None):
        return type(self).__new__(type(self)) if _instance is None else _instance

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

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
            setattr(made, name, value)
        made._batch_shape = batch_shape
        return made

    @property
    def support(self):
        raise NotImplementedError

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
        return f"{type(self).__name__}(batch_shape={self._batch_shape}, event_shape={self._event_shape})"

    def _divergence(self, other):
        raise NotImplementedError(f"no divergence of {type(self).__name__}")


class Normal(Distribution):
    """torch.distributions.Normal."""

    support = constraint_real

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape)

    mean = mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def rsample(self, sample_shape=()):
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + drawn * self.scale

    def log_prob(self, value):
        distance = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -distance - log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + log(self.scale)

    def cdf(self, value):
        return 0.5 * (1 + ops.erf((value - self.loc) / self.scale / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def _divergence(self, other):
        ratio = (self.scale / other.scale) ** 2
        return 0.5 * (ratio + ((self.loc - other.loc) / other.scale) ** 2 - 1 - log(ratio))


class LogNormal(Distribution):
    """torch.distributions.LogNormal."""

    support = constraint_positive

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.base_dist = Normal(loc, scale)
        super().__init__(self.base_dist.batch_shape)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: exp(self.loc + self.scale**2 / 2))
    mode = property(lambda self: exp(self.loc - self.scale**2))
    variance = property(lambda self: expm1(self.scale**2) * exp(2 * self.loc + self.scale**2))

    def rsample(self, sample_shape=()):
        return exp(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        logarithm = log(value)
        return self.base_dist.log_prob(logarithm) - logarithm

    def entropy(self):
        return self.base_dist.entropy() + self.loc

    def _divergence(self, other):
        return kl_divergence(self.base_dist, other.base_dist)


class Uniform(Distribution):
    """torch.distributions.Uniform."""

    support = property(lambda self: constraint_interval(self.low, self.high))

    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_numbers(low, high)
        super().__init__(self.low.shape)

    mean = property(lambda self: (self.high + self.low) / 2)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def rsample(self, sample_shape=()):
        drawn = rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        inside = ops.logical_and(self.low <= value, self.high > value).astype(self.low.dtype)
        return log(inside) - log(self.high - self.low)

    def entropy(self):
        return log(self.high - self.low)

    def cdf(self, value):
        return ops.clamp((value - self.low) / (self.high - self.low), 0, 1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def _divergence(self, other):
        inside = ops.logical_and(other.low <= self.low, other.high >= self.high)
        ratio = log((other.high - other.low) / (self.high - self.low))
        return ops.where(inside, ratio, ops.full_like(ratio, math.inf))


class Exponential(Distribution):
    """torch.distributions.Exponential."""

    support = constraint_nonnegative

    has_rsample = True

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_numbers(rate)
        super().__init__(self.rate.shape)

    mean = stddev = property(lambda self: 1 / self.rate)
    variance = property(lambda self: self.rate**-2)

    def rsample(self, sample_shape=()):
        drawn = default_generator.exponential(self._extended_shape(sample_shape))
        return mindspore.Tensor(drawn).astype(self.rate.dtype) / self.rate

    def log_prob(self, value):
        return log(self.rate) - self.rate * value

    def entropy(self):
        return 1 - log(self.rate)

    def _divergence(self, other):
        ratio = other.rate / self.rate
        return ratio - log(ratio) - 1


class Laplace(Distribution):
    """torch.distributions.Laplace."""

    support = constraint_real

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale**2)

    def rsample(self, sample_shape=()):
        eps = float(np.finfo(np.float32).eps)
        drawn = default_generator.single(self._extended_shape(sample_shape), eps - 1, 1.0)
        way = -np.sign(drawn) * np.log1p(-np.maximum(np.abs(drawn), np.finfo(np.float32).tiny))
        return self.loc + self.scale * mindspore.Tensor(way).astype(self.loc.dtype)

    def log_prob(self, value):
        return -log(2 * self.scale) - ops.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + log(2 * self.scale)

    def _divergence(self, other):
        ratio, distance = self.scale / other.scale, ops.abs(self.loc - other.loc)
        return -log(ratio) + distance / other.scale + ratio * exp(-distance / self.scale) - 1


class ProbabilityDistribution(Distribution):
    """What is given by probabilities or by logits; the other ones are computed when they are asked for."""

    def __init__(self, probs, logits, batch_shape, event_shape=()):
        if (probs is None) == (logits is None):
            raise ValueError("either `probs` or `logits` must be given, and not both")
        self._probs, self._logits = probs, logits
        super().__init__(batch_shape, event_shape)

    @property
    def probs(self):
        if self._probs is None:
            self._probs = self._probs_of(self._logits)
        return self._probs

    @property
    def logits(self):
        if self._logits is None:
            self._logits = self._logits_of(self._probs)
        return self._logits


class Bernoulli(ProbabilityDistribution):
    """torch.distributions.Bernoulli."""

    support = constraint_boolean

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = probs if logits is None else logits
        (given,) = broadcast_numbers(given) if isinstance(given, numbers.Number) else (given,)
        pair = (given, None) if logits is None else (probs, given)
        super().__init__(*pair, given.shape)

    _probs_of = staticmethod(lambda logits: sigmoid(logits))
    _logits_of = staticmethod(lambda probs: log(within(probs)) - log1p(-within(probs)))
    mean = property(lambda self: self.probs)
    mode = property(lambda self: (self.probs >= 0.5).astype(self.probs.dtype))
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape=()):
        chances = np.broadcast_to(self.probs.asnumpy(), self._extended_shape(sample_shape))
        return mindspore.Tensor(as_probable(chances)).astype(self.probs.dtype)

    def log_prob(self, value):
        logits, value = broadcast_numbers(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def _divergence(self, other):
        happens = self.probs * (softplus(-other.logits) - softplus(-self.logits))
        return happens + (1 - self.probs) * (softplus(other.logits) - softplus(self.logits))


class Categorical(ProbabilityDistribution):
    """torch.distributions.Categorical."""

    support = property(lambda self: constraint_integer_interval(0, self._num_events - 1))

    def __init__(self, probs=None, logits=None, validate_args=None):
        given = probs if logits is None else logits
        if probs is not None:
            probs = probs / probs.sum(-1, keepdims=True)
        if logits is not None:
            logits = logits - logsumexp(logits, -1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(probs, logits, given.shape[:-1])

    _probs_of = staticmethod(lambda logits: softmax(logits, -1))
    _logits_of = staticmethod(lambda probs: log(within(probs)))
    mode = property(lambda self: ops.argmax(self.probs, -1).astype(mindspore.int64))

    @property
    def param_shape(self):
        return (self.probs if self._logits is None else self.logits).shape

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        count = math.prod(shape_of((sample_shape,)))
        drawn = multinomial(ops.stop_gradient(self.probs).reshape((-1, self._num_events)), count, True)
        return drawn.swapaxes(0, 1).reshape(shape)

    def log_prob(self, value):
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

    support = constraint_one_hot

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,))

    probs = mean = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape=()):
        chosen = self._categorical.sample(sample_shape)
        return one_hot(chosen, self._event_shape[0]).astype(self.probs.dtype)

    def log_prob(self, value):
        return self._categorical.log_prob(ops.argmax(value, -1))

    def entropy(self):
        return self._categorical.entropy()

    def _divergence(self, other):
        return kl_divergence(self._categorical, other._categorical)


class MultivariateNormal(Distribution):
    """torch.distributions.MultivariateNormal."""

    support = constraint_real_vector

    has_rsample = True

    def __init__(
        self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        if scale_tril is None:
            if covariance_matrix is None:
                covariance_matrix = inv(precision_matrix)
            scale_tril = cholesky(covariance_matrix)
        size = loc.shape[-1]
        batch = np.broadcast_shapes(loc.shape[:-1], scale_tril.shape[:-2])
        self.loc = ops.broadcast_to(loc, (*batch, size))
        self.scale_tril = ops.broadcast_to(scale_tril, (*batch, size, size))
        super().__init__(batch, (size,))

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: (self.scale_tril**2).sum(-1))
    covariance_matrix = property(lambda self: ops.matmul(self.scale_tril, self.scale_tril.swapaxes(-1, -2)))
    precision_matrix = property(lambda self: inv(self.covariance_matrix))

    def rsample(self, sample_shape=()):
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + ops.matmul(self.scale_tril, drawn.expand_dims(-1)).squeeze(-1)

    def _half_log_determinant(self):
        return log(ops.diagonal(self.scale_tril, 0, -2, -1)).sum(-1)

    def log_prob(self, value):
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
        super().__init__(batch[:kept], (*batch[kept:], *base_distribution.event_shape))

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    support = property(
        lambda self: IndependentConstraint(self.base_dist.support, self.reinterpreted_batch_ndims)
    )
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_of_last(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_of_last(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        events = self._event_shape[: self.reinterpreted_batch_ndims]
        made.base_dist = self.base_dist.expand((*batch_shape, *events))
        return made

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
