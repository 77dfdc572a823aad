"""Networks of torchvision.models.detection, and what they are made of."""

from __future__ import annotations

from case import Case, script

D = "torchvision.models.detection."
P = "torchvision.ops."
PAIRS = {
    "x": "np.array([[0, 0, 4, 3], [1, 2, 6, 5], [2, 2, 3, 3], [5, 1, 9, 4]], np.float32)",
    "y": "np.array([[1, 1, 5, 4], [0, 2, 5, 7], [4, 4, 6, 8], [5, 1.5, 9, 4.5]], np.float32)",
}
CASES: list[Case] = [
    *(
        script(f"{P}{name}", f"result = {name}(x, y)", inputs=PAIRS)
        for name in ("distance_box_iou", "complete_box_iou")
    ),
    *(
        script(
            f"{P}{name}",
            f"result = [{name}(x, y), {name}(x, y, 'mean'), {name}(x, y, reduction='sum', eps=1e-3), {name}(x[0], y[1])]",
            inputs=PAIRS,
        )
        for name in ("generalized_box_iou_loss", "distance_box_iou_loss", "complete_box_iou_loss")
    ),
]
PYRAMID = """
from collections import OrderedDict
manual_seed(1)
features = OrderedDict([("a", x), ("b", y), ("c", z)])
"""
SIZES = {"x": "normal(2, 4, 16, 12)", "y": "normal(2, 6, 8, 6)", "z": "normal(2, 8, 4, 3)"}
for extra, api in (
    ("None", ""),
    ("LastLevelMaxPool()", "LastLevelMaxPool"),
    ("LastLevelP6P7(8, 5)", "LastLevelP6P7"),
    ("LastLevelP6P7(5, 5)", "LastLevelP6P7"),
    ("Own()", "ExtraFPNBlock"),
):
    own = """
class Own(ExtraFPNBlock):
    def forward(self, results, x, names):
        return results + [x[0]], names + ["first"]
"""
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.BatchNorm2d {P}FeaturePyramidNetwork"
            + (f" {P}feature_pyramid_network.{api}" if api else ""),
            (own if extra == "Own()" else "")
            + PYRAMID
            + f"""
network = FeaturePyramidNetwork([4, 6, 8], 5, {extra}{", BatchNorm2d" if extra == "None" else ""})
result = [[(name, value.detach().clone()) for name, value in network.state_dict().items()]]
found = network(features)
result += [list(found), list(found.values())]
older = {{}}
for name, value in network.state_dict().items():
    older[name.replace(".0.weight", ".weight").replace(".0.bias", ".bias")] = value.detach() * 2
network.load_state_dict(older)
result.append([value.detach() for value in network.state_dict().values()])
""",
            inputs=SIZES,
            tolerance=1e-4,
        )
    )
REGIONS = (
    "[tensor([[3., 4., 30., 50.], [0., 0., 60., 47.], [10., 8., 16., 14.]]), tensor([[1., 2., 47., 63.]])]"
)
for names, given in (
    ("['a', 'b', 'c']", "3, 2, canonical_scale=32, canonical_level=3"),
    ("['a', 'c']", "(2, 3), 0"),
    ("['b']", "2, 1"),
):
    CASES.append(
        script(
            f"{P}MultiScaleRoIAlign",
            f"""
features = {{"a": x, "b": y[:, :4], "c": z[:, :4]}}
pool = MultiScaleRoIAlign({names}, {given})
result = [pool(features, {REGIONS}, [(64, 48), (60, 40)]), pool.scales, repr(pool)]
""",
            inputs=SIZES,
        )
    )
