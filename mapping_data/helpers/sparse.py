"""Sparse Tensors, as dense ones: what is computed of them is the same, what they take up is not."""

import mindspore
from mindspore import ops


def sparse_coo_tensor(
    indices, values, size=None, *, dtype=None, device=None, requires_grad=False, is_coalesced=None, **options
):
    """torch.sparse_coo_tensor, as a dense Tensor: values of the same place are added."""
    indices, values = as_tensor(indices).astype(mindspore.int64), as_tensor(values, dtype=dtype)
    if size is None:
        size = [*(ops.reduce_max(row).item() + 1 for row in indices), *values.shape[1:]]
    filled = index_put(ops.zeros(shape_of((size,)), values.dtype), list(indices), values, accumulate=True)
    return leaf(filled, requires_grad) if requires_grad else filled


def sparse_tensor(indices, values, size=None, **options):
    """torch.sparse.FloatTensor and its like, as a dense Tensor."""
    return sparse_coo_tensor(indices, values, size)


def to_sparse(input, *args, **options):
    """torch.Tensor.to_sparse: the dense Tensor itself."""
    return input


def to_dense(input, dtype=None, **options):
    """torch.Tensor.to_dense and torch.Tensor.coalesce: the Tensor itself, which is dense, in a dtype."""
    return input if dtype is None else input.astype(dtype)


def sparse_mm(input, mat2, *, out=None):
    """torch.sparse.mm, torch.spmm, torch.mm: of dense Tensors."""
    return ops.matmul(input, mat2)


def sparse_places(input):
    """torch.Tensor.indices of a sparse Tensor: where the dense one is not zero."""
    return nonzero(input).T


def sparse_values(input):
    """torch.Tensor.values of a sparse Tensor: what is not zero, row by row."""
    return ops.masked_select(input, input != 0)


def sparse_count(input):
    """torch.Tensor._nnz: how many values are not zero."""
    return nonzero(input).shape[0]
