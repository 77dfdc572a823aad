"""Names of one framework version: which dotted names exist, and which API each means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mindport.catalog.api import Api, ApiKind
from mindport.catalog.index import KIND_LETTERS, Index, Record
from mindport.catalog.target import LATEST, VERSIONS

_KINDS = {letter: kind for kind, letter in KIND_LETTERS.items()}
_MOST_MEMBERS = 2000
"""As many answers about members of a class are kept."""
_MOST_PARTS = 50
"""No API has a name with more dots."""
_INSTANCES = ("constant", "attribute", "property")


class ApiNames:
    """The API catalog of one framework version. With a `base`, the section says what differs from it."""

    def __init__(self, index: Index, section: str, package: str, base: ApiNames | None = None) -> None:
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
        self._absent = frozenset(index.text(f"{section}/absent").splitlines())
        self._base = base
        self._package = package
        self._known: dict[str, str] = {}
        self._apis: dict[str, Api] = {}
        self._returns: dict[str, str | None] = {}
        self._members: dict[str, dict[str, str | None]] = {}
        """By class, the members that were asked for."""

    def __contains__(self, name: object) -> bool:
        return name in self._table.rows or (
            self._base is not None and name not in self._absent and name in self._base
        )

    @property
    def names(self) -> Sequence[str]:
        """All canonical names, sorted."""
        if self._base is None:
            return self._table.names
        return sorted((set(self._base.names) - self._absent) | set(self._table.names))

    def _record(self, name: str) -> Record | None:
        found = self._table.get(name)
        if found is None and self._base is not None and name not in self._absent:
            return self._base._record(name)
        return found

    def _alias(self, dotted: str) -> str | None:
        """The canonical name of an alias."""
        row = self._aliases.get(dotted)
        if row is not None:
            return self._table.names[row]
        found = self._base._alias(dotted) if self._base is not None else None
        return None if found in self._absent or found in self._table.rows else found

    def _bases(self, name: str) -> Sequence[str]:
        if self._base is None or name in self._table.rows:
            return self._lineage.get(name, ())
        return self._base._bases(name)

    def canonical(self, dotted: str) -> str | None:
        """The public name of what `dotted` means, None when nothing is known by it."""
        if dotted in self._table.rows or (self._base is not None and dotted in self):
            return dotted
        known = self._known.get(dotted)
        if known is None:
            known = self._find(dotted)
            if known is not None:
                self._known[dotted] = known
        return known

    def _find(self, dotted: str) -> str | None:
        public = self._alias(dotted)
        if public is not None:
            return public
        if dotted.count(".") > _MOST_PARTS:
            return None
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
            row = self._table.rows.get(known)
            if row is None:
                return self._base.kind(known) if self._base is not None else None
        return cast(ApiKind, _KINDS[self._kinds[row].lower()])

    def is_documented(self, name: str) -> bool:
        """Whether an API is public in the sense of the framework's documentation (see `docs/mapping.md`)."""
        row = self._table.rows.get(name)
        return row is not None and self._kinds[row].isupper()

    def member(self, class_name: str, attribute: str) -> str | None:
        """The member `attribute` of a class, its own or inherited."""
        members = self._members.get(class_name)
        if members is None:
            members = self._members[class_name] = {}
        elif attribute in members:
            return members[attribute]
        elif len(members) >= _MOST_MEMBERS:
            members.clear()
        found = members[attribute] = self._find_member(class_name, attribute)
        return found

    def _find_member(self, class_name: str, attribute: str) -> str | None:
        owner = class_name if class_name in self else self.canonical(class_name)
        if owner is None:
            return None
        for candidate in (owner, *self._bases(owner)):
            full = f"{candidate}.{attribute}"
            if full in self:
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
        if name in self._returns:
            return self._returns[name]
        found = self._find_returns(name)
        if name in self._table.rows:
            self._returns[name] = found
        return found

    def _find_returns(self, name: str) -> str | None:
        known = self.canonical(name)
        if known is None:
            return None
        if self.kind(known) == "class":
            return "Tensor" if known == f"{self._package}.Tensor" else known
        return cast("str | None", (self._record(known) or {}).get("returns"))

    def lineage(self, class_name: str) -> Sequence[str]:
        """All base classes of the framework, nearest first."""
        return self._bases(self.canonical(class_name) or "")

    def bases(self, class_name: str) -> Sequence[str]:
        """The direct base classes: those of the framework and builtin containers (`tuple[Tensor, int]`)."""
        record = self._record(self.canonical(class_name) or "") or {}
        return cast("Sequence[str]", record.get("bases", ()))

    def exports(self, module: str) -> Sequence[str]:
        """The names a star import of the module binds; empty for an unknown module."""
        record = self._record(self.canonical(module) or "") or {}
        return cast("Sequence[str]", record.get("exports", ()))

    def api(self, name: str) -> Api | None:
        """The details of an API, by any of its names."""
        known = self.canonical(name)
        if known is None:
            return None
        api = self._apis.get(known)
        if api is None:
            kind = self.kind(known)
            record = self._record(known)
            assert kind is not None
            assert record is not None
            api = Api.from_record(known, kind, record)
            self._apis[known] = api
        return api


def mindspore_versions(index: Index) -> list[str]:
    """The MindSpore versions that have a catalog, oldest first."""
    sections = index.section_names()
    return [version for version in VERSIONS if f"mindspore-{version}" in sections]


def mindspore_names(index: Index, version: str) -> ApiNames:
    """The catalog of a MindSpore version; of one without a catalog, that of the oldest that has one."""
    known = mindspore_versions(index)
    latest = ApiNames(index, f"mindspore-{LATEST}", "mindspore")
    nearest = version if version in known else known[0]
    return latest if nearest == LATEST else ApiNames(index, f"mindspore-{nearest}", "mindspore", latest)
