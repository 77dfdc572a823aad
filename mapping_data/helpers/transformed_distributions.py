"""Distributions that are transforms of others."""

import math

import numpy as np
from mindspore import ops


class LogNormal(TransformedDistribution):
    """torch.distributions.LogNormal."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_positive
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: exp(self.loc + self.scale**2 / 2))
    mode = property(lambda self: exp(self.loc - self.scale**2))
    variance = property(lambda self: expm1(self.scale**2) * exp(2 * self.loc + self.scale**2))

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class FoldedDistribution(TransformedDistribution):
    """The magnitude of what another distribution around 0 gives."""

    support = constraint_nonnegative
    has_rsample = True

    def log_prob(self, value):
        self._validate_sample(value)
        (value,) = broadcast_numbers(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return ops.where(value >= 0, found, ops.full_like(found, -math.inf))

    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: ops.zeros_like(self.scale))

    def cdf(self, value):
        self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(FoldedDistribution):
    """torch.distributions.HalfNormal."""

    arg_constraints = {"scale": constraint_positive}

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, False), AbsTransform(), validate_args)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))


class HalfCauchy(FoldedDistribution):
    """torch.distributions.HalfCauchy."""

    arg_constraints = {"scale": constraint_positive}

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, False), AbsTransform(), validate_args)

    mean = property(lambda self: ops.full_like(self.scale, math.inf))
    variance = property(lambda self: self.base_dist.variance)


class Gumbel(TransformedDistribution):
    """torch.distributions.Gumbel."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_real
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_numbers(loc, scale)
        limits = np.finfo(np.float32)
        ends = (ops.full_like(self.loc, float(end)) for end in (limits.tiny, 1 - limits.eps))
        turned = -ops.ones_like(self.scale)
        transforms = [
            ExpTransform().inv,
            AffineTransform(0, turned),
            ExpTransform().inv,
            AffineTransform(self.loc, -self.scale),
        ]
        super().__init__(Uniform(*ends, validate_args), transforms, validate_args)

    mean = property(lambda self: self.loc + self.scale * np.euler_gamma)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance = property(lambda self: self.stddev**2)

    def log_prob(self, value):
        self._validate_sample(value)
        distance = (self.loc - value) / self.scale
        return distance - exp(distance) - log(self.scale)

    def cdf(self, value):
        return exp(-exp((self.loc - value) / self.scale))

    def entropy(self):
        return log(self.scale) + (1 + np.euler_gamma)

    def _divergence(self, other):
        ratio, apart = self.scale / other.scale, (self.loc - other.loc) / other.scale
        found = apart - log(ratio) + ratio * np.euler_gamma + exp(ops.lgamma(1 + ratio) - apart)
        return found - (1 + np.euler_gamma)


class Weibull(TransformedDistribution):
    """torch.distributions.Weibull."""

    arg_constraints = {"scale": constraint_positive, "concentration": constraint_positive}
    support = constraint_positive
    has_rsample = True

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_numbers(scale, concentration)
        self.concentration_reciprocal = 1 / self.concentration
        base = Exponential(ops.ones_like(self.scale), validate_args)
        transforms = [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]
        super().__init__(base, transforms, validate_args)

    mean = property(lambda self: self.scale * exp(ops.lgamma(1 + 1 / self.concentration)))

    @property
    def variance(self):
        first, second = (ops.lgamma(1 + power / self.concentration) for power in (1, 2))
        return self.scale**2 * (exp(second) - exp(2 * first))

    def entropy(self):
        return np.euler_gamma * (1 - 1 / self.concentration) + log(self.scale / self.concentration) + 1


class Pareto(TransformedDistribution):
    """torch.distributions.Pareto."""

    arg_constraints = {"alpha": constraint_positive, "scale": constraint_positive}
    has_rsample = True

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_numbers(scale, alpha)
        base = Exponential(self.alpha, validate_args)
        super().__init__(base, [ExpTransform(), AffineTransform(0, self.scale)], validate_args)

    mode = property(lambda self: self.scale)
    support = dependent_property(lambda self: GreaterThanEq(self.scale), is_discrete=False, event_dim=0)

    @property
    def mean(self):
        above = ops.clamp(self.alpha, min=1)
        return above * self.scale / (above - 1)

    @property
    def variance(self):
        above = ops.clamp(self.alpha, min=2)
        return self.scale**2 * above / ((above - 1) ** 2 * (above - 2))

    def entropy(self):
        return log(self.scale / self.alpha) + (1 + 1 / self.alpha)

    def _divergence(self, other):
        ratio = other.alpha / self.alpha
        found = other.alpha * log(self.scale / other.scale) - log(ratio) + ratio - 1
        return ops.where(self.scale < other.scale, ops.full_like(found, math.inf), found)


