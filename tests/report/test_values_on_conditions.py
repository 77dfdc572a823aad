"""What the analysis tells of values that branches give, and of what a training does behind its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindport.report.analysis.function_code import in_short
from test_analysis import as_json, codes
from test_shown_functions import shown

if TYPE_CHECKING:
    from pathlib import Path

TRAINING = """\
import argparse
import torch
from torch.utils.data import DataLoader
from parts import Images, Net
p = argparse.ArgumentParser()
p.add_argument('--pose', action='store_true')
p.add_argument('--kind', default='wide')
p.add_argument('--decay', action='store_true')
args = p.parse_args()
if args.pose:
    args.weight = 0.1
else:
    args.weight = 0
BIG = False
long = torch.ones(3) \\
    if args.pose else torch.zeros(3)
if BIG:
    classes = 101
else:
    classes = 51
model = Net(classes, args.kind)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
loader = DataLoader(Images(), batch_size=4)
for epoch in range(3):
    for at, (images, labels) in enumerate(loader):
        x = images / 255
        y = model(x)
        loss = torch.nn.functional.cross_entropy(y, labels) + args.weight * (y * long).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if at % 10 == 0:
            x = images[0, 1:].unsqueeze(0)
            torch.save(model(x), 'seen.pt')
    worst = model(x).max()
    if args.decay:
        scheduler.step(worst)
"""
PARTS = """\
import torch
from PIL import Image
class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.names = ['a.png']
        self.repeat = 5
    def __getitem__(self, at):
        return Image.open(self.names[at % len(self.names)]), 0
    def __len__(self):
        return len(self.names) * self.repeat
class Wide(torch.nn.Module):
    def forward(self, x):
        return x
class Narrow(torch.nn.Module):
    def forward(self, x):
        return x
class Net(torch.nn.Module):
    def __init__(self, size, kind):
        super().__init__()
        if kind == 'wide':
            self.block = Wide
        elif kind == 'narrow':
            self.block = Narrow
        self.part = self.block()
        self.last = torch.nn.Linear(3, size)
    def forward(self, x):
        return self.last(self.part(x))
"""


def made(folder: Path) -> Any:
    return as_json(folder, {"train.py": TRAINING, "parts.py": PARTS})


def entry(result: Any, item: str, code: str) -> Any:
    entries = next(one["entries"] for one in result["recipe"] if one["item"] == item)
    return next(one for one in entries if one["code"].startswith(code))


def test_values_are_told_with_their_conditions(tmp_path: Path) -> None:
    result = made(tmp_path)
    known = {one["value"]: one["known"] for one in entry(result, "loss", "loss =")["parameters"]}
    assert known["args.weight"] == "0.1 if args.pose / 0 if not (args.pose)"
    assert known["long"] == "torch.ones(3) if args.pose else torch.zeros(3)"


def test_values_that_constants_rule_out(tmp_path: Path) -> None:
    given = entry(made(tmp_path), "network", "Net(")["parameters"][0]
    assert (given["name"], given["known"]) == ("size", "51")


def test_classes_that_branches_give_an_attribute(tmp_path: Path) -> None:
    found = entry(made(tmp_path), "network", "self.block = Narrow")
    assert [one["value"] for one in found["conditions"]] == ["kind == 'narrow'"]
    assert in_short("not (a == 1) and not (a == 2) and a == 3") == "a == 3"
    assert in_short("not (a == 1) and b == 3") == "not (a == 1) and b == 3"


def test_samples_that_are_only_saved(tmp_path: Path) -> None:
    told = codes(made(tmp_path), "augmentation")
    assert "x = images / 255" in told
    assert not any("unsqueeze" in one for one in told)


def test_how_many_samples_there_are(tmp_path: Path) -> None:
    assert any("* self.repeat" in one for one in shown(made(tmp_path), "data").values()) or any(
        "* self.repeat" in one for one in shown(made(tmp_path), "augmentation").values()
    )


def test_what_a_schedule_watches_and_when(tmp_path: Path) -> None:
    told = codes(made(tmp_path), "schedule")
    assert "scheduler.step(worst)" in told
    assert "args.decay" in told


WHOLE = """\
import argparse
import random
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return x
class Trainer:
    def __init__(self, args, size):
        self.args = args
        self.size = size
        self.split()
        self.model = Net()
    def split(self):
        nodes = list(range(self.size))
        random.shuffle(nodes)
        self.chosen = nodes[0:self.args.first]
        self.rest = nodes[self.args.first:]
    def step(self):
        self.optimizer.zero_grad()
        out = self.model(self.chosen).cuda(async=True)
        loss = torch.nn.functional.nll_loss(out, self.chosen)
        loss.backward()
        self.optimizer.step()
    def fit(self):
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.1)
        for epoch in range(3):
            self.step()
parser = argparse.ArgumentParser()
parser.add_argument('--first', type=int, default=140)
trainer = Trainer(parser.parse_args(), 1000)
trainer.fit()
"""


def test_what_a_training_has_that_goes_over_nothing(tmp_path: Path) -> None:
    """`async=` of Python 2 costs nothing, either."""
    result = as_json(tmp_path, {"train.py": WHOLE})
    told = codes(result, "data")
    assert "random.shuffle(nodes)" in told
    assert "self.chosen = nodes[0:self.args.first]" in told
    assert not any("self.rest" in one for one in told)
    assert "class Net(torch.nn.Module)" in codes(result, "network")
    assert any("non_blocking=True" in one for one in shown(result, "loss").values())
