"""Exit codes tell whether all that was asked for was done: 0 if so, 2 if not, whatever else came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import CommandLine, environment
from mindport.app import convert_tree
from mindport.source.unfinished import create_original, create_unfinished

SOURCE = "import torch\nx = torch.sin(1.0)\n"
CONVERTED = "from mindspore import mint\nx = mint.sin(1.0)\n"
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


@pytest.fixture
def tree(mindport: CommandLine) -> CommandLine:
    """Two modules that have something to convert."""
    mindport.write("src/a.py", SOURCE)
    mindport.write("src/b.py", SOURCE)
    return mindport


@pytest.mark.parametrize("options", [(), ("--exit-code",), ("--format", "json"), ("-o", "report")])
def test_a_scan_with_one_of_two_paths_missing(tree: CommandLine, options: tuple[str, ...]) -> None:
    assert tree("scan", "src/a.py", *options).code == (1 if "--exit-code" in options else 0)
    result = tree("scan", "src/a.py", "missing", *options)
    assert result.code == 2
    assert "1 of 2 files could not be read" in result.err


def test_a_warm_scan_says_it_again(tree: CommandLine) -> None:
    tree.write("src/bad.py", b"\xff\0")
    assert [tree("scan", "src").code for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("way", [("--diff",), ("--in-place",), ("-o", "out")])
def test_a_conversion_with_one_of_two_paths_missing(tree: CommandLine, way: tuple[str, ...]) -> None:
    result = tree("convert", "src/a.py", "missing", *way, "--exit-code")
    assert result.code == 2
    assert "not converted: 1" in result.out + result.err


def fail_at_b(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    real = convert_tree.replace_file

    def replace(path: Path, *others: object) -> None:
        if path.name == "b.py":
            raise error
        real(path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(convert_tree, "replace_file", replace)


@pytest.mark.parametrize(("way", "place"), [(("--in-place",), "src"), (("-o", "out"), "out")])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), OSError(30, "Read-only file system")]
)
def test_what_cannot_be_written_is_counted_and_the_rest_is_written(
    tree: CommandLine, monkeypatch: pytest.MonkeyPatch, error: OSError, way: tuple[str, ...], place: str
) -> None:
    fail_at_b(monkeypatch, error)
    result = tree("convert", "src", *way)
    assert result.code == 2
    assert "; not written: 1\n" in result.out and "not converted: 0" in result.out
    assert f"b.py: {error.strerror}" in result.err
    assert (tree.folder / place / "a.py").read_text() == CONVERTED
    chinese = tree("convert", "src", *way, "--language", "zh-cn")
    assert "；未写入：1\n" in chinese.out


@needs_posix
def test_a_file_that_does_not_fit_on_the_disk(tree: CommandLine) -> None:
    """A limit on the size of files refuses in the middle of writing, as a full disk does."""
    import resource

    large = SOURCE + "# " + "x" * 60_000 + "\n"
    tree.write("src/b.py", large)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = subprocess.run(
        [sys.executable, "-m", "mindport", "convert", "src", "--in-place", "--jobs", "1"],
        cwd=tree.folder,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        preexec_fn=limit,
    )
    assert done.returncode == 2
    assert "not written: 1" in done.stdout and "Traceback" not in done.stderr
    assert (tree.folder / "src/b.py").read_text() == large
    assert (tree.folder / "src/a.py").read_text() == CONVERTED
    assert {path.name for path in (tree.folder / "src").iterdir()} == {"a.py", "b.py"}


@contextmanager
def immutable(path: Path) -> Iterator[None]:
    """A folder in which nothing can be changed, not even by root. Skips where that cannot be had."""
    chattr = shutil.which("chattr")
    if chattr is None or subprocess.run([chattr, "+i", path], capture_output=True, check=False).returncode:
        pytest.skip("folders cannot be made immutable here")
    try:
        yield
    finally:
        subprocess.run([chattr, "-i", path], check=True)


@needs_posix
def test_a_folder_that_cannot_be_written_to(tree: CommandLine) -> None:
    with immutable(tree.folder / "src"):
        result = tree("convert", "src", "--in-place")
    assert result.code == 2 and "not written: 2" in result.out
    assert (tree.folder / "src/a.py").read_text() == SOURCE


@needs_posix
def test_a_report_that_cannot_be_written(tree: CommandLine) -> None:
    result = tree("scan", "src", "-o", "nowhere/report")
    assert result.code == 2 and "Cannot write nowhere/report" in result.err
    assert tree("scan", "src", "-o", "/dev/full").code == 2


@needs_posix
@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("convert", "src", "--in-place"), "src"),
        (("convert", "src", "-o", "out"), "out"),
        (("scan", "src", "-o", "out/report"), "out"),
    ],
)
def test_what_a_killed_run_left_goes_with_the_next_one(
    tree: CommandLine, arguments: tuple[str, ...], place: str
) -> None:
    tree.write("out/theirs", "")
    handle, left = create_unfinished(tree.folder / place / "a.py")
    os.close(handle)
    assert tree(*arguments).code == 0
    assert not left.exists() and (tree.folder / "out/theirs").exists()


@needs_posix
def test_a_file_that_a_killed_run_was_writing_into_is_told(tree: CommandLine) -> None:
    path = tree.folder / "src/a.py"
    (tree.folder / "linked.py").hardlink_to(path)
    handle, original = create_original(path)
    os.write(handle, b"what it held")
    os.close(handle)
    result = tree("convert", "src", "--in-place")
    assert "An earlier run was killed while writing" in result.err and original.name in result.err
    assert original.read_bytes() == b"what it held"
    assert (tree.folder / "linked.py").read_text() == CONVERTED  # one file still


@needs_posix
@pytest.mark.parametrize("into", ["pipe", "full"])
def test_all_is_converted_though_nobody_can_be_told(tree: CommandLine, into: str) -> None:
    for number in range(300):
        tree.write(f"src/a_module_with_a_long_name_{number}.py", SOURCE)
    command = [sys.executable, "-m", "mindport", "convert", "src", "--in-place"]
    with (
        Path("/dev/full" if into == "full" else os.devnull).open("w") as output,
        subprocess.Popen(
            command,
            cwd=tree.folder,
            env=environment(),
            stdout=output if into == "full" else subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as running,
    ):
        if running.stdout is not None:
            running.stdout.close()
        assert running.stderr is not None
        told = running.stderr.read()
        assert running.wait(120) == (2 if into == "full" else 0)
    assert (b"Cannot write to standard output" in told) == (into == "full")
    assert {path.read_text() for path in (tree.folder / "src").iterdir()} == {CONVERTED}
