"""After any edits, the analysis that was kept up to date equals one made from scratch."""

from __future__ import annotations

import os
import random
from pathlib import Path

import calling_modules
import pytest
from half_typed import INSERTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mindport.catalog.catalog import Catalog
from mindport.index.module import Module
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.source.document import Change, Document
from mindport.uses.analysis import Analysis, analyse

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "flowers"
SNIPPETS = [
    *'x()\n:"#=.[]{\r\x0c',
    "    ",
    "torch",
    "nn = torch.nn\n",
    "import torch as nn\n",
    "from torch.nn import *\n",
    "from .model import *\n",
    "'''",
    "x = torch.zeros(3)\n",
    "x += x.view(1)\n",
    "def f(x):\n    return x\n",
    "class nn: pass\n",
    "del torch\n",
    "global nn\n",
    "if x:\n    import torch\n",
    "for x in x:\n",
    "y = x[0]\n",
    "y -= x\n",
    "y = x.half() + torch.tensor(1.0)\n",
    "中文🎉",
    "Conv2d = nn.Conv2d\n",
    *(f"{indentation}{insert}\n" for insert in INSERTS[::3] for indentation in ("", "    ", "        ")),
]
NAMES_ACROSS = [
    "from .model import *\n",
    "from .train import *\n",
    "from .train import ModelEma as FlowerNet\n",
    "from .model import DropPath as ModelEma\n",
    "from . import train as nn\n",
    "from . import model\n",
    "__all__ = ['torch', 'nn']\n",
    "nn = model.nn\n",
    "class DropPath(ModelEma): pass\n",
    "class ModelEma(FlowerNet):\n    def forward(self, x):\n        return super().forward(x)\n",
    "def accuracy(x, act=nn.ReLU):\n    return conv3x3(x, act)\n",
    "def conv3x3(x, act=None):\n    return accuracy(x, act).view(1)\n",
    "conv3x3(torch.zeros(3), nn.GELU).view(2)\n",
    "x = accuracy(x)\n",
    "DropPath = nn.Module | ModelEma\ndef accuracy(x: DropPath): return x.eval()\n",
    "type ModelEma = list[DropPath]\n",
    "conv3x3 = {}\nconv3x3[1] = accuracy(x)\ndef flower(x): conv3x3[x] = x.view(1)\n",
    "x = type(accuracy(torch.ones(1)))(conv3x3[1])\n",
    "packaged.DropPath(3)(x).view(1)\n",
    "from packaged import nn\n",
]
"""What makes two modules that import each other rely on each other."""
MUTUAL = {
    "model": "from .train import ModelEma, accuracy\nimport packaged\n",
    "train": "from .model import DropPath, conv3x3, FlowerNet\nimport packaged\n",
}
OUTLINES = {
    "packaged.nn": "import torch.nn as nn\n",
    "packaged.DropPath": (
        "import torch\nclass DropPath(torch.nn.Module):\n    def forward(*a, **b) -> torch.Tensor: ...\n"
    ),
}
SEQUENCES = int(os.environ.get("MINDPORT_EDIT_SEQUENCES", "40"))
"""How many edit sequences are tried; CONTRIBUTING.md says how to run more."""


