"""Data sets, as torch.utils.data has them."""

import bisect
import itertools
import math
from functools import partial
from typing import ClassVar, Generic, TypeVar

Element = TypeVar("Element", covariant=True)


class Dataset(Generic[Element]):
    """torch.utils.data.Dataset."""

    def __getitem__(self, index):
        raise NotImplementedError("a data set defines __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Element]):
    """torch.utils.data.IterableDataset."""

    def __add__(self, other):
        return ChainDataset([self, other])


class Pipe:
    """What passes samples on: what is registered under a name is a method of it, too."""

    functions: ClassVar = {}

    def __getattr__(self, name):
        if name in type(self).functions:
            return partial(type(self).functions[name], self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class IterDataPipe(Pipe, IterableDataset):
    """torch.utils.data.IterDataPipe."""

    functions: ClassVar = {}


class MapDataPipe(Pipe, Dataset):
    """torch.utils.data.MapDataPipe."""

    functions: ClassVar = {}


def functional_datapipe(name, enable_df_api_tracing=False):
    """torch.utils.data.functional_datapipe: registers a class under a name."""

    def registered(pipe):
        for kind in (IterDataPipe, MapDataPipe):
            if issubclass(pipe, kind):
                kind.functions[name] = pipe
        return pipe

    return registered


class TensorDataset(Dataset):
    """torch.utils.data.TensorDataset."""

    def __init__(self, *tensors):
        if any(len(tensor) != len(tensors[0]) for tensor in tensors):
            raise AssertionError("the tensors have different lengths")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """torch.utils.data.ConcatDataset."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("there is no data set to concatenate")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("an IterableDataset has no length: use ChainDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence):
        return list(itertools.accumulate(len(dataset) for dataset in sequence))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < -len(self):
            raise ValueError(f"index {idx} is outside of a data set of {len(self)} samples")
        if idx < 0:
            idx += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[place][idx - (self.cumulative_sizes[place - 1] if place else 0)]


class ChainDataset(IterableDataset):
    """torch.utils.data.ChainDataset."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


class StackDataset(Dataset):
    """torch.utils.data.StackDataset."""

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("data sets are given either by position or by keyword")
        self.datasets = args or kwargs
        lengths = {len(dataset) for dataset in (args or kwargs.values())}
        if len(lengths) > 1:
            raise ValueError("the data sets have different lengths")
        (self._length,) = lengths

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        return self._length


class Subset(Dataset):
    """torch.utils.data.Subset."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        chosen = [self.indices[each] for each in idx] if isinstance(idx, list) else self.indices[idx]
        return self.dataset[chosen]

    def __getitems__(self, indices):
        return samples_of(self.dataset, [self.indices[index] for index in indices])

    def __len__(self):
        return len(self.indices)


def samples_of(dataset, indices):
    """The samples with these indices; by `__getitems__`, if the data set has it."""
    if callable(getattr(dataset, "__getitems__", None)):
        return dataset.__getitems__(indices)
    return [dataset[index] for index in indices]


def random_split(dataset, lengths, generator=None):
    """torch.utils.data.random_split: with a generator of the same seed, the same parts as in PyTorch."""
    lengths = list(lengths)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        if not all(0 <= length <= 1 for length in lengths):
            raise ValueError(f"fractions are between 0 and 1, not {lengths}")
        lengths = [math.floor(len(dataset) * length) for length in lengths]
        for place in range(len(dataset) - sum(lengths)):
            lengths[place % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError(f"lengths of {sum(lengths)} in all do not fit {len(dataset)} samples")
    order = (generator or default_generator).permutation(sum(lengths))
    ends = list(itertools.accumulate(lengths))
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]
