"""Data sets, as torch.utils.data has them."""

import bisect
import itertools
from typing import Generic, TypeVar

import numpy as np

Element = TypeVar("Element", covariant=True)


class Dataset(Generic[Element]):
    """torch.utils.data.Dataset."""

    def __getitem__(self, index):
        raise NotImplementedError("a data set defines __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Element]):
    """torch.utils.data.IterableDataset."""


class TensorDataset(Dataset):
    """torch.utils.data.TensorDataset."""

    def __init__(self, *tensors):
        if any(len(tensor) != len(tensors[0]) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """torch.utils.data.ConcatDataset."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = list(itertools.accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            idx += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[place][idx - (self.cumulative_sizes[place - 1] if place else 0)]


class Subset(Dataset):
    """torch.utils.data.Subset."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        chosen = [self.indices[each] for each in idx] if isinstance(idx, list) else self.indices[idx]
        return self.dataset[chosen]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """torch.utils.data.random_split."""
    lengths = list(lengths)
    if abs(sum(lengths) - 1) < 1e-6 and all(0 <= length <= 1 for length in lengths):
        lengths = [int(len(dataset) * length) for length in lengths]
        for place in range(len(dataset) - sum(lengths)):
            lengths[place % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = np.random.permutation(sum(lengths)).tolist()
    ends = list(itertools.accumulate(lengths))
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]
