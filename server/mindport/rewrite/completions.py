"""What MindSpore has for the name of torch's that is being typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.infer.values import AbstractValue, ApiValue, Instance, NoneValue, TorchModule
from mindport.rewrite.import_additions import additions
from mindport.rewrite.spelling import Speller

if TYPE_CHECKING:
    from mindport.assess.file_findings import FileFindings
    from mindport.catalog.answer import Status
    from mindport.catalog.api import ApiKind
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target
    from mindport.rewrite.edit import Edit
    from mindport.rewrite.spelling import NewImport
    from mindport.source.document import Document
    from mindport.uses.expression_at import FoundExpression

MOST_OFFERS = 100
"""As many are offered at once."""

_NAMED = (ApiValue, TorchModule)
_TYPED = re.compile(r"(?P<dot>\.[ \t]*)?(?P<word>[^\W\d]\w*)?\Z")
_REST = re.compile(r"\w*")
_QUOTE = re.compile(r"#|(\"\"\"|'''|\"|')")


@dataclass(frozen=True, slots=True)
class Typed:
    """A name that is being typed, up to the cursor, in bytes of the document: the part behind the last dot
    starts at `word`, the name ends at `end` (which may be behind the cursor), the dot, if there is one, is at
    `dot`."""

    dot: int | None
    word: int
    cursor: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A MindSpore API in place of what is typed: `new_text` for the bytes from `start` to the cursor, and
    `imports` beside it. `typed_name` is how the torch API would be typed there. `status` says whether it
    behaves the same."""

    api: str
    target: str
    kind: ApiKind
    status: Status
    start: int
    new_text: str
    typed_name: str
    imports: tuple[Edit, ...] = ()


def typed_at(document: Document, cursor: int) -> Typed | None:
    """The name that is being typed at a byte; None where there is none, as in a string or a comment."""
    lines = document.lines
    line = lines.line_of(cursor)
    before = document.data[lines.line_start(line) : cursor].decode()
    match = _TYPED.search(before)
    if match is None or not match.group() or _is_in_text(document, cursor, before):
        return None
    word = match["word"] or ""
    rest = _REST.match(document.data[cursor : lines.line_end(line)].decode())
    end = cursor + len(rest.group().encode() if rest is not None else b"")
    start = cursor - len(word.encode())
    dot = None if match["dot"] is None else start - len(match["dot"].encode())
    return Typed(dot, start, cursor, end, word)


def is_attribute(document: Document, typed: Typed) -> bool:
    """Whether the name that is being typed parses as an attribute of what is in front of its dot."""
    found, node = document.piece_at(typed.word), document.node_at(typed.word)
    parent = None if node is None else node.parent
    if found is None or node is None or parent is None or parent.type != "attribute" or parent.has_error:
        return False
    return (found[0] + node.start_byte, found[0] + node.end_byte) == (typed.word, typed.end)


def _is_in_text(document: Document, cursor: int, line: str) -> bool:
    """Whether a place is in a string or a comment; `line` is what stands before it on its line."""
    node = document.node_at(max(cursor - 1, 0))
    while node is not None:
        if node.type == "interpolation":
            return False
        if node.type in ("string", "comment", "string_content"):
            return True
        node = node.parent
    return _is_open(line)


def _is_open(line: str) -> bool:
    """Whether a line begins a string that it does not end: no syntax tree knows of it."""
    position = 0
    while (quote := _QUOTE.search(line, position)) is not None:
        if quote[1] is None:
            return True
        end = re.compile(rf"(?:[^\\]|\\.)*?{quote[1]}").match(line, quote.end())
        if end is None:
            return True
        position = end.end()
    return False


