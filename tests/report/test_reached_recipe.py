"""What of a project a program reaches, and what is told of it once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.report.analysis.computed_values import truth_of, value_of_expression
from test_analysis import analysis, as_json, codes

if TYPE_CHECKING:
    from pathlib import Path

NET = "class Net(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
TRAINING = "net = Net()\nfor x in cats:\n    net(x).backward()\n"


def test_what_no_program_reaches_is_not_told(tmp_path: Path) -> None:
    files = {
        "train.py": f"import torch, layers, pickle\n{NET}"
        "    def made(self):\n        return layers.Used(2)\n    def unused(self):\n        return layers.Other(1)\n"
        f"net = Net()\nprint(net.made(), torch.nn.Sigmoid(), pickle.load)\n{TRAINING}",
        "layers.py": "import torch\nclass Base(torch.nn.Module): ...\nclass Used(Base): ...\n"
        "class Other(torch.nn.Module): ...\nclass Sigmoid(torch.nn.Module): ...\nclass Logit(Sigmoid): ...\n"
        "def load(path):\n    return torch.load(path)\n",
    }
    told = codes(as_json(tmp_path, files), "network")
    assert "class Used(Base)" in told
    assert "class Base(torch.nn.Module)" in told
    assert not any("Other" in one or "Sigmoid" in one or "Logit" in one for one in told)


def test_functions_in_functions_that_nothing_calls(tmp_path: Path) -> None:
    source = (
        f"import torch\n{NET}    def __init__(self):\n        def init(m):\n"
        "            torch.nn.init.zeros_(m.weight)\n        def other(m):\n"
        f"            torch.nn.init.ones_(m.weight)\n        self.apply(other)\n{TRAINING}"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "initialization") == ["torch.nn.init.ones_(m.weight)"]


def test_modules_that_are_imported_by_name_have_what_is_named_of_them(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch, argparse\nfrom importlib import import_module\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--name', default='one')\n"
        "parser.add_argument('--depth', type=int, default=56)\nargs = parser.parse_args()\n"
        "def get(name, **others):\n    m = import_module('nets.' + name)\n    return m.create(**others)\n"
        "net = get(**vars(args))\nnet(1).backward()\n",
        "nets/one.py": f"import torch\n{NET}def create(depth=100, **others):\n    return Net(depth)\n"
        "def Net18():\n    return Net(18)\n",
        "nets/two.py": f"import torch\n{NET}def create(depth=100, **others):\n    return Net(depth + 1)\n",
    }
    made = as_json(tmp_path, files)
    told = codes(made, "network")
    assert "Net(depth)" in told
    assert "Net(18)" not in told
    known = {each["known"] for one in made["recipe"][0]["entries"] for each in one["parameters"]}
    assert "56" in known
    assert "100" not in known


def test_what_a_program_does_instead_of_training(tmp_path: Path) -> None:
    source = (
        f"import torch\nfrom torch.utils.data import DataLoader\n{NET}def main(args):\n    net = Net()\n"
        "    if args.evaluate == 'test':\n        loader = DataLoader(cats, batch_size=9)\n"
        "        check(net, loader)\n        return\n    for x in DataLoader(cats, batch_size=3):\n"
        "        net(x).backward()\nmain(args)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "data") == ["DataLoader(cats, batch_size=3)"]


def test_branches_that_constants_never_meet(tmp_path: Path) -> None:
    source = (
        f"import torch\nfrom torch.utils.data import Dataset\n{NET}class Cats(Dataset):\n"
        "    def __init__(self, kind=0):\n        self.kind = kind\n    def __getitem__(self, at):\n"
        "        image = self.images[at]\n        if self.kind == 2:\n            image = image / 3\n"
        "        else:\n            image = image / 255\n        return image\n"
        f"net = Net()\nfor x in torch.utils.data.DataLoader(Cats(kind=%s), 4):\n    net(x).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source % "1"})
    assert "image / 3" not in str(made["recipe"])
    assert "image / 255" in str(made["recipe"])
    made = as_json(tmp_path, {"a.py": source % "kind"})
    assert "image / 3" in str(made["recipe"])


def test_functions_that_only_code_calls_which_never_runs(tmp_path: Path) -> None:
    source = (
        f"import torch\nfrom torch.utils.data import Dataset\n{NET}def deep(image):\n"
        "    return shared(image) * 7\ndef shared(image):\n    return image * 5\n"
        "class Cats(Dataset):\n    def __init__(self, kind='flat'):\n        self.kind = kind\n"
        "    def __getitem__(self, at):\n        image = shared(self.images[at])\n"
        "        if self.kind == 'deep':\n            image = deep(image)\n        return image\n"
        "net = Net()\nfor x in torch.utils.data.DataLoader(Cats(%s), 4):\n    net(x).backward()\n"
    )
    told = str(as_json(tmp_path, {"a.py": source % ""})["recipe"])
    assert "image * 5" in told
    assert "* 7" not in told
    assert "* 7" in str(as_json(tmp_path, {"a.py": source % "args.kind"})["recipe"])


def test_conditions_on_names_that_functions_give_other_values(tmp_path: Path) -> None:
    source = (
        f"import torch, random\nfrom torch.utils.data import Dataset\n{NET}"
        "def augment(image, flip=True, turn=False):\n    flip = flip and random.random() < 0.5\n"
        "    def change(one):\n        if flip:\n            one = one[::-1]\n        if turn:\n"
        "            one = one.T\n        return one\n    return change(image)\n"
        "class Cats(Dataset):\n    def __getitem__(self, at):\n        return augment(self.images[at])\n"
        "net = Net()\nfor x in torch.utils.data.DataLoader(Cats(), 4):\n    net(x).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    shown = [one["code"] for item in made["recipe"] for one in item["functions"]]
    assert any("if flip:" in one for one in shown)
    assert not any("one.T" in one for one in shown)


def test_conditions_are_known_as_far_as_they_need() -> None:
    names = {"a": 3, "b": False}

    def value_of(name: str) -> object:
        return names[name] if name in names else value_of_expression("unknown + 1", lambda each: 1 // 0)

    assert truth_of("not (a == 2)", value_of) is True
    assert truth_of("b and f(x)", value_of) is False
    assert truth_of("a > 2 or f(x)", value_of) is True
    assert truth_of("f(x)", value_of) is None


def test_modules_that_are_kept_as_losses(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch, torch.nn as nn, measures\n"
        "bce_loss = nn.BCELoss()\niou_loss = measures.Iou(True)\n"
        "class Net(nn.Module):\n    def __init__(self):\n        self.layer = nn.Linear(1, 2)\n"
        "def fused(x, y):\n    return bce_loss(x, y) + iou_loss(x, y)\n"
        "net = Net()\nfor x, y in cats:\n    loss = fused(net(x), y)\n    loss.backward()\n",
        "measures.py": "import torch\nclass Iou(torch.nn.Module):\n    def forward(self, x, y):\n        return x * y\n",
    }
    made = as_json(tmp_path, files)
    told = codes(made, "loss")
    assert {"nn.BCELoss()", "measures.Iou(True)", "class Iou(torch.nn.Module)"} <= set(told)
    assert not any("Iou" in one for one in codes(made, "network"))


def test_an_object_that_has_the_name_of_its_class(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch, nets\nnet = nets.net().cuda()\nfor x in cats:\n    net(x).backward()\n",
        "nets.py": "import torch\nclass net(torch.nn.Module): ...\n",
    }
    assert codes(as_json(tmp_path, files), "network") == ["class net(torch.nn.Module)", "nets.net()"]


def test_attributes_of_layers_of_other_files(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch, other\nfrom torchvision.models.resnet import BasicBlock\n"
        "class Net(torch.nn.Module):\n    def __init__(self, block):\n"
        "        self.layer = torch.nn.Linear(8 * block.expansion, 2)\n"
        "net = Net(BasicBlock)\nprint(other.Block())\nnet(1).backward()\n",
        "other.py": "import torch\nclass Block(torch.nn.Module):\n    expansion = 2\n",
    }
    assert "'known': '2'" not in str(as_json(tmp_path, files)["recipe"])


def test_steps_that_are_counted(tmp_path: Path) -> None:
    source = (
        f"import torch\n{NET}net = Net()\nopt = torch.optim.SGD(net.parameters(), 0.1)\n"
        "sched = torch.optim.lr_scheduler.StepLR(opt, 5)\ndef train(loader):\n    counter = 0\n"
        "    for x in loader:\n        if counter == 0:\n            sched.step()\n        counter += 1\n"
        "        net(x).backward()\n        if counter == 10:\n            opt.step()\n            counter = 0\n"
        "train(cats)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "accumulation") == ["opt.step()"]
    assert "sched.step()" in codes(made, "schedule")
    step = next(one for item in made["recipe"] for one in item["functions"] if one["kind"] == "step")
    assert "counter += 1" in step["code"]
    assert "counter = 0" in step["code"]


def test_a_function_that_is_kept_under_another_name(tmp_path: Path) -> None:
    source = (
        f"import torch, losses\n{NET}net = Net()\ncriterion = losses.total_loss\nfor x, y in cats:\n"
        "    loss = criterion(net(x), y, y.mean())\n    loss.backward()\n"
    )
    losses = "def total_loss(x, y, anneal=1.0):\n    return (x - y).mean() * anneal\n"
    made = as_json(tmp_path, {"a.py": source, "losses.py": losses})
    assert "y.mean()" in str(made["recipe"])
    assert "'known': '1.0'" not in str(made["recipe"])


def test_no_statement_is_shown_twice(tmp_path: Path) -> None:
    source = (
        f"import torch\nfrom torch.utils.data import Dataset\n{NET}class Cats(Dataset):\n"
        "    def __getitem__(self, at):\n        image = self.images[at]\n        image = image / 255\n"
        "        return image\nnet = Net()\nfor x in torch.utils.data.DataLoader(Cats(), 4):\n"
        "    net(x).backward()\n"
    )
    assert "image = image / 255" in codes(as_json(tmp_path, {"a.py": source}), "augmentation")
    text = analysis("markdown", tmp_path, {"a.py": source})
    assert text.count("image = image / 255") == 1
    assert str(tmp_path / "a.py") not in text
    assert "# a.py:7, Cats.__getitem__" in text
    assert "See Preparing and augmenting data: `Cats.__getitem__` (a.py:7)" in text


def test_a_function_that_draws_into_samples(tmp_path: Path) -> None:
    source = (
        f"import torch\nfrom torch.utils.data import Dataset\n{NET}def draw_map(image, at):\n"
        "    image[at] = 1\n    return image\nclass Cats(Dataset):\n    def __getitem__(self, at):\n"
        "        return draw_map(self.images[at], at)\nnet = Net()\n"
        "for x in torch.utils.data.DataLoader(Cats(), 4):\n    net(x).backward()\n"
    )
    assert "image[at] = 1" in str(as_json(tmp_path, {"a.py": source})["recipe"])


def test_what_is_taken_by_name_from_a_library(tmp_path: Path) -> None:
    source = (
        "import importlib, torch\ndef pick(module, name):\n"
        "    found = importlib.import_module(module)\n    return getattr(found, name)\n"
        "class Unused(torch.nn.Module):\n    def __init__(self):\n        self.layer = torch.nn.Linear(2, 2)\n"
        f"{NET}net = Net(pick(%s, 'some'))\nfor x in cats:\n    net(x).backward()\n"
    )
    assert "Unused" not in str(as_json(tmp_path, {"a.py": source % "'torchvision.models'"})["recipe"])
    assert "Unused" in str(as_json(tmp_path, {"a.py": source % "args.module"})["recipe"])
