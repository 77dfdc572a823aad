"""Code that is nested deep, or goes on and on: nothing fails, what is around it is found, and what is not
looked into is told."""

from __future__ import annotations

import threading

import pytest
from findings import apply, found_in
from mindport.report.problem import syntax_problems

BEFORE = "import torch\nbefore = torch.cat([a, b], dim=1)\n"
AFTER = "\nafter = torch.stack([a, b], dim=1)\n\ndef g(x: torch.Tensor):\n    return x.view(1, 2)\n"
MANY = 10_000

LONG = {
    "and": "v = " + " and ".join(["x"] * MANY),
    "and with calls": "v = " + " and ".join(["torch.any(x)"] * 500),
    "and with types": "if "
    + " and ".join([f"isinstance(x{n}, torch.Tensor)" for n in range(2000)])
    + ": pass",
    "or": "v = " + " or ".join(["x"] * MANY),
    "and in an argument": "v = torch.cat(" + " and ".join(["x"] * MANY) + ", dim=1)",
    "a condition": "if " + " and ".join(["x"] * MANY) + ":\n    torch.any(x)",
    "elif": "if x:\n    pass\n" + "elif x:\n    torch.any(x)\n" * 2000,
    "comparisons": "v = " + " < ".join(["x"] * MANY),
    "alternatives": "match x:\n    case " + " | ".join(map(str, range(MANY))) + ":\n        torch.any(x)",
    "targets": ", ".join(f"v{n}" for n in range(MANY)) + " = torch.any(x)",
    "names in a row": " = ".join(f"v{n}" for n in range(MANY)) + " = torch.any(x)",
    "strings in a row": "v = " + '"a" ' * MANY,
    "a dotted import": "import torch" + ".a" * MANY,
}
"""Python has no limit for these: they are looked at to their end."""
DEEP = {
    "sums": "v = " + " + ".join(["torch.any(x)"] * MANY),
    "calls of calls": "v = torch.any(x)" + ".abs()" * MANY,
    "attributes": "v = x" + ".a" * MANY,
    "indices": "v = torch.any(x)" + "[0]" * MANY,
    "lists": "v = " + "[" * MANY + "torch.any(x)" + "]" * MANY,
    "brackets": "v = " + "(" * MANY + "torch.any(x)" + ")" * MANY,
    "calls in calls": "v = " + "torch.any(" * MANY + "x" + ")" * MANY,
    "signs in an argument": "v = torch.sum(x, dim=" + "-" * MANY + "1)",
    "lambdas": "v = " + "lambda: " * MANY + "torch.any(x)",
    "either or": "v = torch.norm(" + "x if y else " * MANY + "x, 1)",
    "a target in brackets": "[" * MANY + "v" + "]" * MANY + " = torch.any(x)",
    "a type": "v: " + "List[" * MANY + "torch.Tensor" + "]" * MANY,
    "a name in a pattern": "match x:\n    case a" + ".b" * MANY + ":\n        torch.any(x)",
    "a context": "with " + "(" * MANY + "torch.no_grad()" + ")" * MANY + ":\n    pass",
}
"""Python refuses these, or fails at them."""
PATTERNS = {
    "lists": "match x:\n    case " + "[" * MANY + "a" + "]" * MANY + ":\n        torch.any(a)",
    "classes": "match x:\n    case " + "A(" * MANY + "a" + ")" * MANY + ":\n        torch.any(a)",
}
"""As deep as brackets can be, and deeper."""


def problems_and_uses(source: str) -> tuple[list[str], list[str], str]:
    """The problems of a text, the APIs it uses, and the text after all safe fixes; found on a thread as the
    command line and the server have them."""
    made: list[tuple[list[str], list[str], str]] = []

    def look() -> None:
        session, found = found_in(source)
        problems = [problem.message for problem in syntax_problems(found, "en")]
        uses = [placed.finding.use.api for placed in found.findings]
        made.append((problems, uses, apply(source, session.fix_all(found))))

    before = threading.stack_size(64 * 1024 * 1024)
    try:
        thread = threading.Thread(target=look)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return made[0]


@pytest.mark.parametrize("case", LONG)
def test_what_goes_on_and_on_is_looked_at_to_its_end(case: str) -> None:
    problems, uses, fixed = problems_and_uses(BEFORE + LONG[case] + AFTER)
    assert problems == []
    assert {"torch.cat", "torch.stack", "torch.Tensor.view"} <= set(uses)
    assert LONG[case].count("torch.any(x)") == uses.count("torch.any")
    assert LONG[case].count("torch.Tensor") == uses.count("torch.Tensor") - 1
    assert "before = torch.cat" not in fixed


@pytest.mark.parametrize("case", DEEP)
def test_what_is_nested_too_deep_is_told_and_the_rest_is_found(case: str) -> None:
    problems, uses, fixed = problems_and_uses(BEFORE + DEEP[case] + AFTER)
    assert "nested more than 250 levels deep" in " ".join(problems)
    assert {"torch.cat", "torch.stack", "torch.Tensor.view"} <= set(uses)
    assert "before = torch.cat" not in fixed


@pytest.mark.parametrize("case", PATTERNS)
def test_a_pattern_may_be_nested_as_deep_as_can_be(case: str) -> None:
    problems, uses, _ = problems_and_uses(BEFORE + PATTERNS[case] + AFTER)
    assert problems == []
    assert {"torch.cat", "torch.any", "torch.stack", "torch.Tensor.view"} <= set(uses)


def test_names_that_and_tests_are_narrowed_however_many_there_are() -> None:
    for number in (1, 100):
        others = " and ".join(["x"] * number)
        source = f"import torch\ndef f(v):\n    return {others} and isinstance(v, torch.Tensor) and {others} and v.view(1)\n"
        assert "torch.Tensor.view" in problems_and_uses(source)[1]
        anew = source.replace("and v.view", "and (v := 'text') and v.view")
        assert "torch.Tensor.view" not in problems_and_uses(anew)[1]


@pytest.mark.parametrize("operator", ["and", "or"])
def test_an_operand_with_brackets_keeps_them(operator: str) -> None:
    """What is an argument is put into the new call as it is written."""
    for number in (2, 100):
        text = f" {operator} ".join(["(x)"] * number)
        fixed = problems_and_uses(f"import torch\ny = torch.sum(x, dim={text})\n")[2]
        assert text in fixed
