"""torchvision's Python files run without its compiled part, whose operators are only declared."""

from __future__ import annotations

import torch

_DECLARED = ("nms", "qnms", "roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
_WITHOUT_GRADIENT = ("nms", "qnms")


def declare_operators() -> torch.library.Library:
    """Declare what torchvision's modules look for while they are imported; it is there as long as the result is."""
    library = torch.library.Library("torchvision", "DEF")
    for name in _DECLARED:
        library.define(f"{name}(Tensor a) -> Tensor")
        if name not in _WITHOUT_GRADIENT:
            library.define(f"_{name}_backward(Tensor a) -> Tensor")
    return library
