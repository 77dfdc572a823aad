"""Which settings the analysis tells, and as what: of networks in nested configuration, of objects that are
called, of what only evaluates, and names that differ in their case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

TRAINING = "loss = net(x).mean()\nloss.backward()\n"


def read_by(made: Any, name: str) -> dict[str, str]:
    """What a class is told to read, with what that is known to be."""
    network = next(one["entries"] for one in made["recipe"] if one["item"] == "network")
    found = next(one for one in network if one["code"].startswith(f"class {name}("))
    return {one["value"]: one["known"] for one in found["parameters"]}


def test_networks_with_what_they_read_of_a_dictionary(tmp_path: Path) -> None:
    files = {
        "net.py": "import torch\nclass G(torch.nn.Module):\n    def __init__(self, params):\n"
        "        super().__init__()\n        self.up = torch.nn.Linear(params['nz'], params['wide'])\n",
        "train.py": "from net import G\nparams = {'nz': 100, 'wide': 64, 'lr': 1e-3}\n"
        f"net = G(params)\n{TRAINING}",
    }
    assert read_by(as_json(tmp_path, files), "G") == {'params["nz"]': "100", 'params["wide"]': "64"}


def test_networks_with_what_they_read_of_given_names(tmp_path: Path) -> None:
    files = {
        "net.py": "import torch\nclass G(torch.nn.Module):\n    def __init__(self, **kwargs):\n"
        "        super().__init__()\n        self.WIDE = kwargs['WIDE']\n",
        "train.py": f"from net import G\nparams = {{'WIDE': 300, 'SIZE': 5}}\nnet = G(**params)\n{TRAINING}",
    }
    assert read_by(as_json(tmp_path, files), "G") == {'kwargs["WIDE"]': "300"}


def test_networks_with_what_they_read_of_a_class_of_settings(tmp_path: Path) -> None:
    files = {
        "config.py": "class DefaultConfig:\n    width = 256\n    classes = 80\n",
        "net.py": "import torch\nfrom config import DefaultConfig\nclass G(torch.nn.Module):\n"
        "    def __init__(self, config=None):\n        super().__init__()\n"
        "        config = config or DefaultConfig\n        self.width = config.width\n"
        "        self.up = torch.nn.Linear(config.width, config.classes)\n"
        "class Other(G):\n    def forward(self, x):\n        classes = x.shape[1]\n"
        "        return self.config.classes\n",
        "train.py": f"from net import Other\nnet = Other()\n{TRAINING}",
    }
    made = as_json(tmp_path, files)
    assert read_by(made, "G") == {"config.width": "256", "config.classes": "80"}
    assert read_by(made, "Other") == {"self.config.classes": "80"}


def test_settings_of_a_module_that_a_star_import_brings(tmp_path: Path) -> None:
    files = {
        "hyper.py": "rate = 0.01\nrounds = 7\nwide = 5\n",
        "net.py": "import torch\nimport hyper as hp\nclass G(torch.nn.Module):\n"
        "    def forward(self, x):\n        return x * hp.wide\n",
        "train.py": "from net import *\nfrom torch import optim\nnet = G()\n"
        "opt = optim.SGD(net.parameters(), lr=hp.rate)\nfor epoch in range(hp.rounds):\n"
        "    loss = net(x).mean()\n    loss.backward()\n",
    }
    made = as_json(tmp_path, files)
    assert parameters(made, "optimizer", 0)["lr"] == ("hp.rate", "0.01")
    assert parameters(made, "epochs", 0)["range"] == ("hp.rounds", "7")
    assert read_by(made, "G") == {"hp.wide": "5"}


def test_names_that_differ_in_their_case_alone(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom PIL import Image\nfrom torch.nn import functional as F\nnet = torch.nn.Linear(2, 2)\n"
        "def train(x, image):\n    image = image.resize(9)\n    _, N = x.shape\n    n = net(x)\n"
        "    loss = F.mse_loss(n, Image.new(N))\n    loss.backward()\ntrain(*data)\n"
    }
    made = as_json(tmp_path, files)
    at = next(at for at, code in enumerate(codes(made, "loss")) if code.startswith("F.mse_loss"))
    assert parameters(made, "loss", at)["input"] == ("n", "net(x)")
    assert parameters(made, "loss", at)["target"] == ("Image.new(N)", "N = x.shape[1]")


def test_programs_that_call_an_object_that_trains(tmp_path: Path) -> None:
    files = {
        "trainer.py": "class Trainer:\n    def __init__(self, net):\n        self.net = net\n"
        "    def __call__(self, loader, epochs=10):\n        for epoch in range(epochs):\n"
        "            self._round(loader)\n    def _round(self, loader):\n        for x in loader:\n"
        "            loss = self.net(x).mean()\n            loss.backward()\n",
        "main.py": "import torch\nfrom trainer import Trainer\nif __name__ == '__main__':\n"
        "    trainer = Trainer(torch.nn.Linear(2, 2))\n    torch.manual_seed(4)\n    trainer([1], epochs=70)\n",
    }
    made = as_json(tmp_path, files)
    assert not made["left_out"]
    assert codes(made, "seed") == ["torch.manual_seed(4)"]
    assert codes(made, "epochs") == ["trainer([1], epochs=70)", "for epoch in range(epochs)"]
    assert parameters(made, "epochs", 1)["range"] == ("epochs", "70")


def test_objects_that_evaluate(tmp_path: Path) -> None:
    files = {
        "evaluate.py": "import torch\nclass Evaluator:\n    def __call__(self, loader):\n"
        "        self.model.eval()\n        return self.losses(loader)\n    def losses(self, loader):\n"
        "        mini_batch_size = 10\n        for x in loader:\n"
        "            loss = torch.nn.functional.mse_loss(self.model(x), x[:mini_batch_size])\n        return loss\n",
        "train.py": "import torch\nfrom evaluate import Evaluator\nnet = torch.nn.Linear(2, 2)\n"
        f"{TRAINING}Evaluator()([1])\n",
    }
    made = as_json(tmp_path, files)
    assert not codes(made, "batch_size")
    assert codes(made, "loss") == ["loss = net(x).mean()"]


def test_batch_sizes_of_loaders_of_other_libraries_for_tests(tmp_path: Path) -> None:
    files = {
        "a.py": "from torch_geometric.data import DataLoader\nimport torch\nnet = torch.nn.Linear(2, 2)\n"
        "train_loader = DataLoader(train_set, batch_size=8)\ntest_loader = DataLoader(test_set, batch_size=1)\n"
        f"{TRAINING}"
    }
    assert codes(as_json(tmp_path, files), "batch_size") == [
        "train_loader = DataLoader(train_set, batch_size=8)"
    ]


def test_settings_that_programs_wrote_and_letters_are_none(tmp_path: Path) -> None:
    files = {
        "train.py": f"import torch, yaml\nnet = torch.nn.Linear(2, 2)\nconfig = yaml.load(open('c.yaml'))\n"
        f"opt = torch.optim.SGD(net.parameters(), lr=config.lr)\nuse(config.b, config.batch_size)\n{TRAINING}",
        "c.yaml": "lr: 0.5\nmean:\n  b: 104.0\n",
        "results/run/specs.json": '{\n"lr": 0.7,\n"batch_size": 3\n}\n',
    }
    made = as_json(tmp_path, files)
    assert codes(made, "optimizer")[0] == "lr: 0.5"
    assert not codes(made, "batch_size")


def test_momentum_of_norms_is_none_of_optimizers(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch\nnet = torch.nn.Linear(2, 2)\nfor name, module in net.named_modules():\n"
        f"    if '.bn' in name:\n        module.momentum = 0.99\n{TRAINING}"
    }
    assert not codes(as_json(tmp_path, files), "optimizer")


def test_options_that_only_loggers_and_what_saves_are_given(tmp_path: Path) -> None:
    files = {
        "a.py": "import argparse, logging, torch\nfrom keeping import save_checkpoint\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--model_name', default='a')\nargs = parser.parse_args()\n"
        "logger = logging.getLogger(args.model_name)\nnet = torch.nn.Linear(2, 2)\n"
        f"{TRAINING}save_checkpoint(net, args.model_name)\n",
        "keeping.py": "import torch\ndef save_checkpoint(net, name):\n    torch.save(net, name)\n",
    }
    assert not any("model_name" in one for one in codes(as_json(tmp_path, files), "network"))


def test_methods_and_files_that_have_the_name_of_something_alone(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch, pandas as pd\nnet = torch.nn.Linear(2, 2)\n"
        "def save_loss(losses, path):\n    return pd.DataFrame(losses * 2)\n"
        "losses = pd.read_csv(loss_path)\ntable = pd.read_csv('words.csv')\n"
        "for x in table:\n    loss = net(x).mean()\n    loss.backward()\n    net.clearMemory()\nsave_loss(losses, 'a')\n"
    }
    made = as_json(tmp_path, files)
    assert codes(made, "data") == ["pd.read_csv('words.csv')"]
    assert codes(made, "loss") == ["loss = net(x).mean()"]


def test_entries_of_what_methods_give_are_steps(tmp_path: Path) -> None:
    files = {
        "sets.py": "import cv2\nimport numpy as np\nimport torch\nclass Bags(torch.utils.data.Dataset):\n"
        "    def __getitem__(self, at):\n        mask = cv2.imread(self.names[at])\n"
        "        return onehot(mask, 2)\n"
        "def onehot(data, n):\n    found = np.zeros(data.shape + (n,))\n"
        "    places = np.arange(data.size) * n + data.ravel()\n    found.ravel()[places - 1] = 1\n    return found\n",
        "a.py": "import torch\nfrom sets import Bags\nnet = torch.nn.Linear(2, 2)\nfor x in Bags():\n"
        "    loss = net(x).mean()\n    loss.backward()\n",
    }
    told = codes(as_json(tmp_path, files), "augmentation")
    assert "found.ravel()[places - 1] = 1" in told
    assert "places = np.arange(data.size) * n + data.ravel()" in told


def test_options_by_any_of_their_names(tmp_path: Path) -> None:
    files = {
        "a.py": "import argparse, torch\nfrom nets import made\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--student', '--model', default='resnet8')\nargs = parser.parse_args()\n"
        f"net = made(args.student)\n{TRAINING}",
        "nets.py": "import torch\ndef made(name):\n    return torch.nn.Linear(len(name), 2)\n",
    }
    told = codes(as_json(tmp_path, files), "network")
    assert "parser.add_argument('--student', '--model', default='resnet8')" in told


def test_one_of_a_dictionary_with_sizes_of_each_data_set(tmp_path: Path) -> None:
    source = """\
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument('--data', default='web')
parser.add_argument('--classes', type=int, default=None)
parser.add_argument('--head', default='plain')
args = parser.parse_args()
if args.data == 'web':
    args.classes = 10