CASES += [
    script(
        f"torch.zeros {D}anchor_utils.AnchorGenerator {D}image_list.ImageList",
        """
images = ImageList(zeros((2, 3, 64, 48)), [(60, 48), (64, 40)])
result = [images.image_sizes, images.tensors]
for given in ((), (((16,), (32, 48)), ((0.5, 1.0), (1.0, 2.0, 3.0))), ((16, 32),)):
    generator = AnchorGenerator(*given)
    count = len(generator.num_anchors_per_location())
    found = generator(images, [zeros((2, 3, 8 // (place + 1), 6 // (place + 1))) for place in range(count)])
    result += [generator.num_anchors_per_location(), list(generator.cell_anchors), found]
""",
    ),
    script(
        f"{D}_utils.BoxCoder",
        """
coder = BoxCoder((10.0, 10.0, 5.0, 5.0))
codes = coder.encode([x, y], [y, x])
result = [list(codes), coder.encode_single(x, y), coder.decode(codes[0], [y]), coder.decode(codes[1] * 3, [x[:2], x[2:]])]
""",
        inputs=PAIRS,
        gradients=False,
    ),
    script(
        f"{D}_utils.BoxCoder",
        "result = BoxCoder((1.0, 1.0, 2.0, 2.0)).decode(x, [y + 0])",
        inputs={"x": "normal(4, 8)", "y": PAIRS["y"]},
        fixed=("y",),
    ),
    script(
        f"{D}_utils.Matcher",
        """
quality = tensor(np.array([[0.8, 0.4, 0.1, 0.3, 0.0], [0.1, 0.45, 0.2, 0.6, 0.0], [0.1, 0.2, 0.2, 0.1, 0.0]], np.float32))
result = [Matcher(0.7, 0.3)(quality), Matcher(0.7, 0.3, True)(quality), Matcher(0.5, 0.5)(quality)]
for shape in ((0, 3), (3, 0)):
    try:
        Matcher(0.7, 0.3)(quality[: shape[0], : shape[1]])
    except ValueError as error:
        result.append(str(error))
""",
    ),
    script(
        f"torch.manual_seed {D}_utils.BalancedPositiveNegativeSampler",
        """
manual_seed(3)
labels = [tensor(np.array([1, 0, 0, -1, 2, 0, 1, 0, 0, 3])), tensor(np.array([0, 0, -1, 0])), tensor(np.array([1.0, 1.0]))]
result = [[list(part) for part in BalancedPositiveNegativeSampler(*given)(labels)] for given in ((4, 0.5), (6, 0.25))]
""",
    ),
    script(
        f"torch.manual_seed {D}transform.GeneralizedRCNNTransform",
        """
manual_seed(4)
change = GeneralizedRCNNTransform((32, 40, 48), 60, [0.4, 0.5, 0.6], [0.2, 0.3, 0.4])
targets = [
    {"boxes": tensor(np.array([[1, 2, 9, 8]], np.float32)), "masks": tensor(np.eye(20, 24, dtype=np.uint8)[None])},
    {"boxes": tensor(np.array([[3, 2, 9, 18]], np.float32)), "keypoints": tensor(np.array([[[3, 4, 1], [5, 6, 0]]], np.float32))},
]
result = [repr(change)]
for training in (True, False):
    change.train(training)
    images, changed = change([x, y], targets)
    result += [images.tensors, images.image_sizes, [sorted(each.items()) for each in changed]]
images, _ = GeneralizedRCNNTransform(32, 60, [0.0] * 3, [1.0] * 3, 16, (40, 24))([x])
result += [images.tensors, images.image_sizes, sorted(targets[0])]
""",
        inputs={"x": "uniform(3, 20, 24)", "y": "uniform(3, 28, 18)"},
        tolerance=1e-4,
    ),
]
HEADS = {
    f"{D}rpn.RPNHead": ("RPNHead(4, 3)", "[x, x[..., ::2]]"),
    f"{D}faster_rcnn.TwoMLPHead": ("TwoMLPHead(4 * 8 * 6, 5)", "x"),
    f"{D}faster_rcnn.FastRCNNConvFCHead": ("FastRCNNConvFCHead((4, 8, 6), [3, 5], [7, 4], BatchNorm2d)", "x"),
    f"{D}faster_rcnn.FastRCNNPredictor": ("FastRCNNPredictor(4 * 8 * 6, 3)", "x.flatten(1)[..., None, None]"),
    f"{D}mask_rcnn.MaskRCNNHeads": ("MaskRCNNHeads(4, [5, 6], 2)", "x"),
    f"{D}mask_rcnn.MaskRCNNPredictor": ("MaskRCNNPredictor(4, 5, 3)", "x"),
    f"{D}keypoint_rcnn.KeypointRCNNHeads": ("KeypointRCNNHeads(4, [5, 6])", "x"),
    f"{D}keypoint_rcnn.KeypointRCNNPredictor": ("KeypointRCNNPredictor(4, 3)", "x"),
}
for api, (made, given) in HEADS.items():
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.BatchNorm2d {api}",
            f"""
manual_seed(5)
network = {made}
result = [[(name, value.detach().clone()) for name, value in network.state_dict().items()], network({given})]
""",
            inputs={"x": "normal(2, 4, 8, 6)"},
            tolerance=1e-4,
        )
    )
