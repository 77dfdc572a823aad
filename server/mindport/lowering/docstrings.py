"""What the docstring of a function says of the types of its parameters."""

from __future__ import annotations

import re
from typing import Final

_NAMED: Final = re.compile(
    r"""
    ^[ \t]*(?P<names>\w+(?:[ ]*,[ ]*\w+)*)[ ]*:[ ]*(?P<type>\S[^\n]*)$   # x : torch.Tensor
    | ^[ \t]*(?P<name>\w+)[ ]*\((?P<in_brackets>[^\n]*?)\)[ ]*:          # x (Tensor, optional): the input
    | :param[ ]+(?P<before>[^:\n]+?)[ ]+(?P<param>\w+)[ ]*:              # :param torch.Tensor x: the input
    | :type[ ]+(?P<typed>\w+)[ ]*:[ ]*(?P<behind>\S[^\n]*)$              # :type x: torch.Tensor
    """,
    re.MULTILINE | re.VERBOSE,
)
_TYPE: Final = re.compile(
    r"""
    (?::\w+:)?`*~?(?P<type>\w+(?:\.\w+)*)`*                                    # :class:`~torch.Tensor`
    (?:
        \s*[.,]?\s*$
        | \s*,\s*(?:optional|required|default|shape|size|dtype|of|\()
        | \s*\((?!s\))
        | \s+(?:of\s+(?:shape|size|dtype|dim)|with|containing|default|optional)\b
        | \s*(?:\||\bor\b)\s*None\s*$
    )
    """,
    re.VERBOSE,
)


def documented_types(docstring: str, names: frozenset[str] | None = None) -> dict[str, str]:
    """The types, as written, that a docstring says parameters of these names have (None: of any), where it
    says one and no more."""
    found: dict[str, str] = {}
    for match in _NAMED.finditer(docstring):
        named = match["names"] or match["name"] or match["param"] or match["typed"]
        text = match["type"] or match["in_brackets"] or match["before"] or match["behind"] or ""
        written = _TYPE.match(text)
        if written is not None:
            for name in re.findall(r"\w+", named):
                if names is None or name in names:
                    found.setdefault(name, written["type"])
    return found


_LOOKED_FOR: Final = re.compile(rb"ensor|odule|ataLoader|ptimizer")
"""What is in the names of types that are looked for."""


def types_in(docstring: bytes, names: frozenset[str] | None = None) -> dict[str, str]:
    """The same of a docstring with its quotes, as it is in a file."""
    if _LOOKED_FOR.search(docstring) is None:
        return {}
    return documented_types(docstring.decode("utf-8", "replace").rstrip("\"'"), names)
