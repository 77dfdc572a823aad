"""safetensors.torch and safetensors.safe_open: files in the format of safetensors, without that library.

A file begins with the length of its header (8 bytes, little-endian), then comes the header (JSON: for
each name `dtype`, `shape` and `data_offsets`), then the values.
"""

import importlib
import io
import json
import sys
import types
from pathlib import Path

import mindspore
import numpy as np

# The dtype of NumPy for each that a header may name; bfloat16 is kept as the upper half of float32
SAFETENSORS_KINDS = {
    "F64": "f8",
    "F32": "f4",
    "F16": "f2",
    "BF16": "u2",
    "I64": "i8",
    "I32": "i4",
    "I16": "i2",
    "I8": "i1",
    "U64": "u8",
    "U32": "u4",
    "U16": "u2",
    "U8": "u1",
    "BOOL": "?",
    "C64": "c8",
}


class SafetensorsError(Exception):
    """A file is not in the format of safetensors."""


def safetensors_header(file):
    """What a file says of each Tensor, and where the values begin."""
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= 100_000_000:
        raise SafetensorsError("this is no file of safetensors: its header is too short or too long")
    try:
        header = json.loads(file.read(length))
    except ValueError as error:
        raise SafetensorsError("this is no file of safetensors: its header cannot be read") from error
    return header, 8 + length


def safetensors_tensor(entry, values):
    """The Tensor that an entry of the header describes."""
    array = np.frombuffer(values, SAFETENSORS_KINDS[entry["dtype"]]).reshape(entry["shape"])
    if entry["dtype"] != "BF16":
        return mindspore.Tensor(array.copy())
    return tensor_of_halves(array)


def safetensors_load(data):
    """safetensors.torch.load: the Tensors in the bytes of a file."""
    file = io.BytesIO(data)
    header, start = safetensors_header(file)
    header.pop("__metadata__", None)
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        found[name] = safetensors_tensor(entry, data[start + begin : start + end])
    return found


def load_file(filename, device="cpu"):
    """safetensors.torch.load_file: all Tensors are on MindSpore's device."""
    with Path(filename).open("rb") as file:
        return safetensors_load(file.read())


def safetensors_save(tensors, metadata=None):
    """safetensors.torch.save: the bytes of a file."""
    kinds = {np.dtype(kind): name for name, kind in SAFETENSORS_KINDS.items() if name != "BF16"}
    header = {} if metadata is None else {"__metadata__": metadata}
    parts, position = [], 0
    # The largest items first, so that every Tensor is aligned, as the library writes them
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    for name in order:
        tensor = tensors[name]
        is_short = tensor.dtype == mindspore.bfloat16
        array = upper_halves(tensor) if is_short else tensor.asnumpy()
        kind = "BF16" if is_short else kinds[array.dtype]
        values = np.ascontiguousarray(array).tobytes()
        place = [position, position + len(values)]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": place}
        parts.append(values)
        position += len(values)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def save_file(tensors, filename, metadata=None):
    """safetensors.torch.save_file."""
    with Path(filename).open("wb") as file:
        file.write(safetensors_save(tensors, metadata))


