"""Values are compared by what they say, and joined where paths come together."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog
from mindport.index.definitions import ClassDefinition, FunctionDefinition
from mindport.infer.project_graph import ProjectGraph
from mindport.infer.values import (
    MOST_ALTERNATIVES,
    NEVER,
    NONE,
    UNKNOWN,
    AbstractValue,
    ApiValue,
    Certainty,
    Class,
    External,
    ExternalInstance,
    Function,
    Instance,
    Object,
    Partial,
    ProjectModule,
    TorchModule,
    Value,
    is_unknown,
    join,
    just,
    weaker,
)
from mindport.source.document import Document

CERTAIN, LIKELY, POSSIBLE = Certainty.CERTAIN, Certainty.LIKELY, Certainty.POSSIBLE


def kinds(which: str) -> list[Value]:
    """A value of each kind that a name tells apart."""
    return [
        ApiValue(which),
        ApiValue(which, Instance("torch.Tensor")),
        ApiValue("same", Instance(which)),
        TorchModule(which),
        Instance(which),
        Partial(which),
        External(which),
        ExternalInstance(which),
        ProjectModule(which),
    ]


def test_values_are_equal_by_kind_and_name() -> None:
    every = [*kinds("a"), *kinds("b")]
    again = [*kinds("a"), *kinds("b")]
    for number, one in enumerate(every):
        assert [one == other for other in again] == [place == number for place in range(len(again))]
        assert hash(one) == hash(again[number])
        assert one == one and one != "a" and one != UNKNOWN


def defined(source: str) -> list[ClassDefinition | FunctionDefinition]:
    """The classes and functions of a module."""
    graph = ProjectGraph(Catalog.load())
    module = graph.set_document("/p/m.py", "m", Document.open("/p/m.py", source))
    names = [line.split()[1].partition("(")[0].rstrip(":") for line in source.splitlines() if line[0] != "@"]
    found = [module.binding(name, None) for name in names]
    made = [one[1] for one in found if one is not None]
    return [one for one in made if isinstance(one, (ClassDefinition, FunctionDefinition))]


def test_functions_are_equal_by_name_and_place() -> None:
    source = "def f(): return 1\ndef g(): return 1\n"
    [f, g] = defined(source)
    assert isinstance(f, FunctionDefinition) and isinstance(g, FunctionDefinition)
    assert Function(f) == Function(f)
    assert Function(f) != Function(g) and Function(f) != f
    assert hash(Function(f)) == hash(Function(f))


def test_classes_and_objects_are_equal_by_definition() -> None:
    [a, b] = defined("class A: pass\nclass B: pass\n")
    assert isinstance(a, ClassDefinition) and isinstance(b, ClassDefinition)
    assert Class(a) == Class(a) and Class(a) != Class(b) and Class(a) != Object(a)
    assert Object(a) == Object(a) and Object(a) != Object(b) and Object(a) != Class(a)
    assert Object(a) != Object(a, parent=True) and not Object(a).parent
    assert hash(Object(a)) == hash(Object(a)) and hash(Class(a)) == hash(Class(a))


def several(*names: str, certainty: Certainty = CERTAIN) -> AbstractValue:
    return AbstractValue(tuple(Instance(name) for name in names), certainty)


EQUAL = [
    (several("a"), several("a"), True),
    (several("a"), several("b"), False),
    (several("a", "b"), several("b", "a"), True),
    (several("a", "b"), several("a", "c"), False),
    (several("a", "b"), several("a"), False),
    (several("a"), several("a", certainty=LIKELY), False),
    (several("a", "b"), several("b", "a", certainty=LIKELY), False),
    (NEVER, AbstractValue(()), True),
    (NEVER, UNKNOWN, False),
    (several("a"), "a", False),
    (several("a"), (Instance("a"),), False),
]


@pytest.mark.parametrize(("one", "other", "expected"), EQUAL)
def test_results_are_equal_in_whatever_order(one: AbstractValue, other: object, expected: bool) -> None:
    assert (one == other) is expected
    assert (other == one) is expected
    assert one == one
    if expected:
        assert hash(one) == hash(other)


WEAKER = {
    (CERTAIN, CERTAIN): CERTAIN,
    (CERTAIN, LIKELY): LIKELY,
    (CERTAIN, POSSIBLE): POSSIBLE,
    (LIKELY, CERTAIN): LIKELY,
    (LIKELY, LIKELY): LIKELY,
    (LIKELY, POSSIBLE): POSSIBLE,
    (POSSIBLE, CERTAIN): POSSIBLE,
    (POSSIBLE, LIKELY): POSSIBLE,
    (POSSIBLE, POSSIBLE): POSSIBLE,
}


@pytest.mark.parametrize(("pair", "expected"), WEAKER.items())
def test_the_less_sure_of_two(pair: tuple[Certainty, Certainty], expected: Certainty) -> None:
    first, second = pair
    assert weaker(first, second) is expected
    assert several("a", certainty=first).widened(second) == several("a", certainty=expected)


def test_nothing_is_made_where_nothing_changes() -> None:
    for value in (several("a"), several("a", certainty=LIKELY)):
        assert value.widened(CERTAIN) is value
        assert value.widened(value.certainty) is value


JOINED = [
    ([], NEVER),
    ([several("a")], several("a")),
    ([several("a"), several("a")], several("a")),
    ([several("a"), several("b")], several("a", "b")),
    ([several("a", certainty=LIKELY), several("b")], several("a", "b", certainty=LIKELY)),
    ([several("a"), several("b", certainty=POSSIBLE)], several("a", "b", certainty=POSSIBLE)),
    ([several("a"), several("a", certainty=LIKELY)], several("a", certainty=LIKELY)),
    ([several("a"), AbstractValue((), POSSIBLE)], several("a")),
    ([NEVER, several("a")], several("a")),
    ([UNKNOWN, several("a")], AbstractValue((*UNKNOWN.alternatives, Instance("a")))),
]


@pytest.mark.parametrize(("parts", "expected"), JOINED)
def test_paths_come_together(parts: list[AbstractValue], expected: AbstractValue) -> None:
    assert join(parts) == expected


def test_too_many_alternatives_say_nothing() -> None:
    names = [str(number) for number in range(MOST_ALTERNATIVES + 1)]
    assert join([several(name) for name in names[:-1]]) == several(*names[:-1])
    assert join([several(name) for name in names]) is UNKNOWN


def test_what_is_unknown() -> None:
    assert is_unknown(UNKNOWN) and is_unknown(UNKNOWN.widened(LIKELY))
    assert not any(map(is_unknown, (NEVER, NONE, several("a"), join([UNKNOWN, NONE]))))
    assert just(Instance("a")) == several("a")
