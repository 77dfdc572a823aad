"""`mindport explain-error`: what it says of a message, and of the lines that a traceback names."""

from __future__ import annotations

from command_line import CommandLine, process

TRACEBACK = """Traceback (most recent call last):
  File "{path}", line 4, in <module>
    y = torch.ones(2).detach()
AttributeError: 'Tensor' object has no attribute 'detach'
"""


def test_a_traceback_and_the_lines_that_it_names(mindport: CommandLine) -> None:
    source = mindport.write("net.py", "import torch\n\nx = torch.zeros(3)\ny = torch.svd(torch.eye(2))\n")
    log = mindport.write("log.txt", TRACEBACK.format(path=source))
    code, out, err = mindport("explain-error", str(log))
    assert (code, err) == (0, "")
    assert "has no `detach`" in out and "mindport explain torch.Tensor.detach" in out
    assert f"{source.as_posix()}:4: `torch.svd`" in out and "torch.zeros" not in out


def test_a_line_that_a_conversion_has_marked(mindport: CommandLine) -> None:
    source = mindport.write("net.py", "# TODO(mindport): write it by hand\ny = unavailable()\n")
    log = mindport.write("log.txt", f'File "{source}", line 2, in <module>\nKeyError: 1\n')
    code, out, _ = mindport("explain-error", str(log))
    assert code == 1 and "Unknown error" in out and "net.py:2: write it by hand" in out


def test_files_of_packages_and_files_that_are_gone_are_left_alone(mindport: CommandLine) -> None:
    installed = mindport.write("site-packages/net.py", "import torch\ntorch.svd(1)\n")
    text = f'File "{installed}", line 2, in a\nFile "/gone/net.py", line 2, in b\nThe kernel Conv2D unregistered.\n'
    log = mindport.write("log.txt", text)
    code, out, _ = mindport("explain-error", str(log), "--language", "zh-cn")
    assert code == 0 and "算子 `Conv2D`" in out and "net.py" not in out


def test_bad_input(mindport: CommandLine) -> None:
    assert mindport("explain-error", "gone.txt").code == 2
    empty = mindport.write("empty.txt", "")
    code, _, err = mindport("explain-error", str(empty))
    assert code == 2 and "No error message" in err


def test_a_message_on_standard_input(mindport: CommandLine) -> None:
    assert process("explain-error", folder=mindport.folder).code == 2
