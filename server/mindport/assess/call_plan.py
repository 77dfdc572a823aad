"""Plans for calls: how the arguments of a call reach its counterpart."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mindport.assess.rewrite_plan import CallPlan, Placed

if TYPE_CHECKING:
    from mindport.assess.rewrite_plan import ReceiverPlace
    from mindport.catalog.answer import Candidate
    from mindport.catalog.api import Api, Parameter, Signature
    from mindport.catalog.binding import BoundCall
    from mindport.catalog.differences import Difference
    from mindport.uses.use import Argument

_LITERAL: Final = re.compile(r"""-?\d+(\.\d*)?(e-?\d+)?|True|False|'[^'\\]*'|\((\d+, ?)*\d*\)""")
"""Defaults that can be written out anywhere."""


@dataclass
class _Wanted:
    """Where an argument has to go: the parameter's name in the counterpart, None for one that is dropped."""

    index: int
    keyword: str | None
    name: str | None
    packed: bool
    is_star: bool


def plan_call(
    candidate: Candidate,
    receiver: ReceiverPlace,
    arguments: Sequence[Argument],
    bound: Sequence[BoundCall[Argument]],
    mindspore: Api,
) -> CallPlan | None:
    """How the arguments of a call, bound to torch's parameters, reach those of the candidate; None where one
    of them cannot, or where the candidate wants what the call does not give."""
    wanted = _wanted(candidate, arguments, bound)
    if wanted is None:
        return None
    given = {item.parameter.name for item in bound}
    sources = {item.parameter.name: item.argument.source for item in bound}
    dropped = [
        difference
        for difference in candidate.differences
        if difference.code in ("missing", "missing_general")
        and difference.torch in sources
        and not difference.is_harmless(sources[difference.torch])
    ]
    for signature in mindspore.signatures:
        plan = _plan(candidate, receiver, wanted, given, signature, dropped)
        if plan is not None:
            return plan
    return None


def _wanted(
    candidate: Candidate, arguments: Sequence[Argument], bound: Sequence[BoundCall[Argument]]
) -> list[_Wanted] | None:
    """What becomes of each argument; None if one has no counterpart and cannot be dropped."""
    facts: dict[str, list[Difference]] = {}
    for difference in candidate.differences:
        if difference.torch is not None:
            facts.setdefault(difference.torch, []).append(difference)
    index_of = {id(argument): index for index, argument in enumerate(arguments)}
    wanted: list[_Wanted] = []
    for item in bound:
        argument, parameter = item.argument, item.parameter
        name: str | None = parameter.name
        packed = False
        for fact in facts.get(parameter.name, ()):
            if fact.code in ("missing", "missing_general"):
                if not fact.may_be_dropped(argument.source):
                    return None
                name = None
            elif fact.code in ("renamed", "packed"):
                name = fact.mindspore
                packed = fact.code == "packed"
        is_star = parameter.kind == "star"
        wanted.append(_Wanted(index_of[id(argument)], argument.keyword, name, packed, is_star))
    return wanted


def _plan(
    candidate: Candidate,
    receiver: ReceiverPlace,
    wanted: Sequence[_Wanted],
    given: set[str],
    signature: Signature,
    dropped: Collection[Difference],
) -> CallPlan | None:
    """The plan for one overload of the counterpart. `dropped` are the differences of arguments that are left
    out though they may matter."""
    positional = [one for one in signature.parameters if one.kind in ("", "positional", "star")]
    if receiver == "first":
        if not positional:
            return None
        positional = positional[1:]
    placing = _Placing(positional, signature, candidate.compared and _takes_any(signature))
    for one in wanted:
        if one.name is not None and not placing.place(one):
            return None
    added, settled = _added(candidate, given, placing)
    settled = tuple(one for one in settled if one not in dropped)
    for parameter in signature.parameters:
        is_needed = parameter.default is None and parameter.kind in ("", "positional", "keyword")
        is_receiver = receiver == "first" and parameter is _first(signature)
        if is_needed and not is_receiver and parameter.name not in placing.taken:
            return None
    keeps = not added and len(placing.placed) == len(wanted)
    keeps = keeps and all(
        placed.keyword == one.keyword and not placed.packed
        for placed, one in zip(placing.placed, wanted, strict=True)
    )
    return CallPlan(candidate.target, receiver, tuple(placing.placed), added, settled, keeps)


def _first(signature: Signature) -> Parameter:
    return next(one for one in signature.parameters if one.kind in ("", "positional", "star"))


def _takes_any(signature: Signature) -> bool:
    """Whether whatever is given by position is handed on: by `*args`; `*size` has a meaning of its own."""
    first = next(iter(signature.parameters), None)
    return first is not None and first.kind == "star" and first.name == "args"


class _Placing:
    """Gives arguments to the parameters of one overload, by position for as long as that is how they were
    given and it reaches the right one."""

    def __init__(self, positional: list[Parameter], signature: Signature, takes_any: bool) -> None:
        self.positional = positional
        self.by_name = {one.name: one for one in signature.parameters if one.kind in ("", "keyword")}
        self.takes_any = takes_any
        self.takes_keywords = takes_any and signature.parameters[-1].kind == "double_star"
        self.placed: list[Placed] = []
        self.taken: set[str] = set()
        self.next = 0
        self.by_keyword = False

    def place(self, one: _Wanted) -> bool:
        """Take up an argument. False if the overload has no place for it."""
        name = one.name
        assert name is not None
        follows = self.next < len(self.positional) and not self.by_keyword
        parameter = self.positional[self.next] if follows else None
        if one.packed and self.placed and self.placed[-1].packed:
            self.placed.append(Placed(one.index, None, True))
            return True
        is_star = one.is_star and not one.packed
        if one.keyword is None and parameter is not None and (parameter.name == name or self.takes_any):
            self.next += parameter.kind != "star"
            self.placed.append(Placed(one.index, None, one.packed))
        elif is_star or name in self.taken or not (name in self.by_name or self.takes_keywords):
            return False
        else:
            self.by_keyword = True
            self.placed.append(Placed(one.index, name, one.packed))
        self.taken.add(name)
        return True


def _added(
    candidate: Candidate, given: set[str], placing: _Placing
) -> tuple[tuple[tuple[str, str], ...], tuple[Difference, ...]]:
    """The defaults of torch's that have to be written out, and the differences that are settled."""
    added: list[tuple[str, str]] = []
    settled: list[Difference] = []
    for difference in candidate.differences:
        code, name = difference.code, difference.mindspore
        if code in ("renamed", "keyword_only", "packed", "order", "missing", "missing_general"):
            settled.append(difference)
        elif code in ("default", "required") and difference.torch not in given and name is not None:
            value = difference.torch_default
            if value is None or not _LITERAL.fullmatch(value) or name not in placing.by_name:
                continue
            if name not in placing.taken:
                placing.taken.add(name)
                added.append((name, value))
                settled.append(difference)
    return tuple(added), tuple(settled)
