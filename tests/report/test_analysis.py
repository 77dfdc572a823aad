"""The analysis of a project: its recipe, its packages, what is left to do, in each form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from making import HOSTILE
from mindport.catalog.catalog import Catalog
from mindport.catalog.migration_facts import fits
from mindport.language import Language
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.report.analysis.analysis_report import AnalysisReport
from mindport.report.summary import Totals
from mindport.scan.scan import scan
from test_html_report import Page

TRAIN = """\
import argparse
import random

import numpy as np
import timm
import torch
import torch.nn.functional as F
from pytorch_lightning.callbacks import Callback
from torch import nn, optim
from torchvision import transforms
from net import Net

EPOCHS = 7

def init_weights(m):
    nn.init.kaiming_normal_(m.weight)

class EMA:
    decay = 0.999

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", "-b", type=int, default=64)
    parser.add_argument("--lr", default=1e-3, type=float)
    args = parser.parse_args()
    random.seed(1)
    np.random.seed(2)
    torch.manual_seed(3)
    steps = transforms.Compose([
        transforms.RandomCrop(32),  # a comment
        transforms.ToTensor(),
    ])
    loader = torch.utils.data.DataLoader(data(steps), batch_size=args.batch_size, drop_last=True)
    model = Net()
    optimizer = optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    scaler = torch.amp.GradScaler()
    epoch = 0
    for epoch in range(1, EPOCHS + 1):
        for x, y in loader:
            with torch.autocast("cuda"):
                loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
    torch.save(model.state_dict(), "model.pt")
"""
NET = """\
from torch import nn

class Base(nn.Module):
    def __init__(self, momentum=0.1):
        super().__init__()
        self.norm = nn.BatchNorm2d(3, momentum=momentum)

class Net(Base):
    def forward(self, x):
        try:
            return self.norm(x)
        except ValueError:
            return x
"""
FILES = {
    "train.py": TRAIN,
    "net.py": NET,
    "conf/base.yaml": "optimizer:\n  weight_decay: 0.05  # decoupled\n",
}


def analysis(
    form: str, folder: Path, files: Mapping[str, str] = FILES, language: Language = "en", jobs: int = 1
) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    settings = Settings(language=language, graphMode=True)
    report = AnalysisReport(settings.ported_to, language, form, (str(folder),))
    parts = scan(discover([folder], ()), settings, report, jobs)
    return "".join(report.compose(parts, Totals()))


def as_json(folder: Path, files: Mapping[str, str] = FILES) -> Any:
    return json.loads(analysis("json", folder, files))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return as_json(tmp_path_factory.mktemp("project"))


def entries(made: Any, item: str) -> list[tuple[str, str, int]]:
    found = next(one["entries"] for one in made["recipe"] if one["item"] == item)
    return [(one["code"], Path(one["path"]).name, one["line"]) for one in found]


def codes(made: Any, item: str) -> list[str]:
    return [code for code, _, _ in entries(made, item)]


def parameters(made: Any, item: str, at: int) -> dict[str, tuple[str, str]]:
    found = next(one["entries"] for one in made["recipe"] if one["item"] == item)
    return {one["name"]: (one["value"], one["known"]) for one in found[at]["parameters"]}


RECIPE = {
    "network": ["class Base(nn.Module)", "class Net(Base)", "Net()"],
    "initialization": ["def init_weights(m)", "nn.init.kaiming_normal_(m.weight)"],
    "data": [
        "torch.utils.data.DataLoader(data(steps), batch_size=args.batch_size, drop_last=True)",
    ],
    "augmentation": [
        "transforms.Compose([ transforms.RandomCrop(32), transforms.ToTensor(), ])",
        "transforms.RandomCrop(32)",
        "transforms.ToTensor()",
    ],
    "loss": ["F.cross_entropy(model(x), y, label_smoothing=0.1)"],
    "optimizer": [
        "weight_decay: 0.05",
        'parser.add_argument("--lr", default=1e-3, type=float)',
        "optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)",
    ],
    "groups": [],
    "schedule": ["optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)"],
    "batch_size": [
        'parser.add_argument("--batch-size", "-b", type=int, default=64)',
        "torch.utils.data.DataLoader(data(steps), batch_size=args.batch_size, drop_last=True)",
    ],
    "epochs": ["EPOCHS = 7", "for epoch in range(1, EPOCHS + 1)"],
    "seed": ["random.seed(1)", "np.random.seed(2)", "torch.manual_seed(3)"],
    "mixed_precision": ["torch.amp.GradScaler()", 'torch.autocast("cuda")'],
    "ema": ["class EMA"],
    "clipping": ["torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)"],
    "accumulation": [],
    "distributed": [],
    "checkpoint": ['torch.save(model.state_dict(), "model.pt")'],
}


@pytest.mark.parametrize("item", RECIPE)
def test_the_recipe(made: Any, item: str) -> None:
    assert codes(made, item) == RECIPE[item]


def test_every_api_of_the_data_is_one() -> None:
    catalog = Catalog.load()
    names = [name for name in catalog.torch_names if catalog.canonical(name) == name]
    for item in catalog.migration.recipe:
        for pattern in item.apis:
            assert any(fits(name, (pattern,)) for name in names), pattern
        for name in [*item.bases, *item.arguments]:
            assert catalog.canonical(name) == name


def test_every_item_is_asked_for(made: Any) -> None:
    assert [one["item"] for one in made["recipe"]] == list(RECIPE)


def test_places_are_lines_of_the_code(made: Any) -> None:
    lines = {"train.py": TRAIN.split("\n"), "net.py": NET.split("\n")}
    for item in RECIPE:
        for code, name, line in entries(made, item):
            if name in lines:
                assert code.split("(")[0].split(" ")[0] in lines[name][line - 1]


def test_names_are_followed_to_their_values(made: Any) -> None:
    found = parameters(made, "optimizer", 2)
    assert found["lr"] == ("args.lr", "1e-3")
    assert found["weight_decay"] == ("args.weight_decay", "0.05")
    assert found["betas"] == ("(0.9, 0.999)", "")
    assert parameters(made, "schedule", 0)["T_max"] == ("EPOCHS", "7")
    assert parameters(made, "batch_size", 1) == {"batch_size": ("args.batch_size", "64")}


USE = "import torch\n\ndef f(p, given, lr=0.3):\n    torch.optim.SGD(p, {0})\n"
VALUES = {
    "several options": (
        {"a.py": "p.add_argument('--lr', default=0.1)", "b.py": "p.add_argument('--lr', default=0.2)"},
        "args.lr",
        "0.1 / 0.2",
    ),
    "one number, spelled twice": ({"a.yaml": "lr: 1e-1\n", "b.yaml": "lr: 0.10\n"}, "args.lr", "1e-1"),
    "more than a few": (
        {f"{n}.yaml": f"lr: 0.{n}\n" for n in range(1, 6)},
        "args.lr",
        "0.1 / 0.2 / 0.3 / …",
    ),
    "an option of the same file": (
        {"a.py": "p.add_argument('--lr', default=0.1)", "use.py": "p.add_argument('--lr', default=0.2)\n"},
        "args.lr",
        "0.2",
    ),
    "a module": ({"conf.py": "lr = 0.1\n", "a.py": "lr = 0.2\n"}, "conf.lr", "0.1"),
    "a class": ({"conf.py": "class Config:\n    lr: float = 0.1\n"}, "config.lr", "0.1"),
    "a key": ({"conf.py": "c = {'lr': 0.1}\n"}, "config.lr", "0.1"),
    "an expression": ({"a.yaml": "lr: 0.1\n"}, "args.lr * 8 / len(p)", "args.lr = 0.1"),
    "a parameter": ({}, "given", ""),
    "a parameter with a default value": ({}, "lr", "0.3"),
    "a parameter that calls give": (
        {"a.py": "from use import f\nf(p, 0.5)\n", "b.py": "import use\nuse.f(p, given=0.6)\n"},
        "given",
        "0.5 / 0.6",
    ),
    "a parameter that some calls leave out": (
        {"a.py": "from use import f\nf(p, 1, 0.5)\nf(p, 1)\n"},
        "lr",
        "0.5 / 0.3",
    ),
    "a parameter that nobody knows all of": (
        {"a.py": "from use import f\nf(p, 0.5)\nf(*rest)\n"},
        "given",
        "",
    ),
    "a parameter that is an option": (
        {"a.py": "q.add_argument('--rate', default=0.5)\nfrom use import f\nf(p, args.rate)\n"},
        "given",
        "0.5",
    ),
    "a parameter of a method that another has, too": (
        {
            "a.py": "class A:\n    def f(self, p, given): ...\nclass B:\n    def g(self):\n        self.f(p, 0.5)\n"
        },
        "given",
        "",
    ),
    "what a star import brings": (
        {"conf.py": "base = 0.1\n", "use.py": "from conf import *\n"},
        "base",
        "0.1",
    ),
    "what an import brings, under another name": (
        {
            "conf.py": "base = 0.1\n",
            "other.py": "from conf import base\n",
            "use.py": "from other import base as b\n",
        },
        "b",
        "0.1",
    ),
    "an expression in one place": ({"use.py": "base = 0.1 * world()\n"}, "base", "0.1 * world()"),
    "an entry of a dictionary": (
        {"a.yaml": "train:\n  lr: 0.1\ntest:\n  lr: 0.2\n"},
        "cfg['train']['lr']",
        "0.1",
    ),
    "a part of the settings": (
        {"a.py": "_C.TRAIN.LR = 0.1\n_C.TEST.LR = 0.2\n", "b.yaml": "TRAIN:\n  LR: 0.1\n"},
        "cfg.TRAIN.LR",
        "0.1",
    ),
    "a flag": ({"a.py": "p.add_argument('--lr', action='store_true')\n"}, "args.lr", "False"),
    "None, which is replaced": ({"a.py": "p.add_argument('--lr', default=None)\n"}, "args.lr", ""),
    "an attribute that another file changes": (
        {"a.py": "p.add_argument('--lr', default=0.1)\n", "b.py": "self.args.lr = f()\n"},
        "args.lr",
        "0.1 / f()",
    ),
    "a name of another function": ({"use.py": "def g():\n    given = 0.1\n"}, "given", ""),
    "a name of another file": ({"a.py": "given = 0.1\n"}, "given", ""),
    "a name that is changed": ({"use.py": "base = 0.1\nbase *= 2\n"}, "base", ""),
    "a name of the module": ({"use.py": "base = 0.1\n"}, "base", "0.1"),
    "an attribute that is changed": (
        {"use.py": "p.add_argument('--lr', default=0.2)\nargs.lr *= 2\n"},
        "args.lr",
        "",
    ),
    "an argument of another call": ({"a.py": "g(lr=0.1)\ndef h(lr=0.2): ...\n"}, "args.lr", ""),
}


@pytest.mark.parametrize("name", VALUES)
def test_what_names_are(tmp_path: Path, name: str) -> None:
    files, written, known = VALUES[name]
    made = as_json(tmp_path, {**files, "use.py": files.get("use.py", "") + USE.format(written)})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    entry = next(one for one in found if one["code"].startswith("torch.optim.SGD"))
    given = {one["name"]: (one["value"], one["known"]) for one in entry["parameters"]}
    assert given["lr"] == (written, known)


SELF = """\
import torch
class Agent:
    def __init__(self):
        self.lr = 0.1
        self.wd = args.wd
    def make(self, p):
        torch.optim.SGD(p, self.lr, weight_decay=self.wd)
