"""Pull diagnostics, and that no client gets both kinds."""

from __future__ import annotations

import pytest
from editor import capabilities, text_document, until
from lsprotocol import types

TEXT = "import torch\nfrom torch import nn\n\nlayer = nn.Conv2d(3, 4, 5)\nx = torch.randn(3)\n"


@pytest.fixture
async def puller(start):
    workspace = types.WorkspaceClientCapabilities(
        configuration=True, diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    )
    return await start(abilities=capabilities(text_document=text_document(pull=True), workspace=workspace))


async def test_full_then_unchanged_then_full(puller, tmp_path):
    uri = (tmp_path / "model.py").as_uri()
    assert puller.capabilities.diagnostic_provider.inter_file_dependencies is True
    puller.open(uri, TEXT)
    full = await puller.pull(uri)
    assert full.kind == "full" and len(full.items) == 2
    assert puller.covered(uri, full.items[0].range) == "nn.Conv2d"
    unchanged = await puller.pull(uri, full.result_id)
    assert (unchanged.kind, unchanged.result_id) == ("unchanged", full.result_id)
    puller.replace(uri, len(TEXT), len(TEXT), "\n# a comment changes nothing\n")
    assert (await puller.pull(uri, full.result_id)).kind == "unchanged"
    puller.replace(uri, 0, 0, "\n")
    moved = await puller.pull(uri, full.result_id)
    assert moved.kind == "full" and moved.result_id != full.result_id
    assert [each.range.start.line for each in moved.items] == [4, 5]
    assert puller.published == []


async def test_a_new_server_reports_the_same_as_unchanged(start, puller, tmp_path):
    uri = (tmp_path / "model.py").as_uri()
    puller.open(uri, TEXT)
    full = await puller.pull(uri)
    other = await start(abilities=capabilities(text_document=text_document(pull=True)))
    other.open(uri, TEXT)
    assert (await other.pull(uri, full.result_id)).kind == "unchanged"


async def test_new_settings_ask_for_a_new_pull(puller, tmp_path):
    uri = (tmp_path / "model.py").as_uri()
    puller.open(uri, TEXT)
    full = await puller.pull(uri)
    assert puller.client.diagnostic_refresh_count == 0
    puller.client.set_configuration({"ignore": ["MP"]}, section="mindport")
    puller.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await until(lambda: puller.client.diagnostic_refresh_count == 1)
    assert (await puller.pull(uri, full.result_id)).items == ()
    assert puller.published == []


async def test_what_is_not_open_has_none(puller):
    report = await puller.pull("file:///not/open.py")
    assert (report.kind, report.items) == ("full", ())


async def test_closing_is_not_published(puller, tmp_path):
    uri = (tmp_path / "model.py").as_uri()
    puller.open(uri, TEXT)
    await puller.pull(uri)
    puller.close(uri)
    assert (await puller.pull(uri)).items == ()
    assert puller.published == []


async def test_clients_that_listen_are_not_offered_to_pull(editor):
    assert editor.capabilities.diagnostic_provider is None
