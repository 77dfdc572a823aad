"""Python files on disk: bytes to UTF-8 text, and back to the same bytes.

The encoding is found as Python finds it: a byte order mark, else the cookie of PEP 263, else UTF-8.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from mindport.language import Text
from mindport.source.error import TextError

MODULE = ".py"
NOTEBOOK = ".ipynb"
PACKAGE_FILE = "__init__.py"
"""The name of the file that makes a folder a package."""


def is_notebook(path: str | Path) -> bool:
    """Whether a path is that of a notebook."""
    return str(path).endswith(NOTEBOOK)


MAX_SOURCE_BYTES = 8 * 1024 * 1024
"""Larger files are refused: no hand-written Python file is so large, and looking at one takes about ninety
times as much memory."""
MAX_OPEN_BYTES = 3 * 1024 * 1024
"""Larger documents are not looked at in an editor, where that is done after every keystroke."""

_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#|$)")
_FIRST_TWO_LINES = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|$)([^\r\n]*)")
_EDITOR_SUFFIX = re.compile(r"(utf-8|latin-1|iso-8859-1|iso-latin-1)-.*")
_WIDE_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)

_WIDE = Text(
    "The file is encoded in {encoding}, which Python cannot read. Save it as UTF-8.",
    "文件编码为 {encoding}，Python 无法读取。请将其另存为 UTF-8。",
)
_NOT_TEXT = Text(
    "The file is not text: it has a NUL byte at offset {offset} (line {line}).",
    "文件不是文本：偏移 {offset} 处（第 {line} 行）有 NUL 字节。",
)
_UNKNOWN_COOKIE = Text(
    "Line {line} declares the encoding {encoding!r}, which is not a text encoding Python supports.",
    "第 {line} 行声明的编码 {encoding!r} 不是 Python 支持的文本编码。",
)
_COOKIE_AGAINST_MARK = Text(
    "Line {line} declares the encoding {encoding!r}, but the file begins with a UTF-8 byte order mark. "
    "Remove one of the two.",
    "第 {line} 行声明的编码为 {encoding!r}，但文件以 UTF-8 字节序标记（BOM）开头。请删除其中之一。",
)
_COOKIE_NOT_READABLE = Text(
    "Line {line} declares the encoding {encoding!r}, but the file is not in that encoding: decoded so, "
    "the declaration itself is unreadable.",
    "第 {line} 行声明的编码为 {encoding!r}，但文件并非该编码：按此解码后，声明本身无法识别。",
)
_INVALID_BYTES = Text(
    "The byte at offset {offset} (line {line}) is not valid {encoding}. Save the file as UTF-8, or declare "
    "its encoding in the first line, for example: # -*- coding: gbk -*-",
    "偏移 {offset} 处（第 {line} 行）的字节不是有效的 {encoding} 编码。请将文件另存为 UTF-8，"
    "或在首行声明其编码，例如：# -*- coding: gbk -*-",
)
_NOT_ENCODABLE = Text(
    "Line {line} has the character {character!r}, which the file's encoding {encoding} cannot "
    "represent. Convert the file to UTF-8 first.",
    "第 {line} 行的字符 {character!r} 无法用文件编码 {encoding} 表示。请先将文件转换为 UTF-8。",
)
_NOT_EXACT = Text(
    "The file cannot be written back in {encoding} without changing bytes elsewhere in it. "
    "Convert it to UTF-8 first.",
    "以 {encoding} 写回文件会改动其他位置的字节。请先将文件转换为 UTF-8。",
)
_MISSING = Text("No such file or folder: {path}", "文件或文件夹不存在：{path}")
_DIRECTORY = Text("Not a file but a folder: {path}", "路径是文件夹而不是文件：{path}")
_NOT_REGULAR = Text("Not a regular file: {path}", "不是普通文件：{path}")
_NO_PERMISSION = Text("No permission to read: {path}", "没有读取权限：{path}")
_NOT_READ = Text("Cannot read {path}: {reason}", "无法读取 {path}：{reason}")
_TOO_LARGE = Text(
    "The file is too large: {path} has {size} bytes; the limit is {limit} bytes.",
    "文件过大：{path} 有 {size} 字节，上限为 {limit} 字节。",
)


class SourceError(TextError):
    """A file that cannot be read as Python text, or not be written back. `line` counts from 1; None when
    the whole file is meant."""

    def __init__(self, text: Text, *, line: int | None = None, **values: object) -> None:
        super().__init__(text, **values) if line is None else super().__init__(text, line=line, **values)
        self.line = line


class DecodedSource(NamedTuple):
    """The text of a file and what is needed to write it back."""

    text_utf8: bytes
    """The text in UTF-8, without byte order mark, line ends as in the file."""
    encoding: str
    """The name of Python's codec for the bytes on disk."""
    bom: bool
    """Whether the file begins with a UTF-8 byte order mark."""
    exact: bool = True
    """Whether encoding the text gives the same bytes again. In a few, one text has several spellings."""


