"""The check that every set of edits passes: what it finds, and what is left out then."""

from __future__ import annotations

import pytest
from findings import apply, found_in, session
from mindport.rewrite import fixes, sound_edits
from mindport.rewrite.edit import Edit
from mindport.rewrite.rewriter import Rewriter
from mindport.rewrite.self_check import SelfCheck
from mindport.source.lines import LineIndex
from mindport.source.notebook_document import CellText, NotebookDocument

SOURCE = "import os\nimport torch\n\ndef f(x):\n    return torch.abs(x)\n\ny = torch.abs(os)\n"
ADDED = "from mindspore import mint\n"


def edit(source: str, old: str, new: str, number: int = 0) -> Edit:
    """The edit that replaces one of the places of a text."""
    start = -1
    for _ in range(number + 1):
        start = source.index(old, start + 1)
    start = len(source[:start].encode())
    return Edit(start, start + len(old.encode()), new)


def is_sound(source: str, *edits: Edit) -> bool:
    _, found = found_in(source)
    return SelfCheck(found.analysis).is_sound(sorted(edits))


GOOD = {
    "nothing but the import": [Edit(0, 0, ADDED)],
    "before its use": [Edit(0, 0, ADDED), edit(SOURCE, "torch.abs", "mint.abs", 1)],
    "in a function, with the import removed": [
        Edit(0, 0, ADDED),
        edit(SOURCE, "import torch\n", ""),
        edit(SOURCE, "torch.abs", "mint.abs"),
        edit(SOURCE, "torch.abs", "mint.abs", 1),
    ],
    "a name that the edits give": [edit(SOURCE, "torch.abs(os)", "((new := os), new)")],
    "a lambda": [edit(SOURCE, "torch.abs(os)", "(lambda a: a)(os)")],
    "a comprehension": [edit(SOURCE, "torch.abs(os)", "[a for a in os]")],
    "a builtin": [edit(SOURCE, "torch.abs(os)", "len(os)")],
}
BAD = {
    "no import": [edit(SOURCE, "torch.abs", "mint.abs")],
    "the import behind the use": [
        edit(SOURCE, "torch.abs", "mint.abs", 1),
        Edit(len(SOURCE), len(SOURCE), ADDED),
    ],
    "the import behind the function": [
        edit(SOURCE, "torch.abs", "mint.abs"),
        Edit(len(SOURCE), len(SOURCE), ADDED),
    ],
    "an import on one path": [
        Edit(0, 0, f"if x:\n    {ADDED}"),
        edit(SOURCE, "torch.abs", "mint.abs"),
    ],
    "an import in another scope": [
        edit(SOURCE, "    return", f"    {ADDED}    return"),
        edit(SOURCE, "torch.abs", "mint.abs", 1),
    ],
    "an import that is needed goes": [edit(SOURCE, "import torch\n", "")],
    "a function goes": [edit(SOURCE, "def f(x):\n    return torch.abs(x)\n", "")],
    "a parameter goes": [edit(SOURCE, "def f(x)", "def f()")],
    "a variable of another scope": [edit(SOURCE, "torch.abs(os)", "x")],
    "it does not parse": [edit(SOURCE, "torch.abs(os)", "torch.abs(os")],
    "a name that means something else": [edit(SOURCE, "torch.abs(os)", "f")],
}


@pytest.mark.parametrize("edits", GOOD.values(), ids=GOOD)
def test_sound_edits(edits: list[Edit]) -> None:
    assert is_sound(SOURCE, *edits)


@pytest.mark.parametrize("edits", BAD.values(), ids=BAD)
def test_edits_that_are_not(edits: list[Edit]) -> None:
    assert not is_sound(SOURCE, *edits)


@pytest.mark.parametrize(
    ("source", "old", "new", "expected"),
    [
        (
            "from a import *\nimport torch\nmint.b\ntorch.abs(1)\n",
            "import torch\n",
            ADDED + "import torch\n",
            False,
        ),
        (
            "import torch\nprint(torch)\n",
            "import torch\n",
            "import torch\nimport mindspore as print\n",
            False,
        ),
        ("class A:\n    b = 1\n    c = b\n", "b = 1", "d = 1", False),
        ("def f():\n    b = 1\n    return lambda: b\n", "b = 1", "d = 1", False),
        ("for a in b:\n    c = a\nc\n", "c = a", "a", False),
        ("if a:\n    c = 1\nelse:\n    c = 2\nc\n", "c = 2", "2", False),
        ("try:\n    c = 1\nfinally:\n    pass\nc\n", "c = 1", "1", False),
        ("def f():\n    global c\n    c = 1\nf()\nc\n", "global c", "pass", False),
        ("x = 1\nx = x.cuda()\nx\n", "x = x.cuda()\n", "", True),
        ("def f(x):\n    x = x.cuda()\n    return x\n", "x = x.cuda()", "pass", True),
    ],
)
def test_names_that_were_bound(source: str, old: str, new: str, expected: bool) -> None:
    assert is_sound(source, edit(source, old, new)) is expected


@pytest.mark.parametrize(
    ("name", "exported", "expected"),
    [
        ("len", None, True),
        ("range", None, False),
        ("range", ("abs", "Tensor"), True),
        ("abs", ("abs", "Tensor"), False),
    ],
)
def test_a_star_import_may_hide_builtin_names(
    name: str, exported: tuple[str, ...] | None, expected: bool
) -> None:
    source = f"from library import *\nimport torch\nfor a in {name}(3):\n    torch.abs(a)\n"
    _, found = found_in(source)
    check = SelfCheck(found.analysis, lambda module: exported if module == "library" else None)
    assert check.is_sound([edit(source, "from library import *\n", "")]) is expected
    assert check.is_sound([edit(source, "torch.abs(a)", f"{name}(a)")]) is expected


def test_cells_of_a_notebook() -> None:
    cells = [CellText(1, LineIndex(b"%time\nimport torch")), CellText(2, LineIndex(b"torch.abs(1)"))]
    document = NotebookDocument.join("/nowhere/a.ipynb", cells)
    check = SelfCheck(session().analyse("/nowhere/a.ipynb", document).analysis)
    text = document.data.decode()
    new = edit(text, "import torch", "from mindspore import mint")
    assert check.is_sound([new, edit(text, "torch.abs", "mint.abs")])
    assert not check.is_sound([new])
    assert not check.is_sound([edit(text, "torch.abs", "mint.abs")])
    assert not check.is_sound([Edit(0, 0, "x"), edit(text, "torch.abs", "torch.abs")]), "a magic is spoilt"


def test_what_does_not_pass_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import torch\na = torch.abs(1)\nb = torch.sin(2)\nc = torch.cos(3)\n"
    _made, found = found_in(source)

    class Spoiling(Rewriter):
        """Writes a name that nothing binds for one of the APIs."""

        def spelled(self, target: str, at: int) -> str:
            return "nothing.sin" if target.endswith(".sin") else super().spelled(target, at)

    monkeypatch.setattr(sound_edits, "Rewriter", Spoiling)
    result = fixes.make(found, fixes.safe_fixes(found), lambda name, is_exported: False)
    after = "import torch\nfrom mindspore import mint\na = mint.abs(1)\nb = torch.sin(2)\nc = mint.cos(3)\n"
    assert apply(source, result.edits) == after
    assert [placed.finding.use.api for placed in result.findings] == ["torch.abs", "torch.cos"]


def test_where_all_is_wrong_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SelfCheck, "is_sound", lambda self, edits: False)
    made, found = found_in("import torch\ntorch.abs(torch.sin(1))\n")
    assert made.fix_all(found) == ()
