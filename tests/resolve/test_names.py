"""How names are bound: imports, aliases, scopes, flow."""

from __future__ import annotations

import pytest
from looking import uses

IMPORTS = {
    "plain": ("import torch\ntorch.cat(x)", ["call torch.cat <- torch.cat"]),
    "alias": ("import torch as th\nth.nn.Linear(1, 2)", ["call torch.nn.Linear <- th.nn.Linear"]),
    "submodule": (
        "import torch.nn.functional\ntorch.nn.functional.relu(x)",
        ["call torch.nn.functional.relu <- torch.nn.functional.relu"],
    ),
    "submodule alias": (
        "import torch.nn.functional as F\nF.relu(x)",
        ["call torch.nn.functional.relu <- F.relu"],
    ),
    "from": (
        "from torch import nn\nnn.functional.relu(x)",
        ["call torch.nn.functional.relu <- nn.functional.relu"],
    ),
    "from a class": ("from torch.nn import Conv2d as C\nC(1, 2, 3)", ["call torch.nn.Conv2d <- C"]),
    "by a text": (
        "import importlib\nnn = importlib.import_module('torch.nn')\nnn.ReLU()",
        ["call torch.nn.ReLU <- nn.ReLU"],
    ),
    "one of two, by texts, kept": (
        "import importlib\nclass Backend:\n    def __init__(self, name):\n        if name == 'torch':\n"
        "            self.module = importlib.import_module('torch')\n        else:\n"
        "            self.module = importlib.import_module('jax.numpy')\n"
        "    def sin(self, x):\n        return self.module.sin(x)\n",
        ["call torch.sin <- self.module.sin (likely)"],
    ),
    "of one of two, and torch has no such member": (
        "try:\n    import jax.numpy as m\nexcept ImportError:\n    import torch as m\nm.astype(x)\nm.sin(x)",
        ["reference torch <- m (likely)", "call torch.sin <- m.sin (likely)"],
    ),
    "parenthesised": (
        "from torch.nn import (  # layers\n    Linear,\n    ReLU as Act,\n)\nAct()",
        ["call torch.nn.ReLU <- Act"],
    ),
    "several in one statement": (
        "import os, torch.nn as nn, torch as t\nnn.ReLU\nt.cat",
        ["reference torch.nn.ReLU <- nn.ReLU", "reference torch.cat <- t.cat"],
    ),
    "star": ("from torch.nn import *\nLinear(1, 2)", ["call torch.nn.Linear <- Linear"]),
    "star keeps private names out": ("from torch import *\n_C", []),
    "star behind a binding": (
        "Linear = 1\nfrom torch.nn import *\nLinear(1)",
        ["call torch.nn.Linear <- Linear"],
    ),
    "binding behind a star": ("from torch.nn import *\nLinear = print\nLinear(1)", []),
    "in a function": (
        "def f():\n    import torch\n    return torch.cat",
        ["reference torch.cat <- torch.cat"],
    ),
    "in a function, not outside": ("def f():\n    import torch\ntorch.cat(x)", []),
    "type checking": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\ndef f(x: torch.Tensor): ...",
        ["annotation torch.Tensor <- torch.Tensor"],
    ),
    "try with fallback to None": (
        "try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.cat(x)",
        ["call torch.cat <- torch.cat"],
    ),
    "try with a fallback of unknown kind": (
        "try:\n    import torch\nexcept ImportError:\n    torch = found()\ntorch.cat(x)",
        ["call torch.cat <- torch.cat"],
    ),
    "try with another module": (
        "try:\n    from torch import cat\nexcept ImportError:\n    from other import cat\ncat(x)",
        ["call torch.cat <- cat (likely)"],
    ),
    "try with a substitute": (
        "try:\n    from torch.nn import RMSNorm\nexcept ImportError:\n    from torch.nn import LayerNorm as RMSNorm\n"
        "RMSNorm(3)",
        ["call torch.nn.LayerNorm <- RMSNorm (likely)", "call torch.nn.RMSNorm <- RMSNorm (likely)"],
    ),
    "aliases resolve to one name": (
        "import torch\ntorch.nn.modules.conv.Conv2d(1, 2, 3)\ntorch.float",
        ["call torch.nn.Conv2d <- torch.nn.modules.conv.Conv2d", "attribute torch.float <- torch.float"],
    ),
    "unknown member of torch": (
        "import torch\ntorch.brand_new(1)",
        ["call torch.brand_new <- torch.brand_new"],
    ),
}