SMALL = """
manual_seed(6)
class Backbone(Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.out_channels = Conv2d(3, 6, 3, 4, 1), Conv2d(6, 6, 3, 2, 1), 6
    def forward(self, x):
        x = self.first(x)
        return {"0": x, "1": self.second(relu(x))}
given = {
    "rpn_anchor_generator": AnchorGenerator(((12, 20), (32, 48)), ((0.5, 1.0, 2.0),) * 2),
    "box_roi_pool": MultiScaleRoIAlign(["0", "1"], 3, 2, canonical_scale=32, canonical_level=3),
    "min_size": 64, "max_size": 96, "rpn_batch_size_per_image": 32, "box_batch_size_per_image": 24,
    "rpn_post_nms_top_n_train": 60, "rpn_post_nms_top_n_test": 20, "box_score_thresh": 0.2, "box_detections_per_img": 6,
}
targets = [
    {
        "boxes": tensor(np.array([[2, 3, 14, 18], [8, 1, 20, 9]], np.float32)),
        "labels": tensor(np.array([1, 2])),
        "masks": tensor((np.add.outer(np.arange(24), 2 * np.arange(22))[None] % np.array([5, 7])[:, None, None] > 2).astype(np.uint8)),
        "keypoints": tensor(np.random.default_rng(2).integers(0, 22, (2, 4, 3)).astype(np.float32)),
    },
    {
        "boxes": tensor(np.zeros((0, 4), np.float32) if EMPTY else np.array([[5, 5, 16, 20]], np.float32)),
        "labels": tensor(np.zeros(0, np.int64) if EMPTY else np.array([2])),
        "masks": tensor(np.ones((COUNT, 20, 26), np.uint8)),
        "keypoints": tensor(np.full((COUNT, 4, 3), 8, np.float32)),
    },
]
"""
PARTS = f"torch.manual_seed torch.nn.Module torch.nn.Conv2d torch.nn.functional.relu {P}MultiScaleRoIAlign {D}anchor_utils.AnchorGenerator"
TRAINED = """
losses = network([x, y], targets)
result = [list(losses), list(losses.values())]
"""
FOUND = """
for parameter in network.parameters():  # so that boxes differ clearly
    set_values(parameter, values_of(parameter) * (6 if parameter.ndim == 2 else 1.7))
found = network.eval()([x, y])
result = [[sorted(each.items()) for each in found]]
"""
IMAGES = {"x": "uniform(3, 24, 22)", "y": "uniform(3, 20, 26)"}
for empty in (False, True):
    before = SMALL.replace("EMPTY", str(empty)).replace("COUNT", str(int(not empty)))
    for network, more in (
        ("FasterRCNN", ""),
        (
            "MaskRCNN",
            "given['mask_roi_pool'] = MultiScaleRoIAlign(['0'], 4, 2)\ngiven['mask_head'] = MaskRCNNHeads(6, [256], 1)\n",
        ),
        (
            "KeypointRCNN",
            "given['keypoint_roi_pool'] = MultiScaleRoIAlign(['0'], 4, 2)\n"
            "given['keypoint_head'] = KeypointRCNNHeads(6, [7, 512])\ngiven['num_keypoints'] = 4\n",
        ),
    ):
        apis = f"{PARTS} {D}mask_rcnn.MaskRCNNHeads {D}keypoint_rcnn.KeypointRCNNHeads {D}{network}"
        made = f"{more}network = {network}(Backbone(), 3, **given)\n"
        CASES.append(script(apis, before + made + TRAINED, inputs=IMAGES, tolerance=1e-4))
        if not empty:
            CASES.append(script(apis, before + made + FOUND, inputs=IMAGES, tolerance=1e-3, gradients=False))
