"""What clients of other makers say they can do, and how they behave.

LSP4IJ: `ClientCapabilitiesFactory` of its repository, the part that concerns us, as JSON.
JetBrains' own client: its documentation (Language Server Protocol, "Supported features") by version; the exact
capabilities are not published, so that only what the documentation says is claimed here.
"""

from __future__ import annotations

from typing import Any

_KINDS = [
    "quickfix",
    "refactor",
    "refactor.extract",
    "refactor.inline",
    "refactor.rewrite",
    "source",
    "source.organizeImports",
]
_MARKUP = ["markdown", "plaintext"]

LSP4IJ: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "symbol": {},
        "executeCommand": {"dynamicRegistration": True},
        "workspaceFolders": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "delete", "rename"]},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"dynamicRegistration": True, "willSave": True, "didSave": True},
        "publishDiagnostics": {
            "dataSupport": True,
            "codeDescriptionSupport": True,
            "relatedInformation": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": True},
        "codeAction": {
            "dynamicRegistration": True,
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": _KINDS}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "hover": {"dynamicRegistration": True, "contentFormat": _MARKUP},
    },
    "window": {"workDoneProgress": True, "showMessage": {}},
    "general": {
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
        "positionEncodings": ["utf-16"],
    },
}

JETBRAINS: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "diagnostic": {"dynamicRegistration": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "hover": {"contentFormat": _MARKUP},
    },
    "general": {"positionEncodings": ["utf-16"]},
}
CLIENTS = {"LSP4IJ": LSP4IJ, "JetBrains": JETBRAINS}
