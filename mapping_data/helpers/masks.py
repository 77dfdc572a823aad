"""Indices that MindSpore takes otherwise than PyTorch."""

import operator
from functools import wraps

import mindspore
import numpy as np
from mindspore import ops

MASKS = (mindspore.bool_, mindspore.uint8)


# what the bounds of a slice may be beside Python's numbers
BOUNDS = (np.integer, np.ndarray, mindspore.Tensor)


def number_of_bound(bound):
    """The bound of a slice, which may be a Tensor of one whole number, of any number of axes."""
    if not isinstance(bound, BOUNDS):
        return bound
    if bound.size != 1 or (isinstance(bound, mindspore.Tensor) and bound.is_floating_point()):
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return operator.index(bound.item())


def is_index_to_change(part):
    """Whether a part of an index is a mask, a number in a Tensor, a list that is empty, of truth values or of
    NumPy's numbers, or nothing of MindSpore's."""
    if isinstance(part, mindspore.Tensor):
        return part.dtype in MASKS or not part.ndim
    if isinstance(part, slice):
        return any(isinstance(bound, BOUNDS) for bound in (part.start, part.stop, part.step))
    if isinstance(part, list):
        return isinstance(part[0] if part else True, (bool, np.bool_, np.integer))
    return isinstance(part, (np.ndarray, np.integer, range))


def parts_of_index(part):
    """What a part of an index becomes: a mask the places where it is true, by axis."""
    if isinstance(part, np.integer):
        return (int(part),)
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        return (slice(*(number_of_bound(bound) for bound in bounds)),)
    if isinstance(part, range) or (isinstance(part, list) and is_index_to_change(part)):
        is_mask = isinstance(part, list) and part and isinstance(part[0], (bool, np.bool_))
        part = np.array(part, np.bool_ if is_mask else np.int64)
    if isinstance(part, mindspore.Tensor) and part.dtype in MASKS:
        part = part.asnumpy()
    if isinstance(part, mindspore.Tensor) and not part.ndim:
        return (int(part),)  # which PyTorch reads, too; MindSpore has no gradient of several
    if not isinstance(part, np.ndarray):
        return (part,)
    if part.dtype in (np.bool_, np.uint8):
        return tuple(mindspore.Tensor(places) for places in part.nonzero()) if part.ndim else (bool(part),)
    return (mindspore.Tensor(part.astype(np.int64)),)


def index_for_mindspore(index):
    """An index of PyTorch's as MindSpore takes it."""
    if type(index) is not tuple:
        is_tensor = isinstance(index, mindspore.Tensor)
        is_plain_mask = is_tensor and index.dtype == mindspore.bool_ and index.ndim
        is_places = is_tensor and index.dtype not in MASKS
        if is_plain_mask or is_places or not is_index_to_change(index):
            return with_its_gradient(index) if is_places else index
        index = (index,)
    elif not any(map(is_index_to_change, index)):
        return index
    changed = tuple(one for part in index for one in parts_of_index(part))
    if len(changed) > 1:
        return changed
    return with_its_gradient(changed[0]) if isinstance(changed[0], mindspore.Tensor) else changed[0]


def with_its_gradient(index):
    """A Tensor of places as an index. On CPU the gradient of MindSpore's is 0 at places that count from the
    end, unless the index is a tuple, which takes eight times as long."""
    if not index.ndim:
        return parts_of_index(index)[0]
    counts_from_end = mindspore.get_context("device_target") == "CPU" and (index.asnumpy() < 0).any()
    return (index,) if counts_from_end else index


def without_leading_ones(tensor, index, value):
    """A Tensor to be assigned without the axes of length 1 that it has before those of the place."""
    if not isinstance(value, mindspore.Tensor) or value.ndim < 1 or value.shape[0] != 1:
        return value
    more = value.ndim - tensor[index].ndim
    return value.reshape(value.shape[more:]) if more > 0 and set(value.shape[:more]) == {1} else value


def with_gradient_of_its_shape(value, index):
    """A Tensor to be assigned to what an index of several parts means: MindSpore's gradient of it may have an
    axis too many, which would make those before it wrong."""
    if type(index) is tuple and isinstance(value, mindspore.Tensor) and value._requires_grad and value.ndim:
        return value.reshape(value.shape)
    return value


def selects_nothing(index, shape):
    """Whether an index has an empty list of places, or slices that are empty in a Tensor of that shape, of
    which MindSpore raises an error."""
    parts = index if type(index) is tuple else (index,)
    if any(isinstance(part, slice) for part in parts) and all(map(is_plain_part, parts)):
        return not np.broadcast_to(False, tuple(shape))[index].size
    return any(isinstance(part, mindspore.Tensor) and 0 in part.shape for part in parts)


