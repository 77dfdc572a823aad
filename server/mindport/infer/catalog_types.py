"""What torch APIs give: from the return types of the catalog to values."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mindport.catalog.binding import bind
from mindport.index.nodes import Constant
from mindport.infer.values import (
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    ExternalInstance,
    FixedTuple,
    Giver,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Value,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.catalog.api import Signature
    from mindport.catalog.catalog import Catalog
    from mindport.index.nodes import CallArgument, CallExpression
    from mindport.infer.context import Context

_ELEMENTS: Final = {
    "list": "list",
    "Sequence": "list",
    "Iterable": "iterator",
    "Iterator": "iterator",
    "Generator": "iterator",
    "set": "set",
    "dict": "dict",
    "OrderedDict": "dict",
    "Mapping": "dict",
}
_OPENING, _CLOSING = "[({", "])}"
_INTEGERS: Final = frozenset({"int", "SymInt", "bool"})


def returned(context: Context, api: ApiValue, call: CallExpression | None) -> AbstractValue:
    """What calling the torch API gives, for these arguments where overloads differ."""
    catalog = context.catalog
    kind = catalog.kind(api.name)
    if kind == "class":
        return just(Instance(api.name))
    if kind == "property":  # what it is, is called
        return context.called(api_as_value(catalog, api))
    text = catalog.returns(api.name)
    if text is None:
        return UNKNOWN
    flags = catalog.contracts.flags.get(api.name)
    if flags is not None:
        alternatives = _split(text, "|")
        return from_text(catalog, alternatives[int(_is_flagged(call, flags))], api.receiver)
    if call is not None and "|" in text:
        described = catalog.api(api.name)
        texts = _of_overloads(context, described.signatures, call) if described is not None else []
        if texts:
            return join([from_text(catalog, one, api.receiver) for one in texts])
    return from_text(catalog, text, api.receiver)


def _is_flagged(call: CallExpression | None, flags: list[str]) -> bool:
    """Whether a call gives one of these keyword arguments, and that is not False."""
    for argument in call.arguments if call is not None else ():
        value = argument.value
        if argument.keyword in flags and not (isinstance(value, Constant) and value.value == "False"):
            return True
    return False


def _of_overloads(context: Context, signatures: tuple[Signature, ...], call: CallExpression) -> list[str]:
    """The return types of the overloads that the call may mean."""
    if any(argument.unpack for argument in call.arguments):
        return []
    fitting = [signature.returns for signature in signatures if _fits(context, signature, call.arguments)]
    return [] if None in fitting else list(dict.fromkeys(text for text in fitting if text is not None))


def _fits(context: Context, signature: Signature, arguments: list[CallArgument]) -> bool:
    bound = bind(arguments, signature)
    if bound is None:
        return False
    return all(
        item.parameter.type is None or _may_be(context.value(item.argument.value), item.parameter.type)
        for item in bound
    )


def _may_be(result: AbstractValue, type_text: str) -> bool:
    """Whether an argument may be of a parameter's type, as far as telling Tensors from numbers goes."""
    if not result.alternatives:
        return True
    if type_text == "Tensor":
        return not all(isinstance(value, (ExternalInstance, FixedTuple)) for value in result.alternatives)
    if type_text in _INTEGERS:
        return not all(isinstance(value, (Instance, FixedTuple)) for value in result.alternatives)
    return True


def special_method(context: Context, value: Instance, name: str) -> AbstractValue:
    """What a special method (`__add__`, `__getitem__`) of an instance of a torch class gives."""
    member = context.catalog.member(value.of, name)
    return returned(context, ApiValue(member, value), None) if member is not None else UNKNOWN


def api_as_value(catalog: Catalog, api: ApiValue) -> AbstractValue:
    """What a torch attribute, property or constant is (its type comes from the catalog)."""
    text = catalog.returns(api.name)
    return from_text(catalog, text, api.receiver) if text is not None else UNKNOWN


_READ: Final = frozenset({"attribute", "property", "constant"})


def read(catalog: Catalog, result: AbstractValue) -> AbstractValue:
    """What a value is once it is read: torch attributes among the alternatives become what they are."""
    for value in result.alternatives:
        if isinstance(value, ApiValue) and _is_read(catalog, value.name):
            break
    else:
        return result
    found = [
        api_as_value(catalog, value)
        if isinstance(value, ApiValue) and _is_read(catalog, value.name)
        else just(value)
        for value in result.alternatives
    ]
    return join(found).widened(result.certainty)


def _is_read(catalog: Catalog, name: str) -> bool:
    """Whether an API is a value, and nothing to be called: an attribute, or what is promised of a name that
    the catalog has not."""
    kind = catalog.kind(name)
    return kind in _READ if kind is not None else name in catalog.contracts.members


def from_text(catalog: Catalog, text: str, receiver: Value | None = None) -> AbstractValue:
    """The value a type text of the catalog stands for: `Tensor`, `tuple[Tensor, int]`, `Tensor | None`.
    `Self` is the receiver."""
    return _from_text(catalog, text, receiver) if "Self" in text else _from_plain_text(catalog, text)


@lru_cache(maxsize=4096)
def _from_plain_text(catalog: Catalog, text: str) -> AbstractValue:
    """The value of a text in which the receiver does not occur."""
    return _from_text(catalog, text, None)


def _from_text(catalog: Catalog, text: str, receiver: Value | None) -> AbstractValue:
    alternatives = _split(text, "|")
    if len(alternatives) > 1:
        return join([from_text(catalog, alternative, receiver) for alternative in alternatives])
    if text.startswith("{"):
        return just(_keyed(catalog, text, receiver))
    head, _, rest = text.strip().partition("[")
    arguments = _split(rest[:-1], ",") if rest.endswith("]") else []
    if head == "None":
        return NONE
    if head == "Self":
        return just(receiver) if receiver is not None else UNKNOWN
    if head == "NoReturn":
        return NEVER
    if head == "tuple" and arguments and arguments[-1] != "...":
        items = tuple([from_text(catalog, argument, receiver) for argument in arguments])
        return just(FixedTuple("tuple", items))
    if head in _ELEMENTS or head == "tuple":
        position = -1 if _ELEMENTS.get(head) == "dict" else 0
        element = from_text(catalog, arguments[position], receiver) if arguments else UNKNOWN
        return just(HomogeneousContainer(_ELEMENTS.get(head, "tuple"), element))
    if head == "Callable" and arguments:
        return just(Giver(from_text(catalog, arguments[-1], receiver)))
    return UNKNOWN if head in ("Any", "object", "Callable", "") else _named(catalog, head)


def _keyed(catalog: Catalog, text: str, receiver: Value | None) -> KeyedDictionary:
    """`{key: type, *: type}`"""
    items, rest = [], UNKNOWN
    for pair in _split(text[1:-1], ","):
        key, _, of = pair.partition(":")
        value = from_text(catalog, of.strip(), receiver)
        if key == "*":
            rest = value
        else:
            items.append((key, value))
    return KeyedDictionary(tuple(items), rest)


def _named(catalog: Catalog, name: str) -> AbstractValue:
    for candidate in (name, f"torch.{name}"):
        canonical = catalog.canonical(candidate)
        if canonical is not None and catalog.kind(canonical) == "class":
            return just(Instance(canonical))
    return just(ExternalInstance(f"builtins.{name}" if "." not in name else name))


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that are not inside brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]