CASES.append(
    script(
        f"{PARTS} {D}rpn.RegionProposalNetwork {D}rpn.RPNHead {D}roi_heads.RoIHeads {D}faster_rcnn.TwoMLPHead "
        f"{D}faster_rcnn.FastRCNNPredictor {D}transform.GeneralizedRCNNTransform {D}generalized_rcnn.GeneralizedRCNN",
        SMALL.replace("EMPTY", "False").replace("COUNT", "1")
        + """
anchors, counts = AnchorGenerator(((12, 20), (32, 48)), ((0.5, 1.0, 2.0),) * 2), {"training": 60, "testing": 20}
rpn = RegionProposalNetwork(anchors, RPNHead(6, 6), 0.7, 0.3, 32, 0.5, counts, counts, 0.7)
heads = RoIHeads(given["box_roi_pool"], TwoMLPHead(54, 8), FastRCNNPredictor(8, 3), 0.5, 0.5, 24, 0.25, None, 0.05, 0.5, 6)
network = GeneralizedRCNN(Backbone(), rpn, heads, GeneralizedRCNNTransform(64, 96, [0.5] * 3, [0.5] * 3))
"""
        + TRAINED
        + """
for wrong in ([[2.0, 3.0, 2.0, 9.0]], [2.0, 3.0, 2.0, 9.0]):
    try:
        network([x], [{**targets[0], "boxes": tensor(np.array(wrong, np.float32))}])
    except AssertionError as error:
        result.append(str(error)[:60])
for missing in (None, [{"boxes": targets[0]["boxes"]}]):
    try:
        network([x], missing)
    except (AssertionError, ValueError, KeyError) as error:
        result.append(type(error).__name__)
""",
        inputs=IMAGES,
        tolerance=1e-4,
    )
)
for empty in (False, True):
    before = SMALL.replace("EMPTY", str(empty)).replace("COUNT", str(int(not empty)))
    apis = f"{PARTS} torch.nn.BatchNorm2d {D}retinanet.RetinaNetHead {D}RetinaNet"
    for kind in ("l1", "smooth_l1", "giou", "diou", "ciou"):
        made = f"""
anchors = given["rpn_anchor_generator"]
head = RetinaNetHead(6, 6, 3{", BatchNorm2d" if kind == "giou" else ""})
head.regression_head._loss_type = {kind!r}
network = RetinaNet(Backbone(), 3, 64, 96, anchor_generator=anchors, head=head, score_thresh=0.011, topk_candidates=30)
"""
        CASES.append(script(apis, before + made + TRAINED, inputs=IMAGES, tolerance=1e-4))
    CASES.append(
        script(
            apis,
            before
            + made
            + FOUND
            + "network.score_thresh = 2.0\nresult.append([sorted(each.items()) for each in network([x])])\n",
            inputs=IMAGES,
            tolerance=1e-3,
            gradients=False,
        )
    )
