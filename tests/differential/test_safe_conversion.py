"""Published models run in PyTorch as before once what is safe in their packages was converted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import TORCHVISION, VIT_PYTORCH, CorpusError, corpus
from mindport.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

from models import MODELS  # noqa: E402

Digests = dict[str, dict[str, str]]
"""By model, what tells whether an array is the same to the last bit, by the array's name."""


@pytest.fixture(scope="module")
def results(python: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Digests, Digests]:
    """What the models give before and after."""
    sources = tmp_path_factory.mktemp("sources")
    converted = tmp_path_factory.mktemp("safe") / "converted"
    try:
        for wheel, name in ((TORCHVISION, "torchvision"), (VIT_PYTORCH, "vit_pytorch")):
            shutil.copytree(corpus(*wheel) / name, sources / name)
    except CorpusError as error:
        pytest.skip(str(error))
    assert main(["convert", str(sources), "-o", str(converted), "--device", "cpu", "--style", "classic"]) == 0
    before, after = tmp_path_factory.mktemp("before"), tmp_path_factory.mktemp("after")
    for packages, made in ((sources, before), (converted, after)):  # "--digests": the arrays are gigabytes
        run = subprocess.run(
            [python, str(GOLDEN / "torch_side.py"), str(packages), str(made), "--digests"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "GLOG_v": "4", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert run.returncode == 0, run.stderr[-3000:]
    return digests(before), digests(after)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", MODELS)
def test_a_published_model_runs_as_before(name: str, results: tuple[Digests, Digests]) -> None:
    before, after = (by_model[name] for by_model in results)
    assert before and before.keys() == after.keys()
    assert [key for key in before if before[key] != after[key]] == []


def digests(folder: Path) -> Digests:
    found: Digests = json.loads((folder / "digests.json").read_text(encoding="utf-8"))
    return found


PROGRAM = """import torch
from torch import nn


def spread(values: list[float]) -> float:
    return float(torch.max(torch.tensor(values)) - torch.min(torch.tensor(values)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2, bias=False)

    def forward(self, x):
        return torch.relu(self.layer(x))


def main():
    net = Net()
    with torch.no_grad():
        net.layer.weight.fill_(0.5)
    print(net(torch.ones(1, 3)).tolist(), spread([1.0, 4.5]))


if __name__ == "__main__":
    main()
"""


def test_a_program_of_which_nothing_is_wholly_proven_runs_as_before(python: str, tmp_path: Path) -> None:
    """Everything is called by `main`, so that nothing can be converted by itself."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/program.py").write_text(PROGRAM, encoding="utf-8")
    options = ("--device", "cpu", "--style", "classic")
    assert main(["convert", str(tmp_path / "src"), "-o", str(tmp_path / "out"), *options]) == 0
    run = [
        subprocess.run(
            [python, str(tmp_path / folder / "program.py")], capture_output=True, text=True, check=True
        )
        for folder in ("src", "out")
    ]
    assert run[0].stdout == run[1].stdout and "3.5" in run[0].stdout
