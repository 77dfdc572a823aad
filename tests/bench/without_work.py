"""The kinds of work that `without.py` measures: each says how many milliseconds of this process's processor
time it took (of a whole program, start included, or of one keystroke), and a digest of what came of it."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Measured = tuple[float, str]
_EDITS = 60


def _digest(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _command(*words: str) -> float:
    """Run a command of mindport in this process; the time since the process began. The end is measured, too,
    where `os._exit` is what ends it: that takes none."""
    from mindport.__main__ import main

    sys.argv = ["mindport", *words]
    with contextlib.redirect_stdout(sys.stderr):
        main()
    return time.process_time() * 1000


def scan(folder: Path, scratch: Path) -> Measured:
    """A scan of the folder with one process and no cache, as JSON."""
    output = scratch / "scan.json"
    options = ["--format", "json", "--no-cache", "--jobs", "1", "-o", str(output)]
    passed = _command("scan", str(folder), *options)
    return passed, _digest(output.read_bytes())


def again(folder: Path, scratch: Path) -> Measured:
    """The same with the cache, which the run before has filled."""
    output = scratch / "scan.json"
    passed = _command("scan", str(folder), "--format", "json", "--jobs", "1", "-o", str(output))
    return passed, _digest(output.read_bytes())


def small(folder: Path, scratch: Path) -> Measured:
    """A scan of one file of one line."""
    file = scratch / "small.py"
    file.write_text("import torch; torch.cat([])\n", encoding="utf-8")
    return scan(file, scratch)


def convert(folder: Path, scratch: Path) -> Measured:
    """A conversion of the folder with one process, as a diff that nobody reads."""
    output = scratch / "converted"
    passed = _command("convert", str(folder), "--jobs", "1", "--force", "-o", str(output))
    said = [path.read_bytes() for path in sorted(output.rglob("*.py"))]
    return passed, _digest(b"\0".join(said))


def typing(folder: Path, scratch: Path) -> Measured:
    """A letter typed and taken away again at the ends of lines of the folder's longest file, each with its
    diagnostics as they are published, without sending them: one keystroke."""
    from mindport.lsp.diagnostics import publication
    from mindport.lsp.diagnostics_json import DiagnosticItems
    from mindport.lsp.engine import Engine
    from mindport.lsp.garbage import collect_if_due
    from mindport.source.document import Change, Document

    class Client:
        encoding = "utf-16"
        describes_codes = shows_deprecated = keeps_data = True

    def fail(error: BaseException, uri: str) -> None:
        raise error

    client: Any = Client()
    engine = Engine(fail)
    engine.load()
    engine.configure([(None, {})])
    items = DiagnosticItems(engine, client)
    path = max(folder.rglob("*.py"), key=lambda file: (file.stat().st_size, file))
    document = Document.open("file.py", path.read_bytes())
    lines = document.data.decode().split("\n")
    inside = [number for number, line in enumerate(lines) if line.startswith("    ")]
    said = []
    passed = 0.0
    gc.disable()
    for number in [0, *inside[:: len(inside) // _EDITS]]:  # the first is not counted: nothing is known yet
        end = number, len(lines[number].encode("utf-16-le")) // 2
        for change in (Change(end, end, "a"), Change(end, (end[0], end[1] + 1), "")):
            begin = time.process_time()
            document = document.apply([change], 1, "utf-16")
            found = engine.analyse("file.py", document)
            said.append(publication("file.py", 1, items.of("file.py", found.shown(), document.lines)))
            passed += (time.process_time() - begin) * bool(number)
            collect_if_due()  # as a server does when nobody waits
    return passed * 1000 / (len(said) - 2), _digest("\n".join(said).encode())


def dividing(folder: Path, scratch: Path) -> Measured:
    """What two processes do in a scan, one after the other: both in sum."""
    from mindport.infer.propagation import MOST_ROUNDS
    from mindport.project.discover import discover, import_roots
    from mindport.project.setting_table import Settings
    from mindport.report.json_report import JsonReport
    from mindport.scan import pool
    from mindport.scan.scanner import Scanner
    from mindport.scan.tasks import ScanFile

    settings = Settings()
    reporter = JsonReport(settings.ported_to, "en")
    paths = discover([folder], []).files
    files = [ScanFile(place, path, import_roots(path)) for place, path in enumerate(paths)]
    with pool.without_collection():
        begin = time.process_time()
        looking: list[tuple[Scanner[Any], list[ScanFile]]] = [
            (Scanner(settings, reporter), part) for part in pool.divide_by_imports(files, 2)
        ]
        for _ in range(MOST_ROUNDS):
            told = [(file, scanner.arguments(file)) for scanner, part in looking for file in part]
            changed = {str(file.path): one.given for file, one in told if one and one.given is not None}
            for scanner, _ in looking:
                scanner.take(changed)
            if not changed:
                break
        entries = {}
        for scanner, part in looking:
            entries.update({file.place: scanner.analyse(file).entry.text for file in part})
        passed = time.process_time() - begin
    return passed * 1000, _digest("".join(entries[place] for place in sorted(entries)).encode())


def whole(folder: Path, scratch: Path) -> Measured:
    """A scan as `scan`, as a program of its own, with its end."""
    code = (
        "import sys; folder, name, without = sys.argv[1:4]; del sys.argv[1:4]; sys.path.insert(0, folder)\n"
    )
    code += "if without == 'True': import without_things; without_things.THINGS[name].take_out()\n"
    code += "from mindport.__main__ import run; run()"
    output = scratch / "scan.json"
    words = ["scan", str(folder), "--format", "json", "--no-cache", "--jobs", "1", "-o", str(output)]
    chosen = [str(Path(__file__).parent), sys.argv[3], str("--without" in sys.argv)]
    before = os.times()
    subprocess.run([sys.executable, "-c", code, *chosen, *words], check=True)
    after = os.times()
    passed = after.children_user - before.children_user + after.children_system - before.children_system
    return passed * 1000, _digest(output.read_bytes())


WORK: dict[str, Callable[[Path, Path], Measured]] = {
    "scan": scan,
    "again": again,
    "small": small,
    "convert": convert,
    "typing": typing,
    "dividing": dividing,
    "whole": whole,
}
