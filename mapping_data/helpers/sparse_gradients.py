"""Gradients of embeddings with `sparse=True`: dense Tensors that know which rows were looked up."""

import mindspore
import numpy as np
from mindspore import ops


class SparseGradient(SparseTensor):
    """A gradient with the rows that were looked up, each as often as it was, and what each has to do with it.
    Once it was changed in place, its values are those that it has now."""

    def as_is(self):
        """The places and their values, and whether each place is there once."""
        places, values, _, first = self.rows
        if values is not None and not np.array_equal(self.asnumpy(), first, equal_nan=True):
            places = np.unique(places, axis=1) if self.asnumpy().any() else places[:, :0]
            self.rows = places, None, True, None
        return self.rows

    places = property(lambda self: self.as_is()[0])
    stored = property(lambda self: self.as_is()[1])
    coalesced = property(
        lambda self: self.as_is()[2],
        lambda self, coalesced: setattr(self, "rows", (*self.as_is()[:2], coalesced, self.rows[3])),
    )
    sparse_layout = SPARSE_COO

    def detach(self):
        return as_sparse_gradient(ops.stop_gradient(self), self.as_is())


class RowsLookedUp(Function):
    """The rows of a weight, which notes when their gradient is computed."""

    @staticmethod
    def forward(ctx, weight, indices, padding_idx, owner):
        ctx.looked_up = indices.asnumpy().reshape(1, -1).astype(np.int64), padding_idx, owner[0]
        ctx.shape = weight.shape
        return ops.gather(weight, indices, 0)

    @staticmethod
    def backward(ctx, gradient):
        places, padding_idx, weight = ctx.looked_up
        values = ops.reshape(gradient, (places.shape[1], *ctx.shape[1:]))
        if padding_idx is not None:
            kept = np.flatnonzero(places[0] != padding_idx)
            places = places[:, kept]
            values = ops.gather(values, mindspore.Tensor(kept, mindspore.int64), 0)
        SparseGradients.noted += ((weight, weight._grad, places, ops.stop_gradient(values)),)
        return filled(places, values, ctx.shape), None, None, None


class SparseGradients:
    """What was noted while gradients were computed: weights, the gradient that they had before, places and
    values."""

    noted = ()


def rows_with_places(weight, input, padding_idx):
    """The rows of a weight that are looked up; its gradient will be sparse."""
    if not weight._is_leaf:
        return ops.gather(weight, input, 0)
    return RowsLookedUp.apply(weight, input, padding_idx, [weight])


def joined_rows(dense, parts):
    """Places and values, one after the other, with what they add up to; None where that is not this gradient,
    which comes from elsewhere, too."""
    places = np.concatenate([part[0] for part in parts], 1)
    values = ops.concat([part[1] for part in parts], 0) if len(parts) > 1 else parts[0][1]
    total, found = filled(places, values, dense.shape).asnumpy(), dense.asnumpy()
    scale = 1e-5 * float(np.abs(found).max(initial=0.0))
    if not np.allclose(found, total, rtol=1e-4, atol=scale, equal_nan=True):
        return None
    return places, values, False, found.copy()


def as_sparse_gradient(dense, rows):
    """A gradient that nothing else holds, as a sparse one."""
    dense.__class__, dense.rows = SparseGradient, rows
    return dense


def sparse_when_noted(inputs, found):
    """Behind a walk back: the gradients of weights, or those that were asked for, are sparse where all that
    they come from is."""
    noted, SparseGradients.noted = SparseGradients.noted, ()
    for weight in {id(each[0]): each[0] for each in noted}.values():
        parts = [each[2:] for each in noted if each[0] is weight]
        if found is not None:
            for place, each in enumerate(inputs):
                rows = joined_rows(found[place], parts) if each is weight else None
                if rows is not None:
                    as_sparse_gradient(found[place], rows)
            continue
        if weight._grad is None:
            continue
        before = next(each[1] for each in noted if each[0] is weight)
        earlier = None if before is None else weight.__dict__.get("sparse_rows")
        if earlier is not None:
            gradient = as_sparse_gradient(before, earlier)
            parts = [(gradient.places, sparse_values(gradient)), *parts]
        is_sum = before is None or earlier is not None
        weight.sparse_rows = joined_rows(weight._grad, parts) if is_sum else None


def gradient_as_sparse(tensor):
    """torch.Tensor.grad: sparse, where it comes from embeddings that say so."""
    found, rows = gradient(tensor), tensor.__dict__.get("sparse_rows")
    if found is None or rows is None:
        return found
    others = np.delete(found.asnumpy(), rows[0][0], axis=0)
    if others.any():  # another gradient was added
        del tensor.sparse_rows
        return found
    return as_sparse_gradient(found, rows)


def set_gradient_as_sparse(tensor, given):
    """Give a Tensor a gradient, which may be sparse; None takes it away."""
    tensor.__dict__.pop("sparse_rows", None)
    if isinstance(given, SparseTensor):
        dense = to_dense(given)
        tensor.sparse_rows = given.places, sparse_values(given), given.coalesced, dense.asnumpy().copy()
        given = dense
    set_gradient(tensor, given)


def gradients_are_sparse():
    """Let gradients of embeddings with `sparse=True` be sparse, as in PyTorch."""
    SparseLookups.noted = rows_with_places
    AfterBackward.tasks += (sparse_when_noted,)
    mindspore.Tensor.grad = property(
        gradient_as_sparse, set_gradient_as_sparse, lambda tensor: set_gradient_as_sparse(tensor, None)
    )
    return RECORDS_GRADIENTS and LAYOUTS_ARE_MEMBERS


# whether gradients of embeddings say which rows were looked up
GRADIENTS_ARE_SPARSE = gradients_are_sparse()
