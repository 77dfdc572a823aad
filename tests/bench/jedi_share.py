"""What jedi adds to the stubs of installed packages (docs/resolution.md), and what it costs.

`python tests/bench/jedi_share.py ENVIRONMENT FOLDER...` scans each folder with the packages of an environment:
with jedi, without it, and without any stubs. mindport must not be compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from servers import ROOT

Use = tuple[Any, ...]


def uses(text: str) -> set[Use]:
    """The uses of a file's entry: what is claimed, where, and how sure it is."""
    return {
        (use["api"], use["kind"], use["certainty"], *use["start"].values(), *use["end"].values())
        for use in json.loads(text)["uses"]
    }


def scanned(folder: Path, python: Path) -> tuple[dict[Path, set[Use]], float]:
    """The uses in each file of a folder, and the processor time, with that of jedi's process."""
    from mindport.project.discover import discover, import_roots
    from mindport.project.setting_table import Settings
    from mindport.report.json_report import JsonReport
    from mindport.scan import pool
    from mindport.scan.scanner import Scanner
    from mindport.scan.tasks import ScanFile

    settings = Settings(python=str(python))
    before = os.times()
    with tempfile.TemporaryDirectory() as cache, patch.dict(os.environ, MINDPORT_CACHE_DIR=cache):
        reporter = JsonReport(settings.ported_to, "en")
        scanner: Scanner[Any] = Scanner(settings, reporter)
        with pool.without_collection():
            paths = discover([folder], []).files
            files = [ScanFile(place, path, import_roots(path)) for place, path in enumerate(paths)]
            found = {file.path: uses(scanner.analyse(file).entry.text) for file in files}
        scanner._stubs.close()
    return found, sum(b - a for a, b in zip(before[:4], os.times()[:4], strict=True))


def measure(folder: Path, python: Path) -> dict[str, object]:
    """All figures of one folder."""
    from mindport.project.jedi_answers import JediAnswers
    from mindport.project.stub_generator import StubGenerator
    from mindport.project.stub_index import PackageStubs

    stubs: dict[str, tuple[bool, bool]] = {}
    answers: dict[str, object] = {}
    waited = [0.0]
    types, stub = JediAnswers.types, StubGenerator.stub

    def asked(jedi: JediAnswers, dotted: str) -> list[str] | None:
        begin = time.perf_counter()
        try:
            answers[dotted] = None
            answers[dotted] = found = types(jedi, dotted)
            return found
        finally:
            waited[0] += time.perf_counter() - begin

    def made(generator: StubGenerator, dotted: str) -> Any:
        found = stub(generator, dotted)
        stubs[dotted] = bool(found.text), found.is_open
        return found

    with patch.object(JediAnswers, "types", asked), patch.object(StubGenerator, "stub", made):
        whole, seconds = scanned(folder, python)
    with patch.object(JediAnswers, "types", lambda *_: None):
        without, seconds_without = scanned(folder, python)
    with patch.object(PackageStubs, "of", lambda _, names: dict.fromkeys(names, "")):
        bare, seconds_bare = scanned(folder, python)
    return {
        "folder": folder.name,
        "files": len(whole),
        "uses": sum(map(len, whole.values())),
        "names_looked_up": len(stubs),
        "stubs_of_ours": sum(text for text, _ in stubs.values()),
        "asked_of_jedi": len(answers),
        "answered_by_jedi": {name: types for name, types in answers.items() if types},
        "uses_only_with_jedi": sum(len(whole[path] - without[path]) for path in whole),
        "uses_only_without_jedi": sum(len(without[path] - whole[path]) for path in whole),
        "uses_only_with_stubs": sum(len(whole[path] - bare[path]) for path in whole),
        "uses_only_without_stubs": sum(len(bare[path] - whole[path]) for path in whole),
        "seconds": [round(each, 2) for each in (seconds, seconds_without, seconds_bare)],
        "seconds_waited_for_jedi": round(waited[0], 2),
    }


def main() -> None:
    """Measure and print JSON, a line for each folder."""
    import sys

    sys.path.insert(0, str(ROOT / "server"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("environment", type=Path, help="the folder of an environment, or its interpreter")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of packages")
    options = parser.parse_args()
    for folder in options.folders:
        print(json.dumps(measure(folder.absolute(), options.environment.absolute())), flush=True)


if __name__ == "__main__":
    main()
