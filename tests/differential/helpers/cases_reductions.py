"""Reductions of Tensors without values."""

from __future__ import annotations

from case import Case, function, script

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

NUMBER, PLACE = "normal()", "integers((), 1)"
"""A Tensor without dimensions, and a place in it."""


def of_number(api: str, made: str, *, gradients: bool = True, **inputs: str) -> None:
    """A function along the axis of a Tensor that has none."""
    CASES.append(function(f"torch.{api}", made, NUMBER, inputs=inputs, gradients=gradients))


for api in ("cumsum", "cummax", "cummin", "logcumsumexp", "sort", "median", "nanmedian"):
    of_number(api, "x, 0")
of_number("mode", "x", gradients=False)
of_number("topk", "x, 1, -1")
of_number("kthvalue", "x, 1")
CASES.append(
    script(
        "torch.topk torch.zeros",
        "result = [*topk(x, 0), *topk(x, 0, 0), *topk(zeros(0), 0), *topk(zeros(2, 0), 0, dim=1)]",
        inputs={"x": "normal(3, 4)"},
    )
)
of_number("quantile", "x, 0.3, 0")
of_number("Tensor.unfold", "x, 0, 1, 1")
for api in ("index_add", "index_copy"):
    of_number(api, "x, 0, y, z", y=PLACE, z=NUMBER)
    of_number(api, "x, 0, y, z", y="integers(1, 1)", z=NUMBER)
of_number("index_select", "x, 0, y", y=PLACE)
of_number("index_fill", "x, 0, y, 2", y=PLACE, gradients=False)
of_number("index_reduce", "x, 0, y, z, 'amax'", y=PLACE, z=NUMBER)
of_number("gather", "x, 0, y", y=PLACE)
of_number("gather", "x, 0, y", y="integers(1, 1)")
for api in ("scatter", "scatter_add"):
    of_number(api, "x, 0, y, z", y=PLACE, z=NUMBER)
CASES.append(function("torch.gather", "x, 0, y", "normal(3)", inputs={"y": "integers((), 3)"}))
# products with nothing to sum: what MindSpore gives is what was in memory before
CASES += [
    script(
        "torch.enable_grad",
        f"result = {made}",
        inputs={"x": "normal(3, 0)", "y": "normal(0, 4)"},
        gradients=False,
    )
    for made in ("x @ y", "x.matmul(y)", "x.mm(y)", "(x @ y).sum()")
]
