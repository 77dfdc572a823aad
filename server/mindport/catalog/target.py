"""What code is ported to: a MindSpore version, a device and a style of MindSpore code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

Device = Literal["ascend", "gpu", "cpu"]
Style = Literal["auto", "mint", "classic"]

VERSIONS: tuple[str, ...] = ("2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10")
"""The accepted versions, oldest first."""
DEVICES: tuple[Device, ...] = get_args(Device)
STYLES: tuple[Style, ...] = get_args(Style)
LATEST = VERSIONS[-1]


@dataclass(frozen=True, slots=True)
class Target:
    """A MindSpore `version` (such as `2.10`), a `device`, and a `style`: `mint` prefers `mindspore.mint`,
    `classic` prefers `mindspore.nn` and `mindspore.ops`, `auto` takes what the device runs."""

    version: str = LATEST
    device: Device = "ascend"
    style: Style = "auto"

    def __post_init__(self) -> None:
        """Raises ValueError for a version, device or style that is not accepted."""
        object.__setattr__(self, "version", parse_version(self.version))
        object.__setattr__(self, "device", parse_device(self.device))
        object.__setattr__(self, "style", parse_style(self.style))

    def takes(self, style: str) -> bool:
        """Whether a counterpart of this style (`any`: of both) may be chosen."""
        return self.style == "auto" or style in (self.style, "any")

    def supports(self, since: str, until: str | None) -> bool:
        """Whether the version lies between `since` and `until` (both included)."""
        number = version_number(self.version)
        return version_number(since) <= number and (until is None or number <= version_number(until))


def version_number(version: str) -> tuple[int, ...]:
    """`2.10` as `(2, 10)`, for comparison."""
    return tuple(int(part) for part in version.split(".")[:2])


def parse_version(text: str) -> str:
    """`2.10`, `2.10.0` or `r2.10` as one of `VERSIONS`. Raises ValueError for anything else."""
    match = re.fullmatch(r"[rv]?(\d+\.\d+)(\.\d+)*", text.strip()) if isinstance(text, str) else None
    if match is None or match[1] not in VERSIONS:
        raise ValueError(f"unknown MindSpore version {text!r}; accepted are {', '.join(VERSIONS)}")
    return match[1]


def parse_device(text: str) -> Device:
    """One of `DEVICES`, in any case. Raises ValueError for anything else."""
    return cast(Device, _one_of("device", text, DEVICES))


def parse_style(text: str) -> Style:
    """One of `STYLES`, in any case. Raises ValueError for anything else."""
    return cast(Style, _one_of("style", text, STYLES))


def _one_of(what: str, text: str, accepted: tuple[str, ...]) -> str:
    lowered = text.strip().lower() if isinstance(text, str) else ""
    if lowered not in accepted:
        raise ValueError(f"unknown {what} {text!r}; accepted are {', '.join(accepted)}")
    return lowered
