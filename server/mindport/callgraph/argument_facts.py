"""What calls give for parameters: facts that cross from callers to functions, as data.

A parameter is named by the path of its module and the qualified name of its function there. What it is
given is a set of *forms*: values written as plain tuples, so that they outlive the syntax they came from, can
be kept in a cache and sent to another process. `infer/forms.py` turns values into forms and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.index.memo import Dependents, mark_dirty

if TYPE_CHECKING:
    pass

Form = tuple[Any, ...]
"""A value as plain data; see `infer/forms.py`."""
MOST_FORMS: Final = 6
"""A parameter that is given more different things than this may be anything."""
MOST_SUBCLASSES: Final = 32
"""Of a class with more direct subclasses than this, it is not known which they are."""

_MOST_CHANGES: Final = 4
"""A parameter that is given something else in more rounds than this may be anything."""
_NO_FORMS: Final[frozenset[Form]] = frozenset()


class ParameterKey(NamedTuple):
    """A parameter of a function, or a field of a class (a dataclass), by name."""

    path: str
    qualified_name: str
    name: str


def parameter_key(path: str, qualified_name: str, name: str) -> ParameterKey:
    """`ParameterKey(path, qualified_name, name)`, in half of the time: a scan of timm makes 300,000."""
    key: ParameterKey = _MAKE(ParameterKey, (path, qualified_name, name))
    return key


_MAKE: Final[Any] = tuple.__new__


def member_key(package: str, name: str) -> ParameterKey:
    """The key under which it is told that a class of a package, by its top-level name, has a member of this
    name."""
    return parameter_key("", package, name)


def as_called(name: str) -> str:
    """What a member is told as, beside its name, that may be called."""
    return f"{name}()"


def as_kept(name: str) -> str:
    """What a member is told as, beside its name, that may be called if methods call such a member of theirs;
    see `as_called_of_self`."""
    return f"kept {name}"


def as_called_of_self(name: str) -> str:
    """What a member is told as that a method of a class calls of its object."""
    return f"self.{name}()"


def as_overriding(name: str) -> str:
    """What a member is told as, beside its name, of a class that says itself what torch makes of it."""
    return f"torch {name}"


def as_pair(one: str, other: str) -> str:
    """What two members are told as of a class that has both."""
    return f"{one} and {other}"


def owner_key(package: str, member: str) -> ParameterKey:
    """The key under which it is told which classes of a package have a member of this name first, beside the
    classes that derive from them."""
    return parameter_key("", package, f"owner of {member}")


def attribute_key(path: str, qualified_name: str, name: str) -> ParameterKey:
    """The key under which it is told what code outside of a class sets an attribute of its objects to."""
    return parameter_key(path, qualified_name, f"set {name}")


def set_key(name: str) -> ParameterKey:
    """The key under which it is told that an attribute of this name is set from outside of any class."""
    return parameter_key("", "", f"set {name}")


def subclass_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which the direct subclasses of a class are told."""
    return parameter_key(path, qualified_name, "")


def result_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told what the callers of a method that is left to subclasses take its result
    for."""
    return parameter_key(path, qualified_name, "return")


def network_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told that a function is called by what runs in a network."""
    return parameter_key(path, qualified_name, "in network")


def wrapper_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told that a function calls what it is given, as decorators that add something
    to a function do."""
    return parameter_key(path, qualified_name, "wrapper")


TAKES_SECOND_GRADIENTS: Final = ParameterKey("", "", "second gradients")
"""The key under which it is told that anything takes gradients of gradients."""


def twice_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told that what a function gives is differentiated twice."""
    return parameter_key(path, qualified_name, "twice")


def twice_at_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told that any parameter of a function has one of the next two facts: most
    functions are asked no further."""
    return parameter_key(path, qualified_name, "twice at")


def twice_of_key(path: str, qualified_name: str, parameter: str) -> ParameterKey:
    """The key under which it is told that a function differentiates twice what it is given for a
    parameter."""
    return parameter_key(path, qualified_name, f"twice {parameter}")


def twice_for_key(path: str, qualified_name: str, parameter: str) -> ParameterKey:
    """The key under which it is told that a function differentiates something twice for what it is given for
    a parameter."""
    return parameter_key(path, qualified_name, f"twice for {parameter}")


def mixed_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told what subclasses of a class derive from beside it."""
    return parameter_key(path, qualified_name, "with")


