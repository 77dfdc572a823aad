"""What the analysis follows from where samples are read to where gradients are taken, whatever does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

SET = """\
import os
import cv2
import json
import torch
from near import load_label
class Cats(torch.utils.data.Dataset):
    def __init__(self, root):
        with open(os.path.join(root, 'list.txt')) as names:
            self.names = [name.strip() for name in names]
        self.vocabulary = json.load(open('words.json'))
    def __len__(self):
        return len(self.names)
    def __getitem__(self, index):
        index = index % 7
        place = index * self.step
        path = self.root + '/' + self.names[place]
        image = cv2.imread(path)
        image = image[:, :, ::-1].transpose(2, 0, 1)
        ids = [self.vocabulary[word] for word in self.text[index].split()]
        ids = ids + [0] * (9 - len(ids))
        label = torch.tensor(load_label(path))
        if self.transform is not None:
            image = self.transform(image)
        return torch.from_numpy(image), torch.tensor(ids), label
class Log:
    def __init__(self):
        self.lines = open('log.txt').read()
        open('list.txt', 'w').write('x')
for x in Cats('data'):
    loss = net(x)
    loss.backward()
"""
NEAR = """\
import numpy as np
import os
def load_label(path):
    label = np.loadtxt(path + '.txt')
    label = label - label.mean()
    return label
def other(path):
    label = np.loadtxt(path)
    label = label * 5
    return label
"""


def test_what_a_data_set_reads_and_does(tmp_path: Path) -> None:
    far = "import numpy as np\ndef load_label(path):\n    return np.load(path) * 3\nloss.backward()\n"
    made = as_json(tmp_path, {"a.py": SET, "near.py": NEAR, "far.py": far})
    assert codes(made, "data") == [
        "class Cats(torch.utils.data.Dataset)",
        "open(os.path.join(root, 'list.txt'))",
        "json.load(open('words.json'))",
        "cv2.imread(path)",
        "Cats('data')",
        "np.loadtxt(path + '.txt')",
    ]
    assert codes(made, "augmentation") == [
        "image = image[:, :, ::-1].transpose(2, 0, 1)",
        "ids = [self.vocabulary[word] for word in self.text[index].split()]",
        "ids = ids + [0] * (9 - len(ids))",
        "image = self.transform(image)",
        "label = label - label.mean()",
    ]


COLLATED = """\
import torch
class Words(torch.utils.data.Dataset):
    def __iter__(self):
        for one in self.words:
            yield one.lower(), len(one) / 5
def together(batch):
    batch = sorted(batch)
    parts = []
    for one in batch:
        parts.append(one[:9])
        seen.append(one)
    return torch.nn.utils.rnn.pad_sequence(parts)
def apart(batch):
    return pad(batch, 3)
loader = torch.utils.data.DataLoader(Words(), collate_fn=together)
def train():
    for x in loader:
        loss = net(x / 255)
        loss.backward()
def show(x):
    draw(x / 255)
train()
show(x)
"""


def test_what_loaders_and_training_do_with_samples(tmp_path: Path) -> None:
    assert codes(as_json(tmp_path, {"a.py": COLLATED}), "augmentation") == [
        "yield one.lower(), len(one) / 5",
        "parts.append(one[:9])",
        "return torch.nn.utils.rnn.pad_sequence(parts)",
        "loss = net(x / 255)",
    ]


def test_environments_by_their_rewards(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom birds import Birds, Timer\ngame = Birds()\nclock = Timer()\nwhile step < 5:\n"
        "    image, {}, is_over = game.next(1)\n    now, before = clock.tick()\n    loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source.format("reward")}), "data") == ["game = Birds()"]
    assert codes(as_json(tmp_path, {"a.py": source.format("place")}), "data") == []


def test_what_environments_show(tmp_path: Path) -> None:
    source = (
        "import gym\nimport cv2\nimport torch\nclass Small(gym.ObservationWrapper):\n"
        "    def observation(self, frame):\n        return smaller(frame)\n    def reward(self, r):\n"
        "        return r * 3\ndef smaller(frame):\n    frame = frame[34:194]\n"
        "    frame = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)\n    return frame\nSmall(env)\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "augmentation") == [
        "frame = frame[34:194]",
        "frame = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)",
    ]


def test_weights_that_losses_are_made_with(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom parts import shares, sizes\nweights = torch.tensor(shares(labels))\nn = sizes(labels)\n"
        "criterion = torch.nn.CrossEntropyLoss(weight=weights, ignore_index=n)\nfor x, y in data:\n"
        "    loss = criterion(net(x), y)\n    loss.backward()\n"
    )
    parts = (
        "import numpy as np\ndef shares(labels):\n    counts = np.bincount(labels)\n"
        "    return counts.sum() / counts\ndef sizes(labels):\n    return labels.max() + 1\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source, "parts.py": parts}), "loss")
    assert "return counts.sum() / counts" in told
    assert "return labels.max() + 1" not in told


SEVERAL = """\
import torch
def get_loss(x, y):
    m = torch.zeros(4, 2)
    share = (x - y) / 7
    m.view(-1).index_add_(0, x, share)
    best = torch.argmax(x * 5)
    loss = (m * x).sum()
    return loss, best
for x, y in data:
    loss, best = get_loss(net(x), y)
    loss.backward()
