"""What is changed unasked computes the same: ordinary calls with arguments of many shapes, converted with the
safe fixes for CPU alone and run in both frameworks, in the Python that MINDPORT_TORCH_PYTHON names.

A call that is left as it is cannot be wrong; how many are changed is counted, so that leaving all does not pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from mindport.catalog.catalog import Catalog
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.rewrite.edit import applied
from mindport.source.document import Document
from mindport.verify.compare import Way, compare
from mindport.verify.pool import TrialWorker
from mindport.verify.trial import names_torch
from silent import snippet_from

_NORMS = ("1", "2", "3", "0.5", "'fro'", "float('inf')")
_DIMENSIONS = ("0", "-1", "(1,)", "(1, 2)", "(-2, -1)", "(0, 1, 2)")
_PADS = ("(1, 2)", "(1, 1, 2, 0)", "[1, 1, 1, 1]")
_MODES = ("'constant'", "'reflect'", "'replicate'", "'circular'")
CALLS = [
    *(f"torch.norm(f(2, 3, 4), {p}, dim={d})" for p in _NORMS for d in _DIMENSIONS),
    *(f"f(2, 3, 4).norm(p={p}, dim={d}, keepdim=True)" for p in _NORMS for d in _DIMENSIONS),
    *(f"torch.norm(f(2, 3, 4), {p})" for p in _NORMS),
    *(f"torch.nn.functional.pad(f(1, 2, 5, 5), {pad}, mode={mode})" for pad in _PADS for mode in _MODES),
    *(f"torch.nn.functional.pad(f(1, 2, 5), (1, 2), {mode})" for mode in _MODES),
    "torch.nn.functional.pad(f(3, 4), (1, 1))",
    "torch.nn.functional.pad(f(3, 4), (1, 1), value=2)",
    *(f"torch.tile(f(3, 4), {size})" for size in ("[2, 1]", "(2, 1)", "(2,)", "(2, 1, 1)")),
    *(f"f(3, 4).repeat({size})" for size in ("[2, 1]", "(2, 1)", "2, 1", "2, 1, 1")),
    *(f"f(3, 4).tile({size})" for size in ("[2, 1]", "(2, 1)", "2, 1")),
    *(f"torch.cdist(f(3, 4), f(2, 4), p={p})" for p in ("1", "2", "2.0", "1.5", "float('inf')")),
    *(f"f(3, 4).flip({dims})" for dims in ("0", "-1", "(0, 1)", "[0]", "0, 1")),
    "torch.where(b(3, 4))",
    "torch.where(f(3, 4) > 100)",
    "torch.where(b(3, 4), f(3, 4), 0)",
    "torch.where(b(3, 4), 1.0, f(3, 4))",
    "torch.nn.functional.binary_cross_entropy(unit(3, 4), unit(3, 4))",
    "torch.nn.functional.binary_cross_entropy(p(3, 4), p(3, 4), reduction='sum')",
    *(f"f(3, 1, 4).squeeze({d})" for d in ("", "1", "dim=1", "(0, 1)")),
    *(f"f(2, 3, 4).sum({d})" for d in ("", "1", "-1", "(0, 2)", "dim=(1, 2), keepdim=True")),
    *(f"torch.var(f(2, 3, 4), {a})" for a in ("1", "dim=(0, 1)", "1, unbiased=False", "dim=1, correction=0")),
    *(f"torch.cat([f(2, 3), f(2, 3)], dim={d})" for d in ("0", "1", "-1")),
    *(f"torch.stack((f(2, 3), f(2, 3)), {d})" for d in ("0", "1", "-1")),
    *(f"torch.clamp(f(3, 4), {a})" for a in ("-1, 1", "min=0", "max=0.5", "min=-0.5, max=1")),
    *(f"torch.zeros({a})" for a in ("2", "2, 3", "(2, 3)", "[2, 3]", "2, dtype=torch.int64", "()")),
    *(f"torch.full((2, 3), {v})" for v in ("1", "-1", "0.5", "True", "float('inf')")),
    *(f"torch.arange({a})" for a in ("5", "1, 5", "0, 1, 0.25", "5, dtype=torch.float32", "5.0", "5, 0, -1")),
]
LAYERS: list[Mapping[str, Any]] = [
    {"make": f"torch.nn.Upsample({a})", "run": "f(1, 2, 6, 6)"}
    for a in (
        "scale_factor=2",
        "scale_factor=2, mode='bilinear'",
        "scale_factor=2.0, mode='bilinear', align_corners=True",
        "size=(9, 9), mode='nearest'",
    )
]
LAYERS += [
    {"make": f"torch.nn.LayerNorm({a})", "run": "f(2, 3, 4)"} for a in ("4", "(3, 4)", "[4]", "4, eps=1e-6")
]
LAYERS += [
    {"make": f"torch.nn.Conv2d(2, 4, {a})", "run": "f(1, 2, 8, 8)"}
    for a in (
        "3",
        "3, padding=1",
        "3, 2, 1",
        "(3, 1), padding=(1, 0)",
        "3, padding='same'",
        "3, groups=2",
        "1, bias=False",
    )
]
LAYERS += [
    {"make": f"torch.nn.ConvTranspose2d(2, 4, {a})", "run": "f(1, 2, 6, 6)"}
    for a in ("2, 2", "3, 2, 1, 1", "3, stride=2, padding=1, output_padding=1")
]
LAYERS += [{"make": "torch.nn.BCELoss()", "run": "unit(3, 4), unit(3, 4)"}]
OPTIMIZERS: list[Mapping[str, Any]] = [
    {"optimizer": f"torch.optim.{call}"}
    for call in (
        "Adam(params)",
        "Adam(params, eps=1e-3)",
        "Adam(params, lr=0.01, weight_decay=0.1)",
        "AdamW(params, eps=1e-3)",
        "SGD(params, lr=0.1, momentum=0.9)",
        "SGD(params, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
        "RMSprop(params, eps=1e-3)",
    )
]
ITEMS = [*({"call": call} for call in CALLS), *LAYERS, *OPTIMIZERS]
_LEAST_CHANGED = 80


def converted(catalog: Catalog, source: str) -> str | None:
    """A text with the safe fixes for CPU; None where something is left for a person to look at."""
    session = Session(catalog, Settings(device="cpu"))
    found = session.analyse("snippet.py", Document.open("snippet.py", source))
    if any(placed.finding.fix != "safe" for placed in found.diagnostics()):
        return None
    after = applied(source.encode(), session.fix_all(found)).decode()
    return None if names_torch(after) else after


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: next(iter(item.values())))
def test_a_safe_fix_computes_the_same(
    catalog: Catalog, workers: tuple[TrialWorker, TrialWorker], item: Mapping[str, Any]
) -> None:
    snippet = snippet_from(item, catalog)
    after = converted(catalog, snippet.source)
    if after is None:
        return
    torch, mindspore = workers
    ours, theirs = torch.run(snippet.task_for(snippet.source)), mindspore.run(snippet.task_for(after))
    if "error" in ours:
        return  # no call that anybody makes
    assert "error" not in theirs, f"{theirs}\n{after}"
    verdict = compare(ours["value"], theirs["value"], Way())
    assert verdict.aspect is None, f"{verdict.aspect}: {verdict.detail}\n{after}"


def test_most_are_changed(catalog: Catalog) -> None:
    changed = [item for item in ITEMS if converted(catalog, snippet_from(item, catalog).source)]
    assert len(changed) >= _LEAST_CHANGED
