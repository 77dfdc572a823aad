"""Functions and methods of Tensors."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
MATRIX, CUBE = "normal(3, 4)", "normal(2, 3, 4)"


def calls(apis: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    """Each call with each of the APIs."""
    for api in apis.split():
        for made, x, *more in rows:
            CASES.append(function(api, made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


for name in ("zeros", "ones"):
    calls(
        f"torch.{name}",
        ("2, 3", ""),
        ("(2, 3)", ""),
        ("[2, 3], dtype=int64, device='cpu'", ""),
        ("2, dtype=float16, requires_grad=False", ""),
        ("size=(2, 1)", ""),
        ("()", ""),
        ("*x.shape", MATRIX, {"gradients": False}),
    )
    calls(
        f"torch.{name}_like",
        ("x", MATRIX, {"gradients": False}),
        ("x, dtype=int32, device='cpu'", MATRIX, {"gradients": False}),
    )
    calls(
        f"torch.Tensor.new_{name}",
        ("x, 2, 3", "integers((2,), 3)"),
        ("x, (2, 3), dtype=float32", "integers((2,), 3)"),
        ("x, size=[2], device='cpu'", MATRIX, {"gradients": False}),
    )
SHAPE = {"random": "result.shape; str(result.dtype)", "gradients": False}
calls("torch.empty", ("2, 3", "", SHAPE), ("(2, 3), dtype=float16, device='cpu'", "", SHAPE))
calls("torch.empty_like", ("x, dtype=float64", MATRIX, SHAPE))
calls("torch.Tensor.new_empty", ("x, (2, 3)", MATRIX, SHAPE), ("x, 2, dtype=int64", MATRIX, SHAPE))
calls(
    "torch.full",
    ("(2, 3), 1", ""),
    ("(2,), 1.5", ""),
    ("[2], True", ""),
    ("(2, 2), 3, dtype=float32, device='cpu'", ""),
    ("(), float('-inf')", ""),
    ("size=(1,), fill_value=2", ""),
)
calls(
    "torch.full_like", ("x, 3", MATRIX, {"gradients": False}), ("x, 2.5, dtype=float64", "integers((2,), 3)")
)
calls(
    "torch.Tensor.new_full",
    ("x, (2, 3), 3", MATRIX, {"gradients": False}),
    ("x, (2,), 1.5, dtype=float64", "integers((2,), 3)"),
)
calls("torch.Tensor.new_tensor", ("x, [1, 2]", MATRIX, {"gradients": False}))
calls(
    "torch.Tensor.new",
    ("x, [1, 2]", "integers((2,), 3)", {"gradients": False}),
    ("x", MATRIX, {"gradients": False}),
)
CASES += [
    script(
        "torch.Tensor.new torch.Tensor.zero_",
        "result = [zero_(new(x, 2, 3)), zero_(new(x, 1, device='cpu'))]",
        inputs={"x": MATRIX},
        gradients=False,
    ),
    script(
        "torch.Tensor.resize_ torch.Tensor.resize_as_ torch.resize_as_",
        """
