"""What the analysis follows through a project: formulas, settings that are handed on, data that is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

NET = "from torch import nn\nclass Net(nn.Module): ...\n"

NOISE = """\
import torch
import torch.nn.functional as F
from torch.autograd import grad as gradients_of
class Diffusion(torch.nn.Module):
    def __init__(self, model, betas):
        self.model = model
        self.register_buffer("kept", torch.cumprod(1 - betas, 0))
    def mixed(self, x, t, noise):
        return self.kept[t] * x + noise
    def forward(self, x):
        noise = torch.randn_like(x)
        noisy = self.mixed(x, 3, noise)
        found = self.model(noisy)
        loss = F.mse_loss(found, noise)
        return loss
def penalty_loss(net, x):
    slopes = gradients_of(outputs=net(x), inputs=x)
    return (slopes.norm() - 1).mean()
net = Diffusion(None, b)
for x in data:
    made = torch.randn(4, 2)
    loss = net(x) + penalty_loss(net, made)
    loss.backward()
"""


def test_noise_that_is_mixed_in_is_part_of_a_loss(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": NOISE})
    told = codes(made, "loss")
    assert "noisy = self.mixed(x, 3, noise)" in told
    assert "return self.kept[t] * x + noise" in told
    assert "slopes = gradients_of(outputs=net(x), inputs=x)" in told
    assert "made = torch.randn(4, 2)" not in told
    at = told.index("return self.kept[t] * x + noise")
    assert parameters(made, "loss", at)[""] == ("noise", "torch.randn_like(x)")


def test_what_is_registered_is_what_an_attribute_is(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, n):\n"
        "        self.register_buffer('share', torch.sqrt(n))\n    def forward(self, x):\n"
        "        loss = x * self.share\n        return loss\nNet(1)(2).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "loss").index("loss = x * self.share")
    assert parameters(made, "loss", at)[""] == ("self.share", "torch.sqrt(n) (n = 1)")


LISTS = """\
import torch
replay = []
for x, y in data:
    parts = []
    for one in x:
        parts.append(one - y)
        names.append(one + y)
        parts.append(one)
    replay.append([x, y])
    weight = torch.ones(4)
    weight[mask] = rare
    best = torch.max(x, 1)
    loss = torch.stack(parts).mean() * torch.min(weight, y)
    loss.backward()
"""


def test_formulas_that_are_kept_in_lists_and_entries(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, {"a.py": LISTS}), "loss") == [
        "parts.append(one - y)",
        "weight = torch.ones(4)",
        "weight[mask] = rare",
        "loss = torch.stack(parts).mean() * torch.min(weight, y)",
    ]


def test_averages_of_counters_and_what_evaluates_are_no_losses(tmp_path: Path) -> None:
    source = (
        "import torch\ndef get_evaluation(y):\n    out = {}\n    out['loss'] = metrics.log_loss(y, y)\n    return out\n"
        "for x in data:\n    loss = criterion(x)\n    loss.backward()\n    rec_loss += loss.item()\n"
        "    rec_loss /= 60\n    print(get_evaluation(x))\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "loss") == ["loss = criterion(x)"]


RATES = """\
import torch
def adjust_learning_rate(optimizer, epoch):
    old = optimizer.param_groups[0]['lr']
    if epoch < 80:
        lr = args.lr
    else:
        lr = args.lr * 0.1
    for group in optimizer.param_groups:
        group['lr'] = lr
def generate_cosine_schedule(T):
    return np.cos(T) ** 2
loss.backward()
adjust_learning_rate(optimizer, 1)
generate_cosine_schedule(9)
"""


def test_rates_that_are_taken_as_they_are_and_schedules_of_other_things(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": RATES}), "schedule")
    assert "lr = args.lr" in told
    assert not any("cosine" in one for one in told)


def test_networks_of_star_imports_and_functions_that_put_layers_together(tmp_path: Path) -> None:
    files = {
        "net.py": f"{NET}def small():\n    return Net()\n",
        "mixer.py": "from torch import nn\ndef part():\n    return nn.Sequential(nn.ReLU())\n"
        "def Mixer(n):\n    return nn.Sequential(part(), part())\n",
        "train.py": "from net import *\nfrom mixer import Mixer\nmodel = small()\nother = Mixer(3)\n"
        "print(model)\nmodel(1).backward()\n",
    }
    assert codes(as_json(tmp_path, files), "network") == [
        "class Net(nn.Module)",
        "Net()",
        "small()",
        "Mixer(3)",
    ]


HANDED = """\
import argparse
import torch
import yaml
class Base:
    def __init__(self, size, lr=1.0, steps=7):
        self.steps = steps
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    def train(self):
        for epoch in range(self.steps):
            loss.backward()
class Agent(Base):
    def __init__(self, size, lr=1.0, steps=8):
        super().__init__(size, lr, steps)
class Other(Base):
    def __init__(self, size, lr=1.0, steps=9):
        super().__init__(size, lr, steps)
def main(args):
    config = yaml.safe_load(open(args.config))
    Chosen = Agent if args.plain else Other
    agent = Chosen(3, **config)
    agent.train()
