"""Jacobians, Hessians and products with them, in the run that compares gradients of gradients."""

from __future__ import annotations

from case import Case, script

A = "torch.autograd.functional."
X = {"x": "normal(2, 3)", "y": "normal(3)", "v": "normal(2, 3)", "w": "normal(3)"}
FUNCTIONS = """
def number(x, y):
    return ((x @ y) ** 3).sum() + (x.exp() * y).mean()
def several(x, y):
    return x * y, (x * x).sum(1), y
def one(x):
    return (x.sin() * x).sum(0)
def total(x):
    return (x ** 3).sum()
"""
CALLS = {
    "jacobian": (
        "jacobian(one, x)",
        "jacobian(several, (x, y))",
        "jacobian(number, (x, y))",
        "jacobian(lambda x: (x, x * 2), x)",
        "jacobian(lambda x: y * 2, x)",
    ),
    "hessian": ("hessian(total, x)", "hessian(number, (x, y))", "hessian(lambda x: x.sum(), x)"),
    "vjp": ("vjp(one, x, y)", "vjp(several, (x, y), (x, y[:2], y))", "vjp(total, x)"),
    "jvp": ("jvp(one, x, v)", "jvp(several, (x, y), (v, w))", "jvp(total, x, v)"),
    "hvp": ("hvp(total, x, v)", "hvp(number, (x, y), (v, w))", "hvp(lambda x: x.sum(), x, v)"),
    "vhp": ("vhp(total, x, v)", "vhp(number, (x, y), (v, w))"),
}
CASES: list[Case] = [
    script(A + name, f"{FUNCTIONS}result = {call}", inputs=X, tolerance=1e-4)
    for name, calls in CALLS.items()
    for call in calls
]
CASES += [
    script(
        f"{A}hessian torch.Tensor.requires_grad_ torch.autograd.grad",
        """
x.requires_grad_(True)
found = hessian(lambda x: (x ** 4).sum(), x, create_graph=True)
result = [found, grad((found * found).sum(), x)[0]]
""",
        inputs=X,
        tolerance=1e-4,
    ),
    script(
        f"{A}jacobian torch.Tensor.requires_grad_ torch.autograd.grad",
        """
x.requires_grad_(True)
found = jacobian(lambda x: (x ** 3).sum(1), x, create_graph=True)
result = [found, grad((found * found).sum(), x)[0]]
""",
        inputs=X,
        tolerance=1e-4,
    ),
]
CASES += [
    script(
        "torch.autograd.gradcheck torch.autograd.Function torch.Tensor.requires_grad_ torch.view_as_complex",
        """
class Wrong(Function):
    @staticmethod
    def forward(ctx, value):
        return value * 3
    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2
def told(function, *given):
    try:
        return gradcheck(function, given)
    except RuntimeError:
        return 'raised'
requires_grad_(x)
result = [
    told(lambda a: (a.exp() * a, a.sum()), x),
    told(lambda a, n: a ** n, x, 2),
    told(Wrong.apply, x),
    gradcheck(Wrong.apply, (x,), raise_exception=False),
    told(lambda a: view_as_complex(a) ** 2, x),
    gradcheck(lambda a: a * 2.0, x),
]
""",
        inputs={"x": "normal(3, 2).astype('float64')"},
        gradients=False,
    ),
    script(
        "torch.autograd.gradgradcheck torch.Tensor.requires_grad_",
        "requires_grad_(x)\nrequires_grad_(y)\n"
        "result = gradgradcheck(lambda a, b: (a ** 3 * b).sum(0), (x, y))",
        inputs={"x": "normal(3, 2).astype('float64')", "y": "normal(3, 2).astype('float64')"},
        gradients=False,
    ),
]
