"""Statements that behave differently in MindSpore: `mapping_data/statements`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mindport.catalog.graph_facts import Advice, advice_in
from mindport.catalog.jsonl import read_json

if TYPE_CHECKING:
    from mindport.catalog.index import Index

_FILE: Final = "statements.json"


def read_statement_facts(source_dir: Path) -> str:
    """The facts in a folder of mapping data, as the index keeps them."""
    path = source_dir / "statements" / _FILE
    kept: dict[str, Any] = read_json(path) if path.exists() else {"kinds": {}}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


class StatementFacts:
    """Reads `mapping_data/statements`: what to do, by the kind of statement."""

    def __init__(self, index: Index) -> None:
        data = json.loads(index.text("statements"))
        self.kinds: Mapping[str, Advice] = {name: advice_in(one) for name, one in data["kinds"].items()}
