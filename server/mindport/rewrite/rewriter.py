"""Rewriting: from findings to the edits that replace them, nested ones in one pass."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from mindport.assess.rewrite_plan import PlacedUse
from mindport.assess.temporaries import RECEIVER, names_to_give
from mindport.catalog.helper_table import (
    CLASS_ITSELF,
    HELPERS_MODULE,
    METHOD,
    NAMES_OF_TORCH,
    NAMESPACE,
    PLACEHOLDER,
    TEXT_OF,
)
from mindport.catalog.template import BUILTINS
from mindport.language import Text
from mindport.rewrite.assigned_parts import names_of_parts
from mindport.rewrite.augmented_assignments import augmented_assignment
from mindport.rewrite.builtin_dtypes import BUILTIN_DTYPES, dtype_arguments
from mindport.rewrite.class_members import ClassMembers
from mindport.rewrite.dedent import Dedent, dedent_edits, dedented
from mindport.rewrite.dtype_texts import functions_of_dtypes
from mindport.rewrite.edit import Edit, newline
from mindport.rewrite.empty_branches import without_empty_branches
from mindport.rewrite.import_additions import additions
from mindport.rewrite.import_removals import IsTaken, no_longer_read, removals
from mindport.rewrite.imports_by_text import (
    asked_for_torch,
    imports_by_text,
    modules_by_text,
    names_by_text,
    torch_by_text,
)
from mindport.rewrite.library_members import library_members
from mindport.rewrite.removing import Removed, Remover
from mindport.rewrite.shared_names import SharedNames
from mindport.rewrite.spelling import Speller, stands_for, taking_over
from mindport.rewrite.subscripts import StridedSlice, strided_slices
from mindport.rewrite.syntax_spans import ArgumentSpan, Span, SyntaxPlace
from mindport.rewrite.template_text import TemplateText
from mindport.rewrite.torch_imports import TorchImports
from mindport.source.document import Document

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.assess.rewrite_plan import CallPlan, Placed, RewritePlan, TemplatePlan
    from mindport.rewrite.spelling import NewImport
    from mindport.rewrite.whole import WholeFile

_WITHOUT_GRADIENTS = frozenset({"torch.no_grad", "torch.inference_mode", "torch.set_grad_enabled"})
_NOT_IN_STRINGS = ("'", '"', "\\", "\n")
"""What Python before 3.12 does not allow inside the braces of a formatted string."""
_MEMBER = re.compile(rb"\. *([A-Za-z_]\w*)")
"""What is asked for as a member of something."""
_NAME_AS_TEXT = re.compile(rb"""(?<=['"])[A-Za-z_]\w*(?=['"])""")
"""A name that is all of a text."""
_PART_OF_NAME = re.compile(
    rb"""(?:['"](\w{3,})['"] +(?:not +)?in +\w|\. *(?:starts|ends)with\( *['"](\w{3,})['"])"""
)
"""A part of names that a name is tested for."""
_NAME_AS_FORMAT = re.compile(
    rb"""(?<=['"])(?:\w*\{[^{}'"\n]*\}\w*)+(?=['"])|(?<=['"])(?:\w*%[sd]\w*)+(?=['"][ ]*%)"""
    rb"""|(?<=['"])\w+['"][ ]*\+[^+'"\n]+\+[ ]*['"]\w+(?=['"])"""
)
"""A name with parts that are filled in, as all of a text that is formatted or joined of three."""


def _form_of(text: str) -> re.Pattern[str]:
    """What matches the names that a formatted text may give; nothing where hardly a letter is known."""
    parts = re.split(r"\{[^{}]*\}|%[sd]|['\"] *\+[^+]+\+ *['\"]", text)
    return re.compile(r"\w+".join(parts) if len("".join(parts)) > 1 else "(?!)")


def _helpers_among(targets: Iterable[str]) -> set[str]:
    """The helpers among what takes the place of APIs, by their names."""
    prefix = f"{HELPERS_MODULE}."
    return {target.removeprefix(prefix) for target in targets if target.startswith(prefix)}


class _RefusedError(Exception):
    """The rewrite cannot be made without losing something."""


class Rewriter:
    """Collects the edits of several findings of one document."""

    def __init__(
        self,
        found: FileFindings,
        is_taken: IsTaken,
        whole: WholeFile | None = None,
        freed: Mapping[str, NewImport] = MappingProxyType({}),
    ) -> None:
        self.found = found
        self.is_taken = is_taken
        self.document = found.document
        self.speller = Speller(
            found.analysis, found.separate_modules, whole.helpers_in if whole is not None else "", freed
        )
        self.whole = whole
        self.shared: SharedNames | None = None
        """Where only parts are converted: what they and the others read."""
        self.helpers: set[str] = set()
        """The helpers that are taken by what is no finding: imports, slices with steps."""
        self.as_targets: dict[tuple[int, int], str] = {}
        """By the span of a slice with steps that its helper takes the place of, what can be assigned to."""
        self.names = FreshNames(found.document)
        self.edits: list[Edit] = []
        self.statements: list[Edit] = []
        """Statements to insert, in the order in which they run."""
        self.remover = Remover(found.document)
        self.dedents: list[Dedent] = []
        self.classes = ClassMembers(found.document)
        self.gone: list[tuple[int, int]] = []
        """Spans whose text, and so what is read there, is gone."""
        self.modules_of_members: set[str] = set()
        """The names of libraries' modules of which members were replaced."""
        self.marked: list[tuple[int, str]] = []
        """What is left to a person: where it is named (bytes), and the API."""
        self.made: list[PlacedFinding] = []
        """The findings whose edits could be made."""

    def add(self, placed: Iterable[PlacedFinding]) -> None:
        """Make the edits of findings, and of slices with steps, the innermost first."""
        steps = sorted(self._slices_to_take(), key=lambda one: (one.end - one.start, one.start), reverse=True)
        for one in sorted(placed, key=_extent):
            while steps and steps[-1].end - steps[-1].start <= _extent(one)[0]:
                self._take_steps(steps.pop())
            edits, gone, speller = list(self.edits), len(self.gone), dict(self.speller.added)
            statements, marked = len(self.statements), len(self.marked)
            try:
                self._add(one)
            except _RefusedError:
                self.edits = edits
                del self.gone[gone:], self.statements[statements:], self.marked[marked:]
                self.speller.added = speller
            else:
                self.made.append(one)
        while steps:
            self._take_steps(steps.pop())

    def _slices_to_take(self) -> list[StridedSlice]:
        """The slices with steps to rewrite, where the target is better off with a helper for them."""
        if self.whole is None or self.whole.program.helper_for_steps() is None:
            return []
        return [one for one in strided_slices(self.document) if self._converts(one.start)]

    def _take_steps(self, one: StridedSlice) -> None:
        """Rewrite a slice with steps by its helper."""
        name = self.whole.program.helper_for_steps() if self.whole is not None else None
        if b"#" in self.document.data[one.start : one.end]:
            return
        spelled = self.speller.spell(f"{HELPERS_MODULE}.{name}", one.start)
        if name is None or spelled is None:
            return
        index = ", ".join(self._index_text(part) for part in one.dimensions)
        text = f"{spelled}({self.text(*one.value)}, {index})"
        self.as_targets[one.start, one.end] = self._take(one.start, one.end)
        self.edits.append(Edit(one.start, one.end, text))
        self.helpers.add(name)

    def take_what_works_beside(self, names: Iterable[str]) -> None:
        """Take the helpers that change MindSpore's classes for what else the document does: importing them
        is enough."""
        if not self.edits:
            return
        for name in sorted(names):
            if self.speller.spell(f"{HELPERS_MODULE}.{name}", len(self.document.data)) is not None:
                self.helpers.add(name)

    def take_library_members(self) -> None:
        """Have what is read of the modules of other libraries read of the helpers, if there is one. Nothing
        stands inside of such a chain of names, so these come before all findings."""
        if self.whole is None or self.whole.parts is not None:
            return
        program, own = self.whole.program, self.whole.own
        libraries = [one for one in program.libraries - own if not program.needs_torch(one)]
        if not any(one.encode() in self.document.data for one in libraries):
            return
        for one in library_members(self.document, self.found.analysis, libraries):
            helper = program.helper(one.dotted)
            if helper is None or "." in helper:
                continue
            spelled = self.speller.spell(f"{HELPERS_MODULE}.{helper}", one.start)
            if spelled is not None:
                self.edits.append(Edit(one.start, one.end, spelled))
                self.gone.append((one.start, one.end))
                self.helpers.add(helper)
                self.modules_of_members.add(one.imported.bound)

    def take_dtype_texts(self) -> None:
        """Have texts of dtypes made by the helper that makes those of PyTorch. Nothing stands inside of the
        name of a function, so these come before all findings."""
        if self.whole is None:
            return
        for one in functions_of_dtypes(self.document):
            spelled = self.speller.spell(f"{HELPERS_MODULE}.{TEXT_OF}", one.start)
            if spelled is not None and self._is_builtin(one.start) and self._converts(one.start):
                self.edits.append(Edit(one.start, one.end, spelled))
                self.helpers.add(TEXT_OF)

    def take_compiled(self) -> None:
        """Have helpers take the place of functions of a library that call what is compiled there."""
        for name, helper in self.whole.compiled(self.document) if self.whole is not None else ():
            end = len(self.document.data)
            spelled = self.speller.spell(f"{HELPERS_MODULE}.{helper}", end)
            if spelled is not None:
                self.edits.append(Edit(end, end, f"\n\n{name} = {spelled}\n"))
                self.helpers.add(helper)

    def take_asked_packages(self) -> None:
        """Have what asks whether torch is there, or which version of it, ask for MindSpore, as what asks
        torch itself does."""
        for start, end in asked_for_torch(self.document) if self.whole is not None else ():
            is_free = not any(edit.start < end and start < edit.end for edit in self.edits)
            if is_free and self._converts(start):
                self.edits.append(Edit(start + 1, end - 1, "mindspore"))

    def take_torch_by_text(self) -> None:
        """Have calls that import a module of torch by a text give the members that the program may ask it
        for."""
        for one in torch_by_text(self.document) if self.whole is not None else ():
            is_free = not any(edit.start < one.end and one.start < edit.end for edit in self.edits)
            text = self._members_of(one.module, one.start) if is_free and self._converts(one.start) else None
            if text is not None:
                self.edits.append(Edit(one.start, one.end, text))

    def _members_of(self, module: str, at: int) -> str | None:
        """What stands for a module of torch of which members are asked for by names that are not known."""
        assert self.whole is not None
        program = self.whole.program
        helper = program.named_when_run(module)
        targets = {name: program.stand_in(f"{module}.{name}") for name in program.members(module)}
        spelled = {
            name: (self.speller.spell(target, at), target) for name, target in targets.items() if target
        }
        if helper is None and not spelled:
            return None
        space = self.speller.spell(f"{HELPERS_MODULE}.{helper or NAMESPACE}", at)
        if space is None:
            return None
        self.helpers.add(helper or NAMESPACE)
        if helper is not None:
            return space
        self.helpers.update(_helpers_among(target for _, target in spelled.values()))
        return f"{space}({', '.join(f'{name}={text}' for name, (text, _) in spelled.items() if text)})"

    def take_imports_by_text(self) -> None:
        """Have calls that import a member of a module by texts import the helper of that name."""
        if self.whole is None or not any(each in self.document.data for each in self._libraries_as_text()):
            return
        for one in imports_by_text(self.document):
            if self.whole.program.helper(f"{one.module}.{one.name}") == one.name:
                self._take_helpers_as_text(one.start, one.end, {one.name})
        libraries = self.whole.program.libraries
        named_as_text = [
            one for one in modules_by_text(self.document) if one.module.partition(".")[0] in libraries
        ]
        members = _MEMBER.findall(self.document.data) if named_as_text else ()
        asked = {match.decode() for match in members}
        for other in named_as_text:
            named = {name for name in asked if self._is_helper_of(other.module, name)}
            self._take_helpers_as_text(other.start, other.end, named)

    def take_names_by_text(self) -> None:
        """Have texts that name an API, in a program that looks objects up by their dotted names, name what
        takes its place."""
        if self.whole is None:
            return
        for one in names_by_text(self.document, self.whole.program.looks_objects_up):
            target = self.whole.program.stand_in(one.module)
            is_object = self.whole.program.is_class(one.module) or self.whole.program.is_function(one.module)
            is_free = not any(edit.start < one.end and one.start < edit.end for edit in self.edits)
            if target is None or not (is_object and is_free and self._converts(one.start)):
                continue
            helper = target.removeprefix(f"{HELPERS_MODULE}.")
            if helper == target:
                self.edits.append(Edit(one.start + 1, one.end - 1, target))
            else:
                self._take_helpers_as_text(one.start, one.end, {helper}, whole=True)

    def _is_helper_of(self, module: str, name: str) -> bool:
        """Whether the helper for a member of a module has the member's own name."""
        return self.whole is not None and self.whole.program.helper(f"{module}.{name}") == name

    def _take_helpers_as_text(
        self, start: int, end: int, names: Collection[str], whole: bool = False
    ) -> None:
        """Put the name of the module of helpers in the place of a text, if there are such helpers; with
        `whole`, the dotted name of the only one."""
        if not names or not self._converts(start):
            return
        helper = min(names)
        spelled = self.speller.spell(f"{HELPERS_MODULE}.{helper}", start)
        module = spelled.removesuffix(f".{helper}") if spelled is not None else helper
        if module in (spelled, helper):
            return  # nothing names the module there
        self._take(start, end)
        text = f'f"{{{module}.__name__}}.{helper}"' if whole else f"{module}.__name__"
        self.edits.append(Edit(start, end, text))
        self.helpers.update(names)

    def _libraries_as_text(self) -> Iterator[bytes]:
        assert self.whole is not None
        for library in self.whole.program.libraries:
            for quote in "'\"":
                yield f"{quote}{library}".encode()

    def take_shared_names(self, placed: Iterable[PlacedFinding]) -> None:
        """Put something else in the place of imported names that both what is converted and what stays read;
        not of those by that findings are spelled."""
        if self.whole is None or self.whole.parts is None:
            return
        spelled = [(one.start, one.end) for one in placed if one.finding.use.root is not None]
        self.shared = SharedNames(self.found.analysis, self.whole, self.is_taken)
        for start, end, name in self.shared.reads(spelled):
            helper = self.shared.helper(name)
            text = self.speller.spell(f"{HELPERS_MODULE}.{helper or PLACEHOLDER}", start)
            if text is None:
                continue
            self.helpers.add(helper or PLACEHOLDER)
            self.edits.append(
                Edit(start, end, text if helper is not None else f'{text}("{stands_for(name)}")')
            )

    def _converts(self, offset: int) -> bool:
        return self.whole is None or self.whole.converts(offset)

    def _index_text(self, part: tuple[tuple[int, int] | None, ...]) -> str:
        """One dimension of an index as an expression."""
        texts = ["None" if span is None else self.text(*span) for span in part]
        if len(texts) == 1:
            return texts[0]
        return (
            "slice(None)"
            if texts == ["None"] * 3
            else f"slice({', '.join(texts[: 2 if texts[2] == 'None' else 3])})"
        )

    def result(self, removes_imports: bool = True) -> tuple[Edit, ...]:
        """All edits with those of the imports: sorted, not overlapping."""
        analysis, speller = self.found.analysis, self.speller
        if self.whole is not None and not self.statements and not self.dedents:
            self._leave_out_empty_branches()
        removed: list[Edit] = []
        is_taken = self.is_taken
        if self.whole is not None:
            converted = TorchImports(
                analysis, self.whole, speller, self.is_taken, self.shared, frozenset(self.modules_of_members)
            )
            removed = converted.edits(self.gone)
            self.helpers |= converted.helpers
            is_taken = converted.is_kept
        if not self.edits and not removed and (self.whole is None or not speller.added):
            return ()
        imports = additions(analysis, speller.added.values(), speller.first_uses) + removed
        if removes_imports and (self.whole is None or self.whole.parts is not None):
            imports += removals(analysis, self.gone, is_taken)
        added = [*self.statements, *self._marks()]
        statements = [dedented(self.document, self.dedents, one) for one in added]
        dedents = dedent_edits(self.document, self.dedents, self.edits)
        data = self.document.data
        changes = [one for one in self.edits if data[one.start : one.end] != one.new_text.encode()]
        return tuple(_merged([*imports, *statements, *changes, *dedents]))

    def _leave_out_empty_branches(self) -> None:
        kept = without_empty_branches(self.document, self.edits)
        self.gone += [(one.start, one.end) for one in kept if one not in self.edits]
        self.edits = kept

    def names_freed(self, edits: Iterable[Edit]) -> dict[str, NewImport]:
        """The names of torch's modules whose imports these edits remove, with the imports that may take them
        over and have members that are needed."""
        analysis = self.found.analysis
        removing = [one for one in edits if one.end > one.start]
        freed = set()
        for block in analysis.blocks:
            for name in block.imports:
                start, end = block.start + name.start, block.start + name.end
                around = [one for one in removing if one.start <= start and end <= one.end]
                if around and not any(name.bound in _WORD.findall(one.new_text) for one in around):
                    freed.add(name.bound)
        found = taking_over(analysis, freed & no_longer_read(analysis, self.gone)) if freed else {}
        spelled = self.speller.spelled
        return {
            name: new
            for name, new in found.items()
            if any(target.startswith(f"{new.dotted}.") for target in spelled)
        }

    # -- one finding ----------------------------------------------------------------------------------

    def _add(self, found: PlacedFinding) -> None:
        finding = found.finding
        placed = PlacedUse(finding.use, found.shift, finding.targets[0] if finding.targets else "")
        self._take_builtin_dtypes(placed)
        self._take_names_of_numpy(placed)
        if finding.plan is not None:
            finding.plan.carry_out(self, placed)
        else:
            self.rename(placed)

    def _take_builtin_dtypes(self, placed: PlacedUse) -> None:
        """Give MindSpore's dtypes for Python's types (`dtype=bool`), which PyTorch takes as well."""
        for one in dtype_arguments(placed.use):
            start = placed.start - placed.use.start + one.start
            if self._is_builtin(start):
                target = self.spelled(BUILTIN_DTYPES[one.source], start)
                self.replace(start, start + len(one.source), target)

    def _take_names_of_numpy(self, placed: PlacedUse) -> None:
        """Have `**options` give a helper what they hold by PyTorch's names, where these may be NumPy's."""
        use = placed.use
        if self.whole is None or use.call is None:
            return
        given = [one for one in use.call.arguments if one.unpack == "**" and one.source.isidentifier()]
        if not given or not self.whole.program.may_name_as_numpy(use.api, placed.target):
            return
        for one in given:
            start = placed.start - use.start + one.start
            spelled = self.spelled(f"{HELPERS_MODULE}.{NAMES_OF_TORCH}", start)
            self.replace(start, start + len(one.source.encode()), f"{spelled}({one.source})")
            self.helpers.add(NAMES_OF_TORCH)

    def _is_builtin(self, start: int) -> bool:
        """Whether the type that is read at a byte, which PyTorch takes as a dtype, is Python's own. It is so
        behind a star import, too, unless the module binds that name."""
        analysis = self.found.analysis
        read = analysis.names().reads().get(start)
        if read is None or read.bound.binder != "star" or self.whole is None:
            return read is not None and read.bound.binder == "builtin"
        stars = [module for block in analysis.lowered for module, _ in block.stars]
        return not any(read.name in (self.whole.program.exports(module) or ()) for module in stars)

    # -- what plans are carried out by (see `Rewriting`) ------------------------------------------------

    def rename(self, placed: PlacedUse) -> None:
        """Replace the expression that names the API; of a member, only its name."""
        use, target, start, end = placed.use, placed.target, placed.start, placed.end
        if use.receiver_end is not None:
            name = target.rpartition(".")[2]
            self.replace(end - len(use.api.rpartition(".")[2].encode()), end, name)
            return
        place = SyntaxPlace.find(self.document, start, end)
        if place is not None and place.is_deleted:
            raise _RefusedError
        spelled = self.spelled(target, start)
        if place is not None and place.is_class_attribute and self._is_function(placed):
            spelled = f"staticmethod({spelled})"
        self.replace(start, end, spelled)
        if use.root is not None:
            self.gone.append((start, end))

    def _is_function(self, placed: PlacedUse) -> bool:
        """Whether a function is named, not called. PyTorch's own do not become methods where they are
        attributes of a class (`conv = torch.conv2d`); those written in Python do."""
        use = placed.use
        return use.call is None and self.whole is not None and self.whole.program.is_function(use.api)

    def name_members(self, placed: PlacedUse) -> bool:
        """`module` becomes `namespace(name=..., ...)`, with the members that the document names in texts, or
        reads of the name that is given to it, or all where it is listed (`vars(module)`), or of a small
        one."""
        if self.whole is None or placed.use.call is not None or placed.use.kind == "base":
            return False
        program = self.whole.program
        if program.is_class(placed.use.api):
            return False
        if self._answer_for_member(placed) or self._name_by_path(placed):
            return True
        targets = self._asked_in_form(placed)
        base = self._named_when_run(placed) if not targets else None
        targets = targets or self._asked_in_file(placed, has_base=base is not None)
        if base is not None:
            held = program.members_of_helper(base)
            targets = {name: target for name, target in targets.items() if name not in held}
        if base is None and not targets:
            return False
        prefix = f"{HELPERS_MODULE}."
        own = _helpers_among(targets.values())
        arguments = [f"{name}={self.spelled(target, placed.start)}" for name, target in targets.items()]
        if base is not None:
            arguments.insert(0, self.spelled(f"{prefix}{base}", placed.start))
            own.add(base)
        if targets:
            own.add(NAMESPACE)
            arguments = [f"{self.spelled(f'{prefix}{NAMESPACE}', placed.start)}({', '.join(arguments)})"]
        self.replace_name(placed, arguments[0])
        self.helpers.update(own)
        return True

    def _asked_in_form(self, placed: PlacedUse) -> dict[str, str]:
        """What stands for the members whose names a formatted text may give, where the module is asked for
        them on the spot (`getattr(module, f"Conv{n}d")`)."""
        assert self.whole is not None
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        form = place.asked_form if place is not None else None
        if form is None:
            return {}
        members = self.whole.program.names_in(placed.use.api)
        return self._standing_in(placed.use.api, [name for name in members if form.fullmatch(name)])

    def _asked_in_file(self, placed: PlacedUse, *, has_base: bool) -> dict[str, str]:
        """What stands for the members of a module that the document names in texts or, where no helper has
        them all, reads of a name that it may be given to; for all where they are listed, and else for those
        of a small module."""
        assert self.whole is not None
        program, data = self.whole.program, self.document.data
        forms = [_form_of(match.decode()) for match in _NAME_AS_FORMAT.findall(data)]
        named = {match.decode() for match in _NAME_AS_TEXT.findall(data)}
        members = program.names_in(placed.use.api) if forms else ()
        named |= {name for name in members if any(form.fullmatch(name) for form in forms)}
        if not has_base:
            named.update(self._with_parts(placed))
        has_all = has_base and program.members(placed.use.api)
        if not has_all and not data[: placed.start].rstrip().endswith((b"getattr(", b"hasattr(")):
            named.update(match.decode() for match in _MEMBER.findall(data))
        if self._is_listed(data[placed.start : placed.end]):
            named.update(program.members_with_helpers(placed.use.api))
        targets = self._standing_in(placed.use.api, named)
        return targets or self._standing_in(placed.use.api, program.members(placed.use.api))

    def _with_parts(self, placed: PlacedUse) -> Iterator[str]:
        """The members of a module that is asked for one on the spot (`getattr(models, name)`), whose names
        have a part that the document tests names for (`if "resnet" in name`)."""
        assert self.whole is not None
        data = self.document.data
        if not data[: placed.start].rstrip().endswith(b"getattr("):
            return
        parts = {(match[1] or match[2]).decode() for match in _PART_OF_NAME.finditer(data)}
        for name in self.whole.program.names_in(placed.use.api) if parts else ():
            if any(part in name for part in parts):
                yield name

    def _is_listed(self, module: bytes) -> bool:
        """Whether the document lists all members of a module, by the expression that names it: then any of
        them may be asked for."""
        written = re.escape(module)
        listed = rb"(?<![\w.])(?:vars|dir|(?:inspect *\. *)?getmembers) *\(\s*%b *[,)]" % written
        return re.search(rb"%b|(?<![\w.])%b\.__dict__" % (listed, written), self.document.data) is not None

    def _answer_for_member(self, placed: PlacedUse) -> bool:
        """`hasattr(module, "name")` becomes True or False, `getattr(module, "name")` the member."""
        assert self.whole is not None
        program = self.whole.program
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        asked = place.asked_member if place is not None else None
        if asked is None or "." in asked.name or not program.is_module(placed.use.api):
            return False
        if not self._is_builtin(asked.function.start):
            return False
        function = self.document.data[asked.function.start : asked.function.end]
        member = f"{placed.use.api}.{asked.name}"
        if function == b"hasattr":
            text = str(program.may_be_asked_for(member))
        elif function == b"getattr" and (target := program.stand_in(member)) is not None:
            text = self.spelled(target, placed.start)
            self.helpers.update(_helpers_among([target]))
        else:
            return False
        self._take(asked.call.start, asked.call.end)
        self.replace(asked.call.start, asked.call.end, text)
        self.gone.append((placed.start, placed.end))
        return True

    def _name_by_path(self, placed: PlacedUse) -> bool:
        """`nested(module, "backends.mps.is_built")` gets a namespace with what that text leads to, and with
        nothing else; an empty one where MindSpore has nothing of the kind."""
        assert self.whole is not None
        program = self.whole.program
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        asked = place.asked_member if place is not None else None
        if asked is None or "." not in asked.name or not program.is_module(placed.use.api):
            return False
        *modules, name = asked.name.split(".")
        member = f"{placed.use.api}.{asked.name}"
        target, result, text = program.stand_in(member), program.always_gives(member), ""
        if target is not None:
            text = f"{name}={self.spelled(target, placed.start)}"
        elif result is not None:
            text = f"{name}=lambda: {result}"
        space = self.spelled(f"{HELPERS_MODULE}.{NAMESPACE}", placed.start)
        for module in reversed(modules if text else ()):
            text = f"{module}={space}({text})"
        self.replace_name(placed, f"{space}({text})")
        self.helpers.update(_helpers_among([target] if target is not None else ()), {NAMESPACE})
        return True

    def _named_when_run(self, placed: PlacedUse) -> str | None:
        """The helper with the members of a module that programs name by texts from elsewhere, where
        `getattr(module, ...)` asks for one, or the module is handed on to what may ask."""
        assert self.whole is not None
        helper = self.whole.program.named_when_run(placed.use.api)
        if helper is None:
            return None
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        return helper if place is not None and place.is_argument else None

    def _standing_in(self, module: str, names: Iterable[str]) -> dict[str, str]:
        """What stands for the members of a module, by their names."""
        assert self.whole is not None
        return {
            name: target
            for name in sorted(names)
            if not keyword.iskeyword(name)
            and (target := self.whole.program.stand_in(f"{module}.{name}")) is not None
        }

    def call_into_out(self, placed: PlacedUse, target: str) -> None:
        """The name of a function becomes `with_out(name)`, which takes `out`."""
        function = self.spelled(target, placed.start)
        self.replace_name(placed, f"{self.spelled(placed.target, placed.start)}({function})")
        self.helpers.update(_helpers_among([target]))

    def spread_first(self, placed: PlacedUse) -> None:
        """The first argument of a call stands for several: `kind(size)` becomes `kind(*size)`."""
        arguments = self._call(placed).arguments
        if not arguments or arguments[0].value.is_loose:
            raise _RefusedError
        start = arguments[0].start
        if not any(one.start == start and one.new_text.startswith("*") for one in self.edits):
            self._insert(start, "*")

    def mark(self, placed: PlacedUse) -> None:
        """Note that a person has to find what takes the place of a use."""
        self.marked.append((placed.start, placed.use.api))

    def _marks(self) -> list[Edit]:
        """The comments about what is left to a person, each above its statement."""
        lines: dict[int, dict[str, None]] = {}
        document = self.document
        for offset, api in self.marked:
            if self._is_left_out(offset, api):
                continue
            start = _statement_start(document, offset)
            lines.setdefault(document.lines.line_start(document.lines.line_of(start)), {})[api] = None
        assert self.whole is not None or not lines
        found = []
        for start, apis in lines.items():
            line = document.data[start : document.lines.line_end(document.lines.line_of(start))]
            indent = line[: len(line) - len(line.lstrip())].decode()
            marks = self.whole.marks(apis, len(indent)) if self.whole is not None else []
            text = "".join(f"{indent}{mark}{newline(document)}" for mark in marks)
            found.append(Edit(start, start, text))
        return found

    def _is_left_out(self, offset: int, api: str) -> bool:
        """Whether what takes the place of the code at an offset has nothing of an API any more: it went with
        what it was given to (`with sdpa_kernel(SDPBackend.MATH):`)."""
        name = api.rpartition(".")[2]
        return any(one.start <= offset < one.end and name not in one.new_text for one in self.edits)

    def replace_name(self, placed: PlacedUse, text: str) -> None:
        """Put a text in the place of the expression that names the API."""
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        if place is not None and (place.is_deleted or place.is_target):
            raise _RefusedError
        self.replace(placed.start, placed.end, text)
        self.gone.append((placed.start, placed.end))

    def compare_class(self, placed: PlacedUse) -> None:
        """`kind is torch.Tensor` becomes `class_itself(kind) is ...`; `type(x)` is a class itself."""
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        other = place.compared_with if place is not None else None
        if other is None or self.document.data[other.start : other.end].startswith(b"type("):
            return
        self._insert(other.start, f"{self.spelled(f'{HELPERS_MODULE}.{CLASS_ITSELF}', other.start)}(")
        self._insert_behind(other.end, ")")
        self.helpers.add(CLASS_ITSELF)

    def is_assigned_to(self, placed: PlacedUse) -> bool:
        """Whether the expression that names the API is set, or deleted."""
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        return place is not None and place.is_target

    def is_handed_on(self, placed: PlacedUse) -> bool:
        """Whether the expression that names the API is bound, returned or passed."""
        place = SyntaxPlace.find(self.document, placed.start, placed.end)
        return place is not None and place.is_handed_on

    def replace_type(self, placed: PlacedUse, text: str) -> None:
        """Put a text in the place of a type in an annotation, and of its parameters."""
        whole = self._place_of(placed).with_parameters
        self._take(whole.start, whole.end)
        self.replace(whole.start, whole.end, text)
        self.gone.append((whole.start, whole.end))

    def rename_members(self, placed: PlacedUse, names: Mapping[str, str]) -> None:
        """Rename methods of the class with this base, and of those derived from it."""
        for edit in self.classes.renamed(placed.start, placed.end, names):
            if edit not in self.edits:  # a class that is derived from several
                self.replace(edit.start, edit.end, edit.new_text)

    def leave_out(self, placed: PlacedUse, gives_receiver: bool, receiver_is_plain: bool) -> None:
        """Leave out what is not needed, with the statement, decorator or guard that it is."""
        place = self._call(placed) if placed.use.call is not None else self._place_of(placed)
        removed = self.remover.remove(place, gives_receiver, receiver_is_plain)
        if removed is None:
            raise _RefusedError
        self._remove(removed)

    def leave_out_statement(self, placed: PlacedUse) -> bool:
        """Leave out a call with the statement that it is. Tells whether it is one that can be left out."""
        removed = self.remover.remove(self._call(placed), gives_receiver=False, receiver_is_plain=True)
        if removed is not None:
            self._remove(removed)
        return removed is not None

    def leave_out_around(self, placed: PlacedUse) -> bool:
        """Leave out a decorator, or a call around what it is given first."""
        call = placed.use.call
        place = self._call(placed) if call is not None else self._place_of(placed)
        kept = next(iter(place.arguments or ()), None) if call is not None else None
        removed = self.remover.remove_around(place, kept.value if kept is not None else None)
        if removed is not None:
            self._remove(removed)
            return True
        whole, data = place.span, self.document.data
        if kept is None or kept.keyword is not None or not kept.value.is_atom:
            return False
        if b"#" in data[whole.start : kept.start] or b"#" in data[kept.end : whole.end]:
            return False
        self.erase(whole.start, kept.start)
        self.erase(kept.end, whole.end)
        return True

    def _remove(self, removed: Removed) -> None:
        edit = removed.edit
        self._take(edit.start, edit.end)
        self.replace(edit.start, edit.end, edit.new_text)
        self.gone.append((edit.start, edit.end))
        if removed.dedent is not None:
            self.dedents.append(removed.dedent)

    def rewrite_call(self, placed: PlacedUse, plan: CallPlan) -> None:
        """Change callee and arguments where they have to change, and nothing else."""
        place = self._call(placed)
        arguments = place.arguments
        use = placed.use
        if arguments is None or use.call is None or len(arguments) != len(use.call.arguments):
            raise _RefusedError
        opened = placed.shift + use.call.arguments_start + 1
        stays = bool(plan.placed or plan.added)
        if plan.receiver == "first":
            self._give_receiver(placed, place, opened, stays)
        else:
            self.rename(placed)
        self._drop(plan, arguments, opened, place.span.end - 1)
        self._place(plan, arguments)
        texts = [f"{name}={value}" for name, value in plan.added]
        if texts:
            kept = [arguments[one.index] for one in plan.placed]
            at = kept[-1].end if kept else opened
            self._insert_behind(at, (", " if kept else "") + ", ".join(texts))

    def call_on_receiver(self, placed: PlacedUse) -> None:
        """`x.attribute` becomes `function(x)`; not where it is assigned to. An attribute by another name only
        holds what that attribute gave (`self._device = x.device`), and stays."""
        place = self._place_of(placed)
        receiver, whole = place.receiver, place.span
        if receiver is None or place.is_target or b"#" in self.document.data[receiver.end : whole.end]:
            raise _RefusedError
        written = self.document.data[receiver.end : whole.end].rpartition(b".")[2].strip()
        if written != placed.use.api.rpartition(".")[2].encode():
            return
        spelled = self.spelled(placed.target, whole.start)
        text = self._take(receiver.start, receiver.end)
        self.replace(whole.start, whole.end, f"{spelled}({text})")

    def choose_method(self, placed: PlacedUse) -> None:
        """`x.name(...)` becomes `method(x, "name", function)(...)`."""
        place = self._place_of(placed)
        receiver, whole = place.receiver, place.span
        if receiver is None or b"#" in self.document.data[receiver.end : whole.end]:
            raise _RefusedError
        spelled = self.spelled(f"{HELPERS_MODULE}.{METHOD}", whole.start)
        function = self.spelled(placed.target, whole.start)
        self.helpers.add(METHOD)
        name = placed.use.api.rpartition(".")[2]
        text = self._take(receiver.start, receiver.end)
        self.replace(whole.start, whole.end, f'{spelled}({text}, "{name}", {function})')

    def keep_member(self, placed: PlacedUse) -> None:
        """Import the module of the helpers, which gives objects the member."""
        self.speller.spell(placed.target, placed.start)

    def assign_in_place(self, placed: PlacedUse) -> None:
        """`name op= value` becomes `name = function(name, name op value)` where it matters that the Tensor
        itself changes: something else refers to it, or it runs without gradients, as what updates weights
        does."""
        found = augmented_assignment(self.document, placed.start)
        if found is None or b"#" in self.document.data[found.start : found.end]:
            raise _RefusedError
        if not placed.use.shared and not any(self._is_without_gradients(span) for span in found.around):
            raise _RefusedError
        value = self._take(*found.value)
        value = f"({value})" if found.needs_brackets else value
        spelled = self.spelled(placed.target, found.start)
        # assigned, too: what is no Tensor yet (`total = 0`) is a new object
        text = f"{found.name} = {spelled}({found.name}, {found.name} {found.operator} {value})"
        self.replace(found.start, found.end, text)

    def _is_without_gradients(self, span: tuple[int, int]) -> bool:
        """Whether a context or a decorator is one of PyTorch's under which nothing is recorded."""
        return any(
            one.finding.use.api in _WITHOUT_GRADIENTS and span[0] <= one.start < span[1]
            for one in self.found.findings
        )

    def assign_part(self, placed: PlacedUse, plan: RewritePlan) -> None:
        """Rewrite a call that changes its first operand, and assign its result to that where it is but a part
        of something."""
        call = self._call(placed)
        part = call.changed_part(placed.use.receiver_end is not None)
        if part is not None and self._is_of_tuple(part.start, part.end):
            part = None
        text = self._as_target(part.start, part.end) if part is not None else ""
        plan.carry_out(self, placed)
        if part is not None:
            self._insert(call.span.start, f"{text} = ")

    def _is_of_tuple(self, start: int, end: int) -> bool:
        """Whether a part (`x[0]`) is one of a tuple, which cannot be assigned to."""
        name = self.document.data[start:end].partition(b"[")[0]
        return name in names_of_parts(self.document)

    def _as_target(self, start: int, end: int) -> str:
        """The text of a span where it is assigned to."""
        return self.as_targets.get((start, end)) or self.text(start, end)

    def _give_receiver(self, placed: PlacedUse, place: SyntaxPlace, opened: int, stays: bool) -> None:
        """`x.method(` becomes `function(x, `."""
        receiver, start = place.receiver, place.span.start
        if receiver is None or b"#" in self.document.data[receiver.end : opened]:
            raise _RefusedError
        spelled = self.spelled(placed.target, start)
        text = self._take(receiver.start, receiver.end)
        ends_line = re.match(rb"[ \t]*(?:\r?\n|$)", self.document.data[opened : opened + 200]) is not None
        comma = "," if ends_line else ", "
        self.replace(start, opened, f"{spelled}({text}{comma if stays else ''}")

    def _drop(self, plan: CallPlan, arguments: list[ArgumentSpan], opened: int, closing: int) -> None:
        """Remove the arguments that go, each with a comma."""
        kept = [one.index for one in plan.placed]
        last_kept = max(kept, default=-1)
        for index, argument in enumerate(arguments):
            if index in kept:
                continue
            if index < last_kept:
                self.erase(argument.start, arguments[index + 1].start)
        if last_kept + 1 < len(arguments):
            start = arguments[last_kept].end if kept else opened
            self.erase(start, arguments[-1].end if kept or plan.added else closing)

    def replace_all(self, start: int, end: int, text: str) -> None:
        if b"#" in self.document.data[start:end]:
            raise _RefusedError
        self._take(start, end)
        self.replace(start, end, text)

    def erase(self, start: int, end: int) -> None:
        if b"#" in self.document.data[start:end]:
            raise _RefusedError
        self._take(start, end)
        self.replace(start, end, "")
        self.gone.append((start, end))

    def _place(self, plan: CallPlan, arguments: list[ArgumentSpan]) -> None:
        """Give the arguments that stay their keywords, and pack what becomes one tuple."""
        packed = [one for one in plan.placed if one.packed]
        for one in plan.placed:
            argument = arguments[one.index]
            before = ""
            if argument.keyword is not None:
                if one.keyword is not None:
                    self._rename_keyword(argument, one.keyword)
            elif one.keyword is not None:
                before = f"{one.keyword}="
            if one.spread:
                before += "*"
            if one.packed and self._is_packed_tuple(packed, arguments):
                if one is packed[0]:
                    before += "("
                if one is packed[-1]:
                    self._insert_behind(argument.end, ",)" if len(packed) == 1 else ")")
            if before:
                if argument.value.is_loose:
                    raise _RefusedError
                self._insert(argument.start, before)

    def _rename_keyword(self, argument: ArgumentSpan, keyword: str) -> None:
        span = argument.keyword
        assert span is not None
        if self.document.data[span.start : span.end] != keyword.encode():
            self.replace(span.start, span.end, keyword)

    def _is_packed_tuple(self, packed: list[Placed], arguments: list[ArgumentSpan]) -> bool:
        """Whether brackets are to be added: not around a single value that may be a tuple already."""
        if len(packed) > 1:
            return True
        first = arguments[packed[0].index].value
        return (
            self.document.data[first.start : first.end].isdigit() or self.document.data[first.start] == 0x2A
        )

    def expand(self, placed: PlacedUse, plan: TemplatePlan) -> None:
        """Put a template in the place of a call or an attribute."""
        use = placed.use
        place = self._call(placed) if use.call is not None else self._place_of(placed)
        arguments = place.arguments or []
        if place.is_target or (use.call is not None and len(arguments) != len(use.call.arguments)):
            raise _RefusedError
        whole = place.span
        used = self._used(plan, place, arguments)
        self._refuse_comments(whole, used)
        text = TemplateText(
            plan,
            place,
            arguments,
            lambda span: self.text(span.start, span.end),
            lambda name: self.speller.spell(name, whole.start),
        )
        if plan.naming is not None:
            self._name(placed, plan, text)
        result = text.result()
        if result is None:
            raise _RefusedError
        self._take(whole.start, whole.end)
        self.replace(whole.start, whole.end, result)
        self._forget_reads(whole, used)

    def _name(self, placed: PlacedUse, plan: TemplatePlan, text: TemplateText) -> None:
        """Give names to what has to be evaluated first."""
        assert plan.naming is not None
        imported = self.found.analysis.imported_names
        given = names_to_give(self.document, imported, placed.shift, placed.use, plan.naming)
        if isinstance(given, Text):
            raise _RefusedError
        owner = {index: one.name for one in plan.filled for index in one.indices}
        text.names = {
            index: self.names.choose(_name_for(owner[index]), given.scope) for index in given.indices
        }
        text.in_place = given.line_start is None
        if given.line_start is None:
            return
        for index, name in text.names.items():
            value = text.value(index)
            if value is None:
                raise _RefusedError
            line = f"{given.indent}{name} = {value}{newline(self.document)}"
            self.statements.append(Edit(given.line_start, given.line_start, line))

    def _used(self, plan: TemplatePlan, place: SyntaxPlace, arguments: list[ArgumentSpan]) -> list[Span]:
        """The parts of the text that the template takes up."""
        used: list[Span] = []
        for one in plan.filled:
            for index in one.indices:
                span = place.receiver if index == RECEIVER else arguments[index].value
                if span is None:
                    raise _RefusedError
                used.append(span)
        return sorted(used)

    def _refuse_comments(self, whole: Span, used: list[Span]) -> None:
        position = whole.start
        for span in [*used, Span(whole.end, whole.end)]:
            if b"#" in self.document.data[position : span.start]:
                raise _RefusedError
            position = max(position, span.end)

    def _forget_reads(self, whole: Span, used: list[Span]) -> None:
        position = whole.start
        for span in [*used, Span(whole.end, whole.end)]:
            self.gone.append((position, span.start))
            position = max(position, span.end)

    # -- text and edits -------------------------------------------------------------------------------

    def _call(self, placed: PlacedUse) -> SyntaxPlace:
        call = placed.use.call
        if call is None:
            raise _RefusedError
        return self._find(placed.shift + call.start, placed.shift + call.end)

    def _place_of(self, placed: PlacedUse) -> SyntaxPlace:
        use = placed.use
        return self._find(placed.shift + use.start, placed.shift + use.end)

    def _find(self, start: int, end: int) -> SyntaxPlace:
        place = SyntaxPlace.find(self.document, start, end)
        if place is None:
            raise _RefusedError
        return place

    def spelled(self, target: str, at: int) -> str:
        spelled = self.speller.spell(target, at)
        if spelled is None:
            raise _RefusedError
        return spelled

    def text(self, start: int, end: int) -> str:
        """The text of a span after the edits inside it."""
        data, position = [], start
        for edit in sorted(self.edits):
            if start <= edit.start and edit.end <= end:
                data += [self.document.data[position : edit.start], edit.new_text.encode()]
                position = edit.end
        data.append(self.document.data[position:end])
        return b"".join(data).decode()

    def _take(self, start: int, end: int) -> str:
        """The same, and the edits inside are done with: what replaces the span has them."""
        text = self.text(start, end)
        self.edits = [edit for edit in self.edits if not (start <= edit.start and edit.end <= end)]
        return text

    def replace(self, start: int, end: int, text: str) -> None:
        if any(edit.start < end and start < edit.end for edit in self.edits):
            raise _RefusedError
        place = SyntaxPlace.find(self.document, start, end)
        if any(one in text for one in _NOT_IN_STRINGS) and place is not None:
            text = _in_strings(text, place.quotes_around)
        self.edits.append(Edit(start, end, text))

    def _insert(self, at: int, text: str) -> None:
        """Insert before whatever else is inserted or replaced from there on."""
        for position, edit in enumerate(self.edits):
            if edit.start == at:
                self.edits[position] = Edit(at, edit.end, text + edit.new_text)
                return
        self.edits.append(Edit(at, at, text))

    def _insert_behind(self, at: int, text: str) -> None:
        """Insert behind whatever else ends there."""
        for position, edit in enumerate(self.edits):
            if edit.end == at:
                self.edits[position] = Edit(edit.start, at, edit.new_text + text)
                return
        self.edits.append(Edit(at, at, text))


def _in_strings(text: str, quotes: frozenset[str]) -> str:
    """Code as it may stand inside the braces of formatted strings that begin so, before Python 3.12 as well:
    with other quotes, if it has to."""
    if not quotes:
        return text
    taken = {quote for quote in quotes if quote in text}
    other = {"'": '"', '"': "'"}.get("".join(taken))
    if "\\" in text or "\n" in text or (taken and (other is None or other in text or other in quotes)):
        raise _RefusedError
    return text.replace("".join(taken), other) if other is not None else text


def _statement_start(document: Document, offset: int) -> int:
    """Where the innermost statement around a byte starts."""
    found = document.piece_at(offset)
    if found is None:
        return offset
    start, piece = found
    node = piece.root.descendant_for_byte_range(offset - start, offset - start)
    while node is not None and node.parent is not None and node.parent.type not in ("block", "module"):
        node = node.parent
    return start + node.start_byte if node is not None else offset


def _merged(edits: Iterable[Edit]) -> list[Edit]:
    """Edits sorted; what is inserted at one place becomes one edit, in the given order."""
    inserted: dict[int, str] = {}
    others: list[Edit] = []
    for edit in edits:
        if edit.start == edit.end:
            inserted[edit.start] = inserted.get(edit.start, "") + edit.new_text
        else:
            others.append(edit)
    return sorted([*others, *(Edit(at, at, text) for at, text in inserted.items())])


def _name_for(parameter: str) -> str:
    """What to call the value of a parameter, `self` being that of the receiver."""
    return "tensor" if parameter in ("self", "input") else parameter


def _extent(placed: PlacedFinding) -> tuple[int, int]:
    """How much of the text a rewrite is about: what is inside another is smaller. Names of methods, which are
    not inside the base class they go with, are changed first of all."""
    use, plan = placed.finding.use, placed.finding.plan
    if plan is not None and plan.goes_first:
        return 0, placed.start
    if plan is not None and plan.goes_last:
        return sys.maxsize, placed.start
    end = use.call.end if use.call is not None else use.end
    return end - use.start, placed.shift + use.start


_WORD = re.compile(r"[^\W\d]\w*")


class FreshNames:
    """Chooses names that are nowhere in a document, be it in another scope or in a text, and none of them
    twice in one scope."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._taken: set[str] | None = None
        self._chosen: set[tuple[int | None, str]] = set()

    def choose(self, wanted: str, scope: int | None) -> str:
        """A name like `wanted`, with a number where that is taken, for the scope that starts at a byte (None:
        that of the module)."""
        if self._taken is None:
            self._taken = set(_WORD.findall(self._document.data.decode("utf-8", "replace")))
        stem = f"{wanted}_value" if wanted in BUILTINS or keyword.iskeyword(wanted) else wanted
        name, number = stem, 1
        while name in self._taken or (scope, name) in self._chosen:
            number += 1
            name = f"{stem}_{number}"
        self._chosen.add((scope, name))
        return name
