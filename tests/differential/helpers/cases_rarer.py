"""What programs use rarely, by itself or by another name."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
MATRIX, SHARES, WHOLE = "normal(3, 4)", "uniform(3, 4)", "integers((3, 4), 9, 1)"
FIXED: dict[str, object] = {"gradients": False}
CHANGED: dict[str, object] = {"changed": ("x",), "gradients": False}


def calls(apis: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    """Each call with each of the APIs."""
    for api in apis.split():
        for made, x, *more in rows:
            CASES.append(function(f"torch.{api}", made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


def given(**inputs: str) -> dict[str, object]:
    """Further inputs."""
    return {"inputs": inputs}


calls("addcmul", ("x, y, z, value=2", MATRIX, given(y=MATRIX, z="normal(4)")))
calls("addr", ("x, y, z, beta=2, alpha=3", MATRIX, given(y="normal(3)", z="normal(4)")))
calls(
    "addmm",
    ("x, y, z, beta=0.5", MATRIX, given(y="normal(3, 2)", z="normal(2, 4)")),
    ("x[0], y[:, :0], z[:0], beta=2.0", MATRIX, given(y="normal(3, 2)", z="normal(2, 4)")),
)
calls("mm", ("x, y", MATRIX, given(y="normal(4, 2)")))
calls("bmm", ("x, y", "normal(2, 3, 4)", given(y="normal(2, 4, 2)")))
calls("polygamma special.polygamma", ("1, x", SHARES, FIXED), ("2, x", SHARES, FIXED))
calls("frexp Tensor.frexp", ("x", MATRIX), ("x", "np.array([0, 1, 8], np.float32)", FIXED))
calls("scalar_tensor", ("3, dtype=int64", "", FIXED), ("2.5", "", FIXED))
calls("is_signed", ("x", MATRIX, FIXED), ("x", "normal(3) > 0", FIXED), ("x", WHOLE, FIXED))
calls("typename", ("x", MATRIX, FIXED), ("[1]", "", FIXED), ("np.float32", "", FIXED))
for name in ("upsample_nearest", "upsample_bilinear"):
    calls(
        f"nn.functional.{name}",
        ("x, scale_factor=2", "normal(1, 2, 3, 4)"),
        ("x, (5, 6)", "normal(1, 2, 3, 4)"),
    )
IMAGES = {1: "normal(1, 2, 6)", 2: "normal(1, 2, 6, 6)", 3: "normal(1, 2, 4, 4, 4)"}
for rank, images in IMAGES.items():
    calls(
        f"nn.functional.max_pool{rank}d_with_indices", ("x, 2", images), ("x, 3, stride=1, padding=1", images)
    )
    calls(f"nn.functional.adaptive_max_pool{rank}d_with_indices", ("x, 2", images))
calls("adaptive_max_pool1d", ("x, 2", IMAGES[1]))
calls("Tensor.bitwise_not_", ("x", WHOLE, CHANGED))
calls("Tensor.bitwise_left_shift_ Tensor.bitwise_right_shift_", ("x, 2", WHOLE, CHANGED))
calls(
    "Tensor.copysign_ Tensor.ldexp_ Tensor.hypot_ Tensor.heaviside_",
    ("x, y", MATRIX, {**given(y=MATRIX), **CHANGED}),
)
calls("Tensor.deg2rad_ Tensor.rad2deg_ deg2rad_ rad2deg_ Tensor.sgn_ Tensor.i0_ i0_", ("x", MATRIX, CHANGED))
calls("Tensor.float_power_", ("x, 2", "uniform(3).astype(np.float64)", CHANGED))
calls("Tensor.logit_ logit_", ("x", SHARES, CHANGED), ("x, 0.2", SHARES, CHANGED))
calls("Tensor.mvlgamma_", ("x, 2", "uniform(3) + 2", CHANGED))
calls("Tensor.polygamma_", ("x, 1", SHARES, CHANGED))
calls("Tensor.map_", ("x, y, lambda a, b: a + 2 * b", MATRIX, {**given(y=MATRIX), **CHANGED}))
calls("Tensor.apply_", ("x, lambda a: a * 2", MATRIX, CHANGED))
PLACES = given(y="np.array([1, 5, 7])", z="normal(3)")
calls("put Tensor.put", ("x, y, z", MATRIX, PLACES), ("x, y, z, accumulate=True", MATRIX, PLACES))
calls("Tensor.put_", ("x, y, z", MATRIX, {**PLACES, **CHANGED}))
for name in ("cauchy_", "geometric_", "log_normal_"):
    made = {"geometric_": "x, 0.3"}.get(name, "x")
    CASES.append(
        script(
            f"torch.manual_seed torch.Tensor.{name}",
            f"manual_seed(5)\nresult = {name}({made})",
            inputs={"x": MATRIX},
            tolerance=1e-4,
        )
    )
# numbers are drawn in the order in memory, normal ones in pairs where the values do not follow each other
CASES += [
    script(
        f"torch.manual_seed torch.Tensor.{name} torch.zeros",
        f"def filled(x):\n    manual_seed(5)\n    {name}({made})\n    return x\n\n"
        "turned = zeros(4, 5, 6).permute(2, 0, 1)\nfilled(turned)\n"
        "part = zeros(6, 9)\nfilled(part[:, :4])\nresult = [turned, filled(zeros(6, 4).t()), part]",
        tolerance=1e-4,
    )
    for name, made in (
        ("bernoulli_", "x, 0.3"),
        ("cauchy_", "x"),
        ("exponential_", "x"),
        ("geometric_", "x, 0.3"),
        ("log_normal_", "x"),
        ("normal_", "x"),
        ("random_", "x, 9"),
        ("uniform_", "x, -1, 2"),
    )
]
CASES += [
    script(
        "torch.manual_seed torch.nn.init.trunc_normal_ torch.zeros",
        "manual_seed(5)\nwide = trunc_normal_(zeros(6, 4).t())\n"
        "result = [wide, trunc_normal_(zeros(6, 4).t(), a=0.5, b=1.0), trunc_normal_(zeros(30), 1.0, 0.2, 1.3, 2.0)]",
        tolerance=1e-4,
    ),
    script(
        "torch.manual_seed torch.Tensor.normal_ torch.nn.Linear",
        "import copy\n\nlayer = Linear(6, 4)\nlayer.weight.data = layer.weight.data.transpose(0, 1)\n"
        "other = copy.deepcopy(layer)\nmanual_seed(5)\nnormal_(layer.weight.data)\nnormal_(other.weight.data)\n"
        "first = layer.weight.data + 0\nlayer.weight.data = first.contiguous()\nmanual_seed(5)\n"
        "normal_(layer.weight.data)\nresult = [first, other.weight.data, layer.weight.data]",
        tolerance=1e-4,
    ),
    script(
        "torch.manual_seed torch.rand torch.poisson",
        "manual_seed(3)\nresult = [poisson(x), poisson(x.t()), rand(2), poisson(x[:0]), rand(1)]",
        inputs={
            "x": "np.float32(10) ** np.float32(np.linspace(-3, 3, 600).reshape(20, 30)) * (np.arange(30) > 0)"
        },
        gradients=False,
    ),
    script(
        "torch.manual_seed torch.rand torch.distributions.Binomial",
        "manual_seed(3)\nresult = [Binomial(n, x).sample((90,)) for n in (1, 7, 60, 2000)] + [rand(2)]",
        inputs={"x": "np.float32([0, 0.01, 0.2, 0.5, 0.6, 0.93, 1])"},
        gradients=False,
    ),
    script(
        "torch.manual_seed torch.distributions.Poisson torch.distributions.NegativeBinomial",
        "manual_seed(3)\nresult = [Poisson(x).sample((50,)), NegativeBinomial(3, x / 40).sample((50,))]",
        inputs={"x": "np.float32([0.2, 3, 9.9, 10, 35])"},
        gradients=False,
    ),
    script(
        "torch.manual_seed torch.randint_like",
        "manual_seed(3)\nresult = [randint_like(x, 5), randint_like(x, 2, 9)]",
        inputs={"x": WHOLE},
    ),
    script(
        "torch.random.manual_seed torch.initial_seed torch.get_rng_state torch.set_rng_state"
        " torch.seed torch.rand",
        "manual_seed(7)\nstate = get_rng_state()\nfirst = rand(3)\nset_rng_state(state)\n"
        "result = [first, rand(3), initial_seed(), seed() >= 0]",
    ),
    script(
        "torch.nn.utils.spectral_norm torch.nn.utils.remove_spectral_norm torch.nn.Linear",
        "net = spectral_norm(Linear(4, 3))\nnet = remove_spectral_norm(net)\n"
        "result = [[name for name, _ in net.named_parameters()], list(net(x).shape)]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.utils.spectral_norm torch.nn.utils.remove_spectral_norm torch.nn.Linear torch.nn.init.constant_",
        "net = spectral_norm(Linear(4, 3))\nnet(x)\nconstant_(net.weight_orig, 0.5)\nconstant_(net.weight_u, 0.3)\n"
        "constant_(net.weight_v, 0.4)\nnet = remove_spectral_norm(net)\nconstant_(net.bias, 0.1)\nresult = net(x)",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.utils.spectral_norm torch.nn.Linear torch.nn.init.constant_",
        "net = spectral_norm(Linear(4, 3))\nconstant_(net.weight.data, 0.5)\nconstant_(net.bias, 0.1)\n"
        "constant_(net.weight_u, 0.3)\nresult = [net.weight_orig.data, net(x)]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.utils.parametrize.register_parametrization torch.nn.utils.parametrize.is_parametrized"
        " torch.nn.utils.parametrize.remove_parametrizations torch.nn.utils.parametrize.cached"
        " torch.nn.Linear torch.nn.Module",
        """
