"""torch.func."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
LINEAR = "torch.nn.Linear torch.nn.Module"


def scripts(api: str, *sources: str, **inputs: str) -> None:
    """Scripts with this API."""
    for source in sources:
        CASES.append(script(f"{LINEAR} torch.{api}", source, inputs={"x": "normal(3, 4)", **inputs}))


MODEL = """
class Scaled(Module):
    def __init__(self):
        super().__init__()
        self.inner = Linear(4, 2)
        self.register_buffer("scale", x[0, :2])

    def forward(self, x):
        return self.inner(x) * self.scale

    construct = forward

net = Scaled()
weights = {"inner.weight": y, "inner.bias": y[:, 0], "scale": y[0, 2:]}
"""
scripts(
    "func.functional_call",
    f"{MODEL}\nresult = [functional_call(net, weights, x), functional_call(net, (weights, {{}}), (x,)), "
    "functional_call(net, {'scale': y[0, 2:], 'inner.weight': y, 'inner.bias': y[:, 0]}, (), {'x': x})]",
    f"{MODEL}\nresult = gradients(lambda y: functional_call(net, weights | {{'inner.weight': y}}, (x,)), y)",
    y="normal(2, 4)",
)
scripts(
    "nn.utils.stateless._reparametrize_module",
    f"{MODEL}\nbefore = net(x)\nwith _reparametrize_module(net, weights | {{'scale': y[1, 2:]}}):\n    within = net(x)\n"
    "result = [within, (net(x) == before).all(), list(net.state_dict())]",
    y="normal(2, 4)",
)
scripts(
    "func.stack_module_state",
    "nets = [Linear(4, 2), Linear(4, 2)]\nparameters, buffers = stack_module_state(nets)\n"
    "result = [{name: list(value.shape) for name, value in parameters.items()}, len(buffers)]",
)
for name in ("vmap", "func.vmap"):
    if name == "vmap":
        scripts(
            name,
            "result = [vmap(lambda row: (row * row).sum())(x), vmap(lambda a, b: a * b, (1, None))(x, y)]",
            "result = vmap(lambda a, b: (a + b, a - b), in_dims=(0, 0), out_dims=(1, 0))(x, x * 2)",
            "result = vmap(vmap(lambda a: a * 3))(x)",
            "result = vmap(lambda p, a: p['w'] * a, in_dims=({'w': 0}, None))({'w': x}, y)",
            y="normal()",
        )
scripts(
    "func.grad",
    "result = [grad(lambda x: (x ** 3).sum())(x), grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x * 2)]",
    "result = grad(lambda p: (p['w'] * x).sum() + (p['b'] ** 2).sum())({'w': x, 'b': x * 2})",
    "result = grad(lambda x: grad(lambda x: (x ** 3).sum())(x).sum())(x)",
    "result = grad(lambda x: ((x ** 2).sum(), x * 2), has_aux=True)(x)",
)
scripts(
    "func.grad_and_value",
    "result = grad_and_value(lambda x: (x ** 3).sum())(x)",
    "result = grad_and_value(lambda x, k: ((x ** 3).sum() * k, x), has_aux=True)(x, k=2)",
)
for name in ("jacrev", "jacfwd"):
    scripts(
        f"func.{name}",
        f"result = {name}(lambda x: (x ** 2).sum(1))(x)",
        f"result = {name}(lambda a, b: a[0] * b[1], argnums=(0, 1))(x, x + 1)",
    )
scripts("func.hessian", "result = hessian(lambda x: (x ** 3).sum())(x[0])")
scripts(
    "func.vjp",
    "value, pull = vjp(lambda x: x ** 2, x)\nresult = [value, pull(x)]",
    "value, pull = vjp(lambda a, b: (a * b, a + b), x, x * 2)\nresult = [value, pull((x, x))]",
)
scripts("func.jvp", "result = jvp(lambda x: x ** 3, (x,), (x * 2,))")
CASES += [
    script(
        "torch.func.grad torch.func.jacrev torch.func.vjp torch.no_grad",
        """
with no_grad():
    inside = grad(lambda x: (x ** 3).sum())(x), jacrev(lambda x: x ** 2)(x)
    pulled = vjp(lambda x: {"a": x ** 2, "b": (x * 3, x)}, x)[1]
result = [*inside, *pulled({"a": x, "b": (x, 2 * x)})]
""",
        inputs={"x": "normal(3)"},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.vmap torch.autograd.grad torch.Tensor.requires_grad_ torch.eye",
        """
x.requires_grad_(True)
y = x ** 2
result = [vmap(lambda row: grad(y, x, row)[0])(eye(3))]
""",
        inputs={"x": "normal(3)"},
        gradients=False,
    ),
]
CASES.append(
    script(
        "torch.vmap",
        "result = vmap(lambda x, scale=4.0: x * scale)(x, scale=x)",
        inputs={"x": "normal(2, 5)"},
    )
)
CASES.append(
    script(
        "torch.func.jacrev torch.vmap torch.sin",
        """
def of(given, x):
    return {'y': sin(given['a'] * x) + given['b'][0], 'z': (x * x).sum()}
weights = {'a': y, 'b': (y[:1] * 2,)}
found = jacrev(of)(weights, x[0])
result = [sorted(found), found['y']['a'], found['y']['b'][0], found['z']['a'], found['z']['b'][0]]
both = jacrev(of, argnums=(0, 1))(weights, x[0])
result += [both['y'][0]['a'], both['y'][1], both['z'][1]]
each = vmap(jacrev(of), (None, 0))(weights, x)
result += [each['y']['a'], each['y']['b'][0]]
""",
        inputs={"x": "normal(3, 2)", "y": "normal(2)"},
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.func.jvp torch.sin",
        """
def of(given, x):
    return {'y': sin(given['a'] * x), 'z': (x * x).sum() + given['b'][0]}
weights = {'a': y, 'b': (y[:1] * 2,)}
changes = {'a': y * 3, 'b': (y[1:],)}
value, change = jvp(of, (weights, x), (changes, x * 0.5))
result = [value['y'], value['z'], change['y'], change['z']]
value, change, rest = jvp(lambda given: (given['a'] ** 2, given['b'][0] * 2), (weights,), (changes,), has_aux=True)
result += [value, change, rest]
""",
        inputs={"x": "normal(2)", "y": "normal(2)"},
        gradients=False,
    )
)
