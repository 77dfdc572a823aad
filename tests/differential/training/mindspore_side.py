"""Runs a converted training program in MindSpore: mindspore_side.py PROGRAM MODULE ARGUMENTS RESULTS HELPERS [--draws], the
arguments as a list in JSON, HELPERS being the table of helpers. Weights and random numbers are those of
RESULTS/tape.pickle, with --draws the program's own. Leaves `mindspore.pickle` and `differences.json` in RESULTS."""

import importlib
import json
import os
import pickle
import sys
from pathlib import Path

import mindspore
import numpy as np
from mindspore import mint, nn, ops

sys.path.insert(0, str(Path(__file__).parent))

from replay import FUNCTIONS, IN_PLACE, SAMPLERS, Tape, order, reordered, started, wrap, wrap_classes
from steps_compared import compared


class NoTorch:
    """Refuses to import what a converted program must not need."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "torchvision"):
            raise ImportError("a converted program imports torch")


def to_array(tensor) -> np.ndarray:
    return tensor.asnumpy().copy()


def to_tensor(value, result, args):
    value = np.array(value)
    if tuple(value.shape) != tuple(result.shape):
        raise AssertionError(f"drawn in shape {result.shape}, in PyTorch in {value.shape}")
    return mindspore.Tensor(value).astype(result.dtype)


def put(value, result, args):
    """Give the changed Tensor the values that were kept."""
    tensor, value = args[0], mindspore.Tensor(np.array(value)).astype(args[0].dtype)
    if isinstance(tensor, mindspore.Parameter):
        tensor.set_data(value)
    else:
        tensor[...] = value
    return result


def listed(cls, tape) -> None:
    iterate = cls.__iter__
    cls.__iter__ = lambda self: list(iterate(self))
    wrap(cls, "__iter__", cls.__name__, tape, list, lambda value, result, args: value)
    at_once = cls.__iter__
    cls.__iter__ = lambda self: iter(at_once(self))


def install(tape: Tape, helpers, table: dict) -> None:
    def built(cell) -> None:
        names = list(state_of(cell))
        if not names:
            return
        wanted = tape.next_weights()
        if sorted(names) != sorted(wanted):
            raise AssertionError(
                f"state_dict of {type(cell).__name__}: {sorted(set(names) ^ set(wanted))} in one of them"
            )
        cell.load_state_dict({name: mindspore.Tensor(np.array(value)) for name, value in wanted.items()})

    wrap_classes(nn.Cell, tape, built)
    for api, entry in table.items():
        owner, _, name = api.rpartition(".")
        if owner not in ("torch", "torch.Tensor", "torch.nn.init", "torch.utils.data"):
            continue
        helper = entry["helper"]
        if helper not in vars(helpers):
            continue
        if name in FUNCTIONS:
            wrap(helpers, helper, name, tape, to_array, to_tensor)
        elif name in IN_PLACE:
            wrap(helpers, helper, name, tape, to_array, put)
        elif name in SAMPLERS:
            listed(getattr(helpers, helper), tape)
        elif name == "random_split":
            wrap(helpers, helper, name, tape, order, reordered)
    for distribution in ("Normal", "Categorical", "Bernoulli"):
        entry = table.get(f"torch.distributions.{distribution}")
        if entry is not None and entry["helper"] in vars(helpers):
            cls = getattr(helpers, entry["helper"])
            cls.sample = cls.sample  # its own, where it is inherited
            wrap(cls, "sample", f"{distribution}.sample", tape, to_array, to_tensor)
    for module in (mindspore, ops, mint):
        for name in FUNCTIONS:
            if hasattr(module, name):
                wrap(module, name, name, tape, to_array, to_tensor)


def state_of(cell) -> dict:
    return cell.state_dict() if hasattr(cell, "state_dict") else {}


def outcome(losses, model) -> dict:
    models = model if isinstance(model, (tuple, list)) else [model]
    return {
        "losses": [float(loss) for loss in losses],
        "parameters": {
            f"{place}.{name}": to_array(value)
            for place, each in enumerate(models)
            for name, value in state_of(each).items()
        },
    }


def main(program: str, module: str, arguments: str, results: str, table: str, draws: str = "") -> None:
    sys.meta_path.insert(0, NoTorch())
    mindspore.runtime.launch_blocking()
    folder = Path(results).resolve()
    path = Path(program).resolve()
    sys.path.insert(0, str(path))
    helpers = importlib.import_module("mindport_helpers")
    if not draws:
        install(Tape(folder / "tape.pickle"), helpers, json.loads(Path(table).read_text(encoding="utf-8")))
    (folder / "mindspore").mkdir()
    os.chdir(folder / "mindspore")
    found = outcome(*started(path, module, json.loads(arguments)))
    (folder / "mindspore.pickle").write_bytes(pickle.dumps(found))
    (folder / "differences.json").write_text(json.dumps(compared(folder)._asdict()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