class Other:
    def __init__(self):
        self.lr = 0.2
"""


def test_attributes_are_those_of_the_class(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": SELF})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    entry = next(one for one in found if one["code"].startswith("torch.optim.SGD"))
    given = {one["name"]: (one["value"], one["known"]) for one in entry["parameters"]}
    assert (given["lr"], given["weight_decay"]) == (("self.lr", "0.1"), ("self.wd", ""))


TWO_STEPS = """\
import torch
parser.add_argument("--lr", default=0.1)
class Agent:
    def __init__(self, args):
        self.lr = args.lr
        self.opt = torch.optim.SGD(self.net.parameters(), lr=self.lr)
"""


def test_an_attribute_leads_to_the_option(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": TWO_STEPS})
    assert parameters(made, "optimizer", 1)["lr"] == ("self.lr", "0.1")


def test_cells_of_notebooks(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for source in ("import torch\n", "\ntorch.manual_seed(3)\n")
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text = analysis("markdown", tmp_path, {"a.ipynb": json.dumps(book)})
    assert "a.ipynb:cell 2:2 |" in text


def test_defaults_are_told_only_where_they_hold(tmp_path: Path) -> None:
    source = "import torch\ntorch.utils.data.DataLoader(d, **kwargs)\n"
    source += "torch.utils.data.DataLoader(d, batch_sampler=s)\n"
    source += "torch.optim.lr_scheduler.ReduceLROnPlateau(o, verbose=True)\n"
    made = as_json(tmp_path, {"a.py": source})
    assert parameters(made, "data", 0) == {"dataset": ("d", ""), "**": ("kwargs", "")}
    assert codes(made, "batch_size") == [
        "torch.utils.data.DataLoader(d, **kwargs)",
        "torch.utils.data.DataLoader(d, batch_sampler=s)",
    ]
    assert parameters(made, "batch_size", 1) == {"batch_sampler": ("s", "")}
    assert parameters(made, "schedule", 0)["factor"] == ("0.1", "")


def test_defaults_that_others_override(tmp_path: Path) -> None:
    source = "import torch\ntorch.nn.MSELoss(size_average=False)\n"
    made = as_json(tmp_path, {"a.py": source})
    assert "reduction" not in parameters(made, "loss", 0)


def test_packages_that_carry_torch_code(made: Any) -> None:
    found = {one["package"]: [place["line"] for place in one["places"]] for one in made["packages"]}
    assert found == {"timm": [5], "pytorch_lightning": [8]}


def test_functions_are_those_of_the_networks(made: Any) -> None:
    found = {one["code"]: [place["line"] for place in one["places"]] for one in made["rules"]}
    assert 10 in [line for lines in found.values() for line in lines]
    assert all(code.startswith(("MP4", "MP5")) for code in found)


def test_the_work_begins_with_what_decides_and_ends_with_what_proves(made: Any) -> None:
    work = made["work"]
    assert [one["effort"] for one in work[:2]] == ["large", "large"]
    assert "`timm`" in work[0]["text"] + work[1]["text"]
    assert "convert --whole" in work[2]["text"]
    assert "verify model" in work[-2]["text"]
    assert work[-2]["number"] == 2


def test_an_option_is_no_network(tmp_path: Path) -> None:
    files = {
        "net.py": "from torch import nn\nclass Net(nn.Module):\n    def __init__(self, dropout):\n        pass\n",
        "train.py": "import argparse\nfrom net import Net\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--dropout", default=0.1)\nargs = parser.parse_args()\nmodel = Net(args.dropout)\n',
    }
    made = as_json(tmp_path, files)
    assert len(codes(made, "network")) == 3
    assert [one["number"] for one in made["work"] if "verify model" in one["text"]] == [1]


def test_counts(made: Any) -> None:
    assert made["files"] == 2
    assert sum(made["by_status"].values()) == made["uses"]
    assert sum(sum(one["by_status"].values()) for one in made["modules"]) == made["uses"]
    missing = {one["api"] for one in made["missing"]}
    assert "torch.Tensor.backward" in missing
    assert made["by_status"]["missing"] >= sum(one["uses"] for one in made["missing"])


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_markdown(tmp_path: Path, language: Language) -> None:
    text = analysis("markdown", tmp_path, language=language)
    titles = ["训练配置", "工作清单"] if language == "zh-cn" else ["Training setup", "What to do"]
    assert all(f"## {title}" in text for title in titles)
    assert "`args.lr` = `1e-3`" in text
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def test_html_is_sound_and_shows_code_as_text(tmp_path: Path) -> None:
    files = {
        **FILES,
        "evil.py": f"import torch\nlr = {HOSTILE!r}\nx = torch.manual_seed({HOSTILE!r})\nx.backward()\n",
    }
    text = analysis("html", tmp_path, files)
    page = Page(text)
    assert not [one for one, _ in page.elements if one in ("script", "img")]
    assert "<img src=x onerror=alert(1)>" in "".join(page.text)
    assert 'lang="zh-CN"' in analysis("html", tmp_path, files, "zh-cn")


def test_several_processes_say_the_same(tmp_path: Path) -> None:
    assert analysis("json", tmp_path, jobs=2) == analysis("json", tmp_path)


def test_half_typed_and_odd_code(tmp_path: Path) -> None:
    odd = "import torch\nfor epoch in range(\nlr = \nparser.add_argument(\nclass A(\n    batch_size = {'a':\n"
    files = {
        "odd.py": odd,
        "empty.py": "",
        "conf.json": "{ not json",
        "deep.yaml": "a: [" * 50,
        "中文.py": "seed = 3\nimport torch  # 😀\ntorch.manual_seed(seed)\n",
    }
    made = as_json(tmp_path, files)
    assert ("torch.manual_seed(seed)", "中文.py", 3) in entries(made, "seed")


TOLD = {
    "what gradients are taken of": (
        "loss",
        "p.add_argument('--coef', default=0.5)\n"
        "def f(a, args):\n    policy = -a.log()\n    (policy + args.coef * value).backward()\n",
        {"policy = -a.log()": {}, "(policy + args.coef * value).backward()": {"args.coef": "0.5"}},
    ),
    "factors around a loss of torch": (
        "loss",
        "def f(a, b, args):\n    loss = 0.5 * torch.nn.functional.mse_loss(a, b) - a.log()\n",
        {
            "torch.nn.functional.mse_loss(a, b)": {},
            "loss = 0.5 * torch.nn.functional.mse_loss(a, b) - a.log()": {},
        },
    ),
    "a rate by its own name": (
        "schedule",
        "def learning_rate(init, epoch):\n    return init * 0.2 ** epoch\nlr_scale = Resize(a // 2)\n",
        {"def learning_rate(init, epoch)": {}, "return init * 0.2 ** epoch": {}},
    ),
    "what is scaled before": (
        "loss",
        "def f(a):\n    total = crit(a)\n    scaler.scale(total).backward()\n",
        {"total = crit(a)": {}},
    ),
    "the parts of a sum": (
        "loss",
        "def f(a, u):\n    one = crit(a)\n    two = crit(u)\n    total = one + 0.5 * two\n    total.backward()\n"
        "def g(a):\n    one = other(a)\n",
        {"one = crit(a)": {}, "two = crit(u)": {}, "total = one + 0.5 * two": {}},
    ),
    "what is added": (
        "loss",
        "p.add_argument('--weight', default=2)\ndef f(a, args):\n    loss += args.weight * a.norm()\n",
        {"loss += args.weight * a.norm()": {"args.weight": "2"}},
    ),
    "what a loss gives": (
        "loss",
        "class DiceLoss(torch.nn.Module):\n    def forward(self, a):\n        return 1 - 2 * a\n",
        {"class DiceLoss(torch.nn.Module)": {}, "return 1 - 2 * a": {}},
    ),
    "no words that only sound so": (
        "loss",
        "p.add_argument('--gae-lambda', default=1.0)\ng_loss_ary = np.array(a)\nval_loss = evaluate(m)\n"
        "def glossary(a):\n    return a + 1\nloss_list = [] + [f()]\n",
        {},
    ),
    "rates that are set": (
        "schedule",
        "p.add_argument('--gamma', default=0.5)\ndef decay(optimizer, epoch, args):\n"
        "    lr = args.gamma ** epoch\n    for group in optimizer.param_groups:\n        group['lr'] = lr\n"
        "        group['lr'] /= 10\nlr = args.lr\nlog['lr'] = lr\n",
        {
            "def decay(optimizer, epoch, args)": {},
            "lr = args.gamma ** epoch": {"args.gamma": "0.5"},
            "group['lr'] = lr": {},
            "group['lr'] /= 10": {},
        },
    ),
    "a schedule in a function": (
        "schedule",
        "def lr_lambda(step):\n    share = step / 10\n    if step < 10:\n        return share\n    return 0.5 ** step\n",
        {"def lr_lambda(step)": {}, "share = step / 10": {}, "step < 10": {}, "return 0.5 ** step": {}},
    ),
    "rates in steps": (
        "schedule",
        "def change(o, epoch):\n    if epoch == 150:\n        lr = 0.01\n    for group in o.param_groups:\n"
        "        group['lr'] = lr\n",
        {"def change(o, epoch)": {}, "epoch == 150": {}, "lr = 0.01": {}, "group['lr'] = lr": {}},
    ),
    "on which condition rates are set": (
        "schedule",
        "def set_lr(o): ...\ndef train(o, waited):\n    if waited % 8 == 0:\n        set_lr(o)\n",
        {"def set_lr(o)": {}, "waited % 8 == 0": {}, "set_lr(o)": {}},
    ),
    "where training ends early": (
        "epochs",
        "for x in y:\n    if epochs_since_improvement == 20:\n        break\n    if epochs_since_improvement == 8:\n"
        "        lower()\n    if epoch == 20:\n        pass\n",
        {"epochs_since_improvement == 20": {}},
    ),
    "no models, and nothing that is only named": (
        "loss",
        "model = Net()\nx = model(data)\nself.losses = {}\n"
        "def f(x, alphas, n):\n    a, alphas = net(x)\n    k = n\n    k //= 2\n"
        "    loss = ((1 - alphas.sum()) ** 2).mean() / k\n    loss.backward()\n    (-model(x).mean() + 1).backward()\n",
        {"loss = ((1 - alphas.sum()) ** 2).mean() / k": {}, "(-model(x).mean() + 1).backward()": {}},
    ),
    "entries of other dictionaries": (
        "batch_size",
        "short['batch_size'] = 'b'\nconfig['batch_size'] = 4\n",
        {"config['batch_size'] = 4": {}},
    ),
    "what the network is made with": (
        "network",
        "n_layer = 12\np.add_argument('--arch', default='resnet50')\n",
        {"n_layer = 12": {}, "p.add_argument('--arch', default='resnet50')": {}},
    ),
    "classes of the project": (
        "optimizer",
        "class Shared(torch.optim.Adam):\n    def __init__(self, params, lr=1e-3, eps=1e-8):\n        pass\n"
        "Shared(p, 0.1)\n",
        {"class Shared(torch.optim.Adam)": {}, "Shared(p, 0.1)": {}},
    ),
    "groups and frozen layers": (
        "groups",
        "groups = [{'params': a, 'weight_decay': 0.1}]\nfor p in m.parameters():\n    p.requires_grad = False\n"
        "m.requires_grad_(False)\nx.requires_grad_(True)\nx.requires_grad = True\n",
        {
            "{'params': a, 'weight_decay': 0.1}": {},
            "p.requires_grad = False": {},
            "m.requires_grad_(False)": {},
        },
    ),
    "a moving average": (
        "ema",
        "for a, b in zip(m.parameters(), t.parameters()):\n    b.data.copy_(k * b.data + (1 - k) * a.data)\n"
        "for group in opt.param_groups:\n    avg.mul_(beta).add_((1 - beta) * grad)\n"
        "for x in xs:\n    mean = k * mean + (1 - k) * x\n",
        {"b.data.copy_(k * b.data + (1 - k) * a.data)": {}},
    ),
    "names that hint at nothing": (
        "ema",
        "def gumbel(x, tau=1): ...\np.add_argument('--tau', default=0.5)\n",
        {},
    ),
    "the clip of something else": (
        "clipping",
        "def ppo(ratio, clip=0.2): ...\np.add_argument('--clip', default=0.2)\n",
        {},
    ),
    "samples that are changed": (
        "augmentation",
        "import random\nclass Faces(torch.utils.data.Dataset):\n    def __init__(self):\n"
        "        random.shuffle(self.names)\n    def __getitem__(self, at):\n        if random.random() < 0.5:\n"
        "            pass\ndef f():\n    random.random()\n",
        {"random.random() < 0.5": {}},
    ),
    "functions that augment": (
        "augmentation",
        "import numpy as np\ndef jitter(x):\n    return x + np.random.randn(3)\njitter(x)\nother.jitter(x)\n"
        "def f():\n    np.random.randn(3)\n",
        {
            "def jitter(x)": {},
            "return x + np.random.randn(3)": {},
            "jitter(x)": {},
            "other.jitter(x)": {},
        },
    ),
    "initialization by assignment": (
        "initialization",
        "net.weight.data = norm_(net.weight.data, 0.01)\nx.grad.data.zero_()\nself.init_conv(x)\n",
        {"net.weight.data = norm_(net.weight.data, 0.01)": {}},
    ),
    "an environment": (
        "data",
        "import gym\np.add_argument('--env-name', default='Pong-v4')\nenv = gym.make(args.env_name)\n"
        "torch.nn.DataParallel(m)\n",
        {
            "p.add_argument('--env-name', default='Pong-v4')": {"env_name": ""},
            "gym.make(args.env_name)": {"args.env_name": "'Pong-v4'"},
        },
    ),
    "a seed that is drawn": (
        "seed",
        "import random\np.add_argument('--seed', default=None)\nif opt.seed is None:\n"
        "    opt.seed = random.randint(1, 9)\n",
        {"p.add_argument('--seed', default=None)": {}, "opt.seed = random.randint(1, 9)": {}},
    ),
    "a seed that is always drawn": (
        "seed",
        "import random\np.add_argument('--seed', default=None)\nopt.seed = random.randint(1, 9)\n",
        {"opt.seed = random.randint(1, 9)": {}},
    ),
    "a number that is computed": (
        "epochs",
        "p.add_argument('--steps', default=100)\nargs.epochs = args.steps // len(loader)\n",
        {
            "args.epochs = args.steps // len(loader)": {"args.steps": "100"},
            "p.add_argument('--steps', default=100)": {},
        },
    ),
    "a table of numbers": (
        "epochs",
        "table = {\n  'a': 3,\n  'b': 4,\n}\nargs.epochs = table[args.data]\n",
        {"args.epochs = table[args.data]": {"table": "{ 'a': 3, 'b': 4, }"}},
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told(tmp_path: Path, name: str) -> None:
    item, source, told = TOLD[name]
    made = as_json(tmp_path, {"a.py": f"import torch\n{source}"})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == item)
    assert {one["code"] for one in found} == set(told)
    for one in found:
        known = {each["name"] or each["value"]: each["known"] for each in one["parameters"]}
        assert told[one["code"]].items() <= known.items()


def test_classes_of_the_project_have_their_own_defaults(tmp_path: Path) -> None:
    source = TOLD["classes of the project"][1]
    made = as_json(tmp_path, {"a.py": "import torch\n" + source})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    given = {one["name"]: (one["value"], one["is_default"]) for one in found[1]["parameters"]}
    assert given == {"params": ("p", False), "lr": ("0.1", False), "eps": ("1e-8", True)}


def test_networks_are_told_where_they_are_made_not_their_parts(tmp_path: Path) -> None:
    source = (
        "from torch import nn\nclass Part(nn.Module): ...\nclass Net(nn.Module):\n"
        "    def __init__(self, width, depth=3):\n        self.part = Part()\nnet = Net(8)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "network") == ["class Part(nn.Module)", "class Net(nn.Module)", "Net(8)"]
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "network")
    assert [(one["name"], one["value"]) for one in found[2]["parameters"]] == [("width", "8"), ("depth", "3")]


DICTIONARIES = {
    "all": ("kw = dict(batch_size=4, num_workers=2)", {"batch_size": "4", "num_workers": "2"}, True),
    "literal": ("kw = {'batch_size': 4}", {"batch_size": "4"}, True),
    "maybe": ("kw = {'batch_size': 4} if cuda else {}", {"batch_size": "4"}, False),
    "more": (
        "kw = {'batch_size': 4}\nkw.update({'num_workers': 2})",
        {"batch_size": "4", "num_workers": "2"},
        False,
    ),
    "of another function": ("def f():\n    kw = {'batch_size': 4}", {}, False),
}


@pytest.mark.parametrize("name", DICTIONARIES)
def test_dictionaries_that_calls_are_given(tmp_path: Path, name: str) -> None:
    source, pairs, has_defaults = DICTIONARIES[name]
    made = as_json(
        tmp_path, {"a.py": f"import torch\n{source}\ntorch.utils.data.DataLoader(d, shuffle=True, **kw)\n"}
    )
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "data")
    entry = next(one for one in found if one["code"].startswith("torch"))
    given = {one["name"]: one["value"] for one in entry["parameters"] if not one["is_default"]}
    assert given == {"dataset": "d", "shuffle": "True", "**": "kw", **pairs}
    assert any(one["is_default"] for one in entry["parameters"]) == has_defaults
    assert "drop_last" in {one["name"] for one in entry["parameters"]} or not has_defaults


def test_star_imports_bring_the_usual_names(tmp_path: Path) -> None:
    files = {
        "tools.py": "import numpy as np\n",
        "a.py": "from tools import *\nimport torch\nnp.random.seed(3)\n",
    }
    assert codes(as_json(tmp_path, files), "seed") == ["np.random.seed(3)"]


CONFIGURED = """\
model:
  arch: fcn8s
