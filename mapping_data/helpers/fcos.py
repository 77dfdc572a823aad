"""torchvision.models.detection: FCOS, which says of every place which object it is in, and how far from its
edges."""

import functools
import math

import mindspore
import numpy as np
from mindspore import ops


class BoxLinearCoder:
    """torchvision.models.detection._utils.BoxLinearCoder: boxes told by how far their edges are from the
    middle of others, as shares of the others' sizes."""

    def __init__(self, normalize_by_size=True):
        self.normalize_by_size = normalize_by_size

    def _middles_and_sizes(self, boxes):
        middle, size = 0.5 * (boxes[..., :2] + boxes[..., 2:]), boxes[..., 2:] - boxes[..., :2]
        return middle, ops.cat([size, size], -1) if self.normalize_by_size else 1

    def encode(self, reference_boxes, proposals):
        middle, size = self._middles_and_sizes(reference_boxes)
        return ops.cat([middle - proposals[..., :2], proposals[..., 2:] - middle], -1) / size

    def decode(self, rel_codes, boxes):
        middle, size = self._middles_and_sizes(boxes.astype(rel_codes.dtype))
        codes = rel_codes * size
        return ops.cat([middle - codes[..., :2], middle + codes[..., 2:]], -1)


def layers_of_head(in_channels, num_convs, norm_layer):
    """Convolutions that keep sizes and channels."""
    norm_layer = norm_layer or functools.partial(GroupNorm, 32)
    layers = []
    for _ in range(num_convs):
        layers += [Conv2d(in_channels, in_channels, 3, 1, 1), norm_layer(in_channels), ReLU()]
    return Sequential(*layers)


class FCOSClassificationHead(Module):
    """torchvision.models.detection.fcos.FCOSClassificationHead."""

    def __init__(
        self, in_channels, num_anchors, num_classes, num_convs=4, prior_probability=0.01, norm_layer=None
    ):
        super().__init__()
        self.num_classes, self.num_anchors = num_classes, num_anchors
        self.conv = layers_of_head(in_channels, num_convs, norm_layer)
        start_near_zero(self.conv)
        self.cls_logits = Conv2d(in_channels, num_anchors * num_classes, 3, 1, 1)
        normal_(self.cls_logits.weight, std=0.01)
        constant_(self.cls_logits.bias, -math.log((1 - prior_probability) / prior_probability))

    def construct(self, x):
        return rows_of_anchors([self.cls_logits(self.conv(each)) for each in x], self.num_classes)


class FCOSRegressionHead(Module):
    """torchvision.models.detection.fcos.FCOSRegressionHead."""

    def __init__(self, in_channels, num_anchors, num_convs=4, norm_layer=None):
        super().__init__()
        self.conv = layers_of_head(in_channels, num_convs, norm_layer)
        self.bbox_reg = Conv2d(in_channels, num_anchors * 4, 3, 1, 1)
        self.bbox_ctrness = Conv2d(in_channels, num_anchors, 3, 1, 1)
        for part in (self.bbox_reg, self.bbox_ctrness, self.conv):
            start_near_zero(part)

    def construct(self, x):
        read = [self.conv(each) for each in x]
        codes = rows_of_anchors([relu(self.bbox_reg(each)) for each in read], 4)
        return codes, rows_of_anchors([self.bbox_ctrness(each) for each in read], 1)


def middles_of_objects(boxes, meant):
    """How near to the middle of an object the middle of each box is: 1 there, 0 at its edge."""
    middle = (boxes[:, :2] + boxes[:, 2:]) * np.float32(0.5)
    before, behind = middle - meant[:, :2], meant[:, 2:] - middle
    shares = np.minimum(before, behind) / np.maximum(before, behind)
    return np.sqrt(shares[:, 0] * shares[:, 1])


class FCOSHead(Module):
    """torchvision.models.detection.fcos.FCOSHead."""

    def __init__(self, in_channels, num_anchors, num_classes, num_convs=4):
        super().__init__()
        self.box_coder = BoxLinearCoder(normalize_by_size=True)
        self.classification_head = FCOSClassificationHead(in_channels, num_anchors, num_classes, num_convs)
        self.regression_head = FCOSRegressionHead(in_channels, num_anchors, num_convs)

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        logits, codes = head_outputs["cls_logits"], head_outputs["bbox_regression"].reshape((-1, 4))
        middles = head_outputs["bbox_ctrness"].reshape(-1)
        wanted, meant = np.zeros(logits.shape, np.float32), []
        for place, (target, matches) in enumerate(zip(targets, matched_idxs)):
            matches = matches.asnumpy()
            good = np.flatnonzero(matches >= 0)
            wanted[place, good, target["labels"].asnumpy()[matches[good]]] = 1.0
            meant.append(target["boxes"].asnumpy()[matches[good]])
        good = np.flatnonzero(np.concatenate([matches.asnumpy() for matches in matched_idxs]) >= 0)
        losses = {
            "classification": sigmoid_focal_loss(
                logits, mindspore.Tensor(wanted, logits.dtype), reduction="sum"
            )
        }
        if len(good):
            meant = np.concatenate(meant).astype(np.float32)
            boxes = np.concatenate([each.asnumpy() for each in anchors])[good]
            found = self.box_coder.decode(rows_of(codes, good), mindspore.Tensor(boxes))
            losses["bbox_regression"] = generalized_box_iou_loss(
                found, mindspore.Tensor(meant), reduction="sum"
            )
            near = mindspore.Tensor(middles_of_objects(boxes, meant), middles.dtype)
            losses["bbox_ctrness"] = binary_cross_entropy_with_logits(
                rows_of(middles, good), near, reduction="sum"
            )
        else:
            losses["bbox_regression"], losses["bbox_ctrness"] = codes[:0].sum(), middles[:0].sum()
        return {name: loss / max(1, len(good)) for name, loss in losses.items()}

    def construct(self, x):
        logits = self.classification_head(x)
        codes, middles = self.regression_head(x)
        return {"cls_logits": logits, "bbox_regression": codes, "bbox_ctrness": middles}


