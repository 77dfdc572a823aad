"""Gradients that are recorded: `backward`, what it leaves at Tensors, hooks, changes in place."""

from __future__ import annotations

from case import Case, script

X = {"x": "normal(2, 3)"}
CASES: list[Case] = [
    script(
        "torch.Tensor.backward torch.Tensor.grad",
        """
x.requires_grad_(True)
first = x.grad
loss = (x * x).sum()
loss.backward(retain_graph=True)
once = x.grad * 1
loss.backward()
twice = x.grad * 1
x.grad = None
(x * 3 + x[:, :1]).sum().backward()
x.grad *= 2
halved = x.grad
del x.grad
result = [first is None, once, twice, halved, x.grad is None]
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.backward",
        """
x.requires_grad_(True)
(x * 2).backward(tensor(np.float32([[1, 2, 3], [4, 5, 6]])))
try:
    (x * 2).backward()
    refused = False
except RuntimeError:
    refused = True
loss = x.exp().sum()
loss.backward()
try:
    loss.backward()
    again = False
except RuntimeError:
    again = True
result = [x.grad, refused, again]
""",
        inputs=X,
    ),
    script(
        "torch.autograd.grad",
        "x.requires_grad_(True)\n"
        "value = (x * x.sum(1, keepdim=True)).sum(0)\n"
        "rows = tensor(np.eye(3, dtype=np.float32))\n"
        "result = [*grad(value, x, rows, is_grads_batched=True, retain_graph=True), grad(value, x, rows[1])[0]]",
        inputs=X,
    ),
    script(
        "torch.Tensor.backward torch.nn.Linear torch.nn.Dropout torch.nn.init.constant_",
        """
net, dropout = Linear(3, 4, bias=False), Dropout(0.0)
constant_(net.weight, 0.5)
scale = tensor(np.float32([1, 2, 3, 4]))
for number in range(3):
    y = dropout(net(x))
    (y * y.detach() * scale).sum().backward()
result = net.weight.grad * 1
""",
        inputs={"x": "normal(2, 2, 3)"},
    ),
    script(
        "torch.Tensor.backward",
        """
x.requires_grad_(True)
y = x * 1
y.sum().backward(inputs=[x], retain_graph=True)
(x + y).sum().backward()
result = x.grad
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.requires_grad torch.Tensor.is_leaf torch.Tensor.grad_fn",
        """
states = [x.requires_grad, x.is_leaf]
x.requires_grad = True
y = x * 2
states += [x.requires_grad, x.is_leaf, y.requires_grad, y.is_leaf, x.grad_fn is None, y.grad_fn is None]
z = y.detach()
states += [z.requires_grad, z.grad_fn is None]
x.requires_grad = False
states += [x.requires_grad, (x * 2).requires_grad]
result = states
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.retain_grad torch.Tensor.requires_grad_",
        """
x = requires_grad_(x)
y = x * 2
y.retain_grad()
x.retain_grad()
(y * y).sum().backward()
result = [x.grad, y.grad, requires_grad_(x, False).requires_grad]
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.register_hook torch.Tensor.requires_grad_",
        """
def leave(gradient):
    gradient.left = 3
    seen.append(gradient)


def take(gradient):
    return gradient * gradient.left


seen = []
x = requires_grad_(x)
y = x * 2
handles = [register_hook(y, leave), register_hook(y, take), register_hook(y, lambda gradient: gradient + 1)]
(y * y).sum().backward(retain_graph=True)
first = x.grad * 1
x.grad = None
handles[1].remove()
(y * y).sum().backward()
result = [first, x.grad, seen[0], seen[1]]
""",
        inputs=X,
    ),
    script(
        "torch.Tensor.register_hook torch.Tensor.requires_grad_",
        """
seen = []
x = requires_grad_(x)
y = x * 2
register_hook(y, lambda gradient: seen.append(gradient * 1))
handle = register_hook(x, lambda gradient: gradient * 10)
(y * y).sum().backward()
first = x.grad * 1
handle.remove()
x.grad = None
(x * 2).sum().backward()
result = [seen[0], first, x.grad]
""",
        inputs=X,
    ),
    script(
        "torch.autograd.grad torch.Tensor.requires_grad_",
        """
x = requires_grad_(x)
y = requires_grad_(y)
unused = requires_grad_(tensor(np.float32([1.0])))
of_x, of_y = grad((x * x * y).sum(), [x, y], create_graph=True)
(second,) = grad((of_x * of_x).sum(), x)
weighted = grad(x * y, x, grad_outputs=tensor(np.float32([[1, 2, 3], [4, 5, 6]])))[0]
missing = grad(x.sum(), [x, unused], allow_unused=True)
filled = grad(x.sum(), [x, unused], allow_unused=True, materialize_grads=True)
try:
    grad(x.sum(), unused)
    refused = False
except RuntimeError:
    refused = True
result = [of_x.detach(), of_y.detach(), second, weighted, missing[1] is None, filled[1], refused, x.grad is None]
""",
        inputs={**X, "y": "normal(2, 3)"},
    ),
    script(
        "torch.autograd.backward torch.Tensor.requires_grad_",
        """
x = requires_grad_(x)
backward([(x * 2).sum(), x * 3], [None, tensor(np.float32([[1, 2, 3], [4, 5, 6]]))])
result = x.grad
""",
        inputs=X,
    ),
    script(
        "torch.autograd.Variable",
        """
a, b = Variable(x), Variable(y, requires_grad=True)
(a * b).sum().backward()
result = [a.requires_grad, b.requires_grad, b.grad]
""",
        inputs={**X, "y": "normal(2, 3)"},
    ),
    script(
        "torch.Tensor.device",
        "result = (device(x) if callable(device) else device.__get__(x)).type",
        inputs=X,
    ),
]

