"""What an error of MindSpore means: causes, remedies, and findings at the lines of the traceback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mindport.catalog.known_errors import errors_in
from mindport.language import Language, Text
from mindport.project.discover import discover
from mindport.scan.pool import Local
from mindport.scan.scan import scan

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.catalog import Catalog
    from mindport.project.setting_table import Settings
    from mindport.source.error import TextError

_FRAME = re.compile(
    r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)|In file (?P<path_2>[^\n]+?):(?P<line_2>\d+)'
)
_INSTALLED = ("site-packages", "dist-packages")
_MOST_FILES = 20
_MARK = re.compile(r"TODO\(mindport\):\s*(.+)")

_CAUSE = Text("**Cause.** {text}", "**原因。** {text}")
_REMEDY = Text("**What to do.** {text}", "**处理方法。** {text}")
_PAGE = Text(
    "`{name}` → {becomes}. More: `mindport explain {name}`.",
    "`{name}` → {becomes}。详情：`mindport explain {name}`。",
)
_AT_THE_LINES = Text("Findings at the traceback's lines", "调用栈中各行的检查结果")
_NOTHING_THERE = Text(
    "No findings at the lines of your code in the traceback.",
    "调用栈涉及的代码行中没有发现问题。",
)
_UNKNOWN = Text(
    "Unknown error. Paste the whole message, from `Traceback` to the last line, or search the MindSpore "
    "forum: https://discuss.mindspore.cn",
    "未知错误。请粘贴从 `Traceback` 到最后一行的完整信息，或在 MindSpore 论坛中搜索："
    "https://discuss.mindspore.cn",
)


class ErrorPage(NamedTuple):
    """What there is to say of an error, in Markdown, and whether it is known."""

    text: str
    is_known: bool


def explain_error(
    text: str, catalog: Catalog, settings: Settings, language: Language, folder: Path | None = None
) -> ErrorPage:
    """What a message or traceback means. Files that it names are looked at, without running anything;
    relative paths are taken from `folder`, else from the current one."""
    known = errors_in(text, catalog.known_errors)
    lines: list[str] = []
    for error in known:
        lines += [f"## `{_one_line(error.shown)}`", ""]
        lines += [_CAUSE.render(language, text=error.cause.render(language)), ""]
        lines += [_REMEDY.render(language, text=error.remedy.render(language)), ""]
        if error.api is not None and catalog.canonical(error.api) is not None:
            lines += [_becomes(catalog, error.api, language), ""]
    if not known:
        lines += [_UNKNOWN.render(language), ""]
    frames = _frames(text, folder or Path.cwd())
    if frames:
        lines += [f"## {_AT_THE_LINES.render(language)}", "", *_at(frames, settings, language)]
    return ErrorPage("\n".join(lines).rstrip() + "\n", bool(known))


def _becomes(catalog: Catalog, name: str, language: Language) -> str:
    """What an API of torch becomes, in one sentence."""
    from mindport.catalog.explain import counterparts_text

    results = [each for each in catalog.search(name, 5) if each.name == catalog.canonical(name)]
    shown = counterparts_text(results[0], language) if results else "–"
    return _PAGE.render(language, name=name, becomes=shown)


def _one_line(shown: str) -> str:
    return " ".join(shown.replace("`", "").split())


def _frames(text: str, folder: Path) -> dict[Path, list[int]]:
    """The lines of the user's own files that a traceback names."""
    frames: dict[Path, list[int]] = {}
    for found in _FRAME.finditer(text):
        path = folder / (found["path"] or found["path_2"])
        if path.suffix != ".py" or any(part in _INSTALLED for part in path.parts) or not path.is_file():
            continue
        if path in frames or len(frames) < _MOST_FILES:
            lines = frames.setdefault(path, [])
            line = int(found["line"] or found["line_2"])
            if line not in lines:
                lines.append(line)
    return frames


def _at(frames: Mapping[Path, Sequence[int]], settings: Settings, language: Language) -> Iterator[str]:
    """What is found at the lines of files, as the items of a list."""
    names = {str(path): lines for path, lines in frames.items()}
    files = discover(frames, settings.exclude)
    is_silent = True
    for entries in scan(files, settings, _AtLines(names, language), engine=Local(1)):
        for path, line, message in entries:
            is_silent = False
            yield f"- {path}:{line}: {message}"
    if is_silent:
        yield _NOTHING_THERE.render(language)


class _AtLines(NamedTuple):
    """Keeps what is found at some lines of files."""

    lines: Mapping[str, Sequence[int]]
    language: Language

    def file(self, path: str, found: FileFindings) -> list[tuple[str, int, str]]:
        """The path, line and text of what is found at the lines of a file, and of what is marked there."""
        document, wanted = found.document, self.lines.get(str(Path(path)), ())
        entries = []
        for placed in found.diagnostics():
            first = document.lines.line_of(placed.start) + 1
            last = document.lines.line_of(placed.end) + 1
            if any(first <= line <= last for line in wanted):
                entries.append((path, first, placed.finding.message(self.language)))
        text = document.data.decode("utf-8", "replace").splitlines()
        for line in wanted:
            marks = (_MARK.search(each) for each in text[max(0, line - 2) : line])
            entries += [(path, line, mark[1]) for mark in marks if mark is not None]
        return entries

    def unreadable(self, path: str, error: TextError) -> list[tuple[str, int, str]]:
        """The reason why a file could not be looked at."""
        return [(path, 1, error.render(self.language))]
