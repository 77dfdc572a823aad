"""What a file is, by its name."""

from __future__ import annotations

from pathlib import Path

MODULE = ".py"
NOTEBOOK = ".ipynb"


def is_notebook(path: str | Path) -> bool:
    """Whether a path is that of a notebook."""
    return str(path).endswith(NOTEBOOK)
