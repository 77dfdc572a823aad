"""What `mindport new` makes trains in MindSpore, and its tests pass."""

import os
import subprocess

import pytest
from mindport.app.new_project.project import SKELETONS, new_project
from mindport.project.setting_table import Settings

PYTHON = os.environ.get("MINDPORT_TORCH_PYTHON")
TESTS = "import test_model\n[getattr(test_model, n)() for n in dir(test_model) if n.startswith('test_')]"

pytestmark = pytest.mark.skipif(PYTHON is None, reason="MINDPORT_TORCH_PYTHON is not set")


@pytest.mark.parametrize("model", SKELETONS)
def test_a_project_trains_and_its_tests_pass(tmp_path, model):
    folder = tmp_path / "project"
    new_project(folder, model, Settings.of({"device": "cpu"}), "en")
    trained = run(folder, "train.py", "--epochs", "3")
    *_, last = trained.splitlines()
    assert float(last.rpartition(" ")[2]) > 0.9, trained
    assert (folder / "best.ckpt").is_file()
    run(folder, "-c", TESTS)


def run(folder, *words):
    done = subprocess.run(
        [PYTHON, "-W", "ignore", *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
