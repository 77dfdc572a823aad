"""Which names and values in a file are settings of a training."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mindport.report.analysis.file_code import WORD, NamedValue, Surroundings, last_part, spelled
from mindport.report.analysis.file_reader import OF_MODULES, OPTIMIZERS, FileReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mindport.catalog.migration_facts import RecipeItem

_LAYERS: Final = "torch.nn."
_TORCH: Final = "torch."
_FROZEN: Final = "requires_grad"
_WEIGHTS: Final = ("weight", "bias", "parameters")
_FLAG: Final = re.compile(r"""["']--([A-Za-z][\w-]*)["']""")
"""How an option is given on the command line."""
_PATHS: Final = ("./", "../", "/", "~")
_HELP: Final = re.compile(r"\bhelp\s*=\s*(?P<text>.*)", re.DOTALL)
_OF_PATHS: Final = re.compile(r"\b(?:path|folder|directory)\b", re.IGNORECASE)
"""What is said of options that are paths."""


class SettingReader(FileReader):
    """Reads options, constants and arguments."""

    def _is_setting_of(self, item: RecipeItem, value: NamedValue) -> bool:
        """Whether a name and its value belong to an item."""
        is_assigned = value.kind == "assigned"
        if is_assigned and value.name == _FROZEN and self._is_of_tensor(value):
            return False
        if not item.has_paths and self._is_path(value):
            return False
        if is_assigned and (item.is_set_to(value.name, value.value) or self._is_set_back(item, value)):
            return True
        if is_assigned and item.minimized and (value.owner, value.scope) in self._criteria:
            return True
        if is_assigned and item.has_steps and self._is_of_schedule(value):
            return False
        is_other_letter = len(value.name) == 1 and value.option.lstrip("-").isupper()
        if any(item.has_option(name) or item.has_name(name) for name in self._other_flags(value)):
            return True
        if item.has_option(value.name) and not is_other_letter:
            classes = value.scope.classes
            is_kept = self.facts.keeps_settings(classes[-1]) if classes else not value.scope.name
            if value.kind == "keyword":
                is_assigned = is_kept = self.facts.keeps_settings(value.callee)
            is_told = is_assigned and is_kept and value.value not in ("", "None", "0") and not value.owner
            is_told = is_told and not value.value.startswith("{")
            is_told = is_told and not (value.value == "0.0" and self._is_in_function(value))
            is_told = is_told and not (item.counts and self._is_counted_up(value))
            return value.kind == "option" or is_told
        return self._is_setting(item, value, item.has_name)

    def is_of_test(self, value: NamedValue) -> bool:
        """Whether it is a key in a table of settings that are for what evaluates, by the table's name."""
        return value.kind == "key" and self.facts.only_evaluates(value.owner.lower())

    def _is_in_function(self, value: NamedValue) -> bool:
        """Whether a name gets its value in a function, and is no attribute of something."""
        function = last_part(value.scope.name)
        return bool(function) and not value.owner and function not in value.scope.classes[-1:]

    def _is_of_schedule(self, value: NamedValue) -> bool:
        """Whether a name gets its value in a function that sets learning rates, by its name, or as it assigns
        the rates of groups and makes no optimizer."""
        schedules = [item for item in self.facts.recipe if item.tells_body]
        if any(item.has_function(name) for item in schedules for name in value.scope.name.split(".")):
            return True
        return not value.owner and value.scope.name in self._setting_rates

    @cached_property
    def _setting_rates(self) -> frozenset[str]:
        """The functions that assign the rates of groups, and make no optimizer."""
        schedules = [item for item in self.facts.recipe if item.tells_body]
        setting = {
            one.scope.name
            for one in self.code.computed
            if any(item.has_target(one.written) for item in schedules)
        }
        making = {one.scope.name for one in self.code.calls if one.name.startswith(OPTIMIZERS)}
        return frozenset(setting - making - {""})

    @cached_property
    def _criteria(self) -> frozenset[tuple[str, Surroundings]]:
        """The names of losses that are made of classes of torch, each with where."""
        return frozenset(
            (one.written, one.scope)
            for one in self.code.computed
            if one.made and self._loss.has_api(self.code.full_name(one.made))
        )

    def _other_flags(self, value: NamedValue) -> Iterator[str]:
        """The other names that an option has on the command line, where none of them is its own."""
        flags = _FLAG.findall(self._option_text(value.offset)) if value.option.startswith("--") else []
        yield from [spelled(one) for one in flags if one != value.option.removeprefix("--")]

    def _is_of_tensor(self, value: NamedValue) -> bool:
        """Whether it is an attribute of a name that its function gives what Tensors give, and no layer."""
        return any(
            one.written == value.owner
            and one.scope == value.scope
            and not any(name.endswith(_WEIGHTS) for name in one.uses)
            and (one.is_computed or not one.made or self._gives_tensor(one.made))
            for one in self.code.computed
        )

    def _gives_tensor(self, made: str) -> bool:
        """Whether a function gives Tensors: one of torch, or a method that these have."""
        is_method = "." in made and self._catalog.api(f"torch.Tensor.{last_part(made)}") is not None
        name = self.code.full_name(made)
        return is_method or (name.startswith(_TORCH) and not name.startswith(_LAYERS))

    def _is_set_back(self, item: RecipeItem, value: NamedValue) -> bool:
        """Whether a name gets another value where its function gives it one before that belongs to an
        item."""
        if not value.owner or not value.value:
            return False
        same = self._values_of_names.get((value.name, value.owner, value.scope), ())
        return any(item.is_set_to(one.name, one.value) for one in same if one.offset < value.offset)

    @cached_property
    def _values_of_names(self) -> Mapping[tuple[object, ...], Sequence[NamedValue]]:
        """What gives a name a value, by the name, what it is a name of, and where."""
        found: dict[tuple[object, ...], list[NamedValue]] = {}
        for one in self.code.values:
            found.setdefault((one.name, one.owner, one.scope), []).append(one)
        return found

    def _is_path(self, value: NamedValue) -> bool:
        """Whether an option says where something is kept, by its value or what is said of it."""
        if value.kind != "option":
            return False
        if value.value.strip("\"'").startswith(_PATHS):
            return True
        said = _HELP.search(self._option_text(value.offset))
        return said is not None and _OF_PATHS.search(said["text"]) is not None

    def _is_setting(self, item: RecipeItem, value: NamedValue, has: Callable[[str], bool]) -> bool:
        """Whether a name and its value belong to an item: not what a call of torch is given, which is told
        with that, nor what a layer is made with, nor where a counter begins, nor a key that says itself."""
        if not has(value.name):
            return False
        if value.name in self.facts.exact and not item.is_named(value.name) and not item.has_hint(value.name):
            return False
        if value.kind == "option" and value.value.strip("\"'") == "" and not item.is_named(value.name):
            is_text = bool(value.value) and item.has_hint(value.name) and not item.has_name(value.name)
            return not is_text  # what is named by a text begins with none
        if value.kind == "option" or value.value in ("", "None"):
            return value.kind == "option"
        if value.kind in ("assigned", "key") and value.value.strip("[](){} ") in ("", "0", "0.0", "-1"):
            return False
        if value.kind == "assigned" and (self._is_of_nothing(value) or self._is_of_each_module(value)):
            return False
        is_key = value.value.strip("\"'").lower() == value.name.strip("_")
        if is_key or self._is_other_entry(value) or self._is_rebound(value):
            return False
        if item.counts and value.kind == "assigned" and value.value.startswith("["):
            return False  # what is kept of each
        if item.counts and not value.scope.name and self._is_counted_up(value):
            return False
        if value.kind == "keyword" and not self.facts.is_given_settings(value.callee):
            return False
        if value.kind == "keyword" and item.cuts and item.arguments and self._is_to_evaluate(value):
            return False
        if any(start <= value.offset < end for start, end in self._torch_calls):
            return False
        if value.kind == "parameter" and (value.value.startswith("-") or not self._is_used(value)):
            return False
        if value.kind == "parameter" and any(
            one.start <= value.offset < one.last for one in self._without_gradients
        ):
            return False
        if value.kind in ("assigned", "parameter") and not item.is_reading and self._is_of_layers(value):
            return False
        if any(self.facts.only_logs(name.lower()) for name in value.scope.classes):
            return False
        if not value.scope.classes or self.facts.keeps_settings(value.scope.classes[-1]):
            return True
        return value.kind == "assigned" and not self._derives_from_torch(value.scope.classes[-1])

    def _is_of_nothing(self, value: NamedValue) -> bool:
        """Whether nothing reads a name that the file has where it is a program alone: functions have names of
        their own."""
        if value.owner or not any(one.start <= value.offset < one.end for one in self._main_branches):
            return False
        reads = [offset for name, offset in self.code.read if name == value.name]
        return not value.scope.name and all(self._is_own(value.name, offset) for offset in reads)

    def _is_to_evaluate(self, value: NamedValue) -> bool:
        """Whether it is given to what makes data for evaluation, by the name of that, or of what is kept."""
        around = [one for one in self.code.calls if one.start <= value.offset < one.end]
        call = min(around, key=lambda one: one.end - one.start, default=None)
        if call is None:
            return False
        given = [one.lower() for _, one in call.arguments[:1] if one.isidentifier()]
        return any(map(self.facts.only_evaluates, [*given, *self._targets_around(call)]))

    def _is_of_each_module(self, value: NamedValue) -> bool:
        """Whether it is an attribute of the layers of a network that a loop goes over."""
        return bool(value.owner) and any(
            one.start <= value.offset < one.last
            and OF_MODULES.search(one.over) is not None
            and value.owner in WORD.findall(one.name)
            for one in self.code.loops
        )

    def _is_own(self, name: str, offset: int) -> bool:
        """Whether the function around a byte, or one around that, has a name of its own."""
        around = self._scope_at(offset).name.split(".")
        scopes = {".".join(around[: end + 1]) for end in range(len(around))} - {""}
        return any(spelled(own) == name and scope in scopes for own, scope in self._locals)

    def _is_of_layers(self, value: NamedValue) -> bool:
        """Whether layers of networks are all that a name is given to in the file, such as the momentum of a
        norm: not what losses are made with."""
        reads = [offset for name, offset in self.code.read if name == value.name]
        if value.owner:
            reads = [offset for name, offset in self.code.read_inside if name == value.name]
        return bool(reads) and all(
            any(start <= offset < end for start, end in self._layers) for offset in reads
        )

    @cached_property
    def _layers(self) -> Sequence[tuple[int, int]]:
        """Where layers are made."""
        return [
            (one.shift + call.start, one.shift + call.end)
            for one in self.found.findings
            if (call := one.finding.use.call) is not None
            and one.finding.use.api.startswith(_LAYERS)
            and last_part(one.finding.use.api)[:1].isupper()
            and not self._loss.has_api(one.finding.use.api)
        ]

    def _is_used(self, value: NamedValue) -> bool:
        """Whether the function of a parameter does anything with it."""
        found = [one for one in self.code.functions if one.start <= value.offset < one.end]
        function = max(found, key=lambda one: one.start, default=None)
        if function is None:
            return True
        body = self.document.text(function.end, function.last)
        return value.name in map(spelled, WORD.findall(body))

    def _is_rebound(self, value: NamedValue) -> bool:
        """Whether it is where a local name begins that is computed later, such as a counter or an extreme."""
        key = (value.name, value.scope.name)
        return value.kind == "assigned" and not value.owner and key in self._rebound

    def _is_counted_up(self, value: NamedValue) -> bool:
        """Whether it is where a counter of the module begins: a loop adds to it."""
        return value.kind == "assigned" and not value.owner and value.name in self._counters

    @cached_property
    def _counters(self) -> frozenset[str]:
        loops = [*self.code.loops, *self.code.whiles]
        own = {(one.written, one.scope.name) for one in self.code.computed if not one.is_augmented}
        own |= {
            (one.name, one.scope.name) for one in self.code.values if one.kind == "assigned" and one.value
        }
        added = [one for one in self.code.computed if one.is_augmented]
        return frozenset(
            one.name
            for one in added
            if any(loop.start <= one.start < loop.last for loop in loops)
            and (not one.scope.name or (one.written, one.scope.name) not in own)
        )

    @cached_property
    def _rebound(self) -> frozenset[tuple[str, str]]:
        """The names that a function computes anew from what they were, each with the function."""
        return frozenset(
            (one.name, one.scope.name)
            for one in self.code.computed
            if one.scope.name and (one.written in one.uses or one.is_augmented)
        )

    def _is_other_entry(self, value: NamedValue) -> bool:
        """Whether it is the entry of a dictionary that keeps no settings."""
        return value.is_entry and not self.facts.is_setting(f"{value.owner}.{value.name}")
