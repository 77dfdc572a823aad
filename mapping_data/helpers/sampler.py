"""Samplers: in which order a data set is read."""

import itertools
import math
from typing import Generic, TypeVar

import numpy as np

Index = TypeVar("Index", covariant=True)


class Sampler(Generic[Index]):
    """torch.utils.data.Sampler."""

    def __init__(self, data_source=None):
        """A sampler need not know what it draws from."""

    def __iter__(self):
        raise NotImplementedError("a sampler defines __iter__")


class SequentialSampler(Sampler):
    """torch.utils.data.SequentialSampler."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """torch.utils.data.RandomSampler: PyTorch's order from a generator of the same seed."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement is True or False, not {replacement}")
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        # as in PyTorch, this asks a data set for its length, which may load it
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples is a positive integer, not {self.num_samples}")

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        generator = self.generator or Generator().manual_seed(default_generator.new_seed())
        count, left = len(self.data_source), self.num_samples
        if self.replacement:
            for start in range(0, left, 32):
                yield from generator.integers(0, count, min(32, left - start)).tolist()
        else:
            for _ in range(left // count):
                yield from generator.permutation(count)
            yield from generator.permutation(count)[: left % count]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """torch.utils.data.SubsetRandomSampler."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for place in (self.generator or default_generator).permutation(len(self.indices)):
            yield self.indices[place]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """torch.utils.data.WeightedRandomSampler."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = np.asarray(getattr(weights, "tolist", lambda: weights)(), np.float64)
        if self.weights.ndim != 1:
            raise ValueError("weights are one number per sample")
        if not isinstance(num_samples, int) or num_samples <= 0:
            raise ValueError(f"num_samples is a positive integer, not {num_samples}")
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        drawn = (self.generator or default_generator).uniform
        if self.replacement:
            sums = np.cumsum(self.weights)
            places = np.searchsorted(sums / sums[-1], drawn(self.num_samples), side="left")
        else:
            keys = -np.log1p(-drawn(len(self.weights))) / np.maximum(self.weights, 1e-300)
            places = np.argsort(keys)[: self.num_samples]
        yield from places.tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """torch.utils.data.BatchSampler."""

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size is a positive integer, not {batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last is True or False, not {drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else math.ceil(count / self.batch_size)


class DistributedSampler(Sampler):
    """torch.utils.data.distributed.DistributedSampler: this process's part of a data set."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        self.dataset = dataset
        self.num_replicas = get_world_size() if num_replicas is None else num_replicas
        self.rank = get_rank() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            raise ValueError(f"rank {self.rank} is not below {self.num_replicas}")
        self.epoch = 0
        self.drop_last = drop_last
        self.shuffle = shuffle
        self.seed = seed
        whole, rest = divmod(len(dataset), self.num_replicas)
        self.num_samples = whole + bool(rest and not drop_last)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        count = len(self.dataset)
        order = list(range(count))
        if self.shuffle:
            order = Generator().manual_seed(self.seed + self.epoch).permutation(count)
        repeated = itertools.islice(itertools.cycle(order), self.total_size)
        return iter(list(repeated)[self.rank :: self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch
