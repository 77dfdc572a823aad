"""Views: Tensors that share the memory of another one."""

import weakref
from functools import wraps

import mindspore
import numpy as np
from mindspore import mint, ops

GIVING_VIEWS = (
    "broadcast_to",
    "chunk",
    "diagonal",
    "dsplit",
    "expand",
    "expand_as",
    "expand_dims",
    "flatten",
    "hsplit",
    "moveaxis",
    "movedim",
    "narrow",
    "permute",
    "ravel",
    "reshape",
    "reshape_as",
    "select",
    "split",
    "squeeze",
    "stop_gradient",
    "swapaxes",
    "swapdims",
    "t",
    "tensor_split",
    "transpose",
    "unbind",
    "unflatten",
    "unsqueeze",
    "view",
    "view_as",
    "vsplit",
)
SHARING_ONLY_VALUES = ("data", "detach", "stop_gradient")
COPYING_IF_NEEDED = ("flatten", "ravel", "reshape", "reshape_as")
HELPERS_GIVING_VIEWS = ("as_strided", "diagonal", "select", "sliced", "tensor_unfold")


class ViewsAreKept:
    """Whether what gives a view keeps where it comes from: not while views are set."""

    now = True


class Origin:
    """Where a view comes from: the Tensor that `base()` is, of which `function` gives it. `undo` makes the
    values of the base of those of the view, if that takes more than setting some of them. What is done to the
    view has gradients, unless it shares only values with the base: then it does not keep the base, nor how
    that came about."""

    def __init__(self, base, function, undo, has_gradient):
        self.base = (lambda: base) if has_gradient else weakref.ref(base)
        self.function = function
        self.undo = undo
        self.has_gradient = has_gradient


def keep_origin(view, origin):
    """Let a view and its base know of each other."""
    base = origin.base()
    if view is base or hasattr(view, "origin") or (view.dtype != base.dtype and origin.undo is None):
        return
    view.origin, view.set_shared, view.reshape_shared = origin, set_shared, reshape_shared
    views = getattr(base, "views", [])
    if len(views) & (len(views) - 1) == 0:  # at powers of 2, so that many views do not take ever longer
        views = [each for each in views if each() is not None]
    views.append(weakref.ref(view))
    base.views = views
    base.set_shared, base.reshape_shared = set_shared, reshape_shared


def set_shared(tensor, values):
    """Set the values of a Tensor that is a view or has views, of its base and of all views of that."""
    ViewsAreKept.now, before = False, ViewsAreKept.now
    try:
        if not isinstance(values, mindspore.Tensor):
            values = mindspore.Tensor(values, tensor.dtype)
        if values.shape != tensor.shape:
            values = ops.broadcast_to(values, tensor.shape)
        set_with_base(tensor, values.astype(tensor.dtype), is_grad_enabled())
    finally:
        ViewsAreKept.now = before
    return tensor


def reshape_shared(tensor, function, reshaped):
    """Let a Tensor that may be a view have the shape that `function` gives it, which `reshaped` does."""
    if any(each() is not None for each in getattr(tensor, "views", ())):
        raise NotImplementedError("a Tensor of which there are views gets another shape in place")
    origin = getattr(tensor, "origin", None)
    ViewsAreKept.now, before = False, ViewsAreKept.now
    try:
        del tensor.set_shared
        reshaped(tensor, function)
    finally:
        ViewsAreKept.now = before
        tensor.set_shared = set_shared
    if origin is not None:
        first = origin.function
        origin.function = lambda base: function(first(base))
    return tensor


def set_with_base(tensor, values, has_gradient):
    """Set the values of a Tensor by setting those of its base."""
    origin = getattr(tensor, "origin", None)
    base = origin.base() if origin is not None else None
    if base is None:
        set_base(tensor, values, has_gradient)
        update_views(tensor)
        return
    is_detached = has_gradient and not origin.has_gradient
    has_gradient = has_gradient and origin.has_gradient
    with GradientMode(has_gradient):
        of_base = origin.undo(values) if origin.undo else with_part(base, origin.function, values)
    set_with_base(base, of_base, has_gradient)
    if is_detached and values._requires_grad:  # the base has the values alone
        replace_by(tensor, mindspore.Tensor.copy(values))
        update_views(tensor)


