"""`mindport scaffold`."""

from __future__ import annotations

from pathlib import Path

from mindport.cli.arguments import Arguments, Command, Given, Group
from mindport.cli.console import UsageError
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import Language, Text

_ABOUT = Text(
    "Create code to begin with, for what MindSpore does not have.", "为 MindSpore 缺少的功能创建起步代码。"
)
_ABOUT_CUSTOM_OP = Text(
    "Create a custom operator: forward, backward, inference of shape and dtype, and tests.",
    "创建自定义算子：前向、反向、shape 与 dtype 推导，以及测试。",
)
_NAME = Text("Name of the operator and of its folder.", "算子及其文件夹的名称。")
_KIND = Text(
    "pyfunc (NumPy, no compiler needed) or aot (C++, compiled with g++).",
    "pyfunc（NumPy，无需编译器）或 aot（C++，用 g++ 编译）。",
)
_INPUTS = Text("Number of input Tensors, 1 to 8.", "输入 Tensor 的个数，1 到 8。")
_OUT = Text("Folder to create the operator's folder in.", "在此文件夹中创建算子的文件夹。")
_MADE = Text(
    "Created {number} files in {path}. Next: {next}", "已在 {path} 中创建 {number} 个文件。下一步：{next}"
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("name", "NAME", _NAME)
    arguments.option("--kind", metavar="pyfunc|aot", text=_KIND, default="pyfunc")
    arguments.option("--inputs", metavar="N", text=_INPUTS, default=1, kind=int)
    arguments.option("--out", metavar="FOLDER", text=_OUT, default=Path(), kind=Path)
    arguments.settings("target", "language")


def _custom_op(given: Given, language: Language) -> int:
    from mindport.app.custom_op.custom_op import new_custom_op
    from mindport.app.new_folder import NewFolderError

    settings, language = settings_for([], given.settings, language)
    try:
        files = new_custom_op(given.name, given.out, given.kind, given.inputs, settings.target, language)
    except NewFolderError as error:
        raise UsageError(error.render(language)) from error
    folder = given.out / given.name
    said = _MADE.render(language, number=len(files), path=folder, next=f"python -m pytest {folder}")
    with StandardOutput(is_utf8=False) as out:
        out.write(f"{said}\n")
        out.flush()
    return 0


COMMANDS = (Group("scaffold", _ABOUT, (Command("custom-op", _ABOUT_CUSTOM_OP, _add_arguments, _custom_op),)),)
