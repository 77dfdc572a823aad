"""The imports of PyTorch in a program that is converted as a whole: none of them stays."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.catalog.helper_table import HELPERS_MODULE, NAMESPACE, NOT_CONVERTED, PLACEHOLDER
from mindport.rewrite.edit import Edit, newline
from mindport.rewrite.import_additions import ImportPlaces
from mindport.rewrite.import_removals import exports_all, reads_within, statement_removal
from mindport.rewrite.shared_names import is_converted
from mindport.rewrite.spelling import stands_for
from mindport.rewrite.whole import is_private_name, is_within
from mindport.source.expression_node import expression_node

if TYPE_CHECKING:
    from mindport.index.definitions import ImportName
    from mindport.rewrite.import_removals import IsTaken
    from mindport.rewrite.shared_names import SharedNames
    from mindport.rewrite.spelling import Speller
    from mindport.rewrite.whole import WholeFile
    from mindport.uses.analysis import AnalysedBlock, Analysis

_STAR: Final = "*"
_ALL: Final = "__all__"
_FUNCTIONS: Final = ("function_definition", "class_definition", "module")
_FAILS: Final = re.compile(rb"^except\b\*?\s*(?::|[^:]*\b(?:ImportError|ModuleNotFoundError|Exception)\b)")
"""A clause that is run when an import fails."""
_TEXTS_RUN: Final = re.compile(rb"(?<![\w.])eval\s*\(\s*(?:[A-Za-z_]\w*\s*[^\w\s\"']|[fF][\"'])")
"""What runs texts that are no literals: they may name members of what the module imports."""
_OWN_NAMES: Final = re.compile(
    rb"sys\s*\.\s*modules\s*\[\s*__name__\s*\]|(?<![\w.])(?:globals|vars)\s*\(\s*\)\s*[\[.)]|"
    + _TEXTS_RUN.pattern
)
"""What reads names of the module by texts that are no literals."""


@dataclass
class TorchImports:
    """Makes the edits of the imports of one document. A name that nothing reads any more goes; one that is
    still read, or that other files take from here, gets a counterpart, or something that may be named but not
    called. `helpers` collects the helpers that this takes."""

    analysis: Analysis
    whole: WholeFile
    speller: Speller
    is_taken: IsTaken
    shared: SharedNames | None = None
    """Where only parts of the document are converted: the names that these and the others read."""
    modules: frozenset[str] = frozenset()
    """The names of other libraries' modules of which members were replaced: they go where nothing else is
    read of them."""
    helpers: set[str] = field(default_factory=set)
    _changed: set[str] = field(default_factory=set)
    _gone: Sequence[tuple[int, int]] = ()
    _later: dict[int, list[str]] = field(default_factory=dict)
    """Imports of helpers that are found only behind statements that change where modules are found, by the
    place there."""

    def is_kept(self, name: str, is_exported: bool) -> bool:
        """Whether an import of a name is not to be removed, because others take it or it is changed
        already."""
        return name in self._changed or self.is_taken(name, is_exported)

    def edits(self, gone: Sequence[tuple[int, int]]) -> list[Edit]:
        """The edits, where what stands in the spans `gone` (absolute bytes) is read no more."""
        read, self._gone = self._read(gone), gone
        exports = exports_all(self.analysis)
        is_package = self.analysis.document.uri.endswith("__init__.py")
        ever_read = {read.name for block in self.analysis.blocks for read in block.found.reads}

        def is_needed(name: ImportName) -> bool:
            if name.bound in read or self.is_taken(name.bound, exports) or self._may_be_named(name):
                return True
            return is_package and (self._is_listed(name.bound) or self._is_handed_on(name, ever_read))

        edits = []
        for block in self.analysis.blocks:
            for names in _statements(block.imports):
                edit = self._edit(block, names, is_needed)
                if edit is not None:
                    edits.append(edit)
        line_end = newline(self.analysis.document)
        for place, lines in self._later.items():
            edits.append(Edit(place, place, "".join(line + line_end for line in lines)))
        return edits

    def _read(self, gone: Sequence[tuple[int, int]]) -> set[str]:
        """The names that are still read."""
        offsets = {offset for start, end in gone for offset in reads_within(self.analysis, start, end)}
        names = self.analysis.names()
        return {
            read.name
            for position, block in enumerate(self.analysis.blocks)
            for read in block.found.reads
            if block.start + read.start not in offsets
            and not names.is_bound_anew(read.name, block.start + read.start, position)
        }

    def _may_be_named(self, name: ImportName) -> bool:
        """Whether a text that only running the program tells may name what an import takes from a module, and
        something stands for it."""
        if self._named_when_run(stands_for(name), name.bound) is not None:
            return True
        is_member = bool(name.module) and name.name != _STAR
        if not is_member or _OWN_NAMES.search(self.analysis.document.data) is None:
            return False
        return self.whole.program.stand_in(stands_for(name)) is not None

    def _named_when_run(self, api: str, bound: str) -> str | None:
        """The helper with the members of a module, of which texts that are run may name each, here or in a
        file that takes the name of the module from here."""
        helper = self.whole.program.named_when_run(api)
        if helper is None or "." not in api:  # `import torch.nn` binds `torch`, too
            return None
        texts = (self.analysis.document.data, *self.whole.texts_of_takers(bound))
        return helper if any(_TEXTS_RUN.search(text) for text in texts) else None

    def _is_listed(self, name: str) -> bool:
        """Whether `__all__` names it."""
        texts = [
            self.analysis.document.text(block.start, block.start + block.length)
            for block in self.analysis.blocks
            if _ALL in block.names
        ]
        return any(f'"{name}"' in text or f"'{name}'" in text for text in texts)

    def _is_handed_on(self, name: ImportName, ever_read: set[str]) -> bool:
        """Whether a package imports a name that it never reads, and that there is something for: others ask
        it for the name, be it by a text (`getattr(optimizers, args.optimizer)`)."""
        if name.bound in ever_read or not name.module or name.name == _STAR:
            return False
        return not name.conditional and self.whole.program.stand_in(stands_for(name)) is not None

    def _edit(
        self, block: AnalysedBlock, names: Sequence[ImportName], is_needed: Callable[[ImportName], bool]
    ) -> Edit | None:
        """What becomes of one import statement; None where it stays."""
        if not any(self._is_converted(name) or self._is_idle(name, is_needed) for name in names):
            return None
        if self.shared is not None:
            self._changed.update(name.bound for name in names)
        lines: list[str] = []
        left = []
        for name in names:
            if self._is_idle(name, is_needed):
                continue
            if not self._is_converted(name):
                lines.append(_alone(name))
            elif self._is_absent(name) and self._is_tried(block, name):
                framework = "MindSpore" if is_private_name(stands_for(name)) else "PyTorch"
                lines.append(f'raise ImportError("{framework} has no {stands_for(name)}")')
                break
            elif self._only_stands_on_torch(name) and self._is_tried(block, name):
                spelled = self._spelled(
                    f"{HELPERS_MODULE}.{NOT_CONVERTED}", block.start + name.statement_start
                )
                lines.append(f'{name.bound} = {spelled}("{stands_for(name)}")')
            elif name.name != _STAR and is_needed(name):
                line = self._instead(name, block.start + name.statement_start)
                later = self._place_later(block, name) if line.startswith(self._of_helpers) else None
                (lines if later is None else self._later.setdefault(later, [])).append(line)
                if self._is_left(stands_for(name)):
                    left.append(stands_for(name))
            elif name.name == _STAR and name.module in self._listed_modules:
                at = block.start + name.statement_start
                lines += [
                    self._instead_of(f"{name.module}.{one}", one, at) for one in self._exports(name.module)
                ]
        first = names[0]
        start, end = block.start + first.statement_start, block.start + first.statement_end
        if not lines and first.conditional:
            return Edit(start, end, "pass")  # it may be all of a suite
        if not lines:
            return self._removed(block, first)
        document = self.analysis.document
        line_start = document.lines.line_start(document.lines.line_of(start))
        indent = document.data[line_start:start]
        separator = newline(document) + indent.decode() if not indent.strip() else "; "
        if left and not indent.strip():
            lines[:0] = self.whole.marks(left, len(indent))
        return Edit(start, end, separator.join(lines))

    def _is_left(self, api: str) -> bool:
        """Whether nothing takes the place of an API of a library that MindSpore's own stands for."""
        program = self.whole.program
        return program.stand_in(api) is None and bool(program.in_place_of(api, self.whole.language))

    @property
    def _of_helpers(self) -> str:
        """How a statement begins that takes a helper from a module that is found by its name alone."""
        package = self.speller.helpers_in
        return f"from {package}.{HELPERS_MODULE} " if package else f"from {HELPERS_MODULE} "

    def _place_later(self, block: AnalysedBlock, name: ImportName) -> int | None:
        """The line behind the last statement that changes where modules are found, if an import stands before
        that and what it binds is read behind it."""
        reads = [
            other.start + read.start
            for other in self.analysis.blocks
            for read in other.found.reads
            if read.name == name.bound
        ]
        limit = min(reads, default=len(self.analysis.document.data))
        place = self._places.behind_path_changes(limit) if not name.conditional else None
        return place if place is not None and place > block.start else None

    @cached_property
    def _places(self) -> ImportPlaces:
        return ImportPlaces(self.analysis)

    def _removed(self, block: AnalysedBlock, name: ImportName) -> Edit:
        edit = statement_removal(self.analysis, block, name)
        if b"#" not in self.analysis.document.data[edit.start : edit.end]:
            return edit
        return Edit(block.start + name.statement_start, block.start + name.statement_end, "pass")

    def _is_converted(self, name: ImportName) -> bool:
        """Whether a name is torch's, or one of another library that has a helper."""
        if self.shared is not None and not self.shared.is_only_converted(name):
            return False
        return is_converted(name, self.whole)

    def _is_idle(self, name: ImportName, is_needed: Callable[[ImportName], bool]) -> bool:
        """Whether a name is a module of another library, and all that was read of it is replaced."""
        return name.bound in self.modules and not is_needed(name)

    @cached_property
    def _listed_modules(self) -> frozenset[str]:
        """The modules whose `__all__` is imported: what a star import takes from them, texts may ask for."""
        return frozenset(
            name.module for block in self.analysis.blocks for name in block.imports if name.name == _ALL
        )

    def _exports(self, module: str) -> list[str]:
        """The names that a star import takes from a module, and that there is something for."""
        program = self.whole.program
        names = sorted(program.exports(module) or ())
        return [name for name in names if program.stand_in(f"{module}.{name}") is not None]

    def _instead(self, name: ImportName, at: int) -> str:
        """The statement that binds a name to what stands for it now."""
        if name.name == _ALL and (exports := self._exports(name.module)):
            return f"{name.bound} = {exports}"
        return self._instead_of(stands_for(name), name.bound, at)

    def _instead_of(self, api: str, bound: str, at: int) -> str:
        """The statement that binds a name to what stands for an API now."""
        helper, target = self.whole.program.helper(api), self.whole.program.counterpart(api)
        if helper is not None and "." not in helper and (target is None or self.whole.program.is_alike(api)):
            self.helpers.add(helper)
            alias = f" as {bound}" if bound != helper else ""
            package = self.speller.helpers_in
            dot = "." if package.strip(".") else ""  # behind a name
            return f"from {package}{dot}{HELPERS_MODULE} import {helper}{alias}"
        if target is not None:
            module, _, last = target.rpartition(".")
            return f"from {module} import {last}" + (f" as {bound}" if bound != last else "")
        space = self._named_when_run(api, bound)
        if space is not None:
            return f"{bound} = {self._spelled(f'{HELPERS_MODULE}.{space}', at)}"
        members = self._members(api, self._chains(bound), at)
        if members is not None:
            return f"{bound} = {members}"
        self.helpers.add(PLACEHOLDER)
        spelled = self.speller.spell(f"{HELPERS_MODULE}.{PLACEHOLDER}", at)
        return f'{bound} = {spelled}("{api}")'

    def _is_absent(self, name: ImportName) -> bool:
        """Whether PyTorch, as the catalog knows it, has no such name in one of its public modules, or nothing
        stands for a private one."""
        return bool(name.module) and not name.level and self.whole.program.is_absent(name.module, name.name)

    def _only_stands_on_torch(self, name: ImportName) -> bool:
        """Whether a name is of a library that cannot be imported without torch, and has nothing that anything
        stands for."""
        library = stands_for(name).partition(".")[0]
        return name.name != _STAR and not name.level and self.whole.program.only_stands_on_torch(library)

    def _is_tried(self, block: AnalysedBlock, name: ImportName) -> bool:
        """Whether a `try` statement around an import sees to it if it fails."""
        start, end = block.start + name.statement_start, block.start + name.statement_end
        found = expression_node(self.analysis.document, start, end)
        node = found.node if found is not None else None
        while node is not None and node.type not in _FUNCTIONS:
            body = node.parent.child_by_field_name("body") if node.parent is not None else None
            if body == node and node.parent is not None and node.parent.type == "try_statement":
                return any(_FAILS.search(each.text or b"") for each in node.parent.named_children[1:])
            node = node.parent
        return False

    def _chains(self, bound: str) -> list[list[str]]:
        """The members that are asked for of what an import binds, and their members; in code that never
        runs, too, and by files that take the name from here."""
        chain = re.compile(rb"(?<![\w.])%b((?: *\. *[A-Za-z_]\w*)+)" % bound.encode())
        found = chain.finditer(self.analysis.document.data)
        left = [match for match in found if not is_within(self._gone, match.start())]
        left += [match for text in self.whole.texts_of_takers(bound) for match in chain.finditer(text)]
        return [match[1].decode().replace(" ", "").split(".")[1:] for match in left]

    def _members(self, module: str, chains: list[list[str]], at: int) -> str | None:
        """A namespace with those of the members of a module that there is something for; None where there is
        none."""
        program = self.whole.program
        if not program.is_module(module):
            return None
        inner: dict[str, list[list[str]]] = {}
        for first, *rest in filter(None, chains):
            inner.setdefault(first, []).append(rest)
        texts: dict[str, str] = {}
        for name, rests in inner.items():
            target = program.stand_in(f"{module}.{name}")
            text = self._spelled(target, at) if target else self._members(f"{module}.{name}", rests, at)
            if text is not None and not keyword.iskeyword(name):
                texts[name] = text
        space = self._spelled(f"{HELPERS_MODULE}.{NAMESPACE}", at) if texts else None
        return f"{space}({', '.join(f'{name}={text}' for name, text in texts.items())})" if space else None

    def _spelled(self, target: str, at: int) -> str | None:
        """How an API is written at an offset, whose helper is taken; None where it cannot be."""
        spelled = self.speller.spell(target, at)
        if spelled is not None and target.startswith(f"{HELPERS_MODULE}."):
            self.helpers.add(target.split(".")[1])
        return spelled


def _statements(names: Sequence[ImportName]) -> Iterator[list[ImportName]]:
    """The names of each import statement."""
    by_start: dict[int, list[ImportName]] = {}
    for name in names:
        by_start.setdefault(name.statement_start, []).append(name)
    yield from by_start.values()


def _alone(name: ImportName) -> str:
    """A statement that imports a name by itself."""
    imported = (
        f"from {'.' * name.level}{name.module} import {name.name}"
        if name.module or name.level
        else f"import {name.name}"
    )
    last = name.name if name.module or name.level else name.name.partition(".")[0]
    return imported + (f" as {name.bound}" if name.bound not in (last, _STAR) else "")
