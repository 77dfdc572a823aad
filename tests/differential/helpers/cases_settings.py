"""What programs set and ask, and what they do with layers."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []


def scripts(apis: str, *sources: str, **options: object) -> None:
    """Scripts with these APIs."""
    full = " ".join(f"torch.{api}" for api in apis.split())
    CASES.extend(script(full, source, **options) for source in sources)  # type: ignore[arg-type]


scripts(
    "autograd.set_detect_anomaly autograd.detect_anomaly",
    "with detect_anomaly():\n    a = 1\nwith set_detect_anomaly(True):\n    b = 2\n"
    "set_detect_anomaly(False)\nresult = [a, b]",
)
scripts(
    "set_printoptions",
    "result = [set_printoptions(precision=3), set_printoptions(profile='full'), set_printoptions(4, sci_mode=False)]\n"
    "set_printoptions(profile='default')\nresult += [str(np.array([1.23456789, 1e-7])), np.get_printoptions()['precision']]",
)
scripts(
    "tensor set_printoptions",
    "set_printoptions(precision=2, sci_mode=False)\nresult = ['1.23' in str(tensor([1.23456])), '234' in str(tensor([1.23456]))]\n"
    "set_printoptions(precision=4)\nresult += ['1.2346' in f'{tensor([1.23456])}', str(np.array([1.23456789]))]\n"
    "set_printoptions(profile='default')",
)
scripts(
    "tensor nn.attention.SDPBackend nn.attention.sdpa_kernel",
    """result = [str(SDPBackend.MATH), repr(SDPBackend.MATH), SDPBackend.FLASH_ATTENTION.name, int(SDPBackend.ERROR)]
result += [sorted(SDPBackend.__members__), SDPBackend.MATH == SDPBackend.MATH, SDPBackend(3).name, len({*[SDPBackend.MATH] * 2})]
result += [SDPBackend.MATH != SDPBackend.CUDNN_ATTENTION, SDPBackend.OVERRIDEABLE in [SDPBackend.MATH]]
for chosen in (SDPBackend.MATH, [SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]):
    with sdpa_kernel(chosen, set_priority=True):
        result += [tensor(1.0) + 1]
@sdpa_kernel(SDPBackend.MATH)
def doubled(value):
    return value * 2
result += [doubled(3)]
try:
    sdpa_kernel(3).__enter__()
except AssertionError:
    result += ["refused"]
""",
)
scripts("backends.cuda.sdp_kernel", "with sdp_kernel(enable_flash=False):\n    a = 1\nresult = [a]")
scripts(
    "set_default_device get_default_device",
    "set_default_device('cpu')\nresult = get_default_device().type\nset_default_device(None)",
)
scripts(
    "use_deterministic_algorithms are_deterministic_algorithms_enabled set_deterministic_debug_mode",
    "use_deterministic_algorithms(True, warn_only=True)\nresult = [are_deterministic_algorithms_enabled()]\n"
    "use_deterministic_algorithms(False)\nresult += [are_deterministic_algorithms_enabled()]\n"
    "set_deterministic_debug_mode('warn')\nresult += [are_deterministic_algorithms_enabled()]\n"
    "set_deterministic_debug_mode(0)",
)
scripts(
    "set_float32_matmul_precision get_float32_matmul_precision",
    "before = get_float32_matmul_precision()\nset_float32_matmul_precision('high')\n"
    "result = [before, get_float32_matmul_precision()]\nset_float32_matmul_precision('highest')",
)
scripts(
    "set_warn_always is_warn_always_enabled",
    "set_warn_always(True)\nresult = [is_warn_always_enabled()]\nset_warn_always(False)\n"
    "result += [is_warn_always_enabled()]",
)
scripts(
    "set_default_tensor_type FloatTensor",
    "set_default_tensor_type('torch.FloatTensor')\nset_default_tensor_type(FloatTensor)\nresult = 1",
)
DOUBLE = """
def told(value):
    return [str(value.dtype).lower().split(".")[-1], value]
