"""bfloat16: what operators, layers, optimizers and changes in place give, and the dtypes of it."""

from __future__ import annotations

from case import Case, script

BY_INPUTS = {"x": "normal(3, 4)", "y": "normal(3, 4)", "z": "normal(4)"}
IMAGES = {"x": "normal(2, 4, 6, 6)", "y": "normal(3, 4, 3, 3) * 0.2", "z": "normal(4)"}
NARROW = "x, y, z = (each.to(bfloat16) for each in (x, y, z))\n"
LEAVES = NARROW + "x, y, z = (requires_grad_(each) for each in (x, y, z))\n"
BACKWARD = "\n(made * made).sum().backward()\nresult = [made.detach(), x.grad, y.grad, z.grad]"
BACKWARD_OF_X = "\n(made * made).sum().backward()\nresult = [made.detach(), x.grad, x.grad.dtype, made.dtype]"
ROUNDED = 8e-3
"""What one rounding more or less comes to."""


def rounded(apis: str, source: str, inputs: dict[str, str] | None = None, tolerance: float = ROUNDED) -> Case:
    return script(apis, source, inputs=inputs or BY_INPUTS, tolerance=tolerance)


CASES: list[Case] = (
    [
        rounded("torch.enable_grad", NARROW + source, tolerance=1e-6)
        for source in (
            "result = [x + y, x - z, x * 3, 1 - x, x / y.abs(), x ** 2, -x, abs(x), x > y, x == x]",
            "result = [each.dtype for each in (x + 1.5, x + y.float(), x.float()[0, 0] * x, x * y.half(), x > 0)]",
            "result = [x.sum().dtype, x.sum(-1, dtype=float32).dtype, x.argmax(-1).dtype, x.float().mean().dtype]",
            "result = [x[0], x[1:, ::2], x[..., -1], x.T, x.reshape(4, 3), x.unsqueeze(1), [row * 2 for row in x]]",
            "result = [x[x > 0], x[:, [0, 2]], x.float().to(x), x.double().dtype, x.to(bfloat16) is x]",
            "x[0] = 0.1\nx[:, 1] += 0.3\nx[x > 1] = 2.3\nx += 1.01\nx *= y\nresult = [x, x.dtype]",
            "result = [x + 1.01, 0.13 - x, x * 1.01, x / 1.01, x % 0.3, x > 0.13, (x * 0 + 0.13) == 0.13]",
            "result = [x.dtype == bfloat16, x.itemsize, x.nbytes, x[0, 0].item(), z.tolist()]",
        )
    ]
    + [
        rounded(apis, LEAVES + source)
        for apis, source in (
            ("torch.Tensor.requires_grad_", "made = x * y + z + x[:, :1] + x.reshape(3, 4)" + BACKWARD),
            ("torch.Tensor.requires_grad_", "made = x @ y.T @ x * z" + BACKWARD),
            ("torch.Tensor.requires_grad_ torch.softmax", "made = softmax(x @ y.T, -1) @ x + z" + BACKWARD),
            (
                "torch.Tensor.requires_grad_ torch.cat torch.stack torch.where",
                "made = cat([x, stack([z, z * 2])]) @ where(y > 0, y, y * 0.1).T" + BACKWARD,
            ),
            (
                "torch.Tensor.requires_grad_",
                "made = x * 2\nmade[0] = z * 3\nmade[:, 1] *= y[:, 0]" + BACKWARD,
            ),
            (
                "torch.Tensor.requires_grad_ torch.nn.functional.layer_norm torch.nn.functional.gelu",
                "made = gelu(layer_norm(x, (4,), z, z)) * y" + BACKWARD,
            ),
            (
                "torch.Tensor.requires_grad_ torch.autograd.grad",
                "found = grad((x * y).sum(), [x, y])\nresult = [*found, *(each.dtype for each in found)]",
            ),
            (
                "torch.Tensor.requires_grad_ torch.Tensor.register_hook",
                "seen = []\nmade = x * y\nregister_hook(made, lambda slope: seen.append(slope.dtype))\n"
                "made.sum().backward()\nresult = [x.grad, *seen]",
            ),
            (
                "torch.Tensor.requires_grad_ torch.autograd.Function",
                "class Doubled(Function):\n    @staticmethod\n    def forward(ctx, value):\n"
                "        ctx.save_for_backward(value)\n        return value * 2\n    @staticmethod\n"
                "    def backward(ctx, slope):\n        seen.extend([slope.dtype, ctx.saved_tensors[0].dtype])\n"
                "        return slope * 2\nseen = []\nmade = Doubled.apply(x)\nmade.sum().backward()\n"
                "result = [made.detach(), made.dtype, x.grad, *seen]",
            ),
        )
    ]
    + [
        rounded(f"torch.Tensor.requires_grad_ {apis}", LEAVES + source + BACKWARD_OF_X, IMAGES)
        for apis, source in (
            ("torch.nn.functional.conv2d", "made = conv2d(x, y.detach(), padding=1)"),
            ("torch.nn.functional.max_pool2d", "made = max_pool2d(x, 2)"),
            ("torch.nn.functional.interpolate", "made = interpolate(x, scale_factor=2, mode='bilinear')"),
            ("torch.nn.functional.pad", "made = pad(x, (1, 2), value=0.3)"),
            ("torch.nn.functional.group_norm", "made = group_norm(x, 2, z.detach())"),
        )
    ]
)

