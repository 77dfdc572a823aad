"""Further probability distributions: what is drawn on CPU is what PyTorch draws from the same seed."""

import math

import mindspore
import numpy as np
from mindspore import ops
from scipy import special


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


def gammas(concentration, generator):
    """Numbers of gamma distributions, as an array."""
    drawn = [one_gamma(float(alpha), generator) for alpha in concentration.ravel()]
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
    def forward(ctx, concentration, generator=None):
        drawn = mindspore.Tensor(gammas(concentration.asnumpy(), generator or default_generator))
        drawn = ops.clamp(drawn, min=float(np.finfo(np.float32).tiny))
        ctx.save_for_backward(drawn, concentration)
        return drawn

    @staticmethod
    def backward(ctx, gradient):
        drawn, concentration = ctx.saved_tensors
        slope = slope_of_gamma(drawn.asnumpy(), concentration.asnumpy())
        return gradient * mindspore.Tensor(slope).astype(gradient.dtype), None


def sample_dirichlet(input, generator=None):
    """torch._sample_dirichlet: shares of numbers of gamma distributions."""
    drawn = GammaNumber.apply(input, generator)
    return drawn / drawn.sum(-1, keepdims=True)


def standard_gamma(input, generator=None):
    """torch._standard_gamma: numbers of gamma distributions of the rate 1."""
    return GammaNumber.apply(input, generator)


class ExponentialFamily(Distribution):
    """torch.distributions.ExponentialFamily."""


