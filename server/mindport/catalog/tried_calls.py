"""Which calls of a torch API were run with a candidate, and what came of each: proof belongs to the shape of
a call, not to the name of the API.

The shape of a call is the set of parameters it gives values other than torch's default, each with the form of
its value. Uses the standard library only: the build of the index reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from mindport.catalog.argument_form import ANY, NEUTRAL, UNKNOWN, ArgumentForm, form_of, may_be
from mindport.catalog.binding import BoundCall, TypedArgument

TriedOutcome = Literal["equal", "differs", "raises", "no_gradient", "unsupported"]
"""What came of a call: the same result; another one; an error about the call itself; the same result, but no
gradient; no kernel on the device."""
Verdict = Literal[TriedOutcome, "not_run"]
"""What is known of a call: the worst that came of calls of its shape; or that none was run."""
_WORST_FIRST: Final[tuple[TriedOutcome, ...]] = ("differs", "raises", "unsupported", "no_gradient")
_ALWAYS: Final = ("equal", "differs")
"""What counts whatever came of other values of the same form."""
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


class _TriedCall(NamedTuple):
    """A call that was run: what came of it, the parameters it gave by keyword, and the form of each parameter
    that it gave, in the order of their names."""

    outcome: TriedOutcome
    keywords: frozenset[str]
    forms: tuple[ArgumentForm, ...]


class _CallsOfNames:
    """The calls that were run with the same parameters given."""

    def __init__(self, record: Sequence[Sequence[Any]]) -> None:
        self._calls = [
            _TriedCall(cast("TriedOutcome", outcome), frozenset(keywords), tuple(map(_form_of_record, forms)))
            for outcome, keywords, forms in record
        ]
        columns = zip(*[call.forms for call in self._calls], strict=True)
        self._literals = [frozenset([form.literal for form in column]) for column in columns]
        self._refused = [self._refused_at(place) for place in range(len(self._literals))]
        self._known: dict[tuple[frozenset[str], tuple[ArgumentForm, ...]], Verdict] = {}

    def verdict(self, keywords: frozenset[str], forms: tuple[ArgumentForm, ...]) -> Verdict:
        """See `TriedCalls.verdict`."""
        key = (keywords, forms)
        known = self._known.get(key)
        if known is None:
            alike = [call for call in self._calls if self._is_like(call.forms, forms)]
            same = [call for call in alike if call.keywords == keywords]
            outcomes = _outcomes(same or alike)
            known = self._known[key] = _worst(outcomes)
        return known

    def outcomes(self) -> set[TriedOutcome]:
        """What came of all calls."""
        return _outcomes(self._calls)

    def _refused_at(self, place: int) -> frozenset[str]:
        """The brackets that no sequence at a place may be written in: none that was tried so was taken."""
        outcomes: dict[str, set[TriedOutcome]] = {}
        for call in self._calls:
            outcomes.setdefault(call.forms[place].form[:1], set()).add(call.outcome)
        return frozenset(each for each in "([" if outcomes.get(each) == {"raises"})

    def _is_like(self, tried: tuple[ArgumentForm, ...], given: tuple[ArgumentForm, ...]) -> bool:
        """Whether a call that was run stands for calls of a shape: each parameter with the same literal where
        that was tried, else with a value of a form that it may have."""
        for place, form in enumerate(given):
            recorded = tried[place]
            if form.literal and form.literal in self._literals[place]:
                if recorded.literal != form.literal:
                    return False
            elif not may_be(form.form, recorded.form) or (
                recorded.form == ANY and form.form[:1] in self._refused[place]
            ):
                return False
        return True


class TriedCalls:
    """The calls of one torch API that were run with one candidate on one device, from the index (see
    `packed`). What was run with the same parameters is taken apart when it is asked for."""

    def __init__(self, record: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._record = record
        self._by_names: dict[str, _CallsOfNames] = {}

    def verdict(self, shape: CallShape) -> Verdict:
        """What is known of a call of this shape. Calls that give the same parameters by keyword count; those
        that do not only where there are none."""
        names = sorted(shape.forms)
        key = ",".join(names)
        if key not in self._record:
            return "not_run"
        return self._of_names(key).verdict(shape.keywords, tuple([shape.forms[name] for name in names]))

    def verdict_of_any(self) -> Verdict:
        """What is known of whatever call may come: that of a function or class that is passed on."""
        found: set[TriedOutcome] = set()
        for key in self._record:
            found |= self._of_names(key).outcomes()
        return _worst(found)

    def _of_names(self, key: str) -> _CallsOfNames:
        found = self._by_names.get(key)
        if found is None:
            found = self._by_names[key] = _CallsOfNames(self._record[key])
        return found


def packed(record: Mapping[str, Sequence[Mapping[str, str]]]) -> dict[str, list[list[Any]]]:
    """What evidence says of calls, as the index keeps it: by the names of the parameters given, the calls,
    each as its outcome, the names given by keyword, and the forms in the order of the names, with their
    literals where there are any."""
    found: dict[str, list[list[Any]]] = {}
    for outcome, shapes in record.items():
        for shape in shapes:
            forms = {name.rstrip(BY_KEYWORD): ArgumentForm.of_text(text) for name, text in shape.items()}
            keywords = sorted(name[:-1] for name in shape if name.endswith(BY_KEYWORD))
            names = sorted(forms)
            items = [[*forms[name]] if forms[name].literal else [forms[name].form] for name in names]
            found.setdefault(",".join(names), []).append([outcome, keywords, items])
    return found


def _form_of_record(item: Sequence[str]) -> ArgumentForm:
    return ArgumentForm(item[0], item[1]) if len(item) > 1 else ArgumentForm(item[0])


def _outcomes(calls: Iterable[_TriedCall]) -> set[TriedOutcome]:
    """What came of calls with the same parameters. An error that some value alone has, while others of the
    same form are equal, is that value's; another result is never."""
    groups: dict[object, dict[object, set[TriedOutcome]]] = {}
    for call in calls:
        forms = tuple([form.form for form in call.forms])
        values = tuple([form.literal for form in call.forms])
        groups.setdefault(forms, {}).setdefault(values, set()).add(call.outcome)
    found: set[TriedOutcome] = set()
    for of_form in groups.values():
        outcomes = set().union(*of_form.values())
        is_of_values = {"equal"} in of_form.values()
        found |= {outcome for outcome in outcomes if outcome in _ALWAYS or not is_of_values}
    return found


def _worst(outcomes: Collection[TriedOutcome]) -> Verdict:
    if not outcomes:
        return "not_run"
    return next((outcome for outcome in _WORST_FIRST if outcome in outcomes), "equal")


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
