"""What a file says of itself to the rest of its project: what it defines, calls, reads and trains."""

from __future__ import annotations

import ast
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeVar

from mindport.catalog.argument_form import is_dotted_name
from mindport.language import Text
from mindport.report.analysis.call_sites import FROM_TABLE
from mindport.report.analysis.code_facts import in_dictionary, in_table
from mindport.report.analysis.configuration_files import CONFIGURING
from mindport.report.analysis.entries import (
    MAIN,
    CallEntry,
    ClassEntry,
    FunctionCode,
    FunctionEntry,
    GivenParameter,
    ImportEntry,
    ProblemEntry,
    RecipeEntry,
    ReferenceEntry,
    ReturnEntry,
    RuleEntry,
    SettingEntry,
    SourceEntry,
)
from mindport.report.analysis.file_code import (
    ALL,
    OF_SELF,
    WORD,
    Named,
    NamedValue,
    Surroundings,
    last_part,
    spelled,
)
from mindport.report.analysis.file_reader import (
    BUILTINS,
    DECORATORS,
    EVALUATING,
    IMPORTED,
    MAIN_NAME,
    WHEN_CALLED,
    FileReader,
    in_line,
)
from mindport.report.analysis.function_code import adjusted, conditions, function_code, parsed, statements
from mindport.report.analysis.references import (
    changed_names,
    default_names,
    rebound_names,
    references,
    replaced_values,
)
from mindport.source.decode import PACKAGE_FILE, is_notebook

if TYPE_CHECKING:
    from mindport.assess.file_findings import PlacedFinding
    from mindport.language import Language

_LOGGER = logging.getLogger(__name__)
_NOT_SHOWN: Final = Text(
    "MindPort failed to show the functions of this file (internal error: {error}). The rest is unaffected.",
    "MindPort 无法列出此文件中的函数（内部错误：{error}）。其余内容不受影响。",
)
_Read = TypeVar("_Read")
_SELF: Final = "self"
_IMPORTING: Final = "__import__"
_COMMANDING: Final = frozenset({"command", "group"})
"""What makes commands of functions."""
_CONSTRUCTOR: Final = "__init__"
_KEY_OF: Final = re.compile(
    r"""(?<![\w.\]])(?P<owner>(?:self\.)?[A-Za-z_]\w*)\[\s*(["'])(?P<key>[A-Za-z_]\w*)\2\s*\](?!\s*=[^=])"""
)
"""The key of a dictionary that is read."""
_CAPITALS: Final = re.compile(r"(?<![\w.'\"])[A-Z][A-Z0-9]*_?[A-Z0-9_]+(?![\w(.'\"])")
"""The name of a constant."""
_CALLED: Final = "__call__"
"""The method that an object is called for."""
_OWNER: Final = re.compile(r"(?P<owner>[A-Za-z_]\w*)\[\s*$")
"""What a key is asked of that begins behind it."""
_PARSING: Final = ".parse_args"
_RUNNING: Final = frozenset({"Process", "spawn", "start_processes"})
_OF_FUNCTIONS: Final = frozenset({"option", "Option", "Fire", "run_main"})
"""The functions that give options to the parameters of others."""
_CHOOSING: Final = frozenset({"globals", "locals", "eval", "hydra.utils.instantiate", "pydoc.locate"})
"""The functions that something is chosen by its name with."""
_BY_TORCH: Final = frozenset(
    {"forward", "step", "get_lr", "backward", "closure", "jvp", "vjp", "setup_context"}
)
"""Methods that torch calls."""
_PACKAGE: Final = "package"
_NUMBER: Final = ".item()"
_OF_NONE: Final = re.compile(
    r"not\s+(?P<named>[\w.]+)|(?P<asked>[\w.]+)\s*(?:==|is|<=?)\s*(?:None|-\s*1|0|''|\"\")"
)
"""What asks whether something has a value that stands for none."""
_KEEPING_NAME: Final = ("@staticmethod", "@classmethod", "@property", *DECORATORS)
"""Decorators that give a method to nobody: it is called by its name."""

_OF_NETWORKS: Final = frozenset({"module", "model", "net", "network", "forward", "format"})
"""What is given samples, or makes texts, and no settings."""
_OWN_ATTRIBUTES: Final = frozenset({"**self.__dict__", "**vars(self)"})
"""What an object has, as a layer does that says what it is."""