class Gamma(ExponentialFamily):
    """torch.distributions.Gamma."""

    arg_constraints = {"concentration": constraint_positive, "rate": constraint_positive}
    support = constraint_nonnegative
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_numbers(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ops.clamp((self.concentration - 1) / self.rate, min=0))
    variance = property(lambda self: self.concentration / self.rate**2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = GammaNumber.apply(ops.broadcast_to(self.concentration, shape))
        return drawn / ops.broadcast_to(self.rate, shape)

    def log_prob(self, value):
        self._validate_sample(value)
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

    arg_constraints = {"df": constraint_positive}

    def __init__(self, df, validate_args=None):
        (df,) = broadcast_numbers(df)
        super().__init__(0.5 * df, 0.5, validate_args)

    df = property(lambda self: self.concentration * 2)


class Dirichlet(ExponentialFamily):
    """torch.distributions.Dirichlet."""

    arg_constraints = {"concentration": IndependentConstraint(constraint_positive, 1)}
    support = constraint_simplex
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

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
        self._validate_sample(value)
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

    arg_constraints = {"concentration1": constraint_positive, "concentration0": constraint_positive}
    support = constraint_unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        pair = broadcast_numbers(concentration1, concentration0)
        self._dirichlet = Dirichlet(ops.stack(pair, -1))
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total**2 * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value):
        self._validate_sample(value)
        (value,) = broadcast_numbers(value)
        return self._dirichlet.log_prob(ops.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()

    def _divergence(self, other):
        return kl_divergence(self._dirichlet, other._dirichlet)


class StudentT(Distribution):
    """torch.distributions.StudentT."""

    arg_constraints = {"df": constraint_positive, "loc": constraint_real, "scale": constraint_positive}
    support = constraint_real
    has_rsample = True

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_numbers(df, loc, scale)
        super().__init__(self.df.shape, validate_args=validate_args)

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
        self._validate_sample(value)
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

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mode = property(lambda self: self.loc)
    mean = property(lambda self: ops.full_like(self.loc, math.nan))
    variance = property(lambda self: ops.full_like(self.loc, math.inf))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        shares = default_generator.uniform(math.prod(shape)).reshape(shape)
        return self.loc + mindspore.Tensor(np.tan(np.pi * (shares - 0.5))).astype(self.loc.dtype) * self.scale

    def log_prob(self, value):
        self._validate_sample(value)
        return -math.log(math.pi) - log(self.scale) - log1p(((value - self.loc) / self.scale) ** 2)

    def cdf(self, value):
        self._validate_sample(value)
        return ops.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return ops.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + log(self.scale)

    def _divergence(self, other):
        apart = (self.scale + other.scale) ** 2 + (self.loc - other.loc) ** 2
        return log(apart) - log(4 * self.scale * other.scale)


class Poisson(ExponentialFamily):
    """torch.distributions.Poisson. What is drawn are not the numbers that PyTorch draws."""

    arg_constraints = {"rate": constraint_nonnegative}
    support = constraint_nonnegative_integer

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_numbers(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: ops.floor(self.rate))

    def sample(self, sample_shape=()):
        rates = np.broadcast_to(self.rate.asnumpy(), self._extended_shape(sample_shape))
        return mindspore.Tensor(poisson_counts(rates, default_generator)).astype(self.rate.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        rate, value = broadcast_numbers(self.rate, value)
        return xlogy(value, rate) - rate - ops.lgamma(value + 1)

    def _divergence(self, other):
        return self.rate * (log(self.rate) - log(other.rate)) - (self.rate - other.rate)


class CountDistribution(ProbabilityDistribution):
    """Numbers of successes, of which each has a probability."""

    _probs_of = staticmethod(lambda logits: sigmoid(logits))
    _logits_of = staticmethod(lambda probs: log(within(probs)) - log1p(-within(probs)))

    def begin(self, probs, logits, validate_args=None):
        """Keep the probabilities or logits, as Tensors."""
        (given,) = broadcast_numbers(probs if logits is None else logits)
        pair = (given, None) if logits is None else (None, given)
        ProbabilityDistribution.__init__(self, *pair, given.shape, validate_args=validate_args)

    def begin_with_count(self, total_count, probs, logits, validate_args):
        """The same, and a number of trials for each of them."""
        given = probs if logits is None else logits
        self.total_count, given = broadcast_numbers(total_count, given)
        pair = (given, None) if logits is None else (None, given)
        self.begin(*pair, validate_args=validate_args)


class Geometric(CountDistribution):
    """torch.distributions.Geometric: the failures before the first success."""

    arg_constraints = {"probs": constraint_unit_interval, "logits": constraint_real}
    support = constraint_nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        self.begin(probs, logits, validate_args=validate_args)

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: ops.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        shares = np.maximum(default_generator.single(shape), np.finfo(np.float32).tiny)
        chances = np.broadcast_to(self.probs.asnumpy(), shape)
        return mindspore.Tensor(np.floor(np.log(shares) / np.log1p(-chances))).astype(self.probs.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        (value,) = broadcast_numbers(value)
        failing = ops.where(self.probs == 1, ops.zeros_like(self.probs), self.probs)
        return value * log1p(-failing) + log(self.probs)

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs

    def _divergence(self, other):
        return -self.entropy() - log1p(-other.probs) / self.probs - other.logits


class Binomial(CountDistribution):
    """torch.distributions.Binomial. What is drawn are not the numbers that PyTorch draws."""

    arg_constraints = {
        "total_count": constraint_nonnegative_integer,
        "probs": constraint_unit_interval,
        "logits": constraint_real,
    }
    support = dependent_property(
        lambda self: IntegerInterval(0, self.total_count), is_discrete=True, event_dim=0
    )
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.begin_with_count(total_count, probs, logits, validate_args)

    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))
    mode = property(
        lambda self: ops.clamp(ops.floor((self.total_count + 1) * self.probs), max=self.total_count)
    )

    def _all_values(self):
        counts = self.total_count.asnumpy()
        if (counts != counts.max()).any():
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        return ops.arange(int(counts.max()) + 1).astype(self._param.dtype)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        given = (np.broadcast_to(each.asnumpy(), shape) for each in (self.total_count, self.probs))
        return mindspore.Tensor(binomial_counts(*given, default_generator)).astype(self.probs.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        (value,) = broadcast_numbers(value)
        ways = ops.lgamma(value + 1) + ops.lgamma(self.total_count - value + 1)
        least = self.total_count * ops.relu(self.logits)
        least = least + self.total_count * log1p(exp(-ops.abs(self.logits)))
        return value * self.logits - ways - least + ops.lgamma(self.total_count + 1)

    def _divergence(self, other):
        counts, others = (one.total_count.asnumpy() for one in (self, other))
        if (counts < others).any():
            raise NotImplementedError(
                "KL between Binomials where q.total_count > p.total_count is not implemented"
            )
        happens = self.probs * (self.logits - other.logits)
        found = self.total_count * (happens + log1p(-self.probs) - log1p(-other.probs))
        return ops.where(mindspore.Tensor(counts > others), ops.full_like(found, math.inf), found)


class NegativeBinomial(CountDistribution):
    """torch.distributions.NegativeBinomial. What is drawn are not the numbers that PyTorch draws."""

    arg_constraints = {
        "total_count": constraint_nonnegative,
        "probs": HalfOpenInterval(0.0, 1.0),
        "logits": constraint_real,
    }
    support = constraint_nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self.begin_with_count(total_count, probs, logits, validate_args)

    mean = property(lambda self: self.total_count * exp(self.logits))
    variance = property(lambda self: self.mean / sigmoid(-self.logits))

    def sample(self, sample_shape=()):
        rates = Gamma(self.total_count, exp(-self.logits), validate_args=False).sample(sample_shape)
        return poisson(rates)

    def log_prob(self, value):
        self._validate_sample(value)
        (value,) = broadcast_numbers(value)
        found = self.total_count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        ways = ops.lgamma(self.total_count + value) - ops.lgamma(1.0 + value) - ops.lgamma(self.total_count)
        return found + ops.where(self.total_count + value == 0, ops.zeros_like(ways), ways)


class Multinomial(Distribution):
    """torch.distributions.Multinomial."""

    arg_constraints = {"probs": constraint_simplex, "logits": constraint_real_vector}

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,), validate_args)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    support = dependent_property(lambda self: Multinomials(self.total_count), is_discrete=True, event_dim=1)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=()):
        sample_shape = shape_of((sample_shape,))
        chosen = self._categorical.sample((self.total_count, *sample_shape))
        return one_hot(chosen, self._event_shape[0]).astype(self.probs.dtype).sum(0)

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = broadcast_numbers(self.logits, value)
        logits = ops.where(ops.logical_and(value == 0, ops.isinf(logits)), ops.zeros_like(logits), logits)
        ways = ops.lgamma(value.sum(-1) + 1) - ops.lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """torch.distributions.OneHotCategoricalStraightThrough."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - ops.stop_gradient(self.probs))


class MixtureSameFamily(Distribution):
    """torch.distributions.MixtureSameFamily."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture, self._components = mixture_distribution, component_distribution
        self._events = len(component_distribution.event_shape)
        shape = component_distribution.batch_shape[:-1], component_distribution.event_shape
        super().__init__(*shape, validate_args)

    support = dependent_property(lambda self: MixtureSameFamilyConstraint(self._components.support))

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
        self._validate_sample(value)
        each = self._components.log_prob(value.expand_dims(-1 - self._events))
        return logsumexp(each + log_softmax(self._mixture.logits, -1), -1)

    def sample(self, sample_shape=()):
        chosen = self._mixture.sample(sample_shape)
        drawn = self._components.sample(sample_shape)
        axis = len(shape_of((sample_shape,))) + len(self._batch_shape)
        places = chosen.reshape(*chosen.shape, 1, *[1] * self._events)
        places = ops.broadcast_to(places, (*chosen.shape, 1, *self._event_shape))
        return ops.stop_gradient(ops.gather_elements(drawn, axis, places).squeeze(axis))


