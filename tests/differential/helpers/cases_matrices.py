"""Linear algebra with gradients."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
SQUARE = "np.eye(3, dtype=np.float32) * 3 + normal(2, 3, 3) / 2"
ONE = "np.eye(3, dtype=np.float32) * 3 + normal(3, 3) / 2"
TALL, WIDE = "normal(4, 3)", "normal(3, 4)"
NEAR: dict[str, object] = {"tolerance": 1e-4}


def calls(apis: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    """Each call with each of the APIs."""
    for api in apis.split():
        for made, x, *more in rows:
            CASES.append(function(f"torch.{api}", made, x, **(NEAR | (more[0] if more else {}))))  # type: ignore[arg-type]


def with_y(y: str, **options: object) -> dict[str, object]:
    """A second input."""
    return {"inputs": {"y": y}, **options}


calls("linalg.inv linalg.inv_ex linalg.det linalg.slogdet", ("x", SQUARE), ("x", ONE))
calls("inverse Tensor.inverse", ("x", SQUARE), ("x", "np.full((2, 1, 1), 2.0, np.float32)"))
calls("linalg.cholesky_ex", ("x @ x.swapaxes(-1, -2)", SQUARE))
FAILING = "np.array([[[1, 2], [2, 1]], [[4, 0], [0, 1]], [[0, 1], [1, 1]]], np.float32)"
CASES += [
    script(
        "torch.linalg.cholesky_ex",
        "found = cholesky_ex(x)\nresult = [tensor(found.info), found.L[1] * 2]",
        inputs={"x": FAILING},
    ),
    script(
        "torch.linalg.inv_ex",
        "found = inv_ex(x * y)\nresult = [tensor(found.info), found.inverse[1] * 2]",
        inputs={"x": FAILING, "y": "np.array([[1, 1], [2, 8]], np.float32)"},
    ),
    script(
        "torch.linalg.LinAlgError torch.linalg.inv torch.linalg.cholesky torch.linalg.cholesky_ex",
        "def raises(function, *given, **named):\n    try:\n        function(*given, **named)\n"
        "    except LinAlgError as error:\n        return isinstance(error, RuntimeError)\n"
        "result = [raises(inv, x * 0), raises(cholesky, -x), raises(cholesky_ex, -x, check_errors=True), raises(inv, x)]",
        inputs={"x": "np.eye(3)"},
        gradients=False,
    ),
]
calls("cholesky_inverse", ("x", f"np.tril({ONE})"), ("x, upper=True", f"np.triu({ONE})"))
calls(
    "linalg.solve linalg.solve_ex",
    ("x, y", SQUARE, with_y("normal(2, 3, 2)")),
    ("x, y", ONE, with_y("normal(3)")),
    ("x, y, left=False", ONE, with_y("normal(2, 3)")),
)
for name in ("svd", "svdvals"):
    for shape in (TALL, WIDE, ONE, "normal(2, 4, 3)"):
        source = (
            "u, s, v = svd(x, full_matrices=False)\nresult = [abs(u), s, abs(v), (u * s[..., None, :]) @ v]"
        )
        source += (
            "\nresult += [*gradients(lambda x: (lambda u, s, v: (u @ v) * 3 + s.sum())(*svd(x, False)), x)]"
        )
        source += "\nresult += [abs(svd(x).U), abs(svd(x).Vh)]" if shape == ONE else ""
        if name == "svdvals":
            source = "result = [svdvals(x), *gradients(lambda x: svdvals(x) ** 2, x)]"
        CASES.append(script(f"torch.linalg.{name}", source, inputs={"x": shape}, tolerance=1e-4))
CASES.append(
    script(
        "torch.linalg.svd",
        "u, s, v = svd(x)\nresult = [list(u.shape), list(v.shape), abs(u @ u.swapaxes(0, 1)), s]",
        inputs={"x": TALL},
    )
)
calls("linalg.pinv pinverse Tensor.pinverse", ("x", TALL), ("x", WIDE), ("x", SQUARE))
calls(
    "linalg.matrix_norm",
    *[(f"x, {kind}", SQUARE) for kind in ("'fro'", "'nuc'", "1", "-1", "float('inf')", "2", "-2")],
    ("x, dim=(0, 2), keepdim=True", SQUARE),
)
calls(
    "linalg.norm",
    ("x", SQUARE),
    ("x, 'nuc'", ONE),
    ("x, 3, dim=1", ONE),
    ("x, 1", ONE),
    ("x, 2, (0, 1), True", ONE),
    ("x, ord=1", "normal(4)"),
)
calls(
    "linalg.matrix_power",
    ("x, 3", SQUARE),
    ("x, -2", ONE),
    ("x, 0", ONE, {"gradients": False}),
    ("x, 1", ONE),
    ("x, n=4", ONE),
)
calls(
    "linalg.matrix_rank",
    ("x", TALL, {"gradients": False}),
    ("x, tol=1.0", TALL, {"gradients": False}),
    ("x", "np.ones((2, 3, 3), np.float32)", {"gradients": False}),
)
calls("linalg.multi_dot", ("[x, y, x]", WIDE, with_y(TALL)))
calls("chain_matmul", ("x, y, x", WIDE, with_y(TALL)))
calls("linalg.matmul", ("x, y", WIDE, with_y(TALL)))
calls(
    "linalg.cross",
    ("x, y", "normal(2, 3)", with_y("normal(2, 3)")),
    ("x, y, dim=0", "normal(3, 2)", with_y("normal(3, 1)")),
)
for name in ("cross", "Tensor.cross"):
    calls(
        name,
        ("x, y", "normal(2, 3)", with_y("normal(2, 3)")),
        ("x, y, 1", "normal(1, 3)", with_y("normal(4, 3)")),
    )
calls("linalg.vecdot", ("x, y", WIDE, with_y("normal(4)")), ("x, y, dim=0", WIDE, with_y(WIDE)))
calls("linalg.diagonal", ("x", SQUARE), ("x, offset=1, dim1=0, dim2=1", SQUARE))
POWERS: dict[str, object] = {"gradients": False}  # PyTorch's own fail: it changes what they need
calls(
    "vander",
    ("x", "normal(3)", POWERS),
    ("x, 2", "normal(3)", POWERS),
    ("x, N=4, increasing=True", "normal(3)", POWERS),
)
calls("linalg.vander", ("x", "normal(2, 3)"), ("x, N=2", "normal(3)"))
calls("linalg.tensorinv", ("x, ind=1", "normal(4, 2, 2)"), ("x", "normal(2, 2, 4)"))
calls("linalg.tensorsolve", ("x, y", "normal(2, 2, 4)", with_y("normal(2, 2)")))
CASES += [
    script(
        "torch.linalg.matrix_rank",
        "found = x @ x.swapaxes(-1, -2)\nresult = [matrix_rank(found, hermitian=True), matrix_rank(x, hermitian=True, atol=1.0)]",
        inputs={"x": "normal(2, 4, 4)"},
        gradients=False,
    ),
    *(
        script(
            "torch.dist torch.Tensor.dist",
            "result = [dist(x, y), dist(x, y, p=1), dist(x, y, float('inf'))]",
            inputs={"x": f"normal(3, 4).astype(np.{dtype})", "y": f"normal(3, 4).astype(np.{dtype})"},
            gradients=dtype == "float64",
            tolerance=1e-4,
        )
        for dtype in ("float64", "complex64")
    ),
]
