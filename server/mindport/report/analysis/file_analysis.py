"""What a file contributes to the analysis of its project."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypedDict

from mindport.catalog.argument_form import is_dotted_name
from mindport.catalog.binding import first_binding
from mindport.catalog.catalog import Catalog
from mindport.infer.values import Certainty
from mindport.report.analysis.batches import cut_size, draws_batch
from mindport.report.analysis.code_facts import (
    called_in,
    feeding,
    formula,
    in_dictionary,
    is_all_seen,
    is_of_weights,
    made_in,
    minimized,
    mixings,
    parts_of,
)
from mindport.report.analysis.entries import (
    LOOP,
    MAIN,
    CallEntry,
    ClassEntry,
    FileAnalysis,
    FormulaEntry,
    FunctionEntry,
    GivenParameter,
    ImportEntry,
    LossCall,
    ProblemEntry,
    RecipeEntry,
    RuleEntry,
    SettingEntry,
)
from mindport.report.analysis.file_code import (
    ALL,
    WORD,
    Branch,
    FileCode,
    Named,
    NamedValue,
    Surroundings,
    last_name,
    spelled,
)
from mindport.report.analysis.loss_formulas import FileFormulas
from mindport.report.problem import syntax_problems
from mindport.source.decode import PACKAGE_FILE, is_notebook

if TYPE_CHECKING:
    from collections.abc import Callable

    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.language import Language
    from mindport.source.document import Document
    from mindport.uses.use import Call

_LONGEST: Final = 160
_BUILTINS: Final = frozenset(dir(builtins))
_MAIN: Final = "__name__"
_LOADING: Final = frozenset({"torch.load", "torch.jit.load", "torch.compile"})
_PARSING: Final = ".parse_args"
_RUNNING: Final = frozenset({"Process", "spawn", "start_processes"})
_ASKING: Final = frozenset({"hasattr", "getattr", "dir", "vars", "isinstance"})
"""Functions that choose nothing to call of what they are given."""
_OLD_REDUCTIONS: Final = ("size_average", "reduce")
_DOTTED: Final = re.compile(r"""[A-Za-z_][\w.\[\]"']*""")
_WEIGHTS: Final = ("weight", "bias")
_ENDLESS: Final = "count"
_CHANGING: Final = (".uniform_", ".normal_")
_REACHING: Final = (">=", "<=", ">", "<")
_ENDING: Final = re.compile(r"\b(?:break|return|exit|raise)\b|=\s*(?:True|False)\b|stop")
"""What stands where training ends, or where it is kept that it is to end."""
_LEAVING: Final = re.compile(r"^\s*break\b", re.MULTILINE)
_EXCEPTIONS: Final = ("Error", "Exception", "Warning")
_PARAMETER: Final = "Parameter"
_IN_PARAMETER: Final = re.compile(r"\bParameter\(")
_FIRST_VALUES: Final = re.compile(
    r"\b(?:torch|np|numpy|random)\.(?:\w+\.)*(?:rand|zeros|ones|full|eye|normal|uniform|linspace)"
    r"|\.(?:normal|uniform|zero|fill|trunc_normal)_\(|\bnew_(?:zeros|ones|full)"
)
"""What gives a weight its first values where it is made."""
_DRAWN: Final = re.compile(r"\brand|\.normal_\(|\.uniform_\(")
_KEEPING: Final = frozenset({"register_buffer", "register_parameter", "Parameter"})
"""The functions that make weights of what they are given."""
_PATHS: Final = ("./", "../", "/", "~")
_HELP: Final = re.compile(r"\bhelp\s*=\s*(?P<text>.*)", re.DOTALL)
_OF_PATHS: Final = re.compile(r"\b(?:path|folder|directory)\b", re.IGNORECASE)
"""What is said of options that are paths."""
_COPYING: Final = frozenset({"cuda", "cpu", "clone", "detach", "to", "float", "half", "contiguous"})
_OF_BASE: Final = ".__init__"
_OF_SELF: Final = "self."
_MODULE: Final = "torch.nn.Module"
_LAYERS: Final = "torch.nn."
_OPTIMIZERS: Final = "torch.optim."
_CALLED: Final = ("forward", "__call__", "call", "step", "get_lr", "rate")
"""The methods that give what an object is called for."""
_SAMPLE: Final = "__getitem__"
"""The method of a data set that gives a sample."""
_SAMPLES: Final = (_SAMPLE, "__iter__", "__next__")
"""The methods that give samples, one or one after the other."""
_NUMBERS: Final = frozenset({"int", "round", "float", "min", "max"})
_OF_GROUPS: Final = ("lr", "weight_decay")
"""The parameters of optimizers that groups of weights mostly have their own of."""
_RANDOM: Final = "random.random"
_EVAL: Final = ".eval"
_NO_GRADIENTS: Final = ("no_grad(", "inference_mode(")
_DECORATORS: Final = ("@torch.no_grad", "@torch.inference_mode", "@no_grad", "@inference_mode")
_OF_FUNCTIONS: Final = frozenset({"option", "Option", "Fire", "run_main"})
"""The functions that give options to the parameters of others."""
_CHOOSING: Final = frozenset({"globals", "locals", "eval", "hydra.utils.instantiate", "pydoc.locate"})
"""The functions that something is chosen by its name with."""
_BY_TORCH: Final = frozenset(
    {"forward", "step", "get_lr", "backward", "closure", "jvp", "vjp", "setup_context"}
)
"""Methods that torch calls."""
_CALLABLE: Final = ("class", "function", "method")
_IMPORTED: Final = "MP601"
_PACKAGE: Final = "package"
_FAMILIES: Final = ("MP4", "MP5")
"""The families of rules that the guide calls function compliance."""


def analyse_file(path: str, found: FileFindings, language: Language) -> FileAnalysis:
    """What is said of a file, from its findings and its syntax."""
    code = FileCode(found.analysis, Catalog.load().migration.aliases)
    reader = _Reader(path, found, code)
    shown = found.diagnostics()
    rules = [one for one in shown if one.code is not None and one.code.startswith(_FAMILIES)]
    others = [
        one for one in shown if one.code not in (None, _IMPORTED) and not str(one.code).startswith(_FAMILIES)
    ]
    missing = [one for one in others if one.finding.status == "missing"]
    recipe = sorted(reader.recipe(), key=lambda entry: entry.line)
    return FileAnalysis(
        path=path,
        is_program=reader.is_program(),
        main=reader.main(),
        defined=[one.name for one in [*code.functions, *code.classes]],
        training=reader.training,
        training_classes=reader.training_classes(),
        trainers=reader.trainers(),
        giving=list(dict.fromkeys(reader.giving())),
        free=reader.free(),
        sampled=list(reader.sampled()),
        called_for_samples=reader.called_for_samples(),
        mentioned=reader.mentioned(),
        strings=reader.strings(),
        read=reader.read(),
        read_plain=sorted({name for name, _ in code.read}),
        read_for_values=reader.read_for_values(),
        read_in_texts=reader.read_in_texts(),
        kept=reader.kept(),
        unnamed=reader.unnamed(),
        is_opened=reader.is_opened(),
        methods=reader.methods(),
        chosen_from=reader.chosen_from(),
        branches=reader.branches(),
        loops=reader.loops(),
        options=reader.options(),
        recipe=recipe,
        formulas=list(reader.formulas()),
        loss_calls=list(reader.loss_calls(recipe)),
        hints=list(reader.hints()),
        made=list(reader.made()),
        problems=[
            ProblemEntry(path=path, line=one.line, cell=one.cell, message=one.message)
            for one in syntax_problems(found, language)[:1]
        ],
        settings=[reader.setting(one) for one in code.values],
        calls=list(reader.calls()),
        functions=list(reader.functions()),
        names=list(code.names),
        classes=list(reader.classes()),
        rules=[reader.rule(one, language) for one in rules],
        imports=list(reader.imports()),
        missing=[reader.rule(one, language) for one in missing],
        safe=sum(one.finding.fix == "safe" for one in others),
        review=sum(one.finding.fix == "review" for one in others),
        waits=sum(one.finding.fix == "none" for one in others) - len(missing),
        waits_in_code=sum(one.finding.fix == "none" and one.finding.is_about_code for one in others),
    )


class _Place(TypedDict):
    """The fields of a `CodeLine`."""

    path: str
    line: int
    cell: int | None


