"""Branches of which nothing is left: `if args.cuda: model.cuda()` goes as a whole where the call goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mindport.rewrite.edit import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document

_PASS: Final = "pass"
_QUIET: Final = frozenset(
    {
        "attribute",
        "boolean_operator",
        "comparison_operator",
        "identifier",
        "not_operator",
        "parenthesized_expression",
        "integer",
        "string",
        "string_start",
        "string_content",
        "string_end",
        "true",
        "false",
        "none",
    }
)
"""What a condition may consist of that does nothing but look."""


def without_empty_branches(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, those that leave nothing but `pass` in an `if` without `else` replaced by one that takes the
    whole statement away. What only was there for PyTorch's devices goes without a trace that way."""
    made = list(edits)
    tried: set[Edit] = set()
    while found := next(_emptied(document, made, tried), None):
        start, end = found.start, found.end
        made = [one for one in made if not (start <= one.start and one.end <= end)] + [found]
    return made


def _emptied(document: Document, edits: Sequence[Edit], tried: set[Edit]) -> Iterator[Edit]:
    for edit in edits:
        if edit.new_text != _PASS or edit.start == edit.end or edit in tried:
            continue
        tried.add(edit)
        place = document.piece_at(edit.start)
        if place is None:
            continue
        base, piece = place
        block = piece.root.descendant_for_byte_range(edit.start - base, edit.end - base)
        while block is not None and block.type != "block":
            block = block.parent
        statement = block.parent if block is not None else None
        if block is not None and statement is not None and _is_empty(document, edits, block, statement, base):
            yield _removal(document, edits, statement, base)


def _is_empty(document: Document, edits: Sequence[Edit], block: Node, statement: Node, base: int) -> bool:
    """Whether an `if` statement has this block alone, of which nothing is left, and its condition does
    nothing and stays."""
    if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
        return False
    start, end = base + statement.start_byte, base + statement.end_byte
    condition = statement.child_by_field_name("condition")
    if condition is None or b"#" in document.data[start:end] or not _is_quiet(condition):
        return False
    inside = [one for one in edits if start <= one.start and one.end <= end]
    is_touched = any(one.new_text not in ("", _PASS) or one.start == one.end for one in inside)
    head = base + block.start_byte
    if is_touched or any(one.start < head and one.end <= base + condition.end_byte for one in inside):
        return False
    return all(_is_gone(child, edits, base) for child in block.named_children)


def _is_gone(statement: Node, edits: Sequence[Edit], base: int) -> bool:
    start, end = base + statement.start_byte, base + statement.end_byte
    return any(
        one.start <= start and end <= one.end and one.new_text in ("", _PASS) and one.start < one.end
        for one in edits
    )


def _is_quiet(node: Node) -> bool:
    return node.type in _QUIET and all(_is_quiet(child) for child in node.named_children)


def _removal(document: Document, edits: Sequence[Edit], statement: Node, base: int) -> Edit:
    """The statement's lines; `pass` where the block around it would be left empty, or something shares its
    lines."""
    start, end = base + statement.start_byte, base + statement.end_byte
    lines, data = document.lines, document.data
    line_start, last = lines.line_start(lines.line_of(start)), lines.line_of(end)
    is_alone = not data[line_start:start].strip() and not data[end : lines.line_end(last)].strip()
    around = statement.parent
    others = [child for child in around.named_children if child != statement] if around is not None else []
    is_needed = around is not None and around.type == "block"
    is_needed &= all(child.type == "comment" or _is_gone(child, edits, base) for child in others)
    if is_needed or not is_alone:
        return Edit(start, end, _PASS)
    return Edit(line_start, lines.line_start(last + 1) if last + 1 < lines.line_count else len(data), "")
