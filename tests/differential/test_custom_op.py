"""What `mindport scaffold custom-op` makes runs in MindSpore on CPU, and its own tests find what is wrong."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from mindport.app.custom_op.custom_op import KINDS, new_custom_op

PYTHON = os.environ.get("MINDPORT_TORCH_PYTHON")
# Where the frameworks are has no pytest of its own.
TESTS = """
import sys
sys.path.append(sys.argv[1])
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "focal"]))
"""
SLIPS = {
    "forward": {"pyfunc": ("np.tanh(", "np.sin("), "aot": ("std::tanh(", "std::sin(")},
    "backward": {"pyfunc": ("(1 - out", "(1 + out"), "aot": ("(1 - out", "(1 + out")},
}

pytestmark = pytest.mark.skipif(PYTHON is None, reason="MINDPORT_TORCH_PYTHON is not set")
with_kinds = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            kind,
            marks=pytest.mark.skipif(
                kind == "aot" and shutil.which("g++") is None, reason="g++ is not on this machine"
            ),
        )
        for kind in KINDS
    ],
)


@with_kinds
@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_its_tests_pass(tmp_path, kind, inputs):
    new_custom_op("focal", tmp_path, kind, inputs, "2.10", "en")
    done = outcome_of(tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert " passed" in done.stdout and "skipped" not in done.stdout


@with_kinds
@pytest.mark.parametrize("slip", SLIPS)
def test_its_tests_find_a_slip(tmp_path, kind, slip):
    new_custom_op("focal", tmp_path, kind, 2, "2.10", "zh-cn")
    source = tmp_path / "focal" / ("custom_op.py" if kind == "pyfunc" else "kernel.cc")
    right = source.read_text(encoding="utf-8")
    wrong = right.replace(*SLIPS[slip][kind])
    assert wrong != right
    source.write_text(wrong, encoding="utf-8")
    done = outcome_of(tmp_path)
    assert done.returncode == 1 and "test_gradient[" in done.stdout, done.stdout[-3000:]
    assert ("FAILED focal/test_custom_op.py::test_values" in done.stdout) is (slip == "forward")


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on this machine")
def test_a_changed_source_is_compiled_again(tmp_path):
    new_custom_op("focal", tmp_path, "aot", 1, "2.10", "en")
    call = (
        "import mindspore, numpy; from focal import focal; "
        "print(focal(mindspore.Tensor(numpy.array([2.0]))).asnumpy()[0])"
    )
    assert float(run(tmp_path, "-c", call).stdout) == pytest.approx(0.964, abs=1e-3)
    source = tmp_path / "focal" / "kernel.cc"
    source.write_text(source.read_text(encoding="utf-8").replace("std::tanh(", "std::exp("), encoding="utf-8")
    assert float(run(tmp_path, "-c", call).stdout) == pytest.approx(7.389, abs=1e-3)


def outcome_of(folder):
    return run(folder, "-c", TESTS, str(Path(pytest.__file__).parents[1]))


def run(folder, *words):
    return subprocess.run(
        [PYTHON, "-W", "ignore", *words], cwd=folder, capture_output=True, text=True, timeout=500, check=False
    )
