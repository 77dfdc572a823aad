"""Calls that are not needed go; the chain around them and every comment stays."""

from __future__ import annotations

import io
import tokenize

import pytest
from findings import fixed

CASES = {
    "in a chain": ("y = x.cuda().float()", "y = x.float()"),
    "at the end of a chain": ("y = x.float().cuda()", "y = x.float()"),
    "two in a row": ("y = x.cuda().cpu().float()", "y = x.float()"),
    "blanks around the dots": ("y = x . cuda ( ) . float ( )", "y = x . float ( )"),
    "a receiver in brackets": ("y = (x).cuda()", "y = (x)"),
    "next to operators": ("y = -x.cuda() ** 2", "y = -x ** 2"),
    "an item of it": ("y = x.cuda()[0]", "y = x[0]"),
    "in a comprehension": ("y = [i.cuda() for i in [x]]", "y = [i for i in [x]]"),
    "the only statement of a block": ("if x:\n    x.cuda()\ny = 1", "if x:\n    pass\ny = 1"),
    "on a line of its own in a chain": (
        "y = (x.float()\n     .cuda()\n     .sum())",
        "y = (x.float()\n     .sum())",
    ),
    "a comment before the dot": (
        "y = (x.float()  # a\n     .cuda()\n     .sum())",
        "y = (x.float()  # a\n     .sum())",
    ),
    "a comment before the dot, and more on the line": (
        "y = (x.float()  # a. b\n     .cuda().sum())",
        "y = (x.float()  # a. b\n     .sum())",
    ),
    "comments before and behind": (
        "y = (x.float()  # a\n     .cuda()  # b\n     .sum())",
        "y = (x.float()  # a\n       # b\n     .sum())",
    ),
    "a comment between the brackets": ("y = x.cuda(  # a\n    0).float()", None),
    "a comment behind the dot": ("y = (x.  # e.g.\n     cuda().float())", None),
    "a comment on its line": ("x.cuda()  # a", "# a"),
    "a statement, spelled by imports": ("torch.cuda.ipc_collect()\ny = 1", "y = 1"),
    "to itself": ("x = x.cuda()\ny = 1", "y = 1"),
    "to itself, a device": ("x = x.to(device=x.device)\ny = 1", "y = 1"),
    "to another": ("y = x.to(device=x.device, non_blocking=True)", "y = x"),
    "a device that is worked out": ("y = x.to(g(1))", None),
    "a device, nothing assigned": ("x.to('cuda:0')\ny = 1", "y = 1"),
    "two statements, no other": ("if x:\n    x.cuda()\n    torch.cuda.init()", "if x:\n    pass"),
    "the only statement, with a comment": ("if x:\n    x.cuda()  # a", "if x:\n    pass  # a"),
    "one of two, with a comment above": (
        "if x:\n    # a\n    x.cuda()\n    y = 1",
        "if x:\n    # a\n    y = 1",
    ),
    "behind a colon": ("if x: x.cuda()", "if x: pass"),
    "the first of a line": ("x.cuda(); y = 1", "y = 1"),
    "the last of a line": ("y = 1; x.cuda()", "y = 1"),
    "in the middle of a line": ("y = 1; x.cuda(); z = 2", "y = 1; z = 2"),
    "a semicolon behind": ("x.cuda();\ny = 1", "y = 1"),
    "a setting": ("torch.backends.cudnn.benchmark = True\ny = 1", "y = 1"),
    "a setting of an object": ("torch.utils.backcompat.keepdim_warning.enabled = True\ny = 1", "y = 1"),
    "a setting of a setting": ("torch.backends.cuda.matmul.allow_tf32 = False\ny = 1", "y = 1"),
    "a setting that is worked out": ("torch.backends.cudnn.benchmark = g(1)", "g(1)"),
    "a setting that is worked out of others": (
        "torch.backends.cudnn.benchmark = not g.a and (g.b['c'] > 2 or not g.d)\ny = 1",
        "y = 1",
    ),
    "a setting that is worked out, the only statement": (
        "if x:\n    torch.backends.cudnn.benchmark = bool(g.a)  # quick",
        "if x:\n    bool(g.a)  # quick",
    ),
    "a setting with a type": ("torch.backends.cudnn.benchmark: bool = g(1)", None),
    "two settings at once": ("torch.backends.cudnn.benchmark = y = True", None),
    "a setting that is read": ("y = torch.backends.cudnn.benchmark", None),
    "an argument that does something": ("torch.cuda.set_sync_debug_mode(g(1))", None),
    "a result that is used": ("y = torch.cuda.init()", None),
    "a decorator": ("@torch.jit.ignore\ndef f():\n    pass", "def f():\n    pass"),
    "a decorator, called, with a comment": (
        "class A:\n    @torch.compiler.disable()  # a\n    def f(self):\n        pass",
        "class A:\n    # a\n    def f(self):\n        pass",
    ),
    "passed on": ("y = g(torch.jit.ignore)", None),
    "an assertion": ("torch._assert(x, 'a')", None),
    "a call on several lines": ("torch.cuda.set_sync_debug_mode(\n    1,\n)\ny = 1", "y = 1"),
    "a comment inside": ("torch.cuda.set_sync_debug_mode(\n    1,  # a\n)", None),
    "a guard": (
        "with torch.jit.optimized_execution(True):  # a\n    # b\n    y = 1\n\n    z = [\n        2]\n  # c\nw = 3",
        "# a\n# b\ny = 1\n\nz = [\n    2]\n  # c\nw = 3",
    ),
    "a guard around a text": (
        'if x:\n\twith torch.jit.optimized_execution(True):\n\t\ty = """a\n\t\tb"""\n\t\tz = 1',
        'if x:\n\ty = """a\n\t\tb"""\n\tz = 1',
    ),
    "guards in guards": (
        "with torch.jit.optimized_execution(True):\n  y = 1\n  with torch.jit.optimized_execution(True):\n"
        "    z = 2\n    x.cuda()",
        "y = 1\nz = 2",
    ),
    "a guard on one line": ("with torch.jit.optimized_execution(True): y = 1", "y = 1"),
    "one guard of two": ("with torch.jit.optimized_execution(True), g:\n    y = 1", "with g:\n    y = 1"),
    "the last guard of two": (
        "with g, torch.jit.optimized_execution(True):\n    y = 1",
        "with g:\n    y = 1",
    ),
    "a guard with a name": ("with torch.jit.optimized_execution(True) as y:\n    z = 1", None),
    "what is done inside a guard": (
        "with torch.jit.optimized_execution(True):\n    x.addcmul_(value=g(1), tensor1=g(2), tensor2=x)",
        "value_2 = g(1)\nx.copy_(x + g(2) * x * value_2)",
    ),
}
"""None: it stays as it is."""


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", CASES)
def test_call_is_removed(name: str, newline: str) -> None:
    before, after = CASES[name]
    head = "import torch\nfrom a import g\nx = torch.abs(g)\n"
    source = (head + before + "\n").replace("\n", newline)
    result = fixed(source)
    body = result.replace(newline, "\n").split("(g)\n", 1)[1]
    assert body == (before if after is None else after) + "\n"
    assert comments(result) == comments(source)
    assert fixed(result) == result
