"""What may be changed unasked is backed by evidence or binding, on every device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mindport.assess.call_matching import bind_use
from mindport.assess.file_findings import PlacedFinding
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Device
from mindport.catalog.tried_calls import CallShape
from mindport.project.session import Session
from mindport.project.setting_table import Settings
from mindport.source.document import Document
from mindport.uses.use import Use
from mindport.verify.snippet import snippets
from mindport.verify.table import InputTable

pytestmark = pytest.mark.slow

_MOST_CALLS = 2


def safe_fixes(device: Device, names: list[str]) -> Iterator[PlacedFinding]:
    """The findings of calls whose fix is safe."""
    catalog = Catalog.load()
    table = InputTable.of(catalog)
    session = Session(catalog, Settings(device=device))
    for name in names:
        api = catalog.api(name)
        for snippet in snippets(api, catalog, table)[:_MOST_CALLS] if api is not None else ():
            found = session.analyse("snippet.py", Document.open("snippet.py", snippet.source))
            for placed in found.findings:
                if placed.finding.use.kind == "call" and placed.finding.fix == "safe":
                    yield placed


def shape_of_call(catalog: Catalog, use: Use) -> CallShape:
    """The shape of a call, bound as assessment binds it."""
    api = catalog.api(use.api)
    binding = bind_use(use, api)
    assert binding is not None
    return catalog.correspondences.shape(api, binding[1])


@pytest.mark.parametrize("device", ["cpu", "ascend"])
def test_no_safe_fix_without_evidence_or_binding(device: Device) -> None:
    catalog = Catalog.load()
    names = [n for n in catalog.torch_names if catalog.is_documented(n)]
    count = 0
    for placed in safe_fixes(device, names):
        candidate = placed.finding.candidate
        if candidate is None:
            continue  # a call that is not needed is removed
        count += 1
        finding = placed.finding
        said = (finding.use.api, candidate.text, finding.proof, candidate.evidence)
        assert finding.proof == "run" or (finding.proof == "bound" and device != "cpu"), said
        shape = shape_of_call(catalog, finding.use)
        verdict = catalog.correspondences.tried(finding.use.api, candidate, "cpu").verdict(shape)
        if device == "cpu":
            assert verdict == "equal", said
        elif "cpu" not in candidate.explained_on:
            assert verdict not in ("differs", "raises"), said
        assert not any(d.code.endswith("measured") for d in finding.differences), said
    assert count > 800
