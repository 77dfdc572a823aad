"""Names of one framework version: which dotted names exist, and which API each means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mindport.catalog.api import Api, ApiKind
from mindport.catalog.index import KIND_LETTERS, Index

_KINDS = {letter: kind for kind, letter in KIND_LETTERS.items()}
_INSTANCES = ("constant", "attribute", "property")


class ApiNames:
    """The API catalog of one framework version."""

    def __init__(self, index: Index, section: str, package: str) -> None:
        self._table = index.table(section)
        self._kinds = index.text(f"{section}/kinds")
        self._aliases: dict[str, int] = {}
        for line in index.text(f"{section}/aliases").splitlines():
            alias, _, row = line.partition(" ")
            self._aliases[alias] = int(row)
        self._lineage: dict[str, list[str]] = {}
        for line in index.text(f"{section}/lineage").splitlines():
            name, *bases = line.split(" ")
            self._lineage[name] = bases
        self._package = package
        self._known: dict[str, str] = {}
        self._apis: dict[str, Api] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._table

    @property
    def names(self) -> Sequence[str]:
        """All canonical names, sorted."""
        return self._table.names

    def canonical(self, dotted: str) -> str | None:
        """The public name of what `dotted` means, None when nothing is known by it."""
        if dotted in self._table.rows:
            return dotted
        known = self._known.get(dotted)
        if known is None:
            known = self._find(dotted)
            if known is not None:
                self._known[dotted] = known
        return known

    def _find(self, dotted: str) -> str | None:
        row = self._aliases.get(dotted)
        if row is not None:
            return self._table.names[row]
        owner, _, last = dotted.rpartition(".")
        owner_name = self.canonical(owner) if owner else None
        if owner_name is None:
            return None
        kind = self.kind(owner_name)
        if kind == "module":
            return self.canonical(f"{owner_name}.{last}") if owner_name != owner else None
        if kind == "class":
            return self.member(owner_name, last)
        if kind in _INSTANCES:
            of_type = self.class_of(self.returns(owner_name))
            return self.member(of_type, last) if of_type else None
        return None

    def kind(self, name: str) -> ApiKind | None:
        """The kind of an API, by any of its names."""
        row = self._table.rows.get(name)
        if row is None:
            known = self.canonical(name)
            if known is None:
                return None
            row = self._table.rows[known]
        return cast(ApiKind, _KINDS[self._kinds[row]])

    def member(self, class_name: str, attribute: str) -> str | None:
        """The member `attribute` of a class, its own or inherited."""
        owner = class_name if class_name in self._table else self.canonical(class_name)
        if owner is None:
            return None
        for candidate in (owner, *self._lineage.get(owner, ())):
            full = f"{candidate}.{attribute}"
            if full in self._table.rows:
                return full
        return None

    def class_of(self, text: str | None) -> str | None:
        """The class that a type text names (`Tensor` names `torch.Tensor`), None if it names none."""
        if text is None:
            return None
        name = self.canonical(f"{self._package}.Tensor" if text == "Tensor" else text)
        return name if name is not None and self.kind(name) == "class" else None

    def returns(self, name: str) -> str | None:
        """What a call gives (class: an instance), or the type of an attribute."""
        known = self.canonical(name)
        if known is None:
            return None
        if self.kind(known) == "class":
            return "Tensor" if known == f"{self._package}.Tensor" else known
        return cast("str | None", (self._table.get(known) or {}).get("returns"))

    def lineage(self, class_name: str) -> Sequence[str]:
        """All base classes of the framework, nearest first."""
        return self._lineage.get(self.canonical(class_name) or "", ())

    def bases(self, class_name: str) -> Sequence[str]:
        """The direct base classes: those of the framework and builtin containers (`tuple[Tensor, int]`)."""
        record = self._table.get(self.canonical(class_name) or "") or {}
        return cast("Sequence[str]", record.get("bases", ()))

    def exports(self, module: str) -> Sequence[str]:
        """The names a star import of the module binds; empty for an unknown module."""
        record = self._table.get(self.canonical(module) or "") or {}
        return cast("Sequence[str]", record.get("exports", ()))

    def api(self, name: str) -> Api | None:
        """The details of an API, by any of its names."""
        known = self.canonical(name)
        if known is None:
            return None
        api = self._apis.get(known)
        if api is None:
            kind = self.kind(known)
            record = self._table.get(known)
            assert kind is not None
            assert record is not None
            api = Api.from_record(known, kind, record)
            self._apis[known] = api
        return api
