"""Devices."""

import mindspore

# what Tensors and parameters are made of, whose members stay MindSpore's
OwnTensor = mindspore.Tensor.__mro__[1]


def where_it_is(tensor, *args, **options):
    """torch.Tensor.cuda and torch.Tensor.cpu: MindSpore computes on the device of its context."""
    return tensor


# PyTorch's names of MindSpore's devices
NAMES_OF_DEVICES = {"Ascend": "npu", "GPU": "cuda"}


def device_of(tensor):
    """torch.Tensor.device, and that of an object of the program, which says so itself. While "meta" is the
    device of a context, that is where Tensors seem to be."""
    if not isinstance(tensor, OwnTensor):
        return tensor.device
    if ON_META:
        return ON_META[-1]
    name = OwnTensor.device.__get__(tensor).partition(":")[0]
    return device(NAMES_OF_DEVICES.get(name, "cpu"))


# Python's types, which are dtypes for PyTorch
TYPES_AS_DTYPES = {bool: mindspore.bool_, int: mindspore.int64, float: mindspore.float64}


def tensors_take_devices():
    """Let MindSpore's Tensor take devices, which are ignored: `to(device)`, `cuda()`, `cpu()`; and let
    `device` be one, not a text, whatever an object is that is asked for it."""
    with_dtype = mindspore.Tensor.to

    def to(self, *args, dtype=None, copy=False, **options):
        for value in args:
            if isinstance(value, (mindspore.Tensor, mindspore.dtype.Type, type)):
                dtype = getattr(value, "dtype", value)
        dtype = TYPES_AS_DTYPES.get(dtype, dtype)
        if dtype is None or dtype == self.dtype:
            return self.copy() if copy else self
        return with_dtype(self, dtype)

    mindspore.Tensor.to = to
    for name in ("cuda", "cpu"):
        setattr(mindspore.Tensor, name, where_it_is)
    mindspore.Tensor.device = mindspore.Parameter.device = property(device_of)
    return True


# Whether Tensors may be told a device
TENSORS_TAKE_DEVICES = tensors_take_devices()


def tensor_to(input, *args, **options):
    """torch.Tensor.to: the Tensor in a dtype, which another Tensor may tell; devices are ignored."""
    assert TENSORS_TAKE_DEVICES
    return mindspore.Tensor.to(input, *args, **options)


def device_count():
    """torch.cuda.device_count: none on CPU, which MindSpore counts as a device."""
    return 0 if mindspore.get_context("device_target") == "CPU" else mindspore.hal.device_count()


class device:
    """torch.device: a name to compare and to print; MindSpore computes on the device of its context. What is
    made with `with device("meta")` has values here, too, but no random numbers are gone behind it."""

    tensors_take_it = TENSORS_TAKE_DEVICES

    def __init__(self, type="cuda", index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if isinstance(type, int):
            type, index = "cuda", type
        name, colon, number = type.partition(":")
        self.type = name
        self.index = int(number) if colon else index

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self):
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"

    def __enter__(self):
        if self.type == "meta":
            ON_META.append(self)
        return self

    def __exit__(self, *exception):
        if self.type == "meta":
            ON_META.pop()
        return False


# the device "meta", as often as it is that of a context: nothing is drawn at random there
ON_META = []


def current_accelerator(check_available=False):
    """torch.accelerator.current_accelerator: None on CPU."""
    kind = NAMES_OF_DEVICES.get(mindspore.get_context("device_target"))
    return None if kind is None else device(kind)


def parse_to(*args, **kwargs):
    """torch._C._nn._parse_to: the device, the dtype, whether nobody waits, and the order in memory that
    `to` is asked for."""
    first = args[0] if args else kwargs.get("tensor", kwargs.get("other"))
    if isinstance(first, OwnTensor):
        names = ("tensor", "non_blocking", "copy")
    elif isinstance(first, mindspore.dtype.Type) or (isinstance(first, type) and first in TYPES_AS_DTYPES):
        names = ("dtype", "non_blocking", "copy")
    else:
        names = ("device", "dtype", "non_blocking", "copy")
    if len(args) > len(names):
        raise TypeError("to() received an invalid combination of arguments")
    asked = {**dict(zip(names, args)), **kwargs}
    if isinstance(first, OwnTensor):
        asked.update(device=device_of(first), dtype=first.dtype)
    place, dtype = asked.get("device"), asked.get("dtype")
    return (
        None if place is None else device(place),
        TYPES_AS_DTYPES.get(dtype, dtype),
        asked.get("non_blocking", False),
        asked.get("memory_format"),
    )


class chosen_device:
    """torch.cuda.device: MindSpore computes on the device of its context, whatever is chosen."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


# how PyTorch lays the values of Tensors out in memory, which MindSpore decides itself
channels_last = "torch.channels_last"
channels_last_3d = "torch.channels_last_3d"
contiguous_format = "torch.contiguous_format"
preserve_format = "torch.preserve_format"


def get_device_module(device=None):
    """torch.get_device_module: what programs ask of the module of a device. That of a CPU has no memory to
    empty and no numbers of its own."""
    target = mindspore.get_context("device_target")
    common = {
        "synchronize": lambda device=None: mindspore.runtime.synchronize(),
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "set_device": nothing,
    }
    if target == "CPU":
        return namespace(**common, device_count=lambda: 1, current_device=lambda: "cpu")
    return namespace(
        **common,
        device_count=device_count,
        current_device=lambda: mindspore.get_context("device_id"),
        empty_cache=mindspore.runtime.empty_cache,
        manual_seed=manual_seed,
        manual_seed_all=manual_seed,
    )
