"""The settings: everything that is said of one stands here, once.

What reads the table: `settings.py` (pyproject.toml, the editor, the command line), the options of the command
line, and `scripts/settings_files.py`, which writes what clients and the documentation say of settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast, get_args

from mindport.language import LANGUAGES, Language, Text

if TYPE_CHECKING:
    from mindport.assess.finding import Shown
    from mindport.catalog.target import Target

Schema = Mapping[str, Any]


def is_valid(schema: Schema, value: object) -> bool:
    """Whether a value, as JSON and TOML have it, is what the schema says. Lists may be tuples."""
    kind = schema["type"]
    if kind == "string":
        return isinstance(value, str) and _is_valid_text(schema, value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return type(value) is int and value >= schema["minimum"]
    if kind == "array":
        return isinstance(value, (list, tuple)) and all(is_valid(schema["items"], each) for each in value)
    (pattern, inner), *_ = schema["patternProperties"].items()
    key: Schema = {"type": "string", "pattern": pattern}
    return isinstance(value, Mapping) and all(
        is_valid(key, name) and is_valid(inner, each) for name, each in value.items()
    )


def _is_valid_text(schema: Schema, value: str) -> bool:
    pattern = schema.get("pattern")
    return value in schema.get("enum", (value,)) and (pattern is None or bool(re.fullmatch(pattern, value)))


def as_value(value: Any) -> Any:
    """A valid value as settings hold it: they cannot be changed."""
    return tuple(value) if isinstance(value, list) else value


Device = Literal["ascend", "gpu", "cpu"]
Style = Literal["auto", "mint", "classic"]
SeverityLevel = Literal["error", "warning", "information", "hint", "off"]
DiagnosticsScope = Literal["openFiles", "workspace"]

_CODE: Final = "^MP[0-9]{0,3}$"
"""The beginning of codes of findings: `MP`, `MP2`, `MP201`."""
_DEFAULT_EXCLUDE: Final = (
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "__pypackages__",
    "*.egg-info",
    "build",
    "dist",
    "node_modules",
    "site-packages",
)


class Setting(NamedTuple):
    """What is said of a setting. `schema` says which values it can have (JSON Schema), `text` what it does,
    `accepted` what is told where another value is given, `choices` what each of its values means, where it
    has names for them. `metavar` stands for its value on the command line, where the schema does not list the
    values."""

    schema: Schema
    text: Text
    accepted: Text
    metavar: str = ""
    choices: Mapping[str, Text] = {}
    in_editor: bool = True
    """Whether an editor has a use for it."""
    follows_editor: bool = False
    """Whether it is that of the editor, where the editor has one and the user says nothing."""


def _setting(default: object, said: Setting) -> Any:
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata={"setting": said})
    return field(default=default, metadata={"setting": said})


def _one_of(values: object) -> Schema:
    return {"type": "string", "enum": list(get_args(values))}


_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
_CODES: Final[Schema] = {"type": "array", "items": {"type": "string", "pattern": _CODE}, "uniqueItems": True}
_ACCEPTED_CODES: Final = Text(
    'a list of rule codes or prefixes, such as ["MP2", "MP301"]',
    '由规则代码或前缀组成的列表，例如 ["MP2", "MP301"]',
)
_ACCEPTED_NUMBER: Final = Text("an integer, 0 or more", "不小于 0 的整数")


@dataclass(frozen=True)
class Settings:
    """All settings. Immutable."""

    target: str = _setting(
        "2.10",
        Setting(
            _TEXT,
            Text("MindSpore version to port to, such as `2.10`.", "要迁移到的 MindSpore 版本，例如 `2.10`。"),
            Text(
                'a supported MindSpore version in quotes, such as "2.10"',
                ' 受支持的 MindSpore 版本（带引号），例如 "2.10"',
            ),
            "VERSION",
        ),
    )
    device: Device = _setting(
        "ascend",
        Setting(
            _one_of(Device),
            Text("Device the MindSpore code will run on.", "MindSpore 代码将运行的设备。"),
            Text('"ascend", "gpu" or "cpu"', ' "ascend"、"gpu" 或 "cpu"'),
        ),
    )
    style: Style = _setting(
        "auto",
        Setting(
            _one_of(Style),
            Text("Which MindSpore API style to suggest.", "建议使用哪一类 MindSpore 接口。"),
            Text('"auto", "mint" or "classic"', ' "auto"、"mint" 或 "classic"'),
            choices={
                "auto": Text(
                    "`mindspore.mint` where it suits the device, else the classic API.",
                    "适合该设备时使用 `mindspore.mint`，否则使用经典接口。",
                ),
                "mint": Text(
                    "`mindspore.mint` wherever it has the API.", "只要有对应接口就使用 `mindspore.mint`。"
                ),
                "classic": Text(
                    "`mindspore.ops` and `mindspore.nn`.", "使用 `mindspore.ops` 和 `mindspore.nn`。"
                ),
            },
        ),
    )
    language: Language = _setting(
        "en",
        Setting(
            {"type": "string", "enum": list(LANGUAGES)},
            Text("Language of the messages.", "消息所用的语言。"),
            Text('"en" or "zh-cn"', ' "en" 或 "zh-cn"'),
            follows_editor=True,
        ),
    )
    select: tuple[str, ...] = _setting(
        ("MP",),
        Setting(
            _CODES,
            Text(
                "Rules to report, such as `MP3` or `MP201`. `MP` means all.",
                "要报告的规则，例如 `MP3` 或 `MP201`。`MP` 表示全部。",
            ),
            _ACCEPTED_CODES,
            "CODES",
        ),
    )
    ignore: tuple[str, ...] = _setting(
        (),
        Setting(
            _CODES,
            Text("Rules not to report, such as `MP1` or `MP201`.", "不报告的规则，例如 `MP1` 或 `MP201`。"),
            _ACCEPTED_CODES,
            "CODES",
        ),
    )
    severity: Mapping[str, SeverityLevel] = _setting(
        {},
        Setting(
            {
                "type": "object",
                "patternProperties": {_CODE: _one_of(SeverityLevel)},
                "additionalProperties": False,
            },
            Text(
                'Severity by rule code or prefix, such as `{"MP1": "hint"}`. The longest match wins.',
                '按规则代码或前缀指定级别，例如 `{"MP1": "hint"}`。以最长的匹配为准。',
            ),
            Text(
                'a table of rule codes or prefixes, such as "MP2", and "error", "warning", '
                '"information", "hint" or "off" for each',
                '从规则代码或前缀（例如 "MP2"）到 "error"、"warning"、"information"、"hint" 或 "off" 的'
                "对应表",
            ),
            "CODE=SEVERITY",
        ),
    )
    show: Shown = _setting(
        "normal",
        Setting(
            {"type": "string", "enum": ["quiet", "normal", "everything"]},
            Text("How much to show.", "显示多少内容。"),
            Text('"quiet", "normal" or "everything"', ' "quiet"、"normal" 或 "everything"'),
            choices={
                "quiet": Text(
                    "Only what needs your attention: errors and warnings, each once per file.",
                    "只显示需要您处理的内容：错误和警告，同一内容每个文件只显示一次。",
                ),
                "normal": Text(
                    "The same, plus hints for lossless conversions and for repeats within a file.",
                    "同上，另外以提示的形式显示可无损转换的内容和文件中重复出现的内容。",
                ),
                "everything": Text(
                    "Every use at its full severity, including repeats.",
                    "每处使用都按原有级别显示，包括重复的内容。",
                ),
            },
        ),
    )
    graphMode: bool = _setting(  # noqa: N815 — the name that users write
        False,
        Setting(
            {"type": "boolean"},
            Text(
                "Report what matters only in graph mode: network code that MindSpore cannot compile or "
                "compiles differently, and varying shapes (`MP4`).",
                "报告仅与静态图模式有关的内容：网络中 MindSpore 无法编译或编译后行为不同的代码，以及不固"
                "定的形状（`MP4`）。",
            ),
            Text("true or false", " true 或 false"),
        ),
    )
    features: bool = _setting(
        False,
        Setting(
            {"type": "boolean"},
            Text(
                "Recommend features that training code does without: mixed precision, gradient accumulation, "
                "static graph (`MP700`). What code does use is always reported (`MP7`).",
                "推荐训练代码尚未使用的特性：混合精度、梯度累积、静态图（`MP700`）。代码已使用的特性"
                "始终会报告（`MP7`）。",
            ),
            Text("true or false", " true 或 false"),
        ),
    )
    exclude: tuple[str, ...] = _setting(
        _DEFAULT_EXCLUDE,
        Setting(
            {"type": "array", "items": _TEXT, "uniqueItems": True},
            Text(
                "Files and folders to skip when searching a folder, as glob patterns. "
                "A package called build or dist inside another package is searched.",
                "搜索文件夹时跳过的文件和文件夹（glob 模式）。"
                "位于其他包内、名为 build 或 dist 的包不会被跳过。",
            ),
            Text(
                'a list of patterns, such as ["build", "*_pb2.py"]',
                '由模式组成的列表，例如 ["build", "*_pb2.py"]',
            ),
            "PATTERN",
        ),
    )
    diagnostics: DiagnosticsScope = _setting(
        "openFiles",
        Setting(
            _one_of(DiagnosticsScope),
            Text("Files to report problems for in the editor.", "编辑器中对哪些文件报告问题。"),
            Text('"openFiles" or "workspace"', ' "openFiles" 或 "workspace"'),
            choices={
                "openFiles": Text("Open files.", "已打开的文件。"),
                "workspace": Text("All Python files in the workspace.", "工作区中的所有 Python 文件。"),
            },
        ),
    )
    completion: bool = _setting(
        True,
        Setting(
            {"type": "boolean"},
            Text(
                "Suggest MindSpore names while you type PyTorch names.",
                "输入 PyTorch 名称时提供 MindSpore 名称的补全。",
            ),
            Text("true or false", " true 或 false"),
        ),
    )
    python: str = _setting(
        "",
        Setting(
            _TEXT,
            Text(
                "Python interpreter or environment folder with the project's packages: MindPort reads "
                "which torch names they re-export. Empty: the active environment, else the one that "
                "runs MindPort.",
                "项目所用软件包所在的 Python 解释器或环境文件夹：MindPort 从中读取各软件包再导出的"
                " torch 名称。留空则使用当前激活的环境，否则使用运行 MindPort 的环境。",
            ),
            Text(
                "the path of a Python interpreter or environment folder",
                " Python 解释器的路径或环境文件夹的路径",
            ),
            "PATH",
        ),
    )
    limit: int = _setting(
        20_000,
        Setting(
            _NUMBER,
            Text(
                "Maximum number of Python files found when searching folders. 0: no limit.",
                "搜索文件夹时最多处理的 Python 文件数。0 表示不限。",
            ),
            _ACCEPTED_NUMBER,
            "N",
        ),
    )
    jobs: int = _setting(
        0,
        Setting(
            _NUMBER,
            Text(
                "Number of scan processes. 0: one per processor.", "扫描所用的进程数。0 表示每个处理器一个。"
            ),
            _ACCEPTED_NUMBER,
            "N",
            in_editor=False,
        ),
    )

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Settings:
        """Settings with these values, the others as by default. Raises ValueError for what is no setting, or
        cannot be its value."""
        for name, value in values.items():
            if name not in SETTINGS or not is_valid(SETTINGS[name].schema, value):
                raise ValueError(f"{name}: {value!r}")
        return cls(**{name: as_value(value) for name, value in values.items()})

    @property
    def ported_to(self) -> Target:
        """What the code is ported to."""
        from mindport.catalog.target import Target  # here, since most who read settings have no use for it

        return Target(self.target, self.device, self.style)

    def as_json(self) -> dict[str, Any]:
        """Names and values, in the form that JSON has."""
        plain = asdict(self)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


SETTINGS: Final[Mapping[str, Setting]] = {
    one.name: cast("Setting", one.metadata["setting"]) for one in fields(Settings)
}
"""What is said of each setting, by its name."""


def option_of(name: str) -> str:
    """The option of the command line for a setting: `--graph-mode` for `graphMode`."""
    return "--" + re.sub("([A-Z])", r"-\1", name).lower()
