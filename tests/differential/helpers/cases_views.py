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
        f"torch.Tensor.detach torch.Tensor.requires_grad_ torch.Tensor.backward torch.Tensor.copy_{more}",
        f"y.requires_grad_(True)\nu = y * 1\nz = x.detach()\n{form}\n(z * z).sum().backward()\n"
        "result = [z * 1, y.grad]",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    )
    for form in ("copy_(z, u * 2)", "copy_(z, z + u)\ncopy_(z, z + u * 3)")
    for more in ("", " torch.Tensor.select")
]
CASES += [
    script(
        "torch.nn.Parameter torch.Tensor.copy_",
        """
weight, bias = Parameter(x), Parameter(y)
copy_(weight.data, flat[0:6].view(2, 3))
copy_(bias.data, flat[6:9])
result = [weight * 1, bias * 1]
""",
        inputs={"x": "normal(2, 3)", "y": "normal(3)", "flat": "normal(9)"},
    ),
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

CHANGES = (
    "v = y.view(2, -1)\nv[0] = 0",
    "v = mul_(y.view(-1), 2)",
    "v = y.t()\nmul_(v, 3)\nv[0] = 1",
    "v = y.t()\nmul_(y, 2)\ny[0, 1] = 7",
    "v = y.narrow(0, 1, 2)\nmul_(v, x[:2])",
    "v = y[1]\ncopy_(v, x[0] * x[2])",
    "v = y.unsqueeze(0)\nw = v.squeeze(0)\nmul_(w, 2)",
    "v = y.permute(1, 0)[1:3]\nv[:] = x.t()[:2] * 3",
    "v = diagonal(y)\nfill_(v, 3)",
    "v = select(y, 1, 2)\nmul_(v, 5)",
    "v = y.view(2, 6)\nw = v[1].view(3, 2)\nw[:, 0] = 1\nmul_(v[1], 2)",
    "v = y[:1].broadcast_to((3, 4))\nmul_(y, 2)",
    "v = y.T[0]\nfill_(v, 4)",
    "v = y.detach()\nmul_(v, 0.5)",
    "v = y * 1\nmul_(y.data, 0.5)",
    "v = unfold(y, 1, 2, 2)\nv[:, 0] = 1",
    "v = as_strided(y, (2, 2), (4, 1))\nmul_(v, 0)",
    "v = y[1:]\nunsqueeze_(v, 0)\nt_(w := v[0])\nw[0] = 3\nmul_(v, 2)",
    "v = y.view(-1)\nwith no_grad():\n    mul_(v, 2)\n    v[0] = 5",
    "v = y.t().reshape(-1)\nmul_(v, 2)",
    "v = y[:, :2].reshape(3, 1, 2)\nmul_(v, 2)",
    "y = (x * 0).detach()\nv = y.view(-1)\nv[2:4] = x[0, :2]\nmul_(y[1], x[1])\ny[2] = x[2] * 2",
    "y = (x * 0).detach()\nv, w = y.chunk(2, 1)\nv[0] = 1\nw[:] = 3\ny = y * x",
    "v = y.view(3, 2, 2)\nw = view_as_real(view_as_complex(v))\nmul_(w[..., 0], 2)",
    "v = y[[0, 2]]\nmul_(v, 2)",
    "v = y.view(-1)\nrelu(v, inplace=True)",
    "v = y.view(-1)\nw = v[3:]\ndel v\nmul_(w, 2)\nv = y.view(-1)",
)
CASES += [
    script(
        "torch.Tensor.mul_ torch.Tensor.copy_ torch.Tensor.fill_ torch.no_grad torch.Tensor.select torch.Tensor.diagonal "
        "torch.Tensor.unfold torch.Tensor.unsqueeze_ torch.Tensor.t_ torch.as_strided torch.view_as_complex torch.view_as_real torch.nn.functional.relu "
        "torch.Tensor.backward",
        f"""
x.requires_grad_(True)
y = x * 2
{change}
numbers = tensor(np.arange(1, 13, dtype=np.float32)).reshape(3, 4)
loss = (y * y * numbers).sum() + (v * v).sum() * 3
loss.backward()
result = [y, v, x.grad]
""",
        inputs={"x": "normal(3, 4)"},
    )
    for change in CHANGES
]

SHAPES = ((4, 6), (24,), (2, 12), (3, 8), (1, 4, 6), (2, 2, 3, 2), (4, 1, 2, 3), (6, 4))
ORDERS = ((0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0))
CASES += [
    script(
        "torch.Tensor.fill_",
        f"""
result = []
for shape in {SHAPES}:
    y = x * 1
    v = y.permute({order}).reshape(shape)
    fill_(v, 5)
    result.append(y.sum())
""",
        inputs={"x": "normal(2, 3, 4)"},
    )
    for order in ORDERS
]
CASES += [
    script(
        "torch.Tensor.fill_",
        """
y = x * 1
fill_(y.t().reshape(-1), 5)
z = x * 1
v = z[:, :1].expand(40, 3).reshape(120)
w = z[:, :1].expand(40, 3).reshape(40, 1, 3)
fill_(v, 5)
result = [y[0], z.sum(), v.shape, w.shape]
""",
        inputs={"x": "normal(40, 50000)"},
    )
]
