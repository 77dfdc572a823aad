"""Further distributions: what they draw from a seed, densities, entropies, moments and their gradients."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
INPUTS = {
    "x": "normal(3, 4)",
    "y": "normal(3, 4)",
    "s": "uniform(3, 4)",
    "t": "uniform(3, 4)",
    "v": "uniform(2, 3, 4)",
}
DRAWN = "sample.sample(), sample.sample((2,)), "
MOMENTS = "sample.mean, sample.variance, list(sample.batch_shape), list(sample.event_shape)"


def distribution(kind: str, made: str, value: str, *more: str, draws: bool = True) -> None:
    """A distribution: what it draws, its densities and moments, what `more` says of it, and gradients of a density."""
    parts = [
        DRAWN if draws else "",
        f"sample.log_prob({value}), {MOMENTS}",
        *(f", sample.{one}" for one in more),
    ]
    source = f"manual_seed(4)\nsample = {kind}({made})\nresult = [{''.join(parts)}]\n"
    source += f"result += gradients(lambda x, y, s, t: {kind}({made}).log_prob({value}).sum(), x, y, s, t)"
    module = "gamma." if kind == "Gamma" else ""
    apis = f"torch.manual_seed torch.distributions.{module}{kind}"
    CASES.append(script(apis, source, inputs=INPUTS, tolerance=3e-5))


distribution("Gamma", "s + 1 + 0 * x + 0 * y, t", "v", "entropy()", "mode", draws=True)
distribution("Gamma", "s + 0 * x + 0 * y + 0 * t, 2.0", "v")
distribution("Chi2", "s * 4 + 0 * x + 0 * y + 0 * t", "v", "entropy()", "df")
distribution("Dirichlet", "s * 3 + 0 * x + 0 * y + 0 * t", "s / s.sum(-1)[..., None]", "entropy()")
distribution("Beta", "s + 1 + 0 * x + 0 * y, t * 3", "v", "entropy()", "mode", "concentration0")
distribution("Beta", "2.0 + 0 * x[0] + 0 * y[0] + 0 * s[0] + 0 * t[0], 3.0", "v")
distribution("StudentT", "s * 4 + 3, x, t + 0 * y", "v", "entropy()", "mode")
distribution("Cauchy", "x, s + 0 * y + 0 * t", "v", "entropy()", "mode", "cdf(v)", "icdf(v)")
distribution("HalfNormal", "s + 0 * x + 0 * y + 0 * t", "v", "entropy()", "cdf(v)", "icdf(v)")
distribution("HalfCauchy", "s + 0 * x + 0 * y + 0 * t", "v", "entropy()")
distribution("Gumbel", "x, s + 0 * y + 0 * t", "v", "entropy()", "mode", "cdf(x + s / 3)")
distribution("Weibull", "s, t + 1 + 0 * x + 0 * y", "v", "entropy()")
distribution("Pareto", "s, t + 1 + 0 * x + 0 * y", "v + s", "entropy()")
distribution("Poisson", "s * 3 + 0 * x + 0 * y + 0 * t", "(v * 5).round()", draws=False)
distribution("Geometric", "s + 0 * x + 0 * y + 0 * t", "(v * 5).round()", "entropy()")
distribution("Geometric", "logits=x + 0 * s + 0 * y + 0 * t", "(v * 5).round()", "probs")
distribution("Binomial", "5, s + 0 * x + 0 * y + 0 * t", "(v * 5).round()", "mode", draws=False)
distribution("Binomial", "5, logits=x + 0 * s + 0 * y + 0 * t", "(v * 5).round()", draws=False)
distribution("NegativeBinomial", "s * 5, logits=x + 0 * y + 0 * t", "(v * 5).round()", draws=False)
NOTHING = "0 * x + 0 * y"
distribution("ContinuousBernoulli", f"s + {NOTHING} + 0 * t", "v", "entropy()", "cdf(v)", "icdf(v)", "logits")
distribution(
    "ContinuousBernoulli", "logits=x / 100 + 0 * y + 0 * s + 0 * t", "v", "entropy()", "cdf(v)", "probs"
)
distribution("FisherSnedecor", f"s * 4 + 2, t * 6 + 4 + {NOTHING}", "v", "mode")
distribution(
    "GeneralizedPareto",
    "x, s, y * 0.2 + 0 * t",
    "x + s * v / 9",
    "entropy()",
    "mode",
    "cdf(x + s / 9)",
    "log_cdf(x + s / 9)",
    "icdf(v)",
)
distribution("GeneralizedPareto", f"x, s, {NOTHING} + 0 * t", "x + v", "cdf(x + v)", "icdf(v)")
distribution("InverseGamma", f"s * 2 + 2, t + {NOTHING}", "v", "entropy()", "mode", "concentration", "rate")
distribution("Kumaraswamy", f"s * 2 + 1, t * 2 + 1 + {NOTHING}", "v", "entropy()")
distribution("VonMises", "x, s * 5 + 0 * y + 0 * t", "v", "mode")
distribution("VonMises", "x, s * 0.001 + 0 * y + 0 * t", "v")
COUNTS = "tensor(np.array([[5, 0, 0, 0], [1, 2, 1, 1], [0, 3, 2, 0]], np.float32))"
distribution("Multinomial", "5, s + 0 * x + 0 * y + 0 * t", COUNTS)
distribution(
    "OneHotCategoricalStraightThrough",
    "logits=x + 0 * s + 0 * y + 0 * t",
    "tensor(np.eye(4, dtype='f')[[0, 2, 1]])",
    "entropy()",
)
for made in ("0.5, s + 0 * x + 0 * y + 0 * t", "0.7, logits=x + 0 * s + 0 * y + 0 * t"):
    for kind, value in (("RelaxedBernoulli", "v"), ("RelaxedOneHotCategorical", "s / s.sum(-1)[..., None]")):
        given = made.replace("0.5", "tensor(np.float32(0.5))").replace("0.7", "tensor(np.float32(0.7))")
        source = f"manual_seed(4)\nsample = {kind}({given})\nresult = [sample.rsample(), sample.sample((2,)), sample.probs,"
        source += f" sample.log_prob({value})]\nresult += gradients(lambda x, s: {kind}({given}).log_prob({value}).sum(), x, s)"
        CASES.append(
            script(f"torch.manual_seed torch.distributions.{kind}", source, inputs=INPUTS, tolerance=3e-5)
        )
MIXED = "torch.manual_seed torch.distributions.MixtureSameFamily torch.distributions.Categorical torch.distributions.Normal"
CASES += [
    script(
        MIXED,
        "manual_seed(4)\nmade = lambda x, y, s: MixtureSameFamily(Categorical(logits=y), Normal(x, s))\nsample = made(x, y, s)\n"
        "value = v[..., 0]\nresult = [sample.sample(), sample.sample((2, 3)), sample.log_prob(value), sample.mean,\n"
        "          sample.variance, sample.cdf(value), list(sample.batch_shape), list(sample.event_shape)]\n"
        "result += gradients(lambda x, y, s: made(x, y, s).log_prob(value).sum(), x, y, s)",
        inputs=INPUTS,
        tolerance=3e-5,
    ),
    script(
        f"{MIXED} torch.distributions.Independent",
        "manual_seed(4)\nsample = MixtureSameFamily(Categorical(logits=y[:, 0]), Independent(Normal(x, s), 1))\n"
        "result = [sample.sample((2,)), sample.log_prob(v), sample.mean, sample.variance, list(sample.event_shape)]",
        inputs=INPUTS,
        tolerance=3e-5,
    ),
    script(
        "torch.distributions.gamma.Gamma torch.distributions.Beta torch.distributions.Dirichlet"
        " torch.distributions.Poisson torch.distributions.kl_divergence",
        "result = [kl_divergence(Gamma(s, t), Gamma(t, s)), kl_divergence(Beta(s, t), Beta(t, s)),\n"
        "          kl_divergence(Dirichlet(s), Dirichlet(t)), kl_divergence(Poisson(s), Poisson(t))]",
        inputs=INPUTS,
        tolerance=1e-4,
    ),
    script(
        "torch.distributions.Binomial torch.distributions.Geometric torch.distributions.Cauchy"
        " torch.distributions.ContinuousBernoulli torch.distributions.Gumbel torch.distributions.Pareto"
        " torch.distributions.HalfNormal torch.distributions.LogNormal torch.distributions.InverseGamma"
        " torch.distributions.LowRankMultivariateNormal torch.distributions.kl_divergence",
        "p, q = s * 0.8 + 0.1, t * 0.8 + 0.1\n"
        "result = [kl_divergence(Binomial(tensor(np.array([5.0, 4, 3, 2], 'f')), p), Binomial(tensor(np.array([5.0, 4, 3, 1], 'f')), q)),\n"
        "    kl_divergence(Geometric(p), Geometric(q)), kl_divergence(Cauchy(x, p), Cauchy(y, q)),\n"
        "    kl_divergence(ContinuousBernoulli(p), ContinuousBernoulli(q)), kl_divergence(Gumbel(x, p), Gumbel(y, q)),\n"
        "    kl_divergence(Pareto(p, q), Pareto(q, p)), kl_divergence(HalfNormal(p), HalfNormal(q)),\n"
        "    kl_divergence(LogNormal(x, p), LogNormal(y, q)), kl_divergence(InverseGamma(p, q), InverseGamma(q, p)),\n"
        "    kl_divergence(LowRankMultivariateNormal(x, s[..., None], p), LowRankMultivariateNormal(y, t[..., None], q))]",
        inputs=INPUTS,
        tolerance=1e-4,
    ),
    script(
        "torch.manual_seed torch._standard_gamma",
        "result = gradients(lambda s: (manual_seed(4), _standard_gamma(s * 3).sum())[1], s)",
        inputs=INPUTS,
        tolerance=3e-3,
    ),
    script(
        "torch.manual_seed torch._sample_dirichlet",
        "manual_seed(4)\nresult = _sample_dirichlet(s * 3)",
        inputs=INPUTS,
        gradients=False,
    ),
    script(
        "torch.Generator torch._sample_dirichlet torch._standard_gamma",
        "drawn = Generator().manual_seed(3)\n"
        "result = _sample_dirichlet(s * 2, drawn), _sample_dirichlet(s, generator=drawn), _standard_gamma(s, drawn)",
        inputs=INPUTS,
        gradients=False,
    ),
    script(
        "torch.manual_seed torch.distributions.gamma.Gamma",
        "result = gradients(lambda s: (manual_seed(4), Gamma(s * 3, 2.0).rsample((2,)).sum())[1], s)",
        inputs=INPUTS,
        tolerance=3e-3,
    ),
    script(
        "torch.distributions.Poisson torch.distributions.Binomial torch.distributions.NegativeBinomial",
        "result = [Poisson(s * 3).sample((4000,)), Binomial(7, s).sample((4000,)), NegativeBinomial(3, t).sample((4000,))]",
        inputs={name: INPUTS[name] for name in "st"}
        | {"s": "uniform(3, 4)", "t": "uniform(3, 4) * np.float32(0.6)"},
        random="np.round(np.stack([v.mean(0) for v in result]) / 4)",
        tolerance=1.0,
    ),
    script(
        "torch.distributions.ExponentialFamily torch.distributions.gamma.Gamma torch.distributions.Distribution",
        "result = [issubclass(Gamma, ExponentialFamily), issubclass(ExponentialFamily, Distribution)]",
    ),
    script(
        "torch.manual_seed torch.distributions.LogisticNormal",
        "manual_seed(4)\nsample = LogisticNormal(x, s)\nvalue = sample.sample()\nresult = [value, sample.sample((2,)),"
        " sample.log_prob(value), sample.loc, list(sample.event_shape)]\n"
        "result += gradients(lambda x, s: LogisticNormal(x, s).log_prob(value).sum(), x, s)",
        inputs=INPUTS,
        tolerance=1e-4,
    ),
    *(
        script(
            f"torch.manual_seed torch.distributions.{module}.{kind}",
            f"manual_seed(4)\nsample = {kind}(tensor(np.float32(0.6)), {given})\nresult = [sample.rsample(), sample.sample((2,)),"
            f" sample.probs, sample.logits, sample.log_prob(y)]\n"
            f"result += gradients(lambda x, s, y: {kind}(tensor(np.float32(0.6)), {given}).log_prob(y).sum(), x, s, y)",
            inputs=INPUTS,
            tolerance=3e-5,
        )
        for module, kind in (
            ("relaxed_bernoulli", "LogitRelaxedBernoulli"),
            ("relaxed_categorical", "ExpRelaxedCategorical"),
        )
        for given in ("s + 0 * x", "logits=x + 0 * s")
    ),
    script(
        "torch.distributions.Bernoulli torch.distributions.Categorical torch.distributions.OneHotCategorical"
        " torch.distributions.Binomial torch.distributions.Independent",
        "result = [Bernoulli(s[0]).enumerate_support(), Categorical(logits=x).enumerate_support(False),\n"
        "          Categorical(logits=x).enumerate_support(), OneHotCategorical(logits=x).enumerate_support(),\n"
        "          Binomial(2, s).enumerate_support(), Independent(Bernoulli(s[0]), 0).enumerate_support(),\n"
        "          Bernoulli(s).has_enumerate_support, Independent(Bernoulli(s), 1).has_enumerate_support]",
        inputs=INPUTS,
    ),
    script(
        "torch.distributions.Normal torch.distributions.Uniform torch.distributions.Bernoulli"
        " torch.distributions.Categorical torch.distributions.MultivariateNormal torch.distributions.Distribution"
        " torch.distributions.constraints.positive",
        "def said(make):\n    try:\n        make()\n    except ValueError as error:\n"
        "        return str(error).replace('Parameter', 'Tensor').split('bound=')[0].split('found')[0]\n"
        "    return None\n"
        "wrong = s - 5\nresult = [said(lambda: Normal(x, wrong)), said(lambda: Normal(x, s)), said(lambda: Uniform(x, x)),\n"
        "    said(lambda: Bernoulli(s + 1)), said(lambda: Bernoulli(s).log_prob(s)), said(lambda: Bernoulli(s).log_prob(0.5)),\n"
        "    said(lambda: Categorical(s).log_prob(y[0, :3])), said(lambda: Normal(x, s).log_prob(y[:, :3])),\n"
        "    said(lambda: MultivariateNormal(x[0, :3], -y @ y.swapaxes(0, 1))), said(lambda: Normal(x, wrong, validate_args=False)),\n"
        "    sorted(Normal(x, s).arg_constraints), repr(Normal(x, s)), repr(Normal(x[0, 0] * 0, 1.0).arg_constraints['scale']),\n"
        "    positive.lower_bound]\n"
        "Distribution.set_default_validate_args(False)\nresult += [said(lambda: Normal(x, wrong))]\n"
        "Distribution.set_default_validate_args(True)",
        inputs=INPUTS,
        gradients=False,
    ),
    *(
        script(
            f"torch.distributions.{kind}",
            f"wide = {made}.expand((2, 3, 4))\nresult = [wide.mean, wide.variance, list(wide.batch_shape), list(wide.event_shape),"
            f" wide.log_prob({value})]",
            inputs=INPUTS,
            tolerance=3e-5,
        )
        for kind, made, value in (
            ("Beta", "Beta(s + 1, t)", "v"),
            ("InverseGamma", "InverseGamma(s + 3, t)", "v"),
            ("StudentT", "StudentT(s + 3, x, t)", "v"),
            ("Kumaraswamy", "Kumaraswamy(s + 1, t)", "v"),
            ("Bernoulli", "Bernoulli(logits=x)", "(v * 1).round()"),
        )
    ),
    script(
        "torch.distributions.utils.broadcast_all torch.distributions.utils.logits_to_probs"
        " torch.distributions.utils.probs_to_logits",
        "result = [broadcast_all(x, 1.0), logits_to_probs(x), logits_to_probs(x, True), probs_to_logits(s),\n"
        "          probs_to_logits(s, is_binary=True)]",
        inputs=INPUTS,
    ),
    script(
        "torch.manual_seed torch.distributions.utils._standard_normal",
        "manual_seed(4)\nresult = [_standard_normal((2, 3), dtype=float32, device='cpu')]",
    ),
]
