"""Which MindSpore APIs may correspond to a torch API by their name, and the style of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

Json = dict[str, Any]
Style = Literal["mint", "classic", "any"]

NAMESPACES: dict[str, tuple[str, ...]] = {
    "torch": ("mindspore.mint", "mindspore.ops", "mindspore"),
    "torch.Tensor": ("mindspore.Tensor",),
    "torch.cuda.amp": ("mindspore.amp",),
    "torch.distributed": ("mindspore.mint.distributed",),
    "torch.distributions": ("mindspore.nn.probability.distribution",),
    "torch.fft": ("mindspore.ops",),
    "torch.func": ("mindspore",),
    "torch.linalg": ("mindspore.mint.linalg",),
    "torch.nn": ("mindspore.mint.nn", "mindspore.nn"),
    "torch.nn.functional": ("mindspore.mint.nn.functional", "mindspore.ops"),
    "torch.optim": ("mindspore.experimental.optim", "mindspore.mint.optim"),
    "torch.optim.lr_scheduler": ("mindspore.experimental.optim.lr_scheduler",),
    "torch.special": ("mindspore.mint.special",),
}
"""Where the counterpart of a member of a torch module is looked for by its name."""

NOT_BY_NAME = frozenset(
    {
        "torch.load",
        "torch.save",
        "torch.jit",
        "torch.compile",
        "torch.nn.Module",
        "torch.nn.Parameter",
        "torch.Generator",
    }
)
"""Same name, other meaning: left to the curated files."""

CLASS_PAIRS = {
    "torch.nn.Module": "mindspore.nn.Cell",
    "torch.optim.Optimizer": "mindspore.experimental.optim.Optimizer",
    "torch.optim.lr_scheduler.LRScheduler": "mindspore.experimental.optim.lr_scheduler.LRScheduler",
}
"""Classes whose members correspond by name."""


class CatalogView:
    """A catalog file, for lookups."""

    def __init__(self, records: list[Json]) -> None:
        self._records = {r["name"]: r for r in records}
        self._aliases = {a: r["name"] for r in records for a in r.get("aliases", ())}
        self._members: dict[str, list[str]] = {}
        for name in self._records:
            owner, _, last = name.rpartition(".")
            self._members.setdefault(owner, []).append(last)

    def __contains__(self, name: object) -> bool:
        return name in self._records or (isinstance(name, str) and self.canonical(name) is not None)

    def names(self) -> Iterator[str]:
        """All canonical names."""
        return iter(self._records)

    def canonical(self, name: str) -> str | None:
        """The canonical name, also of an inherited member; None when unknown."""
        known = name if name in self._records else self._aliases.get(name)
        if known is not None or "." not in name:
            return known
        owner, _, last = name.rpartition(".")
        owner_name = self._aliases.get(owner, owner)
        record = self._records.get(owner_name)
        if record is None:
            return None
        if owner_name != owner:
            return self.canonical(f"{owner_name}.{last}")
        inherited = (f"{base}.{last}" for base in record.get("lineage", ()))
        return next((n for n in inherited if n in self._records), None)

    def kind(self, name: str) -> str:
        """The kind of a known API."""
        return str(self._records[self.canonical(name) or name]["kind"])

    def members(self, name: str) -> list[str]:
        """The last names of the own members of a class."""
        return self._members.get(self.canonical(name) or name, [])

    def lineage(self, name: str) -> list[str]:
        """A class's base classes."""
        return list(self._records[self.canonical(name) or name].get("lineage", ()))

    def is_exported(self, name: str) -> bool:
        """Whether the module that a name is in exports it."""
        owner, _, last = name.rpartition(".")
        record = self._records.get(owner)
        return record is None or record["kind"] != "module" or last in record.get("exports", ())

    def signatures(self, name: str) -> list[Json]:
        """The signatures of a known API."""
        return list(self._records[self.canonical(name) or name].get("signatures", ()))


def style_of(target: str) -> Style:
    """`mint` and `classic` are the two styles of MindSpore code; Tensor members and dtypes are of both."""
    if target.startswith("mindspore.mint."):
        return "mint"
    if target.startswith(("mindspore.nn.", "mindspore.ops.", "mindspore.numpy.")):
        return "classic"
    return "any"


def counterparts_by_name(name: str, torch: CatalogView, mindspore: CatalogView) -> list[str]:
    """MindSpore APIs with the same last name in the namespaces that correspond."""
    owner, _, last = name.rpartition(".")
    if last.startswith("_") or name in NOT_BY_NAME:
        return []
    if owner == "torch" and torch.kind(name) == "class":
        return []  # classes of the compiler and the runtime share only their names
    found = [f"{space}.{last}" for space in NAMESPACES.get(owner, ())]
    if owner in CLASS_PAIRS:
        found.append(f"{CLASS_PAIRS[owner]}.{last}")
    known = [n for n in found if n in mindspore and mindspore.is_exported(n)]
    return [n for n in known if comparable(torch.kind(name), mindspore.kind(n))]


def comparable(left: str, right: str) -> bool:
    """Whether an API of one kind can stand for one of another."""
    if left == right:
        return True
    data = {"property", "attribute", "constant"}
    return (left in data and right in data) or {left, right} == {"function", "method"}