CASES.append(
    script(
        f"torch.manual_seed {D}retinanet.RetinaNetClassificationHead {D}retinanet.RetinaNetRegressionHead",
        """
manual_seed(5)
result = []
for network in (RetinaNetClassificationHead(4, 2, 3, 0.1), RetinaNetRegressionHead(4, 2)):
    result += [[(name, value.detach().clone()) for name, value in network.state_dict().items()], network([x, x[..., ::2]])]
    older = {}
    for name, value in network.state_dict().items():
        parts = name.split(".")
        older[name if parts[0] != "conv" else f"conv.{2 * int(parts[1])}.{parts[3]}"] = value.detach() * 2
    network.load_state_dict(older)
    network.load_state_dict(network.state_dict())
    result.append(network([x]))
""",
        inputs={"x": "normal(2, 4, 8, 6)"},
        tolerance=1e-4,
    )
)
BUILT = """
manual_seed(7)
network = {made}
result = [[(name, tuple(value.shape)) for name, value in network.state_dict().items()]]
result.append([name for name, value in network.named_parameters() if value.requires_grad])
targets = [{{"boxes": tensor(np.array([[4, 6, 40, 30]], np.float32)), "labels": tensor(np.array([1])), "masks": tensor(np.ones((1, 48, 56), np.uint8)), "keypoints": tensor(np.full((1, 17, 3), 20, np.float32))}}]
losses = network([tensor(np.random.default_rng(1).uniform(0, 1, (3, 48, 56)).astype(np.float32))], targets)
result += [list(losses), [value.detach() for value in losses.values()]]
learning = [value for name, value in network.named_parameters() if value.requires_grad and (".fpn." in name or "head" in name)]
images = [tensor(np.random.default_rng(1).uniform(0, 1, (3, 48, 56)).astype(np.float32))]
found = weight_gradients(lambda: sum(network(images, targets).values()), learning[0], learning[-1])
# which boxes are proposed rests on scores that a new network hardly tells apart
result += [tuple(each.shape) for each in found] if "rcnn" in type(network).__name__.lower() else found
"""
for name in (
    "fasterrcnn_resnet50_fpn",
    "fasterrcnn_resnet50_fpn_v2",
    "fasterrcnn_mobilenet_v3_large_fpn",
    "fasterrcnn_mobilenet_v3_large_320_fpn",
    "maskrcnn_resnet50_fpn",
    "maskrcnn_resnet50_fpn_v2",
    "keypointrcnn_resnet50_fpn",
    "retinanet_resnet50_fpn",
    "retinanet_resnet50_fpn_v2",
):
    made = (
        f"{name}(weights_backbone=None, num_classes=3, min_size=64, max_size=80, box_batch_size_per_image=32)"
    )
    CASES.append(script(f"torch.manual_seed {D}{name}", BUILT.format(made=made), tolerance=1e-3, large=True))
for name in ("ssd300_vgg16", "ssdlite320_mobilenet_v3_large", "fcos_resnet50_fpn"):
    sizes = "min_size=64, max_size=80" if name.startswith("fcos") else "score_thresh=0.02"
    source = BUILT.format(made=f"{name}(weights_backbone=None, num_classes=3, {sizes})")
    source = source.replace("network([", "network(2 * [").replace("], targets)", "], 2 * targets)")
    source = source.replace("network(images, targets)", "network(2 * images, 2 * targets)")
    CASES.append(script(f"torch.manual_seed {D}{name}", source, tolerance=1e-3, large=True))