for changed in (
    "masked_fill_(z, x > 0, 5.0)",
    "mul_(z, 3)",
    "add_(z, x, alpha=2)",
    "copy_(z, x * 5)",
    "zero_(z)",
    "sub_(mul_(z, 3), x)",
    "div_(z, 3)",
    "pow_(z, 2)",
):
    CASES.append(
        script(
            " ".join(
                f"torch.Tensor.{name}_"
                for name in ("masked_fill", "mul", "add", "copy", "zero", "sub", "div", "pow")
            )
            + " torch.Tensor.backward",
            f"""
x.requires_grad_(True)
z = (x * 2).reshape(3, 2).reshape(2, 3)  # a view of what was computed
{changed}
(z * z + x).sum().backward()
result = [z, x.grad]
""",
            inputs=X,
        )
    )
CASES += [
    script(
        "torch.nn.Parameter torch.Tensor.backward",
        """
first = Parameter(x)
second = Parameter(first * 2)
(first + second * 3).sum().backward()
result = [first.grad, second.grad, second.is_leaf]
""",
        inputs=X,
    ),
    script(
        "torch.nn.utils.parametrizations.weight_norm torch.nn.Linear torch.nn.init.constant_ torch.Tensor.backward",
        """
net = weight_norm(Linear(3, 2))
for each in net.parameters():
    constant_(each, 0.5)
net(x).sum().backward()
result = [each.grad for each in net.parameters()]
""",
        inputs=X,
    ),
]

IN_PLACE = (
    *("ReLU(True)", "ReLU6(True)", "LeakyReLU(0.2, True)", "ELU(inplace=True)", "CELU(inplace=True)"),
    *("SELU(True)", "SiLU(True)", "Mish(True)", "Hardtanh(inplace=True)", "Hardsigmoid(True)"),
    *("Hardswish(True)", "Threshold(0.1, 20, True)", "Dropout(0.5, True)", "Dropout2d(0.5, True)"),
)
for layer in IN_PLACE:
    CASES.append(
        script(
            f"torch.nn.{layer.partition('(')[0]} torch.manual_seed torch.Tensor.backward",
            f"""
manual_seed(0)
x.requires_grad_(True)
y = x * 2
other = y
z = {layer}(y)
(other * z + y * 3).sum().backward()
result = [y, z, z is y, x.grad]
""",
            inputs={"x": "normal(2, 3, 4, 4)"},
            tolerance=2e-4,
        )
    )
