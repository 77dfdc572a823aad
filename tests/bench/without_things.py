"""How `without.py` takes things that are hand-made for speed out of mindport. They are replaced in the process
that measures, before it begins; mindport must not be compiled."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import pkgutil
import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple


class Thing(NamedTuple):
    """What takes a thing out, and the kinds of work that it is for."""

    take_out: Callable[[], object]
    work: tuple[str, ...]


def _replace(dotted: str, made: Callable[[Any], Any]) -> None:
    """Put what is `made` of a thing in its place: `module:name` or `module:Class.name`."""
    module, _, names = dotted.partition(":")
    owner: Any = importlib.import_module(f"mindport.{module}")
    *outer, name = names.split(".")
    for each in outer:
        owner = getattr(owner, each)
    setattr(owner, name, made(getattr(owner, name)))


def replacing(dotted: str, made: Callable[[Any], Any]) -> Callable[[], None]:
    """The same, to be done later."""
    return lambda: _replace(dotted, made)


def _lower_all() -> None:
    from mindport.index.block import EMPTY

    _replace(
        "lowering.incremental:lower_module", lambda lower: lambda pieces, data, *_: lower(pieces, data, EMPTY)
    )


def _forget_values() -> None:
    from mindport.index.memo import evict, mark_dirty

    def forgetting(update: Any) -> Any:
        def updated(module: Any, document: Any) -> bool:
            changed: bool = update(module, document)
            mark_dirty(set(module.blocks))
            for block in module.blocks:
                evict(block)
            return changed

        return updated

    _replace("infer.project_graph:update", forgetting)


def _cut_anew() -> None:
    from mindport.source.pieces import Known

    _replace("source.document:cut", lambda cut: lambda data, _: cut(data, Known()))


def _write_anew() -> None:
    def writing(of: Any) -> Any:
        def written(items: Any, *arguments: Any) -> Any:
            items.forget_all()
            return of(items, *arguments)

        return written

    _replace("lsp.diagnostics_json:DiagnosticItems.of", writing)


def _collect() -> None:
    gc.disable = gc.freeze = lambda: None
    gc.set_threshold = lambda *_: None


def _dataclasses() -> None:
    """Values made, compared and hashed as those of frozen dataclasses with slots are."""
    from mindport.infer import values

    def of_field(field: str) -> tuple[Any, Any, Any]:
        def init(self: Any, value: Any) -> None:
            object.__setattr__(self, field, value)

        def equal(self: Any, other: object) -> Any:
            if other.__class__ is self.__class__:
                return (getattr(self, field),) == (getattr(other, field),)
            return NotImplemented

        return init, equal, lambda self: hash((getattr(self, field),))

    for kind, field in ((values._Named, "name"), (values._InstanceOf, "of")):
        kind.__init__, kind.__eq__, kind.__hash__ = of_field(field)  # type: ignore[misc]


def _plain_json() -> None:
    from mindport.report import json_report as ours

    def place(part: Any, offset: int) -> dict[str, int]:
        line, column = part.lines.code_point_position(part.offset(offset))
        return {"line": line, "column": column}

    def use_entry(placed: Any, document: Any, is_shown: bool, language: Any) -> dict[str, Any]:
        finding, use = placed.finding, placed.finding.use
        part = document.part(placed.start)
        return {
            "api": use.api,
            "kind": use.kind,
            "certainty": use.certainty.value,
            **({} if part.number is None else {"cell": part.number}),
            "start": place(part, placed.start),
            "end": place(part, placed.end),
            "status": finding.status,
            "code": finding.code if is_shown else None,
            "severity": finding.severity.value if is_shown else "none",
            "targets": list(finding.targets),
            "fix": finding.fix if is_shown else "none",
            "message": finding.message(language) if is_shown else "",
        }

    def text(path: str, found: Any, problems: Any, language: Any) -> str:
        shown = {id(placed) for placed in found.diagnostics()}
        uses = [use_entry(one, found.document, id(one) in shown, language) for one in found.findings]
        return json.dumps({"path": path, "uses": uses, "problems": problems}, ensure_ascii=False)

    ours._file_text = text


def _no_caches() -> None:
    """The functions of mindport that keep answers, without what they keep."""
    import mindport.lsp.server  # noqa: F401 - what other libraries keep stays

    for name in [name for name in sys.modules if name.startswith("mindport")]:
        del sys.modules[name]
    functools.lru_cache = lambda *_, **__: lambda function: function  # type: ignore[assignment]


def _import_all() -> None:
    import mindport

    for found in pkgutil.walk_packages(mindport.__path__, "mindport."):
        if "dask" not in found.name and "verify" not in found.name and "__main__" not in found.name:
            importlib.import_module(found.name)


def _unpack_all() -> None:
    from mindport.catalog.index import Table

    def unpacking(init: Any) -> Any:
        def initialized(table: Any, names: list[str], blocks: Any) -> None:
            init(table, names, blocks)
            lines = [line for block in blocks for line in zlib.decompress(block).split(b"\n")]
            table._records.update(zip(names, map(json.loads, lines), strict=False))

        return initialized

    Table.__init__ = unpacking(Table.__init__)  # type: ignore[method-assign]


def _read_anew() -> None:
    def reading(is_taken: Any) -> Any:
        def answered(takers: Any, *arguments: Any) -> Any:
            takers._waiting.update(dict.fromkeys(takers._known))
            return is_taken(takers, *arguments)

        return answered

    _replace("project.takers:Takers.is_taken", reading)


def _end_in_order() -> None:
    os._exit = sys.exit


def _divide_plainly() -> None:
    from mindport.scan import division, pool

    pool.divide_by_imports = division.divide


def _no_cache() -> None:
    _replace("cli.main:main", lambda main: lambda words: main([*words, "--no-cache"]))


BOTH = ("scan", "typing")


def _find_all() -> None:
    from mindport.uses.analysis import Analysis, uses_of

    def analysed(evaluator: Any, module: Any, document: Any, *_: Any) -> Analysis:
        found = [uses_of(evaluator, block) for block in module.blocks]
        return Analysis(document, module.blocks, module.starts, found)

    _replace("uses.analysis:_analysed_again", lambda _: analysed)


def _tell_of_the_edit_alone() -> None:
    from mindport.source.lines import TreeEdit

    def point(lines: Any, offset: int) -> tuple[int, int]:
        line = lines.line_of(offset)
        return line, offset - lines.line_start(line)

    def told(before: Any, after: Any, start: int, old_end: int) -> TreeEdit:
        new_end = old_end + len(after.data) - len(before.data)
        points = point(before, start), point(before, old_end), point(after, new_end)
        return TreeEdit(start, old_end, new_end, *points)

    _replace("source.document:tree_edit", lambda _: told)


THINGS = {
    "compiled": Thing(lambda: None, BOTH),
    "incremental": Thing(_lower_all, ("typing",)),
    "memo": Thing(_forget_values, ("typing",)),
    "memory": Thing(replacing("scan.pool:bytes_kept", lambda _: lambda _: 8 * 1024 * 1024), ("scan",)),
    "definitions": Thing(replacing("scan.pool:LocalRun.defined", lambda _: lambda *_: iter(())), ("scan",)),
    "carried": Thing(_find_all, ("typing",)),
    "edited-lines": Thing(_tell_of_the_edit_alone, ("typing",)),
    "pieces": Thing(_cut_anew, ("typing",)),
    "findings": Thing(replacing("uses.use:UseFacts.__eq__", lambda _: lambda one, other: one is other), BOTH),
    "diagnostics-json": Thing(_write_anew, ("typing",)),
    "report-json": Thing(_plain_json, ("scan",)),
    "collection": Thing(_collect, BOTH),
    "values": Thing(_dataclasses, BOTH),
    "kept-answers": Thing(_no_caches, ("typing",)),
    "lazy-imports": Thing(_import_all, ("small",)),
    "index": Thing(_unpack_all, ("small",)),
    "takers": Thing(_read_anew, ("convert",)),
    "cache": Thing(_no_cache, ("again",)),
    "end": Thing(_end_in_order, ("whole",)),
    "division": Thing(_divide_plainly, ("dividing",)),
    "jedi": Thing(replacing("project.jedi_answers:JediAnswers.types", lambda _: lambda *_: None), ("scan",)),
}