elif args.data == 'big':
    args.classes = 20
class Plain(torch.nn.Module):
    def __init__(self, out): pass
class Wide(torch.nn.Module):
    def __init__(self, out): pass
net = {'plain': Plain(args.classes), 'wide': Wide(args.classes)}[args.head]
"""
    made = as_json(tmp_path, {"a.py": f"{source}{TRAINING}"})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "network")
    told = {one["code"]: one for one in found}
    assert [one["value"] for one in told["Wide(args.classes)"]["conditions"]] == ["args.head == 'wide'"]
    assert told["Plain(args.classes)"]["conditions"][0]["known"] == "args.head = 'plain'"
    assert told["Plain(args.classes)"]["parameters"][0]["known"] == (
        "10 if args.data == 'web' / 20 if args.data == 'big'"
    )


def test_values_that_functions_give_at_several_places(tmp_path: Path) -> None:
    files = {
        "sets.py": "class Cats:\n    CLASSES = 7\nclass Dogs:\n    CLASSES = 9\n"
        "def make(args):\n    if args.name == 'cats':\n        data = Cats(args)\n        n = data.CLASSES\n"
        "        return data, n\n    data = Dogs(args)\n    n = data.CLASSES\n    return data, n\n",
        "a.py": "import torch\nfrom sets import make\nclass Net(torch.nn.Module):\n"
        "    def __init__(self, n): pass\nclass Trainer:\n    def __init__(self, args):\n"
        f"        self.data, self.n = make(args)\n        self.net = Net(self.n)\nTrainer(3)\n{TRAINING}",
    }
    made = as_json(tmp_path, files)
    assert ("self.n", "7 / 9") in [
        given
        for at, code in enumerate(codes(made, "network"))
        if code == "Net(self.n)"
        for given in parameters(made, "network", at).values()
    ]


def test_constants_of_a_module_by_an_object_of_settings(tmp_path: Path) -> None:
    files = {
        "conf/__init__.py": "import conf.own as own\nclass Settings:\n    def __init__(self, given):\n"
        "        for name in dir(given):\n            setattr(self, name, getattr(given, name))\n"
        "settings = Settings(own)\n",
        "conf/own.py": "EPOCH = 200\n",
        "a.py": "import torch\nfrom conf import settings\nnet = torch.nn.Linear(2, 2)\n"
        "for epoch in range(1, settings.EPOCH + 1):\n    loss = net(x).mean()\n    loss.backward()\n",
    }
    made = as_json(tmp_path, files)
    at = codes(made, "epochs").index("for epoch in range(1, settings.EPOCH + 1)")
    assert parameters(made, "epochs", at) == {
        "range": ("settings.EPOCH + 1", "201, with settings.EPOCH = 200")
    }


def test_loaders_that_a_program_only_tests_with(tmp_path: Path) -> None:
    source = """\