set_default_dtype(float64)
manual_seed(3)
try:
"""
for apis, source in (
    (
        "zeros ones empty full eye arange linspace logspace tensor scalar_tensor hann_window get_default_dtype",
        "[zeros(2), ones(2), empty(2) * 0, full((2,), 0.1), full((2,), 3), eye(2), arange(3), arange(0, 1, 0.25),"
        " linspace(0, 1, 3), logspace(0, 1, 3), tensor(0.1), tensor([1, 2]), tensor(np.ones(2, 'f')),"
        " scalar_tensor(0.1), hann_window(4), tensor(1 / 3, dtype=get_default_dtype())]",
    ),
    (
        "zeros rand randn normal nn.init.uniform_ nn.init.normal_ nn.init.trunc_normal_ nn.init.xavier_uniform_",
        "[rand(5), rand(20), randn(5), randn(16), randn(37), normal(0.5, 2.0, (4, 5)), uniform_(zeros(7), -1.0, 2.0),"
        " normal_(zeros(33), 1.0, 0.1), trunc_normal_(zeros(40)), xavier_uniform_(zeros(4, 5)),"
        " rand(3, dtype=float32), zeros(2, dtype=float32)]",
    ),
    (
        "ones rand tensor nn.Linear nn.Conv2d nn.BatchNorm1d nn.LayerNorm nn.Embedding nn.GRU nn.functional.cross_entropy",
        "[*Linear(3, 2).parameters(), *Conv2d(2, 3, 2).parameters(), BatchNorm1d(3)(ones(2, 3)), LayerNorm(3)(rand(2, 3)),"
        " Embedding(4, 2).weight, GRU(2, 3)(rand(4, 1, 2))[0], cross_entropy(rand(3, 2), tensor([0, 1, 1]))]",
    ),
):
    scripts(
        f"set_default_dtype manual_seed {apis}",
        f"{DOUBLE}    result = [told(value) for value in {source}]\nfinally:\n    set_default_dtype(float32)",
        tolerance=1e-12 if "zeros " in apis else 1e-6,
        gradients=False,
    )
scripts(
    "set_default_tensor_type zeros DoubleTensor",
    "set_default_tensor_type(DoubleTensor)\nresult = [str(zeros(1).dtype).lower().split('.')[-1]]\n"
    "set_default_tensor_type('torch.FloatTensor')\nresult += [str(zeros(1).dtype).lower().split('.')[-1]]",
)
for name in ("is_inference_mode_enabled", "is_anomaly_enabled"):
    scripts(name, f"result = {name}()")
scripts(
    "jit.trace nn.Linear",
    "net = Linear(4, 2)\nresult = list(trace(net, x)(x).shape)",
    inputs={"x": "normal(3, 4)"},
)
scripts(
    "nn.utils.skip_init nn.Linear",
    "net = skip_init(Linear, 4, out_features=2)\nresult = [isinstance(net, Linear), list(net.weight.shape)]",
)
FUSED = """
net, norm = {layer}, {norm}(4)
set_values(net.weight, x)
set_values(net.bias, y)
set_values(norm.weight, y * 2)
set_values(norm.bias, y + 1)
norm.running_mean.copy_(y) if hasattr(norm.running_mean, "copy_") else None
"""
for fuse, layer, norm, shape in (
    ("fuse_conv_bn", "Conv1d(3, 4, 2)", "BatchNorm1d", "normal(4, 3, 2)"),
    ("fuse_linear_bn", "Linear(3, 4)", "BatchNorm1d", "normal(4, 3)"),
):
    kind = layer.partition("(")[0]
    source = FUSED.format(layer=layer, norm=norm)
    scripts(
        f"nn.utils.{fuse}_eval nn.{kind} nn.BatchNorm1d nn.utils.{fuse}_weights",
        f"{source}net.eval()\nnorm.eval()\nmade = {fuse}_eval(net, norm)\nresult = [made.weight, made.bias]\n"
        f"result += {fuse}_weights(net.weight, net.bias, norm.running_mean, norm.running_var, norm.eps, norm.weight, "
        "norm.bias)",
        inputs={"x": shape, "y": "normal(4)"},
    )
scripts(
    "nn.modules.utils.consume_prefix_in_state_dict_if_present",
    "result = {'module.a': 1, 'b': 2}\nconsume_prefix_in_state_dict_if_present(result, 'module.')\n"
    "result = sorted(result.items())",
)
scripts("nn.modules.module._addindent", "result = _addindent('one\\ntwo\\nthree', 4)")
CASES.append(function("torch.nn.utils.rnn.invert_permutation", "x", "np.array([2, 0, 1])", gradients=False))
scripts(
    "nn.utils.rnn.unpad_sequence nn.utils.rnn.unpack_sequence nn.utils.rnn.pack_sequence",
    "result = unpad_sequence(x, tensor([2, 3]), batch_first=True) + unpad_sequence(x * 1, tensor([1, 2, 2]))\n"
    "result += unpack_sequence(pack_sequence([x[0], x[1, :2]]))",
    inputs={"x": "normal(2, 3, 4)"},
)
for made in ("x", "x, 1, 1", "x, pow=2, dim=-1"):
    CASES.append(function("torch.norm_except_dim", made, "normal(3, 4)"))
CASES.append(
    script(
        "torch.Tensor.detach_",
        "y = x * 2\nz = detach_(y)\nresult = [y, z, y is z, *gradients(lambda x: x * detach_(x * 3), x)]",
        inputs={"x": "normal(3)"},
    )
)
for layer, shape in (
    ("LazyLinear(3)", "normal(2, 4)"),
    ("LazyConv1d(3, 2, padding=1)", "normal(2, 4, 5)"),
    ("LazyConv2d(3, 2)", "normal(2, 4, 5, 5)"),
    ("LazyConv3d(3, 2)", "normal(2, 4, 3, 3, 3)"),
    ("LazyConvTranspose1d(3, 2)", "normal(2, 4, 5)"),
    ("LazyConvTranspose2d(3, 2)", "normal(2, 4, 5, 5)"),
    ("LazyConvTranspose3d(3, 2)", "normal(2, 4, 2, 2, 2)"),
    ("LazyBatchNorm1d()", "normal(2, 4, 5)"),
    ("LazyBatchNorm2d()", "normal(2, 4, 5, 5)"),
    ("LazyBatchNorm3d()", "normal(2, 4, 2, 2, 2)"),
    ("LazyInstanceNorm1d()", "normal(2, 4, 5)"),
    ("LazyInstanceNorm2d(affine=True)", "normal(2, 4, 5, 5)"),
    ("LazyInstanceNorm3d()", "normal(2, 4, 2, 2, 2)"),
):
    kind = layer.partition("(")[0]
    becomes = kind.removeprefix("Lazy")
    scripts(
        f"nn.{kind} nn.{becomes} manual_seed nn.Sequential",
        f"manual_seed(3)\nnet = {layer}\nouter = Sequential(net)\nfirst = outer(x)\n"
        "names = [name for name, _ in outer.named_parameters()]\n"
        f"result = [first, outer(x), names, isinstance(net, {becomes}), net.training]",
        inputs={"x": shape},
    )
FROM_URL = """
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
save({"weight": x}, str(folder / "a.pth"))
url = (folder / "a.pth").as_uri()
result = [load_state_dict_from_url(url, model_dir=str(folder / "cache"), progress=False), (folder / "cache/a.pth").exists()]
"""
scripts(
    "save hub.load_state_dict_from_url hub.download_url_to_file",
    FROM_URL + 'download_url_to_file(url, str(folder / "b.pth"), progress=False)\n'
    'result += [(folder / "b.pth").read_bytes() == (folder / "a.pth").read_bytes()]',
    inputs={"x": "normal(3)"},
)
CASES.append(
    script(
        "torch.save torchvision.models.utils.load_state_dict_from_url", FROM_URL, inputs={"x": "normal(3)"}
    )
)