same = x
result = [resize_(x, 2, 2), same * 1]
small = y * 1
grown = resize_as_(small, resize_(z, (3, 2)))
result += [grown.shape == z.shape, grown.reshape(-1)[:4], z, small.shape == z.shape]
""",
        inputs={"x": "normal(2, 3)", "y": "normal(4)", "z": "normal(2, 4)"},
        gradients=False,
    ),
    script(
        "torch.Tensor.resize_ torch.Tensor.copy_ torch.zeros torch.ones",
        "buffer = zeros(4)\nkept = buffer\nresult = []\nfor size in (6, 3, 5, 2):\n    copy_(resize_(buffer, size), ones(size) * size)\n"
        "    result += [kept * 1, list(kept.shape), kept.numel()]",
    ),
]
calls(
    "torch.tensor",
    *(
        (made, "")
        for made in (
            "1",
            "2.5",
            "True",
            "[1, 2]",
            "[[1.0, 2], [3, 4]]",
            "[True, False]",
            "(1, 2.5)",
            "[]",
            "[1, 2], dtype=float32",
            "3.0, dtype=float16, device='cpu', requires_grad=False",
            "np.float32([1, 2])",
            "np.array([1.0, 2.0])",
            "np.int32(3)",
            "[np.float32(1), 2]",
            "np.array([1, 2], dtype='uint8')",
            "[1, 2], dtype=bool_",
        )
    ),
    ("[x.sum(), 1]", "integers((2, 3), 4)"),
)
calls(
    "torch.as_tensor",
    ("[1, 2.0]", ""),
    ("x", MATRIX, {"gradients": False}),
    ("x, dtype=float64", MATRIX, {"gradients": False}),
    ("np.array([1.0]), device='cpu'", ""),
)
calls("torch.FloatTensor", ("[1, 2]", ""), ("[[1.5], [2]]", ""), ("2, 3", "", SHAPE))
calls("torch.LongTensor", ("[1, 2]", ""), ("np.array([1, 2])", ""), ("", "", SHAPE))
calls(
    "torch.arange",
    *(
        (made, "")
        for made in (
            "5",
            "2, 7",
            "0, 10, 3",
            "0, 1, 0.25",
            "5, dtype=float32",
            "start=1, end=4, device='cpu'",
            "5, 0, -2",
            "3.0",
            "0, 1.0, 0.1",
            "0",
        )
    ),
)
calls(
    "torch.linspace",
    *(
        (made, "")
        for made in ("0, 1, 5", "-2, 2, steps=4, device='cpu'", "1, 3, 1", "0.0, 1.0, 3, dtype=float64")
    ),
)
calls("torch.logspace", ("0, 2, 3", ""), ("1, 4, steps=4, base=2", ""))
calls("torch.eye", ("3", ""), ("2, 4, dtype=float64", ""), ("n=2, m=3, device='cpu'", ""))
MOMENTS = {
    "random": "result.mean(); result.std(); result.shape; str(result.dtype)",
    "tolerance": 0.05,
    "gradients": False,
}
calls("torch.rand", ("100, 100", "", MOMENTS), ("(100, 100), dtype=float64, device='cpu'", "", MOMENTS))
calls("torch.randn", ("100, 200", "", MOMENTS), ("[100, 200], dtype=float16", "", MOMENTS))
calls("torch.rand_like", ("x", "normal(100, 100)", MOMENTS))
calls("torch.randn_like", ("x, dtype=float64", "normal(100, 200)", MOMENTS))
calls(
    "torch.randint",
    ("10, (100, 100)", "", {**MOMENTS, "tolerance": 0.05}),
    ("3, 7, (100, 100), dtype=int32", "", MOMENTS),
    ("low=0, high=2, size=(100, 100), device='cpu'", "", MOMENTS),
)
calls(
    "torch.randperm",
    ("50", "", {**MOMENTS, "random": "np.sort(result)"}),
    ("5, dtype=int32, device='cpu'", "", {**MOMENTS, "random": "np.sort(result)"}),
)
calls(
    "torch.bernoulli torch.Tensor.bernoulli",
    ("x", "np.full((100, 100), 0.3, dtype='float32')", MOMENTS),
    ("x, 0.7", "np.full((100, 100), 0.3, dtype='float32')", MOMENTS),
)
WEIGHTS = "np.tile(np.float32([0.1, 0.6, 0, 0.3]), (5000, 1))"
COUNTS = {
    "random": "np.stack([np.bincount(column, minlength=4) for column in result.T]) / 5000; result.shape",
    "tolerance": 0.03,
    "gradients": False,
}
calls(
    "torch.multinomial torch.Tensor.multinomial",
    ("x, 2", WEIGHTS, COUNTS),
    ("x, 3, replacement=True", WEIGHTS, COUNTS),
    ("x[0], 2", WEIGHTS, {**COUNTS, "random": "result.shape; str(result.dtype)"}),
)
calls(
    "torch.meshgrid",
    ("x, y, indexing='ij'", "normal(3)", {"inputs": {"y": "normal(4)"}}),
    ("x, y, indexing='xy'", "normal(3)", {"inputs": {"y": "normal(4)"}}),
    ("[x, y], indexing='ij'", "normal(3)", {"inputs": {"y": "normal(4)"}}),
    ("*[[x, y]], indexing='ij'", "normal(3)", {"inputs": {"y": "normal(4)"}}),
    ("x, y, x, indexing='xy'", "normal(3)", {"inputs": {"y": "normal(4)"}}),
)

TWO = {"inputs": {"y": MATRIX}}
calls(
    "torch.cat",
    ("[x, y]", MATRIX, TWO),
    ("(x, y), -1", MATRIX, TWO),
    ("tensors=[x, y], dim=1", MATRIX, TWO),
    ("[x, y]", "integers((2,), 5)", {"inputs": {"y": "normal(3)"}}),
    ("[x, y]", "integers((2,), 5).astype('int32')", {"inputs": {"y": "integers((2,), 5)"}}),
    ("[x, y]", "np.zeros(0, dtype='float32')", {"inputs": {"y": MATRIX}, "fixed": ("x",)}),
)
calls(
    "torch.stack",
    ("[x, y]", MATRIX, TWO),
    ("(x, y), dim=-1", MATRIX, TWO),
    ("[x, y], 1", "integers((2,), 5)", {"inputs": {"y": "normal(2)"}}),
)
calls(
    "torch.Tensor.repeat",
    ("x, 2, 1", "np.zeros((1, 0), dtype='float32')"),
    ("x, 2, 1", MATRIX),
    ("x, (2, 1, 3)", MATRIX),
    ("x, [2, 1]", MATRIX),
    ("x, 2", "normal(3)"),
)
calls(
    "torch.Tensor.expand",
    ("x, 2, 3, 4", MATRIX),
    ("x, -1, 4", "normal(3, 1)"),
    ("x, (5, -1, -1)", "normal(1, 3, 4)"),
    ("x, 2, 3", "np.float32(1)"),
)
calls("torch.permute", ("x, (2, 0, 1)", CUBE), ("x, [0, -1, 1]", CUBE), ("x, dims=[2, 0, 1]", CUBE))
calls("torch.tile torch.Tensor.tile", ("x, (2, 1)", MATRIX), ("x, [2]", MATRIX), ("x, dims=[2, 1, 3]", CUBE))
calls("torch.Tensor.tile", ("x, 2, 3", MATRIX))
calls("torch.Tensor.permute", ("x, 2, 0, 1", CUBE), ("x, (2, 0, 1)", CUBE), ("x, -1, 0, 1", CUBE))
calls(
    "torch.flip",
    ("x, (0,)", CUBE),
    ("x, [1, 2]", CUBE),
    ("x, (-1,)", CUBE),
)
calls("torch.Tensor.flip", ("x, -1", CUBE), ("x, 0, 1", CUBE), ("x, [1, 2]", CUBE))
calls(
    "torch.roll torch.Tensor.roll",
    ("x, 1", MATRIX),
    ("x, 1, 0", CUBE),
    ("x, shifts=(1, -2), dims=(1, 2)", CUBE),
    ("x, -1, -1", CUBE),
    ("x, 7, 1", CUBE),
)
calls(
    "torch.where",
    ("x > 0", MATRIX, {"gradients": False}),
    ("x > 0, x, y", MATRIX, TWO),
    ("x > 0, x, 0.0", MATRIX),
    ("x > 0, 1, 0", MATRIX, {"gradients": False}),
    ("x > 0, 1.0, x", MATRIX),
    ("x > 0, 0, x", MATRIX),
    ("x > 2, x, -1", "integers((3, 4), 5)"),
    ("x > 0, 1.5, 2", MATRIX, {"gradients": False}),
    ("x > 2, x, y", "integers((3, 4), 5)", {"inputs": {"y": MATRIX}}),
)
calls("torch.Tensor.where", ("x, x > 0, y", MATRIX, TWO), ("x, x > 0, 0.0", MATRIX))
calls(
    "torch.nonzero torch.Tensor.nonzero",
    ("x", "integers((3, 4), 2)"),
    ("x, as_tuple=True", "integers((3, 4), 2)"),
    ("x", "np.zeros((2, 3))", {"gradients": False}),
    ("x", "np.array(True)"),
    ("x", "np.array([True, False])"),
)
for name, extra in (
    ("topk", ("x, 2", "x, 2, 0", "x, k=3, dim=1, largest=False", "x, 1, -1, True, True")),
    ("sort", ("x", "x, 0", "x, -1, True", "x, dim=1, descending=True", "x, stable=True")),
    ("argsort", ("x", "x, 0", "x, -1, True", "x, dim=1, descending=True")),
):
    calls(
        f"torch.{name} torch.Tensor.{name}",
        *((made, CUBE) for made in extra),
        *(
            (
                made.replace("dim=1", "dim=0"),
                "np.argsort(normal(12)).reshape(4, 3)",
            )
            for made in extra
        ),
    )
calls(
    "torch.sort torch.Tensor.sort",
    ("x, stable=True, dim=0, descending=True", "integers((20,), 3)"),
    ("x, stable=True, dim=0", "integers((20,), 3)"),
)
calls(
    "torch.sort torch.Tensor.sort torch.argsort torch.Tensor.argsort",
    *(
        (made, values, {"gradients": False})
        for made in ("x", "x, 0", "x, -1, True", "x, dim=0, descending=True")
        for values in ("integers((40, 70), 4)", "integers((300, 20), 9)", "np.round(normal(18, 90))")
    ),
    ("x, descending=True", "np.where(normal(60) > 0.8, np.nan, np.round(normal(60)))", {"gradients": False}),
    ("x", "np.where(normal(60) > 0.8, np.nan, np.round(normal(60)))", {"gradients": False}),
)
CASES.append(
    script(
        "torch.tensor torch.sort torch.argsort",
        "values = tensor(np.round(np.arange(50.0) % 7)).to(bfloat16)\n"
        "mask = tensor(np.arange(40) % 3 == 0)\n"
        "result = [sort(values)[1], argsort(values, descending=True), sort(mask)[1], argsort(mask[:0])]",
    )
)
calls("torch.argsort torch.Tensor.argsort", ("x, stable=True, dim=0, descending=True", "integers((20,), 3)"))
calls(
    "torch.unique torch.Tensor.unique",
    *(
        (made, "integers((4, 5), 6)")
        for made in (
            "x",
            "x, return_inverse=True",
            "x, return_inverse=True, return_counts=True",
            "x, sorted=True, return_counts=True",
        )
    ),
    ("x, dim=0", "integers((6, 2), 2)"),
    ("x, dim=0, return_inverse=True, return_counts=True", "integers((6, 2), 2)"),
    ("x", "np.float32([2, 1, 2, 0.5])", {"gradients": False}),
)
calls(
    "torch.bincount torch.Tensor.bincount",
    ("x", "integers((20,), 6)"),
    ("x, minlength=9", "integers((20,), 6)"),
    ("x, w", "integers((20,), 6)", {"inputs": {"w": "uniform(20)"}, "gradients": False}),
)
calls(
    "torch.histc torch.Tensor.histc",
    ("x, 5", "normal(100)", {"gradients": False}),
    ("x, bins=4, min=-1, max=1", "normal(100)", {"gradients": False}),
)
calls(
    "torch.isin",
    ("x, y", "integers((3, 4), 5)", {"inputs": {"y": "np.array([1, 3])"}}),
    ("x, 2, invert=True", "integers((3, 4), 5)"),
)
calls(
    "torch.repeat_interleave torch.Tensor.repeat_interleave",
    ("x, 2", MATRIX),
    ("x, 3, dim=1", MATRIX),
    ("x, repeats=2, dim=-1", MATRIX),
    ("x, r, 0", MATRIX, {"inputs": {"r": "np.array([1, 0, 2])"}}),
)
calls("torch.repeat_interleave", ("x", "np.array([1, 0, 2])"))
calls("torch.repeat_interleave", ("x, repeats=2, dim=0", "normal(3, 4) > 0"))
calls(
    "torch.cumsum torch.Tensor.cumsum",
    ("x, 0", "np.zeros((0, 2), dtype='float32')"),
    ("x, 0", "np.zeros(0, dtype='int32')"),
    ("x, 0", MATRIX),
    ("x, dim=-1", MATRIX),
    ("x, 1, dtype=float64", MATRIX),
    ("x, 0", "integers((3, 4), 5).astype('int32')"),
    ("x, 1", "integers((3, 4), 2).astype(bool)"),
)

PLACES = {"inputs": {"i": "np.argsort(normal(3, 4), 0)", "s": MATRIX}}
FEW = {"inputs": {"i": "np.argsort(normal(2, 3), 0)", "s": MATRIX}, "fixed": ("s",)}
ROWS = {"inputs": {"i": "np.array([2, 0])", "s": "normal(2, 4)"}}
COLUMNS = {"inputs": {"i": "np.array([2, 0, 2])", "s": "normal(3, 3)"}}
scatters = {
    "scatter": (
        ("x, 0, i, s", PLACES),
        ("x, 0, i, 1.5", PLACES),
        ("x, dim=0, index=i, src=s", FEW),
        ("x, 0, i, value=2", FEW),
        ("x, 0, i, s, reduce='add'", {**PLACES, "gradients": False}),
    ),
    "scatter_add": (("x, 0, i, s", PLACES), ("x, 0, i % 2, s", PLACES), ("x, 0, index=i, src=s", FEW)),
    "index_add": (
        ("x, 0, i, s", ROWS),
        ("x, 1, i, s", COLUMNS),
        ("x, dim=0, index=i, source=s, alpha=2", ROWS),
    ),
    "index_copy": (("x, 0, i, s", ROWS), ("x, -2, i, s", ROWS)),
    "index_fill": (("x, 0, i, 2.5", ROWS), ("x, 1, i, -1", COLUMNS)),
    "masked_fill": (
        ("x, x > 0, 2", {"gradients": False}),
        ("x, m, -1.5", {"inputs": {"m": "normal(3, 4) > 0"}}),
        ("x, m, float('-inf')", {"inputs": {"m": "normal(4) > 0"}}),
        ("x, mask=m, value=v", {"inputs": {"m": "normal(3, 1) > 0", "v": "np.float32(2)"}, "fixed": ("v",)}),
    ),
}
for name, rows in scatters.items():
    for made, options in rows:
        options = {
            **options,
            "fixed": ("s", "v")
            if "value" in made or "1.5" in made or "fill" in name
            else options.get("fixed", ()),
        }
        calls(f"torch.{name} torch.Tensor.{name}", (made, MATRIX, options))
        calls(
            f"torch.Tensor.{name}_",
            (made, MATRIX, {**options, "gradients": False, "changed": ("x",)}),
            (made.replace("x", "x * 2", 1), MATRIX, options),
        )
for reduce in ("sum", "mean", "prod", "amax", "amin"):
    for more in ("", ", include_self=False"):
        calls(
            "torch.scatter_reduce torch.Tensor.scatter_reduce",
            (
                f"x, 0, i % 2, s, '{reduce}'{more}",
                MATRIX,
                {**PLACES, "gradients": not more or reduce == "sum"},
            ),
        )
calls(
    "torch.index_select torch.Tensor.index_select",
    ("x, 0, i", MATRIX, {"inputs": {"i": "np.array([2, 0])"}}),
    ("x, -1, index=i", MATRIX, {"inputs": {"i": "np.array([2, 0, 2])"}}),
)
calls(
    "torch.gather torch.Tensor.gather",
    ("x, 0, i", MATRIX, {"inputs": PLACES["inputs"] | {"s": "normal(1)"}, "fixed": ("s",)}),
    ("x, dim=1, index=i", MATRIX, {"inputs": {"i": "integers((2, 6), 4)"}}),
    ("x, -1, i", "normal(5)", {"inputs": {"i": "np.array([1, 4])"}}),
)
MASKED = {"inputs": {"m": "normal(3, 4) > 0", "s": "normal(12)"}}
calls(
    "torch.masked_scatter torch.Tensor.masked_scatter",
    ("x, m, s", MATRIX, MASKED),
)
IN_PLACE = {"gradients": False, "changed": ("x",)}
for name, made in (
    ("fill_", "x, 2.5"),
    ("zero_", "x"),
    ("clamp_", "x, -0.5, 0.5"),
    ("clamp_", "x, min=0"),
    ("clamp_", "x, max=0.3"),
    ("fill_diagonal_", "x, 7"),
):
    calls(f"torch.Tensor.{name}", (made, MATRIX, IN_PLACE), (made.replace("x", "x * 2", 1), MATRIX))
    if "diagonal" not in name:
        calls(
            f"torch.Tensor.{name}",
            (made.replace("x", "x[1:]", 1), MATRIX, IN_PLACE),
            (made.replace("x", "x[:, 1]", 1), MATRIX, IN_PLACE),
            (made, "np.float32(3)", IN_PLACE),
        )
calls(
    "torch.Tensor.clamp_ torch.clamp",
    ("x * 1, 0, y[3]", MATRIX, {"inputs": {"y": "uniform(4)"}, "gradients": False}),
    ("x * 1, y[0] - 2, max=0", MATRIX, {"inputs": {"y": "uniform(4)"}, "gradients": False}),
    ("x * 1, 1, y[0] - 1", "integers((3, 4), 9)", {"inputs": {"y": "integers(2, 7, 3)"}, "gradients": False}),
)
calls(
    "torch.Tensor.copy_",
    ("x, y", MATRIX, {**IN_PLACE, **TWO}),
    ("x[1], y[0]", MATRIX, {**IN_PLACE, **TWO}),
    ("x, y", MATRIX, {**IN_PLACE, "inputs": {"y": "normal(4)"}}),
    ("x * 1, y", MATRIX, TWO),
    ("x, y", MATRIX, {**IN_PLACE, "inputs": {"y": "integers((3, 4), 5)"}}),
)
calls(
    "torch.Tensor.masked_scatter_",
    ("x, m, s", MATRIX, {**IN_PLACE, **MASKED}),
    ("x * 2, m, s", MATRIX, MASKED),
    ("x, m[:, :1], s.reshape(3, 4)", MATRIX, {**IN_PLACE, **MASKED}),
    ("x[1], m[0], s", MATRIX, {**IN_PLACE, **MASKED}),
)
calls(
    "torch.Tensor.bernoulli_",
    ("x", "np.zeros((100, 100), dtype='float32')", MOMENTS),
    ("x, 0.2", "np.zeros((100, 100), dtype='float32')", MOMENTS),
)
calls(
    "torch.Tensor.normal_",
    ("x", "np.zeros((100, 100), dtype='float32')", MOMENTS),
    ("x, mean=1, std=0.5", "np.zeros((100, 100), dtype='float32')", MOMENTS),
)
calls(
    "torch.Tensor.uniform_",
    ("x", "np.zeros((100, 100), dtype='float32')", MOMENTS),
    ("x, -1, 2", "np.zeros((100, 100), dtype='float32')", MOMENTS),
)
calls("torch.clone torch.Tensor.clone", ("x", MATRIX))
CASES.append(
    script(
        "torch.Tensor.contiguous torch.contiguous_format",
        "result = contiguous(x.transpose(0, 1), memory_format=contiguous_format)",
        inputs={"x": MATRIX},
    )
)
for name in ("max", "min"):
    calls(
        f"torch.{name} torch.Tensor.{name}",
        ("x", MATRIX),
        ("x, 1", MATRIX),
        ("x, dim=0, keepdim=True", CUBE),
        ("x, -1, True", CUBE),
        ("x, y", MATRIX, TWO),
        ("x", "integers((3, 4), 9)"),
        ("x, 1", "np.argsort(normal(12)).reshape(3, 4)"),
    )
    calls(
        f"torch.arg{name} torch.Tensor.arg{name}",
        ("x", MATRIX, {"gradients": False}),
        ("x, 1", MATRIX, {"gradients": False}),
        ("x, dim=-1, keepdim=True", CUBE, {"gradients": False}),
        ("x, 1", "np.argsort(normal(12)).reshape(3, 4)"),
    )
for name in ("std", "var"):
    calls(
        f"torch.{name} torch.Tensor.{name}",
        *(
            (made, CUBE)
            for made in (
                "x",
                "x, 1",
                "x, dim=(0, 2), keepdim=True",
                "x, -1, False",
                "x, dim=1, unbiased=False",
                "x, False",
                "x, dim=1, correction=0",
            )
        ),
    )
    calls(
        f"torch.{name}_mean", ("x", CUBE), ("x, 1", CUBE), ("x, dim=-1, keepdim=True, unbiased=False", CUBE)
    )
calls(
    "torch.norm torch.Tensor.norm",
    *(
        (made, CUBE)
        for made in (
            "x",
            "x, 2, 1",
            "x, p=1, dim=-1, keepdim=True",
            "x, dim=(1, 2)",
            "x, float('inf')",
            "x, 'fro'",
            "x, 2, (1, 2)",
        )
    ),
)
calls(
    "torch.quantile torch.Tensor.quantile",
    *(
        (made, CUBE)
        for made in (
            "x, 0.3",
            "x, 0.5, 1",
            "x, 0.25, dim=-1, keepdim=True",
            "x, 0.4, interpolation='lower'",
            "x, 0.4, 1, interpolation='higher'",
            "x, 0.4, interpolation='nearest'",
            "x, 0.4, interpolation='midpoint'",
        )
    ),
    ("x, q, 1", CUBE, {"inputs": {"q": "np.float32([0.1, 0.5, 0.9])"}, "fixed": ("q",)}),
)
calls("torch.median torch.Tensor.median", ("x", CUBE), ("x, 1", CUBE), ("x, dim=-1, keepdim=True", CUBE))
calls("torch.kthvalue torch.Tensor.kthvalue", ("x, 2", CUBE), ("x, k=1, dim=1, keepdim=True", CUBE))
calls(
    "torch.cdist",
    ("x, y", "normal(2, 4, 5)", {"inputs": {"y": "normal(2, 3, 5)"}}),
    ("x, y, p=1", "normal(4, 5)", {"inputs": {"y": "normal(3, 5)"}}),
    ("x, y, 2", "normal(4, 5)", {"inputs": {"y": "normal(3, 5)"}}),
    ("x, x.detach() if hasattr(x, 'detach') else x", "normal(4, 5)", {"gradients": False, "tolerance": 2e-3}),
    ("x, y", "normal(2, 4, 5)", {"inputs": {"y": "normal(3, 5)"}}),
    ("x, y", "normal(2, 1, 4, 5)", {"inputs": {"y": "normal(2, 3, 5)"}}),
    ("x, y, p=0.5", "normal(4, 5)", {"inputs": {"y": "normal(3, 5)"}, "tolerance": 1e-4}),
)
calls("torch.Tensor.size", ("x", MATRIX, {"gradients": False}), ("x, 1", MATRIX, {"gradients": False}))
calls("torch.Tensor.element_size", ("x", MATRIX, {"gradients": False}))
calls("torch.Tensor.cpu", ("x", MATRIX))
CASES.append(  # there is no such device where this runs: a Tensor that PyTorch has on CPU is compared
    script(
        "torch.Tensor.cuda",
        "import torch\nresult = tensor([1.0]) if cuda is torch.Tensor.cuda else cuda(tensor([1.0]))",
    )
)
calls("torch.Tensor.detach", ("x", MATRIX, {"gradients": False}))
calls("torch.Tensor.relu", ("x", MATRIX))
calls("torch.Tensor.log_softmax", ("x, 1", MATRIX), ("x, dim=0", MATRIX))
calls(
    "torch.equal torch.Tensor.equal",
    ("x, x * 1", MATRIX, {"gradients": False}),
    ("x, y", MATRIX, {**TWO, "gradients": False}),
    ("x, x[0]", MATRIX, {"gradients": False}),
)
calls("torch.tril_indices", ("3, 4", ""), ("3, 3, offset=-1, device='cpu'", ""))
calls("torch.triu_indices", ("3, 4", ""), ("3, 3, 1, dtype=int32", ""))
calls(
    "torch.Tensor.unfold",
    ("x, 1, 2, 1", CUBE),
    ("x, -1, 3, 1", CUBE),
    ("x, 0, 2, 2", "normal(7, 2)"),
)
calls(
    "torch.baddbmm torch.Tensor.baddbmm",
    ("x, y, z", "normal(2, 3, 5)", {"inputs": {"y": "normal(2, 3, 4)", "z": "normal(2, 4, 5)"}}),
    (
        "x, y, z, beta=0.0, alpha=0.5",
        "normal(2, 3, 5)",
        {"inputs": {"y": "normal(2, 3, 4)", "z": "normal(2, 4, 5)"}, "fixed": ("x",)},
    ),
)
calls(
    "torch.logsumexp torch.Tensor.logsumexp",
    ("x, 1", CUBE),
    ("x, dim=(0, 2), keepdim=True", CUBE),
    ("x, -1", "np.float32([[-np.inf, -np.inf], [1, 1000]])", {"gradients": False}),
)

calls(
    "torch.Tensor.__getitem__",
    *(
        (f"x, {index}", "normal(4, 5, 6, 3)")
        for index in (
            "0",
            "(slice(1, 3), 2)",
            "slice(0, None, 2)",
            "(..., slice(0, None, 2), slice(1, None, 2), slice(None))",
            "(slice(None), slice(1, 5, 3), None, slice(None, None, 2))",
            "(1, slice(None, None, 2))",
            "(..., slice(-3, None, 2))",
            "(None, slice(None, None, 3), ..., 0)",
            "tensor([0, 2])",
            "(slice(None, None, 2), tensor([0, 2]))",
            "x > 0",
        )
    ),
)

CASES += [
    script(
        "torch.no_grad torch.Tensor.__getitem__",
        "def taken(x, *index):\n    return __getitem__(x, index)\n"
        "with no_grad():\n    y = x * 1\n    part = taken(y, slice(None), slice(1, None, 2))\n"
        "    part[1] = 9.0\n    part[:, :1] = 8.0\nresult = y",
        inputs={"x": "normal(3, 6, 5)"},
        gradients=False,
    ),
    script(
        "torch.Tensor.__getitem__",
        "y = x * 1\n__getitem__(y, (..., slice(1, None, 2)))[1] = 9.0\nresult = y",
        inputs={"x": "normal(3, 6, 5)"},
    ),
]

for name in ("erfinv_", "floor_", "log_", "sigmoid_", "sign_", "tanh_", "relu_", "sqrt_", "abs_", "neg_"):
    exact = {"tolerance": 1e-4}
    calls(
        f"torch.Tensor.{name}",
        ("x", "uniform(3, 4)", {**IN_PLACE, **exact}),
        ("x[1:]", "uniform(3, 4)", {"gradients": False, **exact}),
        ("x * 0.9", "uniform(3, 4)", exact),
    )
calls(
    "torch.Tensor.exponential_",
    ("x", "np.zeros((200, 200), dtype='float32')", MOMENTS),
    ("x, lambd=2.0", "np.zeros((200, 200), dtype='float32')", MOMENTS),
)
WHOLE = {
    **MOMENTS,
    "random": "np.round(result.mean() / 5, 1); result.min() >= 0; result.max() < 10; str(result.dtype)",
}
calls(
    "torch.Tensor.random_",
    ("x, 10", "np.zeros((100, 100), dtype='float32')", WHOLE),
    ("x, 2, 8", "np.zeros((100, 100), dtype='int64')", WHOLE),
)
calls("torch.take torch.Tensor.take", ("x, i", MATRIX, {"inputs": {"i": "np.array([[0, 11], [5, 5]])"}}))
calls("torch.dot torch.Tensor.dot", ("x, y", "normal(5)", {"inputs": {"y": "normal(5)"}}))
calls("torch.fmin torch.Tensor.fmin", ("x, y", MATRIX, TWO))
calls(
    "torch.addcdiv torch.Tensor.addcdiv",
    ("x, y, z", MATRIX, {"inputs": {"y": MATRIX, "z": "uniform(3, 4)"}}),
    ("x, y, z, value=0.5", MATRIX, {"inputs": {"y": MATRIX, "z": "uniform(3, 4)"}}),
)
PAIRS = {
    "inputs": {"i": "np.array([0, 2, 0])", "j": "np.array([1, -1, 1])", "v": "normal(3)", "w": "normal(3, 4)"}
}
calls(
    "torch.index_put torch.Tensor.index_put",
    ("x, (i, j), v, accumulate=True", MATRIX, {**PAIRS, "fixed": ("w",)}),
    ("x, (i[:2],), w[:2]", MATRIX, {**PAIRS, "fixed": ("v",)}),
    ("x, [i], w, True", MATRIX, {**PAIRS, "fixed": ("v",)}),
)
calls(
    "torch.Tensor.index_put_",
    ("x, (i[:2], j[:2]), v[:2]", MATRIX, {**PAIRS, **IN_PLACE}),
    ("x, (i[:2], j[:2]), tensor(np.float32(2))", MATRIX, {**PAIRS, **IN_PLACE}),
)
calls(
    "torch.Tensor.unflatten", ("x, 1, (2, 2)", MATRIX), ("x, -1, [2, -1]", MATRIX), ("x, 0, (3, 1)", MATRIX)
)

CASES += [
    script(
        "torch.clone torch.nn.Parameter",
        "p = Parameter(x)\nresult = weight_gradients(lambda: clone(p) * p, p)",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.Tensor.clone torch.Tensor.zero_ torch.nn.Parameter",
        """