parser = argparse.ArgumentParser()
main(parser.parse_args())
"""


def test_configuration_that_is_handed_on_to_the_base_of_a_class(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": HANDED, "a.yaml": "lr: 0.25\nsteps: 30\n"})
    assert parameters(made, "optimizer", codes(made, "optimizer").index(SGD))["lr"] == ("lr", "0.25")
    loops = [one for one in codes(made, "epochs") if one.startswith("for ")]
    assert loops == ["for epoch in range(self.steps)"]
    at = codes(made, "epochs").index(loops[0])
    assert parameters(made, "epochs", at)["range"] == ("self.steps", "30")
    made = as_json(tmp_path, {"a.py": HANDED, "a.yaml": "other:\n  lr: 0.25\n"})
    assert parameters(made, "optimizer", codes(made, "optimizer").index(SGD))["lr"] == ("lr", "")


SGD = "torch.optim.SGD(net.parameters(), lr=lr)"


def test_configuration_under_the_key_that_is_unpacked(tmp_path: Path) -> None:
    source = (
        "import torch\nimport yaml\ndef make(net, lr=1, decay=2):\n"
        "    return torch.optim.SGD(net, lr=lr, weight_decay=decay)\n"
        "config = yaml.safe_load(open('a.yaml'))\nmake(net, **config['hyper'])\nloss.backward()\n"
    )
    configured = "lr: 5\nhyper:\n  lr: 0.5\nother:\n  decay: 6\n"
    made = as_json(tmp_path, {"a.py": source, "a.yaml": configured})
    at = codes(made, "optimizer").index("torch.optim.SGD(net, lr=lr, weight_decay=decay)")
    told = parameters(made, "optimizer", at)
    assert told["lr"] == ("lr", "0.5")
    assert told["weight_decay"] == ("decay", "")


def test_options_that_a_dictionary_makes_and_objects_that_take_all(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\ndef options():\n    defaults = dict(rate=3e-4, device=d)\n"
        "    parser = argparse.ArgumentParser()\n    add_all(parser, defaults)\n    return parser\n"
        "args = options().parse_args()\ntorch.optim.Adam(net.parameters(), lr=args.rate)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "optimizer").index("torch.optim.Adam(net.parameters(), lr=args.rate)")
    assert parameters(made, "optimizer", at)["lr"] == ("args.rate", "3e-4")
    source = (
        "import argparse\nimport torch\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--a_rate', default=0.3)\nopt = parser.parse_args()\nclass Agent:\n"
        "    def __init__(self, **kwargs):\n        {}\n"
        "        self.optimizer = torch.optim.SGD(net.parameters(), lr=self.a_rate)\nAgent(**vars(opt))\n"
    )
    for taken, known in (("self.__dict__.update(kwargs)", "0.3"), ("print(kwargs)", "")):
        made = as_json(tmp_path, {"a.py": source.format(taken)})
        at = codes(made, "optimizer").index("torch.optim.SGD(net.parameters(), lr=self.a_rate)")
        assert parameters(made, "optimizer", at)["lr"] == ("self.a_rate", known)


def test_expressions_that_calls_give_are_told_with_what_is_in_them(tmp_path: Path) -> None:
    source = (
        "import argparse\nfrom torchvision import transforms\ndef steps(size):\n"
        "    return transforms.Resize(size)\ndef main():\n    p = argparse.ArgumentParser()\n"
        "    p.add_argument('--high', default=7)\n    args = p.parse_args()\n    steps((args.high, 3))\nmain()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "augmentation").index("transforms.Resize(size)")
    assert parameters(made, "augmentation", at)["size"] == ("size", "(args.high, 3) = (7, 3) (args.high = 7)")


def test_functions_that_only_have_the_name_of_an_initialization(tmp_path: Path) -> None:
    source = (
        "import torch\ndef data_init():\n    return 1\ndef glorot_init(a):\n"
        "    return torch.nn.Parameter(torch.rand(a))\ndata_init()\nglorot_init(3)\nloss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "initialization")
    assert "def glorot_init(a)" in told
    assert not any("data_init" in one for one in told)


def test_data_that_is_loaded_opened_and_drawn(tmp_path: Path) -> None:
    source = (
        "import json\nimport pickle\nfrom random import sample\nimport torch\n"
        "data_train = pickle.load(file)\nsettings = json.load(other)\n"
        "with open('./ptb/train.txt') as f: ...\nwith open('./train.log', 'w') as f: ...\n"
        "with open('out.txt'.format(args.dataset)) as f: ...\n"
        "for i in range(9):\n    batch = sample(seen, min(len(seen), args.batch_size))\n    loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "data") == [
        "pickle.load(file)",
        "open('./ptb/train.txt')",
        "batch = sample(seen, min(len(seen), args.batch_size))",
    ]


def test_weights_that_are_changed_by_hand(tmp_path: Path) -> None:
    source = (
        "import torch\nloss.backward()\nfor p in net.parameters():\n    p -= lr * p.grad\n"
        "    p.data.add_(-lr, p.grad.data)\n    p.grad += p.grad\n    p.grad.add_(q.grad)\n    total += p.norm()\n"
        "class Slow(torch.optim.Optimizer):\n    def step(self):\n        p.data.add_(p.grad)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "optimizer") == [
        "p -= lr * p.grad",
        "p.data.add_(-lr, p.grad.data)",
    ]


POOLS = """\
import random
import torch
class Pool_of_fakes:
    def __call__(self, x):
        if random.random() > 0.5:
            x = self.kept[0]
        return x
class TwoSteps:
    def __call__(self, image):
        ops = random.choices(self.ops, k=2)
        for op, low, high in ops:
            value = low + 0.3 * high
            image = op(image, value)
        return image
