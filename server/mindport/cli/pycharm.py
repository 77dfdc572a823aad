"""`mindport pycharm`: install into JetBrains IDEs, say what is installed, uninstall; open the report."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import mindport
from mindport.cli.arguments import Arguments, Command, Given, Group
from mindport.cli.console import UsageError, error
from mindport.language import Language, Text
from mindport.pycharm.external_tools import Launcher
from mindport.pycharm.installation import (
    Ide,
    Plan,
    base_folder,
    find_ides,
    ide_of,
    plan_install,
    plan_uninstall,
    state,
    template_folder,
)
from mindport.pycharm.transaction import ChangedMeanwhileError, FileChange, carry_out, remove_empty
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.pycharm.installation import State

_ABOUT = Text(
    "Integrate with PyCharm and other JetBrains IDEs: install, show status, uninstall.",
    "集成到 PyCharm 及其他 JetBrains IDE：安装、查看安装情况、卸载。",
)
_ABOUT_INSTALL = Text(
    "Add the External Tools, and prepare the LSP4IJ template.", "添加外部工具，并准备 LSP4IJ 模板。"
)
_ABOUT_UNINSTALL = Text("Remove what was installed, and nothing else.", "移除所安装的内容，不影响其他内容。")
_ABOUT_STATUS = Text("Show where it is installed.", "显示安装情况。")
_ABOUT_REPORT = Text("Scan a project and open the report in the browser.", "扫描项目，并在浏览器中打开报告。")
_IDE = Text(
    "Only this IDE, such as PyCharm2025.3. May be repeated.",
    "仅限此 IDE，例如 PyCharm2025.3；可多次指定。",
)
_CONFIG = Text("The IDE's configuration folder, if it was moved.", "IDE 的配置文件夹（若已移动）。")
_DRY_RUN = Text("Show what would be done, without doing it.", "仅显示将要进行的操作。")
_PROJECT = Text("The project's folder.", "项目文件夹。")
_NOTHING_FOUND = Text(
    "No JetBrains IDE with Python found: {base} has no folder such as PyCharm2025.3. Start the IDE "
    "once, or give its configuration folder with --config.",
    "未找到支持 Python 的 JetBrains IDE：{base} 中没有 PyCharm2025.3 之类的文件夹。请先启动一次 IDE，或"
    "用 --config 指定其配置文件夹。",
)
_NOT_AN_IDE = Text(
    "{path} is not the configuration folder of a JetBrains IDE with Python: expected a name such as "
    "PyCharm2025.3. Help | Edit Custom Properties opens a file in it.",
    "{path} 不是支持 Python 的 JetBrains IDE 的配置文件夹，其名称应类似 PyCharm2025.3。"
    "Help | Edit Custom Properties 会打开该文件夹中的文件。",
)
_NO_SUCH_IDE = Text("{name} not found. Available: {known}.", "没有找到 {name}。现有：{known}。")
_CANNOT_READ = Text("Cannot read {path}: {reason}", "无法读取 {path}：{reason}")
_FAILED = Text(
    "Nothing was changed: {path} cannot be written ({reason}).", "未作任何更改：无法写入 {path}（{reason}）。"
)
_CHANGED = Text(
    "Nothing was changed: {path} has just been changed by another program. Try again.",
    "未作任何更改：{path} 刚刚被其他程序修改。请重试。",
)
_WRITES = {
    "new": Text("would write {path}", "将写入 {path}"),
    "change": Text("would change {path}", "将修改 {path}"),
    "delete": Text("would delete {path}", "将删除 {path}"),
}
_DONE = {
    "new": Text("wrote {path}", "已写入 {path}"),
    "change": Text("changed {path}", "已修改 {path}"),
    "delete": Text("deleted {path}", "已删除 {path}"),
}
_NOTHING_TO_DO = Text("nothing to do", "无需更改")
_KEPT = Text(
    "kept, because you changed it: {name} (delete it in Settings | Tools | External Tools)",
    "因您修改过而保留：{name}（可在 Settings | Tools | External Tools 中删除）",
)
_STATES: dict[State, Text] = {
    "absent": Text("not installed", "未安装"),
    "installed": Text("installed", "已安装"),
    "outdated": Text(
        "installed by another version or Python: run mindport pycharm install",
        "由其他版本或其他 Python 安装：请运行 mindport pycharm install",
    ),
    "changed": Text(
        "installed, but some of its tools were changed or deleted in the IDE",
        "已安装，但部分工具已在 IDE 中被修改或删除",
    ),
}
_CLICKS = Text(
    "\n"
    "Next, in the IDE:\n"
    "  1. Restart it. The tools are then in the menu Tools | External Tools and in the context menus.\n"
    "  2. For problems, hovers and quick fixes: Settings | Plugins | Marketplace, install LSP4IJ.\n"
    "  3. Settings | Languages & Frameworks | Language Servers, press +, Template: Import from custom "
    "template...\n"
    "  4. Choose this folder, then press OK:",
    """
