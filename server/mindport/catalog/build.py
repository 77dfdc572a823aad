"""Building the compact index from `mapping_data`. Uses the standard library only: the wheel build runs it."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from mindport.catalog.concepts import concept_apis, read_concepts
from mindport.catalog.feature_facts import read_feature_facts
from mindport.catalog.graph_facts import read_graph_facts
from mindport.catalog.helpers import (
    helper_names,
    helper_texts,
    helpers_as_bases,
    helpers_as_values,
    helpers_beside,
    helpers_by_default_dtype,
    helpers_giving_members,
    helpers_if_called,
    helpers_if_unknown,
    helpers_if_unpacked,
    helpers_instead,
    helpers_of_sizes,
    helpers_unless_literal,
    helpers_with_keywords,
    names_of_earlier_versions,
)
from mindport.catalog.index import BLOCK, FORMAT, KIND_LETTERS, MAGIC
from mindport.catalog.jsonl import read_lines
from mindport.catalog.known_errors import read_errors
from mindport.catalog.migration_facts import read_migration_facts
from mindport.catalog.other_frameworks import read_other_frameworks
from mindport.catalog.ran import call_evidence_files, tried_calls
from mindport.catalog.search_index import counterparts_of, search_sections
from mindport.catalog.second_order_facts import read_second_order
from mindport.catalog.sources import (
    catalogs,
    correspondences,
    evidence,
    evidence_files,
    general_parameters,
    generated_files,
    libraries,
    newer_catalogs,
    older_catalogs,
    verification,
)
from mindport.catalog.sparse_facts import read_sparse_facts
from mindport.catalog.statement_facts import read_statement_facts

_READERS = (
    "sources.py",
    "helpers.py",
    "jsonl.py",
    "ran.py",
    "template.py",
    "search_index.py",
    "argument_form.py",
    "tried_calls.py",
    "graph_facts.py",
    "migration_facts.py",
    "second_order_facts.py",
    "sparse_facts.py",
    "feature_facts.py",
    "other_frameworks.py",
    "statement_facts.py",
)
_EAGER = ("name", "kind", "aliases", "lineage", "documented")


def fingerprint(source_dir: Path) -> str:
    """A short text that changes when a file of `source_dir`, or the code that reads it, is touched."""
    seen = hashlib.sha256(f"{FORMAT}".encode())
    code = [Path(__file__), *(Path(__file__).with_name(name) for name in _READERS)]
    for path in [*_files(source_dir), *code]:
        status = path.stat()
        seen.update(f"{path.name}:{status.st_size}:{status.st_mtime_ns}\n".encode())
    return seen.hexdigest()[:16]


def build_index(source_dir: Path, destination: Path) -> None:
    """Write the index of `source_dir` to `destination`, in one step: a reader sees the old or the new one.

    Raises `OSError` when the file cannot be written, `ValueError` when a source file is not valid.
    """
    data = index_bytes(source_dir)
    destination.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{destination.name}.", dir=destination.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(destination)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def index_bytes(source_dir: Path) -> bytes:
    """The content of the index file for `source_dir`."""
    writer = _Writer()
    on_host = _on_host(source_dir)
    for stem, records in catalogs(source_dir).items():
        _add_catalog(
            writer, stem, [_without_platforms(r) if r["name"].startswith(on_host) else r for r in records]
        )
    for path in older_catalogs(source_dir):
        records = read_lines(path)
        _add_catalog(writer, path.stem, [r for r in records if "absent" not in r])
        writer.add_text(f"{path.stem}/absent", "\n".join(r["name"] for r in records if "absent" in r))
    merged = correspondences(source_dir)
    reverse = counterparts_of(merged)
    writer.add_table("correspondences", merged)
    writer.add_table("reverse", reverse)
    of_torch = [*(source_dir / "catalog").glob("torch-*.jsonl"), *newer_catalogs(source_dir)]
    torch = (r for path in of_torch for r in read_lines(path))
    for name, text in search_sections(torch, merged, reverse, concept_apis(source_dir)).items():
        writer.add_text(name, text)
    writer.add_text("search/concepts", read_concepts(source_dir))
    writer.add_text("errors", read_errors(source_dir))
    writer.add_text("graph_mode", read_graph_facts(source_dir))
    writer.add_text("second_order", read_second_order(source_dir))
    writer.add_text("sparse", read_sparse_facts(source_dir))
    writer.add_text("features", read_feature_facts(source_dir))
    writer.add_text("statements", read_statement_facts(source_dir))
    writer.add_text("frameworks", read_other_frameworks(source_dir))
    writer.add_text("migration", read_migration_facts(source_dir))
    modules = sorted(path.stem for path in generated_files(source_dir))
    writer.add_text("modules", "\n".join(modules))
    writer.add_text("general", json.dumps(general_parameters(source_dir)))
    for path in evidence_files(source_dir):
        _, version, device = path.stem.split("-")
        rows = {name: [r["result"], r["calls"]] for name, r in evidence(path).items()}
        writer.add_text(f"evidence/{version}/{device}", json.dumps(rows, separators=(",", ":")))
    for path in call_evidence_files(source_dir):
        _, version, device = path.stem.split("-")
        writer.add_table(f"tried/{version}/{device}", tried_calls(path, merged))
    writer.add_text("verification", json.dumps(verification(source_dir), separators=(",", ":")))
    writer.add_text("libraries", json.dumps(libraries(source_dir), separators=(",", ":")))
    writer.add_text("helpers", json.dumps(helper_names(source_dir), separators=(",", ":")))
    writer.add_text("helpers_beside", json.dumps(helpers_beside(source_dir), separators=(",", ":")))
    writer.add_text("helpers_instead", json.dumps(helpers_instead(source_dir), separators=(",", ":")))
    writer.add_text(
        "helpers_giving_members", json.dumps(helpers_giving_members(source_dir), separators=(",", ":"))
    )
    writer.add_text("helpers_as_bases", json.dumps(helpers_as_bases(source_dir), separators=(",", ":")))
    writer.add_text("helpers_as_values", json.dumps(helpers_as_values(source_dir), separators=(",", ":")))
    keywords = json.dumps(helpers_with_keywords(source_dir), separators=(",", ":"))
    writer.add_text("helpers_with_keywords", keywords)
    writer.add_text("helpers_of_sizes", json.dumps(helpers_of_sizes(source_dir), separators=(",", ":")))
    by_dtype = json.dumps(helpers_by_default_dtype(source_dir), separators=(",", ":"))
    writer.add_text("helpers_by_default_dtype", by_dtype)
    unless_literal = json.dumps(helpers_unless_literal(source_dir), separators=(",", ":"))
    writer.add_text("helpers_unless_literal", unless_literal)
    writer.add_text("helpers_if_unpacked", json.dumps(helpers_if_unpacked(source_dir), separators=(",", ":")))
    writer.add_text("helpers_if_unknown", json.dumps(helpers_if_unknown(source_dir), separators=(",", ":")))
    writer.add_text("helpers_if_called", json.dumps(helpers_if_called(source_dir), separators=(",", ":")))
    removed = json.dumps(sorted(names_of_earlier_versions(source_dir)), separators=(",", ":"))
    writer.add_text("helpers_of_earlier_versions", removed)
    writer.add_text("helper_sources", json.dumps(helper_texts(source_dir), separators=(",", ":")))
    return writer.finish(fingerprint(source_dir))


def _files(source_dir: Path) -> list[Path]:
    return sorted(p for p in source_dir.rglob("*") if p.is_file() and p.suffix in (".jsonl", ".json", ".py"))


def _on_host(source_dir: Path) -> tuple[str, ...]:
    """How the names of APIs begin that run on the host."""
    modules = libraries(source_dir).get("mindspore_modules", {})
    return tuple(f"{name}." for name in modules.get("on_host", ()))


def _without_platforms(record: dict[str, Any]) -> dict[str, Any]:
    """The record of an API that runs on the host, whatever the device: its documentation says "CPU"."""
    return {key: value for key, value in record.items() if key != "platforms"}


def _add_catalog(writer: _Writer, name: str, records: list[dict[str, Any]]) -> None:
    records.sort(key=lambda r: r["name"])
    details = {r["name"]: {k: v for k, v in r.items() if k not in _EAGER} for r in records}
    writer.add_table(name, details)
    writer.add_text(f"{name}/kinds", "".join(_letter(r) for r in records))
    aliases = sorted(f"{a} {row}" for row, r in enumerate(records) for a in _aliases(r, details))
    writer.add_text(f"{name}/aliases", "\n".join(aliases))
    lineages = [f"{r['name']} {' '.join(r['lineage'])}" for r in records if r.get("lineage")]
    writer.add_text(f"{name}/lineage", "\n".join(lineages))


def _aliases(record: Mapping[str, Any], known: Container[str]) -> list[str]:
    """The other names of an API. A package that imports a function from a module of the same name has the
    function by that name: `torch.nn.utils.weight_norm.weight_norm` is `torch.nn.utils.weight_norm`."""
    name = record["name"]
    last = name.rpartition(".")[2]
    hides = record["kind"] == "module" and last in record.get("exports", ()) and f"{name}.{last}" not in known
    return [*record.get("aliases", []), *([f"{name}.{last}"] if hides else [])]


def _letter(record: Mapping[str, Any]) -> str:
    """The kind of an API as a letter, a capital one for documented APIs."""
    letter = KIND_LETTERS[record["kind"]]
    return letter.upper() if record.get("documented") else letter


class _Writer:
    """Collects sections and puts them into one file."""

    def __init__(self) -> None:
        self._sections: dict[str, list[int]] = {}
        self._body = bytearray()

    def add_text(self, name: str, text: str) -> None:
        """Add a plain section."""
        self._append(name, text.encode())

    def add_table(self, name: str, records: Mapping[str, object]) -> None:
        """Add a table; `records` by name, in the order to keep."""
        self._append(name, "\n".join(records).encode())
        lines = [json.dumps(r, ensure_ascii=False, separators=(",", ":")).encode() for r in records.values()]
        for start in range(0, len(lines), BLOCK):
            self._sections[name].append(self._push(lines[start : start + BLOCK]))

    def _append(self, name: str, content: bytes) -> None:
        start = len(self._body)
        self._sections[name] = [start, self._push([content]) if content else 0]

    def _push(self, lines: Iterable[bytes]) -> int:
        packed = zlib.compress(b"\n".join(lines), 9)
        self._body += packed
        return len(packed)

    def finish(self, sources: str) -> bytes:
        """The whole file."""
        header = {
            "magic": MAGIC,
            "format": FORMAT,
            "fingerprint": sources,
            "checksum": zlib.adler32(self._body),
            "sections": self._sections,
        }
        return json.dumps(header, separators=(",", ":")).encode() + b"\n" + bytes(self._body)
