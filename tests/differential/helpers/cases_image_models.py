"""Networks of torchvision.models: their parameters by name, what these start with, and what comes out."""

from __future__ import annotations

from case import Case, script

M = "torchvision.models."
BUILT = """
manual_seed(1)
network = {built}
names = [(name, tuple(value.shape)) for name, value in network.state_dict().items()]
some = [value.detach() for name, value in network.named_parameters() if value.ndim != 2][:12]
network.eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, {size}, {size})).astype(np.float32))
result = [names, some, network(x)]
"""
SMALLEST = {
    "resnet18",
    "resnet50",
    "vgg11_bn",
    "alexnet",
    "squeezenet1_0",
    "squeezenet1_1",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "densenet121",
    "efficientnet_b0",
    "convnext_tiny",
    "shufflenet_v2_x0_5",
    "mnasnet0_5",
    "googlenet",
    "regnet_x_400mf",
    "regnet_y_400mf",
    "get_model",
}
"""The networks of full size that are compared each time; of the other families, those that are made of their classes."""
CASES: list[Case] = []


def built(apis: str, expression: str, size: int = 32) -> None:
    source = BUILT.format(built=expression, size=size)
    names = " ".join(api if api.startswith("torch.") else M + api for api in apis.split())
    made = expression.partition("(")[0]
    large = made in ("VGG", "AlexNet") or (made == apis and made.islower() and made not in SMALLEST)
    CASES.append(script(f"torch.manual_seed {names}", source, tolerance=1e-4, large=large))


for name in (
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnet152",
    "resnext50_32x4d",
    "resnext101_32x8d",
    "resnext101_64x4d",
    "wide_resnet50_2",
    "wide_resnet101_2",
):
    built(name, f"{name}(num_classes=7)")
built("resnet18", "resnet18(pretrained=False, zero_init_residual=True)")
built(
    "resnet50",
    "resnet50(weights=None, num_classes=3, replace_stride_with_dilation=[False, True, True])",
    48,
)
built("ResNet resnet.BasicBlock", "ResNet(BasicBlock, [1, 1, 2, 1], num_classes=5)")
built("ResNet resnet.Bottleneck", "ResNet(Bottleneck, [1, 2, 1, 1], 5, True, 2, 32)")
for depth in (11, 13, 16, 19):
    built(f"vgg{depth}", f"vgg{depth}(num_classes=3)")
    built(f"vgg{depth}_bn", f"vgg{depth}_bn(num_classes=3, init_weights=False)")
built("VGG vgg11", "VGG(vgg11(num_classes=2).features, 4, dropout=0.1)")
built("alexnet", "alexnet(num_classes=3)", 80)
built("AlexNet", "AlexNet(3, dropout=0.2)", 80)
for name in ("squeezenet1_0", "squeezenet1_1"):
    built(name, f"{name}(num_classes=6)", 64)
built("SqueezeNet", "SqueezeNet('1_1', 4)", 64)
built("mobilenet_v2", "mobilenet_v2(num_classes=6)")
built("MobileNetV2", "MobileNetV2(5, width_mult=0.5, dropout=0)")
built("densenet121", "densenet121(num_classes=6)")
built("densenet161", "densenet161(num_classes=3)")
built("densenet169", "densenet169(num_classes=2)")
built("densenet201", "densenet201(num_classes=3)")
for name in ("mobilenet_v3_small", "mobilenet_v3_large"):
    built(name, f"{name}(num_classes=5)", 64)
    built(name, f"{name}(num_classes=5, width_mult=0.5, dilated=True, reduced_tail=True)", 64)
built(
    "MobileNetV3 mobilenetv3.InvertedResidualConfig",
    "MobileNetV3([InvertedResidualConfig(16, 3, 40, 16, True, 'HS', 2, 1, 1.0)] * 2, 64, 5, dropout=0.1)",
    64,
)
built(
    "MobileNetV3 mobilenetv3.InvertedResidual mobilenetv3.InvertedResidualConfig",
    "MobileNetV3([InvertedResidualConfig(16, 5, 16, 16, False, 'RE', 1, 2, 1.0)], 32, 5, InvertedResidual)",
    64,
)
for place in range(8):
    built(f"efficientnet_b{place}", f"efficientnet_b{place}(num_classes=3)")