class Completions:
    """What can be offered in one document, for one target."""

    def __init__(self, found: FileFindings, catalog: Catalog, target: Target) -> None:
        self._found = found
        self._catalog = catalog
        self._target = target
        self._speller = Speller(found.analysis, found.separate_modules)
        self._edits: dict[NewImport, tuple[Edit, ...]] = {}

    def of_member(self, typed: Typed, receiver: FoundExpression) -> Iterator[Offer]:
        """What there is for members of an expression, whose value says what it is."""
        document = self._found.document
        spelled = document.text(receiver.start, typed.word)
        is_on_one_line = "\n" not in spelled and "\r" not in spelled
        apis: dict[str, tuple[str, bool]] = {}
        for attribute, api, is_spelled in self._members(receiver.value, typed.text):
            apis.setdefault(attribute, (api, is_spelled))
        for attribute, (api, is_spelled) in apis.items():
            if not is_spelled:
                offer = self._on_instance(typed, attribute, api)
            elif receiver.is_dotted and is_on_one_line:
                offer = self._by_name(receiver.start, spelled + attribute, api)
            else:
                offer = None
            if offer is not None:
                yield offer

    def of_name(self, typed: Typed) -> Iterator[Offer]:
        """What there is for the names that imports of torch's bind, and nothing else in the document."""
        bound: dict[str, str] = {}
        for block in self._found.analysis.blocks:
            for use in block.found.uses:
                if use.kind == "import" and use.root is not None:
                    bound[use.root] = use.api
        for name in _fitting(bound, typed.text):
            if self._is_bound_once(name):
                offer = self._by_name(typed.word, name, bound[name])
                if offer is not None:
                    yield offer

    def _is_bound_once(self, name: str) -> bool:
        return sum(name in block.names for block in self._found.analysis.blocks) == 1

    def _members(self, value: AbstractValue, typed: str) -> Iterator[tuple[str, str, bool]]:
        """The members of torch's that an expression may have: the name, the API, and whether it is named
        through a module or a class. None unless all that the expression may be is torch's."""
        values = [one for one in value.alternatives if not isinstance(one, NoneValue)]
        for one in values if all(map(self._is_torch, values)) else ():
            owner = one.of if isinstance(one, Instance) else one.name if isinstance(one, _NAMED) else ""
            for of in (owner, *self._catalog.lineage(owner)):
                for attribute in _fitting(self._catalog.names_in(of), typed):
                    api = self._catalog.canonical(f"{of}.{attribute}")
                    if api is not None:
                        yield attribute, api, not isinstance(one, Instance)

    def _is_torch(self, value: object) -> bool:
        if isinstance(value, ApiValue):
            return self._catalog.kind(value.name) == "class"
        return isinstance(value, (TorchModule, Instance))

    def _on_instance(self, typed: Typed, attribute: str, api: str) -> Offer | None:
        """A member in place of a member: the receiver stays."""
        chosen = self._chosen(api)
        if chosen is None:
            return None
        target, status, kind = chosen
        owner, _, name = target.rpartition(".")
        if not owner.rpartition(".")[2][:1].isupper():
            return None  # a function: what it is given stands before it already
        return Offer(api, target, kind, status, typed.word, name, attribute)

    def _by_name(self, start: int, typed_name: str, api: str) -> Offer | None:
        chosen = self._chosen(api)
        if chosen is None:
            return None
        target, status, kind = chosen
        spelled = self._speller.spell(target, start)
        if spelled is None:
            return None
        new = self._speller.added.get(spelled.split(".")[0])
        return Offer(api, target, kind, status, start, spelled, typed_name, self._imports(new))

    def _imports(self, new: NewImport | None) -> tuple[Edit, ...]:
        if new is None:
            return ()
        if new not in self._edits:
            self._edits[new] = tuple(additions(self._found.analysis, [new], self._speller.first_uses))
        return self._edits[new]

    def _chosen(self, api: str) -> tuple[str, Status, ApiKind] | None:
        """The MindSpore API that a torch API becomes by a change of its name, the status and the kind; None
        where there is none, or it takes an expression."""
        kind = self._catalog.kind(api)
        if kind is None or kind == "module" or not self._catalog.correspondences.targets(api):
            return None
        answer = self._catalog.answer(api, self._target)
        chosen = answer.chosen
        if chosen is None or chosen.kind != "api" or answer.status not in ("equivalent", "differs"):
            return None
        return chosen.target, answer.status, kind


def _fitting(names: Iterable[str], typed: str) -> list[str]:
    """The names that what is typed may become: those that begin so first, then those with the same letters
    in the same order."""
    wanted = typed.lower()
    in_order = re.compile(".*?".join(map(re.escape, wanted)))
    fitting = [
        name
        for name in names
        if (typed.startswith("_") or not name.startswith("_")) and in_order.search(name.lower())
    ]
    return sorted(fitting, key=lambda name: (not name.lower().startswith(wanted), name.lower(), name))
