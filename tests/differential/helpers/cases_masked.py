"""torch.masked: functions of the values where a mask is true."""

from __future__ import annotations

from case import Case, function

CASES: list[Case] = []
MATRIX = "normal(3, 4)"
MASK = {
    "y": "np.array([[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 1]], bool)",
    "z": "np.array([1, 0, 1, 1], bool)",
}


def masked(name: str, *rows: str, x: str = MATRIX, gradients: bool = True, **options: object) -> None:
    """Each call, with the masks `y`, of the shape of the input, and `z`, of one dimension."""
    for made in rows:
        CASES.append(
            function(f"torch.masked.{name}", made, x, inputs=MASK, gradients=gradients, **options)  # type: ignore[arg-type]
        )


REDUCED = ("x", "x, 1", "x, mask=y", "x, dim=0, mask=z", "x, (0, 1), keepdim=True, mask=y", "x, -1, mask=y")
for reduction in ("sum", "prod", "amax", "amin", "mean", "var", "std", "norm"):
    masked(reduction, *(row.replace("x, ", "x, 2.0, ") if reduction == "norm" else row for row in REDUCED))
for reduction in ("sum", "prod", "amax", "amin", "var"):
    masked(reduction, "x, 1, mask=y", "x, mask=z", x="integers((3, 4), 9, 1)", gradients=False)
masked("logsumexp", "x, 1", "x, 0, mask=z", "x, dim=1, keepdim=True, mask=y")
masked("norm", "x, float('inf'), 1, mask=y", "x, float('-inf'), 1, mask=y", gradients=False)
masked("var", "x, 1, False, mask=y", "x, 1, correction=2, mask=y", gradients=False)
masked("argmax", "x", "x, 1, mask=y", "x, dim=0, keepdim=True, mask=z", gradients=False)
masked("argmin", "x", "x, 1, mask=y", "x, dim=0, keepdim=True, mask=z", gradients=False)
masked("median", "x, 1, mask=y", "x, mask=z", "x, 0, keepdim=True")
for along in ("softmax", "log_softmax", "softmin", "cumsum", "cumprod"):
    masked(along, "x, 1", "x, dim=1, dtype=float64", gradients=False)
    masked(along, "x, 1, mask=y", "x, 0, mask=z", gradients=along in ("cumsum", "cumprod"))
masked("normalize", "x, 2.0, 1", "x, 2.0, 1, mask=y")
masked("logaddexp", "x, x + 1", "x, x + 1, input_mask=y, other_mask=z", gradients=False)
