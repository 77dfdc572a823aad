"""Modules that PyTorch has kept in files as objects are read, and compute what they computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from converted_scripts import ran
from mindport.catalog.helpers import read_helpers
from mindport.cli.main import main

FOLDER = Path(__file__).parent
DATA = FOLDER.parents[2] / "mapping_data"
LAYERS = 600
"""So many layers of cases are compared at least."""

NETWORK = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, before, after):
        super().__init__()
        self.conv = nn.Conv2d(before, after, 3, 1, 1, bias=False)
        self.bn = nn.BatchNorm2d(after)
        self.act = nn.SiLU()
        self.scale = 2.0

    def forward(self, x):
        return self.act(self.bn(self.conv(x))) * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = ["a", "b"]
        self.stride = torch.tensor([8.0, 16.0])
        self.model = nn.Sequential(Block(3, 8), nn.MaxPool2d(2), Block(8, 8), nn.Upsample(scale_factor=2))
        self.parts = nn.ModuleList([nn.Linear(8, 4), nn.Linear(4, 2)])
        self.words = nn.Embedding(5, 8)
        self.rnn = nn.LSTM(8, 8, batch_first=True)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.weight = nn.Parameter(torch.ones(8))
        self.register_buffer("shift", torch.arange(8.0))
        self.register_buffer("passing", torch.ones(1), persistent=False)
        self.act = F.relu

    def forward(self, x, i):
        x = self.model(x).mean((2, 3)) * self.weight + self.shift * self.passing + self.words(i)
        x = self.encoder(self.rnn(x[:, None])[0])[:, 0]
        for part in self.parts:
            x = self.act(part(x))
        return x
"""
KEPT = """
import sys

import torch
from network import Net

torch.manual_seed(0)
net = Net()
net(torch.randn(2, 3, 8, 8), torch.tensor([1, 2]))
net.eval()
torch.save({"model": net, "epoch": 3}, sys.argv[1])
torch.save(net, sys.argv[2], _use_new_zipfile_serialization=False)
"""
READ = """
import sys

import torch
import torch.nn as nn

torch.manual_seed(1)
x, i = torch.randn(2, 3, 8, 8), torch.tensor([1, 2])
for path in sys.argv[1:]:
    kept = torch.load(path, map_location="cpu", weights_only=False)
    net = kept["model"] if isinstance(kept, dict) else kept
    print(net.training, net.names, net.stride.sum().item(), sorted(net.state_dict()))
    print([round(value, 4) for value in net.float()(x, i).flatten().tolist()])
    optimizer = torch.optim.SGD(net.train().parameters(), lr=0.1)
    for _ in range(2):
        loss = net(x, i).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    print(type(net.model[0].conv).__name__, isinstance(net.model[1], nn.MaxPool2d))
print([round(value, 6) for value in torch.rand(2).tolist()])
"""


@pytest.mark.timeout(900)
def test_layers_are_read(python: str, tmp_path: Path) -> None:
    helpers = read_helpers(DATA)
    second = "GRADIENTS_HAVE_GRADIENTS"
    names = [name for name in helpers.names if second not in helpers.with_dependencies([name])]
    module, result = tmp_path / "helpers.py", tmp_path / "result.json"
    module.write_text(helpers.source(names), encoding="utf-8")
    ran(python, FOLDER / "pickled.py", module, result)
    found = json.loads(result.read_text("utf-8"))
    assert {name: said for name, said in found.items() if said} == {}
    assert len(found) > LAYERS


def test_a_program_goes_on_with_a_model_of_pytorchs(python: str, tmp_path: Path) -> None:
    source, converted = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    for name, text in (("network", NETWORK), ("keep", KEPT), ("go_on", READ)):
        (source / f"{name}.py").write_text(text, encoding="utf-8")
    files = tmp_path / "new.pt", tmp_path / "old.pt"
    ran(python, source / "keep.py", *files)
    assert main(["convert", str(source), "-o", str(converted), "--whole", "--device", "cpu"]) == 0
    assert ran(python, converted / "go_on.py", *files) == ran(python, source / "go_on.py", *files)
