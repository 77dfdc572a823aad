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
CASES: list[Case] = []


def built(apis: str, expression: str, size: int = 32) -> None:
    source = BUILT.format(built=expression, size=size)
    names = " ".join(M + api for api in apis.split())
    CASES.append(script(f"torch.manual_seed {names}", source, tolerance=1e-4))


for name in (
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnet152",
    "resnext50_32x4d",
    "wide_resnet50_2",
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
built("densenet169", "densenet169(num_classes=2)")
built("get_model", "get_model('SqueezeNet1_1', num_classes=3)", 64)
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
    "DenseNet169",
]
CASES.extend(
    script(
        f"{M}{name}_Weights",
        f"""
kind = {name}_Weights
files = [getattr(each.value, "url", each.value).rpartition("/")[2] for each in kind]
result = [[each.name for each in kind], files, kind.DEFAULT.name, kind["IMAGENET1K_V1"] is kind.IMAGENET1K_V1]
""",
    )
    for name in WEIGHTS
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