"""


def test_losses_among_several_values_and_views_that_are_changed(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": SEVERAL}), "loss")
    assert "loss = (m * x).sum()" in told
    assert "m.view(-1).index_add_(0, x, share)" in told
    assert "share = (x - y) / 7" in told
    assert "best = torch.argmax(x * 5)" not in told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "def cosine_schedule(n):\n    return torch.linspace(0, 1, n) ** 2\nbetas = cosine_schedule(5)\n",
            [],
        ),
        (
            "def cosine_schedule(step):\n    return step ** -0.5\nrate = cosine_schedule(5)\n",
            ["def cosine_schedule(step)", "return step ** -0.5", "cosine_schedule(5)"],
        ),
        (
            "for epoch in range(9):\n    if epoch == 3:\n        optimizer = made(net, lr * 0.1)\n    loss.backward()\n",
            ["made(net, lr * 0.1)"],
        ),
        ("optimizer = made(net, lr * 0.1)\n", []),
    ],
)
def test_what_changes_rates(tmp_path: Path, source: str, told: list[str]) -> None:
    source = f"import torch\nnet = torch.nn.Linear(3, 2)\n{source}loss.backward()\n"
    assert codes(as_json(tmp_path, {"a.py": source}), "schedule") == told


def test_weights_that_are_shared_and_what_functions_give_them(tmp_path: Path) -> None:
    source = (
        "import torch\ndef normalized_initializer(weights):\n    out = torch.randn(weights.size())\n    out *= 3 / out.norm()\n"
        "    return out\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
        "        self.out.weight = self.embedding.weight\n        self.first.weight = given\n"
        "        self.out.weight.data = normalized_initializer(self.out.weight)\nNet()\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "initialization") == [
        "def normalized_initializer(weights)",
        "out = torch.randn(weights.size())",
        "out *= 3 / out.norm()",
        "self.out.weight = self.embedding.weight",
        "self.out.weight.data = normalized_initializer(self.out.weight)",
    ]


INI = "[DEFAULT]\nLearningRate = 1e-4  # of Adam\n[train]\nbatch_size = 8\n; epochs = 3\n"


def test_files_with_sections(tmp_path: Path) -> None:
    source = (
        "import configparser\nimport torch\nconfig = configparser.ConfigParser()\nconfig.read('a.ini')\n"
        "torch.optim.SGD(p, lr=float(config['DEFAULT']['LearningRate']))\nn = config['train']['batch_size']\n"
        "loss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source, "a.ini": INI})
    assert codes(made, "batch_size") == ["batch_size: 8"]
    assert "1e-4" in parameters(made, "optimizer", 0)["lr"][1]


@pytest.mark.parametrize(
    ("name", "text"),
    [("setup.cfg", INI), ("net.cfg", "[train]\nbatch_size = 8\n[layer]\nsize = 3\n[layer]\nsize = 4\n")],
)
def test_sections_that_are_no_settings(tmp_path: Path, name: str, text: str) -> None:
    source = "import torch\nn = config['train']['batch_size']\nloss.backward()\n"
    assert codes(as_json(tmp_path, {"a.py": source, name: text}), "batch_size") == []


def test_imports_from_an_empty_package(tmp_path: Path) -> None:
    source = "import torch\nfrom . import other\nloss.backward()\ntorch.manual_seed(3)\n"
    made = as_json(
        tmp_path, {"package/__init__.py": "", "package/a.py": source, "package/other.py": "n = 3\n"}
    )
    assert codes(made, "seed") == ["torch.manual_seed(3)"]


LOADED = """\
import torch
from words import Words, numbered
def load_data(path):
    with open(path) as lines:
        for line in lines:
            parts = line.split(';')
            at = parts[1 + 2 * k]
            text = clean(parts[0])
            found.append(text)
    share = other * 3
    return numbered(found)
def clean(text):
    text = text[:9] + '.'
    text = text.encode('ascii')
    return re.sub('a', 'b', text)
def get_net(width):
    width = width * 2
    return torch.nn.Linear(width, 1)
class Meter:
    def update(self, loss):
        self.total_loss += loss * 3
data = load_data('words.txt')
batches = Words(data).in_parts(8)
log = logger.started(9)
meter = Meter()
net = get_net(3)
for x, y in enumerate(batches):
    loss = criterion(net(x), y)
    meter.update(loss)
    loss.backward()
for line in log:
    print(line)
"""
NUMBERED = """\
class Words: ...
def numbered(words):
    return [table[word] for word in words]
def lengths(words):
    return [table[word] * 2 for word in words]
"""


def test_what_is_done_with_what_is_loaded(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": LOADED, "words.py": NUMBERED})
    assert codes(made, "augmentation") == [
        "return numbered(found)",
        "text = text[:9] + '.'",
        "return re.sub('a', 'b', text)",
        "return [table[word] for word in words]",
    ]
    told = codes(made, "data")
    assert "batches = Words(data).in_parts(8)" in told
    assert "open(path)" in told
    assert not any(one.startswith("log =") for one in told)
    assert codes(made, "loss") == ["loss = criterion(net(x), y)"]


EVALUATED = """\
import torch
from near import Score, Net, total
def evaluate(net):
    return Score()(net)
def train(net):
    for x, y in data:
        y.sub_(1)
        kept = []
        for part in x:
            target = (part - y) / 7
            kept.append(target)
        kept = torch.cat(kept)
        loss = torch.nn.functional.mse_loss(net(x), kept) + penalty_loss(x)
        loss.backward()
        evaluate(net)
