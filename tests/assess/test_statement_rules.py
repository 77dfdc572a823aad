"""MP208: statements that behave differently, and those like them that do not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from findings import codes, fixed, found_in

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from statement_findings import differing, is_error, told

HEAD = "import numpy as np\nimport torch\n\n\n"
FOUND = {
    "a copy by a list": ("kept = x[[0, 1]]\nkept[0] = 0", "kept[0]"),
    "a copy by a mask": ("kept = x[x > 2]\nkept[0] = 0", "kept[0]"),
    "a copy by a mask with a name": ("m = x > 2\nkept = x[m]\nkept[kept > 3] = 0", "kept[kept > 3]"),
    "a copy by places": ("i = torch.tensor([1, 0])\nkept = x[i]\nkept[0] += 1", "kept[0]"),
    "a copy of columns": ("kept = x[:, [0, 2]]\nkept[:, 0] = 9", "kept[:, 0]"),
    "a copy without a name": ("x[x > 2][0] = 7", "x[x > 2][0]"),
    "a copy of what is read later": ("y = torch.zeros(3)\nz = y[[0]]\nz[0] = 1\nprint(y)", "z[0]"),
    "a copy of what a loop comes back to": (
        "y = torch.zeros(3)\nfor n in range(3):\n    z = y[[n]]\n    z[0] = 1",
        "z[0]",
    ),
    "a copy whose name was another's before": ("kept = x + 1\nkept = x[x > 2]\nkept[0] = 0", "kept[0]"),
    "a copy by places that were computed": (
        "places = x.argmax(0).clamp(min=0)\nkept = x[places]\nkept[places == 1] = 0",
        "kept[places == 1]",
    ),
    "NumPy first": ("y = np.sqrt(2) * x", "np.sqrt(2) * x"),
    "NumPy first, less": ("y = np.float32(1) - x", "np.float32(1) - x"),
    "integers": ("i = torch.tensor([1, 0])\ny = ~i", "~i"),
    "a format": ("print(f'loss {x.sum():.4f}')", "x.sum()"),
    "a width": ("s = f'{x.mean():>10}'", "x.mean()"),
    "a format behind a line": ("s = f'''loss\n{x.mean():.2f}'''", "x.mean()"),
    "a format in a literal": ("s = '{} {:.4f}'.format(1, x.sum())", "x.sum()"),
    "a format for a place": ("s = '{1:>9} {0}'.format(x.shape, x.sum())", "x.sum()"),
    "a format for a name": ("s = ('{loss:.4f} '\n     '{loss!r:>3}').format(loss=x.sum())", "x.sum()"),
    "a format with a width that is given": ("s = '{:{}.3f} {}'.format(x.sum(), 9, 1)", "x.sum()"),
    "a format by itself": ("s = format(x.sum(), '.4f')", "x.sum()"),
    "a shift": ("i = torch.tensor([1, 2])\ny = i << 1", "i << 1"),
    "a number apart from places": ("i = torch.tensor([1, 2])\ny = x[0, :, i]", "x[0, :, i]"),
    "a number apart from a mask": ("y = x[-1, ..., x[0, 0] > 1]", "x[-1, ..., x[0, 0] > 1]"),
    "a number behind a list and a slice": ("x[:, [1, 2], 1:, 0] = 3", "x[:, [1, 2], 1:, 0]"),
}
REAL = {
    "torchmetrics 1.9.0, utilities/checks.py:268": (
        "std = torch.std(x, -1)\nfor t in range(3):\n    print(f'took: {std[0, t]:0.3f}')",
        "std[0, t]",
    ),
    "kornia 0.7.4, utils/image_print.py:366": ("r, g, b = x[:, 0, 1]\nh = f'{r:2x}'", "r"),
    "yolov5 7.0.14, classify/predict.py:154": (
        "prob = x.softmax(0)\ntext = '\\n'.join(f'{prob[j]:.2f}' for j in [1])",
        "prob[j]",
    ),
    "pytorch-lightning 2.5.0, callbacks/early_stopping.py:262": (
        "msg = f'{abs(x - 1):.3f} >='",
        "abs(x - 1)",
    ),
}
"""The shapes of statements at these places of published packages."""
LEFT_ALONE = {
    "a view": "kept = x[0]\nkept[0] = 0",
    "a slice": "kept = x[:, 1:]\nkept[0] = 0",
    "a copy of a copy": "kept = x[[0, 1]].clone()\nkept[0] = 0",
    "a copy that is read": "kept = x[x > 2]\nprint(kept[0])",
    "a copy that was computed with": "kept = x[x > 2] * 2\nkept[0] = 0",
    "one of two": "kept = x[[0]]\nif x.ndim:\n    kept = x.clone()\nkept[0] = 0",
    "a copy of what nobody reads again": "y = torch.zeros(3)\nz = y[[0]]\nz[0] = 1\nprint(z)",
    "a list": "y = [[1], [2]]\nz = y[0]\nz[0] = 1",
    "assignment to what a mask selects": "x[x > 2] = 0",
    "an array": "y = np.ones(3)\nz = y[[0, 1]]\nz[0] = 1",
    "a number that a Tensor indexes by": "i = torch.tensor(1)\nz = x[i]\nz[0] = 1",
    "a place out of a Tensor": "for i in x.nonzero():\n    z = x[i[0]]\n    z[0] = 1",
    "a place that a loop goes through": "for i in x.argsort():\n    z = x[i]\n    z[0] = 1",
    "a place that is the largest": "i = x.argmax()\nz = x[i]\nz[0] = 1",
    "NumPy last": "y = x * np.sqrt(2)",
    "a constant of NumPy": "y = np.pi * x",
    "arrays": "y = np.sqrt(2) * np.ones(3)",
    "a mask": "y = ~(x > 2)",
    "a mask with a name": "m = torch.tensor([True])\ny = ~m",
    "a number with a format": "print(f'{x.sum().item():.4f} {x.shape[0]:4d}')",
    "a Tensor without a format": "print(f'{x.sum()}')",
    "a Tensor in a literal without a format": "print('{} {!s:>9} {:.2f}'.format(x, x, 1.5))",
    "a format of a part": "print('{0.ndim:3d} {0[0]!r:>3}'.format(x))",
    "a literal that is none to format": "print('{'.format(x), '{:.2f'.format(x))",
    "a format of its own": "def format(x, how):\n    return how\ns = format(x, '.4f')",
    "a format that is computed": "s = ('{:' + '.4f}').format(x.sum())",
    "a shift of numbers": "y = 1 << 2",
    "a number beside places": "i = torch.tensor([1, 2])\ny = x[:, 0, i, :]",
    "a number behind places that come first": "y = x[[1, 2], :, 0]",
    "a number before places with axes between": "y = x[0, [1, 2], :, [1, 2]]",
    "numbers alone": "y = x[0, :, 0]",
    "what may be a number": "for i in range(3):\n    y = x[0, :, i]",
    "an array with a number apart": "y = np.ones((2, 2, 2))[0, :, [1, 0]]",
}


def in_function(body: str) -> str:
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}def run(x: torch.Tensor):\n{inner}"


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    body, covered = FOUND[name]
    assert codes(in_function(body), select=["MP208"]) == [f"MP208 {covered}"]


@pytest.mark.parametrize("place", REAL)
def test_as_published_packages_have_it(place: str) -> None:
    body, covered = REAL[place]
    assert codes(in_function(body), select=["MP208"]) == [f"MP208 {covered}"]


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_left_alone(name: str) -> None:
    assert codes(in_function(LEFT_ALONE[name]), select=["MP208"]) == []


def test_found_where_no_api_is_used() -> None:
    source = (
        "import torch\nloss = torch.zeros(3).sum()\nprint(f'{loss:.4f}')\n\n\n"
        "def told():\n    return '{:.2f}'.format(loss)\n"
    )
    assert codes(source, select=["MP208"]) == ["MP208 loss", "MP208 loss"]


@pytest.mark.parametrize(
    ("statement", "after"),
    [
        ("s = f'{x.sum():.4f}'", "s = f'{x.sum().item():.4f}'"),
        ("s = f'{-x.sum() * 2:.4f}'", "s = f'{(-x.sum() * 2).item():.4f}'"),
        ("s = '{:.1f} {:.4f}'.format(1.5, x[0])", "s = '{:.1f} {:.4f}'.format(1.5, x[0].item())"),
        ("s = format(x.sum(), '.4f')", "s = format(x.sum().item(), '.4f')"),
        ("s = f'{torch.sum(x):.4f}'", "s = f'{mint.sum(x).item():.4f}'"),
        ("s = f'{x.sum()=:.4f}'", "s = f'{x.sum()=:.4f}'"),
    ],
)
def test_a_format_gets_a_number(statement: str, after: str) -> None:
    assert after in fixed(in_function(statement), device="cpu")


def test_what_is_told() -> None:
    _, found = found_in(in_function("kept = x[[0, 1]]\nkept[0] = 0"), select=["MP208"])
    (one,) = found.diagnostics()
    assert "reaches the original" in one.finding.message("en")
    assert "会改变原 Tensor" in one.finding.message("zh-cn")


def test_what_differs_without_a_message_is_found() -> None:
    """Of all statements that ran in both frameworks: but for those that say why not."""
    silent = [one for one in differing() if not is_error(one["torch"]) and not is_error(one["mindspore"])]
    assert len(silent) > 20
    for one in silent:
        assert bool(told(one["statement"])) != ("untold" in one), one["statement"]
