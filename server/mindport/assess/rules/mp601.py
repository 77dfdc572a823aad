"""MP601: the import of a package that is built on PyTorch."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from mindport.assess.code_context import BodyContext, Spotted
from mindport.assess.finding import CodeRule, Example, Severity, in_both, with_words
from mindport.language import Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from mindport.index.block import Block
    from mindport.infer.evaluator import Evaluator


def _concerns(evaluator: Evaluator, block: Block, apis: Collection[str]) -> bool:
    packages = evaluator.catalog.migration.instead
    return any(
        not one.level and (one.module or one.name).partition(".")[0] in packages for one in block.imports
    )


def _applies(context: BodyContext) -> Iterator[Spotted]:
    packages = context.code.evaluator.catalog.migration.instead
    for statement in context.nodes("import_statement", "import_from_statement"):
        for node in _modules(statement):
            package = context.text(node).partition(".")[0]
            if package in packages and not _is_of_the_project(context, package):
                yield Spotted(node, (("package", package), *in_both("instead", packages[package])))


def _modules(statement: Node) -> list[Node]:
    """The names of the modules that a statement imports, or imports from."""
    if statement.type == "import_from_statement":
        module = statement.child_by_field_name("module_name")
        return [module] if module is not None and module.type == "dotted_name" else []
    names = statement.children_by_field_name("name")
    found = [one.child_by_field_name("name") if one.type == "aliased_import" else one for one in names]
    return [one for one in found if one is not None]


def _is_of_the_project(context: BodyContext, package: str) -> bool:
    """Whether the package is what the file belongs to, or lies beside it."""
    evaluator = context.code.evaluator
    with evaluator.inside(context.code.block):
        return bool(evaluator.ask(("module", package)).alternatives)


RULE = CodeRule(
    code="MP601",
    looks_at=BodyContext,
    applies=_applies,
    concerns=_concerns,
    api="torch",
    name=Text("Package built on PyTorch", "基于 PyTorch 的第三方包"),
    severity=Severity.INFORMATION,
    explanation=Text(
        "The package needs PyTorch, so code that uses it cannot run with MindSpore alone. The message "
        "names an alternative if one is known. `mindport convert --whole --with NAME` converts the "
        "package together with the program that imports it.",
        "该包依赖 PyTorch，使用它的代码无法仅靠 MindSpore 运行。如有已知的替代方案，提示信息会给出。"
        "`mindport convert --whole --with NAME` 可将该包与导入它的程序一起转换。",
    ),
    message=with_words(
        Text("`{package}` is built on `{api}`. {instead}", "`{package}` 基于 `{api}`。{instead}")
    ),
    examples=(
        Example(before="import timm\n"),
        Example(before="from pytorch_lightning.callbacks import ModelCheckpoint\n"),
    ),
)
