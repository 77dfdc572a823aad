"""Networks of torchvision.models.video: their parameters by name, what these start with, and what comes out."""

from __future__ import annotations

from case import Case, script

V = "torchvision.models.video."
BUILT = """
manual_seed(1)
network = {built}
names = [(name, tuple(value.shape)) for name, value in network.state_dict().items()]
some = [value.detach() for name, value in network.named_parameters() if value.ndim != 2][:12]
network.eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, {shape})).astype(np.float32))
result = [names, some, network(x)]
"""
CASES: list[Case] = []


def built(apis: str, expression: str, shape: str) -> None:
    names = " ".join(api if api.startswith("torch") else V + api for api in apis.split())
    source = BUILT.format(built=expression, shape=shape)
    large = expression.partition("(")[0].islower()  # a network of full size
    CASES.append(script(f"torch.manual_seed {names}", source, tolerance=1e-4, large=large))


for name in ("r3d_18", "mc3_18", "r2plus1d_18"):
    built(name, f"{name}(num_classes=5)", "4, 32, 32")
built("S3D s3d", "s3d(num_classes=5, dropout=0.1)", "16, 224, 224")
for name in ("swin3d_t", "swin3d_s", "swin3d_b"):
    built(name, f"{name}(num_classes=5)", "5, 60, 64")
built("mvit_v1_b", "mvit_v1_b(num_classes=5)", "16, 224, 224")
built("mvit_v2_s", "mvit_v2_s(num_classes=5)", "16, 224, 224")
built(
    "VideoResNet resnet.BasicBlock resnet.Conv3DSimple resnet.Conv3DNoTemporal resnet.BasicStem",
    "VideoResNet(BasicBlock, [Conv3DSimple, Conv3DNoTemporal] * 2, [1, 1, 1, 1], BasicStem, 5)",
    "3, 24, 30",
)
built(
    "VideoResNet resnet.Bottleneck resnet.Conv2Plus1D resnet.R2Plus1dStem",
    "VideoResNet(Bottleneck, [Conv2Plus1D] * 4, [1, 2, 1, 1], R2Plus1dStem, 5)",
    "3, 24, 30",
)
built(
    "SwinTransformer3d torchvision.models.swin_transformer.PatchMerging swin_transformer.PatchEmbed3d",
    "SwinTransformer3d([2, 4, 4], 8, [2, 2], [2, 4], [2, 3, 3], num_classes=5, downsample_layer=PatchMerging, patch_embed=PatchEmbed3d)",
    "7, 46, 50",
)
MULTISCALE = (
    "MViT((32, 32), 4, [MSBlockConfig(1, 8, 16, {kernel}, [3, 3, 3], {stride}, [1, 2, 2]), "
    "MSBlockConfig(2, 16, 16, [3, 3, 3], [3, 3, 3], [1, 2, 2], [1, 1, 1])], {options}, num_classes=5)"
)
for kernel, stride, options in (
    ("[]", "[]", "False, False, False, False"),
    ("[3, 3, 3]", "[1, 1, 1]", "True, False, True, True"),
    ("[3, 3, 3]", "[1, 2, 2]", "True, True, True, False"),
):
    made = MULTISCALE.format(kernel=kernel, stride=stride, options=options)
    built("MViT mvit.MSBlockConfig", made, "4, 32, 32")
built(
    "MViT mvit.MSBlockConfig",
    MULTISCALE.format(kernel="[]", stride="[]", options="*[False] * 4, patch_embed_stride=(1, 4, 4)").replace(
        "4, [", "1, [", 1
    ),
    "32, 32",
)
for apis, made in (
    (
        "SwinTransformer3d",
        "SwinTransformer3d([2, 4, 4], 8, [2, 2], [2, 4], [2, 3, 3], 2.0, 0.1, 0.2, 0.4, 5)",
    ),
    (
        "MViT mvit.MSBlockConfig",
        MULTISCALE.format(
            kernel="[3, 3, 3]",
            stride="[1, 1, 1]",
            options="True, False, True, True, attention_dropout=0.2, stochastic_depth_prob=0.5",
        ),
    ),
):
    CASES.append(
        script(
            "torch.manual_seed " + " ".join(V + api for api in apis.split()),
            f"""
manual_seed(9)
network = {made}.train()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (2, 3, 4, 32, 32)).astype(np.float32))
result = [network(x), network(x)]
learning = list(network.parameters())
result += weight_gradients(lambda: (network(x) ** 2).sum(), learning[0], *learning[-9:])
""",
            tolerance=1e-4,
        )
    )
