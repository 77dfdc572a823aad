"""Values as plain data and back, and what is known of parameters by several givers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looking import shown
from mindport.callgraph.argument_facts import (
    LEFT_OUT,
    MOST_FORMS,
    ArgumentFacts,
    Form,
    ParameterKey,
    paths_in,
)
from mindport.catalog.catalog import Catalog
from mindport.index.module import Module
from mindport.infer.evaluator import Evaluator
from mindport.infer.forms import forms_of, value_of
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.propagation import Propagation
from mindport.infer.values import (
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Class,
    Container,
    FixedTuple,
    Function,
    HomogeneousContainer,
    Instance,
    KeyedDictionary,
    Object,
    Partial,
    PartialFunction,
    ProjectModule,
    TorchModule,
    join,
    just,
)
from mindport.source.document import Document
from mindport.uses.analysis import analyse

SOURCE = """
import torch
def function(x): return x
class Own:
    def method(self, x): return x
    class Inner: pass
    @staticmethod
    def static(x): return x
"""


class Project:
    def __init__(self) -> None:
        self.graph = ProjectGraph(Catalog.load())
        self.module: Module = self.graph.set_document("/m.py", "m", Document.open("/m.py", SOURCE))
        self.evaluator = Evaluator(self.graph, Catalog.load())

    def named(self, name: str) -> AbstractValue:
        return self.evaluator.ask(("export", "/m.py", name))


PROJECT = Project()
FUNCTION = PROJECT.named("function").alternatives[0]
OWN = PROJECT.named("Own").alternatives[0]
assert isinstance(FUNCTION, Function) and isinstance(OWN, Class)
METHOD = next(
    one for block in PROJECT.module.blocks for one in block.placed if one.qualified_name == "Own.method"
)
SIMPLE = [
    Instance("torch.Tensor"),
    Instance("torch.nn.Linear"),
    ApiValue("torch.nn.ReLU"),
    TorchModule("torch.nn"),
    Partial("torch.nn.GELU"),
    ProjectModule("/m.py"),
    FUNCTION,
    Function(METHOD, True),  # type: ignore[arg-type]
    OWN,
    Object(OWN.definition),
    PartialFunction(FUNCTION, 1),
    PartialFunction(OWN, 0),
]


def values(depth: int) -> st.SearchStrategy[AbstractValue]:
    simple = st.sampled_from([NONE, *map(just, SIMPLE)])
    if depth == 0:
        return simple
    inner = values(depth - 1)
    some = st.lists(inner, max_size=2)
    return st.one_of(
        simple,
        st.builds(
            lambda kind, items: just(FixedTuple(kind, tuple(items))), st.sampled_from(["tuple", "list"]), some
        ),
        st.builds(lambda held: just(HomogeneousContainer("dict", held)), inner),
        st.builds(lambda held: just(KeyedDictionary((("a", held), ("b c", held)), NEVER)), inner),
        st.builds(lambda a, b: just(Container("torch.nn.Sequential", a, b)), inner, inner),
    )


@settings(max_examples=200, deadline=None)
@given(st.lists(values(1), min_size=1, max_size=3))
def test_forms_come_back(parts: list[AbstractValue]) -> None:
    value = join(parts)
    forms = forms_of(value)
    with PROJECT.evaluator.inside(PROJECT.module.blocks[0]):
        assert value_of(PROJECT.evaluator, forms) == value
        sent = frozenset(_tuples(json.loads(json.dumps(form))) for form in forms)
        assert value_of(PROJECT.evaluator, sent) == value


def _tuples(value: object) -> Form:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (just(OWN), ["/m.py"]),
        (just(FixedTuple("tuple", (just(Object(OWN.definition)), NONE))), ["/m.py"]),
        (just(PartialFunction(FUNCTION, 1)), ["/m.py"]),
        (just(KeyedDictionary((("a", just(OWN)),), NEVER)), ["/m.py"]),
        (just(Instance("torch.Tensor")), []),
    ],
)
def test_forms_say_which_modules_they_speak_of(value: AbstractValue, paths: list[str]) -> None:
    assert [path for form in forms_of(value) for path in paths_in(form)] == paths


def test_what_has_no_name_has_no_form() -> None:
    assert forms_of(UNKNOWN) == forms_of(NEVER) == frozenset()


def test_what_is_gone_is_not_known() -> None:
    with PROJECT.evaluator.inside(PROJECT.module.blocks[0]):
        for form in (
            ("Class", "/m.py", "Gone"),
            ("Object", "/nowhere.py", "Own"),
            ("Function", "/m.py", "Own.gone", True),
        ):
            assert value_of(PROJECT.evaluator, (form,)) == UNKNOWN


KEY = ParameterKey("/m.py", "f", "x")
OTHER = ParameterKey("/m.py", "f", "y")
A, B = ("Instance", "a"), ("Instance", "b")


def test_what_givers_give_is_taken_together() -> None:
    facts = ArgumentFacts()
    assert facts.take({"one": {KEY: frozenset({A})}, "two": {KEY: frozenset({A, B})}}) == {KEY}
    assert facts.of(KEY) == {A, B} and not facts.is_left_out(KEY)
    assert facts.of(OTHER) == frozenset() and facts.is_left_out(OTHER)
    assert facts.take({"one": {KEY: frozenset({A})}}) == set()
    assert facts.take({"two": {}}) == {KEY}
    assert facts.of(KEY) == {A}
    assert facts.take({"one": {OTHER: frozenset({B})}}) == {KEY, OTHER}
    assert facts.is_left_out(KEY) and facts.by("one") == {OTHER: frozenset({B})}


def test_that_a_call_leaves_it_out_is_said_of_what_is_given_too_much() -> None:
    facts = ArgumentFacts()
    facts.take({"one": {KEY: frozenset({("Instance", str(n)) for n in range(MOST_FORMS + 1)})}})
    assert facts.take({"two": {KEY: frozenset({LEFT_OUT})}}) == {KEY}
    assert facts.of(KEY) == frozenset() and facts.is_left_out(KEY) and "default" in facts.said_of(KEY)
    assert facts.take({"two": {}}) == {KEY}
    assert not facts.is_left_out(KEY)


def test_too_much_is_anything_until_it_is_withdrawn() -> None:
    facts = ArgumentFacts()
    facts.take({"one": {KEY: frozenset({("Instance", str(n)) for n in range(MOST_FORMS)})}})
    assert len(facts.of(KEY)) == MOST_FORMS
    assert facts.take({"two": {KEY: frozenset({B})}}) == {KEY}
    assert facts.of(KEY) == frozenset() and not facts.is_left_out(KEY) and facts.said_of(KEY) == "much"
    facts.take({"two": {}})
    assert facts.of(KEY) == frozenset()  # so that rounds come to an end
    facts.withdraw("one")
    facts.take({"two": {KEY: frozenset({B})}})
    assert facts.of(KEY) == {B}


def test_the_order_of_givers_makes_no_difference() -> None:
    given_by = {str(n): {KEY: frozenset({("Instance", str(n % 3))})} for n in range(5)}
    one, other = ArgumentFacts(), ArgumentFacts()
    one.take(given_by)
    other.take(dict(reversed(given_by.items())))
    assert one.of(KEY) == other.of(KEY) and one.said_of(KEY) == other.said_of(KEY)


def test_who_relies_on_a_parameter_is_looked_at_again() -> None:
    graph = ProjectGraph(Catalog.load())
    evaluator = Evaluator(graph, Catalog.load())
    module = graph.set_document(
        "/m.py", "m", Document.open("/m.py", "def f(x):\n    x.weight\ndef g(): pass\n")
    )
    assert "torch.nn.Linear.weight" not in str(shown(analyse(evaluator, module)))
    facts = graph.argument_facts
    given_there = {"/other.py": {KEY: frozenset({("Instance", "torch.nn.Linear")})}}
    assert facts.invalidate(facts.take(given_there))
    assert [block.memo.dirty for block in module.blocks] == [True, False]
    assert "attribute torch.nn.Linear.weight <- x.weight (likely)" in shown(analyse(evaluator, module))
    assert not facts.invalidate({ParameterKey("/m.py", "g", "z")})


def test_settling_what_has_settled_changes_nothing() -> None:
    project = Project()
    propagation = Propagation(project.evaluator)
    propagation.settle([project.module])
    assert not propagation.settle([project.module])
