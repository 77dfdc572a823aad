"""Features of training that MindSpore has in another form: `mapping_data/features`."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mindport.catalog.graph_facts import advice_in
from mindport.catalog.jsonl import read_json
from mindport.catalog.migration_facts import fits
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.catalog.index import Index

TRAINING = "training"
"""What APIs of training steps mark, as others mark a feature."""
_FOR_PAGES = ("code", "check", "guide", "processes", "not_run")


class Feature(NamedTuple):
    """A feature: its `title`, what takes its place `instead`, and whether it `is_recommended` where it is not
    used. A call with the arguments `unless` switches it off."""

    title: Text
    instead: Text
    is_recommended: bool
    unless: Mapping[str, str]


class Hooks(NamedTuple):
    """How a function that shows what goes through a layer looks: the names of its three `parameters`, and
    what it calls (`showing`)."""

    parameters: tuple[frozenset[str], ...]
    showing: frozenset[str]


class FiniteChecks(NamedTuple):
    """What asks whether numbers are finite, `apis` and functions `written` so, of something with one of the
    words `of` in its name; and what is called (`stopping`) where they are not."""

    apis: frozenset[str]
    written: frozenset[str]
    of: tuple[str, ...]
    stopping: frozenset[str]


def read_feature_facts(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    path = source_dir / "features" / "features.json"
    kept: dict[str, Any] = read_json(path) if path.exists() else {"features": []}
    for entry in kept["features"]:
        for name in _FOR_PAGES:
            entry.pop(name, None)
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


_ENDINGS = ("hook", "backward")
"""What names end with of most hooks, of what registers them, and of what takes gradients."""


class FeatureFacts:
    """Reads `mapping_data/features`: the features by the code of the rule about them. `libraries` are the
    functions of other libraries that mark one, with its code, `elsewhere` what their names end with.
    `endings` are what the names end with of all that may have to do with a feature, beside torch's."""

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("features"))
        self.features: Mapping[str, Feature] = {
            one["rule"]: Feature(
                Text(one["title"]["en"], one["title"]["zh-cn"]),
                advice_in(one).instead,
                one.get("recommended", False),
                one.get("unless", {}),
            )
            for one in data["features"]
        }
        marks = {name: one["rule"] for one in data["features"] for name in one["names"]}
        marks.update(dict.fromkeys(data.get("training", {}).get("names", ()), TRAINING))
        self._patterns = {name: code for name, code in marks.items() if name.endswith("*")}
        self._marks: dict[str, str | None] = {**marks}
        self._unmarked: set[str] = set()
        self.libraries = {
            name: code for name, code in marks.items() if not name.startswith(("torch.", "torchvision."))
        }
        self.elsewhere = frozenset(name.rpartition(".")[2] for name in self.libraries)
        self.endings = (*_ENDINGS, *sorted(self.elsewhere))
        hooks, checks = data.get("hooks", {}), data.get("checks", {})
        self.hooks = Hooks(
            tuple(map(frozenset, hooks.get("parameters", ()))), frozenset(hooks.get("showing", ()))
        )
        self.checks = FiniteChecks(
            frozenset(checks.get("apis", ())),
            frozenset(checks.get("written", ())),
            tuple(checks.get("of", ())),
            frozenset(checks.get("stopping", ())),
        )

    def of(self, api: str) -> str | None:
        """The code of the rule about the feature that a torch API belongs to; None for most."""
        if api not in self._marks:
            found = [code for name, code in self._patterns.items() if fits(api, (name,))]
            self._marks[api] = found[0] if found else None
        return self._marks[api]

    def has_any(self, apis: Collection[str]) -> bool:
        """Whether one of some torch APIs belongs to a feature, or asks whether numbers are finite."""
        if self._unmarked.issuperset(apis):  # mostly, where somebody types
            return False
        if not self.checks.apis.isdisjoint(apis) or any(self.of(api) is not None for api in apis):
            return True
        self._unmarked.update(apis)
        return False
