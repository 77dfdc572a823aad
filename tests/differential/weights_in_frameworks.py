"""Weights that PyTorch and MindSpore save and load, with `mindport weights` between: weights_in_frameworks.py
MINDPORT FOLDER, where MINDPORT is the Python that has mindport. Ends in an error where something differs."""

import os
import subprocess
import sys

import mindspore
import numpy as np
import torch
from torch import nn

KINDS = [
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.int16,
    torch.int8,
    torch.uint8,
    torch.uint16,
    torch.uint32,
    torch.uint64,
    torch.bool,
]


def converted(mindport: str, source: str, output: str, *options: str) -> None:
    command = [mindport, "-m", "mindport", "weights", source, "-o", output, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 0, done.stderr


def network() -> nn.Module:
    torch.manual_seed(0)
    layers = nn.Sequential(
        nn.Conv2d(3, 4, 3),
        nn.BatchNorm2d(4),
        nn.Linear(4, 3),
        nn.Conv1d(2, 3, 3),
        nn.LayerNorm(5),
        nn.Embedding(4, 5),
        nn.LSTM(2, 3),
        nn.PReLU(),
    )
    for each in (*layers.parameters(), layers[1].running_mean):
        each.data = torch.randn(each.shape)
    return layers


def tensors() -> dict[str, torch.Tensor]:
    """A Tensor of every type, and those that are no whole row of memory."""
    found = {f"of.{kind}": torch.arange(6).reshape(2, 3).to(kind) for kind in KINDS}
    found["one"] = torch.tensor(3.5)
    found["expanded"] = torch.arange(3.0).expand(2, 3)
    found["strided"] = torch.arange(12.0).reshape(3, 4)[:, ::2].t()
    found["complex"] = torch.randn(3, 2, dtype=torch.complex128).t()
    return found


def check(found: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor]) -> None:
    assert list(found) == list(wanted)
    for name, each in wanted.items():
        assert found[name].dtype == each.dtype, name
        assert torch.equal(found[name], each), name


def main(mindport: str, folder: str) -> None:
    os.chdir(folder)
    weights = network().state_dict()
    of_all_types = tensors()
    torch.save({"epoch": 3, "model": of_all_types}, "types.pth")
    converted(mindport, "types.pth", "types2.pth")
    check(torch.load("types2.pth"), of_all_types)
    del of_all_types["complex"]
    torch.save(of_all_types, "types.pth")
    converted(mindport, "types.pth", "types.ckpt")
    loaded = mindspore.load_checkpoint("types.ckpt")
    for name, each in of_all_types.items():
        kind = str(each.dtype).removeprefix("torch.")
        assert str(loaded[name].dtype).lower() == kind, name
        as_numbers = loaded[name].astype(mindspore.float64).asnumpy()
        assert np.array_equal(as_numbers, each.double().numpy()), name
    converted(mindport, "types.ckpt", "types3.pth")
    check(torch.load("types3.pth"), of_all_types)
    torch.save(weights, "old.pth", _use_new_zipfile_serialization=False)
    torch.save(network(), "module.pth")
    for name in ("old", "module"):
        converted(mindport, f"{name}.pth", f"{name}.safetensors")
        converted(mindport, f"{name}.safetensors", f"{name}2.pth")
        check(torch.load(f"{name}2.pth"), dict(weights))
    layers = mindspore.nn
    cells = layers.SequentialCell(
        layers.Conv2d(3, 4, 3, has_bias=True),
        layers.BatchNorm2d(4),
        layers.Dense(4, 3),
        layers.Conv1d(2, 3, 3, has_bias=True),
        layers.LayerNorm((5,)),
        layers.Embedding(4, 5),
        layers.LSTM(2, 3),
        layers.PReLU(),
    )
    mindspore.save_checkpoint(cells, "cells.ckpt", crc_check=True)
    converted(mindport, "old.pth", "new.ckpt", "--like", "cells.ckpt")
    left = mindspore.load_param_into_net(cells, mindspore.load_checkpoint("new.ckpt"), strict_load=True)
    assert left == ([], []), left
    assert np.array_equal(cells[1].moving_mean.asnumpy(), weights["1.running_mean"].numpy())
    mindspore.save_checkpoint(cells, "cells.ckpt")
    converted(mindport, "cells.ckpt", "back.pth", "--like", "old.pth")
    check(torch.load("back.pth"), {name: each for name, each in weights.items() if "batches" not in name})


if __name__ == "__main__":
    main(*sys.argv[1:])
