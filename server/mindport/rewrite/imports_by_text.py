"""Calls that import a module by a text, as those for optional packages do: `load("einops", name="pack")`, and
`importlib.import_module(name)` in a file that has the name of the module as a text; and what asks whether a
package is there, or which version of it: `importlib.util.find_spec("torch")`, `"torch" in sys.modules`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.source.document import Document


_IMPORTS: Final = b"import_module"
"""What imports a module by a text, in its name."""


_LOOKS_UP: Final = re.compile(
    rb"\b(?:import_module|__import__|locate|import_string|class_path|_target_|get_obj_from_str\w*|load_obj\w*)\b"
)
"""Words of what looks objects up by their dotted names, and of the configurations that it is given."""
_TORCH_NAME: Final = b"torch."
_ASKS_FOR_PACKAGES: Final = re.compile(rb"(?:find_spec|distribution|version)$|available|installed")
"""The name of what is called with the name of a package to look for it."""
_TORCH: Final = (b'"torch"', b"'torch'")
_AMONG_LOADED: Final = ([b"in", b"sys.modules"], [b"not in", b"sys.modules"])
"""What stands behind the name of a package where code asks whether it is loaded."""


_NO_VALUES: Final = ("expression_statement", "type", "concatenated_string")
"""What texts stand in that are no values of their own: docstrings, annotations, parts of a text."""


_GIVEN: Final = ("keyword_argument", "pair")
"""What a text stands in that is given by a keyword or a key."""


class ImportByText(NamedTuple):
    """A call with the texts `module` and `name`, in any order. The span is that of the text of the module, in
    absolute bytes."""

    start: int
    end: int
    module: str
    name: str


class ModuleAsText(NamedTuple):
    """A text that is the dotted name of a module. The span is in absolute bytes."""

    start: int
    end: int
    module: str


def modules_by_text(document: Document) -> Iterator[ModuleAsText]:
    """Every dotted name that is all of a text, in a file that imports modules by texts."""
    for root, start in sound_roots(document) if _IMPORTS in document.data else ():
        yield from _dotted_names(root, start)


def looks_objects_up(data: bytes) -> bool:
    """Whether the words of a file tell that it looks objects up by their dotted names."""
    return _LOOKS_UP.search(data) is not None


def names_by_text(document: Document, in_other_files: bool) -> Iterator[ModuleAsText]:
    """Every dotted name below `torch` that is all of a text, in a file that looks objects up by such names.
    Annotations and texts that are joined are none. Where only another file does that, it is those that are
    given by a keyword or a key."""
    is_here = looks_objects_up(document.data)
    if _TORCH_NAME not in document.data or not (is_here or in_other_files):
        return
    for root, start in sound_roots(document):
        for found in _dotted_names(root, start, only_given=not is_here):
            if found.module.startswith("torch."):
                yield found


def _dotted_names(node: Node, base: int, only_given: bool = False) -> Iterator[ModuleAsText]:
    found = _text(node) if node.type == "string" else None
    place = node.parent.type if node.parent is not None else ""
    is_value = place in _GIVEN if only_given else place not in _NO_VALUES
    if found is not None and "." in found[0] and is_value:
        yield ModuleAsText(base + node.start_byte, base + node.end_byte, found[0])
    for child in node.named_children:
        yield from _dotted_names(child, base, only_given)


def torch_by_text(document: Document) -> Iterator[ModuleAsText]:
    """Every call that imports a module of torch by a plain text alone, `import_module("torch.optim")`, with
    the span of the call."""
    if _IMPORTS in document.data and b"torch" in document.data:
        for root, start in sound_roots(document):
            yield from _torch_within(root, start)


def _torch_within(node: Node, base: int) -> Iterator[ModuleAsText]:
    for child in node.named_children:
        yield from _torch_within(child, base)
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if node.type != "call" or function is None or arguments is None or len(arguments.named_children) != 1:
        return
    found = _text(arguments.named_children[0])
    is_import = (function.text or b"").rpartition(b".")[2] == _IMPORTS
    if is_import and found is not None and found[0].partition(".")[0] == "torch":
        yield ModuleAsText(base + node.start_byte, base + node.end_byte, found[0])


def asked_for_torch(document: Document) -> Iterator[tuple[int, int]]:
    """Every text "torch" that is given first to what looks for a package, or looked for among the modules
    that are loaded, in absolute bytes."""
    if any(b"(" + text in document.data or text + b" " in document.data for text in _TORCH):
        for root, start in sound_roots(document):
            yield from _asked_within(root, start)


def _asked_within(node: Node, base: int) -> Iterator[tuple[int, int]]:
    for child in node.named_children:
        yield from _asked_within(child, base)
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    given = arguments.named_children if node.type == "call" and arguments is not None else ()
    if function is not None and given and given[0].text in _TORCH:
        name = (function.text or b"").rpartition(b".")[2]
        if _ASKS_FOR_PACKAGES.search(name):
            yield base + given[0].start_byte, base + given[0].end_byte
    if node.type == "comparison_operator" and node.children[0].text in _TORCH:
        looked_for = [child.text for child in node.children[1:]]
        if looked_for in _AMONG_LOADED:
            yield base + node.children[0].start_byte, base + node.children[0].end_byte


def imports_by_text(document: Document) -> Iterator[ImportByText]:
    """Every pair of texts in a call of which one may name a module, and the other one a member."""
    for root, start in sound_roots(document):
        yield from _within(root, start)


def sound_roots(document: Document) -> Iterator[tuple[Node, int]]:
    """The pieces of a document that parse, each with where it starts."""
    for piece in document.pieces:
        for start, whole in piece.all():
            if whole.is_sound:
                yield whole.root, start


def _within(node: Node, base: int) -> Iterator[ImportByText]:
    for child in node.named_children:
        yield from _within(child, base)
    if node.type != "argument_list":
        return
    texts = [found for child in node.named_children if (found := _text(child)) is not None]
    for module, place in texts:
        for name, _ in texts:
            if name.isidentifier() and name != module:
                yield ImportByText(base + place.start_byte, base + place.end_byte, module, name)


def _text(argument: Node) -> tuple[str, Node] | None:
    """The text that an argument is, if it is a plain one."""
    value = argument.child_by_field_name("value") if argument.type == "keyword_argument" else argument
    if value is None or value.type != "string" or value.text is None:
        return None
    text = value.text.decode()
    inner = text[1:-1]
    is_plain = text[0] in "'\"" and inner.replace(".", "_").isidentifier()
    return (inner, value) if is_plain else None