class Symmetric(Module):
    def forward(self, X):
        return X + X.swapaxes(0, 1)

    def right_inverse(self, A):
        return A / 2

    construct = forward

class Doubled(Module):
    def forward(self, X):
        return X * 2

    construct = forward

net = Linear(3, 3)
set_values(net.weight, y)
set_values(net.bias, y[0])
register_parametrization(net, "weight", Symmetric())
register_parametrization(net, "weight", Doubled())
names = sorted(name for name, _ in net.named_parameters())
before = net.weight * 1
set_values(net.parametrizations.weight.original, y * 3)
with cached():
    result = [names, before, net.weight, net(x), is_parametrized(net), is_parametrized(net, "bias"), type(net).__name__]
result += weight_gradients(lambda: net(x), net.parametrizations.weight.original)
remove_parametrizations(net, "weight")
result += [is_parametrized(net), net.weight, [name for name, _ in net.named_parameters()]]
""",
        inputs={"x": "normal(2, 3)", "y": "normal(3, 3)"},
    ),
]
CASES += [
    script(
        "torch.autograd.Variable torch.Tensor.requires_grad_",
        "made = Variable(x, requires_grad=True)\nresult = [isinstance(made, Variable), isinstance(3, Variable), made]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.Parameter torch.nn.Module",
        "made = Parameter(x)\nfixed = Parameter(x, requires_grad=False)\nresult = [isinstance(made, Parameter), "
        "isinstance(x, Parameter), made, fixed.requires_grad, made.requires_grad]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.Buffer torch.nn.Module",
        "net = Module()\nnet.a = Buffer(x)\nnet.b = Buffer(x * 2, persistent=False)\n"
        "result = [[name for name, _ in net.named_buffers()], list(net.state_dict()), net.a, net.b]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.amp.custom_fwd torch.amp.custom_bwd torch.autograd.function.once_differentiable",
        """
