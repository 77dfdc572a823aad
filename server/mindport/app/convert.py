"""Conversions: of files on disk, to be shown or written, and of what an editor has open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.app.convert_document import Converted, DocumentConverter
from mindport.app.convert_file import ConvertedFile, FileConverter, Rewritten, WholeTree
from mindport.app.convert_tree import InPlace, IntoFolder, NotWrittenError, without_output
from mindport.app.groups import FileUnitReporter, plan_of
from mindport.app.helpers_place import HelpersPlaces
from mindport.app.scan import Entries, analyse_request
from mindport.catalog.catalog import Catalog
from mindport.catalog.helper_table import HELPERS_MODULE
from mindport.language import Text
from mindport.project.discover import Discovery, discover, other_files
from mindport.project.takers import Takers
from mindport.rewrite.whole import is_within
from mindport.scan.scan import Progress, scan
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.request import Request
    from mindport.language import Language
    from mindport.project.setting_table import Settings
    from mindport.rewrite.groups import ConversionGroup, ConversionPlan
    from mindport.rewrite.whole import Spans
    from mindport.scan.scan import ScanEngine

_MOST_BYTES = 64_000_000
_NOT_READ = Text(
    "Cannot add helpers: this file does not parse. Fix or delete it, then convert again.",
    "无法添加辅助函数：该文件无法解析。请修复或删除后重新转换。",
)
_COPIED_AS_IT_IS = Text("{problem} (copied unchanged)", "{problem}（已按原样复制）")


class WrittenFile(NamedTuple):
    """What became of a file that was to be written. `problem` says, in the user's language, why it was not
    converted, or (`is_unwritten`) not written."""

    file: ConvertedFile
    problem: str | None = None
    is_unwritten: bool = False


def files_to_convert(paths: Sequence[Path], settings: Settings, output: Path | None) -> Discovery:
    """The files that `paths` mean, without what an earlier run has put into `output`."""
    found = discover(paths, settings.exclude, settings.limit)
    if output is None:
        return found
    return found._replace(files=without_output(found.files, paths, output))


def files_not_copied(paths: Sequence[Path], settings: Settings, output: Path | None) -> list[Path]:
    """The files below `paths` that are no Python code, so that a conversion into `output` leaves them out."""
    others = other_files(paths, settings.exclude)
    return without_output(others, paths, output) if output is not None else others


def is_small(path: Path) -> bool:
    """Whether a file is data that may belong to a program, and no checkpoint or data set."""
    try:
        return path.stat().st_size <= _MOST_BYTES
    except OSError:
        return False


def copy_file(path: Path, destination: InPlace | IntoFolder, language: Language) -> str | None:
    """Copy a file as it is to where it belongs; gives the reason if it cannot be."""
    return write_file(ConvertedFile(str(path)), destination, language).problem


def convert_files(
    files: Discovery,
    settings: Settings,
    language: Language,
    unsafe: bool,
    progress: Progress,
    whole: Path | None = None,
    parts: Mapping[str, Spans] | None = None,
    engine: ScanEngine | None = None,
) -> Iterator[ConvertedFile]:
    """What becomes of each file; nothing is written. With `whole`, the folder around all files, everything is
    converted as one program; its helpers are told of each file (see `helper_files`). With `parts`, by
    the absolute paths of files, only these are converted. An `engine` may know the files. Raises what `scan`
    raises."""
    progress.total = files.total
    takers = Takers(files.files, settings.exclude)
    tree = WholeTree.of(settings.ported_to, whole, files.files) if whole else None
    converter = FileConverter(language, unsafe, takers, tree, parts)
    return scan(files, settings, converter, settings.jobs, progress=progress, engine=engine)


def convert_groups(
    files: Discovery,
    settings: Settings,
    language: Language,
    plan: ConversionPlan,
    progress: Progress,
    engine: ScanEngine | None = None,
) -> tuple[list[ConvertedFile], list[ConversionGroup]]:
    """What becomes of each file where the groups of a program are converted that are safe, each of them as a
    whole or not at all; and these groups. Nothing is written. The `engine` that made the `plan` may have kept
    what it found. Raises what `scan` raises."""
    chosen = [group for group in plan.groups if group.is_safe]
    found: dict[str, ConvertedFile] = {}
    again = files
    while True:
        parts = plan.spans(chosen)
        converted = convert_files(again, settings, language, False, progress, None, parts, engine)
        failed = {path for path, file in found.items() if file.problem is not None}
        found |= {file.path: file for file in converted if file.path not in failed}
        left: set[tuple[str, int | None]] = set()
        for file in found.values():
            places = (None,) if file.problem is not None else file.left
            left.update((_absolute(file.path), place) for place in places)
        broken = [group for group in chosen if _is_broken(plan, group, left)]
        if not broken:
            return list(found.values()), chosen
        chosen = [group for group in chosen if group not in broken]
        paths = {key.path for group in broken for key in group.units}
        again = Discovery([file for file in files.files if _absolute(file) in paths], [])


def _is_broken(
    plan: ConversionPlan,
    group: ConversionGroup,
    left: Collection[tuple[str, int | None]] | Collection[tuple[str, int]],
) -> bool:
    """Whether something in a group could not be converted."""
    spans = plan.spans([group])
    return any(path in spans and (offset is None or is_within(spans[path], offset)) for path, offset in left)


def _absolute(path: str | Path) -> str:
    return str(Path(path).absolute())


def write_file(file: ConvertedFile, destination: InPlace | IntoFolder, language: Language) -> WrittenFile:
    """Write a file where it belongs, as it is if it was not converted."""
    try:
        destination.write(file)
    except NotWrittenError as error:
        return WrittenFile(file, error.render(language), is_unwritten=True)
    except TextError as error:
        return WrittenFile(file, file.problem or error.render(language))
    if file.problem is not None and isinstance(destination, IntoFolder):
        return WrittenFile(file, _COPIED_AS_IT_IS.render(language, problem=file.problem))
    return WrittenFile(file, file.problem)


def helper_files(
    files: Sequence[ConvertedFile], places: HelpersPlaces, language: Language
) -> list[ConvertedFile]:
    """The modules with the helpers that converted files take, as files that are to be written beside them.
    What such a module has already stays in it, as it is."""
    taking = [(Path(file.path), file.helpers) for file in files if file.rewritten is not None]
    helpers = Catalog.load().helpers
    found = []
    for path, names in helper_modules(taking, places).items():
        before = path.read_bytes() if path.is_file() else b""
        try:
            merged = helpers.merged(before.decode("utf-8"), names, language) if before else None
        except (SyntaxError, ValueError):
            problem = _NOT_READ.render(language)
            found.append(ConvertedFile(_shown(path), problem=problem, is_helpers=True))
            continue
        after = (merged.text if merged is not None else helpers.module(names, language)).encode()
        rewritten = Rewritten(before, after, after) if after != before else None
        kept = merged.kept if merged is not None else ()
        found.append(ConvertedFile(_shown(path), rewritten=rewritten, is_helpers=True, kept=kept))
    return found


def helper_modules(
    files: Iterable[tuple[Path, Collection[str]]], places: HelpersPlaces
) -> dict[Path, set[str]]:
    """The modules that helpers belong into, with the helpers that files take."""
    found: dict[Path, set[str]] = {}
    for path, names in files:
        if names:
            module = places.place(path).folder / f"{HELPERS_MODULE}.py"
            found.setdefault(module, set()).update(names)
    return dict(sorted(found.items()))


def _shown(path: Path) -> str:
    """A path as the user sees it: relative to the folder that the command runs in, if it is in there."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def convert_request(
    request: Request, language: Language, unsafe: bool, progress: Progress
) -> Entries[Converted]:
    """What becomes of each document and file of a request; nothing is changed. Takes long: what is edited has
    another thread. Raises TextError when nothing can be looked at."""
    takers = Takers(exclude=request.folders[0].settings.exclude)
    for document in request.open_files.values():
        if document.text is not None:
            takers.changed(document.path, document.text)
    if unsafe:
        entries = analyse_request(request, DocumentConverter(language, takers, unsafe), progress)
    else:
        entries = _convert_groups_of(request, language, takers, progress)
    named = {uri: replace(converted, uri=uri) for uri, converted in entries.by_uri.items()}
    return replace(entries, by_uri=named)


def _convert_groups_of(
    request: Request, language: Language, takers: Takers, progress: Progress
) -> Entries[Converted]:
    """What becomes of each document and file where the safe groups are converted, each as a whole or not at
    all."""
    reporter = FileUnitReporter(request.folders[0].settings.ported_to)
    units = analyse_request(request, reporter, progress).by_uri.values()
    plan = plan_of([one for one in units if one is not None], takers)
    chosen = [group for group in plan.groups if group.is_safe]
    while True:
        progress.number = 0
        converter = DocumentConverter(language, takers, parts=plan.spans(chosen))
        entries = analyse_request(request, converter, progress)
        left = {place for one in entries.by_uri.values() for place in one.left}
        broken = [group for group in chosen if _is_broken(plan, group, left)]
        if not broken or progress.stop.is_set():
            return entries
        chosen = [group for group in chosen if group not in broken]
