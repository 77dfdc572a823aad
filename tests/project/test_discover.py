"""Finding files, and their place in the import system."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from mindport.infer.project_graph import module_name, search
from mindport.project.discover import (
    discover,
    import_roots,
    other_files,
    package_root,
    project_root,
    scripts,
)
from mindport.project.setting_table import Settings


def plant(top: Path, *names: str) -> None:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(top: Path, *exclude: str) -> list[str]:
    discovery = discover([top], exclude)
    assert discovery.problems == []
    return [path.relative_to(top).as_posix() for path in discovery.files]


def test_python_files_of_a_folder_sorted(tmp_path: Path) -> None:
    plant(tmp_path, "b.py", "a/z.py", "a/b/y.py", "a.txt", "stub.pyi", "模型/网络.py", "a/.py.swp")
    assert found(tmp_path) == ["a/b/y.py", "a/z.py", "b.py", "模型/网络.py"]


def test_relative_paths_stay_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "a/b.py")
    monkeypatch.chdir(tmp_path)
    assert discover([Path("a")], ()).files == [Path("a/b.py")]
    assert discover([Path()], ()).files == [Path("a/b.py")]


def test_files_given_are_taken_whatever_their_name(tmp_path: Path) -> None:
    plant(tmp_path, "script", "build/gen.py", "x.pyi")
    paths = [tmp_path / "x.pyi", tmp_path / "script", tmp_path / "build/gen.py"]
    assert discover(paths, Settings().exclude) == (sorted(paths), [])


def test_a_file_reached_twice_is_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "a/b.py", "a/c/d.py")
    monkeypatch.chdir(tmp_path)
    paths = [tmp_path / "a", tmp_path / "a", Path("a/b.py"), tmp_path / "a/c", tmp_path / "a/../a/b.py"]
    assert len(discover(paths, ()).files) == 2


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("build", ["a/c.py", "a/gen_x.py", "top.py"]),
        ("build/", ["a/c.py", "a/gen_x.py", "top.py"]),
        ("a/build", ["a/c.py", "a/gen_x.py", "build/d.py", "top.py"]),
        ("./a/build", ["a/c.py", "a/gen_x.py", "build/d.py", "top.py"]),
        ("gen_*.py", ["a/build/b.py", "a/c.py", "build/d.py", "top.py"]),
        ("a/*", ["build/d.py", "top.py"]),
        ("**/top.py", ["a/build/b.py", "a/c.py", "a/gen_x.py", "build/d.py"]),
        ("**/build", ["a/c.py", "a/gen_x.py", "top.py"]),
        ("[ab]", ["build/d.py", "top.py"]),
        ("", ["a/build/b.py", "a/c.py", "a/gen_x.py", "build/d.py", "top.py"]),
        ("uild", ["a/build/b.py", "a/c.py", "a/gen_x.py", "build/d.py", "top.py"]),
    ],
)
def test_patterns_leave_out_names_and_relative_paths(tmp_path: Path, pattern: str, left: list[str]) -> None:
    plant(tmp_path, "a/build/b.py", "a/c.py", "a/gen_x.py", "build/d.py", "top.py")
    assert found(tmp_path, pattern) == left


def test_patterns_do_not_see_the_folder_given_or_above(tmp_path: Path) -> None:
    plant(tmp_path, "build/site-packages/torchvision/a.py")
    assert found(tmp_path / "build/site-packages", *Settings().exclude) == ["torchvision/a.py"]


def test_defaults_leave_out_what_people_did_not_write(tmp_path: Path) -> None:
    plant(
        tmp_path, ".venv/a.py", "x/__pycache__/b.py", "node_modules/c.py", "p.egg-info/d.py", "env/train.py"
    )
    assert found(tmp_path, *Settings().exclude) == ["env/train.py"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    plant(tmp_path, "a/b/c.py")
    (tmp_path / "a/b/up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a/b/here").symlink_to(".", target_is_directory=True)
    assert found(tmp_path) == ["a/b/c.py"]


def test_the_real_path_wins_over_links(tmp_path: Path) -> None:
    plant(tmp_path, "real/a.py", "real/b.py", "other/c.py")
    (tmp_path / "0link").symlink_to("real", target_is_directory=True)
    (tmp_path / "0.py").symlink_to("real/a.py")
    (tmp_path / "other/again").symlink_to("../real", target_is_directory=True)
    assert found(tmp_path) == ["other/c.py", "real/a.py", "real/b.py"]
    files = discover([tmp_path / "other", tmp_path / "real"], ()).files
    assert [path.relative_to(tmp_path).as_posix() for path in files] == [
        "other/c.py",
        "real/a.py",
        "real/b.py",
    ]


def test_links_out_of_the_folder_are_followed_only_where_they_are_given(tmp_path: Path) -> None:
    plant(tmp_path, "outside/a.py", "outside/build/b.py", "outside/deep.py", "inside/c.py")
    inside = tmp_path / "inside"
    (inside / "link").symlink_to("../outside", target_is_directory=True)
    (inside / "one.py").symlink_to("../outside/deep.py")
    (inside / "beside").symlink_to("../inside.py")
    (inside / "gone.py").symlink_to("../nowhere.py")
    assert found(inside) == ["c.py"]
    assert other_files([inside], ()) == []
    given = discover([inside, inside / "link", inside / "one.py"], ("build",))
    assert given.files == [inside / "c.py", inside / "link/a.py", inside / "one.py"]


def test_a_link_into_another_folder_that_is_given_is_followed(tmp_path: Path) -> None:
    plant(tmp_path, "a/x.py", "b/y.py")
    (tmp_path / "a/link").symlink_to("../b", target_is_directory=True)
    assert discover([tmp_path / "a", tmp_path / "b"], ()).files == [tmp_path / "a/x.py", tmp_path / "b/y.py"]


def test_pipes_sockets_and_devices_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "processes").symlink_to("/proc", target_is_directory=True)
    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.py")
        assert found(tmp_path) == ["a.py"]


def test_what_the_system_shows_as_files_is_not_searched() -> None:
    others = [name for name in os.listdir("/") if name not in ("proc", "sys", "dev")]  # noqa: PTH208
    assert discover([Path("/")], others).files == []


def test_more_files_than_the_limit_are_told_and_left_out(tmp_path: Path) -> None:
    plant(tmp_path, *(f"pkg{n}/m{m}.py" for n in range(5) for m in range(10)))
    assert len(discover([tmp_path], (), 50).files) == 50
    assert discover([tmp_path], (), 50).problems == []
    assert len(discover([tmp_path], (), 0).files) == 50
    limited = discover([tmp_path], (), 49)
    assert len(limited.files) == 49
    [problem] = limited.problems
    assert problem.path == tmp_path
    assert str(problem.error).startswith(f"{tmp_path} has more than 49 Python files;")
    assert "超过 49 个" in problem.error.render("zh-cn")
    assert discover([tmp_path], (), 49).files == limited.files


def test_files_that_are_given_are_taken_however_many_there_are(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "b.py", "c.py")
    assert len(discover([tmp_path / "a.py", tmp_path / "b.py", tmp_path / "c.py"], (), 1).files) == 3


def test_a_link_that_leads_nowhere_is_a_problem(tmp_path: Path) -> None:
    plant(tmp_path, "a.py")
    (tmp_path / "gone.py").symlink_to("missing.py")
    (tmp_path / "gone.txt").symlink_to("missing.txt")
    (tmp_path / "loop.py").symlink_to("loop.py")
    discovery = discover([tmp_path], ())
    assert discovery.files == [tmp_path / "a.py"]
    assert [problem.path.name for problem in discovery.problems] == ["gone.py", "loop.py"]


@pytest.mark.parametrize("name", ["missing", "missing.py", "nul\0.py", "a.py/b.py"])
def test_a_missing_path_is_a_problem_and_the_rest_goes_on(tmp_path: Path, name: str) -> None:
    plant(tmp_path, "a.py")
    discovery = discover([tmp_path / name, tmp_path], ())
    assert discovery.files == [tmp_path / "a.py"]
    (problem,) = discovery.problems
    assert problem.path == tmp_path / name
    assert str(problem.error) == f"No such file or folder: {tmp_path / name}"
    assert problem.error.render("zh-cn") == f"文件或文件夹不存在：{tmp_path / name}"


def test_an_unreadable_folder_is_a_problem_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "a.py", "locked/b.py", "z/c.py")
    locked = tmp_path / "locked"
    locked.chmod(0)
    if os.access(locked, os.R_OK):  # permissions do not hold for the superuser
        scandir = os.scandir

        def refuse(path: Path) -> object:
            if path == locked:
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
    discovery = discover([tmp_path], ())
    locked.chmod(0o755)
    assert [path.name for path in discovery.files] == ["a.py", "c.py"]
    (problem,) = discovery.problems
    assert problem.path == locked
    assert str(problem.error) == f"No permission to read: {locked}"
    assert problem.error.render("zh-cn") == f"没有读取权限：{locked}"


def root_and_name(path: Path, top: Path) -> tuple[str, str | None]:
    root = package_root(path)
    return root.relative_to(top).as_posix(), module_name(path, root)


def test_the_root_is_above_the_outermost_package(tmp_path: Path) -> None:
    plant(tmp_path, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "tools/train.py")
    assert root_and_name(tmp_path / "pkg/sub/a.py", tmp_path) == (".", "pkg.sub.a")
    assert root_and_name(tmp_path / "pkg/sub/__init__.py", tmp_path) == (".", "pkg.sub")
    assert root_and_name(tmp_path / "tools/train.py", tmp_path) == ("tools", "train")


def test_src_layout(tmp_path: Path) -> None:
    plant(tmp_path, "pyproject.toml", "src/pkg/__init__.py", "src/pkg/a.py", "src/space/sub/b.py", "src/c.py")
    assert root_and_name(tmp_path / "src/pkg/a.py", tmp_path) == ("src", "pkg.a")
    assert root_and_name(tmp_path / "src/space/sub/b.py", tmp_path) == ("src", "space.sub.b")
    assert root_and_name(tmp_path / "src/c.py", tmp_path) == ("src", "c")


def test_a_namespace_package_over_a_package_in_src(tmp_path: Path) -> None:
    plant(tmp_path, "setup.py", "src/org/pkg/__init__.py", "src/org/pkg/a.py")
    assert root_and_name(tmp_path / "src/org/pkg/a.py", tmp_path) == ("src", "org.pkg.a")


def test_a_folder_without_init_belongs_to_the_package_around_it(tmp_path: Path) -> None:
    plant(tmp_path, "setup.cfg", "pkg/__init__.py", "pkg/data/a.py")
    assert root_and_name(tmp_path / "pkg/data/a.py", tmp_path) == (".", "pkg.data.a")


@pytest.mark.parametrize("project", [("setup.cfg",), ()])
def test_a_package_with_a_folder_without_init_in_between(tmp_path: Path, project: tuple[str, ...]) -> None:
    plant(
        tmp_path, *project, "pkg/__init__.py", "pkg/testing/helpers/__init__.py", "pkg/testing/helpers/a.py"
    )
    plant(tmp_path, "pkg/testing/b.py")
    if not project and project_root(tmp_path) is not None:
        pytest.skip("the folder for temporary files is inside a project")
    assert root_and_name(tmp_path / "pkg/testing/helpers/a.py", tmp_path) == (".", "pkg.testing.helpers.a")
    assert root_and_name(tmp_path / "pkg/testing/b.py", tmp_path) == (".", "pkg.testing.b")


def test_without_a_project_a_package_far_above_is_another(tmp_path: Path) -> None:
    plant(tmp_path, "pkg/__init__.py", "pkg/a/b/c/d.py")
    if project_root(tmp_path) is not None:
        pytest.skip("the folder for temporary files is inside a project")
    assert root_and_name(tmp_path / "pkg/a/b/c/d.py", tmp_path) == ("pkg/a/b/c", "d")


def test_a_script_of_a_project_sees_its_own_folder(tmp_path: Path) -> None:
    plant(tmp_path, "pyproject.toml", "scripts/train.py", "src/pkg/__init__.py")
    script = tmp_path / "scripts/train.py"
    assert root_and_name(script, tmp_path) == ("scripts", "train")
    assert import_roots(script) == (tmp_path / "scripts", tmp_path / "src", tmp_path)


def test_a_script_of_a_repository_sees_its_top(tmp_path: Path) -> None:
    plant(tmp_path, "nets/LICENSE", "nets/core/__init__.py", "nets/core/a.py", "nets/tools/README.md")
    plant(tmp_path, "nets/tools/train.py", "nets/tools/old/a.py", "plain/tools/train.py", "told/README.md")
    plant(tmp_path, "told/tools/train.py", "package/__init__.py", "package/LICENSE", "package/sub/train.py")
    if project_root(tmp_path) is not None:
        pytest.skip("the folder for temporary files is inside a project")
    tools = tmp_path / "nets/tools"
    assert import_roots(tools / "train.py") == (tools, tmp_path / "nets")
    assert import_roots(tools / "old/a.py") == (tools / "old", tmp_path / "nets")
    assert import_roots(tmp_path / "nets/core/a.py") == (tmp_path / "nets",)
    assert import_roots(tmp_path / "plain/tools/train.py") == (tmp_path / "plain/tools",)
    assert import_roots(tmp_path / "told/tools/train.py")[-1] == tmp_path / "told"


def test_import_roots_without_a_project(tmp_path: Path) -> None:
    plant(tmp_path, "pkg/__init__.py", "pkg/a.py")
    if project_root(tmp_path) is not None:
        pytest.skip("the folder for temporary files is inside a project")
    assert import_roots(tmp_path / "pkg/a.py") == (tmp_path,)


def test_a_program_in_a_package_sees_the_files_beside_it(tmp_path: Path) -> None:
    plant(tmp_path, "style/__init__.py", "style/utils.py", "style/below/__init__.py", "style/below/run.py")
    main = b"import utils\nif __name__ == '__main__':\n    utils.run()\n"
    (tmp_path / "style/train.py").write_bytes(main)
    (tmp_path / "style/below/run.py").write_bytes(main)
    assert import_roots(tmp_path / "style/utils.py")[-1] == tmp_path / "style"
    assert import_roots(tmp_path / "style/below/run.py")[-1] != tmp_path / "style"
    (tmp_path / "style/__init__.py").write_bytes(b"from style import utils\n")
    assert tmp_path / "style" not in import_roots(tmp_path / "style/train.py")
    plant(tmp_path, "plain/__init__.py", "plain/a.py")
    assert tmp_path / "plain" not in import_roots(tmp_path / "plain/a.py")


def test_the_top_of_a_repository_that_is_a_package_is_looked_in_last(tmp_path: Path) -> None:
    plant(tmp_path, "nri/__init__.py", "nri/README.md", "nri/train.py", "nri/utils.py", "nri/data/make.py")
    plant(tmp_path, "kornia/__init__.py", "kornia/onnx/__init__.py", "kornia/core.py")
    assert import_roots(tmp_path / "nri/train.py")[-1] == tmp_path / "nri"
    assert import_roots(tmp_path / "nri/data/make.py")[-1] == tmp_path / "nri"
    assert tmp_path / "kornia" not in import_roots(tmp_path / "kornia/core.py")
    assert root_and_name(tmp_path / "nri/train.py", tmp_path) == (".", "nri.train")


def test_programs_without_an_ending(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", ".venv/run", "data")
    (tmp_path / "train").write_text("#!/usr/bin/env python3\nimport torch\n")
    (tmp_path / "tool.sh").write_text("#!/usr/bin/python3\n")
    (tmp_path / "run").write_text("#!/bin/sh\npython train\n")
    assert scripts([tmp_path], (".venv",)) == [tmp_path / "train"]
    assert scripts([tmp_path], (".venv", "train")) == []


def test_files_of_a_package_do_not_hide_the_standard_library(tmp_path: Path) -> None:
    plant(tmp_path, "top/__init__.py", "top/README", "top/typing.py", "top/utils.py", "script/typing.py")
    roots = [tmp_path, tmp_path / "top"]
    assert search(roots, "typing").path is None
    assert search(roots, "utils").path == str(tmp_path / "top/utils.py")
    assert search(roots, "top.typing").path == str(tmp_path / "top/typing.py")
    assert search([*roots, tmp_path / "script"], "typing").path == str(tmp_path / "script/typing.py")


def test_project_root_is_the_nearest(tmp_path: Path) -> None:
    plant(tmp_path, "pyproject.toml", "a/setup.py", "a/b/c.py", "d/e.py")
    assert project_root(tmp_path / "a/b/c.py") == tmp_path / "a"
    assert project_root(tmp_path / "d/e.py") == tmp_path


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("a.py", "a"),
        ("模型/a.py", "模型.a"),
        ("a/__init__.py", "a"),
        ("__init__.py", None),
        ("my-script.py", None),
        ("a-b/c.py", None),
        ("../outside.py", None),
        ("a.b.py", None),
    ],
)
def test_module_names(tmp_path: Path, name: str, module: str | None) -> None:
    assert module_name(tmp_path / "top" / name, tmp_path / "top") == module


def test_a_package_within_a_package_is_searched_whatever_its_name(tmp_path: Path) -> None:
    for name in ("pkg", "pkg/dist", "pkg/build", "dist"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("")
    for name in ("pkg", "pkg/dist", "dist"):
        (tmp_path / name / "__init__.py").write_text("")
    assert found(tmp_path, "build", "dist") == [
        "pkg/__init__.py",
        "pkg/a.py",
        "pkg/dist/__init__.py",
        "pkg/dist/a.py",
    ]
