"""The Python that has both frameworks, and their versions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

from mindport.catalog.target import VERSIONS
from mindport.language import Language, Text

VARIABLE = "MINDPORT_TORCH_PYTHON"
"""The environment variable that names the Python with the frameworks."""
_TORCH = "2.13"
_SECONDS = 60
_ASK = (
    "import importlib.metadata as m, json, platform\n"
    "def version(name):\n"
    "    try:\n"
    "        return m.version(name).partition('+')[0]\n"
    "    except m.PackageNotFoundError:\n"
    "        return None\n"
    "print(json.dumps({**{n: version(n) for n in ('torch', 'mindspore', 'numpy', 'torchaudio')},"
    " 'python': platform.python_version()}))\n"
)
_NO_PYTHON = Text(
    "Cannot run {python}: {reason}. Set --python or {variable} to a Python with torch and MindSpore.",
    "无法运行 {python}：{reason}。请用 --python 或 {variable} 指定装有 torch 和 MindSpore 的 Python。",
)
_MISSING = Text(
    "{python} does not have {names}. Install mindport[verify] there, or choose another Python with "
    "--python or {variable}.",
    "{python} 中没有 {names}。请在其中安装 mindport[verify]，或用 --python 或 {variable} 指定其他 Python。",
)
_NO_LIBRARY = Text(
    "{python} does not have {names}. Install it there, or skip its APIs: --only torch.",
    "{python} 中没有 {names}。请在其中安装，或用 --only torch. 跳过它的接口。",
)
_WRONG = Text(
    "{python} has {name} {version}, but {wanted} is needed.",
    "{python} 中的 {name} 是 {version}，需要 {wanted}。",
)
_OLD_NUMPY = Text("a version older than 2", "2 以前的版本")
_KNOWN = Text("one of {versions}", "{versions} 之一")


class FrameworksError(Exception):
    """No Python with both frameworks in versions that mindport knows."""

    def __init__(self, text: Text, wanted: Text | None = None, **values: str) -> None:
        super().__init__(text.render("en", **values, **({"wanted": wanted.en} if wanted else {})))
        self._text = text
        self._wanted = wanted
        self._values = values

    def render(self, language: Language) -> str:
        """The message in a language."""
        wanted = {"wanted": self._wanted.render(language)} if self._wanted else {}
        return self._text.render(language, **self._values, **wanted)


@dataclass(frozen=True, slots=True)
class Frameworks:
    """A Python executable and the exact versions in it."""

    executable: str
    torch: str
    mindspore: str
    numpy: str
    python: str
    torchaudio: str | None = None

    @property
    def version(self) -> str:
        """The MindSpore version as the mapping data name it, such as `2.10`."""
        return ".".join(self.mindspore.split(".")[:2])

    @property
    def versions(self) -> dict[str, str]:
        """What evidence is stamped with."""
        return {
            "torch": self.torch,
            "mindspore": self.mindspore,
            "numpy": self.numpy,
            "python": self.python,
        }

    def require_libraries_of(self, names: Iterable[str]) -> None:
        """Raises FrameworksError when APIs with these names are to be run whose library is not there: that
        they cannot be imported would be taken for what they do."""
        if self.torchaudio is None and any(name.startswith("torchaudio.") for name in names):
            raise FrameworksError(_NO_LIBRARY, python=self.executable, names="torchaudio")


def find_frameworks(python: str | None) -> Frameworks:
    """The frameworks of `python`, else of the Python that the environment names, else of this one. Raises
    FrameworksError when they are not there, or in versions that mindport does not know."""
    executable = _absolute(python or os.environ.get(VARIABLE) or sys.executable)
    found = _ask(executable)
    missing = [name for name in ("torch", "mindspore", "numpy") if not found[name]]
    if missing:
        raise FrameworksError(_MISSING, python=executable, names=", ".join(missing), variable=VARIABLE)
    frameworks = Frameworks(executable, **{key: str(value) for key, value in found.items() if value})
    if not frameworks.torch.startswith(f"{_TORCH}."):
        raise _wrong(executable, "torch", frameworks.torch, Text(_TORCH, _TORCH))
    if frameworks.version not in VERSIONS:
        known = (
            _KNOWN.en.format(versions=", ".join(VERSIONS)),
            _KNOWN.zh_cn.format(versions="、".join(VERSIONS)),
        )
        raise _wrong(executable, "mindspore", frameworks.mindspore, Text(*known))
    if int(frameworks.numpy.partition(".")[0]) >= 2:  # MindSpore 2.10 does not work with it
        raise _wrong(executable, "numpy", frameworks.numpy, _OLD_NUMPY)
    return frameworks


def _absolute(executable: str) -> str:
    """A path that holds in every folder; a bare name stays one."""
    return os.path.abspath(executable) if os.path.dirname(executable) else executable  # noqa: PTH100, PTH120


def _wrong(executable: str, name: str, version: str, wanted: Text) -> FrameworksError:
    return FrameworksError(_WRONG, wanted, python=executable, name=name, version=version)


def _ask(executable: str) -> dict[str, str | None]:
    """The versions in a Python. Raises FrameworksError when it cannot be run."""
    try:
        with tempfile.TemporaryDirectory(prefix="mindport-") as folder:  # Python imports from where it runs
            done = subprocess.run(
                [executable, "-c", _ASK],
                capture_output=True,
                encoding="utf-8",
                timeout=_SECONDS,
                check=True,
                cwd=folder,
            )
        found: dict[str, str | None] = json.loads(done.stdout)
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()
        raise FrameworksError(
            _NO_PYTHON, python=executable, reason=last[-1] if last else str(error), variable=VARIABLE
        ) from error
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FrameworksError(_NO_PYTHON, python=executable, reason=reason, variable=VARIABLE) from error
    return found
