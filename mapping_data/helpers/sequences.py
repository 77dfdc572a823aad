"""Sequences of different lengths."""

from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops

PACKED_MEMBERS = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")


class PackedSequence(namedtuple("PackedSequence", PACKED_MEMBERS, defaults=(None, None))):
    """torch.nn.utils.rnn.PackedSequence."""

    __slots__ = ()

    def to(self, *args, **kwargs):
        return self._replace(data=on_device(self.data, *args, **kwargs))

    def cpu(self):
        return self

    def cuda(self, *args, **kwargs):
        return self


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """torch.nn.utils.rnn.pack_padded_sequence."""
    lengths = np.asarray(lengths.asnumpy() if isinstance(lengths, mindspore.Tensor) else lengths)
    input = input.swapaxes(0, 1) if batch_first else input
    order = np.argsort(-lengths, kind="stable")
    if enforce_sorted:
        if (np.diff(lengths) > 0).any():
            raise RuntimeError("lengths are not sorted; pass enforce_sorted=False")
        indices = (None, None)
    else:
        indices = tuple(mindspore.Tensor(index, mindspore.int64) for index in (order, np.argsort(order)))
        input = ops.gather(input, indices[0], 1)
    counts = (lengths[order][None, :] > np.arange(lengths.max())[:, None]).sum(1)
    data = ops.cat([input[step, : int(count)] for step, count in enumerate(counts)], 0)
    return PackedSequence(data, mindspore.Tensor(counts, mindspore.int64), *indices)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """torch.nn.utils.rnn.pad_packed_sequence."""
    counts = [int(count) for count in sequence.batch_sizes.asnumpy()]
    steps, start = [], 0
    for count in counts:
        rows = sequence.data[start : start + count]
        missing = ops.full((counts[0] - count, *rows.shape[1:]), padding_value, dtype=rows.dtype)
        steps.append(ops.cat([rows, missing], 0) if count < counts[0] else rows)
        start += count
    if total_length is not None:
        empty = ops.full(steps[0].shape, padding_value, dtype=steps[0].dtype)
        steps += [empty] * (total_length - len(steps))
    output = ops.stack(steps, 0)
    lengths = (np.array(counts)[:, None] > np.arange(counts[0])).sum(0)
    if sequence.unsorted_indices is not None:
        output = ops.gather(output, sequence.unsorted_indices, 1)
        lengths = lengths[sequence.unsorted_indices.asnumpy()]
    return output.swapaxes(0, 1) if batch_first else output, mindspore.Tensor(lengths, mindspore.int64)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """torch.nn.utils.rnn.pad_sequence."""
    longest = max(sequence.shape[0] for sequence in sequences)
    rows = []
    for sequence in sequences:
        missing = longest - sequence.shape[0]
        edges = (0, missing) if padding_side == "right" else (missing, 0)
        rows.append(pad(sequence, (0, 0) * (sequence.ndim - 1) + edges, value=padding_value))
    return ops.stack(rows, 0 if batch_first else 1)


def pack_sequence(sequences, enforce_sorted=True):
    """torch.nn.utils.rnn.pack_sequence."""
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)