def objects_of_places(boxes, meant, radius, first, last):
    """Which object each box belongs to, by its middle, or -1: the smallest that the middle is in and near to
    whose own middle it is, and whose size suits that of the box. Small ones have the `first` boxes, too, and
    large ones the `last`."""
    found, own = ((each[:, :2] + each[:, 2:]) / 2 for each in (boxes, meant))
    sizes = boxes[:, 2] - boxes[:, 0]
    is_near = np.abs(found[:, None] - own[None]).max(2) < np.float32(radius) * sizes[:, None]
    edges = np.concatenate([found[:, None] - meant[None, :, :2], meant[None, :, 2:] - found[:, None]], 2)
    least, most = sizes * 4, sizes * 8
    least[:first] = 0
    most[-last:] = np.inf
    farthest = edges.max(2)
    suits = (farthest > least[:, None]) & (farthest < most[:, None])
    areas = (meant[:, 2] - meant[:, 0]) * (meant[:, 3] - meant[:, 1])
    smallness = (is_near & (edges.min(2) > 0) & suits) * (np.float32(1e8) - areas)[None]
    return np.where(smallness.max(1) < 1e-5, -1, smallness.argmax(1))


class FCOS(DetectionNetwork):
    """torchvision.models.detection.FCOS."""

    def __init__(
        self,
        backbone,
        num_classes,
        min_size=800,
        max_size=1333,
        image_mean=None,
        image_std=None,
        anchor_generator=None,
        head=None,
        center_sampling_radius=1.5,
        score_thresh=0.2,
        nms_thresh=0.6,
        detections_per_img=100,
        topk_candidates=1000,
        **kwargs,
    ):
        super().__init__()
        channels = channels_of(backbone)
        self.backbone = backbone
        if not isinstance(anchor_generator, (AnchorGenerator, type(None))):
            found = type(anchor_generator)
            raise TypeError(
                f"anchor_generator should be of type AnchorGenerator or None, instead  got {found}"
            )
        if anchor_generator is None:
            anchor_generator = AnchorGenerator(((8,), (16,), (32,), (64,), (128,)), ((1.0,),) * 5)
        self.anchor_generator = anchor_generator
        count = anchor_generator.num_anchors_per_location()[0]
        if count != 1:
            raise ValueError(f"anchor_generator.num_anchors_per_location()[0] should be 1 instead of {count}")
        self.head = head or FCOSHead(channels, count, num_classes)
        self.box_coder = BoxLinearCoder(normalize_by_size=True)
        self.transform = change_of_images(min_size, max_size, image_mean, image_std, **kwargs)
        self.center_sampling_radius, self.score_thresh = center_sampling_radius, score_thresh
        self.nms_thresh, self.detections_per_img = nms_thresh, detections_per_img
        self.topk_candidates = topk_candidates

    def compute_loss(self, targets, head_outputs, anchors, num_anchors_per_level):
        ends = (num_anchors_per_level[0], num_anchors_per_level[-1])
        matches = []
        for boxes, target in zip(anchors, targets):
            found = np.full(boxes.shape[0], -1, np.int64)
            if target["boxes"].shape[0]:
                meant = target["boxes"].asnumpy()
                found = objects_of_places(boxes.asnumpy(), meant, self.center_sampling_radius, *ends)
            matches.append(mindspore.Tensor(found.astype(np.int64)))
        return self.head.compute_loss(targets, head_outputs, anchors, matches)

    def postprocess_detections(self, head_outputs, anchors, image_shapes, counts):
        names = ("cls_logits", "bbox_regression", "bbox_ctrness")
        found = []
        for logits, codes, middles, boxes, size in zip(
            *(head_outputs[name] for name in names), anchors, image_shapes
        ):
            scores = ops.sqrt(ops.sigmoid(logits) * ops.sigmoid(middles))
            found.append(found_in_levels(self, scores, codes, boxes, size, counts, self.box_coder.decode))
        return found

    def construct(self, images, targets=None):
        old = [tuple(image.shape[-2:]) for image in images]
        images, targets, features = self._read(images, targets)
        features = list(features.values())
        outputs = self.head(features)
        anchors = self.anchor_generator(images, features)
        counts = [math.prod(feature.shape[2:]) for feature in features]
        if self.training:
            return self.compute_loss(targets, outputs, anchors, counts)
        found = self.postprocess_detections(outputs, anchors, images.image_sizes, counts)
        return self.transform.postprocess(found, images.image_sizes, old)


class FCOS_ResNet50_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.FCOS_ResNet50_FPN_Weights."""

    COCO_V1 = "fcos_resnet50_fpn_coco-99b0c9b7.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.fcos_resnet50_fpn
fcos_resnet50_fpn = published_detection(
    "fcos_resnet50_fpn", FCOS_ResNet50_FPN_Weights, ResNet50_Weights, functools.partial(first_retina, FCOS)
)