import torch
from torch.utils.data import DataLoader
from features import keep
net = torch.nn.Linear(2, 2)
def train():
    first = DataLoader(cats, batch_size=32)
    faces = DataLoader(lfw, batch_size=100)
    more = DataLoader(dogs, batch_size=64)
    others = iter(more)
    for x in first:
        loss = net(x).mean() + net(next(others)).mean()
        loss.backward()
    keep(net, faces)
train()
"""
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "batch_size") == ["DataLoader(cats, batch_size=32)", "DataLoader(dogs, batch_size=64)"]


def test_a_method_that_has_the_name_of_a_class_makes_none_of_it(tmp_path: Path) -> None:
    source = """\
import cv2, torch
class preproc:
    def __init__(self, size, mean):
        self.size = size
    def __call__(self, image, boxes):
        image = image / self.size
        return image, boxes
class Faces(torch.utils.data.Dataset):
    def __init__(self, preproc):
        self.preproc = preproc
    def __getitem__(self, at):
        image = cv2.imread(self.names[at])
        return self.preproc(image, self.boxes[at])
for x in Faces(preproc(640, (1, 2))):
    loss = net(x)
    loss.backward()
"""
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "augmentation").index("image = image / self.size")
    assert ("self.size", "640") in parameters(made, "augmentation", at).values()


def test_counters_of_a_module_and_settings_of_one_module_or_another(tmp_path: Path) -> None:
    files = {
        "conf/first.py": "import numpy as np\nsize = 300\nmean = np.array([1, 2])\n",
        "conf/second.py": "import numpy as np\nsize = 500\nmean = np.array([3, 4])\n",
        "a.py": "import torch, random\nfrom conf import first, second\nfrom torchvision import transforms\n"
        "net = torch.nn.Linear(2, 2)\niteration = 1\ndef train():\n    global iteration\n    for x in data:\n"
        "        iteration += 1\n        loss = net(x).mean()\n        loss.backward()\n"
        "if net.is_small:\n    config = first\nelse:\n    config = second\n"
        "change = transforms.Normalize(config.mean, config.size)\ntrain()\n",
    }
    made = as_json(tmp_path, files)
    assert "iteration = 1" not in codes(made, "epochs")
    at = codes(made, "augmentation").index("transforms.Normalize(config.mean, config.size)")
    told = parameters(made, "augmentation", at)
    assert told["mean"] == ("config.mean", "np.array([1, 2]) / np.array([3, 4])")
    assert told["std"] == ("config.size", "300 / 500")


def test_options_that_a_program_gives_itself(tmp_path: Path) -> None:
    source = f"""\
