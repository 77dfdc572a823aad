"""Sparse Tensors, as dense ones that know which of their values are kept and in which layout: what is
computed of them is the same, what they take up is not."""

import mindspore
import numpy as np
from mindspore import ops

# torch.strided, and the layouts of sparse Tensors
STRIDED = "torch.strided"
SPARSE_COO = "torch.sparse_coo"
SPARSE_CSR = "torch.sparse_csr"
SPARSE_CSC = "torch.sparse_csc"


def layout_of(input):
    """torch.Tensor.layout: that of a sparse Tensor, which is a dense one that has the member."""
    return getattr(input, "sparse_layout", STRIDED)


def copied_as_sparse(kind):
    """Let `mindspore.Tensor.copy` give sparse Tensors with values of their own."""
    dense_copy = mindspore.Tensor.copy

    def copy(tensor):
        if not isinstance(tensor, kind):
            return dense_copy(tensor)
        values = None if tensor.stored is None else dense_copy(tensor.stored)
        dense = dense_copy(to_dense(tensor))
        return kept_sparse(dense, tensor.sparse_layout, tensor.places, values, tensor.coalesced)

    mindspore.Tensor.copy = copy
    return kind


@copied_as_sparse
class SparseTensor(mindspore.Tensor):
    """A dense Tensor with `sparse_layout`, the `places` whose values are kept (one row of indices for each
    sparse axis) and, unless they are read from it, these values. Whatever MindSpore computes of it is a dense
    Tensor."""

    def t(self):
        return transposed_sparse(self)

    T = property(t)

    def transpose(self, *axes):
        if sorted(axis % self.ndim for axis in shape_of(axes)) == [0, 1] and axes[0] != axes[1]:
            return transposed_sparse(self)
        return to_dense(self).transpose(*axes)

    swapaxes = transpose

    def astype(self, dtype, copy=True):
        values = None if stored_values(self) is None else self.stored.astype(dtype)
        return kept_sparse(
            to_dense(self).astype(dtype), self.sparse_layout, self.places, values, self.coalesced
        )

    def float(self):
        return self.astype(mindspore.float32)

    def double(self):
        return self.astype(mindspore.float64)

    def half(self):
        return self.astype(mindspore.float16)

    def long(self):
        return self.astype(mindspore.int64)

    def int(self):
        return self.astype(mindspore.int32)

    def __deepcopy__(self, memo):
        return self.copy()

    def clone(self, *, memory_format=None):
        return self.copy()

    def detach(self):
        return same_sparse(self)

    data = property(lambda self: self.detach(), lambda self, value: mindspore.Tensor.data.fset(self, value))

    def new(self, *given, device=None):
        if len(given) > 1 and isinstance(given[0], mindspore.Tensor):
            return sparse_coo_tensor(given[0], given[1].astype(self.dtype), *given[2:])
        shape = (0,) if not given else shape_of(given)
        return filled_sparse(
            np.zeros((len(shape), 0), np.int64), ops.zeros((0,), self.dtype), shape, SPARSE_COO, True
        )

    def __neg__(self):
        return same_places(self, -to_dense(self))

    def __mul__(self, other):
        found = same_places(self, to_dense(self) * to_dense(other))
        if isinstance(other, SparseTensor):
            found.places = common_places(self, other, np.intersect1d)
        return found

    __rmul__ = __mul__

    def __truediv__(self, other):
        return same_places(self, to_dense(self) / to_dense(other))

    def __add__(self, other):
        found = to_dense(self) + to_dense(other)
        if not isinstance(other, SparseTensor):
            return found
        return kept_sparse(found, self.sparse_layout, common_places(self, other, np.union1d))

    def __sub__(self, other):
        return self + -other

    def __matmul__(self, other):
        return sparse_mm(self, other)


def kept_sparse(dense, layout, places, values=None, coalesced=True):
    """A dense Tensor that nothing else holds, as a sparse one."""
    dense.__class__ = SparseTensor
    dense.sparse_layout, dense.places, dense.stored, dense.coalesced = layout, places, values, coalesced
    return dense


def same_sparse(input):
    """A sparse Tensor over the same memory, which is no result."""
    values = stored_values(input)
    values = None if values is None else ops.stop_gradient(values)
    coalesced = input.coalesced
    dense = ops.stop_gradient(input)
    return kept_sparse(dense, input.sparse_layout, input.places, values, coalesced)


def sparse_mask(input, mask):
    """torch.Tensor.sparse_mask: what stands at the places of a sparse Tensor."""
    values = values_at_places(to_dense(input), mask.places)
    coalesced = mask.coalesced
    once = values if coalesced else values_at_places(to_dense(input), each_place_once(mask))
    dense = filled(mask.places if coalesced else each_place_once(mask), once, input.shape)
    return kept_sparse(dense, layout_of(mask), mask.places, values, coalesced)


