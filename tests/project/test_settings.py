"""Settings: where they come from, which wins, and what is said of those that cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from mindport.language import LANGUAGES
from mindport.project.setting_table import SETTINGS, Settings
from mindport.project.settings import CLIENT_SETTINGS, SettingsError, load_settings


def write_pyproject(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    return path


def only_problem(**editor: object) -> SettingsError:
    (problem,) = load_settings(None, editor).problems
    return problem


def test_defaults() -> None:
    loaded = load_settings(None)
    assert (loaded.problems, loaded.pyproject) == ((), None)
    assert loaded.settings.target == "2.10"
    assert loaded.settings.device == "ascend"
    assert loaded.settings.diagnostics == "openFiles"
    assert {".git", ".venv", "venv", "node_modules", "__pycache__", "build", "dist", "site-packages"} <= set(
        loaded.settings.exclude
    )


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().jobs = 3


def test_each_origin_overrides_those_before(tmp_path: Path) -> None:
    path = write_pyproject(
        tmp_path,
        '[tool.mindport]\ntarget = "2.9"\ndevice = "cpu"\nstyle = "mint"\nselect = ["MP1"]\njobs = 1\n',
    )
    loaded = load_settings(
        tmp_path,
        {"device": "gpu", "style": "classic", "select": ["MP2", "MP301"]},
        {"style": "auto", "jobs": None, "language": "zh-cn"},
    )
    assert loaded.problems == ()
    assert loaded.pyproject == path
    assert loaded.settings == Settings(
        target="2.9", device="gpu", style="auto", select=("MP2", "MP301"), jobs=1, language="zh-cn"
    )


def test_severities_are_overridden_one_by_one(tmp_path: Path) -> None:
    write_pyproject(tmp_path, '[tool.mindport.severity]\nMP1 = "off"\nMP2 = "error"\n')
    loaded = load_settings(tmp_path, {"severity": {"MP2": "hint", "MP301": "warning"}})
    assert loaded.settings.severity == {"MP1": "off", "MP2": "hint", "MP301": "warning"}


def test_the_nearest_pyproject_with_our_table_is_read(tmp_path: Path) -> None:
    outer = write_pyproject(tmp_path, '[tool.mindport]\ndevice = "cpu"\n')
    write_pyproject(tmp_path / "a", '[project]\nname = "a"\n[tool.other]\nx = 1\n')
    inner = write_pyproject(tmp_path / "a" / "b", '[tool.mindport]\ndevice = "gpu"\n')
    (tmp_path / "a" / "b" / "c").mkdir()
    assert load_settings(tmp_path / "a").pyproject == outer
    assert load_settings(tmp_path / "a").settings.device == "cpu"
    assert load_settings(tmp_path / "a" / "b" / "c").pyproject == inner
    assert load_settings(tmp_path / "a" / "b" / "c").settings.device == "gpu"


WRONG = [
    (
        "target",
        2.1,
        "2.1",
        'a supported MindSpore version in quotes, such as "2.10"',
        "MindSpore 版本",
    ),
    ("target", "newest", '"newest"', "a supported MindSpore version", "MindSpore 版本"),
    ("device", "tpu", '"tpu"', '"ascend", "gpu" or "cpu"', '"ascend"、"gpu" 或 "cpu"'),
    ("device", None, "null", '"ascend", "gpu" or "cpu"', '"ascend"、"gpu" 或 "cpu"'),
    ("style", ["mint"], '["mint"]', '"auto", "mint" or "classic"', '"auto"、"mint" 或 "classic"'),
    ("language", "fr", '"fr"', '"en" or "zh-cn"', '"en" 或 "zh-cn"'),
    ("select", "MP2", '"MP2"', "a list of rule codes or prefixes", "由规则代码或前缀组成的列表"),
    ("select", ["E501"], '["E501"]', "a list of rule codes or prefixes", "由规则代码或前缀组成的列表"),
    ("ignore", ["MP2\n"], '["MP2\\n"]', "a list of rule codes or prefixes", "由规则代码或前缀组成的列表"),
    ("ignore", ["MP2011"], '["MP2011"]', "a list of rule codes or prefixes", "由规则代码或前缀组成的列表"),
    ("severity", "error", '"error"', "a table of rule codes or prefixes", "从规则代码或前缀"),
    (
        "severity",
        {"MP2": "fatal"},
        '{"MP2": "fatal"}',
        "a table of rule codes or prefixes",
        "从规则代码或前缀",
    ),
    ("severity", {"X": "error"}, '{"X": "error"}', "a table of rule codes or prefixes", "从规则代码或前缀"),
    ("exclude", {"a": 1}, '{"a": 1}', "a list of patterns", "由模式组成的列表"),
    ("exclude", [1], "[1]", "a list of patterns", "由模式组成的列表"),
    ("diagnostics", True, "true", '"openFiles" or "workspace"', '"openFiles" 或 "workspace"'),
    ("completion", "on", '"on"', "true or false", " true 或 false"),
    ("completion", 1, "1", "true or false", " true 或 false"),
    (
        "python",
        3,
        "3",
        "the path of a Python interpreter or environment folder",
        " Python 解释器的路径或环境文件夹的路径",
    ),
    ("limit", -1, "-1", "an integer, 0 or more", "不小于 0 的整数"),
    ("jobs", -1, "-1", "an integer, 0 or more", "不小于 0 的整数"),
    ("jobs", "4", '"4"', "an integer, 0 or more", "不小于 0 的整数"),
    ("jobs", True, "true", "an integer, 0 or more", "不小于 0 的整数"),
    ("jobs", 1.5, "1.5", "an integer, 0 or more", "不小于 0 的整数"),
]


@pytest.mark.parametrize(("name", "value", "shown", "english", "chinese"), WRONG)
def test_a_wrong_value_is_named_with_what_is_accepted(
    name: str, value: object, shown: str, english: str, chinese: str
) -> None:
    others: dict[str, object] = {"device": "gpu"} if name != "device" else {"jobs": 2}
    loaded = load_settings(None, {name: value, **others})
    (problem,) = loaded.problems
    assert (problem.origin, problem.setting) == ("editor", name)
    assert str(problem).startswith(f"Invalid value {shown} for mindport.{name} (editor), ignored: expected ")
    assert english in str(problem)
    assert problem.render("zh-cn").startswith(
        f"设置 mindport.{name}（编辑器）的值 {shown} 无效，已忽略：应为"
    )
    assert chinese in problem.render("zh-cn")
    assert loaded.settings == Settings.of(others)


OF_ANOTHER_TYPE: dict[str, object] = {
    "string": 3,
    "boolean": "on",
    "integer": "4",
    "array": "MP2",
    "object": [1],
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_value_of_another_type_is_told(name: str) -> None:
    wrong = OF_ANOTHER_TYPE[SETTINGS[name].schema["type"]]
    (problem,) = load_settings(None, {name: wrong}).problems
    for language in LANGUAGES:
        assert SETTINGS[name].accepted.render(language) in problem.render(language)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_said_of_a_setting_is_there_in_both_languages(name: str) -> None:
    setting = SETTINGS[name]
    for text in (setting.text, setting.accepted, *setting.choices.values()):
        assert text.en != text.zh_cn
    assert set(setting.choices) <= set(setting.schema.get("enum", ()))
    assert "enum" in setting.schema or setting.schema["type"] == "boolean" or setting.metavar


def test_a_wrong_severity_leaves_the_others() -> None:
    loaded = load_settings(None, {"severity": {"MP1": "off", "MP2": None, "MP3": "hint"}})
    assert loaded.settings.severity == {"MP1": "off", "MP3": "hint"}
    assert '{"MP2": null}' in str(loaded.problems[0])


def test_a_wrong_value_leaves_that_of_the_origin_before(tmp_path: Path) -> None:
    write_pyproject(tmp_path, '[tool.mindport]\ndevice = "cpu"\n')
    loaded = load_settings(tmp_path, {"device": 5}, {"device": "tpu"})
    assert loaded.settings.device == "cpu"
    assert [str(problem).split(", ignored")[0] for problem in loaded.problems] == [
        "Invalid value 5 for mindport.device (editor)",
        'Invalid value "tpu" for --device (command line)',
    ]
    assert "设置 --device（命令行）" in loaded.problems[1].render("zh-cn")


def test_an_unknown_setting_is_named_with_those_there_are() -> None:
    problem = only_problem(devise="gpu")
    assert str(problem).startswith("Unknown setting mindport.devise (editor), ignored.")
    assert problem.render("zh-cn").startswith("未知的设置 mindport.devise（编辑器），已忽略。")
    for language in LANGUAGES:
        assert ", ".join(SETTINGS) in problem.render(language)


def test_settings_of_the_extension_are_passed_over_in_the_editor_only(tmp_path: Path) -> None:
    assert load_settings(None, dict.fromkeys(CLIENT_SETTINGS)).problems == ()
    write_pyproject(tmp_path, '[tool.mindport]\ninterpreter = "python"\n')
    assert "tool.mindport.interpreter (pyproject.toml)" in str(load_settings(tmp_path).problems[0])


@pytest.mark.parametrize(("value", "shown"), [([1], "[1]"), ("2.10", '"2.10"'), (3, "3")])
def test_editor_settings_that_are_no_table(value: object, shown: str) -> None:
    loaded = load_settings(None, value)
    assert loaded.settings == Settings()
    (problem,) = loaded.problems
    assert problem.setting is None
    assert str(problem).startswith(
        "The settings mindport (editor) are ignored: expected a table of names and values"
    )
    assert f"not {shown}." in str(problem)
    assert "应为由名称和值组成的表" in problem.render("zh-cn")


def test_a_long_wrong_value_is_shown_in_part() -> None:
    assert len(str(only_problem(device="x" * 10_000))) < 300


def test_a_malformed_pyproject_is_told_and_the_rest_works(tmp_path: Path) -> None:
    path = write_pyproject(tmp_path, "[tool.mindport\n")
    loaded = load_settings(tmp_path, {"device": "gpu"})
    assert loaded.settings == Settings(device="gpu")
    assert loaded.pyproject == path
    (problem,) = loaded.problems
    assert str(problem).startswith(f"{path} is not valid TOML; its settings are ignored: ")
    assert problem.render("zh-cn").startswith(f"{path} 不是有效的 TOML，其中的设置已忽略：")


def test_a_pyproject_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b'[tool.mindport]\ntarget = "\xff"\n')
    assert "is not valid TOML" in str(load_settings(tmp_path).problems[0])


def test_a_pyproject_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b'\xef\xbb\xbf[tool.mindport]\ndevice = "cpu"\n')
    assert load_settings(tmp_path).settings.device == "cpu"


def test_an_unreadable_pyproject_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_pyproject(tmp_path, '[tool.mindport]\ndevice = "cpu"\n')

    def refuse(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    (problem,) = load_settings(tmp_path).problems
    assert str(problem) == f"The settings of {path} are ignored. No permission to read: {path}"
    assert problem.render("zh-cn") == f"{path} 中的设置已忽略。没有读取权限：{path}"


def test_our_table_that_is_none_is_told(tmp_path: Path) -> None:
    write_pyproject(tmp_path, "[tool]\nmindport = 3\n")
    (problem,) = load_settings(tmp_path).problems
    assert str(problem).startswith(
        "The settings tool.mindport (pyproject.toml) are ignored: expected a table"
    )


HOSTILE = {
    "a list nested deep": (
        "x = 1\na = " + "[" * 100_000,
        "line 2 has more than 50 nested brackets",
        "第 2 行",
    ),
    "closed lists": ("a = " + "[" * 3000 + "]" * 3000, "line 1 has more than 50 nested brackets", "第 1 行"),
    "inline tables": ("\n\na = " + "{a=" * 5000 + "1" + "}" * 5000, "line 3 has more than 50", "第 3 行"),
    "a key of many parts": (
        "a" + ".a" * 20_000 + " = 1",
        "line 1 has more than 50 nested brackets",
        "第 1 行",
    ),
    "quoted parts": ('"a"' + '."a"' * 20_000 + " = 1", "line 1 has more than 50 nested brackets", "第 1 行"),
    "a header of many parts": ('s = """\n\n"""\n[a' + ".a" * 20_000 + "]", "line 4 has more than", "第 4 行"),
    "tool is no table": ("tool = 5", "`tool` must be a table", "`tool` 应为表"),
    "tool is a list": ("[[tool]]\nmindport = 3", "`tool` must be a table", "`tool` 应为表"),
    "a quote that never ends": ('a = "' + '\\"' * 400_000, "is not valid TOML", "不是有效的 TOML"),
    "a number too long": ("a = " + "1" * 100_000, "is not valid TOML", "不是有效的 TOML"),
    "a large file": ("a = 1\n# " + "x" * 1024 * 1024, "The file is too large", "文件过大"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_no_parser_should_be_given_is_told_and_the_rest_works(case: str, tmp_path: Path) -> None:
    text, english, chinese = HOSTILE[case]
    path = write_pyproject(tmp_path, text)
    (tmp_path / "sub").mkdir()
    loaded = load_settings(tmp_path / "sub", {"device": "gpu"})
    assert loaded.settings == Settings(device="gpu")
    (problem,) = loaded.problems
    assert str(path) in str(problem)
    assert str(path) in problem.render("zh-cn")
    assert english in str(problem)
    assert chinese in problem.render("zh-cn")
    assert len(str(problem)) < 400 + len(str(path)) * 2


def test_brackets_and_dots_in_strings_and_comments_are_no_structure(tmp_path: Path) -> None:
    text = f'a = "{"[." * 100}" # {"[." * 100}\nb = """\n{"[." * 100}"""\nc = \'{"{." * 100}\'\n'
    write_pyproject(tmp_path, text + '[tool.mindport]\ndevice = "cpu"\n')
    loaded = load_settings(tmp_path)
    assert (loaded.problems, loaded.settings.device) == ((), "cpu")


@pytest.mark.parametrize("kind", ["folder", "pipe", "broken link", "device"])
def test_a_pyproject_that_is_no_file_is_told_and_not_waited_for(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else tmp_path / "nowhere")
    loaded = load_settings(tmp_path)
    assert loaded.settings == Settings()
    (problem,) = loaded.problems
    assert str(problem).startswith(f"The settings of {path} are ignored. ")
    assert problem.render("zh-cn").startswith(f"{path} 中的设置已忽略。")


def test_of_many_wrong_settings_the_first_are_told(tmp_path: Path) -> None:
    write_pyproject(tmp_path, "[tool.mindport]\n" + "".join(f"a{n} = 1\n" for n in range(1000)))
    problems = load_settings(tmp_path).problems
    assert len(problems) == 21
    assert str(problems[-1]).startswith("980 more invalid settings of tool.mindport (pyproject.toml)")
    assert "另有 980 项无效设置" in problems[-1].render("zh-cn")


def test_a_wrong_value_nested_deep_is_told() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    (problem,) = load_settings(None, {"device": value}).problems
    assert "Invalid value …" in str(problem)


def test_a_long_name_is_shown_in_part() -> None:
    assert len(str(only_problem(**{"x" * 10_000: 1}))) < 400


def test_targets_are_checked_by_the_given_check() -> None:
    def check(value: str) -> None:
        if value != "9.9":
            raise ValueError(value)

    assert load_settings(None, {"target": "9.9"}, check_target=check).settings.target == "9.9"
    assert load_settings(None, {"target": "2.9"}, check_target=check).settings.target == "2.10"


def test_settings_do_without_pydantic(tmp_path: Path) -> None:
    """Loading it takes longer than looking at a few files."""
    write_pyproject(tmp_path, '[tool.mindport]\nselect = ["MP2"]\n')
    code = "import sys, mindport.project.discover; from pathlib import Path\n"
    code += "from mindport.project.settings import load_settings\n"
    code += "load_settings(Path.cwd(), None, {'jobs': 2}); sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize("values", [{"devise": "cpu"}, {"jobs": True}, {"select": "MP"}, {"target": 2.1}])
def test_settings_are_not_made_of_what_cannot_be_one(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        Settings.of(values)


def test_lists_become_what_cannot_be_changed() -> None:
    assert Settings.of({"ignore": ["MP1"]}) == Settings(ignore=("MP1",))
    assert Settings(ignore=("MP1",)).as_json()["ignore"] == ["MP1"]


def test_a_relative_python_is_one_from_where_it_is_set(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\npython = ".venv"\n')
    inside = tmp_path / "pkg"
    inside.mkdir()
    assert load_settings(inside).settings.python == str(tmp_path / ".venv")
    assert load_settings(inside, editor={"python": "env"}).settings.python == str(inside / "env")
    assert load_settings(inside, editor={"python": "~/env"}).settings.python == "~/env"
    written = load_settings(inside, command_line={"python": "env"}).settings.python
    assert written == str(Path.cwd() / "env")


def test_python_of_a_project_that_is_not_trusted_is_ignored_and_told(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\npython = "./evil"\ndevice = "cpu"\n')
    loaded = load_settings(tmp_path, is_trusted=False)
    assert (loaded.settings.python, loaded.settings.device) == ("", "cpu")
    (problem,) = loaded.problems
    assert "tool.mindport.python (pyproject.toml) is ignored" in problem.render("en")
    assert "已忽略" in problem.render("zh-cn")
    theirs = load_settings(tmp_path, editor={"python": "/opt/python"}, is_trusted=False)
    assert theirs.settings.python == "/opt/python"


@pytest.mark.parametrize(
    "path", ["//server/share", r"\\server\share", r"\/server\share", r"\\?\UNC\server\share"]
)
def test_a_python_in_the_network_is_never_looked_for(tmp_path, path):
    (tmp_path / "pyproject.toml").write_text(f"[tool.mindport]\npython = '{path}'\n")
    for loaded in (load_settings(tmp_path), load_settings(None, editor={"python": path})):
        assert loaded.settings.python == ""
        (problem,) = loaded.problems
        assert "is a network path" in problem.render("en")
