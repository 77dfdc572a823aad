"""Where the blocks of a text are."""

from __future__ import annotations

from typing import Final, NamedTuple

from mindport.index.block import Block


class Layout(NamedTuple):
    """The blocks of a text and where each starts."""

    data: bytes
    blocks: list[Block]
    starts: list[int]


EMPTY: Final = Layout(b"", [], [])
