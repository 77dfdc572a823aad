"""What packages beside the project say comes after the first findings, by itself."""

from __future__ import annotations

from pathlib import Path

from editor import capabilities, until

SOURCE = "from somelib import nn\nnn.Conv2d(1, 2, 3)\n"


def environment(folder: Path) -> Path:
    package = folder / "env" / "lib" / "python3.12" / "site-packages" / "somelib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from torch import nn\n", encoding="utf-8")
    return folder / "env"


def apis(editor, uri):
    latest = next((each.diagnostics for each in reversed(editor.published) if each.uri == uri), ())
    return {each.data["api"] for each in latest}


async def test_findings_come_again_when_packages_were_looked_into(start, tmp_path, monkeypatch):
    monkeypatch.setenv("MINDPORT_CACHE_DIR", str(tmp_path / "cache"))
    project = tmp_path / "project"
    project.mkdir()
    editor = await start(abilities=capabilities(), options={"python": str(environment(tmp_path))})
    uri = (project / "main.py").as_uri()
    editor.open(uri, SOURCE)
    await until(lambda: "torch.nn.Conv2d" in apis(editor, uri))
    editor.replace(uri, SOURCE.index("Conv2d"), SOURCE.index("Conv2d") + 6, "Conv3d")
    await until(lambda: "torch.nn.Conv3d" in apis(editor, uri))
