"""The shape of a call that was run, as evidence has it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.catalog.api import Api
from mindport.catalog.argument_form import ANY, TENSOR, UNKNOWN, ArgumentForm
from mindport.catalog.binding import first_binding
from mindport.catalog.catalog import Catalog
from mindport.catalog.tried_calls import CallShape
from mindport.verify.cases import is_member
from mindport.verify.written import Written, written

_UNCALLED = ("attribute", "property", "constant", "dtype")


def shape_text(arguments: str, api: Api, catalog: Catalog) -> dict[str, str] | None:
    """The shape of a call of a torch API by the text of its arguments (of a method, the receiver comes
    first): the parameters given, with a literal or a form for each. None where that is not known."""
    shape = _shape_of(arguments, api, catalog)
    return shape.record() if shape is not None else None


def forms_of(arguments: str, api: Api, catalog: Catalog) -> dict[str, str] | None:
    """The parameters given, each with the form of its value, be it a literal or not."""
    shape = _shape_of(arguments, api, catalog)
    return {name: form.form for name, form in shape.forms.items()} if shape is not None else None


def _shape_of(arguments: str, api: Api, catalog: Catalog) -> CallShape | None:
    if api.kind in _UNCALLED:
        return CallShape({})
    given = written(arguments)
    own = _in_expression(given, api)
    if own is None:
        own = given[1:] if is_member(api) else given
    binding = first_binding(own, api.signatures) if api.signatures else None
    if binding is None:
        return None if own or api.signatures else CallShape({})
    shape = catalog.correspondences.shape(api, binding[1])
    forms = {name: _recorded(form) for name, form in shape.forms.items()}
    return CallShape(forms, shape.keywords)


def _recorded(form: ArgumentForm) -> ArgumentForm:
    """A form as that of a value which was given: it is known, or stands for whatever may be given."""
    if form.form == UNKNOWN:
        return ArgumentForm(ANY)
    items = form.form[1:-1].split(", ")
    if form.form[:1] in ("(", "[") and items == [TENSOR] * len(items):
        return ArgumentForm(f"{form.form[0]}{TENSOR}...{form.form[-1]}")
    return form


def _in_expression(given: list[Written], api: Api) -> list[Written] | None:
    """The arguments of the call of the API within an expression that is the whole text, if there is one."""
    if len(given) != 1 or given[0].keyword is not None:
        return None
    for call in _calls(ast.parse(given[0].text, mode="eval")):
        if ast.unparse(call.func) == api.name:
            text = ast.unparse(call)
            return written(text[len(ast.unparse(call.func)) + 1 : -1])
    return None


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))
