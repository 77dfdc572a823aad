"""Calls as a whole: arguments, receivers, templates, what is removed; with all fixes, also those to review."""

from __future__ import annotations

import ast

import pytest
from findings import apply, found_in
from mindport.rewrite import fixes

CASES: dict[str, tuple[str, dict[str, str], str]] = {
    "nested, one pass": (
        "import torch\ntorch.relu(torch.cat([a, b], dim=1))\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.relu(mindspore.ops.cat([a, b], axis=1))\n",
    ),
    "keyword renamed, comments stay": (
        "import torch\ntorch.cat(\n    [a, b],  # both\n    dim=1,  # columns\n)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.cat(\n    [a, b],  # both\n    axis=1,  # columns\n)\n",
    ),
    "argument dropped in the middle": (
        "import torch\ntorch.zeros(3, out=None, dtype=torch.float32)\n",
        {},
        "import mindspore\nfrom mindspore import mint\nmint.zeros((3,), dtype=mindspore.float32)\n",
    ),
    "last argument dropped": (
        "import torch\ntorch.abs(x, out=None)\n",
        {},
        "from mindspore import mint\nmint.abs(x)\n",
    ),
    "last of lines dropped": (
        "import torch\ntorch.abs(\n    x,\n    out=None,\n)\n",
        {},
        "from mindspore import mint\nmint.abs(\n    x,\n)\n",
    ),
    "only argument dropped": (
        "import torch\ntorch.eye(3, out=None, requires_grad=False)\n",
        {},
        "from mindspore import mint\nmint.eye(3)\n",
    ),
    "a comment with a dropped argument": (
        "import torch\ntorch.abs(\n    x,\n    out=None,  # why\n)\n",
        {},
        "from mindspore import mint\nmint.abs(\n    x,  # why\n)\n",
    ),
    "packed": (
        "import torch\ntorch.zeros(2, 3)\ntorch.zeros(n)\ntorch.zeros(2)\ntorch.zeros((2, 3))\ntorch.zeros(*shape)\n",
        {},
        "import torch\nfrom mindspore import mint\nmint.zeros((2, 3))\nmint.zeros(n)\nmint.zeros((2,))\nmint.zeros((2, 3))\ntorch.zeros(*shape)\n",
    ),
    "devices are dropped": (
        "import torch\ntorch.zeros(2, device=x.device)\ntorch.ones((2,), device='cuda:0', dtype=torch.int64)\n"
        "torch.rand(2, device=self.device)\ntorch.empty(2, 3, device=device, pin_memory=False)\n"
        "torch.randint(0, n, (2,), device=torch.device('cuda'))\n",
        {},
        "import mindspore\nfrom mindspore import mint\nmint.zeros((2,))\nmint.ones((2,), dtype=mindspore.int64)\n"
        "mint.rand(2)\nmint.empty(2, 3)\nmint.randint(0, n, (2,))\n",
    ),
    "a type that values are tested for": (
        "import torch\nfrom torch import nn\nisinstance(x, torch.Tensor)\nisinstance(x, (nn.Linear, nn.Conv2d))\n"
        "issubclass(x, nn.BatchNorm2d | None)\nprint(nn.BatchNorm2d)\nx is nn.BatchNorm2d\n",
        {},
        "import mindspore\nfrom mindspore import mint\nfrom torch import nn\nisinstance(x, mindspore.Tensor)\n"
        "isinstance(x, (mint.nn.Linear, mint.nn.Conv2d))\nissubclass(x, mint.nn.BatchNorm2d | None)\n"
        "print(nn.BatchNorm2d)\nx is nn.BatchNorm2d\n",
    ),
    "in place, to be reviewed": (
        "import torch\ntorch.nn.ReLU(inplace=True)\ntorch.nn.ReLU(inplace=flag)\n",
        {},
        "import torch\nfrom mindspore import mint\nmint.nn.ReLU()\ntorch.nn.ReLU(inplace=flag)\n",
    ),
    "devices that matter, or may do something": (
        "import torch\ntorch.zeros(2, device='meta')\ntorch.rand(2, device=g(1))\n",
        {},
        "import torch\ntorch.zeros(2, device='meta')\ntorch.rand(2, device=g(1))\n",
    ),
    "default made explicit": (
        "import torch\ntorch.flatten(x)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.flatten(x, start_dim=0)\n",
    ),
    "CRLF, tabs": (
        "import torch\nif x:\r\n\ty = torch.cat(\r\n\t\t[a, b],\r\n\t\tdim=1)\r\n\n",
        {"style": "classic"},
        "import mindspore\nif x:\r\n\ty = mindspore.ops.cat(\r\n\t\t[a, b],\r\n\t\taxis=1)\r\n\n",
    ),
    "f-string": (
        "import torch\nf'{torch.cat([a, b], dim=1)} {torch.std(x, 0, unbiased=False)}'\n",
        {"style": "classic"},
        "import mindspore\nf'{mindspore.ops.cat([a, b], axis=1)} {mindspore.ops.std(x, 0, 0, False)}'\n",
    ),
    "brackets around arguments": (
        "import torch\ntorch.cat(([a, b]), dim=(1))\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.cat(([a, b]), axis=(1))\n",
    ),
    "walrus": (
        "import torch\ntorch.cat(y := [a, b], 1)\ntorch.cat((y := [a, b]), dim=1)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.cat(y := [a, b], 1)\nmindspore.ops.cat((y := [a, b]), axis=1)\n",
    ),
    "lambda and comprehension": (
        "import torch\n[torch.cat(y, dim=1) for y in z]\nlambda y: torch.cat(y, dim=1)\n",
        {"style": "classic"},
        "import mindspore\n[mindspore.ops.cat(y, axis=1) for y in z]\nlambda y: mindspore.ops.cat(y, axis=1)\n",
    ),
    "decorator, default, match": (
        "import torch\n@d(torch.cat(y, dim=1))\ndef g(x=torch.cat(y, dim=1)):\n    match torch.cat(y, dim=1):\n        case _: pass\n",
        {"style": "classic"},
        "import mindspore\n@d(mindspore.ops.cat(y, axis=1))\ndef g(x=mindspore.ops.cat(y, axis=1)):\n    match mindspore.ops.cat(y, axis=1):\n        case _: pass\n",
    ),
    "template": (
        "import torch\ntorch.std(x, 0, unbiased=False)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.std(x, 0, 0, False)\n",
    ),
    "template, effects out of order": (
        "import torch\ntorch.std(g(), h(), keepdim=i(), unbiased=False)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.std(g(), h(), 0, i())\n",
    ),
    "template in an operation": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    return -x.size(0) ** 2 + x.size(-1)\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    return -x.shape[0] ** 2 + x.shape[-1]\n",
    ),
    "template that is an operation": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    return x.is_cuda.bit_length()\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    return (mindspore.get_context('device_target') == 'GPU').bit_length()\n",
    ),
    "removed in a chain": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    return x.cuda().float().cpu()\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    return x.float()\n",
    ),
    "removed statement": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    x.cuda()\n    return x\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    return x\n",
    ),
    "only statement": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    x.cuda()\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    pass\n",
    ),
    "removed across lines": (
        "import torch\ndef f(x: torch.Tensor, *a):\n    return (x\n        .cuda()  # on the card\n        .float())\n",
        {},
        "import mindspore\ndef f(x: mindspore.Tensor, *a):\n    return (x  # on the card\n        .float())\n",
    ),
    "starred": (
        "import torch\ntorch.cat(*a)\ntorch.cat([a, b], **k)\ntorch.ones(3, *k)\n",
        {},
        "from mindspore import mint\nmint.cat(*a)\nmint.cat([a, b], **k)\nmint.ones((3, *k))\n",
    ),
    "chinese": (
        "import torch\ntorch.cat([甲, 乙], dim=1)  # 连接🎉\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.cat([甲, 乙], axis=1)  # 连接🎉\n",
    ),
    "generator": (
        "import torch\ntorch.cat((y for y in z), dim=1)\ntuple(torch.cat(y, dim=1) for y in z)\n",
        {"style": "classic"},
        "import mindspore\nmindspore.ops.cat((y for y in z), axis=1)\ntuple(mindspore.ops.cat(y, axis=1) for y in z)\n",
    ),
    "half typed": (
        "import torch\ntorch.cat([a, b], dim=\n\n",
        {"style": "classic"},
        "import torch\ntorch.cat([a, b], dim=\n\n",
    ),
}


def rewritten(source: str, settings: dict[str, str]) -> str:
    _, found = found_in(source, **settings)
    proposed = [fixes.propose(placed) for placed in found.diagnostics()]
    return apply(source, fixes.edits(found, [fix for fix in proposed if fix is not None]))


@pytest.mark.parametrize("name", CASES)
def test_calls(name: str) -> None:
    source, settings, expected = CASES[name]
    assert rewritten(source, settings) == expected
    assert rewritten(expected, settings) == expected, "a second run changes nothing"
    if name != "half typed":
        ast.parse(expected)


def test_arguments_behind_a_backslash() -> None:
    """`\\` at the end of a line is no argument."""
    source = "import torch\no = torch.optim.SGD(net.parameters(), 0.1, \\\n    momentum=0.9)\nx = torch.cat((a, b), \\\n    dim=1)\n"
    _, found = found_in(source)
    told = [placed.code for placed in found.diagnostics() if placed.finding.status == "differs"]
    assert told == []
    assert "mint.cat((a, b), \\\n    dim=1)" in rewritten(source, {})
