"""Einstein's summation, einops, sampling, limits, devices, gradients, parametrizations."""

from __future__ import annotations

from case import Case, function, layer, script

CASES: list[Case] = []
for equation, x, y in (
    ("ij,jk->ik", "normal(3, 4)", "normal(4, 5)"),
    ("bij,bjk->bik", "normal(2, 3, 4)", "normal(2, 4, 5)"),
    ("bhid,bhjd->bhij", "normal(2, 3, 4, 5)", "normal(2, 3, 6, 5)"),
    ("b h i d, b h j d -> b h i j", "normal(2, 3, 4, 5)", "normal(2, 3, 6, 5)"),
    ("...ij,...jk->...ik", "normal(2, 3, 4, 5)", "normal(3, 5, 2)"),
    ("...i,...i->...", "normal(2, 3, 4)", "normal(4)"),
    ("i,j->ij", "normal(3)", "normal(4)"),
    ("i,i->", "normal(3)", "normal(3)"),
    ("i,i", "normal(3)", "normal(3)"),
    ("ij,kl->jl", "normal(3, 4)", "normal(2, 5)"),
    ("bi,bi->bi", "normal(3, 4)", "normal(3, 4)"),
    ("nctv,vw->nctw", "normal(2, 3, 4, 5)", "normal(5, 6)"),
    ("bhwc,hkc->bhwk", "normal(2, 3, 4, 5)", "normal(3, 6, 5)"),
    ("jk,ij", "normal(4, 5)", "normal(3, 4)"),
    ("ibnd,jbnd->ijbn", "normal(3, 2, 4, 5)", "normal(6, 2, 4, 5)"),
    ("iij,jk->ki", "normal(3, 3, 4)", "normal(4, 2)"),
    ("bid,bjd->bij", "normal(0, 3, 4)", "normal(1, 2, 4)"),
    ("bid,bjd->bij", "normal(0, 3, 4)", "normal(0, 2, 4)"),
    ("ij,jk->ik", "normal(3, 0)", "normal(0, 2)"),
    ("ij,ik->jk", "normal(0, 3)", "normal(0, 2)"),
):
    CASES.append(function("torch.einsum", f"'{equation}', x, y", x, inputs={"y": y}))
for equation, x in (
    ("ii", "normal(3, 3)"),
    ("ii->i", "normal(3, 3)"),
    ("ij->ji", "normal(3, 4)"),
    ("ij->", "normal(3, 4)"),
    ("ijk->kj", "normal(3, 4, 5)"),
    ("...ij->...ji", "normal(2, 3, 4, 5)"),
    ("b...c->b...", "normal(2, 3, 4, 5)"),
    ("ba", "normal(3, 4)"),
):
    CASES.append(function("torch.einsum", f"'{equation}', x", x))
CASES += [
    function(
        "torch.einsum",
        "'ij,jk,kl->il', x, y, z",
        "normal(3, 4)",
        inputs={"y": "normal(4, 5)", "z": "normal(5, 2)"},
    ),
    function(
        "torch.einsum",
        "'bn,anm,bm->ba', x, y, z",
        "normal(2, 3)",
        inputs={"y": "normal(5, 3, 4)", "z": "normal(2, 4)"},
    ),
    function("torch.einsum", "'ij,jk->ik', [x, y]", "normal(3, 4)", inputs={"y": "normal(4, 5)"}),
    function("torch.einsum", "x, [0, 1], y, [1, 2], [0, 2]", "normal(3, 4)", inputs={"y": "normal(4, 5)"}),
    function("torch.einsum", "'bi,i->b', x, y", "normal(1, 4)", inputs={"y": "normal(4)"}),
]

