"""Gradients where two branches of a function meet: at 0, at bounds, and where values are equal. Zeros are common
there: padding, what an activation before left, and weights that start at 0."""

from __future__ import annotations

from case import Case, script

WHOLE = "np.round(1.2 * normal(4, 6))"
PAIR = {"y": "np.round(1.2 * normal(4, 6))"}


def tie(name: str, given: str, more: dict[str, str] | None = None, **options: object) -> Case:
    """A function, called with `given`; a script, since there are two second gradients at such places."""
    source = f"result = {name.rpartition('.')[2]}({given})"
    return script(f"torch.{name}", source, inputs={"x": WHOLE, **(more or {})}, **options)


CASES: list[Case] = [
    *(
        tie(f"nn.functional.{name}", f"x{arguments}")
        for name, arguments in (
            ("relu", ""),
            ("relu6", ""),
            ("leaky_relu", ""),
            ("leaky_relu", ", 0.2"),
            ("leaky_relu", ", 2.0"),
            ("elu", ", 0.5"),
            ("elu", ", alpha=2.0"),
            ("selu", ""),
            ("celu", ", 0.5"),
            ("rrelu", ", training=False"),
            ("hardtanh", ""),
            ("hardsigmoid", ""),
            ("hardswish", ""),
            ("softshrink", ", 1.0"),
            ("hardshrink", ", 1.0"),
            ("threshold", ", 1.0, 0.5"),
            ("softplus", ""),
            ("logsigmoid", ""),
        )
    ),
    tie("nn.functional.prelu", "x, y", {"y": "uniform(1)"}),
    tie("nn.functional.prelu", "x, y", {"y": "uniform(6)"}),
    *(
        tie(name, made, PAIR)
        for name, made in (
            ("clamp", "x, -1, 1"),
            ("clamp", "x, min=y"),
            ("maximum", "x, y"),
            ("minimum", "x, y"),
            ("amax", "x, 1"),
            ("amin", "x, (0, 1)"),
            ("xlogy", "x, abs(y) + 1"),
            ("cdist", "x, y"),
            ("nn.functional.l1_loss", "x, y"),
            ("nn.functional.smooth_l1_loss", "x, y"),
            ("nn.functional.huber_loss", "x, y"),
            ("nn.functional.margin_ranking_loss", "x, y, abs(y) * 0 + 1, margin=1.0"),
            ("nn.functional.triplet_margin_loss", "x, y, x + 1, margin=0.5"),
        )
    ),
    tie("nn.functional.hinge_embedding_loss", "x, y", {"y": "np.sign(normal(4, 6))"}, fixed=("y",)),
]
