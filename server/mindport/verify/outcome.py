"""What came of one snippet, and what the outcomes of a pair say together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from mindport.verify.cases import Case
from mindport.verify.compare import Aspect

Kind = Literal["equal", "differs", "unsupported", "refused", "fails", "not_converted", "torch_raises"]

_RULES = re.compile(r"-{4,}")
_NO_KERNEL = (
    "unregistered",
    "not supported on this device",
    "is not supported on cpu",
    "not found op",
    "create kernelmod",
    "unsupported op",
    "not implement",
    "does not support on cpu",
    "only support ascend",
    "only supported on ascend",
    "not support cpu",
)
_NO_DTYPE = (
    "unsupported data type",
    "select cpu operator",
    "kernel select failed",
    "kernelmod init failed",
    "the type of",
    "data type",
    "dtype",
    "unsupported input",
)


class Outcome(NamedTuple):
    """What came of one snippet. `aspect` is what differs; `largest` the largest difference of equal numbers;
    `has_gradient` whether gradients were compared; `no_gradient`: torch has one, MindSpore ends in an
    error."""

    case: Case
    kind: Kind
    aspect: Aspect | None = None
    largest: float = 0.0
    detail: str = ""
    has_gradient: bool = False
    no_gradient: bool = False


def of_error(case: Case, error: str, message: str) -> Outcome:
    """The outcome of a snippet that MindSpore did not run. `refused` is an input that its kernel does not
    take; it is told by what ordinary inputs do (see `evidence`)."""
    lowered = message.lower()
    told = _RULES.split(message.strip(" -"))[0].strip()  # what comes first, between rules of dashes
    said = f"{error}: {told}"[:160]
    if any(words in lowered for words in _NO_KERNEL):
        return Outcome(case, "unsupported", detail=said)
    if case.inputs != "float32" or any(words in lowered for words in _NO_DTYPE):
        return Outcome(case, "refused", detail=said)
    return Outcome(case, "fails", detail=said)


def compared(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that both frameworks ran or MindSpore was asked to run: snippets that torch refuses say
    nothing."""
    return [o for o in outcomes if o.kind not in ("torch_raises", "not_converted")]
