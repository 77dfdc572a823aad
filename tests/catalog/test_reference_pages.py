"""The reference pages are what the mapping data says."""

from __future__ import annotations

import subprocess
import sys

from mapping_samples import ROOT
from mindport.catalog.catalog import Catalog

FOLDER = ROOT / "docs" / "reference"


def test_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "reference_pages.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"run python scripts/reference_pages.py: {result.stdout}{result.stderr}"


def test_pages_hold_every_public_api_of_their_module(catalog: Catalog) -> None:
    for language in ("en", "zh-CN"):
        page = (FOLDER / language / "torch.linalg.md").read_text(encoding="utf-8")
        names = [n for n in catalog.torch_names if n.startswith("torch.linalg.") and catalog.is_documented(n)]
        assert len(names) > 30
        assert [n for n in names if f"`{n.removeprefix('torch.linalg.')}`" not in page] == []


def test_both_languages_have_the_same_pages() -> None:
    assert {p.name for p in (FOLDER / "en").iterdir()} == {p.name for p in (FOLDER / "zh-CN").iterdir()}
