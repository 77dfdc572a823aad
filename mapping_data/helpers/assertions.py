"""torch.testing: values that are to be close."""

from collections.abc import Mapping, Sequence

import mindspore
import numpy as np

# relative and absolute, by how precise the dtype is
CLOSE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}


def assert_close(
    actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None, **options
):
    """torch.testing.assert_close: raises AssertionError where values differ by more than is allowed."""
    if isinstance(expected, Mapping):
        assert actual.keys() == expected.keys(), msg
        actual, expected = [actual[key] for key in expected], list(expected.values())
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        assert len(actual) == len(expected), msg
        for one, other in zip(actual, expected):
            assert_close(
                one, other, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype, msg=msg
            )
        return
    dtypes = [
        str(value.dtype).lower() if isinstance(value, mindspore.Tensor) else None
        for value in (actual, expected)
    ]
    assert not check_dtype or None in dtypes or dtypes[0] == dtypes[1], f"{dtypes[0]} is not {dtypes[1]}"
    allowed = CLOSE.get(dtypes[0] or "float64", (0, 0))
    ours, theirs = (
        value.astype(mindspore.float32).asnumpy()
        if dtype == "bfloat16"
        else value.asnumpy()
        if dtype
        else value
        for value, dtype in zip((actual, expected), dtypes)
    )
    assert np.shape(ours) == np.shape(theirs), f"the shape {np.shape(ours)} is not {np.shape(theirs)}"
    np.testing.assert_allclose(
        ours,
        theirs,
        allowed[0] if rtol is None else rtol,
        allowed[1] if atol is None else atol,
        equal_nan=equal_nan,
        err_msg=msg or "",
    )


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """torch.testing.assert_allclose."""
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg)
