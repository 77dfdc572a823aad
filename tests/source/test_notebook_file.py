"""Notebook files: reading, what is refused, and writing back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.source.decode import SourceError
from mindport.source.notebook_file import NotebookFile, read_notebook


def notebook(*cells: Any, **fields: Any) -> dict[str, Any]:
    content = [
        cell
        if isinstance(cell, dict)
        else {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell}
        for cell in cells
    ]
    return {"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **fields}


def written(content: dict[str, Any], **options: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False, **options) + "\n").encode()


MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["import torch"]}


def test_cells_are_numbered_among_all() -> None:
    file = NotebookFile.of(written(notebook(MARKDOWN, ["import torch\n", "x = 1"], "y = 2")))
    assert [(cell.number, cell.lines.data) for cell in file.cells()] == [
        (2, b"import torch\nx = 1"),
        (3, b"y = 2"),
    ]


def test_nothing_changed() -> None:
    data = written(notebook(["a\n", "b"], "c"))
    assert NotebookFile.of(data).with_cells({}) == data
    assert NotebookFile.of(data).with_cells({1: "a\nb", 2: "c"}) == data


def test_only_the_source_changes() -> None:
    content = notebook(
        {
            "metadata": {"z": 1, "a": "\u706b"},
            "source": ["import torch\n", "x = torch.cat"],
            "cell_type": "code",
            "outputs": [{"text": ["import torch\n"]}],
            "execution_count": 1.50,
        },
        "import torch",
    )
    data = written(content).replace(b"1.5", b"1.50").removesuffix(b"\n")
    changed = NotebookFile.of(data).with_cells(
        {1: "import torch\nimport mindspore\nx = mint.cat", 2: "import mindspore as ms"}
    )
    assert changed == data.replace(
        b'    "import torch\\n",\n    "x = torch.cat"\n',
        b'    "import torch\\n",\n    "import mindspore\\n",\n    "x = mint.cat"\n',
    ).replace(b'"source": "import torch"', b'"source": "import mindspore as ms"')


@pytest.mark.parametrize("indent", [None, 1, 4, "\t"])
@pytest.mark.parametrize("source", ["a\nb", ["a\n", "b"], ["a"], [], ""])
@pytest.mark.parametrize("new", ["", "c", "c\nd\ne\n", "a\n名字"])
def test_form_is_kept(indent: Any, source: Any, new: str) -> None:
    data = json.dumps(notebook("x", source, ["z"]), indent=indent).encode()
    again = json.loads(NotebookFile.of(data).with_cells({2: new}))
    assert type(again["cells"][1]["source"]) is type(source)
    assert "".join(again["cells"][1]["source"]) == new
    again["cells"][1]["source"] = source
    assert again == json.loads(data)


def test_escapes_stay_as_they_are_written() -> None:
    data = json.dumps(notebook(["名 = 1\n", "torch"]), ensure_ascii=True).encode()
    changed = NotebookFile.of(data).with_cells({1: "名 = 1\n火"})
    assert b'"\\u540d = 1\\n", "\\u706b"' in changed
    assert changed.isascii()


def test_byte_order_mark_stays() -> None:
    data = b"\xef\xbb\xbf" + written(notebook("a"))
    assert NotebookFile.of(data).with_cells({1: "b"}) == data.replace(b'"a"', b'"b"')


def test_other_languages_have_no_cells() -> None:
    for metadata in ({"kernelspec": {"language": "R"}}, {"language_info": {"name": "julia"}}):
        assert NotebookFile.of(written(notebook("a", metadata=metadata))).cells() == []
    assert NotebookFile.of(written(notebook("a", metadata={"language_info": {"name": "python"}}))).cells()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells": [', "not valid JSON: Expecting value (line 1, column 12)"),
        (b"\xff{}", "not valid UTF-8 at byte 0"),
        (b"[]", "it is not an object"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "`nbformat` is missing"),
        (b'{"nbformat": 4}', "`cells` is missing"),
        (b'{"nbformat": 3, "worksheets": []}', "has format 3; MindPort reads format 4. Convert it first"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 1}]}', "cell 1 has no `cell_type`"),
        (b'{"nbformat": 4, "cells": [3]}', "cell 1 has no `cell_type`"),
    ],
)
def test_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.ipynb"
    path.write_bytes(data)
    with pytest.raises(SourceError) as raised:
        read_notebook(path)
    assert message in raised.value.render("en")
    assert raised.value.render("zh-cn") != raised.value.render("en")


def test_half_a_surrogate_pair_is_not_written_back() -> None:
    data = json.dumps(notebook("x = '\ud83d'")).encode()
    file = NotebookFile.of(data)
    assert file.cells()[0].lines.data == "x = '\ufffd'".encode()
    with pytest.raises(SourceError, match="Cell 1"):
        file.with_cells({1: "y = '\ufffd'"})


TEXTS = st.text(st.sampled_from('a\n\r "\\é😀\u2028\x0c'), max_size=12)


@given(st.lists(st.one_of(TEXTS, st.lists(TEXTS, max_size=4)), min_size=1, max_size=4), st.data())
def test_any_text_is_written_back(sources: list[Any], data: st.DataObject) -> None:
    content = notebook(*sources)
    file = NotebookFile.of(written(content))
    changed = data.draw(st.dictionaries(st.integers(1, len(sources)), TEXTS))
    again = NotebookFile.of(file.with_cells(changed))
    expected = [changed.get(number, "".join(source)) for number, source in enumerate(sources, start=1)]
    assert [cell.lines.data.decode() for cell in again.cells()] == expected
    for cell, before in zip(json.loads(again.text)["cells"], content["cells"], strict=True):
        assert type(cell["source"]) is type(before["source"])
        assert {**cell, "source": None} == {**before, "source": None}