training:
  optimizer:
    name: sgd  # one of several
    lr: 1.0e-3
  batch_size: 4
  name: first
"""


def test_names_in_configuration_files_say_what_their_parents_are(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": "import torch\n", "conf.yaml": CONFIGURED})
    assert entries(made, "optimizer") == [("optimizer: sgd", "conf.yaml", 5), ("lr: 1.0e-3", "conf.yaml", 6)]
    assert codes(made, "network") == ["arch: fcn8s"]


def test_rates_that_are_set_later_are_not_the_first(tmp_path: Path) -> None:
    files = {
        "conf.py": "class Hyper:\n    lr = 0.1\n",
        "a.py": "import torch\nfrom conf import Hyper as hp\ntorch.optim.SGD(p, hp.lr)\n"
        "def f(o):\n    for group in o.param_groups:\n        group['lr'] = 0.01\n",
    }
    made = as_json(tmp_path, files)
    assert parameters(made, "optimizer", 0)["lr"] == ("hp.lr", "0.1")


def test_star_imports_from_files_beside_a_script_at_the_top_of_a_repository(tmp_path: Path) -> None:
    files = {
        "__init__.py": "",
        "README.md": "",
        "parts.py": "from torch import nn\n",
        "train.py": "from parts import *\nclass Net(nn.Module): ...\n",
    }
    made = as_json(tmp_path / "repository", files)
    assert codes(made, "network") == ["class Net(nn.Module)"]


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_code_that_could_not_be_analyzed_is_told(tmp_path: Path, form: str) -> None:
    (tmp_path / "bad.py").write_bytes(b"x = '\xff'\n")
    text = analysis(form, tmp_path, {"odd.py": "import torch\nclass nn.Norm(torch.nn.Module):\n    pass\n"})
    assert "Code that could not be analyzed" in text
    assert "odd.py:2" in text and "bad.py" in text
    assert "Code that could not" not in analysis(form, tmp_path / "good", {"a.py": "import torch\n"})


BELONGS = {
    "initialization": ["net.fc.weight.data.normal_(0, 1)", "self.out.bias.data.fill_(0)"],
    "network": ["torchvision.models.resnet18()"],
    "augmentation": ["class GaussianBlur: ...", "def mixup_data(x, y, alpha): ..."],
    "loss": ["actor_loss = -critic(x).mean()", "p.add_argument('--label-smoothing', default=0.1)"],
    "optimizer": ["class LARS(torch.optim.Optimizer): ...", "p.add_argument('--lr-backbone', default=0.1)"],
    "schedule": [
        "class WarmupScheduler: ...",
        "s = WarmUpLR(optimizer, 5)",
        "p.add_argument('--warmup-epochs', default=5)",
    ],
    "batch_size": ["s = AspectRatioSampler(d, batch_size=2)"],
    "epochs": ["for i in range(args.epochs): ...", "for x in range(0, cfg['max_iter']): ..."],
    "seed": ["env.seed(0)", "torch.Generator().manual_seed(0)"],
    "ema": ["def soft_update(a, b): ...", "p.add_argument('--tau', default=0.005)"],
    "distributed": ["torch.multiprocessing.spawn(f, (1,), 2)", "torch.distributed.barrier()"],
    "clipping": ["p.add_argument('--clip', default=10)", "torch.nn.utils.clip_grad_norm_(p, args.clip)"],
    "checkpoint": ["weights = model_zoo.load_url(u)"],
    "data": ["class Cars(torchvision.datasets.ImageFolder): ...", "env = gym.make('CartPole-v1')"],
}


@pytest.mark.parametrize("item", BELONGS)
def test_what_belongs_to_an_item(tmp_path: Path, item: str) -> None:
    imports = "import gym\nimport torch\nimport torchvision\n"
    made = as_json(tmp_path, {"a.py": imports + "".join(f"{line}\n" for line in BELONGS[item])})
    assert [line for _, _, line in entries(made, item)] == list(range(4, 4 + len(BELONGS[item])))


def test_what_is_no_recipe_is_left_out(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\nepoch = 0\nmomentum = get()\n"
        "class Norm(nn.Module):\n    def __init__(self, momentum=0.1):\n        super().__init__()\n"
        "        self.momentum = 0.2\n"
        "torch.nn.BatchNorm2d(3, momentum=0.3)\n"
        "def f(x):\n    x.manual_seed(1)\n    x.epoch.range(3)\n"
        "class Layer:\n    def __init__(self, momentum=0.1):\n        self.lr = None\n"
        "Layer(momentum=0.3)\nfeeding(lr=1)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "optimizer") == codes(made, "epochs") == codes(made, "seed") == []


TRAINING = """\
import torch
from {imports}

