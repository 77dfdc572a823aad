"""Runs converted models in MindSpore: mindspore_side.py PACKAGES RESULTS [--table models]
[--substitutes FOLDER] [NAME ...].

For each model of which RESULTS/NAME.npz is there it writes, into RESULTS/outcomes.json, how far it came (`stage`: import,
build, run, compare, equal), the largest difference from PyTorch of output and gradients, as a part of their scale, and
what went wrong: nothing where that is at most 1e-4. Each file goes once it was read."""

import argparse
import importlib
import json
import sys
import traceback
from pathlib import Path

import mindspore
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from draws import Draws

ALLOWED = 1e-4


class NoTorch:
    """Refuses to import what a converted program must not need."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError("a converted program imports torch")


class Model:
    """A converted model: what it computes, compared with what PyTorch computed."""

    def __init__(self, module: str, expression: str, known: dict) -> None:
        self.stage = "import"
        self.module = module
        self.expression = expression
        self.known = known
        self.worst = (0.0, "")

    def compare(self) -> None:
        space = vars(importlib.import_module(self.module))
        self.stage = "build"
        network = eval(self.expression, space)
        network.set_train(False)
        self.load(network)
        self.stage = "run"
        for name, module in list(sys.modules.items()):
            if name == "mindspore.mint" or name.endswith("mindport_helpers"):
                module.rand = Draws(mindspore.Tensor)
        found = self.computed(network)
        self.stage = "compare"
        gradients = [value for key, value in self.known.items() if key.startswith("gradient ")]
        largest = max(float(np.abs(value).max()) for value in gradients if value.size)
        for name, value in found.items():
            least = 1e-2 * largest if name.startswith("gradient ") else 1e-6
            self.look(name, value.asnumpy(), least)

    def load(self, network) -> None:
        """The weights that PyTorch drew. Raises AttributeError where there is no such buffer."""
        parameters = dict(network.parameters_and_names())
        for key, value in self.known.items():
            kind, _, name = key.partition(" ")
            if kind != "weight":
                continue
            if name in parameters:
                there = parameters[name]
                there.set_data(mindspore.Tensor(value.reshape(there.shape), there.dtype))
            else:
                *path, last = name.split(".")
                owner = network
                for one in path:
                    owner = owner._cells[one]
                there = getattr(owner, last)
                if not isinstance(there, mindspore.Parameter):  # else it has another name, too
                    setattr(owner, last, mindspore.Tensor(value, there.dtype))

    def computed(self, network) -> dict:
        """Output and gradients, by name."""
        parameters = [
            (name, each) for name, each in network.parameters_and_names() if f"gradient {name}" in self.known
        ]

        def total(given):
            output = network(given)
            factors = np.linspace(-1, 1, output.size).astype(np.float32).reshape(output.shape)
            return (output * mindspore.Tensor(factors)).sum(), output

        weights = mindspore.ParameterTuple([each for _, each in parameters])
        (_, output), (of_input, of_weights) = mindspore.value_and_grad(total, 0, weights, has_aux=True)(
            mindspore.Tensor(self.known["input"])
        )
        found = {"output": output, "gradient": of_input}
        return found | {
            f"gradient {name}": each for (name, _), each in zip(parameters, of_weights, strict=True)
        }

    def look(self, name: str, value: np.ndarray, least: float) -> None:
        wanted = self.known[name]
        if not wanted.size:
            return
        scale = max(float(np.abs(wanted).max()), least)
        error = float(np.abs(value.reshape(wanted.shape) - wanted).max()) / scale
        if not error <= self.worst[0]:
            self.worst = (error, name)


def outcome(module: str, expression: str, known: dict) -> dict:
    model = Model(module, expression, known)
    try:
        model.compare()
    except Exception:  # noqa: BLE001 - told of the model, and the others go on
        return {"stage": model.stage, "error": None, "problem": traceback.format_exc()[-1500:]}
    error, where = model.worst
    if not error <= ALLOWED:
        return {"stage": "compare", "error": error, "problem": f"{where} differs by {error:.1e} of its scale"}
    return {"stage": "equal", "error": error, "problem": ""}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("packages")
    parser.add_argument("results", type=Path)
    parser.add_argument("--table", default="models", help="the module with MODELS")
    parser.add_argument("--substitutes", default="", help="a folder made by write_substitutes")
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    if given.substitutes:
        sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "server"))
        from mindport.verify.inside.substitutes import substitute

        substitute(given.substitutes, "mindport_substitutes", "SUBSTITUTES")
    sys.meta_path.insert(0, NoTorch())
    sys.path.insert(0, given.packages)
    mindspore.runtime.launch_blocking()
    written = given.results / "outcomes.json"
    outcomes = json.loads(written.read_text(encoding="utf-8")) if written.exists() else {}
    table = importlib.import_module(given.table).MODELS
    for name in given.names or table:
        file = given.results / f"{name}.npz"
        if not file.exists():
            continue
        with np.load(file) as known:
            arrays = dict(known)
        file.unlink()
        module, expression, _ = table[name]
        outcomes[name] = {"stage": "run", "error": None, "problem": "the process ended"}
        written.write_text(json.dumps(outcomes), encoding="utf-8")
        outcomes[name] = outcome(module, expression, arrays)
        written.write_text(json.dumps(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
