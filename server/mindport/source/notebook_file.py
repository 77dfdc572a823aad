"""Notebook files (`.ipynb`, nbformat 4): the texts of their code cells, and writing changed ones back.

Only the `source` of a changed cell is written anew, in the form it had; every other byte stays.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindport.language import Text
from mindport.source.decode import SourceError, read_bytes
from mindport.source.document import as_utf8
from mindport.source.json_places import JsonPlace, items, members, outermost, value
from mindport.source.lines import LineIndex
from mindport.source.notebook_document import CellText, NotebookDocument

MAX_NOTEBOOK_BYTES = 256 * 1024 * 1024
"""Larger files are refused. Outputs make notebooks much larger than code."""
_FORMAT = 4
_PYTHON = ("python", "ipython")

_NOT_UTF8 = Text(
    "The notebook is not valid UTF-8 at byte {offset}.", "笔记本在第 {offset} 字节处不是有效的 UTF-8。"
)
_NOT_JSON = Text(
    "The notebook is not valid JSON: {reason} (line {line}, column {column}). Open it in Jupyter or an "
    "editor and save it again, or restore it.",
    "笔记本不是有效的 JSON：{reason}（第 {line} 行，第 {column} 列）。"
    "请在 Jupyter 或编辑器中重新保存，或恢复该文件。",
)
_TOO_DEEP = Text("The notebook is not valid: its JSON is nested too deeply.", "笔记本无效：JSON 嵌套过深。")
_NOT_A_NOTEBOOK = Text("The file is JSON, but not a notebook: {what}.", "文件是 JSON，但不是笔记本：{what}。")
_NO_OBJECT = Text("it is not an object", "不是对象")
_NO_FORMAT = Text("`nbformat` is missing or not a number", "`nbformat` 缺失或不是数字")
_NO_CELLS = Text("`cells` is missing or not a list", "`cells` 缺失或不是列表")
_BAD_CELL = Text(
    "cell {number} has no `cell_type`, or its `source` is not text",
    "单元格 {number} 缺少 `cell_type`，或其 `source` 不是文本",
)
_OTHER_FORMAT = Text(
    "The notebook has format {found}; MindPort reads format 4. Convert it first, for example with "
    "`jupyter nbconvert --to notebook --nbformat 4`.",
    "笔记本格式为 {found}，MindPort 只读取格式 4。请先转换，例如使用 `jupyter nbconvert --to notebook "
    "--nbformat 4`。",
)
_NOT_WRITABLE = Text(
    "Cell {number} has half of a surrogate pair, which cannot be written back. Remove it first.",
    "单元格 {number} 含有不成对的代理字符，无法写回。请先将其删除。",
)


def read_notebook(path: Path) -> NotebookFile:
    """The notebook at `path`. Raises SourceError when it cannot be read or is no notebook of format 4."""
    return NotebookFile.of(read_bytes(path, MAX_NOTEBOOK_BYTES))


@dataclass(frozen=True)
class _Source:
    """The `source` of a code cell: its text, and where in the file it is written."""

    number: int
    text: str
    place: JsonPlace


@dataclass(frozen=True)
class NotebookFile:
    """A notebook as it is written. A notebook of another language than Python has no cells here."""

    text: str
    sources: tuple[_Source, ...]
    has_mark: bool
    """Whether the file begins with a byte order mark."""

    @classmethod
    def of(cls, data: bytes) -> NotebookFile:
        """From the bytes of a file. Raises SourceError when they are no notebook of format 4."""
        has_mark = data.startswith(codecs.BOM_UTF8)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SourceError(_NOT_UTF8, offset=error.start) from error
        try:
            content = json.loads(text)
        except json.JSONDecodeError as error:
            values = {"reason": error.msg, "column": error.colno}
            raise SourceError(_NOT_JSON, line=error.lineno, **values) from error
        except RecursionError as error:
            raise SourceError(_TOO_DEEP) from error
        _check(content)
        return cls(text, tuple(_sources(text)) if _is_python(content) else (), has_mark)

    def cells(self) -> list[CellText]:
        """The code cells."""
        return [CellText(source.number, LineIndex(as_utf8(source.text))) for source in self.sources]

    def document(self, uri: str) -> NotebookDocument:
        """The code cells as one document."""
        return NotebookDocument.join(uri, self.cells())

    def with_cells(self, changed: Mapping[int, str]) -> bytes:
        """The bytes of the file with these texts in the cells of these numbers; all else is as it was.

        Raises SourceError for a cell that cannot be written back.
        """
        parts: list[str] = []
        end = 0
        for place, written in self.replacements(changed):
            parts += [self.text[end : place.start], written]
            end = place.end
        data = "".join([*parts, self.text[end:]]).encode()
        return codecs.BOM_UTF8 + data if self.has_mark else data

    def replacements(self, changed: Mapping[int, str]) -> Iterator[tuple[JsonPlace, str]]:
        """What is written anew so that the cells of these numbers have these texts: each place in `text`, and
        what stands there then. Raises SourceError for a cell that cannot be written back.
        """
        for source in self.sources:
            new = changed.get(source.number, source.text)
            if new == source.text:
                continue
            if "\ufffd" in new and as_utf8(source.text).decode() != source.text:
                raise SourceError(_NOT_WRITABLE, number=source.number)
            yield source.place, self._written(source, new)

    def _written(self, source: _Source, new: str) -> str:
        """A text as JSON: a string or a list of lines, as it was; lines that stay are as they were."""
        text, place = self.text, source.place
        if text[place.start] != "[":
            return self._quoted(new)
        places = list(items(text, place.start))
        known = {value(text, item): text[item.start : item.end] for item in places}
        lines = [known.get(line) or self._quoted(line) for line in new.splitlines(keepends=True)]
        if not places:
            return f"[{', '.join(lines)}]"
        if not lines:
            return "[]"
        before, after = text[place.start : places[0].start], text[places[-1].end : place.end]
        between = text[places[0].end : places[1].start] if len(places) > 1 else "," + (before[1:] or " ")
        return before + between.join(lines) + after

    def _quoted(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.text.isascii() and _ESCAPED.search(self.text) is not None)


_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")


def _check(content: Any) -> None:
    if not isinstance(content, dict):
        raise SourceError(_NOT_A_NOTEBOOK, what=_NO_OBJECT)
    number = content.get("nbformat")
    if not isinstance(number, int):
        raise SourceError(_NOT_A_NOTEBOOK, what=_NO_FORMAT)
    if number != _FORMAT:
        raise SourceError(_OTHER_FORMAT, found=number)
    if not isinstance(content.get("cells"), list):
        raise SourceError(_NOT_A_NOTEBOOK, what=_NO_CELLS)


def _is_python(content: dict[str, Any]) -> bool:
    """Whether the cells are Python: so the notebook says, or it does not say."""
    metadata = content.get("metadata")
    for section, name in (("language_info", "name"), ("kernelspec", "language")):
        told = metadata.get(section) if isinstance(metadata, dict) else None
        language = told.get(name) if isinstance(told, dict) else None
        if isinstance(language, str):
            return language.lower() in _PYTHON
    return True


def _sources(text: str) -> list[_Source]:
    """The code cells. Raises SourceError."""
    cells = dict(members(text, outermost(text)))["cells"]
    found = []
    for number, cell in enumerate(items(text, cells.start), start=1):
        places = dict(members(text, cell.start)) if text[cell.start] == "{" else {}
        kind = value(text, places["cell_type"]) if "cell_type" in places else None
        source = value(text, places["source"]) if "source" in places else None
        lines = [source] if isinstance(source, str) else source
        if kind is None or not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            what = Text(_BAD_CELL.render("en", number=number), _BAD_CELL.render("zh-cn", number=number))
            raise SourceError(_NOT_A_NOTEBOOK, what=what)
        if kind == "code":
            found.append(_Source(number, "".join(lines), places["source"]))
    return found
