"""`mindport convert`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.cli.arguments import Arguments, Command, Given
from mindport.cli.console import UsageError, has_colour, say, warning
from mindport.cli.options import settings_for
from mindport.cli.output import StandardOutput
from mindport.language import LIST, Language, Text, joined
from mindport.project.setting_table import SETTINGS
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.app.convert_file import ConvertedFile
    from mindport.app.convert_tree import InPlace, IntoFolder
    from mindport.project.discover import Discovery
    from mindport.project.setting_table import Settings
    from mindport.rewrite.groups import ConversionGroup, ConversionPlan
    from mindport.rewrite.whole import Spans
    from mindport.scan.scan import ScanEngine

_MOST_NAMES = 5

_ABOUT = Text(
    "Convert files and folders: make all changes known to preserve behavior.",
    "转换文件和文件夹：完成所有已知不改变代码行为的修改。",
)
_OUTPUT = Text(
    "Write the converted code to this folder; the source stays unchanged.",
    "将转换后的代码写入该文件夹，源代码保持不变。",
)
_IN_PLACE = Text("Change the files in place.", "直接修改原文件。")
_DIFF = Text("Only show the changes, as a unified diff.", "仅以统一 diff 格式显示修改。")
_UNSAFE = Text(
    "Also make changes that need review: check each of them.",
    "同时进行需要检查的修改：请逐一检查。",
)
_WHOLE = Text(
    "Convert the whole program, with a helper module for what MindSpore lacks. Check that it computes "
    "the same.",
    "转换整个程序，MindSpore 没有的部分写入辅助模块。请确认计算结果一致。",
)
_GROUP = Text(
    "Convert only this class or function (`package.module:Name`) and what it needs. May be repeated.",
    "只转换该类或函数（`包.模块:名称`）及其所需的代码。可多次指定。",
)
_LIST_GROUPS = Text(
    "Only list the groups of classes, functions and statements that are converted together.",
    "仅列出须一起转换的各组类、函数和语句。",
)
_WITH = Text(
    "With --whole and -o: also convert this PyTorch-based library, which the program imports (an "
    "installed package, or its folder). May be repeated.",
    "与 --whole 和 -o 一起使用：同时转换程序所导入的、基于 PyTorch 的库（已安装的包或其文件夹）。可多次"
    "指定。",
)
_FORCE = Text(
    "With -o: overwrite existing files that differ.", "与 -o 一起使用：覆盖已存在且内容不同的文件。"
)
_EXIT_CODE = Text(
    "Exit with 1 if something is left to do; with --diff, also if something would change.",
    "有遗留事项时以 1 退出；与 --diff 一起使用时，有待修改之处也以 1 退出。",
)
_ONE_OF = Text(
    "Choose where the converted code goes: --diff (only show), -o DIR or --in-place.",
    "请指定转换结果的去向：--diff（仅显示）、-o DIR 或 --in-place。",
)
_NOT_TOGETHER = Text(
    "{options} cannot be combined; choose one. --diff only shows the changes, -o DIR writes converted "
    "copies to a folder, --in-place changes the files themselves.",
    "{options} 不能同时使用，请只保留一个：--diff 仅显示修改，-o DIR 将转换后的副本写入文件夹，"
    "--in-place 直接修改原文件。",
)
_FORCE_ALONE = Text("--force requires -o DIR.", "--force 须与 -o DIR 一起使用。")
_NOT_A_FOLDER = Text(
    "-o must be a folder, but this is a file: {path}", "-o 应为文件夹，但该路径是文件：{path}"
)
_SAME_FOLDER = Text(
    "-o is the folder being converted: {path}. Choose another one, or use --in-place.",
    "-o 与待转换的文件夹相同：{path}。请指定其他文件夹，或使用 --in-place。",
)
_SEVERAL_DRIVES = Text(
    "The paths are on different drives; convert them separately.", "这些路径位于不同的驱动器上，请分别转换。"
)
_NOT_WITH_GROUP = Text(
    "--unsafe cannot be combined with --group, which converts everything in a group.",
    "--unsafe 不能与 --group 一起使用：--group 会转换组内的全部代码。",
)
_LIBRARIES_GO_WITH = Text("--with requires --whole and -o DIR.", "--with 须与 --whole 和 -o DIR 一起使用。")
_LIBRARIES_LEFT = Text(
    "PyTorch-based libraries not converted: {names}. Add {options} to convert them, too.\n",
    "以下基于 PyTorch 的库未转换：{names}。加上 {options} 可一并转换。\n",
)
_TAKEN = Text(
    "--with {name} uses the folder {taken}, not the installed package {installed}.",
    "--with {name} 使用文件夹 {taken}，而不是已安装的包 {installed}。",
)
_NOT_LAID_OUT = Text("Cannot copy the program to convert it: {reason}", "无法复制程序以进行转换：{reason}")
_USED_OUTSIDE = Text(
    "The converted code is also used outside the given paths: {names}. Add these files, or adapt them.",
    "所转换的代码也在所给路径之外使用：{names}。请一并给出这些文件，或修改它们。",
)
_KEPT = Text(
    "{path}: kept, because they differ from what MindPort writes: {names}. Delete one to get MindPort's "
    "version.",
    "{path}：以下定义与 MindPort 写入的不同，已保留：{names}。如需 MindPort 的版本，请将其删除。",
)
_GROUPING = Text("Finding what must be converted together", "正在分析须一起转换的内容")
_NO_FILES = Text("No Python files in: {paths}", "没有找到 Python 文件：{paths}")
_NONE_CONVERTED = Text("None of the files could be converted.", "所有文件均未能转换。")
_CONVERTING = Text("Converting", "正在转换")
_FILE_PROBLEM = Text("{path}: {reason}", "{path}：{reason}")
_INTERRUPTED = Text(
    "An earlier run was killed while writing {path}, which may be incomplete. {original} holds its "
    "previous content: compare the two, then delete one.",
    "先前的一次运行在写入 {path} 时被终止，该文件可能不完整。{original} 保存着写入前的内容："
    "请比较两者，然后删除其一。",
)
_NOT_COPIED = Text(
    "Not copied (not Python code): {number} ({names}).",
    "未复制（不是 Python 代码）：{number} 个（{names}）。",
)


def _add_arguments(arguments: Arguments) -> None:
    arguments.paths()
    arguments.option("--output", "-o", metavar="DIR", text=_OUTPUT, kind=Path)
    arguments.flag("--in-place", _IN_PLACE)
    arguments.flag("--diff", _DIFF)
    arguments.flag("--unsafe", _UNSAFE)
    arguments.flag("--whole", _WHOLE)
    arguments.option("--with", metavar="NAME", text=_WITH, is_many=True)
    arguments.option("--group", metavar="NAME", text=_GROUP, is_many=True)
    arguments.flag("--list-groups", _LIST_GROUPS)
    arguments.flag("--force", _FORCE)
    arguments.flag("--exit-code", _EXIT_CODE)
    arguments.settings(*SETTINGS)


def _run(given: Given, language: Language) -> int:
    wanted = ConvertOptions(
        given.paths,
        given.output,
        given.in_place,
        given.diff,
        given.unsafe,
        given.whole,
        tuple(given.group or ()),
        given.list_groups,
        given.force,
        given.exit_code,
        tuple(getattr(given, "with") or ()),
    )
    return convert(wanted, given.settings, language)


COMMANDS = (Command("convert", _ABOUT, _add_arguments, _run),)


@dataclass(frozen=True)
class ConvertOptions:
    """What the user asks for: exactly one of `diff`, `output` and `in_place`, unless groups are to be
    listed."""

    paths: Sequence[Path]
    output: Path | None
    in_place: bool
    diff: bool
    unsafe: bool
    whole: bool
    groups: Sequence[str]
    list_groups: bool
    force: bool
    exit_code: bool
    libraries: Sequence[str] = ()
    """The libraries that are converted with the program, by name or folder."""

    @property
    def is_whole(self) -> bool:
        """Whether all that is converted becomes MindSpore's, with helpers."""
        return self.whole or bool(self.groups)


