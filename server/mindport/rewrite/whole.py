"""What every use of torch becomes where a program is converted as a whole.

What is proven is done as everywhere. All else becomes a helper, if there is one: it has torch's own
signature, so that a class may be passed on, derived from, or called with `**arguments`. Classes that have a
helper become it wherever they are used, so that what is built in one place is what another one tests for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.assess.rewrite_plan import SELF, CallPlan, Placed, RewritePlan, TemplatePlan
from mindport.assess.structures.derived_class import DerivedClass
from mindport.assess.structures.removal import Removal
from mindport.assess.template_plan import is_plain
from mindport.catalog.argument_form import UNKNOWN, form_of
from mindport.catalog.binding import NUMPY_NAMES, is_ambiguous
from mindport.catalog.expansion import called_members
from mindport.catalog.helper_table import (
    DEFAULT_DTYPE_SETTERS,
    FUNCTION_OVERRIDE,
    HELPERS_MODULE,
    IDENTITY,
    IDLE,
    IN_PLACE,
    INTO_OUT,
    PLACEHOLDER,
    VIEWS,
)
from mindport.infer.values import Certainty
from mindport.language import Text
from mindport.rewrite.assigned_parts import assigns_to_parts, changes_views
from mindport.rewrite.builtin_dtypes import dtype_arguments
from mindport.rewrite.imports_by_text import looks_objects_up
from mindport.rewrite.line_breaks import LONGEST
from mindport.rewrite.subscripts import has_mixed_index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mindport.assess.file_findings import PlacedFinding
    from mindport.assess.finding import Finding
    from mindport.assess.rewrite_plan import PlacedUse, ReceiverPlace, Rewriting
    from mindport.catalog.api import Api
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target
    from mindport.language import Language
    from mindport.source.document import Document
    from mindport.uses.use import Call, Use

_LEFT: Final = Text(
    "# TODO(mindport): no equivalent in MindSpore: {apis}", "# TODO(mindport): MindSpore 无对应接口：{apis}"
)
_CALLS_ALONE: Final = Text(
    "# TODO(mindport): convert this use by hand: {apis}",
    "# TODO(mindport): 此用法需手动转换：{apis}",
)
_MODULE: Final = "torch.nn.Module"
_TORCH: Final = "torch"
_TENSOR: Final = "torch.Tensor"
_NOT_HELPERS: Final = (_TENSOR, "torch.Size", "torch.jit.ScriptModule")
"""Classes whose objects are MindSpore's own, tuples or of any class: the helpers for methods are given the
object first."""
_MOST_MEMBERS: Final = 48
"""Of a module that is passed on as a whole: `torch.optim` has fewer, `torch.nn` has more."""
_INDEXING: Final = "torch.Tensor.__getitem__"
_MASKING: Final = "torch.Tensor.__setitem__"


@dataclass(frozen=True)
class Placeholder(RewritePlan):
    """The name of an API without a counterpart becomes something that may be named, but not called; that of
    a module, something with the members that the document names in a text. In an annotation it is any
    object."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if placed.use.kind == "annotation":
            rewriting.replace_type(placed, "object")
            return
        if rewriting.name_members(placed):
            return
        rewriting.mark(placed)
        rewriting.replace_name(
            placed, f'{rewriting.spelled(placed.target, placed.start)}("{placed.use.api}")'
        )


@dataclass(frozen=True)
class ValueOfSetting(RewritePlan):
    """A setting of PyTorch's that is read becomes the value that it has; where it is set, its `removal` is
    carried out."""

    value: str
    removal: RewritePlan | None

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if self.removal is not None and rewriting.is_assigned_to(placed):
            self.removal.carry_out(rewriting, placed)
        else:
            rewriting.replace_name(placed, self.value)


@dataclass(frozen=True)
class ChangeInPlace(RewritePlan):
    """A call that changes its first operand becomes that of a helper which gives it back."""

    call: CallPlan

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.assign_part(placed, self.call)

    @property
    def takes_receiver(self) -> bool:
        return self.call.takes_receiver


@dataclass(frozen=True)
class ClassAsValue(RewritePlan):
    """A class becomes that of a helper where it is kept or handed on, and may be called later; what only asks
    for types gets MindSpore's class."""

    type: str

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        target = placed.target if rewriting.is_handed_on(placed) else self.type
        rewriting.replace_name(placed, rewriting.spelled(target, placed.start))
        rewriting.compare_class(placed)


@dataclass(frozen=True)
class IdleCall(RewritePlan):
    """A call of a helper that does nothing: where it is a statement, that is left out."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if not rewriting.leave_out_statement(placed):
            rewriting.rename(placed)


@dataclass(frozen=True)
class GivesBack(RewritePlan):
    """A helper that gives back what it is given: as a decorator it is left out, and around a value."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if not rewriting.leave_out_around(placed):
            rewriting.rename(placed)


@dataclass(frozen=True)
class KeptMember(RewritePlan):
    """A member of an object that a helper gives to MindSpore's class: nothing changes where it is used."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.keep_member(placed)


@dataclass(frozen=True)
class KeptCall(RewritePlan):
    """A call of what MindSpore has as well, or of what means a helper by its name in the program already:
    nothing changes but Python's types among its arguments."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        pass


