"""Real code to test on: pinned wheels from PyPI, their Python files unpacked into a cache folder.

The folder is `.cache/corpus` of the repository. A wheel is fetched once; afterwards no network is needed.
Safe when several test processes ask at the same time.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
CACHE = _ROOT / ".cache" / "corpus"
_PINS = dict(
    line.split("==")
    for line in (_ROOT / "requirements-corpus.txt").read_text(encoding="utf-8").splitlines()
    if "==" in line
)
"""The version of each package, by its name on PyPI."""


def pinned(name: str) -> tuple[str, str]:
    """A package of `requirements-corpus.txt`, with its version."""
    return name, _PINS[name]


TORCHVISION = pinned("torchvision")
TORCHTEXT = pinned("torchtext")
VIT_PYTORCH = pinned("vit-pytorch")
TIMM = pinned("timm")
TRANSFORMERS = pinned("transformers")
_SECONDS = 300


class CorpusError(Exception):
    """A wheel could not be fetched."""


def corpus(name: str, version: str) -> Path:
    """The folder with the Python files of a wheel (its packages are inside). Raises CorpusError."""
    folder = CACHE / f"{name}-{version}"
    if folder.is_dir():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=CACHE))
    try:
        _unpack(_download(name, version, work / "wheel"), work / "files")
        try:
            (work / "files").rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def torchvision_file(path: str) -> Path:
    """A file of torchvision, such as `models/resnet.py`."""
    return corpus(*TORCHVISION) / "torchvision" / path


def timm_file(path: str) -> Path:
    """A file of timm, such as `models/mvitv2.py`."""
    return corpus(*TIMM) / "timm" / path


def _download(name: str, version: str, target: Path) -> Path:
    """The wheel. torchvision has none for any platform, so one is taken that pip would choose on a common one:
    only its Python files are of interest."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
    command += ["--disable-pip-version-check", "--dest", str(target), f"{name}=={version}"]
    platform = ["--platform", "manylinux_2_28_x86_64", "--python-version", "3.11"]
    reasons = []
    for options in ([], platform):
        try:
            done = subprocess.run(
                [*command, *options], capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CorpusError(f"{name} {version} could not be fetched: {error}") from error
        wheels = list(target.glob("*.whl"))
        if done.returncode == 0 and wheels:
            return wheels[0]
        reasons.append(done.stderr.strip())
    raise CorpusError(f"{name} {version} could not be fetched: " + "\n".join(reasons))


def _unpack(wheel: Path, target: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target, [entry for entry in archive.namelist() if entry.endswith(".py")])
