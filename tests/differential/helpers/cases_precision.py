"""Double precision: numbers keep their digits beside Tensors of it."""

from __future__ import annotations

from case import Case, script

DOUBLE = {"x": "normal(2, 3).astype(np.float64)", "y": "uniform(3).astype(np.float64) + 0.5"}
CASES: list[Case] = [
    script(apis, f"result = {made}", inputs=DOUBLE, tolerance=1e-13)
    for apis, made in (
        ("torch.enable_grad", "[x * 0.1, 0.1 * x, x + 0.3, 0.3 + x, x - 0.7, 0.7 - x, x / 1.1, 1.1 / y]"),
        ("torch.enable_grad", "[y ** 0.3, 1.3 ** y, (x * 0.1 + 0.2) / 0.3]"),
        (
            "torch.enable_grad",
            "[(y * 0 + 0.1) == 0.1, (y * 0 + 0.1) != 0.1, y * 0 + 0.1 > 0.1, y * 0 + 0.1 <= 0.1]",
        ),
        ("torch.add torch.sub", "[add(x, 0.1), sub(x, 0.3)]"),
        (
            "torch.clamp",
            "[clamp(x, -0.1, 0.3), clamp(x, min=0.1), clamp(x, 0.1, 1), clamp(x, max=0.3, min=0)]",
        ),
        ("torch.where", "[where(x > 0.1, x, 0.1), where(x > 0, 0.3, x)]"),
        ("torch.masked_fill", "[masked_fill(x, x > 0.1, 0.1)]"),
        ("torch.Tensor.add_ torch.Tensor.mul_", "[add_(x * 1, 0.1), mul_(x * 1, 0.3)]"),
    )
]
CASES.append(
    script(
        "torch.enable_grad",
        "z = x * 1\nz += 0.1\nz *= 0.3\nz /= 1.1\nresult = [z, z // 0.3, z % 0.7, x.float() * 0.1, x.long() * 0.5]",
        inputs=DOUBLE,
        tolerance=1e-13,
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.Tensor.add_ torch.Tensor.sub_ torch.Tensor.mul_ torch.Tensor.div_ torch.Tensor.pow_",
        """result = []
for change, given in ((mul_, 0.5), (add_, 0.5), (sub_, y), (div_, 2), (pow_, 0.5), (mul_, 2), (add_, y.long()), (pow_, 2)):
    whole = x.long()
    try:
        change(whole, given)
    except RuntimeError as error:
        result.append(str(error).replace('Double', 'Float'))
    result.append(whole)
double, truth = x * 1, x > 0
mul_(double, y.float())
mul_(truth, y > 1)
result += [double, truth, div_(x.long(), 2, rounding_mode='floor')]""",
        inputs=DOUBLE,
        tolerance=1e-7,
        gradients=False,
    )
)
