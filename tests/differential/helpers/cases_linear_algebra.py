"""Linear algebra."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
SYMMETRIC = "s = x @ x.swapaxes(-1, -2) + y * y"
SQUARE = {"x": "normal(2, 3, 3)", "y": "np.eye(3, dtype=np.float32) + 1"}
TALL, WIDE = "normal(2, 4, 3)", "normal(2, 3, 4)"


def symmetric(apis: str, source: str, **options: object) -> None:
    """A script with a symmetric positive matrix `s`."""
    CASES.append(script(apis, f"{SYMMETRIC}\n{source}", inputs=SQUARE, tolerance=1e-4, **options))  # type: ignore[arg-type]


symmetric("torch.linalg.eigh", "w, v = eigh(s)\nresult = [w, abs(v)]")
symmetric(
    "torch.linalg.eigh", "found = eigh(s[0], 'U')\nresult = [found.eigenvalues, abs(found.eigenvectors)]"
)
symmetric("torch.linalg.eigvalsh", "result = eigvalsh(s)")
symmetric(
    "torch.linalg.cholesky torch.cholesky_solve torch.Tensor.cholesky_solve",
    "f = cholesky(s)\nresult = [cholesky_solve(x, f), cholesky_solve(x[0], f[0].swapaxes(-1, -2), upper=True), "
    "cholesky_solve(x[None, :, None], f), cholesky_solve(x[0], f)]",
)
symmetric("torch.linalg.cholesky", "result = [cholesky(s), cholesky(s[0], upper=True)]")
symmetric(
    "torch.linalg.cholesky torch.cholesky torch.Tensor.cholesky",
    "result = [cholesky(s), cholesky(s, upper=True)]",
)
symmetric(
    "torch.linalg.cholesky torch.cholesky torch.linalg.cholesky_ex",
    "s = s + tensor([[0, 1, 0.2], [0.3, 0, 0], [0, 0.1, 0]])\n"
    "result = [each(s, upper=up) for each in (cholesky, cholesky) for up in (False, True)]\n"
    "result += [cholesky_ex(s).L, cholesky_ex(s, upper=True).L]",
)
for given in (
    "upper=False",
    "upper=True",
    "upper=False, unitriangular=True",
    "upper=True, left=False, unitriangular=True",
):
    symmetric("torch.linalg.solve_triangular", f"result = solve_triangular(s, x, {given})")
symmetric("torch.linalg.solve_triangular", "result = solve_triangular(s, x, upper=True, left=False)")
for given in ("", ", upper=False", ", True, True", ", unitriangular=True"):
    symmetric(
        "torch.triangular_solve torch.Tensor.triangular_solve",
        f"result = triangular_solve(x, s{given}).solution",
    )
for shape in (TALL, WIDE, "normal(3, 3)"):
    CASES += [
        script(
            "torch.linalg.qr torch.qr torch.Tensor.qr",
            f"q, r = qr(x)\nresult = [q @ r, abs(q), abs(r)]  # {shape}",
            inputs={"x": shape},
            tolerance=1e-4,
        ),
        script(
            "torch.linalg.qr",
            f"found = qr(x, mode='complete')\nresult = [abs(found.Q), abs(found.R)]  # {shape}",
            inputs={"x": shape},
            gradients=False,
            tolerance=1e-4,
        ),
        script(
            "torch.svd torch.Tensor.svd",
            f"u, s, v = svd(x)\nresult = [s, abs(u), abs(v)]  # {shape}",
            inputs={"x": shape},
            tolerance=1e-4,
        ),
    ]
for shape, other in ((TALL, "normal(2, 4, 2)"), (WIDE, "normal(2, 3, 2)")):
    CASES.append(
        script(
            "torch.linalg.lstsq",
            f"result = lstsq(x, y).solution  # {shape}",
            inputs={"x": shape, "y": other},
            tolerance=1e-4,
        )
    )
for apis in ("torch.matrix_exp torch.Tensor.matrix_exp", "torch.linalg.matrix_exp"):
    CASES.append(script(apis, "result = matrix_exp(x)", inputs={"x": "normal(2, 3, 3)"}, tolerance=1e-4))
CASES.append(function("torch.matrix_exp", "x", "normal(3, 3) * 20", gradients=False, tolerance=1e-3))
LU = "P, L, U = {}\nresult = [P, L, U, P @ L @ U]"
for shape in ("normal(4, 4)", "normal(2, 3, 3)"):
    inputs = {"x": shape}
    CASES += [
        script("torch.linalg.lu", LU.format("lu(x)"), inputs=inputs, tolerance=1e-4),
        script(
            "torch.lu_unpack torch.linalg.lu_factor",
            LU.format("lu_unpack(*lu_factor(x))"),
            inputs=inputs,
            tolerance=1e-4,
        ),
        script("torch.lu_unpack torch.lu", LU.format("lu_unpack(*lu(x))"), inputs=inputs, tolerance=1e-4),
        script(
            "torch.lu torch.Tensor.lu",
            "a, p, i = lu(x, get_infos=True)\nresult = [a, p, i]",
            inputs=inputs,
            tolerance=1e-4,
        ),
        script(
            "torch.linalg.lu_factor",
            "f = lu_factor(x)\nresult = [f.LU, f.pivots]",
            inputs=inputs,
            tolerance=1e-4,
        ),
        script(
            "torch.linalg.lu_factor torch.linalg.lu_solve",
            "f = lu_factor(x)\nresult = [lu_solve(*f, x + 1), lu_solve(*f, x + 1, left=False), lu_solve(*f, x, adjoint=True)]",
            inputs=inputs,
            tolerance=1e-3,
        ),
        script(
            "torch.linalg.lu_factor torch.lu_solve torch.Tensor.lu_solve",
            "result = lu_solve(x + 1, *lu_factor(x))",
            inputs=inputs,
            tolerance=1e-3,
        ),
    ]
for shape in (TALL, WIDE):
    CASES.append(
        script(
            "torch.linalg.lu torch.lu_unpack torch.linalg.lu_factor",
            "result = [*lu(x), *lu_unpack(*lu_factor(x))]",
            inputs={"x": shape},
            gradients=False,
        )
    )

HERMITIAN = {"x": "normal(3, 3)", "y": "normal(3, 3)"}
CASES += [
    script(
        "torch.linalg.eigh torch.complex",
        f"values, vectors = eigh(complex(x, y), UPLO={half!r})\n"
        "result = [values, abs(vectors), (vectors * values) @ vectors.conj().mT]",
        inputs=HERMITIAN,
        tolerance=1e-4,
    )
    for half in ("L", "U")
]
CASES += [
    script(
        "torch.linalg.lu torch.linalg.lu_factor torch.lu_unpack",
        "p, l, u = lu(x)\nfound = lu_factor(x)\nresult = [p, l, u, *found, *lu_unpack(*found)]",
        inputs={"x": "normal(2, 5, 3)"},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.linalg.qr",
        "found = qr(x, mode='r')\nresult = [abs(found.R), found.Q.sum() * 1]",
        inputs={"x": TALL},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.linalg.lstsq",
        "found = lstsq(x, y, driver='gelsd')\nresult = [found.solution, found.rank, found.singular_values, len(lstsq(x, y, driver='gels').rank)]",
        inputs={"x": "normal(1, 4, 3)", "y": "normal(2, 4, 2)"},
        gradients=False,
        tolerance=1e-3,
    ),
    *(
        script(
            "torch.view_as_real torch.linalg.cholesky torch.linalg.cholesky_ex torch.cholesky_inverse",
            f"""
