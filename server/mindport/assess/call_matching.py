"""How a candidate fits one use: which differences matter there, and how the use can be rewritten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mindport.assess.call_plan import plan_call
from mindport.assess.rewrite_plan import CallPlan, TemplatePlan
from mindport.assess.template_plan import plan_template
from mindport.assess.use_context import is_met
from mindport.catalog.api import Signature
from mindport.catalog.binding import NUMPY_NAMES, BoundCall, first_binding, is_ambiguous
from mindport.catalog.differences import Difference
from mindport.catalog.expansion import called_members

if TYPE_CHECKING:
    from mindport.assess.rewrite_plan import ReceiverPlace
    from mindport.catalog.answer import Candidate
    from mindport.catalog.api import Api, Parameter
    from mindport.uses.use import Argument, Use

_OF_ARGUMENTS: Final = frozenset(
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
"""Of a function or class that is passed on, it is not known whether these matter."""


class CallMatch(NamedTuple):
    """`differences` are those that matter. `plan` says how the arguments of a call reach the candidate; None
    where there are none, or where nobody knows. `rewritable`: replacing the use by the candidate, by the plan
    if there is one, is known to be possible; `unresolved` are the differences that matter even then.
    `bound`: the arguments could be bound to torch's signature, and what they are is known well enough."""

    differences: tuple[Difference, ...]
    plan: CallPlan | TemplatePlan | None
    rewritable: bool
    unresolved: tuple[Difference, ...]
    bound: bool


def _makes(torch: Api | None, mindspore: Api | None) -> bool:
    """Whether a class has a function for counterpart, which makes objects and is no type."""
    is_class = torch is not None and torch.kind == "class"
    return is_class and mindspore is not None and mindspore.kind == "function"


def fit(
    use: Use,
    candidate: Candidate,
    torch: Api | None,
    mindspore: Api | None,
    harmless: frozenset[str] = frozenset(),
) -> CallMatch:
    """Compare a use with a candidate, given what the catalogs know of both sides. The arguments for the
    parameters that are `harmless` may be dropped."""
    if use.kind == "annotation":  # a type does nothing
        return CallMatch((), None, candidate.kind == "api" and not _makes(torch, mindspore), (), True)
    always = tuple(d for d in candidate.differences if d.code not in _OF_ARGUMENTS and is_met(d, use))
    if use.call is None:
        return _fit_reference(use, candidate, always)
    binding = bind_use(use, torch)
    if binding is None:
        possible = tuple(d for d in candidate.differences if d.grave and is_met(d, use))
        rewritable = not possible and candidate.compared and candidate.kind == "api"
        return CallMatch(possible, None, rewritable, possible, False)
    signature, bound = binding
    given = {item.parameter.name for item in bound}
    always = tuple(d for d in always if not d.only_given or d.torch in given)
    relevant = tuple(
        replace(d, code="missing") if d.code == "missing_general" else d
        for d in candidate.differences
        if d.code in _OF_ARGUMENTS and _matters(d, bound)
    )
    plan: CallPlan | TemplatePlan | None
    if candidate.kind == "template":
        plan = plan_template(candidate, use, bound, _parameters(signature, torch), harmless)
        if _calls_its_namesake(use, candidate):
            plan = None  # the result would look like torch's call again, and be rewritten again
        differences = always + relevant
        sure = plan is None or (plan.sure and not _is_ambiguous(use, torch))
        return CallMatch(differences, plan, plan is not None, differences, sure)
    receiver = _receiver_place(use, candidate, mindspore)
    plan = None
    if receiver is not None and mindspore is not None:
        plan = plan_call(candidate, receiver, use.call.arguments, bound, mindspore)
    if plan is not None and plan.keeps_arguments:
        relevant = tuple(d for d in relevant if d.code != "order")
    settled = {(d.torch, d.mindspore) for d in plan.settled} if plan is not None else set()
    unresolved = always + tuple(d for d in relevant if (d.torch, d.mindspore) not in settled)
    other_names = _numpy_names(bound, plan, mindspore, candidate)
    return CallMatch(always + relevant + other_names, plan, plan is not None, unresolved, True)


