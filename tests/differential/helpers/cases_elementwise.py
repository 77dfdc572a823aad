"""Functions of each element."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
MATRIX, SHARES, WHOLE, BOOLS = "normal(3, 4)", "uniform(3, 4)", "integers((3, 4), 9, 1)", "normal(3, 4) > 0"
SPECIAL = "np.array([-np.inf, -1.5, -0.0, 0.0, 2.5, np.inf, np.nan], np.float32)"


def calls(apis: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    """Each call with each of the APIs."""
    for api in apis.split():
        for made, x, *more in rows:
            CASES.append(function(f"torch.{api}", made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


def with_y(y: str, **options: object) -> dict[str, object]:
    """A second input."""
    return {"inputs": {"y": y}, **options}


FIXED: dict[str, object] = {"gradients": False}
OTHER, ROW = with_y(MATRIX), with_y("normal(4)")
WHOLES = with_y("integers((4,), 5, 1)", gradients=False)

calls(
    "add sub subtract",
    ("x, y", MATRIX, ROW),
    ("x, y, alpha=2", MATRIX, ROW),
    ("x, 3", WHOLE, FIXED),
    ("x, 1.5", WHOLE, FIXED),
    ("x, y", WHOLE, WHOLES),
    ("x, other=0.5", MATRIX),
)
calls("rsub", ("x, y", MATRIX, ROW), ("x, 2, alpha=3", MATRIX))
calls("true_divide", ("x, y", MATRIX, with_y("uniform(4)")), ("x, 2", WHOLE, FIXED), ("x, y", WHOLE, WHOLES))
calls("pow", ("x, 2", MATRIX), ("x, y", SHARES, ROW), ("2.0, x", MATRIX), ("x, exponent=3", WHOLE, FIXED))
calls(
    "remainder",
    ("x, 0.3", MATRIX),
    ("x, y", MATRIX, with_y("uniform(4)", fixed=("y",))),
    ("x, -3", WHOLE, FIXED),
    ("x, y", "integers((3, 4), 9, -9)", WHOLES),
)
calls("maximum minimum", ("x, y", MATRIX, ROW), ("x, y", BOOLS, with_y(BOOLS)), ("x, y", WHOLE, WHOLES))
calls(
    "clamp clip",
    ("x, -0.5, 0.5", MATRIX),
    ("x, min=0", MATRIX),
    ("x, max=0.3", MATRIX),
    ("x, 2, 5", WHOLE, FIXED),
    ("x, min=y", MATRIX, ROW),
    ("x, y - 1, y", MATRIX, with_y("normal(3, 1)")),
)
calls("clamp_min clamp_max", ("x, 0.2", MATRIX))
calls("float_power", ("x, 2", SHARES))
calls("copysign Tensor.copysign", ("x, y", MATRIX, ROW), ("x, -1.0", MATRIX))
calls("signbit", ("x", SPECIAL, FIXED), ("x", WHOLE, FIXED))
calls(
    "lerp Tensor.lerp Tensor.lerp_",
    ("x * 1, y, 3", MATRIX, OTHER),
    ("x * 1, y, 0.25", MATRIX, ROW),
    ("x * 1, y, abs(y)", MATRIX, ROW),
    ("x * 1, y, True", MATRIX, OTHER),
    ("x.double(), y.double(), abs(y.double())", MATRIX, ROW),
    ("x.double(), y.double(), 0.75", MATRIX, OTHER),
)
calls("ldexp", ("x, y", MATRIX, with_y("integers((4,), 4)", gradients=True)))
calls(
    "logaddexp logaddexp2", ("x, y", MATRIX, ROW), ("x * 100, y", MATRIX, with_y("normal(4)", singular=True))
)
calls(
    "xlogy special.xlogy special.xlog1py",
    ("x, y", MATRIX, with_y(SHARES)),
    ("x, 0.5", MATRIX),
    ("x, y", "np.zeros(3, np.float32)", with_y("np.array([0, 1, np.nan], np.float32)", gradients=False)),
)
calls(
    "bitwise_and bitwise_or bitwise_xor",
    ("x, y", WHOLE, WHOLES),
    ("x, 3", WHOLE, FIXED),
    ("x, y", BOOLS, with_y(BOOLS)),
)
calls("bitwise_not", ("x", WHOLE, FIXED), ("x", BOOLS))
calls("Tensor.bitwise_not", ("x", WHOLE, FIXED), ("x", BOOLS))
calls("bitwise_left_shift bitwise_right_shift", ("x, 2", WHOLE, FIXED), ("x, y", WHOLE, WHOLES))
OF_FLOATS = (("x", SHARES), ("x", "integers(3, 2, 1)", FIXED), ("x", BOOLS))
calls("log2 sinc special.sinc", ("x", SHARES), ("x", "integers(3, 2, 1)", FIXED))
for name in [
    "acos",
    "arccos",
    "asin",
    "arcsin",
    "asinh",
    "arcsinh",
    "atan",
    "arctan",
    "cos",
    "cosh",
    "digamma",
    "erf",
    "erfc",
    "isinf",
    "isneginf",
    "isposinf",
    "lgamma",
    "rsqrt",
    "sin",
    "sinh",
    "tan",
]:
    calls(f"{name} Tensor.{name}", *OF_FLOATS)
for name in ("atanh", "arctanh"):
    calls(f"{name} Tensor.{name}", ("x", SHARES), ("x", "np.array([0, 1])", FIXED))
for name in ("acosh", "arccosh"):
    calls(f"{name} Tensor.{name}", ("x + 1", SHARES), ("x", WHOLE, FIXED))
calls("isinf isneginf isposinf", ("x", SPECIAL, FIXED))
calls("special.erf special.erfc special.expit sigmoid", *OF_FLOATS)
calls("nn.functional.softsign nn.functional.tanhshrink", *OF_FLOATS[:2])
calls("ceil floor Tensor.ceil Tensor.floor", ("x", MATRIX), ("x", SPECIAL, FIXED), ("x", WHOLE, FIXED))
for name in (
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
):
    calls(
        f"special.{name}",
        ("x, 3", SHARES, FIXED),
        ("x, y", MATRIX, with_y("np.array([-1, 0, 1, 5])", gradients=False)),
        ("x, 1", WHOLE, FIXED),
    )
calls("atan2 arctan2 Tensor.atan2 Tensor.arctan2", ("x, y", MATRIX, ROW), ("x, y", WHOLE, WHOLES))
calls("i0 Tensor.i0", ("x", MATRIX, FIXED), ("x", WHOLE, FIXED))
calls("deg2rad rad2deg Tensor.deg2rad Tensor.rad2deg", ("x", MATRIX), ("x", WHOLE, FIXED))
calls("logit Tensor.logit", ("x", SHARES), ("x, 0.2", "integers(3, 2, 0)", FIXED))
calls("mvlgamma Tensor.mvlgamma", ("x + 3, 2", SHARES), ("x + 3, 2", WHOLE, FIXED))
calls("Tensor.polygamma", ("x, 1", SHARES), ("x, 2", WHOLE, FIXED))
calls("nn.functional.relu6 nn.functional.hardtanh", ("x - 4", WHOLE, FIXED))
calls("nn.functional.hardtanh", ("x, -0.5, 0.5", "integers((3, 4), 9, -9)", FIXED))
calls("xlogy Tensor.xlogy", ("x, y", WHOLE, WHOLES), ("x, 2", MATRIX), ("x, y", MATRIX, with_y(SHARES)))
calls("special.bessel_j0 special.bessel_j1", ("x", MATRIX), ("x", WHOLE, FIXED))
calls("special.spherical_bessel_j0", ("x", SHARES), ("x", "integers(3, 5)", FIXED))
AROUND_ZERO = "np.array([-1.5, 0, 0.4, 1, 7], np.float32)"
calls(
    "special.bessel_y0 special.bessel_y1 special.modified_bessel_k0 special.modified_bessel_k1"
    " special.scaled_modified_bessel_k0 special.scaled_modified_bessel_k1",
    ("x", AROUND_ZERO, FIXED),
    ("x", WHOLE, FIXED),
)
calls("special.modified_bessel_i0 special.modified_bessel_i1", ("x", MATRIX, FIXED), ("x", WHOLE, FIXED))
calls(
    "special.zeta",
    ("x + 1, y", WHOLE, WHOLES),
    (
        "x + 2, y",
        SHARES,
        with_y("uniform(3, 1)", **FIXED),
    ),
)
calls("frac fix Tensor.fix", ("x", MATRIX))
calls("isnan", ("x", SPECIAL, FIXED), ("x", WHOLE, FIXED))
calls("real", ("x", MATRIX), ("x", "(normal(3) + 1j * normal(3)).astype(np.complex64)", FIXED))
calls("special.digamma special.psi special.gammaln", ("x", SHARES), ("x", WHOLE, FIXED))
calls("special.multigammaln", ("x + 3, 2", SHARES))
calls("special.entr", ("x", SHARES), ("x", "np.array([-1, 0, 2], np.float32)", FIXED))
calls("special.logit", ("x", SHARES), ("x, 0.2", SHARES), ("x, eps=0.1", SHARES))
calls("special.ndtr special.log_ndtr", ("x", MATRIX), ("x * 4 - 6", MATRIX, {"tolerance": 1e-4}))
calls("special.ndtri", ("x", SHARES))
calls("special.i0 special.i0e special.i1 special.i1e", ("x", MATRIX, {"gradients": False}))
calls("special.logsumexp", ("x, 1", MATRIX), ("x, (0, 1), True", MATRIX))
for rounding in ("trunc", "floor"):
    calls(
        "div divide Tensor.div Tensor.divide",
        (f"x, y, rounding_mode={rounding!r}", MATRIX, with_y("uniform(4)")),
        (f"x, 3, rounding_mode={rounding!r}", WHOLE, FIXED),
    )
calls("relu", ("x", MATRIX))
calls("celu", ("x", MATRIX), ("x, 0.5", MATRIX))
calls("threshold", ("x, 0.1, 2", MATRIX))
calls("dropout", ("x, 0.5, False", MATRIX), ("x, p=0.0, train=True", MATRIX))
calls("alpha_dropout", ("x, 0.5, False", MATRIX))

CHANGED: dict[str, object] = {"changed": ("x",), "gradients": False}
for name in [
    "abs",
    "acos",
    "arccos",
    "asin",
    "arcsin",
    "atan",
    "arctan",
    "ceil",
    "celu",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fix",
    "floor",
    "frac",
    "log",
    "log10",
    "log1p",
    "log2",
    "neg",
    "negative",
    "reciprocal",
    "round",
    "rsqrt",
    "selu",
    "sigmoid",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "zero",
    "asinh",
    "arcsinh",
    "atanh",
    "arctanh",
    "nan_to_num",
    "nn.functional.elu",
    "nn.functional.relu",
    "nn.functional.leaky_relu",
    "nn.functional.hardtanh",
]:
    calls(f"{name}_", ("x", SHARES, CHANGED))
calls("acosh_ arccosh_", ("x + 1", SHARES, FIXED))
for name in ["absolute", "arccos", "arcsin", "arctan", "arcsinh", "arctanh", "fix", "negative"]:
    calls(f"Tensor.{name}_", ("x", SHARES, CHANGED))
calls("Tensor.arccosh_", ("x + 1", SHARES, FIXED))
for name in ["arctan2", "greater", "greater_equal", "less", "less_equal", "not_equal"]:
    calls(f"Tensor.{name}_", ("x, y", MATRIX, with_y(MATRIX, **CHANGED)))
calls("clamp_ clip_", ("x, -0.5, 0.5", MATRIX, CHANGED), ("x, min=0", MATRIX, CHANGED))
calls("clamp_max_ clamp_min_ fill_", ("x, 0.2", MATRIX, CHANGED))
calls("threshold_", ("x, 0.1, 2.0", MATRIX, CHANGED))
calls("xlogy_", ("x, y", MATRIX, with_y(SHARES, **CHANGED)))
calls("addmv_", ("x, y, z", "normal(3)", {"inputs": {"y": MATRIX, "z": "normal(4)"}, **CHANGED}))
calls("index_put_", ("x, (y,), z", MATRIX, {"inputs": {"y": "integers(2, 3)", "z": "normal(4)"}, **CHANGED}))

ENDS = "np.array([-0.99999, -0.99, -0.5, 0.0, 1e-6, 0.9, 0.999, 0.9999999], np.float32)"


def exact(names: str, of: str, source: str, x: str, **options: object) -> None:
    """What MindSpore's own kernels on CPU are too far off for, in `source` with `{name}` for the function."""
    for name in names.split():
        for api in of.split():
            text = f"result = {source.format(name=name)}"
            CASES.append(script(f"{api}.{name}", text, inputs={"x": x}, tolerance=1e-6, **options))


