"""What earlier versions of PyTorch had."""

from __future__ import annotations

from case import Case, function, layer, script

SQUARE = "normal(4, 4)"
POSITIVE = "(normal(4, 4) @ normal(4, 4).T / 4 + np.eye(4)).astype(np.float32)"
CASES: list[Case] = []
FAMILIES = {
    "resnet": "resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext101_32x8d wide_resnet50_2 "
    "wide_resnet101_2",
    "vgg": "vgg11 vgg13 vgg16 vgg19 vgg11_bn vgg13_bn vgg16_bn vgg19_bn",
    "densenet": "densenet121 densenet169 densenet201 densenet161",
    "alexnet": "alexnet",
    "squeezenet": "squeezenet1_0 squeezenet1_1",
    "mobilenet": "mobilenet_v2",
    "inception": "inception_v3",
    "googlenet": "googlenet",
}
"""By module of torchvision, the networks of which its `model_urls` had the addresses of weights."""

for api in ("torch.symeig", "torch.Tensor.symeig"):
    CASES += [
        function(api, "x + x.t()", SQUARE, gradients=False),
        script(api, "e, v = symeig(x + x.t(), True)\nresult = [e, abs(v)]", inputs={"x": SQUARE}),
        script(
            api,
            "found = symeig(x, eigenvectors=True, upper=False)\nresult = [found[0], abs(found[1])]",
            inputs={"x": SQUARE},
        ),
    ]
for api in ("torch.eig", "torch.Tensor.eig"):
    CASES += [
        script(
            api,
            "values, vectors = eig(x, eigenvectors=True)\nresult = [values, x @ vectors, eig(y)[0]]",
            inputs={"x": "np.array([[0, -1, 0], [1, 0, 0], [0, 0, 2]], np.float32)", "y": SQUARE},
        )
    ]
for api in ("torch.solve", "torch.Tensor.solve", "torch.gesv"):
    name = api.rpartition(".")[2]
    source = f"solution, factors = {name}(y, x)\nresult = [solution, factors]\n"
    source += f"result += gradients(lambda x, y: {name}(y, x)[0].sum(), x, y)"
    CASES.append(script(api, source, inputs={"x": POSITIVE, "y": "normal(4, 2)"}))
for api in ("torch.lstsq", "torch.Tensor.lstsq", "torch.gels"):
    name = api.rpartition(".")[2]
    CASES += [
        script(
            api,
            f"solution, factors = {name}(y, x)\nresult = [solution[:3], (solution[3:] ** 2).sum(0), factors]",
            inputs={"x": "normal(5, 3)", "y": "normal(5, 2)"},
        ),
        script(api, f"result = {name}(y, x)[0]", inputs={"x": "normal(3, 5)", "y": "normal(3, 2)"}),
    ]
CASES += [
    function("torch.matrix_rank", "x", "np.ones((3, 4)) + np.eye(3, 4)", gradients=False),
    function("torch.matrix_rank", "x, 0.5, True", POSITIVE, gradients=False),
    function("torch.potrf", "x", POSITIVE, gradients=False),
    function("torch.potrf", "x, upper=False", POSITIVE, gradients=False),
    script(
        "torch.potrf torch.potrs torch.potri",
        "u = potrf(x)\nresult = [potrs(y, u), potri(u), potrs(y, u.t(), False), potri(u.t(), upper=False)]",
        inputs={"x": POSITIVE, "y": "normal(4, 2)"},
        tolerance=1e-4,
    ),
    script(
        "torch.btrifact torch.btrisolve torch.btriunpack",
        "found = btrifact(x)\nresult = [*found, btrisolve(y, *found), *btriunpack(*found)]",
        inputs={"x": "normal(2, 3, 3) + 3 * np.eye(3, dtype=np.float32)", "y": "normal(2, 3)"},
        tolerance=1e-4,
    ),
    *[
        script(
            "torch.trtrs",
            f"result = [*trtrs(y, x{more})] + gradients(lambda x, y: (trtrs(y, x{more})[0] ** 2).sum(), x, y)",
            inputs={"x": POSITIVE, "y": "normal(4, 2)"},
            tolerance=1e-4,
        )
        for more in ("", ", False, True")
    ],
]
for given in ("1", "2, True", "2, onesided=False", "1, True, False"):
    CASES.append(
        script(
            "torch.rfft",
            f"result = [rfft(x, {given})] + gradients(lambda x: (rfft(x, {given}) ** 2).sum(), x)",
            inputs={"x": "normal(3, 4, 5)"},
        )
    )
