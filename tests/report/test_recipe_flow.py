"""What the analysis follows by how values flow: batches to networks, values that functions give, what only
evaluates, and settings that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from test_analysis import as_json, codes, parameters

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = """\
import glob, json, random
import torch
class Net(torch.nn.Module): ...
class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = Net()
        self.names = glob.glob(args.folder + "*.json")
    def create_batches(self):
        random.shuffle(self.names)
        batches = []
        for at in range(0, len(self.names), self.args.size):
            batches.append(self.names[at:at + self.args.size])
        return batches
    def to_tensors(self, found):
        made = dict()
        made["edges"] = found["edges"] + [[b, a] for a, b in found["edges"]]
        features = []
        for one in found["labels"]:
            features.append([1.0 if one == each else 0.0 for each in self.labels])
        made["features"] = torch.FloatTensor(features)
        return made
    def process(self, batch):
        losses = 0
        for name in batch:
            found = json.load(open(name))
            found = self.to_tensors(found)
            losses = losses + torch.nn.functional.mse_loss(self.model(found), found["target"])
        losses.backward()
    def fit(self):
        for batch in self.create_batches():
            self.process(batch)
    def score(self):
        self.model.eval()
        for name in self.names:
            self.scores.append(measured_loss(self.model(name)))
def measured_loss(found):
    loss = (found - 1) ** 2
    return loss
