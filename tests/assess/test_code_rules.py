"""Rules about functions and classes: what they are shown, what becomes of what they spot, and that a keystroke
lets them look again where something they asked about has changed, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from findings import apply, session
from mindport.assess import assess, structures
from mindport.assess.code_context import ClassContext, CodeContext, FunctionContext, Spotted
from mindport.assess.file_answers import has_torch_classes
from mindport.assess.finding import CodeRule, Severity, with_words
from mindport.assess.rewrite_plan import PlacedUse, RewritePlan, Rewriting
from mindport.assess.structures import CodeStructure, Proposal
from mindport.language import Text
from mindport.project.session import FileFindings, Session
from mindport.report.json_report import file_report
from mindport.rewrite import fixes
from mindport.source.document import Change, Document

URI = "untitled:main.py"
MODULE = "torch.nn.Module"
looked_at: list[str] = []
"""What rules were shown since this was last cleared."""


def branches(context: FunctionContext) -> Iterator[Spotted]:
    looked_at.append(context.text(context.name_node))
    if not context.is_method_of(MODULE):
        return
    for node in context.statements("if_statement", "while_statement"):
        condition = node.child_by_field_name("condition")
        assert condition is not None
        sure = context.is_tensor(condition)
        if sure is not None:
            yield Spotted(condition, (("condition", context.text(condition)),), sure)


def classes(context: ClassContext) -> Iterator[Spotted]:
    looked_at.append(context.text(context.name_node))
    if context.derives_from(MODULE) and not context.defines("forward"):
        yield Spotted(context.name_node)


def of_file(context: ClassContext) -> Iterator[Spotted]:
    if context.ask(has_torch_classes):
        yield Spotted(context.name_node)


def rule(code: str, looks_at: type[CodeContext], applies: object, message: str = "{api}") -> CodeRule:
    return CodeRule(
        code=code,
        name=Text("a", "一"),
        severity=Severity.WARNING,
        explanation=Text("a", "一"),
        message=with_words(Text(message, message)),
        examples=(),
        looks_at=looks_at,
        applies=applies,  # type: ignore[arg-type]
        api=MODULE,
    )


FUNCTIONS = rule("MP901", FunctionContext, branches, "{api}: `{condition}`")
CLASSES = rule("MP902", ClassContext, classes)
OF_FILE = rule("MP903", ClassContext, of_file)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of this file are the rules about code."""
    monkeypatch.setattr(assess, "code_rules", lambda for_graphs, recommends: (FUNCTIONS, CLASSES, OF_FILE))
    looked_at.clear()


def found_by_rules(found: FileFindings) -> list[str]:
    """Code and text of what the rules of this file have found."""
    text = found.document.text
    made = [one for one in found.diagnostics() if (one.code or "").startswith("MP90")]
    return [f"{one.code} {text(one.start, one.end)} {one.finding.use.certainty.value}" for one in made]


def analysed(source: str, made: Session | None = None) -> FileFindings:
    return (made or session(select=["MP9"])).analyse(URI, Document.open(URI, source))