@once_differentiable
def first(a):
    return a + 1

result = [first(1), custom_bwd(first, device_type="cpu") is not None, custom_fwd(first, device_type="cpu") is not None]
""",
    ),
    script("torch.linalg.LinAlgError", "result = issubclass(LinAlgError, Exception)"),
    script(
        "torch.set_num_threads torch.set_num_interop_threads torch.autograd.graph.save_on_cpu",
        "set_num_threads(1)\nwith save_on_cpu():\n    result = 1",
    ),
    script("torch.set_flush_denormal", "set_flush_denormal(False)\nresult = 1"),
    script(
        "torch.nn.UninitializedParameter torch.nn.Module torch.nn.Parameter torch.Tensor.fill_",
        """from copy import deepcopy


class Scale(Module):
    def __init__(self):
        super().__init__()
        self.weight = UninitializedParameter()


made = Scale()
other = deepcopy(made)
kinds = [isinstance(each.weight, kind) for each in (made, other) for kind in (UninitializedParameter, Parameter)]
(parameter,) = made.parameters()
made.weight.materialize((2, 3))
kinds += [isinstance(made.weight, UninitializedParameter), isinstance(made.weight, Parameter), parameter is made.weight]
fill_(made.weight.data, 2)
(made.weight * x).sum().backward()
result = [kinds, list(made.weight.shape), made.weight.grad, made.weight.requires_grad]
""",
        inputs={"x": "normal(2, 3)"},
        gradients=False,
    ),
    script(
        "torch.utils.hooks.RemovableHandle",
        """from collections import OrderedDict