Trainer(None).fit()
"""


def test_what_batches_go_through_before_networks_get_them(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": PAIRS})
    told = codes(made, "augmentation")
    assert 'made["edges"] = found["edges"] + [[b, a] for a, b in found["edges"]]' in told
    assert any("1.0 if one == each else 0.0" in one for one in told)


def test_what_objects_keep_of_which_they_make_batches(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": PAIRS}), "data")
    assert 'glob.glob(args.folder + "*.json")' in told
    assert "random.shuffle(self.names)" in told
    assert "batches.append(self.names[at:at + self.args.size])" in told


def test_functions_that_evaluate_whatever_their_names(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": PAIRS}), "loss")
    assert not any("(found - 1)" in one or "measured_loss" in one for one in told)


def test_batches_that_functions_of_other_files_change(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom b import shifted\nfrom torch import nn\nclass Net(nn.Module): ...\nnet = Net()\n"
        "def train(loader):\n    for x, y in loader:\n        given, wanted = shifted(x)\n        x = 2 * x - 1\n"
        "        t = torch.randint(9, (len(x),))\n        loss = (net(x, given, t) - wanted).mean()\n"
        "        loss.backward()\ntrain(1)\n",
        "b.py": "def shifted(x):\n    given = x[:, :-1]\n    return given, x\n",
    }
    told = codes(as_json(tmp_path, files), "augmentation")
    assert "given = x[:, :-1]" in told
    assert "x = 2 * x - 1" in told
    assert not any("randint" in one for one in told)


def test_which_of_several_values_a_function_gives(tmp_path: Path) -> None:
    files = {
        "a.py": "import sys\nimport b\nloader, variance, rest = b.loaded(len(sys.argv))\nfor x in loader:\n"
        "    loss = x / variance\n    loss.backward()\n",
        "b.py": "import numpy as np\ndef loaded(n):\n    if n == 3:\n        variance = np.var(n)\n    else:\n"
        "        variance = np.var(n / 255)\n    return [1], variance, n\n",
    }
    made = as_json(tmp_path, files)
    at = codes(made, "loss").index("loss = x / variance")
    entry = next(one for one in made["recipe"] if one["item"] == "loss")["entries"][at]
    known = {one["value"]: one["known"] for one in entry["parameters"]}
    assert known["variance"] == "np.var(n) if n == 3 / np.var(n / 255) if not (n == 3)"


def test_settings_of_classes_that_nothing_reads(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom b import Config\nopt = Config()\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=opt.lr)\nloss.backward()\n",
        "b.py": "class Config:\n    lr = 0.1\n    lr_decay = 0.95\n    def __init__(self):\n"
        "        self.weight_decay = 0.5\n",
    }
    made = as_json(tmp_path, files)
    assert codes(made, "schedule") == []
    assert "lr = 0.1" in codes(made, "optimizer")
    assert not any("weight_decay =" in one for one in codes(made, "optimizer"))


def test_names_that_functions_have_of_their_own(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom PIL import Image\nfrom torch.utils import data\nclass Photos(data.Dataset):\n"
        "    def __getitem__(self, i):\n        data = Image.open(self.names[i])\n"
        "        data = data.convert('L')\n        return data.float(), 1\nPhotos()\nloss.backward()\n"
    )
    assert "data = data.convert('L')" in codes(as_json(tmp_path, {"a.py": source}), "augmentation")


def test_how_weights_are_made_that_are_copied(tmp_path: Path) -> None:
    source = (
        "import torch\nimport numpy as np\nfrom torch import nn\nclass Net(nn.Module): ...\nnet = Net()\n"
        "vectors = np.random.uniform(-1, 1, (9, 3))\nvectors[0] = 0\n"
        "net.embed.weight.data.copy_(torch.from_numpy(vectors))\nloss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "initialization")
    assert "vectors = np.random.uniform(-1, 1, (9, 3))" in told
    assert "vectors[0] = 0" in told


def test_functions_that_only_where_weights_are_names(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import *\nsmall().backward()\n",
        "b.py": "from torch import nn\nplaces = {'small': 'http://a', 'large': 'http://b'}\n"
        "class Net(nn.Module): ...\ndef small():\n    return Net(2)\ndef large():\n    return Net(9)\n",
    }
    told = codes(as_json(tmp_path, files), "network")
    assert "Net(2)" in told
    assert "Net(9)" not in told


def test_calls_that_never_run_give_nothing(tmp_path: Path) -> None:
    source = (
        "from torch import nn\ndef shared_loss(found, share):\n    loss = found * share\n    return loss\n"
        "class Net(nn.Module):\n    def detect(self):\n        return shared_loss(self, 9)\n"
        "shared_loss(Net()(1), 2).backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "loss").index("loss = found * share")
    entry = next(one for one in made["recipe"] if one["item"] == "loss")["entries"][at]
    assert {one["value"]: one["known"] for one in entry["parameters"]}["share"] == "2"


def test_parameters_that_are_given_by_their_names_alone(tmp_path: Path) -> None:
    source = (
        "from torch.utils import data\nclass Loader(data.DataLoader):\n"
        "    def __init__(self, *args, width=1, **kwargs):\n        super().__init__(*args, **kwargs)\n"
        "loader = Loader(samples, width=3)\nloss.backward()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "data").index("Loader(samples, width=3)")
    given = parameters(made, "data", at)
    assert given["width"][0] == "3"
    assert given[""][0] == "samples"


def test_constants_that_stand_for_none(tmp_path: Path) -> None:
    source = (
        "import torch\nclip = None\nstate = None\ndef clip_gradient(net, most):\n"
        "    for one in net.parameters():\n        one.grad.data.clamp_(-most, most)\ndef main():\n"
        "    global state\n    if state is None:\n        net = torch.nn.Linear(1, 2)\n    else:\n"
        "        state = torch.load(state)\n    loss.backward()\n    if clip is not None:\n"
        "        clip_gradient(net, clip)\nmain()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    at = codes(made, "clipping").index("clip_gradient(net, clip)")
    entry = next(one for one in made["recipe"] if one["item"] == "clipping")["entries"][at]
    assert entry["conditions"][0]["known"] == "clip = None"


def test_lists_of_objects_that_losses_are_computed_from(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nfrom b import Player\nplayer = Player()\nplayer.act()\nloss = 0\n"
        "for i in range(3):\n    loss = loss - player.entropies[i]\nloss.backward()\n",
        "b.py": "import torch\nfrom torch.nn import functional as F\nclass Player:\n    def act(self):\n"
        "        shares = F.softmax(self.net(1), dim=1)\n        entropy = -(shares * shares.log()).sum(1)\n"
        "        self.entropies.append(entropy)\n",
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert "entropy = -(shares * shares.log()).sum(1)" in told
    assert "shares = F.softmax(self.net(1), dim=1)" in told


def test_rewards_that_are_changed(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Agent:\n    def act(self):\n        state, self.reward = self.env.step(1)\n"
        "        self.reward = max(min(self.reward, 1), -1)\n        self.total_reward += self.reward\n"
        "a = Agent()\na.act()\nloss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "augmentation")
    assert told == ["self.reward = max(min(self.reward, 1), -1)"]


def test_networks_that_train_themselves(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, y, epochs):\n"
        "        self.epochs = epochs\n        self.y = y\n        self.y = self.y - y.mean()\n"
        "    def train(self):\n        for epoch in range(self.epochs):\n"
        "            places = self.order[0:0 + self.batch_size]\n            wanted = self.y[places + 3]\n"
        "            self.step(wanted)\n    def step(self, wanted):\n        loss = self.net(wanted)\n"
        "        loss.backward()\nNet(1, 5).train()\n"
    )
    made = as_json(tmp_path, {"a.py": source})
    assert "for epoch in range(self.epochs)" in codes(made, "epochs")
    assert "wanted = self.y[places + 3]" in codes(made, "augmentation")
    assert "self.y = self.y - y.mean()" in codes(made, "augmentation")


def test_transforms_are_what_is_put_together(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torchvision import transforms\nclass Swap:\n    def __call__(self, im):\n"
        "        r, g, b = im.split()\n        im = merge('RGB', [b, g, r])\n        return im\n"
        "class Samples(torch.utils.data.Dataset):\n    def __init__(self):\n"
        "        self.transform = transforms.Compose([Swap(), transforms.ToTensor()])\n"
        "    def __getitem__(self, at):\n        return self.transform(self.images[at])\n"
        "loader = torch.utils.data.DataLoader(Samples())\nloss.backward()\n"
    )
    assert "im = merge('RGB', [b, g, r])" in codes(as_json(tmp_path, {"a.py": source}), "augmentation")


def test_samples_that_are_added_to(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Texts(torch.utils.data.Dataset):\n    def __getitem__(self, at):\n"
        "        document = np.stack(self.rows[at])\n        document += 1\n        return document\n"
        "loader = torch.utils.data.DataLoader(Texts())\nloss.backward()\n"
    )
    assert "document += 1" in codes(as_json(tmp_path, {"a.py": source}), "augmentation")


def test_methods_of_derived_classes_train(tmp_path: Path) -> None:
    files = {
        "base.py": "class Trainer:\n    def run(self, epochs):\n        for epoch in range(epochs):\n"
        "            self.train_epoch()\n    def train_epoch(self):\n        raise NotImplementedError\n",
        "a.py": "import torch\nfrom base import Trainer\nclass Own(Trainer):\n    def train_epoch(self):\n"
        "        loss = torch.nn.functional.mse_loss(self.net(1), 2)\n        loss.backward()\n"
        "Own().run(7)\n",
    }
    made = as_json(tmp_path, files)
    assert "for epoch in range(epochs)" in codes(made, "epochs")


def test_parameters_that_are_computed(tmp_path: Path) -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, adjacency):\n"
        "        super().__init__()\n        left, sizes, right = torch.svd(adjacency)\n"
        "        first = torch.mm(left[:, :10], torch.diag(sizes[:10] ** 0.5))\n"
        "        self.first = torch.nn.Parameter(first)\nNet(1)\nloss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "initialization")
    assert "first = torch.mm(left[:, :10], torch.diag(sizes[:10] ** 0.5))" in told
    assert "left, sizes, right = torch.svd(adjacency)" in told


def test_what_only_measures_is_no_loss(tmp_path: Path) -> None:
    files = {
        "util.py": "import torch\ndef masked_rmse(found, wanted):\n    loss = (found - wanted) ** 2\n"
        "    return torch.sqrt(loss.mean())\ndef masked_mae(found, wanted):\n"
        "    loss = torch.abs(found - wanted)\n    return torch.mean(loss)\n",
        "engine.py": "import util\nclass Engine:\n    def __init__(self):\n        self.loss = util.masked_mae\n"
        "    def train(self, x, y):\n        found = self.net(x)\n        loss = self.loss(found, y)\n"
        "        loss.backward()\n        rmse = util.masked_rmse(found, y).item()\n"
        "        return loss.item(), rmse\n",
        "a.py": "import torch\nfrom engine import Engine\ndef main():\n    engine = Engine()\n"
        "    for epoch in range(3):\n        engine.train(1, 2)\nif __name__ == '__main__':\n    main()\n",
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert "loss = torch.abs(found - wanted)" in told
    assert "loss = (found - wanted) ** 2" not in told


def test_layers_that_are_thawed(tmp_path: Path) -> None:
    source = (
        "import torch\nnet = torch.nn.Linear(1, 2)\nfor epoch in range(3):\n    if epoch == 0:\n"
        "        for p in net.parameters():\n            p.requires_grad = False\n    if epoch == 1:\n"
        "        for p in net.parameters():\n            p.requires_grad = True\n    loss.backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "groups")
    assert "p.requires_grad = True" in told


def test_parts_of_settings_for_tests(tmp_path: Path) -> None:
    files = {
        "config/a.yaml": "TRAIN:\n  batch_size: 16\nTEST:\n  batch_size: 3\n",
        "a.py": "import torch\ncfg = load('config/a.yaml')\n"
        "loader = torch.utils.data.DataLoader(samples, batch_size=cfg.batch_size)\n"
        "loss.backward()\n",
    }
    told = str([one for one in as_json(tmp_path, files)["recipe"] if one["item"] == "batch_size"])
    assert "'16'" in told
    assert "'3'" not in told


def test_returns_that_compute_more_than_a_loss(tmp_path: Path) -> None:
    source = (
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def reconstruction_loss(self, found, x):\n"
        "        return nn.BCELoss(reduction='sum')(found, x) / x.size(0)\n"
    )
    told = codes(as_json(tmp_path, {"model.py": source}), "loss")
    assert "return nn.BCELoss(reduction='sum')(found, x) / x.size(0)" in told


def test_settings_that_runs_wrote_or_that_environments_have(tmp_path: Path) -> None:
    files = {
        "log/first.json": '{\n  "lr": 3.0\n}\n',
        "environment.yml": "channels:\n  - pytorch\n  - defaults\n",
        "config.json": '{\n  "lr": 0.5\n}\n',
        "a.py": "import json, torch\nconfig = json.load(open('config.json'))\n"
        "net = Net(channels=config['channels'])\nclass Net(torch.nn.Module): ...\n"
        "torch.optim.SGD(net.parameters(), lr=config['lr'])\nloss.backward()\n",
    }
    made = as_json(tmp_path, files)
    assert "3.0" not in str(made["recipe"])
    assert "0.5" in str(made["recipe"])
    assert "defaults" not in str(made["recipe"])


def test_noise_with_what_draws_and_bounds_it(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nimport torch.nn.functional as F\nclass Agent:\n"
        "    def update(self, state, action, wanted, share, bound):\n"
        "        noise = torch.FloatTensor(action).data.normal_(0, share)\n"
        "        noise = noise.clamp(-bound, bound)\n        following = self.actor(state) + noise\n"
        "        following = following.clamp(-self.most, self.most)\n"
        "        loss = F.mse_loss(self.critic(state, following), wanted)\n        loss.backward()\n"
        "Agent().update(1, 2, 3, 4, 5)\n"
    }
    told = codes(as_json(tmp_path, files), "loss")
    assert "noise = torch.FloatTensor(action).data.normal_(0, share)" in told
    assert "following = following.clamp(-self.most, self.most)" in told


def test_epochs_that_end_where_functions_of_others_train(tmp_path: Path) -> None:
    files = {
        "agent.py": "class Agent:\n    def update(self, x):\n        loss = self.net(x).mean()\n        loss.backward()\n",
        "train.py": "import torch\nfrom agent import Agent\ndef train():\n    agent = Agent()\n"
        "    for episode in range(1000):\n        agent.update(1)\n        if agent.score / 10 >= 300:\n            break\n"
        "if __name__ == '__main__':\n    train()\n",
    }
    assert "agent.score / 10 >= 300" in codes(as_json(tmp_path, files), "epochs")


def test_letters_of_several_bytes_behind_calls(tmp_path: Path) -> None:
    files = {
        "a.py": "import torch\nnet = torch.nn.Linear(2, 2)\nx = made(1) # \u6570\u636e\nloss = net(x).mean() # \u6570\nloss.backward()\n"
    }
    made = as_json(tmp_path, files)
    assert not made["problems"]
    assert codes(made, "loss") == ["loss = net(x).mean()"]


GUIDED = """\
import numpy as np
import sys
import torch
net = torch.nn.Linear(2, 2)
steps = 0
def lr_decay(step):
    optimizer.param_groups[0]['lr'] = 0.1 / step
