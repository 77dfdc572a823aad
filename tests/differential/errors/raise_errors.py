"""Raise the errors that standard input lists, and write what MindSpore says: both JSON, by the errors' names."""

import json
import sys
import traceback

import mindspore as ms
import numpy as np
import statements as _statements
from mindspore import Parameter, Tensor, mint, nn, ops

NAMES = {
    "_statements": _statements,
    "ms": ms,
    "np": np,
    "Parameter": Parameter,
    "Tensor": Tensor,
    "mint": mint,
    "nn": nn,
    "ops": ops,
}


def message(code: str) -> str:
    """What is raised by an expression; empty if nothing is."""
    try:
        str(eval(code, dict(NAMES)))
    except Exception:  # noqa: BLE001 - whatever MindSpore raises is looked at
        return traceback.format_exc()
    return ""


if __name__ == "__main__":
    ms.runtime.launch_blocking()
    print("\n" + json.dumps({name: message(code) for name, code in json.load(sys.stdin).items()}))
