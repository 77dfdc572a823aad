"""A new project for MindSpore: made of templates, for one of several networks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.app.new_folder import NewFolderError, new_folder, rendered
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.project.setting_table import Settings

_TEMPLATES: Final = Path(__file__).parent / "templates"
_NOT_IN_NAMES: Final = re.compile(r"[^a-z0-9]+")
_DEVICES: Final = {"ascend": "Ascend", "gpu": "GPU", "cpu": "CPU"}
_UNKNOWN = Text("Unknown model: {name}. Choose one of: {known}.", "未知的模型：{name}。可选：{known}。")


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


class UnknownModelError(NewFolderError):
    """A network that is not among SKELETONS."""


def new_project(folder: Path, model: str, settings: Settings, language: Language) -> list[Path]:
    """Make a project in a folder, which must not exist or be empty; all of it or nothing. Returns its files.
    Raises NewFolderError."""
    if model not in SKELETONS:
        raise UnknownModelError(_UNKNOWN, name=model, known=", ".join(SKELETONS))
    return new_folder(folder, _texts(folder.absolute().name, model, settings, language))


def _texts(name: str, model: str, settings: Settings, language: Language) -> dict[str, str]:
    """The files of a project, by their names."""
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
    return rendered(_TEMPLATES, values)
