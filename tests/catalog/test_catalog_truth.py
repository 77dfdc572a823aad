"""Names that really ran (`../shared/truth`, not part of the repository) resolve to the right public name."""

from __future__ import annotations

import gzip
import json

import pytest
from mapping_samples import ROOT
from mindport.catalog.catalog import Catalog

TRUTH = ROOT.parent / "shared" / "truth"

IMPOSSIBLE = {
    "torch.nn.attention.warn": "it is `warnings.warn`, which a torch module happens to import",
    "torch.onnx._internal.torchscript_exporter.symbolic_helper.parse_args": (
        "its public name is `torch.onnx.symbolic_helper.parse_args`"
    ),
}


@pytest.mark.skipif(not TRUTH.is_dir(), reason="../shared/truth is not there")
def test_recorded_names_resolve(catalog: Catalog) -> None:
    wrong = {}
    seen = 0
    for path in sorted(TRUTH.glob("*.jsonl.gz")):
        if ".nontorch." in path.name:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                accepted = {*row["api"], *row.get("aliases", ())}
                for name in row["api"]:
                    seen += 1
                    if catalog.canonical(name) not in accepted and name not in IMPOSSIBLE:
                        wrong[name] = catalog.canonical(name)
    assert seen > 1000
    assert wrong == {}
