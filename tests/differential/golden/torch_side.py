"""Runs the golden models in PyTorch: torch_side.py PACKAGES RESULTS [--digests]. Leaves for each the input, the weights,
the output and the gradients with respect to input and weights in RESULTS/NAME.npz; or only what tells whether they are
the same to the last bit, by name in RESULTS/digests.json: the arrays themselves are gigabytes."""

import hashlib
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent))

from models import MODELS

COMPILED = (
    "nms",
    "qnms",
    "roi_align",
    "_roi_align_backward",
    "roi_pool",
    "_roi_pool_backward",
    "ps_roi_align",
    "_ps_roi_align_backward",
    "ps_roi_pool",
    "_ps_roi_pool_backward",
    "deform_conv2d",
    "_deform_conv2d_backward",
)
"""Operators that torchvision's compiled part registers, which its sources alone do not have."""


def models(packages: str) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Each model's name and arrays."""
    sys.path.insert(0, packages)
    torch.set_num_threads(1)
    library = torch.library.Library("torchvision", "DEF")
    for name in COMPILED:
        library.define(f"{name}(Tensor a) -> Tensor")
    for name, (module, expression, shape) in MODELS.items():
        torch.manual_seed(0)
        np.random.seed(0)
        network = eval(expression, vars(importlib.import_module(module))).eval()
        given = np.random.randn(*shape).astype(np.float32)
        tensor = torch.tensor(given, requires_grad=True)
        output = network(tensor)
        (output * torch.linspace(-1, 1, output.numel()).reshape(output.shape)).sum().backward()
        arrays = {"input": given, "output": output.detach().numpy(), "gradient": tensor.grad.numpy()}
        arrays |= {f"weight {key}": value.numpy() for key, value in network.state_dict().items()}
        arrays |= {
            f"gradient {key}": p.grad.numpy() for key, p in network.named_parameters() if p.grad is not None
        }
        yield name, arrays


def digest(array: np.ndarray) -> str:
    return f"{array.dtype}{array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"


def main(packages: str, results: str, *options: str) -> None:
    digests = {}
    for name, arrays in models(packages):
        if "--digests" in options:
            digests[name] = {key: digest(array) for key, array in arrays.items()}
        else:
            np.savez(Path(results) / f"{name}.npz", **arrays)
    if digests:
        (Path(results) / "digests.json").write_text(json.dumps(digests), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
