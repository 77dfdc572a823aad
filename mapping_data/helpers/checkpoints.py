"""torch.save and torch.load: files in PyTorch's own format, which PyTorch reads, too."""

import io
import math
import os
import pickle
import zipfile
from types import FunctionType

import mindspore
import numpy as np
from mindspore import ops

# The dtype of NumPy for each kind of storage; bfloat16 is kept as the upper half of float32
STORAGE_KINDS = {
    "DoubleStorage": "f8",
    "FloatStorage": "f4",
    "HalfStorage": "f2",
    "BFloat16Storage": "u2",
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
    "ComplexFloatStorage": "c8",
    "ComplexDoubleStorage": "c16",
}


class TorchName:
    """Something of PyTorch's that is named in a pickle."""

    def __init__(self, module, name):
        self.module = module
        self.name = name


class StoredValues:
    """The values of one Tensor, as they are written beside the pickle."""

    def __init__(self, tensor, key):
        is_short = tensor.dtype == mindspore.bfloat16
        values = upper_halves(tensor) if is_short else tensor.asnumpy()
        self.values = np.ascontiguousarray(values)
        kinds = {np.dtype(kind): name for name, kind in STORAGE_KINDS.items()}
        self.kind = "BFloat16Storage" if is_short else kinds[values.dtype]
        self.key = key


class CheckpointPickler(pickle._Pickler):
    """Writes Tensors as PyTorch does; everything else as it is, classes and functions by their names: dill,
    which MindSpore imports, lets the pickler of Python write those of a script as code."""

    def __init__(self, file):
        super().__init__(file, protocol=2)
        self.stored = []
        own = {kind: save for kind, save in self.dispatch.items() if save.__module__ == "pickle"}
        by_name = {type: pickle._Pickler.save_type, FunctionType: pickle._Pickler.save_global}
        self.dispatch = {**own, **by_name, dict: pickle._Pickler.save_dict}

    def save(self, obj, save_persistent_id=True):
        if isinstance(obj, TorchName):
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        elif isinstance(obj, mindspore.Tensor) and not hasattr(type(obj), "rebuilt"):
            self._save_tensor(obj)
        elif isinstance(obj, mindspore.dtype.Type):
            self.save(TorchName("torch", str(obj).lower().replace("bool_", "bool")))
        else:
            super().save(obj, save_persistent_id)

    def _save_tensor(self, tensor):
        known = self.memo.get(id(tensor))
        if known is not None:
            self.write(self.get(known[0]))
            return
        if isinstance(tensor, mindspore.Parameter):
            rebuild = TorchName("torch._utils", "_rebuild_parameter")
            parts = (ops.stop_gradient(tensor), tensor.requires_grad, OrderedDict())
            self.save_reduce(rebuild, parts, obj=tensor)
            return
        stored = StoredValues(tensor, str(len(self.stored)))
        self.stored.append(stored)
        shape = tuple(tensor.shape)
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        rebuild = TorchName("torch._utils", "_rebuild_tensor_v2")
        parts = (stored, 0, shape, strides, tensor._requires_grad, OrderedDict())
        self.save_reduce(rebuild, parts, obj=tensor)

    def persistent_id(self, obj):
        if not isinstance(obj, StoredValues):
            return None
        return "storage", TorchName("torch", obj.kind), obj.key, "cpu", obj.values.size

    def save_reduce(self, func, args, state=None, listitems=None, dictitems=None, *rest, obj=None):
        if not isinstance(func, TorchName):
            super().save_reduce(func, args, state, listitems, dictitems, *rest, obj=obj)
            return
        self.save(func)
        self.save(args)
        self.write(pickle.REDUCE)
        self.memoize(obj)


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """torch.save: a file that PyTorch reads, too."""
    text = io.BytesIO()
    pickler = CheckpointPickler(text)
    pickler.dump(obj)
    with zipfile.ZipFile(f, "w") as archive:
        archive.writestr("archive/data.pkl", text.getvalue())
        archive.writestr("archive/byteorder", "little")
        for stored in pickler.stored:
            archive.writestr(f"archive/data/{stored.key}", stored.values.tobytes())
        archive.writestr("archive/version", "3\n")


def rebuilt_tensor(storage, offset, size, stride, requires_grad=False, *rest):
    """A Tensor of stored values."""
    kind, values = storage
    steps = tuple(step * values.itemsize for step in stride)
    array = np.lib.stride_tricks.as_strided(values[offset:], tuple(size), steps).copy()
    if kind != "BFloat16Storage":
        return leaf(mindspore.Tensor(array), requires_grad)
    return leaf(tensor_of_halves(array), requires_grad)


def rebuilt_parameter(data, requires_grad=True, hooks=None):
    """A Parameter of a Tensor."""
    return parameter(data, requires_grad)


# What files may name beside plain data, by its full name
SAFE_GLOBALS = {}


def full_name(entry):
    """What files call a class or function; PyTorch takes one with its full name, too."""
    return entry[1] if isinstance(entry, tuple) else f"{entry.__module__}.{entry.__qualname__}"


def add_safe_globals(safe_globals):
    """torch.serialization.add_safe_globals: files may name these classes and functions."""
    SAFE_GLOBALS.update({full_name(entry): entry for entry in safe_globals})


def get_safe_globals():
    """torch.serialization.get_safe_globals: what files may name."""
    return list(SAFE_GLOBALS.values())


def clear_safe_globals():
    """torch.serialization.clear_safe_globals: files may name none of them any more."""
    SAFE_GLOBALS.clear()


