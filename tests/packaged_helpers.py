"""The helpers of converted programs, read once in each process of the tests: to read them takes seconds."""

from __future__ import annotations

from pathlib import Path

from mindport.catalog.helpers import read_helpers

DATA = Path(__file__).resolve().parents[1] / "mapping_data"
HELPERS = read_helpers(DATA)
