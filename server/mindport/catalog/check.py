"""Checks of the mapping data: what a machine can say about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.catalog.build import index_bytes
from mindport.catalog.index import Index
from mindport.catalog.names import ApiNames
from mindport.catalog.sources import (
    curated_evidence,
    curated_files,
    evidence,
    evidence_files,
    generated_files,
    read_json,
    read_lines,
)
from mindport.language import Language, Text

if TYPE_CHECKING:
    from pydantic import BaseModel, TypeAdapter

_TEXTS = {
    "format": Text("not in the format: {detail}", "格式不符：{detail}"),
    "no_torch": Text("`{detail}` is not in the torch catalog", "torch 目录中没有 `{detail}`"),
    "no_target": Text("`{detail}` is not in the MindSpore catalog", "MindSpore 目录中没有 `{detail}`"),
    "no_torch_parameter": Text("there is no torch parameter `{detail}`", "torch 没有参数 `{detail}`"),
    "no_parameter": Text("there is no MindSpore parameter `{detail}`", "MindSpore 没有参数 `{detail}`"),
    "twice": Text("`{detail}` occurs twice", "`{detail}` 重复出现"),
    "no_style": Text("the new candidate `{detail}` has no style", "新增的候选 `{detail}` 没有 style"),
    "language": Text("the note is the same in both languages: {detail}", "两种语言的注释相同：{detail}"),
    "unsorted": Text("`{detail}` is not in its place: lines are sorted", "`{detail}` 位置不对：各行须排序"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: the `file` (relative to the folder checked), the API, a code and what it is about."""

    file: str
    api: str
    code: str
    detail: str

    def message(self, language: Language) -> str:
        """`file: api: sentence`."""
        sentence = _TEXTS[self.code].render(language, detail=self.detail)
        return f"{self.file}: {self.api}: {sentence}"


def check(source_dir: Path) -> list[Problem]:
    """All problems of the mapping data in a folder, sorted; empty when it is sound."""
    found = list(_formats(source_dir))
    if found:
        return sorted(found, key=_key)
    index = Index(index_bytes(source_dir))
    checker = _Checker(source_dir, index)
    return sorted(checker.problems(), key=_key)


def _key(problem: Problem) -> tuple[str, str, str, str]:
    return problem.file, problem.api, problem.code, problem.detail


def _formats(source_dir: Path) -> Iterator[Problem]:
    from mindport.catalog.model import (
        CORRECTIONS,
        CURATED_EVIDENCE,
        ApiRecord,
        CorrespondenceRecord,
        EvidenceRecord,
    )

    for path in sorted((source_dir / "catalog").glob("*.jsonl")):
        yield from _lines(path, source_dir, ApiRecord, "name")
    for path in generated_files(source_dir):
        yield from _lines(path, source_dir, CorrespondenceRecord, "torch")
    for path in evidence_files(source_dir):
        yield from _lines(path, source_dir, EvidenceRecord, "mindspore")
        if curated_evidence(path).exists():
            yield from _by_name(curated_evidence(path), source_dir, CURATED_EVIDENCE)
    for path in curated_files(source_dir):
        yield from _by_name(path, source_dir, CORRECTIONS)


def _lines(path: Path, source_dir: Path, model: type[BaseModel], key: str) -> Iterator[Problem]:
    from pydantic import ValidationError

    file = path.relative_to(source_dir).as_posix()
    previous = ""
    with path.open("rb") as lines:
        for line in lines:
            try:
                name = getattr(model.model_validate_json(line), key)
            except ValidationError as error:
                yield Problem(file, _name_in(line, key), "format", _first(error))
                continue
            if name == previous:
                yield Problem(file, name, "twice", name)
            elif name < previous:
                yield Problem(file, name, "unsorted", name)
            previous = name


def _by_name(path: Path, source_dir: Path, model: TypeAdapter[Any]) -> Iterator[Problem]:
    """Problems of a hand-written file: a JSON object by API name."""
    from pydantic import ValidationError

    file = path.relative_to(source_dir).as_posix()
    try:
        twice = _doubled_keys(path.read_text(encoding="utf-8"))
        model.validate_json(path.read_bytes())
    except ValidationError as error:
        yield Problem(file, str(error.errors()[0]["loc"][:1]), "format", _first(error))
        return
    except ValueError as error:
        yield Problem(file, "", "format", str(error))
        return
    for key in twice:
        yield Problem(file, key, "twice", key)


def _doubled_keys(text: str) -> list[str]:
    twice: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: set[str] = set()
        for key, _ in items:
            if key in seen:
                twice.append(key)
            seen.add(key)
        return dict(items)

    json.loads(text, object_pairs_hook=pairs)
    return twice


