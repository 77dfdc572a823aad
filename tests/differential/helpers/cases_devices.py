"""How Tensors lie in memory, and what computes in parallel."""

from __future__ import annotations

from case import Case, script

FORMATS = "channels_last channels_last_3d contiguous_format preserve_format"
CASES: list[Case] = [
    script(
        " ".join(f"torch.{name}" for name in FORMATS.split()),
        f"result = len({{{', '.join(FORMATS.split())}}})",
    ),
    script(
        "torch.nn.DataParallel torch.nn.parallel.data_parallel torch.nn.Linear torch.nn.init.constant_",
        "net = Linear(3, 2)\nfor p in net.parameters():\n    constant_(p, 0.5)\n"
        "both = DataParallel(net)\nx = tensor(np.ones((4, 3), 'f4'))\n"
        "result = [both(x), data_parallel(net, x), both.module is net, [name for name, _ in both.named_parameters()]]",
    ),
]
