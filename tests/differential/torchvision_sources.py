"""torchvision's Python files run without its compiled part, whose operators are only declared, or defined here."""

from __future__ import annotations

import sys

import torch

_DECLARED = ("qnms", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
_DEFINED = {
    "nms": "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align": "roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, "
    "int sampling_ratio, bool aligned) -> Tensor",
}
_WITHOUT_GRADIENT = ("nms", "qnms")


def declare_operators() -> torch.library.Library:
    """Declare what torchvision's modules look for while they are imported; it is there as long as the result is."""
    library = torch.library.Library("torchvision", "DEF")
    for name in (*_DECLARED, *_DEFINED):
        library.define(_DEFINED.get(name, f"{name}(Tensor a) -> Tensor"))
        if name not in _WITHOUT_GRADIENT:
            library.define(f"_{name}_backward(Tensor a) -> Tensor")
    for name, function in (("nms", _nms), ("roi_align", _roi_align)):
        for key in ("CPU", "AutogradCPU"):  # its gradient is that of what it is made of
            library.impl(name, function, key)
    return library


def use_definitions() -> None:
    """Let torchvision, which is imported, take the operators that are defined here for its compiled ones."""
    for module in ("torchvision.extension", "torchvision.ops.roi_align"):
        sys.modules[module]._has_ops = lambda: True  # type: ignore[attr-defined]


def _nms(boxes: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
    """Boxes, the best first, that share no more than that with a better one that is kept."""
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept: list[int] = []
    for place in scores.sort(stable=True, descending=True)[1].tolist():
        box = boxes[place]
        low, high = torch.maximum(box[:2], boxes[kept, :2]), torch.minimum(box[2:], boxes[kept, 2:])
        shared = (high - low).clamp(min=0).prod(1)
        if not (shared / (areas[place] + areas[kept] - shared) > iou_threshold).any():
            kept.append(place)
    return torch.tensor(kept, dtype=torch.int64)


def _weights(first: float, size: float, bins: int, points: int, limit: int) -> torch.Tensor:
    """How much each of `limit` pixels counts for each bin along one axis."""
    found = torch.zeros(bins, limit)
    for place in range(bins):
        for point in range(points):
            at = first + (place + (point + 0.5) / points) * size / bins
            if -1 <= at <= limit:
                at = min(max(at, 0.0), limit - 1.0)
                found[place, int(at)] += (1 - at % 1) / points
                found[place, min(int(at) + 1, limit - 1)] += at % 1 / points
    return found


def _roi_align(
    input: torch.Tensor,
    rois: torch.Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> torch.Tensor:
    """Regions of images: what is read between the pixels is a product of what is read along both axes."""
    found = []
    for image, *box in rois.tolist():
        left, top, right, bottom = (value * spatial_scale - 0.5 * aligned for value in box)
        sides = []
        for low, high, bins, limit in (
            (top, bottom, pooled_height, input.shape[2]),
            (left, right, pooled_width, input.shape[3]),
        ):
            size = high - low if aligned else max(high - low, 1.0)
            points = sampling_ratio if sampling_ratio > 0 else -int(-size // bins)
            sides.append(_weights(low, size, bins, points, limit))
        found.append(sides[0] @ input[int(image)] @ sides[1].T)
    return torch.stack(found) if found else input.new_zeros(0, input.shape[1], pooled_height, pooled_width)
