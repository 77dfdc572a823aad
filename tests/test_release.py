"""What releases are made with: one version number, workflows, and what others call from this repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from mindport.cli.arguments import Arguments
from mindport.cli.main import COMMANDS
from mindport.cli.scan import COMMANDS as SCAN

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT)]
try:
    import check_workflows
    import release
    import try_wheel

    import hatch_build
finally:
    del sys.path[:2]

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
CHINESE = re.compile("[\u4e00-\u9fff]")
PINNED = re.compile(r"uses: (\./\.github/workflows/\S+\.yml|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)")
posix = pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX is not there")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def jobs() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in WORKFLOWS:
        yield from ((f"{path.name}: {name}", job) for name, job in read(path)["jobs"].items())


def steps() -> Iterator[Mapping[str, Any]]:
    for _, job in jobs():
        yield from job.get("steps", ())
    yield from read(ACTION)["runs"]["steps"]


def scan_accepts(words: list[str]) -> Any:
    arguments = Arguments("mindport scan", "en")
    SCAN[0].add_arguments(arguments)
    return arguments.parse(words)


# --- one version number


def copied(folder: Path) -> Path:
    """The files with the version, elsewhere."""
    for name in {place.file for place in release.PLACES} | {release.CHANGELOG}:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def test_there_is_one_version() -> None:
    import mindport

    assert release.version(ROOT) == mindport.__version__
    package = json.loads((ROOT / "vscode-client" / "package.json").read_text("utf-8"))
    lock = json.loads((ROOT / "vscode-client" / "package-lock.json").read_text("utf-8"))
    assert package["version"] == lock["version"] == lock["packages"][""]["version"] == mindport.__version__


@pytest.mark.parametrize("place", release.PLACES, ids=lambda place: f"{place.file} {place.before[:8]}")
def test_a_place_with_another_version_is_told(place: release.Place, tmp_path: Path) -> None:
    root = copied(tmp_path)
    text = (root / place.file).read_text("utf-8")
    changed = place.pattern().sub(r"\g<1>9.9.9\g<3>", text, count=1)
    (root / place.file).write_text(changed, "utf-8")
    with pytest.raises(release.ReleaseError, match=re.escape(f"{place.file}: 9.9.9")):
        release.check(root, None)


def test_a_version_is_set_everywhere_and_names_its_section(tmp_path: Path) -> None:
    root = copied(tmp_path)
    release.set_version(root, "7.8.9", "2030-01-02")
    assert release.check(root, "v7.8.9") == "7.8.9"
    text = (root / release.CHANGELOG).read_text("utf-8")
    assert "## [Unreleased]\n\n## [7.8.9] - 2030-01-02\n" in text
    assert release.notes(root, "7.8.9").startswith("### ")
    release.set_version(root, "7.8.9", "2030-01-03")
    assert (root / release.CHANGELOG).read_text("utf-8") == text, "a second time changes nothing"
    versioned = [path for path in root.rglob("*.*") if path.is_file() and "7.8.9" in path.read_text("utf-8")]
    assert {path.relative_to(root).as_posix() for path in versioned} == {
        *(place.file for place in release.PLACES),
        release.CHANGELOG,
    }


def test_a_tag_needs_its_version_and_a_section(tmp_path: Path) -> None:
    root = copied(tmp_path)
    number = release.version(root)
    with pytest.raises(release.ReleaseError, match="the tag is v9"):
        release.check(root, "v9.0.0")
    (root / release.CHANGELOG).write_text("# Changelog\n\n## [Unreleased]\n\n- One.\n", "utf-8")
    with pytest.raises(release.ReleaseError, match="no section"):
        release.check(root, f"v{number}")
    section = f"# Changelog\n\n## [{number}] - 2030-01-01\n\n- One.\n\n## [0.0.1]\n\n- Two.\n"
    (root / release.CHANGELOG).write_text(section, "utf-8")
    assert release.check(root, f"v{number}") == number
    assert release.notes(root, number) == "- One.\n"


@pytest.mark.parametrize("number", ["1", "1.2", "v1.2.3", "1.2.3-beta", "1.2.3 "])
def test_what_is_no_version_is_refused(number: str, tmp_path: Path) -> None:
    root = copied(tmp_path)
    with pytest.raises(release.ReleaseError, match="not a version"):
        release.set_version(root, number, "2030-01-01")


# --- wheels


@pytest.mark.parametrize(("found", "code"), [([], 0), (["the engine is not compiled"], 1)])
def test_trying_a_wheel_fails_for_a_fault_and_for_none_else(
    found: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(try_wheel, "faults", lambda folder, is_pure: found)
    monkeypatch.setattr(sys, "argv", ["try_wheel.py"])
    with pytest.raises(SystemExit) as ended:
        try_wheel.main()
    assert ended.value.code in ((0, None) if code == 0 else ("\n".join(found),))


def test_what_is_no_installed_wheel_is_a_fault(tmp_path: Path) -> None:
    [fault] = try_wheel.faults(str(tmp_path), is_pure=True)
    assert fault.startswith("this is not an installed wheel: ")


# --- workflows


def test_actions_are_pinned_with_their_version() -> None:
    lines = [
        line.strip().removeprefix("- ")
        for path in [*WORKFLOWS, ACTION]
        for line in path.read_text("utf-8").splitlines()
        if re.match(r"\s*(- )?uses:", line)
    ]
    assert lines and [line for line in lines if not PINNED.fullmatch(line)] == []
    commits: dict[str, set[str]] = {}
    for line in lines:
        name, at, commit = line.partition("@")
        if at:
            commits.setdefault(name, set()).add(commit)
    assert {name: found for name, found in commits.items() if len(found) > 1} == {}, "one version of each"


def test_jobs_may_little_and_end() -> None:
    for name, job in jobs():
        assert "permissions" in job, name
        assert "uses" in job or 0 < job["timeout-minutes"] <= 240, name
        for step in job.get("steps", ()):
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False, name
    for path in WORKFLOWS:
        assert read(path)["permissions"] == {} and read(path)["concurrency"], path.name


def test_only_who_publishes_may_prove_who_he_is() -> None:
    may = {name for name, job in jobs() if job["permissions"].get("id-token") == "write"}
    assert may == {"release.yml: publish", "docs.yml: deploy"}
    writing = {name for name, job in jobs() if job["permissions"].get("contents") == "write"}
    assert writing == {"release.yml: release"}


def test_a_release_waits_for_tests_and_packages() -> None:
    of = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert set(of["publish"]["needs"]) == {"test", "wheels", "vscode", "sbom"}
    assert of["release"]["needs"] == "publish" and of["wheels"]["needs"] == "version"


def test_every_python_is_tested_and_built() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    pythons = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    fast = read(ROOT / ".github" / "workflows" / "test.yml")["jobs"]["fast"]
    assert fast["strategy"]["matrix"]["python"] == pythons
    built = re.search(r'(?m)^build = "(.*)"$', text)
    assert built is not None
    assert built[1].split() == [f"cp{python.replace('.', '')}-*" for python in pythons]


def test_what_workflows_call_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    called: set[str] = set()
    for step in steps():
        run = step.get("run", "")
        called.update(re.findall(r"scripts/\w+\.py|\.ci/run|\S*(?:requirements[\w-]*|constraints)\.txt", run))
        for target in re.findall(r"(?:^|\n)make (\S+)", run):
            assert re.search(rf"(?m)^{target}:", makefile), target
        for name in re.findall(r"npm --prefix vscode-client run (\w+)", run):
            scripts = json.loads((ROOT / "vscode-client" / "package.json").read_text("utf-8"))["scripts"]
            assert name in scripts
    assert called and [name for name in called if not (ROOT / name).exists()] == []


def test_the_checkers_find_nothing() -> None:
    assert check_workflows.main() == 0


@pytest.mark.parametrize("tool", [name for name, _ in check_workflows.COMMANDS])
def test_a_checker_finds_what_is_wrong(tool: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if shutil.which(tool, path=check_workflows.tool_path()) is None:
        pytest.skip(f"{tool} is not on this machine")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (folder / "bad.yml").write_text(
        "on: issues\njobs:\n  one:\n    runs-on: ubuntu-24.04\n    steps:\n"
        "      - run: echo ${{ github.event.issue.title }}\n",
        "utf-8",
    )
    arguments = dict(check_workflows.COMMANDS)[tool]
    assert not check_workflows.run(tool, arguments, tmp_path)
    assert "github.event.issue.title" in capfd.readouterr().out


@pytest.mark.parametrize(("variable", "is_fine"), [("", True), ("true", False)])
def test_a_checker_has_to_be_there_in_ci(
    variable: str, is_fine: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CI", variable)
    assert check_workflows.run("no-such-checker", (), tmp_path) is is_fine


# --- what others call


def hook() -> Mapping[str, Any]:
    (found,) = read(ROOT / ".pre-commit-hooks.yaml")
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("source", "code"),
    [("import torch\n\nx = torch.randn(2)\n", 1), ("print(1)\n", 0)],
    ids=["torch", "other"],
)
def test_the_hook_scans_a_file(source: str, code: int, tmp_path: Path) -> None:
    command = hook()["entry"].split()
    assert command[0] == "mindport" and hook()["id"] == "mindport"
    scan_accepts([*command[2:], "a.py"])
    (tmp_path / "a.py").write_text(source, "utf-8")
    program = [sys.executable, "-m", *command, "a.py"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("torch.randn" in done.stdout) is bool(code)


def scan_step() -> Mapping[str, Any]:
    return next(step for step in read(ACTION)["runs"]["steps"] if step.get("id") == "scan")


def test_the_action_uses_all_its_inputs_and_real_options() -> None:
    action = read(ACTION)
    text = ACTION.read_text("utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(action["inputs"])
    options = re.findall(r"(?<![\w-])--[a-z-]+(?= |\))", scan_step()["run"].split("options=", 1)[1])
    words = [word for option in options for word in ([option] if option == "--exit-code" else [option, "x"])]
    assert "--exit-code" in words
    scan_accepts([*words, "a.py"])


@posix
@pytest.mark.parametrize(("fails", "code"), [("false", 0), ("true", 1)])
def test_the_action_writes_a_report(fails: str, code: int, tmp_path: Path) -> None:
    """The step's own script, with a Python whose environments have this mindport in place of pip's."""
    project, temporary, python = tmp_path / "project", tmp_path / "temp", tmp_path / "python"
    (project / "a b").mkdir(parents=True)
    temporary.mkdir()
    (project / "a b" / "net.py").write_text("import torch\n\nx = torch.randn(2)\n", "utf-8")
    (project / "other.py").write_text("import torch\n\ny = torch.zeros(2)\n", "utf-8")
    python.write_text(
        f'#!/bin/bash\nset -e\n[ "$1 $2 $3" = "-I -m venv" ]\nmkdir -p "$4/bin"\n'
        f'printf \'#!/bin/bash\\necho "$@" > "%s/pip"\\n\' "$4" > "$4/bin/python"\n'
        f'printf \'#!/bin/bash\\nexec "{sys.executable}" -m mindport "$@"\\n\' > "$4/bin/mindport"\n'
        f'chmod +x "$4/bin/python" "$4/bin/mindport"\n',
        "utf-8",
    )
    python.chmod(0o755)
    given = {name: str(value.get("default", "")) for name, value in read(ACTION)["inputs"].items()}
    given |= {"paths": "a b\n", "fail-on-findings": fails, "device": "cpu", "target": "2.10"}
    values = {f"inputs.{name}": value for name, value in given.items()}
    values |= {"steps.python.outputs.python-path": str(python), "github.action_path": str(ROOT)}
    step = scan_step()
    environment = {name: values[value.strip("${} ")] for name, value in step["env"].items()}
    output = tmp_path / "output"
    environment |= {"RUNNER_OS": "Linux", "RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(output)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    report = Path(output.read_text("utf-8").strip().removeprefix("sarif-file="))
    results = json.loads(report.read_text("utf-8"))["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
    assert places and {place.rpartition("/")[2] for place in places} == {"net.py"}
    assert (temporary / "mindport" / "pip").read_text("utf-8").split()[-1] == str(ROOT)


def test_forms_are_in_both_languages() -> None:
    assert len(FORMS) == 3
    for path in FORMS:
        form = read(path)
        names = [field["id"] for field in form["body"]]
        assert len(names) == len(set(names)), path.name
        assert CHINESE.search(form["name"]) and CHINESE.search(form["description"]), path.name
        for field in form["body"]:
            assert CHINESE.search(field["attributes"]["label"]), f"{path.name}: {field['id']}"
        commands = set(re.findall(r"`mindport (\w+)", path.read_text("utf-8")))
        assert commands <= {name for name, _ in COMMANDS}, path.name


def test_the_container_has_what_it_copies() -> None:
    kept = [
        line[1:]
        for line in (ROOT / ".containerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    ]
    assert kept and [name for name in kept if not (ROOT / name).exists()] == []
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    packed = re.search(r"(?ms)^\[tool\.hatch\.build\.targets\.sdist\]\ninclude = (\[.*?\])$", text)
    assert packed is not None
    needed = {"server", "mapping_data", "hatch_build.py", "hatch_training.py", "README.md", "LICENSE"}
    assert needed <= set(json.loads(packed[1])) and needed <= set(kept)


def test_a_build_from_source_is_pure_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from hatchling.build import get_requires_for_build_wheel

    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("MINDPORT_COMPILE", raising=False)
    assert get_requires_for_build_wheel() == []
    monkeypatch.setenv("MINDPORT_COMPILE", "1")
    assert any(one.startswith("mypy") for one in get_requires_for_build_wheel())


def test_a_release_is_compiled_with_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tests/test_compiled.py` compiles without: the order of the steps is held here, their effect by benches."""
    steps: list[tuple[str, ...]] = []

    def compile_nothing(package: str, folder: Path, *options: str) -> list[Path]:
        assert not list(folder.rglob("*.so")), "nothing is left of a pass before"
        steps.append(tuple(option for option in options if option.startswith("-fprofile-")))
        library = folder / package / "a.so"
        library.touch()
        return [library]

    monkeypatch.setattr(hatch_build, "_is_gcc", lambda: True)
    monkeypatch.setattr(hatch_build, "_compile", compile_nothing)
    monkeypatch.setattr(hatch_build, "_train", lambda folder: steps.append(("trained",)))
    package = tmp_path / "mindport"
    package.mkdir()
    assert len(hatch_build.compiled(package, tmp_path / "profiled")) == 1
    first, between, last = steps
    assert "-fprofile-generate" in first and between == ("trained",)
    assert {"-fprofile-use", "-fprofile-partial-training"} <= set(last)
    steps.clear()
    hatch_build.compiled(package, tmp_path / "once", is_profiled=False)
    assert steps == [()]


def test_no_compiled_module_caches_a_property() -> None:
    package = ROOT / "server" / "mindport"
    compiled = {path for pattern in hatch_build.COMPILED for path in package.glob(pattern)}
    assert len(compiled) > len(hatch_build.COMPILED)
    caching = [path.name for path in sorted(compiled) if "@cached_property" in path.read_text("utf-8")]
    assert not caching, "mypyc makes a plain property of it, which computes its value each time"


def test_nothing_asks_classes_for_their_slots() -> None:
    asking = re.compile(r"""["']__slots__["']|\.__slots__""")
    package = ROOT / "server" / "mindport"
    found = [path.name for path in sorted(package.rglob("*.py")) if asking.search(path.read_text("utf-8"))]
    assert not found, "a compiled class has none"


@pytest.mark.xdist_group("together")
def test_tests_of_a_group_are_run_together(request: pytest.FixtureRequest) -> None:
    """pytest-xdist 3.8 tells groups by a suffix of the node's name, which pytest 9.2 does not take: then each
    process compiles the package, and starts an editor, for itself."""
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("tests are not run by groups")
    assert request.node.nodeid.endswith("@together")
