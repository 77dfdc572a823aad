"""Runs a program with PyTorch and torchvision's Python files: torch_side.py TORCHVISION PROGRAM ARGUMENT."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from torchvision_sources import declare_operators

if __name__ == "__main__":
    folder, program, *rest = sys.argv[1:]
    sys.path.insert(0, folder)
    library = declare_operators()
    sys.argv = [program, *rest]
    runpy.run_path(program, run_name="__main__")
