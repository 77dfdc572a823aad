"""Whether the entries of the mapping data agree with the catalogs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mindport.catalog.check_templates import TemplateChecker, claimed, has_parameter
from mindport.catalog.index import Index
from mindport.catalog.jsonl import read_json, read_lines
from mindport.catalog.names import ApiNames, mindspore_names, mindspore_versions
from mindport.catalog.official import EXCEPTIONS, exceptions, official_pairs
from mindport.catalog.problem import DataProblem
from mindport.catalog.ran import call_evidence_files, run_file, sum_of, unverified_file
from mindport.catalog.sources import (
    curated_files,
    evidence,
    evidence_files,
    generated_files,
    verification_files,
)
from mindport.catalog.target import LATEST

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_CODE = re.compile(r"`[^`]*`")
_DOT = re.compile(r"\.")


class EntryChecker:
    """Checks every entry. `index` is built from the same folder."""

    def __init__(self, source_dir: Path, index: Index) -> None:
        self._source = source_dir
        self._torch = ApiNames(index, "torch-2.13", "torch")
        self._versions = {v: mindspore_names(index, v) for v in mindspore_versions(index)}
        self._mindspore = self._versions[LATEST]
        self._beginnings = {name[: dot.end()] for name in self._torch.names for dot in _DOT.finditer(name)}
        self._templates = TemplateChecker(self._torch, self._versions)
        self._merged = index.table("correspondences")
        self._file = ""

    def problems(self) -> Iterator[DataProblem]:
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
        yield from self._runs()
        yield from self._official()

    def _runs(self) -> Iterator[DataProblem]:
        """Evidence that no run has written, and inputs for what is no torch API."""
        for path in call_evidence_files(self._source):
            wrote = read_json(run_file(path))
            for file, key in ((path, "evidence"), (unverified_file(path), "unverified")):
                self._file = file.relative_to(self._source).as_posix()
                if sum_of(file) != wrote[key]:
                    yield self._problem("", "not_written", file.name)
        for path in verification_files(self._source):
            self._file = path.relative_to(self._source).as_posix()
            for torch in read_json(path) if path.stem != "general" else ():
                yield from self._torch_name(torch, set())

    def _official(self) -> Iterator[DataProblem]:
        """Rows of the official tables that are not followed, and exceptions without such a row."""
        self._file = EXCEPTIONS
        unused = {(t, m) for t, targets in exceptions(self._source).items() for m in targets}
        for pair in official_pairs(self._source, self._merged, self._torch, self._mindspore):
            if not pair.agrees:
                unused.discard((pair.torch, pair.mindspore))
                if not pair.explained:
                    yield self._problem(pair.torch, "official", pair.mindspore)
        yield from (self._problem(torch, "needless", target) for torch, target in sorted(unused))

    def _problem(self, api: str, code: str, detail: str) -> DataProblem:
        return DataProblem(self._file, api, code, detail)

    def _torch_name(self, torch: str, seen: set[str]) -> Iterator[DataProblem]:
        if torch in seen:
            yield self._problem(torch, "twice", torch)
        seen.add(torch)
        if torch.endswith(".*"):
            if torch[:-1] not in self._beginnings:
                yield self._problem(torch, "no_match", torch)
        elif torch.startswith("torch.") and self._torch.canonical(torch) != torch:
            public = self._torch.canonical(torch)
            yield self._problem(torch, "no_torch", f"{torch} ({public})" if public else torch)

    def _candidates(self, torch: str, candidates: list[dict[str, Any]]) -> Iterator[DataProblem]:
        targets: set[str] = set()
        for candidate in candidates:
            target = candidate["target"]
            if target in targets:
                yield self._problem(torch, "twice", target)
            targets.add(target)
            yield from self._target(torch, target, candidate)
            yield from self._facts(torch, target, candidate.get("parameters") or ())

    def _target(self, torch: str, target: str, record: dict[str, Any]) -> Iterator[DataProblem]:
        """Whether a target exists in every version that it is claimed for and that has a catalog."""
        for version, names in claimed(self._versions, record):
            if names.canonical(target) is None:
                yield self._problem(torch, "no_target", f"{target} ({version})")

    def _correction(self, torch: str, correction: dict[str, Any]) -> Iterator[DataProblem]:
        yield from self._texts(torch, correction)
        yield from self._contradictions(torch, correction)
        merged = {c["target"]: c for c in (self._merged.get(torch) or {"candidates": ()})["candidates"]}
        for target, change in correction.get("candidates", {}).items():
            if change.get("remove"):
                continue
            yield from self._target(torch, target, merged[target])
            if "style" not in merged[target]:
                yield self._problem(torch, "no_style", target)
            yield from self._facts(torch, target, change.get("parameters") or ())
            yield from self._facts(torch, target, change.get("differences") or ())
        for target in correction.get("order", ()):
            yield from self._target(torch, target, merged.get(target, {}))
        yield from self._equivalents(torch, correction.get("equivalents", []))
        code = (correction.get("way_out") or {}).get("code")
        if code is not None:
            yield from (self._problem(torch, *found) for found in self._templates.code(code))

    def _equivalents(self, torch: str, equivalents: list[dict[str, Any]]) -> Iterator[DataProblem]:
        seen: list[tuple[str, Any]] = []
        for equivalent in equivalents:
            key = (equivalent["template"], equivalent.get("when"))
            if key in seen:
                yield self._problem(torch, "twice", equivalent["template"])
            seen.append(key)
            found = self._templates.equivalent(torch, equivalent)
            yield from (self._problem(torch, *each) for each in found)
            yield from self._facts(torch, "", equivalent.get("differences") or ())

    def _contradictions(self, torch: str, correction: dict[str, Any]) -> Iterator[DataProblem]:
        status = correction.get("status")
        kept = [t for t, c in correction.get("candidates", {}).items() if not c.get("remove")]
        offered = [*kept, *(e["template"] for e in correction.get("equivalents", ()))]
        if status == "missing" and offered:
            yield self._problem(torch, "contradiction", f"status missing, {offered[0]}")
        if torch.endswith(".*") and (offered or status not in ("missing", "not_needed")):
            yield self._problem(torch, "contradiction", f"{torch}, status {status}")
            return
        has = bool((self._merged.get(torch) or {"candidates": ()})["candidates"])
        if status in ("equivalent", "differs") and not has:
            yield self._problem(torch, "contradiction", f"status {status}, no candidate")
        for key in ("reason", "way_out"):
            if key in correction and status != "missing" and (has or status is not None):
                yield self._problem(torch, "contradiction", f"{key}, status {status}")

    def _texts(self, torch: str, record: Any) -> Iterator[DataProblem]:
        """Every text in a record, whatever it stands in, has both languages."""
        if isinstance(record, list):
            for item in record:
                yield from self._texts(torch, item)
        elif isinstance(record, dict):
            if set(record) == {"en", "zh-cn"}:
                if not _in_both_languages(record["en"], record["zh-cn"]):
                    yield self._problem(torch, "language", record["en"])
            else:
                for item in record.values():
                    yield from self._texts(torch, item)

    def _facts(self, torch: str, target: str, facts: Iterable[dict[str, Any]]) -> Iterator[DataProblem]:
        ours_api, theirs_api = self._torch.api(torch), self._mindspore.api(target) if target else None
        for fact in facts:
            ours, theirs = fact.get("torch"), fact.get("mindspore")
            if ours and ours_api is not None and not has_parameter(ours_api, ours):
                yield self._problem(torch, "no_torch_parameter", ours)
            if theirs and theirs_api is not None and not has_parameter(theirs_api, theirs):
                yield self._problem(torch, "no_parameter", f"{target}({theirs})")


def _in_both_languages(english: str, chinese: str) -> bool:
    """Whether the texts differ, the English one has no Chinese, and the Chinese one some unless it is all
    code."""
    if english.strip() == chinese.strip() or _CHINESE.search(_CODE.sub("", english)):
        return False
    return bool(_CHINESE.search(chinese)) or not _CODE.sub("", chinese).strip(" .,;:。，；：")
