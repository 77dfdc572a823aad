"""Further probability distributions: what is drawn on CPU is what PyTorch draws from the same seed."""

import functools
import math

import mindspore
import numpy as np
from mindspore import ops


def log_beta(one, other):
    """The logarithm of the beta function."""
    return ops.lgamma(one) + ops.lgamma(other) - ops.lgamma(one + other)


def one_gamma(alpha, generator):
    """A number of a gamma distribution, after Marsaglia and Tsang."""
    scale = 1.0
    if alpha < 1:
        scale = (1 - generator.uniform(1)[0]) ** (1 / alpha) if alpha else 0.0
        alpha += 1
    shift = alpha - 1 / 3
    factor = 1 / math.sqrt(9 * shift)
    while True:
        drawn = generator.in_pairs(1)[0]
        root = 1 + factor * drawn
        if root <= 0:
            continue
        volume, share = root**3, 1 - generator.uniform(1)[0]
        if share < 1 - 0.0331 * drawn**4:
            return scale * shift * volume
        if math.log(share) < 0.5 * drawn**2 + shift * (1 - volume + math.log(volume)):
            return scale * shift * volume


def gammas(concentration):
    """Numbers of gamma distributions, as an array."""
    drawn = [one_gamma(float(alpha), default_generator) for alpha in concentration.ravel()]
    return np.array(drawn, concentration.dtype).reshape(concentration.shape)


def slope_of_gamma(value, alpha):
    """How a number of a gamma distribution changes with `alpha` where its share stays the same."""
    value, alpha = value.astype(np.float64), alpha.astype(np.float64)
    step = 1e-4 * np.maximum(alpha, 0.1)
    change = (share_of_gamma(value, alpha + step) - share_of_gamma(value, alpha - step)) / (2 * step)
    logarithm = (alpha - 1) * np.log(value) - value - np.vectorize(math.lgamma)(alpha)
    return -change / np.exp(logarithm)


def share_of_gamma(value, alpha):
    """The share of a gamma distribution below a value, by its series."""
    term = np.exp(alpha * np.log(value) - value - np.vectorize(math.lgamma)(alpha + 1))
    total, number = term.copy(), 1
    largest = float(value.max(initial=0.0))
    while number < 60 + 2 * largest:
        term = term * value / (alpha + number)
        total, number = total + term, number + 1
    return total


class GammaNumber(Function):
    """Numbers of gamma distributions, with gradients of the concentration."""

    @staticmethod
    def forward(ctx, concentration):
        drawn = mindspore.Tensor(gammas(concentration.asnumpy()))
        drawn = ops.clamp(drawn, min=float(np.finfo(np.float32).tiny))
        ctx.save_for_backward(drawn, concentration)
        return drawn

    @staticmethod
    def backward(ctx, gradient):
        drawn, concentration = ctx.saved_tensors
        slope = slope_of_gamma(drawn.asnumpy(), concentration.asnumpy())
        return gradient * mindspore.Tensor(slope).astype(gradient.dtype)


def standard_gamma(input, generator=None):
    """torch._standard_gamma: numbers of gamma distributions of the rate 1."""
    return GammaNumber.apply(input)


class ExponentialFamily(Distribution):
    """torch.distributions.ExponentialFamily."""


