"""Shared by the tests of plans: how a candidate fits a call, in few characters.

Signatures are written as in Python, differences as `code torch mindspore default`. A plan is told as the arguments
by their places in the call, with the keywords they get: `0, axis=1`; behind `+` is what is added. A template is told
with what stands for its names: `mindspore.mint.f(0)`.
"""

from __future__ import annotations

import ast

from findings import found_in
from mindport.assess.call_matching import CallMatch, fit
from mindport.assess.rewrite_plan import CallPlan, Filled, Placed, TemplatePlan
from mindport.assess.temporaries import RECEIVER
from mindport.catalog.answer import Candidate, When
from mindport.catalog.api import Api, Parameter, Signature
from mindport.catalog.differences import Difference
from mindport.uses.use import Use

NOT_KNOWN = "not known"
"""In the place of signatures."""
F = "torch.some_function"
ADD = "x = torch.ones(3)\nx.add"
"""The beginnings of calls: of a function, of a method."""
DIM = "input, dim=0, *, out=None"
ALPHA = "other, *, alpha=1"
"""Signatures."""


def signature(text: str) -> Signature:
    """`input, dim=0, *, out=None` as the parameters of an overload."""
    found = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(found, ast.Lambda)
    args = found.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + [ast.unparse(one) for one in args.defaults]
    kinds = ["positional"] * len(args.posonlyargs) + [""] * len(args.args)
    made = [
        Parameter(one.arg, kind, default) for one, kind, default in zip(plain, kinds, defaults, strict=True)
    ]
    if args.vararg is not None:
        made.append(Parameter(args.vararg.arg, "star"))
    for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        made.append(Parameter(one.arg, "keyword", ast.unparse(default) if default is not None else None))
    if args.kwarg is not None:
        made.append(Parameter(args.kwarg.arg, "double_star"))
    return Signature(tuple(made))


def _overloads(text: str) -> tuple[Signature, ...]:
    return tuple(signature(one) for one in text.split(" / ")) if text != NOT_KNOWN else ()


def difference(text: str) -> Difference:
    """`missing out harmless None`, `default dim axis 0`, `behaviour dim`."""
    code, *rest = text.split()
    if code == "missing" or code == "missing_general":
        return Difference(code, rest[0], harmless_values=tuple(rest[1:]))
    if code == "behaviour":
        return Difference(code, *rest, only_given=bool(rest))
    torch, mindspore, default = [*rest, None, None, None][:3]
    return Difference(code, torch, mindspore, default)


def use_of(source: str) -> Use:
    """The last use in a text; that of an operator, if there is one."""
    _, found = found_in(f"import torch\n{source}\n")
    return max(
        found.findings, key=lambda placed: (bool(placed.finding.use.operator), placed.end, -placed.start)
    ).finding.use


def candidate_for(
    target: str, differences: str, template: str | None, when: When | None, compared: bool
) -> Candidate:
    """A candidate of which no more is known."""
    return Candidate(
        target,
        "classic",
        "2.0",
        None,
        "official",
        None,
        compared,
        tuple(difference(one) for one in differences.split(";") if one),
        (),
        None,
        None,
        template=template,
        when=when,
    )


def fitted(
    source: str,
    torch: str,
    mindspore: str,
    differences: str,
    target: str = "mindspore.mint.f",
    template: str | None = None,
    when: When | None = None,
    harmless: tuple[str, ...] = (),
    compared: bool = True,
) -> CallMatch:
    """How the last use in a text fits; overloads stand between slashes, differences between semicolons."""
    use = use_of(source)
    kind = "method" if use.api.startswith("torch.Tensor.") else "function"
    api = Api(use.api, kind, _overloads(torch), None, (), False, (), None)
    other_kind = "method" if target.startswith("mindspore.Tensor.") else "function"
    other = Api(target, other_kind, _overloads(mindspore), None, (), False, (), None)
    candidate = candidate_for(target, differences, template, when, compared)
    return fit(use, candidate, api, other, frozenset(harmless))


def as_text(match: CallMatch) -> str:
    """The plan; then what matters, and in brackets what does even after the rewrite."""
    if match.plan is None:
        said = "stays a name" if match.rewritable else "no rewrite"
    else:
        said = _call(match.plan) if isinstance(match.plan, CallPlan) else _template(match.plan)
        said += "" if match.rewritable else " not rewritable"
    if match.differences:
        unresolved = " ".join(one.code for one in match.unresolved)
        said += f"; {' '.join(one.code for one in match.differences)} ({unresolved})"
    return said + ("" if match.bound else "; not sure")


def _call(plan: CallPlan) -> str:
    if plan.keeps_arguments:
        said = "as it is"
    else:
        said = ", ".join(map(_placed, plan.placed))
        said += "".join(f" + {name}={value}" for name, value in plan.added)
    return said + {"none": "", "stays": ", receiver stays", "first": ", receiver first"}[plan.receiver]


def _placed(one: Placed) -> str:
    index = f"({one.index})" if one.packed else str(one.index)
    return f"{one.keyword}={index}" if one.keyword else index


def _template(plan: TemplatePlan) -> str:
    said = f"{plan.template} | " + ", ".join(map(_filled, plan.filled))
    if plan.naming is not None:
        before, in_place = (
            "-" if one is None else ",".join(map(str, one))
            for one in (plan.naming.before, plan.naming.in_place)
        )
        said += f" | names {before} or {in_place}"
    return said


def _filled(one: Filled) -> str:
    value = ",".join("self" if index == RECEIVER else str(index) for index in one.indices) or one.text
    return f"{one.name}: ({value})" if one.is_tuple else f"{one.name}: {value}"
