"""What people are told about a conversion: a line for each file, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from mindport.language import COLON, SEMICOLON, Text, joined
from mindport.report import words
from mindport.rewrite.conversion import CHANGED, OUTCOMES, Outcome

if TYPE_CHECKING:
    from mindport.catalog.target import Target
    from mindport.language import Language

_BOLD, _GREEN, _YELLOW, _RED, _BLUE = "1", "32", "33", "31", "34"
_COLOURS: Mapping[Outcome, str] = {
    "proven": _GREEN,
    "bound": _GREEN,
    "unproven": _YELLOW,
    "review": _YELLOW,
    "missing": _RED,
    "unknown_receiver": _BLUE,
}
_SHORT: Mapping[Outcome, Text] = {
    "proven": Text("{number} converted, verified at run time", "{number} 处已转换，已运行验证"),
    "bound": Text("{number} converted, signature checked", "{number} 处已转换，已核对签名"),
    "unproven": Text("{number} converted, need review", "{number} 处已转换，需检查"),
    "review": Text("{number} not converted, need review", "{number} 处未转换，需检查"),
    "missing": Text("{number} without equivalent", "{number} 处无对应接口"),
    "unknown_receiver": Text("{number} of unknown type", "{number} 处类型未知"),
}
_LONG: Mapping[Outcome, Text] = {
    "proven": Text(
        "converted, verified at run time: both frameworks gave equal results",
        "已转换，已运行验证：两个框架均已运行，结果一致",
    ),
    "bound": Text(
        "converted, signature checked: the arguments fit the equivalent, which is documented as the same",
        "已转换，已核对签名：参数与对应接口相符，且文档说明两者一致",
    ),
    "unproven": Text(
        "converted, need review: not verified, check each of them",
        "已转换，需检查：未经验证，请逐一检查",
    ),
    "review": Text(
        "not converted, need review: `mindport scan` shows what differs",
        "未转换，需检查：`mindport scan` 会说明差异",
    ),
    "missing": Text("not converted: no equivalent", "未转换：无对应接口"),
    "unknown_receiver": Text(
        "not converted: unknown type, only the name suggests a torch.Tensor",
        "未转换：类型未知，仅由名称推测为 torch.Tensor",
    ),
}
_RUN = Text(
    "Files: {files}; changed: {changed}; not converted: {problems}; target: MindSpore {version} on {device}",
    "文件：{files}；有修改：{changed}；未转换：{problems}；目标：{device} 上的 MindSpore {version}",
)
_HELPERS = Text("; helper modules: {number}", "；辅助模块：{number}")
_NOT_WRITTEN = Text("; not written: {number}", "；未写入：{number}")


@dataclass
class ConversionTotals:
    """The counts of a run. `problems` are files that could not be converted, `unwritten` those that could
    not be written; modules of helpers that are written are counted apart."""

    files: int = 0
    changed: int = 0
    problems: int = 0
    unwritten: int = 0
    helper_modules: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    @property
    def is_complete(self) -> bool:
        """Whether every file was converted and written."""
        return not (self.problems or self.unwritten)

    @property
    def left(self) -> int:
        """How many findings are left for a person."""
        return sum(number for outcome, number in self.outcomes.items() if outcome not in CHANGED[:2])


@dataclass(frozen=True)
class ConversionText:
    """Makes the texts; with `colour`, for a terminal."""

    target: Target
    language: Language
    colour: bool = False

    def file(self, path: str, outcomes: Mapping[Outcome, int]) -> str:
        """The line of a file; empty, where nothing was found in it."""
        counts = self.counts(outcomes)
        return f"{self._paint(_BOLD, path)}{COLON.render(self.language)}{counts}\n" if counts else ""

    def counts(self, outcomes: Mapping[Outcome, int]) -> str:
        """What became of findings, in one line; empty, where there are none."""
        counts = [
            _SHORT[outcome].render(self.language, number=outcomes[outcome])
            for outcome in OUTCOMES
            if outcomes.get(outcome)
        ]
        return joined(counts, SEMICOLON, self.language)

    def summary(self, totals: ConversionTotals) -> str:
        """What became of all findings."""
        numbers = {"files": totals.files, "changed": totals.changed, "problems": totals.problems}
        target = {"version": self.target.version, "device": words.DEVICES[self.target.device]}
        run = _RUN.render(self.language, **numbers, **target)
        if totals.helper_modules:
            run += _HELPERS.render(self.language, number=totals.helper_modules)
        if totals.unwritten:
            run += _NOT_WRITTEN.render(self.language, number=totals.unwritten)
        lines = [self._paint(_BOLD, run)]
        digits = len(str(max(totals.outcomes.values(), default=0)))
        for outcome in OUTCOMES:
            number = totals.outcomes[outcome]
            if number or outcome != "unproven":
                text = _LONG[outcome].render(self.language)
                lines.append(f"  {self._paint(_COLOURS[outcome], f'{number:>{digits}}')}  {text}")
        return "\n".join(lines) + "\n"

    def _paint(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.colour else text


_CONTEXT = 3
_BOLD, _RED, _GREEN, _CYAN, _PLAIN = "1", "31", "32", "36", ""
_DIFF_COLOURS = {" ": _PLAIN, "-": _RED, "+": _GREEN}
_NO_LINE_END = "\\ No newline at end of file"


def unified_diff(path: str, before: bytes, after: bytes, colour: bool = False) -> str:
    """The diff between two texts (UTF-8) of the file `path`, for `patch -p0` and `git apply -p0`. With
    `colour` it is for a terminal: then what would control the terminal is escaped."""
    if before == after:
        return ""
    lines = [(_BOLD, f"--- {path}\n"), (_BOLD, f"+++ {path}\n"), *_hunks(_lines(before), _lines(after))]
    return "".join(_painted(paint, line) if colour else _ended(line) for paint, line in lines)


def _lines(data: bytes) -> list[str]:
    return [line.decode() for line in data.splitlines(keepends=True)]


def _hunks(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """The lines of all hunks, each with its colour."""
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield _CYAN, f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for kind, start, end, new_start, new_end in group:
            removed = " " if kind == "equal" else "-"
            yield from ((_DIFF_COLOURS[removed], removed + line) for line in before[start:end])
            if kind != "equal":
                yield from ((_GREEN, "+" + line) for line in after[new_start:new_end])


def _range(start: int, end: int) -> str:
    """Lines as the header of a hunk has them: the first, from 1 (of none, the one before), and how many."""
    length = end - start
    return f"{start + 1 if length else start},{length}"


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else f"{line}\n{_NO_LINE_END}\n"


def _painted(colour: str, line: str) -> str:
    text = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in line.rstrip("\r\n"))
    return f"\x1b[{colour}m{text}\x1b[0m\n" if colour else f"{text}\n"