p = Parameter(x)
def compute():
    y = clone(p)
    zero_(y[2:4])
    return y * y
result = weight_gradients(compute, p)
""",
        inputs={"x": "normal(6)"},
    ),
    script("torch.clone", "result = [clone(x > 0), clone(x)]", inputs={"x": "normal(3)"}),
]

for api in ("torch.Tensor.squeeze", "torch.squeeze"):
    for made in ("x", "x, 0", "x, dim=1", "x, -1", "x, (0, 1)"):
        CASES.append(function(api, made, "normal(1, 3, 1)"))
CASES += [
    function("torch.cat", "[x, y]", "normal(2, 3)", inputs={"y": "normal(1, 3)"}),
    function("torch.cat", "(x[:, :0], x * 2, x[:, 3:]), dim=-1", "normal(2, 3)"),
    function("torch.cat", "(x[:, :0], x[:, 3:]), -1", "normal(2, 3)", gradients=False),
    function("torch.cat", "(tensor(np.zeros(0, np.float32)), x), 1", "normal(2, 3)"),
]
for name, given in {
    "add": "x, y, alpha=2",
    "sub": "x, y, alpha=2",
    "mul": "x, y",
    "div": "x, y",
    "pow": "x, 2",
}.items():
    CASES.append(
        function(
            f"torch.Tensor.{name}_",
            given,
            "normal(2, 3)",
            inputs={"y": "uniform(3)"},
            gradients=False,
            changed=("x",),
        )
    )
CASES.append(
    script(
        "torch.utils.flop_counter.tree_flatten torch.utils.flop_counter.tree_unflatten torch.utils.checkpoint.tree_map",
        """
