"""What the analysis tells of tables that choose, of lists that loops fill, and of what evaluates alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.report.analysis.function_code import statements
from test_analysis import as_json, codes
from test_shown_functions import shown

if TYPE_CHECKING:
    from pathlib import Path

TRAINING = """\
import argparse
import random
import torch
from sizes import Wide, Narrow, SIZES
p = argparse.ArgumentParser()
p.add_argument('--net', default='wide')
p.add_argument('--data', default='cats')
p.add_argument('--flip', action='store_true')
p.add_argument('--lr', type=float, default=0.1)
rates = p.add_argument_group('optimizer')
args = p.parse_args()
models = {'cats': {'wide': Wide, 'narrow': Narrow}, 'dogs': {'wide': Wide}}
model = models[args.data][args.net](SIZES[args.data])
slow = []
for name, weight in model.named_parameters():
    if 'bias' in name:
        print(name)
        slow.append(weight)
optimizer = torch.optim.SGD([{'params': slow, 'lr': 0.01}], lr=args.lr)
order = list(range(100))
source = torch.load('images.pt')
def validate(data, flip):
    model.eval()
    with torch.no_grad():
        for x in data:
            print(model(x.flip(0) if flip else x))
def train():
    model.train()
    random.shuffle(order)
    for at in range(0, 100, 10):
        x = source[order[at:at + 10]]
        loss = model.loss_of(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(model.latest_losses())
for epoch in range(3):
    train()
    validate(source, args.flip)
"""
SIZES = """\
import torch
SIZES = {'cats': 3, 'dogs': 1}
class Base(torch.nn.Module):
    def loss_of(self, x):
        out, extra = self(x)
        self.part = extra.mean()
        return (out - x).abs().sum() + self.part
    def latest_losses(self):
        return {'part': self.part}
class Turn(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(size))
    def forward(self, x):
        x = x * self.scale
        return (x, self.scale.log().sum())
class Wide(Base):
    def __init__(self, size):
        super().__init__()
        self.parts = torch.nn.ModuleList([Turn(size), Turn(size)])
    def forward(self, x):
        total = 0
        for part in self.parts:
            x, extra = part(x)
            total = total + extra
        return (x, total)
class Narrow(Wide):
    pass
"""


def made(folder: Path) -> Any:
    return as_json(folder, {"train.py": TRAINING, "sizes.py": SIZES})


def known(result: Any, item: str) -> dict[str, str]:
    """What is known of the names in the tables of an item."""
    found = next(one["functions"] for one in result["recipe"] if one["item"] == item)
    return {each["value"]: each["known"] for one in found if one["kind"] == "table" for each in one["known"]}


def test_tables_are_told_with_what_is_chosen(tmp_path: Path) -> None:
    result = made(tmp_path)
    code = shown(result, "network")
    assert code["models table"].startswith("models = {'cats': {'wide': Wide, 'narrow': Narrow}")
    assert code["SIZES table"] == "SIZES = {'cats': 3, 'dogs': 1}"
    assert known(result, "network") == {"models[args.data][args.net]": "Wide", "SIZES[args.data]": "3"}


def test_lists_that_loops_fill(tmp_path: Path) -> None:
    code = shown(made(tmp_path), "groups")
    assert code["filled"].splitlines() == [
        "slow = []",
        "for name, weight in model.named_parameters():",
        "    if 'bias' in name:",
        "        slow.append(weight)",
    ]


def test_lists_that_are_shuffled(tmp_path: Path) -> None:
    assert "random.shuffle(order)" in codes(made(tmp_path), "data")
    found = list(statements(ast.parse("import random\nrandom.shuffle(self.order)\nother.shuffle()\n")))
    assert [one.targets for one in found] == [["self.order"]]


def test_losses_that_no_step_needs(tmp_path: Path) -> None:
    told = codes(made(tmp_path), "loss")
    assert not any("latest_losses" in one for one in told)


def test_what_layers_give_for_a_loss(tmp_path: Path) -> None:
    code = shown(made(tmp_path), "loss")
    assert {"Base.loss_of", "Wide.forward", "Turn.forward"} <= code.keys()


def test_options_that_only_evaluation_reads(tmp_path: Path) -> None:
    told = codes(made(tmp_path), "augmentation")
    assert not any("--flip" in one for one in told)


def test_parts_of_parsers_are_no_settings(tmp_path: Path) -> None:
    assert not any("add_argument_group" in one for one in codes(made(tmp_path), "optimizer"))


def test_lists_that_other_objects_keep_are_no_losses(tmp_path: Path) -> None:
    training = TRAINING.replace("    train()\n", "    model.state.loss = [0]\n    train()\n")
    result = as_json(tmp_path, {"train.py": training, "sizes.py": SIZES})
    assert not any("state.loss" in one for one in codes(result, "loss"))


def test_classes_that_constants_never_choose(tmp_path: Path) -> None:
    training = """\
import torch
KIND = 'wide'
class Wide(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
class Part(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        torch.nn.init.zeros_(self.layer.weight)
class Narrow(torch.nn.Module):
    def __init__(self, part=Part):
        super().__init__()
        self.part = part()
if KIND == 'wide':
    net = Wide()
else:
    net = Narrow()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.load('data.pt'):
    loss = net(x).sum()
    loss.backward()
    optimizer.step()
"""
    result = as_json(tmp_path, {"train.py": training})
    told = codes(result, "network")
    assert "class Wide(torch.nn.Module)" in told
    assert not any("Narrow" in one or "Part" in one for one in told)
    assert not codes(result, "initialization")


def test_rates_that_loops_set(tmp_path: Path) -> None:
    training = """\
import torch
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train():
    best, waited = 1e9, 0
    for epoch in range(9):
        for x in torch.load('data.pt'):
            loss = net(x).sum()
            loss.backward()
            optimizer.step()
        if loss < best:
            best, waited = loss, 0
        else:
            waited += 1
        if waited > 2:
            for group in optimizer.param_groups:
                group['lr'] *= 0.5
    seen = {}
    seen['lr'] = 0.1
train()
"""
    code = shown(as_json(tmp_path, {"train.py": training}), "schedule")["train rates"]
    assert "waited += 1" in code and "group['lr'] *= 0.5" in code and "if loss < best:" in code
    assert "seen" not in code and "backward" not in code


def test_what_a_step_keeps_for_the_next(tmp_path: Path) -> None:
    training = """\
import torch
class Trainer:
    def __init__(self, net):
        self.net = net
        self.center = None
        self.width = 1.0
    def center_of(self, data):
        self.net.eval()
        with torch.no_grad():
            return torch.stack([self.net(x) for x in data]).mean(0)
    def train(self, data):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.center = self.center_of(data)
        for epoch in range(3):
            for x in data:
                apart = (self.net(x) - self.center).pow(2) - self.width
                loss = apart.mean()
                loss.backward()
                optimizer.step()
                self.width = float(apart.max())
Trainer(torch.nn.Linear(2, 2)).train(torch.load('data.pt'))
"""
    code = shown(as_json(tmp_path, {"train.py": training}), "loss")
    assert "self.width = float(apart.max())" in code["Trainer.train step"]
    assert "Trainer.center_of" in code


def test_what_is_only_read_to_evaluate(tmp_path: Path) -> None:
    training = """\
import torch
from torchvision import transforms
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = torch.nn.MSELoss()
measure = torch.nn.L1Loss()
back = transforms.Normalize(mean=[-1], std=[1])
show = transforms.Compose([back, transforms.ToPILImage()])
def validate(data, loss_of):
    net.eval()
    with torch.no_grad():
        for x, y in data:
            print(loss_of(net(x), y), back(x))
def train(data):
    for x, y in data:
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
train(torch.load('data.pt'))
validate(torch.load('data.pt'), measure)
"""
    files = {"train.py": "import argparse\nargs = argparse.ArgumentParser().parse_args()\n" + training}
    result = as_json(tmp_path, files)
    assert not any("L1Loss" in one for one in codes(result, "loss"))
    assert any("MSELoss" in one for one in codes(result, "loss"))
    assert not any("Normalize" in one or "ToPILImage" in one for one in codes(result, "augmentation"))


def test_modules_that_are_imported_by_a_function_of_python(tmp_path: Path) -> None:
    training = """\
import argparse
import torch
p = argparse.ArgumentParser()
p.add_argument('--net', default='wide')
args = p.parse_args()
module = __import__(args.net)
net = module.Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.load('data.pt'):
    loss = net(x).sum()
    loss.backward()
    optimizer.step()
"""
    network = "import torch\nclass Net(torch.nn.Module):\n    pass\n"
    result = as_json(tmp_path, {"train.py": training, "wide.py": network})
    assert "class Net(torch.nn.Module)" in codes(result, "network")


def test_a_function_that_has_the_name_of_a_method(tmp_path: Path) -> None:
    training = """\
import torch
from nets import build
class Trainer:
    def build(self):
        self.net = build()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
    def train(self):
        self.build()
        for x in torch.load('data.pt'):
            loss = self.net(x).sum()
            loss.backward()
            self.optimizer.step()
Trainer().train()
"""
    nets = "import torch\nclass Net(torch.nn.Module):\n    pass\ndef build():\n    return Net()\n"
    told = codes(as_json(tmp_path, {"train.py": training, "nets.py": nets}), "network")
    assert "class Net(torch.nn.Module)" in told
    assert "Net()" in told