def main():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for at in range(STEPS):
        loss = model(1)
        loss.backward()

if __name__ == "__main__":
    main()
"""
PROGRAM = TRAINING.format(imports="net import Net, STEPS")
PROJECT = {
    "train.py": PROGRAM,
    "net.py": "import torch\nSTEPS = 5\nclass Net(torch.nn.Module): ...\n",
}


def told(made: Any, item: str) -> set[str]:
    return {one["code"] for one in next(one["entries"] for one in made["recipe"] if one["item"] == item)}


def test_what_does_not_train_is_left_out(tmp_path: Path) -> None:
    evaluated = "import torch\nfrom net import Net\nif __name__ == '__main__':\n    torch.manual_seed(4)\n"
    unused = "import torch\nclass Other(torch.nn.Module): ...\n"
    files = {**PROJECT, "test.py": evaluated, "unused.py": unused, "old/train.py": PROGRAM}
    made = as_json(tmp_path, files)
    assert [Path(one).name for one in made["left_out"]] == ["train.py", "test.py", "unused.py"]
    assert told(made, "seed") == set()
    assert told(made, "network") == {"class Net(torch.nn.Module)", "Net()"}


def test_a_program_whose_function_has_the_name_of_one_that_trains(tmp_path: Path) -> None:
    other = "import torch\nfrom show import main\nif __name__ == '__main__':\n    main()\n"
    show = "import torch\ndef main():\n    torch.manual_seed(3)\n"
    made = as_json(tmp_path, {**PROJECT, "shown.py": other, "show.py": show})
    assert [Path(one).name for one in made["left_out"]] == ["show.py", "shown.py"]


def test_functions_and_classes_that_nothing_names(tmp_path: Path) -> None:
    rest = "def seeded():\n    torch.manual_seed(5)\nclass Samples(torch.utils.data.Dataset): ...\n"
    files = {**PROJECT, "net.py": PROJECT["net.py"] + rest}
    made = as_json(tmp_path, files)
    assert told(made, "seed") == told(made, "data") == set()
    named = PROGRAM.replace("    model = Net()", "    seeded()\n    model = Net()")
    made = as_json(
        tmp_path, {**files, "train.py": named.replace("Net, STEPS", "Net, STEPS, Samples, seeded")}
    )
    assert told(made, "seed") == {"torch.manual_seed(5)"}
    assert told(made, "data") == set()  # only imported


def test_modules_that_are_imported_by_their_names(tmp_path: Path) -> None:
    files = {
        **PROJECT,
        "train.py": PROGRAM.replace("main():\n", "main():\n    importlib.import_module('nets.' + name)\n", 1),
        "nets/one.py": "import torch\nclass One(torch.nn.Module): ...\n",
    }
    made = as_json(tmp_path, files)
    assert "class One(torch.nn.Module)" in told(made, "network")
    made = as_json(tmp_path, {**files, "train.py": PROGRAM})
    assert [Path(one).name for one in made["left_out"]] == ["one.py"]


def test_conditions(tmp_path: Path) -> None:
    source = (
        "import torch\np.add_argument('--optim', default='sgd')\ndef f(m, given):\n"
        "    if args.optim == 'sgd':\n        torch.optim.SGD(m)\n    elif given:\n        torch.optim.Adam(m)\n"
        "    else:\n        torch.optim.Adagrad(m)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    by_name = {one["name"]: one["conditions"] for one in found}
    first, second, third = (by_name[f"torch.optim.{name}"] for name in ("SGD", "Adam", "Adagrad"))
    assert [(one["value"], one["known"]) for one in first] == [("args.optim == 'sgd'", "args.optim = 'sgd'")]
    assert [one["value"] for one in second] == ["given"]
    assert [one["value"] for one in third] == ["not (args.optim == 'sgd') and not (given)"]


CHOSEN = {
    "getattr": "getattr(nets, name)(3)",
    "the dictionary of a module": "nets.__dict__[name](3)",
    "a module that is given": "made(nets, name)",
}


@pytest.mark.parametrize("name", CHOSEN)
def test_what_is_chosen_by_its_name(tmp_path: Path, name: str) -> None:
    made = as_json(
        tmp_path,
        {
            "a.py": f"import torch\nimport nets\ndef made(*given): ...\nmodel = {CHOSEN[name]}\n",
            "nets.py": "import torch\nclass One(torch.nn.Module): ...\n",
        },
    )
    assert told(made, "network") == {"class One(torch.nn.Module)", CHOSEN[name]}


def test_another_name_for_a_class(tmp_path: Path) -> None:
    source = "import torch\nclass One(torch.nn.Module): ...\ndef f(a):\n    Net = One\n    return Net(a)\n"
    assert "Net(a)" in told(as_json(tmp_path, {"a.py": source}), "network")


def test_losses_are_no_networks(tmp_path: Path) -> None:
    files = {"losses.py": "import torch\nclass Lovasz(torch.nn.Module): ...\n"}
    made = as_json(tmp_path, {**files, "a.py": "import torch\nimport losses\nf = getattr(losses, name)()\n"})
    assert told(made, "network") == set()
    assert "class Lovasz(torch.nn.Module)" in told(made, "loss")


def test_evaluation_is_no_loss(tmp_path: Path) -> None:
    source = (
        "import torch\ndef evaluate(m):\n    m.eval()\n    loss = torch.nn.functional.l1_loss(m(1), 2)\n"
        "def train(m):\n    loss = torch.nn.functional.mse_loss(m(1), 2)\n    loss.backward()\n"
    )
    assert told(as_json(tmp_path, {"a.py": source}), "loss") == {"torch.nn.functional.mse_loss(m(1), 2)"}


def test_what_a_function_of_timm_reads(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom timm.optim import create_optimizer\np.add_argument('--opt', default='lamb')\n"
        "create_optimizer(args, model)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    entry = next(one for one in found if one["code"].startswith("create"))
    assert [(one["name"], one["known"]) for one in entry["parameters"] if one["is_read"]] == [
        ("opt", "'lamb'")
    ]


OPTIONS = {
    "what is made of options": ("p.add_argument('--lr', default=0.8)\ne = p.parse_args()\n", "e.lr", "0.8"),
    "an object of its own": ("p.add_argument('--lr', default=0.8)\nit = data.batches\n", "it.lr", ""),
    "another name for it": (
        "p.add_argument('--lr', default=0.8)\nit = data.batches\nother = it\n",
        "other.lr",
        "",
    ),
    "set_defaults": ("p.add_argument('--lr', default=0.1)\np.set_defaults(lr=0.2)\n", "args.lr", "0.2"),
    "a flag": ("p.add_argument('--lr', action='store_true')\n", "args.lr", "False"),
    "a name with a dot": ("p.add_argument('--train.lr', default=0.3)\n", "opt['train.lr']", "0.3"),
    "an object": (
        "class Data:\n    def __init__(self):\n        self.lr = 0.4\ndata = Data()\n",
        "data.lr",
        "0.4",
    ),
    "an expression": (
        "p.add_argument('--b', default=2)\nlr = 3 * args.b\n",
        "lr",
        "3 * args.b = 6 (args.b = 2)",
    ),
    "a list that grows": ("lrs = [0.5]\nlrs.append(1)\n", "lrs", "[0.5], …"),
    "what another name is": (
        "p.add_argument('--lr', default=0.7)\nconf.lr = 0.6\nconf.lr = args.lr\n",
        "conf.lr",
        "0.7",
    ),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_options_and_attributes_are(tmp_path: Path, name: str) -> None:
    before, value, known = OPTIONS[name]
    made = as_json(tmp_path, {"a.py": f"import torch\n{before}torch.optim.SGD(m, lr={value})\n"})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    entry = next(one for one in found if one["name"] == "torch.optim.SGD")
    assert next(one["known"] for one in entry["parameters"] if one["name"] == "lr") == known


TABLE = (
    "import torch\ndef plain(p, lr=0.1, **kwargs):\n    return torch.optim.SGD(p, lr=lr)\n"
    "def other(p, lr=0.1): ...\ntable = {'plain': plain, 'other': other}\n"
)
FROM_TABLE = {
    "from a dictionary": ("table[name.lower()](p, lr=0.3)\n", "0.3"),
    "with get": ("table.get(name)(p, lr=0.3)\n", "0.3"),
    "under another name": ("made = table[name]\nmade(p, lr=0.3)\n", "0.3"),
    "without it": ("table[name](p)\n", "0.1"),
    "in a function that hands on what it is given": (
        "def give(name, **more):\n    return table[name](p, **more)\ngive('plain', lr=0.3)\ngive('plain')\n",
        "0.3 / 0.1",
    ),
    "with a dictionary": (
        "def give(name, **more):\n    return table[name](p, **more)\nkept = {'lr': 0.3}\ngive('a', **kept)\n",
        "0.3",
    ),
    "with a dictionary that is changed": (
        "kept = {'a': 1}\nkept[x] = kept['lr'] = 1\ntable[n](p, **kept)\n",
        "",
    ),
    "with what nobody knows": ("def give(name, **more):\n    return table[name](p, **more)\n", ""),
    "with an argument of the function that chooses": (
        "def give(lr, **more):\n    return table[name](p, **more)\ngive(lr=0.3)\n",
        "0.1",
    ),
}


@pytest.mark.parametrize("name", FROM_TABLE)
@pytest.mark.parametrize("is_imported", [False, True])
def test_what_functions_of_a_dictionary_are_given(tmp_path: Path, name: str, *, is_imported: bool) -> None:
    code, known = FROM_TABLE[name]
    files = {"made.py": TABLE, "a.py": f"import torch\nfrom made import table\n{code}"}
    made = as_json(tmp_path, files if is_imported else {"a.py": TABLE + code})
    at = codes(made, "optimizer").index("torch.optim.SGD(p, lr=lr)")
    assert parameters(made, "optimizer", at)["lr"] == ("lr", known)


def test_networks_that_are_made_from_a_dictionary(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module): ...\nnets = {'a': Net, 'b': Net}\nothers = {'a': print}\n"
        "def create(name, classes):\n    others[name](classes)\n    return nets[name](classes)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "network")
    assert told == ["class Net(torch.nn.Module)", "nets[name](classes)"]


def test_a_class_of_a_dictionary_whose_name_two_files_have(tmp_path: Path) -> None:
    net = "import torch\nclass Solver:\n    def __init__(self, lr=0.1):\n        torch.optim.SGD(p, lr=lr)\n"
    files = {
        "one.py": net,
        "two.py": net,
        "table.py": "import one\nfrom one import Solver\nsolvers = {'one': Solver}\n",
        "a.py": "import torch\nimport two\nfrom table import solvers\nsolvers[name](lr=0.3)\ntwo.Solver()\n",
    }
    made = as_json(tmp_path, files)
    found = [entry for one in made["recipe"] if one["item"] == "optimizer" for entry in one["entries"]]
    known = {
        Path(one["path"]).name: value["known"]
        for one in found
        for value in one["parameters"]
        if value["name"] == "lr"
    }
    assert known["one.py"] == "0.3" and "0.3" not in known["two.py"]


def test_attributes_of_an_object_that_a_class_keeps_are_no_options(tmp_path: Path) -> None:
    source = (
        "import torch\np.add_argument('--lr', default=0.8)\nclass A:\n    def __init__(self, args):\n"
        "        self.it = batches(4)\n        self.given = args\n"
        "        torch.optim.SGD(m, lr={})\n"
    )
    for written, known in (("self.it.lr", ""), ("self.given.lr", "0.8")):
        made = as_json(tmp_path, {"a.py": source.format(written)})
        at = codes(made, "optimizer").index(f"torch.optim.SGD(m, lr={written})")
        assert parameters(made, "optimizer", at)["lr"] == (written, known)


def test_functions_of_one_name_in_several_modules(tmp_path: Path) -> None:
    files = {
        "one.py": "import torch\ndef made(lr):\n    return torch.optim.SGD(m, lr=lr)\n",
        "two.py": "import torch\ndef made(lr):\n    return torch.optim.Adam(m, lr=lr)\n",
        "a.py": "import torch\nimport one, two\none.made(lr=0.1)\ntwo.made(lr=0.2)\n",
    }
    found = next(one["entries"] for one in as_json(tmp_path, files)["recipe"] if one["item"] == "optimizer")
    known = {one["name"]: one["parameters"][1]["known"] for one in found if one["name"].startswith("torch")}
    assert known == {"torch.optim.SGD": "0.1", "torch.optim.Adam": "0.2"}


LOOPS = {
    "to a number of steps": ("for at in range(8):\n    loss.backward()\n", {"for at in range(8)"}),
    "through a function": (
        "def step():\n    loss.backward()\nfor at in range(8):\n    step()\n",
        {"for at in range(8)"},
    ),
    "without an end": (
        "for at in itertools.count():\n    loss.backward()\n",
        {"for at in itertools.count()"},
    ),
    "through another name": (
        "def step():\n    loss.backward()\ntrain = step\nfor epoch in range(8):\n    train()\n",
        {"for epoch in range(8)"},
    ),
    "of batches": ("while batch is not None:\n    loss.backward()\n", set()),
    "while": ("while at < last:\n    loss.backward()\n", {"while at < last"}),
    "of something else": ("for at in range(8):\n    print(at)\nloss.backward()\n", set()),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_that_train(tmp_path: Path, name: str) -> None:
    source, expected = LOOPS[name]
    assert told(as_json(tmp_path, {"a.py": f"import torch\n{source}"}), "epochs") == expected


def test_lists_and_hidden_folders_of_configuration(tmp_path: Path) -> None:
    made = as_json(
        tmp_path,
        {
            "a.py": "import torch\n",
            "conf.yaml": "milestones:\n  - 3\n  - 6\n",
            ".github/run.yml": "epochs: 9\n",
            ".run.yml": "epochs: 8\n",
        },
    )
    assert told(made, "schedule") == {"milestones: [3, 6]"}
    assert told(made, "epochs") == set()


def test_a_statement_that_differs_takes_nothing_from_the_uses_that_are_ready(tmp_path: Path) -> None:
    files = {"a.py": "import torch\n\n\ndef f():\n    x = torch.tensor([1, 0])\n    return ~x\n"}
    made = as_json(tmp_path, files)
    assert (made["uses"], made["waits"], made["waits_in_code"]) == (2, 1, 1)
    assert "1 of 2 uses need no change" in analysis("markdown", tmp_path, files)


def test_options_that_nothing_reads(tmp_path: Path) -> None:
    options = "p.add_argument('--lr', default=1)\np.add_argument('--momentum', default=0.9)\n"
    used = PROGRAM.replace("0.1)", "args.lr)").replace("def main", f"{options}def main", 1)
    made = as_json(tmp_path, {**PROJECT, "train.py": used})
    assert "p.add_argument('--lr', default=1)" in told(made, "optimizer")
    assert "p.add_argument('--momentum', default=0.9)" not in told(made, "optimizer")
    opened = (
        used.replace("args.lr)", "args.lr)\n    build(**vars(args))")
        + "def build(momentum):\n    return momentum\n"
    )
    made = as_json(tmp_path, {**PROJECT, "train.py": opened})
    assert "p.add_argument('--momentum', default=0.9)" in told(made, "optimizer")


def test_options_that_networks_read(tmp_path: Path) -> None:
    options = "p.add_argument('--kernels', default=3)\np.add_argument('--gpu', default=0)\n"
    net = "    def __init__(self, args):\n        self.k = args.kernels + 1\n        self.gpu = args.gpu\n"
    files = {
        "train.py": PROGRAM.replace("def main", f"{options}def main", 1).replace("Net()", "Net(args)"),
        "net.py": PROJECT["net.py"].replace(": ...\n", f":\n{net}"),
    }
    made = as_json(tmp_path, files)
    assert told(made, "network") == {
        "class Net(torch.nn.Module)",
        "Net(args)",
        "p.add_argument('--kernels', default=3)",
    }


def test_classes_and_methods_that_nothing_uses(tmp_path: Path) -> None:
    rest = (
        "class Part(torch.nn.Module): ...\nclass Agent:\n    def used(self):\n        torch.manual_seed(1)\n"
        "    def unused(self):\n        torch.manual_seed(2)\n"
    )
    files = {
        "train.py": PROGRAM.replace("Net, STEPS", "Net, STEPS, Agent").replace(
            "    opt", "    Agent().used()\n    opt", 1
        ),
        "net.py": PROJECT["net.py"] + rest,
    }
    made = as_json(tmp_path, files)
    assert told(made, "seed") == {"torch.manual_seed(1)"}
    assert told(made, "network") == {"class Net(torch.nn.Module)", "Net()"}
    chosen = "import net\n" + files["train.py"].replace("Net()", "net.__dict__[name]()")
    made = as_json(tmp_path, {**files, "train.py": chosen})
    assert "class Part(torch.nn.Module)" in told(made, "network")


def test_a_module_that_tries_itself_out(tmp_path: Path) -> None:
    trial = "if __name__ == '__main__':\n    torch.manual_seed(3)\n    Net()(1).backward()\n"
    made = as_json(tmp_path, {**PROJECT, "net.py": PROJECT["net.py"] + trial})
    assert told(made, "seed") == set()
    assert told(made, "network") == {"class Net(torch.nn.Module)", "Net()"}


def test_a_function_that_a_launcher_is_given(tmp_path: Path) -> None:
    launched = PROGRAM.replace(
        "    main()\n", "    p.add_argument('--seed', default=3)\n    spawn(main, 2)\n"
    )
    launched = launched.replace("    opt", "    torch.manual_seed(args.seed)\n    opt", 1)
    made = as_json(tmp_path, {**PROJECT, "train.py": launched})
    assert "p.add_argument('--seed', default=3)" in told(made, "seed")


REACHING = {
    "what is replaced": ("def f():\n    lr = 0.1\n    lr = 0.2\n    {}", "0.2"),
    "what comes later": ("def f():\n    lr = 0.1\n    {}\n    lr = 0.2\n", "0.1"),
    "what comes later in a loop": (
        "def f():\n    lr = 0.1\n    for x in y:\n        {}\n        lr = 0.2\n",
        "0.1 / 0.2",
    ),
    "one branch or none": ("def f(a):\n    lr = 0.1\n    if a:\n        lr = 0.2\n    {}", "0.1 / 0.2 if a"),
    "what is filled": ("def f():\n    lr = ones(3)\n    {}    lr.fill_(0)\n", "ones(3)"),
    "what was filled": ("def f():\n    lr = ones(3)\n    lr.data.fill_(0)\n    {}", "lr.data.fill_(0)"),
    "what was changed in place": ("def f():\n    lr = ones(3)\n    lr.mul_(2)\n    {}", ""),
    "what has another entry": ("def f(i):\n    lr = ones(3)\n    lr[i] = 2\n    {}", ""),
    "what is detached": ("def f():\n    lr = ones(3)\n    lr.detach_()\n    {}", "ones(3)"),
    "what a loop before may make anew": (
        "def f():\n    for x in y:\n        for z in x:\n            lr = 0.1\n        {}        lr = 0.2\n",
        "0.1 / 0.2",
    ),
    "what is made anew in each round of a loop": (
        "def f():\n    for x in y:\n        lr = ones(3)\n        {}        lr.fill_(0)\n",
        "ones(3)",
    ),
    "two branches": (
        "def f(a):\n    if a:\n        lr = 0.1\n    else:\n        lr = 0.2\n        {}",
        "0.2",
    ),
}


@pytest.mark.parametrize("name", REACHING)
def test_what_may_still_be_assigned(tmp_path: Path, name: str) -> None:
    code, known = REACHING[name]
    source = "import torch\n" + code.format("torch.optim.SGD(m, lr=lr)\n")
    made = as_json(tmp_path, {"a.py": source})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "optimizer")
    entry = next(one for one in found if one["name"] == "torch.optim.SGD")
    assert next(one["known"] for one in entry["parameters"] if one["name"] == "lr") == known


def test_losses_through_functions_and_lists(tmp_path: Path) -> None:
    source = (
        "import torch\ndef snr(a, b):\n    noise = a - b\n    return (noise ** 2).sum()\n"
        "def some_loss(a, b):\n    parts = []\n    for x in a:\n        part = x * 2\n"
        "        parts.append(part)\n    best = snr(a, b)\n    return parts, best\n"
        "def step(a, b):\n    loss = some_loss(a, b)\n    mean_of_loss = torch.empty(3)\n    loss.backward()\n"
    )
    assert told(as_json(tmp_path, {"a.py": source}), "loss") == {
        "def some_loss(a, b)",
        "part = x * 2",
        "best = snr(a, b)",
        "noise = a - b",
        "return (noise ** 2).sum()",
        "loss = some_loss(a, b)",
    }


def test_samples_through_functions_of_other_files(tmp_path: Path) -> None:
    data = (
        "import torch\nfrom change import change\nclass Samples(torch.utils.data.Dataset):\n"
        "    def __getitem__(self, at):\n        return change(self.x[at])\n"
    )
    change = (
        "import random\ndef change(x):\n    at = random.randint(0, 3)\n    end = at + 2\n    x = x[at:end]\n"
        "    if random.random() < 0.5:\n        x = x[::-1]\n    return x\n"
        "def other(x):\n    return x * random.random()\n"
    )
    files = {"data.py": data, "change.py": change}
    assert told(as_json(tmp_path, files), "augmentation") == {
        "at = random.randint(0, 3)",
        "end = at + 2",
        "x = x[at:end]",
        "random.random() < 0.5",
        "x = x[::-1]",
        "return change(self.x[at])",
    }


def test_where_options_are_paths(tmp_path: Path) -> None:
    source = (
        "import torch\np.add_argument('--loss', default='./loss')\n"
        "p.add_argument('--model', default='', help='path of a model')\n"
        "p.add_argument('--data', default='./data', help='path of the data')\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert told(made, "loss") == told(made, "network") == set()
    assert len(told(made, "data")) == 1


def test_functions_and_modules_under_other_names(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch\nimport settings as s\nfrom steps import one_step\nstep = one_step\n"
        "opt = torch.optim.SGD(m, lr=s.RATE)\nfor at in range(3):\n    step(opt)\n",
        "steps.py": "def one_step(opt):\n    loss(1).backward()\n",
        "settings.py": "RATE = 0.3\n",
    }
    made = as_json(tmp_path, files)
    assert made["left_out"] == []
    assert parameters(made, "optimizer", 0)["lr"] == ("s.RATE", "0.3")


def test_classes_of_one_name_in_several_files(tmp_path: Path) -> None:
    one = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, {0}): ...\nnet = Net(3)\n"
    made = as_json(tmp_path, {"a.py": one.format("first"), "b.py": one.format("second")})
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "network")
    assert [one["parameters"][0]["name"] for one in found if one["code"] == "Net(3)"] == ["first", "second"]


NETWORKS_WITH_LOSS = {
    "net.py": (
        "import torch\nfrom torch import nn\nclass Codes(nn.Module):\n    def forward(self, z):\n"
        "        near = self.book(z)\n        off = (near - z).pow(2).mean()\n        return near, off\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.codes = Codes()\n        self.out = nn.Linear(2, 2)\n"
        "    def encode(self, x):\n        z = x + self.out(x)\n        near, off = self.codes(z)\n"
        "        return near, off + 1\n    def forward(self, x):\n        near, off = self.encode(x)\n"
        "        return self.out(near) + x, off\nclass Other(nn.Module):\n    def forward(self, x):\n"
        "        return x.pow(2).mean()\n"
    ),
    "tools.py": "import torch\ndef objective(a, b):\n    d = a - b\n    return torch.abs(d).mean()\n",
    "train.py": (
        "import torch\nimport tools\nfrom net import Net\ndef train(model, data):\n    for x in data:\n"
        "        out, off = model(x)\n        total = tools.objective(out, x) + 0.1 * off\n"
        "        total.backward()\nif __name__ == '__main__':\n    train(Net(), [])\n"
    ),
}


def test_losses_that_networks_and_functions_of_other_files_compute(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, NETWORKS_WITH_LOSS), "loss") == [
        "off = (near - z).pow(2).mean()",
        "off + 1",
        "d = a - b",
        "return torch.abs(d).mean()",
        "out, off = model(x)",
        "total = tools.objective(out, x) + 0.1 * off",
    ]


def test_a_network_that_computes_no_loss_is_none(tmp_path: Path) -> None:
    files = {
        "net.py": "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        x = x + self.a(x)\n        return torch.sigmoid(self.b(x))\n",
        "train.py": "from net import Net\nnet = Net()\nfor x in y:\n    loss = net(x)\n    loss.backward()\n",
    }
    assert codes(as_json(tmp_path, files), "loss") == ["loss = net(x)"]


CUT = {
    "added to": ("x[i:i + n]", "n"),
    "counted": ("x[i * n:(i + 1) * n]", "n"),
    "at most": ("x[i:min(i + n, len(x))]", "n"),
    "through an order": ("x[order[i:n + i]]", "n"),
}


@pytest.mark.parametrize("name", CUT)
def test_batches_that_loops_cut(tmp_path: Path, name: str) -> None:
    cut, size = CUT[name]
    source = f"import torch\nn = 32\nfor i in range(9):\n    b = {cut}\n    c = x[1:9]\n    f(b).backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "batch_size") == [f"b = {cut}"] == codes(made, "data")
    assert parameters(made, "batch_size", 0) == {"": (size, "32")}


def test_batches_that_are_drawn(tmp_path: Path) -> None:
    source = (
        "import random\nimport numpy as np\nimport torch\nat = np.random.choice(len(x), batch_size)\n"
        "t = torch.randint(0, 1000, (batch_size,))\nseen = memory.sample(batch_size)\nz = flow.sample(batch_size)\n"
    )
    told = ["at = np.random.choice(len(x), batch_size)", "seen = memory.sample(batch_size)"]
    assert codes(as_json(tmp_path, {"a.py": source}), "data") == told


def test_weights_that_are_made_with_first_values(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        self.token = nn.Parameter(torch.zeros(1))\n        self.empty = nn.Parameter(torch.Tensor(3))\n"
        "        book = torch.randn(3)\n        self.register_buffer('book', book)\n        noise = torch.randn(3)\n"
    )
    told = ["self.token = nn.Parameter(torch.zeros(1))", "book = torch.randn(3)"]
    assert codes(as_json(tmp_path, {"a.py": source}), "initialization") == told


def test_schedules_of_several_classes(tmp_path: Path) -> None:
    source = (
        "import torch\ndef line(a, b, t):\n    return a + t * (b - a)\ndef last(a):\n    return a + 1\n"
        "class Phase:\n    def __init__(self, a, b, last=0):\n        self.a, self.b, self.n = a, b, last\n"
        "    def step(self):\n        self.n += 1\n        return line(self.a, self.b, self.n / 9)\n"
        "class CycleScheduler:\n    def __init__(self, o, lr):\n        low = lr / 25\n"
        "        self.phases = [Phase(low, lr)]\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "schedule")
    assert "return a + t * (b - a)" in told and "low = lr / 25" in told
    assert "return line(self.a, self.b, self.n / 9)" in told
    assert "return a + 1" not in told and "self.n += 1" not in told


def test_settings_that_only_another_program_reads_or_only_texts(tmp_path: Path) -> None:
    loop = "for x in y:\n    f(x).backward()\n"
    files = {
        "one.py": f"import torch\nEPOCHS = 5\nif __name__ == '__main__':\n    {loop.replace(chr(10), chr(10) + '    ')}\n",
        "two.py": "import torch\nEPOCHS = 9\nif __name__ == '__main__':\n    for epoch in range(EPOCHS):\n"
        "        f(x).backward()\n",
        "three.py": "import argparse\nimport os\nimport torch\np = argparse.ArgumentParser()\n"
        "p.add_argument('--loss', default='run1')\np.add_argument('--model_name', default='a')\n"
        "args = p.parse_args()\nwhere = os.path.join('logs', args.loss)\nprint(f'{args.model_name}')\n"
        f"net = make(args.model_name)\n{loop}",
    }
    made = as_json(tmp_path, files)
    assert codes(made, "epochs") == ["EPOCHS = 9", "for epoch in range(EPOCHS)"]
    assert not any("--loss" in one for one in codes(made, "loss"))
    assert codes(made, "network")[0] == "p.add_argument('--model_name', default='a')"


def test_what_is_raised_is_no_data(tmp_path: Path) -> None:
    source = "import torch\ndef f():\n    raise WrongDataset()\nf()\nx = TheDataset()\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "data") == ["TheDataset()"]


LOOP_FORMULA = """\
import torch
from net import Net
net = Net()
for x, y in data:
    x = x / 255
    y = y * 2
    out, old = net(x)
    kept = []
    for one in old:
        kept.append(one * 0.9)
    kept = torch.stack(kept)
    sim = torch.exp(torch.mm(out, kept))
    mask = sim > 0
    part = sim.masked_select(mask)
    loss = criterion(part, y)
    loss.backward()
    loss = loss.float()