hooks = OrderedDict()
first, second = RemovableHandle(hooks), RemovableHandle(hooks)
hooks[first.id], hooks[second.id] = "one", "two"
first.remove()
result = [list(hooks.values())]
with second:
    result.append(len(hooks))
result.append(len(hooks))
""",
    ),
    script(
        "torch.nn.modules.lazy.LazyModuleMixin torch.nn.LazyLinear",
        "result = isinstance(LazyLinear(2), LazyModuleMixin)",
    ),
    script(
        "torch.manual_seed torch.svd_lowrank torch.pca_lowrank torch.rand",
        """manual_seed(5)
result = []
for found in (svd_lowrank(x, 2), svd_lowrank(x, 2, 0), svd_lowrank(y, 3, M=y[:1] * 2), svd_lowrank(z, niter=1)):
    u, s, v = found
    result += [abs(u), s, abs(v), (u * s[..., None, :]) @ v.swapaxes(-2, -1)]
for options in ({}, {"q": 2}, {"q": 2, "center": False, "niter": 1}):
    u, s, v = pca_lowrank(x, **options)
    result += [abs(u), s, abs(v)]
result += [rand(2)]
""",
        inputs={"x": "normal(6, 4)", "y": "normal(4, 7)", "z": "normal(2, 9, 7)"},
        tolerance=1e-4,
    ),
]
FRACTIONAL = """
manual_seed(2)
result = [fractional_max_pool2d(x, 2, (4, 5)), fractional_max_pool2d(x[0], (3, 2), output_ratio=(0.5, 0.6))]
result += fractional_max_pool2d(x, 3, output_ratio=(0.4, 0.3), return_indices=True)
result += fractional_max_pool2d_with_indices(x, 2, 4)
result += [fractional_max_pool3d(y, 2, (4, 5, 3)), fractional_max_pool3d(y[0], (3, 2, 1), output_ratio=0.5)]
result += fractional_max_pool3d_with_indices(y, 2, (4, 5, 3), _random_samples=z)
for net, given in ((FractionalMaxPool2d(2, output_ratio=(0.5, 0.7)), x), (FractionalMaxPool3d(2, 3), y)):
    manual_seed(4)
    result.append(net(given))
    def again(one):
        manual_seed(4)
        return (net(one) * arange(result[-1].numel() + 0.0).reshape(result[-1].shape)).sum()
    result += gradients(again, given)