for size in "sml":
    built(f"efficientnet_v2_{size}", f"efficientnet_v2_{size}(num_classes=3)", 64)
built(
    "EfficientNet efficientnet.MBConvConfig efficientnet.FusedMBConvConfig efficientnet.MBConv",
    "EfficientNet([FusedMBConvConfig(1, 3, 1, 8, 16, 1), MBConvConfig(4, 3, 2, 16, 24, 2, 1.1, 1.2, MBConv)], 0.1)",
    64,
)
built(
    "EfficientNet efficientnet.FusedMBConvConfig efficientnet.FusedMBConv",
    "EfficientNet([FusedMBConvConfig(2, 3, 2, 8, 16, 2, FusedMBConv)], 0, last_channel=32, num_classes=4)",
    64,
)
for size in ("tiny", "small", "base", "large"):
    built(f"convnext_{size}", f"convnext_{size}(num_classes=3)", 64)
built(
    "ConvNeXt convnext.CNBlock convnext.CNBlockConfig",
    "ConvNeXt([CNBlockConfig(8, 16, 1), CNBlockConfig(16, None, 2)], 0.2, 0.5, 4, CNBlock)",
    64,
)
for factor in ("0_5", "1_0", "1_5", "2_0"):
    built(f"shufflenet_v2_x{factor}", f"shufflenet_v2_x{factor}(num_classes=3)", 64)
built(
    "ShuffleNetV2 shufflenetv2.InvertedResidual",
    "ShuffleNetV2([2, 1, 2], [8, 16, 24, 32, 48], 5, InvertedResidual)",
    64,
)
for name in ("vit_b_16", "vit_b_32", "vit_l_16", "vit_l_32"):
    built(name, f"{name}(num_classes=3, image_size=64)", 64)
built("vit_b_32", "vit_b_32(image_size=64, representation_size=20, dropout=0.1, num_classes=3)", 64)
built("VisionTransformer", "VisionTransformer(32, 8, 2, 4, 16, 24, num_classes=5)")
for name in ("swin_t", "swin_s", "swin_b", "swin_v2_t", "swin_v2_s", "swin_v2_b"):
    built(name, f"{name}(num_classes=3)", 40 if name == "swin_s" else 64)
built("SwinTransformer", "SwinTransformer([4, 4], 16, [2, 2], [2, 4], [3, 2], num_classes=5)", 46)
built(
    "SwinTransformer swin_transformer.SwinTransformerBlockV2 swin_transformer.PatchMergingV2",
    "SwinTransformer([2, 4], 16, [2, 3], [2, 4], [2, 5], 2.0, num_classes=5, block=SwinTransformerBlockV2, downsample_layer=PatchMergingV2)",
    46,
)
built(
    "SwinTransformer swin_transformer.SwinTransformerBlock swin_transformer.PatchMerging",
    "SwinTransformer([2, 4], 8, [1, 3], [1, 2], [4, 4], 2.0, num_classes=5, block=SwinTransformerBlock, downsample_layer=PatchMerging)",
    30,
)
for size in ("400mf", "800mf", "1_6gf", "3_2gf", "8gf", "16gf", "32gf"):
    built(f"regnet_x_{size}", f"regnet_x_{size}(num_classes=3)", 64)
    built(f"regnet_y_{size}", f"regnet_y_{size}(num_classes=3)", 64)
built(
    "RegNet regnet.BlockParams regnet.SimpleStemIN regnet.ResBottleneckBlock",
    "RegNet(BlockParams([1, 2], [8, 16], [4, 8], [1.0, 0.5], [2, 1], 0.25), 5, 8, SimpleStemIN, ResBottleneckBlock)",
)
for alpha in ("0_5", "0_75", "1_0", "1_3"):
    built(f"mnasnet{alpha}", f"mnasnet{alpha}(num_classes=3)", 64)