for given in ("1", "2, True", "2, onesided=False", "1, signal_sizes=(5,)", "2, True, True, (4, 7)"):
    CASES.append(function("torch.irfft", f"x, {given}", "normal(3, 4, 4, 2)", gradients="False" in given))
for api in ("torch.fft", "torch.ifft"):
    CASES += [function(api, f"x, {given}", "normal(3, 4, 5, 2)") for given in ("1", "2, True", "3")]
CASES += [
    script(
        "torch.rfft torch.irfft",
        "result = irfft(rfft(x, 2), 2, signal_sizes=x.shape[1:])",
        inputs={"x": "normal(2, 4, 5)"},
    ),
    script(
        "torch.set_deterministic torch.is_deterministic",
        "result = [is_deterministic()]\nset_deterministic(True)\nresult.append(is_deterministic())\n"
        "set_deterministic(False)",
    ),
    script(
        "torch._six.container_abcs torch._six.string_classes torch._six.int_classes torch._six.inf",
        "result = [isinstance({}, container_abcs.Mapping), isinstance([], container_abcs.Mapping)]\n"
        "result += [isinstance('a', string_classes), isinstance(1, string_classes), isinstance(1, int_classes), inf]",
    ),
    script(
        "torch.stft torch.istft torch.view_as_real torch.hann_window",
        "w = hann_window(16)\nspec = view_as_real(stft(x, 16, 4, window=w, return_complex=True))\n"
        "try:\n    result = istft(spec, 16, 4, window=w, length=60)\n"
        "except RuntimeError:  # what PyTorch gave for pairs before 2.0\n    result = x[:, :60]",
        inputs={"x": "normal(2, 64)"},
    ),
    script(
        "torch.autograd.Function",
        """
class Reversed(Function):
    def __init__(self, factor):
        self.factor = factor
    def forward(self, x):
        self.save_for_backward(x)
        return x * x
    def backward(self, gradient):
        (x,) = self.saved_tensors
        return gradient * x * -self.factor

class Today(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x * -0.5

def reversed_of(x):
    try:
        return Reversed(0.5)(x)
    except RuntimeError:  # PyTorch calls no objects of Functions any more
        return Today.apply(x)

result = [reversed_of(x), Today.apply(x)] + gradients(lambda x: (reversed_of(x) * x).sum(), x)
result += gradients(lambda x: (Today.apply(x) * x).sum(), x)
""",
        inputs={"x": "normal(3, 2)"},
    ),
]
CASES += [
    layer("torch.nn.NLLLoss2d", x="normal(2, 3, 4, 5)", called="x, y", inputs={"y": "integers((2, 4, 5), 3)"})
]
CASES += [
    script(f"torchvision.models.{family}.model_urls", "result = sorted(model_urls.items())")
    for family in FAMILIES
]
CASES += [
    script(
        f"torch.manual_seed torchvision.models.resnet.{name}",
        f"manual_seed(1)\nnet = {name}(3, 4, {more})\nresult = [net(x), net.weight, net.bias is None]",
        inputs={"x": "normal(2, 3, 6, 6)"},
    )
    for name, more in (("conv3x3", "2"), ("conv3x3", "1, 1, 2"), ("conv1x1", "2"))
]
FORMER = """
from PIL import Image
image = Image.fromarray(np.arange(180, dtype=np.uint8).reshape(6, 10, 3))
def tried(function, given, today):
    try:
        return function(**given)
    except TypeError:  # PyTorch's parameters have other names now
        return function(**today)
turned = tried(lambda **o: RandomRotation((20, 20), **o), {"resample": 2}, {"interpolation": 2})
moved = {"resample": 2, "fillcolor": 7}, {"interpolation": 2, "fill": 7}
result = [np.asarray(turned(image)), np.asarray(tried(lambda **o: RandomAffine((9, 9), **o), *moved)(image))]
result.append(np.asarray(tried(lambda **o: rotate(image, 30, **o), {"resample": 0}, {"interpolation": 0})))
result.append(np.asarray(tried(lambda **o: affine(image, 5, (1, 2), 1.1, (3, 0), **o), *moved)))
result.append(tried(lambda **o: make_grid(x, normalize=True, **o), {"range": (-1, 1)}, {"value_range": (-1, 1)}))
"""
CASES.append(
    script(
        "torchvision.transforms.RandomRotation torchvision.transforms.RandomAffine torchvision.utils.make_grid "
        "torchvision.transforms.functional.rotate torchvision.transforms.functional.affine",
        FORMER,
        inputs={"x": "normal(4, 3, 5, 5)"},
    )
)
