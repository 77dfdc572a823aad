"""Which calls of a torch API were run with a candidate, and what came of each: proof belongs to the shape of
a call, not to the name of the API.

The shape of a call is the set of parameters it gives values other than torch's default, each with the form of
its value. Uses the standard library only: the build of the index reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from mindport.catalog.argument_form import NEUTRAL, UNKNOWN, ArgumentForm, form_of, may_be
from mindport.catalog.binding import BoundCall, TypedArgument

TriedOutcome = Literal["equal", "differs", "raises", "no_gradient", "unsupported"]
"""What came of a call: the same result; another one; an error about the call itself; the same result, but no
gradient; no kernel on the device."""
Verdict = Literal[TriedOutcome, "not_run"]
"""What is known of a call: the worst that came of calls of its shape; or that none was run."""
_WORST_FIRST: Final[tuple[TriedOutcome, ...]] = ("differs", "raises", "unsupported", "no_gradient")
STAR: Final = "*"
BY_KEYWORD: Final = "="
"""Behind the name of a parameter, in evidence: it was given by keyword."""


class CallShape(NamedTuple):
    """The parameters that a call gives values other than torch's default, with the form of each, and which of
    them it gives by keyword."""

    forms: Mapping[str, ArgumentForm]
    keywords: frozenset[str] = frozenset()

    def record(self) -> dict[str, str]:
        """As evidence has it."""
        return {
            f"{name}{BY_KEYWORD if name in self.keywords else ''}": form.text
            for name, form in self.forms.items()
        }


class TriedCall(NamedTuple):
    """A call that was run."""

    outcome: TriedOutcome
    shape: CallShape


class TriedCalls:
    """The calls of one torch API that were run with one candidate on one device."""

    def __init__(self, calls: Iterable[TriedCall]) -> None:
        self.calls = tuple(calls)
        self._literals: dict[tuple[frozenset[str], str], set[str]] = {}
        for call in self.calls:
            names = frozenset(call.shape.forms)
            for name, form in call.shape.forms.items():
                if form.literal:
                    self._literals.setdefault((names, name), set()).add(form.literal)

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> TriedCalls:
        """From the index: per outcome, shapes as lists of name, form and literal (see `packed`)."""
        return cls(
            TriedCall(cast("TriedOutcome", outcome), _shape_of_record(shape))
            for outcome, shapes in record.items()
            for shape in shapes
        )

    def verdict(self, shape: CallShape) -> Verdict:
        """What is known of a call of this shape. Calls that give the same parameters by keyword count; those
        that do not only where there are none."""
        alike = [call for call in self.calls if self._is_like(call.shape.forms, shape.forms)]
        same = [call for call in alike if call.shape.keywords == shape.keywords]
        return _verdict(same or alike)

    def verdict_of_any(self) -> Verdict:
        """What is known of whatever call may come: that of a function or class that is passed on."""
        return _verdict(self.calls)

    def _is_like(self, tried: Mapping[str, ArgumentForm], given: Mapping[str, ArgumentForm]) -> bool:
        """Whether a call that was run stands for calls of a shape: the same parameters, each with the same
        literal where that was tried, else with a value of a form that it may have."""
        if tried.keys() != given.keys():
            return False
        names = frozenset(given)
        for name, form in given.items():
            if form.literal and form.literal in self._literals.get((names, name), ()):
                if tried[name].literal != form.literal:
                    return False
            elif not may_be(form.form, tried[name].form):
                return False
        return True


def _shape_of_record(items: Iterable[Sequence[str]]) -> CallShape:
    forms = {name.rstrip(BY_KEYWORD): ArgumentForm(form, literal) for name, form, literal in items}
    return CallShape(forms, frozenset(name[:-1] for name, _, _ in items if name.endswith(BY_KEYWORD)))


def packed(record: Mapping[str, Sequence[Mapping[str, str]]]) -> dict[str, list[list[list[str]]]]:
    """What evidence says of calls, as the index keeps it: texts of arguments are taken apart beforehand."""
    return {
        outcome: [[[name, *ArgumentForm.of_text(text)] for name, text in shape.items()] for shape in shapes]
        for outcome, shapes in record.items()
    }


def _verdict(calls: Iterable[TriedCall]) -> Verdict:
    """The worst of what came of calls. An error that some value alone has, while others of the same form are
    equal, is that value's; another result is never."""
    groups: dict[object, dict[object, set[TriedOutcome]]] = {}
    for call in calls:
        forms = tuple(sorted((name, form.form) for name, form in call.shape.forms.items()))
        values = tuple(sorted((name, form.literal) for name, form in call.shape.forms.items()))
        groups.setdefault(forms, {}).setdefault(values, set()).add(call.outcome)
    if not groups:
        return "not_run"
    found: set[TriedOutcome] = set()
    for of_form in groups.values():
        outcomes = set().union(*of_form.values())
        is_of_values = {"equal"} in of_form.values()
        found |= {outcome for outcome in outcomes if outcome == "differs" or not is_of_values}
    return next((outcome for outcome in _WORST_FIRST if outcome in found), "equal")


TypedType = TypeVar("TypedType", bound=TypedArgument)


def shape_of(
    bound: Sequence[BoundCall[TypedType]], harmless: Collection[str] = (), neutral: Collection[str] = ()
) -> CallShape:
    """The shape of a call whose arguments are bound to torch's parameters. An argument that is torch's
    default counts as left out, as do those for the parameters that are `harmless`; of those that are
    `neutral` only that they are given."""
    forms: dict[str, ArgumentForm] = {}
    keywords: set[str] = set()
    starred: dict[str, list[BoundCall[TypedType]]] = {}
    for item in bound:
        parameter, argument = item.parameter, item.argument
        if parameter.kind == "star":
            starred.setdefault(parameter.name, []).append(item)
        elif parameter.name not in harmless:
            form = form_of(argument.source, argument.type)
            if parameter.name in neutral:
                form = ArgumentForm(NEUTRAL)
            if parameter.default is None or not _is_default(argument.source, form, parameter.default):
                forms[parameter.name] = form
                if argument.keyword is not None:
                    keywords.add(parameter.name)
    for name, items in starred.items():
        forms[name] = _of_starred(items)
    return CallShape(forms, frozenset(keywords))


def _is_default(source: str, form: ArgumentForm, default: str) -> bool:
    return source == default or bool(form.literal and form.literal == form_of(default).literal)


def _of_starred(items: Sequence[BoundCall[TypedType]]) -> ArgumentForm:
    """The form of what goes to `*size`: one sequence, or the forms of several values, whose number does not
    matter."""
    forms = [form_of(item.argument.source, item.argument.type).form for item in items]
    if any(item.argument.unpack for item in items):
        return ArgumentForm(UNKNOWN)
    if len(forms) == 1 and forms[0][:1] in ("(", "["):
        return ArgumentForm(forms[0])
    return ArgumentForm(STAR + "|".join(sorted(set(forms))))
