"""Fixes: what the callee becomes, which imports are added and removed, and what is left alone."""

from __future__ import annotations

import pytest
from findings import apply, fixed, found_in

CASES = {
    "import sorted before torch's": (
        "import os\nimport torch\n\ntorch.abs(x)\ntorch.jit.script(f)\n",
        {"style": "classic"},
        "import mindspore\nimport os\nimport torch\n\nmindspore.ops.abs(x)\ntorch.jit.script(f)\n",
    ),
    "a from import goes among the from imports": (
        "import torch\nfrom a import b\nfrom torch import nn\n\nnn.Linear(1, 2)\ntorch.jit.script(f)\n",
        {},
        "import torch\nfrom a import b\nfrom mindspore.mint import nn\n\nnn.Linear(1, 2)\ntorch.jit.script(f)\n",
    ),
    "MindSpore's module takes over the name of torch's": (
        "import torch.nn as nn\nimport torch.nn.functional as F\n\n\ndef f(x):\n    return F.relu(nn.Linear(1, 2)(x))\n",
        {},
        "import mindspore.mint.nn as nn\nimport mindspore.mint.nn.functional as F\n\n\n"
        "def f(x):\n    return F.relu(nn.Linear(1, 2)(x))\n",
    ),
    "a name that is still needed is not taken over": (
        "import torch.nn as nn\n\nnn.Linear(1, 2)\nnn.parallel.data_parallel(f)\n",
        {},
        "import torch.nn as nn\nfrom mindspore import mint\n\nmint.nn.Linear(1, 2)\nnn.parallel.data_parallel(f)\n",
    ),
    "a name that is bound twice is not taken over": (
        "import torch.nn as nn\n\n\ndef f():\n    return nn.Linear(1, 2)\n\n\ndef g(nn):\n    return nn\n",
        {},
        "from mindspore import mint\n\n\ndef f():\n    return mint.nn.Linear(1, 2)\n\n\ndef g(nn):\n    return nn\n",
    ),
    "a name that a star import may bind is not taken over": (
        "from a import *\nimport torch.nn as nn\n\n\ndef f():\n    return nn.Linear(1, 2)\n",
        {},
        "from a import *\nimport mindspore\n\n\ndef f():\n    return mindspore.mint.nn.Linear(1, 2)\n",
    ),
    "the last use goes, and the import with it": (
        '"""Doc."""\n\nimport torch\n\n\ndef f(x):\n    return torch.abs(x)\n',
        {},
        '"""Doc."""\n\nfrom mindspore import mint\n\n\ndef f(x):\n    return mint.abs(x)\n',
    ),
    "one of several names goes": (
        "from torch.nn import Linear, Module, ReLU\n\nReLU()\nLinear(1, 2)\nModule\n",
        {},
        "from mindspore import mint\nfrom torch.nn import Module\n\nmint.nn.ReLU()\nmint.nn.Linear(1, 2)\nModule\n",
    ),
    "names on lines of their own": (
        "from torch.nn import (\n    Linear,\n    Module,\n)\nLinear(1, 2)\nModule\n",
        {},
        "from mindspore import mint\nfrom torch.nn import (\n    Module,\n)\nmint.nn.Linear(1, 2)\nModule\n",
    ),
    "an import that is there is used": (
        "import torch\nimport mindspore as ms\nfrom mindspore import mint as m\n\ntorch.abs(torch.zeros_like(x))\n",
        {},
        "import mindspore as ms\nfrom mindspore import mint as m\n\nm.abs(m.zeros_like(x))\n",
    ),
    "a name that is taken is not imported": (
        "import torch\n\nmint = 1\ntorch.abs(x)\n",
        {},
        "import mindspore\n\nmint = 1\nmindspore.mint.abs(x)\n",
    ),
    "a parameter takes the name": (
        "import torch\n\ndef f(mint, mindspore):\n    return torch.abs(mint)\n",
        {},
        "import mindspore as ms\n\ndef f(mint, mindspore):\n    return ms.mint.abs(mint)\n",
    ),
    "a comment on the import stays": (
        "import torch  # the framework\n\ntorch.abs(x)\n",
        {},
        "# the framework\nfrom mindspore import mint\n\nmint.abs(x)\n",
    ),
    "a comment inside the import keeps it": (
        "from torch.nn import (  # layers\n    Linear,  # dense\n    Module,\n)\nLinear(1, 2)\nModule\n",
        {},
        "from mindspore import mint\nfrom torch.nn import (  # layers\n    Linear,  # dense\n    Module,\n)\nmint.nn.Linear(1, 2)\nModule\n",
    ),
    "statements that share the line": (
        "import torch; import os\n\ntorch.abs(os)\n",
        {},
        "import os\nfrom mindspore import mint\n\nmint.abs(os)\n",
    ),
    "an import in a try stays": (
        "try:\n    import torch\nexcept ImportError:\n    import torch2 as torch\n\ntorch.abs(x)\n",
        {},
        "try:\n    import torch\nexcept ImportError:\n    import torch2 as torch\n\ntorch.abs(x)\n",
    ),
    "an import that __all__ lists stays": (
        "from torch import abs\n\n__all__ = ['abs']\nabs(x)\n",
        {},
        "from mindspore import mint\nfrom torch import abs\n\n__all__ = ['abs']\nmint.abs(x)\n",
    ),
    "a name in a loop, a closure, a string annotation": (
        "import torch\nfrom torch import Tensor\n\ndef f():\n    for i in y:\n        torch.abs(i)\n        g = lambda: torch\n"
        "    x: 'Tensor'\n    return Tensor.foo\n",
        {},
        "import mindspore\nimport torch\nfrom mindspore import mint\nfrom torch import Tensor\n\ndef f():\n    for i in y:\n        mint.abs(i)\n        g = lambda: torch\n"
        "    x: 'mindspore.Tensor'\n    return Tensor.foo\n",
    ),
    "future imports come first": (
        "from __future__ import annotations\n\ndef f():\n    import torch\n    return torch.abs(x)\n",
        {},
        "from __future__ import annotations\nfrom mindspore import mint\n\ndef f():\n    import torch\n    return mint.abs(x)\n",
    ),
    "what is around the callee stays": (
        "import torch\ny = torch.cat(  # all\n\t(a , b),dim = 1 ,  # last\n)\n",
        {},
        "from mindspore import mint\ny = mint.cat(  # all\n\t(a , b),dim = 1 ,  # last\n)\n",
    ),
    "CRLF": ("import torch\r\n\r\ntorch.abs(x)\r\n", {}, "from mindspore import mint\r\n\r\nmint.abs(x)\r\n"),
    "lone CR": ("import torch\rtorch.abs(x)\r", {}, "from mindspore import mint\rmint.abs(x)\r"),
    "no line end at the end": ("import torch; torch.abs(x)", {}, "from mindspore import mint\nmint.abs(x)"),
    "Chinese and emoji": (
        "import torch\ns = '中文🎉'; y = torch.abs(x)  # 取绝对值\n",
        {},
        "from mindspore import mint\ns = '中文🎉'; y = mint.abs(x)  # 取绝对值\n",
    ),
    "dtypes": ("import torch\nx.to(torch.float32)\n", {}, "import mindspore\nx.to(mindspore.float32)\n"),
    "inside an f-string": (
        "import torch\nf'{torch.abs(x)}'\n",
        {},
        "from mindspore import mint\nf'{mint.abs(x)}'\n",
    ),
    "decorators, defaults, annotations, match, walrus, lambda": (
        "import torch\nfrom torch import Tensor\n\n@d(torch.abs(1))\ndef f(x: Tensor = torch.abs(2)) -> Tensor:\n"
        "    match torch.abs(3):\n        case [a] if (b := torch.abs(a)):\n            return lambda: torch.abs(4)\n",
        {},
        "import mindspore\nfrom mindspore import mint\n\n@d(mint.abs(1))\ndef f(x: mindspore.Tensor = mint.abs(2)) -> mindspore.Tensor:\n"
        "    match mint.abs(3):\n        case [a] if (b := mint.abs(a)):\n            return lambda: mint.abs(4)\n",
    ),
    "the import before a use on its line": (
        "x = 1\nimport torch; y = torch.cat([x, x], dim=1)",
        {},
        "x = 1\nfrom mindspore import mint\ny = mint.cat([x, x], dim=1)",
    ),
    "before an import that is only for a function": (
        "def f():\n    import torch\n    return torch.abs(1)\nf()\nimport torch\ntorch.abs(2)\n",
        {},
        "from mindspore import mint\ndef f():\n    import torch\n    return mint.abs(1)\nf()\nmint.abs(2)\n",
    ),
    "a line that only the docstring can begin": (
        '"""Doc."""; import torch; y = torch.abs(1)\n',
        {},
        '"""Doc."""; from mindspore import mint; y = mint.abs(1)\n',
    ),
    "a line that only __future__ can begin": (
        "from __future__ import annotations; import torch; y = torch.abs(1)\n",
        {},
        "from __future__ import annotations; from mindspore import mint; y = mint.abs(1)\n",
    ),
    "a line that goes on": (
        "x = 1; \\\nimport torch; y = torch.abs(x)\n",
        {},
        "from mindspore import mint\nx = 1; \\\ny = mint.abs(x)\n",
    ),
    "an import that ends a line that goes on": (
        "y = 1; \\\nimport torch\ndef f():\n    return torch.abs(1)\n",
        {},
        "y = 1; \\\npass\nfrom mindspore import mint\ndef f():\n    return mint.abs(1)\n",
    ),
    "two imports that end a line that goes on": (
        "y = 1; \\\nimport torch; import torch.nn as nn\ndef f():\n    return torch.abs(1), nn.ReLU()\n",
        {},
        "import mindspore.mint.nn as nn\ny = 1; \\\npass\nfrom mindspore import mint\ndef f():\n    return mint.abs(1), nn.ReLU()\n",
    ),
    "used before the import is made": (
        "class A:\n    def f(self):\n        return torch.abs(1)\nimport torch\n",
        {},
        "from mindspore import mint\nclass A:\n    def f(self):\n        return mint.abs(1)\n",
    ),
    "an import that is deleted again": (
        "import torch\ny = torch.abs(1)\ndel torch\n",
        {},
        "import torch\nfrom mindspore import mint\ny = mint.abs(1)\ndel torch\n",
    ),
    "a deleted name of an API": (
        "from torch import float32, abs\ny = abs(1)\ndel float32, abs\n",
        {},
        "from mindspore import mint\nfrom torch import float32, abs\ny = mint.abs(1)\ndel float32, abs\n",
    ),
    "a name that is deleted is not imported": (
        "import torch\nmint = 1; del mint\ntorch.abs(x)\n",
        {},
        "import mindspore\nmint = 1; del mint\nmindspore.mint.abs(x)\n",
    ),
    "a name that a star import may bind is not imported": (
        "import torch\nfrom helpers import *\ntorch.abs(x)\n",
        {},
        "import mindspore\nfrom helpers import *\nmindspore.mint.abs(x)\n",
    ),
    "an import that a star import may hide is not used": (
        "import torch\nfrom mindspore import mint\nfrom helpers import *\ntorch.abs(x)\n",
        {},
        "import mindspore\nfrom mindspore import mint\nfrom helpers import *\nmindspore.mint.abs(x)\n",
    ),
    "an import behind the star import is": (
        "import torch\nfrom helpers import *\nfrom mindspore import mint\ntorch.abs(x)\n",
        {},
        "from helpers import *\nfrom mindspore import mint\nmint.abs(x)\n",
    ),
    "a doctest reads it": (
        'import torch\ndef f(x):\n    """\n    >>> f(torch.ones(1))\n    """\n    return torch.abs(x)\n',
        {},
        "import torch\nfrom mindspore import mint\n"
        'def f(x):\n    """\n    >>> f(torch.ones(1))\n    """\n    return mint.abs(x)\n',
    ),
    "a doctest that imports it itself": (
        'import torch\ndef f(x):\n    """\n    >>> import torch\n    >>> torch.ones(1)\n    """\n    return torch.abs(x)\n',
        {},
        "from mindspore import mint\n"
        'def f(x):\n    """\n    >>> import torch\n    >>> torch.ones(1)\n    """\n    return mint.abs(x)\n',
    ),
    "code that is text reads it": (
        "import torch\ntorch.abs(x)\nglobals()['torch']\n",
        {},
        "import torch\nfrom mindspore import mint\nmint.abs(x)\nglobals()['torch']\n",
    ),
    "a method is not what runs text": (
        "import torch\ntorch.abs(x)\nmodel.eval('torch')\n",
        {},
        "from mindspore import mint\nmint.abs(x)\nmodel.eval('torch')\n",
    ),
    "what does not parse may read it": (
        "import torch\ntorch.abs(x)\n\n\ny = (torch ? 1\n",
        {},
        "import torch\nfrom mindspore import mint\nmint.abs(x)\n\n\ny = (torch ? 1\n",
    ),
    "__all__ grows": (
        "from torch import abs\n__all__ = []\n__all__.extend(['abs'])\nabs(x)\n",
        {},
        "from mindspore import mint\nfrom torch import abs\n__all__ = []\n__all__.extend(['abs'])\nmint.abs(x)\n",
    ),
    "nothing to do": ("import os\n", {}, "import os\n"),
    "a name that is assigned a module": (
        "import torch\nF = torch.nn.functional\n\n\ndef f(x, G=torch):\n    return F.relu(x) + G.abs(x)\n",
        {},
        "import torch\nfrom mindspore import mint\nF = torch.nn.functional\n\n\ndef f(x, G=torch):\n    return mint.nn.functional.relu(x) + G.abs(x)\n",
    ),
    "a name that may be another module": (
        "import torch\nfrom b import F\nif x:\n    F = torch.nn.functional\nF.relu(x)\n",
        {},
        "import torch\nfrom b import F\nif x:\n    F = torch.nn.functional\nF.relu(x)\n",
    ),
    "an alias stays": (
        "import torch\nf = torch.abs\nf(x)\n",
        {},
        "import torch\nf = torch.abs\nf(x)\n",
    ),
}


