"""torchvision.models.detection: SSD and SSDlite, which say of boxes all over the image what they show. What
is decided, such as which box is of which object, is decided with NumPy: there is no gradient of it."""

import functools
import itertools
import math
import warnings
from collections import OrderedDict

import mindspore
import numpy as np
from mindspore import ops


class DefaultBoxGenerator(Module):
    """torchvision.models.detection.anchor_utils.DefaultBoxGenerator: boxes around each place."""

    def __init__(self, aspect_ratios, min_ratio=0.15, max_ratio=0.9, scales=None, steps=None, clip=True):
        super().__init__()
        if steps is not None and len(aspect_ratios) != len(steps):
            raise ValueError("aspect_ratios and steps should have the same length")
        self.aspect_ratios, self.steps, self.clip = aspect_ratios, steps, clip
        count = len(aspect_ratios)
        if scales is not None:
            self.scales = scales
        elif count > 1:
            span = max_ratio - min_ratio
            self.scales = [*(min_ratio + span * place / (count - 1.0) for place in range(count)), 1.0]
        else:
            self.scales = [min_ratio, max_ratio]
        self._shapes = [self._shapes_of(place) for place in range(count)]

    def _shapes_of(self, place):
        """The width and height of each box, as shares of the image."""
        size, between = self.scales[place], math.sqrt(self.scales[place] * self.scales[place + 1])
        shapes = [[size, size], [between, between]]
        for ratio in self.aspect_ratios[place]:
            wide, high = size * math.sqrt(ratio), size / math.sqrt(ratio)
            shapes += [[wide, high], [high, wide]]
        return np.array(shapes, np.float32)

    def num_anchors_per_location(self):
        return [2 + 2 * len(ratios) for ratios in self.aspect_ratios]

    def construct(self, image_list, feature_maps):
        height, width = image_list.tensors.shape[-2:]
        found = []
        for place, (feature, shapes) in enumerate(zip(feature_maps, self._shapes)):
            rows, columns = feature.shape[-2:]
            down, right = rows, columns
            if self.steps is not None:
                down, right = height / self.steps[place], width / self.steps[place]
            y = (np.arange(rows, dtype=np.float32) + np.float32(0.5)) / np.float32(down)
            x = (np.arange(columns, dtype=np.float32) + np.float32(0.5)) / np.float32(right)
            y, x = (each.reshape(-1) for each in np.meshgrid(y, x, indexing="ij"))
            shapes = np.clip(shapes, 0, 1) if self.clip else shapes
            middle = np.repeat(np.stack([x, y], 1), len(shapes), 0)
            half = np.tile(shapes, (len(y), 1)) * np.float32(0.5)
            found.append(np.concatenate([middle - half, middle + half], 1))
        boxes = np.concatenate(found) * np.array([width, height, width, height], np.float32)
        whole = mindspore.Tensor(boxes, feature_maps[0].dtype)
        return [whole] * len(image_list.image_sizes)

    def __repr__(self):
        shown = ", ".join(
            f"{name}={getattr(self, name)}" for name in ("aspect_ratios", "clip", "scales", "steps")
        )
        return f"{type(self).__name__}({shown})"


class SSDMatcher(Matcher):
    """torchvision.models.detection._utils.SSDMatcher: each object has the box that is most like it."""

    def __init__(self, threshold):
        super().__init__(threshold, threshold, False)

    def __call__(self, match_quality_matrix):
        matches = super().__call__(match_quality_matrix).asnumpy()
        best = match_quality_matrix.asnumpy().argmax(1)
        matches[best] = np.arange(len(best))
        return mindspore.Tensor(matches)


def start_by_fans(network):
    """The weights that layers of SSD start with."""
    for module in network.modules():
        if isinstance(module, Conv2d):
            xavier_uniform_(module.weight)
            if module.bias is not None:
                zeros_(module.bias)


class SSDScoringHead(Module):
    """torchvision.models.detection.ssd.SSDScoringHead: a layer for each size of the features."""

    def __init__(self, module_list, num_columns):
        super().__init__()
        self.module_list, self.num_columns = module_list, num_columns

    def construct(self, x):
        return rows_of_anchors([layer(each) for layer, each in zip(self.module_list, x)], self.num_columns)


