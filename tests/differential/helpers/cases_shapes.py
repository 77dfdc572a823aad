"""How values of Tensors are arranged, and sums over them."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
MATRIX, CUBE, BOOLS = "normal(3, 4)", "normal(2, 3, 4)", "normal(3, 4) > 0"
WITH_NAN = "np.where(normal(3, 4) > 0.8, np.nan, normal(3, 4)).astype(np.float32)"
FIXED: dict[str, object] = {"gradients": False}


def calls(apis: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    """Each call with each of the APIs."""
    for api in apis.split():
        for made, x, *more in rows:
            CASES.append(function(f"torch.{api}", made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


def with_y(y: str, **options: object) -> dict[str, object]:
    """A second input."""
    return {"inputs": {"y": y}, **options}


CASES.append(
    script(
        "torch.Size",
        "result = [isinstance(x.shape, Size), Size([1, 2]), Size((3,)) == x.shape]",
        inputs={"x": "normal(3)"},
    )
)
CASES.append(
    script(
        "torch.Size.numel torch.Size",
        "result = [numel(Size(x.shape)), numel(Size([]))]",
        inputs={"x": "normal(3, 4)"},
    )
)
calls("adjoint", ("x", CUBE))
calls(
    "atleast_1d atleast_2d atleast_3d",
    ("x", "normal()"),
    ("x", "normal(3)"),
    ("x", MATRIX),
    ("x, y", CUBE, with_y("normal(2)")),
    ("[x, y]", MATRIX, with_y("normal()")),
)
calls("broadcast_tensors", ("x, y", MATRIX, with_y("normal(2, 1, 1)")))
calls("broadcast_to", ("x, (2, 3, 4)", MATRIX), ("x, size=[3, 4]", "normal(1, 4)"))
calls("concatenate", ("[x, y], 1", MATRIX, with_y("normal(3, 2)")), ("(x, x)", MATRIX))
calls("hsplit", ("x, 2", MATRIX), ("x, [1, 3]", MATRIX), ("x, (2,)", "normal(5)"))
calls("vsplit", ("x, 3", MATRIX), ("x, [1]", MATRIX))
calls("dsplit", ("x, 2", CUBE))
calls("tensor_split", ("x, 3", "normal(7, 2)"), ("x, [1, 3], dim=1", MATRIX))
calls("vstack", ("[x, y]", MATRIX, with_y("normal(4)")), ("(x, x)", "normal(3)"))
calls(
    "movedim moveaxis", ("x, 0, 2", CUBE), ("x, (0, -1), (1, 0)", CUBE), ("x, source=-1, destination=0", CUBE)
)
calls(
    "rot90 Tensor.rot90",
    ("x", MATRIX),
    ("x, 2", MATRIX),
    ("x, -1, (1, 2)", CUBE),
    ("x, k=3, dims=[0, 1]", CUBE),
)
calls("diag", ("x", "normal(3)"), ("x, 1", "normal(3)"), ("x", MATRIX), ("x, diagonal=-1", MATRIX))
calls("numel", ("x", CUBE, FIXED))
CASES.append(script("torch.Tensor.numel", "result = numel(x)", inputs={"x": CUBE}, gradients=False))
calls(
    "is_same_size",
    ("x, y", MATRIX, with_y(MATRIX, gradients=False)),
    ("x, y", MATRIX, with_y(CUBE, gradients=False)),
)
calls("unravel_index", ("x, (3, 4)", "integers((2, 3), 12)", FIXED))
# PyTorch's gradient is that of other places
calls(
    "as_strided_scatter Tensor.as_strided_scatter",
    ("x, y, (2, 2), (4, 1), 1", MATRIX, with_y("normal(2, 2)", gradients=False)),
)
calls("select_scatter", ("x, y, 1, 2", MATRIX, with_y("normal(3)")))
calls("narrow_copy", ("x, 1, 1, 2", MATRIX))
calls(
    "fft.fftshift fft.ifftshift",
    ("x", "normal(3, 5)"),
    ("x, 1", "normal(3, 5)"),
    ("x, dim=(0,)", "normal(4, 5)"),
)
calls("range", ("1, 4", "", FIXED), ("0, 1, 0.25", "", FIXED))
calls("any", ("x", BOOLS), ("x, 1", BOOLS), ("x, dim=0, keepdim=True", BOOLS), ("x", "np.zeros(3)", FIXED))
calls(
    "count_nonzero",
    ("x", "integers((3, 4), 2)", FIXED),
    ("x, 1", BOOLS),
    ("x, dim=(0, 1)", "integers((3, 4), 2)", FIXED),
)
calls("nansum", ("x", WITH_NAN), ("x, 1", WITH_NAN), ("x, dim=(0, 1), keepdim=True", WITH_NAN))
calls("amax amin", ("x", CUBE), ("x, 1", CUBE), ("x, dim=(0, -1), keepdim=True", CUBE))
calls("logcumsumexp", ("x, 1", MATRIX))
calls("renorm", ("x, 2, 0, 1.0", MATRIX))
calls("detach", ("x", MATRIX, FIXED))
calls(
    "trapezoid trapz cumulative_trapezoid",
    ("x", MATRIX),
    ("x, dx=0.5, dim=0", MATRIX),
    ("x, y", MATRIX, with_y("np.array([0, 1, 3, 4], np.float32)", fixed=("y",))),
    ("x, y, dim=0", MATRIX, with_y(MATRIX)),
)
calls(
    "gradient",
    ("x", "normal(6)"),
    ("x, spacing=0.5, dim=1", MATRIX),
    ("x, dim=(0, 1), edge_order=2", "normal(4, 5)"),
    ("x, spacing=(y,), dim=1", MATRIX, with_y("np.array([0, 1, 3, 4], np.float32)", fixed=("y",))),
)
calls(
    "corrcoef Tensor.corrcoef",
    ("x", MATRIX),
    ("x", "normal(1, 5)"),
    ("x", "normal(5)"),
    ("x", "np.array([[-8, 6, 1], [9, 0, 4]])", FIXED),
)
calls(
    "tensordot",
    ("x, y", CUBE, with_y("normal(3, 4, 2)")),
    ("x, y, 1", MATRIX, with_y("normal(4, 2)")),
    ("x, y, dims=([1], [0])", CUBE, with_y(MATRIX)),
)
calls("histogram Tensor.histogram", ("x, 4, range=(-1.0, 1.0)", MATRIX, FIXED), ("x, 5", MATRIX, FIXED))

STATE = {"y": "normal(4)", "z": "uniform(4)"}
calls(
    "batch_norm",
    (
        "x, None, None, y, z, True, 0.1, 1e-5, False",
        "normal(2, 4, 3)",
        {"inputs": STATE, "fixed": ("y", "z")},
    ),
    (
        "x, None, None, y, z, False, 0.1, 1e-5, True",
        "normal(2, 4, 3)",
        {"inputs": STATE, "fixed": ("y", "z")},
    ),
)
calls("instance_norm", ("x, y, z, None, None, True, 0.1, 1e-5, False", "normal(2, 4, 3)", {"inputs": STATE}))
calls("layer_norm", ("x, (4,)", MATRIX), ("x, [4], y, z, 1e-3", MATRIX, {"inputs": STATE}))
calls("group_norm", ("x, 2", "normal(2, 4, 3)"), ("x, 2, y, z", "normal(2, 4, 3)", {"inputs": STATE}))
calls("rms_norm", ("x, (4,)", MATRIX), ("x, [4], y", MATRIX, with_y("normal(4)")))