built("MNASNet", "MNASNet(0.3, 5, 0.1)")
built("maxvit_t", "maxvit_t(num_classes=3)", 224)
built("MaxVit", "MaxVit((64, 64), 8, 2, [8, 16], [1, 2], 4, 0.1, num_classes=5)", 64)
built("inception_v3", "inception_v3(num_classes=3, init_weights=True)", 299)
built("inception_v3", "inception_v3(num_classes=3, init_weights=False, aux_logits=False)", 96)
built("Inception3", "Inception3(4, transform_input=True, init_weights=False)", 96)
for each in "ABCDE":
    given = {"A": "8, 16", "C": "8, channels_7x7=6"}.get(each, "8")
    built(
        f"torch.nn.Sequential torch.nn.Conv2d inception.Inception{each}",
        f"Sequential(Conv2d(3, 8, 3), Inception{each}({given}))",
        24,
    )
built(
    "torch.nn.Sequential torch.nn.Conv2d inception.InceptionAux",
    "Sequential(Conv2d(3, 8, 3), InceptionAux(8, 5))",
    24,
)
built("googlenet", "googlenet(num_classes=3, init_weights=True)", 64)
built("GoogLeNet", "GoogLeNet(3, False, True, False, dropout=0.1)", 64)
built(
    "torch.nn.Sequential torch.nn.Conv2d googlenet.Inception",
    "Sequential(Conv2d(3, 8, 3), Inception(8, 4, 3, 6, 2, 5, 7))",
    24,
)
built(
    "torch.nn.Sequential torch.nn.Conv2d googlenet.InceptionAux",
    "Sequential(Conv2d(3, 8, 3), InceptionAux(8, 5))",
    26,
)
for apis, made in (
    (
        "EfficientNet efficientnet.MBConvConfig",
        "EfficientNet([MBConvConfig(2, 3, 1, 8, 8, 3)], 0.3, 0.6, 5)",
    ),
    ("ConvNeXt convnext.CNBlockConfig", "ConvNeXt([CNBlockConfig(8, None, 4)], 0.7, 0.5, 5)"),
    ("VisionTransformer", "VisionTransformer(64, 32, 2, 2, 8, 12, 0.3, 0.2, 5)"),
    ("SwinTransformer", "SwinTransformer([4, 4], 8, [2, 2], [2, 2], [3, 3], 2.0, 0.1, 0.2, 0.4, 5)"),
    (
        "MaxVit",
        "MaxVit((64, 64), 8, 2, [8], [2], 4, 0.6, mlp_dropout=0.2, attention_dropout=0.1, num_classes=5)",
    ),
):
    CASES.append(
        script(
            "torch.manual_seed torch.nn.init.normal_ " + " ".join(M + api for api in apis.split()),
            f"""
manual_seed(9)
network = {made}.train()
normal_(list(network.parameters())[-2])
x = tensor(np.random.default_rng(1).uniform(-1, 1, (6, 3, 64, 64)).astype(np.float32))
result = [network(x), network(x)]
result += weight_gradients(lambda: (network(x) ** 2).sum(), *network.parameters())
""",
            tolerance=1e-4,
        )
    )
WINDOWS = "torchvision.models.swin_transformer."
for kind, given, shape in (
    ("ShiftedWindowAttention", "8, [3, 2], [1, 1], 2", "2, 7, 5, 8"),
    ("ShiftedWindowAttention", "8, [4, 4], [2, 2], 4, False, False", "1, 3, 9, 8"),
    ("ShiftedWindowAttentionV2", "8, [3, 2], [1, 0], 2", "2, 7, 5, 8"),
    ("ShiftedWindowAttentionV2", "8, [2, 2], [0, 0], 2, qkv_bias=False", "1, 4, 4, 8"),
    ("SwinTransformerBlock", "8, 2, [2, 2], [1, 1], 2.0", "1, 4, 5, 8"),
    ("SwinTransformerBlockV2", "8, 2, [2, 2], [1, 1], 2.0", "1, 4, 5, 8"),
    ("PatchMerging", "6", "1, 5, 4, 6"),
    ("PatchMergingV2", "6", "1, 5, 4, 6"),
):
    CASES.append(
        script(
            f"torch.manual_seed {WINDOWS}{kind}",
            "manual_seed(3)\n"
            f"network = {kind}({given}).eval()\n"
            "result = [[(name, value) for name, value in network.state_dict().items()], network(x)]",
            inputs={"x": f"normal({shape})"},
            tolerance=1e-4,
        )
    )
