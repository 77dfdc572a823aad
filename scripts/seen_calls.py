"""Write the shapes that calls of torch APIs have in published code: `mapping_data/verification/seen`.

    python scripts/seen_calls.py FOLDER...

A folder holds packages as published. Of a call only its shape is kept: the parameters that are given,
with a literal or the form of the value (see `docs/verification.md`). `mindport verify` runs calls of these
shapes. Shapes of calls that more files have come first.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from mindport.assess.call_matching import bind_use  # noqa: E402
from mindport.catalog.argument_form import UNKNOWN  # noqa: E402
from mindport.catalog.catalog import Catalog  # noqa: E402
from mindport.infer.values import Certainty  # noqa: E402
from mindport.project.session import Session  # noqa: E402
from mindport.project.setting_table import Settings  # noqa: E402
from mindport.source.decode import SourceError  # noqa: E402
from mindport.uses.use import Use  # noqa: E402

_DESTINATION = ROOT / "mapping_data" / "verification" / "seen" / "calls.jsonl"
_OF_UNKNOWN = re.compile(r"\b\w+\?")
"""What is known of the type of a value alone: a value of that type is as good as any."""
_MOST = 200
"""As many shapes are kept of an API."""


def shape_text(catalog: Catalog, use: Use) -> str | None:
    """The shape of a call as a text of JSON; None where it is not known or says nothing."""
    binding = bind_use(use, catalog.api(use.api))
    if use.call is None or binding is None or use.certainty is Certainty.POSSIBLE:
        return None
    shape = catalog.correspondences.shape(catalog.api(use.api), binding[1])
    texts = {name: _OF_UNKNOWN.sub(UNKNOWN, form.text) for name, form in sorted(shape.forms.items())}
    return json.dumps(texts, ensure_ascii=False)


def main(folders: list[str]) -> None:
    catalog = Catalog.load()
    seen: dict[str, Counter[str]] = {}
    for folder in map(Path, folders):
        session = Session(catalog, Settings(), [folder.resolve()])
        for path in sorted(folder.resolve().rglob("*.py")):
            try:
                found = session.analyse_file(path)
            except SourceError as error:
                print(f"{path}: {error}", file=sys.stderr)
                continue
            shapes = {
                (placed.finding.use.api, text)
                for placed in found.findings
                if (text := shape_text(catalog, placed.finding.use)) is not None
            }
            for api, text in shapes:
                seen.setdefault(api, Counter())[text] += 1
    _DESTINATION.parent.mkdir(parents=True, exist_ok=True)
    with _DESTINATION.open("w", encoding="utf-8") as file:
        for api in sorted(seen):
            ordered = sorted(seen[api].items(), key=lambda item: (-item[1], item[0]))[:_MOST]
            shapes = [json.loads(text) for text, _ in ordered]
            file.write(json.dumps({"torch": api, "shapes": shapes}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
