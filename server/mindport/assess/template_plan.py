"""Plans for templates: which argument, default or receiver each name of a template stands for."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mindport.assess.rewrite_plan import SELF, Filled, TemplatePlan
from mindport.assess.temporaries import RECEIVER, Temporaries
from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.expansion import expansion
from mindport.catalog.folding import folded
from mindport.catalog.template import BUILTINS

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.catalog.api import Parameter
    from mindport.catalog.binding import BoundCall
    from mindport.catalog.expansion import TemplateSlot
    from mindport.uses.use import Argument, Use

_TORCH: Final = re.compile(r"\btorch\b")
_EVALUATED: Final = re.compile(r"[\w)\]](?: ?[(\[*/%@<>=&|^]| [-+])")
"""What makes a text more than plain: a call, a subscript, an operator between two operands."""
_RECEIVER_ALONE: Final = re.compile(rf"\b{SELF}\b(?!\.)")
_PRESENT: Final = frozenset({"Tensor", "dtype", "device", "int", "float", "bool", "str", "sequence"})
"""Types of arguments that are never None."""
_NOT_ONLY_CODE: Final = re.compile(r"['\"#]")


def plan_template(
    candidate: Candidate,
    use: Use,
    bound: Sequence[BoundCall[Argument]],
    parameters: Mapping[str, Parameter],
    harmless: Collection[str] = (),
) -> TemplatePlan | None:
    """How the arguments of a use fill a template, `parameters` being those of torch's by name; the arguments
    for those that are `harmless` may be dropped. None where one has no place in it, where a default is not
    known, or where the template needs the object that `super()` looks things up for."""
    assert candidate.template is not None
    arguments = use.call.arguments if use.call is not None else ()
    index_of = {id(argument): index for index, argument in enumerate(arguments)}
    given: dict[str, list[int]] = {}
    starred: set[str] = set()
    for item in bound:
        given.setdefault(item.parameter.name, []).append(index_of[id(item.argument)])
        if item.parameter.kind == "star":
            starred.add(item.parameter.name)
    template = _without_dead_branches(candidate.template, arguments, given, parameters)
    if use.is_through_super and _RECEIVER_ALONE.search(template):
        return None
    meant = candidate.when.given if candidate.when is not None else ()
    used, settled = _names(template), _names(candidate.template)
    for name, left in given.items():
        if name in used or name in harmless:
            continue
        is_meant = name in meant or name in settled
        if not all(_may_go(arguments[index], parameters.get(name), is_meant) for index in left):
            return None
    filled: list[Filled] = []
    sure = True
    for name in used:
        if name in given:
            indices = tuple(given[name])
            form = _form(indices, arguments) if name in starred else "value"
            sure = sure and form != "unsure"
            filled.append(Filled(name, indices, "", form == "tuple"))
        elif name == SELF and use.receiver_end is not None:
            filled.append(Filled(name, (RECEIVER,)))
        elif name in parameters:
            default = "()" if parameters[name].kind == "star" else parameters[name].default
            if default is None or _TORCH.search(default):
                return None
            filled.append(Filled(name, (), default))
        elif name not in BUILTINS:
            return None
    plan = TemplatePlan(template, tuple(filled), sure)
    return replace(plan, naming=_naming(plan, arguments, use.receiver_is_plain))


def _names(template: str) -> dict[str, None]:
    """The names that a template has, in order."""
    return dict.fromkeys(slot.name for slot in expansion(template).slots)


def _without_dead_branches(
    template: str,
    arguments: Sequence[Argument],
    given: Mapping[str, Sequence[int]],
    parameters: Mapping[str, Parameter],
) -> str:
    """A template without what a call never evaluates, for all that its literals and torch's defaults tell;
    the template itself if an argument that may have an effect would go."""
    known = []
    present = []
    for name in _names(template):
        indices = given.get(name, ())
        if name in parameters and parameters[name].kind == "star":
            if indices and (form := _form(indices, arguments)) != "unsure":
                values = ", ".join(arguments[index].source for index in indices)
                known.append((name, values if form == "value" else f"({values},)"))
            continue
        if len(indices) == 1 and not arguments[indices[0]].unpack:
            known.append((name, arguments[indices[0]].source))
            if arguments[indices[0]].type in _PRESENT:
                present.append(name)
        elif not indices and name in parameters and (default := parameters[name].default) is not None:
            known.append((name, default))
    short = folded(template, tuple(known), tuple(present))
    gone = _names(template).keys() - _names(short).keys()
    lost = [index for name in gone for index in given.get(name, ())]
    return short if all(is_plain(arguments[index].source) for index in lost) else template


def _form(indices: Sequence[int], arguments: Sequence[Argument]) -> str:
    """What `*size` is given as: values that make a tuple, a tuple already, or either."""
    first = arguments[indices[0]]
    if len(indices) > 1 or first.unpack:
        return "tuple"
    node = _expression(first.source)
    if isinstance(node, (ast.Tuple, ast.List)):
        return "value"
    return "tuple" if isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp)) else "unsure"


def _may_go(argument: Argument, parameter: Parameter | None, is_meant: bool) -> bool:
    """Whether an argument that the template has no place for may go: it is torch's default, or the template
    is meant for calls that give it, and evaluating it has no effect."""
    if is_meant and is_plain(argument.source):
        return True
    return parameter is not None and parameter.default == argument.source


def _naming(plan: TemplatePlan, arguments: Sequence[Argument], receiver_is_plain: bool) -> Temporaries | None:
    """What needs a name, so that what may have an effect is evaluated once and in the order of the call."""
    places = {one.name: one.indices for one in plan.filled}
    found = [
        (index, slot)
        for slot in expansion(plan.template).slots
        for index in places.get(slot.name, ())
        if not (receiver_is_plain if index == RECEIVER else is_plain(arguments[index].source))
    ]
    if _is_in_order(found):
        return None
    every = sorted({index for index, _ in found})
    if any(not _may_be_named(arguments[index]) for index in every if index != RECEIVER):
        return Temporaries(None, None)
    before = next(
        tuple(every[:count])
        for count in range(1, len(every) + 1)
        if _is_in_order([(index, slot) for index, slot in found if index not in every[:count]])
    )
    return Temporaries(before, _named_in_place(found))


def _named_in_place(found: Sequence[tuple[int, TemplateSlot]]) -> tuple[int, ...] | None:
    """What is to be assigned where it stands first, if that does."""
    first: dict[int, TemplateSlot] = {}
    repeated: set[int] = set()
    for index, slot in found:
        if index in first:
            repeated.add(index)
        first.setdefault(index, slot)
    if not _is_in_order(list(first.items())) or any(first[index].in_iterable for index in repeated):
        return None
    return tuple(sorted(repeated))


def _is_in_order(found: Sequence[tuple[int, TemplateSlot]]) -> bool:
    """Whether each is evaluated once, in any case, and in the order of the call."""
    order = [index for index, _ in found]
    return order == sorted(set(order)) and not any(slot.deferred for _, slot in found)


def _may_be_named(argument: Argument) -> bool:
    """Whether an argument may be evaluated before the others: it binds no name that these may read."""
    node = _expression(argument.source)
    loose = (ast.NamedExpr, ast.Yield, ast.YieldFrom)
    return not argument.unpack and node is not None and not any(isinstance(n, loose) for n in ast.walk(node))


@lru_cache(maxsize=4096)
def _expression(source: str) -> ast.expr | None:
    try:
        return ast.parse(f"({source}\n)", mode="eval").body  # in brackets: lines may break in it
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # of what is nested deep
        return None


@lru_cache(maxsize=4096)
def is_plain(source: str) -> bool:
    """Whether evaluating a text any number of times, at any time, makes no difference: names, attributes of
    names, literals, and tuples and lists of these."""
    if is_dotted_name(source) or source.isdecimal():  # parsing takes longer
        return True
    if _EVALUATED.search(source) and not _NOT_ONLY_CODE.search(source):
        return False
    node = _expression(source)
    return node is not None and _is_plain(node)


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        return _is_plain(node.value)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_is_plain(item) for item in node.elts)
    return False