class Gamma(ExponentialFamily):
    """torch.distributions.Gamma."""

    support = constraint_nonnegative
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_numbers(concentration, rate)
        super().__init__(self.concentration.shape)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ops.clamp((self.concentration - 1) / self.rate, min=0))
    variance = property(lambda self: self.concentration / self.rate**2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = GammaNumber.apply(ops.broadcast_to(self.concentration, shape))
        return drawn / ops.broadcast_to(self.rate, shape)

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        powers = xlogy(self.concentration, self.rate) + xlogy(self.concentration - 1, value)
        return powers - self.rate * value - ops.lgamma(self.concentration)

    def entropy(self):
        of_rate = self.concentration - log(self.rate)
        shape = (1.0 - self.concentration) * ops.digamma(self.concentration)
        return of_rate + ops.lgamma(self.concentration) + shape

    def _divergence(self, other):
        found = other.concentration * log(self.rate / other.rate)
        found = found + ops.lgamma(other.concentration) - ops.lgamma(self.concentration)
        found = found + (self.concentration - other.concentration) * ops.digamma(self.concentration)
        return found + (other.rate - self.rate) * (self.concentration / self.rate)


class Chi2(Gamma):
    """torch.distributions.Chi2."""

    def __init__(self, df, validate_args=None):
        (df,) = broadcast_numbers(df)
        super().__init__(0.5 * df, 0.5)

    df = property(lambda self: self.concentration * 2)


class Dirichlet(ExponentialFamily):
    """torch.distributions.Dirichlet."""

    support = constraint_simplex
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, keepdims=True)

    @property
    def mode(self):
        above = ops.clamp(self.concentration - 1, min=0.0)
        largest = one_hot(ops.argmax(above, -1), self.concentration.shape[-1]).astype(above.dtype)
        at_edge = (self.concentration < 1).all(-1, keep_dims=True)
        return ops.where(at_edge, largest, above / above.sum(-1, keepdims=True))

    @property
    def variance(self):
        total = self.concentration.sum(-1, keepdims=True)
        return self.concentration * (total - self.concentration) / (total**2 * (total + 1))

    def rsample(self, sample_shape=()):
        """Drawn values. Gradients are those of the gamma distributions that they are shares of."""
        shape = self._extended_shape(sample_shape)
        drawn = GammaNumber.apply(ops.broadcast_to(self.concentration, shape))
        return drawn / drawn.sum(-1, keepdims=True)

    def log_prob(self, value):
        found = xlogy(self.concentration - 1.0, value).sum(-1)
        return found + ops.lgamma(self.concentration.sum(-1)) - ops.lgamma(self.concentration).sum(-1)

    def entropy(self):
        count, total = self.concentration.shape[-1], self.concentration.sum(-1)
        found = (
            ops.lgamma(self.concentration).sum(-1) - ops.lgamma(total) - (count - total) * ops.digamma(total)
        )
        return found - ((self.concentration - 1.0) * ops.digamma(self.concentration)).sum(-1)

    def _divergence(self, other):
        total, of_other = self.concentration.sum(-1), other.concentration.sum(-1)
        found = ops.lgamma(total) - ops.lgamma(of_other)
        found = found + (ops.lgamma(other.concentration) - ops.lgamma(self.concentration)).sum(-1)
        inner = ops.digamma(self.concentration) - ops.digamma(total).expand_dims(-1)
        return found + ((self.concentration - other.concentration) * inner).sum(-1)


class Beta(ExponentialFamily):
    """torch.distributions.Beta."""

    support = constraint_unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        pair = broadcast_numbers(concentration1, concentration0)
        self._dirichlet = Dirichlet(ops.stack(pair, -1))
        super().__init__(self._dirichlet.batch_shape)

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total**2 * (total + 1))

    def expand(self, batch_shape, _instance=None):
        shape = tuple(batch_shape)
        return Beta(
            ops.broadcast_to(self.concentration1, shape), ops.broadcast_to(self.concentration0, shape)
        )

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        return self._dirichlet.log_prob(ops.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()

    def _divergence(self, other):
        return kl_divergence(self._dirichlet, other._dirichlet)


class StudentT(Distribution):
    """torch.distributions.StudentT."""

    support = constraint_real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_numbers(df, loc, scale)
        super().__init__(self.df.shape)

    mode = property(lambda self: self.loc)

    @property
    def mean(self):
        return ops.where(self.df > 1, self.loc, ops.full_like(self.loc, math.nan))

    @property
    def variance(self):
        found = self.scale**2 * self.df / (self.df - 2)
        found = ops.where(self.df > 2, found, ops.full_like(found, math.inf))
        return ops.where(self.df > 1, found, ops.full_like(found, math.nan))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = randn(shape, dtype=self.df.dtype)
        squares = Chi2(self.df).rsample(sample_shape)
        return self.loc + self.scale * drawn * ops.rsqrt(squares / self.df)

    def log_prob(self, value):
        distance = (value - self.loc) / self.scale
        constant = log(self.scale) + 0.5 * log(self.df) + 0.5 * math.log(math.pi)
        constant = constant + ops.lgamma(0.5 * self.df) - ops.lgamma(0.5 * (self.df + 1.0))
        return -0.5 * (self.df + 1.0) * log1p(distance**2.0 / self.df) - constant

    def entropy(self):
        inner = ops.digamma(0.5 * (self.df + 1)) - ops.digamma(0.5 * self.df)
        constant = ops.lgamma(0.5 * self.df) + math.lgamma(0.5) - ops.lgamma(0.5 * (1 + self.df))
        return log(self.scale) + 0.5 * (self.df + 1) * inner + 0.5 * log(self.df) + constant


class Cauchy(Distribution):
    """torch.distributions.Cauchy."""

    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape)

    mode = property(lambda self: self.loc)
    mean = property(lambda self: ops.full_like(self.loc, math.nan))
    variance = property(lambda self: ops.full_like(self.loc, math.inf))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        shares = default_generator.uniform(math.prod(shape)).reshape(shape)
        return self.loc + mindspore.Tensor(np.tan(np.pi * (shares - 0.5))).astype(self.loc.dtype) * self.scale

    def log_prob(self, value):
        return -math.log(math.pi) - log(self.scale) - log1p(((value - self.loc) / self.scale) ** 2)

    def cdf(self, value):
        return ops.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return ops.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + log(self.scale)


