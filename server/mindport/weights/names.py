"""The names that weights have in PyTorch and in MindSpore: `bn.running_mean` is `bn.moving_mean` in
`mindspore.nn`. A program that `convert --whole` made keeps PyTorch's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

from mindport.catalog.catalog import Catalog
from mindport.weights.stored_tensor import StoredTensor

_LAYERS: Final = "torch.nn."
_NOT_COUNTED: Final = "num_batches_tracked"
"""PyTorch's BatchNorm counts its batches; MindSpore's does not, and needs no such weight."""
_MOST_SPELLINGS: Final = 1_000


class Matched(NamedTuple):
    """Weights under the names that another file has for them: `missing` are names of that file for which
    there are none, `misfits` those whose weights have another shape, `unused` the weights that it has no
    name for."""

    tensors: list[StoredTensor]
    missing: list[str]
    misfits: list[str]
    unused: list[str]


def with_names_of(
    tensors: Sequence[StoredTensor], others: Iterable[StoredTensor], catalog: Catalog
) -> Matched:
    """The weights with the names and shapes that `others` have, in their order."""
    given = {each.name: each for each in tensors}
    spelled = _spellings(catalog)
    found, missing, misfits = [], [], []
    used: set[str] = set()
    for other in others:
        name = _name_in(given, other.name, spelled)
        if name is None:
            if not other.name.endswith(_NOT_COUNTED):
                missing.append(other.name)
            continue
        used.add(name)
        tensor = given[name]
        if _without_ones(tensor.shape) != _without_ones(other.shape):
            misfits.append(f"{other.name} {list(other.shape)} / {name} {list(tensor.shape)}")
            continue
        found.append(tensor._replace(name=other.name, shape=other.shape))
    unused = [name for name in given if name not in used and not name.endswith(_NOT_COUNTED)]
    return Matched(found, missing, misfits, unused)


def _without_ones(shape: Sequence[int]) -> list[int]:
    """A shape without the dimensions of one element: `mindspore.nn.Conv1d` has one more than PyTorch's."""
    return [each for each in shape if each != 1]


def _name_in(given: Mapping[str, object], name: str, spelled: Mapping[str, Sequence[str]]) -> str | None:
    """The name among `given` that `name` is in the other framework: itself, or the only one that a part of
    it, spelled as the other framework does, makes."""
    if name in given:
        return name
    choices = ([part, *spelled.get(part, ())] for part in name.split("."))
    spellings = (".".join(parts) for parts in islice(product(*choices), _MOST_SPELLINGS))
    found = [each for each in spellings if each in given]
    return found[0] if len(found) == 1 else None


def _spellings(catalog: Catalog) -> dict[str, list[str]]:
    """By the name of an attribute of a layer in one framework, its names in the other."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in catalog.torch_names:
        if not name.startswith(_LAYERS) or catalog.kind(name) != "attribute":
            continue
        layer, _, attribute = name.rpartition(".")
        for counterpart in catalog.correspondences.targets(name):
            other_layer, _, other = counterpart.rpartition(".")
            if other != attribute and other_layer in catalog.correspondences.targets(layer):
                found[attribute].add(other)
                found[other].add(attribute)
    return {name: sorted(others) for name, others in found.items()}
