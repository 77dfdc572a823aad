"""What the table of errors says is what MindSpore raises: each error is raised, and found in its message."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from mindport.catalog.known_errors import errors_in

DATA = Path(__file__).parents[2] / "mapping_data"
PYTHON = os.environ.get("MINDPORT_TORCH_PYTHON")
ERRORS = {entry["id"]: entry for entry in json.loads((DATA / "curated" / "errors.json").read_text("utf-8"))}
RAISED = {name: entry["run"] for name, entry in ERRORS.items() if "run" in entry}

pytestmark = pytest.mark.skipif(PYTHON is None, reason="MINDPORT_TORCH_PYTHON is not set")


@pytest.fixture(scope="module")
def messages():
    assert PYTHON is not None
    script = Path(__file__).parent / "errors" / "raise_errors.py"
    done = subprocess.run(
        [PYTHON, script], input=json.dumps(RAISED), capture_output=True, text=True, timeout=600, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", RAISED)
def test_the_error_is_raised_and_known(messages, name):
    entry = ERRORS[name]
    table = json.dumps([[entry["pattern"], entry["cause"], entry["remedy"], entry.get("api")]])
    assert errors_in(messages[name], table), messages[name] or "nothing was raised"