for wrong in ({}, {"output_size": 2, "output_ratio": 0.5}, {"output_ratio": 1.5}):
    try:
        FractionalMaxPool2d(2, **wrong)
    except ValueError:
        result.append(len(wrong))
result += [rand(2)]
"""
CASES.append(
    script(
        "torch.manual_seed torch.rand torch.arange torch.nn.FractionalMaxPool2d torch.nn.FractionalMaxPool3d "
        "torch.nn.functional.fractional_max_pool2d torch.nn.functional.fractional_max_pool3d "
        "torch.nn.functional.fractional_max_pool2d_with_indices "
        "torch.nn.functional.fractional_max_pool3d_with_indices",
        FRACTIONAL,
        inputs={"x": "normal(2, 3, 9, 11)", "y": "normal(2, 3, 9, 11, 8)", "z": "abs(normal(2, 3, 3)) % 1"},
    )
)
KEEPS_NAN = """
y = x[:1] * 1.5
result = [relu(x), relu6(x), hardtanh(x, -0.3, 0.4), clamp(x, -1, 1), clamp(x, min=0), clamp_min(x, 0.5), clamp_max(x, 0.5)]
result += [x.clamp(max=y), maximum(x, y), minimum(y, x), max(x, y), min(x, y), softshrink(x), hardsigmoid(x)]
result += [ReLU()(x), ReLU6()(x), Hardtanh()(x), margin_ranking_loss(x, x * 2, x * 0 + 1, 0.5), threshold(x, 0.1, 20), hardshrink(x)]
result += [triplet_margin_loss(x, y.expand(4, 5), x + 1), hinge_embedding_loss(x, x * 0 + 1), normalize(x)]
result += [maximum(e[:, None, :2], x[:, :2]).shape, min(e[:, None], x[:, :4]), max(e, x[:1, :4]), maximum(e, e)]
m, k = x > 0, x[:1] > 0.5
result += [max(m, k), min(m, k), *max(m, 1), *min(m, dim=0), max(m), amax(m, 1), amin(m), maximum(k, m), m.max(1)[0], m.min()]
result += [var(e), std(e, 0), var(e, unbiased=False), var_mean(e, 0), std_mean(e), var(x[0, 3:4]), var(e[:, :0], 1)]
"""
CASES.append(
    script(
        "torch.nn.ReLU torch.nn.ReLU6 torch.nn.Hardtanh torch.nn.functional.relu torch.nn.functional.relu6 "
        "torch.nn.functional.hardtanh torch.nn.functional.softshrink torch.nn.functional.hardsigmoid "
        "torch.nn.functional.threshold torch.nn.functional.hardshrink torch.nn.functional.margin_ranking_loss "
        "torch.nn.functional.triplet_margin_loss torch.nn.functional.hinge_embedding_loss "
        "torch.nn.functional.normalize torch.clamp torch.clamp_min torch.clamp_max torch.maximum torch.minimum "
        "torch.var torch.std torch.var_mean torch.std_mean torch.amax torch.amin torch.max torch.min",
        KEEPS_NAN,
        inputs={
            "x": "np.where(normal(4, 5) > 0.9, np.nan, normal(4, 5))",
            "e": "np.zeros((0, 4), np.float32)",
        },
    )
)
CASES += [
    script(
        f"torch.ByteTensor torch.{kind}.from_buffer",
        "import pickle\nx = ByteTensor(from_buffer(pickle.dumps([1, 2]), dtype=uint8))\n"
        "result = [x, pickle.loads(x.numpy().tobytes())]",
    )
    for kind in ("StorageBase", "TypedStorage")
]
NAN_IN_WINDOWS = """
result = [max_pool2d(x, 2), max_pool2d(x, 3, 2, 1), max_pool1d(x[:, :, 0], 2), max_pool3d(x[None], 2)]
result += max_pool2d(y, 3, 2, 1, return_indices=True)
result += [MaxPool2d(2)(x * float("nan")), max_pool2d(x, 2, ceil_mode=True)]
"""
CASES.append(
    script(
        "torch.nn.MaxPool2d torch.nn.functional.max_pool1d torch.nn.functional.max_pool2d "
        "torch.nn.functional.max_pool3d",
        NAN_IN_WINDOWS,
        inputs={
            "x": "np.where(normal(2, 3, 7, 8) > 1.2, np.nan, normal(2, 3, 7, 8) / (normal(2, 3, 7, 8) < 1.5))",
            "y": "np.where(np.arange(294).reshape(2, 3, 7, 7) % 49 == 23, np.nan, normal(2, 3, 7, 7))",
        },
    )
)
ADAPTIVE = """
manual_seed(3)
net = AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2.0{more})
found = net(x, y)
result = [found.output, found.loss, net.log_prob(x), net.predict(x), sorted(name for name, _ in net.named_parameters())]
result += gradients(lambda x: net(x, y).loss, x) + weight_gradients(lambda: net(x, y)[1], net.head.weight)
"""
for more in ("", ", head_bias=True"):
    CASES.append(
        script(
            "torch.manual_seed torch.nn.AdaptiveLogSoftmaxWithLoss",
            ADAPTIVE.format(more=more),
            inputs={"x": "normal(5, 8)", "y": "np.array([0, 2, 4, 8, 11])"},
        )
    )
OFTEN = {"y": "np.array([[1, 1, 2], [0, 1, 2]])"}
CASES += [
    function(
        "torch.nn.functional.embedding", "y, x, scale_grad_by_freq=True", MATRIX, inputs=OFTEN, singular=True
    ),
    Case(("torch.nn.Embedding",), "3, 4, scale_grad_by_freq=True", "y", inputs=OFTEN, singular=True),
    function("torch.range", "1, 3, 0.5, requires_grad=True", gradients=False),
    *(
        function("torch.Tensor.fill_diagonal_", made, x, changed=("x",), gradients=False)
        for made, x in (
            ("x, 5.0", "normal(3, 3, 3)"),
            ("x, 5.0, True", "normal(7, 3)"),
            ("x, 5.0", "normal(7, 3)"),
        )
    ),
    *(
        script(
            f"torch.Generator torch.nn.init.{name}",
            f"drawing = Generator()\ndrawing.manual_seed(9)\nresult = {name}(x, generator=drawing)",
            inputs={"x": MATRIX},
        )
        for name in ("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_")
    ),
    function(
        "torch.nanmean", "x, 1, dtype=float64", "np.array([[1, np.nan], [2, 3]], np.float32)", gradients=False
    ),
    script(
        "torch.nn.Sequential torch.nn.Linear torch.nn.ReLU torch.nn.Module",
        "net = Sequential(Linear(4, 3), Sequential(ReLU()))\nnet.set_submodule('1.0', Linear(3, 2))\n"
        "result = [list(net(x).shape), net.share_memory() is net, [name for name, _ in net.named_parameters()]]",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.nn.LSTM torch.nn.GRU",
        "nets = [LSTM(2, 3, 2, bidirectional=True), GRU(2, 3, bias=False)]\n"
        "result = [[[list(one.shape) for one in layer] for layer in net.all_weights] for net in nets]",
    ),
    script(
        "torch.nn.EmbeddingBag",
        "net = EmbeddingBag.from_pretrained(x, mode='sum')\n"
        "result = [net(y), net.weight.requires_grad, EmbeddingBag.from_pretrained(x, freeze=False).weight.requires_grad]",
        inputs={"x": MATRIX, "y": "integers((2, 3), 3)"},
    ),
    script(
        "torch.testing.assert_close torch.testing.assert_allclose",
        """
