"""Distributions of matrices, transforms to them, the transforms for constraints, and Sobol sequences."""

from __future__ import annotations

from case import Case, script

INPUTS = {
    "x": "normal(2, 3)",
    "y": "normal(2, 3, 3)",
    "s": "uniform(2, 3)",
    "t": "uniform(2)",
}
COVARIANCE = "covariance = y @ y.swapaxes(-1, -2) + s.sum() * tensor(np.eye(3, dtype='f'))\n"
MOMENTS = "sample.mean, sample.variance, list(sample.batch_shape), list(sample.event_shape)"
FACTOR = "np.tril(normal(2, 3, 3)) * np.float32(0.2) + np.eye(3, dtype=np.float32)"
DRAWN = "sample.sample(), sample.sample((2,)), "


def distribution(kind: str, made: str, more: str = "", *, first: str = "") -> Case:
    """A distribution: what it draws, the densities of that, its moments, and the gradients of a density."""
    source = f"{first}manual_seed(4)\nmake = lambda x, y, s, t: {kind}({made})\nsample = make(x, y, s, t)\n"
    source += f"value = sample.sample()\nresult = [value, {DRAWN}sample.log_prob(value){more}]\n"
    source += "result += gradients(lambda x, y, s, t: make(x, y, s, t).log_prob(value).sum(), x, y, s, t)"
    return script(f"torch.manual_seed torch.distributions.{kind}", source, inputs=INPUTS, tolerance=1e-4)


def transform(kind: str, made: str, value: str, *more: str) -> Case:
    """A transform: where it leads, back again, its shapes and determinants."""
    source = f"made = {made}\nhere = {value}\nthere = made(here)\n"
    source += "result = [there, made.inv(there), list(made.forward_shape(here.shape)), made.bijective,"
    source += f" list(made.inverse_shape(there.shape)), made.codomain.check(there), {', '.join(more)}]"
    return script(f"torch.distributions.{kind}", source, inputs=INPUTS, tolerance=1e-4)


