"""Constraints, transforms of random variables, and distributions made with them."""

from __future__ import annotations

from case import Case, script

T = "torch.distributions."
C = "torch.distributions.constraints."
X = {"x": "normal(4, 3)", "y": "normal(4, 3)"}
SIMPLE = {
    "ExpTransform": "ExpTransform()",
    "SigmoidTransform": "SigmoidTransform()",
    "TanhTransform": "TanhTransform()",
    "SoftplusTransform": "SoftplusTransform()",
    "AffineTransform": "AffineTransform(0.5, 2.0)",
    "IndependentTransform ExpTransform": "IndependentTransform(ExpTransform(), 1)",
    "ReshapeTransform": "ReshapeTransform((3,), (3, 1))",
    "ComposeTransform AffineTransform TanhTransform": "ComposeTransform([AffineTransform(0.1, -0.5), TanhTransform()])",
    "ComposeTransform ExpTransform ReshapeTransform": "ComposeTransform([ExpTransform(), ReshapeTransform((3,), (1, 3))])",
}
CASES: list[Case] = []
for names, made in SIMPLE.items():
    apis = " ".join(T + name for name in names.split())
    CASES.append(
        script(
            apis,
            f"""
transform = {made}
z = transform(x)
back = transform.inv(z)
jacobian = transform.log_abs_det_jacobian(x, z)
result = [z, back, jacobian, transform.inv.log_abs_det_jacobian(z, back), transform.bijective,
    transform.domain.event_dim, transform.codomain.event_dim, list(transform.forward_shape((2, 3))), transform.inv.inv(x)]
""",
            inputs=X,
            tolerance=1e-4,
        )
    )
    CASES.append(
        script(
            apis,
            f"def total(x):\n    t = {made}\n    return (t.log_abs_det_jacobian(x, t(x)) * 2).sum() + t(x).sum()\n"
            "result = gradients(total, x)",
            inputs=X,
            tolerance=1e-4,
        )
    )
    base = "Independent(Normal(y * 0.1, y.abs() * 0.1 + 0.3), 1)"
    CASES.append(
        script(
            f"{apis} torch.distributions.TransformedDistribution torch.distributions.Normal torch.distributions.Independent "
            "torch.manual_seed",
            f"""
manual_seed(3)
made = TransformedDistribution({base}, [{made}])
z = made.rsample((2,))
result = [z, made.log_prob(z), list(made.batch_shape), list(made.event_shape), made.sample().shape[0]]
""",
            inputs=X,
            tolerance=1e-4,
        )
    )
CASES += [
    script(
        f"torch.distributions.TransformedDistribution torch.distributions.Normal {T}AffineTransform {T}SigmoidTransform",
        """
made = TransformedDistribution(Normal(y * 0, y * 0 + 1), [SigmoidTransform(), AffineTransform(1.0, -2.0)])
z = 0.0 - x.abs() / (1 + x.abs())
result = [made.log_prob(z), made.cdf(z), made.icdf(made.cdf(z)), made.support.event_dim]
""",
        inputs=X,
        tolerance=1e-3,
    ),
    script(
        f"{T}PowerTransform {T}AbsTransform {T}SoftmaxTransform {T}identity_transform",
        """
p = PowerTransform(2.0)
z = x.abs() + 0.1
result = [p(z), p.inv(z), p.log_abs_det_jacobian(z, p(z)), AbsTransform()(x), SoftmaxTransform()(x), identity_transform(x)]
""",
        inputs=X,
    ),
    script(
        f"{T}Transform {C}real {C}positive torch.distributions.Normal torch.distributions.TransformedDistribution",
        """
class Cube(Transform):
    domain = codomain = real
    bijective = True
    sign = 1
    def _call(self, x):
        return x ** 3 + x
    def log_abs_det_jacobian(self, x, y):
        return (3 * x ** 2 + 1).log()
cached = Cube(cache_size=1)
z = cached(x)
made = TransformedDistribution(Normal(y * 0, y * 0 + 1), cached)
result = [z, cached(x) is z, cached.inv(z) is x, made.log_prob(z), Cube() == Cube(), cached == cached, cached.with_cache(1) is cached]
""",
        inputs=X,
        tolerance=1e-4,
    ),
]
CASES += [
    script(
        f"{T}transforms._InverseTransform {T}ExpTransform {T}TanhTransform",
        "result = [isinstance(ExpTransform().inv, _InverseTransform), _InverseTransform(TanhTransform())(x * 0.1)]",
        inputs=X,
    ),
    script(
        f"{T}utils._sum_rightmost",
        "result = [_sum_rightmost(x, 0), _sum_rightmost(x, 1), _sum_rightmost(x, 2)]",
        inputs=X,
    ),
]
CHECKED = {
    "real": "x",
    "real_vector": "x",
    "positive": "x",
    "nonnegative": "x",
    "unit_interval": "x",
    "boolean": "(x > 0) * 1.0",
    "nonnegative_integer": "x.round()",
    "positive_integer": "x.round()",
    "simplex": "x.softmax(-1)",
    "one_hot": "(x > 0) * 1.0",
    "symmetric": "x @ x.t()",
    "square": "x @ x.t()",
    "positive_definite": "x.t() @ x",
    "positive_semidefinite": "x @ x.t() + eye(4)",
    "lower_triangular": "(x.t() @ x).tril()",
    "lower_cholesky": "(x.t() @ x).tril()",
}
CASES += [
    script(
        ("torch.eye " if "eye" in value else "") + C + name,
        f"c = {name}\nresult = [c.check({value}), c.event_dim, c.is_discrete]",
        inputs=X,
    )
    for name, value in CHECKED.items()
]
CASES += [
    script(
        f"{C}interval {C}half_open_interval {C}integer_interval {C}greater_than {C}less_than {C}greater_than_eq "
        f"{C}independent {C}dependent_property {C}dependent {C}is_dependent {C}Constraint",
        """
class Box:
    @dependent_property(is_discrete=False, event_dim=1)
    def support(self):
        return independent(interval(-1, 1), 1)
all_of = [interval(-1, 1), half_open_interval(-1, 1), integer_interval(0, 2), greater_than(0.2), less_than(0.5), greater_than_eq(0), Box().support]
result = [c.check(x) for c in all_of] + [c.event_dim for c in all_of] + [isinstance(c, Constraint) for c in all_of]
result += [is_dependent(dependent), is_dependent(all_of[0]), interval(2, 3).lower_bound, is_dependent(Box.support), Box.support.event_dim]
""",
        inputs=X,
    ),
]

for names, made in (
    ("Normal", "Normal(y, y.abs() + 1)"),
    ("Normal Independent", "Independent(Normal(y, y.abs() + 1), 1)"),
    ("Uniform", "Uniform(y, y + 2)"),
    ("Categorical", "Categorical(logits=y)"),
    ("Bernoulli", "Bernoulli(logits=y)"),
):
    value = {"Categorical": "x.abs().round().clamp(0, 2).long()[:, 0]", "Uniform": "y + 1"}.get(names, "x")
    CASES.append(
        script(
            " ".join(f"torch.distributions.{name}" for name in names.split()),
            f"""
first = {made}
made = first.expand((2, *first.batch_shape))
value = {value}
value = (value > 0) * 1.0 if {names!r} == "Bernoulli" else value
result = [list(made.batch_shape), list(made.event_shape), made.log_prob(value), first.support.event_dim]
""",
            inputs=X,
        )
    )
