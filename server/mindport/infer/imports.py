"""What imports give: modules and names of torch, of the project, of other libraries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mindport.infer.values import UNKNOWN, AbstractValue, ApiValue, External, TorchModule, just

if TYPE_CHECKING:
    from mindport.infer.context import Context


_PYTHONS_OWN: Final = re.compile(r"\.__\w+__(?:\.|$)")
"""What Python gives every module or class, such as `__dict__`: an API only where a helper stands for it."""


def imported_module(context: Context, name: str) -> AbstractValue:
    """The module with the absolute dotted `name`."""
    found = context.ask(("module", name))
    return found if found.alternatives else library_member(context, name)


def imported_name(context: Context, module: str, name: str) -> AbstractValue:
    """What `from module import name` gives, `module` being an absolute dotted name."""
    found = context.ask(("module", module))
    if found.alternatives:
        exported = context.ask(("export", found.alternatives[0].path, name))  # type: ignore[union-attr]
        if exported.alternatives:
            return exported
        inner = context.ask(("module", f"{module}.{name}"))
        return inner if inner.alternatives else just(External(f"{module}.{name}"))
    if context.project.is_root(module):
        beside = context.ask(("module", f"{module}.{name}"))
        if beside.alternatives:
            return beside
    return library_member(context, f"{module}.{name}")


def library_member(context: Context, dotted: str) -> AbstractValue:
    """Something of an installed library, by its dotted name. What is spelled as a member of a torch module
    is a torch API even if the catalog does not know it."""
    catalog = context.catalog
    name = catalog.canonical(dotted)
    if name is not None:
        return just(TorchModule(name) if catalog.is_module(name) else ApiValue(name))
    if catalog.is_module(dotted.split(".")[0]):
        is_api = _PYTHONS_OWN.search(dotted) is None or catalog.helpers.of(dotted) is not None
        return just(ApiValue(dotted)) if is_api else UNKNOWN
    asker = context.current.module if context.current is not None else None
    if context.project.installed.may_hold_torch(dotted, asker):
        stub = context.ask(("installed", dotted))
        if stub.alternatives:
            return stub
    return just(External(dotted))
