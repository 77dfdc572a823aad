"""Proof belongs to the shape of a call: which calls that were run stand for which calls in code."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from mindport.catalog import argument_form, binding
from mindport.catalog.api import Parameter, Signature
from mindport.catalog.argument_form import ArgumentForm, form_of, may_be
from mindport.catalog.binding import bind
from mindport.catalog.tried_calls import CallShape, TriedCalls, Verdict, packed, shape_of


class Given(NamedTuple):
    source: str
    keyword: str | None = None
    type: str | None = None
    unpack: str = ""


@pytest.mark.parametrize(
    ("source", "known", "form", "literal"),
    [
        ("1", None, "int", "1"),
        ("-1", None, "-int", "-1"),
        ("1e-3", None, "float", "0.001"),
        ("True", None, "True", "True"),
        ("None", None, "None", "None"),
        ("'same'", None, "'same'", "'same'"),
        ('"same"', None, "'same'", "'same'"),
        ("(1, -2)", None, "(int, -int)", "(1, -2)"),
        ("[x, 1]", None, "[?, int]", ""),
        ("float('inf')", None, "float", "inf"),
        ("torch.float16", None, "dtype", "torch.float16"),
        ("x", None, "?", ""),
        ("x", "Tensor", "Tensor", ""),
        ("n", "int", "int?", ""),
        ("n", "float", "float", ""),
        ("-0.5", None, "float", "-0.5"),
        ("(n,)", None, "(?)", ""),
        ("(3,)", None, "(int)", "(3,)"),
        ("f(x)", "Tensor", "Tensor", ""),
        ("...", None, "Tensor", ""),
        ("a if b else c", None, "?", ""),
        ("not python (", None, "?", ""),
        ("'a'\n'b'", None, "'ab'", "'ab'"),
    ],
)
def test_the_form_of_an_argument(source: str, known: str | None, form: str, literal: str) -> None:
    assert form_of(source, known) == ArgumentForm(form, literal)


@pytest.mark.parametrize(
    ("form", "recorded", "expected"),
    [
        ("?", "int", True),
        ("int", "any", True),
        ("int", "-int", False),
        ("int", "float", False),
        ("int?", "-int", True),
        ("int?", "float", False),
        ("bool?", "True", True),
        ("str?", "'same'", True),
        ("str?", "int", False),
        ("sequence?", "(int, int)", True),
        ("(int, int)", "[int, int]", False),
        ("(int, int)", "(int, int, int)", False),
        ("(?, int)", "(-int, int)", True),
        ("[?, ?, ?]", "[Tensor...]", True),
        ("[int, ?]", "[Tensor...]", False),
        ("((int, int), (int, int))", "((int, int), (int, int))", True),
        ("*int", "*-int|int", True),
        ("*-int|int", "*int", False),
        ("*?|int", "*int", True),
        ("*?", "(int, int)", True),
        ("*int", "(int, int)", False),
        ("(int, int)", "*int", False),
    ],
)
def test_what_a_value_may_be(form: str, recorded: str, expected: bool) -> None:
    assert may_be(form, recorded) is expected


def test_evidence_keeps_literals_and_forms_as_text() -> None:
    for text in ("1", "-1", "0.001", "'fro'", "(1, 2)", "Tensor", "any", "[Tensor...]", "*-int|int", "inf"):
        form = ArgumentForm.of_text(text)
        assert form.form != "?", text
    assert ArgumentForm.of_text("(1, 2)").literal == "(1, 2)"
    assert ArgumentForm.of_text("'float'") == ArgumentForm("'float'", "'float'")


NORM = TriedCalls(
    packed(
        {
            "equal": [
                {"input": "Tensor"},
                {"input": "Tensor", "p": "1", "dim": "1"},
                {"input": "Tensor", "p": "2", "dim": "1"},
                {"input": "Tensor", "dim": "-1"},
            ],
            "differs": [{"input": "Tensor", "p": "1", "dim": "(1, 2)"}],
            "raises": [{"input": "Tensor", "p": "'fro'", "dim": "1"}],
            "unsupported": [{"input": "Tensor", "dtype": "torch.float64"}],
        }
    )
)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"input": "x"}, "equal"),
        ({"input": "x", "p": "1", "dim": "1"}, "equal"),
        ({"input": "x", "p": "3", "dim": "1"}, "equal"),
        ({"input": "x", "p": "1", "dim": "(1, 2)"}, "differs"),
        ({"input": "x", "p": "2", "dim": "(0, 1)"}, "not_run"),
        ({"input": "x", "p": "2", "dim": "d"}, "equal"),
        ({"input": "x", "p": "1", "dim": "d"}, "differs"),
        ({"input": "x", "p": "q", "dim": "1"}, "raises"),
        ({"input": "x", "p": "q", "dim": "d"}, "differs"),
        ({"input": "x", "dtype": "torch.float16"}, "unsupported"),
        ({"input": "x", "dim": "1"}, "not_run"),
        ({"input": "x", "keepdim": "True"}, "not_run"),
    ],
)
def test_the_verdict_on_a_call(call: dict[str, str], expected: Verdict) -> None:
    assert NORM.verdict(CallShape({name: form_of(source) for name, source in call.items()})) == expected


def test_calls_by_keyword_are_told_from_calls_by_position() -> None:
    tried = TriedCalls(packed({"equal": [{"dim": "1"}], "raises": [{"dim=": "1"}]}))
    forms = {"dim": form_of("2")}
    assert tried.verdict(CallShape(forms)) == "equal"
    assert tried.verdict(CallShape(forms, frozenset({"dim"}))) == "raises"
    only = TriedCalls(packed({"equal": [{"dim=": "1"}]}))
    assert only.verdict(CallShape(forms)) == "equal"


def test_an_error_of_one_value_is_not_that_of_others_but_another_result_is() -> None:
    p = {"p": form_of("rate", "float")}
    assert (
        TriedCalls(packed({"equal": [{"p": "0.5"}], "raises": [{"p": "1.0"}]})).verdict(CallShape(p))
        == "equal"
    )
    assert (
        TriedCalls(packed({"equal": [{"p": "0.5"}], "differs": [{"p": "1.0"}]})).verdict(CallShape(p))
        == "differs"
    )
    one = TriedCalls(packed({"equal": [{"p": "0.5"}], "raises": [{"p": "1.0"}]}))
    assert one.verdict(CallShape({"p": form_of("1.0")})) == "raises"


def test_a_function_that_is_passed_on_may_be_called_in_any_way() -> None:
    assert NORM.verdict_of_any() == "differs"
    assert TriedCalls({}).verdict_of_any() == "not_run"
    assert TriedCalls(packed({"equal": [{"input": "Tensor"}]})).verdict_of_any() == "equal"


def test_the_shape_of_a_call_leaves_out_defaults_and_what_has_no_influence() -> None:
    names = [("input", "", None), ("dim", "", "-1"), ("out", "keyword", "None"), ("eps", "", "1e-5")]
    signature = Signature(tuple(Parameter(n, kind, default, None) for n, kind, default in names))
    given = [Given("x"), Given("-1"), Given("y", "out"), Given("0.00001", "eps")]
    bound = bind(given, signature)
    assert bound is not None
    assert shape_of(bound, {"out"}) == CallShape({"input": ArgumentForm("?")})


def test_values_given_one_by_one_make_one_form() -> None:
    signature = Signature((Parameter("size", "star", None, None),))
    shapes = {}
    for texts in (["2", "-1"], ["n", "4"], ["(2, 3)"], ["shape"]):
        bound = bind([Given(text) for text in texts], signature)
        assert bound is not None
        shapes[tuple(texts)] = shape_of(bound).forms["size"].form
    assert list(shapes.values()) == ["*-int|int", "*?|int", "(int, int)", "*?"]


def test_a_call_that_was_equal_once_and_failed_once_fails() -> None:
    """A layer that runs in evaluation, but not in training."""
    tried = TriedCalls(packed({"equal": [{"p": "0.5"}], "unsupported": [{"p": "0.5"}]}))
    assert tried.verdict(CallShape({"p": form_of("rate")})) == "unsupported"
    assert tried.verdict(CallShape({"p": form_of("0.5")})) == "unsupported"


SOURCES = [
    *(
        "1",
        "-0",
        "00",
        "01",
        "1_000",
        "0x10",
        "1.",
        "01.5",
        "-2.5e-3",
        "1e999",
        "1j",
        "- 1",
        "...",
        "None",
    ),
    *("''", "'a b'", '"it\'s"', "'a' 'b'", "b'a'", "f'a'", "'\\n'", "float('inf')", "float(x)"),
    *("()", "(1)", "(1,)", "[1, 2,]", "[\n1,\n 'a'\n]", "(n, -1)", "(a, -b)", "(torch.float32, None)"),
    *(
        "[x for x in y]",
        "(x for x in y)",
        "((1, 2), 3)",
        "[[]]",
        "(yield, 1)",
        "(,)",
        "[*x]",
        "(a := 1, 2)",
    ),
    *(
        "x.size(0)",
        "x if y else z",
        "not x",
        "lambda a, b: 0",
        "True or x",
        "torch .float32",
        "x # (",
        "True(",
    ),
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_form_is_the_same_without_parsing(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = form_of.__wrapped__(source)
    monkeypatch.setattr(argument_form, "plain_form", lambda source: None)
    assert form_of.__wrapped__(source) == quick


@pytest.mark.parametrize("source", SOURCES)
def test_a_kind_of_literal_is_the_same_without_parsing(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = binding._literal_kind(source)
    monkeypatch.setattr(binding, "plain_form", lambda source: None)
    assert binding._literal_kind(source) == quick


def test_what_was_given_once_stands_for_no_list_where_each_list_was_refused() -> None:
    tried = TriedCalls(
        packed({"equal": [{"sizes": "any"}, {"sizes": "*int"}], "raises": [{"sizes": "[2, 1]"}]})
    )
    assert tried.verdict(CallShape({"sizes": form_of("[2, 1, 1]")})) == "not_run"
    assert tried.verdict(CallShape({"sizes": form_of("[2, b]")})) == "raises"
    assert tried.verdict(CallShape({"sizes": form_of("(2, 1, 1)")})) == "equal"