ALIASES = {
    "function": ("import torch.nn.functional as F\nrelu = F.relu\nrelu(x)", ["F.relu", "relu"]),
    "module": ("import torch\nnn = torch.nn\nnn.ReLU()", ["torch.nn", "nn.ReLU"]),
    "conditional": ("import torch\nf = torch.cat if q else None\nf(x)", ["torch.cat", "f"]),
    "tuple": ("import torch\na, (b, c) = torch.cat, (torch.abs, 1)\nb(x)", ["torch.cat", "torch.abs", "b"]),
    "walrus": ("import torch\nif (f := torch.cat):\n    f(x)", ["torch.cat", "f"]),
    "chained": ("import torch\na = b = torch.cat\na(x)\nb(x)", ["torch.cat", "a", "b"]),
    "loop over layers": (
        "from torch import nn\nfor layer in (nn.ReLU, nn.GELU):\n    layer()",
        ["nn.ReLU", "nn.GELU", "layer", "layer"],
    ),
    "dictionary of layers": (
        "from torch import nn\nACT = {'r': nn.ReLU}\nACT['r']()",
        ["nn.ReLU", "ACT['r']"],
    ),
    "rebound": ("import torch\nf = torch.cat\nf = print\nf(x)", ["torch.cat"]),
    "deleted": ("import torch\ndel torch\ntorch.cat(x)", ["torch"]),
    "partial": (
        "from functools import partial\nfrom torch import nn\nnorm = partial(nn.LayerNorm, eps=1e-6)\nnorm(3)",
        ["nn.LayerNorm", "norm"],
    ),
    "default value": (
        "from torch import nn\ndef f(norm=nn.LayerNorm):\n    return norm(3)",
        ["nn.LayerNorm", "norm"],
    ),
    "default if None": (
        "from torch import nn\ndef f(norm=None):\n    if norm is None:\n        norm = nn.LayerNorm\n    norm(3)\n"
        "    (norm or nn.GELU)",
        ["nn.LayerNorm", "norm", "norm", "nn.GELU"],
    ),
}

NOT_TORCH = {
    "torchmetrics": "import torchmetrics\ntorchmetrics.Accuracy()",
    "own package": "import mypkg.torch\nmypkg.torch.cat(x)",
    "own torch, aliased": "from mypkg import torch\ntorch.cat(x)",
    "parameter": "import torch.nn as nn\ndef f(nn):\n    return nn.Linear(1, 2)",
    "lambda parameter": "import torch\nlambda torch: torch.cat(x)",
    "local": "import torch\ndef f():\n    torch = object()\n    return torch.cat(x)",
    "local read before it is bound": "import torch\ndef f():\n    torch.cat(x)\n    torch = 1",
    "loop target": "import torch\nfor torch in y:\n    torch.cat(x)",
    "with target": "import torch\nwith y as torch:\n    torch.cat(x)",
    "except target": "import torch\ntry:\n    pass\nexcept E as torch:\n    torch.cat(x)",
    "comprehension target": "import torch\n[torch.cat for torch in y]",
    "class attribute": "class A:\n    nn = 1\n    def f(self):\n        return nn.Linear",
    "match capture": "import torch\nmatch y:\n    case torch:\n        torch.cat(x)",
    "never imported": "torch.cat(x)\nF.relu(y)",
    "builtins": "max(x)\nround(x)\nabs(x)\nsum(x)",
    "strings and dicts": "'a b'.split()\n{}.values()\n[].sort()",
    "numpy": "import numpy as np\nnp.mean(x)\nnp.abs(x)",
}