def save_model(model, filename, metadata=None, force_contiguous=True):
    """safetensors.torch.save_model: a Tensor with two names is written once, and its other names are told."""
    metadata = dict(metadata or {})
    kept, first = {}, {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        if id(tensor) in first:
            metadata[name] = first[id(tensor)]
        else:
            first[id(tensor)] = name
            kept[name] = tensor
    save_file(kept, filename, metadata)


def load_model(model, filename, strict=True, device="cpu"):
    """safetensors.torch.load_model: the names that are missing, and those that nothing was found for."""
    values = load_file(filename)
    with safe_open(filename, "pt") as file:
        values.update(
            {name: values[kept] for name, kept in (file.metadata() or {}).items() if kept in values}
        )
    missing, unexpected = model.load_state_dict(values, strict=False)
    if strict and (missing or unexpected):
        raise RuntimeError(
            f"missing in {filename}: {sorted(missing)}; not in the model: {sorted(unexpected)}"
        )
    return set(missing), list(unexpected)


class SafetensorsSlice:
    """What `safe_open.get_slice` gives: the part that is asked for."""

    def __init__(self, file, name):
        self._file = file
        self._name = name

    def get_shape(self):
        return list(self._file.entry(self._name)["shape"])

    def get_dtype(self):
        return self._file.entry(self._name)["dtype"]

    def __getitem__(self, index):
        return self._file.get_tensor(self._name)[index]


class safe_open:
    """safetensors.safe_open: reads one Tensor at a time."""

    def __init__(self, filename, framework, device="cpu", **options):
        self._filename = filename
        with Path(filename).open("rb") as file:
            self._header, self._start = safetensors_header(file)
        self._metadata = self._header.pop("__metadata__", None)
        self._is_numpy = framework in ("np", "numpy")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def entry(self, name):
        if name not in self._header:
            raise SafetensorsError(f"{self._filename} has no Tensor that is called {name}")
        return self._header[name]

    def keys(self):
        return sorted(self._header)

    def offset_keys(self):
        return sorted(self._header, key=lambda name: self._header[name]["data_offsets"])

    def metadata(self):
        return self._metadata

    def get_tensor(self, name):
        entry = self.entry(name)
        begin, end = entry["data_offsets"]
        with Path(self._filename).open("rb") as file:
            file.seek(self._start + begin)
            tensor = safetensors_tensor(entry, file.read(end - begin))
        return tensor.asnumpy() if self._is_numpy else tensor

    def get_slice(self, name):
        return SafetensorsSlice(self, name)


def tensor_bytes(tensor):
    """safetensors.torch._to_ndarray: the bytes of a Tensor's values, and the Tensor."""
    array = upper_halves(tensor) if tensor.dtype == mindspore.bfloat16 else tensor.asnumpy()
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8), tensor


def storage_ptr(tensor):
    """safetensors.torch.storage_ptr: where the values of a Tensor are in memory."""
    return tensor.data_ptr()


def storage_size(tensor):
    """safetensors.torch.storage_size: how many bytes they take."""
    return tensor.nbytes


def split_into_shards(state_dict, *, filename_pattern="model{suffix}.safetensors", max_shard_size="5GB"):
    """huggingface_hub.split_torch_state_dict_into_shards: which Tensors go into which file. Needs
    huggingface_hub."""
    split = importlib.import_module("huggingface_hub").split_state_dict_into_shards_factory
    return split(
        state_dict,
        get_storage_size=storage_size,
        get_storage_id=lambda tensor: (storage_ptr(tensor), storage_size(tensor)),
        filename_pattern=filename_pattern,
        max_shard_size=max_shard_size,
    )


def model_hub_mixin():
    """huggingface_hub.ModelHubMixin. Releases before 1.0 import what safetensors has for PyTorch, and are
    given what is here instead where there is no PyTorch."""
    hub = importlib.import_module("huggingface_hub")
    try:
        return hub.ModelHubMixin
    except ImportError:
        module = types.ModuleType("safetensors.torch")
        module.load_model = lambda *args, **kwargs: load_model(*args, **kwargs)
        module.save_model = lambda *args, **kwargs: save_model(*args, **kwargs)
        sys.modules[module.__name__] = module
        return hub.ModelHubMixin


class PyTorchModelHubMixin(model_hub_mixin()):
    """huggingface_hub.PyTorchModelHubMixin: models saved to, and read from, a folder or the hub."""

    def _save_pretrained(self, save_directory):
        save_model(self, Path(save_directory, "model.safetensors"))

    @classmethod
    def _from_pretrained(cls, *, model_id, map_location="cpu", strict=False, **options):
        hub = importlib.import_module("huggingface_hub")
        known = ("revision", "cache_dir", "force_download", "local_files_only", "token")
        asked = {name: options.pop(name) for name in known if name in options}
        model = cls(**options)
        file = Path(model_id, "model.safetensors")
        if not Path(model_id).is_dir():
            file = hub.hf_hub_download(repo_id=model_id, filename=file.name, **asked)
        load_model(model, file, strict=strict)
        model.eval()
        return model