def train(loader, phase):
    for batch in loader:
        s = batch['mels']
        s.requires_grad = False
        def weight(n, t, g=0.2):
            return 1.0 - np.exp(-((n - t) ** 2) / (2 * g ** 2))
        w = np.fromfunction(weight, (3, 3))
        w = torch.from_numpy(w)
        loss = (net(s) * w).mean()
        if phase == 'train':
            lr_decay(steps)
            loss.backward()
while True:
    train(data, 'train')
    if steps >= config.most_rounds:
        sys.exit(0)
"""


def test_functions_that_libraries_compute_losses_with(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": GUIDED}), "loss")
    assert "return 1.0 - np.exp(-((n - t) ** 2) / (2 * g ** 2))" in told


def test_data_is_no_frozen_layer_and_phases_no_schedule(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": GUIDED})
    assert not codes(made, "groups")
    assert not any("phase" in one for one in codes(made, "schedule"))
    assert "steps >= config.most_rounds" in codes(made, "epochs")


RATES = """\
import math
import torch
def adjust_learning_rate(optimizer, epoch):
    if epoch == 75:
        lr = 0.001
    else:
        lr = 0.1 * math.cos(epoch)
    for group in optimizer.param_groups:
        group['lr'] = lr
    return lr
def sparser(net, s):
    for m in net.modules():
        m.weight.grad.data.add_(s * torch.sign(m.weight.data))