class FoldedDistribution(Distribution):
    """The magnitude of what another distribution around 0 gives."""

    support = constraint_nonnegative
    has_rsample = True

    def rsample(self, sample_shape=()):
        return ops.abs(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return ops.where(value >= 0, found, ops.full_like(found, -math.inf))

    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: ops.zeros_like(self.scale))

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(FoldedDistribution):
    """torch.distributions.HalfNormal."""

    def __init__(self, scale, validate_args=None):
        self.base_dist = Normal(0, scale)
        super().__init__(self.base_dist.batch_shape)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))


class HalfCauchy(FoldedDistribution):
    """torch.distributions.HalfCauchy."""

    def __init__(self, scale, validate_args=None):
        self.base_dist = Cauchy(0, scale)
        super().__init__(self.base_dist.batch_shape)

    mean = property(lambda self: ops.full_like(self.scale, math.inf))
    variance = property(lambda self: self.base_dist.variance)


class Gumbel(Distribution):
    """torch.distributions.Gumbel."""

    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape)

    mean = property(lambda self: self.loc + self.scale * np.euler_gamma)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance = property(lambda self: self.stddev**2)

    def rsample(self, sample_shape=()):
        limits = np.finfo(np.float32)
        drawn = default_generator.single(self._extended_shape(sample_shape))
        drawn = drawn * np.float32((1 - limits.eps) - limits.tiny) + limits.tiny
        return self.loc - self.scale * mindspore.Tensor(np.log(-np.log(drawn)))

    def log_prob(self, value):
        distance = (self.loc - value) / self.scale
        return distance - exp(distance) - log(self.scale)

    def cdf(self, value):
        return exp(-exp((self.loc - value) / self.scale))

    def entropy(self):
        return log(self.scale) + (1 + np.euler_gamma)


class Weibull(Distribution):
    """torch.distributions.Weibull."""

    support = constraint_positive
    has_rsample = True

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_numbers(scale, concentration)
        super().__init__(self.scale.shape)

    mean = property(lambda self: self.scale * exp(ops.lgamma(1 + 1 / self.concentration)))

    @property
    def variance(self):
        first, second = (ops.lgamma(1 + power / self.concentration) for power in (1, 2))
        return self.scale**2 * (exp(second) - exp(2 * first))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = mindspore.Tensor(default_generator.exponential(shape)).astype(self.scale.dtype)
        return self.scale * drawn ** (1 / self.concentration)

    def log_prob(self, value):
        ratio = value / self.scale
        found = log(self.concentration / self.scale) + (self.concentration - 1) * log(ratio)
        return found - ratio**self.concentration

    def entropy(self):
        return np.euler_gamma * (1 - 1 / self.concentration) + log(self.scale / self.concentration) + 1


class Poisson(ExponentialFamily):
    """torch.distributions.Poisson. What is drawn are not the numbers that PyTorch draws."""

    support = constraint_nonnegative_integer

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_numbers(rate)
        super().__init__(self.rate.shape)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: ops.floor(self.rate))

    def sample(self, sample_shape=()):
        rates = np.broadcast_to(self.rate.asnumpy(), self._extended_shape(sample_shape))
        source = np.random.default_rng(default_generator.new_seed())
        return mindspore.Tensor(source.poisson(rates)).astype(self.rate.dtype)

    def log_prob(self, value):
        rate, value = broadcast_numbers(self.rate, value)
        return xlogy(value, rate) - rate - ops.lgamma(value + 1)

    def _divergence(self, other):
        return self.rate * (log(self.rate) - log(other.rate)) - (self.rate - other.rate)


