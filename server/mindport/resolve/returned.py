"""What torch APIs give: from the return types of the catalog to values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.resolve.values import (
    NONE,
    UNKNOWN,
    Api,
    Elements,
    ExternalInstance,
    Instance,
    Items,
    Result,
    join,
    just,
)

if TYPE_CHECKING:
    from mindport.catalog.catalog import Catalog

_ELEMENTS = {"list": "list", "Sequence": "list", "Iterable": "iterator", "Iterator": "iterator", "set": "set"}
_OPENING, _CLOSING = "[(", "])"


def returned(catalog: Catalog, name: str) -> Result:
    """What calling the torch API `name` gives."""
    if catalog.kind(name) == "class":
        return just(Instance(name))
    text = catalog.returns(name)
    return from_text(catalog, text) if text is not None else UNKNOWN


def api_as_value(catalog: Catalog, api: Api) -> Result:
    """What a torch attribute, property or constant is (its type comes from the catalog)."""
    text = catalog.returns(api.name)
    return from_text(catalog, text) if text is not None else UNKNOWN


def from_text(catalog: Catalog, text: str) -> Result:
    """The value a type text of the catalog stands for: `Tensor`, `tuple[Tensor, int]`, `Tensor | None`."""
    alternatives = _split(text, "|")
    if len(alternatives) > 1:
        return join([from_text(catalog, alternative) for alternative in alternatives])
    head, _, rest = text.strip().partition("[")
    arguments = _split(rest[:-1], ",") if rest.endswith("]") else []
    if head == "None":
        return NONE
    if head == "tuple" and arguments and arguments[-1] != "...":
        return just(Items("tuple", tuple([from_text(catalog, argument) for argument in arguments])))
    if head in _ELEMENTS or head == "tuple":
        element = from_text(catalog, arguments[0]) if arguments else UNKNOWN
        return just(Elements(_ELEMENTS.get(head, "tuple"), element))
    if head in ("Any", "object", "Self", ""):
        return UNKNOWN
    return _named(catalog, head)


def _named(catalog: Catalog, name: str) -> Result:
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