CASES.extend(
    script(
        f"torch.manual_seed torchvision.models.maxvit.{kind}",
        f"manual_seed(3)\nnetwork = {kind}({given}).eval()\nresult = network(x{called})",
        inputs={"x": f"normal({shape})"},
        tolerance=1e-4,
    )
    for kind, given, called, shape in (
        ("RelativePositionalMultiHeadAttention", "8, 4, 9", "", "2, 3, 9, 8"),
        ("SwapAxes", "-2, -3", "", "2, 3, 4, 5"),
        ("WindowPartition", "", ", 2", "2, 3, 4, 6"),
        ("WindowDepartition", "", ", 2, 2, 3", "2, 6, 4, 3"),
    )
)
CASES.append(
    script(
        f"torch.manual_seed torch.nn.BatchNorm2d torch.nn.GELU {M}maxvit.MBConv {M}maxvit.PartitionAttentionLayer "
        f"{M}maxvit.MaxVitLayer {M}maxvit.MaxVitBlock torch.nn.LayerNorm",
        """
manual_seed(5)
x = tensor(np.random.default_rng(1).normal(size=(2, 8, 8, 8)).astype(np.float32))
networks = [
    MBConv(8, 12, 2, 0.5, 2, GELU, BatchNorm2d),
    MBConv(8, 8, 2, 0.5, 1, GELU, BatchNorm2d, 0.2),
    PartitionAttentionLayer(8, 4, 2, "grid", (8, 8), 2, GELU, LayerNorm, 0.1, 0.1, 0.1),
    MaxVitLayer(8, 8, 0.5, 2, 1, BatchNorm2d, GELU, 4, 2, 0.1, 0.1, 0.1, 4, (8, 8)),
    MaxVitBlock(8, 16, 0.5, 2, BatchNorm2d, GELU, 4, 2, 0.1, 0.1, 2, (8, 8), 2, [0.0, 0.1]),
]
result = [[list(network.state_dict()), network.eval()(x)] for network in networks]
for made in (
    lambda: MaxVitBlock(8, 8, 0.5, 2, BatchNorm2d, GELU, 4, 2, 0.1, 0.1, 2, (8, 8), 3, [0.0]),
    lambda: PartitionAttentionLayer(8, 4, 2, "both", (8, 8), 2, GELU, LayerNorm, 0, 0, 0),
):
    try:
        made()
    except ValueError as error:
        result.append(str(error))
""",
        tolerance=1e-4,
    )
)
CASES.append(
    script(
        f"torch.nn.BatchNorm2d torch.nn.ReLU {M}regnet.BlockParams {M}regnet.AnyStage {M}regnet.ResBottleneckBlock "
        f"{M}regnet.BottleneckTransform {M}MNASNet {M}MaxVit",
        """
result = []
for given in ((16, 48, 27.89, 2.09, 8, 1.0, 0.25), (27, 456, 160.83, 2.52, 264), (9, 8, 7.5, 1.6, 24, 0.5)):
    made = BlockParams.from_init_params(*given)
    result.append(sorted(vars(made).items()))
stage = AnyStage(4, 8, 2, 2, ResBottleneckBlock, BatchNorm2d, ReLU, 4, 1.0, 0.5, 3)
result += [list(stage.state_dict()), list(BottleneckTransform(4, 8, 1, BatchNorm2d, ReLU, 4, 1.0, None).state_dict())]
for made in (
    lambda: BlockParams.from_init_params(9, 8, -1, 1.6, 24),
    lambda: MaxVit((60, 64), 8, 4, [8, 16], [1, 2], 4, 0.1),
    lambda: MNASNet(-1.0),
):
    try:
        made()
    except (TypeError, ValueError) as error:
        result.append(type(error).__name__)
""",
        gradients=False,
    )
)
# as wholes these take 2.5 GB in each framework
CASES.append(
    script(
        f"{M}regnet_y_128gf",
        """
class Found(Exception):
    pass
def told(*sizes):
    raise Found(*(size for size in sizes if isinstance(size, (int, float))))
result = []
try:
    regnet_y_128gf(block_type=told)
except Found as error:
    result.append(error.args)
""",
    )
)
CASES.append(
    script(
        f"torch.nn.Conv2d {M}vit_h_14",
        """
class Found(Exception):
    pass
def told(width):
    raise Found(width)
result = []
for given in ({"norm_layer": told}, {"image_size": 30}, {"attention_dropout": 0.1, "wrong": 1}):
    try:
        vit_h_14(**given)
    except (AssertionError, TypeError, Found) as error:
        result += [type(error).__name__, error.args if isinstance(error, Found) else None]
""",
    )
)
for kind in ("Encoder", "EncoderBlock", "MLPBlock"):
    given = {
        "Encoder": "8, 2, 4, 16, 24, 0.1, 0.1",
        "EncoderBlock": "4, 16, 24, 0.1, 0.1",
        "MLPBlock": "16, 24, 0.1",
    }
    CASES.append(
        script(
            f"torch.manual_seed {M}vision_transformer.{kind}",
            f"""
manual_seed(3)
network = {kind}({given[kind]}).eval()
x = tensor(np.random.default_rng(1).normal(size=(2, 8, 16)).astype(np.float32))
result = [[(name, value) for name, value in network.state_dict().items()], network(x)]
""",
        )
    )
