"""Whether templates and code of the mapping data parse and name what exists."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from mindport.catalog.api import Api
from mindport.catalog.jsonl import read_json
from mindport.catalog.names import ApiNames
from mindport.catalog.problem import DataProblem
from mindport.catalog.sources import curated_files
from mindport.catalog.target import VERSIONS, version_number
from mindport.catalog.template import (
    BUILTINS,
    Template,
    TemplateCall,
    TemplateError,
    mindspore_names,
    parse_template,
)

Found = tuple[str, str]
"""The code of a problem and what it is about."""


def unparsed_templates(source_dir: Path) -> Iterator[DataProblem]:
    """A problem for each template that is none; without them the index can be built."""
    for path in curated_files(source_dir):
        for torch, correction in read_json(path).items():
            for equivalent in correction.get("equivalents", ()):
                try:
                    parse_template(equivalent["template"])
                except TemplateError as error:
                    detail = f"{equivalent['template']} ({error})"
                    yield DataProblem(path.relative_to(source_dir).as_posix(), torch, "template", detail)


class TemplateChecker:
    """Checks templates against the catalogs; `versions` are the MindSpore catalogs by version."""

    def __init__(self, torch: ApiNames, versions: Mapping[str, ApiNames]) -> None:
        self._torch = torch
        self._versions = versions
        last = {n.rpartition(".")[2] for names in [*versions.values(), torch] for n in names.names}
        kinds = (str, int, float, bool, list, tuple, dict, set, slice, type, bytes, complex, object)
        self._members = last | {n for kind in kinds for n in dir(kind)}

    def equivalent(self, torch: str, equivalent: Mapping[str, Any]) -> Iterator[Found]:
        """The problems of one equivalent."""
        template = parse_template(equivalent["template"])
        yield from self._names(torch, template)
        when = equivalent.get("when") or {}
        api = self._torch.api(torch)
        for name in [*when.get("given", ()), *when.get("omitted", ())]:
            if api is not None and not has_parameter(api, name):
                yield "no_torch_parameter", name
        for version, names in claimed(self._versions, equivalent):
            for use in template.uses:
                yield from _use(use, names, version)

    def _names(self, torch: str, template: Template) -> Iterator[Found]:
        api = self._torch.api(torch)
        if api is None:
            return
        own = {p.name for s in api.signatures for p in s.parameters}
        own |= {"self"} if self._torch.kind(torch) in ("method", "property", "attribute") else set()
        is_open = is_unknown(api)
        for name in sorted(template.free):
            if name not in own and name not in BUILTINS and not (is_open and name not in dir(builtins)):
                yield "unknown_name", name
        for name in sorted(template.called & own & BUILTINS):
            yield "shadowed", name
        for name in sorted(set(template.members) - self._members):
            yield "no_member", name

    def code(self, code: str) -> Iterator[Found]:
        """The problems of a piece of code for the latest version."""
        latest = max(self._versions, key=version_number)
        try:
            named = sorted(set(mindspore_names(code)))
        except SyntaxError as error:
            yield "code", str(error)
            return
        for name in named:
            if not _exists(self._versions[latest], name):
                yield "code_name", name


def claimed(versions: Mapping[str, ApiNames], record: Mapping[str, Any]) -> Iterator[tuple[str, ApiNames]]:
    """The catalogs of the versions that a record is claimed for."""
    since = version_number(record.get("since") or VERSIONS[0])
    until = version_number(record.get("until") or VERSIONS[-1])
    for version, names in versions.items():
        if since <= version_number(version) <= until:
            yield version, names


def has_parameter(api: Api, parameter: str) -> bool:
    """Whether an API has a parameter of that name (true where its signature is unknown or open)."""
    found = {p.name for s in api.signatures for p in s.parameters}
    return parameter in found or is_unknown(api)


def is_unknown(api: Api) -> bool:
    """Whether an API may have parameters that its signatures do not tell."""
    return not api.signatures or any(p.kind == "double_star" for s in api.signatures for p in s.parameters)


def _exists(names: ApiNames, name: str) -> bool:
    """Whether a dotted name, or a module that it leads through by a variable, is known."""
    return names.canonical(name) is not None


def _use(use: TemplateCall, names: ApiNames, version: str) -> Iterator[Found]:
    api = names.api(use.name)
    if api is None:
        yield "no_target", f"{use.name} ({version})"
        return
    if is_unknown(api) or api.kind in ("property", "attribute", "constant"):
        return
    for keyword in use.keywords:
        if not has_parameter(api, keyword):
            yield "no_parameter", f"{use.name}({keyword}) ({version})"
    if use.positional is not None and use.positional > _most(api):
        yield "many_arguments", f"{use.name} ({version})"


def _most(api: Api) -> float:
    """How many arguments an API takes by position; of a method named through its class, the receiver too."""

    def of(kinds: Collection[str]) -> float:
        return float("inf") if "star" in kinds else sum(kind in ("", "positional") for kind in kinds)

    own = max(of([p.kind for p in s.parameters]) for s in api.signatures)
    return own + (api.kind == "method")
