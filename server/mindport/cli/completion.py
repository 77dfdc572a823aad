"""`mindport completion`: what a shell offers after Tab. The scripts are made of the commands themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from mindport.cli.arguments import HELP, Arguments, Command, Given, Group
from mindport.cli.console import UsageError
from mindport.language import Language, Text

_ABOUT = Text(
    "Print a shell completion script.",
    "输出 shell 补全脚本。",
)
_SHELL = Text("bash, zsh or fish.", "bash、zsh 或 fish。")
_UNKNOWN_SHELL = Text(
    "No completion for {name}: expected {shells}.",
    "不支持 {name} 的补全，应为 {shells}。",
)
_HELP = Text("Show this help.", "显示此帮助。")


class _Option(NamedTuple):
    """An option of a command: its names, what it is for, and what may follow it."""

    names: Sequence[str]
    about: str
    takes_value: bool
    choices: Sequence[str]


class _Level(NamedTuple):
    """What may come after some commands, such as `mapping check`."""

    path: str
    commands: Sequence[tuple[str, str]]
    options: Sequence[_Option]


def _add_arguments(arguments: Arguments) -> None:
    arguments.argument("shell", "SHELL", _SHELL)


def _run(given: Given, language: Language) -> int:
    if given.shell not in _SCRIPTS:
        shells = ", ".join(_SCRIPTS)
        raise UsageError(_UNKNOWN_SHELL.render(language, name=given.shell, shells=shells))
    print(_SCRIPTS[given.shell](tuple(_levels(language))), end="")
    return 0


COMMANDS = (Command("completion", _ABOUT, _add_arguments, _run),)


def _levels(language: Language) -> Iterator[_Level]:
    """All commands that there are, the outermost first."""
    from mindport.cli.main import COMMANDS as REGISTERED

    found = [
        next(one for one in import_module(f"mindport.cli.{module}").COMMANDS if one.name == name)
        for name, module in REGISTERED
    ]
    yield from _of_group("", found, language)


def _of_group(path: str, commands: Sequence[Command | Group], language: Language) -> Iterator[_Level]:
    shown = [(one.name, one.about.render(language)) for one in commands]
    yield _Level(path, shown, (_help_option(language),))
    for one in commands:
        below = f"{path} {one.name}".strip()
        if isinstance(one, Group):
            yield from _of_group(below, one.commands, language)
        else:
            yield _Level(below, (), tuple(_options(one, language)))


def _options(command: Command, language: Language) -> Iterator[_Option]:
    arguments = Arguments(command.name, language)
    command.add_arguments(arguments)
    for label, text, _ in arguments.option_rows:
        words = label.replace(",", "").split(" ")
        names = [word for word in words if word.startswith("-")]
        metavar = " ".join(words[len(names) :])
        choices = metavar.split("|") if "|" in metavar else ()
        yield _Option(names, text.render(language), bool(metavar), choices)
    yield _help_option(language)


def _help_option(language: Language) -> _Option:
    return _Option((HELP,), _HELP.render(language), False, ())


def _quoted(word: str) -> str:
    """A word as bash and zsh read it."""
    return "'" + word.replace("'", "'\\''") + "'"


def _paths(levels: Sequence[_Level]) -> str:
    return "|".join(_quoted(level.path) for level in levels if level.path)


def _bash(levels: Sequence[_Level]) -> str:
    """Works with the bash 3.2 of macOS. What is no option and no command is a file, which bash completes."""
    lines = [
        "_mindport() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local at="" next commands="" options="" index',
        "    COMPREPLY=()",
        "    for ((index = 1; index < COMP_CWORD; index++)); do",
        '        next="${at:+$at }${COMP_WORDS[index]}"',
        f'        case "$next" in {_paths(levels)}) at="$next" ;; esac',
        "    done",
        '    case "$at" in',
    ]
    for level in levels:
        lines.append(f"        {_quoted(level.path)})")
        lines.extend(_bash_values(level.options))
        commands = " ".join(name for name, _ in level.commands)
        options = " ".join(name for option in level.options for name in option.names)
        lines.append(f'            commands="{commands}" options="{options}" ;;')
    lines += [
        "    esac",
        '    [[ $word == -* ]] && commands="$options"',
        '    COMPREPLY=($(compgen -W "$commands" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _mindport mindport",
    ]
    return "\n".join(lines) + "\n"


def _bash_values(options: Sequence[_Option]) -> Iterator[str]:
    return _values(options, 'COMPREPLY=($(compgen -W "{}" -- "$word")); return', "return")


def _values(options: Sequence[_Option], choosing: str, otherwise: str) -> Iterator[str]:
    """What comes after an option with a value: `choosing` among those that there are, with them in its place,
    else what the shell does `otherwise`."""
    with_value = [option for option in options if option.takes_value]
    if with_value:
        yield '            case "$previous" in'
        for option in with_value:
            then = choosing.format(" ".join(option.choices)) if option.choices else otherwise
            yield f"                {'|'.join(option.names)}) {then} ;;"
        yield "            esac"


def _zsh(levels: Sequence[_Level]) -> str:
    lines = [
        "#compdef mindport",
        "_mindport() {",
        "    local at='' next previous=${words[CURRENT-1]} word",
        "    local -a commands options",
        "    for word in ${words[2,CURRENT-1]}; do",
        '        next="${at:+$at }$word"',
        f'        case "$next" in {_paths(levels)}) at="$next" ;; esac',
        "    done",
        '    case "$at" in',
    ]
    for level in levels:
        lines.append(f"        {_quoted(level.path)})")
        lines.extend(_zsh_values(level.options))
        lines.extend(_zsh_items("commands", level.commands))
        named = [(name, option.about) for option in level.options for name in option.names]
        lines.extend(_zsh_items("options", named))
        lines.append("            ;;")
    lines += [
        "    esac",
        "    if [[ $PREFIX == -* ]]; then _describe -o option options",
        "    elif (( $#commands )); then _describe command commands",
        "    else _files; fi",
        "}",
        'if [[ $funcstack[1] == _mindport ]]; then _mindport "$@"; else compdef _mindport mindport; fi',
    ]
    return "\n".join(lines) + "\n"


def _zsh_values(options: Sequence[_Option]) -> Iterator[str]:
    return _values(options, "compadd -- {}; return", "_files; return")


def _zsh_items(variable: str, named: Sequence[tuple[str, str]]) -> Iterator[str]:
    items = (_quoted(f"{name}:{about}") for name, about in named)  # only the first colon divides them
    yield f"            {variable}=({' '.join(items)})"


def _fish(levels: Sequence[_Level]) -> str:
    known = " ".join(_fish_quoted(level.path) for level in levels if level.path)
    lines = [
        "function __mindport_at",
        "    set -l at",
        "    for word in (commandline -opc)[2..-1]",
        "        set -l next (string join -- ' ' $at $word)",
        f"        if contains -- $next {known}",
        "            set at $next",
        "        end",
        "    end",
        '    test "$at" = "$argv[1]"',
        "end",
    ]
    for level in levels:
        here = _fish_quoted(f"__mindport_at '{level.path}'")
        begin = f"complete -c mindport -n {here}"
        for name, about in level.commands:
            lines.append(f"{begin} -f -a {name} -d {_fish_quoted(about)}")
        lines.extend(f"{begin} {_fish_option(option)}" for option in level.options)
    return "\n".join(lines) + "\n"


def _fish_option(option: _Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    value = f" -x -a {_fish_quoted(' '.join(option.choices))}" if option.choices else " -r"
    return f"{names}{value if option.takes_value else ''} -d {_fish_quoted(option.about)}"


def _fish_quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SCRIPTS: Final[dict[str, Callable[[Sequence[_Level]], str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