class CountDistribution(ProbabilityDistribution):
    """Numbers of successes, of which each has a probability."""

    _probs_of = staticmethod(lambda logits: sigmoid(logits))
    _logits_of = staticmethod(lambda probs: log(within(probs)) - log1p(-within(probs)))

    def begin(self, probs, logits, *counts):
        """Keep the probabilities or logits, of one shape with numbers. Returns those."""
        given, *counts = broadcast_numbers(probs if logits is None else logits, *counts)
        pair = (given, None) if logits is None else (None, given)
        ProbabilityDistribution.__init__(self, *pair, given.shape)
        return counts

    def uniforms(self, sample_shape):
        """A source of NumPy's, and the probabilities for a sample."""
        chances = np.broadcast_to(self.probs.asnumpy(), self._extended_shape(sample_shape))
        return np.random.default_rng(default_generator.new_seed()), chances.astype(np.float64)


class Geometric(CountDistribution):
    """torch.distributions.Geometric: the failures before the first success."""

    support = constraint_nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self.begin(probs, logits)

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: ops.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        shares = np.maximum(default_generator.single(shape), np.finfo(np.float32).tiny)
        chances = np.broadcast_to(self.probs.asnumpy(), shape)
        return mindspore.Tensor(np.floor(np.log(shares) / np.log1p(-chances))).astype(self.probs.dtype)

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        failing = ops.where(self.probs == 1, ops.zeros_like(self.probs), self.probs)
        return value * log1p(-failing) + log(self.probs)

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Binomial(CountDistribution):
    """torch.distributions.Binomial. What is drawn are not the numbers that PyTorch draws."""

    support = property(lambda self: constraint_integer_interval(0, self.total_count))

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        (self.total_count,) = self.begin(probs, logits, total_count)

    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))
    mode = property(
        lambda self: ops.clamp(ops.floor((self.total_count + 1) * self.probs), max=self.total_count)
    )

    def sample(self, sample_shape=()):
        source, chances = self.uniforms(sample_shape)
        drawn = source.binomial(self.total_count.asnumpy().astype(np.int64), chances)
        return mindspore.Tensor(drawn).astype(self.probs.dtype)

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        ways = ops.lgamma(value + 1) + ops.lgamma(self.total_count - value + 1)
        least = self.total_count * ops.relu(self.logits)
        least = least + self.total_count * log1p(exp(-ops.abs(self.logits)))
        return value * self.logits - ways - least + ops.lgamma(self.total_count + 1)


class NegativeBinomial(CountDistribution):
    """torch.distributions.NegativeBinomial. What is drawn are not the numbers that PyTorch draws."""

    support = constraint_nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        (self.total_count,) = self.begin(probs, logits, total_count)

    mean = property(lambda self: self.total_count * exp(self.logits))
    variance = property(lambda self: self.mean / sigmoid(-self.logits))

    def sample(self, sample_shape=()):
        source, chances = self.uniforms(sample_shape)
        drawn = source.negative_binomial(self.total_count.asnumpy(), 1 - chances)
        return mindspore.Tensor(drawn).astype(self.probs.dtype)

    def log_prob(self, value):
        (value,) = broadcast_numbers(value)
        found = self.total_count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        ways = ops.lgamma(self.total_count + value) - ops.lgamma(1.0 + value) - ops.lgamma(self.total_count)
        return found + ops.where(self.total_count + value == 0, ops.zeros_like(ways), ways)


class Multinomial(Distribution):
    """torch.distributions.Multinomial."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,))

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=()):
        sample_shape = shape_of((sample_shape,))
        chosen = self._categorical.sample((self.total_count, *sample_shape))
        return one_hot(chosen, self._event_shape[0]).astype(self.probs.dtype).sum(0)

    def log_prob(self, value):
        logits, value = broadcast_numbers(self.logits, value)
        logits = ops.where(ops.logical_and(value == 0, ops.isinf(logits)), ops.zeros_like(logits), logits)
        ways = ops.lgamma(value.sum(-1) + 1) - ops.lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """torch.distributions.OneHotCategoricalStraightThrough."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - ops.stop_gradient(self.probs))


class RelaxedBernoulli(CountDistribution):
    """torch.distributions.RelaxedBernoulli."""

    support = constraint_unit_interval
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self.begin(probs, logits)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        chances = within(ops.broadcast_to(self.probs, shape))
        shares = within(rand(shape, dtype=chances.dtype))
        return sigmoid((logit(shares) + logit(chances)) / self.temperature)

    def sample(self, sample_shape=()):
        return ops.stop_gradient(self.rsample(sample_shape))

    def log_prob(self, value):
        logits, value = broadcast_numbers(self.logits, value)
        odds = logit(within(value))
        difference = logits - odds * self.temperature
        found = (
            math.log(self.temperature)
            if not isinstance(self.temperature, mindspore.Tensor)
            else log(self.temperature)
        )
        found = found + difference - 2 * log1p(exp(difference))
        return found - log(within(value)) - log1p(-within(value))


