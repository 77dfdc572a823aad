"""Runs models in PyTorch: torch_side.py PACKAGES RESULTS [--table models] [--beside FOLDER] [--seed 0] [--digests] [NAME ...].

Leaves for each the input, the weights, the output and the gradients with respect to input and weights in
RESULTS/NAME.npz; or only what tells whether they are the same to the last bit, by name in RESULTS/digests.json: the
arrays themselves are gigabytes. A model that cannot be run is told on stderr and has no file."""

import argparse
import hashlib
import importlib
import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from draws import Draws
from torchvision_sources import declare_operators


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("packages")
    parser.add_argument("results", type=Path)
    parser.add_argument("--table", default="models", help="the module with MODELS")
    parser.add_argument("--beside", default="", help="a folder with packages that these import")
    parser.add_argument("--seed", type=int, default=0, help="of the weights and of the input")
    parser.add_argument("--digests", action="store_true")
    parser.add_argument("names", nargs="*")
    return parser.parse_intermixed_args()


def computed(seed: int, module: str, expression: str, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """A model's arrays, by name."""
    torch.manual_seed(seed)
    np.random.seed(seed)
    network = eval(expression, vars(importlib.import_module(module))).eval()
    given = np.random.randn(*shape).astype(np.float32)
    tensor = torch.tensor(given, requires_grad=True)
    weights = {f"weight {key}": value.numpy().copy() for key, value in network.state_dict().items()}
    torch.rand = Draws(torch.tensor)
    output = network(tensor)
    (output * torch.linspace(-1, 1, output.numel()).reshape(output.shape)).sum().backward()
    arrays = {"input": given, "output": output.detach().numpy(), "gradient": tensor.grad.numpy(), **weights}
    return arrays | {
        f"gradient {key}": p.grad.numpy() for key, p in network.named_parameters() if p.grad is not None
    }


def every(
    table: dict[str, tuple], names: list[str], seed: int
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Each model's name and arrays."""
    torch.set_num_threads(1)
    library = declare_operators()  # noqa: F841 - there as long as the name
    for name in names or table:
        try:
            yield name, computed(seed, *table[name])
        except Exception:  # noqa: BLE001 - told of the model, and the others go on
            print(name, traceback.format_exc(), file=sys.stderr)


def digest(array: np.ndarray) -> str:
    return f"{array.dtype}{array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"


def main() -> None:
    given = arguments()
    sys.path[:0] = [given.packages, *([given.beside] if given.beside else [])]
    digests = {}
    for name, arrays in every(importlib.import_module(given.table).MODELS, given.names, given.seed):
        if given.digests:
            digests[name] = {key: digest(array) for key, array in arrays.items()}
        else:
            np.savez(given.results / f"{name}.npz", **arrays)
    if digests:
        (given.results / "digests.json").write_text(json.dumps(digests), encoding="utf-8")


if __name__ == "__main__":
    main()
