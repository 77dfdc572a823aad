"""The examples of PyTorch's own documentation, converted as programs, give what they give in PyTorch.

They are read from the docstrings of the PyTorch that is installed. `documented_examples.json` says which differ, and
why; one that is listed and equal fails, too, unless rounding decides, which is another on other processors.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from converted_scripts import outcome

KNOWN: dict[str, str] = {
    name: reason
    for reason, names in json.loads(
        Path(__file__).with_name("documented_examples.json").read_text("utf-8")
    ).items()
    for name in names
}


@pytest.mark.timeout(3000)
def test_examples_of_pytorchs_documentation(python: str, tmp_path: Path) -> None:
    found = outcome(python, "extract.py", tmp_path)
    print(f"{len(found.compared) - len(found.different)} of {len(found.compared)} examples are equal")
    assert {name: said for name, said in found.different.items() if name not in KNOWN} == {}
    equal = KNOWN.keys() - found.different.keys()
    assert sorted(name for name in equal if "rounding" not in KNOWN[name]) == []
