"""What several places of a file's code say together: what gradients are taken of, where weights are mixed,
what is in a dictionary that a call is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.file_code import OF_SELF, WORD, FileCode, Named, Surroundings, last_part

_OF_WEIGHTS: Final = re.compile(r"param|state_dict|_dict\.(?:keys|items)\(|weights|modules\(")
"""What stands in loops over the weights of networks, but for those of optimizers."""
_REST: Final = re.compile(r"\b1(?:\.0*)?\s*-\s*(?P<share>[A-Za-z_][\w.]*)")
"""What is left of a share."""
_LERP: Final = re.compile(r"\blerp_?\(")
_SHIFTING: Final = frozenset({"add_", "sub_", "mul_", "div_", "pow_"})
"""The methods that compute with all values of a Tensor in place."""
_FILLING: Final = "fill_"
_SHAPED: Final = re.compile(
    r"(?:\.(?:view|reshape|flatten|squeeze|unsqueeze|t|transpose)\([^()]*\)|\.data)+$"
)
"""The methods that show the values of a Tensor in another shape."""
_CALLED: Final = re.compile(r"([A-Za-z_]\w*)\(")
_CHOSEN: Final = re.compile(r"""=.*\w\[[^\]'"]*[A-Za-z][^\]'"]*\]""", re.DOTALL)
"""An assignment of what is chosen with another name."""
_ENTRY: Final = re.compile(r"\[[^\]'\"]*[A-Za-z]")
"""Entries that are assigned, chosen with another name."""
_LIBRARIES: Final = ("torch.", "numpy.")
_MOST_RETURNS: Final = 3
_KEEPING: Final = (".append", ".extend")
_OF_KEYS: Final = re.compile(r":\s*([A-Za-z_][\w.]*)\s*(?=[,}])")
"""The names in a dictionary that is written out."""
_MOST_ROUNDS: Final = 5
_OPERATOR: Final = re.compile(r"[\w\])]\s*[-+*/@]{1,2}\s*[\w(]")
"""What computes something between two values."""
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_SURE: Final = 2
_DEEPEST: Final = 5
"""As many sums are followed, one in the next."""
_MOST_PARTS: Final = 100
"""As many assignments of a formula are told."""
_OF_MANY: Final = re.compile(r"\b(?:sum|stack|cat)\(\s*[\w.]+(?:\.values\(\))?\s*[,)]|\bfor\b|\.values\(\)")
"""An expression that adds up what is kept in a list or a dictionary."""


def minimized(code: FileCode, functions: tuple[str, ...]) -> Iterator[Named]:
    """What is given to one of these functions (`backward`), or is what such a method is called on: the
    expressions, and what is assigned to the names in them, and to those that these add up, be it through
    others that are computed."""
    told: set[tuple[int, int]] = set()
    here = {one.written for one in code.computed}
    for call in code.calls:
        owner, _, function = call.written.rpartition(".")
        if function not in functions or call.scope.name.rpartition(".")[2] in functions:
            continue  # such a function calls others to do the same
        if call.is_computed:
            yield call
        elif (
            any(not name and value not in ("loss", owner) for name, value in call.arguments) and owner in here
        ):
            yield call._replace(uses=tuple(value for name, value in call.arguments if not name))
        names = _taken_of(code, call, owner)
        found = list(_assigned_to(code, names, call.scope, _DEEPEST - call.is_computed))
        before = {one.written for one in found if one.start < call.start}
        for one in found:
            is_later = one.start > call.end and one.written in before  # what is made of it for others
            if (one.start, one.end) not in told and not is_later:
                told.add((one.start, one.end))
                yield one


def parts_of(code: FileCode, total: Named) -> Iterator[Named]:
    """What is assigned to the names that a sum is made of."""
    if total.is_computed:
        found = _assigned_to(code, total.terms, total.scope, 1)
        yield from [one for one in found if one.is_computed or one.made]


def made_in(code: FileCode, one: Named, computing: Set[str]) -> Iterator[Named]:
    """What a function of the file computes to return it, with these functions too, where its result is
    assigned; not what objects that are called give, nor functions with many returns."""
    name = one.made.removeprefix(OF_SELF)
    found = [each for each in code.functions if each.name == name] if name else []
    if len(found) != 1:
        return
    function = found[0]
    returned = _inside(function, code.returns)
    names = given_at(code, function, one.position)
    for each in returned[:_MOST_RETURNS]:
        terms = tuple(name for name in each.terms if not names or name in names)
        yield from parts_of(code, each._replace(is_computed=True, terms=terms))
    if any(each.is_computed for each in returned[:_MOST_RETURNS]):
        yield from formula(code, function, computing, names)


def given_at(code: FileCode, function: Named, position: int) -> frozenset[str]:
    """The names that a function returns at one of several positions; none where it returns one value."""
    returned = _inside(function, code.returns)
    if position < 0 or not all(len(one.elements) > position for one in returned):
        return frozenset()
    return frozenset(name for one in returned for name in one.elements[position].uses)