def _name_in(line: bytes, key: str) -> str:
    try:
        return str(json.loads(line).get(key, ""))
    except (ValueError, AttributeError):
        return line[:40].decode(errors="replace")


def _first(error: Any) -> str:
    details = error.errors()[0]
    return f"{'.'.join(map(str, details['loc']))}: {details['msg']}"


class _Checker:
    """The checks that need both catalogs."""

    def __init__(self, source_dir: Path, index: Index) -> None:
        self._source = source_dir
        self._torch = ApiNames(index, "torch-2.13", "torch")
        self._mindspore = ApiNames(index, "mindspore-2.10", "mindspore")
        self._file = ""

    def problems(self) -> Iterator[Problem]:
        """All problems."""
        seen: set[str] = set()
        for path in generated_files(self._source):
            self._file = path.relative_to(self._source).as_posix()
            for record in read_lines(path):
                yield from self._torch_name(record["torch"], seen)
                yield from self._candidates(record["torch"], record["candidates"])
        curated: set[str] = set()
        for path in curated_files(self._source):
            self._file = path.relative_to(self._source).as_posix()
            for torch, correction in read_json(path).items():
                yield from self._torch_name(torch, curated)
                yield from self._correction(torch, correction)
        for path in evidence_files(self._source):
            self._file = path.relative_to(self._source).as_posix()
            unknown = (n for n in evidence(path) if self._mindspore.canonical(n) is None)
            yield from (self._problem(name, "no_target", name) for name in unknown)

    def _problem(self, api: str, code: str, detail: str) -> Problem:
        return Problem(self._file, api, code, detail)

    def _torch_name(self, torch: str, seen: set[str]) -> Iterator[Problem]:
        if torch.startswith("torch.") and self._torch.canonical(torch) != torch:
            yield self._problem(torch, "no_torch", torch)
        if torch in seen:
            yield self._problem(torch, "twice", torch)
        seen.add(torch)

    def _candidates(self, torch: str, candidates: list[dict[str, Any]]) -> Iterator[Problem]:
        targets: set[str] = set()
        for candidate in candidates:
            target = candidate["target"]
            if target in targets:
                yield self._problem(torch, "twice", target)
            targets.add(target)
            yield from self._target(torch, target, candidate.get("until"))
            yield from self._facts(torch, target, candidate.get("parameters") or ())

    def _target(self, torch: str, target: str, until: str | None) -> Iterator[Problem]:
        if until is None and self._mindspore.canonical(target) is None:
            yield self._problem(torch, "no_target", target)

    def _correction(self, torch: str, correction: dict[str, Any]) -> Iterator[Problem]:
        yield from self._note(torch, correction.get("note"))
        generated = {c["target"] for c in self._generated().get(torch, ())}
        for target, change in correction.get("candidates", {}).items():
            yield from self._target(torch, target, change.get("until"))
            if not change.get("remove") and target not in generated and "style" not in change:
                yield self._problem(torch, "no_style", target)
            for fact in change.get("differences", ()):
                yield from self._note(torch, fact.get("note"))
            yield from self._facts(torch, target, change.get("parameters") or ())
            yield from self._facts(torch, target, change.get("differences") or ())
        for target in correction.get("order", ()):
            yield from self._target(torch, target, None)

    def _generated(self) -> dict[str, list[dict[str, Any]]]:
        if not hasattr(self, "_generated_records"):
            records = (r for path in generated_files(self._source) for r in read_lines(path))
            self._generated_records = {r["torch"]: r["candidates"] for r in records}
        return self._generated_records

    def _note(self, torch: str, note: dict[str, str] | None) -> Iterator[Problem]:
        if note is not None and note["en"].strip() == note["zh-cn"].strip():
            yield self._problem(torch, "language", note["en"])

    def _facts(self, torch: str, target: str, facts: Iterable[dict[str, Any]]) -> Iterator[Problem]:
        for fact in facts:
            ours, theirs = fact.get("torch"), fact.get("mindspore")
            if ours and not _has(self._torch, torch, ours):
                yield self._problem(torch, "no_torch_parameter", ours)
            if theirs and self._mindspore.canonical(target) and not _has(self._mindspore, target, theirs):
                yield self._problem(torch, "no_parameter", f"{target}({theirs})")


def _has(names: ApiNames, name: str, parameter: str) -> bool:
    """Whether an API has a parameter of that name (true where its signature is unknown or open)."""
    api = names.api(name)
    if api is None or not api.signatures:
        return True
    found = {p.name for s in api.signatures for p in s.parameters}
    is_open = any(p.kind == "double_star" for s in api.signatures for p in s.parameters)
    return parameter in found or is_open
