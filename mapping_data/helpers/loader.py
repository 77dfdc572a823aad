"""Batches: torch.utils.data.DataLoader and how it puts samples together."""

import collections
import contextlib
import copy
import functools
import itertools
import random
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Generic

import mindspore
import numpy as np
from mindspore import ops


def array_of(value):
    """A Tensor or an array as an array."""
    return value.asnumpy() if isinstance(value, mindspore.Tensor) else np.asarray(value)


def stacked_tensors(tensors):
    """Tensors of one shape as one, with a new first axis; without a gradient."""
    if any(tensor.shape != tensors[0].shape for tensor in tensors):
        raise RuntimeError(f"samples of different shapes: {sorted({tensor.shape for tensor in tensors})}")
    if tensors[0].dtype == mindspore.bfloat16:
        return ops.stack(tensors)
    return mindspore.Tensor(np.stack([tensor.asnumpy() for tensor in tensors]))


def dtype_of_arrays(arrays):
    """The dtype of arrays that are put together: PyTorch's, where numbers that are whole widen no others."""
    kinds = [array.dtype for array in arrays]
    return np.result_type(*([kind for kind in kinds if kind.kind in "fc"] or kinds))


def stacked_arrays(arrays):
    """Arrays or numbers of NumPy as one Tensor; numbers of Python's may be among them."""
    arrays = [np.float32(array) if type(array) is float else np.asarray(array) for array in arrays]
    if any(array.dtype.kind in "SUO" for array in arrays):
        raise TypeError(f"no tensor can be made of {arrays[0].dtype}")
    if any(array.shape != arrays[0].shape for array in arrays):
        raise RuntimeError(f"samples of different shapes: {sorted({array.shape for array in arrays})}")
    return mindspore.Tensor(np.stack(arrays).astype(dtype_of_arrays(arrays), copy=False))


def is_named_tuple(value):
    """Whether a value is of a class that `namedtuple` made."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def rebuilt(like, values):
    """A mapping or a sequence of the type of another one; a plain one, where that type takes no values."""
    try:
        return type(like)(values)
    except TypeError:
        return dict(values) if isinstance(like, Mapping) else list(values)


def collated_tensors(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate_tensor_fn: Tensors as one, of their class."""
    is_plain = type(batch[0]) is mindspore.Tensor
    return stacked_tensors(batch) if is_plain else ops.stack(batch)


