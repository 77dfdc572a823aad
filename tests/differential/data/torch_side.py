"""Runs a program with PyTorch and torchvision's Python files: torch_side.py TORCHVISION PROGRAM ARGUMENT."""

import runpy
import sys

import torch

COMPILED = ("nms", "qnms", "roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")

if __name__ == "__main__":
    folder, program, *rest = sys.argv[1:]
    sys.path.insert(0, folder)
    library = torch.library.Library("torchvision", "DEF")
    for name in COMPILED:
        library.define(f"{name}(Tensor a) -> Tensor")
        if name not in ("nms", "qnms"):
            library.define(f"_{name}_backward(Tensor a) -> Tensor")
    sys.argv = [program, *rest]
    runpy.run_path(program, run_name="__main__")