def penalty_loss(x):
    low, high = total(x)
    return torch.nn.functional.l1_loss(low, high)
train(Net())
"""
SCORED = """\
import torch
class Score(torch.nn.Module): ...
class Net(torch.nn.Module): ...
def total(x):
    low = x.min() * 3
    high = x.max() + 5
    return low, high
"""


def test_what_only_evaluates_and_what_losses_are_given(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": EVALUATED, "near.py": SCORED})
    assert codes(made, "network") == ["Net()", "class Net(torch.nn.Module)"]
    told = codes(made, "loss")
    assert "target = (part - y) / 7" in told
    assert "low = x.min() * 3" in told
    assert "high = x.max() + 5" in told


def test_targets_that_are_shifted(tmp_path: Path) -> None:
    source = (
        "import torch\nfor x, y in data:\n    y.sub_(1)\n    total.add_(3)\n"
        "    loss = torch.nn.functional.nll_loss(net(x), y)\n    loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert "y.sub_(1)" in told
    assert "total.add_(3)" not in told


def test_functions_that_chosen_classes_name(tmp_path: Path) -> None:
    net = (
        "from torch import nn\ndef initialize_weights(m):\n    nn.init.zeros_(m.weight)\n"
        "def init_others(m):\n    nn.init.ones_(m.weight)\nclass Network(nn.Module):\n"
        "    def __init__(self):\n        self.apply(initialize_weights)\n"
    )
    train = (
        "import importlib\nimport torch\nnet = getattr(importlib.import_module(config['net']), 'Network')()\n"
        "loss.backward()\n"
    )
    made = as_json(tmp_path, {"models/net.py": net, "train.py": train})
    told = ["def initialize_weights(m)", "nn.init.zeros_(m.weight)", "self.apply(initialize_weights)"]
    assert codes(made, "initialization") == told


def test_what_belongs_to_a_schedule_beside_others(tmp_path: Path) -> None:
    source = (
        "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--warmup', default=100)\n"
        "args = p.parse_args()\nwhile step < args.warmup:\n    memory.fill()\n{}loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source.format("")}), "schedule") == []
    told = codes(
        as_json(tmp_path, {"a.py": source.format("torch.optim.lr_scheduler.StepLR(o, 3)\n")}), "schedule"
    )
    assert "p.add_argument('--warmup', default=100)" in told


def test_code_that_never_runs_and_settings_of_a_namespace(tmp_path: Path) -> None:
    source = (
        "import torch\nimport types\nargs = types.SimpleNamespace()\nargs.hidden_size = 64\n"
        "args.num_epochs = 25\nif 0:\n    args.num_epochs = 5\nclass Net(torch.nn.Module):\n"
        "    def __init__(self, hidden_size):\n        self.hidden_size = hidden_size\n"
        "net = Net(args.hidden_size)\nfor epoch in range(args.num_epochs):\n    loss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert "args.num_epochs = 5" not in codes(made, "epochs")
    assert parameters(made, "network", 1)["hidden_size"] == ("args.hidden_size", "64")


def test_entries_that_samples_get_and_paths_that_they_do_not(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Letters(torch.utils.data.Dataset):\n    def __init__(self, root):\n"
        "        paths = [line for line in open(root)]\n        paths = [paths[i] for i in order]\n"
        "    def __getitem__(self, i):\n        x = torch.zeros(3, 9)\n        text = self.texts[i].lower()\n"
        "        for at, letter in enumerate(text):\n            x[letter][at] = 1.0\n"
        "        self.seen[i] = x\n        return x[:, ::-1]\nLetters('x')\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "augmentation") == [
        "text = self.texts[i].lower()",
        "x[letter][at] = 1.0",
        "return x[:, ::-1]",
    ]


def test_weights_that_are_taken_from_another_network(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
        "        for p, q in zip(self.parameters(), other.parameters()):\n            p.data = q.data\n"
        "            p.data = q\n    def follow(self, target_net):\n"
        "        for target_p, p in zip(target_net.parameters(), self.parameters()):\n"
        "            target_p.data = p.data\nNet()\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "initialization") == ["p.data = q.data"]


def test_samples_that_processes_draw(tmp_path: Path) -> None:
    source = (
        "import numpy as np\nimport torch\nfrom multiprocessing import Process\ndef draw(users, queue):\n"
        "    seen = np.zeros(9)\n    seen[at] = users[at]\n    return seen\ndef watch(x):\n    x[at] = 3\n    return x\n"
        "class WarpSampler:\n    def __init__(self):\n        Process(target=draw, args=(1, 2))\n"
        "Process(target=watch)\nWarpSampler()\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "augmentation") == ["seen[at] = users[at]"]


def test_functions_of_libraries_are_no_calls_of_methods(tmp_path: Path) -> None:
    source = (
        "import json\nimport torch\nclass News(torch.utils.data.Dataset):\n    def __init__(self):\n"
        "        self.load('a.csv')\n        self.words = json.load(open('words.json'))\n"
        "    def load(self, path):\n        self.lines = open(path).readlines()\nNews()\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "data").index("open(path)")
    assert parameters(made, "data", at)[""] == ("path", "'a.csv'")


def test_networks_that_modules_of_lightning_hold(tmp_path: Path) -> None:
    source = (
        "import pytorch_lightning as pl\nimport torch\nclass Net(torch.nn.Module): ...\n"
        "class Block(torch.nn.Module):\n    def __init__(self):\n        self.inner = Net()\n"
        "class Trained(pl.LightningModule):\n    def __init__(self):\n        self.net = Block()\n"
        "trainer.fit(Trained())\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "network") == [
        "class Net(torch.nn.Module)",
        "class Block(torch.nn.Module)",
        "class Trained(pl.LightningModule)",
        "Block()",
        "Trained()",
    ]


def test_hints_in_configuration_files(tmp_path: Path) -> None:
    source = "import torch\nn = cfg['warmup']\n{}loss.backward()\n"
    files = {"a.yaml": "warmup: 0.1\n"}
    assert codes(as_json(tmp_path, {**files, "a.py": source.format("")}), "schedule") == []
    schedule = "torch.optim.lr_scheduler.StepLR(o, 3)\n"
    told = codes(as_json(tmp_path, {**files, "a.py": source.format(schedule)}), "schedule")
    assert "warmup: 0.1" in told


GIVEN = """\
import torch
def loader(size):
    return torch.utils.data.DataLoader(data, batch_size=size)