def collated_arrays(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate_numpy_array_fn: arrays or numbers of NumPy as a Tensor."""
    return stacked_arrays(batch)


def collated_floats(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate_float_fn: floats as a Tensor, in double precision."""
    return mindspore.Tensor(np.array(batch, np.float64))


def collated_integers(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate_int_fn: integers as a Tensor."""
    return mindspore.Tensor(np.array(batch, np.bool_ if isinstance(batch[0], bool) else np.int64))


def collated_texts(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate_str_fn: texts stay a list."""
    return batch


# how a batch is made of samples of a class
default_collate_fn_map = {
    mindspore.Tensor: collated_tensors,
    np.str_: collated_texts,
    np.bytes_: collated_texts,
    (np.ndarray, np.generic): collated_arrays,
    float: collated_floats,
    int: collated_integers,
    (str, bytes): collated_texts,
}


def collate(batch, *, collate_fn_map=None):
    """torch.utils.data._utils.collate.collate: samples as one batch, by what a class has in a mapping."""
    batch = list(batch)
    first = batch[0]
    functions = collate_fn_map or {}
    function = functions.get(type(first)) or next(
        (functions[kind] for kind in functions if isinstance(first, kind)), None
    )
    if function is not None:
        return function(batch, collate_fn_map=collate_fn_map)
    of = functools.partial(collate, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        return rebuilt(first, {key: of([each[key] for each in batch]) for key in first})
    if is_named_tuple(first):
        return type(first)(*(of(values) for values in zip(*batch)))
    if isinstance(first, Sequence):
        if any(len(each) != len(first) for each in batch):
            raise RuntimeError("samples have different numbers of values")
        columns = [of(values) for values in zip(*batch)]
        return columns if isinstance(first, tuple) else rebuilt(first, columns)
    raise TypeError(f"no batch can be made of {type(first).__name__}: give a collate_fn")


def default_collate(batch):
    """torch.utils.data.default_collate: samples as one batch of MindSpore Tensors."""
    return collate(batch, collate_fn_map=default_collate_fn_map)


def default_convert(data):
    """torch.utils.data.default_convert: arrays in a sample become Tensors."""
    if isinstance(data, (np.ndarray, np.generic)) and data.dtype.kind not in "SUO":
        return mindspore.Tensor(data)
    if isinstance(data, (str, bytes, mindspore.Tensor)):
        return data
    if isinstance(data, Mapping):
        return rebuilt(data, {key: default_convert(value) for key, value in data.items()})
    if is_named_tuple(data):
        return type(data)(*(default_convert(value) for value in data))
    if isinstance(data, Sequence):
        values = [default_convert(value) for value in data]
        return values if isinstance(data, tuple) else rebuilt(data, values)
    return data


# What get_worker_info tells
WorkerInfo = namedtuple("WorkerInfo", ["id", "num_workers", "seed", "dataset"])

# The workers that are loading at the moment, the innermost last
active_workers = []


def get_worker_info():
    """torch.utils.data.get_worker_info: None outside of workers."""
    return active_workers[-1].info if active_workers else None


class Worker:
    """One worker of a DataLoader. It loads in this process, with random numbers of its own."""

    def __init__(self, loader, number, base_seed):
        dataset = loader.dataset
        if loader.num_workers > 1 and loader._dataset_kind == DatasetKind.Iterable:
            with contextlib.suppress(Exception):  # what cannot be copied is shared
                dataset = copy.deepcopy(dataset)
        self.info = WorkerInfo(number, loader.num_workers, base_seed + number, dataset)
        self.states = None
        with self:
            random.seed(self.info.seed)
            np.random.seed(numpy_seed(number, base_seed))
            default_generator.manual_seed(self.info.seed)
            if loader.worker_init_fn is not None:
                loader.worker_init_fn(number)

    def __enter__(self):
        active_workers.append(self)
        self.outside = random_states()
        if self.states is not None:
            restore_random_states(self.states)

    def __exit__(self, *exception):
        self.states = random_states()
        restore_random_states(self.outside)
        active_workers.pop()
        return False


def numpy_seed(number, base_seed):
    """What PyTorch seeds NumPy's random numbers of a worker with."""
    return np.random.SeedSequence([number, base_seed % 2**32, base_seed >> 32, 0]).generate_state(4)


def random_states():
    """The states of Python's, NumPy's and the helpers' random numbers."""
    return random.getstate(), np.random.get_state(), default_generator.get_state()


def restore_random_states(states):
    """Continue where random_states was asked for."""
    random.setstate(states[0])
    np.random.set_state(states[1])
    default_generator.set_state(states[2])


class InfiniteSampler(Sampler):
    """What an IterableDataset is read with: it decides itself how long."""

    def __iter__(self):
        while True:
            yield None


class DatasetKind:
    """torch.utils.data._DatasetKind: with indices, or iterated over."""

    Map = 0
    Iterable = 1


class BatchFetcher:
    """Makes batches of the samples of a data set, as one worker of a DataLoader does."""

    def __init__(self, loader, dataset):
        self._loader = loader
        self._dataset = dataset
        is_stream = loader._dataset_kind == DatasetKind.Iterable
        self._stream = iter(dataset) if is_stream else None

    def fetch(self, chosen):
        """The batch with these indices. Raises StopIteration where a data set has no more samples."""
        if self._stream is not None:
            samples = self._next_samples(chosen)
        elif self._loader._auto_collation:
            samples = samples_of(self._dataset, chosen)
        else:
            samples = self._dataset[chosen]
        return self._loader.collate_fn(samples)

    def _next_samples(self, chosen):
        if not self._loader._auto_collation:
            return next(self._stream)
        samples = list(itertools.islice(self._stream, len(chosen)))
        is_last = len(samples) < len(chosen)
        if is_last:
            self._stream = iter(())  # never asked again, as in PyTorch
        if not samples or (is_last and self._loader.drop_last):
            raise StopIteration
        return samples


class BatchIterator:
    """torch.utils.data.dataloader._BaseDataLoaderIter: goes through the batches of a DataLoader, or of what
    has its attributes, once."""

    def __init__(self, loader):
        self._loader = loader
        self._dataset = loader.dataset
        self._num_workers = loader.num_workers
        self._index_sampler = loader._index_sampler
        self._sampler_iter = iter(self._index_sampler)
        self._base_seed = (loader.generator or default_generator).new_seed()
        self._num_yielded = 0

    def _reset(self, loader, first_iter=False):
        """Begin again, with the next order of the samples."""
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0

    def __iter__(self):
        return self

    def __next__(self):
        batch = self._next_data()
        self._num_yielded += 1
        return batch

    def __len__(self):
        return len(self._index_sampler)

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self):
        raise NotImplementedError


class SingleProcessBatchIterator(BatchIterator):
    """torch.utils.data.dataloader._SingleProcessDataLoaderIter: without workers."""

    def __init__(self, loader):
        super().__init__(loader)
        self._dataset_fetcher = BatchFetcher(loader, self._dataset)

    def _next_data(self):
        return self._dataset_fetcher.fetch(self._next_index())


class WorkersBatchIterator(BatchIterator):
    """torch.utils.data.dataloader._MultiProcessingDataLoaderIter: from one worker after the other. All of
    them load in this process; indices are drawn ahead, the first ones before a batch is asked for."""

    def __init__(self, loader):
        super().__init__(loader)
        self._workers = [Worker(loader, number, self._base_seed) for number in range(self._num_workers)]
        self._begin()

    def _reset(self, loader, first_iter=False):
        self._sampler_iter = iter(())
        list(self)  # what PyTorch's workers, which stay, have loaded ahead when a loop is left
        super()._reset(loader, first_iter)
        self._begin()

    def _begin(self):
        self._loading = []
        for worker in self._workers:
            with worker:
                self._loading.append((worker, BatchFetcher(self._loader, worker.info.dataset)))
        self._turn = 0
        self._ahead = collections.deque()
        self._draw(self._loader.prefetch_factor * self._num_workers)

    def _draw(self, count):
        self._ahead.extend(itertools.islice(self._sampler_iter, count))

    def _next_data(self):
        while self._loading and self._ahead:
            chosen = self._ahead.popleft()
            self._turn %= len(self._loading)
            worker, fetcher = self._loading[self._turn]
            try:
                with worker:
                    batch = fetcher.fetch(chosen)
            except StopIteration:  # the others go on
                del self._loading[self._turn]
                self._ahead.appendleft(chosen)
                continue
            self._turn += 1
            self._draw(1)
            return batch
        raise StopIteration


class DataLoader(Generic[Element]):
    """torch.utils.data.DataLoader: the same batches in the same order.

    Everything is loaded in this process: workers only have their own number, seed and random numbers, and
    an IterableDataset is read by all of them in turn. Memory is not pinned, nothing is loaded ahead.
    """

    batches_take_devices = TENSORS_TAKE_DEVICES

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        self.dataset = dataset
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.generator = generator
        self.prefetch_factor = 2 if prefetch_factor is None and num_workers > 0 else prefetch_factor
        self.persistent_workers = persistent_workers
        self.in_order = in_order
        self._check(shuffle, sampler, batch_sampler, batch_size, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None and isinstance(dataset, IterableDataset):
            sampler = InfiniteSampler()
        elif sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self._iterator = None

    def _check(self, shuffle, sampler, batch_sampler, batch_size, drop_last):
        """Raises ValueError for arguments that exclude each other."""
        if self.num_workers < 0 or self.timeout < 0:
            raise ValueError("num_workers and timeout are not negative")
        if self.num_workers == 0 and (self.prefetch_factor is not None or self.persistent_workers):
            raise ValueError("prefetch_factor and persistent_workers are for num_workers > 0")
        if isinstance(self.dataset, IterableDataset) and (shuffle or sampler or batch_sampler):
            raise ValueError("an IterableDataset has its own order: no shuffle, sampler or batch_sampler")
        if sampler is not None and shuffle:
            raise ValueError("either sampler or shuffle is given")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError("batch_sampler excludes batch_size, shuffle, sampler and drop_last")
        if batch_size is None and drop_last:
            raise ValueError("drop_last needs a batch_size")

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @property
    def _dataset_kind(self):
        return DatasetKind.Iterable if isinstance(self.dataset, IterableDataset) else DatasetKind.Map

    def __iter__(self):
        if not (self.persistent_workers and self.num_workers):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    def _get_iterator(self):
        """An iterator over all batches, which subclasses ask for, too."""
        return WorkersBatchIterator(self) if self.num_workers else SingleProcessBatchIterator(self)

    def __len__(self):
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        if self.batch_size is None:
            return len(self.dataset)
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole + bool(rest and not self.drop_last)
