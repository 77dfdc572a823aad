"""Branches of which nothing is left: `if args.cuda: model.cuda()` goes as a whole where the call goes;
and before that what became `x, y = x, y`."""

from __future__ import annotations

import re
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
_TELLS: Final = re.compile(rb"(?:\w+\.)*is_\w+\(\)")
"""A call that does nothing but tell, if it is one of torch: `torch.cuda.is_available()`."""
_TELLS_OF_TEXT: Final = re.compile(rb"[\w.]+\.(?:starts|ends)with\((?:'\w*'|\"\w*\")\)")
"""The same of a text: `device.startswith('cuda')`."""


def without_empty_branches(document: Document, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, those that leave nothing but `pass` in all branches of an `if` replaced by one that takes
    the whole statement away. What only was there for PyTorch's devices goes without a trace that way."""
    made = list(edits)
    for whole in list(_assignments_to_itself(document, made)):
        made = [one for one in made if not (whole.start <= one.start and one.end <= whole.end)] + [whole]
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
            whole = statement.parent if statement.type == "else_clause" else statement
            if whole is not None:
                yield _removal(document, edits, whole, base)


def _assignments_to_itself(document: Document, edits: Sequence[Edit]) -> Iterator[Edit]:
    """What takes the place of statements that assign names to themselves, once the edits are made."""
    seen: set[int] = set()
    for edit in edits:
        place = document.piece_at(edit.start) if not edit.new_text and edit.start < edit.end else None
        if place is None:
            continue
        base, piece = place
        node = piece.root.descendant_for_byte_range(edit.start - base, edit.end - base)
        while node is not None and node.type not in ("assignment", "block", "module"):
            node = node.parent
        statement = node.parent if node is not None and node.type == "assignment" else None
        if node is None or statement is None or base + node.start_byte in seen:
            continue
        seen.add(base + node.start_byte)
        if statement.type == "expression_statement" and _is_to_itself(document, edits, node, base):
            yield _removal(document, edits, statement, base)


def _is_to_itself(document: Document, edits: Sequence[Edit], assignment: Node, base: int) -> bool:
    """Whether names are assigned to themselves, of which the edits leave nothing else."""
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    names = [] if left is None else left.named_children or [left]
    if left is None or right is None or not all(name.type == "identifier" for name in names):
        return False
    start, end = base + right.start_byte, base + right.end_byte
    kept, place = b"", start
    for one in sorted(edits, key=lambda one: one.start):
        if one.end <= start or one.start >= end:
            continue
        if one.start < place or one.end > end:
            return False
        kept, place = kept + document.data[place : one.start] + one.new_text.encode(), one.end
    kept += document.data[place:end]
    return kept == document.data[base + left.start_byte : base + left.end_byte]


def _is_empty(document: Document, edits: Sequence[Edit], block: Node, statement: Node, base: int) -> bool:
    """Whether nothing is left of the branches of an `if` statement, this block being one, and its condition
    does nothing."""
    if statement.type == "else_clause" and statement.parent is not None:
        statement = statement.parent
    if statement.type != "if_statement":
        return False
    start, end = base + statement.start_byte, base + statement.end_byte
    condition = statement.child_by_field_name("condition")
    branches = _branches(statement)
    if condition is None or not branches or b"#" in document.data[start:end]:
        return False
    return _is_quiet(document, edits, condition, base) and all(
        _is_gone(child, edits, base) for branch in branches for child in branch.named_children
    )


def _branches(statement: Node) -> list[Node]:
    """The blocks of an `if` statement with at most an `else`; none of another."""
    others = statement.children_by_field_name("alternative")
    if any(other.type != "else_clause" for other in others):
        return []
    found = [statement.child_by_field_name("consequence")]
    found += [other.child_by_field_name("body") for other in others]
    return [block for block in found if block is not None]


def _is_gone(statement: Node, edits: Sequence[Edit], base: int) -> bool:
    start, end = base + statement.start_byte, base + statement.end_byte
    return any(
        one.start <= start and end <= one.end and one.new_text in ("", _PASS) and one.start < one.end
        for one in edits
    )


def _is_quiet(document: Document, edits: Sequence[Edit], node: Node, base: int) -> bool:
    """Whether an expression does nothing but look, be it that the edits change how."""
    start, end = base + node.start_byte, base + node.end_byte
    if node.type == "call":
        is_api = any(one.start == start and one.end == end for one in edits)
        tells = _TELLS if is_api else _TELLS_OF_TEXT
        return tells.fullmatch(document.data[start:end]) is not None
    if any(start <= one.start and one.end <= end for one in edits) and not node.named_children:
        return False
    return node.type in _QUIET and all(
        _is_quiet(document, edits, child, base) for child in node.named_children
    )


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
