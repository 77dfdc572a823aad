"""Findings that are kept while somebody types equal those made from scratch, whatever they rest on."""

from __future__ import annotations

import pytest
from findings import session
from hypothesis import given, settings
from hypothesis import strategies as st
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


LINES = [
    "import torch\n",
    "from torch import nn, lobpcg\n",
    "import a\n",
    "torch.lobpcg(x)\n",
    "torch.lobpcg(x); torch.lobpcg(y)\n",
    "torch.flatten(x)\n",
    "torch.flatten(x)  # mindport: ignore\n",
    "torch.flatten(x)  # mindport: ignore[MP203]\n",
    "# mindport: ignore-file\n",
    "def f(x, y):\n    torch.lobpcg(y)\n    return g(x.view(2)).flatten(3)\n",
    "def g(x):\n    return torch.relu(x)\n",
    "def g(x):\n    return 1\n",
    "class A(nn.Module):\n    def forward(self, x):\n        return torch.lobpcg(f(x, self.y))\n    y = 1\n",
    "class A:\n    pass\n",
    "print(f'{f(torch.ones(1), 2):.2f}')\n",
    "f(A()(1), torch.ones(2)\n",
    ORDERED,
    "x = 1\n",
    "\n",
]


@pytest.mark.parametrize("show", ["normal", "quiet", "everything"])
def test_after_edits_everything_is_as_from_scratch(show: str) -> None:
    """Whatever line goes, comes, or is typed on."""
    edits = st.tuples(
        st.integers(0, 30), st.sampled_from(["in", "out", "instead", "type"]), st.sampled_from(LINES)
    )

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.sampled_from(LINES), max_size=20), st.lists(edits, min_size=1, max_size=6))
    def check(lines: list[str], changes: list[tuple[int, str, str]]) -> None:
        kept = session(show=show)
        document = Document.open(URI, "import torch\nfrom torch import nn\n" + "".join(lines))
        kept.analyse(URI, document)
        for place, how, line in changes:
            at = (min(place, document.lines.line_count - 1), 0)
            end = (
                (at[0] + 1, 0) if how in ("out", "instead") and at[0] + 1 < document.lines.line_count else at
            )
            text = {"out": "", "type": "x"}.get(how, line)
            document = document.apply([Change(at, end, text)], None, "utf-16")
            found = kept.analyse(URI, document)
            scratch = session(show=show).analyse(URI, Document.open(URI, document.data))
            assert said(found) == said(scratch)
            assert shown(found) == shown(scratch)

    check()


def shown(found: FileFindings) -> list[object]:
    """What is shown, with where it is."""
    one_by_one = [
        (shift + one.use.start, one.code, one.severity)
        for shift, findings in found.shown()
        for one in findings
    ]
    return [one_by_one, [(one.start, one.code) for one in found.diagnostics()]]
