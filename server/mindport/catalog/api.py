"""One API of a framework, as the catalog describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

ApiKind = Literal["module", "class", "function", "method", "property", "attribute", "constant", "dtype"]
ParameterKind = Literal["", "positional", "keyword", "star", "double_star"]


@dataclass(frozen=True)
class Parameter:
    """One parameter. `kind` is empty for one that may be given by position or by keyword.

    `default` and `type` are source texts; None where there is none.
    """

    name: str
    kind: ParameterKind = ""
    default: str | None = None
    type: str | None = None


@dataclass(frozen=True)
class Signature:
    """One overload. `returns` is a normalised type text (see `docs/mapping.md`), None when unknown."""

    parameters: tuple[Parameter, ...]
    returns: str | None = None

    def text(self, name: str) -> str:
        """The signature as people write it: `name(input, dim=0, *, out=None)`."""
        return f"{name}({', '.join(_parameter_texts(self.parameters))})"


@dataclass(frozen=True)
class Api:
    """Details of one API; `signatures` are those of a call (for a class: of its constructor)."""

    name: str
    kind: ApiKind
    signatures: tuple[Signature, ...]
    returns: str | None
    bases: tuple[str, ...]
    deprecated: bool
    platforms: tuple[str, ...]
    value: str | None

    @classmethod
    def from_record(cls, name: str, kind: ApiKind, record: Mapping[str, Any]) -> Api:
        """From a record of the index."""
        return cls(
            name,
            kind,
            tuple(_signature(s) for s in record.get("signatures", ())),
            record.get("returns"),
            tuple(record.get("bases", ())),
            bool(record.get("deprecated")),
            tuple(record.get("platforms", ())),
            record.get("value"),
        )


def _signature(record: Mapping[str, Any]) -> Signature:
    return Signature(tuple(Parameter(**p) for p in record["parameters"]), record.get("returns"))


def _parameter_texts(parameters: Sequence[Parameter]) -> list[str]:
    texts: list[str] = []
    starred = False
    for position, parameter in enumerate(parameters):
        if parameter.kind == "keyword" and not starred:
            texts.append("*")
        starred = starred or parameter.kind in ("keyword", "star")
        stars = {"star": "*", "double_star": "**"}.get(parameter.kind, "")
        default = f"={parameter.default}" if parameter.default is not None else ""
        texts.append(f"{stars}{parameter.name}{default}")
        following = parameters[position + 1] if position + 1 < len(parameters) else None
        if parameter.kind == "positional" and (following is None or following.kind != "positional"):
            texts.append("/")
    return texts