def convert(wanted: ConvertOptions, options: Mapping[str, object], language: Language) -> int:
    """Convert. Returns the exit code: 2 when a file could not be converted or written; with `exit_code` 1
    when something is left to be done; else 0. Raises UsageError, IndexFileError and OutputClosedError."""
    settings, language = settings_for(wanted.paths, options, language)
    base = _check(wanted, language)
    from mindport.app.convert import files_to_convert

    files = files_to_convert(wanted.paths, settings, wanted.output)
    if not files.total:
        warning(_NO_FILES.render(language, paths=joined(map(str, wanted.paths), LIST, language)), language)
    if wanted.libraries:
        return _convert_with_libraries(wanted, settings, language, base, files)
    run = _Run(wanted, settings, language, base)
    if wanted.list_groups:
        run.list_groups(files)
        return 0
    if wanted.diff:
        run.show(files)
    else:
        run.write(files)
    return run.exit_code()


def _convert_with_libraries(
    wanted: ConvertOptions, settings: Settings, language: Language, base: Path, files: Discovery
) -> int:
    """Convert a program and libraries. Returns the exit code. Raises UsageError."""
    from mindport.app.convert import files_to_convert
    from mindport.app.convert_libraries import laid_out, library_source, passed_over

    try:
        libraries = [library_source(name, settings) for name in wanted.libraries]
        for name, taken in zip(wanted.libraries, libraries, strict=True):
            if (installed := passed_over(name, settings)) is not None:
                text = _TAKEN.render(language, name=name, taken=taken, installed=installed)
                warning(text, language)
        with laid_out(files, base, wanted.paths, libraries, settings) as program:
            run = _Run(
                replace(wanted, paths=(program.folder,)), settings, language, program.folder, program.shown
            )
            run.write(files_to_convert((program.folder,), settings, None))
            return run.exit_code()
    except TextError as error:
        raise UsageError(error.render(language)) from error
    except OSError as error:
        raise UsageError(_NOT_LAID_OUT.render(language, reason=error)) from error