def broadcast_all(*values):
    """torch.distributions.utils.broadcast_all."""
    return tuple(broadcast_numbers(*values))


def standard_normal(shape, dtype=None, device=None):
    """torch.distributions.utils._standard_normal."""
    return randn(shape, dtype=dtype)


def logits_to_probs(logits, is_binary=False):
    """torch.distributions.utils.logits_to_probs."""
    return sigmoid(logits) if is_binary else softmax(logits, -1)


def probs_to_logits(probs, is_binary=False):
    """torch.distributions.utils.probs_to_logits."""
    kept = within(probs)
    return log(kept) - log1p(-kept) if is_binary else log(kept)


class ContinuousBernoulli(ExponentialFamily):
    """torch.distributions.ContinuousBernoulli. Where probabilities are near 0.5, between `lims`, its formulas
    divide by next to nothing, and series take their place."""

    arg_constraints = {"probs": constraint_unit_interval, "logits": constraint_real}
    support = constraint_unit_interval
    has_rsample = True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("either `probs` or `logits` must be given, and not both")
        (given,) = broadcast_numbers(probs if logits is None else logits)
        if logits is not None:
            self.logits = given
        elif validate_args and not allows_all(self.arg_constraints["probs"], given):
            raise ValueError("The parameter probs has invalid values")
        else:
            self.probs = within(given)
        self._lims = lims
        super().__init__(given.shape, validate_args=validate_args)

    probs = lazy_property(lambda self: within(sigmoid(self.logits)))
    logits = lazy_property(lambda self: probs_to_logits(self.probs, True))
    param_shape = property(lambda self: (self.logits if "logits" in vars(self) else self.probs).shape)

    def _far(self):
        """Where probabilities are not near 0.5."""
        return ops.logical_or(self.probs <= self._lims[0], self.probs > self._lims[1])

    def _either(self, formula, series):
        """A formula of probabilities where they are not near 0.5, elsewhere a series of their distance."""
        far = self._far()
        kept = ops.where(far, self.probs, ops.full_like(self.probs, self._lims[0]))
        return ops.where(far, formula(kept), series(self.probs - 0.5))

    def _log_norm(self):
        def formula(kept):
            double = ops.abs(1.0 - 2.0 * kept)
            return log(ops.abs(log1p(-kept) - log(kept))) - log(double)

        return self._either(
            formula, lambda apart: math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * apart**2) * apart**2
        )

    mean = property(
        lambda self: self._either(
            lambda kept: kept / (2.0 * kept - 1.0) + 1.0 / (log1p(-kept) - log(kept)),
            lambda apart: 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * apart**2) * apart,
        )
    )
    variance = property(
        lambda self: self._either(
            lambda kept: (
                kept * (kept - 1.0) / (1.0 - 2.0 * kept) ** 2 + 1.0 / (log1p(-kept) - log(kept)) ** 2
            ),
            lambda apart: 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * apart**2) * apart**2,
        )
    )

    def rsample(self, sample_shape=()):
        return self.icdf(rand(self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = broadcast_numbers(self.logits, value)
        return self._log_norm() - binary_cross_entropy_with_logits(logits, value, reduction="none")

    def cdf(self, value):
        self._validate_sample(value)
        found = self._either(
            lambda kept: (kept**value * (1.0 - kept) ** (1.0 - value) + kept - 1.0) / (2.0 * kept - 1.0),
            lambda apart: value + ops.zeros_like(apart),
        )
        return ops.where(
            value <= 0.0, ops.zeros_like(found), ops.where(value >= 1.0, ops.ones_like(found), found)
        )

    def icdf(self, value):
        def formula(kept):
            share = log1p(-kept + value * (2.0 * kept - 1.0)) - log1p(-kept)
            return share / (log(kept) - log1p(-kept))

        return self._either(formula, lambda apart: value + ops.zeros_like(apart))

    def entropy(self):
        rest = log1p(-self.probs)
        return self.mean * (rest - log(self.probs)) - self._log_norm() - rest

    def _divergence(self, other):
        found = self.mean * (self.logits - other.logits) + self._log_norm() - other._log_norm()
        return found + log1p(-self.probs) - log1p(-other.probs)


class FisherSnedecor(Distribution):
    """torch.distributions.FisherSnedecor."""

    arg_constraints = {"df1": constraint_positive, "df2": constraint_positive}
    support = constraint_positive
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_numbers(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.shape, validate_args=validate_args)

    @property
    def mean(self):
        return without(self.df2 / (self.df2 - 2), self.df2 <= 2)

    @property
    def mode(self):
        return without((self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), self.df1 <= 2)

    @property
    def variance(self):
        found = 2 * self.df2**2 * (self.df1 + self.df2 - 2)
        return without(found / (self.df1 * (self.df2 - 2) ** 2 * (self.df2 - 4)), self.df2 <= 4)

    def rsample(self, sample_shape=()):
        least = float(np.finfo(np.float32).tiny)
        above, below = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        return ops.clamp(above / ops.clamp(below, min=least), min=least)

    def log_prob(self, value):
        self._validate_sample(value)
        one, other, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        found = one * log(ratio) + (one - 1) * log(value) - log_beta(one, other)
        return found - (one + other) * log1p(ratio * value)


def without(value, missing):
    """Values, NaN where they are missing."""
    return ops.where(missing, ops.full_like(value, math.nan), value)


class GeneralizedPareto(Distribution):
    """torch.distributions.GeneralizedPareto."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive, "concentration": constraint_real}
    has_rsample = True

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_numbers(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mode = property(lambda self: self.loc)

    @dependent_property
    def support(self):
        ends = self.concentration < 0
        upper = self.loc - self.scale / self._concentration()
        return Interval(self.loc, ops.where(ends, upper, ops.full_like(upper, math.inf)))

    def _is_exponential(self):
        return ops.isclose(self.concentration, ops.zeros_like(self.concentration))

    def _concentration(self):
        """The concentration, 1 where it is 0 and another formula holds."""
        return ops.where(self._is_exponential(), ops.ones_like(self.concentration), self.concentration)

    @property
    def mean(self):
        exists = self.concentration < 1
        kept = ops.where(exists, self.concentration, ops.full_like(self.concentration, 0.5))
        return without(self.loc + self.scale / (1 - kept), ops.logical_not(exists))

    @property
    def variance(self):
        exists = self.concentration < 0.5
        kept = ops.where(exists, self.concentration, ops.full_like(self.concentration, 0.25))
        return without(self.scale**2 / ((1 - kept) ** 2 * (1 - 2 * kept)), ops.logical_not(exists))

    def rsample(self, sample_shape=()):
        return self.icdf(rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def log_prob(self, value):
        self._validate_sample(value)
        apart, kept = (value - self.loc) / self.scale, self._concentration()
        power = 1 / kept + ops.ones_like(apart)
        found = ops.where(power == 0, power, power * log1p(kept * apart))
        return -log(self.scale) - ops.where(self._is_exponential(), apart, found)

    def log_survival_function(self, value):
        self._validate_sample(value)
        apart, kept = (value - self.loc) / self.scale, self._concentration()
        return ops.where(self._is_exponential(), -apart, -log1p(kept * apart) / kept)

    def log_cdf(self, value):
        return log1p(-exp(self.log_survival_function(value)))

    def cdf(self, value):
        return exp(self.log_cdf(value))

    def icdf(self, value):
        kept, share = self._concentration(), log1p(-value)
        found = self.loc + self.scale / kept * expm1(-kept * share)
        return ops.where(self._is_exponential(), self.loc - self.scale * share, found)

    def entropy(self):
        return log(self.scale) + self.concentration + 1


class LogarithmOfBessel(Function):
    """The logarithm of the modified Bessel function of order 0, whose slope is the ratio of order 1 to it."""

    @staticmethod
    def forward(ctx, input):
        values = input.asnumpy()
        ctx.ratio = special.i1e(values) / special.i0e(values)
        return mindspore.Tensor((np.log(special.i0e(values)) + np.abs(values)).astype(values.dtype))

    @staticmethod
    def backward(ctx, gradient):
        return gradient * mindspore.Tensor(ctx.ratio).astype(gradient.dtype)


class VonMises(Distribution):
    """torch.distributions.VonMises."""

    arg_constraints = {"loc": constraint_real, "concentration": constraint_positive}
    support = constraint_real

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_numbers(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)

    @property
    def variance(self):
        values = self.concentration.asnumpy()
        ratio = special.i1e(values) / special.i0e(values)
        return mindspore.Tensor((1 - ratio).astype(values.dtype))

    def sample(self, sample_shape=()):
        """Drawn values, in double precision, after Best and Fisher: what a wrapped Cauchy distribution gives,
        drawn again until it is taken."""
        shape = self._extended_shape(sample_shape)
        loc, sharpness = (one.asnumpy().astype(np.float64) for one in (self.loc, self.concentration))
        proposed = proposals_of(sharpness)
        found, done = np.zeros(shape), np.zeros(shape, bool)
        while not done.all():
            shares = default_generator.uniform(3 * math.prod(shape)).reshape(3, *shape)
            turn = np.cos(np.pi * shares[0])
            angle = (1 + proposed * turn) / (proposed + turn)
            cost = sharpness * (proposed - angle)
            with np.errstate(all="ignore"):
                taken = (cost * (2 - cost) > shares[1]) | (np.log(cost / shares[1]) + 1 - cost >= 0)
                found = np.where(taken, np.sign(shares[2] - 0.5) * np.arccos(angle), found)
            done |= taken
        turned = (found + np.pi + loc) % (2 * np.pi) - np.pi
        return mindspore.Tensor(turned).astype(self.loc.dtype)

    def log_prob(self, value):
        self._validate_sample(value)
        found = self.concentration * ops.cos(value - self.loc) - math.log(2 * math.pi)
        return found - LogarithmOfBessel.apply(self.concentration)


def proposals_of(sharpness):
    """How the wrapped Cauchy distribution is wound from which VonMises draws."""
    root = 1 + np.sqrt(1 + 4 * sharpness**2)
    rho = (root - np.sqrt(2 * root)) / (2 * sharpness)
    return np.where(sharpness < 1e-5, 1 / sharpness + sharpness, (1 + rho**2) / (2 * rho))