def train(net, loader, optimizer, epoch):
    lr = adjust_learning_rate(optimizer, epoch)
    for x in loader:
        steps = epoch * len(loader)
        loss = net(x).mean()
        loss.backward()
        sparser(net, 0.1)
        net.words.weight.grad *= 0.5
        if isinstance(optimizer, torch.optim.SGD):
            optimizer.step()
    return 100.0 - loss.item(), lr
optimizer = torch.optim.Adam(net.parameters(), lr=0.3)
for epoch in range(90):
    error, lr = train(net, loader, optimizer, epoch)
"""


def test_a_function_that_trains_and_gives_the_rate_too_is_no_schedule(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": RATES}), "schedule")
    assert "lr = 0.1 * math.cos(epoch)" in told
    assert "lr = 0.001" in told
    assert not [one for one in told if "steps" in one or "loss" in one]


def test_rates_of_a_schedule_and_what_is_asked_for_are_no_optimizers(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": RATES}), "optimizer")
    assert told == ["torch.optim.Adam(net.parameters(), lr=0.3)"]


def test_gradients_that_a_program_changes_are_told(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": RATES})
    assert codes(made, "groups") == ["net.words.weight.grad *= 0.5"]
    assert "m.weight.grad.data.add_(s * torch.sign(m.weight.data))" in codes(made, "loss")


def test_losses_that_are_kept_to_evaluate_are_not_told(tmp_path: Path) -> None:
    source = (
        "from torch import nn\nfrom measures import evaluate\ncriterion = nn.L1Loss()\n"
        "evaluate_l2 = nn.MSELoss()\nloss = criterion(net(x), y)\nloss.backward()\n"
        "print(evaluate(net, evaluate_l2))\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "loss")
    assert told == ["nn.L1Loss()", "loss = criterion(net(x), y)"]


def test_a_star_import_brings_the_function_that_is_called(tmp_path: Path) -> None:
    read = "import pandas as pd\ndef read_data(path, debug=True):\n    return pd.read_csv(path, nrows=250 if debug else None)\n"
    files = {
        "helpers.py": read,
        "other.py": f"{read}x = read_data('other.csv')\nnet(x).backward()\n",
        "main.py": "from helpers import *\nx = read_data('main.csv', debug=False)\nnet(x).backward()\n",
    }
    made = as_json(tmp_path, files)
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "data")
    entry = next(one for one in found if one["code"].startswith("pd.read_csv") and "helpers" in one["path"])
    assert [one["known"] for one in entry["parameters"] if not one["is_default"]] == [
        "'main.csv'",
        "debug = False",
    ]


def test_where_batches_are_put_is_no_part_of_a_loss(tmp_path: Path) -> None:
    source = (
        "import torch.nn.functional as F\ndef train(net, loader):\n    for data in loader:\n"
        "        for i in range(len(data)):\n            data[i] = data[i].to('cuda')\n"
        "        loss = F.cross_entropy(net(data), data[4])\n        loss.backward()\ntrain(net, loader)\n"
    )
    assert codes(as_json(tmp_path, {"a.py": source}), "loss") == ["F.cross_entropy(net(data), data[4])"]


GAN = """\
import torch
from torch import nn
def accumulate(kept, new, decay=0.999):
    one = dict(kept.named_parameters())
    other = dict(new.named_parameters())
    for key in one.keys():
        one[key].data.mul_(decay).add_(1 - decay, other[key].data)