class Base(torch.nn.Module): ...
class RandomNegative(Base): ...
print(Pool_of_fakes, TwoSteps, RandomNegative)
loss.backward()
"""


def test_what_is_drawn_from_pools_and_chosen_from_lists(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, {"a.py": POOLS}), "augmentation") == [
        "ops = random.choices(self.ops, k=2)",
        "value = low + 0.3 * high",
        "image = op(image, value)",
    ]


def test_target_networks_that_are_copied(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Agent:\n    def learn(self):\n        loss.backward()\n"
        "        if self.step % self.target_update_every == 0:\n"
        "            self.target_net.load_state_dict(self.net.state_dict())\n"
        "        self.target_net.load_state_dict(torch.load(path))\nAgent().learn()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "ema") == [
        "self.step % self.target_update_every == 0",
        "self.target_net.load_state_dict(self.net.state_dict())",
    ]


def test_losses_in_dictionaries_that_networks_return(tmp_path: Path) -> None:
    source = (
        "import torch\ndef cost(a, b):\n    return -(a * b).sum(dim=1).mean()\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        z, p = self.f(x), self.g(x)\n        whole = cost(z, p) / 2\n"
        "        return {'loss': whole, 'size': x * 7}\n"
        "net = torch.nn.DataParallel(Net())\nfor x in data:\n    out = net.forward(x)\n"
        "    loss = out['loss'].mean()\n    loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "whole = cost(z, p) / 2" in told
    assert "return -(a * b).sum(dim=1).mean()" in told
    assert not any("x * 7" in one for one in told)


def test_modules_that_are_kept_as_criterion_are_losses_and_no_networks(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Contrast(torch.nn.Module):\n    def __init__(self, t):\n        self.t = t\n"
        "        self.near = torch.nn.CosineSimilarity(dim=2)\n    def forward(self, a, b):\n"
        "        sim = self.near(a, b) / self.t\n        part = sim[self.mask].reshape(3)\n"
        "        loss = (part - b).mean()\n        return loss\n{}net = torch.nn.Linear(2, 2)\n"
        "criterion = Contrast(0.5)\nloss = criterion(net(x), y)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source.format("")})
    assert codes(made, "network") == []
    told = codes(made, "loss")
    assert told[0] == "class Contrast(torch.nn.Module)"
    assert "sim = self.near(a, b) / self.t" in told
    assert "part = sim[self.mask].reshape(3)" in told
    made = as_json(tmp_path, {"a.py": source.format("other = Contrast(1)\n")})
    assert "Contrast(1)" in codes(made, "network")


def test_what_is_chosen_by_its_name_and_kept(tmp_path: Path) -> None:
    files = {
        "models.py": NET + "from torchvision import transforms\nclass Small:\n    base = Net\n"
        "    transform = transforms.RandomCrop(32)\nclass Unused:\n    transform = transforms.RandomCrop(64)\n",
        "train.py": "import models\nimport torch\nimport torchvision\ncfg = getattr(models, args.model)\n"
        "ds = getattr(torchvision.datasets, args.dataset)\nrate = getattr(args, name)\n"
        "net = cfg.base(3)\ndata = ds(path, transform=cfg.transform)\nnet(data).backward()\n",
    }
    made = as_json(tmp_path, files)
    assert "getattr(models, args.model)" in codes(made, "network")
    assert codes(made, "data") == ["getattr(torchvision.datasets, args.dataset)"]
    assert codes(made, "augmentation") == ["transforms.RandomCrop(32)"]


def test_functions_that_give_rates_whatever_their_names(tmp_path: Path) -> None:
    source = (
        "import torch\ndef plan(epoch):\n    t = epoch / 200\n    if t <= 0.5:\n        factor = 1.0\n"
        "    elif t <= 0.9:\n        factor = 1.0 - t\n    else:\n        factor = least\n"
        "    return 0.1 * factor\nfor epoch in range(3):\n    lr = plan(epoch)\n    adjust_learning_rate(lr)\n"
        "    loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "schedule")
    assert told == [
        "def plan(epoch)",
        "t = epoch / 200",
        "t <= 0.5",
        "factor = 1.0",
        "t <= 0.9",
        "factor = 1.0 - t",
        "factor = least",
        "return 0.1 * factor",
    ]


def test_steps_that_end_a_training_and_not_an_evaluation(tmp_path: Path) -> None:
    source = (
        "class Agent:\n    def run(self):\n        while True:\n            self.learn()\n"
        "            if self.steps > self.num_steps:\n                break\n    def learn(self):\n"
        "        loss.backward()\n    def evaluate(self):\n        while True:\n"
        "            if num_steps > 9:\n                break\nAgent().run()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": "import torch\n" + source}), "epochs")
    assert "self.steps > self.num_steps" in told
    assert "num_steps > 9" not in told


def test_calls_that_go_on_after_a_backslash(tmp_path: Path) -> None:
    source = (
        "import torch\ndef make(net, start, decay: float):\n    return torch.optim.SGD(net, lr=start)\n"
        "make(net,\\\n     0.25, 0.5)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "optimizer", 0)["lr"] == ("start", "0.25")


def test_parameters_with_types_and_methods_that_several_classes_have(tmp_path: Path) -> None:
    net = (
        "from torch import nn\nclass One(nn.Module):\n    def __init__(self, size: int):\n"
        "        self.size = size\n    def weight_init(self, std):\n        nn.init.normal_(self.w, 0.0, std)\n"
        "    def forward(self, x):\n        loss = x * self.size\n        return loss\n"
        "class Two(One):\n    def weight_init(self, std):\n        nn.init.normal_(self.v, 0.0, std)\n"
    )
    train = "import net\none = net.One(7)\none.weight_init(std=0.02)\nloss = one(3)\nloss.backward()\n"
    made = as_json(tmp_path, {"net.py": net, "train.py": train})
    at = codes(made, "initialization").index("nn.init.normal_(self.w, 0.0, std)")
    assert parameters(made, "initialization", at)["std"] == ("std", "0.02")
    at = codes(made, "loss").index("loss = x * self.size")
    assert parameters(made, "loss", at)[""] == ("self.size", "7")


def test_cuts_of_sequences_and_what_is_made_of_results_later(tmp_path: Path) -> None:
    source = (
        "import torch\nfor epoch in range(3):\n    while True:\n        x = text[at : at + size]\n"
        "        y = text[at + 1 : at + size + 1]\n        out = net(x)\n        loss = criterion(out, y)\n"
        "        loss.backward()\n        at += size\n    one = text[i : i + 1]\n"
        "    out = torch.softmax(out, 0) * 2\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "data") == ["x = text[at : at + size]", "y = text[at + 1 : at + size + 1]"]
    assert codes(made, "loss") == ["loss = criterion(out, y)"]


def test_losses_of_a_method_that_tests_and_calls_train_of_a_network(tmp_path: Path) -> None:
    source = (
        "import torch\nimport torch.nn.functional as F\nclass Solver:\n    def mode(self):\n"
        "        self.net.train()\n    def train(self):\n        loss = F.l1_loss(a, b)\n"
        "        loss.backward()\n        if self.epoch % 2 == 0:\n            self.scheduler.step()\n"
        "        self.test()\n    def test(self):\n        self.mode()\n        loss = F.mse_loss(a, b)\n"
        "        loss /= 3\n        torch.optim.lr_scheduler.ExponentialLR(self.o, gamma=0.97)\n"
        "Solver().train()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "loss") == ["F.l1_loss(a, b)"]
    assert "self.epoch % 2 == 0" in codes(made, "schedule")


def test_settings_of_files_that_only_stand_in_paths(tmp_path: Path) -> None:
    source = (
        "import torch\nfor epoch in range(args.epochs):\n    loss.backward()\n"
        "torch.load('at_{}.pth'.format(args.epoch_num))\n"
    )
    made = as_json(tmp_path, {"a.py": source, "a.yaml": "epochs: 5\nepoch_num: 100\n"})
    assert [one for one in codes(made, "epochs") if one.startswith("epoch")] == ["epochs: 5"]


def test_functions_that_only_messages_name(tmp_path: Path) -> None:
    files = {
        "net.py": NET + "def make():\n    return Net()\ndef test():\n    net = make()\n"
        "if __name__ == '__main__':\n    test()\n",
        "train.py": "from net import make\nnet = make()\nprint('get best test loss %f' % best)\n"
        "net(1).backward()\n",
    }
    assert codes(as_json(tmp_path, files), "network") == ["class Net(nn.Module)", "Net()", "make()"]


def test_losses_that_only_measure(tmp_path: Path) -> None:
    source = (
        "import torch\nfirst = torch.nn.L1Loss()\nsecond = torch.nn.MSELoss()\nthird = torch.nn.BCELoss()\n"
        "for x, y in data:\n    loss = first(net(x), y)\n    loss.backward()\n"
        "    mse = second(net(x), y)\n    print(10 / mse.item())\nkeep(third)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert told == ["torch.nn.L1Loss()", "torch.nn.BCELoss()", "loss = first(net(x), y)"]


PARTS = """\
import torch
def kernel(a, b):
    table = 3 / (1 + (a - b).pow(2).sum(2))
    return table.sum()
def mmd(a, b):
    n = a.size(0)
    out = kernel(a, b).div(n) - kernel(a, a).div(n).mul(2)
    return out
def likeness(a, b):
    near = torch.cosine_similarity(a, b) + 1e-6
    return near
class Contrast(torch.nn.Module):
    def forward(self, x):
        near = likeness(x, x)
        table = self.w * near.to(d) + self.b
        return table.sum()
