"""The table of errors: complete in both languages, and what it makes of messages."""

import json
import re
from pathlib import Path
from string import Formatter

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.known_errors import errors_in

DATA = Path(__file__).parents[2] / "mapping_data"
ERRORS = json.loads((DATA / "curated" / "errors.json").read_text("utf-8"))
SAMPLES = {
    "checkpoint-shape": "For 'load_param_into_net', weight in the argument 'net' should have the same shape as "
    "weight in the argument 'parameter_dict'. But got its shape (5, 3) in the argument 'net'",
    "checkpoint-format": "For 'load_checkpoint', the checkpoint file format must same with 'format', but got "
    "file_name:'b.pth', format:'ckpt'",
    "numpy-2": "SystemError: <built-in function add> returned a result with an exception set",
    "no-mindspore": "ModuleNotFoundError: No module named 'mindspore'",
    "no-torch": "ModuleNotFoundError: No module named 'torch.utils'",
    "helpers-missing": "ModuleNotFoundError: No module named 'pkg.mindport_helpers'",
    "left-to-you": "NotImplementedError: torch.foo has no counterpart in MindSpore",
    "memory": "RuntimeError: Device(id:0) memory isn't enough and alloc failed",
    "cann-library": "ImportError: libascendcl.so: cannot open shared object file: No such file or directory",
    "static-tls": "ImportError: libgomp.so.1: cannot allocate memory in static TLS block",
}


@pytest.mark.parametrize("entry", ERRORS, ids=lambda entry: entry["id"])
def test_an_entry_is_complete(entry):
    groups = {re.sub(r"_\d+$", "", name) for name in re.compile(entry["pattern"]).groupindex}
    for text in (*entry["cause"].values(), *entry["remedy"].values(), entry.get("api") or ""):
        assert {name for _, name, _, _ in Formatter().parse(text) if name} <= groups
    assert set(entry["cause"]) == set(entry["remedy"]) == {"en", "zh-cn"}
    assert "run" in entry or entry["id"] in SAMPLES


def test_names_stand_once():
    assert len({entry["id"] for entry in ERRORS}) == len(ERRORS)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_cannot_be_raised_here_is_known_by_its_message(name):
    entry = next(each for each in ERRORS if each["id"] == name)
    assert re.search(entry["pattern"], SAMPLES[name])


def test_errors_come_in_the_order_of_the_text():
    text = "AttributeError: 'Tensor' object has no attribute 'cuda'\nRuntimeError: The kernel Embedding unregistered."
    first, second = errors_in(text, Catalog.load().known_errors)
    assert first.api == "torch.Tensor.cuda" and "`cuda`" in first.cause.render("en")
    assert "`Embedding`" in second.cause.render("zh-cn") and second.api is None


def test_braces_in_a_message_are_kept():
    [error] = errors_in(
        "proposed_shape '[const vector]{4, 2}' is invalid for input of size 6", Catalog.load().known_errors
    )
    assert error.cause.render("en") == "A Tensor of 6 elements cannot have the shape (4, 2)."


def test_other_errors_are_not_known():
    assert errors_in("KeyError: 'model'", Catalog.load().known_errors) == []
