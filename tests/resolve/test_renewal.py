"""After a change it is looked at what may rest on it alone: blocks hold where nothing that they rely on was
evaluated anew."""

from __future__ import annotations

from itertools import pairwise

import pytest
from mindport.catalog.catalog import Catalog
from mindport.index.block import Block
from mindport.index.memo import dirty_cycles, rely_on
from mindport.index.module import Module
from mindport.infer import propagation
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.source.document import Document
from mindport.uses.analysis import analyse

CHAIN = """import torch
def a(x): return {}
def b(x): return a(x)
def c(x): return b(x).sum()
def d(x): return c(x).view(1) if x else d(x)
"""


class Counting(Evaluator):
    """Notes which blocks are asked again what they asked, and which are evaluated anew."""

    def __init__(self, graph: ProjectGraph) -> None:
        super().__init__(graph, Catalog.load())
        self.checked: list[str] = []
        self.anew: list[str] = []

    def _check(self, block: Block) -> None:
        self.checked.append(name_of(block))
        super()._check(block)

    def _begin_anew(self, block: Block) -> None:
        self.anew.append(name_of(block))
        super()._begin_anew(block)


def name_of(block: Block) -> str:
    return next(iter(block.names))


def looked_at(before: str, after: str) -> Counting:
    """What was done after an edit."""
    graph = ProjectGraph(Catalog.load(), [])
    evaluator = Counting(graph)
    for text in (before, after):
        module: Module = graph.set_document("/main.py", "main", Document.open("/main.py", text))
        evaluator.checked, evaluator.anew = [], []
        analyse(evaluator, module)
    return evaluator


def test_who_relies_on_what_is_the_same_is_not_asked() -> None:
    """`a` is another function that gives the same: `b` is asked, which asked `a`, and nothing else."""
    found = looked_at(CHAIN.format("torch.abs(x)"), CHAIN.format("torch.exp(x)"))
    assert (found.checked, found.anew) == (["b"], [])


def test_what_has_changed_is_followed_as_far_as_it_goes() -> None:
    found = looked_at(CHAIN.format("torch.abs(x)"), CHAIN.format("(torch.abs(x), 1)"))
    assert found.anew == ["b", "c", "d"]


def blocks(names: str, *edges: str) -> dict[str, Block]:
    """Dirty blocks, of which the first of each edge relies on the second."""
    found = {name: Block(name.encode()) for name in names}
    for block, other in edges:
        rely_on(found[block], found[other], ("definition",))
    return found


@pytest.mark.parametrize(
    ("edges", "cycles"),
    [
        ("", ["a"]),
        ("ab bc", ["c", "b", "a"]),
        ("ab ba", ["ab"]),
        ("ab bc cb cd", ["d", "bc", "a"]),
        ("ab ac bd cd da", ["abcd"]),
        ("ab bc cd dc ae ef fe", ["cd", "b", "ef", "a"]),
    ],
)
def test_cycles_come_after_what_they_rely_on(edges: str, cycles: list[str]) -> None:
    found = blocks("abcdef", *edges.split())
    told = [sorted(block.text.decode() for block in cycle) for cycle in dirty_cycles(found["a"])]
    assert told == [list(cycle) for cycle in cycles]


def test_chains_may_be_longer_than_the_stack() -> None:
    chain = [Block(b"") for _ in range(20_000)]
    for block, other in pairwise(chain):
        rely_on(block, other, ("definition",))
    assert dirty_cycles(chain[0]) == [[block] for block in reversed(chain)]


def test_what_a_module_gives_is_looked_at_where_something_is_dirty(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Block] = []
    given = propagation._given_by_block
    monkeypatch.setattr(
        propagation,
        "_given_by_block",
        lambda evaluator, block: looked.append(block) or given(evaluator, block),
    )
    graph = ProjectGraph(Catalog.load(), [])
    evaluator = Evaluator(graph, Catalog.load())
    texts = {"one": "def f(x): return x\nf(1)\n", "two": "from one import f\nf(print)\n"}
    modules = [
        graph.set_document(f"/{name}.py", name, Document.open(f"/{name}.py", text))
        for name, text in texts.items()
    ]
    first = [propagation.given_by_module(evaluator, module) for module in modules]
    looked.clear()
    assert [propagation.given_by_module(evaluator, module) for module in modules] == first
    assert not looked
    text = texts["one"].replace("f(1)", "f([1])")
    graph.set_document("/one.py", "one", Document.open("/one.py", text))
    for module in modules:
        propagation.given_by_module(evaluator, module)
    assert {block.module for block in looked} == {modules[0]}