class RelaxedOneHotCategorical(Distribution):
    """torch.distributions.RelaxedOneHotCategorical."""

    support = constraint_simplex
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,))

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)

    def rsample(self, sample_shape=()):
        shares = within(rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        return softmax((self.logits - log(-log(shares))) / self.temperature, -1)

    def log_prob(self, value):
        logits, value = broadcast_numbers(self.logits, value)
        count = self._event_shape[0]
        temperature = mindspore.Tensor(self.temperature, logits.dtype)
        scale = math.lgamma(count) - log(temperature) * -(count - 1)
        score = logits - log(value) * temperature
        score = (score - logsumexp(score, -1, keepdim=True)).sum(-1)
        return score + scale - log(value).sum(-1)


class MixtureSameFamily(Distribution):
    """torch.distributions.MixtureSameFamily."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture, self._components = mixture_distribution, component_distribution
        self._events = len(component_distribution.event_shape)
        super().__init__(component_distribution.batch_shape[:-1], component_distribution.event_shape)

    mixture_distribution = property(lambda self: self._mixture)
    component_distribution = property(lambda self: self._components)

    def _weights(self):
        return self._mixture.probs.reshape(*self._mixture.probs.shape, *[1] * self._events)

    @property
    def mean(self):
        return (self._weights() * self._components.mean).sum(-1 - self._events)

    @property
    def variance(self):
        weights, axis = self._weights(), -1 - self._events
        within_each = (weights * self._components.variance).sum(axis)
        apart = self._components.mean - self.mean.expand_dims(axis)
        return within_each + (weights * apart**2).sum(axis)

    def cdf(self, value):
        return (self._components.cdf(value.expand_dims(-1 - self._events)) * self._mixture.probs).sum(-1)

    def log_prob(self, value):
        each = self._components.log_prob(value.expand_dims(-1 - self._events))
        return logsumexp(each + log_softmax(self._mixture.logits, -1), -1)

    def sample(self, sample_shape=()):
        chosen = self._mixture.sample(sample_shape)
        drawn = self._components.sample(sample_shape)
        axis = len(shape_of((sample_shape,))) + len(self._batch_shape)
        places = chosen.reshape(*chosen.shape, 1, *[1] * self._events)
        places = ops.broadcast_to(places, (*chosen.shape, 1, *self._event_shape))
        return ops.stop_gradient(ops.gather_elements(drawn, axis, places).squeeze(axis))


class Pareto(Distribution):
    """torch.distributions.Pareto."""

    has_rsample = True

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_numbers(scale, alpha)
        super().__init__(self.scale.shape)

    mode = property(lambda self: self.scale)
    support = property(lambda self: constraint_greater_than_eq(self.scale))

    @property
    def mean(self):
        above = ops.clamp(self.alpha, min=1)
        return above * self.scale / (above - 1)

    @property
    def variance(self):
        above = ops.clamp(self.alpha, min=2)
        return self.scale**2 * above / ((above - 1) ** 2 * (above - 2))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = mindspore.Tensor(default_generator.exponential(shape)).astype(self.scale.dtype)
        return self.scale * exp(drawn / self.alpha)

    def log_prob(self, value):
        return log(self.alpha) + self.alpha * log(self.scale) - (self.alpha + 1) * log(value)

    def entropy(self):
        return log(self.scale / self.alpha) + (1 + 1 / self.alpha)


def broadcast_all(*values):
    """torch.distributions.utils.broadcast_all."""
    return tuple(broadcast_numbers(*values))


def logits_to_probs(logits, is_binary=False):
    """torch.distributions.utils.logits_to_probs."""
    return sigmoid(logits) if is_binary else softmax(logits, -1)


def probs_to_logits(probs, is_binary=False):
    """torch.distributions.utils.probs_to_logits."""
    kept = within(probs)
    return log(kept) - log1p(-kept) if is_binary else log(kept)


class lazy_property:
    """torch.distributions.utils.lazy_property: computed when it is first asked for."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        functools.update_wrapper(self, wrapped)

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value
