"""Which helper stands for which torch API, as converted code takes them."""

from __future__ import annotations

import builtins
import inspect
import io
import json
import re
from collections.abc import Collection, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from mindport.catalog.answer import Candidate
from mindport.catalog.helpers import Helpers, MergedModule

if TYPE_CHECKING:
    from mindport.catalog.index import Index
    from mindport.language import Language

HELPERS_MODULE: Final = "mindport_helpers"
"""The module that is written beside converted code."""
PLACEHOLDER: Final = "unavailable"
"""The helper that gives what stands for an API without a counterpart: it may be named, but not be called."""
NOT_CONVERTED: Final = "not_converted"
"""The helper for what a program imports where it can do without, of a library that stands on PyTorch."""
NAMESPACE: Final = "namespace"
"""The helper that stands for a module whose members are asked for by a text."""
TEXT_OF: Final = "text_of"
"""The helper that makes texts of dtypes as PyTorch does."""
IN_PLACE: Final = "assign_in_place"
"""The helper that sets the values of a Tensor, as augmented assignments do in PyTorch."""
INTO_OUT: Final = "with_out"
"""The helper that makes a function write its result into `out`."""
NAMES_OF_TORCH: Final = "names_of_torch"
"""The helper that gives keyword arguments PyTorch's names for NumPy's."""
VIEWS: Final = "VIEWS_WRITE_THROUGH"
"""The helper that lets an assignment to a part of a view change what it is a view of."""
IDLE: Final = "nothing"
"""The helper that stands for what only PyTorch's own bookkeeping needs: it does nothing."""
IDENTITY: Final = "as_it_is"
"""The helper that stands for what only PyTorch's compilers look at: it gives back what it is given."""
METHOD: Final = "method"
"""The helper that gives the method of an object which may be a Tensor."""
CLASS_ITSELF: Final = "class_itself"
"""The helper that gives MindSpore's class for one that stands for it where it is called."""
DEFAULT_DTYPE_SETTERS: Final = (b"set_default_dtype", b"set_default_tensor_type")
"""The names of what sets the dtype of Tensors that are given none."""
FUNCTION_OVERRIDE: Final = b"def __torch_function__("
"""What a class defines that says what functions do with its objects."""
_SINCE: Final = "2.7"
_OF_PYTHON: Final = (
    str, bytes, bytearray, memoryview, dict, list, tuple, set, int, float, complex, io.IOBase
)  # fmt: skip


