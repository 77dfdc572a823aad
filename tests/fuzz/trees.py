"""Random folders with links, pipes, odd names and odd texts: discovery ends, stays inside, and takes every file
that is there; a scan of it reads only regular files."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from mindport.project.discover import discover
from mindport.source.decode import SourceError, read_source
from target import Target

_NAMES = ("a", "pkg", "中文", "🎉", "with space", "-dash", "a.b", "__init__", "torch", "x" * 60)
_TEXTS = (
    b"import torch\nx = torch.zeros(3)\n",
    b"\xff\xfe\x00",
    b"# coding: latin-1\nx = '\xe9'\n",
    b"\x00\x00",
    b"",
    b"x = (" * 50,
    "\ufefffrom torch import *\r\n".encode(),
)


def _fill(choose: random.Random, folder: Path, others: list[Path], depth: int) -> None:
    for _ in range(choose.randint(0, 5)):
        path = folder / f"{choose.choice(_NAMES)}{choose.choice(('', '.py', '.ipynb', '.txt'))}"
        if path.exists() or path.is_symlink():
            continue
        kind = choose.random()
        if kind < 0.5:
            path.write_bytes(choose.choice(_TEXTS))
        elif kind < 0.7 and depth < 4:
            path.mkdir()
            others.append(path)
            _fill(choose, path, others, depth + 1)
        elif kind < 0.95:
            path.symlink_to(
                choose.choice([*others, folder / "nothing", Path("/proc/self"), Path("/dev/zero")])
            )
        else:
            os.mkfifo(path)


def trial(choose: random.Random) -> int:
    """A folder beside another one that it links to, searched."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name).resolve()
        inside, outside = base / "inside", base / "outside"
        inside.mkdir()
        outside.mkdir()
        (outside / "secret.py").write_bytes(_TEXTS[0])
        _fill(choose, inside, [inside, outside, outside / "secret.py", base], 0)
        found = discover([inside], [])
        taken = {path.resolve() for path in found.files}
        assert all(path.is_relative_to(inside) for path in taken), taken
        there = {
            path.resolve()
            for folder, _, files in os.walk(inside)
            for path in (Path(folder) / file for file in files)
            if path.suffix in (".py", ".ipynb") and path.is_file()
        }
        inner = {path for path in there if path.is_relative_to(inside)}
        assert inner <= taken, inner - taken
        for path in found.files:
            try:
                read_source(path)
            except SourceError:
                continue
        return len(found.files)


TARGET = Target("trees", "files", trial)