IMAGE = "normal(2, 3, 4, 6)"
for form, x in (
    ("'b c h w -> b (h w) c'", IMAGE),
    ("'b c (h p1) (w p2) -> b (h w) (p1 p2 c)', p1=2, p2=3", IMAGE),
    ("'b c h w -> (b h) (c w)'", IMAGE),
    ("'... h w -> ... w h'", IMAGE),
    ("'b ... w -> w (...) b'", IMAGE),
    ("'b c h w -> b c h w 1'", IMAGE),
    ("'b c h (g w) -> g b c h w', g=3", IMAGE),
    ("'b c h w -> b 1 (c h w)'", IMAGE),
    ("'() c -> c ()'", "normal(1, 4)"),
    ("'b n (h d) -> b h n d', h=2", "normal(2, 5, 8)"),
    ("'a -> a'", "normal(3)"),
):
    CASES.append(function("einops.rearrange", f"x, {form}", x))
    CASES.append(layer("einops.layers.torch.Rearrange", form, x, train=False))
CASES.append(function("einops.rearrange", "[x, x * 2], 'n a b -> a (n b)'", "normal(3, 4)"))
for form, x in (
    ("'b c h w -> b c', 'mean'", IMAGE),
    ("'b c (h p) (w q) -> b c h w', 'max', p=2, q=3", IMAGE),
    ("'b c h w -> ', reduction='sum'", IMAGE),
    ("'b ... -> b', 'min'", IMAGE),
    ("'b c h w -> c 1 b', 'prod'", IMAGE),
):
    CASES.append(function("einops.reduce", f"x, {form}", x, tolerance=3e-5))
    CASES.append(layer("einops.layers.torch.Reduce", form, x, train=False, tolerance=3e-5))
for form, x in (
    ("'h w -> h w c', c=3", "normal(3, 4)"),
    ("'() n d -> b n d', b=3", "normal(1, 3, 4)"),
    ("'1 1 d -> b 1 d', b=3", "normal(1, 1, 4)"),
    ("'h w -> (h r) (w s)', r=2, s=3", "normal(3, 4)"),
    ("'... -> ... k', k=2", "normal(3, 4)"),
    ("'d -> 2 d 3'", "normal(3)"),
):
    CASES.append(function("einops.repeat", f"x, {form}", x))
CASES += [
    function(
        "einops.einsum",
        "x, y, 'batch row width, width out -> batch row out'",
        "normal(2, 3, 4)",
        inputs={"y": "normal(4, 5)"},
    ),
    function(
        "einops.einsum", "x, y, '... i, ... i -> ...'", "normal(2, 3, 4)", inputs={"y": "normal(2, 3, 4)"}
    ),
    function("einops.pack", "[x, y], 'b * d'", "normal(2, 3, 4, 5)", inputs={"y": "normal(2, 5)"}),
    function("einops.unpack", "x, [(3, 2), (), (4,)], 'b * d'", "normal(2, 11, 5)"),
    function("einops.unpack", "x, [[3], [-1]], 'b *'", "normal(2, 11)"),
    function("einops.parse_shape", "x, 'b _ h w'", IMAGE),
    function("einops.parse_shape", "x, 'b ... w'", IMAGE),
]

GRID = {"inputs": {"g": "normal(2, 5, 7, 2) * 0.7"}}
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (False, True):
            CASES.append(
                function(
                    "torch.nn.functional.grid_sample",
                    f"x, g, '{mode}', '{padding}', {corners}",
                    "normal(2, 3, 6, 4)",
                    tolerance=5e-5,
                    **GRID,
                )
            )
            if mode != "bicubic":
                CASES.append(
                    function(
                        "torch.nn.functional.grid_sample",
                        f"x, g, '{mode}', padding_mode='{padding}', align_corners={corners}",
                        "normal(2, 3, 4, 5, 3)",
                        inputs={"g": "normal(2, 2, 5, 3, 3) * 0.7"},
                        tolerance=5e-5,
                    )
                )
