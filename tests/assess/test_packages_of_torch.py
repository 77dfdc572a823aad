"""MP601: imports of packages that are built on PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest
from findings import settled_codes
from mindport.cli.main import main

FOUND = {
    "a module": "import timm",
    "a submodule": "import torchmetrics.functional",
    "an alias beside torch": "import torch, lightning as L",
    "names of one": "from accelerate import Accelerator",
    "in a function": "def f():\n    import timm",
    "in a method": "class A:\n    def f(self):\n        from timm import create_model",
    "in a try": "try:\n    import apex\nexcept ImportError:\n    apex = None",
}
LEFT_ALONE = {
    "another package": "import numpy, einops",
    "a longer name": "import timmy",
    "a relative import": "from .timm import x",
    "a member of that name": "from models import timm",
    "torch itself": "import torch, torchvision",
}


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_an_import_is_found(source: str) -> None:
    assert [one.split()[0] for one in settled_codes(source)].count("MP601") == 1


@pytest.mark.parametrize("source", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_other_imports_are_not(source: str) -> None:
    assert not [one for one in settled_codes(source) if one.startswith("MP601")]


def test_a_package_does_not_import_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"timm/__init__.py": "", "timm/a.py": "import timm\nimport lightning\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["scan", str(tmp_path), "--no-cache", "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert "`lightning` is built on `torch`" in said and "`timm` is built" not in said