tree = {"a": (x, [1, None]), "b": 2}
leaves, how = tree_flatten(tree)
other = tree_unflatten([3, 4, 5, 6], how)
doubled = tree_map(lambda leaf: leaf and leaf * 2, {"a": (1, [2, None])})
result = [len(leaves), leaves[0], str(other), str(doubled), how.num_leaves, str(tree_flatten(7)[0])]
""",
        inputs={"x": "normal(2)"},
        gradients=False,
    )
)
calls("torch.sigmoid torch.Tensor.sigmoid", ("x", MATRIX))
# where MindSpore's kernel of tanh is wrong by 1e-4
SATURATED = "np.linspace(-6, 6, 49, dtype='float32')"
calls("torch.tanh torch.Tensor.tanh torch.nn.functional.tanh", ("x", SATURATED))
calls("torch.nn.functional.tanhshrink torch.nn.functional.mish", ("x", SATURATED))
calls("torch.Tensor.tanh_ torch.tanh_", ("x", SATURATED, {"gradients": False, "changed": ("x",)}))
calls(
    "torch.log_softmax torch.Tensor.log_softmax torch.special.log_softmax",
    ("x, 1", MATRIX),
    ("x, dim=0, dtype=float64", MATRIX),
    ("x, -1", CUBE),
)
calls("torch.Tensor.size", ("x", MATRIX, {"gradients": False}), ("x, 1", MATRIX, {"gradients": False}))
calls("torch.Tensor.size", ("x, dim=-1", MATRIX, {"gradients": False}))
for sizes in ("[2, 6]", "3", "(1, 1, 6)"):
    CASES.append(
        script(
            "torch.split torch.cat",
            f"first, *rest = split(x, {sizes}, dim=1)\nresult = cat((first * 2, *rest, x), 1)",
            inputs={"x": "normal(2, 8, 3)"},
        )
    )
CASES.append(
    script(
        "torch.split",
        "result = split(x, tuple(n), dim=1)",
        inputs={"x": "normal(2, 8, 3)", "n": "np.array([3, 1, 4])"},
    )
)
CASES += [
    script(
        "torch.Tensor.view torch.Tensor.expand",
        "result = [view(x, size=(6, 2)), view(x, 2, -1), view(x, (12,)), expand(x[:1], size=(2, -1, 4))]",
        inputs={"x": "normal(3, 4)"},
    ),
    script(
        "torch.jit._unwrap_optional",
        "result = _unwrap_optional(x)",
        inputs={"x": "normal(3, 4)"},
    ),
    script(
        "torch.diff",
        "result = [diff(x), diff(x.double(), dim=0)]",
        inputs={"x": "normal(3, 4)"},
    ),
    *(
        script(f"torch.Tensor.{api}", f"result = {api}(x)", inputs={"x": "normal(3, 4) > 0"}, gradients=False)
        for api in ("argwhere", "nonzero")
    ),
]
CASES += [
    script(
        "torch.asarray torch.tensor",
        """
