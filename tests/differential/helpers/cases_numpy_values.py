"""Tensors together with NumPy's values."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
NUMBER = "np.float64(2.5)"
for made in (
    f"[{NUMBER} * x, {NUMBER} + x, {NUMBER} - x, {NUMBER} / (x * x + 1), x * {NUMBER}]",
    "[np.float32(2) * x, np.int64(2) * x, np.float64(2) ** x, np.float64(7) // (x * x + 1)]",
    "[np.sqrt(2) > x, x > np.sqrt(2), np.float64(2) == x]",
    "-0.5 * np.log(2 * np.pi) - x.sum(-1)",
    "[x * np.ones(4), x + np.array(2.0), x - np.ones((3, 4), 'f'), x / np.full(4, 2.0, 'f')]",
    "sum(np.float64(k) * x for k in range(3))",
    "[x[np.array([2, 0])], x[np.int64(1)], x[:, np.array([1, 1])], x[np.array([True, False, True])]]",
    "[x[np.array([0, 2]), np.array([1, 3])], x[0, np.array([1, 3])], x[np.tril_indices(3)]]",
):
    CASES.append(script("torch.enable_grad", f"result = {made}", inputs={"x": "normal(3, 4)"}))
CASES += [
    script(
        "torch.enable_grad torch.roll torch.squeeze torch.std torch.nn.LayerNorm torch.nn.functional.avg_pool1d",
        "one = np.int64(1)\nresult = [x.flatten(one), x.swapaxes(one, 0), x.tril(one), x.chunk(one + 1, one)[0],\n"
        "    roll(x, one, 0), squeeze(x, one), std(x, one), LayerNorm(np.int64(4))(x), avg_pool1d(x, one + 1)]\n"
        "try:\n    x.tril('1')\nexcept TypeError:\n    result.append('refused')",
        inputs={"x": "normal(3, 4)"},
    ),
    script(
        "torch.full",
        "result = [full((2,), np.float64(2.5)), full((2,), np.int64(2)), full((1,), np.bool_(True)), full((2,), x.sum())]",
        inputs={"x": "normal(3)"},
        fixed=("x",),
    ),
    script(
        "torch.zeros torch.Tensor",
        "y = zeros(3, 3)\ny[np.array([1, 2, 2]), np.array([0, 0, 1])] = x\nz = zeros(3, 3)\n"
        "z[np.diag_indices(3)] = 1.0\nz[np.array([0, 2])] += 2.0\nresult = [y, z]",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.zeros",
        "y = zeros(2, 3)\nresult = [y, np.exp(y), np.clip(y, 0, 1), np.add(y, 1)]",
        gradients=False,
    ),
]

CASES.append(
    script(
        "torch.as_tensor torch.asarray torch.from_numpy torch.zeros torch.Tensor.add_ torch.Tensor.fill_ "
        "torch.Tensor.copy_",
        """arrays = [np.zeros((2, 3), kind) for kind in ("float32", "float64", "int64", "int32", "uint8", "bool", "float16")]
result = []
for share in (as_tensor, asarray, from_numpy):
    for array in arrays:
        made = share(array)
        array[0, 1] = 1
        result += [made.tolist()]
        made[1, 2] = 0
        copy_(made, ~made if array.dtype == bool else made + 1)
        result += [array.tolist()]
        fill_(made[0], 0)
        result += [array.tolist()]
array = np.arange(6.0).reshape(2, 3)
apart = [as_tensor(array, dtype=float32), as_tensor(array.tolist()), asarray(array, copy=True)]
joined = [as_tensor(array), as_tensor(array, dtype=float64), as_tensor(array[1]), as_tensor(np.array(2.0))]
array[1] = -5
result += [each.tolist() for each in apart + joined]
held = zeros(3)
seen = held.detach().numpy() if hasattr(held, "numpy") else held.asnumpy()
add_(held, 2)
result += [seen.tolist()]
seen[:] = 4
result += [held.tolist(), (held * 2).tolist()]
""",
        gradients=False,
    )
)
