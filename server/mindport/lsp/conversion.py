"""What becomes of one document by a conversion: the texts that people see of it, and their edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.lsp.uris import path_of
from mindport.rewrite.edit import Edit, applied
from mindport.rewrite.notebook_edits import cell_edits
from mindport.source.document import Document
from mindport.source.error import TextError
from mindport.source.lines import LineIndex
from mindport.source.notebook_document import CellText, NotebookDocument

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.language import Language
    from mindport.rewrite.conversion import Outcome

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


def _shown(texts: Texts, language: Language) -> str:
    if None in texts:
        return texts[None].decode()
    from mindport.report.words import CELL

    cells = [(CELL.render(language, number=number), text.decode()) for number, text in texts.items()]
    return "\n".join(f"# %% {name}\n{text.rstrip()}\n" for name, text in cells)


@dataclass(frozen=True)
class EditorConverter:
    """Converts what is found in documents; with `unsafe`, also what has to be reviewed. It makes entries of a
    scan, for files on disk. `is_taken` says, by its path, whether other files may take a name from one."""

    language: Language
    is_taken: Callable[[str, str, bool], bool]
    unsafe: bool = False

    def document(self, uri: str, found: FileFindings) -> Converted:
        """From what was found in a document, or in a notebook's cells."""
        from mindport.app.convert_file import check_parses
        from mindport.rewrite.conversion import convert

        refusal = found.document.refusal
        if refusal is not None:
            return self._failed(uri, refusal)
        conversion = convert(found, self.unsafe, partial(self.is_taken, path_of(uri)))
        outcomes = Counter(conversion.outcomes)
        if not conversion.edits:
            return Converted(uri, outcomes)
        before = found.document
        texts: Texts = {part.number: part.lines.data for part in before.parts}
        converted = Converted(uri, outcomes, texts, _by_part(before, conversion.edits))
        try:
            check_parses(before, _document(converted))
        except TextError as error:
            return self._failed(uri, error)
        return converted

    def file(self, path: str, found: FileFindings) -> Converted:
        """From what was found in a file on disk."""
        return self.document(Path(path).as_uri(), found)

    def unreadable(self, path: str, error: TextError) -> Converted:
        """From the reason why a file could not be looked at."""
        return self._failed(Path(path).as_uri(), error)

    def _failed(self, uri: str, error: TextError) -> Converted:
        return Converted(uri, problem=error.render(self.language))


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
