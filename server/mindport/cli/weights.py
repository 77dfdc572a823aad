"""`mindport weights`: weights from a file of one framework into one of the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError, error, warning
from mindport.cli.options import settings_for
from mindport.language import Language, Text

if TYPE_CHECKING:
    from mindport.weights.names import Matched
    from mindport.weights.stored_tensor import StoredTensor

_MOST_NAMES = 10
_ABOUT = Text(
    "Convert weights between PyTorch (.pth, .pt, .bin), safetensors and MindSpore (.ckpt). Nothing in "
    "the file is run, and neither framework is needed.",
    "在 PyTorch（.pth、.pt、.bin）、safetensors 和 MindSpore（.ckpt）之间转换权重文件。不会执行文件中的"
    "任何代码，也无需安装这两个框架。",
)
_FILE = Text("Weights file.", "权重文件。")
_OUTPUT = Text("New file; its extension sets the format.", "新文件，格式由扩展名决定。")
_LIKE = Text(
    "Weights file whose names and shapes the new file takes, such as a checkpoint saved from the "
    "MindSpore network. If omitted, names stay: programs from `convert --whole` keep PyTorch's.",
    "新文件将采用该权重文件中的名称与形状，例如由 MindSpore 网络保存的检查点。不指定时名称不变："
    "`convert --whole` 得到的程序沿用 PyTorch 的名称。",
)
_KEY = Text(
    "Item of the file that holds the weights, if there are several, such as model or state.model.",
    "文件中有多组权重时，指明权重所在的项，如 model 或 state.model。",
)
_PREFIX = Text("Prefix to remove from names, such as module.", "要从名称开头去掉的前缀，如 module.")
_OVERWRITE = Text("Overwrite the new file if it exists.", "新文件已存在时将其覆盖。")

_NO_OUTPUT = Text("Give the output file with -o FILE.", "请用 -o FILE 指定输出文件。")
_NO_FORMAT = Text(
    "{path}: the name of the new file must end in one of {endings}.",
    "{path}：新文件的扩展名应为以下之一：{endings}。",
)
_IS_THERE = Text(
    "{path} already exists. Choose another name, or add --overwrite.",
    "{path} 已存在。请换一个名称，或加上 --overwrite。",
)
_SAME_FILE = Text(
    "{path} is the input file. Choose another name for the new file.",
    "{path} 是输入文件，请为新文件换一个名称。",
)
_PROBLEM = Text("{path}: {problem}", "{path}：{problem}")
_TWICE = Text("Two weights would both be named {name}.", "有两个权重都将命名为 {name}。")
_NO_NAME = Text(
    "Removing {prefix!r} would leave a weight without a name.", "去掉 {prefix!r} 后有权重没有名称。"
)
_NONE = Text("The file contains no weights.", "文件中没有权重。")
_MISSING = Text("Missing weights ({number}): {names}", "文件缺少权重（{number} 个）：{names}")
_MISFITS = Text("Shapes differ ({number}): {names}", "形状不同（{number} 个）：{names}")
_UNUSED = Text("Unused weights ({number}): {names}", "未使用的权重（{number} 个）：{names}")
_WRITTEN = Text(
    "{path}: {number} Tensors, {elements} elements.", "{path}：{number} 个 Tensor，共 {elements} 个元素。"
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("file", "FILE", _FILE, Path)
    arguments.option("--output", "-o", metavar="FILE", text=_OUTPUT, kind=Path)
    arguments.option("--like", metavar="FILE", text=_LIKE, kind=Path)
    arguments.option("--key", metavar="NAME", text=_KEY)
    arguments.option("--prefix", metavar="TEXT", text=_PREFIX)
    arguments.flag("--overwrite", _OVERWRITE)
    arguments.settings("language")


def _run(given: Given, language: Language) -> int:
    _, language = settings_for([], given.settings, language)
    _check_output(given, language)
    return convert_weights(given.file, given.output, given.like, given.key, given.prefix or "", language)


COMMANDS = (Command("weights", _ABOUT, _add_arguments, _run),)


def convert_weights(
    path: Path, output: Path, like: Path | None, key: str | None, prefix: str, language: Language
) -> int:
    """Write the weights in a file into a new one. Returns 2 if that was not possible, or if `like` has names
    for which there are no weights."""
    from mindport.weights.files import weights_in, write_weights
    from mindport.weights.stored_tensor import WeightsError

    at = path
    is_complete = True
    try:
        with weights_in(path, key) as tensors:
            tensors = _without_prefix(tensors, prefix)
            if like is not None:
                at = like
                matched = _matched(tensors, like)
                is_complete = _told(matched, language)
                tensors = matched.tensors
            at = path
            if not tensors:
                raise WeightsError(_NONE)
            write_weights(output, tensors)
    except WeightsError as wrong:
        error(_PROBLEM.render(language, path=at, problem=wrong.render(language)), language)
        return 2
    except OSError as wrong:
        at = Path(wrong.filename) if isinstance(wrong.filename, str) else at
        error(_PROBLEM.render(language, path=at, problem=wrong.strerror or wrong), language)
        return 2
    elements = sum(each.elements for each in tensors)
    print(_WRITTEN.render(language, path=output, number=len(tensors), elements=f"{elements:,}"))
    return 0 if is_complete else 2


def _check_output(given: Given, language: Language) -> None:
    """Raise UsageError for a new file that cannot be written, or would take the place of another one."""
    from mindport.weights.files import FORMATS

    output: Path | None = given.output
    if output is None:
        raise UsageError(_NO_OUTPUT.render(language))
    if output.suffix.lower() not in FORMATS:
        raise UsageError(_NO_FORMAT.render(language, path=output, endings=", ".join(FORMATS)))
    for read in (given.file, given.like):
        if read is not None and output.exists() and read.exists() and output.samefile(read):
            raise UsageError(_SAME_FILE.render(language, path=output))
    if output.exists() and not given.overwrite:
        raise UsageError(_IS_THERE.render(language, path=output))


def _without_prefix(tensors: Sequence[StoredTensor], prefix: str) -> list[StoredTensor]:
    from mindport.weights.stored_tensor import WeightsError

    found = {each.name.removeprefix(prefix): each for each in tensors}
    if prefix and "" in found:
        raise WeightsError(_NO_NAME, prefix=prefix)
    if len(found) < len(tensors):
        names = [each.name.removeprefix(prefix) for each in tensors]
        raise WeightsError(_TWICE, name=next(name for name in names if names.count(name) > 1))
    return [each._replace(name=name) for name, each in found.items()]


def _matched(tensors: Sequence[StoredTensor], like: Path) -> Matched:
    from mindport.catalog.catalog import Catalog
    from mindport.weights.files import weights_in
    from mindport.weights.names import with_names_of

    with weights_in(like) as others:
        return with_names_of(tensors, others, Catalog.load())


def _told(matched: Matched, language: Language) -> bool:
    """Say what did not match. Returns whether all names have weights."""
    for text, names in ((_MISSING, matched.missing), (_MISFITS, matched.misfits)):
        if names:
            error(text.render(language, number=len(names), names=_listed(names)), language)
    if matched.unused:
        number, listed = len(matched.unused), _listed(matched.unused)
        warning(_UNUSED.render(language, number=number, names=listed), language)
    return not matched.missing and not matched.misfits


def _listed(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
