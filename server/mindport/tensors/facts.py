"""What is told of Tensors: what else refers to their memory, and operands without dimensions."""

from __future__ import annotations

from typing import Literal, NamedTuple

SharedKind = Literal["name", "parameter", "attribute", "state", "outside", "stored", "view"]


class Shared(NamedTuple):
    """What else refers to the memory of a Tensor that is changed in place.

    `kind`: `name`, another name that is read afterwards; `parameter`, what the caller passed; `attribute` and
    `outside` (a name of an outer scope), what stays when the code around ends; `stored`, what was put into an
    attribute or a container before; `view`, what the Tensor itself is a view of; `state`, a parameter or
    buffer of a module, which is a view of nothing. `text` is how the code writes it. `is_view`: one is a view
    of the other (`x[0]`).
    """

    kind: SharedKind
    text: str
    is_view: bool


class Scalar(NamedTuple):
    """An operand that is a Tensor without dimensions: `text` is how it is written, `dtype` its dtype, which
    is wider than `other`, that of the other operand, and of the same kind (public names of torch).
    `is_known`: whether the code says what `other` is; else it is one that it may be."""

    text: str
    dtype: str
    other: str
    is_known: bool