def train():
    for x in loader({}):
        loss.backward()
def {}():
    for x in loader(1):
        loss = net(x)
"""


@pytest.mark.parametrize(
    ("size", "name", "known"),
    [("32", "evaluate_set", "32"), ("32", "fit_and_test", "32 / 1"), ("32", "other", "32 / 1")],
)
def test_what_evaluating_functions_give(tmp_path: Path, size: str, name: str, known: str) -> None:
    made = as_json(tmp_path, {"a.py": GIVEN.format(size, name)})
    assert parameters(made, "batch_size", 0)["batch_size"] == ("size", known)


def test_what_only_evaluating_functions_give(tmp_path: Path) -> None:
    source = GIVEN.replace("in loader({})", "in {}").format("data", "evaluate")
    assert parameters(as_json(tmp_path, {"a.py": source}), "batch_size", 0)["batch_size"] == ("size", "1")


def test_loops_that_are_epochs(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom tqdm import tqdm\n_EPOCH = 'epoch'\nEPOCHS = 9\n"
        "for epoch in range(EPOCHS):\n    bar = tqdm(range(1, 50), desc='x')\n    for x in bar:\n"
        "        loss.backward()\n    bar = tqdm(range(7))\n    for x in bar:\n        loss = net(x)\n"
        "    for epoch_id in range(1, epoch):\n        remove(epoch_id)\n"
        "    for inner_epoch in range(epoch):\n        loss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "epochs") == [
        "EPOCHS = 9",
        "for epoch in range(EPOCHS)",
        "for x in bar",
        "for inner_epoch in range(epoch)",
    ]


def test_images_that_are_changed_where_they_are_opened(tmp_path: Path) -> None:
    source = (
        "from PIL import Image\nimport torch\nclass Cats(torch.utils.data.Dataset):\n"
        "    def __getitem__(self, index):\n        image = Image.open(self.names[index]).convert('L')\n"
        "        mask = Image.open(self.masks[index]).copy()\n"
        "        name = open(self.names[index]).read()\n        return image, mask, name\n"
        "Cats()\nloss.backward()\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "augmentation") == [
        "image = Image.open(self.names[index]).convert('L')"
    ]


LISTED = """\
from PIL import Image
import torch
def read_list(path):
    return [line.split() for line in open(path)]
def read_image(path):
    return Image.open(path).convert('L')
def read_gray(path):
    return Image.open(path).convert('1')
class Faces(torch.utils.data.Dataset):
    def __init__(self, path, reader=read_list, loader=read_image):
        self.names = reader(path)
        self.loader = loader
    def __getitem__(self, index):
        return self.loader(self.names[index])
for x in Faces('a.txt'):
    loss = net(x)
    loss.backward()
"""


def test_functions_that_data_sets_have_as_defaults(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": LISTED})
    assert codes(made, "data") == [
        "open(path)",
        "Image.open(path)",
        "class Faces(torch.utils.data.Dataset)",
        "Faces('a.txt')",
    ]
    assert codes(made, "augmentation") == ["return Image.open(path).convert('L')"]


LEFT_OUT = """\
import random
import scipy.io
import torch
import numpy as np
from tqdm import trange
class Boxes(torch.utils.data.Dataset):
    def __init__(self, path):
        self.names = []
        for line in open(path):
            size = int(line.split()[1])
            if size > 9:
                self.names.append(line)
            if line.endswith('.jpg'):
                self.others.append(line)
    def __getitem__(self, at):
        mask = scipy.io.loadmat(self.names[at])['cls'][0]
        boxes = self.boxes_of(self.names[at])
        return changed(mask), boxes
    def boxes_of(self, name):
        found = []
        for at in trange(5):
            box = self.table[name][at]
            if box is None:
                continue
            if box[2] - box[0] < 3:
                continue
            if box[0] in self.kept:
                found.append(box)
        return found
def changed(image):
    ways = [np.fliplr, np.flipud]
    random.shuffle(ways)
    for way in ways:
        image = way(image)
    return image
for x in Boxes('a.txt'):
    loss = net(x)
    loss.backward()