CASES.append(
    script(
        f"torch.manual_seed {M}vision_transformer.MLPBlock",
        """
manual_seed(3)
network = MLPBlock(4, 6, 0.0)
older = {}
for name, value in network.state_dict().items():
    place, kind = name.split(".")
    older["linear_" + ("1" if place == "0" else "2") + "." + kind] = value.detach() + 1
result = [str(network.load_state_dict(older)), [value.detach() for value in network.state_dict().values()]]
""",
    )
)
CASES.append(
    script(
        f"torch.manual_seed torch.nn.BatchNorm2d torch.nn.ReLU {M}VisionTransformer",
        """
from collections import namedtuple
manual_seed(4)
Stem = namedtuple("Stem", "out_channels kernel_size stride norm_layer activation_layer")
stem = [Stem(4, 3, 2, BatchNorm2d, ReLU), Stem(8, 3, 4, BatchNorm2d, ReLU)]
network = VisionTransformer(32, 8, 1, 2, 8, 12, num_classes=5, conv_stem_configs=stem).eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, 32, 32)).astype(np.float32))
result = [[(name, value) for name, value in network.state_dict().items()], network(x)]
try:
    network(x[..., :16])
except AssertionError as error:
    result.append(str(error))
""",
    )
)
CASES.append(
    script(
        f"{M}convnext.LayerNorm2d",
        """
x = tensor(np.random.default_rng(1).normal(size=(2, 6, 3, 4)).astype(np.float32))
result = [LayerNorm2d(6, eps=1e-6)(x), [name for name, _ in LayerNorm2d(6).named_parameters()]]
""",
    )
)
for kind, name in (("Inception3", "inception_v3"), ("GoogLeNet", "googlenet")):
    outputs = "InceptionOutputs" if kind == "Inception3" else "GoogLeNetOutputs"
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.BatchNorm2d torch.nn.Dropout {M}{name} {M}{outputs}",
            f"""
manual_seed(5)
network = {name}(num_classes=3, init_weights=False, aux_logits=True)
for module in network.modules():
    if isinstance(module, (BatchNorm2d, Dropout)):
        module.eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, 299, 299)).astype(np.float32))
found = network(x)
result = [isinstance(found, {outputs}), found._fields, list(found)]
""",
            tolerance=1e-4,
        )
    )