def _numpy_names(
    bound: list[BoundCall[Argument]], plan: CallPlan | None, mindspore: Api | None, candidate: Candidate
) -> tuple[Difference, ...]:
    """What is spelled with NumPy's names of parameters, which PyTorch takes as well, and none of the
    counterpart's overloads: the plan of the call has the counterpart's own names. What the counterpart
    calls otherwise than PyTorch is told as that."""
    renamed = {difference.torch for difference in candidate.differences if difference.code == "renamed"}
    written = {item.argument.keyword for item in bound if item.argument.keyword is not None}
    numpy = {
        item.argument.keyword: item.parameter.name
        for item in bound
        if item.argument.keyword in NUMPY_NAMES
        and item.parameter.name not in {item.argument.keyword, *renamed}
    }
    if not numpy or plan is None or mindspore is None:
        return ()
    overloads = ({one.name for one in signature.parameters} for signature in mindspore.signatures)
    if any(written <= names for names in overloads):
        return ()
    return tuple(Difference("renamed", torch=old, mindspore=new) for old, new in numpy.items())


def _is_ambiguous(use: Use, torch: Api | None) -> bool:
    """Whether it is not known which of torch's overloads a call means: templates are chosen by that."""
    if use.call is None or torch is None or len(torch.signatures) == 1:
        return False
    return is_ambiguous(_own_arguments(use, torch), torch.signatures)


def _own_arguments(use: Use, torch: Api) -> tuple[Argument, ...]:
    """The arguments without the receiver: the first one, where a method is called through the class."""
    assert use.call is not None
    through_class = torch.kind == "method" and use.receiver_end is None
    return use.call.arguments[1:] if through_class else use.call.arguments


def _parameters(signature: Signature, torch: Api | None) -> dict[str, Parameter]:
    """The parameters of an API by name: those of the overload that is meant, then those of the others."""
    others = torch.signatures if torch is not None else ()
    return {one.name: one for overload in (*others, signature) for one in overload.parameters}


def _calls_its_namesake(use: Use, candidate: Candidate) -> bool:
    """Whether the template for a method calls a method of the same name."""
    template, name = candidate.template, use.api.rpartition(".")[2]
    if use.receiver_end is None or template is None or f".{name}" not in template:
        return False
    return name in called_members(template)


def bind_use(use: Use, torch: Api | None) -> tuple[Signature, list[BoundCall[Argument]]] | None:
    """The overload of torch's that a call means, and which argument goes to which parameter; None where that
    is not known."""
    if use.call is None or torch is None:
        return None
    if not torch.signatures and not use.call.arguments:
        return Signature(()), []  # nothing is given, so nothing has to be known
    binding = first_binding(_own_arguments(use, torch), torch.signatures)
    if binding is not None and all(_is_known(one) for one in binding[1]):
        return binding
    return None


def _is_known(bound: BoundCall[Argument]) -> bool:
    """Whether an argument is one value, or goes to a parameter that takes any number of them."""
    return not bound.argument.unpack or (bound.argument.unpack == "*" and bound.parameter.kind == "star")


def _receiver_place(use: Use, candidate: Candidate, mindspore: Api | None) -> ReceiverPlace | None:
    """Where the receiver of a call goes; None where the candidate has no place for it, or wants one that the
    call does not have."""
    is_member = candidate.target.startswith("mindspore.Tensor.")
    if use.receiver_end is None:
        is_method = use.api.startswith("torch.Tensor.")
        return "none" if is_member == is_method else None
    if is_member:
        return "stays"
    is_function = mindspore is not None and mindspore.kind == "function"
    is_value = is_function and not use.is_through_super
    return "first" if is_value and use.api.startswith("torch.Tensor.") else None


def _fit_reference(use: Use, candidate: Candidate, always: tuple[Difference, ...]) -> CallMatch:
    """A use that is no call: all parameters matter for what is passed on, none for a type."""
    if candidate.kind == "template":
        plan = plan_template(candidate, use, [], {}) if use.kind == "attribute" else None
        return CallMatch(always, plan, plan is not None, always, True)
    if use.kind != "reference":
        return CallMatch(always, None, True, always, True)
    passed_on = tuple(d for d in candidate.differences if d.grave and not d.kind.unknown_to_references)
    unknown = any(d.kind.unknown_to_references and d.code != "extra" for d in candidate.differences)
    return CallMatch(passed_on, None, not passed_on, passed_on, candidate.compared and not unknown)


def _matters(difference: Difference, bound: list[BoundCall[Argument]]) -> bool:
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
        return given.keyword not in (None, difference.mindspore)
    if code == "packed":
        values = [item.argument for item in bound if item.parameter.name == difference.torch]
        return len(values) > 1 or values[0].unpack != "" or values[0].source.isdigit()
    if code == "keyword_only":
        return given.keyword is None
    if code in ("missing", "missing_general"):
        return not difference.is_harmless(given.source)
    return True
