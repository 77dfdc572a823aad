"""Where the clients are, and how settings are compared between them and the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mindport.project.setting_table import SETTINGS, Settings

ROOT = Path(__file__).resolve().parents[2]
VSCODE = ROOT / "vscode-client"
LSP4IJ = ROOT / "pycharm-bridge" / "lsp4ij"
EXAMPLES = ROOT / "docs" / "examples"


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def accepted(setting: dict[str, Any]) -> dict[str, Any]:
    """What a JSON schema of one setting says about values, in a form that can be compared."""
    items = setting.get("items", {})
    by_code = setting.get("patternProperties", {})
    return {
        "type": setting["type"],
        "enum": setting.get("enum"),
        "item": items.get("type"),
        "pattern": items.get("pattern"),
        "values": {pattern: value["enum"] for pattern, value in by_code.items()},
        "default": setting["default"],
    }


def server_settings() -> dict[str, dict[str, Any]]:
    """What the server accepts, by the name of the setting."""
    defaults = Settings().as_json()
    return {name: accepted({**one.schema, "default": defaults[name]}) for name, one in SETTINGS.items()}
