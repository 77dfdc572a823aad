"""Functions of lists of Tensors: what they give, and what they change in place."""

from __future__ import annotations

from case import Case, script

INPUTS = {"x": "uniform(3, 4)", "y": "uniform(2)", "u": "uniform(3, 4)", "v": "uniform(2)"}
OF_ONE = (
    *[
        "abs",
        "acos",
        "asin",
        "atan",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "expm1",
        "floor",
        "frac",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "neg",
        "reciprocal",
    ],
    *["round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"],
)
OF_MORE = {
    "add": ("[u, v]", "[u, v], alpha=2", "3.0", "[1.0, 2.0]"),
    "sub": ("[u, v]", "[u, v], alpha=2", "3.0"),
    "mul": ("[u, v]", "3.0", "[1.0, 2.0]", "tensor(np.float32(2))"),
    "div": ("[u, v]", "3.0", "[1.0, 2.0]"),
    "pow": ("[u, v]", "3.0", "[1.0, 2.0]"),
    "lerp": ("[u, v], 0.3", "[u, v], [u, v]"),
    "addcmul": ("[u, v], [x, y]", "[u, v], [x, y], 0.5", "[u, v], [x, y], [0.5, 2.0]"),
    "addcdiv": ("[u, v], [x, y]", "[u, v], [x, y], 0.5", "[u, v], [x, y], [0.5, 2.0]"),
    "clamp_max": ("0.4", "[0.2, 0.6]", "[u, v]"),
    "clamp_min": ("0.4", "[0.2, 0.6]", "[u, v]"),
    "maximum": ("0.4", "[u, v]"),
    "minimum": ("0.4", "[u, v]"),
}


def case(name: str, *behind: str) -> Case:
    """Both forms of a function, the one that changes and the one that does not."""
    lines = ["result = []"]
    for given in behind or ("",):
        rest = f", {given}" if given else ""
        lines.append(
            f"made = [x * 1, y * 1]\nresult += [list(_foreach_{name}(made{rest})), _foreach_{name}_(made{rest}) is None, made]"
        )
    lines.append("result = [one for one in result if one is not False]")
    source = "\n".join(lines)
    return script(f"torch._foreach_{name} torch._foreach_{name}_", source, inputs=INPUTS)


CASES: list[Case] = [
    *(case(name) for name in OF_ONE),
    *(case(name, *given) for name, given in OF_MORE.items()),
    script(
        "torch._foreach_clone torch._foreach_norm torch._foreach_max torch._foreach_mm torch._foreach_zero_"
        " torch._foreach_copy_ torch._foreach_pow",
        "made = [x * 1, y * 1]\ncopies = list(_foreach_clone(made))\nresult = [list(_foreach_norm(made)), list(_foreach_norm(made, 1)),\n"
        "    list(_foreach_max(made)), list(_foreach_mm([x], [u.T])), list(_foreach_pow(2.0, made))]\n"
        "_foreach_zero_(made)\nresult += [made, copies]\n_foreach_copy_(made, [u, v])\nresult += [made]",
        inputs=INPUTS,
    ),
]
