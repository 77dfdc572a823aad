"""Reading `External Tools.xml`, and adding and removing tools without touching a byte of the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.parsers import expat

from mindport.language import Language, Text
from mindport.pycharm.external_tools import Tool, tool_lines
from mindport.source.error import TextError

_NOT_XML = Text("it is not well-formed XML ({reason})", "其 XML 格式不正确（{reason}）")
_NOT_TOOLS = Text("its root element is not toolSet", "其根元素不是 toolSet")
_NOT_UTF8 = Text("it is not UTF-8", "其编码不是 UTF-8")
_TOOL_END = re.compile(rb"</tool\s*>")
_EMPTY_END = re.compile(rb"\s*/>\Z")
_SPACE_BEFORE = re.compile(rb"\s*\Z")
_DEFAULT_INDENTATION = b"  "


class UnusableFileError(TextError):
    """The file is not what the IDE writes; the message says what is wrong with it."""


class PlacedTool(NamedTuple):
    """A tool and the bytes of its element."""

    tool: Tool
    start: int
    end: int


class ToolsFile(NamedTuple):
    """A file as it was read: its tools, and the bytes of its outermost element's first tag."""

    data: bytes
    tools: tuple[PlacedTool, ...]
    head_end: int
    is_empty_tag: bool

    def with_tools(self, added: Sequence[Tool], language: Language) -> bytes:
        """The file with tools added after the last one."""
        newline = b"\r\n" if b"\r\n" in self.data else b"\n"
        indentation = self._indentation()
        block = b"".join(
            newline + indentation + line.encode() for tool in added for line in tool_lines(tool, language)
        )
        if self.is_empty_tag:
            head = _EMPTY_END.sub(b">", self.data[: self.head_end])
            return head + block + newline + b"</toolSet>" + self.data[self.head_end :]
        place = self.tools[-1].end if self.tools else self.head_end
        rest = self.data[place:]
        if not self.tools and rest.startswith(b"</"):
            block += newline
        return self.data[:place] + block + rest

    def without(self, removed: Iterable[Tool]) -> bytes:
        """The file without these tools and the space before each."""
        data, names = self.data, set(removed)
        for placed in reversed(self.tools):
            if placed.tool in names:
                space = _SPACE_BEFORE.search(data, 0, placed.start)
                start = placed.start if space is None else space.start()
                data = data[:start] + data[placed.end :]
        return data

    def _indentation(self) -> bytes:
        """The space before the last tool on its line."""
        if not self.tools:
            return _DEFAULT_INDENTATION
        start = self.tools[-1].start
        before = self.data[
            max(self.data.rfind(b"\n", 0, start), self.data.rfind(b"\r", 0, start)) + 1 : start
        ]
        return before if not before.strip() else _DEFAULT_INDENTATION


def read_tools(data: bytes) -> ToolsFile:
    """The tools of a file. Raises UnusableFileError for a file that the IDE would not have written."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnusableFileError(_NOT_UTF8) from error
    reader = _Reader(data)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnusableFileError(_NOT_XML, reason=error) from error
    head_end = data.index(b">", reader.content_from) + 1
    return ToolsFile(data, tuple(reader.tools), head_end, data[:head_end].endswith(b"/>"))


class _Reader:
    """Collects the tools while the file is parsed. Offsets are those of the parser, in bytes."""

    def __init__(self, data: bytes) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.XmlDeclHandler = self._declaration
        self.tools: list[PlacedTool] = []
        self.content_from = 0
        self._data = data
        self._path: list[str] = []
        self._start_of_tool = 0
        self._name = ""
        self._options: dict[str, str] = {}

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "us-ascii"):
            raise UnusableFileError(_NOT_UTF8)

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._path.append(element)
        match self._path:
            case ["toolSet"]:
                self.content_from = self.parser.CurrentByteIndex + _tag_length(
                    self._data[self.parser.CurrentByteIndex :]
                )
            case [_]:
                raise UnusableFileError(_NOT_TOOLS)
            case ["toolSet", "tool"]:
                self._start_of_tool = self.parser.CurrentByteIndex
                self._name, self._options = attributes.get("name", ""), {}
            case ["toolSet", "tool", "exec", "option"]:
                self._options[attributes.get("name", "")] = attributes.get("value", "")

    def _end(self, _element: str) -> None:
        if self._path == ["toolSet", "tool"]:
            index = self.parser.CurrentByteIndex
            closing = _TOOL_END.match(self._data, index)  # none, where the tag closes itself
            options = [self._options.get(name, "") for name in ("COMMAND", "PARAMETERS", "WORKING_DIRECTORY")]
            end = index if closing is None else closing.end()
            self.tools.append(PlacedTool(Tool(self._name, *options), self._start_of_tool, end))
        self._path.pop()


def _tag_length(rest: bytes) -> int:
    """How many bytes before the `>` of the tag that `rest` begins with: a `>` in quotes does not end it."""
    quote = b""
    for place in range(len(rest)):
        byte = rest[place : place + 1]
        if quote:
            quote = b"" if byte == quote else quote
        elif byte in (b'"', b"'"):
            quote = byte
        elif byte == b">":
            return place
    return len(rest)