"""


def test_formulas_of_functions_that_losses_add_up_in_another_file(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom parts import mmd, Contrast\ncriterion = Contrast()\nfor x in data:\n"
        "    perm = list(order)\n    perm[0] = x\n    mmd_loss = mmd(x, x)\n"
        "    total = mmd_loss + criterion(x[perm])\n    total.backward()\n"
    )
    told = codes(as_json(tmp_path, {"parts.py": PARTS, "train.py": source}), "loss")
    assert "out = kernel(a, b).div(n) - kernel(a, a).div(n).mul(2)" in told
    assert "table = 3 / (1 + (a - b).pow(2).sum(2))" in told
    assert "near = torch.cosine_similarity(a, b) + 1e-6" in told
    assert "perm[0] = x" not in told


def test_noise_that_a_network_is_given(tmp_path: Path) -> None:
    net = (
        "import torch\nclass Net(torch.nn.Module):\n    def mixed(self, x, noise):\n"
        "        return self.share * x + noise\n    def forward(self, x, noise):\n"
        "        noisy = self.mixed(x, noise)\n        found = self.model(noisy)\n        return found\n"
    )
    train = (
        "import torch\nfrom net import Net\nmodel = Net()\ncriterion = torch.nn.MSELoss()\nfor x in data:\n"
        "    drawn = torch.randn_like(x)\n    found = model(x, drawn)\n    loss = criterion(found, {})\n"
        "    loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"net.py": net, "train.py": train.format("drawn")}), "loss")
    assert "noisy = self.mixed(x, noise)" in told
    assert "return self.share * x + noise" in told


READING = """\
import numpy as np
import pickle
import torch
from hparam import hparam as hp
class Set(torch.utils.data.Dataset):
    def __init__(self):
        self.each = hp.train.M
        self.mode = hp.train.mode
        self.batch = hp.train.batch_size
    def load(self, path):
        image = Image.open(path).resize((224, 224))
        return np.array(image) / 255.0
    def shifted(self, image, mean):
        image = image - mean
        return image
    def __getitem__(self, i):
        image = self.load(self.files[i])
        y = self.labels[i] + 1
        return self.shifted(image, 3), y
def load_data(name):
    for part in parts:
        found.append(pickle.load(open(part, 'rb')))
Set()
load_data('x')
loss.backward()
"""


def test_what_data_sets_read_and_do_with_all_samples(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": READING, "a.yaml": "train:\n  M: 5\n  mode: x\n  batch_size: 3\n"})
    assert codes(made, "augmentation") == [
        "image = Image.open(path).resize((224, 224))",
        "return np.array(image) / 255.0",
        "image = image - mean",
        "y = self.labels[i] + 1",
    ]
    told = codes(made, "data")
    assert "m: 5" in told
    assert not any(one.startswith(("mode:", "batch_size:")) for one in told)
    assert "pickle.load(open(part, 'rb'))" in told


def test_environments_whatever_the_names_of_their_classes(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Tetris:\n    def __init__(self, width, skip=4): ...\n"
        "class SkipEnv:\n    def __init__(self, env, skip=4): ...\n"
        "env = Tetris(width=3)\nenv = SkipEnv(env)\nself.env = env\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "data") == ["class SkipEnv", "env = Tetris(width=3)", "SkipEnv(env)"]
    assert parameters(made, "data", 2)["skip"] == ("4", "")


def test_options_of_exploration_are_no_schedule(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\np = argparse.ArgumentParser()\n"
        "p.add_argument('--num_decay_epochs', default=2000)\nopt = p.parse_args()\n"
        "epsilon = 1 / opt.num_decay_epochs\n{}loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source.format("")}), "schedule") == []
    told = codes(
        as_json(tmp_path, {"a.py": source.format("torch.optim.lr_scheduler.StepLR(o, 3)\n")}), "schedule"
    )
    assert told == [
        "p.add_argument('--num_decay_epochs', default=2000)",
        "torch.optim.lr_scheduler.StepLR(o, 3)",
    ]


def test_rates_and_groups_at_the_top_level(tmp_path: Path) -> None:
    source = (
        "import torch\nrate = 0.1\nfirst, second = [], []\nfor name, p in net.named_parameters():\n"
        "    if 'layer1' in name:\n        first.append(p)\n    else:\n        second.append(p)\n"
        "optimizer = torch.optim.Adam([{'params': first, 'weight_decay': 1}, {'params': second}], lr=rate)\n"
        "for epoch in range(3):\n    if epoch == 30:\n        rate = 0.01\n"
        "    for group in optimizer.param_groups:\n        group['lr'] = rate\n    loss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "groups") == [
        "first.append(p)",
        "second.append(p)",
        "{'params': first, 'weight_decay': 1}",
        "{'params': second}",
    ]
    assert codes(made, "schedule") == ["epoch == 30", "rate = 0.01", "group['lr'] = rate"]


def test_weights_that_begin_with_numbers_or_those_of_others(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
        "        self.w = torch.nn.Parameter(torch.tensor(10.0))\n"
        "        self.v = torch.nn.Parameter(torch.Tensor(4, 2))\n        self.u = torch.nn.Parameter(torch.Tensor([4]))\n"
        "own = Net().state_dict()\nother = torch.load(path)\nfor k in other:\n    own[k] = other[k]\n    names[k] = other[k]\n"
        "loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "initialization") == [
        "self.w = torch.nn.Parameter(torch.tensor(10.0))",
        "self.u = torch.nn.Parameter(torch.Tensor([4]))",
        "own[k] = other[k]",
    ]


CHAMFER = """\
import torch
from torch import nn
from near import Distance
class Net(nn.Module): ...
net = Net()
criterion = Distance()
loss = criterion(net(x), y)
loss.backward()
"""

DISTANCE = """\
import torch
from torch import nn
class Distance(nn.Module):
    def forward(self, x, y):
        d = torch.pow(x - y, 2)
        near, _ = d.min(dim=2)
        total = near.sum(1)
        return total.mean(0)