在 IDE 中还需完成：
  1. 重启 IDE。之后可在 Tools | External Tools 菜单和右键菜单中找到这些工具。
  2. 如需问题提示、悬停说明和快速修复：Settings | Plugins | Marketplace，安装 LSP4IJ。
  3. Settings | Languages & Frameworks | Language Servers，点击 +，
     Template 选择 Import from custom template...
  4. 选择以下文件夹，然后点击 OK：""",
)
_TOO_OLD = Text(
    "{name} {version} gets only the External Tools: problems and quick fixes need LSP4IJ, which "
    "requires 2024.2 or later.",
    "{name} {version} 仅安装外部工具：问题提示和快速修复依赖 LSP4IJ，而 LSP4IJ 需要 2024.2 或更高版本。",
)
_SERVER_STAYS = Text(
    "If you imported the language server into LSP4IJ, remove it there: Settings | Languages & Frameworks | "
    "Language Servers, select MindPort, press -.",
    "如果曾将语言服务器导入 LSP4IJ，请在其中移除：Settings | Languages & Frameworks | Language Servers，"
    "选中 MindPort，点击 -。",
)
_NO_BROWSER = Text("The report is in {path}; could not start a browser.", "报告位于 {path}；无法启动浏览器。")


def _add_arguments_of_status(arguments: Arguments) -> None:
    arguments.option("--ide", metavar="NAME", text=_IDE, is_many=True)
    arguments.option("--config", metavar="FOLDER", text=_CONFIG, kind=Path)
    arguments.settings("language")


def _add_arguments_of_changes(arguments: Arguments) -> None:
    arguments.flag("--dry-run", _DRY_RUN)
    _add_arguments_of_status(arguments)


def _add_arguments_of_report(arguments: Arguments) -> None:
    arguments.argument("folder", "FOLDER", _PROJECT, Path)
    arguments.settings("language")


def _run_install(given: Given, language: Language) -> int:
    return install(given.ide or (), given.config, given.dry_run, language)


def _run_uninstall(given: Given, language: Language) -> int:
    return uninstall(given.ide or (), given.config, given.dry_run, language)


def _run_status(given: Given, language: Language) -> int:
    return status(given.ide or (), given.config, language)


def _run_report(given: Given, language: Language) -> int:
    return report(given.folder, language)


_INSTALL = Command("install", _ABOUT_INSTALL, _add_arguments_of_changes, _run_install)
_UNINSTALL = Command("uninstall", _ABOUT_UNINSTALL, _add_arguments_of_changes, _run_uninstall)
_STATUS = Command("status", _ABOUT_STATUS, _add_arguments_of_status, _run_status)
_REPORT = Command("report", _ABOUT_REPORT, _add_arguments_of_report, _run_report)
COMMANDS = (Group("pycharm", _ABOUT, (_INSTALL, _STATUS, _UNINSTALL, _REPORT)),)


def install(names: Sequence[str], config: Path | None, is_dry_run: bool, language: Language) -> int:
    """Install into the IDEs. Returns 2 where something is in the way: then nothing is changed anywhere."""
    ides = _ides(names, config, language)
    plans = _plans(ides, lambda ide: plan_install(ide, _launcher(), language), language)
    if plans is None or not _carry_out(plans, is_dry_run, language):
        return 2
    if not is_dry_run:
        _print_clicks(ides, language)
    return 0


def _print_clicks(ides: Sequence[Ide], language: Language) -> None:
    """Say what is left to do in the IDEs."""
    able = [ide for ide in ides if ide.has_lsp4ij]
    if able:
        print(_CLICKS.render(language))
        for ide in able:
            print(f"     {template_folder(ide)}")
    for ide in ides:
        if not ide.has_lsp4ij:
            print(_TOO_OLD.render(language, name=ide.name, version=ide.version))


def uninstall(names: Sequence[str], config: Path | None, is_dry_run: bool, language: Language) -> int:
    """Take out of the IDEs what was installed. Returns 2 where something is in the way: then nothing is
    changed anywhere."""
    plans = _plans(_ides(names, config, language), plan_uninstall, language)
    if plans is None or not _carry_out(plans, is_dry_run, language):
        return 2
    if not is_dry_run and any(plan.changes for _, plan in plans):
        print(_SERVER_STAYS.render(language))
    return 0


def status(names: Sequence[str], config: Path | None, language: Language) -> int:
    """Print how things are in each IDE. Returns 0 where mindport is installed in all of them, else 1."""
    found: list[State | None] = []
    for ide in _ides(names, config, language):
        try:
            found.append(state(ide, _launcher(), language))
            told = _STATES[state(ide, _launcher(), language)].render(language)
        except (TextError, OSError) as problem:
            found.append(None)
            told = _reason(problem, ide.folder, language)
        print(f"{ide.name} {ide.version}: {told}\n  {ide.folder}")
    return 0 if all(each == "installed" for each in found) else 1


def report(folder: Path, language: Language) -> int:
    """Scan a project into a report in its folder, and open it in the browser, also where not everything could
    be read: the report says so. Returns the scan's code."""
    from mindport.cli.scan import scan

    path = folder.absolute() / "mindport-report.html"
    code = scan([folder], "html", path, {}, language, tell_findings=False, use_cache=True)
    if not webbrowser.open(path.as_uri()):
        print(_NO_BROWSER.render(language, path=path))
    return code


