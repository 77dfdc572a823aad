"""How operators run on CPU."""

from functools import wraps

import mindspore
import numpy as np


def operators_run_at_once():
    """On CPU, let a call give back when its operators have run, as in PyTorch: an error comes from the call
    that it is of, and `try` catches it. Otherwise the threads of MindSpore wait for each other by looking
    again and again, which on two processors makes training four to twelve times slower."""
    if mindspore.get_context("device_target") == "CPU":
        mindspore.runtime.launch_blocking()
    return True


# whether operators have run when a call gives back
RUNS_AT_ONCE = operators_run_at_once()


# the kinds of numbers that NumPy has, too
KINDS = {
    getattr(mindspore, name): np.dtype(name.rstrip("_"))
    for name in (
        *("bool_", "uint8", "int8", "int16", "int32", "int64"),
        *("float16", "float32", "float64"),
    )
}


def casts_are_quick():
    """On CPU, let NumPy make the casts that have no gradient: one of MindSpore's takes 0.4 ms, however small
    the Tensor."""
    native = mindspore.Tensor.to

    @wraps(native)
    def to(self, *args, **kwargs):
        dtype = args[0] if len(args) == 1 and not kwargs else None
        if not isinstance(dtype, mindspore.dtype.Type) or dtype == self.dtype:
            return native(self, *args, **kwargs)
        before, after = KINDS.get(self.dtype), KINDS.get(dtype)
        if before is None or after is None or (self._requires_grad and before.kind == after.kind == "f"):
            return native(self, *args, **kwargs)
        with np.errstate(all="ignore"):
            return mindspore.Tensor(self.asnumpy().astype(after))

    if mindspore.get_context("device_target") == "CPU":
        mindspore.Tensor.to = to
    return True


# whether casts that have no gradient are NumPy's
CASTS_ARE_QUICK = casts_are_quick()
