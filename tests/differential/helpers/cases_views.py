"""Assignments to parts of views, which change what they are views of, also while gradients are recorded."""

from __future__ import annotations

from case import Case, script

FORMS = (
    "x.data[0] = 9",
    "x.data[:] = y",
    "x.data[:, 1] = y[:, 0]",
    "x.data.view(-1)[:] = 9",
    "x.data.view(-1)[1:3] = y.view(-1)[0:2]",
    "x.data.t()[0] = 9",
    "z = x * 2\nz.data[1] = y[0]\nx = z",
    "x.data[0][:] = 9",
    "x.data[0][1:] = y[0][1:]",
    "x.data[:, 1][:] = y[:, 0]",
    "x.data[1].view(-1)[:2] = 9",
    "z = y.view(-1)\nz[0] = 5\nx = y",
    "z = y[0]\nz[:] = 5\nx = y",
    "z = y.t()\nz[0] = 5\nx = y",
    "y.t()[y.t() > 0] = 5\nx = y",
    "z = y[:, 1:]\nz[:, 0][y[:, 0] > 0] = 5\nx = y",
)
CASES: list[Case] = [
    script(
        "torch.Tensor.requires_grad_ torch.Tensor.backward",
        f"x.requires_grad_(True)\n{form}\nw = x.detach() * 1\n(w * w).sum()\nresult = [x * 1, y * 1, w]",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    )
    for form in FORMS
]
CASES += [
    script(
        "torch.nn.Parameter torch.Tensor.backward",
        """
weight = Parameter(x)
weight.data.view(-1)[:] = y.view(-1)
weight.data[0] = 0
(weight * weight * y).sum().backward()
result = [weight, weight.grad]
""",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    ),
]
for change, shape in (
    ("unsqueeze_(y, 1)", "2, 3"),
    ("unsqueeze_(y, dim=-1)", "2, 3"),
    ("squeeze_(y)", "2, 1, 3, 1"),
    ("squeeze_(y, 1)", "2, 1, 3, 1"),
    ("squeeze_(y, dim=(1, 3))", "2, 1, 3, 1"),
    ("transpose_(y, 0, 1)", "2, 3, 4"),
    ("swapaxes_(y, 0, 2)", "2, 3, 4"),
    ("swapdims_(y, -1, 0)", "2, 3, 4"),
    ("t_(y)", "2, 3"),
):
    name = change.partition("(")[0]
    CASES += [
        script(
            f"torch.Tensor.{name} torch.Tensor.backward",
            f"""
x.requires_grad_(True)
y = x * 2
z = {change}
(y * y * tensor(np.arange(y.size if isinstance(y.size, int) else y.numel(), dtype=np.float32)).reshape(y.shape)).sum().backward()
result = [y, z is y, x.grad]
""",
            inputs={"x": f"normal({shape})"},
        ),
        script(
            f"torch.Tensor.{name}", f"y = x\nz = {change}\nresult = [x, z]", inputs={"x": f"normal({shape})"}
        ),
    ]