HEAD = "import torch\nfrom torch import nn\n\n\n"
NET = HEAD + (
    "class Net(nn.Module):\n    def forward(self, x: torch.Tensor, deep: bool):\n        if deep:\n            x = x + 1\n"
    "        for i in range(3):\n            while (x.sum() > i):\n                x = x - 1\n"
    "        def inner():\n            if x: pass\n        return x\n"
)
SHOWN = {
    "branches on Tensors, those of inner functions by themselves": (
        NET,
        ["MP903 Net certain", "MP901 (x.sum() > i) likely"],
    ),
    "a class that is derived through another one": (
        HEAD
        + "class A(nn.Module): pass\nclass B(A):\n    def f(self, x: torch.Tensor):\n        if x: pass\n",
        ["MP902 A certain", "MP903 A certain", "MP902 B certain", "MP903 B certain", "MP901 x likely"],
    ),
    "no class of torch's": (HEAD + "class A:\n    def f(self, x: torch.Tensor):\n        if x: pass\n", []),
    "in a statement, in a function": (
        HEAD + "if torch:\n    def f():\n        class A(nn.Module):\n            @staticmethod\n"
        "            def g(x: torch.Tensor):\n                if x: pass\n",
        ["MP902 A certain", "MP903 A certain", "MP901 x likely"],
    ),
    "decorated": (
        HEAD + "@torch.jit.script\nclass A(nn.Module): pass\n",
        ["MP902 A certain", "MP903 A certain"],
    ),
    "beside what does not parse": (
        NET + "    def f(self, x: torch.Tensor\n\n    def g(self, x: torch.Tensor):\n        if x: pass\n",
        ["MP903 Net certain", "MP901 (x.sum() > i) likely", "MP901 x likely"],
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_rules_are_shown(name: str) -> None:
    source, expected = SHOWN[name]
    assert found_by_rules(analysed(source)) == expected


def test_findings_go_where_those_of_uses_go() -> None:
    found = analysed(NET)
    [entry] = [use for use in file_report("a.py", found, "en")["uses"] if use["code"] == "MP901"]
    assert (entry["api"], entry["kind"], entry["status"]) == (MODULE, "function", "differs")
    assert (entry["start"], entry["message"]) == (
        {"line": 10, "column": 19},
        "torch.nn.Module: `(x.sum() > i)`",
    )
    silenced = NET.replace("> i):", "> i):  # mindport: ignore[MP901]")
    assert found_by_rules(analysed(silenced)) == ["MP903 Net certain"]
    assert found_by_rules(analysed(NET, session(select=["MP901"], severity={"MP901": "off"}))) == []


TWO = (
    NET
    + "\n\ndef helper(y):\n    return y.view(1)\n\n\nclass Other(nn.Module):\n    def forward(self, x):\n        return x\n"
)
EDITS = {
    "in the same function": ("x = x - 1", "x = x - 2", ["forward"], True),
    "in another function": ("y.view(1)", "y.view(2)", ["helper"], True),
    "what its class derives from": (
        "class Net(nn.Module)",
        "class Net(dict)",
        ["Net", "forward", "inner"],
        False,
    ),
    "the name that its class derives from": (
        "from torch import nn",
        "from x import nn",
        ["Net", "forward"],
        False,
    ),
    "what is asked of a class, in a method": ("forward(self, x):", "backward(self, x):", ["Other"], True),
    "of nothing": ("import torch\n", "import torch  # a comment\n", [], True),
}
"""Old and new text; what rules look at again, among others; whether the function is still spotted."""


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_rules_look_again_at_what_may_differ(name: str) -> None:
    old, new, again, is_spotted = EDITS[name]
    made = session(select=["MP9"])
    before = Document.open(URI, TWO)
    made.analyse(URI, before)
    looked_at.clear()
    data = TWO.encode()
    span = [
        before.lines.position(at, "utf-16")
        for at in (data.index(old.encode()), data.index(old.encode()) + len(old))
    ]
    after = before.apply([Change(span[0], span[1], new)], None, "utf-16")
    found = made.analyse(URI, after)
    assert set(again) <= set(looked_at)
    if name in ("in the same function", "in another function", "of nothing"):
        assert set(looked_at) <= {*again, "inner"}, "nothing else"
    kept = found_by_rules(found)
    assert kept == found_by_rules(analysed(after.data.decode()))
    assert ("MP901 (x.sum() > i) likely" in kept) == is_spotted


@dataclass(frozen=True)
class Negated(RewritePlan):
    """Made up: writes `not` before what was spotted."""

    start: int
    end: int

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        start, end = placed.shift + self.start, placed.shift + self.end
        rewriting.replace(start, end, f"not {rewriting.text(start, end)}")


def test_what_is_spotted_may_be_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    def propose(context: FunctionContext, spotted: Spotted) -> Proposal:
        return Proposal(Negated(*context.span(spotted.node)), "review")

    text = Text("a", "一")
    structure = CodeStructure("MP901", text, text, (), FunctionContext, propose)
    monkeypatch.setattr(structures, "all_structures", lambda: (structure,))
    found = analysed("# a comment\n" + NET)
    proposed = [fix for placed in found.diagnostics() if (fix := fixes.propose(placed)) is not None]
    assert [fix.applicability for fix in proposed] == ["review"]
    after = apply("# a comment\n" + NET, fixes.edits(found, proposed))
    assert after == "# a comment\n" + NET.replace("(x.sum() > i)", "not (x.sum() > i)")


def test_without_rules_about_code_no_code_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assess, "code_rules", lambda for_graphs, recommends: ())
    monkeypatch.setattr(assess.BlockCode, "of", lambda *_: pytest.fail("looked at"))
    assert found_by_rules(analysed(NET)) == []