CASES += [
    script(
        "torch.nn.ReLU torch.nn.Sequential torch.nn.Linear torch.nn.init.constant_ torch.Tensor.backward",
        """
block = Sequential(ReLU(True), Linear(3, 3))
constant_(block[1].weight, 0.5)
constant_(block[1].bias, -0.1)
x.requires_grad_(True)
y = x * 2
(y + block(y)).sum().backward()
result = [x.grad, block[1].weight.grad]
""",
        inputs=X,
    ),
    script(
        "torch.nn.functional.relu torch.nn.functional.dropout",
        "y = relu(x, inplace=True)\nz = dropout(x, training=False, inplace=True)\nresult = [x, y is x, z is x]",
        inputs=X,
    ),
    script(
        "torch.utils.checkpoint.get_device_states torch.utils.checkpoint.set_device_states",
        "states = get_device_states(x)\nset_device_states(*states)\nresult = [list(each) for each in states]",
        inputs=X,
    ),
]
CASES += [
    # a mask that is used twice
    script(
        "torch.Tensor.requires_grad_ torch.Tensor.backward",
        f"x.requires_grad_(True)\nm = {mask}\n((m * x) + m * x * 2 + (m + x)).sum().backward()\n"
        "result = [x.grad, tensor([float(m.requires_grad)])]",
        inputs={"x": "normal(3, 4)"},
    )
    for mask in (
        "x > 0",
        "~(x <= 0.5)",
        "(x > 0) & (x < 1)",
        "x != x.max()",
        "x.gt(0)",
        "(x > 0).logical_and(x < 1)",
        "x.isfinite()",
        "(x > 0).sum(1, True)",
        "x.argmax()",
    )
]
CASES.append(
    script(
        "torch.autograd.Variable torch.Tensor.backward torch.Tensor.requires_grad_",
        "x.requires_grad_(True)\ny = x * 2\nv, w, z = Variable(y), Variable(y, requires_grad=True), Variable(x)\n"
        "(v * x + w * 3 + z).sum().backward()\nv[0] = 5\n"
        "result = [x.grad, w.grad, y, tensor([v.requires_grad, w.requires_grad, x.requires_grad, z.requires_grad])]",
        inputs={"x": "normal(3)"},
    )
)
CASES += [
    # a Parameter that has got another dtype: its gradients have that, too, and are not rounded to the first one
    script(
        "torch.nn.Conv2d torch.nn.BatchNorm2d torch.nn.init.constant_ torch.Tensor.backward "
        "torch.autograd.grad torch.nn.functional.batch_norm torch.autograd.Function",
        f"""
class Doubled(Function):
    @staticmethod
    def forward(ctx, input):
        return input * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


net, norm = Conv2d(1, 2, 2), BatchNorm2d(2)
constant_(net.weight, 0.3)
net.double()
norm.double()
y = net(x.double())
y = batch_norm(norm(y), None, None, Doubled.apply(norm.weight), Doubled.apply(norm.bias), training=True)
loss = (y * y * y).sum() + net.weight.sum() / 3 + (y[0] / 3).sum()
{form}
result = [each.dtype for each in found] + found
""",
        inputs={"x": "normal(2, 1, 4, 4)"},
        tolerance=1e-7,
    )
    for form in (
        "loss.backward()\nfound = [net.weight.grad, norm.weight.grad, norm.bias.grad]",
        "found = list(grad(loss, [net.weight, norm.weight, norm.bias]))",
    )
]
FAILED = "try:\n    index_select(x, 5, tensor([0]))\nexcept (IndexError, ValueError):\n    pass\n"
"""An error that is caught."""
CASES += [
    script(
        "torch.Tensor.index_select torch.tensor torch.Tensor.requires_grad_ torch.autograd.grad",
        f"{FAILED}y = requires_grad_(x * 2)\nresult = list(grad((y * y).sum(), [y]))",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.Tensor.index_select torch.tensor torch.nn.Linear torch.nn.init.constant_ torch.optim.SGD",
        f"""
net = Linear(3, 1)
constant_(net.weight, 0.5)
constant_(net.bias, 0.0)
optimizer = SGD(net.parameters(), lr=0.1)
for _ in range(2):
    {FAILED.replace(chr(10), chr(10) + "    ")}
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
result = list(net.parameters())
""",
        inputs={"x": "normal(2, 3)"},
    ),
]

