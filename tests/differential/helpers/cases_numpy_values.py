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
