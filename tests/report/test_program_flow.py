"""What programs do to data before they train, and classes and functions that are chosen by what others
return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

LOADING = """\
import numpy as np
def load_data():
    A = np.load("a.npy")
    X = np.load("x.npy")
    return A, X
def windows(x, size):
    found = []
    for i in range(len(x) - size):
        found.append(x[i:i + size])
    return np.array(found)
def normalized(a):
    total = np.sum(a, axis=1)
    return a / total
"""
TRAINING = """\
import torch
from loading import load_data, windows, normalized
def train_epoch(x):
    loss = net(graph, x).mean()
    loss.backward()
if __name__ == "__main__":
    A, X = load_data()
    split = int(X.shape[0] * 0.6)
    train_part = X[:split]
    val_part = X[split:]
    inputs = windows(train_part, 12)
    val_inputs = windows(val_part, 12)
    graph = normalized(A)
    graph = torch.from_numpy(graph)
    num_nodes = A.shape[0]
    net = torch.nn.Linear(num_nodes, 2)
    for epoch in range(9):
        loss = train_epoch(inputs)
    seen = X * 2
"""


def test_what_programs_do_to_data_under_other_names(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"main.py": TRAINING, "loading.py": LOADING}), "augmentation")
    assert set(told) == {
        "total = np.sum(a, axis=1)",
        "found.append(x[i:i + size])",
        "return a / total",
        "split = int(X.shape[0] * 0.6)",
        "train_part = X[:split]",
        "inputs = windows(train_part, 12)",
        "graph = normalized(A)",
    }


CHOSEN = {
    "data/__init__.py": "from .sets import A, B\ndef get_dataset(name):\n    return {'a': A, 'b': B}[name]\n",
    "data/sets.py": "import cv2\nimport torch\nclass Base(torch.utils.data.Dataset):\n"
    "    def __init__(self, crop=321):\n        self.crop = crop\n    def __getitem__(self, at):\n"
    "        image = cv2.imread(self.names[at])\n        return image[: self.crop, : self.crop]\n"
    "class A(Base):\n    def __init__(self, **kwargs):\n        super().__init__(**kwargs)\n"
    "class B(A): ...\n"
    "if __name__ == '__main__':\n    kwargs = {'rows': 10}\n    show(**kwargs)\n",
    "train.py": "import torch\nfrom omegaconf import OmegaConf\nfrom data import get_dataset\n"
    "CONFIG = OmegaConf.load('c.yaml')\ndataset = get_dataset(CONFIG.DATASET.NAME)(crop=CONFIG.DATASET.CROP)\n"
    "loss = torch.nn.Linear(2, 2)(dataset[0]).mean()\nloss.backward()\n",
    "c.yaml": "DATASET:\n  NAME: b\n  CROP: 64\n",
    "conda_env.yaml": "name: tools\n",
}


def test_classes_that_a_function_chooses_from_a_dictionary(tmp_path: Path) -> None:
    made = as_json(tmp_path, CHOSEN)
    at = codes(made, "augmentation").index("return image[: self.crop, : self.crop]")
    assert parameters(made, "augmentation", at)[""] == ("self.crop", "64")
    at = codes(made, "data").index("get_dataset(CONFIG.DATASET.NAME)")
    assert parameters(made, "data", at)[""] == ("CONFIG.DATASET.NAME", "b")


def test_programs_with_commands(tmp_path: Path) -> None:
    files = {
        "main.py": "import click, torch\n@click.group()\ndef main(): ...\n@main.command()\n"
        "@click.option('--lr', default=0.1)\ndef train(lr):\n    net = torch.nn.Linear(2, 2)\n"
        "    torch.optim.SGD(net.parameters(), lr)\n    loss = net(x).mean()\n    loss.backward()\n"
        "@main.command()\n@click.option('--size', default=5)\ndef test(size):\n"
        "    torch.set_grad_enabled(False)\n    net.eval()\n"
        "    loader = torch.utils.data.DataLoader(data, batch_size=size)\n"
        "def never():\n    torch.manual_seed(3)\nif __name__ == '__main__':\n    main()\n"
    }
    made = as_json(tmp_path, files)
    assert not codes(made, "seed")
    assert not any("DataLoader" in one for one in codes(made, "data"))
    assert any("SGD" in one for one in codes(made, "optimizer"))


def test_functions_that_freeze_are_none_that_evaluate(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nclass Net(torch.nn.Module):\n    def freeze_stages(self, last):\n"
        "        for at in range(last):\n            layer = getattr(self, f'layer{at}')\n            layer.eval()\n"
        "            for parameter in layer.parameters():\n                parameter.requires_grad = False\n"
        "net = Net()\nnet.freeze_stages(1)\nloss = net(x).mean()\nloss.backward()\n"
    }
    assert "parameter.requires_grad = False" in codes(as_json(tmp_path, files), "groups")


PLAYING = """\
import torch
from game import Game
from shrinking import preprocess
net = torch.nn.Linear(2, 2)
game = Game()
image, reward, done = game.frame(0)
image = preprocess(image[:288, :404], 84)
state = torch.cat(tuple(image for _ in range(4)))
avg_reward = 0
while True:
    found = net(state)[0]
    action = torch.argmax(found)
    seen, reward, done = game.frame(action)
    seen = preprocess(seen[:288, :404], 84)
    state = torch.cat((state[1:], seen))
    avg_reward = avg_reward / 10
    loss = (found - reward).mean()
    loss.backward()
"""


def test_what_environments_show_until_networks_get_it(tmp_path: Path) -> None:
    files = {"play.py": PLAYING, "shrinking.py": "def preprocess(image, size):\n    return image / 255\n"}
    assert set(codes(as_json(tmp_path, files), "augmentation")) == {
        "image = preprocess(image[:288, :404], 84)",
        "state = torch.cat(tuple(image for _ in range(4)))",
        "seen = preprocess(seen[:288, :404], 84)",
        "state = torch.cat((state[1:], seen))",
        "return image / 255",
    }


def test_steps_of_what_is_read_under_keys(tmp_path: Path) -> None:
    files = {
        "a.py": "import numpy as np\nimport torch\ndef load_data(name):\n    kept = np.load(name)\n"
        "    train_x = kept['train_x']\n    train_x = train_x[:, :, 0:1]\n    val_x = kept['val_x']\n"
        "    val_x = val_x[:, :, 0:1]\n    return train_x, val_x\n"
        "net = torch.nn.Linear(2, 2)\nfor x in load_data('a'):\n    loss = net(x).mean()\n    loss.backward()\n"
    }
    assert codes(as_json(tmp_path, files), "augmentation") == ["train_x = train_x[:, :, 0:1]"]


def test_methods_of_data_that_batches_are_given_to(tmp_path: Path) -> None:
    files = {
        "sets.py": "class Words:\n    def spelled(self, batch):\n"
        "        return [[self.letters[w] for w in words] for words in batch]\n",
        "a.py": "import torch\nfrom sets import Words\nnet = torch.nn.Linear(2, 2)\ndata = Words()\n"
        "for batch in data.batches:\n    letters = torch.tensor(data.spelled(batch))\n"
        "    loss = net(letters).mean()\n    loss.backward()\n",
    }
    assert codes(as_json(tmp_path, files), "augmentation") == [
        "letters = torch.tensor(data.spelled(batch))",
        "return [[self.letters[w] for w in words] for words in batch]",
    ]
