"""Projects of docs/examples: what `mindport convert --whole` makes of each is what is shown there.

python tests/test_examples.py writes it anew, of all or of those that are named."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from mindport.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/pytorch"))
HELPERS = "mindport_helpers.py"
COMMAND = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")


def files(folder: Path) -> dict[str, str]:
    """The texts of a project's files, by their paths, without the helpers beside them."""
    paths = (path for kind in ("*.py", "*.ipynb") for path in folder.rglob(kind) if path.name != HELPERS)
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def converted(name: str, folder: Path) -> dict[str, str]:
    """The files that the command makes of a program."""
    ignored = shutil.ignore_patterns("__pycache__")
    source = shutil.copytree(EXAMPLES / name / "pytorch", folder.with_name(name), ignore=ignored)
    assert main(["convert", str(source), "-o", str(folder), *COMMAND]) == 0  # a project of its own
    assert (folder / HELPERS).is_file()
    return files(folder)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_what_the_command_makes(name: str, tmp_path: Path) -> None:
    assert converted(name, tmp_path / "converted") == files(EXAMPLES / name / "mindspore")


def test_the_readme_shows_an_example() -> None:
    before, after = (
        (EXAMPLES / "digits" / side / "train.py").read_text(encoding="utf-8")
        for side in ("pytorch", "mindspore")
    )
    for name in ("README.md", "README.zh-CN.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        section = text.split("docs/examples/digits", 1)[1]
        shown = [block.split("```", 1)[0] for block in section.split("```python\n")[1:3]]
        indents = {len(block) - len(block.lstrip(" ")) for block in shown}
        assert indents == {0}  # one like the other
        assert all(is_part(block, text) for block, text in zip(shown, (before, after), strict=True))


def is_part(block: str, text: str) -> bool:
    """Whether lines stand in a text, be it further inside."""
    lines = block.splitlines()
    return any(
        "\n".join(depth + line if line else "" for line in lines) in text
        for depth in (" " * count for count in range(0, 17, 4))
    )


def test_every_example_is_described_and_trained() -> None:
    described = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    trained = (ROOT / "tests" / "differential" / "training" / "programs.py").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"]({name})" in described and f'"example_{name}": ' in trained


def write_anew(names: list[str]) -> None:
    for name in names or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            made = converted(name, Path(folder) / "converted")
        target = EXAMPLES / name / "mindspore"
        shutil.rmtree(target, ignore_errors=True)
        for path, text in made.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_anew(sys.argv[1:])
