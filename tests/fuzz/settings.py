"""Random `pyproject.toml` files: whatever they hold, settings come out, and messages that name the file."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from mindport.project.setting_table import Settings
from mindport.project.settings import load_settings
from target import Target

_NAMES = (
    "target",
    "device",
    "style",
    "language",
    "select",
    "ignore",
    "severity",
    "exclude",
    "jobs",
    "python",
)
_VALUES = (
    *('"2.10"', '"9.9"', "2.10", '"cpu"', '"mint"', '"zh-cn"', '["MP1"]', "[]", "[[]]", "[1]", "true", "-1"),
    *(
        '{MP1 = "off"}',
        "{MP1 = 3}",
        "1e400",
        "nan",
        "1979-05-27",
        '"\\u0000"',
        '"🎉"',
        "''",
        "99999999999999999",
    ),
)
_PIECES = (
    *("[tool]\n", "[tool.mindport]\n", "[[tool.mindport]]\n", "[tool.mindport.severity]\n", "tool = 5\n"),
    *("[project]\nname = 'a'\n", "# comment\n", "=\n", "[\n", '"""\n', "\x00\n", "\ufeff", "[tool.ruff]\n"),
)


def _line(choose: random.Random) -> str:
    kind = choose.random()
    if kind < 0.5:
        return f"{choose.choice(_NAMES)} = {choose.choice(_VALUES)}\n"
    if kind < 0.8:
        return choose.choice(_PIECES)
    if kind < 0.9:
        depth = choose.randint(1, 3000)
        return f"a{depth} = {'[' * depth}{']' * choose.choice((depth, depth - 1))}\n"
    return ".".join(["k"] * choose.randint(1, 3000)) + " = 1\n"


def trial(choose: random.Random) -> int:
    """A file of random lines, or of bytes, and the settings of the folder it is in."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = "".join(_line(choose) for _ in range(choose.randint(0, 8))).encode("utf-8", "surrogatepass")
        if choose.random() < 0.2:
            data = choose.randbytes(choose.randint(0, 200)) + data
        (folder / "pyproject.toml").write_bytes(data)
        loaded = load_settings(folder)
        assert isinstance(loaded.settings, Settings)
        assert Settings.of(loaded.settings.as_json()) == loaded.settings
        for problem in loaded.problems:
            for language in ("en", "zh-cn"):
                message = problem.render(language)  # type: ignore[arg-type]
                assert message.strip() and len(message) < 2000, data
                assert "\n" not in message, data
    return 1


TARGET = Target("settings", "files", trial)
