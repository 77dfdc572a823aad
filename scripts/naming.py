"""Which of an object's dotted names is the public one, and which are aliases."""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import Callable
from pathlib import Path

from walk import Walk, belongs, exported_names, is_private, namespace


class Names:
    """All dotted names of the package's objects, grouped by identity."""

    def __init__(
        self,
        package: str,
        found: Walk,
        preferred: set[str],
        rules: Path,
        is_dtype: Callable[[object], bool],
    ) -> None:
        self.is_dtype = is_dtype
        self.package = package
        self.found = found
        self._preferred = preferred
        curated = json.loads(rules.read_text(encoding="utf-8")) if rules.exists() else {}
        self._canonical: dict[str, str] = curated.get("canonical", {})
        self._behind: tuple[str, ...] = tuple(f"{m}." for m in curated.get("less_preferred_modules", []))
        self._kept_apart: set[str] = set(curated.get("modules_kept_apart", []))
        self._exported = {
            f"{module}.{name}"
            for module, value in found.modules.items()
            for name in exported_names(value) or []
        }
        self.modules: dict[str, str] = {}
        self.module_aliases: dict[str, list[str]] = {}
        self.objects: dict[str, object] = {}
        self.aliases: dict[str, list[str]] = {}
        self._class_names: dict[int, str] = {}
        self._name_modules()
        self._name_objects()

    def of_class(self, value: object) -> str | None:
        """The public name of a class of the package (`Tensor` for its tensor class)."""
        if not isinstance(value, type) or not belongs(value, self.package):
            return None
        name = self._class_names.get(id(value)) or f"{value.__module__}.{value.__qualname__}"
        return "Tensor" if name == f"{self.package}.Tensor" else name

    def canonical_class(self, value: type) -> str:
        """As `of_class`, with the tensor class in full; adds a class that no public name leads to."""
        name = self._class_names.get(id(value))
        if name is None:
            name = f"{value.__module__}.{value.__qualname__}"
            self._class_names[id(value)] = name
            self.objects[name] = value
            self.aliases.setdefault(name, [])
        return name

    def _name_modules(self) -> None:
        groups: dict[int, list[str]] = {}
        for name, module in self.found.modules.items():
            groups.setdefault(id(module), []).append(name)
        for name, module in list(self.found.modules.items()):
            for attribute, value in vars(module).items():
                useful = attribute != self.package and not is_private(f"{name}.{attribute}")
                if useful and isinstance(value, types.ModuleType) and id(value) in groups:
                    groups[id(value)].append(f"{name}.{attribute}")
        for spellings in groups.values():
            unique = sorted(set(spellings), key=self._rank)
            imported = [n for n in unique if n in self.found.modules]
            self.modules[imported[0]] = imported[0]
            self.module_aliases[imported[0]] = sorted(n for n in unique if n != imported[0])

    def _name_objects(self) -> None:
        groups: dict[int, list[str]] = {}
        values: dict[int, object] = {}
        for module_name in self.modules:
            for attribute, value in namespace(self.found.modules[module_name]).items():
                dotted = f"{module_name}.{attribute}"
                if not self._wanted(attribute, value, module_name):
                    continue
                if self.is_dtype(value) and module_name != self.package:
                    self._add_dtype_alias(attribute, dotted, value)
                    continue
                if self._apart(value):
                    self.objects[dotted] = value
                    self.aliases[dotted] = []
                    continue
                groups.setdefault(id(value), []).append(dotted)
                values[id(value)] = value
        for key, spellings in groups.items():
            self._name_object(values[key], sorted(set(spellings)))

    def _name_object(self, value: object, spellings: list[str]) -> None:
        unique = sorted(spellings, key=lambda n: self._rank(n, value))
        chosen = next((self._canonical[n] for n in unique if n in self._canonical), unique[0])
        apart = {chosen, *(n for n in unique if self._stands_alone(n))}
        for name in apart:
            self.objects[name] = value
            self.aliases[name] = []
        self.aliases[chosen] = sorted(n for n in unique if n not in apart)
        if isinstance(value, type):
            self._class_names[id(value)] = chosen

    def _stands_alone(self, dotted: str) -> bool:
        """Whether a spelling is documented as an API of its own, though the object has another name too."""
        public = dotted in self._exported or dotted in self._preferred
        return public and dotted.rsplit(".", 1)[0] in self._kept_apart

    def _add_dtype_alias(self, attribute: str, dotted: str, value: object) -> None:
        public = f"{self.package}.{attribute}"
        if self.objects.get(public) is value and not is_private(dotted):
            self.aliases[public].append(dotted)

    def _wanted(self, attribute: str, value: object, module: str) -> bool:
        if isinstance(value, types.ModuleType):
            return False
        if attribute == "__version__":
            return module == self.package
        if attribute.startswith("__"):
            return False
        own = belongs(value, self.package)
        if inspect.isroutine(value) or isinstance(value, type):
            if not own:
                return False
            home = getattr(value, "__module__", None)
            package = hasattr(self.found.modules[module], "__path__")
            return not attribute.startswith("_") or home in (module, None) or package
        if attribute.startswith("_"):
            return False
        exported = f"{module}.{attribute}" in self._exported
        if own:
            return not is_private(module) or exported
        simple = value is None or isinstance(value, (bool, int, float, str, tuple))
        return (exported or type(self.found.modules[module]) is not types.ModuleType) and (
            simple or callable(value)
        )

    def _apart(self, value: object) -> bool:
        """Whether each spelling is an API of its own: constants that are plain values, and dtypes."""
        if inspect.isroutine(value) or isinstance(value, type):
            return False
        return not belongs(value, self.package) or self.is_dtype(value)

    def _is_exported(self, dotted: str, value: object) -> bool:
        """Listed in the module's `__all__`; without one, re-exported by a package from its own modules."""
        module = dotted.rsplit(".", 1)[0]
        found = self.found.modules.get(module)
        if found is None or exported_names(found) is not None:
            return dotted in self._exported
        home = str(getattr(value, "__module__", None))
        return home == module or (hasattr(found, "__path__") and home.startswith(f"{module}."))

    def _rank(self, dotted: str, value: object = None) -> tuple[object, ...]:
        last = dotted.rsplit(".", 1)[-1]
        named = isinstance(value, type) or inspect.isroutine(value)
        own_name = getattr(value, "__name__", last) if named else last
        return (
            sum(is_private(part) for part in dotted.split(".")),
            dotted not in self._preferred,
            dotted.startswith(self._behind),
            named and not self._is_exported(dotted, value),
            last != own_name,
            dotted.count("."),
            len(dotted),
            dotted,
        )
