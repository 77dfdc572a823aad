"""`scripts/library_tests.py`: which tests of a library still pass after conversion."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from library_tests import read_outcomes, told

ORIGINAL = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="test_sum[torch.float32]"/>
<testcase classname="tests.test_a" name="test_mean"/>
<testcase classname="tests.test_a" name="test_cuda"><skipped/></testcase>
<testcase classname="tests.test_a" name="test_old"><failure message="no"/></testcase>
<testcase classname="tests.test_b" name="test_one"/>
<testcase classname="tests.test_b" name="test_two"/>
<testcase classname="tests.test_b" name="test_gone"/>
</testsuite></testsuites>"""
CONVERTED = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="test_sum[mindspore.float32]"/>
<testcase classname="tests.test_a" name="test_mean"><skipped/></testcase>
<testcase classname="tests.test_b" name="test_one"><failure message="m">a.py:3: in f
E   ValueError: off by 0.25</failure></testcase>
<testcase classname="tests.test_b" name="test_two"><error message="m">E   ValueError: off by 17</error></testcase>
</testsuite></testsuites>"""


def test_told(tmp_path: Path) -> None:
    reports = []
    for name, text in (("original", ORIGINAL), ("converted", CONVERTED)):
        path = tmp_path / f"{name}.xml"
        path.write_text(text, encoding="utf-8")
        reports.append(read_outcomes(path))
    assert told(*reports).splitlines() == [
        "1 of 5 tests that pass in PyTorch pass after conversion (20.0 %).",
        "    2 ValueError: off by #",
        "      tests.test_b.test_one",
        "    1 skipped",
        "      tests.test_a.test_mean",
        "    1 missing",
        "      tests.test_b.test_gone",
    ]