@dataclass(frozen=True)
class SpreadSize(RewritePlan):
    """A call by another name of what takes a torch.Size for sizes, where MindSpore's shape is a tuple like
    any other (`kind = torch.FloatTensor`, and `kind(x.shape)`): it is given the sizes themselves."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.spread_first(placed)


@dataclass(frozen=True)
class AssignInPlace(RewritePlan):
    """An augmented assignment becomes a call of a helper that sets the values of the Tensor."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.assign_in_place(placed)

    @property
    def goes_last(self) -> bool:
        return True


@dataclass(frozen=True)
class CallIntoOut(RewritePlan):
    """A call that gives `out` becomes one of the function that writes the result of `target` into it."""

    target: str

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.call_into_out(placed, self.target)


@dataclass(frozen=True)
class MethodOfAny(RewritePlan):
    """A method of what may be a Tensor becomes what a helper chooses when the program runs: the object's
    own, or that of a Tensor."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.choose_method(placed)

    @property
    def takes_receiver(self) -> bool:
        return True


@dataclass(frozen=True)
class CallOnReceiver(RewritePlan):
    """An attribute of an object becomes a call of a helper with the object."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        rewriting.call_on_receiver(placed)

    @property
    def takes_receiver(self) -> bool:
        return True


def _as_written(name: str, call: Call, receiver: ReceiverPlace, api: Api | None) -> CallPlan:
    """The call of a helper with the arguments as they are written; NumPy's names become PyTorch's."""
    spread = _is_given_size(call)
    arguments = tuple(
        Placed(index, _keyword(one.keyword, api), spread=spread and not index)
        for index, one in enumerate(call.arguments)
    )
    keeps = not spread and all(one.keyword == call.arguments[one.index].keyword for one in arguments)
    return CallPlan(f"{HELPERS_MODULE}.{name}", receiver, arguments, (), (), keeps_arguments=keeps)


def _is_given_size(call: Call) -> bool:
    """Whether the only argument by position is a torch.Size that stands for its parts."""
    by_position = [one for one in call.arguments if one.keyword is None]
    return len(by_position) == 1 and by_position[0].type == "Size" and not by_position[0].unpack


def _is_given_size_by_other_name(use: Use) -> bool:
    """Whether what takes a torch.Size for sizes is called by a name that the program has bound to it."""
    is_by_other_name = use.kind == "call" and use.root is None and use.receiver_end is None
    return is_by_other_name and use.call is not None and _is_given_size(use.call)


def _leaves_object(finding: Finding) -> bool:
    """Whether a call does nothing but give the object that it is called on, if that: it is left out. What
    only `mindspore.value_and_grad` makes superfluous (`zero_grad`) is needed by the helpers."""
    plan, candidate = finding.plan, finding.candidate
    if finding.fix == "none" or finding.use.call is None:
        return False
    if isinstance(plan, Removal):
        return plan.gives_receiver or finding.fix == "safe" or finding.waits
    return candidate is not None and candidate.template == SELF


def _is_plain_call(use: Use) -> bool:
    """Whether evaluating the arguments of a call does nothing."""
    return use.call is not None and all(is_plain(one.source) for one in use.call.arguments)


def _gives_first(use: Use) -> bool:
    """Whether a use is no call, or one that gives a value and options whose evaluation does nothing."""
    given = use.call.arguments if use.call is not None else ()
    return all(is_plain(one.source) for one in given if one.keyword is not None) and not any(
        one.keyword is None and (place or one.unpack) for place, one in enumerate(given)
    )


def _given_for(parameter: str, use: Use, api: Api | None) -> str | None:
    """The text that a call gives for a parameter, by its name or in its place; None if none."""
    arguments = use.call.arguments if use.call is not None else ()
    by_name = next((one.source for one in arguments if one.keyword == parameter), None)
    if by_name is not None or api is None or not api.signatures:
        return by_name
    names = [one.name for one in api.signatures[0].parameters]
    place = names.index(parameter) if parameter in names else len(arguments)
    is_given = place < len(arguments) and arguments[place].keyword is None
    return arguments[place].source if is_given else None


def _has_names_of_numpy(call: Call) -> bool:
    return any(one.keyword in NUMPY_NAMES for one in call.arguments)


def _names_axes(api: Api | None) -> bool:
    """Whether an API takes axes by PyTorch's names alone."""
    signatures = api.signatures if api is not None else ()
    names = {parameter.name for signature in signatures for parameter in signature.parameters}
    return not names.isdisjoint(("dim", "keepdim")) and names.isdisjoint(("axis", "keepdims"))


def _keyword(keyword: str | None, api: Api | None) -> str | None:
    """PyTorch's own name of a parameter that may be given by NumPy's."""
    if keyword not in NUMPY_NAMES or api is None:
        return keyword
    names = {parameter.name for signature in api.signatures for parameter in signature.parameters}
    return keyword if keyword in names or NUMPY_NAMES[keyword] not in names else NUMPY_NAMES[keyword]


