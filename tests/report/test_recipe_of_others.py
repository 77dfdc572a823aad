"""What the analysis leaves out as it evaluates or belongs to other programs, and what scripts without a main
function, calls with all options, lists of classes and replaced layers tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from test_analysis import as_json, codes, entries, parameters

if TYPE_CHECKING:
    from pathlib import Path

NET = "from torch import nn\nclass Net(nn.Module): ...\n"
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


def test_functions_that_change_what_they_are_given(tmp_path: Path) -> None:
    files = {
        "a.py": "import random, torch\nimport numpy as np\ndef shift(image):\n    def change(image, alpha=1):\n"
        "        made = image.astype(float) * alpha\n        made[made > 255] = 255\n        image[:] = made\n"
        "    image = image.copy()\n    change(image, alpha=random.uniform(0.5, 1.5))\n    return image\n"
        "def pad(image, mean):\n    whole = np.empty((9, 9, 3))\n    whole[:, :] = mean\n"
        "    whole[0:5, 0:5] = image\n    return whole\n"
        "class Images(torch.utils.data.Dataset):\n    def __getitem__(self, at):\n"
        "        image = np.load(self.names[at])\n        image = shift(image)\n"
        "        image = pad(image, self.mean)\n        return self.some(image, 2)\n"
        "    def some(self, points, n):\n        which = np.random.permutation(points.shape[0])\n"
        "        return points[which[:n]]\n"
        "for x in Images():\n    loss = torch.nn.functional.mse_loss(net(x), x)\n    loss.backward()\n"
    }
    told = codes(as_json(tmp_path, files), "augmentation")
    assert {
        "made = image.astype(float) * alpha",
        "made[made > 255] = 255",
        "image[:] = made",
        "whole[:, :] = mean",
        "return points[which[:n]]",
    } <= set(told)


def test_data_sets_of_keras(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom keras.datasets import imdb\n"
        "from keras.preprocessing.sequence import pad_sequences\ndef load_data_set(n):\n"
        "    train, test = imdb.load_data(num_words=n)\n    x, y = train[0], train[1]\n"
        "    padded = pad_sequences(x, maxlen=200)\n"
        "    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.tensor(padded)))\n"
        "for x in load_data_set(9):\n    loss = net(x).mean()\n    loss.backward()\n"
    }
    made = as_json(tmp_path, files)
    assert "imdb.load_data(num_words=n)" in codes(made, "data")
    assert "padded = pad_sequences(x, maxlen=200)" in codes(made, "augmentation")


def test_numbers_that_losses_are_computed_with_on_conditions(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom torch.nn import functional as F\ndef train(data):\n    other = 0\n"
        "    for step, x in enumerate(data):\n        if step < 100:\n            alpha = 0.01\n"
        "        else:\n            alpha = 1.0\n        part = F.mse_loss(net(x), x)\n"
        "        loss = part + alpha * F.l1_loss(net(x), x)\n        loss.backward()\n        other = 3\n"
    }
    made = as_json(tmp_path, files)
    told = codes(made, "loss")
    assert "alpha = 0.01" in told and "alpha = 1.0" in told
    assert not any("other" in one for one in told)


def test_the_only_method_of_a_name(tmp_path: Path) -> None:
    files = {
        "model.py": "import torch\nclass Net(torch.nn.Module):\n    def norm_of(self, m):\n"
        "        return torch.sum(torch.sum(m ** 2, 1) ** 0.5)\n",
        "train.py": "import torch\ndef train(model, data):\n    for x in data:\n        y, att = model(x)\n"
        "        penal = model.norm_of(att @ att)\n"
        "        loss = torch.nn.functional.mse_loss(y, x) + penal\n        loss.backward()\n",
        "main.py": "from other import load\nfrom model import Net\nfrom train import train\n"
        "nets = load(Net)\ntrain(nets[0], [])\n",
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert "return torch.sum(torch.sum(m ** 2, 1) ** 0.5)" in told


def test_functions_that_fill_what_losses_are_made_of(tmp_path: Path) -> None:
    files = {
        "boxes.py": "import torch\ndef overlap(a, b):\n    return torch.min(a, b) / torch.max(a, b)\n"
        "def match(limit, truths, priors, places, at):\n    found = overlap(truths, priors)\n"
        "    best, which = found.max(1)\n    chosen = truths[which]\n    chosen[best < limit] = 0\n"
        "    places[at] = chosen\ndef show(places):\n    places[0] = places * 7\n",
        "loss.py": "import torch\nfrom torch.nn import functional as F\nfrom boxes import match, show\n"
        "class BoxLoss(torch.nn.Module):\n    def forward(self, out, priors, truths):\n"
        "        places = torch.Tensor(len(truths), 4)\n        for at in range(9):\n"
        "            match(0.5, truths[at], priors, places, at)\n"
        "        loss = F.smooth_l1_loss(out, places, reduction='sum')\n        return loss\n",
        "train.py": "from loss import BoxLoss\ncriterion = BoxLoss()\nfor x, y in data:\n"
        "    loss = criterion(net(x), x, y)\n    loss.backward()\n",
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert {
        "return torch.min(a, b) / torch.max(a, b)",
        "best, which = found.max(1)",
        "chosen[best < limit] = 0",
        "places[at] = chosen",
    } <= set(told)
    assert not any("7" in one for one in told)


def test_what_counts_for_rates_on_conditions(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\ndef train(steps):\n"
        "    phase = 0\n    for step in range(100):\n        if step in steps:\n            phase += 1\n"
        "        if mode == 'train':\n            step += 1\n"
        "        adjust_learning_rate(optimizer, phase, step)\n        loss = net(x).mean()\n"
        "        loss.backward()\n"
        "def adjust_learning_rate(optimizer, phase, step):\n    for group in optimizer.param_groups:\n"
        "        group['lr'] = 0.1 * 0.5 ** phase\n"
    }
    told = codes(as_json(tmp_path, files), "schedule")
    assert "phase += 1" in told
    assert "step += 1" not in told


def test_functions_in_tables(tmp_path: Path) -> None:
    files = {
        "ops.py": "import random\nimport numpy as np\ndef shear(img, v):\n    if random.random() > 0.5:\n"
        "        v = -v\n    return img.transform(img.size, v)\ndef turn(img, v):\n    return img.rotate(v)\n"
        "def mirror(img, v):\n    return img.flip(v)\ndef all_of_them():\n    found = [\n"
        "        (shear, 0, 30),  # one (of two)\n        # (mirror, 1, 2)\n        (turn, 0.1, 1.9),\n"
        "    ]\n    return found\n"
        "class RandAugment:\n    def __init__(self, n):\n        self.n = n\n"
        "        self.ops = all_of_them()\n    def __call__(self, img):\n"
        "        for op, low, high in random.choices(self.ops, k=self.n):\n            img = op(img, high)\n"
        "        return img\n",
        "train.py": "import torch\nfrom torchvision import transforms, datasets\nfrom ops import RandAugment\n"
        "data = datasets.CIFAR10('x', transform=transforms.Compose([RandAugment(2)]))\nfor x, y in data:\n"
        "    loss = net(x).mean()\n    loss.backward()\n",
    }
    told = codes(as_json(tmp_path, files), "augmentation")
    assert {
        "random.random() > 0.5",
        "return img.transform(img.size, v)",
        "return img.rotate(v)",
        "(shear, 0, 30)",
        "(turn, 0.1, 1.9)",
    } <= set(told)
    assert not any("mirror" in one or "flip" in one for one in told)


def test_what_runs_with_gradients_off_evaluates(tmp_path: Path) -> None:
    files = {
        "net.py": NET,
        "main.py": (
            "from train import train\nfrom show import run_test\nif __name__ == '__main__':\n"
            "    train(3) if asked else run_test(4)\n"
        ),
        "train.py": "from net import Net\ndef train(size):\n    net = Net(size)\n    net(1).backward()\n",
        "show.py": (
            "import torch\nfrom net import Net\ndef run_test(size):\n    torch.set_grad_enabled(False)\n"
            "    found = Net(size)\n    print(found(1))\n"
        ),
    }
    made = as_json(tmp_path, files)
    assert [at for code, at, _ in entries(made, "network") if code == "Net(size)"] == ["train.py"]


def test_a_file_that_predicts_is_not_used_where_only_a_configuration_names_it(tmp_path: Path) -> None:
    files = {
        "net.py": NET,
        "train.py": "from net import Net\nnet = Net()\nnet(1).backward()\n",
        "serve_predict.py": "from net import Net\nclass Predictor:\n    net = Net(7)\n",
        "serve.yaml": "predict: 'serve_predict.py:Predictor'\n",
    }
    assert "Net(7)" not in codes(as_json(tmp_path, files), "network")


def test_a_network_that_is_fixed_between_two_trainings(tmp_path: Path) -> None:
    source = """\
