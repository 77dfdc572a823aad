"""Runs a training program in PyTorch: torch_side.py PROGRAM MODULE ARGUMENTS RESULTS TURN [--draws], the arguments as a list
in JSON; with --draws, nothing that it draws at random is kept. From turn 1 on, the first weights are others.

It is run three times, from the second time on with the last bits of the weights changed: where that alone changes the
trained weights, they cannot be compared. Leaves `tape.pickle` and `torch0.pickle` to `torch2.pickle` in RESULTS."""

import importlib.util
import json
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from replay import FUNCTIONS, IN_PLACE, MODULE, SAMPLERS, Tape, order, reordered, started, wrap, wrap_classes
from torchvision_sources import declare_operators

LAST_BITS = 3e-7
OTHERS = 0.02
"""How much weights are changed for another turn, as a part of their size."""
RUNS = 3


def to_array(tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().copy()


def to_tensor(value, result, args):
    return torch.from_numpy(np.array(value)).to(result.dtype)


def put(value, result, args):
    """Give the changed Tensor the values that were kept."""
    with torch.no_grad():
        args[0].copy_(torch.from_numpy(np.array(value)))
    return result


def listed(cls, tape) -> None:
    """Let the indices of a sampler be drawn all at once."""
    iterate = cls.__iter__
    cls.__iter__ = lambda self: list(iterate(self))
    wrap(cls, "__iter__", cls.__name__, tape, list, lambda value, result, args: value)
    at_once = cls.__iter__
    cls.__iter__ = lambda self: iter(at_once(self))


def install(tape: Tape) -> None:
    def built(module) -> None:
        state = module.state_dict()
        if not state:
            return
        if tape.plays:
            module.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in tape.next_weights().items()})
            return
        weights = {name: to_array(value) for name, value in state.items()}
        tape.kept[MODULE].append(tape.changed(weights))
        if tape.kept[MODULE][-1] is not weights:
            module.load_state_dict(
                {k: torch.from_numpy(np.array(v)) for k, v in tape.kept[MODULE][-1].items()}
            )

    wrap_classes(torch.nn.Module, tape, built)
    for name in FUNCTIONS:
        for owner in (torch, torch.Tensor):
            if hasattr(owner, name):
                if owner is torch.Tensor:
                    setattr(owner, name, getattr(owner, name))
                wrap(owner, name, name, tape, to_array, to_tensor)
    for name in IN_PLACE:
        if hasattr(torch.Tensor, name):
            setattr(torch.Tensor, name, getattr(torch.Tensor, name))
            wrap(torch.Tensor, name, name, tape, to_array, put)
        if hasattr(torch.nn.init, name):
            wrap(torch.nn.init, name, name, tape, to_array, put)
    for distribution in {
        torch.distributions.Normal,
        torch.distributions.Categorical,
        torch.distributions.Bernoulli,
    }:
        wrap(distribution, "sample", f"{distribution.__name__}.sample", tape, to_array, to_tensor)
    for name in SAMPLERS:
        listed(getattr(torch.utils.data, name), tape)
    wrap(torch.utils.data, "random_split", "random_split", tape, order, reordered)
    base_seed(tape)


def install_changes(tape: Tape) -> None:
    """Let the first weights of each module be changed a little, and nothing else."""

    def built(module) -> None:
        state = {name: to_array(value) for name, value in module.state_dict().items()}
        module.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in tape.changed(state).items()})

    wrap_classes(torch.nn.Module, tape, built)


def base_seed(tape: Tape) -> None:
    """What a DataLoader draws for its workers is no draw of the program."""
    loader = torch.utils.data.dataloader._BaseDataLoaderIter
    original = loader.__init__

    def construct(self, *args, **kwargs):
        seed = torch.Tensor.random_
        torch.Tensor.random_ = seed.__wrapped__
        try:
            original(self, *args, **kwargs)
        finally:
            torch.Tensor.random_ = seed

    loader.__init__ = construct


def outcome(losses, model) -> dict:
    models = model if isinstance(model, (tuple, list)) else [model]
    return {
        "losses": [float(loss) for loss in losses],
        "parameters": {
            f"{place}.{name}": to_array(value)
            for place, each in enumerate(models)
            for name, value in each.state_dict().items()
        },
    }


def run(program: Path, module: str, arguments: list[str], folder: Path) -> dict:
    folder.mkdir(parents=True)
    os.chdir(folder)
    sys.path.insert(0, str(program))
    return outcome(*started(program, module, arguments))


def prepared(path: Path, number: int, turn: int, draws: bool) -> Tape:
    """The tape of a run in a turn, installed."""
    if draws:
        tape = Tape(change=LAST_BITS if number else 0.0, seed=number)
        install_changes(tape)
        return tape
    tape = Tape(path, LAST_BITS, number) if number else Tape(change=OTHERS if turn else 0.0, seed=turn)
    install(tape)
    return tape


def main(program: str, module: str, arguments: str, results: str, turn: str, draws: str = "") -> None:
    torch.set_num_threads(1)
    if importlib.util.find_spec("torchvision"):
        library = declare_operators()  # noqa: F841 - there as long as the name
    folder = Path(results).resolve()
    path = folder / "tape.pickle"
    for number in range(RUNS):
        child = os.fork()  # each run in a process of its own, without loading PyTorch again
        if child == 0:
            tape = prepared(path, number, int(turn), bool(draws))
            found = run(Path(program).resolve(), module, json.loads(arguments), folder / f"torch{number}")
            (folder / f"torch{number}.pickle").write_bytes(pickle.dumps(found))
            if not number:
                tape.save(path)
            return
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
