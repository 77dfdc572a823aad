"""What rules find with advice from the mapping data: the words of such a finding, and calls that have one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import Spotted
from mindport.assess.finding import in_both

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.assess.code_context import BodyContext
    from mindport.catalog.graph_facts import Advice
    from mindport.infer.values import Certainty


def advised(
    context: BodyContext, node: Node, word: str, advice: Advice, certainty: Certainty | None = None
) -> Spotted:
    """What was found at a node, whose source is a word of the message beside what to do `instead`. It is as
    sure as what the node may be, unless a `certainty` is given."""
    words = ((word, context.text(node)), *in_both("instead", advice.instead))
    return Spotted(node, words, context.value(node).certainty if certainty is None else certainty)


def advised_calls(
    context: BodyContext, advice_of: Callable[[Node, Node], Advice | None]
) -> Iterator[Spotted]:
    """The calls for which there is advice, each found at its function. `advice_of` is asked with the call and
    what is called."""
    for call in context.nodes("call"):
        function = call.child_by_field_name("function")
        advice = advice_of(call, function) if function is not None else None
        if function is not None and advice is not None:
            yield advised(context, function, "function", advice)
