"""What a declaration says of the parts of a value of which the code says nothing."""

from __future__ import annotations

from typing import Final

from mindport.infer.values import (
    AbstractValue,
    Certainty,
    FixedTuple,
    HomogeneousContainer,
    KeyedDictionary,
    Value,
    has_unknown,
    is_unknown,
)

_CONTAINERS: Final = frozenset({FixedTuple, HomogeneousContainer, KeyedDictionary})
_DICTIONARY: Final = "dict"
_ITERATOR: Final = "iterator"


def with_declared(found: AbstractValue, declared: AbstractValue) -> AbstractValue:
    """A value with what the declared one says of what is in containers: `return a, b` of a function that is
    annotated to give `tuple[Tensor, int]`, a list that is filled with what nobody knows."""
    if is_unknown(declared) or not has_open_parts(found):
        return found
    kept = tuple([_with_parts(value, declared) for value in found.alternatives])
    return found if kept == found.alternatives else AbstractValue(kept, Certainty.LIKELY)


def has_open_parts(found: AbstractValue) -> bool:
    """Whether a container is among the alternatives that may hold anything."""
    for value in found.alternatives:  # no generator: asked of every result of a function that is annotated
        if type(value) in _CONTAINERS and any(
            has_unknown(part) or has_open_parts(part) for part in _parts(value)
        ):
            return True
    return False


def _parts(value: Value) -> list[AbstractValue]:
    if isinstance(value, FixedTuple):
        return list(value.items)
    if isinstance(value, KeyedDictionary):
        return [part for _, part in value.items]
    return [value.element] if isinstance(value, HomogeneousContainer) else []


def _with_parts(value: Value, declared: AbstractValue) -> Value:
    """One container with what the declared one of its kind says of what is in it."""
    for other in declared.alternatives:
        if isinstance(value, FixedTuple):
            parts = _declared_items(value, other)
            if parts is not None:
                items = [_part(*pair) for pair in zip(value.items, parts, strict=True)]
                return value.with_items(items)
        elif isinstance(other, HomogeneousContainer):
            if isinstance(value, HomogeneousContainer) and other.kind in (value.kind, _ITERATOR):
                return HomogeneousContainer(value.kind, _part(value.element, other.element))
            if isinstance(value, KeyedDictionary) and other.kind == _DICTIONARY:
                kept = tuple([(key, _part(part, other.element)) for key, part in value.items])
                return KeyedDictionary(kept, value.rest)
    return value


def _declared_items(value: FixedTuple, other: Value) -> list[AbstractValue] | None:
    """What a declared container says of each item of a tuple or a list; None where it says nothing."""
    if isinstance(other, FixedTuple) and (other.kind, len(other.items)) == (value.kind, len(value.items)):
        return list(other.items)
    if isinstance(other, HomogeneousContainer) and other.kind in (value.kind, _ITERATOR):
        return [other.element] * len(value.items)
    return None


def _part(found: AbstractValue, declared: AbstractValue) -> AbstractValue:
    if is_unknown(declared) or not has_unknown(found):
        return with_declared(found, declared)
    return AbstractValue(declared.alternatives, Certainty.LIKELY)
