"""Pickles that hold plain data alone: reading them runs no code of theirs."""

import codecs
import pickle
from collections import OrderedDict

import numpy as np

# What a pickle of plain data may name, beside numbers, texts and containers
PLAIN_GLOBALS = {
    ("collections", "OrderedDict"): OrderedDict,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "complex"): complex,
    ("builtins", "bytearray"): bytearray,
    ("builtins", "slice"): slice,
    ("_codecs", "encode"): codecs.encode,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    **{
        (f"numpy.{core}.multiarray", name): getattr(np.core.multiarray, name)
        for core in ("core", "_core")
        for name in ("_reconstruct", "scalar")
    },
}


class PlainUnpickler(pickle.Unpickler):
    """Reads what consists of plain data; raises UnpicklingError for everything else."""

    def find_class(self, module, name):
        module = "builtins" if module == "__builtin__" else module  # what protocol 2 calls it
        if (module, name) in PLAIN_GLOBALS:
            return PLAIN_GLOBALS[module, name]
        raise pickle.UnpicklingError(f"{module}.{name} is no plain data: it is not read")


def read_plain_pickle(path):
    """What a pickle of plain data holds; texts of Python 2 become texts."""
    with open(path, "rb") as file:
        return PlainUnpickler(file, encoding="latin1").load()
