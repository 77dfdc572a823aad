"""Random modules and notebooks, converted: what was bound stays bound and happens in the same order, comments
stay, and a second conversion changes nothing."""

from __future__ import annotations

import io
import random
import tokenize

import test_names_stay_bound as names
from findings import session
from generate_modules import ModuleMaker
from target import Target


def comments(source: str) -> list[str]:
    """The comments of a module, in order."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def trial(choose: random.Random) -> int:
    """A module, or the cells of a notebook, converted with the safe fixes or with all."""
    maker = ModuleMaker(choose.randrange(2**32))
    unsafe = choose.random() < 0.5
    made = session(device=choose.choice(("ascend", "cpu")))
    if choose.random() < 0.3:
        cells = [text for text in maker.statements() if "import *" not in text]
        after = names.converted_cells(made, cells, unsafe)
        assert names.differences(cells, after, unsafe) is None, (cells, after)
        return len(cells)
    source = maker.source()
    result = names.converted(made, source, unsafe)
    assert names.differences([source], [result], unsafe) is None, (source, result)
    assert sorted(comments(result)) == sorted(comments(source)), (source, result)
    again = names.converted(made, result, unsafe)
    assert again == result, (source, result, again)
    return 1


TARGET = Target("conversions", "files", trial)
