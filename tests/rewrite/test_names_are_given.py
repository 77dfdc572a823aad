"""Where a template takes up an argument twice, in another order or only sometimes, the argument gets a name,
in a way that keeps what runs when."""

from __future__ import annotations

from typing import Any

import pytest
from findings import apply, found_in
from hypothesis import given, settings
from hypothesis import strategies as st
from mindport.rewrite import fixes

HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
TWICE = "torch.special.entr"
ENTR = (
    "mindspore.ops.where({first} > 0, -mindspore.ops.xlogy({0}, {0}), "
    "mindspore.ops.where({0} < 0, mindspore.ops.full_like({0}, float('-inf')), {0} * 0.0))"
)


def converted(source: str) -> str:
    """With all fixes, those to be reviewed too."""
    _, found = found_in(source, style="classic", device="cpu")
    proposed = [fixes.propose(placed) for placed in found.diagnostics()]
    return apply(source, fixes.edits(found, [fix for fix in proposed if fix is not None]))


def before(name: str) -> str:
    return ENTR.format(name, first=name)


def inside(name: str, value: str) -> str:
    return ENTR.format(name, first=f"({name} := {value})")


CASES = {
    "a plain name needs none": (f"y = {TWICE}(a)", "y = " + before("a")),
    "a statement before": (f"y = {TWICE}(g(1))", "tensor = g(1)\ny = " + before("tensor")),
    "indented": (f"if a:\n\ty = {TWICE}(g(1))", "if a:\n\ttensor = g(1)\n\ty = " + before("tensor")),
    "the name is taken": (
        f"tensor = 1\ny = {TWICE}(g(1))",
        "tensor = 1\ntensor_2 = g(1)\ny = " + before("tensor_2"),
    ),
    "a call runs before": (f"y = g(0) + {TWICE}(g(1))", "y = g(0) + " + inside("tensor", "g(1)")),
    "an attribute is read before": (f"y = a.b + {TWICE}(g(1))", "y = a.b + " + inside("tensor", "g(1)")),
    "names and constants before": (
        f"y = (a, 'b', -1, {TWICE}(g(1)), g(2))",
        "tensor = g(1)\ny = (a, 'b', -1, " + before("tensor") + ", g(2))",
    ),
    "in a comprehension": (
        f"y = [{TWICE}(g(i)) for i in a]",
        "y = [" + inside("tensor", "g(i)") + " for i in a]",
    ),
    "the condition of a comprehension": (
        f"y = [i for i in a if {TWICE}(g(i))]",
        "y = [i for i in a if " + inside("tensor", "g(i)") + "]",
    ),
    "what a comprehension runs over": (f"y = [i for i in {TWICE}(g(1))]", None),
    "a lambda in what a comprehension runs over": (f"y = [i for i in (lambda: {TWICE}(g(1)))()]", None),
    "in a lambda": (f"y = lambda: {TWICE}(g(1))", "y = lambda: " + inside("tensor", "g(1)")),
    "on a shared line": (f"a = 1; y = {TWICE}(g(1))", "a = 1; y = " + inside("tensor", "g(1)")),
    "behind a colon": (f"if a: y = {TWICE}(g(1))", "if a: y = " + inside("tensor", "g(1)")),
    "the condition of an if": (
        f"if {TWICE}(g(1)):\n    pass",
        "tensor = g(1)\nif " + before("tensor") + ":\n    pass",
    ),
    "the condition of an elif": (
        f"if a:\n    pass\nelif {TWICE}(g(1)):\n    pass",
        "if a:\n    pass\nelif " + inside("tensor", "g(1)") + ":\n    pass",
    ),
    "the condition of a while": (
        f"while {TWICE}(g(1)):\n    pass",
        "while " + inside("tensor", "g(1)") + ":\n    pass",
    ),
    "what a loop runs over": (
        f"for i in {TWICE}(g(1)):\n    pass",
        "tensor = g(1)\nfor i in " + before("tensor") + ":\n    pass",
    ),
    "the right of an operator that may stop": (
        f"y = a and {TWICE}(g(1))",
        "y = a and " + inside("tensor", "g(1)"),
    ),
    "the left of it": (f"y = {TWICE}(g(1)) and a", "tensor = g(1)\ny = " + before("tensor") + " and a"),
    "a branch": (f"y = {TWICE}(g(1)) if a else 0", "y = " + inside("tensor", "g(1)") + " if a else 0"),
    "the target is evaluated later": (
        f"a[g(0)] = {TWICE}(g(1))",
        "tensor = g(1)\na[g(0)] = " + before("tensor"),
    ),
    "within the target": (f"a[{TWICE}(g(1))] = g(0)", "a[" + inside("tensor", "g(1)") + "] = g(0)"),
    "the target is read first": (f"a.b += {TWICE}(g(1))", "a.b += " + inside("tensor", "g(1)")),
    "a default": (
        f"def f(b={TWICE}(g(1))):\n    pass",
        "def f(b=" + inside("tensor", "g(1)") + "):\n    pass",
    ),
    "an annotation": (f"def f(b: {TWICE}(g(1))):\n    pass", None),
    "a member of a class": (f"class A:\n    b = {TWICE}(g(1))", None),
    "a method": (
        f"class A:\n    def f(self):\n        return {TWICE}(g(1))",
        "class A:\n    def f(self):\n        tensor = g(1)\n        return " + before("tensor"),
    ),
    "lines that break": (
        f"y = {TWICE}(g(  # c\n    1))",
        "tensor = (g(  # c\n    1))\ny = " + before("tensor"),
    ),
    "an operation that breaks": (
        f"y = {TWICE}(a +\n    g(1))",
        "tensor = (a +\n    g(1))\ny = " + before("tensor"),
    ),
    "a walrus in it": (f"y = {TWICE}(b := a)", None),
    "starred": (f"y = {TWICE}(*g(1))", None),
    "nested": (
        f"y = {TWICE}({TWICE}(g(1)))",
        "tensor = g(1)\ntensor_2 = " + before("tensor") + "\ny = " + before("tensor_2"),
    ),
    "names by function": (
        f"def f():\n    return {TWICE}(g(1))\n\n\ndef h():\n    return {TWICE}(g(1))",
        f"def f():\n    tensor = g(1)\n    return {before('tensor')}\n\n\n"
        f"def h():\n    tensor = g(1)\n    return {before('tensor')}",
    ),
}
"""None: it stays as it is."""


