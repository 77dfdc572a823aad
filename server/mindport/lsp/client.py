"""What the client can do, as it said when it started the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from mindport.lsp.uris import file_of
from mindport.source.lines import PositionEncoding


@dataclass(frozen=True, slots=True)
class Client:
    """The client's abilities that the server asks about. The defaults are those of the plainest client."""

    encoding: PositionEncoding = "utf-16"
    folders: tuple[Path, ...] = ()
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    describes_codes: bool = False
    keeps_data: bool = False
    shows_deprecated: bool = False
    shows_markdown: bool = False
    completes_markdown: bool = False
    resolves_edits: bool = False
    versioned_edits: bool = False
    creates_files: bool = False
    applies_edits: bool = False
    shows_progress: bool = False
    has_configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    hears_of_changes: bool = False

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """From the parameters of `initialize`."""
        all_of_it = params.capabilities
        code_action = _get(all_of_it, "text_document.code_action")
        diagnostics = _get(all_of_it, "text_document.publish_diagnostics")
        pull = _get(all_of_it, "text_document.diagnostic")
        resolved = _get(code_action, "resolve_support.properties") or ()
        tags = _get(diagnostics, "tag_support.value_set") or ()
        formats = _get(all_of_it, "text_document.hover.content_format") or ()
        described = _get(all_of_it, "text_document.completion.completion_item.documentation_format") or ()
        return cls(
            encoding=_encoding(all_of_it),
            folders=tuple(_folders(params)),
            pulls_diagnostics=pull is not None,
            refreshes_diagnostics=bool(_get(all_of_it, "workspace.diagnostics.refresh_support")),
            describes_codes=_either(diagnostics, pull, "code_description_support"),
            keeps_data=_either(diagnostics, pull, "data_support"),
            shows_deprecated=types.DiagnosticTag.Deprecated in tags
            or types.DiagnosticTag.Deprecated in (_get(pull, "tag_support.value_set") or ()),
            shows_markdown=types.MarkupKind.Markdown in formats,
            completes_markdown=types.MarkupKind.Markdown in described,
            resolves_edits="edit" in resolved and bool(_get(code_action, "data_support")),
            versioned_edits=bool(_get(all_of_it, "workspace.workspace_edit.document_changes")),
            creates_files=types.ResourceOperationKind.Create
            in (_get(all_of_it, "workspace.workspace_edit.resource_operations") or ()),
            applies_edits=bool(_get(all_of_it, "workspace.apply_edit")),
            shows_progress=bool(_get(all_of_it, "window.work_done_progress")),
            has_configuration=bool(_get(all_of_it, "workspace.configuration")),
            registers_configuration=bool(
                _get(all_of_it, "workspace.did_change_configuration.dynamic_registration")
            ),
            registers_watchers=bool(
                _get(all_of_it, "workspace.did_change_watched_files.dynamic_registration")
            ),
            hears_of_changes=_says(all_of_it.experimental, "mindport", "refresh"),
        )


def _get(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name, None)
    return value


def _says(value: Any, *names: str) -> bool:
    """Whether an object of no fixed form has this name, and in it the next one, up to `true`."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value is True


def _either(one: Any, other: Any, name: str) -> bool:
    return bool(_get(one, name) or _get(other, name))


def _encoding(capabilities: types.ClientCapabilities) -> PositionEncoding:
    chosen = ServerCapabilitiesBuilder.choose_position_encoding(capabilities)
    if chosen == types.PositionEncodingKind.Utf8:
        return "utf-8"
    return "utf-32" if chosen == types.PositionEncodingKind.Utf32 else "utf-16"


def _folders(params: types.InitializeParams) -> Sequence[Path]:
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris.append(params.root_uri)
    folders = [folder for folder in map(file_of, uris) if folder is not None]
    if not folders and params.root_path:
        folders.append(Path(params.root_path))
    return folders
