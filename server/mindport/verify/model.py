"""Verifies a model: converts the program that it is part of, builds it in both frameworks with the same
weights, and compares outputs, gradients and layers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mindport.app.convert import convert_files, files_to_convert, helper_files, write_file
from mindport.app.convert_tree import IntoFolder
from mindport.app.helpers_place import HelpersPlaces
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
_AS_ROUNDING: Final = 10.0
"""Gradients whose difference is at most so many times that of PyTorch's own from those in float64 are taken
to be equal: both frameworks round, each in an order of its own."""
OF: Final = "of "
"""What the name of a gradient begins with."""
_LAST_LINES: Final = 12
_MOST_TURNS: Final = 3
"""So often a model is run, with other weights and inputs each time, if nothing but gradients differs."""

_NOT_CONVERTED = Text("Cannot convert the model's file: {problem}", "无法转换模型所在的文件：{problem}")
_FAILS_IN_TORCH = Text("The model does not run in PyTorch:\n{said}", "模型在 PyTorch 中无法运行：\n{said}")
_NOT_IMPORTED: Final = re.compile(r"ModuleNotFoundError: |attempted relative import")
_ELSEWHERE = Text(
    "The model's module is imported from {folder}. If its imports start elsewhere, name that folder with "
    "--folder.\n{said}",
    "模型所在的模块从 {folder} 导入。如果其导入起点是其他文件夹，请用 --folder 指定该文件夹。\n{said}",
)
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
    line of the original code that it is about, as far as that can be told. `kinks` are gradients that were
    apart by so much with some weights and inputs, and are equal with others, which `differences` tells: a
    number near 0 was on either side of a kink, such as ReLU's. `rounding` is how far PyTorch's gradients are
    from those in float64, where that was asked for; gradients that are not much further apart are equal."""

    stage: str
    error: str | None
    differences: Mapping[str, float] = field(default_factory=dict)
    layers: Mapping[str, float] = field(default_factory=dict)
    substituted: Sequence[str] = ()
    graph_differences: Mapping[str, float] | None = None
    graph_error: str | None = None
    graph_place: SourceLine | None = None
    kinks: Mapping[str, float] = field(default_factory=dict)
    rounding: Mapping[str, float] = field(default_factory=dict)

    def is_equal(self, tolerance: float) -> bool:
        """Whether all was compared, and nothing is further apart than the tolerance."""
        if self.error is not None or self.graph_error is not None:
            return False
        in_graph = (self.graph_differences or {}).values()
        return not self.apart(tolerance) and all(each <= tolerance for each in in_graph)

    def apart(self, tolerance: float) -> dict[str, float]:
        """The differences that are larger than the tolerance, and than what rounding can be the reason of."""
        return {
            name: gap
            for name, gap in self.differences.items()
            if not gap <= max(tolerance, _AS_ROUNDING * self.rounding.get(name, 0.0))
        }

    def may_have_kinks(self, tolerance: float) -> bool:
        """Whether all that is further apart than the tolerance are gradients."""
        if self.error is not None or self.first_layer(tolerance) is not None:
            return False
        apart = self.apart(tolerance)
        return bool(apart) and all(name.startswith(OF) for name in apart)

    def beside(self, other: ModelOutcome, tolerance: float) -> ModelOutcome:
        """This outcome, with the gradients that are equal with the weights and inputs of another."""
        before, still = self.apart(tolerance), other.apart(tolerance)
        equal = {name: gap for name, gap in other.differences.items() if name in before and name not in still}
        kinks = {name: before[name] for name, gap in equal.items() if gap <= tolerance}
        rounding = {name: gap for name, gap in other.rounding.items() if name in equal}
        return replace(
            self,
            differences={**self.differences, **equal},
            kinks={**self.kinks, **kinks},
            rounding={**self.rounding, **rounding},
        )

    def first_layer(self, tolerance: float) -> str | None:
        """The first layer whose output is further apart than the tolerance."""
        return next((name for name, each in self.layers.items() if not each <= tolerance), None)


def verify_model(
    spec: ModelSpec, settings: Settings, frameworks: Frameworks, language: Language, tolerance: float
) -> ModelOutcome:
    """Convert and run a model; again with other weights and inputs, if only gradients are further apart than
    the tolerance. Runs code of the user, in processes of their own. Raises ModelError."""
    with tempfile.TemporaryDirectory(prefix="mindport-", ignore_cleanup_errors=True) as scratch:
        converted = Path(scratch, "converted")
        _convert(spec, settings, converted, language)
        substitutes = _substitutes(settings, Path(scratch, "substitutes"), language)

        def turn(number: int) -> ModelOutcome:
            results = Path(scratch, f"results{number}")
            results.mkdir()
            how = {
                "seed": number,
                "exactly": number > 0,
                "graph": spec.in_graph and number == 0,
                **substitutes,
            }
            return _compared(spec, frameworks, results, converted, how)

        return after_turns(turn, tolerance)


def after_turns(turn: Callable[[int], ModelOutcome], tolerance: float) -> ModelOutcome:
    """What comes of a `turn` (by its number), and of more of them, each with other weights and inputs, for as
    long as nothing but gradients is further apart than the tolerance: those that are equal in one were at a
    kink in the others, and what is wrong differs in all."""
    outcome = turn(0)
    for number in range(1, _MOST_TURNS):
        if not outcome.may_have_kinks(tolerance):
            break
        outcome = outcome.beside(turn(number), tolerance)
    return outcome


def _compared(
    spec: ModelSpec, frameworks: Frameworks, results: Path, converted: Path, how: Mapping[str, Any]
) -> ModelOutcome:
    """Run a model and its conversion once. Raises ModelError."""
    done = _run(frameworks, "torch", {**spec.task(spec.folder, results), **how}, results)
    if done.returncode != 0:
        said = _end(done.stderr)
        if _NOT_IMPORTED.search(said):
            raise ModelError(_ELSEWHERE, folder=spec.folder, said=said)
        raise ModelError(_FAILS_IN_TORCH, said=said)
    done = _run(frameworks, "mindspore", {**spec.task(converted, results), **how}, results)
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
    for file in [*converted, *helper_files(converted, HelpersPlaces.of(spec.folder), language)]:
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
