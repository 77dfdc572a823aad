"""docs/examples/digits: what `mindport convert --whole` makes of the program is what is shown there.

python tests/test_examples.py writes it anew."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from mindport.cli.main import main

DIGITS = Path(__file__).resolve().parents[1] / "docs" / "examples" / "digits"
HELPERS = "mindport_helpers.py"
COMMAND = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")


def converted(folder: Path) -> dict[str, str]:
    """The files that the command makes of the program, without the helpers beside them."""
    source = shutil.copytree(DIGITS / "pytorch", folder.with_name("digits"))  # a project of its own
    assert main(["convert", str(source), "-o", str(folder), *COMMAND]) == 0
    assert (folder / HELPERS).is_file()
    return {
        path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.name != HELPERS
    }


def test_the_example_is_what_the_command_makes(tmp_path: Path) -> None:
    shown = {path.name: path.read_text(encoding="utf-8") for path in (DIGITS / "mindspore").glob("*.py")}
    assert converted(tmp_path / "converted") == shown


def test_the_readme_shows_the_example() -> None:
    before, after = (
        (DIGITS / side / "train.py").read_text(encoding="utf-8") for side in ("pytorch", "mindspore")
    )
    for name in ("README.md", "README.zh-CN.md"):
        text = (DIGITS.parents[2] / name).read_text(encoding="utf-8")
        section = text.split("docs/examples/digits", 1)[1]
        blocks = [block.split("```", 1)[0].strip("\n") for block in section.split("```python\n")[1:3]]
        assert blocks[0] in before and blocks[1] in after


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        files = converted(Path(folder) / "converted")
    shutil.rmtree(DIGITS / "mindspore", ignore_errors=True)
    (DIGITS / "mindspore").mkdir()
    for name, text in files.items():
        (DIGITS / "mindspore" / name).write_text(text, encoding="utf-8")