def holds(function, *args, **options):
    try:
        function(*args, **options)
        return True
    except AssertionError:
        return False

result = [holds(assert_close, x, x + 1e-7), holds(assert_close, x, x + 1e-3), holds(assert_close, x, x + 1e-3, rtol=0, atol=1e-2),
          holds(assert_close, [x, 1.0], [x, 1.0]), holds(assert_close, {"a": x}, {"a": x * 2}), holds(assert_close, x, x[:2]),
          holds(assert_close, x, tensor(np.float64(1)) * x), holds(assert_allclose, x, x), holds(assert_allclose, x, x + 1),
          holds(assert_close, tensor(np.array([1, 2])), tensor(np.array([1, 3])))]
""",
        inputs={"x": MATRIX},
    ),
    script(
        "torch.distributions.utils.lazy_property torch.distributions.utils.clamp_probs",
        """
class Counted:
    count = 0

    @lazy_property
    def value(self):
        self.count += 1
        return 3

one = Counted()
result = [one.value, one.value, one.count, clamp_probs(x)]
""",
        inputs={"x": "np.array([0, 0.5, 1], np.float32)"},
    ),
    script(
        "torch.nn.modules.pooling._MaxPoolNd torch.nn.modules.pooling._AvgPoolNd torch.nn.modules.pooling._AdaptiveAvgPoolNd"
        " torch.nn.modules.pooling._AdaptiveMaxPoolNd torch.nn.modules.conv._ConvNd torch.nn.MaxPool2d torch.nn.AvgPool1d"
        " torch.nn.AdaptiveAvgPool2d torch.nn.AdaptiveMaxPool1d torch.nn.Conv2d torch.nn.Linear",
        "made = [MaxPool2d(2), AvgPool1d(2), AdaptiveAvgPool2d(2), AdaptiveMaxPool1d(2), Conv2d(1, 1, 1), Linear(1, 1)]\n"
        "kinds = [_MaxPoolNd, _AvgPoolNd, _AdaptiveAvgPoolNd, _AdaptiveMaxPoolNd, _ConvNd]\n"
        "result = [[isinstance(one, kind) for kind in kinds] for one in made]",
    ),
    script(
        "torch.nn.utils.stateless.functional_call torch.nn.Linear",
        "net = Linear(4, 2)\nresult = functional_call(net, {'weight': y, 'bias': y[:, 0]}, x)",
        inputs={"x": MATRIX, "y": "normal(2, 4)"},
    ),
    script(
        "torch.multiprocessing.spawn torch.multiprocessing.get_context torch.multiprocessing.cpu_count"
        " torch.multiprocessing.get_start_method torch.multiprocessing.set_start_method torch.multiprocessing.Process"
        " torch.multiprocessing.Queue torch.multiprocessing.Pool torch.multiprocessing.Manager torch.multiprocessing.Lock",
        "set_start_method('fork', force=True)\nresult = [callable(spawn), cpu_count() > 0, get_start_method(), callable(get_context('spawn').Process),\n"
        "          all(callable(one) for one in (Process, Queue, Pool, Manager, Lock))]",
    ),
]
CASES += [
    script(
        "torch.nn.BatchNorm2d torch.nn.Linear torch.optim.SGD torch.Tensor.add_",
        """
