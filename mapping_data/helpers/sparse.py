"""Sparse Tensors, as dense ones: what is computed of them is the same, what they take up is not."""

import mindspore
import numpy as np
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


def rows_of_places(bounds, count):
    """The row of each value, by where rows begin."""
    bounds = as_tensor(bounds).asnumpy()
    return mindspore.Tensor(np.repeat(np.arange(count), np.diff(bounds)), mindspore.int64)


def sparse_csr_tensor(crow_indices, col_indices, values, size=None, **options):
    """torch.sparse_csr_tensor, as a dense Tensor."""
    col_indices, crow_indices = as_tensor(col_indices), as_tensor(crow_indices)
    rows = crow_indices.shape[0] - 1
    size = (rows, col_indices.max().item() + 1) if size is None else size
    places = ops.stack([rows_of_places(crow_indices, rows), col_indices.astype(mindspore.int64)])
    return sparse_coo_tensor(places, values, size, **options)


def sparse_csc_tensor(ccol_indices, row_indices, values, size=None, **options):
    """torch.sparse_csc_tensor, as a dense Tensor."""
    size = None if size is None else (size[1], size[0])
    return sparse_csr_tensor(ccol_indices, row_indices, values, size, **options).swapaxes(0, 1)


def crow_indices(input):
    """torch.Tensor.crow_indices: where the values of each row begin that are not zero."""
    counts = np.count_nonzero(input.asnumpy(), axis=-1)
    return mindspore.Tensor(np.concatenate([[0], np.cumsum(counts)]), mindspore.int64)


def col_indices(input):
    """torch.Tensor.col_indices: the columns of what is not zero, row by row."""
    return nonzero(input)[:, 1]


def ccol_indices(input):
    """torch.Tensor.ccol_indices: where the values of each column begin that are not zero."""
    return crow_indices(input.swapaxes(0, 1))


def row_indices(input):
    """torch.Tensor.row_indices: the rows of what is not zero, column by column."""
    return col_indices(input.swapaxes(0, 1))


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
    """torch.Tensor.values of a sparse Tensor: what is not zero, row by row; the values of a dict, too."""
    if not isinstance(input, mindspore.Tensor):
        return input.values()
    return ops.masked_select(input, input != 0)


def sparse_count(input):
    """torch.Tensor._nnz: how many values are not zero."""
    return nonzero(input).shape[0]