copied, kept = asarray(x, copy=True), asarray(x)
leaf = asarray(x, dtype=float64, requires_grad=True)
from_list = asarray([1, 2, 3], requires_grad=False)
kept[0] = 9
result = [copied, kept, leaf, from_list, asarray(np.ones(2)), tensor([leaf.requires_grad, copied.requires_grad])]
""",
        inputs={"x": "normal(3)"},
        fixed=("x",),
        gradients=False,
    ),
    script(
        "torch.tensor torch.masked_scatter torch.Tensor.masked_scatter",
        "result = [masked_scatter(x, tensor([True, False, True]), y), masked_scatter(x[0], tensor([[True] * 3] * 2), y), masked_scatter(x, tensor([False] * 3), y[:0])]",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    ),
    script(
        "torch.tensor torch.Tensor.scatter_ torch.Tensor.scatter torch.scatter",
        """
index = tensor([[2], [0]])
first = scatter(x, 1, index, 1.5, reduce="multiply")
result = [first, scatter_(x * 1, 1, index, 1.23, reduce="multiply"), scatter_(x * 1, 1, index, 2.0, reduce="add")]
""",
        inputs={"x": "normal(2, 4)"},
        gradients=False,
    ),
    *(
        script(
            "torch.tensor torch.index_reduce torch.Tensor.index_reduce torch.Tensor.index_reduce_",
            f"""
