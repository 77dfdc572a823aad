"""torchvision.models.detection: networks that find objects in images, and their outlines. What is decided,
such as which box is of which object, is decided with NumPy: there is no gradient of it."""

import functools
import itertools
import math
import warnings
from collections import OrderedDict

import mindspore
import numpy as np
from mindspore import ops


class ImageList:
    """torchvision.models.detection.image_list.ImageList: images in one Tensor, with their own sizes."""

    def __init__(self, tensors, image_sizes):
        self.tensors, self.image_sizes = tensors, image_sizes

    def to(self, device):
        return ImageList(self.tensors.to(device), self.image_sizes)


def resized_boxes(boxes, old, new):
    """Boxes of images of one size, in images of another."""
    height, width = (np.float32(after) / np.float32(before) for after, before in zip(new, old))
    return boxes * mindspore.Tensor(np.array([width, height, width, height], np.float32), boxes.dtype)


def resized_points(points, old, new):
    """Points, with whether they are seen, of images of one size, in images of another."""
    height, width = (np.float32(after) / np.float32(before) for after, before in zip(new, old))
    return points * mindspore.Tensor(np.array([width, height, 1], np.float32), points.dtype)


def pasted_masks(masks, boxes, size, padding=1):
    """Masks of objects that are as large as an image, from small ones for their boxes."""
    height, width = size
    side = masks.shape[-1]
    larger = (side + 2 * padding) / side
    values = boxes.asnumpy()
    middle, half = (values[:, 2:] + values[:, :2]) * 0.5, (values[:, 2:] - values[:, :2]) * 0.5
    half *= np.float32(larger)
    places = np.concatenate([middle - half, middle + half], 1).astype(np.int64)
    found = np.zeros((len(places), 1, height, width), np.float32)
    padded = pad(masks, (padding,) * 4)
    for number, (left, top, right, bottom) in enumerate(places.tolist()):
        sides = (max(bottom - top + 1, 1), max(right - left + 1, 1))
        mask = interpolate(padded[number : number + 1], sides, mode="bilinear", align_corners=False)
        x, y = (max(left, 0), min(right + 1, width)), (max(top, 0), min(bottom + 1, height))
        if x[1] > x[0] and y[1] > y[0]:
            shown = mask.asnumpy()[0, 0, y[0] - top : y[1] - top, x[0] - left : x[1] - left]
            found[number, 0, y[0] : y[1], x[0] : x[1]] = shown
    return mindspore.Tensor(found)


class GeneralizedRCNNTransform(Module):
    """torchvision.models.detection.transform.GeneralizedRCNNTransform."""

    def __init__(
        self, min_size, max_size, image_mean, image_std, size_divisible=32, fixed_size=None, **kwargs
    ):
        super().__init__()
        self.min_size = min_size if isinstance(min_size, (list, tuple)) else (min_size,)
        self.max_size, self.image_mean, self.image_std = max_size, image_mean, image_std
        self.size_divisible, self.fixed_size = size_divisible, fixed_size
        self._skip_resize = kwargs.pop("_skip_resize", False)

    def normalize(self, image):
        if not image.is_floating_point():
            raise TypeError(
                "Expected input images to be of floating type (in range [0, 1]), "
                f"but found type {image.dtype} instead"
            )
        mean, spread = (
            mindspore.Tensor(np.array(each, np.float32)[:, None, None], image.dtype)
            for each in (self.image_mean, self.image_std)
        )
        return (image - mean) / spread

    def resize(self, image, target=None):
        if self.training:
            if self._skip_resize:
                return image, target
            size = self.min_size[int(default_generator.single((1,))[0] * np.float32(len(self.min_size)))]
        else:
            size = self.min_size[-1]
        old = image.shape[-2:]
        if self.fixed_size is not None:
            sizes = {"size": [self.fixed_size[1], self.fixed_size[0]]}
        else:
            scale = min(size / min(old), self.max_size / max(old))
            sizes = {"scale_factor": scale, "recompute_scale_factor": True}
        image = interpolate(image[None], **sizes, mode="bilinear", align_corners=False)[0]
        if target is None:
            return image, target
        target = {**target, "boxes": resized_boxes(target["boxes"], old, image.shape[-2:])}
        if "masks" in target:
            masks = interpolate(target["masks"][:, None].astype(mindspore.float32), **sizes)
            target["masks"] = masks[:, 0].astype(mindspore.uint8)
        if "keypoints" in target:
            target["keypoints"] = resized_points(target["keypoints"], old, image.shape[-2:])
        return image, target

    def batch_images(self, images, size_divisible=32):
        height, width = (
            math.ceil(max(image.shape[axis] for image in images) / size_divisible) * size_divisible
            for axis in (1, 2)
        )
        return ops.stack(
            [pad(image, (0, width - image.shape[2], 0, height - image.shape[1])) for image in images]
        )

    def construct(self, images, targets=None):
        changed, targets = [], None if targets is None else list(targets)
        for place, image in enumerate(images):
            if image.ndim != 3:
                raise ValueError(
                    f"images is expected to be a list of 3d tensors of shape [C, H, W], got {image.shape}"
                )
            target = None if targets is None else targets[place]
            image, target = self.resize(self.normalize(image), target)
            changed.append(image)
            if targets is not None:
                targets[place] = target
        sizes = [tuple(image.shape[-2:]) for image in changed]
        return ImageList(self.batch_images(changed, self.size_divisible), sizes), targets

    def postprocess(self, result, image_shapes, original_image_sizes):
        if self.training:
            return result
        for found, size, old in zip(result, image_shapes, original_image_sizes):
            found["boxes"] = resized_boxes(found["boxes"], size, old)
            if "masks" in found:
                found["masks"] = pasted_masks(found["masks"], found["boxes"], old)
            if "keypoints" in found:
                found["keypoints"] = resized_points(found["keypoints"], size, old)
        return result

    def __repr__(self):
        return (
            f"GeneralizedRCNNTransform(\n    Normalize(mean={self.image_mean}, std={self.image_std})"
            f"\n    Resize(min_size={self.min_size}, max_size={self.max_size}, mode='bilinear')\n)"
        )


def change_of_images(min_size, max_size, image_mean, image_std, **options):
    """How a network of detection changes images, by ImageNet's mean and spread where there are no others."""
    mean, spread = image_mean or [0.485, 0.456, 0.406], image_std or [0.229, 0.224, 0.225]
    return GeneralizedRCNNTransform(min_size, max_size, mean, spread, **options)