def edits(snippets: list[str]) -> st.SearchStrategy[tuple[str, float, float, str, bool]]:
    """Edits: of which kind, two places as shares of the text, what is put in, whether at starts of lines."""
    return st.tuples(
        st.sampled_from(["insert", "delete", "replace", "move", "undo"]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.sampled_from(snippets),
        st.booleans(),
    )


def everything(analysis: Analysis) -> list[object]:
    """All that an analysis says, with absolute offsets."""
    result: list[object] = []
    for block in analysis.blocks:
        for use in block.found.uses:
            call = use.call and [
                (a.keyword, a.unpack, block.start + a.start, a.source) for a in use.call.arguments
            ]
            span = (block.start + use.start, block.start + use.end)
            operands = (use.operator, use.shared, use.scalar)
            result.append(
                (span, use.api, use.kind, use.certainty, use.root, use.receiver_end, call, operands)
            )
        result.extend((block.start + read.start, read.name) for read in block.found.reads)
    return result


def at(document: Document, share: float) -> tuple[int, int]:
    """The position at a share of the text."""
    text = document.text(0, len(document.data))
    offset = len(text[: int(share * len(text))].encode())
    return document.lines.position(offset, "utf-16")


def edited(history: list[Document], edit: tuple[str, float, float, str, bool]) -> Document:
    """The document after one more edit."""
    kind, first, second, snippet, to_line_start = edit
    document = history[-1]
    if kind == "undo" and len(history) > 1:
        before = history[-2]
        whole = Change(None, None, before.text(0, len(before.data)))
        return document.apply([whole], None, "utf-16")
    start = at(document, first)
    end = at(document, min(1.0, first + second * second * 0.05))
    if to_line_start:
        start, end = (start[0], 0), (end[0], 0)
    if kind == "insert":
        return document.apply([Change(start, start, snippet)], None, "utf-16")
    if kind == "move":
        moved = document.text(document.lines.offset(*start, "utf-16"), document.lines.offset(*end, "utf-16"))
        document = document.apply([Change(start, end, "")], None, "utf-16")
        to = at(document, second)
        return document.apply([Change((to[0], 0), (to[0], 0), moved)], None, "utf-16")
    return document.apply([Change(start, end, "" if kind == "delete" else snippet)], None, "utf-16")


class Project:
    """Two modules of one package, kept up to date."""

    def __init__(self, documents: dict[str, Document]) -> None:
        self.graph = ProjectGraph(Catalog.load())
        self.evaluator = Evaluator(self.graph, Catalog.load())
        self.modules: dict[str, Module] = {}
        for name, document in documents.items():
            self.put(name, document)

    def put(self, name: str, document: Document) -> None:
        self.modules[name] = self.graph.set_document(f"/p/{name}.py", f"flowers.{name}", document)

    def analysis(self, name: str) -> list[object]:
        return everything(analyse(self.evaluator, self.modules[name]))


@pytest.mark.slow
@pytest.mark.parametrize("names", [("model", "train"), ("data", "model")])
def test_incremental_equals_from_scratch(names: tuple[str, str]) -> None:
    sources = {name: (EXAMPLES / f"{name}.py").read_text(encoding="utf-8") for name in names}

    @settings(max_examples=SEQUENCES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.integers(0, 1), edits(SNIPPETS), st.booleans()), min_size=1, max_size=8))
    def check(sequence: list[tuple[int, tuple[str, float, float, str, bool], bool]]) -> None:
        histories = {name: [Document.open(name, text)] for name, text in sources.items()}
        kept = Project({name: history[0] for name, history in histories.items()})
        for name in names:
            kept.analysis(name)
        for which, edit, look in [*sequence, (0, ("insert", 0.0, 0.0, "", False), True)]:
            name = names[which]
            histories[name].append(edited(histories[name], edit))
            kept.put(name, histories[name][-1])
            if look:
                texts = {n: Document.open(n, h[-1].data) for n, h in histories.items()}
                for n in reversed(names):
                    assert kept.analysis(n) == Project(texts).analysis(n)

    check()


@pytest.mark.parametrize("added", ["import torch\n", "import numpy\n", "import mindspore\n"])
def test_which_packages_are_imported_tells(added: str) -> None:
    before = "def f(x, o):\n    o.zero_grad()\n    o.step()\n    return x.shape\n"
    if "torch" not in added:
        before = "import torch\n" + before
    graph = ProjectGraph(Catalog.load(), [])
    evaluator = Evaluator(graph, Catalog.load())
    found = []
    for text in (before, added + before, before):
        module = graph.set_document("/main.py", "main", Document.open("/main.py", text))
        kept = everything(analyse(evaluator, module))
        fresh = ProjectGraph(Catalog.load(), [])
        module = fresh.set_document("/main.py", "main", Document.open("/main.py", text))
        assert kept == everything(analyse(Evaluator(fresh, Catalog.load()), module))
        found.append([use[1:4] for use in kept])
    assert found[0] == found[2]


def test_a_name_does_not_vouch_for_itself() -> None:
    before = "import copy, torch\nx = torch.zeros(3)\nx = copy.copy(x)\ndef f():\n    return x.sum()\n"
    after = before.replace("x = torch.zeros(3)\n", "")
    graph = ProjectGraph(Catalog.load(), [])
    evaluator = Evaluator(graph, Catalog.load())
    for text in (before, after):
        module = graph.set_document("/main.py", "main", Document.open("/main.py", text))
        kept = everything(analyse(evaluator, module))
    fresh = ProjectGraph(Catalog.load(), [])
    module = fresh.set_document("/main.py", "main", Document.open("/main.py", after))
    assert kept == everything(analyse(Evaluator(fresh, Catalog.load()), module))


@pytest.mark.parametrize(
    "call",
    [
        "print(x['a'].view(1))",
        "print(x, 'a')",
        "print(*x['a'])",
        "print(i for i in x['a'])",
        "print(f\"{x['a']}\")",
    ],
)
def test_print_is_the_same_in_code_that_does_not_parse(call: str) -> None:
    """The grammar may take it for the statement of Python 2 there."""
    text = (EXAMPLES / "train.py").read_text(encoding="utf-8")
    start = text.index('print(f"epoch')
    text = text[:start] + call + text[text.index('s")', start) + 3 :]
    broken = Document.open("train", text.replace("torch.backends.cudnn", "torch.backends.cudnn'''"))
    assert "print_statement" in str(broken.tree.root_node)
    kept = Project({"train": Document.open("train", text)})
    kept.analysis("train")
    kept.put("train", broken)
    assert kept.analysis("train") == Project({"train": broken}).analysis("train")


