"""What a rule is: a code, what it means, how a finding of it reads, and examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.finding import Finding
    from mindport.assess.severity import Severity
    from mindport.language import Language


@dataclass(frozen=True, slots=True)
class Example:
    """A piece of PyTorch code in which the rule has a finding. `after` is the code that all safe fixes of
    the file make of it; None where nothing is changed. `device` is the device it holds for."""

    before: str
    after: str | None = None
    device: str = "ascend"
    style: str = "auto"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding. Its tests and its page in `docs/rules` are made from this object."""

    code: str
    name: Text
    severity: Severity
    explanation: Text
    message: Callable[[Finding, Language], str]
    examples: tuple[Example, ...]