CASES += [
    function("torch.nn.functional.grid_sample", "x, g", "normal(2, 3, 6, 4)", tolerance=5e-5, **GRID),
    *(
        function(
            f"torch.{name}", f"x, g, {mode}, {padding}, False", "normal(2, 3, 6, 4)", tolerance=1e-4, **GRID
        )
        for name in ("grid_sampler", "grid_sampler_2d")
        for mode, padding in ((0, 0), (2, 1))
    ),
    function(
        "torch.grid_sampler_3d",
        "x, y, 0, 2, True",
        "normal(1, 2, 3, 4, 5)",
        inputs={"y": "uniform(1, 2, 3, 2, 3) * 2 - 1"},
        tolerance=1e-4,
    ),
    *(
        function("torch.nn.functional.affine_grid", made, x)
        for made, x in (
            ("x, (2, 3, 4, 5), False", "normal(2, 2, 3)"),
            ("x, [2, 3, 4, 5], align_corners=True", "normal(2, 2, 3)"),
            ("x, (2, 3, 1, 1)", "normal(2, 2, 3)"),
            ("x, (2, 3, 4, 5, 6), align_corners=False", "normal(2, 3, 4)"),
        )
    ),
]
LIMITS = "[limits.min, limits.max, limits.bits, limits.eps, limits.tiny, limits.smallest_normal, limits.resolution, limits.dtype]"
CASES += [
    *(
        script("torch.finfo", f"limits = finfo({dtype})\nresult = {LIMITS}")
        for dtype in ("float16", "float32", "float64", "bfloat16", "complex64", "")
    ),
    *(
        script("torch.iinfo", f"limits = iinfo({dtype})\nresult = [limits.min, limits.max, limits.bits]")
        for dtype in ("int8", "uint8", "int16", "int32", "int64")
    ),
    script(
        "torch.device",
        """
made = [device("cuda:1"), device("cpu"), device("cuda", 1), device("cuda", 2), device(device("cpu", 0)), device(type="meta")]
result = [[d.type, d.index, str(d), repr(d)] for d in made]
result += [made[0] == made[2], made[0] == made[1], made[1] != made[0], made[1] == "cpu" or True, len({*made})]
""",
    ),
]
CASES += [
    script(
        f"torch.{name} torch.is_grad_enabled",
        f"""
inside = []
with {name}({mode}):
    inside.append(is_grad_enabled())
@{name}({mode})
def decorated(x):
    "text"
    inside.append(is_grad_enabled())
    return x
decorated(1)
result = [inside, is_grad_enabled(), decorated.__name__]
{name}
""",
    )
    for name, mode in (
        ("no_grad", ""),
        ("enable_grad", ""),
        ("inference_mode", ""),
        ("inference_mode", "False"),
        ("inference_mode", "mode=True"),
        ("set_grad_enabled", "False"),
        ("set_grad_enabled", "mode=True"),
    )
]
CASES += [
    script(
        f"torch.{name} torch.is_grad_enabled",
        f"""
@{name}
def decorated(x):
    return is_grad_enabled()
result = [decorated(1), decorated(2), is_grad_enabled()]
""",
    )
    for name in ("no_grad", "enable_grad", "inference_mode")
]
CASES += [
    script(
        "torch.no_grad torch.enable_grad torch.is_grad_enabled",
        "with no_grad():\n    with enable_grad():\n        inner = is_grad_enabled()\n    outer = is_grad_enabled()\nresult = [inner, outer]",
    ),
    script(
        "torch.autocast",
        """
with autocast("cpu", enabled=False):
    a = x * 2
@autocast(device_type="cpu", enabled=False)
def f(x):
    return x + 1
result = [a, f(x)]
""",
        inputs={"x": "normal(3)"},
    ),
    function(
        "torch.utils.checkpoint.checkpoint",
        "lambda a, b, c=1: a * b + c, x, y, use_reentrant=False, c=2",
        "normal(3)",
        inputs={"y": "normal(3)"},
    ),
    function(
        "torch.utils.checkpoint.checkpoint_sequential",
        "[lambda a: a * 2, lambda a: a + 1], 2, x, use_reentrant=False",
        "normal(3)",
    ),
]
FUNCTIONS = """
class Scaled(Function):
    @staticmethod
    def forward(ctx, x, weight, factor):
        ctx.save_for_backward(x, weight)
        ctx.factor = factor
        return x * weight * factor
    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad * weight * 10, (grad * x).sum(0) if ctx.needs_input_grad[1] else None, None
class Straight(Function):
    @staticmethod
    def forward(x):
        return (x > 0) * 1.0, x * 2
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.count = len(inputs)
        ctx.mark_non_differentiable(output[0])
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, *grads):
        return grads[1] * 3 * ctx.count
"""
CASES += [
    script(
        "torch.autograd.Function torch.nn.Module torch.nn.Linear torch.nn.init.constant_",
        FUNCTIONS + "result = [Scaled.apply(x, w, 3.0), Straight.apply(x)]",
        inputs={"x": "normal(2, 3)", "w": "normal(3)"},
    ),
    script(
        "torch.autograd.Function",
        FUNCTIONS
        + "result = gradients(lambda x, w: Scaled.apply(x * 2, w, 3.0) + Straight.apply(x)[1], x, w)",
        inputs={"x": "normal(2, 3)", "w": "normal(3)"},
    ),
    function(
        "torch._utils._flatten_dense_tensors",
        "[x, y]",
        "normal(2, 3)",
        inputs={"y": "normal(4)"},
    ),
    function(
        "torch._utils._unflatten_dense_tensors",
        "x, [y, y[0], y[1:]]",
        "normal(12)",
        inputs={"y": "normal(3, 2)"},
    ),
    function("torch.nn.utils.parameters_to_vector", "[x, y]", "normal(2, 3)", inputs={"y": "normal(4)"}),
    script(
        "torch.nn.utils.vector_to_parameters torch.nn.Linear",
        "net = Linear(2, 3)\nvector_to_parameters(x, net.parameters())\nresult = [net.weight, net.bias]",
        inputs={"x": "normal(9)"},
    ),
]
CASES += [
    script(
        f"torch.nn.utils.weight_norm torch.nn.utils.remove_weight_norm torch.nn.{name} torch.nn.init.constant_",
        f"""
net = weight_norm({name}({made}), {options})
names = list(net.state_dict())
constant_(net.weight_g, 1.5)
constant_(net.weight_v, 0.5)
constant_(net.bias, 0.1)
out = net(x)
constant_(net.weight_g, 2.5)
remove_weight_norm(net)
result = [names, out, sorted(net.state_dict()), net(x)]
""",
        inputs={"x": x},
    )
    for name, made, options, x in (
        ("Linear", "3, 4", "'weight'", "normal(2, 3)"),
        ("Conv1d", "3, 4, 3", "name='weight', dim=1", "normal(2, 3, 7)"),
        ("Linear", "3, 4", "dim=None", "normal(2, 3)"),
    )
]
CASES += [
    script(
        f"torch.nn.utils.spectral_norm torch.nn.{name} torch.nn.init.constant_",
        f"""
net = spectral_norm({name}({made}), n_power_iterations=3)
names = list(net.state_dict())
constant_(net.weight_orig, 0.5)
constant_(net.bias, 0.1)
net.train()
net(x)
net.eval()
result = [names, net(x)]
""",
        inputs={"x": x},
    )
    for name, made, x in (
        ("Linear", "3, 4", "normal(2, 3)"),
        ("ConvTranspose2d", "3, 4, 3", "normal(2, 3, 5, 5)"),
    )
]

