"""Reductions of Tensors without values."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
USED = "filled = [clone(x) * 1e9 for _ in range(20)]\ndel filled\n"
"""Memory in which something was."""
for shape in ("0", "0, 4", "2, 0", "0, 3, 2"):
    for reduced in (
        "y.sum()",
        "y.sum(0)",
        "y.mean()",
        "y.mean(-1)",
        "(y > 1).any()",
        "(y > 1).sum()",
        "(y == 1).sum(-1)",
    ):
        CASES.append(
            script(
                "torch.clone",
                f"{USED}y = tensor(np.zeros(({shape},), np.float32))\nresult = {reduced}",
                inputs={"x": "normal(40, 50)"},
                gradients=False,
            )
        )
for reduced in ("sum", "mean", "any"):
    CASES.append(
        script(
            "torch.clone",
            f"{USED}result = [x[x > 1e9].{reduced}(), (x * 2)[x > 1e9].{reduced}()]",
            inputs={"x": "normal(40, 50)"},
            gradients=False,
        )
    )
CASES.append(
    script(
        "torch.clone",
        "def total(x):\n    return x[x > 1e9].sum() + (x * 2)[x < -1e9].sum() + (x * x).sum()\nresult = gradients(total, x)",
        inputs={"x": "normal(4, 5)"},
    )
)
