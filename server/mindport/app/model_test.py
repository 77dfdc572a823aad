"""A test, for pytest, that compares a class of PyTorch with what it becomes: what `mindport verify model`
does, as a file of the project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.language import Language, Text

if TYPE_CHECKING:
    from tree_sitter import Node

from mindport.source.decode import PACKAGE_FILE

_TESTS: Final = "tests"
_CALLED: Final = ("forward", "__call__")
_USUAL_INPUT: Final = '"float32[2,3,32,32]"'
_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ABOUT = Text(
    "{name}, converted to MindSpore, computes the same as in PyTorch.",
    "{name} 转换后在 MindSpore 中的计算结果与 PyTorch 一致。",
)
_WHAT_TO_SAY = Text(
    "TODO(mindport): fill in the constructor arguments, and the types and shapes of the inputs: "
    "int64[2,16]<100 means",
    "TODO(mindport)：请填写构造模型的参数，以及输入的类型与形状：int64[2,16]<100 表示",
)
_WHAT_TO_SAY_MORE = Text(
    "integers below 100, mask=bool[2,16] is passed by keyword.",
    "小于 100 的整数，mask=bool[2,16] 按关键字传入。",
)
_FILE: Final = '''"""{about}"""

from pathlib import Path

from mindport.verify.testing import check_model

FILE = Path(__file__).parent.joinpath("{file}").resolve()


def test_{snake}_in_mindspore() -> None:
    # {first}
    # {second}
    check_model(FILE, "{expression}"{inputs})
'''


class ModelTest(NamedTuple):
    """A new file with a test."""

    path: Path
    text: str


def model_test(root: Node, start: int, path: Path, inside: Path, language: Language) -> ModelTest | None:
    """A test of the class that starts at a byte of a file, whose syntax tree has this root. It is to lie in
    the folder of tests beside the outermost package around the file, within `inside`. None if the class
    cannot be called."""
    found = _class_at(root, start)
    if found is None:
        return None
    methods = dict(_methods(found))
    called = next((methods[name] for name in _CALLED if name in methods), None)
    name_node = found.child_by_field_name("name")
    if called is None or name_node is None:
        return None
    name = _text(name_node)
    built = [f"{each}=..." for each in _needed(methods["__init__"])] if "__init__" in methods else []
    snake = _WORD.sub("_", name).lower()
    place = _place(path, inside, snake)
    text = _FILE.format(
        about=_ABOUT.render(language, name=name),
        file=Path(os.path.relpath(path, place.parent)).as_posix(),
        snake=snake,
        first=_WHAT_TO_SAY.render(language),
        second=_WHAT_TO_SAY_MORE.render(language),
        expression=f"{name}({', '.join(built)})",
        inputs="".join(f", {_USUAL_INPUT}" for _ in _needed(called)),
    )
    return ModelTest(place, text)


def _class_at(node: Node, start: int) -> Node | None:
    """The class whose definition, or the decorators in front of it, starts at a byte."""
    for child in node.named_children:
        if child.start_byte <= start < child.end_byte:
            if child.type == "class_definition" and child.start_byte == start:
                return child
            inner = child.child_by_field_name("definition")
            if child.start_byte == start and inner is not None:
                return inner if inner.type == "class_definition" else None
            return _class_at(child, start)
    return None


def _methods(definition: Node) -> Iterator[tuple[str, Node]]:
    """The functions in a class, by their names."""
    body = definition.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        function = child.child_by_field_name("definition") or child
        name = function.child_by_field_name("name")
        if function.type == "function_definition" and name is not None:
            yield _text(name), function


def _needed(function: Node) -> list[str]:
    """The parameters, but for the first, that have no default."""
    parameters = function.child_by_field_name("parameters")
    found = []
    for child in parameters.named_children if parameters is not None else ():
        name = child.named_children[0] if child.type == "typed_parameter" else child
        if name.type == "identifier":
            found.append(_text(name))
    return found[1:]


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _place(path: Path, inside: Path, snake: str) -> Path:
    """A new file in the folder of tests beside the outermost package around a file, or beside that."""
    folder = path.parent
    while (folder / PACKAGE_FILE).is_file() and folder != inside:
        folder = folder.parent
    folder = folder / _TESTS if (folder / _TESTS).is_dir() else folder
    number, new = 1, folder / f"test_{snake}_in_mindspore.py"
    while new.exists():
        number += 1
        new = folder / f"test_{snake}_in_mindspore_{number}.py"
    return new