CASES += [
    rounded(
        f"torch.nn.Parameter torch.optim.{kind}",
        "weight = Parameter(x.to(bfloat16))\n"
        f"optimizer = {kind}([weight], {options})\n"
        "for step in range(4):\n    optimizer.zero_grad()\n    loss = ((weight * y.to(bfloat16)) ** 2).mean()\n"
        "    loss.backward()\n    optimizer.step()\n"
        "state = [each for each in optimizer.state[weight].values() if isinstance(each, Tensor) and each.ndim]\n"
        "result = [weight.detach(), weight.dtype, loss.detach(), *(each.dtype for each in state)]",
        tolerance=2e-2,
    )
    for kind, options in (
        ("SGD", "lr=0.1, momentum=0.9, weight_decay=0.01"),
        ("Adam", "lr=0.05"),
        ("AdamW", "lr=0.05"),
        ("RMSprop", "lr=0.05"),
    )
]
CASES += [
    rounded(
        "torch.nn.BatchNorm2d torch.nn.Module.to",
        "layer = BatchNorm2d(4)\nto(layer, bfloat16)\nfor count in range(3):\n    made = layer(x.to(bfloat16) + count)\n"
        "result = [made.detach(), made.dtype, layer.running_mean, layer.running_mean.dtype, layer.running_var]",
        IMAGES,
    ),
    rounded(
        "torch.autocast torch.nn.functional.linear torch.nn.functional.mse_loss torch.softmax",
        "with autocast('cpu', dtype=bfloat16):\n    made = linear(x, y)\n    loss = mse_loss(made, made * 2)\n"
        "    with autocast('cpu', enabled=False):\n        full = linear(x, y)\n"
        "    chosen = softmax(made, -1)\n"
        "result = [made, made.dtype, loss, loss.dtype, full.dtype, chosen.dtype, (x @ y.T).dtype]",
    ),
    rounded(
        "torch.cpu.amp.autocast torch.nn.functional.linear",
        "with autocast():\n    made = linear(x, y)\nwith autocast(enabled=False):\n    full = linear(x, y)\n"
        "@autocast()\ndef called():\n    return linear(x, y)\n"
        "result = [made, made.dtype, full.dtype, called().dtype, linear(x, y).dtype]",
    ),
    rounded(
        "torch.save torch.load torch.tensor",
        "import io\nfile = io.BytesIO()\nsave({'a': x.to(bfloat16), 'b': tensor(0.3, dtype=bfloat16)}, file)\n"
        "file.seek(0)\nfound = load(file)\nresult = [found['a'], found['a'].dtype, found['b'], found['b'].dtype]",
        tolerance=1e-6,
    ),
    rounded(
        "torch.nn.Linear torch.nn.Module.load_state_dict",
        "layer = Linear(4, 3)\nload_state_dict(layer, {'weight': x.to(bfloat16), 'bias': z[:3].to(bfloat16)}, assign=True)\n"
        "result = [layer.weight.detach(), layer.weight.dtype, layer(y.to(bfloat16)).detach(), layer.bias.dtype]",
    ),
    rounded(
        "torch.set_default_dtype torch.zeros torch.tensor torch.randn torch.full",
        "set_default_dtype(bfloat16)\ntry:\n    result = [zeros(2), tensor(0.1), full((2,), 0.1)]\n"
        "    result += [each.dtype for each in (*result, randn(3))]\nfinally:\n    set_default_dtype(float32)",
        tolerance=1e-6,
    ),
    rounded(
        "torch.manual_seed torch.randn torch.rand",
        "manual_seed(3)\nresult = [randn(24, dtype=bfloat16), rand(5, dtype=bfloat16), randn(3, dtype=bfloat16)]",
    ),
]