import argparse, torch
def main(given):
    parser = argparse.ArgumentParser()
    parser.add_argument('--num_epochs', type=int, default=300)
    parser.add_argument('--lr', type=float, default=0.1)
    parser.add_argument('--name', default='big')
    args = parser.parse_args(given)
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), args.lr)
    for epoch in range(args.num_epochs):
        {TRAINING.strip().replace(chr(10), chr(10) + "        ")}
if __name__ == '__main__':
    given = [
        '--num_epochs', '1000',
        '--name', 'small',
    ]
    main(given)
"""
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "epochs") == ["for epoch in range(args.num_epochs)", "'--num_epochs', '1000',"]
    assert parameters(made, "epochs", 0) == {"range": ("args.num_epochs", "1000")}
    assert parameters(made, "optimizer", 1)["lr"] == ("args.lr", "0.1")


LABELS = """\
import torch
class Boxes(torch.utils.data.Dataset):
    def __getitem__(self, at):
        names = open(self.names[at]).read().split()
        found = []
        for name in names:
            label = self.class_to_ind[name]
            found.append(label)
        return found
for x in Boxes():
    loss = net(x)
    loss.backward()
"""


def test_labels_that_are_looked_up(tmp_path: Path) -> None:
    assert "label = self.class_to_ind[name]" in codes(as_json(tmp_path, {"a.py": LABELS}), "augmentation")


def test_constants_that_only_options_have_which_nothing_reads(tmp_path: Path) -> None:
    source = f"""\