CASES.extend(
    script(
        f"torch.manual_seed {V}{kind}",
        f"manual_seed(3)\nnetwork = {kind.rpartition('.')[2]}({given}).eval()\n"
        f"result = [[(name, value) for name, value in network.state_dict().items()], network(x{called})]",
        inputs={"x": f"normal({shape})"},
        tolerance=1e-4,
    )
    for kind, given, called, shape in (
        ("resnet.Conv2Plus1D", "3, 4, 5, 2", "", "1, 3, 4, 6, 6"),
        ("resnet.Conv3DNoTemporal", "3, 4, stride=2", "", "1, 3, 4, 6, 6"),
        ("swin_transformer.ShiftedWindowAttention3d", "8, [2, 3, 2], [1, 1, 1], 2", "", "2, 3, 7, 5, 8"),
        ("swin_transformer.ShiftedWindowAttention3d", "8, [4, 3, 2], [2, 1, 1], 2", "", "1, 3, 4, 5, 8"),
        ("mvit.PositionalEncoding", "8, (2, 3), 2, False", "", "2, 12, 8"),
        (
            "mvit.MultiscaleAttention",
            "[2, 4, 4], 8, 16, 2, [3, 3, 3], [3, 3, 3], [1, 2, 2], [1, 1, 1], True, False, True",
            ", (2, 4, 4)",
            "2, 33, 8",
        ),
    )
)
CASES.append(
    script(
        f"torch.manual_seed torch.nn.MaxPool3d torch.nn.LayerNorm torch.nn.BatchNorm3d {V}mvit.Pool {V}mvit.MSBlockConfig "
        f"{V}mvit.MultiscaleBlock {V}s3d.TemporalSeparableConv {V}s3d.SepInceptionBlock3D",
        """
manual_seed(6)
x = tensor(np.random.default_rng(1).normal(size=(2, 2, 17, 8)).astype(np.float32))
pool = Pool(MaxPool3d((1, 2, 2), (1, 2, 2)), LayerNorm(8))
result = [*pool(x, (1, 4, 4)), *pool(x[:, 0], (1, 4, 4))]
before = Pool(MaxPool3d((1, 2, 2)), BatchNorm3d(8), norm_before_pool=True).eval()
result += [*before(x, (1, 4, 4))]
settings = MSBlockConfig(2, 8, 16, [3, 3, 3], [3, 3, 3], [1, 2, 2], [1, 1, 1])
block = MultiscaleBlock([1, 4, 4], settings, True, False, True, False).eval()
result += [str(settings), settings == MSBlockConfig(*vars(settings).values()), list(block.state_dict()), *block(x[:, 0], (1, 4, 4))]
frames = tensor(np.random.default_rng(1).normal(size=(1, 4, 3, 6, 6)).astype(np.float32))
result.append(TemporalSeparableConv(4, 6, 3, 1, 1, BatchNorm3d).eval()(frames))
result.append(SepInceptionBlock3D(4, 2, 3, 2, 2, 3, 2, BatchNorm3d).eval()(frames))
for network in (TemporalSeparableConv(4, 6, 3, 1, 1, BatchNorm3d), SepInceptionBlock3D(4, 2, 3, 2, 2, 3, 2, BatchNorm3d)):
    result += weight_gradients(lambda: (network.train()(frames) ** 2).sum(), *network.parameters())
try:
    pool(x[0, 0], (1, 4, 4))
except ValueError:
    result.append("two axes")
""",
        tolerance=1e-4,
    )
)
CASES.append(
    script(
        f"torch.manual_seed {V}__dict__ torchvision.models.get_model torchvision.models.get_model_weights torchvision.models.list_models",
        """
manual_seed(2)
networks = [__dict__["r3d_18"](num_classes=3), get_model("mc3_18", num_classes=2)]
result = [[(name, tuple(value.shape)) for name, value in network.named_parameters()] for network in networks]
result += [get_model_weights("swin3d_t").__name__, list_models(include="*3d*"), list_models(include="r*_18")]
""",
        gradients=False,
    )
)
CASES.append(
    script(
        "torch.manual_seed torchvision.ops.Conv3dNormActivation",
        """
manual_seed(2)
network = Conv3dNormActivation(3, 4, (1, 3, 3), 2, groups=1)
x = tensor(np.random.default_rng(1).normal(size=(2, 3, 3, 6, 6)).astype(np.float32))
result = [list(network.state_dict()), network(x), Conv3dNormActivation(3, 4, norm_layer=None, activation_layer=None, dilation=2)(x)]
""",
        tolerance=1e-4,
    )
)
CASES.extend(
    script(
        f"{V}{name}_Weights",
        f"""
kind = {name}_Weights
files = [getattr(each.value, "url", each.value).rpartition("/")[2] for each in kind]
result = [[each.name for each in kind], files, kind.DEFAULT.name]
frames = tensor(np.random.default_rng(3).uniform(0, 1, (2, 3, 40, 50)).astype(np.float32))
for each in kind:
    found = each.transforms()(frames)
    result.append([tuple(found.shape), found[:, :, ::37, ::41], tuple(each.transforms()(frames[None]).shape)])
result.append(kind.DEFAULT.meta["categories"])
""",
    )
    for name in (
        "R3D_18",
        "MC3_18",
        "R2Plus1D_18",
        "S3D",
        "Swin3D_T",
        "Swin3D_S",
        "Swin3D_B",
        "MViT_V1_B",
        "MViT_V2_S",
    )
)
