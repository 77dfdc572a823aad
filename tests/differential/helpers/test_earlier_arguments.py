"""Programs for earlier versions of PyTorch may give arguments that it has no more; they do what they did."""

from __future__ import annotations

from pathlib import Path

import pytest
from converted_scripts import ran
from mindport.cli.main import main

PROGRAM = """
import torch
from torch.optim import lr_scheduler


class Halving(lr_scheduler.LRScheduler):
    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        return [group["lr"] / 2 for group in self.optimizer.param_groups]


weight = torch.nn.Parameter(torch.ones(2))


def made():
    return torch.optim.SGD([{"params": [weight], "lr": 0.5}], lr=0.1)


lr_scheduler.StepLR(made(), 1, verbose=False).step()
steps = lr_scheduler.StepLR(made(), 1, 0.1, -1, True)
steps.step()
plateau = lr_scheduler.ReduceLROnPlateau(made(), "min", patience=0, verbose=True)
for loss in (1.0, 2.0, 3.0):
    plateau.step(loss)
Halving(made(), verbose=True).step()
lr_scheduler.CosineAnnealingLR(made(), T_max=4, verbose="deprecated").step()
print(sorted(steps.state_dict()))
"""
WRITTEN = """Adjusting learning rate of group 0 to 5.0000e-01.
Adjusting learning rate of group 0 to 5.0000e-02.
Epoch 00002: reducing learning rate of group 0 to 5.0000e-02.
Epoch 00003: reducing learning rate of group 0 to 5.0000e-03.
Adjusting learning rate of group 0 to 2.5000e-01.
Adjusting learning rate of group 0 to 1.2500e-01.
"""
"""What PyTorch 2.6 writes."""


@pytest.mark.timeout(300)
def test_schedules_write_their_rates(python: str, tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text(PROGRAM, "utf-8")
    assert main(["convert", str(tmp_path), "-o", str(tmp_path / "out"), "--whole", "--device", "cpu"]) == 0
    written = ran(python, tmp_path / "out" / "rates.py")
    assert written.startswith(WRITTEN)
    assert "'verbose'" in written.removeprefix(WRITTEN)
