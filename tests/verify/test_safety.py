"""What may be changed unasked is backed by evidence or binding, on every device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mindport.assess.file_findings import PlacedFinding
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import Device
from mindport.project.session import Session
from mindport.project.settings import Settings
from mindport.source.document import Document
from mindport.verify.snippet import snippets
from mindport.verify.table import InputTable

_MOST_CALLS = 2
_AGAINST = ("differs", "dtype_differs", "unsupported", "fails")


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
        has_no_device = candidate.template is not None and not candidate.apis
        evidence = candidate.evidence or (candidate.elsewhere if has_no_device else None)
        said = (placed.finding.use.api, candidate.template or candidate.target, evidence)
        if evidence is not None and evidence.of_calls:
            of_other_calls = any(d.only_given for d in candidate.differences)
            assert evidence.result not in _AGAINST or of_other_calls, said
        assert evidence is not None or candidate.kind == "api", said
        assert not any(d.code.endswith("measured") for d in placed.finding.differences), said
    assert count > 800