import argparse, torch
RANDOM_SEED = 1234
BATCH_SIZE = 8
parser = argparse.ArgumentParser()
parser.add_argument('--random-seed', type=int, default=RANDOM_SEED)
parser.add_argument('--batch-size', type=int, default=BATCH_SIZE)
args = parser.parse_args()
class Layer(torch.nn.Module):
    def __repr__(self):
        return '{{name}}'.format(**self.__dict__)
net = torch.nn.DataParallel(Layer())
loader = torch.utils.data.DataLoader(cats, batch_size=args.batch_size)
{TRAINING}"""
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "seed") == []
    assert "BATCH_SIZE = 8" in codes(made, "batch_size")


def test_entries_and_attributes_of_an_object_that_have_the_same_name(tmp_path: Path) -> None:
    source = f"""\
import os, torch
class Net(torch.nn.Module):
    cfg = {{'first': [32], 'second': [64, 'M']}}
    def __init__(self):
        self.first = self.layers(self.cfg['first'])
        self.second = self.layers(self.cfg['second'])
class Cats(torch.utils.data.Dataset):
    def __init__(self, part):
        self.train_root = 'data/train'
        self.test_root = 'data/test'
        if part == 'train':
            root = self.train_root
        if part == 'test':
            root = self.test_root
        self.names = os.listdir(root)
    def __getitem__(self, at):
        return self.names[at]
