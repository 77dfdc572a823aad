"""A new custom operator for MindSpore: made of templates, for one of several kinds."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mindport.app.new_folder import NewFolderError, new_folder, rendered
from mindport.language import Language, Text

_TEMPLATES: Final = Path(__file__).parent / "templates"
MOST_INPUTS: Final = 8
"""Enough for an operator, few enough to be read as parameters."""
_IMPORTED: Final = frozenset({"mindspore", "numpy", "pytest", "torch"})
"""Packages that a folder of the same name would hide from the operator or from the code to be ported."""
_UNKNOWN = Text("Unknown kind: {name}. Choose one of: {known}.", "未知的类型：{name}。可选：{known}。")
_INPUTS = Text(
    "Invalid number of inputs {value}: expected 1 to {most}.", "输入个数 {value} 无效，应为 1 到 {most}。"
)
_NO_NAME = Text(
    "Invalid name {name}: expected a Python name of ASCII letters, digits and underscores.",
    "名称 {name} 无效，应为由 ASCII 字母、数字和下划线组成的 Python 名称。",
)
_TAKEN = Text(
    "Invalid name {name}: the folder would hide the Python module of this name. Choose another name.",
    "名称 {name} 无效：该文件夹会遮蔽同名的 Python 模块。请换一个名称。",
)


KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "pyfunc": ("float16", "float32", "float64"),
    "aot": ("float32", "float64"),
}
"""The kinds as `mindspore.ops.Custom` names them, with the dtypes that their code is written for."""


class CustomOpError(NewFolderError):
    """An operator that cannot be made as it was asked for."""


def new_custom_op(
    name: str, parent: Path, kind: str, inputs: int, target: str, language: Language
) -> list[Path]:
    """Make the folder `name` in `parent`, with a custom operator of that name and number of inputs. The
    folder must not exist or be empty; all of it is made or nothing. Returns its files. Raises
    NewFolderError."""
    _check(name, kind, inputs)
    values = {
        "name": name,
        "kind": kind,
        "inputs": [f"x{number}" for number in range(1, inputs + 1)] if inputs > 1 else ["x"],
        "dtypes": KINDS[kind],
        "target": target,
        "zh": language == "zh-cn",
    }
    texts = rendered(_TEMPLATES, values) | rendered(_TEMPLATES / kind, values)
    return new_folder(parent / name, texts)


def _check(name: str, kind: str, inputs: int) -> None:
    if kind not in KINDS:
        raise CustomOpError(_UNKNOWN, name=kind, known=", ".join(KINDS))
    if not 1 <= inputs <= MOST_INPUTS:
        raise CustomOpError(_INPUTS, value=inputs, most=MOST_INPUTS)
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
        raise CustomOpError(_NO_NAME, name=name)
    if name in sys.stdlib_module_names | _IMPORTED:
        raise CustomOpError(_TAKEN, name=name)
