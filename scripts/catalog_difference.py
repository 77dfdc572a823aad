"""What differs between the public APIs of two releases of a framework, by their catalogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

Json = dict[str, Any]
Records = Mapping[str, Json]
Kind = Literal["appeared", "disappeared", "renamed", "no_longer_public", "signature", "kind", "deprecated"]
_MARKS = {"star": "*", "double_star": "**"}


class Change(NamedTuple):
    """One API that is other in the newer release."""

    name: str
    kind: Kind
    before: str = ""
    after: str = ""


def is_public(record: Json) -> bool:
    """What torch's catalog marks as documented; of MindSpore's, all that has no private part in its name."""
    if record["name"].split(".")[0] == "torch":
        return bool(record.get("documented"))
    return record["kind"] != "module" and not any(p.startswith("_") for p in record["name"].split("."))


def differences(
    before: Records, after: Records, public: Callable[[Json], bool] = is_public
) -> Iterator[Change]:
    """Every public API that appeared, disappeared, has another name or is called in another way, by name.

    How a parameter is annotated does not count: calls are the same.
    """
    renamed = {alias: name for name, record in after.items() for alias in record.get("aliases", ())}
    known = {alias for record in before.values() for alias in record.get("aliases", ())}
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is not None and public(old):
            yield from _of_known(old, new, renamed.get(name, ""), public)
        elif new is not None and public(new) and name not in known:
            yield Change(name, "appeared", after=calls(new))


def _of_known(old: Json, new: Json | None, renamed: str, public: Callable[[Json], bool]) -> Iterator[Change]:
    name = old["name"]
    if new is None:
        yield Change(name, "renamed" if renamed else "disappeared", calls(old), renamed)
        return
    if not public(new):
        yield Change(name, "no_longer_public", calls(old), calls(new))
        return
    if old["kind"] != new["kind"]:
        yield Change(name, "kind", old["kind"], new["kind"])
    elif _forms(old) != _forms(new):
        yield Change(name, "signature", *_other_calls(old, new))
    if new.get("deprecated") and not old.get("deprecated"):
        yield Change(name, "deprecated")


def _forms(record: Json) -> set[str]:
    return {_call(signature) for signature in record.get("signatures", ())}


def _other_calls(old: Json, new: Json) -> tuple[str, str]:
    """The overloads that one of the two alone has."""
    ours, theirs = _forms(old), _forms(new)
    return " | ".join(sorted(ours - theirs)), " | ".join(sorted(theirs - ours))


def calls(record: Json) -> str:
    """How an API is called, all overloads."""
    return " | ".join(dict.fromkeys(map(_call, record.get("signatures", ()))))


def _call(signature: Json) -> str:
    parts: list[str] = []
    is_keyword = False
    for parameter in signature["parameters"]:
        kind = parameter.get("kind")
        if kind == "keyword" and not is_keyword:
            parts += [] if any(part.startswith("*") for part in parts) else ["*"]
            is_keyword = True
        default = f"={parameter['default']}" if "default" in parameter else ""
        parts.append(f"{_MARKS.get(kind, '')}{parameter['name']}{default}")
    return f"({', '.join(parts)})"


def additions(before: Records, after: Records) -> list[Json]:
    """The records that the older catalog needs to know what appeared: public APIs, the modules that they are
    in, and all members of the classes among them."""
    names = {change.name for change in differences(before, after) if change.kind == "appeared"}
    names = {name for name in names if name not in before}
    owners = {name.rpartition(".")[0] for name in names}
    modules = {
        name for name, r in after.items() if r["kind"] == "module" and name in owners and name not in before
    }
    classes = {name for name in names if after[name]["kind"] == "class"}
    members = {name for name in after if name.rpartition(".")[0] in classes and name not in before}
    return [after[name] for name in sorted({*names, *modules, *members})]
