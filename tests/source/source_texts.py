"""Texts for the tests of `mindport.source`: Python as people write it, and pieces that break it."""

from __future__ import annotations

from hypothesis import strategies as st

PROGRAM = '''\
"""A small network. 一个小网络 😀"""
import torch
from torch import nn
import torch.nn.functional as F  # 函数式接口


class Block(nn.Module):
    def __init__(self, channels: int, *, bias: bool = True) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.weights = {"é": 1, "权重": [2, 3], '😀': (4,)}

    def forward(self, x):
        if self.training and x.size(0) > 1:
            x = self.norm(x)
        elif not x.is_contiguous():
            x = x.view(-1,
                       x.size(1))
        else:
            pass
        return F.relu(x) + 0.5 * x


async def load(path):
    async with open(path) as file:
        lines = [line.strip() for line in file if line]
    text = f"""loaded {len(lines)!r:>{10}} 行
    from {path}"""
    match lines:
        case [first, *_]:
            print(text, first, sep="\\t")
        case _:
            return None


if __name__ == "__main__":
    while (n := 3) > 2:
        try:
            raise ValueError(n)
        except (ValueError, TypeError) as error:
            print(error); break
'''

PIECES = (
    *("", "x", "é", "好", "😀", "\u2028", "\x0c", "\x1c", "\x85", "\t", " ", "    ", "\ufeff"),
    *("\n", "\r", "\r\n", "\n\n", "\r\r", "\n\r", "\\\n"),
    *("(", ")", "[", "}", ":", ",", ".", "=", "@", '"', "'", '"""', "#", "\\", "f'{", "}'"),
    *("def f():\n    pass\n", "    return x\n", "else:\n", "class A: x = 1\n", "import 包\n", "lambda: 0"),
)

pieces = st.sampled_from(PIECES)
broken_texts = st.lists(pieces, max_size=12).map("".join)
"""Short texts, most of which are no Python."""

programs = st.builds(
    lambda ending, first, count: ending.join(PROGRAM.split("\n")[first : first + count]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(0, 30),
    st.integers(0, 60),
)
"""Stretches of `PROGRAM`, with each of the three line ends."""

texts = st.one_of(programs, broken_texts, st.text(max_size=40))
