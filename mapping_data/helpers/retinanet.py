"""torchvision.models.detection: RetinaNet, which says of every anchor what it shows, and where that is."""

import functools
import math

import mindspore
import numpy as np
from mindspore import ops


class HeadOfRetinaNet(Module):
    """Four convolutions, and one that says something of each anchor, which takes so many numbers."""

    def __init__(self, in_channels, norm_layer):
        super().__init__()
        layers = [Conv2dNormActivation(in_channels, in_channels, norm_layer=norm_layer) for _ in range(4)]
        self.conv = Sequential(*layers)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        # newer files have "conv.2.0" where older ones have "conv.4", so the first are renamed first
        if f"{prefix}conv.2.weight" in state_dict:
            for place in range(4):
                renamed(state_dict, f"{prefix}conv.{2 * place}", f"{prefix}conv.{place}.0")
        super()._load_from_state_dict(state_dict, prefix, *args)


class RetinaNetClassificationHead(HeadOfRetinaNet):
    """torchvision.models.detection.retinanet.RetinaNetClassificationHead."""

    def __init__(self, in_channels, num_anchors, num_classes, prior_probability=0.01, norm_layer=None):
        super().__init__(in_channels, norm_layer)
        start_near_zero(self.conv)
        self.cls_logits = Conv2d(in_channels, num_anchors * num_classes, 3, padding=1)
        normal_(self.cls_logits.weight, std=0.01)
        constant_(self.cls_logits.bias, -math.log((1 - prior_probability) / prior_probability))
        self.num_classes, self.num_anchors = num_classes, num_anchors
        self.BETWEEN_THRESHOLDS = Matcher.BETWEEN_THRESHOLDS

    def compute_loss(self, targets, head_outputs, matched_idxs):
        losses = []
        for target, logits, matches in zip(targets, head_outputs["cls_logits"], matched_idxs):
            matches = matches.asnumpy()
            good = np.flatnonzero(matches >= 0)
            meant = np.zeros(logits.shape, np.float32)
            meant[good, target["labels"].asnumpy()[matches[good]]] = 1.0
            counted = np.flatnonzero(matches != self.BETWEEN_THRESHOLDS)
            loss = sigmoid_focal_loss(
                rows_of(logits, counted),
                mindspore.Tensor(meant[counted], logits.dtype),
                reduction="sum",
            )
            losses.append(loss / max(1, len(good)))
        return sum(losses[1:], losses[0]) / len(targets)

    def construct(self, x):
        return rows_of_anchors([self.cls_logits(self.conv(each)) for each in x], self.num_classes)


class RetinaNetRegressionHead(HeadOfRetinaNet):
    """torchvision.models.detection.retinanet.RetinaNetRegressionHead."""

    def __init__(self, in_channels, num_anchors, norm_layer=None):
        super().__init__(in_channels, norm_layer)
        self.bbox_reg = Conv2d(in_channels, num_anchors * 4, 3, padding=1)
        normal_(self.bbox_reg.weight, std=0.01)
        zeros_(self.bbox_reg.bias)
        start_near_zero(self.conv)
        self.box_coder = BoxCoder((1.0, 1.0, 1.0, 1.0))
        self._loss_type = "l1"

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        losses = []
        for target, codes, boxes, matches in zip(
            targets, head_outputs["bbox_regression"], anchors, matched_idxs
        ):
            matches = matches.asnumpy()
            good = np.flatnonzero(matches >= 0)
            if not len(good):
                losses.append(codes[:0].sum())
                continue
            codes, boxes = rows_of(codes, good), rows_of(boxes, good)
            meant = rows_of(target["boxes"], matches[good])
            losses.append(loss_of_codes(self._loss_type, self.box_coder, boxes, meant, codes) / len(good))
        return sum(losses[1:], losses[0]) / max(1, len(targets))

    def construct(self, x):
        return rows_of_anchors([self.bbox_reg(self.conv(each)) for each in x], 4)


