"""The functions that the analysis tells with an item of the recipe, where no statement tells all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mindport.report.analysis.computed_values import UnknownError, value_of_expression
from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

TRAINING = """\
import argparse
import logging
import torch
from reading import batches, Cats
from steps import rate, distance
p = argparse.ArgumentParser()
p.add_argument('--size', type=int, default=8)
p.add_argument('--margin', type=float, default=0.5)
args = p.parse_args()
class Net(torch.nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.layer = torch.nn.Linear(wide, 2)
    def forward(self, x):
        return self.layer(x)
net = Net(args.size * 2 + 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def evaluate(net, data):
    net.eval()
    for x, y in data:
        error = distance(net(x), y)
def train(data):
    for epoch in range(3):
        for group in optimizer.param_groups:
            group['lr'] = rate(epoch)
        for x, y in data:
            seen = len(x)
            x = x.cuda() / 255
            y = y.cuda()
            out = net(x)
            loss = distance(out, y) + args.margin * out.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss, seen)
        evaluate(net, data)
source = batches('cats.npy', args.size)
train(source)
"""
READING = """\
import logging
import numpy
import torch
logger = logging.getLogger()
SCALE = 2
def lengths(rows):
    return [len(row) for row in rows]
def batches(path, size):
    '''Cuts batches out of a file.'''
    rows = numpy.load(path)
    logger.info('read %d', len(rows))
    assert len(rows)
    order = numpy.argsort(lengths(rows))
    rows = rows[order] * SCALE
    for at in range(0, len(rows), size):
        yield torch.tensor(rows[at:at + size]), torch.zeros(size)
class Cats:
    pass
"""
STEPS = """\
import torch
def rate(epoch):
    if epoch < 2:
        return 0.1
    else:
        return 0.1 * 0.5 ** epoch
def distance(out, target):
    apart = (out - target) ** 2
    return apart.sum() / len(out)
"""
FILES = {"train.py": TRAINING, "reading.py": READING, "steps.py": STEPS}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return as_json(tmp_path_factory.mktemp("project"), FILES)


def shown(made: Any, item: str) -> dict[str, str]:
    """The code of the functions of an item, by their names and kinds."""
    found = next(one["functions"] for one in made["recipe"] if one["item"] == item)
    return {f"{one['name']} {one['kind']}".strip(): one["code"] or f"see {one['shown']}" for one in found}


def test_what_gives_batches_is_told(made: Any) -> None:
    assert "source = batches('cats.npy', args.size)" in codes(made, "data")
    at = codes(made, "data").index("source = batches('cats.npy', args.size)")
    assert parameters(made, "data", at)[""] == ("args.size", "8")
    code = shown(made, "data")["batches"]
    assert "order = numpy.argsort(lengths(rows))" in code
    assert "yield (torch.tensor(rows[at:at + size]), torch.zeros(size))" in code
    assert not any(word in code for word in ("logger", "assert", "Cuts"))
    assert shown(made, "data")["lengths"] == "def lengths(rows):\n    return [len(row) for row in rows]"
    assert shown(made, "augmentation")["batches"] == "see data"


def test_what_is_known_of_a_function_is_told_with_it(made: Any) -> None:
    found = next(one["functions"] for one in made["recipe"] if one["item"] == "data")
    known = {
        each["value"]: each["known"] for one in found if one["name"] == "batches" for each in one["known"]
    }
    assert known == {"path": "'cats.npy'", "size": "8", "SCALE": "2"}


def test_the_step_of_a_training_is_told_back_to_its_batches(made: Any) -> None:
    assert shown(made, "loss")["train step"].splitlines() == [
        "for x, y in data:",
        "    x = x.cuda() / 255",
        "    y = y.cuda()",
        "    out = net(x)",
        "    loss = distance(out, y) + args.margin * out.mean()",
        "    optimizer.zero_grad()",
        "    loss.backward()",
        "    optimizer.step()",
    ]
    assert "apart.sum() / len(out)" in shown(made, "loss").get("distance", "apart.sum() / len(out)")
    assert shown(made, "augmentation")["train batches"] == (
        "for x, y in data:\n    x = x.cuda() / 255\n    y = y.cuda()"
    )


def test_what_evaluates_and_trains_is_not_told_as_a_whole(made: Any) -> None:
    names = {name for one in made["recipe"] for name in shown(made, one["item"])}
    assert not names & {"evaluate", "train", "Net.__init__", "Net.forward"}


def test_functions_that_entries_tell_wholly_are_not_told_again(tmp_path: Path) -> None:
    source = "import torch\ndef fill(m):\n    torch.nn.init.zeros_(m.weight)\nnet = torch.nn.Linear(2, 2)\n"
    source += "net.apply(fill)\n"
    assert shown(as_json(tmp_path, {"a.py": source}), "initialization") == {}


def test_loops_over_names_that_count_are_told(tmp_path: Path) -> None:
    source = "import torch\nfrom tqdm import tqdm\nnet = torch.nn.Linear(2, 2)\ndef train(total):\n"
    source += "    with tqdm(range(total)) as bar:\n        for number in bar:\n"
    source += "            loss = net(next(data)).mean()\n            loss.backward()\ntrain(70)\n"
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "epochs").index("for number in bar")
    assert parameters(made, "epochs", at)[""] == ("bar", "tqdm(range(total)) (total = 70)")


def test_classes_that_are_chosen_from_a_package_by_their_names(tmp_path: Path) -> None:
    files = {
        "sets/__init__.py": "from .cats import *\n",
        "sets/cats.py": "import numpy\ndef cats(size):\n    rows = numpy.load('cats.npy')\n    return rows / size\n",
        "a.py": "import argparse\nimport torch\nimport sets\np = argparse.ArgumentParser()\n"
        "p.add_argument('--data', default='cats')\nargs = p.parse_args()\nnet = torch.nn.Linear(2, 2)\n"
        "data = sets.__dict__[args.data](255)\nfor x in data:\n    loss = net(x).mean()\n    loss.backward()\n",
    }
    made = as_json(tmp_path, files)
    assert "data = sets.__dict__[args.data](255)" in codes(made, "data")
    assert "rows / size" in shown(made, "data")["cats"]


EXPRESSIONS = {
    "args.a * 2 + 1": 7,
    "[(args.a - 1) // 2 for _ in range(3)]": [1, 1, 1],
    "args.list[:2]": [0.9, 0.99],
    "{'a': 4, 'b': 5}['b']": 5,
    "len(args.list) - 1": 2,
    "args.a if args.a > 2 else 0": 3,
    "'{}-{}'.format('x', args.a)": "x-3",
    "sum([1, 2]) ** 2": 9,
    "int(math.ceil(args.a / 2))": 2,
}


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_what_expressions_come_to(source: str) -> None:
    values = {"args.a": 3, "args.list": [0.9, 0.99, 1e-8]}
    assert value_of_expression(source, values.__getitem__) == EXPRESSIONS[source]


@pytest.mark.parametrize(
    "source",
    ["net(x)", "a.b", "9 ** 9 ** 9", "[0] * 10 ** 9", "open('x')", "1 / 0", "(", "x[5]", "'a' * 10 ** 9"],
)
def test_what_is_no_expression_of_constants(source: str) -> None:
    values = {"x": [1]}
    with pytest.raises(UnknownError):
        value_of_expression(source, values.__getitem__)


GIVEN = """\
import argparse
import torch
from words import Words
from nets import ONE, TWO, One, Two
p = argparse.ArgumentParser()
p.add_argument('--deep', action='store_true')
p.add_argument('--net', default='one')
args = p.parse_args()
if args.deep:
    sizes = TWO
else:
    sizes = ONE
words = Words('words.txt')
first = One(sizes[0], words.number)
nets = {'one': One, 'two': Two}
chosen = nets[args.net]
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(chosen.parameters(), lr=1)
def rate(optimizer, part):
    for group in optimizer.param_groups:
        group['lr'] = 0.1 / (1 + part)
for epoch in range(3):
    for number, x in enumerate(data):
        part = (epoch * 9 + number) / 27
        rate(optimizer, part)
        first(x).mean().backward()
"""
NETS = """\
import torch
ONE, TWO = [4], [8]
class One(torch.nn.Module):
    def __init__(self, size, number):
        super().__init__()
        self.layer = torch.nn.Linear(size, number)
class Two(One):
    pass
"""
WORDS = """\
class Words:
    def __init__(self, path):
        self.names = open(path).read().split()
        self.number = len(self.names)
"""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Any:
    files = {"train.py": GIVEN, "nets.py": NETS, "words.py": WORDS}
    return as_json(tmp_path_factory.mktemp("project"), files)


def test_what_networks_are_given_by_other_objects_and_on_conditions(given: Any) -> None:
    found = parameters(given, "network", codes(given, "network").index("One(sizes[0], words.number)"))
    assert found["size"] == ("sizes[0]", "TWO if args.deep / ONE if not (args.deep) (args.deep = False)")
    assert found["number"] == ("words.number", "len(self.names)")


def test_which_network_the_optimizer_is_given(given: Any) -> None:
    at = codes(given, "network").index("chosen = nets[args.net]")
    assert parameters(given, "network", at)[""] == ("args.net", "'one'")


def test_how_it_is_computed_what_a_rate_is_made_with(given: Any) -> None:
    assert "part = (epoch * 9 + number) / 27" in codes(given, "schedule")


def test_hooks_of_gradients_belong_to_groups(tmp_path: Path) -> None:
    source = "import torch\nnet = torch.nn.Linear(2, 2)\ndef scaled(grad):\n    return grad * 0.1\n"
    source += "net.weight.register_hook(scaled)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert "net.weight.register_hook(scaled)" in codes(made, "groups")
    assert shown(made, "groups") == {"scaled": "def scaled(grad):\n    return grad * 0.1"}


def test_weights_of_another_network_are_told(tmp_path: Path) -> None:
    source = "import torch\none = torch.nn.Linear(2, 2)\ntwo = torch.nn.Linear(2, 2)\n"
    source += "two.load_state_dict(one.state_dict())\none(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "initialization") == ["two.load_state_dict(one.state_dict())"]


def test_loaders_of_functions_for_tests_tell_no_batch_size(tmp_path: Path) -> None:
    source = "from torch.utils.data import DataLoader\ndef get_train_loader(d):\n"
    source += "    return DataLoader(d, batch_size=8)\ndef get_test_loader(d):\n    return DataLoader(d, batch_size=1)\n"
    source += "get_train_loader(1)\nget_test_loader(1)\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "batch_size") == ["DataLoader(d, batch_size=8)"]


def test_a_constant_that_a_program_replaces_is_not_told(tmp_path: Path) -> None:
    source = "import torch\nimport params\nparams.epochs = 7\nnet = torch.nn.Linear(2, 2)\n"
    source += "for epoch in range(params.epochs):\n    net(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source, "params.py": "epochs = 9\n"})
    assert "epochs = 9" not in codes(made, "epochs")


def test_a_file_does_not_import_itself(tmp_path: Path) -> None:
    files = {
        "model/__init__.py": "from .net import Net\n",
        "model/net.py": "import torch\nclass Net(torch.nn.Module):\n    pass\n",
        "utils/model.py": "from model import Net\ndef get():\n    return Net()\n",
        "train.py": "from utils.model import get\nnet = get()\nnet(x).mean().backward()\n",
    }
    assert "class Net(torch.nn.Module)" in codes(as_json(tmp_path, files), "network")


def test_functions_in_functions_are_told_once(tmp_path: Path) -> None:
    source = "import torch\nclass Cats(torch.utils.data.Dataset):\n    def __getitem__(self, at):\n"
    source += "        def scaled(x):\n            row = x\n            return row / 255\n"
    source += "        return scaled(self.rows[at] + 1)\n"
    found = shown(as_json(tmp_path, {"a.py": source}), "augmentation")
    assert list(found) == ["Cats.__getitem__"]


def test_a_function_that_gives_itself_an_attribute_of_what_it_is_given(tmp_path: Path) -> None:
    source = "import torch\nclass Part:\n    def __init__(self, size):\n        self.size = size\n"
    source += "def build(one):\n    torch.optim.SGD(net, lr=one.size)\n    build(one.size)\nbuild(Part(3))\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "optimizer") == ["torch.optim.SGD(net, lr=one.size)"]


def test_optimizers_of_the_project_are_told_with_their_step(tmp_path: Path) -> None:
    source = "import torch\nclass Lion(torch.optim.Optimizer):\n    def step(self):\n        for one in self.all:\n"
    source += "            one.add_(one.grad.sign(), alpha=-0.1)\nLion(net.parameters())\nnet(x).backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert "one.grad.sign()" in shown(made, "optimizer")["Lion.step"]


def test_functions_that_give_networks_belong_to_networks(tmp_path: Path) -> None:
    source = "import torch\nclass Net(torch.nn.Module):\n    pass\ndef build(wide):\n    size = wide * 2\n"
    source += "    return Net(size)\nnet = build(3)\nloss = net(x).mean()\nloss.backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert list(shown(made, "network")) == ["build"]
    assert "build" not in shown(made, "loss")


def test_weights_of_a_file_for_a_part_of_a_network(tmp_path: Path) -> None:
    source = "import torch\nnet = torch.nn.Linear(2, 2)\nnet.base.load_state_dict(torch.load('vgg.pth'))\n"
    source += "net.load_state_dict(torch.load('old.pth'))\nself.net.load_state_dict(old)\nnet(x).mean().backward()\n"
    made = as_json(tmp_path, {"a.py": source})
    assert codes(made, "initialization") == ["net.base.load_state_dict(torch.load('vgg.pth'))"]


def test_functions_of_other_files_that_are_called_for_networks(tmp_path: Path) -> None:
    files = {
        "nets.py": "import torch\nclass Net(torch.nn.Module):\n    pass\ndef sizes(n):\n    return [n, n * 2]\n"
        "def build():\n    return Net(*sizes(4))\n",
        "train.py": "from nets import build\nnet = build()\nnet(x).mean().backward()\n",
    }
    made = as_json(tmp_path, files)
    assert set(shown(made, "network")) == {"sizes"}  # entries tell all of the other


def test_what_a_data_set_is_asked_for(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Cats(torch.utils.data.Dataset):\n    def some(self, number):\n"
        "        return self.images[:number] / 9\n    def __getitem__(self, at):\n"
        "        return self.images[at]\nnet = torch.nn.Linear(2, 2)\ncats = Cats()\nshown = cats.some(5)\n"
        "for x in torch.utils.data.DataLoader(cats, 4):\n    loss = net(x, shown).mean()\n"
        "    loss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert "shown = cats.some(5)" in codes(made, "data")
    assert "number] / 9" in str([one for item in made["recipe"] for one in item["functions"]])


def test_what_a_chain_of_calls_fills_is_part_of_the_step(tmp_path: Path) -> None:
    """What is filled is what the chain begins with, whatever its calls are given."""
    source = (
        "import torch\nfrom nets import Net\nfrom data import loader\nnet = Net()\nlabel = torch.zeros(1)\n"
        "criterion = torch.nn.BCELoss()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for x in loader:\n    size = x.size(0)\n    label.data.resize_(size).fill_(1)\n"
        "    loss = criterion(net(x), label)\n    loss.backward()\n    optimizer.step()\n"
    )
    code = "\n".join(shown(as_json(tmp_path, {"train.py": source}), "loss").values())
    assert "label.data.resize_(size).fill_(1)" in code
    assert "size = x.size(0)" in code