"""


def test_formulas_in_loops_that_train(tmp_path: Path) -> None:
    net = "from torch import nn\nclass Net(nn.Module): ...\n"
    made = as_json(tmp_path, {"net.py": net, "train.py": LOOP_FORMULA})
    assert codes(made, "loss") == [
        "y = y * 2",
        "kept.append(one * 0.9)",
        "sim = torch.exp(torch.mm(out, kept))",
        "mask = sim > 0",
        "part = sim.masked_select(mask)",
        "loss = criterion(part, y)",
    ]


def test_settings_and_losses_that_are_kept_and_not_used(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--lr_decay', default=0.9)\n"
        "p.add_argument('--warmup', default=5)\nclass Trainer:\n    def __init__(self, config):\n"
        "        self.lr_decay = config.lr_decay\n        self.warm = config.warmup\n"
        "        self.unused = torch.nn.MSELoss()\n        self.used = torch.nn.L1Loss()\n    def train(self):\n"
        "        self.used(x).backward()\n        print(self.warm + 1)\nTrainer(p.parse_args()).train()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "schedule") == ["p.add_argument('--warmup', default=5)"]
    assert "torch.nn.MSELoss()" not in codes(made, "loss")
    assert "torch.nn.L1Loss()" in codes(made, "loss")


def test_sizes_in_configuration_files_that_networks_read(tmp_path: Path) -> None:
    files = {
        "net.py": "from torch import nn\nclass Net(nn.Module):\n    def __init__(self, cfg):\n"
        "        self.fc = nn.Linear(cfg.wide, 2)\n",
        "a.py": "import json\nfrom net import Net\nNet(json.load(open('config.json')))\nf(x).backward()\n",
        "config.json": '{\n"wide": 768,\n"other": 3\n}\n',
    }
    assert "wide: 768" in codes(as_json(tmp_path, files), "network")


def test_a_class_that_is_imported_under_another_name(tmp_path: Path) -> None:
    files = {
        "data.py": "import torch\nclass Faces(torch.utils.data.Dataset): ...\n"
        "class Unused(torch.utils.data.Dataset): ...\n",
        "a.py": "import torch\nfrom data import Faces as D\nif __name__ == '__main__':\n    D(3)\n    f(x).backward()\n",
    }
    assert codes(as_json(tmp_path, files), "data") == ["D(3)", "class Faces(torch.utils.data.Dataset)"]


def test_an_endless_loop_that_trains(tmp_path: Path) -> None:
    source = "import torch\nwhile True:\n    f(x).backward()\nwhile True:\n    step()\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "epochs") == ["while True"]


def test_what_is_computed_with_numbers_that_are_drawn(tmp_path: Path) -> None:
    source = (
        "import random\nclass Cut:\n    def __call__(self, img):\n        wide = img.size[0]\n"
        "        left = random.random()\n        at = int(left * wide)\n        img = img.crop(at)\n"
        "        img = img.convert()\n        return img\n"
    )
    told = ["left = random.random()", "at = int(left * wide)", "img = img.crop(at)"]
    assert codes(as_json(tmp_path, {"a.py": source}), "augmentation") == told


def test_a_function_that_a_process_is_given(tmp_path: Path) -> None:
    files = {
        "work.py": "def train(net):\n    net(1).backward()\n",
        "main.py": "import torch\nfrom torch import multiprocessing as mp\nfrom work import train\n"
        "if __name__ == '__main__':\n    torch.manual_seed(5)\n    mp.Process(target=train, args=(net,)).start()\n",
    }
    assert codes(as_json(tmp_path, files), "seed") == ["torch.manual_seed(5)"]


def test_a_script_without_options_is_a_program(tmp_path: Path) -> None:
    source = (
        "import torch\nEPOCHS = 3\nlearning_rate = 0.1\nfor epoch in range(EPOCHS):\n    net(1).backward()\n"
        "torch.optim.Adam(net.parameters())\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "optimizer") == ["torch.optim.Adam(net.parameters())"]


def test_tests_are_no_training(tmp_path: Path) -> None:
    files = {
        "train.py": "import torch\ntorch.manual_seed(1)\nnet(1).backward()\n",
        "tests/test_net.py": "import torch\ndef test():\n    torch.manual_seed(2)\n    net(1).backward()\n",
    }
    assert codes(as_json(tmp_path, files), "seed") == ["torch.manual_seed(1)"]


def test_networks_that_are_put_together_where_they_are_trained(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\ndef block():\n    return nn.Sequential(nn.ReLU())\n"
        "class Net(nn.Module):\n    def __init__(self):\n        self.part = nn.Sequential(nn.Tanh())\n"
        "class Gan:\n    def __init__(self):\n        self.D = nn.Sequential(nn.Linear(2, 1)).cuda()\n"
        "    def train(self):\n        self.D(1).backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "network")
    assert told == ["class Net(nn.Module)", "nn.Sequential(nn.Linear(2, 1))"]


def test_weights_that_are_set_and_frozen(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self, vectors):\n"
        "        self.words.weight = nn.Parameter(vectors, requires_grad=False)\n"
        "        for key in self.state_dict():\n            self.state_dict()[key][...] = 1\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    whole = "self.words.weight = nn.Parameter(vectors, requires_grad=False)"
    assert codes(made, "initialization") == [whole, "self.state_dict()[key][...] = 1"]
    assert codes(made, "groups") == ["nn.Parameter(vectors, requires_grad=False)"]


def test_a_function_that_a_schedule_is_given(tmp_path: Path) -> None:
    source = (
        "import torch\ndef burn(i):\n    if i < 10:\n        factor = i / 10\n    else:\n        factor = 0.5\n"
        "    return factor\ntorch.optim.lr_scheduler.LambdaLR(o, burn)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "schedule")
    assert told[:3] == ["def burn(i)", "i < 10", "factor = i / 10"]


def test_gradients_with_a_sign(tmp_path: Path) -> None:
    source = "import torch\nminus = one * -1\nfor x in y:\n    cost = D(x).mean()\n    cost.backward(minus)\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "loss")[-2:] == [
        "cost = D(x).mean()",
        "cost.backward(minus)",
    ]


def test_local_names_and_attributes_of_data_are_no_settings(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Layer(torch.nn.Module):\n    def forward(self, x):\n        batchsize = x.shape[0]\n"
        "p.add_argument('--dataset', default='mnist')\nn = cfg['TRAIN']['BATCHSIZE']\n"
        "torch.utils.data.DataLoader(loader.dataset, n)\n"
    )
    made = as_json(tmp_path, {"a.py": source, "setting.cfg": "TRAIN:\n  BATCHSIZE: 4\n"})
    at = next(i for i, code in enumerate(codes(made, "data")) if code.startswith("torch"))
    given = parameters(made, "data", at)
    assert given["batch_size"] == ("n", "4") and given["dataset"] == ("loader.dataset", "")


def test_functions_that_try_modules_out_and_scripts_that_messages_name(tmp_path: Path) -> None:
    files = {
        "net.py": "import torch\nclass net(torch.nn.Module): ...\ndef test():\n    torch.manual_seed(9)\n"
        "    net()(1).backward()\n",
        "resize.py": "import torch\ntorch.manual_seed(8)\n",
        "train.py": "import torch\nfrom net import net\nif __name__ == '__main__':\n    torch.manual_seed(1)\n"
        "    print('run resize first, please')\n    net()(1).backward()\n",
    }
    made = as_json(tmp_path, files)
    assert codes(made, "seed") == ["torch.manual_seed(1)"]
    assert codes(made, "network") == ["class net(torch.nn.Module)", "net()"]


def test_iterators_of_torchtext(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torchtext.legacy import data\nclass Mine(data.Iterator): ...\n"
        "it = Mine(train, batch_size=4)\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "data")
    assert told == ["class Mine(data.Iterator)", "Mine(train, batch_size=4)"]


def test_losses_of_validation_in_a_function_that_trains(tmp_path: Path) -> None:
    source = (
        "import torch\nimport torch.nn.functional as F\ndef train():\n    loss_train = F.nll_loss(a, b)\n"
        "    loss_train.backward()\n    loss_val = F.nll_loss(c, d)\n    print(loss_val)\ntrain()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "loss") == ["F.nll_loss(a, b)"]


def test_losses_of_a_function_that_evaluates_and_calls_one_of_another_module(tmp_path: Path) -> None:
    source = (
        "import torch\nimport other\ndef main():\n    loss = torch.nn.MSELoss()(a, b)\n    loss.backward()\n"
        "def test(net):\n    net.eval()\n    torch.nn.L1Loss()(a, b)\n    {}main()\n"
    )
    told = codes(
        as_json(tmp_path, {"a.py": source.format("other."), "other.py": "def main(): ...\n"}), "loss"
    )
    assert told == ["torch.nn.MSELoss()", "loss = torch.nn.MSELoss()(a, b)"]
    told = codes(as_json(tmp_path, {"a.py": source.format(""), "other.py": "def main(): ...\n"}), "loss")
    assert "torch.nn.L1Loss()" in told


def test_dictionaries_that_are_saved_are_no_groups(tmp_path: Path) -> None:
    source = (
        "import torch\ngroups = [{'params': net.parameters(), 'lr': 1}]\ntorch.optim.SGD(groups)\n"
        "torch.save({'net': net, 'params': args}, path)\nstate = {'params': args}\ntorch.save(state, path)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "groups") == ["{'params': net.parameters(), 'lr': 1}"]


def test_embeddings_that_are_frozen(tmp_path: Path) -> None:
    source = (
        "import torch\ntorch.nn.Embedding.from_pretrained(a, freeze=True)\ntorch.nn.Embedding.from_pretrained(b)\n"
        "torch.nn.Embedding.from_pretrained(c, freeze=False)\n"
        "torch.nn.Embedding.from_pretrained(d, freeze=args.kept)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "groups") == [
        "torch.nn.Embedding.from_pretrained(a, freeze=True)",
        "torch.nn.Embedding.from_pretrained(b)",
        "torch.nn.Embedding.from_pretrained(d, freeze=args.kept)",
    ]


VALIDATING = """\
import torch
from torch.nn import functional as F

