"""Print the module of all helpers, or of those named: python scripts/helpers_module.py [NAME...]."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.catalog.helpers import read_helpers  # noqa: E402

if __name__ == "__main__":
    helpers = read_helpers(ROOT / "mapping_data")
    sys.stdout.write(helpers.source(sys.argv[1:] or helpers.names))