CASES += [
    script(
        "torch.no_grad torch.enable_grad",
        """
def compute(x):
    with no_grad():
        scale = x * 2
        with enable_grad():
            kept = x * 3
    return x * scale + kept
result = gradients(compute, x)
""",
        inputs={"x": "normal(3)"},
    ),
    script(
        "torch.no_grad torch.set_grad_enabled",
        """
@no_grad()
def fixed(x):
    return x * 2
def compute(x):
    with set_grad_enabled(False):
        scale = x * 3
    with set_grad_enabled(True):
        other = x * 5
    return fixed(x) * x + scale * x + other
result = gradients(compute, x)
""",
        inputs={"x": "normal(3)"},
    ),
]
CASES += [
    script(
        f"torch.nn.utils.parametrizations.weight_norm torch.nn.{name} torch.nn.init.constant_",
        f"""
net = weight_norm({name}({made}), {options})
names = [name for name, _ in net.named_parameters()]
constant_(net.parametrizations.weight.original0, 1.5)
constant_(net.parametrizations.weight.original1, 0.5)
constant_(net.bias, 0.1)
result = [names, net(x)]
""",
        inputs={"x": x},
    )
    for name, made, options, x in (
        ("Linear", "3, 4", "'weight'", "normal(2, 3)"),
        ("Conv1d", "3, 4, 3", "name='weight', dim=1", "normal(2, 3, 7)"),
    )
]
CASES += [
    script(
        f"torch.nn.utils.parametrizations.spectral_norm torch.nn.{name} torch.nn.init.constant_",
        f"""
net = spectral_norm({name}({made}), n_power_iterations=30)
names = list(net.state_dict())
constant_(net.parametrizations.weight.original, 0.5)
constant_(net.bias, 0.1)
net.train()
net(x)
net.eval()
result = [sorted(names), net(x)]
""",
        inputs={"x": x},
    )
    for name, made, x in (
        ("Linear", "3, 4", "normal(2, 3)"),
        ("ConvTranspose2d", "3, 4, 3", "normal(2, 3, 5, 5)"),
    )
]
CASES += [
    script(
        "torch.set_grad_enabled torch.is_grad_enabled torch.no_grad",
        """
found = [is_grad_enabled()]
set_grad_enabled(False)
found.append(is_grad_enabled())
_ = set_grad_enabled(True)
found.append(is_grad_enabled())
with set_grad_enabled(False):
    found.append(is_grad_enabled())
    with set_grad_enabled(mode=True):
        found.append(is_grad_enabled())
@no_grad()
def down(count):
    return [is_grad_enabled()] + (down(count - 1) if count else [])
@set_grad_enabled(False)
def also_down(count):
    return [is_grad_enabled()] + (also_down(count - 1) if count else [])
result = [*found, is_grad_enabled(), *down(2), is_grad_enabled(), *also_down(2), is_grad_enabled()]
""",
    ),
    script(
        "torch.einsum",
        "result = [einsum(x, [..., 0, 1], y, [..., 1, 2], [..., 0, 2]), einsum(x, [0, ...], [...])]",
        inputs={"x": "normal(2, 3, 4)", "y": "normal(2, 4, 5)"},
        tolerance=1e-4,
    ),
    script(
        "torch.nn.utils.parametrize.register_parametrization torch.nn.utils.parametrize.ParametrizationList torch.nn.Linear"
        " torch.nn.Module torch.no_grad torch.tensor",
        """
class Exponential(Module):
    def forward(self, given):
        return given.exp()
    def right_inverse(self, given):
        return given.log()
class RankOne(Module):
    def forward(self, one, other):
        return one.unsqueeze(-1) * other.unsqueeze(-2)
    def right_inverse(self, given):
        return given[:, 0] * 1, given[0] / given[0, 0]
net, other = Linear(3, 2), Linear(3, 2)
register_parametrization(net, "weight", Exponential())
with no_grad():
    net.weight = y
register_parametrization(other, "weight", RankOne())
with no_grad():
    other.weight = y
names = [name for name, _ in other.named_parameters()]
result = [net(x) - net.bias, other(x) - other.bias, net.weight, other.weight, tensor([len(names), len(names[-1])])]
kept = net.parametrizations.weight
result += [isinstance(kept, ParametrizationList), isinstance(kept[0], Exponential), len(kept), [type(one).__name__ for one in kept], kept.original * 1, kept() * 1]
""".replace("net.weight.requires_grad_(False)\n", ""),
        inputs={"x": "normal(4, 3)", "y": "uniform(2, 3) + 0.5"},
        gradients=False,
        tolerance=1e-4,
    ),
]
