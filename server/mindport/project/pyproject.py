"""The table `[tool.mindport]` of a pyproject.toml, whatever the file is like."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from mindport.language import Text
from mindport.source.decode import SourceError, read_bytes, unreadable
from mindport.source.error import TextError

NAME: Final = "pyproject.toml"
MAX_BYTES: Final = 1024 * 1024
"""Larger files are refused: nobody writes so many settings, and reading them would keep everybody waiting."""
MAX_DEPTH: Final = 50
"""Lists, tables and keys of more levels than this are refused: the parser fails at a few times as many, and
takes minutes for a key of many thousands of parts."""

_BAD_TOML = Text(
    "{path} is not valid TOML; its settings are ignored: {reason}",
    "{path} 不是有效的 TOML，其中的设置已忽略：{reason}",
)
_NOT_READ = Text("The settings of {path} are ignored. {reason}", "{path} 中的设置已忽略。{reason}")
_TOO_DEEP = Text(
    "The settings of {path} are ignored: line {line} has more than {limit} nested brackets or key parts.",
    "{path} 中的设置已忽略：第 {line} 行的括号嵌套层数或键的段数超过 {limit}。",
)
_TOOL_NOT_A_TABLE = Text(
    "The settings of {path} are ignored: `tool` must be a table that contains [tool.mindport].",
    "{path} 中的设置已忽略：`tool` 应为表，设置写在 [tool.mindport] 中。",
)
_NOT_STRUCTURE = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|'
    r"'''.*?(?:'''|\Z)|"
    r'"(?:\\.|[^"\\\n])*"?|'
    r"'[^'\n]*'?|"
    r"#[^\n]*",
    re.DOTALL,
)
"""Strings and comments: what is in them is no structure. Strings need no end, so that none is read twice."""
_BRACKET = re.compile(r"[\[{\]}]")
_DOTTED = re.compile(r"[\w.\t -]+")


def read_table(path: Path) -> object:
    """What the file has as `tool.mindport`; None where it has nothing, or is not there.

    Raises TextError, which names the file, when it cannot be read.
    """
    if not os.path.lexists(path):
        return None
    if sys.version_info >= (3, 11):  # imported where there is a file: a server that starts has no time for it
        import tomllib
    else:
        import tomli as tomllib
    text = _text(path)
    _check_depth(path, text)
    try:
        tool = tomllib.loads(text).get("tool")
    except ValueError as error:  # it says where
        raise TextError(_BAD_TOML, path=path, reason=error) from error
    except (RecursionError, MemoryError) as error:  # nested in a way that was not seen above
        raise TextError(_BAD_TOML, path=path, reason=type(error).__name__) from error
    if tool is None:
        return None
    if not isinstance(tool, dict):
        raise TextError(_TOOL_NOT_A_TABLE, path=path)
    return tool.get("mindport")


def _text(path: Path) -> str:
    try:
        return read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    except SourceError as error:
        raise _not_read(path, error) from error
    except OSError as error:
        raise _not_read(path, unreadable(path, error)) from error
    except ValueError as error:  # not UTF-8
        raise TextError(_BAD_TOML, path=path, reason=error) from error


def _not_read(path: Path, error: SourceError) -> TextError:
    return TextError(_NOT_READ, path=path, reason=Text(error.render("en"), error.render("zh-cn")))


def _check_depth(path: Path, text: str) -> None:
    """Raises TextError where brackets are nested, or a key is divided, beyond `MAX_DEPTH`."""
    structure = _NOT_STRUCTURE.sub(_without_content, text)
    depth = 0
    for bracket in _BRACKET.finditer(structure):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise _too_deep(path, structure, bracket.start())
    for words in _DOTTED.finditer(structure):
        if words[0].count(".") >= MAX_DEPTH:
            raise _too_deep(path, structure, words.start())


def _without_content(match: re.Match[str]) -> str:
    """In the place of a string one letter, as a part of a key may be a string; all line ends stay."""
    return ("" if match[0].startswith("#") else "s") + "\n" * match[0].count("\n")


def _too_deep(path: Path, text: str, offset: int) -> TextError:
    return TextError(_TOO_DEEP, path=path, line=text.count("\n", 0, offset) + 1, limit=MAX_DEPTH)
