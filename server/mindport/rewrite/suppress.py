"""Writing the comments that silence findings: `# mindport: ignore[MP201]` at the end of a line."""

from __future__ import annotations

from mindport.assess.file_findings import COMMENT
from mindport.rewrite.edit import Edit
from mindport.source.document import Document


def ignore_edit(document: Document, offset: int, code: str) -> Edit | None:
    """The edit that silences `code` on the line that holds the byte `offset`.

    An ignore comment that is there gets the code too; other comments stay as they are. None where the line
    cannot take a comment (it ends inside a string or with a backslash) or silences the code already.
    """
    line = document.lines.line_of(offset)
    end = document.lines.line_end(line)
    comment_start = _comment_start(document, end)
    if comment_start is None:
        if _is_inside_string(document, end) or document.data[:end].endswith(b"\\"):
            return None
        return _appended(document, end, code)
    found = COMMENT.search(document.data, comment_start, end)
    if found is None:
        return _appended(document, end, code)
    if found[1] != b"ignore" or found[2] is None:
        return None  # silences everything
    listed = [part.strip() for part in found[2].decode().split(",") if part.strip()]
    if code in listed:
        return None
    return Edit(found.start(2), found.end(2), ", ".join([*listed, code]))


def _appended(document: Document, end: int, code: str) -> Edit:
    start = end
    while start > 0 and document.data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    return Edit(start, end, f"  # mindport: ignore[{code}]")


def _comment_start(document: Document, end: int) -> int | None:
    """Where the comment that reaches the line's `end` starts; None if there is none."""
    if end == 0:
        return None
    node = document.tree.root_node.descendant_for_byte_range(end - 1, end)
    return node.start_byte if node is not None and node.type == "comment" else None


def _is_inside_string(document: Document, offset: int) -> bool:
    node = document.tree.root_node.descendant_for_byte_range(offset, offset)
    while node is not None:
        if node.type == "string" and node.start_byte < offset < node.end_byte:
            return True
        node = node.parent
    return False
