"""The conversion of one file: from what was found in it to the bytes that are to be written.

`FileConverter` makes entries of a scan (see `mindport.scan.scan`), so that whole trees are converted by the
same engines that scan them. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.app.helpers_place import HelpersPlaces
from mindport.catalog.catalog import Catalog
from mindport.catalog.helper_table import HELPERS_MODULE
from mindport.language import Language, Text
from mindport.project.takers import Takers
from mindport.rewrite.continuation_lines import with_aligned_lines
from mindport.rewrite.conversion import CHANGED, Conversion, Outcome, convert, convert_whole
from mindport.rewrite.edit import Edit, applied, edited_notebook
from mindport.rewrite.line_breaks import with_line_breaks
from mindport.rewrite.whole import ProgramTraits, WholeFile, WholeProgram
from mindport.source.decode import (
    MAX_SOURCE_BYTES,
    PACKAGE_FILE,
    SourceError,
    decode,
    encode,
    is_notebook,
    read_bytes,
)
from mindport.source.document import Document
from mindport.source.error import TextError
from mindport.source.notebook_file import MAX_NOTEBOOK_BYTES, NotebookFile

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.target import Target
    from mindport.rewrite.whole import ProgramTraits, Spans

_HAS_CHANGED = Text(
    "Not converted: the file changed during the analysis. Convert it again.",
    "未转换：文件在分析过程中发生了变化。请重新转换。",
)
REFUSED = Text(
    "Not converted, because that would lose a name that the file reads. Convert it by hand.",
    "未转换：转换后会丢失文件中读取的名称，请手动转换。",
)
_WOULD_NOT_PARSE = Text(
    "Not converted: the result would not parse, which is a bug in MindPort. Please report it.",
    "未转换：转换结果无法解析，这是 MindPort 的缺陷，请报告此问题。",
)


class WholeTree(NamedTuple):
    """What is converted as one program: what it is ported to, the folder around all its files, the top-level
    names of its modules, and what something in it does."""

    target: Target
    base: Path
    own: frozenset[str]
    places: HelpersPlaces
    traits: ProgramTraits = ProgramTraits()

    @classmethod
    def of(cls, target: Target, base: Path, files: Iterable[Path] = ()) -> WholeTree:
        """The program in a folder, which may be a package itself, or within one; `files` are those of it that
        are converted, as far as they are known."""
        own = {path.stem for path in base.iterdir() if path.is_dir() or path.suffix == ".py"}
        packages = [each for each in (base, *base.parents) if (each / PACKAGE_FILE).is_file()]
        names = frozenset(own.union(each.name for each in packages))
        traits = _traits(files)._replace(packages=_packages_of_libraries(base))
        return cls(target, base, names, HelpersPlaces.of(base), traits)

    def file(self, path: Path, language: Language, parts: Spans | None = None) -> WholeFile:
        """A file of the program, or `parts` of it."""
        program = WholeProgram(Catalog.load(), self.target, self.traits)
        module = _module_name(path, self.base)
        return WholeFile(program, self.places.place(path).package, self.own, language, parts, module=module)


def _module_name(path: Path, base: Path) -> str:
    """The dotted name of the module that a file below a folder is; empty for one that is elsewhere."""
    path = path.absolute()
    return ".".join(path.relative_to(base).with_suffix("").parts) if path.is_relative_to(base) else ""


def _packages_of_libraries(base: Path) -> frozenset[str]:
    """The packages in a folder that have the names of libraries built on torch."""
    names = Catalog.load().libraries.built_on_torch
    return frozenset(name for name in names if (base / name / PACKAGE_FILE).is_file())


def _traits(files: Iterable[Path]) -> ProgramTraits:
    """What the files of a program do, as far as their words tell."""
    found = ProgramTraits()
    for path in files:
        try:
            found = found.with_file(path.read_bytes())
        except OSError:
            continue
    return found


class Rewritten(NamedTuple):
    """The text of a file before and after, as it is shown, and the bytes to write."""

    before: bytes
    after: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """What became of a file. Plain data: workers send it.

    `path` is as the user gave it, `rewritten` None where nothing changes; `problem` says, in the user's
    language, why a file could not be converted.
    """

    path: str
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    rewritten: Rewritten | None = None
    problem: str | None = None
    helpers: frozenset[str] = frozenset()
    """The helpers that it takes then."""
    is_helpers: bool = False
    """Whether it is the module of such helpers, which may not be there yet."""
    left: tuple[int, ...] = ()
    """Where (in bytes) findings start that were to be changed, and could not be."""
    kept: tuple[str, ...] = ()
    """Of such a module, the helpers that somebody has changed: they stay."""

    @property
    def changes(self) -> int:
        """How many findings are changed."""
        return sum(self.outcomes.get(outcome, 0) for outcome in CHANGED)


@dataclass(frozen=True)
class FileConverter:
    """Converts what is found in files; with `unsafe`, also what has to be reviewed. `takers` are the files
    that may take names from those."""

    language: Language
    unsafe: bool = False
    takers: Takers = field(default_factory=Takers, compare=False)
    whole: WholeTree | None = None
    """Converts everything, as parts of this program."""
    parts: Mapping[str, Spans] | None = field(default=None, compare=False)
    """Converts these parts of files alone, by the absolute paths of the files."""

    def file(self, path: str, found: FileFindings) -> ConvertedFile:
        """The conversion of a file on disk. Raises SourceError when it cannot be read again."""
        refusal = found.document.refusal
        if refusal is not None:
            return ConvertedFile(path, problem=refusal.render(self.language))
        if Path(path).stem == HELPERS_MODULE:
            return ConvertedFile(path, is_helpers=True)
        conversion = self._converted(Path(path), found)
        if conversion.is_refused:
            return ConvertedFile(path, problem=REFUSED.render(self.language))
        if not conversion.edits:
            return ConvertedFile(path, conversion.outcomes, left=conversion.left)
        try:
            rewritten = rewrite(Path(path), found.document, conversion.edits)
        except TextError as error:
            return ConvertedFile(path, problem=error.render(self.language))
        helpers, left = conversion.helpers, conversion.left
        return ConvertedFile(path, conversion.outcomes, rewritten, helpers=helpers, left=left)

    def _converted(self, path: Path, found: FileFindings) -> Conversion:
        is_taken = self.takers.of(found.document.uri)
        parts = None if self.parts is None else self.parts.get(found.document.uri, ())
        if self.whole is None:
            return convert(found, self.unsafe, is_taken, parts)
        whole = self.whole.file(path, self.language, parts)
        whole = whole._replace(texts_of_takers=partial(self.takers.texts_of_takers, found.document.uri))
        return convert_whole(found, whole, is_taken)

    def unreadable(self, path: str, error: TextError) -> ConvertedFile:
        """A file that could not be looked at."""
        return ConvertedFile(path, problem=error.render(self.language))


def rewrite(path: Path, document: Document, edits: tuple[Edit, ...]) -> Rewritten:
    """The text of a file with edits made, in the encoding of the file.

    Raises SourceError when the file cannot be read, is another than that of `document`, cannot hold the new
    text in its encoding, or would not parse any more.
    """
    made = _rewritten_notebook if is_notebook(path) else _rewritten_module
    return made(path, document, edits)


def _rewritten_module(path: Path, document: Document, edits: tuple[Edit, ...]) -> Rewritten:
    source = decode(read_bytes(path, MAX_SOURCE_BYTES))
    if source.text_utf8 != document.data:
        raise SourceError(_HAS_CHANGED)
    aligned = with_aligned_lines(document.data, edits)
    after = with_line_breaks(document.data, applied(document.data, aligned))
    check_parses(document, Document.open(document.uri, after))
    return Rewritten(source.text_utf8, after, encode(after, source))


def _rewritten_notebook(path: Path, document: Document, edits: tuple[Edit, ...]) -> Rewritten:
    data = read_bytes(path, MAX_NOTEBOOK_BYTES)
    notebook = NotebookFile.of(data)
    again = notebook.document(document.uri)
    if again.data != document.data:
        raise SourceError(_HAS_CHANGED)
    content = edited_notebook(notebook, again, edits)
    check_parses(document, NotebookFile.of(content).document(document.uri))
    return Rewritten(_without_mark(data), _without_mark(content), content)


def check_parses(before: Document, after: Document) -> None:
    """Raises SourceError if a converted document does not parse though the one before does."""
    if before.is_sound and not after.is_sound:
        raise SourceError(_WOULD_NOT_PARSE)


def _without_mark(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf")
