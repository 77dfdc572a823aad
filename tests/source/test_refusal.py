"""Texts that are not parsed: too large, or no code. Code is never refused, however it is broken by typing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from findings import found_in
from mindport.report.problem import syntax_problems
from mindport.source.document import Change, Document
from mindport.source.refusal import SMALL_BYTES, refusal

MEGABYTE = 1024 * 1024
RANDOM = {
    "brackets": "()[]{}",
    "brackets in lines": "()[]{}\n",
    "printable characters in lines": "".join(map(chr, range(32, 127))) + "\n\n\n",
    "open brackets": "([{",
}


def text_of(characters: str, size: int = MEGABYTE) -> str:
    return "".join(random.Random(1).choices(characters, k=size))


def code(size: int) -> str:
    """Ordinary code, brackets and docstrings in it."""
    one = Path(refusal.__code__.co_filename).parent / "decode.py"
    text = one.read_text(encoding="utf-8")
    return text * (size // len(text) + 1)


@pytest.mark.parametrize("characters", RANDOM)
def test_a_large_text_that_is_no_code_is_not_parsed_and_that_is_all_that_is_said(characters: str) -> None:
    text = text_of(RANDOM[characters])
    _, found = found_in(text)
    assert found.document.pieces == ()
    assert found.document.tree.root_node.end_byte == 0
    assert found.findings == ()
    [english] = syntax_problems(found, "en")
    [chinese] = syntax_problems(found, "zh-cn")
    assert english.message.startswith(f"Not analyzed: this text ({len(text)} bytes) is not Python code")
    assert "不是 Python 代码" in chinese.message
    assert (english.line, english.column) == (1, 1)


def test_a_small_text_is_parsed_whatever_it_is() -> None:
    document = Document.open("a.py", text_of(RANDOM["brackets"], 10_000))
    assert document.refusal is None
    assert len(document.pieces) > 0


BROKEN = [
    "foo(\n",
    '"""\n',
    "'''\n",
    "x = [\n",
    "def f(\n",
    '"',
    "}\n",
    ")))]]}\n",
    "if a\n",
    'f"{\n',
    "# (\n",
]


@pytest.mark.parametrize("typed", BROKEN)
@pytest.mark.parametrize("where", [0.0, 0.3, 0.9])
def test_code_is_parsed_whatever_is_typed_in_it(typed: str, where: float) -> None:
    text = code(4 * SMALL_BYTES)
    place = text.index("\n", int(where * len(text))) + 1
    assert refusal((text[:place] + typed + text[place:]).encode(), None) is None


def test_brackets_in_strings_and_comments_do_not_count() -> None:
    lines = [f'x = "{"])}" * 20}"  # {")" * 50}\n', f'y = """{")}]" * 30}\n"""\n', f"z = '{')' * 50}'\n"]
    text = "".join(lines) * (SMALL_BYTES // 50)
    assert refusal(text.encode(), None) is None


def test_a_document_is_looked_at_again_when_it_becomes_code_and_no_longer_when_it_becomes_none() -> None:
    document = Document.open("a.py", "import torch\n", 1)
    assert document.refusal is None
    garbage = text_of(RANDOM["brackets in lines"]) + "\n"
    filled = document.apply([Change((1, 0), (1, 0), garbage)], 2, "utf-16")
    assert filled.refusal is not None
    assert filled.apply([Change((1, 0), (1, 0), "x")], 3, "utf-16").refusal is not None
    emptied = filled.apply([Change((1, 0), (filled.lines.line_count - 1, 0), "")], 4, "utf-16")
    assert emptied.refusal is None
    assert emptied.tree.root_node.end_byte == len("import torch\n")
    replaced = document.apply([Change(None, None, garbage)], 5, "utf-16")
    assert replaced.refusal is not None


def test_a_limit_holds_for_the_document_and_for_what_edits_make_of_it() -> None:
    document = Document.open("a.py", "x = 1\n" * 100, 1, limit=1000)
    assert document.refusal is None
    longer = document.apply([Change((0, 0), (0, 0), "y = 2\n" * 100)], 2, "utf-16")
    assert str(longer.refusal).startswith("Not analyzed: this text has 1200 bytes; the limit")
    assert longer.pieces == ()
    assert longer.apply([Change((0, 0), (100, 0), "")], 3, "utf-16").refusal is None
    assert document.without(0, 6).refusal is None