BOTH, SPECIAL_TOO = "torch torch.Tensor", "torch torch.Tensor torch.special"
exact("exp", BOTH, "{name}(x) * 1e7", "normal(3, 4) - 15")
exact("expm1 log1p", SPECIAL_TOO, "{name}(x) * 1e5", "normal(3, 4) * 1e-5")
exact("log log2 log10", BOTH, "{name}(x) * 1e3", "1 + normal(3, 4) * 1e-3")
exact("erfinv", SPECIAL_TOO, "{name}(x)", ENDS, singular=True)
exact("erfinv", BOTH, "{name}(x)", "uniform(3, 4) - 0.5")
exact("softplus", "torch.nn.functional", "{name}(x) * 1e5", "normal(3, 4) - 12")
exact("logsigmoid", "torch.nn.functional", "{name}(x) * 1e5", "normal(3, 4) + 12")
calls("erfinv", ("x", "np.array([-1.0, -0.3, 1.0, 2.0], np.float32)", FIXED))
calls("exp log log10 expm1 log1p", ("x", WHOLE, FIXED))
for _between in ("2, 6, 64", "-3.3, 7.1, 57", "1, 0, 101", "0, 1, 1", "5, 5, 3", "0, 4096, 777"):
    # frequencies are multiplied with such numbers: the last bit counts
    source = f"result = (linspace({_between}) * 2**20 % 1 * 1e4).long()"
    CASES.append(script("torch.linspace", source, gradients=False))
