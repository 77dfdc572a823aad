"""What a file contributes to the analysis of its project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from mindport.catalog.binding import first_binding
from mindport.catalog.catalog import Catalog
from mindport.infer.values import Certainty
from mindport.report.analysis.file_code import FileCode, Named, NamedValue

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings, PlacedFinding
    from mindport.catalog.migration_facts import RecipeItem
    from mindport.language import Language
    from mindport.source.document import Document
    from mindport.uses.use import Call

_LONGEST: Final = 160
_MODULE: Final = "torch.nn.Module"
_CALLABLE: Final = ("class", "function", "method")
_FAMILIES: Final = ("MP4", "MP5")
"""The families of rules that the guide calls function compliance."""


class CodeLine(BaseModel):
    """A line of a file (from 1)."""

    path: str
    line: int


class GivenParameter(BaseModel):
    """A parameter of a call: the `value` as written, or the default value where `is_default`. Where that is a
    name, `known` is the value that it has `at` another place."""

    name: str
    value: str
    is_default: bool = False
    known: str = ""
    at: CodeLine | None = None


class RecipeEntry(CodeLine):
    """What belongs to an item of the training recipe: the API, class or option, and its code."""

    item: str
    name: str
    code: str
    parameters: list[GivenParameter] = []


class SettingEntry(CodeLine):
    """A name that is given a value; see `NamedValue`."""

    name: str
    value: str
    option: str = ""


class RuleEntry(CodeLine):
    """A finding about a function or a class: its rule, and what it says."""

    code: str
    message: str


class ImportEntry(CodeLine):
    """The import of a package."""

    name: str


class ClassEntry(CodeLine):
    """A class with the last names of its bases, and its head as code."""

    name: str
    bases: list[str]
    code: str


class FileAnalysis(BaseModel):
    """One file's part. `safe` and `review` count fixes, `waits` findings with neither."""

    path: str
    recipe: list[RecipeEntry] = []
    settings: list[SettingEntry] = []
    classes: list[ClassEntry] = []
    rules: list[RuleEntry] = []
    imports: list[ImportEntry] = []
    missing: list[RuleEntry] = []
    safe: int = 0
    review: int = 0
    waits: int = 0


def analyse_file(path: str, found: FileFindings, language: Language) -> FileAnalysis:
    """What is said of a file, from its findings and its syntax."""
    code = FileCode(found.document)
    reader = _Reader(path, found, code)
    shown = found.diagnostics()
    rules = [one for one in shown if one.code is not None and one.code.startswith(_FAMILIES)]
    others = [one for one in shown if one.code is not None and not one.code.startswith(_FAMILIES)]
    missing = [one for one in others if one.finding.status == "missing"]
    return FileAnalysis(
        path=path,
        recipe=sorted(reader.recipe(), key=lambda entry: entry.line),
        settings=[
            SettingEntry(
                path=path, line=reader.line(one.offset), name=one.name, value=one.value, option=one.option
            )
            for one in code.settings
        ],
        classes=list(reader.classes()),
        rules=[reader.rule(one, language) for one in rules],
        imports=list(reader.imports()),
        missing=[reader.rule(one, language) for one in missing],
        safe=sum(one.finding.fix == "safe" for one in others),
        review=sum(one.finding.fix == "review" for one in others),
        waits=sum(one.finding.fix == "none" for one in others) - len(missing),
    )


