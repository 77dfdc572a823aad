"""What differs between a torch signature and a MindSpore signature, parameter by parameter."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

Parameter = Mapping[str, Any]
Signature = Mapping[str, Any]
Fact = dict[str, Any]
_MEMBER = re.compile(r"<\w+\.\w+: ('.*')>")
"""How a catalog writes a member of an enumeration."""


class Comparer:
    """Compares by the rules of one file: which names mean the same, which parameters do not matter for what
    is computed (`out`, `device`, ...)."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        """`rules` is the content of `mapping_data/curated/comparison.json`."""
        self._synonyms = [(torch, mindspore) for torch, mindspore in rules["synonyms"]]
        self._unlike = {(torch, mindspore) for torch, mindspore in rules["not_the_same"]}
        self._same_defaults = {tuple(triple) for triple in rules["same_defaults"]}
        self.general: Mapping[str, Sequence[str]] = rules["general_parameters"]

    def compare(
        self, torch: Sequence[Signature], mindspore: Sequence[Signature], stated: Mapping[str, str]
    ) -> list[Fact] | None:
        """The facts over all overloads: for each of torch's, against the MindSpore one that fits best.

        `stated` are renames that the official pages state. None when one side has no signature.
        """
        torch = [s for s in torch if not _says_nothing(s)]
        mindspore = [s for s in mindspore if not _says_nothing(s)]
        if not torch or not mindspore:
            return None
        facts: list[Fact] = []
        agreeing: set[str] = set()
        for overload in torch:
            found = [self._one(overload["parameters"], m["parameters"], stated) for m in mindspore]
            best = min(found, key=self._weight)
            facts += [fact for fact in best if fact not in facts]
            told = {f["torch"] for f in best if f["code"] in ("default", "missing")}
            agreeing |= {p["name"] for p in overload["parameters"] if "default" in p} - told
        facts = [f for f in facts if f["code"] != "default" or f["torch"] not in agreeing]
        covered = {p["name"] for s in mindspore for p in s["parameters"] if self._own_name(p) is not None}
        facts = [f for f in facts if f["code"] != "missing" or f["torch"] not in covered]
        return sorted(facts, key=lambda f: (f["code"], f.get("torch", ""), f.get("mindspore", "")))

    def _weight(self, facts: Sequence[Fact]) -> tuple[int, int]:
        grave = [f for f in facts if f["code"] != "extra" and not self.is_general(f)]
        return len(grave), len(facts)

    def is_general(self, fact: Fact) -> bool:
        """Whether the fact is about a parameter that does not matter for the result."""
        return fact["code"] == "missing" and fact["torch"] in self.general

    def _one(
        self, torch: Sequence[Parameter], mindspore: Sequence[Parameter], stated: Mapping[str, str]
    ) -> list[Fact]:
        pairs = self._pair(torch, mindspore, stated)
        facts: list[Fact] = []
        taken = set(pairs.values())
        for position, parameter in enumerate(torch):
            if position in pairs:
                facts += self._pair_facts(parameter, mindspore[pairs[position]])
            elif parameter.get("kind") not in ("star", "double_star") and not _accepts(parameter, mindspore):
                facts.append(self._missing(parameter))
        for position, parameter in enumerate(mindspore):
            if position not in taken and parameter.get("kind") not in ("star", "double_star"):
                facts.append(_extra(parameter))
        if _order_differs(self._essential(torch, pairs), mindspore, pairs):
            facts.append({"code": "order"})
        return facts

    def _essential(self, torch: Sequence[Parameter], pairs: Mapping[int, int]) -> Sequence[Parameter]:
        """The parameters before the first missing one that does not matter (`device`): what follows such a
        one is given by keyword in practice."""
        for n, parameter in enumerate(torch):
            if n not in pairs and parameter["name"] in self.general:
                return torch[:n]
        return torch

    def _pair(
        self, torch: Sequence[Parameter], mindspore: Sequence[Parameter], stated: Mapping[str, str]
    ) -> dict[int, int]:
        places = {p["name"]: n for n, p in enumerate(mindspore)}
        pairs = {n: places[name] for n, p in enumerate(torch) if (name := self._own_name(p)) in places}
        for n, parameter in enumerate(torch):
            if n not in pairs:
                for name in self._other_names(parameter["name"], stated):
                    if name in places and places[name] not in pairs.values():
                        pairs[n] = places[name]
                        break
        for n, parameter in enumerate(torch):
            if n not in pairs and n < len(mindspore) and n not in pairs.values():
                other = mindspore[n]
                required = "default" not in parameter and "default" not in other
                if required and parameter.get("kind") == other.get("kind"):
                    pairs[n] = n
        return pairs

    def _own_name(self, parameter: Parameter) -> str | None:
        """The name by which MindSpore has the same parameter, if it has; None for a name that means another
        thing there."""
        name: str = parameter["name"]
        return name if (name, name) not in self._unlike else None

    def _other_names(self, name: str, stated: Mapping[str, str]) -> list[str]:
        first = [stated[name]] if name in stated else []
        names = [*first, *(m for t, m in self._synonyms if t == name)]
        return [n for n in names if (name, n) not in self._unlike]

    def _missing(self, parameter: Parameter) -> Fact:
        fact: Fact = {"code": "missing", "torch": parameter["name"]}
        if "default" in parameter:
            fact["default"] = parameter["default"]
        return fact

    def _pair_facts(self, torch: Parameter, mindspore: Parameter) -> list[Fact]:
        facts: list[Fact] = []
        if mindspore.get("kind") == "star" and torch.get("kind") != "star":
            return facts
        if torch["name"] != mindspore["name"] and torch.get("kind") != "star":
            facts.append({"code": "renamed", "torch": torch["name"], "mindspore": mindspore["name"]})
        if torch.get("kind") == "star" and mindspore.get("kind") != "star":
            facts.append({"code": "packed", "torch": torch["name"], "mindspore": mindspore["name"]})
        has_torch, has_mindspore = "default" in torch, "default" in mindspore
        if "..." in (torch.get("default"), mindspore.get("default")):
            return facts  # a default that is not known says nothing
        names = {"torch": torch["name"], "mindspore": mindspore["name"]}
        if has_torch and has_mindspore and not self._same(torch, mindspore):
            values = {"torch_default": torch["default"], "mindspore_default": mindspore["default"]}
            facts.append({"code": "default", **names, **values})
        elif has_torch and not has_mindspore and mindspore.get("kind") in (None, "positional", "keyword"):
            facts.append({"code": "required", **names, "torch_default": torch["default"]})
        if mindspore.get("kind") == "keyword" and torch.get("kind") is None:
            facts.append({"code": "keyword_only", **names})
        return facts

    def _same(self, torch: Parameter, mindspore: Parameter) -> bool:
        triple = (torch["name"], torch["default"], mindspore["default"])
        return triple in self._same_defaults or same_value(torch["default"], mindspore["default"])


def _accepts(parameter: Parameter, mindspore: Sequence[Parameter]) -> bool:
    """Whether `*args` or `**kwargs` on the other side may take the argument."""
    kinds = {p.get("kind") for p in mindspore}
    return "double_star" in kinds or ("star" in kinds and parameter.get("kind") != "keyword")


def _says_nothing(signature: Signature) -> bool:
    """Whether it is `*args, **kwargs` or one of them; `*shape` says something."""
    found = {(p.get("kind"), p["name"]) for p in signature["parameters"]}
    return bool(found) and all(k == "double_star" or (k, n) == ("star", "args") for k, n in found)


def _extra(parameter: Parameter) -> Fact:
    if "default" in parameter:
        return {"code": "extra", "mindspore": parameter["name"], "default": parameter["default"]}
    return {"code": "extra_required", "mindspore": parameter["name"]}


def _order_differs(
    torch: Sequence[Parameter], mindspore: Sequence[Parameter], pairs: Mapping[int, int]
) -> bool:
    """Whether an argument given by position would reach another parameter."""
    places = [n for n, p in enumerate(torch) if p.get("kind") in (None, "positional")]
    aimed = [pairs.get(n) for n in places]
    seen = [a for a in aimed if a is not None]
    if seen != sorted(seen):
        return True
    ordinary = [n for n, p in enumerate(mindspore) if p.get("kind") in (None, "positional")]
    for place, target in zip(places, aimed, strict=True):
        if target is None:
            return any(pairs.get(later) in ordinary for later in places if later > place)
        if target in ordinary and ordinary.index(target) != places.index(place):
            return True
    return False


def same_value(left: str, right: str) -> bool:
    """Whether two defaults mean the same: `1e-3` and `0.001`, `torch.float32` and `mindspore.float32`, a text
    and the member of an enumeration that stands for it."""
    if left == right:
        return True
    member = _MEMBER.fullmatch(right)
    if member is not None:
        return left == member[1] or (left == "None" and member[1] == "'none'")
    try:
        first, second = ast.literal_eval(left), ast.literal_eval(right)
    except (ValueError, SyntaxError):
        short_left, short_right = left.rsplit(".", 1)[-1], right.rsplit(".", 1)[-1]
        return short_left == short_right and not short_left.isdigit()
    if isinstance(first, bool) != isinstance(second, bool):
        return False
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return list(first) == list(second)
    return bool(first == second)