"""


def test_samples_that_are_left_out_and_their_order(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": LEFT_OUT})
    assert "scipy.io.loadmat(self.names[at])['cls'][0]" in codes(made, "data")
    assert codes(made, "augmentation") == [
        "self.names.append(line)",
        "continue",
        "found.append(box)",
        "ways = [np.fliplr, np.flipud]",
        "random.shuffle(ways)",
        "image = way(image)",
    ]
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "augmentation")
    assert [one["value"] for one in found[0]["conditions"]] == ["size > 9"]
    assert [one["value"] for one in found[1]["conditions"]] == ["box[2] - box[0] < 3"]


TABLES = """\
import cv2
import numpy as np
import torch
class Marks(torch.utils.data.Dataset):
    def __init__(self, path):
        lines = list(open(path))
        self.values = sorted(np.unique(lines).tolist())
    def __getitem__(self, at):
        lr = cv2.imread(self.names[at])
        lr /= 255.0
        mark = self.marks[at]
        place = np.zeros((1, 3))
        place[0, 0] = mark[4]
        place[0, 1] = -1
        return lr, place
for x in Marks('a.txt'):
    loss = net(x)
    loss.backward()
"""


def test_entries_at_other_places_and_samples_of_low_resolution(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": TABLES})
    assert codes(made, "augmentation") == [
        "self.values = sorted(np.unique(lines).tolist())",
        "lr /= 255.0",
        "place[0, 0] = mark[4]",
        "place[0, 1] = -1",
    ]
    assert codes(made, "schedule") == []


PARTS = """\
import numpy as np
import torch
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler, random_split
from torchvision import datasets
def train():
    cats = datasets.CIFAR10('data')
    order = torch.randperm(len(cats))
    first = order[:100]
    part = Subset(cats, first)
    places = list(range(len(cats)))
    cut = int(np.floor(0.2 * len(cats)))
    np.random.shuffle(places)
    loader = DataLoader(cats, sampler=SubsetRandomSampler(places[cut:]))
    for x in loader:
        loss = net(x).mean()
        loss.backward()
train()
"""


def test_how_data_is_split(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": PARTS}), "data")
    for one in (
        "order = torch.randperm(len(cats))",
        "first = order[:100]",
        "places = list(range(len(cats)))",
        "cut = int(np.floor(0.2 * len(cats)))",
        "np.random.shuffle(places)",
    ):
        assert told.count(one) == 1
    assert "cats = datasets.CIFAR10('data')" not in told


MAPPED = """\
import cv2
import torch
class Streets(torch.utils.data.Dataset):
    def __init__(self):
        self.table = {7: 0, 8: 1}
    def __getitem__(self, at):
        label = cv2.imread(self.names[at])
        for old, new in self.table.items():
            label[label == old] = new
        return label
for x in Streets():
    loss = net(x)
    loss.backward()
"""


def test_what_loops_over_tables_do_to_samples(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": MAPPED})
    at = codes(made, "augmentation").index("label[label == old] = new")
    assert ("self.table", "{7: 0, 8: 1}") in parameters(made, "augmentation", at).values()


SOURCE = """\
import os
import torch
import xml.etree.ElementTree as ET
from .near import changed
class Voc:
    def __init__(self, root):
        self.classes = {'cat': 0}
        self.first = os.path.join(root, 'one.txt')
    def names(self):
        return [line.strip() for line in open(self.first)]
    def boxes(self, name):
        root = ET.parse(name)
        found = []
        for one in root.findall('object'):
            if int(one.find('difficult').text) == 1:
                continue
            found.append(float(one.find('x').text) - 1)
        return found
    def evaluate_boxes(self, name):
        return [line for line in open(name + '.results')]
class Boxes(torch.utils.data.Dataset):
    def __getitem__(self, at):
        high, wide = (576, 480)
        image = Image.open(self.names[at])
        image = image.resize((high, wide))
        image = changed(image)
        return image
"""
FUNCTIONS = """\
def changed(image):
    def brighter(x):
        x += hue * 5
        if x > 255:
            x -= 255
        return x
    image = image.point(brighter)
    return image
"""


def test_classes_in_folders_for_data_and_functions_that_are_given(tmp_path: Path) -> None:
    program = (
        "import torch\nfrom datasets.voc import Voc, Boxes\nmade = {'voc': lambda: Voc('data')}\n"
        "sets = made['voc']()\nprint(sets.names(), sets.boxes('a'), sets.evaluate_boxes('a'))\nfor x in Boxes():\n    loss = net(x)\n    loss.backward()\n"
    )
    files = {"datasets/__init__.py": "", "datasets/voc.py": SOURCE, "datasets/near.py": FUNCTIONS}
    made = as_json(tmp_path, {**files, "a.py": program})
    told = codes(made, "data")
    assert {"open(self.first)", "ET.parse(name)"} <= set(told)
    assert "open(name + '.results')" not in told
    steps = codes(made, "augmentation")
    assert {"continue", "image = image.point(brighter)", "x += hue * 5", "x -= 255"} <= set(steps)
    at = steps.index("image = image.resize((high, wide))")
    assert ("wide", "480") in parameters(made, "augmentation", at).values()


DRAWN = """\
import random
import torch
from torchvision import transforms
class Pairs(torch.utils.data.Dataset):
    def __init__(self, path):
        self.names = open(path).read().split()
        self.pairs = self.drawn(self.names)
        self.change = transforms.Compose([transforms.ToTensor(), lambda x: x * 2 - 1])
    def drawn(self, names):
        found = []
        for _ in range(9):
            first, second = random.choice(names), random.choice(names)
            while first == second:
                second = random.choice(names)
            found.append((first, second))
        return found
    def __getitem__(self, at):
        while True:
            other = random.choice(self.names)
            if other[0] != self.names[at][0]:
                break
        return self.names[at], other