class HelperTable:
    """The helpers of the catalog. Their sources are read only when they are asked for."""

    def __init__(self, index: Index) -> None:
        self._names: dict[str, str] = json.loads(index.text("helpers") or "{}")
        self._instead: dict[str, list[str]] = json.loads(index.text("helpers_instead") or "{}")
        self._giving_members = frozenset(json.loads(index.text("helpers_giving_members") or "[]"))
        self._as_values: dict[str, str] = json.loads(index.text("helpers_as_values") or "{}")
        self._as_bases: dict[str, str] = json.loads(index.text("helpers_as_bases") or "{}")
        self._with_keywords: dict[str, list[str]] = json.loads(index.text("helpers_with_keywords") or "{}")
        self._if_unknown = frozenset(json.loads(index.text("helpers_if_unknown") or "[]"))
        self._if_called = frozenset(json.loads(index.text("helpers_if_called") or "[]"))
        self._removed = frozenset(json.loads(index.text("helpers_of_earlier_versions") or "[]"))
        self._of_sizes = frozenset(json.loads(index.text("helpers_of_sizes") or "[]"))
        self._by_default_dtype = frozenset(json.loads(index.text("helpers_by_default_dtype") or "[]"))
        self._unless_literal: dict[str, str] = json.loads(index.text("helpers_unless_literal") or "{}")
        self._if_unpacked = frozenset(json.loads(index.text("helpers_if_unpacked") or "[]"))
        self._beside: list[tuple[str, list[str | list[str]], list[str]]] = json.loads(
            index.text("helpers_beside") or "[]"
        )
        self._index = index

    def is_better(self, api: str, device: str) -> bool:
        """Whether the helper is to be taken on a device even where calls of the counterpart were found to be
        equal: there is something wrong with that which no single call shows."""
        return device in self._instead.get(api, ())

    def heeds_default_dtype(self, api: str) -> bool:
        """Whether the helper gives what is given no dtype the one that the program has set
        (`DEFAULT_DTYPE_SETTERS`), which its counterpart knows nothing of."""
        return api in self._by_default_dtype

    def takes_more_of(self, api: str) -> str | None:
        """The parameter that the helper takes more kinds of values for than the counterpart, so that it is to
        be taken even where calls of that were found to be equal, unless a literal is given; None without."""
        return self._unless_literal.get(api)

    def takes_list(self, api: str) -> bool:
        """Whether the helper takes operands one by one or as one list, but the counterpart one by one: then
        it is to be taken where arguments are unpacked."""
        return api in self._if_unpacked

    def beside(self, data: bytes, device: str) -> frozenset[str]:
        """The helpers that change MindSpore's classes, which a text needs on a device because of what else it
        does."""
        return frozenset(
            helper
            for helper, words, devices in self._beside
            if device in devices and any(_has(data, each) for each in words)
        )

    def gives_member(self, api: str) -> bool:
        """Whether the helper for a member of objects gives it to MindSpore's class: what uses it stays as it
        is written."""
        return api in self._giving_members

    def spreads_size(self, api: str) -> bool:
        """Whether an API takes a torch.Size alone as sizes, but any other tuple as data: its helper is given
        one size after the other, since the shape of MindSpore's Tensors is a tuple."""
        return api in self._of_sizes

    def as_value(self, api: str) -> str | None:
        """The helper that takes the place of a class where it is kept or handed on, and may be called later;
        None where the class has what takes its place everywhere."""
        return self._as_values.get(api)

    def as_base(self, api: str) -> str | None:
        """The helper that takes the place of a class as the base of another one; None where the class has
        what takes its place everywhere."""
        return self._as_bases.get(api)

    def of(self, api: str) -> str | None:
        """The helper that stands for an API of torch, or of a library that works on its tensors, with the
        API's own signature; None where there is none."""
        return None if api in self._if_unknown or api in self._if_called else self._names.get(api)

    def of_called(self, name: str) -> str | None:
        """The helper that stands for calls of what is a module today, and was a function; None for any other
        name."""
        return self._names[name] if name in self._if_called else None

    def is_removed(self, name: str) -> bool:
        """Whether there is a helper for a name that PyTorch has no more."""
        return name in self._removed

    def is_for(self, api: str, keywords: Collection[str | None]) -> bool:
        """Whether the helper for an API is to be taken for a call that gives these keywords."""
        return api not in self._with_keywords or any(each in keywords for each in self._with_keywords[api])

    def of_either(self, api: str) -> str | None:
        """The helper that stands for a method of what may be a Tensor, or an object that has a method of that
        name itself; None where there is none."""
        return self._names.get(api)

    def of_unknown(self, api: str, positional: int, keywords: Collection[str]) -> str | None:
        """The helper that stands for a method of what may be a Tensor, called with as many positional
        arguments and these keywords; None where there is none, or where objects of Python's own classes have
        a method that can be called so, which it is more likely then."""
        name = api.rpartition(".")[2]
        if _python_takes(name, positional, keywords) or not self.is_for(api, keywords):
            return None
        return self._names.get(api)

    def members(self, module: str) -> list[str]:
        """The members of a module of torch's that have helpers, by their own names."""
        prefix = f"{module}."
        return [
            api[len(prefix) :]
            for api in self._names
            if api.startswith(prefix) and "." not in api[len(prefix) :]
        ]

    @cached_property
    def libraries(self) -> frozenset[str]:
        """The libraries, torch among them, of which there are helpers."""
        return frozenset(name.partition(".")[0] for name in self._names)

    @cached_property
    def _sources(self) -> Helpers:
        return Helpers(json.loads(self._index.text("helper_sources") or "{}"))

    def keywords_of(self, name: str) -> frozenset[str]:
        """The members of a helper that is a namespace, `name = namespace(a=..., b=...)`."""
        return self._sources.keywords_of(name)

    @property
    def names(self) -> Collection[str]:
        """All that the sources define."""
        return self._sources.names

    def is_class(self, name: str) -> bool:
        """Whether a helper is a class, of its own or of Python's. Raises KeyError for a name that is no
        helper's."""
        text = self._sources.fragment(name).text
        stands_for = text.rpartition(f"{name} = ")[2].strip()
        return "\nclass " in f"\n{text}" or isinstance(getattr(builtins, stands_for, None), type)

    def has_member(self, name: str, member: str) -> bool:
        """Whether the class that a helper is, or one of its bases among the helpers, defines a member. Raises
        KeyError for a name that is no helper's."""
        fragment = self._sources.fragment(name)
        defines = re.search(rf"^    (?:def |[\w =]*\b)?{member}\b", fragment.text, re.MULTILINE)
        bases = (fragment.reads_on_import & self._sources.names) - {name}
        return defines is not None or any(self.has_member(base, member) for base in bases)

    def module(self, names: Iterable[str], language: Language) -> str:
        """The text of a module with these helpers and all that they need. Raises KeyError for a name that is
        no helper's."""
        return self._sources.source(names, language)

    def merged(self, before: str, names: Iterable[str], language: Language) -> MergedModule:
        """The text of a module of helpers that there is, with these helpers and all that they need; what was
        changed in it stays. Raises SyntaxError where it does not parse."""
        return self._sources.merged(before, names, language)

    def candidate(self, name: str) -> Candidate:
        """A helper, or a member of one, as what takes the place of a use."""
        return Candidate(
            f"{HELPERS_MODULE}.{name}", "any", _SINCE, None, "curated", None, True, (), (), None, None
        )


def _has(data: bytes, words: str | list[str]) -> bool:
    """Whether a text has a word, or all of some."""
    return all(word.encode() in data for word in ([words] if isinstance(words, str) else words))


@cache
def _signatures(name: str) -> tuple[inspect.Signature | None, ...]:
    """The signatures of the methods of a name of Python's own classes; None for one that is not known."""
    return tuple(_signature(getattr(kind, name)) for kind in _OF_PYTHON if hasattr(kind, name))


def _signature(method: object) -> inspect.Signature | None:
    if not callable(method):
        return None
    try:
        return inspect.signature(method)
    except ValueError:
        return None


def _python_takes(name: str, positional: int, keywords: Collection[str]) -> bool:
    """Whether objects of one of Python's own classes have a method that can be called so."""
    return any(
        signature is None or _binds(signature, positional, keywords) for signature in _signatures(name)
    )


def _binds(signature: inspect.Signature, positional: int, keywords: Collection[str]) -> bool:
    try:
        signature.bind_partial(*(None,) * (positional + 1), **dict.fromkeys(keywords))
    except TypeError:
        return False
    return True
