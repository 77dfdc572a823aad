"""What calls give for parameters: facts that cross from callers to functions, as data.

A parameter is named by the path of its module and the qualified name of its function there. What it is
given is a set of *forms*: values written as plain tuples, so that they outlive the syntax they came from, can
be kept in a cache and sent to another process. `infer/forms.py` turns values into forms and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mindport.index.memo import mark_dirty

if TYPE_CHECKING:
    from mindport.index.block import Block

Form = tuple[Any, ...]
"""A value as plain data; see `infer/forms.py`."""
MOST_FORMS: Final = 6
"""A parameter that is given more different things than this may be anything."""


class ParameterKey(NamedTuple):
    """A parameter of a function, or a field of a class (a dataclass), by name."""

    path: str
    qualified_name: str
    name: str


def member_key(package: str, name: str) -> ParameterKey:
    """The key under which it is told that a class of a package, by its top-level name, has a member of this
    name."""
    return ParameterKey("", package, name)


def subclass_key(path: str, qualified_name: str) -> ParameterKey:
    """The key under which the direct subclasses of a class are told."""
    return ParameterKey(path, qualified_name, "")


ANYTHING: Final[Form] = ("unknown",)
"""The form of what nothing is known of."""
LEFT_OUT: Final[Form] = ("left out",)
"""What is told of a parameter that a call leaves to its default value."""
DEFINED: Final[Form] = ("defined",)
"""What is told of a member that there is."""

Given = Mapping[ParameterKey, frozenset[Form]]
"""What the calls in a block, or in a file, give."""
NOTHING: Final[Given] = {}


def united(parts: Iterable[Given]) -> Given:
    """What several givers give together."""
    found: dict[ParameterKey, frozenset[Form]] = {}
    for part in parts:
        for key, forms in part.items():
            found[key] = found[key] | forms if key in found else forms
    return found


class ArgumentFacts:
    """What is known to be given for parameters, by all givers: modules, by their paths.

    `dependents` are, by parameter, the blocks that asked. What parameters are given changes only by `take`.
    """

    def __init__(self) -> None:
        self._by_giver: dict[str, Given] = {}
        self._counts: dict[ParameterKey, dict[Form, int]] = {}
        self.dependents: dict[ParameterKey, set[Block]] = {}

    def of(self, key: ParameterKey) -> frozenset[Form]:
        """What is given for a parameter; nothing, where that is too much to say anything."""
        found = self._counts.get(key)
        return frozenset(found) if found is not None and len(found) <= MOST_FORMS else frozenset()

    def is_given(self, key: ParameterKey) -> bool:
        """Whether calls give anything for a parameter, be it too much to say what."""
        return bool(self._counts.get(key))

    def by(self, giver: str) -> Given:
        """What a giver gives."""
        return self._by_giver.get(giver, NOTHING)

    def _said(self, key: ParameterKey) -> object:
        """What is said of a parameter, to be compared with what is said later."""
        found = self._counts.get(key)
        return (len(found) <= MOST_FORMS and frozenset(found)) if found else None

    def take(self, giver: str, given: Given) -> set[ParameterKey]:
        """Replace what a giver gives. Returns the parameters that are given something else now."""
        before = self._by_giver.get(giver, NOTHING)
        changed = set()
        for key in before.keys() | given.keys():
            old, new = before.get(key, frozenset()), given.get(key, frozenset())
            if old == new:
                continue
            said = self._said(key)
            counts = self._counts.setdefault(key, {})
            for form in old - new:
                counts[form] -= 1
                if not counts[form]:
                    del counts[form]
            for form in new - old:
                counts[form] = counts.get(form, 0) + 1
            if self._said(key) != said:
                changed.add(key)
        if given:
            self._by_giver[giver] = given
        else:
            self._by_giver.pop(giver, None)
        return changed

    def said_of(self, key: ParameterKey) -> str:
        """All that results may rest on of what a parameter is given, as a text; empty, if it is nothing."""
        found = self._counts.get(key)
        if not found:
            return ""
        return repr(sorted(found, key=repr)) if len(found) <= MOST_FORMS else "much"

    def invalidate(self, keys: Iterable[ParameterKey]) -> bool:
        """Make dirty what relies on what these parameters are given. Returns whether anything does."""
        asked = [self.dependents.get(key, set()) for key in keys]
        for blocks in asked:
            mark_dirty(blocks)
        return any(asked)

    def forget_dependents(self) -> None:
        """Nothing that was looked at is kept any more."""
        self.dependents.clear()
