"""How many results and gradients of PyTorch's own samples of operators are equal in converted programs.

`MINDPORT_TORCH_PYTHON=... python scripts/operator_samples.py nan nothing float64` counts for each kind of
samples that `tests/differential/documented/samples.py` knows, for `layers` those of layers and optimizers,
for `dtypes` operators of every two dtypes. The Python that is named has PyTorch, MindSpore and expecttest.
`--show` writes what differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "differential"))

from converted_scripts import COUNTED, outcome

ALONE = ("layers", "dtypes")
"""What has a file of its own beside `samples.py`."""


def main() -> None:
    """Count for the kinds that are given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="+")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    python = os.environ.get("MINDPORT_TORCH_PYTHON")
    if not python:
        parser.error("MINDPORT_TORCH_PYTHON names no Python")
    for kind in options.kinds:
        with tempfile.TemporaryDirectory() as folder:
            extract, of = (f"{kind}.py", "") if kind in ALONE else ("samples.py", kind)
            found = outcome(python, extract, Path(folder), of)
        total = sum(name.startswith(COUNTED) for names in found.compared.values() for name in names)
        different = [
            (operator, name, said)
            for operator, every in found.different.items()
            for name, said in every.items()
            if name in found.compared[operator] and name.startswith(COUNTED)
        ]
        print(f"{kind}: {total - len(different)} of {total} equal")
        for operator, name, said in different if options.show else ():
            print(f"  {operator} {name}: {' '.join(said.split())[:200]}")


if __name__ == "__main__":
    main()
