"""Syntax trees: line ends, problems, threads."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from mindport.source.lines import LineIndex, tree_edit
from mindport.source.syntax import SyntaxProblem, parse, reparse, syntax_problems
from source_texts import PROGRAM


def test_sound_text_has_no_problems() -> None:
    for ending in ("\n", "\r\n", "\r"):
        tree = parse(PROGRAM.replace("\n", ending).encode())
        assert syntax_problems(tree.root_node, 10) == []


def test_a_lone_carriage_return_ends_a_line() -> None:
    tree = parse(b"x = 1 # a\ry = 2\r\nz = 3\r")
    assert [(node.start_byte, node.start_point.row) for node in tree.root_node.named_children] == [
        (0, 0),
        (6, 0),
        (10, 1),
        (17, 2),
    ]


def test_offsets_are_bytes_and_rows_are_those_of_the_line_index() -> None:
    data = 'a = "😀"\r\x0cb = "\u2028"\r\nc = 好\n'.encode()
    lines = LineIndex(data)
    statements = parse(data).root_node.named_children
    assert [data[node.start_byte : node.end_byte].decode() for node in statements] == [
        'a = "😀"',
        'b = "\u2028"',
        "c = 好",
    ]
    for node in statements:
        assert node.start_point.row == lines.line_of(node.start_byte)


def test_problems_name_the_place() -> None:
    assert syntax_problems(parse(b"x = 1\ny = $$\nz = 2\n").root_node, 10) == [SyntaxProblem(10, 12, None)]
    data = b"class A:\n    def f(self)\n        return 1\n"
    (problem,) = syntax_problems(parse(data).root_node, 10)
    assert problem.missing is None
    assert data[problem.start : problem.end].strip() == b"def f(self)"


def test_a_missing_token_is_named() -> None:
    assert syntax_problems(parse(b"def f(:\n  pass\nx=1\n").root_node, 10) == [SyntaxProblem(6, 6, ")")]


def test_problems_are_limited_and_in_order() -> None:
    data = b"x = $$\n" * 50
    assert len(syntax_problems(parse(data).root_node, 3)) == 3
    starts = [problem.start for problem in syntax_problems(parse(data).root_node, 1000)]
    assert len(starts) > 10
    assert starts == sorted(starts)


def test_the_tree_another_snapshot_holds_is_left_as_it_is() -> None:
    before = LineIndex(PROGRAM.encode())
    old = parse(before.data)
    seen = str(old.root_node), old.root_node.end_byte, old.root_node.children[-1].start_point
    after = before.after_edit(10, 20, b"x\ny\r")
    reparse(after.data, old, [tree_edit(before, after, 10, 20)])
    assert (str(old.root_node), old.root_node.end_byte, old.root_node.children[-1].start_point) == seen


@pytest.mark.parametrize("text", ["", "\0", "\ufeffx = 1\n", "(" * 3000, "\r", "\\", "if x:\n" * 50])
def test_any_text_has_a_tree(text: str) -> None:
    data = text.encode()
    assert parse(data).root_node.end_byte <= len(data)
    syntax_problems(parse(data).root_node, 5)


def test_threads_parse_at_the_same_time() -> None:
    texts = [PROGRAM.replace("Block", f"Block{number}").encode() for number in range(40)]
    expected = [str(parse(text).root_node) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: str(parse(text).root_node), texts)) == expected


def test_the_parser_is_loaded_only_when_used() -> None:
    code = "import sys, mindport.source.document; sys.exit('tree_sitter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
