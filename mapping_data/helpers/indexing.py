"""Indexing."""

import mindspore
import numpy as np
from mindspore import ops


def sliced(value, *index):
    """`value[index]` with steps. Where a gradient is recorded, MindSpore's own has none on CPU, unless the
    axis is the last one: what is no view then is kept with what it is a part of, for `assign_`."""
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    is_plain = all(each is None or each is Ellipsis or isinstance(each, (int, slice)) for each in index)
    is_recorded = isinstance(value, mindspore.Tensor) and value._requires_grad and is_grad_enabled()
    if not is_recorded or not is_plain or mindspore.get_context("device_target") != "CPU":
        return value[index if len(index) > 1 else index[0]]
    found = value[tuple(slice(each.start, each.stop) if isinstance(each, slice) else each for each in index)]
    axis, is_view = 0, True
    for each in index:
        if each is Ellipsis:
            axis += value.ndim - sum(other is not None and other is not Ellipsis for other in index)
        elif isinstance(each, slice):
            if each.step not in (None, 1) and axis == found.ndim - 1:
                found = found[..., :: each.step]
            elif each.step not in (None, 1):
                places = np.arange(0, found.shape[axis], int(each.step), dtype=np.int32)
                found, is_view = ops.gather(found, mindspore.Tensor(places), axis), False
            axis += 1
        elif each is None:
            axis += 1
    if not is_view:
        found.part_of = value, index
    return found