def _is_in_place(api: str) -> bool:
    """Whether an API changes its first operand, as its name says."""
    name = api.rpartition(".")[2]
    return name.endswith("_") and not name.endswith("__")


def is_private_name(name: str) -> bool:
    """Whether a part of a dotted name says that others are not to use it."""
    return any(part.startswith("_") for part in name.split("."))


def _is_augmented(use: Use) -> bool:
    """Whether a use is the operator of an augmented assignment."""
    return use.operator is not None and use.api.startswith(f"{_TENSOR}.__i")


def _takes_arrays(finding: Finding) -> bool:
    """Whether what would take the place of an API works on NumPy's arrays, in the loading of data: a program
    hands it Tensors."""
    return finding.candidate is not None and finding.candidate.target.startswith("mindspore.dataset.")


def _gives_out(call: Call) -> bool:
    return any(one.keyword == "out" and one.source != "None" for one in call.arguments)


def _is_named(use: Use) -> bool:
    """Whether a use spells its API by imports of torch."""
    return use.root is not None and use.kind != "import" and use.operator is None


Spans = Sequence[tuple[int, int]]
"""Parts of a document, in bytes."""


def is_within(parts: Spans, offset: int) -> bool:
    """Whether a byte is in one of the parts of a document."""
    return any(start <= offset < end for start, end in parts)


def _no_texts(name: str) -> Sequence[bytes]:
    return ()


class WholeFile(NamedTuple):
    """A document as a part of a program: `helpers_in` is the package that helpers are imported from, relative
    to the document's module (`.`, `..`); empty where they are a module at the top level. Where only `parts`
    of it are converted, all else stays PyTorch's, with its imports."""

    program: WholeProgram
    helpers_in: str = ""
    own: frozenset[str] = frozenset()
    """The top-level names of the modules of the program, which are converted, too."""
    language: Language = "en"
    parts: Spans | None = None
    texts_of_takers: Callable[[str], Sequence[bytes]] = _no_texts
    """The texts of the files that may take a name from the document."""
    module: str = ""
    """The dotted name of the document's module in the program, if that is known."""

    def compiled(self, document: Document) -> Iterator[tuple[str, str]]:
        """The functions of a library that is a part of the program, defined in the document, which call what
        is compiled there: each with the helper that does the same."""
        if self.module.partition(".")[0] not in self.program.packages:
            return
        for found in _TOP_FUNCTION.finditer(document.data):
            name = found[1].decode()
            helper = self.program.helper_for_compiled(f"{self.module}.{name}")
            if helper is not None:
                yield name, helper

    def converts(self, offset: int) -> bool:
        """Whether what stands at a byte of the document is converted."""
        return self.parts is None or is_within(self.parts, offset)

    def marks(self, apis: Iterable[str], indent: int) -> list[str]:
        """The comment that leaves APIs to a person, with what MindSpore has in place of their libraries: one,
        or where that is too long, one for each, at last without a hint."""
        names = list(apis)
        for_calls = [name for name in names if self.program.has_counterpart(name)]
        without = [name for name in names if name not in for_calls]
        return [*self._lines(_LEFT, without, indent), *self._lines(_CALLS_ALONE, for_calls, indent)]

    def _lines(self, about: Text, names: list[str], indent: int) -> list[str]:
        if not names:
            return []
        together = self._mark(about, names)
        if indent + len(together) <= LONGEST:
            return [together]
        each = ((self._mark(about, [name]), about.render(self.language, apis=name)) for name in names)
        return [text if indent + len(text) <= LONGEST else short for text, short in each]

    def _mark(self, about: Text, names: list[str]) -> str:
        found = (self.program.in_place_of(name, self.language) for name in names)
        hints = "; ".join(dict.fromkeys(hint for hint in found if hint))
        left = about.render(self.language, apis=", ".join(names))
        return f"{left} ({hints})" if hints else left


_SUBCLASS: Final = re.compile(rb"^class \w+\([^)]*Tensor[^)]*\):.*\n((?:[ \t].*\n|[ \t]*\n)*)", re.MULTILINE)
_TOP_FUNCTION: Final = re.compile(rb"^def (\w+)\(", re.MULTILINE)
_METHOD: Final = re.compile(rb"^[ \t]+def (\w+)\(", re.MULTILINE)
_GIVEN_OUT: Final = re.compile(
    rb"(?<![\w.])(?!(?:torch|np|numpy)\.)(?:\w+\.)*\w+\((?:[^()]|\([^()]*\)){0,400}?"
    rb"\bout\s*=\s*(?!None\b)[\w(]"
)
"""A call that gives `out` to what is not torch's or NumPy's by name, and may be one of their functions."""
_NAMES_OF_NUMPY: Final = re.compile(rb"[(,]\s*(?:axis|keepdims)[ \t]*=(?!=)")
"""An argument, or a parameter, by a name that is NumPy's."""


