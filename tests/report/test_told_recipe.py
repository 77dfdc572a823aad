"""What of a recipe is told, and how: defaults beside groups, code where no entry tells it, and failures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mindport.cli.main import main
from test_analysis import analysis, as_json, codes, parameters
from test_shown_functions import shown

if TYPE_CHECKING:
    from pathlib import Path


def test_lists_that_a_try_fills(tmp_path: Path) -> None:
    source = "import torch\ndef read(f):\n    try:\n        data = []\n        for line in f:\n"
    source += "            data.append(line.strip())\n    except:\n        exit(1)\n    return data\n"
    made = as_json(tmp_path, {"a.py": source + "torch.optim.SGD(net.parameters(), lr=1)\n"})
    assert not made["problems"]
    assert codes(made, "optimizer") == ["torch.optim.SGD(net.parameters(), lr=1)"]


@pytest.mark.fails_inside
def test_what_fails_costs_no_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError(1)

    monkeypatch.setattr("mindport.report.analysis.part_reader.function_code", fail)
    (tmp_path / "a.py").write_text("import torch\ntorch.manual_seed(3)\n", encoding="utf-8")
    output = tmp_path / "made.json"
    assert main(["analyze", str(tmp_path), "--format", "json", "-o", str(output)]) == 2
    made = json.loads(output.read_text(encoding="utf-8"))
    assert codes(made, "seed") == ["torch.manual_seed(3)"]
    assert "KeyError: 1" in made["problems"][0]["message"]


def test_defaults_beside_what_groups_have(tmp_path: Path) -> None:
    source = "import torch\nf = torch.optim.SGD([{'params': a.parameters()}, {'params': b, 'lr': 2}], lr=1)\n"
    source += "g = torch.optim.Adam([{'params': a, 'weight_decay': 0.1}])\nh = torch.optim.SGD(some, lr=1)\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "optimizer", 0)["weight_decay"] == ("0", "")
    assert parameters(made, "optimizer", 1)["weight_decay"] == ("0", "0.1")
    assert parameters(made, "optimizer", 1)["lr"] == ("0.001", "")
    text = analysis("markdown", tmp_path, {"a.py": source})
    assert "`weight_decay=0` (groups have their own: `0.1`, " in text


def test_tables_without_numbers_say_nothing_of_numbers(tmp_path: Path) -> None:
    source = "import torch\nfolders = {'a': 'x/y', 'b': 'z'}\nsizes = {'a': 3, 'b': 4}\n"
    source += "torch.utils.data.DataLoader(D(folders[name]), batch_size=sizes[name])\n"
    made = as_json(tmp_path, {"a.py": source})
    assert list(shown(made, "batch_size")) == ["sizes table"]


def test_items_of_which_code_alone_tells(tmp_path: Path) -> None:
    source = "import torch\nnet = torch.nn.Linear(2, 2)\ndef step(x, criterion):\n"
    source += "    criterion(net(x)).backward()\n"
    text = analysis("markdown", tmp_path, {"a.py": source})
    _, _, loss = text.partition("### Loss\n")
    assert loss.strip().startswith("See the code below.")


def test_attributes_that_a_function_sets_by_their_names(tmp_path: Path) -> None:
    source = (
        "import torch\ndef first(opt):\n    setattr(opt, 'rate', 0.5)\ndef second(opt):\n    opt.rate = 0.1\n"
    )
    source += (
        "if opt.x:\n    first(opt)\nelse:\n    second(opt)\ntorch.optim.SGD(net.parameters(), lr=opt.rate)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "optimizer", -1)["lr"] == ("opt.rate", "0.5 / 0.1")


def test_tables_and_lists_of_names_reach_nothing(tmp_path: Path) -> None:
    source = "import torch\n__all__ = ['small', 'large']\nurls = {'small': 'a', 'large': 'b'}\n"
    source += "class Wide(torch.nn.Module):\n    pass\nclass Slim(torch.nn.Module):\n    pass\n"
    source += "def small():\n    return Slim(urls['small'])\ndef large():\n    return Wide(urls['large'])\n"
    files = {"nets.py": source, "a.py": "from nets import small\nsmall()(x).mean().backward()\n"}
    told = codes(as_json(tmp_path, files), "network")
    assert "class Slim(torch.nn.Module)" in told
    assert not [one for one in told if "Wide" in one]


def test_losses_that_objects_are_made_with(tmp_path: Path) -> None:
    source = "import torch\ntrain_cfg = Config(3, torch.nn.MSELoss())\nval_loss = torch.nn.L1Loss()\n"
    source += "def step(x, y):\n    loss = train_cfg.criterion(net(x), y)\n    loss.backward()\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "loss")[:1] == ["torch.nn.MSELoss()"]


def test_which_weights_are_frozen(tmp_path: Path) -> None:
    source = "import torch\nfor p in net.layers[0].parameters():\n    p.requires_grad = False\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "groups", 0)[""] == ("p", "net.layers[0].parameters()")


def test_which_part_of_a_network_gets_weights(tmp_path: Path) -> None:
    source = "import torch\ndef load(model):\n    own = model.state_dict()\n"
    source += "    own.update({k: v for k, v in torch.load('a.pth').items() if k in own})\n"
    source += "    model.load_state_dict(own)\nif fresh:\n    load(net.base)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    told = next(one["entries"] for one in made["recipe"] if one["item"] == "initialization")
    entry = next(one for one in told if one["code"] == "load(net.base)")
    assert [one["value"] for one in entry["conditions"]] == ["fresh"]


def test_class_methods_that_make_data(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Lines(torch.utils.data.Dataset):\n    @classmethod\n    def splits(cls, root):\n"
    )
    source += (
        "        return cls(open(root + '/train.txt'))\nclass Others:\n    def splits(self):\n        pass\n"
    )
    source += "data = Lines.splits('x')\nfor x in data:\n    net(x).mean().backward()\n"
    assert "Lines.splits" in shown(as_json(tmp_path, {"a.py": source}), "data")


def test_loaders_that_are_gone_through_together(tmp_path: Path) -> None:
    source = "import torch\nfirst = torch.utils.data.DataLoader(a)\nother = torch.utils.data.DataLoader(b)\n"
    source += "def train():\n    x, y = list(enumerate(first)), list(enumerate(other))\n"
    source += "    for i in range(len(x)):\n        net(x[i], y[i]).backward()\n"
    told = codes(as_json(tmp_path, {"a.py": source}), "data")
    assert "x, y = (list(enumerate(first)), list(enumerate(other)))" in told


def test_options_of_schedules_are_none_of_the_optimizer(tmp_path: Path) -> None:
    source = "import argparse, torch\np = argparse.ArgumentParser()\np.add_argument('--lr', default=0.1)\n"
    source += "p.add_argument('--lr_dc', default=0.5)\nargs = p.parse_args()\n"
    source += "o = torch.optim.SGD(net.parameters(), lr=args.lr)\n"
    source += "s = torch.optim.lr_scheduler.StepLR(o, 3, args.lr_dc)\n"
    told = codes(as_json(tmp_path, {"a.py": source}), "optimizer")
    assert told == ["p.add_argument('--lr', default=0.1)", "torch.optim.SGD(net.parameters(), lr=args.lr)"]


def test_sizes_in_schedules_are_none_of_the_network(tmp_path: Path) -> None:
    source = "import torch\nclass Noam(torch.optim.Optimizer):\n    def __init__(self, o):\n        d_model = 512\n"
    source += "        self.rate = d_model ** -0.5\nNoam(torch.optim.SGD(net.parameters(), lr=1))\n"
    assert not codes(as_json(tmp_path, {"a.py": source}), "network")


def test_which_class_a_name_is(tmp_path: Path) -> None:
    source = "import torch\nclass A(torch.nn.Module):\n    pass\nclass B(torch.nn.Module):\n    pass\n"
    source += "if opt.model == 'a':\n    make = A\nelse:\n    make = B\nnet = make(wide=3)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "network").index("make(wide=3)")
    assert parameters(made, "network", at)[""] == (
        "make",
        "A if opt.model == 'a' / B if not (opt.model == 'a')",
    )


def test_keys_end_where_their_dictionary_does(tmp_path: Path) -> None:
    source = "import torch\nkwargs = {'num_workers': 1,\n  'pin_memory': True} if args.cuda else {}\n"
    told = codes(as_json(tmp_path, {"a.py": source}), "data")
    assert "'pin_memory': True" in told


def test_names_of_modules_that_options_give(tmp_path: Path) -> None:
    files = {
        "world.py": "from options import args\nmodel_name = args.model\n",
        "options.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model', default='b')\n"
        "args = p.parse_args()\n",
        "a.py": "import torch\nimport world\nclass A(torch.nn.Module):\n    pass\nclass B(torch.nn.Module):\n"
        "    pass\nMODELS = {'a': A, 'b': B}\nnet = MODELS[world.model_name](3)\nnet(x).mean().backward()\n",
    }
    made = as_json(tmp_path, files)
    known = next(one["functions"] for one in made["recipe"] if one["item"] == "network")[0]["known"]
    assert [(one["value"], one["known"]) for one in known] == [("MODELS[world.model_name]", "B")]


def test_files_of_settings_that_are_always_read(tmp_path: Path) -> None:
    files = {
        "base.py": "class C:\n    pass\ncfg = C()\ncfg.SOLVER = C()\ncfg.SOLVER.WEIGHT_DECAY = 1\n",
        "b.yaml": "SOLVER:\n  WEIGHT_DECAY: 2\n",
        "a.py": "import torch\nfrom base import cfg\nmerge('b.yaml')\n"
        "torch.optim.SGD(net.parameters(), lr=1, weight_decay=cfg.SOLVER.WEIGHT_DECAY)\n",
    }
    made = as_json(tmp_path, files)
    assert "cfg.SOLVER.WEIGHT_DECAY = 1" not in codes(made, "optimizer")
    at = codes(made, "optimizer").index(
        "torch.optim.SGD(net.parameters(), lr=1, weight_decay=cfg.SOLVER.WEIGHT_DECAY)"
    )
    assert parameters(made, "optimizer", at)["weight_decay"] == ("cfg.SOLVER.WEIGHT_DECAY", "2")


def test_where_functions_begin_to_read_rates(tmp_path: Path) -> None:
    source = "import torch\nclass Optim(torch.optim.Optimizer):\n    def rate(self):\n        learning_rate = 0.0\n"
    source += "        for group in self.param_groups:\n            learning_rate = group['lr']\n"
    source += "        return learning_rate\nOptim(net.parameters())\n"
    assert "learning_rate = 0.0" not in codes(as_json(tmp_path, {"a.py": source}), "optimizer")


def test_defaults_that_calls_by_another_name_replace(tmp_path: Path) -> None:
    nets = "class {0}(torch.nn.Module):\n    def __init__(self, shared=True):\n        if shared:\n"
    nets += "            torch.nn.init.zeros_(self.x)\n"
    source = "import torch\n" + nets.format("A") + nets.format("B")
    source += "if opt.model == 'a':\n    make = A\nelse:\n    make = B\nnet = make(shared=opt.shared)\n"
    source += "opt.shared = 3\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    told = next(one["entries"] for one in made["recipe"] if one["item"] == "initialization")
    assert [one["conditions"][0]["known"] for one in told] == ["3", "3"]


def test_methods_of_objects_that_a_function_makes(tmp_path: Path) -> None:
    source = "import torch\nclass Old:\n    def load(self):\n        return open('old.txt').readlines()\n"
    source += "class New:\n    def load(self):\n        return open('new.txt').readlines()\n"
    source += "class Other:\n    def load(self):\n        pass\ndef read(opt):\n    if opt.new:\n        made = New()\n"
    source += "    else:\n        made = Old()\n    return made.load()\ndata = read(opt)\nfor x in data:\n    net(x).mean().backward()\n"
    told = shown(as_json(tmp_path, {"a.py": source}), "data")
    assert {"Old.load", "New.load"} <= set(told)
    assert "Other.load" not in told


def test_what_is_read_anew_between_batches(tmp_path: Path) -> None:
    source = "import torch\nclass Parts:\n    def __iter__(self):\n        return iter(self.lines)\n"
    source += "    def renew(self):\n        self.lines = torch.load(self.next)\ndef train(parts):\n"
    source += "    for x in parts:\n        net(x).mean().backward()\n    parts.renew()\ntrain(Parts())\n"
    assert "Parts.renew" in shown(as_json(tmp_path, {"a.py": source}), "augmentation")


def test_sizes_that_are_computed_from_what_a_file_has(tmp_path: Path) -> None:
    source = (
        "import pickle, torch\nclass Net(torch.nn.Module):\n    def __init__(self, users):\n        pass\n"
    )
    source += "(users, items) = pickle.load(f)\nnet = Net(users + 1)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "network").index("Net(users + 1)")
    assert parameters(made, "network", at)["users"] == ("users + 1", "users, items = pickle.load(f)")


def test_sizes_of_tables_that_are_filled_later(tmp_path: Path) -> None:
    source = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, size):\n        pass\n"
    source += (
        "words = {'': 0}\nfor one in text:\n    words[one] = len(words)\nsize = len(words)\nnet = Net(size)\n"
    )
    made = as_json(tmp_path, {"a.py": source + "net(x).mean().backward()\n"})
    at = codes(made, "network").index("Net(size)")
    assert parameters(made, "network", at)["size"] == ("size", "len(words)")


def test_networks_with_weights_are_told_with_initialization(tmp_path: Path) -> None:
    source = "import torch, torchvision\nnet = torchvision.models.vgg11(pretrained=True)\n"
    source += "other = torchvision.models.vgg13(pretrained=False)\nother(net(x)).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "initialization") == ["torchvision.models.vgg11(pretrained=True)"]


def test_which_weights_a_loop_initializes(tmp_path: Path) -> None:
    source = "import torch\nfor p in net.body.parameters():\n    torch.nn.init.zeros_(p)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "initialization", 0)[""] == ("p", "net.body.parameters()")


def test_names_that_a_function_gives_another_value(tmp_path: Path) -> None:
    source = "import torch\nrate = None\ndef start():\n    global rate\n    rate = read()\nstart()\n"
    source += "def make():\n    return torch.optim.SGD(net.parameters(), lr=rate)\nmake()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "optimizer", 0)["lr"] == ("rate", "")


def test_where_epochs_begin(tmp_path: Path) -> None:
    source = "import torch\nstart = 2\nfor epoch in range(start, 9):\n    net(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "epochs", 0) == {"range": ("9", ""), "": ("start", "2")}


def test_names_that_are_defaults_of_functions_are_used(tmp_path: Path) -> None:
    source = "import torch\nlr = 0.1\ndef train(lr=lr):\n    o = torch.optim.SGD([{'params': a, 'lr': lr}], lr=lr)\n"
    source += "    net(x).mean().backward()\nif __name__ == '__main__':\n    train()\n"
    assert "lr = 0.1" in codes(as_json(tmp_path, {"a.py": source}), "optimizer")


def test_optimizers_of_the_project_are_no_part_of_losses(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Optim:\n    def __init__(self, p):\n        self.o = torch.optim.SGD(p, lr=1)\n"
    )
    source += (
        "    def zero_grad(self):\n        self.o.zero_grad()\n    def step(self):\n        self.o.step()\n"
    )
    source += "class Other:\n    def step(self):\n        pass\no = Optim(net.parameters())\nfor x in data:\n"
    source += "    o.zero_grad()\n    net(x).mean().backward()\n    o.step()\n"
    assert not [one for one in shown(as_json(tmp_path, {"a.py": source}), "loss") if "." in one]
