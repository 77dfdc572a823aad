"""Makes VS Code take Chinese for its language.

VS Code's own texts stay English: their translation is only on the marketplace. Extensions show their Chinese
texts, which is what is tested.
"""

from __future__ import annotations

import json
from pathlib import Path

LOCALE = "zh-cn"


def add_chinese(profile: Path) -> None:
    """Put a language pack without texts into a profile, as VS Code notes the ones that are installed."""
    texts = profile / "chinese.json"
    texts.write_text(json.dumps({"version": "1.0.0", "contents": {}}), "utf-8")
    pack = {
        "hash": "chinese",
        "label": "中文(简体)",
        "extensions": [{"extensionIdentifier": {"id": "mindport-tests.chinese"}, "version": "1.0.0"}],
        "translations": {"vscode": str(texts)},
    }
    (profile / "languagepacks.json").write_text(json.dumps({LOCALE: pack}), "utf-8")
