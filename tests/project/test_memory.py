"""The memory of a session does not grow with the number of edits."""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import CorpusError, timm_file
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.source.document import Change, Document

EDITS = int(os.environ.get("MINDPORT_EDITS", "1000"))
"""How many edits are made, each of them undone after it; `tests/bench/README.md` says how to make more."""
WARM_UP = EDITS // 10
TYPED = ("a", "\n", "x = 1\n", "(", "# 中文\n", "def f(): pass\n", "torch.")
_PAGES = Path("/proc/self/statm")
_USUAL = gc.get_threshold()


@pytest.fixture
def usual_collector() -> Iterator[None]:
    """Garbage is looked for as often as Python does: what waits for it would be counted as memory, too. But not
    in what other tests have made, which would take most of the time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_USUAL)
    yield
    gc.set_threshold(*before)


def places(source: str) -> list[int]:
    """The lines of simple statements."""
    kinds = (ast.Assign, ast.Expr, ast.Return)
    return sorted({node.lineno - 1 for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)})


def resident() -> float:
    """The memory of this process, in megabytes."""
    gc.collect()
    return int(_PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
@pytest.mark.skipif(not _PAGES.exists(), reason="reads /proc")
@pytest.mark.usefixtures("usual_collector")
def test_memory_stays_after_many_edits() -> None:
    try:
        source = timm_file("models/mvitv2.py").read_text(encoding="utf-8")
    except CorpusError as error:
        pytest.skip(str(error))
    session = Session(Catalog.load(), Settings())
    document = Document.open("file.py", source)
    lines = places(source)
    base = session.analyse("file.py", document)
    before = 0.0
    for number in range(EDITS):
        line = lines[number * 7919 % len(lines)]
        typed = TYPED[number % len(TYPED)]
        changed = document.apply([Change((line, 0), (line, 0), typed)], number, "utf-16")
        session.analyse("file.py", changed)
        end = (line + typed.count("\n"), 0 if typed.endswith("\n") else len(typed))
        document = changed.apply([Change((line, 0), end, "")], number, "utf-16")
        found = session.analyse("file.py", document)
        if number == WARM_UP:
            before = resident()
    assert document.data == source.encode()
    assert len(found.findings) == len(base.findings)
    after = resident()
    print(f"{EDITS} edits, each undone: {before:.1f} MB after {WARM_UP}, {after:.1f} MB at the end")
    assert after <= 1.1 * before