index = tensor([0, 2, 0])
result = [index_reduce(x, {dim}, index, y, "{way}", include_self={self_too}) for _ in range(1)]
result.append(index_reduce_(x * 1, {dim}, index, y, "{way}", include_self={self_too}))
""",
            inputs={"x": "normal(3, 3)", "y": "normal(3, 3)"},
            gradients=False,
        )
        for dim, way, self_too in (
            (0, "prod", True),
            (1, "mean", False),
            (-1, "amax", True),
            (0, "amin", False),
        )
    ),
    script(
        "torch.nonzero_static torch.Tensor.nonzero_static",
        "result = [nonzero_static(y, size=size, fill_value=f) for y in (x, x * 0, x[0]) for size, f in ((2, -1), (7, 5))]",
        inputs={"x": "integers((2, 3), 2)"},
        gradients=False,
    ),
    script(
        "torch.empty_strided torch.empty_permuted torch.Tensor.new_empty_strided",
        """
made = [empty_strided((2, 3), (1, 2)), empty_permuted((2, 3, 4), (0, 2, 1), dtype=int64)]
made.append(new_empty_strided(x, (3, 2), (2, 1)))
result = [each * 0 for each in made[1:]] + [made[0].shape[1]]
""",
        inputs={"x": "normal(2)"},
        gradients=False,
    ),
    script(
        "torch.tensor torch.median torch.quantile torch.aminmax torch.nanquantile torch.nanmedian",
        """