def same_places(input, dense):
    """Other values at the places of a sparse Tensor."""
    return kept_sparse(dense, input.sparse_layout, each_place_once(input))


def numbers_of_places(input, places):
    """Each place as one number, counted row by row."""
    return np.ravel_multi_index(tuple(places), input.shape[: len(places)])


def common_places(input, other, joined):
    """The places of two sparse Tensors, joined by a function of sets, in the order of the layout."""
    numbers = joined(numbers_of_places(input, input.places), numbers_of_places(other, other.places))
    places = np.stack(np.unravel_index(numbers, input.shape[: len(input.places)]))
    return places[:, order_of_layout(places, input.sparse_layout)]


def order_of_layout(places, layout):
    """The order of places by rows, or by columns."""
    return np.lexsort(places if layout == SPARSE_CSC else places[::-1])


def transposed_sparse(input):
    """A sparse matrix with rows and columns in each other's place: what was ordered by rows is by columns."""
    layout = {SPARSE_CSR: SPARSE_CSC, SPARSE_CSC: SPARSE_CSR}.get(input.sparse_layout, input.sparse_layout)
    stored = sparse_values(input)
    return kept_sparse(
        to_dense(input).swapaxes(0, 1), layout, input.places[::-1], stored, layout != SPARSE_COO
    )


def sparse_coo_tensor(
    indices, values, size=None, *, dtype=None, device=None, requires_grad=False, is_coalesced=None, **options
):
    """torch.sparse_coo_tensor, as a dense Tensor: values of the same place are added."""
    indices, values = as_tensor(indices).astype(mindspore.int64), as_tensor(values, dtype=dtype)
    return filled_sparse(indices.asnumpy(), values, size, SPARSE_COO, bool(is_coalesced), requires_grad)


def filled_sparse(places, values, size, layout, coalesced=True, requires_grad=False):
    """A sparse Tensor of a layout with these values at these places."""
    if size is None:
        size = [*(int(row.max()) + 1 if row.size else 0 for row in places), *values.shape[1:]]
    dense = filled(places, values, shape_of((size,)))
    dense = leaf(dense, requires_grad) if requires_grad else dense
    return kept_sparse(dense, layout, places, None if requires_grad else values, coalesced)


def filled(places, values, shape):
    """A dense Tensor of values at places, added where they are at the same; 0 elsewhere."""
    empty = ops.zeros(shape, values.dtype)
    rows = [mindspore.Tensor(row, mindspore.int64) for row in places]
    return index_put(empty, rows, values, accumulate=True) if places.size else without_slope(empty, values)


def sparse_tensor(*given, **options):
    """torch.sparse.FloatTensor and its like, as a dense Tensor: of places and values, or without any, of a
    size."""
    if given and isinstance(given[0], mindspore.Tensor):
        return sparse_coo_tensor(*given)
    shape = shape_of(given) if given else (0,)
    return filled_sparse(
        np.zeros((len(shape), 0), np.int64), ops.zeros((0,), mindspore.float32), shape, SPARSE_COO
    )


def to_sparse(input, *args, layout=None, **options):
    """torch.Tensor.to_sparse and to_sparse_coo."""
    return in_layout(input, SPARSE_COO if layout is None else layout)


def to_sparse_csr(input, dense_dim=None):
    """torch.Tensor.to_sparse_csr."""
    return in_layout(input, SPARSE_CSR)


def to_sparse_csc(input, dense_dim=None):
    """torch.Tensor.to_sparse_csc."""
    return in_layout(input, SPARSE_CSC)


def to_sparse_blocks(input, blocksize, dense_dim=None):
    """torch.Tensor.to_sparse_bsr and to_sparse_bsc: the dense Tensor itself."""
    return input


def in_layout(input, layout):
    """A Tensor as a sparse one of a layout: with the places that it keeps, else with all that are not
    zero."""
    if not isinstance(input, SparseTensor):
        places = np.stack(np.nonzero(input.asnumpy()))
        dense = input.view(input.shape)
        return kept_sparse(dense, layout, places[:, order_of_layout(places, layout)])
    if input.sparse_layout == layout:
        return input
    input = coalesce(input)
    order = order_of_layout(input.places, layout)
    stored = ops.gather(sparse_values(input), mindspore.Tensor(order, mindspore.int64), 0)
    return kept_sparse(to_dense(input), layout, input.places[:, order], stored)


def stored_values(input):
    """The values that a sparse Tensor was made of; None where it has a gradient of its own."""
    return None if input._requires_grad and input._is_leaf else input.stored