class _Reader:
    def __init__(self, path: str, found: FileFindings, code: FileCode) -> None:
        self.path = path
        self.found = found
        self.code = code
        self._catalog = Catalog.load()
        self.facts = self._catalog.migration

    @property
    def document(self) -> Document:
        return self.found.document

    def line(self, offset: int) -> int:
        """The line of a byte, from 1; in a notebook, that of its cell."""
        part = self.document.part(offset)
        return part.lines.code_point_position(part.offset(offset))[0]

    def rule(self, placed: PlacedFinding, language: Language) -> RuleEntry:
        finding = placed.finding
        said = finding.use.api if finding.status == "missing" else finding.message(language)
        return RuleEntry(path=self.path, line=self.line(placed.start), code=placed.code or "", message=said)

    def imports(self) -> Iterator[ImportEntry]:
        """The first import of each package that carries torch code."""
        seen: set[str] = set()
        for one in self.code.imports:
            package = one.name.partition(".")[0]
            if package in self.facts.instead and package not in seen:
                seen.add(package)
                yield ImportEntry(path=self.path, line=self.line(one.start), name=package)

    def classes(self) -> Iterator[ClassEntry]:
        """All classes that derive from others."""
        for one in self.code.classes:
            if one.bases:
                code = _short(self.code.without_comments(one.start, one.end))
                line = self.line(one.start)
                yield ClassEntry(path=self.path, line=line, name=one.name, bases=list(one.bases), code=code)

    def recipe(self) -> Iterator[RecipeEntry]:
        """What belongs to the recipe."""
        classes = self._torch_classes()
        for item in self.facts.recipe:
            yield from self._apis(item)
            yield from self._classes(item, classes)
            yield from self._named(item, item.has_library, self.code.calls)
            yield from self._named(item, item.has_function, self.code.functions)
            for loop in self.code.loops:
                if item.has_loop(loop.name) and loop.argument:
                    yield self._entry(
                        item, loop.name, loop, [GivenParameter(name="range", value=loop.argument)]
                    )
            for setting in self.code.settings:
                if setting.name in item.names and self._is_of_the_training(setting, classes):
                    name = setting.option or setting.name
                    place = Named(name, setting.offset, setting.offset)
                    yield self._entry(
                        item, name, place, [GivenParameter(name=setting.name, value=setting.value)]
                    )

    def _is_of_the_training(self, setting: NamedValue, bases: Mapping[int, Sequence[str]]) -> bool:
        """Whether a name's value may be one of the training: not what a call of torch is given, which is told
        with that, nor what a module is made with, nor where a counter begins."""
        if setting.kind == "assigned" and setting.value in ("0", "0.0"):
            return False
        if any(start <= setting.offset < end for start, end in self._torch_calls):
            return False
        return setting.kind == "option" or not any(
            one.start <= setting.offset < one.last and _MODULE in bases.get(one.start, ())
            for one in self.code.classes
        )

    @cached_property
    def _torch_calls(self) -> Sequence[tuple[int, int]]:
        calls = [(one.shift, one.finding.use.call) for one in self.found.findings]
        return [(shift + call.start, shift + call.end) for shift, call in calls if call is not None]

    def _apis(self, item: RecipeItem) -> Iterator[RecipeEntry]:
        for placed in self.found.findings:
            use = placed.finding.use
            if use.certainty is Certainty.POSSIBLE or use.kind not in ("call", "reference"):
                continue
            if self._catalog.kind(use.api) not in _CALLABLE:
                continue
            call, shift = use.call, placed.shift
            end = placed.end if call is None else shift + call.end
            if use.api in item.arguments and call is not None:
                given = [
                    one for one in self._parameters(use.api, call) if one.name in item.arguments[use.api]
                ]
                yield self._entry(item, use.api, Named(use.api, placed.start, end), given)
            elif item.has_api(use.api):
                given = self._parameters(use.api, call) if call is not None else []
                yield self._entry(item, use.api, Named(use.api, placed.start, end), given)

    def _parameters(self, name: str, call: Call) -> list[GivenParameter]:
        """The parameters of a call, with the defaults of those that it leaves out."""
        api = self._catalog.api(name)
        plain = [one for one in call.arguments if not one.unpack]
        bound = first_binding(plain, api.signatures) if api is not None else None
        if bound is None:
            return [
                GivenParameter(name=one.keyword or "", value=_short(one.source)) for one in call.arguments
            ]
        signature, pairs = bound
        given = [GivenParameter(name=one.parameter.name, value=_short(one.argument.source)) for one in pairs]
        given += [
            GivenParameter(name=one.unpack, value=_short(one.source)) for one in call.arguments if one.unpack
        ]
        taken = {one.name for one in given}
        return given + [
            GivenParameter(name=one.name, value=one.default, is_default=True)
            for one in signature.parameters
            if one.default not in (None, "...") and one.name not in taken and not one.name.startswith("_")
        ]

    def _torch_classes(self) -> Mapping[int, Sequence[str]]:
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

    def _classes(self, item: RecipeItem, bases: Mapping[int, Sequence[str]]) -> Iterator[RecipeEntry]:
        for one in self.code.classes:
            if item.has_class(one.name) or not item.bases.isdisjoint(bases.get(one.start, ())):
                yield self._entry(item, one.name, one)

    def _named(self, item: RecipeItem, belongs: object, found: Iterable[Named]) -> Iterator[RecipeEntry]:
        assert callable(belongs)
        for one in found:
            if belongs(one.name):
                yield self._entry(item, one.name, one)

    def _entry(
        self, item: RecipeItem, name: str, place: Named, parameters: Sequence[GivenParameter] = ()
    ) -> RecipeEntry:
        line = self.line(place.start)
        code = self.code.without_comments(place.start, place.end) or self._line_text(place.start)
        return RecipeEntry(
            path=self.path,
            line=line,
            item=item.name,
            name=name,
            code=_short(code),
            parameters=list(parameters),
        )

    def _line_text(self, offset: int) -> str:
        lines = self.document.lines
        line = lines.line_of(offset)
        return self.document.text(lines.line_start(line), lines.line_end(line)).strip()


def _short(source: str) -> str:
    """Source in one line, and not too long."""
    text = " ".join(source.split()).rstrip(" :")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
