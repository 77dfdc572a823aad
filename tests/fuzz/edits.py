"""Random edits of modules that import each other: what is kept up to date equals an analysis from scratch."""

from __future__ import annotations

import ast
import random

import test_incremental as incremental
from mindport.source.document import Document
from target import Target

_KINDS = ("insert", "delete", "replace", "move", "undo")
_MOST_EDITS = 8
_MOST_STATEMENTS = 3
_WHOLE = 0.15
"""How often a module is taken whole: that takes ten times as long."""
_PAIRS = (("model", "train"), ("data", "model"))


def _edit(choose: random.Random, snippets: list[str]) -> tuple[str, float, float, str, bool]:
    return (
        choose.choice(_KINDS),
        choose.random(),
        choose.random(),
        choose.choice(snippets),
        choose.random() < 0.5,
    )


def _text(choose: random.Random, name: str) -> str:
    """One of the example's modules: whole, or more often its imports with a few of its other statements."""
    text = (incremental.EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    if choose.random() < _WHOLE:
        return text
    statements = ast.parse(text).body
    imports = [each for each in statements if isinstance(each, (ast.Import, ast.ImportFrom))]
    others = [each for each in statements if each not in imports]
    kept = choose.sample(others, min(len(others), choose.randint(1, _MOST_STATEMENTS)))
    parts = [ast.get_source_segment(text, each) or "" for each in [*imports, *kept]]
    return "\n".join(parts) + "\n"


def trial(choose: random.Random) -> int:
    """A sequence of edits of two modules, which are compared after some of them and at the end."""
    names = choose.choice(_PAIRS)
    across = choose.random() < 0.5
    snippets = [*incremental.SNIPPETS, *(incremental.NAMES_ACROSS if across else [])]
    histories = {name: [Document.open(name, _text(choose, name))] for name in names}
    kept = incremental.Project({name: history[0] for name, history in histories.items()})
    for name in names:
        kept.analysis(name)
    count = choose.randint(1, _MOST_EDITS)
    for number in range(count):
        name = choose.choice(names)
        histories[name].append(incremental.edited(histories[name], _edit(choose, snippets)))
        kept.put(name, histories[name][-1])
        if number == count - 1 or choose.random() < 0.4:
            texts = {n: Document.open(n, h[-1].data) for n, h in histories.items()}
            for each in reversed(names):
                fresh = incremental.Project(texts).analysis(each)
                assert kept.analysis(each) == fresh, (each, histories[name][-1].data)
    return count


TARGET = Target("edits", "edits", trial)
