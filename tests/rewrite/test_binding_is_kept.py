"""Whatever the style of a call's arguments, after the rewrite each of them reaches the counterpart of its
parameter. Both calls are bound by Python's own `inspect`, not by the code under test."""

from __future__ import annotations

import ast
import inspect
import random
from functools import cache
from typing import Any

import pytest
from findings import apply, session
from mindport.assess.rewrite_plan import CallPlan
from mindport.catalog.api import Signature
from mindport.catalog.catalog import Catalog
from mindport.project.session import PlacedFinding, Session
from mindport.rewrite import fixes
from mindport.source.document import Document

APIS = 200
CALLS = 12
"""So many APIs, with so many calls each."""
_KINDS: dict[str, Any] = {
    "": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "positional": inspect.Parameter.POSITIONAL_ONLY,
    "keyword": inspect.Parameter.KEYWORD_ONLY,
    "star": inspect.Parameter.VAR_POSITIONAL,
    "double_star": inspect.Parameter.VAR_KEYWORD,
}


@cache
def made_session(style: str) -> Session:
    return session(style=style)


@cache
def chosen_apis() -> list[str]:
    """Functions and classes with parameters to play with, always the same ones."""
    catalog = Catalog.load()
    fitting = []
    for name in catalog.torch_names:
        api = catalog.api(name)
        if api is None or api.kind not in ("function", "class") or not catalog.is_documented(name):
            continue
        answer = made_session("auto").catalog.answer(name, made_session("auto").target)
        plain = [one for one in api.signatures if all(p.kind in ("", "keyword") for p in one.parameters)]
        if plain and len(plain[0].parameters) > 1 and any(one.kind == "api" for one in answer.candidates):
            fitting.append(name)
    return random.Random(5).sample(fitting, APIS)


def signature_of(signature: Signature) -> inspect.Signature | None:
    """The catalog's signature as Python's; None where Python could not write it."""
    parameters = []
    for one in signature.parameters:
        kind = _KINDS[one.kind]
        default = inspect.Parameter.empty if one.default is None else one.default
        if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            default = inspect.Parameter.empty
        parameters.append(inspect.Parameter(one.name, kind, default=default))
    try:
        return inspect.Signature(parameters)
    except ValueError:
        return None


def written(name: str, signature: Signature, chance: random.Random) -> str:
    """A call with some of the parameters, in some style."""
    required = [p for p in signature.parameters if p.default is None]
    optional = [p for p in signature.parameters if p.default is not None and chance.random() < 0.5]
    given = [p for p in signature.parameters if p in required or p in optional]
    positional = []
    for parameter, expected in zip(given, signature.parameters, strict=False):
        if parameter is not expected or parameter.kind == "keyword" or chance.random() < 0.3:
            break
        positional.append(parameter)
    keywords = given[len(positional) :]
    chance.shuffle(keywords)
    values = {
        p.name: f"value_of_{p.name}" if chance.random() < 0.7 or "<" in str(p.default) else p.default
        for p in given
    }  # a default such as `<RedOpType.SUM: 0>` is no Python
    texts = [values[p.name] or f"value_of_{p.name}" for p in positional]
    texts += [f"{p.name}={values[p.name] or f'value_of_{p.name}'}" for p in keywords]
    return f"{name}({', '.join(texts)})"


def bound(call: str, signatures: tuple[Signature, ...]) -> list[dict[str, str]]:
    """What each overload that takes the call gets for its parameters, as texts."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    positional = [ast.unparse(argument) for argument in node.args]
    keywords = {str(one.arg): ast.unparse(one.value) for one in node.keywords}
    assert len(keywords) == len(node.keywords), "a keyword is given twice"
    found = []
    for signature in signatures:
        made = signature_of(signature)
        if made is None:
            continue
        try:
            arguments = made.bind(*positional, **keywords)
        except TypeError:
            continue
        found.append({name: _text(value) for name, value in arguments.arguments.items()})
    return found


def _text(value: Any) -> str:
    """The text of a value; of values that `*parameter` takes up, theirs."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def check(before: str, placed: PlacedFinding, after: str, made: Session) -> None:
    """The rewritten call gives the counterpart what the call gave, under its names."""
    finding = placed.finding
    candidate, plan = finding.candidate, finding.plan
    assert candidate is not None
    assert isinstance(plan, CallPlan)
    torch = made.catalog.api(finding.use.api)
    other = made.catalog.mindspore_api(candidate.target, made.target.version)
    assert torch is not None
    assert other is not None
    if other.signatures[0].parameters[0].name == "args":
        return  # it says nothing of names: what was run shows it (see tests/verify)
    given = bound(before, torch.signatures)[0]
    names = {d.torch: d.mindspore for d in candidate.differences if d.code == "renamed"}
    gone = {d.torch: d for d in candidate.differences if d.code.startswith("missing")}
    expected = {names.get(name) or name: value for name, value in given.items() if name not in gone}
    for name, value in given.items():
        if name in gone:
            assert gone[name].is_harmless(value), "an argument that matters is lost"
    for difference in candidate.differences:
        if (
            difference.code in ("default", "required")
            and difference.torch not in given
            and difference.mindspore
        ):
            expected.setdefault(difference.mindspore, str(difference.torch_default))
    possible = bound(after, other.signatures)
    defaults = {d.mindspore for d in candidate.differences if d.code in ("default", "required")}
    settled = {d.mindspore for d in plan.settled}
    assert any(
        {n: v for n, v in one.items() if n not in defaults - settled}
        == {n: v for n, v in expected.items() if n not in defaults - settled}
        for one in possible
    ), (before, after, expected, possible)


@pytest.mark.parametrize("style", ["auto", "classic"])
def test_arguments_reach_their_parameters(style: str) -> None:
    made = made_session(style)
    rewritten = 0
    for number, name in enumerate(chosen_apis()):
        api = made.catalog.api(name)
        assert api is not None
        chance = random.Random(number)
        plain = next(one for one in api.signatures if all(p.kind in ("", "keyword") for p in one.parameters))
        module = name.rpartition(".")[0]
        for _ in range(CALLS):
            call = written(name, plain, chance)
            source = f"import {module}\n{call}\n"
            found = made.analyse("untitled:main.py", Document.open("untitled:main.py", source))
            proposed = [fixes.propose(placed) for placed in found.diagnostics()]
            whole = [fix for fix in proposed if fix and isinstance(fix.finding.finding.plan, CallPlan)]
            if not whole:
                continue
            after = apply(source, fixes.edits(found, whole[:1]))
            line = next(line for line in after.splitlines()[::-1] if line)
            if line != call:
                check(call, whole[0].finding, line, made)
                rewritten += 1
    assert rewritten > APIS * CALLS / 4, "most calls are rewritten"
