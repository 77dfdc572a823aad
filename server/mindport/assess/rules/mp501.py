"""MP501: a sparse Tensor is made, or computed with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised_calls
from mindport.assess.code_context import BodyContext, Spotted
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.index import nodes
from mindport.infer.values import ApiValue, External
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.catalog.graph_facts import Advice
    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator

_FALSE = ("False", "None", "0")


def _concerns(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    facts = evaluator.catalog.sparse
    if not facts.calls.keys().isdisjoint(apis):
        return True
    if facts.elsewhere.isdisjoint(block.called):
        return False
    called = [call.function for call in block.calls if nodes.last_name(call.function) in facts.elsewhere]
    return any(_may_be_of_package(evaluator, block, function) for function in called)


def _may_be_of_package(evaluator: Evaluator, block: Block, function: nodes.Expression) -> bool:
    """Whether what is called may be a function of a package: a name, or an attribute of what is imported, not
    of a Tensor (`x.transpose(0, 1)`)."""
    owner = function.value if isinstance(function, nodes.Attribute) else None
    if owner is None or block.imports:
        return True
    if not isinstance(owner, nodes.Name):
        return False
    with evaluator.inside(block):
        return any(isinstance(one, External) for one in evaluator.value(owner).alternatives)


def _applies(context: BodyContext) -> Iterator[Spotted]:
    yield from advised_calls(context, lambda call, function: _advice(context, call, function))


def _advice(context: BodyContext, call: Node, function: Node) -> Advice | None:
    """What to do about a call, if what is called is surely such a function."""
    found = context.value(function).alternatives
    if len(found) != 1 or not isinstance(found[0], (ApiValue, External)):
        return None
    known = context.code.evaluator.catalog.sparse.calls.get(found[0].name)
    if known is None or not known.when:
        return known.advice if known is not None else None
    given = context.arguments(call).of(known.when, known.place)
    return known.advice if given is not None and context.text(given) not in _FALSE else None


RULE = CodeRule(
    code="MP501",
    looks_at=BodyContext,
    applies=_applies,
    concerns=_concerns,
    endings=lambda catalog: catalog.sparse.elsewhere,
    api="torch.sparse",
    name=Text("Sparse Tensors", "稀疏 Tensor"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "MindSpore has sparse Tensors in the formats COO and CSR, `mindspore.COOTensor` and "
        "`mindspore.CSRTensor`, with fewer operators than PyTorch. The message says what takes the place of a "
        "call, and when only a dense Tensor will do, which takes rows × columns of memory; gradients of "
        "embeddings are dense, too. Every operator was run with MindSpore 2.10.0 on CPU, in graph mode and for "
        "its gradient, and compared with PyTorch. `mindport convert --whole` makes "
        "sparse Tensors dense.",
        "MindSpore 的稀疏 Tensor 有 COO 和 CSR 两种格式，即 `mindspore.COOTensor` 和 `mindspore.CSRTensor`，算子比 PyTorch 少。"
        "消息会给出该调用的替代写法，以及哪些情况只能改用稠密 Tensor（占用内存为行数×列数）；Embedding 的梯度也是稠密的。"
        "所有算子均用 MindSpore 2.10.0 在 CPU 上运行过（包括静态图模式和梯度），并与 PyTorch 比较。"
        "`mindport convert --whole` 会将稀疏 Tensor 转为稠密。",
    ),
    message=with_words(
        Text(
            "`{function}`: MindSpore has few operators on sparse Tensors (`{api}`). {instead}",
            "`{function}`：MindSpore 的稀疏 Tensor（`{api}`）算子较少。{instead}",
        )
    ),
    examples=(
        Example(
            before="import torch\n\nadjacency = torch.sparse_coo_tensor(places, weights, (9, 9))\n"
            "found = torch.sparse.mm(adjacency, features)\n",
        ),
        Example(before="from torch import nn\n\ntable = nn.Embedding(100_000, 64, sparse=True)\n"),
    ),
)