IN_ONE_SHOT = """
manual_seed(4)
class Backbone(Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Conv2d(3, 8, 3, 8, 1), Conv2d(8, 12, 3, 2, 1)
        self.out_channels = {channels}
        self.same = Conv2d(12, 8, 1)
    def forward(self, x):
        first = self.first(x)
        second = self.second(first)
        return {{"0": first, "1": {second}}}
network = {made}
objects = [np.array([[4, 6, 40, 30], [10, 9, 28, 33]], np.float32), np.zeros((0, 4), np.float32)]
kinds = [np.array([1, 2]), np.zeros(0, np.int64)]
images = [tensor(np.random.default_rng(place).uniform(0, 1, (3, *size)).astype(np.float32)) for place, size in enumerate([(48, 56), (40, 32)])]
result = []
for count in (1, 2):
    targets = [{{"boxes": tensor(boxes), "labels": tensor(kind)}} for boxes, kind in zip(objects, kinds)]
    losses = network(images[:count], targets[:count])
    result += [list(losses), list(losses.values())]
    losses = network(images[1:], targets[1:])
    result += [list(losses), list(losses.values())]
targets = targets[:1] * 2
learning = [value for name, value in network.named_parameters() if not name.startswith("backbone.same") or "{second}" != "second"]
result += weight_gradients(lambda: sum(network(images, targets).values()), *learning)
larger = [(name, value * {factor} if name.startswith("head") else value) for name, value in network.state_dict().items()]
network.load_state_dict(dict(larger))
for found in network.eval()(images):
    result += [sorted(found), found["boxes"].detach(), found["labels"], found["scores"].detach()]
"""
U = f"{D}anchor_utils."
for apis, channels, second, made in (
    (
        f"{U}DefaultBoxGenerator {D}ssd.SSD",
        "[8, 12]",
        "second",
        "SSD(Backbone(), DefaultBoxGenerator([[2], [2, 3]]), (64, 72), 4, score_thresh=0.2)",
    ),
    (
        f"{U}DefaultBoxGenerator {D}ssd.SSDHead {D}ssd.SSD",
        "[8, 12]",
        "second",
        "SSD(Backbone(), DefaultBoxGenerator([[2], [3]], scales=[0.2, 0.4, 0.6], steps=[8, 16], clip=False), (64, 64), 3, [0.4] * 3, [0.3] * 3, SSDHead([8, 12], [4, 4], 3), 0.1, 0.5, 20, 0.4, 30, 0.2)",
    ),
    (
        f"{U}AnchorGenerator {D}FCOS",
        "8",
        "self.same(second)",
        "FCOS(Backbone(), 3, 48, 64, anchor_generator=AnchorGenerator(((8,), (16,)), ((1.0,),) * 2), head=FCOSHead(8, 1, 3, 2), score_thresh=0.06, detections_per_img=30)".replace(
            "head=FCOSHead(8, 1, 3, 2), ", "head=Head(), "
        ),
    ),
):
    factor = 30 if "FCOS" in apis else 3
    source = IN_ONE_SHOT.format(channels=channels, second=second, made=made, factor=factor)
    if "Head()" in source:
        apis = f"torch.nn.ReLU torch.nn.GroupNorm {D}fcos.FCOSHead {D}fcos.FCOSClassificationHead {D}fcos.FCOSRegressionHead {apis}"
        source = (
            """
import functools
def Head():
    norm = functools.partial(GroupNorm, 2)
    head = FCOSHead.__new__(FCOSHead)
    Module.__init__(head)
    head.box_coder = BoxLinearCoder()
    head.classification_head = FCOSClassificationHead(8, 1, 3, 2, norm_layer=norm)
    head.regression_head = FCOSRegressionHead(8, 1, 2, norm)
    return head
"""
            + source
        )
        apis = f"{D}_utils.BoxLinearCoder {apis}"
    CASES.append(script(f"torch.manual_seed torch.nn.Module torch.nn.Conv2d {apis}", source, tolerance=1e-3))