def layers_of_boxes(in_channels, num_anchors, width):
    """For each size of the features a convolution that says so many numbers of each box."""
    sizes = zip(in_channels, num_anchors)
    layers = ModuleList([Conv2d(channels, width * count, 3, padding=1) for channels, count in sizes])
    start_by_fans(layers)
    return layers


class SSDClassificationHead(SSDScoringHead):
    """torchvision.models.detection.ssd.SSDClassificationHead."""

    def __init__(self, in_channels, num_anchors, num_classes):
        super().__init__(layers_of_boxes(in_channels, num_anchors, num_classes), num_classes)


class SSDRegressionHead(SSDScoringHead):
    """torchvision.models.detection.ssd.SSDRegressionHead."""

    def __init__(self, in_channels, num_anchors):
        super().__init__(layers_of_boxes(in_channels, num_anchors, 4), 4)


class SSDHead(Module):
    """torchvision.models.detection.ssd.SSDHead."""

    def __init__(self, in_channels, num_anchors, num_classes):
        super().__init__()
        self.classification_head = SSDClassificationHead(in_channels, num_anchors, num_classes)
        self.regression_head = SSDRegressionHead(in_channels, num_anchors)

    def construct(self, x):
        return {"bbox_regression": self.regression_head(x), "cls_logits": self.classification_head(x)}


def channels_of_layers(backbone, size):
    """How many channels each of the features has that a backbone gives for images of that size."""
    was_training = backbone.training
    backbone.eval()
    features = backbone(ops.zeros((1, 3, size[1], size[0]), mindspore.float32))
    backbone.train(was_training)
    found = [features] if isinstance(features, mindspore.Tensor) else features.values()
    return [feature.shape[1] for feature in found]


