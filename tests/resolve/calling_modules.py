"""Projects of a few modules that call each other, made of random pieces, and edits of them.

After any edits, once what calls give has settled, what is found of every module equals what a session finds
that is given the latest texts alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.source.document import Document

ROOT = Path("/nowhere/mindport")
HEAD = (
    "import torch\nfrom collections import namedtuple\nfrom functools import partial\nfrom torch import nn\n"
    "from typing import NamedTuple\n"
)
NAMES = ("alpha", "beta", "gamma", "delta")
FUNCTIONS = ("first", "second", "third")
CLASSES = ("Layer", "Block")
PIECES = (
    # what calls give: objects, Tensors, classes, functions, containers
    "{f}(torch.zeros(3))\n",
    "{f}(nn.GELU)\n",
    "{f}(nn.ReLU(), x=1)\n",
    "{f}(x=nn.Linear(3, 4))\n",
    "{f}([torch.ones(1), None])\n",
    "{f}((nn.ReLU, torch.ones(2)))\n",
    "{f}({{'x': torch.ones(2), 'act': nn.Tanh}})\n",
    "{f}({g})\n",
    "{f}({c})\n",
    "{f}({c}(nn.SiLU))\n",
    "{f}(partial({g}, nn.GELU))\n",
    "{f}(partial({c}, act=nn.ELU))\n",
    "{f}(*(torch.ones(1), nn.ReLU))\n",
    "{f}(**{{'x': nn.ReLU, 'y': torch.ones(1)}})\n",
    "{f}({m}.{g})\n",
    "{m}.{f}(torch.ones(1))\n",
    "{f}(lambda x: x.view(1))\n",
    "{f}(1, 'a')\n",
    # who is given something
    "def {f}(x, y=None):\n    x.view(1)\n    return x\n",
    "def {f}(x, y=nn.ReLU):\n    y(x)\n    return {g}(x)\n",
    "def {f}(x=None, *rest, **named):\n    rest[0].sum()\n    named['act']()\n    return {g}(*rest, **named)\n",
    "def {f}(x, *, y=torch.ones(2)):\n    return {g}(y, x) or x.mean()\n",
    "def {f}(x, y=None):\n    if y:\n        return {f}(y, x)\n    return x.unbind()[0]\n",
    "def {f}(act):\n    return act(torch.ones(1)).relu()\n",
    "def {f}(x):\n    x = {g}(x)\n    for x in x:\n        x.sum()\n    return x\n",
    "def {f}(x):\n    return {c}(x)\n",
    "def {f}(x):\n    x.run({g})\n    return x.act\n",
    "def {f}(x):\n    yield {g}(x)\n    yield from {h}(x)\n",
    # constructors, attributes, methods, modules
    "class {c}:\n    def __init__(self, act, x=None):\n        self.act = act()\n        self.x = x\n"
    "    def run(self, x):\n        self.x.sum()\n        return self.act(x).view(1)\n",
    "class {c}(nn.Module):\n    def __init__(self, act, x=nn.ReLU):\n        super().__init__()\n"
    "        self.act = act\n        self.x = {f}(x)\n    def forward(self, x, y=None):\n"
    "        return {g}(self.act(x), self.x)\n    def run(self, f):\n        return f(self.x, self.forward)\n",
    "class {c}({d}):\n    def __init__(self, act):\n        super().__init__(act, x=nn.Tanh)\n"
    "    def run(self, x):\n        return super().run(x) + {f}(self.x)\n",
    "class {c}({m}.{d}):\n    def forward(self, x):\n        return self.run(super().forward(x))\n",
    "class {c}:\n    def __call__(self, x):\n        return self.run(x)\n    @staticmethod\n    def run(x):\n"
    "        return {f}(x)\n    @classmethod\n    def make(cls, x):\n        return cls(x)\n",
    "class {c}:\n    @property\n    def act(self):\n        return {f}(self.x)\n    def run(self, x):\n"
    "        self.x = x\n        return self\n",
    "class {c}:\n    @property\n    def act(self):\n        return {f}(self.x)\n    @act.setter\n"
    "    def act(self, value):\n        self.x = {g}(value)\n    def run(self, x):\n        self.act = x\n        return self\n",
    "class {c}({d}):\n    def run(self, x):\n        self.x = {f}(x)\n        return self.x.view(1)\n",
    "class {c}(nn.Module):\n    def __getattr__(self, name):\n        return {f}(name)\n"
    "    def rows(self):\n        return {g}(self.x)\n",
    "class {c}(unseen):\n    def run(self, x):\n        self.register_buffer('x', {f}(x))\n        return self.x.sum()\n",
    "class {c}:\n    x = 0\n    weight = {f}(1)\n    def run(self, x):\n        self.x += {f}(x)\n"
    "        return self.x.item()\n    def add(self):\n        self.x += torch.ones(1)\n",
    "def {f}(x):\n    x.weight.view(1)\n    {g}(x.shape, x.bias.data)\n    return x.y.ndim\n",
    "from torch.utils.checkpoint import checkpoint\nr = checkpoint({f}, torch.ones(1), {c})\nr.view(1)\n",
    "{f} = torch.compile({c}(nn.ReLU))\n{f}.run({g}).sum()\n",
    "class {c}({d}):\n    def step(self):\n        return {f}(self)\n",
    "class {c}:\n    def zero_grad(self):\n        return {f}(self)\n",
    "def {f}(x):\n    x.zero_grad()\n    x.step()\n    return x.param_groups[0]['params'][0].view(1)\n",
    # attributes that are set from outside
    "def {f}(x, y=None):\n    x.act = {g}(y)\n    x.x, x.y = torch.ones(1), y\n    return x\n",
    "r = {c}(nn.ReLU)\nr.x = {f}(torch.ones(1))\nr.act = nn.GELU()\n",
    "{c}.x = {f}(torch.ones(1))\n",
    "def {f}(x: {c}):\n    x.x.view(1)\n    {g}(x.act)\n    return x.y.sum()\n",
    # what annotations and tests of types say
    "def {f}(x: nn.Module = nn.ReLU, y: {d} = {d}):\n    y(x()).run(x)\n    return x\n",
    "KINDS = ({c}, torch.Tensor)\ndef {f}(x):\n    if isinstance(x, KINDS):\n        x.view(1)\n    return {g}(x)\n",
    # decorators
    "def {f}(g):\n    def inner(self, *args):\n        self.run({h})\n        return g(self, *args)\n    return inner\n",
    "class {c}({d}):\n    @{f}\n    def run(self, x):\n        return x.view(1)\n",
    "@{f}\ndef {g}(x):\n    return {h}(x)\n",
    "{c}(nn.GELU).run(torch.ones(1)).sum()\n",
    "{c}({f})(torch.ones(1)).relu()\n",
    "{c}.make(nn.ReLU).act.weight\n",
    "{c}({c}).run({c}(nn.ReLU).run)\n",
    # methods left to subclasses, mixins, objects that stand in for Tensors
    "class {c}:\n    def make(self): raise NotImplementedError()\n    def run(self, x):\n        r = self.make()\n"
    "        r.unsqueeze(0)\n        {f}(r)\n        return r.view(1)\n",
    "class {c}({d}):\n    def make(self):\n        return {f}(nn.ReLU)\n",
    "r = {c}(nn.ReLU).make()\nr.rows()\nr.view(1)\n",
    "class {c}(nn.Module, {d}):\n    def rows(self):\n        return {f}(self.act)\n",
    "class {c}({m}.{c}, {d}): pass\n",
    "class {c}:\n    def run(self, x):\n        {f}(self.parameters())\n        return self.act.view(1)\n",
    "class {c}:\n    @classmethod\n    def __torch_function__(cls, *x): ...\n    def rows(self):\n        return self\n"
    "    def view(self, *x):\n        return {f}(self)\n",
    "def {f}(x: torch.Tensor | {c}):\n    x.unsqueeze(0)\n    return x.view(1)\n",
    "def {f}(x, y=None):\n    return r.get(x, y)\n",
    "r = {f}('a', {g})(torch.ones(1))\nr.view(1)\n",
    # named tuples
    "{c} = namedtuple('{c}', 'act x')\n",
    "{c} = namedtuple('{c}', ['x', 'act'], defaults=(nn.ReLU,))\n",
    "{c} = NamedTuple('{c}', [('act', {d}), ('x', torch.Tensor)])\n",
    "class {c}(namedtuple('{c}', 'act x')):\n    def run(self, x):\n        act, x = self\n        return {f}(self.x)\n",
    "{f}({c}(nn.ReLU, torch.ones(1)))\n",
    "{f}({c}(x=torch.ones(1), act={g})._replace(act={h}))\n",
    "def {f}(x: {c}):\n    x.x.view(1)\n    return {c}(x.x, {g}(x.act))\n",
    "def {f}(x):\n    x, y = x\n    y(x)\n    return {c}(y, x)\n",
    "class {c}:\n    act: {d}\n    def run(self, x):\n        self.act = {d}(act={f}(self.act.x), x=x)\n"
    "        return self.act[1].view(1)\n",
    # names, aliases, registries, results
    "{f} = {g}\n",
    "{f} = partial({g}, torch.ones(1))\n",
    "{f} = {m}.{f}\n",
    "{c} = {m}.{d}\n",
    "{f} = {c}(nn.ReLU)\n",
    "{c} = {{'x': {d}, 'y': {f}}}\n",
    "r = {f}(torch.ones(1))\nr.view(1)\n",
    "r = {f}({g}(nn.ReLU), r)\nr.sum()\n",
    "table = {{'x': {f}, 'y': nn.ReLU}}\ntable['x'](torch.ones(1)).sum()\ntable[r](nn.GELU)\n",
    "for r in map({f}, [torch.ones(1)]):\n    r.view(1)\n",
    "r = [{f}(r) for r in (torch.ones(1), nn.ReLU)]\n",
    "from {m} import {f}\n",
    "from {m} import {c}\n",
    "from {m} import {g} as {f}\n",
    "from {m} import *\n",
    "import {m}\n",
    "def main():\n    r = {c}(nn.ReLU)\n    {f}(r, torch.ones(1))\n    {g}(r.run)\nmain()\n",
    # half-typed
    "{f}(nn.ReLU\n",
    "def {f}(x)\n    return {g}(x)\n",
    "class {c}(\n",
    "r = {f}.\n",
    "    x\n",
)
Texts = dict[str, list[str]]
"""By the name of each module, the pieces it is made of."""


def piece(choose: random.Random) -> str:
    """A piece of a module, with names of its project."""
    text = choose.choice(PIECES)
    functions = [choose.choice(FUNCTIONS) for _ in range(3)]
    classes = [choose.choice(CLASSES) for _ in range(2)]
    names = dict(zip("fgh", functions, strict=True)) | dict(zip("cd", classes, strict=True))
    return text.format(m=choose.choice(NAMES), **names)


def project(choose: random.Random, most: int = len(NAMES)) -> Texts:
    """The modules of a project."""
    names = NAMES[: choose.randint(2, most)]
    return {name: [piece(choose) for _ in range(choose.randint(1, 7))] for name in names}


def edit(choose: random.Random, texts: Texts) -> str:
    """Change a module; returns its name."""
    name = choose.choice(list(texts))
    pieces = texts[name]
    kind = choose.choice(["insert", "insert", "delete", "replace", "move", "copy"])
    if kind == "insert" or not pieces:
        pieces.insert(choose.randint(0, len(pieces)), piece(choose))
    elif kind == "delete":
        pieces.pop(choose.randrange(len(pieces)))
    elif kind == "replace":
        pieces[choose.randrange(len(pieces))] = piece(choose)
    elif kind == "move":
        moved = pieces.pop(choose.randrange(len(pieces)))
        pieces.insert(choose.randint(0, len(pieces)), moved)
    else:
        pieces.append(choose.choice(texts[choose.choice(list(texts))] or [piece(choose)]))
    return name


def text_of(texts: Texts, name: str) -> str:
    """The text of a module. Other modules are known to it; what they have, only by the pieces."""
    others = "".join(f"import {other}\n" for other in texts if other != name)
    return HEAD + others + "".join(texts[name])


def path_of(name: str) -> str:
    """Where a module would be."""
    return str(ROOT / f"{name}.py")


class Kept:
    """A session with the modules of a project, which is told of edits."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.session = Session(Catalog.load(), Settings(), [ROOT])
        self.documents: dict[str, Document] = {}
        for name, text in texts.items():
            self.session.place(Path(path_of(name)), [ROOT])
            self.put(name, text)

    def put(self, name: str, text: str) -> list[object]:
        """The text of a module has changed. Returns what is found of it at once."""
        self.documents[name] = Document.open(path_of(name), text)
        return self.found(name)

    def found(self, name: str) -> list[object]:
        """All that is found of a module, with what is known of calls by now."""
        analysis = self.session.analyse(path_of(name), self.documents[name]).analysis
        return [
            (
                use.api,
                use.kind,
                use.certainty.value,
                shift + use.start,
                shift + use.end,
                use.root,
                use.operator,
                use.shared,
                use.scalar,
            )
            for shift, use in analysis.uses()
        ]

    def settle(self, names: list[str]) -> bool:
        """Nothing was typed for a while."""
        return self.session.settle([path_of(name) for name in names])