def mixed_root_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which it is told which classes of torch these derive from in the end: few, where they
    are many."""
    return parameter_key(path, qualified_name, "with root")


MUCH: Final[Form] = ("much",)
"""What makes a parameter one that may be anything."""
ANYTHING: Final[Form] = ("unknown",)
"""The form of what nothing is known of."""
LEFT_OUT: Final[Form] = ("left out",)
"""What is told of a parameter that a call leaves to its default value."""
DEFINED: Final[Form] = ("defined",)
"""What is told of a member that there is."""

_MANY: Final = frozenset({ANYTHING})
"""What is told of subclasses of which there are too many."""

Given = Mapping[ParameterKey, frozenset[Form]]
"""What the calls in a block, or in a file, give."""
NOTHING: Final[Given] = {}


def paths_in(form: Form) -> Iterator[str]:
    """The paths of the modules that a form speaks of."""
    if form and form[0] in _PLACED:
        yield form[1]
        return
    for part in form:
        if isinstance(part, tuple):
            yield from paths_in(part)


_PLACED: Final = frozenset({"Class", "Function", "Object", "ProjectModule"})


def united(parts: Iterable[Given]) -> Given:
    """What several givers give together, without what they give nothing for."""
    found: dict[ParameterKey, frozenset[Form]] = {}
    for part in parts:
        for key, forms in part.items():
            if forms:
                found[key] = found[key] | forms if key in found else forms
    return found


class ArgumentFacts:
    """What is known to be given for parameters, by all givers: modules, by their paths.

    `dependents` are, by parameter, the blocks that asked. What parameters are given changes only by `take`
    and `withdraw`. A parameter that is given too much, or something else in round after round, may be
    anything from then on, until what it is given is withdrawn: so rounds come to an end.
    """

    def __init__(self) -> None:
        self._by_giver: dict[str, Given] = {}
        self._counts: dict[ParameterKey, dict[Form, int]] = {}
        self._changes: dict[ParameterKey, int] = {}
        """Of the rounds since the last `settled`, in how many a parameter was given something else."""
        self._widened: set[ParameterKey] = set()
        self.dependents: Dependents = {}

    def copy(self) -> ArgumentFacts:
        """The same facts, to be changed by themselves. Who relies on them is noted in common."""
        copied = ArgumentFacts()
        copied._by_giver = dict(self._by_giver)
        copied._counts = {key: dict(counts) for key, counts in self._counts.items()}
        copied._changes = dict(self._changes)
        copied._widened = set(self._widened)
        copied.dependents = self.dependents
        return copied

    def of(self, key: ParameterKey) -> frozenset[Form]:
        """What is given for a parameter; nothing, where that is too much to say anything. Of subclasses, that
        there are others."""
        found = self._counts.get(key)
        if not found:
            return _NO_FORMS
        if key in self._widened:
            return _NO_FORMS if key.name else _MANY
        return frozenset(found)

    def is_left_out(self, key: ParameterKey) -> bool:
        """Whether a call leaves a parameter to its default value, or no call is known."""
        found = self._counts.get(key)
        return LEFT_OUT in found if found else True

    def by(self, giver: str) -> Given:
        """What a giver gives."""
        return self._by_giver.get(giver, NOTHING)

    def take(self, arguments: Mapping[str, Given]) -> set[ParameterKey]:
        """Replace what these givers give, in one round. Returns the parameters of which something else is
        said now."""
        touched: dict[ParameterKey, object] = {}
        for giver, given in arguments.items():
            self._replace(giver, given, touched)
        changed = set()
        for key, said in touched.items():
            self._widen(key)
            if self.said(key) != said:
                changed.add(key)
        return changed

    def withdraw(self, giver: str) -> set[ParameterKey]:
        """Let a giver give nothing, as if what was found so far had not been. Returns the parameters that it
        gave something."""
        touched: dict[ParameterKey, object] = {}
        self._replace(giver, NOTHING, touched)
        self._widened.difference_update(touched)
        return set(touched)

    def too_much(self) -> Given:
        """What a giver of its own would have to give, so that whoever takes all givers in one round finds the
        same parameters given too much."""
        return dict.fromkeys(self._widened, frozenset({MUCH}))

    def settled(self) -> None:
        """No more rounds follow until something changes."""
        self._changes.clear()

    def _replace(self, giver: str, given: Given, touched: dict[ParameterKey, object]) -> None:
        """`touched` takes up the parameters that it concerns, with what was said of them."""
        before = self._by_giver.get(giver, NOTHING)
        for key in before.keys() | given.keys():
            old, new = before.get(key, _NO_FORMS), given.get(key, _NO_FORMS)
            if old == new:
                continue
            if key not in touched:
                touched[key] = self.said(key)
            counts = self._counts.setdefault(key, {})
            for form in old - new:
                counts[form] -= 1
                if not counts[form]:
                    del counts[form]
            for form in new - old:
                counts[form] = counts.get(form, 0) + 1
        if given:
            self._by_giver[giver] = given
        else:
            self._by_giver.pop(giver, None)

    def _widen(self, key: ParameterKey) -> None:
        self._changes[key] = self._changes.get(key, 0) + 1
        found = self._counts.get(key, {})
        most = MOST_FORMS if key.name else MOST_SUBCLASSES
        if len(found) > most or self._changes[key] > _MOST_CHANGES or MUCH in found:
            self._widened.add(key)

    def said(self, key: ParameterKey) -> object:
        """What is said of a parameter, to be compared with what is said later."""
        found = self._counts.get(key)
        if not found:
            return None
        return LEFT_OUT in found if key in self._widened else frozenset(found)

    def named_by(self, key: ParameterKey) -> set[str]:
        """The paths of the modules that what a parameter is given names: of its classes and functions."""
        return {path for form in self.of(key) for path in paths_in(form)}

    def said_of(self, key: ParameterKey) -> str:
        """All that results may rest on of what a parameter is given, as a text; empty, if it is nothing."""
        found = self._counts.get(key)
        if not found:
            return ""
        if key not in self._widened:
            return repr(sorted(found, key=repr))
        return "much, or its default value" if LEFT_OUT in found else "much"

    def invalidate(self, keys: Iterable[ParameterKey]) -> bool:
        """Make dirty what relies on what these parameters are given. Returns whether anything does."""
        is_asked = False
        for key in keys:
            blocks = self.dependents.get(key)
            if blocks:
                mark_dirty(blocks, key)
                is_asked = True
        return is_asked

    def forget_dependents(self) -> None:
        """Nothing that was looked at is kept any more."""
        self.dependents.clear()
