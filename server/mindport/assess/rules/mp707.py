"""MP707: hooks that show or write what goes through layers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext, FunctionContext
from mindport.assess.feature_rules import feature_rule
from mindport.assess.finding import Example
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

_REGISTERING = "_hook"
_RECEIVER = ("self", "cls")


def _spot(context: BodyContext) -> Iterator[Node]:
    is_hook = isinstance(context, FunctionContext) and _is_hook(context, context.node)
    if is_hook and any(_shows(context, call) for call in context.nodes("call")):
        yield context.name_node
    for call in context.nodes("call"):
        function, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or given is None or not context.text(function).endswith(_REGISTERING):
            continue
        for hook in given.named_children:
            if hook.type == "lambda" and _is_hook(context, hook):
                body = hook.child_by_field_name("body")
                if body is not None and body.type == "call" and _shows(context, body):
                    yield function


def _is_hook(context: BodyContext, function: Node) -> bool:
    """Whether a function takes a layer, its inputs and outputs, as its parameters are named."""
    expected = context.code.evaluator.catalog.features.hooks.parameters
    parameters = function.child_by_field_name("parameters")
    names = [_name(context, one) for one in parameters.named_children] if parameters is not None else []
    names = names[1:] if names and names[0] in _RECEIVER else names
    return len(names) == len(expected) and all(map(frozenset.__contains__, expected, names))


def _name(context: BodyContext, parameter: Node) -> str:
    """The name of a parameter, without its annotation."""
    named = parameter.named_children[0] if parameter.type == "typed_parameter" else parameter
    return context.text(named) if named.type == "identifier" else ""


def _shows(context: BodyContext, call: Node) -> bool:
    function = call.child_by_field_name("function")
    showing = context.code.evaluator.catalog.features.hooks.showing
    return function is not None and context.text(function) in showing


RULE = feature_rule(
    "MP707",
    api="torch.nn.Module.register_forward_hook",
    name=Text("Hooks that dump Tensors", "转储 Tensor 的钩子"),
    explanation=Text(
        "The function is a hook of a layer that prints or saves what goes through it. MindSpore calls the hooks "
        "of a `Cell` as it runs without a graph; in graph mode it calls none, without a message. There, "
        "`print` in `construct` or MindSpore's own dump "
        "does it. The whole code, run with MindSpore 2.10.0 on CPU, is in docs/feature-code.md.",
        "该函数是打印或保存层的输入输出的钩子。不编译成图时，MindSpore 会调用 `Cell` 的钩子；静态图模式下则不会调用，且没有任何提示。"
        "此时可在 `construct` 中使用 `print` 或 MindSpore 自带的 Dump 功能。"
        "完整代码见 docs/feature-code.zh-CN.md，已用 MindSpore 2.10.0 在 CPU 上运行。",
    ),
    examples=(
        Example(before="def show_hook(module, inputs, output):\n    print(module, output)\n"),
        Example(
            before="def watch(layer):\n    return layer.register_forward_hook(lambda m, i, o: print(o))\n"
        ),
    ),
    spot=_spot,
)
