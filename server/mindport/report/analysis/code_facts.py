"""What several places of a file's code say together: what gradients are taken of, where weights are mixed,
what is in a dictionary that a call is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mindport.report.analysis.file_code import FileCode, Named, Surroundings

_SELF: Final = "self."
_OF_WEIGHTS: Final = re.compile(r"param|state_dict|weights|modules\(")
"""What stands in loops over the weights of networks, but for those of optimizers."""
_REST: Final = re.compile(r"\b1(?:\.0*)?\s*-\s*(?P<share>[A-Za-z_][\w.]*)")
"""What is left of a share."""
_LERP: Final = re.compile(r"\blerp_?\(")
_MOST_RETURNS: Final = 3


def minimized(code: FileCode, functions: tuple[str, ...]) -> Iterator[Named]:
    """What is given to one of these functions (`backward`), or is what such a method is called on: the
    expressions, and what is assigned to the names in them, and to those that these add up."""
    told: set[tuple[int, int]] = set()
    for call in code.calls:
        owner, _, function = call.written.rpartition(".")
        if function not in functions or call.scope.name.rpartition(".")[2] in functions:
            continue  # such a function calls others to do the same
        if call.is_computed:
            yield call
        given = tuple(value for name, value in call.arguments if not name)
        names = call.terms or ((owner,) if _is_assigned(code, owner) else given)
        for one in _assigned_to(code, names, call.scope, 1 if call.is_computed else 2):
            if (one.start, one.end) not in told:
                told.add((one.start, one.end))
                yield one


def parts_of(code: FileCode, total: Named) -> Iterator[Named]:
    """What is assigned to the names that a sum is made of."""
    if total.is_computed:
        found = _assigned_to(code, total.terms, total.scope, 1)
        yield from [one for one in found if one.is_computed or one.made]


def made_in(code: FileCode, one: Named) -> Iterator[Named]:
    """What a function of the file computes to return it, where its result is assigned; not what objects
    that are called give, nor functions with many returns."""
    name = one.made.removeprefix(_SELF)
    found = [each for each in code.functions if each.name == name] if name else []
    if len(found) != 1:
        return
    function = found[0]
    returned = [each for each in code.returns if function.end <= each.start < function.last]
    for each in returned[:_MOST_RETURNS]:
        if each.is_computed:
            yield each
        yield from parts_of(code, each._replace(is_computed=True))


def _is_assigned(code: FileCode, name: str) -> bool:
    return any(one.written == name for one in code.computed)


def _assigned_to(code: FileCode, names: tuple[str, ...], scope: Surroundings, steps: int) -> Iterator[Named]:
    """The assignments of these names in a function; in a second step those of what they add up."""
    seen: set[str] = set()
    waiting = list(names)
    for _ in range(steps):
        asked = {name for name in waiting if name not in seen}
        seen |= asked
        waiting = []
        for one in code.computed:
            is_here = one.scope == scope or (
                one.written.startswith(_SELF) and one.scope.classes == scope.classes and bool(scope.classes)
            )
            if is_here and one.written in asked:
                waiting += one.terms
                yield one


def mixings(code: FileCode) -> Iterator[Named]:
    """The calls and assignments in loops over weights that mix these with others, as moving averages do."""
    loops = [
        (one.start, one.last)
        for one in code.loops
        if _OF_WEIGHTS.search(one.over) and "group" not in one.over
    ]
    for one in sorted([*code.calls, *code.computed], key=lambda each: (each.start, -each.end)):
        if any(start <= one.start < end for start, end in loops) and _mixes(
            code.without_comments(one.start, one.end)
        ):
            yield one


def _mixes(source: str) -> bool:
    if _LERP.search(source):
        return True
    rest = _REST.search(source)
    return rest is not None and len(re.findall(rf"\b{re.escape(rest['share'])}\b", source)) > 1


def in_dictionary(code: FileCode, name: str, scope: str) -> tuple[list[tuple[str, str]], bool]:
    """The keys and values that a dictionary has where it is used in a function, as far as they are written in
    it or around it; and whether these are all, always."""
    around = f"{scope}."
    found = [
        one
        for one in code.dictionaries
        if one.name == name and (not one.scope.name or around.startswith(f"{one.scope.name}."))
    ]
    pairs = [pair for one in found for pair in one.pairs]
    return pairs, len(found) == 1 and found[0].is_all


def is_of_weights(name: str) -> bool:
    """Whether an argument of an optimizer is the parameters of a network, and no groups of them."""
    return "parameters()" in name and "{" not in name
