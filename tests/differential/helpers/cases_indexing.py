"""Indices that MindSpore takes otherwise than PyTorch."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
INPUTS = {"x": "normal(3, 4, 5)", "m": "normal(3, 4) > 0", "r": "np.array([True, False, True])"}
for index in (
    "m",
    "m, :",
    "m, 1:",
    "m, 0",
    "m, ...",
    "m, None",
    "..., m[0, 0]",
    "r",
    "r, :",
    "r, 1:3",
    "r, 1:3, 2",
    "r, :, 0",
    ":, m[0]",
    ":, m[0], 1:3",
    "..., i",
    ":, i",
    "i, i",
    "i, :, i",
    "1, i",
    "1, :, i",
    "1, ..., i",
    "-1, None, i",
    ":, i, None, 2",
    "1, :, m[0][[0, 1, 2, 3, 0]]",
    "1, :, [0, 3]",
    "None, i",
    "m & (m > 2)",
    "m & (m > 2), :",
    ":tensor([2]), tensor([[1]]):tensor(3)",
    "tensor([True]):, ::tensor([2])",
    "..., tensor([1]) : tensor([1]) + 2",
    "range(2)",
    "..., []",
    ":, [], 1:",
    "[], 0",
    "[True, False, True], 0",
    "1, [True, False, True, False]",
    "..., [False] * 5",
    "np.array([0, 2])",
    "np.int64(1)",
    "[np.int64(2), np.int64(0)]",
    "1, [np.int64(2), 0]",
    "np.array([0, 2]), np.array([1, 3])",
    "np.array([True, False, True])",
    "np.array([True, False, True]), 1:",
):
    masks = {**INPUTS, "i": "np.array([0, 2])"}
    CASES += [
        script("torch.Tensor.__setitem__", f"result = x[{index}]", inputs=masks),
        script(
            "torch.Tensor.__setitem__ torch.clone",
            f"y = clone(x)\ny[{index}] = 2.0\nresult = y",
            inputs=masks,
        ),
        script(
            "torch.Tensor.__setitem__ torch.clone",
            f"y = clone(x)\ny[{index}] = (x * 2)[{index}]\nresult = y",
            inputs=masks,
        ),
        script(
            "torch.Tensor.__setitem__ torch.clone",
            f"y = clone(x)\ny[{index}] *= 3.0\nresult = y",
            inputs=masks,
        ),
    ]
CASES += [
    script("torch.Tensor.__setitem__", f"result = (x * 2)[{index}].sum() + x[0].sum()", inputs=INPUTS)
    for index in ("x > 9", "m & (m > 2)", "..., :0, 1:", "3:", ":, [], 1:", "..., 0:0")
]
CASES.append(
    script(
        "torch.masked_select",
        "y = masked_select(x * 2, x > 9)\nresult = [y.sum() + x.sum(), masked_select(x[0], m[0, 0]).sum() * 2]",
        inputs=INPUTS,
    )
)
CASES += [
    script(
        "torch.Tensor.__setitem__ torch.zeros",
        "z, count = zeros(1, 7, 7, 1), 0\nparts = (slice(0, -7), slice(-7, -3), slice(-3, None), slice(7, 9))\n"
        "for part in parts:\n    for other in parts:\n        z[:, part, other, :] = count\n        count += 1\nresult = z",
    ),
    script(
        "torch.Tensor.__setitem__",
        "result = x[..., m]",
        inputs={"x": "normal(2, 3, 4)", "m": "normal(3, 4) > 0"},
    ),
    script(
        "torch.Tensor.__setitem__",
        "result = x[:, m]",
        inputs={"x": "normal(2, 3, 4)", "m": "normal(3, 4) > 0"},
    ),
    script(
        "torch.Tensor.__setitem__",
        "result = x[:, m, 1:]",
        inputs={"x": "normal(2, 3, 4, 5)", "m": "normal(3, 4) > 0"},
    ),
]
CASES += [
    # numbers apart from places: what is assigned has the axes of PyTorch's result
    script(
        "torch.Tensor.__setitem__ torch.clone",
        f"y = clone(x)\ny[{index}] = w * 2\nresult = [y, x[{index}] * w]",
        inputs={"x": "normal(2, 3, 4, 5)", "w": value, "i": "np.array([[0, 2, 1]])"},
    )
    for index, value in (
        ("0, :, :, i", "normal(3, 4, 1, 3)"),
        ("0, :, :, i", "normal(1, 3)"),
        (":, i, :, 2", "normal(2, 1, 3, 4)"),
        (":, i, 1:, 2", "normal(3, 1)"),
        ("..., i, None, 0", "normal(2, 3, 1, 1, 1)"),
    )
]
CASES += [
    script(
        "torch.Tensor.__setitem__ torch.clone",
        f"result = clone(x)\nresult[{index}] = y",
        inputs={"x": "normal(4, 3)", "y": value},
    )
    for index, value in (
        ("2", "normal(1, 3)"),
        ("1:3", "normal(1, 1, 3)"),
        (":, 0", "normal(1, 4)"),
        ("0, 0", "normal(1, 1)"),
        ("1:3", "normal(1, 3)"),
    )
]
CASES += [
    script(
        "torch.Tensor.__getitem__ torch.Tensor.mul_",
        "whole = x * 1\nif hasattr(x, 'asnumpy'):\n    part = __getitem__(whole, slice(None), slice(1, None, 2))\n"
        "else:\n    part = whole[:, 1::2]\nmul_(part, y)\nresult = [whole, part * 3]",
        inputs={"x": "normal(2, 5, 3)", "y": "normal(3)"},
    )
]
CASES += [
    # the gradient of what is assigned has its shape, for what is computed before it
    script(
        "torch.Tensor.__setitem__ torch.clone torch.stack torch.cat",
        f"result = clone(x)\nresult[{index}] = {value}",
        inputs={"x": "normal(4, 3)", "y": "normal(2)"},
    )
    for index, value in (
        ("0, 1:", "stack([y[0], y[1]])"),
        ("0, :", "cat([y, y[:1]])"),
        ("-1, :2", "y * y[:1]"),
        ("1:3, 0", "stack([y[1], y[0]])"),
        ("..., 0", "cat([y, y])"),
        ("0, 1", "y[:1]"),
    )
]
CASES += [
    script(f"torch.{api}", f"result = {api}(x)", inputs={"x": "1e-9 * normal(2, 3)"}, gradients=False)
    for api in ("nonzero", "argwhere", "count_nonzero")
]
CASES.append(
    script(
        "torch.Tensor._nnz torch.sparse_coo_tensor",
        "result = tensor(_nnz(sparse_coo_tensor(tensor([[0, 1], [2, 0]]), 1e-9 * x, (2, 3))))",
        inputs={"x": "uniform(2)"},
        gradients=False,
    )
)
CASES += [
    script(
        "torch.tensor torch.Tensor.__getitem__",
        f"def picked(x):\n    return x[tensor({places})] * weight\nweight = x[tensor({places})] * 0 + y\nresult = gradients(picked, x)",
        inputs={"x": "normal(4, 3)", "y": "normal(3)"},
    )
    for places in ("[-1, 0, -1]", "[[-2], [1]]", "-3")
]
CASES += [
    script(
        "torch.tensor torch.Tensor.__getitem__",
        "result = [*gradients(lambda x: x[tensor(-1)] * 2, x), *gradients(lambda x: x[tensor([-1, 1])] * y, x)]",
        inputs={"x": "normal(4)", "y": "normal(2)"},
    ),
    *(
        script(
            "torch.tensor torch.Tensor.__setitem__ torch.clone",
            f"y = clone(x)\ny[{index}] = 2.0\n"
            f"result = [x[{index}], y, *gradients(lambda x: x[{index}] * 2, x)]",
            inputs={"x": "normal(4, 3, 2)", "i": "np.array([0, 2])"},
        )
        for index in ("tensor(1), tensor(-1)", "tensor(1), tensor(2), 0", "tensor(3), i", "..., tensor(1)")
    ),
]
CASES.append(
    script(
        "torch.take torch.Tensor.take torch.tensor",
        "result = [take(x, tensor([[-1, 0], [-5, 3]])), take(x, tensor(-2)) * 2]",
        inputs={"x": "normal(2, 3)"},
    )
)
CASES.append(
    script(
        "torch.Tensor.__setitem__ torch.clone",
        "y = clone(x)\nmask = x.sum() > 100\ny[mask] = 3\ny[~mask] *= 2\nresult = [y, x[mask], x[~mask], x[False]]",
        inputs={"x": "normal(3, 4)"},
    )
)
CASES.append(
    script(
        "torch.Tensor.__setitem__",
        "y = x[:0]\nresult = [y[:-1], y[-1:], y[..., :-1], y[None, -2:], y[:, 1:-1], y[:, -1], x[:, :, :0][1:, -1]]",
        inputs={"x": "normal(3, 4, 5)"},
    )
)
CASES.append(
    script(
        "torch.Tensor.__setitem__ torch.zeros",
        "y = zeros(2, 0)\ny[0] = zeros(0)\ny[:, y[0].long()] = 1\nresult = [y]",
        gradients=False,
    )
)