def set_base(tensor, values, has_gradient):
    """Set a Tensor that is no view: with a gradient it is another result from now on."""
    has_history = tensor._requires_grad and not tensor._is_leaf
    if has_gradient and isinstance(tensor, mindspore.Parameter):
        assign_alone(tensor, values)
    elif has_gradient and (has_history or values._requires_grad):
        replace_by(tensor, mindspore.Tensor.copy(values))
    else:
        with no_grad():
            assign_alone(ops.stop_gradient(tensor), mindspore.Tensor.copy(values))


def update_views(tensor):
    """Let the views of a Tensor have its values, and their gradients."""
    for each in tuple(getattr(tensor, "views", ())):
        view = each()
        if view is not None:
            with GradientMode(view.origin.has_gradient):
                replace_by(view, view.origin.function(tensor))
            update_views(view)


def with_part(base, function, values):
    """The Tensor `base` with other values where `function` gives a view of it."""
    numbers = np.arange(base.size).reshape(base.shape)
    places = function(mindspore.Tensor(numbers)).asnumpy().reshape(-1)
    order, positions = np.full(base.size, -1), np.arange(places.size)
    order[places] = positions
    flat = values.reshape(-1)
    if (order >= 0).sum() < places.size:  # several values have one place: what was changed is kept
        is_changed = (flat != function(base).reshape(-1)).asnumpy()
        order[places[is_changed]] = positions[is_changed]
    if not np.array_equal(order, np.arange(flat.size)):
        flat = ops.gather(flat, mindspore.Tensor(np.maximum(order, 0), mindspore.int32), 0)
    if (order < 0).any():
        flat = ops.where(mindspore.Tensor(order >= 0), flat, base.reshape(-1))
    return flat.reshape(base.shape)


def shares_memory(base, shape):
    """Whether a Tensor of another shape can be a view of one, as its axes are in memory."""
    if base.is_contiguous() or base.size == 0:
        return True
    wanted = [size for size in shape if size != 1]
    for count in runs_in_memory(base.shape, base.stride()):
        while count > 1:
            size = wanted.pop()
            if count % size:
                return False
            count //= size
    return True


def runs_in_memory(shape, steps):
    """How many values each run of axes has that lie side by side in memory, the last run first."""
    runs, following = [], None
    for size, step in zip(reversed(shape), reversed(steps)):
        if size == 1:
            continue
        if step == following:
            runs[-1] *= size
        else:
            runs.append(size)
        following = size * step
    return runs