class _Reader:
    def __init__(self, path: str, found: FileFindings, code: FileCode) -> None:
        self.path = path
        self.found = found
        self.code = code
        self._for_targets: dict[str, frozenset[tuple[str, str]]] = {}
        self._given_functions: dict[str, frozenset[str]] = {}
        self._catalog = Catalog.load()
        self.facts = self._catalog.migration

    @property
    def document(self) -> Document:
        return self.found.document

    def at(self, offset: int) -> _Place:
        """Where a byte is."""
        part = self.document.part(offset)
        line, _ = part.lines.code_point_position(part.offset(offset))
        return {"path": self.path, "line": line, "cell": part.number}

    def rule(self, placed: PlacedFinding, language: Language) -> RuleEntry:
        finding = placed.finding
        said = finding.use.api if finding.status == "missing" else finding.message(language)
        return RuleEntry(**self.at(placed.start), code=placed.code or "", message=said)

    def imports(self) -> Iterator[ImportEntry]:
        """The first import of each package that carries torch code: what MP601 finds."""
        seen: set[str] = set()
        for placed in self.found.findings:
            package = dict(placed.finding.words).get(_PACKAGE)
            if placed.code == _IMPORTED and package is not None and package not in seen:
                seen.add(package)
                yield ImportEntry(**self.at(placed.start), name=package)

    def classes(self) -> Iterator[ClassEntry]:
        """All classes."""
        for one in self.code.classes:
            code = _short(self.code.without_comments(one.start, one.end))
            yield ClassEntry(
                **self.at(one.start),
                name=one.name,
                bases=[base for base in one.bases if base not in self._torch_names(one)],
                code=code,
                parameters=self._constructed_with.get(one.scope.dotted(one.name)),
            )

    def _torch_names(self, one: Named) -> set[str]:
        """The last names of the torch classes that a class derives from."""
        return {base.rpartition(".")[2] for base in self._torch_bases.get(one.start, ())}

    @cached_property
    def _constructed_with(self) -> Mapping[str, list[GivenParameter]]:
        """The parameters of each class's own `__init__`."""
        return {
            one.scope.name: [
                GivenParameter(name=name, value=_short(value), is_default=bool(value))
                for name, value in one.arguments
            ]
            for one in self.code.functions
            if one.name == "__init__"
        }

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
        )

    def calls(self) -> Iterator[CallEntry]:
        """All calls but for those of torch and of Python's own functions; of torch those that run a function
        in a process of its own."""
        for one in self.code.calls:
            is_left_out = self._is_torch(one) and last_part(one.name) not in _RUNNING
            if one.name and one.name not in _BUILTINS and not is_left_out:
                yield CallEntry(
                    **self.at(one.start),
                    name=one.name,
                    written=one.written,
                    arguments=[(name, _short(value)) for name, value in one.arguments],
                    scope=one.scope.name,
                    classes=one.scope.classes,
                )

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
        return [one for one, line in before if not line.startswith("@") or line.startswith(_DECORATORS)]

    def free(self) -> list[str]:
        """The names of these functions."""
        return list(dict.fromkeys([one.name for one in self._free]))

    def mentioned(self) -> dict[str, list[str]]:
        """The names that stand in each of those functions, in what is run as a program alone (`MAIN`), and in
        all else (empty)."""
        spans = [(one.start, one.last, one.name) for one in self._free]
        spans += [(one.start, one.end, MAIN) for one in self._main_branches]
        found: dict[str, set[str]] = {}
        for name, offset in self.code.words(is_package=PurePath(self.path).name == PACKAGE_FILE):
            inside = next((where for start, end, where in spans if start <= offset < end), "")
            found.setdefault(inside, set()).add(name)
        return {where: sorted(names) for where, names in found.items()}

    def read(self) -> dict[str, list[str]]:
        """The attributes of settings that are read in each class of the module, and all attributes and keys
        (under nothing)."""
        outer = [one for one in self.code.classes if not one.scope.name]
        found = {"": {name for name, _ in self.code.read_inside}}
        for written, offset in self.code.attributes:
            if self.facts.is_setting(written):
                inside = next((one.name for one in outer if one.start <= offset < one.last), "")
                found.setdefault(inside, set()).add(spelled(last_part(written)))
        return {where: sorted(names) for where, names in found.items()}

    def read_for_values(self) -> list[str]:
        """The attributes and keys that are read, but for those of settings that are only put into texts and
        paths."""
        texts = {
            offset
            for written, offset in self.code.attributes
            if self.facts.is_setting(written) and self.code.is_in_text(offset)
        }
        copies = {offset for _, _, offset in self._kept}
        left_out = texts | copies
        return sorted({name for name, offset in self.code.read_inside if offset not in left_out})

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
            if one.written.startswith(_OF_SELF) and self._loss.has_api(self.code.full_name(one.made))
        ]
        if not made:
            return []
        words = Counter(name for name, _ in self.code.words(is_package=False))
        names = [(one, one.written.removeprefix(_OF_SELF)) for one in made]
        return [(self.at(one.start)["line"], name) for one, name in names if words[name] == 1]

    def kept(self) -> list[tuple[str, str]]:
        """The attributes that are nothing but another name for a setting, each with that."""
        return sorted({(name, setting) for name, setting, _ in self._kept})

    @cached_property
    def _kept(self) -> Sequence[tuple[str, str, int]]:
        copies = {
            one.start: one
            for one in self.code.computed
            if one.written.startswith(_OF_SELF) and len(one.uses) == 1 and not (one.is_computed or one.made)
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

    def is_opened(self) -> bool:
        """Whether a call may be given all settings by their names, or options are parameters."""
        if any(last_part(one.name) in _OF_FUNCTIONS for one in self.code.calls):
            return True
        given = [value for call in self.code.calls for _, value in call.arguments if value.startswith("**")]
        return any(not value.startswith("**{") for value in given)

    def methods(self) -> dict[str, list[str]]:
        """The methods of each class that no other library calls: the class has no bases but those of torch,
        and of torch's own what these do not have."""
        found: dict[str, list[str]] = {}
        for one in self.code.functions:
            owner = one.scope.classes[-1] if one.scope.classes else ""
            known = next((each for each in self.code.classes if each.name == owner), None)
            if (
                known is None
                or one.scope.name != known.scope.dotted(owner)
                or self._may_be_called(one, known)
            ):
                continue
            found.setdefault(owner, []).append(one.name)
        return found

    def _may_be_called(self, method: Named, owner: Named) -> bool:
        """Whether others may call a method: Python, a base, what a decorator gives it to."""
        if method.name.startswith("__") or self._line_before(method).startswith("@"):
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
            elif call.name == "getattr" and len(call.arguments) > 1:
                (_, module), (_, name) = call.arguments[:2]
                if not name.startswith(("'", '"')):
                    found.append(ALL if "__name__" in module else last_part(module))
        chosen = [one.written for one in self.code.computed] + [
            name for one in self.code.computed for name in one.uses
        ]
        found += [last_part(name.partition(".__dict__")[0]) for name in chosen if ".__dict__[" in name]
        return sorted(set(found))

    def branches(self) -> list[tuple[int, int, int]]:
        """The first and last lines of what runs on a condition, and the line of its `if`."""
        found = [one for one in self.code.branches if _MAIN not in one.uses and not self._cells]
        return [(*self._lines(one.start, one.end), self.at(one.at)["line"]) for one in found]

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

    def strings(self) -> list[str]:
        """The words in texts that are part of the code."""
        return sorted({word for one in self.code.strings for word in WORD.findall(one)})

    def _line_before(self, place: Named) -> str:
        """The line above a place."""
        line = self.document.lines.line_of(place.start) - 1
        lines = self.document.lines
        return self.document.text(lines.line_start(line), lines.line_end(line)).strip() if line >= 0 else ""

    @cached_property
    def _main_branches(self) -> Sequence[Branch]:
        return [one for one in self.code.branches if not one.scope.name and _MAIN in one.uses]

    def main(self) -> list[tuple[int, int]]:
        """The lines that run where the file is a program alone."""
        return [(self.at(one.start)["line"], self.at(one.end)["line"]) for one in self._main_branches]

    @cached_property
    def _training_calls(self) -> Sequence[Named]:
        """The calls that take gradients."""
        calls = [one for one in self.code.calls if one.written.endswith(self.facts.training)]
        return [one for one in calls if one.scope.name not in self._derivatives]

    @cached_property
    def _derivatives(self) -> frozenset[str]:
        """The methods that compute gradients from gradients they are given."""
        found = [
            one for one in self.code.functions if any(name.startswith("grad") for name, _ in one.arguments)
        ]
        return frozenset(one.scope.dotted(one.name) for one in found if one.name == "backward")

    @cached_property
    def training(self) -> list[str]:
        """The functions that take gradients, by their last names."""
        return list(dict.fromkeys([one.scope.name.rpartition(".")[2] for one in self._training_calls]))

    def trainers(self) -> list[str]:
        """The classes with methods that take gradients."""
        calls = self._training_calls
        return list(dict.fromkeys([one.scope.classes[0] for one in calls if one.scope.classes]))

    def training_classes(self) -> list[str]:
        """The classes whose objects take gradients when they are called."""
        calls = self._training_calls
        called = [one for one in calls if one.scope.name.rpartition(".")[2] in _CALLED and one.scope.classes]
        return list(dict.fromkeys([one.scope.classes[-1] for one in called]))

    def functions(self) -> Iterator[FunctionEntry]:
        """All functions that have parameters."""
        for one in self.code.functions:
            if one.arguments:
                yield FunctionEntry(
                    **self.at(one.start),
                    name=one.scope.dotted(one.name),
                    classes=one.scope.classes,
                    parameters=[(name, _short(value)) for name, value in one.arguments],
                )

    def recipe(self) -> Iterator[RecipeEntry]:
        """What belongs to the recipe, each place once for an item."""
        stem = PurePath(self.path).stem
        for item in [one for one in self.facts.recipe if not one.is_outside(stem)]:
            told: dict[int, set[str]] = {}
            for entry in self._of_item(item):
                if item.is_outside(entry.scope.rpartition(".")[2]) or item.is_outside(entry.name):
                    continue
                if item.not_copies and self._is_of_transform(entry):
                    continue
                at_line = told.setdefault(entry.line, set())
                is_sum = (entry.line, entry.code) in self._sums
                others = [one for one in at_line if "(" in one]
                if entry.code not in at_line and (is_sum or not any(one in entry.code for one in others)):
                    at_line.add(entry.code)
                    yield entry

    @cached_property
    def _loss(self) -> RecipeItem:
        return next(item for item in self.facts.recipe if item.minimized)

    @cached_property
    def _data(self) -> RecipeItem:
        return next(item for item in self.facts.recipe if item.cuts and not item.arguments)

    @cached_property
    def _formulas(self) -> FileFormulas:
        return FileFormulas(self.code, self._loss, self.facts.computing)

    def formulas(self) -> Iterator[FormulaEntry]:
        """What functions compute that losses may be made of, in files that use torch."""
        if self.found.findings:
            yield from self._formulas.formulas(
                lambda one: self._entry(self._loss, one.name, one, _used(one)), self._only_counts
            )

    def loss_calls(self, recipe: Sequence[RecipeEntry]) -> Iterator[LossCall]:
        """The functions that the losses of the file are made of."""
        told = {entry.line for entry in recipe if entry.item == self._loss.name}
        lines: dict[int, list[Named]] = {}
        for one in [*self.code.computed, *self.code.returns, *self.code.calls]:
            line = self.at(one.start)["line"]
            if line in told:
                lines.setdefault(line, []).append(one)
        yield from self._formulas.calls_at(lines)

    def _is_of_transform(self, entry: RecipeEntry) -> bool:
        """Whether an entry stands in a class that changes samples."""
        if not entry.classes or self._derives_from_torch(entry.classes[-1]):
            return False
        return any(
            item.is_random(_RANDOM) and item.has_class(entry.classes[-1]) for item in self.facts.recipe
        )

    @cached_property
    def _sums(self) -> frozenset[tuple[int, str]]:
        """The lines and code of assignments that compute more than what is called in them, or call what is
        made in them."""
        found = [one for one in self.code.computed if one.is_computed and not one.made]
        found += [one for one in self.code.computed if "(" in one.made]
        codes = [_short(self.code.without_comments(one.start, one.end)) for one in found]
        lines = [self.at(one.start)["line"] for one in found]
        return frozenset(zip(lines, codes, strict=True))

    def hints(self) -> Iterator[RecipeEntry]:
        """What belongs to the recipe where something else of its item does."""
        for item in self.facts.recipe:
            for value in self.code.values:
                if value.kind != "parameter" and self._is_setting(item, value, item.has_hint):
                    yield self._of_value(item, value)

    def made(self) -> Iterator[RecipeEntry]:
        """The calls of what has the name of a class, or may be a function of the project that gives such, but
        for those of torch, and of what has the name of a function whose calls are told."""
        items = [item for item in self.facts.recipe if item.tells_calls]
        for call in self.code.calls:
            name = call.name.rpartition(".")[2]
            if self._is_torch(call) or any(start <= call.start < end for start, end in self.code.raised):
                continue
            if name.lstrip("_")[:1].isupper() or name == ALL or self._is_known(call):
                given = [GivenParameter(name="", value=call.written)] if name == ALL else []
                given += [*_given(call), *self._unpacked(call)]
                yield self._entry(None, call.name, call, given)
            if call.arguments and not name[:1].isupper():
                for item in [one for one in items if one.has_function(name)]:
                    if item.only_training and self._only_evaluates(call):
                        continue
                    yield self._entry(item, call.name, call, _given(call))

    def _is_known(self, call: Named) -> bool:
        """Whether what is called is a name of the file, or of what it imports."""
        return call.written.partition(".")[0] in self._known_names

    @cached_property
    def _known_names(self) -> frozenset[str]:
        assigned = [one.written for one in self.code.computed if is_dotted_name(one.written)]
        names = [*assigned, *[one.bound for one in self.code.names]]
        return frozenset([*names, *[one.name for one in self.code.functions]])

    def giving(self) -> Iterator[tuple[str, str]]:
        """The functions that return what they call, with the last name of that."""
        calls = {call.start: call for call in self.code.calls}
        for one in self.code.returns:
            function = one.scope.name.rpartition(".")[2]
            called = calls.get(one.start + len("return "))
            if called is not None:
                yield function, called.name.rpartition(".")[2]
            for made in self.code.computed:
                if made.written in one.uses and made.scope == one.scope and made.made:
                    yield function, made.made.rpartition(".")[2]

    def _is_torch(self, call: Named) -> bool:
        return (call.start, call.end) in self._torch_places

    @cached_property
    def _torch_places(self) -> frozenset[tuple[int, int]]:
        return frozenset(self._torch_calls)

    def _of_item(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        yield from self._apis(item)
        yield from self._classes(item)
        yield from self._calls(item)
        yield from self._functions(item)
        for loop in self.code.loops:
            if any(map(self._derives_from_torch, loop.scope.classes)):
                continue
            counted = _DOTTED.findall(loop.counted)
            is_told = any(item.has_loop(loop.name, spelled(last_name(name))) for name in counted or [""])
            is_endless = item.counts and loop.over.partition("(")[0].rpartition(".")[2] == _ENDLESS
            if (loop.counted or is_endless) and (is_told or (item.counts and self._trains(loop))):
                given = [GivenParameter(name="range", value=loop.counted)] if loop.counted else []
                yield self._entry(item, loop.name, loop, given).model_copy(update={"kind": LOOP})
        for loop in self.code.whiles:
            is_told = any(item.has_name(spelled(last_name(name))) for name in loop.uses)
            is_told = is_told or (self._trains(loop) and not self._asks_for_none(loop))
            if item.counts and is_told:
                yield self._entry(item, loop.name, loop, _used(loop)).model_copy(update={"kind": LOOP})
        yield from self._assignments(item)
        if item.cuts:
            yield from self._batches(item)
        for key in self.code.keys:
            if item.has_key(key.name):
                yield self._entry(item, key.name, key, _used(key))
        for value in self.code.values:
            if self._is_setting_of(item, value):
                yield self._of_value(item, value)

    def _batches(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What loops that train cut their batches out with, and what draws batches; each with what says how
        many samples they have."""
        training = [one for one in [*self.code.loops, *self.code.whiles] if self._trains(one)]
        for one in self.code.computed:
            if not any(loop.start <= one.start < loop.last for loop in training):
                continue
            size = cut_size(self.code.without_comments(one.start, one.end))
            if size:
                yield self._entry(item, one.name, one, [GivenParameter(name="", value=size)])
        sizes = next(each for each in self.facts.recipe if each.arguments)
        for call in self.code.calls:
            given = [value for _, value in call.arguments]
            named = [value for value in given if sizes.has_name(spelled(last_name(value.strip("(), "))))]
            if named and draws_batch(call, given) and not item.arguments:
                used = [GivenParameter(name="", value=value) for value in named]
                yield self._entry(item, call.name, self._whole(call), used)

    def _asks_for_none(self, loop: Named) -> bool:
        """Whether a loop goes on while there is something."""
        return self.document.text(loop.start, loop.end).rstrip().endswith("None")

    def _trains(self, loop: Named) -> bool:
        """Whether gradients are taken in a loop, be it by a function of the file that is called there."""
        return any(
            loop.start <= one.start < loop.last and one.scope == loop.scope
            for one in self.code.calls
            if one.written.endswith(self.facts.training) or self._is_trained_by(one)
        )

    def _is_trained_by(self, call: Named) -> bool:
        """Whether a call is of a function that takes gradients, or is given one."""
        names = [last_part(call.written), *[value for _, value in call.arguments]]
        return not self._trained_by.isdisjoint(names)

    @cached_property
    def _trained_by(self) -> frozenset[str]:
        """The functions of the file that take gradients, or call such."""
        own = {one.name for one in self.code.functions}
        found = set(self.training) & own
        is_changed = True
        while is_changed:
            calls = [one for one in self.code.calls if last_part(one.written) in found]
            new = {last_part(one.scope.name) for one in calls} & own - found
            found |= new
            is_changed = bool(new)
        return frozenset(found)

    def _of_value(self, item: RecipeItem | None, value: NamedValue) -> RecipeEntry:
        name = value.option or value.name
        place = Named(name, value.offset, value.offset, value.scope)
        written = value.value or (_short(value.source) if value.kind == "option" else "")
        entry = self._entry(item, name, place, [GivenParameter(name=value.name, value=written)])
        return entry.model_copy(update={"kind": value.kind})

    def _calls(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for call in self.code.calls:
            last = call.name.rpartition(".")[2]
            if any(start <= call.start < end for start, end in self.code.raised):
                continue
            if item.only_training and not item.minimized and self._only_evaluates(call):
                continue
            is_told = (
                (item.has_class(last) and not self._is_torch(call))
                or item.has_library(call.name)
                or item.has_call(call.written)
                or any(item.is_set_to(last, value) for _, value in call.arguments)
                or (last == _PARAMETER and any(item.is_set_to(*one) for one in call.arguments))
                or self._is_of_module(item, call)
                or (bool(item.tells_super) and self._is_of_base(item, call))
            )
            if is_told:
                given = [*_given(call), *self._unpacked(call), *_read(item, call)]
                yield self._entry(item, call.name, self._chain(call), given)
            elif self._is_random(item, call) and self._is_of_samples(item, call):
                yield self._of_random(item, call)
        if item.is_random(_RANDOM):
            for one in self._changed(item):
                if self._is_of_samples(item, one):
                    yield self._entry(item, one.name, one, _used(one))

    def _is_random(self, item: RecipeItem, call: Named) -> bool:
        return item.is_random(call.name) and not item.leaves_out(last_part(call.name))

    def _of_random(self, item: RecipeItem, call: Named) -> RecipeEntry:
        place = self._whole(call)
        return self._entry(item, call.name, place, _used(place) if place != call else _given(call))

    def _changed(self, item: RecipeItem) -> list[Named]:
        """What functions compute with what they draw at random, or where a condition holds that they draw."""
        calls = [one for one in self.code.calls if self._is_random(item, one) and _is_drawn(one.name)]
        drawn: dict[tuple[str, str], int] = {}
        spans: list[tuple[str, int, int]] = []
        for call in calls:
            for one in self.code.computed:
                is_given = one.start <= call.start and call.end <= one.end and one.scope == call.scope
                if is_given and not one.is_augmented and one.written not in one.uses:
                    drawn.setdefault((one.written, one.scope.name), one.end)
        for one in self.code.computed:
            others = [name for name in one.uses if (name, one.scope.name) not in drawn]
            is_of_data = any(
                name.startswith("self.") or self._is_local(name, one.scope.name) for name in others
            )
            if self._uses_any(one, drawn) and not is_of_data:
                drawn.setdefault((one.written, one.scope.name), one.end)
        near = {
            (one.written, one.scope.name): one.end
            for one in self.code.computed
            if self._uses_any(one, drawn)
            and one.written not in one.uses
            and (one.is_computed or one.is_compared or last_part(one.made) in _NUMBERS)
        }
        near = {**near, **drawn}
        for one in self.code.conditions:
            is_drawn = any(one.start <= call.start and call.end <= one.end for call in calls)
            if is_drawn or self._uses_any(one, drawn):
                spans.append((one.scope.name, one.end, one.last))
        return [
            one
            for one in self.code.computed
            if one.scope.name
            and not any(one.start <= call.start and call.end <= one.end for call in calls)
            and (
                self._uses_any(one, near)
                or any(scope == one.scope.name and start <= one.start < end for scope, start, end in spans)
            )
        ]

    def _uses_any(self, one: Named, drawn: Mapping[tuple[str, str], int]) -> bool:
        """Whether names are used after they are drawn, each with where that ends."""
        return any(drawn.get((name, one.scope.name), one.start) < one.start for name in one.uses)

    def sampled(self) -> Iterator[RecipeEntry]:
        """What functions draw at random and compute with that, which samples of other files may see."""
        for item in [one for one in self.facts.recipe if one.is_random(_RANDOM)]:
            drawing = {
                one.scope.name for one in self.code.calls if item.is_random(one.name) and _is_drawn(one.name)
            }
            drawing -= {""}
            for call in self.code.calls:
                is_told = call.scope.name in drawing and self._is_random(item, call)
                if is_told and not self._is_of_samples(item, call):
                    yield self._of_random(item, call)
            for one in self._changed(item):
                if not self._is_of_samples(item, one):
                    yield self._entry(item, one.name, one, _used(one))

    def called_for_samples(self) -> list[str]:
        """The names of what is called where samples are made."""
        item = next(one for one in self.facts.recipe if one.is_random(_RANDOM))
        calls = [one for one in self.code.calls if one.scope.name and not self._is_torch(one)]
        found = {last_part(one.written) for one in calls if self._is_of_samples(item, one)}
        return sorted(found - _BUILTINS)

    def _unpacked(self, call: Named) -> Iterator[GivenParameter]:
        """What is in the dictionaries that a call is given the entries of."""
        for _, value in call.arguments:
            if value.startswith("**"):
                pairs, _ = in_dictionary(self.code, value.lstrip("*"), call.scope.name)
                yield from [GivenParameter(name=key, value=_short(one)) for key, one in pairs]

    def _is_of_base(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call makes an object of the base of a class, which is an API that belongs to the item."""
        if not call.written.endswith(_OF_BASE) or not call.scope.classes:
            return False
        name = call.scope.classes[-1]
        own = [one for one in self.code.classes if one.name == name]
        bases = [base for one in own for base in self._torch_bases.get(one.start, ())]
        return any(base in item.tells_super for base in bases)

    def _chain(self, call: Named) -> Named:
        """A call with those of the methods of what it gives, where it changes weights."""
        if not call.written.endswith(_CHANGING):
            return call
        return max([one for one in self.code.calls if one.start == call.start], key=lambda one: one.end)

    def _whole(self, call: Named) -> Named:
        """What is computed with a call, or the condition that it stands in; else the call."""
        around = [*self.code.computed, *self.code.conditions, *self.code.returns]
        found = [one for one in around if one.start <= call.start and call.end <= one.end]
        return min(found, key=lambda one: one.end - one.start, default=call)

    def _is_of_module(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call is of what is chosen from a torch module that belongs to the item, or is given that
        module to choose from."""
        owner, _, last = call.name.rpartition(".")
        if last == ALL:
            return item.has_module(owner)
        if call.name in _ASKING:
            return False
        names = [value for _, value in call.arguments if is_dotted_name(value)]
        given = [self.code.full_name(value) for value in names if not self._is_local(value, call.scope.name)]
        return any(map(item.has_module, given))

    def _is_local(self, name: str, scope: str) -> bool:
        """Whether a function has a parameter or a variable of a name."""
        return (name, scope) in self._locals

    @cached_property
    def _locals(self) -> frozenset[tuple[str, str]]:
        given = [
            (name, one.scope.dotted(one.name)) for one in self.code.functions for name, _ in one.arguments
        ]
        return frozenset([*given, *[(one.written, one.scope.name) for one in self.code.computed]])

    def _is_of_samples(self, item: RecipeItem, call: Named) -> bool:
        """Whether a call stands in a method that makes what a data set gives, or in a class or function that
        belongs to the item."""
        function = call.scope.name.rpartition(".")[2]
        if item.has_function(function) or self.facts.samples(function):
            return True
        if not call.scope.classes:
            return ("", function) in self._called_for_samples
        name = call.scope.classes[-1]
        is_network = any(
            base.startswith(_LAYERS)
            for one in self.code.classes
            if one.name == name
            for base in self._torch_bases.get(one.start, ())
        )
        is_callable = function == "__call__" or item.has_file(PurePath(self.path).stem)
        if (item.has_class(name) or is_callable) and not is_network:
            return True
        is_data = self._data.has_class(name) or any(
            one.name == name and any(map(self.facts.is_data_class, (name, *one.bases)))
            for one in self.code.classes
        )
        return is_data and (function in _SAMPLES or (name, function) in self._called_for_samples)

    @cached_property
    def _called_for_samples(self) -> frozenset[tuple[str, str]]:
        """The classes and names of the methods of an object that `__getitem__` calls, also through others,
        and the functions of the file that these do (of no class)."""
        functions = {one.name for one in self.code.functions if not one.scope.name}
        calls = [
            ("".join(one.scope.classes[-1:]), last_part(one.scope.name), one.written)
            for one in self.code.calls
        ]
        found = {(name, _SAMPLE) for name, _, _ in calls if name}
        is_changed = True
        while is_changed:
            inside = [(name, called) for name, function, called in calls if (name, function) in found]
            new = {(name, called.removeprefix("self.")) for name, called in inside if name}
            new |= {("", called) for _, called in inside if called in functions}
            new -= found
            found |= new
            is_changed = bool(new)
        return frozenset(found)

    def _functions(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for function in self.code.functions:
            is_setting = item.tells_body and function.name not in self._trained_by
            if item.tells_body and self._only_reads(function):
                continue
            is_told = item.has_function(function.name) or (is_setting and self._sets(item, function))
            is_told = is_told or function.name in self._given_to(item)
            if is_told or (item.is_random(_RANDOM) and self._has_sizes(item, function)):
                yield self._entry(item, function.name, function)
        if item.tells_body:
            yield from self._bodies(item)
        if item.tells_returns:
            for one in self.code.returns:
                last, classes = one.scope.name.rpartition(".")[2], one.scope.classes
                is_called = last in _CALLED and bool(classes) and item.has_class(classes[-1])
                is_told = is_called or any(map(item.has_function, one.scope.name.split(".")))
                if one.is_computed and is_told:
                    yield self._entry(item, last, one, _used(one))
                    yield from self._formula(item, one)
                elif is_told and item.minimized:
                    yield from self._formula(item, one)
                    for part in parts_of(self.code, one._replace(is_computed=True, terms=one.uses)):
                        if part.is_computed and self._is_part(item, part):
                            yield self._entry(item, part.name, part, _used(part))
        if item.mixes:
            for one in mixings(self.code):
                yield self._entry(item, one.name, one, _used(one))

    def _formula(self, item: RecipeItem, returned: Named) -> Iterator[RecipeEntry]:
        """What the function of a `return` computes for it, and those of the file that it calls."""
        if not item.minimized:
            return
        around = [one for one in self.code.functions if one.end <= returned.start < one.last]
        function = max(around, key=lambda one: one.start, default=None)
        found = formula(self.code, function, self.facts.computing) if function is not None else []
        fed = feeding(self.code, function) if function is not None else []
        parts = [part for one in [*fed, returned] for part in self._parts_of_loss(one)]
        for one in [*found, *parts]:
            if not self._only_counts(one):
                yield self._entry(item, one.name, one, _used(one))

    def _has_sizes(self, item: RecipeItem, function: Named) -> bool:
        """Whether objects of a class that belongs to an item are called with values by default."""
        is_own = function.name == "__call__" and bool(function.scope.classes)
        has_values = any(value not in ("", "None") for _, value in function.arguments)
        return is_own and has_values and item.has_class(function.scope.classes[-1])

    def _only_reads(self, function: Named) -> bool:
        """Whether a function gives what something has, and computes nothing."""
        places = [*self.code.computed, *self.code.returns]
        inside = [one for one in places if function.end <= one.start < function.last]
        return self.facts.reads(function.name) and not any(one.is_computed for one in inside)

    def _sets(self, item: RecipeItem, function: Named) -> bool:
        """Whether a function assigns what belongs to an item, by how it is written."""
        return any(
            item.has_target(one.written)
            for one in self.code.computed
            if function.end <= one.start < function.last
        )

    def _bodies(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        """What is computed in the functions that belong to an item, and on which conditions; of those that
        assign what does, but have other names, only what that is computed from. Then the conditions on which
        such functions are called, or what belongs to it is assigned."""
        given = self._given_to(item)
        own_functions = [
            one for one in self.code.functions if item.has_function(one.name) or one.name in given
        ]
        functions = [(one.end, one.last) for one in own_functions]
        parts = list(self._named_in_classes(item))
        for one in self.code.returns:
            if _is_within(one, parts) and not _is_within(one, functions) and one.is_computed:
                yield self._entry(item, one.name, one, _used(one))
        own = [*functions, *parts]
        needed = self._needed(item)
        told = [one for one in self.code.calls if item.has_function(one.name.rpartition(".")[2])]
        told = [one for one in told if not self.facts.reads(last_part(one.name))]
        told += [one for one in self.code.computed if item.has_target(one.written)]
        for one in self.code.computed:
            is_counter = one.is_augmented and not one.uses
            is_own = (
                _is_within(one, own) and (one.is_computed or self._is_computed_with(one)) and not is_counter
            )
            if is_own or (one.is_computed and (one.written, one.scope.name) in needed):
                yield self._entry(item, one.name, one, _used(one))
                for part in [
                    part
                    for called in called_in(self.code, one)
                    for part in formula(self.code, called, self.facts.computing)
                ]:
                    yield self._entry(item, part.name, part, _used(part))
        for one in self.code.conditions:
            if one.is_compared and _is_within(one, functions):
                yield self._entry(item, one.name, one, _used(one))
        for value in self.code.values:
            place = Named(value.name, value.offset, value.offset, value.scope)
            is_needed = (value.name, value.scope.name) in needed and not value.owner
            is_named = item.has_calculated(value.name) or self._is_chosen(value)
            is_told = is_needed or (_is_within(place, own) and is_named)
            if value.kind == "assigned" and value.value and is_told and value.scope.name:
                yield self._of_value(item, value)
                told.append(place)
        for one in told:
            around = [each for each in self.code.conditions if each.end <= one.start < each.last]
            inner = max(around, key=lambda each: each.start, default=None)
            if inner is not None and inner.is_compared and _MAIN not in inner.uses:
                yield self._entry(item, "if", inner, _used(inner))

    def _given_to(self, item: RecipeItem) -> frozenset[str]:
        """The functions of the file that the APIs of an item are given."""
        if not item.tells_body:
            return frozenset()
        if item.name not in self._given_functions:
            own = {one.name for one in self.code.functions if not one.scope.classes}
            calls = [one for one in self.code.calls if item.has_api(one.name)]
            given = {value for call in calls for _, value in call.arguments}
            self._given_functions[item.name] = frozenset(own & given)
        return self._given_functions[item.name]

    def _named_in_classes(self, item: RecipeItem) -> Iterator[tuple[int, int]]:
        """Where the classes stand that belong to an item, and what these are put together from: the classes
        and functions of the file that they name, also through others."""
        outer = {
            spelled(one.name): one for one in [*self.code.classes, *self.code.functions] if not one.scope.name
        }
        waiting = [one for one in self.code.classes if item.has_class(one.name)]
        seen = {one.start for one in waiting}
        while waiting:
            inside = waiting.pop()
            yield inside.end, inside.last
            methods = [one for one in self.code.functions if inside.start <= one.start < inside.last]
            given = {spelled(name) for one in methods for name, _ in one.arguments}
            named = {name for name, offset in self.code.read if inside.end <= offset < inside.last}
            for one in [outer[name] for name in sorted(named) if name in outer]:
                is_other = one in self.code.functions and spelled(one.name) in given
                if one.start not in seen and not is_other:
                    seen.add(one.start)
                    waiting.append(one)

    def _is_computed_with(self, one: Named) -> bool:
        """Whether what a call gives is what its function computes or returns something with."""
        return bool(one.made) and (one.name, one.scope.name) in self._computed_with

    def _needed(self, item: RecipeItem) -> frozenset[tuple[str, str]]:
        """The names that functions compute what belongs to an item with, each with its function."""
        if item.name not in self._for_targets:
            found: set[tuple[str, str]] = set()
            for target in [one for one in self.code.computed if item.has_target(one.written)]:
                names, scope = {*target.uses, *target.terms}, target.scope.name
                for one in reversed(self.code.computed):
                    if one.scope.name == scope and one.written in names and one.is_computed:
                        names.update(one.uses)
                found.update((name, scope) for name in names if scope and name != target.written)
            self._for_targets[item.name] = frozenset(found)
        return self._for_targets[item.name]

    def _is_counted_to(self, one: Named) -> bool:
        """Whether what is assigned is given to something, or a loop counts to it."""
        given = [value for call in self.code.calls for _, value in call.arguments]
        kept = "." in one.written or "[" in one.written
        return kept or any(one.written in WORD.findall(value) for value in given)

    def _is_result(self, item: RecipeItem, one: Named) -> bool:
        """Whether what a call gives belongs to an item by its name: not what torch loads, and of what it was
        before only what a class makes of that."""
        if not one.made or one.made in _BUILTINS or not item.has_result(one.name):
            return False
        made = self.code.full_name(one.made)
        if item.has_api(made):
            return False  # that is told with its parameters
        is_class = made.rpartition(".")[2][:1].isupper()
        return (is_class or one.written not in one.uses) and made not in _LOADING

    def _is_chosen(self, value: NamedValue) -> bool:
        """Whether a number is one of several that a local name may be, with which its function computes."""
        key = (value.name, value.scope.name)
        if value.owner or not value.value[:1].isdigit() or key not in self._computed_with:
            return False
        return self._given_numbers[key] > 1

    @cached_property
    def _given_numbers(self) -> Counter[tuple[str, str]]:
        """How often names are given a number, each with their function."""
        given = [one for one in self.code.values if one.kind == "assigned" and one.value[:1].isdigit()]
        return Counter([(one.name, one.scope.name) for one in given])

    @cached_property
    def _computed_with(self) -> frozenset[tuple[str, str]]:
        """The names in what functions compute or return, each with the function."""
        places = [one for one in self.code.computed if one.is_computed or one.made]
        places += self.code.returns
        return frozenset((spelled(name), one.scope.name) for one in places for name in one.uses)

    def _assignments(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for one in self.code.computed:
            if item.only_training and self._only_evaluates(one):
                continue
            is_rule = item.tells_body and any(map(self._is_optimizer, one.scope.classes))
            is_rule = is_rule and last_part(one.scope.name) == "step"  # how weights are changed
            is_told = item.has_assigned(one.name, one.written, is_computed=one.is_computed and not is_rule)
            if is_told and item.counts and not self._is_counted_to(one):
                continue
            if "[" in one.written and not (one.is_computed or one.made or item.has_target(one.written)):
                continue  # what is kept under another name
            if self._is_kept_as(one):
                continue
            is_told = is_told or (item.is_named(one.name) and self.facts.is_setting(one.written))
            is_told = (is_told or self._is_result(item, one)) and not one.is_compared
            is_told = is_told and not (item.counts and one.is_augmented)
            is_told = is_told and not (item.not_copies and self._is_copy(one))
            is_told = is_told or (item.not_copies and self._is_drawn_parameter(one))
            is_told = is_told and not (item.minimized and self._is_beside(item, one))
            if is_told and (item.has_target(one.written) or not self._only_counts(one)):
                yield self._entry(item, one.name, one, _used(one))
                parts = parts_of(self.code, one) if item.minimized else ()
                for part in [
                    *parts,
                    *(made_in(self.code, one, self.facts.computing) if item.minimized else ()),
                ]:
                    if self._is_part(item, part):
                        yield self._entry(item, part.name, part, _used(part))
        for one in minimized(self.code, item.minimized) if item.minimized else ():
            inside = [*made_in(self.code, one, self.facts.computing), *self._parts_of_loss(one)]
            own = [each for each in self._formulas.around(one) if each != one]
            for part in [*own, one, *[each for each in inside if self._is_part(item, each)]]:
                if not self._only_counts(part):
                    yield self._entry(item, part.name, part, _used(part))
        for one in self.code.returns if item.counts else ():
            names = [spelled(last_name(name)) for name in one.uses]
            is_asked = item.has_function(last_part(one.scope.name))
            if is_asked and self._is_comparison(one) and any(map(item.has_name, names)):
                yield self._entry(item, "return", one, _used(one))
        for one in self.code.conditions:
            if not item.counts:
                is_told = one.is_compared and any(map(item.has_condition, _last_names(one)))
            else:
                is_told = not self._is_every(one) and self._ends_training(item, one)
            if is_told:
                yield self._entry(item, "if", one, _used(one))

    def _ends_training(self, item: RecipeItem, condition: Named) -> bool:
        """Whether training ends where a condition holds: its loop is left, or by the names in it that is
        what is asked."""
        body = self.document.text(condition.end, condition.last)
        if not _ENDING.search(body):
            return False
        if condition.is_compared and any(map(item.has_condition, _last_names(condition))):
            return True
        loops = [one for one in [*self.code.loops, *self.code.whiles] if one.scope == condition.scope]
        around = [one for one in loops if one.start <= condition.start < one.last]
        inner = max(around, key=lambda one: one.start, default=None)
        is_left = _LEAVING.search(body) is not None and self._is_innermost(condition)
        return is_left and inner is not None and self._trains(inner)

    def _is_innermost(self, condition: Named) -> bool:
        """Whether no other condition stands in what runs where a condition holds."""
        return not any(condition.end <= one.start < condition.last for one in self.code.conditions)

    def _is_math(self, part: Named) -> bool:
        """Whether what is assigned is what a function computes that formulas have."""
        return last_part(part.made) in self.facts.computing

    def _is_part(self, item: RecipeItem, part: Named) -> bool:
        """Whether a part of what a function returns belongs to an item: computed, or by its name."""
        is_named = item.has_assigned(part.name, part.written, is_computed=False) or item.has_result(part.name)
        is_told = part.is_computed or is_named or self._is_math(part)
        return is_told and not self._only_counts(part)

    def _is_drawn_parameter(self, one: Named) -> bool:
        """Whether a parameter is made with its first values, or what is drawn for one."""
        source = self.document.text(one.start, one.end)
        if _IN_PARAMETER.search(source):
            is_weight = last_part(one.written) in _WEIGHTS and one.written != f"{_OF_SELF}{one.name}"
            return is_weight or _FIRST_VALUES.search(source) is not None
        return (one.written, one.scope.name) in self._kept_weights and _DRAWN.search(source) is not None

    @cached_property
    def _kept_weights(self) -> frozenset[tuple[str, str]]:
        """The names that weights are made of, each with the function."""
        calls = [one for one in self.code.calls if last_part(one.written) in _KEEPING]
        return frozenset((value, one.scope.name) for one in calls for _, value in one.arguments)

    def _is_beside(self, item: RecipeItem, one: Named) -> bool:
        """Whether what is assigned has the name of what gradients are taken of, in a file that takes them of
        other things, all of which are seen: not in functions and classes that belong to the item, nor in
        networks."""
        if not self._minimized or (one.start, one.end) in self._minimized:
            return False
        if self._is_result(item, one):
            return False
        around = one.scope.name.split(".")
        if any(map(item.has_function, around)) or any(map(item.has_class, one.scope.classes)):
            return False
        return not any(map(self._derives_from_torch, one.scope.classes))

    @cached_property
    def _minimized(self) -> frozenset[tuple[int, int]]:
        """What gradients are taken of, where all of that is seen."""
        functions = next(item.minimized for item in self.facts.recipe if item.minimized)
        told = list(minimized(self.code, functions))
        if not is_all_seen(self.code, functions, told):
            return frozenset()
        parts = [part for one in told for part in self._parts_of_loss(one)]
        return frozenset([(one.start, one.end) for one in [*told, *parts]])

    def _parts_of_loss(self, one: Named) -> Iterator[Named]:
        """What functions of the file compute for what gradients are taken of, also through others."""
        waiting, seen = [one], set[int]()
        while waiting:
            for function in called_in(self.code, waiting.pop()):
                if function.start not in seen and not self._is_forward(function):
                    seen.add(function.start)
                    inside = [
                        each for each in self.code.returns if function.end <= each.start < function.last
                    ]
                    waiting += [*feeding(self.code, function), *inside]
                    yield from formula(self.code, function, self.facts.computing)

    def _is_forward(self, function: Named) -> bool:
        """Whether a method is one of a network, and of no loss."""
        classes = function.scope.classes
        if any(map(self._loss.has_class, classes)):
            return False
        return any(map(self._derives_from_torch, classes))

    def _is_comparison(self, one: Named) -> bool:
        """Whether a function returns whether a number is reached."""
        return any(sign in self.document.text(one.start, one.end) for sign in _REACHING)

    def _is_every(self, condition: Named) -> bool:
        """Whether a condition holds every so many steps."""
        return "%" in self.document.text(condition.start, condition.end)

    def _is_copy(self, one: Named) -> bool:
        """Whether what is assigned is what something else has, or the same in another place or type."""
        if one.is_computed or len(one.uses) != 1:
            return False
        return last_part(one.made) in {"", *_COPYING} and any(part in one.uses[0] for part in _WEIGHTS)

    def _is_kept_as(self, one: Named) -> bool:
        """Whether what is assigned is another name for something, or is read of a file."""
        if one.is_computed or one.made or len(one.uses) != 1 or "." in one.uses[0]:
            return False
        if one.uses[0] == one.written.removeprefix("self."):
            return True
        if one.written.startswith("self.") and self._is_local(one.uses[0], one.scope.name):
            return True
        return (one.uses[0].partition("[")[0], one.scope.name) in self._loaded

    @cached_property
    def _loaded(self) -> frozenset[tuple[str, str]]:
        """The names of what torch loads, each with the function."""
        return frozenset(
            (one.written, one.scope.name)
            for one in self.code.computed
            if self.code.full_name(one.made) in _LOADING
        )

    def _only_evaluates(self, place: Named) -> bool:
        """Whether code stands in a function that turns a network to evaluation and takes no gradients, or
        where these are turned off."""
        if any(one.start <= place.start < one.last for one in self._without_gradients):
            return True
        name = place.scope.name
        last = name.rpartition(".")[2]
        return name in self._evaluating and self.facts.evaluates(last) and last not in self._trained_by

    @cached_property
    def _without_gradients(self) -> Sequence[Named]:
        """The blocks of `with` and the functions that turn gradients off."""
        blocks = [one for one in self.code.blocks if any(name in one.name for name in _NO_GRADIENTS)]
        return [*blocks, *[one for one in self.code.functions if self._is_decorated(one)]]

    @cached_property
    def _evaluating(self) -> frozenset[str]:
        """The functions in which a call of a network's `eval()` stands."""
        calls = [one for one in self.code.calls if one.written.endswith(_EVAL) and not one.arguments]
        return frozenset({one.scope.name for one in calls} - {""})

    def _is_decorated(self, function: Named) -> bool:
        """Whether a function has a decorator that turns gradients off."""
        return self._line_before(function).startswith(_DECORATORS)

    def _is_setting_of(self, item: RecipeItem, value: NamedValue) -> bool:
        """Whether a name and its value belong to an item."""
        is_assigned = value.kind == "assigned"
        if not item.has_paths and self._is_path(value):
            return False
        if is_assigned and item.is_set_to(value.name, value.value):
            return True
        is_other_letter = len(value.name) == 1 and value.option.lstrip("-").isupper()
        if item.has_option(value.name) and not is_other_letter:
            classes = value.scope.classes
            is_kept = self.facts.keeps_settings(classes[-1]) if classes else not value.scope.name
            if value.kind == "keyword":
                is_assigned = is_kept = self.facts.keeps_settings(value.callee)
            is_told = is_assigned and is_kept and value.value not in ("", "None", "0") and not value.owner
            is_told = is_told and not value.value.startswith("{")
            return value.kind == "option" or is_told
        return self._is_setting(item, value, item.has_name)

    def _is_path(self, value: NamedValue) -> bool:
        """Whether an option says where something is kept, by its value or what is said of it."""
        if value.kind != "option":
            return False
        if value.value.strip("\"'").startswith(_PATHS):
            return True
        said = _HELP.search(self._option_text(value.offset))
        return said is not None and _OF_PATHS.search(said["text"]) is not None

    def _is_setting(self, item: RecipeItem, value: NamedValue, has: Callable[[str], bool]) -> bool:
        """Whether a name and its value belong to an item: not what a call of torch is given, which is told
        with that, nor what a layer is made with, nor where a counter begins."""
        if not has(value.name):
            return False
        if value.name in self.facts.exact and not item.is_named(value.name) and not item.has_hint(value.name):
            return False
        if value.kind == "option" or value.value in ("", "None"):
            return value.kind == "option"
        if value.kind in ("assigned", "key") and value.value in ("0", "0.0", "-1"):
            return False
        if self._is_other_entry(value) or self._is_rebound(value):
            return False
        if value.kind == "keyword" and not self.facts.is_given_settings(value.callee):
            return False
        if any(start <= value.offset < end for start, end in self._torch_calls):
            return False
        if value.kind == "parameter" and (value.value.startswith("-") or not self._is_used(value)):
            return False
        if value.kind == "parameter" and any(
            one.start <= value.offset < one.last for one in self._without_gradients
        ):
            return False
        if not value.scope.classes or self.facts.keeps_settings(value.scope.classes[-1]):
            return True
        return value.kind == "assigned" and not self._derives_from_torch(value.scope.classes[-1])

    def _is_used(self, value: NamedValue) -> bool:
        """Whether the function of a parameter does anything with it."""
        found = [one for one in self.code.functions if one.start <= value.offset < one.end]
        function = max(found, key=lambda one: one.start, default=None)
        if function is None:
            return True
        body = self.document.text(function.end, function.last)
        return value.name in map(spelled, WORD.findall(body))

    def _is_rebound(self, value: NamedValue) -> bool:
        """Whether it is where a local name begins that is computed later, such as a counter or an extreme."""
        key = (value.name, value.scope.name)
        return value.kind == "assigned" and not value.owner and key in self._rebound

    @cached_property
    def _rebound(self) -> frozenset[tuple[str, str]]:
        """The names that a function computes anew from what they were, each with the function."""
        return frozenset(
            (one.name, one.scope.name)
            for one in self.code.computed
            if one.scope.name and (one.written in one.uses or one.is_augmented)
        )

    def _is_other_entry(self, value: NamedValue) -> bool:
        """Whether it is the entry of a dictionary that keeps no settings."""
        return value.is_entry and not self.facts.is_setting(f"{value.owner}.{value.name}")

    def _derives_from_torch(self, name: str) -> bool:
        """Whether a class of the file names one of torch as its base."""
        return any(one.name == name and self._torch_bases.get(one.start) for one in self.code.classes)

    def _is_optimizer(self, name: str) -> bool:
        """Whether a class of the file derives from one of torch's optimizers."""
        found = [one for one in self.code.classes if one.name == name]
        return any(
            base.startswith(_OPTIMIZERS) for one in found for base in self._torch_bases.get(one.start, ())
        )

    def _only_counts(self, computed: Named) -> bool:
        """Whether an assignment sums up or shows what was computed before."""
        source = self.document.text(computed.start, computed.end)
        return any(part in source for part in self.facts.counting)

    @cached_property
    def _torch_calls(self) -> Sequence[tuple[int, int]]:
        calls = [(one.shift, one.finding.use.call) for one in self.found.findings]
        return [(shift + call.start, shift + call.end) for shift, call in calls if call is not None]

    def _apis(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for placed in self.found.findings:
            use = placed.finding.use
            if use.certainty is Certainty.POSSIBLE or use.kind not in ("call", "reference"):
                continue
            call, shift = use.call, placed.shift
            if call is None and self._catalog.kind(use.api) not in _CALLABLE:
                continue
            if call is not None and use.api in item.assembled:
                place = Named(use.api, placed.start, shift + call.end, self._scope_at(placed.start))
                if self._is_assembled(place):
                    yield self._entry(item, use.api, place)
                continue
            chosen = item.arguments.get(use.api) if call is not None else None
            if chosen is None and (not item.has_api(use.api) or item.leaves_out(last_name(use.api))):
                continue
            if call is None and self.document.text(placed.end, placed.end + len(_OF_BASE)) == _OF_BASE:
                continue
            end = placed.end if call is None else shift + call.end
            place = Named(use.api, placed.start, end, self._scope_at(placed.start))
            if item.minimized and self._is_unused(place):
                continue
            if any(item.is_outside(name) for name in self._targets_around(place)):
                continue
            if item.only_training and self._only_evaluates(place):
                continue
            given = self._parameters(use.api, call, place.scope.name) if call is not None else []
            if chosen is None:
                yield self._entry(item, use.api, place, given)
            elif chosen.unless.isdisjoint(one.name for one in given if not one.is_default):
                yield self._entry(item, use.api, place, [one for one in given if one.name in chosen.names])

    def _is_assembled(self, place: Named) -> bool:
        """Whether a network is put together of layers where it is trained, or kept by what trains it: not in
        a network, nor in a function that gives parts of one."""
        if any(map(self._derives_from_torch, place.scope.classes)):
            return False
        made = [one for one in self.code.computed if one.start < place.start and place.end <= one.end]
        is_kept = any(one.made and not one.is_computed for one in made)
        function = last_part(place.scope.name)
        is_here = not place.scope.name or bool(place.scope.classes) or function in self._trained_by
        return is_kept and is_here and bool(self._trained_by or self._training_calls)

    def _is_unused(self, place: Named) -> bool:
        """Whether a call only gives a local name its value that nothing reads."""
        if not place.scope.name and not self._main_branches:
            return False  # others may import it
        made = [one for one in self.code.computed if one.start <= place.start and one.end == place.end]
        return any(one.written.isidentifier() and one.name not in self._read_names for one in made)

    @cached_property
    def _read_names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.code.read)

    def _targets_around(self, place: Named) -> Iterator[str]:
        """The names of what a place is computed for."""
        for one in self.code.computed:
            if one.start <= place.start and place.end <= one.end:
                yield one.name

    def _scope_at(self, offset: int) -> Surroundings:
        """Where the byte stands: in the innermost function or class around it."""
        around = [one for one in [*self.code.classes, *self.code.functions] if one.end <= offset < one.last]
        inner = max(around, key=lambda one: one.start, default=None)
        if inner is None:
            return Surroundings()
        classes = inner.scope.classes
        if inner in self.code.classes:
            classes = (*classes, inner.name)
        return Surroundings(inner.scope.dotted(inner.name), classes)

    def _parameters(self, name: str, call: Call, scope: str) -> list[GivenParameter]:
        """The parameters of a call in a function, with the defaults of those that it leaves out, where that
        is known."""
        api = self._catalog.api(name)
        signatures = api.signatures if api is not None else ()
        plain = [one for one in call.arguments if not one.unpack]
        known = {one.name for signature in signatures for one in signature.parameters}
        bound = first_binding(
            [one for one in plain if one.keyword is None or one.keyword in known], signatures
        )
        if bound is None:
            return [
                GivenParameter(name=one.keyword or "", value=_short(one.source)) for one in call.arguments
            ]
        signature, pairs = bound
        given = [GivenParameter(name=one.parameter.name, value=_short(one.argument.source)) for one in pairs]
        given += [
            GivenParameter(name=one.keyword, value=_short(one.source))
            for one in plain
            if one.keyword is not None and one.keyword not in known
        ]
        for one in call.arguments:
            if one.unpack:
                given.append(GivenParameter(name=one.unpack, value=_short(one.source)))
                pairs_of, is_all = in_dictionary(self.code, one.source.lstrip("*"), scope)
                given += [GivenParameter(name=key, value=_short(value)) for key, value in pairs_of]
                if not is_all:
                    return given
        taken = {one.name for one in given}
        if not taken.isdisjoint(_OLD_REDUCTIONS):
            taken.add("reduction")  # what these say counts
        if name.startswith("torch.optim.") and given and not is_of_weights(given[0].value):
            taken.update(_OF_GROUPS)
        return given + [
            GivenParameter(name=one.name, value=one.default, is_default=True)
            for one in signature.parameters
            if one.default not in (None, "...") and one.name not in taken and not one.name.startswith("_")
        ]

    @cached_property
    def _torch_bases(self) -> Mapping[int, Sequence[str]]:
        """The torch classes that each class of the file names as a base, by where the class starts."""
        bases: dict[int, list[str]] = {}
        for placed in self.found.findings:
            use = placed.finding.use
            if use.kind != "base":
                continue
            for one in self.code.classes:
                if one.start <= placed.start < one.end:
                    bases.setdefault(one.start, []).append(use.api)
        return bases

    def _classes(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for one in self.code.classes:
            bases = self._torch_bases.get(one.start, ())
            is_derived = any(base in item.bases or item.has_api(base) for base in bases)
            is_layer = _MODULE in bases and not item.has_layers
            is_derived = is_derived or any(map(item.has_library_base, one.uses))
            if any(base.endswith(_EXCEPTIONS) for base in one.bases):
                continue
            is_derived = is_derived and not item.leaves_out(one.name) and not self._is_of_others(item)
            if is_derived or (item.has_class(one.name) and not is_layer):
                yield self._entry(item, one.name, one)

    def _is_of_others(self, item: RecipeItem) -> bool:
        """Whether the file has a name that says that its classes belong to another item."""
        stem = PurePath(self.path).stem
        return any(other.has_file(stem) and other.has_layers for other in self.facts.recipe if other != item)

    def _entry(
        self, item: RecipeItem | None, name: str, place: Named, parameters: Sequence[GivenParameter] = ()
    ) -> RecipeEntry:
        code = self.code.without_comments(place.start, place.end) or self._option_text(place.start)
        return RecipeEntry(
            **self.at(place.start),
            item=item.name if item is not None else "",
            name=name,
            code=_short(code),
            parameters=list(parameters),
            conditions=self._conditions(place),
            scope=place.scope.name,
            classes=place.scope.classes,
        )

    def _conditions(self, place: Named) -> list[GivenParameter]:
        """On which conditions code in its function runs."""
        around = [
            one
            for one in self.code.branches
            if one.start <= place.start < one.end and one.scope.name == place.scope.name
        ]
        conditions = [_short(one.condition) for one in around if _MAIN not in one.uses]
        return [GivenParameter(name="", value=one) for one in dict.fromkeys(conditions)]

    def _option_text(self, offset: int) -> str:
        """The call that makes an option at a byte, or else the line there."""
        for one in self.code.calls:
            if one.start <= offset < one.end and one.name.endswith("add_argument"):
                return self.code.without_comments(one.start, one.end)
        return self._line_text(offset)

    def _line_text(self, offset: int) -> str:
        lines = self.document.lines
        line = lines.line_of(offset)
        return self.document.text(lines.line_start(line), lines.line_end(line)).strip()


def _is_within(place: Named, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place.start < end for start, end in spans)


def _is_drawn(name: str) -> bool:
    """Whether a function draws at random."""
    return "rand" in name


def _last_names(place: Named) -> list[str]:
    """The last parts of the names in an expression."""
    return [spelled(last_name(name)) for name in place.uses]


def last_part(dotted: str) -> str:
    """The last part of a dotted name."""
    return dotted.rpartition(".")[2]


def _given(call: Named) -> list[GivenParameter]:
    """What a call is given."""
    return [GivenParameter(name=name, value=_short(value)) for name, value in call.arguments]


def _read(item: RecipeItem, call: Named) -> list[GivenParameter]:
    """What a function of another library reads of its first argument."""
    given = next((value for name, value in call.arguments if not name), "")
    names = item.reads.get(call.name, ()) if is_dotted_name(given) else ()
    return [GivenParameter(name=name, value=f"{given}.{name}", is_read=True) for name in names]


def _used(place: Named) -> list[GivenParameter]:
    """The names in an expression."""
    return [GivenParameter(name="", value=name) for name in place.uses if name != place.written]


def _short(source: str) -> str:
    """Source in one line, and not too long."""
    text = " ".join(source.split()).rstrip(" :")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