def loss_of_codes(kind, coder, boxes, meant, codes):
    """How far boxes that are told by how they differ from others are from those that are meant."""
    if kind in ("l1", "smooth_l1"):
        loss = l1_loss if kind == "l1" else smooth_l1_loss
        return loss(codes, coder.encode_single(meant, boxes), reduction="sum")
    losses = {
        "ciou": complete_box_iou_loss,
        "diou": distance_box_iou_loss,
        "giou": generalized_box_iou_loss,
    }
    if kind not in losses:
        raise AssertionError(f"Unsupported loss: {kind}")
    return losses[kind](coder.decode_single(codes, boxes), meant, reduction="sum", eps=1e-7)


class RetinaNetHead(Module):
    """torchvision.models.detection.retinanet.RetinaNetHead."""

    def __init__(self, in_channels, num_anchors, num_classes, norm_layer=None):
        super().__init__()
        self.classification_head = RetinaNetClassificationHead(
            in_channels, num_anchors, num_classes, norm_layer=norm_layer
        )
        self.regression_head = RetinaNetRegressionHead(in_channels, num_anchors, norm_layer=norm_layer)

    def compute_loss(self, targets, head_outputs, anchors, matched_idxs):
        return {
            "classification": self.classification_head.compute_loss(targets, head_outputs, matched_idxs),
            "bbox_regression": self.regression_head.compute_loss(
                targets, head_outputs, anchors, matched_idxs
            ),
        }

    def construct(self, x):
        return {"cls_logits": self.classification_head(x), "bbox_regression": self.regression_head(x)}


def anchors_of_retina():
    """The anchors that RetinaNet has: three sizes and three shapes for each place of five features."""
    sizes = tuple(
        (size, int(size * 2 ** (1.0 / 3)), int(size * 2 ** (2.0 / 3))) for size in (32, 64, 128, 256, 512)
    )
    return AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * len(sizes))


def likely_places(scores, counts, threshold, most):
    """The places of the scores that are high enough, no more than some of each size of the features, of which
    each has so many boxes."""
    places, start = [], 0
    for count in counts:
        part = scores[start : start + count].reshape(-1)
        likely = np.flatnonzero(part > np.float32(threshold))
        order = np.argsort(-part[likely], kind="stable")[:most]
        places.append(start * scores.shape[1] + likely[order])
        start += count
    return np.concatenate(places)


def found_in_levels(network, scores, codes, boxes, size, counts, decode):
    """What is found in an image by the scores of each box for each kind, and by how other boxes differ from
    these. There are so many boxes for each size of the features."""
    places = likely_places(scores.asnumpy(), counts, network.score_thresh, network.topk_candidates)
    if not len(places):
        empty = ops.zeros((0,), mindspore.int64)
        return {"boxes": boxes[:0], "scores": scores.reshape(-1)[:0], "labels": empty}
    likely = rows_of(scores.reshape(-1), places)
    labels, rows = places % scores.shape[1], places // scores.shape[1]
    found = decode(rows_of(codes, rows), rows_of(boxes, rows))
    limits = (network.nms_thresh, network.detections_per_img)
    kept, best = best_boxes(found, likely.asnumpy(), labels, size, 0, True, *limits)
    labels = mindspore.Tensor(labels[best].astype(np.int64))
    return {"boxes": kept, "scores": rows_of(likely, best), "labels": labels}