def scratch(texts: Mapping[str, str]) -> dict[str, list[object]]:
    """What is found from scratch of every module of a project, when what calls give has settled."""
    fresh = Kept(texts)
    fresh.settle(list(texts))
    return {name: fresh.found(name) for name in texts}


def difference(kept: Kept, texts: Texts) -> str:
    """What is found otherwise than from scratch; empty, if nothing is."""
    written = {name: text_of(texts, name) for name in texts}
    expected = scratch(written)
    told = []
    for name in texts:
        found = kept.found(name)
        if found != expected[name]:
            only = [use for use in found if use not in expected[name]]
            missed = [use for use in expected[name] if use not in found]
            told.append(f"{name}: not from scratch {only}, only from scratch {missed}")
    if told:
        told += [f"--- {name}\n{text}" for name, text in written.items()]
    return "\n".join(told)


def sequence(choose: random.Random, most_edits: int = 6) -> int:
    """A project, and edits of it. Returns how many; raises AssertionError where what is kept differs."""
    texts = project(choose)
    kept = Kept({name: text_of(texts, name) for name in texts})
    kept.settle(list(texts))
    count = choose.randint(1, most_edits)
    history = [{name: list(pieces) for name, pieces in texts.items()}]
    for number in range(count):
        name = edit(choose, texts)
        history.append({one: list(pieces) for one, pieces in texts.items()})
        kept.put(name, text_of(texts, name))
        if number == count - 1 or choose.random() < 0.5:
            kept.settle(list(texts))
            told = difference(kept, texts)
            assert not told, f"after edit {number + 1}\n{told}\n{history}"
        elif choose.random() < 0.5:
            kept.found(choose.choice(list(texts)))
    return count