factor = cholesky(x)
found = factor, cholesky(x, upper=True), cholesky_ex(x).L, cholesky_inverse(factor)
result = [view_as_real(part) for part in found]  # {shape}
""",
            inputs={
                "x": f"(lambda z: z @ z.conj().swapaxes(-1, -2) + 2 * np.eye(3))(normal({shape}) + 1j * normal({shape}))"
            },
            fixed=("x",),
            gradients=False,
            tolerance=1e-4,
        )
        for shape in ("3, 3", "2, 3, 3")
    ),
]
CASES += [
    script(
        "torch.linalg.eigvalsh torch.linalg.det torch.linalg.lu_factor torch.linalg.lu_solve",
        "result = [eigvalsh(x), eigvalsh(x, UPLO='U'), det(x[:1, :1]), det(x), lu_solve(*lu_factor(x[:1, :1]), x[:1])]",
        inputs={"x": "normal(3, 3)"},
        tolerance=1e-3,
    ),
]

SINGULAR = {
    "x": "np.stack([np.ones((2, 2)), np.array([[2, 1], [1, 3]])]).astype(np.float32)",
    "y": "normal(2, 2, 1)",
}
CASES += [
    script(
        "torch.linalg.LinAlgError torch.linalg.inv torch.inverse torch.linalg.cholesky torch.linalg.svd",
        """
def error(function, *given):
    try:
        return [function(*given)]
    except LinAlgError as error:
        return isinstance(error, RuntimeError)

unknown = x * float("nan")
result = [error(inv, x), error(inverse, x[0]), error(cholesky, -x), error(svd, unknown), error(inv, unknown)]
""",
        inputs=SINGULAR,
        gradients=False,
    ),
    script(
        "torch.linalg.inv_ex torch.linalg.cholesky_ex torch.linalg.solve_ex",
        """
found = [inv_ex(x), cholesky_ex(x - 3 * x[:1]), solve_ex(x, y)]
result = [[one.info > 0 for one in found], inv_ex(x)[0][1], solve_ex(x, y)[0][1], cholesky_ex(x).info[1:]]
""",
        inputs=SINGULAR,
        gradients=False,
    ),
    script(
        "torch.linalg.det torch.linalg.lu torch.nn.Parameter",
        "result = [det(x), det(x * 0), det(Parameter(x)), lu(Parameter(x[1])).U]",
        inputs=SINGULAR,
    ),
    script(
        "torch.inverse torch.Tensor.inverse",
        "result = inverse(x @ x.mT + y @ y.mT)",
        inputs=SQUARE,
        tolerance=1e-4,
    ),
]
