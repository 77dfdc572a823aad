"""What is recorded of graph mode is what MindSpore does: every snippet is compiled, as it is written and as it
should be written."""

from __future__ import annotations

import subprocess
from pathlib import Path


def test_snippets(python: str) -> None:
    script = Path(__file__).parents[2] / "scripts" / "graph_snippets.py"
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


COMPILATIONS = """
import mindspore
from mindspore import Tensor, nn

class Net(nn.Cell):
    def construct(self, x):
        return (x * 2).sum()

mindspore.set_context(mode=mindspore.GRAPH_MODE)
fixed, varying = Net(), Net()
varying.set_inputs(Tensor(shape=[None, 3], dtype=mindspore.float32))
for rows in (2, 3, 4):
    x = mindspore.ops.ones((rows, 3), mindspore.float32)
    assert fixed(x).asnumpy() == varying(x).asnumpy() == rows * 6
print("compiled", len(fixed.compile_cache), len(varying.compile_cache))
"""


def test_shapes_of_inputs(python: str, tmp_path: Path) -> None:
    """A network is compiled anew for each shape (MP412), unless `set_inputs` says that it is not fixed."""
    script = tmp_path / "compilations.py"  # the compiler reads the source
    script.write_text(COMPILATIONS, encoding="utf-8")
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False)
    assert "compiled 3 1" in done.stdout, done.stdout[-3000:] + done.stderr[-1000:]
