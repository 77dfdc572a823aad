"""MP412: inputs of a network that have other shapes at each call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.advised_calls import advised_calls
from mindport.assess.code_context import BodyContext, FunctionContext, Spotted, concerns_graphs
from mindport.assess.finding import CodeRule, Example, Severity, with_words
from mindport.infer.values import ApiValue
from mindport.language import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from mindport.assess.code_context import GivenArguments
    from mindport.catalog.graph_facts import Advice

_ONE_AT_A_TIME = ("1", "None")


def _applies(context: BodyContext) -> Iterator[Spotted]:
    yield from advised_calls(context, lambda call, function: _advice(context, call, function))


def _advice(context: BodyContext, call: Node, function: Node) -> Advice | None:
    """What to do about a call that gives batches of several shapes."""
    name, facts = _api(context, function), context.graph_facts.shapes
    if name in facts.loaders:
        is_smaller = _has_a_smaller_batch(context, facts.loaders[name], context.arguments(call))
        return facts.loader if is_smaller else None
    return facts.padded if name in facts.padding and _makes_batches(context) else None


def _api(context: BodyContext, function: Node) -> str:
    found = context.value(function).alternatives
    return found[0].name if len(found) == 1 and isinstance(found[0], ApiValue) else ""


def _makes_batches(context: BodyContext) -> bool:
    """Whether it is a function that makes batches, as its name, or that of its class, says."""
    if not isinstance(context, FunctionContext):
        return False
    owner = context.definition.name if context.definition is not None else ""
    name = f"{owner} {context.text(context.name_node)}".lower()
    return any(word in name for word in context.graph_facts.shapes.makers)


def _has_a_smaller_batch(context: BodyContext, places: Mapping[str, int], given: GivenArguments) -> bool:
    """Whether the last batch that a loader gives may be smaller: it gives batches of several, and keeps the
    last one, as far as the call says."""
    found = {name: given.of(name, place) for name, place in places.items()}
    size, dropped = found["batch_size"], found["drop_last"]
    if given.is_open or found["batch_sampler"] is not None:
        return False
    if size is None or context.text(size) in _ONE_AT_A_TIME:
        return False
    return dropped is None or context.text(dropped) == "False"


RULE = CodeRule(
    code="MP412",
    looks_at=BodyContext,
    applies=_applies,
    concerns=concerns_graphs,
    api="torch.nn.Module",
    is_for_graphs=True,
    name=Text("Inputs with varying shapes", "输入形状不固定"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "In graph mode, MindSpore recompiles a network for every new input shape: for the last batch of "
        "a `DataLoader` that does not drop it, and for batches padded to their longest sequence by the "
        "function that makes them (`collate`). With MindSpore 2.10.0, three sizes took three "
        "compilations, and one if `set_inputs` declares which sizes vary. Only reported if the setting "
        "`graphMode` is on.",
        "静态图模式下，输入的形状每变化一次，MindSpore 就会重新编译一次网络：例如 `DataLoader` 未丢弃的"
        "最后一个批次，以及组批函数（`collate`）按批内最长序列填充的数据。用 MindSpore 2.10.0 实测，三种"
        "大小会编译三次；用 `set_inputs` 声明不固定的维度后只编译一次。只有打开设置 `graphMode` 才会报告"
        "。",
    ),
    message=with_words(
        Text(
            "`{function}` yields batches of varying shapes; graph mode recompiles a `{api}` for each shape. "
            "{instead}",
            "`{function}` 会产生多种形状的批次，静态图模式会为每种形状重新编译 `{api}`。{instead}",
        )
    ),
    examples=(
        Example(
            before="from torch.utils.data import DataLoader\n\nloader = DataLoader(data, batch_size=32, shuffle=True)\n",
        ),
    ),
)