class AnchorGenerator(Module):
    """torchvision.models.detection.anchor_utils.AnchorGenerator: boxes of some sizes and shapes around each
    place of the features."""

    def __init__(self, sizes=((128, 256, 512),), aspect_ratios=((0.5, 1.0, 2.0),)):
        super().__init__()
        if not isinstance(sizes[0], (list, tuple)):
            sizes = tuple((size,) for size in sizes)
        if not isinstance(aspect_ratios[0], (list, tuple)):
            aspect_ratios = (aspect_ratios,) * len(sizes)
        self.sizes, self.aspect_ratios = sizes, aspect_ratios
        self.cell_anchors = [self.generate_anchors(*each) for each in zip(sizes, aspect_ratios)]

    def generate_anchors(self, scales, aspect_ratios, dtype=mindspore.float32, device=None):
        tall = np.sqrt(np.array(aspect_ratios, np.float32))[:, None]
        scales = np.array(scales, np.float32)[None]
        half = np.stack([(1 / tall * scales).reshape(-1), (tall * scales).reshape(-1)], 1) / 2
        return mindspore.Tensor(np.concatenate([-half, half], 1).round(), dtype)

    def num_anchors_per_location(self):
        return [len(sizes) * len(ratios) for sizes, ratios in zip(self.sizes, self.aspect_ratios)]

    def construct(self, image_list, feature_maps):
        if len(feature_maps) != len(self.cell_anchors):
            raise AssertionError(
                f"{len(self.cell_anchors)} tuples of sizes for {len(feature_maps)} feature maps: "
                "there is one for each"
            )
        found = []
        for feature, anchors in zip(feature_maps, self.cell_anchors):
            down, right = (
                np.arange(count) * (size // count)
                for size, count in zip(image_list.tensors.shape[-2:], feature.shape[-2:])
            )
            y, x = (each.reshape(-1) for each in np.meshgrid(down, right, indexing="ij"))
            places = np.stack([x, y, x, y], 1).astype(np.float32)
            found.append((places[:, None] + anchors.asnumpy()[None]).reshape(-1, 4))
        whole = mindspore.Tensor(np.concatenate(found), feature_maps[0].dtype)
        return [whole] * len(image_list.image_sizes)


class BoxCoder:
    """torchvision.models.detection._utils.BoxCoder: boxes told by how they differ from others."""

    def __init__(self, weights, bbox_xform_clip=None):
        self.weights = weights
        self.bbox_xform_clip = math.log(1000.0 / 16) if bbox_xform_clip is None else bbox_xform_clip

    def encode(self, reference_boxes, proposals):
        return [self.encode_single(*each) for each in zip(reference_boxes, proposals)]

    def encode_single(self, reference_boxes, proposals):
        meant, given = (each.asnumpy().astype(np.float32) for each in (reference_boxes, proposals))
        size, wanted = given[:, 2:] - given[:, :2], meant[:, 2:] - meant[:, :2]
        weights = np.array(self.weights, np.float32)
        moved = (meant[:, :2] + 0.5 * wanted) - (given[:, :2] + 0.5 * size)
        return mindspore.Tensor(
            np.concatenate([weights[:2] * moved / size, weights[2:] * np.log(wanted / size)], 1)
        )

    def decode(self, rel_codes, boxes):
        """Boxes (rows, kinds, 4) that differ in such a way from those of all images."""
        boxes = ops.concat(list(boxes), 0)
        return self.decode_single(rel_codes.reshape(boxes.shape[0], -1), boxes).reshape(boxes.shape[0], -1, 4)

    def decode_single(self, rel_codes, boxes):
        boxes = boxes.astype(rel_codes.dtype)[:, None]
        size = boxes[..., 2:] - boxes[..., :2]
        middle = boxes[..., :2] + 0.5 * size
        codes = rel_codes.reshape(boxes.shape[0], -1, 4)
        codes = codes / mindspore.Tensor(np.array(self.weights, np.float32), codes.dtype)
        middle = codes[..., :2] * size + middle
        half = 0.5 * (ops.exp(ops.clamp(codes[..., 2:], max=self.bbox_xform_clip)) * size)
        return ops.concat([middle - half, middle + half], 2).flatten(start_dim=1)


class Matcher:
    """torchvision.models.detection._utils.Matcher: which object a box belongs to."""

    BELOW_LOW_THRESHOLD = -1
    BETWEEN_THRESHOLDS = -2

    def __init__(self, high_threshold, low_threshold, allow_low_quality_matches=False):
        if low_threshold > high_threshold:
            raise AssertionError("low_threshold should be <= high_threshold")
        self.high_threshold, self.low_threshold = high_threshold, low_threshold
        self.allow_low_quality_matches = allow_low_quality_matches

    def __call__(self, match_quality_matrix):
        quality = match_quality_matrix.asnumpy()
        if not quality.size:
            missing = "proposal" if quality.shape[0] else "ground-truth"
            raise ValueError(f"No {missing} boxes available for one of the images during training")
        best, matches = quality.max(0), quality.argmax(0)
        found = np.where(best < np.float32(self.high_threshold), self.BETWEEN_THRESHOLDS, matches)
        found = np.where(best < np.float32(self.low_threshold), self.BELOW_LOW_THRESHOLD, found)
        if self.allow_low_quality_matches:
            wanted = np.nonzero(quality == quality.max(1, keepdims=True))[1]
            found[wanted] = matches[wanted]
        return mindspore.Tensor(found.astype(np.int64))


class BalancedPositiveNegativeSampler:
    """torchvision.models.detection._utils.BalancedPositiveNegativeSampler: which boxes are learned from."""

    def __init__(self, batch_size_per_image, positive_fraction):
        self.batch_size_per_image, self.positive_fraction = batch_size_per_image, positive_fraction

    def __call__(self, matched_idxs):
        chosen = [self._of_image(each.asnumpy()) for each in matched_idxs]
        return tuple([mindspore.Tensor(masks[kind]) for masks in chosen] for kind in (0, 1))

    def _of_image(self, labels):
        kinds = [np.flatnonzero(labels >= 1), np.flatnonzero(labels == 0)]
        first = min(len(kinds[0]), int(self.batch_size_per_image * self.positive_fraction))
        counts = [first, min(len(kinds[1]), self.batch_size_per_image - first)]
        masks = []
        for places, count in zip(kinds, counts):
            mask = np.zeros(labels.shape, np.uint8)
            order = randperm(len(places)).asnumpy() if len(places) else np.zeros(0, np.int64)
            mask[places[order[:count]]] = 1
            masks.append(mask)
        return masks


def best_boxes(boxes, scores, kinds, size, smallest, is_likely, threshold, count):
    """The boxes that are kept of those found in an image of that size: they are cut off at its edges, neither
    too small nor unlikely, and not too much like a better one of their kind. Gives also their places."""
    boxes = clip_boxes_to_image(boxes, size).asnumpy()
    sides = boxes[:, 2:] - boxes[:, :2]
    places = np.flatnonzero((sides >= smallest).all(1) & is_likely)
    boxes, scores = boxes[places], scores[places]
    kept = batched_nms(
        mindspore.Tensor(boxes), mindspore.Tensor(scores), mindspore.Tensor(kinds[places]), threshold
    ).asnumpy()[:count]
    return mindspore.Tensor(boxes[kept]), places[kept]


def rows_of(tensor, places):
    """The rows of a Tensor at some places."""
    return ops.gather(tensor, mindspore.Tensor(np.asarray(places, np.int64)), 0)


def start_near_zero(network):
    """Small weights for the convolutions of a head."""
    for module in network.modules():
        if isinstance(module, Conv2d):
            normal_(module.weight, std=0.01)
            if module.bias is not None:
                constant_(module.bias, 0)


class RPNHead(Module):
    """torchvision.models.detection.rpn.RPNHead."""

    def __init__(self, in_channels, num_anchors, conv_depth=1):
        super().__init__()
        layers = [
            Conv2dNormActivation(in_channels, in_channels, 3, norm_layer=None) for _ in range(conv_depth)
        ]
        self.conv = Sequential(*layers)
        self.cls_logits = Conv2d(in_channels, num_anchors, 1)
        self.bbox_pred = Conv2d(in_channels, num_anchors * 4, 1)
        start_near_zero(self)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        renamed(state_dict, f"{prefix}conv", f"{prefix}conv.0.0")
        super()._load_from_state_dict(state_dict, prefix, *args)

    def construct(self, x):
        read = [self.conv(feature) for feature in x]
        return [self.cls_logits(each) for each in read], [self.bbox_pred(each) for each in read]


def rows_of_anchors(layers, width):
    """What a network says of each anchor, (images, anchors, width), from what it says of each place."""
    rows = []
    for layer in layers:
        count, _, height, columns = layer.shape
        layer = layer.reshape(count, -1, width, height, columns).permute(0, 3, 4, 1, 2)
        rows.append(layer.reshape(count, -1, width))
    return ops.concat(rows, 1)


def smooth_distance(found, wanted, count):
    """How far boxes are from what is wanted, as a share of so many boxes."""
    if not found.shape[0]:
        return found.sum() / count
    return smooth_l1_loss(found, wanted, beta=1 / 9, reduction="sum") / count


class RegionProposalNetwork(Module):
    """torchvision.models.detection.rpn.RegionProposalNetwork."""

    def __init__(
        self,
        anchor_generator,
        head,
        fg_iou_thresh,
        bg_iou_thresh,
        batch_size_per_image,
        positive_fraction,
        pre_nms_top_n,
        post_nms_top_n,
        nms_thresh,
        score_thresh=0.0,
    ):
        super().__init__()
        self.anchor_generator, self.head = anchor_generator, head
        self.box_coder = BoxCoder((1.0, 1.0, 1.0, 1.0))
        self.box_similarity = box_iou
        self.proposal_matcher = Matcher(fg_iou_thresh, bg_iou_thresh, True)
        self.fg_bg_sampler = BalancedPositiveNegativeSampler(batch_size_per_image, positive_fraction)
        self._pre_nms_top_n, self._post_nms_top_n = pre_nms_top_n, post_nms_top_n
        self.nms_thresh, self.score_thresh, self.min_size = nms_thresh, score_thresh, 1e-3

    def pre_nms_top_n(self):
        return self._pre_nms_top_n["training" if self.training else "testing"]

    def post_nms_top_n(self):
        return self._post_nms_top_n["training" if self.training else "testing"]

    def assign_targets_to_anchors(self, anchors, targets):
        labels, boxes = [], []
        for of_image, target in zip(anchors, targets):
            meant = target["boxes"]
            if not meant.shape[0]:
                labels.append(mindspore.Tensor(np.zeros(of_image.shape[0], np.float32)))
                boxes.append(ops.zeros(of_image.shape, mindspore.float32))
                continue
            matches = self.proposal_matcher(self.box_similarity(meant, of_image)).asnumpy()
            label = np.where(matches == Matcher.BETWEEN_THRESHOLDS, -1.0, matches >= 0)
            labels.append(mindspore.Tensor(label.astype(np.float32)))
            boxes.append(rows_of(meant, matches.clip(0)))
        return labels, boxes

    def filter_proposals(self, proposals, objectness, image_shapes, num_anchors_per_level):
        values = objectness.asnumpy().reshape(len(image_shapes), -1)
        starts = np.cumsum([0, *num_anchors_per_level])
        boxes, scores = [], []
        for image, size in enumerate(image_shapes):
            tops = [
                start + np.argsort(-values[image, start:end], kind="stable")[: self.pre_nms_top_n()]
                for start, end in itertools.pairwise(starts)
            ]
            levels = np.repeat(np.arange(len(tops)), [len(top) for top in tops])
            tops = np.concatenate(tops)
            score = ops.sigmoid(mindspore.Tensor(values[image, tops])).asnumpy()
            kept, places = best_boxes(
                rows_of(proposals[image], tops),
                score,
                levels,
                size,
                self.min_size,
                score >= self.score_thresh,
                self.nms_thresh,
                self.post_nms_top_n(),
            )
            boxes.append(kept)
            scores.append(mindspore.Tensor(score[places]))
        return boxes, scores

    def compute_loss(self, objectness, pred_bbox_deltas, labels, regression_targets):
        good, bad = (
            np.flatnonzero(np.concatenate([mask.asnumpy() for mask in masks]))
            for masks in self.fg_bg_sampler(labels)
        )
        chosen = np.concatenate([good, bad])
        wanted = rows_of(ops.concat(regression_targets, 0), good) if len(good) else None
        found = rows_of(pred_bbox_deltas, good) if len(good) else pred_bbox_deltas[:0]
        labels = rows_of(ops.concat(labels, 0), chosen)
        loss = binary_cross_entropy_with_logits(rows_of(objectness.flatten(), chosen), labels)
        return loss, smooth_distance(found, wanted, len(chosen))

    def construct(self, images, features, targets=None):
        features = list(features.values())
        logits, moves = self.head(features)
        anchors = self.anchor_generator(images, features)
        counts = [math.prod(each.shape[1:]) for each in logits]
        logits, moves = rows_of_anchors(logits, 1), rows_of_anchors(moves, 4).reshape(-1, 4)
        proposals = self.box_coder.decode(ops.stop_gradient(moves), anchors)
        proposals = proposals.reshape(len(anchors), -1, 4)
        boxes, _ = self.filter_proposals(proposals, ops.stop_gradient(logits), images.image_sizes, counts)
        if not self.training:
            return boxes, {}
        if targets is None:
            raise ValueError("targets should not be None")
        labels, meant = self.assign_targets_to_anchors(anchors, targets)
        losses = self.compute_loss(logits, moves, labels, self.box_coder.encode(meant, anchors))
        return boxes, dict(zip(("loss_objectness", "loss_rpn_box_reg"), losses))


def loss_of_boxes(class_logits, box_regression, labels, regression_targets):
    """How wrong the classes of boxes are, and their places."""
    labels = np.concatenate([each.asnumpy() for each in labels])
    classes = cross_entropy(class_logits, mindspore.Tensor(labels))
    good = np.flatnonzero(labels > 0)
    kinds = box_regression.shape[-1] // 4
    found = box_regression.reshape(-1, 4)
    found = rows_of(found, good * kinds + labels[good]) if len(good) else found[:0]
    wanted = rows_of(ops.concat(regression_targets, 0), good) if len(good) else None
    return classes, smooth_distance(found, wanted, len(labels))


def loss_of_masks(logits, proposals, masks, labels, matches):
    """How wrong the masks of boxes are."""
    side, wanted, kinds = logits.shape[-1], [], []
    for boxes, mask, label, match in zip(proposals, masks, labels, matches):
        regions = np.concatenate([match[:, None], boxes.asnumpy()], 1).astype(np.float32)
        mask = mask[:, None].astype(mindspore.float32)
        wanted.append(roi_align(mask, mindspore.Tensor(regions), (side, side), 1.0)[:, 0])
        kinds.append(label.asnumpy()[match])
    kinds = np.concatenate(kinds)
    if not len(kinds):
        return logits.sum() * 0
    rows = logits.reshape(-1, side, side)
    chosen = rows_of(rows, np.arange(len(kinds)) * logits.shape[1] + kinds)
    return binary_cross_entropy_with_logits(chosen, ops.stop_gradient(ops.concat(wanted, 0)))


def cells_of_points(points, boxes, side):
    """In which of `side` rows and columns of their boxes points are, as one number, and whether they are
    there and seen."""
    scale = np.float32(side) / (boxes[:, 2:] - boxes[:, :2])
    places = np.floor((points[..., :2] - boxes[:, None, :2]) * scale[:, None]).astype(np.int64)
    places = np.where(points[..., :2] == boxes[:, None, 2:], side - 1, places)
    is_seen = ((places >= 0) & (places < side)).all(2) & (points[..., 2] > 0)
    return (places[..., 1] * side + places[..., 0]) * is_seen, is_seen


def loss_of_points(logits, proposals, points, matches):
    """How unlikely the places of points are by what a network says of their boxes."""
    _, _, height, width = logits.shape
    if height != width:
        raise ValueError(
            "keypoint_logits height and width (last two elements of shape) should be equal. Instead got "
            f"H = {height} and W = {width}"
        )
    found = [
        cells_of_points(of_image.asnumpy()[match], boxes.asnumpy(), height)
        for boxes, of_image, match in zip(proposals, points, matches)
    ]
    cells, is_seen = (np.concatenate([each[kind].reshape(-1) for each in found]) for kind in (0, 1))
    seen = np.flatnonzero(is_seen)
    if not len(seen):
        return logits.sum() * 0
    rows = rows_of(logits.reshape(-1, height * width), seen)
    return cross_entropy(rows, mindspore.Tensor(cells[seen]))


def points_of_maps(maps, boxes):
    """Where the points of boxes most likely are, and how likely that is."""
    boxes = boxes.asnumpy()
    sizes = np.maximum(boxes[:, 2:] - boxes[:, :2], 1)
    found = np.ones((*maps.shape[:2], 3), np.float32)
    scores = np.zeros(maps.shape[:2], np.float32)
    for number, (size, box) in enumerate(zip(sizes, boxes)):
        width, height = np.ceil(size).astype(np.int64).tolist()
        larger = interpolate(
            maps[number][:, None], (height, width), mode="bicubic", align_corners=False
        ).asnumpy()
        rows = larger.reshape(len(larger), -1)
        best = rows.argmax(1)
        places = np.stack([best % width, best // width], 1).astype(np.float32)
        found[number, :, :2] = (places + np.float32(0.5)) * (size / np.float32((width, height))) + box[:2]
        scores[number] = rows.max(1)
    return mindspore.Tensor(found), mindspore.Tensor(scores)


class RoIHeads(Module):
    """torchvision.models.detection.roi_heads.RoIHeads."""

    def __init__(
        self,
        box_roi_pool,
        box_head,
        box_predictor,
        fg_iou_thresh,
        bg_iou_thresh,
        batch_size_per_image,
        positive_fraction,
        bbox_reg_weights,
        score_thresh,
        nms_thresh,
        detections_per_img,
        mask_roi_pool=None,
        mask_head=None,
        mask_predictor=None,
        keypoint_roi_pool=None,
        keypoint_head=None,
        keypoint_predictor=None,
    ):
        super().__init__()
        self.box_similarity = box_iou
        self.proposal_matcher = Matcher(fg_iou_thresh, bg_iou_thresh)
        self.fg_bg_sampler = BalancedPositiveNegativeSampler(batch_size_per_image, positive_fraction)
        self.box_coder = BoxCoder(bbox_reg_weights or (10.0, 10.0, 5.0, 5.0))
        self.box_roi_pool, self.box_head, self.box_predictor = box_roi_pool, box_head, box_predictor
        self.score_thresh, self.nms_thresh = score_thresh, nms_thresh
        self.detections_per_img = detections_per_img
        self.mask_roi_pool, self.mask_head, self.mask_predictor = mask_roi_pool, mask_head, mask_predictor
        self.keypoint_roi_pool, self.keypoint_head = keypoint_roi_pool, keypoint_head
        self.keypoint_predictor = keypoint_predictor

    def has_mask(self):
        return None not in (self.mask_roi_pool, self.mask_head, self.mask_predictor)

    def has_keypoint(self):
        return None not in (self.keypoint_roi_pool, self.keypoint_head, self.keypoint_predictor)

    def check_targets(self, targets):
        if targets is None:
            raise ValueError("targets should not be None")
        for name in ("boxes", "labels", *(["masks"] if self.has_mask() else [])):
            if any(name not in target for target in targets):
                raise ValueError(f"Every element of targets should have a {name} key")

    def assign_targets_to_proposals(self, proposals, gt_boxes, gt_labels):
        matches, labels = [], []
        for boxes, meant, kinds in zip(proposals, gt_boxes, gt_labels):
            if not meant.shape[0]:
                match = np.zeros(boxes.shape[0], np.int64)
                label = match
            else:
                found = self.proposal_matcher(self.box_similarity(meant, boxes)).asnumpy()
                match = found.clip(0)
                label = kinds.asnumpy()[match].astype(np.int64)
                label = np.where(found == Matcher.BELOW_LOW_THRESHOLD, 0, label)
                label = np.where(found == Matcher.BETWEEN_THRESHOLDS, -1, label)
            matches.append(mindspore.Tensor(match))
            labels.append(mindspore.Tensor(label))
        return matches, labels

    def select_training_samples(self, proposals, targets):
        self.check_targets(targets)
        meant = [target["boxes"].astype(proposals[0].dtype) for target in targets]
        proposals = [
            ops.concat([*each], 0) if each[1].shape[0] else each[0] for each in zip(proposals, meant)
        ]
        matches, labels = self.assign_targets_to_proposals(
            proposals, meant, [target["labels"] for target in targets]
        )
        good, bad = self.fg_bg_sampler(labels)
        wanted = []
        for place, masks in enumerate(zip(good, bad)):
            chosen = np.flatnonzero(masks[0].asnumpy() | masks[1].asnumpy())
            proposals[place], labels[place], matches[place] = (
                rows_of(each[place], chosen) for each in (proposals, labels, matches)
            )
            boxes = meant[place] if meant[place].shape[0] else ops.zeros((1, 4), proposals[0].dtype)
            wanted.append(rows_of(boxes, matches[place].asnumpy()))
        return proposals, matches, labels, self.box_coder.encode(wanted, proposals)

    def postprocess_detections(self, class_logits, box_regression, proposals, image_shapes):
        boxes = self.box_coder.decode(box_regression, proposals)
        scores = softmax(class_logits, -1)
        found, start, kinds = ([], [], []), 0, class_logits.shape[-1] - 1
        for proposal, size in zip(proposals, image_shapes):
            part = slice(start, start + proposal.shape[0])
            start = part.stop
            likely = scores[part, 1:].reshape(-1)
            values = likely.asnumpy()
            labels = np.tile(np.arange(1, kinds + 1), proposal.shape[0])
            kept, places = best_boxes(
                boxes[part, 1:].reshape(-1, 4),
                values,
                labels,
                size,
                1e-2,
                values > self.score_thresh,
                self.nms_thresh,
                self.detections_per_img,
            )
            found[0].append(kept)
            found[1].append(rows_of(likely, places) if len(places) else likely[:0])
            found[2].append(mindspore.Tensor(labels[places].astype(np.int64)))
        return found

    def _read(self, kind, features, image_shapes, boxes):
        """What the part of the network for masks or for keypoints says of boxes; None if there are none."""
        if not sum(each.shape[0] for each in boxes):
            return None
        pool, head, predictor = (
            getattr(self, f"{kind}_{part}") for part in ("roi_pool", "head", "predictor")
        )
        return predictor(head(pool(features, boxes, image_shapes)))

    def _further_losses(self, features, image_shapes, samples, targets):
        proposals, matches, labels = samples
        good = [np.flatnonzero(label.asnumpy() > 0) for label in labels]
        boxes = [rows_of(each, places) if len(places) else each[:0] for each, places in zip(proposals, good)]
        matches = [match.asnumpy()[places] for match, places in zip(matches, good)]
        nothing, losses = next(iter(features.values())).sum() * 0, {}
        if self.has_mask():
            logits = self._read("mask", features, image_shapes, boxes)
            meant = ([target[name] for target in targets] for name in ("masks", "labels"))
            loss = nothing if logits is None else loss_of_masks(logits, boxes, *meant, matches)
            losses["loss_mask"] = loss
        if self.has_keypoint():
            logits = self._read("keypoint", features, image_shapes, boxes)
            points = [target["keypoints"] for target in targets]
            loss = nothing if logits is None else loss_of_points(logits, boxes, points, matches)
            losses["loss_keypoint"] = loss
        return losses

    def _add_keypoints(self, features, image_shapes, result):
        maps = self._read("keypoint", features, image_shapes, [each["boxes"] for each in result])
        start = 0
        for each in result:
            part = slice(start, start + each["boxes"].shape[0])
            start = part.stop
            if part.stop == part.start:
                count = self.keypoint_predictor.out_channels
                each["keypoints"] = ops.zeros((0, count, 3), mindspore.float32)
                each["keypoints_scores"] = ops.zeros((0, count), mindspore.float32)
            else:
                each["keypoints"], each["keypoints_scores"] = points_of_maps(maps[part], each["boxes"])

    def _add_masks(self, features, image_shapes, result):
        logits = self._read("mask", features, image_shapes, [each["boxes"] for each in result])
        start = 0
        for each in result:
            count = each["labels"].shape[0]
            if not count:
                side = 2 * self.mask_roi_pool.output_size[0]
                each["masks"] = ops.zeros((0, 1, side, side), mindspore.float32)
                continue
            kinds = each["labels"].asnumpy() + np.arange(start, start + count) * logits.shape[1]
            rows = logits.reshape(-1, 1, *logits.shape[2:])
            each["masks"] = ops.sigmoid(rows_of(rows, kinds))
            start += count

    def construct(self, features, proposals, image_shapes, targets=None):
        for target in targets or ():
            if not target["boxes"].is_floating_point():
                raise TypeError(f"target boxes must of float type, instead got {target['boxes'].dtype}")
            if target["labels"].dtype != mindspore.int64:
                raise TypeError(f"target labels must of int64 type, instead got {target['labels'].dtype}")
            if self.has_keypoint() and target["keypoints"].dtype != mindspore.float32:
                kind = target["keypoints"].dtype
                raise TypeError(f"target keypoints must of float type, instead got {kind}")
        if self.training:
            proposals, matches, labels, wanted = self.select_training_samples(proposals, targets)
        read = self.box_head(self.box_roi_pool(features, proposals, image_shapes))
        class_logits, box_regression = self.box_predictor(read)
        if not self.training:
            boxes, scores, labels = self.postprocess_detections(
                class_logits, box_regression, proposals, image_shapes
            )
            names = ("boxes", "labels", "scores")
            result = [dict(zip(names, each)) for each in zip(boxes, labels, scores)]
            if self.has_mask():
                self._add_masks(features, image_shapes, result)
            if self.has_keypoint():
                self._add_keypoints(features, image_shapes, result)
            return result, {}
        losses = loss_of_boxes(class_logits, box_regression, labels, wanted)
        losses = dict(zip(("loss_classifier", "loss_box_reg"), losses))
        if self.has_mask() or self.has_keypoint():
            losses |= self._further_losses(features, image_shapes, (proposals, matches, labels), targets)
        return [], losses


class DetectionNetwork(Module):
    """What networks of detection have in common: images are checked, changed and read in several sizes."""

    def _check(self, targets):
        if targets is None:
            raise AssertionError("targets should not be none when in training mode")
        for target in targets:
            boxes = target["boxes"]
            if not isinstance(boxes, mindspore.Tensor):
                raise AssertionError(f"Expected target boxes to be of type Tensor, got {type(boxes)}.")
            if boxes.ndim != 2 or boxes.shape[-1] != 4:
                shape = f"torch.Size({list(boxes.shape)})"
                raise AssertionError(f"Expected target boxes to be a tensor of shape [N, 4], got {shape}.")

    def _read(self, images, targets):
        """The images and targets as they are changed, and the features."""
        if self.training:
            self._check(targets)
        images, targets = self.transform(images, targets)
        for place, target in enumerate(targets or ()):
            boxes = target["boxes"].asnumpy()
            wrong = (boxes[:, 2:] <= boxes[:, :2]).any(1)
            if wrong.any():
                raise AssertionError(
                    "All bounding boxes should have positive height and width. "
                    f"Found invalid box {boxes[wrong][0].tolist()} for target at index {place}."
                )
        features = self.backbone(images.tensors)
        if isinstance(features, mindspore.Tensor):
            features = OrderedDict([("0", features)])
        return images, targets, features


class GeneralizedRCNN(DetectionNetwork):
    """torchvision.models.detection.generalized_rcnn.GeneralizedRCNN."""

    def __init__(self, backbone, rpn, roi_heads, transform):
        super().__init__()
        self.transform, self.backbone, self.rpn, self.roi_heads = transform, backbone, rpn, roi_heads

    def construct(self, images, targets=None):
        old = [tuple(image.shape[-2:]) for image in images]
        images, targets, features = self._read(images, targets)
        proposals, losses = self.rpn(images, features, targets)
        found, further = self.roi_heads(features, proposals, images.image_sizes, targets)
        if self.training:
            return {**further, **losses}
        return self.transform.postprocess(found, images.image_sizes, old)


class TwoMLPHead(Module):
    """torchvision.models.detection.faster_rcnn.TwoMLPHead."""

    def __init__(self, in_channels, representation_size):
        super().__init__()
        self.fc6 = Linear(in_channels, representation_size)
        self.fc7 = Linear(representation_size, representation_size)

    def construct(self, x):
        return relu(self.fc7(relu(self.fc6(x.flatten(start_dim=1)))))


class FastRCNNConvFCHead(Sequential):
    """torchvision.models.detection.faster_rcnn.FastRCNNConvFCHead."""

    def __init__(self, input_size, conv_layers, fc_layers, norm_layer=None):
        channels, height, width = input_size
        blocks = []
        for count in conv_layers:
            blocks.append(Conv2dNormActivation(channels, count, norm_layer=norm_layer))
            channels = count
        blocks.append(Flatten())
        channels *= height * width
        for count in fc_layers:
            blocks += [Linear(channels, count), ReLU(inplace=True)]
            channels = count
        super().__init__(*blocks)
        start_convolutions(self)


class FastRCNNPredictor(Module):
    """torchvision.models.detection.faster_rcnn.FastRCNNPredictor."""

    def __init__(self, in_channels, num_classes):
        super().__init__()
        self.cls_score = Linear(in_channels, num_classes)
        self.bbox_pred = Linear(in_channels, num_classes * 4)

    def construct(self, x):
        if x.ndim == 4 and tuple(x.shape[2:]) != (1, 1):
            raise AssertionError(
                "x has the wrong shape, expecting the last two dimensions to be [1,1] instead of "
                f"{list(x.shape[2:])}"
            )
        x = x.flatten(start_dim=1)
        return self.cls_score(x), self.bbox_pred(x)


def channels_of(backbone):
    """How many channels the features have that a network of detection reads."""
    if not hasattr(backbone, "out_channels"):
        raise ValueError(
            "backbone should contain an attribute out_channels specifying the number of output channels "
            "(assumed to be the same for all the levels)"
        )
    return backbone.out_channels


def anchors_of_pyramid():
    """The anchors that a pyramid of five sizes has."""
    return AnchorGenerator(((32,), (64,), (128,), (256,), (512,)), ((0.5, 1.0, 2.0),) * 5)


class FasterRCNN(GeneralizedRCNN):
    """torchvision.models.detection.FasterRCNN."""

    def __init__(
        self,
        backbone,
        num_classes=None,
        min_size=800,
        max_size=1333,
        image_mean=None,
        image_std=None,
        rpn_anchor_generator=None,
        rpn_head=None,
        rpn_pre_nms_top_n_train=2000,
        rpn_pre_nms_top_n_test=1000,
        rpn_post_nms_top_n_train=2000,
        rpn_post_nms_top_n_test=1000,
        rpn_nms_thresh=0.7,
        rpn_fg_iou_thresh=0.7,
        rpn_bg_iou_thresh=0.3,
        rpn_batch_size_per_image=256,
        rpn_positive_fraction=0.5,
        rpn_score_thresh=0.0,
        box_roi_pool=None,
        box_head=None,
        box_predictor=None,
        box_score_thresh=0.05,
        box_nms_thresh=0.5,
        box_detections_per_img=100,
        box_fg_iou_thresh=0.5,
        box_bg_iou_thresh=0.5,
        box_batch_size_per_image=512,
        box_positive_fraction=0.25,
        bbox_reg_weights=None,
        **kwargs,
    ):
        channels = channels_of(backbone)
        if num_classes is not None and box_predictor is not None:
            raise ValueError("num_classes should be None when box_predictor is specified")
        if num_classes is None and box_predictor is None:
            raise ValueError("num_classes should not be None when box_predictor is not specified")
        anchors = rpn_anchor_generator or anchors_of_pyramid()
        rpn = RegionProposalNetwork(
            anchors,
            rpn_head or RPNHead(channels, anchors.num_anchors_per_location()[0]),
            rpn_fg_iou_thresh,
            rpn_bg_iou_thresh,
            rpn_batch_size_per_image,
            rpn_positive_fraction,
            {"training": rpn_pre_nms_top_n_train, "testing": rpn_pre_nms_top_n_test},
            {"training": rpn_post_nms_top_n_train, "testing": rpn_post_nms_top_n_test},
            rpn_nms_thresh,
            rpn_score_thresh,
        )
        pool = box_roi_pool or MultiScaleRoIAlign(["0", "1", "2", "3"], 7, 2)
        heads = RoIHeads(
            pool,
            TwoMLPHead(channels * pool.output_size[0] ** 2, 1024) if box_head is None else box_head,
            FastRCNNPredictor(1024, num_classes) if box_predictor is None else box_predictor,
            box_fg_iou_thresh,
            box_bg_iou_thresh,
            box_batch_size_per_image,
            box_positive_fraction,
            bbox_reg_weights,
            box_score_thresh,
            box_nms_thresh,
            box_detections_per_img,
        )
        change = change_of_images(min_size, max_size, image_mean, image_std, **kwargs)
        super().__init__(backbone, rpn, heads, change)


class MaskRCNNHeads(Sequential):
    """torchvision.models.detection.mask_rcnn.MaskRCNNHeads."""

    def __init__(self, in_channels, layers, dilation, norm_layer=None):
        blocks, kinds = [], {"padding": dilation, "dilation": dilation, "norm_layer": norm_layer}
        for count in layers:
            blocks.append(Conv2dNormActivation(in_channels, count, 3, 1, **kinds))
            in_channels = count
        super().__init__(*blocks)
        start_convolutions(self)

    def _load_from_state_dict(self, state_dict, prefix, *args):
        for place in range(len(self)):
            renamed(state_dict, f"{prefix}mask_fcn{place + 1}", f"{prefix}{place}.0")
        super()._load_from_state_dict(state_dict, prefix, *args)


class MaskRCNNPredictor(Sequential):
    """torchvision.models.detection.mask_rcnn.MaskRCNNPredictor."""

    def __init__(self, in_channels, dim_reduced, num_classes):
        super().__init__(
            OrderedDict(
                conv5_mask=ConvTranspose2d(in_channels, dim_reduced, 2, 2, 0),
                relu=ReLU(inplace=True),
                mask_fcn_logits=Conv2d(dim_reduced, num_classes, 1, 1, 0),
            )
        )
        for layer in (self.conv5_mask, self.mask_fcn_logits):
            kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")


class MaskRCNN(FasterRCNN):
    """torchvision.models.detection.MaskRCNN."""

    def __init__(
        self,
        backbone,
        num_classes=None,
        *args,
        mask_roi_pool=None,
        mask_head=None,
        mask_predictor=None,
        **kwargs,
    ):
        if num_classes is not None and mask_predictor is not None:
            raise ValueError("num_classes should be None when mask_predictor is specified")
        pool = mask_roi_pool or MultiScaleRoIAlign(["0", "1", "2", "3"], 14, 2)
        head = mask_head or MaskRCNNHeads(backbone.out_channels, (256, 256, 256, 256), 1)
        predictor = mask_predictor or MaskRCNNPredictor(256, 256, num_classes)
        super().__init__(backbone, num_classes, *args, **kwargs)
        self.roi_heads.mask_roi_pool = pool
        self.roi_heads.mask_head = head
        self.roi_heads.mask_predictor = predictor


class KeypointRCNNHeads(Sequential):
    """torchvision.models.detection.keypoint_rcnn.KeypointRCNNHeads."""

    def __init__(self, in_channels, layers):
        blocks = []
        for count in layers:
            blocks += [Conv2d(in_channels, count, 3, 1, 1), ReLU(inplace=True)]
            in_channels = count
        super().__init__(*blocks)
        start_convolutions(self)


class KeypointRCNNPredictor(Module):
    """torchvision.models.detection.keypoint_rcnn.KeypointRCNNPredictor."""

    def __init__(self, in_channels, num_keypoints):
        super().__init__()
        self.kps_score_lowres = ConvTranspose2d(in_channels, num_keypoints, 4, 2, 1)
        kaiming_normal_(self.kps_score_lowres.weight, mode="fan_out", nonlinearity="relu")
        constant_(self.kps_score_lowres.bias, 0)
        self.up_scale, self.out_channels = 2, num_keypoints

    def construct(self, x):
        x = self.kps_score_lowres(x)
        return interpolate(x, scale_factor=float(self.up_scale), mode="bilinear", align_corners=False)


class KeypointRCNN(FasterRCNN):
    """torchvision.models.detection.KeypointRCNN."""

    def __init__(
        self,
        backbone,
        num_classes=None,
        *args,
        keypoint_roi_pool=None,
        keypoint_head=None,
        keypoint_predictor=None,
        num_keypoints=None,
        **kwargs,
    ):
        if num_keypoints is not None and keypoint_predictor is not None:
            raise ValueError("num_keypoints should be None when keypoint_predictor is specified")
        pool = keypoint_roi_pool or MultiScaleRoIAlign(["0", "1", "2", "3"], 14, 2)
        head = keypoint_head or KeypointRCNNHeads(backbone.out_channels, (512,) * 8)
        count = 17 if num_keypoints is None else num_keypoints
        predictor = keypoint_predictor or KeypointRCNNPredictor(512, count)
        super().__init__(backbone, num_classes, *args, **kwargs)
        self.roi_heads.keypoint_roi_pool = pool
        self.roi_heads.keypoint_head = head
        self.roi_heads.keypoint_predictor = predictor


class BackboneWithFPN(Module):
    """torchvision.models.detection.backbone_utils.BackboneWithFPN."""

    def __init__(
        self, backbone, return_layers, in_channels_list, out_channels, extra_blocks=None, norm_layer=None
    ):
        super().__init__()
        self.body = IntermediateLayerGetter(backbone, return_layers)
        self.fpn = FeaturePyramidNetwork(
            in_channels_list, out_channels, extra_blocks or LastLevelMaxPool(), norm_layer
        )
        self.out_channels = out_channels

    def construct(self, x):
        return self.fpn(self.body(x))


def residual_pyramid(backbone, trainable_layers, returned_layers=None, extra_blocks=None, norm_layer=None):
    """A pyramid above a residual network, of which some last layers learn."""
    if not 0 <= trainable_layers <= 5:
        raise ValueError(f"Trainable layers should be in the range [0,5], got {trainable_layers}")
    learning = ("layer4", "layer3", "layer2", "layer1", "conv1")[:trainable_layers]
    learning += ("bn1",) * (trainable_layers == 5)
    for name, weight in backbone.named_parameters():
        if not name.startswith(learning):
            weight.requires_grad = False
    returned = returned_layers or [1, 2, 3, 4]
    if min(returned) <= 0 or max(returned) >= 5:
        raise ValueError(f"Each returned layer should be in the range [1,4]. Got {returned}")
    channels = [backbone.inplanes // 8 * 2 ** (layer - 1) for layer in returned]
    layers = {f"layer{layer}": str(place) for place, layer in enumerate(returned)}
    return BackboneWithFPN(backbone, layers, channels, 256, extra_blocks, norm_layer)


# The networks that a pyramid may read, by their names
RESIDUAL_NETWORKS = {
    network.__name__: network
    for network in (
        resnet18,
        resnet34,
        resnet50,
        resnet101,
        resnet152,
        resnext50_32x4d,
        resnext101_32x8d,
        resnext101_64x4d,
        wide_resnet50_2,
        wide_resnet101_2,
    )
}
MOBILE_NETWORKS = {
    network.__name__: network for network in (mobilenet_v2, mobilenet_v3_large, mobilenet_v3_small)
}


def resnet_fpn_backbone(
    backbone_name,
    weights=None,
    norm_layer=FrozenBatchNorm2d,
    trainable_layers=3,
    returned_layers=None,
    extra_blocks=None,
    *,
    pretrained=False,
):
    """torchvision.models.detection.backbone_utils.resnet_fpn_backbone."""
    build = RESIDUAL_NETWORKS[backbone_name]
    made = build(weights=weights, pretrained=pretrained, norm_layer=norm_layer)
    return residual_pyramid(made, trainable_layers, returned_layers, extra_blocks)


def mobile_pyramid(backbone, has_pyramid, trainable_layers, returned_layers=None, extra_blocks=None):
    """What reads a mobile network, of which some last layers learn: a pyramid, or one convolution."""
    features = backbone.features
    stages = stages_of(features)
    if not 0 <= trainable_layers <= len(stages):
        raise ValueError(
            f"Trainable layers should be in the range [0,{len(stages)}], got {trainable_layers} "
        )
    learning = stages[-trainable_layers] if trainable_layers else len(features)
    for place, layer in enumerate(features):
        for weight in layer.parameters() if place < learning else ():
            weight.requires_grad = False
    if not has_pyramid:
        made = Sequential(features, Conv2d(features[-1].out_channels, 256, 1))
        made.out_channels = 256
        return made
    returned = returned_layers or [len(stages) - 2, len(stages) - 1]
    if min(returned) < 0 or max(returned) >= len(stages):
        raise ValueError(f"Each returned layer should be in the range [0,{len(stages) - 1}], got {returned} ")
    layers = {str(stages[stage]): str(place) for place, stage in enumerate(returned)}
    channels = [features[stages[stage]].out_channels for stage in returned]
    return BackboneWithFPN(features, layers, channels, 256, extra_blocks)


def mobilenet_backbone(
    backbone_name,
    weights=None,
    fpn=True,
    norm_layer=FrozenBatchNorm2d,
    trainable_layers=2,
    returned_layers=None,
    extra_blocks=None,
    *,
    pretrained=False,
):
    """torchvision.models.detection.backbone_utils.mobilenet_backbone."""
    build = MOBILE_NETWORKS[backbone_name]
    made = build(weights=weights, pretrained=pretrained, norm_layer=norm_layer)
    return mobile_pyramid(made, fpn, trainable_layers, returned_layers, extra_blocks)


def learning_layers(is_trained, wanted, most, usual=3):
    """How many layers of what is read learn, `usual` ones unless others are wanted: all of them where nothing
    is trained yet."""
    if not is_trained:
        if wanted is not None:
            warnings.warn(
                "Changing trainable_backbone_layers has no effect if neither pretrained nor "
                "pretrained_backbone have been set to True, falling back to "
                f"trainable_backbone_layers={most} so that all layers are trainable",
                stacklevel=3,
            )
        return most
    wanted = usual if wanted is None else wanted
    if not 0 <= wanted <= most:
        raise ValueError(f"Trainable backbone layers should be in the range [0,{most}], got {wanted} ")
    return wanted


def first_detection(network, weights_backbone, is_trained, trainable_backbone_layers, **options):
    """A network of detection above a ResNet-50 that does not change its statistics once they are trained."""
    layers = learning_layers(is_trained, trainable_backbone_layers, 5)
    backbone = resnet50(weights=weights_backbone, norm_layer=FrozenBatchNorm2d if is_trained else BatchNorm2d)
    return network(residual_pyramid(backbone, layers), **options)


def second_detection(network, weights_backbone, is_trained, trainable_backbone_layers, **options):
    """A network of detection above a ResNet-50, all of whose parts are normalized."""
    layers = learning_layers(is_trained, trainable_backbone_layers, 5)
    backbone = residual_pyramid(resnet50(weights=weights_backbone), layers, norm_layer=BatchNorm2d)
    anchors = anchors_of_pyramid()
    parts = {
        "rpn_anchor_generator": anchors,
        "rpn_head": RPNHead(256, anchors.num_anchors_per_location()[0], 2),
        "box_head": FastRCNNConvFCHead((256, 7, 7), [256] * 4, [1024], BatchNorm2d),
    }
    if network is MaskRCNN:
        parts["mask_head"] = MaskRCNNHeads(256, [256] * 4, 1, BatchNorm2d)
    return network(backbone, **{**parts, **options})


def mobile_detection(network, weights_backbone, is_trained, trainable_backbone_layers, **options):
    """A network of detection above a mobile network."""
    layers = learning_layers(is_trained, trainable_backbone_layers, 6)
    norm_layer = FrozenBatchNorm2d if is_trained else BatchNorm2d
    backbone = mobilenet_v3_large(weights=weights_backbone, norm_layer=norm_layer)
    sizes = ((32, 64, 128, 256, 512),) * 3
    anchors = AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * len(sizes))
    return network(mobile_pyramid(backbone, True, layers), rpn_anchor_generator=anchors, **options)


def published_detection(name, kind, kind_read, build, has_read=True, eps=None, classes=91, **usual):
    """The function `name`, which makes a network of detection, with published weights of a `kind` where they
    are asked for; those have some `classes`, and `eps` for what normalizes. Otherwise what it reads has
    weights of another kind, without being asked the first of these where `has_read` is True, or those that it
    is. `usual` are options that it has."""
    first = next(iter(kind_read)) if has_read is True else has_read or None

    def made(
        weights=None,
        progress=True,
        num_classes=None,
        weights_backbone=first,
        trainable_backbone_layers=None,
        *,
        pretrained=False,
        pretrained_backbone=True,
        **kwargs,
    ):
        chosen = chosen_weights(kind, weights, pretrained)
        is_read = pretrained_backbone and not chosen
        read = chosen_weights(kind_read, weights_backbone, False) if is_read else None
        network = functools.partial(
            build,
            weights_backbone=read,
            is_trained=bool(chosen or read),
            trainable_backbone_layers=trainable_backbone_layers,
            **{**usual, **kwargs},
        )
        options = {"num_classes": classes if num_classes is None else num_classes}
        found = published(network, kind, chosen, False, options, classes)
        if chosen and eps is not None:
            for module in found.modules():
                if isinstance(module, FrozenBatchNorm2d):
                    module.eps = eps
        return found

    made.__name__ = name
    return made


class FasterRCNN_ResNet50_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.FasterRCNN_ResNet50_FPN_Weights."""

    COCO_V1 = "fasterrcnn_resnet50_fpn_coco-258fb6c6.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.fasterrcnn_resnet50_fpn
fasterrcnn_resnet50_fpn = published_detection(
    "fasterrcnn_resnet50_fpn",
    FasterRCNN_ResNet50_FPN_Weights,
    ResNet50_Weights,
    functools.partial(first_detection, FasterRCNN),
    eps=0.0,
)


class FasterRCNN_ResNet50_FPN_V2_Weights(PretrainedWeights):
    """torchvision.models.detection.FasterRCNN_ResNet50_FPN_V2_Weights."""

    COCO_V1 = "fasterrcnn_resnet50_fpn_v2_coco-dd69338a.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.fasterrcnn_resnet50_fpn_v2
fasterrcnn_resnet50_fpn_v2 = published_detection(
    "fasterrcnn_resnet50_fpn_v2",
    FasterRCNN_ResNet50_FPN_V2_Weights,
    ResNet50_Weights,
    functools.partial(second_detection, FasterRCNN),
    has_read=False,
)


class FasterRCNN_MobileNet_V3_Large_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.FasterRCNN_MobileNet_V3_Large_FPN_Weights."""

    COCO_V1 = "fasterrcnn_mobilenet_v3_large_fpn-fb6a3cc7.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.fasterrcnn_mobilenet_v3_large_fpn
fasterrcnn_mobilenet_v3_large_fpn = published_detection(
    "fasterrcnn_mobilenet_v3_large_fpn",
    FasterRCNN_MobileNet_V3_Large_FPN_Weights,
    MobileNet_V3_Large_Weights,
    functools.partial(mobile_detection, FasterRCNN),
    rpn_score_thresh=0.05,
)


class FasterRCNN_MobileNet_V3_Large_320_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.FasterRCNN_MobileNet_V3_Large_320_FPN_Weights."""

    COCO_V1 = "fasterrcnn_mobilenet_v3_large_320_fpn-907ea3f9.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn
fasterrcnn_mobilenet_v3_large_320_fpn = published_detection(
    "fasterrcnn_mobilenet_v3_large_320_fpn",
    FasterRCNN_MobileNet_V3_Large_320_FPN_Weights,
    MobileNet_V3_Large_Weights,
    functools.partial(mobile_detection, FasterRCNN),
    min_size=320,
    max_size=640,
    rpn_pre_nms_top_n_test=150,
    rpn_post_nms_top_n_test=150,
    rpn_score_thresh=0.05,
)


class MaskRCNN_ResNet50_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.MaskRCNN_ResNet50_FPN_Weights."""

    COCO_V1 = "maskrcnn_resnet50_fpn_coco-bf2d0c1e.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.maskrcnn_resnet50_fpn
maskrcnn_resnet50_fpn = published_detection(
    "maskrcnn_resnet50_fpn",
    MaskRCNN_ResNet50_FPN_Weights,
    ResNet50_Weights,
    functools.partial(first_detection, MaskRCNN),
    eps=0.0,
)


class MaskRCNN_ResNet50_FPN_V2_Weights(PretrainedWeights):
    """torchvision.models.detection.MaskRCNN_ResNet50_FPN_V2_Weights."""

    COCO_V1 = "maskrcnn_resnet50_fpn_v2_coco-73cbd019.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.maskrcnn_resnet50_fpn_v2
maskrcnn_resnet50_fpn_v2 = published_detection(
    "maskrcnn_resnet50_fpn_v2",
    MaskRCNN_ResNet50_FPN_V2_Weights,
    ResNet50_Weights,
    functools.partial(second_detection, MaskRCNN),
    has_read=False,
)


class KeypointRCNN_ResNet50_FPN_Weights(PretrainedWeights):
    """torchvision.models.detection.KeypointRCNN_ResNet50_FPN_Weights."""

    COCO_LEGACY = "keypointrcnn_resnet50_fpn_coco-9f466800.pth"
    COCO_V1 = "keypointrcnn_resnet50_fpn_coco-fc266e95.pth"
    DEFAULT = COCO_V1


# torchvision.models.detection.keypointrcnn_resnet50_fpn
keypointrcnn_resnet50_fpn = published_detection(
    "keypointrcnn_resnet50_fpn",
    KeypointRCNN_ResNet50_FPN_Weights,
    ResNet50_Weights,
    functools.partial(first_detection, KeypointRCNN),
    eps=0.0,
    classes=2,
)