CASES += [
    script(
        "torch.special.erfcx",
        "result = [erfcx(x), erfcx(x * 20), erfcx(x.double() * 8)]",
        inputs={"x": "np.linspace(-0.4, 2, 13, dtype=np.float32)"},
        tolerance=1e-4,
        gradients=False,
    ),
    script(
        "torch.special.erfcx",
        "result = erfcx(x)",
        inputs={"x": "np.linspace(-2, 9, 13, dtype=np.float32)"},
        tolerance=1e-4,
    ),
    script(
        "torch.nextafter torch.Tensor.nextafter",
        "result = [(nextafter(x, y) - x) * 1e7, (nextafter(x, y) > x).float()]",
        inputs={"x": "normal(5)", "y": "normal(5)"},
        gradients=False,
    ),
]

# PyTorch's old order, with a factor before the last operands; and functions that are handed on
PAIR = {"y": MATRIX}
FACTORS_FIRST = (
    ("addmm", "normal(3, 3)", "y, z", {"y": "normal(3, 4)", "z": "normal(4, 3)"}),
    ("addmv", "normal(3)", "y, z", {"y": "normal(3, 4)", "z": "normal(4)"}),
    ("addr", "normal(3, 4)", "y, z", {"y": "normal(3)", "z": "normal(4)"}),
    ("addbmm", "normal(3, 3)", "y, z", {"y": "normal(2, 3, 4)", "z": "normal(2, 4, 3)"}),
    ("baddbmm", "normal(2, 3, 3)", "y, z", {"y": "normal(2, 3, 4)", "z": "normal(2, 4, 3)"}),
)
CASES += [
    function("torch.add", "x, 0.5, y", MATRIX, inputs=PAIR),
    script(  # of whole numbers, factors are whole, too
        "torch.addmv torch.addbmm",
        "result = [addmv(x, y, z, beta=0.8, alpha=1.6), addbmm(w[0], w, w, beta=1.9, alpha=0.4)]",
        inputs={
            "x": "integers((3,), 9)",
            "y": "integers((3, 4), 9)",
            "z": "integers((4,), 9)",
            "w": "integers((2, 3, 3), 9)",
        },
        gradients=False,
    ),
    function("torch.sub", "x, 2, y", MATRIX, inputs=PAIR),
    function("torch.subtract", "x, y, alpha=2", MATRIX, inputs=PAIR),
    function("torch.Tensor.add", "x, 0.5, y", MATRIX, inputs=PAIR),
    function("torch.Tensor.sub", "x, 0.5, y", MATRIX, inputs=PAIR),
    function("torch.Tensor.subtract", "x, y, alpha=0.5", MATRIX, inputs=PAIR),
    function("torch.addcmul", "x, 0.5, y, x", MATRIX, inputs=PAIR),
    function("torch.Tensor.addcmul", "x, 0.5, y, x", MATRIX, inputs=PAIR),
    function("torch.Tensor.addcdiv", "x, 0.5, x, y", MATRIX, inputs={"y": f"{SHARES} + 1"}),
    *(
        script(
            f"torch.Tensor.{name}_ torch.clone",
            f"z = clone(x)\n{name}_(z, -0.5, {operands})\nresult = z",
            inputs={"x": MATRIX, "y": f"{SHARES} + 1"},
            gradients=False,
        )
        for name, operands in (("add", "y"), ("sub", "y"), ("addcmul", "x, y"), ("addcdiv", "x, y"))
    ),
    *(
        function(f"torch.{name}", f"{first}x, {second}{operands}", shape, inputs=given)
        for name, shape, operands, given in FACTORS_FIRST
        for first, second in (("", ""), ("0.5, ", ""), ("0.5, ", "-2, "))
    ),
    *(
        function(f"torch.Tensor.{name}", f"x, {factors}{operands}", shape, inputs=given)
        for name, shape, operands, given in FACTORS_FIRST
        for factors in ("", "0.5, ", "0.5, -2, ")
    ),
    *(
        script(
            f"torch.Tensor.{name}_ torch.clone",
            f"made = clone(x)\n{name}_(made, {factors}{operands})\nresult = made",
            inputs={"x": shape, **given},
            gradients=False,
        )
        for name, shape, operands, given in FACTORS_FIRST
        for factors in ("", "0.5, ", "0.5, -2, ")
    ),
    function("torch.sqrt", "x", f"{SHARES} + 0.1"),
    function("torch.sqrt", "x", WHOLE, gradients=False),
    *(
        function("torch.mean", made, MATRIX)
        for made in ("x", "x, 1", "x, (0, 1), True", "x, dim=0, keepdim=True")
    ),
    *(function("torch.prod", made, MATRIX) for made in ("x", "x, 1", "x, 0, True")),
    function("torch.prod", "x", WHOLE, gradients=False),
    *(function("torch.all", made, BOOLS, gradients=False) for made in ("x", "x, 1", "x, 0, True")),
    function("torch.chunk", "x, 3, 1", MATRIX),
    function("torch.concat", "[x, y], 1", MATRIX, inputs=PAIR),
    function("torch.det", "x", "normal(3, 3)"),
]