@pytest.mark.parametrize("name", CASES)
def test_a_name_is_given(name: str) -> None:
    source, after = CASES[name]
    result = converted(HEAD + source + "\n")
    assert result.split("\n\n\n", 1)[1] == (source if after is None else after) + "\n"
    compile(result, "<converted>", "exec")
    assert converted(result) == result


def test_lines_end_as_before() -> None:
    result = converted(f"import torch\r\nif a:\r\n    y = {TWICE}(g(1))\r\n")
    assert "if a:\r\n    tensor = g(1)\r\n    y = " in result


def test_why_there_is_no_fix() -> None:
    _, found = found_in(f"{HEAD}class A:\n    b = {TWICE}(g(1))\n", style="classic", device="cpu")
    finding = next(placed.finding for placed in found.diagnostics() if placed.finding.use.api == TWICE)
    assert finding.fix == "none"
    assert "a temporary variable would become a class attribute" in finding.message("en")
    assert "会成为类的属性" in finding.message("zh-cn")


def test_a_view_is_not_named() -> None:
    source = "import torch\n\n\ndef f(x: torch.Tensor):\n    x[0].eq_(1)\n    x.eq_(1)\n"
    _, found = found_in(source)
    first, second = (p.finding for p in found.diagnostics() if p.finding.use.api == "torch.Tensor.eq_")
    assert (first.fix, second.fix) == ("none", "safe")
    assert "may be a copy rather than a view" in first.message("en")


class Anything:
    """Stands for every value: whatever is done with it gives another one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: object, **keywords: object) -> Anything:
        return self

    def _operate(self, other: object = None) -> Anything:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __pow__ = _operate
    __lt__ = __gt__ = __getitem__ = __neg__ = __iadd__ = _operate

    def __setitem__(self, key: object, value: object) -> None:
        pass


def log_of(source: str) -> list[int]:
    """The effects of a module, in order. The frameworks are stand-ins: only what is evaluated counts."""
    log: list[int] = []

    def g(number: int, *rest: object) -> Anything:
        log.append(number)
        return Anything()

    body = "\n".join(line for line in source.splitlines() if not line.startswith(("import ", "from ")))
    names = {"torch": Anything(), "F": Anything(), "mindspore": Anything(), "a": Anything(), "g": g}
    exec(body, names)  # of our own making
    return log


CALLS = (
    "torch.special.entr({0})",
    "torch.special.xlog1py({0}, {1})",
    "torch.special.xlog1py(other={1}, input={0})",
    "F.linear({0}, {1}, {2})",
    "F.linear(bias={2}, input={0}, weight={1})",
    "F.kl_div({0}, {1}, log_target={2})",
    "torch.addcdiv({0}, {1}, {2})",
    "F.avg_pool2d({0}, {1}, {2})",
    "g(0, {0}, {1})",
    "({0} if {1} else {2})",
    "({0} and {1})",
    "({0} < {1} < {2})",
    "g(0, [{0} for i in (1, 2)])",
    "(lambda: {0})()",
    "a[{0}]",
    "({0} + {1} * {2})",
)
STATEMENTS = (
    "y = {0}",
    "a[{0}] = {1}",
    "a[{0}] += {1}",
    "if {0}:\n    {1}\nelif {2}:\n    {0}",
    "while {0}:\n    break",
    "for i in [{0}, {1}]:\n    {2}",
    "assert {0}, {1}",
    "def f(b={0}):\n    return {1}\nf()\nf()",
    "class A:\n    b = {0}\n    def f(self):\n        return {1}\nA().f()",
    "{0}; {1}",
)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(["a", "g(#)", "g(#, a)", "a.b"]))
    parts = [draw(expressions(depth - 1)) for _ in range(3)]
    return draw(st.sampled_from(CALLS)).format(*parts)


@st.composite
def modules(draw: st.DrawFn) -> str:
    statements = [
        draw(st.sampled_from(STATEMENTS)).format(*(draw(expressions()) for _ in range(3))) for _ in range(2)
    ]
    body = "\n".join(statements)
    for number in range(body.count("#")):
        body = body.replace("#", str(number + 1), 1)
    return HEAD + body + "\n"


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(modules())
def test_what_runs_and_when_stays_the_same(source: str) -> None:
    after = converted(source)
    assert log_of(after) == log_of(source), after