class SSD(DetectionNetwork):
    """torchvision.models.detection.ssd.SSD."""

    def __init__(
        self,
        backbone,
        anchor_generator,
        size,
        num_classes,
        image_mean=None,
        image_std=None,
        head=None,
        score_thresh=0.01,
        nms_thresh=0.45,
        detections_per_img=200,
        iou_thresh=0.5,
        topk_candidates=400,
        positive_fraction=0.25,
        **kwargs,
    ):
        super().__init__()
        self.backbone, self.anchor_generator = backbone, anchor_generator
        self.box_coder = BoxCoder((10.0, 10.0, 5.0, 5.0))
        if head is None:
            channels = getattr(backbone, "out_channels", None) or channels_of_layers(backbone, size)
            if len(channels) != len(anchor_generator.aspect_ratios):
                counts = (len(channels), len(anchor_generator.aspect_ratios))
                raise ValueError(
                    f"The length of the output channels from the backbone ({counts[0]}) do not match "
                    f"the length of the anchor generator aspect ratios ({counts[1]})"
                )
            head = SSDHead(channels, anchor_generator.num_anchors_per_location(), num_classes)
        self.head = head
        self.proposal_matcher = SSDMatcher(iou_thresh)
        sizes = {"size_divisible": 1, "fixed_size": size, **kwargs}
        self.transform = change_of_images(min(size), max(size), image_mean, image_std, **sizes)
        self.score_thresh, self.nms_thresh = score_thresh, nms_thresh
        self.detections_per_img, self.topk_candidates = detections_per_img, topk_candidates
        self.neg_to_pos_ratio = (1.0 - positive_fraction) / positive_fraction

    def _matches(self, anchors, targets):
        """For each image, which object each box belongs to, or -1."""
        found = []
        for boxes, target in zip(anchors, targets):
            if target["boxes"].shape[0]:
                found.append(self.proposal_matcher(box_iou(target["boxes"], boxes)).asnumpy())
            else:
                found.append(np.full(boxes.shape[0], -1, np.int64))
        return found

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        distances, kinds, count = [], [], 0
        for target, codes, boxes, matches in zip(
            targets, head_outputs["bbox_regression"], anchors, matched_idxs
        ):
            good = np.flatnonzero(matches >= 0)
            count += len(good)
            meant = np.zeros(len(matches), np.int64)
            if len(good):
                meant[good] = target["labels"].asnumpy()[matches[good]]
                wanted = self.box_coder.encode_single(
                    rows_of(target["boxes"], matches[good]), rows_of(boxes, good)
                )
                distances.append(smooth_l1_loss(rows_of(codes, good), wanted, reduction="sum"))
            else:
                distances.append(codes[:0].sum())
            kinds.append(meant)
        kinds = np.stack(kinds)
        logits = head_outputs["cls_logits"].reshape((-1, head_outputs["cls_logits"].shape[-1]))
        loss = cross_entropy(logits, mindspore.Tensor(kinds.reshape(-1)), reduction="none")
        shown, hardest = self._places_that_count(loss.asnumpy().reshape(kinds.shape), kinds)
        sums = [rows_of(loss, places).sum() if len(places) else loss[:0].sum() for places in (shown, hardest)]
        whole = max(1, count)
        return {
            "bbox_regression": ops.stack(distances).sum() / whole,
            "classification": (sums[0] + sums[1]) / whole,
        }

    def _places_that_count(self, loss, kinds):
        """The boxes that show something, and of each image so many times as many that show nothing and have
        the greatest loss."""
        is_shown = kinds > 0
        order = np.where(np.isnan(loss), -np.inf, -loss)
        ranks = np.where(is_shown, np.inf, order).argsort(1, kind="stable").argsort(1, kind="stable")
        wanted = np.float32(self.neg_to_pos_ratio) * is_shown.sum(1, keepdims=True)
        return np.flatnonzero(is_shown), np.flatnonzero(ranks < wanted)

    def postprocess_detections(self, head_outputs, image_anchors, image_shapes):
        found = []
        shares = ops.softmax(head_outputs["cls_logits"], -1)
        for codes, scores, boxes, size in zip(
            head_outputs["bbox_regression"], shares, image_anchors, image_shapes
        ):
            rows, labels = self._likely(scores.asnumpy())
            if not len(rows):
                empty = ops.zeros((0,), mindspore.int64)
                found.append({"boxes": boxes[:0], "scores": scores.reshape(-1)[:0], "labels": empty})
                continue
            likely = rows_of(scores.reshape(-1), rows * scores.shape[1] + labels)
            decoded = self.box_coder.decode_single(rows_of(codes, rows), rows_of(boxes, rows))
            limits = (self.nms_thresh, self.detections_per_img)
            kept, best = best_boxes(decoded, likely.asnumpy(), labels, size, 0, True, *limits)
            labels = mindspore.Tensor(labels[best].astype(np.int64))
            found.append({"boxes": kept, "scores": rows_of(likely, best), "labels": labels})
        return found

    def _likely(self, scores):
        """The boxes that show something of each kind, the likeliest first, and the kinds."""
        rows, labels = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for label in range(1, scores.shape[1]):
            part = scores[:, label]
            likely = np.flatnonzero(part > np.float32(self.score_thresh))
            likely = likely[np.argsort(-part[likely], kind="stable")[: self.topk_candidates]]
            rows.append(likely)
            labels.append(np.full(len(likely), label, np.int64))
        return np.concatenate(rows), np.concatenate(labels)

    def construct(self, images, targets=None):
        old = [tuple(image.shape[-2:]) for image in images]
        images, targets, features = self._read(images, targets)
        features = list(features.values())
        outputs = self.head(features)
        anchors = self.anchor_generator(images, features)
        if self.training:
            return self.compute_loss(targets, outputs, anchors, self._matches(anchors, targets))
        found = self.postprocess_detections(outputs, anchors, images.image_sizes)
        return self.transform.postprocess(found, images.image_sizes, old)