def train(net, loaders, sched):
    for epoch in range(9):
        net.train()
        for x, y in loaders["train"]:
            loss = F.cross_entropy(net(x), y) + {first}
            loss.backward()
        {second}
            loss = F.mse_loss(net(x), y) * 2
        sched.step(loss)

train(net, loaders, sched)
"""


@pytest.mark.parametrize(
    ("second", "is_told"),
    [
        ("net.eval()\n        for x, y in batches:", False),
        ("net.train(False)\n        for x, y in batches:", False),
        ("if epoch % 2:\n            net.eval()", False),
        ("for x, y in val_loader:", False),
        ("for x, y in loaders['val']:", False),
        ("for x, y in batches:", True),
        ("net.eval()\n        net.train()\n        for x, y in batches:", True),
        ("teacher.eval()\n        loss.backward()\n        for x, y in batches:", True),
    ],
)
def test_what_evaluates_in_a_function_that_trains(tmp_path: Path, second: str, *, is_told: bool) -> None:
    source = VALIDATING.format(first="F.l1_loss(net(x), y)", second=second)
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "loss = F.cross_entropy(net(x), y) + F.l1_loss(net(x), y)" in told
    assert any("F.mse_loss" in one for one in told) == is_told


SENTINEL = """\
import argparse
import torch

