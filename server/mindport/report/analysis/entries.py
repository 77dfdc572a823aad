"""The entries that files contribute to the analysis of a project: plain data, which is kept and sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.file_code import ImportedAs

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOP: Final = "loop"
"""The kind of entries that are loops."""
MAIN: Final = "__main__"
"""What stands for the code of a file that is run where it is a program alone."""


@dataclass(kw_only=True)
class CodeLine:
    """A line of a file, or of the `cell` of a notebook (both from 1)."""

    path: str
    line: int
    cell: int | None = None

    @property
    def place(self) -> str:
        """The line as it is shown."""
        return (
            f"{self.path}:{self.line}" if self.cell is None else f"{self.path}:cell {self.cell}:{self.line}"
        )


@dataclass(kw_only=True)
class GivenParameter:
    """A parameter of a call: the `value` as written, or the default value where `is_default`. Where that is a
    name, `known` is the value that it has `at` another place. `is_read`: the call does not give it, but reads
    it of what it is given."""

    name: str
    value: str
    is_default: bool = False
    is_read: bool = False
    known: str = ""
    at: CodeLine | None = None


@dataclass(kw_only=True)
class RecipeEntry(CodeLine):
    """What belongs to an item of the training recipe: the API, class or option, and its code. `scope` and
    `classes` say where it stands (see `Surroundings`), `conditions` when it runs: each condition, the outer
    first, with the values of the names in it. `kind` is that of a setting (see `NamedValue`), or `LOOP`. It
    `is_evaluation` where it stands in a function that only evaluates."""

    item: str
    name: str
    code: str
    parameters: list[GivenParameter] = field(default_factory=list)
    conditions: list[GivenParameter] = field(default_factory=list)
    scope: str = ""
    classes: tuple[str, ...] = ()
    kind: str = ""
    is_evaluation: bool = False

    @property
    def is_class(self) -> bool:
        """Whether it is a class of the project, not the call of one."""
        return self.code.startswith("class ")


@dataclass(kw_only=True)
class SettingEntry(CodeLine):
    """A name that is given a value; see `NamedValue`. `kind` is `configured` in a configuration file. A plain
    name of the code is `exact` as written where it has capital letters."""

    name: str
    value: str
    kind: str
    scope: str = ""
    classes: tuple[str, ...] = ()
    owner: str = ""
    source: str = ""
    callee: str = ""
    exact: str = ""


@dataclass(kw_only=True)
class RuleEntry(CodeLine):
    """A finding about a function or a class: its rule, and what it says."""

    code: str
    message: str


@dataclass(kw_only=True)
class ImportEntry(CodeLine):
    """The import of a package."""

    name: str


@dataclass(kw_only=True)
class CallEntry(CodeLine):
    """A call of what may be a function or class of the project: the dotted `name`, how that is `written`, and
    the names (if they have) and sources of its arguments; `named_in` is the file that has the name, where
    that is another; see `Surroundings`. It `is_measuring` where a plain number is made of what it
    gives."""

    name: str
    written: str
    arguments: list[tuple[str, str]]
    named_in: str = ""
    scope: str = ""
    classes: tuple[str, ...] = ()
    is_measuring: bool = False


@dataclass(kw_only=True)
class FunctionEntry(CodeLine):
    """A function by its name with those around it, and its parameters with their default values; what else
    is given by name it has as `others` (`kwargs`). `positional` is how many may be given without their names,
    where there are others."""

    name: str
    classes: tuple[str, ...] = ()
    parameters: list[tuple[str, str]]
    others: str = ""
    positional: int = -1


@dataclass(kw_only=True)
class ReturnEntry(CodeLine):
    """The values that a function gives in its one `return`, where these are several: the function by its name
    with those around it, and the source of each."""

    name: str
    classes: tuple[str, ...] = ()
    values: list[str]


@dataclass(kw_only=True)
class ClassEntry(CodeLine):
    """A class with the last names of its bases, its head as code, the settings that it `reads`, and the
    parameters of its own `__init__`: None where it has none; `positional` as in `FunctionEntry`. It
    `is_unused` where nothing names it but others that derive from it."""

    name: str
    bases: list[str]
    code: str
    reads: list[GivenParameter] = field(default_factory=list)
    is_unused: bool = False
    parameters: list[GivenParameter] | None = None
    positional: int = -1


@dataclass(kw_only=True)
class LossCall:
    """A function that a loss is made of at a `line`, as it is `written`, and which of the values that it
    gives (`position`; negative: the one, or all). Of what a loss `is_given`, such as weights of classes, all
    counts that is computed. See `Surroundings`."""

    written: str
    position: int
    line: int
    is_given: bool = False
    scope: str = ""
    classes: tuple[str, ...] = ()


@dataclass(kw_only=True)
class FormulaEntry:
    """What a function (by its name with those around it) computes to return a value (`position` as in
    `LossCall`): what is told of it, and the functions whose results it adds up, with their positions. It
    `is_loss` where that can be seen in the function."""

    name: str
    classes: tuple[str, ...] = ()
    line: int = 0
    position: int = -1
    entries: list[RecipeEntry] = field(default_factory=list)
    calls: list[tuple[str, int]] = field(default_factory=list)
    is_loss: bool = False


@dataclass(kw_only=True)
class SourceEntry:
    """A statement of a function (to its `last` line) that gives names (its `targets`) something: what it
    `reads` and calls (with the `names` that it gives to that), its code, and the `condition` that it stands
    on."""

    line: int
    last: int = 0
    scope: str = ""
    classes: tuple[str, ...] = ()
    targets: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    code: str = ""
    condition: str = ""


def entry_of(one: SourceEntry, path: str, item: str, name: str, read: Iterable[str] = ()) -> RecipeEntry:
    """A statement of the file at `path` as an entry of an item, under a name; `read` are the names in it
    whose values are to be told."""
    return RecipeEntry(
        path=path,
        line=one.line,
        item=item,
        name=name,
        code=one.code,
        scope=one.scope,
        classes=one.classes,
        parameters=[GivenParameter(name="", value=each) for each in read],
    )


@dataclass(kw_only=True)
class ReferenceEntry:
    """What a function or class (by its name with those around it; empty: the module, `MAIN`: what is run as a
    program alone) names: `names` with their attributes, those of objects with a dot before them, and `texts`
    that may be names. A class has the names of its `bases`."""

    name: str
    is_class: bool = False
    bases: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class FunctionCode(CodeLine):
    """A function (by its name with those around it) without what only logs, shows or checks, as `code`: the
    `lines` that are in it, the `names` that it `calls`, or gives to what it calls, and what it `reads`
    otherwise. `kind` is that of a part of it (`STEP`, `BATCHES`, `WEIGHTS`), or empty; a step goes over what
    it is `given`, within other `loops` (line, head, and what they go over), and takes steps that are
    `counted` (line, condition and code)."""

    name: str
    classes: tuple[str, ...] = ()
    kind: str = ""
    code: str = ""
    lines: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    loops: list[tuple[int, str, list[str]]] = field(default_factory=list)
    counted: list[tuple[int, str, str]] = field(default_factory=list)


@dataclass(kw_only=True)
class ShownCode(CodeLine):
    """A function that is told with an item of the recipe: its code and kind (as of a `FunctionCode`), and
    what is `known` of the names in it. `shown` is the item under which it is told already, without its
    code; it `is_left_out` where it is too long. `lines` are those of its statements."""

    name: str
    kind: str = ""
    code: str = ""
    known: list[GivenParameter] = field(default_factory=list)
    shown: str = ""
    is_left_out: bool = False
    lines: list[int] = field(default_factory=list)


@dataclass(kw_only=True)
class ProblemEntry(CodeLine):
    """What could not be read."""

    message: str


@dataclass(kw_only=True)
class FileAnalysis:
    """One file's part. It `is_program` where it is meant to be run, it `evaluates` where it has functions
    alone that do, by its name, `evaluations` are those that only evaluate (with those around them), `main`
    are the lines from and to which that is asked; `defined` are its functions and classes, `training` those
    functions that take gradients, `trainers` the classes with such methods, `training_classes` those that
    do when their objects are called, `giving` those that return what they call, with the name of that (all
    by their last names, but for APIs that put networks together), `commands` are functions that the command
    line names, `free` are functions of the module
    without decorators, `mentioned` the names that stand in each of these, in each of `methods` (with its
    class), in what is run as a program alone (`MAIN`) and in all else (empty), `strings` the words in texts
    (`names_in_texts`: in those without spaces; `named_files`: the configuration files there), `read` the
    attributes of settings that are read in each class of the module, and all attributes and keys (under
    nothing), `read_for_values` those of them that are more than parts of texts and paths (`read_in_texts`)
    or another name for a setting (`kept`, with that), `read_plain` other names, `counted_to` those that
    only heads of loops read, with the functions of these; `unnamed` are the lines and names of attributes
    that losses are kept as and nothing else in it names; it `is_opened` where a call is given all settings
    by their names. `methods` are those of classes that nothing but the project calls by their names,
    `chosen_from` the modules and names of which something is chosen by its name, `branches` the first and
    last lines of what runs on a condition, with the line of its `if`, `in_place_of_none` the lines where
    settings get a value because they have one that stands for none, `loops` the first and last lines of
    loops, `options` what the command line gives. `sampled` belongs to the recipe where samples go through
    the functions that it stands in; what makes samples calls `called_for_samples`. `read_files` is data
    where what `called_for_data` names reaches the functions that it stands in. `kept_values` are what
    objects put into their lists, by the names of these. `tables` are the names in dictionaries that have
    one, by that and the function around it. `safe` and `review` count fixes, `waits` findings with neither,
    of which `waits_in_code` are no uses of APIs. `code` are the functions and the parts of them that may be
    told as they stand (none, where finding them `failed`), `statements` those that give names something
    (`adjusted`: that change them by a number), `conditions` those that the assignments of lines stand on,
    `references` what each names, `changed` are the last names that get values otherwise than by a plain
    assignment, `rebound` those that functions give something in several places, `replaced` the attributes
    that get another value where they have a certain one, with that, `default_names` those that only defaults
    of parameters read. `hints` belong to the recipe where
    something else of their item does, `made` are calls that may be of classes of the project (their item is
    empty) or of functions of it which belong to their item."""

    path: str
    is_program: bool = False
    evaluates: bool = False
    evaluations: list[str] = field(default_factory=list)
    main: list[tuple[int, int]] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    training: list[str] = field(default_factory=list)
    training_classes: list[str] = field(default_factory=list)
    trainers: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    giving: list[tuple[str, str]] = field(default_factory=list)
    free: list[str] = field(default_factory=list)
    mentioned: dict[str, list[str]] = field(default_factory=dict)
    strings: list[str] = field(default_factory=list)
    names_in_texts: list[str] = field(default_factory=list)
    named_files: list[str] = field(default_factory=list)
    read: dict[str, list[str]] = field(default_factory=dict)
    read_plain: list[str] = field(default_factory=list)
    read_for_values: list[str] = field(default_factory=list)
    read_in_texts: list[str] = field(default_factory=list)
    counted_to: dict[str, list[str]] = field(default_factory=dict)
    kept: list[tuple[str, str]] = field(default_factory=list)
    unnamed: list[tuple[int, str]] = field(default_factory=list)
    is_opened: bool = False
    methods: dict[str, list[str]] = field(default_factory=dict)
    chosen_from: list[str] = field(default_factory=list)
    branches: list[tuple[int, int, int]] = field(default_factory=list)
    in_place_of_none: list[int] = field(default_factory=list)
    loops: list[tuple[int, int]] = field(default_factory=list)
    options: list[RecipeEntry] = field(default_factory=list)
    sampled: list[RecipeEntry] = field(default_factory=list)
    called_for_samples: list[str] = field(default_factory=list)
    read_files: list[RecipeEntry] = field(default_factory=list)
    called_for_data: list[str] = field(default_factory=list)
    formulas: list[FormulaEntry] = field(default_factory=list)
    kept_values: list[FormulaEntry] = field(default_factory=list)
    loss_calls: list[LossCall] = field(default_factory=list)
    recipe: list[RecipeEntry] = field(default_factory=list)
    hints: list[RecipeEntry] = field(default_factory=list)
    made: list[RecipeEntry] = field(default_factory=list)
    problems: list[ProblemEntry] = field(default_factory=list)
    failed: bool = False
    settings: list[SettingEntry] = field(default_factory=list)
    calls: list[CallEntry] = field(default_factory=list)
    tables: list[tuple[str, str, list[str]]] = field(default_factory=list)
    functions: list[FunctionEntry] = field(default_factory=list)
    code: list[FunctionCode] = field(default_factory=list)
    statements: list[SourceEntry] = field(default_factory=list)
    adjusted: list[SourceEntry] = field(default_factory=list)
    conditions: list[tuple[int, str]] = field(default_factory=list)
    references: list[ReferenceEntry] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    rebound: list[str] = field(default_factory=list)
    default_names: list[str] = field(default_factory=list)
    replaced: list[tuple[str, str]] = field(default_factory=list)
    returned: list[ReturnEntry] = field(default_factory=list)
    names: list[ImportedAs] = field(default_factory=list)
    classes: list[ClassEntry] = field(default_factory=list)
    rules: list[RuleEntry] = field(default_factory=list)
    imports: list[ImportEntry] = field(default_factory=list)
    missing: list[RuleEntry] = field(default_factory=list)
    safe: int = 0
    review: int = 0
    waits: int = 0
    waits_in_code: int = 0
