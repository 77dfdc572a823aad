"""What the analysis tells of tables that choose, of lists that loops fill, and of what evaluates alone."""

from __future__ import annotations

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
    found = list(statements("import random\nrandom.shuffle(self.order)\nother.shuffle()\n"))
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