def _launcher() -> Launcher:
    """This very installation, whether or not it is on the PATH. The IDE starts it in the project's folder,
    hence in a way in which Python imports nothing from there: isolated, or by its script where it is among
    the user's own packages, which an isolated Python does not look at."""
    script = _users_script()
    return Launcher(sys.executable, "-I -m mindport") if script is None else Launcher(str(script))


def _users_script() -> Path | None:
    """The script `mindport` of an installation among the user's own packages (`pip install --user`); None
    for any other."""
    packages = site.getusersitepackages()
    if not Path(mindport.__file__).is_relative_to(packages):
        return None
    scripts = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    name = "mindport.exe" if sys.platform == "win32" else "mindport"
    return Path(scripts) / name


def _ides(names: Sequence[str], config: Path | None, language: Language) -> list[Ide]:
    """The IDEs that are meant. Raises UsageError where there are none."""
    if config is not None:
        ide = ide_of(config.absolute())
        if ide is None or not config.is_dir():
            raise UsageError(_NOT_AN_IDE.render(language, path=config))
        return [ide]
    base = base_folder(sys.platform, os.environ, Path.home())
    try:
        found = find_ides(base)
    except OSError as problem:
        raise UsageError(_reason(problem, base, language)) from problem
    if not found:
        raise UsageError(_NOTHING_FOUND.render(language, base=base))
    known = {ide.folder.name.lower(): ide for ide in found}
    for name in names:
        if name.lower() not in known:
            listed = ", ".join(ide.folder.name for ide in found)
            raise UsageError(_NO_SUCH_IDE.render(language, name=name, known=listed))
    return [known[name.lower()] for name in names] or found


def _plans(
    ides: Sequence[Ide], plan: Callable[[Ide], Plan], language: Language
) -> list[tuple[Ide, Plan]] | None:
    """What is to be done, by IDE; None where something is in the way, which is told."""
    plans: list[tuple[Ide, Plan]] = []
    is_refused = False
    for ide in ides:
        try:
            plans.append((ide, plan(ide)))
        except (TextError, OSError) as problem:
            is_refused = True
            error(_reason(problem, ide.folder, language), language)
    return None if is_refused else plans


def _carry_out(plans: Sequence[tuple[Ide, Plan]], is_dry_run: bool, language: Language) -> bool:
    """Do it, in all IDEs or in none, and say what was done. Returns whether that succeeded."""
    if not is_dry_run:
        try:
            carry_out([change for _, plan in plans for change in plan.changes])
        except ChangedMeanwhileError as problem:
            error(_CHANGED.render(language, path=problem.args[0]), language)
            return False
        except OSError as problem:
            reason = problem.strerror or str(problem)
            error(_FAILED.render(language, path=problem.filename, reason=reason), language)
            return False
        for folder in (folder for _, plan in plans for folder in plan.folders):
            remove_empty(folder)
    for ide, plan in plans:
        print(f"{ide.name} {ide.version}")
        print("\n".join(f"  {line}" for line in _told(plan, is_dry_run, language)))
    return True


def _told(plan: Plan, is_dry_run: bool, language: Language) -> Iterator[str]:
    texts = _WRITES if is_dry_run else _DONE
    for change in plan.changes:
        yield texts[_kind(change)].render(language, path=change.path)
    if not plan.changes:
        yield _NOTHING_TO_DO.render(language)
    for name in plan.kept:
        yield _KEPT.render(language, name=name)


def _kind(change: FileChange) -> str:
    if change.after is None:
        return "delete"
    return "new" if change.before is None else "change"


def _reason(problem: TextError | OSError, path: Path, language: Language) -> str:
    if isinstance(problem, TextError):
        return problem.render(language)
    reason = problem.strerror or str(problem)
    return _CANNOT_READ.render(language, path=problem.filename or path, reason=reason)