class ProgramTraits(NamedTuple):
    """What something in a program does that tells what becomes of uses in all of it: it sets the dtype of
    Tensors that are given none; a class says what functions do with its objects; a call gives `out`, or
    arguments by names that are NumPy's as well; `redefined` are the methods of classes that may be subclasses
    of Tensor. `packages` are those of it by whose names torch's libraries are known: these are converted,
    too. `looks_objects_up`: by their dotted names, as texts."""

    sets_default_dtype: bool = False
    overrides_functions: bool = False
    gives_out: bool = False
    names_as_numpy: bool = False
    redefined: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    looks_objects_up: bool = False

    @classmethod
    def of(cls, data: bytes) -> ProgramTraits:
        """What the words of a file tell."""
        sets_dtype = any(name in data for name in DEFAULT_DTYPE_SETTERS)
        methods = {name.decode() for body in _SUBCLASS.findall(data) for name in _METHOD.findall(body)}
        gives_out = _GIVEN_OUT.search(data) is not None
        names_as_numpy = _NAMES_OF_NUMPY.search(data) is not None
        looks_up = looks_objects_up(data)
        overrides = FUNCTION_OVERRIDE in data
        return cls(
            sets_dtype,
            overrides,
            gives_out,
            names_as_numpy,
            frozenset(methods),
            looks_objects_up=looks_up,
        )

    def with_file(self, data: bytes) -> ProgramTraits:
        """The same of the program with another file."""
        other = ProgramTraits.of(data)
        return ProgramTraits(
            self.sets_default_dtype or other.sets_default_dtype,
            self.overrides_functions or other.overrides_functions,
            self.gives_out or other.gives_out,
            self.names_as_numpy or other.names_as_numpy,
            self.redefined | other.redefined,
            self.packages,
            self.looks_objects_up or other.looks_objects_up,
        )


_NO_TRAITS: Final = ProgramTraits()


