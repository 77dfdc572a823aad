"""`make demo`: scan the example project, then one editing session on it, as an editor would show it.

The session is a real one: the server is a process of its own and speaks the Language Server Protocol over
its standard streams. Nothing on disk is changed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from difflib import unified_diff
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from lsp_client import LspClient  # noqa: E402

PROJECT = ROOT / "docs" / "examples" / "flowers"
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
        },
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"versionSupport": True, "codeDescriptionSupport": True},
    },
    "workspace": {"configuration": True},
}
SECONDS_WITHOUT_NEWS = 1.0
SEVERITIES = {1: "error", 2: "warning", 3: "info", 4: "hint"}


def title(text: str) -> None:
    """A heading between the parts of the demo."""
    print(f"\n\033[1m== {text}\033[0m\n" if sys.stdout.isatty() else f"\n== {text}\n", flush=True)


class Editor:
    """An editor with one document open."""

    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.text = path.read_text(encoding="utf-8")
        self.version = 1
        self.client = LspClient.launch([sys.executable, "-m", "mindport", "serve", "--stdio"], PROJECT)
        self.client.start(CAPABILITIES)
        self.client.open(self.uri, self.text, self.version)
        self._wait()

    def _wait(self) -> None:
        """Wait for the diagnostics of this version, and for those that follow when the other files of the
        project have been looked at."""
        self.diagnostics = self.client.wait_for_diagnostics(self.uri, self.version)
        before = None
        while self.diagnostics is not before:
            before = self.diagnostics
            time.sleep(SECONDS_WITHOUT_NEWS)
            self.ask("textDocument/hover", position={"line": 0, "character": 0})  # what was sent comes before
            for message in self.client.notifications:
                if message["method"] == "textDocument/publishDiagnostics":
                    published = message["params"]
                    if published["uri"] == self.uri and published.get("version") == self.version:
                        self.diagnostics = published["diagnostics"]

    def edit(self, edits: list[dict[str, Any]]) -> None:
        """Apply edits to the text, last first, and tell the server."""
        ordered = sorted(edits, key=lambda edit: list(edit["range"]["start"].values()), reverse=True)
        changes = [{"range": edit["range"], "text": edit["newText"]} for edit in ordered]
        for change in changes:
            start, end = (self._offset(change["range"][side]) for side in ("start", "end"))
            self.text = self.text[:start] + change["text"] + self.text[end:]
        self.version += 1
        self.client.change(self.uri, self.version, changes)
        self._wait()

    def _offset(self, position: dict[str, int]) -> int:
        """Where a position is in the text (the example has no characters outside the basic plane)."""
        lines = self.text.split("\n")
        return sum(len(line) + 1 for line in lines[: position["line"]]) + position["character"]

    def show(self, first: int, last: int) -> None:
        """Print some lines with what is reported on them (lines counted from 0)."""
        lines = self.text.split("\n")
        for number in range(first, last + 1):
            print(f"{number + 1:4} | {lines[number]}")
            for found in self.diagnostics:
                start, end = found["range"]["start"], found["range"]["end"]
                if start["line"] == number:
                    width = (end["character"] if end["line"] == number else len(lines[number])) - start[
                        "character"
                    ]
                    mark = " " * start["character"] + "~" * max(1, width)
                    print(
                        f"     | {mark} {SEVERITIES[found['severity']]} {found['code']}: {found['message']}"
                    )

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request about the document."""
        return self.client.request(method, {"textDocument": {"uri": self.uri}, **params})


def session() -> None:
    """Open, type, hover, apply a quick fix."""
    editor = Editor(PROJECT / "model.py")
    title("The editor opens model.py")
    count = len(editor.diagnostics)
    print(f"{count} diagnostics. Around the stem of the network:\n")
    line = next(i for i, text in enumerate(editor.text.split("\n")) if "self.stem = " in text)
    editor.show(line, line + 5)

    title("The user types a line")
    at = {"line": line, "character": 0}
    typed = "        self.act = nn.functional.gelu\n        y = torch.cat([x, x], dim=1)\n"
    editor.edit([{"range": {"start": at, "end": at}, "newText": typed}])
    editor.show(line, line + 1)

    title("The user points at torch.cat")
    position = {"line": line + 1, "character": 15}
    hover = editor.ask("textDocument/hover", position=position)
    print(hover["contents"]["value"])

    title("The user presses the key for a quick fix")
    here = {"start": position, "end": position}
    marked = [d for d in editor.diagnostics if d["range"]["start"]["line"] == line + 1]
    actions = editor.ask("textDocument/codeAction", range=here, context={"diagnostics": marked})
    for action in actions:
        print(f"  {action['title']}")
    chosen = editor.client.request("codeAction/resolve", actions[0])
    changed = chosen["edit"].get("documentChanges") or [{"edits": chosen["edit"]["changes"][editor.uri]}]
    before = editor.text
    editor.edit(changed[0]["edits"])
    print(f"\nApplied: {actions[0]['title']}\n")
    diff = unified_diff(before.split("\n"), editor.text.split("\n"), "before", "after", lineterm="", n=1)
    print("\n".join(diff))
    print(f"\n{len(editor.diagnostics)} diagnostics are left.")
    editor.client.stop()


def main() -> int:
    """Run the demo. Returns the exit code."""
    title("mindport scan docs/examples/flowers")
    scan = [sys.executable, "-m", "mindport", "scan", str(PROJECT.relative_to(ROOT))]
    done = subprocess.run(scan, cwd=ROOT, check=False)
    if done.returncode != 0:
        return done.returncode
    session()
    return 0


if __name__ == "__main__":
    sys.exit(main())
