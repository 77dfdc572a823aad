"""A new project for MindSpore: made of templates, for one of several networks."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.language import Language, Text
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings

_TEMPLATES: Final = Path(__file__).parent / "templates"
_SUFFIX: Final = ".jinja"
_NOT_IN_NAMES: Final = re.compile(r"[^a-z0-9]+")
_DEVICES: Final = {"ascend": "Ascend", "gpu": "GPU", "cpu": "CPU"}
_NOT_EMPTY = Text(
    "{path} already exists and is not an empty folder. Choose another location.",
    "{path} 已存在，且不是空文件夹。请选择其他位置。",
)
_UNKNOWN = Text("Unknown model: {name}. Choose one of: {known}.", "未知的模型：{name}。可选：{known}。")
_UNWRITABLE = Text("Cannot write {path}: {reason}", "无法写入 {path}：{reason}")


class Skeleton(NamedTuple):
    """A network to begin with: what it is for, the shape of a sample, and a learning rate that suits it."""

    about: Text
    shape: tuple[int, ...]
    learning_rate: float


SKELETONS: Final[Mapping[str, Skeleton]] = {
    "mlp": Skeleton(
        Text("Classifies tabular data with a multilayer perceptron.", "用多层感知机对表格数据进行分类。"),
        (16,),
        0.01,
    ),
    "cnn": Skeleton(
        Text("Classifies images with a convolutional network.", "用卷积网络对图像进行分类。"),
        (1, 16, 16),
        0.01,
    ),
    "resnet": Skeleton(
        Text("Classifies images with a residual network.", "用残差网络对图像进行分类。"), (1, 16, 16), 0.01
    ),
    "lstm": Skeleton(
        Text("Classifies sequences with a recurrent network.", "用循环网络对序列进行分类。"), (12, 8), 0.01
    ),
    "transformer": Skeleton(
        Text("Classifies sequences with a Transformer encoder.", "用 Transformer 编码器对序列进行分类。"),
        (12, 8),
        0.001,
    ),
}
"""The networks by their names, which the user gives."""


class NewProjectError(TextError):
    """A project that cannot be made."""


def new_project(folder: Path, model: str, settings: Settings, language: Language) -> list[Path]:
    """Make a project in a folder, which must not exist or be empty; all of it or nothing. Returns its files.
    Raises NewProjectError."""
    if model not in SKELETONS:
        raise NewProjectError(_UNKNOWN, name=model, known=", ".join(SKELETONS))
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise NewProjectError(_NOT_EMPTY, path=folder)
        texts = _texts(folder.absolute().name, model, settings, language)
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.absolute().parent))
        try:
            made.chmod(0o777 & ~_mask())
            for name, text in texts.items():
                (made / name).write_text(text, encoding="utf-8", newline="\n")
            if folder.exists():
                folder.rmdir()
            made.rename(folder.absolute())
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise NewProjectError(_UNWRITABLE, path=folder, reason=error.strerror or str(error)) from error
    return [folder / name for name in texts]


def _mask() -> int:
    """The permissions that new folders do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _texts(name: str, model: str, settings: Settings, language: Language) -> dict[str, str]:
    """The files of a project, by their names."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    skeleton = SKELETONS[model]
    values = {
        "name": _NOT_IN_NAMES.sub("-", name.lower()).strip("-") or "project",
        "model": model,
        "about": skeleton.about.render(language),
        "shape": skeleton.shape,
        "learning_rate": skeleton.learning_rate,
        "target": settings.target,
        "device": settings.device,
        "device_name": _DEVICES[settings.device],
        "style": settings.style,
        "zh": language == "zh-cn",
    }
    names = sorted(each for each in templates.list_templates() if each.endswith(_SUFFIX))
    return {
        each.removesuffix(_SUFFIX): templates.get_template(each).render(values).rstrip("\n") + "\n"
        for each in names
    }