class InverseGamma(TransformedDistribution):
    """torch.distributions.InverseGamma."""

    arg_constraints = {"concentration": constraint_positive, "rate": constraint_positive}
    support = constraint_positive
    has_rsample = True

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args)
        super().__init__(base, PowerTransform(-ops.ones((), dtype=base.rate.dtype)), validate_args)

    concentration = property(lambda self: self.base_dist.concentration)
    rate = property(lambda self: self.base_dist.rate)
    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def mean(self):
        found = self.rate / (self.concentration - 1)
        return ops.where(self.concentration > 1, found, ops.full_like(found, math.inf))

    @property
    def variance(self):
        found = self.rate**2 / ((self.concentration - 1) ** 2 * (self.concentration - 2))
        return ops.where(self.concentration > 2, found, ops.full_like(found, math.inf))

    def entropy(self):
        found = self.concentration + log(self.rate) + ops.lgamma(self.concentration)
        return found - (1 + self.concentration) * ops.digamma(self.concentration)


class Kumaraswamy(TransformedDistribution):
    """torch.distributions.Kumaraswamy."""

    arg_constraints = {"concentration1": constraint_positive, "concentration0": constraint_positive}
    support = constraint_unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_numbers(concentration1, concentration0)
        zeros = ops.zeros_like(self.concentration0)
        transforms = [
            PowerTransform(1 / self.concentration0),
            AffineTransform(1.0, -1.0),
            PowerTransform(1 / self.concentration1),
        ]
        super().__init__(Uniform(zeros, zeros + 1, validate_args), transforms, validate_args)

    def _moment(self, order):
        power = 1 + order / self.concentration1
        return self.concentration0 * exp(log_beta(power, self.concentration0))

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self.mean**2)

    @property
    def mode(self):
        found = log1p(-self.concentration0) / self.concentration0
        found = exp(found - log1p(-self.concentration0 * self.concentration1))
        return without(found, ops.logical_or(self.concentration0 < 1, self.concentration1 < 1))

    def entropy(self):
        harmonic = ops.digamma(self.concentration0 + 1) + np.euler_gamma
        found = 1 - 1 / self.concentration0 + (1 - 1 / self.concentration1) * harmonic
        return found - log(self.concentration1) - log(self.concentration0)


class LogisticNormal(TransformedDistribution):
    """torch.distributions.LogisticNormal."""

    arg_constraints = {"loc": constraint_real, "scale": constraint_positive}
    support = constraint_simplex
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args)

    loc = property(lambda self: self.base_dist.base_dist.loc)
    scale = property(lambda self: self.base_dist.base_dist.scale)


class LogitRelaxedBernoulli(CountDistribution):
    """torch.distributions.relaxed_bernoulli.LogitRelaxedBernoulli."""

    arg_constraints = {"probs": constraint_unit_interval, "logits": constraint_real}
    support = constraint_real
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = broadcast_numbers(temperature)
        self.begin(probs, logits, validate_args)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        chances = within(ops.broadcast_to(self.probs, shape))
        shares = within(rand(shape, dtype=chances.dtype))
        return (logit(shares) + logit(chances)) / self.temperature

    def sample(self, sample_shape=()):
        return ops.stop_gradient(self.rsample(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = broadcast_numbers(self.logits, value)
        difference = logits - value * self.temperature
        return log(self.temperature) + difference - 2 * log1p(exp(difference))


class ExpRelaxedCategorical(Distribution):
    """torch.distributions.relaxed_categorical.ExpRelaxedCategorical."""

    arg_constraints = {"probs": constraint_simplex, "logits": constraint_real_vector}
    support = constraint_real_vector
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        (self.temperature,) = broadcast_numbers(temperature)
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,), validate_args)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)

    def rsample(self, sample_shape=()):
        shares = within(rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        return log_softmax((self.logits - log(-log(shares))) / self.temperature, -1)

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = broadcast_numbers(self.logits, value)
        count = self._event_shape[0]
        scale = math.lgamma(count) + log(self.temperature) * (count - 1)
        return log_softmax(logits - value * self.temperature, -1).sum(-1) + scale


class RelaxedDistribution(TransformedDistribution):
    """What stands for drawn classes, with gradients."""

    has_rsample = True
    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)


class RelaxedBernoulli(RelaxedDistribution):
    """torch.distributions.RelaxedBernoulli."""

    arg_constraints = {"probs": constraint_unit_interval, "logits": constraint_real}
    support = constraint_unit_interval

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args)


class RelaxedOneHotCategorical(RelaxedDistribution):
    """torch.distributions.RelaxedOneHotCategorical."""

    arg_constraints = {"probs": constraint_simplex, "logits": constraint_real_vector}
    support = constraint_simplex

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args)
        super().__init__(base, ExpTransform(), validate_args)