class RetinaNet(DetectionNetwork):
    """torchvision.models.detection.RetinaNet."""

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
        proposal_matcher=None,
        score_thresh=0.05,
        nms_thresh=0.5,
        detections_per_img=300,
        fg_iou_thresh=0.5,
        bg_iou_thresh=0.4,
        topk_candidates=1000,
        **kwargs,
    ):
        super().__init__()
        channels = channels_of(backbone)
        self.backbone = backbone
        self.anchor_generator = anchor_generator or anchors_of_retina()
        count = self.anchor_generator.num_anchors_per_location()[0]
        self.head = head or RetinaNetHead(channels, count, num_classes)
        self.proposal_matcher = proposal_matcher or Matcher(fg_iou_thresh, bg_iou_thresh, True)
        self.box_coder = BoxCoder((1.0, 1.0, 1.0, 1.0))
        self.transform = change_of_images(min_size, max_size, image_mean, image_std, **kwargs)
        self.score_thresh, self.nms_thresh = score_thresh, nms_thresh
        self.detections_per_img, self.topk_candidates = detections_per_img, topk_candidates

    def compute_loss(self, targets, head_outputs, anchors):
        matches = []
        for boxes, target in zip(anchors, targets):
            if target["boxes"].shape[0]:
                matches.append(self.proposal_matcher(box_iou(target["boxes"], boxes)))
            else:
                matches.append(mindspore.Tensor(np.full(boxes.shape[0], -1, np.int64)))
        return self.head.compute_loss(targets, head_outputs, anchors, matches)

    def postprocess_detections(self, head_outputs, anchors, image_shapes, counts):
        decode = self.box_coder.decode_single
        return [
            found_in_levels(self, ops.sigmoid(logits), codes, boxes, size, counts, decode)
            for logits, codes, boxes, size in zip(
                head_outputs["cls_logits"], head_outputs["bbox_regression"], anchors, image_shapes
            )
        ]

    def construct(self, images, targets=None):
        old = [tuple(image.shape[-2:]) for image in images]
        images, targets, features = self._read(images, targets)
        features = list(features.values())
        outputs = self.head(features)
        anchors = self.anchor_generator(images, features)
        if self.training:
            return self.compute_loss(targets, outputs, anchors)
        places = [math.prod(feature.shape[2:]) for feature in features]
        share = outputs["cls_logits"].shape[1] // sum(places)
        counts = [count * share for count in places]
        found = self.postprocess_detections(outputs, anchors, images.image_sizes, counts)
        return self.transform.postprocess(found, images.image_sizes, old)


def first_retina(network, weights_backbone, is_trained, trainable_backbone_layers, num_classes, **options):
    """RetinaNet above a ResNet-50 that does not change its statistics once they are trained."""
    layers = learning_layers(is_trained, trainable_backbone_layers, 5)
    backbone = resnet50(weights=weights_backbone, norm_layer=FrozenBatchNorm2d if is_trained else BatchNorm2d)
    pyramid = residual_pyramid(backbone, layers, [2, 3, 4], LastLevelP6P7(256, 256))
    return network(pyramid, num_classes, **options)


def second_retina(network, weights_backbone, is_trained, trainable_backbone_layers, num_classes, **options):
    """RetinaNet above a ResNet-50, whose heads are normalized."""
    layers = learning_layers(is_trained, trainable_backbone_layers, 5)
    backbone = resnet50(weights=weights_backbone)
    pyramid = residual_pyramid(backbone, layers, [2, 3, 4], LastLevelP6P7(2048, 256))
    anchors = anchors_of_retina()
    count, norm_layer = anchors.num_anchors_per_location()[0], functools.partial(GroupNorm, 32)
    head = RetinaNetHead(256, count, num_classes, norm_layer)
    head.regression_head._loss_type = "giou"
    return network(pyramid, num_classes, **{"anchor_generator": anchors, "head": head, **options})


class RetinaNet_ResNet50_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.RetinaNet_ResNet50_FPN_Weights."""

    COCO_V1 = "retinanet_resnet50_fpn_coco-eeacb38b.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.retinanet_resnet50_fpn
retinanet_resnet50_fpn = published_detection(
    "retinanet_resnet50_fpn",
    RetinaNet_ResNet50_FPN_Weights,
    ResNet50_Weights,
    functools.partial(first_retina, RetinaNet),
    eps=0.0,
)


class RetinaNet_ResNet50_FPN_V2_Weights(PretrainedWeights):
    """torchvision.models.detection.RetinaNet_ResNet50_FPN_V2_Weights."""

    COCO_V1 = "retinanet_resnet50_fpn_v2_coco-5905b1c5.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.retinanet_resnet50_fpn_v2
retinanet_resnet50_fpn_v2 = published_detection(
    "retinanet_resnet50_fpn_v2",
    RetinaNet_ResNet50_FPN_V2_Weights,
    ResNet50_Weights,
    functools.partial(second_retina, RetinaNet),
    has_read=False,
)