class WholeProgram:
    """Chooses what becomes of each use, for a target."""

    def __init__(self, catalog: Catalog, target: Target, traits: ProgramTraits = _NO_TRAITS) -> None:
        self._catalog = catalog
        self._target = target
        self._traits = traits

    @property
    def looks_objects_up(self) -> bool:
        """Whether a file of the program looks objects up by their dotted names, as texts."""
        return self._traits.looks_objects_up

    def needs_torch(self, library: str) -> bool:
        """Whether a library, by its top-level name, cannot be imported without torch."""
        return library == _TORCH or library in self._catalog.libraries.built_on_torch

    def only_stands_on_torch(self, library: str) -> bool:
        """Whether a library, by its top-level name, cannot be imported without torch, and nothing stands for
        what it has."""
        is_known = library in self._catalog.helpers.libraries or self._catalog.is_module(library)
        return library in self._catalog.libraries.built_on_torch and not is_known

    def exports(self, module: str) -> Collection[str] | None:
        """The names that a star import of a module binds; None where that is not known."""
        return self._catalog.public_names(module) or None

    def in_place_of(self, name: str, language: Language) -> str:
        """What MindSpore has in place of the library that a dotted name belongs to; empty if nothing is
        known."""
        found = self._catalog.libraries.counterpart(name)
        return found.render(language) if found is not None else ""

    @property
    def libraries(self) -> frozenset[str]:
        """The libraries that are converted."""
        return self._catalog.helpers.libraries | self._catalog.libraries.built_on_torch

    def beside(self, document: Document) -> frozenset[str]:
        """The helpers that change MindSpore's classes, which a document needs because of how it indexes,
        because of what else it does, and because of classes in other files."""
        of_program = FUNCTION_OVERRIDE if self._traits.overrides_functions else b""
        found = self._catalog.helpers.beside(document.data + of_program, self._target.device)
        masking = self._better(_MASKING)
        if masking is not None and (has_mixed_index(document) or assigns_to_parts(document)):
            found |= {masking}
        return found | {VIEWS} if changes_views(document) else found

    def choice(self, placed: PlacedFinding) -> PlacedFinding | None:
        """The finding with what becomes of it; None where nothing has to, or nothing can."""
        finding = placed.finding
        if self._catalog.helpers.gives_member(finding.use.api) and finding.use.receiver_end is not None:
            name = self._catalog.helpers.of(finding.use.api)
            return placed._replace(finding=self._with(finding, name, KeptMember()))
        if self._is_of_own_package(finding.use.api):
            return None
        if finding.use.operator == "=":
            return None  # what is assigned to is no value that something could take the place of
        if finding.use.certainty is Certainty.POSSIBLE:
            unsure = self._of_any_object(finding.use)
            return placed._replace(finding=self._with(finding, *unsure)) if unsure is not None else None
        if self.stays(finding):
            return placed if _leaves_object(finding) and not self._is_ambiguous(finding.use) else None
        if _is_given_size_by_other_name(finding.use):
            return placed._replace(finding=self._with(finding, None, SpreadSize()))
        if self._is_bound_elsewhere(finding.use):
            return None
        if self._is_helper_already(finding.use):
            renamed = self._by_names_of_torch(finding)
            kept = self._with(finding, None, KeptCall()) if renamed is None else renamed
            return placed._replace(finding=kept)
        into_out = self._into_out(finding)
        if into_out is not None:
            return placed._replace(finding=into_out)
        if self._is_chosen_when_run(finding):
            either = self._catalog.helpers.of_either(finding.use.api)
            if either is not None:
                return placed._replace(finding=self._with(finding, either, MethodOfAny()))
        overridable = self._overridable(finding)
        if overridable is not None:
            return placed._replace(finding=overridable)
        if _is_augmented(finding.use):
            return placed._replace(finding=self._with(finding, IN_PLACE, AssignInPlace()))
        is_sure = finding.fix == "safe" or (finding.waits and finding.proof != "none")
        is_sure &= not self._is_helper_better(finding.use)
        helper = self._helper(finding, is_sure)
        if helper is not None:
            return placed._replace(finding=helper)
        value = self._value_of_setting(finding)
        if value is not None:
            plan = ValueOfSetting(value, finding.plan)
            return placed._replace(finding=finding.changed("review", None, plan, None))
        if finding.fix != "none" and not _takes_arrays(finding):
            return placed
        if any(dtype_arguments(finding.use)):
            return placed._replace(finding=self._with(finding, None, KeptCall()))
        as_function = self._as_function(finding.use)
        if as_function is not None:
            return placed._replace(finding=self._with(finding, None, as_function))
        return placed._replace(finding=self._placeholder(finding)) if _is_named(finding.use) else None

    def _as_function(self, use: Use) -> TemplatePlan | None:
        """What takes the place of a function without parameters that is not called here: one that gives what
        its call would become."""
        if use.call is not None or use.kind != "reference" or not _is_named(use):
            return None
        result = self.always_gives(use.api)
        return TemplatePlan(f"(lambda: {result})", (), True) if result is not None else None

    def always_gives(self, name: str) -> str | None:
        """What a call of a function without parameters becomes; None of any other API."""
        api = self._catalog.api(name)
        if api is None or api.kind != "function":
            return None
        takes_nothing = any(not signature.parameters for signature in api.signatures)
        chosen = self._catalog.answer(name, self._target).chosen
        return chosen.template if takes_nothing and chosen is not None else None

    def _is_ambiguous(self, use: Use) -> bool:
        """Whether an argument may be given for one parameter or for another: `x` in `model.to(x)` may be a
        device or a dtype."""
        api = self._catalog.api(use.api)
        return use.call is not None and api is not None and is_ambiguous(use.call.arguments, api.signatures)

    def without_names(self, placed: PlacedFinding) -> PlacedFinding:
        """The finding with the helper for its use, if it is to become a template that gives names to
        arguments, and there is one."""
        plan = placed.finding.plan
        if not isinstance(plan, TemplatePlan) or plan.naming is None:
            return placed
        helper = self._helper(placed.finding, False)
        return placed._replace(finding=helper) if helper is not None else placed

    def _value_of_setting(self, finding: Finding) -> str | None:
        """What reading a setting gives that MindSpore does not need: what PyTorch starts with."""
        api = self._catalog.api(finding.use.api)
        if api is None or api.kind != "constant" or api.value not in ("True", "False", "None"):
            return None
        return api.value if finding.status == "not_needed" and _is_named(finding.use) else None

    def _is_helper_better(self, use: Use) -> bool:
        """Whether a helper is to be taken even where the counterpart is right."""
        helpers = self._catalog.helpers
        if helpers.is_better(use.api, self._target.device):
            return True
        if self._traits.sets_default_dtype and helpers.heeds_default_dtype(use.api):
            return True
        arguments = use.call.arguments if use.call is not None else ()
        if helpers.takes_list(use.api) and any(one.unpack == "*" for one in arguments):
            return True
        parameter = helpers.takes_more_of(use.api)
        given = _given_for(parameter, use, self._catalog.api(use.api)) if parameter is not None else None
        return given is not None and UNKNOWN in form_of(given).form

    def _is_chosen_when_run(self, finding: Finding) -> bool:
        """Whether a call is one of a method of Tensor that a class derived from that may have of its own, or
        would become one; or of an object that may be no Tensor."""
        use, candidate = finding.use, finding.candidate
        owner, _, name = use.api.rpartition(".")
        is_method = owner == _TENSOR and use.call is not None and use.receiver_end is not None
        if not is_method or use.is_through_super or _is_in_place(use.api):
            return False
        names = {name}
        if candidate is not None:
            names.add(candidate.target.rpartition(".")[2])
            names.update(called_members(candidate.template) if candidate.template is not None else ())
        return use.may_be_other or not self._traits.redefined.isdisjoint(names)

    def _overridable(self, finding: Finding) -> Finding | None:
        """The finding with the function that stands for torch's wherever it is used, if a class may say what
        that does: it is asked with the arguments as they are written, and by the same function that it is
        compared with."""
        use = finding.use
        is_named = _is_named(use) and use.kind in ("call", "reference") and self.is_function(use.api)
        if not self._traits.overrides_functions or not is_named:
            return None
        given = use.call.arguments if use.call is not None else ()
        if use.call is not None and not any(UNKNOWN in form_of(one.source).form for one in given):
            return None  # nothing that is given can be of such a class
        helper = self._helper_everywhere(use.api)
        has_other_names = use.call is not None and _has_names_of_numpy(use.call)
        if helper is not None and use.call is not None and has_other_names:
            call = _as_written(helper, use.call, "none", self._catalog.api(use.api))
            return self._with(finding, helper, call)
        if helper is not None:
            return self._with(finding, helper, None)
        if self.counterpart(use.api) is None or has_other_names:
            return None
        return finding.changed("review", self._catalog.answer(use.api, self._target).chosen, None, None)

    def _into_out(self, finding: Finding) -> Finding | None:
        """The finding with what writes a result into `out`, if the call gives that, or if it is a function
        that some call may give it."""
        use = finding.use
        if not _is_named(use):
            return None
        if use.call is None and not self._may_be_given_out(use):
            return None
        if use.call is not None and not _gives_out(use.call):
            return None
        target = self.stand_in(use.api)
        return self._with(finding, INTO_OUT, CallIntoOut(target)) if target is not None else None

    def _may_be_given_out(self, use: Use) -> bool:
        """Whether a function that is named here, not called, may be given `out` elsewhere in the program."""
        if use.kind != "reference" or not self._traits.gives_out or self._traits.overrides_functions:
            return False
        api = self._catalog.api(use.api)
        return (
            api is not None
            and api.kind == "function"
            and any(one.name == "out" for signature in api.signatures for one in signature.parameters)
        )

    def may_name_as_numpy(self, name: str, target: str) -> bool:
        """Whether `**options` may give a function or method axes by NumPy's names, which PyTorch's own take
        as well, and what takes its place does not."""
        if not self._traits.names_as_numpy or not _names_axes(self._catalog.api(name)):
            return False
        return target.startswith(f"{HELPERS_MODULE}.") or _names_axes(self._catalog.mindspore_api(target))

    def _of_any_object(self, use: Use) -> tuple[str | None, RewritePlan] | None:
        """The helper for a method of what may be a Tensor, and how it is called; None where there is none."""
        if use.call is None or use.receiver_end is None:
            return None
        written = use.call.arguments
        keywords = [one.keyword for one in written if one.keyword is not None]
        name = self._catalog.helpers.of_unknown(use.api, len(written) - len(keywords), keywords)
        if name is None:
            return None
        return name, MethodOfAny()

    def _with(self, finding: Finding, helper: str | None, plan: RewritePlan | None) -> Finding:
        """The finding with a helper in the place of its use, and how; without a plan it takes the name."""
        candidate = self._catalog.helpers.candidate(helper) if helper is not None else None
        return finding.changed("review", candidate, plan, None)

    def _placeholder(self, finding: Finding) -> Finding:
        """The finding with what stands for an API that cannot be converted."""
        return self._with(finding, PLACEHOLDER, Placeholder())

    def helper(self, name: str) -> str | None:
        """The helper for an API of torch's, by any of its names, or for one of another library."""
        if self._is_of_own_package(name):
            return None
        helpers = self._catalog.helpers
        return helpers.of(name) or self._name(self._catalog.canonical(name) or name)

    def helper_for_steps(self) -> str | None:
        """The helper for slices with steps, where the device is better off with it."""
        return self._better(_INDEXING)

    def _better(self, api: str) -> str | None:
        """The helper for an API, where the device is better off with it."""
        helpers = self._catalog.helpers
        return helpers.of(api) if helpers.is_better(api, self._target.device) else None

    def is_alike(self, name: str) -> bool:
        """Whether the helper for an API, if it is a class, is one, too."""
        helper = self.helper(name)
        return helper is not None and not (self.is_class(name) and not self._catalog.helpers.is_class(helper))

    def names_in(self, module: str) -> Sequence[str]:
        """The names of a module's members."""
        return self._catalog.names_in(self._catalog.canonical(module) or module)

    def counterpart(self, name: str) -> str | None:
        """The API of MindSpore that torch's may be replaced with wherever it is used; None if there is
        none."""
        canonical = self._catalog.canonical(name)
        if canonical is None or self._catalog.kind(canonical) == "module" or self._is_of_own_package(name):
            return None
        chosen = self._catalog.answer(canonical, self._target).chosen
        return chosen.target if chosen is not None and chosen.kind == "api" and chosen.same else None

    def has_counterpart(self, name: str) -> bool:
        """Whether MindSpore has something like an API, if not for every use of it."""
        canonical = self._catalog.canonical(name)
        return canonical is not None and bool(self._catalog.answer(canonical, self._target).candidates)

    def is_module(self, name: str) -> bool:
        """Whether a dotted name is a module of torch."""
        return self._catalog.is_module(name)

    def _kind(self, name: str) -> str | None:
        """What an API is that any of its names may stand for."""
        return self._catalog.kind(self._catalog.canonical(name) or name)

    def is_class(self, name: str) -> bool:
        """Whether a dotted name is a class of torch."""
        return self._kind(name) == "class"

    def is_function(self, name: str) -> bool:
        """Whether a dotted name is a function of torch."""
        return self._kind(name) == "function"

    def is_dtype(self, name: str) -> bool:
        """Whether a dotted name is a dtype of torch's."""
        return self._kind(name) == "dtype"

    def has_dtypes(self, module: str) -> bool:
        """Whether a module of torch has dtypes, which configurations name."""
        return any(self.is_dtype(f"{module}.{name}") for name in self.names_in(module))

    def is_absent(self, module: str, name: str) -> bool:
        """Whether a public module of torch has no member of that name, in the release of the catalog; or
        whether that is a private one, for which nothing stands."""
        if self._is_of_own_package(f"{module}.{name}"):
            return False
        helpers = self._catalog.helpers
        has_helper = helpers.of(f"{module}.{name}") is not None and not helpers.is_removed(f"{module}.{name}")
        known = has_helper or self._catalog.canonical(f"{module}.{name}") is not None
        is_private = is_private_name(f"{module}.{name}")
        return name != "*" and not known and (is_private or self._catalog.is_module(module))

    def may_be_asked_for(self, name: str) -> bool:
        """Whether something takes the place of a member of a module, or of a member of that, if it is a
        module itself. What PyTorch has no more it has not, whoever asks."""
        if self._catalog.helpers.is_removed(name):
            return False
        inside = [f"{name}.{member}" for member in self.names_in(name)] if self.is_module(name) else [name]
        return any(self.helper(one) is not None or self.has_counterpart(one) for one in inside)

    def is_left(self, finding: Finding) -> bool:
        """Whether what becomes of a use only says that a person has to see to it."""
        return isinstance(finding.plan, Placeholder)

    def stand_in(self, name: str) -> str | None:
        """What takes the place of an API wherever it is used: a helper, or an API of MindSpore."""
        helper = self._helper_everywhere(name)
        return f"{HELPERS_MODULE}.{helper}" if helper is not None else self.counterpart(name)

    def _helper_everywhere(self, name: str) -> str | None:
        """The helper that takes the place of an API wherever it is used; None if there is none."""
        helper = self.helper(name)
        return helper if helper is not None and "." not in helper and self.is_alike(name) else None

    def members_with_helpers(self, module: str) -> list[str]:
        """The members of a module that have helpers, by their own and their other names."""
        own = self._catalog.helpers.members(module)
        return [
            *own,
            *(name for name in self.names_in(module) if self.helper(f"{module}.{name}") is not None),
        ]

    def members(self, module: str) -> list[str]:
        """The members of a small module that have helpers: all that code can ask it for which takes names
        from elsewhere, such as a configuration. None where these are too many."""
        found = self._catalog.helpers.members(module) or self.members_with_helpers(module)
        return found if len(found) <= _MOST_MEMBERS else []

    def named_when_run(self, module: str) -> str | None:
        """The helper with the members of a large module that programs name by texts from elsewhere."""
        return self._catalog.libraries.named_when_run.get(self._catalog.canonical(module) or module)

    def members_of_helper(self, name: str) -> frozenset[str]:
        """The members that a helper has which is a namespace."""
        return self._catalog.helpers.keywords_of(name)

    def stays(self, finding: Finding) -> bool:
        """Whether it is a member of an object whose class becomes a helper, which has the member, too; or of
        a library that is a part of the program."""
        use = finding.use
        if self._is_of_own_package(use.api):
            return True
        return use.receiver_end is not None and self._owner_in_helpers(use) is not None

    def is_served(self, finding: Finding) -> bool:
        """Whether it needs no change since what it is a member of becomes a helper: it stays, or a name is
        bound to it (`weights = ResNet18_Weights.DEFAULT`, and `weights` behind that)."""
        if self.stays(finding):
            return True
        owner = self._owner_in_helpers(finding.use)
        return owner is not None and self._catalog.kind(owner) == "class"

    def _owner_in_helpers(self, use: Use) -> str | None:
        """What a use is a member of, if that becomes a helper that has the member, too."""
        owner, _, _ = use.api.rpartition(".")
        return owner if owner not in _NOT_HELPERS and self._catalog.helpers.of(owner) is not None else None

    @property
    def packages(self) -> frozenset[str]:
        """The libraries of torch's that are converted as parts of the program."""
        return self._traits.packages

    def helper_for_compiled(self, name: str) -> str | None:
        """The helper for what is compiled in its library."""
        canonical = self._catalog.canonical(name) or name
        return self.helper(canonical) if self._catalog.libraries.is_compiled(canonical) else None

    def _is_of_own_package(self, name: str) -> bool:
        """Whether a dotted name is one of a library that is converted as a part of the program, unless it is
        compiled there."""
        is_own = name.partition(".")[0] in self._traits.packages
        return is_own and not self._catalog.libraries.is_compiled(name)

    def _is_bound_elsewhere(self, use: Use) -> bool:
        """Whether a name alone means a member of a class: another module bound it, maybe for a class
        derived from that (`exp = Exp.apply`), and is converted, too."""
        is_name = use.root is not None and use.end - use.start == len(use.root.encode())
        return is_name and self._catalog.kind(use.api.rpartition(".")[0]) == "class"

    def _is_helper_already(self, use: Use) -> bool:
        """Whether a function is called by a name that the program has bound to it, and that means the helper
        for it now, which takes what PyTorch's takes (`normal = torch.normal` in a module `own`, and
        `own.normal(0, 1, (3,))`)."""
        if use.kind != "call" or use.root is not None or not self.is_function(use.api):
            return False
        if self._helper_everywhere(use.api) is None:
            return False
        return self.counterpart(use.api) is None or self._is_helper_better(use)

    def _by_names_of_torch(self, finding: Finding) -> Finding | None:
        """The finding with the helper, if the call has names of NumPy's for what the helper takes."""
        use, name = finding.use, self._helper_everywhere(finding.use.api)
        if use.call is None or name is None or not _has_names_of_numpy(use.call):
            return None
        return self._with(finding, name, _as_written(name, use.call, "none", self._catalog.api(use.api)))

    def _helper(self, finding: Finding, is_sure: bool) -> Finding | None:
        """The finding with the helper that takes the place of its use."""
        use = finding.use
        name = self._name(use.api)
        if name is None and use.call is not None:
            name = self._catalog.helpers.of_called(use.api)
        is_class = self._catalog.kind(use.api) == "class"
        if name is None or (is_sure and not is_class) or use.kind == "import" or use.is_through_super:
            return None
        given = use.call.arguments if use.call is not None else ()
        is_open = any(one.unpack == "**" for one in given)
        if not is_open and not self._catalog.helpers.is_for(use.api, [one.keyword for one in given]):
            return None
        if use.kind == "attribute" and self._catalog.kind(use.api) != "constant":
            if self._is_of_class_itself(use, name):
                return self._with(finding, name, None)
            if use.receiver_end is None or not use.api.startswith(f"{_TENSOR}."):
                return None
            return self._with(finding, name, CallOnReceiver())
        if use.kind == "annotation" and finding.fix != "none" and not self._is_class_of_helpers(use.api):
            return None
        base = self._catalog.helpers.as_base(use.api) if use.kind == "base" else None
        if base is not None:
            return self._with(finding, base, None)
        value, type_ = self._catalog.helpers.as_value(use.api), self.counterpart(use.api)
        is_class_itself = use.kind == "reference" and use.call is None and finding.fix != "none"
        if value is not None and type_ is not None and is_class_itself:
            return self._with(finding, value, ClassAsValue(type_))
        if is_class and use.call is None and not self._catalog.helpers.is_class(name.partition(".")[0]):
            return None
        plan: RewritePlan | None = None
        if use.root is None:
            if use.call is None or use.receiver_end is None or use.api.rpartition(".")[0] not in _NOT_HELPERS:
                return None
            call = _as_written(name, use.call, "first", self._catalog.api(use.api))
            plan = ChangeInPlace(call) if _is_in_place(use.api) else call
        elif use.call is not None and self._changes_first(use.api):
            plan = ChangeInPlace(_as_written(name, use.call, "none", self._catalog.api(use.api)))
        elif use.call is not None and (_is_given_size(use.call) or _has_names_of_numpy(use.call)):
            plan = _as_written(name, use.call, "none", self._catalog.api(use.api))
        elif name == IDLE and _is_plain_call(use):
            plan = IdleCall()
        elif name == IDENTITY and _gives_first(use):
            plan = GivesBack()
        elif use.kind == "base" and self._is_module(use.api):
            plan = DerivedClass(self._catalog.answer(_MODULE, self._target).overrides)
        return self._with(finding, name, plan)

    def _is_class_of_helpers(self, api: str) -> bool:
        """Whether the objects of a class are those of a class among the helpers. Modules are cells, too."""
        helpers = self._catalog.helpers
        name = helpers.of(api)
        return (
            name is not None
            and api not in (*_NOT_HELPERS, _MODULE)
            and helpers.is_class(name)
            and helpers.as_value(api) is None
        )

    def _changes_first(self, api: str) -> bool:
        """Whether a function changes its first argument and gives it back."""
        return _is_in_place(api) and api not in self._catalog.tensors.gradients_in_place

    def _name(self, api: str) -> str | None:
        """The helper for an API, be it as a member of the helper for its class."""
        helpers = self._catalog.helpers
        name = helpers.of(api)
        owner, _, member = api.rpartition(".")
        of_owner = helpers.of(owner) if name is None and owner != _TENSOR and owner else None
        if of_owner is None or self._catalog.kind(owner) not in ("class", None):  # None: a value
            return name
        return f"{of_owner}.{member}"

    def _is_of_class_itself(self, use: Use, name: str) -> bool:
        """Whether what a class has is read of the class, which the helper for it has, too."""
        owner, _, member = name.rpartition(".")
        is_named = owner and use.receiver_end is None and self._catalog.helpers.is_class(owner)
        return bool(is_named) and self._catalog.helpers.has_member(owner, member)

    def _is_module(self, api: str) -> bool:
        return api == _MODULE or _MODULE in self._catalog.lineage(api)