def is_basic_index(index):
    """Whether an index means a view: numbers, slices, None and Ellipsis."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(part is None or part is Ellipsis or is_number_or_slice(part) for part in parts)


def is_number_or_slice(part):
    """Whether a part of an index is a number, also one in a Tensor, or a slice."""
    if isinstance(part, mindspore.Tensor):
        return part.ndim == 0 and part.dtype != mindspore.bool_
    return isinstance(part, (int, slice, np.integer)) and not isinstance(part, bool)


def item_of(function, number):
    """A function as one that gives only one of its results."""
    return lambda base: function(base)[number]


def keeping_views(function, name, undo=None):
    """A function that gives views of its first argument as one that keeps where they come from."""

    @wraps(function)
    def called(base, *args, **kwargs):
        if not ViewsAreKept.now or not isinstance(base, mindspore.Tensor):
            return function(base, *args, **kwargs)
        ViewsAreKept.now = False
        try:
            result = function(base, *args, **kwargs)
        finally:
            ViewsAreKept.now = True
        if name in ("__getitem__", "sliced") and not is_basic_index(args[0] if len(args) == 1 else args):
            return result

        def again(other):
            return function(other, *args, **kwargs)

        has_gradient = is_grad_enabled() and name not in SHARING_ONLY_VALUES
        if isinstance(result, mindspore.Tensor):
            if name not in COPYING_IF_NEEDED or shares_memory(base, result.shape):
                keep_origin(result, Origin(base, again, undo, has_gradient))
        elif isinstance(result, (tuple, list)):
            for number, view in enumerate(result):
                keep_origin(view, Origin(base, item_of(again, number), undo, has_gradient))
        return result

    return called


# what Tensors that share memory have beside their own
OF_VIEWS = ("origin", "set_shared", "reshape_shared", "views")


def without_origin(get_state):
    """What is pickled of a Tensor, without what it knows of its views and of what it is one of."""

    @wraps(get_state)
    def getstate(self):
        return {name: value for name, value in get_state(self).items() if name not in OF_VIEWS}

    return getstate


def base_of_all(tensor):
    """The Tensor that one is a view of, at last: itself if it is no view."""
    origin = getattr(tensor, "origin", None)
    base = origin.base() if origin is not None else None
    return tensor if base is None else base_of_all(base)


def shares_plain_memory(tensor, base, values):
    """Whether a Tensor is in the memory of its base, and no gradient is to be known of what is written."""
    if any(isinstance(each, mindspore.Tensor) and each._requires_grad for each in (tensor, base, *values)):
        return False
    return tensor.untyped_storage().data_ptr() == base.untyped_storage().data_ptr()


def without_parent(get):
    """A function that gives parts as one whose parts do not set what they are parts of: MindSpore's do, also
    those that are copies (`x[[0, 2]]`)."""

    @wraps(get)
    def getitem(self, index):
        found = get(self, index)
        if found is not self and getattr(found, "parent_tensor_", None) is not None:
            found.parent_tensor_ = None
        return found

    return getitem


def setting_shared(function):
    """A method that changes a Tensor in place as one that changes its views and what it is a view of."""

    @wraps(function)
    def called(tensor, *args, **kwargs):
        if not ViewsAreKept.now:
            return function(tensor, *args, **kwargs)
        is_shared = hasattr(tensor, "set_shared")
        base = base_of_all(tensor)
        is_set_alone = not is_shared or (
            function.__name__ == "__setitem__" and shares_plain_memory(tensor, base, args)
        )
        changed = tensor if is_set_alone else mindspore.Tensor.copy(tensor)
        ViewsAreKept.now = False
        try:
            result = function(changed, *args, **kwargs)
        finally:
            ViewsAreKept.now = True
        if is_set_alone:
            if is_shared:
                update_views(base)
            return result
        set_shared(tensor, changed if result is None else result)
        return None if result is None else tensor

    return called


def writing_through(assign):
    """An assignment to a part of a Tensor as one that changes what the Tensor is a view of (`weight.data[0] =
    0`), also while gradients are recorded: MindSpore gives the view new memory then."""

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

    return setitem


SETTING_NO_VALUES = ("is_", "requires_grad_", "resize_", "retain_grad_", "set_")
IN_PLACE_METHODS = tuple(
    name
    for name in dir(mindspore.Tensor)
    if name.endswith("_") and not name.startswith("_") and name not in SETTING_NO_VALUES
    if callable(getattr(mindspore.Tensor, name))
)


def views_write_through():
    """Let what changes a view in place change the Tensor that it is a view of, and all other views of that,
    with their gradients."""
    tensor = mindspore.Tensor
    for owner in (tensor, mint, ops):
        for name in (*GIVING_VIEWS, "detach"):
            if hasattr(owner, name):
                setattr(owner, name, keeping_views(getattr(owner, name), name))
    for name in HELPERS_GIVING_VIEWS:
        if name in globals():
            globals()[name] = keeping_views(globals()[name], name)
    for name, undo in (("view_as_complex", "view_as_real"), ("view_as_real", "view_as_complex")):
        if name in globals():
            globals()[name] = keeping_views(globals()[name], name, globals().get(undo))
    for name in ("T", "mT", "H", "mH", "data"):
        member = getattr(tensor, name, None)
        if isinstance(member, property):
            setattr(tensor, name, property(keeping_views(member.fget, name), member.fset))
    tensor.__getstate__ = without_origin(tensor.__getstate__)
    tensor.__getitem__ = keeping_views(without_parent(tensor.__getitem__), "__getitem__")
    for name in IN_PLACE_METHODS:
        setattr(tensor, name, setting_shared(getattr(tensor, name)))
    tensor.__setitem__ = setting_shared(writing_through(tensor.__setitem__))
    return True


# whether a part of a view can be set
VIEWS_WRITE_THROUGH = views_write_through()