class safe_globals:
    """torch.serialization.safe_globals: files may name these classes and functions in this block."""

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        self.before = dict(SAFE_GLOBALS)
        add_safe_globals(self.safe_globals)

    def __exit__(self, kind, error, traceback):
        SAFE_GLOBALS.clear()
        SAFE_GLOBALS.update(self.before)


class CheckpointUnpickler(PlainUnpickler):
    """Reads plain data and Tensors; what else a pickle may name is found by another Unpickler, if there is
    one."""

    def __init__(self, file, storage, other, **options):
        super().__init__(file, **options)
        self.storage = storage
        self.other = other

    def find_class(self, module, name):
        known = {
            ("torch._utils", "_rebuild_tensor_v2"): rebuilt_tensor,
            ("torch._utils", "_rebuild_tensor"): rebuilt_tensor,
            ("torch._utils", "_rebuild_parameter"): rebuilt_parameter,
            ("torch", "Size"): tuple,
            ("torch", "device"): device,
        }
        if (module, name) in known:
            return known[module, name]
        if module in ("torch", "torch.storage") and name in STORAGE_KINDS:
            return name
        if module == "torch" and isinstance(getattr(mindspore, name, None), mindspore.dtype.Type):
            return getattr(mindspore, name)
        if f"{module}.{name}" in SAFE_GLOBALS:
            entry = SAFE_GLOBALS[f"{module}.{name}"]
            return entry[0] if isinstance(entry, tuple) else entry
        if self.other is not None:
            found = of_pytorch(module, name, globals())
            if found is not None or module.partition(".")[0] not in ("torch", "torchvision"):
                return found or self.other.find_class(module, name)
        try:
            return super().find_class(module, name)
        except pickle.UnpicklingError as error:
            if self.other is not None:
                raise pickle.UnpicklingError(f"nothing in this program stands for {module}.{name}") from None
            last = name.rpartition(".")[2]
            raise pickle.UnpicklingError(f"{error}; `add_safe_globals([{last}])` allows it") from None

    def persistent_load(self, pid):
        if pid[0] == "module":  # a class, with its source
            return pid[1]
        _, kind, key, _, count = pid[:5]
        return kind, self.storage(kind, key, count)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """torch.load: reads files of PyTorch and of `save`. Unless `weights_only` is False or a module for
    pickles is given, or TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD is set, what is no plain data, Tensor or one of the
    safe globals raises UnpicklingError; all Tensors are on MindSpore's device."""
    asked = os.environ.get("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "").lower()
    if weights_only is None and asked in ("1", "y", "yes", "true"):
        weights_only = False
    if not hasattr(f, "read"):
        with open(f, "rb") as file:
            return load(file, None, pickle_module, weights_only=weights_only, **pickle_load_args)
    other = None
    if weights_only is False or (weights_only is None and pickle_module is not None):
        other = (pickle_module or pickle).Unpickler(io.BytesIO(b"\x80\x02N."), **pickle_load_args)
        other.load()
        let_modules_be_read(globals())
    start = f.tell()
    is_zip = f.read(4) == b"PK\x03\x04"
    f.seek(start)
    return (read_archive if is_zip else read_old_checkpoint)(f, other, **pickle_load_args)


def save_scripted(m, f, _extra_files=None):
    """torch.jit.save and torch.jit.ScriptModule.save: the module as it is. Its code is not kept, so that its
    classes have to be there where it is loaded."""
    save(m, f)
    with zipfile.ZipFile(f, "a") as archive:
        for name, content in (_extra_files or {}).items():
            archive.writestr(f"archive/extra/{name}", content)


def load_scripted(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """torch.jit.load: reads files of `save_scripted`. Those of PyTorch hold compiled code, which MindSpore
    cannot run."""
    with zipfile.ZipFile(f) as archive:
        names = archive.namelist()
        if any("/code/" in name for name in names):
            raise NotImplementedError(f"{f} holds TorchScript, which MindSpore cannot run: convert its model")
        for name in _extra_files or {}:
            is_there = f"archive/extra/{name}" in names
            _extra_files[name] = archive.read(f"archive/extra/{name}") if is_there else b""
    if hasattr(f, "seek"):
        f.seek(0)
    return load(f, weights_only=False)


def read_archive(file, other, **options):
    """What a checkpoint holds that is a zip archive."""
    with zipfile.ZipFile(file) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = name.removesuffix("data.pkl")
        known = {}

        def storage(kind, key, count):
            if key not in known:
                kind = np.dtype(STORAGE_KINDS[kind])
                known[key] = np.frombuffer(archive.read(f"{folder}data/{key}"), kind, count)
            return known[key]

        return CheckpointUnpickler(io.BytesIO(archive.read(name)), storage, other, **options).load()


def read_old_checkpoint(file, other, **options):
    """What a checkpoint of a PyTorch before 1.6 holds: pickles one after the other, then the values."""
    known, kinds = {}, {}

    def storage(kind, key, count):
        kinds[key] = np.dtype(STORAGE_KINDS[kind])
        return known.setdefault(key, np.zeros(count, kinds[key]))

    magic = PlainUnpickler(file).load()
    if magic != 0x1950A86A20F9469CFC6C:
        raise pickle.UnpicklingError("this is no checkpoint of PyTorch")
    PlainUnpickler(file).load()
    PlainUnpickler(file).load()
    start = file.tell()
    CheckpointUnpickler(file, storage, other, **options).load()
    for key in PlainUnpickler(file).load():
        count = int.from_bytes(file.read(8), "little")
        known[key][:] = np.frombuffer(file.read(count * kinds[key].itemsize), kinds[key])
    file.seek(start)
    return CheckpointUnpickler(file, storage, other, **options).load()
