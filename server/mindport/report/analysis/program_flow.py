"""What programs do to data before they train: from where they load it on, under whatever names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.catalog.catalog import Catalog
from mindport.report.analysis.batch_flow import names_in, used_in
from mindport.report.analysis.file_code import FileCode, Named, by_scope, last_part

if TYPE_CHECKING:
    from mindport.report.analysis.sample_steps import SampleSteps

_OF_NUMBERS: Final = re.compile(
    r"^(?:n|num|nb|max|min|len|total)_|^n[A-Z]|^(?:in|out)_\w|(?:_|^)(?:num|size|dim|len|length|count|classes|channels|total|index|idx|time|start|stop)s?$"
)
"""The names of numbers about data."""
_OF_OTHERS: Final = re.compile(
    r"(?:^|_)(?:net|network|model|optimizer|optim|scheduler|criterion|loss|logger|writer|device|args|config)(?:$|_|[A-Z0-9])"
)
"""The names of what is trained, or trains."""
_SHOWING: Final = ("matplotlib.", "seaborn.", "plotly.", "logging.", "wandb.", "time.")

_ARRAYS: Final = ("torch.", "numpy.")


class ProgramFlow:
    """Follows data in the functions of a file that train, or the module itself, up to where each does
    (`first`): what gives data is said by `is_data`, what is there to evaluate by the name, `trains` says of
    a call whether it does."""

    def __init__(
        self,
        code: FileCode,
        steps: SampleSteps,
        first: Mapping[str, int],
        is_data: Callable[[Named], bool],
        trains: Callable[[Named], bool],
    ) -> None:
        self._code = code
        self._steps = steps
        self._first = first
        self._is_data = is_data
        self._trains = trains
        self._facts = Catalog.load().migration

    @cached_property
    def steps(self) -> Sequence[Named]:
        """The statements that change data, or compute where it is cut."""
        return [one for scope, until in self._first.items() for one in self._of_scope(scope, until)]

    @cached_property
    def called(self) -> frozenset[str]:
        """The names of the functions of the project that these call, given data."""
        calls = [call for one in self.steps for call in self._calls_in(one)]
        return frozenset(
            call.written
            for call in calls
            if call.written.isidentifier() and not call.written[:1].isupper() and call.arguments
        )

    def _of_scope(self, scope: str, until: int) -> Iterator[Named]:
        data: set[str] = set()
        found: list[Named] = []
        numbers: dict[str, Named] = {}
        for one in self._computed.get(scope, ()):
            if one.start >= until:
                break
            owner = one.written.partition("[")[0]
            calls = list(self._calls_in(one))
            if self._facts.only_evaluates(owner.lower()) or any(map(self._trains, calls)):
                continue
            if any(map(self._is_data, calls)):
                data.add(owner)
            elif used_in(one, self._code).isdisjoint(data):
                if not names_in(one).isdisjoint(data):
                    numbers[owner] = one
                data.discard(owner)
            elif not self._makes_object(one) and _OF_NUMBERS.search(owner) is None:
                data.add(owner)
                if self._steps.is_step(one) or self._steps.is_cut(one):
                    found.append(one)
        used = {name for one in found for name in names_in(one)}
        yield from [one for name, one in numbers.items() if name in used and (one.is_computed or one.made)]
        yield from found

    def _makes_object(self, one: Named) -> bool:
        """Whether what is assigned is an object of a class, or what shows something gives."""
        if self._code.full_name(one.made).startswith(_SHOWING) or _OF_OTHERS.search(one.written):
            return True
        return any(
            last_part(call.written)[:1].isupper() and not call.name.startswith(_ARRAYS)
            for call in self._calls_in(one)
        )

    @cached_property
    def _computed(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.computed)

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[Named]]:
        return by_scope(self._code.calls)

    def _calls_in(self, one: Named) -> Iterator[Named]:
        for call in self._calls.get(one.scope.name, ()):
            if one.start <= call.start and call.end <= one.end:
                yield call
