"""The lowering of import statements."""

from __future__ import annotations

from tree_sitter import Node

from mindport.index.definitions import ImportedModule, ImportedName, ImportName
from mindport.lowering.lower import Lowering, executes, named


@executes("import_statement")
def _import(self: Lowering, node: Node) -> None:
    for child in named(node):
        dotted, alias = _alias(self, child)
        if dotted:
            first = dotted.split(".")[0]
            imported = _import_name(self, node, child, alias or first, ("", 0, dotted))
            self.flow.bind(imported.bound, ImportedModule(dotted if alias else first, dotted, imported))


@executes("import_from_statement", "future_import_statement")
def _import_from(self: Lowering, node: Node) -> None:
    module_node = node.child_by_field_name("module_name")
    module, level = _module(self, module_node)
    for child in named(node):
        if child == module_node:
            continue
        if child.type == "wildcard_import":
            self.block.stars.append((module, level))
            _import_name(self, node, child, "*", (module, level, "*"))
            continue
        name, alias = _alias(self, child)
        if name:
            imported = _import_name(self, node, child, alias or name, (module, level, name))
            self.flow.bind(imported.bound, ImportedName(module, level, name, imported))


def _module(self: Lowering, node: Node | None) -> tuple[str, int]:
    """The module of a `from` import, and its number of leading dots."""
    if node is None:
        return "__future__", 0
    text = "".join(self.text(node).split())
    name = text.lstrip(".")
    return name, len(text) - len(name)


def _alias(self: Lowering, node: Node) -> tuple[str, str | None]:
    """The dotted name that is imported, and the name after `as`."""
    if node.type == "aliased_import":
        alias = node.child_by_field_name("alias")
        return _dotted(self, named(node)[0]), self.text(alias) if alias is not None else None
    return (_dotted(self, node), None) if node.type in ("dotted_name", "identifier") else ("", None)


def _dotted(self: Lowering, node: Node) -> str:
    return "".join(self.text(node).split())


def _import_name(
    self: Lowering, statement: Node, node: Node, bound: str, source: tuple[str, int, str]
) -> ImportName:
    """Keep one imported name."""

    def span(of: Node) -> tuple[int, int]:
        return of.start_byte - self.base, of.end_byte - self.base

    name = node.child_by_field_name("name") or node
    conditional = self.conditional or self.flow.scope.kind != "module"
    imported = ImportName(bound, source, span(node), span(name), span(statement), conditional)
    self.block.imports.append(imported)
    return imported
