"""PyTorch's own samples of its operators, converted as programs, give what they give in PyTorch, and its gradients.

They come with the PyTorch that is installed (`documented/samples.py` says which are taken). `operator_samples.json`
says which differ, by reason and operator, and `*` where none is equal; one that is listed and equal fails, too, unless
rounding decides, which is another on other processors.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from converted_scripts import COUNTED, outcome

KNOWN: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("operator_samples.json").read_text("utf-8")
)


@pytest.mark.timeout(3000)
def test_samples_of_operators(python: str, tmp_path: Path) -> None:
    if subprocess.run([python, "-c", "import expecttest"], check=False, capture_output=True).returncode:
        pytest.skip("expecttest, which PyTorch's samples need, is not installed beside torch")
    found = outcome(python, "samples.py", tmp_path)
    names = {
        operator: [name for name in every if name.startswith(COUNTED)]
        for operator, every in found.compared.items()
    }
    different = {
        f"{operator} {name}": found.different[operator][name]
        for operator, every in names.items()
        for name in every
        if name in found.different.get(operator, {})
    }
    total = sum(map(len, names.values()))
    print(f"{total - len(different)} of {total} results and gradients are equal")
    known = {
        f"{operator} {name}": reason
        for reason, operators in KNOWN.items()
        for operator, listed in operators.items()
        for name in (names[operator] if listed == "*" else listed.split())
    }
    assert {name: said for name, said in different.items() if name not in known} == {}
    equal = known.keys() - different.keys()
    assert sorted(name for name in equal if "rounding" not in known[name]) == []
