"""How a candidate fits one use: which differences matter there, and whether the arguments can stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mindport.catalog.binding import Bound, binds_alike, first_binding

if TYPE_CHECKING:
    from mindport.catalog.answer import Candidate
    from mindport.catalog.api import Api
    from mindport.catalog.differences import Difference
    from mindport.resolve.use import Argument, Use

_OF_ARGUMENTS = frozenset(
    {
        "renamed",
        "missing",
        "missing_general",
        "default",
        "required",
        "keyword_only",
        "packed",
        "order",
        "extra",
    }
)
"""Differences of parameters: they matter for calls that use the parameter, or leave it out."""
_UNKNOWN_TO_REFERENCES = frozenset({"missing", "missing_general", "extra"})
"""Of a function or class that is passed on, it is not known whether these matter."""


class Fit(NamedTuple):
    """`differences` are those that matter. `arguments_stay`: the call may keep its arguments as written.
    `bound`: the arguments could be bound to torch's signature."""

    differences: tuple[Difference, ...]
    arguments_stay: bool
    bound: bool


def fit(use: Use, candidate: Candidate, torch: Api | None, mindspore: Api | None) -> Fit:
    """Compare a use with a candidate, given what the catalogs know of both sides."""
    if use.kind == "annotation":  # a type does nothing
        return Fit((), True, True)
    always = tuple(d for d in candidate.differences if d.code not in _OF_ARGUMENTS)
    if use.call is None:
        return _fit_reference(use, candidate, always)
    bound = bound_arguments(use, torch)
    if bound is None:
        possible = tuple(d for d in candidate.differences if d.grave)
        return Fit(possible, not possible and candidate.compared, False)
    given = {item.parameter.name for item in bound}
    always = tuple(d for d in always if not d.only_given or d.torch in given)
    relevant = tuple(
        replace(d, code="missing") if d.code == "missing_general" else d
        for d in candidate.differences
        if d.code in _OF_ARGUMENTS and _matters(d, bound)
    )
    renamed = {d.torch: d.mindspore for d in candidate.differences if d.code == "renamed" and d.torch}
    signatures = mindspore.signatures if mindspore is not None else ()
    stay = binds_alike(bound, {name: new for name, new in renamed.items() if new}, signatures)
    if stay:
        relevant = tuple(d for d in relevant if d.code != "order")
    return Fit(always + relevant, stay and not _dropped(candidate, bound), True)


def bound_arguments(use: Use, torch: Api | None) -> list[Bound[Argument]] | None:
    """The arguments of a call and the parameters of torch's that they go to; None where that is not known."""
    if use.call is None or torch is None:
        return None
    arguments = use.call.arguments
    if torch.kind == "method" and use.receiver_end is None:
        arguments = arguments[1:]  # called through the class: the first argument is the receiver
    if any(argument.unpack for argument in arguments):
        return None
    found = first_binding(arguments, torch.signatures)
    return found[1] if found is not None else None


def _fit_reference(use: Use, candidate: Candidate, always: tuple[Difference, ...]) -> Fit:
    """A use that is no call: all parameters matter for what is passed on, none for a type."""
    if use.kind != "reference":
        return Fit(always, True, True)
    passed_on = tuple(d for d in candidate.differences if d.grave and d.code not in _UNKNOWN_TO_REFERENCES)
    unknown = any(d.code in _UNKNOWN_TO_REFERENCES and d.code != "extra" for d in candidate.differences)
    return Fit(passed_on, not passed_on, candidate.compared and not unknown)


def _matters(difference: Difference, bound: list[Bound[Argument]]) -> bool:
    """Whether a difference of a parameter matters for a call."""
    given = next((item.argument for item in bound if item.parameter.name == difference.torch), None)
    code = difference.code
    if code in ("default", "required"):
        return given is None
    if code == "extra":
        return False
    if code == "order":
        return sum(item.argument.keyword is None for item in bound) > 1
    if given is None:
        return False
    if code == "renamed":
        return given.keyword is not None
    if code == "keyword_only":
        return given.keyword is None
    if code in ("missing", "missing_general"):
        return given.source not in difference.harmless_values
    return True


def _dropped(candidate: Candidate, bound: list[Bound[Argument]]) -> bool:
    """Whether an argument would have to go, even if it can be dropped without harm."""
    gone = {d.torch for d in candidate.differences if d.code in ("missing", "missing_general")}
    return any(item.parameter.name in gone for item in bound)