"""


def test_a_criterion_may_give_the_mean_over_a_batch_whatever_its_name(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": CHAMFER, "near.py": DISTANCE})
    told = codes(made, "loss")
    assert "d = torch.pow(x - y, 2)" in told
    assert "near, _ = d.min(dim=2)" in told
    assert "return total.mean(0)" in told


def test_what_is_changed_in_place_is_part_of_a_loss(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\nclass SmoothLoss(nn.Module):\n"
        "    def forward(self, x, y):\n        wanted = x * 0 + 0.1\n        wanted.scatter_(1, y, 0.9)\n"
        "        wanted.requires_grad_(False)\n        return (x * wanted).sum()\n"
        "SmoothLoss()(x, y).backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "wanted.scatter_(1, y, 0.9)" in told
    assert "wanted.requires_grad_(False)" not in told


def test_noise_that_fills_a_tensor_is_told_where_it_is_added(tmp_path: Path) -> None:
    source = (
        f"import torch\n{NET}net = Net()\nfor x in data:\n"
        "    noise = torch.FloatTensor(x.size()).normal_(mean=0, std=0.1)\n    noisy = x + noise\n"
        "    loss = nn.MSELoss()(net(noisy), noise) / noisy.size(0)\n    loss.backward()\n"
    )
    assert "noisy = x + noise" in codes(as_json(tmp_path, {"a.py": source}), "loss")


def test_a_rate_may_be_a_lambda_that_has_a_name(tmp_path: Path) -> None:
    source = (
        f"import torch\n{NET}net = Net()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nwarm = 5\n"
        "rate = lambda epoch: min(epoch / warm, 1)\nother = lambda x: x + 1\n"
        "made = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=rate)\nnet(x).mean().backward()\n"
        "made.step(other(1))\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    told = codes(made, "schedule")
    assert "rate = lambda epoch: min(epoch / warm, 1)" in told
    assert "other = lambda x: x + 1" not in told
    at = told.index("rate = lambda epoch: min(epoch / warm, 1)")
    assert parameters(made, "schedule", at)[""] == ("warm", "5")


def test_an_optimizer_may_compute_its_rate_in_a_method(tmp_path: Path) -> None:
    source = (
        f"import torch\n{NET}class Noam(torch.optim.Adam):\n    def __init__(self, params):\n"
        "        self.number = 1\n        super().__init__(params)\n    def step(self):\n"
        "        self.rate = self.computed()\n        for group in self.param_groups:\n"
        "            group['lr'] = self.rate\n        super().step()\n    def computed(self):\n"
        "        return 2 * self.number ** -0.5\n"
        "opt = Noam(Net().parameters())\nloss.backward()\nopt.step()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "schedule")
    assert "self.rate = self.computed()" in told
    assert "return 2 * self.number ** -0.5" in told


def test_what_a_block_enters_has_no_settings(tmp_path: Path) -> None:
    source = (
        "import argparse, h5py, torch\nfrom torch.utils.data import Dataset\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--lr', default=0.1)\n"
        "args = parser.parse_args()\nclass Pairs(Dataset):\n    def __getitem__(self, i):\n"
        "        with h5py.File('pairs.h5', 'r') as f:\n            return f['lr'][i] / 255.\n"
        f"{NET}torch.optim.SGD(Net().parameters(), lr=args.lr)\nNet()(Pairs()[0]).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "augmentation").index("return f['lr'][i] / 255.")
    assert ("f['lr']", "0.1") not in parameters(made, "augmentation", at).values()


EVALUATED = """\
import torch
from torch.utils.data import DataLoader
def evaluate(net, batch_size=7):
    net.eval()
    torch.manual_seed(3)
    for x in DataLoader(test, batch_size): ...
class Tester:
    def run(self, net):
        with torch.no_grad():
            return Net(4)(test)
def train(net):
    torch.manual_seed(1)
    for x in DataLoader(data, 16):
        net(x).backward()
