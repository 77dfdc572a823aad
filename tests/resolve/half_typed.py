"""Half-typed lines put into sound code, and the share of the findings elsewhere that stay."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.infer.evaluator import Evaluator
from mindport.infer.project_graph import ProjectGraph
from mindport.source.document import Change, Document
from mindport.uses.analysis import analyse

INSERTS = (
    *("if a", "if a:", "elif", "else", "else:", "for half in", "while True", "while True:", "with open("),
    *("try", "try:", "except", "finally", "match x", "case", "def f(", "async def f", "class A(", "class"),
    *("@", "@torch.", "lambda", "import", "from torch import", "from", "return (", "yield", "raise", "del"),
    *(
        "assert",
        "global",
        "half = foo(",
        "half = [",
        "half = {",
        "half =",
        "x.",
        "x(",
        "x[",
        ")",
        "]",
        "a b c",
        "$",
    ),
    *(
        'f"{',
        '"',
        "'",
        '"""',
        "'''",
        'half = """',
        "print(torch.cat([x, ",
        "half = torch.cat([x",
        "torch.nn.Linear(3,",
    ),
    *(
        "half = y if",
        "not",
        "half +=",
        "half: ",
        "{'a':",
        "?",
        "half = foo(a, b))",
        "if x.foo(a:",
        "self.half = (",
    ),
)
"""What is on a line before the rest of it is typed."""
_STRINGS = ('"""', "'''")


class Finding(NamedTuple):
    """A use, as it is told from others: where it starts in the sound text, and which it is."""

    start: int
    kind: str
    api: str


class Kept(NamedTuple):
    """How many of the findings outside of the broken statement stay."""

    kept: int
    all: int

    @property
    def share(self) -> float:
        """1 where there was nothing to lose."""
        return self.kept / self.all if self.all else 1.0


class Typing:
    """A sound text, and what is found in it while a line is typed somewhere."""

    def __init__(self, source: str) -> None:
        self.sound = Document.open("/typed.py", source)
        self.graph = ProjectGraph(Catalog.load(), [])
        self.evaluator = Evaluator(self.graph, Catalog.load())
        self.lines = source.split("\n")
        self.findings = self._found(self.sound)

    def _found(self, document: Document) -> list[Finding]:
        module = self.graph.set_document("/typed.py", "typed", document)
        uses = analyse(self.evaluator, module).uses()
        return [Finding(shift + use.start, use.kind, use.api) for shift, use in uses]

    def statements(self) -> list[int]:
        """The lines, from 0, that statements start at."""
        found: set[int] = set()
        for node in ast.walk(ast.parse("\n".join(self.lines))):
            if isinstance(node, ast.stmt):
                decorators = getattr(node, "decorator_list", [])
                found.add(min([node.lineno, *(one.lineno for one in decorators)]) - 1)
        starts = self.sound.lines
        return [line for line in sorted(found) if self.indentation(line).strip() == "" and starts.line_count]

    def indentation(self, line: int) -> str:
        """The white space that a line starts with."""
        text = self.lines[line]
        return text[: len(text) - len(text.lstrip())]

    def after(self, line: int, insert: str) -> Document:
        """The document with a half-typed line before another, indented as that is."""
        return self.sound.apply(
            [Change((line, 0), (line, 0), f"{self.indentation(line)}{insert}\n")], None, "utf-16"
        )

    def kept(self, line: int, insert: str) -> Kept:
        """Which findings stay when a half-typed line is put before a line."""
        document = self.after(line, insert)
        length = len(document.data) - len(self.sound.data)
        start = self.sound.lines.line_start(line)
        now = {
            found._replace(start=found.start - length)
            for found in self._found(document)
            if found.start >= start
        }
        before = {found for found in self._found(document) if found.start < start}
        end = self.sound.lines.line_start(self._end(line, insert))
        outside = [found for found in self.findings if not start <= found.start < end]
        kept = [found for found in outside if found in (before if found.start < start else now)]
        return Kept(len(kept), len(outside))

    def swallows(self, line: int, insert: str) -> bool:
        """Whether too much is in the broken statement then: imports, which all else rests on, or most of the
        text."""
        lines = self.lines[line : self._end(line, insert)]
        return len(lines) > len(self.lines) / 4 or any("import " in text for text in lines)

    def _end(self, line: int, insert: str) -> int:
        """The line behind the broken statement: a string of several lines is ended by an empty line, or by one
        that is indented less."""
        if not any(quotes in insert for quotes in _STRINGS):
            return line
        indentation = len(self.indentation(line))
        for number in range(line, len(self.lines)):
            text = self.lines[number]
            if not text.strip() or len(self.indentation(number)) < indentation:
                return number
        return len(self.lines) - 1


def whole(results: Iterable[Kept]) -> Kept:
    """Several results as one."""
    listed = list(results)
    return Kept(sum(one.kept for one in listed), sum(one.all for one in listed))