def formula(
    code: FileCode, function: Named, computing: Set[str], names: Set[str] = frozenset()
) -> list[Named]:
    """What a function computes to return it, or of what it returns these names: its assignments and returns
    with operators, what these functions and those of torch and NumPy give, and what is chosen of Tensors, the
    first first."""
    fed = feeding(code, function, names)
    found = [one for one in fed if one.is_computed or one.is_compared or _computes(code, one, computing)]
    found = [one for one in found if one.uses or not one.is_augmented]  # no counters
    returned = _inside(function, code.returns)
    found += [one for one in returned if one.is_computed or _calls(code, one, computing)]
    changed = {one.written for one in fed}
    calls = _inside(function, code.calls) if changed else []
    found += [one for one in calls if is_in_place(one) and owner_of(one) in changed]
    found += _appended(code, function, names)
    return sorted(found, key=lambda one: one.start)[:_MOST_PARTS]


def _appended(code: FileCode, function: Named, names: Set[str]) -> Iterator[Named]:
    """What a function computes where it appends it to lists that what it returns is made from, with the names
    in it."""
    wanted = _fed_names(code, function, names)
    for call in _inside(function, code.calls):
        is_kept = call.written.endswith(_KEEPING[0]) and call.written.rpartition(".")[0] in wanted
        if is_kept and any(_OPERATOR.search(_BRACKETS.sub("", value)) for _, value in call.arguments):
            given = [name for _, value in call.arguments for name in WORD.findall(value)]
            yield call._replace(uses=tuple(dict.fromkeys(given)))


def is_in_place(call: Named) -> bool:
    """Whether a method changes the values of a Tensor that has a name, by something else."""
    owner, last = owner_of(call), last_part(call.written)
    is_method = owner.isidentifier() and last.endswith("_") and not last.startswith("_")
    is_shifted = last in (*_SHIFTING, _FILLING) and len(call.arguments) == 1
    return (
        is_method
        and (len(call.arguments) > 1 or is_shifted)
        and last not in Catalog.load().migration.keeping_values
    )


def owner_of(call: Named) -> str:
    """What the method of a call is called on, be it in another shape (`x.view(-1).add_(y)` is on `x`)."""
    return _SHAPED.sub("", call.written.rpartition(".")[0])


def _computes(code: FileCode, one: Named, computing: Set[str]) -> bool:
    source = code.without_comments(one.start, one.end)
    if _ENTRY.search(one.written) is not None:
        return True
    if _calls(code, one, computing):
        return True
    if last_part(one.made) in Catalog.load().migration.plain:
        return False
    return code.full_name(one.made).startswith(_LIBRARIES) or _CHOSEN.search(source) is not None


def _calls(code: FileCode, one: Named, functions: Set[str]) -> bool:
    return not functions.isdisjoint(_CALLED.findall(code.without_comments(one.start, one.end)))


def feeding(code: FileCode, function: Named, returned: Set[str] = frozenset()) -> list[Named]:
    """The assignments of a function that what it returns is made from, or these names that it returns, also
    through others."""
    names = _fed_names(code, function, returned)
    return [one for one in _inside(function, code.computed) if one.written.partition("[")[0] in names]


def _fed_names(code: FileCode, function: Named, returned: Set[str]) -> set[str]:
    """The names that what a function returns is made from, or these names that it returns, also through
    others and through lists."""
    inside = _inside(function, code.computed)
    names = set(returned) or {name for one in _inside(function, code.returns) for name in one.uses}
    kept = _inside(function, [one for one in code.calls if one.written.endswith(_KEEPING)])
    for _ in range(_MOST_ROUNDS):  # what stands in loops may be computed with what comes later
        before = len(names)
        for one in reversed(inside):
            if one.written.partition("[")[0] in names:
                names.update(one.uses)
        for one in reversed(kept):
            if one.written.rpartition(".")[0] in names:
                names.update(name for _, value in one.arguments for name in WORD.findall(value))
        if len(names) == before:
            break
    return names


def building(code: FileCode, names: Set[str], place: Named) -> list[Named]:
    """What is assigned before a place of a function to these names there, and to what is made from, also some
    entries alone; no networks."""
    wanted, found = set(names), list[Named]()
    before = [one for one in code.computed if one.scope == place.scope and one.end <= place.start]
    loops = [one for one in code.loops if one.scope == place.scope]
    for one in reversed(before):
        if one.written.partition("[")[0] in wanted and not last_part(one.made)[:1].isupper():
            if _always_replaces(code, one, place):
                wanted.discard(one.written)
            wanted.update(name.partition("[")[0] for name in one.uses)
            found.append(one)
            for loop in loops:
                if loop.start <= one.start < loop.last and not wanted.isdisjoint(WORD.findall(loop.name)):
                    wanted.update(WORD.findall(loop.over))
    return found[::-1]