class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList()
        self.linear = nn.Linear(3, 4)
        self.slow = list(self.convs.parameters())
    def forward(self, x):
        out = x
        for conv in self.convs:
            spread = out.std(0).mean()
            out = torch.cat([out, spread], 1)
        out = self.linear(out)
        return out[:, 0], out[:, 1:]
def train(net, kept, real):
    for x in real:
        predict, classes = net(x)
        loss = predict.mean() - 0.001 * (predict ** 2).mean()
        loss.backward()
        accumulate(kept, net)
        net.eval()
        width = int(3 * 1000.0)
        for part in real:
            x[width] = net(part)
net = Discriminator()
optimizer = torch.optim.Adam([{'params': net.slow, 'lr': 0.1}, {'params': net.linear.parameters()}])
train(net, Discriminator(), real)
"""


def test_what_layers_make_anew_is_no_part_of_a_loss(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": GAN}), "loss")
    assert "loss = predict.mean() - 0.001 * (predict ** 2).mean()" in told
    assert not [one for one in told if "spread" in one or "width" in one]


def test_averages_over_weights_that_have_a_name(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": GAN}), "ema")
    assert "one[key].data.mul_(decay).add_(1 - decay, other[key].data)" in told


def test_groups_are_told_with_the_layers_whose_weights_they_have(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": GAN})
    assert "self.slow = list(self.convs.parameters())" in codes(made, "groups")


def test_files_that_evaluate_by_a_word_of_their_name_are_not_told(tmp_path: Path) -> None:
    files = {
        "train.py": (
            "from torch import nn\nfrom tasks.eval_protocols import fit_lr\nnet = nn.Linear(3, 4)\n"
            "loss = net(x).mean()\nloss.backward()\nprint(fit_lr(net(x), y))\n"
        ),
        "tasks/eval_protocols.py": (
            "from sklearn.linear_model import LogisticRegression\ndef fit_lr(x, y, most=100):\n"
            "    if x.shape[0] > most:\n        x = x[:most]\n    return LogisticRegression().fit(x, y)\n"
        ),
    }
    assert codes(as_json(tmp_path, files), "schedule") == []


def test_embeddings_that_a_function_computes(tmp_path: Path) -> None:
    source = (
        "import numpy as np\nimport torch\nfrom torch import nn\ndef table(n, d):\n"
        "    made = np.array([[p / np.power(10000, i / d) for i in range(d)] for p in range(n)])\n"
        "    made[:, 0::2] = np.sin(made[:, 0::2])\n    return torch.FloatTensor(made)\n"
        "class Net(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
        "        self.at = nn.Embedding.from_pretrained(table(n, 8), freeze=True)\n"
        "        w = torch.qr(torch.randn(n, n))[0]\n        self.w = nn.Parameter(w.unsqueeze(0))\n"
        "Net(5)(x).backward()\n"
    )
    told = codes(as_json(tmp_path, {"a.py": source}), "initialization")
    assert "made[:, 0::2] = np.sin(made[:, 0::2])" in told
    assert "w = torch.qr(torch.randn(n, n))[0]" in told
    assert "self.w = nn.Parameter(w.unsqueeze(0))" in told


KEPT = """\
from torch import nn
import config
class EMA:
    def __init__(self, decay):
        self.decay = decay
        self.kept = {}
    def update_parameter(self, name, param):
        new = self.decay * param.data + (1.0 - self.decay) * self.kept[name]
        self.kept[name] = new.clone()
