"""The one place that says what status a torch API without a counterpart has.

`missing`: the API is a public one of a module that the mapping data covers (there is at least one
correspondence for a member of it), so that no counterpart was found although one was looked for. Members of
classes are covered when the class's module is, or when the class itself has a record.

`unmapped`: everything else; nobody has looked for a counterpart yet.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from mindport.catalog.answer import Status


def without_counterpart(
    name: str, kind_of: Callable[[str], str | None], covered: Container[str], known: Container[str]
) -> Status:
    """`missing` or `unmapped` for an API that has no candidates; `covered` are modules, `known` APIs that
    have a record."""
    if any(part.startswith("_") and not part.startswith("__") for part in name.split(".")):
        return "unmapped"
    owner = name.rpartition(".")[0]
    while owner and kind_of(owner) not in (None, "module"):
        if owner in known or owner in covered:
            return "missing"
        owner = owner.rpartition(".")[0]
    is_module = kind_of(name) == "module"
    return "missing" if owner in covered and not is_module else "unmapped"
