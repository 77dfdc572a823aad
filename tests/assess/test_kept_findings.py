"""Findings that are kept while somebody types equal those made from scratch, whatever they rest on."""

from __future__ import annotations

import pytest
from findings import session
from mindport.project.session import FileFindings
from mindport.source.document import Change, Document

URI = "untitled:main.py"
ORDERED = "y = a.b + torch.scatter_add(f(), g(), h(), i())\n"
"""In another order, `torch.scatter_add` needs names for its arguments, given before `a.b` is read: fine, if `a`
is a module."""
CASES = {
    "what is read before becomes a module": (f"import torch\n{ORDERED}", "import torch", "import torch, a"),
    "what is read before may be a module by an import elsewhere": (
        f"import torch\n{ORDERED}def k():\n    pass\n",
        "pass",
        "import a",
    ),
    "what is read before is no module any more": (f"import torch, a\n{ORDERED}", "torch, a", "torch"),
    "a class becomes one of torch's": (
        "import torch\nclass A(B): pass\ny = torch.abs(1)\n",
        "(B)",
        "(torch.nn.Module)",
    ),
    "a class is none of torch's any more": (
        "import torch\nclass A(torch.nn.Module): pass\ny = torch.abs(1)\n",
        "(torch.nn.Module)",
        "(B)",
    ),
}


def said(found: FileFindings) -> list[object]:
    """What findings say, with their places."""
    return [
        (one.start, one.end, one.code, one.finding.fix, one.finding.waits, one.finding.message("en"))
        for one in found.findings
    ]


def changed(document: Document, old: str, new: str) -> Document:
    """The document with a piece of its text replaced."""
    data = document.data.decode()
    start = data.index(old)
    span = [document.lines.position(at, "utf-16") for at in (start, start + len(old))]
    return document.apply([Change(span[0], span[1], new)], None, "utf-16")


@pytest.mark.parametrize("name", CASES)
def test_what_is_asked_of_the_file_is_asked_again(name: str) -> None:
    source, old, new = CASES[name]
    settings = {"style": "classic", "device": "ascend"}
    made = session(**settings)
    before = Document.open(URI, source)
    first = said(made.analyse(URI, before))
    after = changed(before, old, new)
    kept = said(made.analyse(URI, after))
    assert kept == said(session(**settings).analyse(URI, Document.open(URI, after.data)))
    assert [one[3] for one in first] != [one[3] for one in kept], "the edit matters"  # type: ignore[index]


def test_what_is_the_same_is_kept() -> None:
    made = session(style="classic")
    before = Document.open(URI, f"import torch\n{ORDERED}z = torch.abs(1)\n")
    first = made.analyse(URI, before)
    second = made.analyse(URI, changed(before, "abs(1)", "abs(12)"))
    assert [block for _, block in first.blocks][:2] == [block for _, block in second.blocks][:2]
    assert first.blocks[-1][1] is not second.blocks[-1][1]
