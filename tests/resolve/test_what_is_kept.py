"""How little is kept of blocks: what is equal once, what is few as a list, and nothing that nobody asks for."""

from __future__ import annotations

from mindport.catalog.catalog import Catalog
from mindport.index.block import Block
from mindport.index.memo import EMPTY, NO_BLOCKS, NO_PLACES, Dependents, depend, evict, evict_unasked, rely_on
from mindport.index.module import Module
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.values import (
    AbstractValue,
    ApiValue,
    Certainty,
    Instance,
    KeyedDictionary,
    TorchModule,
    shared,
)
from mindport.source.document import Document
from mindport.source.lines import LineIndex

TEXT = "import torch\n\n\ndef f(x):\n    return x.abs()\n\n\nclass C:\n    def g(self, y):\n        return y.abs()\n"


def module_of(text: str, keeps_syntax: bool = True) -> Module:
    graph = ProjectGraph(Catalog.load(), [], keeps_syntax=keeps_syntax)
    return graph.set_document("/nowhere/main.py", "main", Document.open("/nowhere/main.py", text))


def test_equal_sets_of_members_are_one() -> None:
    found = [names for block in module_of(TEXT).blocks for names in block.members.values()]
    assert found == [{"abs"}, {"abs"}]
    assert found[0] is found[1]


def test_blocks_read_their_texts_from_that_of_the_module() -> None:
    module = module_of(TEXT)
    before = [block.text for block in module.blocks]
    module.share_text()
    assert [block.text for block in module.blocks] == before
    gone = module.blocks[1]
    module.take(Document.open(module.path, "import torch\n"), module.layout._replace(blocks=[], starts=[]))
    assert gone.text == b""


def test_few_dependents_are_a_list_and_all_are_found_again() -> None:
    dependents: Dependents = {}
    blocks = [Block(b"") for _ in range(7)]
    for block in blocks:
        depend(block, dependents, "name")
    assert isinstance(dependents["name"], set)
    assert dependents["name"] == set(blocks)
    for block in blocks[:3]:
        depend(block, dependents, "other")
    assert dependents["other"] == blocks[:3]
    evict(blocks[1])
    assert dependents["other"] == [blocks[0], blocks[2]]
    assert blocks[1] not in dependents["name"]


def test_what_no_other_block_relies_on_is_dropped() -> None:
    outside, first, second, third = (Block(b"") for _ in range(4))
    rely_on(first, second, ("name", "a"))
    rely_on(first, second, ("name", "b"))
    rely_on(outside, third, ("name", "c"))
    for block in (first, second, third):
        block.memo.known_answers()["query",] = 1
    evict_unasked([third, second, first])
    assert [bool(block.memo.answers) for block in (first, second, third)] == [False, False, True]
    assert third.memo.dependents == [outside]
    assert not second.memo.dependents
    assert not EMPTY
    assert not NO_BLOCKS
    assert not NO_PLACES


def test_values_that_are_names_are_one() -> None:
    def relu() -> AbstractValue:
        return AbstractValue((ApiValue("torch.Tensor.relu", Instance("torch.Tensor")),))

    assert shared(relu()) is shared(relu())
    assert shared(AbstractValue((TorchModule("torch.nn"),))) is shared(
        AbstractValue((TorchModule("torch.nn"),))
    )
    likely = AbstractValue((TorchModule("torch.nn"),), Certainty.LIKELY)
    assert shared(likely) == likely
    parameter = AbstractValue((ApiValue("torch.Tensor.relu", Instance("torch.nn.Parameter")),))
    assert shared(parameter) == parameter
    of_library = AbstractValue((ApiValue("torch.Tensor.relu"),))
    assert shared(of_library) == of_library
    holding = AbstractValue((KeyedDictionary((), relu()),))
    assert shared(holding) is holding


def test_lines_are_found_again() -> None:
    lines = LineIndex(b"a\nbc\nd")
    assert lines.line_of(3) == 1
    lines.forget_starts()
    assert (lines.line_count, lines.line_start(2)) == (3, 5)
    edited = lines.after_edit(0, 0, b"  ")
    edited.forget_starts()
    assert [edited.line_start(line) for line in range(3)] == [0, 4, 7]
