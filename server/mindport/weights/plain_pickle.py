"""Pickles that are read without running anything that they name: what is no plain data and no part of a
Tensor becomes an `StandIn`, which keeps what it was given."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import IO, Any, Final, NamedTuple

from mindport.language import Text
from mindport.weights.stored_tensor import ELEMENT_TYPES, ElementType, WeightsError

_BY_STORAGE: Final = {kind.storage: kind for kind in ELEMENT_TYPES if kind.storage}
_BY_NAME: Final = {kind.name: kind for kind in ELEMENT_TYPES}
_STORAGE_MODULES: Final = ("torch", "torch.storage", "torch.cuda")
_BYTES_STORAGE: Final = "UntypedStorage"
_PLAIN: Final[dict[tuple[str, str], Callable[..., object]]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "complex"): complex,
    ("builtins", "bytearray"): bytearray,
    ("torch", "Size"): tuple,
}
_NOT_READ = Text(
    "Cannot read the pickle in the file ({reason}). The file may be incomplete.",
    "无法读取文件中的 pickle 数据（{reason}），文件可能不完整。",
)


class StorageOf(NamedTuple):
    """What a pickle says of the elements of a Tensor: their type (None: bytes, whose type the Tensor says)
    and the key of the storage that holds them."""

    kind: ElementType | None
    key: str


class View(NamedTuple):
    """A Tensor in a pickle: where in a storage its elements are."""

    storage: StorageOf
    kind: ElementType
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class StandIn:
    """What stands for an object of a class, or the result of a function, that is not known: its state is
    there as attributes and items, nothing of it was run."""

    items: dict[object, object]

    def __new__(cls, *_arguments: object, **_keywords: object) -> StandIn:
        """Make one without running the class that it stands for."""
        made = super().__new__(cls)
        made.items = {}
        return made

    def __setitem__(self, key: object, value: object) -> None:
        self.items[key] = value

    def append(self, _value: object) -> None:
        """Take an item of a list."""

    def extend(self, _values: object) -> None:
        """Take items of a list."""

    def __setstate__(self, state: object) -> None:
        if isinstance(state, tuple):
            for part in state:
                self.__setstate__(part)
        elif isinstance(state, dict):
            self.__dict__.update({key: value for key, value in state.items() if isinstance(key, str)})


def read_pickle(file: IO[bytes], storage_of: Callable[[Sequence[Any]], object] | None = None) -> Any:
    """What a pickle in a file holds, the file then being behind it. `storage_of` gets what a pickle refers to
    outside of itself. Raises WeightsError."""
    unpickler = _Unpickler(file, encoding="latin1")
    unpickler.storage_of = storage_of
    try:
        return unpickler.load()
    except WeightsError:
        raise
    except Exception as error:
        # A pickle that is damaged can end in an error of any kind.
        raise WeightsError(_NOT_READ, reason=f"{type(error).__name__}: {error}") from error


class _Unpickler(pickle.Unpickler):
    storage_of: Callable[[Sequence[Any]], object] | None = None

    def persistent_load(self, pid: Any) -> object:
        if self.storage_of is None:
            raise pickle.UnpicklingError
        return self.storage_of(pid)

    def find_class(self, module: str, name: str) -> Any:
        module = "builtins" if module == "__builtin__" else module  # as Python 2 calls it
        if (module, name) in _PLAIN:
            return _PLAIN[module, name]
        if module in ("torch._utils", "torch._tensor") and name in _REBUILT:
            return _REBUILT[name]
        if module in _STORAGE_MODULES and name in _BY_STORAGE:
            return _BY_STORAGE[name]
        if module == "torch" and name in _BY_NAME:
            return _BY_NAME[name]
        if name == _BYTES_STORAGE:
            return None
        return type(name, (StandIn,), {"__module__": module})


def _rebuilt(
    storage: object, offset: int, shape: Sequence[int], strides: Sequence[int], *others: Any
) -> View | StandIn:
    """`_rebuild_tensor` and `_v2`, `_v3`: what follows are `requires_grad`, hooks, then (`_v3`) the type."""
    kind = next((each for each in others if isinstance(each, ElementType)), None)
    is_lazy = any(isinstance(each, dict) and (each.get("conj") or each.get("neg")) for each in others)
    if not isinstance(storage, StorageOf) or is_lazy:
        return StandIn()
    kind = kind or storage.kind
    return StandIn() if kind is None else View(storage, kind, offset, tuple(shape), tuple(strides))


def _first(value: object, *_others: object) -> object:
    """`_rebuild_parameter`: what follows are `requires_grad`, hooks and state."""
    return value


def _of_type(
    function: Callable[..., object], _kind: object, arguments: Sequence[Any], _state: object
) -> object:
    return function(*arguments)


_REBUILT: Final[dict[str, Callable[..., object]]] = {
    "_rebuild_tensor": _rebuilt,
    "_rebuild_tensor_v2": _rebuilt,
    "_rebuild_tensor_v3": _rebuilt,
    "_rebuild_parameter": _first,
    "_rebuild_parameter_with_state": _first,
    "_rebuild_from_type_v2": _of_type,
}
