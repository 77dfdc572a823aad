"""Whether the files of the mapping data are in their format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindport.catalog.official import EXCEPTIONS
from mindport.catalog.problem import DataProblem
from mindport.catalog.ran import call_evidence_files, run_file, unverified_file, versions_file
from mindport.catalog.sources import (
    curated_evidence,
    curated_files,
    evidence_files,
    generated_files,
    newer_catalogs,
    older_catalogs,
    seen_calls_file,
    verification_files,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def format_problems(source_dir: Path) -> Iterator[DataProblem]:
    """The problems of all files."""
    from pydantic import TypeAdapter

    from mindport.catalog.model import (
        CORRECTIONS,
        CURATED_EVIDENCE,
        GENERAL_INPUTS,
        INPUTS_BY_API,
        OFFICIAL_EXCEPTIONS,
        OLDER,
        RUN,
        UNVERIFIED,
        VERSIONS_OF_RUN,
        ApiRecord,
        CallEvidenceRecord,
        CorrespondenceRecord,
        EvidenceRecord,
        SeenCallsRecord,
    )

    for path in (*sorted((source_dir / "catalog").glob("*.jsonl")), *newer_catalogs(source_dir)):
        yield from _lines(path, source_dir, TypeAdapter(ApiRecord), "name")
    for path in older_catalogs(source_dir):
        yield from _lines(path, source_dir, OLDER, "name")
    for path in generated_files(source_dir):
        yield from _lines(path, source_dir, TypeAdapter(CorrespondenceRecord), "torch")
    for path in evidence_files(source_dir):
        yield from _lines(path, source_dir, TypeAdapter(EvidenceRecord), "mindspore")
        if curated_evidence(path).exists():
            yield from _by_name(curated_evidence(path), source_dir, CURATED_EVIDENCE)
    for path in call_evidence_files(source_dir):
        yield from _lines(path, source_dir, TypeAdapter(CallEvidenceRecord), "pair")
        yield from _by_name(versions_file(path), source_dir, VERSIONS_OF_RUN)
        yield from _by_name(run_file(path), source_dir, RUN)
        if unverified_file(path).exists():
            yield from _by_name(unverified_file(path), source_dir, UNVERIFIED)
    seen = seen_calls_file(source_dir)
    if seen.exists():
        yield from _lines(seen, source_dir, TypeAdapter(SeenCallsRecord), "torch")
    for path in verification_files(source_dir):
        yield from _by_name(path, source_dir, GENERAL_INPUTS if path.stem == "general" else INPUTS_BY_API)
    for path in curated_files(source_dir):
        yield from _by_name(path, source_dir, CORRECTIONS)
    if (source_dir / EXCEPTIONS).exists():
        yield from _by_name(source_dir / EXCEPTIONS, source_dir, OFFICIAL_EXCEPTIONS)


def _lines(path: Path, source_dir: Path, model: TypeAdapter[Any], key: str) -> Iterator[DataProblem]:
    from pydantic import ValidationError

    file = path.relative_to(source_dir).as_posix()
    previous = ""
    with path.open("rb") as lines:
        for line in lines:
            try:
                name = getattr(model.validate_json(line), key)
            except ValidationError as error:
                yield DataProblem(file, _name_in(line, key), "format", _first(error))
                continue
            if name == previous:
                yield DataProblem(file, name, "twice", name)
            elif name < previous:
                yield DataProblem(file, name, "unsorted", name)
            previous = name


def _by_name(path: Path, source_dir: Path, model: TypeAdapter[Any]) -> Iterator[DataProblem]:
    """Problems of a hand-written file: a JSON object by API name."""
    from pydantic import ValidationError

    file = path.relative_to(source_dir).as_posix()
    try:
        twice = _doubled_keys(path.read_text(encoding="utf-8"))
        model.validate_json(path.read_bytes())
    except ValidationError as error:
        yield DataProblem(file, str(error.errors()[0]["loc"][:1]), "format", _first(error))
        return
    except (OSError, ValueError) as error:
        yield DataProblem(file, "", "format", str(error))
        return
    for key in twice:
        yield DataProblem(file, key, "twice", key)


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