def _always_replaces(code: FileCode, one: Named, place: Named) -> bool:
    """Whether a name always gets this value before a place: all around it is around the place, too."""
    if one.is_augmented or "[" in one.written:
        return False
    spans = [(each.start, each.end) for each in code.branches if each.scope == one.scope]
    spans += [(each.start, each.last) for each in [*code.loops, *code.whiles] if each.scope == one.scope]
    return all(start <= place.start < end for start, end in spans if start <= one.start < end)


def _inside(function: Named, found: Sequence[Named]) -> list[Named]:
    """What stands in the body of a function."""
    return [one for one in found if function.end <= one.start < function.last]


def called_in(code: FileCode, place: Named) -> Iterator[Named]:
    """The functions of the file that are called at a place, by names that only one has; of methods those that
    an object calls of itself."""
    for call in code.calls:
        if not place.start <= call.start < place.end:
            continue
        name = call.written.removeprefix(OF_SELF)
        found = [one for one in code.functions if one.name == name]
        if len(found) == 1 and bool(found[0].scope.classes) == call.written.startswith(OF_SELF):
            yield found[0]


def is_all_seen(code: FileCode, functions: tuple[str, ...], told: Sequence[Named]) -> bool:
    """Whether what these functions are given is followed to where it is computed: not what a function is
    given itself, nor what is kept in lists and dictionaries."""
    assigned = {one.written for one in told}
    for call in code.calls:
        owner, _, function = call.written.rpartition(".")
        if function not in functions or call.scope.name.rpartition(".")[2] in functions:
            continue
        names = _taken_of(code, call, owner)
        if not names or not all(name in assigned for name in names):
            return False
    return not any(_OF_MANY.search(code.without_comments(one.start, one.end)) for one in told)


def _taken_of(code: FileCode, call: Named, owner: str) -> tuple[str, ...]:
    """The names that gradients are taken of: what the method is called on, or what it is given where that is
    computed here and its owner is not (`accelerator.backward(loss)`)."""
    if call.terms:
        return call.terms
    given = tuple(value for name, value in call.arguments if not name)
    here = {one.written for one in code.computed if one.scope == call.scope}
    if owner in here:
        return (owner,)
    if any(name in here for name in given):
        return given
    return (owner,) if _is_assigned(code, owner) else given


def _is_assigned(code: FileCode, name: str) -> bool:
    return any(one.written == name for one in code.computed)


def _assigned_to(code: FileCode, names: tuple[str, ...], scope: Surroundings, steps: int) -> Iterator[Named]:
    """The assignments of these names in a function; in further steps those of what they add up, from the
    third on where that is computed itself."""
    seen: set[str] = set()
    waiting = list(names)
    for step in range(steps):
        asked = {name for name in waiting if name not in seen}
        seen |= asked
        waiting = []
        for one in code.computed:
            is_here = one.scope == scope or (
                one.written.startswith(OF_SELF) and one.scope.classes == scope.classes and bool(scope.classes)
            )
            if is_here and one.written in asked and (step < _SURE or one.is_computed):
                waiting += one.terms
                yield one


def mixings(code: FileCode, is_averaging: Callable[[str], bool]) -> Iterator[Named]:
    """The calls and assignments in loops over weights, and in classes that are averaging by their names, that
    mix these with others, as moving averages do."""
    loops = [
        (one.start, one.last)
        for one in code.loops
        if "group" not in one.over and (_OF_WEIGHTS.search(one.over) or _is_of_weights_kept(code, one))
    ]
    for one in sorted([*code.calls, *code.computed], key=lambda each: (each.start, -each.end)):
        is_inside = any(start <= one.start < end for start, end in loops)
        is_inside = is_inside or any(map(is_averaging, one.scope.classes))
        if is_inside and _mixes(code.without_comments(one.start, one.end)):
            yield one


def _is_of_weights_kept(code: FileCode, loop: Named) -> bool:
    """Whether a loop goes over what was made of the weights of networks before."""
    names = set(WORD.findall(loop.over))
    return any(
        one.written in names
        and one.scope == loop.scope
        and one.start < loop.start
        and _OF_WEIGHTS.search(code.without_comments(one.start, one.end)) is not None
        for one in code.computed
    )


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
    if found and any(
        name == one.others or name in dict(one.arguments)
        for one in code.functions
        if one.scope.dotted(one.name) == scope
    ):
        found = [one for one in found if one.scope.name == scope]
    pairs = [pair for one in found for pair in one.pairs]
    is_changed = any(one.is_entry and one.owner == name for one in code.values)
    return pairs, len(found) == 1 and found[0].is_all and not is_changed


def in_table(value: str) -> list[str]:
    """The names that a value of a dictionary is, or is a dictionary of."""
    return _OF_KEYS.findall(value) if value.startswith("{") else [value]


def is_of_weights(name: str) -> bool:
    """Whether an argument of an optimizer is the parameters of a network, and no groups of them."""
    return "parameters()" in name and "{" not in name