DETERMINANT = "made.log_abs_det_jacobian(here, there)"
CONSTRAINTS = "torch.distributions.constraints"
CASES: list[Case] = [
    distribution(
        "LowRankMultivariateNormal",
        "x, y[..., :2], s + 0 * t[:, None]",
        f", {MOMENTS}, sample.covariance_matrix, sample.precision_matrix, sample.scale_tril, sample.entropy()",
    ),
    distribution(
        "LowRankMultivariateNormal", "x[0] + 0 * t.sum() + 0 * s.sum(), y[..., :1], s[0]", f", {MOMENTS}"
    ),
    distribution("LKJCholesky", "3, t + 0.5 + 0 * (x.sum() + y.sum() + s.sum())"),
    distribution("LKJCholesky", "2, 1.5 + 0 * (x.sum() + y.sum() + s.sum() + t.sum())"),
    distribution(
        "Wishart",
        "t + 4, scale_tril=tensor(np.eye(3, dtype='f')) * (s[:, None] + 0 * x[:, None] + 0 * y)",
        f", {MOMENTS}, sample.covariance_matrix, sample.entropy(), sample.precision_matrix",
    ),
    script(
        "torch.manual_seed torch.distributions.Wishart torch.distributions.MultivariateNormal",
        COVARIANCE
        + "manual_seed(4)\nfound = [Wishart(5.0, covariance[0]), Wishart(5.0, precision_matrix=covariance[0]),\n"
        "    MultivariateNormal(x, covariance), MultivariateNormal(x, precision_matrix=covariance)]\n"
        "result = [[one.mean, one.variance, one.sample(), one.scale_tril, one.precision_matrix, one.entropy()] for one in found]\n"
        "result += [one.expand((3, 2)).mean for one in found] + [one.expand((3, 2)).sample() for one in found]",
        inputs=INPUTS,
        tolerance=3e-4,
    ),
    transform(
        "StickBreakingTransform",
        "StickBreakingTransform()",
        "x",
        DETERMINANT,
        "made == StickBreakingTransform()",
    ),
    transform("CorrCholeskyTransform", "CorrCholeskyTransform()", "x", DETERMINANT),
    transform("LowerCholeskyTransform", "LowerCholeskyTransform()", "y"),
    transform("PositiveDefiniteTransform", "PositiveDefiniteTransform()", "y"),
    script(
        "torch.distributions.CatTransform torch.distributions.StackTransform torch.distributions.ExpTransform"
        " torch.distributions.SigmoidTransform",
        "found = [CatTransform([ExpTransform(), SigmoidTransform()], 1, [1, 2]), StackTransform([ExpTransform(), SigmoidTransform()])]\n"
        "result = [[one(x), one.inv(one(x)), one.log_abs_det_jacobian(x, one(x)), one.domain.check(x), one.codomain.check(one(x)),\n"
        "    one.bijective, one.codomain.event_dim, one.codomain.is_discrete] for one in found]",
        inputs=INPUTS,
    ),
    script(
        "torch.distributions.CumulativeDistributionTransform torch.distributions.Normal",
        "made = CumulativeDistributionTransform(Normal(x, s))\nresult = [made(x + s), made.inv(s), made.log_abs_det_jacobian(x, s),\n"
        "    made.codomain.check(s), made.domain.check(x)]",
        inputs=INPUTS,
    ),
    script(
        "torch.distributions.utils.tril_matrix_to_vec torch.distributions.utils.vec_to_tril_matrix",
        "result = [tril_matrix_to_vec(y), tril_matrix_to_vec(y, -1), tril_matrix_to_vec(y, 1), vec_to_tril_matrix(x),\n"
        "    vec_to_tril_matrix(x, -1)]\nresult += gradients(lambda x: (vec_to_tril_matrix(x) ** 2).sum(), x)",
        inputs=INPUTS,
    ),
    script(
        f"torch.distributions.biject_to torch.distributions.transform_to {CONSTRAINTS}.real {CONSTRAINTS}.positive"
        f" {CONSTRAINTS}.nonnegative {CONSTRAINTS}.greater_than {CONSTRAINTS}.greater_than_eq {CONSTRAINTS}.less_than"
        f" {CONSTRAINTS}.interval {CONSTRAINTS}.half_open_interval {CONSTRAINTS}.unit_interval {CONSTRAINTS}.simplex"
        f" {CONSTRAINTS}.corr_cholesky {CONSTRAINTS}.independent {CONSTRAINTS}.real_vector",
        "kinds = [real, positive, nonnegative, greater_than(1.0), greater_than_eq(s), less_than(-2.0), interval(-1.0, 2.0),\n"
        "    half_open_interval(0.0, 3.0), unit_interval, simplex, corr_cholesky, independent(positive, 1), real_vector]\n"
        "result = []\nfor registry in (biject_to, transform_to):\n    for kind in kinds:\n        made = registry(kind)\n"
        "        there = made(x)\n        result += [there, made.inv(there), kind.check(there), type(made).__name__]",
        inputs=INPUTS,
    ),
    script(
        f"torch.distributions.biject_to torch.distributions.transform_to {CONSTRAINTS}.lower_cholesky {CONSTRAINTS}.cat"
        f" {CONSTRAINTS}.positive_definite {CONSTRAINTS}.positive_semidefinite {CONSTRAINTS}.stack {CONSTRAINTS}.real"
        f" {CONSTRAINTS}.positive {CONSTRAINTS}.boolean",
        "kinds = [lower_cholesky, positive_definite, positive_semidefinite]\n"
        "result = [[transform_to(kind)(y), kind.check(transform_to(kind)(y))] for kind in kinds]\n"
        "joined = [cat([real, positive], 1, [1, 2]), stack([positive, real], 0)]\n"
        "result += [[biject_to(kind)(x), transform_to(kind)(x), kind.check(x), kind.event_dim, kind.is_discrete] for kind in joined]\n"
        "def fails(kind):\n    try:\n        biject_to(kind)\n    except NotImplementedError as error:\n        return str(error)\n"
        "result += [fails(boolean).lower().replace('_', '')]",
        inputs=INPUTS,
    ),
    script(
        f"torch.distributions.constraint_registry.ConstraintRegistry {CONSTRAINTS}.positive {CONSTRAINTS}.greater_than"
        f" {CONSTRAINTS}.Constraint torch.distributions.ExpTransform",
        "registry = ConstraintRegistry()\n\n@registry.register(positive)\ndef made(kind):\n    return ExpTransform(), kind.lower_bound\n\n"
        "class _Softer(type(positive)):\n    def __init__(self):\n        super().__init__(lower_bound=2.0)\n\n"
        "registry.register(_Softer, lambda kind: ('softer', kind.lower_bound))\n"
        "try:\n    registry.register(3, made)\nexcept TypeError as error:\n    wrong = str(error)\n"
        "result = [registry(positive)[1], registry(greater_than(3.0))[1], registry(_Softer()), _Softer().check(x), wrong,\n"
        "    isinstance(positive, greater_than), isinstance(positive, Constraint), repr(positive), repr(_Softer())]",
        inputs=INPUTS,
        gradients=False,
    ),
    script(
        f"{CONSTRAINTS}.multinomial {CONSTRAINTS}.MixtureSameFamilyConstraint {CONSTRAINTS}.positive {CONSTRAINTS}.simplex"
        f" {CONSTRAINTS}.corr_cholesky {CONSTRAINTS}.square {CONSTRAINTS}.symmetric {CONSTRAINTS}.lower_triangular"
        f" {CONSTRAINTS}.boolean {CONSTRAINTS}.one_hot {CONSTRAINTS}.integer_interval {CONSTRAINTS}.independent",
        "kinds = [multinomial(3), MixtureSameFamilyConstraint(positive), simplex, corr_cholesky, square, symmetric, lower_triangular,\n"
        "    boolean, one_hot, integer_interval(0, 2), independent(positive, 1)]\n"
        "given = [s.round(), abs(y), s / s.sum(-1)[:, None], y, y * 0 + tensor(np.eye(3, dtype='f'))]\n"
        "result = [[kind.event_dim, kind.is_discrete] + [kind.check(one) for one in given if one.ndim >= kind.event_dim] for kind in kinds\n"
        "    if kind.event_dim < 2]\n"
        "result += [kind.check(one) for kind in kinds for one in given if kind.event_dim == 2 and one.ndim == 3]\n"
        "result += [repr(kind) for kind in kinds]",
        inputs=INPUTS,
    ),
    script(
        "torch.quasirandom.SobolEngine torch.manual_seed",
        "plain, scrambled = SobolEngine(3), SobolEngine(5, scramble=True, seed=7)\n"
        "result = [plain.draw(), plain.draw(3), plain.draw(dtype=float64), plain.num_generated, plain.fast_forward(4).draw(2),\n"
        "    plain.reset().draw(2), scrambled.draw(5), scrambled.draw(1, dtype=float64),\n"
        "    scrambled.reset().draw_base2(3), repr(scrambled), SobolEngine.MAXDIM]\n"
        "manual_seed(5)\nresult += [SobolEngine(2, scramble=True).draw(4), SobolEngine(40).draw(20)]\n"
        "try:\n    SobolEngine(3).fast_forward(3).draw_base2(2)\nexcept ValueError as error:\n    result += [str(error)[:60]]",
        gradients=False,
    ),
]
