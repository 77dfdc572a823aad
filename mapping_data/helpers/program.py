"""What programs ask of PyTorch beside computing."""

import functools
import operator
import os
import re
import types
import typing
from pathlib import Path

import mindspore


def pair(x):
    """torch.nn.modules.utils._pair."""
    return ntuple(2)(x)


def single(x):
    """torch.nn.modules.utils._single."""
    return ntuple(1)(x)


def triple(x):
    """torch.nn.modules.utils._triple."""
    return ntuple(3)(x)


def quadruple(x):
    """torch.nn.modules.utils._quadruple."""
    return ntuple(4)(x)


def ntuple(n, name="parse"):
    """torch.nn.modules.utils._ntuple."""

    def parse(x):
        return tuple(x) if hasattr(x, "__iter__") else (x,) * n

    parse.__name__ = name
    return parse


def assert_(condition, message=""):
    """torch._assert."""
    assert condition, message


def check_async(input, assert_msg="Expected Tensor with single nonzero value, but got zero"):
    """torch._assert_async: raises RuntimeError where a Tensor with one value is zero, at once."""
    if not bool(input):
        raise RuntimeError(assert_msg)


def check_with(error_type, cond, message=None):
    """torch._check_with: raises an error of a type where something does not hold."""
    if not cond:
        told = "Expected cond to be True, but got False." if message is None else str(message())
        raise error_type(told)


check = functools.partial(check_with, RuntimeError)
check_index = functools.partial(check_with, IndexError)
check_value = functools.partial(check_with, ValueError)
check_type = functools.partial(check_with, TypeError)
check_not_implemented = functools.partial(check_with, NotImplementedError)


def check_tensor_all_with(error_type, cond, message=None):
    """torch._check_tensor_all_with: the same, of all elements of a Tensor."""
    check_with(error_type, bool(cond.all()), message)


check_tensor_all = functools.partial(check_tensor_all_with, RuntimeError)


def as_it_is(fn=None, *args, **kwargs):
    """What only torch's compilers look at, as a decorator with or without arguments: gives back what it is
    given."""
    return fn if callable(fn) else as_it_is


def method(of, name, function):
    """The method of an object: where that is a Tensor, `function` with the Tensor first, unless its class has
    one of its own. A shape, which is a tuple in MindSpore, has that of torch.Size."""
    if type(of) is tuple and name == "numel":
        return functools.partial(numel_of_size, of)
    is_own = not isinstance(of, mindspore.Tensor) or redefines(type(of), name)
    return getattr(of, name) if is_own else functools.partial(function, of)


def redefines(kind, name):
    """Whether a class of Tensors has a member of its own by a name."""
    owner = next((base for base in kind.__mro__ if name in vars(base)), None)
    return owner is not None and owner.__module__.partition(".")[0] not in ("abc", "builtins", "mindspore")


def unwrap_optional(x):
    """torch.jit._unwrap_optional."""
    if x is None:
        raise AssertionError("Unwrapping null optional")
    return x


def names_of_torch(options):
    """Keyword arguments by PyTorch's names, of which its own functions take some by NumPy's as well."""
    names = {"axis": "dim", "keepdims": "keepdim"}
    return {names.get(name, name): value for name, value in options.items()}


def annotate(the_type, the_value):
    """torch.jit.annotate."""
    return the_value


# what torch.jit.annotations names of Python's
Any = typing.Any
Dict = typing.Dict  # noqa: UP006
List = typing.List  # noqa: UP006
Optional = typing.Optional
Tuple = typing.Tuple  # noqa: UP006
Union = typing.Union


def nothing(*args, **kwargs):
    """A call that only torch's own bookkeeping needs."""


def none_listed(*args, **kwargs):
    """What PyTorch alone has several of (backends of its compiler): none."""
    return []


# The folder for downloads that the program has set
HUB = {"dir": None}


def get_dir():
    """torch.hub.get_dir: the folder that downloads are kept in, that of torch unless another one is set."""
    return str(Path(get_torch_home()) / "hub") if HUB["dir"] is None else HUB["dir"]


def set_dir(d):
    """torch.hub.set_dir."""
    HUB["dir"] = str(Path(d).expanduser())


def get_torch_home():
    """torch.hub._get_torch_home."""
    cache = Path(os.getenv("XDG_CACHE_HOME", "~/.cache"))
    return str(Path(os.getenv("TORCH_HOME", cache / "torch")).expanduser())


def is_on(*args, **kwargs):
    """What asks whether PyTorch may do something that changes nothing in MindSpore (keep what autocast has
    cast, compile): it may."""
    return True


def is_off(*args, **kwargs):
    """What asks whether PyTorch compiles, traces, casts or exports: it does not."""
    return False


def configuration():
    """torch.__config__.show and parallel_info: what computes now."""
    return f"MindSpore {mindspore.__version__}"


def from_numpy(ndarray):
    """torch.from_numpy: a Tensor in the memory of the array, where that lies row by row."""
    return as_tensor(ndarray)


# The dtype that floats have where none is given
DEFAULT = {"dtype": mindspore.float32}


def set_default_dtype(d):
    """torch.set_default_dtype."""
    if d not in (mindspore.float16, mindspore.bfloat16, mindspore.float32, mindspore.float64):
        raise TypeError(f"only floating-point types are supported as the default type, not {d}")
    DEFAULT["dtype"] = d


def get_default_dtype():
    """torch.get_default_dtype."""
    return DEFAULT["dtype"]


def default_complex():
    """The dtype of complex numbers that are given none."""
    return mindspore.complex128 if get_default_dtype() == mindspore.float64 else mindspore.complex64


class namespace(types.SimpleNamespace):
    """A module of PyTorch whose members are asked for by a text: those that the program names, and those of
    other ones. Its name is that of the module that their classes are of."""

    __name__ = __name__

    def __init__(self, *others, **members):
        held = {name: value for other in others for name, value in vars(other).items()}
        super().__init__(**{**held, **members})


def version_key(version):
    """What a version is compared by: its numbers without the zeros at the end, and whether it is a release
    or what comes before one. None of what is no version."""
    text = ".".join(map(str, version)) if isinstance(version, (list, tuple)) else str(version)
    found = re.match(r"v?(\d+(?:\.\d+)*)([._-]?(?:a|b|c|rc|dev|pre|preview|alpha|beta)\d*)?", text)
    if found is None:
        return None
    numbers = [int(number) for number in found[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers, found[2] is None


def comparing_versions(name):
    """A comparison of a version with another one; as texts, if the other one is none."""

    def compare(self, other):
        keys = version_key(self), version_key(other)
        if None in keys:
            return getattr(str, name)(self, other)
        return getattr(operator, name)(*keys)

    return compare


class TorchVersion(str):
    """torch.torch_version.TorchVersion: a version, which is compared by its numbers."""

    __lt__ = comparing_versions("__lt__")
    __le__ = comparing_versions("__le__")
    __gt__ = comparing_versions("__gt__")
    __ge__ = comparing_versions("__ge__")
    __eq__ = comparing_versions("__eq__")
    __ne__ = comparing_versions("__ne__")
    __hash__ = str.__hash__


# torch.__version__: the version whose functions the helpers stand for
torch_version = TorchVersion("2.13.0")