SCOPES = {
    "comprehension leaves the name alone": "import torch\n[torch for torch in y]\ntorch.cat(x)",
    "class body does not hide": "import torch\nclass A:\n    torch = 1\n    def f(self):\n        return torch.cat(x)",
    "class body sees its own": "import torch\nclass A:\n    cat = torch.cat\n    b = cat",
    "class body's comprehension": "import torch\nclass A:\n    torch2 = torch\n    x = [torch.cat for i in y]",
    "global": "def f():\n    global torch\n    import torch\ndef g():\n    torch.cat(x)",
    "nonlocal": "def f():\n    t = None\n    def g():\n        nonlocal t\n        import torch as t\n"
    "    def h():\n        t.cat(x)",
    "closure": "def f():\n    import torch\n    def g():\n        return torch.cat(x)",
    "closure over a later binding": "def f():\n    def g():\n        return torch.cat(x)\n    import torch",
    "function before the import": "def f():\n    return torch.cat(x)\nimport torch",
    "walrus in a comprehension": "import torch\n[f := torch for i in y]\nf.cat(x)",
    "lambda": "import torch\ng = lambda: torch.cat(x)",
    "default evaluated outside": "import torch\ndef f(torch=torch.cat):\n    pass",
    "decorator evaluated outside": "import torch\n@torch.cat\ndef torch():\n    pass",
    "match": "import torch\nmatch y:\n    case [a, *b] if torch.cat(a):\n        pass",
    "while": "import torch\nwhile True:\n    torch.cat(x)\n    break",
    "after a loop": "import torch\nfor i in y:\n    pass\nelse:\n    torch.cat(x)",
    "both branches": "if q:\n    import torch\nelse:\n    import torch\ntorch.cat(x)",
    "try, else, finally": "try:\n    import torch\nexcept E:\n    raise\nelse:\n    pass\nfinally:\n    torch.cat(x)",
    "async": "import torch\nasync def f():\n    async with a as b:\n        await torch.cat(x)",
    "f-string": "import torch\nf'{torch.cat(x)!r:>{3}}'",
    "subscript and slice": "import torch\nx[torch.cat(y):, 1]",
    "star arguments": "import torch\nf(*torch.cat(x))",
    "keyword": "import torch\nf(a=torch.cat(x))",
    "dict and set": "import torch\n{1: torch.cat(x)}",
    "assert and raise": "import torch\nassert torch.cat(x)",
    "conditional import": "if q:\n    import torch\ntorch.cat(x)",
    "generic function": "import torch\ndef f[T](x: T):\n    return torch.cat(x)",
}


@pytest.mark.parametrize(("source", "expected"), IMPORTS.values(), ids=IMPORTS)
def test_imports(source: str, expected: list[str]) -> None:
    assert uses(source) == expected


@pytest.mark.parametrize(("source", "expected"), ALIASES.values(), ids=ALIASES)
def test_aliases(source: str, expected: list[str]) -> None:
    assert [line.split(" <- ")[1].removesuffix(" (likely)") for line in uses(source)] == expected


@pytest.mark.parametrize("source", NOT_TORCH.values(), ids=NOT_TORCH)
def test_what_only_looks_like_torch(source: str) -> None:
    assert uses(source) == []


@pytest.mark.parametrize("source", SCOPES.values(), ids=SCOPES)
def test_scopes(source: str) -> None:
    found = [line for line in uses(source) if " torch.cat " in line]
    assert found, uses(source)
    assert not any("likely" in line for line in found)


def test_import_uses_span_the_imported_name() -> None:
    source = "import os, torch.nn as nn\nfrom torch import (cat, nn as n)\nfrom torch.nn import *\n"
    assert [line for line in uses(source, imports=True) if line.startswith("import")] == [
        "import torch.nn <- torch.nn",
        "import torch.cat <- cat",
        "import torch.nn <- nn",
        "import torch.nn <- *",
    ]
