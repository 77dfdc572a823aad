"""How a MindSpore API is spelled in a file: through an import that is there, or one to be added."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mindport.catalog.helper_table import HELPERS_MODULE

if TYPE_CHECKING:
    from mindport.index.definitions import ImportName
    from mindport.uses.analysis import AnalysedBlock, Analysis

_PACKAGE = "mindspore"
_TORCH = "torch"
_LIKE_TORCH = f"{_PACKAGE}.mint"
"""The package that is laid out as torch is."""
_HELPERS_NAMES = ("helpers", HELPERS_MODULE, "_helpers", f"{HELPERS_MODULE}_")
"""What the module of the helpers is imported as, the usual name first; star imports bring no name that begins
with an underscore."""


@dataclass(frozen=True, slots=True)
class NewImport:
    """An import statement to add: `import name [as bound]`, or `from module import name [as bound]`."""

    module: str
    name: str
    bound: str

    @property
    def dotted(self) -> str:
        """What the bound name stands for."""
        if self.name == HELPERS_MODULE:
            return self.name
        return f"{self.module}.{self.name}" if self.module else self.name

    @property
    def statement(self) -> str:
        """The statement's text, without a line end."""
        alias = f" as {self.bound}" if self.bound != self.name else ""
        return (
            f"from {self.module} import {self.name}{alias}" if self.module else f"import {self.name}{alias}"
        )


@dataclass(frozen=True, slots=True)
class _Bound:
    """A name that an import of MindSpore binds, from `start` (absolute bytes) on."""

    name: str
    dotted: str
    start: int


@dataclass(slots=True)
class Speller:
    """Spells MindSpore APIs in one document. `separate_modules` are not loaded by `import mindspore`. `added`
    collects the imports this takes, `first_uses`, by the names they bind, where they are needed first
    (absolute bytes)."""

    analysis: Analysis
    separate_modules: frozenset[str] = frozenset()
    helpers_in: str = ""
    """The package that the helpers are in, relative to the document's module (`.`, `..`); empty: they are a
    module at the top level."""
    freed: Mapping[str, NewImport] = field(default_factory=dict)
    """By names of torch's modules that nothing needs any more, the imports of MindSpore's modules by them."""
    added: dict[str, NewImport] = field(default_factory=dict)
    first_uses: dict[str, int] = field(default_factory=dict)
    spelled: set[str] = field(default_factory=set)
    """The targets that were asked for."""
    _present: list[_Bound] | None = None
    _unfit: dict[str, bool] = field(default_factory=dict)

    def spell(self, target: str, at: int) -> str | None:
        """The expression that means the API `target` in code at the offset `at`; None where no name is free
        to import it by."""
        self.spelled.add(target)
        if target.startswith(f"{HELPERS_MODULE}."):
            return self._spell_new(target, "", at)
        best: _Bound | None = None
        module = next((one for one in self.separate_modules if target.startswith(f"{one}.")), "")
        for bound in self._imports():
            within = target.startswith(bound.dotted + ".") or target == bound.dotted
            if (
                within
                and len(bound.dotted) >= len(module)
                and bound.start < at
                and (best is None or len(bound.dotted) > len(best.dotted))
            ):
                best = bound
        if best is not None:
            return best.name + target[len(best.dotted) :]
        return self._spell_freed(target, at) or self._spell_new(target, module, at)

    def _spell_freed(self, target: str, at: int) -> str | None:
        """The target as a member of the module that takes over the name of torch's."""
        fitting = [one for one in self.freed.values() if target.startswith(f"{one.dotted}.")]
        if not fitting:
            return None
        new = max(fitting, key=lambda one: len(one.dotted))
        if self._is_deleted(new.bound) or self._may_be_hidden(new.bound, -1):
            return None
        return self._spell_by(new, target, at)

    def _spell_by(self, new: NewImport, target: str, at: int) -> str:
        self.added[new.bound] = new
        self.first_uses[new.bound] = min(at, self.first_uses.get(new.bound, at))
        return new.bound + target[len(new.dotted) :]

    def _spell_new(self, target: str, module: str, at: int) -> str | None:
        new = self._new_import(target, module)
        return self._spell_by(new, target, at) if new is not None else None

    def _imports(self) -> list[_Bound]:
        if self._present is None:
            self._present = [
                _Bound(name.bound, dotted, block.start + name.start)
                for block in self.analysis.blocks
                for name in block.imports
                if (dotted := _dotted(name))
                and not name.conditional
                and self._is_only_binding(name, block)
                and not self._is_deleted(name.bound)
                and not self._may_be_hidden(name.bound, block.start)
            ]
        return self._present

    def _is_only_binding(self, name: ImportName, block: AnalysedBlock) -> bool:
        """Whether nothing else in the file binds the name, in any scope."""
        if any(name.bound in other.names for other in self.analysis.blocks if other is not block):
            return False
        return sum(other.bound == name.bound for other in block.imports) == 1 and block.is_import

    def _new_import(self, target: str, module: str) -> NewImport | None:
        for choice in self._choices(target, module):
            if self.added.get(choice.bound) == choice:
                return choice
            if choice.bound not in self.added and not self._is_unfit(choice.bound):
                self.added[choice.bound] = choice
                return choice
        return None

    def _is_unfit(self, name: str) -> bool:
        """Whether a name may not be bound anew: something in the file binds or deletes it, in any scope, or
        may do so with a star import: not that of the package itself, which means nothing else wherever it is
        from, nor one with an underscore, which stars do not bring."""
        known = self._unfit.get(name)
        if known is None:
            blocks = self.analysis.blocks
            known = self._unfit[name] = (
                any(name in block.names for block in blocks)
                or self._is_deleted(name)
                or self._may_be_hidden(name, -1)
            )
        return known

    def _may_be_hidden(self, name: str, offset: int) -> bool:
        """Whether a star import behind an offset may bind a name to something else."""
        stars = [block for block in self.analysis.blocks if any(map(_is_foreign_star, block.imports))]
        is_free = name == _PACKAGE or name.startswith("_")
        return not is_free and any(block.start > offset for block in stars)

    def _is_deleted(self, name: str) -> bool:
        """Whether the text has a `del` of the name."""
        data = self.analysis.document.data
        deleted = re.compile(rb"\bdel\b[^\r\n;]*(?:\\\r?\n[^\r\n;]*)*\b%b\b(?!\.|\[)" % name.encode())
        return b"del" in data and deleted.search(data) is not None

    def _choices(self, target: str, module: str) -> list[NewImport]:
        """The imports by which a target may be spelled, the usual one first."""
        if target.startswith(f"{HELPERS_MODULE}."):
            return [NewImport(self.helpers_in, HELPERS_MODULE, bound) for bound in _HELPERS_NAMES]
        if module:
            package, _, name = module.rpartition(".")
            return [NewImport(package, name, bound) for bound in (name, f"{name}_", f"mindspore_{name}")]
        choices = [
            NewImport("", _PACKAGE, _PACKAGE),
            NewImport("", _PACKAGE, "ms"),
            NewImport("", _PACKAGE, "mindspore_"),
        ]
        if target.startswith(f"{_PACKAGE}.mint."):
            choices.insert(0, NewImport(_PACKAGE, "mint", "mint"))
        return choices