def places_of(input, layout=None):
    """The places whose values a Tensor keeps, in the order of a layout; of a dense one those that are not
    zero."""
    return (input if isinstance(input, SparseTensor) else in_layout(input, layout or SPARSE_COO)).places


def rows_of_places(bounds, count):
    """The row of each value, by where rows begin."""
    return np.repeat(np.arange(count), np.diff(as_tensor(bounds).asnumpy()))


def bounds_of_rows(rows, count):
    """Where the values of each of `count` rows begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])


def sparse_csr_tensor(
    crow_indices, col_indices, values, size=None, *, dtype=None, requires_grad=False, **options
):
    """torch.sparse_csr_tensor, as a dense Tensor."""
    columns, count = as_tensor(col_indices).asnumpy().astype(np.int64), len(crow_indices) - 1
    size = (count, int(columns.max()) + 1) if size is None else size
    places = np.stack([rows_of_places(crow_indices, count), columns])
    return filled_sparse(places, as_tensor(values, dtype=dtype), size, SPARSE_CSR, True, requires_grad)


def sparse_csc_tensor(
    ccol_indices, row_indices, values, size=None, *, dtype=None, requires_grad=False, **options
):
    """torch.sparse_csc_tensor, as a dense Tensor."""
    rows, count = as_tensor(row_indices).asnumpy().astype(np.int64), len(ccol_indices) - 1
    size = (int(rows.max()) + 1, count) if size is None else size
    places = np.stack([rows, rows_of_places(ccol_indices, count)])
    return filled_sparse(places, as_tensor(values, dtype=dtype), size, SPARSE_CSC, True, requires_grad)


def convert_indices_from_coo_to_csr(input, size, *, out_int32=False):
    """torch._convert_indices_from_coo_to_csr: where rows begin, of the sorted row of each value."""
    return mindspore.Tensor(
        bounds_of_rows(input.asnumpy(), size), mindspore.int32 if out_int32 else mindspore.int64
    )


def convert_indices_from_csr_to_coo(crow_indices, col_indices, *, out_int32=False, transpose=False):
    """torch._convert_indices_from_csr_to_coo: the row and the column of each value."""
    places = [rows_of_places(crow_indices, len(crow_indices) - 1), col_indices.asnumpy()]
    return mindspore.Tensor(
        np.stack(places[::-1] if transpose else places), mindspore.int32 if out_int32 else mindspore.int64
    )


def crow_indices(input):
    """torch.Tensor.crow_indices: where the values of each row begin."""
    return mindspore.Tensor(bounds_of_rows(places_of(input, SPARSE_CSR)[0], input.shape[0]), mindspore.int64)


def col_indices(input):
    """torch.Tensor.col_indices: the columns of the values, row by row."""
    return mindspore.Tensor(places_of(input, SPARSE_CSR)[1], mindspore.int64)


def ccol_indices(input):
    """torch.Tensor.ccol_indices: where the values of each column begin."""
    return mindspore.Tensor(bounds_of_rows(places_of(input, SPARSE_CSC)[1], input.shape[1]), mindspore.int64)


def row_indices(input):
    """torch.Tensor.row_indices: the rows of the values, column by column."""
    return mindspore.Tensor(places_of(input, SPARSE_CSC)[0], mindspore.int64)


def to_dense(input, dtype=None, **options):
    """torch.Tensor.to_dense: in a dtype."""
    if isinstance(input, SparseTensor):  # its values may have been changed since
        stored = stored_values(input)
        places = input.places if stored is not None else each_place_once(input)
        values = values_at_places(input, places) if stored is None else stored
        input = filled(places, values, input.shape)
    return input if dtype is None else input.astype(dtype)


def coalesce(input):
    """torch.Tensor.coalesce: each place once, in order."""
    if not isinstance(input, SparseTensor) or input.coalesced:
        return input
    return kept_sparse(to_dense(input), input.sparse_layout, each_place_once(input))


def each_place_once(input):
    """The places of a sparse Tensor, each once."""
    if input.coalesced:
        return input.places
    numbers = np.unique(numbers_of_places(input, input.places))
    return np.stack(np.unravel_index(numbers, input.shape[: len(input.places)]))


def is_coalesced(input):
    """torch.Tensor.is_coalesced."""
    return input.coalesced


def set_coalesced(input, coalesced):
    """torch.Tensor._coalesced_: say that each place is kept once."""
    input.coalesced = coalesced
    return input


def sparse_dim(input):
    """torch.Tensor.sparse_dim: how many axes have indices."""
    return len(input.places) if isinstance(input, SparseTensor) else 0


def dense_dim(input):
    """torch.Tensor.dense_dim: how many axes have none."""
    return input.ndim - sparse_dim(input)


def sparse_mm(input, mat2, reduce="sum", *, out=None):
    """torch.sparse.mm, torch.spmm: of what is dense; with another `reduce`, over the values that are kept."""
    if reduce == "sum":
        found = ops.matmul(to_dense(input), to_dense(mat2))
        return product_places(found, input, mat2) if isinstance(mat2, SparseTensor) else found
    rows, columns = (mindspore.Tensor(part, mindspore.int64) for part in places_of(input))
    parts = ops.gather(mat2, columns, 0) * sparse_values(input).reshape(-1, 1)
    rows = ops.broadcast_to(rows.reshape(-1, 1), parts.shape)
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    empty = ops.zeros((input.shape[0], mat2.shape[1]), parts.dtype)
    return scatter_reduce(empty, 0, rows, parts, reduce, include_self=False)


def product_places(found, input, mat2):
    """A product of two sparse matrices, with the places where something was added."""
    kept = [np.zeros(matrix.shape, bool) for matrix in (input, mat2)]
    for matrix, place in zip((input, mat2), kept):
        place[tuple(places_of(matrix))] = True
    layout = layout_of(input)
    places = np.stack(np.nonzero(kept[0] @ kept[1]))
    return kept_sparse(found, layout, places[:, order_of_layout(places, layout)])


def sparse_addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    """torch.sparse.addmm."""
    return beta * to_dense(mat) + alpha * sparse_mm(mat1, mat2)


def sparse_sum(input, dim=None, dtype=None):
    """torch.sparse.sum: sparse where axes with places remain."""
    dense = to_dense(input, dtype)
    if dim is None:
        return dense.sum()
    axes = {axis % input.ndim for axis in (dim if isinstance(dim, (list, tuple)) else [dim])}
    found = dense.sum(tuple(axes)) if axes else dense
    kept = [row for axis, row in enumerate(places_of(input)) if axis not in axes]
    return kept_sparse(found, SPARSE_COO, np.unique(np.stack(kept), axis=1)) if kept else found


def kept_powers(input, dim, dtype):
    """Of a sparse Tensor, along an axis: its values without their largest, where values are kept; the powers
    of these, and their sums."""
    dense = to_dense(input, dtype)
    is_kept = np.zeros(dense.shape, bool)
    is_kept[tuple(places_of(input))] = True
    values = np.where(is_kept, dense.asnumpy(), -np.inf).max(dim, keepdims=True)
    kept = mindspore.Tensor(is_kept).astype(dense.dtype)
    rest = (dense - mindspore.Tensor(np.where(np.isfinite(values), values, 0)).astype(dense.dtype)) * kept
    powers = ops.exp(rest) * kept
    sums = powers.sum(dim, keepdims=True)
    return rest, powers, sums + (sums == 0).astype(dense.dtype), kept


def sparse_softmax(input, dim, *, dtype=None):
    """torch.sparse.softmax: over the values that are kept."""
    _, powers, sums, _ = kept_powers(input, dim, dtype)
    return same_places(input, powers / sums)


def sparse_log_softmax(input, dim, *, dtype=None):
    """torch.sparse.log_softmax: over the values that are kept."""
    rest, _, sums, kept = kept_powers(input, dim, dtype)
    return same_places(input, (rest - ops.log(sums)) * kept)


def sparse_places(input):
    """torch.Tensor.indices of a sparse Tensor: the places of its values; where a dense one is not zero."""
    return mindspore.Tensor(places_of(input), mindspore.int64)


def sparse_values(input):
    """torch.Tensor.values of a sparse Tensor: those that are kept; of a dense one what is not zero, row by
    row; the values of a dict, too."""
    if not isinstance(input, mindspore.Tensor):
        return input.values()
    if not isinstance(input, SparseTensor):
        return ops.masked_select(input, input != 0)
    stored = stored_values(input)
    if stored is not None:
        return stored
    return values_at_places(input, input.places)


def values_at_places(input, places):
    """What stands at these places."""
    sizes = input.shape[: len(places)]
    numbers = mindspore.Tensor(numbers_of_places(input, places), mindspore.int64)
    return ops.gather(ops.reshape(input, (int(np.prod(sizes)), *input.shape[len(sizes) :])), numbers, 0)


def sparse_count(input):
    """torch.Tensor._nnz: how many values are kept."""
    return places_of(input).shape[1]


def layouts_are_members():
    """Let Tensors have `layout`, `is_sparse` and `is_sparse_csr`."""
    mindspore.Tensor.layout = property(layout_of)
    mindspore.Tensor.is_sparse = property(lambda tensor: layout_of(tensor) == SPARSE_COO)
    mindspore.Tensor.is_sparse_csr = property(lambda tensor: layout_of(tensor) == SPARSE_CSR)
    return True


# whether Tensors say how they are kept
LAYOUTS_ARE_MEMBERS = layouts_are_members()
