"""The compiled wheels of this machine, each installed with pip into a new environment of its Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from corpus import TIMM, corpus
from test_compiled import scanned
from wheels_at_hand import NONE, ROOT, Built, wheels_at_hand

sys.path.insert(0, str(ROOT / "scripts"))
try:
    import compiled_wheels
finally:
    sys.path.pop(0)

BUILT = wheels_at_hand()
FILES = ["timm", str(ROOT / "docs" / "examples")]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("compiled wheels"),
    pytest.mark.skipif(not BUILT, reason=NONE),
]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the sources report with the Python that runs the tests."""
    output = tmp_path_factory.mktemp("expected") / "report.json"
    return scanned(ROOT / "server", FILES, corpus(*TIMM), output)


@pytest.mark.parametrize("built", BUILT, ids=lambda built: built.version)
def test_installed_it_reports_what_the_sources_do(built: Built, expected: bytes, tmp_path: Path) -> None:
    """With every Python the same, byte for byte: compiled, from the sources, and with the tests' Python."""
    with compiled_wheels.environment_of(built.python, str(built.wheel)) as python:
        told = subprocess.run(
            [python, "-I", "-m", "mindport", "doctor"], check=True, capture_output=True, encoding="utf-8"
        ).stdout
        compiled = scanned(None, FILES, corpus(*TIMM), tmp_path / "compiled.json", str(python))
        pure = scanned(ROOT / "server", FILES, corpus(*TIMM), tmp_path / "pure.json", str(python))
    [row] = [line.split() for line in told.splitlines() if line.split()[:1] == ["build"]]
    assert row == ["build", "compiled"]
    assert f"  {built.version}." in told
    assert compiled == pure == expected
    assert len(compiled) > 1_000_000


@pytest.mark.parametrize("built", BUILT, ids=lambda built: built.version)
def test_it_is_tried_as_in_a_release(built: Built) -> None:
    version, build = compiled_wheels.tried(built.python, built.wheel)
    assert version.startswith("mindport ") and build == "compiled"
