"""How a model to verify is written on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from mindport.cli.main import main
from mindport.verify.model import ModelOutcome, after_turns
from mindport.verify.model_spec import ModelInput, ModelSpec, ModelSpecError
from mindport.verify.model_text import comparison


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("float32[2,3]", ModelInput("float32", (2, 3))),
        ("float64[]", ModelInput("float64", ())),
        ("int64[2, 16]<100", ModelInput("int64", (2, 16), None, 100)),
        ("mask=bool[4]", ModelInput("bool", (4,), "mask")),
    ],
)
def test_an_input(given: str, wanted: ModelInput) -> None:
    assert ModelInput.parse(given) == wanted


@pytest.mark.parametrize("given", ["", "float32", "float31[2]", "int64[2]<x", "float32[-1]", "1a=bool[2]"])
def test_what_is_no_input(given: str) -> None:
    with pytest.raises(ModelSpecError, match="is not a valid input"):
        ModelInput.parse(given)


def test_a_model_is_imported_from_around_its_package(tmp_path: Path) -> None:
    file = tmp_path / "pkg" / "models" / "net.py"
    file.parent.mkdir(parents=True)
    file.touch()
    assert ModelSpec.parse(f"{file}:Net('a:b')", ()).module == "net"
    for folder in (file.parent, file.parent.parent):
        (folder / "__init__.py").touch()
    spec = ModelSpec.parse(f"{file}:Net('a:b')", ())
    assert (spec.folder, spec.module, spec.expression) == (tmp_path, "pkg.models.net", "Net('a:b')")
    package = ModelSpec.parse(f"{file.with_name('__init__.py')}:Net()", ())
    assert package.module == "pkg.models"
    assert ModelSpec.parse(f"{file}:Net()", (), file.parent).module == "net"
    with pytest.raises(ModelSpecError, match="is not in"):
        ModelSpec.parse(f"{file}:Net()", (), tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["net.py"], "net.py does not say how to build the model"),
        (["none.py:Net()"], "none.py is not a Python file"),
        (["net.py:Net()", "--input", "float1[2]"], "float1[2] is not a valid input"),
        (["net.py:Net()", "--tolerance", "small"], "--tolerance must be a number"),
        (["net.py:Net()", "--python", "none/python"], "none/python"),
    ],
)
def test_what_cannot_be_verified_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").touch()
    assert main(["verify", "model", *words, "--language", "en"]) == 2
    assert said in capsys.readouterr().err


def test_the_first_layer_that_differs_is_the_one_that_ends_first() -> None:
    outcome = ModelOutcome("compared", None, {"output 0": 0.5}, {"a": 0.0, "b.c": 0.1, "b": 0.2, "": 0.5})
    assert outcome.first_layer(1e-4) == "b.c"
    assert not outcome.is_equal(1e-4)
    assert outcome.is_equal(0.5)
    assert not ModelOutcome("compared", None, {"output 0": float("nan")}).is_equal(1.0)


def test_gradients_that_are_equal_with_other_weights_were_at_a_kink() -> None:
    first = ModelOutcome("compared", None, {"output 0": 0.0, "of a": 0.2, "of b": 0.3, "of c": 1e-6})
    assert first.may_have_kinks(1e-4)
    other = ModelOutcome("compared", None, {"output 0": 0.0, "of a": 1e-5, "of b": 0.1, "of c": 0.5})
    both = first.beside(other, 1e-4)
    assert both.differences == {"output 0": 0.0, "of a": 1e-5, "of b": 0.3, "of c": 1e-6}
    assert both.kinks == {"of a": 0.2}
    assert list(both.apart(1e-4)) == ["of b"]
    third = ModelOutcome("compared", None, {"of a": 0.5, "of b": 0.1, "of c": 0.5}, rounding={"of b": 0.02})
    equal = both.beside(third, 1e-4)
    assert equal.is_equal(1e-4)
    said = list(comparison(equal, 1e-4, "en"))
    assert said[1] == "3 of 3 gradients equal, largest difference 1.0e-01"
    assert said[2].startswith("1 of these gradients differ by up to 2.0e-01 with other weights and inputs")
    assert said[3].startswith(
        "1 of these gradients are not exact in PyTorch either: they differ by up to 2.0e-02"
    )


def test_turns_go_on_while_nothing_but_gradients_differ() -> None:
    taken: list[int] = []

    def turns(*differences: dict[str, float]) -> ModelOutcome:
        def turn(number: int) -> ModelOutcome:
            taken.append(number)
            return ModelOutcome("compared", None, differences[number])

        taken.clear()
        return after_turns(turn, 1e-4)

    kink = turns({"output 0": 0.0, "of a": 4e-4}, {"output 0": 0.0, "of a": 1e-6})
    assert kink.is_equal(1e-4) and taken == [0, 1]
    wrong = turns({"of a": 4e-4}, {"of a": 3e-4}, {"of a": 2e-4})
    assert wrong.apart(1e-4) == {"of a": 4e-4} and taken == [0, 1, 2]
    other = turns({"output 0": 0.1, "of a": 4e-4})
    assert set(other.apart(1e-4)) == {"output 0", "of a"} and taken == [0]


def test_what_is_no_kink() -> None:
    assert not ModelOutcome("compared", None, {"output 0": 0.1, "of a": 0.2}).may_have_kinks(1e-4)
    assert not ModelOutcome("compared", None, {"of a": 0.2}, {"conv": 0.1}).may_have_kinks(1e-4)
    assert not ModelOutcome("gradients", "TypeError: no", {"of a": 0.2}).may_have_kinks(1e-4)
    assert not ModelOutcome("compared", None, {"of a": 1e-5}).may_have_kinks(1e-4)