class Net(torch.nn.Module): ...
net = Net(2)
train(net)
evaluate(net)
Tester().run(net)
"""


def test_what_only_evaluates_is_no_part_of_any_item(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": EVALUATED})
    assert codes(made, "seed") == ["torch.manual_seed(1)"]
    assert codes(made, "data") == ["DataLoader(data, 16)"]
    assert codes(made, "batch_size") == ["DataLoader(data, 16)"]
    assert codes(made, "network") == ["class Net(torch.nn.Module)", "Net(2)"]


def test_a_layer_that_has_the_name_of_a_training(tmp_path: Path) -> None:
    net = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        self.fit = torch.nn.Linear(1, 2)\n"
        "    def make(self): ...\n    def forward(self, x):\n        self.make()\n        return self.fit(x)\n"
    )
    train = "from net import Net\nNet()(1).backward()\n"
    shown = "from net import Net\nif __name__ == '__main__':\n    Net()(1)\n"
    made = as_json(tmp_path, {"net.py": net, "train.py": train, "show.py": shown})
    assert [path.rpartition("/")[2] for path in made["left_out"]] == ["show.py"]


def test_programs_that_look_for_a_rate_and_folders_of_logs(tmp_path: Path) -> None:
    source = (
        "import torch\nclass {}(torch.nn.Module): ...\nif __name__ == '__main__':\n    {}()(1).backward()\n"
    )
    files = {
        "train.py": source.format("Net", "Net"),
        "lr_finder.py": source.format("Other", "Other"),
        "logs/first/net.py": "import torch\nclass Net(torch.nn.Module): ...\n",
    }
    made = as_json(tmp_path, files)
    assert codes(made, "network") == ["class Net(torch.nn.Module)", "Net()"]
    made = as_json(tmp_path / "logs", {"lr_finder.py": files["lr_finder.py"]})
    assert codes(made, "network") == ["class Other(torch.nn.Module)", "Other()"]  # there is nothing else


def test_a_method_that_only_names_itself(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom transformers import GPT2Model\nclass Net(torch.nn.Module):\n"
        "    @classmethod\n    def from_pretrained(cls, name):\n        return GPT2Model.from_pretrained(name)\n"
        "    def first(self):\n        return self.second()\n    def second(self):\n        return Part(2)\n"
        "    def third(self):\n        print(1)\n"
        "class Part(torch.nn.Module): ...\nnet = Net()\nnet.third()\nprint(net.first)\nnet(1).backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "network") == [
        "class Net(torch.nn.Module)",
        "class Part(torch.nn.Module)",
        "Net()",
    ]
    told = codes(as_json(tmp_path, {"a.py": f"{source}net.from_pretrained('x')\n"}), "network")
    assert "GPT2Model.from_pretrained(name)" in told


def test_names_of_files_name_no_function(tmp_path: Path) -> None:
    source = (
        "import torch\nURLS = {'a': host + 'small_net-1f.pth'}\nclass Net(torch.nn.Module): ...\n"
        "def small_net():\n    return Net(1)\nNet(2)(1).backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "network") == ["class Net(torch.nn.Module)", "Net(2)"]


def test_weights_with_something_beside_them_that_is_saved(tmp_path: Path) -> None:
    source = "import torch\nstate = net.state_dict()\nstate['classes'] = data.classes\n{}loss.backward()\n"
    saved = source.format("torch.save(state, path)\n")
    assert codes(as_json(tmp_path, {"a.py": saved}), "initialization") == []
    loaded = source.format("net.load_state_dict(state)\n")
    assert codes(as_json(tmp_path, {"a.py": loaded}), "initialization") == ["state['classes'] = data.classes"]


def test_sets_of_weights_that_groups_are_made_of(tmp_path: Path) -> None:
    source = (
        "import torch\nkept = set()\nfor name, p in net.named_parameters():\n    if name.endswith('bias'):\n"
        "        kept.add(name)\no = torch.optim.SGD([{'params': [all[n] for n in sorted(kept)]}], lr=1)\nl.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "groups") == [
        "kept.add(name)",
        "{'params': [all[n] for n in sorted(kept)]}",
    ]


def test_keys_of_a_dictionary_of_the_file_are_no_options(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('-b', default=64)\n"
        "args = p.parse_args()\ncfg = {'A': [1], 'B': [2, 3]}\nclass Net(torch.nn.Module): ...\n"
        "Net(cfg['B'], args.b).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "network").index("Net(cfg['B'], args.b)")
    found = next(one for one in made["recipe"] if one["item"] == "network")["entries"][at]["parameters"]
    assert [one["known"] for one in found] == ["[2, 3]", "64"]


def test_what_a_program_sets_counts_before_options_of_others(tmp_path: Path) -> None:
    net = "import torch\nclass Net(torch.nn.Module): ...\n"
    source = (
        "import argparse\nfrom net import Net\np = argparse.ArgumentParser()\n{}args = p.parse_args()\n{}"
        "Net(args.tied).backward()\n"
    )
    files = {
        "net.py": net,
        "a.py": source.format("p.add_argument('--tied', default=False)\n", ""),
        "b.py": source.format("", "args.tied = True\n"),
    }
    made = as_json(tmp_path, files)
    known = [
        one["parameters"][0]["known"]
        for each in made["recipe"]
        if each["item"] == "network"
        for one in each["entries"]
        if one["code"].startswith("Net(")
    ]
    assert known == ["False", "True"]


def test_objects_that_keep_whatever_they_are_given(tmp_path: Path) -> None:
    source = (
        "import json\nimport torch\nclass Kept(dict):\n    def __init__(self, *args):\n        self.__dict__ = self\n"
        "h = Kept(json.load(open('c.json')))\ntorch.optim.Adam(net.parameters(), h.learning_rate)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source, "c.json": '{\n"learning_rate": 0.5\n}\n'})
    at = codes(made, "optimizer").index("torch.optim.Adam(net.parameters(), h.learning_rate)")
    assert parameters(made, "optimizer", at)["lr"] == ("h.learning_rate", "0.5")


def test_what_configuration_files_have_for_what_is_unpacked(tmp_path: Path) -> None:
    source = (
        "import json\nimport torch\nclass Net(torch.nn.Module): ...\nconfig = json.load(open('c.json'))\n"
        "net_config = config['net_config']\nNet(**net_config).backward()\n"
    )
    config = '{\n  "net_config": {\n    "flows": 3,\n    "inner": {\n      "size": 4\n    }\n  }\n}\n'
    made = as_json(tmp_path, {"a.py": source, "c.json": config})
    at = codes(made, "network").index("Net(**net_config)")
    assert parameters(made, "network", at)[""] == ("**net_config", "flows = 3, inner.size = 4")


def test_classes_of_losses_in_lower_case_and_losses_that_are_samples(tmp_path: Path) -> None:
    source = (
        "import net\nimport torch\nclass Data(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n"
        "        mel_loss = spectrum(i)\n        return mel_loss\n"
        "criterion = net.get_loss()\nloss = criterion(net.get_model()(Data()))\nloss.backward()\n"
    )
    parts = "import torch\nclass get_model(torch.nn.Module): ...\nclass get_loss(torch.nn.Module): ...\n"
    made = as_json(tmp_path, {"a.py": source, "net.py": parts})
    assert codes(made, "network") == ["net.get_model()", "class get_model(torch.nn.Module)"]
    assert "class get_loss(torch.nn.Module)" in codes(made, "loss")
    assert not any(one.startswith("mel_loss") for one in codes(made, "loss"))


def test_functions_that_the_command_line_names(tmp_path: Path) -> None:
    source = (
        "import fire\nimport torch\nclass Net(torch.nn.Module): ...\ndef train(lr=0.1):\n    Net()(1).backward()\n"
        "def show():\n    Net(5)\nif __name__ == '__main__':\n    fire.Fire()\n"
    )
    other = "import torch\nclass Other(torch.nn.Module): ...\n"
    made = as_json(tmp_path, {"a.py": source, "b.py": other})
    assert codes(made, "network") == ["class Net(torch.nn.Module)", "Net()"]


def test_options_that_decorators_give_parameters(tmp_path: Path) -> None:
    source = (
        "import click\nimport torch\nNETS = {'a': lambda: Net(3), 'b': lambda: Net(4)}\nclass Net(torch.nn.Module): ...\n"
        "@click.command()\n@click.option('--rate', default=0.5)\n@click.option('--kind', default='b')\n"
        "def train(rate, kind):\n    net = NETS[kind]()\n    torch.optim.Adam(net.parameters(), lr=rate)\n"
        "    net(1).backward()\nif __name__ == '__main__':\n    train()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "optimizer").index("torch.optim.Adam(net.parameters(), lr=rate)")
    assert parameters(made, "optimizer", at)["lr"] == ("rate", "0.5")
    at = codes(made, "network").index("NETS[kind]()")
    assert parameters(made, "network", at)["NETS"] == ("kind", "'b'")


def test_defaults_of_a_class_that_configuration_files_replace(tmp_path: Path) -> None:
    source = (
        "import json\nimport torch\nclass Config:\n    lr: float = 0.1\n    n_epochs: int = 3\n    seed: int = 4\n"
        "def load(path):\n    return Config(**json.load(open(path)))\ncfg = load('c.json')\ntorch.manual_seed(cfg.seed)\n"
        "torch.optim.Adam(net.parameters(), lr=cfg.lr)\nfor e in range(cfg.n_epochs):\n    loss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source, "c.json": '{\n"lr": 0.2,\n"n_epochs": 7\n}\n'})
    assert not any(one.startswith("lr: float") for one in codes(made, "optimizer"))
    assert codes(made, "epochs") == ["for e in range(cfg.n_epochs)", "n_epochs: 7"]
    assert "seed: int = 4" in codes(made, "seed")


def test_calls_of_layers_and_what_is_kept_of_each_epoch(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        self.LR = Grow()\n"
        "    def forward(self, x):\n        return self.LR(x)\nclass Kept:\n    def __init__(self):\n"
        "        self.epochs = [0]\n    def append_loss(self, loss):\n        return self.epochs\n"
        "kept = Kept()\nfor epoch in range(3):\n    Net()(1).backward()\n    kept.append_loss(1)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "schedule") == []
    assert codes(made, "epochs") == ["for epoch in range(3)"]
    assert not any("append_loss" in one for one in codes(made, "loss"))


def test_what_loops_go_over_that_losses_are_computed_in(tmp_path: Path) -> None:
    source = (
        "import torch\nlosses = []\nreturns = torch.tensor(found)\nreturns = (returns - returns.mean()) / returns.std()\n"
        "loader = torch.utils.data.DataLoader(data)\nfor log, r in zip(logs, returns):\n    losses.append(-log * r)\n"
        "loss = torch.cat(losses).sum()\nloss.backward()\nfor x in loader:\n    other_loss = net(x) * 2\n    other_loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "returns = (returns - returns.mean()) / returns.std()" in told
    assert not any("DataLoader" in one for one in told)


def test_attributes_with_the_name_of_a_function(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torchvision import transforms\ndef change(size):\n    return transforms.Resize(size)\n"
        "class Data(torch.utils.data.Dataset):\n    def __init__(self, change):\n        self.change = change\n"
        "    def __getitem__(self, i):\n        return self.change(load(i))\nData(change(32))\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "augmentation").index("transforms.Resize(size)")
    assert parameters(made, "augmentation", at)["size"] == ("size", "32")


def test_what_only_shows_what_a_network_does(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module): ...\ndef stylize(path):\n    with torch.no_grad():\n"
        "        return Net(3)(path)\ndef train():\n    Net(2)(1).backward()\ntrain()\nstylize('a')\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "network") == ["class Net(torch.nn.Module)", "Net(2)"]


def test_names_that_get_the_values_of_another(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\nfrom torchvision import transforms\np = argparse.ArgumentParser()\n"
        "p.add_argument('--wide', default=32)\nargs = p.parse_args()\nshape = (args.wide, 2 * 8)\n"
        "def make(size):\n    wide, high = size\n    other, rest = unknown\n"
        "    return transforms.Resize(wide), transforms.Resize(high), transforms.Resize(other)\n"
        "make(shape)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    known = [parameters(made, "augmentation", at)["size"] for at in range(3)]
    assert known == [("wide", "32"), ("high", "2 * 8"), ("other", "unknown[0]")]


def test_how_many_samples_are_evaluated_at_a_time_is_no_batch_size(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch.utils.data import DataLoader\nfirst = DataLoader(data, 16)\n"
        "val_loader = DataLoader(data, 1)\nother = DataLoader(test_set, 2)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "batch_size") == ["DataLoader(data, 16)"]
    assert len(codes(made, "data")) == 3


def test_defaults_that_a_program_replaces_in_any_case(tmp_path: Path) -> None:
    source = (
        "import argparse, random, torch\ndef main(args):\n    lr = random.random()\n    args.lr = lr\n"
        "    args.batch_size = 4\n    args.epochs = args.epochs * 2\n    if fast:\n        args.momentum = 0.5\n"
        "    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=args.momentum)\n"
        "    torch.utils.data.DataLoader(data, args.batch_size)\n    for epoch in range(args.epochs):\n"
        "        loss.backward()\nif __name__ == '__main__':\n    p = argparse.ArgumentParser()\n"
        "    p.add_argument('--lr', default=0.1)\n    p.add_argument('--momentum', default=0.9)\n"
        "    p.add_argument('--batch-size', default=8)\n    p.add_argument('--epochs', default=3)\n"
        "    main(p.parse_args())\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = next(i for i, one in enumerate(codes(made, "optimizer")) if "SGD" in one)
    given = parameters(made, "optimizer", at)
    assert given["lr"] == ("args.lr", "random.random()")
    assert given["momentum"] == ("args.momentum", "0.9")
    assert not any("add_argument('--lr'" in one for one in codes(made, "optimizer"))
    assert not any("add_argument" in one for one in codes(made, "batch_size"))
    assert parameters(made, "batch_size", -1)["batch_size"] == ("args.batch_size", "4")
    assert "p.add_argument('--epochs', default=3)" in codes(made, "epochs")


def test_losses_that_networks_keep(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom b import FocalLoss\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
        "        self.focalLoss = FocalLoss()\n    def forward(self, x):\n        return self.focalLoss(x)\n"
        "Net()(1).backward()\n",
        "b.py": "import torch\nclass FocalLoss(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n",
    }
    assert "self.focalLoss(x)" in codes(as_json(tmp_path, files), "loss")


def test_mathematics_of_numbers_and_signs_are_parts_of_a_formula(tmp_path: Path) -> None:
    source = (
        "import numpy as np\nfrom torch import nn\nclass FlowLoss(nn.Module):\n"
        "    def __init__(self, k=256):\n        self.k = k\n    def forward(self, z, slopes):\n"
        "        prior = -0.5 * (z ** 2 + np.log(2 * np.pi))\n        both = prior.sum(-1) + slopes\n"
        "        nll = -both.mean()\n        return nll\nloss = FlowLoss()(z, slopes)\nloss.backward()\n"
        "total_loss = np.mean(losses)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "prior = -0.5 * (z ** 2 + np.log(2 * np.pi))" in told
    assert "nll = -both.mean()" in told
    assert "total_loss = np.mean(losses)" not in told


def test_losses_that_are_summed_up_are_told_as_sums(tmp_path: Path) -> None:
    source = (
        "import torch.nn.functional as F\ndef train(net, words):\n    loss = 0\n    for at in words:\n"
        "        loss += F.cross_entropy(net(at), at)\n    loss.backward()\ntrain(net, words)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert told == ["F.cross_entropy(net(at), at)", "loss += F.cross_entropy(net(at), at)"]


OWN_GRADIENTS = """\
from torch import nn
def compute_loss(net, x, parts, criterion):
    outputs = {}
    if net.separate:
        mean = 0.0
        for one in parts:
            output = net(x, one)
            loss = criterion(output, parts[one])
            loss.backward()
            mean += loss.item()
            outputs[one] = output.detach().clone()
        mean /= float(len(parts))
    else:
        loss = 0
        outputs = net(x)
        for one in parts:
            loss += criterion(outputs[one], parts[one])
        loss.backward()
        mean = loss.item() / len(outputs)
    return outputs, mean
