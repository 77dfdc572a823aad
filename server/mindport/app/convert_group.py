"""The conversion of one group of an editor's folder: a class or a function, and what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.app.convert import helper_modules
from mindport.app.convert_document import Converted, DocumentConverter
from mindport.app.convert_file import WholeTree
from mindport.app.groups import FileUnitReporter, plan_of
from mindport.app.scan import analyse_request
from mindport.catalog.catalog import Catalog
from mindport.language import Text
from mindport.project.takers import Takers
from mindport.rewrite.edit import Edit
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.request import Request
    from mindport.language import Language
    from mindport.scan.scan import Progress

_NOTHING = Text("Nothing to convert here.", "此处没有需要转换的内容。")
_NO_HELPERS = Text(
    "Cannot add helpers: {path} does not parse. Fix or delete it, then try again.",
    "无法添加辅助函数：{path} 无法解析。请修复或删除后重试。",
)


class ConvertedGroup(NamedTuple):
    """What becomes of the documents of a group, its modules of helpers that are there already among them, and
    the texts of those that are to be made. `users` are the files outside that use it, which stay."""

    documents: Sequence[Converted]
    new_files: Sequence[tuple[Path, str]]
    users: Sequence[str]


def convert_group(
    request: Request, path: str, offset: int, language: Language, progress: Progress
) -> ConvertedGroup:
    """What becomes of the group of what stands at a byte of the file at `path`; `request` is about the folder
    around it. Nothing is changed. Takes long. Raises TextError where there is nothing to convert."""
    base, settings = request.paths[0], request.folders[0].settings
    takers = Takers(exclude=settings.exclude)
    for document in request.open_files.values():
        if document.text is not None:
            takers.changed(document.path, document.text)
    target = settings.ported_to
    units = analyse_request(request, FileUnitReporter(target), progress).by_uri.values()
    plan = plan_of([one for one in units if one is not None], takers)
    key = plan.at(path, offset)
    group = plan.group_of(key) if key is not None else None
    if group is None:
        raise TextError(_NOTHING)
    parts = plan.spans([group])
    tree = WholeTree.of(target, base)
    converter = DocumentConverter(language, takers, whole=tree, parts=parts)
    opened = [one for path, one in request.open_files.items() if path in parts]
    closed = [Path(one) for one in parts if one not in request.open_files]
    wanted = replace(request, paths=closed, documents=opened)
    entries = analyse_request(wanted, converter, progress)
    documents = [replace(converted, uri=uri) for uri, converted in entries.by_uri.items()]
    paths = {one.uri: Path(one.path) for one in request.open_files.values()}
    paths |= {Path(one).as_uri(): Path(one) for one in parts if one not in request.open_files}
    taking = [(paths[converted.uri], converted.helpers) for converted in documents]
    new_files: list[tuple[Path, str]] = []
    for module, names in helper_modules(taking, tree.places).items():
        made = _helpers(module, names, request, language)
        if isinstance(made, str):
            new_files.append((module, made))
        else:
            documents.append(made)
    return ConvertedGroup(documents, new_files, group.users)


def _helpers(module: Path, names: set[str], request: Request, language: Language) -> Converted | str:
    """A module of helpers: as it changes, or the text of a new one."""
    helpers = Catalog.load().helpers
    opened = request.open_files.get(str(module))
    if opened is None and not module.is_file():
        return helpers.module(names, language)
    before = opened.text if opened is not None and opened.text is not None else module.read_bytes()
    try:
        after = helpers.merged(before.decode(), names, language).text
    except (SyntaxError, ValueError) as error:
        raise TextError(_NO_HELPERS, path=module) from error
    uri = module.as_uri() if opened is None else opened.uri
    if after.encode() == before:
        return Converted(uri)
    return Converted(uri, texts={None: before}, edits={None: [Edit(0, len(before), after)]})
