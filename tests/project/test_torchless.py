"""Files that a look at their text tells to be free of torch: the rest of mindport agrees."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.project.torch_free import cannot_use_torch
from mindport.source.decode import SourceError, read_source
from mindport.source.document import Document

FREE = (
    "",
    "x = 1\n",
    "import os\nprint(os.getcwd())\n",
    "from os.path import (\n    join,\n    exists,\n)\nprint(join('a'))\n",
    "def f(x):\n    return x.absolutely_not_a_tensors(1)\n",
    "x = (\n",
)
NOT_FREE = (
    "import torch\n",
    "def f(x):\n    return x.view(1)\n",
    "def f(x):\n    return (x\n            .view(1))\n",
    "def f(x):\n    return (x. # what\n            view(1))\n",
    "def f(x):\n    return x.\\\n view\n",
    "def f(x: 'Tensor'): pass\n",
    "from . import other\n",
    "from\\\n  .other import name\n",
    "from .other import name\n",
    "if x: from inside import y; y(1)\n",
    "import os, inside\ninside.y(1)\n",
    "import os, \\\n  inside\ninside.y(1)\n",
    "from inside import (\n    y,\n)\n",
)


def is_free(text: str) -> bool:
    return cannot_use_torch(text.encode(), Catalog.load(), lambda name: name == "inside")


@pytest.mark.parametrize("text", FREE)
def test_free(text: str) -> None:
    assert is_free(text)


@pytest.mark.parametrize("text", NOT_FREE)
def test_not_free(text: str) -> None:
    assert not is_free(text)


def python_files(most: int) -> list[Path]:
    """Files of Python's own library and of what is installed here."""
    folders = (Path(sysconfig.get_path("stdlib")), *map(Path, sys.path))
    found: dict[Path, None] = {}
    for folder in folders:
        if folder.is_dir():
            found.update(dict.fromkeys(sorted(folder.glob("*.py")) + sorted(folder.glob("[a-r]*/*.py"))))
    every = list(found)
    return every[:: max(1, len(every) // most)]


def test_what_is_skipped_has_no_use() -> None:
    skipped = 0
    for path in python_files(most=1500):
        try:
            text = read_source(path).text_utf8
        except SourceError:
            continue
        session = Session(Catalog.load(), Settings())
        if cannot_use_torch(text, Catalog.load(), lambda name: False):
            skipped += 1
            # Under a name that is not on disk, so that everything is evaluated.
            found = session.analyse("untitled:x", Document.open("untitled:x", text))
            assert not found.findings, path
    assert skipped > 20


def test_problems_of_skipped_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("x = (\n")
    found = Session(Catalog.load(), Settings(), [tmp_path]).analyse_file(path)
    assert not found.analysis.blocks and found.problems()