compute_loss(net, x, parts, nn.L1Loss())
"""


def test_what_a_function_gives_that_takes_gradients_itself_is_no_loss(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, {"a.py": OWN_GRADIENTS}), "loss") == [
        "def compute_loss(net, x, parts, criterion)",
        "loss = criterion(output, parts[one])",
        "loss += criterion(outputs[one], parts[one])",
        "nn.L1Loss()",
    ]


KEPT_FILTER = """\
import numpy as np
import torch
from torch import nn
def sinc(size, cutoff):
    taps = size - 1
    filled = np.zeros(size)
    filled[0] = 2 * np.pi * cutoff
    return filled / np.sum(filled)
class Resample(nn.Module):
    def __init__(self, size, stride, trainable=False, learned=True, start=1.5):
        cutoff = 0.5 / stride
        taps = sinc(size, cutoff)
        self.taps = nn.Parameter(torch.from_numpy(np.reshape(taps, [1, -1])), requires_grad=trainable)
        self.scale = nn.Parameter(torch.tensor(start), requires_grad=learned)
Resample(15, 4)(x).backward()
"""


def test_a_parameter_is_told_with_what_it_is_made_of(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": KEPT_FILTER}), "initialization")
    assert told == [
        "filled = np.zeros(size)",
        "filled[0] = 2 * np.pi * cutoff",
        "return filled / np.sum(filled)",
        "cutoff = 0.5 / stride",
        "taps = sinc(size, cutoff)",
        "self.taps = nn.Parameter(torch.from_numpy(np.reshape(taps, [1, -1])), requires_grad=trainable)",
        "self.scale = nn.Parameter(torch.tensor(start), requires_grad=learned)",
    ]


def test_a_parameter_is_frozen_by_a_setting_too(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": KEPT_FILTER})
    assert codes(made, "groups") == [
        "nn.Parameter(torch.from_numpy(np.reshape(taps, [1, -1])), requires_grad=trainable)"
    ]
    assert parameters(made, "groups", 0)["requires_grad"] == ("trainable", "False")


ANNEALED = """\
import torch
from torch import nn
def grown(end, step):
    return min(end * step, end)
