"""The pages of all APIs: what to write comes first, and nothing is said twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.explain import Here, explain
from mindport.catalog.target import Device, Target
from mindport.language import Language

CATALOG = Catalog.load()
SHORT = 12
"""Shorter pieces are words, not sentences."""
MOST_USED = [
    "torch.nn.Module",
    "torch.nn.Conv2d",
    "torch.nn.Linear",
    "torch.nn.BatchNorm2d",
    "torch.nn.ReLU",
    "torch.nn.Sequential",
    "torch.nn.Dropout",
    "torch.nn.ModuleList",
    "torch.nn.LayerNorm",
    "torch.nn.Embedding",
    "torch.nn.Parameter",
    "torch.nn.Identity",
    "torch.nn.MaxPool2d",
    "torch.nn.AdaptiveAvgPool2d",
    "torch.nn.CrossEntropyLoss",
    "torch.nn.MSELoss",
    "torch.nn.GELU",
    "torch.nn.functional.relu",
    "torch.nn.functional.softmax",
    "torch.nn.functional.interpolate",
    "torch.nn.functional.pad",
    "torch.nn.functional.cross_entropy",
    "torch.nn.functional.log_softmax",
    "torch.nn.functional.dropout",
    "torch.cat",
    "torch.stack",
    "torch.zeros",
    "torch.ones",
    "torch.randn",
    "torch.arange",
    "torch.tensor",
    "torch.sum",
    "torch.mean",
    "torch.matmul",
    "torch.einsum",
    "torch.where",
    "torch.exp",
    "torch.sqrt",
    "torch.Tensor",
    "torch.Tensor.view",
    "torch.Tensor.permute",
    "torch.Tensor.to",
    "torch.Tensor.shape",
    "torch.Tensor.size",
    "torch.Tensor.reshape",
    "torch.no_grad",
    "torch.save",
    "torch.load",
    "torch.optim.Adam",
    "torch.optim.SGD",
]


def sentences(page: str) -> list[str]:
    """What a page says in words: code, headings and links are left out."""
    found = []
    for line in re.sub("```.*?```", "", page, flags=re.DOTALL).splitlines():
        if line.startswith(("|---", "### ", "Documentation", "文档")):
            continue
        text = line.strip("|").split(" | ")[-1] if line.startswith("|") else line.removeprefix("- ")
        said = [piece.strip() for piece in re.split(r"(?<=\.)\s+|(?<=。)", text)]
        found += [one for one in said if len(one) > SHORT]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh-cn"])
@pytest.mark.parametrize("device", ["cpu", "ascend"])
def test_no_page_says_a_sentence_twice(language: Language, device: Device) -> None:
    twice = {}
    for name in CATALOG.torch_names:
        said = Counter(sentences(explain(CATALOG, name, Target(device=device), language)))
        repeated = [sentence for sentence, number in said.items() if number > 1]
        if repeated:
            twice[name] = repeated
    assert not twice


@pytest.mark.parametrize("name", MOST_USED)
def test_what_to_write_stands_at_the_top(name: str) -> None:
    """At most two lines come before it: the heading, and an empty one."""
    lines = explain(CATALOG, name, Target(), "en").splitlines()
    answer = CATALOG.answer(name, Target())
    assert answer.chosen is None or lines.index("```python") <= 2


def test_the_differences_of_a_use_are_said_first_and_once() -> None:
    differences = CATALOG.answer("torch.nn.Dropout", Target(device="cpu")).candidates[0].differences[:1]
    here = Here("mindspore.nn.Dropout(p=0.5)", differences, "Look.")
    page = explain(CATALOG, "torch.nn.Dropout", Target(device="cpu"), "en", here)
    _, code, *rest = page.split("```")
    assert code == "python\nmindspore.nn.Dropout(p=0.5)\n"
    sentence = differences[0].sentence("en")
    assert page.count(sentence) == 1 and rest[0].startswith(f"\n\n- {sentence}\n\nLook.")
