"""What the analysis leaves out as it evaluates or belongs to other programs, and what scripts without a main
function, calls with all options, lists of classes and replaced layers tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """\
import sys
import json
import torch
from torchvision import transforms
from nets import A, B
from measures import dice
from training import train
with open('config.json') as f:
    params_set = json.load(f)
shown = transforms.Compose([transforms.ToTensor()])
listed = [A, B]
def made(chosen, wide):
    return chosen(wide)
net = made(listed[1], 3)
n_iter = 1
for epoch in range(5):
    for x in loader:
        loss = net(x).mean()
        loss.backward()
    net.eval()
    print(net(shown(image)))
    n_iter += 1
net.eval()
print(dice(net(image), 2))
"""
OTHERS = {
    "measures.py": "def dice(a, b):\n    total = a * b\n    return 2 * total.sum()\n"
    "def dice_loss(a, b):\n    return 1 - (a * b).sum()\n",
    "nets.py": "import torch\nclass A(torch.nn.Module): ...\nclass B(torch.nn.Module): ...\n",
    "training.py": "def train(net, x):\n    loss = net(x).mean()\n    loss.backward()\n",
}


def test_what_evaluates_behind_a_training_names_nothing(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": SCRIPT, **OTHERS})
    assert not any("dice" in one or "total" in one for one in codes(made, "loss"))
    assert not codes(made, "augmentation")
    assert not any("json.load" in one for one in codes(made, "data"))
    assert codes(made, "epochs") == ["for epoch in range(5)"]


def test_networks_that_are_elements_of_a_list(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": SCRIPT, **OTHERS}), "network")
    assert "chosen(wide)" in told


def test_scripts_that_train_by_functions_of_others_are_programs(tmp_path: Path) -> None:
    files = {
        "run.py": "import torch\nfrom training import train\nnet = torch.nn.Linear(2, 2)\ntrain(net, 1)\n",
        "training.py": f"{OTHERS['training.py']}def never():\n    import torch\n    torch.manual_seed(3)\n",
    }
    assert not codes(as_json(tmp_path, files), "seed")


def test_classes_that_only_a_package_imports(tmp_path: Path) -> None:
    files = {
        "data/__init__.py": "from .sets import Words\nfrom .sound import Mel, Base\n",
        "data/sets.py": "import torch\nclass Words(torch.utils.data.Dataset):\n    def __getitem__(self, at):\n"
        "        return open(self.names[at])\n",
        "data/sound.py": "import torch\nclass Base(torch.nn.Module): ...\nclass Mel(Base): ...\n",
        "train.py": "import torch\nfrom data import Words\nnet = torch.nn.Linear(2, 2)\nfor x in Words():\n"
        "    loss = net(x).mean()\n    loss.backward()\n",
        "show.py": "from data import Mel\nif __name__ == '__main__':\n    print(Mel()(1))\n",
    }
    made = as_json(tmp_path, files)
    assert not any("class" in one for one in codes(made, "network"))
    assert any("class Words" in one for one in codes(made, "data"))


def test_options_that_a_call_is_given_by_their_names(tmp_path: Path) -> None:
    files = {
        "a.py": "import argparse, torch\nclass EndlessLoader(torch.utils.data.DataLoader): ...\n"
        "def train(n_speakers):\n    train_loader = EndlessLoader(data, batch_size=n_speakers)\n"
        "    net = torch.nn.Linear(2, 2)\n    for x in train_loader:\n        loss = net(x).mean()\n"
        "        loss.backward()\n"
        "if __name__ == '__main__':\n    parser = argparse.ArgumentParser()\n"
        "    parser.add_argument('--n_speakers', type=int, default=64)\n    train(**vars(parser.parse_args()))\n"
    }
    made = as_json(tmp_path, files)
    assert codes(made, "batch_size") == ["EndlessLoader(data, batch_size=n_speakers)"]
    assert parameters(made, "batch_size", 0)["batch_size"] == ("n_speakers", "64")


def test_layers_that_programs_replace(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch, torchvision\nfrom torch import nn\nnet = torchvision.models.resnet18()\n"
        "net.fc = nn.Linear(512, 10)\nnet.features = nn.DataParallel(net.features)\n"
        "loss = net(x).mean()\nloss.backward()\n"
    }
    told = codes(as_json(tmp_path, files), "network")
    assert "net.fc = nn.Linear(512, 10)" in told
    assert not any("DataParallel" in one for one in told)


def test_modules_without_weights_that_losses_are_made_with(tmp_path: Path) -> None:
    files = {
        "distance.py": "import torch\nclass Distance(torch.nn.Module):\n    def forward(self, a, b):\n"
        "        return near(a, b)\nclass Critic(torch.nn.Module):\n    def __init__(self):\n"
        "        self.layer = torch.nn.Linear(2, 2)\n",
        "loss.py": "import torch\nfrom distance import Distance, Critic\nCD = Distance()\nD = Critic()\n"
        "def cd_loss(a, b):\n    return torch.sqrt(CD(a, b)).mean() + D(a)\n",
        "train.py": "import torch\nfrom loss import cd_loss\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        seed = self.grid.expand(3)\n        return seed\n"
        "loss = cd_loss(Net()(x), y)\nloss.backward()\n",
    }
    made = as_json(tmp_path, files)
    assert "class Distance(torch.nn.Module)" in codes(made, "loss")
    assert "class Critic(torch.nn.Module)" in codes(made, "network")
    assert not any("Distance" in one for one in codes(made, "network"))
    assert not codes(made, "seed")