@pytest.mark.slow
def test_modules_that_import_each_other() -> None:
    """The same where every edit of one module may change the other, and packages become known meanwhile."""
    names = tuple(MUTUAL)
    sources = {name: MUTUAL[name] + (EXAMPLES / f"{name}.py").read_text(encoding="utf-8") for name in names}
    steps = st.tuples(st.integers(0, 1), edits([*SNIPPETS, *NAMES_ACROSS]), st.booleans(), st.booleans())

    @settings(max_examples=SEQUENCES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(steps, min_size=1, max_size=8))
    def check(sequence: list[tuple[int, tuple[str, float, float, str, bool], bool, bool]]) -> None:
        histories = {name: [Document.open(name, text)] for name, text in sources.items()}
        kept = Project({name: history[0] for name, history in histories.items()})
        known: dict[str, str] = dict.fromkeys(OUTLINES, "")
        for name in names:
            kept.analysis(name)
        for which, edit, look, learns in [*sequence, (0, ("insert", 0.0, 0.0, "", False), True, True)]:
            name = names[which]
            histories[name].append(edited(histories[name], edit))
            kept.put(name, histories[name][-1])
            if learns:
                known = OUTLINES if known is not OUTLINES else dict.fromkeys(OUTLINES, "")
                kept.graph.installed.take(known)
            if look:
                scratch = Project({n: Document.open(n, h[-1].data) for n, h in histories.items()})
                scratch.graph.installed.take(known)
                for n in names if which else reversed(names):
                    assert kept.analysis(n) == scratch.analysis(n)

    check()


@pytest.mark.parametrize("seed", range(4))
def test_modules_that_call_each_other(seed: int) -> None:
    """Once it is quiet, whatever was edited in whatever order; `make fuzz` tries many more."""
    choose = random.Random(f"calls {seed}")
    for _ in range(SEQUENCES):
        calling_modules.sequence(choose)


PLACES = st.tuples(st.integers(0, 3), st.integers(0, 6))