def taking_over(analysis: Analysis, names: Collection[str]) -> dict[str, NewImport]:
    """For names of torch's modules, the imports of MindSpore's modules by them, as they are written: of those
    that an import at the top level binds, and nothing else."""
    found = {}
    for block in analysis.blocks:
        for name in block.imports:
            dotted = stands_for(name)
            is_alone = sum(name.bound in other.names for other in analysis.blocks) == 1
            if name.bound not in names or not dotted.startswith(f"{_TORCH}.") or not is_alone:
                continue
            if block.is_import and not name.conditional and not name.level:
                module = f"{_LIKE_TORCH}{dotted[len(_TORCH) :]}"
                package, _, last = module.rpartition(".")
                found[name.bound] = (
                    NewImport(package, last, name.bound) if name.module else NewImport("", module, name.bound)
                )
    return found


def stands_for(name: ImportName) -> str:
    """What an imported name stands for."""
    if name.module:
        return f"{name.module}.{name.name}"
    return name.name if name.bound != name.name.partition(".")[0] else name.bound


def _dotted(name: ImportName) -> str | None:
    """What an imported name stands for, if it is MindSpore's."""
    if name.level or name.name == "*":
        return None
    dotted = stands_for(name)
    return dotted if dotted == _PACKAGE or dotted.startswith(_PACKAGE + ".") else None


def _is_foreign_star(name: ImportName) -> bool:
    """Whether a star import may bind any name: torch's bind none of MindSpore's."""
    return name.name == "*" and (name.level > 0 or name.module.split(".")[0] not in ("torch", _PACKAGE))