import torch
from nets import Small, Big, Other
def train():
    net = Small()
    for x in data:
        loss = net(x).mean()
        loss.backward()
    fixed = Big().eval()
    critic = Other()
    critic.train()
    for x in data:
        loss = critic(fixed(net(x))).mean()
        loss.backward()
    net.eval()
    for x in others:
        print(Big()(x))
    net.train()
train()
"""
    nets = (
        "import torch\nclass Small(torch.nn.Module):\n    pass\nclass Big(torch.nn.Module):\n    pass\n"
        "class Other(torch.nn.Module):\n    pass\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source, "nets.py": nets}), "network")
    assert "Other()" in told
    assert "class Other(torch.nn.Module)" in told


def test_classes_that_are_only_compared_with(tmp_path: Path) -> None:
    source = """\
import torch
from nets import Small, Big
net = Small()
kind = 1 if isinstance(net, (Small, Big)) else 2
for x in data:
    loss = net(x).mean() * kind
    loss.backward()
"""
    nets = (
        "import torch\nclass Small(torch.nn.Module):\n    pass\nclass Big(torch.nn.Module):\n"
        "    def __init__(self):\n        torch.nn.init.ones_(self.weight)\n"
    )
    made = as_json(tmp_path, {"a.py": source, "nets.py": nets})
    assert codes(made, "network") == ["Small()", "class Small(torch.nn.Module)"]
    assert codes(made, "initialization") == []


def test_a_class_that_a_function_gives_by_a_name(tmp_path: Path) -> None:
    source = """\
