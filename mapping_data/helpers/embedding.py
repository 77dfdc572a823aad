"""Embeddings."""

import mindspore
import numpy as np
from mindspore import ops


def one_hot(tensor, num_classes=-1):
    """torch.nn.functional.one_hot."""
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    classes = mindspore.Tensor(np.arange(num_classes), tensor.dtype)
    return (tensor.expand_dims(-1) == classes).astype(mindspore.int64)


def limit_rows_(weight, input, max_norm, norm_type):
    """Scale the rows that `input` names, in place, so that no norm is above `max_norm`."""
    rows = np.unique(input.asnumpy())
    values = weight.asnumpy().copy()
    norms = (np.abs(values[rows]) ** norm_type).sum(-1) ** (1.0 / norm_type)
    scale = np.where(norms > max_norm, max_norm / (norms + 1e-7), 1.0)
    values[rows] *= scale[:, None].astype(values.dtype)
    write_(weight, values)


def by_frequency(rows, indices):
    """The rows, each with a gradient that is divided by how often its index is there."""
    _, places, counts = np.unique(indices.asnumpy(), return_inverse=True, return_counts=True)
    share = mindspore.Tensor(1.0 / counts[places.reshape(indices.shape)], rows.dtype).expand_dims(-1)
    return rows * share + ops.stop_gradient(rows - rows * share)


class SparseLookups:
    """How rows are looked up whose gradient is to be sparse: in programs that ask whether one is."""

    noted = None


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    """torch.nn.functional.embedding: the row `padding_idx` gets no gradient."""
    if max_norm is not None:
        limit_rows_(weight, input, max_norm, norm_type)
    if sparse and SparseLookups.noted is not None:
        padding_idx = None if padding_idx is None else padding_idx % weight.shape[0]
        return SparseLookups.noted(weight, input, padding_idx)
    output = ops.gather(weight, input, 0)
    if scale_grad_by_freq:
        output = by_frequency(output, input)
    if padding_idx is not None:
        padding_idx %= weight.shape[0]
        output = ops.where((input == padding_idx).expand_dims(-1), ops.stop_gradient(output), output)
    return output


class Embedding(Module):
    """torch.nn.Embedding."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        self.weight = empty_parameter((num_embeddings, embedding_dim), dtype)
        if _weight is None:
            self.reset_parameters()
        else:
            write_(self.weight, _weight)
        self.weight.requires_grad = not _freeze

    def reset_parameters(self):
        normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            self.weight[self.padding_idx] = 0.0

    @classmethod
    def from_pretrained(
        cls,
        embeddings,
        freeze=True,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
    ):
        rows, columns = embeddings.shape
        options = (padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        return cls(rows, columns, *options, _weight=embeddings, _freeze=freeze)

    def construct(self, input):
        options = (self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse)
        return embedding(input, self.weight, *options)

    def extra_repr(self):
        usual = {"padding_idx": None, "max_norm": None, "norm_type": 2, "scale_grad_by_freq": False}
        parts = [f"{name}={getattr(self, name)}" for name in usual if getattr(self, name) != usual[name]]
        return ", ".join([str(self.num_embeddings), str(self.embedding_dim), *parts])


def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """torch.nn.functional.embedding_bag."""
    if scale_grad_by_freq:
        raise NotImplementedError("gradients of bags of embeddings by how often an index is there")
    if input.dtype in FLOATING:  # in the order of old
        input, weight = weight, input
    if input.ndim == 2:
        bags = [row for row in range(input.shape[0]) for _ in range(input.shape[1])]
        count = input.shape[0]
    else:
        starts = [int(start) for start in offsets.asnumpy()]
        starts = starts[:-1] if include_last_offset else starts
        count = len(starts)
        bags = list(np.searchsorted(starts, np.arange(input.shape[0]), side="right") - 1)
    indices = input.reshape(-1)
    if sparse and mode == "max":
        raise ValueError("max mode does not support sparse weights")
    rows = embedding(indices, weight, padding_idx, max_norm, norm_type, sparse=sparse)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape((-1, 1))
    member = np.arange(count)[:, None] == np.array(bags, dtype=np.int64)[None, :]
    if padding_idx is not None:
        member = member & (indices.asnumpy() != padding_idx % weight.shape[0])
    if mode == "max":
        chosen = mindspore.Tensor(member).expand_dims(-1)
        largest = ops.amax(ops.where(chosen, rows, mindspore.Tensor(-np.inf, rows.dtype)), 1)
        return ops.where(mindspore.Tensor(member.any(1, keepdims=True)), largest, ops.zeros_like(largest))
    share = member / np.maximum(member.sum(1, keepdims=True), 1) if mode == "mean" else member
    return ops.matmul(mindspore.Tensor(share, rows.dtype), rows)


class EmbeddingBag(Module):
    """torch.nn.EmbeddingBag."""

    _shown = ("num_embeddings", "embedding_dim", "mode=")

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        mode="mean",
        sparse=False,
        _weight=None,
        include_last_offset=False,
        padding_idx=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = empty_parameter((num_embeddings, embedding_dim), dtype)
        if _weight is None:
            self.reset_parameters()
        else:
            write_(self.weight, _weight)

    def reset_parameters(self):
        normal_(self.weight)
        if self.padding_idx is not None:
            self.weight[self.padding_idx] = 0.0

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, *given, **options):
        rows, columns = embeddings.shape
        made = cls(rows, columns, max_norm, norm_type, *given, _weight=embeddings, **options)
        made.weight.requires_grad = not freeze
        return made

    def construct(self, input, offsets=None, per_sample_weights=None):
        return embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            mode=self.mode,
            sparse=self.sparse,
            per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset,
            padding_idx=self.padding_idx,
        )
