"""Build hook: puts the compact catalog index and the template for LSP4IJ into the wheel, and compiles the hot
modules if asked to.

With `MINDPORT_COMPILE=1` in the environment the modules in `COMPILED` are compiled by mypyc, which takes a C
compiler and, beside hatchling, mypy and mindport's own dependencies, which an isolated build installs:
`make compiled`. The wheel is then one
for this platform. Without it the wheel is the same on every platform; both behave alike, which
`tests/test_compiled.py` holds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "index/*.py",
    "lowering/*.py",
    "callgraph/*.py",
    "infer/*.py",
    "tensors/*.py",
    "uses/*.py",
    "assess/__init__.py",
    "assess/advised_calls.py",
    "assess/assess.py",
    "assess/call_matching.py",
    "assess/call_plan.py",
    "assess/code_context.py",
    "assess/feature_rules.py",
    "assess/file_answers.py",
    "assess/file_findings.py",
    "assess/finding.py",
    "assess/formatted_values.py",
    "assess/gradient_accumulation.py",
    "assess/numbers_apart.py",
    "assess/rules/*.py",
    "assess/template_plan.py",
    "assess/temporaries.py",
    "assess/use_context.py",
    "assess/written_copies.py",
    "catalog/answer.py",
    "catalog/api.py",
    "catalog/argument_form.py",
    "catalog/binding.py",
    "catalog/catalog.py",
    "catalog/correspondence.py",
    "catalog/differences.py",
    "catalog/expansion.py",
    "catalog/feature_facts.py",
    "catalog/folding.py",
    "catalog/graph_facts.py",
    "catalog/index.py",
    "catalog/libraries.py",
    "catalog/names.py",
    "catalog/preference.py",
    "catalog/second_order_facts.py",
    "catalog/template.py",
    "catalog/tried_calls.py",
    "language.py",
    "lsp/diagnostics_json.py",
    "project/dependencies.py",
    "project/session.py",
    "report/json_report.py",
    "source/document.py",
    "source/expression_node.py",
    "source/lines.py",
    "source/notebook_document.py",
    "source/pieces.py",
    "source/refusal.py",
    "source/repair.py",
    "source/statement_lines.py",
    "source/suites.py",
    "source/syntax.py",
)
"""The modules where the time of a keystroke and of a scan goes, as patterns below the package. Their
dataclasses have no `slots`: compiled classes have them anyway, and mypyc cannot make both; frozen ones that
are sent to other processes cannot be compiled. What fields of a `NamedTuple` are made of is imported when the
module is, not for types alone."""

COMPILER = ("mypy>=2.4,<3", "setuptools")
"""mypyc, and what it has the C compiler called with."""


class CatalogIndexHook(BuildHookInterface[Any]):
    """Builds `mindport/catalog/index.bin` from `mapping_data` before the wheel is put together."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What an isolated build installs beside hatchling."""
        if self.target_name != "wheel" or os.environ.get("MINDPORT_COMPILE") != "1":
            return []
        return [*COMPILER, *self.metadata.core.dependencies]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; an editable install builds its index when it first runs."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "server"))
        try:
            from mindport.catalog.build import build_index
            from mindport.catalog.index import INDEX_NAME
        finally:
            sys.path.pop(0)
        destination = root / "server" / "mindport" / "catalog" / INDEX_NAME
        build_index(root / "mapping_data", destination)
        build_data["force_include"][str(destination)] = f"mindport/catalog/{INDEX_NAME}"
        build_data["force_include"][str(root / "pycharm-bridge" / "lsp4ij")] = "mindport/pycharm/lsp4ij"
        if os.environ.get("MINDPORT_COMPILE") == "1":
            self._temporary = tempfile.mkdtemp(prefix="mindport-")
            for library in compiled(root / "server" / "mindport", Path(self._temporary)):
                build_data["force_include"][str(library)] = str(library.relative_to(self._temporary))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling after the build."""
        temporary = getattr(self, "_temporary", None)
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)


def compiled(package: Path, folder: Path, *, is_profiled: bool = True) -> list[Path]:
    """Compile the hot modules of a copy of `package` in `folder`; the libraries that this makes.

    With gcc they are compiled twice: the second time it knows, from `hatch_training.py`, what is hot, and
    puts that together. Without `is_profiled` they are compiled once, which takes less than half of the time,
    and do the same more slowly. Raises RuntimeError with the compiler's output when it fails.
    """
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    if not is_profiled or not _is_gcc():
        return _compile(package.name, folder)
    _compile(package.name, folder, *_OPTIONS, "-fprofile-generate")
    _train(folder)
    for path in [path for path in folder.rglob("*") if path.suffix in (".o", ".so")]:
        path.unlink()
    return _compile(package.name, folder, *_OPTIONS, "-fprofile-use", *_WITH_PROFILE)


_OPTIONS = ("-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt", "-fprofile-update=single")
_WITH_PROFILE = ("-fprofile-correction", "-fprofile-partial-training", "-Wno-missing-profile")


def _is_gcc() -> bool:
    compiler = (sysconfig.get_config_var("CC") or "").split()
    if not compiler or shutil.which(compiler[0]) is None:
        return False
    told = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False)
    return "Free Software Foundation" in told.stdout


def _compile(package: str, folder: Path, *options: str) -> list[Path]:
    files = [
        str(path.relative_to(folder))
        for pattern in COMPILED
        for path in sorted((folder / package).glob(pattern))
    ]
    environment = {**os.environ, "CFLAGS": " ".join([os.environ.get("CFLAGS", ""), *options]).strip()}
    if options:  # gcc: without what only a debugger reads, which is half of the size
        environment["LDFLAGS"] = f"{os.environ.get('LDFLAGS', '')} -Wl,--strip-all".strip()
    command = [sys.executable, "-m", "mypyc", "--strict", *files]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    libraries = [path for path in folder.rglob("*") if path.suffix in (".so", ".pyd")]
    libraries = [path for path in libraries if "build" not in path.relative_to(folder).parts]
    if done.returncode or not libraries:
        raise RuntimeError(f"mypyc failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return libraries


def _train(folder: Path) -> None:
    """Run what the profile is taken of, which is written beside the objects."""
    training = Path(__file__).with_name("hatch_training.py")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, str(training)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the compiled package failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