net = Net()
loader = torch.utils.data.DataLoader(Cats('train'))
{TRAINING}"""
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "network").index("class Net(torch.nn.Module)")
    assert ('self.cfg["second"]', "[64, 'M']") in parameters(made, "network", at).values()
    at = codes(made, "data").index("os.listdir(root)")
    assert ("root", "'data/train' / 'data/test'") in parameters(made, "data", at).values()


def test_long_lines_steps_of_networks_and_values_in_the_next_line(tmp_path: Path) -> None:
    long = "Flow(" + ", ".join(f"size_{at}=opt.num_steps" for at in range(9)) + ")"
    source = (
        "import argparse\nimport torch\nfrom torch.utils.data import DataLoader\n"
        "class Flow(torch.nn.Module):\n    pass\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--num_steps', default=32)\n"
        "parser.add_argument('--num_epochs', default=3)\nopt = parser.parse_args()\n"
        f"net = {long}\n"
        "first, second = \\\n    Own('a'), \\\n    Own('b')\nloader = DataLoader(second, \\\n    batch_size=2)\n"
        "for epoch in range(opt.num_epochs):\n    net(x).sum().backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert long in codes(made, "network")
    assert not any("num_steps" in one for one in codes(made, "epochs"))
    assert "DataLoader(second, batch_size=2)" in codes(made, "data")
    at = codes(made, "data").index("DataLoader(second, batch_size=2)")
    assert parameters(made, "data", at)["dataset"] == ("second", "Own('b')")


NAMED = """\
import math
import torch
nEpochs = 100
lr = 1e-3
size = 5
class Net(torch.nn.Module):
    def __init__(self, depth, wide):
        super().__init__()
        if wide:
            n = int((depth - 2) / 9)
        self.layers = [torch.nn.Conv2d(1, 1, n)]
        for m in self.modules():
            n = m.kernel_size[0] * m.out_channels
            m.weight.data.normal_(0, math.sqrt(2. / n))
def get_1x_lr_params(model):
    parts = [model.conv1, model.fc7]
    for part in parts:
        yield from part.parameters()
def get_learning_rate(optimizer):
    lr = []
    for param_group in optimizer.param_groups:
        lr += [param_group['lr']]
    return lr
def count_flops(kind, *params):
    return kind(*params)
def train_model(num_epochs=nEpochs, lr=lr, size=size):
    net = Net(size, True)
    print(count_flops(Net, 3))
    opt = torch.optim.SGD([{'params': get_1x_lr_params(net)}], lr=lr)
    for epoch in range(num_epochs):
        net(x).sum().backward()
        print(get_learning_rate(opt))
