"""What programs set and ask of PyTorch itself: how it prints, which results it repeats, what it looks for."""

from contextlib import ContextDecorator
from enum import IntEnum
from functools import wraps

import mindspore
import numpy as np

SETTINGS = {"matmul precision": "highest", "deterministic": False, "warns": False, "device": "cpu"}


class settled(ContextDecorator):
    """What only PyTorch looks at, as a call or as a context: it changes nothing."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return False


class SDPBackend(IntEnum):
    """torch.nn.attention.SDPBackend."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __str__(self):
        return f"SDPBackend.{self.name}"


class sdpa_kernel(settled):
    """torch.nn.attention.sdpa_kernel: MindSpore does not let programs choose how attention is computed."""

    def __init__(self, backends, set_priority=False):
        if not isinstance(backends, (list, SDPBackend)):
            raise AssertionError(
                "Backend must be an instance of SDPBackend or a list of SDPBackend instances"
            )


# how NumPy prints what is in Tensors
PRINTING = {}


def printed_by_settings(method):
    """A method that gives a text of a Tensor as one that follows `set_printoptions`."""

    @wraps(method)
    def printed(tensor):
        with np.printoptions(**PRINTING):
            return method(tensor)

    return printed


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """torch.set_printoptions, for Tensors alone: NumPy, which prints them, prints arrays as before."""
    if not PRINTING:
        mindspore.Tensor.__str__ = printed_by_settings(mindspore.Tensor.__str__)
        mindspore.Tensor.__repr__ = printed_by_settings(mindspore.Tensor.__repr__)
    options = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, 10**9, 3, 80)}.get(profile)
    given = (precision, threshold, edgeitems, linewidth)
    if options is not None:
        given = [ours if own is None else own for own, ours in zip(given, options)]
    names = ("precision", "threshold", "edgeitems", "linewidth", "suppress")
    options = zip(names, (*given, None if sci_mode is None else not sci_mode))
    PRINTING.update({name: option for name, option in options if option is not None})


def set_default_device(device=None, /):
    """torch.set_default_device: all Tensors are on MindSpore's device."""
    SETTINGS["device"] = device or "cpu"


def get_default_device():
    """torch.get_default_device."""
    return ON_META[-1] if ON_META else device(SETTINGS["device"])


def use_deterministic_algorithms(mode, *, warn_only=False):
    """torch.use_deterministic_algorithms: on CPU, MindSpore repeats its results."""
    SETTINGS["deterministic"] = bool(mode)


def are_deterministic_algorithms_enabled():
    """torch.are_deterministic_algorithms_enabled."""
    return SETTINGS["deterministic"]


def set_deterministic_debug_mode(debug_mode):
    """torch.set_deterministic_debug_mode."""
    SETTINGS["deterministic"] = debug_mode not in (0, "default")


def set_float32_matmul_precision(precision):
    """torch.set_float32_matmul_precision: MindSpore computes in float32."""
    SETTINGS["matmul precision"] = precision


def get_float32_matmul_precision():
    """torch.get_float32_matmul_precision."""
    return SETTINGS["matmul precision"]


def set_warn_always(b, /):
    """torch.set_warn_always."""
    SETTINGS["warns"] = bool(b)


def is_warn_always_enabled():
    """torch.is_warn_always_enabled."""
    return SETTINGS["warns"]


def set_default_tensor_type(t, /):
    """torch.set_default_tensor_type: by a class of Tensors of one dtype, or its name."""
    set_default_dtype(dtype_called(t))