class SSDFeatureExtractorVGG(Module):
    """torchvision.models.detection.ssd.SSDFeatureExtractorVGG: VGG with more layers."""

    def __init__(self, backbone, highres):
        super().__init__()
        _, _, third, fourth, _ = (
            place for place, layer in enumerate(backbone) if isinstance(layer, MaxPool2d)
        )
        backbone[third].ceil_mode = True
        self.scale_weight = Parameter(ones(512) * 20)
        self.features = Sequential(*backbone[:fourth])
        sizes = [(1024, 256, 512, 3, 1, 2), (512, 128, 256, 3, 1, 2), *[(256, 128, 256, 3, 0, 1)] * 2]
        if highres:
            sizes.append((256, 128, 256, 4, 0, 1))
        extra = ModuleList([self._smaller(*each) for each in sizes])
        start_by_fans(extra)
        last = Sequential(
            MaxPool2d(3, 1, 1),
            Conv2d(512, 1024, 3, padding=6, dilation=6),
            ReLU(inplace=True),
            Conv2d(1024, 1024, 1),
            ReLU(inplace=True),
        )
        start_by_fans(last)
        extra.insert(0, Sequential(*backbone[fourth:-1], last))
        self.extra = extra

    @staticmethod
    def _smaller(channels, narrow, wide, kernel, padding, stride):
        return Sequential(
            Conv2d(channels, narrow, 1),
            ReLU(inplace=True),
            Conv2d(narrow, wide, kernel, stride, padding),
            ReLU(inplace=True),
        )

    def construct(self, x):
        x = self.features(x)
        found = [self.scale_weight.reshape((1, -1, 1, 1)) * normalize(x)]
        for block in self.extra:
            x = block(x)
            found.append(x)
        return OrderedDict((str(place), each) for place, each in enumerate(found))


def freeze_first(layers, stages, count):
    """All but so many of the last stages, which begin at such layers, learn no more."""
    first = len(layers) if count == 0 else stages[len(stages) - count]
    for layer in layers[:first]:
        for parameter in layer.parameters():
            parameter.requires_grad_(False)


def refuse_size(options):
    """Says that the size of images cannot be chosen."""
    if "size" in options:
        warnings.warn("The size of the model is already fixed; ignoring the parameter.", stacklevel=3)


def single_shot(weights_backbone, is_trained, trainable_backbone_layers, num_classes, **options):
    """SSD above VGG-16."""
    refuse_size(options)
    count = learning_layers(is_trained, trainable_backbone_layers, 5, 4)
    layers = vgg16(weights=weights_backbone).features
    pools = [place for place, layer in enumerate(layers) if isinstance(layer, MaxPool2d)]
    freeze_first(layers, [0, *pools[:-1]], count)
    boxes = DefaultBoxGenerator(
        [[2], [2, 3], [2, 3], [2, 3], [2], [2]],
        scales=[0.07, 0.15, 0.33, 0.51, 0.69, 0.87, 1.05],
        steps=[8, 16, 32, 64, 100, 300],
    )
    usual = {"image_mean": [0.48235, 0.45882, 0.40784], "image_std": [1.0 / 255.0] * 3}
    return SSD(SSDFeatureExtractorVGG(layers, False), boxes, (300, 300), num_classes, **{**usual, **options})


class SSD300_VGG16_Weights(PretrainedWeights):
    """torchvision.models.detection.SSD300_VGG16_Weights."""

    COCO_V1 = "ssd300_vgg16_coco-b556d3b4.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.ssd300_vgg16
ssd300_vgg16 = published_detection(
    "ssd300_vgg16", SSD300_VGG16_Weights, VGG16_Weights, single_shot, VGG16_Weights.IMAGENET1K_FEATURES
)


def start_with_spread(network):
    """The weights that layers of SSDlite start with."""
    for module in network.modules():
        if isinstance(module, Conv2d):
            normal_(module.weight, 0.0, 0.03)
            if module.bias is not None:
                zeros_(module.bias)


def light_layers_of_boxes(in_channels, num_anchors, width, norm_layer):
    """As `layers_of_boxes`, each channel by itself first."""
    layers = ModuleList()
    for channels, count in zip(in_channels, num_anchors):
        kinds = {"groups": channels, "norm_layer": norm_layer, "activation_layer": ReLU6}
        first = Conv2dNormActivation(channels, channels, 3, **kinds)
        layers.append(Sequential(first, Conv2d(channels, width * count, 1)))
    start_with_spread(layers)
    return layers


class SSDLiteClassificationHead(SSDScoringHead):
    """torchvision.models.detection.ssdlite.SSDLiteClassificationHead."""

    def __init__(self, in_channels, num_anchors, num_classes, norm_layer):
        layers = light_layers_of_boxes(in_channels, num_anchors, num_classes, norm_layer)
        super().__init__(layers, num_classes)


