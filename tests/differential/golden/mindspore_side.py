"""Runs the converted golden models in MindSpore: mindspore_side.py PACKAGES RESULTS. Writes RESULTS/outcomes.json: by
model, what went wrong; nothing where outputs and gradients equal PyTorch's to 1e-4 of scale. Takes each file away once
it was read."""

import importlib
import json
import sys
import traceback
from pathlib import Path

import mindspore
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from models import MODELS


class NoTorch:
    """Refuses to import what a converted program must not need."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError("a converted program imports torch")


def outcome(module: str, expression: str, known: dict) -> str:
    network = eval(expression, vars(importlib.import_module(module)))
    network.set_train(False)
    parameters = dict(network.parameters_and_names())
    for name, parameter in parameters.items():
        parameter.set_data(mindspore.Tensor(known[f"weight {name}"].reshape(parameter.shape)))
    weights = mindspore.ParameterTuple([each for each in parameters.values() if each.requires_grad])
    names = [name for name, each in parameters.items() if each.requires_grad]
    output = network(mindspore.Tensor(known["input"]))
    factors = mindspore.Tensor(np.linspace(-1, 1, output.size).astype(np.float32).reshape(output.shape))
    of_input, of_weights = mindspore.grad(lambda x: (network(x) * factors).sum(), 0, weights)(
        mindspore.Tensor(known["input"])
    )
    found = {"output": output, "gradient": of_input}
    found |= {
        f"gradient {name}": each
        for name, each in zip(names, of_weights, strict=True)
        if f"gradient {name}" in known
    }
    largest = max(float(np.abs(value).max()) for key, value in known.items() if key.startswith("gradient "))
    for name, value in found.items():
        wanted = known[name]
        scale = max(float(np.abs(wanted).max()), 1e-2 * largest if name.startswith("gradient ") else 1e-6)
        error = float(np.abs(value.asnumpy().reshape(wanted.shape) - wanted).max()) / scale
        if not error <= 1e-4:
            return f"{name} differs by {error:.1e} of its scale"
    return ""


def main(packages: str, results: str) -> None:
    sys.meta_path.insert(0, NoTorch())
    sys.path.insert(0, packages)
    mindspore.runtime.launch_blocking()
    outcomes = {}
    for name, (module, expression, _) in MODELS.items():
        try:
            with np.load(Path(results) / f"{name}.npz") as known:
                outcomes[name] = outcome(module, expression, dict(known))
        except Exception:  # noqa: BLE001 - told of the model, and the others go on
            outcomes[name] = traceback.format_exc()[-1500:]
        (Path(results) / f"{name}.npz").unlink(missing_ok=True)
    (Path(results) / "outcomes.json").write_text(json.dumps(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
