"""What becomes of one document by a conversion: the texts that people see of it, and their edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.app.convert_file import REFUSED, WholeTree, check_parses
from mindport.report.words import CELL
from mindport.rewrite.conversion import convert, convert_whole
from mindport.rewrite.edit import Edit, applied, cell_edits
from mindport.source.document import Document, as_utf8
from mindport.source.error import TextError
from mindport.source.lines import LineIndex
from mindport.source.notebook_document import CellText, NotebookDocument

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.project.takers import Takers
    from mindport.rewrite.conversion import Conversion, Outcome
    from mindport.rewrite.whole import Spans
    from mindport.source.notebook_file import NotebookFile

Texts = Mapping[int | None, bytes]
"""Texts in UTF-8: of a notebook its cells of code by their numbers, of any other document one, by None."""


@dataclass(frozen=True)
class Converted:
    """What becomes of a document: the edits of its texts, sorted, with offsets in these; or why it cannot be
    converted. Where nothing changes, there are no texts either."""

    uri: str
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    texts: Texts = field(default_factory=dict)
    edits: Mapping[int | None, Sequence[Edit]] = field(default_factory=dict)
    problem: str | None = None
    helpers: frozenset[str] = frozenset()
    """The helpers that it takes then."""
    left: frozenset[tuple[str, int]] = frozenset()
    """Where findings are that were to be changed, and could not be: the path, and the byte they start at."""

    @property
    def changes(self) -> bool:
        """Whether anything changes."""
        return bool(self.edits)

    @property
    def is_notebook(self) -> bool:
        """Whether the texts are cells."""
        return bool(self.texts) and None not in self.texts

    def before(self, language: Language) -> str:
        """The text as people compare it: of a notebook its code as one script."""
        return _shown(self.texts, language)

    def after(self, language: Language) -> str:
        """The same, converted."""
        return _shown(self.texts_after(), language)

    def texts_after(self) -> Texts:
        """The texts with their edits made."""
        return {part: applied(text, self.edits.get(part, ())) for part, text in self.texts.items()}

    def is_of(self, now: Texts) -> bool:
        """Whether it is still right: the texts that change are as they were, and so are the others that there
        still are."""
        kept = {part: text for part, text in self.texts.items() if part in now or part in self.edits}
        return all(now.get(part) == text for part, text in kept.items())

    def edits_of_file(self, notebook: NotebookFile) -> list[Edit]:
        """The edits of a notebook's JSON, with offsets in its bytes in UTF-8."""
        after = {number: text.decode() for number, text in self.texts_after().items() if number is not None}
        edits: list[Edit] = []
        characters = offset = 0
        for place, written in notebook.replacements(after):
            offset += len(as_utf8(notebook.text[characters : place.start]))
            end = offset + len(as_utf8(notebook.text[place.start : place.end]))
            edits.append(Edit(offset, end, written))
            characters, offset = place.end, end
        return edits


def _shown(texts: Texts, language: Language) -> str:
    if None in texts:
        return texts[None].decode()
    cells = [(CELL.render(language, number=number), text.decode()) for number, text in texts.items()]
    return "\n".join(f"# %% {name}\n{text.rstrip()}\n" for name, text in cells)


@dataclass(frozen=True)
class DocumentConverter:
    """Converts what is found in documents; with `unsafe`, also what has to be reviewed. It makes entries of a
    scan, for files on disk. `takers` are the files that may take names from those."""

    language: Language
    takers: Takers = field(compare=False)
    unsafe: bool = False
    whole: WholeTree | None = field(default=None, compare=False)
    """Converts everything, as parts of this program."""
    parts: Mapping[str, Spans] | None = field(default=None, compare=False)
    """Converts these parts of files alone, by their paths."""

    def document(self, uri: str, path: str, found: FileFindings) -> Converted:
        """From what was found in a document, or in a notebook's cells."""
        refusal = found.document.refusal
        if refusal is not None:
            return self._failed(uri, refusal)
        conversion = self._conversion(path, found)
        outcomes = Counter(conversion.outcomes)
        left = frozenset((path, start) for start in conversion.left)
        if conversion.is_refused:
            return self._failed(uri, TextError(REFUSED))
        if not conversion.edits:
            return Converted(uri, outcomes, left=left)
        before = found.document
        texts: Texts = {part.number: part.lines.data for part in before.parts}
        edits, helpers = _by_part(before, conversion.edits), conversion.helpers
        converted = Converted(uri, outcomes, texts, edits, helpers=helpers, left=left)
        try:
            check_parses(before, _document(converted))
        except TextError as error:
            return self._failed(uri, error)
        return converted

    def _conversion(self, path: str, found: FileFindings) -> Conversion:
        is_taken = self.takers.of(path)
        parts = None if self.parts is None else self.parts.get(path, ())
        if self.whole is None:
            return convert(found, self.unsafe, is_taken, parts)
        whole = self.whole.file(Path(path), self.language, parts)
        whole = whole._replace(texts_of_takers=partial(self.takers.texts_of_takers, path))
        return convert_whole(found, whole, is_taken)

    def file(self, path: str, found: FileFindings) -> Converted:
        """From what was found at a path: of a file, or of an open document without one."""
        return self.document(_uri_of(path), path, found)

    def unreadable(self, path: str, error: TextError) -> Converted:
        """From the reason why a path could not be looked at."""
        return self._failed(_uri_of(path), error)

    def _failed(self, uri: str, error: TextError) -> Converted:
        return Converted(uri, problem=error.render(self.language))


def _uri_of(path: str) -> str:
    file = Path(path)
    return file.as_uri() if file.is_absolute() else path


def _by_part(document: Document, edits: Sequence[Edit]) -> Mapping[int | None, Sequence[Edit]]:
    if not isinstance(document, NotebookDocument):
        return {None: edits}
    return {number: tuple(of_cell) for number, of_cell in cell_edits(document, edits).items()}


def _document(converted: Converted) -> Document:
    """The document of the texts, converted."""
    texts = converted.texts_after()
    if None in texts:
        return Document.open(converted.uri, texts[None])
    cells = [CellText(number, LineIndex(text)) for number, text in texts.items() if number is not None]
    return NotebookDocument.join(converted.uri, cells)
