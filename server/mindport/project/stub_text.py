"""How stubs are written: values of the evaluator as Python code that gives them."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from mindport.infer.class_members import class_member, decorator_names
from mindport.infer.values import (
    AbstractValue,
    ApiValue,
    Class,
    Container,
    External,
    ExternalInstance,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    NoneValue,
    Object,
    TorchModule,
    Value,
)

if TYPE_CHECKING:
    from mindport.index.definitions import ClassDefinition
    from mindport.infer.evaluator import Evaluator

_MOST_MEMBERS = 200
"""As many members of a class are looked at; of the others it is said that they are there."""
_MOST_CLASSES = 12
"""As many classes are written for one name; others are known by the torch class they derive from."""
_DEEPEST = 3
"""Types in types in types."""
_ANYTHING = "object"
"""The annotation that says nothing."""
_HEAD = "import typing\nimport torch\n"


class StubText:
    """Writes one stub. `is_open`: it has a function of which nothing is known but that it is there."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._classes: dict[ClassDefinition, str] = {}
        self._written: list[str] = []
        self.is_open = False

    def of(self, name: str, result: AbstractValue) -> str:
        """The stub of `name`, which is `result`; empty where there is nothing to say."""
        values = result.alternatives
        if not name.isidentifier() or keyword.iskeyword(name) or not values:
            return ""
        if all(isinstance(value, ApiValue | TorchModule) for value in values):
            spelled = [value.name for value in values if isinstance(value, ApiValue | TorchModule)]
            chosen = " if typing.TYPE_CHECKING else ".join(spelled)
            return f"{_HEAD}{_imports(values)}{name} = {chosen}\n"
        if len(values) != 1:
            return ""
        self.is_open = isinstance(values[0], External)
        value = values[0]
        if isinstance(value, Class):
            own = self._class(value.definition, 0)
            return "".join([_HEAD, *self._written, f"{name} = {own}\n"]) if own is not None else ""
        if isinstance(value, Function):
            gives = self._type(self._evaluator.returned_by(value.definition), 0)
            self.is_open = gives == _ANYTHING
            return "" if self.is_open else "".join([_HEAD, *self._written, _function(name, gives, "")])
        gives = self._type(result, 0)
        return "" if gives == _ANYTHING else "".join([_HEAD, *self._written, f"{name}: {gives}\n"])

    def _class(self, definition: ClassDefinition, depth: int) -> str | None:
        """The name under which a class is written here; None if there are too many."""
        if definition in self._classes:
            return self._classes[definition]
        if len(self._classes) >= _MOST_CLASSES or depth > _DEEPEST:
            return None
        name = self._classes[definition] = f"_{definition.name}_{len(self._classes)}"
        lineage = self._lineage(definition)
        bases = [base for base in lineage if isinstance(base, str)]
        names: dict[str, None] = {}
        for one in lineage:
            if not isinstance(one, str):
                names.update(dict.fromkeys(_names(one)))
        lines = [f"class {name}({', '.join(bases)}):\n"]
        for position, member in enumerate(names):
            if member.isidentifier() and not keyword.iskeyword(member):
                known = position < _MOST_MEMBERS
                lines.append(self._member(definition, member, depth) if known else f"    {member}: object\n")
        self._written.append("".join(lines) + "    pass\n")
        return name

    def _member(self, definition: ClassDefinition, name: str, depth: int) -> str:
        found = class_member(
            self._evaluator, definition, name, instance=True, receiver=Object(definition)
        ).alternatives
        functions = [value for value in found if isinstance(value, Function)]
        if len(found) == 1 and functions:
            function = functions[0].definition
            gives = self._type(self._evaluator.returned_by(function), depth + 1)
            properties = self._evaluator.catalog.contracts.properties
            decorated = not properties.isdisjoint(decorator_names(self._evaluator, function))
            return ("    @property\n" if decorated else "") + _function(name, gives, "    ")
        return f"    {name}: {self._type(AbstractValue(found), depth + 1)}\n"

    def _lineage(self, definition: ClassDefinition) -> list[ClassDefinition | str]:
        """A class and those it derives from: of packages the definitions, of torch the names; `typing.Any`
        for what cannot be looked into."""
        found: dict[ClassDefinition | str, None] = {}
        waiting = [definition]
        while waiting:
            current = waiting.pop(0)
            if current in found or current.scope is None:
                continue
            found[current] = None
            for base in current.bases:
                for value in self._evaluator.in_other_block(current.scope.block, base).alternatives:
                    if isinstance(value, Class):
                        waiting.append(value.definition)
                    elif isinstance(value, ApiValue):
                        found[value.name] = None
                    elif not (isinstance(value, External) and value.name.startswith(("builtins.", "abc."))):
                        found["typing.Any"] = None
        return list(found)

    def _type(self, result: AbstractValue, depth: int) -> str:
        """An annotation that allows what a result may be."""
        if not result.alternatives or depth > _DEEPEST:
            return _ANYTHING
        parts = dict.fromkeys(self._type_of(value, depth) for value in result.alternatives)
        if _ANYTHING in parts:
            return _ANYTHING
        return next(iter(parts)) if len(parts) == 1 else f"typing.Union[{', '.join(parts)}]"

    def _type_of(self, value: Value, depth: int) -> str:
        if isinstance(value, Instance | Container):
            return value.of if value.of.startswith("torch.") else _ANYTHING
        if isinstance(value, NoneValue):
            return "None"
        if isinstance(value, Object):
            return self._class(value.definition, depth) or _ANYTHING
        if isinstance(value, FixedTuple) and value.kind == "tuple" and value.items and not value.names:
            return f"tuple[{', '.join(self._type(item, depth + 1) for item in value.items)}]"
        if isinstance(value, FixedTuple):
            return _ANYTHING
        if isinstance(value, HomogeneousContainer):
            inner = self._type(value.element, depth + 1)
            if value.kind in ("list", "set"):
                return f"{value.kind}[{inner}]"
            return {
                "tuple": f"tuple[{inner}, ...]",
                "dict": f"dict[object, {inner}]",
                "iterator": f"typing.Iterator[{inner}]",
            }.get(value.kind, _ANYTHING)
        if isinstance(value, ExternalInstance):
            module, _, last = value.of.rpartition(".")
            return last if module == "builtins" and last.isidentifier() and last != "None" else _ANYTHING
        return _ANYTHING


def _imports(values: tuple[Value, ...]) -> str:
    """The imports of the torch modules that are spelled."""
    modules = [value.name for value in values if isinstance(value, TorchModule)]
    return "".join(f"import {name}\n" for name in modules)


def _names(definition: ClassDefinition) -> list[str]:
    """The names of what a class has by itself."""
    if definition.own_part is not None:
        return sorted(definition.own_part.names())
    return sorted(definition.parts_by_name)


def _function(name: str, gives: str, indent: str) -> str:
    """A function that may be called with anything and gives, likely, something of a type."""
    arrow = "" if gives == _ANYTHING else f" -> {gives}"
    return f'{indent}def {name}(*arguments, **others){arrow}:\n{indent}    return others[""]\n'
