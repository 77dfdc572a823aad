"""What of a model is to be verified: what builds it, and what it is called with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mindport.language import Text
from mindport.source.decode import PACKAGE_FILE
from mindport.source.error import TextError

_FLOATS: Final = ("float16", "float32", "float64")
_INTEGERS: Final = ("bool", "int8", "int16", "int32", "int64", "uint8")
_BELOW: Final = 10
"""Integers are below this unless a specification says otherwise."""
_INPUT: Final = re.compile(
    r"(?:(?P<name>[^\W\d]\w*)=)?(?P<kind>\w+)\[(?P<shape>[\d, ]*)\](?:<(?P<below>\d+))?"
)

_NO_SPEC = Text(
    "{given} does not say how to build the model. Write FILE.py:EXPRESSION, such as 'models/net.py:Net(10)'.",
    "{given} 没有说明如何构建模型。请写作 FILE.py:EXPRESSION，例如 'models/net.py:Net(10)'。",
)
_NO_FILE = Text("{path} is not a Python file.", "{path} 不是 Python 文件。")
_NOT_INSIDE = Text("{path} is not in {folder}.", "{path} 不在 {folder} 中。")
_NO_INPUT = Text(
    "{given} is not a valid input. Write a type and a shape, such as float32[2,3,32,32] or "
    "int64[2,16]<100, optionally after a keyword, such as mask=bool[2,16]. Types: {kinds}.",
    "{given} 不是有效的输入。请写出类型与形状，例如 float32[2,3,32,32] 或 int64[2,16]<100；"
    "前面可加关键字，例如 mask=bool[2,16]。可用类型：{kinds}。",
)


class ModelSpecError(TextError):
    """A specification of a model cannot be used."""


@dataclass(frozen=True)
class ModelInput:
    """A Tensor to call a model with: numbers around zero, or integers from zero to below `below`. `name` is
    the keyword, if it is given by one."""

    kind: str
    shape: tuple[int, ...]
    name: str | None = None
    below: int = _BELOW

    @classmethod
    def parse(cls, given: str) -> ModelInput:
        """An input as it is written on the command line. Raises ModelSpecError."""
        found = _INPUT.fullmatch(given.strip())
        kinds = (*_FLOATS, *_INTEGERS)
        if found is None or found["kind"] not in kinds:
            raise ModelSpecError(_NO_INPUT, given=given, kinds=", ".join(kinds))
        shape = tuple(int(part) for part in found["shape"].split(",") if part.strip())
        return cls(found["kind"], shape, found["name"], int(found["below"] or _BELOW))


@dataclass(frozen=True)
class ModelSpec:
    """A model: `expression` builds it in the module of `file`, which is imported from `folder`, and is
    called with `inputs`."""

    folder: Path
    file: Path
    expression: str
    inputs: tuple[ModelInput, ...]
    in_graph: bool = False
    """Whether it is compiled in graph mode, too."""

    @classmethod
    def parse(cls, given: str, inputs: tuple[ModelInput, ...], folder: Path | None = None) -> ModelSpec:
        """A specification as it is written on the command line, `FILE.py:EXPRESSION`. Without `folder`, it is
        the one that the outermost package around the file is in. Raises ModelSpecError."""
        name, separator, expression = given.partition(".py:")
        if not separator or not expression.strip():
            raise ModelSpecError(_NO_SPEC, given=given)
        file = Path(f"{name}.py").absolute()
        if not file.is_file():
            raise ModelSpecError(_NO_FILE, path=f"{name}.py")
        around = _imported_from(file) if folder is None else folder.absolute()
        if not file.is_relative_to(around):
            raise ModelSpecError(_NOT_INSIDE, path=f"{name}.py", folder=folder)
        return cls(around, file, expression.strip(), inputs)

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        parts = self.file.relative_to(self.folder).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def task(self, folder: Path, results: Path) -> dict[str, Any]:
        """What a process that runs it has to know: the folder that it imports from, and where results go."""
        return {
            "folder": str(folder),
            "results": str(results),
            "module": self.module,
            "expression": self.expression,
            "graph": self.in_graph,
            "inputs": [
                {"name": one.name, "kind": one.kind, "shape": one.shape, "below": one.below}
                for one in self.inputs
            ],
        }


def _imported_from(file: Path) -> Path:
    folder = file.parent
    while (folder / PACKAGE_FILE).is_file() and folder != folder.parent:
        folder = folder.parent
    return folder