class SSDLiteRegressionHead(SSDScoringHead):
    """torchvision.models.detection.ssdlite.SSDLiteRegressionHead."""

    def __init__(self, in_channels, num_anchors, norm_layer):
        super().__init__(light_layers_of_boxes(in_channels, num_anchors, 4, norm_layer), 4)


class SSDLiteHead(Module):
    """torchvision.models.detection.ssdlite.SSDLiteHead."""

    def __init__(self, in_channels, num_anchors, num_classes, norm_layer):
        super().__init__()
        self.classification_head = SSDLiteClassificationHead(
            in_channels, num_anchors, num_classes, norm_layer
        )
        self.regression_head = SSDLiteRegressionHead(in_channels, num_anchors, norm_layer)

    def construct(self, x):
        return {"bbox_regression": self.regression_head(x), "cls_logits": self.classification_head(x)}


class SSDLiteFeatureExtractorMobileNet(Module):
    """torchvision.models.detection.ssdlite.SSDLiteFeatureExtractorMobileNet."""

    def __init__(self, backbone, c4_pos, norm_layer, width_mult=1.0, min_depth=16):
        super().__init__()
        if backbone[c4_pos].use_res_connect:
            raise ValueError("backbone[c4_pos].use_res_connect should be False")
        parts = backbone[c4_pos].block
        self.features = Sequential(
            Sequential(*backbone[:c4_pos], parts[0]),
            Sequential(parts[1:], *backbone[c4_pos + 1 :]),
        )
        widths = [backbone[-1].out_channels]
        widths += [max(min_depth, int(width * width_mult)) for width in (512, 256, 256, 128)]
        extra = ModuleList()
        for before, behind in itertools.pairwise(widths):
            extra.append(self._smaller(before, behind, norm_layer))
        start_with_spread(extra)
        self.extra = extra

    @staticmethod
    def _smaller(channels, wide, norm_layer):
        narrow, kinds = wide // 2, {"norm_layer": norm_layer, "activation_layer": ReLU6}
        return Sequential(
            Conv2dNormActivation(channels, narrow, 1, **kinds),
            Conv2dNormActivation(narrow, narrow, 3, 2, groups=narrow, **kinds),
            Conv2dNormActivation(narrow, wide, 1, **kinds),
        )

    def construct(self, x):
        found = OrderedDict()
        for block in (*self.features, *self.extra):
            x = block(x)
            found[str(len(found))] = x
        return found


def light_single_shot(
    weights_backbone, is_trained, trainable_backbone_layers, num_classes, norm_layer=None, **options
):
    """SSDlite above MobileNetV3."""
    refuse_size(options)
    count = learning_layers(is_trained, trainable_backbone_layers, 6, 6)
    norm_layer = norm_layer or functools.partial(BatchNorm2d, eps=0.001, momentum=0.03)
    is_new = weights_backbone is None
    made = mobilenet_v3_large(weights=weights_backbone, norm_layer=norm_layer, reduced_tail=is_new, **options)
    if is_new:
        start_with_spread(made)
    stages = stages_of(made.features)
    freeze_first(made.features, stages, count)
    backbone = SSDLiteFeatureExtractorMobileNet(made.features, stages[-2], norm_layer)
    boxes = DefaultBoxGenerator([[2, 3] for _ in range(6)], min_ratio=0.2, max_ratio=0.95)
    channels = channels_of_layers(backbone, (320, 320))
    usual = {
        "head": SSDLiteHead(channels, boxes.num_anchors_per_location(), num_classes, norm_layer),
        "score_thresh": 0.001,
        "nms_thresh": 0.55,
        "detections_per_img": 300,
        "topk_candidates": 300,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    return SSD(backbone, boxes, (320, 320), num_classes, **{**usual, **options})


class SSDLite320_MobileNet_V3_Large_Weights(PretrainedWeights):
    """torchvision.models.detection.SSDLite320_MobileNet_V3_Large_Weights."""

    COCO_V1 = "ssdlite320_mobilenet_v3_large_coco-a79551df.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.ssdlite320_mobilenet_v3_large
ssdlite320_mobilenet_v3_large = published_detection(
    "ssdlite320_mobilenet_v3_large",
    SSDLite320_MobileNet_V3_Large_Weights,
    MobileNet_V3_Large_Weights,
    light_single_shot,
)
