"""Layers: linear, convolution, normalization, activation, dropout, embedding, padding."""

from __future__ import annotations

from case import Case, function, layer, script

CASES: list[Case] = []


def layers(api: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    for row in rows:
        made, x, *more = row
        CASES.append(layer(api, made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


def functions(api: str, *rows: tuple[str, str] | tuple[str, str, dict[str, object]]) -> None:
    for row in rows:
        made, x, *more = row
        CASES.append(function(api, made, x, **(more[0] if more else {})))  # type: ignore[arg-type]


IMAGE = "normal(2, 4, 7, 9)"
layers(
    "torch.nn.modules.linear.NonDynamicallyQuantizableLinear",
    ("3, 2", "normal(4, 3)"),
    ("3, 2, False", "normal(3)"),
)
layers("torch.nn.Identity", ("", IMAGE), ("54, unused=1", IMAGE))
layers(
    "torch.nn.Linear",
    ("4, 3", "normal(2, 4)"),
    ("4, 3", "normal(4)"),
    ("4, out_features=3, bias=False", "normal(2, 5, 4)"),
    ("in_features=4, out_features=3, device='cpu'", "normal(2, 1, 5, 4)"),
    ("4, 3, dtype=float64", "normal(2, 4).astype('float64')"),
    ("4, 3, device=None, dtype=float32", "normal(0, 4)", {"gradients": False}),
)
functions(
    "torch.nn.functional.linear",
    ("x, w", "normal(2, 5, 4)", {"inputs": {"w": "normal(3, 4)"}}),
    ("x, w, b", "normal(4)", {"inputs": {"w": "normal(3, 4)", "b": "normal(3)"}}),
    ("x, w", "normal(2, 4)", {"inputs": {"w": "normal(4)"}}),
    ("x, weight=w, bias=None", "normal(2, 4)", {"inputs": {"w": "normal(1, 4)"}}),
)
BILINEAR = {"inputs": {"y": "normal(2, 5, 3)"}, "called": "x, y"}
layers(
    "torch.nn.Bilinear",
    ("4, 3, 2", "normal(2, 5, 4)", BILINEAR),
    ("4, 3, 2, bias=False", "normal(2, 5, 4)", BILINEAR),
    ("4, 3, 1", "normal(2, 5, 4)", BILINEAR),
)
functions(
    "torch.nn.functional.bilinear",
    ("x, y, w", "normal(2, 4)", {"inputs": {"y": "normal(2, 3)", "w": "normal(5, 4, 3)"}}),
)

LINES = "normal(2, 4, 11)"
VOLUME = "normal(2, 4, 5, 6, 7)"
for spatial, x, alone in (
    (1, LINES, "normal(4, 11)"),
    (2, IMAGE, "normal(4, 7, 9)"),
    (3, VOLUME, "normal(4, 5, 6, 7)"),
):
    steps = str(tuple(range(1, spatial + 1)))
    layers(
        f"torch.nn.Conv{spatial}d",
        ("4, 6, 3", x),
        ("4, 6, 3", alone),
        ("4, 6, 3, 2, 1, 1, 2, False", x),
        ("4, 6, kernel_size=3, padding='same'", x),
        ("4, 6, 2, padding='same'", x),
        ("4, 6, 4, padding='same', dilation=2", "normal(1, 4" + ", 8" * spatial + ")"),
        ("4, 6, 3, padding='valid', bias=True, dtype=float32", x),
        (f"4, 6, 3, stride={steps}, padding={steps}, dilation=1", x),
        ("4, 4, 3, padding=2, dilation=2, groups=4", x),
        ("4, 6, 3, padding=1, padding_mode='reflect'", x),
        ("4, 6, 3, padding=1, padding_mode='replicate'", x),
        ("4, 6, 3, padding='same', padding_mode='circular'", x),
        ("4, 6, 1, device='cpu'", x),
    )
    layers(
        f"torch.nn.ConvTranspose{spatial}d",
        ("4, 6, 3", x),
        ("4, 6, 3", alone),
        ("4, 6, 3, 2, 1, 1", x),
        ("4, 6, 3, stride=2, padding=1, output_padding=1, groups=2, bias=False, dilation=2", x),
        (f"4, 6, 2, stride={steps}", x),
        ("4, 6, 4, 2, padding=1", x),
        ("4, 4, 3, groups=4", x),
    )
    kernel = ", 3" * spatial
    functions(
        f"torch.nn.functional.conv{spatial}d",
        ("x, w", x, {"inputs": {"w": f"normal(6, 4{kernel})"}}),
        ("x, w, b, padding='same'", x, {"inputs": {"w": f"normal(6, 4{kernel})", "b": "normal(6)"}}),
        ("x, w, b, 2, 1, 1, 2", x, {"inputs": {"w": f"normal(6, 2{kernel})", "b": "normal(6)"}}),
        ("x, w, None, padding='valid'", alone, {"inputs": {"w": f"normal(6, 4{kernel})"}}),
        (
            "x, w, stride=[2], padding=(1,)" if spatial == 1 else "x, w, stride=2, padding=1",
            x,
            {"inputs": {"w": f"normal(6, 4{kernel})"}},
        ),
    )
    functions(
        "torch.nn.functional.conv_transpose2d" if spatial == 2 else f"torch.conv_transpose{spatial}d",
        ("x, w", x, {"inputs": {"w": f"normal(4, 6{kernel})"}}),
        (
            "x, w, b, stride=2, padding=1, output_padding=1, groups=2",
            x,
            {"inputs": {"w": f"normal(4, 3{kernel})", "b": "normal(6)"}},
        ),
    )
WIDE = "normal(3, 4, 9, 10)"  # so many places that products are made image by image
layers(
    "torch.nn.Conv2d",
    ("4, 6, (3, 2), padding=(1, 0)", WIDE),
    ("4, 6, 3, padding=1, groups=2", WIDE),
    ("4, 6, 1, stride=2", WIDE),
    ("4, 6, 3, dtype=float64", f"{WIDE}.astype('float64')"),
)
layers(
    "torch.nn.ConvTranspose2d",
    ("4, 6, 3, stride=2, padding=1", IMAGE, {"called": "x, output_size=(2, 6, 14, 18)"}),
    ("4, 6, 1", WIDE),
    ("4, 6, (3, 2), stride=(1, 2), groups=2", WIDE),
)

for spatial, x in ((1, LINES), (2, IMAGE), (3, VOLUME)):
    layers(
        f"torch.nn.BatchNorm{spatial}d",
        ("4", x),
        ("4, 1e-3, 0.3", x),
        ("4, affine=False", x),
        ("4, track_running_stats=False", x),
        ("4, momentum=None", x),
        ("4, 1, momentum=1", x),
        ("4, 983, 2", x),
        ("num_features=4, eps=1e-5, momentum=0.01, device='cpu', dtype=float32", x),
    )
    layers(
        f"torch.nn.InstanceNorm{spatial}d",
        ("4", x),
        ("4, affine=True", x),
        ("4, 1e-3, 0.3, True, True", x),
        ("4", "normal(4" + ", 6" * spatial + ")"),
    )
layers(
    "torch.nn.BatchNorm1d",
    ("4", "normal(5, 4)"),
    ("4, affine=False, track_running_stats=False", "normal(5, 4)"),
)
layers(
    "torch.nn.SyncBatchNorm",
    ("4", IMAGE, {"train": False}),
    ("4, 1e-3, 0.2, affine=False", IMAGE, {"train": False}),
)
STATISTICS = {"m": "normal(4)", "v": "uniform(4)"}
CHANGED = {"inputs": STATISTICS, "changed": ("m", "v"), "gradients": False}
for name in ("batch_norm", "instance_norm"):
    own = "training=True" if name == "batch_norm" else "use_input_stats=True"
    stored = "training=False" if name == "batch_norm" else "use_input_stats=False"
    functions(
        f"torch.nn.functional.{name}",
        (f"x, m, v, {stored}", IMAGE, CHANGED),
        (f"x, m, v, {own}, momentum=0.3", IMAGE, CHANGED),
        (f"x, m, v, {stored}, eps=0", LINES, CHANGED),
        (f"x, None, None, {own}", VOLUME),
        (f"x, None, None, w, b, {own}, eps=1e-2", LINES, {"inputs": {"w": "normal(4)", "b": "normal(4)"}}),
    )
layers(
    "torch.nn.LayerNorm",
    ("9", IMAGE),
    ("[7, 9]", IMAGE),
    ("(4, 7, 9), 1e-2", IMAGE),
    ("9, 1", IMAGE),
    ("9, eps=1e-6, elementwise_affine=False", IMAGE),
    ("9, bias=False", IMAGE),
    ("x.shape[1:]", IMAGE),
    ("4, dtype=float64", "normal(2, 4).astype('float64')"),
    ("4, dtype=float16", "normal(2, 4).astype('float16')"),
    ("4", "normal(4)"),
)
functions(
    "torch.nn.functional.layer_norm",
    ("x, (9,)", IMAGE),
    ("x, x.shape[1:], w", IMAGE, {"inputs": {"w": "normal(4, 7, 9)"}}),
    ("x, [9], w, b, 1e-3", IMAGE, {"inputs": {"w": "normal(9)", "b": "normal(9)"}}),
)
layers("torch.nn.RMSNorm", ("9", IMAGE), ("(7, 9), eps=1e-3", IMAGE), ("9, elementwise_affine=False", IMAGE))
functions(
    "torch.nn.functional.rms_norm",
    ("x, (9,)", IMAGE),
    ("x, (9,), w, 1e-2", IMAGE, {"inputs": {"w": "normal(9)"}}),
)
layers(
    "torch.nn.GroupNorm",
    ("2, 4", IMAGE),
    ("4, 4, 1e-2", LINES),
    ("2, 4, 1", LINES),
    ("1, 4, affine=False", VOLUME),
    ("2, num_channels=4", "normal(3, 4)", {"tolerance": 1e-4}),
)
functions(
    "torch.nn.functional.group_norm",
    ("x, 2", IMAGE),
    ("x, 2, w, b, 1e-3", LINES, {"inputs": {"w": "normal(4)", "b": "normal(4)"}}),
)
layers("torch.nn.LocalResponseNorm", ("3", IMAGE), ("2, 1e-2, 0.5, 2.0", LINES))
functions("torch.nn.functional.local_response_norm", ("x, 3, alpha=0.1", IMAGE))
functions(
    "torch.nn.functional.normalize",
    ("x", IMAGE),
    ("x, dim=-1", IMAGE),
    ("x, 1, -1", IMAGE),
    ("x, p=3.0, dim=(1, 2)", IMAGE),
    ("x, dim=0", "normal(5)"),
    ("x", "np.zeros((2, 3), dtype='float32')", {"singular": True}),
)
functions(
    "torch.linalg.vector_norm",
    ("x", IMAGE),
    ("x, 1", IMAGE),
    ("x, dim=(1, -1), keepdim=True", IMAGE),
    ("x, float('inf'), dim=1", IMAGE),
    ("x, -float('inf'), 1", IMAGE),
    ("x, 0", IMAGE),
    ("x, 3.0, -1", IMAGE),
    ("x, keepdim=True", IMAGE),
)

POINTS = "np.concatenate([normal(40) * 4, np.array([-30, -3, -1, -0.5, 0.5, 1, 3, 6, 20, 30], dtype='float32')]).reshape(2, 5, 5)"
ACTIVATIONS = {
    "ReLU": ("", "True", "inplace=False"),
    "ReLU6": ("", "inplace=True"),
    "LeakyReLU": ("", "0.2", "negative_slope=0.3, inplace=True"),
    "ELU": ("", "0.5", "alpha=2.0, inplace=True"),
    "CELU": ("", "0.5", "alpha=2.0"),
    "SELU": ("", "True"),
    "GELU": ("", "approximate='tanh'", "approximate='none'"),
    "SiLU": ("", "True"),
    "Mish": ("", "inplace=True"),
    "Hardtanh": ("", "-2, 3", "min_val=0.0, max_val=6.0, inplace=True"),
    "Hardsigmoid": ("", "True"),
    "Hardswish": ("", "inplace=True"),
    "Hardshrink": ("", "1.0"),
    "Softshrink": ("", "lambd=1.0"),
    "Softplus": ("", "2, 5", "beta=0.5, threshold=10"),
    "Threshold": ("0.1, 20", "threshold=1.0, value=-1.0, inplace=True"),
    "GLU": ("1",),
    "Softmax": ("", "1", "dim=-1"),
    "LogSoftmax": ("", "1", "dim=-1"),
    "Softmin": ("", "dim=1"),
    "Softmax2d": ("",),
    "Sigmoid": ("",),
    "Tanh": ("",),
    "LogSigmoid": ("",),
    "Tanhshrink": ("",),
    "Softsign": ("",),
}
PLAIN = {"ReLU": "relu", "ReLU6": "relu6", "LeakyReLU": "leaky_relu", "LogSoftmax": "log_softmax"}
for name, forms in ACTIVATIONS.items():
    x = POINTS if name not in ("GLU",) else "normal(2, 6, 4)"
    layers(
        f"torch.nn.{name}",
        *((form, x, {"train": False, "tolerance": 1e-5}) for form in forms),
    )
    if name == "Softmax2d":
        continue
    functions(
        f"torch.nn.functional.{PLAIN.get(name, name.lower())}",
        *(
            (
                f"x, {form.replace('inplace=True', 'inplace=False').replace('True', 'False')}"
                if form
                else "x",
                x,
                {"tolerance": 1e-5},
            )
            for form in forms
        ),
    )
layers("torch.nn.Softmax", ("", IMAGE), ("dim=0", "normal(5)"))
functions(
    "torch.nn.functional.softmax",
    ("x, -1, dtype=float64", IMAGE),
    ("x, dim=1, dtype=float32", "normal(2, 3).astype('float16')"),
)
functions("torch.nn.functional.log_softmax", ("x, -1, dtype=float64", IMAGE))
layers("torch.nn.GELU", ("'tanh'", POINTS))
layers(
    "torch.nn.PReLU", ("", IMAGE), ("4", IMAGE), ("num_parameters=4, init=0.1", "normal(3, 4)"), ("4", LINES)
)
functions(
    "torch.nn.functional.prelu",
    ("x, w", IMAGE, {"inputs": {"w": "uniform(1)"}}),
    ("x, w", LINES, {"inputs": {"w": "uniform(4)"}}),
)
layers("torch.nn.RReLU", ("", POINTS, {"train": False}), ("0.1, 0.3, True", POINTS, {"train": False}))
functions("torch.nn.functional.rrelu", ("x, 0.1, 0.3", POINTS))
CASES.append(
    script(
        "torch.manual_seed torch.rand torch.nn.RReLU torch.nn.functional.rrelu",
        "manual_seed(3)\n"
        "result = [rrelu(x, 0.1, 0.3, training=True), RReLU()(x[:, 1:]), rrelu(x.sum(1), training=True), rand(2)]",
        inputs={"x": "normal(4, 5, 3)"},
    )
)
ONES = "np.ones((100, 20, 20), dtype='float32')"
for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"):
    layer_name = {"alpha_dropout": "AlphaDropout", "feature_alpha_dropout": "FeatureAlphaDropout"}.get(
        name, name.title()
    )
    layer_name = layer_name.replace("D", "D") if layer_name[-1] != "D" else layer_name[:-1] + "d"
    x = {"dropout1d": "np.ones((200, 50, 3), dtype='float32')", "dropout": ONES, "alpha_dropout": ONES}.get(
        name,
        "np.ones((200, 50, 2, 2), dtype='float32')"
        if name != "dropout3d"
        else "np.ones((200, 50, 2, 2, 2), dtype='float32')",
    )
    drawn = {
        "random": "result.mean(); result.std(); result.max(); result.min()",
        "tolerance": 4e-2,
        "gradients": False,
    }
    last = "result.reshape(200, 50, -1).std(-1).max()"
    layers(
        f"torch.nn.{layer_name}",
        ("", x, {"train": False}),
        ("0.3, True", x, {"train": False}),
        ("p=0.0", x),
        ("1.0", x, {"gradients": False} if "alpha" in name else {}),
    )
    functions(
        f"torch.nn.functional.{name}",
        (
            "x, 0.3, True",
            x,
            drawn
            if "feature" not in name and "d" not in name[-1]
            else {**drawn, "random": drawn["random"] + "; " + last},
        ),
        ("x, training=False", x),
        ("x, p=1.0, training=True", x, {"gradients": False} if "alpha" in name else {}),
    )
IDS = "integers((2, 5), 6)"
layers(
    "torch.nn.Embedding",
    ("6, 3", IDS),
    ("6, 3, 0", IDS),
    ("6, 3, padding_idx=-1", IDS),
    ("num_embeddings=6, embedding_dim=3, device='cpu', dtype=float32", IDS),
    ("6, 3", "integers((), 6)"),
    ("6, 3, max_norm=0.5", IDS, {"gradients": False}),
    ("6, 3", "integers((2, 5), 6).astype('int32')"),
)
functions(
    "torch.nn.functional.embedding",
    ("x, w", IDS, {"inputs": {"w": "normal(6, 3)"}}),
    ("x, w, padding_idx=2", IDS, {"inputs": {"w": "normal(6, 3)"}}),
    ("x, w, None, 0.7", IDS, {"inputs": {"w": "normal(6, 3)"}, "changed": ("w",), "gradients": False}),
)
OFFSETS = {"inputs": {"o": "np.array([0, 2, 2, 5])"}, "called": "x, o", "gradients": False}
for mode in ("sum", "mean", "max"):
    layers(
        "torch.nn.EmbeddingBag",
        (f"6, 3, mode='{mode}'", IDS),
        (f"6, 3, mode='{mode}'", "integers((7,), 6)", OFFSETS),
        (f"6, 3, mode='{mode}', padding_idx=2", IDS),
    )
functions(
    "torch.nn.functional.embedding_bag",
    (
        "x, w, o, mode='sum', per_sample_weights=s",
        "integers((7,), 6)",
        {"inputs": {"w": "normal(6, 3)", "o": "np.array([0, 3])", "s": "normal(7)"}},
    ),
)
functions("torch.nn.functional.one_hot", ("x", IDS), ("x, 9", IDS), ("x, num_classes=6", "integers((), 6)"))

PADDED = "normal(2, 3, 4, 5, 6)"
functions(
    "torch.nn.functional.pad",
    ("x, (1, 1)", PADDED),
    ("x, (1, 2, 3, 0), 'constant', 2.5", PADDED),
    ("x, [0, 1, -1, 2, 1, 0, 0, 1]", PADDED),
    ("x, (-1, -2)", PADDED),
    ("x, (tensor(1), tensor(-2))", PADDED),
    ("x, (0, 0)", PADDED),
    ("x, (1, 0), value=1", "integers((3, 4), 9)"),
    ("x, (1, 1), value=True", "integers((3, 4), 2).astype(bool)"),
    ("x, (2, 1)", "normal(5)"),
    ("x, pad=(1, 2), mode='reflect'", "normal(2, 3, 4)"),
    ("x, (1, 2, 3, 0), 'reflect'", "normal(2, 3, 4, 5)"),
    ("x, (1, 2, 3, 0, 1, 1), 'reflect'", PADDED),
    ("x, (1, 2, 3, 0), mode='replicate'", "normal(2, 3, 4, 5)"),
    ("x, (7, 2, 3, 0, 1, 1), mode='replicate'", PADDED),
    ("x, (1, 2, 3, 0), mode='circular'", "normal(2, 3, 4, 5)"),
    ("x, (1, 2), mode='circular'", "normal(3, 4)"),
    ("x, (1, 2, 3, 0, 1, 1), mode='circular'", PADDED),
)
for spatial in (1, 2, 3):
    x = "normal(2, 3" + ", 6" * spatial + ")"
    each = str(tuple(range(2 * spatial)))
    few = str((1, 2) * spatial)
    layers(f"torch.nn.ConstantPad{spatial}d", ("1, 3.5", x), (f"padding={each}, value=0", x))
    for kind in ("Zero", "Reflection", "Replication", "Circular"):
        layers(f"torch.nn.{kind}Pad{spatial}d", ("2", x), (few, x))

CASES.append(
    script(
        "torch.nn.functional.softmax",
        """
one = gradients(lambda x: softmax(x[:, :, :, :1], -1) ** 2, x)
result = [one, gradients(lambda x: softmax(x, -1) ** 2, x), softmax(tensor(np.float32(3)), 0)]
""",
        inputs={"x": "normal(2, 4, 4, 4)"},
    )
)
CASES.append(
    script(
        "torch.nn.functional.conv3d",
        "result = conv3d(x, w).view(2, -1)",
        inputs={"x": "normal(2, 3, 4, 5, 5)", "w": "normal(4, 3, 2, 2, 2)"},
    )
)
# what a layer keeps of a sequence of one number
CASES.append(
    script(
        "torch.nn.Conv2d torch.nn.ConvTranspose2d torch.nn.Conv1d torch.tensor",
        """first = Conv2d(4, 2, 3, stride=[2], padding=[1])
second = ConvTranspose2d(4, 2, 3, stride=[2], dilation=(1,))
result = []
for layer in (first, second, Conv1d(4, 2, 1, stride=[3])):
    result += [tensor(list(layer.stride)), tensor(list(layer.padding)), tensor(list(layer.dilation))]
result += [tensor(first(x).shape), tensor(second(x).shape), tensor([isinstance(first.stride, tuple)])]""",
        inputs={"x": "normal(2, 4, 7, 9)"},
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.nn.GRU torch.nn.LSTM torch.nn.init.constant_",
        """
result = []
for net in (GRU(2, 3, 2, bidirectional=True), LSTM(2, 3, bias=False, proj_size=2)):
    for name in net._flat_weights_names:
        if 'weight' in name:
            constant_(net._parameters[name], 0.25)
    kept = net._flat_weights
    result += [net._flat_weights_names, net._all_weights, len(kept), [tuple(one.shape) for one in kept]]
    result += [kept[0] * 1, [len(one) for one in net.all_weights]]
""",
        gradients=False,
    )
)