def kept(storer):
    return storer
class CapacityLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.criterion = nn.BCELoss()
        self.criterion.size_average = False
    def forward(self, x, made, kl, step):
        storer = kept(step)
        limit = (grown(20, step) if self.training else 20)
        wanted = torch.full((4, 1), 0.9)
        nearest = torch.argmin(made, dim=1)
        loss = self.criterion(made, wanted) + (kl - limit).abs() + x[nearest].sum()
        return loss
CapacityLoss()(x, made, kl, storer).backward()
def calc_running_avg_loss(loss, running):
    return running * 0.9 + loss * 0.1
calc_running_avg_loss(1, 2)
"""


def test_a_formula_has_what_functions_of_the_file_give_it(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": ANNEALED}), "loss")
    assert "limit = (grown(20, step) if self.training else 20)" in told
    assert "wanted = torch.full((4, 1), 0.9)" in told
    assert "nearest = torch.argmin(made, dim=1)" in told
    assert "self.criterion.size_average = False" in told
    assert "storer = kept(step)" not in told
    assert not [one for one in told if "running" in one]


FILLED = """\
import numpy as np
from torch import nn
def small(wt):
    wt.data.normal_(std=0.02)
def glorot_uniform(t):
    limit = np.sqrt(6.0 / (t.size(0) + t.size(1)))
    t.uniform_(-limit, limit)
def noisy(x):
    x.data.normal_(std=0.3)
class Net(nn.Module):
    def __init__(self):
        self.words = nn.Embedding(3, 4)
        small(self.words.weight)
        glorot_uniform(self.words.weight.data)
    def reset_parameters(self):
        stdv = 1.0 / len(self.words)
        for weight in self.parameters():
            weight.data.uniform_(-stdv, stdv)
net = Net()
noisy(picture)
net.reset_parameters()
net(1).backward()
"""


def test_functions_that_fill_weights_are_told_with_what_they_fill_them_with(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, {"a.py": FILLED}), "initialization") == [
        "def small(wt)",
        "wt.data.normal_(std=0.02)",
        "def glorot_uniform(t)",
        "limit = np.sqrt(6.0 / (t.size(0) + t.size(1)))",
        "t.uniform_(-limit, limit)",
        "small(self.words.weight)",
        "glorot_uniform(self.words.weight.data)",
        "def reset_parameters(self)",
        "stdv = 1.0 / len(self.words)",
        "weight.data.uniform_(-stdv, stdv)",
    ]


CONTRAST = """\
import torch
from torch import nn
class RowLoss(nn.Module):
    def __init__(self):
        self.chosen = self.row_loss
    def row_loss(self, table):
        rows = []
        for one in table:
            row = []
            for at in one:
                near = torch.sigmoid(at)
                others = torch.cat((near[:1], near[2:]))
                row.append(1.0 - torch.max(others))
            row = torch.stack(row)
            rows.append(row)
        return torch.stack(rows)
    def forward(self, table):
        return self.chosen(table).sum()
RowLoss()(table).backward()
"""


def test_what_lists_in_lists_are_filled_with_is_part_of_a_formula(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": CONTRAST}), "loss")
    assert "near = torch.sigmoid(at)" in told
    assert "row.append(1.0 - torch.max(others))" in told


DIFFUSION = """\
import torch
from torch import nn
import torch.nn.functional as F
def rising(low, high, steps):
    scale = 1000 / steps
    return torch.linspace(scale * low, scale * high, steps)
def schedules(low, high, T):
    betas = (high - low) * torch.arange(0, T + 1) / T + low
    bars = torch.cumsum(torch.log(1 - betas), 0).exp()
    return {"mean": torch.sqrt(bars), "rest": torch.sqrt(1 - bars)}
class Diffusion(nn.Module):
    def __init__(self, net, steps=100):
        super().__init__()
        self.net = net
        self.steps = steps
        self.betas = rising(1e-4, 0.02, steps)
        self.alphas = 1. - self.betas
        bars = torch.cumprod(self.alphas, 0)
        self.register_buffer("root", torch.sqrt(bars))
        self.rest = torch.sqrt(1 - bars)
        self.layer = nn.Linear(3, 4 * steps)
        self.unused = 7 * bars
    def forward(self, x):
        t = torch.randint(0, self.steps, (4,))
        noise = torch.randn_like(x)
        noisy = self.root[t] * x + self.rest[t] * noise
        return F.mse_loss(self.net(self.layer(noisy)), noise)
class Other(nn.Module):
    def __init__(self, net, T):
        super().__init__()
        self.net = net
        for key, value in schedules(0.1, 0.2, T).items():
            self.register_buffer(key, value)
    def forward(self, x):
        noise = torch.randn_like(x)
        noisy = self.mean * x + self.rest * noise
        return F.mse_loss(self.net(noisy), noise)
loss = Diffusion(net)(x) + Other(net, 9)(x)
loss.backward()
"""
KEPT = [
    "scale = 1000 / steps",
    "return torch.linspace(scale * low, scale * high, steps)",
    "betas = (high - low) * torch.arange(0, T + 1) / T + low",
    "bars = torch.cumsum(torch.log(1 - betas), 0).exp()",
    'return {"mean": torch.sqrt(bars), "rest": torch.sqrt(1 - bars)}',
    "self.betas = rising(1e-4, 0.02, steps)",
    "self.alphas = 1. - self.betas",
    "bars = torch.cumprod(self.alphas, 0)",
    'self.register_buffer("root", torch.sqrt(bars))',
    "self.rest = torch.sqrt(1 - bars)",
]


def test_a_formula_has_how_its_object_computes_what_it_keeps(tmp_path: Path) -> None:
    found = codes(as_json(tmp_path, {"a.py": DIFFUSION}), "loss")
    assert [one for one in found if one in KEPT] == KEPT
    assert not [one for one in found if "self.unused" in one or "nn.Linear" in one]
