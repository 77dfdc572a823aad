"""Verifies a model: converts the program that it is part of, builds it in both frameworks with the same
weights, and compares outputs, gradients and layers."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mindport.app.convert import convert_files, files_to_convert, helper_files, write_file
from mindport.app.convert_tree import IntoFolder
from mindport.language import Text
from mindport.scan.scan import Progress
from mindport.source.error import TextError
from mindport.verify.graph_errors import SourceLine, source_line
from mindport.verify.substitutes import MODULE, TABLE, write_substitutes

if TYPE_CHECKING:
    from mindport.language import Language
    from mindport.project.setting_table import Settings
    from mindport.verify.frameworks import Frameworks
    from mindport.verify.model_spec import ModelSpec

_PACKAGE_PARENT: Final = str(Path(__file__).resolve().parents[2])
_START: Final = (
    "import json, sys; sys.path.insert(0, sys.argv[1]); import mindport; sys.path.remove(sys.argv[1]); "
    "from mindport.verify.inside.model_{framework} import run; run(json.loads(sys.argv[2]))"
)
_ENVIRONMENT: Final = {
    "GLOG_v": "4",
    "PYTHONWARNINGS": "ignore",
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_OUTCOME: Final = "outcome.json"
_LAST_LINES: Final = 12

_NOT_CONVERTED = Text("Cannot convert the model's file: {problem}", "无法转换模型所在的文件：{problem}")
_FAILS_IN_TORCH = Text("The model does not run in PyTorch:\n{said}", "模型在 PyTorch 中无法运行：\n{said}")
_DIED = Text("MindSpore crashed while running the model:\n{said}", "运行模型时 MindSpore 异常退出：\n{said}")


class ModelError(TextError):
    """A model cannot be verified."""


@dataclass(frozen=True)
class ModelOutcome:
    """How far a converted model is from the original. `differences` are, by `output N`, `of input N` and
    `of NAME` (gradients), parts of the largest number of each; `layers` the same by the name of the layer,
    in the order in which they end. `error` is what was raised at `stage` (built, weights, called,
    gradients), if anything. `substituted` are the APIs of MindSpore that were used and that something stood
    in for, since they have no kernel on the CPU that ran them. `graph_differences` are those of outputs in
    graph mode (None: not asked for, or not reached), `graph_error` what its compiler said, `graph_place` the
    line of the original code that it is about, as far as that can be told."""

    stage: str
    error: str | None
    differences: Mapping[str, float] = field(default_factory=dict)
    layers: Mapping[str, float] = field(default_factory=dict)
    substituted: Sequence[str] = ()
    graph_differences: Mapping[str, float] | None = None
    graph_error: str | None = None
    graph_place: SourceLine | None = None

    def is_equal(self, tolerance: float) -> bool:
        """Whether all was compared, and nothing is further apart than the tolerance."""
        if self.error is not None or self.graph_error is not None:
            return False
        gaps = [*self.differences.values(), *(self.graph_differences or {}).values()]
        return all(each <= tolerance for each in gaps)

    def first_layer(self, tolerance: float) -> str | None:
        """The first layer whose output is further apart than the tolerance."""
        return next((name for name, each in self.layers.items() if not each <= tolerance), None)


def verify_model(
    spec: ModelSpec, settings: Settings, frameworks: Frameworks, language: Language
) -> ModelOutcome:
    """Convert and run a model. Runs code of the user, in processes of their own. Raises ModelError."""
    with tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True) as scratch:
        converted, results = Path(scratch, "converted"), Path(scratch, "results")
        results.mkdir()
        _convert(spec, settings, converted, language)
        done = _run(frameworks, "torch", spec.task(spec.folder, results), results)
        if done.returncode != 0:
            raise ModelError(_FAILS_IN_TORCH, said=_end(done.stderr))
        task = spec.task(converted, results) | _substitutes(settings, Path(scratch, "substitutes"), language)
        done = _run(frameworks, "mindspore", task, results)
        if not (results / _OUTCOME).is_file():
            raise ModelError(_DIED, said=_end(done.stderr))
        told = json.loads((results / _OUTCOME).read_text(encoding="utf-8"))
        place = source_line(told.get("graph_error") or "", spec.folder, converted)
        return ModelOutcome(**told, graph_place=place)


def _convert(spec: ModelSpec, settings: Settings, folder: Path, language: Language) -> None:
    """Write the converted program into a folder."""
    files = files_to_convert([spec.folder], settings, None)
    converted = list(convert_files(files, settings, language, False, Progress(), spec.folder))
    destination = IntoFolder(folder, spec.folder, files.files, False)
    for file in [*converted, *helper_files(converted, spec.folder, language)]:
        written = write_file(file, destination, language)
        if written.problem is not None and Path(file.path).absolute() == spec.file:
            raise ModelError(_NOT_CONVERTED, problem=written.problem)


def _substitutes(settings: Settings, folder: Path, language: Language) -> dict[str, Any]:
    """What a process that runs a model converted for another device needs on a CPU."""
    if settings.device == "cpu":
        return {}
    write_substitutes(folder, settings, language)
    return {"substitutes": [str(folder), MODULE, TABLE]}


def _end(said: str) -> str:
    """The last lines of what a process said."""
    return "\n".join(said.strip().splitlines()[-_LAST_LINES:])


def _run(
    frameworks: Frameworks, framework: str, task: Mapping[str, Any], folder: Path
) -> subprocess.CompletedProcess[str]:
    start = _START.format(framework=framework)
    return subprocess.run(
        [frameworks.executable, "-c", start, _PACKAGE_PARENT, json.dumps(task)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT},
    )
