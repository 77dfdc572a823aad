"""What a DataLoader gives, and what dictionaries of keywords hold that it is made with. See `value_text.py` for how
values are written."""

from __future__ import annotations

import pytest
from value_text import value_of

USUAL = "Tensor | list[Tensor] (likely)"
OWN = "def own(batch):\n    return torch.ones(1), len(batch)\n"
LOADERS = {
    "DataLoader(unseen)": USUAL,
    "DataLoader(unseen, collate_fn=None)": USUAL,
    "DataLoader(unseen, collate_fn=unseen)": "?",
    "DataLoader(unseen, collate_fn=own)": "tuple(Tensor, len) (likely)",
    "DataLoader(unseen, collate_fn=own if unseen else None)": f"tuple(Tensor, len) | {USUAL}",
    "DataLoader(unseen, **unseen)": "?",
    "DataLoader(unseen, **{})": USUAL,
    "DataLoader(unseen, **plain)": USUAL,
    "DataLoader(unseen, **with_others)": USUAL,
    "DataLoader(unseen, **with_keyword)": "?",
    "DataLoader(unseen, **with_key)": "?",
    "DataLoader(unseen, **with_function)": "?",
    "DataLoader(unseen, **with_unknown)": "?",
}
KEYWORDS = """
from torch.utils.data import DataLoader
plain = {'num_workers': 1, 'pin_memory': True} if unseen else {}
with_others = {'batch_size': 4}
with_others.update({'shuffle': True})
with_others.update(drop_last=True)
with_keyword = {'batch_size': 4}
with_keyword.update(collate_fn=unseen)
with_key = {'batch_size': 4, 'collate_fn': own}
with_function = {'batch_size': 4}
with_function['collate_fn'] = own
with_unknown = {'batch_size': 4}
with_unknown.update(unseen)
"""


@pytest.mark.parametrize(("loader", "expected"), LOADERS.items())
def test_what_a_data_loader_gives(loader: str, expected: str) -> None:
    assert value_of(f"{OWN}{KEYWORDS}for r in {loader}: pass\n") == expected


UPDATED = {
    "d = {'a': 1}\nd.update(b=torch.ones(1))\nr = d['b']": "Tensor",
    "d = {'a': 1}\nd.update({'b': torch.ones(1)})\nr = d['b']": "Tensor",
    "d = {'a': 1}\nd.update(**{'b': torch.ones(1)})\nr = d['b']": "Tensor",
    "d = {'a': 1}\nd.update({'b': torch.ones(1)}, c=nn.ReLU())\nr = d['b']": "Tensor | nn.ReLU",
    "d = {'a': torch.ones(1)}\nd.update(unseen)\nr = d['a']": "Tensor",
    "d = {'a': torch.ones(1)}\nd.update(unseen)\nr = d['b']": "?",
    "d = dict(a=torch.ones(1))\nd.update(unseen)\nr = d['a']": "Tensor",
}


@pytest.mark.parametrize(("source", "expected"), UPDATED.items())
def test_what_update_puts_into_a_dictionary(source: str, expected: str) -> None:
    assert value_of(source) == expected


CONVERTED = {
    "torchvision.transforms.ToTensor()(unseen)": "Tensor (likely)",
    "torchvision.transforms.Normalize((0.5,), (0.5,))(unseen)": "Tensor (likely)",
    "torchvision.transforms.functional.to_tensor(unseen)": "Tensor",
    "torchvision.transforms.Compose([unseen])(unseen)": "?",
    "torchvision.transforms.Resize(3)(unseen)": "?",
}


@pytest.mark.parametrize(("source", "expected"), CONVERTED.items())
def test_what_makes_tensors_of_pictures(source: str, expected: str) -> None:
    assert value_of(f"import torchvision\nr = {source}\n") == expected