import copy

net, norm = Linear(4, 2), BatchNorm2d(2)
set_values(net.weight, y)
kept, buffers, single = copy.deepcopy(net.state_dict()), copy.deepcopy(norm.state_dict()), copy.deepcopy(x)
optimizer = SGD(net.parameters(), lr=1.0, momentum=0.9)
for _ in range(2):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
norm(z)
add_(x, 1)
result = [kept["weight"], buffers["running_mean"], single, x]
net.load_state_dict(kept)
result += [net.weight]
""",
        inputs={"x": MATRIX, "y": "normal(2, 4)", "z": "normal(2, 2, 3, 3)"},
    ),
]
CASES.append(
    script(
        "torch.enable_grad torch.zeros",
        """
class Of:
    def __init__(self, value):
        self.value = value
    def __radd__(self, other):
        return other + self.value * 2
    def __rmatmul__(self, other):
        return other * self.value
z = zeros(3)
z += Of(x)
result = [x + Of(x), x @ Of(x), z, 1 + Of(x), x + 1, x * np.float32(2)]
""",
        inputs={"x": "normal(3)"},
    )
)
CASES.append(
    script(
        "torch.zeros",
        """
class Near:
    def __init__(self, value):
        self.value = value
    def __eq__(self, other):
        return bool(abs(other - self.value).max() < 0.1)
    def __ne__(self, other):
        return not self == other
    def __gt__(self, other):
        return 'more'