S = f"{M}segmentation."
for name in (
    "fcn_resnet50",
    "fcn_resnet101",
    "deeplabv3_resnet50",
    "deeplabv3_resnet101",
    "deeplabv3_mobilenet_v3_large",
    "lraspp_mobilenet_v3_large",
):
    given = "" if name.startswith("lraspp") else ", aux_loss=True"
    CASES.append(
        script(
            f"torch.manual_seed {S}{name}",
            f"""
manual_seed(6)
network = {name}(weights_backbone=None, num_classes=5{given}).eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, 64, 48)).astype(np.float32))
result = [[(name, tuple(value.shape)) for name, value in network.state_dict().items()], list(network(x).items())]
""",
            tolerance=1e-4,
        )
    )
SMALL = """
manual_seed(7)
network = {made}.eval()
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 8, 12, 10)).astype(np.float32))
result = [[(name, value) for name, value in network.state_dict().items()], network({given})]
"""
for api, made in (
    ("fcn.FCNHead", "FCNHead(8, 3)"),
    ("deeplabv3.ASPPConv", "ASPPConv(8, 4, 2)"),
    ("deeplabv3.ASPPPooling", "ASPPPooling(8, 4)"),
    ("deeplabv3.ASPP", "ASPP(8, [2, 3], 6)"),
    ("deeplabv3.DeepLabHead", "DeepLabHead(8, 3)"),
    ("deeplabv3.DeepLabHead", "DeepLabHead(8, 3, (1, 2))"),
):
    CASES.append(script(f"torch.manual_seed {S}{api}", SMALL.format(made=made, given="x")))
