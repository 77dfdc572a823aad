"""Run the code that `mapping_data/features` tells to write for features of training, with MindSpore on CPU.

`python scripts/feature_code.py` exits 1 if something of it does not do what its `check` says. Each feature is
run in a process of its own, or in as many as it is for, started by `msrun`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FEATURES = Path(__file__).resolve().parents[1] / "mapping_data" / "features" / "features.json"
BEFORE = """
import os
import time

import mindspore
import numpy as np
from mindspore import Tensor, nn, ops

mindspore.set_device("CPU")
mindspore.set_seed(1)
net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
optimizer = nn.SGD(net.trainable_params(), 0.1)
loss_fn = nn.MSELoss()
numbers = np.random.RandomState(0)
x = Tensor(numbers.rand(6, 4).astype("float32"))
y = Tensor(numbers.rand(6, 2).astype("float32"))
batches = [(x * (i + 1), y) for i in range(4)]
pictures = (numbers.rand(4, 32, 32, 3) * 255).astype("uint8")
at_first = [one.asnumpy().copy() for one in net.get_parameters()]


def changed(net):
    return any((one.asnumpy() != old).any() for one, old in zip(net.get_parameters(), at_first))


def equal(some, others):
    return all(np.allclose(one.asnumpy(), other.asnumpy()) for one, other in zip(some, others))


def written(name):
    for _ in range(50):
        if any(one.startswith(name) for one in os.listdir()):
            return True
        time.sleep(0.1)
    return False


"""


def program(feature: dict[str, Any]) -> str:
    """A program that ends well if the code of a feature does what it should."""
    code = "\n".join(feature["code"])
    return f"{BEFORE}{code}\n\nassert {feature['check']}\nprint('AS IT SHOULD')\n"


def run(feature: dict[str, Any]) -> str:
    """What went wrong with the code of a feature; nothing if it did what it should."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "code.py").write_text(program(feature), encoding="utf-8")
        processes = feature.get("processes", 1)
        command = [sys.executable, "code.py"]
        if processes > 1:
            starter = str(Path(sys.executable).with_name("msrun"))
            command = [starter, f"--worker_num={processes}", f"--local_worker_num={processes}"]
            command += ["--master_port=18127", "--join=True", "code.py"]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        logs = [one.read_text("utf-8", "replace") for one in sorted(Path(folder).glob("worker_*.log"))]
        told = "\n".join(logs) if logs else done.stdout
        return "" if told.count("AS IT SHOULD") == processes else f"{told[-2000:]}{done.stderr[-2000:]}"


def main() -> int:
    """Run everything."""
    wrong = 0
    for feature in json.loads(FEATURES.read_text("utf-8"))["features"]:
        if "not_run" not in feature:
            error = run(feature)
            print(f"{feature['feature']}: {'wrong' if error else 'as it should'}\n{error}".rstrip())
            wrong += bool(error)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