CASES.append(
    script(
        f"{D}_utils.BoxLinearCoder {D}_utils.SSDMatcher {U}DefaultBoxGenerator",
        """
coder, plain = BoxLinearCoder(), BoxLinearCoder(False)
result = [coder.encode(x, y), plain.encode(x, y), coder.decode(x / 9, y), plain.decode(x, y)]
quality = tensor(np.array([[0.1, 0.6, 0.6, 0.2], [0.3, 0.2, 0.7, 0.1]], np.float32))
result += [SSDMatcher(0.5)(quality), SSDMatcher(0.65)(quality)]
boxes = DefaultBoxGenerator([[2], [2, 3]], 0.2, 0.8)
result += [repr(boxes), boxes.num_anchors_per_location(), DefaultBoxGenerator([[2]]).scales]
try:
    DefaultBoxGenerator([[2]], steps=[1, 2])
except ValueError as error:
    result.append(str(error))
""",
        inputs=PAIRS,
    )
)
CASES += [
    script(
        f"torch.manual_seed torchvision.models.vgg11 {D}ssd.SSDFeatureExtractorVGG",
        """
manual_seed(3)
x = tensor(np.random.default_rng(1).uniform(0, 1, (1, 3, 330, 320)).astype(np.float32))
network = SSDFeatureExtractorVGG(vgg11().features, False).eval()
result = [[(name, tuple(value.shape)) for name, value in network.state_dict().items()], list(network(x).items())]
""",
        tolerance=1e-3,
        gradients=False,
        large=True,
    ),
    script(
        f"torch.manual_seed torch.nn.BatchNorm2d torchvision.models.mobilenet_v3_small {D}ssd.SSDClassificationHead "
        f"{D}ssd.SSDRegressionHead {D}ssd.SSDScoringHead {D}ssdlite.SSDLiteClassificationHead "
        f"{D}ssdlite.SSDLiteRegressionHead {D}ssdlite.SSDLiteHead {D}ssdlite.SSDLiteFeatureExtractorMobileNet",
        """
manual_seed(3)
x = tensor(np.random.default_rng(1).uniform(0, 1, (1, 3, 330, 320)).astype(np.float32))
features = [tensor(np.random.default_rng(1).uniform(0, 1, (1, 6, size, 4)).astype(np.float32)) for size in (4, 2)]
result = []
for head in (SSDClassificationHead([6, 6], [2, 3], 4), SSDRegressionHead([6, 6], [2, 3])):
    result += [list(head.state_dict()), head(features), isinstance(head, SSDScoringHead)]
for head in (SSDLiteClassificationHead([6, 6], [2, 3], 4, BatchNorm2d), SSDLiteRegressionHead([6, 6], [2, 3], BatchNorm2d)):
    result += [list(head.state_dict()), head.eval()(features), isinstance(head, SSDScoringHead)]
head = SSDLiteHead([6, 6], [2, 3], 4, BatchNorm2d).eval()
result += [list(head.state_dict()), list(head(features).items())]
backbone = mobilenet_v3_small().features
network = SSDLiteFeatureExtractorMobileNet(backbone, 9, BatchNorm2d, 0.5, 24).eval()
result += [[(name, tuple(value.shape)) for name, value in network.state_dict().items()], [tuple(each.shape) for each in network(x).values()]]
""",
        tolerance=1e-3,
        gradients=False,
    ),
]
BACKBONE = """
manual_seed(8)
network = {made}.eval()
x = tensor(np.random.default_rng(1).uniform(0, 1, (1, 3, 64, 96)).astype(np.float32))
found = network(x)
result = [[name for name, value in network.named_parameters() if value.requires_grad], network.out_channels]
result.append(list(found.items()) if isinstance(found, dict) else found)
"""
for api, made in (
    ("resnet_fpn_backbone", "resnet_fpn_backbone(backbone_name='resnet18', weights=None)"),
    (
        "resnet_fpn_backbone",
        "resnet_fpn_backbone(backbone_name='resnet18', weights=None, trainable_layers=5, returned_layers=[2, 3])",
    ),
    ("mobilenet_backbone", "mobilenet_backbone(backbone_name='mobilenet_v2', weights=None, fpn=False)"),
    (
        "mobilenet_backbone",
        "mobilenet_backbone(backbone_name='mobilenet_v3_small', weights=None, fpn=True, trainable_layers=6)",
    ),
):
    CASES.append(
        script(f"torch.manual_seed {D}backbone_utils.{api}", BACKBONE.format(made=made), tolerance=1e-4)
    )
CASES.append(
    script(
        f"torch.manual_seed torchvision.models.resnet18 {D}backbone_utils.BackboneWithFPN",
        BACKBONE.format(made="BackboneWithFPN(resnet18(), {'layer1': '0', 'layer3': '1'}, [64, 256], 16)"),
        tolerance=1e-4,
    )
)
CASES.extend(
    script(
        f"{D}{name}_Weights",
        f"""
kind = {name}_Weights
picture = tensor(np.random.default_rng(3).uniform(0, 1, (3, 40, 50)).astype(np.float32))
files = [getattr(each.value, "url", each.value).rpartition("/")[2] for each in kind]
result = [[each.name for each in kind], files, kind.DEFAULT.name, kind.DEFAULT.transforms()(picture)]
""",
    )
    for name in (
        "FasterRCNN_ResNet50_FPN",
        "FasterRCNN_ResNet50_FPN_V2",
        "FasterRCNN_MobileNet_V3_Large_FPN",
        "FasterRCNN_MobileNet_V3_Large_320_FPN",
        "MaskRCNN_ResNet50_FPN",
        "MaskRCNN_ResNet50_FPN_V2",
        "KeypointRCNN_ResNet50_FPN",
        "RetinaNet_ResNet50_FPN",
        "RetinaNet_ResNet50_FPN_V2",
        "SSD300_VGG16",
        "SSDLite320_MobileNet_V3_Large",
        "FCOS_ResNet50_FPN",
    )
)