import sys
import torch
from nets import Small, Big
def get_class(name):
    if name == "small":
        made = Small
    else:
        made = Big
    return made
def train():
    network = get_class(sys.argv[1])
    size = get_size(3)
    net = network(7)
    loss = net(size(x)).mean()
    loss.backward()
def get_size(size):
    Width = 3
    return Width
train()
"""
    nets = (
        "import torch\nclass Small(torch.nn.Module):\n    def __init__(self, width):\n"
        "        self.layer = torch.nn.Linear(width, width)\n        torch.nn.init.constant_(x, width)\n"
        "class Big(torch.nn.Module):\n    pass\n"
    )
    made = as_json(tmp_path, {"a.py": source, "nets.py": nets})
    assert "network(7)" in codes(made, "network")
    assert "size(x)" not in codes(made, "network")
    assert parameters(made, "initialization", 0)["val"] == ("width", "7")


def test_lists_of_weights_that_an_optimizer_is_given(tmp_path: Path) -> None:
    source = (
        "import torch\nparams = list(model.encoder.fc.parameters()) \\\n    + list(model.fc.parameters())\n"
        "o = torch.optim.Adam(params, lr=0.1)\nevery = net.parameters()\np = torch.optim.SGD(every, lr=1)\n"
        "both = itertools.chain(a.parameters(), b.parameters())\nq = torch.optim.SGD(both, lr=1)\nl.backward()\n"
        "free = [w for w in net.parameters() if w.requires_grad]\nr = torch.optim.SGD(free, lr=1)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "groups") == [
        "params = list(model.encoder.fc.parameters()) + list(model.fc.parameters())",
        "both = itertools.chain(a.parameters(), b.parameters())",
        "free = [w for w in net.parameters() if w.requires_grad]",
    ]
