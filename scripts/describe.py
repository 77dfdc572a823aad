"""Turns named objects into API records: classes with their bases and members, and all the rest."""

from __future__ import annotations

import ast
import enum
import inspect
import json
import types
from pathlib import Path

from instance_attributes import instance_attributes
from recorder import Record, Recorder, deprecation
from signatures import (
    Signature,
    Stub,
    from_callable,
    functions_of,
)
from walk import belongs, is_private, star_names

_DUNDERS_LEFT_OUT = {"__init_subclass__", "__class_getitem__", "__subclasshook__", "__new__", "__repr__"}
_ATTRIBUTES = (types.GetSetDescriptorType, types.MemberDescriptorType)


class Describer(Recorder):
    """Describes every object of `names`."""

    def all(self) -> list[Record]:
        """The records of all modules, objects and members, sorted by name."""
        for name in self.names.modules:
            self._add(name, "module", aliases=self.names.module_aliases[name])
            self._records[name]["exports"] = star_names(self.names.found.modules[name])
        for name in list(self.names.objects):
            self._describe(name)
        for name, path in self.names.found.unimportable.items():
            self._from_source(name, path)
        self._inherit_returns()
        return [self._records[name] for name in sorted(self._records)]

    def _inherit_returns(self) -> None:
        """A method that does not say what it returns, says what the method it overrides says."""
        for record in self._records.values():
            if record["kind"] == "method" and "returns" not in record:
                owner, _, attribute = str(record["name"]).rpartition(".")
                for base in self._records.get(owner, {}).get("lineage", []):  # type: ignore[attr-defined]
                    returns = self._records.get(f"{base}.{attribute}", {}).get("returns")
                    if returns not in (None, "None"):
                        record["returns"] = returns
                        break

    @staticmethod
    def write(records: list[Record], path: Path) -> None:
        """One record a line."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(r, ensure_ascii=False, separators=(", ", ": ")) for r in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path}: {len(records)} APIs")

    def _describe(self, name: str) -> None:
        value = self.names.objects[name]
        if name in self._records:
            return
        if isinstance(value, type):
            self._class(name, value)
        elif inspect.isroutine(value) or isinstance(value, types.FunctionType):
            self._function(name, value)
        else:
            self._constant(name, value)

    def _class(self, name: str, cls: type) -> None:
        if cls in self.merged:
            return
        bases = [b for b in cls.__mro__[1:] if belongs(b, self.package)]
        lineage = [self._class_name(b) for b in bases]
        stub, node_name = self._class_stub(cls)
        constructor = stub.overloads("__init__", self.type_names, self.scope, node_name) if stub else []
        constructor = constructor or (
            stub.overloads("__new__", self.type_names, self.scope, node_name) if stub else []
        )
        if not constructor:
            constructor = self._own_signatures(cls, name)
        for signature in constructor:
            signature.pop("returns", None)
        self._add(
            name,
            "class",
            aliases=self.names.aliases[name],
            bases=self._bases(cls, stub, node_name),
            lineage=self._stands_for(cls) or [n for n in lineage if n != name],
            signatures=constructor,
            deprecated=deprecation(cls),
            platforms=self.platforms(cls),
        )
        if type(cls).__name__ != "tensortype":
            self._members(name, cls)
        self._members_of_private_bases(name, bases)
        for base in bases:
            self._describe_base(base)

    def _members_of_private_bases(self, name: str, bases: list[type]) -> None:
        """What a public class has from private bases is documented as its own: `nn.Conv2d.weight`."""
        if is_private(name):
            return
        for base in bases:
            base_name = self.names.canonical_class(base)
            if not is_private(base_name):
                return
            if base not in self.merged:
                self._members(name, base)

    def _bases(self, cls: type, stub: Stub | None, node_name: str) -> list[str]:
        own = [self._class_name(b) for b in cls.__bases__ if belongs(b, self.package)]
        outside = _outside(cls)
        if stub and outside == ["tuple"]:
            stated = [
                self.type_names.of_text(ast.unparse(b), self.scope) for b in stub.classes[node_name].bases
            ]
            return [text for text in stated if text] or outside
        return self._stands_for(cls) or own or outside

    def _stands_for(self, cls: type) -> list[str]:
        """`torch.FloatTensor` and its like and `Variable` are no subclasses of Tensor, but make Tensors."""
        makes_tensors = type(cls).__name__ in ("tensortype", "VariableMeta")
        return [f"{self.package}.Tensor"] if makes_tensors else []

    def _class_name(self, cls: type) -> str:
        return self.merged.get(cls) or self.names.canonical_class(cls)

    def _describe_base(self, base: type) -> None:
        name = self._class_name(base)
        if base in self.merged:
            self._members(name, base)
        elif name not in self._records:
            self._class(name, base)

    def _class_stub(self, cls: type) -> tuple[Stub | None, str]:
        home = cls.__module__
        for module in (home, "torch._C", home.replace("torch", "torch._C", 1)):
            stub = self.stubs.get(module)
            if stub and cls.__name__ in stub.classes:
                return stub, cls.__name__
        return None, ""

    def _members(self, owner: str, cls: type) -> None:
        stub, node_name = self._class_stub(cls)
        in_stub = functions_of(stub.classes[node_name].body) if stub else {}
        for attribute in sorted(vars(cls)):
            full = f"{owner}.{attribute}"
            wanted = self._member_wanted(attribute, vars(cls)[attribute], attribute in in_stub)
            if full not in self._records and wanted:
                self._member(full, attribute, cls, stub, node_name)
        self._annotated_members(owner, stub, node_name)
        scope = {**vars(inspect.getmodule(cls) or types.ModuleType("none")), **self._package_scope}
        for attribute, text in instance_attributes(cls).items():
            if f"{owner}.{attribute}" not in self._records:
                returns = self.type_names.of_text(text, scope) if text else None
                self._add(f"{owner}.{attribute}", "attribute", returns=returns)

    def _annotated_members(self, owner: str, stub: Stub | None, node_name: str) -> None:
        """Attributes that only the stub knows, or whose type only the stub knows."""
        node = stub.classes.get(node_name) if stub else None
        for item in node.body if node else []:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                full = f"{owner}.{item.target.id}"
                returns = self.type_names.of_text(ast.unparse(item.annotation), self.scope)
                if full in self._records and returns and self._records[full]["kind"] == "attribute":
                    self._records[full]["returns"] = returns
                elif full not in self._records and not item.target.id.startswith("_"):
                    self._add(full, "attribute", returns=returns)

    def _member_wanted(self, attribute: str, value: object, in_stub: bool) -> bool:
        if attribute in _DUNDERS_LEFT_OUT:
            return False
        if attribute.startswith("__"):
            return isinstance(value, types.FunctionType) or (in_stub and inspect.isroutine(value))
        if attribute.startswith("_"):
            return inspect.isroutine(value)
        return True

    def _member(self, full: str, attribute: str, cls: type, stub: Stub | None, node_name: str) -> None:
        raw = vars(cls)[attribute]
        signatures = stub.overloads(attribute, self.type_names, self.scope, node_name) if stub else []
        if isinstance(raw, (property, *_ATTRIBUTES)) or _is_cached_property(raw):
            getter = getattr(raw, "fget", None) or getattr(raw, "func", None)
            found = signatures or ([s] if (s := from_callable(getter, self.type_names, True)) else [])
            kind = "attribute" if isinstance(raw, _ATTRIBUTES) else "property"
            self._add(full, kind, returns=found[0].get("returns") if found else None)
            return
        target = raw.__func__ if isinstance(raw, (staticmethod, classmethod)) else raw
        if isinstance(target, type):
            self._add(full, "attribute", returns="type")
        elif inspect.isroutine(target) or (callable(target) and not isinstance(raw, enum.Enum)):
            self._method(full, target, signatures, isinstance(raw, staticmethod))
        else:
            self._add(full, "constant" if _is_enum(cls) else "attribute", returns=self._value_type(raw, cls))

    def _method(self, full: str, target: object, signatures: list[Signature], static: bool) -> None:
        signatures = signatures or self._own_signatures(target, full, method=not static)
        self._add(
            full,
            "method",
            signatures=signatures,
            returns=self._returns(signatures, target, full),
            deprecated=deprecation(target),
            platforms=self.platforms(target),
        )

    def _value_type(self, value: object, cls: type) -> str | None:
        return None if value is None else self.type_names.of_value(value)

    def _from_source(self, module: str, path: Path) -> None:
        """A module that cannot be imported (an optional dependency is absent): what its source defines."""
        files = sorted(path.parent.glob("[!_]*.py")) if path.name == "__init__.py" else [path]
        stubs = [Stub(file) for file in files]
        exports = {n for s in stubs for n in [*s.functions, *s.classes] if not n.startswith("_")}
        self._add(module, "module", exports=sorted(exports))
        for file, stub in zip(files, stubs, strict=True):
            inner = f"{module}.{file.stem}" if path.name == "__init__.py" else None
            self._stub_only(module, inner, stub)

    def _stub_only(self, module: str, inner: str | None, stub: Stub) -> None:
        if inner:
            self._add(inner, "module", exports=sorted([*stub.functions, *stub.classes]))
        for name in [n for n in stub.functions if not n.startswith("_")]:
            signatures = stub.overloads(name, self.type_names, self.scope)
            self._add(f"{module}.{name}", "function", signatures=signatures, aliases=_inner(inner, name))
        for name in [n for n in stub.classes if not n.startswith("_")]:
            signatures = stub.overloads("__init__", self.type_names, self.scope, name)
            self._add(f"{module}.{name}", "class", signatures=signatures, aliases=_inner(inner, name))
            for method in [m for m in functions_of(stub.classes[name].body) if not m.startswith("_")]:
                signatures = stub.overloads(method, self.type_names, self.scope, name)
                self._add(f"{module}.{name}.{method}", "method", signatures=signatures)


def _inner(module: str | None, name: str) -> list[str]:
    return [f"{module}.{name}"] if module else []


def _outside(cls: type) -> list[str]:
    """Bases from outside the package that matter for resolution: tuple, dict, list, the enums."""
    names = {tuple: "tuple", dict: "dict", list: "list", set: "set", int: "int", float: "float", str: "str"}
    return [names[b] for b in cls.__bases__ if b in names]


def _is_enum(cls: type) -> bool:
    return issubclass(cls, enum.Enum) or hasattr(cls, "__members__")


def _is_cached_property(value: object) -> bool:
    return type(value).__name__ in (
        "cached_property",
        "lazy_property",
        "classproperty",
        "_DeprecatedProperty",
    )
