"""Views: Tensors that share the memory of another one."""

from functools import wraps

import mindspore


def views_write_through():
    """Let an assignment to a part of a view change the Tensor that it is a view of (`weight.data[0] = 0`,
    `x.view(-1)[:] = y`), also while gradients are recorded: MindSpore gives the view new memory then. A
    result that has a gradient itself is left to MindSpore."""
    assign = mindspore.Tensor.__setitem__

    @wraps(assign)
    def setitem(self, index, value):
        if self._requires_grad and not self._is_leaf:
            return assign(self, index, value)
        # `copy_` takes effect only where the axes are in the order of the memory, and on no part of it
        steps = self.stride()
        axes = tuple(sorted(range(self.ndim), key=lambda axis: -steps[axis]))
        memory = self.data.permute(*axes) if self.ndim else self.data
        pointer = self.data_ptr()
        assign(self, index, value)
        if self.data_ptr() != pointer:
            values = self.data.permute(*axes) if self.ndim else self.data
            if is_part(memory):
                with no_grad():
                    assign(memory, slice(None) if self.ndim else ..., values)
            else:
                memory.copy_(values)
        return None

    mindspore.Tensor.__setitem__ = setitem
    return True


# whether a part of a view can be set
VIEWS_WRITE_THROUGH = views_write_through()