# after an error that was caught in a network, what is computed is recorded as before
CASES += [
    script(
        "torch.Tensor.backward torch.nn.Linear torch.nn.LayerNorm torch.nn.Sequential torch.nn.init.constant_",
        f"""
net = Sequential(LayerNorm(3), Linear(3, 2))
for parameter in net.parameters():
    constant_(parameter, 0.5)
try:
    net[0](x[:, :2])
except Exception:
    pass
{again}
net(x * x)[:, 0].exp().sum().backward()
result = [parameter.grad for parameter in net.parameters()]
""",
        inputs=X,
        gradients=False,
    )
    for again in ("net.train()", "net.zero_grad()")
]
CASES += [
    script(
        "torch.tensor torch.zeros torch.Tensor.copy_ torch.Tensor.add_ torch.nn.Parameter",
        """w = tensor([1.0, 2.0, 3.0], requires_grad=True)
frozen, more, view = (Parameter(zeros(3), requires_grad=False) for _ in range(3))
copy_(frozen, w * 2)
add_(more, w * w)
part = view.view(3, 1)
copy_(view, w * 3)
result = [each for one in (frozen, more, view) for each in (one.requires_grad, one.is_leaf)]
((frozen * frozen).sum() + (more * 2).sum() + (part * view).sum()).backward()
result += [w.grad, values_of(frozen), values_of(more)]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.nn.Linear torch.nn.Embedding torch.nn.Parameter torch.Tensor",
        """t = tensor([1.0, 2.0])
class Own(Parameter):
    def __init__(self, data, requires_grad=True):
        super().__init__()
        self.kept = 3
made, own, layer, table = Parameter(t), Own(t), Linear(2, 2), Embedding(3, 2)
asked = [t, t * 2, made, made * 2, made.data, own, layer.weight, layer.bias, layer.weight.data, table.weight]
result = [type(each) is kind for each in asked for kind in (Tensor, Parameter, Own)]
result += [isinstance(each, kind) for each in asked for kind in (Tensor, Parameter, Own)]
result += [{Tensor: 1, Parameter: 2, Own: 3}[type(each)] for each in asked]
result += [issubclass(Parameter, Tensor), made.__class__ is Parameter, type(made).__name__, own.kept]
result += [type(each) in (Parameter,) for each in layer.parameters()]
""",
        gradients=False,
    ),
    script(
        "torch.tensor torch.ones torch.nn.Linear torch.optim.SGD torch.autograd.grad "
        "torch.Tensor.register_post_accumulate_grad_hook",
        """layer, got = Linear(2, 2), []
handles = [
    register_post_accumulate_grad_hook(each, lambda one, name=name: got.append([name, float(one.grad.sum())]))
    for name, each in layer.named_parameters()
]
for _ in range(2):
    layer(ones(1, 2)).sum().backward()
result = [sorted(got)]
handles[0].remove()
got.clear()
grad(layer(ones(1, 2)).sum(), list(layer.parameters()))
result += [len(got)]
layer(ones(1, 2)).sum().backward()
result += [got]
steps = {each: SGD([each], lr=0.1) for each in layer.parameters()}
before = [values_of(each) for each in layer.parameters()]
def step(one):
    steps[one].step()
    steps[one].zero_grad()
for each in layer.parameters():
    register_post_accumulate_grad_hook(each, step)
layer.zero_grad()
layer(ones(1, 2)).sum().backward()
result += [old - values_of(each) for old, each in zip(before, layer.parameters())]
result += [each.grad is None for each in layer.parameters()]
x = tensor([1.0], requires_grad=True)
for wrong in (x * 2, ones(2)):
    try:
        register_post_accumulate_grad_hook(wrong, step)
    except RuntimeError as error:
        result += [str(error)]
""",
        gradients=False,
    ),
]