@pytest.mark.slow
def test_modules_that_call_each_other_shrunk() -> None:
    """The same with examples that become small when they fail."""
    pieces = st.integers(0, 2**32).map(lambda number: calling_modules.piece(random.Random(number)))
    modules = st.lists(st.lists(pieces, max_size=6), min_size=2, max_size=4)

    @settings(max_examples=2 * SEQUENCES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(modules, st.lists(st.tuples(PLACES, st.none() | pieces, st.booleans()), min_size=1, max_size=6))
    def check(parts: list[list[str]], edits: list[tuple[tuple[int, int], str | None, bool]]) -> None:
        texts = dict(zip(calling_modules.NAMES, parts, strict=False))
        kept = calling_modules.Kept({name: calling_modules.text_of(texts, name) for name in texts})
        for (which, place), new, settles in edits:
            name = list(texts)[which % len(texts)]
            texts[name][place : place + (new is None)] = [] if new is None else [new]
            kept.put(name, calling_modules.text_of(texts, name))
            if settles:
                kept.settle(list(texts))
        kept.settle(list(texts))
        assert not calling_modules.difference(kept, texts)

    check()


CALLS_AFTER_EDITS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "what only supports itself": (
        {"alpha": "def f(x):\n    x.weight\n    f(x)\nf(nn.Linear(1, 2))\n"},
        {"alpha": "def f(x):\n    x.weight\n    f(x)\n"},
    ),
    "what only supports itself across modules": (
        {
            "alpha": "import beta\ndef f(x):\n    x.weight\n    beta.g(x)\n",
            "beta": "import alpha\ndef g(x): alpha.f(x)\ng(nn.Linear(1, 2))\n",
        },
        {"beta": "import alpha\ndef g(x): alpha.f(x)\n"},
    ),
    "a default that nobody leaves out any more": (
        {"alpha": "def f(x, y=nn.ReLU):\n    y()\nf(1)\n"},
        {"alpha": "def f(x, y=nn.ReLU):\n    y()\nf(1, nn.GELU)\n"},
    ),
    "a function that is called in another way": (
        {"alpha": "def f(x, y):\n    y()\n", "beta": "import alpha\nalpha.f(1, nn.ReLU)\n"},
        {"alpha": "def f(y, x):\n    y()\n"},
    ),
    "a function of the same name further down": (
        {"alpha": "def f(x):\n    x.weight\n    return f(x)\nf(nn.Linear(1, 2)).bias\n"},
        {
            "alpha": "def f(x):\n    x.weight\n    return f(x)\nf(nn.Linear(1, 2)).bias\ndef f(y):\n    return y\n"
        },
    ),
    "generators that give each other": (
        {"alpha": "def f(x):\n    yield g(x)\nfor x in f(1):\n    x.sum()\n", "beta": ""},
        {"alpha": "def f(x):\n    yield g(x)\nfor x in f(1):\n    x.sum()\ndef g(x):\n    return f(x)\n"},
    ),
    "a giver that is too many": (
        {
            "alpha": "def f(act):\n    act()\n",
            "beta": "from alpha import f\nf(nn.ReLU)\nf(nn.GELU)\nf(nn.ELU)\nf(nn.SiLU)\n",
        },
        {
            "beta": "from alpha import f\nf(nn.ReLU)\nf(nn.GELU)\nf(nn.ELU)\nf(nn.SiLU)\nf(nn.Tanh)\n"
            "f(nn.CELU)\nf(nn.SELU)\n"
        },
    ),
    "parameters that are given to each other, one of which its members tell": (
        {
            "alpha": "class Heir(Own):\n    @f\n    def run(self, x): return x.view(1)\n"
            "def f(x):\n    Own(x()).run(x)\n    return x\n"
            "class Own:\n    def run(self, x):\n        g(x)\n        return x.view(1)\n"
        },
        {
            "alpha": "class Heir(Own):\n    @f\n    def run(self, x): return x.view(1)\n"
            "def f(x):\n    Own(x()).run(x)\n    return x\n"
            "def f(x, y=None):\n    if y: return f(y, x)\n    return x.unbind()[0]\n"
            "class Own:\n    def run(self, x):\n        g(x)\n        return x.view(1)\n"
        },
    ),
    "attributes that are set from outside no more": (
        {
            "alpha": "class A:\n    def f(self): self.x.view(1)\n",
            "beta": "import alpha\nalpha.A().x = torch.ones(1)\n",
        },
        {"beta": "import alpha\nalpha.A().x = 1\n"},
    ),
    "a constructor that sets what a base sets, too": (
        {
            "alpha": "class A:\n    def __init__(self): self.x = torch.ones(1)\n",
            "beta": "from alpha import A\nclass B(A):\n    def g(self): self.x = nn.ReLU()\nB().x.view(1)\n",
        },
        {
            "beta": "from alpha import A\nclass B(A):\n    def __init__(self): self.x = 1\n"
            "    def g(self): self.x = nn.ReLU()\nB().x.view(1)\n",
        },
    ),
    "a call that tells nothing of what it gives, but did before anything was known": (
        {
            "alpha": "first({'x': torch.ones(2)})\ndef first(x: torch.Tensor | Block):\n    x.unsqueeze(0)\n"
            "    return x.view(1)\n",
            "gamma": "def third(x, *rest):\n    return second(*rest)\nr = second(third(nn.ReLU), r)\nr.sum()\n",
        },
        {
            "gamma": "def third(x, *rest):\n    return second(*rest)\nr = second(third(nn.ReLU), r)\nr.sum()\n"
            "from alpha import first as second\n"
        },
    ),
}


@pytest.mark.parametrize("name", CALLS_AFTER_EDITS)
def test_calls_after_edits(name: str) -> None:
    """After the edit and after taking it back."""
    before, edit = CALLS_AFTER_EDITS[name]
    head = calling_modules.HEAD
    kept = calling_modules.Kept({one: head + text for one, text in before.items()})
    kept.settle(list(before))
    first = {one: kept.found(one) for one in before}
    found = []
    for texts in ({**before, **edit}, before):
        for one in edit:
            kept.put(one, head + texts[one])
        has_changed = kept.settle(list(before))
        found.append({one: kept.found(one) for one in before})
        assert found[-1] == calling_modules.scratch({one: head + text for one, text in texts.items()})
        others = [one for one in before if one not in edit]
        assert has_changed or all(found[-1][one] == first[one] for one in others)
    assert found[1] == first
    assert found[0] != first or name.startswith("generators")


def test_unchanged_blocks_are_not_looked_at_again() -> None:
    source = (EXAMPLES / "model.py").read_text(encoding="utf-8")
    document = Document.open("model", source)
    project = Project({"model": document})
    before = analyse(project.evaluator, project.modules["model"])
    start = document.lines.position(source.encode().index(b"def forward"), "utf-16")
    project.put("model", document.apply([Change(start, start, "pass\n    ")], 2, "utf-16"))
    after = analyse(project.evaluator, project.modules["model"])
    kept = {id(block.found) for block in before.blocks} & {id(block.found) for block in after.blocks}
    assert len(kept) >= len(before.blocks) - 3