class Net(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(table)
        self.chars = nn.Embedding.from_pretrained(table, freeze=config.keep_chars)
        self.marks = nn.Embedding.from_pretrained(table, freeze=config.keep_marks)
net = Net(table)
ema = EMA(0.9)
net(x).backward()
for name, p in net.named_parameters():
    ema.update_parameter(name, p)
"""


def test_averages_that_a_method_computes(tmp_path: Path) -> None:
    files = {"a.py": KEPT, "config.py": "keep_chars = False\nkeep_marks = True\n"}
    told = codes(as_json(tmp_path, files), "ema")
    assert "new = self.decay * param.data + (1.0 - self.decay) * self.kept[name]" in told


def test_embeddings_that_a_setting_does_not_freeze(tmp_path: Path) -> None:
    files = {"a.py": KEPT, "config.py": "keep_chars = False\nkeep_marks = True\n"}
    assert codes(as_json(tmp_path, files), "groups") == [
        "nn.Embedding.from_pretrained(table)",
        "nn.Embedding.from_pretrained(table, freeze=config.keep_marks)",
    ]


GIVEN = """\
import numpy as np
import torch
class Tracker:
    def __init__(self):
        self.net = torch.nn.Linear(1, 1)
        self.criterion = torch.nn.BCELoss()
    def step(self, z):
        responses = self.predicted(z)
        labels = self.labels(responses.size())
        loss = self.criterion(responses, labels)
        loss.backward()
    def predicted(self, z):
        z = z * 3
        return self.net(z)
    def labels(self, size):
        def near(x, r):
            far = np.abs(x) + 1
            return np.where(far <= r, np.ones_like(x), np.zeros_like(x))
        x = np.arange(size) - (size - 1) / 2
        return torch.from_numpy(near(x, 3))
if flat:
    loss_op = lambda real, fake: (real - fake).abs().mean()
else:
    loss_op = lambda real, fake: (real - fake).pow(2).mean()
for x in data:
    loss = loss_op(x, net(x))
    loss.backward()
    Tracker().step(x)
"""


def test_what_functions_give_that_losses_are_given_and_functions_without_names(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": GIVEN}), "loss")
    assert {"far = np.abs(x) + 1", "x = np.arange(size) - (size - 1) / 2"} <= set(told)
    assert "loss_op = lambda real, fake: (real - fake).pow(2).mean()" in told
    assert not any("z * 3" in one for one in told)


FIRST_BATCH = """\
import torch
from torch import nn
class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(1, n))
        self.logs = nn.Parameter(torch.zeros(1, n))
    def start(self, x):
        spread = ((x.clone() + 1) ** 2).mean()
        logs = (1. / (spread.sqrt() + 1e-6)).log()
        self.logs.data.copy_(logs.data)
        self.count.data.copy_(logs.data)
    def forward(self, x):
        self.start(x)
        return x
for x in data:
    Norm(3)(x).sum().backward()
"""


def test_parameters_that_are_filled_under_any_name(tmp_path: Path) -> None:
    told = codes(as_json(tmp_path, {"a.py": FIRST_BATCH}), "initialization")
    assert told[2:] == [
        "spread = ((x.clone() + 1) ** 2).mean()",
        "logs = (1. / (spread.sqrt() + 1e-6)).log()",
        "self.logs.data.copy_(logs.data)",
    ]


HALVED = """\
import torch
class Net(torch.nn.Module):
    pass
kind = 'a'
if (kind=='a'):
    net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in data:
    net(x).sum().backward()
    state = optimizer.state_dict()
    state['param_groups'][0]['lr'] = state['param_groups'][0]['lr'] / 2
    optimizer.load_state_dict(state)
"""


def test_states_of_optimizers_are_no_weights_and_comparisons_without_spaces(tmp_path: Path) -> None:
    made = as_json(tmp_path, {"a.py": HALVED})
    assert codes(made, "initialization") == []
    found = next(one["entries"] for one in made["recipe"] if one["item"] == "network")
    assert [one["known"] for one in found[-1]["conditions"]] == ["kind = 'a'"]