near, far = Near(x + 0.01), Near(x + 1)
result = [x == near, x != near, x == far, x != far, x < near, near == x, (x == x).all(), x[0] == x[0]]
result += [zeros(2) == None, zeros(2) == 'text']
""",
        inputs={"x": "normal(3)"},
    )
)
BYTES = "integers((2, 3, 13, 17), 256).astype(np.uint8)"
CASES += [
    function("torch.nn.functional.interpolate", f"x, {given}, mode={mode!r}{more}", BYTES, gradients=False)
    for given in ("(26, 34)", "(7, 9)", "(20, 11)", "scale_factor=1.5")
    for mode in ("bilinear", "bicubic")
    for more in ("", ", align_corners=True", ", antialias=True")
]
HALVES = """
result = [rms_norm(x, (6,)), rms_norm(x, (6,), y), RMSNorm(6, dtype=float16)(x), vector_norm(x), vector_norm(x, 3, 1)]
result += [norm(x), norm(x, 2, 1, True), vector_norm(x, 1), vector_norm(x, float("inf"), 1)]
result += [fft(m), rfft(m.bool()), ifft(m, dim=0), fftn(m), rfft2(m), irfftn(m.bool()), hfft(m), abs(ihfft(m))]
result += [logsumexp(m, 1), logsumexp(m.bool(), 0)]
"""
CASES.append(
    script(
        "torch.nn.RMSNorm torch.nn.functional.rms_norm torch.linalg.vector_norm torch.norm torch.fft.fft torch.fft.ifft "
        "torch.fft.fftn torch.fft.rfft torch.fft.rfft2 torch.fft.irfftn torch.fft.hfft torch.fft.ihfft "
        "torch.logsumexp",
        HALVES,
        inputs={
            "x": "(normal(4, 6) * 300).astype(np.float16)",
            "y": "normal(6).astype(np.float16)",
            "m": "integers((4, 6), 200).astype(np.uint8)",
        },
        tolerance=2e-3,
    )
)
COMPLEX_NUMBERS = """
def made(x):
    return view_as_complex(x)
a, b, c = made(x), made(y), made(y[:3])
result = [var(a), std(a, 1), var(a, 0, False), svdvals(a), lstsq(a, b).solution, lstsq(a[:3], c).solution]
q, r = qr(a.swapaxes(0, 1))
result += [abs(q), abs(r), q @ r]
"""
CASES.append(
    script(
        "torch.view_as_complex torch.var torch.std torch.linalg.svdvals torch.linalg.qr torch.linalg.lstsq",
        COMPLEX_NUMBERS,
        inputs={"x": "normal(5, 4, 2)", "y": "normal(5, 2, 2)"},
        tolerance=1e-4,
    )
)
CASES.append(
    script(
        "torch.tensor",
        "n = tensor(2)\nresult = ['s' * (n > 1), [1] * n, n * 'ab', n * [3], (0, 1) * n, 2 * n, [1] * 2 + [n * 3]]",
    )
)
CASES.append(
    script(
        "torch.hub.tqdm",
        "result = list(tqdm([1, 2], desc='a', disable=True))\nwith tqdm(total=3, disable=True) as bar:\n"
        "    bar.update(2)\n    bar.set_description('b')\nresult.append(bar.total)",
    )
)
