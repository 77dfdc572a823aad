"""What comes of the samples that PyTorch tests itself with, beside what is listed as different."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from converted_scripts import COUNTED, outcome

FOLDER = Path(__file__).parent


def compare_with_listed(python: str, extract: str, listed: str, folder: Path) -> None:
    """Compare what the scripts of `extract` give with what the JSON file `listed` says: by reason and title, the names
    that differ, and `*` where none is equal. One that is listed and equal fails, too, unless rounding decides, which is
    another on other processors."""
    if subprocess.run([python, "-c", "import expecttest"], check=False, capture_output=True).returncode:
        pytest.skip("expecttest, which PyTorch's samples need, is not installed beside torch")
    reasons: dict[str, dict[str, str]] = json.loads((FOLDER / listed).read_text("utf-8"))
    found = outcome(python, extract, folder)
    names = {
        title: [name for name in every if name.startswith(COUNTED)] for title, every in found.compared.items()
    }
    different = {
        f"{title} {name}": found.different[title][name]
        for title, every in names.items()
        for name in every
        if name in found.different.get(title, {})
    }
    total = sum(map(len, names.values()))
    print(f"{total - len(different)} of {total} results and gradients are equal")
    known = {
        f"{title} {name}": reason
        for reason, titles in reasons.items()
        for title, listed_names in titles.items()
        for name in (names[title] if listed_names == "*" else listed_names.split())
    }
    assert {name: said for name, said in different.items() if name not in known} == {}
    equal = known.keys() - different.keys()
    settled = sorted(name for name in equal if "rounding" not in known[name])
    assert not settled, f"listed as different, and equal: {settled}"