CASES.append(
    script(
        f"torch.manual_seed {S}lraspp.LRASPPHead",
        SMALL.format(made="LRASPPHead(8, 8, 3, 6)", given="{'low': x, 'high': x[..., ::2, ::2]}"),
    )
)
CASES.append(
    script(
        f"torch.manual_seed torch.nn.Identity torch.nn.Module {S}FCN {S}DeepLabV3 {S}LRASPP",
        """
manual_seed(8)
class Backbone(Module):
    def forward(self, x):
        return {"out": x[..., ::2, ::2], "aux": x[..., ::4, ::4], "low": x[..., ::2, ::2], "high": x[..., ::4, ::4]}
x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 4, 16, 12)).astype(np.float32))
result = []
for network in (FCN(Backbone(), Identity(), Identity()), DeepLabV3(Backbone(), Identity()), LRASPP(Backbone(), 4, 4, 3)):
    result.append(list(network.eval()(x).items()))
""",
    )
)
built("get_model", "get_model('SqueezeNet1_1', num_classes=3)", 64)
CASES.append(
    script(
        f"{M}WeightsEnum {M}get_model_builder {M}get_model_weights {M}get_weight {M}list_models {M}resnet18",
        """
result = [issubclass(get_model_weights("resnet18"), WeightsEnum), get_model_builder("ResNet18") is resnet18, list_models(include="resnet*", exclude=["*5?", "*34"])]
result.append(list_models(include=["fasterrcnn_resnet50_fpn*", "fcn_*"]))
for name in ("resnet18", resnet18, "vit_b_16", "deeplabv3_resnet50", "maskrcnn_resnet50_fpn_v2", "resnext50_32x4d"):
    kind = get_model_weights(name)
    result += [kind.__name__, repr(kind.DEFAULT), str(kind.DEFAULT)]
    result += [get_weight(str(kind.DEFAULT)) is kind.DEFAULT, kind.DEFAULT.url]
for look_up, name in ((get_model_builder, "none"), (get_weight, "ResNet18"), (get_weight, "A.B.C"), (get_weight, "No_Weights.V1")):
    try:
        look_up(name)
    except ValueError as error:
        result.append(str(error))
""",
    )
)
CASES.append(
    script(
        f"torch.manual_seed {M}segmentation.__dict__ {M}get_model",
        """
manual_seed(2)
made = [__dict__["fcn_resnet50"](weights_backbone=None, num_classes=3), get_model("fcn_resnet50", weights_backbone=None)]
result = [[(name, tuple(value.shape)) for name, value in network.named_parameters()] for network in made]
""",
    )
)
CASES.append(
    script(
        f"torch.manual_seed {M}detection.__dict__",
        """
network = __dict__["fasterrcnn_mobilenet_v3_large_320_fpn"](weights_backbone=None, num_classes=3)
result = [(name, tuple(value.shape)) for name, value in network.named_parameters()]
""",
    )
)
built("__dict__", "__dict__['squeezenet1_0'](num_classes=3)", 64)
built("DenseNet", "DenseNet(8, (2, 3), 16, num_classes=5)")
CASES.append(
    script(
        f"torch.manual_seed {M}resnet18 {M}_utils.IntermediateLayerGetter",
        "manual_seed(2)\n"
        "network = resnet18()\n"
        "kept = IntermediateLayerGetter(network, {'layer1': 'low', 'layer3': '0'}).eval()\n"
        "x = tensor(np.random.default_rng(1).uniform(-1, 1, (1, 3, 48, 48)).astype(np.float32))\n"
        "found = kept(x)\n"
        "result = [list(found), list(found.values()), list(kept.keys()), kept.return_layers, len(network.layer4)]\n"
        "result.append(sorted(kept.state_dict())[:3])",
        tolerance=1e-4,
    )
)
F = f"{M}feature_extraction.create_feature_extractor"
CASES.append(
    script(
        f"torch.manual_seed torch.rand {M}resnet18 {M}alexnet {F}",
        """
manual_seed(2)
x = tensor(np.random.default_rng(1).uniform(-1, 1, (2, 3, 80, 80)).astype(np.float32))
result = []
for nodes in (["layer1", "layer3.0.conv2"], {"layer2.1": "b", "maxpool": "a", "relu": "c", "layer1.0.relu_1": "d"}):
    network = resnet18()
    kept = create_feature_extractor(network, nodes)
    for training in (False, True):
        found = kept.train(training)(x)
        result += [list(found), list(found.values()), kept.training]
    result.append([name for name in kept.state_dict() if name in ("conv1.weight", "layer1.0.bn1.bias")])
kept = create_feature_extractor(alexnet(), return_nodes={"classifier.2": "hidden"})
result += [list(kept(x).values()), rand(2)]
kept = create_feature_extractor(alexnet(), train_return_nodes=["features.3"], eval_return_nodes=["avgpool"])
result += [list(kept(x)), list(kept.eval()(x)), list(kept.train()(x).values())]
for given in ({}, {"train_return_nodes": ["a"]}, {"return_nodes": ["features"], "train_return_nodes": [], "eval_return_nodes": []}):
    try:
        create_feature_extractor(alexnet(), **given)
    except ValueError as error:
        result.append(str(error))
""",
        tolerance=1e-4,
    )
)
CASES.append(script("torchvision.__version__", "result = [__version__.split('.')[:2]]"))
CASES.append(script("torchvision._is_tracing", "result = _is_tracing()", gradients=False))
WEIGHTS = [
    "ResNet18",
    "ResNet34",
    "ResNet50",
    "ResNet101",
    "ResNet152",
    "ResNeXt50_32X4D",
    "Wide_ResNet50_2",
    "VGG11",
    "VGG11_BN",
    "VGG13",
    "VGG13_BN",
    "VGG16",
    "VGG16_BN",
    "VGG19",
    "VGG19_BN",
    "AlexNet",
    "SqueezeNet1_0",
    "SqueezeNet1_1",
    "MobileNet_V2",
    "DenseNet121",
    "DenseNet161",
    "DenseNet169",
    "DenseNet201",
    "ResNeXt101_32X8D",
    "ResNeXt101_64X4D",
    "Wide_ResNet101_2",
    "MobileNet_V3_Small",
    "MobileNet_V3_Large",
    *(f"EfficientNet_B{place}" for place in range(8)),
    *(f"EfficientNet_V2_{size}" for size in "SML"),
    *(f"ConvNeXt_{size}" for size in ("Tiny", "Small", "Base", "Large")),
    *(f"ShuffleNet_V2_X{factor}" for factor in ("0_5", "1_0", "1_5", "2_0")),
    *(f"ViT_{size}" for size in ("B_16", "B_32", "L_16", "L_32", "H_14")),
    *(f"Swin_{size}" for size in ("T", "S", "B", "V2_T", "V2_S", "V2_B")),
    *(
        f"RegNet_{kind}_{size}"
        for kind in "XY"
        for size in ("400MF", "800MF", "1_6GF", "3_2GF", "8GF", "16GF", "32GF")
    ),
    "RegNet_Y_128GF",
    *(f"MNASNet{alpha}" for alpha in ("0_5", "0_75", "1_0", "1_3")),
    "MaxVit_T",
    "Inception_V3",
    "GoogLeNet",
    *(
        f"segmentation.{name}"
        for name in (
            "FCN_ResNet50",
            "FCN_ResNet101",
            "DeepLabV3_ResNet50",
            "DeepLabV3_ResNet101",
            "DeepLabV3_MobileNet_V3_Large",
            "LRASPP_MobileNet_V3_Large",
        )
    ),
]
CASES.extend(
    script(
        f"{M}{name}_Weights",
        f"""
kind = {name.rpartition(".")[2]}_Weights
files = [getattr(each.value, "url", each.value).rpartition("/")[2] for each in kind]
first = next(iter(kind))
result = [[each.name for each in kind], files, kind.DEFAULT.name, kind[first.name] is first]
picture = tensor(np.random.default_rng(3).uniform(0, 1, (3, 40, 50)).astype(np.float32))
for each in kind:
    found = each.transforms()(picture)
    result.append([tuple(found.shape), found[:, ::37, ::41]])
""",
    )
    for name in WEIGHTS
)
CASES.append(
    script(
        f"{M}ResNet18_Weights {M}ViT_B_16_Weights {M}segmentation.FCN_ResNet50_Weights "
        f"{M}detection.FasterRCNN_ResNet50_FPN_Weights {M}detection.KeypointRCNN_ResNet50_FPN_Weights",
        """
result = [
    kind.DEFAULT.meta["categories"]
    for kind in (
        ResNet18_Weights,
        ViT_B_16_Weights,
        FCN_ResNet50_Weights,
        FasterRCNN_ResNet50_FPN_Weights,
        KeypointRCNN_ResNet50_FPN_Weights,
    )
]
result.append(KeypointRCNN_ResNet50_FPN_Weights.COCO_LEGACY.meta["keypoint_names"])
""",
    )
)
CASES.append(
    script(
        f"torch.save torch.hub.get_dir {M}squeezenet1_1 {M}SqueezeNet1_1_Weights",
        """
import os, tempfile
home, before = tempfile.mkdtemp(), os.environ.get("TORCH_HOME")
os.environ["TORCH_HOME"] = home
os.makedirs(os.path.join(get_dir(), "checkpoints"))
first = squeezenet1_1()
save(first.state_dict(), os.path.join(get_dir(), "checkpoints", "squeezenet1_1-b8a52dc0.pth"))
result = []
for weights in ({"pretrained": True}, {"weights": "DEFAULT"}, {"weights": SqueezeNet1_1_Weights.IMAGENET1K_V1}):
    again = squeezenet1_1(**weights)
    pairs = zip(first.parameters(), again.parameters())
    result.append([bool((left == right).all()) for left, right in pairs])
try:
    squeezenet1_1(pretrained=True, num_classes=3)
except ValueError:
    result.append("another number of classes")
os.environ.pop("TORCH_HOME") if before is None else os.environ.update(TORCH_HOME=before)
""",
    )
)
