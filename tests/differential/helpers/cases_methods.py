"""Functions and methods of Tensors that MindSpore lacks, or has with other parameters."""

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
            CASES.append(function(api, made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


for name in ("amax", "amin"):
    calls(
        f"torch.Tensor.{name}",
        ("x", CUBE),
        ("x, 1", CUBE),
        ("x, dim=(0, -1), keepdim=True", CUBE),
        ("x, 0", BOOLS, FIXED),
    )
calls("torch.aminmax torch.Tensor.aminmax", ("x", CUBE), ("x, dim=1, keepdim=True", CUBE))
for name in ("cummax", "cummin", "logcumsumexp"):
    calls(
        f"torch.{name} torch.Tensor.{name}" if name != "logcumsumexp" else f"torch.Tensor.{name}",
        ("x, 1", CUBE),
        ("x, dim=-1", CUBE),
    )
calls(
    "torch.mode torch.Tensor.mode",
    ("x", "integers((3, 6), 3)", FIXED),
    ("x, 0, True", "integers((5, 2), 2)", FIXED),
    ("x, dim=1", MATRIX),
)
calls(
    "torch.nanmean torch.Tensor.nanmean",
    ("x", WITH_NAN),
    ("x, 1", WITH_NAN),
    ("x, dim=(0,), keepdim=True", WITH_NAN),
)
calls("torch.nanmedian torch.Tensor.nanmedian", ("x", WITH_NAN), ("x, 1", WITH_NAN), ("x, 0, True", WITH_NAN))
calls(
    "torch.nanquantile torch.Tensor.nanquantile",
    ("x, 0.3", WITH_NAN),
    ("x, 0.5, 1", WITH_NAN),
    ("x, 0.25, dim=0, keepdim=True", WITH_NAN),
)
calls("torch.round torch.Tensor.round", ("x", MATRIX), ("x, decimals=1", MATRIX))
calls("torch.dist torch.Tensor.dist", ("x, y, 3", MATRIX, {"inputs": {"y": MATRIX}}), ("x, x + 1", MATRIX))
calls("torch.nn.functional.pdist", ("x", MATRIX), ("x, p=1.0", MATRIX))
calls(
    "torch.Tensor.diagonal",
    ("x", MATRIX),
    ("x, 1, dim1=1, dim2=2", CUBE),
    ("x, offset=-1", MATRIX),
    ("x, 0, -1, 0", CUBE),
    ("x, 7", MATRIX, FIXED),
)
calls(
    "torch.diag_embed torch.Tensor.diag_embed",
    ("x", MATRIX),
    ("x, 1, 0, 2", MATRIX),
    ("x, offset=-1", MATRIX),
)
calls(
    "torch.Tensor.diff",
    ("x", MATRIX),
    ("x, 2, dim=0", MATRIX),
    ("x, prepend=x[:, :1]", MATRIX),
    ("x", BOOLS, FIXED),
)
calls("torch.Tensor.renorm", ("x, 2, 0, 1.0", MATRIX), ("x, p=1, dim=1, maxnorm=0.5", CUBE))
calls(
    "torch.split_with_sizes torch.Tensor.split_with_sizes",
    ("x, [1, 2], 0", MATRIX),
    ("x, (1, 3), dim=-1", MATRIX),
)
calls(
    "torch.Tensor.tensor_split",
    ("x, 3", "normal(7, 2)"),
    ("x, [1, 3], dim=1", MATRIX),
    ("x, (2, -1), -1", MATRIX),
)
calls(
    "torch.take_along_dim torch.Tensor.take_along_dim",
    ("x, y, 1", MATRIX, {"inputs": {"y": "integers((3, 2), 4)"}}),
    ("x, y, dim=0", MATRIX, {"inputs": {"y": "integers((1, 4), 3)"}}),
    ("x, y", MATRIX, {"inputs": {"y": "integers((5,), 12)"}}),
)
calls("torch.vdot torch.Tensor.vdot", ("x, x * 2", "normal(4)"))
calls(
    "torch.as_strided torch.Tensor.as_strided",
    ("x, (2, 3), (1, 2)", "normal(12)"),
    ("x, (2, 2), (4, 1), 3", MATRIX),
    ("x.t(), (2, 2), (4, 1), 3", MATRIX),
    ("x.swapaxes(0, 2), (2, 3, 2), (1, 5, 2)", "normal(2, 3, 4)"),
    ("x[1:, 1:], (2, 2), (4, 1)", MATRIX),
    ("x.permute(1, 2, 0, 3).reshape(12, 2, 2), (3, 2, 2), (8, 3, 1)", "normal(2, 3, 4, 2)"),
)
calls("torch.Tensor.select_scatter", ("x, y, 1, 2", MATRIX, {"inputs": {"y": "normal(3)"}}))
calls(
    "torch.slice_scatter torch.Tensor.slice_scatter",
    ("x, y, 1, 1, 3", MATRIX, {"inputs": {"y": "normal(3, 2)"}}),
    ("x, y, dim=0, end=-1", MATRIX, {"inputs": {"y": "normal(2, 4)"}}),
    ("x, y, 1, step=2", MATRIX, {"inputs": {"y": "normal(3, 2)"}}),
)
calls("torch.select torch.Tensor.select", ("x, 1, 2", CUBE), ("x, dim=-1, index=0", CUBE))
calls("torch.Tensor.clamp_min torch.Tensor.clamp_max", ("x, 0.2", MATRIX))
calls("torch.Tensor.float_power", ("x, 2", "uniform(3)"))
calls("torch.kron torch.Tensor.kron", ("x, y", MATRIX, {"inputs": {"y": "normal(2, 2)"}}))
calls("torch.mv torch.Tensor.mv", ("x, y", MATRIX, {"inputs": {"y": "normal(4)"}}))
calls("torch.exp2 torch.Tensor.exp2", ("x", MATRIX))
calls("torch.block_diag", ("x, y, x", MATRIX, {"inputs": {"y": "normal(2)"}}))
calls("torch.cartesian_prod", ("x, y", "normal(3)", {"inputs": {"y": "normal(2)"}}), ("x", "normal(3)"))
calls(
    "torch.unique_consecutive torch.Tensor.unique_consecutive",
    ("x", "np.array([1, 1, 2, 2, 1])", FIXED),
    ("x, return_inverse=True, return_counts=True", "np.array([[1, 1], [2, 3]])", FIXED),
    ("x, return_counts=True", "np.zeros((0,), np.float32)", FIXED),
    ("x, dim=1, return_counts=True", "np.array([[1, 1, 2], [3, 3, 3]])", FIXED),
)
BOUNDS = {"inputs": {"y": "np.array([-0.5, 0.0, 1.0], np.float32)"}, "gradients": False}
ROWS = {"inputs": {"y": "np.sort(normal(3, 5), 1)"}, "gradients": False}
calls("torch.bucketize", ("x, y", MATRIX, BOUNDS), ("x, y, right=True, out_int32=True", CUBE, BOUNDS))
calls(
    "torch.searchsorted",
    ("y, x", MATRIX, ROWS),
    ("y, x, side='right'", MATRIX, BOUNDS),
    ("y, 0.3", "normal(1)", BOUNDS),
)
calls("torch.Tensor.is_contiguous", ("x", MATRIX, FIXED))
calls("torch.Tensor.get_device", ("x", MATRIX, FIXED))
calls(
    "torch.is_nonzero torch.Tensor.is_nonzero", ("x", "np.array([0.0])", FIXED), ("x", "np.array([2])", FIXED)
)
calls("torch.Tensor.char", ("x", "integers((3,), 5)", FIXED))
calls("torch.Tensor.narrow_copy", ("x, 1, 1, 2", MATRIX))
calls(
    "torch.narrow torch.Tensor.narrow",
    ("x, 1, 1, 2", MATRIX),
    ("x, -1, -2, 2", MATRIX),
    ("x, 1, 4, 0", MATRIX, FIXED),
    ("x, 0, i, 2", MATRIX, {"inputs": {"i": "np.array(1)"}}),
    ("x, 0, i, i", MATRIX, {"inputs": {"i": "np.array(1)"}}),
)
for api in (
    "torch.resolve_conj",
    "torch.resolve_neg",
    "torch.Tensor.resolve_conj",
    "torch.Tensor.resolve_neg",
):
    calls(api, ("x", MATRIX))
CASES += [
    script(
        "torch.result_type torch.promote_types torch.can_cast",
        """
results = [result_type(x, 1), result_type(x, 1.5), result_type(x, y), promote_types(int64, float32), promote_types(bool, uint8)]
result = [str(one).lower().rpartition(".")[2] for one in results]
result += [can_cast(float32, int64), can_cast(int64, float32), can_cast(bool, int8), can_cast(float64, float16)]
""".replace("(bool, ", "(uint8, "),
        inputs={"x": "integers((2,), 3)", "y": MATRIX},
        gradients=False,
    )
]
for name, given in {
    "logical_and": "y > 0",
    "logical_or": "y > 0",
    "logical_xor": "y > 0",
    "eq": "y",
    "ne": "y",
    "lt": "y",
    "le": "y",
    "gt": "y",
    "ge": "y",
    "atan2": "y",
    "cumprod": "1",
    "xlogy": "abs(y)",
    "renorm": "2, 0, 1.0",
}.items():
    CASES.append(
        function(
            f"torch.Tensor.{name}_",
            f"x, {given}",
            MATRIX,
            inputs={"y": MATRIX},
            gradients=False,
            changed=("x",),
        )
    )
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    CASES.append(
        function(
            f"torch.Tensor.{name}_",
            "x, y",
            "integers((3,), 9)",
            inputs={"y": "integers((3,), 9)"},
            gradients=False,
            changed=("x",),
        )
    )
CASES += [
    function(
        "torch.Tensor.baddbmm_",
        "x, y, y",
        "normal(2, 3, 3)",
        inputs={"y": "normal(2, 3, 3)"},
        gradients=False,
        changed=("x",),
    ),
    function("torch.Tensor.nan_to_num_", "x, 0.5", WITH_NAN, gradients=False, changed=("x",)),
    *(
        function(f"torch.{owner}nan_to_num", made, given, **more)
        for owner in ("", "Tensor.")
        for made in ("x", "x, 0.5, posinf=2.0, neginf=-2.0")
        for given, more in (
            (WITH_NAN, {"gradients": False}),
            (f"({WITH_NAN}).astype(np.float64)", {"gradients": False}),
            ("normal(2, 3)", {}),
            ("normal(2, 3).astype(np.float64)", {}),
            ("normal(2, 3) > 0", {"gradients": False}),
            ("np.array([1, 2])", {"gradients": False}),
        )
    ),
]
for rank in (1, 2, 3):
    calls(f"torch.max_pool{rank}d", ("x, 2", f"normal(2, 3{', 4' * rank})"))
calls("torch.selu", ("x", MATRIX))
calls("torch.Tensor.prelu", ("x, y", MATRIX, {"inputs": {"y": "np.array([0.2], np.float32)"}}))
CASES.append(script("torch.Tensor.flip", "result = flip(x, dims=(1,))", inputs={"x": MATRIX}))
CASES.append(
    script(
        "torch.enable_grad",
        """
z = x * 2
result = z - z.long().float() + (z - z.int())
""",
        inputs={"x": MATRIX},
    )
)
for reduce in ("amax", "amin"):
    for more in ("", ", include_self=False"):
        CASES.append(
            script(
                "torch.scatter_reduce",
                f"""equal = x.abs() * 0
result = [scatter_reduce(equal, 0, i, s.abs() * 0, '{reduce}'{more}) * s[:1], scatter_reduce(x, 0, i, s, '{reduce}'{more})]
result.append(scatter_reduce(x, 0, i[:2, :2], s, '{reduce}'{more}))""",
                inputs={"x": "normal(4, 3)", "s": "normal(5, 3)", "i": "integers((5, 3), 4)"},
            )
        )
CASES.append(
    script(
        "torch.Tensor.scatter_reduce_ torch.ones torch.Tensor.amax torch.full",
        """result = [scatter_reduce_(ones(3, 4), 1, i, x, "prod"), scatter_reduce_(full((3, 4), -1e30), 1, i, x, "amax")]
whole = scatter_reduce_(full((3, 4), 2), 1, i, (x * 9).long(), "amin")
result += [whole, scatter_reduce_(full((3, 4), float("-inf")), 1, i, x, "amax").isinf()]""",
        inputs={"x": "normal(3, 4)", "i": "integers((3, 4), 3)"},
    )
)
# places that an index has many times: MindSpore's threads lost some of the values on CPU
CASES += [
    script(
        f"torch.{api} torch.zeros",
        f"""result = [{call}]
for _ in range(40):
    again = {call}
    if not bool((again == result[0]).all()):
        result.append(again)""",
        inputs={"x": "normal(5000, 3)", "i": "integers((5000,), 7)", "many": "integers((5000, 3), 7)"},
        gradients=False,
    )
    for api, call in (
        ("scatter_add", "scatter_add(zeros(7, 3), 0, many, x)"),
        ("scatter", "scatter(zeros(7, 3), 0, many, x)"),
        ("index_add", "index_add(zeros(7, 3), 0, i, x)"),
        ("index_put", "index_put(zeros(7, 3), (i,), x, True)"),
    )
]
CASES += [
    script(
        "torch.scatter torch.scatter_add torch.scatter_reduce torch.tensor",
        """
def error_of(function):
    try:
        function()
    except RuntimeError as error:
        return str(error)


result = []
for index in (tensor([[2, 0]]), tensor([[-1, 0]])):
    result.append(error_of(lambda: scatter(x, 0, index, x)))
    result.append(error_of(lambda: scatter_add(x, 0, index, x)))
    result.append(error_of(lambda: scatter_reduce(x, 0, index, x, "amax")))
""",
        inputs={"x": "normal(2, 2)"},
        gradients=False,
    ),
    script(
        "torch.tensor torch.as_tensor",
        """result = []
for function, given in ((tensor, ["a", "b"]), (as_tensor, ["a"]), (tensor, "a")):
    try:
        function(given)
    except (TypeError, ValueError) as error:
        result.append([type(error).__name__, str(error)])
""",
    ),
]
for reduce in ("sum", "mean", "max", "amin", "prod"):
    CASES.append(
        script(
            "torch.segment_reduce torch.tensor",
            f"""counts = tensor([2, 0, 3])
result = [segment_reduce(x, "{reduce}", lengths=counts, initial=initial) for initial in (None, 0.5)]
result.append(segment_reduce(x, "{reduce}", offsets=tensor([0, 1, 5])))
result.append(segment_reduce(x[:, 0], "{reduce}", lengths=counts))
result.append(segment_reduce(x.t(), "{reduce}", lengths=tensor([[2, 3], [1, 4]]), axis=1))""",
            inputs={"x": "normal(5, 2)"},
            gradients=False,
        )
    )
    CASES.append(
        script(
            "torch.segment_reduce torch.tensor",
            f"result = segment_reduce(x, '{reduce}', lengths=tensor([2, 1, 3]))",
            inputs={"x": "normal(6, 2)"},
        )
    )
calls("torch.where", ("x, y, 0", "integers((3, 4), 2).astype(np.uint8)", {"inputs": {"y": MATRIX}}))
for reduce in ("sum", "mean", "prod", "amax", "amin"):
    for more in ("", ", include_self=False"):
        CASES.append(
            script(
                "torch.Tensor.scatter_reduce_ torch.clone",
                f"y = clone(x)\nscatter_reduce_(y, 1, i, x * 2, '{reduce}'{more})\nresult = y",
                inputs={"x": "normal(3, 4)", "i": "integers((3, 4), 3)"},
            )
        )
CASES += [
    script(
        "torch.Tensor.layout torch.strided torch.sparse_coo torch.sparse_csr torch.sparse_csc",
        "result = [one == two for one in (strided, sparse_coo) for two in (sparse_coo, sparse_csr, sparse_csc, strided)]",
        gradients=False,
    ),
    script(
        "torch.utils.data.IterDataPipe torch.utils.data.MapDataPipe torch.utils.data.functional_datapipe",
        "class Source(IterDataPipe):\n"
        "    def __iter__(self):\n"
        "        return iter(range(5))\n"
        "@functional_datapipe('twice_of_all')\n"
        "class Twice(IterDataPipe):\n"
        "    def __init__(self, pipe, offset=0):\n"
        "        super().__init__()\n"
        "        self.pipe, self.offset = pipe, offset\n"
        "    def __iter__(self):\n"
        "        for one in self.pipe:\n"
        "            yield 2 * one + self.offset\n"
        "class Places(MapDataPipe):\n"
        "    def __getitem__(self, index):\n"
        "        return index + 1\n"
        "result = [list(Source().twice_of_all(offset=1)), Places()[3], isinstance(Source(), MapDataPipe)]",
        gradients=False,
    ),
]
CASES.append(
    script(
        "torch.broadcast_shapes",
        "result = [list(broadcast_shapes((2, 1), (3,))), list(broadcast_shapes(4, (5, 1))), list(broadcast_shapes())]",
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.broadcast_shapes",
        "try:\n    broadcast_shapes((2,), (3,))\nexcept RuntimeError:\n    result = 'refused'",
        gradients=False,
    )
)
calls(
    "torch.cumprod torch.Tensor.cumprod",
    ("x, 1", CUBE),
    ("x, dim=-1", "np.array([[1.5, 0, 2], [0, 3, 0], [2, 1, 4]], np.float32)", {"singular": True}),
    ("x, 0, dtype=float64", CUBE),
    ("x, 1", "integers((3, 4), 5)", FIXED),
    ("x, 0", "normal()"),
)
calls(
    "torch.diff torch.Tensor.diff",
    ("x, 0", MATRIX),
    ("x[:0], 1, 0", MATRIX),
    ("x, 5", MATRIX),
    ("x, 0, 1, y", MATRIX, {"inputs": {"y": MATRIX}}),
)
calls(
    "torch.masked_select torch.Tensor.masked_select",
    ("x, y", "normal(4)", {"inputs": {"y": BOOLS}}),
    ("x, y", MATRIX, {"inputs": {"y": BOOLS}}),
    ("x, x > 100", MATRIX, FIXED),
)
calls("torch.hsplit torch.Tensor.hsplit", ("x, 2", "normal(4)"), ("x, [1, 3]", "normal(3, 4)"))
calls("torch.Tensor.tensor_split", ("x, y", "normal(5)", {"inputs": {"y": "np.array([1, 3])"}}))
calls("torch.renorm torch.Tensor.renorm", ("x, 1, 2, 3", CUBE), ("x, float('inf'), 2, 0.5", CUBE))
calls(
    "torch.Tensor.clamp_max torch.Tensor.clamp_min",
    ("x, y", "normal(5, 1)", {"inputs": {"y": "normal(5)"}}),
    ("x, 0.3", MATRIX),
)
calls("torch.Tensor.round_ torch.round_", ("x, decimals=1", MATRIX, {"changed": ("x",), **FIXED}))
calls("torch.Tensor.cumsum_", ("x, 1, dtype=float32", MATRIX, {"changed": ("x",), **FIXED}))
calls("torch.cdist", ("x, y, 0.5", CUBE, {"inputs": {"y": "normal(2, 5, 4)"}}))
calls("torch.quantile", ("x, y, 1", MATRIX, {"inputs": {"y": "uniform(2)"}}))
calls("torch.index_fill", ("x, 1, y, z", MATRIX, {"inputs": {"y": "np.array([0, 2])", "z": "normal()"}}))
calls("torch.nn.functional.prelu", ("x, y", "normal()", {"inputs": {"y": "uniform(1)"}}))
calls("torch.Tensor.sum_to_size", ("x, 1, 4", CUBE), ("x, [3, 1]", CUBE), ("x, (2, 3, 4)", CUBE))
calls("torch.narrow_copy torch.Tensor.narrow_copy", ("x, 1, 0, 0", MATRIX, FIXED), ("x, 1, 1, 2", MATRIX))
calls("torch.Tensor.nextafter_", ("x, x + 1", MATRIX, {"changed": ("x",), **FIXED}))
calls("torch.nextafter torch.Tensor.nextafter", ("x, y", MATRIX, {"inputs": {"y": "normal(4)"}}))
SQUARE = "normal(1, 1) ** 2 + 1"
calls(
    "torch.logdet torch.Tensor.logdet torch.det torch.Tensor.det",
    ("x", SQUARE),
    ("x", "np.float32(2) * np.eye(3, dtype=np.float32) + uniform(2, 3, 3)"),
)
calls("torch.linalg.pinv", ("x, 0.1", MATRIX), ("x, hermitian=True", "normal(3, 3)"))
for accumulate in (False, True):
    calls(
        "torch.index_put torch.Tensor.index_put",
        (
            f"x, (y,), z, {accumulate}",
            MATRIX,
            {"inputs": {"y": "np.array([1, 0, 1], bool)", "z": "normal(2, 4)"}},
        ),
        (f"x, (y,), z, {accumulate}", MATRIX, {"inputs": {"y": BOOLS, "z": "normal(1)"}}),
        (f"x, (y > 9,), z, {accumulate}", MATRIX, {"inputs": {"y": MATRIX, "z": "normal(1)"}}),
        (
            f"x, (y, z), x[0, 0], {accumulate}",
            CUBE,
            {"inputs": {"y": "np.array([0, 1])", "z": "np.array([1, 0, 1], bool)"}},
        ),
    )
CASES.append(
    script(
        "torch.Tensor.as_subclass torch.Tensor",
        """
class Named(type(x)):
    name = "mine"

one = as_subclass(x, Named)
result = [one.name, isinstance(one, Named), one + 1, type(as_subclass(one, type(x))) is type(x)]
""",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.Tensor.diag",
        "result = [diag(x), diag(x, 1), diag(x[0]), diag(x[0], -1)]",
        inputs={"x": "normal(3, 3)"},
    )
)
CASES.append(
    script(
        "torch.tensor_split torch.hsplit torch.vsplit torch.dsplit",
        "result = [*tensor_split(x, sections=2), *tensor_split(x, indices=(1, 3), dim=1), *hsplit(x, sections=2),"
        " *vsplit(x, indices=(1,)), *dsplit(x, sections=1)]",
        inputs={"x": "normal(4, 4, 2)"},
    )
)