def train(args):
    if args.batch_size == -1:
        args.batch_size = 36
    if args.lr is None:
        args.lr = 0.1
    if args.momentum == -1:
        args.momentum = 0.9
    torch.utils.data.DataLoader(data, batch_size=args.batch_size)
    torch.optim.SGD(net.parameters(), lr=args.lr, momentum=args.momentum).step()
    loss.backward()

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", default=-1)
parser.add_argument("--lr", default=None)
parser.add_argument("--momentum", default=0.5)
train(parser.parse_args())
"""


def test_defaults_that_stand_for_none(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": SENTINEL})
    told = codes(made, "batch_size")
    assert not [one for one in told if "--batch-size" in one] and "args.batch_size = 36" in told
    loader = next(one for one in made["recipe"] if one["item"] == "batch_size")["entries"]
    assert {one["known"] for each in loader for one in each["parameters"] if one["known"]} == {"36"}
    given = codes(made, "optimizer")
    assert [one for one in given if "--momentum" in one] and [one for one in given if "--lr" in one]


def test_names_that_only_layers_loops_and_other_items_use(tmp_path: Path) -> None:
    files = {
        "hp.py": "n_iter = 60\nmax_iter = 7\n",
        "sound.py": (
            "import hp\ndef invert(x):\n    for i in range(hp.n_iter):\n        x = x + 1\n    return x\n"
        ),
        "a.py": (
            "import argparse\nimport torch\nimport hp\nimport sound\nfrom torch import nn\nMOMENTUM = 0.01\n"
            "class Net(nn.Module):\n    def __init__(self):\n"
            "        self.norm = nn.BatchNorm2d(3, momentum=MOMENTUM)\n"
            "        self.alpha = nn.Parameter(t.ones(1))\n"
            "parser = argparse.ArgumentParser()\nparser.add_argument('--decay_rate', default=1e-4)\n"
            "parser.add_argument('--lr-gamma', default=0.5)\nargs = parser.parse_args()\n"
            "optimizer = torch.optim.SGD(Net().parameters(), lr=1, weight_decay=args.decay_rate)\n"
            "sched = torch.optim.lr_scheduler.StepLR(optimizer, 3, gamma=args.lr_gamma)\n"
            "for i in range(hp.max_iter):\n    sound.invert(1)\n    loss.backward()\n"
        ),
    }
    made = as_json(tmp_path, files)
    assert codes(made, "epochs") == ["for i in range(hp.max_iter)", "max_iter = 7"]
    assert "MOMENTUM = 0.01" not in codes(made, "optimizer")
    told = "\n".join(codes(made, "schedule"))
    assert "--decay_rate" not in told and "--lr-gamma" in told
    assert "self.alpha = nn.Parameter(t.ones(1))" in codes(made, "initialization")


def test_what_programs_and_functions_for_batches_do_to_samples(tmp_path: Path) -> None:
    source = (
        "import random\nimport numpy as np\nimport torch\nfrom data import load_data, batches\n"
        "def put_together(batch):\n    x = np.asarray(batch) / 127.5 - 1\n    return torch.from_numpy(x)\n"
        "def collate(batch):\n    padded = torch.ones((len(batch), 5)) * -1\n"
        "    for i, one in enumerate(batch):\n        padded[i, :one.shape[0]] = one\n"
        "    number = len(batch) * 2\n    return padded, number\n"
        "x, y = load_data()\nx = (x - x.mean()) / x.std()\nx = torch.from_numpy(x)\nnet = Net(x.shape[1] * 2)\n"
        "random.shuffle(y)\nstate = torch.load(path)\nstate = state * 2\n"
        "for one in batches(x, 4, other):\n    print(one)\n"
        "found = batches(x, 4, put_together)\ntorch.utils.data.DataLoader(z, collate_fn=collate)\n"
        "for one in found:\n    net(one).backward()\nx = x * 2\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "augmentation")
    assert told == [
        "x = np.asarray(batch) / 127.5 - 1",
        "padded = torch.ones((len(batch), 5)) * -1",
        "padded[i, :one.shape[0]] = one",
        "x = (x - x.mean()) / x.std()",
        "random.shuffle(y)",
    ]


def test_what_only_shows_and_constants_that_functions_have_names_of_their_own_for(tmp_path: Path) -> None:
    source = (
        "import cv2\nimport torch\n"
        "class Set(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n"
        "        x = cv2.imread(self.names[i])\n        x = cv2.putText(x, 'a', (1 + i, 2), 3)\n        return x\n"
        "def show_batch():\n    torch.utils.data.DataLoader(Set(), batch_size=9)\n"
        "def train(batch_size):\n    torch.utils.data.DataLoader(Set(), batch_size=batch_size)\n"
        "    show_batch()\n    loss.backward()\n"
        "if __name__ == '__main__':\n    batch_size = 16\n    n_epochs = 3\n    train(4)\n"
        "    for i in range(n_epochs):\n        train(4)\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "augmentation") == []
    assert codes(made, "batch_size") == ["torch.utils.data.DataLoader(Set(), batch_size=batch_size)"]
    assert "n_epochs = 3" in codes(made, "epochs")


OWN_NAMES = ("batch_size", "temp", "margin", "smoothing")


def test_options_that_share_their_names_with_other_things(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\nparams = {'batch_size': 64}\nextra = {'num_workers': 2} if 1 else {}\n"
        "class Net(torch.nn.Module):\n    def __init__(self, temp=2):\n        self.temp = temp\n"
        "    def forward(self, x):\n        return x * self.temp\n"
        "class Run:\n    def __init__(self, args):\n        self.margin = args.margin\n"
        "        self.args, self.smoothing = args, 3\n"
        "    def go(self):\n        loss = self.margin * x * self.args.smoothing\n        loss.backward()\n"
        "parser = argparse.ArgumentParser()\n"
        + "".join(f"parser.add_argument('--{one}', default=1)\n" for one in OWN_NAMES)
        + "parser.add_argument('--log', default=False)\nargs = parser.parse_args()\nprint(args.log)\n"
        "torch.utils.data.DataLoader(data, batch_size=params['batch_size'], **extra)\n"
        "loss = torch.nn.functional.mse_loss(torch.log, x)\nRun(args).go()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert not [one for one in codes(made, "batch_size") if "add_argument" in one]
    told = codes(made, "loss")
    assert [one for one in told if "--margin" in one] and not [one for one in told if "--temp" in one]
    assert [one for one in told if "--smoothing" in one]
    known = [one["known"] for each in made["recipe"] for e in each["entries"] for one in e["parameters"]]
    assert "False" not in known


def test_files_and_functions_that_only_evaluate(tmp_path: Path) -> None:
    files = {
        "train.py": (
            "import torch\nfrom test import try_out\nfrom other import LinearSchedule, PolyLR, turned\n"
            "def evaluate(net):\n    for p in net.parameters():\n        p.requires_grad = False\n"
            "LinearSchedule(3, 0.1)\nPolyLR(opt, 5)\nloss.backward()\nevaluate(net)\ntry_out(net)\n"
        ),
        "test.py": (
            "from torchvision import transforms\nfrom other import rotate_img\n"
            "def try_out(net):\n    return net(rotate_img(transforms.Resize(3)(x)))\n"
        ),
        "other.py": (
            "import scipy.ndimage as si\ndef rotate_img(x):\n    return si.rotate(x, 3)\n"
            "class LinearSchedule:\n    def value(self, t):\n        return self.a + t * self.b\n"
            "class PolyLR:\n    def step(self):\n        self.optimizer.lr = 3 * self.t\n"
        ),
    }
    made = as_json(tmp_path, files)
    assert codes(made, "groups") == [] and codes(made, "augmentation") == []
    told = codes(made, "schedule")
    assert "PolyLR(opt, 5)" in told and not [one for one in told if "Linear" in one]


def test_ends_of_formulas_and_first_values(tmp_path: Path) -> None:
    source = (
        "import numpy as np\nimport torch\nfrom torch import nn\n"
        "class FocalLoss(nn.Module):\n    def forward(self, x, y):\n        z = x * y\n        if self.all:\n"
        "            return z.mean()\n        else:\n            return z.sum()\n"
        "class Net(nn.Module):\n    def __init__(self):\n        self.trans = nn.Parameter(torch.randn(3, 3))\n"
        "        self.trans.data[:, 0] = -10000\n        self.other.data[:, 0] = 1\n"
        "        self.fc.weight.detach().normal_(0, 0.02)\n"
        "class Set(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n        x = np.load(self.a[i])\n"
        "        x /= 255.0\n        return x\n"
        "data = Set()\nfor t in range(9):\n    loss = FocalLoss()(Net()(x), y)\n    loss.backward()\n"
        "    if t >= opts.total_itrs:\n        exit()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert {"return z.mean()", "return z.sum()"}.issubset(codes(made, "loss"))
    assert codes(made, "initialization") == [
        "self.trans = nn.Parameter(torch.randn(3, 3))",
        "self.trans.data[:, 0] = -10000",
        "self.fc.weight.detach().normal_(0, 0.02)",
    ]
    assert codes(made, "augmentation") == ["x /= 255.0"]
    assert "t >= opts.total_itrs" in codes(made, "epochs")


def test_networks_that_are_chosen_in_other_ways(tmp_path: Path) -> None:
    files = {
        "train.py": (
            "import argparse\nimport torch\nimport zoo\nfrom nets import Big, Small\n"
            "models = {'a': {'x': Big}, 'b': {'x': Small, 'y': Big}}\n"
            "def learn(q_func, size):\n    net = q_func(size)\n    other = size(q_func)\n    loss.backward()\n"
            "parser = argparse.ArgumentParser()\nparser.add_argument('--data', default='a')\n"
            "parser.add_argument('--model', default='x')\nargs = parser.parse_args()\n"
            "net = models[args.data][args.model](3)\n"
            "net = zoo.__dict__[args.model](classes=4)\n"
            "learn(Small, size=5)\n"
        ),
        "nets.py": (
            "from torch import nn\nclass Big(nn.Module):\n    def __init__(self, size): ...\n"
            "class Small(nn.Module):\n    def __init__(self, size): ...\n"
        ),
        "zoo.py": "from nets import Big\ndef big(classes):\n    return Big(classes)\n",
    }
    told = codes(as_json(tmp_path, files), "network")
    assert [one for one in told if not one.startswith(("class", "parser", "Big"))] == [
        "q_func(size)",
        "models[args.data][args.model](3)",
        "zoo.__dict__[args.model](classes=4)",
    ]


def test_methods_that_compute_parts_of_losses(tmp_path: Path) -> None:
    files = {
        "crf.py": (
            "import torch\nfrom torch import nn\nclass Crf(nn.Module):\n"
            "    def __init__(self):\n        self.fc = nn.Linear(3, 3)\n"
            "    def gold(self, h):\n        s = h.gather(0, self.t) * 3\n        return s\n"
            "    def hidden(self, x):\n        return self.fc(x) * 2\n"
            "    def forward(self, x):\n        h = self.hidden(x)\n        s = self.gold(h)\n"
            "        loss = torch.mean(h.logsumexp(0) - s)\n        return loss\n"
        ),
        "train.py": "import torch\nfrom crf import Crf\nnet = Crf()\nloss = net(x)\nloss.backward()\n",
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert "s = h.gather(0, self.t) * 3" in told and not [one for one in told if "self.fc" in one]


def test_configuration_files_that_other_programs_name(tmp_path: Path) -> None:
    files = {
        "train.py": (
            "import torch\nconfig = dict(n_epochs=500, batch_size=4)\nconfig['batch_size'] *= len(gpus)\n"
            "torch.utils.data.DataLoader(data, batch_size=config['batch_size'])\n"
            "for i in range(config['n_epochs']):\n    loss.backward()\n"
        ),
        "serve.py": "import json\nif __name__ == '__main__':\n    print(json.load(open('server.json')))\n",
        "server.json": '{\n  "n_epochs": 300\n}\n',
        "own/own.json": '{\n  "num_workers": 3\n}\n',
    }
    made = as_json(tmp_path, files)
    assert not [one for one in codes(made, "epochs") if "300" in one]
    assert "config['batch_size'] *= len(gpus)" in codes(made, "batch_size")


def test_settings_in_folders_for_what_evaluates(tmp_path: Path) -> None:
    files = {
        "training/train.py": (
            "import importlib\nimport torch\nconfig = importlib.import_module('params').CONFIG\n"
            "torch.utils.data.DataLoader(data, batch_size=config['batch_size'])\nloss.backward()\n"
        ),
        "training/params.py": "CONFIG = {'batch_size': 16}\n",
        "evaluate/params.py": "CONFIG = {'batch_size': 8}\n",
    }
    told = codes(as_json(tmp_path, files), "batch_size")
    assert [one for one in told if "16" in one] and not [one for one in told if "8" in one]