for x in Pairs('a.txt'):
    loss = net(x)
    loss.backward()
"""


def test_what_is_drawn_once_more_and_functions_without_names(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": DRAWN})
    told = codes(made, "augmentation")
    assert {"while first == second", "break", "lambda x: x * 2 - 1"} <= set(told)
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "augmentation")
    end = next(one for one in found if one["code"] == "break")
    assert [one["value"] for one in end["conditions"]] == ["other[0] != self.names[at][0]"]


TABLE = """\
import numpy as np
import pandas as pd
import torch
class Rows(torch.utils.data.Dataset):
    def __init__(self, path):
        table = pd.read_csv(path)
        self.rows = table.iloc[:, :-1].values
        self.numbers = {name: at for at, name in enumerate(table['kind'])}
    def __getitem__(self, at):
        row = self.rows[at] * 2
        if len(row) == 0:
            row = np.zeros(9)
        return torch.from_numpy(row)
def load_data(path):
    kinds = np.genfromtxt(path, dtype=str)
    ids = np.array(list(map(TABLE.get, kinds)))
    sizes = np.array(list(map(int, kinds)))
    idx_train = range(140)
    return ids, sizes, idx_train
ids, sizes, idx_train = load_data('x')
for x in Rows('a.csv'):
    loss = net(x, ids, sizes)
    loss.backward()
"""


def test_columns_numbers_and_what_stands_in_for_samples(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": TABLE})
    assert codes(made, "augmentation") == [
        "self.rows = table.iloc[:, :-1].values",
        "self.numbers = {name: at for at, name in enumerate(table['kind'])}",
        "row = self.rows[at] * 2",
        "row = np.zeros(9)",
        "ids = np.array(list(map(TABLE.get, kinds)))",
    ]
    assert "idx_train = range(140)" in codes(made, "data")


ORDERED = """\
import numpy as np
import torch
def get_batches(x, size, shuffle=True):
    if shuffle:
        index = torch.randperm(len(x))
    for at in range(0, len(x), size):
        yield x[index[at:at + size]]
x = torch.load('train.pt')
for epoch in range(2):
    order = torch.randperm(len(x))
    for i in range(0, len(x), 50):
        chosen = order[i:i + 50]
        net(x[chosen]).sum().backward()
    for i in np.random.permutation(len(x)):
        net(x[i]).sum().backward()
    for one in get_batches(x, 3):
        net(one).sum().backward()
"""


def test_orders_that_are_drawn(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": ORDERED})
    told = codes(made, "data")
    drawn = ["index = torch.randperm(len(x))", "for i in np.random.permutation(len(x))"]
    assert set(drawn) <= set(told)
    at = told.index("chosen = order[i:i + 50]")
    assert ("order", "torch.randperm(len(x))") in parameters(made, "data", at).values()


CHOSEN = """\
import numpy as np
from torchvision import datasets
from near import numbered
class Own(datasets.CIFAR10):
    def __init__(self, root, indices, numbers):
        super().__init__(root)
        self.count = 0
        self.data = self.data[indices]
def parts(labels):
    found = []
    for kind in range(10):
        at = np.where(labels == kind)[0]
        found.extend(np.random.choice(at, 400, False))
    np.random.shuffle(found)
    return found
def load_config(path):
    return [int(one) * 2 for one in path]
labeled = parts(labels)
numbers = numbered(labels)
sizes = load_config('x')
for x in Own('x', labeled, numbers, sizes):
    net(x).sum().backward()
"""
ORDERING = "def numbered(labels):\n    order = sorted(labels)[:9] * 2\n    return order\n"


def test_what_data_sets_are_made_of(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": CHOSEN, "near.py": ORDERING}), "augmentation")
    assert told == [
        "self.data = self.data[indices]",
        "at = np.where(labels == kind)[0]",
        "np.random.choice(at, 400, False)",
        "np.random.shuffle(found)",
        "order = sorted(labels)[:9] * 2",
    ]


GAN = """\
import argparse
import torch
import near
opt = argparse.ArgumentParser().parse_args()
loader = near.load_data('data')
shown = near.random_crop(next(iter(loader)), opt.size)
shown = near.resize_all(shown)
G = near.Generator(4)
for epoch in range(3):
    for x in loader:
        y = x[:, :, :, 0:opt.size]
        x = x[:, :, :, opt.size:]
        x, y = near.random_crop(x, opt.size), near.random_crop(y, opt.size)
        loss = G(x, y).abs().mean()
        loss.backward()
    near.show_result(G, shown)
"""


def test_batches_of_networks_with_short_names_and_what_is_only_shown(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": GAN}), "augmentation")
    assert told[:2] == ["y = x[:, :, :, 0:opt.size]", "x = x[:, :, :, opt.size:]"]
    assert not any("shown" in one for one in told)


BASE = """\
import numpy as np
import torch
class Depths(torch.utils.data.Dataset):
    def __init__(self, kind, sparser):
        self.sparser = sparser
        if kind == 'train':
            self.change = self.train_change
    def train_change(self, rgb, depth):
        raise ValueError
    def joined(self, rgb, depth):
        sparse = self.sparser.dense_to_sparse(rgb, depth)
        rgbd = np.append(rgb, sparse, axis=2)
        return rgbd
    def __getitem__(self, at):
        rgb, depth = self.raw(at)
        rgb, depth = self.change(rgb, depth)
        return self.joined(rgb, depth), depth
