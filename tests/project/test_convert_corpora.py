"""Real code, converted: what has to hold for every file of it.

The example project always; open packages where their wheels are (network once).
"""

from __future__ import annotations

import ast
import io
import shutil
import tokenize
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from corpus import TIMM, TORCHVISION, CorpusError, corpus, pinned
from mindport.app.convert_file import ConvertedFile, FileConverter
from mindport.cli.main import main
from mindport.infer.values import Certainty
from mindport.project.discover import discover
from mindport.project.setting_table import Settings
from mindport.rewrite.conversion import convert
from mindport.scan import kept
from mindport.scan.kept import Kept
from mindport.scan.scan import scan

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "flowers"
PACKAGES = {
    "timm": TIMM,
    "torchvision": TORCHVISION,
    "vit_pytorch": pinned("vit-pytorch"),
    "torchmetrics": pinned("torchmetrics"),
}

UNCHANGED = ("flowers", "vit_pytorch")
"""What has no group that can be converted with everything in it proven: models, whose base class never is."""

FOR_CPU = ("flowers", "vit_pytorch", "torchvision")
"""What is converted with every fix for CPU, too: another target is another analysis, which takes half a minute of
the processor for each of the others."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.xdist_group(f"convert {name}"))
        for name in ("flowers", *PACKAGES)
    ],
)
def package(request: pytest.FixtureRequest) -> Path:
    """The folder of a package."""
    if request.param == "flowers":
        return EXAMPLE
    try:
        return corpus(*PACKAGES[request.param]) / request.param
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def alone(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, where no project is around it, which might use it."""
    return Path(shutil.copytree(package, tmp_path_factory.mktemp("alone") / package.name))


@pytest.fixture(scope="module")
def looked_at(alone: Path) -> Iterator[Kept]:
    """The engine of all conversions of the copy to the usual target: analyzing takes most of the time, and is
    done once."""
    with Kept(2) as engine:
        yield engine


@contextmanager
def used_by_commands(engine: Kept) -> Iterator[None]:
    """Commands convert with this engine instead of one of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "Kept", lambda jobs: nullcontext(engine))
        yield


@pytest.fixture(scope="module")
def converted(alone: Path, looked_at: Kept, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, converted into another folder by the command line."""
    folder = tmp_path_factory.mktemp("converted") / alone.name
    with used_by_commands(looked_at):
        assert main(["convert", str(alone), "-o", str(folder), "--jobs", "2"]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")}


def comments(data: bytes) -> Counter[str]:
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def test_every_file_is_there_and_parses(package: Path, converted: Path) -> None:
    before, after = files(package), files(converted)
    assert after.keys() == before.keys()
    for path, data in after.items():
        ast.parse(data, path)
    is_changed = any(after[path] != data for path, data in before.items())
    assert is_changed != (package.name in UNCHANGED)


def test_every_comment_survives(package: Path, converted: Path) -> None:
    after = files(converted)
    lost = {
        path: (comments(data) - comments(after[path]), comments(after[path]) - comments(data))
        for path, data in files(package).items()
        if comments(data) != comments(after[path])
    }
    assert lost == {}


def test_files_without_torch_stay_as_they_are(package: Path, converted: Path) -> None:
    after = files(converted)
    changed = [p for p, data in files(package).items() if b"torch" not in data and after[p] != data]
    assert changed == []


def test_a_second_run_changes_nothing(package: Path, converted: Path, tmp_path: Path) -> None:
    if package.name in UNCHANGED:
        pytest.skip("the first run has changed nothing")
    again = tmp_path / converted.name
    assert main(["convert", str(converted), "-o", str(again), "--jobs", "2"]) == 0
    after = files(again)
    assert [path for path, data in files(converted).items() if after[path] != data] == []


@pytest.mark.parametrize("device", ["ascend", "cpu"])
def test_with_every_fix_files_parse_and_a_second_run_changes_nothing(
    alone: Path, looked_at: Kept, device: str, tmp_path: Path
) -> None:
    once, twice = tmp_path / "once" / alone.name, tmp_path / "twice" / alone.name
    if device == "cpu" and alone.name not in FOR_CPU:
        pytest.skip("converted for Ascend only: it is large")
    options = ["--unsafe", "--device", device, "--jobs", "2"]
    with used_by_commands(looked_at) if device == Settings().device else nullcontext():
        assert main(["convert", str(alone), "-o", str(once), *options]) == 0
    assert main(["convert", str(once), "-o", str(twice), *options]) == 0
    before, after = files(once), files(twice)
    assert [path for path, data in before.items() if after[path] != data] == []
    for path, data in before.items():
        ast.parse(data, path)


class PossibleReceivers(FileConverter):
    """Counts the possible uses instead of converting, for comparison."""

    def file(self, path, found) -> ConvertedFile:  # type: ignore[no-untyped-def]
        possible = sum(p.finding.use.certainty is Certainty.POSSIBLE for p in found.diagnostics())
        left = convert(found, self.unsafe).outcomes["unknown_receiver"]
        return ConvertedFile(path, {"unknown_receiver": left, "review": possible})


def test_nothing_is_changed_where_only_a_name_suggests_torch(alone: Path, looked_at: Kept) -> None:
    settings = Settings()
    counting = PossibleReceivers("en", unsafe=True)
    found = list(scan(discover([alone], settings.exclude), settings, counting, engine=looked_at))
    assert found
    assert [file.path for file in found if file.problem] == []
    assert sum(file.outcomes["unknown_receiver"] for file in found) == sum(
        file.outcomes["review"] for file in found
    )


@pytest.mark.parametrize(
    "options", [(), ("--unsafe",), ("--device", "cpu"), ("--style", "classic", "--unsafe")]
)
def test_the_example_parses_with_every_target(options: tuple[str, ...], tmp_path: Path) -> None:
    assert main(["convert", str(EXAMPLE), "-o", str(tmp_path), *options]) == 0
    for path, data in files(tmp_path).items():
        ast.parse(data, path)
        assert comments(data) == comments((EXAMPLE / path).read_bytes())
