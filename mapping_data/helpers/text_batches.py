"""torchtext.data: iterators over the batches of a data set."""

import logging
import math

import mindspore
import numpy as np


class ExampleIterator:
    """torchtext.data.Iterator: the batches of a data set, in its order, in that of a key, or at random."""

    def __init__(
        self,
        dataset,
        batch_size,
        sort_key=None,
        device=None,
        batch_size_fn=None,
        train=True,
        repeat=False,
        shuffle=None,
        sort=None,
        sort_within_batch=None,
    ):
        self.batch_size, self.train, self.dataset = batch_size, train, dataset
        self.batch_size_fn = batch_size_fn
        self.iterations = 0
        self.repeat = repeat
        self.shuffle = train if shuffle is None else shuffle
        self.sort = not train if sort is None else sort
        self.sort_within_batch = self.sort if sort_within_batch is None else sort_within_batch
        self.sort_key = dataset.sort_key if sort_key is None else sort_key
        if isinstance(device, int):
            logging.getLogger(__name__).warning("a device is no number: it is of no account")
            device = None
        self.device = device
        self.random_shuffler = RandomShuffler()
        self._iterations_this_epoch = 0
        self._random_state_this_epoch = None
        self._restored_from_state = False

    @classmethod
    def splits(cls, datasets, batch_sizes=None, **kwargs):
        """An iterator for each data set, of which the first is for training."""
        if batch_sizes is None:
            batch_sizes = [kwargs.pop("batch_size")] * len(datasets)
        return tuple(
            cls(dataset, batch_size=batch_sizes[place], train=place == 0, **kwargs)
            for place, dataset in enumerate(datasets)
        )

    def data(self):
        """The examples in their order for one epoch."""
        if self.sort:
            return sorted(self.dataset, key=self.sort_key)
        if self.shuffle:
            return [self.dataset[place] for place in self.random_shuffler(range(len(self.dataset)))]
        return self.dataset

    def init_epoch(self):
        """Make the batches of an epoch."""
        if self._restored_from_state:
            self.random_shuffler.random_state = self._random_state_this_epoch
        else:
            self._random_state_this_epoch = self.random_shuffler.random_state
        self.create_batches()
        if not self._restored_from_state:
            self._iterations_this_epoch = 0
        self._restored_from_state = False
        if not self.repeat:
            self.iterations = 0

    def create_batches(self):
        """Set the lists of examples of an epoch."""
        self.batches = lists_of_examples(self.data(), self.batch_size, self.batch_size_fn)

    @property
    def epoch(self):
        """How many epochs there were."""
        return math.floor(self.iterations / len(self))

    def __len__(self):
        if self.batch_size_fn is not None:
            raise NotImplementedError
        return math.ceil(len(self.dataset) / self.batch_size)

    def __iter__(self):
        while True:
            self.init_epoch()
            for place, examples in enumerate(self.batches):
                if self._iterations_this_epoch > place:
                    continue
                self.iterations += 1
                self._iterations_this_epoch += 1
                if self.sort_within_batch:  # the longest first, as pack_padded_sequence needs them
                    if self.sort:
                        examples.reverse()
                    else:
                        examples.sort(key=self.sort_key, reverse=True)
                yield Batch(examples, self.dataset, self.device)
            if not self.repeat:
                return

    def state_dict(self):
        """Where the iterator is."""
        return {
            "iterations": self.iterations,
            "iterations_this_epoch": self._iterations_this_epoch,
            "random_state_this_epoch": self._random_state_this_epoch,
        }

    def load_state_dict(self, state_dict):
        """Go on where another iterator was."""
        self.iterations = state_dict["iterations"]
        self._iterations_this_epoch = state_dict["iterations_this_epoch"]
        self._random_state_this_epoch = state_dict["random_state_this_epoch"]
        self._restored_from_state = True


class BucketIterator(ExampleIterator):
    """torchtext.data.BucketIterator: batches of examples that are nearly as long."""

    def create_batches(self):
        """Set the lists of examples of an epoch."""
        if self.sort:
            super().create_batches()
            return
        self.batches = pooled_examples(
            self.data(),
            self.batch_size,
            self.sort_key,
            self.batch_size_fn,
            random_shuffler=self.random_shuffler,
            shuffle=self.shuffle,
            sort_within_batch=self.sort_within_batch,
        )


class BPTTIterator(ExampleIterator):
    """torchtext.data.BPTTIterator: one long text in columns, and for each part the same a step later."""

    def __init__(self, dataset, batch_size, bptt_len, **kwargs):
        self.bptt_len = bptt_len
        super().__init__(dataset, batch_size, **kwargs)

    def __len__(self):
        return math.ceil((len(self.dataset[0].text) / self.batch_size - 1) / self.bptt_len)

    def __iter__(self):
        text, field = self.dataset[0].text, self.dataset.fields["text"]
        field.eos_token = None
        rows = math.ceil(len(text) / self.batch_size)
        text = text + [field.pad_token] * int(rows * self.batch_size - len(text))
        numbers = field.numericalize([text], device=self.device).asnumpy().reshape(self.batch_size, -1).T
        dataset = ExampleDataset(self.dataset.examples, [("text", field), ("target", field)])
        while True:
            for start in range(0, len(self) * self.bptt_len, self.bptt_len):
                self.iterations += 1
                stop = start + min(self.bptt_len, len(numbers) - start - 1)
                parts = {"text": numbers[start:stop], "target": numbers[start + 1 : stop + 1]}
                made = {
                    name: mindspore.Tensor(np.ascontiguousarray(part.T if field.batch_first else part))
                    for name, part in parts.items()
                }
                yield Batch.fromvars(dataset, self.batch_size, **made)
            if not self.repeat:
                return


def lists_of_examples(data, batch_size, batch_size_fn=None):
    """torchtext.data.batch: lists of so many examples, or of so much as `batch_size_fn` counts of them."""
    if batch_size_fn is None:
        batch_size_fn = number_of_examples
    examples, size = [], 0
    for example in data:
        examples.append(example)
        size = batch_size_fn(example, len(examples), size)
        if size == batch_size:
            yield examples
            examples, size = [], 0
        elif size > batch_size:
            yield examples[:-1]
            examples, size = examples[-1:], batch_size_fn(example, 1, 0)
    if examples:
        yield examples


def number_of_examples(new, count, sofar):
    """How large a batch is where a program does not say it."""
    return count


def pooled_examples(
    data,
    batch_size,
    key,
    batch_size_fn=number_of_examples,
    random_shuffler=None,
    shuffle=False,
    sort_within_batch=False,
):
    """torchtext.data.pool: batches of the examples of a hundred batches, in the order of a key, shuffled."""
    for many in lists_of_examples(data, batch_size * 100, batch_size_fn):
        ordered = sorted(many, key=key) if sort_within_batch else many
        found = list(lists_of_examples(ordered, batch_size, batch_size_fn))
        yield from random_shuffler(found) if shuffle else found