"""
DERIVED = """\
import numpy as np
from base import Depths
class Streets(Depths):
    def train_change(self, rgb, depth):
        scale = np.random.uniform(1.0, 1.5)
        depth = depth / scale
        rgb = np.asarray(rgb) / 255
        return rgb, depth
    def other_change(self, rgb):
        rgb = rgb * 7
        return rgb
"""
SPARSE = """\
import numpy as np
class Uniform:
    def dense_to_sparse(self, rgb, depth):
        kept = depth * (np.random.uniform(0, 1, depth.shape) < 0.3)
        return kept
"""


def test_methods_of_derived_classes_and_of_what_data_sets_are_given(tmp_path: Path) -> None:
    program = (
        "from derived import Streets\nfrom sparse import Uniform\n"
        "for x, y in Streets('train', Uniform()):\n    net(x).sum().backward()\n"
    )
    files = {"base.py": BASE, "derived.py": DERIVED, "sparse.py": SPARSE, "a.py": program}
    told = codes(as_json(tmp_path, files), "augmentation")
    assert {"rgbd = np.append(rgb, sparse, axis=2)", "rgb = np.asarray(rgb) / 255"} <= set(told)
    assert {"scale = np.random.uniform(1.0, 1.5)", "depth = depth / scale"} <= set(told)
    assert "kept = depth * (np.random.uniform(0, 1, depth.shape) < 0.3)" in told
    assert not any("rgb * 7" in one for one in told)


ROWS = """\
import cv2
import numpy as np
import torch
class Faces(torch.utils.data.Dataset):
    def __init__(self, path):
        self.lines = open(path).readlines()
        self.order = np.random.permutation(len(self.lines))
    def __getitem__(self, at):
        row = self.lines[self.order[at]].split()
        image = cv2.imread(row[0])
        corners = np.round(row[9] * 2)
        patch = image[corners[0]:corners[2], corners[1]:corners[3]]
        marks = np.asarray(row[1:197], dtype=np.float32)
        empty = np.zeros(image.shape[0:2])
        return patch, marks, empty, row[0][:-4]
for x in Faces('a.txt'):
    net(x).sum().backward()
"""


def test_parts_of_rows_and_places_in_cuts(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": ROWS})
    told = codes(made, "augmentation")
    assert "patch = image[corners[0]:corners[2], corners[1]:corners[3]]" in told
    assert "marks = np.asarray(row[1:197], dtype=np.float32)" in told
    assert not any("empty" in one for one in told)
    assert "self.order = np.random.permutation(len(self.lines))" in codes(made, "data")


CLIPS = """\
import numpy as np
import torch
from near import train
class Clips(torch.utils.data.Dataset):
    def __getitem__(self, at):
        clip = np.load(self.names[at])
        count = 0
        count += 1
        if self.split == 'test':
            clip = self.flipped(clip)
        clip = self.normalize(clip)
        return clip
    def flipped(self, clip):
        return np.flip(clip)
    def normalize(self, clip):
        for i, frame in enumerate(clip):
            frame -= np.array([[90.0]])
            clip[i] = frame
        return clip
    def check_preprocess(self, folder):
        for name in folder:
            image = np.load(name)
            if image.shape[0] != 3:
                break
        return True