x[0, 1] = float("nan")
x[1] = float("nan")
result = [median(x), median(x, 1).values, quantile(x, 0.5), quantile(x, tensor([0.2, 0.9]), 1), *aminmax(x)]
result += [*aminmax(x, dim=1, keepdim=True), nanquantile(x, 0.3, 1), nanmedian(x, 1).values, median(x[2:], 1).indices]
""",
        inputs={"x": "normal(3, 4)"},
        fixed=("x",),
        gradients=False,
    ),
    script(
        "torch.hsplit torch.vsplit torch.dsplit torch.tensor_split",
        "result = [part * 1 for part in (*hsplit(x, [3, 6]), *vsplit(x, (9,)), *dsplit(x, [0, 1]), *tensor_split(x, 5, -1))]",
        inputs={"x": "normal(2, 4, 3)"},
        gradients=False,
    ),
    script(
        "torch.round torch.Tensor.round",
        "result = [round(x, decimals=2), round(x), round(100 * x, decimals=-1)]",
        inputs={"x": "normal(7)"},
        gradients=False,
    ),
]
CASES += [
    script(
        "torch.scatter_reduce torch.scatter torch.tensor",
        """
index = tensor([[0, 1], [2, 0], [1, 1]])
ways = ("prod", "amax", "amin", "mean", "sum")
result = [scatter_reduce(x, 0, index, y, way, include_self=own) for way in ways for own in (True, False)]
result += [scatter_reduce(x, 1, index, y, way, include_self=False) for way in ways]
result.append(scatter(x, 1, index, y, reduce="multiply"))
""",
        inputs={"x": values, "y": values},
        gradients=False,
    )
    for values in ("normal(3, 4)", "integers((3, 4), 9) - 4")
]
CASES += [
    script(
        "torch.std_mean torch.var_mean torch.norm",
        "result = [*std_mean(x, False), *var_mean(x, True), *std_mean(x, 1), norm(x, 'nuc')]",
        inputs={"x": "normal(3, 4)"},
        tolerance=1e-4,
    ),
    script(
        "torch.clamp_min torch.clamp_max torch.split_with_sizes torch.Tensor.narrow_copy torch.Tensor.count_nonzero",
        """