class PartReader(FileReader):
    """Reads what tells how files hang together, and which of them count."""

    failure: str = ""

    def rule(self, placed: PlacedFinding, language: Language) -> RuleEntry:
        finding = placed.finding
        said = finding.use.api if finding.status == "missing" else finding.message(language)
        return RuleEntry(**self.at(placed.start), code=placed.code or "", message=said)

    def function_code(self) -> list[FunctionCode]:
        """Its functions, and the steps of its trainings, without what only logs, shows or checks; not those
        of notebooks. Where that fails, all else of the file is told, and `failure` says why."""
        if is_notebook(self.path):
            return []
        try:
            return list(function_code(self.path, self._whole_text(), self.facts))
        except RecursionError:
            return []
        except Exception as error:
            _LOGGER.exception("Internal error at %s", self.path)
            self.failure = f"{type(error).__name__}: {error}"
            return []

    def failures(self, language: Language) -> list[ProblemEntry]:
        """What failed here."""
        text = _NOT_SHOWN.render(language, error=self.failure)
        return [ProblemEntry(path=self.path, line=1, message=text)] if self.failure else []

    def statements(self) -> list[SourceEntry]:
        """Its statements that give names something; not those of notebooks."""
        return self._of_tree(statements)

    def conditions(self) -> list[tuple[int, str]]:
        """The lines of assignments that stand on conditions, with these."""
        return self._of_tree(conditions)

    def adjusted(self) -> list[SourceEntry]:
        """Its statements that change names by numbers."""
        return self._of_tree(adjusted)

    def references(self) -> list[ReferenceEntry]:
        """What its functions and classes name; not those of notebooks."""
        return self._of_tree(references)

    def replaced(self) -> list[tuple[str, str]]:
        """The attributes that get another value where they have a certain one, each with that."""
        return self._of_tree(replaced_values)

    def default_names(self) -> list[str]:
        """The names that only defaults of parameters read."""
        return self._of_tree(default_names)

    def rebound(self) -> list[str]:
        """The names that functions give something in more than one place."""
        return self._of_tree(rebound_names)

    def changed(self) -> list[str]:
        """The names that it gives values otherwise than by a plain assignment; not those of notebooks."""
        return self._of_tree(changed_names)

    def _of_tree(self, read: Callable[[ast.Module], Iterable[_Read]]) -> list[_Read]:
        """What is read of the tree of a file, which nothing may change; nothing where there is none, or where
        that goes too deep."""
        try:
            return list(read(self._tree)) if self._tree is not None else []
        except RecursionError:
            return []

    @cached_property
    def _tree(self) -> ast.Module | None:
        """Its tree; None for a notebook, and where it does not parse."""
        return None if is_notebook(self.path) else parsed(self._whole_text())

    def _whole_text(self) -> str:
        return self.document.data.decode(errors="replace")

    def imports(self) -> Iterator[ImportEntry]:
        """The first import of each package that carries torch code: what MP601 finds."""
        seen: set[str] = set()
        for placed in self.found.findings:
            package = dict(placed.finding.words).get(_PACKAGE)
            if placed.code == IMPORTED and package is not None and package not in seen:
                seen.add(package)
                yield ImportEntry(**self.at(placed.start), name=package)

    def classes(self) -> Iterator[ClassEntry]:
        """All classes."""
        for one in self.code.classes:
            code = in_line(self.code.without_comments(one.start, one.end))
            yield ClassEntry(
                **self.at(one.start),
                name=one.name,
                bases=[base for base in one.bases if base not in self._torch_names(one)],
                code=code,
                reads=self.read_by(one),
                parameters=self._constructed_with.get(one.scope.dotted(one.name)),
                positional=self._positional.get(one.scope.dotted(one.name), -1),
            )

    def read_by(self, one: Named) -> list[GivenParameter]:
        """The settings that a class reads, each once, as written: attributes and keys of what keeps settings
        or is an imported module, keys of what it is made with, and names in capital letters."""
        text = self.code.without_comments(one.end, one.last)
        constructors = [
            each
            for each in self.code.functions
            if each.name == _CONSTRUCTOR and each.scope.name == one.scope.dotted(one.name)
        ]
        given = {name for each in constructors for name in (*dict(each.arguments), each.others)}
        found = [
            written
            for written, offset in self.code.attributes
            if one.end <= offset < one.last
            and not self._stands_in_step(offset)
            and (self.facts.is_setting(written) or written.partition(".")[0] in self._bound | given)
        ]
        for key in _KEY_OF.finditer(text):
            owner = key["owner"]
            if owner.removeprefix(OF_SELF) in given or self.facts.is_setting(f"{owner}.x"):
                found.append(f'{owner}["{key["key"]}"]')
        found += _CAPITALS.findall(text)
        found = [one for one in found if not any(other.startswith(f"{one}.") for other in found)]
        return [GivenParameter(name="", value=name, is_read=True) for name in dict.fromkeys(found)]

    def _torch_names(self, one: Named) -> set[str]:
        """The last names of the torch classes that a class derives from."""
        return {base.rpartition(".")[2] for base in self._torch_bases.get(one.start, ())}

    @cached_property
    def _constructed_with(self) -> Mapping[str, list[GivenParameter]]:
        """The parameters of each class's own `__init__`."""
        return {
            one.scope.name: [
                GivenParameter(name=name, value=in_line(value), is_default=bool(value))
                for name, value in one.arguments
            ]
            for one in self.code.functions
            if one.name == "__init__"
        }

    @cached_property
    def _positional(self) -> Mapping[str, int]:
        return {one.scope.name: one.position for one in self.code.functions if one.name == "__init__"}

    def setting(self, value: NamedValue) -> SettingEntry:
        """A name and its value."""
        return SettingEntry(
            **self.at(value.offset),
            name=value.name,
            value=value.value,
            kind=value.kind,
            scope=value.scope.name,
            classes=value.scope.classes,
            owner=value.owner,
            source=value.source,
            callee=value.callee,
            exact=value.exact,
        )

    def calls(self) -> Iterator[CallEntry]:
        """All calls but for those of torch and of Python's own functions; of torch those that run a function,
        be it in a process of its own."""
        own = {one.name for one in self.code.functions}
        for one in self.code.calls:
            is_run = last_part(one.name) in _RUNNING or any(value in own for _, value in one.arguments)
            is_left_out = self._is_torch(one) and not is_run
            is_plain = one.name in BUILTINS and one.name != _IMPORTING
            if one.name and not is_plain and not is_left_out:
                yield CallEntry(
                    **self.at(one.start),
                    name=one.name,
                    written=one.written,
                    arguments=list(self._all_given(one)),
                    scope=one.scope.name,
                    classes=one.scope.classes,
                    is_measuring=self._is_followed_by(_NUMBER, one.end),
                )

    def _all_given(self, call: Named) -> Iterator[tuple[str, str]]:
        """What a call is given, with the entries of dictionaries of which these are all."""
        for name, value in call.arguments:
            if value.startswith("**"):
                pairs, is_all = in_dictionary(self.code, value.lstrip("*"), call.scope.name)
                if is_all and all(key.isidentifier() for key, _ in pairs):
                    yield from [(key, in_line(one)) for key, one in pairs]
                    continue
            yield name, in_line(value)

    def tables(self) -> Iterator[tuple[str, str, list[str]]]:
        """The names in dictionaries, which something may be chosen from to be called: each with the name of
        the dictionary and the function around it."""
        for one in self.code.dictionaries:
            names = [name for _, value in one.pairs for name in in_table(value) if is_dotted_name(name)]
            if names:
                yield one.name, one.scope.name, names
        yield from self._tables_of_functions()

    def _tables_of_functions(self) -> Iterator[tuple[str, str, list[str]]]:
        """The names in dictionaries, or classes, that functions choose one of, to return it; each with the
        name of the function, called."""
        for one in self.code.returns:
            if one.scope.classes or "." in one.scope.name or not one.scope.name:
                continue
            source = self.code.without_comments(one.start, one.end).removeprefix("return").strip()
            found = FROM_TABLE.fullmatch(source)
            pairs = in_dictionary(self.code, found["table"], one.scope.name)[0] if found is not None else []
            values = [value for _, value in pairs] or list(_in_written_table(source))
            values = values or self._classes_of(source, one.scope)
            names = [name for name in values if is_dotted_name(name)]
            if names:
                yield f"{one.scope.name}()", "", names

    def _classes_of(self, name: str, scope: Surroundings) -> list[str]:
        """The classes that a name of a function is, by which it gives one."""
        own = [one for one in self.code.values if one.scope == scope and one.kind == "assigned"]
        sources = [one.source for one in own if one.exact == name or (not one.exact and one.name == name)]
        return [one for one in sources if is_dotted_name(one) and last_part(one)[:1].isupper()]

    def is_program(self) -> bool:
        """Whether the file is meant to be run: it asks for that, reads the command line at the top, or is a
        notebook."""
        if self._main_branches or is_notebook(self.path):
            return True
        outer = [one for one in self.code.calls if not one.scope.name]
        own = {one.name for one in self.code.functions if one.name in self._trained_by}
        return any(
            one.written.endswith((_PARSING, *self.facts.training)) or one.written in own for one in outer
        )

    @cached_property
    def _free(self) -> Sequence[Named]:
        """The functions and classes that have no decorator, which may keep them by their names."""
        outer = [one for one in [*self.code.functions, *self.code.classes] if not one.scope.name]
        before = [(one, self._line_before(one)) for one in outer]
        return [one for one, line in before if not line.startswith("@") or line.startswith(DECORATORS)]

    def free(self) -> list[str]:
        """The names of these functions."""
        return list(dict.fromkeys([one.name for one in self._free]))

    def mentioned(self) -> dict[str, list[str]]:
        """The names that stand in each of those functions, in each of the methods that only the project calls
        (with its class), in what is run as a program alone (`MAIN`), and in all else (empty)."""
        spans = [(one.start, one.last, f"{one.scope.name}.{one.name}") for one in self._own_methods]
        spans += [(one.start, one.last, one.name) for one in self._free]
        spans += [(one.start, one.end, MAIN) for one in self._main_branches]
        found: dict[str, set[str]] = {}
        if PurePath(self.path).name == PACKAGE_FILE:
            found[""] = {one.name for one in self.code.names if one.name not in ("", ALL, one.bound)}
        for name, offset in self.code.words(is_package=False):
            if any(start <= offset < end for start, end, _ in self._between):
                continue  # what evaluates
            inside = next((where for start, end, where in spans if start <= offset < end), "")
            found.setdefault(inside, set()).add(name)
        return {where: sorted(names) for where, names in found.items()}

    def read(self) -> dict[str, list[str]]:
        """The attributes of settings that are read in each class of the module, and all attributes and keys
        (under nothing)."""
        outer = [one for one in self.code.classes if not one.scope.name]
        found = {
            "": {name for name, offset in self.code.read_inside if not self._stands_in_evaluation(offset)}
        }
        for written, offset in self.code.attributes:
            if self.facts.is_setting(written):
                if self._stands_in_step(offset):
                    continue
                inside = next((one.name for one in outer if one.start <= offset < one.last), "")
                found.setdefault(inside, set()).add(spelled(last_part(written)))
        return {where: sorted(names) for where, names in found.items()}

    def _stands_in_step(self, offset: int) -> bool:
        """Whether a byte stands in a method of a class that trains, or only evaluates: what is read there is
        none of what its objects are made with."""
        around = [one for one in self.code.functions if one.start <= offset < one.last and one.scope.classes]
        return any(one.name in self._steps_of_classes for one in around)

    @cached_property
    def _steps_of_classes(self) -> frozenset[str]:
        methods = {one.name for one in self.code.functions if one.scope.classes}
        training = {last_part(one.scope.name) for one in self._training_calls if one.scope.classes}
        evaluating = {name for name in methods if EVALUATING.fullmatch(name.lower())}
        evaluating |= {last_part(one) for one in self.evaluations}
        return frozenset((training | evaluating) & methods - {"__init__", "forward"})

    def read_for_values(self) -> list[str]:
        """The attributes and keys that are read, but for those of settings that are only put into texts and
        paths."""
        texts = {
            offset
            for written, offset in self.code.attributes
            if self.facts.is_setting(written) and self.code.is_in_text(offset)
        }
        copies = {offset for _, _, offset in self._kept}
        left_out = texts | copies | self._of_own
        return sorted(
            {
                name
                for name, offset in self.code.read_inside
                if offset not in left_out and not self._stands_in_evaluation(offset)
            }
        )

    def _stands_in_evaluation(self, offset: int) -> bool:
        """Whether a byte is in a function that only evaluates, or in what such a function is given."""
        return any(start <= offset < end for start, end in self._evaluating_places)

    @cached_property
    def _evaluating_places(self) -> Sequence[tuple[int, int]]:
        functions = [one for one in self.code.functions if one.scope.dotted(one.name) in self.evaluations]
        names = {one.name for one in functions}
        calls = [
            one
            for one in self.code.calls
            if last_part(one.written) in names
            or (
                one.name.islower()
                and one.name not in BUILTINS
                and EVALUATING.fullmatch(last_part(one.written)) is not None
            )
        ]
        return [(one.start, one.last) for one in functions] + [(one.start, one.end) for one in calls]

    @cached_property
    def _of_own(self) -> set[int]:
        """Where attributes of an object are read that its class assigns, but for other names of settings, and
        keys of dictionaries of the file that have them: these are no options."""
        assigned = {
            (one.classes[-1], value.name)
            for value in self.code.values
            if value.owner == _SELF and (one := value.scope).classes
        }
        assigned |= {
            (one.scope.classes[-1], one.name)
            for one in self.code.computed
            if one.written == f"{OF_SELF}{last_part(one.written)}" and one.scope.classes
        }
        names = {name for _, name in assigned} - {name for name, _, _ in self._kept}
        found = {
            offset
            for written, offset in self.code.attributes
            if written == f"{OF_SELF}{last_part(written)}"
            and spelled(last_part(written)) in names
            and (self._class_at(offset), spelled(last_part(written))) in assigned
        }
        keys = {(one.name, spelled(key)) for one in self.code.dictionaries for key, _ in one.pairs}
        for name, offset in self.code.read_inside if keys else ():
            lines = self.document.lines
            before = _OWNER.search(self.document.text(lines.line_start(lines.line_of(offset)), offset))
            if before is not None and (before["owner"], name) in keys:
                found.add(offset)
        return found

    def _class_at(self, offset: int) -> str:
        """The innermost class around a byte."""
        around = [one for one in self.code.classes if one.start <= offset < one.last]
        return max(around, key=lambda one: one.start).name if around else ""

    def read_in_texts(self) -> list[str]:
        """The attributes and keys that are put into texts and paths."""
        texts = {offset for written, offset in self.code.attributes if self.code.is_in_text(offset)}
        return sorted({name for name, offset in self.code.read_inside if offset in texts})

    def unnamed(self) -> list[tuple[int, str]]:
        """The lines where classes keep what a torch API gives as an attribute that nothing else in the file
        names."""
        made = [
            one
            for one in self.code.computed
            if one.written.startswith(OF_SELF) and self._loss.has_api(self.code.full_name(one.made))
        ]
        if not made:
            return []
        words = Counter(name for name, _ in self.code.words(is_package=False))
        names = [(one, one.written.removeprefix(OF_SELF)) for one in made]
        return [(self.at(one.start)["line"], name) for one, name in names if words[name] == 1]

    def counted_to(self) -> dict[str, list[str]]:
        """The names that only heads of loops read in the file, each with the last names of the functions that
        these stand in."""
        heads = [one for one in self.code.loops if one.counted]
        found: dict[str, set[str]] = {}
        others = set[str]()
        for name, offset in [*self.code.read, *self.code.read_inside] if heads else ():
            loop = next((one for one in heads if one.start <= offset < one.end), None)
            if loop is None:
                others.add(name)
            else:
                found.setdefault(name, set()).add(last_part(loop.scope.name))
        return {name: sorted(scopes) for name, scopes in found.items() if name not in others}

    def kept(self) -> list[tuple[str, str]]:
        """The attributes that are nothing but another name for a setting, each with that."""
        return sorted({(name, setting) for name, setting, _ in self._kept})

    @cached_property
    def _kept(self) -> Sequence[tuple[str, str, int]]:
        copies = {
            one.start: one
            for one in self.code.computed
            if one.written.startswith(OF_SELF) and len(one.uses) == 1 and not (one.is_computed or one.made)
        }
        found = []
        for written, offset in self.code.attributes:
            line = self.document.lines.line_start(self.document.lines.line_of(offset))
            start = (
                line + len(self.document.text(line, offset)) - len(self.document.text(line, offset).lstrip())
            )
            one = copies.get(start)
            if one is not None and one.uses == (written,) and self.facts.is_setting(written):
                found.append((one.name, spelled(last_part(written)), offset))
        return found

    def read_plain(self) -> set[str]:
        """The plain names that are read: not by the option of the same name that has one as its default."""
        options = [(one.name, one.offset) for one in self.code.values if one.kind == "option"]
        spans = [
            (name, call.start, call.end)
            for name, offset in options
            for call in self.code.calls
            if call.start <= offset < call.end
        ]
        return {
            name
            for name, offset in self.code.read
            if not any(name == option and start <= offset < end for option, start, end in spans)
            and not self._stands_in_evaluation(offset)
        }

    def is_opened(self) -> bool:
        """Whether a call may be given all settings by their names, or options are parameters."""
        if any(last_part(one.name) in _OF_FUNCTIONS for one in self.code.calls):
            return True
        known = {one.name for one in self.code.dictionaries if one.pairs}
        handed = {(one.scope.dotted(one.name), one.others) for one in self.code.functions}
        given = [
            (call.scope.name, found[0])
            for call in self.code.calls
            if last_part(call.written) not in _OF_NETWORKS
            for _, value in call.arguments
            if value.startswith("**")
            and value not in _OWN_ATTRIBUTES
            and (found := WORD.match(value, 2)) is not None
        ]
        return any(name not in known and (scope, name) not in handed for scope, name in given)

    def methods(self) -> dict[str, list[str]]:
        """The methods of each class that no other library calls: the class has no bases but those of torch,
        and of torch's own what these do not have."""
        found: dict[str, list[str]] = {}
        for one in self._own_methods:
            found.setdefault(one.scope.classes[-1], []).append(one.name)
        return found

    @cached_property
    def _own_methods(self) -> Sequence[Named]:
        """These methods."""
        classes: dict[str, Named] = {}
        for one in self.code.classes:
            classes.setdefault(one.name, one)
        found = []
        for one in self.code.functions:
            known = classes.get(one.scope.classes[-1]) if one.scope.classes else None
            is_method = known is not None and one.scope.name == known.scope.dotted(known.name)
            if known is not None and is_method and not self._may_be_called(one, known):
                found.append(one)
        return found

    def _may_be_called(self, method: Named, owner: Named) -> bool:
        """Whether others may call a method: Python, a base, what a decorator gives it to."""
        line = self._line_before(method)
        if method.name.startswith("__") or (line.startswith("@") and not line.startswith(_KEEPING_NAME)):
            return True
        bases = self._torch_bases.get(owner.start, ())
        if len(bases) < len([base for base in owner.bases if base != "object"]):
            return True
        return any(self._catalog.api(f"{base}.{method.name}") is not None for base in bases) or (
            bool(bases) and method.name in _BY_TORCH
        )

    def chosen_from(self) -> list[str]:
        """The modules that something is chosen from by its name; `*`: from those of the file."""
        found: list[str] = []
        for call in self.code.calls:
            owner, _, last = call.name.rpartition(".")
            if last == ALL:
                found.append(last_part(owner))
            elif call.name in _CHOOSING:
                found.append(ALL)
            elif self._chooses(call):
                module = call.arguments[0][1]
                found.append(ALL if "__name__" in module else last_part(module))
        chosen = [one.written for one in self.code.computed] + [
            name for one in self.code.computed for name in one.uses
        ]
        found += [last_part(name.partition(".__dict__")[0]) for name in chosen if ".__dict__[" in name]
        return sorted(set(found))

    def branches(self) -> list[tuple[int, int, int]]:
        """The first and last lines of what runs on a condition, and the line of its `if`."""
        found = [one for one in self.code.branches if MAIN_NAME not in one.uses and not self._cells]
        return [(*self._lines(one.start, one.end), self.at(one.at)["line"]) for one in found]

    def in_place_of_none(self) -> list[int]:
        """The lines where settings get a value because they have one that stands for none."""
        return [
            self.at(one.start)["line"]
            for one in self.code.branches
            for value in self.code.values
            if one.start <= value.offset < one.end
            and value.kind == "assigned"
            and _asks_for_none(one.condition, f"{value.owner}.{value.name}")
        ]

    def loops(self) -> list[tuple[int, int]]:
        """The first and last lines of loops."""
        found = [*self.code.loops, *self.code.whiles] if not self._cells else []
        return [self._lines(one.start, one.last) for one in found]

    @cached_property
    def _cells(self) -> bool:
        """Whether lines are counted in each cell of a notebook."""
        return is_notebook(self.path)

    def _lines(self, start: int, end: int) -> tuple[int, int]:
        return self.at(start)["line"], self.at(max(start, end - 1))["line"]

    def options(self) -> list[RecipeEntry]:
        """The options of the command line."""
        return [self._of_value(None, one) for one in self.code.values if one.kind == "option"]

    def commands(self) -> list[str]:
        """The functions that the command line names, as those that click and typer are given."""
        decorators = [
            one
            for one in self.code.calls
            if last_part(one.written) in _COMMANDING and self._line_text(one.start).startswith("@")
        ]
        found = []
        for one in decorators:
            behind = [each for each in self.code.functions if each.start > one.end]
            found += [each.name for each in behind[:1]]
        return found

    def strings(self) -> list[str]:
        """The words in texts that are part of the code."""
        return sorted({word for one in self.code.strings for word in WORD.findall(one)})

    def names_in_texts(self) -> list[str]:
        """The words in texts that may be names: those without spaces."""
        texts = [one for one in self.code.strings if not any(map(str.isspace, one))]
        return sorted({word for one in texts for word in WORD.findall(one)})

    def named_files(self) -> list[str]:
        """The names of configuration files that texts are or end with."""
        names = [PurePath(one).name for one in self.code.strings if one.endswith(CONFIGURING)]
        return sorted(set(names))

    def main(self) -> list[tuple[int, int]]:
        """The lines that run where the file is a program alone."""
        return [(self.at(one.start)["line"], self.at(one.end)["line"]) for one in self._main_branches]

    def trainers(self) -> list[str]:
        """The classes with methods that take gradients."""
        calls = self._training_calls
        return list(dict.fromkeys([one.scope.classes[0] for one in calls if one.scope.classes]))

    def training_classes(self) -> list[str]:
        """The classes whose objects take gradients when they are called."""
        calls = self._training_calls
        called = [one for one in calls if last_part(one.scope.name) in WHEN_CALLED and one.scope.classes]
        called += [
            one
            for one in self.code.calls
            if last_part(one.scope.name) == _CALLED
            and one.scope.classes
            and one.written.startswith(OF_SELF)
            and self._own_function(one) in self._trained_by
        ]
        return list(dict.fromkeys([one.scope.classes[-1] for one in called]))

    def functions(self) -> Iterator[FunctionEntry]:
        """All functions that have parameters."""
        for one in self.code.functions:
            if one.arguments or one.others:
                yield FunctionEntry(
                    **self.at(one.start),
                    name=one.scope.dotted(one.name),
                    classes=one.scope.classes,
                    parameters=[(name, in_line(value)) for name, value in one.arguments],
                    others=one.others,
                    positional=one.position,
                )

    def returned(self) -> Iterator[ReturnEntry]:
        """The values of the functions that give several, always as many."""
        returns: dict[str, list[Named]] = {}
        for one in self.code.returns:
            returns.setdefault(one.scope.name, []).append(one)
        for name, found in returns.items():
            is_dictionary = any(each.name != "return" for one in found for each in one.elements)
            counts = {len(one.elements) for one in found}
            if len(counts) != 1 or min(counts) < 2 or is_dictionary:
                continue
            for one in found:
                values = [in_line(self.code.without_comments(each.start, each.end)) for each in one.elements]
                yield ReturnEntry(**self.at(one.start), name=name, classes=one.scope.classes, values=values)

    def giving(self) -> Iterator[tuple[str, str]]:
        """The functions that return what they call, with the last name of that; not what its object gives."""
        calls = {call.start: call for call in self.code.calls}
        called_again = {call.start for call in self.code.calls if call.written.endswith(")")}
        assembled = {api for item in self.facts.recipe for api in item.assembled}
        for one in self.code.returns:
            function = one.scope.name.rpartition(".")[2]
            called = calls.get(one.start + len("return "))
            if called is not None and called.start not in called_again:
                yield function, called.name if called.name in assembled else last_part(called.name)
            for made in self.code.computed:
                if made.written in one.uses and made.scope == one.scope and made.made:
                    full = self.code.full_name(made.made)
                    yield function, full if full in assembled else last_part(made.made)


def _in_written_table(source: str) -> Iterator[str]:
    """The values of a dictionary that is written out, and of which one is chosen."""
    try:
        chosen = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    if isinstance(chosen, ast.Subscript) and isinstance(chosen.value, ast.Dict):
        yield from map(ast.unparse, chosen.value.values)


def _asks_for_none(condition: str, written: str) -> bool:
    """Whether a condition asks whether an attribute has a value that stands for none."""
    asked = _OF_NONE.fullmatch(condition.strip("() "))
    return asked is not None and spelled(asked["named"] or asked["asked"]) == spelled(written)