@pytest.mark.parametrize(("source", "settings", "expected"), CASES.values(), ids=CASES)
def test_all_safe_fixes(source: str, settings: dict[str, object], expected: str) -> None:
    assert fixed(source, **settings) == expected
    assert fixed(expected, **settings) == expected, "a second run changes nothing"


def test_a_package_keeps_its_imports() -> None:
    source = "import torch\ntorch.abs(x)\n"
    assert fixed(source, uri="/p/__init__.py") == "import torch\nfrom mindspore import mint\nmint.abs(x)\n"


def test_a_single_fix_leaves_the_rest() -> None:
    source = "import torch\n\ntorch.abs(x)\ntorch.abs(y)\n"
    made, found = found_in(source)
    position = source.index("torch.abs(y)")
    [fix] = made.fixes(found, position, position)
    assert fix.title("en") == "Replace with mindspore.mint.abs"
    assert fix.title("zh-cn") == "替换为 mindspore.mint.abs"
    expected = "import torch\nfrom mindspore import mint\n\ntorch.abs(x)\nmint.abs(y)\n"
    assert apply(source, made.edits(found, fix)) == expected


def test_only_findings_in_the_range_are_asked_for_fixes() -> None:
    source = "import torch\n\ntorch.abs(x)\ntorch.abs(y)\n"
    made, found = found_in(source)
    assert made.fixes(found, 0, 5) == []
    assert len(made.fixes(found, 0, len(source))) == 2
