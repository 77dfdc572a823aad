"""What the analysis tells of steps that functions give, of what objects compute for them, and of what a module
is asked for by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from test_analysis import as_json, codes
from test_shown_functions import shown
from test_values_on_conditions import entry

if TYPE_CHECKING:
    from pathlib import Path

TRAINING = """\
import argparse
import numpy as np
import torch
import nets
from torch.utils.data import DataLoader
from settings import params
p = argparse.ArgumentParser()
p.add_argument('--kind', default='wide')
p.add_argument('--size', type=int, default=16)
p.add_argument('--negatives', type=int, default=5)
p.add_argument('--max_steps', type=int, default=None)
args = p.parse_args()
maker = 'build_%s' % args.kind
numbers = dict()
with open('words.txt') as file:
    for line in file:
        word, number = line.split()
        numbers[word] = int(number)
class Words(torch.utils.data.Dataset):
    def __init__(self, table, monitor=None):
        self.words = sorted(table)
        if monitor:
            self.watch()
    def watch(self):
        self.words = self.words[::-1]
    def __getitem__(self, at):
        return numbers[self.words[at]]
class Learner:
    def __init__(self, model, params):
        self.model = model
        beta = np.array(params.rates)
        levels = np.cumprod(1 - beta)
        self.levels = torch.tensor(levels)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    def state_dict(self):
        return {'params': dict(params), 'optimizer': self.optimizer.state_dict()}
    def step(self, x):
        loss = torch.nn.functional.l1_loss(self.model(x) * self.levels[3], x)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss
    def train(self, data, max_steps=None):
        done = 0
        for x in data:
            if max_steps is not None and done >= max_steps:
                break
            loss = self.step(x)
            done += 1
            if loss != loss:
                break
def shorten(count):
    params.batch = params.batch // count
def train(data, args):
    model = getattr(nets, maker)(args.size)
    learner = Learner(model, params)
    learner.train(data, max_steps=args.max_steps)
    trainer = model.trainer(learner.optimizer, args)
    for x in data:
        trainer(x)
if torch.cuda.device_count() > 1:
    shorten(torch.cuda.device_count())
train(DataLoader(Words(numbers), batch_size=params.batch), args)
"""
NETS = """\
import torch
class Wide(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.last = torch.nn.Linear(size, size)
    def forward(self, x):
        return self.last(x)
    def trainer(self, optimizer, args):
        def step(x):
            loss = torch.nn.functional.mse_loss(self(x), x) * args.negatives
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return step
def build_wide(size=4):
    return Wide(size)
"""
SETTINGS = "class Table(dict):\n    pass\nparams = Table(batch=32, rates=[0.1, 0.2])\n"


def made(folder: Path) -> Any:
    return as_json(folder, {"train.py": TRAINING, "nets.py": NETS, "settings.py": SETTINGS})


def test_what_a_module_is_asked_for_by_its_name(tmp_path: Path) -> None:
    given = entry(made(tmp_path), "network", "Wide(")["parameters"][0]
    assert (given["name"], given["known"]) == ("size", "16")


def test_options_of_steps_are_none_of_the_network(tmp_path: Path) -> None:
    assert not any("negatives" in one for one in codes(made(tmp_path), "network"))


def test_steps_that_functions_give(tmp_path: Path) -> None:
    assert "torch.nn.functional.mse_loss(self(x), x)" in codes(made(tmp_path), "loss")


def test_what_an_object_computes_for_its_losses(tmp_path: Path) -> None:
    told = codes(made(tmp_path), "loss")
    assert "self.levels = torch.tensor(levels)" in told
    assert "levels = np.cumprod(1 - beta)" in told


def test_tables_that_loops_fill_by_keys(tmp_path: Path) -> None:
    told = shown(made(tmp_path), "data").values()
    assert any("numbers[word] = int(number)" in one for one in told)


def test_branches_of_what_is_never_given(tmp_path: Path) -> None:
    result = made(tmp_path)
    told = [*shown(result, "data").values(), *shown(result, "augmentation").values()]
    assert told
    assert not any("watch" in one for one in told)


def test_a_state_is_no_group(tmp_path: Path) -> None:
    assert not any("dict(params)" in one for one in codes(made(tmp_path), "groups"))


def test_what_went_wrong_is_no_end(tmp_path: Path) -> None:
    """A function is no method of the same name: it gives the steps nothing."""
    result = made(tmp_path)
    told = codes(result, "epochs")
    assert "loss != loss" not in told
    asked = entry(result, "epochs", "max_steps is not None")
    assert not any("parse_args" in one["known"] for one in asked["parameters"])


def test_a_size_that_is_divided(tmp_path: Path) -> None:
    made_with = entry(made(tmp_path), "batch_size", "DataLoader(")["parameters"]
    known = next(one["known"] for one in made_with if one["name"] == "batch_size")
    assert known.startswith("32 / params.batch // count")


RATES = """\
import argparse
import matplotlib.pyplot as plt
import torch
p = argparse.ArgumentParser()
args = p.parse_args()
args.first_lr = 0.1
args.lr = 0.1
args.decay = 0.0005
args.steps = [10, 20]
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), args.lr, weight_decay=args.decay)
def adjust_learning_rate(optimizer, epoch):
    args.lr = args.first_lr
    for step in args.steps:
        if epoch >= step:
            args.lr = args.lr * 0.1
    for group in optimizer.param_groups:
        group['lr'] = args.lr
def plot_losses(result):
    train_loss = result['train loss'] * 2
    plt.plot(train_loss)
seen = []
for epoch in range(30):
    adjust_learning_rate(optimizer, epoch)
    x = torch.rand(4, 3)
    loss = (model(x) - x).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    seen.append(float(loss))
params = {}
params['lr'] = args.lr
plot_losses({'train loss': seen, 'of': params})
"""


def test_rates_that_a_schedule_sets(tmp_path: Path) -> None:
    result = as_json(tmp_path, {"train.py": RATES})
    told = codes(result, "optimizer")
    assert not any(one.startswith("args.lr = args") for one in told)
    known = {one["name"]: one["known"] for one in entry(result, "optimizer", "torch.optim")["parameters"]}
    assert known["lr"] == "0.1"
    told = codes(result, "schedule")
    assert not any("decay" in one or one.startswith("params[") for one in told)
    assert "group['lr'] = args.lr" in told


def test_what_is_plotted_is_no_loss(tmp_path: Path) -> None:
    result = as_json(tmp_path, {"train.py": RATES})
    assert not any("result[" in one for one in codes(result, "loss"))
    assert not any("plt" in one for one in shown(result, "loss").values())


def test_only_what_is_asked_for_by_its_name_is_called(tmp_path: Path) -> None:
    nets = "import torch\n"
    for name in ("First", "Second"):
        nets += f"class {name}(torch.nn.Module):\n    def __init__(self, size=4):\n"
        nets += "        super().__init__()\n        self.part = torch.nn.Parameter(torch.zeros(size))\n"
    program = (
        "import argparse, torch, nets\np = argparse.ArgumentParser()\np.add_argument('--kind', default='First')\n"
        "args = p.parse_args()\nmodel = getattr(nets, args.kind)(16)\n"
        "loss = model(torch.rand(3)).mean()\nloss.backward()\n"
    )
    result = as_json(tmp_path, {"train.py": program, "nets.py": nets})
    entries = next(one["entries"] for one in result["recipe"] if one["item"] == "initialization")
    known = [each["known"] for one in entries for each in one["parameters"] if each["value"] == "size"]
    assert known == ["16", "4"]