def is_plain_part(part):
    """Whether a part of an index is made of numbers of Python's."""
    if isinstance(part, slice):
        return all(type(bound) in (int, type(None)) for bound in (part.start, part.stop, part.step))
    return part is None or part is Ellipsis or type(part) is int


def kind_of_part(part):
    """What a part of an index is: places, a number, or what an axis is made of."""
    if isinstance(part, mindspore.Tensor):
        return "places" if part.ndim else "number"
    if isinstance(part, (list, tuple)):
        return "places"
    return "number" if isinstance(part, int) and not isinstance(part, bool) else "axis"


def order_of_axes(index, ndim):
    """The axes of what MindSpore gives for an index of a Tensor with `ndim` axes, in PyTorch's order; None
    where that is MindSpore's. PyTorch takes the numbers of an index first. MindSpore counts them with the
    places: where an axis is between the two, that of the places comes before all others."""
    if type(index) is not tuple:
        return None
    kinds = [kind_of_part(part) for part in index]
    if "number" not in kinds or "places" not in kinds:
        return None
    first = kinds.index("places")
    last = len(kinds) - 1 - kinds[::-1].index("places")
    chosen = [number for number, kind in enumerate(kinds) if kind != "axis"]
    if "axis" in kinds[first:last] or chosen[-1] - chosen[0] + 1 == len(chosen):
        return None
    many = ndim - sum(part is not None and part is not Ellipsis for part in index)
    lengths = [many if part is Ellipsis else int(kind == "axis") for part, kind in zip(index, kinds)]
    if Ellipsis not in [part for part, kind in zip(index, kinds) if kind == "axis"]:
        lengths.append(many)
    before, others = sum(lengths[:first]), sum(lengths)
    places = max(np.ndim(part) for part, kind in zip(index, kinds) if kind == "places")
    behind = [places + axis for axis in range(others)]
    return (*behind[:before], *range(places), *behind[before:]) if before else None


def in_order_of_mindspore(value, order):
    """A Tensor to be assigned, its axes as MindSpore has those of the place."""
    if order is None or not isinstance(value, mindspore.Tensor) or not value.ndim:
        return value
    value = value.reshape((1,) * (len(order) - value.ndim) + tuple(value.shape))
    return value.permute(*sorted(range(len(order)), key=order.__getitem__))


def part_of_nothing(input, index):
    """A part of a Tensor that has no values; None where a Tensor or a list says which. MindSpore 2.10 takes
    neither False nor slices from the end of an axis of the length 0."""
    if index is False:
        return ops.zeros((0, *input.shape), input.dtype)
    if not is_basic_index(index):
        return None
    shape = np.empty(input.shape, bool)[index].shape
    return None if not shape else ops.zeros(shape, input.dtype)


def tensors_indexed_as_in_pytorch():
    """Let MindSpore's Tensor be indexed as PyTorch's: by a mask of several axes beside slices, which is taken
    for one of a single axis otherwise, by NumPy's arrays and numbers, by places from the end, and by numbers
    apart from places."""
    get, assign = mindspore.Tensor.__getitem__, mindspore.Tensor.__setitem__

    @wraps(get)
    def getitem(self, index):
        index = index_for_mindspore(index)
        order = order_of_axes(index, self.ndim)
        found = part_of_nothing(self, index) if index is False or not self.size else None
        found = get(self, index) if found is None else found
        if not found.size:  # of nothing, MindSpore has no gradient or raises an error
            found = without_slope(ops.stop_gradient(found), self)
        return found if order is None else found.permute(*order)

    @wraps(assign)
    def setitem(self, index, value):
        index = index_for_mindspore(index)
        if index is False or not self.size or selects_nothing(index, self.shape):
            return None
        order = order_of_axes(index, self.ndim)
        value = in_order_of_mindspore(value, order)
        value = with_gradient_of_its_shape(without_leading_ones(self, index, value), index)
        if self._requires_grad or (isinstance(value, mindspore.Tensor) and value._requires_grad):
            return assign(self, index, value)
        with no_grad():  # else the Tensor would get memory of its own, and leave an array that it is in
            return assign(self, index, value)

    mindspore.Tensor.__getitem__, mindspore.Tensor.__setitem__ = getitem, setitem
    return True


# whether Tensors are indexed as PyTorch's
INDEXED_AS_IN_PYTORCH = tensors_indexed_as_in_pytorch()