train(torch.utils.data.DataLoader(Clips()), net)
"""
MIXED = """\
import numpy as np
import torch
def rand_bbox(size, lam):
    cut = np.sqrt(1. - lam)
    left = np.clip(size - cut // 2, 0, size)
    return left, left + 3
def train(loader, model):
    for i, (input, target) in enumerate(loader):
        input = input.cuda()
        order = torch.randperm(input.size()[0]).cuda()
        left, right = rand_bbox(input.size(), np.random.beta(1, 1))
        input[:, :, left:right] = input[order, :, left:right]
        loss = criterion(model(input), target)
        loss.backward()
"""


def test_conditions_of_own_functions_and_batches_that_are_mixed(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": CLIPS, "near.py": MIXED})
    told = codes(made, "augmentation")
    assert told[:4] == [
        "clip = self.flipped(clip)",
        "return np.flip(clip)",
        "frame -= np.array([[90.0]])",
        "clip[i] = frame",
    ]
    mixed = "input[:, :, left:right] = input[order, :, left:right]"
    assert {"cut = np.sqrt(1. - lam)", "order = torch.randperm(input.size()[0]).cuda()", mixed} <= set(told)
    assert "break" not in told
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "augmentation")
    assert [one["value"] for one in found[0]["conditions"]] == ["self.split == 'test'"]


READ = """\
import os
import pickle
import glob
import h5py
import torch
from near import Reader, Own
words = pickle.load(open(os.path.join(opt.root, 'words.dat'), 'rb'))
names = [os.path.basename(one) for one in glob.glob('images/*.png')]
settings = pickle.load(open('options.pkl', 'rb'))
runs = sorted(glob.glob('run/*'))
net = Net(len(words))
reader = Reader('a.csv', 24)
for x in torch.utils.data.DataLoader(Own('a.h5', names)):
    net(x).sum().backward()
for x in reader.get_batches(reader.train, 3):
    net(x).sum().backward()
print(settings, len(runs))
"""
READERS = """\
import h5py
import numpy as np
import torch
class Own(torch.utils.data.Dataset):
    def __init__(self, path, names, ws=None):
        self.data = h5py.File(path).get('rest')
        hf = h5py.File(path)
        self.data = hf.get('data')
        if ws is not None:
            self.data = np.clip(self.data, 0, ws)
class Reader:
    def __init__(self, path, window):
        self.rows = np.loadtxt(path)
        self.rows = self.rows / np.max(self.rows)
        train_set = range(window, int(0.6 * len(self.rows)))
        self.train = self.cut(train_set)
    def cut(self, places):
        return [self.rows[at - 3:at] for at in places]
    def get_batches(self, rows, size):
        for at in range(0, len(rows), size):
            yield rows[at:at + size]
class Log:
    def __init__(self, path):
        self.lines = np.loadtxt(path)
        self.lines = self.lines * 9
"""


def test_files_that_programs_read_and_classes_that_read_them(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": READ, "near.py": READERS})
    told = codes(made, "data")
    read = {"pickle.load(open(os.path.join(opt.root, 'words.dat'), 'rb'))", "glob.glob('images/*.png')"}
    own = {"hf.get('data')", "np.loadtxt(path)", "train_set = range(window, int(0.6 * len(self.rows)))"}
    assert read | own | {"class Reader", "Reader('a.csv', 24)"} <= set(told)
    assert "class Log" not in told
    assert not any("run/" in one or "options" in one for one in told)
    steps = codes(made, "augmentation")
    assert "self.rows = self.rows / np.max(self.rows)" in steps
    assert not any("clip" in one or "* 9" in one for one in steps)


SAMPLER = """\
import numpy as np
import torch
class speakers(torch.utils.data.Sampler):
    def __iter__(self):
        order = torch.randperm(len(self.labels)).tolist()
        return iter(order[:9])
class ToScaled(object):
    def __call__(self, sample):
        image = np.zeros((3, 3))
        image[:, :, 0] = (sample[:, :, 0] - 0.485) / 0.229
        return image
class ToNothing(object):
    def __call__(self, sample):
        return sample * 11
class Images(torch.utils.data.Dataset):
    def __init__(self, change):
        self.change = change
    def __getitem__(self, at):
        image = self.images[at][:self.most]
        return self.change(image)
"""


def test_transforms_and_samplers_of_other_files_whatever_their_names(tmp_path: Path) -> None:
    program = (
        "from torchvision import transforms\nfrom near import Images, ToScaled, speakers\nkind = 'a'\n"
        "images = Images(transforms.Compose([ToScaled()]))\n"
        "if (kind=='a'):\n    net = torch.nn.Linear(1, 1)\n"
        "for x in torch.utils.data.DataLoader(images, sampler=speakers()):\n    net(x).sum().backward()\n"
    )
    made = as_json(tmp_path, {"a.py": "import torch\n" + program, "near.py": SAMPLER})
    told = codes(made, "augmentation")
    steps = {"image[:, :, 0] = (sample[:, :, 0] - 0.485) / 0.229", "image = self.images[at][:self.most]"}
    assert steps <= set(told)
    assert not any("* 11" in one for one in told)
    data = codes(made, "data")
    assert "class speakers(torch.utils.data.Sampler)" in data
    assert "order = torch.randperm(len(self.labels)).tolist()" in data


GATHERED = """\
import random
import torch
class Normalize28(object):
    def __init__(self, size):
        self.size = size
    def __call__(self, img):
        img = img.resize(self.size)
        img.sub_(0.5)
        return img
class alignCollate(object):
    def __call__(self, batch):
        change = Normalize28((100, 32))
        images = [change(image) for image, _ in batch]
        return torch.stack(images)
class TailSampler(torch.utils.data.Sampler):
    def __iter__(self):
        index = torch.LongTensor(len(self))
        start = random.randint(0, 9)
        index[3:] = start + torch.range(0, 9)
        return iter(index)
def index_classes(items):
    idx, groups = {}, {}
    for one in items:
        groups[one[1]] = []
        if one[1] not in idx:
            idx[one[1]] = len(idx)
    return idx
class Letters(torch.utils.data.Dataset):
    def __init__(self, path):
        self.items = open(path).readlines()
        self.classes = index_classes(self.items)
"""


def test_objects_that_collate_what_samplers_compute_and_classes_that_are_counted(tmp_path: Path) -> None:
    program = (
        "import torch\nimport near\nletters = near.Letters('a.txt')\n"
        "loader = torch.utils.data.DataLoader(letters, sampler=near.TailSampler(letters),"
        " collate_fn=near.alignCollate())\n"
        "for x in loader:\n    net(x).sum().backward()\n"
    )
    made = as_json(tmp_path, {"a.py": program, "near.py": GATHERED})
    told = codes(made, "augmentation")
    assert {"img = img.resize(self.size)", "img.sub_(0.5)", "idx[one[1]] = len(idx)"} <= set(told)
    assert "images = [change(image) for image, _ in batch]" in told
    assert not any("groups" in one for one in told)
    assert "index[3:] = start + torch.range(0, 9)" in codes(made, "data")
