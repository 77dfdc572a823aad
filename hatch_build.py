"""Build hook: puts the compact catalog index and the template for LSP4IJ into the wheel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogIndexHook(BuildHookInterface[Any]):
    """Builds `mindport/catalog/index.bin` from `mapping_data` before the wheel is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; an editable install builds its index when it first runs."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "server"))
        try:
            from mindport.catalog.build import build_index
            from mindport.catalog.index import INDEX_NAME
        finally:
            sys.path.pop(0)
        destination = root / "server" / "mindport" / "catalog" / INDEX_NAME
        build_index(root / "mapping_data", destination)
        build_data["force_include"][str(destination)] = f"mindport/catalog/{INDEX_NAME}"
        build_data["force_include"][str(root / "pycharm-bridge" / "lsp4ij")] = "mindport/pycharm/lsp4ij"
