"""The whole way on a real file: findings where they belong, hover, a fix applied, the finding gone.

The file is torchvision's `models/resnet.py`, as it is and with things in it that move positions.
"""

from __future__ import annotations

import ast
import re

import pytest
from corpus import CorpusError, torchvision_file
from editor import Editor, capabilities
from lsprotocol import types

CALL = "    return nn.Conv2d(\n        in_planes,"
VARIANTS = {
    "as it is": lambda text: text,
    "Chinese and emoji": lambda text: text.replace(
        CALL, '    名字 = "卷积😀é"; return nn.Conv2d(\n        in_planes,'
    ),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "lone CR": lambda text: text.replace("\n", "\r"),
    "form feed": lambda text: text.replace(CALL, "    # \f page\n\f\n" + CALL).replace(
        '"""3x3', '"""\x0b\x1c\x85\u2028 3x3'
    ),
    "all of it": lambda text: text.replace(
        CALL, '    # 😀\f\u2028页\n    名字 = "卷积😀é\u2029"; return nn.Conv2d(\n        in_planes,'
    ).replace("\n", "\r\n"),
}


@pytest.fixture(scope="session")
def resnet() -> str:
    """The text of the file."""
    try:
        text = torchvision_file("models/resnet.py").read_bytes().decode()
    except CorpusError as error:
        pytest.skip(f"needs torchvision's source: {error}")
    assert CALL in text
    return text


def assert_ranges_are_expressions(editor, uri, diagnostics):
    """Every range is exactly that of an expression, as Python's own parser has it."""
    text = editor.texts[uri]
    lines = re.split(r"\r\n|\r|\n", text)
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    spans = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.expr, ast.keyword)):
            places = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
            spans.add(
                tuple(
                    starts[line - 1] + len(lines[line - 1].encode()[:column].decode())
                    for line, column in places
                )
            )
    for diagnostic in diagnostics:
        assert editor.offsets(uri, diagnostic.range) in spans, diagnostic


@pytest.fixture(scope="module")
def boxes():
    try:
        return torchvision_file("ops/boxes.py").read_bytes().decode()
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind), ids=lambda kind: kind.value)
async def test_from_finding_to_fix(start, resnet, tmp_path, variant, encoding):
    abilities = capabilities(general=types.GeneralClientCapabilities(position_encodings=[encoding]))
    editor: Editor = await start(abilities=abilities)
    assert editor.capabilities.position_encoding == encoding
    uri = (tmp_path / "resnet.py").as_uri()
    editor.open(uri, VARIANTS[variant](resnet))

    found = await editor.diagnostics(uri)
    assert len(found) > 30
    assert_ranges_are_expressions(editor, uri, found)
    for diagnostic in found:
        assert diagnostic.source == "mindport"
        assert diagnostic.code_description.href.endswith(f"/docs/rules/{diagnostic.code}.md")

    place = editor.range_of(uri, "nn.Conv2d(").start
    at_place = [diagnostic for diagnostic in found if diagnostic.range.start == place]
    assert [diagnostic.code for diagnostic in at_place] == ["MP101"]
    assert editor.covered(uri, at_place[0].range) == "nn.Conv2d"

    hover = await editor.hover(uri, place)
    assert hover is not None and hover.range == at_place[0].range
    assert hover.contents.kind == types.MarkupKind.Markdown
    assert "torch.nn.Conv2d" in hover.contents.value and "mindspore." in hover.contents.value

    offered = await editor.actions(uri, at_place[0].range, ["quickfix"])
    fixes = [each for each in offered if each.data and each.diagnostics]
    assert [each.is_preferred for each in fixes] == [
        None
    ]  # its classes stay torch's, unless all is converted
    assert fixes[0].edit is None and list(fixes[0].diagnostics) == at_place
    editor.apply((await editor.resolved(fixes[0])).edit)
    assert "mint.nn.Conv2d(" in editor.texts[uri]

    left = await editor.diagnostics(uri)
    assert len(left) >= len(found) - 1  # by now it is known what calls give, and with it more is found
    new_place = editor.range_of(uri, "mint.nn.Conv2d(").start
    assert new_place not in [diagnostic.range.start for diagnostic in left]
    assert_ranges_are_expressions(editor, uri, left)


async def test_a_file_of_models_has_no_safe_fix(editor, resnet, tmp_path):
    """Layers of MindSpore in a class that is still a torch.nn.Module run in neither framework."""
    uri = (tmp_path / "resnet.py").as_uri()
    editor.open(uri, resnet)
    found = await editor.diagnostics(uri)
    assert {each.data["fix"] for each in found} == {"review", "none"}
    assert await editor.actions(uri, found[0].range, ["source.fixAll.mindport"]) in (None, [])


async def test_all_safe_fixes_leave_no_safe_finding(editor, boxes, tmp_path):
    uri = (tmp_path / "boxes.py").as_uri()
    editor.open(uri, boxes)
    before = await editor.diagnostics(uri)
    safe = [each for each in before if each.data["fix"] == "safe"]
    assert len(safe) > 20
    [action] = await editor.actions(uri, safe[0].range, ["source.fixAll.mindport"])
    assert action.kind == "source.fixAll.mindport"
    editor.apply((await editor.resolved(action)).edit)
    after = await editor.diagnostics(uri)
    assert [each for each in after if each.data["fix"] == "safe"] == []
    assert len(after) <= len(before) - len(safe)
    compile(editor.texts[uri], "boxes.py", "exec")