def decode(data: bytes) -> DecodedSource:
    """The text of the bytes of a Python file.

    Raises SourceError when they are not text, declare an encoding that is unknown or contradicts a byte
    order mark, or are not valid in their encoding.
    """
    for mark, encoding in _WIDE_BYTE_ORDER_MARKS:
        if data.startswith(mark):
            raise SourceError(_WIDE, encoding=encoding)
    nul = data.find(b"\0")
    if nul >= 0:
        raise SourceError(_NOT_TEXT, offset=nul, line=_line_after(data[:nul]))
    bom = data.startswith(codecs.BOM_UTF8)
    content = data[len(codecs.BOM_UTF8) :] if bom else data
    declared = _declared_encoding(content)
    if declared is None or declared.codec == "utf-8":
        if not content.isascii():
            _decode_as(data, "utf-8")
        return DecodedSource(content, "utf-8", bom)
    if bom:
        raise SourceError(_COOKIE_AGAINST_MARK, encoding=declared.name, line=declared.line)
    return _decode_declared(data, declared)


def encode(text_utf8: bytes, source: DecodedSource) -> bytes:
    """The bytes to write for a text, in the encoding in which `source` was read.

    For the text of `source` itself these are the bytes it was read from. Raises SourceError when the
    encoding has no bytes for a character, or when untouched parts of the file would change.
    """
    if source.encoding == "utf-8":
        return codecs.BOM_UTF8 + text_utf8 if source.bom else text_utf8
    if not source.exact:
        raise SourceError(_NOT_EXACT, encoding=source.encoding)
    text = text_utf8.decode()
    try:
        return text.encode(source.encoding)
    except UnicodeEncodeError as error:
        line = _line_after(text[: error.start].encode())
        character = text[error.start]
        raise SourceError(_NOT_ENCODABLE, character=character, encoding=source.encoding, line=line) from error


def read_source(path: Path) -> DecodedSource:
    """The text of the Python file at `path`.

    Raises SourceError when it cannot be read (missing, a directory, not a regular file, no permission,
    larger than `MAX_SOURCE_BYTES`) and for what `decode` refuses.
    """
    return decode(read_bytes(path, MAX_SOURCE_BYTES))


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a file of at most `limit` bytes. Raises SourceError when it cannot be read."""
    try:
        # Asked before opening: opening a pipe would wait for its writer.
        _check_regular(path, path.stat())
        with path.open("rb") as file:
            data = file.read(limit + 1)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # a NUL character in the path
        raise SourceError(_MISSING, path=path) from error
    if len(data) > limit:
        raise SourceError(_TOO_LARGE, path=path, size=max(size, len(data)), limit=limit)
    return data


def _check_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise SourceError(_DIRECTORY, path=path)
    if not stat.S_ISREG(status.st_mode):
        raise SourceError(_NOT_REGULAR, path=path)


def unreadable(path: Path, error: OSError) -> SourceError:
    """What to tell the user about an operating system's error when `path` was read."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return SourceError(_MISSING, path=path)
    if isinstance(error, IsADirectoryError):
        return SourceError(_DIRECTORY, path=path)
    if isinstance(error, PermissionError):
        return SourceError(_NO_PERMISSION, path=path)
    return SourceError(_NOT_READ, path=path, reason=error.strerror or str(error))


class _Declared(NamedTuple):
    name: str
    """As the file spells it."""
    codec: str
    line: int


def _declared_encoding(content: bytes) -> _Declared | None:
    """The encoding that a cookie in the first two lines declares. Raises SourceError if it is unknown."""
    for line, text in enumerate(_first_lines(content), start=1):
        cookie = _COOKIE.match(text)
        if cookie:
            name = cookie[1].decode(errors="replace")
            return _Declared(name, _codec(name, line), line)
        if not _BLANK_OR_COMMENT.match(text):
            return None
    return None


def _first_lines(content: bytes) -> tuple[bytes, ...]:
    lines = _FIRST_TWO_LINES.match(content)
    return lines.groups() if lines else ()


def _codec(name: str, line: int) -> str:
    plain = name.lower().replace("_", "-")
    suffixed = _EDITOR_SUFFIX.fullmatch(plain)  # Emacs writes the line ends too: utf-8-unix
    if suffixed:
        plain = suffixed[1]
    try:
        b" ".decode(plain)  # refuses codecs that are not for text, such as hex
        return codecs.lookup(plain).name
    except ValueError:
        return codecs.lookup(plain).name  # an encoding, though not of this byte: decoding will tell
    except LookupError as error:
        raise SourceError(_UNKNOWN_COOKIE, encoding=name, line=line) from error


def _decode_declared(data: bytes, declared: _Declared) -> DecodedSource:
    text = _decode_as(data, declared.codec)
    text_utf8 = text.encode(errors="replace")
    again = _COOKIE.match(_first_lines(text_utf8)[declared.line - 1])
    if again is None or again[1].decode(errors="replace") != declared.name:
        raise SourceError(_COOKIE_NOT_READABLE, encoding=declared.name, line=declared.line)
    try:
        exact = text_utf8.decode().encode(declared.codec) == data
    except UnicodeError:
        exact = False
    return DecodedSource(text_utf8, declared.codec, False, exact)


def _decode_as(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except ValueError as error:
        offset = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = _line_after(data[:offset])
        raise SourceError(_INVALID_BYTES, offset=offset, encoding=codec.upper(), line=line) from error


def _line_after(before: bytes) -> int:
    """The line, from 1, of the byte that comes after the bytes `before`."""
    return len((before + b".").splitlines())