def _check(wanted: ConvertOptions, language: Language) -> Path:
    """The folder around all paths. Raises UsageError where the options do not go together."""
    options = {"--diff": wanted.diff, "-o": wanted.output is not None, "--in-place": wanted.in_place}
    given = [option for option, is_given in options.items() if is_given]
    if not given and not wanted.list_groups:
        raise UsageError(_ONE_OF.render(language))
    if len(given) > 1:
        raise UsageError(_NOT_TOGETHER.render(language, options=joined(given, LIST, language)))
    if wanted.force and wanted.output is None:
        raise UsageError(_FORCE_ALONE.render(language))
    if wanted.groups and wanted.unsafe:
        raise UsageError(_NOT_WITH_GROUP.render(language))
    if wanted.libraries and not (wanted.whole and wanted.output is not None):
        raise UsageError(_LIBRARIES_GO_WITH.render(language))
    from mindport.app.convert_tree import base_of

    try:
        base = base_of(wanted.paths)
    except ValueError as error:
        raise UsageError(_SEVERAL_DRIVES.render(language)) from error
    if wanted.output is not None:
        if wanted.output.exists() and not wanted.output.is_dir():
            raise UsageError(_NOT_A_FOLDER.render(language, path=wanted.output))
        if wanted.output.resolve() == base.resolve():
            raise UsageError(_SAME_FOLDER.render(language, path=wanted.output))
    return base