result = [clamp_min(x, y), clamp_max(x, y), clamp_max(x, 0.1), *(part * 1 for part in split_with_sizes(x, [1, 0, 2]))]
result += [narrow_copy(x, 0, 1, 0), count_nonzero(x, dim=(0, -1)), count_nonzero(x, 0), count_nonzero(x)]
""",
        inputs={"x": "normal(3, 1)", "y": "normal(4)"},
        gradients=False,
    ),
    script(
        "torch.gradient torch.unfold_copy torch.linalg.lu_factor_ex torch.linalg.matrix_rank torch.tensor",
        """
found = lu_factor_ex(x)
result = [*gradient(x, spacing=None, dim=None), unfold_copy(x, 1, 3, 2), found.LU, found.pivots, found.info]
result += [matrix_rank(x, atol=tensor(0.5)), matrix_rank(x, atol=tensor(0.1), rtol=tensor(0.3))]
""",
        inputs={"x": "normal(5, 5)"},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.complex torch.angle torch.Tensor.angle torch.view_as_real torch.tensor",
        "z = complex(x, y)\nresult = [view_as_real(z), angle(z), angle(x), angle(tensor([2, -3]))]",
        inputs={"x": "normal(3, 1)", "y": "normal(4)"},
        gradients=False,
    ),
    script(
        "torch.fft.fftn torch.fft.ifftn torch.fft.rfftn torch.fft.fft2 torch.fft.ifft2 torch.view_as_real",
        "result = [view_as_real(one(x, dim=-1)) for one in (fftn, ifftn, rfftn)]\nresult += [view_as_real(one(x)) for one in (fft2, ifft2)]",
        inputs={"x": "normal(3, 4)"},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.istft torch.view_as_complex",
        "result = [istft(view_as_complex(x), n_fft=6, onesided=False), istft(view_as_complex(x), 6)]",
        inputs={"x": "normal(6, 5, 2)"},
        gradients=False,
        tolerance=1e-4,
    ),
]
CASES.append(
    script(
        "torch.allclose torch.Tensor.allclose torch.view_as_complex",
        "result = [allclose(x, x + 1e-3, atol=tensor(np.float32(1e-2))), allclose(x, x + 1e-3, 0.0, 1e-4),\n"
        "    x.allclose(x), allclose(view_as_complex(y), view_as_complex(y) + 1e-3, atol=1e-2), allclose(view_as_complex(y), 1 + view_as_complex(y))]",
        inputs={"x": "normal(3)", "y": "normal(3, 2)"},
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.all torch.any torch.zeros",
        "y = zeros(0, 70000) > 0\nz = zeros(0, 5)\n"
        "result = [y.all(dim=0).all(), y.any(0).any(), y.all(), y.any(dim=0, keepdim=True).shape[0], y.all(1), y.all(-1, True),\n"
        "    all(y, 0).all(), any(y, dim=0).any(), z.prod(0), z.prod(), (x > 0).all(1), (x > 0).any(0)]",
        inputs={"x": "normal(3, 4)"},
        gradients=False,
    )
)

CASES.append(
    script(
        "torch.median torch.Tensor.median",
        "result = median(x[:0])",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    )
)
# `clone` of what nobody knows to be a Tensor stays a method
CASES.append(
    script(
        "torch.Tensor torch.nn.Parameter",
        "kept, weight = x.clone(), Parameter(x)\nkept[0] = 5\nother = weight.clone()\n(other * other).sum().backward()\n"
        "result = x, kept, weight.grad, isinstance(other, Parameter), weight.clone().detach(), (x > 0).clone()",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    )
)