train_model()
"""


def test_defaults_that_have_names_and_layers_of_groups(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": NAMED})
    assert ("lr", "1e-3") in parameters(made, "optimizer", -1).values()
    assert ("num_epochs", "100") in parameters(made, "epochs", -1).values()
    assert parameters(made, "network", -1)["depth"] == ("size", "5")
    assert not any("kind(" in one for one in codes(made, "network"))
    assert "parts = [model.conv1, model.fc7]" in codes(made, "groups")
    assert codes(made, "schedule") == []
    assert not any("depth" in one for one in codes(made, "initialization"))


GROWN = """\
import torch
import torchvision
class Net(torch.nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = torchvision.models.__dict__['resnet{}'.format(sizes)](pretrained=True)
class Words:
    def __init__(self):
        self.table = [[0] * 3]
        self.sizes = [3]
        self.net = Net(self.table)
        self.other = Net(self.sizes)
    def fill(self):
        self.table.append([1] * 3)
    def train(self):
        self.fill()
        for x in data:
            self.net(x).sum().backward()
            self.other(x).sum().backward()
Words().train()
"""


def test_attributes_that_grow_and_networks_chosen_by_names_that_are_made(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": GROWN})
    assert "torchvision.models.__dict__['resnet{}'.format(sizes)](pretrained=True)" in codes(made, "network")
    assert parameters(made, "network", -2)["sizes"] == ("self.table", "[[0] * 3], …")
    assert parameters(made, "network", -1)["sizes"] == ("self.sizes", "[3]")


OF_TESTS = """\
import unittest
import torch
class OpTest(unittest.TestCase):
    def test_it(self):
        torch.sigmoid(torch.ones(2)).sum().backward()
def adjust_opt(optimizer, epoch):
    lr = 1e-1
    for param_group in optimizer.param_groups:
        param_group['lr'] = lr
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
for epoch in range(4):
    adjust_opt(optimizer, epoch)
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
"""


def test_tests_train_nothing_and_rates_of_groups_are_of_the_schedule(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": OF_TESTS})
    assert not any("sigmoid" in one for one in codes(made, "loss"))
    assert not any("1e-1" in one for one in codes(made, "optimizer"))
    assert any("lr = 1e-1" in one for one in codes(made, "schedule"))


def test_settings_that_are_for_tests_alone(tmp_path: Path) -> None:
    source = (
        "import torch, yaml\ncfg = yaml.safe_load(open(path))\nnet = torch.nn.Linear(2, 2)\n"
        "loader = torch.utils.data.DataLoader(cats, num_workers=cfg.num_workers)\nfor x, y in loader:\n"
        "    torch.nn.functional.mse_loss(net(x), y).backward()\n"
    )
    files = {
        "train.py": source,
        "test.py": "import torch, yaml\ncfg = yaml.safe_load(open(path))\nprint(torch.load(cfg.name))\n",
        "configs/test.yaml": "num_workers: 7\nshuffle: false\n",
        "configs/train.yaml": "num_workers: 3\nshuffle: true\n",
    }
    told = str(as_json(tmp_path, files)["recipe"])
    assert "num_workers: 3" in told
    assert "num_workers: 7" not in told
    source = (
        "import torch\nnet = torch.nn.Linear(2, 2)\nconfig = Box({'batch_size': 5, 'num_workers': 2})\n"
        "config_test = Box({'batch_size': 9, 'num_workers': 4})\nfor x, y in load(config):\n"
        "    torch.nn.functional.mse_loss(net(x), y).backward()\n"
    )
    told = str(as_json(tmp_path / "b", {"a.py": source})["recipe"])
    assert "'batch_size': 5" in told
    assert "'batch_size': 9" not in told


def test_defaults_that_are_always_replaced(tmp_path: Path) -> None:
    source = (
        "import argparse, torch\ndata_dir = 'old'\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--kind', default='some')\nargs = parser.parse_args()\n"
        "if args.kind == 'some':\n    if args.deep:\n        args.kind = 'add'\n    else:\n"
        "        args.kind = 'cat'\nclass Net(torch.nn.Module):\n    def __init__(self, kind):\n"
        "        self.kind = kind\ndef read(path=data_dir):\n    return torch.load(path)\n"
        "net = Net(args.kind)\nfor x, y in read('new'):\n"
        "    torch.nn.functional.mse_loss(net(x), y).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    known = "'add' if args.kind == 'some' and args.deep / 'cat' if args.kind == 'some' and not (args.deep)"
    assert parameters(made, "network", -1)["kind"] == ("args.kind", known)
    assert "data_dir = 'old'" not in str(made["recipe"])
    source = source.replace("read('new')", "read()")
    assert "data_dir = 'old'" in str(as_json(tmp_path / "b", {"a.py": source})["recipe"])


def test_rates_are_what_sets_rates(tmp_path: Path) -> None:
    source = (
        "import argparse, torch\nfrom torch.utils.data import Dataset\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--adjust_lr', default=True)\nparser.add_argument('--warm_from', default='')\n"
        "args = parser.parse_args()\ndef read_one(path):\n    return torch.load(path)\nclass Cats(Dataset):\n"
        "    def __getitem__(self, at):\n        lr = read_one(self.images[at])\n        return lr * 2\n"
        "class Net(torch.nn.Module):\n    def __init__(self):\n        self.layer = torch.nn.Linear(2, 2)\n"
        "    def forward(self, x):\n        out_lr = self.layer(x) + x\n        return out_lr\n"
        "net = Net()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for x in torch.utils.data.DataLoader(Cats(), 4):\n    net(x).backward()\n    optimizer.step()\n"
        "    if args.adjust_lr:\n        for group in optimizer.param_groups:\n            group['lr'] *= 0.5\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    told = codes(made, "schedule")
    assert any("--adjust_lr" in one for one in told)
    assert not any("read_one" in one or "out_lr" in one or "--warm_from" in one for one in told)
    assert not any("--adjust_lr" in one for one in codes(made, "optimizer"))


def test_gradients_that_are_clipped_by_hand(tmp_path: Path) -> None:
    source = (
        "import torch\nnet = torch.nn.Linear(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for x, y in cats:\n    torch.nn.functional.mse_loss(net(x), y).backward()\n    size = 0.0\n"
        "    for p in net.parameters():\n        size += p.grad.norm() ** 2\n    factor = 5 / size\n"
        "    if factor < 1:\n        for p in net.parameters():\n            p.grad = p.grad * factor\n"
        "    optimizer.step()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    told = ["size += p.grad.norm() ** 2", "factor = 5 / size", "p.grad = p.grad * factor"]
    assert codes(made, "clipping") == told
    assert len(codes(made, "optimizer")) == 1


def test_networks_of_torchvision_and_what_weights_are_set_of(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torchvision.models import resnet\ndef init_weights(m):\n"
        "    m.weight.data.normal_(0, 0.1)\nclass Net(torch.nn.Module):\n    def __init__(self, name):\n"
        "        self.base = resnet.__dict__[name]()\n        self.other = pick('torchvision.models', name)\n"
        "        self.top = torch.nn.Linear(2, 2)\n        self.top.apply(init_weights)\n"
        "net = Net(args.name)\nfor x, y in cats:\n"
        "    torch.nn.functional.mse_loss(net(x), y).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    told = codes(made, "network")
    assert "resnet.__dict__[name]()" in told
    assert "pick('torchvision.models', name)" in told
    assert "self.top.apply(init_weights)" in codes(made, "initialization")


def test_weights_of_losses_that_change(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom random import shuffle\nnet = torch.nn.Linear(2, 2)\n"
        "def train(net, batches, alpha):\n    shuffle(batches)\n    for x, y in batches:\n"
        "        loss = torch.nn.functional.mse_loss(net(x), y) + alpha * net(x).mean()\n"
        "        loss.backward()\nalpha = 0.4\nfor epoch in range(9):\n    train(net, load(), alpha)\n"
        "    if epoch % 30 == 0:\n        alpha *= 0.8\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert {"alpha = 0.4", "alpha *= 0.8"} <= set(codes(made, "loss"))
    assert "shuffle(batches)" in codes(made, "data")


def test_noise_is_no_weight_and_averages_of_losses_are_none(tmp_path: Path) -> None:
    source = (
        "import torch, torch.nn as nn\nclass LossAverage(object):\n    def update(self, value):\n"
        "        self.sum += value\nnet = nn.Linear(2, 2)\nnn.init.normal_(net.weight)\nkept = LossAverage()\n"
        "for x, y in cats:\n    z = nn.init.normal_(torch.Tensor(x.size(0), 2))\n"
        "    loss = nn.functional.mse_loss(net(x + z), y)\n    loss.backward()\n    kept.update(loss.item())\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "initialization") == ["nn.init.normal_(net.weight)"]
    assert not any("LossAverage" in one for one in codes(made, "loss"))


def test_one_of_two_by_a_condition(tmp_path: Path) -> None:
    source = (
        "import argparse, torch\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--kind', default='l2')\nargs = parser.parse_args()\n"
        "net = torch.nn.Linear(2, 2)\n"
        "loss = torch.nn.MSELoss() if (args.kind == 'l2') else torch.nn.L1Loss()\n"
        "for x, y in cats:\n    loss(net(x), y).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    entries = next(one for one in made["recipe"] if one["item"] == "loss")["entries"]
    told = {one["code"]: [each["value"] for each in one["conditions"]] for one in entries}
    assert told["torch.nn.MSELoss()"] == ["args.kind == 'l2'"]
    assert told["torch.nn.L1Loss()"] == ["not (args.kind == 'l2')"]
