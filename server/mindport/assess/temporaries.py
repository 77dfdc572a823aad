"""How a rewrite gives names to values that it takes up more than once, or in another order."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.language import Text
from mindport.source.name_place import name_place

if TYPE_CHECKING:
    from mindport.source.document import Document
    from mindport.uses.use import Use

RECEIVER: Final = -1
"""Stands for the receiver among the indices of arguments."""
BLOCKERS: Mapping[str | None, Text] = {
    "class_body": Text(
        "Not replaced automatically: an argument would be evaluated twice or in a different order, and a "
        "temporary variable would become a class attribute. Assign the value to a variable first.",
        "不会自动替换：某个实参会被求值两次或改变求值顺序，而为此引入的临时变量会成为类的属性。请先将该"
        "值赋给一个变量。",
    ),
    "annotation": Text(
        "Not replaced automatically: an argument would be evaluated twice or in a different order, and an "
        "annotation cannot introduce a temporary variable.",
        "不会自动替换：某个实参会被求值两次或改变求值顺序，而注解中无法引入临时变量。",
    ),
    "iterable": Text(
        "Not replaced automatically: an argument would be evaluated twice or in a different order, and "
        "the iterable of a comprehension cannot introduce a temporary variable. Assign the value to a "
        "variable first.",
        "不会自动替换：某个实参会被求值两次或改变求值顺序，而推导式的迭代对象中无法引入临时变量。请先将"
        "该值赋给一个变量。",
    ),
    "view": Text(
        "Not replaced automatically: it modifies a Tensor in place, and in MindSpore that Tensor may be "
        "a copy rather than a view. Assign the result to the part to be changed.",
        "不会自动替换：该方法原地修改 Tensor，而该 Tensor 在 MindSpore 中可能是副本而非视图。请将结果赋"
        "给要修改的部分。",
    ),
    None: Text(
        "Not replaced automatically: an argument would be evaluated twice, in a different order, or not "
        "always. Assign the value to a variable first.",
        "不会自动替换：某个实参会被求值两次、改变求值顺序或不一定求值。请先将该值赋给一个变量。",
    ),
}
"""Why a value that needs a name cannot have one, by the obstacle."""


@dataclass(frozen=True)
class Temporaries:
    """Which arguments (`RECEIVER`: the receiver) need a name, so that each is evaluated once and in order:
    those to be assigned in a statement `before` that of the call, or those to be assigned `in_place`, where
    they stand first. None where that would not do."""

    before: tuple[int, ...] | None
    in_place: tuple[int, ...] | None


class NamesToGive(NamedTuple):
    """The arguments that get a name (`RECEIVER`: the receiver), local to the function that starts at `scope`.
    With a `line_start` it is given by statements before the line that starts there, indented by `indent`;
    else where the value stands first."""

    indices: tuple[int, ...]
    scope: int | None
    line_start: int | None
    indent: str


def names_to_give(
    document: Document, imported: Container[str], shift: int, use: Use, naming: Temporaries
) -> NamesToGive | Text:
    """What a rewrite of a use names, and how; or why it cannot. `imported` are the names that imports of the
    document bind."""
    if use.api.endswith("_") and RECEIVER in (naming.before or ()) and _may_be_copy(document, shift, use):
        return BLOCKERS["view"]
    end = use.call.end if use.call is not None else use.end
    place = name_place(document, shift + use.start, shift + end, imported)
    if place is None:
        return BLOCKERS[None]
    if place.line_start is not None and naming.before is not None:
        return NamesToGive(naming.before, place.scope, place.line_start, place.indent)
    if place.in_place and naming.in_place is not None:
        return NamesToGive(naming.in_place, place.scope, None, "")
    return BLOCKERS[place.obstacle]


def _may_be_copy(document: Document, shift: int, use: Use) -> bool:
    """Whether the receiver of a use may be a view in torch, of which MindSpore makes a copy."""
    if use.shared is None or use.receiver_end is None or any(one.is_view for one in use.shared):
        return True
    return document.data[shift + use.receiver_end - 1 : shift + use.receiver_end] == b"]"