class _Run:
    """One run of the command: what it shows and writes, and what it counts."""

    def __init__(
        self,
        wanted: ConvertOptions,
        settings: Settings,
        language: Language,
        base: Path,
        shown: Callable[[str], str] = str,
    ) -> None:
        from mindport.report.conversion_text import ConversionText, ConversionTotals

        self._wanted = wanted
        self._base = base
        self._settings = settings
        self._language = language
        target = settings.ported_to
        self._text = ConversionText(target, language, has_colour(sys.stderr if wanted.diff else sys.stdout))
        self._totals = ConversionTotals()
        self._shown = shown
        """The path of a file as the user knows it."""
        self._unread = 0
        self._groups = ""
        """What is said of the groups that are converted."""

    def exit_code(self) -> int:
        """The exit code after all."""
        if self._totals.files and self._unread == self._totals.files:
            warning(_NONE_CONVERTED.render(self._language), self._language)
        if not self._totals.is_complete:
            return 2
        changes = self._wanted.diff and (self._totals.changed or self._totals.helper_modules)
        return 1 if self._wanted.exit_code and (changes or self._totals.left) else 0

    def show(self, files: Discovery) -> None:
        """Show what would be changed. The summary goes to standard error, out of the way of the diff."""
        from mindport.report.conversion_text import unified_diff

        colour = has_colour(sys.stdout)
        with StandardOutput(is_utf8=not colour) as out:
            for file in self._with_helpers(list(self._converted(files, sys.stdout.isatty()))):
                self._count(file, file.problem)
                if file.rewritten is not None:
                    out.write(unified_diff(file.path, file.rewritten.before, file.rewritten.after, colour))
            out.flush()
        say((self._text.summary(self._totals) + self._groups).removesuffix("\n"))

    def write(self, files: Discovery) -> None:
        """Write what is converted: only after all files were looked at, since they import each other."""
        wanted = self._wanted
        destination = _destination(wanted, files, self._base)
        converted = list(self._converted(files, False))
        converted = self._with_helpers(converted)
        self._tidy(files, destination)
        # All of it is written before any of it is told: the output may be closed, or full.
        written = [file for file in converted if self._is_written(file, destination)]
        if wanted.output is not None:
            self._take_along(destination, wanted.output, {Path(file.path) for file in written})
        with StandardOutput(is_utf8=False) as out:
            for file in written:
                out.write(self._text.file(self._shown(file.path), file.outcomes))
            out.write(self._text.summary(self._totals) + self._groups + self._libraries(written))
            out.flush()

    def _converted(self, files: Discovery, is_on_screen: bool) -> Iterable[ConvertedFile]:
        """What becomes of each file."""
        from mindport.app.convert import convert_files, convert_groups
        from mindport.cli.output import progress_of
        from mindport.scan.kept import Kept

        wanted, settings, language = self._wanted, self._settings, self._language
        by_groups = wanted.groups or not (wanted.whole or wanted.unsafe)
        base = self._base if wanted.is_whole else None
        with Kept(settings.jobs) as engine:
            plan = self._plan(files, is_on_screen, engine) if by_groups else None
            parts = self._parts(plan) if plan is not None and wanted.groups else None
            with progress_of(files, is_on_screen, _CONVERTING.render(language), language) as progress:
                if plan is not None and parts is None:
                    converted, chosen = convert_groups(files, settings, language, plan, progress, engine)
                    self._tell_groups(plan, chosen)
                    return converted
                unsafe = wanted.unsafe
                return list(convert_files(files, settings, language, unsafe, progress, base, parts, engine))

    def list_groups(self, files: Discovery) -> None:
        """Show what is converted together."""
        from mindport.report.group_text import GroupText

        plan = self._plan(files, sys.stdout.isatty())
        with StandardOutput(is_utf8=False) as out:
            out.write(GroupText(plan, self._language).every_group())
            out.flush()

    def _plan(self, files: Discovery, is_on_screen: bool, engine: ScanEngine | None = None) -> ConversionPlan:
        from mindport.app.groups import conversion_plan
        from mindport.cli.output import progress_of
        from mindport.project.takers import Takers

        takers = Takers(files.files, self._settings.exclude)
        with progress_of(files, is_on_screen, _GROUPING.render(self._language), self._language) as progress:
            return conversion_plan(files, self._settings, takers, self._wanted.output, progress, engine)

    def _parts(self, plan: ConversionPlan) -> Mapping[str, Spans]:
        """What is converted of each file: the groups that are asked for. Raises UsageError."""
        from mindport.app.groups import groups_named

        try:
            chosen = groups_named(plan, self._wanted.groups)
        except TextError as error:
            raise UsageError(error.render(self._language)) from error
        users = sorted({user for group in chosen for user in group.users})
        if users:
            warning(
                _USED_OUTSIDE.render(self._language, names=joined(users, LIST, self._language)),
                self._language,
            )
        self._tell_groups(plan, chosen)
        return plan.spans(chosen)

    def _tell_groups(self, plan: ConversionPlan, chosen: Sequence[ConversionGroup]) -> None:
        from mindport.report.group_text import GroupText

        self._groups = GroupText(plan, self._language).summary(chosen)

    def _with_helpers(self, converted: list[ConvertedFile]) -> list[ConvertedFile]:
        """The files with the configuration files that change, and with the modules of helpers that they take,
        which may be among them."""
        from mindport.app.convert import files_not_copied, helper_files
        from mindport.app.convert_configurations import with_configurations
        from mindport.app.helpers_place import HelpersPlaces

        wanted, places = self._wanted, HelpersPlaces.of(self._base)
        if wanted.is_whole:
            others = files_not_copied(wanted.paths, self._settings, wanted.output)
            converted = with_configurations(converted, others, places, self._settings.ported_to)
        helpers = helper_files(converted, places, self._language)
        paths = {Path(file.path).absolute() for file in helpers}
        return [*(file for file in converted if Path(file.path).absolute() not in paths), *helpers]

    def _libraries(self, converted: Iterable[ConvertedFile]) -> str:
        """The libraries that could be converted, too; empty if there are none."""
        from mindport.app.convert_libraries import libraries_left

        if not self._wanted.whole:
            return ""
        names = libraries_left(converted, self._base, self._wanted.libraries, self._settings)
        if not names:
            return ""
        options = " ".join(f"--with {name}" for name in names)
        return _LIBRARIES_LEFT.render(
            self._language, names=joined(names, LIST, self._language), options=options
        )

    def _tidy(self, files: Discovery, destination: InPlace | IntoFolder) -> None:
        """Remove what runs that were killed left, and tell of files that they were writing into."""
        from mindport.app.convert_tree import tidied

        for path, original in tidied(destination, files.files):
            told = _INTERRUPTED.render(self._language, path=path, original=original)
            warning(told, self._language)

    def _is_written(self, file: ConvertedFile, destination: InPlace | IntoFolder) -> bool:
        """Write a file, or tell why not. Says whether it is converted and where it belongs."""
        from mindport.app.convert import write_file

        _, problem, is_unwritten = write_file(file, destination, self._language)
        self._count(file, problem, is_unwritten)
        return problem is None

    def _count(self, file: ConvertedFile, problem: str | None, is_unwritten: bool = False) -> None:
        self._totals.files += not file.is_helpers
        self._totals.helper_modules += file.is_helpers and file.rewritten is not None
        if file.kept:
            kept = joined(file.kept, LIST, self._language)
            warning(_KEPT.render(self._language, path=self._shown(file.path), names=kept), self._language)
        if problem is None:
            self._totals.changed += file.rewritten is not None and not file.is_helpers
            self._totals.outcomes.update(file.outcomes)
            return
        self._totals.unwritten += is_unwritten
        self._totals.problems += not is_unwritten
        self._unread += file.problem is not None
        told = _FILE_PROBLEM.render(self._language, path=self._shown(file.path), reason=problem)
        warning(told, self._language)

    def _take_along(self, destination: InPlace | IntoFolder, output: Path, written: Collection[Path]) -> None:
        """Copy the data that a whole program may need and that is not written yet, and tell what is not."""
        from mindport.app.convert import copy_file, files_not_copied, is_small

        found = files_not_copied(self._wanted.paths, self._settings, output)
        others = [path for path in found if path not in written]
        if self._wanted.is_whole:
            small = list(filter(is_small, others))
            for path in small:
                problem = copy_file(path, destination, self._language)
                if problem is not None:
                    self._totals.unwritten += 1
                    warning(_FILE_PROBLEM.render(self._language, path=path, reason=problem), self._language)
            others = sorted(set(others).difference(small))
        if others:
            names = ", ".join(Path(self._shown(str(path))).as_posix() for path in others[:_MOST_NAMES])
            more = ", …" if len(others) > _MOST_NAMES else ""
            warning(
                _NOT_COPIED.render(self._language, number=len(others), names=names + more), self._language
            )


def _destination(wanted: ConvertOptions, files: Discovery, base: Path) -> InPlace | IntoFolder:
    from mindport.app.convert_tree import InPlace, IntoFolder

    if wanted.output is None:
        return InPlace(wanted.paths)
    return IntoFolder(wanted.output, base, files.files, wanted.force)
